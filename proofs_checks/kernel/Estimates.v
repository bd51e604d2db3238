(* The estimates as functions of the history, where observations are finitely many, and what rhat + beta Qhat f deviates from
   r + beta Q f: Lemma concentration is proved of them. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Enclosures Values Bandits Concentration Events Gittins Hull UcbviOptimism.
From kernel Require Import History Bayes Regret FrozenCounts MovesEvent FrozenUses LengthsFirst Confidence.
From kernel Require Known.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Estimates.
(* An activation shows o: what it pays, in [0, 1], and the next state of the arm. *)
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Let B := 1 / (1 - beta).

(* What is put where a cell was never activated: a reward in [0, 1] and a row, as the learner likes. *)
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Notation means := (mean_paid pays guess_reward).
Notation moves := (MovesEvent.Qhat next guess_row).

Lemma total_of_linear (f g : O -> R) k s : total_of (fun o => f o + k * g o) s = total_of f s + k * total_of g s.
Proof. by rewrite /total_of; elim: s => [|o s IH]; [rewrite !sum_nil; ring | rewrite !sum_cons IH; ring]. Qed.

Lemma mean_moves h c f : count_of c h <> 0%nat ->
  mean (moves h c) f = total_of (fun o => f (next o)) (observed c (flat h)) / INR (count_of c h).
Proof. exact: (@Known.mean_moves A S O next guess_row h c f). Qed.

Lemma moves_ok h c : probability (moves h c).
Proof. exact: (@Known.moves_ok A S O next guess_row guess_row_ok h c). Qed.

Lemma means_range h c : 0 <= means h c <= 1.
Proof. exact: (@Known.means_range A S O pays pays_unit guess_reward guess_reward_ok h c). Qed.

(* ---------------------------------------------------------------- Deviations *)

Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation M := (bandit_of next pays shows).
Variables (gamma : A -> S -> R) (pistar : policy A S).
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).
Hypothesis largest : plays_largest_index gamma pistar.

(* The S functions phi_a(., m_s) of each arm. *)
Definition own_function (a : A) (s y : S) : R :=
  retirement_value beta (reward M a) (row M a) (breakpoint beta (gamma a) s) y.

Lemma own_range a s y : 0 <= own_function a s y <= B.
Proof. exact: (retirement_range discount (bandit_markovian next pays shows_ok a) (indices a) s y (bandit_unit next pays_unit shows_ok a)). Qed.

(* What is estimated less what is true, of the value f of the next state. *)
Definition deviates (h : history) (c : cell) (f : S -> R) : R :=
  means h c - reward M c.1 c.2 + beta * (mean (moves h c) f - mean (row M c.1 c.2) f).

Lemma deviates_visited h c f : (0 < count_of c h)%nat -> deviates h c f =
  total_of (fun o => pays o + beta * f (next o)) (observed c (flat h)) / INR (count_of c h) -
    mean (mu shows c) (fun o => pays o + beta * f (next o)).
Proof.
move=> N1; have n1 := INR_ge1 N1; have N0 : count_of c h <> 0%nat by apply/eqP; rewrite -lt0n.
rewrite /deviates (mean_moves _ N0) bandit_shown (mean_add _ pays (fun o => beta * f (next o))) mean_scale.
rewrite (total_of_linear pays (fun o => f (next o))) /mean_paid; case: eqP => // _.
by rewrite /mu [reward _ _ _]/=; field; lra.
Qed.
End Estimates.
