(* The minimax bound on the law of the run, but for the events: the learner of the notes, with an even grid, l_k and l'_k, and
   constants 9/5 and 16, loses at most
     4 B sqrt(SnK L R) + (7/2) B sqrt(SnK L) + 39 SnB^2 L L' R,   B = 1/(1-beta), L = log(5 Sn (G+1) K (KB+1)),
   L' the same with 2^S in the logarithm, R = 3 + log(1 + K/(Sn)). The events of the notes are a hypothesis: before at most two
   of the K episodes, in the mean, they fail. *)

From kernel Require Import Limits Sums Enclosures Values Bandits Concentration Events Retirement DoubleSum Episodes Weights.
From kernel Require Import Curves LearnerCurves GapStep Laws LawOfRun Truncation Frozen Radii RunSums LateCounts MinimaxRun.
From kernel Require Import MinimaxForm.

Section Minimax.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Notation B := (1 / (1 - beta)).
Notation sn := (INR #|cell|).
Variables (K G : nat).
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).
Hypotheses (G_large : 60 * B <= INR G) (G_root : B * sqrt (INR K / sn) <= INR G).

(* What is inside the logarithms. *)
Definition inside : R := 5 * sn * (INR G + 1) * INR K.
Definition inside' : R := 2 ^ #|S| * inside.
Notation L := (log_horizon beta inside K).
Notation L' := (log_horizon beta inside' K).
Notation Rk := (3 + ln (1 + INR K / sn)).

(* B log K, rounded up, and the eps of the events. *)
Variable T0 : nat.
Hypotheses (T1 : (1 <= T0)%nat) (T0_range : B * ln (INR K) <= INR T0 <= B * ln (INR K) + 1).
Definition eps_of : R := 1 / (30 * INR T0).

Variables (base : history -> A -> S -> R) (Qhat : history -> A -> S -> S -> R).
Hypotheses (base_nonneg : forall h a s, 0 <= base h a s) (rows : forall h a s, probability (Qhat h a s)).
Notation grid := (even_grid B G).
Variable position : history -> A -> S -> nat.
Hypothesis index : forall h, is_index G grid (learner_curve beta G grid (base h) (Qhat h) (radius_of inside h) (9/5) 16) (position h).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Hypothesis largest : forall h pi, 0 < learner h pi -> forall x, of_largest_index (position h) x (pi x).
Variable good : history -> bool.
Hypothesis good_holds : forall h, good h ->
  events_hold next pays beta G grid base Qhat inside inside' (sqrt 2) (10/3) eps_of shows h.
Hypothesis rarely_bad : forall N, truncated next beta learner rho shows N K (summed (fun h => indicator (~~ good h))) <= 2.
Variable pistar : policy A S.

Let B1 : 1 <= B := top_ge1 discount.
Let sn1 : 1 <= sn. Proof. exact: INR_ge1. Qed.
Let k1 : 1 <= INR K. Proof. exact: INR_ge1. Qed.
Let G0 : (0 < G)%nat. Proof. by apply/ltP; apply: INR_lt; rewrite /=; lra. Qed.
Let snk : 1 <= sn * INR K. Proof. nra. Qed.

Let inside_large : 305 * (sn * INR K) <= inside.
Proof. by rewrite /inside (_ : 5 * sn * _ * _ = 5 * (INR G + 1) * (sn * INR K)); [apply: Rmult_le_compat_r; lra | ring]. Qed.

Let inside_le : inside <= inside'.
Proof. by rewrite /inside'; have : 1 <= 2 ^ #|S| by [apply: pow_R1_Rle; lra]; nra. Qed.

Let KB1 : INR K <= INR K * B. Proof. nra. Qed.

Let ln_inside : 4 <= ln inside.
Proof.
have h : 4 <= ln 305 by enclose.
by apply: Rle_trans h _; apply: Rcomplements.ln_le; lra.
Qed.

Let sums_K : sqrt (INR K / sn) * sqrt (INR K / sn) = INR K / sn.
Proof. by apply: sqrt_sqrt; apply: Rcomplements.Rdiv_le_0_compat; lra. Qed.

(* 5 sn (G+1) K (KB+1) is at least 5 K^(5/2), for G + 1 is at least (K/sn)^(1/2). *)
Let inside_root : 25 * (INR K * (INR K * (INR K * (INR K * INR K)))) <= inside * (INR K * B + 1) * (inside * (INR K * B + 1)).
Proof.
set t := sqrt (INR K / sn); have t0 : 0 <= t by exact: sqrt_pos. have tt : t * t = INR K / sn := sums_K.
have st : sn * t * (sn * t) = sn * INR K.
  by rewrite (_ : sn * t * (sn * t) = sn * sn * (t * t)); [rewrite tt; field; lra | ring].
