(* Hoeffding's inequality for independent draws of a law: how many there are is fixed, the function is bounded. *)

From kernel Require Import Prelude Sums Concentration Episodes Laws.

Section Draws.
Variables (O : Type) (q : law_on O) (f : O -> R) (lo hi : R).
Hypotheses (range : forall o, lo <= f o <= hi) (width : lo < hi).
Let m := q f.
Let w := hi - lo.
Fixpoint off (s : seq O) : R := if s is o :: s' then (f o - m) + off s' else 0.   (* what s adds up to, less its mean *)
Let bf : bounded f. Proof. by exists (Rabs lo + Rabs hi) => o; have := range o; split_Rabs; lra. Qed.

(* Markov's inequality for exp(t (f(o_1) + ... + f(o_l))). *)
Lemma moment t u l s : 0 <= t -> draws q l s (fun s => indicator (if Rle_dec u (off s) then true else false)) <=
  exp (t * (off s - u)) * exp (INR l * (t * t * (w * w) / 8)).
Proof.
move=> t0; elim: l s => [|l IH] s.
  rewrite /= Rmult_0_l exp_0 Rmult_1_r /indicator; case: Rle_dec => h /=; last by left; exact: exp_pos.
  by rewrite -exp_0; apply: exp_le; apply: Rmult_le_pos; lra.
pose c := exp (t * (off s - u)) * exp (INR l * (t * t * (w * w) / 8)).
have b : bounded (fun o => exp (t * (f o - m))).
  by apply: (variable_exp (E_space q)); apply: bounded_scale; apply: bounded_add => //; exact: by_const.
have e o : exp (t * (off (o :: s) - u)) * exp (INR l * (t * t * (w * w) / 8)) = c * exp (t * (f o - m)).
  by rewrite /c /= (_ : t * _ = t * (off s - u) + t * (f o - m)); [rewrite exp_plus | ]; ring.
apply: Rle_trans (_ : _ <= q (fun o => c * exp (t * (f o - m)))) _.
  apply: (E_le q) => [||o]; [| exact: bounded_scale | by rewrite -e; exact: IH].
  by exists 1 => o; apply: E_abs => r; exact: indicator_abs.
rewrite E_scale // S_INR Rmult_plus_distr_r Rmult_1_l exp_plus -Rmult_assoc -/c; apply: Rmult_le_compat_l.
  by left; apply: Rmult_lt_0_compat; exact: exp_pos.
exact: (exponential_moment_of_variable (E_space q) bf range width t).
Qed.

(* P(sum of l draws - l m >= u) <= exp(-2 u^2/(l w^2)). *)
Theorem hoeffding_draws l u : (1 <= l)%nat -> 0 <= u ->
  draws q l [::] (fun s => indicator (if Rle_dec u (off s) then true else false)) <= exp (- (2 * (u * u) / (INR l * (w * w)))).
Proof.
move=> /leP l1 u0; have L : 0 < INR l by apply: lt_0_INR.
have p : 0 < INR l * (w * w) by apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat; rewrite /w; lra.
pose t := 4 * u / (INR l * (w * w)).
have t0 : 0 <= t by apply: Rcomplements.Rdiv_le_0_compat; lra.
apply: Rle_trans (moment u l [::] t0) _; rewrite -exp_plus; apply: exp_le; apply: Req_le.
by rewrite /t /=; field; rewrite /w; split; lra.
Qed.
End Draws.
