(* The greatest convex minorant of a function on a grid, and the curves that it makes. *)

From kernel Require Import Limits Sums Values Bandits Retirement Curves.

Section Minorant.
Variables (G : nat) (m : nat -> R).
Hypothesis grid_up : forall j, (j < G)%nat -> m j < m j.+1.
Implicit Types (f g h : nat -> R).

(* Convex on m_0, ..., m_G: at each inner point at most what the two neighbours give. *)
Definition convex_at f j := f j.+1 * (m j.+2 - m j) <= f j * (m j.+2 - m j.+1) + f j.+2 * (m j.+1 - m j).
Definition convex_on f := forall j, (j.+1 < G)%nat -> convex_at f j.
Definition below f h := forall j, (j <= G)%nat -> f j <= h j.

Definition minorant h j : R := real (Lub_Rbar (fun v => exists f, [/\ convex_on f, below f h & v = f j])).

Definition incline f j : R := (f j.+1 - f j) / (m j.+1 - m j).

Lemma convex_inclines f j : (j.+1 < G)%nat -> convex_at f j <-> incline f j <= incline f j.+1.
Proof.
move=> jG; have g1 := grid_up (ltnW jG); have g2 := grid_up jG; rewrite /convex_at /incline.
have e1 : (f j.+1 - f j) / (m j.+1 - m j) * ((m j.+1 - m j) * (m j.+2 - m j.+1)) = (f j.+1 - f j) * (m j.+2 - m j.+1) by field; lra.
have e2 : (f j.+2 - f j.+1) / (m j.+2 - m j.+1) * ((m j.+1 - m j) * (m j.+2 - m j.+1)) = (f j.+2 - f j.+1) * (m j.+1 - m j) by field; lra.
have p : 0 < (m j.+1 - m j) * (m j.+2 - m j.+1) by apply: Rmult_lt_0_compat; lra.
by nra.
Qed.

Lemma constant_convex c : convex_on (fun _ => c).
Proof. by move=> j _; rewrite /convex_at; apply: Req_le; ring. Qed.

