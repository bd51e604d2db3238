(* Episode lengths: the event E^H and the time t_k (Lemma concentration), where they fail and repaired. *)

From kernel Require Import Limits Sums Values Enclosures Bandits Horizon Concentration.

(* P(H = m) = (1 - beta) beta^(m-1) for m = 1, 2, ..., and P(H <= n). *)
Definition geometric (beta : R) (m : nat) : R := (1 - beta) * beta ^ m.-1.
Definition at_most (beta : R) (n : nat) : R := \sum_(i < n) geometric beta i.+1.

(* The probability that some of j independent lengths exceeds n. *)
Definition some_exceeds (beta : R) (j n : nat) : R := 1 - at_most beta n ^ j.

Definition is_floor (x : R) (n : nat) := INR n <= x < INR n + 1.

Section Law.
Variable beta : R.
Hypothesis discount : is_discount beta.

Lemma at_most_closed n : at_most beta n = 1 - beta ^ n.
Proof.
rewrite /at_most; elim: n => [|n IH] /=; first lra.
by rewrite IH /geometric /=; lra.
Qed.

(* ledger: conc:H/tail *)
Theorem tail n : some_exceeds beta 1 n = beta ^ n.
Proof. by rewrite /some_exceeds pow_1 at_most_closed; lra. Qed.

(* E[H] = 1/(1-beta) and E[H^2] = (1+beta)/(1-beta)^2: the sums up to N exactly, and their limits.
   ledger: eq:V-vs_R/moments lem:concentration_T_i/ii
   step of: lem:concentration_T_i/variance *)
Theorem geometric_moments :
  (forall N, \sum_(i < N) (INR i.+1 * geometric beta i.+1) + beta ^ N * (INR N + 1 / (1 - beta)) = 1 / (1 - beta)) /\
  (forall N, \sum_(i < N) (INR i.+1 ^ 2 * geometric beta i.+1)
    + beta ^ N * (INR N ^ 2 + 2 * INR N / (1 - beta) + (1 + beta) / (1 - beta) ^ 2) = (1 + beta) / (1 - beta) ^ 2) /\
  is_series (fun i => INR i.+1 * geometric beta i.+1) (1 / (1 - beta)) /\
  is_series (fun i => INR i.+1 ^ 2 * geometric beta i.+1) ((1 + beta) / (1 - beta) ^ 2).
Proof.
have [b0 b1] := discount.
have first_sum N : \sum_(i < N) (INR i.+1 * geometric beta i.+1) + beta ^ N * (INR N + 1 / (1 - beta)) = 1 / (1 - beta).
  elim: N => [|N IH]; first by rewrite /=; field; lra.
  by rewrite sum_recr -[RHS]IH /geometric S_INR (_ : N.+1.-1 = N) // (_ : beta ^ N.+1 = beta * beta ^ N) //; field; lra.
have second_sum N : \sum_(i < N) (INR i.+1 ^ 2 * geometric beta i.+1)
    + beta ^ N * (INR N ^ 2 + 2 * INR N / (1 - beta) + (1 + beta) / (1 - beta) ^ 2) = (1 + beta) / (1 - beta) ^ 2.
  elim: N => [|N IH]; first by rewrite /=; field; lra.
  by rewrite sum_recr -[RHS]IH /geometric S_INR (_ : N.+1.-1 = N) // (_ : beta ^ N.+1 = beta * beta ^ N) //; field; lra.
have lim0 : is_lim_seq (fun N => beta ^ N) 0 by apply: is_lim_seq_geom; rewrite Rabs_pos_eq; lra.
have lim1 : is_lim_seq (fun N => INR N * beta ^ N) 0 by exact: linear_geometric.
have lim2 : is_lim_seq (fun N => INR N ^ 2 * beta ^ N) 0.
  have root : is_discount (sqrt beta) by split; [exact: sqrt_pos | rewrite -sqrt_1; apply: sqrt_lt_1; lra].
  have := is_lim_seq_mult' _ _ _ _ (linear_geometric root) (linear_geometric root); rewrite Rmult_0_l.
  by apply: is_lim_seq_ext => N; rewrite -{3}(sqrt_sqrt beta b0) Rpow_mult_distr; ring.
