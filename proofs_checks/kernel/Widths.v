(* The sum over the run of what steps cost in a bandit within the radii of Section 4: one policy, two bandits, one episode; and
   the frozen sum of the widths over K episodes, without moments of the longest. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Horizon Concentration Events DoubleSum.
From kernel Require Import History Bayes Regret FrozenCounts MovesEvent FrozenUses Unfolded Simulation Confidence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Lemma reward_at_scale (X : finType) (P : X -> X -> R) k g t x : reward_at P (fun y => k * g y) t x = k * reward_at P g t x.
Proof. by elim: t x => [|t IH] x //=; rewrite (mean_ext _ IH) mean_scale. Qed.

Section Widths.
Variables (A S O : finType) (next : O -> S) (pays : O -> R).
Variables (guess_reward : history A S O -> cell A S -> R) (guess_row : history A S O -> cell A S -> S -> R).
Variables (K : nat) (beta : R) (rho : global A S -> R).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho).
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell A S|)%nat) (S1 : (1 <= #|S|)%nat).
Let B := 1 / (1 - beta).
Notation within := (within next pays guess_reward guess_row K).

(* sum_{t < T0} beta^t E[max(1, N_{k-1}(c_t))^(-1/2)], pi being played in M from x. *)
Definition widths (M : model A S) (pi : policy A S) (T0 : nat) (h : history A S O) (x : global A S) : R :=
  \sum_(t < T0) (beta ^ t * reward_at (fun y => P M (pi y) y) (fun y => weight (count_of (pi y, y (pi y)) h)) t x).

(* B sqrt(2 l_k). *)
Definition price (h : history A S O) : R := B * sqrt 2 * sqrt (wide_log K h).

Lemma price_nonneg h : 0 <= price h.
Proof.
apply: Rmult_le_pos (sqrt_pos _); apply: Rmult_le_pos (sqrt_pos _); exact: top_nonneg.
Qed.

Lemma widths_nonneg M pi T0 h x : markovian M -> 0 <= widths M pi T0 h x.
Proof.
move=> hM; apply: sum_to_nonneg => t _; apply: Rmult_le_pos; first by case: discount => b0 _; exact: pow_le.
elim: t x => [|t IH] x /=; first exact: weight_nonneg.
by apply: mean_nonneg => // y; apply: P_nonneg => z; exact: (proj1 (hM _ _)).
Qed.

(* The values of one policy in two bandits that are both within the radii, unless something failed. *)
Theorem value_gap h M M' pi T0 (fails : bool) : markovian M -> markovian M' -> unit_rewards M -> unit_rewards M' ->
  (~~ fails -> within h M /\ within h M') ->
  mean rho (V beta M' pi) - mean rho (V beta M pi) <=
    price h * mean rho (widths M pi T0 h) + B * indicator fails + beta ^ T0 * B.
Proof.
move=> hM hM' u u' near; case: (discount) => b0 b1; have B0 : 0 <= B := top_nonneg discount.
have p0 := pow_le beta T0 b0; have c0 : 0 <= beta ^ T0 * B by exact: Rmult_le_pos.
have w0 : 0 <= price h * mean rho (widths M pi T0 h).
  apply: Rmult_le_pos; first exact: price_nonneg.
  by apply: mean_nonneg => [x|x]; [exact: (proj1 rho_ok) | exact: widths_nonneg].
rewrite -mean_sub /indicator; case: fails near => near.
  have : mean rho (fun x => V beta M' pi x - V beta M pi x) <= B; last lra.
  rewrite -[X in _ <= X](mean_of_const B rho_ok); apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
  by have := V_range discount hM pi u x; have := V_range discount hM' pi u' x; rewrite -/B; lra.
have [n n'] := near isT; rewrite -mean_scale Rmult_0_r Rplus_0_r -(mean_of_const (beta ^ T0 * B) rho_ok) -mean_add.
apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
apply: Rle_trans (simulation (g := fun c => price h * weight (count_of c h)) pi T0 x discount hM hM' u u' (fun a s => step_price discount K1 C1 S1 a s hM hM' u u' n n')) _.
rewrite /widths -sum_to_scale; apply: Rplus_le_compat_r; apply: Req_le; apply: sum_to_ext => t _.
by rewrite -Rmult_assoc (Rmult_comm (price h)) Rmult_assoc; congr (_ * _); exact: reward_at_scale.
Qed.

Variables (learner : history A S O -> plays A S -> R) (shows : A -> S -> O -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (shows_ok : forall a s, probability (shows a s)).

(* L = log(2^S S n K (KB+1)), and what the widths of a whole run come to. *)
Definition wide_horizon : R := ln (level A S K * (INR K * B + 1)).
Definition width_bound : R := B * sqrt 2 * sqrt wide_horizon * (INR #|cell A S| * B + 2 * sqrt (INR #|cell A S| * INR K * B)).

Theorem widths_of_run N : truncated next beta learner rho shows N K (frozen price weight) <= width_bound.
Proof.
have C2 : 1 <= level A S K by have := level_2 K1 C1 S1; lra.
have B0 : 0 <= B * sqrt 2 by apply: Rmult_le_pos; [exact: top_nonneg | exact: sqrt_pos].
have := @bonus_sum A S O next beta discount learner rho learner_ok rho_ok shows shows_ok (level A S K) K C2 K1 C1 N.
move=> h; have := Rmult_le_compat_l _ _ _ B0 h; rewrite -law_scale.
rewrite (_ : law _ _ _ _ _ _ _ _ = truncated next beta learner rho shows N K (frozen price weight)); last first.
  apply: law_ext => h'; rewrite /frozen; elim: h' => [|r h' IH] /=; first ring.
  by rewrite -IH /price /wide_log Rmult_plus_distr_l -!Rmult_assoc.
rewrite /width_bound /wide_horizon /log_horizon -/B (Rmult_assoc (INR #|cell A S|) (INR K)); move: (sqrt (ln _)) => l; lra.
Qed.
End Widths.
