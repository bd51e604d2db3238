(* From closed forms to the form in which Theorem 1 is printed, C (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta), for K >= 2:
   real analysis alone. *)

From kernel Require Import Prelude Sums Enclosures Values Moments Concentration Events Levels.

(* f(S,n,K,beta) = Sn (log K/(1-beta))^2 + sqrt(SnK) (log K/(1-beta))^(3/2), and log(SnK log K/(1-beta)). *)
Definition printed_f (S n K : nat) (beta : R) : R :=
  INR S * INR n * (ln (INR K) / (1 - beta)) ^ 2 + sqrt (INR S * INR n * INR K) * Rpower (ln (INR K) / (1 - beta)) (3/2).
Definition printed_log (S n K : nat) (beta : R) : R := ln (INR S * INR n * INR K * ln (INR K) / (1 - beta)).

Section PrintedForm.
Variables (s n k B u : R).
Hypotheses (s1 : 1 <= s) (n1 : 1 <= n) (B1 : 1 <= B).
Let ell := ln (s * n * k * u * B).
Let X := s * n * B * B.
Let Y := sqrt (s * n * k) * (B * sqrt B).

Lemma f_by_terms : 0 < u -> s * n * (u * B) ^ 2 + sqrt (s * n * k) * Rpower (u * B) (3/2) = u * u * X + u * sqrt u * Y.
Proof.
move=> u0; have p0 : 0 < u * B by nra.
by rewrite -(rpower_pos _ p0) rpower_half3 // (sqrt_mult u B); [rewrite /X /Y; ring | lra | lra].
Qed.

Lemma products : 1 <= s * n /\ 1 <= s * n * B /\ B <= X.
Proof. by have sn : 1 <= s * n by [nra]; have snB : 1 <= s * n * B by [nra]; split=> //; split=> //; rewrite /X; nra. Qed.

Lemma log_at_least v w : 0 < v -> 0 < w -> v <= k -> w <= u -> ln (v * w) <= ell.
Proof.
move=> v0 w0 kv uw; have [sn [snB _]] := products; apply: Rcomplements.ln_le; first nra.
by have : 0 <= k * u by [nra]; nra.
Qed.

(* K = 2: twice the largest value of an episode is less than f, up to a constant. *)
Lemma f_of_two : k = 2 -> u = ln 2 -> 0.3265 <= ell /\ 1.2965 * B <= u * u * X + u * sqrt u * Y.
Proof.
move=> k2 u2; have l : 0.69314 <= ln 2 by [enclose]; have [sn [snB BX]] := products; split.
  by have c : 0.3265 <= ln (2 * ln 2) by [enclose]; apply: Rle_trans c _; apply: log_at_least; lra.
have us : 0.83255 <= sqrt u by rewrite u2; enclose.
have rB : 1 <= sqrt B by rewrite -{1}sqrt_1; exact: sqrt_le_1_alt.
have y2 : 1.41421 <= sqrt (s * n * k).
  by apply: Rle_trans (_ : _ <= sqrt 2) _; [enclose | apply: sqrt_le_1_alt; nra].
have Y1 : 1.41421 * (B * 1) <= Y by rewrite /Y; factorwise.
have uu : 0.48044 <= u * u by nra. have uu' : 0.57706 <= u * sqrt u by nra.
by have : 0.48044 * B + 0.57706 * (1.41421 * (B * 1)) <= u * u * X + u * sqrt u * Y by [factorwise]; lra.
Qed.

Section Three.
Hypotheses (k3 : 3 <= k) (u3 : ln 3 <= u).

Lemma three : 1.098612 <= u /\ 1.2069 <= u * u /\ 1.15149 <= u * sqrt u /\ 1.1926 <= ell /\ 0 <= X /\ 0 <= Y.
Proof.
have l : 1.098612 <= ln 3 by [enclose]; have [sn [snB BX]] := products.
have us : 1.048145 <= sqrt u by apply: Rle_trans (_ : _ <= sqrt (ln 3)) _; [enclose | exact: sqrt_le_1_alt].
split; first lra; split; first nra; split; first nra; split.
  by have c : 1.1926 <= ln (3 * ln 3) by [enclose]; apply: Rle_trans c _; apply: log_at_least; lra.
