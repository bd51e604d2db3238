(* Posterior sampling on the law of histories: finite priors, episodes of geometric lengths; the Bayesian regret, and what
   MB-PSRL makes of it. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Concentration.
From kernel Require Import History.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Limits.
Lemma lim_mean (X : finType) (q : X -> R) (a : X -> nat -> R) (l : X -> R) : (forall y, is_lim_seq (a y) (l y)) ->
  is_lim_seq (fun n => mean q (fun y => a y n)) (mean q l).
Proof.
move=> h; rewrite /mean; elim: (index_enum X) => [|z s IH].
  apply: (is_lim_seq_ext (fun _ => 0)) => [n|]; first by rewrite big_nil.
  by rewrite big_nil; exact: is_lim_seq_const.
rewrite big_cons; apply: (is_lim_seq_ext (fun n => q z * a z n + \sum_(y <- s) q y * a y n)).
  by move=> n; rewrite big_cons.
apply: is_lim_seq_plus' IH; exact: (is_lim_seq_scal_l _ (q z) (l z)).
Qed.
End Limits.

(* Bayes' rule, free where nothing was likely. *)
Section Rule.
Variables (X : finType) (prior lik : X -> R).
Definition bayes_rule (post : X -> R) := probability post /\ forall t, (\sum_(s : X) prior s * lik s) * post t = prior t * lik t.
Definition by_bayes (t : X) : R := let z := \sum_(s : X) prior s * lik s in if Req_EM_T z 0 then prior t else prior t * lik t / z.

Lemma by_bayes_ok : probability prior -> (forall t, 0 <= lik t) -> bayes_rule by_bayes.
Proof.
move=> prior_ok lik0; rewrite /bayes_rule /by_bayes; set z := \sum_(s : X) _.
have w0 t : 0 <= prior t * lik t by apply: Rmult_le_pos => //; exact: (proj1 prior_ok).
have z0 : 0 <= z by apply: sum_nonneg => t _; exact: w0.
case: Req_EM_T => [e|ne] /=.
  by split=> // t; have := term_le_sum t w0; have := w0 t; rewrite -/z e; lra.
split=> [|t]; last by field.
split=> [t|]; first by apply: Rdiv_le_0_compat; [exact: w0 | lra].
by rewrite /Rdiv sum_scale_r -/z; field.
Qed.
End Rule.

Section Bayes.
Variables (A S O Theta : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variables (shows : Theta -> A -> S -> O -> R) (phi : Theta -> R).
Hypotheses (shows_ok : forall t a s, probability (shows t a s)) (prior_ok : probability phi).

(* The likelihood of what was seen; the learner's coins, initial states and lengths do not depend on the model. *)
Fixpoint weight_of (t : Theta) (e : seq (step A S O)) : R :=
  if e is (x, a, o) :: e' then shows t a (x a) o * weight_of t e' else 1.
Fixpoint likelihood (t : Theta) (h : history A S O) : R :=
  if h is r :: h' then weight_of t r.2 * likelihood t h' else 1.
Definition counting : A -> S -> O -> R := fun _ _ _ => 1.
Notation cut N := (at_most_long beta N).
Notation lawN w N := (law next learner rho w (cut N)).

Lemma likelihood_nonneg t h : 0 <= likelihood t h.
Proof.
have w0 e : 0 <= weight_of t e.
  by elim: e => [|[[x a] o] e IH] /=; [lra | apply: Rmult_le_pos => //; exact: (proj1 (shows_ok t a (x a)))].
by elim: h => [|r h IH] /=; [lra | apply: Rmult_le_pos].
Qed.

Lemma steps_scale (w : A -> S -> O -> R) pi n x e c F : steps next w pi n x e (fun e' => c * F e') = c * steps next w pi n x e F.
Proof. by elim: n x e => [|n IH] x e //=; rewrite -mean_scale; apply: mean_ext => o; exact: IH. Qed.

Lemma steps_weight t pi n x e F :
  weight_of t e * steps next (shows t) pi n x e F = steps next counting pi n x e (fun e' => weight_of t e' * F e').
Proof.
elim: n x e => [|n IH] x e //=; rewrite -mean_scale; apply: eq_bigr => o _.
by rewrite -(IH _ ((x, pi x, o) :: e)) /=; rewrite /counting; ring.
Qed.

Lemma cut_scale N c f g : (forall n, c * f n = g n) -> c * cut N f = cut N g.
Proof.
move=> e; rewrite /at_most_long -sum_to_scale; apply: sum_to_ext => m _; rewrite -e; ring.
Qed.

Lemma cut_ext N f g : (forall n, f n = g n) -> cut N f = cut N g.
Proof. by move=> e; apply: sum_to_ext => m _; rewrite e. Qed.

Lemma cut_sum (I : finType) N (f : I -> nat -> R) : cut N (fun n => \sum_(i : I) f i n) = \sum_(i : I) cut N (f i).
Proof.
rewrite /at_most_long; elim: N => [|N IH]; first by rewrite /= big1.
by rewrite sum_recr IH -sum_scale -sum_add; apply: eq_bigr => i _; rewrite sum_recr.
Qed.

Lemma law_weight t N K h F :
  likelihood t h * lawN (shows t) N K h F = lawN counting N K h (fun h' => likelihood t h' * F h').
Proof.
elim: K h => [|K IH] h //=; rewrite /episode -mean_scale; apply: mean_ext => pi.
rewrite -mean_scale; apply: mean_ext => x; apply: cut_scale => n.
have one G : steps next (shows t) pi n x [::] G = steps next counting pi n x [::] (fun e => weight_of t e * G e).
  by rewrite -steps_weight /= Rmult_1_l.
rewrite one -steps_scale; apply: steps_ext => e; rewrite -(IH ((pi, x, e) :: h)) /=; ring.
Qed.

Lemma steps_sum (I : finType) (w : A -> S -> O -> R) pi n x e (F : I -> seq (step A S O) -> R) :
  steps next w pi n x e (fun e' => \sum_(i : I) F i e') = \sum_(i : I) steps next w pi n x e (F i).
Proof.
elim: n x e => [|n IH] x e //=; rewrite (mean_ext _ (fun o => IH _ _)) /mean.
by under eq_bigr do rewrite -sum_scale; rewrite exchange_big.
Qed.

Lemma mean_sum (I X : finType) (q : X -> R) (f : I -> X -> R) :
  mean q (fun x => \sum_(i : I) f i x) = \sum_(i : I) mean q (f i).
Proof. by rewrite /mean; under eq_bigr do rewrite -sum_scale; rewrite exchange_big. Qed.

Lemma law_sum (I : finType) (w : A -> S -> O -> R) N K h (F : I -> history A S O -> R) :
  lawN w N K h (fun h' => \sum_(i : I) F i h') = \sum_(i : I) lawN w N K h (F i).
Proof.
elim: K h => [|K IH] h //=; rewrite /episode -mean_sum; apply: mean_ext => pi.
rewrite -mean_sum; apply: mean_ext => x; rewrite -cut_sum; apply: cut_ext => n.
by rewrite -steps_sum; apply: steps_ext => e; exact: IH.
Qed.

Lemma law_ext (w : A -> S -> O -> R) N K h F G : (forall h', F h' = G h') -> lawN w N K h F = lawN w N K h G.
Proof.
move=> FG; elim: K h => [|K IH] h //=; apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n.
by apply: steps_ext => e; exact: IH.
Qed.

Lemma law_scale (w : A -> S -> O -> R) N K h c F : lawN w N K h (fun h' => c * F h') = c * lawN w N K h F.
Proof.
elim: K h => [|K IH] h //=; rewrite /episode -mean_scale; apply: mean_ext => pi.
rewrite -mean_scale; apply: mean_ext => x; symmetry; apply: cut_scale => n.
by rewrite -steps_scale; apply: steps_ext => e; rewrite IH.
Qed.

(* A posterior phi(. | O_{k-1}) is a law given by Bayes' rule; after what no model shows it may be any. *)
Definition is_posterior (post : history A S O -> Theta -> R) := forall h, bayes_rule phi (likelihood^~ h) (post h).

Lemma posterior_exists : exists post, is_posterior post.
Proof. by exists (fun h => by_bayes phi (likelihood^~ h)) => h; apply: by_bayes_ok => // t; exact: likelihood_nonneg. Qed.

Variable post : history A S O -> Theta -> R.
Hypothesis post_ok : is_posterior post.

Lemma sampling_at h g :
  \sum_(t : Theta) phi t * likelihood t h * g t = \sum_(t : Theta) phi t * likelihood t h * mean (post h) g.
Proof.
rewrite sum_scale_r /mean -sum_scale; apply: eq_bigr => t _.
by rewrite -(proj2 (post_ok h) t); ring.
Qed.

(* The mean over the prior and over all runs. *)
Definition bayes (K : nat) (g : history A S O -> Theta -> R) : R :=
  mean phi (fun t => expected next beta learner rho (shows t) K (fun h => g h t)).

Lemma by_counting N K g : mean phi (fun t => truncated next beta learner rho (shows t) N K (fun h => g h t)) =
  lawN counting N K [::] (fun h => \sum_(t : Theta) phi t * likelihood t h * g h t).
Proof.
rewrite law_sum; apply: eq_bigr => t _; rewrite /truncated -(Rmult_1_l (law _ _ _ _ _ _ _ _)).
rewrite -[1](erefl (likelihood t [::])) law_weight -law_scale; apply: law_ext => h; ring.
Qed.

(* Lemma bayesian on the law of histories: (O_K, M) and (O_K, M_{K+1}), M_{K+1} drawn from the posterior, have one law.
   Lengths are geometric and not bounded, the learner is any function of the past with coins of its own. *)
Theorem posterior_sampling K g C : 0 <= C -> (forall h t, size h = K -> Rabs (g h t) <= C) ->
  bayes K g = bayes K (fun h _ => mean (post h) (g h)).
Proof.
move=> C0 gC.
have b1 t : bounded_after K [::] (fun h => g h t) C by move=> h sz; apply: gC; rewrite sz addn0.
have b2 (t : Theta) : bounded_after K [::] (fun h => mean (post h) (g h)) C.
  by move=> h sz; apply: mean_abs1 => // [|t']; [exact: (proj1 (post_ok h)) | apply: gC; rewrite sz addn0].
have l1 := @lim_mean Theta phi _ _ (fun t => expected_is_limit (next := next) discount learner_ok rho_ok (shows_ok t) C0 (b1 t)).
have l2 := @lim_mean Theta phi _ _ (fun t => expected_is_limit (next := next) discount learner_ok rho_ok (shows_ok t) C0 (b2 t)).
have same N : mean phi (fun t => truncated next beta learner rho (shows t) N K (fun h => g h t)) =
    mean phi (fun t => truncated next beta learner rho (shows t) N K (fun h => mean (post h) (g h))).
  rewrite by_counting (by_counting N K (fun h _ => mean (post h) (g h))); apply: law_ext => h; exact: sampling_at.
have l1' := is_lim_seq_ext _ _ _ same l1.
have := is_lim_seq_unique _ _ l2; rewrite (is_lim_seq_unique _ _ l1') => e.
by case: e.
Qed.
End Bayes.
