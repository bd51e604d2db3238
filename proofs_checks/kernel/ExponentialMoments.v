(* Lemma moment repaired for every real exponent alpha >= 1. The moments of the longest of K episodes are at most those
   of the largest of K exponential variables, over (1 - beta)^alpha; and that one has an alpha-norm of at most log K and
   the norm of one exponential variable, which is at least 1. *)

From kernel Require Import Limits.
From Coq Require Import Classical_Prop.
From kernel Require Import Sums Values Enclosures Horizons Moments Concentration.

(* P(M > t), for the largest M of K independent variables with P(X > t) = exp(-t). *)
Definition longest_tail (K : nat) (t : R) : R := 1 - (1 - exp (- t)) ^ K.

(* E[M^alpha] <= B, where E[M^alpha] is the integral of alpha t^(alpha - 1) P(M > t) over all t > 0. *)
Definition exponential_moment_at_most (K : nat) (alpha B : R) := forall a b, 0 < a <= b ->
  RInt (fun t => alpha * Rpower t (alpha - 1) * longest_tail K t) a b <= B.

(* Gamma(1 + alpha): the integral of alpha t^(alpha - 1) exp(-t) over all t > 0, which is E[X^alpha] for one of them, and its
   root, the alpha-norm. *)
Definition is_gamma (alpha G : R) :=
  is_RInt_gen (fun t => alpha * Rpower t (alpha - 1) * exp (- t)) (at_right 0) (Rbar_locally p_infty) G.
Definition gamma_plus_1 (alpha : R) : R :=
  RInt_gen (fun t => alpha * Rpower t (alpha - 1) * exp (- t)) (at_right 0) (Rbar_locally p_infty).
Definition norm_of_one (alpha : R) : R := Rpower (gamma_plus_1 alpha) (/ alpha).

(* Sum over j <= K of (1 - (1-u)^j)/j: with u = exp(-t) it is E[(M - t)^+]. *)
Definition tail_of (K : nat) (u : R) : R := 1 - (1 - u) ^ K.
Definition excess (K : nat) (u : R) : R := \sum_(j < K) (tail_of j.+1 u / INR j.+1).

Lemma tail_sum K u : tail_of K u = \sum_(j < K) (u * (1 - u) ^ j).
Proof.
elim: K => [|K IH]; first by rewrite /tail_of /=; lra.
by rewrite [RHS]/= -IH /tail_of /=; ring.
Qed.

Lemma tail_range K u : 0 <= u <= 1 -> 0 <= tail_of K u <= 1.
Proof.
move=> u01; rewrite /tail_of; have : 0 <= (1 - u) ^ K <= 1; last lra.
by split; [apply: pow_le; lra | rewrite -[X in _ <= X](pow1 K); apply: pow_incr; lra].
Qed.

Lemma tail_increases K u v : 0 <= u <= v -> v <= 1 -> tail_of K u <= tail_of K v.
Proof.
move=> uv v1; rewrite /tail_of; have : (1 - v) ^ K <= (1 - u) ^ K by apply: pow_incr; lra.
lra.
Qed.


Lemma excess_step beta K u : is_discount beta -> 0 <= u <= 1 ->
  (1 - beta) * tail_of K u <= excess K u - excess K (beta * u).
Proof.
move=> [b0 b1] [u0 u1]; rewrite tail_sum /excess /tail_of -sum_to_scale; elim: K => [|K IH]; first by rewrite /=; lra.
rewrite !sum_recr; have j0 := INR_pos (ltn0Sn K).
have ab : 0 <= 1 - u <= 1 - beta * u by nra.
have [+ _] := power_convex K ab; rewrite (_ : 1 - beta * u - (1 - u) = (1 - beta) * u); last by ring.
move: ((1 - u) ^ K.+1) ((1 - beta * u) ^ K.+1) ((1 - u) ^ K) (INR K.+1) j0 IH => p q r n n0 IH conv.
suff : (1 - beta) * (u * r) <= (1 - p) / n - (1 - q) / n by lra.
apply: (Rmult_le_reg_l n) => //.
rewrite (_ : n * ((1 - p) / n - (1 - q) / n) = q - p); last by field; lra.
lra.
Qed.