Lemma minorant_lub h j : (j <= G)%nat -> is_lub (fun v => exists f, [/\ convex_on f, below f h & v = f j]) (minorant h j).
Proof.
move=> jG; have [c [_ hc]] := exists_bound (fun i : 'I_G.+1 => h i).
apply: (@real_lub _ (- c)); last by exists (h j) => v [f [_ le ->]]; exact: le.
exists (fun _ => - c); split=> // [|i iG]; first exact: constant_convex.
by have := hc (Ordinal (iG : (i < G.+1)%nat)); rewrite /=; split_Rabs; lra.
Qed.

Lemma minorant_greatest f h : convex_on f -> below f h -> below f (minorant h).
Proof. by move=> conv le j jG; have [up _] := minorant_lub h jG; apply: up; exists f. Qed.

Lemma minorant_below h : below (minorant h) h.
Proof. by move=> j jG; have [_ least] := minorant_lub h jG; apply: least => v [f [_ le ->]]; exact: le. Qed.

Lemma minorant_convex h : convex_on (minorant h).
Proof.
move=> j jG; have g1 := grid_up (ltnW jG); have g2 := grid_up jG; rewrite /convex_at.
have [_ least] := minorant_lub h (ltnW jG); have p : 0 < m j.+2 - m j by lra.
set v := _ + _; suff : minorant h j.+1 <= v / (m j.+2 - m j).
  by move/(Rmult_le_compat_r _ _ _ (Rlt_le _ _ p)); rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; lra.
apply: least => w [f [conv le ->]]; apply: (Rmult_le_reg_r _ _ _ p); rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; last lra.
apply: Rle_trans (conv j jG) _; rewrite /v; apply: Rplus_le_compat; apply: Rmult_le_compat_r; try lra;
  by apply: minorant_greatest => //; rewrite ?(ltnW (ltnW jG)) //; exact: ltnW.
Qed.

Lemma minorant_monotone h h' : below h h' -> below (minorant h) (minorant h').
Proof.
move=> le; apply: minorant_greatest => [|j jG]; first exact: minorant_convex.
by apply: Rle_trans (minorant_below h jG) (le j jG).
Qed.

Lemma minorant_shift h c j : (j <= G)%nat -> minorant (fun i => h i + c) j = minorant h j + c.
Proof.
have shifted f d : convex_on f -> convex_on (fun i => f i + d).
  by move=> conv i iG; have := conv i iG; rewrite /convex_at; lra.
move=> jG; apply: Rle_antisym; last first.
  apply: (minorant_greatest (f := fun i => minorant h i + c)) => // [|i iG]; first exact: shifted (@minorant_convex h).
  by have := minorant_below h iG; lra.
suff : minorant (fun i => h i + c) j + - c <= minorant h j by lra.
apply: (minorant_greatest (f := fun i => minorant (fun i => h i + c) i + - c)) => // [|i iG]; first exact: shifted (@minorant_convex _).
by have := minorant_below (fun i => h i + c) iG; lra.
Qed.

(* It does not expand distances. *)
Lemma minorant_near h h' e : (forall j, (j <= G)%nat -> h j <= h' j + e) ->
  forall j, (j <= G)%nat -> minorant h j <= minorant h' j + e.
Proof. by move=> near j jG; rewrite -minorant_shift //; exact: (minorant_monotone near). Qed.

(* Raised at one point, where that leaves it convex, it is no longer below h: there it meets h. *)
Lemma minorant_raised h i : (i <= G)%nat ->
  (forall l, i = l.+1 -> (l.+1 < G)%nat -> minorant h l.+1 * (m l.+2 - m l) < minorant h l * (m l.+2 - m l.+1) + minorant h l.+2 * (m l.+1 - m l)) ->
  minorant h i = h i.
Proof.
move=> iG room; set f := minorant h in room *; have le := minorant_below h iG; rewrite -/f in le.
case: (Rle_lt_or_eq_dec _ _ le) => // lt.
have [e [e0 [eh em]]] : exists e, 0 < e /\ f i + e <= h i /\ forall l, i = l.+1 -> (l.+1 < G)%nat ->
    (f l.+1 + e) * (m l.+2 - m l) <= f l * (m l.+2 - m l.+1) + f l.+2 * (m l.+1 - m l).
  case: i {iG le} lt room => [|l] lt room; first by exists (h 0%nat - f 0%nat); split; [lra | split=> //; lra].
  case: (ltnP l.+1 G) => lG; last first.
    by exists (h l.+1 - f l.+1); split; [lra | split=> [|l' [<-]]; [lra | rewrite ltnNge lG]].
  have g1 := grid_up (ltnW lG); have g2 := grid_up lG; have r := room l erefl lG; have p : 0 < m l.+2 - m l by lra.
  set gap := f l * _ + _ in r; pose t := (gap - f l.+1 * (m l.+2 - m l)) / (m l.+2 - m l).
  have t0 : 0 < t by apply: Rdiv_lt_0_compat; lra.
  exists (Rmin (h l.+1 - f l.+1) t); split; first by apply: Rmin_glb_lt; lra.
  split=> [|l' [<-] _]; first by have := Rmin_l (h l.+1 - f l.+1) t; lra.
  have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ p) (Rmin_r (h l.+1 - f l.+1) t).
  by rewrite {2}/t /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r -/gap; lra.
pose f' k := if k == i then f k + e else f k.
have up k : f k <= f' k by rewrite /f'; case: eqP => _; lra.
suff : f' i <= f i by rewrite /f' eqxx; lra.
apply: (minorant_greatest (f := f')) => // [j jG|j jG]; last first.
  by rewrite /f'; case: eqP => [->|_] //; exact: minorant_below.
have conv := minorant_convex h jG; rewrite /convex_at -/f in conv *; have g1 := grid_up (ltnW jG); have g2 := grid_up jG.
have h0 := Rmult_le_compat_r _ _ _ (ltac:(lra) : 0 <= m j.+2 - m j.+1) (up j).
have h2 := Rmult_le_compat_r _ _ _ (ltac:(lra) : 0 <= m j.+1 - m j) (up j.+2).
case: (eqVneq j.+1 i) => [ji|/negbTE ji]; last by rewrite {1}/f' ji; lra.
by have := em j (esym ji) jG; rewrite {1}/f' ji eqxx -ji; lra.
Qed.

Lemma minorant_first h : minorant h 0 = h 0%nat.
Proof. by apply: minorant_raised. Qed.

Lemma minorant_last h : minorant h G = h G.
Proof. by apply: minorant_raised => // l -> ; rewrite ltnn. Qed.

(* Where an affine piece of it starts, it meets h. *)
Lemma minorant_piece h j : (j < G)%nat -> exists i, [/\ (i <= j)%nat, minorant h i = h i & incline (minorant h) i = incline (minorant h) j].
Proof.
elim: j => [|j IH] jG; first by exists 0%nat; split=> //; exact: minorant_first.
have conv := proj1 (convex_inclines (minorant h) jG) (minorant_convex h jG).
case: (Rle_lt_or_eq_dec _ _ conv) => [lt|eq]; last first.
  by have [i [ij meet same]] := IH (ltnW jG); exists i; split=> //; [exact: leqW | rewrite same].
exists j.+1; split=> //; apply: minorant_raised; first exact: ltnW.
move=> l [<-] _; have g1 := grid_up (ltnW jG); have g2 := grid_up jG.
move: lt; set f := minorant h; rewrite /incline => lt.
have p : 0 < (m j.+1 - m j) * (m j.+2 - m j.+1) by apply: Rmult_lt_0_compat; lra.
have := Rmult_lt_compat_r _ _ _ p lt.
rewrite (_ : (f j.+1 - f j) / _ * _ = (f j.+1 - f j) * (m j.+2 - m j.+1)); last by field; lra.
rewrite (_ : (f j.+2 - f j.+1) / _ * _ = (f j.+2 - f j.+1) * (m j.+1 - m j)); last by field; lra.
by lra.
Qed.

(* Of a function that is nowhere below its first value, it is nondecreasing. *)
Lemma minorant_up h : (0 < G)%nat -> (forall j, (j <= G)%nat -> h 0%nat <= h j) -> minorant h 0 <= minorant h 1.
Proof.
by move=> G0 le; rewrite minorant_first; apply: (minorant_greatest (f := fun _ => h 0%nat)) => //; exact: constant_convex.
Qed.
End Minorant.

(* ---------------------------------------------------------------- The curves of a learner *)

Section Hulls.
Variables (A S : finType) (G : nat) (m : nat -> R).
Hypotheses (G0 : (0 < G)%nat) (grid_up : forall j, (j <= G)%nat -> m j < m j.+1).
Let grid j : (j < G)%nat -> m j < m j.+1. Proof. by move=> jG; apply: grid_up; exact: ltnW. Qed.

(* H(s, m_j), nondecreasing in j, between m_j and m_G. *)
Variable H : A -> S -> nat -> R.
Hypotheses (H_above : forall a s j, (j <= G)%nat -> m j <= H a s j) (H_top : forall a s j, (j <= G)%nat -> H a s j <= m G).
Hypothesis H_first : forall a s j, (j <= G)%nat -> H a s 0%nat <= H a s j.

Definition hull (a : A) (j : nat) (s : S) : R := prolonged G m (fun a j s => minorant G m (H a s) j) a j s.

Lemma hull_in a j s : (j <= G)%nat -> hull a j s = minorant G m (H a s) j.
Proof. by rewrite /hull /prolonged => ->. Qed.

Lemma hull_curves : curves G m hull.
Proof.
apply: prolonged_curves => // [a j s jG|a s|a s|a j s jG].
- have conv : convex_on G m m by move=> i _; rewrite /convex_at; apply: Req_le; ring.
  exact: (@minorant_greatest G m m (H a s) conv (H_above a s) j jG).
- by rewrite minorant_last //; apply: Rle_antisym; [exact: H_top | exact: H_above].
- by apply: minorant_up => // j; exact: H_first.
- exact: (proj1 (convex_inclines grid _ jG) (minorant_convex grid _ jG)).
Qed.

Lemma hull_at_most a j s : (j <= G)%nat -> hull a j s <= H a s j.
Proof. by move=> jG; rewrite hull_in //; exact: minorant_below. Qed.

(* Below the index it is at most the branch b, where H is the larger of m and of the smaller of m_G and b. *)
Lemma hull_branch a j s (b : nat -> R) : (forall i, (i <= G)%nat -> H a s i = Rmax (m i) (Rmin (m G) (b i))) -> (j <= G)%nat ->
  m j < hull a j s -> hull a j s <= b j.
Proof.
move=> e jG lt; have := hull_at_most a s jG; rewrite e // => le.
have := Rmin_r (m G) (b j); move: le; apply: (Rmax_case (m j) (Rmin (m G) (b j)) (fun u => _ <= u -> _)); lra.
Qed.

(* Slopes below the index, from the increments of the branch: c is nondecreasing in j. *)
Lemma hull_slope a j s (b c : nat -> R) : (forall i, (i <= G)%nat -> H a s i = Rmax (m i) (Rmin (m G) (b i))) ->
  (j < G)%nat -> m j.+1 < hull a j.+1 s -> (forall i, (i <= j)%nat -> b i.+1 - b i <= (m i.+1 - m i) * c i) ->
  (forall i, (i <= j)%nat -> 0 <= c i <= c j) -> slope m hull a j s <= c j.
Proof.
move=> e jG above steps mono; have same i : (i < G)%nat -> slope m hull a i s = incline m (minorant G m (H a s)) i.
  by move=> iG; rewrite /slope /incline !hull_in // ltnW.
have [i [ij meet eq]] := minorant_piece grid (H a s) jG; rewrite same // -eq -same; last exact: leq_ltn_trans ij jG.
have iG : (i < G)%nat by exact: leq_ltn_trans ij jG.
have over k : (k <= j.+1)%nat -> m k < hull a k s.
  move=> kj; have kG : (k <= G)%nat by apply: leq_trans kj jG.
  have [e0 _] := excess_range hull_curves a s kG; case: (Rle_lt_or_eq_dec _ _ e0) => [|z]; first lra.
  by have := @retired_on A S G m hull hull_curves a k j.+1 s (ltac:(by rewrite kj jG)) (ltac:(lra)); lra.
have [c0 cj] := mono i ij; apply: Rle_trans cj; have g := grid iG.
apply: (Rmult_le_reg_r (m i.+1 - m i)); first lra.
rewrite /slope /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; last lra.
have up1 := hull_branch e iG (over i.+1 ij).
have top1 : hull a i.+1 s <= m G by apply: Rle_trans (hull_at_most a s iG) _; exact: H_top.
have low : m i < Rmin (m G) (b i).
  have := over i (leqW ij); rewrite hull_in ?meet ?e ?(ltnW iG) //.
  by apply: (Rmax_case (m i) (Rmin (m G) (b i)) (fun u => _ < u -> _)); lra.
rewrite (hull_in a s (ltnW iG)) meet e ?(ltnW iG) // Rmax_right; last lra.
have st := steps i ij; have p : 0 <= c i * (m i.+1 - m i) by apply: Rmult_le_pos; lra.
by apply: (Rmin_case (m G) (b i) (fun u => _ - u <= _)); lra.
Qed.
End Hulls.
