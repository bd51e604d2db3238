(* The largest value of a policy over a plausible set is attained: the bandits of the set, with mean rewards in [0, 1], are a closed
   and bounded set of finitely many numbers, and values are continuous in them. And
   the largest of finitely many numbers, with its place. *)

From kernel Require Import Prelude Sums Values Bandits Horizon Compactness.

(* The first member of a finite set, in some order, at which f is largest: no choice. *)
Definition argmax (X : finType) (x0 : X) (f : X -> R) : X :=
  odflt x0 [pick x | [forall y, if Rle_dec (f y) (f x) then true else false]].

Lemma argmax_largest (X : finType) (x0 : X) f y : f y <= f (argmax x0 f).
Proof.
rewrite /argmax; case: pickP => [x /forallP/(_ y)|none]; first by case: Rle_dec.
have [x hx] := exists_max x0 f; case/forallP: (none x) => z; case: Rle_dec => // n; case: n; exact: hx.
Qed.

(* A policy of the largest sum of values is optimal from every state. *)
Definition best_play (A S : finType) (beta : R) (M : model A S) (pi0 : {ffun state A S -> A}) : {ffun state A S -> A} :=
  argmax pi0 (fun pi => \sum_(x : state A S) V beta M (fun y => pi y) x).

Lemma best_play_optimal (A S : finType) beta (M : model A S) pi0 : is_discount beta -> markovian M ->
  forall pi x, V beta M pi x <= V beta M (fun y => best_play beta M pi0 y) x.
Proof.
move=> discount hM pi x; have [pio best] := optimal_policy (pi0 x) discount hM; set b := best_play beta M pi0.
have same y : V beta M (fun z => [ffun z => pio z] z) y = V beta M pio y.
  by apply: (V_unique discount hM) => z; rewrite ffunE; exact: V_bellman.
have le : \sum_(y : state A S) V beta M pio y <= \sum_(y : state A S) V beta M (fun z => b z) y.
  rewrite -(eq_bigr _ (fun y _ => same y)).
  exact: (argmax_largest pi0 (fun pi => \sum_(y : state A S) V beta M (fun z => pi z) y)).
have d0 y : 0 <= V beta M pio y - V beta M (fun z => b z) y by have := proj1 (best y) (fun z => b z); lra.
have := term_le_sum x d0; rewrite sum_sub => top; have := Rle_trans _ _ _ top (Rle_minus _ _ le).
by have := proj1 (best x) pi; lra.
Qed.

Section Maximiser.
Variables (A S : finType).
Notation place := [finType of A * S * option S].   (* an arm's state with nothing: its mean reward; with y: the chance of y *)

Definition entry (M : model A S) (c : place) : R := let: (a, s, o) := c in if o is Some y then row M a s y else reward M a s.
Definition of_entries (p : place -> R) : model A S := Model (fun a s => p (a, s, None)) (fun a s y => p (a, s, Some y)).

Lemma of_entriesE M : of_entries (entry M) = M. Proof. by case: M. Qed.

Section Plausible.
Variables (beta : R) (rho : state A S -> R) (E : A -> estimate S).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho).
Let B := 1 / (1 - beta).

Definition plausible_bandit (M : model A S) := unit_rewards M /\ plausible E M.

Lemma entries_of_bandit M c : plausible_bandit M -> 0 <= entry M c <= 1.
Proof.
by case: c => [[a s] [y|]] [u [hM _]] /=; [exact: probability_01 | exact: u].
Qed.

(* The set is closed. *)
Lemma closed M : (forall e, 0 < e -> exists M', plausible_bandit M' /\ forall c, Rabs (entry M' c - entry M c) < e) -> plausible_bandit M.
Proof.
move=> lim; have rewards a s : 0 <= reward M a s <= 1 /\ Rabs (reward M a s - rhat (E a) s) <= br (E a) s.
  by do ?split; apply: (@le_by_margins _ _ 1) => [|e e0]; try lra; have [M' [[u [_ h]] near]] := lim e e0;
    have := near (a, s, None); have := u a s; have [r _] := h a s; rewrite /=; split_Rabs; lra.
have rows a s : row_in_ball (Qhat (E a) s) (bQ (E a) s) (row M a s).
  apply: ball_closed => e e0; have [M' [[_ [hM' h]] near]] := lim e e0.
  by exists (row M' a s); split=> [|y]; [split; [exact: hM' | exact: (proj2 (h a s))] | exact: (near (a, s, Some y))].
by split=> [a s|]; [exact: (proj1 (rewards a s)) | split=> a s; [exact: (proj1 (rows a s)) | split; [exact: (proj2 (rewards a s)) | exact: (proj2 (rows a s))]]].
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
have near_row : distance (row M' a s) (row M a s) <= INR #|S| * e.
  by apply: distance_near => y; have := near (a, s, Some y); rewrite /=; lra.
have d' := Rmult_le_compat_l _ _ _ g0 near_row; have r := near (a, s, None); rewrite /= in r.
have := Rle_abs (reward M' a s - reward M a s).
have e1 : (1 - beta) * k = (1 + beta * (B / 2) * INR #|S|) * e by rewrite /k /B; field; lra.
lra.
Qed.

(* A policy's largest value over the set is attained. *)
Theorem largest_value_attained pi M0 : plausible_bandit M0 -> exists M, plausible_bandit M /\
  forall M', plausible_bandit M' -> mean rho (V beta M' pi) <= mean rho (V beta M pi).
Proof.
move=> h0; case: (discount) => b0 b1; have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have k0 : 0 <= B * (1 + beta * (B / 2) * INR #|S|) by nonneg.
have := @largest_attained place (fun p => plausible_bandit (of_entries p)) (fun p => mean rho (V beta (of_entries p) pi)) _ _ k0 _ _ (entry M0).
rewrite of_entriesE; case=> //.
- by move=> p c h; have := entries_of_bandit c h; case: c => [[a s] [y|]].
- move=> p lim; apply: closed => e e0; have [p' [h near]] := lim e e0; exists (of_entries p'); split=> // c.
  by have := near c; case: c => [[a s] [y|]].
- move=> p p' e e0 h h' near; rewrite -(mean_of_const (_ * e) rho_ok) -mean_add; apply: mean_le => x; first exact: (proj1 rho_ok).
  by apply: value_near => // c; have := near c; case: c => [[a s] [y|]].
- by move=> p [hp best]; exists (of_entries p); split=> // M' hM'; rewrite -(of_entriesE M'); apply: best; rewrite of_entriesE.
Qed.
End Plausible.
End Maximiser.
