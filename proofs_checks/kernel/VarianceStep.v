(* The law of total variance of an index policy, averaged over the prevailing variable: one step. The curves are arbitrary:
   estimated, optimistic or not; the policy plays an arm of largest index of theirs, and the bandit in which it plays is any.
   Neither the number of arms nor that of states enters. *)

From kernel Require Import Prelude Sums Values Bandits Retirement Variance LocalVariance PlayedArm Curves OtherArms.

Section Step.
Variables (A S : finType) (beta : R) (M : model A S).
Variables (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R).
Implicit Types (x : state A S).
Notation B := (1 / (1 - beta)).

(* E Var phi_a(., W), W the prevailing variable of the arms other than a, under the true row of arm a where it is. *)
Definition mean_variance (a : A) x : R :=
  prevailing G m phi a x (fun j => variance (row M a (x a)) (phi a j)).

(* The sum over the arms b of E (phi_b(x_b, W_{-b}) - W_{-b})^2. *)
Definition potential x : R := \sum_(b : A) excess_square G m phi b x.

(* The mean of what phi_a(x_a, W) exceeds its own lookahead r + beta Q phi_a(., W) by. *)
Definition mean_gain (a : A) x : R :=
  prevailing G m phi a x (fun j => Rmax 0 (phi a j (x a) - continuing beta M phi a j (x a))).

(* 2 B E g^+ + 2 eta: eta is the error of the slopes below the index p, the integral from 0 to p of (m_G - m) (F - beta Q F)^+
   in m, F the slope. *)
Definition variance_error (a : A) (p : nat) x : R :=
  2 * B * mean_gain a x + 2 * slope_error G m phi beta (row M a (x a)) a p (x a).

Hypotheses (discount : is_discount beta) (hM : markovian M) (unit : unit_rewards M).
Hypotheses (phi_ok : curves G m phi) (grid_0 : 0 <= m 0%nat) (grid_B : m G <= B).

Lemma mean_variance_nonneg a x : 0 <= mean_variance a x.
Proof. by apply: (prevailing_nonneg phi_ok) => j _; exact: (variance_nonneg (hM a (x a))). Qed.

(* The played arm's own part, with its prevailing variable frozen. *)
Lemma own_part a x : beta * mean_variance a x <=
  beta * mean (row M a (x a)) (fun y => excess_square G m phi a (moved x a y)) - excess_square G m phi a x + B * reward M a (x a)
  + 2 * B * mean_gain a x.
Proof.
have e y : excess_square G m phi a (moved x a y) = prevailing G m phi a x (fun j => (phi a j y - m j) ^ 2).
  by rewrite /excess_square prevailing_moved moved_same.
rewrite (mean_ext _ e) prevailing_mean /mean_variance /mean_gain -!prevailing_scale.
have -> : B * reward M a (x a) = prevailing G m phi a x (fun _ => B * reward M a (x a)) by rewrite (prevailing_const phi_ok).
rewrite (_ : forall u v : R, u - v = u + -1 * v); last by move=> *; ring.
rewrite /excess_square -prevailing_scale -!prevailing_add; apply: (prevailing_le phi_ok) => j jG.
have [e0 e1] := excess_range phi_ok a (x a) jG; have [m0 _] := grid_range (fun i iG => grid_up phi_ok (ltnW iG)) grid_0 jG.
have range : 0 <= phi a j (x a) - m j <= B by lra.
by have := played_arm (phi a j) discount (hM a (x a)) (unit a (x a)) m0 range; rewrite /continuing; lra.
Qed.

(* p is a grid point from which on the curves of the other arms are the retirement reward.
   step of: beyond:total-variance/step *)
Theorem variance_step a p x : (p <= G)%nat -> (forall b j, b != a -> (p <= j <= G)%nat -> phi b j (x b) = m j) ->
  beta * mean_variance a x <=
    - (potential x - beta * mean (row M a (x a)) (fun y => potential (moved x a y))) + B * reward M a (x a) + variance_error a p x.
Proof.
move=> pG out; have own := own_part a x; have rest := other_arms phi_ok (row M a (x a)) beta pG out.
have mean_sum (P : pred A) (f : A -> S -> R) :
    mean (row M a (x a)) (fun y => \sum_(b | P b) f b y) = \sum_(b | P b) mean (row M a (x a)) (f b).
  by rewrite /mean exchange_big; apply: eq_bigr => y _; rewrite sum_scale.
have next : mean (row M a (x a)) (fun y => potential (moved x a y)) =
    mean (row M a (x a)) (fun y => excess_square G m phi a (moved x a y))
    + \sum_(b | b != a) mean (row M a (x a)) (fun y => excess_square G m phi b (moved x a y)).
  rewrite -mean_sum -mean_add; apply: mean_ext => y; exact: sum_isolate.
rewrite sum_sub sum_scale in rest; rewrite next /variance_error /potential (sum_isolate a).
move: own rest; set e1 := mean _ _; set e2 := \sum_(b | _) mean _ _; set e3 := \sum_(b | _) _; lra.
Qed.

(* Where a is an arm of largest index, p is its index. *)
Variable position : A -> S -> nat.
Hypothesis retires : retires_from G m phi position.

(* ledger: beyond:total-variance/step *)
Theorem variance_step_index a x : of_largest_index position x a ->
  beta * mean_variance a x <=
    - (potential x - beta * mean (row M a (x a)) (fun y => potential (moved x a y)))
    + B * reward M a (x a) + variance_error a (position a (x a)) x.
Proof.
move=> largest; apply: variance_step => [|b j _ /andP [pj jG]]; first by case: (retires a (x a)).
by have [_ above] := retires b (x b); apply: above => //; apply: leq_trans (largest b) pj.
Qed.
End Step.
