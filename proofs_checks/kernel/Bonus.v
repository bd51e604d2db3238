(* The bonus for a local variance, max(c1 sd(v) s, c2 B s^2), s the radius of the cell: adding it to the mean keeps the mean's
   order among the functions whose values lie within B of each other, if c1^2 <= c2; it does not see constants; and it moves
   little when its argument does. *)

From kernel Require Import Prelude Sums Values Gittins Hull Variance LocalVariance PlayedArm.

Section Bonus.
Variables (X : finType) (q : X -> R).
Hypothesis q_ok : probability q.
Implicit Types (f g v : X -> R).

Definition covariance f g : R := mean q (fun y => f y * g y) - mean q f * mean q g.
Definition deviation f : R := sqrt (variance q f).

Lemma deviation_nonneg f : 0 <= deviation f. Proof. exact: sqrt_pos. Qed.

Lemma deviation_square f : deviation f * deviation f = variance q f.
Proof. by apply: sqrt_sqrt; exact: variance_nonneg. Qed.

Lemma variance_ext f g : (forall y, f y = g y) -> variance q f = variance q g.
Proof. by move=> e; rewrite /variance (mean_ext _ e); congr (_ - _); apply: mean_ext => y; rewrite e. Qed.

Lemma variance_combined f g k : variance q (fun y => f y + k * g y) = variance q f + 2 * k * covariance f g + k ^ 2 * variance q g.
Proof.
rewrite /variance /covariance mean_add mean_scale.
rewrite (mean_ext _ (g := fun y => f y ^ 2 + (2 * k * (f y * g y) + k ^ 2 * g y ^ 2))) => [|y]; last by ring.
by rewrite !mean_add !mean_scale; ring.
Qed.

(* Cauchy and Schwarz. *)
Lemma covariance_at_most f g : Rabs (covariance f g) <= deviation f * deviation g.
Proof.
rewrite /deviation -sqrt_mult; try exact: variance_nonneg.
rewrite -sqrt_Rsqr_abs; apply: sqrt_le_1_alt; rewrite /Rsqr; set c := covariance f g.
have vf := variance_nonneg q_ok f; have vg := variance_nonneg q_ok g.
case: (Rle_lt_or_eq_dec _ _ vg) => [pos|zero].
  have := variance_nonneg q_ok (fun y => f y + - (c / variance q g) * g y); rewrite variance_combined -/c => h.
  have := Rmult_le_compat_r _ _ _ vg h; rewrite Rmult_0_l (_ : _ * variance q g = variance q f * variance q g - c * c); [lra | field; lra].
case: (Req_dec c 0) => [->|c0]; first by rewrite -zero; lra.
have := variance_nonneg q_ok (fun y => f y + - ((variance q f + 1) / (2 * c)) * g y); rewrite variance_combined -/c -zero.
by rewrite (_ : variance q f + _ + _ = -1); [lra | field].
Qed.

Lemma deviation_triangle f g : deviation (fun y => f y + g y) <= deviation f + deviation g.
Proof.
have nf := deviation_nonneg f; have ng := deviation_nonneg g.
apply: (Rsqr_incr_0 _ _ _ (deviation_nonneg _)); last lra; rewrite /Rsqr deviation_square.
have -> : variance q (fun y => f y + g y) = variance q f + 2 * covariance f g + variance q g.
  rewrite (@variance_ext _ (fun y => f y + 1 * g y)) => [|y]; last by ring.
  by rewrite variance_combined; ring.
have := covariance_at_most f g; have := Rle_abs (covariance f g); have := deviation_square f; have := deviation_square g; lra.
Qed.

Lemma deviation_shift f c : deviation (fun y => f y + c) = deviation f.
Proof.
rewrite /deviation (variance_shift (fun y => f y + c) c q_ok); congr sqrt; rewrite /variance.
by congr (_ - _ ^ 2); apply: mean_ext => y; [congr (_ ^ 2) |]; ring.
Qed.

Lemma deviation_half f d : (forall y, 0 <= f y <= d) -> deviation f <= d / 2.
Proof.
move=> range; have d0 : 0 <= d by have := mean_range q_ok range; lra.
rewrite -[X in _ <= X]sqrt_Rsqr; last lra.
apply: sqrt_le_1_alt; rewrite (variance_shift f (d / 2) q_ok) /variance.
have sq := pow2_ge_0 (mean q (fun y => f y - d / 2)).
suff : mean q (fun y => (f y - d / 2) ^ 2) <= Rsqr (d / 2) by lra.
rewrite -[X in _ <= X](mean_of_const _ q_ok); apply: mean_le => [|y]; first exact: (proj1 q_ok).
by have [h0 h1] := range y; rewrite /Rsqr; nra.
Qed.

Variables (B c1 c2 s : R).
Hypotheses (c1_nonneg : 0 <= c1) (s_nonneg : 0 <= s) (B_nonneg : 0 <= B).

Definition bonus v : R := Rmax (c1 * deviation v * s) (c2 * B * s ^ 2).

Lemma bonus_shift v c : bonus (fun y => v y + c) = bonus v.
Proof. by rewrite /bonus deviation_shift. Qed.

