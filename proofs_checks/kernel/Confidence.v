(* The bandit of which an activation shows an observation of a finite law, and the mean of what an arm state paid; the level of the
   radii of Section 4 at t_k, and what the widths of a run come to. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Rcomplements.
From kernel Require Import Sums Values Bandits Horizon Concentration Events DoubleSum.
From kernel Require Import History FrozenCounts MovesEvent FrozenUses LengthsFirst.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Confidence.
Variables (A S O : finType) (next : O -> S) (pays : O -> R).   (* an observation: what it pays, and the next state *)
Hypothesis pays_unit : forall o, 0 <= pays o <= 1.
Notation cell := (cell A S).

(* The bandit of which an activation shows an observation of law shows(a, s). *)
Definition bandit_of (shows : A -> S -> O -> R) : model A S :=
  Model (fun a s => mean (shows a s) pays) (fun a s y => mean (shows a s) (fun o => indicator (next o == y))).

Section Bandit.
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).

Lemma bandit_shown a s F : mean (row (bandit_of shows) a s) F = mean (shows a s) (fun o => F (next o)).
Proof.
rewrite /mean /= /mean; under eq_bigr do rewrite -sum_scale_r.
rewrite exchange_big /=; apply: eq_bigr => o _; rewrite -(sum_single (next o) (fun y => shows a s o * F y)).
by apply: eq_bigr => y _; rewrite /indicator eq_sym; case: (y == next o); ring.
Qed.

Lemma bandit_markovian : markovian (bandit_of shows).
Proof.
move=> a s; split=> [y|]; first by apply: mean_nonneg => o; [exact: (proj1 (shows_ok a s)) | exact: indicator_nonneg].
have := bandit_shown a s (fun _ => 1); rewrite mean_const (mean_of_const _ (shows_ok a s)); lra.
Qed.

Lemma bandit_unit : unit_rewards (bandit_of shows).
Proof. by move=> a s; apply: (mean_range (shows_ok a s) pays_unit); lra. Qed.
End Bandit.

(* Estimates, frozen at a past; where a cell was never activated, any reward in [0, 1] and any row. *)
Variables (guess_reward : history A S O -> cell -> R) (guess_row : history A S O -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.

Definition mean_paid (h : history A S O) (c : cell) : R :=
  if count_of c h == 0%nat then guess_reward h c else total_of pays (observed c (flat h)) / INR (count_of c h).

(* t_k, the number of the step at which the next episode starts; Sn = #|cell|. *)
Definition time_of (h : history A S O) : R := INR (duration h) + 1.

Lemma level_2 : (1 <= K)%nat -> (1 <= #|cell|)%nat -> (1 <= #|S|)%nat -> 2 <= level A S K.
Proof.
move=> K1 C1 S1; have k := INR_ge1 K1; have c := INR_ge1 C1; have t : 2 <= 2 ^ #|S| by rewrite -{1}[2]pow_1; apply: Rle_pow; [lra | apply/leP].
rewrite /level; have : 1 <= INR #|cell| * INR K by nra.
nra.
Qed.

Lemma radius_by_weight x m : 0 <= x -> sqrt (x / INR (maxn 1 m)) = sqrt x * weight m.
Proof. by move=> x0; rewrite /weight sqrt_div_alt //; have := max1 m; lra. Qed.

(* L = log(2^S S n K (KB+1)), and what the widths of a whole run come to (Radii.v). *)
Section Widths.
Variable beta : R.
Let B := 1 / (1 - beta).
Definition wide_horizon : R := ln (level A S K * (INR K * B + 1)).
Definition width_bound : R := B * sqrt 2 * sqrt wide_horizon * (INR #|cell| * B + 2 * sqrt (INR #|cell| * INR K * B)).
End Widths.
End Confidence.
