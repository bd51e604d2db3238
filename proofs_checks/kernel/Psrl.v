(* MB-PSRL on the law of histories: its Bayesian regret has no model gap, for every finite prior. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon.
From kernel Require Import History Bayes Regret.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Psrl.
Variables (A S O Theta : finType) (next : O -> S) (beta : R) (rho : global A S -> R).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho).
Variables (bandit : Theta -> model A S) (shows : Theta -> A -> S -> O -> R) (phi : Theta -> R).
Variable best : Theta -> plays A S.   (* an optimal policy of each model: for Gittins', gittins_policy_is_optimal *)
Hypotheses (shows_ok : forall t a s, probability (shows t a s)) (prior_ok : probability phi).
Hypotheses (bandits : forall t, markovian (bandit t)) (unit : forall t, unit_rewards (bandit t)).

(* The policy of a model that is drawn from the posterior. *)
Definition psrl (h : history A S O) (pi : plays A S) : R :=
  \sum_(t : Theta) (if pi == best t then posterior shows phi h t else 0).

Lemma mean_psrl h f : mean (psrl h) f = mean (posterior shows phi h) (fun t => f (best t)).
Proof.
rewrite /mean /psrl; under eq_bigr do rewrite -sum_scale_r.
rewrite exchange_big /=; apply: eq_bigr => t _.
rewrite -(sum_single (best t) (fun pi => posterior shows phi h t * f pi)).
by apply: eq_bigr => pi _; case: eqP => _; ring.
Qed.

Lemma psrl_ok h : probability (psrl h).
Proof.
have [p0 p1] := posterior_ok shows_ok prior_ok h; split=> [pi|].
  by apply: sum_nonneg => t _; case: eqP => _; [exact: p0 | lra].
have := mean_psrl h (fun _ => 1); rewrite !mean_const p1; lra.
Qed.

Notation value_of t pi := (fun x => V beta (bandit t) (fun y => (pi : plays A S) y) x).
Notation bayes_psrl := (bayes next beta psrl rho shows phi).
Let top := 1 / (1 - beta).

Lemma values_abs t pi : Rabs (mean rho (value_of t pi)) <= top.
Proof.
have t0 := top_nonneg discount; apply: mean_abs1 => // x.
by have := V_range discount (bandits t) (fun y => (pi : plays A S) y) (unit t) x; rewrite -/top => h; apply: Rabs_le; lra.
Qed.

Lemma bayes_add K g f C D : 0 <= C -> 0 <= D -> (forall h t, Rabs (g h t) <= C) -> (forall h t, Rabs (f h t) <= D) ->
  bayes_psrl K (fun h t => g h t + f h t) = bayes_psrl K g + bayes_psrl K f.
Proof.
move=> C0 D0 gC fD; rewrite /bayes -mean_add; apply: mean_ext => t.
by apply: (@expected_add A S O next beta discount psrl rho psrl_ok rho_ok (shows t) (shows_ok t) K (g^~ t) (f^~ t) C D).
Qed.

(* BayReg(K, MB-PSRL, phi) = sum over k of E[V_{M_k}^{pi_k}(X_{t_k}) - V_M^{pi_k}(X_{t_k})]: only the concentration gap is left.
   On the law of histories, with lengths that are geometric, for every finite prior, every finite observation. *)
Theorem psrl_regret K :
  mean phi (fun t => expected_regret next beta psrl rho (shows t) (bandit t) (fun x => best t x) K) =
  \sum_(k < K) bayes_psrl k (fun h t => mean (posterior shows phi h) (fun sampled =>
    mean rho (value_of sampled (best sampled)) - mean rho (value_of t (best sampled)))).
Proof.
have t0 : 0 <= top by exact: top_nonneg.
have post_ok h := posterior_ok shows_ok prior_ok h.
have each t := regret_by_episodes next discount psrl_ok rho_ok (shows_ok t) (fun x => best t x) (bandits t) (unit t) K.
rewrite (mean_ext _ each) mean_sum_to; apply: sum_to_ext => k _.
pose g (h : history A S O) t := mean rho (value_of t (best t)).
pose q h (_ : Theta) := mean (posterior shows phi h) (g h).
pose r h t := - mean (posterior shows phi h) (fun sampled => mean rho (value_of t (best sampled))).
have gT h t : Rabs (g h t) <= top by exact: values_abs.
have qT h t : Rabs (q h t) <= top by apply: mean_abs1.
have rT h t : Rabs (r h t) <= top by rewrite /r Rabs_Ropp; apply: mean_abs1 => // s; exact: values_abs.
transitivity (bayes_psrl k (fun h t => g h t + r h t)).
  apply: mean_ext => t; congr expected; apply: FunctionalExtensionality.functional_extensionality => h.
  rewrite /loss mean_psrl /r (mean_ext _ (g := fun s => g h t - mean rho (value_of t (best s)))); last first.
    by move=> s; rewrite /gap mean_sub.
  by rewrite mean_sub (mean_of_const _ (post_ok h)); ring.
rewrite (bayes_add k t0 t0 gT rT).
rewrite (posterior_sampling next discount psrl_ok rho_ok shows_ok prior_ok t0 (K := k) (g := g) (fun h t _ => gT h t)).
rewrite -[bayes_psrl k (fun h _ => _)]/(bayes_psrl k q) -(bayes_add k t0 t0 qT rT); apply: mean_ext => t; congr expected.
apply: FunctionalExtensionality.functional_extensionality => h.
rewrite (mean_sub _ (fun s => mean rho (value_of s (best s))) (fun s => mean rho (value_of t (best s)))).
by rewrite /q /r /g /Rminus.
Qed.
End Psrl.

Print Assumptions psrl_regret.