have Gt : t <= INR G + 1 by have := G_root; rewrite -/t; have : 1 * t <= B * t by [factorwise]; lra.
have low : sn * t * (INR K * INR K) <= sn * (INR G + 1) * (INR K * (INR K * B + 1)) by factorwise.
have low0 : 0 <= sn * t * (INR K * INR K) by nonneg.
have := Rmult_le_compat _ _ _ _ low0 low0 low low.
rewrite (_ : sn * t * (INR K * INR K) * _ = sn * t * (sn * t) * (INR K * INR K * (INR K * INR K))); last ring.
have : 1 * INR K * (INR K * INR K * (INR K * INR K)) <= sn * INR K * (INR K * INR K * (INR K * INR K)) by factorwise.
by rewrite st /inside; lra.
Qed.

Let L_large : 64/10 <= L /\ ln (INR K) + 1 <= 23/50 * L.
Proof.
have k0 : 0 < INR K by lra.
have large : 64/10 <= L.
  rewrite /log_horizon; have h : 64/10 <= ln 610 by enclose.
  by apply: Rle_trans h _; apply: Rcomplements.ln_le; [lra | nra].
split=> //; have X0 : 0 < inside * (INR K * B + 1) by apply: Rmult_lt_0_compat; lra.
have h : 32/10 <= ln 25 by enclose.
have k5 : 0 < INR K ^ 5 by exact: pow_lt.
have : ln (INR K ^ 5 * 25) <= ln (inside * (INR K * B + 1) * (inside * (INR K * B + 1))).
  by apply: Rcomplements.ln_le; [lra | have := inside_root; rewrite /=; lra].
rewrite !(ln_mult _ _ X0) // ln_mult ?ln_pow //; last lra.
by rewrite -!/(log_horizon _ _ _) [INR 5]/=; lra.
Qed.

Let L_L' : L <= L'.
Proof. by apply: Rcomplements.ln_le; [apply: Rmult_lt_0_compat; lra | apply: Rmult_le_compat_r; lra]. Qed.

Let T0_R : 1 <= INR T0. Proof. exact: INR_ge1. Qed.

Let tail : INR K * beta ^ T0 <= 1.
Proof.
have k0 : 0 < INR K by lra.
have := Rmult_le_compat_l (INR K) _ _ (ltac:(lra)) (geometric_small discount k0 (proj1 T0_range)); rewrite Rinv_r; lra.
Qed.

