(* Lemma moment: moments of the longest of K episodes. Where it fails, what holds in its place, and where it holds
   as printed for the exponents that the paper uses. *)

From kernel Require Import Limits Sums Values Enclosures Horizons.

(* x^alpha for x >= 0 and alpha > 0, with 0^alpha = 0. *)
Definition rpower (x alpha : R) : R := if Rle_dec x 0 then 0 else Rpower x alpha.

(* P(max_k H_k <= m) and P(max_k H_k = m), for K independent geometric lengths. *)
Definition max_at_most (beta : R) (K m : nat) : R := at_most beta m ^ K.
Definition max_is (beta : R) (K m : nat) : R := max_at_most beta K m - max_at_most beta K m.-1.

(* E[max_k (H_k)^alpha]. *)
Definition moment (beta : R) (K : nat) (alpha : R) : R :=
  Series (fun i => rpower (INR i.+1) alpha * max_is beta K i.+1).

(* Lemma moment, for one K and one alpha, and as printed. *)
Definition lemma_moment_for (K : nat) (alpha : R) := forall beta, is_discount beta ->
  moment beta K alpha <= 5 + 5 * rpower (ln (INR K) / (1 - beta)) alpha.
Definition lemma_moment := forall K alpha, (1 <= K)%nat -> 1 <= alpha <= 5/2 -> lemma_moment_for K alpha.

(* 1 + 1/2 + ... + 1/K. *)
Definition harmonic (K : nat) : R := \sum_(j < K) / INR j.+1.
Definition harmonic2 (K : nat) : R := \sum_(j < K) / (INR j.+1 * INR j.+1).

(* ---------------------------------------------------------------- Partial sums, for natural exponents *)

Section Partial.
Variable beta : R.
Hypothesis discount : is_discount beta.
Notation G := (max_at_most beta).

Definition partial (p K N : nat) : R := \sum_(i < N) (INR i.+1 ^ p * max_is beta K i.+1).
Definition increment (p i : nat) : R := INR i.+1 ^ p - INR i ^ p.
Definition tails (p K N : nat) : R := \sum_(i < N) (increment p i * (1 - G K i)).

Lemma G_closed K m : G K m = (1 - beta ^ m) ^ K.
Proof. by rewrite /max_at_most at_most_closed. Qed.

Lemma G_range K m : 0 <= G K m <= 1.
Proof.
rewrite G_closed; have := power_range discount m => h.
by split; [apply: pow_le; lra | rewrite -[X in _ <= X](pow1 K); apply: pow_incr; lra].
Qed.

Lemma G_step K m : G K m <= G K m.+1.
Proof.
rewrite !G_closed; apply: pow_incr; have := power_range discount m; have := power_range discount m.+1.
case: discount => b0 b1 /=; set u := beta ^ m => h1 h2; nra.
Qed.

Lemma max_is_nonneg K i : 0 <= max_is beta K i.+1.
Proof. by have := G_step K i; rewrite /max_is /=; lra. Qed.

Lemma increment_nonneg p i : 0 <= increment p i.
Proof.
have : INR i ^ p <= INR i.+1 ^ p by apply: pow_incr; rewrite S_INR; have := pos_INR i; lra.
rewrite /increment; lra.
Qed.

(* Summation by parts. *)
Lemma by_parts (f : nat -> R) K N : f 0%nat = 0 -> (forall i, f i <= f i.+1) ->
  \sum_(i < N) (f i.+1 * max_is beta K i.+1) <= \sum_(i < N) ((f i.+1 - f i) * (1 - G K i)).
Proof.
move=> f0 up; have fN : 0 <= f N by rewrite -f0; exact: (@steps_up f N).
have <- : \sum_(i < N) (f i.+1 * max_is beta K i.+1) + f N * (1 - G K N) = \sum_(i < N) ((f i.+1 - f i) * (1 - G K i)).
  by elim: N {fN} => [|N IH]; [rewrite /= f0; ring | rewrite !sum_recr -IH /max_is [N.+1.-1]/=; ring].
by have := Rmult_le_pos _ _ fN (ltac:(have := G_range K N; lra) : 0 <= 1 - G K N); lra.
Qed.

Lemma partial_at_most_tails p K N : partial p.+1 K N <= tails p.+1 K N.
Proof.
apply: (by_parts (f := fun i => INR i ^ p.+1)) => [|i]; first by rewrite pow_i //; apply/ltP.
by have := increment_nonneg p.+1 i; rewrite /increment; lra.
Qed.

(* The slope of b^(K+1) - a^(K+1) is between (K+1) a^K and (K+1) b^K for 0 <= a <= b. *)
Lemma power_convex (a b : R) K : 0 <= a <= b ->
  INR K.+1 * a ^ K * (b - a) <= b ^ K.+1 - a ^ K.+1 <= INR K.+1 * b ^ K * (b - a).
