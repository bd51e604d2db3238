(* A closed set of functions from a finite set to [0, 1], and a function of them whose slope is bounded: its largest value is
   attained. *)

From kernel Require Import Prelude.
From Coq Require Import Classical_Prop.
From kernel Require Import Sums Values Bandits Horizon.

Section Compact.
Variables (T : finType) (X : (T -> R) -> Prop) (v : (T -> R) -> R) (k : R).
Hypotheses (within_1 : forall p c, X p -> 0 <= p c <= 1) (slope : 0 <= k).
Hypothesis closed : forall p, (forall e, 0 < e -> exists p', X p' /\ forall c, Rabs (p' c - p c) < e) -> X p.
Hypothesis flat : forall p p' e, 0 <= e -> X p -> X p' -> (forall c, Rabs (p' c - p c) < e) -> v p' <= v p + k * e.

Definition nearly (top : R) (cs : seq T) (p : T -> R) (e : R) (p' : T -> R) :=
  X p' /\ top - e < v p' /\ forall c, c \in cs -> Rabs (p' c - p c) < e.

(* Numbers that members of nearly the largest value come arbitrarily close to, place after place. *)
Lemma accumulates top cs : is_lub (fun u => exists p, X p /\ u = v p) top ->
  exists p, forall e, 0 < e -> exists p', nearly top cs p e p'.
Proof.
move=> top_ok; elim: cs => [|c cs [p IH]].
  exists (fun _ => 0) => e e0; apply: NNPP => none.
  suff : top <= top - e by lra.
  apply: (proj2 top_ok) => _ [p' [hp ->]]; apply: Rnot_lt_le => lt; apply: none.
  by exists p'; split.
pose Y x := forall e, 0 < e -> exists p', nearly top cs p e p' /\ p' c <= x.
have Y1 : Y 1 by move=> e e0; have [p' hp] := IH e e0; exists p'; split=> //; have := within_1 c (proj1 hp); lra.
have Y0 x : Y x -> 0 <= x.
  by move=> hx; have [p' [hp le]] := hx 1 (ltac:(lra)); have := within_1 c (proj1 hp); lra.
have [m [up least]] : exists m, is_lub (fun y => Y (- y)) m.
  apply: (@supremum_exists _ (- 1) 0) => [|y hy]; first by rewrite Ropp_involutive.
  by have := Y0 _ hy; lra.
have above x : - m < x -> Y x.
  move=> mx; apply: NNPP => no; suff : m <= - x by lra.
  apply: least => y hy; apply: Rnot_lt_le => xy; apply: no => e e0.
  by have [p' [hp le]] := hy e e0; exists p'; split=> //; lra.
exists (fun d => if d == c then - m else p d) => e e0.
have [e1 [e10 none]] : exists e1, 0 < e1 /\ ~ exists p', nearly top cs p e1 p' /\ p' c <= - m - e / 2.
  apply: NNPP => no; suff h : Y (- (m + e / 2)) by have := up _ h; lra.
  rewrite (_ : - (m + e / 2) = - m - e / 2); last ring.
  by move=> e1 e10; apply: NNPP => none; apply: no; exists e1.
have e20 : 0 < Rmin e e1 by apply: Rmin_pos.
have [l1 l2] := conj (Rmin_l e e1) (Rmin_r e e1).
have [p' [[hp [val near]] le]] := above (- m + e / 2) (ltac:(lra)) _ e20.
have low : - m - e / 2 < p' c.
  apply: Rnot_le_lt => le'; apply: none; exists p'; split=> //; split=> //; split=> [|d hd]; first lra.
  by have := near d hd; lra.
exists p'; split=> //; split=> [|d]; first lra.
rewrite inE; case: eqP => [->|_] /= hd; first by apply: Rabs_def1; lra.
by have := near d hd; lra.
Qed.

Lemma largest_attained p0 : X p0 -> exists p, X p /\ forall p', X p' -> v p' <= v p.
Proof.
move=> h0; have [top top_ok] : exists top, is_lub (fun u => exists p, X p /\ u = v p) top.
  apply: (@supremum_exists _ (v p0) (v p0 + k * 2)) => [|_ [p [hp ->]]]; first by exists p0.
  by apply: flat => // [|c]; [lra | have := within_1 c hp; have := within_1 c h0; split_Rabs; lra].
have [p hp] := accumulates (enum T) top_ok.
have lim e : 0 < e -> exists p', X p' /\ top - e < v p' /\ forall c, Rabs (p' c - p c) < e.
  by move=> e0; have [p' [hX [val near]]] := hp e e0; exists p'; split=> //; split=> // c; apply: near; rewrite mem_enum.
have hX : X p by apply: closed => e e0; have [p' [hX [_ near]]] := lim e e0; exists p'.
exists p; split=> // p' hX'; apply: Rle_trans (proj1 top_ok _ (ex_intro _ p' (conj hX' (erefl _)))) _.
apply: (@le_by_margins _ _ (k + 1)) => [|e e0]; first lra.
by have [p2 [hX2 [val near]]] := lim e e0; have := flat (Rlt_le _ _ e0) hX hX2 near; lra.
Qed.
End Compact.

(* Rows that are near place by place are near in the L1 distance. *)
Lemma distance_near (S : finType) (q q' : S -> R) e : (forall y, Rabs (q' y - q y) <= e) -> distance q' q <= INR #|S| * e.
Proof. by move=> near; rewrite -sum_const; apply: sum_le => y _; exact: near. Qed.

(* The rows within an L1 ball are closed. *)
Section Ball.
Variables (S : finType) (centre : S -> R) (radius : R).
Definition row_in_ball (q : S -> R) := probability q /\ distance q centre <= radius.

Lemma row_in_ball_1 q y : row_in_ball q -> 0 <= q y <= 1.
Proof. by case=> hq _; exact: probability_01. Qed.

Lemma ball_closed q : (forall e, 0 < e -> exists q', row_in_ball q' /\ forall y, Rabs (q' y - q y) < e) -> row_in_ball q.
Proof.
move=> lim; have s0 := pos_INR #|S|.
have near e : 0 < e -> exists q', row_in_ball q' /\ distance q' q <= INR #|S| * e /\ forall y, Rabs (q' y - q y) < e.
  move=> e0; have [q' [hq near]] := lim e e0; exists q'; split=> //; split=> //.
  by apply: distance_near => y; have := near y; lra.
split; first split=> [y|].
- apply: (@le_by_margins _ _ 1) => [|e e0]; first lra.
  by have [q' [hq [_ n]]] := near e e0; have := row_in_ball_1 y hq; have := n y; split_Rabs; lra.
- have gap e (e0 : 0 < e) : Rabs (\sum_(y : S) q y - 1) <= 0 + INR #|S| * e.
    have [q' [[[_ <-] _] [d _]]] := near e e0; rewrite Rabs_minus_sym -sum_sub Rplus_0_l.
    by apply: Rle_trans (sum_abs _ _ _) d.
  by have := le_by_margins s0 gap; have := Rabs_pos (\sum_(y : S) q y - 1); split_Rabs; lra.
- apply: (le_by_margins s0) => e e0; have [q' [[_ hq] [d _]]] := near e e0.
  by have := distance_triangle q q' centre; rewrite (distance_sym q q'); lra.
Qed.

(* A row of the ball under which the mean of f is largest. *)
Lemma largest_mean f q0 : row_in_ball q0 -> exists q, row_in_ball q /\ forall q', row_in_ball q' -> mean q' f <= mean q f.
Proof.
have [C [C0 fC]] := exists_bound f; have s0 := pos_INR #|S|.
apply: (@largest_attained _ _ _ (INR #|S| * C)) => [q y|||q q' e e0 _ _ near].
- exact: row_in_ball_1. - exact: Rmult_le_pos. - exact: ball_closed.
have -> : mean q' f = mean q f + \sum_(y : S) (q' y - q y) * f y.
  by rewrite -sum_add; apply: eq_bigr => y _; ring.
suff : \sum_(y : S) (q' y - q y) * f y <= \sum_(y : S) e * C by rewrite sum_const; lra.
apply: sum_le => y _; apply: Rle_trans (Rle_abs _) _; rewrite Rabs_mult.
by apply: Rmult_le_compat (Rabs_pos _) (Rabs_pos _) (Rlt_le _ _ (near y)) (fC y).
Qed.
End Ball.
