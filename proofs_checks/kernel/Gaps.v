(* The overview of Theorem 1's proof, on the law of the run: what an episode pays is in the mean the discounted value
   (eq:equivalence_V_W), and what it loses where its event fails (eq:gap_overview). And its two gaps, on an event that is given by
   the past and by what was chosen from it: the model gap is at most 0 in the mean where M_k is optimistic, and the concentration
   gap is at most a sum over the steps of the episode. *)

From kernel Require Import Limits Sums Values Bandits Horizon Horizons Concentration DoubleSum Gittins UcbviOptimism Episodes.
From kernel Require Import Weights Laws Draws LawOfRun Truncation Frozen RunSums Radii LemmaConcentration.

Lemma held_abs b v C : Rabs v <= C -> Rabs (indicator b * v) <= C.
Proof. by move=> vC; rewrite Rabs_mult /indicator; case: b; rewrite ?Rabs_R1 ?Rabs_R0; have := Rabs_pos v; lra. Qed.

Section Gaps.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation history := (history A S O).
Notation plays := (plays A S).
Notation global := (global A S).
Variables (learner : history -> plays -> R) (rho : global -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Notation M := (bandit_of next pays shows).
Notation mean_of K F := (expected next beta learner rho shows K F).
Let hM : markovian M. Proof. exact: bandit_markovian. Qed.
Let B := 1 / (1 - beta).
Let B0 : 0 <= B := top_nonneg discount.

(* The mean of what n steps of pi from x pay. *)
Definition paid (pi : plays) (n : nat) (x : global) : R :=
  steps next shows pi n x [::] (fun e => \sum_(p <- shown e) pays p.2).

Lemma paid_is_W pi n x : paid pi n x = W M (fun y => pi y) n x.
Proof.
rewrite /paid; suff all e : steps next shows pi n x e (fun e' => \sum_(p <- shown e') pays p.2) = W M (fun y => pi y) n x + \sum_(p <- shown e) pays p.2.
  by rewrite all sum_nil Rplus_0_r.
have bp := pays_bounded pays_unit; elim: n x e => [|n IH] x e /=; first by rewrite Rplus_0_l.
rewrite (E_ext _ (g := fun o => W M (fun y => pi y) n (moved x (pi x) (next o)) + (pays o + \sum_(p <- shown e) pays p.2))).
  rewrite E_add; [|exact: bounded_next (W M (fun y => pi y) n \o moved x (pi x)) | by apply: bounded_add; [|exact: by_const]].
  rewrite E_add ?E_const //; last exact: by_const.
  rewrite W_step mean_P (bandit_shown next pays shows) -Rplus_assoc; congr (_ + _); exact: Rplus_comm.
by move=> o; rewrite IH /shown /= sum_cons.
Qed.

(* eq:equivalence_V_W, given the past and the policy: over the initial state of law rho and the geometric length, the mean of
   V is that of W, which is what the steps of the episode pay in the mean.
   ledger: eq:equivalence_V_W *)
Theorem mean_V_is_mean_W pi : (forall n x, paid pi n x = W M (fun y => pi y) n x) /\
  is_series (fun m => chance beta m * mean rho (paid pi m.+1)) (mean rho (V beta M (fun y => pi y))).
Proof.
split=> [n x|]; first exact: paid_is_W.
have each x := V_is_mean_W (pi := fun y => pi y) (x := x) discount hM.
apply: is_series_ext (series_of_mean (q := rho) each) => m.
by rewrite mean_scale; congr (_ * _); apply: mean_ext => x; rewrite paid_is_W.
Qed.

(* ---------------------------------------------------------------- Where the event fails *)

Section Fails.
Variable pistar : policy A S.
(* Delta_k in the mean over the length, which is geometric and independent of all else. *)
Definition episode_gap (pi : plays) (x : global) : R := any_length beta (fun n => W M pistar n x - W M (fun y => pi y) n x).

(* The mean over the policy and the initial state of the next episode. *)
Definition drawn (h : history) (f : plays -> global -> R) : R := mean (learner h) (fun pi => mean rho (f pi)).

Lemma episode_gapE pi x : episode_gap pi x = Episodes.gap beta M pistar pi x.
Proof. exact: is_series_unique (mean_model_gap (pistar := pistar) (pik := fun y => pi y) (x := x) discount hM hM). Qed.

