(* The learner that before each episode computes its curves arm by arm and plays, for the episode, an arm of largest index: which
   learners that is, that there is one, and what the events give of each of its episodes. The three values of eps that the bound
   takes are one of its own, 1/10 and 1. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Retirement Gittins Hull Concentration Events.
From kernel Require Import History Bayes Regret FrozenCounts MovesEvent FrozenUses LengthsFirst Confidence Estimates.
From kernel Require Import Variance LocalVariance Curves TotalVariance ErrorBounds ArmByArm Bonus LearnerCurves GapStep LearnerVariance.
From kernel Require Import Tails CellTails LearnerEvents EventUses.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

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
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Notation B := (1 / (1 - beta)).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variables (K G : nat) (m : nat -> R).
Hypotheses (K1 : (1 <= K)%nat) (G0 : (0 < G)%nat) (C1 : (1 <= #|cell|)%nat).
Hypotheses (grid_up : forall j, (j <= G)%nat -> m j < m j.+1) (grid_0 : m 0%nat = 0) (grid_B : m G = B).
Notation curve h := (curve_after next pays beta guess_reward guess_row K G m h).

(* The learner plays policies that play an arm of largest index. *)
Definition plays_largest (learner : history -> plays A S -> R) := forall h pi, 0 < learner h pi ->
  exists position, is_index G m (curve h) position /\ forall x, of_largest_index position x (pi x).

Lemma curves_after h : curves G m (curve h).
Proof.
exact: (learner_curves discount G0 grid_up grid_0 (base_reward pays guess_reward K G h) (estimated_rows next guess_row_ok h)
  (bonus_radius_nonneg K G h) c1_nonneg c1_below_c2).
Qed.

(* There is one. *)
Definition index_policy (a0 : A) (h : history) : plays A S :=
  [ffun x : global A S => [arg max_(a > a0) first_position G m (curve h) a (x a)]].
Definition index_learner (a0 : A) (h : history) (pi : plays A S) : R := if pi == index_policy a0 h then 1 else 0.

Lemma index_policy_largest a0 h x : of_largest_index (first_position G m (curve h)) x (index_policy a0 h x).
Proof.
rewrite /index_policy ffunE; move: (first_position G m (curve h)) => position b.
by case: arg_maxnP => // a _ most; exact: most.
Qed.

Lemma index_learner_ok a0 : (forall h, probability (index_learner a0 h)) /\ plays_largest (index_learner a0).
Proof.
split=> [h|h pi].
  rewrite /index_learner; move: (index_policy a0 h) => p.
  by split=> [pi|]; [case: (pi == p); lra | exact: (sum_single p (fun _ => 1))].
have largest := index_policy_largest a0 h; have index := first_position_is_index (curves_after h).
rewrite /index_learner; case: (pi =P index_policy a0 h) => [->|_] chosen; last by move: chosen => /Rlt_irrefl.
by exists (first_position G m (curve h)).
Qed.

(* ---------------------------------------------------------------- Its episodes *)

Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation M := (bandit_of next pays shows).
Variable t : R.
Hypothesis t_range : 0 < t <= 1.
Notation off h := (events_off next pays beta guess_row K G m (three t) shows h).
Notation gap_of h pi := (gap_after next pays beta guess_reward guess_row K G m shows h pi).
Notation cost_of d h pi := (cost_after next pays beta guess_reward guess_row K G m (three t) h ord0 d pi).

(* Before each episode the events hold but with probability at most 1/K, whatever the learner. *)
Lemma off_rarely learner rho J : (forall h, probability (learner h)) -> probability rho ->
  expected next beta learner rho shows J (fun h => indicator (off h)) <= 1 / INR K.
Proof.
move=> lok rok; exact: (events_off_rarely next discount pays_unit guess_row_ok K1 G0 C1 grid_up grid_0 grid_B (three_range t_range) (three_few G)
  shows_ok J lok rok).
Qed.

(* Where they hold, V* exceeds the value of the policy that is played by at most its gap, the gap is between 0 and what its steps
   cost, and the variances at its steps add up to little more than B^2. *)
Lemma episode_on_events learner d h pi : plays_largest learner -> 0 < learner h pi -> ~~ off h ->
  (forall j, (j < G)%nat -> m j.+1 - m j <= d) ->
  (forall pi' x, V beta M pi' x - V beta M pi x <= gap_of h pi x) /\
  (forall x, 0 <= gap_of h pi x <= Rmin (m G) (cost_of d h pi x) + beta * (1 + 3 * t) * mean (P M (pi x) x) (gap_of h pi)) /\
  forall x, beta * discounted (fun x => P M (pi x) x) beta (variance_played M G m (curve h) pi) x
    <= B ^ 2 + discounted (fun x => P M (pi x) x) beta
         (fun x => cell_error beta (bonus_radius K G h) (9 / 5) 16 (reward_error K G h) (set_error K G h) d (pi x) (x (pi x))) x.
Proof.
move=> largest chosen fine cells; have [position [index arms]] := largest h pi chosen.
have e1 : three t (@Ordinal 3 2 isT) = 1 by [].
split=> [pi' x|]; last split=> x.
- have := optimism_arm_by_arm discount (bandit_markovian next pays shows_ok) grid_up (bandit_unit next pays_unit shows_ok) grid_B
    (curves_after h) (fun a j s jG => curve_after_optimistic discount pays_unit guess_reward_ok guess_row_ok K1 G0 C1 grid_up grid_0 grid_B
      shows_ok fine a s jG) pi' x.
  by rewrite /gap_after; lra.
- split.
    exact: (gap_after_nonneg discount pays_unit guess_reward_ok guess_row_ok K1 G0 C1 grid_up grid_0 grid_B shows_ok fine).
  exact: (gap_after_step discount pays_unit guess_reward_ok guess_row_ok K1 G0 C1 grid_up grid_0 grid_B (three_range t_range) shows_ok fine
    ord0 e1 index cells arms).
exact: (total_variance_after discount pays_unit guess_reward_ok guess_row_ok K1 G0 C1 grid_up grid_0 grid_B shows_ok fine
  index cells arms).
Qed.
End IndexLearner.
