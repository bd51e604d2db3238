(* What can go wrong with the row of one cell after l of its activations, at a logarithm lam: the frequencies of sets of next states,
   and for finitely many fixed functions of the next state, between 0 and B, their means (by Bernstein and by Hoeffding) and their
   mean squares. It does so with probability at most (5 G + 1) e^(-lam), G the number of functions; and where it does not, each mean is within sqrt 2 sd r + (10/3) B r^2 of the true one, r = sqrt(lam/l), sd the *estimated* deviation. *)

From kernel Require Import Limits Sums Values Variance LocalVariance Concentration Events Laws Draws Tails.

Section Totals.
Variables (O : Type).
Implicit Types (f g : O -> R) (s : seq O).

(* The mean of f over what was observed. *)
Definition average f (l : nat) s : R := total_of f s / INR l.

Lemma average_squares f c l s : size s = l -> (0 < l)%nat ->
  average (fun o => (f o - c) ^ 2) l s = average (fun o => f o ^ 2) l s - average f l s ^ 2 + (average f l s - c) ^ 2.
Proof.
move=> sz l0; have lpos : 0 < INR l by apply: lt_0_INR; apply/ltP.
have e : total_of (fun o => (f o - c) ^ 2) s = total_of (fun o => f o ^ 2) s - 2 * c * total_of f s + c ^ 2 * INR l.
  rewrite -sz /total_of; elim: (s) => [|o r IH]; first by rewrite !sum_nil /=; ring.
  by rewrite !sum_cons IH -[size (o :: r)]/((size r).+1) S_INR; ring.
by rewrite /average e; field; lra.
Qed.

Definition average_variance f l s : R := average (fun o => f o ^ 2) l s - average f l s ^ 2.

Lemma average_variance_nonneg f l s : size s = l -> (0 < l)%nat -> 0 <= average_variance f l s.
Proof.
move=> sz l0; have lpos : 0 < INR l by apply: lt_0_INR; apply/ltP.
have := average_squares f (average f l s) sz l0; rewrite Rminus_eq_0 => e.
have : 0 <= average (fun o => (f o - average f l s) ^ 2) l s.
  apply: Rmult_le_pos; last by left; exact: Rinv_0_lt_compat.
  by apply: sum_nonneg => o _; exact: pow2_ge_0.
by rewrite e /average_variance; lra.
Qed.
End Totals.

Section Cell.
Variables (S : finType) (q : S -> R).   (* the law of the next state *)
Hypothesis q_ok : probability q.
Notation law := (finite_law q_ok).
Variables (B : R) (G : nat) (v : nat -> S -> R).
Hypotheses (B_pos : 0 < B) (range : forall j y, (j < G)%nat -> 0 <= v j y <= B).
Variables (lam lam_sets : R) (l : nat).

Notation into Y := (fun y => indicator (y \in Y)).

(* What was observed leaves its radius around the true means and variances. *)
Definition sets_off (s : seq S) : bool :=
  [exists Y : {set S}, above (sqrt (lam_sets / (2 * INR l))) (average (into Y) l s - mean q (into Y))].
Definition mean_off (f : S -> R) (s : seq S) : bool :=
  above (sqrt (2 * variance q f * lam / INR l) + B * lam / (3 * INR l)) (Rabs (average f l s - mean q f)).
Definition mean_far (f : S -> R) (s : seq S) : bool := above (B * sqrt (lam / (2 * INR l))) (Rabs (average f l s - mean q f)).
Definition squares_low (f : S -> R) (s : seq S) : bool :=
  above (average (fun o => (f o - mean q f) ^ 2) l s + B * sqrt (2 * variance q f * lam / INR l)) (variance q f).
