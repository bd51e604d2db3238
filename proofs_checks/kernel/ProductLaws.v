(* Priors that are products over the arms, for any laws: arms that are drawn each from its own posterior, given what that arm
   showed, are drawn jointly from the posterior. So what is proved of MB-PSRL holds for MB-PSRL as Section 4.1 describes it. *)

From kernel Require Import Prelude Sums Values Bandits PrintedForm Episodes Laws LawOfRun Truncation Radii MbPsrl Conditional.
From kernel Require Import Densities.

Section Product.
Variables (A : finType) (Theta : Type).
Notation parameters := (A -> Theta).   (* a parameter for each arm *)

Definition with_arm (t : parameters) (a : A) (th : Theta) : parameters := fun b => if b == a then th else t b.
(* One arm after the other; what the arms that are drawn were before is forgotten. *)
Fixpoint drawn (q : A -> law_on Theta) (s : seq A) (t : parameters) : law_on parameters :=
  if s is a :: s' then bind_law (q a) (fun th => drawn q s' (with_arm t a th)) else point_law t.

(* An arm that is not drawn stays. *)
Lemma drawn_same q s F G t : (forall t', (forall a, a \notin s -> t' a = t a) -> F t' = G t') -> drawn q s t F = drawn q s t G.
Proof.
elim: s t => [|a s IH] t FG /=; first exact: FG.
apply: E_ext => th; apply: IH => t' same; apply: FG => b; rewrite in_cons negb_or => /andP [ba bs].
by rewrite (same b bs) /with_arm (negbTE ba).
Qed.

Variable t0 : parameters.
Definition product_law (q : A -> law_on Theta) : law_on parameters := drawn q (enum A) t0.

