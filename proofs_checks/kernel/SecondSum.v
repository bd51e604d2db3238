(* The second sum of 1.8: with the weights Gamma_k = B (1 + B sqrt(l_k/2)), the bounds on V_k,
     E sum_k Gamma_k sum_{t in k} 1/max(1,N_{k-1}(c_t)) <= S n Gamma (B + 2 + L),
   Gamma the same at L = log(C (K B + 1)), for any law of observations, by the tangents of log, sqrt(log) and log^(3/2) in the number of activations. *)

From kernel Require Import Prelude Sums Enclosures Values Bandits Concentration Episodes Weights Laws LawOfRun Truncation Frozen.

(* x^(3/2) <= L^(3/2) + (3/2) sqrt L (e^(x-L) - 1) for x = s^2, L = m^2, both at least 1. *)
Lemma power_tangent s m : 1 <= s -> 1 <= m -> s * s * s <= m * m * m + 3/2 * m * (exp (s * s - m * m) - 1).
Proof.
move=> s1 m1; set d := s * s - m * m; have e0 := exp_pos d; case: (Rle_dec 0 (1 + d / 2)) => h.
  have sq := @exp_square d (ltac:(lra)).
  suff : s * s * s <= m * m * m + 3/2 * m * (d + d * d / 4) by have := Rmult_le_compat_l (3/2 * m) _ _ (ltac:(lra)) sq; lra.
  have -> : d = (s - m) * (s + m) by rewrite /d; ring.
  suff : 0 <= (s - m) * (s - m) * (3/8 * m * (s + m) * (s + m) - s - m / 2) by nra.
  apply: Rmult_le_pos; first exact: Rle_0_sqr.
  have : s + m <= m * (s + m) by nra.
  nra.
have h' : m * m - s * s > 2 by rewrite /d in h; lra.
have ms : s < m by nra.
by nra.
Qed.

