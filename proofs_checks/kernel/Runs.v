(* The law of a run: n steps of a policy show n observations, each of the law of the state that it is shown in, which those before it
   lead to. Totals and discounted values, which are defined by recursion, are means under it. *)

From kernel Require Import Limits Sums Values Bandits Horizon Laws Radii.

Section Runs.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (shows : A -> S -> law_on O) (pi : policy A S).
Hypothesis pays_unit : forall o, 0 <= pays o <= 1.
Notation M := (bandit_of next pays shows).
Implicit Type x : state A S.

Definition goes_on x (o : O) : state A S := moved x (pi x) (next o).
(* The mean over the runs of n steps from x; and what a run pays, step t times b^t. *)
Fixpoint over_runs (n : nat) x (F : seq O -> R) : R :=
  if n is n'.+1 then shows (pi x) (x (pi x)) (fun o => over_runs n' (goes_on x o) (fun later => F (o :: later))) else F [::].
Fixpoint run_pays (b : R) (os : seq O) : R := if os is o :: later then pays o + b * run_pays b later else 0.

Lemma over_runs_abs n x F C : (forall os, size os = n -> Rabs (F os) <= C) -> Rabs (over_runs n x F) <= C.
Proof. by elim: n x F => [|n IH] x F FC /=; [exact: FC | apply: E_abs => o; apply: IH => os sz; apply: FC; rewrite /= sz]. Qed.

Lemma over_runs_add n x F G C : (forall os, size os = n -> Rabs (F os) <= C) -> (forall os, size os = n -> Rabs (G os) <= C) ->
  over_runs n x (fun os => F os + G os) = over_runs n x F + over_runs n x G.
Proof.
elim: n x F G => [|n IH] x F G FC GC //=; rewrite -E_add.
- by apply: E_ext => o; apply: IH => os sz; [apply: FC | apply: GC]; rewrite /= sz.
- by exists C => o; apply: over_runs_abs => os sz; apply: FC; rewrite /= sz.
- by exists C => o; apply: over_runs_abs => os sz; apply: GC; rewrite /= sz.
Qed.

Lemma over_runs_scale n x c F C : (forall os, size os = n -> Rabs (F os) <= C) -> over_runs n x (fun os => c * F os) = c * over_runs n x F.
Proof.
elim: n x F => [|n IH] x F FC //=; rewrite -E_scale.
  by apply: E_ext => o; apply: IH => os sz; apply: FC; rewrite /= sz.
by exists C => o; apply: over_runs_abs => os sz; apply: FC; rewrite /= sz.
Qed.

Lemma over_runs_const n x c : over_runs n x (fun _ => c) = c.
Proof. by elim: n x => [|n IH] x //=; rewrite (E_ext _ (g := fun _ => c)) ?E_const // => o; exact: IH. Qed.

Lemma over_runs_le n x F G : bounded F -> bounded G -> (forall os, F os <= G os) -> over_runs n x F <= over_runs n x G.
Proof.
move=> [C FC] [D GD] FG; have tails H o (E : R) (HE : forall os, Rabs (H os) <= E) : forall os, Rabs (H (o :: os)) <= E by [].
elim: n x F G FC GD FG => [|n IH] x F G FC GD FG /=; first exact: FG.
apply: E_le => [||o]; [by exists C => o; apply: over_runs_abs | by exists D => o; apply: over_runs_abs |].
by apply: IH => os.
Qed.

(* The runs of n steps from x have a law. *)
Program Definition law_of_runs n x : law_on (seq O) := @LawOn _ (over_runs n x) _ _ _ _.
Next Obligation. exact: over_runs_const. Qed.
Next Obligation.
case: H => C FC; case: H0 => D GD; apply: (over_runs_add x (C := Rmax C D)) => os _.
  exact: Rle_trans (FC os) (Rmax_l _ _).
exact: Rle_trans (GD os) (Rmax_r _ _).
Qed.
Next Obligation. by case: H => C FC; exact: (over_runs_scale x c (fun os _ => FC os)). Qed.
Next Obligation. exact: over_runs_le. Qed.

