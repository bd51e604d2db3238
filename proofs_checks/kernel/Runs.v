(* The law of a run: n steps of a policy show n observations, each of the law of the state that it is shown in, which those before it
   lead to. Totals and discounted values, which are defined by recursion, are means under it. *)

From kernel Require Import Limits Sums Values Bandits Horizon Laws Draws Radii.

Section Runs.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (shows : A -> S -> law_on O) (pi : policy A S).
Hypothesis pays_unit : forall o, 0 <= pays o <= 1.
Notation M := (bandit_of next pays shows).
Implicit Type x : state A S.

Definition goes_on x (o : O) : state A S := moved x (pi x) (next o).
(* The law of the runs of n steps from x; and what a run pays, step t times b^t. *)
Fixpoint law_of_runs (n : nat) x : law_on (seq O) := if n is n'.+1 then
  bind_law (shows (pi x) (x (pi x))) (fun o => bind_law (law_of_runs n' (goes_on x o)) (fun later => point_law (o :: later)))
  else point_law [::].
Fixpoint run_pays (b : R) (os : seq O) : R := if os is o :: later then pays o + b * run_pays b later else 0.

Let later_bounded b n x : bounded (fun o => law_of_runs n (goes_on x o) (run_pays b)).
Proof. exact: (bounded_next next (fun y => law_of_runs n (moved x (pi x) y) (run_pays b))). Qed.

Lemma runs_affine b n x u v : law_of_runs n x (fun os => u + v * run_pays b os) = u + v * law_of_runs n x (run_pays b).
Proof.
elim: n x u v => [|n IH] x u v //; set q := shows (pi x) (x (pi x)).
have bp := bounded_add (pays_bounded pays_unit) (bounded_scale b (later_bounded b n x)).
have e : law_of_runs n.+1 x (run_pays b) = q (fun o => pays o + b * law_of_runs n (goes_on x o) (run_pays b)).
  by apply: (E_ext q (f := fun o => law_of_runs n _ (fun os => pays o + b * run_pays b os))) => o; exact: IH.
rewrite e -E_scale // -{2}(E_const q u) -E_add; [|exact: by_const|exact: bounded_scale].
apply: (E_ext q (f := fun o => law_of_runs n _ (fun os => u + v * (pays o + b * run_pays b os)))) => o.
rewrite (E_ext _ (g := fun os => (u + v * pays o) + v * b * run_pays b os)) ?IH => [|os]; ring.
Qed.

Lemma runs_step b n x : law_of_runs n.+1 x (run_pays b) =
  shows (pi x) (x (pi x)) pays + b * shows (pi x) (x (pi x)) (fun o => law_of_runs n (goes_on x o) (run_pays b)).
Proof.
rewrite -E_scale // -E_add; [|exact: pays_bounded|exact: bounded_scale].
by apply: (E_ext _ (f := fun o => law_of_runs n _ (fun os => pays o + b * run_pays b os))) => o; exact: runs_affine.
Qed.

(* The runs of n steps from x have a law, and in the mean under it they pay the total by recursion.
   ledger: eq:discounted_reward eq:simulation_value/expectation/repair *)
Theorem total_of_runs n x : law_of_runs n x (run_pays 1) = W M pi n x.
Proof.
elim: n x => [|n IH] x //; rewrite runs_step W_step mean_P (bandit_shown next pays shows) Rmult_1_l; congr (_ + _).
apply: E_ext => o; exact: IH.
Qed.

(* The discounted value of pi is the limit of what n steps pay, discounted, in the mean over their runs; and it is the mean of
   what H steps pay, H geometric and independent of the run.
   ledger: eq:V-vs_R *)
Theorem value_of_runs beta x : is_discount beta ->
  is_lim_seq (fun n => law_of_runs n x (run_pays beta)) (V beta M pi x) /\
  is_series (fun m => (1 - beta) * beta ^ m * law_of_runs m.+1 x (run_pays 1)) (V beta M pi x).
Proof.
move=> discount; have hM := bandit_markovian next pays shows; split; last first.
  by apply: is_series_ext (V_is_mean_W (pi := pi) (x := x) discount hM) => m; rewrite total_of_runs.
have sub := sub_policy (P_sub hM) pi.
apply: is_lim_seq_ext (sum_to_of_series (Series_correct _ (discounted_converges (fun y => reward M (pi y) (y (pi y))) sub discount x))) => n.
elim: n x => [|n IH] x //; rewrite sum_recl runs_step Rmult_1_l; congr (_ + _).
set r := reward_at _ _; rewrite (@sum_to_ext n _ (fun t => beta * mean (P M (pi x) x) (fun y => beta ^ t * r t y))) => [|t _].
  by rewrite sum_to_scale -mean_sum_to mean_P (bandit_shown next pays shows); congr (_ * _); apply: E_ext => o; exact: IH.
by rewrite mean_scale /=; ring.
Qed.
End Runs.
