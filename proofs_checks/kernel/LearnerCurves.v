(* The curves of the learner: arm by arm the fixed point of FixedCurve.v, with the bonus of Bonus.v. They are curves; below
   their index they are at most their branch, and their slopes at most beta times what the estimated rows give, but for half of
   c1 times the radius; and they are optimistic if each branch is, at the retirement functions of the true arms. *)

From kernel Require Import Prelude Sums Values Bandits Retirement Gittins Hull Variance LocalVariance Curves OtherArms.
From kernel Require Import VarianceStep ErrorBounds ArmByArm Minorant Bonus FixedCurve.

Section Learner.
Variables (A S : finType) (beta : R) (G : nat) (m : nat -> R).
Hypotheses (discount : is_discount beta) (G0 : (0 < G)%nat) (grid_up : forall j, (j <= G)%nat -> m j < m j.+1).
Hypothesis grid_0 : m 0%nat = 0.
Implicit Types (x : state A S).

(* Of each cell: the estimated reward with its radius, the estimated row, and the radius of the bonus. *)
Variables (base : A -> S -> R) (Qhat : A -> S -> S -> R) (radius : A -> S -> R) (c1 c2 : R).
Hypotheses (base_nonneg : forall a s, 0 <= base a s) (rows : forall a s, probability (Qhat a s)).
Hypotheses (radius_nonneg : forall a s, 0 <= radius a s) (c1_nonneg : 0 <= c1) (c12 : c1 ^ 2 <= c2).

Definition lift (a : A) (s : S) (f : S -> R) : R := mean (Qhat a s) f + bonus (Qhat a s) (m G) c1 c2 (radius a s) f.

Let grid j : (j < G)%nat -> m j < m j.+1. Proof. by move=> jG; apply: grid_up; exact: ltnW. Qed.
Let low : 0 <= m 0%nat. Proof. by rewrite grid_0; lra. Qed.
Let top_nonneg : 0 <= m G. Proof. by case: (grid_range grid low (leqnn G)). Qed.

Lemma lift_monotone a s f g : (forall y z, f z - f y <= m G) -> (forall y, f y <= g y) -> lift a s f <= lift a s g.
Proof. exact: (mean_and_bonus_monotone (rows a s)). Qed.

Lemma lift_shift a s f c : lift a s (fun y => f y + c) = lift a s f + c.
Proof. by rewrite /lift mean_add (mean_of_const _ (rows a s)) (bonus_shift (rows a s)); ring. Qed.

Let solved a := fixed_curve G m beta (base a) (lift a).
Let choice a s j := choice_of G m beta (base a) (lift a) (solved a) s j.

Definition learner_curve : A -> nat -> S -> R := hull G m choice.
Definition learner_branch (a : A) (s : S) (j : nat) : R := base a s + beta * lift a s (learner_curve a j).

Let choice_in a s j : (j <= G)%nat -> m j <= choice a s j <= m G.
Proof. exact: (choice_range beta grid low (base a) (lift a) (solved a)). Qed.

Lemma learner_solved a j s : (j <= G)%nat -> learner_curve a j s = solved a j s.
Proof.
move=> jG; rewrite /learner_curve hull_in //.
exact: (fixed_point discount grid low (base a) (@lift_monotone a) (@lift_shift a) s jG).
Qed.

Lemma lift_same a s j : (j <= G)%nat -> lift a s (learner_curve a j) = lift a s (solved a j).
Proof.
move=> jG; have e y := learner_solved a y jG.
have range : forall y z, solved a j z - solved a j y <= m G.
  by apply: (box_range grid low) => //; exact: (fixed_box discount grid low (base a) (@lift_monotone a) (@lift_shift a)).
by apply: Rle_antisym; apply: lift_monotone => [y z|y]; rewrite ?e //; exact: Rle_refl.
Qed.

Let choice_branch a s j : (j <= G)%nat -> choice a s j = Rmax (m j) (Rmin (m G) (learner_branch a s j)).
Proof. by move=> jG; rewrite /learner_branch lift_same. Qed.

Lemma learner_branch_up a s i j : (i <= j <= G)%nat -> learner_branch a s i <= learner_branch a s j.
Proof.
move=> ij; have /andP [h1 h2] := ij; rewrite /learner_branch !lift_same //; last exact: leq_trans h1 h2.
exact: (fixed_branch_up discount grid low (base a) (@lift_monotone a) (@lift_shift a) s ij).
Qed.

Let choice_first a s j : (j <= G)%nat -> choice a s 0 <= choice a s j.
Proof.
move=> jG; rewrite !choice_branch //; have g := grid_range grid low jG; have b := @learner_branch_up a s 0 j jG.
apply: Rmax_lub; first by rewrite grid_0; apply: Rle_trans (Rmax_l _ _); lra.
apply: Rle_trans (Rmax_r _ _); apply: Rmin_glb; first exact: Rmin_l.
by apply: Rle_trans (Rmin_r _ _) b.
Qed.

