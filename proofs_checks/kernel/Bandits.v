(* Markovian bandits, as Section 2 of the paper defines them: arms, global states, policies, values; then
   estimates, the plausible set of eq:conf_rq, and policies that follow indices computed arm by arm. *)

From kernel Require Import Prelude Sums Values.

Section Bandit.
Variables (A : finType) (S : finType).   (* the n arms, and the states of each *)

(* Arm a: mean rewards r^a and transition matrix Q^a. *)
Record model := Model { reward : A -> S -> R; row : A -> S -> S -> R }.

Definition markovian (M : model) := forall a s, probability (row M a s).
Definition unit_rewards (M : model) := forall a s, 0 <= reward M a s <= 1.

(* A global state lists one state per arm; a policy names the arm that is played. *)
Definition state := {ffun A -> S}.
Definition policy := state -> A.
Implicit Types (M : model) (x : state) (pi : policy) (W : state -> R).

(* eq:defP: arm a moves, the others stay. *)
Definition P (M : model) (a : A) (x y : state) : R :=
  if [forall b, (b != a) ==> (x b == y b)] then row M a (x a) (y a) else 0.

(* V_M^pi(x), the expected sum of beta^t R_t. *)
Definition V (beta : R) (M : model) (pi : policy) (x : state) : R :=
  value (P M) beta (fun a x => reward M a (x a)) pi x.

(* The state x after arm a moved to y. *)
Definition moved (x : state) (a : A) (y : S) : state := [ffun b => if b == a then y else x b].

Lemma moved_same x a y : moved x a y a = y.
Proof. by rewrite ffunE eqxx. Qed.

Lemma moved_other x a y b : b != a -> moved x a y b = x b.
Proof. by rewrite ffunE => /negbTE ->. Qed.

Lemma moved_twice x a y z : moved (moved x a y) a z = moved x a z.
Proof. by apply/ffunP => b; rewrite !ffunE; case: eqP. Qed.

Lemma P_moved M a x y : P M a x y = \sum_(z : S) if moved x a z == y then row M a (x a) z else 0.
Proof.
rewrite /P; case: ifP => [/forallP others|]; last first.
  move/negbT; rewrite negb_forall => /existsP [b]; rewrite negb_imply => /andP [ba xyb].
  by rewrite big1 // => z _; case: eqP => // e; move: xyb; rewrite -e moved_other // eqxx.
rewrite -(sum_single (y a) (row M a (x a))); apply: eq_bigr => z _; congr (if _ then _ else _).
apply/eqP/eqP => [->|<-]; last by rewrite moved_same.
by apply/ffunP => b; rewrite ffunE; case: eqP => [->|/eqP ba] //; apply/eqP; have := others b; rewrite ba.
Qed.

(* A mean over the next global state is a mean over the next state of the arm that is played. *)
Lemma mean_P M a x (f : state -> R) : mean (P M a x) f = mean (row M a (x a)) (fun y => f (moved x a y)).
Proof.
rewrite /mean; under eq_bigr do rewrite P_moved -sum_scale_r.
rewrite exchange_big /=; apply: eq_bigr => z _; rewrite -(sum_single (moved x a z) (fun y => _ * f y)).
by apply: eq_bigr => y _; rewrite eq_sym; case: eqP => _; lra.
Qed.

Lemma P_nonneg M a x y : (forall z, 0 <= row M a (x a) z) -> 0 <= P M a x y.
Proof. by move=> h; rewrite /P; case: ifP => _; [exact: h | lra]. Qed.

Lemma P_sum M a x : \sum_(y : state) P M a x y = \sum_(z : S) row M a (x a) z.
Proof. by have := mean_P M a x (fun _ => 1); rewrite !mean_const !Rmult_1_r. Qed.

(* ledger: eq:defP *)
Theorem P_stochastic M a x : markovian M -> probability (P M a x).
Proof.
by move=> hM; have [q0 q1] := hM a (x a); split=> [y|]; [exact: P_nonneg | rewrite P_sum].
Qed.

Lemma P_sub M : markovian M -> forall a, substochastic (P M a).
Proof. by move=> hM a; split=> x; have [p0 p1] := P_stochastic a x hM; [exact: p0 | rewrite p1; lra]. Qed.

Section Values.
Variables (beta : R) (M : model).
Hypotheses (discount : is_discount beta) (hM : markovian M).

Lemma V_bellman pi x :
  V beta M pi x = reward M (pi x) (x (pi x))
    + beta * mean (row M (pi x) (x (pi x))) (fun y => V beta M pi (moved x (pi x) y)).
