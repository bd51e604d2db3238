(* Indicators, the exponential function without a library's tactic, and Hoeffding's lemma for any expectation. *)

From kernel Require Import Limits Sums.

Definition indicator (b : bool) : R := if b then 1 else 0.

Lemma indicator01 b : 0 <= indicator b <= 1. Proof. by rewrite /indicator; case: b; lra. Qed.
Lemma indicator_nonneg b : 0 <= indicator b. Proof. by case: (indicator01 b). Qed.
Lemma indicator_abs b : Rabs (indicator b) <= 1. Proof. by rewrite Rabs_pos_eq; case: (indicator01 b). Qed.
Lemma indicator_le (b b' : bool) : (b -> b') -> indicator b <= indicator b'.
Proof. by rewrite /indicator; case: b => [->|_] //; [lra | case: b'; lra]. Qed.

(* ---------------------------------------------------------------- Exponentials *)

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
split; last by rewrite -[INR _]Rmult_1_r -sum_const; apply: sum_le => i _; case: (indicator01 (b i)).
rewrite {1}/indicator; case: ifP => [/existsP [i hi]|_]; last by apply: sum_nonneg => i _; exact: indicator_nonneg.
by apply: Rle_trans (term_le_sum i (fun i => indicator_nonneg (b i))); rewrite hi /indicator; lra.
Qed.

Lemma card_sets (Y : finType) : INR #|{set Y}| = 2 ^ #|Y|.
Proof.
have -> : #|{set Y}| = (2 ^ #|Y|)%nat by rewrite -(cardsT Y) -card_powerset powersetT cardsT.
by elim: #|Y| => [|n IH] //; rewrite expnS mult_INR IH.
Qed.
