(* What the regret of MB-UCBVI takes from 1.7: the two sums of 1.8 (bonus_sum is the leading term of Theorem A), Cauchy-Schwarz
   over cells, on the law of histories cut at N; and hint 4 of section 6, by which 1.6 is a mean of frozen sums. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Concentration DoubleSum.
From kernel Require Import History Bayes Regret.
From kernel Require Import FrozenCounts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* ---------------------------------------------------------------- Sums of 1.8 *)

Lemma weight_falls n : weight n.+1 <= weight n.
Proof.
have h : 1 <= INR (maxn 1 n) by rewrite -[1]/(INR 1); apply: le_INR; apply/leP; exact: leq_maxl.
rewrite /weight; apply: Rinv_le_contravar; first by apply: sqrt_lt_R0; lra.
by apply: sqrt_le_1_alt; apply: le_INR; apply/leP; rewrite geq_max leq_maxl /= leq_max leqnSn orbT.
Qed.

Lemma weight_nonneg n : 0 <= weight n.
Proof. by left; apply: Rinv_0_lt_compat; apply: sqrt_lt_R0; have := INR_max1 n; lra. Qed.

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

(* f(i) = 1/max(1,i), for the second term of g_k: sum_{j < N} f(j) <= 2 + log max(1,N). *)
Definition inverse (n : nat) : R := / INR (maxn 1 n).

Lemma max1 n : 1 <= INR (maxn 1 n).
Proof. by rewrite -[1]/(INR 1); apply: le_INR; apply/leP; exact: leq_maxl. Qed.

Lemma inverse_nonneg n : 0 <= inverse n.
Proof. by left; apply: Rinv_0_lt_compat; have := max1 n; lra. Qed.

Lemma inverse_falls n : inverse n.+1 <= inverse n.
Proof.
apply: Rinv_le_contravar; first by have := max1 n; lra.
by apply: le_INR; apply/leP; rewrite geq_max leq_maxl /= leq_max leqnSn orbT.
Qed.

Lemma running_inverses n : running inverse n <= 2 + ln (INR (maxn 1 n)).
Proof.
have after m : running inverse m.+2 <= 2 + ln (INR m.+1).
  elim: m => [|m IH]; first by rewrite /running /inverse /= ln_1 Rinv_1; lra.
  have m1 : 1 <= INR m.+1 by rewrite S_INR; have := pos_INR m; lra.
  have step : / INR m.+2 <= ln (INR m.+2) - ln (INR m.+1).
    have e2 := S_INR m.+1; have p2 : 0 < INR m.+2 by lra.
    have := exp_tangent (ln (INR m.+1 / INR m.+2)); rewrite exp_ln; last by apply: Rdiv_lt_0_compat; lra.
    rewrite ln_div; [|lra|lra]; rewrite (_ : INR m.+1 / INR m.+2 = 1 - / INR m.+2); last by rewrite e2; field; lra.
    lra.
  have e : running inverse m.+3 = running inverse m.+2 + / INR m.+2 by rewrite /running sum_recr [X in _ + X]/inverse (maxn_idPr _).
  lra.
case: n => [|[|n]]; first by rewrite /running /= ln_1; lra.
  by rewrite /running /inverse /= ln_1 Rinv_1; lra.
have n1 : 0 < INR n.+1 by apply: lt_0_INR; apply/ltP.
have up : ln (INR n.+1) <= ln (INR n.+2) by apply: Rcomplements.ln_le => //; rewrite (S_INR n.+1); lra.
by rewrite (maxn_idPr _) //; have := after n; lra.
Qed.

Section Uses.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation cell := (cell A S).
Notation cut N := (at_most_long beta N).
Notation episodeN N := (episode next learner rho shows (cut N)).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Let B := 1 / (1 - beta).

(* T = H_1 + ... + H_K, the number of activations of a history. *)
Definition duration (h : history A S O) : nat := size (flat h).

