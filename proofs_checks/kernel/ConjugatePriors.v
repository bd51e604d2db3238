(* Beta and Dirichlet priors, whole bandits: an activation of a cell (a, s) shows the next state y and a reward of 0 or 1, with
   probability theta(y) p or theta(y) (1-p); the parameters (theta, p) of the cells are independent, each of a law with a bounded
   density w for a law of reference. After n(y) moves to y, g rewards of 1 and b of 0 the posterior of a cell has the density
   w prod theta(y)^n(y) p^g (1-p)^b, so Dirichlet(alpha) becomes Dirichlet(alpha + n) and Beta(c, d) becomes Beta(c+g, d+b). *)

From kernel Require Import Prelude Sums Values Bandits PrintedForm Episodes Laws LawOfRun Truncation Frozen Radii MbPsrl.
From kernel Require Import Conditional Densities ProductLaws.

(* A law with a density, observed with another: the posterior has the product for its density. *)
Section Conjugate.
Variables (X : Type) (q : law_on X) (w L : X -> R).
Hypotheses (bw : bounded w) (w0 : forall x, 0 <= w x) (bL : bounded L) (L0 : forall x, 0 <= L x) (w_pos : 0 < q w).
Let wL0 x : 0 <= w x * L x. Proof. exact: Rmult_le_pos. Qed.

Lemma conjugate_rule g : bounded g -> tilted bw w0 w_pos (fun x => L x * g x) =
  tilted bw w0 w_pos L * bayes_law q (bounded_mult bw bL) wL0 g.
Proof.
move=> bg; rewrite /= (E_ext q (g := fun x => w x * L x * g x)) => [|x]; last by rewrite Rmult_assoc.
by rewrite (bayes_law_ok q (bounded_mult bw bL) wL0 bg); field; lra.
Qed.
End Conjugate.

Section Cells.
Variables (A S : finType).
Notation O := [finType of (S * bool)%type].   (* the next state, and whether the reward is 1 *)
Notation cell := [finType of (A * S)%type].
Notation history := (history A S O).

(* A parameter: the row theta of a cell and the mean p of its rewards. *)
Record cell_law := Row { theta : S -> R; win : R; theta_ok : probability theta; win_ok : 0 <= win <= 1 }.
Definition chance_of (v : cell_law) (o : O) : R := theta v o.1 * (if o.2 then win v else 1 - win v).
Definition shows (t : cell -> cell_law) (a : A) (s : S) : O -> R := chance_of (t (a, s)).

Lemma chance_ok v : probability (chance_of v).
Proof.
have [p0 p1] := theta_ok v; have [w0 w1] := win_ok v; split=> [[y b]|].
  by apply: Rmult_le_pos; [exact: p0 | case: b => /=; lra].
rewrite (eq_bigr (fun o => chance_of v (o.1, o.2))) => [|[y b] _] //.
rewrite -(pair_bigA _ (fun y b => chance_of v (y, b))) /= -[RHS]p1; apply: eq_bigr => y _.
by rewrite big_bool /chance_of /=; ring.
Qed.

Lemma chance01 v o : 0 <= chance_of v o <= 1.
Proof. by have [p0 p1] := chance_ok v; split=> //; rewrite -p1; exact: (term_le_sum o p0). Qed.

(* The density of Dirichlet(n + 1) and Beta(g + 1, b + 1) but for a factor. *)
Definition monomial (n : S -> nat) (g b : nat) (v : cell_law) : R := \prod_(y : S) theta v y ^ n y * (win v ^ g * (1 - win v) ^ b).
(* What a cell has shown: moves to y, rewards of 1 and of 0; and the chance of it. *)
Definition moved (s : seq (cell * O)) (c : cell) (y : S) : nat := count (fun o : O => o.1 == y) (observed c s).
Definition paid (s : seq (cell * O)) (c : cell) (r : bool) : nat := count (fun o : O => o.2 == r) (observed c s).
Definition evidence (c : cell) (s : seq (cell * O)) : cell_law -> R := monomial (moved s c) (paid s c true) (paid s c false).

Lemma evidence_cons c d o s v : evidence c ((d, o) :: s) v = (if d == c then chance_of v o else 1) * evidence c s v.
Proof.
rewrite /evidence /monomial /moved /paid /observed /=; case: (d == c) => /=; last by rewrite Rmult_1_l.
case: o => y0 r; rewrite (eq_bigr (fun y => theta v y ^ (y0 == y) * theta v y ^ moved s c y)) => [|y _]; last by rewrite -pow_add.
rewrite big_split /= (bigD1 y0) //= eqxx pow_1 big1 ?Rmult_1_r => [|y ne]; last by rewrite eq_sym (negbTE ne).
rewrite /moved /chance_of /=; set P := \prod_(y : S) _; set k1 := count _ _; set k0 := count _ _.
by case: r => /=; rewrite add0n; ring.
Qed.

