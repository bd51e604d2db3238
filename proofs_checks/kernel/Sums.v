(* Finite sums of real numbers, and the largest of finitely many numbers.

   Sums are MathComp's \big operator over the real addition; what follows are the few facts that the other
   files use, under short names. *)

From kernel Require Import Prelude.

#[global] Open Scope R_scope.

Lemma Rplus_associative : associative Rplus.
Proof. by move=> x y z; rewrite Rplus_assoc. Qed.
Lemma Rmult_associative : associative Rmult.
Proof. by move=> x y z; rewrite Rmult_assoc. Qed.

Canonical Rplus_law := Monoid.Law Rplus_associative Rplus_0_l Rplus_0_r.
Canonical Rplus_comlaw := Monoid.ComLaw Rplus_comm.
Canonical Rmult_law := Monoid.Law Rmult_associative Rmult_1_l Rmult_1_r.
Canonical Rmult_comlaw := Monoid.ComLaw Rmult_comm.
Canonical Rmult_mullaw := Monoid.MulLaw Rmult_0_l Rmult_0_r.
Canonical Rplus_addlaw := Monoid.AddLaw Rmult_plus_distr_r Rmult_plus_distr_l.

Notation "\sum_ i F" := (\big[Rplus/0]_i F) : R_scope.
Notation "\sum_ ( i : t ) F" := (\big[Rplus/0]_(i : t) F) : R_scope.
Notation "\sum_ ( i : t | P ) F" := (\big[Rplus/0]_(i : t | P) F) : R_scope.
Notation "\sum_ ( i | P ) F" := (\big[Rplus/0]_(i | P) F) : R_scope.
Notation "\sum_ ( i 'in' A ) F" := (\big[Rplus/0]_(i in A) F) : R_scope.
Notation "\sum_ ( i <- s ) F" := (\big[Rplus/0]_(i <- s) F) : R_scope.
Notation "\sum_ ( i <- s | P ) F" := (\big[Rplus/0]_(i <- s | P) F) : R_scope.
Notation "\sum_ ( m <= i < n ) F" := (\big[Rplus/0]_(m <= i < n) F) : R_scope.
(* The sum of the first n terms of a sequence. *)
Fixpoint sum_to (n : nat) (f : nat -> R) : R := if n is m.+1 then sum_to m f + f m else 0.
Notation "\sum_ ( i < n ) F" := (sum_to n (fun i => F)) : R_scope.
Notation "\prod_ ( i : t ) F" := (\big[Rmult/1]_(i : t) F) : R_scope.
Notation "\prod_ ( i : t | P ) F" := (\big[Rmult/1]_(i : t | P) F) : R_scope.
Notation "\prod_ ( i | P ) F" := (\big[Rmult/1]_(i | P) F) : R_scope.
Notation "\prod_ ( i <- s ) F" := (\big[Rmult/1]_(i <- s) F) : R_scope.

Section Sums.
Variables (I : Type) (s : seq I) (p : pred I).
Implicit Types f g : I -> R.

Lemma sum_add f g : \sum_(i <- s | p i) (f i + g i) = \sum_(i <- s | p i) f i + \sum_(i <- s | p i) g i.
Proof. exact: big_split. Qed.

Lemma sum_scale c f : \sum_(i <- s | p i) (c * f i) = c * \sum_(i <- s | p i) f i.
Proof. by rewrite big_distrr. Qed.

Lemma sum_scale_r c f : \sum_(i <- s | p i) (f i * c) = (\sum_(i <- s | p i) f i) * c.
Proof. by rewrite big_distrl. Qed.

Lemma sum_sub f g : \sum_(i <- s | p i) (f i - g i) = \sum_(i <- s | p i) f i - \sum_(i <- s | p i) g i.
Proof.
rewrite (_ : _ - _ = \sum_(i <- s | p i) f i + -1 * \sum_(i <- s | p i) g i); last lra.
by rewrite -sum_scale -sum_add; apply: eq_bigr => i _; lra.
Qed.

Lemma sum_le f g : (forall i, p i -> f i <= g i) -> \sum_(i <- s | p i) f i <= \sum_(i <- s | p i) g i.
Proof.
move=> le_fg; apply: (big_ind2 Rle) => //; first exact: Rle_refl.
by move=> x1 x2 y1 y2 h1 h2; lra.
Qed.

Lemma sum_nonneg f : (forall i, p i -> 0 <= f i) -> 0 <= \sum_(i <- s | p i) f i.
Proof. by move=> f0; apply: (big_ind (Rle 0)) => //; [lra | move=> x y; lra]. Qed.

