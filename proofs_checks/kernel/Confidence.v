(* What a learner knows before an episode: estimates of mean rewards and rows, and the radii b^r and b^Q of Section 4, with t_k;
   the probability that the bandit is within them; and what a step costs in a bandit that is within them too. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Rcomplements.
From kernel Require Import Sums Values Bandits Horizon Concentration Events DoubleSum.
From kernel Require Import History Bayes FrozenCounts MovesEvent FrozenUses LengthsFirst.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Confidence.
Variables (A S O : finType) (next : O -> S) (pays : O -> R).   (* an observation: what it pays, and the next state *)
Hypothesis pays_unit : forall o, 0 <= pays o <= 1.
Notation cell := (cell A S).

(* The bandit of which an activation shows an observation of law shows(a, s). *)
Definition bandit_of (shows : A -> S -> O -> R) : model A S :=
  Model (fun a s => mean (shows a s) pays) (fun a s y => mean (shows a s) (fun o => indicator (next o == y))).

Section Bandit.
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).

Lemma bandit_shown a s F : mean (row (bandit_of shows) a s) F = mean (shows a s) (fun o => F (next o)).
Proof.
rewrite /mean /= /mean; under eq_bigr do rewrite -sum_scale_r.
rewrite exchange_big /=; apply: eq_bigr => o _; rewrite -(sum_single (next o) (fun y => shows a s o * F y)).
by apply: eq_bigr => y _; rewrite /indicator eq_sym; case: (y == next o); ring.
Qed.

Lemma bandit_markovian : markovian (bandit_of shows).
Proof.
move=> a s; split=> [y|]; first by apply: mean_nonneg => o; [exact: (proj1 (shows_ok a s)) | exact: indicator_nonneg].
have := bandit_shown a s (fun _ => 1); rewrite mean_const (mean_of_const _ (shows_ok a s)); lra.
Qed.

Lemma bandit_unit : unit_rewards (bandit_of shows).
Proof. by move=> a s; apply: (mean_range (shows_ok a s) pays_unit); lra. Qed.
End Bandit.

