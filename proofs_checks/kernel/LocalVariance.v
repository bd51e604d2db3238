(* The law of total variance of one arm that is played for ever, at the worst of all retirement rewards (section 3.2 of the
   notes): with phi(., m) the arm's value with retirement reward m, the largest of the variances of phi(., m) over m, discounted
   and added up along the arm's moves, has a mean of at most (2 + sqrt 2)^2 B^2/beta^2, whatever the number of states. *)

From kernel Require Import Prelude Sums Values Gittins Hull Variance.

Section Variances.
Variables (X : finType) (p : X -> R).
Hypothesis hp : probability p.

Lemma variance_square f : variance p f = mean p (fun y => (f y - mean p f) ^ 2).
Proof.
set m := mean p f; rewrite (mean_ext _ (g := fun y => f y ^ 2 - (2 * m * f y + - (m ^ 2)))) => [|y]; last ring.
rewrite mean_sub mean_add mean_scale (mean_of_const _ hp) /variance -/m; ring.
Qed.

Lemma variance_nonneg f : 0 <= variance p f.
Proof. by rewrite variance_square; apply: mean_nonneg => [|y]; [exact: (proj1 hp) | exact: pow2_ge_0]. Qed.

Lemma variance_add t f g : 0 < t -> variance p f <= (1 + t) * variance p g + (1 + / t) * variance p (fun y => f y - g y).
Proof.
move=> t0; rewrite !variance_square -!mean_scale -mean_add; apply: (mean_mono hp) => y.
rewrite mean_sub (_ : f y - mean p f = (g y - mean p g) + (f y - g y - (mean p f - mean p g))); last ring.
move: (g y - mean p g) (f y - g y - _) => u v.
have := Rmult_le_pos _ _ (Rlt_le _ _ (Rinv_0_lt_compat _ t0)) (pow2_ge_0 (t * u - v)).
by rewrite (_ : / t * _ = t * u ^ 2 - 2 * (u * v) + / t * v ^ 2); [lra | field; lra].
Qed.

Lemma variance_small f c : (forall y, 0 <= f y <= c) -> variance p f <= c ^ 2.
Proof.
move=> fc; apply: Rle_trans (_ : _ <= mean p (fun y => f y ^ 2)) _; first by have := pow2_ge_0 (mean p f); rewrite /variance; lra.
rewrite -(mean_of_const (c ^ 2) hp); apply: mean_le => [|y]; [exact: (proj1 hp) | by apply: pow_incr].
Qed.
End Variances.

Section Arm.
Variables (S : finType) (q : S -> S -> R) (r : S -> R) (beta : R).
Hypotheses (rows : forall s, probability (q s)) (discount : is_discount beta) (beta0 : 0 < beta) (unit : forall s, 0 <= r s <= 1).
Notation top := (1 / (1 - beta)).

(* phi(., m), with which one may retire with m at any time. *)
Notation phi := (retirement_value beta r q).

Let sub : substochastic q.
Proof. by split=> [s y|s]; [exact: (proj1 (rows s)) | rewrite (proj2 (rows s)); lra]. Qed.

Lemma phi_apart m m' s : m <= m' -> 0 <= phi m' s - phi m s <= m' - m.
Proof.
move=> mm; have [b0 b1] := discount; have le : (1 - beta) * m <= (1 - beta) * m' by apply: Rmult_le_compat_l; lra.
have h1 := best_decreases r discount rows s le; have h2 := best_lipschitz r discount rows s le.
by move: h2; rewrite /retirement_value (_ : (_ - _) / (1 - beta) = m' - m); [lra | field; lra].
Qed.

Lemma phi_falls m m' s : m <= m' -> beta * mean (q s) (fun y => phi m' y - phi m y) <= phi m' s - phi m s.
Proof.
move=> mm; have [b0 b1] := discount.
have le : mean (q s) (fun y => phi m' y - phi m y) <= m' - m.
  by rewrite -(mean_of_const (m' - m) (rows s)); apply: mean_le => [|y]; [exact: (proj1 (rows s)) | case: (phi_apart y mm)].
have bl : beta * mean (q s) (fun y => phi m' y - phi m y) <= m' - m by have := Rmult_le_compat_l _ _ _ b0 le; nra.
move: bl; rewrite mean_sub !(retirement_equation r discount rows) => bl.
have x1 := Rmax_l m' (r s + beta * mean (q s) (phi m')); have x2 := Rmax_r m' (r s + beta * mean (q s) (phi m')).
by apply: (Rmax_case m (r s + beta * mean (q s) (phi m)) (fun x => _ <= _ - x)); lra.
Qed.

(* ---------------------------------------------------------------- Sums along the arm's moves *)

Notation up_to := (adds_up_to q beta).

Lemma up_add f g c d : up_to f c -> up_to g d -> up_to (fun s => f s + g s) (c + d).
Proof.
move=> [W [h1 h2]] [W' [h1' h2']]; exists (fun s => W s + W' s); split=> s; first by rewrite mean_add; have := h1 s; have := h1' s; lra.
by have := h2 s; have := h2' s; lra.
Qed.

Lemma up_scale k f c : 0 <= k -> up_to f c -> up_to (fun s => k * f s) (k * c).
Proof.
move=> k0 [W [h1 h2]]; exists (fun s => k * W s); split=> s; last exact: Rmult_le_compat_l.
by rewrite mean_scale; have := Rmult_le_compat_l _ _ _ k0 (h1 s); lra.
Qed.

Lemma up_sum n (f : nat -> S -> R) c : (forall i, up_to (f i) c) -> up_to (fun s => \sum_(i < n) f i s) (INR n * c).
Proof.
move=> h; elim: n => [|n IH]; first by exists (fun _ => 0); split=> s; rewrite /= ?mean_const; lra.
by rewrite S_INR Rmult_plus_distr_r Rmult_1_l; exact: (up_add IH (h n)).
Qed.

Lemma up_const k : up_to (fun _ => k) (k * top).
Proof.
have [b0 b1] := discount; exists (fun _ => k * top); split=> s; last lra.
by rewrite (mean_of_const _ (rows s)); apply: Req_le; field; lra.
Qed.

Let C := top ^ 2 / beta ^ 2.

Lemma up_pair m m' : m <= m' -> up_to (fun s => variance (q s) (fun y => phi m' y - phi m y)) ((m' - m) ^ 2 / beta ^ 2).
Proof. by move=> mm; apply: variances_add_up => // s; [exact: phi_apart | exact: phi_falls]. Qed.

Lemma top_pos : 0 < top. Proof. by case: discount => b0 b1; apply: Rdiv_lt_0_compat; lra. Qed.

Lemma up_first : up_to (fun s => variance (q s) (phi 0)) C.
Proof.
have t0 := top_pos; apply: variances_add_up => // s; first by apply: retirement_range => //; lra.
by rewrite [X in _ <= X](retirement_equation r discount rows); have := Rmax_r 0 (r s + beta * mean (q s) (phi 0)); have [r0 _] := unit s; lra.
Qed.

(* ---------------------------------------------------------------- Level by level *)

Let w := / sqrt 2.
Lemma w_half : 0 < w < 1 /\ w * w = 1/2 /\ (2 + sqrt 2) * (1 - w) = 1 /\ 1 <= (2 + sqrt 2) * w.
Proof.
have s2 := sqrt_sqrt 2 (ltac:(lra)); have s1 : 1 < sqrt 2 by rewrite -sqrt_1; apply: sqrt_lt_1; lra.
have ws : w * sqrt 2 = 1 by apply: Rinv_l; lra.
by nra.
Qed.

(* phi at m = k B/2^J, the multiples of level J; what the steps of a level add; a bound for all of them. *)
Definition dyadic (J k : nat) : R := top * INR k / 2 ^ J.
Definition increments (J : nat) (s : S) : R := \sum_(l < 2 ^ J) variance (q s) (fun y => phi (dyadic J l.+1) y - phi (dyadic J l) y).
Definition root_sum (J : nat) : R := \sum_(j < J.+1) w ^ j.
Definition weighing (J : nat) : R := w ^ J.+1 / root_sum J.
Fixpoint dominating (J : nat) (s : S) : R :=
  if J is J'.+1 then (1 + weighing J') * dominating J' s + (1 + / weighing J') * increments J s else variance (q s) (phi 0).

Lemma w_power J : 0 < w ^ J. Proof. by apply: pow_lt; case: w_half; lra. Qed.

Lemma roots_closed J : root_sum J = (2 + sqrt 2) * (1 - w ^ J.+1) /\ 1 <= root_sum J.
Proof.
have [[w0 w1] [_ [e _]]] := w_half; rewrite /root_sum; elim: J => [|J [IH1 IH2]]; first by rewrite /= Rmult_1_r; split; lra.
rewrite sum_recr; split; last by have := w_power J.+1; lra.
rewrite IH1 (_ : w ^ J.+2 = w * w ^ J.+1) //; move: e; set x := w ^ J.+1; set c := 2 + sqrt 2 => e.
by rewrite -[X in _ + X](Rmult_1_l x) -e; ring.
Qed.

Lemma scale_pos J : 0 < weighing J.
Proof. by have [_ r1] := roots_closed J; apply: Rdiv_lt_0_compat; [exact: w_power | lra]. Qed.

Lemma INR_pow2 J : INR (2 ^ J)%N = 2 ^ J.
Proof. by elim: J => [|J IH] //; rewrite expnS mult_INR IH. Qed.

Lemma up_steps J : up_to (increments J) (w ^ J * w ^ J * C).
Proof.
have p2 : 0 < 2 ^ J by apply: pow_lt; lra.
have wp : w ^ J * w ^ J = / 2 ^ J.
  have [_ [ww _]] := w_half; by rewrite -Rpow_mult_distr ww (_ : 1/2 = / 2) ?pow_inv; lra.
have := @up_sum (2 ^ J)%N (fun l s => variance (q s) (fun y => phi (dyadic J l.+1) y - phi (dyadic J l) y)) ((top / 2 ^ J) ^ 2 / beta ^ 2).
rewrite INR_pow2 wp (_ : 2 ^ J * _ = / 2 ^ J * C) => [h|]; last by rewrite /C; field; case: discount => b0 b1; repeat split; lra.
apply: h => l; have e : dyadic J l.+1 - dyadic J l = top / 2 ^ J by rewrite /dyadic S_INR; field; case: discount => b0 b1; split; lra.
rewrite -e; apply: up_pair; have : 0 < top / 2 ^ J by apply: Rdiv_lt_0_compat => //; exact: top_pos.
by rewrite -e; lra.
Qed.

Lemma up_level J : up_to (dominating J) (root_sum J ^ 2 * C).
Proof.
elim: J => [|J IH]; first by rewrite (_ : root_sum 0 ^ 2 * C = C); [exact: up_first | rewrite /root_sum /=; ring].
have t0 := scale_pos J; have it := Rinv_0_lt_compat _ t0; have [_ r1] := roots_closed J; have wp := w_power J.+1.
rewrite (_ : root_sum J.+1 ^ 2 * C = (1 + weighing J) * (root_sum J ^ 2 * C) + (1 + / weighing J) * (w ^ J.+1 * w ^ J.+1 * C)); last first.
  rewrite {1}/root_sum sum_recr -/(root_sum J) /weighing; set x := w ^ J.+1 in wp *; field; lra.
by apply: up_add; apply: up_scale; [lra | exact: IH | lra | exact: up_steps].
Qed.

Lemma term_in_steps J l s : (l < 2 ^ J)%N -> variance (q s) (fun y => phi (dyadic J l.+1) y - phi (dyadic J l) y) <= increments J s.
Proof.
rewrite /increments; elim: (2 ^ J)%N => // n IH; rewrite ltnS leq_eqVlt sum_recr => /orP [/eqP ->|/IH le].
  have := @sum_to_nonneg n _ (fun i _ => variance_nonneg (rows s) (fun y => phi (dyadic J i.+1) y - phi (dyadic J i) y)); lra.
by have := variance_nonneg (rows s) (fun y => phi (dyadic J n.+1) y - phi (dyadic J n) y); lra.
Qed.

Lemma on_grid J k s : (k <= 2 ^ J)%N -> variance (q s) (phi (dyadic J k)) <= dominating J s.
Proof.
have t0 := top_pos; elim: J k => [|J IH] k kJ.
  case: k kJ => [|[|//]] _; first by rewrite /dyadic /= (_ : top * 0 / 1 = 0); [lra | field; case: discount; lra].
  rewrite (_ : dyadic 0 1 = top); last by rewrite /dyadic /=; field; case: discount; lra.
  have same y : phi top y = top by have := retirement_range discount rows (m := top) y unit; lra.
  have := variance_nonneg (rows s) (phi 0); rewrite {2}/variance (mean_ext _ (g := fun _ => top ^ 2)) => [|y]; last by rewrite same.
  by rewrite (mean_ext _ same) !(mean_of_const _ (rows s)) /=; lra.
have s0 := scale_pos J; have is0 := Rinv_0_lt_compat _ s0; set l := k./2.
have even : dyadic J.+1 l.*2 = dyadic J l.
  have p2 : 0 < 2 ^ J by apply: pow_lt; lra.
  by rewrite /dyadic -mul2n mult_INR (_ : 2 ^ J.+1 = 2 * 2 ^ J) // (_ : INR 2 = 2) //; field; case: discount => b0 b1; split; lra.
have lJ : (l <= 2 ^ J)%N by rewrite /l -(doubleK (2 ^ J)%N) -mul2n -expnS; exact: half_leq.
have lev0 : 0 <= dominating J s by apply: Rle_trans (variance_nonneg (rows s) (phi (dyadic J l))) (IH _ lJ).
have step0 : 0 <= increments J.+1 s by apply: sum_to_nonneg => i _; exact: variance_nonneg.
have h0 := Rmult_le_pos _ _ (Rlt_le _ _ s0) lev0; have h1 := Rmult_le_pos _ _ (Rlt_le _ _ is0) step0.
rewrite -(odd_double_half k) -/l; case o : (odd k); last by rewrite add0n even /=; have := IH _ lJ; lra.
rewrite add1n; have kl : k = l.*2.+1 by rewrite -(odd_double_half k) o.
have lJ' : (l.*2 < 2 ^ J.+1)%N by rewrite -kl.
have add := @variance_add _ _ (rows s) (weighing J) (phi (dyadic J.+1 l.*2.+1)) (phi (dyadic J.+1 l.*2)) s0.
apply: Rle_trans add _; rewrite [dominating J.+1 s]/=; apply: Rplus_le_compat; apply: Rmult_le_compat_l; try lra; first by rewrite even; exact: IH.
exact: term_in_steps.
Qed.

(* The largest over all m in [0, B] of the variances is at most U, and U adds up to no more than the bound.
   ledger: beyond:local-variance *)
Theorem local_variance : exists U : S -> R, (forall m s, 0 <= m <= top -> variance (q s) (phi m) <= U s) /\
  forall s, discounted q beta U s <= (2 + sqrt 2) ^ 2 * ((1 / (1 - beta)) ^ 2 / beta ^ 2).
Proof.
have t0 := top_pos; have [b0 b1] := discount; have [[w0 w1] [ww [_ w2]]] := w_half; have root0 := sqrt_pos top.
have [J small] : exists J, w ^ J * sqrt top < 1.
  by have [J h] := geometric_bound (conj (Rlt_le _ _ w0) w1) (sqrt top) Rlt_0_1; exists J; exact: h.
have p2 : 0 < 2 ^ J by apply: pow_lt; lra.
have wp : w ^ J * w ^ J = / 2 ^ J by rewrite -Rpow_mult_distr ww (_ : 1/2 = / 2) ?pow_inv; lra.
pose e := top / 2 ^ J; pose b := beta * sqrt top * (w ^ J * w ^ J); have [closed r1] := roots_closed J; have wJ := w_power J.
have e0 : 0 < e by exact: Rdiv_lt_0_compat.
have b1' : 0 < b.
  apply: Rmult_lt_0_compat; last by rewrite wp; exact: Rinv_0_lt_compat.
  by apply: Rmult_lt_0_compat => //; exact: sqrt_lt_R0.
have total : root_sum J + b <= 2 + sqrt 2.
  have h : b <= w ^ J.
    rewrite /b (_ : _ * (_ * _) = beta * (w ^ J * sqrt top) * w ^ J); last ring.
    by rewrite -[X in _ <= X]Rmult_1_l; apply: Rmult_le_compat_r; [lra | nra].
  by rewrite closed (_ : w ^ J.+1 = w * w ^ J) //; nra.
pose t := b / root_sum J; have tp : 0 < t by apply: Rdiv_lt_0_compat; lra.
have it := Rinv_0_lt_compat _ tp.
exists (fun s => (1 + t) * dominating J s + (1 + / t) * e ^ 2); split=> [m s [m0 m1]|s].
  have near n : m <= dyadic J n -> exists k, (k <= n)%N /\ dyadic J k <= m <= dyadic J k + e.
    have g0 : dyadic J 0 = 0 by rewrite /dyadic /=; field; lra.
    elim: n => [|n IH] h; first by exists 0%N; rewrite g0 in h *; split=> //; lra.
    case: (Rle_dec m (dyadic J n)) => hn; first by have [k [kn hk]] := IH hn; exists k; split=> //; exact: leqW.
    exists n; split; first exact: leqnSn.
    by move: h; have -> : dyadic J n.+1 = dyadic J n + e; [rewrite /dyadic /e S_INR; field; lra | have := Rnot_le_lt _ _ hn; lra].
  have [k [kJ [k0 k1]]] := near (2 ^ J)%N (ltac:(rewrite /dyadic INR_pow2 (_ : top * 2 ^ J / 2 ^ J = top); [exact: m1 | field; lra])).
  have add := @variance_add _ _ (rows s) t (phi m) (phi (dyadic J k)) tp.
  apply: Rle_trans add _; apply: Rplus_le_compat; apply: Rmult_le_compat_l; try lra; first exact: on_grid.
  by apply: (variance_small (rows s)) => y; have := phi_apart y k0; lra.
apply: (adds_up _ sub discount).
have up : up_to (fun s => (1 + t) * dominating J s + (1 + / t) * e ^ 2) ((1 + t) * (root_sum J ^ 2 * C) + (1 + / t) * (e ^ 2 * top)).
  by apply: up_add; [apply: up_scale; [lra | exact: up_level] | apply: (up_scale (f := fun _ => e ^ 2)); [lra | exact: up_const]].
have [W [h1 h2]] := up; exists W; split=> // z; apply: Rle_trans (h2 z) _.
have e2 : e ^ 2 * top = b ^ 2 * C.
  have st := sqrt_sqrt top (Rlt_le _ _ t0); rewrite /b wp /e /C.
  rewrite (_ : (beta * sqrt top * / 2 ^ J) ^ 2 = beta ^ 2 * (sqrt top * sqrt top) * (/ 2 ^ J) ^ 2); last ring.
  by rewrite st; move: top => T; field; lra.
have C0 : 0 <= C by apply: Rcomplements.Rdiv_le_0_compat; [exact: pow2_ge_0 | nra].
rewrite e2 (_ : _ + _ = (root_sum J + b) ^ 2 * C); last by rewrite /t; field; lra.
by apply: Rmult_le_compat_r => //; apply: pow_incr; lra.
Qed.
End Arm.
