(* The gap between E max Z of the learner's curves and the value of its policy, in one step: at most what the estimates of the
   played cell cost, with the deviation in the mean over the prevailing variable, and beta (1 + 3 eps) times the mean gap at the
   next step. The events are hypotheses on the estimates. *)

From kernel Require Import Prelude Sums Values Bandits Retirement Gittins Hull Variance LocalVariance Curves ErrorBounds ArmByArm.
From kernel Require Import Bonus LearnerCurves.

(* The deviation of a function between 0 and top, through its mean. *)
Lemma deviation_by_mean (X : finType) (q f : X -> R) top k eps : probability q -> (forall y, 0 <= f y <= top) -> 0 <= k -> 0 < eps ->
  k * deviation q f <= eps * mean q f + k ^ 2 * top / (4 * eps).
Proof.
move=> q_ok range k0 e0; have d0 := deviation_nonneg q f; have sq := deviation_square q_ok f.
have le : deviation q f * deviation q f <= top * mean q f.
  rewrite sq /variance; apply: Rle_trans (_ : _ <= mean q (fun y => f y ^ 2)) _; first by have := pow2_ge_0 (mean q f); lra.
  rewrite -mean_scale; apply: mean_le => [|y]; first exact: (proj1 q_ok).
  by have [f0 ft] := range y; have := Rmult_le_compat_r _ _ _ f0 ft; lra.
have [m0 m1] := mean_range q_ok range.
case: (Rle_lt_or_eq_dec _ _ m0) => [pos|zero]; last first.
  rewrite -zero in le *; have z : deviation q f = 0 by nra.
  by rewrite z !Rmult_0_r Rplus_0_l; nonneg.
set mu := mean q f in le pos *; set v := deviation q f in d0 le *.
apply: (Rmult_le_reg_r (4 * eps * mu)); first by apply: Rmult_lt_0_compat; lra.
rewrite Rmult_plus_distr_r (_ : k ^ 2 * top / (4 * eps) * (4 * eps * mu) = k ^ 2 * (top * mu)); last by field; lra.
have h := Rmult_le_compat_l _ _ _ (pow2_ge_0 k) le; have := pow2_ge_0 (k * v - 2 * eps * mu); nra.
Qed.

Section Gap.
Variables (A S : finType) (beta : R) (G : nat) (m : nat -> R).
Hypotheses (discount : is_discount beta) (G0 : (0 < G)%nat) (grid_up : forall j, (j <= G)%nat -> m j < m j.+1).
Hypothesis grid_0 : m 0%nat = 0.
Implicit Types (x : state A S).
Variables (base : A -> S -> R) (Qhat : A -> S -> S -> R) (radius : A -> S -> R) (c1 c2 : R).
Hypotheses (base_nonneg : forall a s, 0 <= base a s) (rows : forall a s, probability (Qhat a s)).
Hypotheses (radius_nonneg : forall a s, 0 <= radius a s) (c1_nonneg : 0 <= c1) (c12 : c1 ^ 2 <= c2).
Notation curve := (learner_curve beta G m base Qhat radius c1 c2).
Notation branch := (learner_branch beta G m base Qhat radius c1 c2).
Notation bonus_at a s f := (bonus (Qhat a s) (m G) c1 c2 (radius a s) f).

Variables (M : model A S).
Hypotheses (hM : markovian M) (unit : unit_rewards M) (grid_B : m G = 1 / (1 - beta)).
Notation true_at := (true_curve beta M m).

(* The events: rewards; the retirement functions of the true arms under the estimated rows; and rows from one side, for eps and
   for 1. *)
Variables (reward_gap excess excess_1 : A -> S -> R) (k1 k2 alpha eps : R).
Hypotheses (k1_nonneg : 0 <= k1) (k2_nonneg : 0 <= k2) (alpha_pos : 0 < alpha) (eps_pos : 0 < eps).
Hypotheses (k1_c1 : (1 + alpha) * k1 <= c1) (k2_c2 : (1 + / alpha) * k2 <= c2).
Hypothesis rewards_near : forall a s, reward M a s <= base a s <= reward M a s + reward_gap a s.
Hypothesis means_near : forall a s j, (j <= G)%nat -> Rabs (mean (Qhat a s) (true_at a j) - mean (row M a s) (true_at a j))
  <= k1 * deviation (Qhat a s) (true_at a j) * radius a s + k2 * m G * radius a s ^ 2.
