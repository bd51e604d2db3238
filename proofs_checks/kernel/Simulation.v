(* The simulation lemma for discounted values, unfolded along the play in the true bandit; and what it makes of the sum of
   bounded terms over the episodes of the run, when each is at most a frozen sum (FrozenCounts.v) off an event. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Concentration.
From kernel Require Import History Bayes Regret FrozenCounts FrozenUses Unfolded.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* D <= g + b P D, T0 times. *)
Lemma unfold_recursion (X : finType) (P : X -> X -> R) (g D : X -> R) (b C : R) T0 x : (forall x, probability (P x)) -> 0 <= b ->
  (forall x, D x <= g x + b * mean (P x) D) -> (forall x, D x <= C) ->
  D x <= \sum_(t < T0) (b ^ t * reward_at P g t x) + b ^ T0 * C.
Proof.
move=> P_ok b0 rec DC; elim: T0 x => [|T0 IH] x; first by rewrite /=; have := DC x; lra.
rewrite sum_recl; apply: Rle_trans (rec x) _.
have m := mean_le (proj1 (P_ok x)) IH; rewrite mean_add mean_sum_to (mean_of_const _ (P_ok x)) in m.
have := Rmult_le_compat_l _ _ _ b0 m; rewrite Rmult_plus_distr_l -sum_to_scale.
rewrite (@sum_to_ext T0 _ (fun t => b ^ t.+1 * reward_at P g t.+1 x)); last by move=> t _; rewrite mean_scale /=; ring.
rewrite /=; lra.
Qed.

(* One policy in two bandits, rewards in [0, 1]: what its value in the second, M', exceeds that in M by.
   step of: thm:regret_upper_bound *)
