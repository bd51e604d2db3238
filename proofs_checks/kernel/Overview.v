(* The first display of the overview of Theorem 1's proof (eq:gap_overview): what an episode loses where its event fails. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Horizons Concentration Hoeffding.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Overview.
Variables (A S : finType) (beta : R).

(* All but the length of the episode: the past, the model, the initial state and the policies; and its law. *)
Variables (Omega : Type) (variable : (Omega -> R) -> Prop) (E : (Omega -> R) -> R).
Variables (M : Omega -> model A S) (start : Omega -> state A S) (pistar pik : Omega -> policy A S) (good : Omega -> bool).

(* Delta_k for an episode of H steps, and where the event holds. *)
Definition episode_gap (H : nat) (w : Omega) : R := W (M w) (pistar w) H (start w) - W (M w) (pik w) H (start w).
Definition gap_on_event (H : nat) (w : Omega) : R := indicator (good w) * episode_gap H w.

Hypotheses (discount : is_discount beta) (space : expectation_of_bounded_variables variable E).
Hypotheses (hM : forall w, markovian (M w)) (unit : forall w, unit_rewards (M w)).
Hypotheses (gap_variable : forall H, variable (episode_gap H)) (on_event_variable : forall H, variable (gap_on_event H)).
Hypothesis off_event_variable : variable (fun w => indicator (~~ good w)).

(* The mean over the length, which is geometric and independent of all that. *)
Definition mean_over_lengths (f : nat -> R) : R := Series (fun m => geometric beta m.+1 * f m.+1).

Lemma gap_abs H w : Rabs (episode_gap H w) <= INR H.
Proof.
have range pi : 0 <= W (M w) pi H (start w) <= INR H.
  by apply: total_at_most_horizon => [|y]; [exact: sub_policy (P_sub (hM w)) _ | exact: unit].
by have := range (pistar w); have := range (pik w); rewrite /episode_gap => h1 h2; apply: Rabs_le; lra.
Qed.

Lemma on_event_abs H w : Rabs (gap_on_event H w) <= INR H.
Proof.
rewrite /gap_on_event /indicator; case: (good w); first by rewrite Rmult_1_l; exact: gap_abs.
by rewrite Rmult_0_l Rabs_R0; exact: pos_INR.
Qed.

Lemma expectation_abs f H : variable f -> (forall w, Rabs (f w) <= INR H) -> Rabs (E f) <= INR H.
Proof.
move=> fv le; apply: Rabs_le; rewrite -{1}(expectation_const space (- INR H)) -{2}(expectation_const space (INR H)).
by split; apply: (expectation_le space) => //; try exact: (variable_const space); move=> w;
  have := le w; move/Rabs_le_between; lra.
Qed.

Lemma geometric_nonneg m : 0 <= geometric beta m.
Proof. by case: discount => b0 b1; apply: Rmult_le_pos; [lra | exact: pow_le]. Qed.

Lemma mean_exists (f : nat -> Omega -> R) : (forall H, variable (f H)) -> (forall H w, Rabs (f H w) <= INR H) ->
  ex_series (fun m => geometric beta m.+1 * E (f m.+1)).
Proof.
move=> fv le; have [_ [_ [first_moment _]]] := geometric_moments discount.
apply: (ex_series_le _ (fun m => INR m.+1 * geometric beta m.+1)); last by exists (1 / (1 - beta)).
move=> m; rewrite /norm /= /abs /= Rabs_mult (Rabs_pos_eq _ (geometric_nonneg _)) Rmult_comm.
by apply: Rmult_le_compat_r; [exact: geometric_nonneg | exact: (expectation_abs (fv m.+1) (le m.+1))].
Qed.

(* eq:gap_overview: E[Delta_k] <= E[H_k] P(not E) + E[Delta_k 1_E], with E[H_k] = 1/(1-beta), for rewards of M in [0, 1] and
   an event E that does not depend on H_k. Both means over the lengths exist.
   ledger: eq:gap_overview *)
Theorem gap_overview :
  ex_series (fun m => geometric beta m.+1 * E (episode_gap m.+1)) /\
  ex_series (fun m => geometric beta m.+1 * E (gap_on_event m.+1)) /\
  mean_over_lengths (fun H => E (episode_gap H)) <=
    1 / (1 - beta) * E (fun w => indicator (~~ good w)) + mean_over_lengths (fun H => E (gap_on_event H)).
Proof.
have ex1 := mean_exists gap_variable gap_abs; have ex2 := mean_exists on_event_variable on_event_abs.
split=> //; split=> //; rewrite /mean_over_lengths.
have [_ [_ [first_moment _]]] := geometric_moments discount; set p := E _.
have le m : geometric beta m.+1 * E (episode_gap m.+1) <=
    p * (INR m.+1 * geometric beta m.+1) + geometric beta m.+1 * E (gap_on_event m.+1).
  have off : variable (fun w => INR m.+1 * indicator (~~ good w)) by exact: (variable_scale space).
  have : E (episode_gap m.+1) <= INR m.+1 * p + E (gap_on_event m.+1).
    rewrite /p -(expectation_scale space _ off_event_variable) -(expectation_add space off (on_event_variable _)).
    apply: (expectation_le space) => // [|w]; first exact: (variable_add space off).
    have := gap_abs m.+1 w; have := Rle_abs (episode_gap m.+1 w); rewrite /gap_on_event /indicator.
    by case: (good w) => /=; lra.
  by move/(Rmult_le_compat_l _ _ _ (geometric_nonneg m.+1)); lra.
have sum : is_series (fun m => p * (INR m.+1 * geometric beta m.+1) + geometric beta m.+1 * E (gap_on_event m.+1))
    (p * (1 / (1 - beta)) + Series (fun m => geometric beta m.+1 * E (gap_on_event m.+1))).
  exact: (is_series_plus _ _ _ _ (is_series_scal_l p _ _ first_moment) (Series_correct _ ex2)).
rewrite (Rmult_comm _ p); apply: (is_lim_seq_le _ _ _ _ _ (sum_to_of_series (Series_correct _ ex1)) (sum_to_of_series sum)).
by move=> n; apply: sum_to_le => m _; exact: le.
Qed.
End Overview.
