(* The arithmetic of the sharper bound: its full form at theta = 1/3 is at most 4 B^(3/2) sqrt(SnK L) + 16 S^2 n B^4 L^(7/2). *)

From kernel Require Import Limits Sums Enclosures Values Concentration.

Section Short.
Variables s n k B beta : R.
Hypotheses (s1 : 1 <= s) (n1 : 1 <= n) (k2 : 2 <= k) (B1 : 1 <= B) (b01 : 0 <= beta <= 1).

Definition big_log : R := ln (2 * s * n * k * (k * B + 1)).
Definition big_top : R := B * (1 + B * sqrt (big_log / 2)).
Definition row_log : R := s * ln 2 + ln (s * n * k).
Notation L := big_log.
Notation Gamma := big_top.
Let q := sqrt L.

Let sn1 : 1 <= s * n. Proof. nra. Qed.
Let snk2 : 2 <= s * n * k. Proof. nra. Qed.
Let kB : 2 <= k * B. Proof. nra. Qed.

Lemma big_log_large : 248/100 <= L.
Proof.
have l12 : 248/100 <= ln 12 by enclose.
apply: Rle_trans l12 _; apply: ln_le; first lra.
by rewrite (_ : 2 * s * n * k = 2 * (s * n * k)); [nra | ring].
Qed.

Let L2 := big_log_large.
Let qq : q * q = L. Proof. by apply: sqrt_sqrt; lra. Qed.
Let q_large : 157/100 <= q.
Proof.
rewrite -(sqrt_square (157/100)); last lra.
by apply: sqrt_le_1_alt; lra.
Qed.

Lemma row_log_range : 0 <= row_log <= s * L.
Proof.
have l2 : 0 <= ln 2 by rewrite -ln_1; apply: ln_le; lra.
have l3 : 0 <= ln (s * n * k) by rewrite -ln_1; apply: ln_le; lra.
have : ln 2 + ln (s * n * k) <= L.
  by rewrite -ln_mult; [apply: ln_le; [lra | rewrite !Rmult_assoc; nra] | lra | lra].
by rewrite /row_log; nra.
Qed.

Lemma top_range : 0 <= Gamma <= 13442/10000 * (B * B * q).
Proof.
have r : sqrt (L / 2) <= 70711/100000 * q.
  rewrite sqrt_div_alt; last lra.
  have i : / sqrt 2 <= 70711/100000 by enclose.
  by rewrite /Rdiv Rmult_comm; apply: Rmult_le_compat_r; [exact: sqrt_pos | exact: i].
have r0 := sqrt_pos (L / 2); rewrite /big_top; split; first by apply: Rmult_le_pos; nra.
by nra.
Qed.

(* ceil(B log(K Gamma/B)) is at most (5/4) B L. *)
Lemma steps_needed T : T <= B * ln (k * (Gamma / B)) + 1 -> T <= 5/4 * (B * L).
Proof.
move=> hT; set y := sqrt (L / 2); have yy : y * y = L / 2 by apply: sqrt_sqrt; lra.
have y1 : 1 <= y by rewrite -sqrt_1; apply: sqrt_le_1_alt; lra.
have ly : ln y <= (y * y - 1) / 2.
  have := exp_tangent (ln (y * y)); rewrite exp_ln; last nra.
  rewrite ln_mult; lra.
have lk : ln (2 * k * (1 + B)) <= L.
  apply: ln_le; first by apply: Rmult_lt_0_compat; lra.
  by nra.
rewrite !ln_mult in lk; try lra.
have up : ln (k * (Gamma / B)) <= ln k + (ln (1 + B) + ln y).
  rewrite -!ln_mult; try nra.
  apply: ln_le; first by apply: Rmult_lt_0_compat; [lra | rewrite /big_top -/y /Rdiv; apply: Rmult_lt_0_compat; [nra | apply: Rinv_0_lt_compat; lra]].
  by rewrite /big_top -/y (_ : B * (1 + B * y) / B = 1 + B * y); [nra | field; lra].
have l2 : 69/100 <= ln 2 by enclose.
by nra.
Qed.

Definition full_form (theta T : R) : R :=
  2 * sqrt 2 * exp theta * (B * sqrt B * sqrt (s * n * k * L)) + sqrt 2 * exp theta * (s * n * (B * B) * sqrt L) +
  exp theta / theta * (beta * row_log * T * (s * n) * Gamma * (B + 2 + L)) + (s + 2 + exp theta) * B.

Definition short_form : R := 4 * (B * sqrt B) * sqrt (s * n * k * L) + 16 * (s ^ 2 * n * B ^ 4) * (L ^ 3 * sqrt L).

Lemma short_form_suffices T : 0 <= T <= B * ln (k * (Gamma / B)) + 1 -> full_form (1/3) T <= short_form.
Proof.
case=> T0 hT; have {}hT := steps_needed hT; have [l0 l1] := row_log_range; have [g0 g1] := top_range.
have e1 : 2 * sqrt 2 * exp (1/3) <= 4 by enclose.
have e2 : sqrt 2 * exp (1/3) <= 198/100 by enclose.
have e3 : 0 <= exp (1/3) / (1/3) <= 419/100 by split; enclose.
have e4 : exp (1/3) <= 14/10 by enclose.
set P := s * s * n * (B * B * B * B) * (L * L * L) * q.
have l3 : 1525/100 <= L * L * L by nra.
have l3q : 239/10 <= L * L * L * q by nra.
have B2 : 1 <= B * B by nra.
have B3 : 1 <= B * B * B by nra.
have P0 : 0 <= P by rewrite /P; nonneg.
have c1 : sqrt 2 * exp (1/3) * (s * n * (B * B) * q) <= 14/100 * P.
  have : sqrt 2 * exp (1/3) * (s * n * (B * B) * q) * (1 * 1 * (1525/100)) <= 198/100 * (s * n * (B * B) * q) * (s * (B * B) * (L * L * L)).
    by factorwise.
  by rewrite /P in P0 *; lra.
have c2 : (s + 2 + exp (1/3)) * B <= 19/100 * P.
  have : s * B * (1 * 1 * (239/10)) <= s * B * (s * n * (B * B * B) * (L * L * L * q)) by factorwise.
  by rewrite /P in P0 *; have : (s + 2 + exp (1/3)) * B <= 44/10 * s * B by [apply: Rmult_le_compat_r; lra]; lra.
have c3 : exp (1/3) / (1/3) * (beta * row_log * T * (s * n) * Gamma * (B + 2 + L)) <= 1556/100 * P.
  have last : B + 2 + L <= 221/100 * (B * L) by nra.
  have : exp (1/3) / (1/3) * (beta * row_log * T * (s * n) * Gamma * (B + 2 + L)) <=
      419/100 * (1 * (s * L) * (5/4 * (B * L)) * (s * n) * (13442/10000 * (B * B * q)) * (221/100 * (B * L))) by factorwise.
  by rewrite /P in P0 *; lra.
have c0 : 2 * sqrt 2 * exp (1/3) * (B * sqrt B * sqrt (s * n * k * L)) <= 4 * (B * sqrt B) * sqrt (s * n * k * L).
  by rewrite (Rmult_assoc 4); apply: Rmult_le_compat_r; [nonneg | exact: e1].
rewrite /full_form /short_form -/q (_ : 16 * _ * _ = 16 * P); last by rewrite /P; ring.
lra.
Qed.
End Short.
