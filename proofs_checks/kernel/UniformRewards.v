(* An instance with continuous rewards: two arms, rewards in [0, 1]. One arm's are uniform; the other's have the density 2x or
   2(1-x), each with probability 1/2. The uniform law extends Riemann's integral to all bounded functions. *)

From kernel Require Extension.
From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes PrintedForm Laws LawOfRun Truncation Frozen.
From kernel Require Import Radii MbPsrl Conditional Densities.

Definition is_uniform (q : law_on R) := forall f r, bounded f -> is_RInt f 0 1 r -> q f = r.

Theorem uniform_exists : exists q : law_on R, is_uniform q.
Proof.
pose G (f : R -> R) (r : R) := bounded f /\ is_RInt f 0 1 r.
have pG : Extension.partial G.
  split.
  - move=> c; split; first exact: by_const.
    by have := is_RInt_const 0 1 c; rewrite (_ : scal (1 - 0) c = c) // /scal /= /mult /=; ring.
  - by move=> f g r s [bf If] [bg Ig]; split; [exact: bounded_add | exact: is_RInt_plus].
  - by move=> c f r [bf If]; split; [exact: bounded_scale | exact: is_RInt_scal].
  - move=> f r u [bf If] fu; have := is_RInt_const 0 1 u; rewrite (_ : scal (1 - 0) u = u); last by rewrite /scal /= /mult /=; ring.
    by move=> Iu; apply: (is_RInt_le f (fun _ => u) 0 1 _ _ Rle_0_1 If Iu) => x _; exact: fu.
have [q h] := Extension.extension pG; exists q => f r bf If; exact: h.
Qed.

Definition clip (x : R) : R := Rmax 0 (Rmin 1 x).
Lemma clip_range x : 0 <= clip x <= 1.
Proof. by rewrite /clip; split; [exact: Rmax_l | apply: Rmax_lub; [lra | exact: Rmin_l]]. Qed.
Lemma clip_id x : 0 <= x <= 1 -> clip x = x. Proof. by move=> [x0 x1]; rewrite /clip Rmin_right // Rmax_right. Qed.

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

Lemma integral_of (F f g : R -> R) : (forall x, is_derive F x (f x)) -> (forall x, continuous f x) -> (forall x, 0 <= x <= 1 -> g x = f x) ->
  is_RInt g 0 1 (F 1 - F 0).
Proof.
move=> dF cf gf; apply: (is_RInt_ext f) => [x|].
  by rewrite Rmin_left ?Rmax_right; [move=> hx; symmetry; apply: gf; lra | lra | lra].
by apply: is_RInt_derive => x _; [exact: dF | exact: cf].
Qed.

Lemma density_one t a s : q (density t a s) = 1.
Proof.
apply: q_uniform; first exact: density_bounded.
have go (F f g : R -> R) : (forall x, is_derive F x (f x)) -> (forall x, continuous f x) -> (forall x, 0 <= x <= 1 -> g x = f x) ->
  F 1 - F 0 = 1 -> is_RInt g 0 1 1 by move=> dF cf gf e; rewrite -[X in is_RInt _ _ _ X]e; exact: (integral_of dF cf gf).
have cid x := @continuous_id R_UniformSpace x.
case: a; [case: t |].
- apply: (go (fun x => x * x) (fun x => 2 * x)) => [x|x|x hx|]; [auto_derive => //; ring | | by rewrite /density clip_id | ring].
  by apply: continuous_mult; [exact: continuous_const | exact: cid].
- apply: (go (fun x => 2 * x - x * x) (fun x => 2 * (1 - x))) => [x|x|x hx|]; [auto_derive => //; ring | | by rewrite /density clip_id | ring].
  by apply: continuous_mult; [exact: continuous_const | apply: continuous_minus; [exact: continuous_const | exact: cid]].
- apply: (go (fun x => x) (fun _ => 1)) => [x|x|x hx|]; [auto_derive => //; ring | exact: continuous_const | by [] | ring].
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
have := @mb_psrl_finite_prior A S bool_finType R next clip beta rho K (fun _ _ => q) density 2 shows half half_ok the_best post
  discount rho_ok clip_range K2; rewrite card_bool card_unit => main; apply: main => // [|t a s f|h g].
- exact: density_ok.
- exact: has_density.
apply: (@bayes_law_ok _ (finite_law half_ok) (likelihood density ^~ h)).
by have [C [_ gC]] := exists_bound g; exists C.
Qed.
End Instance.
