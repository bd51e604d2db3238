(* Tails of means of independent draws from a finite law, all by exponential moments: Bernstein's inequality with the constant 1/3,
   and the lower tail of the mean of a function X >= 0 with E X^2 <= b^2 E X, such as a square (v - E v)^2 of differences at most b. *)

From kernel Require Import Limits Sums Values Variance LocalVariance Concentration Laws Draws.

(* ---------------------------------------------------------------- Two inequalities for the exponential *)

(* The derivative of (a + b v + c v^2) e^(s v). *)
Lemma quadratic_exp_derive a b c s x :
  is_derive (fun v => (a + b * v + c * (v * v)) * exp (s * v)) x ((b + 2 * c * x + s * (a + b * x + c * (x * x))) * exp (s * x)).
Proof. by differentiate idtac; ring. Qed.

(* e^u <= 1 + u + u^2/2 for u <= 0. *)
Lemma exp_negative u : u <= 0 -> exp u <= 1 + u + u ^ 2 / 2.
Proof.
move=> u0; pose f v := (1 + -1 * v + / 2 * (v * v)) * exp (1 * v).
have h : f 0 <= f (- u).
  apply: (increasing_from _ (fun c _ => quadratic_exp_derive 1 (-1) (/ 2) 1 c)) => [|c _]; first lra.
  by apply: Rmult_le_pos; [have := Rle_0_sqr c; rewrite /Rsqr; lra | left; exact: exp_pos].
rewrite /f !Rmult_0_r exp_0 !Rmult_1_l in h; have e := exp_pos u.
have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ e) h; rewrite [X in _ <= X]Rmult_assoc -exp_plus Rplus_opp_l exp_0; lra.
Qed.

(* 1 + v + v^2/2 <= e^v for v >= 0. *)
Lemma exp_positive v : 0 <= v -> (1 + v + v * v / 2) * exp (- v) <= 1.
Proof.
move=> v0; pose f v := (-1 + -1 * v + - / 2 * (v * v)) * exp (-1 * v).
have h : f 0 <= f v.
  apply: (increasing_from v0 (fun c _ => quadratic_exp_derive (-1) (-1) (- / 2) (-1) c)) => c _.
  by apply: Rmult_le_pos; [have := Rle_0_sqr c; rewrite /Rsqr; lra | left; exact: exp_pos].
by rewrite /f !Rmult_0_r exp_0 (_ : -1 * v = - v) in h; [lra | ring].
Qed.

(* (1 - v/3) e^v <= 1 + 2v/3 + v^2/6 for v >= 0. *)
Lemma exp_fraction v : 0 <= v -> (1 - v / 3) * exp v <= 1 + 2 * v / 3 + v * v / 6.
Proof.
move=> v0; pose f v := (1 + 2 / 3 * v + / 6 * (v * v)) * exp (-1 * v) + (/ 3 * v).
pose df c := (2 / 3 + 2 * / 6 * c + -1 * (1 + 2 / 3 * c + / 6 * (c * c))) * exp (-1 * c) + / 3.
have der c : is_derive f c (df c) by rewrite /f /df; differentiate idtac; field.
have h : f 0 <= f v.
  apply: (increasing_from v0 (fun c _ => der c)) => c [c0 _].
  by have := exp_positive c0; rewrite /df (_ : -1 * c = - c); [lra | ring].
rewrite /f !Rmult_0_r exp_0 (_ : -1 * v = - v) in h; last by ring.
have e := exp_pos v; have h' : 1 - v / 3 <= (1 + 2 * v / 3 + v * v / 6) * exp (- v) by lra.
have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ e) h'.
by rewrite Rmult_assoc -exp_plus Rplus_opp_l exp_0; lra.
Qed.

(* e^u <= 1 + u + u^2/(2 (1 - b/3)) for u <= b < 3. *)
Lemma exp_at_most u b : 0 <= b < 3 -> u <= b -> exp u <= 1 + u + u ^ 2 / (2 * (1 - b / 3)).
Proof.
move=> [b0 b3] ub; have sq := pow2_ge_0 u; have d0 : 0 < 2 * (1 - b / 3) by lra.
case: (Rle_dec u 0) => [neg|/Rnot_le_lt pos].
  apply: Rle_trans (exp_negative neg) _; apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //.
  by apply: Rinv_le_contravar; lra.