Definition values_off (s : seq S) : bool :=
  [exists j : 'I_G, [|| mean_off (v j) s, mean_far (v j) s | squares_low (v j) s]].
Definition cell_off (s : seq S) : bool := sets_off s || values_off s.

Hypotheses (lam_nonneg : 0 <= lam) (l_pos : (0 < l)%nat).
Let lpos : 0 < INR l. Proof. by apply: lt_0_INR; apply/ltP. Qed.

Let average_off f s : INR l * (average f l s - mean q f) = total_of f s - INR l * mean q f.
Proof. by rewrite /average; field; lra. Qed.

Lemma sets_off_rarely : 0 <= lam_sets -> draws law l [::] (fun s => indicator (sets_off s)) <= 2 ^ #|S| * exp (- lam_sets).
Proof.
move=> ls0; pose e := sqrt (lam_sets / (2 * INR l)); have e0 : 0 <= e by exact: sqrt_pos.
apply: Rle_trans (@sets_rarely _ law S id e l (fun Y s => above e (average (into Y) l s - mean q (into Y))) e0 _) _.
  by move=> Y s _ /aboveP h; have := average_off (into Y) s; have := Rmult_lt_compat_l _ _ _ lpos h; rewrite /=; lra.
apply: Req_le; congr (_ * exp (- _)).
by rewrite /e sqrt_sqrt; [field; lra | apply: Rcomplements.Rdiv_le_0_compat; lra].
Qed.

Section OneFunction.
Variable f : S -> R.
Hypothesis f_range : forall o, 0 <= f o <= B.

Let mean_f : 0 <= mean q f <= B.
Proof. exact: (E_range law f_range). Qed.

Let near o : Rabs (f o - mean q f) <= B.
Proof. by have := f_range o; have := mean_f; split_Rabs; lra. Qed.

Let scaled : INR l * sqrt (2 * variance q f * lam / INR l) = sqrt (2 * (INR l * variance q f) * lam).
Proof.
have v0 := variance_nonneg q_ok f; rewrite -{1}(sqrt_square (INR l)); last lra.
rewrite -sqrt_mult; [congr sqrt; field; lra | nra |].
by apply: Rcomplements.Rdiv_le_0_compat; [apply: Rmult_le_pos; lra | lra].
Qed.

Lemma mean_off_rarely : draws law l [::] (fun s => indicator (mean_off f s)) <= 2 * exp (- lam).
Proof.
apply: (@bernstein S q q_ok f B lam l) => // s _ /aboveP h.
rewrite -average_off Rabs_mult (Rabs_pos_eq (INR l)); last lra.
have := Rmult_lt_compat_l _ _ _ lpos h; rewrite Rmult_plus_distr_l scaled.
by rewrite (_ : INR l * (B * lam / _) = B * lam / 3); [lra | field; lra].
Qed.

Lemma squares_rarely : draws law l [::] (fun s => indicator (squares_low f s)) <= exp (- lam).
Proof.
apply: (@lower_tail S q q_ok (fun o => (f o - mean q f) ^ 2) B lam l) => // [o||s _ /aboveP h]; first exact: pow2_ge_0.
  rewrite -mean_scale; apply: mean_le => [|o]; first exact: (proj1 q_ok).
  have n := near o; have n0 := Rabs_pos (f o - mean q f); have sq : (f o - mean q f) ^ 2 <= B ^ 2.
    by rewrite -(pow2_abs (f o - mean q f)); apply: pow_incr; lra.
  rewrite (_ : ((f o - mean q f) ^ 2) ^ 2 = (f o - mean q f) ^ 2 * (f o - mean q f) ^ 2); last by ring.
  by apply: Rmult_le_compat_r => //; exact: pow2_ge_0.
rewrite -(variance_square q_ok) -scaled; have := Rmult_lt_compat_l _ _ _ lpos h; rewrite Rmult_plus_distr_l.
rewrite (_ : INR l * average _ l s = total_of (fun o => (f o - mean q f) ^ 2) s); last by rewrite /average; field; lra.
by lra.
Qed.

(* Where nothing goes wrong: the true deviation is at most the estimated one and (3/sqrt 2) B r, and so the mean is near. *)
Variable s : seq S.
Hypotheses (sz : size s = l) (fine : ~~ [|| mean_off f s, mean_far f s | squares_low f s]).
Let r := sqrt (lam / INR l).
Let sd := sqrt (variance q f).
Let sd_hat := sqrt (average_variance f l s).

Let r0 : 0 <= r. Proof. exact: sqrt_pos. Qed.
Let rr : r ^ 2 = lam / INR l.
Proof. by rewrite /= Rmult_1_r; apply: sqrt_sqrt; apply: Rcomplements.Rdiv_le_0_compat; lra. Qed.
Let root2 : sqrt 2 * sqrt 2 = 2. Proof. by apply: sqrt_sqrt; lra. Qed.
Let root2_pos : 0 < sqrt 2. Proof. by apply: sqrt_lt_R0; lra. Qed.

Let root_variance : sqrt (2 * variance q f * lam / INR l) = sqrt 2 * sd * r.
Proof.
have v0 := variance_nonneg q_ok f; rewrite (_ : 2 * _ * lam / INR l = 2 * variance q f * (lam / INR l)); last by field; lra.
have x0 : 0 <= lam / INR l by apply: Rcomplements.Rdiv_le_0_compat; lra.
by rewrite (sqrt_mult (2 * variance q f) (lam / INR l)) ?(sqrt_mult 2 (variance q f)) //; lra.
Qed.

Let half_root : sqrt (lam / (2 * INR l)) = r / sqrt 2.
Proof.
by rewrite /r -sqrt_div_alt; [congr sqrt; field; lra | lra].
Qed.

Lemma deviation_from_estimate : sd <= sd_hat + 3 / sqrt 2 * B * r.
Proof.
have /norP [_ /norP [far low]] := fine; move: far low.
rewrite /mean_far /squares_low; case: aboveP => // /Rnot_lt_le far _; case: aboveP => // /Rnot_lt_le low _.
rewrite root_variance (average_squares f _ sz l_pos) -/(average_variance f l s) in low; rewrite half_root in far.
have v0 := variance_nonneg q_ok f; have sd2 : sd * sd = variance q f by exact: sqrt_sqrt.
have a2 : sd_hat * sd_hat = average_variance f l s by apply: sqrt_sqrt; exact: average_variance_nonneg.
have a0 : 0 <= sd_hat by exact: sqrt_pos.
set d := Rabs _ in far; have d0 : 0 <= d by exact: Rabs_pos.
have d2 : (average f l s - mean q f) ^ 2 = d * d by rewrite -pow2_abs -/d; ring.
rewrite d2 -a2 -sd2 in low; pose b := sqrt 2 * B * r.
have b0 : 0 <= b by apply: Rmult_le_pos => //; apply: Rmult_le_pos; lra.
have le : sd <= sd_hat + d + b.
  apply: Rnot_lt_le => lt; have ad := Rmult_le_pos _ _ a0 d0.
  have h1 : (sd_hat + d) * (sd_hat + d) < sd * (sd - b) by nra.
  by rewrite /b in h1; lra.
rewrite (_ : 3 / sqrt 2 * B * r = b + B * (r / sqrt 2)); first lra.
rewrite /b (_ : sqrt 2 * B * r = sqrt 2 * sqrt 2 * B * r / sqrt 2); last by field; lra.
by rewrite root2; field; lra.
Qed.

Lemma mean_near : Rabs (average f l s - mean q f) <= sqrt 2 * sd_hat * r + 10 / 3 * B * r ^ 2.
Proof.
have dev := deviation_from_estimate; have /norP [off _] := fine; move: off.
rewrite /mean_off; case: aboveP => // /Rnot_lt_le off _; rewrite root_variance in off.
have e : B * lam / (3 * INR l) = B * r ^ 2 / 3 by rewrite rr; field; lra.
have := Rmult_le_compat_l _ _ _ (Rmult_le_pos _ _ (Rlt_le _ _ root2_pos) r0) dev.
rewrite (_ : sqrt 2 * r * (sd_hat + 3 / sqrt 2 * B * r) = sqrt 2 * sd_hat * r + 3 * B * r ^ 2); first lra.
by field; lra.
Qed.
End OneFunction.

Lemma values_rarely : draws law l [::] (fun s => indicator (values_off s)) <= INR G * (5 * exp (- lam)).
Proof.
rewrite -[X in INR X * _](card_ord G); apply: E_some => j; have w y := range y (ltn_ord j).
have h1 := mean_off_rarely w; have h3 := squares_rarely w.
have h2 : draws law l [::] (fun s => indicator (mean_far (v j) s)) <= 2 * exp (- lam) by exact: (far_rarely law).
rewrite (_ : 5 * exp (- lam) = 2 * exp (- lam) + (2 * exp (- lam) + exp (- lam))); last by ring.
apply: Rle_trans (E_either _ (fun s h => h)) (Rplus_le_compat _ _ _ _ h1 _).
exact: Rle_trans (E_either _ (fun s h => h)) (Rplus_le_compat _ _ _ _ h2 h3).
Qed.

Lemma cell_rarely : 0 <= lam_sets -> 2 ^ #|S| * exp (- lam_sets) = exp (- lam) ->
  draws law l [::] (fun s => indicator (cell_off s)) <= (5 * INR G + 1) * exp (- lam).
Proof.
move=> ls0 e; have h1 := sets_off_rarely ls0; have h2 := values_rarely; rewrite e in h1.
by apply: Rle_trans (E_either (draws law l [::]) (fun s h => h)) _; lra.
Qed.

(* What holds where nothing goes wrong. *)
Lemma cell_fine s : size s = l -> ~~ cell_off s ->
  (forall Y : {set S}, average (into Y) l s - mean q (into Y) <= sqrt (lam_sets / (2 * INR l))) /\
  forall j, (j < G)%nat -> let r := sqrt (lam / INR l) in
    Rabs (average (v j) l s - mean q (v j)) <= sqrt 2 * sqrt (average_variance (v j) l s) * r + 10 / 3 * B * r ^ 2.
Proof.
move=> sz /norP [sets values]; split=> [Y|j jG r].
  by have := (existsPn sets) Y; case: aboveP => // /Rnot_lt_le.
exact: (mean_near sz (existsPn values (Ordinal jG))).
Qed.
End Cell.
