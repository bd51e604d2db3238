(* Theorem 2 on its true domain, end to end, for every learner that sees everything and may change arms at every step: motionless
   arms, one better arm per state. Theorem C (the constant 1/18), the prior with one paying arm for many arms, and
   what both give together for Theorem 2 and for stochastic bandits. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Retirement Laws Learners Priors Information Divergence.
From kernel Require Import CoinGames.

Section Motionless.
Variables (A S : finType) (lo hi beta : R).
Hypotheses (discount : is_discount beta) (lo01 : 0 <= lo) (lohi : lo <= hi) (hi01 : hi <= 1).
Hypotheses (arms : (0 < #|A|)%nat) (states : (0 < #|S|)%nat).
Definition stay_put (s : S) (z : bool) : bool * S := (z, s).
Definition motionless : prior A S := coin_game A lo hi stay_put xpredT.
Notation O := (prod_finType bool_finType S).
Notation top := (1 / (1 - beta)).

Lemma lo_ok : 0 <= lo <= 1. Proof. by lra. Qed.
Lemma hi_ok : 0 <= hi <= 1. Proof. by lra. Qed.
Lemma starts_ok : (0 < #|(xpredT : pred S)|)%nat. Proof. exact: states. Qed.
Lemma no_return (i s : S) (z : bool) : (xpredT : pred S) i -> s != i -> (stay_put s z).2 != i. Proof. by []. Qed.

Lemma motionless_ok : prior_ok motionless.
Proof. exact: (coin_game_ok _ lo_ok hi_ok arms starts_ok). Qed.

Lemma mean_reward b a s : reward (@candidate_bandit _ _ motionless b) a s = odds lo hi b a s.
Proof. by rewrite (_ : reward _ a s = mean (emit stay_put (odds lo hi b) a s) (fun o => indicator o.1)) //
  mean_emit mean_toss /indicator /=; lra. Qed.

Lemma moved_still (i : S) (a : A) : moved (still A i) a i = still A i.
Proof. by rewrite -{2}[i](ffunE (fun _ => i) a) moved_self. Qed.

(* Who knows the better arm of i earns hi at every step. *)
Lemma best_value best b i : best_policies beta (p := motionless) best -> hi * top <= V beta (@candidate_bandit _ _ motionless b) (best b) (still A i).
Proof.
move=> opt; have [hM _] := candidate_bandit_ok motionless_ok b; apply: Rle_trans (opt b (fun _ => b i) (still A i)).
have [b0 b1] := discount; have t1 : top = 1 + beta * top by field; lra.
pose w (x : state A S) := if x (b i) == i then hi * top else 0.
apply: Rle_trans (_ : _ <= w (still A i)) _; first by rewrite /w ffunE eqxx; lra.
apply: (V_at_least_for discount hM) => x; rewrite mean_reward bandit_shown mean_emit /=.
rewrite (mean_ext _ (g := fun _ => w x)) => [|z]; last by rewrite /= moved_self.
rewrite mean_of_const; last by apply: toss_ok; rewrite /odds; case: ifP; lra.
by rewrite /w /odds; case: eqP => [->|_]; [rewrite eqxx {1}t1; nra | case: ifP; lra].
Qed.

Section Play.
Variable L : agent A S O unit.
Hypothesis L_ok : agent_ok L.
Notation run b := (run_through snd L (emit stay_put (odds lo hi b))).
Notation walking b := (walk snd L (emit stay_put (odds lo hi b))).

(* The chance that the next arm is a, if the last episode of a memory goes on. *)
Definition next_choice (i : S) (a : A) (h : memory A S O unit) : R := if h is (w, _, e) :: h' then act L h' w e (still A i) a else 0.

Lemma next_choice_nonneg i a h : 0 <= next_choice i a h.
Proof. by case: h => [|[[w x] e] h] /=; [lra | exact: (proj1 (L_ok h w e _))]. Qed.

Lemma next_choices i h : \sum_(a : A) next_choice i a h <= 1.
Proof. by case: h => [|[[w x] e] h] /=; [rewrite big1 //; lra | rewrite (proj2 (L_ok h w e _)); lra]. Qed.

(* All arms stay where they are. *)
Lemma walk_still (b : {ffun S -> A}) i h w j e F : walking b h w j e (still A i) F = walking b h w j e (still A i) (fun e' _ => F e' (still A i)).
Proof.
elim: j e => [|j IH] e //=; apply: mean_ext => a; rewrite !mean_emit; apply: mean_ext => z.
by rewrite ffunE moved_still IH.
Qed.

Lemma earned_still (b : {ffun S -> A}) i h w J e : earned snd L beta (@candidate_bandit _ _ motionless b) (emit stay_put (odds lo hi b)) h w J e (still A i) =
  \sum_(j < J) (beta ^ j * (lo + (hi - lo) * walking b h w j e (still A i) (fun e' _ => act L h w e' (still A i) (b i)))).
Proof.
rewrite earned_by_steps; apply: sum_to_ext => j _; congr (_ * _); rewrite /pay_at walk_still.
have av := walk_averages snd L_ok (odds_ok stay_put lo_ok hi_ok b) h w j e (still A i).
pose Q (p : seq (step A S O) * global A S) := act L h w p.1 (still A i) (b i).
apply: etrans (etrans (average_add av (fun _ => lo) (fun p => (hi - lo) * Q p)) (f_equal2 Rplus (average_const av lo) (average_scale av (hi - lo) Q))).
apply: walk_ext => e' y _; rewrite /Q; cbv beta iota delta [fst]; have act_p := L_ok h w e' (still A i).
rewrite -[X in X + _](mean_of_const lo act_p) -[act L h w e' (still A i) (b i)](sum_single (b i) (act L h w e' (still A i))) -sum_scale -sum_add.
by apply: eq_bigr => a _; rewrite mean_reward /odds ffunE; case: eqP => _; ring.
Qed.

(* What an episode from i costs: e times the chance of a wrong arm, step by step. *)
Lemma shortfall_steps best b i J h : best_policies beta (p := motionless) best ->
  hi * top - (\sum_(j < J) (beta ^ j * (lo + (hi - lo) * run b [:: (still A i, j)] h (next_choice i (b i)))) + beta ^ J * top)
  <= shortfall snd L beta (@candidate_bandit _ _ motionless b) (emit stay_put (odds lo hi b)) (best b) (still A i) h.
Proof.
move=> opt; have [_ unit] := candidate_bandit_ok motionless_ok b.
have -> : \sum_(j < J) (beta ^ j * (lo + (hi - lo) * run b [:: (still A i, j)] h (next_choice i (b i)))) =
    earned snd L beta (@candidate_bandit _ _ motionless b) (emit stay_put (odds lo hi b)) h tt J [::] (still A i).
  by rewrite earned_still; apply: sum_to_ext => j _; rewrite /= draw_one.
have := best_value b i opt; have := worth_more snd L_ok discount (odds_ok stay_put lo_ok hi_ok b) unit h tt J (still A i).
by rewrite /shortfall draw_one; lra.
Qed.

Lemma powers J : 0 <= beta ^ J /\ \sum_(j < J) beta ^ j <= top /\ \sum_(j < J) (beta ^ j * INR j) <= top * (top - 1).
Proof.
have [b0 b1] := discount; have t1 := top_ge1 discount; have p0 : 0 <= beta ^ J by exact: pow_le.
have e1 j : \sum_(k < j) beta ^ k + beta ^ j * top = top
  by elim: j => [|j IH]; [rewrite /=; ring | rewrite sum_recr -[RHS]IH /=; field; lra].
have e2 j : \sum_(k < j) (beta ^ k * INR k) + beta ^ j * (INR j * top + top * (top - 1)) = top * (top - 1).
  by elim: j => [|j IH]; [rewrite /=; ring | rewrite sum_recr -[RHS]IH S_INR [beta ^ j.+1]/=; field; lra].
have r2 : 0 <= beta ^ J * (INR J * top + top * (top - 1)) by nonneg.
by split=> //; have := Rmult_le_pos _ _ p0 (top_nonneg discount); have := e1 J; have := e2 J; lra.
Qed.

(* If the better arm is guessed with chance at most al + ga (visits), the prior costs as much as this says. *)
Theorem motionless_regret best K al ga : best_policies beta (p := motionless) best -> 0 <= al -> 0 <= ga ->
  (forall i sc, all (fun r => starts_still xpredT r.1) sc ->
    mean (@uniform _) (fun b => run b sc [::] (next_choice i (b i))) <= al + ga * occupancy i sc) ->
  (hi - lo) * top * INR K * (1 - al - ga * (top * ((INR K - 1) / (2 * INR #|S|) + 1) - 1)) <= @regret_under A S beta motionless best unit L K.
Proof.
move=> opt al0 ga0 guess; have [b0 b1] := discount; have t0 := top_nonneg discount; have s0 : 0 < INR #|S| by exact: INR_pos.
have vectors : probability (@uniform [finType of {ffun S -> A}]) by apply: uniform_ok; rewrite card_ffun expn_gt0 arms.
pose c := (hi - lo) * top * (1 - al - ga * (top - 1)); pose d := (hi - lo) * top * ga.
have d0 : 0 <= d by rewrite /d; apply: Rmult_le_pos => //; apply: Rmult_le_pos => //; lra.
apply: Rle_trans _ (regret_of_game lo_ok hi_ok arms starts_ok discount L_ok (best := best) (K := K) (c := fun _ => c) (d := fun _ => d) (fun _ => d0) _).
  have sums u v t m : \sum_(k < m) (u - v * (INR k * t)) = INR m * u - v * t * (INR m * (INR m - 1) / 2).
    by elim: m => [|m IH]; [rewrite /=; field | rewrite sum_recr IH S_INR; field].
  by apply: Req_le; apply: eq_trans (esym (sums _ _ _ K)); rewrite /c /d (_ : #|_| = #|S|) //; field; lra.
move=> k sc i _ _ good _.
set X := mean _ _; suff far J : c - d * occupancy i sc - beta ^ J * top <= X.
  by apply: (geometric_le discount (is_lim_seq_const _) (C := top)) => J; have := far J; lra.
have [p0 [p1 p2]] := powers J.
pose G j := mean (@uniform [finType of {ffun S -> A}]) (fun b => run b (sc ++ [:: (still A i, j)]) [::] (next_choice i (b i))).
have Gle j : G j <= al + ga * occupancy i sc + ga * INR j.
  have good' : all (fun r => starts_still xpredT r.1) (sc ++ [:: (still A i, j)]).
    by rewrite all_cat good /= andbT; apply/existsP; exists i; rewrite eqxx.
  have e : occupancy i (sc ++ [:: (still A i, j)]) = occupancy i sc + INR j.
    by rewrite /occupancy big_cat /=; congr (_ + _); rewrite sum_cons sum_nil /= eqxx; exact: Rplus_0_r.
  by have := guess i _ good'; rewrite e /G; lra.
apply: Rle_trans (_ : _ <= mean (@uniform [finType of {ffun S -> A}]) (fun b => run b sc [::] (fun h => hi * top + -1 *
    (\sum_(j < J) (beta ^ j * (lo + (hi - lo) * run b [:: (still A i, j)] h (next_choice i (b i)))) + beta ^ J * top)))) _; last first.
  apply: (mean_mono vectors) => b.
  apply: (average_le (run_averages snd sc [::] L_ok (odds_ok stay_put lo_ok hi_ok b))) => h.
  by apply: Rle_trans _ (shortfall_steps b i J h opt); apply: Req_le; ring.
rewrite (mean_ext _ (g := fun b => hi * top + -1 * (\sum_(j < J) (beta ^ j * (lo + (hi - lo) *
    run b (sc ++ [:: (still A i, j)]) [::] (next_choice i (b i)))) + beta ^ J * top))) => [|b]; last first.
  have av := run_averages snd sc [::] L_ok (odds_ok stay_put lo_ok hi_ok b).
  cbv beta; rewrite (average_add av (fun _ => _)) (average_scale av (-1)) (average_add av) !(average_const av) (average_sum_to _ _ av); congr (_ + _ * (_ + _)).
  by apply: sum_to_ext => j _; rewrite (average_scale av) (average_add av) (average_scale av) (average_const av) run_cat.
rewrite mean_add (mean_scale _ (-1)) mean_add !(mean_of_const _ vectors) mean_sum_to.
have : \sum_(j < J) mean (@uniform [finType of {ffun S -> A}]) (fun b => beta ^ j * (lo + (hi - lo) *
    run b (sc ++ [:: (still A i, j)]) [::] (next_choice i (b i)))) <=
    (lo + (hi - lo) * (al + ga * occupancy i sc)) * (\sum_(j < J) beta ^ j) + (hi - lo) * ga * \sum_(j < J) (beta ^ j * INR j).
  rewrite -!sum_to_scale -sum_to_add; apply: sum_to_le => j _.
  rewrite mean_scale mean_add mean_scale (mean_of_const _ vectors) -/(G j); have pj := proj1 (powers j).
  have : (hi - lo) * G j <= (hi - lo) * (al + ga * occupancy i sc + ga * INR j) by apply: Rmult_le_compat_l => //; lra.
  by move/(Rmult_le_compat_l _ _ _ pj); lra.
have o0 : 0 <= occupancy i sc by apply: sum_nonneg => r _; case: ifP => _; [exact: pos_INR | lra].
have g0 : 0 <= lo + (hi - lo) * (al + ga * occupancy i sc) by nonneg.
have g1 : 0 <= (hi - lo) * ga by apply: Rmult_le_pos; lra.
have := Rmult_le_compat_l _ _ _ g0 p1; have := Rmult_le_compat_l _ _ _ g1 p2; rewrite /c /d; lra.
Qed.
End Play.
End Motionless.

(* ---------------------------------------------------------------- Numbers *)

Lemma few_arms c0 c x y : 0 < c0 -> c0 <= c -> 0 <= x -> 0 <= y -> 1 / c * Rmin x y <= 1 / c0 * x.
Proof.
move=> p0 cc x0 y0; apply: Rmult_le_compat; [by apply: Rdiv_le_0_compat; lra | exact: Rmin_glb | | exact: Rmin_l].
by rewrite /Rdiv !Rmult_1_l; exact: Rinv_le_contravar.
Qed.

Lemma cubic c v d r g : 0 <= c -> 0 <= d -> 1 <= v -> v * v <= r -> g <= d * / r -> v * (v * v) <= c * (v * v - d) -> v <= c * (1 - g).
Proof.
move=> c0 d0 v1 vr gr h; apply: Rle_trans (_ : _ <= c * (1 - d * / (v * v))) _.
  by apply: (Rmult_le_reg_r (v * v)); [nra | rewrite (_ : c * _ * _ = c * (v * v - d)) //; field; lra].
apply: Rmult_le_compat_l => //; have : / r <= / (v * v) by apply: Rinv_le_contravar; nra.
by move/(Rmult_le_compat_l _ _ _ d0); lra.
Qed.

Lemma visits_of_long x k : 1 <= x -> 16 * x <= k -> (k - 1) / (2 * x) + 1 <= 9/16 * (k / x).
Proof.
move=> x1 long; rewrite (_ : 9/16 * (k / x) = (k - 1) / (2 * x) + 1 + (k - 16 * x + 8) / (16 * x)); last by field; lra.
by have : 0 <= (k - 16 * x + 8) / (16 * x) by [apply: Rdiv_le_0_compat; lra]; lra.
Qed.

(* A bound that grows with the root of the number r of arms per visit is met up to M if it is at each of its values v. *)
Lemma many_arms c M X Y r g : 0 < c -> 1 <= M -> 0 <= X -> 1 <= r -> Y = X * X * r ->
  (forall v, 1 <= v -> v * v <= M -> v * v <= r -> v <= c * (1 - g)) -> 1 / c * Rmin (sqrt Y) (sqrt M * X) <= X * (1 - g).
Proof.
move=> c0 M1 X0 r1 -> enough; have ic : 0 <= 1 / c by apply: Rdiv_le_0_compat; lra.
have root x : 1 <= x -> 1 <= sqrt x /\ sqrt x * sqrt x = x.
  by move=> x1; split; [rewrite -sqrt_1; exact: sqrt_le_1_alt | apply: sqrt_sqrt; lra].
have [[q1 qq] [m1 mm]] := (root r r1, root M M1); pose v := Rmin (sqrt r) (sqrt M).
have [vr vM] : v <= sqrt r /\ v <= sqrt M by split; [exact: Rmin_l | exact: Rmin_r].
have v1 : 1 <= v by exact: Rmin_glb.
have le : Rmin (sqrt (X * X * r)) (sqrt M * X) <= X * v.
  rewrite sqrt_mult_alt ?sqrt_square //; last exact: Rle_0_sqr.
  by rewrite /v {2}/Rmin; case: Rle_dec => _; [exact: Rmin_l | rewrite (Rmult_comm X (sqrt M)); exact: Rmin_r].
apply: Rle_trans (Rmult_le_compat_l _ _ _ ic le) _; rewrite (_ : 1 / c * (X * v) = X * (v / c)); last by rewrite /Rdiv; ring.
apply: Rmult_le_compat_l => //; have := Rmult_le_compat_l _ _ _ ic (enough v v1 (ltac:(nra)) (ltac:(nra))).
by rewrite (_ : 1 / c * (c * (1 - g)) = 1 - g); [lra | field; lra].
Qed.

(* ---------------------------------------------------------------- Many arms *)

Section Needle.
Variables (A S : finType) (beta : R) (K : nat).
Hypotheses (discount : is_discount beta) (arms : (1 <= #|A|)%nat) (states : (1 <= #|S|)%nat).
Notation n := (INR #|A|).
Notation s := (INR #|S|).
Notation top := (1 / (1 - beta)).

(* One arm of each state pays 1, the others nothing. *)
Definition prior_needle : prior A S := motionless A S 0 1.

Let n1 : 1 <= n. Proof. by have /leP/le_INR := arms. Qed.
Let s1 : 1 <= s. Proof. by have /leP/le_INR := states. Qed.
Let b0 : 0 <= beta := proj1 discount.
Let b1 : beta < 1 := proj2 discount.
Let top0 : 0 <= top := top_nonneg discount.

Theorem needle_regret :
  prior_ok prior_needle /\ forces beta prior_needle K (INR K / (1 - beta) * (1 - top * ((INR K - 1) / (2 * s) + 1) / n)).
Proof.
have in0 : 0 < / n by apply: Rinv_0_lt_compat; lra.
have lo0 : 0 <= 0 by lra. have lohi : 0 <= 1 by lra. have hi1 : 1 <= 1 by lra.
have ok : prior_ok prior_needle by exact: motionless_ok.
split=> //; apply: (forces_all discount ok) => best opt L L_ok.
have main := motionless_regret discount lo0 lohi hi1 arms states L_ok K opt (al := / n + 0) (ga := 1 / n) (ltac:(lra)) (ltac:(lra)) (fun i sc good =>
  guess_by_hits (lo_ok lo0 lohi hi1) (hi_ok lo0 lohi hi1) arms (@no_return S) L_ok (i := i) erefl good
  (next_choice_nonneg L_ok i) (next_choices L_ok i)).
apply: Rle_trans main; rewrite Rminus_0_r Rmult_1_l (_ : INR K / (1 - beta) = top * INR K); last by field; lra.
by apply: Req_le; congr (_ * _); field; lra.
Qed.

(* With K >= 16 S; K/(S(1-beta)) is the mean number of visits of a state.
   ledger: thm:lower_bound/many-arms *)
Theorem theorem_needle : (16 * #|S| <= K)%nat ->
  prior_ok prior_needle /\ forces beta prior_needle K (INR K / (1 - beta) * (1 - 9/16 * (INR K / (s * (1 - beta)) / n))).
Proof.
move=> long; have [ok f] := needle_regret; split=> // best opt W L L_ok; apply: Rle_trans (f best opt W L L_ok).
have in0 : 0 < / n by apply: Rinv_0_lt_compat; lra.
have K16 : 16 * s <= INR K by move: long => /leP/le_INR; rewrite mult_INR (_ : INR 16 = 16) //=; lra.
apply: Rmult_le_compat_l; first by apply: Rdiv_le_0_compat; lra.
rewrite (_ : 1 - 9/16 * _ = 1 - top * (9/16 * (INR K / s)) * / n); last by field; lra.
by have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ in0) (Rmult_le_compat_l _ _ _ top0 (visits_of_long s1 K16)); lra.
Qed.
End Needle.

(* ---------------------------------------------------------------- Theorem C *)

Section Headlines.
Variables (A S : finType) (beta : R) (K : nat).
Hypotheses (discount : is_discount beta) (arms : (2 <= #|A|)%nat) (states : (1 <= #|S|)%nat).
Notation n := (INR #|A|).
Notation s := (INR #|S|).
Notation top := (1 / (1 - beta)).

Let n2 : 2 <= n. Proof. by have /leP/le_INR := arms. Qed.
Let s1 : 1 <= s. Proof. by have /leP/le_INR := states. Qed.
Let b0 : 0 <= beta := proj1 discount.
Let b1 : beta < 1 := proj2 discount.
Let top0 : 0 <= top := top_nonneg discount.

(* By how much the better arm is better. *)
Definition edge : R := 1/4 * sqrt (n * s * (1 - beta) / INR K).
Definition prior_C : prior A S := motionless A S (1/2) (1/2 + edge).

(* With ka for what the visits are worth, and information weighed at the scale t. *)
Lemma better_arm_regret ka t c : 0 < t -> 0 < c -> 0 <= ka -> 0 < INR K -> n * s * (1 - beta) <= INR K ->
  top * ((INR K - 1) / (2 * s) + 1) - 1 <= top * (INR K / s) * ka -> 4 / c <= 1/2 - t / 8 - 7/48 * (ka / t) ->
  prior_ok prior_C /\ forces beta prior_C K (1 / c * sqrt (s * n * INR K / (1 - beta))).
Proof.
move=> t0 c0 ka0 K0 few visits enough; have it : 0 < / t by exact: Rinv_0_lt_compat.
have r0 : 0 <= n * s * (1 - beta) / INR K by apply: Rdiv_le_0_compat; [apply: Rmult_le_pos; nra | lra].
have sq := sqrt_sqrt _ r0; have q0 := sqrt_pos (n * s * (1 - beta) / INR K).
have e2 : edge ^ 2 = n * s * (1 - beta) / INR K / 16 by rewrite -[X in X / 16]sq /edge; field.
have e0 : 0 <= edge <= 1/4.
  suff : sqrt (n * s * (1 - beta) / INR K) <= 1 by rewrite /edge; lra.
  rewrite -[X in _ <= X]sqrt_1; apply: sqrt_le_1_alt; apply: (Rmult_le_reg_r (INR K)); first lra.
  by rewrite (_ : _ / INR K * INR K = n * s * (1 - beta)); [lra | field; lra].
have eK : edge * top * INR K = 1/4 * sqrt (s * n * INR K / (1 - beta)).
  have tK : 0 <= top * INR K by apply: Rmult_le_pos; lra.
  rewrite (_ : edge * top * INR K = 1/4 * (sqrt (n * s * (1 - beta) / INR K) * (top * INR K))); last by rewrite /edge; ring.
  congr (_ * _); rewrite -(sqrt_square (top * INR K)) //.
  by rewrite -sqrt_mult_alt //; congr sqrt; field; lra.
have arms1 : (0 < #|A|)%nat by exact: ltn_trans arms.
have lo0 : 0 <= 1/2 by lra. have lohi : 1/2 <= 1/2 + edge by lra. have hi1 : 1/2 + edge <= 1 by lra.
have ok : prior_ok prior_C by exact: motionless_ok.
split=> //; apply: (forces_all discount ok) => best opt L L_ok.
have hlo : 0 < 1/2 < 1 by lra. have hhi : 0 < 1/2 + edge < 1 by lra.
have k0 := kl_nonneg hlo hhi; have k1 := kl_half e0; have in0 : 0 < / n by apply: Rinv_0_lt_compat; lra.
have ga0 : 0 <= kl (1/2) (1/2 + edge) / t / n by apply: Rmult_le_pos; [apply: Rmult_le_pos|]; lra.
have main := motionless_regret discount lo0 lohi hi1 arms1 states L_ok K opt (al := / n + t / 8) (ltac:(lra)) ga0 (fun i sc good =>
  guess_by_information (lo_ok lo0 lohi hi1) (hi_ok lo0 lohi hi1) arms1 (@no_return S) L_ok (i := i) erefl good
  (next_choice_nonneg L_ok i) (next_choices L_ok i) t0 hlo hhi).
apply: Rle_trans main; rewrite (_ : 1/2 + edge - 1/2 = edge); last ring.
rewrite eK; have S0 := sqrt_pos (s * n * INR K / (1 - beta)).
have in2 : / n <= / 2 by apply: Rinv_le_contravar; lra.
have share : kl (1/2) (1/2 + edge) / t / n * (top * ((INR K - 1) / (2 * s) + 1) - 1) <= 7/48 * (ka / t).
  apply: Rle_trans (Rmult_le_compat_l _ _ _ ga0 visits) _.
  have T0 : 0 <= / t * / n * (top * (INR K / s) * ka) by nonneg.
  have := Rmult_le_compat_r _ _ _ T0 k1; rewrite e2.
  rewrite (_ : 7/3 * _ * _ = 7/48 * (ka / t)); last by field; lra.
  by move=> h; apply: Rle_trans h; apply: Req_le; rewrite /Rdiv; ring.
by nra.
Qed.

(* Theorem C: for 2S <= K and n S (1-beta) <= K it forces sqrt(SnK/(1-beta))/18 on every learner.
   ledger: beyond:lower/motionless *)
Theorem theorem_C : (2 * #|S| <= K)%nat -> n * s * (1 - beta) <= INR K ->
  prior_ok prior_C /\ forces beta prior_C K (1/18 * sqrt (s * n * INR K / (1 - beta))).
Proof.
move=> long few; have K2 : 2 * s <= INR K by move: long => /leP/le_INR; rewrite mult_INR (_ : INR 2 = 2).
apply: (@better_arm_regret 1 1 18) => //; try lra; rewrite Rmult_1_r.
apply: Rle_trans (_ : _ <= top * ((INR K - 1) / (2 * s) + 1)) _; first lra.
apply: Rmult_le_compat_l => //; rewrite (_ : INR K / s = (INR K - 1) / (2 * s) + 1 + (INR K + 1 - 2 * s) / (2 * s)); last by field; lra.
by have : 0 <= (INR K + 1 - 2 * s) / (2 * s) by [apply: Rdiv_le_0_compat; lra]; lra.
Qed.

(* For 16 S <= K, as Theorem 2 has it, with 27/2 in place of 18. *)
Theorem theorem_C_long : (16 * #|S| <= K)%nat -> n * s * (1 - beta) <= INR K ->
  prior_ok prior_C /\ forces beta prior_C K (1 / (27/2) * sqrt (s * n * INR K / (1 - beta))).
Proof.
move=> long few; have K16 : 16 * s <= INR K by move: long => /leP/le_INR; rewrite mult_INR (_ : INR 16 = 16) //=; lra.
apply: (@better_arm_regret (9/16) (81/100) (27/2)) => //; try lra.
have := Rmult_le_compat_l _ _ _ top0 (visits_of_long s1 K16); lra.
Qed.
(* ---------------------------------------------------------------- Theorem 2 *)

(* One of the two priors, whatever the number of arms: with c in place of 60, and n S (1-beta)/K at most M, or beyond it the
   value there. *)
Lemma either_prior c M : 27/2 <= c -> 1 <= M -> (forall v, 1 <= v -> v * v <= M -> v * (v * v) <= c * (v * v - 9/16)) -> (16 * #|S| <= K)%nat ->
  exists p : prior A S, prior_ok p /\ forces beta p K (1 / c * Rmin (sqrt (s * n * INR K / (1 - beta))) (sqrt M * (INR K / (1 - beta)))).
Proof.
move=> c18 M1 enough long; have K16 : 16 * s <= INR K by move: long => /leP/le_INR; rewrite mult_INR (_ : INR 16 = 16) //=; lra.
have X0 : 0 <= INR K / (1 - beta) by apply: Rdiv_le_0_compat; lra.
case: (Rle_dec (n * s * (1 - beta)) (INR K)) => [few|/Rnot_le_lt many].
  have [ok f] := theorem_C_long long few; exists prior_C; split=> // best opt W L L_ok; apply: Rle_trans (f best opt W L L_ok).
  by apply: few_arms => //; [lra | exact: sqrt_pos | apply: Rmult_le_pos => //; exact: sqrt_pos].
have [ok f] := theorem_needle discount (ltnW arms) states long; exists (prior_needle A S); split=> // best opt W L L_ok.
apply: Rle_trans (f best opt W L L_ok); pose r := n * s * (1 - beta) / INR K.
have r1 : 1 <= r.
  by apply: (Rmult_le_reg_r (INR K)); [lra | rewrite /r (_ : _ / INR K * INR K = n * s * (1 - beta)); [lra | field; lra]].
rewrite (_ : INR K / (s * (1 - beta)) / n = / r); last by rewrite /r; field; repeat split; lra.
apply: (many_arms (r := r)) => // [||v v1 vM vr]; [lra | by rewrite /r; field; lra |].
by apply: (cubic (d := 9/16) _ _ v1 vr _ (enough v v1 vM)); lra.
Qed.

(* Theorem 2 where it is true, and what holds beyond: for n >= 2 and K >= 16 S there is a prior on which every learner has
   Bayesian regret at least min(sqrt(SnK/(1-beta)), sqrt(3598) K/(1-beta))/60.
   ledger: thm:lower_bound/repair *)
Theorem theorem_2 : (16 * #|S| <= K)%nat -> exists p : prior A S, prior_ok p /\
  forces beta p K (1/60 * Rmin (sqrt (s * n * INR K / (1 - beta))) (sqrt 3598 * (INR K / (1 - beta)))).
Proof.
apply: either_prior => [||v v1 vM]; [lra | lra |].
case: (Rle_dec v 2) => h2; first by nra.
by case: (Rle_dec v 50) => h3; nra.
Qed.

(* Up to n = M K/(S(1-beta)) the smaller of the two is the first. *)
Lemma in_range M (p : prior A S) c : 0 <= M -> n * s * (1 - beta) <= M * INR K ->
  forces beta p K (1 / c * Rmin (sqrt (s * n * INR K / (1 - beta))) (sqrt M * (INR K / (1 - beta)))) ->
  forces beta p K (1 / c * sqrt (s * n * INR K / (1 - beta))).
Proof.
move=> M0 few f; rewrite Rmin_left in f; first exact: f.
have K0 := pos_INR K; have X0 : 0 <= INR K / (1 - beta) by apply: Rdiv_le_0_compat; lra.
rewrite -(sqrt_square (INR K / (1 - beta)) X0) -sqrt_mult_alt //.
apply: sqrt_le_1_alt; have i0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have := Rmult_le_compat_r (INR K / (1 - beta) * / (1 - beta)) _ _ (ltac:(by apply: Rmult_le_pos; lra)) few.
rewrite (_ : _ * (1 - beta) * _ = s * n * INR K / (1 - beta)); last by field; lra.
by move/Rle_trans; apply; apply: Req_le; field; lra.
Qed.

(* In the printed form: for n at most 3598 K/(S(1-beta)).
   ledger: thm:lower_bound thm:lower_bound/some-model *)
Theorem theorem_2_as_printed : (16 * #|S| <= K)%nat -> n * s * (1 - beta) <= 3598 * INR K -> exists p : prior A S, prior_ok p /\
  forces beta p K (1/60 * sqrt (s * n * INR K / (1 - beta))).
Proof. by move=> long few; have [p [ok f]] := theorem_2 long; exists p; split=> //; apply: in_range f => //; lra. Qed.

(* Up to n = 3598.8746 K/(S(1-beta)); beyond 3600 K/(S(1-beta)) it fails.
   ledger: thm:lower_bound/farther *)
Theorem theorem_2_farther : (16 * #|S| <= K)%nat -> n * s * (1 - beta) <= 35988746 / 10000 * INR K -> exists p : prior A S, prior_ok p /\
  forces beta p K (1/60 * sqrt (s * n * INR K / (1 - beta))).
Proof.
move=> long few; have [||v v1 vM|//|p [ok f]] := @either_prior 60 (35988746 / 10000); [lra | lra | | by exists p; split=> //; apply: in_range f => //; lra].
have top : v <= 59990622 / 1000000 by nra.
case: (Rle_dec v 2) => h2; first by nra.
case: (Rle_dec v 50) => [h3|/Rnot_le_lt h3]; first by nra.
by nra.
Qed.

(* With 49 in place of 60, up to n = 2399 K/(S(1-beta)).
   ledger: thm:lower_bound/sharper *)
Theorem theorem_2_sharper : (16 * #|S| <= K)%nat -> n * s * (1 - beta) <= 2399 * INR K -> exists p : prior A S, prior_ok p /\
  forces beta p K (1/49 * sqrt (s * n * INR K / (1 - beta))).
Proof.
move=> long few; have [||v v1 vM|//|p [ok f]] := @either_prior 49 2399; [lra | lra | | by exists p; split=> //; apply: in_range f => //; lra].
case: (Rle_dec v 2) => h2; first by nra.
by case: (Rle_dec v 40) => h3; nra.
Qed.
End Headlines.

(* ---------------------------------------------------------------- Stochastic bandits *)

Lemma one_state : (1 <= #|unit_finType|)%nat. Proof. by rewrite card_unit. Qed.

(* One arm of mean 1, the others of mean 0.
   ledger: eq:regret_sto/needle *)
Theorem stochastic_needle (A : finType) K : (1 <= #|A|)%nat -> exists p : prior A unit_finType, prior_ok p /\
  forces 0 p K (INR K - 1/2 * (INR K * (INR K + 1) / INR #|A|)).
Proof.
move=> arms; have [ok f] := needle_regret K no_discount arms one_state; exists (prior_needle A unit_finType); split=> // best opt W L L_ok.
apply: Rle_trans (f best opt W L L_ok); rewrite card_unit [INR 1]/=; apply: Req_le; field.
by apply: Rgt_not_eq; exact: INR_pos.
Qed.

Section Stochastic.
Variables (A : finType) (K : nat).
Hypotheses (arms : (2 <= #|A|)%nat) (pulls : (1 <= K)%nat).
Notation n := (INR #|A|).

(* Without discount and with one state an episode is one pull. *)
Lemma one_of_two_priors c M : 13 <= c -> 1 <= M -> (forall v, 1 <= v -> v * v <= M -> v <= c / 2 \/ v * (v * v) <= c * (v * v - 1)) ->
  exists p : prior A unit_finType, prior_ok p /\ forces 0 p K (1 / c * Rmin (sqrt (n * INR K)) (sqrt M * INR K)).
Proof.
move=> c18 M1 enough; have n2 : 2 <= n by have /leP/le_INR := arms.
have K1 : 1 <= INR K by have /leP/le_INR := pulls.
case: (leqP #|A| K) => nK.
  have nK' : n <= INR K by apply/le_INR/leP.
  have few : n * INR #|unit_finType| * (1 - 0) <= INR K by rewrite card_unit (_ : INR 1 = 1) //; nra.
  have visits : 1 / (1 - 0) * ((INR K - 1) / (2 * INR #|unit_finType|) + 1) - 1 <= 1 / (1 - 0) * (INR K / INR #|unit_finType|) * (1/2).
    by rewrite card_unit Rminus_0_r [INR 1]/=; lra.
  have [ok f] := @better_arm_regret A unit_finType 0 K no_discount arms one_state (1/2) (3/4) 13
    (ltac:(lra)) (ltac:(lra)) (ltac:(lra)) (ltac:(lra)) few visits (ltac:(lra)).
  exists (prior_C A unit_finType 0 K); split=> // best opt W L L_ok.
  apply: Rle_trans (f best opt W L L_ok); rewrite card_unit Rminus_0_r Rdiv_1 [INR 1]/= Rmult_1_l.
  by apply: few_arms => //; [lra | exact: sqrt_pos | apply: Rmult_le_pos; [exact: sqrt_pos | lra]].
have [ok f] := needle_regret K no_discount (ltnW arms) one_state; exists (prior_needle A unit_finType); split=> // best opt W L L_ok.
apply: Rle_trans (f best opt W L L_ok); rewrite card_unit Rminus_0_r !Rdiv_1 [INR 1]/= Rmult_1_r Rmult_1_l.
have nK' : INR K + 1 <= n by rewrite -S_INR; apply/le_INR/leP.
set g := _ / n; have g2n : g * (2 * n) = INR K + 1 by rewrite /g; field; lra.
pose r := n / INR K; have rK : r * INR K = n by rewrite /r; field; lra.
have r1 : 1 <= r by apply: (Rmult_le_reg_r (INR K)); lra.
have half : g <= 1/2 by apply: (Rmult_le_reg_r (2 * n)); lra.
have inverse : g <= / r.
  by apply: (Rmult_le_reg_r (2 * n)); [lra | rewrite g2n (_ : / r * (2 * n) = 2 * INR K); [lra | rewrite -rK; field; lra]].
apply: (many_arms (r := r)) => //; [lra | lra | by rewrite -rK; ring |] => v v1 vM vr.
case: (enough v v1 vM) => [small|large].
  by apply: Rle_trans small _; rewrite (_ : c / 2 = c * (1/2)); [apply: Rmult_le_compat_l; lra | field].
by apply: (cubic (d := 1) _ _ v1 vr _ large); lra.
Qed.

(* For every number of arms.
   ledger: eq:regret_sto/repair *)
Theorem stochastic_bandit : exists p : prior A unit_finType, prior_ok p /\
  forces 0 p K (1/20 * Rmin (sqrt (n * INR K)) (sqrt 397 * INR K)).
Proof.
apply: one_of_two_priors => [||v v1 vM]; [lra | lra |].
by have v20 : v <= 19.926 by [nra]; nra.
Qed.

(* For n at most 397 tau this is what is printed.
   ledger: eq:regret_sto *)
Theorem stochastic_bandit_in_range : n <= 397 * INR K -> exists p : prior A unit_finType, prior_ok p /\
  forces 0 p K (1/20 * sqrt (n * INR K)).
Proof.
move=> few; have [p [ok f]] := stochastic_bandit; exists p; split=> //; rewrite Rmin_left in f; first exact: f.
have K0 := pos_INR K; rewrite -[X in _ <= _ * X](sqrt_square _ K0) -sqrt_mult_alt; last lra.
by apply: sqrt_le_1_alt; have := Rmult_le_compat_r _ _ _ K0 few; lra.
Qed.

(* ledger: eq:regret_sto/sharper *)
Theorem stochastic_bandit_sharper : exists p : prior A unit_finType, prior_ok p /\
  forces 0 p K (1/13 * Rmin (sqrt (n * INR K)) (INR K)).
Proof.
have [||v v1 vM|p [ok f]] := @one_of_two_priors 13 1; [lra | lra | by left; nra |].
by exists p; split=> //; move: f; rewrite sqrt_1 Rmult_1_l.
Qed.
End Stochastic.
