(* Event E^V of Lemma concentration on the law of the run: rhat + beta Qhat V* leaves its radius at the end of some earlier episode, at
   some global state. S functions of each arm's own state are enough for the union bound, and one where there is one arm. *)

From kernel Require Import Prelude Sums Enclosures Values Bandits Horizons Concentration Events Gittins Hull UcbviOptimism.
From kernel Require Import Episodes Laws Draws LawOfRun Truncation Frozen Radii Known BonusEvent LemmaConcentration.

Section ValueEvent.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> law_on O.
Notation M := (bandit_of next pays shows).
Notation mean_of := (expected next beta learner rho shows).
Let Sn := INR #|cell|.
Let B := 1 / (1 - beta).
Let B_nonneg : 0 <= B := top_nonneg discount.

Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variables (gamma : A -> S -> R) (pistar : policy A S).
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).
Hypothesis largest : plays_largest_index gamma pistar.
Variable K : nat.
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).
Notation deviation := (deviates next pays beta guess_reward guess_row shows).

(* V*(., x_{-a}); at some global state x with x_a = s its deviation is above a radius. *)
Definition worth_of_state (c : cell) (x : global A S) (y : S) : R := V beta M pistar (moved x c.1 y).
Definition value_far (h : history) (c : cell) (rad : R) : bool :=
  [exists x : global A S, (x c.1 == c.2) && above rad (Rabs (deviation h c (worth_of_state c x)))].

(* So it is after N >= 1 visits at the end of some episode. *)
Definition values_leave (radius_at : nat -> R) : history -> bool :=
  at_some_end (fun h' c => (0 < count_of c h')%nat && value_far h' c (radius_at (count_of c h'))).

(* F = 1 for one arm, and S otherwise. *)
Definition functions : R := if #|A| == 1%nat then 1 else INR #|S|.

(* V*(., x_{-a}) is a mixture of as many functions of the arm's state. *)
Lemma few_functions : exists (I : finType) (f : I -> cell -> S -> R), INR #|I| = functions /\ (forall i c y, 0 <= f i c y <= B) /\
  forall h c rad, value_far h c rad -> [exists i, above rad (Rabs (deviation h c (f i c)))].
Proof.
rewrite /functions; case: eqP => A1.
  exists unit_finType, (fun _ c y => V beta M pistar (moved [ffun _ => c.2] c.1 y)); split; first by rewrite card_unit.
  split=> [_ c y|h c rad /existsP [x /andP [/eqP xc far]]].
    exact: (V_range discount (bandit_markovian next pays shows) pistar (bandit_unit next pays_unit shows)).
  apply/existsP; exists tt; move: far; rewrite (_ : (fun y => _) = worth_of_state c x) //.
  apply: funext => y; congr (V _ _ _ _); apply/ffunP => b; rewrite !ffunE.
  by case: eqP => // ne; case: ne; exact: (fintype_le1P (eq_leq A1)).
exists S, (fun s c => own_function next pays beta shows gamma c.1 s); split=> //; split=> [s c y|h c rad].
  exact: (own_range discount pays_unit indices).
case/existsP => x /andP [/eqP xc /aboveP far]; apply: contraT => /existsPn no; case: (Rlt_not_le _ _ far).
rewrite /deviates -xc; apply: (deviation_of_hull discount (bandit_markovian next pays shows) indices largest
  (moves_ok next guess_row_ok h c)) => s.
by have := no s; rewrite /deviates xc; case: aboveP => // /Rnot_lt_le.
Qed.

Variable k : nat.
Hypothesis k_range : (2 <= k <= K)%nat.
Let lg := ln (INR (K * (k - 1))).

Lemma functions_range : 0 <= functions <= INR #|S|.
Proof.
have S1 : 1 <= INR #|S| by apply: INR_ge1; move: C1; rewrite card_prod muln_gt0 => /andP [].
by rewrite /functions; case: ifP => _; lra.
Qed.

Lemma printed_radius N : (1 <= N)%nat -> radius cell K (tau beta K k) B N = B * radius_E_r A S beta K k N.
Proof. by move=> N1; rewrite -(r_radiusE discount C1 k_range N1) /radius Rmult_1_l. Qed.

Lemma mean_values : mean_of (k - 1) (fun h => indicator (values_leave (fun N => B * radius_E_r A S beta K k N) h)) <= functions / (INR K * lg).
Proof.
have [I [f [If [range few]]]] := few_functions; case: (discount) => b0 b1; have [f0 _] := functions_range.
have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
pose F c i o := pays o + beta * f i c (next o).
have rangeF c i o : 0 <= F c i o <= B.
  have p := pays_unit o; have [f0' f1] := range i c (next o); have e : B = 1 + beta * B by rewrite /B; field; lra.
  by rewrite /F e; have := Rmult_le_compat_l _ _ _ b0 f1; have := Rmult_le_pos _ _ b0 f0'; lra.
pose bad c l s := [exists i, above (B * radius_E_r A S beta K k l) (Rabs (total_of (F c i) s / INR l - mu shows c (F c i)))].
have rarely c l (l1 : (1 <= l)%nat) : draws (mu shows c) l [::] (fun s => indicator (bad c l s)) <= functions / (Sn * INR K * tau beta K k).
  by rewrite -If /bad -(printed_radius l1); exact: (one_radius_of_all (mu shows) (tau_big discount C1 k_range) c l1 B0 rangeF).
apply: Rle_trans (mean_of_counts next discount learner_ok rho_ok C1 k_range f0 rarely).
apply: mean_le_played => // h _ _; apply: sub_at_some_end => j c /andP [N1 /few /existsP [i far]].
by rewrite /shown_so N1; apply/existsP; exists i; move: far; rewrite deviates_visited.
Qed.
(* The complement of E^V for the ends of episodes k' = j, ..., k-1. *)
Definition values_fail (j : nat) (radius_at : nat -> R) : history -> bool :=
  at_some_end (fun h' c => (j <= size h')%nat && value_far h' c (radius_at (maxn 1 (count_of c h')))).

