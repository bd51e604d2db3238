(* Theorem 1's line for MB-UCBVI, C'' (sqrt S/(1-beta)) log(SnK log K/(1-beta)) f(S,n,K,beta) for K >= 2, from the sharper bound by
   real analysis alone, with C'' = 3. With z = 3 log(SnK log K/(1-beta)) (log K)^(3/2) and W = S sqrt(nK) B^(5/2): if K <= z^2 S^2 n B^3
   the regret is at most K B <= z W; if not, log K >= 17 (for n >= 2; one arm has no regret), and then both terms of the sharper
   bound together are at most z W. *)

From kernel Require Import Prelude Sums Enclosures Values Bandits Moments Concentration Events Episodes Laws LawOfRun Truncation.
From kernel Require Import Radii MbUcbvi ShortForm Sharper PrintedForm.

Section Analysis.
Variables s n k B r : R.
Hypotheses (s1 : 1 <= s) (n2 : 2 <= n) (k2 : 2 <= k) (B1 : 1 <= B).
Hypotheses (few : r <= k * B) (many : r <= short_form s n k B).
Let u := ln k.
Let ell := ln (s * n * k * u * B).
Let W := s * B * (B * sqrt B) * sqrt (n * k).
Let z := 3 * ell * (u * sqrt u).
Let size := s * s * n * (B * B * B).
Notation L := (big_log s n k B).

Let u2 : 69/100 <= u.
Proof. by have e : 69/100 <= ln 2 by [enclose]; apply: Rle_trans e _; apply: Rcomplements.ln_le; lra. Qed.
Let W0 : 0 <= W.
Proof. by repeat apply: Rmult_le_pos; try exact: sqrt_pos; lra. Qed.
Let sn : 2 <= s * n. Proof. nra. Qed.
Let size2 : s * n * B <= size /\ 2 <= size.
Proof.
have sB : 1 <= s * (B * B) by nra. have snB : 2 <= s * n * B by nra.
by rewrite /size (_ : s * s * n * _ = s * n * B * (s * (B * B))); [nra | ring].
Qed.

Lemma ell_large : u + ln u + ln 2 <= ell.
Proof.
rewrite -ln_mult; [|lra|lra]; rewrite -ln_mult; [|nra|lra]; apply: Rcomplements.ln_le; first nra.
rewrite (_ : s * n * k * u * B = k * u * (s * n * B)); last ring.
by apply: Rmult_le_compat_l; nra.
Qed.

Let ell1 : 1 <= ell.
Proof.
have l : 0 < ln 2 by have e : 69/100 <= ln 2 by [enclose]; lra.
have e : 1 <= ln 2 + ln (ln 2) + ln 2 by enclose.
have lu : ln 2 <= u by apply: Rcomplements.ln_le; lra.
by have := ell_large; have := Rcomplements.ln_le _ _ l lu; lra.
Qed.
Let z0 : 0 < z. Proof. by apply: Rmult_lt_0_compat; [lra | apply: Rmult_lt_0_compat; [lra | apply: sqrt_lt_R0; lra]]. Qed.

Let W_square : W * W = k * size * (B * B).
Proof.
have q1 : sqrt B * sqrt B = B by apply: sqrt_sqrt; lra.
have q2 : sqrt (n * k) * sqrt (n * k) = n * k by apply: sqrt_sqrt; nra.
have -> : W * W = s * s * (B * B) * (B * B) * (sqrt B * sqrt B) * (sqrt (n * k) * sqrt (n * k)) by rewrite /W; ring.
by rewrite q1 q2 /size; ring.
Qed.

Lemma few_episodes : k <= z * z * size -> k * B <= z * W.
Proof.
move=> le; apply: Rsqr_incr_0_var; last by apply: Rmult_le_pos; lra.
rewrite /Rsqr (_ : z * W * (z * W) = z * z * (W * W)); last ring.
by nra.
Qed.

