(* MB-PSRL on the law of histories: its Bayesian regret has no model gap, for every finite prior; a bound in closed form; and
   priors that are products over the arms, each arm being drawn from its own posterior. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Concentration Events DoubleSum.
From kernel Require Import History Bayes Regret FrozenCounts MovesEvent FrozenUses Unfolded Simulation Confidence Widths.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Psrl.
Variables (A S O Theta : finType) (next : O -> S) (pays : O -> R) (beta : R) (rho : global A S -> R).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Variables (shows : Theta -> A -> S -> O -> R) (phi : Theta -> R).
Hypotheses (shows_ok : forall t a s, probability (shows t a s)) (prior_ok : probability phi).
Variable best : Theta -> plays A S.   (* the policy that is played when the model t was drawn *)
Variable post : history A S O -> Theta -> R.
Hypothesis post_ok : is_posterior shows phi post.

(* The policy of a model that is drawn from the posterior. *)
Definition psrl (h : history A S O) (pi : plays A S) : R := \sum_(t : Theta) (if pi == best t then post h t else 0).

Lemma mean_psrl h f : mean (psrl h) f = mean (post h) (fun t => f (best t)).
Proof.
rewrite /mean /psrl; under eq_bigr do rewrite -sum_scale_r.
rewrite exchange_big /=; apply: eq_bigr => t _.
rewrite -(sum_single (best t) (fun pi => post h t * f pi)).
by apply: eq_bigr => pi _; case: eqP => _; ring.
Qed.

Lemma psrl_ok h : probability (psrl h).
Proof.
have [[p0 p1] _] := post_ok h; split=> [pi|].
  by apply: sum_nonneg => t _; case: eqP => _; [exact: p0 | lra].
have := mean_psrl h (fun _ => 1); rewrite !mean_const p1; lra.
Qed.

Notation bandit t := (bandit_of next pays (shows t)).
Notation value_of t pi := (mean rho (V beta (bandit t) (fun y => (pi : plays A S) y))).
Notation bayes_psrl := (bayes next beta psrl rho shows phi).
Let B := 1 / (1 - beta).

Let bandits t : markovian (bandit t). Proof. exact: bandit_markovian. Qed.
Let units t : unit_rewards (bandit t). Proof. exact: bandit_unit. Qed.
Let B0 : 0 <= B. Proof. exact: top_nonneg. Qed.

Lemma value_range t (pi : plays A S) : 0 <= value_of t pi <= B.
Proof.
have r := V_range discount (bandits t) (fun y => pi y) (units t); have [r0 _] := rho_ok.
by rewrite -(mean_of_const B rho_ok); split; [apply: mean_nonneg | apply: mean_le] => // x; have := r x; rewrite -/B; lra.
Qed.

Lemma bayes_add K g f C D : 0 <= C -> 0 <= D -> (forall h t, Rabs (g h t) <= C) -> (forall h t, Rabs (f h t) <= D) ->
  bayes_psrl K (fun h t => g h t + f h t) = bayes_psrl K g + bayes_psrl K f.
Proof.
move=> C0 D0 gC fD; rewrite /bayes -mean_add; apply: mean_ext => t.
by apply: (@expected_add A S O next beta discount psrl rho psrl_ok rho_ok (shows t) (shows_ok t) K (g^~ t) (f^~ t) C D).
Qed.

(* What episode k costs beyond the model gap, in the mean over the model that is drawn. *)
Definition sampled_gap (h : history A S O) (t : Theta) : R :=
  mean (post h) (fun s => value_of s (best s) - value_of t (best s)).

Definition bayesian_regret (K : nat) : R :=
  mean phi (fun t => expected_regret next beta psrl rho (shows t) (bandit t) (fun x => best t x) K).

(* BayReg(K, MB-PSRL, phi) = sum over k of E[V_{M_k}^{pi_k}(X_{t_k}) - V_M^{pi_k}(X_{t_k})]: only the concentration gap is left.
   On the law of histories, with lengths that are geometric, for every finite prior, every finite observation. *)
Theorem psrl_regret K : bayesian_regret K = \sum_(k < K) bayes_psrl k sampled_gap.
Proof.
have each t := regret_by_episodes next discount psrl_ok rho_ok (shows_ok t) (fun x => best t x) (bandits t) (units t) K.
rewrite /bayesian_regret (mean_ext _ each) mean_sum_to; apply: sum_to_ext => k _.
pose g (h : history A S O) t := value_of t (best t).
pose q h (_ : Theta) := mean (post h) (g h).
pose r h t := - mean (post h) (fun s => value_of t (best s)).
have abs x : 0 <= x <= B -> Rabs x <= B by move=> h; apply: Rabs_le; lra.
have gB h t : Rabs (g h t) <= B by apply: abs; exact: value_range.
have qB h t : Rabs (q h t) <= B by apply: mean_abs1 => //; exact: (proj1 (post_ok h)).
have rB h t : Rabs (r h t) <= B.
  by rewrite /r Rabs_Ropp; apply: mean_abs1 => // [|s]; [exact: (proj1 (post_ok h)) | apply: abs; exact: value_range].
transitivity (bayes_psrl k (fun h t => g h t + r h t)).
  apply: mean_ext => t; congr expected; apply: FunctionalExtensionality.functional_extensionality => h.
  rewrite /loss mean_psrl /r (mean_ext _ (g := fun s => g h t - value_of t (best s))); last by move=> s; rewrite /gap mean_sub.
  by rewrite mean_sub (mean_of_const _ (proj1 (post_ok h))); ring.
rewrite (bayes_add k B0 B0 gB rB).
rewrite (posterior_sampling next discount psrl_ok rho_ok shows_ok post_ok k B0 gB).
rewrite -[bayes_psrl k (fun h _ => _)]/(bayes_psrl k q) -(bayes_add k B0 B0 qB rB); apply: mean_ext => t; congr expected.
by apply: FunctionalExtensionality.functional_extensionality => h; rewrite /sampled_gap mean_sub /q /r /g /Rminus.
Qed.

(* ---------------------------------------------------------------- The bound *)

Variable K : nat.
Hypotheses (K1 : (1 <= K)%nat) (A1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat).
Let C1 : (1 <= #|cell A S|)%nat. Proof. by rewrite card_prod muln_gt0 A1. Qed.

(* For the analysis; MB-PSRL has no estimates. *)
Let guess_reward (_ : history A S O) (_ : cell A S) : R := 0.
Let guess_row (_ : history A S O) (_ : cell A S) (_ : S) : R := 0.
Notation fails t h := (outside next pays K (shows t) h).

(* Neither M nor M_k leaves its radii but with probability at most 2/K, and they have one law. *)
Lemma failures k : bayes_psrl k (fun h t => B * (mean (post h) (fun s => indicator (fails s h)) + indicator (fails t h))) <= 4 * B / INR K.
Proof.
have k0 := INR_ge1 K1; pose f h t := indicator (fails t h).
have f1 h t : Rabs (f h t) <= 1 by exact: indicator_abs.
have m1 h (t : Theta) : Rabs (mean (post h) (f h)) <= 1 by apply: mean_abs1 => //; [exact: (proj1 (post_ok h)) | lra].
have rare : bayes_psrl k f <= 2 / INR K.
  rewrite -(mean_of_const (2 / INR K) prior_ok); apply: mean_le => [t|t]; first exact: (proj1 prior_ok).
  exact: (outside_rarely next pays_unit (shows_ok t) discount psrl_ok rho_ok K1 C1).
have same := same_deviations next discount psrl_ok rho_ok shows_ok post_ok k (fun h t => fails t h).
have -> : bayes_psrl k (fun h t => B * (mean (post h) (f h) + f h t)) = B * (bayes_psrl k f + bayes_psrl k f).
  rewrite {1}same -(bayes_add k Rle_0_1 Rle_0_1 m1 f1) /bayes -mean_scale; apply: mean_ext => t.
  apply: (@expected_scale A S O next beta discount psrl rho psrl_ok rho_ok (shows t) (shows_ok t) k _ B 2) => [|h _]; first lra.
  by apply: Rle_trans (Rabs_triang _ _) _; have := m1 h t; have := f1 h t; lra.
by have := Rmult_le_compat_l _ _ _ B0 (Rplus_le_compat _ _ _ _ rare rare); rewrite /Rdiv; lra.
Qed.

(* The Bayesian regret of MB-PSRL in closed form: width_bound is B sqrt(2 L) (SnB + 2 sqrt(SnKB)), L = log(2^S SnK (KB+1)).
   ledger: beyond:psrl *)
Theorem psrl_bound : bayesian_regret K <= width_bound A S K beta + 4 * B.
Proof.
pose bad t h := B * (mean (post h) (fun s => indicator (fails s h)) + indicator (fails t h)).
have i1 b : 0 <= indicator b <= 1 by rewrite /indicator; case: b; lra.
have im h : 0 <= mean (post h) (fun s => indicator (fails s h)) <= 1.
  have [p0 _] := proj1 (post_ok h); rewrite -(mean_of_const 1 (proj1 (post_ok h))).
  by split; [apply: mean_nonneg | apply: mean_le] => // s; have := i1 (fails s h); lra.
have b2 h t : Rabs (bad t h) <= 2 * B.
  by apply: Rabs_le; have := im h; have := i1 (fails t h); rewrite /bad; nra.
have g2 h t : Rabs (sampled_gap h t) <= 2 * B.
  apply: mean_abs1 => [||s]; [exact: (proj1 (post_ok h)) | lra |].
  by apply: Rabs_le; have := value_range s (best s); have := value_range t (best s); lra.
have each t : \sum_(k < K) expected next beta psrl rho (shows t) k (fun h => sampled_gap h t) <=
    width_bound A S K beta + \sum_(k < K) expected next beta psrl rho (shows t) k (bad t).
  apply: (@sum_of_frozen A S O next beta discount psrl rho psrl_ok rho_ok (shows t) (shows_ok t) (bandit t) (bandits t)
    (bandit_shown next pays (shows t)) (fun h => sampled_gap h t) (bad t) (price K beta) weight (2 * B) (width_bound A S K beta) K) => //.
  - by lra.
  - by move=> h; exact: (price_nonneg _ discount).
  - exact: weight_nonneg.
  - move=> h T0; apply: Rle_trans (_ : _ <= mean (post h) (fun s => price K beta h * mean rho (widths beta (bandit t) (best s) T0 h) +
        B * (indicator (fails s h) + indicator (fails t h)) + beta ^ T0 * B)) _.
      apply: mean_le => [s|s]; first exact: (proj1 (proj1 (post_ok h))).
      apply: Rle_trans (value_gap (guess_reward := guess_reward) (guess_row := guess_row) discount rho_ok K1 C1 S1 (best s) T0
        (fails := fails s h || fails t h) (bandits t) (bandits s) (units t) (units s) _) _.
        by rewrite negb_or => /andP [ns nt]; split; [exact: (within_unless_outside guess_reward guess_row nt) | exact: (within_unless_outside guess_reward guess_row ns)].
      apply: Rplus_le_compat_r; apply: Rplus_le_compat_l; apply: (Rmult_le_compat_l B) => //.
      by rewrite /indicator; case: (fails s h); case: (fails t h) => /=; lra.
    rewrite !mean_add !mean_scale mean_add !(mean_of_const _ (proj1 (post_ok h))).
    have [b0 _] := discount; have := Rmult_le_pos _ _ (pow_le beta T0 b0) B0.
    have -> : unfolded beta psrl rho (bandit t) T0 (fun c => weight (count_of c h)) h =
      mean (post h) (fun s => mean rho (widths beta (bandit t) (best s) T0 h)) by rewrite /unfolded mean_psrl.
    by rewrite /bad (_ : 1 * / (1 - beta) = B) //; lra.
  - exact: (widths_of_run next discount rho_ok K1 C1 S1 psrl_ok (shows_ok t)).
have k0 := INR_ge1 K1; rewrite psrl_regret -(mean_sum_to phi K (fun k t => expected next beta psrl rho (shows t) k (fun h => sampled_gap h t))).
apply: Rle_trans (mean_le (proj1 prior_ok) each) _; rewrite mean_add (mean_of_const _ prior_ok); apply: Rplus_le_compat_l.
rewrite mean_sum_to (_ : 4 * B = \sum_(k < K) (4 * B / INR K)); last by rewrite sum_to_const; field; lra.
by apply: sum_to_le => k _; exact: failures.
Qed.
End Psrl.
