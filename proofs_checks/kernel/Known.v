(* What a learner knows before an episode: estimates of mean rewards and rows, with any guess where a cell was never activated,
   and the radii b^r and b^Q of Section 4 at the time t_k; on the law of the run of LawOfRun.v. MB-UCRL2's plausible set and
   MB-UCBVI's model are made of them. *)

From kernel Require Import Prelude Sums Enclosures Values Bandits Concentration Events Episodes Maximiser Laws Draws LawOfRun.
From kernel Require Import Truncation Frozen Radii.

Section Totals.
Variable O : Type.
Lemma total_of_linear (f g : O -> R) k s : total_of (fun o => f o + k * g o) s = total_of f s + k * total_of g s.
Proof. by rewrite /total_of; elim: s => [|o s IH]; [rewrite !sum_nil; ring | rewrite !sum_cons IH; ring]. Qed.

(* The law of what was seen. *)
Local Obligation Tactic := idtac.
Program Definition empirical (s : seq O) (n : 0 < INR (size s)) : law_on O := @LawOn O (fun f => total_of f s / INR (size s)) _ _ _ _.
Next Obligation. by move=> s n c; rewrite /total_of sum_seq_const; field; lra. Qed.
Next Obligation. by move=> s n f g _ _; rewrite /total_of sum_add; field; lra. Qed.
Next Obligation. by move=> s n c f _; rewrite /total_of sum_scale; field; lra. Qed.
Next Obligation.
by move=> s n f g _ _ fg; apply: Rmult_le_compat_r; [left; exact: Rinv_0_lt_compat | apply: sum_le].
Qed.
End Totals.

Section Known.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R).
Hypothesis pays_unit : forall o, 0 <= pays o <= 1.
Notation cell := (cell A S).
Notation history := (history A S O).

(* What is put where a cell was never activated: a reward in [0, 1] and a row, as the learner likes. *)
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.

Definition means (h : history) (c : cell) : R := if count_of c h == 0%nat then guess_reward h c else mean_paid pays h c.
Definition moves (h : history) (c : cell) (y : S) : R := if count_of c h == 0%nat then guess_row h c y else Qhat next h c y.

(* All that is known of each arm, as eq:conf_rq takes it. *)
Definition known (h : history) (a : A) : estimate S := Estimate (fun s => means h (a, s)) (fun s y => moves h (a, s) y)
  (fun s => reward_radius K h (a, s)) (fun s => row_radius_of K h (a, s)).

Lemma mean_moves h c f : count_of c h <> 0%nat ->
  mean (moves h c) f = total_of (fun o => f (next o)) (observed c (flat h)) / INR (count_of c h).
Proof.
move=> N0; have N1 : 0 < INR (size (observed c (flat h))) by apply: lt_0_INR; apply/ltP; rewrite lt0n; exact/eqP.
rewrite -[RHS]/(empirical N1 (fun o => f (next o))) E_next; apply: eq_bigr => y _; congr (_ * _).
by rewrite /moves (negbTE (introN eqP N0)) /Qhat counted.
Qed.

Lemma moves_ok h c : probability (moves h c).
Proof.
case: (count_of c h =P 0%nat) => [z|N0].
  by have [g0 g1] := guess_row_ok h c; split=> [y|]; [rewrite /moves z /= | rewrite -g1; apply: eq_bigr => y _; rewrite /moves z].
have N1 : 0 < INR (size (observed c (flat h))) by apply: lt_0_INR; apply/ltP; rewrite lt0n; exact/eqP.
rewrite (_ : moves h c = fun y => empirical N1 (fun o => indicator (next o == y))); first exact: next_probability.
by apply: funext => y; rewrite /moves (negbTE (introN eqP N0)) /Qhat counted.
Qed.

Lemma means_range h c : 0 <= means h c <= 1.
Proof.
rewrite /means; case: eqP => [_|N0]; first exact: guess_reward_ok.
have N1 : 0 < INR (size (observed c (flat h))) by apply: lt_0_INR; apply/ltP; rewrite lt0n; exact/eqP.
exact: (E_range (empirical N1) pays_unit).
Qed.

(* A bandit of the plausible set is within the radii where a cell was activated. *)
Lemma within_of_known h M : plausible_bandit (known h) M -> within next pays K h M.
Proof.
move=> [_ [_ near]] a s N1; have := near a s; rewrite /known /means /=.
rewrite (_ : (fun y => moves h (a, s) y) = Qhat next h (a, s)); first by rewrite (gtn_eqF N1).
by apply: funext => y; rewrite /moves (gtn_eqF N1).
Qed.

(* 2 S n K t_k >= 8 > e^2, so that cells that were never activated are within their radii, whatever was guessed. *)
Lemma true_in_set shows h : (1 <= #|S|)%nat -> (4 <= #|cell| * K)%nat -> ~~ outside next pays K shows h ->
  plausible_bandit (known h) (bandit_of next pays shows).
Proof.
move=> S1 large ok; have near := within_unless_outside ok; set M := bandit_of _ _ _ in near *.
have hM : markovian M by exact: bandit_markovian.
have u : unit_rewards M by exact: bandit_unit.
split=> //; split=> // a s; case: (posnP (count_of (a, s) h)) => [z|n]; last first.
  have [r q] := near a s n; rewrite /known /means /= (gtn_eqF n); split=> //; apply: Rle_trans q; apply: Req_le.
  by apply: eq_bigr => y _; rewrite /moves (gtn_eqF n).
have t1 : 1 <= time_of h by rewrite /time_of; have := pos_INR (duration h); lra.
have four : 4 <= INR #|cell| * INR K.
  by rewrite -mult_INR (_ : 4 = INR 4); [apply: le_INR; exact/leP | rewrite /=; lra].
have two : 2 <= 2 ^ #|S| by rewrite -{1}[2]pow_1; apply: Rle_pow; [lra | apply/leP].
have p : 4 <= INR #|cell| * INR K * time_of h by nra.
have e8 : 2 <= ln 8 by enclose.
have l1 : 2 <= ln (2 * (INR #|cell| * INR K * time_of h)) by apply: Rle_trans e8 _; apply: Rcomplements.ln_le; lra.
have l2 : 2 <= ln (INR #|cell| * INR K * time_of h * 2 ^ #|S|) by apply: Rle_trans e8 _; apply: Rcomplements.ln_le; nra.
have m0 : INR (maxn 1 0) = 1 by [].
have rr : 1 <= reward_radius K h (a, s).
  by rewrite /reward_radius z m0 -{1}sqrt_1; apply: sqrt_le_1_alt; lra.
have qq : 2 <= row_radius_of K h (a, s).
  by rewrite /row_radius_of z m0 -{1}(sqrt_square 2); [apply: sqrt_le_1_alt | ]; lra.
split.
  apply: Rle_trans (_ : _ <= 1) rr; rewrite (_ : rhat _ _ = guess_reward h (a, s)); last by rewrite /= /means z.
  by have := u a s; have := guess_reward_ok h (a, s); split_Rabs; lra.
apply: Rle_trans (_ : _ <= 2) qq.
rewrite (_ : Bandits.Qhat _ _ = guess_row h (a, s)); first exact: (proj2 (distance_2 _ _)).
by apply: funext => y; rewrite /= /moves z.
Qed.
End Known.
