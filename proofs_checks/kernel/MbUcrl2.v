(* MB-UCRL2, for any law of observations with rewards in [0, 1]: the plausible set of eq:conf_rq with the printed radii, policies
   that are best in it, and the expected regret in closed form. *)

From kernel Require Import Limits Sums Enclosures Values Bandits Horizon Concentration Events DoubleSum Episodes Weights Levels.
From kernel Require Import Maximiser Laws LawOfRun Truncation Frozen RunSums Radii Known.

Section Ucrl2.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R) (rho : global A S -> R).
Notation plays := (plays A S).
Notation history := (history A S O).
Notation cell := (cell A S).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.
Hypotheses (K1 : (1 <= K)%nat) (A1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat).
Let B := 1 / (1 - beta).
Let C1 : (1 <= #|cell|)%nat. Proof. by rewrite card_prod muln_gt0 A1. Qed.

(* M_k: Markovian bandits, with mean rewards in [0, 1] as Section 2 has them, within the radii of the estimates. *)
Notation in_set h M := (plausible_bandit (known next pays guess_reward guess_row K h) M).

(* eq:EVI: the largest value of pi in M_k, from the initial law, is s, and nothing in M_k is worth more than s + eps. With
   eps = 0 the policy is a maximiser. *)
Definition best_in_set (eps : R) (h : history) (pi : plays) := exists s,
  is_lub (fun v => exists r q, in_set h (Model r q) /\ v = mean rho (V beta (Model r q) pi)) s /\
  forall r q (pi' : policy A S), in_set h (Model r q) -> mean rho (V beta (Model r q) pi') <= s + eps.

(* The estimates themselves are in the set, and so it has a best policy. *)
Lemma known_in_set h : in_set h (Model (fun a s => means pays guess_reward h (a, s)) (fun a s y => moves next guess_row h (a, s) y)).
Proof.
split=> [a s|]; first exact: means_range.
split=> [a s|a s] /=; first exact: moves_ok.
rewrite Rminus_eq_0 Rabs_R0 (_ : distance _ _ = 0); first by split; exact: sqrt_pos.
by rewrite /distance big1 // => y _; rewrite Rminus_eq_0 Rabs_R0.
Qed.

Lemma value_in_set h M pi : in_set h M -> 0 <= mean rho (V beta M pi) <= B.
Proof.
by move=> [u [hM _]]; exact: (mean_range rho_ok (V_range discount hM pi u)).
Qed.

Lemma value_of_play M (pi : policy A S) : V beta M ([ffun x => pi x] : plays) = V beta M pi.
Proof. by congr (V _ _ _); apply: funext => x; rewrite ffunE. Qed.

(* eq:EVI with its maxima, which are attained: in a set of eq:conf_rq that is not empty, whatever its estimates and radii, some
   policy and some bandit are best from the initial law. ledger: eq:optimism/repair *)
Theorem best_pair_exists (E : A -> estimate S) M0 : plausible_bandit E M0 -> exists M (pi : plays), plausible_bandit E M /\
  forall M' (pi' : policy A S), plausible_bandit E M' -> mean rho (V beta M' pi') <= mean rho (V beta M pi).
