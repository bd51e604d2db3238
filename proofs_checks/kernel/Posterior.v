(* Lemma bayesian: posterior sampling, for finite priors and adaptive learners. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Posterior.
Variables (Theta Choice Obs : finType).   (* the models; what the learner chooses; what it observes *)
Variable phi : Theta -> R.   (* the prior *)

(* O_{k-1}: what was chosen and observed, the latest first. *)
Definition history := seq (Choice * Obs).

(* The learner draws its next choice given the whole past, and may have drawn it from a posterior; the model then
   draws what is observed, given the past and the choice. *)
Variable learner : history -> Choice -> R.
Variable observes : Theta -> history -> Choice -> Obs -> R.

Fixpoint choice_factor (h : history) : R :=
  if h is (c, _) :: past then choice_factor past * learner past c else 1.
Fixpoint likelihood (theta : Theta) (h : history) : R :=
  if h is (c, o) :: past then likelihood theta past * observes theta past c o else 1.

(* The joint probability of the model and of a history. *)
Definition joint (theta : Theta) (h : history) : R := phi theta * (choice_factor h * likelihood theta h).

(* The posterior phi(. | O_{k-1}). It does not depend on how the learner chose. *)
Definition evidence (h : history) : R := \sum_(theta : Theta) phi theta * likelihood theta h.
Definition posterior (h : history) (theta : Theta) : R := phi theta * likelihood theta h / evidence h.

(* The means, over histories of n rounds, of a function of O_{k-1} and M; of O_{k-1} and M_k, drawn from the
   posterior; and of O_{k-1}, M and M_k. *)
Definition mean_true (n : nat) (g : history -> Theta -> R) : R :=
  \sum_(h : n.-tuple (Choice * Obs)) \sum_(theta : Theta) joint theta h * g h theta.
Definition mean_both (n : nat) (g : history -> Theta -> Theta -> R) : R :=
  \sum_(h : n.-tuple (Choice * Obs)) \sum_(theta : Theta) joint theta h * mean (posterior h) (g h theta).
Definition mean_sampled (n : nat) (g : history -> Theta -> R) : R := mean_both n (fun h _ sampled => g h sampled).

Hypothesis prior_ok : probability phi.
Hypothesis observes_nonneg : forall theta h c o, 0 <= observes theta h c o.

Lemma weight_nonneg theta h : 0 <= phi theta * likelihood theta h.
Proof.
apply: Rmult_le_pos; first exact: (proj1 prior_ok).
by elim: h => [|[c o] past IH] /=; [lra | apply: Rmult_le_pos].
Qed.

(* The joint weight of M and M_k given the history is symmetric in the two. *)
Lemma joint_posterior h theta sampled :
  joint theta h * posterior h sampled =
  choice_factor h * (phi theta * likelihood theta h) * (phi sampled * likelihood sampled h) / evidence h.
Proof. by rewrite /joint /posterior /Rdiv; ring. Qed.

Lemma joint_evidence h theta : joint theta h = choice_factor h * (phi theta * likelihood theta h) * evidence h / evidence h.
Proof.
have -> : joint theta h = choice_factor h * (phi theta * likelihood theta h) by rewrite /joint; ring.
have w0 := weight_nonneg theta h; have le : phi theta * likelihood theta h <= evidence h.
  exact: (term_le_sum theta (f := fun theta => phi theta * likelihood theta h) (weight_nonneg ^~ h)).
move: (phi theta * likelihood theta h) w0 le => w w0 le.
case: (Req_dec (evidence h) 0) => z; last by field.
by rewrite (_ : w = 0); [rewrite /Rdiv; ring | lra].
Qed.

(* Each history by itself. *)
Lemma sampling_at (h : history) (g : Theta -> R) :
  \sum_(theta : Theta) joint theta h * g theta
  = \sum_(theta : Theta) joint theta h * mean (posterior h) g.
Proof.
rewrite sum_scale_r -sum_scale.
have -> : \sum_(theta : Theta) joint theta h = choice_factor h * evidence h.
  by rewrite /evidence -sum_scale; apply: eq_bigr => theta _; rewrite /joint; ring.
by apply: eq_bigr => theta _; rewrite joint_evidence /posterior /Rdiv; ring.
Qed.

Lemma exchange_at (h : history) (g : Theta -> Theta -> R) :
  \sum_(theta : Theta) joint theta h * mean (posterior h) (g theta)
  = \sum_(theta : Theta) joint theta h * mean (posterior h) (fun sampled => g sampled theta).
Proof.
have flat (f : Theta -> Theta -> R) :
    \sum_(theta : Theta) joint theta h * mean (posterior h) (f theta)
    = \sum_(theta : Theta) \sum_(sampled : Theta) choice_factor h * (phi theta * likelihood theta h)
        * (phi sampled * likelihood sampled h) / evidence h * f theta sampled.
  apply: eq_bigr => theta _; rewrite -sum_scale; apply: eq_bigr => sampled _.
  by rewrite -joint_posterior; ring.
rewrite !flat exchange_big /=; apply: eq_bigr => theta _; apply: eq_bigr => sampled _.
by rewrite /Rdiv; ring.
Qed.

(* Lemma bayesian, with the history: (O_{k-1}, M) and (O_{k-1}, M_k) have the same law. Added: finitely many models and
   observations.
   ledger: lem:bayesian *)
Theorem posterior_sampling n g : mean_true n g = mean_sampled n g.
Proof. by apply: eq_bigr => h _; exact: sampling_at. Qed.

(* So every condition on counts and estimates, which are functions of O_{k-1}, and on the model is as likely for M_k as
   for M: that M deviates from them by more than some radii, for example. Added: finitely many models and observations.
   ledger: lem:concentration_psrl/equality/repair *)
Theorem same_deviations n (deviates : history -> Theta -> bool) :
  mean_true n (fun h theta => if deviates h theta then 1 else 0) =
  mean_sampled n (fun h theta => if deviates h theta then 1 else 0).
Proof. exact: posterior_sampling. Qed.

(* Given the past, M and M_k are independent with the same law: they may change places. Added: finitely many models and
   observations.
   ledger: lem:bayesian/exchangeable *)
Theorem exchangeable n g : mean_both n g = mean_both n (fun h theta sampled => g h sampled theta).
Proof. by apply: eq_bigr => h _; exact: exchange_at. Qed.

(* E[(v(M) - v(M_k)) 1_E] = 0 for every event E given by O_{k-1} and a condition that is symmetric in M and M_k, and
   every function v of O_{k-1} and a model. Added: finitely many models and observations.
   step of: psrl:model-gap/repair *)
Theorem model_gap n (v : history -> Theta -> R) (E : history -> Theta -> Theta -> bool) :
  (forall h theta sampled, E h theta sampled = E h sampled theta) ->
  mean_both n (fun h theta sampled => if E h theta sampled then v h theta - v h sampled else 0) = 0.
Proof.
move=> sym; set m := mean_both _ _; suff : m + m = 0 by lra.
rewrite /m {2}exchangeable /mean_both -sum_add big1 // => h _; rewrite -sum_add big1 // => theta _.
rewrite -Rmult_plus_distr_l /mean -sum_add big1 => [|sampled _]; first by rewrite Rmult_0_r.
by rewrite (sym _ sampled theta); case: ifP => _; ring.
Qed.

(* E[Delta^model_k 1_E] = 0, where Delta^model_k is the gap of the totals of M and of M_k over H_k steps, each under its
   own policy, from an initial state of law rho: 0 for each length of the episode, and so in the mean over H_k, whose law
   is geometric. The event E may depend on O_{k-1} and be symmetric in M and M_k. Added: finitely many models and
   observations.
   ledger: psrl:model-gap/repair *)
Theorem model_gap_of_episode (A S : finType) (bandit : Theta -> model A S) (best : Theta -> policy A S)
    (rho : history -> state A S -> R) n (E : history -> Theta -> Theta -> bool) (beta : R) :
  (forall h theta sampled, E h theta sampled = E h sampled theta) ->
  let gap H := mean_both n (fun h theta sampled => if E h theta sampled
    then mean (rho h) (fun x => W (bandit theta) (best theta) H x - W (bandit sampled) (best sampled) H x) else 0) in
  (forall H, gap H = 0) /\ is_series (fun m => (1 - beta) * beta ^ m * gap m.+1) 0.
Proof.
move=> sym gap; have zero H : gap H = 0.
  rewrite -(model_gap n (fun h theta => mean (rho h) (W (bandit theta) (best theta) H)) sym) /gap /mean_both.
  apply: eq_bigr => h _; apply: eq_bigr => theta _; congr (_ * _); apply: mean_ext => sampled.
  by case: ifP => _ //; rewrite mean_sub.
split=> //; apply: (is_series_ext (fun _ => 0)); last exact: is_series_0.
by move=> m; rewrite zero Rmult_0_r.
Qed.
End Posterior.