(* Bayes' rule for each arm. *)
Variables (q post : A -> law_on Theta) (L : A -> Theta -> R).
Hypotheses (bL : forall a, bounded (L a)).
Hypothesis rule : forall a g, bounded g -> q a (fun th => L a th * g th) = q a (L a) * post a g.

Lemma bounded_product s : bounded (fun t : parameters => \prod_(a <- s) L a (t a)).
Proof.
elim: s => [|a s [D pD]]; first by exists 1 => t; rewrite big_nil Rabs_R1; lra.
have [C LC] := bL a; exists (C * D) => t; rewrite big_cons Rabs_mult.
by apply: Rmult_le_compat; [exact: Rabs_pos | exact: Rabs_pos | exact: LC | exact: pD].
Qed.

Lemma drawn_rule s g t : uniq s -> bounded g ->
  drawn q s t (fun t => \prod_(a <- s) L a (t a) * g t) = \prod_(a <- s) q a (L a) * drawn post s t g.
Proof.
elim: s t => [|a s IH] t /=; first by rewrite !big_nil => _ _; ring.
move=> /andP [as_ us] bg; rewrite big_cons; have bd := bounded_mean (fun th => drawn post s (with_arm t a th)) bg.
rewrite (E_ext (q a) (g := fun th => L a th * (\prod_(b <- s) q b (L b) * drawn post s (with_arm t a th) g))) => [|th].
  by rewrite (rule a) ?E_scale ?Rmult_assoc //; exact: bounded_scale.
rewrite -IH // -E_scale; last by apply: bounded_mult => //; exact: bounded_product.
by apply: drawn_same => t' same; rewrite big_cons (same a as_) /with_arm eqxx Rmult_assoc.
Qed.

(* Bayes' rule for the product. *)
Lemma product_rule g : bounded g ->
  product_law q (fun t => \prod_(a : A) L a (t a) * g t) = product_law q (fun t => \prod_(a : A) L a (t a)) * product_law post g.
Proof.
move=> bg; have e (t : parameters) : \prod_(a : A) L a (t a) = \prod_(a <- enum A) L a (t a) by rewrite big_enum.
have u := enum_uniq A; have b1 : bounded (fun _ : parameters => 1) by exact: by_const.
rewrite (E_ext (product_law q) (g := fun t => \prod_(a <- enum A) L a (t a) * g t)) => [|t]; last by rewrite e.
rewrite [X in _ = X * _](E_ext (product_law q) (g := fun t => \prod_(a <- enum A) L a (t a) * 1)) => [|t]; last by rewrite e; ring.
by rewrite /product_law (drawn_rule t0 u bg) (drawn_rule t0 u b1) E_const Rmult_1_r.
Qed.
End Product.

(* What may be exchanged with the law of each arm may be exchanged with the product. *)
Lemma drawn_exchange (A : finType) (Theta O : Type) (q : A -> law_on Theta) (base : law_on O) (s : seq A) (f : O -> (A -> Theta) -> R) t :
  (forall a (g : O -> Theta -> R), (exists C, forall o th, Rabs (g o th) <= C) -> q a (fun th => base (g^~ th)) = base (fun o => q a (g o))) ->
  (exists C, forall o t, Rabs (f o t) <= C) -> drawn q s t (fun t => base (f^~ t)) = base (fun o => drawn q s t (f o)).
Proof.
move=> swap [C fC]; elim: s t => [|a s IH] t //=; rewrite (E_ext _ (fun th => IH _)).
by apply: swap; exists C => o th; apply: E_abs => t'; exact: fC.
Qed.

Section Arms.
Variables (A S : finType) (O Theta : Type) (density : A -> Theta -> S -> O -> R).
Notation parameters := (A -> Theta).
Definition arms_show (t : parameters) (a : A) (s : S) (o : O) : R := density a (t a) s o.

(* The likelihood of what arm a showed. *)
Fixpoint arm_weight (a : A) (th : Theta) (e : seq (step A S O)) : R :=
  if e is (x, b, o) :: e' then (if b == a then density a th (x a) o else 1) * arm_weight a th e' else 1.
Fixpoint arm_likelihood (a : A) (h : history A S O) (th : Theta) : R :=
  if h is r :: h' then arm_weight a th r.2 * arm_likelihood a h' th else 1.

Lemma likelihood_of_arms t h : likelihood arms_show t h = \prod_(a : A) arm_likelihood a h (t a).
Proof.
have of_steps e : weight_of arms_show t e = \prod_(a : A) arm_weight a (t a) e.
  elim: e => [|[[x b] o] e IH] /=; first by rewrite big1.
  rewrite big_split /= -IH; congr (_ * _); rewrite (bigD1 b) //= eqxx big1 ?Rmult_1_r // => a ne.
  by rewrite eq_sym (negbTE ne).
by elim: h => [|r h IH] /=; [rewrite big1 | rewrite big_split /= of_steps IH].
Qed.

Variable D : R.
Hypotheses (D1 : 1 <= D) (density_ok : forall a th s o, 0 <= density a th s o <= D).
Lemma arm_likelihood_bounded a h : bounded (arm_likelihood a h).
Proof.
have w e : bounded (arm_weight a ^~ e).
  elim: e => [|[[x b] o] e IH] /=; [exact: by_const | apply: bounded_mult IH; exists D => th].
  by case: eqP => _; [rewrite Rabs_pos_eq; case: (density_ok a th (x a) o) | rewrite Rabs_R1].
by elim: h => [|r h IH] /=; [exact: by_const | exact: bounded_mult].
Qed.

Variables (prior : A -> law_on Theta) (post : A -> history A S O -> law_on Theta) (t0 : parameters).
Hypothesis posts_ok : forall a h g, bounded g ->
  prior a (fun th => arm_likelihood a h th * g th) = prior a (arm_likelihood a h) * post a h g.
Definition arm_by_arm (h : history A S O) : law_on parameters := product_law t0 (post^~ h).

(* ledger: def:sampling/product *)
Theorem arm_by_arm_is_posterior h g : bounded g ->
  product_law t0 prior (fun t => likelihood arms_show t h * g t) = product_law t0 prior (fun t => likelihood arms_show t h) * arm_by_arm h g.
Proof.
move=> bg; rewrite (E_ext _ (g := fun t => \prod_(a : A) arm_likelihood a h (t a) * g t)) => [|t]; last by rewrite likelihood_of_arms.
rewrite [X in _ = X * _](E_ext _ (g := fun t => \prod_(a : A) arm_likelihood a h (t a))) => [|t]; last exact: likelihood_of_arms.
exact: (product_rule t0 (fun a => arm_likelihood_bounded a h) (fun a => posts_ok a h) bg).
Qed.
End Arms.

(* For product priors of any laws, each arm drawn from its own posterior, as Section 4.1 has it; finitely many observations.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_regret_arm_by_arm (A S O : finType) (Theta : Type) (next : O -> S) (pays : O -> R) (beta : R)
    (rho : global A S -> R) (K : nat) (shows : A -> Theta -> S -> O -> R) (prior : A -> law_on Theta)
    (post : A -> history A S O -> law_on Theta) (best : (A -> Theta) -> plays A S) (t0 : A -> Theta)
    (shows_ok : forall a th s, probability (shows a th s)) :
  is_discount beta -> probability rho -> (forall o, 0 <= pays o <= 1) -> (2 <= K)%nat -> (1 <= #|A|)%nat -> (1 <= #|S|)%nat ->
  (forall a h g, bounded g -> prior a (fun th => arm_likelihood shows a h th * g th) = prior a (arm_likelihood shows a h) * post a h g) ->
  let laws t a s := finite_law (shows_ok a (t a) s) in
  product_law t0 prior (fun t => expected_regret next beta (psrl best (arm_by_arm post t0)) rho (laws t) (bandit_of next pays (laws t)) (best t) K) <=
    5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> discount rho_ok pays_unit K2 A1 S1 rule laws.
apply: (@mb_psrl_any_prior A S O (A -> Theta) next (arms_show shows) (product_law t0 prior) A1 S1 (fun t a s => shows_ok a (t a) s)
  pays beta rho K best (arm_by_arm post t0)) => // h g bg.
apply: (arm_by_arm_is_posterior (D := 1)) => //; first by lra.
by move=> a th s o; exact: probability_01.
Qed.

(* The same where an activation may show anything: the laws have bounded densities for common laws that the priors may be
   exchanged with, on all bounded functions. Continuous priors and laws need not be (Reach.v): MeasurablePosterior.v has those,
   for a joint sample.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_regret_arm_by_arm_densities (A S : finType) (O Theta : Type) (next : O -> S) (pays : O -> R) (beta : R)
    (rho : global A S -> R) (K : nat) (base : A -> S -> law_on O) (density : A -> Theta -> S -> O -> R) (D : R)
    (shows : A -> Theta -> S -> law_on O) (prior : A -> law_on Theta) (post : A -> history A S O -> law_on Theta)
    (best : (A -> Theta) -> plays A S) (t0 : A -> Theta) :
  is_discount beta -> probability rho -> (forall o, 0 <= pays o <= 1) -> (2 <= K)%nat -> (1 <= #|A|)%nat -> (1 <= #|S|)%nat ->
  1 <= D -> (forall a th s o, 0 <= density a th s o <= D) ->
  (forall a th s f, bounded f -> shows a th s f = base a s (fun o => density a th s o * f o)) ->
  (forall b s a (g : O -> Theta -> R), (exists C, forall o th, Rabs (g o th) <= C) ->
    prior a (fun th => base b s (g^~ th)) = base b s (fun o => prior a (g o))) ->
  (forall a h g, bounded g -> prior a (fun th => arm_likelihood density a h th * g th) = prior a (arm_likelihood density a h) * post a h g) ->
  let laws t a s := shows a (t a) s in
  product_law t0 prior (fun t => expected_regret next beta (psrl best (arm_by_arm post t0)) rho (laws t) (bandit_of next pays (laws t)) (best t) K) <=
    5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> discount rho_ok pays_unit K2 A1 S1 D1 ok has swap rule laws.
apply: (mb_psrl_regret (nice := fun _ => True) discount rho_ok pays_unit A1 S1 _ _ K2) => //.
apply: (@by_densities A S O (A -> Theta) next base (arms_show density) laws (product_law t0 prior) D D1) => [t a s o|t a s f bf|b s f bf|h g bg].
- exact: ok.
- exact: has.
- exact: (drawn_exchange (enum A) t0 (swap b s) bf).
- by apply: (arm_by_arm_is_posterior (D := D)) => //; exact: ok.
Qed.