Hypothesis one_sided : forall a s, \sum_(y : S) Rmax 0 (Qhat a s y - (1 + eps) * row M a s y) <= excess a s.
Hypothesis one_sided_1 : forall a s, \sum_(y : S) Rmax 0 (Qhat a s y - (1 + 1) * row M a s y) <= excess_1 a s.

Let low : 0 <= m 0%nat. Proof. by rewrite grid_0; lra. Qed.
Let top_nonneg : 0 <= m G.
Proof. by rewrite grid_B; case: discount => b0 b1; apply: Rlt_le; apply: Rdiv_lt_0_compat; lra. Qed.
Let tops := true_curves discount hM grid_up unit grid_B.

(* The bonus covers the event: u + v is at most the larger of (1 + alpha) u and (1 + 1/alpha) v. *)
Lemma bonus_covers a s f : k1 * deviation (Qhat a s) f * radius a s + k2 * m G * radius a s ^ 2 <= bonus_at a s f.
Proof.
have r0 := radius_nonneg a s; have d0 := deviation_nonneg (Qhat a s) f; have ia := Rinv_0_lt_compat _ alpha_pos.
pose u := deviation (Qhat a s) f * radius a s; pose v := m G * radius a s ^ 2.
have u0 : 0 <= u by exact: Rmult_le_pos.
have v0 : 0 <= v by apply: Rmult_le_pos => //; exact: pow2_ge_0.
have b1 : c1 * u <= bonus_at a s f by have := Rmax_l (c1 * deviation (Qhat a s) f * radius a s) (c2 * m G * radius a s ^ 2); rewrite /bonus /u; lra.
have b2 : c2 * v <= bonus_at a s f by have := Rmax_r (c1 * deviation (Qhat a s) f * radius a s) (c2 * m G * radius a s ^ 2); rewrite /bonus /v; lra.
have h1 := Rmult_le_compat_r _ _ _ u0 k1_c1; have h2 := Rmult_le_compat_r _ _ _ v0 k2_c2.
rewrite (_ : _ + _ = k1 * u + k2 * v); last by rewrite /u /v; ring.
have e : alpha * / alpha = 1 by apply: Rinv_r; lra.
case: (Rle_dec (k2 * v) (alpha * (k1 * u))) => [le|/Rnot_le_lt lt]; first lra.
by have := Rmult_lt_compat_l _ _ _ ia lt; rewrite -Rmult_assoc (Rmult_comm (/ alpha)) e; lra.
Qed.

Lemma branch_optimistic a s j : (j <= G)%nat ->
  continuing beta M true_at a j s <= base a s + beta * lift G m Qhat radius c1 c2 a s (true_at a j).
Proof.
move=> jG; have [r0 r1] := rewards_near a s; have [b0 _] := discount; rewrite /continuing /lift.
have near := means_near a s jG; have cover := bonus_covers a s (true_at a j); have := Rle_abs (- (mean (Qhat a s) (true_at a j) - mean (row M a s) (true_at a j))).
rewrite Rabs_Ropp => le; have h : mean (row M a s) (true_at a j) <= mean (Qhat a s) (true_at a j) + bonus_at a s (true_at a j) by lra.
by have := Rmult_le_compat_l _ _ _ b0 h; lra.
Qed.

Lemma curve_optimistic a j s : (j <= G)%nat -> true_at a j s <= curve a j s.
Proof.
by move=> jG; apply: (@learner_optimistic A S beta G m) => // b t i iG; exact: branch_optimistic.
Qed.

Let ok := learner_curves discount G0 grid_up grid_0 base rows radius_nonneg c1_nonneg c12.

(* What the curve is above the true one, between 0 and m_G. *)
Notation over a j y := (curve a j y - true_at a j y).

Lemma over_range a j y : (j <= G)%nat -> 0 <= over a j y <= m G.
Proof.
move=> jG; have := curve_optimistic a y jG; have := excess_range ok a y jG; have := excess_range tops a y jG.
by have := grid_le ok low jG; lra.
Qed.

