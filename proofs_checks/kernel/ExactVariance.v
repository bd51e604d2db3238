(* The law of total variance in the exact model: the curves are the retirement functions of the true arms, on a grid that holds
   their breakpoints. Then there is no error, and E max Z is the optimal value. *)

From kernel Require Import Prelude Sums Values Bandits Retirement Gittins Hull LocalVariance Curves OtherArms VarianceStep.
From kernel Require Import TotalVariance ArmByArm.

Section Exact.
Variables (A S : finType) (beta : R) (M : model A S) (N : nat) (m : nat -> R) (phi : A -> nat -> S -> R) (position : A -> S -> nat).
Hypotheses (discount : is_discount beta) (hM : markovian M) (tables : retirement_tables beta M N m phi position).
Notation phi_ok := (tables_are_curves tables).

Lemma no_error a x : of_largest_index position x a -> variance_error beta M N m phi a (position a (x a)) x = 0.
Proof.
move=> largest; rewrite /variance_error /slope_error.
have -> : mean_gain beta M N m phi a x = 0.
  apply: Rle_antisym; last by apply: (prevailing_nonneg phi_ok) => j _; exact: Rmax_l.
  rewrite -(prevailing_const phi_ok a x 0); apply: (prevailing_le_index phi_ok (tables_retire tables) largest) => j jp.
  have jN := leqW (leq_trans jp (position_at_most tables a (x a))).
  by rewrite (continuing_below tables jN jp) Rminus_diag_eq // Rmax_left; lra.
rewrite (@sum_to_ext _ _ (fun _ => 0)) ?sum_to_const => [|j jp]; first by ring.
have jN : (j <= N)%nat by apply: leq_trans (ltnW jp) (position_at_most tables a (x a)).
rewrite (_ : slope m phi a j (x a) - _ = 0) ?Rmax_left; [ring | lra |].
have -> : mean (row M a (x a)) (slope m phi a j) = (mean (row M a (x a)) (phi a j.+1) - mean (row M a (x a)) (phi a j)) * / (m j.+1 - m j).
  rewrite -mean_sub /slope Rmult_comm -mean_scale; apply: mean_ext => y; rewrite /Rdiv; ring.
have c1 := continuing_below tables (a := a) (s := x a) (leqW jN) (ltnW jp).
have c2 := continuing_below tables (a := a) (s := x a) (j := j.+1) jN jp.
by rewrite /slope c1 c2 /continuing /Rdiv; ring.
Qed.

Hypotheses (unit : unit_rewards M) (grid_0 : 0 <= m 0%nat) (grid_B : m N <= 1 / (1 - beta)).

Lemma exact_total_variance (pi : policy A S) x : (forall x, of_largest_index position x (pi x)) ->
  beta * discounted (fun x => P M (pi x) x) beta (variance_played M N m phi pi) x <= (1 / (1 - beta)) ^ 2.
Proof.
move=> largest; have [b0 b1] := discount; have sub := sub_policy (P_sub hM) pi.
apply: Rle_trans (total_variance discount hM unit phi_ok grid_0 grid_B (tables_retire tables) largest x) _.
rewrite -[X in _ <= X]Rplus_0_r; apply: Rplus_le_compat_l.
by apply: (discounted_at_most sub discount (W := fun _ => 0)) => y; rewrite /error_played no_error // mean_const; lra.
Qed.
End Exact.

(* Such a grid: the breakpoints themselves. *)
Section Breakpoints.
Variables (A S : finType) (beta : R) (M : model A S).
Hypotheses (discount : is_discount beta) (hM : markovian M) (unit : unit_rewards M).
Variable gamma : A -> S -> R.
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).

(* With rewards in [0, 1] the indices are there too. *)
Lemma index_unit a s : 0 <= gamma a s <= 1.
Proof. by have := index_range discount (hM a) (indices a s) (fun y => proj2 (unit a y)); have := unit a s; lra. Qed.

