(* The optimal value of a Markovian bandit from the retirement functions of its arms (Whittle's formula), on a finite
   grid of retirement rewards. Given tables of retirement values that satisfy simple conditions, the formula is the
   optimal value, and playing an arm of largest index is optimal. *)

From kernel Require Import Prelude Sums Values Bandits.

Section Retirement.
Variables (A S : finType) (beta : R) (M : model A S).
Hypotheses (discount : is_discount beta) (hM : markovian M).

(* Retirement rewards m_0 < m_1 < ... < m_{N+1}; phi_a(s, m_j), what arm a is worth in state s when one may retire
   with m_j at any time; and the position of the index of s in the grid: continuing is optimal up to there, retiring
   from there on. *)
Variables (N : nat) (m : nat -> R) (phi : A -> nat -> S -> R) (position : A -> S -> nat).

Implicit Types (x : state A S).

Definition continuing (a : A) (j : nat) (s : S) : R := reward M a s + beta * mean (row M a s) (phi a j).
Definition slope (a : A) (j : nat) (s : S) : R := (phi a j.+1 s - phi a j s) / (m j.+1 - m j).

Record retirement_tables : Prop := {
  grid_increases : forall j, (j <= N)%nat -> m j < m j.+1;
  continuing_at_most : forall a j s, (j <= N.+1)%nat -> continuing a j s <= phi a j s;
  continuing_below : forall a j s, (j <= N.+1)%nat -> (j <= position a s)%nat -> phi a j s = continuing a j s;
  retiring_above : forall a j s, (j <= N.+1)%nat -> (position a s <= j)%nat -> phi a j s = m j;
  position_at_most : forall a s, (position a s <= N)%nat;
  slope_nonneg : forall a s, 0 <= slope a 0 s;
  slope_increases : forall a j s, (j < N)%nat -> slope a j s <= slope a j.+1 s
}.

(* Whittle's formula: m_{N+1} less the sum over cells of their length times the product of the arms' slopes. *)
Definition whittle (x : state A S) : R :=
  m N.+1 - \sum_(j < N.+1) ((m j.+1 - m j) * \prod_(a : A) slope a j (x a)).

(* For arm a, with the others frozen in x: the product of the others' slopes, and the mixture's weights. *)
Definition others (a : A) (x : state A S) (j : nat) : R := \prod_(b : A | b != a) slope b j (x b).
Definition weight (a : A) (x : state A S) (j : nat) : R :=
  if j is i.+1 then others a x i.+1 - others a x i else others a x 0.

Hypothesis tables : retirement_tables.

(* Slopes are 1 from the index on. *)
Lemma slope_above a j s : (j <= N)%nat -> (position a s <= j)%nat -> slope a j s = 1.
Proof.
move=> jN p; rewrite /slope (retiring_above tables (j := j) (leqW jN) p) (retiring_above tables (j := j.+1) jN (leqW p)).
by have := grid_increases tables jN => g; field; lra.
Qed.

Lemma slope_range a j s : (j <= N)%nat -> 0 <= slope a j s <= 1.
Proof.
move=> jN; have up := @steps_up (slope a ^~ s) N (fun i => @slope_increases tables a i s).
have := up 0%nat j (leq0n j) jN; have := up j N jN (leqnn N); have := slope_nonneg tables a s.
by rewrite (slope_above (leqnn N) (position_at_most tables a s)); lra.
Qed.

Lemma others_range a x j : (j <= N)%nat -> 0 <= others a x j <= 1.
Proof.
move=> jN; apply: (big_ind (fun u => 0 <= u <= 1)) => [|u v|b _]; [lra | nra | exact: slope_range].
Qed.

Lemma others_increases a x j : (j < N)%nat -> others a x j <= others a x j.+1.
Proof.
move=> jN; suff : 0 <= others a x j <= others a x j.+1 by lra.
apply: (big_ind2 (fun u v => 0 <= u <= v)) => [|u v u' v'|b _]; [lra | nra |].
by have := slope_range b (x b) (ltnW jN); have := slope_increases tables b (x b) jN; lra.
Qed.

Lemma others_above a x j : (j <= N)%nat -> (forall b, (position b (x b) <= j)%nat) -> others a x j = 1.
Proof. by move=> jN h; rewrite /others big1 // => b _; exact: slope_above. Qed.

Lemma weight_nonneg a x j : (j <= N)%nat -> 0 <= weight a x j.
Proof.
by case: j => [|j] jN /=; [case: (others_range a x jN) | have := others_increases a x jN; lra].
Qed.

Lemma weight_total a x n : \sum_(j < n.+1) weight a x j = others a x n.
Proof. by elim: n => [|n IH]; [rewrite /=; lra | rewrite sum_recr IH /weight; lra]. Qed.

Lemma others_last a x : others a x N = 1.
Proof. by apply: others_above => // b; exact: position_at_most. Qed.

(* As a function of the state y of arm a, the others frozen, the formula is a mixture of retirement functions.
   step of: conc:V/hull *)
Theorem whittle_is_mixture a x y :
  whittle (moved x a y) = \sum_(j < N.+1) (weight a x j * phi a j y) /\
  (forall j, (j <= N)%nat -> 0 <= weight a x j) /\ \sum_(j < N.+1) weight a x j = 1.
Proof.
split; last by split; [exact: weight_nonneg | rewrite weight_total others_last].
have cell j : (j <= N)%nat ->
    (m j.+1 - m j) * \prod_(b : A) slope b j (moved x a y b) = (phi a j.+1 y - phi a j y) * others a x j.
  move=> jN; rewrite (bigD1 a) //= moved_same -Rmult_assoc; congr (_ * _).
    by rewrite /slope; field; have := grid_increases tables jN; lra.
  by apply: eq_bigr => b ba; rewrite moved_other.
have parts n : (n <= N)%nat -> \sum_(j < n.+1) ((phi a j.+1 y - phi a j y) * others a x j)
    = phi a n.+1 y * others a x n - \sum_(j < n.+1) (weight a x j * phi a j y).
  elim: n => [|n IH] nN; first by rewrite /=; ring.
  by rewrite sum_recr (IH (ltnW nN)) (sum_recr n.+1 (fun j => weight a x j * phi a j y)) [weight a x n.+1]/=; ring.
rewrite /whittle (@sum_to_ext _ _ (fun j => (phi a j.+1 y - phi a j y) * others a x j)); last first.
  by move=> j jN; exact: cell.
rewrite parts // others_last (retiring_above tables (leqnn _)) ?leqW ?(position_at_most tables) //; lra.
Qed.

Lemma moved_self x a : moved x a (x a) = x.
Proof. by apply/ffunP => b; rewrite ffunE; case: eqP => [->|]. Qed.

(* One step with arm a loses the mixture of what continuing loses against phi_a. *)
Lemma lookahead a x :
  whittle x - (reward M a (x a) + beta * mean (row M a (x a)) (fun y => whittle (moved x a y)))
  = \sum_(j < N.+1) (weight a x j * (phi a j (x a) - continuing a j (x a))).
Proof.
have [_ [_ total]] := whittle_is_mixture a x (x a).
have -> : whittle x = \sum_(j < N.+1) (weight a x j * phi a j (x a)).
  by rewrite -{1}(moved_self x a); case: (whittle_is_mixture a x (x a)).
rewrite (mean_ext _ (fun y => proj1 (whittle_is_mixture a x y))) mean_sum_to.
rewrite (@sum_to_ext _ (fun j => mean (row M a (x a)) (fun y => weight a x j * phi a j y))
  (fun j => weight a x j * mean (row M a (x a)) (phi a j))); last by move=> j _; rewrite mean_scale.
rewrite -[reward M a (x a)]Rmult_1_l -{1}total Rmult_comm -sum_to_scale -sum_to_scale -sum_to_add.
rewrite (_ : forall u v : R, u - v = u + -1 * v); last by move=> *; ring.
rewrite -sum_to_scale -sum_to_add; apply: sum_to_ext => j _; rewrite /continuing; ring.
Qed.

(* An arm of largest index. *)
Definition of_largest_index (x : state A S) (a : A) := forall b, (position b (x b) <= position a (x a))%nat.

Lemma lookahead_nonneg a x :
  reward M a (x a) + beta * mean (row M a (x a)) (fun y => whittle (moved x a y)) <= whittle x.
Proof.
suff : 0 <= \sum_(j < N.+1) (weight a x j * (phi a j (x a) - continuing a j (x a))) by rewrite -lookahead; lra.
apply: sum_to_nonneg => j jN; apply: Rmult_le_pos; first exact: weight_nonneg.
by have := continuing_at_most tables a (x a) (leqW jN); lra.
Qed.

Lemma lookahead_zero a x : of_largest_index x a ->
  reward M a (x a) + beta * mean (row M a (x a)) (fun y => whittle (moved x a y)) = whittle x.
Proof.
move=> largest; suff : \sum_(j < N.+1) (weight a x j * (phi a j (x a) - continuing a j (x a))) = 0.
  by rewrite -lookahead; lra.
rewrite (@sum_to_ext _ _ (fun _ => 0)) ?sum_to_const; first by ring.
move=> j jN; case: (leqP j (position a (x a))) => h.
  by rewrite (continuing_below tables (leqW jN) h); ring.
case: j jN h => // j jN h /=; rewrite !others_above //; first by ring.
- exact: ltnW.
- by move=> b; apply: leq_trans (largest b) _.
- by move=> b; apply: leq_trans (largest b) _; exact: ltnW.
Qed.

(* The formula is the optimal value, and every policy that plays an arm of largest index attains it: against all
   plans that look at the past and toss coins.
   step of: cited:whittle cited:gittins *)
Theorem whittle_is_optimal (pi : policy A S) : (forall x, of_largest_index x (pi x)) ->
  forall x, V beta M pi x = whittle x /\
    (forall pi', V beta M pi' x <= whittle x) /\
    forall q : plan [finType of state A S] A, is_plan q ->
      plan_value (P M) beta (fun a (x : state A S) => reward M a (x a)) q x <= whittle x.
Proof.
move=> largest x; split; last split.
- by apply: (V_unique discount hM) => {}x; rewrite lookahead_zero.
- by move=> pi'; apply: (V_at_most discount hM) => a y; exact: lookahead_nonneg.
- move=> q hq; apply: (plan_value_at_most (P_sub hM) discount hq) => a y.
  by rewrite mean_P; exact: lookahead_nonneg.
Qed.
End Retirement.