by split; [lra | apply: Rmult_le_pos (sqrt_pos _) _; apply: Rmult_le_pos (sqrt_pos _); lra].
Qed.

(* log(c SnK(KB+1)) <= log(1.10477 c) + 2 ell. *)
Lemma log_of_square c : 0 < c -> 0 < c * (s * n * k * (k * B + 1)) /\ ln (c * (s * n * k * (k * B + 1))) <= ln (1.10477 * c) + 2 * ell.
Proof.
move=> c0; have [ul [uu [_ [e _]]]] := three; have [sn [snB _]] := products.
have snk : 3 <= s * n * k by nra. have kB : 3 <= k * B by nra.
have snku : 3 * 1.098612 <= s * n * k * u by apply: Rmult_le_compat; lra.
have x1 : 1 < s * n * k * u * B by nra.
have q : s * n * k * (k * B + 1) <= 1.10477 * ((s * n * k * u * B) * (s * n * k * u * B)).
  have b : s * n * k * (k * B + 1) * 1 <= s * n * k * (4/3 * (k * B)) * (s * n * B) by factorwise.
  by have : s * n * k * B * (s * n * k * B) * (4/3) <= s * n * k * B * (s * n * k * B) * (1.10477 * (u * u)) by [factorwise]; lra.
have p : 0 < s * n * k * (k * B + 1) by apply: Rmult_lt_0_compat; lra.
split; first exact: Rmult_lt_0_compat.
apply: Rle_trans (_ : _ <= ln (1.10477 * c * ((s * n * k * u * B) * (s * n * k * u * B)))) _.
  apply: Rcomplements.ln_le; first exact: Rmult_lt_0_compat.
  by have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ c0) q; lra.
rewrite ln_mult; [|lra|by apply: Rmult_lt_0_compat; lra].
by rewrite (ln_mult (s * n * k * u * B)); [rewrite -/ell; lra | lra | lra].
Qed.

(* S log 2 + log(SnK(KB+1)) <= (7/10) (sqrt S + ell)^2. *)
Lemma root_of_log : sqrt (s * ln 2 + ln (s * n * k * (k * B + 1))) <= 0.83667 * (sqrt s + ell).
Proof.
have [ul [_ [_ [e _]]]] := three; have r : 1 <= sqrt s by rewrite -{1}sqrt_1; exact: sqrt_le_1_alt.
have l : ln 2 <= 0.69315 by enclose. have l' : ln (1.10477 * 1) <= 0.09965 by enclose.
have [_ lq] := log_of_square Rlt_0_1; rewrite Rmult_1_l in lq.
have ss : sqrt s * sqrt s = s by apply: sqrt_sqrt; lra.
rewrite -(sqrt_square (0.83667 * (sqrt s + ell))); last lra.
apply: sqrt_le_1_alt; have sl : s * ln 2 <= s * 0.69315 by apply: Rmult_le_compat_l; lra.
by nra.
Qed.
End Three.

(* The closed forms, with a B after the widths, and what no regret exceeds. *)
Theorem closed_to_printed r a C : k = 2 /\ u = ln 2 \/ 3 <= k /\ ln 3 <= u -> 0 <= a ->
  0.9805 + 0.378 * a <= C -> 2.0553 <= C -> r <= k * B ->
  r <= B * sqrt 2 * sqrt (s * ln 2 + ln (s * n * k * (k * B + 1))) * (s * n * B + 2 * sqrt (s * n * k * B)) + a * B ->
  r <= C * (sqrt s + ell) * (s * n * (u * B) ^ 2 + sqrt (s * n * k) * Rpower (u * B) (3/2)).