(* step of: beyond:minimax *)
Theorem minimax_short : expected_regret next beta learner rho shows (bandit_of next pays shows) pistar K <=
  4 * (B * sqrt (sn * INR K * L * Rk)) + 7/2 * (B * sqrt (sn * INR K * L)) + 39 * (sn * B ^ 2 * (L * (L' * Rk))).
Proof.
have [b0 b1] := discount; have [L6 LK] := L_large; have six : 6 <= L by lra.
have Bp : 0 < B by lra.
have [up z top same] := @even_grid_ok B G Bp G0.
have q2 := root2; have qq : sqrt 2 * sqrt 2 = 2 by apply: sqrt_sqrt; lra.
have eps0 : 0 < eps_of by rewrite /eps_of; apply: Rdiv_lt_0_compat; lra.
have i0 : 0 < inside by lra.
have c12 : (9/5) ^ 2 <= 16 by lra.
have a1 : (1 + 27/100) * sqrt 2 <= 9/5 by lra.
have a2 : (1 + / (27/100)) * (10/3) <= 16 by rewrite (_ : / (27/100) = 100/27); [lra | field].
have cells j : (j < G)%nat -> grid j.+1 - grid j <= B / INR G by move=> _; rewrite same; exact: Rle_refl.
have comp : (1 + 3 * eps_of) ^ T0 <= exp (1/10).
  have := @compounding (1/10) T0 (ltac:(lra)) T1.
  by rewrite (_ : 1/10 / INR T0 = 3 * eps_of) //; rewrite /eps_of; field; lra.
have full := @regret_in_full A S O next pays beta discount pays_unit G grid (B / INR G) G0 (fun j _ => up j) z top cells base Qhat
  inside inside' base_nonneg rows ln_inside i0 inside_le (9/5) 16 (sqrt 2) (10/3) (27/100) eps_of (ltac:(lra)) c12 (proj1 q2) (ltac:(lra))
  (ltac:(lra)) eps0 a1 a2 position index learner rho shows learner_ok rho_ok largest good good_holds K K1 C1 2 (ltac:(lra))
  rarely_bad T0 (exp (1/10)) comp pistar.
apply: Rle_trans full _.
have e1 : 0 <= exp (1/10) <= 11052/10000 by split; [left; exact: exp_pos | enclose].
have lnB : 0 <= ln (1 + INR K * B) <= L.
  split; first by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
  by apply: Rcomplements.ln_le; [lra | nra].
have T_range : 1 <= INR T0 <= 23/50 * (B * L).
  split=> //; have := Rmult_le_compat_l B _ _ (ltac:(lra)) LK; have [_ t] := T0_range; lra.
have d60 : 0 <= B / INR G <= 1/60.
  split; first by apply: Rlt_le; apply: Rdiv_lt_0_compat; lra.
  by apply: (Rmult_le_reg_r (INR G)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
have dk : B / INR G * INR K <= 338/1000 * (sqrt L * sqrt (sn * INR K)).
  set k := INR K; set y := sqrt (sn * k); have y0 : 0 <= y by exact: sqrt_pos.
  have yy : y * y = sn * k by apply: sqrt_sqrt; rewrite /k; lra.
  have q0 := sqrt_pos L; have qL : sqrt L * sqrt L = L by apply: sqrt_sqrt; lra.
  case: (Rle_lt_dec k (2601 * sn)) => few.
    have k51 : k <= 51 * y.
      apply: Rsqr_incr_0_var; last lra; rewrite /Rsqr.
      have -> : 51 * y * (51 * y) = 2601 * (y * y) by ring.
      rewrite yy.
      by have := Rmult_le_compat_r k _ _ (ltac:(by rewrite /k; lra)) few; lra.
    have q25 : 252/100 <= sqrt L by rewrite -(sqrt_square (252/100)); [apply: sqrt_le_1_alt; lra | lra].
    have := Rmult_le_compat_r k _ _ (ltac:(by rewrite /k; lra)) (proj2 d60); have := Rmult_le_compat_r y _ _ y0 q25; lra.
  have q3 : 3 <= sqrt L.
    have h : 9 <= ln 793305 by enclose.
    have i9 : 793305 <= inside.
      have := Rmult_le_compat_r k _ _ (ltac:(by rewrite /k; lra)) sn1; have := inside_large; rewrite -/k; lra.
    have i1 : inside * 1 <= inside * (k * B + 1) by apply: Rmult_le_compat_l; [lra | rewrite /k; lra].
    have : 9 <= L by apply: Rle_trans h _; apply: Rcomplements.ln_le; [lra | rewrite -/k; lra].
    by move=> ?; rewrite -(sqrt_square 3); [apply: sqrt_le_1_alt; lra | lra].
  have dy : B / INR G * k <= y.
    apply: (Rmult_le_reg_r (INR G)); first lra.
    rewrite (_ : B / INR G * k * INR G = B * k); last by field; lra.
    apply: Rle_trans (Rmult_le_compat_l _ _ _ y0 G_root).
    rewrite (_ : y * (B * sqrt (INR K / sn)) = B * (y * sqrt (INR K / sn))); last ring.
    have kn : 0 <= k / sn by apply: Rcomplements.Rdiv_le_0_compat; rewrite /k; lra.
    rewrite /y -sqrt_mult //; last by rewrite /k; lra.
    by rewrite (_ : sn * k * (k / sn) = k * k); [rewrite sqrt_square /k; lra | field; lra].
  have := Rmult_le_compat_r y _ _ y0 q3; lra.
have R3 : 3 <= Rk.
  have : 0 <= ln (1 + INR K / sn).
    by rewrite -ln_1; apply: Rcomplements.ln_le; [lra | have : 0 <= INR K / sn by [apply: Rcomplements.Rdiv_le_0_compat; lra]; lra].
  lra.
have BB := pow2_ge_0 B.
have er6 : 0 <= err_root beta (9/5) <= 6 * B ^ 2.
  rewrite /err_root (Rmult_comm 6); split; first by nonneg.
  by apply: Rmult_le_compat_l => //; have : sqrt 2 * (1 - beta) <= 141422/100000 * (1 - beta) by [factorwise]; lra.
have ei32 : 0 <= err_inverse beta 16 <= 32 * B ^ 2.
  rewrite /err_inverse; have := Rmult_le_compat_r _ _ _ BB (Rlt_le _ _ b1); have := Rmult_le_pos _ _ b0 BB; lra.
apply: Rle_trans (short_minimax_form sn1 k1 B1 (conj b0 (Rlt_le _ _ b1)) six L_L' R3 lnB T_range (erefl : eps_of = 1 / (30 * INR T0)) d60 dk e1 er6 ei32).
have t := Rmult_le_compat_l (exp (1/10) * B) _ _ (ltac:(by apply: Rmult_le_pos; lra)) tail.
rewrite /in_full /all_variance /lates /roots /inverses /form_roots /err_grid.
have -> : sqrt 2 ^ 2 = 2 by rewrite /= Rmult_1_r.
by nra.
Qed.
End Minimax.
