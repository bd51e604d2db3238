(* The short form of the minimax bound: arithmetic. M = SnB^2 L L' R. *)

From kernel Require Import Prelude Sums Enclosures.

Local Ltac nonneg := repeat apply: Rmult_le_pos; lra.

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
Let q24 : 24/10 <= q.
Proof. by rewrite -(sqrt_square (24/10)); [apply: sqrt_le_1_alt; lra | lra]. Qed.
Let N01 : 1 <= N0. Proof. by have : 1 <= B ^ 2 by [nra]; rewrite /N0; nra. Qed.
Let LR : 18 <= L' * Rk. Proof. nra. Qed.

Let small_1 : 108 * N0 <= M.
Proof.
have : 108 <= L * (L' * Rk) by nra.
by move=> h; have := Rmult_le_compat_l N0 _ _ (ltac:(lra)) h; rewrite /M -/N0; lra.
Qed.

Let small_L : 18 * (N0 * L) <= M.
Proof.
have h := Rmult_le_compat_l (N0 * L) _ _ (ltac:(apply: Rmult_le_pos; lra)) LR.
by rewrite /M -/N0; lra.
Qed.

Let B_N0 : B <= N0. Proof. by rewrite /N0; have : B <= B ^ 2 by [nra]; move=> h; have : 0 <= B ^ 2 by [lra]; nra. Qed.
Let sB_N0 : s * B <= N0. Proof. by rewrite /N0; apply: Rmult_le_compat_l; nra. Qed.
Let M0 : 0 <= M. Proof. lra. Qed.

Lemma root2 : 0 <= sqrt 2 <= 141422/100000.
Proof.
split; first exact: sqrt_pos.
by rewrite -(sqrt_square (141422/100000)); [apply: sqrt_le_1_alt; lra | lra].
Qed.

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
have sBq : s * B * q <= N0 * L by apply: Rmult_le_compat => //; nra.
have t1 : d * (k * B) <= 338/1000 * (P0 * B * q).
  rewrite -Rmult_assoc (_ : 338/1000 * (P0 * B * q) = 338/1000 * (q * P0) * B); last ring.
  by apply: Rmult_le_compat_r; [lra | exact: dk].
have PB : 0 <= P0 * B by apply: Rmult_le_pos; lra.
have PBq : 0 <= P0 * B * q by apply: Rmult_le_pos; lra.
have f0 : 0 <= s * B * q + 2 * (q * (P0 * B)) by apply: Rplus_le_le_0_compat; nonneg.
have t2 : sqrt 2 * form_roots L <= 141422/100000 * (N0 * L + 2 * (P0 * B * q)).
  apply: Rle_trans (Rmult_le_compat_l _ _ _ r0 roots_L) _; apply: Rle_trans (Rmult_le_compat_r _ _ _ f0 r1) _.
  by apply: Rmult_le_compat_l; lra.
have NL : 0 <= N0 * L by apply: Rmult_le_pos; lra.
apply: Rle_trans (_ : _ <= e * (141422/100000 * (N0 * L + 2 * (P0 * B * q)) + 338/1000 * (P0 * B * q))) _.
  by apply: Rmult_le_compat_l; lra.
apply: Rle_trans (_ : _ <= 11052/10000 * (141422/100000 * (N0 * L + 2 * (P0 * B * q)) + 338/1000 * (P0 * B * q))) _.
  by apply: Rmult_le_compat_r; lra.
by rewrite (_ : B * (P0 * q) = P0 * B * q); [lra | ring].
Qed.

(* The terms with T0. *)
Let T_terms : e * (beta * B * (2 / (4 * eps) + 16 + 10/3) * (s * (L * Rk)) + beta * B * (/ eps + eps) * (s * (L' * Rk))) <= 267/10 * M.
Proof.
have [t1 tB] := T1; have [e0 ee] := e1; have [bb0 bb1] := beta01.
have -> : 2 / (4 * eps) = 15 * T0 by rewrite eps_eq; field; lra.
have -> : / eps = 30 * T0 by rewrite eps_eq; field; lra.
have eps1 : 0 <= eps <= 1.
  rewrite eps_eq; split; first by apply: Rlt_le; apply: Rdiv_lt_0_compat; lra.
  by apply: (Rmult_le_reg_r (30 * T0)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
have bB : 0 <= beta * B <= B by split; [nonneg | have := Rmult_le_compat_r B _ _ (ltac:(lra)) bb1; lra].
have sLR : 0 <= s * (L * Rk) by nonneg.
have sLR' : 0 <= s * (L' * Rk) by nonneg.
have BL : 6 <= B * L by have := Rmult_le_compat_r L _ _ (ltac:(lra)) B1; lra.
have w1 : B * (10123/1000 * (B * L)) * (s * (L * Rk)) <= 10123/1000 * M.
  rewrite (_ : _ * (s * (L * Rk)) = 10123/1000 * (N0 * (L * (L * Rk)))); last by rewrite /N0; ring.
  apply: Rmult_le_compat_l; first lra.
  rewrite /M -/N0; apply: Rmult_le_compat_l; first lra.
  by apply: Rmult_le_compat_l; [lra | apply: Rmult_le_compat_r; lra].
have w2 : B * (13967/1000 * (B * L)) * (s * (L' * Rk)) = 13967/1000 * M by rewrite /M; ring.
have u1 : beta * B * (15 * T0 + 16 + 10/3) <= B * (10123/1000 * (B * L)) by apply: Rmult_le_compat; lra.
have u2 : beta * B * (30 * T0 + eps) <= B * (13967/1000 * (B * L)) by apply: Rmult_le_compat; lra.
have v1 := Rmult_le_compat_r _ _ _ sLR u1; have v2 := Rmult_le_compat_r _ _ _ sLR' u2.
apply: Rle_trans (Rmult_le_compat_l e _ (2409/100 * M) e0 _) _; first lra.
by have := Rmult_le_compat_r _ _ _ M0 ee; lra.
Qed.

(* 4.4 and 5.2 *)
Let V := k * B ^ 2 + (er * form_roots L' + (ei * (s * (L * (B + 2 + lnB))) + 4 * B * d * (k * B))).

Let V_bound : V <= 67/60 * (k * B ^ 2) + 169 * (B ^ 3 * s * (L * L')).
Proof.
have BB : 1 <= B ^ 2 by exact: pow_R1_Rle.
have B3 : B ^ 3 = B ^ 2 * B by ring.
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
have roots0 : 0 <= form_roots L'.
  rewrite /form_roots -/q' -/y; have : 0 <= s * (B * q') by nonneg.
  by have := Rmult_le_pos _ _ q'0 y0; lra.
have p1 : er * form_roots L' <= B ^ 2 * (6 * t + (k / 20 + 720 * t)).
  apply: Rle_trans (Rmult_le_compat_r _ _ _ roots0 (proj2 er6)) _.
  rewrite (_ : 6 * B ^ 2 * _ = B ^ 2 * (6 * (s * (B * q')) + 12 * (q' * y))); last by rewrite /form_roots -/q' -/y; ring.
  apply: Rmult_le_compat_l; first lra.
  have : s * (B * q') <= t by rewrite /t (_ : B * s * L' = s * (B * L')); [apply: Rmult_le_compat_l; [lra | apply: Rmult_le_compat_l; lra] | ring].
  lra.
have i0 : 0 <= s * (L * (B + 2 + lnB)) by apply: Rmult_le_pos; [lra | apply: Rmult_le_pos; lra].
have p2 : ei * (s * (L * (B + 2 + lnB))) <= 48 * (B ^ 2 * (B * s * (L * L'))).
  apply: Rle_trans (Rmult_le_compat_r _ _ _ i0 (proj2 ei32)) _.
  have f : B + 2 + lnB <= 3/2 * (B * L').
    have h1 : L' <= B * L' by have := Rmult_le_compat_r L' _ _ (ltac:(lra)) B1; lra.
    have h2 : B * 6 <= B * L' by apply: Rmult_le_compat_l; lra.
    lra.
  have := Rmult_le_compat_l (32 * B ^ 2 * (s * L)) _ _ (ltac:(by nonneg)) f; lra.
have p3 : 4 * B * d * (k * B) <= 1/15 * (k * B ^ 2).
  have kB : 0 <= k * B ^ 2 by apply: Rmult_le_pos; lra.
  have := Rmult_le_compat_r _ _ _ kB (proj2 d0); lra.
have p4 : 6 * t <= B * s * (L * L').
  rewrite (_ : B * s * (L * L') = L * t); last by rewrite /t; ring.
  exact: Rmult_le_compat_r.
have p5 := Rmult_le_compat_l (B ^ 2) _ _ (ltac:(lra)) p4.
rewrite /V B3; move: p1 p2 p3 p5; set u := B ^ 2; rewrite /t; lra.
Qed.

Let main_term : e * ((9/5 + sqrt 2) * sqrt (beta * (s * (L * Rk)) * (11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk))))) <= 4 * (B * P) + 12 * M.
Proof.
have [r0 r1] := root2; have [e0 ee] := e1; have [bb0 bb1] := beta01.
have PP : P * P = s * k * L * Rk by apply: sqrt_sqrt; apply: Rmult_le_pos; [apply: Rmult_le_pos; nra | lra].
have P_0 : 0 <= P by exact: sqrt_pos.
have BP : 0 <= B * P by apply: Rmult_le_pos; lra.
have BB : 1 <= B ^ 2 by exact: pow_R1_Rle.
set x := s * (L * Rk); have x0 : 0 <= x by rewrite /x; nonneg.
set Z := B ^ 3 * s * (L * (L' * Rk)).
have B3 : 1 <= B ^ 3 by exact: pow_R1_Rle.
have LL0 : 0 <= L * L' by nonneg.
have b3s : 0 <= B ^ 3 * s by apply: Rmult_le_pos; lra.
have z1 : 3 * (B ^ 3 * s * (L * L')) <= Z.
  rewrite /Z; have := Rmult_le_compat_l (B ^ 3 * s * (L * L')) _ _ (ltac:(by apply: Rmult_le_pos)) R3; lra.
have z2 : 6 * (B ^ 2 * (s * (L' * Rk))) <= Z.
  have h0 : 0 <= s * (L' * Rk) by nonneg.
  have h1 : B ^ 2 * 6 <= B ^ 3 * L.
    rewrite (_ : B ^ 3 * L = B ^ 2 * (B * L)); last ring.
    by apply: Rmult_le_compat_l; [lra | have := Rmult_le_compat_r L _ _ (ltac:(lra)) B1; lra].
  by have := Rmult_le_compat_r _ _ _ h0 h1; rewrite /Z; lra.
have W : 11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk)) <= 12285/10000 * (k * B ^ 2) + 64 * Z.
  have h0 : 0 <= B ^ 2 * (s * (L' * Rk)) by apply: Rmult_le_pos; [lra | nonneg].
  have h1 := Rmult_le_compat_r _ _ _ h0 bb1.
  have kB : 0 <= k * B ^ 2 by apply: Rmult_le_pos; lra.
  have := V_bound; lra.
have W0 : 0 <= 12285/10000 * (k * B ^ 2) + 64 * Z.
  have kB : 0 <= k * B ^ 2 by apply: Rmult_le_pos; lra.
  have : 0 <= B ^ 3 * s * (L * L') by apply: Rmult_le_pos.
  lra.
have xb : beta * x <= x by have := Rmult_le_compat_r _ _ _ x0 bb1; lra.
have root : sqrt (beta * x * (11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk)))) <= 11084/10000 * (B * P) + 33/10 * M.
  have t0 : 0 <= 11084/10000 * (B * P) + 33/10 * M by lra.
  rewrite -(sqrt_square _ t0); apply: sqrt_le_1_alt.
  apply: Rle_trans (_ : _ <= x * (12285/10000 * (k * B ^ 2) + 64 * Z)) _.
    have bx0 : 0 <= beta * x by apply: Rmult_le_pos.
    apply: Rle_trans (Rmult_le_compat_l _ _ _ bx0 W) _.
    exact: Rmult_le_compat_r.
  have a1 : x * (k * B ^ 2) = (B * P) * (B * P) by rewrite (_ : B * P * (B * P) = B ^ 2 * (P * P)); [rewrite PP /x; ring | ring].
  have a2 : 6 * (x * Z) <= M * M.
    have -> : M * M = s * L * Rk * (B ^ 3 * s * (L * (L' * Rk))) * (B * L') by rewrite /M; ring.
    have -> : 6 * (x * Z) = s * L * Rk * (B ^ 3 * s * (L * (L' * Rk))) * 6 by rewrite /x /Z; ring.
    apply: Rmult_le_compat_l; last by have := Rmult_le_compat_r L' _ _ (ltac:(lra)) B1; lra.
    by apply: Rmult_le_pos; [nonneg | have : 0 <= B ^ 3 * s * (L * L') by [apply: Rmult_le_pos]; rewrite -/Z; lra].
  have cross := Rmult_le_pos _ _ BP M0; have sq := Rle_0_sqr (B * P); have sqM := Rle_0_sqr M; rewrite /Rsqr in sq sqM.
  have e3 : x * (12285/10000 * (k * B ^ 2) + 64 * Z) = 12285/10000 * (x * (k * B ^ 2)) + 64 * (x * Z) by ring.
  rewrite e3 a1; move: (x * Z) (B * P) M a2 cross sq sqM => u v w a2 cross sq sqM; lra.
have rt0 := sqrt_pos (beta * x * (11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk)))).
apply: Rle_trans (_ : _ <= 11052/10000 * ((9/5 + 141422/100000) * (11084/10000 * (B * P) + 33/10 * M))) _; last lra.
apply: Rmult_le_compat => //; first by apply: Rmult_le_pos; lra.
by apply: Rmult_le_compat; lra.
Qed.

Lemma short_minimax_form :
  B * 2 + e * B + e * (3 * (s * B ^ 2) + sqrt 2 * form_roots L + d * (k * B) +
    beta * B * (2 / (4 * eps) + 16 + 10/3) * (s * (L * Rk)) + beta * B * (/ eps + eps) * (s * (L' * Rk)) +
    (9/5 + sqrt 2) * sqrt (beta * (s * (L * Rk)) * (11/10 * V + 10 * (beta * B ^ 2) * (s * (L' * Rk)))))
  <= 4 * (B * sqrt (s * k * L * Rk)) + 7/2 * (B * sqrt (s * k * L)) + 39 * (s * B ^ 2 * (L * (L' * Rk))).
Proof.
have [e0 ee] := e1; rewrite (sqrt_mult (s * k) L); [|lra|lra].
rewrite -/P0 -/q -/P -/M -/N0.
have x1 := second_term; have x2 := T_terms; have x3 := main_term.
have x4 : e * (3 * N0) <= 11052/10000 * (3 * N0) by apply: Rmult_le_compat_r; lra.
have x5 : e * B <= 11052/10000 * B by apply: Rmult_le_compat_r; lra.
lra.
Qed.
End Form.
