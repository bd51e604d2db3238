(* Theorem C of sharper.md in its simplest setting: beta = 0, one state per arm, K pulls of a bandit with one better arm,
   uniform. Whatever the learner, its Bayesian regret is at least sqrt(n K)/18.

   How this is the study's `law` (History.v): take S = unit, O = bool, beta = 0. Then chance 0 = 1 and chance m = 0
   otherwise, so that `any_length f` is f 1 and `at_most_long 0 1 f` is f 1: an episode is one pull. A policy on the single
   global state is an arm, so that learner h, a law on policies, is a law on arms; the history and the past (`flat`) show
   the same, and `law next learner rho shows over K [::] F` is `play mu rule K [::] F` with mu b = shows b tt. *)

From Coq Require Import Reals Lra Psatz.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Concentration.
From kernel Require Import Information Divergence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Bandit.
Variable A : finType.   (* the n arms *)
(* Any learner: given all that it has seen, it draws an arm. A learner that tosses no coins is a point mass. *)
Variable learner : past A bool_finType -> A -> R.
Hypothesis learner_ok : forall h, probability (learner h).
Variable K : nat.   (* the number of pulls *)

(* Rewards are 0 or 1. Arm a has mean 1/2 + e, every other arm 1/2. *)
Definition better (e : R) (a b : A) : bool -> R := with_arm (fun _ => 1/2) a (1/2 + e) b.
Definition reward (o : bool) : R := if o then 1 else 0.
Definition total (h : past A bool_finType) : R := \sum_(p <- h) reward p.2.