Lemma excess_at_most K u : 0 <= u <= 1 -> 0 <= excess K u <= INR K * u.
Proof.
move=> u01; elim: K => [|K [l h]]; first by rewrite /excess /=; lra.
have j0 := INR_pos (ltn0Sn K); have b : tail_of K.+1 u <= INR K.+1 * u := bernoulli K.+1 u01; have [t0 _] := tail_range K.+1 u01.
rewrite /excess sum_recr -/(excess K u); have v0 : 0 <= tail_of K.+1 u / INR K.+1 by apply: Rdiv_le_0_compat; lra.
have v1 : tail_of K.+1 u / INR K.+1 <= u by apply: (Rmult_le_reg_r (INR K.+1)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
by set v := tail_of K.+1 u / INR K.+1 in v0 v1 *; rewrite (S_INR K); lra.
Qed.

Lemma excess_increases K u v : 0 <= u <= v -> v <= 1 -> excess K u <= excess K v.
Proof.
move=> uv v1; apply: sum_to_le => j _; apply: Rmult_le_compat_r; last exact: tail_increases.
by left; apply: Rinv_0_lt_compat; exact: INR_pos.
Qed.

Lemma small_tail c s eps : 0 <= c -> 0 < eps -> exists b, s <= b /\ 0 < b /\ c * exp (- b) <= eps.
Proof.
move=> c0 e0; have q0 : 0 <= c / eps by apply: Rdiv_le_0_compat.
have [m0 m1] := (Rmax_l s 0, Rmax_r s 0); exists (Rmax s 0 + 1 + c / eps); split; first lra; split; first lra.
move: (Rmax s 0 + 1) (ltac:(lra) : 0 <= Rmax s 0 + 1) => m m2; have := exp_ineq1_le (m + c / eps); have := exp_pos (m + c / eps).
rewrite exp_Ropp; move: (exp _) => x x0 le; apply: (Rmult_le_reg_r x) => //; rewrite Rmult_assoc Rinv_l ?Rmult_1_r; last lra.
by rewrite -[X in X <= _](_ : eps * (c / eps) = c); [apply: Rmult_le_compat_l; lra | field; lra].
Qed.

(* The derivative of excess(u exp(-s)) in s. *)
Lemma excess_derive K u s : is_derive (fun s => excess K (u * exp (- s))) s (- tail_of K (u * exp (- s))).
Proof.
rewrite tail_sum; elim: K => [|K IH].
  rewrite /excess /= Ropp_0; exact: is_derive_const.
rewrite sum_recr Ropp_plus_distr; apply: (is_derive_plus (V := R_NormedModule) (fun s => excess K (u * exp (- s)))).
  exact: IH.
have j0 := INR_pos (ltn0Sn K); rewrite /tail_of.
auto_derive => //; rewrite -/(INR K.+1) -/(Rminus 1 (u * exp (- s))).
by field; lra.
Qed.

Lemma excess_derive_1 K s : is_derive (fun s => excess K (exp (- s))) s (- tail_of K (exp (- s))).
Proof. by have := @excess_derive K 1 s; rewrite Rmult_1_l; apply: is_derive_ext => r; rewrite Rmult_1_l. Qed.

(* The rules of Concentration.v, with that of powers; what is `known` of other functions comes last. *)
Ltac power_rules known := lazymatch goal with
  | |- derivable_pt_lim (fun x => Rpower x ?a) ?c _ => apply (derivable_pt_lim_power c a); cbv beta; lra
  | |- derivable_pt_lim (fun x => Rpower (@?f x) ?a) ?c _ =>
      eapply (derivable_pt_lim_comp f (fun y => Rpower y a) c); rules ltac:(idtac; power_rules known)
  | |- _ => cbv beta; apply/is_derive_Reals; known
  end.
Ltac derive known := differentiate ltac:(idtac; power_rules known); ring.

Section Against.
Variables (beta alpha : R) (K : nat).
Hypotheses (discount : is_discount beta) (alpha1 : 1 <= alpha) (K1 : (1 <= K)%nat).
Let x := 1 - beta.
Let at_ (i : nat) : R := x * INR i.
Let F (t : R) : R := Rpower t alpha.
Let F1 (t : R) : R := alpha * Rpower t (alpha - 1).
Let F2 (t : R) : R := alpha * ((alpha - 1) * Rpower t (alpha - 1 - 1)).
Let Q (t : R) : R := tail_of K (exp (- t)).
Let phi (i : nat) : R := tail_of K (beta ^ i).

Lemma x_range : 0 < x <= 1. Proof. by rewrite /x; case: discount => b0 b1; lra. Qed.

Lemma Rpower_nonneg t c : 0 <= Rpower t c. Proof. by left; exact: exp_pos. Qed.

Lemma F1_nonneg t : 0 <= F1 t. Proof. by apply: Rmult_le_pos; [lra | exact: Rpower_nonneg]. Qed.

Lemma exp_range t : 0 <= t -> 0 <= exp (- t) <= 1.
Proof. by move=> t0; split; [left; exact: exp_pos | rewrite -exp_0; apply: exp_le; lra]. Qed.

Lemma power_below i : 0 <= beta ^ i <= exp (- at_ i).
Proof.
have step : beta <= exp (- x).
  by rewrite (_ : beta = 1 + - x); [apply: exp_ineq1_le | rewrite /x; ring].
split; first by apply: pow_le; case: discount.
elim: i => [|i IH]; first by rewrite /at_ /= Rmult_0_r Ropp_0 exp_0; lra.
rewrite /at_ S_INR (_ : - (x * (INR i + 1)) = - x + - at_ i) ?exp_plus /=; last by rewrite /at_; ring.
by apply: Rmult_le_compat => //; [case: discount | apply: pow_le; case: discount].
Qed.

(* What the exponential variable has more, beyond t: D i t is at least 0 from at_ i on. *)
Let D (i : nat) (t : R) : R := excess K (exp (- t)) - excess K (beta ^ i) + (t - at_ i) * phi i.

Lemma D_nonneg i t : at_ i <= t -> 0 <= D i t.
Proof.
move=> it; have [u0 ue] := power_below i; have [_ u1] := power_range discount i; have a0 : 0 <= at_ i by have := Rmult_le_pos _ _ (Rlt_le _ _ (proj1 x_range)) (pos_INR i).
pose s := t - at_ i; have s0 : 0 <= s by rewrite /s; lra.
have e : exp (- t) = exp (- at_ i) * exp (- s) by rewrite -exp_plus /s; congr exp; ring.
have es := exp_range s0; have et : exp (- t) <= 1 by have := exp_range (t := t) (ltac:(lra)); lra.
have first : excess K (beta ^ i * exp (- s)) <= excess K (exp (- t)).
  by apply: excess_increases => //; rewrite e; split; [nra | apply: Rmult_le_compat_r; lra].
pose h r := excess K (beta ^ i * exp (- r)) - excess K (beta ^ i) + r * phi i.
have : h 0 <= h s.
  apply: (increasing_from (df := fun r => - tail_of K (beta ^ i * exp (- r)) + phi i)) => // r hr.
    by rewrite /h; derive ltac:(exact: excess_derive).
  have er := exp_range (t := r) (ltac:(lra)).
  have : tail_of K (beta ^ i * exp (- r)) <= phi i by apply: tail_increases; [nra | lra].
  lra.
rewrite /h Ropp_0 exp_0 Rmult_1_r /D -/s; lra.
Qed.

(* From one cell to the next the excess does not fall. *)
Lemma D_step i : D i (at_ i.+1) <= D i.+1 (at_ i.+1).
Proof.
have := @excess_step beta K (beta ^ i) discount (power_range discount i).
rewrite -/x -/(phi i) /D (_ : at_ i.+1 - at_ i = x); last by rewrite /at_ S_INR; ring.
by rewrite Rminus_eq_0 Rmult_0_l [beta ^ i.+1]/=; lra.
Qed.

Lemma D_last i : D i (at_ i) <= excess K (exp (- at_ i)).
Proof.
rewrite /D Rminus_eq_0 Rmult_0_l; have := @excess_at_most K (beta ^ i) (power_range discount i); lra.
Qed.

Lemma D_derive i t : is_derive (D i) t (- Q t + phi i).
Proof. by rewrite /D /Q; derive ltac:(exact: excess_derive_1). Qed.

Let q (t : R) : R := alpha * Rpower t (alpha - 1) * longest_tail K t.
Let G (e t : R) : R := RInt q e t.

Lemma q_continuous t : 0 < t -> continuous q t.
Proof.
move=> t0; apply: (ex_derive_continuous (V := R_NormedModule)).
by rewrite /q /longest_tail /Rpower; auto_derive.
Qed.

Lemma q_integrable e s : 0 < e -> 0 < s -> ex_RInt q e s.
Proof.
move=> e0 s0; apply: (ex_RInt_continuous (V := R_CompleteNormedModule)) => z hz; apply: q_continuous.
by have := Rmin_glb_lt _ _ _ e0 s0; lra.
Qed.

Lemma G_derive e t : 0 < e -> 0 < t -> is_derive (G e) t (q t).
Proof.
move=> e0 t0; apply: (is_derive_RInt (V := R_NormedModule) q (G e) e t); last exact: q_continuous.
exists (mkposreal t t0) => s; rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /= => /Rabs_def2 h.
by apply: (RInt_correct (V := R_CompleteNormedModule)); apply: q_integrable => //; lra.
Qed.

(* One cell: the integral gains at least what the sum does. *)
Lemma cell e i s b : 0 < e -> 0 < s -> at_ i <= s <= b ->
  G e s - phi i * F s + F1 s * D i s <= G e b - phi i * F b + F1 b * D i b.
Proof.
move=> e0 s0 isb.
pose df t := (q t - phi i * F1 t) + (F2 t * D i t + F1 t * (- Q t + phi i)).
apply: (increasing_from (f := fun t => G e t - phi i * F t + F1 t * D i t) (df := df)); first lra.
  by move=> c hc; rewrite /df /F /F1 /F2; derive ltac:(first [exact: D_derive | apply: G_derive; lra]).
move=> c hc; have D0 := @D_nonneg i c (ltac:(lra)); have pw := Rpower_nonneg c (alpha - 1 - 1).
rewrite /df -[q c]/(F1 c * Q c) /F2; have : 0 <= alpha * ((alpha - 1) * Rpower c (alpha - 1 - 1)) * D i c by nonneg.
lra.
Qed.

Lemma at_pos i : 0 < at_ i.+1.
Proof. by apply: Rmult_lt_0_compat; [have := x_range; lra | exact: INR_pos]. Qed.

Lemma sums e N : 0 < e <= x -> F (at_ 1) * phi 0 + \sum_(i < N) ((F (at_ i.+2) - F (at_ i.+1)) * phi i.+1)
  <= G e (at_ N.+1) + F e + F1 (at_ N.+1) * D N (at_ N.+1).
Proof.
move=> ex; have e0 : 0 < e by lra.
elim: N => [|N IH].
  have a1 : at_ 1 = x by rewrite /at_ /=; ring.
  have a0 : at_ 0 = 0 by rewrite /at_ /=; ring.
  have := @cell e 0 e (at_ 1) e0 e0 (ltac:(lra)); rewrite (_ : phi 0 = 1) ?[G e e]RInt_point /zero /=; last by rewrite /phi /tail_of /=; case: K K1 => // k _; rewrite /=; ring.
  have : 0 <= F1 e * D 0 e by apply: Rmult_le_pos; [exact: F1_nonneg | apply: D_nonneg; lra].
  lra.
rewrite sum_recr; have := @cell e N.+1 (at_ N.+1) (at_ N.+2) e0 (at_pos N) (ltac:(split; [lra | rewrite /at_ (S_INR N.+1); have := x_range; nra])).
have := Rmult_le_compat_l _ _ _ (F1_nonneg (at_ N.+1)) (D_step N).
lra.
Qed.

Lemma tail_part e s b : 0 < e -> 0 < s <= b ->
  G e s + F1 s * excess K (exp (- s)) <= G e b + F1 s * excess K (exp (- b)).
Proof.
move=> e0 sb.
apply: (increasing_from (f := fun t => G e t + F1 s * excess K (exp (- t))) (df := fun t => q t + F1 s * - Q t)); first lra.
  by move=> c hc; rewrite /Q; derive ltac:(first [exact: excess_derive_1 | apply: G_derive; lra]).
move=> c hc; rewrite -[q c]/(F1 c * Q c); have [Q0 _] := tail_range K (@exp_range c (ltac:(lra))).
by have : F1 s <= F1 c by [apply: Rmult_le_compat_l; [lra | apply: Rle_Rpower_l; lra]]; rewrite -/(Q c) in Q0 *; nra.
Qed.

Lemma F_small e : 0 < e <= 1 -> F e <= e.
Proof.
move=> e1; rewrite /F /Rpower -[X in _ <= X](exp_ln e); last lra.
by apply: exp_le; have : ln e <= 0 by [rewrite -ln_1; apply: ln_le; lra]; nra.
Qed.

Variable B : R.
Hypothesis bounded : exponential_moment_at_most K alpha B.

Lemma sums_bounded N : F (at_ 1) * phi 0 + \sum_(i < N) ((F (at_ i.+2) - F (at_ i.+1)) * phi i.+1) <= B.
Proof.
apply: le_epsilon => eps eps0; have [x0 x1] := x_range.
pose e := Rmin x (eps / 2); have e0 : 0 < e by apply: Rmin_glb_lt; lra.
have ex : e <= x by exact: Rmin_l. have e2 : e <= eps / 2 by exact: Rmin_r.
set s := at_ N.+1; have s0 : 0 < s := at_pos N.
have F10 := F1_nonneg s; have [b [sb [b0 tail]]] := @small_tail (F1 s * INR K) s (eps / 2) (Rmult_le_pos _ _ F10 (pos_INR K)) (ltac:(lra)).
apply: Rle_trans (sums N (conj e0 ex)) _; rewrite -/s.
have last : D N s <= excess K (exp (- s)) := Rle_trans _ _ _ (D_step N) (D_last N.+1).
have := Rmult_le_compat_l _ _ _ F10 last; have := @tail_part e s b e0 (conj s0 sb).
have xs : x <= s by rewrite /s /at_ S_INR; have := pos_INR N; nra.
have : G e b <= B by apply: bounded; lra.
have small := @F_small e (ltac:(lra)).
have := Rmult_le_compat_l _ _ _ F10 (proj2 (@excess_at_most K (exp (- b)) (exp_range (Rlt_le _ _ b0)))).
by rewrite -Rmult_assoc; lra.
Qed.
(* E[max H^alpha] <= E[M^alpha]/(1 - beta)^alpha, M the largest of K independent variables of law Exp(1). E[M^alpha] is
   written as the integral of its tail.
   ledger: lem:moment/repair-exponential *)
Theorem moment_exponential : moment beta K alpha <= B * rpower (/ (1 - beta)) alpha.
Proof.
have [b0 b1] := discount; rewrite -/x; have x0 : 0 < x by rewrite /x; lra.
apply: (moment_of discount) => N.
pose f i := rpower (INR i) alpha.
have f0 : f 0%nat = 0 by rewrite /f /rpower; case: (Rle_dec (INR 0) 0) => // h; case: h; exact: Rle_refl.
have fs i : f i.+1 = Rpower (INR i.+1) alpha by rewrite /f rpower_pos //; exact: INR_pos.
have inc i : 0 <= f i.+1 - f i.
  case: i => [|i]; first by rewrite f0 fs; have := exp_pos (alpha * ln (INR 1)); rewrite /Rpower; lra.
  rewrite !fs; have : Rpower (INR i.+1) alpha <= Rpower (INR i.+2) alpha; last lra.
  by apply: Rle_Rpower_l; [lra | split; [exact: INR_pos | rewrite (S_INR i.+1); lra]].
apply: Rle_trans (by_parts discount K N f0 (fun i => Rge_le _ _ (Rminus_ge _ _ (Rle_ge _ _ (inc i))))) _.
have xa : Rpower x alpha * rpower (/ x) alpha = 1.
  rewrite rpower_pos; last exact: Rinv_0_lt_compat.
  rewrite Rpower_mult_distr //; last exact: Rinv_0_lt_compat.
  by rewrite Rinv_r; [rewrite /Rpower ln_1 Rmult_0_r exp_0 | lra].
have r0 : 0 < rpower (/ x) alpha by rewrite rpower_pos; [exact: exp_pos | exact: Rinv_0_lt_compat].
suff le : Rpower x alpha * (\sum_(i < N) ((f i.+1 - f i) * (1 - max_at_most beta K i))) <= B.
  have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ r0) le.
  by rewrite (Rmult_comm (Rpower x alpha)) Rmult_assoc xa Rmult_1_r.
