(* What an episode is made of: the states of all arms, the policies, and the geometric law of its length, cut at N or not. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Events.

Section Episodes.
Variables A S : finType.
Definition global := [finType of state A S].
Definition plays := [finType of {ffun global -> A}].   (* deterministic stationary policies, a finite type *)
Definition cell := prod_finType A S.
(* One step: the states of all arms, the arm that is played, and what is shown. *)
Definition step (O : Type) := (global * A * O)%type.
End Episodes.

Lemma mean_abs1 (X : finType) (q f : X -> R) C : probability q -> 0 <= C -> (forall y, Rabs (f y) <= C) -> Rabs (mean q f) <= C.
Proof. by case=> q0 q1 C0 fC; apply: mean_abs => //; rewrite q1; lra. Qed.

(* What two draws, one after the other, give. *)
Lemma mean2_scale (X Y : finType) (p : X -> R) (q : Y -> R) c f :
  c * mean p (fun x => mean q (f x)) = mean p (fun x => mean q (fun y => c * f x y)).
Proof. by rewrite -mean_scale; apply: mean_ext => x; rewrite mean_scale. Qed.
Lemma mean2_le (X Y : finType) (p : X -> R) (q : Y -> R) f g : probability p -> probability q -> (forall x y, f x y <= g x y) ->
  mean p (fun x => mean q (f x)) <= mean p (fun x => mean q (g x)).
Proof. by case=> p0 _ [q0 _] le; apply: mean_le => // x; exact: mean_le. Qed.
Lemma mean2_const (X Y : finType) (p : X -> R) (q : Y -> R) c : probability p -> probability q -> mean p (fun _ => mean q (fun _ => c)) = c.
Proof. by move=> p1 q1; rewrite !mean_of_const. Qed.

Lemma mean_sum (I X : finType) (q : X -> R) (f : I -> X -> R) :
  mean q (fun x => \sum_(i : I) f i x) = \sum_(i : I) mean q (f i).
Proof. by rewrite /mean; under eq_bigr do rewrite -sum_scale; rewrite exchange_big. Qed.

Lemma distance_2 (X : finType) (p q : X -> R) : probability p -> probability q -> 0 <= distance p q <= 2.
Proof.
move=> [p0 p1] [q0 q1]; split; first by apply: sum_nonneg => y _; exact: Rabs_pos.
rewrite (_ : 2 = \sum_(y : X) p y + \sum_(y : X) q y); last by rewrite p1 q1; lra.
by rewrite -sum_add; apply: sum_le => y _; have := p0 y; have := q0 y; split_Rabs; lra.
Qed.

(* ---------------------------------------------------------------- One length *)

Section Lengths.
Variable beta : R.

(* The mean over the geometric length; and the part of it where the length is at most N. *)
Definition chance (m : nat) : R := (1 - beta) * beta ^ m.
Definition any_length (f : nat -> R) : R := Series (fun m => chance m * f m.+1).
Definition at_most_long (N : nat) (f : nat -> R) : R := \sum_(m < N) (chance m * f m.+1).

Lemma chance_sum N : \sum_(m < N) chance m = 1 - beta ^ N.
Proof. by elim: N => [|N IH] /=; [lra | rewrite IH /chance; ring]. Qed.

Lemma cut_scale N c f g : (forall n, c * f n = g n) -> c * at_most_long N f = at_most_long N g.
Proof.
move=> e; rewrite /at_most_long -sum_to_scale; apply: sum_to_ext => m _; rewrite -e; ring.
Qed.

Lemma cut_ext N f g : (forall n, f n = g n) -> at_most_long N f = at_most_long N g.
Proof. by move=> e; apply: sum_to_ext => m _; rewrite e. Qed.

Lemma cut_add N f g : at_most_long N (fun n => f n + g n) = at_most_long N f + at_most_long N g.
Proof. by rewrite /at_most_long -sum_to_add; apply: sum_to_ext => m _; ring. Qed.

Hypothesis discount : is_discount beta.

Lemma chance_nonneg m : 0 <= chance m.
Proof. by case: discount => b0 b1; apply: Rmult_le_pos; [lra | exact: pow_le]. Qed.

Lemma chance_series : is_series chance 1.
Proof.
apply: is_series_sum_to; apply: is_lim_seq_ext (geometric_rest discount) => N; by rewrite chance_sum.
Qed.

Lemma any_length_bounded f C : (forall n, Rabs (f n) <= C) -> ex_series (fun m => chance m * f m.+1) /\ Rabs (any_length f) <= C.
Proof.
move=> fC; have s := is_series_scal_r C _ _ chance_series; rewrite Rmult_1_l in s; apply: (dominated s) => m.
by apply: abs_mult => //; rewrite Rabs_pos_eq; [lra | exact: chance_nonneg].
Qed.
Lemma any_length_exists f C : (forall n, Rabs (f n) <= C) -> ex_series (fun m => chance m * f m.+1).
Proof. by case/any_length_bounded. Qed.
Lemma any_length_abs f C : (forall n, Rabs (f n) <= C) -> Rabs (any_length f) <= C.
Proof. by case/any_length_bounded. Qed.

(* What lengths beyond N carry. *)
Lemma any_length_tail f C N : (forall n, Rabs (f n) <= C) -> Rabs (any_length f - at_most_long N f) <= C * beta ^ N.
Proof.
move=> fC; have ex := any_length_exists fC; case: N => [|N].
  by rewrite /at_most_long /= Rminus_0_r Rmult_1_r; exact: any_length_abs.
have e : any_length f - at_most_long N.+1 f = Series (fun m => chance (N.+1 + m) * f (N.+1 + m).+1).
  rewrite /any_length (Series_incr_n _ N.+1) //; last exact/ltP.
  rewrite /at_most_long (_ : sum_f_R0 _ _ = \sum_(m < N.+1) (chance m * f m.+1)).
    by rewrite (Series_ext _ (fun m => chance (N.+1 + m) * f (N.+1 + m).+1)) //; ring.
  by rewrite /=; elim: (N) => [|n IH] /=; [ring | rewrite IH].
rewrite e (Series_ext _ (fun m => beta ^ N.+1 * (chance m * f (N.+1 + m).+1))); last first.
  by move=> m; rewrite /chance pow_add; ring.
rewrite Series_scal_l Rabs_mult Rabs_pos_eq; last by case: discount => b0 _; exact: pow_le.
rewrite Rmult_comm; apply: Rmult_le_compat_r; first by case: discount => b0 _; exact: pow_le.
rewrite (Series_ext _ (fun m => chance m * f (N.+1 + m.+1)%nat)) => [|m]; last by rewrite addnS.
by apply: (@any_length_abs (fun n => f (N.+1 + n)%nat)) => n.
Qed.

(* Lengths that are cut: monotone and linear, and of total mass at most 1. *)
Lemma at_most_long_le N f g : (forall n, f n <= g n) -> at_most_long N f <= at_most_long N g.
Proof. by move=> fg; apply: sum_to_le => m _; apply: Rmult_le_compat_l; [exact: chance_nonneg | exact: fg]. Qed.

Lemma at_most_long_const N c : at_most_long N (fun _ => c) = (1 - beta ^ N) * c.
Proof.
rewrite -chance_sum /at_most_long; elim: N => [|N IH] /=; first ring.
by rewrite IH; ring.
Qed.

Lemma cut_mass N : 0 <= 1 - beta ^ N <= 1.
Proof.
case: discount => b0 b1; have := pow_le beta N b0; have : beta ^ N <= 1 ^ N by apply: pow_incr; lra.
by rewrite pow1; lra.
Qed.

(* ---------------------------------------------------------------- K lengths *)

(* The mean over K lengths, none longer than N. *)
Fixpoint over_lengths (N K : nat) (f : seq nat -> R) : R :=
  if K is K'.+1 then at_most_long N (fun n => over_lengths N K' (fun ns => f (n :: ns))) else f [::].

