(* Hoeffding's inequality for independent draws of a law: how many there are is fixed, the function is bounded. *)

From kernel Require Import Prelude Sums Concentration Hoeffding Laws.

Section Draws.
Variables (O : Type) (q : law_on O) (f : O -> R) (lo hi : R).
Hypotheses (range : forall o, lo <= f o <= hi) (width : lo < hi).
Let m := q f.
Let w := hi - lo.
Fixpoint off (s : seq O) : R := if s is o :: s' then (f o - m) + off s' else 0.   (* what s adds up to, less its mean *)
Let bf : bounded f. Proof. by exists (Rabs lo + Rabs hi) => o; have := range o; split_Rabs; lra. Qed.
Let m_range : lo <= m <= hi. Proof. exact: (expectation_range (E_space q) bf range). Qed.

Lemma off_abs s : Rabs (off s) <= INR (size s) * w.
Proof.
elim: s => [|o s IH]; first by rewrite /= Rabs_R0; lra.
have e : INR (size (o :: s)) * w = w + INR (size s) * w by rewrite -[size _]/((size s).+1) S_INR; ring.
rewrite e; apply: Rle_trans (Rabs_triang _ _) _; apply: Rplus_le_compat IH.
by apply: Rabs_le; have := range o; have := m_range; rewrite /w; lra.
Qed.

Lemma exponential_abs t s : Rabs (exp (t * off s)) <= exp (Rabs t * (INR (size s) * w)).
Proof.
rewrite Rabs_pos_eq; last by left; exact: exp_pos.
apply: exp_le; apply: Rle_trans (Rle_abs _) _; rewrite Rabs_mult.
by apply: Rmult_le_compat_l (off_abs s); exact: Rabs_pos.
Qed.

Lemma moment t l s : draws q l s (fun s => exp (t * off s)) <= exp (t * off s) * exp (INR l * (t * t * (w * w) / 8)).
Proof.
elim: l s => [|l IH] s; first by rewrite Rmult_0_l exp_0 /=; lra.
pose c := exp (t * off s) * exp (INR l * (t * t * (w * w) / 8)).
have b : bounded (fun o => exp (t * (f o - m))).
  by apply: (variable_exp (E_space q)); apply: bounded_scale; apply: bounded_add => //; exact: by_const.
have e o : exp (t * off (o :: s)) * exp (INR l * (t * t * (w * w) / 8)) = c * exp (t * (f o - m)).
  by rewrite /c /= Rmult_plus_distr_l exp_plus; ring.
rewrite [draws _ _ _ _]/=; apply: Rle_trans (_ : _ <= q (fun o => c * exp (t * (f o - m)))) _.
  apply: E_le => [||o]; [| exact: bounded_scale | by rewrite -e; exact: IH].
  exists (exp (Rabs t * (INR (l + (size s).+1) * w))) => o; apply: draws_abs => s' <-; exact: exponential_abs.
rewrite E_scale // S_INR (_ : (INR l + 1) * _ = INR l * (t * t * (w * w) / 8) + t * t * (w * w) / 8); last ring.
rewrite exp_plus -Rmult_assoc -/c; apply: Rmult_le_compat_l.
  by rewrite /c; left; apply: Rmult_lt_0_compat; exact: exp_pos.
exact: (exponential_moment_of_variable (E_space q) bf range width t).
Qed.

(* P(sum of l draws - l m >= u) <= exp(-2 u^2/(l w^2)). *)
Theorem hoeffding_draws l u : (1 <= l)%nat -> 0 <= u ->
  draws q l [::] (fun s => indicator (if Rle_dec u (off s) then true else false)) <= exp (- (2 * (u * u) / (INR l * (w * w)))).
Proof.
move=> /leP l1 u0; have L : 0 < INR l by apply: lt_0_INR.
have w0 : 0 < w by rewrite /w; lra.
pose t := 4 * u / (INR l * (w * w)).
have p : 0 < INR l * (w * w) by apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat.
have t0 : 0 <= t by rewrite /t; apply: Rcomplements.Rdiv_le_0_compat; lra.
pose C := 1 + exp (- (t * u)) * exp (Rabs t * (INR l * w)).
have E0 := exp_pos (- (t * u)); have E1 := exp_pos (Rabs t * (INR l * w)).
apply: Rle_trans (_ : _ <= draws q l [::] (fun s => exp (- (t * u)) * exp (t * off s))) _.
  apply: (@draws_le _ q _ _ _ _ C) => s; rewrite addn0 => sz; have es := exponential_abs t s; rewrite sz in es.
  have x0 := exp_pos (t * off s); have pr := Rmult_lt_0_compat _ _ E0 E1.
  split; [|split].
  - by rewrite /indicator /C; case: Rle_dec => _ /=; rewrite ?Rabs_R1 ?Rabs_R0; lra.
  - rewrite Rabs_mult (Rabs_pos_eq (exp (- _))); last lra.
    by have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ E0) es; rewrite /C; lra.
  - rewrite -exp_plus /indicator; case: Rle_dec => h /=; last by left; exact: exp_pos.
    by rewrite -exp_0; apply: exp_le; have := Rmult_le_compat_l _ _ _ t0 h; lra.
have scale c F l' s : (forall s', Rabs (F s') <= exp (Rabs t * (INR (size s') * w))) -> draws q l' s (fun s' => c * F s') = c * draws q l' s F.
  move=> FC; elim: l' s => [|l' IH] s //=; rewrite -E_scale; first by apply: E_ext => o; exact: IH.
  by exists (exp (Rabs t * (INR (l' + (size s).+1) * w))) => o; apply: draws_abs => s' <-; exact: FC.
rewrite scale; last by move=> s; exact: exponential_abs.
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ E0) (moment t l [::]); rewrite /= Rmult_0_r exp_0 Rmult_1_l -exp_plus.
rewrite (_ : - (t * u) + _ = - (2 * (u * u) / (INR l * (w * w)))) //; rewrite /t; field; split; lra.
Qed.
End Draws.