Lemma drawn_abs h f C : 0 <= C -> (forall pi x, Rabs (f pi x) <= C) -> Rabs (drawn h f) <= C.
Proof. by move=> C0 fC; apply: mean_abs1 => // pi; apply: mean_abs1. Qed.

(* eq:gap_overview, for an event that may depend on the past, on the policy and on the initial state, but not on the length:
   E[Delta_k] <= E[H_k] P(not E) + E[Delta_k 1_E], with E[H_k] = 1/(1-beta), for rewards in [0, 1] and any two policies.
   ledger: eq:gap_overview *)
Theorem gap_overview (good : history -> plays -> global -> bool) k :
  mean_of k (fun h => drawn h episode_gap) <=
  1 / (1 - beta) * mean_of k (fun h => drawn h (fun pi x => indicator (~~ good h pi x))) +
  mean_of k (fun h => drawn h (fun pi x => indicator (good h pi x) * episode_gap pi x)).
Proof.
have gapB pi x : Rabs (episode_gap pi x) <= B by rewrite episode_gapE; exact: (Episodes.gap_abs discount pistar hM (bandit_unit next pays_unit shows) pi x).
have onB h pi x : Rabs (indicator (good h pi x) * episode_gap pi x) <= B := held_abs _ (gapB pi x).
pose fails h := drawn h (fun pi x => indicator (~~ good h pi x)); pose held h := drawn h (fun pi x => indicator (good h pi x) * episode_gap pi x).
have b0 h : Rabs (fails h) <= 1 by apply: drawn_abs => [|pi x]; [lra | exact: indicator_abs].
have b1 h : Rabs (B * fails h) <= B.
  by rewrite Rabs_mult (Rabs_pos_eq _ B0) -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l => //; exact: b0.
have b2 h : Rabs (held h) <= B by apply: drawn_abs => // pi x; exact: onB.
have b3 h : Rabs (drawn h episode_gap) <= 2 * B by have : Rabs (drawn h episode_gap) <= B by [exact: drawn_abs]; lra.
rewrite -(expected_scale next discount learner_ok rho_ok shows k B (bounded_sized b0)) -(expected_add next discount learner_ok rho_ok shows k (bounded_sized b1) (bounded_sized b2)).
have b4 h : Rabs (B * fails h + held h) <= 2 * B by apply: Rle_trans (Rabs_triang _ _) _; have := b1 h; have := b2 h; lra.
apply: (mean_le_of_played next discount learner_ok rho_ok shows (ltac:(lra) : 0 <= 2 * B) b3 b4) => h _ _.
rewrite /drawn -mean_scale -mean_add; under [X in _ <= X]mean_ext do rewrite -mean_scale -mean_add; apply: mean2_le => // pi x.
have := Rle_trans _ _ _ (Rle_abs _) (gapB pi x); rewrite /indicator; case: (good h pi x) => /=; lra.
Qed.
End Fails.

(* ---------------------------------------------------------------- The two gaps *)

(* What is chosen before the episode, by a coin that may be tossed as the past asks for: a model M_k and a policy pi_k. *)
Variables (J : Type) (coin : history -> law_on J) (Mk : history -> J -> model A S) (pik : history -> J -> plays).
Hypothesis Mk_ok : forall h j, markovian (Mk h j).
Variable good : history -> J -> bool.
Notation play_of h j := (fun y => pik h j y).

(* E[f 1_E] over O_{k-1}, the choice, the initial state and the length. *)
Definition on_event (k : nat) (f : history -> J -> nat -> global -> R) : R :=
  mean_of k (fun h => coin h (fun j => indicator (good h j) * mean rho (fun x => any_length beta (fun n => f h j n x)))).

Lemma on_event_le k f g C : 0 <= C -> (forall h j x, Rabs (any_length beta (fun n => f h j n x)) <= C) ->
  (forall h j x, Rabs (any_length beta (fun n => g h j n x)) <= C) ->
  (forall h j, good h j -> mean rho (fun x => any_length beta (fun n => f h j n x)) <= mean rho (fun x => any_length beta (fun n => g h j n x))) ->
  on_event k f <= on_event k g.
