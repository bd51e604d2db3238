(* MB-UCBVI as printed, for any law of observations: E Reg(K) is at most
     2 sqrt 2 e^theta B^(3/2) sqrt(SnK L) + sqrt 2 e^theta SnB^2 sqrt L + (e^theta/theta) beta l' T0 Sn Gamma (B + 2 + L)
       + (S + 2 + e^theta) B,
   B = 1/(1-beta), L = log(2SnK(KB+1)), l' = S log 2 + log(SnK), Gamma = B (1 + B sqrt(L/2)), for every theta in (0, 1] and
   T0 >= B log(K Gamma/B): Theorem A of the notes on sharper bounds, its sections 1.1 to 1.8 put together. *)

From kernel Require LemmaConcentration.
From kernel Require Import Limits Sums Enclosures Values Bandits Concentration Events DoubleSum Gittins Hull UcbviOptimism.
From kernel Require Import Recursion Episodes Weights Levels Laws LawOfRun Truncation Frozen Radii Known RunSums.
From kernel Require Import BonusEvent RowsEvent SecondSum ShortForm.

Section Ucbvi.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation plays := (plays A S).
Notation cell := (cell A S).
Notation history := (history A S O).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.
Notation estimated h := (ucbvi_model next pays beta guess_reward guess_row K h).

(* MB-UCBVI: before each episode a policy that is optimal for the estimates with the bonus, ties broken and coins tossed as
   the learner likes. *)