Lemma learner_curves : curves G m learner_curve.
Proof.
have above a s j : (j <= G)%nat -> m j <= choice a s j by move=> jG; case: (choice_in a s jG).
have top a s j : (j <= G)%nat -> choice a s j <= m G by move=> jG; case: (choice_in a s jG).
exact: (hull_curves G0 grid_up above top choice_first).
Qed.

(* The fixed point: the greatest convex minorant of the larger of m and of the smaller of m_G and the branch. *)
Lemma learner_fixed a j s : (j <= G)%nat ->
  learner_curve a j s = minorant G m (fun i => Rmax (m i) (Rmin (m G) (learner_branch a s i))) j.
Proof.
move=> jG; rewrite /learner_curve hull_in //; apply: Rle_antisym; apply: (minorant_monotone grid) => // i iG;
  by rewrite choice_branch //; exact: Rle_refl.
Qed.

(* Below the index it is at most the branch; at the index, where a cell is at most d long, at most the branch and d. *)
Lemma learner_below a j s : (j <= G)%nat -> m j < learner_curve a j s -> learner_curve a j s <= learner_branch a s j.
Proof. by move=> jG; apply: hull_branch => // i iG; exact: choice_branch. Qed.

Lemma learner_branch_nonneg a s j : (j <= G)%nat -> 0 <= learner_branch a s j.
Proof.
move=> jG; have [b0 _] := discount; apply: Rplus_le_le_0_compat => //; apply: Rmult_le_pos => //.
apply: Rplus_le_le_0_compat; last exact: bonus_nonneg.
apply: mean_nonneg => [|y]; first exact: (proj1 (rows a s)).
by have [h _] := excess_range learner_curves a y jG; have := grid_range grid low jG; lra.
Qed.

Variable position : A -> S -> nat.
Hypothesis index : is_index G m learner_curve position.
Variable d : R.
Hypothesis cells : forall j, (j < G)%nat -> m j.+1 - m j <= d.

Lemma cell_nonneg : 0 <= d.
Proof. by have := cells G0; have := grid G0; lra. Qed.

Lemma learner_to_index a j s : (j <= position a s)%nat -> learner_curve a j s <= learner_branch a s j + d.
Proof.
have [retires least] := index; have [pG above] := retires a s; have d0 := cell_nonneg.
rewrite leq_eqVlt => /orP [/eqP ->|jp]; last first.
  by have := learner_below (leq_trans (ltnW jp) pG) (least a s j jp); lra.
case p : (position a s) => [|i].
  by rewrite (above 0%nat) ?p // grid_0; have := @learner_branch_nonneg a s 0 (leq0n G); lra.
have iG : (i < G)%nat by rewrite -p.
have lt := least a s i (ltac:(by rewrite p)); have le := learner_below (ltnW iG) lt.
have st := curve_step learner_curves a s (ltnW iG); have [s0 s1] := slope_01 learner_curves a s (ltnW iG).
have := @learner_branch_up a s i i.+1 (ltac:(by rewrite leqnSn iG)); have := cells iG; have := grid iG.
have := Rmult_le_compat_l _ _ _ (ltac:(have := grid iG; lra) : 0 <= m i.+1 - m i) s1; lra.
Qed.

(* E max Z is at most the mean of the branch of the played arm over the prevailing variable of the others, and d. *)
Lemma learner_value a x : of_largest_index position x a ->
  whittle G m learner_curve x <= prevailing G m learner_curve a x (learner_branch a (x a)) + d.
Proof.
move=> largest; have ok := learner_curves; have [retires _] := index.
rewrite (whittle_at ok a) -[X in _ + X](prevailing_const ok a x) -prevailing_add.
by apply: (prevailing_le_index ok retires largest) => j; exact: learner_to_index.
Qed.

(* Slopes: in the cells that end below the index. *)
Lemma learner_slope a j s : (j.+1 < position a s)%nat ->
  slope m learner_curve a j s <= beta * (mean (Qhat a s) (slope m learner_curve a j) + c1 * radius a s / 2).
