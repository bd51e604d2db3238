(* Frozen counts with the steps at small counts apart: f = 1 below B, and f = 1/max(B, i), for which B f(0) is 1 and not B; with
   the weights l_k, by the tangent of (c + log(1 + T)) (q + log(1 + T/b)), which is concave for c and q as they are here. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Weights Laws LawOfRun Truncation Frozen SecondSum.

(* ---------------------------------------------------------------- The tangent *)

(* e^(-x) - 1 + x >= x^2/(4 + x). *)
Lemma exp_below x : 0 <= x -> x ^ 2 <= (4 + x) * (exp (- x) - 1 + x).
Proof.
move=> x0; have p := exp_pos (- x); case: (Rle_dec x 2) => [small|/Rnot_le_lt large].
  have := @exp_square (- x) (ltac:(lra)); set e := exp _ in p *; move=> sq.
  by nra.
have := Rmult_le_compat_l (4 + x) (x - 1) (exp (- x) - 1 + x) (ltac:(lra)) (ltac:(lra)); nra.
Qed.

Lemma product_below u v L Q : (0 <= u /\ 0 <= v /\ 4 <= L /\ 1 <= Q \/ u <= 0 /\ v <= 0 /\ 4 - u <= L /\ 1 - v <= Q) ->
  (L + u) * (Q + v) <= L * Q + (Q * (exp u - 1) + L * (exp v - 1)).
Proof.
suff main : (0 <= u /\ 0 <= v /\ 4 <= L /\ 1 <= Q \/ u <= 0 /\ v <= 0 /\ 4 - u <= L /\ 1 - v <= Q) ->
    u * v <= Q * (exp u - 1 - u) + L * (exp v - 1 - v) by move=> h; have := main h; lra.
case=> [[u0 [v0 [l4 q1]]]|[u0 [v0 [l4 q1]]]].
  have hu := @exp_square u (ltac:(lra)); have hv := @exp_square v (ltac:(lra)).
  have g1 : 1 * (u ^ 2 / 4) <= Q * (exp u - 1 - u) by factorwise.
  have g2 : 4 * (v ^ 2 / 4) <= L * (exp v - 1 - v) by factorwise.
  by have := pow2_ge_0 (u / 2 - v); lra.
have := @exp_below (- u) (ltac:(lra)); have := @exp_below (- v) (ltac:(lra)); rewrite !Ropp_involutive.
have [x0 [y0 [{}l4 {}q1]]] : 0 <= - u /\ 0 <= - v /\ 4 + - u <= L /\ 1 + - v <= Q by lra.
rewrite (_ : u * v = - u * - v) /Rminus; last ring.
move: (- u) (- v) (exp u + - (1) + - u) (exp v + - (1) + - v) x0 y0 l4 q1 => x y s t x0 y0 {}l4 {}q1 ht hs.
have s0 : 0 <= s by apply: (Rmult_le_reg_l (4 + x)); [lra | have := pow2_ge_0 x; lra].
have t0 : 0 <= t by apply: (Rmult_le_reg_l (4 + y)); [lra | have := pow2_ge_0 y; lra].
suff : x * y <= (4 + y) / 4 * s + (4 + x) * t by move=> h; apply: Rle_trans h _; factorwise.
apply: (Rmult_le_reg_l ((4 + x) * (4 + y))); first by apply: Rmult_lt_0_compat; lra.
have k1 : (4 + y) ^ 2 / 4 * x ^ 2 <= (4 + y) ^ 2 / 4 * ((4 + x) * s) by factorwise.
have k2 : (4 + x) ^ 2 * y ^ 2 <= (4 + x) ^ 2 * ((4 + y) * t) by factorwise.
by have := pow2_ge_0 ((4 + y) / 2 * x - (4 + x) * y); lra.
Qed.

(* (c + log(1 + T)) (q + log(1 + T/b)) lies below its tangent at T0. *)
Lemma product_tangent c q b T T0 : 4 <= c -> 1 <= q -> 1 <= b -> 0 <= T -> 0 <= T0 ->
  (c + ln (1 + T)) * (q + ln (1 + T / b)) <= (c + ln (1 + T0)) * (q + ln (1 + T0 / b)) +
    ((q + ln (1 + T0 / b)) / (1 + T0) + (c + ln (1 + T0)) / (b + T0)) * (T - T0).
Proof.
move=> c4 q1 b1 T_0 T0_0; have lnle x y : 0 < x -> x <= y -> ln x <= ln y by move=> ? ?; exact: Rcomplements.ln_le.
have ln0 t : 0 <= t -> 0 <= ln (1 + t) by move=> t0; rewrite -ln_1; apply: lnle; lra.
have ib : 0 < / b by apply: Rinv_0_lt_compat; lra.
have d0 : 0 <= T0 / b by nonneg. have d1 : 0 <= T / b by nonneg.
pose u := ln (1 + T) - ln (1 + T0); pose v := ln (1 + T / b) - ln (1 + T0 / b).
have xu : exp u - 1 = (T - T0) / (1 + T0) by rewrite /u /Rminus exp_plus exp_Ropp !exp_ln; try lra; field; lra.
have xv : exp v - 1 = (T - T0) / (b + T0) by rewrite /v /Rminus exp_plus exp_Ropp !exp_ln; try lra; field; lra.
have := @product_below u v (c + ln (1 + T0)) (q + ln (1 + T0 / b)); rewrite xu xv => main.
apply: Rle_trans (_ : _ <= (c + ln (1 + T0) + u) * (q + ln (1 + T0 / b) + v)) _; first by apply: Req_le; rewrite /u /v; ring.
apply: Rle_trans (main _) _; last by apply: Req_le; field; lra.
have l0 := ln0 _ T0_0; have q0 := ln0 _ d0; have lT := ln0 _ T_0; have qT := ln0 _ d1.
case: (Rle_dec T0 T) => [le|/Rnot_le_lt/Rlt_le le]; have le' := Rmult_le_compat_r _ _ _ (Rlt_le _ _ ib) le; [left | right].
  have := lnle (1 + T0) (1 + T) (ltac:(lra)) (ltac:(lra)); have := lnle (1 + T0 / b) (1 + T / b) (ltac:(lra)) (ltac:(lra)).
  by rewrite /u /v; repeat split; lra.
have := lnle (1 + T) (1 + T0) (ltac:(lra)) (ltac:(lra)); have := lnle (1 + T / b) (1 + T0 / b) (ltac:(lra)) (ltac:(lra)).
by rewrite /u /v; repeat split; lra.
Qed.

(* ---------------------------------------------------------------- The functions of the count *)

Section Functions.
Variable b : R.
Hypothesis b1 : 1 <= b.

Definition early (n : nat) : R := if Rlt_dec (INR n) b then 1 else 0.

Lemma early_01 n : 0 <= early n <= 1.
Proof. by rewrite /early; case: (Rlt_dec (INR n) b) => h /=; lra. Qed.

Lemma early_falls n : early n.+1 <= early n.
Proof. by rewrite /early; have := S_INR n; case: (Rlt_dec (INR n.+1) b) => h1; case: (Rlt_dec (INR n) b) => h2 e; cbv iota beta delta [is_left]; lra. Qed.

Lemma running_early n : running early n <= b + 1.
Proof.
suff : running early n <= INR n /\ running early n <= b + 1 by case.
elim: n => [|n [IH1 IH2]]; first by rewrite /running /=; lra.
have := early_01 n; rewrite /running sum_recr -/(running early n) S_INR => e; split; first lra.
case: (Rle_dec b (INR n)) => h; last lra.
suff z : early n = 0 by lra.
by rewrite /early; case: (Rlt_dec (INR n) b) => //= h'; lra.
Qed.

(* A step is at a small count, or the inverse is that of the count. *)
Lemma inverse_late n : b <= INR n -> inverse n = late_inverse b n.
Proof. by move=> bn; rewrite inverseE /late_inverse !Rmax_right //; lra. Qed.
End Functions.

(* ---------------------------------------------------------------- Over the run *)

Section Late.
Variables (A S : finType) (O : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation cell := (cell A S).
Notation history := (history A S O).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> law_on O.
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Notation B := (1 / (1 - beta)).
Notation sn := (INR #|cell|).
Hypothesis C1 : (1 <= #|cell|)%nat.

Let B1 : 1 <= B := top_ge1 discount.
Let t_dur (k : nat -> R) : tame (fun h : history => k (duration h)). Proof. exact: tame_steps. Qed.
Let constant N K c (c0 : 0 <= c) : cut_mean N K (fun _ => c) <= c := law_const_le next discount learner_ok rho_ok shows N K [::] c0.
Let sn1 : 1 <= sn. Proof. by rewrite -[1]/(INR 1); apply: le_INR; apply/leP. Qed.

(* Steps at counts below B. *)
Lemma early_steps N K : cut_mean N K (frozen (fun _ => 1) (early B)) <= 3 * (sn * B).
Proof.
have f0 n : 0 <= early B n by case: (early_01 B n).
have le (h : history) : \sum_(c : cell) running (early B) (count_of c h) <= sn * (B + 1).
  by rewrite -sum_const; apply: sum_le => c _; exact: (running_early B1).
apply: Rle_trans (frozen_running (w := fun _ => 1) (top := fun _ => sn * (B + 1)) next discount learner_ok rho_ok shows N K
  (@tame_const A S O 1) (fun _ => Rle_0_1) (fun _ _ => Rle_refl 1) f0 (early_falls B) le) _.
have -> : early B 0 = 1 by rewrite /early [INR 0]/=; case: (Rlt_dec 0 B) => //= ?; lra.
have c1 := constant N K Rle_0_1; have c2 := constant N K (ltac:(nra) : 0 <= 1 * (sn * (B + 1))).
have := Rmult_le_compat_l sn _ _ (ltac:(lra)) (Rmult_le_compat_l (B * 1) _ _ (ltac:(lra)) c1).
by have := Rmult_le_compat_l sn _ _ (ltac:(lra)) B1; lra.
Qed.

Section Weights.
Variables (C : R) (K : nat).
Hypothesis C_large : 4 <= ln C.
Hypothesis C_pos : 0 < C.
Notation l h := (log_time C h).
Let t_log : tame (fun h : history => l h). Proof. exact: (t_dur (fun n => ln (C * (INR n + 1)))). Qed.
Notation L := (log_horizon beta C K).

Lemma log_timeE (h : history) : l h = ln C + ln (1 + INR (duration h)).
Proof. by have d := pos_INR (duration h); rewrite /log_time ln_mult; [rewrite (Rplus_comm 1) | lra | lra]. Qed.

Let KB : 0 <= INR K * B. Proof. by apply: Rmult_le_pos; [exact: pos_INR | lra]. Qed.

Lemma log_horizonE : L = ln C + ln (1 + INR K * B).
Proof. by rewrite /log_horizon ln_mult; [rewrite (Rplus_comm 1) | lra | lra]. Qed.

Let C_1 : 1 <= C.
Proof. by case: (Rle_dec 1 C) => // /Rnot_le_lt lt; have := ln_increasing _ _ C_pos lt; rewrite ln_1; lra. Qed.

(* E[l_K (q + log(1 + T/b))] <= L (q + log(1 + KB/b)). *)
Lemma mean_product N q b : 2 <= q -> 1 <= b ->
  cut_mean N K (fun h => l h * (q + ln (1 + INR (duration h) / b))) <= L * (q + ln (1 + INR K * B / b)).
Proof.
move=> q2 b1; have ib : 0 < / b by apply: Rinv_0_lt_compat; lra.
have TK := KB; set T0 := INR K * B in TK *; set Q := q + ln (1 + T0 / b).
have Q2 : 2 <= Q.
  have : 0 <= ln (1 + T0 / b) by rewrite -ln_1; apply: Rcomplements.ln_le; [lra | have : 0 <= T0 / b by [apply: Rmult_le_pos; lra]; lra].
  by rewrite /Q; lra.
have L4 : 4 <= L.
  have : 0 <= ln (1 + T0) by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
  by rewrite log_horizonE -/T0; lra.
pose k := Q / (1 + T0) + L / (b + T0).
have k0 : 0 <= k by apply: Rplus_le_le_0_compat; apply: Rcomplements.Rdiv_le_0_compat; lra.
have kT : k * T0 <= Q + L.
  have i1 : T0 / (1 + T0) <= 1 by apply: (Rmult_le_reg_r (1 + T0)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
  have i2 : T0 / (b + T0) <= 1 by apply: (Rmult_le_reg_r (b + T0)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
  rewrite (_ : k * T0 = Q * (T0 / (1 + T0)) + L * (T0 / (b + T0))); last by rewrite /k; field; lra.
  by have := Rmult_le_compat_l Q _ _ (ltac:(lra)) i1; have := Rmult_le_compat_l L _ _ (ltac:(lra)) i2; lra.
have a0 : 0 <= L * Q - k * T0 by nra.
apply: Rle_trans (@mean_below_line A S O next beta discount learner rho learner_ok rho_ok shows N K _ _ _ _ a0 k0 _) _;
  last by rewrite -/T0; lra.
  exact: (t_dur (fun n => ln (C * (INR n + 1)) * (q + ln (1 + INR n / b)))).
move=> h; rewrite log_timeE; have := @product_tangent (ln C) q b (INR (duration h)) T0 C_large (ltac:(lra)) b1 (pos_INR _) TK.
by rewrite -log_horizonE -/Q -/k; lra.
Qed.

Let w0 (h : history) : 0 <= l h. Proof. exact: log_time_nonneg. Qed.
Let wS r (h : history) : l h <= l (r :: h). Proof. exact: log_time_grows. Qed.
Let mean_linear N u v (F G H : history -> R) : tame F -> tame G -> tame H -> (forall h, u * F h + G h <= v * H h) ->
  u * cut_mean N K F + cut_mean N K G <= v * cut_mean N K H.
Proof.
move=> tF tG tH le; rewrite /truncated -!(law_scale next discount learner_ok rho_ok shows) //.
rewrite -(law_add next discount learner_ok rho_ok shows) //; last exact: tame_scale.
by apply: law_le => //; [by apply: tame_add => //; exact: tame_scale | exact: tame_scale].
Qed.

(* E sum_k l_k sum_t 1/max(1, N) <= SnL (B + 2 + log(1 + KB)). *)
Lemma inverse_sum N : cut_mean N K (frozen (fun h => l h) inverse) <= sn * (L * (B + 2 + ln (1 + INR K * B))).
Proof.
apply: Rle_trans (frozen_inverses next discount learner_ok rho_ok shows K N t_log w0 wS) _.
have main := @mean_product N (B + 2) 1 (ltac:(lra)) (ltac:(lra)).
apply: Rle_trans (_ : _ <= sn * cut_mean N K (fun h => l h * (B + 2 + ln (1 + INR (duration h) / 1)))) _.
  rewrite -Rmult_assoc; apply: mean_linear => // [||h]; last by rewrite Rdiv_1; lra.
    exact: (t_dur (fun n => ln (C * (INR n + 1)) * (sn * (2 + ln (1 + INR n))))).
  exact: (t_dur (fun n => ln (C * (INR n + 1)) * (B + 2 + ln (1 + INR n / 1)))).
by apply: Rmult_le_compat_l; [lra | rewrite (_ : 1 + INR K * B = 1 + INR K * B / 1); [exact: main | by case: discount => b0 b1; field; lra]].
Qed.

(* Concavity over cells. *)
Lemma logs_over_cells (h : history) : \sum_(c : cell) ln (1 + INR (count_of c h) / B) <= sn * ln (1 + INR (duration h) / (sn * B)).
Proof.
have iB : 0 < / B by apply: Rinv_0_lt_compat; lra.
have snB : 0 < / (sn * B) by apply: Rinv_0_lt_compat; apply: Rmult_lt_0_compat; lra.
have d0 := pos_INR (duration h); set y := INR (duration h) / (sn * B).
have y0 : 0 <= y by apply: Rmult_le_pos; lra.
have p : 0 < / (1 + y) by apply: Rinv_0_lt_compat; lra.
apply: Rle_trans (_ : _ <= \sum_(c : cell) ((ln (1 + y) - / (1 + y) * y) + / (1 + y) * / B * INR (count_of c h))) _.
  apply: sum_le => c _; have n0 := pos_INR (count_of c h); have z0 : 0 <= INR (count_of c h) / B by apply: Rmult_le_pos; lra.
  have q : 0 < (1 + INR (count_of c h) / B) * / (1 + y) by apply: Rmult_lt_0_compat; lra.
  have := exp_tangent (ln ((1 + INR (count_of c h) / B) * / (1 + y))); rewrite exp_ln // ln_mult; [|lra|lra].
  rewrite ln_Rinv; last lra.
  have e : / (1 + y) * (1 + y) = 1 by apply: Rinv_l; lra.
  by rewrite /Rdiv in z0 *; lra.
rewrite sum_add sum_const sum_scale (_ : \sum_(c : cell) INR (count_of c h) = INR (duration h)); last exact: (visits_total (flat h)).
case: discount => b0 b1; have : 0 <= INR (duration h) * (1 - beta) by apply: Rmult_le_pos; lra.
by move=> pos; apply: Req_le; rewrite /y; field; repeat split; lra.
Qed.

(* E sum_k l_k sum_t 1/max(B, N) <= SnL (3 + log(1 + K/(Sn))). *)
Lemma late_sum N : cut_mean N K (frozen (fun h => l h) (late_inverse B)) <= sn * (L * (3 + ln (1 + INR K / sn))).
Proof.
have te := t_dur (fun n => ln (C * (INR n + 1)) * (sn * (2 + ln (1 + INR n / (sn * B))))).
have le (h : history) : \sum_(c : cell) running (late_inverse B) (count_of c h) <= sn * (2 + ln (1 + INR (duration h) / (sn * B))).
  apply: Rle_trans (sum_le _ (fun c _ => running_late B1 (count_of c h))) _.
  by rewrite sum_add sum_const; have := logs_over_cells h; lra.
apply: Rle_trans (frozen_running (top := fun n => sn * (2 + ln (1 + INR n / (sn * B)))) next discount learner_ok rho_ok
  shows N K t_log w0 wS (late_nonneg B1) (late_falls B1) le) _.
rewrite late_0 // (_ : B * / B = 1); last by apply: Rinv_r; lra.
have main := @mean_product N 3 (sn * B) (ltac:(lra)) (ltac:(nra)).
apply: Rle_trans (_ : _ <= sn * cut_mean N K (fun h => l h * (3 + ln (1 + INR (duration h) / (sn * B))))) _.
  rewrite Rmult_1_l; apply: mean_linear => // [|h]; last lra.
  exact: (t_dur (fun n => ln (C * (INR n + 1)) * (3 + ln (1 + INR n / (sn * B))))).
apply: Rmult_le_compat_l; first lra.
by rewrite (_ : 1 + INR K / sn = 1 + INR K * B / (sn * B)); [exact: main | by case: discount => b0 b1; field; repeat split; lra].
Qed.
End Weights.
End Late.
