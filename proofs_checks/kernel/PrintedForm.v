(* From closed forms to the form in which Theorem 1 is printed, C (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta), for K >= 2:
   real analysis alone. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Enclosures Values Moments Concentration Events.
From kernel Require Import History MovesEvent Widths.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* f(S,n,K,beta) = Sn (log K/(1-beta))^2 + sqrt(SnK) (log K/(1-beta))^(3/2), and log(SnK log K/(1-beta)). *)
Definition printed_f (S n K : nat) (beta : R) : R :=
  INR S * INR n * (ln (INR K) / (1 - beta)) ^ 2 + sqrt (INR S * INR n * INR K) * Rpower (ln (INR K) / (1 - beta)) (3/2).
Definition printed_log (S n K : nat) (beta : R) : R := ln (INR S * INR n * INR K * ln (INR K) / (1 - beta)).

Section PrintedForm.
Variables (s n k B u : R).
Hypotheses (s1 : 1 <= s) (n1 : 1 <= n) (k2 : 2 <= k) (B1 : 1 <= B) (u2 : ln 2 <= u).
Let ell := ln (s * n * k * u * B).
Let T := sqrt s + ell.

Lemma products : 1 <= s * n /\ 2 <= s * n * k /\ 1 <= s * n * B /\ 2 * ln 2 <= s * n * k * u * B /\ 0.69314 <= u.
Proof.
have l : 0.69314 <= ln 2 by enclose.
have sn : 1 <= s * n by nra. have snk : 2 <= s * n * k by nra. have snB : 1 <= s * n * B by nra.
have snku : 2 * ln 2 <= s * n * k * u by apply: Rmult_le_compat; lra.
by split=> //; split=> //; split=> //; split; [nra | lra].
Qed.

Lemma T_large : 0.3265 <= ell /\ 1 <= sqrt s /\ 1.3265 <= T.
Proof.
have [_ [_ [_ [p _]]]] := products; have c : 0.3265 <= ln (2 * ln 2) by enclose.
have l : 0.69314 <= ln 2 by enclose.
have e : 0.3265 <= ell by apply: Rle_trans c _; apply: Rcomplements.ln_le; lra.
have r : 1 <= sqrt s by rewrite -{1}sqrt_1; exact: sqrt_le_1_alt.
by rewrite /T; lra.
Qed.

(* S log 2 + log(SnK(KB+1)) <= (6/5)^2 T^2. *)
Lemma root_of_log : sqrt (s * ln 2 + ln (s * n * k * (k * B + 1))) <= 6/5 * T.
Proof.
have [sn [snk [snB [p ul]]]] := products; have [e [r t]] := T_large.
have l : ln 2 <= 0.69315 by enclose. have l' : 0.69314 <= ln 2 by enclose.
have q : s * n * k * (k * B + 1) <= 3123/1000 * ((s * n * k * u * B) * (s * n * k * u * B)).
  have a : k * B + 1 <= 3/2 * (k * B) by nra.
  have b : s * n * k * (k * B + 1) <= s * n * k * (3/2 * (k * B)) by apply: Rmult_le_compat_l; lra.
  have c : s * n * k * (3/2 * (k * B)) <= s * n * k * (3/2 * (k * B)) * (s * n * B).
    rewrite -{1}(Rmult_1_r (s * n * k * (3/2 * (k * B)))); apply: Rmult_le_compat_l => //.
    by apply: Rmult_le_pos; [lra | nra].
  have d : 3/2 <= 3123/1000 * (u * u) by nra.
  have x0 : 0 <= (s * n * k * B) * (s * n * k * B) by exact: Rle_0_sqr.
  have := Rmult_le_compat_l _ _ _ x0 d; lra.
have x1 : 1 < s * n * k * u * B by lra.
have lq : ln (s * n * k * (k * B + 1)) <= 1139/1000 + 2 * ell.
  have pos : 0 < s * n * k * (k * B + 1) by apply: Rmult_lt_0_compat; nra.
  apply: Rle_trans (Rcomplements.ln_le _ _ pos q) _.
  rewrite ln_mult; [|lra|nra]; rewrite ln_mult; [|lra|lra]; rewrite -/ell.
  have : ln (3123/1000) <= 1139/1000 by enclose.
  lra.
have ss : sqrt s * sqrt s = s by apply: sqrt_sqrt; lra.
rewrite -(sqrt_square (6/5 * T)); last lra.
apply: sqrt_le_1_alt; rewrite /T.
have sl : s * ln 2 <= s * 0.69315 by apply: Rmult_le_compat_l; lra.
have rl : ell <= sqrt s * ell by nra.
have el : 0.3265 * 0.3265 <= ell * ell by nra.
lra.
Qed.

(* The closed forms, with a B after the widths; theta shares a B out. *)
Theorem closed_to_printed a theta C : 0 <= a -> 0 <= theta <= 1 -> 3.54 + 1.58 * a * theta <= C -> 5.89 + 0.93 * a * (1 - theta) <= C ->
  B * sqrt 2 * sqrt (s * ln 2 + ln (s * n * k * (k * B + 1))) * (s * n * B + 2 * sqrt (s * n * k * B)) + a * B <=
  C * T * (s * n * (u * B) ^ 2 + sqrt (s * n * k) * Rpower (u * B) (3/2)).
