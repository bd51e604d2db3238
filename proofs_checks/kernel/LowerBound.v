(* Theorem 2 (thm:lower_bound) on its whole printed domain: for many arms, and for one, the bound exceeds what any
   learner can lose. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Games.
Variables (n S K : nat) (beta : R).
Let arms := ordinal_finType n. Let states := ordinal_finType S.

(* One outcome of K episodes: a bandit as the paper defines it, its optimal policy pi_*, and for each episode the
   initial state and the policy that the learner used. *)
Record outcome := Outcome {
  bandit : model arms states;
  best : policy arms states;
  start : nat -> state arms states;
  used : nat -> policy arms states;
  bandit_ok : markovian bandit /\ unit_rewards bandit;
  best_ok : forall pi x, V beta bandit pi x <= V beta bandit best x
}.

(* eq:regretTraj. *)
Definition regret (o : outcome) : R :=
  \sum_(k < K) (V beta (bandit o) (best o) (start o k) - V beta (bandit o) (used o k) (start o k)).

(* The joint law of the model, drawn from a prior, and of the play of a learner, as its expectation: monotone, and
   right on constants. Every law has one, and nothing more of it is used. *)
Definition expectation (E : (outcome -> R) -> R) :=
  (forall f g, (forall o, f o <= g o) -> E f <= E g) /\ forall c, E (fun _ => c) = c.

(* A Bayesian regret of at least (1/60) sqrt(S n K/(1-beta)) is possible. *)
Definition bound_is_reached := exists E, expectation E /\
  1/60 * sqrt (INR S * INR n * INR K / (1 - beta)) <= E regret.

Hypothesis discount : is_discount beta.

Lemma regret_at_most o : regret o <= INR K / (1 - beta).
Proof.
rewrite /Rdiv -sum_to_const; apply: sum_to_le => k _; have [hM hr] := bandit_ok o.
have := V_range discount hM (best o) hr (start o k); have := V_range discount hM (used o k) hr (start o k); lra.
Qed.

(* For n > 3600 K/(S(1-beta)) it is not possible: whatever the prior and the learner, the Bayesian regret is at most
   K/(1-beta), and that is less.
   ledger: thm:lower_bound/beyond
   step of: thm:lower_bound *)
Theorem too_many_arms : (0 < K)%nat -> 3600 * INR K / (1 - beta) < INR S * INR n ->
  (forall E, expectation E -> E regret <= INR K / (1 - beta)) /\
  INR K / (1 - beta) < 1/60 * sqrt (INR S * INR n * INR K / (1 - beta)).
Proof.
case: discount => b0 b1 K0 many; split=> [E [monotone constant]|].
  by rewrite -(constant (INR K / (1 - beta))); apply: monotone; exact: regret_at_most.
have x0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have k0 : 0 < INR K by apply: lt_0_INR; apply/ltP.
suff : 60 * (INR K / (1 - beta)) < sqrt (INR S * INR n * INR K / (1 - beta)) by lra.
rewrite /Rdiv in many *; have y0 : 0 < INR K * / (1 - beta) by exact: Rmult_lt_0_compat.
rewrite -[X in X < _]sqrt_square; last lra.
apply: sqrt_lt_1; [nra | nra |].
rewrite (_ : _ * _ * _ * / _ = (INR S * INR n) * (INR K * / (1 - beta))); last by ring.
rewrite (_ : _ * _ = 3600 * INR K * / (1 - beta) * (INR K * / (1 - beta))); last by ring.
exact: Rmult_lt_compat_r.
Qed.

(* With one arm there is nothing to choose: the Bayesian regret is at most 0.
   ledger: thm:lower_bound/one-arm
   step of: thm:lower_bound *)
Theorem one_arm : n = 1%nat -> (0 < S)%nat -> (0 < K)%nat ->
  (forall E, expectation E -> E regret <= 0) /\ 0 < 1/60 * sqrt (INR S * INR n * INR K / (1 - beta)).
Proof.
move=> n1 S0 K0; case: discount => b0 b1; split=> [E [monotone constant]|].
  rewrite -(constant 0); apply: monotone => o; rewrite /regret -[X in _ <= X](Rmult_0_r (INR K)) -sum_to_const.
  apply: sum_to_le => k _; have -> : used o k = best o; last lra.
  apply: FunctionalExtensionality.functional_extensionality => x; move: (used o k x) (best o x).
  by rewrite /arms n1 => i j; rewrite !ord1.
suff : 0 < sqrt (INR S * INR n * INR K / (1 - beta)) by lra.
have pos m : (0 < m)%nat -> 0 < INR m by move=> h; apply: lt_0_INR; apply/ltP.
apply: sqrt_lt_R0; apply: Rdiv_lt_0_compat; last lra.
by apply: Rmult_lt_0_compat; [apply: Rmult_lt_0_compat|]; apply: pos; rewrite ?n1.
Qed.

Lemma not_reached c : (forall E, expectation E -> E regret <= c) /\ c < 1/60 * sqrt (INR S * INR n * INR K / (1 - beta)) ->
  ~ bound_is_reached.
Proof. by move=> [le lt] [E [hE reached]]; have := le E hE; lra. Qed.
End Games.

(* Theorem 2 as printed says more: for some prior every learner loses that much. Already this is false.
   step of: thm:lower_bound *)
Theorem lower_bound_fails : ~ forall n S K beta, (1 <= n)%nat -> (1 <= S)%nat -> (16 * S <= K)%nat ->
  is_discount beta -> bound_is_reached n S K beta.
Proof.
move=> claim; have d : is_discount 0 by rewrite /is_discount; lra.
exact: (not_reached (one_arm d (erefl _) (isT : (0 < 1)%nat) (isT : (0 < 16)%nat))) (claim 1%nat 1%nat 16%nat 0 isT isT isT d).
Qed.

(* Nor with at least two arms: S = 1, K = 16, beta = 0, n = 57601.
   step of: thm:lower_bound *)
Theorem lower_bound_fails_for_two_arms_or_more : ~ forall n S K beta, (2 <= n)%nat -> (1 <= S)%nat ->
  (16 * S <= K)%nat -> is_discount beta -> bound_is_reached n S K beta.
Proof.
move=> claim; have d : is_discount 0 by rewrite /is_discount; lra.
pose n := Z.to_nat 57601; have e : INR n = 57601 by rewrite /n INR_IZR_INZ Z2Nat.id.
have n2 : (2 <= n)%nat by apply/leP; apply: INR_le; rewrite e /=; lra.
have many : 3600 * INR 16 / (1 - 0) < INR 1 * INR n by rewrite e /=; lra.
exact: (not_reached (too_many_arms d (isT : (0 < 16)%nat) many)) (claim n 1%nat 16%nat 0 n2 isT isT d).
Qed.
