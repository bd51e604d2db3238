(* One episode of MB-UCBVI on its event: the part of Theorem 1 (thm:regret_upper_bound) that concerns a single episode,
   given the past. From the three events at the estimates of episode k to the third display of the analysis of
   MB-UCBVI, with the repaired bound B_k = H (1 + L/(2 (1-beta))) of the total reward in M_k. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon UcbviOptimism DoubleSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Episode.
Variables (A S : finType) (beta : R) (M : model A S).

(* What is known before the episode: estimates and counts; L stands for L_{k-1}. *)
Variables (rhat : A -> S -> R) (Qhat : A -> S -> S -> R) (N : A -> S -> nat) (L : R).

(* b_{k-1}(x_a) = L/(2 (1-beta) sqrt(max{1, N(x_a)})). *)
Definition bonus (a : A) (s : S) : R := L / (2 * (1 - beta)) * weight (N a s).

Variables pistar pik : policy A S.

Record on_event : Prop := {
  reward_event : forall a s, Rabs (rhat a s - reward M a s) <= L / 2 * weight (N a s);
  row_event : forall a s, distance (Qhat a s) (row M a s) <= (L + 3/2 * sqrt (INR #|S|)) * weight (N a s);
  value_event : forall x, Rabs (deviation beta M rhat Qhat pistar x) <= bonus (pistar x) (x (pistar x))
}.

Hypotheses (discount : is_discount beta) (hM : markovian M).
Hypothesis means : forall a s, 0 <= rhat a s <= 1.
Hypothesis rows : forall a s, probability (Qhat a s).
Hypothesis optimal : forall pi x, V beta (bonus_model rhat Qhat bonus) pi x <= V beta (bonus_model rhat Qhat bonus) pik x.
Hypotheses (large : 4/3 <= L) (event : on_event).

Let Mk := bonus_model rhat Qhat bonus.
Let pos : 0 < 1 - beta. Proof. by case: discount; lra. Qed.
Let hMk : markovian Mk. Proof. exact: rows. Qed.
Let ratio := L / (2 * (1 - beta)).
Let ratio0 : 0 <= ratio. Proof. by apply: Rdiv_le_0_compat; lra. Qed.

Lemma weight_range n : 0 < weight n <= 1.
Proof.
have h : 1 <= INR (maxn 1 n) by rewrite -[1]/(INR 1); apply: le_INR; apply/leP; exact: leq_maxl.
have s1 : 1 <= sqrt (INR (maxn 1 n)) by rewrite -[X in X <= _]sqrt_1; exact: sqrt_le_1_alt.
by split; [apply: Rinv_0_lt_compat; lra | rewrite /weight -[X in _ <= X]Rinv_1; apply: Rinv_le_contravar; lra].
Qed.

Lemma bonus_range a s : 0 <= bonus a s <= ratio.
Proof. by rewrite /bonus -/ratio; have := weight_range (N a s); nra. Qed.

Lemma Mk_rewards a s : 0 <= reward Mk a s <= 1 + ratio.
Proof. by rewrite /=; have := bonus_range a s; have := means a s; lra. Qed.

(* The repaired B_k. *)
Lemma total_in_Mk h x : W Mk pik h x <= INR h * (1 + ratio).
Proof.
apply: Rle_trans (Rle_abs _) _; apply: total_abs; first exact: sub_policy (P_sub hMk) pik.
by move=> y; have := Mk_rewards (pik y) (y (pik y)) => ?; rewrite Rabs_pos_eq; lra.
Qed.

(* What one activation costs, in an episode of h steps: the third display, for L >= 4/3. *)
Lemma cost_of_activation a s h : (1 <= h)%nat -> (0 < #|S|)%nat ->
  Rabs (reward Mk a s - reward M a s) + INR h * (1 + ratio) * distance (row Mk a s) (row M a s) <=
  2 * L * (L + sqrt (INR #|S|)) / (1 - beta) * (INR h * weight (N a s)).
Proof.
move=> h1 S1; have w := weight_range (N a s); have er := reward_event event a s; have eQ := row_event event a s.
have H1 : 1 <= INR h by rewrite -[1]/(INR 1); apply: le_INR; apply/leP.
have s1 : 1 <= sqrt (INR #|S|).
  by rewrite -[X in X <= _]sqrt_1; apply: sqrt_le_1_alt; rewrite -[1]/(INR 1); apply: le_INR; apply/leP.
have e1 : Rabs (reward Mk a s - reward M a s) <= L / 2 * weight (N a s) + ratio * weight (N a s).
  have -> : reward Mk a s - reward M a s = (rhat a s - reward M a s) + bonus a s by rewrite /=; lra.
  have b := bonus_range a s; apply: Rle_trans (Rabs_triang _ _) _.
  by rewrite (Rabs_pos_eq (bonus a s)); rewrite /bonus -/ratio in b *; lra.
have e2 : INR h * (1 + ratio) * distance (row Mk a s) (row M a s) <=
    INR h * (1 + ratio) * ((L + 3/2 * sqrt (INR #|S|)) * weight (N a s)).
  by apply: Rmult_le_compat_l => //; apply: Rmult_le_pos; lra.
apply: Rle_trans (Rplus_le_compat _ _ _ _ e1 e2) _.
move: (sqrt (INR #|S|)) (weight (N a s)) (INR h) w H1 s1 => r w H w1 H1 r1 {er eQ e1 e2}.
have -> : L / 2 * w + ratio * w + H * (1 + ratio) * ((L + 3 / 2 * r) * w) =
    ((1 - beta) * L + L + H * (2 * (1 - beta) + L) * (L + 3/2 * r)) / (2 * (1 - beta)) * w.
  by rewrite /ratio; field; lra.
have -> : 2 * L * (L + r) / (1 - beta) * (H * w) = (H * (4 * L * (L + r))) / (2 * (1 - beta)) * w by field; lra.
apply: Rmult_le_compat_r; first lra.
apply: Rmult_le_compat_r; first by left; apply: Rinv_0_lt_compat; lra.
have b01 : 0 < 1 - beta <= 1 by case: discount; lra.
have h1' : (1 - beta) * L + L <= H * (2 * L) by nra.
have h2 : (2 * (1 - beta) + L) * (L + 3/2 * r) <= (2 + L) * (L + 3/2 * r) by apply: Rmult_le_compat_r; nra.
have h3 : 2 * L + (2 + L) * (L + 3/2 * r) <= 4 * L * (L + r) by nra.
have h4 : H * (2 * (1 - beta) + L) * (L + 3/2 * r) <= H * ((2 + L) * (L + 3/2 * r)).
  by rewrite Rmult_assoc; apply: Rmult_le_compat_l; lra.
have h5 : H * (2 * L + (2 + L) * (L + 3/2 * r)) <= H * (4 * L * (L + r)) by apply: Rmult_le_compat_l; lra.
lra.
Qed.

Lemma along_scale pi g c h x : along M pi (fun a s => c * g a s) h x = c * along M pi g h x.
Proof.
elim: h x => [|h IH] x; first by rewrite /along /=; lra.
by rewrite !along_step (mean_ext _ IH) mean_scale; lra.
Qed.

(* E[H^2; H <= n]. *)
Lemma second_moment n : \sum_(m < n) ((1 - beta) * beta ^ m * (INR m.+1 * INR m.+1)) <= (1 + beta) / ((1 - beta) * (1 - beta)).
Proof.
have e : \sum_(m < n) ((1 - beta) * beta ^ m * (INR m.+1 * INR m.+1)) = (1 + beta) / ((1 - beta) * (1 - beta))
    - beta ^ n * (INR n * INR n + 2 * INR n / (1 - beta) + (1 + beta) / ((1 - beta) * (1 - beta))).
  elim: n => [|n IH]; first by rewrite /=; field; lra.
  by rewrite sum_recr IH S_INR (_ : beta ^ n.+1 = beta * beta ^ n) //; field; lra.
case: discount => b0 b1; rewrite e; suff : 0 <= beta ^ n * (INR n * INR n + 2 * INR n / (1 - beta) + (1 + beta) / ((1 - beta) * (1 - beta))) by lra.
have n0 := pos_INR n; apply: Rmult_le_pos; first exact: pow_le.
have t1 : 0 <= 2 * INR n / (1 - beta) by apply: Rdiv_le_0_compat; lra.
have t2 : 0 <= (1 + beta) / ((1 - beta) * (1 - beta)) by apply: Rdiv_le_0_compat; nra.
by nra.
Qed.

(* On the event, with explicit constants: given the past, the regret of the episode is at most 2 L (L + sqrt S)/(1-beta)
   times the mean, over the geometric horizon H and the play of pi_k in M, of H times the sum of 1/sqrt(max{1, N_{k-1}})
   over the steps of the episode. Added: L >= 4/3; a state that was not visited has an estimated row that is some
   probability. The mean over the past, the probability of the event and the sum over episodes are not part of it.
   step of: thm:regret_upper_bound/ucbvi ucbvi/display-3/repair *)
Theorem episode_of_ucbvi x : (0 < #|S|)%nat -> exists mean_sum,
  is_series (fun m => (1 - beta) * beta ^ m *
    (INR m.+1 * along M pik (fun a s => weight (N a s)) m.+1 x)) mean_sum /\
  V beta M pistar x - V beta M pik x <= 2 * L * (L + sqrt (INR #|S|)) / (1 - beta) * mean_sum.
Proof.
move=> S1; pose c := 2 * L * (L + sqrt (INR #|S|)) / (1 - beta).
pose w := along M pik (fun a s => weight (N a s)).
have sub := sub_policy (P_sub hM) pik; case: (discount) => b0 b1.
have w_range h : 0 <= w h x <= INR h.
  by apply: total_at_most_horizon => // y; have := weight_range (N (pik y) (y (pik y))); lra.
pose term m := (1 - beta) * beta ^ m * (INR m.+1 * w m.+1 x).
have p m : 0 <= (1 - beta) * beta ^ m by apply: Rmult_le_pos; [lra | exact: pow_le].
have term0 m : 0 <= term m.
  by apply: Rmult_le_pos => //; apply: Rmult_le_pos; [exact: pos_INR | case: (w_range m.+1)].
have [[mean_sum hs] _] := nonneg_series term0 (M := (1 + beta) / ((1 - beta) * (1 - beta)))
  (fun n => Rle_trans _ _ _ (sum_to_le (fun m _ => Rmult_le_compat_l _ _ _ (p m)
    (Rmult_le_compat_l _ _ _ (pos_INR m.+1) (proj2 (w_range m.+1))))) (second_moment n)).
exists mean_sum; split=> //.
have optimism := event_suffices discount hM (fun a => conj (fun s y => proj1 (rows a s) y)
  (fun s => Req_le _ _ (proj2 (rows a s)))) optimal (value_event event) x.
apply: Rle_trans (_ : V beta Mk pik x - V beta M pik x <= _); first by rewrite /Mk; lra.
have sMk := @V_is_mean_W A S beta Mk pik x discount hMk; have sM := @V_is_mean_W A S beta M pik x discount hM.
have gap : is_series (fun m => c * term m - ((1 - beta) * beta ^ m * W Mk pik m.+1 x - (1 - beta) * beta ^ m * W M pik m.+1 x))
    (c * mean_sum - (V beta Mk pik x - V beta M pik x)).
  by apply: is_series_minus; [exact: (is_series_scal_l c) | exact: is_series_minus].
suff : 0 <= c * mean_sum - (V beta Mk pik x - V beta M pik x) by rewrite -/c; lra.
rewrite -(is_series_unique _ _ gap) -[X in X <= _](is_series_unique _ _ is_series_0).
apply: Series_le; last by exists (c * mean_sum - (V beta Mk pik x - V beta M pik x)).
move=> m; split; first exact: Rle_refl.
have d := regret_decomposition hM hMk (fun a s => proj1 (Mk_rewards a s)) (B := INR m.+1 * (1 + ratio)) (H := m.+1) x
  (total_in_Mk m.+1).
have le : along M pik (fun a s => Rabs (reward Mk a s - reward M a s) + INR m.+1 * (1 + ratio) * distance (row Mk a s) (row M a s)) m.+1 x
    <= c * (INR m.+1 * w m.+1 x).
  rewrite -Rmult_assoc /w -along_scale; apply: total_le => // y.
  by have := cost_of_activation (pik y) (y (pik y)) (ltn0Sn m) S1; rewrite -/c; lra.
have := Rmult_le_compat_l _ _ _ (p m) (Rle_trans _ _ _ d le); rewrite /term; lra.
Qed.
End Episode.
