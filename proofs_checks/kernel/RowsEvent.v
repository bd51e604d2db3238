(* Section 1.4 of the notes, the event F_k, by hint 2 of section 6 (Markov's inequality at the end of the episodes instead of
   Ville's), for any law of observations: after any number of episodes, with probability at least 1 - 1/K,
     for every cell:  sum_y (Qhat(y) - (1+eps) Q(y))^+ <= l'/(eps max(1,N)),    l' = S log 2 + log(S n K). *)

From kernel Require Import Limits Sums Values Bandits Concentration Events Episodes Levels Laws Draws LawOfRun Truncation Frozen.
From kernel Require Import Radii Known.

Section Rows.
Variables (A S : finType) (O : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation cell := (cell A S).
Notation history := (history A S O).
Notation past := (seq (cell * O)).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> law_on O.
Notation mu := (mu shows).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).

Variable eps : R.
Hypothesis eps_range : 0 < eps <= 1.
Variable K : nat.
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).
Notation level := (level A S K).
Notation log_level := (log_level A S K).

(* How often a cell moved into the set Y, and into y; the probabilities Q(Y) and Q(y) of that. *)
Definition moved_into (c : cell) (Y : {set S}) (s : past) : nat := count (fun o => next o \in Y) (observed c s).
Definition moved_to (c : cell) (y : S) (s : past) : nat := count (fun o => next o == y) (observed c s).
Definition Q_set (c : cell) (Y : {set S}) : R := mu c (fun o => indicator (next o \in Y)).
Definition Q_row (c : cell) (y : S) : R := mu c (fun o => indicator (next o == y)).

(* count_Y - (1+eps) Q(Y) N, and the supermartingale exp(eps(count_Y - (1+eps) Q(Y) N)). *)
Definition surplus (c : cell) (Y : {set S}) (s : past) : R := INR (moved_into c Y s) - (1 + eps) * Q_set c Y * INR (visits c s).
Definition wealth (c : cell) (Y : {set S}) (s : past) : R := exp (eps * surplus c Y s).