(* z^2 S^2 n B^3 < K makes K large, step by step. *)
Lemma logarithm_large : z * z * size < k -> 17 <= u.
Proof.
move=> lt; have [_ size1] := size2; have u0 : 0 < u by lra.
have step a b : 0 < a -> 0 < a + ln a + ln 2 -> b <= ln 18 + 2 * ln (a + ln a + ln 2) + 3 * ln a -> a <= u -> b <= u.
  move=> a0 p le au; apply: Rle_trans le _.
  have la := Rcomplements.ln_le _ _ a0 au; have lell := Rcomplements.ln_le (a + ln a + ln 2) ell p (ltac:(have := ell_large; lra)).
  have e : ln (z * z * 2) = ln 18 + 2 * ln ell + 3 * ln u.
    rewrite (_ : z * z * 2 = 18 * (ell * ell) * (u * u * (sqrt u * sqrt u))); last by rewrite /z; ring.
    rewrite sqrt_sqrt; last lra.
    by rewrite !ln_mult //; try lra; nra.
  suff : ln (z * z * 2) <= u by lra.
  by apply: Rcomplements.ln_le; nra.
have a0 : 69/100 <= u by lra.
have a1 : 18/10 <= u by apply: step a0; [lra | enclose | enclose].
have a2 : 69/10 <= u by apply: step a1; [lra | enclose | enclose].
have a3 : 13 <= u by apply: step a2; [lra | enclose | enclose].
have a4 : 16 <= u by apply: step a3; [lra | enclose | enclose].
by apply: step a4; [lra | enclose | enclose].
Qed.

Lemma many_episodes : z * z * size < k -> r <= z * W.
Proof.
move=> lt; have u17 := logarithm_large lt; have [size0 size1] := size2.
have L2 : 248/100 <= L by apply: big_log_large; lra.
set q := sqrt L; have qq : q * q = L by apply: sqrt_sqrt; lra.
set v := sqrt u; have vv : v * v = u by apply: sqrt_sqrt; lra.
have v4 : 412/100 <= v by rewrite -(sqrt_square (412/100)); [apply: sqrt_le_1_alt; lra | lra].
have q0 : 0 <= q by exact: sqrt_pos.
have zlarge : 3 * (v * v + 7/2) * (v * v * v) <= z.
  have l17 : 283/100 <= ln u by enclose.
  have l2 : 69/100 <= ln 2 by enclose.
  have h : v * v + 7/2 <= ell by rewrite vv; have := ell_large; lra.
  by rewrite /z -/v (_ : u * v = v * v * v); [apply: Rmult_le_compat_r; [nra | lra] | rewrite vv].
have v2 : 16 <= v * v by lra.
have v3 : 64 <= v * v * v by nra.
have z2 : 2 <= z by apply: Rle_trans zlarge; nra.
have zz : 4 <= z * z by have := Rmult_le_compat 2 z 2 z (ltac:(lra)) (ltac:(lra)) z2 z2; lra.
have kB2 : 2 <= k * B by have := Rmult_le_compat_l k _ _ (ltac:(lra)) B1; lra.
have L3 : L <= 3 * u.
  rewrite (_ : 3 * u = ln (k ^ 3)); last by rewrite ln_pow; [rewrite /u /=; ring | lra].
  apply: Rcomplements.ln_le; first by repeat apply: Rmult_lt_0_compat; lra.
  have h1 : 2 * s * n * k * (k * B + 1) <= 2 * s * n * k * (3/2 * (k * B)) by factorwise.
  have h2 : k * k * (s * n * B) <= k * k * (k / 4) by have sB : s * n * B <= k / 4 by [nra]; factorwise.
  by have k3 : 0 <= k * k * k by [nonneg]; rewrite /=; lra.
have qv : q <= 17321/10000 * v by nra.
have q7 : q ^ 7 <= 468/10 * v ^ 7.
  apply: Rle_trans (pow_incr _ _ 7 (conj q0 qv)) _; rewrite Rpow_mult_distr.
  by apply: Rmult_le_compat_r; [apply: pow_le; lra | lra].
