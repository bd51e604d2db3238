(* The learner of the minimax bound along its run, on the event that its estimates are near before an episode: what an episode
   costs given the past, and what the averaged variances add up to given the past, as sums along the play. *)

From kernel Require Simulation.
From kernel Require Import Limits Sums Values Bandits Horizon Concentration Retirement Gittins Variance LocalVariance DoubleSum.
From kernel Require Import Episodes Weights Levels Curves VarianceStep TotalVariance ErrorBounds ArmByArm Bonus LearnerCurves.
From kernel Require Import LearnerVariance GapStep Laws LawOfRun Truncation Frozen Radii RunSums LateCounts.

(* The variance under a row that another bounds from one side. *)
Lemma variance_one_sided (X : finType) (p q f : X -> R) eps top excess : probability p -> probability q ->
  (forall y, 0 <= f y <= top) -> \sum_(y : X) Rmax 0 (q y - (1 + eps) * p y) <= excess ->
  variance q f <= (1 + eps) * variance p f + top ^ 2 * excess.
Proof.
move=> p_ok q_ok range sum; set c := mean p f.
have c_range : 0 <= c <= top by exact: mean_range.
have sq y : 0 <= (f y - c) ^ 2 <= top ^ 2.
  split; first exact: pow2_ge_0.
  have [f0 f1] := range y; rewrite -(pow2_abs (f y - c)); apply: pow_incr; split; [exact: Rabs_pos | apply: Rabs_le; lra].
have around : variance q f <= mean q (fun y => (f y - c) ^ 2).
  rewrite /variance (mean_ext _ (f := fun y => (f y - c) ^ 2) (g := fun y => f y ^ 2 - (2 * c * f y + - (c ^ 2)))) => [|y]; last ring.
  by rewrite mean_sub mean_add mean_scale (mean_of_const _ q_ok); have := pow2_ge_0 (mean q f - c); lra.
apply: Rle_trans around _; rewrite (variance_square p_ok) -/c.
exact: (one_sided_mean sq sum (pow2_ge_0 top)).
Qed.

(* A part of a discounted sum of terms >= 0. *)
Lemma part_of_discounted (X : finType) (P : X -> X -> R) (beta : R) (g : X -> R) x N : substochastic P -> is_discount beta ->
  (forall y, 0 <= g y) -> \sum_(t < N) (beta ^ t * reward_at P g t x) <= discounted P beta g x.