Lemma run_pays_abs b os : 0 <= b <= 1 -> Rabs (run_pays b os) <= INR (size os).
Proof.
move=> b01; suff h : 0 <= run_pays b os <= INR (size os) by rewrite Rabs_pos_eq; lra.
elim: os => [|o os IH]; first by rewrite /=; lra.
by rewrite -[size _]/((size os).+1) S_INR /=; have := pays_unit o; nra.
Qed.

Lemma over_runs_pays b n x : 0 <= b <= 1 -> over_runs n.+1 x (run_pays b) =
  shows (pi x) (x (pi x)) pays + b * shows (pi x) (x (pi x)) (fun o => over_runs n (goes_on x o) (run_pays b)).
Proof.
move=> b01; have bp := pays_bounded pays_unit; have br m y := @over_runs_abs m y _ (INR m) (fun os sz => eq_ind _ (fun k => _ <= INR k) (run_pays_abs os b01) _ sz).
have bb : bounded (fun o => over_runs n (goes_on x o) (run_pays b)) by exists (INR n) => o; exact: br.
rewrite /= -E_scale // -E_add //; last exact: bounded_scale.
apply: E_ext => o; have c0 : forall os : seq O, size os = n -> Rabs (pays o) <= 1 + INR n.
  by move=> os _; have := pays_unit o; have := pos_INR n; split_Rabs; lra.
have c1 : forall os, size os = n -> Rabs (b * run_pays b os) <= 1 + INR n.
  move=> os sz; rewrite Rabs_mult (Rabs_pos_eq b); last lra.
  by have := run_pays_abs os b01; rewrite sz; have := Rabs_pos (run_pays b os); nra.
rewrite (over_runs_add (goes_on x o) c0 c1) over_runs_const (over_runs_scale (goes_on x o) b (C := INR n)) // => os sz.
by have := run_pays_abs os b01; rewrite sz.
Qed.

Lemma over_runs_total n x : over_runs n x (run_pays 1) = W M pi n x.
Proof.
elim: n x => [|n IH] x //; rewrite over_runs_pays; last lra.
rewrite W_step mean_P (bandit_shown next pays shows) Rmult_1_l; congr (_ + _); apply: E_ext => o; exact: IH.
Qed.

(* The runs of n steps from x have a law, and in the mean under it they pay the total by recursion.
   ledger: eq:discounted_reward eq:simulation_value/expectation/repair *)
Theorem total_of_runs n x : law_of_runs n x (run_pays 1) = W M pi n x.
Proof. exact: over_runs_total. Qed.

(* The discounted value of pi is the limit of what n steps pay, discounted, in the mean over their runs; and it is the mean of
   what H steps pay, H geometric and independent of the run.
   ledger: eq:V-vs_R *)
Theorem value_of_runs beta x : is_discount beta ->
  is_lim_seq (fun n => law_of_runs n x (run_pays beta)) (V beta M pi x) /\
  is_series (fun m => (1 - beta) * beta ^ m * law_of_runs m.+1 x (run_pays 1)) (V beta M pi x).
Proof.
move=> discount; have hM := bandit_markovian next pays shows; split; last first.
  by apply: is_series_ext (V_is_mean_W (pi := pi) (x := x) discount hM) => m; rewrite total_of_runs.
have sub := sub_policy (P_sub hM) pi; have b01 : 0 <= beta <= 1 by case: discount; lra.
apply: is_lim_seq_ext (sum_to_of_series (Series_correct _ (discounted_converges (fun y => reward M (pi y) (y (pi y))) sub discount x))) => n.
rewrite /law_of_runs /=; elim: n x => [|n IH] x //.
rewrite sum_recl over_runs_pays // Rmult_1_l; congr (_ + _).
set r := reward_at _ _; rewrite (@sum_to_ext n _ (fun t => beta * mean (P M (pi x) x) (fun y => beta ^ t * r t y))) => [|t _].
  by rewrite sum_to_scale -mean_sum_to mean_P (bandit_shown next pays shows); congr (_ * _); apply: E_ext => o; exact: IH.
by rewrite mean_scale /=; ring.
Qed.
End Runs.
