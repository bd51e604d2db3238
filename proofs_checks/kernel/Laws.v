(* A law on a type: an expectation of its bounded functions, linear, monotone and right on constants. The mean of a finite law
   is one (finite_law), and so is the integral of a probability measure: no sigma-algebra, no countable additivity and no
   measurability is asked for. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Hoeffding.

Notation funext := FunctionalExtensionality.functional_extensionality.

Section Laws.
Variable O : Type.
Definition bounded (f : O -> R) := exists C, forall o, Rabs (f o) <= C.
Record law_on := LawOn { E :> (O -> R) -> R;
  E_const : forall c, E (fun _ => c) = c;
  E_add : forall f g, bounded f -> bounded g -> E (fun o => f o + g o) = E f + E g;
  E_scale : forall c f, bounded f -> E (fun o => c * f o) = c * E f;
  E_le : forall f g, bounded f -> bounded g -> (forall o, f o <= g o) -> E f <= E g }.

Lemma by_const c : bounded (fun _ => c). Proof. by exists (Rabs c) => o; lra. Qed.
Lemma by_abs C f : (forall o, Rabs (f o) <= C) -> bounded f. Proof. by exists C. Qed.
Lemma by_range lo hi f : (forall o, lo <= f o <= hi) -> bounded f.
Proof. by move=> fr; exists (Rabs lo + Rabs hi) => o; have := fr o; split_Rabs; lra. Qed.
Lemma bounded_indicator (b : O -> bool) : bounded (fun o => indicator (b o)). Proof. by exists 1 => o; exact: indicator_abs. Qed.
Lemma bounded_add f g : bounded f -> bounded g -> bounded (fun o => f o + g o).
Proof. by case=> C fC [D gD]; exists (C + D) => o; exact: abs_add. Qed.
Lemma bounded_mult f g : bounded f -> bounded g -> bounded (fun o => f o * g o).
Proof. by case=> C fC [D gD]; exists (C * D) => o; exact: abs_mult. Qed.
Lemma bounded_scale c f : bounded f -> bounded (fun o => c * f o). Proof. exact/bounded_mult/by_const. Qed.

Variable q : law_on.
Lemma E_ext f g : (forall o, f o = g o) -> q f = q g. Proof. by move=> fg; congr (q _); exact: funext. Qed.
Lemma E_range f lo hi : (forall o, lo <= f o <= hi) -> lo <= q f <= hi.
Proof.
move=> fr; have bf := by_range fr.
by rewrite -{1}(E_const q lo) -{1}(E_const q hi); split; apply: (E_le q) => //; try exact: by_const; move=> o; case: (fr o).
Qed.
Lemma E_abs f C : (forall o, Rabs (f o) <= C) -> Rabs (q f) <= C.
Proof. by move=> fC; apply: Rabs_le; apply: E_range => o; apply/Rabs_le_between. Qed.
Lemma E_sub f g : bounded f -> bounded g -> q (fun o => f o - g o) = q f - q g.
Proof.
move=> bf bg; rewrite (E_ext (g := fun o => f o + -1 * g o)); last by move=> o; ring.
by rewrite E_add //; [rewrite E_scale //; ring | exact: bounded_scale].
Qed.
Lemma E_opp f : bounded f -> q (fun o => - f o) = - q f.
Proof. by move=> bf; rewrite (E_ext (g := fun o => -1 * f o)) => [|o]; [rewrite E_scale //; ring | ring]. Qed.
Lemma bounded_sum (I : Type) (r : seq I) (f : I -> O -> R) : (forall i, bounded (f i)) -> bounded (fun o => \sum_(i <- r) f i o).
Proof.
move=> bf; elim: r => [|i s IH]; first by exists 0 => o; rewrite sum_nil Rabs_R0; lra.
by have [C fC] := bounded_add (bf i) IH; exists C => o; rewrite sum_cons.
Qed.
Lemma E_sum (I : finType) (f : I -> O -> R) : (forall i, bounded (f i)) -> q (fun o => \sum_(i : I) f i o) = \sum_(i : I) q (f i).
Proof.
move=> bf; elim: (index_enum I) => [|i s IH]; first by rewrite big_nil -[RHS](E_const q 0); apply: E_ext => o; rewrite big_nil.
by rewrite sum_cons -IH -E_add //; [apply: E_ext => o; rewrite sum_cons | exact: bounded_sum].
Qed.

(* One of two events, one of several. *)
Lemma E_either (b b1 b2 : O -> bool) : (forall o, b o -> b1 o || b2 o) ->
  q (fun o => indicator (b o)) <= q (fun o => indicator (b1 o)) + q (fun o => indicator (b2 o)).
Proof.
move=> cases; rewrite -E_add; try exact: bounded_indicator; apply: E_le => [||o]; try exact: bounded_indicator.
  by apply: bounded_add; exact: bounded_indicator.
by have := cases o; rewrite /indicator; case: (b o); case: (b1 o) => /=; case: (b2 o) => h; lra || by have := h isT.
Qed.
Lemma E_some (I : finType) (b : I -> O -> bool) p : (forall i, q (fun o => indicator (b i o)) <= p) ->
  q (fun o => indicator [exists i, b i o]) <= INR #|I| * p.
Proof.
move=> rare; rewrite -sum_const; apply: Rle_trans (sum_le _ (fun i _ => rare i)); rewrite -E_sum => [|i]; last exact: bounded_indicator.
apply: E_le => [||o]; [exact: bounded_indicator | apply: bounded_sum => i; exact: bounded_indicator | by case: (indicator_exists (b^~ o))].
Qed.

Lemma exchange_mean (X : finType) (w : X -> R) (f : O -> X -> R) : (forall x, bounded (f^~ x)) ->
  q (fun o => mean w (f o)) = mean w (fun x => q (f^~ x)).
Proof. by move=> bf; rewrite /mean E_sum => [|x]; [apply: eq_bigr => x _; rewrite E_scale | exact: bounded_scale]. Qed.

Lemma E_space : expectation_of_bounded_variables bounded q.
Proof.
split; [exact: by_const | exact: bounded_add | exact: bounded_scale | | exact: E_const | exact: E_add | move=> c X; exact: E_scale | exact: E_le].
move=> X [C XC]; exists (exp C) => o; rewrite Rabs_pos_eq; last by left; exact: exp_pos.
by apply: exp_le; have /Rabs_le_between := XC o; lra.
Qed.
End Laws.

(* ---------------------------------------------------------------- The finite law *)
Section Finite.
Variables (O : finType) (w : O -> R).
Hypothesis w_ok : probability w.
Local Obligation Tactic := idtac.
Program Definition finite_law : law_on O := @LawOn O (mean w) _ _ _ _.
Next Obligation. by move=> c; exact: mean_of_const. Qed.
Next Obligation. by move=> f g _ _; exact: mean_add. Qed.
Next Obligation. by move=> c f _; exact: mean_scale. Qed.
Next Obligation. by move=> f g _ _ fg; apply: mean_le => // o; exact: (proj1 w_ok). Qed.
Lemma finite_bounded (f : O -> R) : bounded f. Proof. by have [C [_ fC]] := exists_bound f; exists C. Qed.
End Finite.

Definition uniform (T : finType) (_ : T) : R := / INR #|T|.

Lemma uniform_ok (T : finType) : (0 < #|T|)%nat -> probability (@uniform T).
Proof.
move=> /INR_pos T0; split=> [t|]; first by left; exact: Rinv_0_lt_compat.
by rewrite /uniform sum_const Rinv_r //; exact: Rgt_not_eq.
Qed.

(* Laws from laws: of one point, and of what is drawn second, by a law that the first draw chooses. *)
Section Bind.
Local Obligation Tactic := idtac.
Program Definition point_law (X : Type) (x : X) : law_on X := @LawOn X (fun f => f x) _ _ _ _.
Solve All Obligations with by [].

Variables (X Y : Type) (q : law_on X) (r : X -> law_on Y).
Lemma bounded_mean f : bounded f -> bounded (fun x => r x f). Proof. by case=> C fC; exists C => x; exact: E_abs. Qed.

Program Definition bind_law : law_on Y := @LawOn Y (fun f => q (fun x => r x f)) _ _ _ _.
Next Obligation. by move=> c /=; rewrite -[RHS](E_const q); apply: E_ext => x; exact: E_const. Qed.
Next Obligation. by move=> f g bf bg /=; rewrite -E_add; [apply: E_ext => x; exact: E_add | exact: bounded_mean | exact: bounded_mean]. Qed.
Next Obligation. by move=> c f bf /=; rewrite -E_scale; [apply: E_ext => x; exact: E_scale | exact: bounded_mean]. Qed.
Next Obligation. by move=> f g bf bg fg; apply: E_le => [||x]; [exact: bounded_mean | exact: bounded_mean | exact: E_le]. Qed.
End Bind.

(* Independent draws, after the draws s. *)
Fixpoint draws (O : Type) (q : law_on O) (l : nat) (s : seq O) : law_on (seq O) :=
  if l is l'.+1 then bind_law q (fun o => draws q l' (o :: s)) else point_law s.
