(* The model that observations come from, the estimates of MB-UCBVI as functions of the history, and its event (1.2 of the
   notes on sharper bounds) on the law of the run: with probability at least 1 - S/K, whatever the learner and the number of
   episodes before, the printed bonus, with t_k, covers at every global state and arm the deviation of
   rhat + beta Qhat V* from r + beta Q V*. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Enclosures Values Bandits Concentration Events Gittins Hull UcbviOptimism.
From kernel Require Import History Bayes Regret FrozenCounts MovesEvent FrozenUses LengthsFirst Confidence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Estimates.
(* An activation shows o: what it pays, in [0, 1], and the next state of the arm. *)
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Let B := 1 / (1 - beta).

(* What is put where a cell was never activated: a reward in [0, 1] and a row, as the learner likes. *)
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.
Notation means := (mean_paid pays guess_reward).
Notation moves := (MovesEvent.Qhat next guess_row).

(* b_{k-1}(c) = 1/(1-beta) sqrt(log(2 S n K t_k) / (2 max{1, N_{k-1}(c)})). *)
Definition printed_bonus (h : history) (c : cell) : R :=
  1 / (1 - beta) * sqrt (ln (2 * (INR #|cell| * INR K * time_of h)) / (2 * INR (maxn 1 (count_of c h)))).

(* M_k: the estimates, with the bonus added to rewards. *)
Definition ucbvi_model (h : history) : model A S :=
  bonus_model (fun a s => means h (a, s)) (fun a s => moves h (a, s)) (fun a s => printed_bonus h (a, s)).

Lemma total_of_linear (f g : O -> R) k s : total_of (fun o => f o + k * g o) s = total_of f s + k * total_of g s.
Proof. by rewrite /total_of; elim: s => [|o s IH]; [rewrite !sum_nil; ring | rewrite !sum_cons IH; ring]. Qed.

Lemma total_of_nonneg (f : O -> R) s : (forall o, 0 <= f o) -> 0 <= total_of f s.
Proof. by move=> f0; apply: sum_nonneg => o _; exact: f0. Qed.

Lemma total_of_most (f : O -> R) s : (forall o, f o <= 1) -> total_of f s <= INR (size s).
Proof.
move=> f1; rewrite /total_of; elim: s => [|o s IH]; first by rewrite sum_nil /=; lra.
by rewrite sum_cons -[size _]/((size s).+1) S_INR; have := f1 o; lra.
Qed.

Lemma mean_moves h c f : count_of c h <> 0%nat ->
  mean (moves h c) f = total_of (fun o => f (next o)) (observed c (flat h)) / INR (count_of c h).
Proof.
move=> N0; rewrite /mean (eq_bigr (fun y => (INR (moved_to next c y (flat h)) * f y) * / INR (count_of c h))); last first.
  by move=> y _; rewrite /Qhat; case: eqP => // _; rewrite /Rdiv; ring.
rewrite sum_scale_r; congr (_ * _); rewrite /moved_to /total_of; elim: (observed c (flat h)) => [|o s IH].
  by rewrite sum_nil big1 // => y _; rewrite /=; ring.
rewrite sum_cons -IH -(sum_single (next o) f) -sum_add; apply: eq_bigr => y _.
by rewrite /= plus_INR (eq_sym (next o)); case: eqP => _ /=; ring.
Qed.

Lemma moves_ok h c : probability (moves h c).
Proof.
case: (count_of c h =P 0%nat) => [z|N0].
  by have [g0 g1] := guess_row_ok h c; split=> [y|]; [rewrite /Qhat z /= | rewrite -g1; apply: eq_bigr => y _; rewrite /Qhat z].
have N1 : 0 < INR (count_of c h) by apply: lt_0_INR; apply/ltP; rewrite lt0n; exact/eqP.
split=> [y|]; first by rewrite /Qhat; case: eqP => // _; apply: Rmult_le_pos; [exact: pos_INR | left; exact: Rinv_0_lt_compat].
have := mean_moves (fun _ => 1) N0; rewrite mean_const Rmult_1_r => ->.
have -> : total_of (fun _ => 1) (observed c (flat h)) = INR (count_of c h).
  rewrite /count_of /visits /total_of; elim: (observed c (flat h)) => [|o s IH]; first by rewrite sum_nil.
  by rewrite sum_cons IH -[size (o :: s)]/((size s).+1) S_INR; ring.
by field; lra.
Qed.

Lemma means_range h c : 0 <= means h c <= 1.
Proof.
rewrite /mean_paid; case: eqP => [_|N0]; first exact: guess_reward_ok.
have N1 : 0 < INR (count_of c h) by apply: lt_0_INR; apply/ltP; rewrite lt0n; exact/eqP.
have t1 : total_of pays (observed c (flat h)) <= INR (count_of c h) by apply: total_of_most => o; have := pays_unit o; lra.
have t0 : 0 <= total_of pays (observed c (flat h)) by apply: total_of_nonneg => o; have := pays_unit o; lra.
split; first by apply: Rcomplements.Rdiv_le_0_compat; lra.
by apply: (Rmult_le_reg_r (INR (count_of c h))) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

(* ---------------------------------------------------------------- The event *)

Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation M := (bandit_of next pays shows).
Variables (gamma : A -> S -> R) (pistar : policy A S).
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).
Hypothesis largest : plays_largest_index gamma pistar.

(* The S functions phi_a(., m_s) of each arm, and what an activation adds up with them. *)
Definition own_function (a : A) (s y : S) : R :=
  retirement_value beta (reward M a) (row M a) (breakpoint beta (gamma a) s) y.
Definition worth (c : cell) (s : S) (o : O) : R := pays o + beta * own_function c.1 s (next o).

(* E_k fails: at some visited cell some of the S empirical means is further from its mean than the bonus. *)
Definition E_fails (h : history) : bool := bad_now (fun T c l w =>
  [exists s, above (radius cell K (INR T + 1) B l) (Rabs (total_of (worth c s) w / INR l - mean (mu shows c) (worth c s)))]) h.

Let B1 : B = 1 + beta * B. Proof. by rewrite /B; field; case: discount; lra. Qed.
Let B_pos : 0 < B. Proof. by apply: Rdiv_lt_0_compat; case: discount; lra. Qed.

Lemma own_range a s y : 0 <= own_function a s y <= B.
Proof. exact: (retirement_range discount (bandit_markovian next pays shows_ok a) (indices a) s y (bandit_unit next pays_unit shows_ok a)). Qed.

Lemma worth_range c s o : 0 <= worth c s o <= B.
Proof.
case: (discount) => b0 _; have g := pays_unit o; have [w0 w1] := own_range c.1 s (next o); rewrite /worth B1.
by have := Rmult_le_compat_l _ _ _ b0 w1; have := Rmult_le_pos _ _ b0 w0; lra.
Qed.

(* P(not E_k) <= S/K.
   ledger: beyond:upper/event *)
Theorem event_E learner rho N J : (forall h, probability (learner h)) -> probability rho -> (1 <= K)%nat -> (1 <= #|cell|)%nat ->
  truncated next beta learner rho shows N J (fun h => indicator (E_fails h)) <= INR #|S| / INR K.
Proof.
move=> lok rok K1 C1; apply: union_at_time_cut => // [|T]; first by apply: Rcomplements.Rdiv_le_0_compat; [exact: pos_INR | have := INR_ge1 K1; lra].
have LT : INR T <= INR T + 1 by lra.
have b := big_at_time T C1 K1; apply: Rle_trans (share b K1 LT (pos_INR #|S|)); rewrite -sum_const; apply: sum_le => c _.
rewrite (_ : INR T * _ = \sum_(l : 'I_T) (INR #|S| / (INR #|cell| * INR K * (INR T + 1)))); last by rewrite sum_const card_ord.
apply: sum_le => l _.
by apply: (one_radius_of_all (mu_ok shows_ok) b c (ltn0Sn l) B_pos) => d s o; exact: worth_range.
Qed.

(* What is estimated less what is true, of the value f of the next state. *)
Definition deviates (h : history) (c : cell) (f : S -> R) : R :=
  means h c - reward M c.1 c.2 + beta * (mean (moves h c) f - mean (row M c.1 c.2) f).

Lemma deviates_visited h c f : (0 < count_of c h)%nat -> deviates h c f =
  total_of (fun o => pays o + beta * f (next o)) (observed c (flat h)) / INR (count_of c h) -
    mean (mu shows c) (fun o => pays o + beta * f (next o)).
Proof.
move=> N1; have n1 := INR_ge1 N1; have N0 : count_of c h <> 0%nat by apply/eqP; rewrite -lt0n.
rewrite /deviates (mean_moves _ N0) bandit_shown (mean_add _ pays (fun o => beta * f (next o))) mean_scale.
rewrite (total_of_linear pays (fun o => f (next o))) /mean_paid; case: eqP => // _.
by rewrite /mu [reward _ _ _]/=; field; lra.
Qed.

(* On E_k the bonus covers each of the S functions: by the event where the cell was visited, by its size where it was not. *)
Lemma covers_own h c s : (2 <= K)%nat -> (1 <= duration h)%nat -> (1 <= #|cell|)%nat -> ~~ E_fails h ->
  Rabs (deviates h c (own_function c.1 s)) <= printed_bonus h c.
Proof.
move=> K2 T1 C1 good; case: (discount) => b0 b1; rewrite /deviates; case: (count_of c h =P 0%nat) => [z|N0].
  have bound q u : probability q -> 0 <= u <= 1 -> 0 <= u + beta * mean q (own_function c.1 s) <= B.
    move=> [q0 q1] hu; have m0 : 0 <= mean q (own_function c.1 s) by apply: mean_nonneg => // y; case: (own_range c.1 s y).
    have m1 : mean q (own_function c.1 s) <= B by apply: mean_at_most => // [||y]; [lra | lra | case: (own_range c.1 s y)].
    by rewrite B1; have := Rmult_le_compat_l _ _ _ b0 m1; have := Rmult_le_pos _ _ b0 m0; lra.
  have u1 := bound _ _ (moves_ok h c) (means_range h c).
  have u2 := bound _ _ (bandit_markovian next pays shows_ok c.1 c.2) (bandit_unit next pays_unit shows_ok c.1 c.2).
  apply: Rle_trans (_ : _ <= B) _; first by apply: Rabs_le; lra.
  rewrite /printed_bonus /time_of -/B z -[X in X <= _]Rmult_1_r; apply: Rmult_le_compat_l; first lra.
  rewrite -[X in X <= _]sqrt_1; apply: sqrt_le_1_alt; rewrite Rmult_1_r.
  have k2 : 2 <= INR K by rewrite -[2]/(INR 2); apply: le_INR; exact/leP.
  have t1 := INR_ge1 T1; have c1 := INR_ge1 C1; have ck : 2 <= INR #|cell| * INR K by nra.
  have big : 8 <= 2 * (INR #|cell| * INR K * (INR (duration h) + 1)).
    by move: (INR #|cell| * INR K) ck => v ck; nra.
  have l8 : 2 <= ln 8 by enclose.
  have := Rcomplements.ln_le _ _ (ltac:(lra) : 0 < 8) big; lra.
have N1 : (1 <= count_of c h)%nat by rewrite lt0n; exact/eqP.
have n1 := INR_ge1 N1; have ob : size (observed c (flat h)) = count_of c h by [].
rewrite -/(deviates h c (own_function c.1 s)) deviates_visited //.
have lT : (count_of c h <= duration h)%nat by rewrite /count_of /visits /observed size_map size_filter; exact: count_size.
have lT' : ((count_of c h).-1 < duration h)%nat by rewrite prednK.
move/existsPn/(_ c)/existsPn/(_ (Ordinal lT')): good; rewrite (_ : (Ordinal lT').+1 = count_of c h); last exact: prednK.
rewrite /first_are ob leqnn subnn drop0 andTb.
move/existsPn/(_ s); rewrite /above; case: (Rlt_dec _ _) => // /Rnot_lt_le h' _; apply: Rle_trans h' _; apply: Req_le.
by rewrite /printed_bonus /time_of /radius /Lambda (maxn_idPr N1).
Qed.

(* So it covers the deviation at every global state and arm: 1.1 and 1.2. *)
Lemma covers h (x : state A S) a : (2 <= K)%nat -> (1 <= duration h)%nat -> (1 <= #|cell|)%nat -> ~~ E_fails h ->
  Rabs (deviates h (a, x a) (fun y => V beta M pistar (moved x a y))) <= printed_bonus h (a, x a).
Proof.
move=> K2 T1 C1 good.
exact: (deviation_of_hull discount (bandit_markovian next pays shows_ok) indices largest (moves_ok h (a, x a))
  (fun s => covers_own (a, x a) s K2 T1 C1 good)).
Qed.
End Estimates.