(* The estimated row and the bonus, at a retirement reward m_j, against the true row. *)
Definition cell_cost (a : A) (s : S) : R :=
  m G * ((k1 ^ 2 / (4 * eps) + c2 + k2) * radius a s ^ 2 + excess a s + eps * excess_1 a s).

Lemma mean_and_bonus_at_most a s j : (j <= G)%nat -> mean (Qhat a s) (curve a j) + bonus_at a s (curve a j)
  <= mean (row M a s) (curve a j) + (c1 + k1) * radius a s * deviation (Qhat a s) (curve a j) + cell_cost a s
    + 3 * eps * mean (row M a s) (fun y => over a j y).
Proof.
move=> jG; set q := Qhat a s; set p := row M a s; set f := true_at a j; set g := curve a j; set r := radius a s.
pose D y := g y - f y; rewrite -/(mean p D).
have q_ok : probability q by exact: rows.
have r0 : 0 <= r by exact: radius_nonneg.
have range y : 0 <= D y <= m G by exact: over_range.
have eq : mean q g - mean p g = mean q f - mean p f + (mean q D - mean p D) by rewrite /D !mean_sub; ring.
have near : mean q f - mean p f <= k1 * deviation q f * r + k2 * m G * r ^ 2.
  by apply: Rle_trans (Rle_abs _) _; exact: means_near.
have tri : deviation q f <= deviation q g + deviation q D.
  have := deviation_triangle q_ok g (fun y => - D y); rewrite /deviation.
  rewrite (@variance_ext S q (fun y => g y + - D y) f) => [|y]; last by rewrite /D; ring.
  rewrite (_ : variance q (fun y => - D y) = variance q D) // /variance.
  rewrite (mean_ext _ (f := fun y => - D y) (g := fun y => -1 * D y)) => [|y]; last by ring.
  by rewrite mean_scale (mean_ext _ (g := fun y => D y ^ 2)) => [|y]; ring.
have kr := Rmult_le_pos _ _ k1_nonneg r0.
have dev := deviation_by_mean q_ok range kr eps_pos.
have s1 := one_sided_mean range (one_sided a s) top_nonneg.
have s2 := one_sided_mean range (one_sided_1 a s) top_nonneg; rewrite -/q -/p in s1 s2.
have es2 := Rmult_le_compat_l _ _ _ (Rlt_le _ _ eps_pos) s2.
have bon : bonus q (m G) c1 c2 r g <= c1 * deviation q g * r + c2 * m G * r ^ 2.
  have c2_nonneg : 0 <= c2 by apply: Rle_trans c12; exact: pow2_ge_0.
  have h1 : 0 <= c1 * deviation q g * r by apply: Rmult_le_pos => //; apply: Rmult_le_pos => //; exact: deviation_nonneg.
  have h2 : 0 <= c2 * m G * r ^ 2 by apply: Rmult_le_pos; [exact: Rmult_le_pos | exact: pow2_ge_0].
  by apply: Rmax_lub; lra.
have tri' := Rmult_le_compat_l _ _ _ kr tri.
have e : (k1 * r) ^ 2 * m G / (4 * eps) = m G * (k1 ^ 2 / (4 * eps) * r ^ 2) by field; lra.
rewrite e in dev; rewrite /cell_cost -/r; change (mean p (fun y => g y - f y)) with (mean p D).
by move: dev e; set K := k1 ^ 2 / (4 * eps) => dev e; lra.
Qed.

Variable position : A -> S -> nat.
Hypothesis index : is_index G m curve position.
Variable d : R.
Hypothesis cells : forall j, (j < G)%nat -> m j.+1 - m j <= d.
Variable pi : policy A S.
Hypothesis largest : forall x, of_largest_index position x (pi x).

Definition gap x : R := whittle G m curve x - V beta M pi x.

Lemma gap_nonneg x : 0 <= gap x.
Proof.
have := optimism_arm_by_arm discount hM grid_up unit grid_B ok (fun a j s jG => curve_optimistic a s jG) pi x.
by rewrite /gap; lra.
Qed.

