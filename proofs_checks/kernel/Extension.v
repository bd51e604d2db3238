(* Positive functionals extend (Hahn and Banach): what integrates some bounded functions, constants among them, extends to a law,
   which integrates all. By Zorn's lemma of mathcomp's classical library. *)

From kernel Require Import Prelude.
From mathcomp.classical Require Import boolp classical_sets.
From kernel Require Import Sums Laws.

Section Extension.
Variable O : Type.
Definition graph := (O -> R) -> R -> Prop.   (* f is integrated, to r *)
Record partial (G : graph) : Prop := {
  p_const : forall c, G (fun _ => c) c;
  p_add : forall f g r s, G f r -> G g s -> G (fun o => f o + g o) (r + s);
  p_scale : forall c f r, G f r -> G (fun o => c * f o) (c * r);
  p_below : forall f r u, G f r -> (forall o, f o <= u) -> r <= u }.

Lemma p_unique G f r s : partial G -> G f r -> G f s -> r = s.
Proof.
move=> [cc aa sc below] Gr Gs; have zero r' s' : G f r' -> G f s' -> r' - s' <= 0.
  by move=> a b; apply: (below (fun o => f o + -1 * f o)); [rewrite (_ : r' - s' = r' + -1 * s'); [exact: aa a (sc _ _ _ b) | ring] | move=> o; lra].
by have := zero _ _ Gr Gs; have := zero _ _ Gs Gr; lra.
Qed.

(* One more function. *)
Definition with_one (G : graph) (f0 : O -> R) (c : R) : graph := fun h t => exists f r a, [/\ G f r, h = (fun o => f o + a * f0 o) & t = r + a * c].

Lemma one_more G f0 : partial G -> bounded f0 -> exists c, partial (with_one G f0 c).
Proof.
move=> pG [C fC]; have [cc aa sc below] := pG; pose E x := exists f r u, [/\ G f r, (forall o, f o - f0 o <= u) & x = r - u].
have ub v g s : G g s -> (forall o, g o + f0 o <= v) -> forall x, E x -> x <= v - s.
  move=> Gg gv x [f [r [u [Gf fu ->]]]]; suff : r + s <= u + v by lra.
  by apply: (below _ _ _ (aa _ _ _ _ Gf Gg)) => o; have := fu o; have := gv o; lra.
have le0 : forall o, 0 + f0 o <= C by move=> o; have := fC o; split_Rabs; lra.
have bnd : bound E by exists (C - 0) => x; exact: (ub C (fun _ => 0) 0 (cc 0) le0).
have some : exists x, E x by exists (0 - C); exists (fun _ => 0), 0, C; split=> // o; have := fC o; split_Rabs; lra.
have [c [up least]] := completeness E bnd some; exists c; split.
- by move=> k; exists (fun _ => k), k, 0; split=> //; [apply: funext => o; ring | ring].
- move=> f g r s [f1 [r1 [a [G1 -> ->]]]] [f2 [r2 [b [G2 -> ->]]]]; exists (fun o => f1 o + f2 o), (r1 + r2), (a + b).
  by split; [exact: aa | apply: funext => o; ring | ring].
- move=> k f r [f1 [r1 [a [G1 -> ->]]]]; exists (fun o => k * f1 o), (k * r1), (k * a).
  by split; [exact: sc | apply: funext => o; ring | ring].
have one e f r u : e = 1 \/ e = -1 -> G f r -> (forall o, f o + e * f0 o <= u) -> r + e * c <= u.
  case=> -> Gf fu; [suff : c <= u - r by lra | suff : r - u <= c by lra].
    by apply: least; apply: (ub u f r Gf) => o; have := fu o; lra.
  by apply: up; exists f, r, u; split=> // o; have := fu o; lra.
move=> h t u [f [r [a [Gf -> ->]]]] hu; case: (Req_dec a 0) => [a0|a0].
  by rewrite a0 Rmult_0_l Rplus_0_r; apply: (below f) => // o; have := hu o; rewrite a0; lra.
