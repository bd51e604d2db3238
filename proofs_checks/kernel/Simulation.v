(* The simulation lemma for discounted values, unfolded along the play in the true bandit. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes.

(* D <= g + b P D, T0 times. *)
Lemma unfold_recursion (X : finType) (P : X -> X -> R) (g D : X -> R) (b C : R) T0 x : (forall x, probability (P x)) -> 0 <= b ->
  (forall x, D x <= g x + b * mean (P x) D) -> (forall x, D x <= C) ->
  D x <= \sum_(t < T0) (b ^ t * reward_at P g t x) + b ^ T0 * C.
Proof.
move=> P_ok b0 rec DC; elim: T0 x => [|T0 IH] x; first by rewrite /=; have := DC x; lra.
rewrite sum_recl; apply: Rle_trans (rec x) _.
have m := mean_le (proj1 (P_ok x)) IH; rewrite mean_add mean_sum_to (mean_of_const _ (P_ok x)) in m.
have := Rmult_le_compat_l _ _ _ b0 m; rewrite Rmult_plus_distr_l -sum_to_scale.
rewrite (@sum_to_ext T0 _ (fun t => b ^ t.+1 * reward_at P g t.+1 x)); last by move=> t _; rewrite mean_scale /=; ring.
rewrite /=; lra.
Qed.

(* One policy in two bandits, rewards in [0, 1]: what its value in the second, M', exceeds that in M by.
   step of: thm:regret_upper_bound *)
Theorem simulation (A S : finType) (beta : R) (M M' : model A S) (pi : policy A S) (g : cell A S -> R) T0 x :
  is_discount beta -> markovian M -> markovian M' -> unit_rewards M -> unit_rewards M' ->
  (forall a s, Rabs (reward M' a s - reward M a s) + beta * (1 / (1 - beta) / 2) * distance (row M' a s) (row M a s) <= g (a, s)) ->
  V beta M' pi x - V beta M pi x <=
    \sum_(t < T0) (beta ^ t * reward_at (fun y => P M (pi y) y) (fun y => g (pi y, y (pi y))) t x) + beta ^ T0 * (1 / (1 - beta)).
Proof.
move=> discount hM hM' u u' near; case: (discount) => b0 b1.
apply: (unfold_recursion (D := fun x => V beta M' pi x - V beta M pi x)) => // [y|y|y].
- exact: P_stochastic.
- rewrite mean_sub !mean_P; move: (near (pi y) (y (pi y))); set a := pi y; set s := y a => n.
  have e1 := V_bellman discount hM' pi y; have e2 := V_bellman discount hM pi y; rewrite -/a -/s in e1 e2.
  have range z : 0 <= V beta M' pi (moved y a z) <= 1 / (1 - beta) by exact: V_range.
  have sums : \sum_(z : S) row M' a s z = \sum_(z : S) row M a s z by rewrite (proj2 (hM a s)) (proj2 (hM' a s)).
  have d := Rmult_le_compat_l _ _ _ b0 (mean_difference_half range sums).
  by have := Rle_abs (reward M' a s - reward M a s); lra.
- by have := V_range discount hM pi u y; have := V_range discount hM' pi u' y; lra.
Qed.
