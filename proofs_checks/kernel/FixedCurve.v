(* The curve of one arm from its estimates: the fixed point of "the greatest convex minorant of the larger of retiring and of a
   branch", where the branch is a base reward and beta times a mean with a bonus. It is the limit of the iterates from the top
   down, and lies above every table that the step does not lower: so it is optimistic as soon as the branch is, at the
   retirement function itself. *)

From kernel Require Import Limits Sums Values Bandits Retirement Curves Minorant.

Lemma minorant_nondecreasing (G : nat) (m h : nat -> R) j : (forall j, (j < G)%nat -> m j < m j.+1) ->
  (forall j, (j <= G)%nat -> h 0%nat <= h j) -> (j < G)%nat -> minorant G m h j <= minorant G m h j.+1.
Proof.
move=> up first jG; suff : 0 <= incline m (minorant G m h) j.
  have g := up j jG; rewrite /incline => le; have := Rmult_le_compat_r (m j.+1 - m j) _ _ (ltac:(lra)) le.
  by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
elim: j jG => [|j IH] jG.
  have g := up 0%nat jG; have := minorant_up up jG first; rewrite /incline => le.
  by apply: Rmult_le_pos; [lra | apply: Rlt_le; apply: Rinv_0_lt_compat; lra].
by apply: Rle_trans (IH (ltnW jG)) _; apply/(convex_inclines up) => //; exact: minorant_convex.
Qed.

Section Fixed.
Variables (S : finType) (G : nat) (m : nat -> R) (beta : R).
Hypotheses (discount : is_discount beta) (grid_up : forall j, (j < G)%nat -> m j < m j.+1) (grid_0 : 0 <= m 0%nat).
Implicit Types (u v : nat -> S -> R) (s : S).

(* The reward of the branch, and its mean with a bonus: monotone on functions with values within m_G of each other, and moving
   with constants. *)
Variables (base : S -> R) (lift : S -> (S -> R) -> R).
Hypothesis lift_monotone : forall s (f g : S -> R), (forall y z, f z - f y <= m G) -> (forall y, f y <= g y) -> lift s f <= lift s g.
Hypothesis lift_shift : forall s (f : S -> R) c, lift s (fun y => f y + c) = lift s f + c.

Definition branch_of u (s : S) (j : nat) : R := base s + beta * lift s (u j).
Definition choice_of u (s : S) (j : nat) : R := Rmax (m j) (Rmin (m G) (branch_of u s j)).
Definition improve u (j : nat) (s : S) : R := minorant G m (choice_of u s) j.

Definition in_box u := forall j s, (j <= G)%nat -> m j <= u j s <= m G.
Definition at_most u v := forall j s, (j <= G)%nat -> u j s <= v j s.

Lemma box_range u j : in_box u -> (j <= G)%nat -> forall y z, u j z - u j y <= m G.
Proof. by move=> box jG y z; have := box j y jG; have := box j z jG; have := grid_range grid_up grid_0 jG; lra. Qed.

Lemma choice_range u s j : (j <= G)%nat -> m j <= choice_of u s j <= m G.
Proof.
move=> jG; have := grid_range grid_up grid_0 jG => g; split; first exact: Rmax_l.
by apply: Rmax_lub; [lra | exact: Rmin_l].
Qed.

Lemma improve_box u : in_box (improve u).
Proof.
move=> j s jG; rewrite /improve; split; last by apply: Rle_trans (@minorant_below G m (choice_of u s) j jG) _; case: (choice_range u s jG).
have conv : convex_on G m m by move=> i _; rewrite /convex_at; apply: Req_le; ring.
by apply: (@minorant_greatest G m m (choice_of u s) conv _ j jG) => i iG; case: (choice_range u s iG).
Qed.

Lemma improve_near u v c : in_box u -> 0 <= c -> (forall j s, (j <= G)%nat -> u j s <= v j s + c) ->
  forall j s, (j <= G)%nat -> improve u j s <= improve v j s + beta * c.
Proof.
move=> box c0 le j s jG; case: discount => b0 b1; have bc := Rmult_le_pos _ _ b0 c0; rewrite /improve.
apply: (@minorant_near G m grid_up (choice_of u s) (choice_of v s) (beta * c) _ j jG) => i iG.
have b : branch_of u s i <= branch_of v s i + beta * c.
  have := lift_monotone s (box_range box iG) (fun y => le i y iG); rewrite lift_shift => l.
  by have := Rmult_le_compat_l _ _ _ b0 l; rewrite /branch_of; lra.
have h1 := Rmax_l (m i) (Rmin (m G) (branch_of v s i)); have h2 := Rmax_r (m i) (Rmin (m G) (branch_of v s i)).
rewrite /choice_of; apply: Rmax_lub; first lra.
apply: (Rle_trans _ (Rmin (m G) (branch_of v s i) + beta * c)); last lra.
apply: (Rmin_case (m G) (branch_of v s i) (fun w => _ <= w + _)); first by have := Rmin_l (m G) (branch_of u s i); lra.
by have := Rmin_r (m G) (branch_of u s i); lra.
Qed.