Lemma bonus_nonneg v : 0 <= bonus v.
Proof. by apply: Rle_trans (Rmax_l _ _); apply: Rmult_le_pos => //; apply: Rmult_le_pos => //; exact: deviation_nonneg. Qed.

(* Larger arguments, larger mean and bonus together: what the deviation can lose is less than what the mean gains, as soon as
   the first part of the bonus is the larger. *)
Lemma mean_and_bonus_monotone v v' : c1 ^ 2 <= c2 -> (forall y z, v z - v y <= B) -> (forall y, v y <= v' y) ->
  mean q v + bonus v <= mean q v' + bonus v'.
Proof.
move=> c12 range le; have q0 := proj1 q_ok; have m := mean_le q0 le.
have low : c2 * B * s ^ 2 <= bonus v' by exact: Rmax_r.
rewrite {1}/bonus; apply: (Rmax_case (c1 * deviation v * s) (c2 * B * s ^ 2) (fun u => _ + u <= _)); last lra.
case: (Rle_dec (c1 * deviation v * s) (c2 * B * s ^ 2)) => [small|/Rnot_le_lt large]; first lra.
pose h y := v' y - v y; have h0 y : 0 <= h y by have := le y; rewrite /h; lra.
have eh : mean q h = mean q v' - mean q v by rewrite mean_sub.
have d0 := deviation_nonneg v; have s2 := pow2_ge_0 s.
have cs : 0 < c1 * s by have cB : 0 <= c2 * B * s ^ 2; [apply: Rmult_le_pos => //; apply: Rmult_le_pos => //; have := pow2_ge_0 c1; lra | have := Rmult_le_pos _ _ c1_nonneg s_nonneg; nra].
have dev : B * (c1 * s) < deviation v.
  have : B * (c1 * s) * (c1 * s) <= c2 * B * s ^ 2.
    rewrite (_ : B * (c1 * s) * (c1 * s) = c1 ^ 2 * (B * s ^ 2)); last by ring.
    by rewrite Rmult_assoc; apply: Rmult_le_compat_r => //; exact: Rmult_le_pos.
  by move=> le'; apply: (Rmult_lt_reg_r (c1 * s)) => //; lra.
have cov : variance q v - B * mean q h <= deviation v' * deviation v.
  apply: Rle_trans (Rle_trans _ _ _ (Rle_abs _) (covariance_at_most v' v)).
  have -> : covariance v' v = variance q v + mean q (fun y => h y * (v y - mean q v)).
    rewrite (mean_ext _ (g := fun y => v' y * v y - v y ^ 2 - mean q v * h y)) => [|y]; last by rewrite /h; ring.
    by rewrite !mean_sub mean_scale eh /covariance /variance; ring.
  suff : mean q (fun y => - B * h y) <= mean q (fun y => h y * (v y - mean q v)) by rewrite mean_scale; lra.
  apply: mean_le => // y; have : mean q v <= v y + B.
    by rewrite -[X in _ <= X](mean_of_const _ q_ok); apply: mean_le => // z; have := range y z; lra.
  by move=> mv; have := Rmult_le_compat_l _ _ _ (h0 y) (ltac:(lra) : - B <= v y - mean q v); lra.
have mh := mean_nonneg q0 h0; have dv' := deviation_nonneg v'.
have first : c1 * deviation v' * s <= bonus v' by exact: Rmax_l.
suff : c1 * s * deviation v <= mean q h + c1 * s * deviation v' by rewrite eh; lra.
apply: (Rmult_le_reg_r (deviation v)); first by have := Rmult_le_pos _ _ B_nonneg (Rlt_le _ _ cs); lra.
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ cs) cov; rewrite -deviation_square.
by have := Rmult_le_compat_l _ _ _ mh (Rlt_le _ _ dev); lra.
Qed.

(* An argument that rises by at most d raises the bonus by at most c1 s d / 2. *)
Lemma bonus_near v v' d : (forall y, 0 <= v' y - v y <= d) -> bonus v' - bonus v <= c1 * s / 2 * d.
Proof.
move=> near; have half := deviation_half near; have cs := Rmult_le_pos _ _ c1_nonneg s_nonneg.
have tri : deviation v' <= deviation v + deviation (fun y => v' y - v y).
  have := deviation_triangle v (fun y => v' y - v y); rewrite {1}/deviation.
  by rewrite (@variance_ext _ v') // => y; ring.
have h1 : c1 * deviation v * s <= bonus v by exact: Rmax_l.
have h2 : c2 * B * s ^ 2 <= bonus v by exact: Rmax_r.
have d0 := deviation_nonneg (fun y => v' y - v y).
have pos : 0 <= c1 * s / 2 * d by apply: Rmult_le_pos; lra.
suff : bonus v' <= bonus v + c1 * s / 2 * d by lra.
apply: Rmax_lub; last lra.
have := Rmult_le_compat_l _ _ _ cs (Rle_trans _ _ _ tri (Rplus_le_compat_l _ _ _ half)); lra.
Qed.
End Bonus.