Lemma gap_at_most x : gap x <= m G.
Proof.
have [v0 _] := V_range discount hM pi unit x; suff : whittle G m curve x <= m G by rewrite /gap; lra.
rewrite (whittle_at ok (pi x)) -[X in _ <= X](prevailing_const ok (pi x) x); apply: (prevailing_le ok) => j jG.
by have := excess_range ok (pi x) (x (pi x)) jG; lra.
Qed.

(* What a step costs. *)
Definition step_cost x : R := let a := pi x in let s := x a in
  reward_gap a s + d
  + beta * ((c1 + k1) * radius a s * prevailing G m curve a x (fun j => deviation (Qhat a s) (curve a j)) + cell_cost a s).

Lemma gap_step x : gap x <= step_cost x + beta * (1 + 3 * eps) * mean (P M (pi x) x) gap.
Proof.
rewrite /step_cost; set a := pi x; set s := x a; have [b0 _] := discount; have [r0 r1] := rewards_near a s.
have value := learner_value discount G0 grid_up grid_0 base_nonneg rows radius_nonneg c1_nonneg c12 index cells (largest x).
rewrite -/a -/s in value; rewrite mean_P -/s {1}/gap (V_bellman discount hM pi x) -/a -/s.
set q := Qhat a s; set p := row M a s; pose E := prevailing G m curve a x.
have branchE : E (branch a s) = base a s + beta * E (fun j => mean q (curve a j) + bonus_at a s (curve a j)).
  rewrite -{1}(prevailing_const ok a x (base a s)) /E -prevailing_scale -prevailing_add.
  by apply: prevailing_ext.
have step : E (fun j => mean q (curve a j) + bonus_at a s (curve a j)) <=
    E (fun j => mean p (curve a j)) + (c1 + k1) * radius a s * E (fun j => deviation q (curve a j)) + cell_cost a s
    + 3 * eps * E (fun j => mean p (fun y => over a j y)).
  rewrite /E -[cell_cost a s](prevailing_const ok a x) -!prevailing_scale -!prevailing_add.
  by apply: (prevailing_le ok) => j; exact: mean_and_bonus_at_most.
have whole : E (fun j => mean p (curve a j)) = mean p (fun y => whittle G m curve (moved x a y)).
  by rewrite /E -prevailing_mean; apply: mean_ext => y; rewrite (whittle_prevailing ok).
have rest : E (fun j => mean p (fun y => over a j y)) <= mean p (fun y => gap (moved x a y)).
  rewrite /E -prevailing_mean; apply: mean_le => [|y]; first exact: (proj1 (hM a s)).
  exact: (mean_gap_at_most discount hM grid_up unit grid_B ok (fun b j t jG => curve_optimistic b t jG) pi a x y).
have split_gap : mean p (fun y => gap (moved x a y)) =
    mean p (fun y => whittle G m curve (moved x a y)) - mean p (fun y => V beta M pi (moved x a y)) by rewrite -mean_sub.
have e3 := Rmult_le_compat_l _ _ _ (ltac:(lra) : 0 <= 3 * eps) rest.
rewrite -/(E (branch a s)) branchE in value; rewrite whole in step.
have total := Rmult_le_compat_l _ _ _ b0 (Rle_trans _ _ _ step (Rplus_le_compat_l _ _ _ e3)).
move: value total; rewrite split_gap -/E -/q; set w := whittle _ _ _ _; set Ew := mean p _; set Ev := mean p (fun y => V _ _ _ _).
by set Eb := E _; set Ed := E _; lra.
Qed.
(* It never costs more than m_G.
   step of: beyond:minimax *)
Theorem gap_step_capped x : gap x <= Rmin (m G) (step_cost x) + beta * (1 + 3 * eps) * mean (P M (pi x) x) gap.
Proof.
have [b0 _] := discount; have step := gap_step x; have top := gap_at_most x.
have rest : 0 <= beta * (1 + 3 * eps) * mean (P M (pi x) x) gap.
  apply: Rmult_le_pos; first by apply: Rmult_le_pos; lra.
  by apply: mean_nonneg => [y|y]; [exact: (proj1 (P_stochastic (pi x) x hM)) | exact: gap_nonneg].
by apply: (Rmin_case (m G) (step_cost x) (fun u => _ <= u + _)); lra.
Qed.
End Gap.
