(* MB-UCBVI by the widths of rows, as the paper goes: V_k is at most Gamma_k = B (1 + B sqrt(l_k/2)), and a row is within its radius.
   The order in B is B^(5/2), not the B^(3/2) of the sharper bound, but terms of lower order are small: with L = log(2SnK(KB+1)),
     E Reg(K) <= B^2 sqrt S L (SnB + 2 sqrt(SnKB)) + (S + 3) B,   B = 1/(1-beta), K >= 2. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Enclosures Values Bandits Horizon Concentration Events DoubleSum Gittins Hull UcbviOptimism.
From kernel Require Import History Bayes Regret FrozenCounts MovesEvent FrozenUses Unfolded Simulation Confidence Estimates Widths.
From kernel Require Import SecondSum MbUcbvi Sharper.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* The tangent of the square, in the logarithm's scale. *)
Lemma square_tangent y m : 1 <= y -> 2 <= m -> y * y <= m * m + 2 * m * (exp (y - m) - 1).
Proof.
move=> y1 m2; set d := y - m; have e0 := exp_pos d; case: (Rle_dec 0 (1 + d / 2)) => h.
  have sq : (1 + d / 2) * (1 + d / 2) <= exp d.
    have half : 1 + d / 2 <= exp (d / 2) by exact: exp_tangent.
    by rewrite (_ : d = d / 2 + d / 2); [rewrite exp_plus; apply: Rmult_le_compat; lra | field].
  have := Rmult_le_compat_l _ _ _ (ltac:(lra) : 0 <= 2 * m) sq.
  have : 0 <= (m - 2) * (d * d) by apply: Rmult_le_pos; [lra | exact: Rle_0_sqr].
  by have -> : y = m + d by [rewrite /d; ring]; lra.
have ym : y <= m - 2 by rewrite /d in h; lra.
have : 0 <= 2 * m * exp d by apply: Rmult_le_pos; lra.
nra.
Qed.

Section UcbviWidths.
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.
Hypotheses (K2 : (2 <= K)%nat) (C1 : (1 <= #|cell|)%nat) (S1 : (1 <= #|S|)%nat).
Let K1 : (1 <= K)%nat := ltnW K2.
Let B := 1 / (1 - beta).
Let B0 : 0 <= B := top_nonneg discount.
Notation C := (2 * (INR #|cell| * INR K)).
Notation lambda h := (log_time C h).
Notation L := (log_horizon beta C K).
Notation estimated h := (ucbvi_model next pays beta guess_reward guess_row K h).
Notation top h := (top_at beta (lambda h)).
Notation root_S := (sqrt (INR #|S|)).

Let B1 : 1 <= B.
Proof. by case: (discount) => b0 b1; apply: (Rmult_le_reg_r (1 - beta)); [lra | rewrite /B /Rdiv Rmult_assoc Rinv_l; lra]. Qed.
Let k2 : 2 <= INR K. Proof. by rewrite -[2]/(INR 2); apply: le_INR; exact/leP. Qed.
Let C_large : 3 <= C. Proof. by have := INR_ge1 C1; nra. Qed.
Let C_1 : 1 <= C. Proof. lra. Qed.
Let L_large : 248/100 <= L.
Proof.
have c1 := INR_ge1 C1; have l12 : 248/100 <= ln 12 by enclose.
apply: Rle_trans l12 _; apply: Rcomplements.ln_le; first lra.
have ck : 2 <= INR #|cell| * INR K by nra.
have kb : 2 <= INR K * B by nra.
by rewrite -/B; nra.
Qed.

(* B^2 sqrt S l_k. *)
Definition wide_price (h : history) : R := B * B * root_S * lambda h.

Lemma wide_price_nonneg h : 0 <= wide_price h.
Proof.
apply: Rmult_le_pos; last exact: log_time_nonneg.
by apply: Rmult_le_pos; [exact: Rmult_le_pos | exact: sqrt_pos].
Qed.

(* log(2^S S n K t_k) <= S log(2 S n K t_k). *)
Lemma wide_log_at_most (h : history) : wide_log K h <= INR #|S| * lambda h.
Proof.
have s1 := INR_ge1 S1; have c1 := INR_ge1 C1; have t := time_1 h; have [_ [<- _]] := logs K1 C1 S1 h.
have y1 : 1 <= INR #|cell| * INR K * time_of h by have : 1 <= INR #|cell| * INR K by [nra]; nra.
have l0 : 0 <= ln (INR #|cell| * INR K * time_of h) by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
rewrite -log_of_bonus !ln_mult ?ln_pow; try lra; try by apply: pow_lt; lra.
have : ln (INR #|cell| * INR K * time_of h) = ln (INR #|cell|) + ln (INR K) + ln (time_of h).
  by rewrite !ln_mult //; nra.
move=> e; rewrite e in l0; nra.
Qed.

Section Step.
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation M := (bandit_of next pays shows).

(* b + |rhat - r| + beta (Gamma_k/2) |Qhat - Q|_1 <= B^2 sqrt S l_k/sqrt(max(1,N)), from the second step on. *)
Lemma bonus_step (h : history) a s : 2 <= lambda h -> within next pays guess_reward guess_row K h M ->
  printed_bonus beta K h (a, s) + Rabs (mean_paid pays guess_reward h (a, s) - reward M a s) +
    beta * (top h / 2 * distance (MovesEvent.Qhat next guess_row h (a, s)) (row M a s)) <=
  wide_price h * weight (count_of (a, s) h).
Proof.
move=> l2 near; case: (discount) => b0 b1; set c := (a, s); set l := lambda h in l2 *; set w := weight (count_of c h).
have w0 : 0 <= w := weight_nonneg (count_of c h).
have s1 := INR_ge1 S1; have rs : 1 <= root_S by rewrite -{1}sqrt_1; exact: sqrt_le_1_alt.
pose x := sqrt (l / 2); have x1 : 1 <= x by rewrite -sqrt_1; apply: sqrt_le_1_alt; lra.
have xx : x * x = l / 2 by apply: sqrt_sqrt; lra.
have radius : sqrt (l / (2 * INR (maxn 1 (count_of c h)))) = x * w.
  have m := max1 (count_of c h); rewrite (_ : l / (2 * _) = l / 2 / INR (maxn 1 (count_of c h))); last by field; lra.
  by rewrite radius_by_weight //; lra.
have hb : printed_bonus beta K h c = B * (x * w) by rewrite /printed_bonus log_of_bonus radius.
have wide : sqrt (2 * wide_log K h) <= 2 * (root_S * x).
  rewrite -sqrt_mult; [|lra|lra]; rewrite -{2}(sqrt_square 2); last lra.
  rewrite -sqrt_mult; [|lra|by apply: Rmult_le_pos; lra].
  by apply: sqrt_le_1_alt; have := wide_log_at_most h; rewrite -/l; lra.
have [hr hq] : Rabs (mean_paid pays guess_reward h c - reward M a s) <= x * w /\
    distance (MovesEvent.Qhat next guess_row h c) (row M a s) <= 2 * (root_S * x) * w.
  case: (posnP (count_of c h)) => [z|N1].
    rewrite /w z weight_0 !Rmult_1_r; split.
      by have := means_range pays_unit guess_reward_ok h c; have := bandit_unit next pays_unit shows_ok a s; split_Rabs; lra.
    apply: Rle_trans (_ : _ <= 2) _; last by nra.
    have [q0 q1] := moves_ok next guess_row_ok h c; have [r0 r1] := bandit_markovian next pays shows_ok a s.
    rewrite (_ : 2 = \sum_(y : S) MovesEvent.Qhat next guess_row h c y + \sum_(y : S) row M a s y); last by rewrite q1 r1.
    by rewrite -sum_add; apply: sum_le => y _; have := q0 y; have := r0 y; split_Rabs; lra.
  have [r q] := near a s N1; rewrite -/c in r q; split.
    by rewrite Rabs_minus_sym; apply: Rle_trans r _; rewrite /reward_radius log_of_bonus radius; lra.
  rewrite distance_sym; apply: Rle_trans q _; have [_ [lw lw']] := logs K1 C1 S1 h.
  by rewrite /row_radius_of lw radius_by_weight; [apply: Rmult_le_compat_r | lra].
rewrite hb /top_at -/B -/x; set d := distance _ _ in hq *.
have bB : beta * B = B - 1 by rewrite /B; field; lra.
have g0 : 0 <= beta * (B * (1 + B * x) / 2).
  by apply: Rmult_le_pos => //; have := Rmult_le_pos _ _ B0 (ltac:(lra) : 0 <= x); nra.
have h1 := Rmult_le_compat_l _ _ _ g0 hq.
apply: Rle_trans (_ : _ <= (B * x + x + (B - 1) * (1 + B * x) * (root_S * x)) * w) _.
  by rewrite -bB; lra.
rewrite /wide_price -/l; apply: Rmult_le_compat_r => //.
have -> : B * B * root_S * l = 2 * (B * B) * root_S * (x * x) by rewrite xx; field.
have rx : x <= root_S * x by nra.
have y0 : 0 <= root_S * x by nra.
have i1 : B * x + x <= (B + 1) * (root_S * x) * x.
  have rxx : x <= root_S * x * x by have := Rmult_le_compat_l _ _ _ y0 x1; lra.
  by have := Rmult_le_compat_l _ _ _ (ltac:(lra) : 0 <= B + 1) rxx; lra.
have i2 : (B - 1) * (1 + B * x) * (root_S * x) <= (B - 1) * (B + 1) * x * (root_S * x).
  by apply: Rmult_le_compat_r => //; nra.
have y1 : 0 <= root_S * x * x by apply: Rmult_le_pos; lra.
have : (B + 1) * B <= 2 * (B * B) by nra.
by move=> i3; have := Rmult_le_compat_r _ _ _ y1 i3; lra.
Qed.

Lemma optimistic_value_nonneg h pi x : 0 <= V beta (estimated h) pi x.
Proof.
have hMk : markovian (estimated h) by move=> a s; exact: moves_ok.
apply: (V_at_least_for discount hMk (W := fun _ => 0)) => y; rewrite mean_const Rmult_0_r Rmult_0_r Rplus_0_r /=.
have b0 : 0 <= printed_bonus beta K h (pi y, y (pi y)) by apply: Rmult_le_pos; [exact: B0 | exact: sqrt_pos].
by have := means_range pays_unit guess_reward_ok h (pi y, y (pi y)); lra.
Qed.

(* What the optimistic value of a policy exceeds the true one by. *)
Theorem optimistic_gap (h : history) (pi : policy A S) T0 x : 2 <= lambda h -> within next pays guess_reward guess_row K h M ->
  V beta (estimated h) pi x - V beta M pi x <= wide_price h * widths beta M pi T0 h x + beta ^ T0 * top h.
Proof.
move=> l2 near; case: (discount) => b0 b1; have hM : markovian M by exact: bandit_markovian.
have hMk : markovian (estimated h) by move=> a s; exact: moves_ok.
have u : unit_rewards M by exact: bandit_unit.
pose g y := wide_price h * weight (count_of (pi y, y (pi y)) h).
apply: Rle_trans (unfold_recursion (P := fun y => P M (pi y) y) (g := g) (D := fun y => V beta (estimated h) pi y - V beta M pi y)
    (b := beta) (C := top h) T0 x _ b0 _ _) _ => [y|y|y|].
- exact: P_stochastic.
- rewrite mean_sub !mean_P (V_bellman discount hMk pi y) (V_bellman discount hM pi y) /g.
  set a := pi y; set s := y a; have st := bonus_step a s l2 near.
  have range z : 0 <= V beta (estimated h) pi (moved y a z) <= top h.
    by split; [exact: optimistic_value_nonneg | exact: (optimistic_top next discount pays_unit guess_reward_ok guess_row_ok K2 C1)].
  have sums : \sum_(z : S) row (estimated h) a s z = \sum_(z : S) row M a s z by rewrite (proj2 (hM a s)) (proj2 (hMk a s)).
  have d := Rmult_le_compat_l _ _ _ b0 (mean_difference_half range sums).
  have := Rle_abs (mean_paid pays guess_reward h (a, s) - reward M a s).
  move: d; rewrite [reward (estimated h) a s]/= [row (estimated h) a s]/=; lra.
- have := optimistic_top next discount pays_unit guess_reward_ok guess_row_ok K2 C1 h pi y.
  by have := V_range discount hM pi u y; lra.
apply: Rplus_le_compat_r; rewrite /widths -sum_to_scale; apply: Req_le; apply: sum_to_ext => t _.
by rewrite -Rmult_assoc (Rmult_comm (wide_price h)) Rmult_assoc; congr (_ * _); exact: reward_at_scale.
Qed.
End Step.

(* ---------------------------------------------------------------- The run *)

Variables (learner : history -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> O -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho) (shows_ok : forall a s, probability (shows a s)).
Hypothesis optimistic : plays_optimistically next pays beta guess_reward guess_row K learner.
Notation M := (bandit_of next pays shows).
Notation cut_mean N J F := (truncated next beta learner rho shows N J F).
Let hM : markovian M. Proof. exact: bandit_markovian. Qed.
Let unit : unit_rewards M. Proof. exact: bandit_unit. Qed.

(* E sum_k l_k sum_{t in k} max(1,N)^(-1/2) <= SnB L + 2 L sqrt(SnKB). *)
Theorem log_sum N : cut_mean N K (frozen (fun h => lambda h) weight) <=
  INR #|cell| * (B * L) + 2 * (L * sqrt (INR #|cell| * (INR K * B))).
Proof.
have c1 := INR_ge1 C1; set q := sqrt (INR #|cell| * (INR K * B)).
have v1 : 1 <= INR #|cell| * (INR K * B) by have : 1 <= INR K * B by [nra]; nra.
have q1 : 1 <= q by rewrite -sqrt_1; apply: sqrt_le_1_alt; lra.
have qq : q * q = INR #|cell| * (INR K * B) by apply: sqrt_sqrt; lra.
have l0 (h : history) : 0 <= lambda h by exact: log_time_nonneg.
have grows r (h : history) : lambda h <= lambda (r :: h) by exact: log_time_grows.
have last (h : history) : last_weight (fun h => lambda h) h <= lambda h by exact: last_weight_le.
apply: Rle_trans (frozen_roots next discount learner_ok rho_ok shows_ok N K l0 grows) _.
apply: Rplus_le_compat; apply: Rmult_le_compat_l; [exact: pos_INR | | lra |].
  apply: Rmult_le_compat_l => //; apply: Rle_trans (mean_log_time next discount learner_ok rho_ok shows_ok C_1 K1 N).
  by apply: law_le => // h _; exact: last.
have iL : 0 < / (2 * L) by apply: Rinv_0_lt_compat; lra. have iq : 0 < / (2 * q) by apply: Rinv_0_lt_compat; lra.
apply: Rle_trans (_ : _ <= cut_mean N K (fun h => q * / (2 * L) * (lambda h * lambda h) + L * / (2 * q) * (INR #|cell| * INR (duration h)))) _.
  apply: law_le => // h _; pose v := INR #|cell| * INR (duration h); pose z := sqrt v.
  have v0 : 0 <= v by apply: Rmult_le_pos; exact: pos_INR.
  apply: Rle_trans (_ : _ <= lambda h * z) _; first by apply: Rmult_le_compat_r; [exact: sqrt_pos | exact: last].
  rewrite -/v.
  have zz : z * z = v by exact: sqrt_sqrt.
  apply: (Rmult_le_reg_r (2 * L * q)); first by apply: Rmult_lt_0_compat; lra.
  rewrite (_ : (_ + _) * _ = q * q * (lambda h * lambda h) + L * L * (z * z)); last by rewrite zz; field; lra.
  by have := Rle_0_sqr (q * lambda h - L * z); rewrite /Rsqr; lra.
rewrite /truncated law_add !law_scale -!/(cut_mean N K _).
have L32 : 3/2 <= L by lra.
have a0 : 0 <= L * L - 2 * L by nra. have b0 : 0 <= 2 * L by lra.
have squares : cut_mean N K (fun h => lambda h * lambda h) <= L * L - 2 * L + 2 * L.
  apply: (mean_of_line next discount learner_ok rho_ok shows_ok N (f := fun h => lambda h * lambda h) a0 b0) => h.
  have := square_tangent (log_time_ge1 C_large h) (ltac:(lra) : 2 <= L).
  by rewrite (exp_ratio discount K C_large); lra.
have n1 : 0 <= q * / (2 * L) by apply: Rmult_le_pos; lra.
have n2 : 0 <= L * / (2 * q) * INR #|cell| by apply: Rmult_le_pos; [apply: Rmult_le_pos | ]; lra.
have h1 := Rmult_le_compat_l _ _ _ n1 squares.
have h2 := Rmult_le_compat_l _ _ _ n2 (mean_duration next discount learner_ok rho_ok shows_ok N K).
have e1 : q * / (2 * L) * (L * L - 2 * L + 2 * L) = L * q / 2 by field; lra.
have e2 : L * / (2 * q) * INR #|cell| * (INR K * B) = L * q / 2.
  by rewrite (_ : _ * (INR K * B) = L * / (2 * q) * (INR #|cell| * (INR K * B))); [rewrite -qq; field; lra | ring].
rewrite -/B in h2; lra.
Qed.

Section OnEvents.
Variables (gamma : A -> S -> R) (pistar : policy A S).
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).
Hypothesis largest : plays_largest_index gamma pistar.
Notation E_bad h := (E_fails next pays beta K shows gamma h).
Notation far h := (outside next pays K shows h).

Definition mishaps (h : history) : R := indicator (duration h == 0)%nat + (indicator (E_bad h) + indicator (far h)).

Lemma late_log (h : history) : (1 <= duration h)%nat -> 2 <= lambda h.
Proof.
move=> T1; have t1 := INR_ge1 T1; have c1 := INR_ge1 C1; have l8 : 2 <= ln 8 by enclose.
apply: Rle_trans l8 _; apply: Rcomplements.ln_le; first lra.
have ck : 2 <= INR #|cell| * INR K by nra.
by nra.
Qed.

Theorem loss_by_widths h T0 : loss beta learner rho M pistar h <=
  wide_price h * unfolded beta learner rho M T0 (fun c => weight (count_of c h)) h + B * mishaps h + beta ^ T0 * top h.
Proof.
case: (discount) => b0 b1; have t0 := top_at_nonneg discount (lambda h); have p0 := pow_le beta T0 b0.
have r0 : 0 <= beta ^ T0 * top h by exact: Rmult_le_pos.
have i1 := indicator_nonneg (duration h == 0)%nat; have i2 := indicator_nonneg (E_bad h); have i3 := indicator_nonneg (far h).
have u0 : 0 <= wide_price h * unfolded beta learner rho M T0 (fun c => weight (count_of c h)) h.
  by apply: Rmult_le_pos; [exact: wide_price_nonneg | apply: unfolded_nonneg => // c; exact: weight_nonneg].
have trivial_bound : 1 <= mishaps h -> loss beta learner rho M pistar h <= B * mishaps h.
  move=> one; have := Rle_trans _ _ _ (Rle_abs _) (loss_abs discount learner_ok rho_ok pistar hM unit h).
  by have := Rmult_le_compat_l _ _ _ B0 one; rewrite -/B; lra.
case D0 : (duration h == 0)%nat.
  by have := trivial_bound (ltac:(rewrite /mishaps D0 {1}/indicator; lra)); lra.
case E0 : (E_bad h); first by have := trivial_bound (ltac:(rewrite /mishaps E0 {2}/indicator; lra)); lra.
case F0 : (far h); first by have := trivial_bound (ltac:(rewrite /mishaps F0 {3}/indicator; lra)); lra.
have D1 : (1 <= duration h)%nat by rewrite lt0n D0.
have m0 : 0 <= B * mishaps h by apply: Rmult_le_pos => //; rewrite /mishaps; lra.
suff main : loss beta learner rho M pistar h <= wide_price h * mean (learner h) (fun pi => mean rho (widths beta M pi T0 h)) + beta ^ T0 * top h.
  by apply: Rle_trans main _; rewrite -/(unfolded beta learner rho M T0 (fun c => weight (count_of c h)) h); lra.
rewrite -mean_scale -(mean_of_const (beta ^ T0 * top h) (learner_ok h)) -mean_add.
apply: mean_le_where => [pi|pi chosen]; first exact: (proj1 (learner_ok h)).
rewrite -mean_scale -(mean_of_const (beta ^ T0 * top h) rho_ok) -mean_add.
apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
have near := within_unless_outside guess_reward guess_row (negbT F0).
apply: Rle_trans (optimistic_gap shows_ok pi T0 x (late_log D1) near); apply: Rplus_le_compat_r.
have covered := fun (x : state A S) a => covers discount pays_unit guess_reward_ok guess_row_ok shows_ok indices largest x a K2 D1 C1 (negbT E0).
apply: (event_suffices discount hM _ (optimistic chosen)) => [a|y]; last exact: covered.
by split=> y *; [exact: (proj1 (moves_ok next guess_row_ok h (a, _))) | rewrite (proj2 (moves_ok next guess_row_ok h (a, y))); lra].
Qed.

Lemma regret_by_widths : expected_regret next beta learner rho shows M pistar K <=
  B * B * root_S * (INR #|cell| * (B * L) + 2 * (L * sqrt (INR #|cell| * (INR K * B)))) + (INR #|S| + 3) * B.
Proof.
rewrite (regret_by_episodes next discount learner_ok rho_ok shows_ok pistar hM unit).
have p0 : 0 <= B * B * root_S by apply: Rmult_le_pos (sqrt_pos _); exact: Rmult_le_pos.
have i1 b : 0 <= indicator b <= 1 by rewrite /indicator; case: b; lra.
have bad3 h : Rabs (B * mishaps h) <= 3 * B.
  have j1 := i1 (duration h == 0)%nat; have j2 := i1 (E_bad h); have j3 := i1 (far h).
  have [m0 m3] : 0 <= mishaps h <= 3 by rewrite /mishaps; lra.
  by rewrite Rabs_pos_eq; [have := Rmult_le_compat_l _ _ _ B0 m3; lra | exact: Rmult_le_pos].
have loss3 h : Rabs (loss beta learner rho M pistar h) <= 3 * B.
  by have := loss_abs discount learner_ok rho_ok pistar hM unit h; rewrite -/B; lra.
have k0 : 0 < INR K by lra.
have D0 : 0 <= INR K * top_at beta L by apply: Rmult_le_pos; [lra | exact: top_at_nonneg].
apply: Rle_trans (sum_of_frozen_tail (G := fun h => top h) (C := 3 * B) (D := INR K * top_at beta L) discount learner_ok rho_ok shows_ok hM
  (bandit_shown next pays shows) _ D0 loss3 bad3 wide_price_nonneg weight_nonneg loss_by_widths _ _) _ => [|N|N|].
- lra.
- have := Rmult_le_compat_l _ _ _ p0 (log_sum N); rewrite -law_scale; apply: Rle_trans; apply: Req_le.
  apply: law_ext => h; rewrite /frozen; elim: h => [|r h IH] /=; first ring.
  by rewrite IH /wide_price Rmult_plus_distr_l -!Rmult_assoc.
- apply: Rle_trans (_ : _ <= cut_mean N K (fun h => INR K * top h)) _.
    apply: law_le => // h sz; rewrite addn0 in sz; have := @summed_grows A S O (fun h => top h) h; rewrite sz; apply=> r h'.
    by apply: top_at_le => //; exact: log_time_grows.
  rewrite /truncated law_scale; apply: Rmult_le_compat_l; first lra.
  have L32 : 3/2 <= L by lra.
  exact: (mean_top next discount learner_ok rho_ok shows_ok C_large L32 N).
apply: Rplus_le_compat_l; have b3 : 0 <= 3 * B by lra.
rewrite -(mean_summed next discount learner_ok rho_ok shows_ok K b3 bad3).
have bounded : bounded_after K [::] (summed (fun h => B * mishaps h)) (INR K * (3 * B)).
  by move=> h sz; rewrite addn0 in sz; rewrite -sz; exact: summed_abs.
apply: (expected_at_most discount learner_ok rho_ok shows_ok _ bounded) => [|N]; first by apply: Rmult_le_pos; lra.
rewrite (_ : cut_mean N K _ = B * (cut_mean N K (summed (fun h => indicator (duration h == 0)%nat)) +
    (cut_mean N K (summed (fun h => indicator (E_bad h))) + cut_mean N K (summed (fun h => indicator (far h)))))); last first.
  by rewrite /truncated -!law_add -law_scale; apply: law_ext => h; rewrite summed_scale /mishaps !summed_add.
have kk : INR K * / INR K = 1 by apply: Rinv_r; lra.
have a1 := cut_first next discount learner_ok rho_ok shows_ok N K.
have s0 : 0 <= INR #|S| / INR K by apply: Rcomplements.Rdiv_le_0_compat => //; exact: pos_INR.
have a2 := cut_summed discount learner_ok rho_ok shows_ok K s0 (fun j => event_E discount pays_unit shows_ok indices N j learner_ok rho_ok K1 C1).
have i0 : 0 <= 2 / INR K by apply: Rcomplements.Rdiv_le_0_compat; lra.
have a3 := cut_summed discount learner_ok rho_ok shows_ok K i0 (fun j => outside_rarely_cut next pays_unit shows_ok discount learner_ok rho_ok K1 C1 N j).
rewrite (_ : INR K * (_ / _) = INR #|S| * (INR K * / INR K)) in a2; last by rewrite /Rdiv; ring.
rewrite (_ : INR K * (_ / _) = 2 * (INR K * / INR K)) in a3; last by rewrite /Rdiv; ring.
rewrite kk in a2 a3; rewrite (Rmult_comm _ B); apply: Rmult_le_compat_l => //; lra.
Qed.
End OnEvents.
End UcbviWidths.
