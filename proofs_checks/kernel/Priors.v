(* Priors on Markovian bandits, the Bayesian regret that a learner has under them, and what a prior forces on every learner:
   the terms in which Theorem 2, its failure on the printed domain, and the sharper bounds are stated. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Laws Draws LawOfRun Truncation Learners Randomised Maximiser.

Section Shown.
Variables (A S O : finType) (next : O -> S) (pays : O -> R).   (* an observation: what it pays, and the next state *)
Hypothesis pays_unit : forall o, 0 <= pays o <= 1.

(* The bandit of which an activation shows an observation of the finite law shows(a, s). *)
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
by move=> a s; exact: (next_probability (finite_law (shows_ok a s)) next).
Qed.

Lemma bandit_unit : unit_rewards (bandit_of shows).
Proof. by move=> a s; apply: (mean_range (shows_ok a s) pays_unit); lra. Qed.
End Bandit.
End Shown.

Section Priors.
Variables (A S : finType).   (* the n arms, and the S states of each *)

(* Finitely many models; what one activation shows, finitely much: the next state and a reward can be read off it. *)
Record prior := Prior {
  candidate : finType;
  belief : candidate -> R;
  sight : finType;
  leads : sight -> S;
  pays : sight -> R;
  chances : candidate -> A -> S -> sight -> R;   (* the law of what is shown: with it, the model *)
  begins : global A S -> R   (* the law of initial states *)
}.
Definition prior_ok (p : prior) :=
  [/\ probability (@belief p), forall (t : candidate p) a s, probability (chances t a s), forall o : sight p, 0 <= pays o <= 1 & probability (begins p)].

(* The Markovian bandit of a candidate. *)
Definition candidate_bandit (p : prior) (t : candidate p) : model A S := bandit_of (@leads p) (@pays p) (chances t).

Variable beta : R.
Definition best_policies (p : prior) (best : candidate p -> policy A S) :=
  forall t pi x, V beta (candidate_bandit t) pi x <= V beta (candidate_bandit t) (best t) x.

(* BayReg(K, L, phi). *)
Definition regret_under (p : prior) (best : candidate p -> policy A S) (W : Type) (L : agent A S (sight p) W) (K : nat) : R :=
  mean (@belief p) (fun t => regret_in_run (@leads p) L beta (begins p) (candidate_bandit t) (chances t) (best t) K).

(* Whatever the learner, and from whatever law it draws, it loses at least c. *)
Definition forces (p : prior) (K : nat) (c : R) := forall best, best_policies best ->
  forall (W : Type) (L : agent A S (sight p) W), agent_ok L -> c <= regret_under best L K.

Hypothesis discount : is_discount beta.
Variable p : prior.
Hypothesis p_ok : prior_ok p.
Implicit Type t : candidate p.

(* What a candidate shows, as laws of the general kind. *)
Lemma chances_ok t a s : probability (chances t a s). Proof. by have [_ ok _ _] := p_ok. Qed.
Definition candidate_laws t a s := finite_law (chances_ok t a s).

Lemma candidate_bandit_ok t : markovian (candidate_bandit t) /\ unit_rewards (candidate_bandit t).
Proof. by have [_ ok unit _] := p_ok; split; [exact: bandit_markovian | exact: bandit_unit]. Qed.

(* What is forced on learners that draw arms alone is forced on all.
   step of: thm:lower_bound beyond:lower/absorbing/play *)
Theorem forces_all K c : (forall best, best_policies best -> forall L : agent A S (sight p) unit, agent_ok L ->
  c <= regret_under best L K) -> forces p K c.
Proof.
move=> low best opt W L L_ok; apply: Rle_trans (low best opt _ (arms_alone_ok L_ok)) _; apply: Req_le; apply: mean_ext => t.
have [hM unit] := candidate_bandit_ok t; have [_ ok _ start_ok] := p_ok.
by rewrite (regret_of_arms_alone (@leads p) (best t) L_ok (ok t) discount start_ok hM unit).
Qed.

(* Optimal policies there are. *)
Theorem best_policies_exist (a0 : A) : exists best, @best_policies p best.
Proof.
by exists (fun t x => best_play beta (candidate_bandit t) [ffun=> a0] x) => t; exact: best_play_optimal (proj1 (candidate_bandit_ok t)).
Qed.

(* There are learners: one that always plays arm a0. *)
Definition always (a0 : A) : agent A S (sight p) unit := Agent (fun _ => point_law tt) (fun _ _ _ _ a => if a == a0 then 1 else 0).

Lemma always_ok a0 : agent_ok (always a0).
Proof. by move=> *; exact: point_ok. Qed.

(* For the paper's learners, bound to one policy in an episode, this is the Bayesian regret of their histories. *)
Theorem regret_under_episodic best learner K (learner_ok : forall h, probability (learner h)) :
  regret_under best (episodic learner_ok) K =
  mean (@belief p) (fun t => expected_regret (@leads p) beta learner (begins p) (candidate_laws t) (candidate_bandit t) (best t) K).
Proof.
have [_ _ _ start_ok] := p_ok; apply: mean_ext => t; have [hM unit] := candidate_bandit_ok t.
by apply: esym; apply: episodic_regret => // a s f; exact: bandit_shown.
Qed.
(* What is forced on every learner is forced on the paper's.
   ledger: thm:lower_bound/any-learner *)
Theorem forced_on_episodic K c best learner : forces p K c -> best_policies best -> (forall h, probability (learner h)) ->
  c <= mean (@belief p) (fun t => expected_regret (@leads p) beta learner (begins p) (candidate_laws t) (candidate_bandit t) (best t) K).
Proof. by move=> f opt ok; rewrite -regret_under_episodic; apply: f => //; exact: episodic_ok. Qed.

(* What is forced on a learner in the mean over models it loses in one of them.
   ledger: thm:lower_bound/some-model *)
Theorem forced_in_some_model K c best (W : Type) (L : agent A S (sight p) W) : forces p K c -> best_policies best -> agent_ok L ->
  exists t, c <= regret_in_run (@leads p) L beta (begins p) (candidate_bandit t) (chances t) (best t) K.
Proof.
have [bel_ok _ _ _] := p_ok; move=> f opt L_ok; have low := f best opt W L L_ok.
pose r t := regret_in_run (@leads p) L beta (begins p) (candidate_bandit t) (chances t) (best t) K.
have [t0 _] : exists t0 : candidate p, True.
  case: (pickP (xpredT : pred (candidate p))) => [t _|none]; first by exists t.
  by have := proj2 bel_ok; rewrite big_pred0 //; lra.
have [t ht] := exists_max t0 r; exists t; apply: Rle_trans low _; rewrite -[X in _ <= X](mean_of_const _ bel_ok).
by apply: mean_le; [exact: (proj1 bel_ok) | exact: ht].
Qed.
End Priors.