have key : 4 * q * z + 16 * q ^ 7 <= z * z.
  set y := 3 * (v * v + 7/2) * (v * v * v) in zlarge.
  have y0 : 70 * v <= y.
    by have : 3 * (16 + 7/2) * 16 * v <= 3 * (v * v + 7/2) * (v * v) * v by [factorwise]; rewrite /y; lra.
  suff : 4 * q * y + 16 * q ^ 7 <= y * y.
    by have := Rmult_le_pos (z - y) (z + y - 4 * q) (ltac:(lra)) (ltac:(lra)); lra.
  have v6 : 0 <= v ^ 6 by apply: pow_le; lra.
  have e1 : 4 * q * y <= 20786/1000 * ((v * v + 7/2) * (v * v * v * v)).
    by have : 4 * q * y <= 4 * (17321/10000 * v) * y by [factorwise]; rewrite /y; nra.
  have e2 : (v * v + 7/2) * (v * v * v * v) <= 121/100 * v ^ 6 by have : 0 <= v * v * v * v by [nra]; rewrite /=; nra.
  have e3 : y * y = 9 * (v * v + 7/2) * (v * v + 7/2) * v ^ 6 by rewrite /y; ring.
  have e4 : 16 * (468/10 * v ^ 7) = 7488/10 * v * v ^ 6 by rewrite /=; field.
  have main : 2516/100 + 7488/10 * v <= 9 * (v * v + 7/2) * (v * v + 7/2).
    have [d0 d2] : 0 <= v - 412/100 /\ 0 <= (v - 412/100) * (v - 412/100) by split; [lra | exact: Rle_0_sqr].
    by have := Rmult_le_pos _ _ d0 d2; have := Rmult_le_pos _ _ d2 d2; lra.
  have := Rmult_le_compat_r _ _ _ v6 main; lra.
have Wz : z * (s * s * n * (B * B * B * B)) <= W.
  apply: Rsqr_incr_0_var => //; rewrite /Rsqr W_square.
  have p : 0 <= size * (B * B) by repeat apply: Rmult_le_pos; lra.
  by have := Rmult_le_compat_r _ _ _ p (Rlt_le _ _ lt); rewrite /size; lra.
set x := 4 * (B * sqrt B) * sqrt (s * n * k * L).
have hx : x <= 4 * q * W.
  have -> : x = 4 * q * (B * sqrt B * sqrt (n * k)) * sqrt s.
    rewrite /x (_ : s * n * k * L = s * (n * k) * L); last ring.
    by rewrite (sqrt_mult (s * (n * k)) L) ?(sqrt_mult s (n * k)); rewrite -?/q; try ring; nonneg.
  have ss : sqrt s <= s * B.
    have r1 : 1 <= sqrt s by rewrite -{1}sqrt_1; exact: sqrt_le_1_alt.
    by have : sqrt s * 1 * 1 <= sqrt s * sqrt s * B by [factorwise]; rewrite sqrt_sqrt; lra.
  by have : 4 * q * (B * sqrt B * sqrt (n * k)) * sqrt s <= 4 * q * (B * sqrt B * sqrt (n * k)) * (s * B) by [factorwise]; rewrite /W; lra.
have hy : 16 * (s ^ 2 * n * B ^ 4) * (L ^ 3 * q) * z <= 16 * q ^ 7 * W.
  by have : 16 * q ^ 7 * (z * (s * s * n * (B * B * B * B))) <= 16 * q ^ 7 * W by [factorwise]; rewrite -qq /=; lra.
apply: (Rmult_le_reg_r z) => //; apply: Rle_trans (Rmult_le_compat_r z _ _ (Rlt_le _ _ z0) many) _.
rewrite /short_form -/q -/x.
have := Rmult_le_compat_r z _ _ (Rlt_le _ _ z0) hx; have := Rmult_le_compat_r _ _ _ W0 key; lra.
Qed.

Lemma printed_suffices :
  r <= 3 * (sqrt s * B) * ell * (s * n * (u * B) ^ 2 + sqrt (s * n * k) * Rpower (u * B) (3/2)).
