(* The Beta laws, told by their moments: E[p^g (1-p)^l] = rising(a, g) rising(b, l) / rising(a+b, g+l), with rising(a, n) =
   a (a+1) ... (a+n-1). Told so, a probability measure is fixed (Weierstrass, Riesz; not proved here); a law_on is fixed on
   continuous functions, hence on sets with a null boundary, where policies are drawn. The uniform law extends Riemann's integral over [0, 1] to all bounded functions and is Beta(1, 1); the
   density p^g (1-p)^l makes Beta(a, b) into Beta(a+g, b+l), so there is one for all integers a, b >= 1. *)

From kernel Require Extension.
From kernel Require Import Limits Sums Values Bandits Laws Densities.

Definition is_uniform (q : law_on R) := forall f r, bounded f -> is_RInt f 0 1 r -> q f = r.

Theorem uniform_exists : exists q : law_on R, is_uniform q.
Proof.
pose G (f : R -> R) (r : R) := bounded f /\ is_RInt f 0 1 r.
have pG : Extension.partial G.
  split.
  - move=> c; split; first exact: by_const.
    by have := is_RInt_const 0 1 c; rewrite (_ : scal (1 - 0) c = c) // /scal /= /mult /=; ring.
  - by move=> f g r s [bf If] [bg Ig]; split; [exact: bounded_add | exact: is_RInt_plus].
  - by move=> c f r [bf If]; split; [exact: bounded_scale | exact: is_RInt_scal].
  - move=> f r u [bf If] fu; have := is_RInt_const 0 1 u; rewrite (_ : scal (1 - 0) u = u); last by rewrite /scal /= /mult /=; ring.
    by move=> Iu; apply: (is_RInt_le f (fun _ => u) 0 1 _ _ Rle_0_1 If Iu) => x _; exact: fu.
have [q h] := Extension.extension pG; exists q => f r bf If; exact: h.
Qed.

Definition clip (x : R) : R := Rmax 0 (Rmin 1 x).
Lemma clip_range x : 0 <= clip x <= 1.
Proof. by rewrite /clip; split; [exact: Rmax_l | apply: Rmax_lub; [lra | exact: Rmin_l]]. Qed.
Lemma clip_id x : 0 <= x <= 1 -> clip x = x. Proof. by move=> [x0 x1]; rewrite /clip Rmin_right // Rmax_right. Qed.

Lemma mul01 x y : 0 <= x <= 1 -> 0 <= y <= 1 -> 0 <= x * y <= 1. Proof. nra. Qed.
Lemma pow01 x k : 0 <= x <= 1 -> 0 <= x ^ k <= 1. Proof. by move=> hx; elim: k => [|k IH] /=; [lra | exact: mul01]. Qed.
Lemma powers01 (I : Type) (s : seq I) (p : I -> R) n : (forall i, 0 <= p i <= 1) -> 0 <= \prod_(i <- s) p i ^ n i <= 1.
Proof. by move=> hp; apply: (big_ind (fun x => 0 <= x <= 1)) => [||i _]; [lra | exact: mul01 | exact: pow01]. Qed.

