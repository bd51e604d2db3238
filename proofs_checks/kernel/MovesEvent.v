(* The event F_k of section 1.4 of the notes, where observations are finitely many:
     for every cell:  sum_y (Qhat(y) - (1+eps) Q(y))^+ <= l'/(eps max(1,N)),    l' = S log 2 + log(S n K).
   That it fails with probability at most 1/K is proved in RowsEvent.v, for observations of any kind. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Concentration Events.
From kernel Require Import History Regret.
From kernel Require Import FrozenCounts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Moves.
Variables (A S O : finType) (next : O -> S) (shows : A -> S -> O -> R).
Notation cell := (cell A S).
Notation mu := (mu shows).

Variable eps : R.
Hypothesis eps_range : 0 < eps <= 1.
Variable K : nat.
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).

(* How often a cell moved into y, and the probability Q(y) of that. *)
Definition moved_to (c : cell) (y : S) (s : past cell O) : nat := count (fun o => next o == y) (observed c s).
Definition Q_row (c : cell) (y : S) : R := mean (mu c) (fun o => indicator (next o == y)).

(* 2^S S n K, and its logarithm l'. *)
Definition level : R := 2 ^ #|S| * (INR #|cell| * INR K).
Definition log_level : R := ln level.

(* Qhat: frequencies of moves; any row >= 0 with sum 1, chosen by the learner, where the cell was never activated. *)
Variable guess : history A S O -> cell -> S -> R.
Definition Qhat (h : history A S O) (c : cell) (y : S) : R :=
  if count_of c h == 0%nat then guess h c y else INR (moved_to c y (flat h)) / INR (count_of c h).

(* F_k fails: some cell has sum_y (Qhat(y) - (1+eps) Q(y))^+ > l'/(eps max(1,N)). *)
Definition F_fails (h : history A S O) : bool :=
  [exists c, above (log_level / (eps * INR (maxn 1 (count_of c h))))
    (\sum_(y : S) Rmax 0 (Qhat h c y - (1 + eps) * Q_row c y))].

(* e^u <= 1 + u + u^2 on [0,1]. *)
Lemma exp_quadratic u : 0 <= u <= 1 -> exp u <= 1 + u + u * u.
Proof.
move=> [u0 u1]; have der c : is_derive (fun v => (1 + v + v * v) * exp (- v)) c ((c - c * c) * exp (- c)).
  by auto_derive => //; ring.
have h := increasing_from u0 (f := fun v => (1 + v + v * v) * exp (- v)) (fun c _ => der c).
have {h} : (1 + 0 + 0 * 0) * exp (- 0) <= (1 + u + u * u) * exp (- u).
  apply: h => c hc; apply: Rmult_le_pos; [nra | left; exact: exp_pos].
rewrite Ropp_0 exp_0 => h; have e := exp_pos u.
have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ e) h.
by rewrite [X in _ <= X](_ : _ = (1 + u + u * u) * (exp (- u) * exp u)); [rewrite -exp_plus Rplus_opp_l exp_0; lra | ring].
Qed.

Lemma card_sets : INR #|{set S}| = 2 ^ #|S|.
Proof.
have -> : #|{set S}| = (2 ^ #|S|)%nat by rewrite -(cardsT S) -card_powerset powersetT cardsT.
by elim: #|S| => [|n IH] //; rewrite expnS mult_INR IH.
Qed.

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

End Moves.
