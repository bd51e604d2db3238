(* Laws that extend probability measures: on bounded jointly measurable functions their order does not matter (Fubini's theorem). *)

From kernel Require Import Measures Laws Integrals.

Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Notation RR := real_realType.
Notation nice_on T f := (@nice _ T RR (f : T -> RR)).

(* The law q extends the probability measure m. *)
Definition extends d (T : measurableType d) (m : {measure set T -> \bar RR}) (q : law_on T) :=
  m setT = 1%E /\ forall f : T -> RR, nice f -> q f = @integral d T m f.

Lemma finite_sigma d (T : measurableType d) (m : {measure set T -> \bar RR}) : m setT = 1%E -> sigma_finite setT m.
Proof. by move=> m1; exists (fun _ => setT) => [|i]; [rewrite bigcup_const //; exists 0%N | split; [exact: measurableT | rewrite m1 ltry]]. Qed.

Section Two.
Context d1 d2 (T1 : measurableType d1) (T2 : measurableType d2).
Variables (m1 : {measure set T1 -> \bar RR}) (m2 : {measure set T2 -> \bar RR}) (q1 : law_on T1) (q2 : law_on T2).
Hypotheses (e1 : extends m1 q1) (e2 : extends m2 q2).
Variable f : T1 * T2 -> RR.
Hypothesis nf : @nice _ [the measurableType _ of (T1 * T2)%type] RR f.

Lemma section1 x : nice_on T2 (fun y => f (x, y)).
Proof. by have [mf [C fC]] := nf; split; [exact: measurable_fun_prod1 | exists C => y]. Qed.
Lemma section2 y : nice_on T1 (fun x => f (x, y)).
Proof. by have [mf [C fC]] := nf; split; [exact: (measurable_fun_prod2 (f := f)) | exists C => x]. Qed.

Let s1 := finite_sigma (proj1 e1).
Let s2 := finite_sigma (proj1 e2).
Let mE : measurable_fun setT (EFin \o f). Proof. by have [mf _] := nf; exact/EFin_measurable_fun. Qed.

Lemma over_second x : (q2 (fun y => f (x, y)))%:E = fubini_F m2 (EFin \o f) x.
Proof. by rewrite (proj2 e2 _ (section1 x)) /integral fineK //; exact: (nice_fin (proj1 e2) (section1 x)). Qed.
Lemma over_first y : (q1 (fun x => f (x, y)))%:E = fubini_G m1 (EFin \o f) y.
Proof. by rewrite (proj2 e1 _ (section2 y)) /integral fineK //; exact: (nice_fin (proj1 e1) (section2 y)). Qed.

Lemma bounded_by (T : Type) (q : law_on T) (g : T -> RR) (C : RR) : (forall x, `|g x| <= C) -> `|q g| <= C.
Proof. by move=> gC; apply/RleP; apply: (@E_abs _ q g C) => x; apply/RleP; exact: gC. Qed.

Lemma nice_first : nice_on T1 (fun x => q2 (fun y => f (x, y))).
Proof.
have [_ [C fC]] := nf; split; last by exists C => x; apply: bounded_by => y; exact: fC.
apply/EFin_measurable_fun; rewrite (_ : EFin \o _ = fubini_F m2 (EFin \o f)); first exact: measurable_fubini_F.
by apply/boolp.funext => x /=; exact: over_second.
Qed.
Lemma nice_second : nice_on T2 (fun y => q1 (fun x => f (x, y))).
Proof.
have [_ [C fC]] := nf; split; last by exists C => x; apply: bounded_by => y; exact: fC.
apply/EFin_measurable_fun; rewrite (_ : EFin \o _ = fubini_G m1 (EFin \o f)); first exact: measurable_fubini_G.
by apply/boolp.funext => x /=; exact: over_first.
Qed.

Lemma order : q1 (fun x => q2 (fun y => f (x, y))) = q2 (fun y => q1 (fun x => f (x, y))).
Proof.
have p1 : product_measure1 m1 s2 setT = 1%E.
  by rewrite -setMTT product_measure1E ?measurableT // (proj1 e1) (proj1 e2) mule1.
have int := nice_int p1 nf.
rewrite (proj2 e1 _ nice_first) (proj2 e2 _ nice_second) /integral; congr fine.
transitivity (\int[m1]_x fubini_F m2 (EFin \o f) x)%E; first by apply: eq_integral => x _; exact: over_second.
rewrite (fubini1 mE int) -(fubini2 s1 mE int).
by apply: eq_integral => x _; rewrite over_first.
Qed.
End Two.
