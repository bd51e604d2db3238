(* The learner that before each episode computes its curves arm by arm and plays, for the episode, an arm of largest index: which
   learners that is, and that there is one. The three values of eps that the bound takes are one of its own, 1/10 and 1. *)

From kernel Require Import Prelude Sums Values Bandits Retirement Gittins Hull Concentration Events Episodes Variance.
From kernel Require Import LocalVariance Curves TotalVariance ErrorBounds ArmByArm Bonus LearnerCurves GapStep LearnerVariance.
From kernel Require Import Laws LawOfRun Truncation Frozen Radii Known LearnerEvents EventUses.

(* The index, found by looking along the grid. *)
Section Position.
Variables (A S : finType) (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R).

Definition retires (a : A) (s : S) (j : nat) : bool := if Req_EM_T (phi a j s) (m j) then true else false.
Definition first_position (a : A) (s : S) : nat := find (retires a s) (iota 0 G.+1).

Lemma first_position_is_index : curves G m phi -> is_index G m phi first_position.
Proof.
move=> ok; have some a s : has (retires a s) (iota 0 G.+1).
  apply/hasP; exists G; first by rewrite mem_iota leq0n add0n /= ltnSn.
  by rewrite /retires; case: Req_EM_T => // n; case: n; case: (curve_top ok a s).
have small a s : (first_position a s <= G)%nat by have := some a s; rewrite has_find size_iota ltnS.
split=> [a s|a s j].
  split=> // j jG pj; apply: (retired_on ok (i := first_position a s)); first by rewrite pj jG.
  have := nth_find 0%nat (some a s); rewrite -/(first_position a s) nth_iota ?ltnS // add0n.
  by rewrite /retires; case: Req_EM_T.
move=> lt; have jG : (j <= G)%nat by apply: leq_trans (ltnW lt) (small a s).
have := before_find 0%nat lt; rewrite nth_iota ?ltnS // add0n /retires; case: Req_EM_T => // ne _.
by have [e0 _] := excess_range ok a s jG; case: (Rle_lt_or_eq_dec _ _ e0) => [|e]; [lra | case: ne; lra].
Qed.
End Position.

(* The values of eps. *)
Definition three (t : R) (i : 'I_3) : R := nth 1 [:: t; 1 / 10] i.

Lemma three_range t : 0 < t <= 1 -> forall i, 0 < three t i <= 1.
Proof. by move=> t1; case=> [[|[|[|i]]] lt] //; rewrite /three /=; lra. Qed.

Lemma three_few G : (#|'I_3| <= 5 * G.+1)%nat.
Proof. by rewrite card_ord mulnS; exact: leq_trans (leq_addr _ _). Qed.

Section IndexLearner.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation plays := (plays A S).
Notation global := (global A S).
Notation history := (history A S O).
Notation B := (1 / (1 - beta)).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variables (K G : nat) (m : nat -> R).
Hypotheses (K1 : (1 <= K)%nat) (G0 : (0 < G)%nat) (C1 : (1 <= #|cell|)%nat).
Hypotheses (grid_up : forall j, (j <= G)%nat -> m j < m j.+1) (grid_0 : m 0%nat = 0) (grid_B : m G = B).
Notation curve h := (curve_after next pays beta guess_reward guess_row K G m h).

Lemma curves_after h : curves G m (curve h).
Proof.
exact: (learner_curves discount G0 grid_up grid_0 (base_reward pays guess_reward K G h) (estimated_rows next guess_row_ok h)
  (bonus_radius_nonneg K G h) c1_nonneg c1_below_c2).
Qed.

(* A policy that plays an arm of largest index. *)
Definition index_policy (a0 : A) (h : history) : plays :=
  [ffun x : global => [arg max_(a > a0) first_position G m (curve h) a (x a)]].

Lemma index_policy_largest a0 h x : of_largest_index (first_position G m (curve h)) x (index_policy a0 h x).
Proof.
rewrite /index_policy ffunE; move: (first_position G m (curve h)) => position b.
by case: arg_maxnP => // a _ most; exact: most.
Qed.

End IndexLearner.