Lemma sum_abs f : Rabs (\sum_(i <- s | p i) f i) <= \sum_(i <- s | p i) Rabs (f i).
Proof.
apply: (big_ind2 (fun x y => Rabs x <= y)); first by rewrite Rabs_R0; lra.
  by move=> x1 x2 y1 y2 h1 h2; have := Rabs_triang x1 y1; lra.
by move=> i _; lra.
Qed.

Lemma sum_zero : \sum_(i <- s | p i) 0 = 0.
Proof. by rewrite big1. Qed.

Lemma product_nonneg f : (forall i, p i -> 0 <= f i) -> 0 <= \big[Rmult/1]_(i <- s | p i) f i.
Proof. by move=> f0; apply: (big_ind (Rle 0)) => //; [lra | move=> x y; exact: Rmult_le_pos]. Qed.
End Sums.

(* MathComp's lemmas, stated with the real addition itself, so that linear arithmetic sees one sum. *)
Lemma sum_cons (I : Type) i (s : seq I) (f : I -> R) : \sum_(j <- i :: s) f j = f i + \sum_(j <- s) f j.
Proof. exact: big_cons. Qed.
Lemma sum_nil (I : Type) (f : I -> R) : \sum_(j <- [::]) f j = 0.
Proof. exact: big_nil. Qed.
Lemma sum_isolate (I : finType) (j : I) (f : I -> R) : \sum_(i : I) f i = f j + \sum_(i : I | i != j) f i.
Proof. exact: bigD1. Qed.

Lemma INR_pos n : (0 < n)%nat -> 0 < INR n.
Proof. by move=> h; apply: lt_0_INR; apply/ltP. Qed.

(* Sums of the first n terms. *)
Section SumTo.
Implicit Types (f g : nat -> R) (n : nat).

Lemma sum_recr n f : \sum_(i < n.+1) f i = \sum_(i < n) f i + f n.
Proof. by []. Qed.

Lemma sum_recl n f : \sum_(i < n.+1) f i = f 0%nat + \sum_(i < n) f i.+1.
Proof. by elim: n => [|n IH] /=; [lra | rewrite -/(sum_to n.+1 f) IH /=; lra]. Qed.

Lemma sum_to_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> \sum_(i < n) f i = \sum_(i < n) g i.
Proof.
by elim: n => [|n IH] //= h; rewrite IH ?h // => i hi; apply: h; exact: ltnW.
Qed.

Lemma sum_to_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> \sum_(i < n) f i <= \sum_(i < n) g i.
Proof.
elim: n => [|n IH] /= h; first lra.
by have := h n (ltnSn n); have := IH (fun i hi => h i (ltnW hi)); lra.
Qed.

Lemma sum_to_add n f g : \sum_(i < n) (f i + g i) = \sum_(i < n) f i + \sum_(i < n) g i.
Proof. by elim: n => [|n IH] /=; [lra | rewrite IH; lra]. Qed.

Lemma sum_to_scale n c f : \sum_(i < n) (c * f i) = c * \sum_(i < n) f i.
Proof. by elim: n => [|n IH] /=; [lra | rewrite IH; lra]. Qed.

Lemma sum_to_const n c : \sum_(i < n) c = INR n * c.
Proof. by elim: n => [|n IH]; [rewrite /=; lra | rewrite S_INR [LHS]/= IH; lra]. Qed.

Lemma sum_to_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= \sum_(i < n) f i.
Proof. by move=> h; have := @sum_to_le n (fun _ => 0) f h; rewrite sum_to_const; lra. Qed.

Lemma sum_to_cat m n f : \sum_(i < m + n) f i = \sum_(i < m) f i + \sum_(i < n) f (m + i)%nat.
Proof. by elim: n => [|n IH]; [rewrite addn0 /=; lra | rewrite addnS /= IH; lra]. Qed.
End SumTo.

Lemma sum_const_in (I : finType) (p : pred I) c : \sum_(i | p i) c = INR #|p| * c.
Proof.
rewrite (eq_bigl (mem p)) // big_const; elim: #|p| => [|n IH]; first by rewrite /=; lra.
by rewrite iterS IH S_INR; lra.
Qed.

Lemma sum_const (I : finType) c : \sum_(i : I) c = INR #|I| * c.
Proof. exact: sum_const_in. Qed.

Lemma sum_single (I : finType) (j : I) (f : I -> R) : \sum_(i : I) (if i == j then f i else 0) = f j.
Proof. by rewrite -big_mkcond big_pred1_eq. Qed.

Lemma term_le_sum (I : finType) (j : I) (f : I -> R) : (forall i, 0 <= f i) -> f j <= \sum_(i : I) f i.
Proof.
move=> f0; rewrite (bigD1 j) //=.
have := @sum_nonneg _ (index_enum I) (fun i => i != j) f (fun i _ => f0 i); lra.
Qed.

(* Among finitely many numbers one is the largest. *)
Lemma exists_max_in (X : finType) (p : pred X) (x0 : X) (f : X -> R) : p x0 ->
  exists x, p x /\ forall y, p y -> f y <= f x.
Proof.
move=> p0; suff: exists x, p x /\ forall y, y \in enum X -> p y -> f y <= f x.
  by case=> x [px hx]; exists x; split=> // y; apply: hx; rewrite mem_enum.
elim: (enum X) => [|z s [x [px hx]]]; first by exists x0.
case pz : (p z); last first.
  by exists x; split=> // y; rewrite inE => /orP[/eqP ->|] //; [rewrite pz | exact: hx].
case: (Rle_dec (f z) (f x)) => h.
  by exists x; split=> // y; rewrite inE => /orP[/eqP ->|] //; exact: hx.
by exists z; split=> // y; rewrite inE => /orP[/eqP ->|ys py] //; [lra | have := hx y ys py; lra].
Qed.

Lemma exists_max (X : finType) (x0 : X) (f : X -> R) : exists x, forall y, f y <= f x.
Proof. by have [x [_ hx]] := @exists_max_in X xpredT x0 f isT; exists x => y; exact: hx. Qed.

Lemma exists_bound (X : finType) (f : X -> R) : exists C, 0 <= C /\ forall x, Rabs (f x) <= C.
Proof.
exists (\sum_(x : X) Rabs (f x)); split; first by apply: sum_nonneg => *; exact: Rabs_pos.
by move=> x; apply: (term_le_sum x (f := fun x => Rabs (f x))) => i; exact: Rabs_pos.
Qed.

Lemma steps_up (f : nat -> R) n : (forall j, (j < n)%nat -> f j <= f j.+1) -> forall i j, (i <= j)%nat -> (j <= n)%nat -> f i <= f j.
Proof.
move=> up i j ij; rewrite -(subnKC ij); elim: (j - i)%nat => [|l IH] h; first by rewrite addn0; lra.
by rewrite addnS in h *; have := IH (ltnW h); have := up _ h; lra.
Qed.

Lemma ratio_01 u v : 0 <= u <= v -> 0 < v -> 0 <= u / v <= 1.
Proof.
move=> uv v0; have i0 : 0 < / v by exact: Rinv_0_lt_compat.
by have : v * / v = 1 by [apply: Rinv_r; lra]; rewrite /Rdiv; split; nra.
Qed.

(* A probability on a finite set, the mean of a function under it, and the L1 distance of two rows. *)
Definition probability (X : finType) (q : X -> R) := (forall y, 0 <= q y) /\ \sum_(y : X) q y = 1.
Definition mean (X : finType) (q f : X -> R) := \sum_(y : X) q y * f y.
Definition distance (X : finType) (p q : X -> R) := \sum_(y : X) Rabs (p y - q y).

Section Means.
Variables (X : finType) (q : X -> R).
Implicit Types f g : X -> R.

Lemma mean_ext f g : (forall y, f y = g y) -> mean q f = mean q g.
Proof. by move=> fg; apply: eq_bigr => y _; rewrite fg. Qed.

Lemma mean_add f g : mean q (fun y => f y + g y) = mean q f + mean q g.
Proof. by rewrite -sum_add; apply: eq_bigr => y _; lra. Qed.

Lemma mean_sub f g : mean q (fun y => f y - g y) = mean q f - mean q g.
Proof. by rewrite -sum_sub; apply: eq_bigr => y _; lra. Qed.

Lemma mean_scale c f : mean q (fun y => c * f y) = c * mean q f.
Proof. by rewrite -sum_scale; apply: eq_bigr => y _; lra. Qed.

Lemma mean_const c : mean q (fun _ => c) = (\sum_(y : X) q y) * c.
Proof. exact: sum_scale_r. Qed.

Hypothesis q_nonneg : forall y, 0 <= q y.

Lemma mean_le f g : (forall y, f y <= g y) -> mean q f <= mean q g.
Proof. by move=> fg; apply: sum_le => y _; apply: Rmult_le_compat_l. Qed.

Lemma mean_nonneg f : (forall y, 0 <= f y) -> 0 <= mean q f.
Proof. by move=> f0; apply: sum_nonneg => y _; apply: Rmult_le_pos. Qed.

Lemma mean_at_most f C : \sum_(y : X) q y <= 1 -> 0 <= C -> (forall y, f y <= C) -> mean q f <= C.
Proof.
move=> q1 C0 fC; apply: Rle_trans (mean_le fC) _; rewrite mean_const.
by rewrite -[X in _ <= X]Rmult_1_l; apply: Rmult_le_compat_r.
Qed.

Lemma mean_abs f C : \sum_(y : X) q y <= 1 -> 0 <= C -> (forall y, Rabs (f y) <= C) -> Rabs (mean q f) <= C.
Proof.
move=> q1 C0 fC; apply: Rle_trans (sum_abs _ _ _) _.
apply: Rle_trans (_ : _ <= mean q (fun y => Rabs (f y))) _; last exact: mean_at_most.
by apply: sum_le => y _; rewrite Rabs_mult (Rabs_pos_eq _ (q_nonneg y)); exact: Rle_refl.
Qed.
End Means.

Lemma mean_of_const (X : finType) (q : X -> R) c : probability q -> mean q (fun _ => c) = c.
Proof. by case=> _ q1; rewrite mean_const q1; lra. Qed.

Section Probability.
Variables (X : finType) (q : X -> R).
Hypothesis q_ok : probability q.

Lemma probability_01 y : 0 <= q y <= 1.
Proof. by have [q0 q1] := q_ok; split=> //; rewrite -q1; exact: (term_le_sum y q0). Qed.

Lemma mean_mono f g : (forall y, f y <= g y) -> mean q f <= mean q g.
Proof. by move=> fg; apply: mean_le => //; exact: (proj1 q_ok). Qed.

Lemma mean_most f C : (forall y, f y <= C) -> mean q f <= C.
Proof. by move=> fC; rewrite -[X in _ <= X](mean_of_const C q_ok); exact: mean_mono. Qed.

Lemma mean_least f C : (forall y, C <= f y) -> C <= mean q f.
Proof. by move=> fC; rewrite -[X in X <= _](mean_of_const C q_ok); exact: mean_mono. Qed.

Lemma mean_range f lo hi : (forall y, lo <= f y <= hi) -> lo <= mean q f <= hi.
Proof. by move=> h; split; [apply: mean_least | apply: mean_most] => y; case: (h y). Qed.
End Probability.

(* What q exceeds (1 + eps) p by in all bounds what it adds to the mean of a function between 0 and top. *)
Lemma one_sided_mean (X : finType) (p q f : X -> R) eps top excess : (forall y, 0 <= f y <= top) ->
  \sum_(y : X) Rmax 0 (q y - (1 + eps) * p y) <= excess -> 0 <= top -> mean q f <= (1 + eps) * mean p f + top * excess.
Proof.
move=> range sum t0; apply: Rle_trans (_ : _ <= (1 + eps) * mean p f + top * (\sum_(y : X) Rmax 0 (q y - (1 + eps) * p y))) _.
  rewrite Rplus_comm -sum_scale /mean -sum_scale -sum_add; apply: sum_le => y _; have [f0 ft] := range y.
  have m1 := Rmax_l 0 (q y - (1 + eps) * p y); have m2 := Rmax_r 0 (q y - (1 + eps) * p y).
  by have h1 := Rmult_le_compat_r _ _ _ f0 m2; have h2 := Rmult_le_compat_r _ _ _ m1 ft; lra.
by apply: Rplus_le_compat_l; apply: Rmult_le_compat_l.
Qed.

Lemma mean_swap (X Y : finType) (p : X -> R) (q : Y -> R) (f : X -> Y -> R) :
  mean p (fun x => mean q (f x)) = mean q (fun y => mean p (fun x => f x y)).
Proof.
rewrite /mean; under eq_bigr do rewrite -sum_scale.
rewrite exchange_big /=; apply: eq_bigr => y _; rewrite -sum_scale.
by apply: eq_bigr => x _; lra.
Qed.

Lemma mean_sum_to (X : finType) (q : X -> R) n (f : nat -> X -> R) :
  mean q (fun y => \sum_(t < n) f t y) = \sum_(t < n) mean q (f t).
Proof.
elim: n => [|n IH] /=; first by rewrite mean_const; lra.
by rewrite mean_add IH.
Qed.
