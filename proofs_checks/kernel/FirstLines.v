(* The first two lines of the proof of Theorem 2, end to end: what a prior on stochastic bandits forces in tau pulls, its copies
   force in K episodes as many times as there are states, times the chance that a state is visited tau times. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Learners Priors Information CoinGames Visits.
From kernel Require Import SeparateStates.

(* ---------------------------------------------------------------- Schedules whose lengths are at most N *)

Section Cut.
Variables (A S : finType) (beta : R).
Hypotheses (discount : is_discount beta) (arms : (0 < #|A|)%nat) (states : (0 < #|S|)%nat).
Notation start := (@start_law A S xpredT).
Notation cut N := (at_most_long beta N).
Notation drawn := (all (fun r : global A S * nat => starts_still xpredT r.1)).

Lemma start_ok : probability start.
Proof. by have [_ _ _ h] := @coin_game_ok A S 0 1 (fun s z => (z, s)) xpredT (ltac:(lra)) (ltac:(lra)) arms states. Qed.

Fixpoint cut_schedules (N K : nat) (f : schedule A S -> R) : R :=
  if K is K'.+1 then mean start (fun x => cut N (fun n => cut_schedules N K' (fun sc => f ((x, n) :: sc)))) else f [::].

Lemma cut_schedules_le N K f g : (forall sc, drawn sc -> f sc <= g sc) -> cut_schedules N K f <= cut_schedules N K g.
Proof.
elim: K f g => [|K IH] f g fg /=; first exact: fg.
apply: sum_le => x _; case gx : (starts_still xpredT x); last by rewrite starts_elsewhere ?gx // !Rmult_0_l; lra.
apply: Rmult_le_compat_l; first exact: (proj1 start_ok).
by apply: (at_most_long_le discount) => n; apply: IH => sc good; apply: fg; rewrite /= gx.
Qed.

Lemma cut_schedules_add N K f g : cut_schedules N K (fun sc => f sc + g sc) = cut_schedules N K f + cut_schedules N K g.
Proof.
elim: K f g => [|K IH] f g //=; rewrite -mean_add; apply: mean_ext => x; rewrite -cut_add.
by apply: sum_to_ext => m _; rewrite IH.
Qed.

Lemma cut_schedules_mean (X : finType) (q : X -> R) N K f :
  mean q (fun y => cut_schedules N K (f y)) = cut_schedules N K (fun sc => mean q (fun y => f y sc)).
Proof.
elim: K f => [|K IH] f //=; rewrite mean_swap; apply: mean_ext => x; rewrite mean_cut.
by apply: sum_to_ext => m _; rewrite IH.
Qed.

(* The last episode apart. *)
Lemma cut_schedules_last N K f : cut_schedules N K.+1 f = cut_schedules N K (fun sc => mean start (fun x => cut N (fun n => f (rcons sc (x, n))))).
Proof.
elim: K f => [|K IH] f //; rewrite [LHS]/= [RHS]/=; apply: mean_ext => x.
by apply: sum_to_ext => m _; congr (_ * _); exact: (IH (fun sc => f ((x, m.+1) :: sc))).
Qed.

Lemma cut_at_most (f : nat -> R) C N : (forall n, 0 <= f n <= C) -> cut N f <= any_length beta f.
Proof.
move=> fC; have ex : ex_series (fun m => chance beta m * f m.+1).
  by apply: (any_length_exists discount (C := C)) => n; have [f0 f1] := fC n; rewrite Rabs_pos_eq.
apply: (is_lim_seq_incr_compare _ _ (sum_to_of_series (Series_correct _ ex))) => n; rewrite sum_recr.
by have := Rmult_le_pos _ _ (chance_nonneg discount n) (proj1 (fC n.+1)); lra.
Qed.

Lemma cut_schedules_at_most N K f C : (forall sc, 0 <= f sc <= C) -> 0 <= cut_schedules N K f <= schedules beta start K f.
Proof.
elim: K f => [|K IH] f fC /=; first by case: (fC [::]) => f0 _; split; [exact: f0 | exact: Rle_refl].
have C0 : 0 <= C by case: (fC [::]); lra.
have each x n := IH (fun sc => f ((x, n) :: sc)) (fun sc => fC _).
have top x n : schedules beta start K (fun sc => f ((x, n) :: sc)) <= C.
  by apply: Rle_trans (Rle_abs _) _; apply: (schedules_abs discount start_ok) => // sc; have [f0 f1] := fC ((x, n) :: sc); rewrite Rabs_pos_eq.
split.
  apply: (mean_least start_ok) => x.
  by apply: sum_to_nonneg => m _; apply: Rmult_le_pos; [exact: chance_nonneg | case: (each x m.+1)].
apply: (mean_mono start_ok) => x.
apply: Rle_trans (at_most_long_le discount _ (fun n => proj2 (each x n))) _; apply: (@cut_at_most _ C) => n.
by case: (each x n) => e0 e1; split; have := top x n; lra.
Qed.

Lemma schedules_at_most_cut N K f C : (forall sc, 0 <= f sc <= C) -> schedules beta start K f <= cut_schedules N K f + C * INR K * beta ^ N.
Proof.
have b0 : 0 <= beta ^ N by apply: pow_le; case: discount.
elim: K f => [|K IH] f fC; first by rewrite /=; lra.
have C0 : 0 <= C by case: (fC [::]); lra.
have fC' sc : Rabs (f sc) <= C by rewrite Rabs_pos_eq; case: (fC sc).
have c0 : 0 <= C * INR K * beta ^ N by apply: Rmult_le_pos => //; apply: Rmult_le_pos => //; exact: pos_INR.
rewrite -[C * _ * _](mean_of_const _ start_ok) [schedules _ _ _ _]/= [cut_schedules _ _ _]/= -mean_add.
apply: (mean_mono start_ok) => x.
pose s n := schedules beta start K (fun sc => f ((x, n) :: sc)); pose c n := cut_schedules N K (fun sc => f ((x, n) :: sc)).
have /Rabs_le_between tail : Rabs (any_length beta s - cut N s) <= C * beta ^ N.
  by apply: any_length_tail => // n; apply: (schedules_abs discount start_ok) => // sc; exact: fC'.
have le : cut N s <= cut N (fun n => c n + C * INR K * beta ^ N).
  by apply: at_most_long_le => // n; apply: IH => sc; exact: fC.
rewrite cut_add at_most_long_const in le; change (any_length beta s <= cut N c + C * INR K.+1 * beta ^ N).
by have := Rmult_le_pos _ _ b0 c0; rewrite S_INR; lra.
Qed.
End Cut.

(* ---------------------------------------------------------------- The first lines *)

Section FirstLines.
Variables (A S : finType) (p : prior A unit_finType) (a0 : A) (beta : R).
Hypotheses (discount : is_discount beta) (arms : (0 < #|A|)%nat) (states : (0 < #|S|)%nat) (p_ok : prior_ok p).
Variable best_arm : candidate p -> A.
Hypothesis best_arm_ok : forall t a, pull_mean t a <= pull_mean t (best_arm t).
Notation O := (prod_finType (sight p) S).
Notation copied := (copies S p).
Variables (W : finType) (L : agent A S O W) (best : {ffun S -> candidate p} -> policy A S).
Hypotheses (L_ok : agent_ok L) (best_ok : best_policies beta (p := copied) best).
Notation bandit b := (@candidate_bandit _ _ copied b).
Notation run b := (run_through snd L (@seen_in A S p b)).
Notation walking b := (walk snd L (@seen_in A S p b)).
Notation losses b := (@losses A S p best_arm W b).
Notation losses_in b e := (price_of (fun a s => arm_loss best_arm (b s) a) e).
Notation start := (@start_law A S xpredT).
Notation cut N := (at_most_long beta N).
Notation short b x h := (shortfall snd L beta (bandit b) (@seen_in A S p b) (best b) x h).

Lemma losses_nonneg (b : {ffun S -> candidate p}) (e : seq (step A S O)) : 0 <= losses_in b e.
Proof. by apply: sum_nonneg => q _; exact: arm_loss_nonneg. Qed.

Lemma shortfall_at_least N (b : {ffun S -> candidate p}) i h : cut N (fun n => mean (draw L h) (fun w => walking b h w n [::] (still A i) (fun e _ => losses_in b e))) <= short b (still A i) h.
Proof.
rewrite /at_most_long (sum_to_ext (g := fun m => mean (draw L h) (fun w => chance beta m * walking b h w m.+1 [::] (still A i) (fun e _ => losses_in b e)))) => [|m _]; last first.
  by rewrite mean_scale.
rewrite -mean_sum_to; apply: (mean_mono (proj1 L_ok h)) => w.
have s := @regret_by_steps _ _ _ a0 p_ok _ best_arm_ok states arms _ _ L_ok _ _ discount best_ok b i h w.
refine (is_lim_seq_incr_compare _ _ (sum_to_of_series s) _ N) => n; rewrite sum_recr.
have av := walk_averages snd L_ok (@seen_in_ok A S p p_ok b) h w n.+1 [::] (still A i).
have w0 : 0 <= walking b h w n.+1 [::] (still A i) (fun e _ => losses_in b e).
  by have := average_le av (F := fun _ => 0) (G := fun q => losses_in b q.1) (fun q => losses_nonneg b q.1); rewrite (average_const av).
by have := Rmult_le_pos _ _ (chance_nonneg discount n) w0; lra.
Qed.

Lemma mean_shortfall_range (b : {ffun S -> candidate p}) h : 0 <= mean start (fun x => short b x h) <= 1 / (1 - beta).
Proof.
have [hM unit] := candidate_bandit_ok (copies_ok p_ok states arms) b; split.
  rewrite mean_start; apply: Rmult_le_pos; first by left; apply: Rinv_0_lt_compat; exact: INR_pos.
  by apply: sum_nonneg => i _; have := shortfall_at_least 0 b i h; rewrite {1}/at_most_long [sum_to _ _]/=.
apply: Rle_trans (Rle_abs _) _; apply: mean_abs1 => [||x]; [exact: start_ok | exact: top_nonneg |].
by apply: shortfall_abs => // a s; exact: seen_in_ok.
Qed.

(* What one more episode, cut at N, adds to the losses. *)
Lemma one_more_episode N (b : {ffun S -> candidate p}) sc :
  mean start (fun x => cut N (fun n => run b (rcons sc (x, n)) [::] (losses b))) <=
  run b sc [::] (losses b) + run b sc [::] (fun h => mean start (fun x => short b x h)).
Proof.
have av := run_averages snd L_ok (@seen_in_ok A S p p_ok b) sc [::]; set E := run b sc [::] in av *.
pose D i n h := mean (draw L h) (fun w => walking b h w n [::] (still A i) (fun e _ => losses_in b e)).
have losses0 h : 0 <= losses b h by apply: sum_nonneg => r _; exact: losses_nonneg.
have E0 : 0 <= E (losses b) by rewrite -(average_const av 0); apply: (average_le av) => h; exact: losses0.
have step i n : run b (rcons sc (still A i, n)) [::] (losses b) = E (losses b) + E (D i n).
  rewrite -cats1 run_cat -(average_add av); apply: (average_ext av) => h /=.
  rewrite /D -[X in X + _](mean_of_const _ (proj1 L_ok h)) -mean_add; apply: mean_ext => w.
  have aw := walk_averages snd L_ok (@seen_in_ok A S p p_ok b) h w n [::] (still A i).
  have := average_add aw (fun _ => losses b h) (fun q => losses_in b q.1); rewrite (average_const aw) => <-.
  by apply: walk_ext => e y; rewrite {1}/SeparateStates.losses /price_in sum_cons Rplus_comm.
have i0 : 0 < / INR #|S| by apply: Rinv_0_lt_compat; exact: INR_pos.
have [m0 m1] := cut_mass discount N.
have each i : cut N (fun n => run b (rcons sc (still A i, n)) [::] (losses b)) <= E (losses b) + E (fun h => short b (still A i) h).
  rewrite (_ : cut N _ = cut N (fun n => E (losses b) + E (D i n))); last by apply: sum_to_ext => m _; rewrite step.
  rewrite cut_add at_most_long_const; apply: Rplus_le_compat; first nra.
  rewrite /at_most_long (sum_to_ext (g := fun m => E (fun h => chance beta m * D i m.+1 h))) => [|m _]; last by rewrite (average_scale av).
  by rewrite -(average_sum_to _ _ av); apply: (average_le av) => h; exact: shortfall_at_least.
rewrite mean_start (average_ext av (fun h => mean_start xpredT (fun x => short b x h))) (average_scale av).
rewrite (average_sum xpredT (fun i h => short b (still A i) h) av).
apply: Rle_trans (Rmult_le_compat_l _ _ _ (Rlt_le _ _ i0) (sum_le _ (fun i _ => each i))) _.
rewrite sum_add sum_const_in; apply: Req_le; rewrite (_ : #|_| = #|S|) //; field; exact: Rgt_not_eq (INR_pos states).
Qed.

Lemma cut_at_most_regret N K (b : {ffun S -> candidate p}) : cut_schedules beta N K (fun sc => run b sc [::] (losses b)) <=
  regret_in_run snd L beta start (bandit b) (@seen_in A S p b) (best b) K.
Proof.
elim: K => [|K IH]; first by rewrite /= /SeparateStates.losses /price_in sum_nil; exact: Rle_refl.
rewrite cut_schedules_last /regret_in_run sum_recr -/(regret_in_run snd L beta start (bandit b) (@seen_in A S p b) (best b) K).
apply: Rle_trans (cut_schedules_le discount arms states N K (fun sc _ => one_more_episode N b sc)) _.
rewrite cut_schedules_add; apply: Rplus_le_compat => //.
apply: (proj2 (cut_schedules_at_most discount arms states N K (C := 1 / (1 - beta)) _)) => sc.
by apply: (average_range (run_averages snd L_ok (@seen_in_ok A S p p_ok b) sc [::])) => h; exact: mean_shortfall_range.
Qed.

Lemma regret_of_copies K tau x : INR tau < x + 1 ->
  INR #|S| * of_products beta (/ INR #|S|) K 0 (is_at_least x) * least_regret a0 best_arm tau (@belief _ _ p) <= @regret_under A S beta copied best W L K.
Proof.
move=> ceil; have [bel_ok _ _ _] := p_ok; set D := least_regret _ _ _ _; have D0 : 0 <= D by apply: least_nonneg => //; exact: (proj1 bel_ok).
have [vec_ok _ _ _] := copies_ok p_ok states arms.
pose f (sc : schedule A S) := mean (fun _ : S => D) (fun i => is_at_least x (time_in i sc)).
have below N : cut_schedules beta N K f <= @regret_under A S beta copied best W L K.
  apply: Rle_trans (mean_le (proj1 vec_ok) (fun b => cut_at_most_regret N K b)).
  rewrite cut_schedules_mean; apply: cut_schedules_le => // sc good.
  have sep := separate_states a0 p_ok best_arm arms L_ok good; apply: Rle_trans _ sep; apply: sum_le => i _.
  rewrite /is_at_least; case: Rle_dec => h; last by rewrite Rmult_0_r; apply: least_nonneg => //; exact: (proj1 bel_ok).
  rewrite Rmult_1_r; apply: least_le => //; first exact: (proj1 bel_ok).
  by rewrite -ltnS; apply/ltP; apply: INR_lt; rewrite S_INR; lra.
have ind01 v : Rabs (is_at_least x v) <= 1 by have := is_at_least_01 x v; split_Rabs; lra.
have fC sc : 0 <= f sc <= INR #|S| * D.
  split; first by apply: mean_nonneg => // i; case: (is_at_least_01 x (time_in i sc)).
  by rewrite -sum_const; apply: sum_le => i _; have [i0 i1] := is_at_least_01 x (time_in i sc); nra.
have low : schedules beta start K f <= @regret_under A S beta copied best W L K.
  apply: le_epsilon => eps e0; have [N small] := geometric_bound discount (INR #|S| * D * INR K) e0.
  have := schedules_at_most_cut discount arms states N K fC; have := below N; have := small N (leqnn N); lra.
apply: Rle_trans low; apply: Req_le.
rewrite -(schedules_mean discount (start_ok arms states) (fun _ : S => D) K Rle_0_1 (fun i sc => ind01 (time_in i sc))).
rewrite (mean_ext _ (g := fun _ => of_products beta (/ INR #|S|) K 0 (is_at_least x))) => [|i]; last first.
  by rewrite -(law_of_schedules i beta arms K 0 (is_at_least x)).
by rewrite mean_const sum_const; ring.
Qed.
End FirstLines.

(* What a prior p on stochastic bandits forces on every learner in tau pulls, tau being x rounded up, its copies force in K
   episodes S P(T_i >= x) times, T_i having the law of law_of_visits.
   ledger: thm:lower_bound/first-lines *)
Theorem first_lines (A S : finType) (p : prior A unit_finType) beta K tau x c : is_discount beta -> (0 < #|A|)%nat -> (0 < #|S|)%nat ->
  prior_ok p -> forces 0 p tau c -> INR tau < x + 1 ->
  prior_ok (copies S p) /\ forces beta (copies S p) K (INR #|S| * of_products beta (/ INR #|S|) K 0 (is_at_least x) * c).
Proof.
move=> discount arms states p_ok forced ceil; have ok : prior_ok (copies S p) by exact: copies_ok.
split=> //; apply: (forces_all discount ok) => best best_ok W L L_ok.
have /card_gt0P [a0 _] := arms.
have [best_arm top] := fin_all_exists (fun t => exists_max a0 (@pull_mean A p t)); have [best1 best1_ok] := best_policies_exist no_discount p_ok a0.
apply: Rle_trans (regret_of_copies a0 discount arms states p_ok top L_ok best_ok K ceil); apply: Rmult_le_compat_l.
  apply: Rmult_le_pos; first exact: pos_INR.
  have q01 := inverse_01 states; apply: products_nonneg => // [v|]; first by case: (is_at_least_01 x v).
  by apply: (proj1 (converges_bounded _ q01 _ _ Rle_0_1 _)) => // v; have := is_at_least_01 x v; split_Rabs; lra.
exact: (forced_at_most_least a0 p_ok top best1_ok forced).
Qed.
