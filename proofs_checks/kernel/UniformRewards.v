(* An instance with continuous rewards: two arms, rewards in [0, 1]. One arm's are uniform; the other's have the density 2x or
   2(1-x), each with probability 1/2. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes PrintedForm Laws LawOfRun Truncation Frozen.
From kernel Require Import Radii MbPsrl Conditional Densities BetaLaws.

Section Instance.
Variable q : law_on R.
Hypothesis q_uniform : is_uniform q.
Notation S := unit_finType.
Notation A := bool_finType.
(* Theta is bool; arm `true` is the unknown one. *)
Definition density (t : bool_finType) (a : A) (_ : S) (x : R) : R := if a then (if t then 2 * clip x else 2 * (1 - clip x)) else 1.

Lemma density_ok t a s x : 0 <= density t a s x <= 2.
Proof. by rewrite /density; have := clip_range x; case: a; case: t; lra. Qed.
Lemma density_bounded t a s : bounded (density t a s).
Proof. by exists 2 => x; rewrite Rabs_pos_eq; case: (density_ok t a s x). Qed.

Lemma density_one t a s : q (density t a s) = 1.
Proof.
have mean_half g l : beta_moment 1 1 g l = 1 / 2 -> q (fun x => 2 * stick g l x) = 1.
  by move=> e; rewrite E_scale; [rewrite (uniform_is_beta q_uniform) e; field | exact: stick_bounded].
case: a; last exact: E_const.
by case: t; [rewrite -(mean_half 1%nat 0%nat) | rewrite -(mean_half 0%nat 1%nat)]; rewrite /beta_moment /=; try field;
  apply: E_ext => x; rewrite /density /=; ring.
Qed.

Lemma density_pos t a s : 0 < q (density t a s). Proof. rewrite density_one; lra. Qed.
Definition shows (t : bool_finType) (a : A) (s : S) : law_on R :=
  tilted (density_bounded t a s) (fun x => proj1 (density_ok t a s x)) (density_pos t a s).
Lemma has_density t a s f : bounded f -> shows t a s f = q (fun x => density t a s x * f x).
Proof. by move=> _; rewrite /= density_one; field. Qed.

Definition half (_ : bool_finType) : R := 1 / 2.
Lemma half_ok : probability half. Proof. by split=> [t|]; [rewrite /half; lra | rewrite sum_const card_bool /half /=; field]. Qed.
Definition the_best (t : bool_finType) : plays A S := [ffun=> t].
Notation next := (fun _ : R => tt).
Notation post := (posterior (finite_law half_ok) density_ok).

Theorem mb_psrl_continuous (beta : R) (rho : global A S -> R) (K : nat) : is_discount beta -> probability rho -> (2 <= K)%nat ->
  mean half (fun t => expected_regret next beta (psrl the_best post) rho (shows t) (bandit_of next clip (shows t)) (the_best t) K) <=
    5/2 * (sqrt 1 + printed_log 1 2 K beta) * printed_f 1 2 K beta.
Proof.
move=> discount rho_ok K2; have D1 : 1 <= 2 by lra.
have rule h g : bounded g -> _ := @bayes_law_ok _ (finite_law half_ok) _ (likelihood_bounded density_ok h) (fun t => proj1 (likelihood_range density_ok t h)) g.
have := @mb_psrl_densities A S R bool_finType next (fun _ _ => q) density shows (finite_law half_ok) 2 D1 density_ok has_density _ post rule
  clip beta rho K the_best; rewrite card_bool card_unit => main; apply: main => // [a s f [C fC]|]; last exact: clip_range.
by apply: esym; apply: exchange_mean => t; exists C => o.
Qed.
End Instance.
