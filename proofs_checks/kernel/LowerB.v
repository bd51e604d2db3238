(* Theorem B, for every learner that sees everything and may change arms at every step: an explicit prior forces
   Bayesian regret sqrt((S-1) n K)/(36 (1-beta)), which is sqrt(1/(1-beta)) more than Theorem 2; and the corollary, for all beta,
   with sqrt(SnK)/(51 (1-beta)).

   One state, the goal, pays 1 and is never left; all others pay nothing. From its first state an arm moves to the goal with
   chance q' if it is the better arm of that state, q if it is not, and stays otherwise. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Retirement Laws Learners Priors Information Divergence.
From kernel Require Import CoinGames LowerC.

Section Goal.
Variables (A S : finType) (goal : S) (q q' beta : R).
Hypotheses (discount : is_discount beta) (q01 : 0 < q) (qq' : q <= q') (q'1 : q' < 1).
Hypotheses (arms : (0 < #|A|)%nat) (states : (2 <= #|S|)%nat).
Definition before_goal : pred S := [pred i | i != goal].
Definition to_goal (s : S) (z : bool) : bool * S := if s == goal then (true, goal) else (false, if z then goal else s).
Definition search : prior A S := coin_game A q q' to_goal before_goal.
Notation O := (prod_finType bool_finType S).
Notation top := (1 / (1 - beta)).
Notation shows b := (emit to_goal (odds q q' b)).

(* The chance that an episode ends or the better arm succeeds; the value at the start; what a wrong play costs. *)
Definition ends : R := 1 - beta + beta * q'.
Definition start_value : R := beta * q' * top / ends.
Definition wrong_play : R := beta * (q' - q) / ends.

Lemma q_ok : 0 <= q <= 1. Proof. by lra. Qed.
Lemma q'_ok : 0 <= q' <= 1. Proof. by lra. Qed.

Lemma card_before : #|before_goal| = #|S|.-1.
Proof. by rewrite -(cardC1 goal); apply: eq_card => i; rewrite !inE. Qed.

Lemma some_before : (0 < #|before_goal|)%nat.
Proof. by rewrite card_before -subn1 subn_gt0. Qed.

Lemma leaves (i s : S) z : before_goal i -> s != i -> (to_goal s z).2 != i.
Proof. by move=> /= ig si; rewrite /to_goal; case: ifP => _ /=; last case: z => //; rewrite eq_sym. Qed.

Lemma search_ok : prior_ok search.
Proof. exact: (coin_game_ok _ q_ok q'_ok arms some_before). Qed.

Lemma constants : 0 < ends <= 1 /\ 0 <= wrong_play /\ 0 <= start_value <= top /\
  start_value = beta * (q' * top + (1 - q') * start_value) /\
  start_value - wrong_play = beta * (q * top + (1 - q) * start_value).
Proof.
have [b0 b1] := discount; have e0 : 0 < ends by rewrite /ends; nra.
have t0 : 0 <= top by apply: Rdiv_le_0_compat; lra.
split; first by rewrite /ends; nra.
split; first by apply: Rdiv_le_0_compat => //; apply: Rmult_le_pos; lra.
split.
  split; first by apply: Rdiv_le_0_compat => //; apply: Rmult_le_pos => //; nra.
  apply: (Rmult_le_reg_r ends) => //; rewrite (_ : start_value * ends = top * (beta * q')); last by rewrite /start_value; field; lra.
  by apply: Rmult_le_compat_l => //; rewrite /ends; lra.
by split; rewrite /start_value /wrong_play; move: e0; rewrite /ends => e0; field; lra.
Qed.

Lemma reward_of_search (b : {ffun S -> A}) a s : mean (shows b a s) (fun o => indicator o.1) = indicator (s == goal).
Proof. by rewrite mean_emit mean_toss /to_goal; case: eqP => _; rewrite /indicator /=; lra. Qed.

(* Arm c for ever: from the goal on, and from i where it is the better arm. *)
Lemma search_value best (b : {ffun S -> A}) i c (x : state A S) : best_policies beta (p := search) best -> i != goal ->
  (if x c == goal then top else if (x c == i) && (c == b i) then start_value else 0) <=
  V beta (@candidate_bandit _ _ search b) (best b) x.
Proof.
move=> opt ig; have [hM _] := candidate_bandit_ok search_ok b; apply: Rle_trans (opt b (fun _ => c) x).
have [b0 b1] := discount; have [_ [_ [[v0 v1] [v_eq _]]]] := constants; have t1 : top = 1 + beta * top by field; lra.
pose w s := if s == goal then top else if (s == i) && (c == b i) then start_value else 0.
have w0 s : 0 <= w s by rewrite /w; do 2 (case: ifP => _; try lra).
apply: (V_at_least_for discount hM (W := fun x : state A S => w (x c))) => y.
rewrite bandit_shown mean_emit /= reward_of_search mean_toss !moved_same /to_goal /odds /indicator.
rewrite {1}/w; case: eqP => [_|_] /=; first by rewrite /w eqxx; lra.
case: ifP => [/andP [/eqP -> cb]|_]; first by rewrite cb /w !eqxx cb (negbTE ig) /=; lra.
have p_ok : 0 <= (if c == b (y c) then q' else q) <= 1 by case: ifP; lra.
by rewrite Rplus_0_l; apply: Rmult_le_pos => //; apply: Rplus_le_le_0_compat; apply: Rmult_le_pos => //; lra.
Qed.

Lemma start_worth best (b : {ffun S -> A}) i : best_policies beta (p := search) best -> i != goal ->
  start_value <= V beta (@candidate_bandit _ _ search b) (best b) (still A i).
Proof. by move=> opt ig; have := search_value b (b i) (still A i) opt ig; rewrite ffunE (negbTE ig) !eqxx. Qed.

(* The optimum: while all arms are in one first state, and from the first success on. *)
Lemma search_optimum best b i : best_policies beta (p := search) best -> i != goal ->
  V beta (@candidate_bandit _ _ search b) (best b) (still A i) = start_value /\
  forall (x : state A S) a, x a = goal -> V beta (@candidate_bandit _ _ search b) (best b) x = top.
Proof.
move=> opt ig; have [hM unit] := candidate_bandit_ok search_ok b.
have [b0 b1] := discount; have [_ [_ [[v0 v1] [v_eq _]]]] := constants; have t1 : top = 1 + beta * top by field; lra.
split.
  apply: Rle_antisym; last exact: start_worth.
  pose w (x : state A S) := if x == still A i then start_value else top.
  have w1 x : w x <= top by rewrite /w; case: ifP; lra.
  apply: Rle_trans (_ : _ <= w (still A i)) _; last by rewrite /w eqxx; lra.
  apply: (V_at_most discount hM) => a x; rewrite [reward _ _ _]reward_of_search bandit_shown mean_emit.
  have p_ok : 0 <= odds q q' b a (x a) <= q' by rewrite /odds; case: ifP; lra.
  rewrite {2}/w; move: p_ok; case: (x =P still A i) => [->|_] p_ok; last first.
    have po : probability (toss (odds q q' b a (x a))) by apply: toss_ok; lra.
    set m := mean _ _; have hm : m <= top.
      by rewrite -[X in _ <= X](mean_of_const top po); apply: mean_le => [z|z]; [exact: (proj1 po) | exact: w1].
    by have := Rmult_le_compat_l _ _ _ b0 hm; rewrite /indicator; case: ifP; lra.
  rewrite ffunE in p_ok *; rewrite mean_toss /to_goal (negbTE ig) /indicator /= moved_still {2}/w eqxx; set o := odds _ _ _ _ _ in p_ok *.
  have h1 := Rmult_le_compat_l _ _ _ (proj1 p_ok) (w1 (moved (still A i) a goal)).
  have h2 : 0 <= (q' - o) * (top - start_value) by apply: Rmult_le_pos; lra.
  by rewrite {2}v_eq Rplus_0_l; apply: Rmult_le_compat_l => //; lra.
move=> x a xa; apply: Rle_antisym; first by case: (V_range discount hM (best b) unit x).
by have := search_value b a x opt ig; rewrite xa eqxx.
Qed.

Section Play.
Variable L : agent A S O unit.
Hypothesis L_ok : agent_ok L.
Notation run b := (run_through snd L (shows b)).
Notation earns b := (earned snd L beta (@candidate_bandit _ _ search b) (shows b)).

(* The arms that the learner would play while nothing succeeds, weighted by the chance that it comes to play them: until the
   first success all that it sees is failures. *)
Fixpoint plan_of (J : nat) (h : memory A S O unit) (w : unit) (e : seq (step A S O)) (i : S) (a : A) : R :=
  if J is J'.+1 then mean (act L h w e (still A i)) (fun c => indicator (c == a) +
    (1 - ends) * plan_of J' h w ((still A i, c, (false, i)) :: e) i a) else 0.
Definition plan_length (J : nat) : R := (1 - (1 - ends) ^ J) / ends.

Lemma plan_nonneg J h w e i a : 0 <= plan_of J h w e i a.
Proof.
have [[e0 e1] _] := constants; elim: J e => [|J IH] e /=; first lra.
apply: (mean_least (L_ok h w e _)) => c.
by apply: Rplus_le_le_0_compat; [rewrite /indicator; case: ifP; lra | apply: Rmult_le_pos => //; lra].
Qed.

Lemma plans J h w e i : \sum_(a : A) plan_of J h w e i a = plan_length J.
Proof.
have [[e0 e1] _] := constants; elim: J e => [|J IH] e; first by rewrite /= big1 // /plan_length /= /Rdiv; ring.
rewrite [LHS](_ : _ = mean (act L h w e (still A i)) (fun c => \sum_(a : A) (indicator (c == a) +
    (1 - ends) * plan_of J h w ((still A i, c, (false, i)) :: e) i a))); last by rewrite mean_sum.
rewrite (mean_ext _ (g := fun _ => plan_length J.+1)); first exact: (mean_of_const _ (L_ok h w e _)).
move=> c; rewrite sum_add sum_scale IH (_ : \sum_(a : A) indicator (c == a) = 1); first by rewrite /plan_length /=; field; lra.
by rewrite -(sum_single c (fun _ => 1)); apply: eq_bigr => a _; rewrite /indicator eq_sym.
Qed.

Lemma plan_at_most J h w e i a : plan_of J h w e i a <= plan_length J.
Proof. by rewrite -(plans J h w e i); apply: term_le_sum => c; exact: plan_nonneg. Qed.

(* Each wrong play before the first success costs wrong_play. *)
Lemma earned_search (b : {ffun S -> A}) i h w J e : i != goal ->
  earns b h w J e (still A i) <= start_value - wrong_play * (plan_length J - plan_of J h w e i (b i)).
Proof.
move=> /negbTE ig; have [[e0 e1] [w0 [[v0 v1] [v_eq w_eq]]]] := constants; have [b0 b1] := discount.
have [hM unit] := candidate_bandit_ok search_ok b; have ok a s := odds_ok to_goal q_ok q'_ok b a s.
elim: J e => [|J IH] e; first by rewrite /= /plan_length /= /Rdiv; lra.
have act_p := L_ok h w e (still A i).
rewrite (_ : start_value - _ = mean (act L h w e (still A i)) (fun c => start_value - wrong_play * (1 - indicator (c == b i) +
    (1 - ends) * (plan_length J - plan_of J h w ((still A i, c, (false, i)) :: e) i (b i))))); last first.
  rewrite mean_sub (mean_of_const _ act_p) mean_scale; congr (_ - _ * _); rewrite [plan_of J.+1 _ _ _ _ _]/=.
  transitivity (mean (act L h w e (still A i)) (fun c => plan_length J.+1 - (indicator (c == b i) +
    (1 - ends) * plan_of J h w ((still A i, c, (false, i)) :: e) i (b i)))).
    by rewrite mean_sub (mean_of_const _ act_p).
  by apply: mean_ext => c; rewrite /plan_length /=; field; lra.
apply: (mean_mono act_p) => c.
rewrite [reward _ _ _]reward_of_search mean_emit ffunE ig /indicator mean_toss /to_goal ig /=.
have m : moved (still A i) c i = still A i by exact: moved_still.
rewrite m; have [g0 g1] := earned_range snd L_ok discount ok unit h w J ((still A i, c, (false, goal)) :: e) (moved (still A i) c goal).
have le := IH ((still A i, c, (false, i)) :: e); have pl := plan_at_most J h w ((still A i, c, (false, i)) :: e) i (b i).
set P := plan_of _ _ _ _ _ _ in le pl *; set E := earned _ _ _ _ _ _ _ _ _ (still A i) in le *.
set G := earned _ _ _ _ _ _ _ _ _ _ in g0 g1 *; have D0 : 0 <= plan_length J - P by lra.
move: (plan_length J - P) D0 le => D D0 le.
have step x : q <= x <= q' -> beta * (x * G + (1 - x) * E) <= beta * (x * top + (1 - x) * start_value) - wrong_play * ((1 - ends) * D).
  move=> [x0 x1]; have wD : 0 <= wrong_play * D by exact: Rmult_le_pos.
  have h1 : x * G <= x * top by apply: Rmult_le_compat_l; lra.
  have h2 : (1 - x) * E <= (1 - x) * start_value - (1 - x) * (wrong_play * D) by nra.
  have h3 : (1 - q') * (wrong_play * D) <= (1 - x) * (wrong_play * D) by apply: Rmult_le_compat_r; lra.
  apply: Rle_trans (_ : _ <= beta * (x * top + (1 - x) * start_value - (1 - q') * (wrong_play * D))) _.
    by apply: Rmult_le_compat_l; lra.
  by apply: Req_le; rewrite (_ : ends = 1 - beta + beta * q') //; ring.
rewrite /odds Rplus_0_l; case: ifP => _.
  by apply: Rle_trans (step q' (ltac:(lra))) _; rewrite -v_eq; lra.
by apply: Rle_trans (step q (ltac:(lra))) _; rewrite -w_eq; lra.
Qed.

(* How much of what is played before the first success is arm a. *)
Definition share_of (J : nat) (i : S) (a : A) (h : memory A S O unit) : R := ends * plan_of J h tt [::] i a.

Lemma share_nonneg J i a h : 0 <= share_of J i a h.
Proof. by have [[e0 e1] _] := constants; apply: Rmult_le_pos; [lra | exact: plan_nonneg]. Qed.

Lemma shares J i h : \sum_(a : A) share_of J i a h <= 1.
Proof.
have [[e0 e1] _] := constants; rewrite /share_of sum_scale plans (_ : ends * _ = 1 - (1 - ends) ^ J); last by rewrite /plan_length; field; lra.
by have : 0 <= (1 - ends) ^ J by [apply: pow_le; lra]; lra.
Qed.

(* What an episode from i costs. *)
Lemma shortfall_search best (b : {ffun S -> A}) i J h : best_policies beta (p := search) best -> i != goal ->
  wrong_play / ends * (1 - (1 - ends) ^ J - share_of J i (b i) h) - beta ^ J * top <=
  shortfall snd L beta (@candidate_bandit _ _ search b) (shows b) (best b) (still A i) h.
Proof.
move=> opt ig; have [_ unit] := candidate_bandit_ok search_ok b; have [[e0 e1] [w0 _]] := constants; have [b0 b1] := discount.
rewrite /shortfall draw_one (_ : _ / _ * _ = wrong_play * (plan_length J - plan_of J h tt [::] i (b i))); last first.
  by rewrite /share_of /plan_length; field; lra.
have := start_worth b opt ig; have := earned_search b h tt J [::] ig.
have := worth_more snd L_ok discount (odds_ok to_goal q_ok q'_ok b) unit h tt J (still A i).
by lra.
Qed.

(* The Bayesian regret, for any choice of the scales t_k at which information is weighed.
   ledger: beyond:lower/absorbing/play *)
Theorem search_regret best K (t : nat -> R) : best_policies beta (p := search) best -> (forall k, 0 < t k) ->
  \sum_(k < K) (wrong_play / ends * (1 - (/ INR #|A| + t k / 8)) -
    wrong_play / ends * (kl q q' / t k / INR #|A|) / INR #|before_goal| * (INR k * top)) <= @regret_under A S beta search best unit L K.
Proof.
move=> opt t0; have [[e0 e1] [w0 _]] := constants; have [b0 b1] := discount.
have hq : 0 < q < 1 by lra. have hq' : 0 < q' < 1 by lra.
have k0 := kl_nonneg hq hq'; have n0 := INR_pos arms; have we : 0 <= wrong_play / ends by apply: Rdiv_le_0_compat.
have d0 k : 0 <= wrong_play / ends * (kl q q' / t k / INR #|A|).
  apply: Rmult_le_pos => //; apply: Rmult_le_pos; last by left; exact: Rinv_0_lt_compat.
  by apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat.
apply: (regret_of_game q_ok q'_ok arms some_before discount L_ok (best := best) (K := K)
  (c := fun k => wrong_play / ends * (1 - (/ INR #|A| + t k / 8))) (d := fun k => wrong_play / ends * (kl q q' / t k / INR #|A|)) d0).
move=> k sc i _ _ good ig.
set X := mean _ _; set c := wrong_play / ends * _; set d := wrong_play / ends * _.
suff far J : c - d * occupancy i sc - wrong_play / ends * (1 - ends) ^ J - beta ^ J * top <= X.
  apply: (geometric_le discount (is_lim_seq_const _) (C := wrong_play / ends + top)) => J; have := far J.
  have : (1 - ends) ^ J <= beta ^ J by apply: pow_incr; split; [lra | rewrite /ends; nra].
  by move/(Rmult_le_compat_l _ _ _ we); lra.
have vectors : probability (@uniform [finType of {ffun S -> A}]) by apply: uniform_ok; rewrite card_ffun expn_gt0 arms.
have guess := guess_by_information q_ok q'_ok arms leaves L_ok (i := i) ig good (share_nonneg J i) (shares J i) (t0 k) hq hq'.
apply: Rle_trans (_ : _ <= mean (@uniform [finType of {ffun S -> A}]) (fun b => (wrong_play / ends * (1 - (1 - ends) ^ J) - beta ^ J * top) -
    wrong_play / ends * run b sc [::] (share_of J i (b i)))) _; last first.
  apply: (mean_mono vectors) => b; have av := run_averages snd sc [::] L_ok (odds_ok to_goal q_ok q'_ok b).
  apply: Rle_trans (_ : _ <= run b sc [::] (fun h => (wrong_play / ends * (1 - (1 - ends) ^ J) - beta ^ J * top) +
    - (wrong_play / ends) * share_of J i (b i) h)) _; last first.
    by apply: (average_le av) => h; apply: Rle_trans _ (shortfall_search b J h opt ig); apply: Req_le; ring.
  by rewrite (average_add av (fun _ => _)) (average_const av) (average_scale av (- (wrong_play / ends))); lra.
rewrite mean_sub (mean_of_const _ vectors) mean_scale.
have := Rmult_le_compat_l _ _ _ we guess; rewrite /c /d; lra.
Qed.
End Play.
End Goal.

(* ---------------------------------------------------------------- Theorem B *)

Section Headlines.
Variables (A S : finType) (goal : S) (beta : R) (K : nat).
Hypotheses (discount : is_discount beta) (arms : (2 <= #|A|)%nat) (states : (2 <= #|S|)%nat).
Notation n := (INR #|A|).
Notation s := (INR #|S|).
Notation top := (1 / (1 - beta)).

(* By how much the better arm is faster, relatively; and the chances. *)
Definition faster : R := 3/4 * sqrt (n * (s - 1) / INR K).
Definition slow : R := (1 - beta) / (3 * beta).
Definition prior_B : prior A S := search A goal slow (slow * (1 + faster)).

Lemma slow_range : 1/2 <= beta -> 0 < slow <= 1/3.
Proof.
move=> half; have [b0 b1] := discount; split; first by apply: Rdiv_lt_0_compat; lra.
by apply: (Rmult_le_reg_r (3 * beta)); [lra | rewrite /slow (_ : _ / (3 * beta) * (3 * beta) = 1 - beta); [lra | field; lra]].
Qed.

(* The values of the prior for any Delta: v at the start, B after the first success, and what a worse arm costs before it.
   ledger: beyond:lower/absorbing/values *)
Theorem values_of_search Delta (best : {ffun S -> A} -> policy A S) (b : {ffun S -> A}) (i : S) (c : A) : 1/2 <= beta -> 0 < Delta <= 1/2 ->
  let q' := slow * (1 + Delta) in let p := search A goal slow q' in best_policies beta (p := p) best -> i != goal -> c != b i ->
  let v := V beta (@candidate_bandit _ _ p b) (best b) in let M := @candidate_bandit _ _ p b in
  v (still A i) = beta * q' * top / (1 - beta + beta * q') /\ (forall (x : state A S) a, x a = goal -> v x = top) /\
  v (still A i) - (reward M c i + beta * mean (row M c i) (fun y => v (moved (still A i) c y))) = Delta / (4 + Delta).
Proof.
move=> half D q' p opt ig cb v M; have [b0 b1] := discount; have [q0 q3] := slow_range half.
have qq : slow <= q' by rewrite /q'; nra.
have q1 : q' < 1 by rewrite /q'; nra.
have arms1 : (0 < #|A|)%nat by exact: ltn_trans arms.
have [e1 e2] := search_optimum discount q0 qq q1 arms1 states b opt ig; split; first exact: e1; split=> //.
have [_ [_ [_ [_ w_eq]]]] := constants discount q0 qq q1.
rewrite /M [reward _ _ _]reward_of_search bandit_shown mean_emit mean_toss /odds (negbTE cb) /to_goal (negbTE ig) /indicator /=.
rewrite moved_still /v e1 (e2 _ c) ?moved_same // Rplus_0_l.
rewrite -w_eq (_ : _ - (_ - _) = wrong_play slow q' beta); last ring.
by rewrite /wrong_play /ends /q' /slow; field; repeat split; nra.
Qed.

Lemma roots_below m : (0 < m)%nat -> \sum_(k < m) sqrt (INR k) + 1/2 <= 2/3 * (INR m * sqrt (INR m)).
Proof.
case: m => // m _; elim: m => [|m IH]; first by rewrite /= sqrt_0 sqrt_1; lra.
rewrite sum_recr; set x := INR m.+1 in IH *; have x0 : 0 <= x by exact: pos_INR.
have -> : INR m.+2 = x + 1 by exact: S_INR.
have a0 := sqrt_pos x; have aa := sqrt_sqrt x x0; have b0 := sqrt_pos (x + 1); have bb := sqrt_sqrt (x + 1) (ltac:(lra)).
move: (sqrt x) (sqrt (x + 1)) a0 aa b0 bb IH => a b a0 aa b0 bb IH.
suff : (x + 3/2) * a <= (x + 1) * b by lra.
have e : (x + 3/2) * a * ((x + 3/2) * a) <= (x + 1) * b * ((x + 1) * b) by nra.
by apply: Rsqr_incr_0_var => //; apply: Rmult_le_pos; lra.
Qed.

(* For beta >= 1/2 and K >= (9/4) n (S-1) it forces sqrt((S-1) n K)/(36 (1-beta)) on every learner.
   ledger: beyond:lower/absorbing *)
Theorem theorem_B : 1/2 <= beta -> 9/4 * (n * (s - 1)) <= INR K ->
  prior_ok prior_B /\ forces beta prior_B K (1/36 * (sqrt ((s - 1) * n * INR K) / (1 - beta))).
Proof.
move=> bhalf long; have [b0 b1] := discount.
have n2 : 2 <= n by have /leP/le_INR := arms.
have s2 : 2 <= s by have /leP/le_INR := states.
have K0 : 0 < INR K by nra.
have K1 : (0 < K)%nat by apply/ltP; exact: INR_lt.
have nd0 : 0 < n * (s - 1) by nra.
have r0 : 0 < n * (s - 1) / INR K by exact: Rdiv_lt_0_compat.
have sq := sqrt_sqrt _ (Rlt_le _ _ r0); have q0 := sqrt_lt_R0 _ r0.
have f0 : 0 < faster <= 1/2.
  suff : sqrt (n * (s - 1) / INR K) <= 2/3 by rewrite /faster; lra.
  have r1 : n * (s - 1) / INR K <= 4/9.
    apply: (Rmult_le_reg_r (INR K)) => //; rewrite (_ : _ / INR K * INR K = n * (s - 1)); [lra | field; lra].
  by nra.
have q1 := slow_range bhalf.
have qq : slow <= slow * (1 + faster) by nra.
have q'1 : slow * (1 + faster) <= 1/2 by nra.
have arms1 : (0 < #|A|)%nat by exact: ltn_trans arms.
have q'2 : slow * (1 + faster) < 1 by lra.
have ok : prior_ok prior_B by exact: (search_ok goal (proj1 q1) qq q'2 arms1 states).
split=> //; apply: (forces_all discount ok) => best opt L L_ok.
have d1 : INR #|before_goal goal| = s - 1.
  by rewrite card_before -subn1 minus_INR; [| apply/leP; exact: ltn_trans states].
(* The scale at which information is weighed before episode k. *)
pose r k := sqrt (INR (maxn 1 k)); pose y := 2 * faster / sqrt (n * (s - 1)).
have r_pos k : 0 < r k by apply: sqrt_lt_R0; apply: lt_0_INR; apply/ltP; rewrite leq_max.
have rt0 := sqrt_lt_R0 _ nd0; have rt2 := sqrt_sqrt _ (Rlt_le _ _ nd0).
have y0 : 0 < y by apply: Rdiv_lt_0_compat; lra.
have main := search_regret discount (proj1 q1) qq q'2 arms1 states L_ok K opt (t := fun k => y * r k) (fun k => Rmult_lt_0_compat _ _ y0 (r_pos k)).
apply: Rle_trans main; rewrite d1; pose z := faster / sqrt (n * (s - 1)).
have z0 : 0 < z by apply: Rdiv_lt_0_compat; lra.
have yz : y = 2 * z by rewrite /y /z; field; lra.
have rK := sqrt_lt_R0 _ K0; have rKK := sqrt_sqrt _ (Rlt_le _ _ K0).
have rr : sqrt (n * (s - 1) / INR K) * sqrt (INR K) = sqrt (n * (s - 1)).
  by rewrite -sqrt_mult_alt; [congr sqrt; field; lra | lra].
have zK : z * sqrt (INR K) = 3/4 by rewrite /z /faster -rr; field; lra.
have zz : faster ^ 2 = z * z * (n * (s - 1)) by rewrite /z -{3}rt2; field; lra.
set q' := slow * (1 + faster) in q'1 q'2 qq *.
have klB : kl slow q' * top <= faster ^ 2 / 2.
  have := kl_relative (proj1 q1) (Rlt_le _ _ (proj1 f0)) q'1 => le.
  have t0 : 0 <= top by apply: Rdiv_le_0_compat; lra.
  apply: Rle_trans (Rmult_le_compat_r _ _ _ t0 le) _.
  rewrite (_ : _ * top = faster ^ 2 / 2 * / (4 * beta - 1)); last by rewrite /slow; field; lra.
  have : / (4 * beta - 1) <= 1 by rewrite -Rinv_1; apply: Rinv_le_contravar; lra.
  by have f2 : 0 <= faster ^ 2 / 2 by [nra]; move/(Rmult_le_compat_l _ _ _ f2); lra.
set w := wrong_play slow q' beta / ends q' beta.
have hw : w = 3 * top * faster / ((4 + faster) * (4 + faster)).
  by rewrite /w /wrong_play /ends /q' /slow; field; repeat split; nra.
have w0 : 0 <= w.
  rewrite hw; apply: Rdiv_le_0_compat; last by nra.
  by apply: Rmult_le_pos; [apply: Rmult_le_pos; [lra | apply: Rdiv_le_0_compat; lra] | lra].
have each k : w * (1 - / n - z / 4 * (r k + sqrt (INR k))) <=
    w * (1 - (/ n + y * r k / 8)) - w * (kl slow q' / (y * r k) / n) / (s - 1) * (INR k * top).
  rewrite (_ : _ / (s - 1) * _ = w * (kl slow q' * top * (INR k / r k) / (2 * z * (n * (s - 1))))); last first.
    by rewrite yz; field; have := r_pos k; repeat split; lra.
  rewrite -Rmult_minus_distr_l; apply: Rmult_le_compat_l => //; rewrite yz.
  have kr : 0 <= INR k / r k <= sqrt (INR k).
    case: k => [|k]; first by rewrite /= sqrt_0 /Rdiv Rmult_0_l; lra.
    have rk := r_pos k.+1; rewrite /r (maxn_idPr _) // in rk *; have := sqrt_sqrt _ (pos_INR k.+1); set a := sqrt _ in rk * => aa.
    by rewrite -aa (_ : a * a / a = a); [lra | field; lra].
  have i0 : 0 < / (2 * z * (n * (s - 1))) by apply: Rinv_0_lt_compat; apply: Rmult_lt_0_compat; lra.
  have : kl slow q' * top * (INR k / r k) / (2 * z * (n * (s - 1))) <= z / 4 * sqrt (INR k).
    apply: Rle_trans (_ : _ <= faster ^ 2 / 2 * sqrt (INR k) / (2 * z * (n * (s - 1)))) _; last first.
      by apply: Req_le; rewrite zz; field; lra.
    apply: Rmult_le_compat_r; first lra.
    apply: Rle_trans (Rmult_le_compat_r _ _ _ (proj1 kr) klB) _; apply: Rmult_le_compat_l; [nra | lra].
  by lra.
apply: Rle_trans (sum_to_le (fun k _ => each k)).
rewrite sum_to_scale (_ : \sum_(k < K) (1 - / n - z / 4 * (r k + sqrt (INR k))) = INR K * (1 - / n) - z / 4 * (2 * (\sum_(k < K) sqrt (INR k)) + 1)); last first.
  rewrite (sum_to_ext (g := fun k => (1 - / n) + (- (z / 4) * r k + - (z / 4) * sqrt (INR k)))) => [|k _]; last ring.
  rewrite sum_to_add sum_to_const sum_to_add !sum_to_scale.
  have -> : \sum_(k < K) r k = \sum_(k < K) sqrt (INR k) + 1.
    case: (K) K1 => // m _; rewrite !sum_recl /r sqrt_0 sqrt_1 (sum_to_ext (g := fun k => sqrt (INR k.+1))) => [|k _]; last by rewrite (maxn_idPr _).
    by lra.
  by field; lra.
have in2 : / n <= / 2 by apply: Rinv_le_contravar; lra.
have low : INR K / 4 <= INR K * (1 - / n) - z / 4 * (2 * (\sum_(k < K) sqrt (INR k)) + 1).
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ z0) (roots_below K1).
  by nra.
apply: Rle_trans (Rmult_le_compat_l _ _ _ w0 low); rewrite hw.
have fK : faster * INR K = 3/4 * sqrt ((s - 1) * n * INR K).
  rewrite (_ : (s - 1) * n * INR K = n * (s - 1) * INR K); last ring.
  by rewrite sqrt_mult_alt; [rewrite -rr /faster -[X in _ * X = _]rKK; ring | lra].
have S0 := sqrt_pos ((s - 1) * n * INR K); have t0 : 0 <= top by apply: Rdiv_le_0_compat; lra.
rewrite (_ : _ * (INR K / 4) = 3/4 * top * (faster * INR K) * / ((4 + faster) * (4 + faster))); last by field; nra.
rewrite fK; have : / (81/4) <= / ((4 + faster) * (4 + faster)) by apply: Rinv_le_contravar; nra.
have c0 : 0 <= 3/4 * top * (3/4 * sqrt ((s - 1) * n * INR K)) by apply: Rmult_le_pos; lra.
by nra.
Qed.

End Headlines.

Section EveryDiscount.
Variables (A S : finType) (beta : R) (K : nat).
Hypotheses (discount : is_discount beta) (arms : (2 <= #|A|)%nat) (states : (2 <= #|S|)%nat).
Notation n := (INR #|A|).
Notation s := (INR #|S|).

(* For every beta: with B from 1/2 on, with C below.
   ledger: beyond:lower/corollary *)
Theorem sharper_lower_bound : 9/4 * (s * n) <= INR K ->
  exists p : prior A S, prior_ok p /\ forces beta p K (1/51 * (sqrt (s * n * INR K) / (1 - beta))).
Proof.
move=> long; have [b0 b1] := discount.
have n2 : 2 <= n by have /leP/le_INR := arms.
have s2 : 2 <= s by have /leP/le_INR := states.
have weaker p (x y : R) : x <= y -> forces beta p K y -> forces beta p K x.
  by move=> xy f best opt W L L_ok; apply: Rle_trans xy _; exact: f.
have i0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have S0 := sqrt_pos (s * n * INR K); have K0 : 0 <= INR K by exact: pos_INR.
case: (Rle_dec (1/2) beta) => [large|/Rnot_le_lt small].
  have /card_gt0P [goal _] := ltnW states.
  have long' : 9/4 * (n * (s - 1)) <= INR K by lra.
  have [ok f] := theorem_B goal discount arms states large long'; exists (prior_B A goal beta K); split=> //; apply: weaker f.
  have half : sqrt (s * n * INR K) <= 1416/1000 * sqrt ((s - 1) * n * INR K).
    have nK : 0 <= n * INR K by nra.
    have h : s * (n * INR K) <= 2 * (s - 1) * (n * INR K) by apply: Rmult_le_compat_r; lra.
    have c0 : 0 <= 1416/1000 by lra.
    by rewrite -(sqrt_square _ c0) -sqrt_mult_alt; [apply: sqrt_le_1_alt; lra | lra].
  by nra.
have long2 : (2 * #|S| <= K)%nat.
  by apply/leP; apply: INR_le; rewrite mult_INR (_ : INR 2 = 2) //; nra.
have few : n * s * (1 - beta) <= INR K by nra.
have [ok f] := theorem_C discount arms (ltnW states) long2 few; exists (prior_C A S beta K); split=> //; apply: weaker f.
have -> : sqrt (s * n * INR K / (1 - beta)) = sqrt (s * n * INR K) * sqrt (/ (1 - beta)) by rewrite -sqrt_mult_alt //; apply: Rmult_le_pos => //; apply: Rmult_le_pos; lra.
have i2 : / (1 - beta) <= 2 by rewrite (_ : 2 = / (1/2)); [apply: Rinv_le_contravar; lra | field].
have root : / (1 - beta) <= 2 * sqrt (/ (1 - beta)).
  have := sqrt_sqrt _ (Rlt_le _ _ i0); have := sqrt_lt_R0 _ i0; nra.
by nra.
Qed.
End EveryDiscount.