Theorem simulation (A S : finType) (beta : R) (M M' : model A S) (pi : policy A S) (g : cell A S -> R) T0 x :
  is_discount beta -> markovian M -> markovian M' -> unit_rewards M -> unit_rewards M' ->
  (forall a s, Rabs (reward M' a s - reward M a s) + beta * (1 / (1 - beta) / 2) * distance (row M' a s) (row M a s) <= g (a, s)) ->
  V beta M' pi x - V beta M pi x <=
    \sum_(t < T0) (beta ^ t * reward_at (fun y => P M (pi y) y) (fun y => g (pi y, y (pi y))) t x) + beta ^ T0 * (1 / (1 - beta)).
Proof.
move=> discount hM hM' u u' near; case: (discount) => b0 b1.
apply: (unfold_recursion (D := fun x => V beta M' pi x - V beta M pi x)) => // [y|y|y].
- exact: P_stochastic.
- rewrite mean_sub !mean_P; move: (near (pi y) (y (pi y))); set a := pi y; set s := y a => n.
  have e1 := V_bellman discount hM' pi y; have e2 := V_bellman discount hM pi y; rewrite -/a -/s in e1 e2.
  have range z : 0 <= V beta M' pi (moved y a z) <= 1 / (1 - beta) by exact: V_range.
  have sums : \sum_(z : S) row M' a s z = \sum_(z : S) row M a s z by rewrite (proj2 (hM a s)) (proj2 (hM' a s)).
  have d := Rmult_le_compat_l _ _ _ b0 (mean_difference_half range sums).
  by have := Rle_abs (reward M' a s - reward M a s); lra.
- by have := V_range discount hM pi u y; have := V_range discount hM' pi u' y; lra.
Qed.

Section Run.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Variable M : model A S.
Hypotheses (hM : markovian M) (M_shown : forall a s F, mean (row M a s) F = mean (shows a s) (fun o => F (next o))).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Notation mean_of K F := (expected next beta learner rho shows K F).

Definition summed (X : history A S O -> R) : history A S O -> R := over_episodes (fun h _ => X h).

Lemma summed_add X Y h : summed (fun h => X h + Y h) h = summed X h + summed Y h.
Proof. by rewrite /summed; elim: h => [|r h IH] /=; [ring | rewrite IH; ring]. Qed.

Lemma summed_abs X C h : (forall h, Rabs (X h) <= C) -> Rabs (summed X h) <= INR (size h) * C.
Proof.
move=> XC; elim: h => [|r h IH]; first by rewrite /summed /= Rabs_R0; lra.
rewrite /summed [over_episodes _ _]/= -/(summed X h) [size _]/= S_INR; apply: Rle_trans (Rabs_triang _ _) _.
by have := XC h; lra.
Qed.

Lemma mean_summed X C K : 0 <= C -> (forall h, Rabs (X h) <= C) -> mean_of K (summed X) = \sum_(k < K) mean_of k X.
Proof.
move=> C0 XC; apply: (@sum_by_episodes A S O next beta discount learner rho learner_ok rho_ok shows shows_ok (summed X) X C K C0 XC) => // [h|N h].
  exact: summed_abs.
rewrite -(episode_const next beta learner_ok rho_ok shows_ok N h).
by apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext => e; rewrite /summed /= Rplus_comm.
Qed.

(* If X, given each past, is off an event at most a sum unfolded along the play, frozen at that past, then the sum of X over K
   episodes is in the mean at most the frozen sum of the run, and what the event costs.
   step of: thm:regret_upper_bound *)
Theorem sum_of_frozen (X bad w : history A S O -> R) (f : nat -> R) C F K : 0 <= C ->
  (forall h, Rabs (X h) <= C) -> (forall h, Rabs (bad h) <= C) -> (forall h, 0 <= w h) -> (forall n, 0 <= f n) ->
  (forall h T0, X h <= w h * unfolded beta learner rho M T0 (fun c => f (count_of c h)) h + bad h + beta ^ T0 * C) ->
  (forall N, cut_mean N K (frozen w f) <= F) ->
  \sum_(k < K) mean_of k X <= F + \sum_(k < K) mean_of k bad.
Proof.
move=> C0 XC badC w0 f0 le frozenF; have [b0 _] := discount.
rewrite -!(mean_summed _ C0) //; set EX := mean_of K _; set Ebad := mean_of K _.
have k0 : 0 <= INR K * C by apply: Rmult_le_pos => //; exact: pos_INR.
have lim0 c : is_lim_seq (fun n => beta ^ n * c) 0 by exact: geometric_limit.
have cut_limit Y : (forall h, Rabs (Y h) <= C) -> forall T0, is_lim_seq (fun m => cut_mean (m + T0) K (summed Y)) (mean_of K (summed Y)).
  move=> YC T0; have b : bounded_after K [::] (summed Y) (INR K * C).
    by move=> h sz; rewrite addn0 in sz; rewrite -sz; exact: summed_abs.
  apply: (proj1 (is_lim_seq_incr_n (fun N => cut_mean N K (summed Y)) T0 _)).
  exact: (expected_is_limit (next := next) discount learner_ok rho_ok shows_ok k0 b).
suff main T0 : EX <= F + Ebad + beta ^ T0 * (INR K * C).
  have l : is_lim_seq (fun T0 => F + Ebad + beta ^ T0 * (INR K * C)) (F + Ebad).
    rewrite -[X in is_lim_seq _ (Finite X)]Rplus_0_r; apply: is_lim_seq_plus' => //; exact: is_lim_seq_const.
  exact (is_lim_seq_le (fun _ => EX) _ EX _ main (is_lim_seq_const EX) l).
set tail := beta ^ T0 * _; pose u m := 1 - beta ^ m.
have tail0 : 0 <= tail by apply: Rmult_le_pos => //; exact: pow_le.
have u1 : is_lim_seq u 1.
  rewrite -[X in is_lim_seq _ (Finite X)]Rminus_0_r; apply: is_lim_seq_minus'; first exact: is_lim_seq_const.
  by apply: (is_lim_seq_ext (fun N => beta ^ N * 1)) => [N|]; [ring | exact: lim0].
have lX := is_lim_seq_mult' _ _ _ _ u1 (cut_limit X XC T0).
have lbad := is_lim_seq_mult' _ _ _ _ u1 (is_lim_seq_plus' _ _ _ _ (cut_limit bad badC T0) (is_lim_seq_const tail)).
have lR := is_lim_seq_plus' _ _ _ _ (is_lim_seq_const F) lbad; rewrite !Rmult_1_l -Rplus_assoc in lX lR.
apply: (is_lim_seq_le _ _ (Finite EX) (Finite (F + Ebad + tail)) _ lX lR) => m.
have [m0 m1] := mass discount m; set N := (m + T0)%nat.
pose U h := w h * unfolded beta learner rho M T0 (fun c => f (count_of c h)) h.
have hU : u m * cut_mean N K (summed U) <= F.
  apply: Rle_trans (frozenF N); have := @unfolded_of_run A S O next beta discount learner rho learner_ok rho_ok shows shows_ok
    M hM M_shown w f N T0 K w0 f0 (leq_addl _ _).
  by rewrite addnK.
have hX : cut_mean N K (summed X) <= cut_mean N K (summed U) + (cut_mean N K (summed bad) + tail).
  apply: Rle_trans (_ : _ <= cut_mean N K (fun h => summed U h + (summed bad h + tail))) _.
    apply: law_le => // h sz; rewrite addn0 in sz; rewrite /tail -sz.
    elim: h {sz} => [|r h IH]; first by rewrite /summed /=; lra.
    rewrite /summed [over_episodes _ _]/= -!/(summed _ _) [X in _ <= X + _]/= -!/(summed _ _) [size _]/= S_INR.
    by have := le h T0; rewrite -/(U h) /summed /= -!/(summed _ _); lra.
  rewrite /truncated !law_add -!/(cut_mean N K _);
  by have := @mean_of_constant A S O next beta discount learner rho learner_ok rho_ok shows shows_ok N K tail tail0; lra.
by have := Rmult_le_compat_l _ _ _ m0 hX; rewrite -/(u m); lra.
Qed.
End Run.