Proof.
move=> C0 fC gC le; pose at_ (u : history -> J -> nat -> global -> R) h j := indicator (good h j) * mean rho (fun x => any_length beta (fun n => u h j n x)).
have ab u (uC : forall h j x, Rabs (any_length beta (fun n => u h j n x)) <= C) h j : Rabs (at_ u h j) <= C.
  by apply: held_abs; exact: mean_abs1.
apply: (mean_le_of_played next discount learner_ok rho_ok shows C0) => [h|h|h _ _]; [exact: (E_abs _ (ab f fC h)) | exact: (E_abs _ (ab g gC h)) |].
apply: E_le => [||j]; [exact: (by_abs (ab f fC h)) | exact: (by_abs (ab g gC h)) |].
by rewrite /indicator; case gd: (good h j); [have := le h j gd; lra | lra].
Qed.

(* ---------------------------------------------------------------- The model gap *)

Variable pistar : policy A S.
Definition model_gap_at (h : history) (j : J) (n : nat) (x : global) : R := W M pistar n x - W (Mk h j) (play_of h j) n x.

Lemma model_gap_mean h j x : any_length beta (fun n => model_gap_at h j n x) = V beta M pistar x - V beta (Mk h j) (play_of h j) x.
Proof. exact: is_series_unique (mean_model_gap (pistar := pistar) (pik := play_of h j) (x := x) discount hM (Mk_ok h j)). Qed.

(* Where M_k with pi_k is worth as much as M with pi_*, from the initial law.
   step of: ucbvi/model-gap ucrl2/model-gap *)
Theorem optimistic_gap k r : 0 <= r -> (forall h j a s, 0 <= reward (Mk h j) a s <= r) ->
  (forall h j, good h j -> mean rho (V beta M pistar) <= mean rho (V beta (Mk h j) (play_of h j))) -> on_event k model_gap_at <= 0.
Proof.
move=> r0 rewards better; have unit := bandit_unit next pays_unit shows.
have Vk h j x : 0 <= V beta (Mk h j) (play_of h j) x <= r * B.
  split; first by apply: (discounted_nonneg (sub_policy (P_sub (Mk_ok h j)) _) discount) => y; case: (rewards h j (pik h j y) (y (pik h j y))).
  have e : r * B = r / (1 - beta) by rewrite /B /Rdiv; ring.
  rewrite e; apply: (discounted_at_most_const (sub_policy (P_sub (Mk_ok h j)) _) discount) => // y.
  by case: (rewards h j (pik h j y) (y (pik h j y))).
have rB : 0 <= r * B + B by apply: Rplus_le_le_0_compat => //; exact: Rmult_le_pos.
have ab h j : Rabs (indicator (good h j) * mean rho (fun x => any_length beta (fun n => model_gap_at h j n x))) <= r * B + B.
  apply: held_abs; apply: mean_abs1 => // x; rewrite model_gap_mean; apply: Rabs_le.
  by have := Vk h j x; have := V_range discount hM pistar unit x; rewrite -/B; lra.
apply: Rle_trans (_ : _ <= mean_of k (fun _ => 0)) _; last first.
  by apply: Rle_trans (Rle_abs _) _; apply: (expected_abs next discount learner_ok rho_ok shows k (Rle_refl 0)) => h; rewrite Rabs_R0; lra.
apply: (mean_le_of_played next discount learner_ok rho_ok shows rB) => [h|h|h _ _]; [exact: (E_abs _ (ab h)) | by rewrite Rabs_R0 |].
rewrite -(E_const (coin h) 0); apply: E_le => [||j]; [exact: (by_abs (ab h)) | exact: by_const |].
rewrite /indicator; case gd: (good h j); last lra.
by rewrite (mean_ext _ (fun x => model_gap_mean h j x)) mean_sub; have := better h j gd; lra.
Qed.

(* MB-UCRL2: for any set of bandits that a past allows, a pair (M_k, pi_k) whose value from the initial law is the largest over the set
   and all policies; on an event that implies that M is in the set, E[Delta^model 1_E] <= 0.
   ledger: ucrl2/model-gap *)
