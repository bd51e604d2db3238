(* Every probability measure of mathcomp-analysis, on any measurable space, is a law: on bounded measurable functions it is the
   integral, over the standard library's real numbers. *)

From kernel Require Import Measures.

Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.

Section Facts.
Context d (T : measurableType d) (R : realType) (P : {measure set T -> \bar R}).
Hypothesis P1 : P setT = 1.
Let E (f : T -> R) : R := fine (\int[P]_x (f x)%:E).
Definition nice (f : T -> R) := measurable_fun setT f /\ exists C : R, forall x, (`|f x| <= C)%R.

Lemma nice_int f : nice f -> P.-integrable setT (EFin \o f).
Proof.
move=> [mf [C fC]]; split; first exact/EFin_measurable_fun.
have C0 : (0 <= `|C|)%R by [].
apply: (@le_lt_trans _ _ (\int[P]_(x in setT) (cst `|C|%:E x))).
  apply: ge0_le_integral => //=.
  - by apply: (@measurable_fun_comp _ _ _ _ _ _ abse setT (EFin \o f)) => //; apply/EFin_measurable_fun.
  - exact: measurable_fun_cst.
  - by move=> x _; rewrite lee_fin (le_trans (fC x)) // ler_norm.
by rewrite integral_cst // P1 mule1 ltry.
Qed.
Lemma E_cst c : E (fun _ => c) = c.
Proof. by rewrite /E (integral_cst P measurableT c%:E) P1 mule1. Qed.
Lemma nice_fin f : nice f -> \int[P]_x (f x)%:E \is a fin_num.
Proof. by move/nice_int => h; exact: (integral_fune_fin_num measurableT h). Qed.
Lemma E_D f g : nice f -> nice g -> E (fun x => f x + g x)%R = (E f + E g)%R.
Proof.
move=> nf ng; rewrite /E; have := integralD_EFin measurableT (nice_int nf) (nice_int ng).
by rewrite /= => h; rewrite (_ : (fun x => (f x + g x)%:E) = (fun x => (f x)%:E + (g x)%:E)) // h fineD ?nice_fin.
Qed.
Lemma E_M c f : nice f -> E (fun x => c * f x)%R = (c * E f)%R.
Proof.
move=> nf; rewrite /E; have := integralM measurableT (nice_int nf) c => /= h.
by rewrite (_ : (fun x => (c * f x)%:E) = (fun x => c%:E * (f x)%:E)) // h fineM ?nice_fin.
Qed.
Lemma E_ge0 f : (forall x, 0 <= f x)%R -> (0 <= E f)%R.
Proof. by move=> f0; apply: fine_ge0; apply: integral_ge0 => x _; rewrite lee_fin. Qed.
End Facts.

From kernel Require Import Sums.
From kernel Require Import Laws Extension.
Close Scope ereal_scope.
Section Bridge.
Notation RR := real_realType.   (* Coq's own R *)
Context d (T : measurableType d) (P : {measure set T -> \bar RR}).
Hypothesis P1 : P setT = 1%E.
Definition integral (f : T -> RR) : RR := fine (\int[P]_x (f x)%:E)%E.
Definition integrated : graph T := fun f r => @nice _ T RR f /\ r = integral f.

Lemma integrated_ok : partial integrated.
Proof.
have cst (c : RR) : nice (fun _ : T => c) by split; [exact: measurable_fun_cst | exists `|c|].
have add (f g : T -> RR) : nice f -> nice g -> nice (fun x : T => (f x + g x)%R).
  move=> [mf [C fC]] [mg [D gD]]; split; first exact: measurable_funD.
  by exists (C + D) => x; apply: le_trans (ler_norm_add _ _) _; exact: ler_add.
have scale (c : RR) (f : T -> RR) : nice f -> nice (fun x : T => (c * f x)%R).
  move=> [mf [C fC]]; split; first exact: measurable_funrM.
  by exists (`|c| * C) => x; rewrite normrM; apply: ler_wpmul2l.
split.
- by move=> c; split; [exact: cst | rewrite /integral (E_cst P1)].
- by move=> f g r s [nf ->] [ng ->]; split; [exact: add | rewrite /integral (E_D P1)].
- by move=> c f r [nf ->]; split; [exact: scale | rewrite /integral (E_M P1)].
- move=> f r u [nf ->] fu; have nn := add _ _ (cst u) (scale (-1) f nf).
  have : (0 <= integral (fun x : T => u + -1 * f x)%R)%R.
    by apply: (@E_ge0 _ _ RR P (fun x : T => u + -1 * f x)%R) => x; rewrite mulN1r subr_ge0; apply/RleP; exact: fu.
  by rewrite /integral (E_D P1 (cst u) (scale _ _ nf)) (E_M P1 _ nf) (E_cst P1) mulN1r subr_ge0 => /RleP.
Qed.

(* Every probability on any measurable space is a law of the skeleton: on bounded measurable functions it is the integral. *)
Theorem genuine : exists q : law_on T, forall f : T -> RR, nice f -> q f = integral f.
Proof. by have [q h] := extension integrated_ok; exists q => f nf; apply: h. Qed.
End Bridge.
