(* Where the events hold before an episode, the estimates of that moment are what the files on the learner's curves ask for: with
   k1 = sqrt 2, k2 = 10/3, c1 = 9/5, c2 = 16, and of each cell, N its count and l, l' the logarithms at that time,
     the base reward rhat + sqrt(l/(2 max(1,N))), which exceeds the true one by sqrt(2 l/max(1,N)) at most;
     the radius sqrt(l/max(1,N)) of the bonus;  tau = sqrt(l'/(2 max(1,N)));  the excess l'/(eps max(1,N)).
   So the gap of a policy that plays an arm of largest index is bounded step by step, the errors of the law of total variance cell by
   cell, and estimated variances are little more than the true ones. *)

From kernel Require Import Prelude Sums Values Bandits Retirement Gittins Hull Concentration Events Episodes Weights Variance.
From kernel Require Import LocalVariance PlayedArm Curves TotalVariance ErrorBounds ArmByArm Bonus LearnerCurves GapStep.
From kernel Require Import DoubleSum LearnerVariance CellTails Laws Draws LawOfRun Truncation Frozen Radii Known RowsEvent LearnerEvents.

(* What a row adds to the mean of a function between 0 and 1 is at most what it adds to some set. *)
Lemma mean_gap_by_sets (X : finType) (p q f : X -> R) t : (forall y, 0 <= f y <= 1) ->
  (forall Y : {set X}, mean q (fun y => indicator (y \in Y)) - mean p (fun y => indicator (y \in Y)) <= t) -> mean q f - mean p f <= t.
Proof.
move=> unit sets; pose Y := [set y | if Rle_dec (p y) (q y) then true else false].
apply: Rle_trans (sets Y); rewrite /mean -!sum_sub; apply: sum_le => y _; have [f0 f1] := unit y.
by rewrite /indicator /Y inE; case: Rle_dec => [h|/Rnot_le_lt h] /=; nra.
Qed.

(* The constants: 1 + alpha = (9/5)/sqrt 2. *)
Definition alpha : R := 9 / 5 / sqrt 2 - 1.

Lemma root2_range : 141 / 100 <= sqrt 2 <= 142 / 100.
Proof.
split; first by rewrite -(sqrt_square (141 / 100)); [apply: sqrt_le_1_alt; lra | lra].
by rewrite -[X in _ <= X](sqrt_square (142 / 100)); [apply: sqrt_le_1_alt; lra | lra].
Qed.

Lemma alpha_positive : 267 / 1000 <= alpha.
Proof.
have [r0 r1] := root2_range; have : / (142 / 100) <= / sqrt 2 by apply: Rinv_le_contravar; lra.
by rewrite /alpha; lra.
Qed.

Lemma k1_below_c1 : (1 + alpha) * sqrt 2 <= 9 / 5.
Proof. by have [r0 r1] := root2_range; apply: Req_le; rewrite /alpha; field; lra. Qed.

Lemma k2_below_c2 : (1 + / alpha) * (10 / 3) <= 16.
Proof.
have a := alpha_positive; have : / alpha <= / (267 / 1000) by apply: Rinv_le_contravar; lra.
by lra.
Qed.

Lemma c1_below_c2 : (9 / 5) ^ 2 <= 16. Proof. by lra. Qed.
Lemma c1_nonneg : 0 <= 9 / 5. Proof. by lra. Qed.

(* The index, found by looking along the grid. *)
Section Position.
Variables (A S : finType) (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R).

Definition retires (a : A) (s : S) (j : nat) : bool := if Req_EM_T (phi a j s) (m j) then true else false.
Definition first_position (a : A) (s : S) : nat := find (retires a s) (iota 0 G.+1).

Lemma first_position_is_index : curves G m phi -> is_index G m phi first_position.
Proof.
move=> ok; have some a s : has (retires a s) (iota 0 G.+1).
  apply/hasP; exists G; first by rewrite mem_iota leq0n add0n /= ltnSn.
  by rewrite /retires; case: Req_EM_T => // n; case: n; case: (curve_top ok a s).
have small a s : (first_position a s <= G)%nat by have := some a s; rewrite has_find size_iota ltnS.
split=> [a s|a s j].
  split=> // j jG pj; apply: (retired_on ok (i := first_position a s)); first by rewrite pj jG.
  have := nth_find 0%nat (some a s); rewrite -/(first_position a s) nth_iota ?ltnS // add0n.
  by rewrite /retires; case: Req_EM_T.
move=> lt; have jG : (j <= G)%nat by apply: leq_trans (ltnW lt) (small a s).
have := before_find 0%nat lt; rewrite nth_iota ?ltnS // add0n /retires; case: Req_EM_T => // ne _.
by have [e0 _] := excess_range ok a s jG; case: (Rle_lt_or_eq_dec _ _ e0) => [|e]; [lra | case: ne; lra].
Qed.
End Position.

(* The values of eps. *)
Definition three (t : R) (i : 'I_3) : R := nth 1 [:: t; 1 / 10] i.

Lemma three_range t : 0 < t <= 1 -> forall i, 0 < three t i <= 1.
Proof. by move=> t1; case=> [[|[|[|i]]] lt] //; rewrite /three /=; lra. Qed.

Lemma three_few G : (#|'I_3| <= 5 * G.+1)%nat.
Proof. by rewrite card_ord mulnS; exact: leq_trans (leq_addr _ _). Qed.

Section Uses.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Notation B := (1 / (1 - beta)).

Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).

Variables (K G : nat) (m : nat -> R) (E : finType) (eps : E -> R).
Hypotheses (K1 : (1 <= K)%nat) (G0 : (0 < G)%nat) (C1 : (1 <= #|cell|)%nat).
Hypotheses (grid_up : forall j, (j <= G)%nat -> m j < m j.+1) (grid_0 : m 0%nat = 0) (grid_B : m G = B).
Hypotheses (eps_range : forall e, 0 < eps e <= 1) (few : (#|E| <= 5 * G.+1)%nat).

(* ---------------------------------------------------------------- What the learner computes with: no law enters *)

Section Estimates.
Variable h : history.
Notation count a s := (INR (maxn 1 (count_of (a, s) h))).
Notation l := (log_of K G h).
Notation l' := (set_log_of K G h).

Definition estimated_row (a : A) (s : S) : S -> R := moves next guess_row h (a, s).
Definition base_reward (a : A) (s : S) : R := means pays guess_reward h (a, s) + sqrt (l / (2 * count a s)).
Definition bonus_radius (a : A) (s : S) : R := sqrt (l / count a s).
Definition reward_error (a : A) (s : S) : R := sqrt (2 * l / count a s).
Definition set_error (a : A) (s : S) : R := sqrt (l' / (2 * count a s)).
Definition row_excess (t : R) (a : A) (s : S) : R := l' / (t * count a s).

Lemma base_reward_nonneg a s : 0 <= base_reward a s.
Proof. by rewrite /base_reward; have := means_range pays_unit guess_reward_ok h (a, s); have := sqrt_pos (l / (2 * count a s)); lra. Qed.

Lemma estimated_rows a s : probability (estimated_row a s). Proof. exact: moves_ok. Qed.
Lemma bonus_radius_nonneg a s : 0 <= bonus_radius a s. Proof. exact: sqrt_pos. Qed.

Lemma bonus_radius_square a s : bonus_radius a s ^ 2 = l / count a s.
Proof.
rewrite /= Rmult_1_r; apply: sqrt_sqrt; apply: Rcomplements.Rdiv_le_0_compat; last by have := max1 (count_of (a, s) h); lra.
exact: (log_at_nonneg G K1 C1).
Qed.

Lemma twice_half a s : 2 * sqrt (l / (2 * count a s)) = reward_error a s.
Proof.
have n1 := max1 (count_of (a, s) h); have l0 : 0 <= l := log_at_nonneg G K1 C1 (duration h).
rewrite -{1}(sqrt_square 2); last lra.
rewrite -sqrt_mult; [congr sqrt; field; lra | lra |].
by apply: Rcomplements.Rdiv_le_0_compat; lra.
Qed.
End Estimates.

(* The learner's curves before the next episode. *)
Definition curve_after (h : history) : A -> nat -> S -> R :=
  learner_curve beta G m (base_reward h) (estimated_row h) (bonus_radius h) (9 / 5) 16.

Lemma curves_after h : curves G m (curve_after h).
Proof.
exact: (learner_curves discount G0 grid_up grid_0 (base_reward h) (estimated_rows h)
  (bonus_radius_nonneg h) c1_nonneg c1_below_c2).
Qed.

(* A policy that plays an arm of largest index. *)
Definition index_policy (a0 : A) (h : history) : plays A S :=
  [ffun x : global A S => [arg max_(a > a0) first_position G m (curve_after h) a (x a)]].

Lemma index_policy_largest a0 h x : of_largest_index (first_position G m (curve_after h)) x (index_policy a0 h x).
Proof.
rewrite /index_policy ffunE; move: (first_position G m (curve_after h)) => position b.
by case: arg_maxnP => // a _ most; exact: most.
Qed.

(* ---------------------------------------------------------------- Where the events hold *)

Variable shows : A -> S -> law_on O.
Notation M := (bandit_of next pays shows).
Notation true_at := (true_curve beta M m).

(* Some event fails: those of LearnerEvents at the retirement functions of the true arms on the grid. *)
Definition events_off : history -> bool :=
  events_fail next pays beta guess_row shows K G (fun (c : cell) j => true_at c.1 j) eps.

Let hM : markovian M. Proof. exact: bandit_markovian. Qed.
Let unit : unit_rewards M. Proof. exact: bandit_unit. Qed.
Let tops := true_curves discount hM grid_up unit grid_B.
Let low : 0 <= m 0%nat. Proof. by rewrite grid_0; lra. Qed.
Let B_pos : 0 < B. Proof. by apply: Rdiv_lt_0_compat; case: discount; lra. Qed.

Lemma true_range a j y : (j <= G)%nat -> 0 <= true_at a j y <= B.
Proof. by move=> jG; have := excess_range tops a y jG; have := grid_le tops low jG; rewrite -grid_B; lra. Qed.

Let range (c : cell) j y : (j < G)%nat -> 0 <= true_at c.1 j y <= B.
Proof. by move=> jG; apply: true_range; exact: ltnW. Qed.

Lemma events_off_cut learner rho N J : (forall h, probability (learner h)) -> probability rho ->
  truncated next beta learner rho shows N J (fun h => indicator (events_off h)) <= 1 / INR K.
Proof. by move=> lok rok; exact: (events_fail_cut next discount pays_unit guess_row_ok shows K1 G0 C1 (@range) eps_range few lok rok N J). Qed.

Section OnTheEvents.
Variable h : history.
Hypothesis fine : ~~ events_off h.
Notation l := (log_of K G h).
Notation l' := (set_log_of K G h).

Let l2 : 2 <= l. Proof. exact: (log_at_2 K1 G0 C1). Qed.
Let l_below : l <= l'. Proof. exact: set_log_large. Qed.

(* Of a cell that was activated. *)
Let cell_near a s : (0 < count_of (a, s) h)%nat ->
  let c := (a, s) in let N := count_of c h in let seen := observed c (flat h) in
  size seen = N /\ ~~ cell_fails next pays beta shows K G (fun (c : cell) j => true_at c.1 j) (duration h) c N seen.
Proof.
move=> N1 c N seen; have sz : size seen = N by []; split=> //.
by have /norP [ok _] := fine; apply: contra ok; exact: bad_of_count.
Qed.

Let pay_near a s : (0 < count_of (a, s) h)%nat -> Rabs (mean_paid pays h (a, s) - reward M a s) <= sqrt (l / (2 * INR (count_of (a, s) h))).
Proof.
move=> N1; have [_ /norP [off _]] := cell_near N1; move: off; rewrite /pay_off pay_radius.
by case: aboveP => // /Rnot_lt_le.
Qed.

Let row_near a s (N1 : (0 < count_of (a, s) h)%nat) : let N := count_of (a, s) h in let seen := [seq next o | o <- observed (a, s) (flat h)] in
  (forall Y : {set S}, average (fun y => indicator (y \in Y)) N seen - mean (row M a s) (fun y => indicator (y \in Y)) <= sqrt (l' / (2 * INR N))) /\
  forall j, (j < G)%nat -> Rabs (average (true_at a j) N seen - mean (row M a s) (true_at a j)) <=
    sqrt 2 * sqrt (average_variance (true_at a j) N seen) * sqrt (l / INR N) + 10 / 3 * B * sqrt (l / INR N) ^ 2.
Proof.
have [sz /norP [_ ok]] := cell_near N1.
exact: (cell_fine (Q_row_ok next shows (a, s)) B_pos (log_at_nonneg G K1 C1 (duration h)) N1 (etrans (size_map _ _) sz) ok).
Qed.

Let row_average a s f : (0 < count_of (a, s) h)%nat ->
  mean (estimated_row h a s) f = average f (count_of (a, s) h) [seq next o | o <- observed (a, s) (flat h)].
Proof.
move=> N1; rewrite /estimated_row mean_moves; last by apply/eqP; rewrite -lt0n.
by rewrite /average /total_of big_map.
Qed.

Lemma rewards_are_near a s : reward M a s <= base_reward h a s <= reward M a s + reward_error h a s.
Proof.
rewrite -twice_half; set e := sqrt (l / (2 * INR (maxn 1 (count_of (a, s) h)))); rewrite /base_reward -/e.
suff : Rabs (means pays guess_reward h (a, s) - reward M a s) <= e by split_Rabs; lra.
rewrite /e; case: (posnP (count_of (a, s) h)) => [z|N1].
  have le : 1 <= sqrt (l / (2 * INR (maxn 1 0))) by rewrite -sqrt_1; apply: sqrt_le_1_alt; rewrite /=; lra.
  have r1 := unit a s; have g1 := means_range pays_unit guess_reward_ok h (a, s); rewrite z.
  by apply: Rle_trans le; split_Rabs; lra.
by rewrite (maxn_idPr N1) /means (gtn_eqF N1); exact: pay_near.
Qed.

Lemma means_are_near a s j : (j <= G)%nat -> Rabs (mean (estimated_row h a s) (true_at a j) - mean (row M a s) (true_at a j))
  <= sqrt 2 * deviation (estimated_row h a s) (true_at a j) * bonus_radius h a s + 10 / 3 * m G * bonus_radius h a s ^ 2.
Proof.
move=> jG; set q := estimated_row h a s; have q_ok : probability q by exact: estimated_rows.
have r0 := bonus_radius_nonneg h a s; have d0 := deviation_nonneg q (true_at a j); have [s0 _] := root2_range.
have first : 0 <= sqrt 2 * deviation q (true_at a j) * bonus_radius h a s by do 2! apply: Rmult_le_pos => //; lra.
have n1 := max1 (count_of (a, s) h); have sq := bonus_radius_square h a s; rewrite grid_B.
have second : 0 <= 10 / 3 * B * bonus_radius h a s ^ 2 by apply: Rmult_le_pos; [lra | exact: pow2_ge_0].
have m01 p : probability p -> 0 <= mean p (true_at a j) <= B by move=> p_ok; apply: mean_range => // y; exact: true_range.
case: (ltngtP j G) => [lt|gt|eq]; [|by rewrite leqNgt gt in jG|]; last first.
  have top y : true_at a j y = B by rewrite eq -grid_B; case: (curve_top tops a y).
  rewrite !(mean_ext _ top) !mean_of_const // Rminus_eq_0 Rabs_R0; exact: Rplus_le_le_0_compat.
case: (posnP (count_of (a, s) h)) => [z|N1].
  have mq := m01 _ q_ok; have mp := m01 _ (hM a s); move: sq; rewrite z [INR _]/= Rcomplements.Rdiv_1 => sq.
  have : B <= 10 / 3 * B * bonus_radius h a s ^ 2 by rewrite sq; nra.
  by move: first; split_Rabs; lra.
have [_ near] := row_near N1; have mq f := row_average f N1.
by rewrite /bonus_radius (maxn_idPr N1) /deviation /variance !mq; exact: near.
Qed.

Lemma rows_are_near a s f : (forall y, 0 <= f y <= 1) -> mean (estimated_row h a s) f - mean (row M a s) f <= set_error h a s.
Proof.
move=> f01; have q_ok := estimated_rows h a s; have n1 := max1 (count_of (a, s) h).
case: (posnP (count_of (a, s) h)) => [z|N1].
  have le : 1 <= set_error h a s by rewrite /set_error z -sqrt_1; apply: sqrt_le_1_alt; rewrite /=; lra.
  by have := mean_range q_ok f01; have := mean_range (hM a s) f01; lra.
apply: mean_gap_by_sets => // Y; have [sets _] := row_near N1.
by rewrite row_average // /set_error (maxn_idPr N1); exact: sets.
Qed.

Lemma rows_one_sided e a s :
  \sum_(y : S) Rmax 0 (estimated_row h a s y - (1 + eps e) * row M a s y) <= row_excess h (eps e) a s.
Proof.
have /norP [_ /existsPn /(_ e)] := fine; rewrite negb_exists => /forallP /(_ (a, s)).
case: aboveP => // /Rnot_lt_le le _; apply: Rle_trans le _; apply: Req_le.
by rewrite /row_excess /set_log_of (set_log_level G K1 C1).
Qed.

(* ---------------------------------------------------------------- The learner's curves and policies on the events *)

Lemma curve_after_optimistic a j s : (j <= G)%nat -> true_at a j s <= curve_after h a j s.
Proof.
have a0 : 0 < alpha by have := alpha_positive; lra.
exact: (curve_optimistic discount grid_up grid_0 (estimated_rows h) (bonus_radius_nonneg h) c1_nonneg c1_below_c2 hM unit
  grid_B a0 k1_below_c1 k2_below_c2 rewards_are_near means_are_near).
Qed.

(* Optimism: arm by arm, and of the value that the tables have together.
   ledger: beyond:minimax/optimism *)
Theorem tables_optimistic : (forall a j s, (j <= G)%nat -> true_at a j s <= curve_after h a j s) /\
  forall pi x, V beta M pi x <= whittle G m (curve_after h) x.
Proof.
split=> [a j s jG|pi x]; first exact: curve_after_optimistic.
exact: (optimism_arm_by_arm discount hM grid_up unit grid_B
  (learner_curves discount G0 grid_up grid_0 (base_reward h) (estimated_rows h) (bonus_radius_nonneg h) c1_nonneg c1_below_c2)
  (fun a j s jG => curve_after_optimistic a s jG) pi x).
Qed.

Variables (e e1 : E).
Hypothesis eps1 : eps e1 = 1.
Variable position : A -> S -> nat.
Hypothesis index : is_index G m (curve_after h) position.
Variable d : R.
Hypothesis cells : forall j, (j < G)%nat -> m j.+1 - m j <= d.
Variable pi : policy A S.
Hypothesis largest : forall x, of_largest_index position x (pi x).

(* The gap of the episode's policy, and what a step of it costs. *)
Definition gap_after (x : state A S) : R := whittle G m (curve_after h) x - V beta M pi x.
Definition cost_after (x : state A S) : R := let a := pi x in let s := x a in
  reward_error h a s + d + beta * ((9 / 5 + sqrt 2) * bonus_radius h a s *
    prevailing G m (curve_after h) a x (fun j => deviation (estimated_row h a s) (curve_after h a j))
  + m G * ((sqrt 2 ^ 2 / (4 * eps e) + 16 + 10 / 3) * bonus_radius h a s ^ 2 + row_excess h (eps e) a s + eps e * row_excess h 1 a s)).

(* In one step, at every global state.
   ledger: beyond:minimax/one-step *)
Theorem gap_after_step x : gap_after x <= Rmin (m G) (cost_after x) + beta * (1 + 3 * eps e) * mean (P M (pi x) x) gap_after.
Proof.
have a0 : 0 < alpha by have := alpha_positive; lra.
have k1 : 0 <= sqrt 2 by exact: sqrt_pos.
have [e0 _] := eps_range e; have one a s := rows_one_sided e1 a s; rewrite eps1 in one.
exact: (gap_step_capped discount G0 grid_up grid_0 (base_reward_nonneg h) (estimated_rows h) (bonus_radius_nonneg h) c1_nonneg c1_below_c2
  hM unit grid_B k1 a0 e0 k1_below_c1 k2_below_c2 rewards_are_near means_are_near (rows_one_sided e) one index cells largest).
Qed.

End OnTheEvents.
End Uses.
