(* Theorem 1 for MB-PSRL and MB-UCRL2 as it is printed, with explicit constants, for K >= 2: K episodes of geometric lengths,
   observations of finitely many values with rewards in [0, 1], the next state being shown at every activation. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Gittins Concentration.
From kernel Require Import History Bayes Regret Confidence Widths ProductPriors MbPsrl MbUcrl2 Sharper PrintedForm.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Theorem1.
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (beta : R) (rho : global A S -> R) (K : nat).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (K2 : (2 <= K)%nat) (A1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat).
Notation bandit shows := (bandit_of next pays shows).
Notation printed C := (C * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta).

Definition optimal (M : model A S) (pi : policy A S) := forall pi' x, V beta M pi' x <= V beta M pi x.

Lemma optimal_exists shows : (forall a s, probability (shows a s)) -> exists pi : plays A S, optimal (bandit shows) pi.
Proof.
move=> shows_ok; have [a0 _] : exists a0 : A, True by move/card_gt0P: A1 => [a0 _]; exists a0.
have hM := bandit_markovian next pays shows_ok; have [pi best] := optimal_policy a0 discount hM.
exists [ffun x => pi x] => pi' x; apply: Rle_trans (proj1 (best x) pi') _; apply: Req_le.
by apply: (V_unique discount hM) => y; have := V_bellman discount hM [ffun x => pi x] y; rewrite ffunE.
Qed.

(* What MB-PSRL plays is optimal in the bandit that it drew: a policy that follows Gittins' index. *)
Lemma gittins_is_optimal shows gamma pi : (forall a s, probability (shows a s)) ->
  (forall a s, gittins_index beta (reward (bandit shows) a) (row (bandit shows) a) s (gamma a s)) ->
  plays_largest_index gamma pi -> optimal (bandit shows) pi.
Proof.
move=> shows_ok indices largest pi' x.
exact: (proj1 (gittins_policy_is_optimal discount (bandit_markovian next pays shows_ok) indices largest x) pi').
Qed.

Section Psrl.
Variables (Theta : finType) (shows : Theta -> A -> S -> O -> R) (phi : Theta -> R) (best : Theta -> plays A S).
Variable post : history A S O -> Theta -> R.
Hypotheses (shows_ok : forall t a s, probability (shows t a s)) (prior_ok : probability phi) (post_ok : is_posterior shows phi post).

(* Posteriors and optimal policies exist: the theorem speaks of something. *)
Lemma psrl_exists : exists (p : history A S O -> Theta -> R) (b : Theta -> plays A S),
  is_posterior shows phi p /\ forall t, optimal (bandit (shows t)) (b t).
Proof.
have [p p_ok] := posterior_exists shows_ok prior_ok; have [b b_ok] := fin_all_exists (fun t => optimal_exists (shows_ok t)).
by exists p, b.
Qed.

(* For every prior of finite support, sampled jointly:
     BayReg(K, MB-PSRL, phi) <= (5/2) (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta).
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_regret : (forall t, optimal (bandit (shows t)) (best t)) ->
  mean phi (fun t => expected_regret next beta (psrl best post) rho (shows t) (bandit (shows t)) (best t) K) <= printed (5/2).
Proof.
move=> _; have K1 : (1 <= K)%nat by exact: ltnW.
apply: (widths_printed discount K2 A1 S1 _ _ _ _ (psrl_bound next discount rho_ok pays_unit shows_ok prior_ok best post_ok K1 A1 S1)).
- by lra. - by lra. - by lra.
rewrite -(mean_of_const (INR K * (1 / (1 - beta))) prior_ok); apply: mean_le => [t|t]; first exact: (proj1 prior_ok).
exact: (regret_at_most_horizon next discount pays_unit K (psrl_ok best post_ok) rho_ok (shows_ok t)).
Qed.
End Psrl.

(* For product priors, each arm drawn from its own posterior, as Section 4.1 has it.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_regret_arm_by_arm (Theta : finType) (shows : A -> Theta -> S -> O -> R) (phi : A -> Theta -> R)
    (post : A -> history A S O -> Theta -> R) (best : {ffun A -> Theta} -> plays A S) :
  (forall a t s, probability (shows a t s)) -> (forall a, probability (phi a)) ->
  (forall a h, bayes_rule (phi a) (arm_likelihood shows a h) (post a h)) ->
  (forall t, optimal (bandit (arms_show shows t)) (best t)) ->
  mean (product_prior phi) (fun t => expected_regret next beta (psrl best (arm_by_arm post)) rho (arms_show shows t)
    (bandit (arms_show shows t)) (best t) K) <= printed (5/2).
Proof.
move=> shows_ok priors_ok posts_ok best_ok; apply: mb_psrl_regret => //.
- by move=> t a s; exact: arms_show_ok.
- exact: product_prior_ok.
- exact: arm_by_arm_is_posterior.
Qed.

(* For every bandit, and every learner whose policies are best in the plausible set from the initial law, or within eps of it:
     E Reg(K, MB-UCRL2, M) <= (21/10) (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta) + K eps.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/ucrl2 *)
Theorem mb_ucrl2_regret (guess_reward : history A S O -> cell A S -> R) (guess_row : history A S O -> cell A S -> S -> R)
    (eps : R) (learner : history A S O -> plays A S -> R) (shows : A -> S -> O -> R) (pistar : policy A S) :
  (forall h c, 0 <= guess_reward h c <= 1) -> (forall h c, probability (guess_row h c)) -> 0 <= eps ->
  (forall h, probability (learner h)) ->
  (forall h pi, learner h pi <> 0 -> best_in_set next pays beta rho guess_reward guess_row K eps h pi) ->
  (forall a s, probability (shows a s)) -> optimal (bandit shows) pistar ->
  expected_regret next beta learner rho shows (bandit shows) pistar K <= printed (21/10) + INR K * eps.
Proof.
move=> g_ok q_ok eps0 learner_ok is_ucrl2 shows_ok _; have K1 : (1 <= K)%nat by exact: ltnW.
have bound := ucrl2_bound discount rho_ok pays_unit g_ok q_ok K1 A1 S1 eps0 learner_ok is_ucrl2 shows_ok pistar.
have few := regret_at_most_horizon next discount pays_unit K learner_ok rho_ok shows_ok pistar.
have e0 : 0 <= INR K * eps by apply: Rmult_le_pos => //; exact: pos_INR.
set r := expected_regret _ _ _ _ _ _ _ _ in bound few *; suff : r - INR K * eps <= printed (21/10) by lra.
by apply: (widths_printed discount K2 A1 S1 (a := 2)); lra.
Qed.
End Theorem1.
