(* Bounds for the error in the law of total variance, from bounds on the cells of the grid below the index of the played arm;
   and the value of the curves, E max Z, from what lies above the curve of the played arm below its index. *)

From kernel Require Import Prelude Sums Values Bandits Retirement Curves OtherArms VarianceStep.

Section Bounds.
Variables (A S : finType) (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R).
Hypotheses (phi_ok : curves G m phi) (grid_0 : 0 <= m 0%nat).
Notation slope := (slope m phi).

Lemma grid_le j : (j <= G)%nat -> 0 <= m j <= m G.
Proof. by apply: grid_range => // i iG; exact: (grid_up phi_ok (ltnW iG)). Qed.

(* The slopes of the played arm exceed beta times their mean at the next step by at most c, but for the last cell below p. *)
Lemma slope_error_at_most (beta : R) (q : S -> R) a p s (c d : R) : 0 <= beta -> probability q -> (p <= G)%nat -> 0 <= c ->
  (forall j, (j.+1 < p)%nat -> slope a j s - beta * mean q (slope a j) <= c) -> (forall j, (j < p)%nat -> m j.+1 - m j <= d) ->
  slope_error G m phi beta q a p s <= c * (m G ^ 2 / 2) + m G * Rmax 0 d.
Proof.
move=> b0 q_ok pG c0 slopes cells; case: p pG slopes cells => [|p] pG slopes cells.
  rewrite /slope_error /=; have [g0 g1] := grid_le (leq0n G); have := Rmax_l 0 d; have := pow2_ge_0 (m G) => sq d0.
  by apply: Rplus_le_le_0_compat; apply: Rmult_le_pos; lra.
rewrite /slope_error sum_recr; apply: Rplus_le_compat.
  pose area j := m G * m j - m j ^ 2 / 2.
  apply: Rle_trans (_ : _ <= \sum_(j < p) (c * (area j.+1 - area j))) _.
    apply: sum_to_le => j jp; have jG : (j < G)%nat by exact: leq_trans jp (ltnW pG).
    have g := grid_up phi_ok (ltnW jG); have [_ g1] := grid_le jG; have [_ g2] := grid_le (ltnW jG).
    have -> : area j.+1 - area j = (m j.+1 - m j) * (m G - (m j + m j.+1) / 2) by rewrite /area; field.
    rewrite Rmult_comm; apply: Rmult_le_compat_r; first by apply: Rmult_le_pos; lra.
    by apply: Rmax_lub => //; exact: slopes.
  rewrite sum_to_scale; apply: Rmult_le_compat_l => //.
  have tel n : \sum_(j < n) (area j.+1 - area j) = area n - area 0%nat.
    by elim: n => [|n IH]; [rewrite /=; ring | rewrite sum_recr IH; ring].
  have pG' : (p <= G)%nat by exact: ltnW.
  rewrite tel /area; have [p0 p1] := grid_le pG'; have [g0 g1] := grid_le (leq0n G).
  by have := pow2_ge_0 (m G - m p); have := pow2_ge_0 (m 0%nat); have : 0 <= m 0%nat * (m G - m 0%nat); [apply: Rmult_le_pos; lra | nra].
have g := grid_up phi_ok (ltnW pG); have cell := cells p (ltnSn p); have [p0 p1] := grid_le pG; have [p2 p3] := grid_le (ltnW pG).
have [s0 s1] := slope_01 phi_ok a s (ltnW pG); have dd := Rmax_r 0 d.
have m0 : 0 <= mean q (slope a p) by apply: mean_nonneg => [|y]; [exact: (proj1 q_ok) | case: (slope_01 phi_ok a y (ltnW pG))].
have bm := Rmult_le_pos _ _ b0 m0.
have r1 : Rmax 0 (slope a p s - beta * mean q (slope a p)) <= 1 by apply: Rmax_lub; lra.
apply: Rle_trans (_ : _ <= (m p.+1 - m p) * (m G - (m p + m p.+1) / 2) * 1) _.
  by apply: Rmult_le_compat_l => //; apply: Rmult_le_pos; lra.
by rewrite Rmult_1_r Rmult_comm; apply: Rmult_le_compat; lra.
Qed.
End Bounds.

(* 2 B E g^+ + 2 eta, from a bound u on the gains up to the index, and c, d as above. *)
Lemma variance_error_at_most (A S : finType) (beta : R) (M : model A S) (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R)
    (position : A -> S -> nat) a (x : state A S) (u c d : R) : is_discount beta -> markovian M ->
  curves G m phi -> retires_from G m phi position -> 0 <= m 0%nat -> m G <= 1 / (1 - beta) -> of_largest_index position x a ->
  0 <= u -> 0 <= c -> 0 <= d ->
  (forall j, (j <= position a (x a))%nat -> phi a j (x a) - continuing beta M phi a j (x a) <= u) ->
  (forall j, (j.+1 < position a (x a))%nat -> slope m phi a j (x a) - beta * mean (row M a (x a)) (slope m phi a j) <= c) ->
  (forall j, (j < position a (x a))%nat -> m j.+1 - m j <= d) ->
  variance_error beta M G m phi a (position a (x a)) x <= 2 * (1 / (1 - beta)) * (u + d) + (1 / (1 - beta)) ^ 2 * c.
Proof.
move=> [b0 b1] hM phi_ok retires g0 gB largest u0 c0 d0 gains slopes cells.
have B0 : 0 < 1 / (1 - beta) by apply: Rdiv_lt_0_compat; lra.
have gain : mean_gain beta M G m phi a x <= u.
  rewrite -(prevailing_const phi_ok a x u); apply: (prevailing_le_index phi_ok retires largest) => j jp.
  by apply: Rmax_lub => //; exact: gains.
have [pG _] := retires a (x a).
have err := slope_error_at_most phi_ok g0 b0 (hM a (x a)) pG c0 slopes cells; rewrite Rmax_right // in err.
have [_ mG] := grid_le phi_ok g0 (leq0n G); rewrite /variance_error; move: gB err B0; set B := 1 / (1 - beta) => gB err B0.
have h1 := Rmult_le_compat_l _ _ _ (ltac:(lra) : 0 <= 2 * B) gain.
have h2 : m G * d <= B * d by apply: Rmult_le_compat_r.
have h3 : c * (m G ^ 2 / 2) <= c * (B ^ 2 / 2).
  apply: Rmult_le_compat_l => //; apply: Rmult_le_compat_r; first lra.
  by apply: pow_incr; lra.
lra.
Qed.