apply: Rle_trans (_ : _ <= 1 + u + u ^ 2 / (2 * (1 - u / 3))) _; last first.
  apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //; apply: Rinv_le_contravar; lra.
have f := exp_fraction (Rlt_le _ _ pos); have p : 0 < 1 - u / 3 by lra.
apply: (Rmult_le_reg_l (1 - u / 3)) => //; apply: Rle_trans f _; apply: Req_le; field; lra.
Qed.

(* ---------------------------------------------------------------- Exponential moments of draws *)

Section Draws.
Variables (O : finType) (q : O -> R).
Hypothesis q_ok : probability q.
Notation law := (finite_law q_ok).

(* A function without variance is its mean, but for what has no probability. *)
Lemma no_variance f t : variance q f = 0 -> mean q (fun o => exp (t * (f o - mean q f))) = 1.
Proof.
rewrite (variance_square q_ok) => z; rewrite -(mean_of_const 1 q_ok); apply: eq_bigr => o _.
have q0 := proj1 q_ok; have h : q o * (f o - mean q f) ^ 2 = 0.
  apply: Rle_antisym; last by apply: Rmult_le_pos => //; exact: pow2_ge_0.
  by rewrite -z; apply: (term_le_sum o (f := fun o => q o * (f o - mean q f) ^ 2)) => i; apply: Rmult_le_pos => //; exact: pow2_ge_0.
case: (Rmult_integral _ _ h) => [->|sq]; first by ring.
have -> : f o - mean q f = 0 by nra.
by rewrite Rmult_0_r exp_0.
Qed.

Lemma chernoff_mean (f : O -> R) t psi a l (bad : seq O -> bool) : 0 <= t -> mean q (fun o => exp (t * (f o - mean q f))) <= exp psi ->
  (forall s, size s = l -> bad s -> INR l * mean q f + a <= total_of f s) ->
  draws law l [::] (fun s => indicator (bad s)) <= exp (INR l * psi - t * a).
Proof. exact: (chernoff (q := law) (finite_bounded f)). Qed.

(* Bernstein's inequality, one side: where f exceeds its mean by at most b, the sum of l draws exceeds its mean by
   sqrt(2 l Var(f) lam) + b lam/3 with probability at most e^(-lam). *)
Lemma bernstein_one_side (f : O -> R) b lam l (bad : seq O -> bool) : 0 < b -> 0 <= lam -> (0 < l)%nat ->
  (forall o, f o - mean q f <= b) ->
  (forall s, size s = l -> bad s -> INR l * mean q f + (sqrt (2 * (INR l * variance q f) * lam) + b * lam / 3) <= total_of f s) ->
  draws law l [::] (fun s => indicator (bad s)) <= exp (- lam).
Proof.
move=> b0 lam0 l0 range hbad; have lpos : 0 < INR l by apply: lt_0_INR; apply/ltP.
have v0 := variance_nonneg q_ok f; set v := variance q f in v0 hbad.
case: (Rle_lt_or_eq_dec _ _ v0) => [vpos|vz]; last first.
  apply: Rle_trans (@chernoff_mean f (3 / b) 0 (b * lam / 3) l bad _ _ _) _.
  - by apply: Rcomplements.Rdiv_le_0_compat; lra.
  - by rewrite exp_0 no_variance; [lra | rewrite -/v].
  - move=> s sz bs; have := hbad s sz bs; rewrite -vz !Rmult_0_r Rmult_0_l sqrt_0; lra.
  by apply: exp_le; apply: Req_le; field; lra.
