(* Priors that are products over the arms: arms that are drawn each from its own posterior, given what that arm showed, are drawn
   jointly from the posterior. So what is proved of MB-PSRL holds for MB-PSRL as Section 4.1 describes it. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits.
From kernel Require Import History Bayes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Product.
Variables (A S O Theta : finType) (shows : A -> Theta -> S -> O -> R) (phi : A -> Theta -> R).
Hypotheses (shows_ok : forall a t s, probability (shows a t s)) (priors_ok : forall a, probability (phi a)).
Notation models := [finType of {ffun A -> Theta}].   (* a parameter for each arm *)

Definition product_prior (t : models) : R := \prod_(a : A) phi a (t a).
Definition arms_show (t : models) (a : A) (s : S) (o : O) : R := shows a (t a) s o.

(* The likelihood of what arm a showed. *)
Fixpoint arm_weight (a : A) (th : Theta) (e : seq (step A S O)) : R :=
  if e is (x, b, o) :: e' then (if b == a then shows a th (x a) o else 1) * arm_weight a th e' else 1.
Fixpoint arm_likelihood (a : A) (h : history A S O) (th : Theta) : R :=
  if h is r :: h' then arm_weight a th r.2 * arm_likelihood a h' th else 1.

Variable post : A -> history A S O -> Theta -> R.
Hypothesis posts_ok : forall a h, bayes_rule (phi a) (arm_likelihood a h) (post a h).

Definition arm_by_arm (h : history A S O) (t : models) : R := \prod_(a : A) post a h (t a).

Lemma sum_of_products (F : A -> Theta -> R) : \sum_(t : models) \prod_(a : A) F a (t a) = \prod_(a : A) \sum_(th : Theta) F a th.
Proof. by rewrite bigA_distr_bigA. Qed.

Lemma product_probability (q : A -> Theta -> R) : (forall a, probability (q a)) -> probability (fun t : models => \prod_(a : A) q a (t a)).
Proof.
move=> q_ok; split=> [t|]; first by apply: product_nonneg => a _; exact: (proj1 (q_ok a)).
by rewrite sum_of_products big1 // => a _; exact: (proj2 (q_ok a)).
Qed.

Lemma likelihood_of_arms t h : likelihood arms_show t h = \prod_(a : A) arm_likelihood a h (t a).
Proof.
have of_steps e : weight_of arms_show t e = \prod_(a : A) arm_weight a (t a) e.
  elim: e => [|[[x b] o] e IH] /=; first by rewrite big1.
  rewrite big_split /= -IH; congr (_ * _); rewrite (bigD1 b) //= eqxx big1 ?Rmult_1_r // => a ne.
  by rewrite eq_sym (negbTE ne).
by elim: h => [|r h IH] /=; [rewrite big1 | rewrite big_split /= of_steps IH].
Qed.

(* ledger: def:sampling/product *)
Theorem arm_by_arm_is_posterior : is_posterior arms_show product_prior arm_by_arm.
Proof.
move=> h; split=> [|t]; first exact: (product_probability (fun a => proj1 (posts_ok a h))).
have -> : \sum_(s : models) product_prior s * likelihood arms_show s h = \prod_(a : A) \sum_(th : Theta) phi a th * arm_likelihood a h th.
  by rewrite -sum_of_products; apply: eq_bigr => s _; rewrite likelihood_of_arms -big_split.
by rewrite likelihood_of_arms -!big_split /=; apply: eq_bigr => a _; exact: (proj2 (posts_ok a h)).
Qed.

Lemma product_prior_ok : probability product_prior. Proof. exact: product_probability. Qed.
Lemma arms_show_ok t a s : probability (arms_show t a s). Proof. exact: shows_ok. Qed.
End Product.
