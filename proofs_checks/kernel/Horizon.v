(* Values over a finite horizon: W_{h:H} and V = E[W_{1:H}] (the sketch of the proof of Theorem 1), and Lemma
   regret_decomposition, the simulation lemma with its horizon. *)

From kernel Require Import Limits Sums Values Bandits.

(* ---------------------------------------------------------------- Totals along a process *)

(* The mean total of g over n steps of the process P from x. With g the rewards under a policy this is W_{h:H}(x),
   n = H - h + 1 being the number of steps (eq:discounted_reward). *)
Fixpoint total (X : finType) (P : X -> X -> R) (g : X -> R) (n : nat) (x : X) : R :=
  if n is n'.+1 then g x + mean (P x) (total P g n') else 0.

Section Total.
Variables (X : finType) (P : X -> X -> R).
Implicit Types (g f : X -> R) (beta : R).

(* What satisfies the recursion of eq:discounted_reward, from W_{H:H} = r on, is the total over H - h + 1 steps.
   ledger: eq:discounted_reward *)
Theorem recursion_is_total g (w : nat -> X -> R) (H : nat) : (forall x, w H x = g x) ->
  (forall h x, (h < H)%nat -> w h x = g x + mean (P x) (w h.+1)) ->
  forall h x, (h <= H)%nat -> w h x = total P g (H - h).+1 x.
Proof.
move=> last step; have back d : (d <= H)%nat -> forall x, w (H - d)%nat x = total P g d.+1 x.
  elim: d => [|d IH] dH x; first by rewrite subn0 last /= mean_const; lra.
  rewrite step; last by rewrite -subn_gt0 subKn.
  by rewrite subnSK // (mean_ext _ (IH (ltnW dH))).
by move=> h x hH; rewrite -{1}(subKn hH) back // leq_subr.
Qed.

(* The total is the sum of the mean rewards of the steps. *)
Lemma total_is_sum g n x : total P g n x = \sum_(t < n) reward_at P g t x.
Proof.
elim: n x => [|n IH] x //; rewrite sum_recl [LHS]/=; congr (_ + _).
by rewrite (mean_ext _ IH) mean_sum_to.
Qed.

Lemma total_step g n x : total P g n.+1 x = total P g n x + reward_at P g n x.
Proof. by rewrite !total_is_sum. Qed.

Lemma reward_at_scale k g t x : reward_at P (fun y => k * g y) t x = k * reward_at P g t x.
Proof. by elim: t x => [|t IH] x //=; rewrite (mean_ext _ IH) mean_scale. Qed.

Hypothesis subP : substochastic P.

Lemma total_nonneg g n x : (forall y, 0 <= g y) -> 0 <= total P g n x.
Proof.
move=> g0; elim: n x => [|n IH] x /=; first lra.
by have := g0 x; have := mean_nonneg (proj1 subP x) IH; lra.
Qed.

Lemma total_le g f n x : (forall y, g y <= f y) -> total P g n x <= total P f n x.
Proof.
move=> gf; elim: n x => [|n IH] x /=; first lra.
by have := gf x; have := mean_le (proj1 subP x) IH; lra.
Qed.

(* With rewards >= 0 more steps give more.
   ledger: lem:regret_decomposition/monotone *)
Theorem total_monotone g m n x : (forall y, 0 <= g y) -> (m <= n)%nat -> total P g m x <= total P g n x.
Proof.
move=> g0; elim: m n x => [|m IH] [|n] x //= mn; [lra | |].
  by have := @total_nonneg g n.+1 x g0; rewrite /=; lra.
have le y : total P g m y <= total P g n y by exact: IH.
by have := mean_le (proj1 subP x) le; lra.
Qed.

(* Rewards in [0, 1] give at most one a step.
   ledger: lem:regret_decomposition/horizon-bound ucrl2/B_k/repair *)
Theorem total_at_most_horizon g n x : (forall y, 0 <= g y <= 1) -> 0 <= total P g n x <= INR n.
Proof.
move=> g01; split; first by apply: total_nonneg => y; case: (g01 y).
elim: n x => [|n IH] x; first exact: Rle_refl.
rewrite S_INR /=; have := g01 x; have := mean_at_most (proj1 subP x) (proj2 subP x) (pos_INR n) IH; lra.
Qed.