Section Second.
Variables (A S : finType) (O : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> law_on O.
Notation cell := (cell A S).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Let B := 1 / (1 - beta).
Variables (C : R) (K : nat).
Hypotheses (C_large : 3 <= C) (L_large : 3/2 <= log_horizon beta C K).
Notation L := (log_horizon beta C K).
Notation lambda h := (log_time C h).

(* The bound on the value of the optimistic model when log(2 S n K t_k) is l. *)
Definition top_at (l : R) : R := 1 / (1 - beta) * (1 + 1 / (1 - beta) * sqrt (l / 2)).

Let C1 : 1 <= C. Proof. lra. Qed.
Let B0 : 0 <= B := top_nonneg discount.

Lemma log_time_ge1 (h : history A S O) : 1 <= lambda h.
Proof.
have e : 1 <= ln 3 by enclose.
apply: Rle_trans e _; apply: Rcomplements.ln_le; first lra.
by have := pos_INR (duration h); nra.
Qed.

Let ratio (h : history A S O) := (INR (duration h) + 1) / (INR K * B + 1).
Let pos : 0 < INR K * B + 1. Proof. by have := Rmult_le_pos _ _ (pos_INR K) B0; lra. Qed.

Lemma exp_ratio h : exp (lambda h - L) = ratio h.
Proof.
have d0 := pos_INR (duration h).
rewrite /Rminus exp_plus exp_Ropp /log_time /log_horizon !exp_ln; [rewrite /ratio -/B; field; lra | |]; rewrite -/B; nra.
Qed.

(* What is at most a line in the number of activations. *)
Let t_dur (k : nat -> R) : tame (fun h : history A S O => k (duration h)). Proof. exact: tame_steps. Qed.
Lemma mean_of_line N (f : history A S O -> R) a b : tame f -> 0 <= a -> 0 <= b -> (forall h, f h <= a + b * ratio h) -> cut_mean N K f <= a + b.
Proof.
move=> tf a0 b0 le; have i0 : 0 < / (INR K * B + 1) by exact: Rinv_0_lt_compat.
have bm : 0 <= b * / (INR K * B + 1) by apply: Rmult_le_pos => //; lra.
apply: Rle_trans (mean_below_line next discount learner_ok rho_ok shows N K tf (ltac:(lra) : 0 <= a + b * / (INR K * B + 1)) bm _) _ => [h|].
  by apply: Rle_trans (le h) _; rewrite /ratio; apply: Req_le; field; lra.
by rewrite -/B; apply: Req_le; field; lra.
Qed.

Let m := sqrt L.
Let mm : m * m = L. Proof. by apply: sqrt_sqrt; lra. Qed.
Let m1 : 1 <= m. Proof. by rewrite -sqrt_1; apply: sqrt_le_1_alt; lra. Qed.

(* The tangents: of log, of its root, and of the product of the two. *)
Lemma tangents h : let s := sqrt (lambda h) in
  1 <= s /\ s * s = lambda h /\ lambda h <= L - 1 + ratio h /\ s <= m - 1 / (2 * m) + 1 / (2 * m) * ratio h /\
  s * lambda h <= m * L - 3/2 * m + 3/2 * m * ratio h.
Proof.
move=> s; have l1 := log_time_ge1 h; have ss : s * s = lambda h by apply: sqrt_sqrt; lra.
have s1 : 1 <= s by rewrite -sqrt_1; apply: sqrt_le_1_alt; lra.
have e := exp_tangent (lambda h - L); rewrite exp_ratio in e.
split=> //; split=> //; split; first lra; split.
  apply: (Rmult_le_reg_r (2 * m)); first lra.
  rewrite (_ : (_ + _) * _ = 2 * (m * m) - 1 + ratio h); last by field; lra.
  by have := Rle_0_sqr (s - m); rewrite /Rsqr; nra.
have := power_tangent s1 m1; rewrite ss mm exp_ratio; lra.
Qed.

Let k := B * (B * / sqrt 2).
Let k0 : 0 <= k.
Proof. by do 2 (apply: Rmult_le_pos => //); left; apply: Rinv_0_lt_compat; apply: sqrt_lt_R0; lra. Qed.
Let i01 : 0 <= 1 / (2 * m) <= m.
Proof.
by have : 2 * m * / (2 * m) = 1 by [apply: Rinv_r; lra]; rewrite /Rdiv Rmult_1_l; nra.
Qed.

Lemma top_atE l : 0 <= l -> top_at l = B + k * sqrt l.
Proof. by move=> l0; rewrite /top_at -/B /k sqrt_div; [rewrite /Rdiv; ring | | lra]. Qed.

Lemma tame_top : tame (fun h : history A S O => top_at (lambda h)). Proof. exact: (t_dur (fun n => top_at (ln (C * (INR n + 1))))). Qed.

(* E Gamma_K <= Gamma. *)
Lemma mean_top N : cut_mean N K (fun h => top_at (lambda h)) <= top_at L.
Proof.
rewrite (top_atE (l := L)); last lra.
apply: Rle_trans (@mean_of_line N _ (B + k * (m - 1 / (2 * m))) (k * (1 / (2 * m))) tame_top _ _ _) _.
- by have := Rmult_le_pos _ _ k0 (ltac:(lra) : 0 <= m - 1 / (2 * m)); lra.
- by apply: Rmult_le_pos => //; lra.
- move=> h; have [_ [_ [_ [t2 _]]]] := tangents h; rewrite top_atE; last by have := log_time_ge1 h; lra.
  by have := Rmult_le_compat_l _ _ _ k0 t2; lra.
by rewrite -/m; apply: Req_le; ring.
Qed.

(* E[Gamma_K (2 + lambda)] <= Gamma (2 + L). *)
Lemma mean_top_log N : cut_mean N K (fun h => top_at (lambda h) * (2 + lambda h)) <= top_at L * (2 + L).
Proof.
rewrite (top_atE (l := L)); last lra.
pose a := B * (1 + L) + k * (2 * (m - 1 / (2 * m)) + (m * L - 3/2 * m)); pose b := B + k * (2 * (1 / (2 * m)) + 3/2 * m).
apply: Rle_trans (@mean_of_line N _ a b _ _ _ _) _.
- exact: (t_dur (fun n => top_at (ln (C * (INR n + 1))) * (2 + ln (C * (INR n + 1))))).
- have c1 : 0 <= 2 * (m - 1 / (2 * m)) + (m * L - 3/2 * m) by nra.
  by have := Rmult_le_pos _ _ k0 c1; have := Rmult_le_pos _ _ B0 (ltac:(lra) : 0 <= 1 + L); rewrite /a; lra.
- by have := Rmult_le_pos _ _ k0 (ltac:(lra) : 0 <= 2 * (1 / (2 * m)) + 3/2 * m); rewrite /b; lra.
- move=> h; have [_ [_ [t1 [t2 t3]]]] := tangents h; rewrite top_atE; last by have := log_time_ge1 h; lra.
  have := Rmult_le_compat_l _ _ _ k0 (Rplus_le_compat _ _ _ _ (Rmult_le_compat_l 2 _ _ (ltac:(lra)) t2) t3).
  by rewrite /a /b; have := Rmult_le_compat_l _ _ _ B0 t1; lra.
by rewrite -/m /a /b; apply: Req_le; rewrite -mm; field; lra.
Qed.

Lemma top_at_le l l' : l <= l' -> top_at l <= top_at l'.
Proof.
rewrite /top_at -/B => ll; apply: Rmult_le_compat_l => //; apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //.
by apply: sqrt_le_1_alt; lra.
Qed.

Lemma top_at_nonneg l : 0 <= top_at l.
Proof. by rewrite /top_at -/B; apply: Rmult_le_pos => //; have := Rmult_le_pos _ _ B0 (sqrt_pos (l / 2)); lra. Qed.

(* 1.7 and 1.8 for the second term: E sum_k w_k sum_{t in k} 1/max(1,N_{k-1}(c_t)) <= S n E[w_K (B + 2 + log(1 + T))]. *)
Lemma frozen_inverses (w : history A S O -> R) N : tame w -> (forall h, 0 <= w h) -> (forall r h, w h <= w (r :: h)) ->
  cut_mean N K (frozen w inverse) <= INR #|cell| * (B * cut_mean N K w) +
    cut_mean N K (fun h => w h * (INR #|cell| * (2 + ln (1 + INR (duration h))))).
Proof.
move=> tw w0 wS; have le (h : history A S O) : \sum_(c : cell) running inverse (count_of c h) <= INR #|cell| * (2 + ln (1 + INR (duration h))).
  rewrite -sum_const; apply: sum_le => c _; apply: Rle_trans (running_inverses _) _; apply: Rplus_le_compat_l.
  apply: Rcomplements.ln_le; first by have := pos_INR (count_of c h); lra.
  by apply: Rplus_le_compat_l; apply: le_INR; apply/leP; exact: count_duration.
have := frozen_running (top := fun n => INR #|cell| * (2 + ln (1 + INR n))) next discount learner_ok rho_ok shows N K tw w0 wS
  inverse_nonneg inverse_falls le.
by rewrite (_ : inverse 0 = 1) ?Rmult_1_r // /inverse /= Rinv_1.
Qed.

(* With what the optimistic values are at most as weights.
   ledger: beyond:upper/sums *)
Theorem second_sum N : cut_mean N K (frozen (fun h => top_at (lambda h)) inverse) <= INR #|cell| * (top_at L * (B + 2 + L)).
Proof.
have w0 (h : history A S O) : 0 <= top_at (lambda h) by exact: top_at_nonneg.
have wS r (h : history A S O) : top_at (lambda h) <= top_at (lambda (r :: h)) by apply: top_at_le; exact: log_time_grows.
have c0 := pos_INR #|cell|; apply: Rle_trans (frozen_inverses N tame_top w0 wS) _.
have two : cut_mean N K (fun h => top_at (lambda h) * (INR #|cell| * (2 + ln (1 + INR (duration h))))) <= INR #|cell| * (top_at L * (2 + L)).
  apply: Rle_trans (Rmult_le_compat_l _ _ _ c0 (mean_top_log N)); have tg := t_dur (fun n => top_at (ln (C * (INR n + 1))) * (2 + ln (C * (INR n + 1)))).
  rewrite /truncated -(law_scale next discount learner_ok rho_ok shows) //; apply: law_le => // [||h _].
  - exact: (t_dur (fun n => top_at (ln (C * (INR n + 1))) * (INR #|cell| * (2 + ln (1 + INR n))))).
  - exact: tame_scale.
  rewrite (_ : INR #|cell| * (top_at _ * _) = top_at (lambda h) * (INR #|cell| * (2 + lambda h))); last ring.
  have d0 := pos_INR (duration h); have l1 : ln (1 + INR (duration h)) <= lambda h by apply: Rcomplements.ln_le; nra.
  by do 2 apply: Rmult_le_compat_l => //; lra.
by have := Rmult_le_compat_l _ _ _ c0 (Rmult_le_compat_l _ _ _ B0 (mean_top N)); lra.
Qed.
End Second.
