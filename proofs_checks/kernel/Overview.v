(* The overview of Theorem 1's proof, on the law of the run: what an episode pays is in the mean the discounted value
   (eq:equivalence_V_W), and what it loses where its event fails (eq:gap_overview). *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Concentration.
From kernel Require Import History Regret Confidence Runs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Overview.
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> O -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho) (shows_ok : forall a s, probability (shows a s)).
Notation M := (bandit_of next pays shows).
Notation mean_of K F := (expected next beta learner rho shows K F).
Let hM : markovian M. Proof. exact: bandit_markovian. Qed.

(* The mean of what n steps of pi from x pay. *)
Definition paid (pi : plays A S) (n : nat) (x : global A S) : R :=
  steps next shows pi n x [::] (fun e => \sum_(p <- shown e) pays p.2).

Lemma paid_is_W pi n x : paid pi n x = W M (fun y => pi y) n x.
Proof.
rewrite /paid steps_of_runs -(over_runs_total next pays (fun y => pi y) shows_ok).
by apply: mean_ext => os; rewrite paid_in_run sum_nil Rplus_0_r.
Qed.

(* eq:equivalence_V_W, given the past and the policy: over the initial state of law rho and the geometric length, the mean of
   V is that of W, which is what the steps of the episode pay in the mean.
   ledger: eq:equivalence_V_W *)
Theorem mean_V_is_mean_W pi : (forall n x, paid pi n x = W M (fun y => pi y) n x) /\
  is_series (fun m => chance beta m * mean rho (paid pi m.+1)) (mean rho (V beta M (fun y => pi y))).
Proof.
split=> [n x|]; first exact: paid_is_W.
have each x := V_is_mean_W (pi := fun y => pi y) (x := x) discount hM.
have [conv sum] := series_of_mean rho (fun x => ex_intro _ _ (each x)).
rewrite -(mean_ext _ (fun x => is_series_unique _ _ (each x))) -sum; apply: is_series_ext (Series_correct _ conv) => m.
by rewrite mean_scale; congr (_ * _); apply: mean_ext => x; rewrite paid_is_W.
Qed.

(* ---------------------------------------------------------------- Where the event fails *)

Variable pistar : policy A S.
(* Delta_k in the mean over the length, which is geometric and independent of all else. *)
Definition episode_gap (pi : plays A S) (x : global A S) : R := any_length beta (fun n => W M pistar n x - W M (fun y => pi y) n x).

(* The mean over the policy and the initial state of the next episode. *)
Definition drawn (h : history A S O) (f : plays A S -> global A S -> R) : R := mean (learner h) (fun pi => mean rho (f pi)).

Lemma episode_gapE pi x : episode_gap pi x = gap beta M pistar pi x.
Proof. exact: is_series_unique (mean_model_gap (pistar := pistar) (pik := fun y => pi y) (x := x) discount hM hM). Qed.

Lemma drawn_abs h f C : 0 <= C -> (forall pi x, Rabs (f pi x) <= C) -> Rabs (drawn h f) <= C.
Proof. by move=> C0 fC; apply: mean_abs1 => // pi; apply: mean_abs1. Qed.

(* eq:gap_overview, for an event that may depend on the past, on the policy and on the initial state, but not on the length:
   E[Delta_k] <= E[H_k] P(not E) + E[Delta_k 1_E], with E[H_k] = 1/(1-beta), for rewards in [0, 1] and any two policies.
   ledger: eq:gap_overview *)
Theorem gap_overview (good : history A S O -> plays A S -> global A S -> bool) k :
  mean_of k (fun h => drawn h episode_gap) <=
  1 / (1 - beta) * mean_of k (fun h => drawn h (fun pi x => indicator (~~ good h pi x))) +
  mean_of k (fun h => drawn h (fun pi x => indicator (good h pi x) * episode_gap pi x)).
Proof.
set B := 1 / (1 - beta); have B0 : 0 <= B := top_nonneg discount.
have gapB pi x : Rabs (episode_gap pi x) <= B by rewrite episode_gapE; exact: (gap_abs discount pistar hM (bandit_unit next pays_unit shows_ok) pi x).
have onB h pi x : Rabs (indicator (good h pi x) * episode_gap pi x) <= B.
  by rewrite Rabs_mult /indicator; case: (good h pi x); rewrite ?Rabs_R1 ?Rabs_R0; have := gapB pi x; have := Rabs_pos (episode_gap pi x); lra.
have b0 : bounded_after k ([::] : history A S O) (fun h => drawn h (fun pi x => indicator (~~ good h pi x))) 1.
  by move=> h _; apply: drawn_abs => [|pi x]; [lra | exact: indicator_abs].
have b1 : bounded_after k ([::] : history A S O) (fun h => B * drawn h (fun pi x => indicator (~~ good h pi x))) B.
  move=> h sz; rewrite Rabs_mult (Rabs_pos_eq _ B0) -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l => //; exact: b0.
have b2 : bounded_after k ([::] : history A S O) (fun h => drawn h (fun pi x => indicator (good h pi x) * episode_gap pi x)) B.
  by move=> h _; apply: drawn_abs => // pi x; exact: onB.
have b3 : bounded_after k ([::] : history A S O) (fun h => drawn h episode_gap) B by move=> h _; apply: drawn_abs.
rewrite -(expected_scale next discount learner_ok rho_ok shows_ok B Rle_0_1 b0) -(expected_add next discount learner_ok rho_ok shows_ok B0 B0 b1 b2).
have b4 : bounded_after k ([::] : history A S O) (fun h => B * drawn h (fun pi x => indicator (~~ good h pi x)) +
    drawn h (fun pi x => indicator (good h pi x) * episode_gap pi x)) (B + B).
  by move=> h sz; apply: Rle_trans (Rabs_triang _ _) _; have := b1 h sz; have := b2 h sz; lra.
have l3 := expected_is_limit (next := next) discount learner_ok rho_ok shows_ok B0 b3.
have l4 := expected_is_limit (next := next) discount learner_ok rho_ok shows_ok (Rplus_le_le_0_compat _ _ B0 B0) b4.
apply: (is_lim_seq_le _ _ (Finite _) (Finite _) _ l3 l4) => N; apply: law_le => // h _.
rewrite /drawn -mean_scale -mean_add; apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
rewrite -mean_scale -mean_add; apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
have := Rle_trans _ _ _ (Rle_abs _) (gapB pi x); rewrite /indicator; case: (good h pi x) => /=; lra.
Qed.
End Overview.
