(* 1.6 meets 1.7: given each past, the unfolded recursion up to T0 is at most the mean of a frozen sum over the episode cut at
   N; summed over K episodes this is what FrozenUses.v bounds. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Concentration DoubleSum.
From kernel Require Import History Bayes Regret.
From kernel Require Import FrozenCounts FrozenUses.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Unfolded.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation cell := (cell A S).
Notation cut N := (at_most_long beta N).
Notation episodeN N := (episode next learner rho shows (cut N)).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).

(* The model that the observations come from. *)
Variable M : model A S.
Hypotheses (hM : markovian M) (M_shown : forall a s F, mean (row M a s) F = mean (shows a s) (fun o => F (next o))).

(* sum_{t < T0} beta^t E g(c_t), under the policy and the start that the learner and rho draw after the past h. *)
Definition unfolded (T0 : nat) (g : cell -> R) (h : history A S O) : R :=
  mean (learner h) (fun pi => mean rho (fun x =>
    \sum_(t < T0) (beta ^ t * reward_at (fun y => P M (pi y) y) (fun y => g (pi y, y (pi y))) t x))).

Lemma reward_nonneg (pi : plays A S) (g : cell -> R) t x : (forall c, 0 <= g c) ->
  0 <= reward_at (fun y => P M (pi y) y) (fun y => g (pi y, y (pi y))) t x.
Proof.
move=> g0; elim: t x => [|t IH] x /=; first exact: g0.
by apply: mean_nonneg => // y; apply: P_nonneg => z; exact: (proj1 (hM (pi x) (x (pi x)))).
Qed.

Lemma unfolded_nonneg T0 g h : (forall c, 0 <= g c) -> 0 <= unfolded T0 g h.
Proof.
move=> g0; apply: mean_nonneg => [pi|pi]; first exact: (proj1 (learner_ok h)).
apply: mean_nonneg => [x|x]; first exact: (proj1 rho_ok).
apply: sum_to_nonneg => t _; apply: Rmult_le_pos; last exact: reward_nonneg.
by case: discount => b0 _; exact: pow_le.
Qed.

(* One episode, given the past: its length is geometric and independent of what is shown, so that discounting is cutting. *)
Lemma unfolded_of_episode N T0 g h : (forall c, 0 <= g c) -> (T0 <= N)%nat ->
  (1 - beta ^ (N - T0)) * unfolded T0 g h <= episodeN N h (fun h' => \sum_(p <- shown (newest h')) g p.1).
Proof.
move=> g0 TN; rewrite (episode_along beta learner rho shows_ok M_shown g N h) /unfolded -mean_scale.
apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
rewrite -mean_scale; apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
by apply: (unfolded_at_most_cut discount _ TN) => t; exact: reward_nonneg.
Qed.

(* K episodes: (1 - beta^(N-T0)) E sum_k w_k sum_{t < T0} beta^t E f(N_{k-1}(c_t)) <= E sum_k w_k sum_{t in k} f(N_{k-1}(c_t)). *)
Lemma unfolded_of_run (w : history A S O -> R) (f : nat -> R) N T0 K : (forall h, 0 <= w h) -> (forall n, 0 <= f n) ->
  (T0 <= N)%nat ->
  (1 - beta ^ (N - T0)) * cut_mean N K (over_episodes (fun h _ => w h * unfolded T0 (fun c => f (count_of c h)) h)) <=
  cut_mean N K (frozen w f).
Proof.
move=> w0 f0 TN; pose U h := unfolded T0 (fun c => f (count_of c h)) h; pose k := 1 - beta ^ (N - T0).
have U0 h : 0 <= U h by apply: unfolded_nonneg => c; exact: f0.
have [k0 _] := mass discount (N - T0); have [m0 m1] := mass discount N.
rewrite /truncated -law_scale.
rewrite (@law_ext A S O next beta learner rho shows N K [::] _ (over_episodes (fun h _ => w h * (k * U h)))); last first.
  move=> h; rewrite -/k; elim: h => [|r h IH]; first by rewrite /=; ring.
  change (k * (over_episodes (fun h _ => w h * U h) h + w h * U h) = over_episodes (fun h _ => w h * (k * U h)) h + w h * (k * U h)).
  by rewrite -IH /U; ring.
apply: law_over_episodes => // h; rewrite (episode_const next beta learner_ok rho_ok shows_ok).
rewrite (episode_scale next beta learner rho shows N h (w h)).
apply: Rle_trans (Rmult_le_compat_l _ _ _ (w0 h) (unfolded_of_episode h (fun c => f0 (count_of c h)) TN)).
have p : 0 <= w h * (k * U h) by apply: Rmult_le_pos => //; apply: Rmult_le_pos.
by rewrite -/(U h) -/k; nra.
Qed.
End Unfolded.
