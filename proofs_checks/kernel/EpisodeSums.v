(* Sums over the episodes of a run whose activations show finitely many things, with lengths cut at N. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Concentration Events.
From kernel Require Import History Regret FrozenCounts FrozenUses Simulation Confidence FiniteRuns.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Lemma mean_le_on_support (X : finType) (q f g : X -> R) : (forall y, 0 <= q y) -> (forall y, 0 < q y -> f y <= g y) -> mean q f <= mean q g.
Proof.
move=> q0 fg; apply: sum_le => y _; case: (Rle_lt_or_eq_dec _ _ (q0 y)) => [p|<-]; last lra.
by apply: Rmult_le_compat_l; [exact: q0 | exact: fg].
Qed.

Lemma compounding theta (T0 : nat) : 0 < theta -> (1 <= T0)%nat -> (1 + theta / INR T0) ^ T0 <= exp theta.
Proof.
move=> t0 T1; have t1 := INR_ge1 T1; have p : 0 < theta / INR T0 by apply: Rdiv_lt_0_compat; lra.
have -> : exp theta = exp (theta / INR T0) ^ T0 by rewrite exp_power; congr exp; field; lra.
by apply: pow_incr; have := exp_tangent (theta / INR T0); lra.
Qed.

Lemma support_inhabited (X : finType) (q : X -> R) : probability q -> (1 <= #|X|)%nat.
Proof.
case=> _ q1; rewrite lt0n; apply/eqP => z; have := sum_const X 0; rewrite z /= => _.
suff : \sum_(y : X) q y = 0 by lra.
by rewrite big1 // => y _; have := max_card (pred1 y); rewrite card1 z.
Qed.

Lemma finite_sizes (A S O : finType) (learner : history A S O -> plays A S -> R) (rho : global A S -> R) : probability rho ->
  (forall h, probability (learner h)) -> (1 <= #|A|)%nat /\ (1 <= #|S|)%nat.
Proof.
move=> rho_ok learner_ok; have [x _] := card_gt0P (support_inhabited rho_ok).
have [pi _] := card_gt0P (support_inhabited (learner_ok [::])).
by split; apply/card_gt0P; [exists (pi x) | exists (x (pi x))].
Qed.

Section Sums.
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (beta : R).
Hypothesis discount : is_discount beta.
Notation history := (history A S O).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> O -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho) (shows_ok : forall a s, probability (shows a s)).
Notation M := (bandit_of next pays shows).
Notation cut_mean N J F := (truncated next beta learner rho shows N J F).
Notation loss_of pistar h := (loss beta learner rho M pistar h).

(* What is at most c in the mean before every episode is at most K c over K episodes. *)
Lemma cut_summed N J X c : 0 <= c -> (forall j, cut_mean N j X <= c) -> cut_mean N J (summed X) <= INR J * c.
Proof.
move=> c0 le; elim: J => [|J IH]; first by rewrite /truncated /summed /=; lra.
have [m0 m1] := mass discount N; rewrite /truncated law_last.
rewrite (@law_ext A S O next beta learner rho shows N J [::] _ (fun h => (1 - beta ^ N) * (summed X h + X h))); last first.
  move=> h; rewrite -(episode_const next beta learner_ok rho_ok shows_ok N h).
  by apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext.
rewrite law_scale law_add -!/(cut_mean N J _) S_INR; have := le J.
have Jc : 0 <= INR J * c by apply: Rmult_le_pos => //; exact: pos_INR.
nra.
Qed.

Lemma regret_summed pistar N J : cut_mean N J (regret beta M pistar) <= cut_mean N J (summed (fun h => loss_of pistar h)).
Proof.
pose g (h h' : history) := regret beta M pistar h' - regret beta M pistar h.
rewrite /truncated (@law_ext A S O next beta learner rho shows N J [::] (regret beta M pistar) (over_episodes g)); last first.
  by elim=> [|r h IH] /=; [rewrite /regret sum_nil | rewrite -IH /g; ring].
apply: law_over_episodes => // h; rewrite /g episode_sub (episode_regret next beta learner_ok rho_ok shows_ok).
by rewrite !(episode_const next beta learner_ok rho_ok shows_ok); lra.
Qed.
End Sums.
