(* The optimal value of a Markovian bandit from the retirement functions of its arms (Whittle's formula), on a finite
   grid of retirement rewards. Given tables of retirement values that satisfy simple conditions, the formula is the
   optimal value, and playing an arm of largest index is optimal.

   Curves are what stands for the retirement functions when they are computed on a grid, from estimates or otherwise.
   phi_a(s, .) is nondecreasing and convex, and is the retirement reward itself from the top of the grid on. Its slope on the
   cell [m_j, m_{j+1}) is the probability that Z_a(s), a random variable on the grid, is at most m_j; then
   phi_a(s, m) = E max(Z_a(s), m). The prevailing variable W_{-a}(x) is the largest Z_b(x_b) of the arms b other than a, the
   Z_b being independent (for a single arm it is m_0): weight a x j is the probability that it is m_j. *)

From kernel Require Import Prelude Sums Values Bandits.

Section Curves.
Variables (A S : finType) (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R).
Implicit Types (x : state A S) (f : nat -> R).

Definition slope (a : A) (j : nat) (s : S) : R := (phi a j.+1 s - phi a j s) / (m j.+1 - m j).

(* Whittle's formula: m_{G+1} less the sum over cells of their length times the product of the arms' slopes. *)
Definition whittle (x : state A S) : R :=
  m G.+1 - \sum_(j < G.+1) ((m j.+1 - m j) * \prod_(a : A) slope a j (x a)).

(* For arm a, with the others frozen in x: the product of the others' slopes, and the mixture's weights. *)
Definition others (a : A) (x : state A S) (j : nat) : R := \prod_(b : A | b != a) slope b j (x b).
Definition weight (a : A) (x : state A S) (j : nat) : R :=
  if j is i.+1 then others a x i.+1 - others a x i else others a x 0.

(* The grid is m_0 < ... < m_G, and a further point at which phi is the retirement reward too, so that the slope from m_G
   on is 1. *)
Record curves : Prop := {
  grid_up : forall j, (j <= G)%nat -> m j < m j.+1;
  curve_top : forall a s, phi a G s = m G /\ phi a G.+1 s = m G.+1;
  curve_up : forall a s, 0 <= slope a 0 s;
  curve_convex : forall a j s, (j < G)%nat -> slope a j s <= slope a j.+1 s
}.

(* The mean of f over the law of W_{-a}(x). *)
Definition prevailing (a : A) x f : R := \sum_(j < G.+1) (weight a x j * f j).
Notation over := prevailing.
Hypothesis phi_ok : curves.

Lemma slope_top a s : slope a G s = 1.
Proof. by rewrite /slope; have [-> ->] := curve_top phi_ok a s; have := grid_up phi_ok (leqnn G); move=> g; field; lra. Qed.

Lemma slopes_up a i j s : (i <= j <= G)%nat -> slope a i s <= slope a j s.
Proof. by move=> /andP [ij jG]; exact: (@steps_up (slope a ^~ s) G (fun i => @curve_convex phi_ok a i s)). Qed.

Lemma slope_01 a j s : (j <= G)%nat -> 0 <= slope a j s <= 1.
Proof.
move=> jG; have := @slopes_up a 0 j s jG; have := @slopes_up a j G s (ltac:(by rewrite jG leqnn)).
by rewrite slope_top; have := curve_up phi_ok a s; lra.
Qed.

Lemma curve_step a j s : (j <= G)%nat -> phi a j.+1 s - phi a j s = (m j.+1 - m j) * slope a j s.
Proof. by move=> jG; have := grid_up phi_ok jG; rewrite /slope => g; field; lra. Qed.

(* The excess over the retirement reward lies between 0 and m_G - m_j, and falls. *)
Lemma excess_range a j s : (j <= G)%nat -> 0 <= phi a j s - m j <= m G - m j.
Proof.
move=> jG; rewrite -(subKn jG); elim: (G - j)%nat (leq_subr j G) => [|l IH] h.
  by rewrite subn0; have [-> _] := curve_top phi_ok a s; lra.
have lt : (G - l.+1 < G)%nat by rewrite ltn_subrL /=; exact: leq_trans h.
have := IH (ltnW h); rewrite -(subnSK h); set i := (G - l.+1)%nat in lt *.
have st := curve_step a s (ltnW lt); have [s0 s1] := slope_01 a s (ltnW lt); have g := grid_up phi_ok (ltnW lt).
by nra.
Qed.

Lemma others_01 a x j : (j <= G)%nat -> 0 <= others a x j <= 1.
Proof. by move=> jG; apply: (big_ind (fun u => 0 <= u <= 1)) => [|u v|b _]; [lra | nra | exact: slope_01]. Qed.

Lemma others_up a x j : (j < G)%nat -> others a x j <= others a x j.+1.
Proof.
move=> jG; suff : 0 <= others a x j <= others a x j.+1 by lra.
apply: (big_ind2 (fun u v => 0 <= u <= v)) => [|u v u' v'|b _]; [lra | nra |].
by have := slope_01 b (x b) (ltnW jG); have := curve_convex phi_ok b (x b) jG; lra.
Qed.

Lemma others_top a x : others a x G = 1.
Proof. by rewrite /others big1 // => b _; exact: slope_top. Qed.

(* weight a x is a law on 0, ..., G. *)
Lemma weight_pos a x j : (j <= G)%nat -> 0 <= weight a x j.
Proof. by case: j => [|j] jG /=; [case: (others_01 a x jG) | have := others_up a x jG; lra]. Qed.

Lemma weights_one a x : \sum_(j < G.+1) weight a x j = 1.
Proof.
rewrite -(others_top a x); elim: (G) => [|n IH]; [rewrite /=; lra | rewrite sum_recr IH /weight; lra].
Qed.

Lemma weight_moved a x y j : weight a (moved x a y) j = weight a x j.
Proof.
have e k : others a (moved x a y) k = others a x k by apply: eq_bigr => b ba; rewrite moved_other.
by case: j => [|j] /=; rewrite !e.
Qed.

(* Means over the prevailing variable. *)
Lemma prevailing_ext a x f g : (forall j, (j <= G)%nat -> f j = g j) -> over a x f = over a x g.
Proof. by move=> h; apply: sum_to_ext => j jG; rewrite h. Qed.

Lemma prevailing_le a x f g : (forall j, (j <= G)%nat -> f j <= g j) -> over a x f <= over a x g.
Proof. by move=> h; apply: sum_to_le => j jG; apply: Rmult_le_compat_l; [exact: weight_pos | exact: h]. Qed.

Lemma prevailing_add a x f g : over a x (fun j => f j + g j) = over a x f + over a x g.
Proof. by rewrite /prevailing -sum_to_add; apply: sum_to_ext => j _; ring. Qed.

Lemma prevailing_scale a x c f : over a x (fun j => c * f j) = c * over a x f.
Proof. by rewrite /prevailing -sum_to_scale; apply: sum_to_ext => j _; ring. Qed.

Lemma prevailing_const a x c : over a x (fun _ => c) = c.
Proof.
rewrite /prevailing (@sum_to_ext _ _ (fun j => c * weight a x j)) => [|j _]; last by ring.
by rewrite sum_to_scale weights_one Rmult_1_r.
Qed.

Lemma prevailing_nonneg a x f : (forall j, (j <= G)%nat -> 0 <= f j) -> 0 <= over a x f.
Proof. by move=> h; rewrite -(prevailing_const a x 0); exact: prevailing_le. Qed.

Lemma prevailing_moved a x y f : over a (moved x a y) f = over a x f.
Proof. by apply: sum_to_ext => j _; rewrite weight_moved. Qed.

Lemma prevailing_mean a x (q : S -> R) (f : nat -> S -> R) :
  mean q (fun y => over a x (fun j => f j y)) = over a x (fun j => mean q (f j)).
Proof. by rewrite /prevailing mean_sum_to; apply: sum_to_ext => j _; rewrite mean_scale. Qed.

(* Summation by parts: what f falls by on a cell counts with the probability that W is at most m_j. *)
Lemma prevailing_by_parts a x f : over a x f = f G - \sum_(j < G) (others a x j * (f j.+1 - f j)).
Proof.
have parts n : \sum_(j < n.+1) (weight a x j * f j) = others a x n * f n - \sum_(j < n) (others a x j * (f j.+1 - f j)).
  elim: n => [|n IH]; first by rewrite /=; ring.
  by rewrite sum_recr IH (sum_recr n) /weight; ring.
by rewrite /prevailing parts others_top; ring.
Qed.

(* E max_b Z_b(x_b), Whittle's formula: as a function of the state of one arm, the mean of its curve at the prevailing
   variable of the others. *)
Lemma whittle_cells x : whittle x = m G - \sum_(j < G) ((m j.+1 - m j) * \prod_(a : A) slope a j (x a)).
Proof.
rewrite /whittle sum_recr big1 => [|a _]; [ring | exact: slope_top].
Qed.

Lemma whittle_prevailing a x y : whittle (moved x a y) = over a x (fun j => phi a j y).
Proof.
rewrite whittle_cells prevailing_by_parts; have [-> _] := curve_top phi_ok a y; congr (_ - _); apply: sum_to_ext => j jG.
rewrite (bigD1 a) //= moved_same curve_step; last exact: ltnW.
rewrite [X in _ = X]Rmult_comm Rmult_assoc; congr (_ * (_ * _)); by apply: eq_bigr => b ba; rewrite moved_other.
Qed.

Lemma moved_self x a : moved x a (x a) = x.
Proof. by apply/ffunP => b; rewrite ffunE; case: eqP => [->|]. Qed.

Lemma whittle_at a x : whittle x = over a x (fun j => phi a j (x a)).
Proof. by rewrite -whittle_prevailing moved_self. Qed.

(* From position a s on, phi_a(s, .) is the retirement reward itself; the index of s is the least grid point with that. *)
Definition retires_from (position : A -> S -> nat) := forall a s, (position a s <= G)%nat /\
  forall j, (j <= G)%nat -> (position a s <= j)%nat -> phi a j s = m j.
Definition is_index (position : A -> S -> nat) := retires_from position /\
  forall a s j, (j < position a s)%nat -> m j < phi a j s.

(* An arm of largest index. *)
Definition of_largest_index (position : A -> S -> nat) x (a : A) := forall b, (position b (x b) <= position a (x a))%nat.

Variable position : A -> S -> nat.
Hypothesis retires : retires_from position.

Lemma slope_retired a j s : (position a s <= j <= G)%nat -> slope a j s = 1.
Proof.
move=> /andP [pj]; rewrite leq_eqVlt => /orP [/eqP ->|jG]; first exact: slope_top.
have [_ above] := retires a s; have g := grid_up phi_ok (ltnW jG).
by rewrite /slope (above j) ?(above j.+1) // ?(ltnW jG) ?(leqW pj) //; field; lra.
Qed.

(* Where a is an arm of largest index, the prevailing variable of the others is at most that index. *)
Lemma weight_retired a x j : of_largest_index position x a -> (position a (x a) < j <= G)%nat -> weight a x j = 0.
Proof.
move=> largest; case: j => // i /andP [pi iG].
have one k : (position a (x a) <= k <= G)%nat -> others a x k = 1.
  move=> /andP [pk kG]; rewrite /others big1 // => b _; apply: slope_retired; rewrite kG andbT.
  by apply: leq_trans (largest b) pk.
by rewrite /= !one ?iG ?(ltnW iG) ?(ltnW pi) //; [ring | rewrite andbT; exact: ltnSE].
Qed.

Lemma prevailing_le_index a x f g : of_largest_index position x a -> (forall j, (j <= position a (x a))%nat -> f j <= g j) ->
  over a x f <= over a x g.
Proof.
move=> largest le; apply: sum_to_le => j; rewrite ltnS => jG; case: (leqP j (position a (x a))) => h.
  by apply: Rmult_le_compat_l; [exact: weight_pos | exact: le].
by rewrite weight_retired ?h //; lra.
Qed.

End Curves.

Section Retirement.
Variables (A S : finType) (beta : R) (M : model A S).
Hypotheses (discount : is_discount beta) (hM : markovian M).

(* Retirement rewards m_0 < m_1 < ... < m_{N+1}; phi_a(s, m_j), what arm a is worth in state s when one may retire
   with m_j at any time; and the position of the index of s in the grid: continuing is optimal up to there, retiring
   from there on. *)
Variables (N : nat) (m : nat -> R) (phi : A -> nat -> S -> R) (position : A -> S -> nat).
Notation slope := (slope m phi).
Notation whittle := (whittle N m phi).
Notation of_largest_index := (of_largest_index position).
Implicit Types (x : state A S).

Definition continuing (a : A) (j : nat) (s : S) : R := reward M a s + beta * mean (row M a s) (phi a j).

Record retirement_tables : Prop := {
  grid_increases : forall j, (j <= N)%nat -> m j < m j.+1;
  continuing_at_most : forall a j s, (j <= N.+1)%nat -> continuing a j s <= phi a j s;
  continuing_below : forall a j s, (j <= N.+1)%nat -> (j <= position a s)%nat -> phi a j s = continuing a j s;
  retiring_above : forall a j s, (j <= N.+1)%nat -> (position a s <= j)%nat -> phi a j s = m j;
  position_at_most : forall a s, (position a s <= N)%nat;
  slope_nonneg : forall a s, 0 <= slope a 0 s;
  slope_increases : forall a j s, (j < N)%nat -> slope a j s <= slope a j.+1 s
}.

Hypothesis tables : retirement_tables.

Lemma tables_are_curves : curves N m phi.
Proof.
split=> [|a s||]; [exact: grid_increases tables | | exact: slope_nonneg | exact: slope_increases].
by split; apply: (retiring_above tables) => //; [exact: (position_at_most tables) | exact: leqW (position_at_most tables a s)].
Qed.
Notation ok := tables_are_curves.

Lemma tables_retire : retires_from N m phi position.
Proof. by move=> a s; split=> [|j jN]; [exact: (position_at_most tables) | apply: (retiring_above tables); exact: leqW]. Qed.

(* As a function of the state y of arm a, the others frozen, the formula is a mixture of retirement functions.
   step of: conc:V/hull *)
Theorem whittle_is_mixture a x y :
  whittle (moved x a y) = \sum_(j < N.+1) (weight m phi a x j * phi a j y) /\
  (forall j, (j <= N)%nat -> 0 <= weight m phi a x j) /\ \sum_(j < N.+1) weight m phi a x j = 1.
Proof. by split; [exact: (whittle_prevailing ok) | split; [exact: (weight_pos ok) | exact: (weights_one ok)]]. Qed.

(* One step with arm a is worth the mixture of what continuing is. *)
Lemma lookahead a x : reward M a (x a) + beta * mean (row M a (x a)) (fun y => whittle (moved x a y)) =
  prevailing N m phi a x (fun j => continuing a j (x a)).
Proof.
rewrite /continuing prevailing_add (prevailing_const ok) prevailing_scale -prevailing_mean.
by congr (_ + _ * _); apply: mean_ext => y; exact: (whittle_prevailing ok).
Qed.

Lemma lookahead_nonneg a x :
  reward M a (x a) + beta * mean (row M a (x a)) (fun y => whittle (moved x a y)) <= whittle x.
Proof.
rewrite lookahead (whittle_at ok a); apply: (prevailing_le ok) => j jN.
by apply: (continuing_at_most tables); exact: leqW.
Qed.

Lemma lookahead_zero a x : of_largest_index x a ->
  reward M a (x a) + beta * mean (row M a (x a)) (fun y => whittle (moved x a y)) = whittle x.
Proof.
move=> largest; apply: Rle_antisym (lookahead_nonneg a x) _; rewrite lookahead (whittle_at ok a).
apply: (prevailing_le_index ok tables_retire largest) => j jp; rewrite (continuing_below tables) //; first exact: Rle_refl.
by apply: leqW (leq_trans jp _); exact: (position_at_most tables).
Qed.

(* The formula is the optimal value, and every policy that plays an arm of largest index attains it: against all
   plans that look at the past and toss coins.
   step of: cited:whittle gittins-optimal *)
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