Lemma total_abs g n x C : (forall y, Rabs (g y) <= C) -> Rabs (total P g n x) <= INR n * C.
Proof.
by move=> gC; rewrite total_is_sum; apply: sum_to_abs => t; exact: reward_at_bound.
Qed.

(* n beta^n tends to 0. *)
Lemma linear_geometric beta : is_discount beta -> is_lim_seq (fun n => INR n * beta ^ n) 0.
Proof.
move=> [b0 b1]; pose c := sqrt beta; have c0 : 0 <= c := sqrt_pos beta.
have c1 : c < 1 by rewrite -sqrt_1; apply: sqrt_lt_1; lra.
have le n : INR n * c ^ n * (1 - c) <= 1 - c ^ n.
  elim: n => [|n IH]; first by rewrite /=; lra.
  have p : c ^ n.+1 <= 1 by rewrite -[X in _ <= X](pow1 n.+1); apply: pow_incr; lra.
  rewrite S_INR; move: p; rewrite /= => p.
  by have := Rmult_le_compat_r _ _ _ c0 IH; have := Rmult_le_compat_r (1 - c) _ _ (ltac:(lra)) p; lra.
apply: (@geometric_squeeze c (conj c0 c1) _ 0 (/ (1 - c))) => n; have p := pow_le c n c0.
have np : 0 <= INR n * c ^ n by apply: Rmult_le_pos => //; exact: pos_INR.
rewrite (_ : _ - 0 = c ^ n * (INR n * c ^ n)) ?Rabs_pos_eq; last by rewrite -(sqrt_sqrt beta b0) Rpow_mult_distr -/c; ring.
  by apply: Rmult_le_compat_l => //; apply: (Rmult_le_reg_r (1 - c)); [lra | rewrite Rinv_l; have := le n; lra].
exact: Rmult_le_pos.
Qed.

(* eq:V-vs_R: the discounted value is the mean total over a horizon H of law P(H = h) = (1 - beta) beta^(h-1), which is
   independent of states and rewards.
   ledger: eq:V-vs_R *)
Theorem discounted_is_mean_total beta g x : is_discount beta ->
  is_series (fun m => (1 - beta) * beta ^ m * total P g m.+1 x) (discounted P beta g x).
Proof.
move=> discount; have [C [C0 gC]] := exists_bound g.
have partial N : \sum_(m < N) ((1 - beta) * beta ^ m * total P g m.+1 x) =
    \sum_(t < N) (beta ^ t * reward_at P g t x) - beta ^ N * total P g N x.
  elim: N => [|N IH]; first by rewrite /=; lra.
  rewrite (_ : \sum_(m < N.+1) _ = \sum_(m < N) ((1 - beta) * beta ^ m * total P g m.+1 x) +
    (1 - beta) * beta ^ N * total P g N.+1 x) // IH total_step.
  by rewrite (_ : \sum_(t < N.+1) _ = \sum_(t < N) (beta ^ t * reward_at P g t x) + beta ^ N * reward_at P g N x) //
    (_ : beta ^ N.+1 = beta * beta ^ N) //; ring.
apply: is_series_sum_to; apply: (is_lim_seq_ext (fun N => \sum_(t < N) (beta ^ t * reward_at P g t x) - beta ^ N * total P g N x)).
  by move=> N; rewrite partial.
rewrite -[X in is_lim_seq _ (Finite X)]Rminus_0_r; apply: is_lim_seq_minus'.
  exact: (sum_to_of_series (Series_correct _ (discounted_converges g subP discount x))).
apply/is_lim_seq_abs_0; have lim : is_lim_seq (fun N => INR N * beta ^ N * C) 0.
  by rewrite -(Rmult_0_l C); apply: (is_lim_seq_scal_r _ C 0); exact: linear_geometric.
apply: (is_lim_seq_le_le (fun _ => 0) _ _ _ _ _ lim); last exact: is_lim_seq_const.
move=> N; split; first exact: Rabs_pos.
case: discount => b0 b1; rewrite Rabs_mult Rabs_pos_eq; last exact: pow_le.
rewrite (Rmult_comm (INR _)) Rmult_assoc; apply: Rmult_le_compat_l; [exact: pow_le | exact: total_abs].
Qed.
End Total.

(* ---------------------------------------------------------------- Two rows, one function *)

Section TwoRows.
Variables (X : finType) (p q f : X -> R) (B : R).
Hypothesis fB : forall y, 0 <= f y <= B.