Proof.
move=> subP discount g0; have [b0 _] := discount.
have r0 t : 0 <= beta ^ t * reward_at P g t x.
  apply: Rmult_le_pos; first exact: pow_le.
  by elim: t x => [|t IH] x /=; [exact: g0 | apply: mean_nonneg => // y; case: subP].
have lim := sum_to_of_series (Series_correct _ (discounted_converges g subP discount x)).
apply: (is_lim_seq_incr_compare _ _ lim) => n; by rewrite sum_recr; have := r0 n; lra.
Qed.

(* And a discounted sum is at most its first part and what can be left. *)
Lemma discounted_by_part (X : finType) (P : X -> X -> R) (beta : R) (g : X -> R) x T top : (forall y, probability (P y)) ->
  is_discount beta -> 0 <= top -> (forall y, g y <= top) ->
  discounted P beta g x <= \sum_(t < T) (beta ^ t * reward_at P g t x) + beta ^ T * (top / (1 - beta)).
Proof.
move=> P_ok discount t0 gt; have [b0 _] := discount.
have subP : substochastic P by split=> y; [exact: (proj1 (P_ok y)) | rewrite (proj2 (P_ok y)); lra].
apply: Simulation.unfold_recursion => // y; first by rewrite {1}(bellman g subP discount); exact: Rle_refl.
exact: (discounted_at_most_const subP discount t0 gt).
Qed.

Section Run.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation plays := (plays A S).
Notation global := (global A S).
Notation cell := (cell A S).
Notation history := (history A S O).
Notation B := (1 / (1 - beta)).

(* The grid. *)
Variables (G : nat) (m : nat -> R) (d : R).
Hypotheses (G0 : (0 < G)%nat) (grid_up : forall j, (j <= G)%nat -> m j < m j.+1) (grid_0 : m 0%nat = 0) (grid_B : m G = B).
Hypothesis cells : forall j, (j < G)%nat -> m j.+1 - m j <= d.

(* The estimates, frozen at a past: rewards with their radius, rows, and the two logarithms l_k and l'_k. *)
Variables (base : history -> A -> S -> R) (Qhat : history -> A -> S -> S -> R) (C C' : R).
Hypotheses (base_nonneg : forall h a s, 0 <= base h a s) (rows : forall h a s, probability (Qhat h a s)).
Hypotheses (C_large : 4 <= ln C) (C_pos : 0 < C) (CC' : C <= C').
Variables (c1 c2 k1 k2 alpha eps : R).
Hypotheses (c1_nonneg : 0 <= c1) (c12 : c1 ^ 2 <= c2) (k1_nonneg : 0 <= k1) (k2_nonneg : 0 <= k2).
Hypotheses (alpha_pos : 0 < alpha) (eps_pos : 0 < eps) (k1_c1 : (1 + alpha) * k1 <= c1) (k2_c2 : (1 + / alpha) * k2 <= c2).
Notation l h := (log_time C h).
Notation l' h := (log_time C' h).
Notation count h a s := (INR (maxn 1 (count_of (a, s) h))).

Definition radius_of (h : history) a s : R := sqrt (l h / count h a s).
Definition reward_radius (h : history) a s : R := 2 * sqrt (l h / (2 * count h a s)).
Definition excess_of (e : R) (h : history) a s : R := l' h / (e * count h a s).
Definition tau_of (h : history) a s : R := sqrt (l' h / count h a s).
Notation curve h := (learner_curve beta G m (base h) (Qhat h) (radius_of h) c1 c2).

(* The learner plays an arm of largest index. *)
Variable position : history -> A -> S -> nat.
Hypothesis index : forall h, is_index G m (curve h) (position h).
Variables (learner : history -> plays -> R) (rho : global -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Hypothesis largest : forall h pi, 0 < learner h pi -> forall x, of_largest_index (position h) x (pi x).
Notation M := (bandit_of next pays shows).

(* The events before an episode: they are hypotheses on the estimates. *)
Definition side_holds (e : R) (h : history) : Prop :=
  forall a s, \sum_(y : S) Rmax 0 (Qhat h a s y - (1 + e) * row M a s y) <= excess_of e h a s.
Record events_hold (h : history) : Prop := EventsHold {
  rewards_hold : forall a s, reward M a s <= base h a s <= reward M a s + reward_radius h a s;
  means_hold : forall a s j, (j <= G)%nat ->
    Rabs (mean (Qhat h a s) (true_curve beta M m a j) - mean (row M a s) (true_curve beta M m a j))
      <= k1 * deviation (Qhat h a s) (true_curve beta M m a j) * radius_of h a s + k2 * m G * radius_of h a s ^ 2;
  rows_hold : forall a s (f : S -> R), (forall y, 0 <= f y <= 1) -> mean (Qhat h a s) f - mean (row M a s) f <= tau_of h a s;
  side_eps : side_holds eps h;
  side_one : side_holds 1 h;
  side_tenth : side_holds (1/10) h
}.
Variable good : history -> bool.
Hypothesis good_holds : forall h, good h -> events_hold h.

Let hM : markovian M. Proof. exact: bandit_markovian. Qed.
Let unit : unit_rewards M. Proof. exact: bandit_unit. Qed.
Let B1 : 1 <= B := top_ge1 discount.
Let C_1 : 1 <= C.
Proof. by case: (Rle_dec 1 C) => // /Rnot_le_lt lt; have := ln_increasing _ _ C_pos lt; rewrite ln_1; lra. Qed.
Let radius_nonneg h a s : 0 <= radius_of h a s. Proof. exact: sqrt_pos. Qed.
Let ok h := learner_curves discount G0 grid_up grid_0 (base h) (rows h) (radius_nonneg h) c1_nonneg c12.
Let d0 : 0 <= d. Proof. by have := cells G0; have h := @grid_up 0%nat (leq0n G); lra. Qed.
Let c2_nonneg : 0 <= c2. Proof. by apply: Rle_trans c12; exact: pow2_ge_0. Qed.

Lemma l_large (h : history) : 4 <= l h.
Proof.
have n0 := pos_INR (duration h); rewrite log_timeE //.
have : 0 <= ln (1 + INR (duration h)) by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
lra.
Qed.

Lemma l_l' (h : history) : l h <= l' h.
Proof.
have n0 := pos_INR (duration h); apply: Rcomplements.ln_le; first by apply: Rmult_lt_0_compat; lra.
by apply: Rmult_le_compat_r; lra.
Qed.

Let l'_large (h : history) : 4 <= l' h. Proof. by have := l_large h; have := l_l' h; lra. Qed.

(* ---------------------------------------------------------------- The radii by the functions of the count *)

Lemma radius_ofE h a s : radius_of h a s = sqrt (l h) * weight (count_of (a, s) h).
Proof. by rewrite /radius_of radius_by_weight //; have := l_large h; lra. Qed.

Lemma tau_ofE h a s : tau_of h a s = sqrt (l' h) * weight (count_of (a, s) h).
Proof. by rewrite /tau_of radius_by_weight //; have := l'_large h; lra. Qed.

Lemma radius_square h a s : radius_of h a s ^ 2 = l h * inverse (count_of (a, s) h).
Proof.
have c := max1 (count_of (a, s) h); rewrite /radius_of pow2_sqrt //; have := l_large h => l0.
by apply: Rcomplements.Rdiv_le_0_compat; lra.
Qed.

Lemma reward_radiusE h a s : reward_radius h a s = sqrt 2 * radius_of h a s.
Proof.
have c := max1 (count_of (a, s) h); have l4 := l_large h; have q : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
rewrite /reward_radius (_ : l h / (2 * count h a s) = l h / count h a s / 2); last by field; lra.
rewrite (sqrt_div_alt _ 2); last lra.
by rewrite -/(radius_of h a s) -{1}(sqrt_sqrt 2); [field; lra | lra].
Qed.

Lemma excess_ofE e h a s : 0 < e -> excess_of e h a s = / e * (l' h * inverse (count_of (a, s) h)).
Proof. by move=> e0; have c := max1 (count_of (a, s) h); rewrite /excess_of /inverse; field; lra. Qed.

(* ---------------------------------------------------------------- What is paid along the play *)

Notation cnt h x a := (count_of (a, (x : global) a) h).
Notation averaged h x a f := (prevailing G m (curve h) a x (fun j => f (curve h a j))).

Definition cost (h : history) (x : global) (a : A) : R := if good h then Rmin (m G) (let s := x a in
  reward_radius h a s + d + beta * ((c1 + k1) * radius_of h a s * averaged h x a (deviation (Qhat h a s))
    + cell_cost G m (radius_of h) c2 (excess_of eps h) (excess_of 1 h) k1 k2 eps a s)) else 0.
(* The averaged variance under the estimated row at counts from B on, and that under the true row. *)
Definition late_variance (h : history) (x : global) (a : A) : R :=
  if good h then (1 - early B (cnt h x a)) * averaged h x a (variance (Qhat h a (x a))) else 0.
Definition true_variance (h : history) (x : global) (a : A) : R := if good h then mean_variance M G m (curve h) a x else 0.

Lemma averaged_nonneg h x a (q : S -> R) : probability q -> 0 <= averaged h x a (variance q).
Proof. by move=> q_ok; apply: (prevailing_nonneg (ok h)) => j _; exact: variance_nonneg. Qed.

Lemma late_variance_nonneg h x a : 0 <= late_variance h x a.
Proof.
rewrite /late_variance; case: (good h); last lra.
by have e := early_01 B (cnt h x a); apply: Rmult_le_pos; [lra | exact: averaged_nonneg].
Qed.

Lemma true_variance_nonneg h x a : 0 <= true_variance h x a.
Proof. by rewrite /true_variance; case: (good h); [exact: averaged_nonneg | lra]. Qed.

Lemma averaged_at_most h x a (q : S -> R) : probability q -> averaged h x a (variance q) <= B ^ 2.
Proof.
move=> q_ok; rewrite -[X in _ <= X](prevailing_const (ok h) a x); apply: (prevailing_le (ok h)) => j jG; apply: variance_small => // y.
have := excess_range (ok h) a y jG; have := grid_le (ok h) (ltac:(rewrite grid_0; lra) : 0 <= m 0%nat) jG.
by rewrite -grid_B; lra.
Qed.

Lemma late_variance_tame : tame_paid late_variance.
Proof.
apply: (tame_paid_range (c := B ^ 2)) => h x a; split; first exact: late_variance_nonneg.
have BB := pow2_ge_0 B; rewrite /late_variance; case: (good h) => //.
have e := early_01 B (cnt h x a); have v0 := averaged_nonneg h x a (rows h a (x a)); have v1 := averaged_at_most h x a (rows h a (x a)).
by nra.
Qed.

Lemma true_variance_tame : tame_paid true_variance.
Proof.
apply: (tame_paid_range (c := B ^ 2)) => h x a; split; first exact: true_variance_nonneg.
by rewrite /true_variance; case: (good h); [exact: averaged_at_most | exact: pow2_ge_0].
Qed.

Let log_tame c : tame (fun h : history => log_time c h). Proof. exact: (@tame_steps A S O (fun n => ln (c * (INR n + 1)))). Qed.
Let root_tame c : tame (fun h : history => sqrt (log_time c h)). Proof. exact: (@tame_steps A S O (fun n => sqrt (ln (c * (INR n + 1))))). Qed.

Lemma early_or_late n : early B n = 1 \/ early B n = 0 /\ B <= INR n.
Proof. by rewrite /early; case: (Rlt_dec (INR n) B) => h /=; [left | right; split => //; lra]. Qed.

(* 4.5 *)
Lemma late_variance_at_most h x a :
  late_variance h x a <= 11/10 * true_variance h x a + 10 * B ^ 2 * (l' h * late_inverse B (cnt h x a)).
Proof.
have lt0 := late_nonneg B1 (cnt h x a); have l4 := l'_large h.
have p0 : 0 <= 10 * B ^ 2 * (l' h * late_inverse B (cnt h x a)) by nonneg.
have v0 := true_variance_nonneg h x a; move: v0; rewrite /late_variance /true_variance; case g : (good h) => v0; last lra.
have ev := good_holds g; case: (early_or_late (cnt h x a)) => [->|[-> bn]]; first lra.
rewrite Rminus_0_r Rmult_1_l -(inverse_late B1 bn) -[X in _ + X](prevailing_const (ok h) a x).
rewrite -(prevailing_scale G m (curve h) a x) -prevailing_add; apply: (prevailing_le (ok h)) => j jG.
have range y : 0 <= curve h a j y <= B.
  have := excess_range (ok h) a y jG; have := grid_le (ok h) (ltac:(rewrite grid_0; lra) : 0 <= m 0%nat) jG.
  by rewrite -grid_B; lra.
have side := side_tenth ev a (x a); rewrite excess_ofE in side; last lra.
have := variance_one_sided (hM a (x a)) (rows h a (x a)) range side; rewrite -/M.
lra.
Qed.

Definition spending (z : R) (h : history) (x : global) (a : A) : R :=
  B * (1 * early B (cnt h x a)) + (sqrt 2 * (sqrt (l h) * weight (cnt h x a)) + (d +
    (beta * (c1 + k1) / 2 * z + beta * B * (k1 ^ 2 / (4 * eps) + c2 + k2)) * (l h * late_inverse B (cnt h x a)) +
    beta * B * (/ eps + eps) * (l' h * late_inverse B (cnt h x a)) +
    beta * (c1 + k1) / (2 * z) * late_variance h x a)).

(* A step costs at most B, at counts below B, and otherwise what the radii make of it: between radius and deviation lies the
   mean of z radius^2 and deviation^2/z. *)
Lemma cost_at_most z h x a : 0 < z -> cost h x a <= spending z h x a.
Proof.
move=> z0; have [b0 b1] := discount; have l4 := l_large h; have l4' := l'_large h.
have w0 := weight_nonneg (cnt h x a); have lt0 := late_nonneg B1 (cnt h x a); have v0 := late_variance_nonneg h x a.
have e01 := early_01 B (cnt h x a); have ie := Rinv_0_lt_compat _ eps_pos; have iz := Rinv_0_lt_compat _ z0.
have bc : 0 <= beta * (c1 + k1) by nonneg.
have s2 : 0 <= sqrt 2 * (sqrt (l h) * weight (cnt h x a)) by nonneg.
have s3 : 0 <= (beta * (c1 + k1) / 2 * z + beta * B * (k1 ^ 2 / (4 * eps) + c2 + k2)) * (l h * late_inverse B (cnt h x a)) by nonneg.
have s4 : 0 <= beta * B * (/ eps + eps) * (l' h * late_inverse B (cnt h x a)) by nonneg.
have s5 : 0 <= beta * (c1 + k1) / (2 * z) * late_variance h x a by nonneg.
have s1 : 0 <= B * (1 * early B (cnt h x a)) by nonneg.
rewrite /cost /spending; case g : (good h); last lra.
case: (early_or_late (cnt h x a)) => [e1|[e0 bn]].
  by apply: Rle_trans (Rmin_l _ _) _; rewrite e1 grid_B; lra.
apply: Rle_trans (Rmin_r _ _) _; rewrite e0 /cell_cost reward_radiusE !excess_ofE //; last lra.
set r := radius_of h a (x a); have r0 : 0 <= r := radius_nonneg h a (x a).
have sq : r ^ 2 = l h * late_inverse B (cnt h x a) by rewrite /r radius_square (inverse_late B1 bn).
have amgm : r * averaged h x a (deviation (Qhat h a (x a))) <= z / 2 * r ^ 2 + / (2 * z) * late_variance h x a.
  rewrite /late_variance g e0 Rminus_0_r Rmult_1_l.
  rewrite -(prevailing_scale G m (curve h) a x r) -(prevailing_const (ok h) a x (z / 2 * r ^ 2)).
  rewrite -(prevailing_scale G m (curve h) a x (/ (2 * z))) -prevailing_add; apply: (prevailing_le (ok h)) => j _.
  rewrite -(deviation_square (rows h a (x a))); set v := deviation _ _.
  have -> : / (2 * z) * (v * v) = / z * (v ^ 2 / 2) by field; lra.
  have p := Rmult_le_pos _ _ (Rlt_le _ _ iz) (pow2_ge_0 (z * r - v)).
  rewrite (_ : / z * (z * r - v) ^ 2 = z * r ^ 2 - 2 * (r * v) + / z * v ^ 2) in p; last by field; lra.
  lra.
have amgm' := Rmult_le_compat_l _ _ _ bc amgm.
rewrite grid_B -(radius_ofE h a (x a)) -/r (inverse_late B1 bn) Rinv_1 sq; rewrite sq in amgm'.
by nra.
Qed.

(* ---------------------------------------------------------------- The error of total variance *)

Definition err_root : R := B ^ 2 * (2 * sqrt 2 * (1 - beta) + beta * (3 + 3/2 * c1)).
Definition err_inverse : R := 2 * c2 * (beta * B ^ 2).
Definition err_grid : R := 4 * B * d.
Definition err (h : history) (x : global) (a : A) : R :=
  err_root * (sqrt (l' h) * weight (cnt h x a)) + (err_inverse * (l h * inverse (cnt h x a)) + err_grid).

Lemma err_parts : 0 <= err_root /\ 0 <= err_inverse /\ 0 <= err_grid.
Proof.
have [b0 b1] := discount; have p := pow2_ge_0 B; have q := sqrt_pos 2.
by rewrite /err_root /err_inverse /err_grid; split; [|split]; nonneg.
Qed.

Lemma err_tame : tame_paid err.
Proof.
apply: tame_paid_add; first by apply: tame_paid_scale; exact: tame_paid_count.
by apply: tame_paid_add; [apply: tame_paid_scale; exact: tame_paid_count | exact: tame_paid_const].
Qed.

Lemma err_nonneg h x a : 0 <= err h x a.
Proof.
have [e1 [e2 e3]] := err_parts; have l4 := l_large h; have w0 := weight_nonneg (cnt h x a); have i0 := inverse_nonneg (cnt h x a).
by rewrite /err; nonneg.
Qed.

Definition err_top (h : history) : R := (err_root + err_inverse) * l' h + err_grid.

Lemma err_at_most h x a : err h x a <= err_top h.
Proof.
have [e1 [e2 e3]] := err_parts; have l4 := l_large h; have ll := l_l' h.
have w0 := weight_nonneg (cnt h x a); have i0 := inverse_nonneg (cnt h x a); have x1 := max1 (cnt h x a).
have i1 : inverse (cnt h x a) <= 1 by rewrite /inverse -[X in _ <= X]Rinv_1; apply: Rinv_le_contravar; lra.
have w1 : weight (cnt h x a) <= 1.
  rewrite /weight -[X in _ <= X]Rinv_1 -[X in _ <= / X]sqrt_1; apply: Rinv_le_contravar; first by apply: sqrt_lt_R0; lra.
  exact: sqrt_le_1_alt.
have r0 := sqrt_pos (l' h); have r1 : sqrt (l' h) <= l' h.
  have rr : sqrt (l' h) * sqrt (l' h) = l' h by apply: sqrt_sqrt; lra.
  by nra.
have : err h x a <= err_root * (l' h * 1) + (err_inverse * (l' h * 1) + err_grid) by rewrite /err; factorwise.
by rewrite /err_top; lra.
Qed.

Lemma cell_error_at_most h x a :
  cell_error beta (radius_of h) c1 c2 (reward_radius h) (tau_of h) d a ((x : global) a) <= err h x a.
Proof.
have [b0 b1] := discount; rewrite /cell_error reward_radiusE tau_ofE radius_square radius_ofE /err.
have w0 := weight_nonneg (cnt h x a); have q2 := sqrt_pos 2.
have mono : sqrt (l h) * weight (cnt h x a) <= sqrt (l' h) * weight (cnt h x a).
  by apply: Rmult_le_compat_r => //; apply: sqrt_le_1_alt; exact: l_l'.
move: mono; set u := sqrt (l h) * _; set v := sqrt (l' h) * _; set i := l h * _ => uv.
have e : 2 * B * (sqrt 2 * u) = B ^ 2 * (2 * sqrt 2 * (1 - beta) * u) by field; lra.
have f1 : B ^ 2 * (2 * sqrt 2 * (1 - beta) * u) <= B ^ 2 * (2 * sqrt 2 * (1 - beta) * v) by factorwise.
have f2 : B ^ 2 * (beta * (c1 * u)) <= B ^ 2 * (beta * (c1 * v)) by factorwise.
rewrite /err_root /err_inverse /err_grid; move: e f1 f2; set b := B; set w := sqrt 2; set k := 1 - beta => e f1 f2.
by nra.
Qed.

(* ---------------------------------------------------------------- An episode, given the past *)

Notation going pi := (fun y => P M ((pi : plays) y) y).
Notation owed g pi := (fun y => g y ((pi : plays) y)).
Notation ahead_of T g h := (ahead beta learner rho M T g h).

Lemma reward_at_zero (X : finType) (Q : X -> X -> R) t x : reward_at Q (fun _ => 0) t x = 0.
Proof. by elim: t x => [|t IH] x //=; rewrite (mean_ext _ IH) mean_const Rmult_0_r. Qed.

Lemma err_top_nonneg h : 0 <= err_top h.
Proof.
have [e1 [e2 e3]] := err_parts; have l4 := l'_large h.
by have : 0 <= (err_root + err_inverse) * l' h by [apply: Rmult_le_pos; lra]; rewrite /err_top; lra.
Qed.

(* 4.1 and 4.3: the averaged variances up to N, by B^2 and the errors up to T. *)
Lemma variance_ahead h T N :
  beta * ahead_of N (true_variance h) h <= (B ^ 2 + beta ^ T * (B * err_top h)) + 1 * ahead_of T (err h) h.
Proof.
have [b0 b1] := discount; have t0 := err_top_nonneg h; have p0 := pow_le beta T b0.
rewrite {1}/ahead -mean_scale (mean_ext _ (g := fun pi => mean rho (fun x => beta * \sum_(t < N) (beta ^ t *
  reward_at (going pi) (owed (true_variance h) pi) t x)))) => [|pi]; last by rewrite -mean_scale.
apply: (chosen_mean learner_ok rho_ok) => pi x chosen; rewrite Rmult_1_l.
have subP := sub_policy (P_sub hM) (fun y => pi y).
have P_ok y : probability (P M (pi y) y) := P_stochastic (pi y) y hM.
have errs : discounted (going pi) beta (owed (err h) pi) x <=
    \sum_(t < T) (beta ^ t * reward_at (going pi) (owed (err h) pi) t x) + beta ^ T * (B * err_top h).
  rewrite (_ : B * err_top h = err_top h / (1 - beta)); last by field; lra.
  by apply: discounted_by_part => // y; exact: err_at_most.
have rest0 : 0 <= \sum_(t < T) (beta ^ t * reward_at (going pi) (owed (err h) pi) t x).
  apply: sum_to_nonneg => t _; apply: Rmult_le_pos; first exact: pow_le.
  exact: (owed_nonneg hM pi t x (err_nonneg h)).
have tail0 : 0 <= beta ^ T * (B * err_top h) by apply: Rmult_le_pos => //; apply: Rmult_le_pos; lra.
have BB := pow2_ge_0 B.
case g : (good h); last first.
  rewrite (@sum_to_ext N _ (fun _ => 0)) => [|t _]; last by rewrite /true_variance g reward_at_zero Rmult_0_r.
  by rewrite sum_to_const; lra.
have ev := good_holds g.
have gap0 a s : 0 <= reward_radius h a s by rewrite reward_radiusE; apply: Rmult_le_pos; exact: sqrt_pos.
have total := learner_total_variance discount G0 grid_up grid_0 (base_nonneg h) (rows h) (radius_nonneg h) c1_nonneg c12 hM unit
  grid_B gap0 (fun a s => proj2 (rewards_hold ev a s)) (rows_hold ev) (index h) cells (largest chosen) x.
have part := part_of_discounted (g := owed (true_variance h) pi) x N subP discount (fun y => true_variance_nonneg h y (pi y)).
have same : discounted (going pi) beta (owed (true_variance h) pi) x =
    discounted (going pi) beta (variance_played M G m (curve h) (fun y => pi y)) x by rewrite /true_variance g.
rewrite same in part.
have less : discounted (going pi) beta (fun y => cell_error beta (radius_of h) c1 c2 (reward_radius h) (tau_of h) d (pi y) (y (pi y))) x
    <= discounted (going pi) beta (owed (err h) pi) x.
  apply: (discounted_at_most subP discount) => y; rewrite [X in _ <= X](bellman (owed (err h) pi) subP discount).
  by apply: Rplus_le_compat_r; exact: cell_error_at_most.
apply: Rle_trans (Rmult_le_compat_l _ _ _ b0 part) _; apply: Rle_trans total _; rewrite Rplus_assoc; apply: Rplus_le_compat_l.
by rewrite Rplus_comm; apply: Rle_trans less _; rewrite Rplus_comm in errs *.
Qed.

Lemma cost_nonneg h x a : 0 <= cost h x a.
Proof.
have [b0 b1] := discount; rewrite /cost; case: (good h); last lra.
have av : 0 <= averaged h x a (deviation (Qhat h a (x a))).
  by apply: (prevailing_nonneg (ok h)) => j _; exact: deviation_nonneg.
have l4 := l'_large h; have i0 := inverse_nonneg (cnt h x a).
apply: Rmin_glb; first by rewrite grid_B; lra.
by rewrite reward_radiusE /cell_cost grid_B !excess_ofE; [nonneg | lra | lra].
Qed.

Lemma cost_tame : tame_paid cost.
Proof.
apply: (tame_paid_range (c := m G)) => h x a; split; first exact: cost_nonneg.
by rewrite /cost; case: (good h); [exact: Rmin_l | rewrite grid_B; lra].
Qed.

(* 3.5: what an episode costs given the past. *)
Lemma loss_at_most (pistar : policy A S) T0 e h : (1 + 3 * eps) ^ T0 <= e ->
  loss beta learner rho M pistar h <= (B * indicator (~~ good h) + e * beta ^ T0 * B) + e * ahead_of T0 (cost h) h.
Proof.
move=> compounded; have [b0 b1] := discount; have p0 := pow_le beta T0 b0.
have e1 : 1 <= e by apply: Rle_trans compounded; apply: pow_R1_Rle; lra.
have tail0 : 0 <= e * beta ^ T0 * B by apply: Rmult_le_pos; [apply: Rmult_le_pos; lra | lra].
have a0 : 0 <= e * ahead_of T0 (cost h) h.
  by apply: Rmult_le_pos; [lra | apply: (ahead_nonneg discount learner_ok rho_ok hM); exact: cost_nonneg].
case g : (good h); rewrite /indicator /=; last first.
  by have := Rle_trans _ _ _ (Rle_abs _) (loss_abs discount learner_ok rho_ok pistar hM unit h); lra.
have ev := good_holds g; rewrite Rmult_0_r Rplus_0_l; apply: (chosen_mean learner_ok rho_ok) => pi x chosen.
pose D := GapStep.gap beta G m (base h) (Qhat h) (radius_of h) c1 c2 M (fun y => pi y).
have optimistic := GapStep.gap_nonneg discount G0 grid_up grid_0 (rows h) (radius_nonneg h) c1_nonneg c12 hM unit grid_B alpha_pos
  k1_c1 k2_c2 (rewards_hold ev) (means_hold ev) pistar x.
have below : Episodes.gap beta M pistar pi x <= D x by move: optimistic; rewrite /D /GapStep.gap /Episodes.gap; lra.
have step y : D y <= owed (cost h) pi y + beta * (1 + 3 * eps) * mean (going pi y) D.
  have := gap_step_capped discount G0 grid_up grid_0 (base_nonneg h) (rows h) (radius_nonneg h) c1_nonneg c12 hM unit grid_B
    k1_nonneg alpha_pos eps_pos k1_c1 k2_c2 (rewards_hold ev) (means_hold ev) (excess := excess_of eps h) (side_eps ev)
    (excess_1 := excess_of 1 h) (side_one ev) (index h) cells (largest chosen) y.
  by rewrite /cost g /step_cost.
have top y : D y <= m G by exact: (GapStep.gap_at_most discount G0 grid_up grid_0 (base h) (rows h) (radius_nonneg h) c1_nonneg c12 hM unit).
have P_ok y : probability (P M (pi y) y) := P_stochastic (pi y) y hM.
have be0 : 0 <= beta * (1 + 3 * eps) by apply: Rmult_le_pos; lra.
have := Simulation.unfold_recursion (P := going pi) T0 x P_ok be0 step top; rewrite grid_B => main.
apply: Rle_trans below _; apply: Rle_trans main _; rewrite Rplus_comm; apply: Rplus_le_compat.
  rewrite Rpow_mult_distr (_ : e * beta ^ T0 * B = beta ^ T0 * e * B); last ring.
  by apply: Rmult_le_compat_r; [lra | apply: Rmult_le_compat_l].
rewrite -sum_to_scale; apply: sum_to_le => t tT.
have r0 := owed_nonneg hM pi t x (cost_nonneg h).
rewrite Rpow_mult_distr -Rmult_assoc; apply: Rmult_le_compat_r => //; rewrite Rmult_comm.
apply: Rmult_le_compat_r; first exact: pow_le.
by apply: Rle_trans compounded; apply: Rle_pow; [lra | apply/leP; exact: ltnW].
Qed.

(* ---------------------------------------------------------------- K episodes *)

Variable K : nat.
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Notation L := (log_horizon beta C K).
Notation L' := (log_horizon beta C' K).
Notation sn := (INR #|cell|).
Notation KB := (INR K * B).

Let C'_1 : 1 <= C'. Proof. by apply: Rle_trans CC'. Qed.
Let C'_large : 4 <= ln C'. Proof. by apply: Rle_trans C_large _; apply: Rcomplements.ln_le. Qed.
Let KB0 : 0 <= KB. Proof. by apply: Rmult_le_pos; [exact: pos_INR | lra]. Qed.
Let sn0 : 0 <= sn. Proof. exact: pos_INR. Qed.

(* E sum sqrt(l/N), as it is bounded in the kernel; E sum l/N over the steps at counts from B on; E sum l/N. *)
Definition roots (x : R) : R := sn * (B * sqrt x) + 2 * (sqrt x * sqrt (sn * KB)).
Definition lates (x : R) : R := sn * (x * (3 + ln (1 + INR K / sn))).
Definition inverses (x : R) : R := sn * (x * (B + 2 + ln (1 + KB))).

(* What the averaged variances add up to over the run, times beta: 4.4. *)
Definition all_variance : R := INR K * B ^ 2 + (err_root * roots L' + (err_inverse * inverses L + err_grid * KB)).
Definition variance_tail : R := INR K * (B * ((err_root + err_inverse) * L' + err_grid)).

Let scaled N u f (tf : tame_paid f) := cut_along_scale next discount learner_ok rho_ok shows N K u tf.
Let summed_up N f g (tf : tame_paid f) (tg : tame_paid g) := cut_along_add next discount learner_ok rho_ok shows N K tf tg.

Lemma err_along N : cut_mean N K (along_run err) <= err_root * roots L' + (err_inverse * inverses L + err_grid * KB).
Proof.
have [e1 [e2 e3]] := err_parts.
rewrite -[along_run err]/(along_run (fun h x a =>
  err_root * (sqrt (l' h) * weight (cnt h x a)) + (err_inverse * (l h * inverse (cnt h x a)) + err_grid))).
have s3 := cut_along_one next discount learner_ok rho_ok shows N K e3; move: err_grid e3 s3 => g e3 s3.
have pd c f := tame_paid_count f (log_tame c); have pr c f := tame_paid_count f (root_tame c).
rewrite !(summed_up, scaled); try by paid.
rewrite (cut_along_frozen _ _ _ _ _ _ _ (fun h => sqrt (l' h)) weight) (cut_along_frozen _ _ _ _ _ _ _ (fun h => l h) inverse).
have s1 := bonus_sum next discount learner_ok rho_ok shows C'_1 K1 C1 N.
have s2 := inverse_sum next discount learner_ok rho_ok shows C1 K C_large C_pos N.
apply: Rplus_le_compat; first by apply: Rmult_le_compat_l.
by apply: Rplus_le_compat; first by apply: Rmult_le_compat_l.
Qed.

Lemma err_top_grows r (h : history) : err_top h <= err_top (r :: h).
Proof.
have [e1 [e2 e3]] := err_parts; apply: Rplus_le_compat_r; apply: Rmult_le_compat_l; first lra.
exact: log_time_grows.
Qed.

(* beta times the sum of the averaged variances, with lengths cut at N: 4.4. *)
Lemma variance_along N T : (T <= N)%nat ->
  (1 - beta ^ (N - T)) * (beta * cut_mean N K (along_run true_variance)) <= all_variance + beta ^ T * variance_tail.
Proof.
move=> TN; have [b0 b1] := discount; have [m0 m1] := cut_mass discount (N - T); have [e1 [e2 e3]] := err_parts.
set q := 1 - _ in m0 m1 *; have p0 := pow_le beta T b0; have k0 := pos_INR K; have BB := pow2_ge_0 B.
have L'0 : 0 <= L' by left; exact: (log_horizon_pos discount C'_1 K1).
have run := run_at_most_ahead discount learner_ok rho_ok hM (bandit_shown next pays shows) N K true_variance_tame true_variance_nonneg.
have summed_at_most (h : history) : size h = K -> beta * summed (fun h => ahead_of N (true_variance h) h) h <=
    INR K * B ^ 2 + (summed (fun h => ahead_of T (err h) h) h + beta ^ T * (INR K * (B * err_top h))).
  move=> <-; elim: h => [|r h IH]; first by rewrite /summed /=; lra.
  rewrite /summed [over_episodes _ _]/= [X in _ <= _ + (X + _)]/= -!/(summed _ _) -[size (r :: h)]/((size h).+1) S_INR.
  have one := variance_ahead h T N; have t0 := err_top_nonneg h.
  have mono : beta ^ T * ((INR (size h) + 1) * (B * err_top h)) <= beta ^ T * ((INR (size h) + 1) * (B * err_top (r :: h))).
    apply: Rmult_le_compat_l => //; apply: Rmult_le_compat_l; first by have := pos_INR (size h); lra.
    by apply: Rmult_le_compat_l; [lra | exact: err_top_grows].
  lra.
have le1 : beta * cut_mean N K (summed (fun h => ahead_of N (true_variance h) h)) <=
    INR K * B ^ 2 + (cut_mean N K (summed (fun h => ahead_of T (err h) h)) + beta ^ T * variance_tail).
  have c0 : 0 <= INR K * B ^ 2 + beta ^ T * (INR K * B) * err_grid by nonneg.
  have tV := tame_summed (ahead_tame discount learner_ok rho_ok hM N true_variance_tame true_variance_nonneg).
  have tE := tame_summed (ahead_tame discount learner_ok rho_ok hM T err_tame err_nonneg).
  have le (h : history) : size h = K -> beta * summed (fun h => ahead_of N (true_variance h) h) h <= 1 * summed (fun h => ahead_of T (err h) h) h +
      (beta ^ T * (INR K * B) * (err_root + err_inverse) * l' h + (INR K * B ^ 2 + beta ^ T * (INR K * B) * err_grid)).
    by move=> sz; apply: Rle_trans (summed_at_most h sz) _; apply: Req_le; rewrite /err_top; ring.
  apply: Rle_trans (cut_le_linear next discount learner_ok rho_ok shows N tV tE (log_tame C' : tame (log_time C')) c0 le) _.
  have kr : 0 <= beta ^ T * (INR K * B) * (err_root + err_inverse) by apply: Rmult_le_pos; [apply: Rmult_le_pos | lra].
  have := Rmult_le_compat_l _ _ _ kr (mean_log_time next discount learner_ok rho_ok shows C'_1 K1 N); rewrite /variance_tail; lra.
have run2 := ahead_of_run discount learner_ok rho_ok hM (bandit_shown next pays shows) K err_tame err_nonneg TN.
have le2 := Rmult_le_compat_l _ _ _ b0 run.
have le3 := Rmult_le_compat_l _ _ _ m0 (Rle_trans _ _ _ le2 le1); rewrite -/q in run2.
have kb : 0 <= INR K * B ^ 2 by apply: Rmult_le_pos.
have t0 : 0 <= beta ^ T * variance_tail by rewrite /variance_tail; nonneg.
have ea := Rle_trans _ _ _ run2 (err_along N).
have x1 := Rmult_le_compat_r _ _ _ kb m1; have x2 := Rmult_le_compat_r _ _ _ t0 m1.
rewrite /all_variance; lra.
Qed.

(* What the steps cost, but for the averaged variances: 5.1, 5.2, 5.5. *)
Definition spent_but (z : R) : R := B * (3 * (sn * B)) + (sqrt 2 * roots L + (d * KB +
  (beta * (c1 + k1) / 2 * z + beta * B * (k1 ^ 2 / (4 * eps) + c2 + k2)) * lates L +
  beta * B * (/ eps + eps) * lates L' + beta * (c1 + k1) / (2 * z) * (10 * B ^ 2 * lates L'))).

Lemma cost_along z N : 0 < z -> cut_mean N K (along_run cost) <=
  spent_but z + (c1 + k1) / (2 * z) * (11/10 * (beta * cut_mean N K (along_run true_variance))).
Proof.
move=> z0; have [b0 b1] := discount; have ie := Rinv_0_lt_compat _ eps_pos; have iz := Rinv_0_lt_compat _ z0.
have pointwise h x a : cost h x a <= spending z h x a by exact: cost_at_most.
have t6 := late_variance_tame; have pd c f := tame_paid_count f (log_tame c); have pr c f := tame_paid_count f (root_tame c).
have ts : tame_paid (fun h x a => spending z h x a) by rewrite /spending; paid.
apply: Rle_trans (cut_along_le next discount learner_ok rho_ok shows N K cost_tame ts pointwise) _.
have first : cut_mean N K (along_run (fun h x a => early B (cnt h x a))) = cut_mean N K (frozen (fun _ => 1) (early B)).
  by rewrite -cut_along_frozen scaled ?Rmult_1_l //; exact: tame_paid_cell.
rewrite -[along_run _]/(along_run (fun h x a => spending z h x a)) /spending !(summed_up, scaled); try by paid.
rewrite first (cut_along_frozen _ _ _ _ _ _ _ (fun h => sqrt (l h)) weight)
  (cut_along_frozen _ _ _ _ _ _ _ (fun h => l h) (late_inverse B)).
rewrite (cut_along_frozen _ _ _ _ _ _ _ (fun h => l' h) (late_inverse B)) Rmult_1_l.
have s1 := early_steps next discount learner_ok rho_ok shows C1 N K.
have s2 := bonus_sum next discount learner_ok rho_ok shows C_1 K1 C1 N; rewrite -/(roots L) in s2.
have s3 := cut_along_one next discount learner_ok rho_ok shows N K d0.
have s4 := late_sum next discount learner_ok rho_ok shows C1 K C_large C_pos N; rewrite -/(lates L) in s4.
have s5 := late_sum next discount learner_ok rho_ok shows C1 K C'_large (ltac:(lra)) N; rewrite -/(lates L') in s5.
have s6 : cut_mean N K (along_run late_variance) <= 11/10 * cut_mean N K (along_run true_variance) + 10 * B ^ 2 * lates L'.
  have tt := true_variance_tame.
  apply: Rle_trans (cut_along_le next discount learner_ok rho_ok shows N K late_variance_tame _ late_variance_at_most) _; first by paid.
  rewrite !(summed_up, scaled); try by paid.
  rewrite (cut_along_frozen _ _ _ _ _ _ _ (fun h => l' h) (late_inverse B)).
  by apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //; have := pow2_ge_0 B; lra.
have p4 : 0 <= beta * (c1 + k1) / 2 * z + beta * B * (k1 ^ 2 / (4 * eps) + c2 + k2) by nonneg.
have p5 : 0 <= beta * B * (/ eps + eps) by nonneg.
have p6 : 0 <= beta * (c1 + k1) / (2 * z) by nonneg.
have u1 := Rmult_le_compat_l B _ _ (ltac:(lra)) s1; have u2 := Rmult_le_compat_l _ _ _ (sqrt_pos 2) s2.
have u4 := Rmult_le_compat_l _ _ _ p4 s4; have u5 := Rmult_le_compat_l _ _ _ p5 s5; have u6 := Rmult_le_compat_l _ _ _ p6 s6.
have -> : (c1 + k1) / (2 * z) * (11/10 * (beta * cut_mean N K (along_run true_variance))) =
    beta * (c1 + k1) / (2 * z) * (11/10 * cut_mean N K (along_run true_variance)) by field; lra.
move: u1 u2 u4 u5 u6 s3; rewrite /spent_but; set w := beta * (c1 + k1) / (2 * z); lra.
Qed.

(* ---------------------------------------------------------------- The regret *)

(* The episodes before which the event fails are in the mean at most b: 2.2. *)
Variable b : R.
Hypotheses (b_nonneg : 0 <= b) (rarely_bad : forall N, cut_mean N K (summed (fun h => indicator (~~ good h))) <= b).
Variables (T0 : nat) (e : R).
Hypothesis compounded : (1 + 3 * eps) ^ T0 <= e.
Variable pistar : policy A S.

Definition bound_at (z : R) : R := B * b + e * beta ^ T0 * KB + e * (spent_but z + (c1 + k1) / (2 * z) * (11/10 * all_variance)).

Lemma lates_nonneg C0 : 1 <= C0 -> 0 <= lates (log_horizon beta C0 K).
Proof.
move=> C01; apply: Rmult_le_pos => //; apply: Rmult_le_pos; first by left; exact: (log_horizon_pos discount C01 K1).
have : 0 <= ln (1 + INR K / sn).
  rewrite -ln_1; apply: Rcomplements.ln_le; first lra.
  have : 0 <= INR K / sn by apply: Rcomplements.Rdiv_le_0_compat; [exact: pos_INR | apply: lt_0_INR; apply/ltP].
  lra.
lra.
Qed.

(* Sections 3.5, 4.4 and 5: for every z > 0. *)
Lemma regret_at_most_bound z : 0 < z -> expected_regret next beta learner rho shows M pistar K <= bound_at z.
Proof.
move=> z0; have [b0 b1] := discount; have iz := Rinv_0_lt_compat _ z0; have B0 : 0 <= B by lra.
have e1 : 1 <= e by apply: Rle_trans compounded; apply: pow_R1_Rle; lra.
have e0 : 0 <= e by lra.
have kz : 0 <= e * ((c1 + k1) / (2 * z) * (11/10)) by nonneg.
have sp0 : 0 <= spent_but z.
  have lC := lates_nonneg C_1; have lC' := lates_nonneg C'_1; have ie := Rinv_0_lt_compat _ eps_pos.
  by rewrite /spent_but /roots; nonneg.
have tail0 : 0 <= e * beta ^ T0 * B by nonneg.
have tc := cost_tame; have tb := tame_indicator (fun h => ~~ good h); have tt := @tame_const A S O (e * beta ^ T0 * B).
rewrite (regret_by_episodes next discount learner_ok rho_ok shows pistar hM unit).
apply: (geometric_le discount (is_lim_seq_const _) (C := e * ((c1 + k1) / (2 * z) * (11/10 * variance_tail)))) => T.
set F := e * (spent_but z + (c1 + k1) / (2 * z) * (11/10 * (all_variance + beta ^ T * variance_tail))).
rewrite (_ : bound_at z + _ = F + (B * b + e * beta ^ T0 * KB)); last by rewrite /bound_at /F; ring.
apply: (sum_by_ahead (X := fun h => loss beta learner rho M pistar h) (bad := fun h => B * indicator (~~ good h) + e * beta ^ T0 * B)
  (g := fun h x a => e * cost h x a) (u := fun N => 1 - beta ^ (N - T)) (T0 := T0) discount learner_ok rho_ok hM
  (bandit_shown next pays shows) B0 (loss_abs discount learner_ok rho_ok pistar hM unit) _ _ _ _ _ _ _ _ (is_lim_seq_const _))
  => [||h x a|h|N||N|N].
- by apply: tame_add => //; exact: tame_scale.
- exact: tame_paid_scale.
- by apply: Rmult_le_pos => //; exact: cost_nonneg.
- by rewrite ahead_scale Rplus_comm; exact: loss_at_most.
- by case: (cut_mass discount (N - T)).
- by apply: (proj2 (is_lim_seq_incr_n _ T _)); apply: is_lim_seq_ext (geometric_rest discount) => n; rewrite plusE addnK.
- rewrite scaled //; have [m0 m1] := cut_mass discount (N - T).
  have pos : 0 <= all_variance + beta ^ T * variance_tail by have := variance_along (leqnn T); rewrite subnn Rminus_eq_0 Rmult_0_l.
  have y0 := Rmult_le_compat_l _ _ _ kz pos; have s0 := Rmult_le_compat_l _ _ _ e0 (Rmult_le_compat_r _ _ _ sp0 m1).
  case: (leqP T N) => [TN|/ltnW/eqP ->]; last first.
    by rewrite Rminus_eq_0 Rmult_0_l /F; have := Rmult_le_pos _ _ e0 sp0; lra.
  have x := Rmult_le_compat_l _ _ _ e0 (Rmult_le_compat_l _ _ _ m0 (cost_along N z0)).
  have y := Rmult_le_compat_l _ _ _ kz (variance_along TN).
  by rewrite /F; move: x y s0; set w := (c1 + k1) / (2 * z); lra.
have ts := tame_summed tb; have c := summed_cut discount learner_ok rho_ok K tt tail0 (fun j => law_const_le next discount learner_ok rho_ok shows N j [::] tail0).
rewrite /truncated (@law_ext A S O next beta learner rho shows N K [::] _ (fun h => B * summed (fun h => indicator (~~ good h)) h +
  summed (fun _ => e * beta ^ T0 * B) h)) => [|h]; last by rewrite summed_add summed_scale.
rewrite (law_add next discount learner_ok rho_ok shows) ?(law_scale next discount learner_ok rho_ok shows) //; [|exact: tame_scale|exact: tame_summed].
by rewrite -!/(cut_mean N K _); have := Rmult_le_compat_l _ _ _ B0 (rarely_bad N); lra.
Qed.

(* With the best z: Cauchy-Schwarz, under one expectation. *)
Definition in_full : R := B * b + e * beta ^ T0 * KB + e * (3 * (sn * B ^ 2) + sqrt 2 * roots L + d * KB +
  beta * B * (k1 ^ 2 / (4 * eps) + c2 + k2) * lates L + beta * B * (/ eps + eps) * lates L' +
  (c1 + k1) * sqrt (beta * lates L * (11/10 * all_variance + 10 * (beta * B ^ 2) * lates L'))).

(* step of: beyond:minimax *)
Theorem regret_in_full : expected_regret next beta learner rho shows M pistar K <= in_full.
Proof.
have [b0 b1] := discount; have e1 : 1 <= e by apply: Rle_trans compounded; apply: pow_R1_Rle; lra.
have lC := lates_nonneg C_1; have lC' := lates_nonneg C'_1; have bad0 := b_nonneg.
have L0 : 0 <= L by left; exact: (log_horizon_pos discount C_1 K1).
have v0 : 0 <= all_variance.
  have l0 : 0 <= ln (1 + KB) by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
  by rewrite /all_variance /roots /inverses; nonneg.
set u := e * ((c1 + k1) / 2) * (beta * lates L).
set w := e * ((c1 + k1) / 2) * (11/10 * all_variance + 10 * (beta * B ^ 2) * lates L').
have ec : 0 <= e * ((c1 + k1) / 2) by apply: Rmult_le_pos; lra.
have bl : 0 <= beta * lates L by exact: Rmult_le_pos.
have W0 : 0 <= 11/10 * all_variance + 10 * (beta * B ^ 2) * lates L' by nonneg.
set X := B * b + e * beta ^ T0 * KB + e * (3 * (sn * B ^ 2) + sqrt 2 * roots L + d * KB +
  beta * B * (k1 ^ 2 / (4 * eps) + c2 + k2) * lates L + beta * B * (/ eps + eps) * lates L').
have -> : in_full = X + 2 * sqrt (u * w).
  have -> : u * w = (e * ((c1 + k1) / 2)) * (e * ((c1 + k1) / 2)) * (beta * lates L * (11/10 * all_variance + 10 * (beta * B ^ 2) * lates L')).
    by rewrite /u /w; ring.
  rewrite (sqrt_mult (_ * _) (_ * _)); [|exact: Rmult_le_pos|exact: Rmult_le_pos].
  by rewrite (sqrt_square _ ec) /in_full /X; field; lra.
apply: best_scale => [||z z0]; [exact: Rmult_le_pos | exact: Rmult_le_pos |].
apply: Rle_trans (regret_at_most_bound z0) _; apply: Req_le; rewrite /bound_at /spent_but /X /u /w.
by field; lra.
Qed.
End Run.