have B0 : 0 <= B.
  apply: Rle_trans (@bounded 1 1 _); last lra.
  by rewrite RInt_point /zero /=; lra.
case: N => [|N]; first by rewrite /= Rmult_0_r.
rewrite -sum_to_scale; have := sums_bounded N; rewrite /phi.
have F_at i : F (at_ i.+1) = Rpower x alpha * f i.+1 by rewrite fs Rpower_mult_distr //; exact: INR_pos.
apply: Rle_trans; apply: Req_le.
elim: N => [|N IH].
  by rewrite /= f0 F_at /tail_of G_closed /=; ring.
rewrite sum_recr IH sum_recr !F_at G_closed /tail_of; ring.
Qed.
End Against.

(* ---------------------------------------------------------------- The largest of K against one *)

Section Alpha.
Variable alpha : R.
Hypothesis alpha1 : 1 <= alpha.
Let q (n : nat) (t : R) : R := alpha * Rpower t (alpha - 1) * longest_tail n t.
Let G (n : nat) (e t : R) : R := RInt (q n) e t.

Lemma power_one_more z : 0 < z -> Rpower z alpha = Rpower z (alpha - 1) * z.
Proof. by move=> z0; rewrite -{3}(Rpower_1 z) // -Rpower_plus; congr Rpower; ring. Qed.

