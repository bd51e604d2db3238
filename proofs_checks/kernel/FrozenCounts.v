(* The vocabulary of the lemma on frozen counts, section 1.7 of the notes, where observations are finitely many, and what it needs of
   sequences. The lemma itself is that of Frozen.v, for observations of any kind; FiniteRuns.v has it for these. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Concentration.
From kernel Require Import History Regret.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* ---------------------------------------------------------------- Counts, and sums over the episodes of a history *)

Section Counts.
Variables (A S O : finType).
Notation history := (history A S O).
Notation cell := (cell A S).

(* N(c): how often a cell was activated. *)
Definition visits (c : cell) (s : past cell O) : nat := size (observed c s).

(* N_k(c), after the k episodes of h. *)
Definition count_of (c : cell) (h : history) : nat := visits c (flat h).

(* The steps of the latest episode. *)
Definition newest (h : history) : seq (step A S O) := if h is r :: _ then r.2 else [::].

(* The sum over episodes k of g(O_{k-1}, O_k). *)
Fixpoint over_episodes (g : history -> history -> R) (h : history) : R :=
  if h is r :: h' then over_episodes g h' + g h' h else 0.

(* sum_{j < n} f(j). *)
Definition running (f : nat -> R) (n : nat) : R := \sum_(j < n) f j.

(* The sum over k of w_k times the sum over the steps t of episode k of f(N_{k-1}(c_t)). *)
Definition frozen (w : history -> R) (f : nat -> R) : history -> R :=
  over_episodes (fun h h' => w h * \sum_(p <- shown (newest h')) f (count_of p.1 h)).

(* w_K, the weight of the latest episode; it is known before that episode. *)
Definition last_weight (w : history -> R) (h : history) : R := w (behead h).

Lemma visits_cons c d o s : visits c ((d, o) :: s) = ((d == c) + visits c s)%nat.
Proof. by rewrite /visits /observed /=; case: eqP. Qed.

Lemma visits_cat c s s' : visits c (s ++ s') = (visits c s + visits c s')%nat.
Proof. by rewrite /visits /observed filter_cat map_cat size_cat. Qed.

Lemma count_cons c r h : count_of c (r :: h) = (visits c (shown r.2) + count_of c h)%nat.
Proof. by rewrite /count_of /flat /= visits_cat. Qed.

End Counts.

Section FrozenCounts.
Variable beta : R.
Hypothesis discount : is_discount beta.
Notation cut N := (at_most_long beta N).
Let B := 1 / (1 - beta).

(* Summation by parts against the cut geometric law: if x_0 = 0 and x grows by at most y, then E x_H <= B E y_H. *)
Lemma cut_by_parts N (x y : nat -> R) : x 0%nat = 0 -> (forall m, 0 <= x m) -> (forall m, x m.+1 <= x m + y m.+1) ->
  cut N x <= B * cut N y.
Proof.
case: (discount) => b0 b1 x0 xpos grows; suff : cut N x + beta ^ N * x N <= B * cut N y.
  by have : 0 <= beta ^ N * x N by [apply: Rmult_le_pos => //; exact: pow_le]; lra.
elim: N => [|N IH]; first by rewrite /at_most_long /= x0; lra.
have p0 := pow_le beta N b0; have g := Rmult_le_compat_l _ _ _ p0 (grows N).
rewrite /at_most_long !sum_recr -/(cut N x) -/(cut N y) /chance.
have -> : B * (cut N y + (1 - beta) * beta ^ N * y N.+1) = B * cut N y + beta ^ N * y N.+1 by rewrite /B; field; lra.
have -> : cut N x + (1 - beta) * beta ^ N * x N.+1 + beta ^ N.+1 * x N.+1 = cut N x + beta ^ N * x N.+1 by rewrite /=; ring.
lra.
Qed.

(* ---------------------------------------------------------------- One episode *)

Section OneCell.
Variable f : nat -> R.
Hypothesis f_falls : forall n, f n.+1 <= f n.

Lemma f_le m n : (m <= n)%nat -> f n <= f m.
Proof. by move=> /subnK <-; elim: (n - m)%nat => [|k IH]; [rewrite add0n; lra | rewrite addSn; have := f_falls (k + m); lra]. Qed.

(* With n = v - u activations in the episode: n f(u) - (f(u) + ... + f(v-1)), what freezing the count costs. *)
Definition excess (u v : nat) : R := (INR v - INR u) * f u - (running f v - running f u).

Lemma excess_same u : excess u u = 0.
Proof. by rewrite /excess; ring. Qed.

Lemma excess_next u v : excess u v.+1 = excess u v + (f u - f v).
Proof. by rewrite /excess /running sum_recr S_INR; ring. Qed.

Lemma excess_nonneg u v : (u <= v)%nat -> 0 <= excess u v.
Proof.
move=> /subnK <-; elim: (v - u)%nat => [|k IH]; first by rewrite add0n excess_same; lra.
by rewrite addSn excess_next; have := f_le (leq_addl k u); lra.
Qed.
End OneCell.

Lemma running_nonneg (f : nat -> R) (f_nonneg : forall n, 0 <= f n) n : 0 <= running f n.
Proof. by apply: sum_to_nonneg. Qed.

(* Weights that never fall. *)
Lemma last_weight_le (A S O : finType) (w : history A S O -> R) h : (forall r h, w h <= w (r :: h)) -> last_weight w h <= w h.
Proof. by case: h => [|r h] grows; [rewrite /last_weight /=; lra | exact: grows]. Qed.
End FrozenCounts.