Definition plays_optimistically (learner : history -> plays -> R) := forall h pi, 0 < learner h pi ->
  forall (pi' : policy A S) x, V beta (estimated h) pi' x <= V beta (estimated h) (fun y => pi y) x.

Variables (learner : history -> plays -> R) (rho : global A S -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Hypothesis optimistic : plays_optimistically learner.
Notation M := (bandit_of next pays shows).
Let hM : markovian M. Proof. exact: bandit_markovian. Qed.
Let unit : unit_rewards M. Proof. exact: bandit_unit. Qed.
Notation cut_mean N J F := (truncated next beta learner rho shows N J F).
Notation loss_of pistar h := (loss beta learner rho M pistar h).
Let B := 1 / (1 - beta).
Let B0 : 0 <= B := top_nonneg discount.

(* ---------------------------------------------------------------- Sums over episodes, with lengths cut at N *)

(* Before the second step at most one episode begins. *)
Lemma cut_first N J : cut_mean N J (summed (fun h => indicator (duration h == 0)%nat)) <= 1.
Proof.
apply: Rle_trans (law_const_le next discount learner_ok rho_ok shows N J [::] Rle_0_1).
apply: LemmaConcentration.cut_le_of_played => // [||h played _]; [apply: tame_summed; exact: tame_indicator | exact: tame_const |].
elim: h played => [|r h IH] played; first by rewrite /summed /=; lra.
rewrite summed_cons; case: h IH played => [|[p e] h] IH; first by rewrite /summed /duration /indicator /=; lra.
move=> /and3P [_ e0 ph]; have z : (duration ((p, e) :: h) == 0)%nat = false by rewrite duration_cons; case: (e) e0.
by have i0 : indicator false = 0 by []; have := IH (introT andP (conj e0 ph)); rewrite z; lra.
Qed.

(* ---------------------------------------------------------------- One episode *)

Variables (theta : R) (T0 : nat).
Hypotheses (theta_range : 0 < theta <= 1) (T1 : (1 <= T0)%nat).
Let eps := theta / INR T0.
Notation C := (2 * (INR #|cell| * INR K)).
Notation lambda h := (log_time C h).

Let t1 : 1 <= INR T0 := INR_ge1 T1.
Let eps_range : 0 < eps <= 1.
Proof.
split; first by apply: Rdiv_lt_0_compat; lra.
by apply: (Rmult_le_reg_r (INR T0)); [lra | rewrite /eps /Rdiv Rmult_assoc Rinv_l; lra].
Qed.

Lemma compounded : (1 + eps) ^ T0 <= exp theta.
Proof. by apply: compounding => //; lra. Qed.

Section OnEvents.
Variables (gamma : A -> S -> R) (pistar : policy A S).
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).
Hypothesis largest : plays_largest_index gamma pistar.
Hypotheses (K2 : (2 <= K)%nat) (C1 : (1 <= #|cell|)%nat) (S1 : (1 <= #|S|)%nat).
Let K1 : (1 <= K)%nat := ltnW K2.
Notation E_bad h := (E_fails next pays beta K shows gamma h).
Notation F_bad h := (F_fails next shows eps K guess_row h).

Let C_large : 3 <= C.
Proof. by have := INR_ge1 C1; have : 2 <= INR K by [rewrite -[2]/(INR 2); apply: le_INR; exact/leP]; nra. Qed.

Lemma lambda_nonneg (h : history) : 0 <= lambda h.
Proof. by apply: log_time_nonneg; lra. Qed.

(* The printed bonus in the form of a frozen sum. *)
Lemma bonusE (h : history) c : printed_bonus beta K h c = B * / sqrt 2 * sqrt (lambda h) * weight (count_of c h).
Proof.
have l0 := lambda_nonneg h; have m := max1 (count_of c h).
rewrite /printed_bonus /reward_radius (_ : ln _ = lambda h); last by rewrite /log_time /time_of; congr ln; ring.
rewrite (_ : lambda h / (2 * _) = lambda h / 2 / INR (maxn 1 (count_of c h))); last by field; lra.
by rewrite radius_by_weight; [rewrite sqrt_div_alt -/B; [rewrite /Rdiv; ring | lra] | lra].
Qed.

Lemma bonus_range (h : history) c : 0 <= printed_bonus beta K h c <= B * sqrt (lambda h / 2).
Proof.
have l0 := lambda_nonneg h; rewrite bonusE sqrt_div_alt; last lra.
have s0 := sqrt_pos (lambda h); have i0 : 0 < / sqrt 2 by apply: Rinv_0_lt_compat; apply: sqrt_lt_R0; lra.
have w0 := weight_nonneg (count_of c h); have w1 : weight (count_of c h) <= 1.
  by rewrite -weight_0; elim: (count_of c h) => [|n IH]; [lra | have := weight_falls n; lra].
have p : 0 <= B * / sqrt 2 * sqrt (lambda h) by apply: Rmult_le_pos => //; apply: Rmult_le_pos; lra.
by rewrite (_ : B * (_ / _) = B * / sqrt 2 * sqrt (lambda h)); [nra | rewrite /Rdiv; ring].
Qed.

(* V_k <= Gamma_k. *)
Lemma optimistic_top (h : history) pi x : V beta (estimated h) pi x <= top_at beta (lambda h).
Proof.
have hMk : markovian (estimated h) by move=> a s; exact: moves_ok.
rewrite /top_at -/B (_ : B * _ = (1 + B * sqrt (lambda h / 2)) / (1 - beta)); last by rewrite {1}/B /Rdiv; ring.
apply: (discounted_at_most_const (sub_policy (P_sub hMk) pi) discount) => [|y].
  by have := Rmult_le_pos _ _ B0 (sqrt_pos (lambda h / 2)); lra.
rewrite [reward _ _ _]/=; have := means_range pays_unit guess_reward_ok h (pi y, y (pi y)); have := bonus_range h (pi y, y (pi y)); lra.
Qed.

(* beta l'/eps. *)
Definition slack : R := beta * (log_level A S K / eps).

(* 2 b_k + beta l' Gamma_k/(eps max(1,N)) at a step of the episode. *)
Definition spent (h : history) (x : global A S) (a : A) : R :=
  sqrt 2 * B * (sqrt (lambda h) * weight (count_of (a, x a) h)) + slack * (top_at beta (lambda h) * inverse (count_of (a, x a) h)).

Definition rare (h : history) : R := indicator (duration h == 0)%nat + (indicator (E_bad h) + indicator (F_bad h)).

(* For K >= 2 (an episode's regret is at most B otherwise): l' >= log 4 > 1 >= eps. *)
Let large : eps <= log_level A S K.
Proof.
have k : 2 <= INR K by rewrite -[2]/(INR 2); apply: le_INR; apply/leP.
have c := INR_ge1 C1; have s := INR_ge1 S1; have l2 := ln_lt_2; rewrite log_levelE //.
have : ln 2 <= ln (INR #|cell| * INR K) by apply: Rcomplements.ln_le; [lra | nra].
by have := Rmult_le_compat_r (ln 2) _ _ (ltac:(lra)) s; lra.
Qed.

Let slack0 : 0 <= slack.
Proof.
case: (discount) => b0 _; apply: Rmult_le_pos => //; apply: Rcomplements.Rdiv_le_0_compat; lra.
Qed.

Lemma spent_nonneg h x a : 0 <= spent h x a.
Proof.
have w := weight_nonneg (count_of (a, x a) h); have i := inverse_nonneg (count_of (a, x a) h).
by have := B0; have := slack0; have := top_at_nonneg discount (lambda h); rewrite /spent => *; nonneg.
Qed.

(* What an episode costs given the past: 1.3, 1.5 and 1.6. *)
Lemma loss_at_most h : loss_of pistar h <=
  B * rare h + exp theta * beta ^ T0 * top_at beta (lambda h) + exp theta * ahead beta learner rho M T0 (spent h) h.
Proof.
case: (discount) => b0 b1; have e0 := exp_pos theta; have s0 := ahead_nonneg discount learner_ok rho_ok hM T0 h (spent_nonneg h).
have t0 := top_at_nonneg discount (lambda h); have p0 := pow_le beta T0 b0.
have r0 : 0 <= exp theta * beta ^ T0 * top_at beta (lambda h) by nonneg.
have es0 : 0 <= exp theta * ahead beta learner rho M T0 (spent h) h by nonneg.
have trivial_bound : 1 <= rare h -> loss_of pistar h <=
    B * rare h + exp theta * beta ^ T0 * top_at beta (lambda h) + exp theta * ahead beta learner rho M T0 (spent h) h.
  move=> one; have := Rle_trans _ _ _ (Rle_abs _) (loss_abs discount learner_ok rho_ok pistar hM unit h).
  by have := Rmult_le_compat_l _ _ _ B0 one; rewrite -/B; lra.
have i1 := indicator_nonneg (duration h == 0)%nat; have i2 := indicator_nonneg (E_bad h); have i3 := indicator_nonneg (F_bad h).
case D0 : (duration h == 0)%nat; first by apply: trivial_bound; rewrite /rare D0 {1}/indicator; lra.
case E0 : (E_bad h); first by apply: trivial_bound; rewrite /rare E0 {2}/indicator; lra.
case F0 : (F_bad h); first by apply: trivial_bound; rewrite /rare F0 {3}/indicator; lra.
have D1 : (1 <= duration h)%nat by rewrite lt0n D0.
apply: Rle_trans (_ : _ <= exp theta * beta ^ T0 * top_at beta (lambda h) + exp theta * ahead beta learner rho M T0 (spent h) h) _; last first.
  by have := Rmult_le_pos _ _ B0 (Rplus_le_le_0_compat _ _ i1 (Rplus_le_le_0_compat _ _ i2 i3)); rewrite -/(rare h); lra.
apply: (chosen_mean learner_ok rho_ok) => pi x chosen; rewrite Rplus_comm.
pose excess (a : A) (s : S) := log_level A S K / (eps * INR (maxn 1 (count_of (a, s) h))).
have one_sided a s : \sum_(y : S) Rmax 0 (moves next guess_row h (a, s) y - (1 + eps) * row M a s y) <= excess a s.
  move/negbT: F0 => /existsPn /(_ (a, s)); rewrite /above; case: (Rlt_dec _ _) => // /Rnot_lt_le le _.
  exact: le.
have covered := fun (x : state A S) a => covers discount pays_unit guess_reward_ok guess_row_ok indices largest x a K2 D1 C1 (negbT E0).
have best := fun pi x => proj1 (gittins_policy_is_optimal discount hM indices largest x) pi.
have values0 y : 0 <= V beta M (fun y => pi y) y by case: (V_range discount hM (fun y => pi y) unit y).
apply: Rle_trans (episode_on_events (eps := eps) (e := exp theta) (top := top_at beta (lambda h)) (T := T0) (excess := excess)
  discount hM (fun a s => moves_ok next guess_row_ok h (a, s)) (ltac:(lra)) best (optimistic chosen) covered one_sided
  (optimistic_top h (fun y => pi y)) values0 x compounded (fun a s => proj1 (bonus_range h (a, s)))) _.
apply: Rplus_le_compat_r; apply: Rmult_le_compat_l; first lra.
apply: Req_le; apply: sum_to_ext => t _; congr (_ * _).
have same y : spent h y (pi y) = Recursion.cost beta (fun a s => printed_bonus beta K h (a, s)) excess (top_at beta (lambda h)) (pi y) (y (pi y)).
  rewrite /spent /Recursion.cost bonusE /excess /slack /inverse; have m := max1 (count_of (pi y, y (pi y)) h).
  have q0 : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
  have e2 : 2 * / sqrt 2 = sqrt 2 by rewrite -{1}(sqrt_sqrt 2); [field; lra | lra].
  by rewrite -{1}e2; field; lra.
by elim: t x => [|t IH] z /=; [exact/esym/same | apply: mean_ext => y; exact: IH].
Qed.

(* ---------------------------------------------------------------- K episodes *)

Notation L := (log_horizon beta C K).
Hypothesis T0_large : B * ln (INR K * (top_at beta L / B)) <= INR T0.

Let k2 : 2 <= INR K. Proof. by rewrite -[2]/(INR 2); apply: le_INR; exact/leP. Qed.
Let B1 : 1 <= B := top_ge1 discount.

Lemma horizon_large : 248/100 <= L.
Proof.
have [c1 s1] := (INR_ge1 C1, Rle_refl 1); have := @big_log_large 1 (INR #|cell|) (INR K) B s1 c1 k2 B1.
by rewrite /big_log /log_horizon Rmult_1_r -Rmult_assoc.
Qed.

(* K beta^T0 Gamma <= B. *)
Lemma tail_small : INR K * (beta ^ T0 * top_at beta L) <= B.
Proof.
have tp : 0 < top_at beta L.
  by rewrite /top_at -/B; have := Rmult_le_pos _ _ B0 (sqrt_pos (L / 2)); nra.
set z := INR K * (top_at beta L / B); have z0 : 0 < z by apply: Rmult_lt_0_compat; [lra | apply: Rdiv_lt_0_compat; lra].
have := Rmult_le_compat_l (INR K * top_at beta L) _ _ (ltac:(by apply: Rmult_le_pos; lra)) (geometric_small discount z0 T0_large).
rewrite (_ : INR K * top_at beta L * / z = B); first by lra.
by rewrite /z; field; repeat split; lra.
Qed.

Definition regret_bound : R :=
  2 * sqrt 2 * exp theta * (B * sqrt L * sqrt (INR #|cell| * (INR K * B))) +
  sqrt 2 * exp theta * (INR #|cell| * (B * B) * sqrt L) +
  exp theta * (slack * (INR #|cell| * (top_at beta L * (B + 2 + L)))) +
  (INR #|S| + 2 + exp theta) * B.

Lemma regret_in_full : expected_regret next beta learner rho shows M pistar K <= regret_bound.
Proof.
case: (discount) => b0 b1; have e0 := exp_pos theta; have L2 := horizon_large; have k0 : 0 < INR K by lra.
pose root (h : history) := sqrt (lambda h); pose top (h : history) := top_at beta (lambda h).
have t_root : tame root by exact: (@tame_steps A S O (fun n => sqrt (ln (C * (INR n + 1))))).
have t_top : tame top by exact: (@tame_steps A S O (fun n => top_at beta (ln (C * (INR n + 1))))).
have p1 := tame_paid_count weight t_root; have p2 := tame_paid_count inverse t_top.
have ti := @tame_indicator A S O; have ts b := tame_summed (ti b); have t_sum := tame_summed t_top.
have trare : tame rare by apply: tame_add => //; exact: tame_add.
have add := law_add next discount learner_ok rho_ok shows; have scale := law_scale next discount learner_ok rho_ok shows.
pose F1 := INR #|cell| * (B * sqrt L) + 2 * (sqrt L * sqrt (INR #|cell| * (INR K * B))).
pose F2 := INR #|cell| * (top_at beta L * (B + 2 + L)).
rewrite (regret_by_episodes next discount learner_ok rho_ok shows pistar hM unit).
apply: Rle_trans (sum_by_ahead (X := fun h => loss_of pistar h) (bad := fun h => B * rare h + exp theta * beta ^ T0 * top h)
  (g := fun h x a => exp theta * spent h x a) (T0 := T0) (F := exp theta * (sqrt 2 * B * F1 + slack * F2)) discount learner_ok rho_ok hM
  (bandit_shown next pays shows) B0 (loss_abs discount learner_ok rho_ok pistar hM unit) _ _ _ _
  (fun _ => Rle_0_1) (is_lim_seq_const 1) _ _ (is_lim_seq_const (B * (INR #|S| + 2) + exp theta * B))) _ => [||h x a|h|N|N|].
- by apply: tame_add; exact: tame_scale.
- by rewrite /spent; paid.
- by apply: Rmult_le_pos; [lra | exact: spent_nonneg].
- by rewrite ahead_scale Rplus_comm; exact: loss_at_most.
- have scaled u f (tf : tame_paid f) := cut_along_scale next discount learner_ok rho_ok shows N K u tf.
  have summed_up f g (tf : tame_paid f) (tg : tame_paid g) := cut_along_add next discount learner_ok rho_ok shows N K tf tg.
  rewrite Rmult_1_l /spent !(summed_up, scaled); try by paid.
  rewrite (cut_along_frozen _ _ _ _ _ _ _ root weight) (cut_along_frozen _ _ _ _ _ _ _ top inverse).
  have h1 := bonus_sum next discount learner_ok rho_ok shows (ltac:(lra) : 1 <= C) K1 C1 N.
  have h2 := second_sum next discount learner_ok rho_ok shows C_large (ltac:(lra) : 3/2 <= L) N.
  have q0 : 0 <= sqrt 2 * B by apply: Rmult_le_pos => //; exact: sqrt_pos.
  apply: Rmult_le_compat_l; first lra.
  by apply: Rplus_le_compat; exact: Rmult_le_compat_l.
- have -> : cut_mean N K (summed (fun h => B * rare h + exp theta * beta ^ T0 * top h)) =
      B * (cut_mean N K (summed (fun h => indicator (duration h == 0)%nat)) + (cut_mean N K (summed (fun h => indicator (E_bad h))) +
        cut_mean N K (summed (fun h => indicator (F_bad h))))) + exp theta * beta ^ T0 * cut_mean N K (summed top).
    rewrite /truncated -!add -?scale -?add; try by tame.
    by apply: law_ext => h; rewrite !summed_add !summed_scale /rare !summed_add.
  have a1 := cut_first N K.
  have s0 : 0 <= INR #|S| / INR K by apply: Rcomplements.Rdiv_le_0_compat => //; exact: pos_INR.
  have a2 := summed_cut discount learner_ok rho_ok K (ti (fun h => E_bad h)) s0 (fun j => event_E discount pays_unit indices N j learner_ok rho_ok K1 C1).
  have i0 : 0 <= 1 / INR K by apply: Rcomplements.Rdiv_le_0_compat; lra.
  have a3 := summed_cut discount learner_ok rho_ok K (ti (fun h => F_bad h)) i0 (fun j => event_F_cut next discount learner_ok rho_ok shows eps_range K1 C1 guess_row_ok N j large).
  rewrite (_ : INR K * (INR #|S| / INR K) = INR #|S|) in a2; last by field; lra.
  rewrite (_ : INR K * (1 / INR K) = 1) in a3; last by field; lra.
  have a4 : cut_mean N K (summed top) <= INR K * top_at beta L.
    apply: Rle_trans (Rmult_le_compat_l _ _ _ (Rlt_le _ _ k0) (mean_top next discount learner_ok rho_ok shows C_large (ltac:(lra) : 3/2 <= L) N)).
    rewrite /truncated -scale //; apply: law_le => // [|h]; first exact: tame_scale.
    rewrite addn0 -/(top h) => <-; elim: h => [|r h IH]; first by rewrite /summed /=; lra.
    rewrite summed_cons -[size (r :: h)]/((size h).+1) S_INR.
    have mono : top h <= top (r :: h) by apply: top_at_le => //; apply: log_time_grows; lra.
    by have := Rmult_le_compat_l _ _ _ (pos_INR (size h)) mono; lra.
  have r1 := Rmult_le_compat_l _ _ _ B0 (Rplus_le_compat _ _ _ _ a1 (Rplus_le_compat _ _ _ _ a2 a3)).
  have r2 := Rmult_le_compat_l (exp theta * beta ^ T0) _ _ (ltac:(by apply: Rmult_le_pos; [lra | exact: pow_le])) a4.
  by have := Rmult_le_compat_l (exp theta) _ _ (ltac:(lra)) tail_small; lra.
by apply: Req_le; rewrite /regret_bound /F1 /F2 -/B; ring.
Qed.
End OnEvents.
End Ucbvi.