Theorem ucrl2_model_gap k (in_set : history -> model A S -> Prop) : (forall h j, unit_rewards (Mk h j)) ->
  (forall h j, in_set h (Mk h j) /\
    forall M' (pi' : policy A S), in_set h M' -> mean rho (V beta M' pi') <= mean rho (V beta (Mk h j) (play_of h j))) ->
  (forall h j, good h j -> in_set h M) -> on_event k model_gap_at <= 0.
Proof.
move=> unit best inside; apply: (optimistic_gap k Rle_0_1 unit) => h j gd.
exact: (proj2 (best h j) M pistar (inside h j gd)).
Qed.

(* ---------------------------------------------------------------- The concentration gap *)

Definition concentration_gap_at (h : history) (j : J) (n : nat) (x : global) : R := W (Mk h j) (play_of h j) n x - W M (play_of h j) n x.
(* The mean of the sum over the steps of an episode of length n of g at the cell that is activated. *)
Definition summed_over_steps (g : history -> J -> nat -> cell A S -> R) (h : history) (j : J) (n : nat) (x : global) : R :=
  steps next shows (pik h j) n x [::] (fun e => \sum_(p <- shown e) g h j n p.1).

Hypothesis Mk_unit : forall h j, unit_rewards (Mk h j).

Lemma quadratic_exists f C : 0 <= C -> (forall m, Rabs (f m.+1) <= C * INR m.+1 ^ 2) -> ex_series (fun m => chance beta m * f m.+1) /\
  Rabs (any_length beta f) <= C * ((1 + beta) / (1 - beta) ^ 2).
Proof.
move=> C0 fC; have [_ [_ [_ second]]] := geometric_moments discount.
have s : is_series (fun m => C * (INR m.+1 ^ 2 * geometric beta m.+1)) (C * ((1 + beta) / (1 - beta) ^ 2)) by exact: is_series_scal_l.
apply: (dominated s) => m; rewrite Rabs_mult (Rabs_pos_eq _ (chance_nonneg discount m)).
have := Rmult_le_compat_l _ _ _ (chance_nonneg discount m) (fC m); rewrite /geometric /chance [m.+1.-1]/=; lra.
Qed.

(* If, on the event, the gap of the totals of every number of steps is at most the mean of a sum over these steps, so it is for an episode.
   step of: eq:proof2 ucrl2/display-half *)
Theorem gap_by_steps k g C : 0 <= C -> (forall h j n c, 0 <= g h j n.+1 c <= C * INR n.+1) ->
  (forall h j n x, good h j -> concentration_gap_at h j n x <= along M (play_of h j) (fun a s => g h j n (a, s)) n x) ->
  on_event k concentration_gap_at <= on_event k (summed_over_steps g).
Proof.
move=> C0 gC le; have unit := bandit_unit next pays_unit shows.
have eg h j n x : summed_over_steps g h j n x = along M (play_of h j) (fun a s => g h j n (a, s)) n x.
  by rewrite /summed_over_steps (steps_along (bandit_shown next pays shows)) sum_nil Rplus_0_l.
have sub h j := sub_policy (P_sub hM) (play_of h j).
have g2 h j x n : Rabs (summed_over_steps g h j n.+1 x) <= C * INR n.+1 ^ 2.
  rewrite eg (_ : C * INR n.+1 ^ 2 = INR n.+1 * (C * INR n.+1)); last by rewrite -[INR n.+1 ^ 2]/(INR n.+1 * (INR n.+1 * 1)); ring.
  apply: (total_abs (sub h j)) => y; have [c0 c1] := gC h j n (pik h j y, y (pik h j y)); rewrite Rabs_pos_eq; [exact: c1 | exact: c0].
have f1 h j x m : Rabs (concentration_gap_at h j m.+1 x) <= 1 * INR m.+1 ^ 2.
  set n := m.+1.
  have w : 0 <= W (Mk h j) (play_of h j) n x <= INR n :=
    total_at_most_horizon (sub_policy (P_sub (Mk_ok h j)) (play_of h j)) n x (fun y => Mk_unit h j (pik h j y) (y (pik h j y))).
  have w' : 0 <= W M (play_of h j) n x <= INR n := total_at_most_horizon (sub h j) n x (fun y => unit (pik h j y) (y (pik h j y))).
  have n1 : INR n <= INR n ^ 2.
    rewrite -[INR n ^ 2]/(INR n * (INR n * 1)) Rmult_1_r; have : 1 <= INR n by rewrite /n S_INR; have := pos_INR m; lra.
    nra.
  by rewrite Rmult_1_l; apply: Rle_trans n1; apply: Rabs_le; rewrite /concentration_gap_at; lra.
