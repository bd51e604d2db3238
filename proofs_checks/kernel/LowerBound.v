(* Theorem 2 (thm:lower_bound) on its whole printed domain: for many arms, and for one, the bound exceeds what any learner
   loses in any model, so that no prior forces it. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Learners Randomised Priors.

(* A learner at work on a model: what is drawn where a prior is any law whatever. *)
Record game (A S : finType) := Game {
  observation : finType;
  next_state : observation -> S;
  pay : observation -> R;
  observed_with : A -> S -> observation -> R;
  starts_from : global A S -> R;
  mind : Type;
  player : randomised A S observation mind;
  optimal : policy A S
}.

Section Games.
Variables (A S : finType) (K : nat) (beta : R).
Hypothesis discount : is_discount beta.
Implicit Type g : game A S.
Notation top := (1 / (1 - beta)).
Notation printed := (1/60 * sqrt (INR #|S| * INR #|A| * INR K / (1 - beta))).

Definition played_in g : model A S := bandit_of (@next_state _ _ g) (@pay _ _ g) (@observed_with _ _ g).
Definition game_ok g := [/\ forall o : observation g, 0 <= pay o <= 1, forall a s, probability (@observed_with _ _ g a s),
  probability (@starts_from _ _ g), randomised_ok (player g) & forall pi x, V beta (played_in g) pi x <= V beta (played_in g) (@optimal _ _ g) x].
Definition regret_in_game g : R :=
  randomised_regret (@next_state _ _ g) (player g) (@observed_with _ _ g) beta (@starts_from _ _ g) (played_in g) (@optimal _ _ g) K.

(* It is that of a learner that draws arms alone. *)
Notation alone g := (arms_alone (player g)).
Lemma regret_in_gameE g : game_ok g -> regret_in_game g =
  regret_in_run (@next_state _ _ g) (alone g) beta (@starts_from _ _ g) (played_in g) (@observed_with _ _ g) (@optimal _ _ g) K.
Proof.
case=> unit ok start_ok L_ok _; apply: regret_of_arms_alone => //; [exact: bandit_markovian | exact: bandit_unit].
Qed.

Lemma regret_in_game_abs g c : game_ok g -> 0 <= c -> (forall x h, Rabs (shortfall (@next_state _ _ g) (alone g) beta (played_in g)
    (@observed_with _ _ g) (@optimal _ _ g) x h) <= c) -> Rabs (regret_in_game g) <= INR K * c.
Proof.
move=> hg c0 small; rewrite regret_in_gameE //; have [_ ok start_ok /arms_alone_ok L_ok _] := hg; apply: sum_to_abs => k.
apply: (schedules_abs discount start_ok) => // sc; apply: (run_abs _ L_ok ok) => h; exact: mean_abs1.
Qed.

(* Whatever the model and the learner, the regret is at most K/(1-beta). *)
Lemma regret_at_most g : game_ok g -> Rabs (regret_in_game g) <= INR K * top.
Proof.
move=> hg; have [unit ok _ /arms_alone_ok L_ok _] := hg; apply: (regret_in_game_abs hg (top_nonneg discount)) => x h.
exact: (shortfall_abs _ L_ok discount ok (bandit_unit _ unit ok) _ (bandit_markovian _ _ ok)).
Qed.

(* With one arm there is nothing to choose. *)
Lemma regret_of_one_arm g : #|A| = 1%nat -> game_ok g -> Rabs (regret_in_game g) <= 0.
Proof.
move=> one hg; have [unit ok _ /arms_alone_ok L_ok _] := hg; have hM : markovian (played_in g) := bandit_markovian _ _ ok.
have [b0 b1] := discount; have t0 := top_nonneg discount; have hr : unit_rewards (played_in g) := bandit_unit _ unit ok.
rewrite -(Rmult_0_r (INR K)); apply: (regret_in_game_abs hg) => [|x h]; first exact: Rle_refl.
have same (a c : A) : a = c by apply: (fintype_le1P _); rewrite one.
rewrite /shortfall (mean_ext _ (g := fun _ => 0)) => [|w]; first by rewrite (mean_of_const _ (proj1 L_ok h)) Rabs_R0; lra.
rewrite (worth_of_policy discount ok hr (p := @optimal _ _ g) x hM) => [|a s f|e y f]; [ring | exact: bandit_shown |].
by rewrite (mean_ext _ (g := fun _ => f (@optimal _ _ g y))) => [|c];
  [exact: (mean_of_const _ (proj2 L_ok h w e y)) | rewrite (same c (optimal g y))].
Qed.

(* ---------------------------------------------------------------- Priors *)

(* The joint law of the model, drawn from a prior, and of the learner, as its mean of bounded quantities. Every law has one. *)
Definition mean_over_games (E : (game A S -> R) -> R) := forall f c, (forall g, game_ok g -> Rabs (f g) <= c) -> E f <= c.

(* A Bayesian regret of at least (1/60) sqrt(S n K/(1-beta)) is possible. *)
Definition bound_is_reached := exists E, mean_over_games E /\ printed <= E regret_in_game.

(* A prior of Priors.v and a learner are such a law, and their Bayesian regret is its mean. *)
Lemma law_of_prior (p : prior A S) (best : candidate p -> policy A S) W (L : randomised A S (sight p) W) :
  prior_ok p -> best_policies beta best -> randomised_ok L ->
  mean_over_games (fun f => mean (@belief _ _ p) (fun t => f (@Game A S _ (@leads _ _ p) (@pays _ _ p) (chances t) (begins p) _ L (best t)))).
Proof.
move=> [bel_ok ok pays_ok start_ok] opt L_ok f c small; rewrite -(mean_of_const c bel_ok); apply: (mean_mono bel_ok) => t.
by apply: Rle_trans (Rle_abs _) _; apply: small; split; [exact: pays_ok | exact: ok | exact: start_ok | exact: L_ok | exact: (opt t)].
Qed.

Lemma forced_at_most (p : prior A S) c d (a0 : A) : prior_ok p -> (forall g, game_ok g -> Rabs (regret_in_game g) <= d) ->
  forces beta p K c -> c <= d.
Proof.
move=> p_ok small forced; have [best opt] := best_policies_exist discount p_ok a0.
have L_ok := of_agent_ok (always_ok p a0).
by apply: Rle_trans (forced best opt _ _ L_ok) _; exact: (law_of_prior p_ok opt L_ok small).
Qed.

(* For n > 3600 K/(S(1-beta)) it is not possible: whatever the prior and the learner, the Bayesian regret is at most
   K/(1-beta), and that is less.
   ledger: thm:lower_bound/beyond
   step of: thm:lower_bound *)
Theorem too_many_arms : (0 < K)%nat -> 3600 * INR K / (1 - beta) < INR #|S| * INR #|A| ->
  (forall E, mean_over_games E -> E regret_in_game <= INR K / (1 - beta)) /\ INR K / (1 - beta) < printed.
Proof.
case: discount => b0 b1 K0 many; split=> [E mean_E|].
  by apply: mean_E => g hg; apply: Rle_trans (regret_at_most hg) _; apply: Req_le; field; lra.
have x0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have k0 : 0 < INR K by apply: lt_0_INR; apply/ltP.
suff : 60 * (INR K / (1 - beta)) < sqrt (INR #|S| * INR #|A| * INR K / (1 - beta)) by lra.
rewrite /Rdiv in many *; have y0 : 0 < INR K * / (1 - beta) by exact: Rmult_lt_0_compat.
rewrite -[X in X < _]sqrt_square; last lra.
apply: sqrt_lt_1; [nra | nra |].
by nra.
Qed.

(* With one arm there is nothing to choose: the Bayesian regret is at most 0.
   ledger: thm:lower_bound/one-arm
   step of: thm:lower_bound *)
Theorem one_arm : #|A| = 1%nat -> (0 < #|S|)%nat -> (0 < K)%nat ->
  (forall E, mean_over_games E -> E regret_in_game <= 0) /\ 0 < printed.
Proof.
move=> n1 S0 K0; case: discount => b0 b1; split=> [E mean_E|].
  by apply: mean_E => g; exact: regret_of_one_arm.
suff : 0 < sqrt (INR #|S| * INR #|A| * INR K / (1 - beta)) by lra.
have pos m : (0 < m)%nat -> 0 < INR m by move=> h; apply: lt_0_INR; apply/ltP.
apply: sqrt_lt_R0; apply: Rdiv_lt_0_compat; last lra.
by apply: Rmult_lt_0_compat; [apply: Rmult_lt_0_compat|]; apply: pos; rewrite ?n1.
Qed.

Lemma not_reached c : (forall E, mean_over_games E -> E regret_in_game <= c) /\ c < printed -> ~ bound_is_reached.
Proof. by move=> [le lt] [E [hE reached]]; have := le E hE; lra. Qed.
End Games.

Lemma one_state : (1 <= #|unit_finType|)%nat /\ (16 * #|unit_finType| <= 16)%nat. Proof. by rewrite card_unit. Qed.

(* Theorem 2 as printed says more: for some prior every learner loses that much. Already this is false.
   ledger: thm:lower_bound *)
Theorem lower_bound_fails : ~ forall (A S : finType) K beta, (1 <= #|A|)%nat -> (1 <= #|S|)%nat -> (16 * #|S| <= K)%nat ->
  is_discount beta -> bound_is_reached A S K beta.
Proof.
have [c0 small] := one_state; move=> claim.
exact: (not_reached (one_arm no_discount card_unit c0 (isT : (0 < 16)%nat))) (claim _ _ 16%nat 0 c0 c0 small no_discount).
Qed.

(* Nor with at least two arms: S = 1, K = 16, beta = 0, n = 57601.
   step of: thm:lower_bound *)
Theorem lower_bound_fails_for_two_arms_or_more : ~ forall (A S : finType) K beta, (2 <= #|A|)%nat -> (1 <= #|S|)%nat ->
  (16 * #|S| <= K)%nat -> is_discount beta -> bound_is_reached A S K beta.
Proof.
have [c0 small] := one_state; move=> claim; pose n := Z.to_nat 57601; have e : INR n = 57601 by rewrite /n INR_IZR_INZ Z2Nat.id.
have c2 : (2 <= #|ordinal_finType n|)%nat by rewrite card_ord.
have many : 3600 * INR 16 / (1 - 0) < INR #|unit_finType| * INR #|ordinal_finType n| by rewrite card_unit card_ord e /=; lra.
exact: (not_reached (too_many_arms no_discount (isT : (0 < 16)%nat) many)) (claim _ _ 16%nat 0 c2 c0 small no_discount).
Qed.

(* In particular no prior of Priors.v forces what is printed.
   step of: thm:lower_bound *)
Theorem no_prior_forces (A S : finType) K beta : is_discount beta -> (1 <= #|A|)%nat -> (1 <= #|S|)%nat -> (1 <= K)%nat ->
  #|A| = 1%nat \/ 3600 * INR K / (1 - beta) < INR #|S| * INR #|A| ->
  ~ exists p : prior A S, prior_ok p /\ forces beta p K (1/60 * sqrt (INR #|S| * INR #|A| * INR K / (1 - beta))).
Proof.
move=> d A1 S1 K1 range [p [ok forced]]; have /card_gt0P [a0 _] := A1; case: range => [one|many].
  have [_ pos] := one_arm d one S1 K1.
  by have := forced_at_most d a0 ok (fun g => @regret_of_one_arm A S K beta d g one) forced; lra.
have [_ less] := too_many_arms d K1 many; have [b0 b1] := d.
by have := forced_at_most d a0 ok (fun g => @regret_at_most A S K beta d g) forced; rewrite (_ : INR K * _ = INR K / (1 - beta)); [lra | field; lra].
Qed.
