(* The estimates as functions of the history, where observations are finitely many: instances of Known.v. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Enclosures Values Bandits Concentration Events Gittins Hull UcbviOptimism.
From kernel Require Import History Regret FrozenCounts MovesEvent FrozenUses LengthsFirst Confidence.
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

Lemma mean_moves h c f : count_of c h <> 0%nat ->
  mean (moves h c) f = total_of (fun o => f (next o)) (observed c (flat h)) / INR (count_of c h).
Proof. exact: (@Known.mean_moves A S O next guess_row h c f). Qed.

Lemma moves_ok h c : probability (moves h c).
Proof. exact: (@Known.moves_ok A S O next guess_row guess_row_ok h c). Qed.

Lemma means_range h c : 0 <= means h c <= 1.
Proof. exact: (@Known.means_range A S O pays pays_unit guess_reward guess_reward_ok h c). Qed.
End Estimates.