Lemma improve_monotone u v : in_box u -> at_most u v -> at_most (improve u) (improve v).
Proof.
move=> box le j s jG; rewrite -[X in _ <= X]Rplus_0_r -(Rmult_0_r beta); apply: improve_near => //; first by apply: Rle_refl.
by move=> i z iG; rewrite Rplus_0_r; exact: le.
Qed.

(* The iterates from the top down. *)
Definition iterate (n : nat) : nat -> S -> R := iter n improve (fun _ _ => m G).
Definition fixed_curve (j : nat) (s : S) : R := real (Lim_seq (fun n => iterate n j s)).

Lemma iterate_box n : in_box (iterate n).
Proof. by case: n => [|n] j s jG; [have := grid_range grid_up grid_0 jG; rewrite /iterate /=; lra | exact: improve_box]. Qed.

Lemma iterate_falls n : at_most (iterate n.+1) (iterate n).
Proof.
elim: n => [|n IH]; first by move=> j s jG; case: (@iterate_box 1 j s jG).
by apply: improve_monotone => //; exact: (@iterate_box n.+1).
Qed.

Lemma iterate_near n k j s : (j <= G)%nat -> iterate n j s <= iterate (n + k) j s + beta ^ n * m G.
Proof.
elim: n j s => [|n IH] j s jG.
  have [h _] := @iterate_box (0 + k) j s jG; have := grid_range grid_up grid_0 jG; rewrite /iterate /=.
  by rewrite /iterate /= in h; lra.
rewrite addSn [beta ^ n.+1]/= Rmult_assoc; apply: (@improve_near (iterate n) (iterate (n + k))) => //; first exact: iterate_box.
case: discount => b0 _; apply: Rmult_le_pos; first exact: pow_le.
by case: (grid_range grid_up grid_0 (leqnn G)).
Qed.

Lemma iterates_converge j s : (j <= G)%nat -> is_lim_seq (fun n => iterate n j s) (fixed_curve j s).
Proof.
move=> jG; apply: Lim_seq_correct'; apply: (ex_finite_lim_seq_decr _ (m j)) => n; first exact: iterate_falls.
by case: (@iterate_box n j s jG).
Qed.

Lemma fixed_at_most_iterate n : at_most fixed_curve (iterate n).
Proof.
move=> j s jG; apply: (is_lim_seq_decr_compare (fun n => iterate n j s)) => [|k]; first exact: iterates_converge.
exact: iterate_falls.
Qed.

Lemma iterate_near_fixed n j s : (j <= G)%nat -> iterate n j s <= fixed_curve j s + beta ^ n * m G.
Proof.
move=> jG; have lim := proj1 (is_lim_seq_incr_n _ n _) (@iterates_converge j s jG).
have lim' : is_lim_seq (fun k => iterate (k + n)%nat j s + beta ^ n * m G) (fixed_curve j s + beta ^ n * m G).
  by apply: is_lim_seq_plus' => //; exact: is_lim_seq_const.