Fixpoint rising (a : R) (n : nat) : R := if n is m.+1 then rising a m * (a + INR m) else 1.
Lemma rising_add a n m : rising a (n + m) = rising a n * rising (a + INR n) m.
Proof. by elim: m => [|m IH]; [rewrite addn0 /=; ring | rewrite addnS /= IH plus_INR; ring]. Qed.
Lemma rising_pos a n : 0 < a -> 0 < rising a n.
Proof. by move=> a0; elim: n => [|n IH] /=; [lra | apply: Rmult_lt_0_compat => //; have := pos_INR n; lra]. Qed.
Lemma INR_sum (I : Type) (s : seq I) (n : I -> nat) : \sum_(i <- s) INR (n i) = INR (\sum_(i <- s) n i)%nat.
Proof. by symmetry; apply: (big_morph INR) => // x y; exact: plus_INR. Qed.

Lemma bayes_mean (X : Type) (q : law_on X) L (bL : bounded L) L0 g z m : bounded g -> q L = z -> 0 < z ->
  q (fun x => L x * g x) = z * m -> bayes_law q bL L0 g = m.
Proof. by move=> bg qL z0; rewrite (bayes_law_ok q bL L0 bg) qL; move=> e; apply: (Rmult_eq_reg_l z); lra. Qed.

Definition beta_moment (a b : R) (g l : nat) : R := rising a g * rising b l / rising (a + b) (g + l).
Lemma beta_moment_pos a b g l : 0 < a -> 0 < b -> 0 < beta_moment a b g l.
Proof.
by move=> a0 b0; apply: Rmult_lt_0_compat; [apply: Rmult_lt_0_compat | apply: Rinv_0_lt_compat]; apply: rising_pos; lra.
Qed.
Lemma beta_moment_add a b g l g' l' : 0 < a -> 0 < b ->
  beta_moment a b (g + g') (l + l') = beta_moment a b g l * beta_moment (a + INR g) (b + INR l) g' l'.
Proof.
move=> a0 b0; have e : a + INR g + (b + INR l) = a + b + INR (g + l) by rewrite plus_INR; ring.
have p1 : 0 < rising (a + b) (g + l) by apply: rising_pos; lra.
have p2 : 0 < rising (a + b + INR (g + l)) (g' + l') by apply: rising_pos; have := pos_INR (g + l); lra.
by rewrite /beta_moment addnACA (rising_add a) (rising_add b) (rising_add (a + b)) e; field; lra.
Qed.

Notation stick g l := (fun x => clip x ^ g * (1 - clip x) ^ l).
Lemma stick01 g l x : 0 <= stick g l x <= 1.
Proof. by have := clip_range x => hx; apply: mul01; apply: pow01; lra. Qed.
Lemma stick_bounded g l : bounded (stick g l). Proof. exact: by_range (stick01 g l). Qed.
Definition is_beta (a b : R) (q : law_on R) := forall g l, q (stick g l) = beta_moment a b g l.

(* By parts: (g+1) M(g, l+1) = (l+1) M(g+1, l), and M(g, l) = M(g+1, l) + M(g, l+1). *)
Lemma uniform_is_beta q : is_uniform q -> is_beta 1 1 q.
Proof.
move=> uniform; pose M g l := q (stick g l).
have parts g l : INR g.+1 * M g l.+1 + - INR l.+1 * M g.+1 l = 0.
  pose f x := INR g.+1 * (x ^ g * (1 - x) ^ l.+1) + - INR l.+1 * (x ^ g.+1 * (1 - x) ^ l).
  have b1 := bounded_scale (INR g.+1) (stick_bounded g l.+1); have b2 := bounded_scale (- INR l.+1) (stick_bounded g.+1 l).
  rewrite /M -!E_scale -?E_add //; try exact: stick_bounded.
  rewrite (_ : 0 = 1 ^ g.+1 * (1 - 1) ^ l.+1 - 0 ^ g.+1 * (1 - 0) ^ l.+1); last by rewrite /=; ring.
  apply: uniform; first exact: bounded_add.
  apply: (is_RInt_ext f) => [x|]; first by rewrite Rmin_left ?Rmax_right; try lra; move=> hx; rewrite /f clip_id //; lra.
  apply: (is_RInt_derive (fun x => x ^ g.+1 * (1 - x) ^ l.+1) f) => x _; last by apply: ex_derive_continuous; rewrite /f; auto_derive.
  by rewrite /f; auto_derive => //; rewrite -/(INR g.+1) -/(INR l.+1) -!tech_pow_Rmult -!/(1 - x); ring.
have up g l : M g.+1 l = M g l * beta_moment (1 + INR g) (1 + INR l) 1 0 /\ M g l.+1 = M g l * beta_moment (1 + INR g) (1 + INR l) 0 1.
  have -> : M g l = M g.+1 l + M g l.+1 by rewrite /M -E_add; [apply: E_ext => x /=; ring | exact: stick_bounded..].
  have := parts g l; rewrite !S_INR /beta_moment /=; have G0 := pos_INR g; have L0 := pos_INR l.
  by move=> e; split; field_simplify_eq; lra.
have one := Rlt_0_1; elim=> [|g IH] l.
  elim: l => [|l IH]; first by rewrite -(E_const q (beta_moment 1 1 0 0)) /beta_moment; apply: E_ext => x /=; field.
  by rewrite -[LHS]/(M _ _) (proj2 (up 0%nat l)) [M _ _]IH -beta_moment_add // addn1.
by rewrite -[LHS]/(M _ _) (proj1 (up g l)) [M _ _]IH -beta_moment_add // addn1 addn0.
Qed.

Lemma beta_exists (a b : nat) : (1 <= a)%nat -> (1 <= b)%nat -> exists q, is_beta (INR a) (INR b) q.
Proof.
case: a b => [|a] // [|b] // _ _; have [u /uniform_is_beta beta] := uniform_exists; have one := Rlt_0_1.
exists (bayes_law u (stick_bounded a b) (fun x => proj1 (stick01 a b x))) => g l.
apply: (@bayes_mean _ u _ _ _ _ (beta_moment 1 1 a b)); [exact: stick_bounded | exact: beta | exact: beta_moment_pos |].
rewrite (E_ext u (g := stick (a + g) (b + l))) => [|x]; last by rewrite !pow_add; ring.
by rewrite beta beta_moment_add // !S_INR !(Rplus_comm 1).
Qed.