Proof.
have uB : Rpower (u * B) (3/2) = (u * sqrt u) * (B * sqrt B).
  have p0 : 0 < u * B by nra.
  by rewrite -(rpower_pos _ p0) rpower_half3 // sqrt_mult; [ring | lra | lra].
have ss : sqrt s * sqrt s = s by apply: sqrt_sqrt; lra.
have e : 3 * (sqrt s * B) * ell * (sqrt (s * n * k) * (u * sqrt u * (B * sqrt B))) = z * W.
  rewrite (_ : s * n * k = s * (n * k)); last ring.
  rewrite sqrt_mult; [|lra|nra].
  rewrite (_ : _ * _ * _ = sqrt s * sqrt s * (z * (B * (B * sqrt B) * sqrt (n * k)))); last by rewrite /z; ring.
  by rewrite ss /W; ring.
have p : 0 <= 3 * (sqrt s * B) * ell * (s * n * (u * B) ^ 2) by nonneg.
suff : r <= z * W by rewrite uB; lra.
case: (Rle_dec k (z * z * size)) => [le|/Rnot_le_lt]; last exact: many_episodes.
by have := few_episodes le; lra.
Qed.
End Analysis.

Section Line.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Variables (guess_reward : history A S O -> cell A S -> R) (guess_row : history A S O -> cell A S -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.
Hypothesis K2 : (2 <= K)%nat.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Hypothesis plays_so : plays_optimistically next pays beta guess_reward guess_row K learner.
Variable pistar : policy A S.
Hypothesis best : forall pi x, V beta (bandit_of next pays shows) pi x <= V beta (bandit_of next pays shows) pistar x.

Notation M := (bandit_of next pays shows).

(* Theorem 1 for MB-UCBVI, as printed, with the constant 3, for any law of observations: the next state is observed at every activation, K >= 2.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/ucbvi *)
Theorem ucbvi_printed : expected_regret next beta learner rho shows M pistar K <=
  3 * (sqrt (INR #|S|) * (1 / (1 - beta))) * printed_log #|S| #|A| K beta * printed_f #|S| #|A| K beta.
Proof.
case: (discount) => b0 b1; have [A1 S1] := sizes rho_ok learner_ok; have n1 := INR_ge1 A1; have s1 := INR_ge1 S1.
have k2 : 2 <= INR K by rewrite -[2]/(INR 2); apply: le_INR; exact/leP.
have B1 : 1 <= 1 / (1 - beta) := top_ge1 discount.
have u2 : 69/100 <= ln (INR K) by enclose.
have ell : 0 <= ln (INR #|S| * INR #|A| * INR K * ln (INR K) * (1 / (1 - beta))).
  have sn : 1 <= INR #|S| * INR #|A| by nra. have snk : 2 <= INR #|S| * INR #|A| * INR K by nra.
  have snku : 1 <= INR #|S| * INR #|A| * INR K * ln (INR K) by nra.
  by rewrite -ln_1; apply: Rcomplements.ln_le; [lra | nra].
rewrite /printed_log /printed_f /Rdiv !Rmult_1_l.
have eB : 1 / (1 - beta) = / (1 - beta) by rewrite /Rdiv Rmult_1_l.
rewrite eB in ell B1; case: (leqP 2 #|A|) => [A2|A1'].
  have n2 : 2 <= INR #|A| by rewrite -[2]/(INR 2); apply: le_INR; exact/leP.
  have bound := sharper discount pays_unit guess_reward_ok guess_row_ok (ltnW K2) learner_ok rho_ok (shows := shows) best plays_so.
  have few := regret_at_most_horizon next discount pays_unit K shows learner_ok rho_ok pistar.
  by rewrite eB in bound few; exact: (printed_suffices s1 n2 k2 B1 few bound).
have e1 : #|A| = 1%nat by apply/eqP; rewrite eqn_leq A1 -ltnS A1'.
apply: Rle_trans (regret_with_one_arm next discount learner_ok rho_ok shows M pistar K e1) _; apply: Rmult_le_pos;
  first by repeat apply: Rmult_le_pos; try exact: sqrt_pos; lra.
by nonneg.
Qed.
End Line.