Proof.
move=> ab; elim: K => [|K [IH1 IH2]]; first by rewrite /=; lra.
have p0 := pow_le a K (proj1 ab); have q0 := pow_le b K (ltac:(lra)); have n0 := pos_INR K.+1.
rewrite (S_INR K.+1); move: (INR K.+1) n0 IH1 IH2 => n n0; rewrite /=; move: (a ^ K) (b ^ K) p0 q0 => p q p0 q0 IH1 IH2.
have := Rmult_le_compat_l b _ _ (ltac:(lra)) IH1; have := Rmult_le_compat_l a _ _ (proj1 ab) IH2.
have d0 := Rle_0_sqr (b - a); have := Rmult_le_pos _ _ (Rmult_le_pos _ _ n0 p0) d0.
by have := Rmult_le_pos _ _ (Rmult_le_pos _ _ n0 q0) d0; rewrite /Rsqr; lra.
Qed.

(* One more episode. *)
Lemma tails_step p K N :
  tails p.+1 K.+1 N <= tails p.+1 K N + INR p.+1 / (1 - beta) / INR K.+1 * partial p K.+1 N.
Proof.
rewrite /tails /partial -sum_to_scale -sum_to_add; apply: sum_to_le => i _.
case: (discount) => b0 b1; have x0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have K0 : 0 < INR K.+1 by apply: lt_0_INR; lia.
have u := power_range discount i; have u' := power_range discount i.+1.
have ab : 0 <= 1 - beta ^ i <= 1 - beta ^ i.+1 by rewrite /=; nra.
have [conv _] := power_convex K ab.
have e : 1 - beta ^ i.+1 - (1 - beta ^ i) = (1 - beta) * beta ^ i by rewrite /=; ring.
rewrite e -!G_closed in conv.
have gain : G K i * beta ^ i <= / (1 - beta) / INR K.+1 * max_is beta K.+1 i.+1.
  apply: (Rmult_le_reg_l (INR K.+1 * (1 - beta))); first by apply: Rmult_lt_0_compat; lra.
  rewrite (_ : _ * (/ (1 - beta) / INR K.+1 * _) = max_is beta K.+1 i.+1); last by field; lra.
  by rewrite /max_is [i.+1.-1]/=; lra.
have diff : 1 - G K.+1 i = (1 - G K i) + G K i * beta ^ i by rewrite !G_closed /=; ring.
rewrite diff Rmult_plus_distr_l; apply: Rplus_le_compat_l.
have inc0 := increment_nonneg p.+1 i; have [_] := @power_convex (INR i) (INR i.+1) p (ltac:(rewrite S_INR; have := pos_INR i; lra)).
rewrite -/(increment p.+1 i) (_ : INR i.+1 - INR i = 1) ?Rmult_1_r => [inc|]; last by rewrite S_INR; ring.
apply: Rle_trans (_ : _ <= INR p.+1 * INR i.+1 ^ p * (/ (1 - beta) / INR K.+1 * max_is beta K.+1 i.+1)) _.
  apply: Rmult_le_compat => //; have := G_range K i => g; apply: Rmult_le_pos; lra.
by apply: Req_le; rewrite /Rdiv; ring.
Qed.

Lemma harmonic_nonneg K : 0 <= harmonic K.
Proof. by apply: sum_to_nonneg => i _; left; apply: Rinv_0_lt_compat; apply: lt_0_INR; lia. Qed.

Lemma harmonic_step K : harmonic K.+1 = harmonic K + / INR K.+1. Proof. by []. Qed.

Lemma partial_0 K N : partial 0 K N <= 1.
Proof.
suff -> : partial 0 K N = G K N - G K 0 by have := G_range K N; have := G_range K 0; lra.
elim: N => [|N IH]; first by rewrite /partial /=; lra.
by rewrite /partial sum_recr -/(partial 0 K N) IH /max_is /=; lra.
Qed.

Lemma tails_0 p N : tails p 0 N = 0.
Proof.
rewrite /tails (@sum_to_ext N _ (fun _ => 0)) ?sum_to_const; first by ring.
by move=> i _; rewrite G_closed /=; ring.
Qed.

(* The p-th moment of the longest of K lengths, for every natural p. *)
Lemma partial_factorial p K N : partial p K N <= INR (fact p) * (harmonic K / (1 - beta)) ^ p.
Proof.
case: (discount) => b0 b1; have x0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
elim: p K => [|p IH] K; first by rewrite /=; have := partial_0 K N; lra.
apply: Rle_trans (partial_at_most_tails _ _ _) _.
elim: K => [|K IHK].
  by rewrite tails_0; apply: Rmult_le_pos; [exact: pos_INR | apply: pow_le; apply: Rmult_le_pos; [exact: harmonic_nonneg | lra]].