Lemma evidence_nil c v : evidence c [::] v = 1.
Proof. by rewrite /evidence /monomial /moved /paid /observed /= big1 //; ring. Qed.

Lemma evidence01 c s v : 0 <= evidence c s v <= 1.
Proof.
elim: s => [|[d o] s [e0 e1]]; first by rewrite evidence_nil; lra.
by rewrite evidence_cons; case: (d == c); have := chance01 v o; nra.
Qed.
Lemma evidence_bounded c s : bounded (evidence c s).
Proof. by exists 1 => v; rewrite Rabs_pos_eq; case: (evidence01 c s v). Qed.

Lemma evidence_of_all (t : cell -> cell_law) s : \prod_(c : cell) evidence c s (t c) = \prod_(p <- s) chance_of (t p.1) p.2.
Proof.
elim: s => [|[d o] s IH]; first by rewrite big_nil big1 // => c _; exact: evidence_nil.
rewrite big_cons -IH (eq_bigr (fun c => (if d == c then chance_of (t c) o else 1) * evidence c s (t c))) => [|c _]; last exact: evidence_cons.
rewrite big_split /= (bigD1 d) //= eqxx big1 ?Rmult_1_r // => c ne.
by rewrite eq_sym (negbTE ne).
Qed.

Lemma likelihood_of_cells t h : likelihood shows t h = \prod_(c : cell) evidence c (flat h) (t c).
Proof.
rewrite evidence_of_all; have w e : weight_of shows t e = \prod_(p <- [seq seen q | q <- e]) chance_of (t p.1) p.2.
  by elim: e => [|[[x a] o] e IH] /=; [rewrite big_nil | rewrite big_cons IH].
by elim: h => [|[r e] h IH]; [rewrite big_nil | rewrite /flat /= big_cat /= -w -/(flat h) -IH].
Qed.

(* For each cell a law of reference and a density w for it; the posterior's density is w times the evidence. *)
Variables (q : cell -> law_on cell_law) (w : cell -> cell_law -> R) (t0 : cell -> cell_law).
Hypotheses (bw : forall c, bounded (w c)) (w0 : forall c v, 0 <= w c v) (w_pos : forall c, 0 < q c (w c)).
Definition prior_of (c : cell) : law_on cell_law := tilted (bw c) (w0 c) (w_pos c).
Definition posterior_of (h : history) (c : cell) : law_on cell_law :=
  bayes_law (q c) (bounded_mult (bw c) (evidence_bounded c (flat h))) (fun v => Rmult_le_pos _ _ (w0 c v) (proj1 (evidence01 c (flat h) v))).

Lemma conjugate_posterior h g : bounded g -> product_law t0 prior_of (fun t => likelihood shows t h * g t) =
  product_law t0 prior_of (fun t => likelihood shows t h) * product_law t0 (posterior_of h) g.
Proof.
move=> bg; rewrite (E_ext _ (g := fun t => \prod_(c : cell) evidence c (flat h) (t c) * g t)) => [|t]; last by rewrite likelihood_of_cells.
rewrite [X in _ = X * _](E_ext _ (g := fun t => \prod_(c : cell) evidence c (flat h) (t c))) => [|t]; last exact: likelihood_of_cells.
apply: (product_rule t0 (fun c => evidence_bounded c (flat h))) => // c f bf.
exact: (conjugate_rule (bw c) (w0 c) (evidence_bounded c (flat h)) (fun v => proj1 (evidence01 c (flat h) v)) (w_pos c) bf).
Qed.

(* MB-PSRL with Bernoulli rewards, the cells' parameters drawn each from its own posterior.
   step of: thm:regret_upper_bound/psrl *)
Theorem mb_psrl_conjugate (beta : R) (rho : global A S -> R) (K : nat) (best : (cell -> cell_law) -> plays A S) :
  is_discount beta -> probability rho -> (2 <= K)%nat -> (1 <= #|A|)%nat -> (1 <= #|S|)%nat ->
  let laws t a s := finite_law (chance_ok (t (a, s))) in let pays (o : O) := if o.2 then 1 else 0 in
  product_law t0 prior_of (fun t => expected_regret fst beta (psrl best (fun h => product_law t0 (posterior_of h))) rho (laws t)
    (bandit_of fst pays (laws t)) (best t) K) <=
    5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> discount rho_ok K2 A1 S1 laws pays.
apply: (@mb_psrl_any_prior A S O (cell -> cell_law) fst pays beta rho K shows (fun t a s => chance_ok (t (a, s)))
  (product_law t0 prior_of) best (fun h => product_law t0 (posterior_of h))) => // [o|h g bg].
  by rewrite /pays; case: o.2; lra.
exact: conjugate_posterior.
Qed.
End Cells.

