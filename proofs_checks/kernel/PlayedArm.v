(* One step of one arm against a fixed retirement reward w: the variance of what its function of w becomes is paid for by the
   square of the excess over w, by the reward, and by what the function exceeds its own lookahead by. *)

From kernel Require Import Prelude Sums Values Variance Squares.

Lemma variance_shift (X : finType) (q f : X -> R) w : probability q -> variance q f = variance q (fun y => f y - w).
Proof.
move=> q_ok; rewrite /variance mean_sub (mean_of_const _ q_ok).
have -> : mean q (fun y => (f y - w) ^ 2) = mean q (fun y => f y ^ 2 + (- (2 * w) * f y + w ^ 2)).
  by apply: mean_ext => y; ring.
by rewrite !mean_add mean_scale (mean_of_const _ q_ok); ring.
Qed.

(* v is the function's value where the arm is, f(y) its value where the arm goes.
   step of: beyond:total-variance/step *)
Theorem played_arm (X : finType) (q f : X -> R) (beta r w v : R) : is_discount beta -> probability q ->
  0 <= r <= 1 -> 0 <= w -> 0 <= v - w <= 1 / (1 - beta) ->
  beta * variance q f <= beta * mean q (fun y => (f y - w) ^ 2) - (v - w) ^ 2 + 1 / (1 - beta) * r
    + 2 * (1 / (1 - beta)) * Rmax 0 (v - (r + beta * mean q f)).
Proof.
move=> [b0 b1] q_ok [r0 r1] w0 range; set B := 1 / (1 - beta) in range *; set g := v - (_ + _).
have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have g0 := Rmax_l 0 g; have gg := Rmax_r 0 g; rewrite (variance_shift f w q_ok) /variance.
have e := mean_sub q f (fun _ => w); rewrite (mean_of_const _ q_ok) in e.
set Qpsi := mean q (fun y => f y - w) in e *; set Qsq := mean q _; set psi := v - w in range *.
pose rho := r + g - (1 - beta) * w; have eq : psi = rho + beta * Qpsi by rewrite /psi /rho /g e; ring.
have w1 : 0 <= (1 - beta) * w by apply: Rmult_le_pos; lra.
have up : B * Rmax 0 rho + B * Rmax 0 (rho - 1) <= B * r + 2 * B * Rmax 0 g.
  have h1 : Rmax 0 rho <= r + Rmax 0 g by apply: Rmax_lub; rewrite /rho; lra.
  have h2 : Rmax 0 (rho - 1) <= Rmax 0 g by apply: Rmax_lub; rewrite /rho; lra.
  by have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ B0) h1; have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ B0) h2; lra.
case: (Rle_lt_or_eq_dec 0 beta b0) => [pos|zero].
  have sq := square_bound rho pos b1 range; rewrite -/B in sq.
  have -> : beta * (Qsq - Qpsi ^ 2) = beta * Qsq - (psi - rho) ^ 2 / beta by rewrite eq; field; lra.
  by lra.
have B1 : B = 1 by rewrite /B -zero; field.
have : psi ^ 2 <= psi by rewrite B1 in range; nra.
have : psi <= r + g by rewrite eq -zero /rho; lra.
by rewrite B1 -zero; lra.
Qed.
