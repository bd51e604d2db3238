(* The sharper bound for MB-UCBVI as printed (Theorem A of the notes), for any law of observations, and every
   number of arms, states and episodes: its full form, with theta; the short form
     E Reg(K) <= 4 B^(3/2) sqrt(SnK L) + 16 S^2 n B^4 L^(7/2),   B = 1/(1-beta), L = log(2SnK(KB+1));
   and a learner that it speaks of. *)

From kernel Require Import Limits Sums Enclosures Values Bandits Concentration Events Gittins Episodes Weights Levels Laws.
From kernel Require Import LawOfRun Truncation Frozen Radii Maximiser Known BonusEvent SecondSum MbUcbvi ShortForm.

Lemma inhabited_support (X : finType) (q : X -> R) : probability q -> (1 <= #|X|)%nat.
Proof.
case=> _ q1; case: (pickP (@predT X)) => [x _|none]; first by apply/card_gt0P; exists x.
by move: q1; rewrite big_pred0 //; lra.
Qed.

Lemma sizes (A S : finType) (O : Type) (learner : history A S O -> plays A S -> R) (rho : global A S -> R) : probability rho ->
  (forall h, probability (learner h)) -> (1 <= #|A|)%nat /\ (1 <= #|S|)%nat.
Proof.
move=> rho_ok learner_ok; have [x _] := card_gt0P (inhabited_support rho_ok).
have [pi _] := card_gt0P (inhabited_support (learner_ok [::])).
by split; apply/card_gt0P; [exists (pi x) | exists (x (pi x))].
Qed.

Section Sharper.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Notation plays := (plays A S).
Notation cell := (cell A S).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Variables (guess_reward : history A S O -> cell -> R) (guess_row : history A S O -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.
Hypothesis K1 : (1 <= K)%nat.
Notation optimistic learner := (plays_optimistically next pays beta guess_reward guess_row K learner).

Section Run.
Variables (learner : history A S O -> plays -> R) (rho : global A S -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Notation M := (bandit_of next pays shows).
Variable pistar : policy A S.
Hypothesis best : forall pi x, V beta M pi x <= V beta M pistar x.
Notation regret_of pi := (expected_regret next beta learner rho shows M pi K).
Notation n := (INR #|A|).
Notation s := (INR #|S|).
Notation k := (INR K).
Notation B := (1 / (1 - beta)).

Let hM : markovian M. Proof. exact: bandit_markovian. Qed.
Let unit : unit_rewards M. Proof. exact: bandit_unit. Qed.

(* Whatever the learner: no episode costs more than B. *)
Lemma regret_at_most_horizon pi : regret_of pi <= k * B.
Proof.
apply: Rle_trans (Rle_abs _) _; exact: (expected_regret_abs next discount learner_ok rho_ok shows pi hM unit K).
Qed.

Lemma some_index_policy : exists gamma (pi : policy A S), (forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s)) /\
  plays_largest_index gamma pi.
Proof.
have [a0 _] := card_gt0P (proj1 (sizes rho_ok learner_ok)); have ex a s := index_exists (reward M a) discount (hM a) s.
have [gamma hg] := fin_all_exists (fun a => fin_all_exists (ex a)).
have [pi hpi] := fin_all_exists (fun x : state A S => exists_max a0 (fun a => gamma a (x a))).
by exists gamma, pi; split=> // x b; exact: hpi.
Qed.

Lemma cellsE : INR #|cell| = s * n.
Proof. by rewrite card_prod mult_INR Rmult_comm. Qed.

Lemma log_horizonE : log_horizon beta (2 * (INR #|cell| * k)) K = big_log s n k B.
Proof. by rewrite /log_horizon /big_log cellsE; congr ln; ring. Qed.

Hypothesis plays_so : optimistic learner.

(* The bound in full, for every theta in (0, 1] and T0 >= B log(K Gamma/B).
   ledger: beyond:upper/whole *)
Theorem sharper_in_full (theta : R) (T0 : nat) : let L := ln (2 * s * n * k * (k * B + 1)) in
  let Gamma := B * (1 + B * sqrt (L / 2)) in let l' := s * ln 2 + ln (s * n * k) in
  0 < theta <= 1 -> (1 <= T0)%nat -> B * ln (k * (Gamma / B)) <= INR T0 ->
  regret_of pistar <= 2 * sqrt 2 * exp theta * (B * sqrt B * sqrt (s * n * k * L)) +
    sqrt 2 * exp theta * (s * n * (B * B) * sqrt L) +
    exp theta / theta * (beta * l' * INR T0 * (s * n) * Gamma * (B + 2 + L)) + (s + 2 + exp theta) * B.
Proof.
move=> L Gamma l' th T1 large; have T0_large : B * ln (k * (big_top s n k B / B)) <= INR T0 by exact: large.
change (regret_of pistar <= full_form s n k B beta theta (INR T0)); clear large L Gamma l'; case: (discount) => b0 b1; have [A1 S1] := sizes rho_ok learner_ok; have B0 : 0 <= B := top_nonneg discount.
have n1 := INR_ge1 A1; have s1 := INR_ge1 S1; have k1 := INR_ge1 K1; have t1 := INR_ge1 T1.
have C1 : (1 <= #|cell|)%nat by rewrite card_prod muln_gt0 A1.
have sn : 1 <= s * n by nra.
have snk : 1 <= s * n * k by nra.
case: (leqP 2 K) => [K2|K1'].
  have [gamma [pig [indices largest]]] := some_index_policy.
  have same x : V beta M pistar x = V beta M pig x.
    by apply: Rle_antisym; [exact: (proj1 (gittins_policy_is_optimal discount hM indices largest x)) | exact: best].
  have -> : regret_of pistar = regret_of pig.
    congr expected; apply: funext => h.
    by apply: eq_bigr => [[[pi x] e] _]; rewrite /round_gap /Episodes.gap same.
  have tp : top_at beta (log_horizon beta (2 * (INR #|cell| * k)) K) = big_top s n k B by rewrite /top_at log_horizonE.
  apply: Rle_trans (regret_in_full discount pays_unit guess_reward_ok guess_row_ok learner_ok rho_ok (shows := shows) plays_so th T1 indices
    largest K2 C1 S1 _) _; first by rewrite tp.
  apply: Req_le; rewrite /regret_bound /full_form tp log_horizonE cellsE /slack log_levelE // cellsE.
  set L := big_log s n k B; have -> : sqrt (s * n * (k * B)) = sqrt B * sqrt (s * n * k).
    by rewrite -sqrt_mult //; [congr sqrt; ring | lra].
  have L2 : 248/100 <= L.
    by apply: big_log_large (top_ge1 discount) => //; rewrite -[2]/(INR 2); apply: le_INR; exact/leP.
  rewrite (sqrt_mult (s * n * k) L); [|lra|lra].
  rewrite /row_log; move: (sqrt L) (sqrt B) (sqrt (s * n * k)) (ln (s * n * k)) => q w z l; field; lra.
have e1 : K = 1%nat by apply/eqP; rewrite eqn_leq -ltnS K1' K1.
apply: Rle_trans (regret_at_most_horizon pistar) _; rewrite {1}e1 Rmult_1_l /full_form.
have e0 := exp_pos theta; have l0 : 0 <= big_log s n k B.
  rewrite -ln_1; apply: Rcomplements.ln_le; first lra.
  have kB : 0 <= k * B by apply: Rmult_le_pos; lra.
  by rewrite (_ : 2 * s * n * k = 2 * (s * n * k)); [move: (s * n * k) snk (k * B) kB => u u1 v v0; nra | ring].
have l2 : 0 <= ln 2 by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
have l3 : 0 <= ln (s * n * k) by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
have x1 : 0 <= 2 * sqrt 2 * exp theta * (B * sqrt B * sqrt (s * n * k * big_log s n k B)) by nonneg.
have x2 : 0 <= sqrt 2 * exp theta * (s * n * (B * B) * sqrt (big_log s n k B)) by nonneg.
have x3 : 0 <= exp theta / theta * (beta * row_log s n k * INR T0 * (s * n) * big_top s n k B * (B + 2 + big_log s n k B)).
  by rewrite /row_log /big_top; move: (big_log s n k B) l0 => l l0; nonneg.
by have := Rmult_le_compat_r _ _ _ B0 (ltac:(lra) : 1 <= s + 2 + exp theta); lra.
Qed.

(* The short form.
   ledger: beyond:upper *)
Theorem sharper : let L := ln (2 * s * n * k * (k * B + 1)) in
  regret_of pistar <= 4 * (B * sqrt B) * sqrt (s * n * k * L) + 16 * (s ^ 2 * n * B ^ 4) * (L ^ 3 * sqrt L).
Proof.
change (regret_of pistar <= short_form s n k B); rewrite /short_form; case: (discount) => b0 b1; have [A1 S1] := sizes rho_ok learner_ok; have n1 := INR_ge1 A1; have s1 := INR_ge1 S1; have k1 := INR_ge1 K1.
have B1 : 1 <= B := top_ge1 discount.
have sn : 1 <= s * n by nra.
have snk : 1 <= s * n * k by nra.
case: (leqP 2 K) => [K2|K1'].
  have k2 : 2 <= k by rewrite -[2]/(INR 2); apply: le_INR; exact/leP.
  set x := B * ln (k * (big_top s n k B / B)).
  have x0 : 0 <= x.
    apply: Rmult_le_pos; first lra.
    rewrite -ln_1; apply: Rcomplements.ln_le; first lra.
    have r0 := sqrt_pos (big_log s n k B / 2); rewrite (_ : big_top s n k B / B = 1 + B * sqrt (big_log s n k B / 2)); last by rewrite /big_top; field; lra.
    by have : 0 <= B * sqrt (big_log s n k B / 2) by [apply: Rmult_le_pos; lra]; nra.
  have [T [low high]] := nfloor_ex x x0.
  apply: Rle_trans (@sharper_in_full (1/3) T.+1 _ isT _) _; [lra | by rewrite S_INR -/x; lra |].
  by apply: short_form_suffices => //; [lra | rewrite S_INR -/x; have := pos_INR T; lra].
have e1 : K = 1%nat by apply/eqP; rewrite eqn_leq -ltnS K1' K1.
apply: Rle_trans (regret_at_most_horizon pistar) _; rewrite {1}e1 Rmult_1_l.
set L := big_log s n k B; have L1 : 1 <= L.
  have l4 : 1 <= ln 4 by enclose.
  apply: Rle_trans l4 _; apply: Rcomplements.ln_le; first lra.
  have kB : 1 <= k * B by nra.
  by rewrite (_ : 2 * s * n * k = 2 * (s * n * k)); [move: (s * n * k) snk (k * B) kB => u u1 v v1; nra | ring].
have r1 : 1 <= sqrt (s * n * k * L) by enclose.
have r2 : 1 <= sqrt B by rewrite -{1}sqrt_1; apply: sqrt_le_1_alt.
have p : 0 <= 16 * (s ^ 2 * n * B ^ 4) * (L ^ 3 * sqrt L) by nonneg.
have : B <= 4 * (B * sqrt B) * sqrt (s * n * k * L).
  have : B <= B * sqrt B by nra.
  by move: (B * sqrt B) => u hu; nra.
lra.
Qed.
End Run.

End Sharper.

(* With an arm and a state there are guesses, a learner that plays what is best for the estimates with the bonus, and a law of initial
   states: all that the bound speaks of. *)
Theorem sharper_is_of_something (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R) (K : nat) (a0 : A) (s0 : S) :
  is_discount beta -> exists guess_reward guess_row (learner : history A S O -> plays A S -> R) (rho : global A S -> R),
    (forall h c, 0 <= guess_reward h c <= 1) /\ (forall h c, probability (guess_row h c)) /\ (forall h, probability (learner h)) /\
    probability rho /\ plays_optimistically next pays beta guess_reward guess_row K learner.
Proof.
move=> discount; pose point (X : finType) (x : X) y := if y == x then 1 else 0.
have row_ok (h : history A S O) (c : cell A S) : probability (point S s0) by exact: point_ok.
pose best h := best_play beta (ucbvi_model next pays beta (fun _ _ => 0) (fun _ _ => point S s0) K h) [ffun _ => a0].
exists (fun _ _ => 0), (fun _ _ => point S s0), (fun h => point (plays A S) (best h)), (point (global A S) [ffun _ => s0]).
split; [move=> _ _; lra | split; [exact: row_ok | split; [move=> h; exact: point_ok | split; first exact: point_ok]]].
move=> h pi; rewrite /point; case: eqP => [->|_ bad]; last lra.
by move=> _ pi' x; apply: best_play_optimal => // a s; exact: moves_ok.
Qed.