have K0 : 0 < / INR K.+1 by apply: Rinv_0_lt_compat; apply: lt_0_INR; lia.
have h0 := harmonic_nonneg K; apply: Rle_trans (tails_step _ _ _) _.
have c0 : 0 <= INR p.+1 / (1 - beta) / INR K.+1 by nonneg.
have := Rmult_le_compat_l _ _ _ c0 (IH K.+1); move=> le.
have grow : (harmonic K / (1 - beta)) ^ p.+1 + / (1 - beta) / INR K.+1 * (harmonic K.+1 / (1 - beta)) ^ p
    <= (harmonic K.+1 / (1 - beta)) ^ p.+1.
  have y0 : 0 <= harmonic K / (1 - beta) by apply: Rmult_le_pos; lra.
  have yy : harmonic K.+1 / (1 - beta) = harmonic K / (1 - beta) + / (1 - beta) / INR K.+1.
    by rewrite harmonic_step /Rdiv; ring.
  have d0 : 0 <= / (1 - beta) / INR K.+1 by apply: Rmult_le_pos; lra.
  rewrite yy; move: (harmonic K / (1 - beta)) (/ (1 - beta) / INR K.+1) y0 d0 => y d y0 d0 /=.
  have : y ^ p <= (y + d) ^ p by apply: pow_incr; lra.
  by move=> m; have := Rmult_le_compat_l _ _ _ y0 m; lra.
have fp : INR (fact p.+1) = INR p.+1 * INR (fact p) by rewrite -mult_INR.
have e : INR p.+1 / (1 - beta) / INR K.+1 * (INR (fact p) * (harmonic K.+1 / (1 - beta)) ^ p)
   = INR (fact p.+1) * (/ (1 - beta) / INR K.+1 * (harmonic K.+1 / (1 - beta)) ^ p) by rewrite fp /Rdiv; ring.
rewrite e in le; have f1 : 0 <= INR (fact p.+1) := pos_INR _.
have := Rmult_le_compat_l _ _ _ f1 grow; lra.
Qed.

(* The second moment, without loss. *)
Lemma partial_second K N : partial 2 K N <= (harmonic K * harmonic K + harmonic2 K) / ((1 - beta) * (1 - beta)).
Proof.
case: (discount) => b0 b1; have x0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
apply: Rle_trans (partial_at_most_tails _ _ _) _; elim: K => [|K IHK].
  by rewrite tails_0 /harmonic /harmonic2 /=; apply: Req_le; field; lra.
have K0 : 0 < INR K.+1 by apply: lt_0_INR; lia.
apply: Rle_trans (tails_step _ _ _) _; have first := partial_factorial 1 K.+1 N.
have c0 : 0 <= INR 2 / (1 - beta) / INR K.+1 by nonneg.
have := Rmult_le_compat_l _ _ _ c0 first; move=> le; apply: Rle_trans (Rplus_le_compat _ _ _ _ IHK le) _.
rewrite harmonic_step (_ : harmonic2 K.+1 = harmonic2 K + / (INR K.+1 * INR K.+1)) //; apply: Req_le.
by rewrite pow_1 (_ : INR 2 = 2) // (_ : INR (fact 1) = 1) //; field; lra.
Qed.
End Partial.

(* ---------------------------------------------------------------- Logarithms *)

Lemma ln_at_most (z : R) : 0 < z -> ln z <= z - 1.
Proof.
move=> z0; rewrite -[X in _ <= X]ln_exp; apply: ln_le => //.
case: (Req_dec (z - 1) 0) => [e|ne]; first by rewrite e exp_0; lra.
by have := exp_ineq1 _ ne; lra.
Qed.

