(* Theorem 1's line for MB-UCBVI, C'' (sqrt S/(1-beta)) log(SnK log K/(1-beta)) f(S,n,K,beta) for K >= 2, from the sharper bound by
   real analysis alone: with few episodes, K <= S^2 n B^3, the regret is at most K B, which the printed form exceeds; with more,
   log(2SnK(KB+1)) is at most 6 log K, and the second term of the sharper bound is put under sqrt(second term times K B). *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Enclosures Values Bandits Moments Concentration Events.
From kernel Require Import History Regret Confidence Estimates MbUcbvi ShortForm Sharper PrintedForm.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Analysis.
Variables s n k B r : R.
Hypotheses (s1 : 1 <= s) (n1 : 1 <= n) (k2 : 2 <= k) (B1 : 1 <= B).
Hypotheses (few : r <= k * B) (many : r <= short_form s n k B).
Let u := ln k.
Let ell := ln (s * n * k * u * B).
Let W := s * B * (B * sqrt B) * sqrt (n * k).   (* S sqrt(nK) B^(5/2) *)
Notation L := (big_log s n k B).

Let u2 : 69/100 <= u.
Proof. by have e : 69/100 <= ln 2 by [enclose]; apply: Rle_trans e _; apply: Rcomplements.ln_le; lra. Qed.

Let W0 : 0 <= W.
Proof. by repeat apply: Rmult_le_pos; try exact: sqrt_pos; lra. Qed.

(* log(SnK log K B) is at least 13/40, its value at S = n = K/2 = B = 1, and at least (1/4) log K. *)
Lemma ell_large : 13/40 <= ell /\ u / 4 <= ell.
Proof.
have sn : 1 <= s * n by nra. have snB : 1 <= s * n * B by nra.
have ku : k * u <= s * n * k * u * B.
  by rewrite (_ : s * n * k * u * B = s * n * B * (k * u)); [have : 0 <= k * u by [nra]; nra | ring].
have l2 : ln 2 <= u by apply: Rcomplements.ln_le; lra.
have l0 : 0 < ln 2 by have e : 69/100 <= ln 2 by [enclose]; lra.
split.
  have c : 13/40 <= ln (2 * ln 2) by enclose.
  apply: Rle_trans c _; apply: Rcomplements.ln_le; first lra.
  by apply: Rle_trans ku; apply: Rmult_le_compat; lra.
have e : ln k + ln u <= ell by rewrite -ln_mult; [apply: Rcomplements.ln_le; nra | lra | lra].
have t : 1 - / u <= ln u by have := exp_tangent (- ln u); rewrite exp_Ropp exp_ln; lra.
have iu : / u * u = 1 by apply: Rinv_l; lra.
have l3 : 6931/10000 <= u by have e' : 6931/10000 <= ln 2 by [enclose]; lra.
have : / u <= 3/4 * u + 1.
  by apply: (Rmult_le_reg_r u); [lra | rewrite iu; nra].
by rewrite -/u in e; lra.
Qed.

Let W_square : W * W = k * (s * s * n * (B * B * B)) * (B * B).
Proof.
have q1 : sqrt B * sqrt B = B by apply: sqrt_sqrt; lra.
have q2 : sqrt (n * k) * sqrt (n * k) = n * k by apply: sqrt_sqrt; nra.
have -> : W * W = s * s * (B * B) * (B * B) * (sqrt B * sqrt B) * (sqrt (n * k) * sqrt (n * k)) by rewrite /W; ring.
by rewrite q1 q2; ring.
Qed.

(* Few episodes. *)
Lemma few_episodes : k <= s * s * n * (B * B * B) -> k * B <= W.
Proof.
move=> le; have kB0 : 0 <= k * B by nra.
rewrite -(sqrt_square (k * B)) // -(sqrt_square W) //; apply: sqrt_le_1_alt; rewrite W_square.
rewrite (_ : k * B * (k * B) = k * k * (B * B)); last ring.
by apply: Rmult_le_compat_r; [nra | apply: Rmult_le_compat_l; lra].
Qed.

(* More of them: the logarithm is one of K alone. *)
Lemma log_of_episodes : s * s * n * (B * B * B) <= k -> 1 <= L <= 6 * u.
Proof.
move=> le; have B2 : 1 <= B * B by nra. have B3 : 1 <= B * B * B by nra.
have sn : 1 <= s * n by nra. have ssn : 1 <= s * s * n by have : 1 <= s * s by [nra]; nra.
have snk : s * n <= k.
  apply: Rle_trans le; rewrite (_ : s * s * n * _ = s * n * (s * (B * B * B))); last ring.
  by rewrite -{1}(Rmult_1_r (s * n)); apply: Rmult_le_compat_l; nra.
have Bk : B <= k.
  apply: Rle_trans le; rewrite (_ : s * s * n * _ = B * (s * s * n * (B * B))); last ring.
  by rewrite -{1}(Rmult_1_r B); apply: Rmult_le_compat_l; nra.
split; first by have := big_log_large s1 n1 k2 B1; lra.
have -> : 6 * u = ln (k ^ 6) by rewrite ln_pow; [rewrite /u /=; ring | lra].
have p1 : 2 * s * n * k <= k * k * k by rewrite (_ : 2 * s * n * k = 2 * (s * n) * k); [nra | ring].
have p2 : k * B + 1 <= k * k * k by nra.
apply: Rcomplements.ln_le; first by apply: Rmult_lt_0_compat; nra.
rewrite (_ : k ^ 6 = (k * k * k) * (k * k * k)); last ring.
by apply: Rmult_le_compat => //; nra.
Qed.

Lemma many_episodes : s * s * n * (B * B * B) <= k -> r <= 288 * (u * u) * W.
Proof.
move=> le; have [L1 L6] := log_of_episodes le.
set x := 4 * (B * sqrt B) * sqrt (s * n * k * L); set y := 16 * (s ^ 2 * n * B ^ 4) * (L ^ 3 * sqrt L).
have sB : 0 <= sqrt B by exact: sqrt_pos. have nk : 0 <= sqrt (n * k) by exact: sqrt_pos.
have sL : sqrt L <= L.
  by have := sqrt_sqrt L (ltac:(lra)); have : 1 <= sqrt L by [rewrite -sqrt_1; exact: sqrt_le_1_alt]; nra.
have sL0 : 0 <= sqrt L by exact: sqrt_pos.
have hx : x <= 4 * (L * L) * W.
  have -> : x = 4 * (B * sqrt B * sqrt (n * k)) * (sqrt s * sqrt L).
    rewrite /x (_ : s * n * k * L = s * (n * k) * L); last ring.
    have nk0 : 0 <= n * k by nra.
    by rewrite (sqrt_mult (s * (n * k)) L) ?(sqrt_mult s (n * k)); try nra; ring.
  have ss : sqrt s <= s.
    by have := sqrt_sqrt s (ltac:(lra)); have : 1 <= sqrt s by [rewrite -{1}sqrt_1; exact: sqrt_le_1_alt]; nra.
  have z0 : 0 <= B * sqrt B * sqrt (n * k) by repeat apply: Rmult_le_pos => //; lra.
  have h : sqrt s * sqrt L <= s * B * (L * L).
    apply: Rle_trans (_ : _ <= s * L) _; first by apply: Rmult_le_compat => //; exact: sqrt_pos.
    have : L <= B * (L * L) by have : L <= L * L by [nra]; nra.
    by move=> g; rewrite Rmult_assoc; apply: Rmult_le_compat_l; lra.
  by have := Rmult_le_compat_l _ _ _ z0 h; rewrite /W; lra.
have y0 : 0 <= y by rewrite /y; repeat apply: Rmult_le_pos; try apply: pow_le; lra.
have m : Rmin y (k * B) <= 4 * (L * L) * W.
  have m0 : 0 <= Rmin y (k * B) by apply: Rmin_glb => //; nra.
  have t0 : 0 <= 4 * (L * L) * W by apply: Rmult_le_pos => //; nra.
  rewrite -(sqrt_square (Rmin y (k * B))) // -(sqrt_square (4 * (L * L) * W)) //; apply: sqrt_le_1_alt.
  apply: Rle_trans (_ : _ <= y * (k * B)) _.
    by apply: Rmult_le_compat => //; [exact: Rmin_l | exact: Rmin_r].
  rewrite (_ : _ * W * _ = 16 * (L * L * L * L) * (W * W)); last ring.
  rewrite W_square (_ : y * (k * B) = 16 * (L * L * L * sqrt L) * (k * (s * s * n * (B * B * B)) * (B * B))); last by rewrite /y; ring.
  apply: Rmult_le_compat_r; first by rewrite -W_square; exact: Rle_0_sqr.
  have L3 : 0 <= L * L * L by nra.
  by have := Rmult_le_compat_l _ _ _ L3 sL; lra.
have : r <= x + Rmin y (k * B).
  have x0 : 0 <= x by rewrite /x; repeat apply: Rmult_le_pos; try exact: sqrt_pos; lra.
  by rewrite /Rmin; case: (Rle_dec _ _) => _; [exact: many | lra].
have LL : L * L <= 36 * (u * u) by nra.
have := Rmult_le_compat_r _ _ _ W0 LL; lra.
Qed.

Theorem printed_suffices :
  r <= 1400 * (sqrt s * B) * ell * (s * n * (u * B) ^ 2 + sqrt (s * n * k) * Rpower (u * B) (3/2)).
Proof.
have [e1 e2] := ell_large; have B0 : 0 < B by lra. have u0 : 0 < u by lra.
have uB : Rpower (u * B) (3/2) = (u * sqrt u) * (B * sqrt B).
  have p0 : 0 < u * B by nra.
  by rewrite -(rpower_pos _ p0) rpower_half3 // sqrt_mult; [ring | lra | lra].
have ss : sqrt s * sqrt s = s by apply: sqrt_sqrt; lra.
have e : (sqrt s * B) * (sqrt (s * n * k) * (u * sqrt u * (B * sqrt B))) = u * sqrt u * W.
  rewrite (_ : s * n * k = s * (n * k)); last ring.
  rewrite sqrt_mult; [|lra|nra].
  rewrite (_ : _ * _ * _ = sqrt s * sqrt s * (B * (B * sqrt B) * sqrt (n * k) * (u * sqrt u))); last ring.
  by rewrite ss /W; ring.
have us : 83/100 <= sqrt u.
  rewrite -(sqrt_square (83/100)); last lra.
  by apply: sqrt_le_1_alt; have l : 6931/10000 <= ln 2 by [enclose]; have : ln 2 <= u by [apply: Rcomplements.ln_le; lra]; lra.
have uu : sqrt u * sqrt u = u by apply: sqrt_sqrt; lra.
have main : r <= 1400 * ell * (u * sqrt u * W).
  have T0 : 0 <= ell * (u * sqrt u) by apply: Rmult_le_pos; nra.
  case: (Rle_dec k (s * s * n * (B * B * B))) => [le|/Rnot_le_lt lt].
    have := few_episodes le; have : 1 <= 1400 * (ell * (u * sqrt u)) by have : 57/100 <= u * sqrt u by [nra]; nra.
    by move=> h; have := Rmult_le_compat_r _ _ _ W0 h; lra.
  have := many_episodes (Rlt_le _ _ lt).
  have h : 288 * (u * u) <= 1400 * (ell * (u * sqrt u)).
    have : u <= 481/100 * (ell * sqrt u) * / (83/100) * (83/100).
      nra.
    nra.
  by have := Rmult_le_compat_r _ _ _ W0 h; lra.
rewrite uB; apply: Rle_trans main _; rewrite -e.
have p : 0 <= 1400 * ell * (sqrt s * B * (s * n * (u * B) ^ 2)).
  by repeat apply: Rmult_le_pos; try exact: sqrt_pos; try apply: pow_le; try (apply: Rmult_le_pos); lra.
lra.
Qed.
End Analysis.

Section Line.
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Variables (guess_reward : history A S O -> cell A S -> R) (guess_row : history A S O -> cell A S -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.
Hypothesis K2 : (2 <= K)%nat.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> O -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho) (shows_ok : forall a s, probability (shows a s)).
Hypothesis plays_so : plays_optimistically next pays beta guess_reward guess_row K learner.
Variable pistar : policy A S.
Hypothesis best : forall pi x, V beta (bandit_of next pays shows) pi x <= V beta (bandit_of next pays shows) pistar x.

(* Theorem 1 for MB-UCBVI, as printed, with the constant 1400: the next state is observed at every activation, K >= 2.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/ucbvi *)
Theorem ucbvi_printed : expected_regret next beta learner rho shows (bandit_of next pays shows) pistar K <=
  1400 * (sqrt (INR #|S|) * (1 / (1 - beta))) * printed_log #|S| #|A| K beta * printed_f #|S| #|A| K beta.
Proof.
case: (discount) => b0 b1; have [A1 S1] := sizes rho_ok learner_ok; have n1 := INR_ge1 A1; have s1 := INR_ge1 S1.
have k2 : 2 <= INR K by rewrite -[2]/(INR 2); apply: le_INR; exact/leP.
have B1 : 1 <= 1 / (1 - beta) by apply: (Rmult_le_reg_r (1 - beta)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
have bound := sharper discount pays_unit guess_reward_ok guess_row_ok (ltnW K2) learner_ok rho_ok shows_ok best plays_so.
have few := regret_at_most_horizon next discount pays_unit K learner_ok rho_ok shows_ok pistar.
have := printed_suffices s1 n1 k2 B1 few bound; rewrite /printed_log /printed_f.
by rewrite /Rdiv !Rmult_1_l.
Qed.
End Line.
