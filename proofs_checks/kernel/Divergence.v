(* The divergence of two coins, bounded by calculus. *)

From kernel Require Import Limits Sums Concentration Information.

(* The derivative of kl(q,u) in u is (u-q)/(u(1-u)), and that is at most (u-q)/(q(1-q)) for q <= u <= 1/2. *)
Theorem kl_at_most q u : 0 < q -> q <= u <= 1/2 -> kl q u <= (u - q) ^ 2 / (2 * q * (1 - q)).
Proof.
move=> q0 [qu u2].
pose f v := (v - q) ^ 2 / (2 * q * (1 - q)) + q * ln v + (1 - q) * ln (1 - v).
pose df v := 2 * (v - q) / (2 * q * (1 - q)) + q / v - (1 - q) / (1 - v).
have up : f q <= f u.
  apply: (@increasing_from f df) => // v hv.
    rewrite /f /df; auto_derive; first by repeat split; lra.
    by field; lra.
  have -> : df v = (v - q) * (v * (1 - v) - q * (1 - q)) / (q * (1 - q) * (v * (1 - v))) by rewrite /df; field; lra.
  apply: Rdiv_le_0_compat; last by apply: Rmult_lt_0_compat; nra.
  by apply: Rmult_le_pos; [lra | nra].
have e : f q = q * ln q + (1 - q) * ln (1 - q) by rewrite /f; field; lra.
rewrite /kl !ln_div; try lra.
by move: up; rewrite e /f; lra.
Qed.

(* As it is used for B: q' = q (1 + Delta).
   ledger: beyond:lower/absorbing/divergence *)
Theorem kl_relative q Delta : 0 < q -> 0 <= Delta -> q * (1 + Delta) <= 1/2 ->
  kl q (q * (1 + Delta)) <= q * Delta ^ 2 / (2 * (1 - q)).
Proof.
move=> q0 D0 h; have le : q <= q * (1 + Delta) by nra.
apply: Rle_trans (kl_at_most q0 (conj le h)) _.
by apply: Req_le; field; nra.
Qed.

(* As it is used for C.
   ledger: beyond:lower/motionless/divergence *)
Theorem kl_half e : 0 <= e <= 1/4 -> kl (1/2) (1/2 + e) <= 7/3 * e ^ 2.
Proof.
move=> [e0 e1].
pose f x := x * (2 - x) / (2 * (1 - x)) + ln (1 - x).
pose df x := x * x / (2 * ((1 - x) * (1 - x))).
set x := 4 * e ^ 2; have x0 : 0 <= x <= 1/4 by rewrite /x; nra.
have up : f 0 <= f x.
  apply: (@increasing_from f df) => [|v hv|v hv]; first lra.
    rewrite /f /df; auto_derive; first by repeat split; lra.
    by field; lra.
  by apply: Rdiv_le_0_compat; nra.
have e2 : f 0 = 0 by rewrite /f !Rminus_0_r ln_1; field.
have -> : kl (1/2) (1/2 + e) = - (1/2) * ln (1 - x).
  rewrite /kl !ln_div; try lra.
  rewrite (_ : 1 - x = (2 * (1/2 + e)) * (2 * (1 - (1/2 + e)))); last by rewrite /x; field.
  rewrite !ln_mult; try lra.
  have h : ln (1 - 1/2) = - ln 2 by rewrite -ln_Rinv; [congr ln; field | lra].
  by rewrite h ?h'; try (rewrite (_ : ln 1 = 0); last exact: ln_1); field.
move: up; rewrite e2 /f => up.
have frac : x * (2 - x) / (2 * (1 - x)) <= 7/6 * x.
  rewrite (_ : 7/6 * x = x * (2 - x) / (2 * (1 - x)) + x * (1 - 4 * x) / (6 * (1 - x))); last by field; lra.
  by have : 0 <= x * (1 - 4 * x) / (6 * (1 - x)); [apply: Rdiv_le_0_compat; nra | lra].
by rewrite /x in frac up *; lra.
Qed.
