(* Theorem 1 for MB-UCRL2 as it is printed, with an explicit constant, for K >= 2: K episodes of geometric lengths, observations
   of any law with rewards in [0, 1], the next state being shown at every activation; and what Theorem 1 for MB-PSRL
   (Conditional.v) speaks of exists: best policies, and posteriors. *)

From kernel Require Sharper.
From kernel Require Import Prelude Sums Values Bandits Gittins Concentration PrintedForm Episodes Laws LawOfRun Truncation Radii.
From kernel Require Import Maximiser Known MbPsrl Densities MbUcrl2.

Section Theorem1.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R) (rho : global A S -> R) (K : nat).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (K2 : (2 <= K)%nat) (A1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat).
Notation bandit shows := (bandit_of next pays shows).
Notation plays := (plays A S).

Definition optimal (M : model A S) (pi : policy A S) := forall pi' x, V beta M pi' x <= V beta M pi x.

Lemma best_policies_exist (Theta : Type) (shows : Theta -> A -> S -> law_on O) :
  exists best : Theta -> plays, forall t, optimal (bandit (shows t)) (best t).
Proof.
have /card_gt0P [a0 _] := A1; exists (fun t => best_play beta (bandit (shows t)) [ffun=> a0]) => t pi x.
exact: (best_play_optimal _ discount (bandit_markovian next pays (shows t))).
Qed.

(* For every bandit, and every learner whose policies are best in the plausible set from the initial law, or within eps of it:
     E Reg(K, MB-UCRL2, M) <= (21/10) (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta) + K eps.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/ucrl2 *)
Theorem mb_ucrl2_regret (guess_reward : history A S O -> cell A S -> R) (guess_row : history A S O -> cell A S -> S -> R)
    (eps : R) (learner : history A S O -> plays -> R) (shows : A -> S -> law_on O) (pistar : policy A S) :
  (forall h c, 0 <= guess_reward h c <= 1) -> (forall h c, probability (guess_row h c)) -> 0 <= eps ->
  (forall h, probability (learner h)) ->
  (forall h pi, learner h pi <> 0 -> best_in_set next pays beta rho guess_reward guess_row K eps h pi) ->
  optimal (bandit shows) pistar ->
  expected_regret next beta learner rho shows (bandit shows) pistar K <=
    21/10 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta + INR K * eps.
Proof.
move=> g_ok q_ok eps0 learner_ok is_ucrl2 _; have K1 : (1 <= K)%nat by exact: ltnW.
have bound := ucrl2_bound discount rho_ok pays_unit g_ok q_ok K1 A1 S1 eps0 learner_ok is_ucrl2 shows pistar.
have few := expected_regret_abs next discount learner_ok rho_ok shows pistar (bandit_markovian next pays shows) (bandit_unit next pays_unit shows) K.
have e0 : 0 <= INR K * eps by apply: Rmult_le_pos => //; exact: pos_INR.
have := Rle_trans _ _ _ (Rle_abs _) few; set r := expected_regret _ _ _ _ _ _ _ _ in bound few * => few'.
suff : r - INR K * eps <= 21/10 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta by lra.
by apply: (widths_printed discount K2 A1 S1 (a := 2)); lra.
Qed.
End Theorem1.