Lemma mean_cut (X : finType) (q : X -> R) N f : mean q (fun y => at_most_long N (f y)) = at_most_long N (fun n => mean q (fun y => f y n)).
Proof. by rewrite /at_most_long mean_sum_to; apply: sum_to_ext => m _; rewrite mean_scale. Qed.

Lemma mean_lengths (X : finType) (q : X -> R) N K f :
  mean q (fun y => over_lengths N K (f y)) = over_lengths N K (fun ns => mean q (fun y => f y ns)).
Proof. by elim: K f => [|K IH] f //=; rewrite mean_cut; apply: cut_ext => n; rewrite IH. Qed.

Lemma over_lengths_at_most N K f p : 0 <= p -> (forall ns, f ns <= p) -> over_lengths N K f <= p.
Proof.
move=> p0; elim: K f => [|K IH] f fp /=; first exact: fp.
have [_ m1] := cut_mass N; apply: Rle_trans (_ : _ <= at_most_long N (fun _ => p)) _.
  by apply: at_most_long_le => // n; apply: IH => ns; exact: fp.
by rewrite at_most_long_const -[X in _ <= X]Rmult_1_l; apply: Rmult_le_compat_r.
Qed.

Lemma over_lengths_le N K f g : (forall ns, f ns <= g ns) -> over_lengths N K f <= over_lengths N K g.
Proof. by elim: K f g => [|K IH] f g fg /=; [exact: fg | apply: at_most_long_le => // n; apply: IH => ns; exact: fg]. Qed.

Lemma over_lengths_scale N K c f : over_lengths N K (fun ns => c * f ns) = c * over_lengths N K f.
Proof. by elim: K f => [|K IH] f //=; symmetry; apply: cut_scale => n; rewrite IH. Qed.

Lemma top_ge1 : 1 <= 1 / (1 - beta).
Proof. by case: discount => b0 b1; apply: (Rmult_le_reg_r (1 - beta)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra]. Qed.
Lemma top_nonneg : 0 <= 1 / (1 - beta). Proof. by have := top_ge1; lra. Qed.

(* What a policy loses, from where an episode begins. *)
Section Gap.
Variables (A S : finType) (M : model A S) (pistar : policy A S).
Hypotheses (hM : markovian M) (unit : unit_rewards M).
Definition gap (pi : plays A S) (x : global A S) : R := V beta M pistar x - V beta M (fun y => pi y) x.
Lemma gap_abs pi x : Rabs (gap pi x) <= 1 / (1 - beta).
Proof.
have := V_range discount hM pistar unit x; have := V_range discount hM (fun y => pi y) unit x.
by rewrite /gap => h1 h2; apply: Rabs_le; lra.
Qed.
End Gap.
End Lengths.