have to0 (u : nat -> R) (c l : R) : is_lim_seq u l -> c - l = c -> is_lim_seq (fun N => c - u N) c.
  by move=> lim e; rewrite -[X in is_lim_seq _ (Finite X)]e; apply: is_lim_seq_minus' lim; exact: is_lim_seq_const.
split=> //; split=> //; split; apply: is_series_sum_to.
  apply: (is_lim_seq_ext (fun N => 1 / (1 - beta) - (INR N * beta ^ N + beta ^ N * (1 / (1 - beta))))).
    by move=> N; rewrite -[X in X - _](first_sum N); ring.
  by apply: to0 (is_lim_seq_plus' _ _ _ _ lim1 (is_lim_seq_mult' _ _ _ _ lim0 (is_lim_seq_const _))) _; ring.
apply: (is_lim_seq_ext (fun N => (1 + beta) / (1 - beta) ^ 2 - (INR N ^ 2 * beta ^ N
  + (INR N * beta ^ N * (2 / (1 - beta)) + beta ^ N * ((1 + beta) / (1 - beta) ^ 2))))).
  by move=> N; rewrite -[X in X - _](second_sum N); field; lra.
by apply: to0 (is_lim_seq_plus' _ _ _ _ lim2 (is_lim_seq_plus' _ _ _ _ (is_lim_seq_mult' _ _ _ _ lim1 (is_lim_seq_const _))
  (is_lim_seq_mult' _ _ _ _ lim0 (is_lim_seq_const _)))) _; ring.
Qed.

Lemma power_range n : 0 <= beta ^ n <= 1.
Proof. by case: discount => b0 b1; split; [exact: pow_le | rewrite -[X in _ <= X](pow1 n); apply: pow_incr; lra]. Qed.

Lemma bernoulli (u : R) j : 0 <= u <= 1 -> 1 - (1 - u) ^ j <= INR j * u.
Proof.
move=> u01; elim: j => [|j IH]; first by rewrite /=; lra.
rewrite S_INR [(1 - u) ^ j.+1]/=; have : 0 <= (1 - u) ^ j <= 1.
  by split; [apply: pow_le; lra | rewrite -[X in _ <= X](pow1 j); apply: pow_incr; lra].
by nra.
Qed.

(* The union bound.
   ledger: conc:H/union *)
Theorem union_bound j n : some_exceeds beta j n <= INR j * beta ^ n.
Proof. by rewrite /some_exceeds at_most_closed; apply: bernoulli; exact: power_range. Qed.
End Law.

(* ---------------------------------------------------------------- The event E^H *)

(* As printed: some of the first k-1 lengths exceeds log(K(k-1))/(1-beta) with probability at most 1/K. *)
Definition event_H_for (K k : nat) := forall beta n, is_discount beta ->
  is_floor (ln (INR (K * (k - 1))) / (1 - beta)) n -> some_exceeds beta (k - 1) n <= / INR K.
Definition event_H := forall K k, (2 <= k <= K)%nat -> event_H_for K k.

Lemma refute K beta n : is_discount beta ->
  is_floor (ln (INR K) / (1 - beta)) n -> / INR K < beta ^ n -> ~ event_H_for K 2.
Proof.
move=> d fl lt claim; have := claim beta n d; rewrite muln1 tail => h.
by have := h fl; lra.
Qed.

(* It is false for k = 2 and each of K = 2, ..., 7.
   ledger: conc:H lem:concentration *)
Theorem event_H_fails_for K : (2 <= K <= 7)%nat -> ~ event_H_for K 2.
Proof.
case: K => [|[|[|[|[|[|[|[|//]]]]]]]] // _.
- apply: (@refute 2 0 0); rewrite /is_discount /is_floor /=; try lra. split; enclose.
- apply: (@refute 3 (2/5) 1); rewrite /is_discount /is_floor /=; try lra. split; enclose.
- apply: (@refute 4 (4/5) 6); rewrite /is_discount /is_floor /=; try lra. split; enclose.
- apply: (@refute 5 (7/8) 12); rewrite /is_discount /is_floor /=; try lra. split; enclose.
- apply: (@refute 6 (4/5) 8); rewrite /is_discount /is_floor /=; try lra. split; enclose.
- apply: (@refute 7 (33/37) 17); rewrite /is_discount /is_floor /=; try lra. split; enclose.
Qed.

(* step of: conc:H *)
Theorem event_H_fails : ~ event_H.
Proof. by move=> claim; apply: (event_H_fails_for (K := 2)) => //; exact: claim. Qed.

(* log(1/beta) is at least 2(1-beta)/(1+beta), which is more than 1-beta. *)
Lemma log_bound beta : 0 < beta <= 1 -> ln beta <= - (2 * (1 - beta) / (1 + beta)).
Proof.
move=> [b0 b1]; pose f x := ln x + 2 * (1 - x) / (1 + x).
have f1 : f 1 = 0 by rewrite /f ln_1; field.
suff : f beta <= f 1 by rewrite f1 /f; lra.
case: (Rle_lt_or_eq_dec _ _ b1) => [lt|->]; last lra.
have df c : beta <= c <= 1 -> derivable_pt_lim f c ((1 - c) * (1 - c) / (c * ((1 + c) * (1 + c)))).
  move=> hc; apply/is_derive_Reals; rewrite /f; auto_derive; first by repeat split; lra.
  by field; lra.
have [c [e hc]] := MVT_cor2 f _ beta 1 lt df.
have : 0 <= (1 - c) * (1 - c) / (c * ((1 + c) * (1 + c))) * (1 - beta).
  apply: Rmult_le_pos; last lra.
  apply: Rdiv_le_0_compat; first exact: (Rle_0_sqr (1 - c)).
  by apply: Rmult_lt_0_compat; [lra | apply: Rmult_lt_0_compat; lra].
lra.
Qed.

(* What the floor loses: beta^floor(c/(1-beta)) is at most e^((2-c)(1-beta)/(1+beta)) e^(-c). *)
Lemma floor_power_below beta c n : 0 < beta < 1 -> is_floor (c / (1 - beta)) n ->
  beta ^ n <= exp (- c + (2 - c) * ((1 - beta) / (1 + beta))).
Proof.
move=> [b0 b1] [_ n1]; rewrite -(exp_ln (beta ^ n)); last exact: pow_lt.
rewrite -Rpower_pow // /Rpower ln_exp; apply: exp_le.
have lb := log_bound (conj b0 (Rlt_le _ _ b1)); have l0 : 0 <= 2 * (1 - beta) / (1 + beta) by apply: Rdiv_le_0_compat; lra.
have n0 := pos_INR n; apply: Rle_trans (_ : _ <= - (INR n * (2 * (1 - beta) / (1 + beta)))) _; first by nra.
have : (c / (1 - beta) - 1) * (2 * (1 - beta) / (1 + beta)) <= INR n * (2 * (1 - beta) / (1 + beta)) by apply: Rmult_le_compat_r; lra.
rewrite (_ : (c / (1 - beta) - 1) * (2 * (1 - beta) / (1 + beta)) = c - (2 - c) * ((1 - beta) / (1 + beta))); last by field; lra.
lra.
Qed.

Lemma floor_power beta c n : is_discount beta -> 2 <= c -> is_floor (c / (1 - beta)) n -> beta ^ n <= exp (- c).
Proof.
move=> [b0 b1] c2 fl; case: (Rle_lt_or_eq_dec _ _ b0) => [pos|zero].
  apply: Rle_trans (floor_power_below (conj pos b1) fl) _; apply: exp_le.
  have u0 : 0 <= (1 - beta) / (1 + beta) by apply: Rdiv_le_0_compat; lra.
  by move: (_ / _) u0 => u u0; nra.
case: n fl => [|n] [_ n1]; last by rewrite -zero /= Rmult_0_l; left; exact: exp_pos.
by move: n1; rewrite -zero /=; lra.
Qed.

(* Repaired: with max{2, log(K(k-1))} in place of the logarithm, for all K, k and beta.
   ledger: conc:H/repair *)
Theorem event_H_repaired K k beta n : (2 <= k <= K)%nat -> is_discount beta ->
  is_floor (Rmax 2 (ln (INR (K * (k - 1)))) / (1 - beta)) n -> some_exceeds beta (k - 1) n <= / INR K.
Proof.
case/andP => k2 kK discount fl; apply: Rle_trans (union_bound discount _ _) _.
have j0 : 0 < INR (k - 1) by apply: lt_0_INR; apply/ltP; rewrite subn_gt0.
have K0 : 0 < INR K by apply: lt_0_INR; apply/ltP; apply: leq_trans kK; exact: ltnW.
have le := floor_power discount (Rmax_l 2 (ln (INR (K * (k - 1))))) fl.
apply: Rle_trans (Rmult_le_compat_l _ _ _ (Rlt_le _ _ j0) le) _.
have : exp (- Rmax 2 (ln (INR (K * (k - 1))))) <= / (INR K * INR (k - 1)).
  rewrite -mult_INR -[X in _ <= / X]exp_ln; last by rewrite mult_INR; exact: Rmult_lt_0_compat.
  by rewrite -exp_Ropp; apply: exp_le; apply: Ropp_le_contravar; exact: Rmax_r.
move=> h; apply: Rle_trans (Rmult_le_compat_l _ _ _ (Rlt_le _ _ j0) h) _; apply: Req_le; field; lra.
Qed.

(* ---------------------------------------------------------------- The time t_k *)

(* t_k = 1 + H_1 + ... + H_{k-1}, for k-1 lengths on the event E^H, and tau_k = (k-1) log(K(k-1))/(1-beta). *)
Definition time (lengths : seq nat) : R := 1 + \sum_(H <- lengths) INR H.
Definition tau (beta : R) (K k : nat) : R := INR (k - 1) * (ln (INR (K * (k - 1))) / (1 - beta)).
Definition on_event_H (beta : R) (K k : nat) (lengths : seq nat) :=
  size lengths = (k - 1)%nat /\
  forall H, H \in lengths -> (1 <= H)%nat /\ INR H <= ln (INR (K * (k - 1))) / (1 - beta).

(* As printed, t_k <= tau_k on the event; it fails at K = k = 2, beta = 1/2, H_1 = 1.
   ledger: conc:tau *)
Theorem time_fails : ~ forall beta K k lengths, is_discount beta -> (2 <= k <= K)%nat ->
  on_event_H beta K k lengths -> time lengths <= tau beta K k.
Proof.
move=> claim; have := claim (1/2) 2%nat 2%nat [:: 1%nat].
have e1 : 1 <= ln (INR (2 * (2 - 1))) / (1 - 1/2) by rewrite /=; enclose.
have e2 : ln (INR (2 * (2 - 1))) / (1 - 1/2) < 2 by rewrite /=; enclose.
rewrite /time sum_cons sum_nil /tau; set l := ln _ / _ in e1 e2 *; move=> h.
suff : 1 + (INR 1 + 0) <= INR (2 - 1) * l by rewrite /=; lra.
apply: h => //; first by rewrite /is_discount; lra.
by split=> // H; rewrite inE => /eqP ->.
Qed.

(* Repaired: t_k - 1 <= tau_k; so at most tau_k activations precede episode k.
   ledger: conc:tau/repair *)
Theorem time_repaired beta K k lengths : on_event_H beta K k lengths -> time lengths - 1 <= tau beta K k.
Proof.
case=> sz h; rewrite /time /tau; set l := ln _ / _ in h *; rewrite -sz.
suff : \sum_(H <- lengths) INR H <= INR (size lengths) * l by lra.
elim: (lengths) h => [|H s IH] h; first by rewrite sum_nil /=; lra.
rewrite sum_cons [size _]/= S_INR; have [_ h1] := h H (mem_head _ _).
apply: Rle_trans (Rplus_le_compat _ _ _ _ h1 (IH _)) _; last lra.
by move=> H' H's; apply: h; rewrite inE H's orbT.
Qed.