have q0 : 0 <= (1 + beta) / (1 - beta) ^ 2.
  by case: (discount) => b0 b1; apply: Rcomplements.Rdiv_le_0_compat; [lra | apply: pow_lt; lra].
apply: (on_event_le k (C := (1 + C) * ((1 + beta) / (1 - beta) ^ 2))) => [|h j x|h j x|h j gd]; first by apply: Rmult_le_pos => //; lra.
- by apply: Rle_trans (proj2 (quadratic_exists (f := fun n => concentration_gap_at h j n x) Rle_0_1 (f1 h j x))) _; apply: Rmult_le_compat_r => //; lra.
- by apply: Rle_trans (proj2 (quadratic_exists (f := fun n => summed_over_steps g h j n x) C0 (g2 h j x))) _; apply: Rmult_le_compat_r => //; lra.
apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
apply: series_le => [||m].
- exact: (proj1 (quadratic_exists (f := fun n => concentration_gap_at h j n x) Rle_0_1 (f1 h j x))).
- exact: (proj1 (quadratic_exists (f := fun n => summed_over_steps g h j n x) C0 (g2 h j x))).
by apply: Rmult_le_compat_l; [exact: chance_nonneg | rewrite eg; exact: le].
Qed.

(* eq:proof2, with B_k = H_k: for models with mean rewards in [0, 1], whatever was played before.
   ledger: eq:proof2 *)
Theorem gap_within_distances k : on_event k concentration_gap_at <=
  on_event k (summed_over_steps (fun h j n c => Rabs (reward (Mk h j) c.1 c.2 - reward M c.1 c.2) + INR n * distance (row (Mk h j) c.1 c.2) (row M c.1 c.2))).
Proof.
have unit := bandit_unit next pays_unit shows; have three : 0 <= 3 by lra.
apply: (gap_by_steps k three) => [h j n c|h j n x _].
  have u := Mk_unit h j c.1 c.2; have u' := unit c.1 c.2; have n1 : 1 <= INR n.+1 by rewrite S_INR; have := pos_INR n; lra.
  have [d0 d2] := distance_2 (Mk_ok h j c.1 c.2) (hM c.1 c.2).
  have nd : 0 <= INR n.+1 * distance (row (Mk h j) c.1 c.2) (row M c.1 c.2) <= INR n.+1 * 2 by nra.
  by split_Rabs; lra.
apply: (regret_decomposition hM (Mk_ok h j) (fun a s => proj1 (Mk_unit h j a s)) (B := INR n)) => y.
exact: (proj2 (total_at_most_horizon (sub_policy (P_sub (Mk_ok h j)) (play_of h j)) n y (fun z => Mk_unit h j (pik h j z) (z (pik h j z))))).
Qed.

(* The display of MB-UCRL2 for one episode: on the event that M, and always M_k, is within the radii L/(2 sqrt N) and
   (L + 1.5 sqrt S)/sqrt N of the estimates, N = max{1, N_{k-1}}, for any number L.
   ledger: ucrl2/display-half *)