Proof.
move=> a0 th c1 c2; have [sn [snk [snB [p ul]]]] := products; have [e [r t]] := T_large.
have B0 : 0 < B by lra. have u0 : 0 < u by lra.
have rs : sqrt 2 <= 1.41422 by enclose. have rs' : 1.41421 <= sqrt 2 by enclose.
have rB : 1 <= sqrt B by rewrite -{1}sqrt_1; exact: sqrt_le_1_alt.
set y := sqrt (s * n * k); have y2 : sqrt 2 <= y by apply: sqrt_le_1_alt.
have yB : sqrt (s * n * k * B) = y * sqrt B by apply: sqrt_mult; lra.
have BB : sqrt B * sqrt B = B by apply: sqrt_sqrt; lra.
have uB : Rpower (u * B) (3/2) = (u * sqrt u) * (B * sqrt B).
  have p0 : 0 < u * B by nra.
  by rewrite -(rpower_pos _ p0) rpower_half3 // sqrt_mult; [ring | lra | lra].
rewrite uB yB; set X := s * n * B * B; set Y := y * (B * sqrt B).
have X1 : B <= X by rewrite /X; nra.
have Y1 : 1.41421 * B <= Y.
  have b : B <= B * sqrt B by nra.
  by rewrite /Y; apply: Rmult_le_compat; lra.
have us : 0.832550 <= sqrt u by apply: Rle_trans (_ : _ <= sqrt (ln 2)) _; [enclose | exact: sqrt_le_1_alt].
have uu : 0.57706 <= u * sqrt u by nra.
set l := sqrt (_ + _); have root : l <= 6/5 * T := root_of_log.
have l0 : 0 <= l by exact: sqrt_pos.
have -> : B * sqrt 2 * l * (s * n * B + 2 * (y * sqrt B)) = sqrt 2 * l * (X + 2 * Y) by rewrite /X /Y; ring.
have -> : s * n * (u * B) ^ 2 + y * (u * sqrt u * (B * sqrt B)) = u * u * X + u * sqrt u * Y by rewrite /X /Y; ring.
have first : sqrt 2 * l * (X + 2 * Y) <= 1.697064 * T * (X + 2 * Y).
  by apply: Rmult_le_compat_r; [lra | nra].
have rest : a * B <= T * (0.75387 * (a * theta) * X + 0.53307 * (a * (1 - theta)) * Y).
  have t1 : 0 <= a * theta by nra. have t2 : 0 <= a * (1 - theta) by nra.
  have h1 := Rmult_le_compat_l _ _ _ t1 X1; have h2 := Rmult_le_compat_l _ _ _ t2 Y1.
  apply: Rle_trans (_ : _ <= 1.3265 * (0.75387 * (a * theta) * X + 0.53307 * (a * (1 - theta)) * Y)) _; first by nra.
  by apply: Rmult_le_compat_r; [nra | lra].
have T0 : 0 <= T by lra.
have X0 : 0 <= X by lra. have Y0 : 0 <= Y by lra.
have fX : (1.697064 + 0.75387 * (a * theta)) * X <= C * (u * u) * X.
  apply: Rmult_le_compat_r => //.
  have : 0.48044 <= u * u by nra.
  nra.
have fY : (3.394128 + 0.53307 * (a * (1 - theta))) * Y <= C * (u * sqrt u) * Y.
  by apply: Rmult_le_compat_r => //; nra.
have := Rmult_le_compat_l _ _ _ T0 (Rplus_le_compat _ _ _ _ fX fY); lra.
Qed.
End PrintedForm.

(* For the widths of a run (Widths.v): S = #|S|, n = #|A|. *)
Theorem widths_printed (A S : finType) (K : nat) (beta a theta C : R) : is_discount beta ->
  (2 <= K)%nat -> (1 <= #|A|)%nat -> (1 <= #|S|)%nat ->
  0 <= a -> 0 <= theta <= 1 -> 3.54 + 1.58 * a * theta <= C -> 5.89 + 0.93 * a * (1 - theta) <= C ->
  width_bound A S K beta + a * (1 / (1 - beta)) <=
  C * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> [b0 b1] K2 A1 S1 a0 th c1 c2; have s1 := INR_ge1 S1; have n1 := INR_ge1 A1.
have k2 : 2 <= INR K by rewrite -[2]/(INR 2); apply: le_INR; apply/leP.
have B1 : 1 <= 1 / (1 - beta) by apply: (Rmult_le_reg_r (1 - beta)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
have u2 : ln 2 <= ln (INR K) by apply: Rcomplements.ln_le; lra.
have h := closed_to_printed s1 n1 k2 B1 u2 a0 th c1 c2; rewrite /printed_f /printed_log.
rewrite /Rdiv -(Rmult_1_l (/ (1 - beta))) -!/(1 / (1 - beta)); apply: Rle_trans h; apply: Req_le; congr (_ + _); last by rewrite Rmult_1_l.
rewrite /width_bound /wide_horizon /level card_prod mult_INR (Rmult_comm (INR #|A|)); congr (_ * sqrt _ * _).
have X1 : 0 < INR #|S| * INR #|A| * INR K * (INR K * (1 / (1 - beta)) + 1) 
  by apply: Rmult_lt_0_compat; [have : 1 <= INR #|S| * INR #|A| by [nra]; nra | nra].
rewrite -ln_pow; last lra.
rewrite -ln_mult //; [by congr ln; ring | by apply: pow_lt; lra].
Qed.
