(* MB-PSRL with any law of observations and any prior: its Bayesian regret has no model gap, and a bound in closed form. What is
   asked of the posterior is that the bandit drawn and the true one are alike for two functions of the history and a bandit: its
   own optimal value, and whether it is outside of its radii. Conditional.v shows when a posterior does that. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Events DoubleSum Episodes Weights Levels Laws Draws.
From kernel Require Import LawOfRun Truncation Frozen RunSums Radii.

Section Psrl.
Variables (A S : finType) (O Theta : Type) (next : O -> S) (pays : O -> R) (beta : R) (rho : global A S -> R).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Notation history := (history A S O).
Notation plays := (plays A S).
Notation cell := (cell A S).
Variables (shows : Theta -> A -> S -> law_on O) (prior : law_on Theta) (best : Theta -> plays).
Variable post : history -> law_on Theta.

(* MB-PSRL: after h, the policy of a bandit drawn from the posterior. *)
Definition psrl (h : history) (pi : plays) : R := post h (fun t => indicator (best t == pi)).

Lemma by_plays (f : plays -> R) : bounded (fun t => f (best t)).
Proof. by have [C [_ fC]] := exists_bound f; exists C => t. Qed.

Lemma mean_psrl h f : mean (psrl h) f = post h (fun t => f (best t)).
Proof. by rewrite (E_next (post h) best f). Qed.
Lemma psrl_ok h : probability (psrl h). Proof. exact: (next_probability (post h) best). Qed.

(* The mean over bandits and runs of MB-PSRL, k episodes long. *)
Definition joint (k : nat) (g : history -> Theta -> R) : R :=
  prior (fun t => expected next beta psrl rho (shows t) k (fun h => g h t)).

Notation bandit t := (bandit_of next pays (shows t)).
Notation value_of t pi := (mean rho (V beta (bandit t) (fun y => (pi : plays) y))).
Definition own_value (_ : history) (t : Theta) : R := value_of t (best t).
Variable K : nat.
Definition strays_from (h : history) (t : Theta) : R := indicator (outside next pays K (shows t) h).
(* What the posterior must be, for a function g of the history and the bandit. *)
Definition drawn_alike (g : history -> Theta -> R) := forall k, (k < K)%nat -> joint k g = joint k (fun h _ => post h (g h)).

Definition bayesian_regret : R := prior (fun t => expected_regret next beta psrl rho (shows t) (bandit t) (fun x => best t x) K).

Let B := 1 / (1 - beta).
Let bandits t : markovian (bandit t). Proof. exact: bandit_markovian. Qed.
Let units t : unit_rewards (bandit t). Proof. exact: bandit_unit. Qed.
Let B0 : 0 <= B. Proof. exact: top_nonneg. Qed.

Lemma value_range t (pi : plays) : 0 <= value_of t pi <= B.
Proof.
have r := V_range discount (bandits t) (fun y => pi y) (units t); have [r0 _] := rho_ok.
by rewrite -(mean_of_const B rho_ok); split; [apply: mean_nonneg | apply: mean_le] => // x; have := r x; rewrite -/B; lra.
Qed.

Lemma run_bounded k g C : 0 <= C -> (forall h t, Rabs (g h t) <= C) -> bounded (fun t => expected next beta psrl rho (shows t) k (fun h => g h t)).
Proof. by move=> C0 gC; exists C => t; apply: (expected_abs next discount psrl_ok rho_ok (shows t) k C0). Qed.

Lemma joint_add k g f C D : 0 <= C -> 0 <= D -> (forall h t, Rabs (g h t) <= C) -> (forall h t, Rabs (f h t) <= D) ->
  joint k (fun h t => g h t + f h t) = joint k g + joint k f.
Proof.
move=> C0 D0 gC fD; rewrite /joint -(E_add prior (run_bounded k C0 gC) (run_bounded k D0 fD)); apply: E_ext => t.
exact: (expected_add next discount psrl_ok rho_ok (shows t) k (bounded_sized (fun h => gC h t)) (bounded_sized (fun h => fD h t))).
Qed.

Lemma E_sum_to n (f : nat -> Theta -> R) : (forall k, bounded (f k)) ->
  bounded (fun t => \sum_(k < n) f k t) /\ prior (fun t => \sum_(k < n) f k t) = \sum_(k < n) prior (f k).
Proof.
by move=> bf; elim: n => [|n [b IH]]; [split; [exact: by_const | exact: E_const] | split; [exact: bounded_add | rewrite /= E_add // IH]].
Qed.

Definition sampled_gap (h : history) (t : Theta) : R := post h (fun s => value_of s (best s) - value_of t (best s)).

Let abs x : 0 <= x <= B -> Rabs x <= B. Proof. by move=> h; apply: Rabs_le; lra. Qed.
Let own : bounded (fun s => value_of s (best s)). Proof. by exists B => s; apply: abs; exact: value_range. Qed.
Let here t : bounded (fun s => value_of t (best s)). Proof. by exists B => s; apply: abs; exact: value_range. Qed.

Hypothesis own_alike : drawn_alike own_value.

(* The Bayesian regret has no model gap. *)
Lemma psrl_regret : bayesian_regret = \sum_(k < K) joint k sampled_gap.
Proof.
have each t := regret_by_episodes next discount psrl_ok rho_ok (shows t) (fun x => best t x) (bandits t) (units t) K.
pose q h (_ : Theta) := post h (own_value h).
pose r h t := - post h (fun s => value_of t (best s)).
have gB (h : history) t : Rabs (own_value h t) <= B by apply: abs; exact: value_range.
have qB h t : Rabs (q h t) <= B by apply: E_abs.
have rB h t : Rabs (r h t) <= B by rewrite /r Rabs_Ropp; apply: E_abs => s; apply: abs; exact: value_range.
have lossE h t : loss beta psrl rho (bandit t) (fun x => best t x) h = own_value h t + r h t.
  rewrite /loss mean_psrl /r (E_ext _ (g := fun s => own_value h t - value_of t (best s))); last by move=> s; rewrite /Episodes.gap mean_sub.
  by rewrite (E_sub (post h) (by_const _ _) (here t)) E_const.
have sumB : 0 <= B + B by lra.
have grB h t : Rabs (own_value h t + r h t) <= B + B by apply: Rle_trans (Rabs_triang _ _) _; have := gB h t; have := rB h t; lra.
rewrite /bayesian_regret (E_ext _ (g := fun t => \sum_(k < K) expected next beta psrl rho (shows t) k (fun h => own_value h t + r h t))); last first.
  by move=> t; rewrite each; apply: sum_to_ext => k _; apply: expected_ext => h; exact: lossE.
rewrite (proj2 (E_sum_to K (fun k => run_bounded k sumB grB))); apply: sum_to_ext => k kK.
rewrite -/(joint k (fun h t => own_value h t + r h t)) (joint_add k B0 B0 gB rB) (own_alike kK).
rewrite -/(joint k q) -(joint_add k B0 B0 qB rB); apply: E_ext => t; apply: expected_ext => h.
by rewrite /sampled_gap E_sub /q /r /own_value /Rminus.
Qed.

Hypotheses (K1 : (1 <= K)%nat) (A1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat).
Let C1 : (1 <= #|cell|)%nat. Proof. by rewrite card_prod muln_gt0 A1. Qed.
Notation fails t h := (outside next pays K (shows t) h).
Let bi h : bounded (fun s => indicator (fails s h)). Proof. by exists 1 => s; exact: indicator_abs. Qed.

Hypothesis strays_alike : drawn_alike strays_from.

Lemma failures k : (k < K)%nat -> joint k (fun h t => B * (post h (fun s => indicator (fails s h)) + indicator (fails t h))) <= 4 * B / INR K.
Proof.
move=> kK; have k0 := INR_ge1 K1; pose m h (_ : Theta) := post h (strays_from h).
have f1 h t : Rabs (strays_from h t) <= 1 by exact: indicator_abs.
have m1 h (t : Theta) : Rabs (m h t) <= 1 by apply: E_abs.
have rare : joint k strays_from <= 2 / INR K.
  rewrite -(E_const prior (2 / INR K)); apply: E_le => [||t]; [exact: (run_bounded k Rle_0_1 f1) | exact: by_const |].
  exact: (outside_rarely next pays_unit (shows t) discount psrl_ok rho_ok K1 C1).
have same : joint k strays_from = joint k m by exact: strays_alike.
have fm h t : Rabs (m h t + strays_from h t) <= 2 by apply: Rle_trans (Rabs_triang _ _) _; have := m1 h t; have := f1 h t; lra.
have -> : joint k (fun h t => B * (post h (strays_from h) + strays_from h t)) = B * (joint k strays_from + joint k strays_from).
  rewrite {1}same -(joint_add k Rle_0_1 Rle_0_1 m1 f1) /joint -E_scale; last by apply: (run_bounded k (C := 2)) => //; lra.
  apply: E_ext => t; exact: (expected_scale next discount psrl_ok rho_ok (shows t) k B (bounded_sized (fun h => fm h t))).
by have := Rmult_le_compat_l _ _ _ B0 (Rplus_le_compat _ _ _ _ rare rare); rewrite /Rdiv; lra.
Qed.

(* width_bound is B sqrt(2 L) (SnB + 2 sqrt(SnKB)), L = log(2^S SnK (KB+1)). *)
Lemma psrl_bound_alike : bayesian_regret <= width_bound A S K beta + 4 * B.
Proof.
pose bad t h := B * (post h (fun s => indicator (fails s h)) + indicator (fails t h)).
have im h : 0 <= post h (fun s => indicator (fails s h)) <= 1.
  by apply: E_range => s; exact: indicator01.
have b2 h t : Rabs (bad t h) <= 2 * B by apply: Rabs_le; have := im h; have := indicator01 (fails t h); rewrite /bad; nra.
have g2 h t : Rabs (sampled_gap h t) <= 2 * B.
  by apply: E_abs => s; apply: Rabs_le; have := value_range s (best s); have := value_range t (best s); lra.
have B20 : 0 <= 2 * B by lra.
have falls n : weight n <= weight 0 by exact: (f_le weight_falls (leq0n n)).
have each t : \sum_(k < K) expected next beta psrl rho (shows t) k (fun h => sampled_gap h t) <=
    width_bound A S K beta + \sum_(k < K) expected next beta psrl rho (shows t) k (bad t).
  have frozen := @sum_of_frozen A S O next beta discount psrl rho psrl_ok rho_ok (shows t) (bandit t) (bandits t)
    (bandit_shown next pays (shows t)) (fun h => sampled_gap h t) (bad t) (price K beta) weight (2 * B) (width_bound A S K beta) K B20 (@price_tame A S O K beta).
  apply: frozen => //.
  - by move=> h; exact: (price_nonneg _ discount).
  - exact: weight_nonneg.
  - move=> h T0; pose wd s := mean rho (widths beta (bandit t) (best s) T0 h).
    have bw : bounded wd := by_plays (fun pi => mean rho (widths beta (bandit t) pi T0 h)).
    have b1 : bounded (fun s => price K beta h * wd s) by exact: bounded_scale.
    have bs : bounded (fun s => B * (indicator (fails s h) + indicator (fails t h))).
      by apply: bounded_scale; apply: bounded_add; [exact: bi | exact: by_const].
    have bc : bounded (fun _ : Theta => beta ^ T0 * B) by exact: by_const.
    apply: Rle_trans (_ : _ <= post h (fun s => price K beta h * wd s + B * (indicator (fails s h) + indicator (fails t h)) + beta ^ T0 * B)) _.
      apply: E_le => [||s]; [by exists (2 * B) => s; apply: Rabs_le; have := value_range s (best s); have := value_range t (best s); lra
        | by do ?apply: bounded_add |].
      apply: Rle_trans (value_gap discount rho_ok K1 C1 S1 (best s) T0
        (fails := fails s h || fails t h) (bandits t) (bandits s) (units t) (units s) _) _.
        by rewrite negb_or => /andP [ns nt]; split; [exact: (within_unless_outside nt) | exact: (within_unless_outside ns)].
      apply: Rplus_le_compat_r; apply: Rplus_le_compat_l; apply: (Rmult_le_compat_l B) => //.
      by rewrite /indicator; case: (fails s h); case: (fails t h) => /=; lra.
    rewrite (E_add _ (bounded_add b1 bs) bc) (E_add _ b1 bs) (E_scale _ _ bw) E_scale; last by apply: bounded_add; [exact: bi | exact: by_const].
    rewrite (E_add _ (bi h) (by_const _ _)) !E_const.
    have [b0 _] := discount; have := Rmult_le_pos _ _ (pow_le beta T0 b0) B0.
    have -> : unfolded beta psrl rho (bandit t) T0 (fun c => weight (count_of c h)) h = post h wd by rewrite /unfolded /ahead mean_psrl.
    by rewrite /bad; lra.
  - exact: (widths_of_run next discount rho_ok K1 C1 S1 (shows t) psrl_ok).
have k0 := INR_ge1 K1.
have [bg Eg] := E_sum_to K (fun k => run_bounded k B20 g2).
have [bb Eb] := E_sum_to K (fun k => run_bounded k B20 (fun h t => b2 h t)).
rewrite psrl_regret -Eg; apply: Rle_trans (E_le prior bg (bounded_add (by_const _ _) bb) each) _.
rewrite (E_add _ (by_const _ _) bb) E_const; apply: Rplus_le_compat_l.
rewrite Eb (_ : 4 * B = \sum_(k < K) (4 * B / INR K)); last by rewrite sum_to_const; field; lra.
by apply: sum_to_le => k kK; exact: failures.
Qed.
End Psrl.