(* Estimates, frozen at a past; where a cell was never activated, any reward in [0, 1] and any row. *)
Variables (guess_reward : history A S O -> cell -> R) (guess_row : history A S O -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.

Definition mean_paid (h : history A S O) (c : cell) : R :=
  if count_of c h == 0%nat then guess_reward h c else total_of pays (observed c (flat h)) / INR (count_of c h).

(* t_k, the number of the step at which the next episode starts; Sn = #|cell|. *)
Definition time_of (h : history A S O) : R := INR (duration h) + 1.

(* b^r = sqrt(log(2 S n K t_k)/(2 max(1,N))) and b^Q = sqrt(2 log(S n K 2^S t_k)/max(1,N)). *)
Definition reward_radius (h : history A S O) (c : cell) : R :=
  sqrt (ln (2 * (INR #|cell| * INR K * time_of h)) / (2 * INR (maxn 1 (count_of c h)))).
Definition row_radius_of (h : history A S O) (c : cell) : R :=
  sqrt (2 * ln (INR #|cell| * INR K * time_of h * 2 ^ #|S|) / INR (maxn 1 (count_of c h))).

(* All that is known of each arm, as eq:conf_rq takes it. *)
Definition known (h : history A S O) (a : A) : estimate S := Estimate (fun s => mean_paid h (a, s))
  (fun s y => MovesEvent.Qhat next guess_row h (a, s) y) (fun s => reward_radius h (a, s)) (fun s => row_radius_of h (a, s)).

(* A bandit within the radii in the cells that were activated. *)
Definition within (h : history A S O) (M : model A S) := forall a s, (0 < count_of (a, s) h)%nat ->
  Rabs (reward M a s - mean_paid h (a, s)) <= reward_radius h (a, s) /\
  distance (row M a s) (MovesEvent.Qhat next guess_row h (a, s)) <= row_radius_of h (a, s).

(* ---------------------------------------------------------------- The event *)

Section Event.
Variable shows : A -> S -> O -> R.

Definition strays (T : nat) (c : cell) (l : nat) (s : seq O) : bool :=
  above (radius cell K (INR T + 1) 1 l) (Rabs (total_of pays s / INR l - mean (mu shows c) pays)) ||
  above (row_radius cell K (INR T + 1) S l)
    (\sum_(y : S) Rabs (INR (count (fun o => next o == y) s) / INR l - mean (mu shows c) (fun o => indicator (next o == y)))).

(* Some cell's estimates, now or after fewer of its activations, are further from the bandit than the radii at t_k. *)
Definition outside (h : history A S O) : bool := bad_now strays h.

Lemma within_unless_outside h : ~~ outside h -> within h (bandit_of shows).
Proof.
move=> ok a s N0; set c := (a, s); pose s' := observed c (flat h); have sz : size s' = count_of c h by [].
have N1 : (0 < count_of c h)%nat by [].
have cT : (count_of c h <= duration h)%nat.
  by rewrite -sz size_map size_filter /duration; exact: count_size.
have lt : ((count_of c h).-1 < duration h)%nat by rewrite prednK.
have /norP [r q] : ~~ strays (duration h) c (count_of c h) s'.
  apply: contra ok => bad; apply/existsP; exists c; apply/existsP; exists (Ordinal lt).
  by rewrite /= prednK // /first_are -/s' sz leqnn subnn drop0.
have ne : count_of c h == 0%nat = false by rewrite (gtn_eqF N1).
rewrite /mean_paid /reward_radius /row_radius_of ne (maxn_idPr N1).
move: r q; rewrite /above; case: (Rlt_dec _ _) => // /Rnot_lt_le r _; case: (Rlt_dec _ _) => // /Rnot_lt_le q _.
split; first by rewrite Rabs_minus_sym; move: r; rewrite /radius /Lambda Rmult_1_l.
rewrite distance_sym; apply: Rle_trans q; apply: Req_le; apply: eq_bigr => y _.
by rewrite /MovesEvent.Qhat ne.
Qed.

Hypothesis shows_ok : forall a s, probability (shows a s).
Variables (beta : R) (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (discount : is_discount beta) (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).

(* After any number of episodes the bandit is outside its radii with probability at most 2/K.
   ledger: def:bonuses/repair *)
Theorem outside_rarely J : expected next beta learner rho shows J (fun h => indicator (outside h)) <= 2 / INR K.
Proof.
have k := INR_ge1 K1; apply: (@union_at_time A S O next beta discount learner rho learner_ok rho_ok shows shows_ok J strays (2 / INR K)) => [|T].
  by apply: Rdiv_le_0_compat; lra.
have Lt : INR T <= INR T + 1 by lra.
have b := big_at_time T C1 K1; rewrite (_ : 2 / INR K = 1 / INR K + 1 / INR K); last by field; lra.
have sh := share b K1 Lt Rle_0_1; set p := 1 / (INR #|cell| * INR K * (INR T + 1)) in sh.
apply: Rle_trans (_ : _ <= \sum_(c : cell) \sum_(l : 'I_T) (p + p)) _; last first.
  by rewrite sum_const sum_const card_ord; lra.
apply: sum_le => c _; apply: sum_le => l _; have hl : (1 <= l.+1)%nat by [].
have h1 := one_radius (mu_ok shows_ok) b c hl pays_unit Rlt_0_1; rewrite Rminus_0_r in h1.
have h2 := one_row_radius (mu_ok shows_ok) b c next hl.
rewrite -/p in h1 h2; apply: Rle_trans (Rplus_le_compat _ _ _ _ h1 h2); rewrite -draws_add.
apply: (draws_le (mu_ok shows_ok c)) => s; rewrite /strays /indicator; case: (above _ _) => /=; case: (above _ _); lra.
Qed.
End Event.

(* ---------------------------------------------------------------- What a step costs *)

Section Price.
Variable beta : R.
Hypotheses (discount : is_discount beta) (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat) (S1 : (1 <= #|S|)%nat).
Let B := 1 / (1 - beta).

(* l_k = log(2^S S n K t_k). *)
Definition wide_log (h : history A S O) : R := log_time (level A S K) h.

Lemma level_2 : 2 <= level A S K.
Proof.
have k := INR_ge1 K1; have c := INR_ge1 C1; have t : 2 <= 2 ^ #|S| by rewrite -{1}[2]pow_1; apply: Rle_pow; [lra | apply/leP].
rewrite /level; have : 1 <= INR #|cell| * INR K by nra.
nra.
Qed.

Lemma time_1 h : 1 <= time_of h.
Proof. by rewrite /time_of; have := pos_INR (duration h); lra. Qed.

Lemma logs h : ln (2 * (INR #|cell| * INR K * time_of h)) <= wide_log h /\
  ln (INR #|cell| * INR K * time_of h * 2 ^ #|S|) = wide_log h /\ 1 / 2 <= wide_log h.
Proof.
have k := INR_ge1 K1; have c := INR_ge1 C1; have t := time_1 h; have l2 := level_2.
have two : 2 <= 2 ^ #|S| by rewrite -{1}[2]pow_1; apply: Rle_pow; [lra | apply/leP].
have p : 1 <= INR #|cell| * INR K * time_of h by have : 1 <= INR #|cell| * INR K by [nra]; nra.
have e : level A S K * (INR (duration h) + 1) = INR #|cell| * INR K * time_of h * 2 ^ #|S| by rewrite /level /time_of; ring.
rewrite /wide_log /log_time e; split; last split=> //; last first.
  by have := ln_lt_2; have := @Rcomplements.ln_le 2 (INR #|cell| * INR K * time_of h * 2 ^ #|S|) (ltac:(lra)) (ltac:(nra)); lra.
by apply: Rcomplements.ln_le; nra.
Qed.

Lemma radius_by_weight x m : 0 <= x -> sqrt (x / INR (maxn 1 m)) = sqrt x * weight m.
Proof. by move=> x0; rewrite /weight sqrt_div_alt //; have := max1 m; lra. Qed.

(* Two bandits within the radii: |r' - r| + beta (B/2) |Q' - Q|_1 <= B sqrt(2 l_k/max(1,N)). *)
Theorem step_price h M M' a s : markovian M -> markovian M' -> unit_rewards M -> unit_rewards M' -> within h M -> within h M' ->
  Rabs (reward M' a s - reward M a s) + beta * (B / 2) * distance (row M' a s) (row M a s) <=
  B * sqrt 2 * sqrt (wide_log h) * weight (count_of (a, s) h).
Proof.
move=> hM hM' u u' near near'; case: (discount) => b0 b1; have [l1 [l2 l3]] := logs h; set l := wide_log h in l1 l2 l3 *.
have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have bB : 1 + beta * B = B by rewrite /B; field; lra.
have bB0 : 0 <= beta * B by apply: Rmult_le_pos; lra.
set c := (a, s); pose x := sqrt (2 * l) * weight (count_of c h).
rewrite (_ : _ * weight _ = B * x); last by rewrite /x sqrt_mult; [ring | lra | lra].
suff [hr hq] : Rabs (reward M' a s - reward M a s) <= x /\ distance (row M' a s) (row M a s) <= 2 * x.
  by have := Rmult_le_compat_l _ _ _ bB0 hq; have : B * x = x + beta * B * x by [rewrite -{1}bB; ring]; lra.
case: (posnP (count_of c h)) => [z|N1].
  have x1 : 1 <= x by rewrite /x z weight_0 Rmult_1_r -sqrt_1; apply: sqrt_le_1_alt; lra.
  split; first by have := u a s; have := u' a s; split_Rabs; lra.
  apply: Rle_trans (_ : _ <= 2) _; last lra.
  rewrite (_ : 2 = \sum_(y : S) row M' a s y + \sum_(y : S) row M a s y); last by rewrite (proj2 (hM a s)) (proj2 (hM' a s)).
  rewrite -sum_add; apply: sum_le => y _; have := proj1 (hM a s) y; have := proj1 (hM' a s) y; split_Rabs; lra.
have [r q] := near a s N1; have [r' q'] := near' a s N1.
have e : row_radius_of h c = x by rewrite /row_radius_of l2 radius_by_weight //; lra.
have e' : reward_radius h c <= x / 2.
  have wn := weight_nonneg (count_of c h).
  apply: Rle_trans (_ : _ <= sqrt (l / 2 / INR (maxn 1 (count_of c h)))) _.
    apply: sqrt_le_1_alt; have m := max1 (count_of c h); rewrite (_ : _ / (2 * _) = ln (2 * (INR #|cell| * INR K * time_of h)) / 2 / INR (maxn 1 (count_of c h))); last by field; lra.
    by apply: Rmult_le_compat_r; [left; apply: Rinv_0_lt_compat; lra | lra].
  rewrite radius_by_weight; last lra.
  have -> : sqrt (l / 2) = sqrt (2 * l) / 2.
    rewrite (_ : l / 2 = (2 * l) / (2 * 2)); last field.
    by rewrite sqrt_div_alt ?sqrt_square; lra.
  rewrite /x; lra.
rewrite -/c in r q r' q'; split; first by split_Rabs; lra.
by have := distance_triangle (row M' a s) (MovesEvent.Qhat next guess_row h c) (row M a s); rewrite (distance_sym (MovesEvent.Qhat _ _ _ _)); lra.
Qed.
End Price.
End Confidence.