(* Some cell and some set of states violate eps (count_Y - (1+eps) Q(Y) N) <= l'. *)
Definition set_violated (s : past) : bool := [exists c, [exists Y : {set S}, above log_level (eps * surplus c Y s)]].

(* Qhat: frequencies of moves; any row >= 0 with sum 1, chosen by the learner, where the cell was never activated. *)
Variable guess : history -> cell -> S -> R.
Hypothesis guess_ok : forall h c, probability (guess h c).
Notation Qhat := (moves next guess).

(* F_k fails: some cell has sum_y (Qhat(y) - (1+eps) Q(y))^+ > l'/(eps max(1,N)). *)
Definition F_fails (h : history) : bool :=
  [exists c, above (log_level / (eps * INR (maxn 1 (count_of c h)))) (\sum_(y : S) Rmax 0 (Qhat h c y - (1 + eps) * Q_row c y))].

Let b_set (Y : {set S}) : bounded (fun o => indicator (next o \in Y)). Proof. exact: (bounded_indicator (fun o => next o \in Y)). Qed.

Lemma Q_set_range c Y : 0 <= Q_set c Y.
Proof. by rewrite -(E_const (mu c) 0); apply: E_le => [||o]; [exact: by_const | exact: b_set | exact: indicator_nonneg]. Qed.

(* The factor of one activation has mean (1 - q + q e^eps) e^(-eps (1+eps) q) <= 1. *)
Lemma factor_at_most_1 (c : cell) (Y : {set S}) : mu c (fun o => exp (eps * (indicator (next o \in Y) - (1 + eps) * Q_set c Y))) <= 1.
Proof.
have q0 := Q_set_range c Y; pose k := exp (- (eps * (1 + eps) * Q_set c Y)).
rewrite (E_ext _ (g := fun o => k * (1 + (exp eps - 1) * indicator (next o \in Y)))); last first.
  move=> o; rewrite /indicator /k; case: ifP => _.
    by rewrite (_ : 1 + (exp eps - 1) * 1 = exp eps); [rewrite -exp_plus; congr exp; ring | ring].
  by rewrite Rmult_0_r Rplus_0_r Rmult_1_r; congr exp; ring.
have b2 := bounded_scale (exp eps - 1) (b_set Y).
rewrite (E_scale _ k (bounded_add (by_const O 1) b2)) (E_add _ (by_const O 1) b2) E_scale // E_const -/(Q_set c Y).
have k0 : 0 <= k by left; exact: exp_pos.
apply: Rle_trans (Rmult_le_compat_l _ _ _ k0 (exp_tangent ((exp eps - 1) * Q_set c Y))) _.
rewrite /k -exp_plus -[X in _ <= X]exp_0; apply: exp_le.
have e : exp eps <= 1 + eps + eps * eps by apply: exp_quadratic; lra.
by have := Rmult_le_compat_r _ _ _ q0 e; lra.
Qed.

(* exp(eps(count_Y - (1+eps) Q(Y) N)) does not rise in the mean, whichever cell is activated. *)
Lemma wealth_next c (Y : {set S}) d s o : wealth c Y ((d, o) :: s) = if d == c then
  wealth c Y s * exp (eps * (indicator (next o \in Y) - (1 + eps) * Q_set c Y)) else wealth c Y s.
Proof.
case: (d =P c) => [->|/eqP dc]; last by rewrite /wealth /surplus /moved_into /visits /observed /= (negbTE dc).
rewrite /wealth -exp_plus; congr exp; rewrite /surplus visits_cons eqxx add1n S_INR.
by rewrite /moved_into /observed /= eqxx /= plus_INR; case: (next o \in Y); rewrite /indicator /=; ring.
Qed.

Let b_factor c (Y : {set S}) : bounded (fun o => exp (eps * (indicator (next o \in Y) - (1 + eps) * Q_set c Y))).
Proof.
exists (exp eps) => o; rewrite Rabs_pos_eq; last by left; exact: exp_pos.
apply: exp_le; have q := Q_set_range c Y; have p : 0 <= (1 + eps) * Q_set c Y by apply: Rmult_le_pos; lra.
by have i1 : indicator (next o \in Y) <= 1 by [rewrite /indicator; case: ifP; lra]; nra.
Qed.

Lemma wealth_bounded c Y d s : bounded (fun o => wealth c Y ((d, o) :: s)).
Proof.
case: (boolP (d == c)) => dc; last by exists (Rabs (wealth c Y s)) => o; rewrite wealth_next (negbTE dc); lra.
have [C bC] := bounded_scale (wealth c Y s) (b_factor c Y); by exists C => o; rewrite wealth_next dc.
Qed.

Lemma wealth_falls (c : cell) (Y : {set S}) (d : cell) (s : past) : mu d (fun o => wealth c Y ((d, o) :: s)) <= wealth c Y s.
Proof.
rewrite (E_ext _ (wealth_next c Y d s)); case: (d =P c) => [->|dc]; last by rewrite E_const; lra.
rewrite E_scale // -[X in _ <= X]Rmult_1_r.
by apply: Rmult_le_compat_l; [left; exact: exp_pos | exact: factor_at_most_1].
Qed.

(* ---------------------------------------------------------------- Markov's inequality *)

Let level_pos := level_pos K1 C1.
Definition total_wealth (s : past) : R := \sum_(c : cell) \sum_(Y : {set S}) wealth c Y s.
Lemma wealth_nonneg c Y s : 0 <= wealth c Y s. Proof. by left; exact: exp_pos. Qed.
Lemma total_wealth_nonneg s : 0 <= total_wealth s.
Proof. by apply: sum_nonneg => c _; apply: sum_nonneg => Y _; exact: wealth_nonneg. Qed.

Lemma total_wealth_falls d s : mu d (fun o => total_wealth ((d, o) :: s)) <= total_wealth s.
Proof.
have bY c : bounded (fun o => \sum_(Y : {set S}) wealth c Y ((d, o) :: s)) by apply: bounded_sum => Y; exact: wealth_bounded.
rewrite /total_wealth E_sum //; apply: sum_le => c _; rewrite E_sum; last by move=> Y; exact: wealth_bounded.
by apply: sum_le => Y _; exact: wealth_falls.
Qed.

Lemma total_wealth_start : total_wealth [::] = level / INR K.
Proof.
rewrite /total_wealth (eq_bigr (fun _ => 2 ^ #|S|)) => [|c _]; last first.
  by rewrite (eq_bigr (fun _ => 1)) => [|Y _]; [rewrite sum_const card_sets Rmult_1_r | by rewrite /wealth /surplus /= (_ : eps * _ = 0) ?exp_0 //; ring].
by rewrite sum_const /level; have k := INR_ge1 K1; field; lra.
Qed.

Lemma violated_at_most s : level * indicator (set_violated s) <= total_wealth s.
Proof.
have all0 := total_wealth_nonneg s.
rewrite /indicator; case: ifP => [/existsP [c /existsP [Y /aboveP h]]|_]; last by rewrite Rmult_0_r.
rewrite Rmult_1_r.
apply: Rle_trans (term_le_sum c (f := fun c => \sum_(Y : {set S}) wealth c Y s) _); last first.
  by move=> c'; apply: sum_nonneg => Y' _; exact: wealth_nonneg.
apply: Rle_trans (term_le_sum Y (f := fun Y : {set S} => wealth c Y s) (fun Y => wealth_nonneg c Y s)).
by rewrite -[level]exp_ln; [apply: exp_le; left | exact: level_pos].
Qed.

Lemma tame_wealth : tame (fun h : history => total_wealth (flat h)).
Proof.
have le c Y (h : history) : 0 <= wealth c Y (flat h) <= exp (eps * INR (duration h)).
  split; first exact: wealth_nonneg.
  apply: exp_le; apply: Rmult_le_compat_l; first lra.
  have p : 0 <= (1 + eps) * Q_set c Y * INR (visits c (flat h)).
    by apply: Rmult_le_pos (pos_INR _); apply: Rmult_le_pos (Q_set_range c Y); lra.
  have m : INR (moved_into c Y (flat h)) <= INR (duration h).
    by apply: le_INR; apply/leP; apply: leq_trans (count_size _ _) _; exact: count_duration.
  by rewrite /surplus; lra.
apply: tame_sum => c; apply: tame_sum => Y; apply: (tame_le (G := fun h => exp (eps * INR (duration h)))) => [|h]; last exact: le.
exact: (@tame_steps A S O (fun n => exp (eps * INR n))).
Qed.

(* ---------------------------------------------------------------- From sets to rows *)

Lemma Q_set_split c D : Q_set c D = \sum_(y in D) Q_row c y.
Proof.
rewrite /Q_set (E_next (mu c) next (fun y => indicator (y \in D))) /mean [in RHS]big_mkcond; apply: eq_bigr => y _.
by rewrite /Q_row /indicator; case: (y \in D); ring.
Qed.

Lemma Q_row_nonneg c y : 0 <= Q_row c y. Proof. exact: (proj1 (next_probability (mu c) next)). Qed.

(* Where the sets hold, F_k holds: Y = {y : Qhat(y) > (1+eps) Q(y)}. For N = 0: the left side is <= 1 <= l'/eps. *)
Lemma F_of_sets h : eps <= log_level -> F_fails h -> set_violated (flat h).
Proof.
move=> large /existsP [c /aboveP fails]; case: (posnP (count_of c h)) => [z|Npos].
  suff : \sum_(y : S) Rmax 0 (Qhat h c y - (1 + eps) * Q_row c y) <= 1.
    have : 1 <= log_level / (eps * INR (maxn 1 (count_of c h))).
      rewrite z /= Rmult_1_r; apply: (Rmult_le_reg_r eps); first lra.
      by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
    lra.
  rewrite -[X in _ <= X](proj2 (guess_ok h c)); apply: sum_le => y _; have g := proj1 (guess_ok h c) y; have q := Q_row_nonneg c y.
  have p : 0 <= (1 + eps) * Q_row c y by apply: Rmult_le_pos; lra.
  by rewrite /moves z /=; apply: Rmax_lub => //; lra.
have N1 := INR_ge1 Npos; pose D := [set y | if Rle_dec ((1 + eps) * Q_row c y) (Qhat h c y) then true else false].
apply/existsP; exists c; apply/existsP; exists D.
have e : \sum_(y : S) Rmax 0 (Qhat h c y - (1 + eps) * Q_row c y) = surplus c D (flat h) / INR (count_of c h).
  rewrite /surplus /moved_into count_in Q_set_split -/(count_of c h).
  rewrite (_ : _ / _ = \sum_(y in D) (INR (moved_to c y (flat h)) / INR (count_of c h) - (1 + eps) * Q_row c y)); last first.
    by rewrite sum_sub sum_scale_r sum_scale /moved_to; field; lra.
  rewrite [in RHS]big_mkcond; apply: eq_bigr => y _ /=; rewrite inE /moves /Radii.Qhat (gtn_eqF Npos) /moved_to.
  by case: (Rle_dec _ _) => d /=; [rewrite Rmax_right; lra | rewrite Rmax_left; lra].
rewrite e (maxn_idPr Npos) in fails; apply/aboveP.
have p : 0 < eps * INR (count_of c h) by apply: Rmult_lt_0_compat; lra.
have := Rmult_lt_compat_r _ _ _ p fails; move: (surplus c D (flat h)) => t.
rewrite (_ : log_level / _ * _ = log_level); last by field; lra.
by rewrite (_ : t / _ * _ = eps * t) //; field; lra.
Qed.

(* P(not F_k) <= 1/K, whatever the number of episodes before: given the lengths, cut at N, and in the limit. *)
Lemma event_F_given ns : eps <= log_level -> of_lengths next learner rho shows ns [::] (fun h => indicator (F_fails h)) <= 1 / INR K.
Proof.
move=> large; have l0 := level_pos; have k := INR_ge1 K1; have ti := tame_indicator F_fails.
apply: (Rmult_le_reg_l level) => //; rewrite (_ : level * (1 / INR K) = level / INR K); last by field; lra.
rewrite -total_wealth_start -(of_lengths_scale next learner_ok rho_ok shows _ _ _ ti).
apply: Rle_trans (of_lengths_falls next learner_ok rho_ok ns [::] tame_wealth total_wealth_falls).
apply: of_lengths_le => // [||h _]; [exact: tame_scale ti | exact: tame_wealth | apply: Rle_trans (violated_at_most (flat h))].
by apply: Rmult_le_compat_l; [lra | apply: indicator_le; exact: F_of_sets].
Qed.

Lemma event_F_cut N J : eps <= log_level -> cut_mean N J (fun h => indicator (F_fails h)) <= 1 / INR K.
Proof.
move=> large; apply: rare_by_lengths => // [|ns]; last exact: event_F_given.
by apply: Rcomplements.Rdiv_le_0_compat; have := INR_ge1 K1; lra.
Qed.

(* P(not F_k) <= 1/K on the law of the run.
   ledger: beyond:upper/moves *)
Theorem event_F J : eps <= log_level -> expected next beta learner rho shows J (fun h => indicator (F_fails h)) <= 1 / INR K.
Proof. by move=> large; apply: rarely_at_most => // N; exact: event_F_cut. Qed.
End Rows.