Lemma power_above_line t : 0 < t -> 1 + alpha * (t - 1) <= Rpower t alpha.
Proof.
move=> t0; have i0 : 0 <= / alpha <= 1 by have := @ratio_01 1 alpha (ltac:(lra)) (ltac:(lra)); rewrite /Rdiv Rmult_1_l.
have := exp_convex (alpha * ln t) 0 i0; rewrite (_ : / alpha * (alpha * ln t) + _ = ln t); last by field; lra.
rewrite exp_ln // exp_0 -/(Rpower t alpha) => le; have := Rmult_le_compat_l alpha _ _ (ltac:(lra)) le.
by rewrite (_ : alpha * (_ + _) = Rpower t alpha + alpha - 1); [lra | field; lra].
Qed.

Lemma power_above_tangent y z : 0 < y -> 0 < z -> Rpower z alpha + alpha * Rpower z (alpha - 1) * (y - z) <= Rpower y alpha.
Proof.
move=> y0 z0; have d0 : 0 < y / z by exact: Rdiv_lt_0_compat.
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ (exp_pos (alpha * ln z))) (power_above_line d0); rewrite -/(Rpower z alpha).
rewrite Rpower_mult_distr // (_ : z * (y / z) = y); last by field; lra.
by rewrite power_one_more // => le; apply: Rle_trans le; apply: Req_le; field; lra.
Qed.
Section Norm.
Variables (g : R) (K : nat).
Hypotheses (K1 : (1 <= K)%nat) (g0 : 0 < g).
Let L := ln (INR K).
Let w := L + g.
Let kappa := Rpower w (alpha - 1).
Let c := Rpower (w / g) (alpha - 1).
Let rest (s : R) : R := kappa * L + c * Rpower s alpha - Rpower (L + s) alpha.

