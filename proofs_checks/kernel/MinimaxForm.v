(* The short form of the minimax bound: arithmetic. M = SnB^2 L L' R. *)

From kernel Require Import Prelude Sums Enclosures Values.

Section Form.
Variables (s k B beta L L' Rk lnB T0 eps d e er ei : R).
Hypotheses (s1 : 1 <= s) (k1 : 1 <= k) (B1 : 1 <= B) (beta01 : 0 <= beta <= 1) (L6 : 6 <= L) (LL : L <= L') (R3 : 3 <= Rk).
Hypotheses (lnB0 : 0 <= lnB <= L) (T1 : 1 <= T0 <= 23/50 * (B * L)) (eps_eq : eps = 1 / (30 * T0)) (d0 : 0 <= d <= 1/60) (dk : d * k <= 338/1000 * (sqrt L * sqrt (s * k))).
Hypotheses (e1 : 0 <= e <= 11052/10000) (er6 : 0 <= er <= 6 * B ^ 2) (ei32 : 0 <= ei <= 32 * B ^ 2).

Let P0 := sqrt (s * k).
Let q := sqrt L.
Let M := s * B ^ 2 * (L * (L' * Rk)).
Let N0 := s * B ^ 2.
Let P := sqrt (s * k * L * Rk).
Definition form_roots (x : R) : R := s * (B * sqrt x) + 2 * (sqrt x * sqrt (s * (k * B))).

Let sk : 1 <= s * k. Proof. nra. Qed.
Let P00 : 0 <= P0. Proof. exact: sqrt_pos. Qed.
Let qq : q * q = L. Proof. by apply: sqrt_sqrt; lra. Qed.

Let small_1 : 108 * N0 <= M.
Proof. by have : N0 * (6 * (6 * 3)) <= N0 * (L * (L' * Rk)) by [factorwise]; rewrite /M -/N0; lra. Qed.

Let small_L : 18 * (N0 * L) <= M.
Proof. by have : N0 * (L * (6 * 3)) <= N0 * (L * (L' * Rk)) by [factorwise]; rewrite /M -/N0; lra. Qed.

Let B_N0 : B <= N0. Proof. by rewrite /N0; have : B <= B ^ 2 by [nra]; move=> h; have : 0 <= B ^ 2 by [lra]; nra. Qed.
Let sB_N0 : s * B <= N0. Proof. by rewrite /N0; apply: Rmult_le_compat_l; nra. Qed.
Let M0 : 0 <= M. Proof. lra. Qed.

Lemma root2 : 0 <= sqrt 2 <= 141422/100000.
Proof. by split; [exact: sqrt_pos | enclose]. Qed.

Let roots_L : form_roots L <= s * B * q + 2 * (q * (P0 * B)).
Proof.
rewrite /form_roots -/q; have qp : 0 <= q by exact: sqrt_pos.
have -> : sqrt (s * (k * B)) = P0 * sqrt B by rewrite -Rmult_assoc sqrt_mult; [| lra | lra].
have rB : sqrt B <= B.
  have rr := sqrt_sqrt B (ltac:(lra)); have : 1 <= sqrt B by rewrite -{1}sqrt_1; apply: sqrt_le_1_alt.
  nra.
have := Rmult_le_compat_l q _ _ qp (Rmult_le_compat_l P0 _ _ P00 rB); lra.
Qed.

(* 5.3 *)
Let second_term : e * (sqrt 2 * form_roots L + d * (k * B)) <= 7/2 * (B * (P0 * q)) + 1/10 * M.
Proof.
have [r0 r1] := root2; have qL : q <= L by nra.
have f0 : 0 <= form_roots L by rewrite /form_roots; nonneg.
have sBq : s * B * q <= N0 * L by factorwise.
have t1 : d * k * B <= 338/1000 * (q * P0) * B by apply: Rmult_le_compat_r; [lra | exact: dk].
have : e * (sqrt 2 * form_roots L + d * k * B) <=
    11052/10000 * (141422/100000 * (N0 * L + 2 * (q * (P0 * B))) + 338/1000 * (q * P0) * B) by factorwise.
lra.
Qed.

(* The terms with T0. *)
Let T_terms : e * (beta * B * (2 / (4 * eps) + 16 + 10/3) * (s * (L * Rk)) + beta * B * (/ eps + eps) * (s * (L' * Rk))) <= 267/10 * M.
Proof.
have -> : 2 / (4 * eps) = 15 * T0 by rewrite eps_eq; field; lra.
have -> : / eps = 30 * T0 by rewrite eps_eq; field; lra.
have eps1 : 0 <= eps <= 1.
  rewrite eps_eq; split; first by apply: Rlt_le; apply: Rdiv_lt_0_compat; lra.
  by apply: (Rmult_le_reg_r (30 * T0)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
have BL : 1 * 6 <= B * L by factorwise.
have : e * (beta * B * (15 * T0 + 16 + 10/3) * (s * (L * Rk)) + beta * B * (30 * T0 + eps) * (s * (L' * Rk))) <=
    11052/10000 * (1 * B * (10123/1000 * (B * L)) * (s * (L' * Rk)) + 1 * B * (13967/1000 * (B * L)) * (s * (L' * Rk))) by factorwise.
by have := M0; rewrite /M; lra.
Qed.

(* 4.4 and 5.2 *)
Let V := k * B ^ 2 + (er * form_roots L' + (ei * (s * (L * (B + 2 + lnB))) + 4 * B * d * (k * B))).

Let V_bound : V <= 67/60 * (k * B ^ 2) + 169 * (B ^ 3 * s * (L * L')).
Proof.
set q' := sqrt L'; have q'0 : 0 <= q' by exact: sqrt_pos.
have qq' : q' * q' = L' by apply: sqrt_sqrt; lra.
have q'L : q' <= L' by have q1 : 1 <= q' by [rewrite -sqrt_1; apply: sqrt_le_1_alt; lra]; have := Rmult_le_compat_r q' _ _ q'0 q1; lra.
set y := sqrt (s * (k * B)); have y0 : 0 <= y by exact: sqrt_pos.
have skB : 0 <= s * (k * B) by nonneg.
have yy : y * y = s * (k * B) by apply: sqrt_sqrt.
set t := B * s * L'; have t0 : 0 <= t by rewrite /t; nonneg.
have g : 12 * (q' * y) <= k / 20 + 720 * t.
  apply: Rsqr_incr_0_var; last lra.
  rewrite /Rsqr (_ : 12 * (q' * y) * (12 * (q' * y)) = 144 * ((q' * q') * (y * y))); last ring.
  rewrite qq' yy (_ : L' * (s * (k * B)) = k * t); last by rewrite /t; ring.
  by have := pow2_ge_0 (k / 20 - 720 * t); lra.
have p1 : er * (s * (B * q') + 2 * (q' * y)) <= 6 * B ^ 2 * (t + (k / 20 + 720 * t) / 6).
  have : s * (B * q') <= s * (B * L') by factorwise.
  by move=> le; have lt : s * (B * q') <= t by [rewrite /t; lra]; factorwise.
have p2 : ei * (s * (L * (B + 2 + lnB))) <= 32 * B ^ 2 * (s * (L * (3/2 * (B * L')))).
  have h1 : 1 * L' <= B * L' by factorwise.
  have h2 : B * 6 <= B * L' by factorwise.
  by factorwise.
have p3 : 4 * B * d * (k * B) <= 4 * B * (1/60) * (k * B) by factorwise.
have p4 : B ^ 2 * (6 * t) <= B ^ 2 * (L * t) by factorwise.
by rewrite /V /form_roots -/q' -/y; move: p1 p2 p3 p4; rewrite /t; lra.
Qed.

Let main_term : e * ((9/5 + sqrt 2) * sqrt (beta * (s * (L * Rk)) * (11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk))))) <= 4 * (B * P) + 12 * M.
Proof.
have [r0 r1] := root2; have PP : P * P = s * k * L * Rk by apply: sqrt_sqrt; nonneg.
have BP : 0 <= B * P by apply: Rmult_le_pos; [lra | exact: sqrt_pos].
set x := s * (L * Rk); have x0 : 0 <= x by rewrite /x; nonneg.
set Z := B ^ 3 * s * (L * (L' * Rk)); have Z0 : 0 <= Z by rewrite /Z; nonneg.
have W : 11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk)) <= 12285/10000 * (k * B ^ 2) + 64 * Z.
  have z1 : B ^ 3 * s * (L * L') * 3 <= B ^ 3 * s * (L * L') * Rk by factorwise.
  have z2 : B ^ 2 * (s * (L' * Rk)) * (1 * 6) <= B ^ 2 * (s * (L' * Rk)) * (B * L) by factorwise.
  have z3 : beta * (B ^ 2 * (s * (L' * Rk))) <= 1 * (B ^ 2 * (s * (L' * Rk))) by factorwise.
  have kB : 0 <= k * B ^ 2 by nonneg.
  by have := V_bound; rewrite /Z in Z0 *; lra.
have root : sqrt (beta * x * (11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk)))) <= 11084/10000 * (B * P) + 33/10 * M.
  rewrite -(sqrt_square (11084/10000 * (B * P) + 33/10 * M)); last lra.
  apply: sqrt_le_1_alt; apply: Rle_trans (Rmult_le_compat_l (beta * x) _ _ _ W) _; first by nonneg.
  have a0 : beta * x * (12285/10000 * (k * B ^ 2) + 64 * Z) <= 1 * x * (12285/10000 * (k * B ^ 2) + 64 * Z) by rewrite /Z; factorwise.
  have a1 : x * (k * B ^ 2) = (B * P) * (B * P) by rewrite (_ : B * P * (B * P) = B ^ 2 * (P * P)); [rewrite PP /x; ring | ring].
  have a2 : 6 * (x * Z) <= M * M.
    have : s * L * Rk * (B ^ 3 * s * (L * (L' * Rk))) * (1 * 6) <= s * L * Rk * (B ^ 3 * s * (L * (L' * Rk))) * (B * L') by factorwise.
    by rewrite /M /x /Z; lra.
  have cross := Rmult_le_pos _ _ BP M0; have sq := Rle_0_sqr (B * P); have sqM := Rle_0_sqr M; rewrite /Rsqr in sq sqM.
  by lra.
apply: Rle_trans (_ : _ <= 11052/10000 * ((9/5 + 141422/100000) * (11084/10000 * (B * P) + 33/10 * M))) _; last lra.
by factorwise.
Qed.

Lemma short_minimax_form :
  B * 2 + e * B + e * (3 * (s * B ^ 2) + sqrt 2 * form_roots L + d * (k * B) +
    beta * B * (2 / (4 * eps) + 16 + 10/3) * (s * (L * Rk)) + beta * B * (/ eps + eps) * (s * (L' * Rk)) +
    (9/5 + sqrt 2) * sqrt (beta * (s * (L * Rk)) * (11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk)))))
  <= 4 * (B * sqrt (s * k * L * Rk)) + 7/2 * (B * sqrt (s * k * L)) + 39 * (s * B ^ 2 * (L * (L' * Rk))).
Proof.
rewrite (sqrt_mult (s * k) L); [|lra|lra].
rewrite -/P0 -/q -/P -/M -/N0.
have x4 : e * (3 * N0 + B) <= 11052/10000 * (3 * N0 + B) by factorwise.
lra.
Qed.
End Form.
