(* Posteriors by densities: laws of observations with bounded densities for common laws, and a prior that may be exchanged with
   these. A finite prior may be exchanged with every law, and every prior with the laws on a finite set: mb_psrl_any_prior. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes PrintedForm Laws LawOfRun Truncation Frozen.
From kernel Require Import Radii MbPsrl Conditional.

(* A law with a density. *)
Section Tilt.
Variables (X : Type) (q : law_on X) (L : X -> R).
Hypotheses (bL : bounded L) (L0 : forall x, 0 <= L x).
Local Obligation Tactic := idtac.
Program Definition tilted (z : 0 < q L) : law_on X := @LawOn X (fun g => q (fun x => L x * g x) / q L) _ _ _ _.
Next Obligation.
move=> z c /=; rewrite (E_ext q (g := fun x => c * L x)); last by move=> x; rewrite Rmult_comm.
by rewrite E_scale //; field; lra.
Qed.
Next Obligation.
move=> z f g bf bg /=; rewrite (E_ext q (g := fun x => L x * f x + L x * g x)); last by move=> x; rewrite Rmult_plus_distr_l.
by rewrite E_add; [field; lra | exact: bounded_mult | exact: bounded_mult].
Qed.
Next Obligation.
move=> z c f bf /=; rewrite (E_ext q (g := fun x => c * (L x * f x))); last by move=> x; rewrite -!Rmult_assoc (Rmult_comm c).
by rewrite E_scale; [field; lra | exact: bounded_mult].
Qed.
Next Obligation.
move=> z f g bf bg fg /=; apply: Rmult_le_compat_r; first by left; exact: Rinv_0_lt_compat.
by apply: E_le; try exact: bounded_mult; move=> x; apply: Rmult_le_compat_l.
Qed.
Definition bayes_law : law_on X := if Rlt_dec 0 (q L) is left z then tilted z else q.

Lemma bayes_law_ok g : bounded g -> q (fun x => L x * g x) = q L * bayes_law g.
Proof.
move=> bg; rewrite /bayes_law; case: Rlt_dec => [z|nz] /=; first by field; lra.
have [C LC] := bL; have [l0 _] : 0 <= q L <= C by apply: E_range => x; split=> //; exact: Rle_trans (Rle_abs _) (LC x).
have z0 : q L = 0 by lra.
have {C LC} [C gC] := bg; have both : - C * q L <= q (fun x => L x * g x) <= C * q L.
  have bm := bounded_mult bL bg; rewrite -!E_scale //.
  by split; apply: E_le => //; try exact: bounded_scale; move=> x; have := gC x; have u0 := L0 x => /Rabs_le_between [g1 g2]; nra.
by rewrite z0 in both *; lra.
Qed.
End Tilt.

Section Densities.
Variables (A S : finType) (O Theta : Type) (next : O -> S).
Notation history := (history A S O).
Notation step := (step A S O).
Variables (base : A -> S -> law_on O) (density : Theta -> A -> S -> O -> R) (shows : Theta -> A -> S -> law_on O) (prior : law_on Theta) (D : R).
Hypotheses (D1 : 1 <= D) (density_ok : forall t a s o, 0 <= density t a s o <= D).
Hypothesis has_density : forall t a s f, bounded f -> shows t a s f = base a s (fun o => density t a s o * f o).

Fixpoint weight_of (t : Theta) (e : seq step) : R := if e is (x, a, o) :: e' then density t a (x a) o * weight_of t e' else 1.
Fixpoint likelihood (t : Theta) (h : history) : R := if h is r :: h' then weight_of t r.2 * likelihood t h' else 1.

Lemma weight_range t e : 0 <= weight_of t e <= D ^ size e.
Proof.
elim: e => [|[[x a] o] e IH] /=; first lra.
have d := density_ok t a (x a) o; split; first by apply: Rmult_le_pos; lra.
by apply: Rmult_le_compat; lra.
Qed.
Lemma likelihood_range t h : 0 <= likelihood t h <= D ^ duration h.
Proof.
elim: h => [|[p e] h IH]; first by rewrite /duration /=; lra.
rewrite duration_cons pow_add [likelihood _ _]/=; have d := weight_range t e; split; first by apply: Rmult_le_pos; lra.
by apply: Rmult_le_compat; lra.
Qed.
Lemma likelihood_bounded h : bounded (likelihood^~ h).
Proof. by exists (D ^ duration h) => t; rewrite Rabs_pos_eq; case: (likelihood_range t h). Qed.

Lemma power_le m n : (m <= n)%nat -> D ^ m <= D ^ n. Proof. by move=> mn; apply: Rle_pow => //; apply/leP. Qed.

Lemma steps_weight t pi n x e F C : (forall e', Rabs (F e') <= C) ->
  weight_of t e * steps next (shows t) pi n x e F = steps next base pi n x e (fun e' => weight_of t e' * F e').
Proof.
move=> FC; elim: n x e => [|n IH] x e //=.
have bs : bounded (fun o => steps next (shows t) pi n (moved x (pi x) (next o)) ((x, pi x, o) :: e) F).
  by apply: (@by_abs _ C) => o; apply: steps_abs.
have bd : bounded (density t (pi x) (x (pi x))) by exists D => o; rewrite Rabs_pos_eq; case: (density_ok t (pi x) (x (pi x)) o).
rewrite has_density // -E_scale; last exact: bounded_mult.
by apply: E_ext => o; rewrite -(IH _ ((x, pi x, o) :: e)) /=; ring.
Qed.

Lemma design_weight t ds h F C : (forall h, Rabs (F h) <= C) ->
  likelihood t h * by_design next (shows t) ds h F = by_design next base ds h (fun h' => likelihood t h' * F h').
Proof.
move=> FC; elim: ds h => [|[[pi x] n] ds IH] h //=.
have bC e : Rabs (by_design next (shows t) ds ((pi, x, e) :: h) F) <= C by exact: design_abs.
have one := @steps_weight t pi n x [::] _ C bC; rewrite [weight_of t [::]]/= Rmult_1_l in one; rewrite one -steps_scale.
  by apply: steps_ext => e; rewrite -IH /=; ring.
move=> m; exists (D ^ m * C) => e em; have we := weight_range t e; rewrite Rabs_mult (Rabs_pos_eq _ (proj1 we)).
by apply: Rmult_le_compat => //; [lra | exact: Rabs_pos | have := power_le em; lra].
Qed.

(* Functions that are bounded where the number of steps is. *)
Definition growing (g : history -> Theta -> R) := forall m, exists C, forall t h, (duration h <= m)%nat -> Rabs (g h t) <= C.
Lemma likelihood_growing g : (exists C, forall h t, Rabs (g h t) <= C) -> growing (fun h t => likelihood t h * g h t).
Proof.
move=> [C gC] m; exists (D ^ m * C) => t h hm; apply: abs_mult => //; have l := likelihood_range t h.
by rewrite Rabs_pos_eq; [have := power_le hm; lra | case: l].
Qed.
Lemma design_growing ds g : growing g -> growing (fun h t => by_design next base ds h (g^~ t)).
Proof.
move=> gg; elim: ds => [|[[pi x] n] ds IH] // m; have [C IC] := IH (n + m)%nat; exists C => t h hm.
by apply: steps_abs => e sz; apply: IC; rewrite duration_cons sz addn0 leq_add2l.
Qed.

(* Bayes' rule, free where nothing is likely, for the functions of a class for which the order of means does not matter. *)
Section Class.
Variables (post : history -> law_on Theta) (nice : (history -> Theta -> R) -> Prop).
Hypothesis fubini : forall ds g, nice g -> (exists C, forall h t, Rabs (g h t) <= C) ->
  prior (fun t => by_design next base ds [::] (fun h => likelihood t h * g h t)) = by_design next base ds [::] (fun h => prior (fun t => likelihood t h * g h t)).
Hypothesis nice_post : forall g, nice g -> nice (fun h _ => post h (g h)).
Hypothesis post_on : forall h g, nice g -> prior (fun t => likelihood t h * g h t) = prior (likelihood^~ h) * post h (g h).

Lemma by_densities_on ds g : nice g -> (exists C, forall h t, Rabs (g h t) <= C) ->
  prior (fun t => by_design next (shows t) ds [::] (fun h => g h t)) = prior (fun t => by_design next (shows t) ds [::] (fun h => post h (g h))).
Proof.
move=> ng [C gC]; pose gm h (_ : Theta) := post h (g h); have gmC h t : Rabs (gm h t) <= C by apply: E_abs.
have all f : nice f -> (forall h t, Rabs (f h t) <= C) -> prior (fun t => by_design next (shows t) ds [::] (fun h => f h t)) =
    by_design next base ds [::] (fun h => prior (fun t => likelihood t h * f h t)).
  move=> nf fC; rewrite -(fubini ds nf); last by exists C.
  by apply: E_ext => t; rewrite -(@design_weight t ds [::] (f^~ t) C (fun h => fC h t)) Rmult_1_l.
rewrite (all g ng gC) -[RHS]/(prior (fun t => by_design next (shows t) ds [::] (fun h => gm h t))) (all gm (nice_post ng) gmC).
apply: design_same => h _; rewrite (post_on h ng) /gm.
rewrite [RHS](E_ext prior (g := fun t => post h (g h) * likelihood t h)); last by move=> t; rewrite Rmult_comm.
by rewrite E_scale; [rewrite Rmult_comm | exact: likelihood_bounded].
Qed.
End Class.

(* Where the prior may be exchanged with the laws that densities are for, all bounded functions are such a class. *)
Hypothesis exchange : forall a s (f : O -> Theta -> R), (exists C, forall o t, Rabs (f o t) <= C) ->
  prior (fun t => base a s (f^~ t)) = base a s (fun o => prior (f o)).

Lemma exchange_steps pi n x e (H : Theta -> seq step -> R) : (forall m, exists C, forall t e, (size e <= m)%nat -> Rabs (H t e) <= C) ->
  prior (fun t => steps next base pi n x e (H t)) = steps next base pi n x e (fun e' => prior (H^~ e')).
Proof.
move=> bH; elim: n x e => [|n IH] x e //=.
rewrite (@exchange (pi x) (x (pi x)) (fun o t => steps next base pi n (moved x (pi x) (next o)) ((x, pi x, o) :: e) (H t))).
  by apply: E_ext => o; exact: IH.
have [C HC] := bH (n + (size e).+1)%nat; exists C => o t; apply: steps_abs => e' sz; apply: HC; rewrite sz //.
Qed.

Lemma exchange_design ds h (G : history -> Theta -> R) : growing G ->
  prior (fun t => by_design next base ds h (G^~ t)) = by_design next base ds h (fun h' => prior (G h')).
Proof.
move=> bG; elim: ds h => [|[[pi x] n] ds IH] h //=.
rewrite (@exchange_steps pi n x [::] (fun t e => by_design next base ds ((pi, x, e) :: h) (G^~ t))).
  by apply: steps_ext => e; exact: IH.
move=> m; have [C GC] := design_growing ds bG (m + duration h)%nat; exists C => t e em; apply: GC.
by rewrite duration_cons leq_add2r.
Qed.

Variable post : history -> law_on Theta.
Hypothesis post_ok : forall h g, bounded g -> prior (fun t => likelihood t h * g t) = prior (likelihood^~ h) * post h g.

Lemma by_densities : bayes_by_design next shows prior post.
Proof.
move=> ds g _ bg; pose nice (g : history -> Theta -> R) := exists C, forall h t, Rabs (g h t) <= C.
apply: (@by_densities_on post nice) => // [ds' g' ng' _|g' [C gC]|h g' [C gC]].
- exact: exchange_design (likelihood_growing ng').
- by exists C => h _; apply: E_abs => t; exact: gC.
- by apply: post_ok; exists C => t; exact: gC.
Qed.
End Densities.

(* It exists, and is a function of the history: no choice. *)
Definition posterior (A S : finType) (O Theta : Type) (density : Theta -> A -> S -> O -> R) (prior : law_on Theta) (D : R)
    (ok : forall t a s o, 0 <= density t a s o <= D) (h : history A S O) : law_on Theta :=
  bayes_law prior (likelihood_bounded ok h) (fun t => proj1 (likelihood_range ok t h)).

(* Where an activation shows finitely many values, the likelihood is the chance of what was seen. *)
Section Finite.
Variables (A S O : finType) (Theta : Type) (next : O -> S) (shows : Theta -> A -> S -> O -> R) (prior : law_on Theta).
Hypotheses (A1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat) (shows_ok : forall t a s, probability (shows t a s)).
Notation laws := (fun t a s => finite_law (shows_ok t a s)).

Lemma finite_bayes (post : history A S O -> law_on Theta) :
  (forall h g, bounded g -> prior (fun t => likelihood shows t h * g t) = prior (fun t => likelihood shows t h) * post h g) ->
  bayes_by_design next laws prior post.
Proof.
move=> post_ok; case: (pickP (@predT O)) => [o0 _|none]; last first.
  have [a _] := card_gt0P A1; have [s _] := card_gt0P S1.
  have no (t : Theta) : False by have [_] := shows_ok t a s; rewrite big1 => [|o _]; [lra | have := none o].
  by have := E_ext prior (f := fun _ => 0) (g := fun _ => 1) (fun t => False_ind _ (no t)); rewrite !E_const => absurd; exfalso; lra.
have O1 : (1 <= #|O|)%nat by apply/card_gt0P; exists o0.
have n1 : 1 <= INR #|O| by rewrite -[1]/(INR 1); apply: le_INR; apply/leP.
pose density t a s o := INR #|O| * shows t a s o.
have each t a s o : 0 <= shows t a s o <= 1 by exact: probability_01.
have ok t a s o : 0 <= density t a s o <= INR #|O| by have := each t a s o; rewrite /density; nra.
have swap u v x y : u * v * (x * y) = u * x * (v * y) by ring.
have likE t h : likelihood density t h = INR #|O| ^ duration h * likelihood shows t h.
  have w e : weight_of density t e = INR #|O| ^ size e * weight_of shows t e.
    by elim: e => [|[[x a] o] e IH] /=; [ring | rewrite IH /density; exact: swap].
  by elim: h => [|[p e] h IH]; [rewrite -[LHS]Rmult_1_l | rewrite duration_cons pow_add [likelihood _ _ _]/= IH w; exact: swap].
have bl h : bounded (fun t => likelihood shows t h) by exact: (likelihood_bounded each).
apply: (@by_densities A S O Theta next (fun _ _ => finite_law (uniform_ok O1)) density laws prior (INR #|O|) n1 ok _ _ post).
- move=> t a s f _ /=; apply: eq_bigr => o _; rewrite /density /uniform; field; lra.
- by move=> a s f [C fC]; apply: exchange_mean => o; exists C.
move=> h g bg; rewrite (E_ext _ (g := fun t => INR #|O| ^ duration h * (likelihood shows t h * g t))); last by move=> t; rewrite likE; ring.
rewrite E_scale; last exact: bounded_mult.
rewrite (post_ok h g bg) (E_ext prior (f := fun t => likelihood density t h) (g := fun t => INR #|O| ^ duration h * likelihood shows t h)) => [|t]; last exact: likE.
by rewrite E_scale //; ring.
Qed.

(* For every prior there is such a posterior, for all bounded functions of the history and the bandit. *)
Theorem posterior_exists : exists post, bayes_by_design next laws prior post.
Proof.
exists (posterior prior (fun t a s => probability_01 (shows_ok t a s))); apply: finite_bayes => h g bg; exact: bayes_law_ok.
Qed.

(* Theorem 1 for MB-PSRL with any prior on any set of bandits whose activations show finitely many values: rewards of finitely
   many values, Bernoulli among them, whatever the prior of their means and of the rows of transitions.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_any_prior (pays : O -> R) (beta : R) (rho : global A S -> R) (K : nat) (best : Theta -> plays A S) (post : history A S O -> law_on Theta) :
  is_discount beta -> probability rho -> (forall o, 0 <= pays o <= 1) -> (2 <= K)%nat ->
  (forall h g, bounded g -> prior (fun t => likelihood shows t h * g t) = prior (fun t => likelihood shows t h) * post h g) ->
  prior (fun t => expected_regret next beta (psrl best post) rho (laws t) (bandit_of next pays (laws t)) (best t) K) <=
    5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof. by move=> d rho_ok unit K2 /finite_bayes bayes; apply: (mb_psrl_regret d rho_ok unit A1 S1 _ bayes K2). Qed.
End Finite.