Lemma L_nonneg : 0 <= L. Proof. exact: ln_nonneg. Qed.

Lemma w_pos : 0 < w. Proof. by have := L_nonneg; rewrite /w; lra. Qed.

Lemma c_g : c * Rpower g alpha = kappa * g.
Proof.
rewrite (power_one_more g0) -Rmult_assoc /c Rpower_mult_distr //; last by apply: Rdiv_lt_0_compat => //; exact: w_pos.
by rewrite (_ : w / g * g = w) //; field; lra.
Qed.

Lemma rest_derive s : 0 < s ->
  is_derive rest s (c * (alpha * Rpower s (alpha - 1)) - alpha * Rpower (L + s) (alpha - 1)).
Proof. by move=> s0; have l0 := L_nonneg; rewrite /rest; derive fail. Qed.

(* A mean of w and w s/g, of weights L/w and g/w, is L + s. *)
Lemma rest_nonneg s : 0 < s -> 0 <= rest s.
Proof.
move=> s0; have l0 := L_nonneg; have w0 := w_pos; have wg : 0 < w / g by exact: Rdiv_lt_0_compat.
have h1 := @power_above_tangent w (L + s) w0 (ltac:(lra)).
have h2 := @power_above_tangent (w / g * s) (L + s) (Rmult_lt_0_compat _ _ wg s0) (ltac:(lra)).
have a0 : 0 <= L / w by apply: Rdiv_le_0_compat. have b0 : 0 <= g / w by apply: Rdiv_le_0_compat; lra.
have h := Rplus_le_compat _ _ _ _ (Rmult_le_compat_l _ _ _ a0 h1) (Rmult_le_compat_l _ _ _ b0 h2).
rewrite -Rpower_mult_distr // (power_one_more w0) (power_one_more wg) -/kappa -/c in h.
move: h; rewrite /rest; move: (Rpower (L + s) alpha) (alpha * Rpower (L + s) (alpha - 1)) (Rpower s alpha) => z d p.
have -> : L / w * (kappa * w) + g / w * (c * (w / g) * p) = kappa * L + c * p by field; lra.
have -> : L / w * (z + d * (w - (L + s))) + g / w * (z + d * (w / g * s - (L + s))) = z; last lra.
by rewrite /w in w0 *; field; lra.
Qed.

Lemma q_nonneg n t : 0 <= t -> 0 <= q n t.
Proof.
move=> t0; have [Q0 _] := tail_range n (exp_range t0).
by apply: Rmult_le_pos => //; apply: Rmult_le_pos; [lra | exact: Rpower_nonneg].
Qed.

Lemma q_union t : 0 <= t -> q K t <= alpha * Rpower t (alpha - 1) /\ q K t <= alpha * Rpower t (alpha - 1) * exp (L - t).
Proof.
move=> t0; have e01 := exp_range t0; have [Q0 Q1] := tail_range K e01; have b := bernoulli K e01.
have e : exp (L - t) = INR K * exp (- t) by rewrite /Rminus exp_plus /L exp_ln //; exact: INR_pos.
have F0 : 0 <= alpha * Rpower t (alpha - 1) by apply: Rmult_le_pos; [lra | exact: Rpower_nonneg].
have Qe : longest_tail K t = tail_of K (exp (- t)) by [].
split; rewrite /q; first by rewrite Qe; nra.
by apply: Rmult_le_compat_l => //; rewrite e; exact: b.
Qed.

