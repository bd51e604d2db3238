(* Section 1.4 of the notes, the event F_k, by hint 2 of section 6 (Markov's inequality at the end of the episodes instead of
   Ville's), on the law of histories of the study: after any number of episodes, with probability at least 1 - 1/K,
     for every cell:  sum_y (Qhat(y) - (1+eps) Q(y))^+ <= l'/(eps max(1,N)),    l' = S log 2 + log(S n K). *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Concentration Events.
From kernel Require Import History Bayes Regret.
From kernel Require Import FrozenCounts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Moves.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation cell := (cell A S).
Notation mu := (mu shows).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Notation mean_of K F := (expected next beta learner rho shows K F).

Variable eps : R.
Hypothesis eps_range : 0 < eps <= 1.
Variable K : nat.
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).

(* ---------------------------------------------------------------- Statements' vocabulary *)

(* How often a cell moved into the set Y, and into y; the probabilities Q(Y) and Q(y) of that. *)
Definition moved_into (c : cell) (Y : {set S}) (s : past cell O) : nat := count (fun o => next o \in Y) (observed c s).
Definition moved_to (c : cell) (y : S) (s : past cell O) : nat := count (fun o => next o == y) (observed c s).
Definition Q_set (c : cell) (Y : {set S}) : R := mean (mu c) (fun o => indicator (next o \in Y)).
Definition Q_row (c : cell) (y : S) : R := mean (mu c) (fun o => indicator (next o == y)).

(* count_Y - (1+eps) Q(Y) N, and the supermartingale exp(eps(count_Y - (1+eps) Q(Y) N)). *)
Definition surplus (c : cell) (Y : {set S}) (s : past cell O) : R :=
  INR (moved_into c Y s) - (1 + eps) * Q_set c Y * INR (visits c s).
Definition wealth (c : cell) (Y : {set S}) (s : past cell O) : R := exp (eps * surplus c Y s).

(* 2^S S n K, and its logarithm l'. *)
Definition level : R := 2 ^ #|S| * (INR #|cell| * INR K).
Definition log_level : R := ln level.

(* Some cell and some set of states violate eps (count_Y - (1+eps) Q(Y) N) <= l'. *)
Definition set_violated (s : past cell O) : bool :=
  [exists c, [exists Y : {set S}, above log_level (eps * surplus c Y s)]].

(* Qhat: frequencies of moves; any row >= 0 with sum 1, chosen by the learner, where the cell was never activated. *)
Variable guess : history A S O -> cell -> S -> R.
Hypothesis guess_ok : forall h c, probability (guess h c).
Definition Qhat (h : history A S O) (c : cell) (y : S) : R :=
  if count_of c h == 0%nat then guess h c y else INR (moved_to c y (flat h)) / INR (count_of c h).

(* F_k fails: some cell has sum_y (Qhat(y) - (1+eps) Q(y))^+ > l'/(eps max(1,N)). *)
Definition F_fails (h : history A S O) : bool :=
  [exists c, above (log_level / (eps * INR (maxn 1 (count_of c h))))
    (\sum_(y : S) Rmax 0 (Qhat h c y - (1 + eps) * Q_row c y))].

(* ---------------------------------------------------------------- The supermartingale *)

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

Lemma Q_set_range c Y : 0 <= Q_set c Y.
Proof. by apply: mean_nonneg => o; [exact: (proj1 (mu_ok shows_ok c)) | exact: indicator_nonneg]. Qed.

(* The factor of one activation has mean (1 - q + q e^eps) e^(-eps (1+eps) q) <= 1. *)
Lemma factor_at_most_1 (c : cell) (Y : {set S}) : mean (mu c) (fun o => exp (eps * (indicator (next o \in Y) - (1 + eps) * Q_set c Y))) <= 1.
Proof.
have q0 := Q_set_range c Y; pose k := exp (- (eps * (1 + eps) * Q_set c Y)).
rewrite (mean_ext _ (g := fun o => k * (1 + (exp eps - 1) * indicator (next o \in Y)))); last first.
  move=> o; rewrite /indicator /k; case: ifP => _.
    by rewrite (_ : 1 + (exp eps - 1) * 1 = exp eps); [rewrite -exp_plus; congr exp; ring | ring].
  by rewrite Rmult_0_r Rplus_0_r Rmult_1_r; congr exp; ring.
rewrite mean_scale mean_add mean_scale (mean_of_const _ (mu_ok shows_ok c)) -/(Q_set c Y).
have k0 : 0 <= k by left; exact: exp_pos.
apply: Rle_trans (Rmult_le_compat_l _ _ _ k0 (exp_tangent ((exp eps - 1) * Q_set c Y))) _.
rewrite /k -exp_plus -[X in _ <= X]exp_0; apply: exp_le.
have e : exp eps <= 1 + eps + eps * eps by apply: exp_quadratic; lra.
by have := Rmult_le_compat_r _ _ _ q0 e; lra.
Qed.

(* exp(eps(count_Y - (1+eps) Q(Y) N)) does not rise in the mean, whichever cell is activated. *)
Lemma wealth_falls (c : cell) (Y : {set S}) (d : cell) (s : past cell O) : mean (mu d) (fun o => wealth c Y ((d, o) :: s)) <= wealth c Y s.
Proof.
case: (d =P c) => [->|/eqP dc]; last first.
  have same o : wealth c Y ((d, o) :: s) = wealth c Y s.
    by rewrite /wealth /surplus /moved_into /visits /observed /= (negbTE dc).
  by rewrite (mean_ext _ same) (mean_of_const _ (mu_ok shows_ok d)); lra.
have step o : wealth c Y ((c, o) :: s) = wealth c Y s * exp (eps * (indicator (next o \in Y) - (1 + eps) * Q_set c Y)).
  rewrite /wealth -exp_plus; congr exp; rewrite /surplus visits_cons eqxx add1n S_INR.
  rewrite /moved_into /observed /= eqxx /= plus_INR; case: (next o \in Y); rewrite /indicator /=; ring.
rewrite (mean_ext _ step) mean_scale -[X in _ <= X]Rmult_1_r.
by apply: Rmult_le_compat_l; [left; exact: exp_pos | exact: factor_at_most_1].
Qed.

Lemma wealth_start c Y : wealth c Y [::] = 1.
Proof. by rewrite /wealth /surplus /= (_ : eps * _ = 0) ?exp_0 //; ring. Qed.

(* ---------------------------------------------------------------- Markov's inequality *)

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

Definition total_wealth (s : past cell O) : R := \sum_(c : cell) \sum_(Y : {set S}) wealth c Y s.

Lemma wealth_nonneg c Y s : 0 <= wealth c Y s. Proof. by left; exact: exp_pos. Qed.

Lemma total_wealth_falls d s : mean (mu d) (fun o => total_wealth ((d, o) :: s)) <= total_wealth s.
Proof.
rewrite /mean /total_wealth; under eq_bigr do rewrite -sum_scale.
rewrite exchange_big /=; apply: sum_le => c _; under eq_bigr do rewrite -sum_scale.
by rewrite exchange_big /=; apply: sum_le => Y _; exact: wealth_falls.
Qed.

Lemma total_wealth_start : total_wealth [::] = level / INR K.
Proof.
rewrite /total_wealth (eq_bigr (fun _ => 2 ^ #|S|)) => [|c _]; last first.
  by rewrite (eq_bigr (fun _ => 1)) => [|Y _]; [rewrite sum_const card_sets Rmult_1_r | exact: wealth_start].
by rewrite sum_const /level; have k := INR_ge1 K1; field; lra.
Qed.

Lemma violated_at_most s : level * indicator (set_violated s) <= total_wealth s.
Proof.
have all0 : 0 <= total_wealth s by apply: sum_nonneg => c _; apply: sum_nonneg => Y _; exact: wealth_nonneg.
rewrite /indicator; case: ifP => [/existsP [c /existsP [Y]]|_]; last by rewrite Rmult_0_r.
rewrite /above Rmult_1_r; case: (Rlt_dec _ _) => // h _.
apply: Rle_trans (term_le_sum c (f := fun c => \sum_(Y : {set S}) wealth c Y s) _); last first.
  by move=> c'; apply: sum_nonneg => Y' _; exact: wealth_nonneg.
apply: Rle_trans (term_le_sum Y (f := fun Y : {set S} => wealth c Y s) (fun Y => wealth_nonneg c Y s)).
by rewrite -[level]exp_ln; [apply: exp_le; left | exact: level_pos].
Qed.

(* P(some cell and some set of states violate) <= 1/K, after any number J of episodes, cut at N. *)
Lemma sets_hold_cut N J : cut_mean N J (fun h => indicator (set_violated (flat h))) <= 1 / INR K.
Proof.
have l0 := level_pos; have k := INR_ge1 K1; apply: (Rmult_le_reg_l level) => //.
rewrite (_ : level * (1 / INR K) = level / INR K); last by field; lra.
rewrite -total_wealth_start /truncated -law_scale.
have w0 s : 0 <= total_wealth s by apply: sum_nonneg => c _; apply: sum_nonneg => Y _; exact: wealth_nonneg.
apply: Rle_trans (law_falls next discount learner_ok rho_ok shows_ok w0 total_wealth_falls N J [::]).
by apply: law_le => // h _; exact: violated_at_most.
Qed.

(* ---------------------------------------------------------------- From sets to rows *)

Lemma in_set_split (D : {set S}) (z : S) : indicator (z \in D) = \sum_(y in D) indicator (z == y).
Proof.
rewrite {1}/indicator; case: ifP => hD.
  by rewrite (bigD1 z) //= /indicator eqxx big1 ?Rplus_0_r // => y /andP [_ ne]; rewrite eq_sym (negbTE ne).
by rewrite big1 // => y yD; rewrite /indicator; case: eqP => // ey; rewrite ey yD in hD.
Qed.

Lemma Q_set_split c D : Q_set c D = \sum_(y in D) Q_row c y.
Proof.
rewrite /Q_set /Q_row /mean exchange_big /=; apply: eq_bigr => o _.
by rewrite sum_scale in_set_split.
Qed.

Lemma moved_split c D s : INR (moved_into c D s) = \sum_(y in D) INR (moved_to c y s).
Proof.
rewrite /moved_into /moved_to; elim: (observed c s) => [|o r IH] /=; first by rewrite big1.
rewrite plus_INR IH (_ : INR (next o \in D) = indicator (next o \in D)); last by case: (next o \in D).
rewrite in_set_split -sum_add; apply: eq_bigr => y _.
by rewrite plus_INR /indicator; case: (next o == y).
Qed.

Lemma Q_row_nonneg c y : 0 <= Q_row c y.
Proof. by apply: mean_nonneg => o; [exact: (proj1 (mu_ok shows_ok c)) | exact: indicator_nonneg]. Qed.

(* Where the sets hold, F_k holds: Y = {y : Qhat(y) > (1+eps) Q(y)}. For N = 0: the left side is <= 1 <= l'/eps. *)
Lemma F_of_sets h : eps <= log_level -> F_fails h -> set_violated (flat h).
Proof.
move=> large /existsP [c]; rewrite /above; case: (Rlt_dec _ _) => // fails _; move: fails.
case: (posnP (count_of c h)) => [z|Npos] fails.
  suff : \sum_(y : S) Rmax 0 (Qhat h c y - (1 + eps) * Q_row c y) <= 1.
    have : 1 <= log_level / (eps * INR (maxn 1 (count_of c h))).
      rewrite z /= Rmult_1_r; apply: (Rmult_le_reg_r eps); first lra.
      by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
    lra.
  rewrite -[X in _ <= X](proj2 (guess_ok h c)); apply: sum_le => y _; have g := proj1 (guess_ok h c) y; have q := Q_row_nonneg c y.
  have p : 0 <= (1 + eps) * Q_row c y by apply: Rmult_le_pos; lra.
  by rewrite /Qhat z /=; apply: Rmax_lub => //; lra.
have N1 := INR_ge1 Npos; pose D := [set y | if Rle_dec ((1 + eps) * Q_row c y) (Qhat h c y) then true else false].
apply/existsP; exists c; apply/existsP; exists D.
have e : \sum_(y : S) Rmax 0 (Qhat h c y - (1 + eps) * Q_row c y) = surplus c D (flat h) / INR (count_of c h).
  rewrite /surplus moved_split Q_set_split -/(count_of c h).
  rewrite (_ : _ / _ = \sum_(y in D) (INR (moved_to c y (flat h)) / INR (count_of c h) - (1 + eps) * Q_row c y)); last first.
    by rewrite sum_sub sum_scale_r sum_scale; field; lra.
  rewrite [in RHS]big_mkcond; apply: eq_bigr => y _ /=; rewrite inE /Qhat (gtn_eqF Npos).
  by case: (Rle_dec _ _) => d /=; [rewrite Rmax_right; lra | rewrite Rmax_left; lra].
rewrite e (maxn_idPr Npos) in fails; rewrite /above; case: (Rlt_dec _ _) => //; case.
have p : 0 < eps * INR (count_of c h) by apply: Rmult_lt_0_compat; lra.
have := Rmult_lt_compat_r _ _ _ p fails; move: (surplus c D (flat h)) => t.
rewrite (_ : log_level / _ * _ = log_level); last by field; lra.
by rewrite (_ : t / _ * _ = eps * t) //; field; lra.
Qed.

(* P(not F_k) <= 1/K, whatever the number of episodes before; cut at N, and in the limit. *)
Lemma event_F_cut N J : eps <= log_level -> cut_mean N J (fun h => indicator (F_fails h)) <= 1 / INR K.
Proof.
move=> large; apply: Rle_trans (sets_hold_cut N J); apply: law_le => // h _.
have := @F_of_sets h large; rewrite /indicator; case: (F_fails h) => [->|_] //; first lra.
by case: ifP; lra.
Qed.

(* P(not F_k) <= 1/K on the law of the run, where observations are finitely many. *)
Lemma event_F J : eps <= log_level -> mean_of J (fun h => indicator (F_fails h)) <= 1 / INR K.
Proof.
move=> large; apply: (expected_at_most discount learner_ok rho_ok shows_ok Rle_0_1) => [h _|N].
  exact: indicator_abs.
exact: event_F_cut.
Qed.

(* For K >= 2 (an episode's regret is at most B otherwise) the condition holds: l' >= log 4 > 1 >= eps. *)
Lemma log_level_large : (2 <= K)%nat -> (1 <= #|S|)%nat -> eps <= log_level.
Proof.
move=> K2 S1; rewrite /log_level; have k : 2 <= INR K by rewrite -[2]/(INR 2); apply: le_INR; apply/leP.
have c := INR_ge1 C1; have s : 2 <= 2 ^ #|S|.
  by rewrite -{1}[2]pow_1; apply: Rle_pow; [lra | apply/leP].
have ck : 2 <= INR #|cell| * INR K by nra.
have four : 4 <= level by rewrite /level; move: (2 ^ #|S|) (INR #|cell| * INR K) s ck => u v u2 v2; nra.
apply: Rle_trans (_ : _ <= 1) _; first lra.
rewrite -[1]ln_exp; apply: Rcomplements.ln_le; first exact: exp_pos.
by have := @exp_quadratic 1 (conj Rle_0_1 (Rle_refl 1)); lra.
Qed.
End Moves.
