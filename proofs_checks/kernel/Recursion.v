(* One episode of MB-UCBVI on its events: the recursion and its unfolding (1.5 and 1.6 of the notes on sharper bounds). With
   G = V_k - V^{pi_k}, the optimistic value less what the policy earns, 0 <= V* - V^{pi_k} <= G and
   G <= 2 b + beta Gamma sum_y (Qhat - (1+eps) Q)^+ + beta (1+eps) Q G: only one side of the rows' deviation is needed, since
   V_k - V* lies between 0 and G. *)

From kernel Require Import Prelude Sums Values Bandits UcbviOptimism Simulation.

Section Episode.
Variables (A S : finType) (beta : R) (M : model A S).
Variables (rhat : A -> S -> R) (Qhat : A -> S -> S -> R) (b excess : A -> S -> R) (pistar pik : policy A S) (eps top : R).
Hypotheses (discount : is_discount beta) (hM : markovian M) (rows : forall a s, probability (Qhat a s)) (eps0 : 0 <= eps).
Let Mk := bonus_model rhat Qhat b.
Hypotheses (best : forall pi x, V beta M pi x <= V beta M pistar x) (optimal : forall pi x, V beta Mk pi x <= V beta Mk pik x).

(* The two events at the estimates of this episode, and a bound on V_k. *)
Hypothesis covered : forall (x : state A S) a, let f := fun y => V beta M pistar (moved x a y) in
  Rabs (rhat a (x a) - reward M a (x a) + beta * (mean (Qhat a (x a)) f - mean (row M a (x a)) f)) <= b a (x a).
Hypothesis one_sided : forall a s, \sum_(y : S) Rmax 0 (Qhat a s y - (1 + eps) * row M a s y) <= excess a s.
Hypothesis bounded : forall x, V beta Mk pik x <= top.
Hypothesis values0 : forall x, 0 <= V beta M pik x.

Let hMk : markovian Mk. Proof. exact: rows. Qed.
Definition surplus_value (x : state A S) : R := V beta Mk pik x - V beta M pik x.
Notation G := surplus_value.
Definition cost (a : A) (s : S) : R := 2 * b a s + beta * (top * excess a s).

(* 1.3: the learner's value is at least the optimal one. *)
Theorem optimistic x : V beta M pistar x <= V beta Mk pik x.
Proof.
apply: (event_suffices discount hM _ optimal) => [a|y]; last exact: covered.
by split=> s *; [exact: (proj1 (rows a s)) | rewrite (proj2 (rows a s)); lra].
Qed.

Lemma bound_nonneg (x : state A S) : 0 <= top.
Proof. by have := bounded x; have := optimistic x; have := best pik x; have := values0 x; lra. Qed.

(* What G is at most, by what it is after one step.
   ledger: beyond:upper/recursion *)
Theorem recursion x : G x <= cost (pik x) (x (pik x)) + beta * (1 + eps) * mean (P M (pik x) x) G.
Proof.
set a := pik x; set q := Qhat a (x a); set p := row M a (x a); case: (discount) => b0 b1.
pose D y := V beta Mk pik (moved x a y) - V beta M pistar (moved x a y).
pose Gm y := G (moved x a y); pose Vs y := V beta M pistar (moved x a y).
have D0 y : 0 <= D y by rewrite /D; have := optimistic (moved x a y); lra.
have DG y : D y <= Gm y by rewrite /D /Gm /G; have := best pik (moved x a y); lra.
have Dtop y : D y <= top by rewrite /D; have := bounded (moved x a y); have := best pik (moved x a y); have := values0 (moved x a y); lra.
have dev := covered x a; rewrite /= -/q -/p -/Vs in dev.
have p0 y : 0 <= p y by exact: (proj1 (hM a (x a))).
rewrite mean_P -/p -/Gm {1}/G (V_bellman discount hMk pik x) (V_bellman discount hM pik x) -/a [reward Mk _ _]/= [row Mk _ _]/= -/q -/p.
have eD : mean q (fun y => V beta Mk pik (moved x a y)) = mean q Vs + mean q D.
  by rewrite -mean_add; apply: mean_ext => y; rewrite /Vs /D; ring.
have eG : mean p (fun y => V beta M pik (moved x a y)) = mean p Vs + mean p D - mean p Gm.
  by rewrite -mean_add -mean_sub; apply: mean_ext => y; rewrite /Vs /D /Gm /G; ring.
have one : mean q D <= (1 + eps) * mean p D + top * excess a (x a).
  exact: (one_sided_mean (fun y => conj (D0 y) (Dtop y)) (one_sided a (x a)) (bound_nonneg x)).
have two : mean p D <= mean p Gm by exact: mean_le.
have h1 := Rmult_le_compat_l _ _ _ b0 one; have h2 := Rmult_le_compat_l (beta * eps) _ _ (Rmult_le_pos _ _ b0 eps0) two.
have h3 := Rle_trans _ _ _ (Rle_abs _) dev; rewrite eD eG /cost; lra.
Qed.

Notation chain := (fun y => P M (pik y) y).
Notation costs := (fun y => cost (pik y) (y (pik y))).

(* 1.6: T steps of it.
   ledger: beyond:upper/recursion *)
Theorem unfolded_at T x : G x <= \sum_(t < T) ((beta * (1 + eps)) ^ t * reward_at chain costs t x) + (beta * (1 + eps)) ^ T * top.
Proof.
case: (discount) => b0 b1; apply: unfold_recursion => [y||y|y]; [exact: P_stochastic | nra | exact: recursion |].
by have := bounded y; have := values0 y; rewrite /G; lra.
Qed.

(* With (1+eps)^T <= e: what the episode costs is e times what T steps of the chain cost, discounted, and a rest. *)
Lemma episode_on_events e T x : (1 + eps) ^ T <= e -> (forall a s, 0 <= b a s) ->
  V beta M pistar x - V beta M pik x <= e * (\sum_(t < T) (beta ^ t * reward_at chain costs t x)) + e * beta ^ T * top.
Proof.
move=> small bonus0; case: (discount) => b0 b1; have t0 := bound_nonneg x.
apply: Rle_trans (_ : _ <= G x) _; first by have := optimistic x; rewrite /G; lra.
apply: Rle_trans (unfolded_at T x) _.
have pw n : (n <= T)%nat -> (1 + eps) ^ n <= e.
  by move=> nT; apply: Rle_trans small; apply: Rle_pow; [lra | exact/leP].
have cost0 a s : 0 <= cost a s.
  have ex0 : 0 <= excess a s by apply: Rle_trans (one_sided a s); apply: sum_nonneg => y _; exact: Rmax_l.
  by have := bonus0 a s; have := Rmult_le_pos _ _ b0 (Rmult_le_pos _ _ t0 ex0); rewrite /cost; lra.
have r0 t y : 0 <= reward_at chain costs t y.
  elim: t y => [|t IH] y /=; first exact: cost0.
  by apply: mean_nonneg => // z; exact: (proj1 (P_stochastic (pik y) y hM)).
rewrite -sum_to_scale; apply: Rplus_le_compat.
  apply: sum_to_le => t tT; rewrite Rpow_mult_distr.
  have := Rmult_le_compat_r _ _ _ (Rmult_le_pos _ _ (pow_le beta t b0) (r0 t x)) (pw t (ltnW tT)); lra.
rewrite Rpow_mult_distr; have := Rmult_le_compat_r _ _ _ (Rmult_le_pos _ _ (pow_le beta T b0) t0) (pw T (leqnn T)); lra.
Qed.
End Episode.
