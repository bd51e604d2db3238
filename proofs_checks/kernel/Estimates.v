(* The estimates as functions of the history, where observations are finitely many, and what rhat + beta Qhat f deviates from
   r + beta Q f: Lemma concentration is proved of them. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Enclosures Values Bandits Concentration Events Gittins Hull UcbviOptimism.
From kernel Require Import History Bayes Regret FrozenCounts MovesEvent FrozenUses LengthsFirst Confidence.

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

Lemma total_of_nonneg (f : O -> R) s : (forall o, 0 <= f o) -> 0 <= total_of f s.
Proof. by move=> f0; apply: sum_nonneg => o _; exact: f0. Qed.

Lemma total_of_most (f : O -> R) s : (forall o, f o <= 1) -> total_of f s <= INR (size s).
Proof.
move=> f1; rewrite /total_of; elim: s => [|o s IH]; first by rewrite sum_nil /=; lra.
by rewrite sum_cons -[size _]/((size s).+1) S_INR; have := f1 o; lra.
Qed.

Lemma mean_moves h c f : count_of c h <> 0%nat ->
  mean (moves h c) f = total_of (fun o => f (next o)) (observed c (flat h)) / INR (count_of c h).
Proof.
move=> N0; rewrite /mean (eq_bigr (fun y => (INR (moved_to next c y (flat h)) * f y) * / INR (count_of c h))); last first.
  by move=> y _; rewrite /Qhat; case: eqP => // _; rewrite /Rdiv; ring.
rewrite sum_scale_r; congr (_ * _); rewrite /moved_to /total_of; elim: (observed c (flat h)) => [|o s IH].
  by rewrite sum_nil big1 // => y _; rewrite /=; ring.
rewrite sum_cons -IH -(sum_single (next o) f) -sum_add; apply: eq_bigr => y _.
by rewrite /= plus_INR (eq_sym (next o)); case: eqP => _ /=; ring.
Qed.

Lemma moves_ok h c : probability (moves h c).
Proof.
case: (count_of c h =P 0%nat) => [z|N0].
  by have [g0 g1] := guess_row_ok h c; split=> [y|]; [rewrite /Qhat z /= | rewrite -g1; apply: eq_bigr => y _; rewrite /Qhat z].
have N1 : 0 < INR (count_of c h) by apply: lt_0_INR; apply/ltP; rewrite lt0n; exact/eqP.
split=> [y|]; first by rewrite /Qhat; case: eqP => // _; apply: Rmult_le_pos; [exact: pos_INR | left; exact: Rinv_0_lt_compat].
have := mean_moves (fun _ => 1) N0; rewrite mean_const Rmult_1_r => ->.
have -> : total_of (fun _ => 1) (observed c (flat h)) = INR (count_of c h).
  rewrite /count_of /visits /total_of; elim: (observed c (flat h)) => [|o s IH]; first by rewrite sum_nil.
  by rewrite sum_cons IH -[size (o :: s)]/((size s).+1) S_INR; ring.
by field; lra.
Qed.

Lemma means_range h c : 0 <= means h c <= 1.
Proof.
rewrite /mean_paid; case: eqP => [_|N0]; first exact: guess_reward_ok.
have N1 : 0 < INR (count_of c h) by apply: lt_0_INR; apply/ltP; rewrite lt0n; exact/eqP.
have t1 : total_of pays (observed c (flat h)) <= INR (count_of c h) by apply: total_of_most => o; have := pays_unit o; lra.
have t0 : 0 <= total_of pays (observed c (flat h)) by apply: total_of_nonneg => o; have := pays_unit o; lra.
split; first by apply: Rcomplements.Rdiv_le_0_compat; lra.
by apply: (Rmult_le_reg_r (INR (count_of c h))) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

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