(* What the learner loses in the mean against always playing the better arm; and its mean over the uniform prior. *)
Definition regret (e : R) (a : A) : R := INR K * (1/2 + e) - play (better e a) learner K [::] total.
Definition bayesian_regret (e : R) : R := mean (fun _ : A => / INR #|A|) (regret e).

Lemma better_ok e a b : 0 <= e <= 1/4 -> probability (better e a b).
Proof. by move=> he; apply: coin_ok; case: (b == a); lra. Qed.

Lemma mean_reward x : mean (coin x) reward = x.
Proof. by rewrite /mean sum_bool /=; lra. Qed.

(* The rewards pay 1/2 a pull, and e more for each play of the better arm. *)
Lemma total_and_plays e a T h : 0 <= e <= 1/4 ->
  play (better e a) learner T h (fun h => total h + - e * plays_of a h) = total h + - e * plays_of a h + INR T * (1/2).
Proof.
move=> he; elim: T h => [|T IH] h; first by rewrite /=; lra.
rewrite S_INR [LHS]/= (mean_ext _ (g := fun _ => total h + - e * plays_of a h + (INR T + 1) * (1/2))).
  by rewrite (mean_of_const _ (learner_ok h)).
move=> b; pose i := if b == a then 1 else 0.
rewrite (mean_ext _ (g := fun o => reward o + (total h + - e * (i + plays_of a h) + INR T * (1/2)))).
  rewrite mean_add (mean_of_const _ (better_ok a b he)) /better /with_arm mean_reward /i.
  by case: (b == a); lra.
by move=> o; rewrite IH /total /plays_of !sum_cons /= -/i; lra.
Qed.

Lemma regret_plays e a : 0 <= e <= 1/4 -> regret e a = e * (INR K - play (better e a) learner K [::] (plays_of a)).
Proof.
move=> he; have := total_and_plays a K [::] he.
by rewrite play_add play_scale /regret /total /plays_of !sum_nil; lra.
Qed.

Lemma plays_range (a : A) h : 0 <= plays_of a h <= INR (size h).
Proof.
elim: h => [|p h [p0 p1]]; first by rewrite /plays_of sum_nil /=; lra.
have -> : plays_of a (p :: h) = (if p.1 == a then 1 else 0) + plays_of a h by exact: sum_cons.
have -> : INR (size (p :: h)) = INR (size h) + 1 by exact: S_INR.
have : 0 <= (if p.1 == a then 1 else 0) <= 1 by case: ifP => _; split; lra.
by move: (if _ then _ else _) (plays_of a h) (INR (size h)) p0 p1 => x y z p0 p1 [x0 x1]; split; lra.
Qed.

Lemma plays_all (h : past A bool_finType) : \sum_(a : A) plays_of a h = INR (size h).
Proof.
elim: h => [|p h IH]; first by rewrite big1 // => a _; rewrite /plays_of sum_nil.
have -> : INR (size (p :: h)) = INR (size h) + 1 by exact: S_INR.
rewrite (eq_bigr (fun a => (if a == p.1 then 1 else 0) + plays_of a h)).
  by rewrite sum_add IH (sum_single p.1 (fun _ => 1)); exact: Rplus_comm.
move=> a _; rewrite (_ : plays_of a (p :: h) = (if p.1 == a then 1 else 0) + plays_of a h); last exact: sum_cons.
by rewrite eq_sym.
Qed.

(* No arm is better: all are fair coins. *)
Definition fair (b : A) : bool -> R := coin (1/2).

Lemma play_fair a T h F : play (with_arm (fun _ => 1/2) a (1/2)) learner T h F = play fair learner T h F.
Proof.
elim: T h => [|T IH] h //=; apply: mean_ext => b; rewrite /with_arm /fair.
by case: (b == a); apply: mean_ext => o; exact: IH.
Qed.

Lemma fair_plays : \sum_(a : A) play fair learner K [::] (plays_of a) = INR K.
Proof.
rewrite -play_sum (play_size learner fair (G := fun _ => INR K)).
  by apply: (play_const learner_ok) => b; apply: coin_ok; lra.
by move=> h sz; rewrite plays_all sz addn0.
Qed.

(* Theorem C for beta = 0, S = 1. *)
Theorem bandit_lower_bound : (2 <= #|A|)%nat -> (#|A| <= K)%nat ->
  1/18 * sqrt (INR #|A| * INR K) <= bayesian_regret (1/4 * sqrt (INR #|A| / INR K)).
Proof.
move=> n2 nK; set n := INR #|A|; set e := 1/4 * sqrt (n / INR K).
have hn : 2 <= n by have /leP/le_INR := n2.
have hK : n <= INR K by apply/le_INR/leP.
have r0 : 0 <= n / INR K by apply: Rdiv_le_0_compat; lra.
have sq := sqrt_sqrt _ r0; have s0 := sqrt_pos (n / INR K).
have e2 : e ^ 2 * INR K = n / 16.
  by rewrite /e (_ : (1/4 * sqrt (n / INR K)) ^ 2 = (sqrt (n / INR K) * sqrt (n / INR K)) / 16); [rewrite sq | ]; field; lra.
have he : 0 <= e <= 1/4.
  split; first by rewrite /e; lra.
  suff : sqrt (n / INR K) <= 1 by rewrite /e; lra.
  rewrite -sqrt_1; apply: sqrt_le_1_alt.
  by apply: (Rmult_le_reg_r (INR K)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
have eK : e * INR K = 1/4 * sqrt (n * INR K).
  rewrite /e Rmult_assoc; congr (_ * _); rewrite -{2}(sqrt_square (INR K)); last lra.
  by rewrite -sqrt_mult_alt //; congr sqrt; field; lra.
pose w (a : A) h := plays_of a h * / INR K.
pose W a := play (better e a) learner K [::] (plays_of a).
pose W0 a := play fair learner K [::] (plays_of a).
have info a : W a * / INR K - W0 a * / INR K <= 7/3 * e ^ 2 * W0 a + 1/8.
  have range h : size h = K -> 0 <= w a h <= 1.
    move=> sz; have := plays_range a h; rewrite sz /w => -[p0 p1].
    have i0 : 0 < / INR K by apply: Rinv_0_lt_compat; lra.
    by split; [nra | rewrite -(Rinv_r (INR K)); [apply: Rmult_le_compat_r; lra | lra]].
  have := @information_one_arm A learner learner_ok (1/2) (1/2 + e) (fun _ => 1/2) a (ltac:(lra)) (ltac:(lra)) (fun _ => ltac:(lra)) K (w a) 1 range.
  have scaled (mu : A -> bool -> R) : play mu learner K [::] (w a) = / INR K * play mu learner K [::] (plays_of a).
    by rewrite -play_scale; apply: play_ext => h; rewrite /w Rmult_comm.
  rewrite !scaled !play_fair -/(W0 a) -/(better e a) -/(W a).
  have k := kl_half he; have W00 : 0 <= W0 a.
    rewrite /W0 -(@play_const _ _ learner learner_ok fair _ K [::] 0); last by move=> b; apply: coin_ok; lra.
    apply: play_le => // [b|h]; [by apply: coin_ok; lra | by have := plays_range a h; lra].
  have := Rmult_le_compat_r _ _ _ W00 k; lra.
have all : (\sum_(a : A) W a) * / INR K - 1 <= n * (13/48).
  have := @sum_le _ (index_enum A) predT _ _ (fun a _ => info a).
  rewrite sum_sub sum_add !sum_scale_r !sum_scale sum_const -/n (_ : \sum_(a : A) W0 a = INR K); last exact: fair_plays.
  have -> : INR K * / INR K = 1 by apply: Rinv_r; lra.
  have -> : 7/3 * e ^ 2 * INR K = 7/3 * (n / 16) by rewrite -e2; ring.
  by move=> le; apply: Rle_trans le _; apply: Req_le; field.
rewrite /bayesian_regret /mean sum_scale (eq_bigr (fun a => e * (INR K - W a))); last by move=> a _; exact: regret_plays.
rewrite sum_scale sum_sub sum_const -/n.
have -> : / n * (e * (n * INR K - \sum_(a : A) W a)) = (e * INR K) * (1 - / n * ((\sum_(a : A) W a) * / INR K)).
  by field; lra.
have i0 : 0 < / n by apply: Rinv_0_lt_compat; lra.
have i2 : / n <= / 2 by apply: Rinv_le_contravar; lra.
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ i0) all.
rewrite (_ : / n * (n * (13/48)) = 13/48); last by field; lra.
move=> h; rewrite eK; have q0 := sqrt_pos (n * INR K).
have : 11/48 <= 1 - / n * ((\sum_(a : A) W a) * / INR K) by lra.
nra.
Qed.
End Bandit.

(* In particular for a learner without coins. *)
Corollary deterministic_lower_bound (A : finType) (choice : past A bool_finType -> A) (K : nat) :
  (2 <= #|A|)%nat -> (#|A| <= K)%nat ->
  1/18 * sqrt (INR #|A| * INR K) <=
  bayesian_regret (fun h b => if b == choice h then 1 else 0) K (1/4 * sqrt (INR #|A| / INR K)).
Proof.
apply: bandit_lower_bound => h; split=> [b|]; first by case: (b == choice h); lra.
exact: (sum_single (choice h) (fun _ => 1)).
Qed.