Proof.
move=> ku a0 c1 c2 few many; have [sn [snB BX]] := products; have r1 : 1 <= sqrt s by rewrite -{1}sqrt_1; exact: sqrt_le_1_alt.
case: ku => [[k2 u2]|[k3 u3]].
  have [e f] := f_of_two k2 u2; rewrite f_by_terms; last by rewrite u2 -ln_1; apply: ln_increasing; lra.
  apply: Rle_trans few _; rewrite k2 in f e *; have T : 1.3265 <= sqrt s + ell by lra.
  have CT : 2.0553 * 1.3265 <= C * (sqrt s + ell) by apply: Rmult_le_compat; lra.
  by apply: Rle_trans (Rmult_le_compat _ _ _ _ _ _ CT f); lra.
have [ul [uu [us [e [X0 Y0]]]]] := three k3 u3; rewrite f_by_terms; last lra.
apply: Rle_trans many _; set T := sqrt s + ell; have T0 : 2.1926 <= T by rewrite /T; lra.
have rs : sqrt 2 <= 1.41422 by enclose.
have yB : sqrt (s * n * k * B) = sqrt (s * n * k) * sqrt B by apply: sqrt_mult; nra.
set l := sqrt (_ + _); have root : l <= 0.83667 * T := root_of_log k3 u3.
have -> : B * sqrt 2 * l * (s * n * B + 2 * sqrt (s * n * k * B)) = sqrt 2 * l * (X + 2 * Y) by rewrite yB /X /Y; ring.
have first : sqrt 2 * l * (X + 2 * Y) <= 1.41422 * (0.83667 * T) * (X + 2 * Y) by factorwise.
have rest : a * B * 2.1926 <= a * X * T by factorwise.
have : T * ((0.9805 + 0.378 * a) * 1.2069 * X + 2.0553 * 1.15149 * Y) <= T * (C * (u * u) * X + C * (u * sqrt u) * Y) by factorwise.
have TX : 0 <= T * X by nonneg. have TY : 0 <= T * Y by nonneg. have aTX : 0 <= a * (T * X) by nonneg.
lra.
Qed.
End PrintedForm.

Lemma two_or_more K : (2 <= K)%nat -> INR K = 2 /\ ln (INR K) = ln 2 \/ 3 <= INR K /\ ln 3 <= ln (INR K).
Proof.
case: K => [|[|[|K]]] // _; [by left; rewrite (_ : INR 2 = 2) | right].
have k3 : 3 <= INR K.+3 by rewrite !S_INR; have := pos_INR K; lra.
by split=> //; apply: Rcomplements.ln_le; lra.
Qed.

(* For the widths of a run (Radii.v): S = #|S|, n = #|A|. *)
Theorem widths_printed (A S : finType) (K : nat) (beta r a C : R) : is_discount beta ->
  (2 <= K)%nat -> (1 <= #|A|)%nat -> (1 <= #|S|)%nat -> 0 <= a -> 0.9805 + 0.378 * a <= C -> 2.0553 <= C ->
  r <= INR K * (1 / (1 - beta)) -> r <= width_bound A S K beta + a * (1 / (1 - beta)) ->
  r <= C * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> [b0 b1] K2 A1 S1 a0 c1 c2 few many; have s1 := INR_ge1 S1; have n1 := INR_ge1 A1.
have k2 : 2 <= INR K by rewrite -[2]/(INR 2); apply: le_INR; apply/leP.
have B1 : 1 <= 1 / (1 - beta) by apply: (Rmult_le_reg_r (1 - beta)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
have h := closed_to_printed s1 n1 B1 (two_or_more K2) a0 c1 c2 few; rewrite /printed_f /printed_log.
rewrite /Rdiv -(Rmult_1_l (/ (1 - beta))) -!/(1 / (1 - beta)); apply: h; apply: Rle_trans many _.
apply: Req_le; congr (_ + _).
rewrite /width_bound /wide_horizon /level card_prod mult_INR (Rmult_comm (INR #|A|)); congr (_ * sqrt _ * _).
have X1 : 0 < INR #|S| * INR #|A| * INR K * (INR K * (1 / (1 - beta)) + 1).
  by apply: Rmult_lt_0_compat; [have : 1 <= INR #|S| * INR #|A| by [nra]; nra | nra].
rewrite -ln_pow; last lra.
by rewrite -ln_mult //; [congr ln; ring | apply: pow_lt; lra].
Qed.