Lemma breakpoint_grid (a0 : A) (s0 : S) : exists N (m : nat -> R) (position : A -> S -> nat),
  [/\ forall j, (j <= N)%nat -> m j < m j.+1, 0 <= m 0%nat, m N <= 1 / (1 - beta),
    forall a s, (position a s <= N)%nat /\ (1 - beta) * m (position a s) = gamma a s
  & forall a b s z, gamma b z <= gamma a s -> (position b z <= position a s)%nat].
Proof.
have [b0 b1] := discount; have x1 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have [N [u [pos [inc hpos order]]]] := grid_exists (fun c : A * S => gamma c.1 c.2) (a0, s0).
have [hi top] := exists_max (a0, s0) (fun c : A * S => gamma c.1 c.2).
have [lo bot] := exists_max (a0, s0) (fun c : A * S => - gamma c.1 c.2).
have between c : (pos lo <= pos c <= pos hi)%nat by rewrite !order //; have := bot c; lra.
have [hiN hie] := hpos hi; have [loN loe] := hpos lo.
exists (pos hi - pos lo)%nat, (fun j => u (pos lo + j)%nat / (1 - beta)), (fun a s => (pos (a, s) - pos lo)%nat); split.
- move=> j jN; apply: Rmult_lt_compat_r => //; rewrite addnS; apply: inc; apply: leq_trans hiN.
  by rewrite -(subnKC (proj1 (andP (between hi)))) leq_add2l.
- by rewrite addn0 loe; apply: Rmult_le_pos; [case: (index_unit lo.1 lo.2) | lra].
- rewrite subnKC; last by case/andP: (between hi).
  by rewrite hie; apply: Rmult_le_compat_r; [lra | case: (index_unit hi.1 hi.2)].
- move=> a s; have /andP [h1 h2] := between (a, s); have [_ e] := hpos (a, s); split; first exact: leq_sub2r.
  by rewrite subnKC // e /=; field; lra.
- by move=> a b s z le; apply: leq_sub2r; exact: (order (a, s) (b, z)).
Qed.

(* The optimal policy of the true bandit.
   ledger: beyond:prevailing beyond:total-variance *)
Theorem total_variance_of_optimal (pi : policy A S) (x0 : state A S) : plays_largest_index gamma pi ->
  exists N m position, let phi := true_curve beta M m in
    [/\ retirement_tables beta M N m phi position,
        forall x, V beta M pi x = whittle N m phi x,
        forall a x y, V beta M pi (moved x a y) = prevailing N m phi a x (fun j => phi a j y)
      & forall x, beta * discounted (fun x => P M (pi x) x) beta (variance_played M N m phi pi) x <= (1 / (1 - beta)) ^ 2].
Proof.
move=> largest; have [N [m [position [up m0 mB pos order]]]] := breakpoint_grid (pi x0) (x0 (pi x0)).
have tables := true_tables discount hM up indices pos.
have pos_largest y : of_largest_index position y (pi y) by move=> b; apply: order; exact: largest.
have value y : V beta M pi y = whittle N m (true_curve beta M m) y by case: (whittle_is_optimal discount hM tables pos_largest y).
exists N, m, position; split=> // [a x y|x].
- by rewrite value (whittle_prevailing (tables_are_curves tables)).
- exact: (exact_total_variance discount hM tables unit m0 mB).
Qed.
End Breakpoints.

(* The same with nothing left to be found: the retirement functions solve their equation, and the indices lie on the grid. *)
Section OnGrid.
Variables (A S : finType) (beta : R) (M : model A S) (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R) (position : A -> S -> nat).
Hypotheses (discount : is_discount beta) (hM : markovian M) (unit : unit_rewards M).
Hypotheses (up : forall j, (j <= G)%nat -> m j < m j.+1) (grid_0 : 0 <= m 0%nat) (grid_B : m G <= 1 / (1 - beta)).
Hypothesis equation : forall a s j, phi a j s = Rmax (m j) (continuing beta M phi a j s).
Hypothesis indices : forall a s, (position a s <= G)%nat /\ continuing beta M phi a (position a s) s = m (position a s).

