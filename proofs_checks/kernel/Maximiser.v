(* The largest value of a policy over a plausible set is attained: the bandits of the set, with mean rewards in [0, 1], are a closed
   and bounded set of finitely many numbers, and values are continuous in them. *)

From Coq Require Import Reals Lra Classical_Prop.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Horizon.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* What is at most y + k e for every e > 0. *)
Lemma le_by_margins x y k : 0 <= k -> (forall e, 0 < e -> x <= y + k * e) -> x <= y.
Proof.
move=> k0 h; apply: Rnot_lt_le => lt; have i : 0 < / (k + 1) by apply: Rinv_0_lt_compat; lra.
pose t := (x - y) * / (k + 1); have t0 : 0 < t by apply: Rmult_lt_0_compat; lra.
by have e : t * (k + 1) = x - y by [rewrite /t; field; lra]; have := h t t0; lra.
Qed.

Section Maximiser.
Variables (A S : finType).
Notation place := [finType of A * S * option S].   (* an arm's state with nothing: its mean reward; with y: the chance of y *)

Definition entry (M : model A S) (c : place) : R := let: (a, s, o) := c in if o is Some y then row M a s y else reward M a s.
Definition of_entries (p : place -> R) : model A S := Model (fun a s => p (a, s, None)) (fun a s y => p (a, s, Some y)).

Section Limit.
Variables (X : model A S -> Prop) (v : model A S -> R) (top : R).
Hypotheses (within_1 : forall M c, X M -> 0 <= entry M c <= 1) (top_ok : is_lub (fun u => exists M, X M /\ u = v M) top).

Definition close (cs : seq place) (p : place -> R) (e : R) (M : model A S) :=
  X M /\ top - e < v M /\ forall c, c \in cs -> Rabs (entry M c - p c) < e.

(* Numbers that bandits of the set of nearly the largest value come arbitrarily close to, place after place. *)
Lemma accumulates cs : exists p, forall e, 0 < e -> exists M, close cs p e M.
Proof.
elim: cs => [|c cs [p IH]].
  exists (fun _ => 0) => e e0; apply: NNPP => none.
  suff : top <= top - e by lra.
  apply: (proj2 top_ok) => _ [M [hM ->]]; apply: Rnot_lt_le => lt; apply: none.
  by exists M; split.
pose Y x := forall e, 0 < e -> exists M, close cs p e M /\ entry M c <= x.
have Y1 : Y 1 by move=> e e0; have [M hM] := IH e e0; exists M; split=> //; have := within_1 c (proj1 hM); lra.
have Y0 x : Y x -> 0 <= x.
  by move=> hx; have [M [hM le]] := hx 1 (ltac:(lra)); have := within_1 c (proj1 hM); lra.
have [m [up least]] : exists m, is_lub (fun y => Y (- y)) m.
  apply: (@supremum_exists _ (- 1) 0) => [|y hy]; first by rewrite Ropp_involutive.
  by have := Y0 _ hy; lra.
have above x : - m < x -> Y x.
  move=> mx; apply: NNPP => no; suff : m <= - x by lra.
  apply: least => y hy; apply: Rnot_lt_le => xy; apply: no => e e0.
  by have [M [hM le]] := hy e e0; exists M; split=> //; lra.
exists (fun d => if d == c then - m else p d) => e e0.
have [e1 [e10 none]] : exists e1, 0 < e1 /\ ~ exists M, close cs p e1 M /\ entry M c <= - m - e / 2.
  apply: NNPP => no; suff h : Y (- (m + e / 2)) by have := up _ h; lra.
  rewrite (_ : - (m + e / 2) = - m - e / 2); last ring.
  by move=> e1 e10; apply: NNPP => none; apply: no; exists e1.
have e20 : 0 < Rmin e e1 by apply: Rmin_pos.
have [l1 l2] := conj (Rmin_l e e1) (Rmin_r e e1).
have [M [[hM [val near]] le]] := above (- m + e / 2) (ltac:(lra)) _ e20.
have low : - m - e / 2 < entry M c.
  apply: Rnot_le_lt => le'; apply: none; exists M; split=> //; split=> //; split=> [|d hd]; first lra.
  by have := near d hd; lra.
exists M; split=> //; split=> [|d]; first lra.
rewrite inE; case: eqP => [->|_] /= hd; first by apply: Rabs_def1; lra.
by have := near d hd; lra.
Qed.
End Limit.

Section Plausible.
Variables (beta : R) (rho : state A S -> R) (E : A -> estimate S).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho).
Let B := 1 / (1 - beta).

Definition plausible_bandit (M : model A S) := unit_rewards M /\ plausible E M.

Lemma entries_of_bandit M c : plausible_bandit M -> 0 <= entry M c <= 1.
Proof.
case: c => [[a s] [y|]] [u [hM _]] /=; last exact: u.
have [r0 r1] := hM a s; split; first exact: r0.
by rewrite -r1; exact: (term_le_sum y).
Qed.

