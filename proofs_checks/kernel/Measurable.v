(* Measurable functions, over the standard library's real numbers: sums, products, limits, cases, comparisons and quotients. *)

From kernel Require Import Measures.
From Coquelicot Require Lim_seq Rbar.
From kernel Require Import Sums Values Concentration Events Integrals Maximiser.

Import numFieldTopology.Exports numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope R_scope.
Notation RR := real_realType.
Notation mfun f := (@measurable_fun _ _ _ RR setT f).
Notation two T1 T2 := (Datatypes_prod__canonical__measure_Measurable T1 T2).
Notation is_lim_seq := Lim_seq.is_lim_seq.

Lemma cvg_of (R : realType) (u : nat -> R) (l : R) : (forall e : R, (0 < e)%R -> exists N : nat, forall n, (N <= n)%N -> (`|l - u n| < e)%R) -> (u n @[n --> \oo] --> l).
Proof. by move=> h; apply/cvgrPdist_lt => e /h [N hN]; exists N. Qed.

Section Facts.
Context d (T : measurableType d).
Lemma mfun_mult (f g : T -> RR) : mfun f -> mfun g -> mfun (fun x => f x * g x : RR).
Proof. by move=> mf mg; exact: (measurable_funM mf mg). Qed.
Lemma mfun_add (f g : T -> RR) : mfun f -> mfun g -> mfun (fun x => f x + g x : RR).
Proof. by move=> mf mg; exact: (measurable_funD mf mg). Qed.
Lemma mfun_const (c : RR) : mfun (fun _ : T => c). Proof. exact: measurable_fun_cst. Qed.
Lemma mfun_ext (f g : T -> RR) : (forall x, f x = g x :> R) -> mfun f -> mfun g.
Proof. by move=> fg; rewrite (_ : f = g) //; apply/boolp.funext. Qed.

(* By cases of finitely many values. *)
Lemma mfun_cases (S : finType) (k : T -> S) (F : S -> T -> RR) : (forall v, mfun (fun x => indicator (k x == v) : RR)) ->
  (forall v, mfun (F v)) -> mfun (fun x => F (k x) x).
Proof.
move=> mk mF; pose g s (x : T) : RR := foldr (fun v r => indicator (k x == v) * F v x + r) 0 s.
have mg s : mfun (g s).
  by elim: s => [|v s IH]; [exact: mfun_const | exact: (mfun_add (mfun_mult (mk v) (mF v)) IH)].
have e s x : uniq s -> g s x = if k x \in s then F (k x) x else 0.
  elim: s => [|v s IH] //= /andP [vs us]; rewrite /g /= -/(g s x) IH // in_cons /indicator.
  by case: eqP => [->|_] /=; [rewrite (negbTE vs) Rmult_1_l Rplus_0_r | rewrite Rmult_0_l Rplus_0_l].
by apply: mfun_ext (mg (enum S)) => x; rewrite e ?enum_uniq // mem_enum.
Qed.
Lemma nice_of (f : T -> RR) C : mfun f -> (forall x, Rabs (f x) <= C) -> @nice _ T RR f.
Proof. by move=> mf fC; split=> //; exists C => x; apply/RleP; exact: fC. Qed.
Lemma mfun_lim (u : nat -> T -> RR) (f : T -> RR) : (forall n, mfun (u n)) -> (forall x, is_lim_seq (fun n => u n x) (Rbar.Finite (f x))) -> mfun f.
Proof.
move=> mu lim; apply: (measurable_fun_cvg mu) => x _; apply: cvg_of => e /RltP e0.
have /Lim_seq.is_lim_seq_spec := lim x => /(_ (mkposreal e e0)) [N hN].
exists N => n Nn; apply/RltP; rewrite -[Num.norm _]/(Rabs _) -[GRing.add _ _]/(f x - u n x) Rabs_minus_sym.
by apply: hN; apply/ssrnat.leP.
Qed.
Lemma mfun_sub (f g : T -> RR) : mfun f -> mfun g -> mfun (fun x => f x - g x : RR).
Proof. by move=> mf mg; exact: (measurable_funB mf mg). Qed.
Lemma mfun_abs (f : T -> RR) : mfun f -> mfun (fun x => Rabs (f x) : RR).
Proof. by move=> mf; exact: (measurable_fun_comp (@measurable_fun_normr RR setT) mf). Qed.
Lemma mfun_sum (I : Type) (s : seq I) (f : I -> T -> RR) : (forall i, mfun (f i)) -> mfun (fun x => \big[Rplus/0]_(i <- s) f i x : RR).
Proof.
move=> mf; elim: s => [|i s IH]; first by apply: (mfun_ext _ (mfun_const 0)) => x; rewrite big_nil.
by apply: (mfun_ext _ (mfun_add (mf i) IH)) => x; rewrite big_cons.
Qed.
Lemma mfun_sum_to n (f : nat -> T -> RR) : (forall i, mfun (f i)) -> mfun (fun x => sum_to n (fun i => f i x) : RR).
Proof. by move=> mf; elim: n => [|n IH]; [exact: mfun_const | exact: (mfun_add IH (mf n))]. Qed.
Lemma mfun_if (b : T -> bool) (f g : T -> RR) : mfun (fun x => indicator (b x) : RR) -> mfun f -> mfun g -> mfun (fun x => if b x then f x else g x).
Proof.
move=> mb mf mg; apply: (mfun_ext (f := fun x => indicator (b x) * f x + (1 - indicator (b x)) * g x : RR)) => [x|].
  by rewrite /indicator; case: (b x); ring.
by apply: mfun_add; apply: mfun_mult => //; apply: mfun_sub => //; exact: mfun_const.
Qed.
Lemma mfun_below (f g : T -> RR) : mfun f -> mfun g -> mfun (fun x => indicator (above (f x) (g x)) : RR).
Proof.
move=> mf mg; pose h x : RR := g x - f x; have m : mfun h by exact: mfun_sub.
have s := emeasurable_fun_o_infty measurableT (proj2 (EFin_measurable_fun setT _) m) 0%E.
apply: (@measurable_fun_ifT _ _ T RR (fun _ => 1) (fun _ => 0) (fun x => above (f x) (g x))); try exact: mfun_const.
apply: (@measurable_fun_bool _ T setT _ true); rewrite setTI in s.
rewrite (_ : _ @^-1` _ = [set x | (0 < (EFin \o h) x)%E]) //; apply/seteqP; split=> x /=; rewrite lte_fin.
  by move=> /aboveP p; apply/RltP; change (Rlt 0 (Rminus (g x) (f x))); lra.
by move=> /RltP p; apply/aboveP; have p' : Rlt 0 (Rminus (g x) (f x)) := p; lra.
Qed.
Lemma mfun_or (b c : T -> bool) : mfun (fun x => indicator (b x) : RR) -> mfun (fun x => indicator (c x) : RR) -> mfun (fun x => indicator (b x || c x) : RR).
Proof.
move=> mb mc; apply: (mfun_ext _ (mfun_if mb (mfun_const 1) mc)) => x; by rewrite /indicator; case: (b x).
Qed.
Lemma mfun_exists (I : finType) (b : I -> T -> bool) : (forall i, mfun (fun x => indicator (b i x) : RR)) -> mfun (fun x => indicator [exists i, b i x] : RR).
Proof.
move=> mb; have ms s : mfun (fun x => indicator (has (b^~ x) s) : RR).
  by elim: s => [|i s IH]; [exact: mfun_const | exact: (mfun_or (mb i) IH)].
apply: (mfun_ext _ (ms (enum I))) => x; congr indicator; apply/hasP/existsP => [[i _ h]|[i h]]; first by exists i.
by exists i => //; rewrite mem_enum.
Qed.
(* Where a function of finitely many is largest. *)
Lemma argmax_m (X : finType) (x0 x : X) (f : X -> T -> RR) : (forall y, mfun (f y)) -> mfun (fun t => indicator (argmax x0 (f^~ t) == x) : RR).
Proof.
move=> mf; pose beaten t y := [exists z, above (f y t) (f z t)].
have mb y : mfun (fun t => indicator (beaten t y) : RR) by apply: mfun_exists => z; exact: mfun_below.
suff m s : mfun (fun t => indicator (head x0 [seq y <- s | ~~ beaten t y] == x) : RR).
  apply: (mfun_ext _ (m (Finite.enum X))) => t; rewrite /argmax /pick /enum_mem.
  rewrite (@eq_filter _ _ (fun y => ~~ beaten t y)) => [|y]; first by case: [seq _ <- _ | _].
  rewrite !inE negb_exists; apply: eq_forallb => z; rewrite /above; case: Rle_dec => h; case: Rlt_dec => //= l; lra.
elim: s => [|y s IH] /=; first exact: mfun_const.
by apply: (mfun_ext _ (mfun_if (mb y) IH (mfun_const (indicator (y == x))))) => t; case: (beaten t y).
Qed.
(* A quotient of bounded functions where the divisor is positive. *)
Lemma mfun_quotient (a b : T -> RR) M : 0 < M -> (forall x, 0 <= b x <= M) -> mfun a -> mfun b -> mfun (fun x => (if Rlt_dec 0 (b x) then a x / b x else 0) : RR).
Proof.
move=> M0 bM ma mb; have mp : mfun (fun x => indicator (above 0 (b x)) : RR) by apply: mfun_below => //; exact: mfun_const.
have mr : mfun (fun x => 1 - / M * b x : RR).
  by apply: mfun_sub; [exact: mfun_const | apply: mfun_mult => //; exact: mfun_const].
have mpow n : mfun (fun x => (1 - / M * b x) ^ n : RR) by elim: n => [|n IH]; [exact: mfun_const | exact: (mfun_mult mr IH)].
apply: (mfun_lim (u := fun n x => indicator (above 0 (b x)) * (a x * (/ M * sum_to n (fun i => (1 - / M * b x) ^ i))))).
  move=> n; apply: mfun_mult => //; apply: mfun_mult => //; apply: mfun_mult; first exact: mfun_const.
  exact: (mfun_sum_to n mpow).
move=> x; rewrite /indicator; case: aboveP => [p|np]; last first.
  case: (Rlt_dec 0 (b x)) => [q|nq] /=; first by case: np.
  apply: (Lim_seq.is_lim_seq_ext (fun _ => 0)); last exact: Lim_seq.is_lim_seq_const.
  by move=> n; ring.
case: (Rlt_dec 0 (b x)) => [q|nq] /=; last by case: nq.
have [b0 b1] := bM x; have i0 : 0 < / M by exact: Rinv_0_lt_compat.
set r := 1 - / M * b x; have r0 : 0 <= r < 1.
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ i0) b1; have := Rmult_lt_0_compat _ _ i0 p.
  by rewrite Rinv_l /r; [split; lra | lra].
have geo n : sum_to n (fun i => r ^ i) = (1 - r ^ n) / (1 - r).
  by elim: n => [|n IH]; [rewrite /=; field; lra | rewrite [LHS]/= IH /=; field; lra].
apply: (Lim_seq.is_lim_seq_ext (fun n => a x / b x - a x / b x * r ^ n)).
  by move=> n; rewrite geo (_ : 1 - r = / M * b x); [field; split; lra | rewrite /r; ring].
have l : is_lim_seq (fun n => r ^ n) (Rbar.Finite 0) by apply: Lim_seq.is_lim_seq_geom; rewrite Rabs_pos_eq; lra.
have := Lim_seq.is_lim_seq_minus' _ _ _ _ (Lim_seq.is_lim_seq_const (a x / b x)) (Lim_seq.is_lim_seq_mult' _ _ _ _ (Lim_seq.is_lim_seq_const (a x / b x)) l).
by rewrite Rmult_0_r Rminus_0_r.
Qed.
End Facts.
