(* The events of the learner that is computed arm by arm, in the law of its run, for any law of observations. Before each episode, with
     l_k = log(5 S n (G+1) K t_k)  and  l'_k = S log 2 + l_k,
   it has probability at most 1/K that for some cell, at its frozen count N, one of these fails:
     |rhat - r| <= sqrt(l_k/(2 N));
     for each of G fixed functions v of the next state, between 0 and B:  |(Qhat - Q) v| <= sqrt 2 sd_Qhat(v) sqrt(l_k/N) + (10/3) B l_k/N;
     for each set Y of states:  (Qhat - Q)(Y) <= sqrt(l'_k/(2 N));
   (these three where N >= 1) and, for each of at most 5(G+1) values of eps in (0, 1]:
     sum_y (Qhat(y) - (1+eps) Q(y))^+ <= l'_k/(eps max(1,N)).
   The lengths of the episodes come first: then t_k is known, and a union over the counts below t_k and Markov's inequality do. *)

From kernel Require Import Limits Sums Values Bandits Concentration Events CellTails Episodes Levels Laws Draws LawOfRun Truncation.
From kernel Require Import Frozen Radii Known RowsEvent.

Section Events.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Notation B := (1 / (1 - beta)).

Variable guess_row : history -> cell -> S -> R.
Hypothesis guess_row_ok : forall h c, probability (guess_row h c).

Variable shows : A -> S -> law_on O.
Notation mu := (mu shows).
Notation Q_row := (Q_row next shows).

(* K episodes; the functions v_0, ..., v_{G-1} of each cell's next state; and values of eps. *)
Variables (K G : nat) (v : cell -> nat -> S -> R) (E : finType) (eps : E -> R).
Hypotheses (K1 : (1 <= K)%nat) (G0 : (0 < G)%nat) (C1 : (1 <= #|cell|)%nat).
Hypothesis range : forall c j y, (j < G)%nat -> 0 <= v c j y <= B.
Hypotheses (eps_range : forall e, 0 < eps e <= 1) (few : (#|E| <= 5 * G.+1)%nat).

(* 5 (G+1) K t, with t = T + 1 where T activations are over; l and l' at that time. *)
Definition level_at (T : nat) : nat := (5 * G.+1 * K * T.+1)%nat.
Definition log_at (T : nat) : R := ln (INR #|cell| * INR (level_at T)).
Definition set_log_at (T : nat) : R := INR #|S| * ln 2 + log_at T.
Definition log_of (h : history) : R := log_at (duration h).
Definition set_log_of (h : history) : R := set_log_at (duration h).

Lemma level_atE T : INR (level_at T) = 5 * (INR G + 1) * INR K * (INR T + 1).
Proof. by rewrite /level_at !mult_INR !S_INR /=; ring. Qed.

Lemma log_ofE h : log_of h = ln (5 * INR #|cell| * (INR G + 1) * INR K * time_of h).
Proof. by rewrite /log_of /log_at level_atE /time_of; congr ln; ring. Qed.

Lemma level_positive T : (1 <= level_at T)%nat. Proof. by rewrite /level_at !muln_gt0 /= K1. Qed.

Let cells1 : 1 <= INR #|cell|. Proof. exact: INR_ge1. Qed.
Let level1 T : 1 <= INR (level_at T). Proof. by apply: INR_ge1; exact: level_positive. Qed.

Lemma level_10 T : 10 <= INR (level_at T).
Proof.
have g := INR_ge1 G0; have k := INR_ge1 K1; have t := pos_INR T; rewrite level_atE.
have h : 2 <= (INR G + 1) * INR K by nra.
by rewrite (_ : 5 * (INR G + 1) * INR K = 5 * ((INR G + 1) * INR K)); [nra | ring].
Qed.

Lemma log_at_2 T : 2 <= log_at T.
Proof.
have l10 := level_10 T; rewrite -[2]ln_exp; apply: Rcomplements.ln_le; first exact: exp_pos.
have e1 := exp_quadratic (conj Rle_0_1 (Rle_refl 1)); have e0 := exp_pos 1.
have e2 : exp 2 = exp 1 * exp 1 by rewrite -exp_plus; congr exp; ring.
by nra.
Qed.

Lemma log_at_nonneg T : 0 <= log_at T.
Proof. by rewrite /log_at -ln_1; apply: Rcomplements.ln_le; have := level1 T; nra. Qed.

Lemma set_log_large T : log_at T <= set_log_at T.
Proof. by rewrite /set_log_at; have := pos_INR #|S|; have := ln_lt_2; nra. Qed.

Lemma exp_log T : exp (- log_at T) = / (INR #|cell| * INR (level_at T)).
Proof. by rewrite exp_Ropp exp_ln //; have := level1 T; nra. Qed.

Lemma exp_set_log T : 2 ^ #|S| * exp (- set_log_at T) = exp (- log_at T).
Proof.
have p : 0 < 2 ^ #|S| by apply: pow_lt; lra.
rewrite /set_log_at Ropp_plus_distr exp_plus exp_Ropp -ln_pow; last lra.
by rewrite exp_ln //; field; lra.
Qed.

Lemma set_log_level T : set_log_at T = log_level A S (level_at T).
Proof. by rewrite (log_levelE (level_positive T) C1). Qed.

(* What fails: the estimates of some cell, now or after fewer of its activations; or F_k(eps). *)
Definition pay_off (T : nat) (c : cell) (l : nat) (s : seq O) : bool :=
  above (radius cell 1 (INR (level_at T) / 2) 1 l) (Rabs (total_of pays s / INR l - mu c pays)).
Definition row_off (T : nat) (c : cell) (l : nat) (s : seq O) : bool :=
  cell_off (Q_row c) B G (v c) (log_at T) (set_log_at T) l [seq next o | o <- s].
Definition cell_fails (T : nat) (c : cell) (l : nat) (s : seq O) : bool := pay_off T c l s || row_off T c l s.
Definition estimates_fail (h : history) : bool := bad_now cell_fails h.
Definition moves_fail (h : history) : bool := [exists e, F_fails next shows (eps e) (level_at (duration h)) guess_row h].
Definition events_fail (h : history) : bool := estimates_fail h || moves_fail h.

Let B_pos : 0 < B. Proof. by apply: Rdiv_lt_0_compat; case: discount; lra. Qed.
Lemma Q_row_ok c : probability (Q_row c). Proof. exact: next_probability. Qed.

Lemma pay_radius T l : radius cell 1 (INR (level_at T) / 2) 1 l = sqrt (log_at T / (2 * INR l)).
Proof.
rewrite /radius Rmult_1_l /Lambda [INR 1]/= /log_at; congr (sqrt (ln _ / _)); field.
Qed.

Lemma cell_fails_rarely T c l : (0 < l)%nat ->
  draws (mu c) l [::] (fun s => indicator (cell_fails T c l s)) <= (5 * INR G + 3) / (INR #|cell| * INR (level_at T)).
Proof.
move=> l0; have l1 := log_at_nonneg T; have l2 := set_log_large T; have l10 := level_10 T; have ls : 0 <= set_log_at T by lra.
have big : 1 <= INR #|cell| * INR 1 * (INR (level_at T) / 2) by rewrite [INR 1]/=; nra.
have pay := one_radius mu big c l0 pays_unit; have row := cell_rarely (Q_row_ok c) B_pos (@range c) l1 l0 ls (exp_set_log T).
rewrite -(draws_next (Q_row_ok c) l [::] (fun s => indicator (cell_off (Q_row c) B G (v c) (log_at T) (set_log_at T) l s))) exp_log in row.
rewrite (_ : (5 * INR G + 3) / _ = 1 / (INR #|cell| * INR 1 * (INR (level_at T) / 2)) + (5 * INR G + 1) * / (INR #|cell| * INR (level_at T))); last first.
  by rewrite [INR 1]/=; field; lra.
by apply: Rle_trans (Rplus_le_compat _ _ _ _ pay row); apply: E_either.
Qed.

(* ---------------------------------------------------------------- The law of the run *)

Variables (learner : history -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).

(* With given lengths. *)
Lemma events_fail_given ns : of_lengths next learner rho shows ns [::] (fun h => indicator (events_fail h)) <= 1 / INR K.
Proof.
set T := sumn ns; have lv := level1 T; have k1 := INR_ge1 K1; set L := INR (level_at T) in lv *.
pose moved e (h : history) := F_fails next shows (eps e) (level_at T) guess_row h.
have t_est := tame_indicator estimates_fail; have t_moved e := tame_indicator (moved e); have t_sum := tame_sum (index_enum E) t_moved.
apply: Rle_trans (_ : _ <= of_lengths next learner rho shows ns [::] (fun h => indicator (estimates_fail h) + \sum_(e : E) indicator (moved e h))) _.
  apply: of_lengths_le => // [||h]; [exact: tame_indicator | exact: tame_add |].
  rewrite addn0 -/T /events_fail /moves_fail => ->; have [] := indicator_exists (moved^~ h).
  by rewrite /moved /indicator; case: (estimates_fail h) => /=; case: [exists e, _]; lra.
rewrite of_lengths_add // of_lengths_sum //.
have moves e : of_lengths next learner rho shows ns [::] (fun h => indicator (moved e h)) <= 1 / L.
  apply: event_F_given => //; first exact: level_positive.
  by rewrite -set_log_level; have := log_at_2 T; have := set_log_large T; have := eps_range e; lra.
apply: Rle_trans (Rplus_le_compat _ _ _ _ (union_of_lengths next learner_ok rho_ok shows ns cell_fails) (sum_le _ (fun e _ => moves e))) _.
rewrite sum_const -/T; have t0 := pos_INR T; have g1 := INR_ge1 G0.
apply: Rle_trans (_ : _ <= INR #|cell| * (INR T * ((5 * INR G + 3) / (INR #|cell| * L))) + INR #|E| / L) _.
  apply: Rplus_le_compat; last by apply: Req_le; field; lra.
  rewrite (_ : INR #|cell| * _ = \sum_(c : cell) \sum_(l : 'I_T) ((5 * INR G + 3) / (INR #|cell| * L))); last first.
    by rewrite !sum_const card_ord.
  by apply: sum_le => c _; apply: sum_le => l _; exact: (cell_fails_rarely T c (ltn0Sn l)).
have e5 : INR #|E| <= 5 * (INR G + 1).
  by apply: Rle_trans (le_INR _ _ (leP few)) _; rewrite mult_INR !S_INR /=; lra.
rewrite (_ : INR #|cell| * _ = (5 * INR G + 3) * INR T / L); last by field; lra.
rewrite -Rdiv_plus_distr; apply: (Rmult_le_reg_r L); first lra.
rewrite (_ : _ / L * L = (5 * INR G + 3) * INR T + INR #|E|); last by field; lra.
rewrite /L level_atE (_ : 1 / INR K * _ = 5 * (INR G + 1) * (INR T + 1)); last by field; lra.
by nra.
Qed.

(* The probability that any of them fails is at most 1/K, after any number J of episodes: also with episodes cut at length N. *)
Lemma events_fail_cut N J : truncated next beta learner rho shows N J (fun h => indicator (events_fail h)) <= 1 / INR K.
Proof.
apply: rare_by_lengths => // [|ns]; last exact: events_fail_given.
by apply: Rcomplements.Rdiv_le_0_compat; have := INR_ge1 K1; lra.
Qed.

(* step of: beyond:minimax *)
Theorem events_fail_at_most J : expected next beta learner rho shows J (fun h => indicator (events_fail h)) <= 1 / INR K.
Proof. by apply: rarely_at_most => // N; exact: events_fail_cut. Qed.
End Events.