Lemma G_grows n e s b : 0 < e -> 0 < s <= b -> G n e s <= G n e b.
Proof.
move=> e0 sb; apply: (increasing_from (f := G n e) (df := q n)); first lra.
  by move=> r hr; apply: G_derive; lra.
by move=> r hr; apply: q_nonneg; lra.
Qed.

Lemma G_low n e a b : 0 < e <= a -> a <= b -> G n a b <= G n e b.
Proof.
move=> ea ab; have := RInt_Chasles (V := R_CompleteNormedModule) (q n) e a b
  (@q_integrable alpha n e a (ltac:(lra)) (ltac:(lra))) (@q_integrable alpha n a b (ltac:(lra)) (ltac:(lra))).
rewrite -/(G n e a) -/(G n a b) -/(G n e b) /plus /=.
have := @G_grows n e e a (ltac:(lra)) (ltac:(lra)); rewrite [G n e e]RInt_point /zero /=; lra.
Qed.

(* What an improper integral of something positive bounds. *)
Lemma gamma_bounds B : is_gamma alpha B -> exponential_moment_at_most 1 alpha B.
Proof.
move=> gamma a b ab; apply: le_epsilon => eps eps0.
have [near far [d hd] [M hM] both] := gamma _ (locally_ball B (mkposreal eps eps0)); have d0 := cond_pos d.
pose a' := Rmin a (d / 2); pose b' := Rmax b (M + 1); have a0 : 0 < a' by apply: Rmin_glb_lt; lra.
have aa : a' <= a := Rmin_l _ _; have ad : a' <= d / 2 := Rmin_r _ _; have bb : b <= b' := Rmax_l _ _; have bM : M + 1 <= b' := Rmax_r _ _.
have [||y [hy close]] := both a' b'; [|by apply: hM; lra |].
  by apply: hd => //; rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /= Rabs_pos_eq; lra.
have same t : alpha * Rpower t (alpha - 1) * exp (- t) = q 1 t by rewrite /q /longest_tail pow_1; ring.
have e : G 1 a' b' = y by apply: is_RInt_unique; exact: (is_RInt_ext _ _ _ _ _ (fun t _ => same t) hy).
have h1 := @G_low 1 a' a b' (conj a0 aa) (ltac:(lra)); have h2 := @G_grows 1 a b b' (ltac:(lra)) (ltac:(lra)).
move: close; rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /= => /Rabs_def2 close.
by rewrite -/(G 1 a b); lra.
Qed.

Lemma G_at_most e b : 0 < e <= b -> G K e b <= Rpower b alpha.
Proof.
move=> eb.
have := @increasing_from (fun t => Rpower t alpha - G K e t) (fun t => alpha * Rpower t (alpha - 1) - q K t) e b (ltac:(lra)).
rewrite [G K e e]RInt_point /zero /=; have := Rpower_nonneg e alpha; move=> f0 h.
suff : Rpower e alpha - 0 <= Rpower b alpha - G K e b by lra.
apply: h => r hr; first by rewrite /q; derive ltac:(apply: G_derive; lra).
by have [h _] := @q_union r (ltac:(lra)); lra.
Qed.

Hypothesis moment_g : is_gamma alpha (Rpower g alpha).   (* g = Gamma(1 + alpha)^(1/alpha) *)
Let single := gamma_bounds moment_g.

Lemma norm_part e S : 0 < e <= S -> G K e (L + S) <= Rpower w alpha + c * Rpower e alpha.
Proof.
move=> eS; have l0 := L_nonneg.
pose psi s := c * G 1 e s - G K e (L + s) - exp (- s) * rest s.
have grows : psi e <= psi S.
  apply: (increasing_from (df := fun s => c * q 1 s - q K (L + s)
    - ((- exp (- s)) * rest s + exp (- s) * (c * (alpha * Rpower s (alpha - 1)) - alpha * Rpower (L + s) (alpha - 1))))).
  - lra.
  - move=> s hs; rewrite /psi; have shifted : is_derive (fun s => G K e (L + s)) s (q K (L + s)).
      apply/is_derive_Reals; rewrite -[q K _]Rmult_1_r; eapply (derivable_pt_lim_comp (fun s => L + s) (G K e) s).
        by rewrite -[1]Rplus_0_l; exact: (derivable_pt_lim_plus (fun _ => L) id s _ _ (derivable_pt_lim_const _ _) (derivable_pt_lim_id _)).
      by apply/is_derive_Reals; apply: G_derive; lra.
    by rewrite /q in shifted *; derive ltac:(first [exact: shifted | apply: rest_derive; lra | apply: G_derive; lra]).
  move=> s hs; have [_ u] := @q_union (L + s) (ltac:(lra)); rewrite (_ : L - (L + s) = - s) in u; last by ring.
  have r0 := @rest_nonneg s (ltac:(lra)); have e0 := exp_pos (- s).
  have q1 : q 1 s = alpha * Rpower s (alpha - 1) * exp (- s) by rewrite /q /longest_tail /=; ring.
  by nra.