have nu0 : 0 < INR l * v by exact: Rmult_lt_0_compat.
set nu := INR l * v in nu0 hbad; pose w := sqrt (2 * lam / nu); have w0 : 0 <= w by exact: sqrt_pos.
have ww : w * w = 2 * lam / nu by apply: sqrt_sqrt; apply: Rcomplements.Rdiv_le_0_compat; lra.
have root : sqrt (2 * nu * lam) = w * nu.
  have wn : 0 <= w * nu by apply: Rmult_le_pos; lra.
  by rewrite -(sqrt_square (w * nu)) //; congr sqrt; rewrite (_ : w * nu * (w * nu) = w * w * nu * nu); [rewrite ww; field; lra | ring].
pose D := 1 + b / 3 * w; have D1 : 1 <= D by have : 0 <= b / 3 * w by [apply: Rmult_le_pos; lra]; rewrite /D; lra.
have bw : b * w = 3 * (D - 1) by rewrite /D; field.
clearbody D; pose t := w / D; have t0 : 0 <= t by apply: Rcomplements.Rdiv_le_0_compat; lra.
have tb : t * b = 3 * (1 - / D) by rewrite (_ : t * b = b * w / D); [rewrite bw; field; lra | rewrite /t; field; lra].
have iD : 0 < / D by apply: Rinv_0_lt_compat; lra.
have iD1 : / D <= 1 by rewrite -Rinv_1; apply: Rinv_le_contravar; lra.
apply: Rle_trans (@chernoff_mean f t (t ^ 2 * v * D / 2) (w * nu + b * lam / 3) l bad t0 _ _) _.
- apply: Rle_trans (_ : _ <= mean q (fun o => 1 + (t * (f o - mean q f) + t ^ 2 * D / 2 * (f o - mean q f) ^ 2))) _.
    apply: mean_le => [|o]; first exact: (proj1 q_ok).
    apply: Rle_trans (@exp_at_most _ (t * b) _ _) _; [rewrite tb; lra | by apply: Rmult_le_compat_l; [exact: t0 | exact: range] |].
    by apply: Req_le; rewrite tb; field; lra.
  rewrite !mean_add !mean_scale mean_sub !(mean_of_const _ q_ok) -(variance_square q_ok) -/v.
  by apply: Rle_trans (exp_tangent _); apply: Req_le; field.
- by move=> s sz bs; have := hbad s sz bs; rewrite root; lra.
apply: exp_le; apply: Req_le.
have e : INR l * (t ^ 2 * v * D / 2) = lam / D.
  rewrite (_ : INR l * _ = (w * w) * nu / (2 * D)); last by rewrite /t /nu; field; lra.
  by rewrite ww; field; lra.
rewrite e (_ : t * (w * nu + b * lam / 3) = ((w * w) * nu + b / 3 * w * lam) / D); last by rewrite /t; field; lra.
rewrite ww (_ : 2 * lam / nu * nu = 2 * lam); last by field; lra.
rewrite (_ : b / 3 * w = D - 1); last by lra.
by field; lra.
Qed.

Lemma mean_opp (f : O -> R) : mean q (fun o => - f o) = - mean q f.
Proof. exact: (E_opp law (finite_bounded f)). Qed.

Lemma variance_opp (f : O -> R) : variance q (fun o => - f o) = variance q f.
Proof. by rewrite /variance mean_opp (mean_ext _ (g := fun o => f o ^ 2)) => [|o]; ring. Qed.

(* Both sides. *)
Lemma bernstein (f : O -> R) b lam l (bad : seq O -> bool) : 0 < b -> 0 <= lam -> (0 < l)%nat ->
  (forall o, Rabs (f o - mean q f) <= b) ->
  (forall s, size s = l -> bad s -> sqrt (2 * (INR l * variance q f) * lam) + b * lam / 3 <= Rabs (total_of f s - INR l * mean q f)) ->
  draws law l [::] (fun s => indicator (bad s)) <= 2 * exp (- lam).
Proof.
move=> b0 lam0 l0 range; apply: (both_sides (q := law) (finite_bounded f)) => g bad' cases h; apply: (@bernstein_one_side g b lam l) => //.
- by move=> o; have := range o; case: cases => ->; rewrite ?mean_opp; split_Rabs; lra.
- by case: cases h => -> h s sz bs; rewrite ?variance_opp; exact: h.
Qed.