apply: (is_lim_seq_le (fun _ => iterate n j s) _ (Finite (iterate n j s)) (Finite _) _ (is_lim_seq_const _) lim') => k.
by rewrite addnC; exact: iterate_near.
Qed.

Lemma fixed_box : in_box fixed_curve.
Proof.
move=> j s jG; split; last exact: (fixed_at_most_iterate 0).
apply: (geometric_le (C := m G) discount (is_lim_seq_const _)) => n; apply: Rle_trans (iterate_near_fixed n s jG).
by case: (@iterate_box n j s jG).
Qed.

Lemma fixed_point j s : (j <= G)%nat -> improve fixed_curve j s = fixed_curve j s.
Proof.
move=> jG; case: discount => b0 b1; have [mG _] := grid_range grid_up grid_0 (leqnn G).
have small n : 0 <= beta ^ n * m G by apply: Rmult_le_pos => //; exact: pow_le.
apply: Rle_antisym; apply: (geometric_le (C := m G) discount (is_lim_seq_const _)) => n.
  apply: (Rle_trans _ (iterate n.+1 j s)); first by apply: (improve_monotone fixed_box (@fixed_at_most_iterate n)).
  apply: Rle_trans (iterate_near_fixed n.+1 s jG) _; apply: Rplus_le_compat_l; apply: Rmult_le_compat_r => //=.
  by rewrite -[X in _ <= X]Rmult_1_l; apply: Rmult_le_compat_r; [exact: pow_le | lra].
apply: Rle_trans (@fixed_at_most_iterate n.+1 j s jG) _.
apply: Rle_trans (improve_near (@iterate_box n) (small n) (fun i z iG => @iterate_near_fixed n i z iG) s jG) _.
by apply: Rplus_le_compat_l; have := small n; nra.
Qed.

(* It is above every table that the step does not lower, and so are all iterates. *)
Lemma iterate_at_least u n : in_box u -> at_most u (improve u) -> at_most u (iterate n).
Proof.
move=> box le; elim: n => [|n IH] j s jG; first by case: (box j s jG).
by apply: Rle_trans (le j s jG) _; exact: (improve_monotone box IH).
Qed.

Lemma fixed_at_least u : in_box u -> at_most u (improve u) -> at_most u fixed_curve.
Proof.
move=> box le j s jG; apply: (geometric_le (C := m G) discount (is_lim_seq_const _)) => n; apply: Rle_trans (iterate_near_fixed n s jG).
exact: iterate_at_least.
Qed.

(* And the only table that the step does not change. *)
Lemma fixed_unique u j s : in_box u -> (forall j s, (j <= G)%nat -> improve u j s = u j s) -> (j <= G)%nat -> u j s = fixed_curve j s.
Proof.
move=> box same jG; apply: Rle_antisym; first by apply: fixed_at_least => // i z iG; rewrite same //; exact: Rle_refl.
apply: (geometric_le (C := m G) discount (is_lim_seq_const _)) => n; elim: n j s jG => [|n IH] j s jG.
  by have [_ h] := fixed_box s jG; have [h' _] := box j s jG; have := grid_range grid_up grid_0 jG; rewrite /=; lra.
have [b0 _] := discount; have [mG _] := grid_range grid_up grid_0 (leqnn G).
rewrite -(fixed_point s jG) -(same j s jG) [beta ^ _]/= Rmult_assoc.
by apply: improve_near => //; [exact: fixed_box | apply: Rmult_le_pos => //; exact: pow_le].
Qed.

(* It is nondecreasing in m. *)
Lemma iterate_nondecreasing n j s : (j < G)%nat -> iterate n j s <= iterate n j.+1 s.
Proof.
elim: n j s => [|n IH] j s jG; first exact: Rle_refl.
apply: minorant_nondecreasing => // i iG; case: (discount) => b0 _.
have first y : iterate n 0 y <= iterate n i y.
  by apply: (@steps_up (fun i => iterate n i y) G) => // k kG; exact: IH.
have l := Rmult_le_compat_l _ _ _ b0 (lift_monotone s (box_range (@iterate_box n) (leq0n G)) first).
have g : m 0%nat <= m i := steps_up (fun k kG => Rlt_le _ _ (grid_up kG)) (leq0n i) iG.
change (choice_of (iterate n) s 0%nat <= choice_of (iterate n) s i).
rewrite /choice_of; apply: Rmax_lub; first by apply: Rle_trans g (Rmax_l _ _).
apply: Rle_trans (Rmax_r (m i) _); apply: Rmin_glb; first exact: Rmin_l.
by apply: Rle_trans (Rmin_r _ _) _; rewrite /branch_of; lra.
Qed.

Lemma fixed_nondecreasing i j s : (i <= j <= G)%nat -> fixed_curve i s <= fixed_curve j s.
Proof.
move=> /andP [ij jG]; apply: (@steps_up (fun k => fixed_curve k s) G _ i j ij jG) => k kG.
apply: (geometric_le (C := m G) discount (is_lim_seq_const _)) => n.
apply: Rle_trans (@fixed_at_most_iterate n _ s (ltnW kG)) _; apply: Rle_trans (iterate_near_fixed n s kG).
exact: iterate_nondecreasing.
Qed.

Lemma fixed_branch_up i j s : (i <= j <= G)%nat -> branch_of fixed_curve s i <= branch_of fixed_curve s j.
Proof.
move=> ij; have /andP [h1 h2] := ij; have [b0 _] := discount; rewrite /branch_of; apply: Rplus_le_compat_l.
apply: Rmult_le_compat_l => //; apply: lift_monotone => [|y]; last exact: fixed_nondecreasing.
by apply: box_range; [exact: fixed_box | exact: leq_trans h1 h2].
Qed.

(* Optimism: of a convex table between m and m_G that is at most the larger of m and of a branch of its own, which is at most the
   learner's branch at this table. *)
Lemma fixed_optimistic (phi : nat -> S -> R) (go : nat -> S -> R) : in_box phi -> (forall s, convex_on G m (fun j => phi j s)) ->
  (forall j s, (j <= G)%nat -> phi j s <= Rmax (m j) (go j s)) -> (forall j s, (j <= G)%nat -> go j s <= branch_of phi s j) ->
  at_most phi fixed_curve.
Proof.
move=> box conv own le; apply: fixed_at_least => // j s jG.
apply: (@minorant_greatest G m (fun j => phi j s) (choice_of phi s) (conv s) _ j jG) => i iG.
have [h0 h1] := box i s iG; have := own i s iG; have := le i s iG; rewrite /choice_of => h2 h3.
case: (Rle_dec (phi i s) (m i)) => [low|/Rnot_le_lt high]; first by apply: Rle_trans low (Rmax_l _ _).
apply: Rle_trans (Rmax_r (m i) _); apply: Rmin_glb => //; apply: Rle_trans h2.
by move: h3; apply: (Rmax_case (m i) (go i s) (fun w => _ <= w -> _)); lra.
Qed.
End Fixed.