Lemma visits_total (s : past cell O) : \sum_(c : cell) INR (visits c s) = INR (size s).
Proof.
have e := by_cells s (fun _ => 1); rewrite (eq_bigr (fun c => INR (visits c s) * 1)) => [|c _]; last by rewrite Rmult_1_r.
by rewrite -e; elim: (s) => [|p r IH]; [rewrite sum_nil | rewrite sum_cons IH -[size (p :: r)]/((size r).+1) S_INR; ring].
Qed.

(* Cauchy-Schwarz over cells: sum_c sum_{j < N(c)} max(1,j)^(-1/2) <= 2 sqrt(S n T). *)
Lemma running_roots_of_run h : \sum_(c : cell) running weight (count_of c h) <= 2 * sqrt (INR #|cell| * INR (duration h)).
Proof.
apply: Rle_trans (sum_le _ (fun c _ => running_roots (count_of c h))) _; rewrite sum_scale -visits_total.
by apply: Rmult_le_compat_l; [lra | apply: sum_of_roots => c; exact: pos_INR].
Qed.

(* 1.7 and 1.8 for the bonus: E sum_k w_k sum_{t in k} max(1,N_{k-1}(c_t))^(-1/2) <= S n B E w_K + 2 E[w_K sqrt(S n T)]. *)
Lemma frozen_roots (w : history A S O -> R) N K : (forall h, 0 <= w h) -> (forall r h, w h <= w (r :: h)) ->
  cut_mean N K (frozen w weight) <= INR #|cell| * (B * cut_mean N K (last_weight w)) +
    2 * cut_mean N K (fun h => last_weight w h * sqrt (INR #|cell| * INR (duration h))).
Proof.
move=> w0 wS; have h := @frozen_counts_of_run A S O next beta discount learner rho learner_ok rho_ok shows shows_ok
  w w0 wS weight (@weight_nonneg) weight_falls N K.
apply: Rle_trans h _; rewrite weight_0 Rmult_1_r; apply: Rplus_le_compat_l.
rewrite /truncated -law_scale; apply: law_le => // h _.
have := Rmult_le_compat_l _ _ _ (w0 (behead h)) (running_roots_of_run h); rewrite /last_weight; lra.
Qed.

(* 1.7 and 1.8 for the second term: E sum_k w_k sum_{t in k} 1/max(1,N_{k-1}(c_t)) <= S n E[w_K (B + 2 + log max(1,T))]. *)
Lemma frozen_inverses (w : history A S O -> R) N K : (forall h, 0 <= w h) -> (forall r h, w h <= w (r :: h)) ->
  cut_mean N K (frozen w inverse) <= INR #|cell| * (B * cut_mean N K (last_weight w)) +
    cut_mean N K (fun h => last_weight w h * (INR #|cell| * (2 + ln (INR (maxn 1 (duration h)))))).
Proof.
move=> w0 wS; have h := @frozen_counts_of_run A S O next beta discount learner rho learner_ok rho_ok shows shows_ok
  w w0 wS inverse inverse_nonneg inverse_falls N K.
have i0 : inverse 0 = 1 by rewrite /inverse /= Rinv_1.
apply: Rle_trans h _; rewrite i0 Rmult_1_r; apply: Rplus_le_compat_l; apply: law_le => // h _.
apply: Rmult_le_compat_l; first exact: w0.
rewrite -sum_const; apply: sum_le => c _; apply: Rle_trans (running_inverses _) _; apply: Rplus_le_compat_l.
apply: Rcomplements.ln_le; first by have := max1 (count_of c h); lra.
apply: le_INR; apply/leP; rewrite geq_max leq_maxl /= leq_max; apply/orP; right.
by rewrite /count_of /visits /observed size_map size_filter /duration; exact: count_size.
Qed.

Lemma mean_of_constant N K c : 0 <= c -> cut_mean N K (fun _ => c) <= c.
Proof.
move=> c0; apply: (@law_falls A S O next beta discount learner rho learner_ok rho_ok shows shows_ok (fun _ => c)) => // d s.
by rewrite (mean_of_const _ (mu_ok shows_ok d)); lra.
Qed.

(* E[T; no episode longer than N] <= K B. *)
Lemma mean_duration N K : cut_mean N K (fun h => INR (duration h)) <= INR K * B.
Proof.
case: (discount) => b0 b1; have B0 : 0 <= B := top_nonneg discount.
have len : cut N INR <= (1 - beta ^ N) * B.
  have e : cut N INR = (1 - beta ^ N) * B - beta ^ N * INR N.
    elim: N => [|N IH]; first by rewrite /at_most_long [sum_to _ _]/= [INR 0]/=; ring.
    rewrite (_ : cut N.+1 INR = cut N INR + chance beta N * INR N.+1) // IH S_INR /chance.
    by rewrite (_ : beta ^ N.+1 = beta * beta ^ N) // /B; field; lra.
  by have := Rmult_le_pos _ _ (pow_le beta N b0) (pos_INR N); lra.
have le : cut_mean N K (over_episodes (fun _ h' => INR (size (newest h')))) <= cut_mean N K (over_episodes (fun _ _ => B)).
  apply: law_over_episodes => // h; rewrite (episode_const next beta learner_ok rho_ok shows_ok).
  apply: Rle_trans len; apply: Req_le; rewrite -(mean_of_const (cut N INR) (learner_ok h)); apply: mean_ext => pi.
  rewrite -(mean_of_const (cut N INR) rho_ok); apply: mean_ext => x; apply: cut_ext => n.
  by rewrite (steps_size next shows_ok pi n x [::] INR) addn0.
apply: Rle_trans (_ : _ <= cut_mean N K (over_episodes (fun _ h' => INR (size (newest h'))))) _.
  apply: law_le => // h _; apply: Req_le; rewrite /duration; elim: h => [|r h IH] //.
  rewrite [over_episodes _ _]/= -IH (_ : flat (r :: h) = shown r.2 ++ flat h) // size_cat plus_INR /shown size_map.
  by rewrite Rplus_comm.
apply: Rle_trans le _; apply: Rle_trans (_ : _ <= cut_mean N K (fun _ => INR K * B)) _.
  apply: law_le => // h sz; rewrite addn0 in sz; rewrite -sz; apply: Req_le.
  by elim: h {sz} => [|r h IH]; [rewrite /=; ring | rewrite [over_episodes _ _]/= IH -[size (r :: h)]/((size h).+1) S_INR; ring].
by apply: mean_of_constant; apply: Rmult_le_pos => //; exact: pos_INR.
Qed.

(* ---------------------------------------------------------------- The weights sqrt(l_k) of the bonus *)

Section Bonus.
(* l_k = log(C t_k), t_k = T + 1; C is 2 S n K in the notes. *)
Variables (C : R) (K : nat).
Hypotheses (C_large : 1 <= C) (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).
Definition log_time (h : history A S O) : R := ln (C * (INR (duration h) + 1)).
Definition log_horizon : R := ln (C * (INR K * B + 1)).   (* L *)

Lemma log_time_nonneg h : 0 <= log_time h.
Proof. by have := pos_INR (duration h) => d0; rewrite -ln_1; apply: Rcomplements.ln_le; [lra | nra]. Qed.

Lemma log_time_grows r h : log_time h <= log_time (r :: h).
Proof.
have d0 := pos_INR (duration h); apply: Rcomplements.ln_le; first nra.
apply: Rmult_le_compat_l; first lra.
apply: Rplus_le_compat_r; apply: le_INR; apply/leP; by rewrite /duration /flat /= size_cat leq_addl.
Qed.

Lemma horizon_pos : 0 < INR K * B.
Proof.
case: (discount) => b0 b1; apply: Rmult_lt_0_compat; first by apply: lt_0_INR; apply/ltP.
by apply: Rdiv_lt_0_compat; lra.
Qed.

Lemma log_horizon_pos : 0 < log_horizon.
Proof. by have := horizon_pos => m0; rewrite /log_horizon -ln_1; apply: ln_increasing; [lra | nra]. Qed.

(* E log(C t_{K+1}) <= L: the tangent of the logarithm, and E T <= K B. *)
Lemma mean_log_time N : cut_mean N K log_time <= log_horizon.
Proof.
have m0 := horizon_pos; set m := INR K * B + 1; have mpos : 1 < m by rewrite /m; lra.
have i0 : 0 < / m by apply: Rinv_0_lt_compat; lra.
have im : / m * m = 1 by apply: Rinv_l; lra.
have lnm : 1 - / m <= ln m by have := exp_tangent (- ln m); rewrite exp_Ropp exp_ln; lra.
have Lm : log_horizon = ln C + ln m by rewrite /log_horizon ln_mult //; lra.
have lnC : 0 <= ln C by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
apply: Rle_trans (_ : _ <= cut_mean N K (fun h => / m * INR (duration h) + (log_horizon - 1 + / m))) _.
  apply: law_le => // h _; have d0 := pos_INR (duration h); rewrite /log_time ln_mult; [|lra|lra].
  have p : 0 < (INR (duration h) + 1) * / m by apply: Rmult_lt_0_compat; lra.
  have := exp_tangent (ln ((INR (duration h) + 1) * / m)); rewrite exp_ln // ln_mult; [|lra|lra].
  rewrite ln_Rinv; [|lra]; rewrite Lm; lra.
rewrite /truncated law_add law_scale -!/(cut_mean N K _).
have k0 : 0 <= log_horizon - 1 + / m by lra.
have c := mean_of_constant N K k0; have d := Rmult_le_compat_l _ _ _ (Rlt_le _ _ i0) (mean_duration N K).
have e : / m * (INR K * B) = 1 - / m by rewrite -[X in _ = X - _]im {3}/m; ring.
lra.
Qed.

(* E sum_k sqrt(l_k) sum_{t in k} max(1,N_{k-1}(c_t))^(-1/2) <= S n B sqrt L + 2 sqrt(S n K B L): with b_k, the leading terms
   of Theorem A. *)
Lemma bonus_sum N : cut_mean N K (frozen (fun h => sqrt (log_time h)) weight) <=
  INR #|cell| * (B * sqrt log_horizon) + 2 * (sqrt log_horizon * sqrt (INR #|cell| * (INR K * B))).
Proof.
have w0 h : 0 <= sqrt (log_time h) by exact: sqrt_pos.
have wS r h : sqrt (log_time h) <= sqrt (log_time (r :: h)) by apply: sqrt_le_1_alt; exact: log_time_grows.
have last h : last_weight (fun h => sqrt (log_time h)) h <= sqrt (log_time h) by exact: last_weight_le.
apply: Rle_trans (frozen_roots N K w0 wS) _.
have L0 := log_horizon_pos; have m0 := horizon_pos; have EL := mean_log_time N; have ET := mean_duration N K.
have c0 : 0 < INR #|cell| by apply: lt_0_INR; apply/ltP.
have B0 : 0 <= B := top_nonneg discount.
set p := sqrt log_horizon; set q := sqrt (INR #|cell| * (INR K * B)).
have p0 : 0 < p by exact: sqrt_lt_R0.
have q0 : 0 < q by apply: sqrt_lt_R0; exact: Rmult_lt_0_compat.
have pp : p * p = log_horizon by apply: sqrt_sqrt; lra.
have qq : q * q = INR #|cell| * (INR K * B) by apply: sqrt_sqrt; left; exact: Rmult_lt_0_compat.
have ip : 0 < / p by exact: Rinv_0_lt_compat. have iq : 0 < / q by exact: Rinv_0_lt_compat.
have ipp : / p * p = 1 by apply: Rinv_l; lra. have iqq : / q * q = 1 by apply: Rinv_l; lra.
have first : cut_mean N K (last_weight (fun h => sqrt (log_time h))) <= p.
  apply: Rle_trans (_ : _ <= cut_mean N K (fun h => / p / 2 * log_time h + p / 2)) _.
    apply: law_le => // h _; apply: Rle_trans (last h) _; set a := sqrt (log_time h).
    have aa : a * a = log_time h by apply: sqrt_sqrt; exact: log_time_nonneg.
    have sq := Rmult_le_pos _ _ (Rlt_le _ _ ip) (Rle_0_sqr (a - p)); rewrite /Rsqr in sq.
    have e : / p * ((a - p) * (a - p)) = / p * (a * a) - 2 * (/ p * p) * a + (/ p * p) * p by ring.
    by rewrite e ipp aa in sq; lra.
  rewrite /truncated law_add law_scale -!/(cut_mean N K _).
  have c := @mean_of_constant N K (p / 2) (ltac:(lra)).
  have d := Rmult_le_compat_l (/ p / 2) _ _ (ltac:(lra)) EL.
  by have e : / p / 2 * log_horizon = p / 2 by [rewrite -pp; field; lra]; lra.
have second : cut_mean N K (fun h => last_weight (fun h => sqrt (log_time h)) h * sqrt (INR #|cell| * INR (duration h))) <= p * q.
  apply: Rle_trans (_ : _ <= cut_mean N K (fun h => q * / p / 2 * log_time h + p * / q / 2 * INR #|cell| * INR (duration h))) _.
    apply: law_le => // h _; set b := sqrt (_ * _).
    have b0 : 0 <= b by exact: sqrt_pos.
    apply: Rle_trans (Rmult_le_compat_r _ _ _ b0 (last h)) _; set a := sqrt (log_time h).
    have aa : a * a = log_time h by apply: sqrt_sqrt; exact: log_time_nonneg.
    have bb : b * b = INR #|cell| * INR (duration h) by apply: sqrt_sqrt; apply: Rmult_le_pos; [lra | exact: pos_INR].
    have sq := Rmult_le_pos _ _ (Rlt_le _ _ (Rmult_lt_0_compat _ _ ip iq)) (Rle_0_sqr (q * a - p * b)); rewrite /Rsqr in sq.
    have e : / p * / q * ((q * a - p * b) * (q * a - p * b)) =
        (/ q * q) * (q * / p) * (a * a) - 2 * (/ p * p) * (/ q * q) * (a * b) + (/ p * p) * (p * / q) * (b * b) by ring.
    by rewrite e ipp iqq aa bb in sq; lra.
  rewrite /truncated law_add !law_scale -!/(cut_mean N K _).
  have d := Rmult_le_compat_l (q * / p / 2) _ _ (ltac:(nra)) EL.
  have r0 : 0 <= p * / q / 2 * INR #|cell| by apply: Rmult_le_pos; nra.
  have d' := Rmult_le_compat_l _ _ _ r0 ET.
  have e : q * / p / 2 * log_horizon = p * q / 2 by rewrite -pp; field; lra.
  have e' : p * / q / 2 * INR #|cell| * (INR K * B) = p * q / 2.
    by rewrite (_ : _ * (INR K * B) = p * / q / 2 * (INR #|cell| * (INR K * B))); [rewrite -qq; field; lra | ring].
  lra.
apply: Rplus_le_compat; apply: Rmult_le_compat_l; [lra | exact: Rmult_le_compat_l | lra | exact: second].
Qed.
End Bonus.

(* ---------------------------------------------------------------- From the recursion to frozen sums *)

Section Play.
Variable M : model A S.
Hypothesis M_shown : forall a s F, mean (row M a s) F = mean (shows a s) (fun o => F (next o)).
Variable g : cell -> R.
Let at_ (pi : plays A S) (x : global A S) : R := g (pi x, x (pi x)).

(* The sum of g over the steps of n steps of pi is that of the model. *)
Lemma steps_along pi n x e : steps next shows pi n x e (fun e' => \sum_(p <- shown e') g p.1) =
  \sum_(p <- shown e) g p.1 + along M (fun y => pi y) (fun a s => g (a, s)) n x.
Proof.
elim: n x e => [|n IH] x e; first by rewrite /along /=; ring.
rewrite [LHS]/= along_step mean_P M_shown (mean_ext _ (g := fun o => (at_ pi x + \sum_(p <- shown e) g p.1) +
    along M (fun y => pi y) (fun a s => g (a, s)) n (moved x (pi x) (next o)))); last by move=> o; rewrite IH /= sum_cons.
rewrite (mean_add _ (fun _ => at_ pi x + \sum_(p <- shown e) g p.1)) (mean_of_const _ (shows_ok _ _)) /at_ /=; ring.
Qed.

(* Given the past, the mean of the sum of g over the steps of the next episode, cut at N. *)
Lemma episode_along N h : episodeN N h (fun h' => \sum_(p <- shown (newest h')) g p.1) =
  mean (learner h) (fun pi => mean rho (fun x => cut N (fun n => along M (fun y => pi y) (fun a s => g (a, s)) n x))).
Proof.
apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n.
by rewrite (steps_along pi n x [::]) sum_nil Rplus_0_l.
Qed.
End Play.

(* Hint 4: sum_{t < T0} beta^t E g(c_t) <= (1 - beta^(N - T0))^-1 times the mean of the sum over an episode that is cut at N. *)
Lemma unfolded_at_most_cut (X : finType) (P : X -> X -> R) (g : X -> R) (x : X) N T0 :
  (forall t, 0 <= reward_at P g t x) -> (T0 <= N)%nat ->
  (1 - beta ^ (N - T0)) * (\sum_(t < T0) (beta ^ t * reward_at P g t x)) <= cut N (fun n => total P g n x).
Proof.
move=> g0 TN; case: (discount) => b0 b1.
pose r t := reward_at P g t x.
pose F n := total P g n x; rewrite -/F.
have parts n : cut n F = \sum_(t < n) (beta ^ t * r t) - beta ^ n * F n.
  elim: n => [|n IH]; first by rewrite /at_most_long /F /=; ring.
  rewrite (_ : cut n.+1 F = cut n F + chance beta n * F n.+1) // IH sum_recr.
  by rewrite (_ : F n.+1 = F n + r n); [rewrite /chance /=; ring | exact: total_step].
have e n : cut n F = \sum_(t < n) ((beta ^ t - beta ^ n) * r t).
  rewrite parts /F total_is_sum (@sum_to_ext n (fun t => (beta ^ t - beta ^ n) * r t) (fun t => beta ^ t * r t + - beta ^ n * r t)).
    by rewrite sum_to_add sum_to_scale /r; ring.
  by move=> t _; ring.
have p0 n : 0 <= beta ^ n by exact: pow_le.
have anti m d : beta ^ (m + d) <= beta ^ m.
  have [q0 q1] : 0 <= beta ^ d <= 1 by split=> //; rewrite -(pow1 d); apply: pow_incr; lra.
  by rewrite pow_add; have := Rmult_le_compat_l _ _ _ (p0 m) q1; lra.
rewrite e -{2}(subnKC TN) sum_to_cat -sum_to_scale; move: (N - T0)%nat (subnKC TN) => d Nd.
have tail : 0 <= \sum_(i < d) ((beta ^ (T0 + i) - beta ^ N) * r (T0 + i)%nat).
  apply: sum_to_nonneg => i id; apply: Rmult_le_pos; last exact: g0.
  by rewrite -Nd -(subnKC (ltnW id)) addnA; have := anti (T0 + i)%nat (d - i)%nat; lra.
suff : \sum_(i < T0) ((1 - beta ^ d) * (beta ^ i * reward_at P g i x)) <= \sum_(i < T0) ((beta ^ i - beta ^ N) * r i) by lra.
apply: sum_to_le => t tT; rewrite /r -Rmult_assoc; apply: Rmult_le_compat_r; first exact: g0.
rewrite -Nd pow_add -(subnKC (ltnW tT)).
by have := Rmult_le_compat_r _ _ _ (p0 d) (anti t (T0 - t)%nat); lra.
Qed.
End Uses.
