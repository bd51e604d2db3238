(* The first two lines of the proof of Theorem 2, end to end: what a prior on stochastic bandits forces in tau pulls, its copies
   force in K episodes as many times as there are states, times the chance that a state is visited tau times. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Laws Learners Randomised Priors Information CoinGames Visits.
From kernel Require Import SeparateStates.

(* ---------------------------------------------------------------- The first lines *)

Section FirstLines.
Variables (A S : finType) (p : prior A unit_finType) (a0 : A) (beta : R).
Hypotheses (discount : is_discount beta) (arms : (0 < #|A|)%nat) (states : (0 < #|S|)%nat) (p_ok : prior_ok p).
Notation start := (@start_law A S xpredT).
Lemma start_ok : probability start.
Proof. by have [_ _ _ h] := @coin_game_ok A S 0 1 (fun s z => (z, s)) xpredT (ltac:(lra)) (ltac:(lra)) arms states. Qed.

(* The last episode apart. *)
Lemma schedules_last K f : schedules beta start K.+1 f =
  schedules beta start K (fun sc => mean start (fun x => any_length beta (fun n => f (rcons sc (x, n))))).
Proof.
elim: K f => [|K IH] f //; rewrite [LHS]/= [RHS]/=; apply: mean_ext => x.
by apply: Series_ext => m; congr (_ * _); exact: (IH (fun sc => f ((x, m.+1) :: sc))).
Qed.

(* What is at most c for lengths that are cut. *)
Lemma any_length_at_most f C c : (forall n, Rabs (f n) <= C) -> (forall N, at_most_long beta N f <= c) -> any_length beta f <= c.
Proof.
move=> fC le; have ex := any_length_exists discount fC.
exact: (is_lim_seq_le _ _ (Finite _) (Finite c) le (sum_to_of_series (Series_correct _ ex)) (is_lim_seq_const c)).
Qed.

Variable best_arm : candidate p -> A.
Hypothesis best_arm_ok : forall t a, pull_mean t a <= pull_mean t (best_arm t).
Notation O := (prod_finType (sight p) S).
Notation copied := (copies S p).
Variables (L : agent A S O unit) (best : {ffun S -> candidate p} -> policy A S).
Hypotheses (L_ok : agent_ok L) (best_ok : best_policies beta (p := copied) best).
Notation bandit b := (@candidate_bandit _ _ copied b).
Notation run b := (run_through snd L (@seen_in A S p b)).
Notation walking b := (walk snd L (@seen_in A S p b)).
Notation losses b := (@losses A S p best_arm unit b).
Notation losses_in b e := (price_of (fun a s => arm_loss best_arm (b s) a) e).
Notation cut N := (at_most_long beta N).
Notation vector := {ffun S -> candidate p}.
Notation short b x h := (shortfall snd L beta (bandit b) (@seen_in A S p b) (best b) x h).

Lemma losses_nonneg (b : {ffun S -> candidate p}) (e : seq (step A S O)) : 0 <= losses_in b e.
Proof. by apply: sum_nonneg => q _; exact: arm_loss_nonneg. Qed.

Lemma walk_losses_nonneg b h w n i : 0 <= walking b h w n [::] (still A i) (fun e _ => losses_in b e).
Proof.
have av := walk_averages snd L_ok (@seen_in_ok A S p p_ok b) h w n [::] (still A i).
by apply: (average_nonneg av (F := fun q => losses_in b q.1)) => q; exact: losses_nonneg.
Qed.

Lemma shortfall_at_least N (b : {ffun S -> candidate p}) i h : cut N (fun n => walking b h tt n [::] (still A i) (fun e _ => losses_in b e)) <= short b (still A i) h.
Proof.
have s : is_series (fun m => chance beta m * walking b h tt m.+1 [::] (still A i) (fun e _ => losses_in b e)) _ :=
  @regret_by_steps _ _ _ a0 p_ok _ best_arm_ok states arms _ _ L_ok _ _ discount best_ok b i h tt.
rewrite /shortfall draw_one; refine (is_lim_seq_incr_compare _ _ (sum_to_of_series s) _ N) => n; rewrite sum_recr.
by have := Rmult_le_pos _ _ (chance_nonneg discount n) (walk_losses_nonneg b h tt n.+1 i); lra.
Qed.

Lemma mean_shortfall_abs (b : {ffun S -> candidate p}) sc : Rabs (run b sc [::] (fun h => mean start (fun x => short b x h))) <= 1 / (1 - beta).
Proof.
have [hM unit] := candidate_bandit_ok (copies_ok p_ok states arms) b; have ok := @seen_in_ok A S p p_ok b.
apply: (run_abs snd L_ok ok) => h; apply: mean_abs1 => [||x]; [exact: start_ok | exact: top_nonneg |].
by apply: shortfall_abs => // a s; exact: seen_in_ok.
Qed.

(* The losses, in the mean over the prior and the run. *)
Definition lost (sc : schedule A S) : R := mean (@belief _ _ copied) (fun b => run b sc [::] (losses b)).
Lemma lost_nonneg sc : 0 <= lost sc.
Proof.
have [bel_ok _ _ _] := copies_ok p_ok states arms; apply: (mean_least bel_ok) => b.
apply: (average_nonneg (run_averages snd sc [::] L_ok (@seen_in_ok A S p p_ok b))) => h.
by apply: sum_nonneg => r _; exact: losses_nonneg.
Qed.
Lemma capped_abs c sc : 0 <= c -> Rabs (Rmin c (lost sc)) <= c.
Proof. by move=> c0; rewrite Rabs_pos_eq; [exact: Rmin_l | apply: Rmin_glb => //; exact: lost_nonneg]. Qed.

(* What one more episode adds to them, as far as the cap c. *)
Lemma one_more_episode c sc : 0 <= c -> mean start (fun x => any_length beta (fun n => Rmin c (lost (rcons sc (x, n))))) <=
  Rmin c (lost sc) + mean (@belief _ _ copied) (fun b => run b sc [::] (fun h => mean start (fun x => short b x h))).
Proof.
move=> c0; have [bel_ok _ _ _] := copies_ok p_ok states arms.
have av b := run_averages snd sc [::] L_ok (@seen_in_ok A S p p_ok b).
pose D b i n h := walking b h tt n [::] (still A i) (fun e _ => losses_in b e).
pose more i n := mean (@belief _ _ copied) (fun b => run b sc [::] (D b i n)).
have more0 i n : 0 <= more i n.
  by apply: (mean_least bel_ok) => b; apply: (average_nonneg (av b)) => h; exact: walk_losses_nonneg.
have step i n : lost (rcons sc (still A i, n)) = lost sc + more i n.
  rewrite /lost /more -mean_add; apply: mean_ext => b; rewrite -cats1 run_cat -(average_add (av b)); apply: (average_ext (av b)) => h /=.
  rewrite draw_one; have aw := walk_averages snd L_ok (@seen_in_ok A S p p_ok b) h tt n [::] (still A i).
  have := average_add aw (fun _ => losses b h) (fun q => losses_in b q.1); rewrite (average_const aw) => <-.
  by apply: walk_ext => e y _; rewrite {1}/SeparateStates.losses /price_in sum_cons Rplus_comm.
rewrite (mean_ext _ (fun b => average_swap start (fun h x => short b x h) (av b))) mean_swap -[Rmin c _](mean_of_const _ start_ok) -mean_add !mean_start.
apply: Rmult_le_compat_l; first by left; apply: Rinv_0_lt_compat; exact: INR_pos.
apply: sum_le => i _; apply: (@any_length_at_most _ c) => [n|N].
  exact: capped_abs.
apply: Rle_trans (_ : _ <= cut N (fun n => Rmin c (lost sc) + more i n)) _.
  by apply: (at_most_long_le discount) => n; have := more0 i n; rewrite step /Rmin; do 2 case: Rle_dec; lra.
have [m0 m1] := cut_mass discount N; have r0 := Rmin_glb _ _ _ c0 (lost_nonneg sc).
rewrite cut_add at_most_long_const; apply: Rplus_le_compat; first nra.
rewrite -mean_cut; apply: (mean_mono bel_ok) => b.
rewrite /at_most_long (sum_to_ext (g := fun m => run b sc [::] (fun h => chance beta m * D b i m.+1 h))) => [|m _]; last by rewrite (average_scale (av b)).
by rewrite -(average_sum_to _ _ (av b)); apply: (average_le (av b)) => h; exact: shortfall_at_least.
Qed.

Lemma capped_at_most_regret c K : 0 <= c -> schedules beta start K (fun sc => Rmin c (lost sc)) <= @regret_under A S beta copied best unit L K.
Proof.
move=> c0; have [bel_ok _ _ _] := copies_ok p_ok states arms; have lost_abs sc := capped_abs sc c0.
have short_abs sc := mean_abs1 bel_ok (top_nonneg discount) (mean_shortfall_abs ^~ sc).
elim: K => [|K IH].
  by apply: Rle_trans (Rmin_r _ _) _; apply: Req_le; apply: mean_ext => b; rewrite /= /SeparateStates.losses /price_in sum_nil.
have -> : @regret_under A S beta copied best unit L K.+1 = @regret_under A S beta copied best unit L K + schedules beta start K (fun sc =>
    mean (@belief _ _ copied) (fun b => run b sc [::] (fun h => mean start (fun x => short b x h)))).
  by rewrite -(schedules_mean discount start_ok _ _ mean_shortfall_abs); exact: mean_add.
apply: Rle_trans (Rplus_le_compat_r _ _ _ IH); rewrite schedules_last !(schedulesE discount start_ok) -E_add; try by eexists; exact: lost_abs.
  apply: E_le => [||sc]; last exact: one_more_episode.
    by exists c => sc; apply: mean_abs1 => // [|x]; [exact: start_ok | apply: (any_length_abs discount) => n].
  by apply: bounded_add; [exact: by_abs lost_abs | exact: by_abs short_abs].
exact: by_abs short_abs.
Qed.

Lemma regret_of_copies K tau x : INR tau < x + 1 ->
  INR #|S| * of_products beta (/ INR #|S|) K 0 (is_at_least x) * least_regret a0 best_arm tau (@belief _ _ p) <= @regret_under A S beta copied best unit L K.
Proof.
move=> ceil; have [bel_ok _ _ _] := p_ok; set D := least_regret _ _ _ _; have D0 : 0 <= D by apply: least_nonneg => //; exact: (proj1 bel_ok).
pose f (sc : schedule A S) := mean (fun _ : S => D) (fun i => is_at_least x (time_in i sc)).
have ind01 v : Rabs (is_at_least x v) <= 1 by have := is_at_least_01 x v; split_Rabs; lra.
have fC sc : 0 <= f sc <= INR #|S| * D.
  split; first by apply: mean_nonneg => // i; case: (is_at_least_01 x (time_in i sc)).
  by rewrite -sum_const; apply: sum_le => i _; have [i0 i1] := is_at_least_01 x (time_in i sc); nra.
have C0 : 0 <= INR #|S| * D by have := fC [::]; lra.
apply: Rle_trans (_ : schedules beta start K f <= _); last first.
  apply: Rle_trans (capped_at_most_regret K C0).
  rewrite (@schedules_drawn A S beta K f (fun sc => if all (fun r => starts_still xpredT r.1) sc then f sc else 0)) => [|sc ->] //.
  rewrite !(schedulesE discount start_ok); apply: E_le => [||sc]; [| exact: by_abs (fun sc => capped_abs sc C0) |].
    by exists (INR #|S| * D) => sc; have := fC sc; case: ifP => _; split_Rabs; lra.
  have [f0 f1] := fC sc; case: ifP => [good|_]; last by apply: Rmin_glb => //; exact: lost_nonneg.
  apply: Rmin_glb => //; apply: Rle_trans _ (separate_states a0 p_ok best_arm arms L_ok good); apply: sum_le => i _.
  rewrite /is_at_least; case: Rle_dec => h; last by rewrite Rmult_0_r; apply: least_nonneg => //; exact: (proj1 bel_ok).
  rewrite Rmult_1_r; apply: least_le => //; first exact: (proj1 bel_ok).
  by rewrite -ltnS; apply/ltP; apply: INR_lt; rewrite S_INR; lra.
apply: Req_le; rewrite -(schedules_mean discount start_ok (fun _ : S => D) K (fun i sc => ind01 (time_in i sc))).
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
split=> //; apply: (forces_all discount ok) => best best_ok L L_ok.
have /card_gt0P [a0 _] := arms.
have [best_arm top] := fin_all_exists (fun t => exists_max a0 (@pull_mean A p t)); have [best1 best1_ok] := best_policies_exist no_discount p_ok a0.
apply: Rle_trans (regret_of_copies a0 discount arms states p_ok top L_ok best_ok K ceil); apply: Rmult_le_compat_l.
  apply: Rmult_le_pos; first exact: pos_INR.
  have q01 := inverse_01 states; apply: products_nonneg => // [v|]; first by case: (is_at_least_01 x v).
  by apply: (proj1 (converges_bounded _ q01 _ _ Rle_0_1 _)) => // v; have := is_at_least_01 x v; split_Rabs; lra.
exact: (forced_at_most_least a0 p_ok top best1_ok forced).
Qed.