Lemma solution_is_true a j s : phi a j s = true_curve beta M m a j s.
Proof.
have sub : substochastic (row M a) by split=> y *; [exact: (proj1 (hM a y)) | rewrite (proj2 (hM a y)); lra].
have true_equation y : true_curve beta M m a j y = Rmax (m j) (continuing beta M (true_curve beta M m) a j y).
  exact: (retirement_equation _ discount (hM a)).
have half (f g : A -> nat -> S -> R) : (forall y, f a j y = Rmax (m j) (continuing beta M f a j y)) ->
    (forall y, g a j y = Rmax (m j) (continuing beta M g a j y)) -> f a j s <= g a j s.
  move=> fe ge; apply: (nowhere_above sub discount (f := f a j) (g := g a j)) => y.
  rewrite mean_sub fe ge /continuing; move: (mean _ (f a j)) (mean _ (g a j)) => u v.
  by rewrite /Rmax; case: Rle_dec => h1; case: Rle_dec => h2; try (by left; lra); right; lra.
by apply: Rle_antisym; apply: half => // y; exact: equation.
Qed.

Lemma solution_tables : retirement_tables beta M G m phi position.
Proof.
have [b0 b1] := discount; have rows a y := proj1 (hM a y); have grid_le := @steps_up m G.+1 (fun l h => Rlt_le _ _ (up h)).
have apart a s i j : (i <= j)%nat -> (j <= G.+1)%nat ->
    0 <= continuing beta M phi a j s - continuing beta M phi a i s <= beta * (m j - m i).
  move=> ij jG; have -> : continuing beta M phi a j s - continuing beta M phi a i s = beta * mean (row M a s) (fun y => phi a j y - phi a i y).
    by rewrite mean_sub /continuing; ring.
  have st y : 0 <= phi a j y - phi a i y <= m j - m i.
    by rewrite !solution_is_true; apply: (phi_apart (reward M a) (hM a) discount); exact: grid_le.
  by have [m0 m1] := mean_range (hM a s) st; split; [exact: Rmult_le_pos | exact: Rmult_le_compat_l].
have shrink i j : (i <= j)%nat -> (j <= G.+1)%nat -> beta * (m j - m i) <= m j - m i.
  by move=> ij jG; have := grid_le _ _ ij jG; nra.
split=> // [a j s _|a j s jG jp|a j s jG pj|a s|a s|a j s jG].
- by rewrite equation; exact: Rmax_r.
- have [pG e] := indices a s; have := apart a s j (position a s) jp (leqW pG); have := shrink _ _ jp (leqW pG) => h1 [_ h2].
  by rewrite equation Rmax_right //; lra.
- have [pG e] := indices a s; have := apart a s (position a s) j pj jG; have := shrink _ _ pj jG => h1 [_ h2].
  by rewrite equation Rmax_left //; lra.
- by case: (indices a s).
- by rewrite /slope !solution_is_true; exact: (true_up discount hM (G := G)).
- by rewrite /slope !solution_is_true; exact: (true_convex discount hM (G := G)).
Qed.

(* The variances of T steps, discounted. *)
Variable pi : policy A S.
Fixpoint variance_of_steps (T : nat) (x : state A S) : R := if T is T'.+1 then
  variance_played M G m phi pi x + beta * mean (P M (pi x) x) (variance_of_steps T') else 0.

(* The law of total variance of an optimal policy.
   ledger: beyond:total-variance *)
Theorem total_variance_on_grid T x : (forall x, of_largest_index position x (pi x)) ->
  beta * variance_of_steps T x <= (1 / (1 - beta)) ^ 2.
Proof.
move=> largest; have [b0 b1] := discount; have sub := sub_policy (P_sub hM) pi.
apply: Rle_trans (exact_total_variance discount hM solution_tables unit grid_0 grid_B x largest); apply: Rmult_le_compat_l => //.
have pos y : 0 <= variance_played M G m phi pi y by exact: (mean_variance_nonneg hM (tables_are_curves solution_tables)).
elim: T x => [|T IH] x /=; first exact: (discounted_nonneg sub discount pos).
rewrite (bellman (variance_played M G m phi pi) sub discount x); apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //.
by apply: mean_le => // y; exact: (proj1 (P_stochastic _ _ hM)).
Qed.
End OnGrid.
