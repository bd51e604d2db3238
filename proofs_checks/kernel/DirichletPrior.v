(* The priors of MB-PSRL as the paper implements it: rows of Dirichlet laws, means of Bernoulli rewards of Beta laws, told by
   their moments: Dirichlet(alpha) has E[prod_y p(y)^n(y)] = prod_y rising(alpha(y), n(y)) / rising(sum alpha, sum n). Told so, a
   probability measure is fixed (Weierstrass, Riesz; not proved here); a law_on is fixed on continuous functions, hence on sets
   with a null boundary, where policies are drawn. Posteriors are algebra, for all real parameters; that such laws exist is
   proved for integer ones, with integrals over [0, 1] alone, by stick breaking. *)

From kernel Require Import Limits Sums Values Bandits PrintedForm Episodes Laws LawOfRun Truncation Frozen Radii MbPsrl.
From kernel Require Import Conditional Densities BetaLaws ProductLaws ConjugatePriors.

Section Moments.
Variable S : finType.
Hypothesis S1 : (1 <= #|S|)%nat.
Definition dirichlet_moment (alpha : S -> R) (n : S -> nat) : R :=
  \prod_(y : S) rising (alpha y) (n y) / rising (\sum_(y : S) alpha y) (\sum_(y : S) n y)%nat.

(* A cell's row and mean reward are independent, of laws Dirichlet(alpha) and Beta(a, b). *)
Record is_dirichlet_beta (alpha : S -> R) (a b : R) (q : law_on (cell_law S)) : Prop := {
  alpha_pos : forall y, 0 < alpha y;
  a_pos : 0 < a;
  b_pos : 0 < b;
  moments : forall n g l, q (monomial n g l) = dirichlet_moment alpha n * beta_moment a b g l }.

Lemma sum_pos (alpha : S -> R) : (forall y, 0 < alpha y) -> 0 < \sum_(y : S) alpha y.
Proof. by move=> al0; have /card_gt0P [y _] := S1; have := term_le_sum y (fun y => Rlt_le _ _ (al0 y)); have := al0 y; lra. Qed.
Lemma dirichlet_moment_pos (alpha : S -> R) (n : S -> nat) : (forall y, 0 < alpha y) -> 0 < dirichlet_moment alpha n.
Proof.
move=> al0; apply: Rmult_lt_0_compat; last by apply/Rinv_0_lt_compat/rising_pos/sum_pos.
by apply: (big_ind (Rlt 0)) => [|x y|y _]; [lra | exact: Rmult_lt_0_compat | exact: rising_pos].
Qed.
Lemma dirichlet_moment_add (alpha : S -> R) (n m : S -> nat) : (forall y, 0 < alpha y) ->
  dirichlet_moment alpha (fun y => n y + m y)%nat = dirichlet_moment alpha n * dirichlet_moment (fun y => alpha y + INR (n y)) m.
Proof.
move=> al0; have s0 := sum_pos al0; rewrite /dirichlet_moment big_split /= rising_add sum_add INR_sum.
rewrite (eq_bigr _ (fun y _ => rising_add (alpha y) (n y) (m y))) big_split /=; set N := (\sum_(y : S) n y)%nat.
have p1 := rising_pos N s0; have p2 := @rising_pos (\sum_(y : S) alpha y + INR N) (\sum_(y : S) m y).
by field; split; apply: Rgt_not_eq; [apply: p2; have := pos_INR N | ]; lra.
Qed.

(* The posterior after n(y) moves to y, g rewards of 1 and l of 0. *)
Lemma conjugate alpha a b q n g l (bL : bounded (monomial n g l)) L0 : is_dirichlet_beta alpha a b q ->
  is_dirichlet_beta (fun y => alpha y + INR (n y)) (a + INR g) (b + INR l) (bayes_law q bL L0).
Proof.
move=> [al0 a0 b0 mo]; split=> [y|||n' g' l'].
- by have := al0 y; have := pos_INR (n y); lra.
- by have := pos_INR g; lra.
- by have := pos_INR l; lra.
apply: (@bayes_mean _ q _ bL L0 _ (dirichlet_moment alpha n * beta_moment a b g l)); [exact: monomial_bounded | exact: mo | |].
  by apply: Rmult_lt_0_compat; [exact: dirichlet_moment_pos | exact: beta_moment_pos].
rewrite (E_ext q (g := monomial (fun y => n y + n' y)%nat (g + g') (l + l'))) => [|v].
  by rewrite mo dirichlet_moment_add // beta_moment_add //; ring.
by rewrite /monomial (eq_bigr _ (fun y _ => pow_add (theta v y) (n y) (n' y))) big_split /= !pow_add; ring.
Qed.
End Moments.

(* Two independent draws, put together by f. *)
Section Together.
Variables (X Y Z : Type) (f : X -> Y -> Z) (p : law_on X) (q : law_on Y).
Definition together : law_on Z := bind_law p (fun x => bind_law q (fun y => point_law (f x y))).
Lemma together_product u v F : bounded u -> bounded v -> (forall x y, F (f x y) = u x * v y) -> together F = p u * q v.
Proof.
move=> bu bv Fuv; rewrite /= Rmult_comm -E_scale //; apply: E_ext => x.
by rewrite (E_ext q (Fuv x)) E_scale // Rmult_comm.
Qed.
End Together.

(* Stick breaking: a row on the states y :: s is a stick x of law Beta(alpha(y), sum of alpha on s) for y, and a row on s times
   1 - x. *)
Section Rows.
Variable S : finType.
Definition simplex (s : seq S) := {p : S -> R | (forall y, 0 <= p y <= 1) /\ \sum_(y <- s) p y = 1}.
Definition powers (s : seq S) (n : S -> nat) (p : simplex s) : R := \prod_(y <- s) sval p y ^ n y.
Lemma powers_bounded s n : bounded (@powers s n).
Proof. exact: by_range (fun p => powers01 s n (proj1 (svalP p))). Qed.

Lemma rows_exist (alpha : S -> nat) y s : (forall z, (1 <= alpha z)%nat) -> uniq (y :: s) -> exists q : law_on (simplex (y :: s)), forall n,
  q (powers n) = \prod_(z <- y :: s) rising (INR (alpha z)) (n z) / rising (\sum_(z <- y :: s) INR (alpha z)) (\sum_(z <- y :: s) n z)%nat.
Proof.
move=> al1; have pos z : 0 < INR (alpha z) by apply: lt_0_INR; apply/ltP.
elim: s y => [|z s IH] y.
  have ok : (forall w : S, 0 <= 1 <= 1) /\ \sum_(w <- [:: y]) 1 = 1 by split=> [_|]; [lra | rewrite big_seq1].
  exists (point_law (exist _ (fun _ => 1) ok)) => n.
  by rewrite /powers /= !big_seq1 pow1; have := rising_pos (n y) (pos y); move=> h; field; lra.
rewrite [uniq _]/= => /andP [ys us]; have [q mq] := IH z us.
have al0 : (1 <= \sum_(w <- z :: s) alpha w)%nat by rewrite big_cons; apply: leq_trans (al1 z) (leq_addr _ _).
have [p mp] := beta_exists (al1 y) al0.
pose mix x (th : simplex (z :: s)) w := if w == y then clip x else (1 - clip x) * sval th w.
have rest x th w : w \in z :: s -> mix x th w = (1 - clip x) * sval th w by rewrite /mix; case: eqP => // ->; rewrite (negbTE ys).
have mixy x th : mix x th y = clip x by rewrite /mix eqxx.
have ok x th : (forall w, 0 <= mix x th w <= 1) /\ \sum_(w <- y :: z :: s) mix x th w = 1.
  have [th01 th1] := svalP th; have c01 := clip_range x; split=> [w|].
    by rewrite /mix; case: eqP => // _; apply: mul01 => //; lra.
  by rewrite sum_cons mixy (eq_big_seq _ (rest x th)) sum_scale th1; ring.
exists (together (fun x th => exist _ (mix x th) (ok x th)) p q) => n.
rewrite (@together_product _ _ _ _ p q (stick (n y) (\sum_(w <- z :: s) n w)%nat) (powers n)) => [|||x th].
- rewrite mp mq !(big_cons _ _ y) -INR_sum /beta_moment.
  have p0 := pos y; have p1 : 0 < \sum_(w <- z :: s) INR (alpha w) by rewrite INR_sum; apply: lt_0_INR; apply/ltP.
  have p2 := rising_pos (\sum_(w <- z :: s) n w)%nat p1.
  set A := \sum_(w <- z :: s) INR (alpha w) in p1 p2 *; set N := (\sum_(w <- z :: s) n w)%nat in p2 *.
  have p3 := @rising_pos (INR (alpha y) + A) (n y + N) (Rplus_lt_0_compat _ _ p0 p1).
  by field; lra.
- exact: stick_bounded.
- exact: powers_bounded.
rewrite -[LHS]/(\prod_(w <- y :: z :: s) mix x th w ^ n w) big_cons mixy Rmult_assoc; congr (_ * _).
rewrite (eq_big_seq (fun w => (1 - clip x) ^ n w * sval th w ^ n w)) => [|w /rest e]; last by rewrite e Rpow_mult_distr.
by rewrite big_split; congr (_ * _); elim/big_rec2: _ => [|w u v _ ->] //; rewrite pow_add.
Qed.

(* Such laws exist for all integer parameters (real ones: not proved here). With all of them 1 both are uniform, the paper's own
   prior: for the mean, and rows of two states, by uniform_is_beta; for S >= 3 (known, not proved here).
   ledger: apx:Bayes/moments
   step of: thm:regret_upper_bound/psrl *)
Theorem dirichlet_exists (alpha : S -> nat) (a b : nat) : (1 <= #|S|)%nat -> (forall y, (1 <= alpha y)%nat) ->
  (1 <= a)%nat -> (1 <= b)%nat -> exists q : law_on (cell_law S), is_dirichlet_beta (fun y => INR (alpha y)) (INR a) (INR b) q.
Proof.
move=> S1 al1 a1 b1; have pos (m : nat) : (1 <= m)%nat -> 0 < INR m by move=> m1; apply: lt_0_INR; apply/ltP.
have [r mr] : exists r : law_on (simplex (enum S)), forall n, r (powers n) = dirichlet_moment (fun y => INR (alpha y)) n.
  case e : (enum S) (enum_uniq S) S1 => [|y s] us; first by rewrite cardE e.
  have [q mq] := rows_exist al1 us; exists q => n.
  by rewrite mq -e /dirichlet_moment !big_enum.
have [p mp] := beta_exists a1 b1.
have ok (th : simplex (enum S)) : probability (sval th).
  by have [th01 th1] := svalP th; split=> [y|]; [exact: (proj1 (th01 y)) | rewrite -big_enum].
exists (together (fun th x => Row (ok th) (clip_range x)) r p); split=> [y|||n g l]; try exact: pos.
rewrite -mr -mp; apply: together_product => [||th x]; [exact: powers_bounded | exact: stick_bounded | by rewrite /monomial /powers /= big_enum].
Qed.
End Rows.

(* Theorem 1 for MB-PSRL with Bernoulli rewards, the cells independent, of any laws: by Bayes' rule they are independent given
   the history too; a cell of law Dirichlet(alpha) x Beta(a, b) becomes Dirichlet(alpha + moves) x Beta(a + rewards of 1, b +
   rewards of 0), for all real parameters; and the regret is within the bound. What a cell is before it is drawn, t0, does not matter.
   ledger: apx:Bayes/moments
   step of: thm:regret_upper_bound/psrl *)
Theorem mb_psrl_dirichlet (A S : finType) (prior : A * S -> law_on (cell_law S)) (t0 : A * S -> cell_law S) :
  (1 <= #|A|)%nat -> (1 <= #|S|)%nat -> exists post : history A S [finType of (S * bool)%type] -> A * S -> law_on (cell_law S),
  (forall h g, bounded g -> let chance t := likelihood (@shows A S) t h in
    product_law t0 prior (fun t => chance t * g t) = product_law t0 prior chance * product_law t0 (post h) g) /\
  (forall h c alpha a b, let seen := flat h in is_dirichlet_beta alpha a b (prior c) ->
    is_dirichlet_beta (fun y => alpha y + INR (moved seen c y)) (a + INR (payments seen c true)) (b + INR (payments seen c false)) (post h c)) /\
  forall beta rho K (best : (A * S -> cell_law S) -> plays A S), is_discount beta -> probability rho -> (2 <= K)%nat ->
    let laws t a s := finite_law (chance_ok (t (a, s))) in let pays o := if o.2 then 1 else 0 in
    product_law t0 prior (fun t => expected_regret fst beta (psrl best (fun h => product_law t0 (post h))) rho (laws t)
      (bandit_of fst pays (laws t)) (best t) K) <=
      5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> A1 S1; exists (posterior_of prior); split; [|split].
- by move=> h g; exact: bayes_of_cells.
- by move=> h c alpha a b; exact: (conjugate S1).
move=> beta rho K best discount rho_ok K2 laws pays.
apply: (@mb_psrl_any_prior A S _ _ fst (@shows A S) (product_law t0 prior) A1 S1 (fun t a s => chance_ok (t (a, s))) pays beta rho K
  best (fun h => product_law t0 (posterior_of prior h))) => // [o|h g bg].
  by rewrite /pays; case: o.2; lra.
exact: bayes_of_cells.
Qed.
