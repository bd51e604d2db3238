(* The value of any priority policy, the Gittins policy or not, from the strong conservation laws (Bertsimas and
   Nino-Mora 1996): a triangular system with one unknown per arm state. *)

From kernel Require Import Limits Sums Values Bandits.

Section Conservation.
Variables (A S : finType) (beta : R) (M : model A S).
Hypotheses (discount : is_discount beta) (hM : markovian M).
Implicit Types (x : state A S) (a b : A) (s : S) (k : nat).

(* A strict order of all arm states, 0 being the highest priority, and its priority policy. *)
Variables (rank : A -> S -> nat) (pi : policy A S).
Hypothesis strict : forall a s b t, rank a s = rank b t -> (a, s) = (b, t).
Hypothesis follows : forall x b, (rank (pi x) (x (pi x)) <= rank b (x b))%nat.

(* theta_k(a, s) = E[beta^T], T the first time that arm a, started in s and played alone, is outside the first k
   states of the order. *)
Definition stopped_rows k a s (y : S) : R := if (rank a s < k)%nat then row M a s y else 0.
Definition theta k a : S -> R := discounted (stopped_rows k a) beta (fun s => if (rank a s < k)%nat then 0 else 1).

(* A_k(a, s): discounted time until the arm is outside again, per step. *)
Definition factor k a s : R := (1 - beta * mean (row M a s) (theta k a)) / (1 - beta).

(* X(a, s): the expected discounted number of activations of state s of arm a from the global state x. *)
Definition with_rewards (g : A -> S -> R) : model A S := Model g (row M).
Definition activations x a s : R := V beta (with_rewards (fun b t => if (b, t) == (a, s) then 1 else 0)) pi x.

Lemma sub_stopped k a : substochastic (stopped_rows k a).
Proof.
have [p0 p1] : (forall s y, 0 <= row M a s y) /\ forall s, \sum_(y : S) row M a s y = 1.
  by split=> s; case: (hM a s).
by split=> s *; rewrite /stopped_rows; case: (rank a s < k)%nat; rewrite ?p1 ?sum_zero //; lra.
Qed.

Lemma theta_inside k a s : (rank a s < k)%nat -> theta k a s = beta * mean (row M a s) (theta k a).
Proof.
move=> h; rewrite {1}/theta (bellman _ (sub_stopped k a) discount) h -/(theta k a) Rplus_0_l; congr (_ * _).
by apply: eq_bigr => y _; rewrite /stopped_rows h.
Qed.

Lemma theta_outside k a s : (k <= rank a s)%nat -> theta k a s = 1.
Proof.
move=> h; have n : (rank a s < k)%nat = false by rewrite ltnNge h.
rewrite {1}/theta (bellman _ (sub_stopped k a) discount) n (_ : mean _ _ = 0) ?Rmult_0_r ?Rplus_0_r //.
by rewrite /mean big1 // => y _; rewrite /stopped_rows n; ring.
Qed.

Lemma theta_range k a s : 0 <= theta k a s <= 1.
Proof.
split; first by apply: (discounted_nonneg (sub_stopped k a) discount) => y; case: ifP; lra.
move: s; apply: (discounted_at_most (sub_stopped k a) discount) => s; rewrite mean_const.
have [_ p1] := sub_stopped k a; have := p1 s; case: (discount) => b0 b1.
rewrite /stopped_rows; case: (rank a s < k)%nat => h; last by rewrite sum_zero; lra.
nra.
Qed.

Lemma factor_at_least_1 k a s : 1 <= factor k a s.
Proof.
case: (discount) => b0 b1; have [_ m] := mean_range (hM a s) (theta_range k a).
apply: (Rmult_le_reg_r (1 - beta)); first lra.
rewrite /factor /Rdiv Rmult_assoc Rinv_l; last lra.
by have := Rmult_le_compat_l _ _ _ b0 m; lra.
Qed.

(* With other rewards the policy is worth the sum of the rewards times the activations. *)
Lemma value_by_activations g x : V beta (with_rewards g) pi x = \sum_(c : A * S) g c.1 c.2 * activations x c.1 c.2.
Proof.
apply: (V_unique (M := with_rewards g) discount hM
  (W := fun x => \sum_(c : A * S) g c.1 c.2 * activations x c.1 c.2)) => {}x.
have bell c : activations x c.1 c.2 = (if (pi x, x (pi x)) == c then 1 else 0)
    + beta * mean (row M (pi x) (x (pi x))) (fun y => activations (moved x (pi x) y) c.1 c.2).
  by case: c => a s; exact: (V_bellman (M := with_rewards _) discount hM).
under eq_bigr do rewrite bell Rmult_plus_distr_l.
rewrite sum_add; congr (_ + _).
  rewrite -[RHS](sum_single (pi x, x (pi x)) (fun c => g c.1 c.2)); apply: eq_bigr => c _.
  by rewrite eq_sym; case: eqP => _; ring.
rewrite {2}/mean; under [in RHS]eq_bigr do rewrite -sum_scale.
rewrite exchange_big /= -sum_scale; apply: eq_bigr => c _; rewrite /mean -!sum_scale.
by apply: eq_bigr => y _ /=; ring.
Qed.

(* The law: for every k, whatever the order, play outside the first k states takes a fixed amount of discounted time.
   ledger: eq:exact_value/no-algorithm/repair *)