Lemma ln_step n : (1 <= n)%nat -> / INR n.+1 <= ln (INR n.+1) - ln (INR n).
Proof.
move=> n1; have n0 := INR_pos n1; have n0' := INR_pos (leqW n1).
have := ln_at_most (Rdiv_lt_0_compat _ _ n0 n0'); rewrite ln_div //.
rewrite (_ : INR n / INR n.+1 - 1 = - / INR n.+1); first lra.
by rewrite S_INR; field; rewrite -S_INR; lra.
Qed.

Lemma ln_nonneg n : (1 <= n)%nat -> 0 <= ln (INR n).
Proof.
move=> n1; rewrite -ln_1; apply: ln_le; first lra.
by rewrite -[X in X <= _]/(INR 1); apply: le_INR; apply/leP.
Qed.

Lemma harmonic_log K : (1 <= K)%nat -> harmonic K <= 1 + ln (INR K).
Proof.
case: K => // K _; elim: K => [|K IH]; first by rewrite /harmonic /= ln_1; lra.
by rewrite harmonic_step; have := ln_step (ltn0Sn K); lra.
Qed.

Lemma second_log K : (1 <= K)%nat ->
  harmonic K * harmonic K + harmonic2 K <= (ln (INR K) + sqrt 2) * (ln (INR K) + sqrt 2).
Proof.
have q : sqrt 2 * sqrt 2 = 2 by apply: sqrt_sqrt; lra. have q1 : 141/100 <= sqrt 2 by enclose.
case: K => // K _; elim: K => [|K IH].
  by rewrite /harmonic /harmonic2 /= ln_1; lra.
rewrite harmonic_step (_ : harmonic2 K.+2 = harmonic2 K.+1 + / (INR K.+2 * INR K.+2)) //.
have step := ln_step (ltn0Sn K); have h := harmonic_log (ltn0Sn K.+1); rewrite harmonic_step in h.
have l0 := ln_nonneg (ltn0Sn K); have K0 := INR_pos (ltn0Sn K.+1).
have d0 : 0 < / INR K.+2 by exact: Rinv_0_lt_compat.
rewrite Rinv_mult.
have a0 := harmonic_nonneg K.+1; have gap : ln (INR K.+2) - ln (INR K.+1) <= 7/10.
  rewrite -ln_div //; last exact: INR_pos.
  apply: Rle_trans (_ : _ <= ln 2) _; last by enclose.
  have k0 := INR_pos (ltn0Sn K); apply: ln_le; first exact: Rdiv_lt_0_compat.
  apply: (Rmult_le_reg_r (INR K.+1)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; last lra.
  by have := pos_INR K; rewrite !S_INR; lra.
by nra.
Qed.

(* ---------------------------------------------------------------- The repaired lemma *)

Lemma rpower_pos x alpha : 0 < x -> rpower x alpha = Rpower x alpha.
Proof. by move=> x0; rewrite /rpower; case: (Rle_dec x 0) => // h; lra. Qed.

Lemma rpower_nat x p : 0 < x -> rpower x (INR p) = x ^ p.
Proof. by move=> x0; rewrite rpower_pos // Rpower_pow. Qed.

Lemma rpower_half3 x : 0 < x -> rpower x (3/2) = x * sqrt x.
Proof.
by move=> x0; rewrite rpower_pos // (_ : 3/2 = 1 + / 2) ?Rpower_plus ?Rpower_1 ?Rpower_sqrt //; lra.
Qed.

Lemma rpower_root x : 0 < x -> rpower x (3/2) = sqrt (x ^ 3).
Proof.
move=> x0; rewrite rpower_half3 // (_ : x ^ 3 = x * x * x); last by rewrite /=; ring.
by rewrite sqrt_mult_alt ?sqrt_square; nra.
Qed.

Section Repaired.
Variables (beta : R) (K : nat).
Hypotheses (discount : is_discount beta) (K1 : (1 <= K)%nat).
Let x := / (1 - beta).

Lemma x_pos : 0 < x. Proof. by case: discount => b0 b1; apply: Rinv_0_lt_compat; lra. Qed.

Lemma term_nonneg alpha i : 0 <= rpower (INR i.+1) alpha * max_is beta K i.+1.
Proof.
apply: Rmult_le_pos; last exact: max_is_nonneg.
by rewrite rpower_pos; [left; exact: exp_pos | exact: INR_pos].
Qed.

Lemma moment_of alpha M : (forall N, \sum_(i < N) (rpower (INR i.+1) alpha * max_is beta K i.+1) <= M) -> moment beta K alpha <= M.
Proof. by move=> bound; case: (nonneg_series (term_nonneg alpha) bound) => _ []. Qed.

Lemma partial_of p N :
  \sum_(i < N) (rpower (INR i.+1) (INR p) * max_is beta K i.+1) = partial beta p K N.
Proof. by apply: sum_to_ext => i _; rewrite rpower_nat //; exact: INR_pos. Qed.

(* For every natural exponent: E[max H^p] <= p! ((1 + log K)/(1 - beta))^p.
   step of: lem:moment/repair-one-plus-log *)
Theorem moment_natural p : moment beta K (INR p) <= INR (fact p) * ((1 + ln (INR K)) / (1 - beta)) ^ p.
Proof.
apply: moment_of => N; rewrite partial_of; apply: Rle_trans (partial_factorial discount _ _ _) _.
apply: Rmult_le_compat_l; first exact: pos_INR.
apply: pow_incr; have := x_pos; rewrite /x => x0; have h0 := harmonic_nonneg K; have h1 := harmonic_log K1.
by split; [apply: Rmult_le_pos; lra | apply: Rmult_le_compat_r; lra].
Qed.

(* E[max H] <= (log K + 1)/(1 - beta).
   step of: lem:moment/repair *)
Theorem moment_one : moment beta K 1 <= (ln (INR K) + 1) / (1 - beta).
Proof. by have := moment_natural 1; rewrite pow_1 /= Rmult_1_l (Rplus_comm 1). Qed.

(* E[max H^2] <= ((log K + sqrt 2)/(1 - beta))^2.
   step of: lem:moment/repair *)
Theorem moment_two : moment beta K 2 <= ((ln (INR K) + sqrt 2) / (1 - beta)) ^ 2.
Proof.
apply: moment_of => N; rewrite (_ : 2 = INR 2) // partial_of.
apply: Rle_trans (partial_second discount _ _) _; have := x_pos; rewrite /x => x0.
rewrite (_ : (_ / _) ^ 2 = (ln (INR K) + sqrt (INR 2)) * (ln (INR K) + sqrt (INR 2)) * (/ (1 - beta) * / (1 - beta))).
  case: discount => b0 b1; rewrite /Rdiv Rinv_mult; apply: Rmult_le_compat_r; first nra.
  exact: second_log.
by rewrite /Rdiv; ring.
Qed.

(* E[max H^(3/2)], from the first two moments. *)
Lemma partial_half3 a b N : 0 < a -> 0 < b -> partial beta 1 K N <= a -> partial beta 2 K N <= b ->
  \sum_(i < N) (rpower (INR i.+1) (3/2) * max_is beta K i.+1) <= sqrt (a * b).
Proof.
move=> a0 b0 ha hb; have uu := sqrt_sqrt a (Rlt_le _ _ a0); have vv := sqrt_sqrt b (Rlt_le _ _ b0).
rewrite sqrt_mult; try lra; move: (sqrt a) (sqrt b) (sqrt_lt_R0 _ a0) (sqrt_lt_R0 _ b0) uu vv => u v u0 v0 uu vv.
have c1 : 0 <= v / (2 * u) by apply: Rdiv_le_0_compat; lra. have c2 : 0 <= u / (2 * v) by apply: Rdiv_le_0_compat; lra.
apply: Rle_trans (_ : _ <= v / (2 * u) * partial beta 1 K N + u / (2 * v) * partial beta 2 K N) _.
  rewrite /partial -!sum_to_scale -sum_to_add; apply: sum_to_le => i _; rewrite -!Rmult_assoc -Rmult_plus_distr_r.
  apply: Rmult_le_compat_r; first exact: max_is_nonneg.
  rewrite rpower_half3; last exact: INR_pos.
  move: (sqrt _) (sqrt_sqrt _ (pos_INR i.+1)) => q <-.
  have : 0 <= (q * (v - u * q)) * (q * (v - u * q)) / (2 * u * v) by apply: Rdiv_le_0_compat; [exact: Rle_0_sqr | nra].
  by rewrite (_ : _ / (2 * u * v) = v / (2 * u) * (q * q) ^ 1 + u / (2 * v) * (q * q) ^ 2 - q * q * q); [lra | field; lra].
apply: Rle_trans (Rplus_le_compat _ _ _ _ (Rmult_le_compat_l _ _ _ c1 ha) (Rmult_le_compat_l _ _ _ c2 hb)) _.
by apply: Req_le; rewrite -uu -vv; field; lra.
Qed.

Lemma harmonic_pos : 1 <= harmonic K.
Proof.
case: K K1 => // k _; elim: k => [|k IH]; first by rewrite /harmonic /=; lra.
rewrite harmonic_step; have : 0 < / INR k.+2 by apply: Rinv_0_lt_compat; exact: INR_pos.
lra.
Qed.

Lemma harmonic2_nonneg : 0 <= harmonic2 K.
Proof.
apply: sum_to_nonneg => i _; left; apply: Rinv_0_lt_compat; have := INR_pos (ltn0Sn i) => h; exact: Rmult_lt_0_compat.
Qed.

Lemma moment_half3_of e1 e2 : harmonic K <= e1 -> harmonic K * harmonic K + harmonic2 K <= e2 ->
  moment beta K (3/2) <= sqrt (e1 * e2 * x ^ 3).
Proof.
move=> h1 h2; have x0 := x_pos; have p := harmonic_pos; have p2 := harmonic2_nonneg.
have e10 : 0 < e1 by lra. have e20 : 0 < e2 by nra.
apply: moment_of => N; rewrite (_ : e1 * e2 * x ^ 3 = (e1 * x) * (e2 * (x * x))); last by rewrite /=; ring.
apply: partial_half3.
- exact: Rmult_lt_0_compat.
- by apply: Rmult_lt_0_compat => //; exact: Rmult_lt_0_compat.
- apply: Rle_trans (partial_factorial discount _ _ _) _; rewrite pow_1 /= Rmult_1_l.
  by apply: Rmult_le_compat_r => //; exact: Rlt_le.
- apply: Rle_trans (partial_second discount _ _) _; rewrite /Rdiv Rinv_mult.
  by apply: Rmult_le_compat_r => //; rewrite -/x; nra.
Qed.

(* The moments that Theorem 1 needs, against those of the largest of K exponential variables: with h = 1 + ... + 1/K and
   h2 = 1 + ... + 1/K^2 they have the first moment h and the second h^2 + h2.
   ledger: lem:moment/repair-exponential/used *)
Theorem moment_harmonic :
  moment beta K 1 <= harmonic K / (1 - beta) /\
  moment beta K 2 <= (harmonic K ^ 2 + harmonic2 K) / (1 - beta) ^ 2 /\
  moment beta K (3/2) <= sqrt (harmonic K * (harmonic K ^ 2 + harmonic2 K)) * rpower (/ (1 - beta)) (3/2).
Proof.
have x0 := x_pos; split; last split.
- apply: moment_of => N; rewrite (_ : 1 = INR 1) // partial_of.
  by have := partial_factorial discount 1 K N; rewrite pow_1 (_ : INR (fact 1) = 1) // Rmult_1_l.
- apply: moment_of => N; rewrite (_ : 2 = INR 2) // partial_of.
  have := partial_second discount K N; rewrite (_ : harmonic K ^ 2 = harmonic K * harmonic K); last by rewrite /=; ring.
  by rewrite (_ : (1 - beta) ^ 2 = (1 - beta) * (1 - beta)); last by rewrite /=; ring.
- have p := harmonic_pos; have p2 := harmonic2_nonneg; rewrite rpower_root // -sqrt_mult_alt; last by nra.
  by apply: moment_half3_of; [exact: Rle_refl | rewrite /=; lra].
Qed.

(* E[max H^(3/2)] <= sqrt 2 ((1 + log K)/(1 - beta))^(3/2); Gamma(5/2) = 1.329... in place of sqrt 2 = 1.414... is
   the ledger's.
   step of: lem:moment/repair-one-plus-log *)
Theorem moment_three_halves : moment beta K (3/2) <= sqrt 2 * rpower ((1 + ln (INR K)) / (1 - beta)) (3/2).
Proof.
have x0 := x_pos; have h := harmonic_log K1; have l0 := ln_nonneg K1; have p := harmonic_pos.
set y := 1 + ln (INR K) in h *; have y1 : 1 <= y by rewrite /y; lra.
have h2 : harmonic2 K <= harmonic K * harmonic K.
  rewrite /harmonic /harmonic2; elim: (K) => [|k IH]; first by rewrite /=; lra.
  rewrite !sum_recr Rinv_mult; have := harmonic_nonneg k; rewrite /harmonic => a0.
  have d0 : 0 < / INR k.+1 by apply: Rinv_0_lt_compat; exact: INR_pos.
  by nra.
have le := moment_half3_of h (_ : _ <= 2 * (y * y)); apply: Rle_trans (le _) _; first nra.
rewrite rpower_root; last by apply: Rdiv_lt_0_compat; case: discount; lra.
by rewrite -sqrt_mult_alt; [apply: Req_le; congr sqrt; rewrite /Rdiv -/x; ring | lra].
Qed.

End Repaired.

Lemma ln_INR_le m n : (1 <= m <= n)%nat -> ln (INR m) <= ln (INR n).
Proof.
case/andP => m1 mn; apply: ln_le; first exact: INR_pos.
by apply: le_INR; apply/leP.
Qed.

(* Lemma moment holds as printed for alpha = 1 and 3/2 from K = 2 on, and for alpha = 2 from K = 3 on.
   ledger: lem:moment/used
   step of: lem:moment *)
Theorem moment_as_printed K : (2 <= K)%nat ->
  lemma_moment_for K 1 /\ lemma_moment_for K (3/2) /\ ((3 <= K)%nat -> lemma_moment_for K 2).
Proof.
move=> K2; have K1 : (1 <= K)%nat by exact: ltnW.
have l2 : 69/100 <= ln (INR K) by apply: Rle_trans (ln_INR_le (m := 2) _); [rewrite /=; enclose | rewrite K2].
split=> [beta d|]; last split=> [beta d|K3 beta d].
- have x0 := x_pos d; apply: Rle_trans (moment_one d K1) _; rewrite rpower_pos; last first.
    by apply: Rmult_lt_0_compat; lra.
  rewrite Rpower_1; last by apply: Rmult_lt_0_compat; lra.
  by rewrite /Rdiv; nra.
- have x0 := x_pos d.
  have h2 := second_log K1; have h1 := harmonic_log K1; have q1 : sqrt 2 <= 1415/1000 by enclose. have q0 := sqrt_pos 2.
  apply: Rle_trans (moment_half3_of d K1 h1 h2) _; rewrite rpower_root; last by apply: Rmult_lt_0_compat; lra.
  move: (ln (INR K)) l2 {h1 h2} => l l2; set bound := sqrt _; suff : bound <= 5 * sqrt ((l / (1 - beta)) ^ 3) by lra.
  rewrite -[X in X * sqrt (_ ^ _)](sqrt_square 5); last lra.
  rewrite -sqrt_mult_alt; last lra.
  apply: sqrt_le_1_alt; rewrite /Rdiv Rpow_mult_distr -[X in _ <= X]Rmult_assoc; apply: Rmult_le_compat_r; first by apply: pow_le; lra.
  have b3 : (l + sqrt 2) * (l + sqrt 2) <= 306/100 * l * (306/100 * l) by apply: Rmult_le_compat; lra.
  by nra.
- have x0 := x_pos d; have l3 : 1098/1000 <= ln (INR K) by apply: Rle_trans (ln_INR_le (m := 3) _); [rewrite /=; enclose | rewrite K3].
  have r : rpower (ln (INR K) / (1 - beta)) 2 = (ln (INR K) * ln (INR K)) * (/ (1 - beta) * / (1 - beta)).
    by rewrite (_ : 2 = INR 2) // rpower_nat; [rewrite /Rdiv /=; ring | apply: Rmult_lt_0_compat; lra].
  have xx : 0 < / (1 - beta) * / (1 - beta) by exact: Rmult_lt_0_compat.
  have bound c : moment beta K 2 <= c * (/ (1 - beta) * / (1 - beta)) -> c <= 5 * (ln (INR K) * ln (INR K)) ->
      moment beta K 2 <= 5 + 5 * rpower (ln (INR K) / (1 - beta)) 2 by nra.
  case: (leqP 4 K) => K4.
    have l4 : 138/100 <= ln (INR K) by apply: Rle_trans (ln_INR_le (m := 4) _); [rewrite /=; enclose | rewrite K4].
    apply: (bound ((ln (INR K) + sqrt 2) * (ln (INR K) + sqrt 2))).
      by apply: Rle_trans (moment_two d K1) _; apply: Req_le; rewrite /Rdiv /=; ring.
    have q0 : sqrt 2 <= 1415/1000 by enclose. have q1 := sqrt_pos 2. nra.
  have e : K = 3%nat by apply/eqP; rewrite eqn_leq K3 andbT.
  apply: (bound (85/18)); last by nra.
  have [_ [second _]] := moment_harmonic d K1; apply: Rle_trans second _; rewrite e.
  rewrite (_ : harmonic 3 ^ 2 + harmonic2 3 = 85/18); last by rewrite /harmonic /harmonic2 /=; lra.
  by apply: Req_le; case: d => b0 b1; field; lra.
Qed.

(* Every moment is finite, and so at least its partial sums. *)
Lemma moment_series (beta : R) (K : nat) (alpha : R) : is_discount beta ->
  ex_series (fun i => rpower (INR i.+1) alpha * max_is beta K i.+1) /\
  forall N, \sum_(i < N) (rpower (INR i.+1) alpha * max_is beta K i.+1) <= moment beta K alpha.
Proof.
move=> discount; have [q [_ hq]] := nfloor_ex _ (Rmax_r alpha 0); have {hq} [p hp] : exists p, alpha < INR p.
  by exists q.+1; rewrite S_INR; have := Rmax_l alpha 0; lra.
have bound N : \sum_(i < N) (rpower (INR i.+1) alpha * max_is beta K i.+1) <= partial beta p K N.
  apply: sum_to_le => i _; apply: Rmult_le_compat_r; first exact: max_is_nonneg.
  rewrite rpower_pos -?Rpower_pow; [|exact: INR_pos|exact: INR_pos].
  by apply: Rle_Rpower; [rewrite S_INR; have := pos_INR i; lra | lra].
have [ex [_ le]] := nonneg_series (term_nonneg K discount alpha) (fun N => Rle_trans _ _ _ (bound N) (partial_factorial discount p K N)).
by split.
Qed.

(* The series of every moment converges, so that its Series, which is 0 for one that does not, is the moment.
   step of: lem:moment/used lem:moment/repair-exponential lem:moment/repair-exponential/used lem:moment/repair
     lem:moment/repair-one-plus-log lem:moment/small-K/sum *)
Theorem moment_converges (beta : R) (K : nat) (alpha : R) : is_discount beta ->
  ex_series (fun i => rpower (INR i.+1) alpha * max_is beta K i.+1).
Proof. by move=> discount; case: (moment_series K alpha discount). Qed.

(* ---------------------------------------------------------------- Where it fails *)

Lemma lower_bound beta p K N : is_discount beta -> partial beta p K N <= moment beta K (INR p).
Proof. by move=> d; rewrite -partial_of; case: (moment_series K (INR p) d). Qed.
Arguments lower_bound [beta] p K N.

(* One episode: alpha = 2, beta = 1/2, where E[H^2] = 6, and the printed bound is 5.
   step of: lem:moment *)
Theorem moment_fails_for_1 : ~ lemma_moment_for 1 2.
Proof.
move=> claim; have d : is_discount (1/2) by rewrite /is_discount; lra.
have r0 : rpower 0 2 = 0 by rewrite /rpower; case: (Rle_dec 0 0) => // h; lra.
have := claim _ d; rewrite (_ : ln (INR 1) / (1 - 1/2) = 0) ?r0; last by rewrite /= ln_1; field.
have := lower_bound 2 1 8 d; rewrite (_ : INR 2 = 2) // /partial; cbn [sum_to]; rewrite /max_is /max_at_most !at_most_closed.
by rewrite /=; lra.
Qed.

(* A sum of terms m^p P(max = m), written with decimal numbers, for interval arithmetic. *)
Ltac by_enclosure := rewrite ?/partial; cbn [sum_to]; rewrite /max_is /max_at_most !at_most_closed !INR_IZR_INZ;
  cbn [predn Z.of_nat Pos.of_succ_nat Pos.succ]; enclose.

(* Two episodes: alpha = 2, beta = 3/4, where E[max H^2] = 2344/49 = 47.8..., and the printed bound is 43.4...
   step of: lem:moment *)
Theorem moment_fails_for_2 : ~ lemma_moment_for 2 2.
Proof.
move=> claim; have d : is_discount (3/4) by rewrite /is_discount; lra.
have := claim _ d; have := lower_bound 2 2 30 d; rewrite (_ : INR 2 = 2) //.
have l2 : 0 < ln (INR 2) / (1 - 3/4) by enclose.
rewrite (_ : rpower (ln (INR 2) / (1 - 3/4)) 2 = (ln 2 / (1 - 3/4)) ^ 2); last exact: (rpower_nat 2 l2).
have : 44 <= partial (3/4) 2 2 30 by by_enclosure.
have : 5 + 5 * (ln 2 / (1 - 3/4)) ^ 2 <= 435/10 by enclose.
lra.
Qed.

(* Three episodes: alpha = 5/2, beta = 4/5, where E[max H^(5/2)] = 393.3..., and the printed bound is 358.5...
   step of: lem:moment *)
Theorem moment_fails_for_3 : ~ lemma_moment_for 3 (5/2).
Proof.
move=> claim; have d : is_discount (4/5) by rewrite /is_discount; lra.
have half5 x : 0 < x -> rpower x (5/2) = x ^ 2 * sqrt x.
  move=> x0; rewrite rpower_pos //; have -> : 5/2 = INR 2 + / 2 by rewrite /=; lra.
  by rewrite Rpower_plus Rpower_pow // Rpower_sqrt.
have terms N : \sum_(i < N) (rpower (INR i.+1) (5/2) * max_is (4/5) 3 i.+1)
    = \sum_(i < N) (INR i.+1 ^ 2 * sqrt (INR i.+1) * max_is (4/5) 3 i.+1).
  by apply: sum_to_ext => i _; rewrite half5 //; exact: INR_pos.
have [_ /(_ 40%nat) below] := moment_series 3 (5/2) d.
have := claim _ d; rewrite half5; last first.
  by apply: Rdiv_lt_0_compat; [rewrite -ln_1; apply: ln_increasing; rewrite /=; lra | lra].
have : 370 <= \sum_(i < 40) (INR i.+1 ^ 2 * sqrt (INR i.+1) * max_is (4/5) 3 i.+1) by by_enclosure.
rewrite terms in below.
have : 5 + 5 * ((ln (INR 3) / (1 - 4/5)) ^ 2 * sqrt (ln (INR 3) / (1 - 4/5))) <= 360 by enclose.
lra.
Qed.

(* So Lemma moment is false as printed.
   ledger: lem:moment *)
Theorem moment_fails : ~ lemma_moment.
Proof. by move=> claim; apply: moment_fails_for_1; apply: claim; [|lra]. Qed.
