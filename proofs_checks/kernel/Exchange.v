(* What Lemma bayesian makes of pairs of bandits, for any prior and any laws of observations: conditions on the bandit drawn are as
   likely as those on the true one, the two may change places, and the model gap of an episode is 0 in the mean. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes Laws LawOfRun Truncation Frozen Radii.
From kernel Require Import Conditional.

Section Pairs.
Variables (A S : finType) (O Theta : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation history := (history A S O).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variables (shows : Theta -> A -> S -> law_on O) (prior : law_on Theta) (post : history -> law_on Theta).
(* The class of functions of the history and the bandit for which the posterior is a conditional law: all, or the measurable ones. *)
Variable nice : (history -> Theta -> R) -> Prop.
Hypothesis nice_reweighted : forall k pi g, nice g -> nice (fun h t => reweighted learner k pi (g^~ t) h).
Hypothesis bayes : bayes_for next shows prior post nice.

(* The mean over the prior and over all runs. *)
Definition both (K : nat) (g : history -> Theta -> R) : R := prior (fun t => expected next beta learner rho (shows t) K (fun h => g h t)).

Lemma drawn_alike K g C : nice g -> 0 <= C -> (forall h t, Rabs (g h t) <= C) -> both K g = both K (fun h _ => post h (g h)).
Proof. exact: (conditional_on_run discount learner_ok rho_ok nice_reweighted bayes). Qed.

(* Every condition on counts and estimates, which are functions of O_{k-1}, and on the bandit is as likely for M_k as for M: that M
   deviates from them by more than some radii, for example.
   ledger: lem:concentration_psrl/equality/repair *)
Theorem same_deviations K (deviates : history -> Theta -> bool) : nice (fun h t => indicator (deviates h t)) ->
  both K (fun h t => indicator (deviates h t)) = both K (fun h _ => post h (fun s => indicator (deviates h s))).
Proof. by move=> ng; apply: (drawn_alike K ng Rle_0_1) => h t; exact: indicator_abs. Qed.

(* Two bandits drawn from the posterior after h, one after the other: the order does not matter, as Fubini's theorem has it for the
   measurable functions of probability measures. Laws that are not countably additive need not have it (no_exchange). *)
Definition exchanges (g : history -> Theta -> Theta -> R) := forall h, post h (fun t => post h (g h t)) = post h (fun t => post h (fun s => g h s t)).

(* Given the past, M and M_k are independent with the same law: they may change places.
   ledger: lem:bayesian/exchangeable *)
Theorem exchangeable K (g : history -> Theta -> Theta -> R) C : 0 <= C -> (forall h t s, Rabs (g h t s) <= C) -> exchanges g ->
  nice (fun h t => post h (g h t)) -> nice (fun h t => post h (fun s => g h s t)) ->
  both K (fun h t => post h (g h t)) = both K (fun h t => post h (fun s => g h s t)).
Proof.
move=> C0 gC ex n1 n2; rewrite (drawn_alike K n1 C0) => [|h t]; last by apply: E_abs => s; exact: gC.
rewrite (drawn_alike K n2 C0) => [|h t]; last by apply: E_abs => s; exact: gC.
by apply: E_ext => t; apply: expected_ext => h; exact: ex.
Qed.

(* E[(v(M) - v(M_k)) 1_E] = 0 for every event E given by O_{k-1} and a condition that is symmetric in M and M_k, and every bounded
   function v of O_{k-1} and a bandit.
   step of: psrl:model-gap/repair *)
Theorem model_gap K (v : history -> Theta -> R) (E : history -> Theta -> Theta -> bool) C : 0 <= C ->
  (forall h t, Rabs (v h t) <= C) -> (forall h t s, E h t s = E h s t) ->
  let gap h t s := if E h t s then v h t - v h s else 0 in exchanges gap -> nice (fun h t => post h (gap h t)) ->
  both K (fun h t => post h (gap h t)) = 0.
Proof.
move=> C0 vC sym gap ex ng; have C2 : 0 <= 2 * C by lra.
have gC h t s : Rabs (gap h t s) <= 2 * C.
  by rewrite /gap; case: ifP => _; [have := vC h t; have := vC h s; split_Rabs; lra | rewrite Rabs_R0].
have pC h t : Rabs (post h (gap h t)) <= 2 * C by apply: E_abs => s; exact: gC.
rewrite (drawn_alike K ng C2 pC) /both (E_ext _ (g := fun _ => 0)) ?E_const // => t.
have none h : post h (fun t => post h (gap h t)) = 0.
  have anti : post h (fun t => post h (fun s => gap h s t)) = - post h (fun t => post h (gap h t)).
    rewrite (_ : - _ = -1 * post h (fun t => post h (gap h t))); last ring.
    rewrite -E_scale; last by exists (2 * C).
    apply: E_ext => u; rewrite -E_scale; last by exists (2 * C).
    by apply: E_ext => s; rewrite /gap (sym h s u); case: ifP => _; ring.
  by have := ex h; rewrite anti; lra.
apply: Rle_antisym; have := expected_abs next discount learner_ok rho_ok (shows t) K (Rle_refl 0) (F := fun h => post h (fun t => post h (gap h t)))
  (fun h => Req_le _ _ (eq_trans (congr1 Rabs (none h)) Rabs_R0)); move/Rabs_le_between; lra.
Qed.

(* E[Delta^model_k 1_E] = 0, where Delta^model_k is the gap of the totals of M and of M_k over H_k steps, each under its own policy, from
   an initial state of law rho: 0 for each length of the episode, and so in the mean over H_k, whose law is geometric. The event E may
   depend on O_{k-1} and be symmetric in M and M_k.
   ledger: psrl:model-gap/repair *)
Theorem model_gap_of_episode (bandit : Theta -> model A S) (best : Theta -> policy A S) K (E : history -> Theta -> Theta -> bool) :
  (forall t, markovian (bandit t)) -> (forall t, unit_rewards (bandit t)) -> (forall h t s, E h t s = E h s t) ->
  let gap_over H h t s := if E h t s then mean rho (fun x => W (bandit t) (best t) H x - W (bandit s) (best s) H x) else 0 in
  (forall H, exchanges (gap_over H) /\ nice (fun h t => post h (gap_over H h t))) ->
  let gap H := both K (fun h t => post h (gap_over H h t)) in
  (forall H, gap H = 0) /\ is_series (fun m => (1 - beta) * beta ^ m * gap m.+1) 0.
Proof.
move=> ok unit sym gap_over fine gap; have zero H : gap H = 0.
  have [ex ng] := fine H; have e : gap_over H = fun h t s => if E h t s then mean rho (W (bandit t) (best t) H) - mean rho (W (bandit s) (best s) H) else 0.
    by apply: funext => h; apply: funext => t; apply: funext => s; rewrite /gap_over mean_sub.
  rewrite /gap; rewrite e in ex ng *; apply: (model_gap K (C := INR H) _ _ sym ex ng) => [|h t]; first exact: pos_INR.
  apply: mean_abs1 => // [|x]; first exact: pos_INR.
  have w : 0 <= W (bandit t) (best t) H x <= INR H.
    exact: (total_at_most_horizon (sub_policy (P_sub (ok t)) (best t)) H x (fun y => unit t (best t y) (y (best t y)))).
  by rewrite Rabs_pos_eq; lra.
split=> //; apply: (is_series_ext (fun _ => 0)); last exact: is_series_0.
by move=> m; rewrite zero Rmult_0_r.
Qed.
End Pairs.
