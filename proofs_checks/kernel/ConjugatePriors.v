(* Priors of independent cells: an activation of a cell (a, s) shows the next state y and a reward of 0 or 1, with probability
   theta(y) p or theta(y) (1-p). After n(y) moves to y, g rewards of 1 and b of 0 the chance of what a cell has shown is
   prod theta(y)^n(y) p^g (1-p)^b, its posterior has that for a density, and the cells are independent again. *)

From kernel Require Import Prelude Sums Values Bandits PrintedForm Episodes Laws LawOfRun Truncation Frozen Radii MbPsrl.
From kernel Require Import Conditional Densities BetaLaws ProductLaws.

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

Definition monomial (n : S -> nat) (g b : nat) (v : cell_law) : R := \prod_(y : S) theta v y ^ n y * (win v ^ g * (1 - win v) ^ b).
Lemma monomial01 n g b v : 0 <= monomial n g b v <= 1.
Proof.
have [p0 p1] := theta_ok v; have [u0 u1] := win_ok v.
apply: mul01; last by apply: mul01; apply: pow01; lra.
by apply: powers01 => y; split=> //; rewrite -p1; exact: (term_le_sum y p0).
Qed.
Lemma monomial_bounded n g b : bounded (monomial n g b). Proof. exact: by_range (monomial01 n g b). Qed.
(* What a cell has shown: moves to y, rewards of 1 and of 0; and the chance of it. *)
Definition moved (s : seq (cell * O)) (c : cell) (y : S) : nat := count (fun o : O => o.1 == y) (observed c s).
Definition payments (s : seq (cell * O)) (c : cell) (r : bool) : nat := count (fun o : O => o.2 == r) (observed c s).
Definition evidence (c : cell) (s : seq (cell * O)) : cell_law -> R := monomial (moved s c) (payments s c true) (payments s c false).

Lemma evidence_cons c d o s v : evidence c ((d, o) :: s) v = (if d == c then chance_of v o else 1) * evidence c s v.
Proof.
rewrite /evidence /monomial /moved /payments /observed /=; case: (d == c) => /=; last by rewrite Rmult_1_l.
case: o => y0 r; rewrite (eq_bigr (fun y => theta v y ^ (y0 == y) * theta v y ^ moved s c y)) => [|y _]; last by rewrite -pow_add.
rewrite big_split /= (bigD1 y0) //= eqxx pow_1 big1 ?Rmult_1_r => [|y ne]; last by rewrite eq_sym (negbTE ne).
rewrite /moved /chance_of /=; set P := \prod_(y : S) _; set k1 := count _ _; set k0 := count _ _.
by case: r => /=; rewrite add0n; ring.
Qed.

Lemma evidence_nil c v : evidence c [::] v = 1.
Proof. by rewrite /evidence /monomial /moved /payments /observed /= big1 //; ring. Qed.

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

(* The prior is a product of laws of the cells, and so is the posterior, each cell's by its own evidence. *)
Variables (prior : cell -> law_on cell_law) (t0 : cell -> cell_law).
Definition posterior_of (h : history) (c : cell) : law_on cell_law :=
  bayes_law (prior c) (monomial_bounded _ _ _ : bounded (evidence c (flat h))) (fun v => proj1 (monomial01 _ _ _ v)).

Lemma bayes_of_cells h g : bounded g -> product_law t0 prior (fun t => likelihood shows t h * g t) =
  product_law t0 prior (likelihood shows ^~ h) * product_law t0 (posterior_of h) g.
Proof.
move=> bg; rewrite (E_ext _ (g := fun t => \prod_(c : cell) evidence c (flat h) (t c) * g t)) => [|t]; last by rewrite likelihood_of_cells.
rewrite [X in _ = X * _](E_ext _ (g := fun t => \prod_(c : cell) evidence c (flat h) (t c))) => [|t]; last exact: likelihood_of_cells.
by apply: (product_rule t0 (fun c => monomial_bounded _ _ _)) => // c f bf; exact: bayes_law_ok.
Qed.
End Cells.
