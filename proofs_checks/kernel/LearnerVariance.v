(* The law of total variance for the learner's curves: the error of Theorem total_variance, cell by cell, from what the estimates
   of the cell are wrong by. *)

From kernel Require Import Prelude Sums Values Bandits Retirement Variance Curves OtherArms VarianceStep TotalVariance.
From kernel Require Import ErrorBounds Bonus LearnerCurves.

Section Learner.
Variables (A S : finType) (beta : R) (G : nat) (m : nat -> R).
Hypotheses (discount : is_discount beta) (G0 : (0 < G)%nat) (grid_up : forall j, (j <= G)%nat -> m j < m j.+1).
Hypothesis grid_0 : m 0%nat = 0.
Implicit Types (x : state A S).
Variables (base : A -> S -> R) (Qhat : A -> S -> S -> R) (radius : A -> S -> R) (c1 c2 : R).
Hypotheses (base_nonneg : forall a s, 0 <= base a s) (rows : forall a s, probability (Qhat a s)).
Hypotheses (radius_nonneg : forall a s, 0 <= radius a s) (c1_nonneg : 0 <= c1) (c12 : c1 ^ 2 <= c2).
Notation curve := (learner_curve beta G m base Qhat radius c1 c2).
Notation B := (1 / (1 - beta)).

Variables (M : model A S).
Hypotheses (hM : markovian M) (unit : unit_rewards M) (grid_B : m G = B).

(* The base rewards exceed the true ones by at most reward_gap, and tau is what an estimated row can add to the mean of a
   function between 0 and 1. *)
Variables (reward_gap tau : A -> S -> R).
Hypothesis gap_nonneg : forall a s, 0 <= reward_gap a s.
Hypothesis rewards_near : forall a s, base a s <= reward M a s + reward_gap a s.
Hypothesis rows_near : forall a s (f : S -> R), (forall y, 0 <= f y <= 1) -> mean (Qhat a s) f - mean (row M a s) f <= tau a s.

Variable position : A -> S -> nat.
Hypothesis index : is_index G m curve position.
Variable d : R.
Hypothesis cells : forall j, (j < G)%nat -> m j.+1 - m j <= d.

Let low : 0 <= m 0%nat. Proof. by rewrite grid_0; lra. Qed.
Let ok := learner_curves discount G0 grid_up grid_0 base rows radius_nonneg c1_nonneg c12.

Lemma tau_nonneg a s : 0 <= tau a s.
Proof. by have := @rows_near a s (fun _ => 0) (fun _ => conj (Rle_refl 0) Rle_0_1); rewrite !mean_const; lra. Qed.

Definition cell_error (a : A) (s : S) : R :=
  2 * B * (reward_gap a s + 2 * d + beta * B * (tau a s + c1 * radius a s / 2 + c2 * radius a s ^ 2))
  + B ^ 2 * (beta * (c1 * radius a s / 2 + tau a s)).

Lemma gain_at_most a j s : (j <= position a s)%nat -> curve a j s - continuing beta M curve a j s
  <= reward_gap a s + d + beta * B * (tau a s + c1 * radius a s / 2 + c2 * radius a s ^ 2).
Proof.
move=> jp; have [b0 b1] := discount; have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have [pG _] := (proj1 index) a s; have jG : (j <= G)%nat by exact: leq_trans jp pG.
have to := learner_to_index discount G0 grid_up grid_0 base_nonneg rows radius_nonneg c1_nonneg c12 index cells jp.
have r0 := radius_nonneg a s; have near := rewards_near a s.
have range y : 0 <= curve a j y <= B.
  by have := excess_range ok a y jG; have := grid_le ok low jG; rewrite -grid_B; lra.
