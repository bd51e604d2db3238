(* Independent draws of a law, of any kind: the union bound, Markov's inequality for exponentials, Hoeffding's inequality for means
   and for sets, and Weissman's. How many draws there are is fixed; the functions are bounded. *)

From kernel Require Import Limits Sums Concentration Events Laws.

Section Draws.
Variables (O : Type) (q : law_on O).
Implicit Types (f : O -> R) (s : seq O) (b bad : seq O -> bool).

Definition total_of f s : R := \sum_(o <- s) f o.

Lemma total_of_opp f s : total_of (fun o => - f o) s = - total_of f s.
Proof. by rewrite /total_of; elim: s => [|o s IH]; [rewrite !sum_nil; ring | rewrite !sum_cons IH; ring]. Qed.

Lemma counted (p : pred O) s : INR (count p s) = total_of (fun o => indicator (p o)) s.
Proof.
rewrite /total_of; elim: s => [|o s IH]; first by rewrite sum_nil.
by rewrite sum_cons -IH /= plus_INR /indicator; case: (p o).
Qed.

Lemma draws_sub l s b b' : (forall r, size r = (l + size s)%nat -> b r -> b' r) ->
  draws q l s (fun r => indicator (b r)) <= draws q l s (fun r => indicator (b' r)).
Proof.
elim: l s => [|l IH] s sub; first by apply: indicator_le; exact: sub.
apply: (E_le q) => [||o]; try by apply: bounded_mean; exact: bounded_indicator.
by apply: IH => r sz; apply: sub; rewrite sz /= addnS.
Qed.

(* Through a map to a finite set the draws are those of a finite law. *)
Lemma bounded_next (Y : finType) (next : O -> Y) (F : Y -> R) : bounded (fun o => F (next o)).
Proof. by have [C FC] := finite_bounded F; exists C. Qed.

Lemma E_next (Y : finType) (next : O -> Y) (F : Y -> R) : q (fun o => F (next o)) = mean (fun y => q (fun o => indicator (next o == y))) F.
Proof.
rewrite (E_ext _ (g := fun o => \sum_(y : Y) F y * indicator (next o == y))) => [|o].
  rewrite E_sum => [|y]; last by apply: bounded_scale; exact: bounded_indicator.
  by apply: eq_bigr => y _; rewrite E_scale; [rewrite Rmult_comm | exact: bounded_indicator].
rewrite -(sum_single (next o) F); apply: eq_bigr => y _.
by rewrite /indicator eq_sym; case: eqP => _; ring.
Qed.

Lemma next_probability (Y : finType) (next : O -> Y) : probability (fun y => q (fun o => indicator (next o == y))).
Proof.
split=> [y|]; last by have := E_next next (fun _ => 1); rewrite E_const mean_const; lra.
by case: (E_range q (fun o => indicator01 (next o == y))).
Qed.

Lemma draws_next (Y : finType) (next : O -> Y) (ok : probability (fun y => q (fun o => indicator (next o == y)))) l s (F : seq Y -> R) :
  draws q l s (fun r => F [seq next o | o <- r]) = draws (finite_law ok) l [seq next o | o <- s] F.
Proof.
elim: l s => [|l IH] s //=; rewrite -(E_next next (fun y => draws (finite_law ok) l (y :: [seq next o | o <- s]) F)).
by apply: E_ext => o; exact: IH.
Qed.

(* ---------------------------------------------------------------- Exponential moments *)

(* Markov's inequality for exp(t (f(o_1) + ... + f(o_l))). *)
Lemma chernoff f t psi a l bad : bounded f -> 0 <= t -> q (fun o => exp (t * (f o - q f))) <= exp psi ->
  (forall s, size s = l -> bad s -> INR l * q f + a <= total_of f s) ->
  draws q l [::] (fun s => indicator (bad s)) <= exp (INR l * psi - t * a).
Proof.
move=> bf t0 mg hbad; pose d s := total_of f s - INR (size s) * q f.
suff all j s : (j + size s)%nat = l -> draws q j s (fun s => indicator (bad s)) <= exp (INR j * psi - t * a + t * d s).
  by apply: Rle_trans (all l [::] (addn0 l)) _; apply: exp_le; rewrite /d /total_of sum_nil /=; lra.
elim: j s => [|j IH] s sz; rewrite [draws _ _ _ _]/=.
  rewrite [INR 0]/= /indicator; case: ifP => [b|_]; last by left; exact: exp_pos.
  by rewrite -{1}exp_0; apply: exp_le; have := Rmult_le_compat_l _ _ _ t0 (hbad s sz b); rewrite /d -sz add0n; lra.
apply: Rle_trans (_ : _ <= q (fun o => exp (INR j * psi - t * a + t * d s) * exp (t * (f o - q f)))) _.
  apply: (E_le q) => [||o]; [by apply: bounded_mean; exact: bounded_indicator | by apply: bounded_scale; exact: (centred_variable (E_space q) bf) |].
  apply: Rle_trans (IH (o :: s) _) _; first by rewrite -sz /= addnS.
  rewrite -exp_plus; apply: exp_le; apply: Req_le.
  by rewrite /d /total_of sum_cons -[size (o :: s)]/((size s).+1) S_INR; ring.
rewrite E_scale; last exact: (centred_variable (E_space q) bf).
apply: Rle_trans (Rmult_le_compat_l _ _ _ (Rlt_le _ _ (exp_pos _)) mg) _.
by rewrite -exp_plus S_INR; apply: exp_le; lra.
Qed.

(* What deviates to either side. *)
Lemma both_sides f a p l bad : bounded f -> (forall g b, g = f \/ g = (fun o => - f o) ->
    (forall s, size s = l -> b s -> INR l * q g + a <= total_of g s) -> draws q l [::] (fun s => indicator (b s)) <= p) ->
  (forall s, size s = l -> bad s -> a <= Rabs (total_of f s - INR l * q f)) ->
  draws q l [::] (fun s => indicator (bad s)) <= 2 * p.
Proof.
move=> bf one hbad; pose side s := above (total_of f s) (INR l * q f).
apply: Rle_trans (_ : _ <= p + p) _; last lra.
have h1 := one f (fun s => bad s && ~~ side s) (or_introl erefl); have h2 := one _ (fun s => bad s && side s) (or_intror erefl).
apply: Rle_trans (Rplus_le_compat _ _ _ _ (h1 _) (h2 _)).
- by apply: E_either => s b; rewrite b; case: (side s).
- move=> s sz /andP [bs /aboveP/Rnot_lt_le up]; have := hbad s sz bs; rewrite Rabs_pos_eq; lra.
- move=> s sz /andP [bs /aboveP down]; have := hbad s sz bs; rewrite E_opp // total_of_opp Rabs_left; lra.
Qed.

(* ---------------------------------------------------------------- Hoeffding's inequality *)

(* One side: the sum of l draws exceeds its mean by l e with probability at most exp(-2 l e^2 / (hi - lo)^2). *)
Lemma hoeffding_one_side f (lo hi e : R) l bad : (forall o, lo <= f o <= hi) -> lo < hi -> 0 <= e ->
  (forall s, size s = l -> bad s -> INR l * q f + INR l * e <= total_of f s) ->
  draws q l [::] (fun s => indicator (bad s)) <= exp (- (2 * INR l * (e * e) / ((hi - lo) * (hi - lo)))).
Proof.
move=> range width e0 hbad; have w0 : 0 < (hi - lo) * (hi - lo) by apply: Rmult_lt_0_compat; lra.
pose t := 4 * e / ((hi - lo) * (hi - lo)); have t0 : 0 <= t by apply: Rdiv_le_0_compat; lra.
have bf := by_range range.
apply: Rle_trans (chernoff bf t0 (exponential_moment_of_variable (E_space q) bf range width t) hbad) _.
by apply: exp_le; apply: Req_le; rewrite /t; field; lra.
Qed.

(* Hoeffding's inequality: the mean of l independent draws, in an interval of length hi - lo, deviates from its expectation by at
   least e with probability at most 2 exp(-2 l e^2 / (hi - lo)^2).
   step of: cited:hoeffding conc:r/repair *)
Theorem hoeffding f (lo hi e : R) l bad : (forall o, lo <= f o <= hi) -> lo < hi -> 0 <= e ->
  (forall s, size s = l -> bad s -> INR l * e <= Rabs (total_of f s - INR l * q f)) ->
  draws q l [::] (fun s => indicator (bad s)) <= 2 * exp (- (2 * INR l * (e * e) / ((hi - lo) * (hi - lo)))).
Proof.
move=> range width e0; apply: (both_sides (by_range range)) => g b cases.
have [lo' [hi' [r width']]] : exists lo' hi', (forall o, lo' <= g o <= hi') /\ hi' - lo' = hi - lo.
  by case: cases => ->; [exists lo, hi | exists (- hi), (- lo)]; split=> [o|]; have := range; try (move=> /(_ o)); lra.
by rewrite -width'; apply: hoeffding_one_side => //; lra.
Qed.

(* The radius w sqrt(lam/(2 l)) for means of l draws in an interval of length w. *)
Lemma far_rarely f w lam l : (0 < l)%nat -> 0 <= lam -> 0 < w -> (forall o, 0 <= f o <= w) ->
  draws q l [::] (fun s => indicator (above (w * sqrt (lam / (2 * INR l))) (Rabs (total_of f s / INR l - q f)))) <= 2 * exp (- lam).
Proof.
move=> /ltP/lt_0_INR lpos lam0 w0 fw; have x0 : 0 <= lam / (2 * INR l) by apply: Rdiv_le_0_compat; lra.
have e0 : 0 <= w * sqrt (lam / (2 * INR l)) by apply: Rmult_le_pos; [lra | exact: sqrt_pos].
apply: Rle_trans (hoeffding fw w0 e0 (l := l) _) _ => [s _ /aboveP h|].
  rewrite (_ : total_of f s - _ = INR l * (total_of f s / INR l - q f)); last by field; lra.
  by rewrite Rabs_mult (Rabs_pos_eq (INR l)); [apply: Rmult_le_compat_l|]; lra.
apply: Req_le; congr (_ * exp _); move: (sqrt_sqrt _ x0); set r := sqrt _ => rr.
by rewrite (_ : _ / _ = 2 * INR l * (r * r)); [rewrite rr; field; lra | field; lra].
Qed.

(* Of all sets of outcomes at once. *)
Lemma sets_rarely (Y : finType) (next : O -> Y) (e : R) l (over : {set Y} -> seq O -> bool) : 0 <= e ->
  (forall D s, size s = l -> over D s ->
     INR l * q (fun o => indicator (next o \in D)) + INR l * e <= total_of (fun o => indicator (next o \in D)) s) ->
  draws q l [::] (fun s => indicator [exists D, over D s]) <= 2 ^ #|Y| * exp (- (2 * INR l * (e * e))).
Proof.
move=> e0 h; rewrite -card_sets; apply: E_some => D.
apply: Rle_trans (hoeffding_one_side (fun o => indicator01 (next o \in D)) Rlt_0_1 e0 (h D)) _.
by apply: Req_le; congr exp; field.
Qed.

(* Weissman's inequality: the L1 distance of the empirical law of l draws to their law is at least e with probability at
   most 2^S exp(-l e^2 / 2), S being the number of outcomes.
   ledger: cited:weissman
   step of: conc:Q/repair *)
Theorem weissman (Y : finType) (next : O -> Y) (e : R) l bad : 0 <= e -> (0 < l)%nat ->
  (forall s, size s = l -> bad s ->
     e <= \sum_(y : Y) Rabs (INR (count (fun o => next o == y) s) / INR l - q (fun o => indicator (next o == y)))) ->
  draws q l [::] (fun s => indicator (bad s)) <= 2 ^ #|Y| * exp (- (INR l * (e * e) / 2)).
Proof.
move=> e0 /ltP/lt_0_INR lpos hbad; pose f (D : {set Y}) o := indicator (next o \in D).
pose over D s := ~~ above (total_of (f D) s) (INR l * q (f D) + INR l * (e / 2)).
apply: Rle_trans (_ : _ <= draws q l [::] (fun s => indicator [exists D, over D s])) _; last first.
  rewrite (_ : INR l * (e * e) / 2 = 2 * INR l * (e / 2 * (e / 2))); last field.
  by apply: (@sets_rarely _ next) => [|D s _]; [lra | rewrite /over; case: aboveP => // /Rnot_lt_le].
apply: draws_sub => s; rewrite addn0 => sz b.
pose emp y := INR (count (fun o => next o == y) s) / INR l; pose tru y := q (fun o => indicator (next o == y)).
have part (D : {set Y}) : INR l * (\sum_(y in D) (emp y - tru y)) = total_of (f D) s - INR l * q (f D).
  rewrite -counted count_in (E_next next (fun y => indicator (y \in D))) sum_sub sum_scale_r.
  rewrite (_ : mean _ _ = \sum_(y in D) tru y); first by field; lra.
  by rewrite /mean [RHS]big_mkcond; apply: eq_bigr => y _; rewrite /= -/(tru y) /indicator; case: ifP => _; ring.
have none : \sum_(y : Y) (emp y - tru y) = 0.
  apply: (Rmult_eq_reg_l (INR l)); last lra.
  rewrite (eq_bigl (fun y => y \in [set: Y])) => [|y]; last by rewrite inE.
  rewrite part -counted (eq_count (a2 := predT)) ?count_predT => [|o]; last by rewrite inE.
  by rewrite sz (E_ext _ (g := fun _ => 1)) ?E_const => [|o]; [ring | rewrite /f inE].
pose D := [set y | above (tru y) (emp y)]; apply/existsP; exists D; rewrite /over; case: aboveP => // lt.
have := hbad s sz b; rewrite -/(emp _) -/(tru _) (_ : \sum_(y : Y) _ = 2 * (\sum_(y in D) (emp y - tru y)) - \sum_(y : Y) (emp y - tru y)); last first.
  rewrite [in RHS]big_mkcond -sum_scale -sum_sub; apply: eq_bigr => y _ /=; rewrite inE -/(emp y) -/(tru y).
  by case: aboveP => d; [rewrite Rabs_pos_eq | rewrite Rabs_left1]; lra.
by rewrite none => big; have := part D; have := Rmult_le_compat_l (INR l) _ _ (Rlt_le _ _ lpos) big; lra.
Qed.
End Draws.
