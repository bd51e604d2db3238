(* The radii of Lemma concentration, at which Hoeffding's and Weissman's bounds are 1/(S n K tau) for a given number of draws:
   tau is tau_k, or the time t_k. *)

From kernel Require Import Limits Sums Concentration.

Definition above (x y : R) : bool := if Rlt_dec x y then true else false.

Lemma aboveP x y : reflect (x < y) (above x y).
Proof. by rewrite /above; case: (Rlt_dec x y) => h; constructor. Qed.

Lemma INR_ge1 n : (1 <= n)%nat -> 1 <= INR n.
Proof. by move=> h; rewrite -[1]/(INR 1); apply: le_INR; apply/leP. Qed.

Section Events.
(* S n = #|C| arm states, K episodes. *)
Variables (C : finType) (K : nat) (tau : R).
Hypothesis big : 1 <= INR #|C| * INR K * tau.

Lemma nonzero : INR #|C| <> 0 /\ INR K <> 0 /\ tau <> 0.
Proof. by split; last split; move=> e; move: big; rewrite e; lra. Qed.

(* The logarithm log(2 S n K tau). *)
Definition Lambda : R := ln (2 * (INR #|C| * INR K * tau)).

Lemma exp_Lambda : 0 <= Lambda /\ 2 * exp (- Lambda) = 1 / (INR #|C| * INR K * tau).
Proof.
rewrite /Lambda; move: (INR #|C| * INR K * tau) big => X b; split.
  by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
by rewrite exp_Ropp exp_ln; [field; lra | lra].
Qed.

(* The radius w sqrt(log(2 S n K tau)/(2 l)) for means of l observations in an interval of length w. *)
Definition radius (w : R) (l : nat) : R := w * sqrt (Lambda / (2 * INR l)).

(* The radius sqrt(2 log(S n K tau 2^S)/l) for rows. *)
Definition row_radius (S : finType) (l : nat) : R := sqrt (2 * ln (INR #|C| * INR K * tau * 2 ^ #|S|) / INR l).

(* With tau >= T: the shares p/(S n K tau) of all cells and counts up to T add up to at most p/K. *)
Lemma share T p : (1 <= K)%nat -> INR T <= tau -> 0 <= p -> INR #|C| * (INR T * (p / (INR #|C| * INR K * tau))) <= p / INR K.
Proof.
move=> K1 Tt p0; have k1 := INR_ge1 K1; have T0 := pos_INR T; have [c1 [_ t0]] := nonzero.
rewrite (_ : _ * (_ * _) = p / INR K * (INR T / tau)); last by field; lra.
rewrite -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l; first by apply: Rdiv_le_0_compat; lra.
by apply: (Rmult_le_reg_r tau); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
Qed.
End Events.

(* Where tau is the time, T + 1. *)
Lemma big_at_time n K T : (1 <= n)%nat -> (1 <= K)%nat -> 1 <= INR n * INR K * (INR T + 1).
Proof.
move=> /INR_ge1 n1 /INR_ge1 k1; have t0 := pos_INR T.
have : 1 <= INR n * INR K by nra.
by nra.
Qed.
