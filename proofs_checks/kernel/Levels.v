(* The levels 2^S S n K and 2^S S n K t_k of the radii for rows, and what the widths of a run come to. *)

From kernel Require Import Limits Sums Values Bandits Concentration Events Episodes.

(* e^u <= 1 + u + u^2 on [0,1]. *)
Lemma exp_quadratic u : 0 <= u <= 1 -> exp u <= 1 + u + u * u.
Proof.
move=> [u0 u1]; have h : (1 + 0 + 0 * 0) * exp (- 0) <= (1 + u + u * u) * exp (- u).
  apply: (increasing_from (f := fun v => (1 + v + v * v) * exp (- v)) u0 (df := fun c => (c - c * c) * exp (- c))) => c hc.
    by differentiate idtac; ring.
  by apply: Rmult_le_pos; [nra | left; exact: exp_pos].
have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ (exp_pos u)) h.
by rewrite Ropp_0 exp_0 [X in _ <= X]Rmult_assoc -exp_plus Rplus_opp_l exp_0; lra.
Qed.

Section Levels.
Variables (A S : finType) (K : nat).
Notation cell := (cell A S).
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).

(* 2^S S n K, and its logarithm l'. *)
Definition level : R := 2 ^ #|S| * (INR #|cell| * INR K).
Definition log_level : R := ln level.

Lemma level_pos : 0 < level.
Proof.
have k := INR_ge1 K1; have c := INR_ge1 C1; apply: Rmult_lt_0_compat; first by apply: pow_lt; lra.
by apply: Rmult_lt_0_compat; lra.
Qed.

Lemma log_levelE : log_level = INR #|S| * ln 2 + ln (INR #|cell| * INR K).
Proof.
have k := INR_ge1 K1; have c := INR_ge1 C1; rewrite /log_level /level ln_mult ?ln_pow //; first lra.
  by apply: pow_lt; lra.
by apply: Rmult_lt_0_compat; lra.
Qed.

Lemma level_2 : (1 <= #|S|)%nat -> 2 <= level.
Proof.
move=> S1; have k := INR_ge1 K1; have c := INR_ge1 C1; have t : 2 <= 2 ^ #|S| by rewrite -{1}[2]pow_1; apply: Rle_pow; [lra | apply/leP].
rewrite /level; have : 1 <= INR #|cell| * INR K by nra.
nra.
Qed.

(* L = log(2^S S n K (KB+1)), and what the widths of a whole run come to (Radii.v). *)
Section Widths.
Variable beta : R.
Let B := 1 / (1 - beta).
Definition wide_horizon : R := ln (level * (INR K * B + 1)).
Definition width_bound : R := B * sqrt 2 * sqrt wide_horizon * (INR #|cell| * B + 2 * sqrt (INR #|cell| * INR K * B)).
End Widths.
End Levels.