Lemma values_visited_or j radius_at h :
  (forall h' c x, no_empty_episode h' -> (j <= size h')%nat -> count_of c h' = 0%nat -> Rabs (deviation h' c (worth_of_state c x)) <= radius_at 1%nat) ->
  no_empty_episode h -> values_fail j radius_at h -> values_leave radius_at h.
Proof.
move=> near; apply: ends_visited_or => h' c ph jh z.
by apply/negP => /existsP [x /andP [_ /aboveP far]]; have := near h' c x ph jh z; lra.
Qed.

(* Where nothing was seen: the deviation is at most 1/(1-beta), and for the estimate 1/2 of the reward half of (1+beta)/(1-beta). *)
Lemma unvisited_deviation h c x : count_of c h = 0%nat -> Rabs (deviation h c (worth_of_state c x)) <= B /\
  (guess_reward h c = 1/2 -> Rabs (deviation h c (worth_of_state c x)) <= (1 + beta) / 2 * B).
Proof.
have f01 y : 0 <= worth_of_state c x y <= B.
  exact: (V_range discount (bandit_markovian next pays shows) pistar (bandit_unit next pays_unit shows)).
move=> z; split; first exact: deviates_range.
have r01 := bandit_unit next pays_unit shows c.1 c.2; case: (discount) => b0 b1.
have q01 := mean_range (moves_ok next guess_row_ok h c) f01; have p01 := mean_range (bandit_markovian next pays shows c.1 c.2) f01.
rewrite /deviates /means z eqxx; move: (mean (moves _ _ _ _) _) (mean (row _ _ _) _) (reward _ _ _) q01 p01 r01 => q p r q01 p01 r01 ->.
have d : Rabs (beta * (q - p)) <= beta * B.
  by rewrite Rabs_mult (Rabs_pos_eq beta) //; apply: Rmult_le_compat_l => //; split_Rabs; lra.
rewrite (_ : (1 + beta) / 2 * B = 1/2 + beta * B); last by rewrite /B; field; lra.
by apply: Rle_trans (Rabs_triang _ _) _; apply: Rplus_le_compat => //; split_Rabs; lra.
Qed.

(* Repaired: with the printed radius L_{k-1}/(2 (1-beta) sqrt N) it fails with probability at most F/(K log(K(k-1))), if the estimates
   are 1/2 and a row where N = 0, for k' = 0 too; so at most S/K for K >= 3. The event E^H is not used.
   ledger: conc:V/repair-probability *)
Theorem event_V_repaired : (forall h c, guess_reward h c = 1/2) ->
  mean_of (k - 1) (fun h => indicator (values_fail 0 (fun N => B * radius_E_r A S beta K k N) h)) <= functions / (INR K * lg) /\
  ((3 <= K)%nat -> functions / (INR K * lg) <= INR #|S| / INR K).
Proof.
move=> half; have [f0 fS] := functions_range; have k1 := INR_ge1 K1; have l0 := log_least k_range; rewrite -/lg in l0.
split=> [|K3]; last first.
  have l3 := log_least_3 k_range K3; rewrite -/lg in l3; rewrite (_ : functions / _ = functions / lg / INR K); last by field; lra.
  apply: Rmult_le_compat_r; first by left; apply: Rinv_0_lt_compat; lra.
  by apply: (Rmult_le_reg_r lg); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; nra].
apply: Rle_trans mean_values; apply: mean_le_played => // h ph _ fl.
apply: values_visited_or ph fl => h' c x _ _ z; apply: Rle_trans (proj2 (unvisited_deviation x z) (half h' c)) _.
have Lb := L_beta discount C1 k_range.
by rewrite /radius_E_r [INR 1]/= sqrt_1 Rmult_comm; apply: Rmult_le_compat_l => //; lra.
Qed.

Lemma event_V_large : (3 <= K)%nat ->
  mean_of (k - 1) (fun h => indicator (values_fail 1 (fun N => B * radius_E_r A S beta K k N) h)) <= functions / (INR K * lg).
Proof.
move=> K3; apply: Rle_trans mean_values; apply: mean_le_played => // h ph _ fl.
apply: values_visited_or ph fl => h' c x ph' h1 z; apply: Rle_trans (proj1 (unvisited_deviation x z)) _.
have L2 := L_unvisited k_range (possible_3 discount k_range K3) ph' h1 z.
by rewrite /radius_E_r [INR 1]/= sqrt_1 -[X in X <= _]Rmult_1_r; apply: Rmult_le_compat_l => //; lra.
Qed.

(* As printed, E^V, for k' = 1, ..., k-1 and any estimates in [0, 1] and rows where N = 0, fails with probability at most 2/K, if there is
   one arm, or S <= 2, or K = 2, or K(k-1) >= e^(S/2).
   step of: lem:concentration *)
Theorem event_V : (#|A| = 1%nat \/ (#|S| <= 2)%nat \/ K = 2%nat \/ exp (INR #|S| / 2) <= INR (K * (k - 1))) ->
  mean_of (k - 1) (fun h => indicator (values_fail 1 (fun N => B * radius_E_r A S beta K k N) h)) <= 2 / INR K.
Proof.
move=> region; case: (leqP 3 K) => [K3|K3]; last exact: nothing_claimed.
have l3 := log_least_3 k_range K3; rewrite -/lg in l3; have k1 := INR_ge1 K1; have [f0 fS] := functions_range.
apply: Rle_trans (event_V_large K3) _; rewrite (_ : functions / _ = functions / lg / INR K); last by field; lra.
apply: Rmult_le_compat_r; first by left; apply: Rinv_0_lt_compat; lra.
apply: (Rmult_le_reg_r lg); first lra.
rewrite /Rdiv Rmult_assoc Rinv_l; last lra.
case: region => [A1|[S2|[e|large]]]; first by rewrite /functions A1 eqxx; lra.
- by have : INR #|S| <= 2 by [rewrite -[2]/(INR 2); apply: le_INR; apply/leP]; lra.
- by rewrite e in K3.
have := Rcomplements.ln_le _ _ (exp_pos _) large; rewrite ln_exp -/lg; lra.
Qed.
End ValueEvent.
