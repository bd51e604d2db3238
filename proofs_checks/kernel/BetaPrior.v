(* An instance with a continuous prior: two arms that pay 0 or 1; one pays 1 with a probability that is uniform on [0, 1], the
   other with probability 1/2. After s payments of 1 and f of 0 by the unknown arm the posterior is Beta(1+s, 1+f). *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes PrintedForm Laws LawOfRun Truncation Frozen.
From kernel Require Import Radii MbPsrl Conditional Densities UniformRewards.

Section Beta.
Variable prior : law_on R.
Hypothesis prior_uniform : is_uniform prior.
Notation S := unit_finType.
Notation A := bool_finType.
Notation O := bool_finType.
Definition chance_of (t : R) (a : A) (_ : S) (o : O) : R := if a then (if o then clip t else 1 - clip t) else 1 / 2.
Lemma chance_ok t a s : probability (chance_of t a s).
Proof.
have c := clip_range t; split=> [o|]; first by rewrite /chance_of; case: a; case: o; lra.
by rewrite /chance_of big_bool; case: a => /=; lra.
Qed.
Definition chance_law t a s : law_on O := finite_law (chance_ok t a s).
Definition fair : law_on O := finite_law (chance_ok 0 false tt).
Definition dens (t : R) (a : A) (s : S) (o : O) : R := 2 * chance_of t a s o.
Lemma dens_ok t a s o : 0 <= dens t a s o <= 2.
Proof. by rewrite /dens /chance_of; have := clip_range t; case: a; case: o; lra. Qed.
Notation next := (fun _ : O => tt).
Notation post := (posterior prior dens_ok).
Definition best_of (t : R) : plays A S := [ffun=> if Rle_dec (1 / 2) t then true else false].

(* How often the unknown arm paid o. *)
Definition paid (o : O) (h : history A S O) : nat := count (pred1 o) (observed (true, tt) (flat h)).
Lemma likelihood_is t h : likelihood dens t h =
  2 ^ count_of (true, tt) h * (clip t ^ paid true h * (1 - clip t) ^ paid false h).
Proof.
have r1 c u v w : 2 * c * (u * (v * w)) = 2 * u * (c * v * w) by ring.
have r2 c u v w : 2 * c * (u * (v * w)) = 2 * u * (v * (c * w)) by ring.
have r3 u v w x y z : u * (v * w) * (x * (y * z)) = u * x * ((v * y) * (w * z)) by ring.
have one e : weight_of dens t e = 2 ^ visits (true, tt) (shown e) *
    (clip t ^ count (pred1 true) (observed (true, tt) (shown e)) * (1 - clip t) ^ count (pred1 false) (observed (true, tt) (shown e))).
  elim: e => [|[[x a] o] e IH]; first by rewrite /visits /observed /=; ring.
  rewrite [weight_of _ _ _]/= IH /visits /observed /= /dens /chance_of; case: (x a); case: a => /=; last by rewrite (_ : 2 * (1 / 2) = 1) ?Rmult_1_l //; field.
  by case: o; [exact: r1 | exact: r2].
elim: h => [|[p e] h IH]; first by rewrite /count_of /visits /paid /observed /=; ring.
have e1 o : paid o ((p, e) :: h) = (count (pred1 o) (observed (true, tt) (shown e)) + paid o h)%nat.
  by rewrite /paid /flat /observed /= filter_cat map_cat count_cat.
by rewrite [likelihood _ _ _]/= IH one count_cons !e1 !pow_add; exact: r3.
Qed.

(* Bayes' rule with Riemann's integrals: the posterior's means are those of Beta(1+s, 1+f). *)
Theorem posterior_is_beta h (g : R -> R) z r : bounded g ->
  is_RInt (fun x => x ^ paid true h * (1 - x) ^ paid false h) 0 1 z ->
  is_RInt (fun x => x ^ paid true h * (1 - x) ^ paid false h * g x) 0 1 r -> z * post h g = r.
Proof.
move=> bg Iz Ir; pose k := 2 ^ count_of (true, tt) h; have k0 : 0 < k by apply: pow_lt; lra.
have bl := likelihood_bounded dens_ok h.
have same f v : bounded (fun t => likelihood dens t h * f t) -> is_RInt (fun x => x ^ paid true h * (1 - x) ^ paid false h * f x) 0 1 v ->
    prior (fun t => likelihood dens t h * f t) = k * v.
  move=> bf If; apply: prior_uniform => //; apply: (is_RInt_ext (fun x => k * (x ^ paid true h * (1 - x) ^ paid false h * f x))).
    by rewrite Rmin_left ?Rmax_right; [move=> x hx; rewrite likelihood_is clip_id -/k; [by rewrite [RHS]Rmult_assoc | lra] | lra | lra].
  exact: is_RInt_scal.
have rule := bayes_law_ok prior (likelihood_bounded dens_ok h) (fun t => proj1 (likelihood_range dens_ok t h)) bg.
rewrite (same g r) // in rule; last exact: bounded_mult.
have e : prior (fun t => likelihood dens t h) = k * z.
  rewrite -(same (fun _ => 1) z); [by apply: E_ext => t; rewrite Rmult_1_r | by apply: bounded_mult => //; exact: by_const |].
  by apply: (is_RInt_ext _ _ _ _ _ _ Iz) => x _; rewrite Rmult_1_r.
rewrite e Rmult_assoc in rule; have := Rmult_eq_reg_l k _ _ rule; move=> h'; symmetry; apply: h'; lra.
Qed.

Theorem mb_psrl_beta (beta : R) (rho : global A S -> R) (K : nat) : is_discount beta -> probability rho -> (2 <= K)%nat ->
  prior (fun t => expected_regret next beta (psrl best_of post) rho (chance_law t) (bandit_of next (fun o : O => if o then 1 else 0) (chance_law t)) (best_of t) K) <=
    5/2 * (sqrt 1 + printed_log 1 2 K beta) * printed_f 1 2 K beta.
Proof.
move=> discount rho_ok K2; have D1 : 1 <= 2 by lra.
have pays_unit (o : O) : 0 <= (if o then 1 else 0) <= 1 by case: o; lra.
have := @mb_psrl_densities A S O R next (fun o : O => if o then 1 else 0) beta rho K (fun _ _ => fair) dens 2 chance_law prior best_of post
  discount rho_ok pays_unit K2; rewrite card_bool card_unit => main; apply: main => // [|t a s f _|a s f [C fC]|h g bg].
- exact: dens_ok.
- by rewrite /= /mean; apply: eq_bigr => o _; rewrite /dens /chance_of /=; field.
- exact: (@exchange_mean R prior O (chance_of 0 false tt) (fun t o => f o t) (fun o => ex_intro _ C (fC o))).
- exact: bayes_law_ok.
Qed.
End Beta.