Proof. by rewrite {1}/V (value_bellman _ (P_sub hM)) // mean_P. Qed.

Lemma V_at_most_for pi W :
  (forall x, reward M (pi x) (x (pi x))
     + beta * mean (row M (pi x) (x (pi x))) (fun y => W (moved x (pi x) y)) <= W x) ->
  forall x, V beta M pi x <= W x.
Proof.
move=> h; apply: (discounted_at_most (sub_policy (P_sub hM) pi) discount) => x.
by rewrite mean_P; exact: h.
Qed.

Lemma V_at_least_for pi W :
  (forall x, W x <= reward M (pi x) (x (pi x))
     + beta * mean (row M (pi x) (x (pi x))) (fun y => W (moved x (pi x) y))) ->
  forall x, W x <= V beta M pi x.
Proof.
move=> h; apply: (discounted_at_least (sub_policy (P_sub hM) pi) discount) => x.
by rewrite mean_P; exact: h.
Qed.

Lemma V_at_most W :
  (forall a x, reward M a (x a) + beta * mean (row M a (x a)) (fun y => W (moved x a y)) <= W x) ->
  forall pi x, V beta M pi x <= W x.
Proof. by move=> h pi; apply: V_at_most_for => x; exact: h. Qed.

Lemma V_unique pi W :
  (forall x, W x = reward M (pi x) (x (pi x))
     + beta * mean (row M (pi x) (x (pi x))) (fun y => W (moved x (pi x) y))) ->
  forall x, V beta M pi x = W x.
Proof.
move=> h x; apply: Rle_antisym; [apply: V_at_most_for | apply: V_at_least_for] => {}x;
  by rewrite -h; exact: Rle_refl.
Qed.

Lemma V_range pi : unit_rewards M -> forall x, 0 <= V beta M pi x <= 1 / (1 - beta).
Proof.
move=> hr x; split.
  by apply: (discounted_nonneg (sub_policy (P_sub hM) pi) discount) => y; case: (hr (pi y) (y (pi y))).
apply: (discounted_at_most_const (sub_policy (P_sub hM) pi) discount); first lra.
by move=> y; case: (hr (pi y) (y (pi y))).
Qed.
End Values.

(* Some policy is optimal from every global state at once, against every policy, and every plan that looks at the
   past and tosses coins.
   ledger: pb:problem_1/exists eq:regretTraj *)
Theorem optimal_policy beta M (a0 : A) : is_discount beta -> markovian M ->
  exists pi : policy, forall x,
    (forall pi' : policy, V beta M pi' x <= V beta M pi x) /\
    (forall q : plan [finType of state] A, is_plan q ->
      plan_value (P M) beta (fun a (x : state) => reward M a (x a)) q x <= V beta M pi x).
