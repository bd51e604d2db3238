(* Priors of one better arm per state: every activation tosses a coin, of chance hi for the better arm of its state, lo for
   every other. Episodes start with all arms in one state i. What a learner can know of the better arm of i, whatever it
   has seen and done elsewhere: no more than its plays there tell. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Laws Learners Priors Information.

Lemma mean_uniform (T : finType) (g : T -> R) : mean (@uniform T) g = / INR #|T| * \sum_(t : T) g t.
Proof. exact: sum_scale. Qed.

Lemma inverse_01 m : (0 < m)%nat -> 0 <= / INR m <= 1.
Proof.
move=> /leP/le_INR; rewrite [INR 1]/= => m1; split; first by left; apply: Rinv_0_lt_compat; lra.
by rewrite -Rinv_1; apply: Rinv_le_contravar; lra.
Qed.

(* To draw a vector, and then one of its entries again, is to draw a vector. *)
Lemma resample (I A : finType) (i : I) (g : {ffun I -> A} -> R) : (0 < #|A|)%nat ->
  mean (@uniform _) g = mean (@uniform _) (fun b => mean (@uniform A) (fun a => g (moved b i a))).
Proof.
move=> A0; rewrite !mean_uniform; under [in RHS]eq_bigr do rewrite mean_uniform; rewrite sum_scale.
suff -> : \sum_(b : {ffun I -> A}) \sum_(a : A) g (moved b i a) = INR #|A| * \sum_(b : {ffun I -> A}) g b.
  by rewrite -(Rmult_assoc (/ INR #|A|)) Rinv_l ?Rmult_1_l //; apply: Rgt_not_eq; exact: INR_pos.
pose swap (p : {ffun I -> A} * A) := (moved p.1 i p.2, p.1 i).
have inv : involutive swap.
  move=> [b a]; rewrite /swap /= moved_same moved_twice; congr (_, _).
  by apply/ffunP => j; rewrite ffunE; case: eqP => [->|].
rewrite (pair_big xpredT xpredT (fun b a => g (moved b i a))) /= (reindex_inj (inv_inj inv)) /=.
rewrite (eq_bigr (fun p => g p.1)); last by move=> [b a] _; rewrite (_ : moved _ _ _ = (swap (swap (b, a))).1) // inv.
rewrite -(pair_big xpredT xpredT (fun (b : {ffun I -> A}) (_ : A) => g b)) /= -sum_scale.
by apply: eq_bigr => b _; exact: sum_const.
Qed.

Section CoinGame.
Variables (A S : finType) (lo hi : R).
Variable shape : S -> bool -> bool * S.   (* what a toss in a state shows: a reward of 0 or 1, and the next state *)
Variable first_states : pred S.   (* the states in which episodes may start *)
Notation O := (prod_finType bool_finType S).
Notation vector := [finType of {ffun S -> A}].

Definition still (i : S) : global A S := [ffun _ => i].
Definition odds (b : vector) (a : A) (s : S) : R := if a == b s then hi else lo.
Definition emit (p : A -> S -> R) (a : A) (s : S) (o : O) : R := mean (toss (p a s)) (fun z => indicator (o == shape s z)).
Definition start_law (x : global A S) : R := \sum_(i : S) (if first_states i then / INR #|first_states| * indicator (x == still i) else 0).
Definition coin_game : prior A S :=
  @Prior A S vector (@uniform _) O snd (fun o => indicator o.1) (fun b => emit (odds b)) start_law.

Hypotheses (lo01 : 0 <= lo <= 1) (hi01 : 0 <= hi <= 1) (arms : (0 < #|A|)%nat) (some_start : (0 < #|first_states|)%nat).

Lemma mean_emit p a s F : mean (emit p a s) F = mean (toss (p a s)) (fun z => F (shape s z)).
Proof.
transitivity (mean (toss (p a s)) (fun z => \sum_(o : O) (if o == shape s z then F o else 0))).
  rewrite (mean_sum (toss (p a s)) (fun o z => if o == shape s z then F o else 0)); apply: eq_bigr => o _.
  by rewrite Rmult_comm -mean_scale; apply: mean_ext => z; rewrite /indicator; case: ifP => _; ring.
by apply: mean_ext => z; exact: sum_single.
Qed.

Lemma emit_ok p a s : 0 <= p a s <= 1 -> probability (emit p a s).
Proof.
move=> p01; have c := toss_ok p01; split=> [o|].
  by apply: mean_nonneg => [|z]; [exact: (proj1 c) | rewrite /indicator; case: ifP; lra].
by have := mean_emit p a s (fun _ => 1); rewrite mean_const (mean_of_const _ c) Rmult_1_r.
Qed.

Lemma odds_ok b a s : probability (emit (odds b) a s).
Proof. by apply: emit_ok; rewrite /odds; case: ifP. Qed.

Lemma mean_start g : mean start_law g = / INR #|first_states| * \sum_(i | first_states i) g (still i).
Proof.
rewrite -sum_scale [RHS]big_mkcond /mean /start_law.
under eq_bigr do rewrite -sum_scale_r; rewrite exchange_big /=; apply: eq_bigr => i _; case: ifP => _; last first.
  by rewrite big1 // => x _; rewrite Rmult_0_l.
rewrite -(sum_single (still i) (fun x => / INR #|first_states| * g x)); apply: eq_bigr => x _.
by rewrite /indicator; case: eqP => _; ring.
Qed.

Lemma coin_game_ok : prior_ok coin_game.
Proof.
have d0 := INR_pos some_start; split=> /=.
- by apply: uniform_ok; rewrite card_ffun expn_gt0 arms.
- exact: odds_ok.
- by move=> o; rewrite /indicator; case: ifP; lra.
- split=> [x|].
    apply: sum_nonneg => i _; case: ifP => _; last lra.
    by apply: Rmult_le_pos; [left; exact: Rinv_0_lt_compat | rewrite /indicator; case: ifP; lra].
  have := mean_start (fun _ => 1); rewrite mean_const Rmult_1_r => ->.
  by rewrite sum_const_in; field; exact: Rgt_not_eq.
Qed.
(* ---------------------------------------------------------------- Visits of a state *)

Variable beta : R.
Hypothesis discount : is_discount beta.
Hypothesis away : forall i s z, first_states i -> s != i -> (shape s z).2 != i.
Variable L : agent A S O unit.
Hypothesis L_ok : agent_ok L.
Notation run p := (run_through snd L (emit p)).

Definition plays_in (a : A) (i : S) (h : memory A S O unit) : R := price_in (fun c s => indicator ((c == a) && (s == i))) h.
Definition stays_in (i : S) (h : memory A S O unit) : R := price_in (fun (_ : A) s => indicator (s == i)) h.
(* How long the episodes that start in i are. *)
Definition occupancy (i : S) (sc : schedule A S) : R := \sum_(r <- sc) (if r.1 == still i then INR r.2 else 0).
Definition starts_still (x : global A S) : bool := [exists i, first_states i && (x == still i)].

Lemma still_inj i j : (still i == still j) = (i == j).
Proof.
apply/eqP/eqP => [/ffunP|-> //]; have /card_gt0P [a _] := arms.
by move/(_ a); rewrite !ffunE.
Qed.

Lemma all_plays i h : \sum_(a : A) plays_in a i h = stays_in i h.
Proof.
rewrite /plays_in /stays_in /price_in exchange_big; apply: eq_bigr => r _; rewrite /price_of exchange_big; apply: eq_bigr => p _.
rewrite -(sum_single p.1.2 (fun _ => indicator (p.1.1 p.1.2 == i))); apply: eq_bigr => a _.
by rewrite /indicator [in RHS]eq_sym; case: eqP.
Qed.

Section Visits.
Variable p : A -> S -> R.
Hypothesis p01 : forall a s, 0 <= p a s <= 1.

Lemma walk_stays i h w n e x : first_states i ->
  walk snd L (emit p) h w n e x (fun e' _ => price_of (fun (_ : A) s => indicator (s == i)) e') <=
  price_of (fun (_ : A) s => indicator (s == i)) e + (if [exists a, x a == i] then INR n else 0).
Proof.
move=> hi0; elim: n e x => [|n IH] e x; first by rewrite /=; case: ifP; lra.
rewrite [X in X <= _]/= -[X in _ <= X](mean_of_const _ (L_ok h w e x)); apply: (mean_mono (L_ok h w e x)) => a.
rewrite mean_emit -[X in _ <= X](mean_of_const _ (toss_ok (p01 a (x a)))); apply: mean_le => [|z]; first exact: (proj1 (toss_ok (p01 a (x a)))).
apply: Rle_trans (IH _ _) _; rewrite (_ : price_of _ (_ :: e) = indicator (x a == i) + price_of (fun _ s => indicator (s == i)) e); last exact: sum_cons.
have n0 := pos_INR n; rewrite S_INR; case: existsP => [[c xc]|_]; case: existsP => ex; try (rewrite /indicator; case: ifP; lra).
- case xa : (x a == i); first by case: ex; exists a.
  case: ex; exists c; move: xc; rewrite ffunE; case: (c =P a) => // _ h2.
  by have := away z hi0 (negbT xa); rewrite h2.
- by rewrite /indicator; case: eqP => [xa|_]; [case: ex; exists a; apply/eqP | lra].
Qed.

(* Only episodes that start in i visit i. *)
Lemma run_stays i sc h : first_states i -> all (fun r => starts_still r.1) sc ->
  run p sc h (stays_in i) <= stays_in i h + occupancy i sc.
Proof.
move=> hi0; have ok a s : probability (emit p a s) by exact: emit_ok.
elim: sc h => [|[x n] sc IH] h; first by rewrite /occupancy sum_nil /=; lra.
move=> /andP [/existsP [j /andP [_ /eqP /= ->]] rest].
rewrite [X in X <= _]/= draw_one; pose E F := walk snd L (emit p) h tt n [::] (still j) (fun e y => F (e, y)).
have av : averages E := walk_averages snd L_ok ok h tt n [::] (still j).
pose V (e : seq (step A S O) * global A S) := price_of (fun (_ : A) s => indicator (s == i)) e.1.
apply: Rle_trans (_ : _ <= E (fun q => V q + (stays_in i h + occupancy i sc))) _.
  apply: (average_le av (F := fun q => run p sc ((tt, still j, q.1) :: h) (stays_in i))) => q.
  apply: Rle_trans (IH _ rest) _; rewrite (_ : stays_in i (_ :: h) = V q + stays_in i h); [lra | exact: sum_cons].
rewrite (average_add av) (average_const av); have := walk_stays h tt n [::] (still j) hi0.
rewrite {2}/price_of sum_nil /occupancy sum_cons /= still_inj -/(occupancy i sc) => le.
have : (if [exists a, still j a == i] then INR n else 0) <= (if j == i then INR n else 0).
  by case: existsP => [[a]|_]; [rewrite ffunE => ->; lra | case: ifP; have := pos_INR n; lra].
by move: le; rewrite /E /V /=; lra.
Qed.
End Visits.

Lemma all_occupancy sc : all (fun r => starts_still r.1) sc -> \sum_(i | first_states i) occupancy i sc <= total_length sc.
Proof.
rewrite /occupancy /total_length exchange_big; elim: sc => [|[x n] sc IH] /=; first by rewrite !big_nil; lra.
move=> /andP [/existsP [j /andP [_ /eqP ->]] /IH le]; rewrite !sum_cons /=; apply: Rplus_le_compat => //.
rewrite big_mkcond -[X in _ <= X](sum_single j (fun _ => INR n)); apply: sum_le => i _; rewrite still_inj eq_sym.
by have := pos_INR n; case: (first_states i); case: ifP; lra.
Qed.

(* ---------------------------------------------------------------- What can be known of the better arm of a state *)

(* No arm is better in i. *)
Definition odds_without (b : vector) (i : S) (a : A) (s : S) : R := if (s != i) && (a == b s) then hi else lo.

Lemma odds_without_01 b i a s : 0 <= odds_without b i a s <= 1.
Proof. by rewrite /odds_without; case: ifP. Qed.

Lemma odds_with b i a c s : odds (moved b i a) c s = if (c == a) && (s == i) then hi else odds_without b i c s.
Proof. by rewrite /odds /odds_without ffunE; case: (s =P i) => [->|] /=; rewrite ?andbT ?andbF //; case: eqP. Qed.

Section Guess.
Variables (i : S) (sc : schedule A S) (F : A -> memory A S O unit -> R).
Hypotheses (hi0 : first_states i) (good : all (fun r => starts_still r.1) sc).
Hypotheses (F0 : forall a h, 0 <= F a h) (F1 : forall h, \sum_(a : A) F a h <= 1).

Lemma guess_range a h : 0 <= F a h <= 1.
Proof. by split=> //; apply: Rle_trans (F1 h); exact: (term_le_sum a (f := F^~ h)). Qed.

(* What follows from a bound on each arm's share. *)
Lemma guess_from c d : 0 <= d -> (forall b a, run (odds (moved b i a)) sc [::] (F a) <=
    run (odds_without b i) sc [::] (F a) + d * run (odds_without b i) sc [::] (plays_in a i) + c) ->
  mean (@uniform vector) (fun b => run (odds b) sc [::] (F (b i))) <= / INR #|A| + c + d / INR #|A| * occupancy i sc.
Proof.
move=> d0 each; have n0 := INR_pos arms; have i0 : 0 < / INR #|A| by exact: Rinv_0_lt_compat.
have vectors : (0 < #|vector|)%nat by rewrite card_ffun expn_gt0 arms.
rewrite (resample i) //; apply: (mean_most (uniform_ok vectors)) => b.
have av := run_averages snd sc [::] L_ok (fun a s => emit_ok (odds_without_01 b i a s)).
rewrite mean_uniform (eq_bigr (fun a => run (odds (moved b i a)) sc [::] (F a))); last by move=> a _; rewrite moved_same.
have := @sum_le _ (index_enum A) xpredT _ _ (fun a _ => each b a).
rewrite sum_add sum_add sum_scale sum_const -(average_sum xpredT _ av) -(average_sum xpredT _ av).
have one : run (odds_without b i) sc [::] (fun h => \sum_(a : A) F a h) <= 1.
  by rewrite -[X in _ <= X](average_const av); exact: (average_le av).
rewrite (average_ext av (all_plays i)).
have := run_stays (odds_without_01 b i) [::] hi0 good; rewrite {2}/stays_in /price_in sum_nil => stays le.
have := Rmult_le_compat_l _ _ _ d0 stays => stays'.
apply: Rle_trans (_ : _ <= / INR #|A| * (1 + d * (0 + occupancy i sc) + INR #|A| * c)) _.
  by apply: Rmult_le_compat_l; lra.
by apply: Req_le; field; lra.
Qed.

Theorem guess_by_information t : 0 < t -> 0 < lo < 1 -> 0 < hi < 1 ->
  mean (@uniform vector) (fun b => run (odds b) sc [::] (F (b i))) <=
  / INR #|A| + t / 8 + kl lo hi / t / INR #|A| * occupancy i sc.
Proof.
move=> t0 hlo hhi; have k0 := kl_nonneg hlo hhi; have it : 0 < / t by exact: Rinv_0_lt_compat.
apply: guess_from => [|b a]; first by apply: Rmult_le_pos => //; lra.
have gibbs c s g : mean (emit (odds_without b i) c s) g <= kl lo hi * indicator ((c == a) && (s == i)) +
    ln (mean (emit (odds (moved b i a)) c s) (fun o => exp (g o))).
  rewrite !mean_emit odds_with; case: andP => [[_ /eqP ->]|_] /=.
    by rewrite /indicator Rmult_1_r /odds_without eqxx /=; exact: gibbs_toss.
  rewrite /indicator Rmult_0_r Rplus_0_l; apply: average_le_ln; apply/average_mean/toss_ok; exact: odds_without_01.
have := @information_of_agent _ _ _ snd L L_ok _ _ (fun c s => emit_ok (odds_without_01 b i c s)) (odds_ok (moved b i a))
  (fun c s => kl lo hi * indicator ((c == a) && (s == i))) gibbs sc (F a) t (guess_range a).
have av := run_averages snd sc [::] L_ok (fun a s => emit_ok (odds_without_01 b i a s)).
rewrite (average_ext av (F := price_in _) (G := fun h => kl lo hi * plays_in a i h)) => [|h]; last first.
  rewrite /plays_in /price_in -sum_scale; apply: eq_bigr => r _; exact: sum_scale.
rewrite (average_scale av) => le; have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ it) le.
rewrite -Rmult_assoc Rinv_l ?Rmult_1_l; last lra.
rewrite (_ : / t * (_ + t * t / 8) = kl lo hi / t * run (odds_without b i) sc [::] (plays_in a i) + t / 8); last by field; lra.
lra.
Qed.

Theorem guess_by_hits : mean (@uniform vector) (fun b => run (odds b) sc [::] (F (b i))) <=
  / INR #|A| + 0 + 1 / INR #|A| * occupancy i sc.
Proof.
apply: guess_from => [|b a]; first lra.
have same c s g : ~~ ((c == a) && (s == i)) -> mean (emit (odds (moved b i a)) c s) g = mean (emit (odds_without b i) c s) g.
  by move=> /negbTE ne; rewrite !mean_emit odds_with ne.
have := coupled snd L_ok (fun c s => emit_ok (odds_without_01 b i c s)) (odds_ok (moved b i a)) same sc [::] (guess_range a).
by rewrite [price_in _ [::]]sum_nil Rminus_0_r Rmult_1_l Rplus_0_r.
Qed.
End Guess.

(* ---------------------------------------------------------------- The Bayesian regret *)

(* From what each state costs in an episode, given the schedule, to what the prior forces. *)
Theorem regret_of_game (best : vector -> policy A S) K (c d : nat -> R) : (forall k, 0 <= d k) ->
  (forall k sc i, (k < K)%nat -> size sc = k -> all (fun r => starts_still r.1) sc -> first_states i ->
    c k - d k * occupancy i sc <= mean (@uniform vector) (fun b => run (odds b) sc [::]
      (shortfall snd L beta (@candidate_bandit _ _ coin_game b) (emit (odds b)) (best b) (still i)))) ->
  \sum_(k < K) (c k - d k / INR #|first_states| * (INR k * (1 / (1 - beta)))) <= @regret_under A S beta coin_game best unit L K.
Proof.
move=> d0 low; have game_ok := coin_game_ok; have [bel_ok _ _ start_ok] := game_ok; have s0 := INR_pos some_start.
rewrite /regret_under /regret_in_run mean_sum_to; apply: sum_to_le => k kK.
have t0 := top_nonneg discount; pose top := 1 / (1 - beta).
pose f b sc := run (odds b) sc [::] (fun h => mean start_law (fun x => shortfall snd L beta (@candidate_bandit _ _ coin_game b) (emit (odds b)) (best b) x h)).
have f_abs b sc : Rabs (f b sc) <= top.
  apply: (run_abs snd L_ok (odds_ok b)) => h; apply: mean_abs1 => // x.
  by have [hM unit] := candidate_bandit_ok game_ok b; apply: (shortfall_abs snd L_ok discount (odds_ok b) unit).
rewrite (schedules_mean discount start_ok (@uniform vector) k f_abs).
have id : 0 <= d k / INR #|first_states| by apply: Rdiv_le_0_compat.
apply: (schedules_at_least discount start_ok (good := starts_still) (C := top)) => // [sc|x|sc sz good].
- by apply: mean_abs1.
- move=> /existsPn none; rewrite /= /start_law big1 // => i _; case: ifP => // hi0.
  by have := none i; rewrite hi0 /= /indicator => /negbTE ->; ring.
rewrite /f (mean_ext _ (fun b => average_swap start_law _ (run_averages snd sc [::] L_ok (odds_ok b)))) mean_swap mean_start.
have i0 : 0 < / INR #|first_states| by exact: Rinv_0_lt_compat.
apply: Rle_trans (_ : _ <= / INR #|first_states| * \sum_(i | first_states i) (c k - d k * occupancy i sc)) _.
  rewrite sum_sub sum_scale sum_const_in.
  have := Rmult_le_compat_l _ _ _ (d0 k) (all_occupancy good) => all_le.
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ i0) all_le; rewrite Rmult_minus_distr_l -!Rmult_assoc Rinv_l /Rdiv; last lra.
  by rewrite (Rmult_comm (d k)); lra.
by apply: Rmult_le_compat_l; [lra | apply: sum_le => i hi0; exact: low].
Qed.
End CoinGame.
