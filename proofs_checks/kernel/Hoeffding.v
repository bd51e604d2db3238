(* Hoeffding's inequality, for independent bounded variables on any probability space. *)

From kernel Require Import Limits Sums Concentration.

(* The product of the first n terms of a sequence. *)
Fixpoint product_to (n : nat) (f : nat -> R) : R := if n is m.+1 then product_to m f * f m else 1.

Section Space.
Variables (Omega : Type) (variable : (Omega -> R) -> Prop) (E : (Omega -> R) -> R).

(* Independence, as it is used: the expectation of a product of continuous functions of the single variables is the
   product of the expectations. *)
Definition independent (l : nat) (X : nat -> Omega -> R) := forall g : nat -> R -> R, (forall i, continuity (g i)) ->
  (forall i, (i < l)%nat -> variable (fun w => g i (X i w))) ->
  variable (fun w => product_to l (fun i => g i (X i w))) /\
  E (fun w => product_to l (fun i => g i (X i w))) = product_to l (fun i => E (fun w => g i (X i w))).

Hypothesis space : expectation_of_bounded_variables variable E.

Lemma product_to_exp l f : product_to l (fun i => exp (f i)) = exp (\sum_(i < l) f i).
Proof. by elim: l => [|l IH] /=; [rewrite exp_0 | rewrite IH exp_plus]. Qed.

Lemma product_to_le l f c : (forall i, (i < l)%nat -> 0 <= f i <= c) -> 0 <= product_to l f <= c ^ l.
Proof.
elim: l => [|l IH] h /=; first lra.
have [a0 a1] := IH (fun i il => h i (ltnW il)); have [b0 b1] := h l (ltnSn l).
by split; [exact: Rmult_le_pos | rewrite Rmult_comm; apply: Rmult_le_compat].
Qed.

(* The mean of l independent variables in an interval of length hi - lo deviates from its expectation by at least e with
   probability at most 2 exp(-2 l e^2/(hi - lo)^2); the variables need not have one law. On any probability space.
   ledger: cited:hoeffding *)
Theorem hoeffding_for_independent_variables (l : nat) (X : nat -> Omega -> R) (lo hi e : R) (deviates : Omega -> bool) :
  (forall i, (i < l)%nat -> variable (X i)) -> (forall i w, (i < l)%nat -> lo <= X i w <= hi) -> lo < hi -> 0 <= e ->
  independent l X -> variable (fun w => indicator (deviates w)) ->
  (forall w, deviates w -> INR l * e <= Rabs (\sum_(i < l) X i w - \sum_(i < l) E (X i))) ->
  E (fun w => indicator (deviates w)) <= 2 * exp (- (2 * INR l * (e * e) / ((hi - lo) * (hi - lo)))).
Proof.
move=> hX range width e0 indep hbad bad; have w0 : 0 < (hi - lo) * (hi - lo) by apply: Rmult_lt_0_compat; lra.
pose t := 4 * e / ((hi - lo) * (hi - lo)); have t0 : 0 <= t by apply: Rdiv_le_0_compat; lra.
pose g t i x := exp (t * (x - E (X i))); pose G t w := product_to l (fun i => g t i (X i w)).
have cont u i : continuity (g u i).
  apply: (continuity_comp (fun x => u * (x - E (X i))) exp); last by apply: derivable_continuous; exact: derivable_exp.
  by apply: derivable_continuous; apply: derivable_mult; [exact: derivable_const | apply: derivable_minus;
    [exact: derivable_id | exact: derivable_const]].
have gv u i : (i < l)%nat -> variable (fun w => g u i (X i w)) by move=> il; exact: (centred_variable space (hX i il) u).
have Gv u := indep _ (cont u) (gv u).
have G_exp u w : G u w = exp (u * (\sum_(i < l) X i w - \sum_(i < l) E (X i))).
  rewrite /G /g product_to_exp; congr exp; elim: (l) => [|n IH] /=; first by ring.
  by rewrite IH; ring.
have EG u : u * u = t * t -> E (G u) <= exp (t * t * ((hi - lo) * (hi - lo)) / 8) ^ l.
  move=> uu; rewrite (proj2 (Gv u)); apply: (proj2 (product_to_le _)) => i il; split.
    rewrite -(expectation_const space 0); apply: (expectation_le space (variable_const space 0) (gv u i il)) => w.
    by left; exact: exp_pos.
  by rewrite -uu; apply: (exponential_moment_of_variable space (hX i il)) => // w; exact: range.
pose front := exp (- (t * (INR l * e))); have f0 : 0 < front by exact: exp_pos.
have both : variable (fun w => front * (G t w + G (- t) w)).
  by apply: (variable_scale space); apply: (variable_add space); [exact: (proj1 (Gv t)) | exact: (proj1 (Gv (- t)))].
have le w : indicator (deviates w) <= front * (G t w + G (- t) w).
  rewrite !G_exp; set d := _ - _; have p1 := exp_pos (t * d); have p2 := exp_pos (- t * d).
  rewrite /indicator; case: ifP => [hw|_]; last by apply: Rmult_le_pos; lra.
  have h := bad w hw; rewrite -/d in h.
  suff : 1 <= front * exp (t * Rabs d).
    move=> h1; apply: Rle_trans h1 _; apply: Rmult_le_compat_l; first lra.
    by rewrite /Rabs; case: (Rcase_abs d) => _; [rewrite (_ : t * - d = - t * d); [lra | ring] | lra].
  rewrite /front -exp_plus -[X in X <= _]exp_0; apply: exp_le.
  by have := Rmult_le_compat_l _ _ _ t0 h; lra.
apply: Rle_trans (expectation_le space hbad both le) _.
rewrite (expectation_scale space); last by apply: (variable_add space); [exact: (proj1 (Gv t)) | exact: (proj1 (Gv (- t)))].
have -> : E (fun w => G t w + G (- t) w) = E (G t) + E (G (- t)).
  exact: (expectation_add space (proj1 (Gv t)) (proj1 (Gv (- t)))).
have a1 := EG t (erefl _); have a2 := EG (- t) (ltac:(ring)).
apply: Rle_trans (_ : _ <= front * (2 * exp (t * t * ((hi - lo) * (hi - lo)) / 8) ^ l)) _.
  by apply: Rmult_le_compat_l; lra.
rewrite exp_power /front -Rmult_assoc (Rmult_comm _ 2) Rmult_assoc -exp_plus; apply: Rmult_le_compat_l; first lra.
by apply: exp_le; apply: Req_le; rewrite /t; field; lra.
Qed.
End Space.