Proof.
move=> discount hM; have subP := P_sub hM.
have [pi [h1 h2]] := optimal_policy_exists (fun a (x : state) => reward M a (x a)) subP discount a0.
exists pi => x; split=> [pi'|q hq]; first exact: value_at_most.
exact: plan_value_at_most.
Qed.

(* ---------------------------------------------------------------- Estimates and indices *)

(* B^a = (r-hat^a, Q-hat^a, b^r_a, b^Q_a): all that is known of arm a. *)
Record estimate := Estimate { rhat : S -> R; Qhat : S -> S -> R; br : S -> R; bQ : S -> R }.

(* M(B), eq:conf_rq: bandits within the radii, the distance of rows being the L1 norm. *)
Definition plausible (B : A -> estimate) (M : model) :=
  markovian M /\ forall a s,
    Rabs (reward M a s - rhat (B a) s) <= br (B a) s /\ distance (row M a s) (Qhat (B a) s) <= bQ (B a) s.

(* Data within the paper's definitions: mean rewards in [0, 1], rows that are probabilities, radii >= 0. *)
Definition proper (e : estimate) :=
  (forall s, 0 <= rhat e s <= 1) /\ (forall s, probability (Qhat e s)) /\ forall s, 0 <= br e s /\ 0 <= bQ e s.

(* The values of the policy pi in the bandits of the plausible set; of all policies in M; and of all policies in
   all bandits of the set. *)
Definition values_over_set beta (B : A -> estimate) pi x (v : R) := exists M, plausible B M /\ v = V beta M pi x.
Definition values_of_policies beta M x (v : R) := exists pi, v = V beta M pi x.
Definition values_over_set_and_policies beta (B : A -> estimate) x (v : R) :=
  exists M pi, plausible B M /\ v = V beta M pi x.

(* Radius 0 on rewards: every bandit of the set has the estimated ones. *)
Lemma unit_rewards_of_set B M : (forall a, proper (B a)) -> (forall a s, br (B a) s = 0) ->
  plausible B M -> unit_rewards M.
Proof.
move=> hB h0 [_ h] a s; have [h1 _] := h a s; have [h2 _] := hB a; have := h2 s.
by rewrite h0 in h1; split_Rabs; lra.
Qed.

(* Rewards multiplied by c multiply values by c. *)
Definition times (c : R) M : model := Model (fun a s => c * reward M a s) (row M).

Lemma V_times beta c M pi x : is_discount beta -> markovian M -> V beta (times c M) pi x = c * V beta M pi x.
Proof.
move=> discount hM.
apply: (V_unique discount (M := times c M) hM (W := fun x => c * V beta M pi x)) => {}x.
by rewrite (V_bellman discount hM) mean_scale /=; lra.
Qed.

Definition quarter (e : estimate) : estimate :=
  Estimate (fun s => rhat e s / 4) (Qhat e) (fun s => br e s / 4) (bQ e).

Lemma plausible_times c (B B' : A -> estimate) M : 0 < c ->
  (forall a s, rhat (B' a) s = c * rhat (B a) s /\ br (B' a) s = c * br (B a) s) ->
  (forall a, Qhat (B' a) = Qhat (B a) /\ bQ (B' a) = bQ (B a)) ->
  plausible B M -> plausible B' (times c M).
Proof.
move=> c0 hr hq [hM h]; split=> // a s; have [h1 h2] := h a s; have [-> ->] := hr a s; have [-> ->] := hq a.
split=> //=; rewrite -Rmult_minus_distr_l Rabs_mult Rabs_pos_eq; last lra.
by apply: Rmult_le_compat_l; lra.
Qed.

Lemma plausible_quarter (B : A -> estimate) M : plausible B M -> plausible (fun a => quarter (B a)) (times (1/4) M).
Proof. by apply: plausible_times => //; [lra | move=> a s /=; lra]. Qed.

Lemma plausible_four (B : A -> estimate) M : plausible (fun a => quarter (B a)) M -> plausible B (times 4 M).
Proof. by apply: plausible_times => //; [lra | move=> a s /=; lra]. Qed.

(* An algorithm that computes indices locally: the index of a state of arm a is any function of the arm's
   label, of B^a and of the state. *)
Definition local_indices := A -> estimate -> S -> R.

(* The arms of largest index in the global state x. *)
Definition largest (I : A -> S -> R) (x : state) : {set A} :=
  [set a | [forall b, if Rle_dec (I b (x b)) (I a (x a)) then true else false]].

(* Ties are broken without looking at the data: by any function of the global state and of the set of tied
   arms. *)
Definition tie_break := state -> {set A} -> A.
Definition breaks_ties (tie : tie_break) := forall x D, D != set0 -> tie x D \in D.

Definition index_policy (I : A -> S -> R) (tie : tie_break) : policy := fun x => tie x (largest I x).

Lemma largestP I x a : reflect (forall b, I b (x b) <= I a (x a)) (a \in largest I x).
Proof.
rewrite inE; apply: (iffP forallP) => h b; have := h b; case: Rle_dec => //.
Qed.

Lemma largest_nonempty I x (a0 : A) : largest I x != set0.
Proof.
have [a ha] := exists_max a0 (fun a => I a (x a)).
by apply/set0Pn; exists a; apply/largestP.
Qed.

Lemma index_policy_largest I tie x (a0 : A) : breaks_ties tie ->
  forall b, I b (x b) <= I (index_policy I tie x) (x (index_policy I tie x)).
Proof. by move=> ht; apply/largestP; apply: ht; exact: largest_nonempty. Qed.
End Bandit.

(* Suprema of sets of values. *)
Lemma is_lub_attained (E : R -> Prop) v : E v -> (forall w, E w -> w <= v) -> is_lub E v.
Proof. by move=> Ev h; split=> // b; apply. Qed.

Lemma supremum_exists (E : R -> Prop) v0 C : E v0 -> (forall v, E v -> v <= C) -> exists s, is_lub E s.
Proof.
move=> h0 hC; have [s hs] := completeness E (ex_intro _ C hC) (ex_intro _ v0 h0).
by exists s.
Qed.
