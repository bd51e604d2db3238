(* The events E^r, E^Q and E^V of Lemma concentration, for an adaptive learner and a fixed number of steps, with the
   union bounds counted; the last one repaired. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Rcomplements.
From kernel Require Import Sums Concentration.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Events.
Variables (C O : finType) (mu : C -> O -> R) (rule : past C O -> C -> R).
Hypotheses (mu_ok : forall c, probability (mu c)) (rule_ok : forall h, probability (rule h)).

(* K episodes and the S n arm states; tau bounds the number of activations that precede episode k on E^H; T steps are
   played, and L counts are looked at. *)
Variables (K T L : nat) (tau : R).
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|C|)%nat) (L_tau : INR L <= tau).

Definition above (x y : R) : bool := if Rlt_dec x y then true else false.

(* The probability that, when some cell has been activated l times, 1 <= l <= L, its first l observations are bad. *)
Definition some_count_is_bad (bad : C -> nat -> seq O -> bool) : R :=
  play mu rule T [::] (fun h => indicator [exists c, [exists l : 'I_L, first_are c l.+1 (bad c l.+1) h]]).

Lemma union_of (bad : C -> nat -> seq O -> bool) p :
  (forall c l, (1 <= l <= L)%nat -> draws (mu c) l [::] (fun s => indicator (bad c l s)) <= p) ->
  some_count_is_bad bad <= INR #|C| * (INR L * p).
Proof.
move=> h; apply: Rle_trans (union_over_counts mu_ok rule_ok L bad T) _.
rewrite -sum_const; apply: sum_le => c _; have -> : INR L * p = \sum_(l : 'I_L) p by rewrite sum_const card_ord.
by apply: sum_le => l _; apply: h; rewrite ltn_ord.
Qed.

Lemma tau_pos l : (1 <= l <= L)%nat -> 1 <= tau.
Proof.
case/andP => l1 lL; apply: Rle_trans L_tau; rewrite -[1]/(INR 1); apply: le_INR; apply/leP.
exact: leq_trans l1 lL.
Qed.

Lemma INR_ge1 n : (1 <= n)%nat -> 1 <= INR n.
Proof. by move=> h; rewrite -[1]/(INR 1); apply: le_INR; apply/leP. Qed.

Lemma share p : 0 <= p -> INR #|C| * (INR L * (p / (INR #|C| * INR K * tau))) <= p / INR K.
Proof.
move=> p0; have c1 := INR_ge1 C1; have k1 := INR_ge1 K1.
case: (posnP L) => [->|Lpos].
  rewrite /= Rmult_0_l Rmult_0_r; apply: Rdiv_le_0_compat; lra.
have t1 := tau_pos (l := 1) Lpos.
rewrite (_ : _ * (_ * _) = p / INR K * (INR L / tau)); last by field; lra.
rewrite -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l; first by apply: Rdiv_le_0_compat; lra.
by apply: (Rmult_le_reg_r tau); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
Qed.

(* The logarithm log(2 S n K tau). *)
Definition Lambda : R := ln (2 * (INR #|C| * INR K * tau)).

Lemma big_product l : (1 <= l <= L)%nat -> 1 <= INR #|C| * INR K * tau.
Proof.
move=> hl; have c1 := INR_ge1 C1; have k1 := INR_ge1 K1; have t1 := tau_pos hl.
have ck : 1 <= INR #|C| * INR K by nra.
by nra.
Qed.

Lemma exp_Lambda l : (1 <= l <= L)%nat -> 0 <= Lambda /\ 2 * exp (- Lambda) = 1 / (INR #|C| * INR K * tau).
Proof.
move=> hl; have b := big_product hl; rewrite /Lambda; move: (INR #|C| * INR K * tau) b => X b; split.
  by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
by rewrite exp_Ropp exp_ln; [field; lra | lra].
Qed.

(* The radius w sqrt(log(2 S n K tau)/(2 l)) for means of l observations in an interval of length w. *)
Definition radius (w : R) (l : nat) : R := w * sqrt (Lambda / (2 * INR l)).

Lemma one_radius c l (f : O -> R) lo hi : (1 <= l <= L)%nat -> (forall o, lo <= f o <= hi) -> lo < hi ->
  draws (mu c) l [::] (fun s => indicator (above (radius (hi - lo) l) (Rabs (total_of f s / INR l - mean (mu c) f))))
  <= 1 / (INR #|C| * INR K * tau).
Proof.
move=> hl range width; have [L0 <-] := exp_Lambda hl; have l1 : 0 < INR l by have := INR_ge1 (proj1 (andP hl)); lra.
have q0 : 0 <= Lambda / (2 * INR l) by apply: Rdiv_le_0_compat; lra.
have r0 : 0 <= radius (hi - lo) l by apply: Rmult_le_pos; [lra | exact: sqrt_pos].
apply: Rle_trans (hoeffding (mu_ok c) (f := f) (lo := lo) (hi := hi) (e := radius (hi - lo) l) range width r0 _) _.
  move=> s sz; rewrite /above; case: (Rlt_dec _ _) => // h _.
  rewrite (_ : total_of f s - INR l * mean (mu c) f = INR l * (total_of f s / INR l - mean (mu c) f)); last by field; lra.
  by rewrite Rabs_mult (Rabs_pos_eq (INR l)); [apply: Rmult_le_compat_l; lra | lra].
apply: Req_le; congr (_ * exp _); rewrite /radius.
rewrite (_ : 2 * INR l * _ / _ = 2 * INR l * (sqrt (Lambda / (2 * INR l)) * sqrt (Lambda / (2 * INR l)))); last by field; lra.
by rewrite sqrt_sqrt //; field; lra.
Qed.

(* E^r: at some count the empirical mean reward is further than sqrt(log(2 S n K tau)/(2 l)) from r, with probability at
   most 1/K, for rewards in [0, 1]. Added: finitely many rewards; a fixed number of steps.
   step of: conc:r/within-H conc:r/hoeffding conc:r/union *)
Theorem event_r (reward : O -> R) : (forall o, 0 <= reward o <= 1) ->
  some_count_is_bad (fun c l s => above (radius 1 l) (Rabs (total_of reward s / INR l - mean (mu c) reward))) <= 1 / INR K.
Proof.
move=> range; apply: Rle_trans (share Rle_0_1); apply: union_of => c l hl.
by have := one_radius c hl range Rlt_0_1; rewrite Rminus_0_r.
Qed.

(* The radius sqrt(2 log(S n K tau 2^S)/l) for rows. *)
Definition row_radius (S : finType) (l : nat) : R := sqrt (2 * ln (INR #|C| * INR K * tau * 2 ^ #|S|) / INR l).

Lemma one_row_radius c l (S : finType) (next : O -> S) : (1 <= l <= L)%nat ->
  draws (mu c) l [::] (fun s => indicator (above (row_radius S l)
    (\sum_(y : S) Rabs (INR (count (fun o => next o == y) s) / INR l - mean (mu c) (fun o => indicator (next o == y))))))
  <= 1 / (INR #|C| * INR K * tau).
Proof.
move=> hl; have b := big_product hl; have l1 : 0 < INR l by have := INR_ge1 (proj1 (andP hl)); lra.
have two1 : 1 <= 2 ^ #|S| by apply: pow_R1_Rle; lra.
rewrite /row_radius; move: (INR #|C| * INR K * tau) b => X b; have z1 : 1 <= X * 2 ^ #|S| by nra.
have ln0 : 0 <= ln (X * 2 ^ #|S|) by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
have q0 : 0 <= 2 * ln (X * 2 ^ #|S|) / INR l by apply: Rdiv_le_0_compat; lra.
apply: Rle_trans (weissman (mu_ok c) (next := next) (sqrt_pos (2 * ln (X * 2 ^ #|S|) / INR l)) (proj1 (andP hl)) _) _.
  by move=> s sz; rewrite /above; case: (Rlt_dec _ _) => // h _; exact: Rlt_le.
rewrite sqrt_sqrt // (_ : INR l * _ / 2 = ln (X * 2 ^ #|S|)); last by field; lra.
apply: Req_le; rewrite exp_Ropp exp_ln; last lra.
by move: (2 ^ #|S|) two1 => t two1; field; split; lra.
Qed.

(* E^Q: the L1 distance of the empirical row is more than its radius with probability at most 1/K.
   step of: conc:r/within-H conc:Q/weissman *)
Theorem event_Q (S : finType) (next : O -> S) :
  some_count_is_bad (fun c l s => above (row_radius S l)
    (\sum_(y : S) Rabs (INR (count (fun o => next o == y) s) / INR l - mean (mu c) (fun o => indicator (next o == y)))))
  <= 1 / INR K.
Proof. by apply: Rle_trans (share Rle_0_1); apply: union_of => c l hl; exact: one_row_radius. Qed.

(* The same for finitely many functions with values in [0, w] at once. *)
Lemma one_radius_of_all (I : finType) (F : C -> I -> O -> R) (w : R) c l : (1 <= l <= L)%nat -> 0 < w ->
  (forall c i o, 0 <= F c i o <= w) ->
  draws (mu c) l [::] (fun s => indicator [exists i, above (radius w l) (Rabs (total_of (F c i) s / INR l - mean (mu c) (F c i)))])
  <= INR #|I| / (INR #|C| * INR K * tau).
Proof.
move=> hl w0 range; pose b i (s : seq O) := indicator (above (radius w l) (Rabs (total_of (F c i) s / INR l - mean (mu c) (F c i)))).
have b0 i s : 0 <= b i s by rewrite /b /indicator; case: ifP; lra.
apply: Rle_trans (_ : _ <= draws (mu c) l [::] (fun s => \sum_(i : I) b i s)) _.
  apply: (draws_le (mu_ok c)) => s; rewrite {1}/indicator; case: ifP => [/existsP [i hi]|_]; last exact: sum_nonneg.
  by apply: Rle_trans (term_le_sum i (fun i => b0 i s)); rewrite /b /indicator hi; lra.
rewrite draws_sum (_ : INR #|I| / _ = \sum_(i : I) 1 / (INR #|C| * INR K * tau)); last first.
  by rewrite sum_const; field; have := big_product hl; have := INR_ge1 K1; have := INR_ge1 C1; have := tau_pos hl; lra.
apply: sum_le => i _; have := one_radius c hl (f := F c i) (range c i) w0.
by rewrite Rminus_0_r.
Qed.

(* E^V, for S functions of the observation with values in [0, w]: with the printed radius w sqrt(log(2 S n K tau)/(2 l))
   some of them deviates with probability at most S/K.
   step of: conc:V/repair-probability *)
Theorem event_V (I : finType) (F : C -> I -> O -> R) (w : R) : 0 < w -> (forall c i o, 0 <= F c i o <= w) ->
  some_count_is_bad (fun c l s => [exists i, above (radius w l) (Rabs (total_of (F c i) s / INR l - mean (mu c) (F c i)))])
  <= INR #|I| / INR K.
Proof. by move=> w0 range; apply: Rle_trans (share (pos_INR _)); apply: union_of => c l hl; exact: one_radius_of_all. Qed.
End Events.