have c0 : 0 <= c := Rpower_nonneg _ _.
have one : G 1 e S <= Rpower g alpha by apply: single.
have := Rmult_le_compat_l _ _ _ c0 one; rewrite c_g.
have rS := @rest_nonneg S (ltac:(lra)); have re := @rest_nonneg e (ltac:(lra)).
have eS0 : 0 <= exp (- S) * rest S by apply: Rmult_le_pos => //; left; exact: exp_pos.
have ee : exp (- e) * rest e <= rest e by have [_ h] := @exp_range e (ltac:(lra)); nra.
have low := @G_at_most e (L + e) (ltac:(lra)).
move: grows; rewrite /psi [G 1 e e]RInt_point /zero /= Rmult_0_r => grows h.
have top : Rpower w alpha = kappa * L + kappa * g by rewrite (power_one_more w_pos) -/kappa /w; ring.
have re' : rest e = kappa * L + c * Rpower e alpha - Rpower (L + e) alpha by [].
lra.
Qed.

Lemma largest_exponential_of : exponential_moment_at_most K alpha (Rpower (ln (INR K) + g) alpha).
Proof.
move=> a b ab; rewrite -/L -/w -/(G K a b); apply: le_epsilon => eps eps0; have l0 := L_nonneg.
have c0 : 0 < c by exact: exp_pos.
pose e := Rmin (Rmin a 1) (eps / c).
have ec : 0 < eps / c by exact: Rdiv_lt_0_compat.
have e0 : 0 < e by apply: Rmin_glb_lt => //; apply: Rmin_glb_lt; lra.
have m : e <= Rmin a 1 := Rmin_l _ _; have ec' : e <= eps / c := Rmin_r _ _; have [ma m1] := (Rmin_l a 1, Rmin_r a 1).
have ea : e <= a by lra. have e1 : e <= 1 by lra.
have small := @F_small alpha alpha1 e (conj e0 e1).
apply: Rle_trans (@G_low K e a b (conj e0 ea) (proj2 ab)) _.
apply: Rle_trans (_ : _ <= G K e (L + b)) _; first by apply: G_grows => //; lra.
apply: Rle_trans (@norm_part e b (ltac:(lra))) _.
suff : c * Rpower e alpha <= eps by lra.
apply: Rle_trans (_ : _ <= c * (eps / c)) _; first by apply: Rmult_le_compat_l; lra.
by apply: Req_le; field; lra.
Qed.
End Norm.

(* ---------------------------------------------------------------- Gamma exists *)

Let C := exp (alpha * ln (2 * alpha)).

Lemma power_below_exponential t : 0 < t -> q 1 t <= alpha * C * exp (- (t / 2)).
Proof.
move=> t0; rewrite /q /longest_tail pow_1 (_ : 1 - (1 - exp (- t)) = exp (- t)); last ring.
rewrite !Rmult_assoc; apply: Rmult_le_compat_l; first lra.
have l0 : 0 <= ln (2 * alpha) by rewrite -ln_1; apply: ln_le; lra.
have l1 : ln t <= t / (2 * alpha) + ln (2 * alpha).
  by have := ln_at_most (Rdiv_lt_0_compat _ _ t0 (ltac:(lra) : 0 < 2 * alpha)); rewrite ln_div; lra.
have half : alpha * (t / (2 * alpha)) = t / 2 by field; lra.
have s0 : 0 <= t / (2 * alpha) by apply: Rdiv_le_0_compat; lra.
have m := Rmult_le_compat_l _ _ _ (ltac:(lra) : 0 <= alpha - 1) l1.
have : (alpha - 1) * ln t + - t <= alpha * ln (2 * alpha) + - (t / 2) by lra.
by rewrite /C /Rpower -!exp_plus => - [lt|->]; [left; exact: exp_increasing | right].
Qed.

Lemma G_bounded e b : 0 < e <= b -> G 1 e b <= 2 * (alpha * C).
Proof.
move=> eb; pose psi t := - (2 * (alpha * C)) * exp (- (t / 2)) - G 1 e t.
have : psi e <= psi b.
  apply: (increasing_from (df := fun t => alpha * C * exp (- (t / 2)) - q 1 t)); first lra.
    move=> r hr; apply: (is_derive_minus (V := R_NormedModule)); last by apply: G_derive; lra.
    by auto_derive => //; rewrite -[r * / 2]/(r / 2); field.
  by move=> r hr; have := @power_below_exponential r (ltac:(lra)); lra.
have k0 : 0 <= alpha * C by apply: Rmult_le_pos; [lra | left; exact: exp_pos].
have [_ e1] := @exp_range (e / 2) (ltac:(lra)); have b1 := exp_pos (- (b / 2)).
have m1 := Rmult_le_compat_l _ _ _ k0 e1; have m2 := Rmult_le_pos _ _ k0 (Rlt_le _ _ b1).
by rewrite /psi [G 1 e e]RInt_point /zero /=; lra.
Qed.

