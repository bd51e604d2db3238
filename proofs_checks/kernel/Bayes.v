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

(* What agrees given each history, weighted by its likelihoods, agrees in the mean. *)
Lemma same_mean K g f C : 0 <= C -> (forall h t, Rabs (g h t) <= C) -> (forall h t, Rabs (f h t) <= C) ->
  (forall h, \sum_(t : Theta) phi t * likelihood t h * g h t = \sum_(t : Theta) phi t * likelihood t h * f h t) ->
  bayes K g = bayes K f.
Proof.
move=> C0 gC fC same; pose bounded (q : history A S O -> Theta -> R) := forall h t, Rabs (q h t) <= C.
have l q (qC : bounded q) := @lim_mean Theta phi _ _ (fun t => expected_is_limit (next := next) discount learner_ok rho_ok (shows_ok t) C0
  (fun h _ => qC h t : Rabs ((fun h => q h t) h) <= C)).
have e N : mean phi (fun t => truncated next beta learner rho (shows t) N K (fun h => g h t)) =
    mean phi (fun t => truncated next beta learner rho (shows t) N K (fun h => f h t)).
  by rewrite by_counting (by_counting N K f); apply: law_ext.
by have := is_lim_seq_unique _ _ (l K f fC); rewrite (is_lim_seq_unique _ _ (is_lim_seq_ext _ _ _ e (l K g gC))) => u; case: u.
Qed.

(* Lemma bayesian on the law of histories: (O_K, M) and (O_K, M_{K+1}), M_{K+1} drawn from the posterior, have one law.
   Lengths are geometric and not bounded, the learner is any function of the past with coins of its own. Added: finitely many
   models and observations; functions that are bounded.
   ledger: lem:bayesian *)
Theorem posterior_sampling K g C : 0 <= C -> (forall h t, Rabs (g h t) <= C) ->
  bayes K g = bayes K (fun h _ => mean (post h) (g h)).
Proof.
move=> C0 gC; apply: (same_mean K C0 gC) => [h _|h]; last exact: sampling_at.
by apply: mean_abs1 => //; exact: (proj1 (post_ok h)).
Qed.

(* So every condition on counts and estimates, which are functions of O_{k-1}, and on the model is as likely for M_k as
   for M: that M deviates from them by more than some radii, for example. Added: finitely many models and observations.
   ledger: lem:concentration_psrl/equality/repair *)
Theorem same_deviations K (deviates : history A S O -> Theta -> bool) :
  bayes K (fun h t => indicator (deviates h t)) = bayes K (fun h _ => mean (post h) (fun s => indicator (deviates h s))).
Proof. by apply: (posterior_sampling K Rle_0_1) => h t; exact: indicator_abs. Qed.

Lemma pairs_at h (q : Theta -> Theta -> R) : \sum_(t : Theta) phi t * likelihood t h * mean (post h) (q t) =
  (\sum_(r : Theta) phi r * likelihood r h) * \sum_(t : Theta) \sum_(s : Theta) post h t * post h s * q t s.
Proof.
rewrite -sum_scale; apply: eq_bigr => t _; rewrite -(proj2 (post_ok h) t) Rmult_assoc; congr (_ * _).
by rewrite /mean -sum_scale; apply: eq_bigr => s _; ring.
Qed.

(* Given the past, M and M_k are independent with the same law: they may change places. Added: finitely many models and
   observations; functions that are bounded.
   ledger: lem:bayesian/exchangeable *)
Theorem exchangeable K (g : history A S O -> Theta -> Theta -> R) C : 0 <= C -> (forall h t s, Rabs (g h t s) <= C) ->
  bayes K (fun h t => mean (post h) (g h t)) = bayes K (fun h t => mean (post h) (fun s => g h s t)).