(* The lower tail of X >= 0 with E X^2 <= b^2 E X: the sum of l draws is below its mean by more than b sqrt(2 l E X lam) with
   probability at most e^(-lam). *)
Lemma lower_tail (X : O -> R) b lam l (bad : seq O -> bool) : 0 < b -> 0 <= lam -> (0 < l)%nat -> (forall o, 0 <= X o) ->
  mean q (fun o => X o ^ 2) <= b ^ 2 * mean q X ->
  (forall s, size s = l -> bad s -> total_of X s + b * sqrt (2 * (INR l * mean q X) * lam) < INR l * mean q X) ->
  draws law l [::] (fun s => indicator (bad s)) <= exp (- lam).
Proof.
move=> b0 lam0 l0 X0 square hbad; have lpos : 0 < INR l by apply: lt_0_INR; apply/ltP.
have v0 : 0 <= mean q X by apply: mean_nonneg => // o; exact: (proj1 q_ok).
set v := mean q X in v0 square hbad; case: (Rle_lt_or_eq_dec _ _ v0) => [vpos|vz]; last first.
  apply: Rle_trans (@chernoff_mean (fun _ => 0) 1 0 lam l bad _ _ _) _; first lra.
  - by rewrite !(mean_of_const _ q_ok); apply: exp_le; lra.
  - move=> s sz bs; have := hbad s sz bs; rewrite -vz !Rmult_0_r Rmult_0_l sqrt_0 => lt.
    have t0 : 0 <= total_of X s by apply: sum_nonneg => o _; exact: X0.
    by lra.
  by apply: exp_le; lra.
have nu0 : 0 < INR l * v by exact: Rmult_lt_0_compat.
pose w := sqrt (2 * lam / (INR l * v)); have w0 : 0 <= w by exact: sqrt_pos.
have ww : w * w = 2 * lam / (INR l * v) by apply: sqrt_sqrt; apply: Rcomplements.Rdiv_le_0_compat; lra.
have root : sqrt (2 * (INR l * v) * lam) = w * (INR l * v).
  have wn : 0 <= w * (INR l * v) by apply: Rmult_le_pos; lra.
  by rewrite -(sqrt_square (w * _)) //; congr sqrt; rewrite (_ : _ * _ * (w * _) = w * w * (INR l * v) * (INR l * v)); [rewrite ww; field; lra | ring].
pose t := w / b; have t0 : 0 <= t by apply: Rcomplements.Rdiv_le_0_compat; lra.
apply: Rle_trans (@chernoff_mean (fun o => - X o) t (t ^ 2 * b ^ 2 * v / 2) (b * (w * (INR l * v))) l bad t0 _ _) _.
- rewrite mean_opp -/v; apply: Rle_trans (_ : _ <= exp (t * v) * mean q (fun o => 1 + (- t * X o + t ^ 2 / 2 * X o ^ 2))) _.
    rewrite -mean_scale; apply: mean_le => [|o]; first exact: (proj1 q_ok).
    rewrite (_ : t * (- X o - - v) = t * v + - t * X o); last by ring.
    rewrite exp_plus; apply: Rmult_le_compat_l; first by left; exact: exp_pos.
    apply: Rle_trans (@exp_negative (- t * X o) _) _; first by have := Rmult_le_pos _ _ t0 (X0 o); lra.
    by apply: Req_le; field.
  rewrite (_ : t ^ 2 * b ^ 2 * v / 2 = t * v + (- t * v + t ^ 2 / 2 * (b ^ 2 * v))); last by field.
  rewrite [X in _ <= X]exp_plus; apply: Rmult_le_compat_l; first by left; exact: exp_pos.
  apply: Rle_trans (exp_tangent _); rewrite !mean_add !mean_scale (mean_of_const _ q_ok) -/v.
  by nra.
- by move=> s sz bs; have := hbad s sz bs; rewrite mean_opp total_of_opp -/v root; lra.
apply: exp_le; apply: Req_le.
rewrite (_ : INR l * _ - _ = (w * w) * (INR l * v) / 2 - (w * w) * (INR l * v)); last by rewrite /t; field; lra.
by rewrite ww; field; lra.
Qed.
End Draws.