Lemma mean_difference : mean p f - mean q f <= B * distance p q.
Proof.
rewrite /mean -sum_sub /distance -sum_scale; apply: sum_le => y _; have [f0 f1] := fB y.
have := Rle_abs (p y - q y); have := Rabs_pos (p y - q y); nra.
Qed.

(* Half of it, when both rows have the same sum: subtract B/2 from f. *)
Lemma mean_difference_half : \sum_(y : X) p y = \sum_(y : X) q y -> mean p f - mean q f <= B / 2 * distance p q.
Proof.
move=> e; have -> : mean p f - mean q f = mean p (fun y => f y - B / 2) - mean q (fun y => f y - B / 2).
  by rewrite !mean_sub !mean_const e; lra.
rewrite /mean -sum_sub /distance -sum_scale; apply: sum_le => y _; have [f0 f1] := fB y.
have := Rle_abs (p y - q y); have := Rle_abs (- (p y - q y)); rewrite Rabs_Ropp; nra.
Qed.
End TwoRows.

Lemma distance_triangle (X : finType) (p q r : X -> R) : distance p r <= distance p q + distance q r.
Proof.
rewrite /distance -sum_add; apply: sum_le => y _.
by rewrite (_ : p y - r y = (p y - q y) + (q y - r y)); [exact: Rabs_triang | ring].
Qed.

Lemma distance_sym (X : finType) (p q : X -> R) : distance p q = distance q p.
Proof. by apply: eq_bigr => y _; exact: Rabs_minus_sym. Qed.

(* ---------------------------------------------------------------- Lemma regret_decomposition *)

Section Decomposition.
Variables (A S : finType).
Implicit Types (M Mk : model A S) (pi : policy A S) (x : state A S) (B : R).

(* W_{M,1:H}^pi(x). *)
Definition W M pi (H : nat) (x : state A S) : R :=
  total (fun x => P M (pi x) x) (fun x => reward M (pi x) (x (pi x))) H x.

(* The mean, under pi in M from x, of the sum of g(a, x_a) over the arms and states played in H steps. *)
Definition along M pi (g : A -> S -> R) (H : nat) (x : state A S) : R :=
  total (fun x => P M (pi x) x) (fun x => g (pi x) (x (pi x))) H x.

(* The same where g depends on the number of steps left after each too. *)
Fixpoint along_left M pi (g : nat -> A -> S -> R) (H : nat) (x : state A S) : R :=
  if H is n.+1 then g n (pi x) (x (pi x)) + mean (P M (pi x) x) (along_left M pi g n) else 0.

(* The discounted value is the mean of W over the geometric horizon, for a policy fixed beforehand.
   ledger: eq:discounted_reward/mean eq:discounted_reward/episode *)
Theorem V_is_mean_W beta M pi x : is_discount beta -> markovian M ->
  is_series (fun m => (1 - beta) * beta ^ m * W M pi m.+1 x) (V beta M pi x).
Proof. by move=> discount hM; exact: (discounted_is_mean_total (sub_policy (P_sub hM) pi)). Qed.

(* eq:def_model, given the past, both models and X_{t_k} = x: the mean over the horizon of the gap of totals, each model
   with its policy, is the gap of values.
   ledger: eq:def_model/repair eq:simulation_value/expectation/repair ucbvi/model-gap *)
Theorem mean_model_gap beta M Mk pistar pik x : is_discount beta -> markovian M -> markovian Mk ->
  is_series (fun m => (1 - beta) * beta ^ m * (W M pistar m.+1 x - W Mk pik m.+1 x))
    (V beta M pistar x - V beta Mk pik x).
Proof.
move=> discount hM hMk.
have := is_series_minus _ _ _ _ (V_is_mean_W (pi := pistar) (x := x) discount hM) (V_is_mean_W (pi := pik) (x := x) discount hMk).
by apply: is_series_ext => m; rewrite /minus /plus /opp /=; ring.
Qed.

(* Only arm a moves: the L1 distance of two global rows is that of the arm's rows.
   ledger: lem:regret_decomposition/norms *)