Proof.
move=> C0 gC; apply: (same_mean K C0) => [h t|h t|h]; try by apply: mean_abs1 => //; exact: (proj1 (post_ok h)).
rewrite !pairs_at [in RHS]exchange_big; congr (_ * _); apply: eq_bigr => t _; apply: eq_bigr => s _.
by rewrite (Rmult_comm (post h s)).
Qed.

(* E[(v(M) - v(M_k)) 1_E] = 0 for every event E given by O_{k-1} and a condition that is symmetric in M and M_k, and
   every bounded function v of O_{k-1} and a model. Added: finitely many models and observations.
   step of: psrl:model-gap/repair *)
Theorem model_gap K (v : history A S O -> Theta -> R) (E : history A S O -> Theta -> Theta -> bool) C : 0 <= C ->
  (forall h t, Rabs (v h t) <= C) -> (forall h t s, E h t s = E h s t) ->
  bayes K (fun h t => mean (post h) (fun s => if E h t s then v h t - v h s else 0)) = 0.
Proof.
move=> C0 vC sym; have C2 : 0 <= 2 * C by lra.
transitivity (bayes K (fun _ _ => 0)).
  apply: (same_mean K C2) => [h t|h t|h]; [| by rewrite Rabs_R0 | rewrite pairs_at].
    apply: mean_abs1 => // [|s]; first exact: (proj1 (post_ok h)).
    by case: ifP => _; [have := vC h t; have := vC h s; split_Rabs; lra | rewrite Rabs_R0].
  set x := \sum_(t : Theta) \sum_(s : Theta) _; rewrite [RHS]big1 => [|t _]; last ring.
  suff -> : x = 0 by ring.
  suff : x = - x by lra.
  rewrite {1}/x exchange_big /= (_ : - x = -1 * x); last ring.
  rewrite /x -sum_scale; apply: eq_bigr => t _; rewrite -sum_scale; apply: eq_bigr => s _.
  by rewrite (sym h s t); case: ifP => _; ring.
rewrite /bayes (mean_ext _ (g := fun _ => 0)) ?mean_const ?Rmult_0_r // => t.
apply: Rle_antisym; have z : bounded_after K [::] (fun _ : history A S O => 0) 0 by move=> h _; rewrite Rabs_R0; lra.
all: by have := law_abs next discount learner_ok rho_ok (shows_ok t) (Rle_refl 0) z => /Rabs_le_between; rewrite /expected; lra.
Qed.

(* E[Delta^model_k 1_E] = 0, where Delta^model_k is the gap of the totals of M and of M_k over H_k steps, each under its
   own policy, from an initial state of law rho: 0 for each length of the episode, and so in the mean over H_k, whose law
   is geometric. The event E may depend on O_{k-1} and be symmetric in M and M_k. Added: finitely many models and
   observations.
   ledger: psrl:model-gap/repair *)
Theorem model_gap_of_episode (bandit : Theta -> model A S) (best : Theta -> policy A S) K
    (E : history A S O -> Theta -> Theta -> bool) :
  (forall h t s, E h t s = E h s t) ->
  let gap H := bayes K (fun h t => mean (post h) (fun s => if E h t s
    then mean rho (fun x => W (bandit t) (best t) H x - W (bandit s) (best s) H x) else 0)) in
  (forall H, gap H = 0) /\ is_series (fun m => (1 - beta) * beta ^ m * gap m.+1) 0.
Proof.
move=> sym gap; have zero H : gap H = 0.
  have [C [C0 vC]] := exists_bound (fun t => mean rho (W (bandit t) (best t) H)).
  rewrite -(model_gap K C0 (fun (_ : history A S O) t => vC t) sym); apply: mean_ext => t; congr expected.
  apply: FunctionalExtensionality.functional_extensionality => h; apply: mean_ext => s.
  by case: ifP => _ //; rewrite mean_sub.
split=> //; apply: (is_series_ext (fun _ => 0)); last exact: is_series_0.
by move=> m; rewrite zero Rmult_0_r.
Qed.
End Bayes.
