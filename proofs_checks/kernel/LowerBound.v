(* Theorem 2 (thm:lower_bound) on its whole printed domain: for many arms, and for one, the bound exceeds what any learner of the
   paper's kind loses, whatever the prior and the observations, so that no prior forces it. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Laws LawOfRun Truncation Radii Theorem1.

(* Some prior, any law on any set of bandits with observations of any kind, makes every learner that follows one policy in each
   episode lose c in K episodes, in the mean: less than Priors.v asks where it says that a prior forces c. *)
Definition some_law_forces (A S : finType) (beta : R) (K : nat) (c : R) :=
  exists (Theta O : Type) (prior : law_on Theta) (next : O -> S) (pays : O -> R) (shows : Theta -> A -> S -> law_on O)
    (rho : global A S -> R),
    [/\ forall o, 0 <= pays o <= 1 & probability rho] /\
    forall best : Theta -> plays A S, (forall t, optimal beta (bandit_of next pays (shows t)) (best t)) ->
    forall learner, (forall h, probability (learner h)) ->
    c <= prior (fun t => expected_regret next beta learner rho (shows t) (bandit_of next pays (shows t)) (best t) K).
Notation printed A S K beta := (1/60 * sqrt (INR #|S| * INR #|A| * INR K / (1 - beta))) (only parsing).

Section Priors.
Variables (A S : finType) (K : nat) (beta : R).
Hypothesis discount : is_discount beta.
Variables (Theta O : Type) (prior : law_on Theta) (next : O -> S) (pays : O -> R) (shows : Theta -> A -> S -> law_on O).
Variables (rho : global A S -> R) (best : Theta -> plays A S) (learner : history A S O -> plays A S -> R).
Hypotheses (pays_unit : forall o, 0 <= pays o <= 1) (rho_ok : probability rho) (learner_ok : forall h, probability (learner h)).
Notation regret := (fun t => expected_regret next beta learner rho (shows t) (bandit_of next pays (shows t)) (best t) K).

Lemma regret_at_most c : (forall t, regret t <= c) -> prior regret <= c.
Proof.
move=> le; rewrite -(E_const prior c); apply: E_le => //; last exact: by_const.
exists (INR K * (1 / (1 - beta))) => t.
exact: (expected_regret_abs next discount learner_ok rho_ok (shows t) _ (bandit_markovian _ _ _) (bandit_unit _ pays_unit _)).
Qed.

(* For n > 3600 K/(S(1-beta)), whatever the prior and the learner, the Bayesian regret is at most K/(1-beta), and that is less.
   ledger: thm:lower_bound/beyond
   step of: thm:lower_bound *)
Theorem too_many_arms : (0 < K)%nat -> 3600 * INR K / (1 - beta) < INR #|S| * INR #|A| ->
  prior regret <= INR K / (1 - beta) < printed A S K beta.
Proof.
move=> K0 many; have [b0 b1] := discount; split.
  apply: regret_at_most => t; apply: Rle_trans (Rle_abs _) _; rewrite (_ : INR K / _ = INR K * (1 / (1 - beta))); last by field; lra.
  exact: (expected_regret_abs next discount learner_ok rho_ok (shows t) _ (bandit_markovian _ _ _) (bandit_unit _ pays_unit _)).
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
Theorem one_arm : #|A| = 1%nat -> (0 < #|S|)%nat -> (0 < K)%nat -> prior regret <= 0 < printed A S K beta.
Proof.
move=> n1 S0 K0; have [b0 b1] := discount; split.
  by apply: regret_at_most => t; exact: (regret_with_one_arm _ discount learner_ok rho_ok).
suff : 0 < sqrt (INR #|S| * INR #|A| * INR K / (1 - beta)) by lra.
have pos m : (0 < m)%nat -> 0 < INR m by move=> h; apply: lt_0_INR; apply/ltP.
apply: sqrt_lt_R0; apply: Rdiv_lt_0_compat; last lra.
by apply: Rmult_lt_0_compat; [apply: Rmult_lt_0_compat|]; apply: pos; rewrite ?n1.
Qed.
End Priors.

(* No prior forces what is printed there: a learner that always plays one arm loses less.
   step of: thm:lower_bound *)
Theorem no_law_forces (A S : finType) K beta : is_discount beta -> (1 <= #|A|)%nat -> (1 <= #|S|)%nat -> (1 <= K)%nat ->
  #|A| = 1%nat \/ 3600 * INR K / (1 - beta) < INR #|S| * INR #|A| -> ~ some_law_forces A S beta K (printed A S K beta).
Proof.
move=> d A1 S1 K1 range [Theta [O [prior [next [pays [shows [rho [[unit rho_ok] low]]]]]]]]; have /card_gt0P [a0 _] := A1.
have [best opt] := best_policies_exist next pays d A1 shows; set always : plays A S := [ffun=> a0].
have L_ok (h : history A S O) : probability (fun pi => if pi == always then 1 else 0).
  by split=> [pi|]; [case: eqP; lra | exact: (sum_single always (fun _ => 1))].
have lost := low best opt _ L_ok; case: range => [one|many].
  by have := one_arm d prior next shows best unit rho_ok L_ok one S1 K1; lra.
by have := too_many_arms d prior next shows best unit rho_ok L_ok K1 many; lra.
Qed.

Lemma one_state : (1 <= #|unit_finType|)%nat /\ (16 * #|unit_finType| <= 16)%nat. Proof. by rewrite card_unit. Qed.

(* So Theorem 2 is false as printed.
   ledger: thm:lower_bound *)
Theorem lower_bound_fails : ~ forall (A S : finType) K beta, (1 <= #|A|)%nat -> (1 <= #|S|)%nat -> (16 * #|S| <= K)%nat ->
  is_discount beta -> some_law_forces A S beta K (printed A S K beta).
Proof.
have [c0 small] := one_state; move=> claim.
exact: (no_law_forces no_discount c0 c0 (isT : (1 <= 16)%nat) (or_introl card_unit) (claim _ _ 16%nat 0 c0 c0 small no_discount)).
Qed.

(* Nor with at least two arms: S = 1, K = 16, beta = 0, n = 57601.
   step of: thm:lower_bound *)
Theorem lower_bound_fails_for_two_arms_or_more : ~ forall (A S : finType) K beta, (2 <= #|A|)%nat -> (1 <= #|S|)%nat ->
  (16 * #|S| <= K)%nat -> is_discount beta -> some_law_forces A S beta K (printed A S K beta).
Proof.
have [c0 small] := one_state; move=> claim; pose n := Z.to_nat 57601; have e : INR n = 57601 by rewrite /n INR_IZR_INZ Z2Nat.id.
have c2 : (2 <= #|ordinal_finType n|)%nat by rewrite card_ord.
have many : 3600 * INR 16 / (1 - 0) < INR #|unit_finType| * INR #|ordinal_finType n| by rewrite card_unit card_ord e /=; lra.
exact: (no_law_forces no_discount (ltnW c2) c0 (isT : (1 <= 16)%nat) (or_intror many) (claim _ _ 16%nat 0 c2 c0 small no_discount)).
Qed.
