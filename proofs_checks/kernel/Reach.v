(* How far the hypotheses reach: laws that are no probabilities; means whose order matters; and a posterior that is right but not
   conditional for every bounded function, so that classes of functions are needed where prior and observations are both diffuse. *)

From kernel Require Extension.
From kernel Require Import Limits Sums Values Bandits Concentration Episodes Laws Draws LawOfRun Truncation Frozen Radii MbPsrl.
From kernel Require Import Conditional Densities.

(* A law on the natural numbers in which each number has chance 0: it extends the limit. *)
Definition is_diffuse (q : law_on nat) := forall f l, bounded f -> is_lim_seq f (Finite l) -> q f = l.
Theorem diffuse_exists : exists q : law_on nat, is_diffuse q.
Proof.
pose G (f : nat -> R) (r : R) := bounded f /\ is_lim_seq f (Finite r).
have pG : Extension.partial G.
  split.
  - by move=> c; split; [exact: by_const | exact: is_lim_seq_const].
  - by move=> f g r s [bf If] [bg Ig]; split; [exact: bounded_add | exact: is_lim_seq_plus'].
  - by move=> c f r [bf If]; split; [exact: bounded_scale | exact: (is_lim_seq_scal_l _ c (Finite r))].
  - by move=> f r u [bf If] fu; exact: (is_lim_seq_le f (fun _ => u) (Finite r) (Finite u) fu If (is_lim_seq_const u)).
by have [q h] := Extension.extension pG; exists q => f r bf If; exact: h.
Qed.

Section Diffuse.
Variable q : law_on nat.
Hypothesis diffuse : is_diffuse q.
Let bi (b : nat -> bool) : bounded (fun n => indicator (b n)). Proof. exact: bounded_indicator. Qed.

Lemma below t : q (fun o => indicator (o < t)%nat) = 0.
Proof.
apply: diffuse => //; apply: (is_lim_seq_ext_loc (fun _ => 0)); last exact: is_lim_seq_const.
by exists t => n /leP tn; rewrite /indicator ltnNge tn.
Qed.
Lemma beyond o : q (fun t => indicator (o < t)%nat) = 1.
Proof.
apply: diffuse => //; apply: (is_lim_seq_ext_loc (fun _ => 1)); last exact: is_lim_seq_const.
by exists o.+1 => n /leP on; rewrite /indicator on.
Qed.

(* The order of means matters. *)
Theorem no_exchange : q (fun t => q (fun o => indicator (o < t)%nat)) = 0 /\ q (fun o => q (fun t => indicator (o < t)%nat)) = 1.
Proof.
split; first by rewrite (E_ext _ (g := fun _ => 0)) ?E_const // => t; exact: below.
by rewrite (E_ext _ (g := fun _ => 1)) ?E_const // => o; exact: beyond.
Qed.

(* Observations that have nothing to do with the bandit, posterior = prior: Bayes' rule for densities holds, but this posterior is
   not a conditional law for every bounded function. *)
Notation unit1 := unit_finType.
Notation nowhere := (fun _ : nat => tt).
Theorem prior_is_not_conditional : ~ bayes_by_design (A := unit1) (S := unit1) nowhere (fun (_ : nat) _ _ => q) q (fun _ => q).
Proof.
pose pi : plays unit1 unit1 := [ffun=> tt]; pose x : global unit1 unit1 := [ffun=> tt].
pose g (h : history unit1 unit1 nat) (t : nat) := if h is (_, (_, _, o) :: _) :: _ then indicator (o < t)%nat else 0.
move=> bayes; have := bayes [:: (pi, x, 1%nat)] g.
have b : exists C, forall h t, Rabs (g h t) <= C.
  exists 1 => h t; rewrite /g; case: h => [|[p [|[[y a] o] e]] h]; try (rewrite Rabs_R0; lra); exact: indicator_abs.
move=> /(_ I b) /=; rewrite (proj1 no_exchange) (E_ext _ (g := fun _ => 1)) ?E_const; first lra.
by move=> t; exact: (proj2 no_exchange).
Qed.
End Diffuse.

(* Laws that need not be dominated: whatever w is, an activation also tells which bandit it is. Every prior has a posterior, for all
   bounded functions: the bandit, once it was told. *)
Section Told.
Variables (A S : finType) (X Theta : Type) (w : Theta -> A -> S -> law_on X) (next : X * Theta -> S) (prior : law_on Theta).
Definition tells t a s : law_on (X * Theta) := bind_law (w t a s) (fun x => point_law (x, t)).
Definition told (t : Theta) (h : history A S (X * Theta)) := exists c x s, flat h = (c, (x, t)) :: s.

Lemma steps_told t pi n x e y h F G : (forall e', told t ((pi, y, e') :: h) -> F e' = G e') ->
  (0 < n)%nat \/ told t ((pi, y, e) :: h) -> steps next (tells t) pi n x e F = steps next (tells t) pi n x e G.
Proof.
move=> FG; elim: n x e => [|n IH] x e te; first by case: te => // te; exact: FG.
by apply: (E_ext (w t _ _)) => o; apply: IH; right; do 3 eexists.
Qed.

Theorem undominated : exists post, bayes_by_design next tells prior post.
Proof.
pose post (h : history A S (X * Theta)) := if flat h is p :: _ then point_law p.2.2 else prior; exists post => ds g _ _.
have known ds' t h : told t h -> by_design next (tells t) ds' h (g^~ t) = by_design next (tells t) ds' h (fun h => post h (g h)).
  elim: ds' h => [|[[pi x] n] ds' IH] h th; first by case: th => c [o [s e]]; rewrite /= /post e.
  by apply: (@steps_told t pi n x [::] x h) => [e te|]; [exact: IH | right].
suff none h : flat h = [::] -> prior (fun t => by_design next (tells t) ds h (g^~ t)) =
    prior (fun t => by_design next (tells t) ds h (fun h => post h (g h))) by exact: none.
elim: ds h => [|[[pi x] [|n]] ds IH] h fh; [by rewrite /= /post fh E_const | exact: (IH ((pi, x, [::]) :: h)) |].
by apply: E_ext => t; apply: (@steps_told t pi n.+1 x [::] x h) => [e te|]; [exact: known | left].
Qed.
End Told.
