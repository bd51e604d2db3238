(* Hoeffding's and Weissman's inequalities for independent draws from a finite space. *)

From kernel Require Import Limits Sums.

Definition indicator (b : bool) : R := if b then 1 else 0.

(* ---------------------------------------------------------------- Independent draws *)

Section Independent.
Variable O : finType.

(* The mean of F over l further independent draws from a law q, after the draws s. *)
Fixpoint draws (q : O -> R) (l : nat) (s : seq O) (F : seq O -> R) : R :=
  if l is l'.+1 then mean q (fun o => draws q l' (o :: s) F) else F s.

Lemma draws_add q l s F G : draws q l s (fun s => F s + G s) = draws q l s F + draws q l s G.
Proof. by elim: l s => [|l IH] s //=; rewrite (mean_ext _ (fun o => IH (o :: s))) mean_add. Qed.

Lemma draws_sum (I : finType) q l s (F : I -> seq O -> R) :
  draws q l s (fun s => \sum_(i : I) F i s) = \sum_(i : I) draws q l s (F i).
Proof.
elim: l s => [|l IH] s //=; rewrite (mean_ext _ (fun o => IH (o :: s))) /mean.
by under eq_bigr do rewrite -sum_scale; rewrite exchange_big.
Qed.
End Independent.

(* ---------------------------------------------------------------- Hoeffding's inequality *)

(* A function whose derivative is at least 0 increases: by the supremum of where it has not fallen at slope e, since the
   library's mean value theorem rests on excluded middle. *)
Lemma increasing_from (f df : R -> R) a b : a <= b -> (forall c, a <= c <= b -> is_derive f c (df c)) ->
  (forall c, a <= c <= b -> 0 <= df c) -> f a <= f b.
Proof.
move=> ab hd h0; apply: Rnot_lt_le => falls; pose e := (f a - f b) / (b - a + 1).
have e0 : 0 < e by apply: Rdiv_lt_0_compat; lra.
have ee : e * (b - a + 1) = f a - f b by rewrite /e; field; lra.
pose E x := a <= x <= b /\ f a - e * (x - a) <= f x.
have Ea : E a by rewrite /E; lra.
have [c [ub least]] := completeness E (ex_intro _ b (fun x (h : E x) => proj2 (proj1 h))) (ex_intro _ a Ea).
have inside : a <= c <= b by split; [exact: ub | apply: least => x [[]]].
have [d near] := proj1 (is_derive_Reals f c (df c)) (hd c inside) e e0; have d0 := cond_pos d.
have close h : Rabs h < d -> 0 <= h * (f (c + h) - f c + e * h).
  move=> hh; case: (Req_dec h 0) => [->|ne]; first lra.
  have /Rabs_def2 [_ low] := near h ne hh; have := h0 c inside; move: low; set q := _ / h => low dc.
  have -> : f (c + h) - f c = q * h by rewrite /q; field.
  by nra.
have at_c : f a - e * (c - a) <= f c.
  apply: Rnot_lt_le => lt; suff : c <= c - d by lra.
  apply: least => x [xb Ex]; have xc := ub x (conj xb Ex); apply: Rnot_lt_le => far.
  have := close (x - c) (ltac:(apply: Rabs_def1; lra)); rewrite (_ : c + (x - c) = x); last ring.
  by case: (Rle_lt_or_eq_dec _ _ xc) => [lt'|e']; [nra | rewrite e' in Ex; lra].
case: (Rle_lt_or_eq_dec _ _ (proj2 inside)) => [cb|e']; last by rewrite e' in at_c; lra.
pose h := Rmin (d / 2) (b - c); have hd2 : h <= d / 2 := Rmin_l _ _; have hb : h <= b - c := Rmin_r _ _.
have h1 : 0 < h by apply: Rmin_glb_lt; lra.
have := close h (ltac:(apply: Rabs_def1; lra)) => up.
have : c + h <= c by apply: ub; split; [lra | nra].
lra.
Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof.
move=> xy; apply: (increasing_from xy (df := exp)) => c _; first exact: is_derive_exp.
by left; exact: exp_pos.
Qed.

(* Derivatives by their rules, without what a library's tactic assumes; what no rule is for is left to `leaf`. *)
Lemma derivative_is f c l l' : derivable_pt_lim f c l -> l = l' -> is_derive f c l'.
Proof. by move=> h <-; apply/is_derive_Reals. Qed.

Ltac rules leaf := lazymatch goal with
  | |- derivable_pt_lim (fun _ => ?k) ?c _ => exact (derivable_pt_lim_const k c)
  | |- derivable_pt_lim (fun x => x) ?c _ => exact (derivable_pt_lim_id c)
  | |- derivable_pt_lim (fun x => - @?f x) ?c _ => eapply (derivable_pt_lim_opp f c); rules leaf
  | |- derivable_pt_lim (fun x => @?f x + @?g x) ?c _ => eapply (derivable_pt_lim_plus f g c); rules leaf
  | |- derivable_pt_lim (fun x => @?f x - @?g x) ?c _ => eapply (derivable_pt_lim_minus f g c); rules leaf
  | |- derivable_pt_lim (fun x => @?f x * @?g x) ?c _ => eapply (derivable_pt_lim_mult f g c); rules leaf
  | |- derivable_pt_lim (fun x => @?f x / @?g x) ?c _ => eapply (derivable_pt_lim_div f g c); rules leaf
  | |- derivable_pt_lim exp ?c _ => exact (derivable_pt_lim_exp c)
  | |- derivable_pt_lim (fun x => exp (@?f x)) ?c _ => eapply (derivable_pt_lim_comp f exp c); rules leaf
  | |- _ => leaf
  end.
Ltac differentiate leaf := eapply derivative_is; [rules leaf | cbv beta].

Lemma exp_tangent x : 1 + x <= exp x.
Proof.
have line c s : is_derive (fun c => s * (exp c - (1 + c))) c (s * (exp c - 1)) by differentiate idtac; ring.
have between s u v : u <= v -> (forall c, u <= c <= v -> 0 <= s * (exp c - 1)) -> s * (exp u - (1 + u)) <= s * (exp v - (1 + v)).
  by move=> uv; exact: (increasing_from uv (fun c _ => line c s)).
case: (Rle_dec 0 x) => [x0|/Rnot_le_lt/Rlt_le x0].
  by have := between 1 0 x x0 (ltac:(move=> c hc; have := exp_le (proj1 hc); rewrite exp_0; lra)); rewrite exp_0; lra.
by have := between (-1) x 0 x0 (ltac:(move=> c hc; have := exp_le (proj2 hc); rewrite exp_0; lra)); rewrite exp_0; lra.
Qed.

Lemma exp_square x : -2 <= x -> (1 + x / 2) ^ 2 <= exp x.
Proof.
move=> x2; have e : exp x = exp (x / 2) ^ 2 by rewrite (_ : exp x = exp (x / 2 + x / 2)); [rewrite exp_plus /=; ring | congr exp; field].
by rewrite e; apply: pow_incr; have := exp_tangent (x / 2); lra.
Qed.

Lemma exp_power x n : exp x ^ n = exp (INR n * x).
Proof.
elim: n => [|n IH]; first by rewrite /= Rmult_0_l exp_0.
by rewrite S_INR Rmult_plus_distr_r Rmult_1_l exp_plus -IH /=; ring.
Qed.

Lemma exp_convex t x y : 0 <= t <= 1 -> exp (t * x + (1 - t) * y) <= t * exp x + (1 - t) * exp y.
Proof.
move=> t01; set z := t * x + (1 - t) * y; have e0 := exp_pos z.
have tangent u : exp z * (1 + (u - z)) <= exp u.
  have -> : exp u = exp z * exp (u - z) by rewrite -exp_plus; congr exp; ring.
  by apply: Rmult_le_compat_l; [lra | exact: exp_tangent].
have hx := tangent x; have hy := tangent y.
have : t * (exp z * (1 + (x - z))) + (1 - t) * (exp z * (1 + (y - z))) = exp z by rewrite /z; ring.
by have := Rmult_le_compat_l _ _ _ (proj1 t01) hx; have := Rmult_le_compat_l (1 - t) _ _ (ltac:(lra)) hy; lra.
Qed.

(* (1-p) e^(-pu) + p e^((1-p)u) <= e^(u^2/8). *)
Lemma bernoulli_exponential p u : 0 <= p <= 1 ->
  (1 - p) * exp (- p * u) + p * exp ((1 - p) * u) <= exp (u * u / 8).
Proof.
move=> p01.
suff pos q v : 0 <= q <= 1 -> 0 <= v -> (1 - q) * exp (- q * v) + q * exp ((1 - q) * v) <= exp (v * v / 8).
  case: (Rle_dec 0 u) => [h|/Rnot_le_lt h]; first exact: pos.
  have := pos (1 - p) (- u) (ltac:(lra)) (ltac:(lra)).
  rewrite (_ : - (1 - p) * - u = (1 - p) * u); last ring.
  rewrite (_ : (1 - (1 - p)) * - u = - p * u); last ring.
  by rewrite (_ : - u * - u = u * u); [lra | ring].
move=> q01 v0; pose D c := 1 - q + q * exp c.
have Dpos c : 0 < D c by rewrite /D; have := exp_pos c; nra.
have nz c : D c <> 0 by have := Dpos c; lra.
pose expo c := / 8 * (c * c) + q * c.
pose g c := exp (expo c) / D c.
pose g1 c := c / 4 + q - q * exp c / D c.
pose g2 c := 1 / 4 - (q * exp c / D c) * (1 - q * exp c / D c).
have d1 c : is_derive g c (g c * g1 c).
  by rewrite /g /g1 /expo /D; differentiate ltac:(exact (nz c)); rewrite /Rsqr; field; exact: nz.
have d2 c : is_derive g1 c (g2 c).
  by rewrite /g1 /g2 /D; differentiate ltac:(first [exact (nz c) | lra]); rewrite /Rsqr; field; exact: nz.
have g2pos c : 0 <= g2 c by rewrite /g2; move: (q * exp c / D c) => z; have := Rle_0_sqr (z - 1/2); rewrite /Rsqr; lra.
have D0 : D 0 = 1 by rewrite /D exp_0; ring.
have g10 : g1 0 = 0 by rewrite /g1 D0 exp_0; field.
have g1pos c : 0 <= c -> 0 <= g1 c.
  by move=> c0; rewrite -g10; apply: (increasing_from c0 (df := g2)) => z _; [exact: d2 | exact: g2pos].
have g0 c : 0 < g c by apply: Rdiv_lt_0_compat; [exact: exp_pos | exact: Dpos].
have above : 1 <= g v.
  have zero_exponent : expo 0 = 0 by rewrite /expo; ring.
  have e0 : g 0 = 1 by rewrite /g D0 zero_exponent exp_0; field.
  rewrite -e0; apply: (increasing_from v0 (df := fun c => g c * g1 c)) => z hz; first exact: d1.
  by apply: Rmult_le_pos; [left; exact: g0 | apply: g1pos; lra].
have -> : (1 - q) * exp (- q * v) + q * exp ((1 - q) * v) = exp (- q * v) * D v.
  by rewrite (_ : (1 - q) * v = - q * v + v) ?exp_plus /D; ring.
have split_exp : exp (v * v / 8) = exp (- q * v) * exp (expo v).
  by rewrite -exp_plus /expo; congr exp; field.
rewrite split_exp; apply: Rmult_le_compat_l; first by left; exact: exp_pos.
have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ (Dpos v)) above; rewrite Rmult_1_l /g.
by rewrite /Rdiv Rmult_assoc Rinv_l; [rewrite Rmult_1_r | have := Dpos v; lra].
Qed.

(* ---------------------------------------------------------------- Hoeffding's lemma *)

Section Space.
Variables (Omega : Type) (variable : (Omega -> R) -> Prop) (E : (Omega -> R) -> R).

(* What is used of a probability space: its bounded random variables, and their expectation, which is linear, monotone and
   right on constants. *)
Record expectation_of_bounded_variables : Prop := {
  variable_const : forall c, variable (fun _ => c);
  variable_add : forall X Y, variable X -> variable Y -> variable (fun w => X w + Y w);
  variable_scale : forall c X, variable X -> variable (fun w => c * X w);
  variable_exp : forall X, variable X -> variable (fun w => exp (X w));
  expectation_const : forall c, E (fun _ => c) = c;
  expectation_add : forall X Y, variable X -> variable Y -> E (fun w => X w + Y w) = E X + E Y;
  expectation_scale : forall c X, variable X -> E (fun w => c * X w) = c * E X;
  expectation_le : forall X Y, variable X -> variable Y -> (forall w, X w <= Y w) -> E X <= E Y
}.

Hypothesis space : expectation_of_bounded_variables.

Variables (X : Omega -> R) (lo hi : R).
Hypotheses (hX : variable X) (range : forall w, lo <= X w <= hi) (width : lo < hi).
Let m := E X.

Lemma expectation_range : lo <= m <= hi.
Proof.
split; [rewrite -(expectation_const space lo) | rewrite -(expectation_const space hi)]; apply: (expectation_le space) => //;
  try exact: (variable_const space); by move=> w; have := range w; lra.
Qed.

Lemma centred_variable t : variable (fun w => exp (t * (X w - m))).
Proof.
apply: (variable_exp space); apply: (variable_scale space).
exact: (variable_add space hX (variable_const space (- m))).
Qed.

(* Hoeffding's lemma. *)
Lemma exponential_moment_of_variable t : E (fun w => exp (t * (X w - m))) <= exp (t * t * ((hi - lo) * (hi - lo)) / 8).
Proof.
have mr := expectation_range; have w0 : 0 < hi - lo by lra.
pose p := (m - lo) / (hi - lo).
have p01 : 0 <= p <= 1 by apply: ratio_01; lra.
pose a := (hi * exp (t * (lo - m)) - lo * exp (t * (hi - m))) / (hi - lo).
pose b := (exp (t * (hi - m)) - exp (t * (lo - m))) / (hi - lo).
have hb : variable (fun w => b * X w) by exact: (variable_scale space).
have chord w : exp (t * (X w - m)) <= a + b * X w.
  have r := range w; pose s := (hi - X w) / (hi - lo).
  have s01 : 0 <= s <= 1 by apply: ratio_01; lra.
  have := exp_convex (t * (lo - m)) (t * (hi - m)) s01.
  rewrite (_ : s * (t * (lo - m)) + (1 - s) * (t * (hi - m)) = t * (X w - m)); last by rewrite /s; field; lra.
  by rewrite (_ : s * _ + (1 - s) * _ = a + b * X w) //; rewrite /s /a /b; field; lra.
apply: Rle_trans (expectation_le space (centred_variable t) (variable_add space (variable_const space a) hb) chord) _.
rewrite (expectation_add space (variable_const space a) hb) (expectation_const space) (expectation_scale space _ hX) -/m.
rewrite (_ : a + b * m = (1 - p) * exp (t * (lo - m)) + p * exp (t * (hi - m))); last by rewrite /a /b /p; field; lra.
have := bernoulli_exponential (t * (hi - lo)) p01.
rewrite (_ : - p * (t * (hi - lo)) = t * (lo - m)); last by rewrite /p; field; lra.
rewrite (_ : (1 - p) * (t * (hi - lo)) = t * (hi - m)); last by rewrite /p; field; lra.
by rewrite (_ : t * (hi - lo) * (t * (hi - lo)) = t * t * ((hi - lo) * (hi - lo))); [|ring].
Qed.
End Space.

Lemma indicator_in (Y : finType) (D : {set Y}) z : indicator (z \in D) = \sum_(y in D) indicator (z == y).
Proof.
rewrite {1}/indicator; case: ifP => hD.
  by rewrite (bigD1 z) //= /indicator eqxx big1 ?Rplus_0_r // => y /andP [_ ne]; rewrite eq_sym (negbTE ne).
by rewrite big1 // => y yD; rewrite /indicator; case: eqP => // ey; rewrite ey yD in hD.
Qed.

Lemma count_in (X : Type) (Y : finType) (next : X -> Y) (D : {set Y}) s :
  INR (count (fun o => next o \in D) s) = \sum_(y in D) INR (count (fun o => next o == y) s).
Proof.
elim: s => [|o s IH] /=; first by rewrite big1.
rewrite plus_INR IH (_ : INR (next o \in D) = indicator (next o \in D)); last by case: (next o \in D).
by rewrite indicator_in -sum_add; apply: eq_bigr => y _; rewrite plus_INR /indicator; case: (next o == y).
Qed.

Lemma indicator_exists (I : finType) (b : pred I) : indicator [exists i, b i] <= \sum_(i : I) indicator (b i) <= INR #|I|.
Proof.
have b01 i : 0 <= indicator (b i) <= 1 by rewrite /indicator; case: ifP; lra.
split; last by rewrite -[INR _]Rmult_1_r -sum_const; apply: sum_le => i _; case: (b01 i).
rewrite {1}/indicator; case: ifP => [/existsP [i hi]|_]; last by apply: sum_nonneg => i _; case: (b01 i).
by apply: Rle_trans (term_le_sum i (fun i => proj1 (b01 i))); rewrite hi /indicator; lra.
Qed.

(* ---------------------------------------------------------------- Draws from a finite law *)

Section Draws.
Variables (O : finType) (q : O -> R).
Hypothesis q_ok : probability q.

Lemma finite_space : expectation_of_bounded_variables (fun _ : O -> R => True) (mean q).
Proof.
split=> //; [by move=> c; exact: mean_of_const | by move=> X Y _ _; exact: mean_add | by move=> c X _; exact: mean_scale |].
by move=> X Y _ _; apply: mean_le; exact: (proj1 q_ok).
Qed.

Lemma mean_minus (f : O -> R) : mean q (fun o => - f o) = - mean q f.
Proof. by rewrite (mean_ext _ (g := fun o => -1 * f o)) ?mean_scale => [|o]; ring. Qed.

Definition total_of (f : O -> R) (s : seq O) : R := \sum_(o <- s) f o.

Lemma total_of_minus (f : O -> R) s : total_of (fun o => - f o) s = - total_of f s.
Proof. by rewrite /total_of; elim: s => [|o s IH]; [rewrite !sum_nil; ring | rewrite !sum_cons IH; ring]. Qed.

Lemma draws_size l s F G : (forall r, size r = (l + size s)%nat -> F r = G r) -> draws q l s F = draws q l s G.
Proof.
elim: l s => [|l IH] s h /=; first exact: h.
by apply: mean_ext => o; apply: IH => r hr; apply: h; rewrite hr /= addnS.
Qed.

Lemma draws_le l s F G : (forall s, F s <= G s) -> draws q l s F <= draws q l s G.
Proof. by move=> FG; elim: l s => [|l IH] s //=; apply: mean_le => [o|o]; [exact: (proj1 q_ok) | exact: IH]. Qed.

Lemma draws_either l s (b1 b2 : seq O -> bool) : draws q l s (fun s => indicator (b1 s || b2 s)) <=
  draws q l s (fun s => indicator (b1 s)) + draws q l s (fun s => indicator (b2 s)).
Proof.
rewrite -draws_add; apply: draws_le => r; rewrite /indicator; case: (b1 r) => /=; case: (b2 r); lra.
Qed.

Lemma draws_some (I : finType) l s (b : I -> seq O -> bool) p : (forall i, draws q l s (fun s => indicator (b i s)) <= p) ->
  draws q l s (fun s => indicator [exists i, b i s]) <= INR #|I| * p.
Proof.
move=> rare; rewrite -sum_const; apply: Rle_trans (_ : _ <= draws q l s (fun s => \sum_(i : I) indicator (b i s))) _.
  by apply: draws_le => r; case: (indicator_exists (b^~ r)).
by rewrite draws_sum; apply: sum_le => i _; exact: rare.
Qed.

(* Markov's inequality for exp(t (f(o_1) + ... + f(o_l))). *)
Lemma chernoff (f : O -> R) t psi a l (bad : seq O -> bool) : 0 <= t ->
  mean q (fun o => exp (t * (f o - mean q f))) <= exp psi ->
  (forall s, size s = l -> bad s -> INR l * mean q f + a <= total_of f s) ->
  draws q l [::] (fun s => indicator (bad s)) <= exp (INR l * psi - t * a).
Proof.
move=> t0 mg hbad; suff above k s : (size s + k = l)%nat -> draws q k s (fun s => indicator (bad s)) <=
    exp (t * (total_of f s - INR (size s) * mean q f - a) + INR k * psi).
  by apply: Rle_trans (above l [::] (add0n l)) _; rewrite /total_of sum_nil /=; apply: exp_le; lra.
elim: k s => [|k IH] s sz; rewrite [draws _ _ _ _]/=.
  rewrite addn0 in sz; rewrite [INR 0]/= /indicator; case: ifP => [b|_]; last by left; exact: exp_pos.
  by rewrite -{1}exp_0; apply: exp_le; have := Rmult_le_compat_l _ _ _ t0 (hbad s sz b); rewrite sz; lra.
set c := exp (t * (total_of f s - INR (size s) * mean q f - a) + INR k * psi).
apply: Rle_trans (_ : _ <= mean q (fun o => c * exp (t * (f o - mean q f)))) _.
  apply: (mean_mono q_ok) => o; apply: Rle_trans (IH _ _) _; first by rewrite -sz addnS.
  rewrite -exp_plus; apply: exp_le; apply: Req_le.
  by rewrite /total_of sum_cons -[size (o :: s)]/((size s).+1) S_INR; ring.
rewrite mean_scale S_INR; apply: Rle_trans (Rmult_le_compat_l _ _ _ (Rlt_le _ _ (exp_pos _)) mg) _.
by rewrite -exp_plus; apply: exp_le; lra.
Qed.

(* What deviates to either side. *)
Lemma both_sides (f : O -> R) a p l (bad : seq O -> bool) :
  (forall (g : O -> R) (b : seq O -> bool), g = f \/ g = (fun o => - f o) ->
    (forall s, size s = l -> b s -> INR l * mean q g + a <= total_of g s) -> draws q l [::] (fun s => indicator (b s)) <= p) ->
  (forall s, size s = l -> bad s -> a <= Rabs (total_of f s - INR l * mean q f)) ->
  draws q l [::] (fun s => indicator (bad s)) <= 2 * p.
Proof.
move=> one hbad; pose side s := if Rle_dec (INR l * mean q f) (total_of f s) then true else false.
apply: Rle_trans (_ : _ <= p + p) _; last lra.
have h1 := one f (fun s => bad s && side s) (or_introl erefl); have h2 := one _ (fun s => bad s && ~~ side s) (or_intror erefl).
apply: Rle_trans (Rplus_le_compat _ _ _ _ (h1 _) (h2 _)).
- by apply: Rle_trans (draws_either _ _ _ _); apply: draws_le => s; rewrite -andb_orr orbN andbT; lra.
- move=> s sz /andP [bs]; have := hbad s sz bs; rewrite /side; case: Rle_dec => // up h _.
  by rewrite Rabs_pos_eq in h; lra.
- move=> s sz /andP [bs]; have := hbad s sz bs; rewrite /side; case: Rle_dec => // /Rnot_le_lt down h _.
  by rewrite Rabs_left in h; [rewrite mean_minus total_of_minus; lra | lra].
Qed.

(* One side: the sum of l draws exceeds its mean by l e with probability at most exp(-2 l e^2 / (hi - lo)^2). *)
Lemma hoeffding_one_side (f : O -> R) (lo hi e : R) l (bad : seq O -> bool) : (forall o, lo <= f o <= hi) -> lo < hi -> 0 <= e ->
  (forall s, size s = l -> bad s -> INR l * mean q f + INR l * e <= total_of f s) ->
  draws q l [::] (fun s => indicator (bad s)) <= exp (- (2 * INR l * (e * e) / ((hi - lo) * (hi - lo)))).
Proof.
move=> range width e0 hbad; have w0 : 0 < (hi - lo) * (hi - lo) by apply: Rmult_lt_0_compat; lra.
pose t := 4 * e / ((hi - lo) * (hi - lo)); have t0 : 0 <= t by apply: Rdiv_le_0_compat; lra.
apply: Rle_trans (chernoff t0 (@exponential_moment_of_variable _ _ _ finite_space f lo hi I range width t) hbad) _.
by apply: exp_le; apply: Req_le; rewrite /t; field; lra.
Qed.

(* Hoeffding's inequality: the mean of l independent draws from a finite space, in an interval of length hi - lo,
   deviates from its expectation by at least e with probability at most 2 exp(-2 l e^2 / (hi - lo)^2).
   step of: cited:hoeffding conc:r/repair *)
Theorem hoeffding (f : O -> R) (lo hi e : R) l (bad : seq O -> bool) : (forall o, lo <= f o <= hi) -> lo < hi -> 0 <= e ->
  (forall s, size s = l -> bad s -> INR l * e <= Rabs (total_of f s - INR l * mean q f)) ->
  draws q l [::] (fun s => indicator (bad s)) <= 2 * exp (- (2 * INR l * (e * e) / ((hi - lo) * (hi - lo)))).
Proof.
move=> range width e0; apply: both_sides => g b cases.
have [lo' [hi' [r width']]] : exists lo' hi', (forall o, lo' <= g o <= hi') /\ hi' - lo' = hi - lo.
  by case: cases => ->; [exists lo, hi | exists (- hi), (- lo)]; split=> [o|]; have := range; try (move=> /(_ o)); lra.
by rewrite -width'; apply: hoeffding_one_side => //; lra.
Qed.

Lemma card_sets (Y : finType) : INR #|{set Y}| = 2 ^ #|Y|.
Proof.
have -> : #|{set Y}| = (2 ^ #|Y|)%nat by rewrite -(cardsT Y) -card_powerset powersetT cardsT.
by elim: #|Y| => [|n IH] //; rewrite expnS mult_INR IH.
Qed.

(* Weissman's inequality: the L1 distance of the empirical law of l draws to their law is at least e with probability at
   most 2^S exp(-l e^2 / 2), S being the number of outcomes.
   ledger: cited:weissman
   step of: conc:Q/repair *)
Theorem weissman (Y : finType) (next : O -> Y) (e : R) l (bad : seq O -> bool) : 0 <= e -> (0 < l)%nat ->
  (forall s, size s = l -> bad s ->
     e <= \sum_(y : Y) Rabs (INR (count (fun o => next o == y) s) / INR l - mean q (fun o => indicator (next o == y)))) ->
  draws q l [::] (fun s => indicator (bad s)) <= 2 ^ #|Y| * exp (- (INR l * (e * e) / 2)).
Proof.
move=> e0 l0 hbad; have lpos : 0 < INR l by apply: lt_0_INR; apply/ltP.
pose f (D : {set Y}) o := indicator (next o \in D).
have frange D o : 0 <= f D o <= 1 by rewrite /f /indicator; case: ifP; lra.
pose over (D : {set Y}) s := bad s && (if Rle_dec (INR l * mean q (f D) + INR l * (e / 2)) (total_of (f D) s) then true else false).
have h D : draws q l [::] (fun s => indicator (over D s)) <= exp (- (2 * INR l * (e / 2 * (e / 2)) / ((1 - 0) * (1 - 0)))).
  by apply: (hoeffding_one_side (frange D)) => [||s _ /andP [_]]; [lra | lra | case: Rle_dec].
have split_total D s : total_of (f D) s = \sum_(y in D) INR (count (fun o => next o == y) s).
  rewrite -(count_in next) /total_of; elim: s => [|o s IH]; first by rewrite sum_nil.
  by rewrite sum_cons IH /= plus_INR /f /indicator; case: (next o \in D).
have split_mean D : mean q (f D) = \sum_(y in D) mean q (fun o => indicator (next o == y)).
  by rewrite /mean exchange_big /=; apply: eq_bigr => o _; rewrite sum_scale /f indicator_in.
have cover s : size s = l -> bad s -> exists D, over D s.
  move=> sz b; pose emp y := INR (count (fun o => next o == y) s) / INR l.
  pose tru y := mean q (fun o => indicator (next o == y)).
  pose D := [set y | if Rle_dec (tru y) (emp y) then true else false].
  exists D; rewrite /over b /=; case: (Rle_dec _ _) => //; case.
  have one o : f setT o = 1 by rewrite /f inE.
  have all (F : Y -> R) : \sum_(y in setT) F y = \sum_(y : Y) F y by apply: eq_bigl => y; rewrite inE.
  have whole : total_of (f setT) s = INR l.
    rewrite /total_of -sz; elim: (s) => [|o r IH]; first by rewrite sum_nil.
    by rewrite sum_cons IH one -[size (o :: r)]/((size r).+1) S_INR; ring.
  have sums : \sum_(y : Y) (emp y - tru y) = 0.
    rewrite sum_sub sum_scale_r -!all -split_total -split_mean whole (mean_ext _ one) (mean_of_const _ q_ok); field; lra.
  have absplit : \sum_(y : Y) Rabs (emp y - tru y) = 2 * (\sum_(y in D) (emp y - tru y)) - \sum_(y : Y) (emp y - tru y).
    rewrite big_mkcond [in RHS]big_mkcond -sum_scale -sum_sub; apply: eq_bigr => y _ /=; rewrite inE.
    case: (Rle_dec (tru y) (emp y)) => d /=; first by rewrite Rabs_pos_eq; lra.
    by rewrite Rabs_left; lra.
  have big : e <= \sum_(y : Y) Rabs (emp y - tru y) by exact: hbad.
  rewrite absplit sums sum_sub in big.
  have e1 : \sum_(y in D) tru y = mean q (f D) by rewrite split_mean.
  have e2 : INR l * (\sum_(y in D) emp y) = total_of (f D) s.
    rewrite split_total -sum_scale; apply: eq_bigr => y _; rewrite /emp; field; lra.
  rewrite e1 in big; have := Rmult_le_compat_l (INR l) e _ (Rlt_le _ _ lpos) big; rewrite -e2; lra.
apply: Rle_trans (_ : _ <= draws q l [::] (fun s => indicator [exists D, over D s])) _.
  rewrite (@draws_size l [::] _ (fun s => indicator (bad s && (size s == l)))); last by move=> r ->; rewrite addn0 eqxx andbT.
  apply: draws_le => s; rewrite /indicator; case: ifP => [/andP [b /eqP sz]|_]; last by case: ifP; lra.
  by have /existsP h' := cover s sz b; rewrite h'; lra.
apply: Rle_trans (draws_some h) _; apply: Req_le.
by rewrite card_sets; congr (_ * exp _); field.
Qed.
End Draws.