Theorem global_distance M Mk a x : distance (P Mk a x) (P M a x) = distance (row Mk a (x a)) (row M a (x a)).
Proof.
rewrite {2}/distance -(P_sum (Model (reward M) (fun a s y => Rabs (row Mk a s y - row M a s y)))).
by apply: eq_bigr => y _; rewrite /P; case: ifP => _ //; rewrite Rminus_0_r Rabs_R0.
Qed.

(* The identity of one step.
   step of: lem:regret_decomposition/step *)
Theorem one_step (Pk P' Wk W' : state A S -> R) :
  mean Pk Wk - mean P' W' = (mean Pk Wk - mean P' Wk) + mean P' (fun y => Wk y - W' y).
Proof. by rewrite mean_sub; lra. Qed.

Lemma W_step M pi n x : W M pi n.+1 x = reward M (pi x) (x (pi x)) + mean (P M (pi x) x) (W M pi n).
Proof. by []. Qed.
Lemma along_step M pi g n x : along M pi g n.+1 x = g (pi x) (x (pi x)) + mean (P M (pi x) x) (along M pi g n).
Proof. by []. Qed.

Lemma along_left_step M pi g n x :
  along_left M pi g n.+1 x = g n (pi x) (x (pi x)) + mean (P M (pi x) x) (along_left M pi g n).
Proof. by []. Qed.

Section Compare.
Variables (M Mk : model A S) (pi : policy A S).
Hypotheses (hM : markovian M) (hMk : markovian Mk) (r0 : forall a s, 0 <= reward Mk a s).

(* What weighs the distance of rows at a step may depend on the number n of steps after it. *)
Lemma compare_rows (c : nat -> R) H x :
  (forall n a s (g : S -> state A S), (n < H)%nat ->
    mean (row Mk a s) (fun y => W Mk pi n (g y)) - mean (row M a s) (fun y => W Mk pi n (g y)) <=
    c n * distance (row Mk a s) (row M a s)) ->
  W Mk pi H x - W M pi H x <=
    along_left M pi (fun n a s => Rabs (reward Mk a s - reward M a s) + c n * distance (row Mk a s) (row M a s)) H x.
Proof.
move=> hc; have sub := sub_policy (P_sub hM) pi.
elim: H x hc => [|n IH] x hc; first by rewrite /W /along_left /=; lra.
rewrite !W_step along_left_step; set a := pi x; have h1 := Rle_abs (reward Mk a (x a) - reward M a (x a)).
have h2 := hc n a (x a) (moved x a) (ltnSn n); rewrite -!mean_P in h2.
have h3 := mean_le (proj1 sub x) (fun y => IH y (fun m a s g mn => hc m a s g (leqW mn))); rewrite mean_sub -/a in h3; lra.
Qed.

Lemma along_left_le g f H x : (forall n a s, (n < H)%nat -> g n a s <= f a s) -> along_left M pi g H x <= along M pi f H x.
Proof.
elim: H x => [|n IH] x gf; first exact: Rle_refl.
rewrite along_left_step along_step; apply: Rplus_le_compat; first exact: gf.
by apply: mean_le => [|y]; [exact: (proj1 (sub_policy (P_sub hM) pi) x) | apply: IH => m a s mn; apply: gf; exact: leqW].
Qed.

Lemma values_before n H B : (forall y, W Mk pi H y <= B) -> (n <= H)%nat -> forall y, 0 <= W Mk pi n y <= B.
Proof.
have subk := sub_policy (P_sub hMk) pi; move=> hB nH y; split; first by apply: total_nonneg.
by apply: Rle_trans (hB y); apply: total_monotone.
Qed.

Lemma same_sums a s : \sum_(y : S) row Mk a s y = \sum_(y : S) row M a s y.
Proof. by have [_ ->] := hM a s; have [_ ->] := hMk a s. Qed.

(* Lemma regret_decomposition: for B that bounds W_{M_k,1:H} everywhere, from every initial state,
   W_{M_k,1:H} - W_{M,1:H} is at most the mean over H steps of pi in M of |r_k - r| + B ||Q_k - Q||_1 at the arm
   and state played. Added: the rewards of M_k are at least 0 (in the paper they are in [0, 1]).
   ledger: lem:regret_decomposition *)
Theorem regret_decomposition B H x : (forall y, W Mk pi H y <= B) ->
  W Mk pi H x - W M pi H x <=
    along M pi (fun a s => Rabs (reward Mk a s - reward M a s) + B * distance (row Mk a s) (row M a s)) H x.
Proof.
move=> hB; apply: Rle_trans (along_left_le _ (fun n a s _ => Rle_refl _)); apply: (compare_rows (c := fun _ => B)) => n a s g nH.
by apply: mean_difference => y; exact: (values_before hB (ltnW nH)).
Qed.

(* With B/2 for B, and B need bound W_{M_k,2:H} only. *)
Theorem regret_decomposition_half B H x : (forall y, W Mk pi H y <= B) ->
  W Mk pi H.+1 x - W M pi H.+1 x <=
    along M pi (fun a s => Rabs (reward Mk a s - reward M a s) + B / 2 * distance (row Mk a s) (row M a s)) H.+1 x.
Proof.
move=> hB; apply: Rle_trans (along_left_le _ (fun n a s _ => Rle_refl _)); apply: (compare_rows (c := fun _ => B / 2)) => n a s g nH.
by apply: mean_difference_half => [y|]; [exact: (values_before hB) | exact: same_sums].
Qed.

(* What weighs the distance of rows at a step with n steps after it is half of n, if rewards of M_k are in [0, 1]:
   the values after it are in [0, n].
   ledger: ucrl2/decomposition *)
Theorem decomposition_by_steps_left H x : (forall a s, reward Mk a s <= 1) ->
  W Mk pi H x - W M pi H x <=
    along_left M pi (fun n a s => Rabs (reward Mk a s - reward M a s) + INR n / 2 * distance (row Mk a s) (row M a s)) H x.
Proof.
move=> r1; apply: (compare_rows (c := fun n => INR n / 2)) => n a s g _; apply: mean_difference_half => [y|]; last exact: same_sums.
by apply: total_at_most_horizon => //; exact: sub_policy (P_sub hMk) pi.
Qed.

(* The display of MB-UCRL2 for one episode, given the past: M and M_k within the radii of the same estimates, L/(2w)
   and (L + 3s/2)/w with w = sqrt(max(1, N)) and s = sqrt S, and rewards of M_k in [0, 1].
   step of: ucrl2/display-half *)
Theorem ucrl2_display (rhat : A -> S -> R) (Qhat : A -> S -> S -> R) (w : A -> S -> R) (L s : R) H x :
  0 <= L -> 1 <= s -> (forall a y, 0 < w a y) -> (forall a y, reward Mk a y <= 1) ->
  (forall a y, Rabs (reward M a y - rhat a y) <= L / (2 * w a y) /\ Rabs (reward Mk a y - rhat a y) <= L / (2 * w a y)) ->
  (forall a y, distance (row M a y) (Qhat a y) <= (L + 3 / 2 * s) / w a y /\
               distance (row Mk a y) (Qhat a y) <= (L + 3 / 2 * s) / w a y) ->
  W Mk pi H x - W M pi H x <= along M pi (fun a y => 1 / 2 * ((L + (2 * L + 3 * s) * INR H) / w a y)) H x.
Proof.
move=> L0 s1 w0 r1 nr nq; apply: Rle_trans (decomposition_by_steps_left H x r1) _.
apply: along_left_le => n a z nH.
have iw : 0 < / w a z by exact: Rinv_0_lt_compat.
have [r2 r3] := nr a z; have [q2 q3] := nq a z; have wn : w a z <> 0 by have := w0 a z; lra.
have e1 : L / (2 * w a z) = L / 2 * / w a z by field.
have g1 : Rabs (reward Mk a z - reward M a z) <= L * / w a z by split_Rabs; lra.
have g2 : distance (row Mk a z) (row M a z) <= (2 * L + 3 * s) * / w a z.
  have := distance_triangle (row Mk a z) (Qhat a z) (row M a z); rewrite (distance_sym (Qhat a z)); lra.
have n0 := pos_INR n; have nH' : INR n + 1 <= INR H by rewrite -S_INR; apply: le_INR; exact/leP.
have g3 : INR n / 2 * distance (row Mk a z) (row M a z) <= INR n / 2 * ((2 * L + 3 * s) * / w a z) by nra.
have k : L + INR n / 2 * (2 * L + 3 * s) <= 1 / 2 * (L + (2 * L + 3 * s) * INR H) by nra.
have := Rmult_le_compat_r (/ w a z) _ _ (Rlt_le _ _ iw) k; rewrite /Rdiv; lra.
Qed.
End Compare.
End Decomposition.