(* All entries within e: rewards, distances of rows. *)
Section Near.
Variables (M M' : model A S) (e : R).
Hypothesis near : forall c, Rabs (entry M' c - entry M c) < e.

Lemma near_reward a s : Rabs (reward M' a s - reward M a s) <= e.
Proof. by have := near (a, s, None); rewrite /=; lra. Qed.

Lemma near_row a s : distance (row M' a s) (row M a s) <= INR #|S| * e.
Proof. by rewrite -sum_const; apply: sum_le => y _; have := near (a, s, Some y); rewrite /=; lra. Qed.
End Near.

(* The set is closed. *)
Lemma closed M : (forall e, 0 < e -> exists M', plausible_bandit M' /\ forall c, Rabs (entry M' c - entry M c) < e) -> plausible_bandit M.
Proof.
move=> lim; have s0 := pos_INR #|S|.
have lo c : 0 <= entry M c.
  apply: (@le_by_margins _ _ 1) => [|e e0]; first lra.
  by have [M' [hM' near]] := lim e e0; have := entries_of_bandit c hM'; have := near c; split_Rabs; lra.
have sum1 a s : \sum_(y : S) row M a s y = 1.
  have gap e (e0 : 0 < e) : Rabs (\sum_(y : S) row M a s y - 1) <= 0 + INR #|S| * e.
    have [M' [[_ [hM' _]] near]] := lim e e0; rewrite -(proj2 (hM' a s)) Rabs_minus_sym -sum_sub.
    by rewrite Rplus_0_l; apply: Rle_trans (sum_abs _ _ _) _; exact: (near_row near a s).
  by have := le_by_margins s0 gap; have := Rabs_pos (\sum_(y : S) row M a s y - 1); split_Rabs; lra.
split=> [a s|].
  split; first exact: (lo (a, s, None)).
  apply: (@le_by_margins _ _ 1) => [|e e0]; first lra.
  by have [M' [[u _] near]] := lim e e0; have := u a s; have := near_reward near a s; split_Rabs; lra.
split=> [a s|a s]; first by split=> [y|]; [exact: (lo (a, s, Some y)) | exact: sum1].
split.
  apply: (@le_by_margins _ _ 1) => [|e e0]; first lra.
  by have [M' [[_ [_ h]] near]] := lim e e0; have [r _] := h a s; have := near_reward near a s; split_Rabs; lra.
apply: (le_by_margins s0) => e e0; have [M' [[_ [_ h]] near]] := lim e e0; have [_ q] := h a s.
by have := distance_triangle (row M a s) (row M' a s) (Qhat (E a) s); have := near_row near a s; rewrite (distance_sym (row M a s) (row M' a s)); lra.
Qed.

(* Values are continuous. *)
Lemma value_near M M' pi e x : 0 <= e -> plausible_bandit M -> plausible_bandit M' -> (forall c, Rabs (entry M' c - entry M c) < e) ->
  V beta M' pi x <= V beta M pi x + B * (1 + beta * (B / 2) * INR #|S|) * e.
Proof.
move=> e0 [u [hM _]] [u' [hM' _]] near; case: (discount) => b0 b1.
set k := _ * e; move: x; apply: (V_at_most_for discount hM' (W := fun x => V beta M pi x + k)) => x.
rewrite mean_add (mean_of_const _ (hM' _ _)) (V_bellman discount hM); set a := pi x; set s := x a.
have range z : 0 <= V beta M pi (moved x a z) <= B by exact: V_range.
have sums : \sum_(z : S) row M' a s z = \sum_(z : S) row M a s z by rewrite (proj2 (hM a s)) (proj2 (hM' a s)).
have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have d := Rmult_le_compat_l _ _ _ b0 (mean_difference_half range sums).
have g0 : 0 <= beta * (B / 2) by apply: Rmult_le_pos; lra.
have d' := Rmult_le_compat_l _ _ _ g0 (near_row near a s); have r := near_reward near a s.
have := Rle_abs (reward M' a s - reward M a s).
have e1 : (1 - beta) * k = (1 + beta * (B / 2) * INR #|S|) * e by rewrite /k /B; field; lra.
lra.
Qed.

(* A policy's largest value over the set is attained. *)
Theorem largest_value_attained pi M0 : plausible_bandit M0 -> exists M, plausible_bandit M /\
  forall M', plausible_bandit M' -> mean rho (V beta M' pi) <= mean rho (V beta M pi).
Proof.
move=> h0; case: (discount) => b0 b1; pose v M := mean rho (V beta M pi).
have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have [top top_ok] : exists top, is_lub (fun u => exists M, plausible_bandit M /\ u = v M) top.
  apply: (@supremum_exists _ (v M0) B) => [|_ [M [[u [hM _]] ->]]]; first by exists M0.
  rewrite -(mean_of_const B rho_ok); apply: mean_le => x; first exact: (proj1 rho_ok).
  by have := V_range discount hM pi u x; rewrite -/B; lra.
have [p hp] := accumulates (fun M c => @entries_of_bandit M c) top_ok (enum [finType of A * S * option S]).
have lim e : 0 < e -> exists M', plausible_bandit M' /\ top - e < v M' /\ forall c, Rabs (entry M' c - entry (of_entries p) c) < e.
  move=> e0; have [M' [hM' [val near]]] := hp e e0; exists M'; split=> //; split=> // c.
  by have := near c; rewrite mem_enum => /(_ isT); case: c => [[a s] [y|]].
have hM : plausible_bandit (of_entries p).
  by apply: closed => e e0; have [M' [hM' [_ near]]] := lim e e0; exists M'.
exists (of_entries p); split=> // M' hM'; apply: Rle_trans (proj1 top_ok _ (ex_intro _ M' (conj hM' (erefl _)))) _.
pose k := B * (1 + beta * (B / 2) * INR #|S|).
have k0 : 0 <= k.
  by apply: Rmult_le_pos; [lra | have : 0 <= beta * (B / 2) * INR #|S|; [apply: Rmult_le_pos (pos_INR _); apply: Rmult_le_pos; lra | lra]].
apply: (@le_by_margins _ _ (k + 1)) => [|e e0]; first lra.
have [M'' [hM'' [val near]]] := lim e e0; suff : v M'' <= mean rho (V beta (of_entries p) pi) + k * e by lra.
rewrite -(mean_of_const (k * e) rho_ok) -mean_add; apply: mean_le => x; first exact: (proj1 rho_ok).
by apply: value_near => //; lra.
Qed.
End Plausible.
End Maximiser.