have rows' : mean (Qhat a s) (curve a j) - mean (row M a s) (curve a j) <= B * tau a s.
  have unit_f y : 0 <= / B * curve a j y <= 1.
    have [h0 h1] := range y; have iB := Rinv_0_lt_compat _ B0; split; first by apply: Rmult_le_pos; lra.
    by apply: (Rmult_le_reg_l B) => //; rewrite -Rmult_assoc Rinv_r ?Rmult_1_l ?Rmult_1_r; lra.
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ B0) (@rows_near a s _ unit_f).
  by rewrite !mean_scale Rmult_minus_distr_l -!Rmult_assoc Rinv_r ?Rmult_1_l; lra.
have half := deviation_half (rows a s) range.
have bon : bonus (Qhat a s) (m G) c1 c2 (radius a s) (curve a j) <= B * (c1 * radius a s / 2 + c2 * radius a s ^ 2).
  have c2_nonneg : 0 <= c2 by apply: Rle_trans c12; exact: pow2_ge_0.
  have cr := Rmult_le_pos _ _ c1_nonneg r0; have h2 : 0 <= c2 * radius a s ^ 2 by apply: Rmult_le_pos => //; exact: pow2_ge_0.
  have h3 := Rmult_le_pos _ _ (Rlt_le _ _ B0) h2; have h4 := Rmult_le_pos _ _ (Rlt_le _ _ B0) cr.
  apply: Rmax_lub; first by have := Rmult_le_compat_l _ _ _ cr half; lra.
  by rewrite grid_B; lra.
have total := Rmult_le_compat_l _ _ _ b0 (Rplus_le_compat _ _ _ _ rows' bon).
by move: to; rewrite /learner_branch /lift /continuing; lra.
Qed.

Lemma error_at_most a x : of_largest_index position x a ->
  variance_error beta M G m curve a (position a (x a)) x <= cell_error a (x a).
Proof.
move=> largest; have [b0 b1] := discount; have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have r0 := radius_nonneg a (x a); have cr := Rmult_le_pos _ _ c1_nonneg r0; have t0 := tau_nonneg a (x a); have g0 := gap_nonneg a (x a).
have d0 := cell_nonneg G0 grid_up cells; have [pG _] := (proj1 index) a (x a).
have c2_nonneg : 0 <= c2 by apply: Rle_trans c12; exact: pow2_ge_0.
pose u := reward_gap a (x a) + d + beta * B * (tau a (x a) + c1 * radius a (x a) / 2 + c2 * radius a (x a) ^ 2).
pose c := beta * (c1 * radius a (x a) / 2 + tau a (x a)).
have u0 : 0 <= u by rewrite /u; nonneg.
have c0 : 0 <= c by apply: Rmult_le_pos; lra.
have gB : m G <= B by rewrite grid_B; exact: Rle_refl.
apply: Rle_trans (variance_error_at_most discount hM ok (proj1 index) low gB largest u0 c0 d0 _ _ _) _.
- by move=> j; exact: gain_at_most.
- move=> j jp; apply: (learner_slope_true discount G0 grid_up grid_0 rows radius_nonneg c1_nonneg c12 index jp); exact: rows_near.
- by move=> j jp; apply: cells; exact: leq_trans jp pG.
by rewrite /cell_error /u /c; lra.
Qed.

(* Along the play of a policy that plays an arm of largest index. *)
Variable pi : policy A S.
Hypothesis largest : forall x, of_largest_index position x (pi x).

(* step of: beyond:minimax *)
Theorem learner_total_variance x :
  beta * discounted (fun x => P M (pi x) x) beta (variance_played M G m curve pi) x
  <= B ^ 2 + discounted (fun x => P M (pi x) x) beta (fun x => cell_error (pi x) (x (pi x))) x.
Proof.
have gB : m G <= B by rewrite grid_B; exact: Rle_refl.
have sub := sub_policy (P_sub hM) pi.
apply: Rle_trans (total_variance discount hM unit ok low gB (proj1 index) largest x) _; apply: Rplus_le_compat_l.
apply: (discounted_at_most sub discount) => {}x.
rewrite [X in _ <= X](bellman (fun x => cell_error (pi x) (x (pi x))) sub discount).
by apply: Rplus_le_compat_r; exact: error_at_most.
Qed.
End Learner.