Proof.
move=> jp; have [retires least] := index; have [pG _] := retires a s.
have jG : (j < G)%nat by apply: leq_trans (ltnW jp) pG.
have [b0 _] := discount; have cr := Rmult_le_pos _ _ c1_nonneg (radius_nonneg a s).
pose c i := beta * (mean (Qhat a s) (slope m learner_curve a i) + c1 * radius a s / 2).
have up i : (i <= j)%nat -> 0 <= c i <= c j.
  move=> ij; have iG : (i <= G)%nat by apply: leq_trans ij (ltnW jG).
  have h0 : 0 <= mean (Qhat a s) (slope m learner_curve a i).
    by apply: mean_nonneg => [|y]; [exact: (proj1 (rows a s)) | case: (slope_01 learner_curves a y iG)].
  have h1 : mean (Qhat a s) (slope m learner_curve a i) <= mean (Qhat a s) (slope m learner_curve a j).
    by apply: mean_le => [|y]; [exact: (proj1 (rows a s)) | apply: (slopes_up learner_curves); rewrite ij (ltnW jG)].
  split; first by apply: Rmult_le_pos; lra.
  by apply: Rmult_le_compat_l; lra.
have above b t i : (i <= G)%nat -> m i <= choice b t i by move=> iG; case: (choice_in b t iG).
have top b t i : (i <= G)%nat -> choice b t i <= m G by move=> iG; case: (choice_in b t iG).
apply: (@hull_slope A S G m G0 grid_up choice above top choice_first a j s (learner_branch a s) c) => //.
- by move=> i iG; exact: choice_branch.
- exact: least.
move=> i ij; have iG : (i < G)%nat by exact: leq_ltn_trans ij jG.
have e y : learner_curve a i.+1 y - learner_curve a i y = (m i.+1 - m i) * slope m learner_curve a i y.
  by apply: (curve_step learner_curves); exact: ltnW.
have g := grid iG.
have near : forall y, 0 <= learner_curve a i.+1 y - learner_curve a i y <= m i.+1 - m i.
  move=> y; have [s0 s1] := slope_01 learner_curves a y (ltnW iG); rewrite e; split; first by apply: Rmult_le_pos; lra.
  by have := Rmult_le_compat_l _ _ _ (ltac:(lra) : 0 <= m i.+1 - m i) s1; lra.
have bn := bonus_near (rows a s) (m G) c2 c1_nonneg (radius_nonneg a s) near.
have mn : mean (Qhat a s) (learner_curve a i.+1) - mean (Qhat a s) (learner_curve a i)
    = (m i.+1 - m i) * mean (Qhat a s) (slope m learner_curve a i).
  by rewrite -mean_sub -mean_scale; apply: mean_ext => y; exact: e.
rewrite /learner_branch /lift /c; move: bn mn; set b1 := bonus _ _ _ _ _ _; set b2 := bonus _ _ _ _ _ _ => bn mn.
by have := Rmult_le_compat_l _ _ _ b0 bn; nra.
Qed.

(* Against the true rows: tau bounds what the estimated row can add to the mean of a function between 0 and 1. *)
Lemma learner_slope_true a j s (q : S -> R) tau : (j.+1 < position a s)%nat ->
  (forall f : S -> R, (forall y, 0 <= f y <= 1) -> mean (Qhat a s) f - mean q f <= tau) ->
  slope m learner_curve a j s - beta * mean q (slope m learner_curve a j) <= beta * (c1 * radius a s / 2 + tau).
Proof.
move=> jp near; have sl := learner_slope jp; have [retires _] := index; have [pG _] := retires a s; have [b0 _] := discount.
have jG : (j <= G)%nat by apply: leq_trans pG; exact: ltnW (ltnW jp).
have := near (slope m learner_curve a j) (fun y => slope_01 learner_curves a y jG).
by move=> n; have := Rmult_le_compat_l _ _ _ b0 n; lra.
Qed.

(* ---------------------------------------------------------------- Optimism *)

Variable M : model A S.
Hypotheses (hM : markovian M) (unit : unit_rewards M) (grid_B : m G = 1 / (1 - beta)).

(* Each branch is optimistic at the retirement functions of the true arms. *)
Hypothesis optimistic_branch : forall a s j, (j <= G)%nat ->
  continuing beta M (true_curve beta M m) a j s <= base a s + beta * lift a s (true_curve beta M m a j).

Lemma learner_optimistic a j s : (j <= G)%nat -> true_curve beta M m a j s <= learner_curve a j s.
Proof.
move=> jG; rewrite learner_solved //.
have tops := true_curves discount hM grid_up unit grid_B.
apply: (fixed_optimistic discount grid low (@lift_monotone a) (@lift_shift a) (go := continuing beta M (true_curve beta M m) a)) => //.
- by move=> i z iG; have := excess_range tops a z iG; lra.
- move=> z i iG; apply/(convex_inclines grid) => //.
  exact: (true_convex discount hM grid_up a z (ltnW iG)).
- move=> i z iG; rewrite {1}/true_curve (retirement_equation _ discount (hM a)); exact: Rle_refl.
- by move=> i z iG; exact: optimistic_branch.
Qed.

End Learner.