have p := Rabs_pos_lt _ a0; have i0 : 0 < / Rabs a by exact: Rinv_0_lt_compat.
have inv x : Rabs a * (/ Rabs a * x) = x by field; lra.
have [e [e1 ea]] : exists e, (e = 1 \/ e = -1) /\ Rabs a * e = a by case: (Rle_dec 0 a) => ?; [exists 1 | exists (-1)]; split_Rabs; lra.
have le : / Rabs a * r + e * c <= / Rabs a * u.
  apply: (one _ _ _ _ e1 (sc (/ Rabs a) _ _ Gf)) => o; apply: (Rmult_le_reg_l _ _ _ p).
  by rewrite Rmult_plus_distr_l !inv -Rmult_assoc ea; exact: hu.
by have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ p) le; rewrite Rmult_plus_distr_l !inv -Rmult_assoc ea.
Qed.

Lemma extension (G : graph) : partial G -> exists q : law_on O, forall f r, G f r -> q f = r.
Proof.
move=> pG; pose T := {H : graph | partial H /\ forall f r, G f r -> H f r}.
pose le (s t : T) := forall f r, sval s f r -> sval t f r.
have [|||[M [pM GM]] top] := @ZL_preorder T (exist _ G (conj pG (fun _ _ h => h))) le.
- by move=> s f r.
- by move=> r s t h1 h2 f x /h1 /h2.
- move=> chain tot; case: (pselect (exists s, chain s)) => [[s0 c0]|none]; last first.
    by exists (exist _ G (conj pG (fun _ _ h => h))) => s cs; case: none; exists s.
  pose U : graph := fun f r => exists s, chain s /\ sval s f r.
  have two s t : chain s -> chain t -> exists w, [/\ chain w, le s w & le t w].
    by move=> cs ct; case: (tot s t cs ct) => h; [exists t | exists s]; split=> // f r.
  have pU : partial U.
    split.
    + by move=> c; exists s0; split=> //; exact: (p_const (proj1 (svalP s0))).
    + move=> f g r s [s1 [c1 h1]] [s2 [c2 h2]]; have [w [cw w1 w2]] := two _ _ c1 c2.
      by exists w; split=> //; apply: (p_add (proj1 (svalP w))); [exact: w1 | exact: w2].
    + by move=> c f r [s [cs h]]; exists s; split=> //; exact: (p_scale (proj1 (svalP s))).
    + by move=> f r u [s [cs h]] fu; exact: (p_below (proj1 (svalP s)) h fu).
  have GU f r : G f r -> U f r by move=> h; exists s0; split=> //; exact: (proj2 (svalP s0)).
  by exists (exist _ U (conj pU GU)) => s cs f r h; exists s.
have all f : bounded f -> exists r, M f r.
  move=> bf; have [c pW] := one_more pM bf.
  have up f' r : M f' r -> with_one M f c f' r.
    by move=> h; exists f', r, 0; split=> //; [apply: funext => o; ring | ring].
  have := top (exist _ (with_one M f c) (conj pW (fun f' r h => up f' r (GM f' r h)))) up f c.
  move=> /= h; exists c; apply: h; exists (fun _ => 0), 0, 1; split; [exact: (p_const pM) | apply: funext => o; ring | ring].
pose E f := if pselect (exists r, M f r) is left ex then projT1 (cid ex) else 0.
have EM f r : M f r -> E f = r.
  move=> h; rewrite /E; case: pselect => [ex|[]]; last by exists r.
  by case: (cid ex) => r' /= h'; exact: (p_unique pM h' h).
have in_M f : bounded f -> M f (E f) by move=> /all [r h]; rewrite (EM _ _ h).
unshelve eexists (@LawOn O E _ _ _ _).
- by move=> c; exact: (EM _ _ (p_const pM c)).
- by move=> f g bf bg; apply: EM; apply: (p_add pM); exact: in_M.
- by move=> c f bf; apply: EM; apply: (p_scale pM); exact: in_M.
- move=> f g bf bg fg; suff : E f + -1 * E g <= 0 by lra.
  apply: (p_below pM (p_add pM (in_M f bf) (p_scale pM (-1) (in_M g bg)))) => o; have := fg o; lra.
by move=> f r h /=; apply: EM; exact (GM f r h).
Qed.
End Extension.
