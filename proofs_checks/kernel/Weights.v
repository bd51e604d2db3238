(* Sums over counts that are frozen within an episode, as far as they are about numbers: summation by parts against the cut geometric
   law, the weights max(1,N)^(-1/2) and 1/max(1,N), the logarithm of the horizon, and hint 4 of section 6 of the notes, by which a
   discounted sum over the play is a mean of sums over cut episodes. The sums themselves are in Frozen.v and SecondSum.v. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Events DoubleSum Episodes.

(* sum_{j < n} f(j). *)
Definition running (f : nat -> R) (n : nat) : R := \sum_(j < n) f j.

Section FrozenCounts.
Variable beta : R.
Hypothesis discount : is_discount beta.
Notation cut N := (at_most_long beta N).
Let B := 1 / (1 - beta).

(* Summation by parts against the cut geometric law: if x_0 = 0 and x grows by at most y, then E x_H <= B E y_H. *)
Lemma cut_by_parts N (x y : nat -> R) : x 0%nat = 0 -> (forall m, 0 <= x m) -> (forall m, x m.+1 <= x m + y m.+1) ->
  cut N x <= B * cut N y.
Proof.
case: (discount) => b0 b1 x0 xpos grows; suff : cut N x + beta ^ N * x N <= B * cut N y.
  by have : 0 <= beta ^ N * x N by [apply: Rmult_le_pos => //; exact: pow_le]; lra.
elim: N => [|N IH]; first by rewrite /at_most_long /= x0; lra.
have p0 := pow_le beta N b0; have g := Rmult_le_compat_l _ _ _ p0 (grows N).
have -> : B * (cut N y + (1 - beta) * beta ^ N * y N.+1) = B * cut N y + beta ^ N * y N.+1 by rewrite /B; field; lra.
have -> : cut N x + (1 - beta) * beta ^ N * x N.+1 + beta ^ N.+1 * x N.+1 = cut N x + beta ^ N * x N.+1 by rewrite /=; ring.
lra.
Qed.

(* ---------------------------------------------------------------- One episode *)

Section OneCell.
Variable f : nat -> R.
Hypothesis f_falls : forall n, f n.+1 <= f n.

Lemma f_le m n : (m <= n)%nat -> f n <= f m.
Proof. by move=> /subnK <-; elim: (n - m)%nat => [|k IH]; [rewrite add0n; lra | rewrite addSn; have := f_falls (k + m); lra]. Qed.

(* With n = v - u activations in the episode: n f(u) - (f(u) + ... + f(v-1)), what freezing the count costs. *)
Definition excess (u v : nat) : R := (INR v - INR u) * f u - (running f v - running f u).

Lemma excess_same u : excess u u = 0.
Proof. by rewrite /excess; ring. Qed.

Lemma excess_next u v : excess u v.+1 = excess u v + (f u - f v).
Proof. by rewrite /excess /running sum_recr S_INR; ring. Qed.

Lemma excess_nonneg u v : (u <= v)%nat -> 0 <= excess u v.
Proof.
move=> /subnK <-; elim: (v - u)%nat => [|k IH]; first by rewrite add0n excess_same; lra.
by rewrite addSn excess_next; have := f_le (leq_addl k u); lra.
Qed.
End OneCell.

Lemma running_nonneg (f : nat -> R) (f_nonneg : forall n, 0 <= f n) n : 0 <= running f n.
Proof. by apply: sum_to_nonneg. Qed.

End FrozenCounts.

(* ---------------------------------------------------------------- Sums of 1.8 *)

Lemma weight_falls n : weight n.+1 <= weight n.
Proof.
rewrite /weight; apply: Rinv_le_contravar; first by apply: sqrt_lt_R0; have := max1 n; lra.
by apply: sqrt_le_1_alt; apply: le_INR; apply/leP; rewrite geq_max leq_maxl /= leq_max leqnSn orbT.
Qed.

Lemma weight_nonneg n : 0 <= weight n.
Proof. by left; apply: Rinv_0_lt_compat; apply: sqrt_lt_R0; have := max1 n; lra. Qed.

Lemma weight_0 : weight 0 = 1.
Proof. by rewrite /weight /= sqrt_1 Rinv_1. Qed.

(* sum_{j < N} max(1,j)^(-1/2) <= 2 sqrt N. *)
Lemma running_roots n : running weight n <= 2 * sqrt (INR n).
Proof.
case: n => [|n]; first by rewrite /running /= sqrt_0; lra.
have mono : sqrt (INR n) <= sqrt (INR n.+1) by apply: sqrt_le_1_alt; rewrite S_INR; lra.
rewrite /running sum_recl weight_0 (sum_to_ext (g := fun m => / sqrt (INR m.+1))) => [|m _]; last by rewrite /weight (maxn_idPr _).
case: (posnP n) => [->|n0]; first by rewrite /= sqrt_1; lra.
by have := inverse_roots n0; lra.
Qed.

(* f(i) = 1/max(b,i): sum_{j < N} f(j) <= 2 + log(1 + N/b). *)
Section LateInverses.
Variable b : R.
Hypothesis b1 : 1 <= b.
Definition late_inverse (n : nat) : R := / Rmax b (INR n).

Let above n : 1 <= Rmax b (INR n). Proof. by have := Rmax_l b (INR n); lra. Qed.

Lemma late_nonneg n : 0 <= late_inverse n.
Proof. by left; apply: Rinv_0_lt_compat; have := above n; lra. Qed.

Lemma late_falls n : late_inverse n.+1 <= late_inverse n.
Proof.
apply: Rinv_le_contravar; first by have := above n; lra.
by apply: Rle_max_compat_l; rewrite S_INR; lra.
Qed.

Lemma late_0 : late_inverse 0 = / b.
Proof. by rewrite /late_inverse Rmax_left //=; lra. Qed.

Lemma late_at_most n : late_inverse n <= / b.
Proof. by apply: Rinv_le_contravar; [lra | exact: Rmax_l]. Qed.

Lemma running_late n : running late_inverse n <= 2 + ln (1 + INR n / b).
Proof.
have ib : 0 < / b by apply: Rinv_0_lt_compat; lra.
have flat m : running late_inverse m <= INR m / b.
  elim: m => [|m IH]; first by rewrite /running /=; lra.
  by rewrite /running sum_recr -/(running _ m) S_INR; have := late_at_most m; lra.
have small m : INR m <= b + 1 -> running late_inverse m <= 2.
  move=> mb; apply: Rle_trans (flat m) _; apply: (Rmult_le_reg_r b); first lra.
  by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
have big m : b <= INR m -> running late_inverse m.+1 <= 2 + ln (INR m / b).
  elim: m => [|m IH] mb; first by rewrite /= in mb; lra.
  have m0 := pos_INR m; have late1 : late_inverse m.+1 = / INR m.+1 by rewrite /late_inverse Rmax_right.
  rewrite /running sum_recr -/(running _ m.+1) late1; rewrite S_INR in mb *.
  case: (Rle_dec b (INR m)) => [bm|/Rnot_le_lt mb'].
    have := IH bm; have step : / (INR m + 1) <= ln ((INR m + 1) / b) - ln (INR m / b).
      rewrite !ln_div; try lra.
      have := exp_tangent (ln (INR m / (INR m + 1))); rewrite exp_ln; last by apply: Rdiv_lt_0_compat; lra.
      by rewrite ln_div; [rewrite (_ : INR m / (INR m + 1) = 1 - / (INR m + 1)); [lra | field; lra] | lra | lra].
    lra.
  have := flat m.+1; rewrite S_INR; set t := (INR m + 1) / b => ft.
  have t1 : 1 <= t by apply: (Rmult_le_reg_r b); [lra | rewrite /t /Rdiv Rmult_assoc Rinv_l; lra].
  have t2 : t <= 2 by apply: (Rmult_le_reg_r b); [lra | rewrite /t /Rdiv Rmult_assoc Rinv_l; lra].
  have lt : 1 - / t <= ln t by have := exp_tangent (- ln t); rewrite exp_Ropp exp_ln; lra.
  have le : / (INR m + 1) <= / t.
    apply: Rinv_le_contravar; first lra.
    by rewrite /t; apply: (Rmult_le_reg_r b); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; nra].
  suff : t + 2 * / t <= 3 by lra.
  apply: (Rmult_le_reg_r t); first lra.
  by rewrite Rmult_plus_distr_r Rmult_assoc Rinv_l; nra.
have nb : 0 <= INR n / b by apply: Rmult_le_pos; [exact: pos_INR | lra].
case: (Rle_dec (INR n) (b + 1)) => [le|/Rnot_le_lt lt].
  have l0 : 0 <= ln (1 + INR n / b) by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
  by have := small n le; lra.
case: n lt nb => [|n] lt nb; first by rewrite /= in lt; lra.
rewrite S_INR in lt nb *; apply: Rle_trans (big n (ltac:(lra))) _; apply: Rplus_le_compat_l; apply: Rcomplements.ln_le.
  by apply: Rdiv_lt_0_compat; lra.
by rewrite /Rdiv Rmult_plus_distr_r; lra.
Qed.
End LateInverses.

(* f(i) = 1/max(1,i), for the second term of g_k. *)
Definition inverse (n : nat) : R := / INR (maxn 1 n).

Lemma inverseE n : inverse n = late_inverse 1 n.
Proof.
rewrite /inverse /late_inverse; case: n => [|n]; first by rewrite Rmax_left //=; lra.
by rewrite (maxn_idPr _) // Rmax_right // S_INR; have := pos_INR n; lra.
Qed.

Lemma inverse_nonneg n : 0 <= inverse n.
Proof. by rewrite inverseE; apply: late_nonneg; lra. Qed.

Lemma inverse_falls n : inverse n.+1 <= inverse n.
Proof. by rewrite !inverseE; apply: late_falls; lra. Qed.

Lemma running_inverses n : running inverse n <= 2 + ln (1 + INR n).
Proof. by rewrite /running (sum_to_ext (fun j _ => inverseE j)) -[INR n]Rdiv_1; exact: (running_late (Rle_refl 1)). Qed.

Lemma radius_by_weight x m : 0 <= x -> sqrt (x / INR (maxn 1 m)) = sqrt x * weight m.
Proof. by move=> x0; rewrite /weight sqrt_div_alt //; have := max1 m; lra. Qed.

Section Horizon.
Variable beta : R.
Hypothesis discount : is_discount beta.
Notation cut N := (at_most_long beta N).
Let B := 1 / (1 - beta).

(* L = log(C (KB + 1)), where l_k = log(C t_k). *)
Section Logarithm.
Variables (C : R) (K : nat).
Hypotheses (C_large : 1 <= C) (K1 : (1 <= K)%nat).
Definition log_horizon : R := ln (C * (INR K * B + 1)).

Lemma horizon_pos : 0 < INR K * B.
Proof.
case: (discount) => b0 b1; apply: Rmult_lt_0_compat; first by apply: lt_0_INR; apply/ltP.
by apply: Rdiv_lt_0_compat; lra.
Qed.

Lemma log_horizon_pos : 0 < log_horizon.
Proof. by have := horizon_pos => m0; rewrite /log_horizon -ln_1; apply: ln_increasing; [lra | nra]. Qed.

End Logarithm.

(* beta^T0 <= 1/z for T0 >= B log z: beta <= e^(-1/B). *)
Lemma geometric_small z T0 : 0 < z -> B * ln z <= INR T0 -> beta ^ T0 <= / z.
Proof.
case: (discount) => b0 b1 z0 large; have be : beta <= exp (- (1 - beta)) by have := exp_tangent (- (1 - beta)); lra.
apply: Rle_trans (pow_incr _ _ T0 (conj b0 be)) _; rewrite -[X in _ <= / X]exp_ln // -exp_Ropp exp_power; apply: exp_le.
have := Rmult_le_compat_r (1 - beta) _ _ (ltac:(lra)) large.
by rewrite (_ : B * ln z * (1 - beta) = ln z); [lra | rewrite /B; field; lra].
Qed.

(* The sum over n steps, in the mean over lengths cut at N, is a discounted sum, less what is cut. *)
Lemma cut_total (X : finType) (P : X -> X -> R) (g : X -> R) (x : X) N :
  cut N (fun n => total P g n x) = \sum_(t < N) ((beta ^ t - beta ^ N) * reward_at P g t x).
Proof.
pose r t := reward_at P g t x.
have parts n : cut n (fun n => total P g n x) = \sum_(t < n) (beta ^ t * r t) - beta ^ n * total P g n x.
  elim: n => [|n IH]; first by rewrite /at_most_long /=; ring.
  rewrite (_ : cut n.+1 _ = cut n (fun n => total P g n x) + chance beta n * total P g n.+1 x) // IH sum_recr.
  by rewrite total_step /chance (_ : beta ^ n.+1 = beta * beta ^ n) // -/(r n);
    move: (total _ _ _ _) (r n) (beta ^ n) (\sum_(_ < _) _) => *; ring.
rewrite parts total_is_sum -sum_to_scale (_ : forall u v : R, u - v = u + -1 * v) => [|u v]; last ring.
by rewrite -sum_to_scale -sum_to_add; apply: sum_to_ext => t _; rewrite /r; ring.
Qed.

Lemma cut_at_most_discounted (X : finType) (P : X -> X -> R) (g : X -> R) (x : X) N : (forall t, 0 <= reward_at P g t x) ->
  cut N (fun n => total P g n x) <= (1 - beta ^ N) * (\sum_(t < N) (beta ^ t * reward_at P g t x)).
Proof.
move=> g0; case: (discount) => b0 b1; rewrite cut_total -sum_to_scale; apply: sum_to_le => t tN.
rewrite -Rmult_assoc; apply: Rmult_le_compat_r; first exact: g0.
have : beta ^ N * beta ^ t <= beta ^ N * 1; last lra.
by apply: Rmult_le_compat_l; [exact: pow_le | rewrite -(pow1 t); apply: pow_incr; lra].
Qed.

(* Hint 4: sum_{t < T0} beta^t E g(c_t) <= (1 - beta^(N - T0))^-1 times the mean of the sum over an episode that is cut at N. *)
Lemma unfolded_at_most_cut (X : finType) (P : X -> X -> R) (g : X -> R) (x : X) N T0 :
  (forall t, 0 <= reward_at P g t x) -> (T0 <= N)%nat ->
  (1 - beta ^ (N - T0)) * (\sum_(t < T0) (beta ^ t * reward_at P g t x)) <= cut N (fun n => total P g n x).
Proof.
move=> g0 TN; case: (discount) => b0 b1.
have le m n : (m <= n)%nat -> beta ^ n <= beta ^ m.
  move=> mn; rewrite -(subnKC mn) pow_add -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l; first exact: pow_le.
  by rewrite -(pow1 (n - m)); apply: pow_incr; lra.
rewrite cut_total -{2 3}(subnKC TN) sum_to_cat -[X in X <= _]Rplus_0_r -sum_to_scale; apply: Rplus_le_compat.
  apply: sum_to_le => t tT; rewrite -Rmult_assoc; apply: Rmult_le_compat_r; first exact: g0.
  have := Rmult_le_compat_r _ _ _ (pow_le beta (N - T0) b0) (le t T0 (ltnW tT)); rewrite pow_add; lra.
apply: sum_to_nonneg => i iN; apply: Rmult_le_pos; last exact: g0.
by have := le (T0 + i)%nat (T0 + (N - T0))%nat (ltac:(by rewrite leq_add2l ltnW)); lra.
Qed.
End Horizon.

(* (1 + theta/T0)^T0 <= e^theta. *)
Lemma compounding theta (T0 : nat) : 0 < theta -> (1 <= T0)%nat -> (1 + theta / INR T0) ^ T0 <= exp theta.
Proof.
move=> t0 T1; have t1 := INR_ge1 T1; have p : 0 < theta / INR T0 by apply: Rdiv_lt_0_compat; lra.
have -> : exp theta = exp (theta / INR T0) ^ T0 by rewrite exp_power; congr exp; field; lra.
by apply: pow_incr; have := exp_tangent (theta / INR T0); lra.
Qed.