(* The integral exists, and is the only one. *)
Lemma gamma_exists : is_gamma alpha (gamma_plus_1 alpha).
Proof.
have grows a b a' b' : 0 < a' <= a -> a <= b <= b' -> G 1 a b <= G 1 a' b'.
  move=> ha hb; apply: Rle_trans (@G_low 1 a' a b ha (proj1 hb)) _.
  by apply: (@G_grows 1 a' b b'); lra.
have [|| top [up least]] := completeness (fun v => exists a b, 0 < a <= b /\ v = G 1 a b).
- by exists (2 * (alpha * C)) => _ [a [b [ab ->]]]; exact: G_bounded.
- by exists (G 1 1 1), 1, 1; split=> //; lra.
suff h : is_gamma alpha top.
  exact (@RInt_gen_correct R_CompleteNormedModule _ _ (Proper_StrongProper _ (at_right_proper_filter 0))
    (Proper_StrongProper _ (Rbar_locally_filter p_infty)) _ (ex_intro _ top h)).
move=> P [eps hP]; have e0 := cond_pos eps.
have [a [b [ab near]]] : exists a b, 0 < a <= b /\ top - eps < G 1 a b.
  apply: NNPP => none; suff : top <= top - eps by lra.
  by apply: least => _ [a [b [ab ->]]]; apply: Rnot_lt_le => lt; apply: none; exists a, b.
apply: (Filter_prod _ _ _ (fun a' => 0 < a' < a) (fun b' => b < b')) => [||a' b' /= ha hb].
- exists (mkposreal a (proj1 ab)) => a'; rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /= => /Rabs_def2; lra.
- by exists b.
exists (G 1 a' b'); split.
  have same t : q 1 t = alpha * Rpower t (alpha - 1) * exp (- t) by rewrite /q /longest_tail pow_1; ring.
  apply: (is_RInt_ext (q 1)) => [t _|]; first exact: same.
  by apply: (RInt_correct (V := R_CompleteNormedModule)); apply: q_integrable; lra.
apply: hP; rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /=; apply: Rabs_def1.
  have : G 1 a' b' <= top by apply: up; exists a', b'; split=> //; lra.
  lra.
by have := @grows a b a' b' (ltac:(lra)) (ltac:(lra)); lra.
Qed.

(* Gamma(1 + alpha), the alpha-th moment of one exponential variable, is at least 1.
   ledger: lem:moment/gamma *)
Theorem single_moment_at_least : is_gamma alpha (gamma_plus_1 alpha) /\ 1 <= gamma_plus_1 alpha.
Proof.
split; first exact: gamma_exists.
have d := no_discount; have := moment_exponential d alpha1 (leqnn 1) (gamma_bounds gamma_exists).
have [_ /(_ 1%nat)] := moment_series 1 alpha d; rewrite sum_recr /max_is /max_at_most !at_most_closed !rpower_pos /=; try lra.
by rewrite Rminus_0_r Rinv_1 /Rpower ln_1 Rmult_0_r exp_0; lra.
Qed.
End Alpha.

(* ---------------------------------------------------------------- Together *)

Section Together.
Variables (beta alpha : R) (K : nat).
Hypotheses (discount : is_discount beta) (alpha1 : 1 <= alpha) (K1 : (1 <= K)%nat).
Notation g := (norm_of_one alpha).

Lemma norm_of_one_pos : 0 < g. Proof. exact: exp_pos. Qed.

Lemma norm_of_oneE : Rpower g alpha = gamma_plus_1 alpha.
Proof.
rewrite /norm_of_one Rpower_mult Rinv_l ?Rpower_1 //; last lra.
by have [_ h] := single_moment_at_least alpha1; lra.
Qed.

Lemma norm_of_one_at_least : 1 <= g.
Proof.
have [_ h] := single_moment_at_least alpha1; apply: Rnot_lt_le => g1; have g0 := norm_of_one_pos.
have l0 : ln g < 0 by rewrite -ln_1; exact: ln_increasing.
by have := exp_increasing (alpha * ln g) 0; rewrite exp_0 -/(Rpower g alpha) norm_of_oneE => lt; have := lt ltac:(nra); lra.
Qed.

(* The alpha-norm of the largest of K exponential variables is at most log K and that of one of them.
   ledger: lem:moment/largest-exponential *)
Theorem largest_exponential : exponential_moment_at_most K alpha (Rpower (ln (INR K) + g) alpha).
Proof. by apply: (largest_exponential_of alpha1 K1 norm_of_one_pos); rewrite norm_of_oneE; exact: gamma_exists. Qed.

(* Lemma moment repaired for every real exponent: E[max H^alpha] <= ((log K + g)/(1 - beta))^alpha, g the alpha-norm
   of one exponential variable.
   ledger: lem:moment/repair *)
Theorem moment_repaired : moment beta K alpha <= rpower ((ln (INR K) + g) / (1 - beta)) alpha.
Proof.
have [b0 b1] := discount; have x0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have w0 : 0 < ln (INR K) + g by have := norm_of_one_pos; have := ln_nonneg K1; lra.
apply: Rle_trans (moment_exponential discount alpha1 K1 largest_exponential) _.
rewrite !rpower_pos //; last by apply: Rdiv_lt_0_compat; lra.
by rewrite Rpower_mult_distr //; exact: Rle_refl.
Qed.

(* So E[max H^alpha] <= Gamma(1 + alpha) ((1 + log K)/(1 - beta))^alpha, as g >= 1.
   ledger: lem:moment/repair-one-plus-log *)
Theorem moment_one_plus_log : moment beta K alpha <= gamma_plus_1 alpha * rpower ((1 + ln (INR K)) / (1 - beta)) alpha.
Proof.
have [b0 b1] := discount; have x0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
rewrite -norm_of_oneE; have g1 := norm_of_one_at_least; have g0 := norm_of_one_pos.
have l0 := ln_nonneg K1; have w0 : 0 < ln (INR K) + g by lra.
apply: Rle_trans moment_repaired _; rewrite !rpower_pos; try by apply: Rdiv_lt_0_compat; lra.
rewrite Rpower_mult_distr //; last by apply: Rdiv_lt_0_compat; lra.
apply: Rle_Rpower_l; first lra.
split; first by apply: Rdiv_lt_0_compat; lra.
rewrite /Rdiv -Rmult_assoc; apply: Rmult_le_compat_r; first lra.
by nra.
Qed.
End Together.