Proof.
move=> some; have [a0 _] : exists a0 : A, True by move/card_gt0P: A1 => [a0 _]; exists a0.
have [M hM] := fin_all_exists (fun pi : plays => largest_value_attained discount rho_ok pi some).
have [pi top] := exists_max [ffun=> a0] (fun pi => mean rho (V beta (M pi) pi)).
exists (M pi), pi; split=> [|M' pi' hM']; first exact: (proj1 (hM pi)).
by rewrite -value_of_play; apply: Rle_trans (proj2 (hM _) M' hM') (top _).
Qed.

Definition values_in_set h (pi : plays) (v : R) := exists r q, in_set h (Model r q) /\ v = mean rho (V beta (Model r q) pi).
Definition largest_in_set h (pi : plays) : R := real (Lub_Rbar (values_in_set h pi)).

Lemma largest_is_lub h pi : is_lub (values_in_set h pi) (largest_in_set h pi).
Proof.
apply: (real_lub (ex_intro _ _ (ex_intro _ _ (conj (known_in_set h) (erefl _))))).
by exists B => v [r [q [hM ->]]]; exact: (proj2 (value_in_set pi hM)).
Qed.

(* MB-UCRL2 is a learner: after each past some policy is best, and the first in some order is played.
   step of: thm:regret_upper_bound/ucrl2 *)
Theorem ucrl2_exists : exists learner : history -> plays -> R, (forall h, probability (learner h)) /\
  forall h pi, learner h pi <> 0 -> best_in_set 0 h pi.
Proof.
have /card_gt0P [a0 _] := A1; pose choice h := argmax ([ffun=> a0] : plays) (largest_in_set h).
exists (fun h pi => if pi == choice h then 1 else 0); split=> [h|h pi]; first exact: point_ok.
case: eqP => // -> _; exists (largest_in_set h (choice h)); split=> [|r q pi' hM]; first exact: largest_is_lub.
rewrite -value_of_play Rplus_0_r; apply: Rle_trans (argmax_largest _ _ [ffun x => pi' x]).
exact: (proj1 (largest_is_lub h _) _ (ex_intro _ r (ex_intro _ q (conj hM (erefl _))))).
Qed.

(* ---------------------------------------------------------------- The regret *)

Variable eps : R.
Hypothesis eps0 : 0 <= eps.
Variable learner : history -> plays -> R.
Hypotheses (learner_ok : forall h, probability (learner h))
  (is_ucrl2 : forall h pi, learner h pi <> 0 -> best_in_set eps h pi).
Variable shows : A -> S -> law_on O.
Notation M := (bandit_of next pays shows).
Variable pistar : policy A S.

(* With n S K >= 4: one arm has no regret, and of one episode the regret is at most B. *)
Lemma ucrl2_many : (4 <= #|cell| * K)%nat ->
  expected_regret next beta learner rho shows M pistar K <= width_bound A S K beta + 2 * B + INR K * eps.
Proof.
move=> large; have k0 := INR_ge1 K1; have hM : markovian M by exact: bandit_markovian.
have u : unit_rewards M by exact: bandit_unit.
have B0 : 0 <= B := top_nonneg discount.
pose fails h := outside next pays K shows h; pose bad h := B * indicator (fails h) + eps.
rewrite (regret_by_episodes next discount learner_ok rho_ok shows pistar hM u); set X := loss _ _ _ _ _.
have XB h : Rabs (X h) <= B := loss_abs discount learner_ok rho_ok pistar hM u h.
apply: Rle_trans (_ : _ <= width_bound A S K beta + \sum_(k < K) expected next beta learner rho shows k bad) _.
  apply: (@sum_of_frozen A S O next beta discount learner rho learner_ok rho_ok shows M hM
    (bandit_shown next pays shows) X bad (price K beta) weight (B + eps) (width_bound A S K beta) K _ (@price_tame A S O K beta)) => //.
  - by lra.
  - by move=> h; have := XB h; lra.
  - by move=> h; apply: Rabs_le; have := indicator01 (fails h); rewrite /bad; nra.
  - by move=> h; exact: (price_nonneg _ discount).
  - exact: weight_nonneg.
  - by move=> m; exact: (f_le weight_falls (leq0n m)).
  - move=> h T0; have [b0 _] := discount; have p0 := pow_le beta T0 b0.
    pose per (pi : plays) := price K beta h * mean rho (widths beta M pi T0 h) + (bad h + beta ^ T0 * B).
    apply: Rle_trans (_ : _ <= mean (learner h) per) _; last first.
      have -> : unfolded beta learner rho M T0 (fun c => weight (count_of c h)) h =
        mean (learner h) (fun pi => mean rho (widths beta M pi T0 h)) by [].
      by rewrite /per mean_add mean_scale (mean_of_const _ (learner_ok h)); have := Rmult_le_pos _ _ p0 eps0; lra.
    apply: sum_le => pi _; case: (Req_dec (learner h pi) 0) => [->|played]; first by rewrite !Rmult_0_l; lra.
    apply: Rmult_le_compat_l; first exact: (proj1 (learner_ok h)).
    have [s [[up least] best]] := is_ucrl2 played.
    have gap_M' M' : in_set h M' -> mean rho (V beta M' pi) - mean rho (V beta M pi) <=
        price K beta h * mean rho (widths beta M pi T0 h) + B * indicator (fails h) + beta ^ T0 * B.
      move=> near; have [u' [hM' _]] := near; apply: (@value_gap A S O next pays K) => // ok.
      by split; [exact: within_unless_outside ok | exact: within_of_known near].
    rewrite /Episodes.gap mean_sub /per /bad; apply: Rle_trans (_ : _ <= mean rho (V beta M pistar) - mean rho (V beta M pi)) _.
      exact: Rle_refl.
    case: (boolP (fails h)) gap_M' => [_|ok] gap_M'.
      have w0 : 0 <= price K beta h * mean rho (widths beta M pi T0 h).
        apply: Rmult_le_pos; first exact: (price_nonneg _ discount).
        by apply: mean_nonneg => x; [exact: (proj1 rho_ok) | exact: widths_nonneg].
      have d : mean rho (V beta M pistar) - mean rho (V beta M pi) <= B.
        by have := mean_range rho_ok (V_range discount hM pistar u); have := mean_range rho_ok (V_range discount hM pi u); rewrite -/B; lra.
      by have := Rmult_le_pos _ _ p0 B0; rewrite /indicator; lra.
    have h1 := best _ _ pistar (true_in_set pays_unit guess_reward_ok guess_row_ok S1 large ok).
    have h2 : s <= mean rho (V beta M pi) + (price K beta h * mean rho (widths beta M pi T0 h) + beta ^ T0 * B).
      by apply: least => v [r [q [hM' ->]]]; have := gap_M' _ hM'; rewrite /indicator /=; lra.
    have conclude u0 v w z : u0 <= s + eps -> s <= v + (w + z) -> u0 - v <= w + (B * 0 + eps + z) by lra.
    exact: (conclude _ _ _ _ h1 h2).
  - exact: (widths_of_run next discount rho_ok K1 C1 S1 shows learner_ok).
have rare k : expected next beta learner rho shows k bad <= B * (2 / INR K) + eps.
  have s1 := sized_indicator fails; have sB := sized_scale B s1; have se : sized (fun _ : history => eps) by apply: (@bounded_sized _ _ _ _ (Rabs eps)) => h; lra.
  rewrite /bad (expected_add next discount learner_ok rho_ok shows k sB se) (expected_scale next discount learner_ok rho_ok shows k B s1).
  apply: Rplus_le_compat; first by apply: Rmult_le_compat_l => //; exact: outside_rarely.
  by have := @expected_abs A S O next beta discount learner rho learner_ok rho_ok shows k (fun _ => eps) eps eps0 (fun _ => Req_le _ _ (Rabs_pos_eq _ eps0)); split_Rabs; lra.
apply: Rle_trans (_ : _ <= width_bound A S K beta + \sum_(k < K) (B * (2 / INR K) + eps)) _.
  by apply: Rplus_le_compat_l; apply: sum_to_le => k _; exact: rare.
by rewrite sum_to_const; apply: Req_le; field; lra.
Qed.

Lemma width_bound_nonneg : 0 <= width_bound A S K beta.
Proof.
have B0 : 0 <= B := top_nonneg discount; rewrite /width_bound -/B.
by nonneg.
Qed.

(* The expected regret of MB-UCRL2 in closed form: width_bound is B sqrt(2 L) (SnB + 2 sqrt(SnKB)), L = log(2^S SnK (KB+1)).
   ledger: beyond:ucrl2 *)
Theorem ucrl2_bound :
  expected_regret next beta learner rho shows M pistar K <= width_bound A S K beta + 2 * B + INR K * eps.
Proof.
have hM : markovian M by exact: bandit_markovian.
have u : unit_rewards M by exact: bandit_unit.
have B0 : 0 <= B := top_nonneg discount; have w0 := width_bound_nonneg.
have e0 : 0 <= INR K * eps by apply: Rmult_le_pos => //; exact: pos_INR.
case: (leqP 4 (#|cell| * K)) => [|small]; first exact: ucrl2_many.
case: (ltnP 1 K) => [K2|]; last first.
  move=> K'; have e : K = 1%nat by apply/eqP; rewrite eqn_leq K'.
  have := Rle_trans _ _ _ (Rle_abs _) (expected_regret_abs next discount learner_ok rho_ok shows pistar hM u K).
  by rewrite {2}e -/B [INR 1]/=; lra.
have one : #|A| = 1%nat.
  apply/eqP; rewrite eqn_leq A1 andbT leqNgt; apply: contraL small => A2; rewrite -leqNgt card_prod.
  by apply: leq_trans (leq_mul (leq_mul A2 S1) K2).
by apply: Rle_trans (regret_with_one_arm next discount learner_ok rho_ok shows M pistar K one) _; lra.
Qed.
End Ucrl2.