Theorem conservation k x :
  \sum_(c : A * S | (k <= rank c.1 c.2)%nat) factor k c.1 c.2 * activations x c.1 c.2
  = (\prod_(a : A) theta k a (x a)) / (1 - beta).
Proof.
case: (discount) => b0 b1.
pose cost a s : R := if (k <= rank a s)%nat then factor k a s else 0.
transitivity (V beta (with_rewards cost) pi x).
  rewrite value_by_activations big_mkcond; apply: eq_bigr => c _; rewrite /cost.
  by case: ifP => _ /=; ring.
apply: (V_unique (M := with_rewards cost) discount hM (W := fun x => (\prod_(a : A) theta k a (x a)) / (1 - beta))) => {}x.
set a := pi x; have prod y : \prod_(b : A) theta k b (moved x a y b) = theta k a y * \prod_(b : A | b != a) theta k b (x b).
  rewrite (bigD1 a) //= moved_same; congr (_ * _); apply: eq_bigr => b ba; by rewrite moved_other.
have next : mean (row M a (x a)) (fun y => (\prod_(b : A) theta k b (moved x a y b)) / (1 - beta))
    = mean (row M a (x a)) (theta k a) * ((\prod_(b : A | b != a) theta k b (x b)) / (1 - beta)).
  rewrite Rmult_comm -mean_scale; apply: mean_ext => y; rewrite prod /Rdiv; ring.
rewrite next (bigD1 a) //= /cost; case: (leqP k (rank a (x a))) => h.
  have all1 : \prod_(b : A | b != a) theta k b (x b) = 1.
    by rewrite big1 // => b _; apply: theta_outside; apply: leq_trans (follows x b).
  by rewrite all1 (theta_outside h) /factor; field; lra.
by rewrite (theta_inside h) /Rdiv; ring.
Qed.

(* The activations sum to 1/(1-beta). *)
Lemma activations_total x : \sum_(c : A * S) activations x c.1 c.2 = 1 / (1 - beta).
Proof.
have t1 a s : theta 0 a s = 1 by exact: theta_outside.
have f1 a s : factor 0 a s = 1.
  case: (discount) => b0 b1.
  by rewrite /factor (mean_ext _ (t1 a)) (mean_of_const _ (hM a s)); field; lra.
rewrite -[X in _ = X / _](_ : \prod_(a : A) theta 0 a (x a) = 1); last by rewrite big1.
rewrite -conservation; apply: eq_bigr => c _; rewrite f1; ring.
Qed.

(* The laws are a triangular system with one solution: so the value of the policy is that of polynomially many
   equations in |A||S| unknowns, where the linear system of eq:exact_value has |S|^|A|.
   ledger: eq:exact_value/no-algorithm/repair *)
Theorem value_of_priority_policy x (Y : A -> S -> R) :
  (forall a s, let k := rank a s in
     \sum_(c : A * S | (k <= rank c.1 c.2)%nat) factor k c.1 c.2 * Y c.1 c.2 = (\prod_(b : A) theta k b (x b)) / (1 - beta)) ->
  (forall a s, Y a s = activations x a s /\ 0 <= Y a s) /\ \sum_(c : A * S) Y c.1 c.2 = 1 / (1 - beta) /\
  V beta M pi x = \sum_(c : A * S) reward M c.1 c.2 * Y c.1 c.2.
Proof.
move=> laws; pose top := \max_(c : A * S) rank c.1 c.2.
have below a s : (rank a s <= top)%nat by exact: (leq_bigmax (F := fun c : A * S => rank c.1 c.2) (a, s)).
have same n : forall a s, (top - rank a s < n)%nat -> Y a s = activations x a s.
  elim: n => // n IH a s hn; set k := rank a s.
  have := laws a s; rewrite /= -/k -(conservation k x).
  rewrite (bigD1 (a, s)) //= [in RHS](bigD1 (a, s)) //= => eq.
  have rest : \sum_(c : A * S | (k <= rank c.1 c.2)%nat && (c != (a, s))) factor k c.1 c.2 * Y c.1 c.2
      = \sum_(c : A * S | (k <= rank c.1 c.2)%nat && (c != (a, s))) factor k c.1 c.2 * activations x c.1 c.2.
    apply: eq_bigr => c /andP [kc ne]; rewrite IH //.
    have lt : (k < rank c.1 c.2)%nat.
      rewrite ltn_neqAle kc andbT; apply/eqP => e; move/eqP: ne; apply.
      by rewrite (strict e); case: (c).
    have less : (top - rank c.1 c.2 < top - k)%nat by apply: ltn_sub2l => //; exact: leq_trans lt (below _ _).
    exact: leq_trans less hn.
  rewrite rest in eq; have f := factor_at_least_1 k a s.
  have : factor k a s * Y a s = factor k a s * activations x a s by move: eq; exact: Rplus_eq_reg_r.
  by move/Rmult_eq_reg_l; apply; lra.
have e a s : Y a s = activations x a s by exact: (same (top - rank a s).+1).
split; first by move=> a s; rewrite e; split=> //;
  apply: (discounted_nonneg (sub_policy (P_sub (M := with_rewards _) hM) pi) discount) => y /=; case: eqP; lra.
split; first by rewrite -(activations_total x); apply: eq_bigr => c _; rewrite e.
have -> : V beta M pi x = V beta (with_rewards (reward M)) pi x by [].
by rewrite value_by_activations; apply: eq_bigr => c _; rewrite e.
Qed.
End Conservation.