Theorem gap_within_display k (rhat : history -> A -> S -> R) (Qhat : history -> A -> S -> S -> R) L : 0 <= L -> (1 <= #|S|)%nat ->
  let root h a s := sqrt (INR (maxn 1 (count_of (a, s) h))) in
  (forall h j, good h j -> forall a s, Rabs (reward M a s - rhat h a s) <= L / (2 * root h a s) /\
    Rabs (reward (Mk h j) a s - rhat h a s) <= L / (2 * root h a s) /\
    distance (row M a s) (Qhat h a s) <= (L + 3 / 2 * sqrt (INR #|S|)) / root h a s /\
    distance (row (Mk h j) a s) (Qhat h a s) <= (L + 3 / 2 * sqrt (INR #|S|)) / root h a s) ->
  on_event k concentration_gap_at <=
  on_event k (summed_over_steps (fun h j n c => 1 / 2 * ((L + (2 * L + 3 * sqrt (INR #|S|)) * INR n) / root h c.1 c.2))).
Proof.
move=> L0 S1 root near; have s1 : 1 <= sqrt (INR #|S|) by rewrite -{1}sqrt_1; apply: sqrt_le_1_alt; exact: Events.INR_ge1.
have root1 h a s : 1 <= root h a s by rewrite -{1}sqrt_1; apply: sqrt_le_1_alt; exact: max1.
pose C := L + (2 * L + 3 * sqrt (INR #|S|)); have C0 : 0 <= C by rewrite /C; lra.
apply: (gap_by_steps k C0) => [h j n c|h j n x gd].
  have n1 : 1 <= INR n.+1 by rewrite S_INR; have := pos_INR n; lra.
  have r1 := root1 h c.1 c.2; set w := root h c.1 c.2 in r1 *; set N := INR n.+1 in n1 *.
  have t0 : 0 <= L + (2 * L + 3 * sqrt (INR #|S|)) * N by have : 0 <= (2 * L + 3 * sqrt (INR #|S|)) * N by [apply: Rmult_le_pos; lra]; lra.
  have tC : L + (2 * L + 3 * sqrt (INR #|S|)) * N <= C * N by rewrite /C; nra.
  have i1 : 0 < / w <= 1 by split; [apply: Rinv_0_lt_compat; lra | rewrite -Rinv_1; apply: Rinv_le_contravar; lra].
  by nra.
have nr := near h j gd.
apply: (ucrl2_display (play_of h j) hM (Mk_ok h j) (fun a s => proj1 (Mk_unit h j a s)) (rhat := rhat h) (Qhat := Qhat h) (w := root h)) => //.
- by move=> a s; have := root1 h a s; lra.
- by move=> a s; case: (Mk_unit h j a s).
- by move=> a s; have [? [? _]] := nr a s.
by move=> a s; have [_ [_ [? ?]]] := nr a s.
Qed.
End Gaps.

Lemma tt_law : probability (fun _ : unit_finType => 1).
Proof. by split=> [_|]; [lra | rewrite sum_const card_unit /=; ring]. Qed.

(* MB-UCBVI: rewards with a bonus that covers the deviation at every state of pi_*'s choice, on the event, and an index policy.
   ledger: ucbvi/model-gap *)
Theorem ucbvi_model_gap (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R)
    (learner : history A S O -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> law_on O)
    (rhat b gamma : history A S O -> A -> S -> R) (Qhat : history A S O -> A -> S -> S -> R) (pik : history A S O -> plays A S)
    (pistar : policy A S) (good : history A S O -> bool) k r : let M := bandit_of next pays shows in
  is_discount beta -> (forall o, 0 <= pays o <= 1) -> (forall h, probability (learner h)) -> probability rho ->
  (forall h a s, probability (Qhat h a s)) -> 0 <= r ->
  (forall h a s, 0 <= rhat h a s + b h a s <= r) ->
  (forall h a s, gittins_index beta (fun z => rhat h a z + b h a z) (Qhat h a) s (gamma h a s)) ->
  (forall h (x : global A S) a, gamma h a (x a) <= gamma h (pik h x) (x (pik h x))) ->
  (forall h, good h -> forall x, Rabs (deviation beta M (rhat h) (Qhat h) pistar x) <= b h (pistar x) (x (pistar x))) ->
  on_event next beta learner rho shows (fun _ => finite_law tt_law) (fun h (_ : unit_finType) => good h) k
    (model_gap_at next pays shows (fun h _ => bonus_model (rhat h) (Qhat h) (b h)) (fun h _ => pik h) pistar) <= 0.
Proof.
move=> M discount pays_unit learner_ok rho_ok rows r0 range indices largest event.
apply: (@optimistic_gap A S O next pays beta discount pays_unit learner rho shows learner_ok rho_ok unit_finType (fun _ => finite_law tt_law)
  (fun h _ => bonus_model (rhat h) (Qhat h) (b h)) (fun h _ => pik h) (fun h _ a s => rows h a s) (fun h _ => good h) pistar k r r0) => [h _ a s|h _ gd]; first exact: range.
apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
exact: (index_policy_is_optimistic discount (bandit_markovian next pays shows) (rows h) (indices h) (largest h) (event h gd)).
Qed.
