(* The first lines of the proof of Theorem 2, for any prior on stochastic bandits. S copies of it, drawn independently, one for
   each state in which the arms may stand, make a prior on Markovian bandits whose arms never move. There the regret is the
   number of steps with a worse arm, each weighed by what it costs; what is learned in one state is of no use in another; and
   a learner, even one that is told beforehand all lengths and initial states, loses in state i at least what T_i pulls of the
   stochastic bandit cost the best of all learners. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Retirement Laws Learners Randomised Priors Information CoinGames.
From kernel Require Import Maximiser LowerC Visits.

(* Laws that are products over a finite set. *)
Section Product.
Variables A Theta : finType.

Lemma sum_of_products (F : A -> Theta -> R) : \sum_(t : [finType of {ffun A -> Theta}]) \prod_(a : A) F a (t a) = \prod_(a : A) \sum_(th : Theta) F a th.
Proof. by rewrite bigA_distr_bigA. Qed.

Lemma product_probability (q : A -> Theta -> R) : (forall a, probability (q a)) -> probability (fun t : [finType of {ffun A -> Theta}] => \prod_(a : A) q a (t a)).
Proof.
move=> q_ok; split=> [t|]; first by apply: product_nonneg => a _; exact: (proj1 (q_ok a)).
by rewrite sum_of_products big1 // => a _; exact: (proj2 (q_ok a)).
Qed.
End Product.

Section Copies.
Variables (A S : finType) (p : prior A unit_finType) (a0 : A).
Hypothesis p_ok : prior_ok p.
Notation Theta := (candidate p).
Notation shows := (@chances _ _ p).

(* What a pull of arm a pays in the mean; the best arm; what another costs. *)
Definition pull_mean (t : Theta) (a : A) : R := mean (shows t a tt) (@pays _ _ p).
Variable best_arm : Theta -> A.
Hypothesis best_arm_ok : forall t a, pull_mean t a <= pull_mean t (best_arm t).
Definition arm_loss (t : Theta) (a : A) : R := pull_mean t (best_arm t) - pull_mean t a.

Lemma arm_loss_nonneg t a : 0 <= arm_loss t a.
Proof. by have := best_arm_ok t a; rewrite /arm_loss; lra. Qed.

Lemma pull_mean_range t a : 0 <= pull_mean t a <= 1.
Proof. by have [_ ok unit _] := p_ok; apply: (mean_range (ok t a tt) unit); lra. Qed.

Lemma lik_ok t a : probability (shows t a tt). Proof. by have [_ ok _ _] := p_ok. Qed.

(* ---------------------------------------------------------------- The best of all learners, pull by pull *)

Definition argmin (f : A -> R) : A := argmax a0 (fun a => - f a).

Lemma argmin_at_most f a : f (argmin f) <= f a.
Proof. by have := argmax_largest a0 (fun a => - f a) a; rewrite -/(argmin f); lra. Qed.

(* The least that m more pulls cost in the mean, w(t) being the chance of t and of all that was seen: by dynamic programming. *)
Definition shown_too (w : Theta -> R) (a : A) (o : sight p) (t : Theta) : R := w t * shows t a tt o.
Definition cost_of_arm (next : (Theta -> R) -> R) (w : Theta -> R) (a : A) : R :=
  \sum_(t : Theta) w t * arm_loss t a + \sum_(o : sight p) next (shown_too w a o).
Fixpoint least_regret (m : nat) (w : Theta -> R) : R := if m is m'.+1 then (let f := cost_of_arm (least_regret m') w in f (argmin f)) else 0.

Definition weights_ok (w : Theta -> R) := forall t, 0 <= w t.
Lemma shown_ok w a o : weights_ok w -> weights_ok (shown_too w a o).
Proof. by move=> w0 t; apply: Rmult_le_pos => //; exact: (proj1 (lik_ok t a)). Qed.

Lemma least_nonneg m w : weights_ok w -> 0 <= least_regret m w.
Proof.
elim: m w => [|m IH] w w0 /=; first lra.
apply: Rplus_le_le_0_compat.
  by apply: sum_nonneg => t _; apply: Rmult_le_pos => //; exact: arm_loss_nonneg.
by apply: sum_nonneg => o _; apply: IH; exact: shown_ok.
Qed.

(* More pulls cost no less. *)
Lemma least_grows m w : weights_ok w -> least_regret m w <= least_regret m.+1 w.
Proof.
elim: m w => [|m IH] w w0; first exact: (least_nonneg 1 w0).
apply: Rle_trans (argmin_at_most (cost_of_arm (least_regret m) w) (argmin (cost_of_arm (least_regret m.+1) w))) _; apply: Rplus_le_compat_l.
by apply: sum_le => o _; apply: IH; exact: shown_ok.
Qed.

Lemma least_le m n w : weights_ok w -> (m <= n)%nat -> least_regret m w <= least_regret n w.
Proof. by move=> w0 mn; apply: (@steps_up (least_regret^~ w) n) => // j _; exact: least_grows. Qed.

(* It is what the learner loses that plays so; so no prior forces more. *)
Section Attained.
Variable best : Theta -> policy A unit_finType.
Hypothesis best_ok : best_policies 0 (p := p) best.
Notation memory1 := (memory A unit_finType (sight p) unit).

Definition weights (h : memory1) : Theta -> R :=
  foldr (fun r w => foldr (fun q w' => shown_too w' q.1.2 q.2) w r.2) (@belief _ _ p) h.
Definition choice (m : nat) (h : memory1) : A := argmin (cost_of_arm (least_regret m) (weights h)).
Variable tau : nat.
Definition prudent : agent A unit_finType (sight p) unit :=
  Agent (fun _ => point_law tt) (fun h _ _ _ a => if a == choice (tau - (size h).+1) h then 1 else 0).

Lemma prudent_ok : agent_ok prudent.
Proof. by move=> *; exact: point_ok. Qed.

Notation x1 := (still A tt).
Notation run1 t := (run_through (@leads _ _ p) prudent (shows t)).

Lemma one_global (x : global A unit_finType) : x = x1.
Proof. by apply/ffunP => a; rewrite ffunE; case: (x a). Qed.

Lemma run_once t n h F : run1 t (nseq n.+1 (x1, 1%nat)) h F =
  let a := choice (tau - (size h).+1) h in mean (shows t a tt) (fun o => run1 t (nseq n (x1, 1%nat)) ((tt, x1, [:: (x1, a, o)]) :: h) F).
Proof.
by rewrite /= mean_point ffunE.
Qed.

Lemma first_only (f : nat -> R) : any_length 0 f = f 1%nat.
Proof.
apply: is_series_unique; apply: is_series_sum_to; apply/is_lim_seq_incr_1; apply: is_lim_seq_ext (is_lim_seq_const _) => n.
by rewrite sum_recl /chance (@sum_to_ext n _ (fun _ => 0)) ?sum_to_const => [|m _]; rewrite /=; ring.
Qed.

Lemma loss_once t h : mean (begins p) (fun x => shortfall (@leads _ _ p) prudent 0 (candidate_bandit t) (shows t) (best t) x h) =
  arm_loss t (choice (tau - (size h).+1) h).
Proof.
have [_ ok unit start_ok] := p_ok; have [hM unit'] := candidate_bandit_ok p_ok t.
rewrite (mean_ext _ (g := fun _ => arm_loss t (choice (tau - (size h).+1) h))); first exact: (mean_of_const _ start_ok).
move=> x; rewrite (one_global x) /shortfall draw_one.
have V1 pi : V 0 (candidate_bandit t) pi x1 = pull_mean t (pi x1) by rewrite (V_bellman no_discount hM) Rmult_0_l Rplus_0_r ffunE.
have -> : V 0 (candidate_bandit t) (best t) x1 = pull_mean t (best_arm t).
  apply: Rle_antisym; first by rewrite V1; exact: best_arm_ok.
  by have := best_ok t (fun _ => best_arm t) x1; rewrite V1.
congr (_ - _); rewrite (worth_of_policy no_discount (ok t) unit' (p := fun _ => choice (tau - (size h).+1) h) x1 hM)
  ?V1 // => [a s f|e y f].
  exact: bandit_shown.
exact: mean_point.
Qed.

Lemma regret_once t : regret_in_run (@leads _ _ p) prudent 0 (begins p) (candidate_bandit t) (shows t) (best t) tau =
  \sum_(k < tau) run1 t (nseq k (x1, 1%nat)) [::] (fun h => arm_loss t (choice (tau - (size h).+1) h)).
Proof.
have [_ ok unit start_ok] := p_ok; apply: sum_to_ext => k _.
pose loss h := arm_loss t (choice (tau - (size h).+1) h).
transitivity (schedules 0 (begins p) k (fun sc => run1 t sc [::] loss)).
  by apply: schedules_ext => sc; apply: (average_ext (run_averages _ sc [::] prudent_ok (ok t))) => h; exact: loss_once.
suff once f : schedules 0 (begins p) k f = f (nseq k (x1, 1%nat)) by exact: once.
elim: k f => [|k IH] f //=; rewrite (mean_ext _ (g := fun _ => f ((x1, 1%nat) :: nseq k (x1, 1%nat)))); first exact: (mean_of_const _ start_ok).
by move=> x; rewrite (one_global x) first_only IH.
Qed.

Lemma prudent_loses m h : (size h + m)%nat = tau -> \sum_(t : Theta) weights h t * (\sum_(k < m) run1 t (nseq k (x1, 1%nat)) h (fun h' => arm_loss t (choice (tau - (size h').+1) h'))) =
  least_regret m (weights h).
Proof.
elim: m h => [|m IH] h sz; first by rewrite big1 // => t _; rewrite /= Rmult_0_r.
have now : choice (tau - (size h).+1) h = choice m h by rewrite -sz addnS subSS addKn.
rewrite [RHS]/= -/(choice m h) /cost_of_arm.
rewrite (eq_bigr (fun o => \sum_(t : Theta) weights h t * (shows t (choice m h) tt o * \sum_(k < m) run1 t (nseq k (x1, 1%nat)) ((tt, x1, [:: (x1, choice m h, o)]) :: h)
    (fun h' => arm_loss t (choice (tau - (size h').+1) h'))))) => [|o _]; last first.
  by rewrite -(IH ((tt, x1, [:: (x1, choice m h, o)]) :: h)) ?addSnnS //; apply: eq_bigr => t _; rewrite /= /shown_too Rmult_assoc.
rewrite exchange_big -sum_add; apply: eq_bigr => t _; rewrite sum_scale -Rmult_plus_distr_l; congr (_ * _).
rewrite sum_recl [run1 t (nseq 0 _) h _]/= now; congr (_ + _).
rewrite (sum_to_ext (g := fun k => mean (shows t (choice m h) tt) (fun o => run1 t (nseq k (x1, 1%nat)) ((tt, x1, [:: (x1, choice m h, o)]) :: h)
    (fun h' => arm_loss t (choice (tau - (size h').+1) h'))))) => [|k _]; last by rewrite run_once now.
by rewrite -mean_sum_to.
Qed.

Lemma forced_at_most_least c : forces 0 p tau c -> c <= least_regret tau (@belief _ _ p).
Proof.
move=> f; apply: Rle_trans (f best best_ok _ _ prudent_ok) _; rewrite -(prudent_loses (h := [::]) (m := tau)) //.
by apply: Req_le; apply: eq_bigr => t _; rewrite regret_once.
Qed.
End Attained.

(* ---------------------------------------------------------------- A copy for each state *)

Notation O := (prod_finType (sight p) S).
Notation vector := [finType of {ffun S -> Theta}].
Definition seen_in (b : vector) (a : A) (s : S) (o : O) : R := if o.2 == s then shows (b s) a tt o.1 else 0.
Definition copies : prior A S :=
  @Prior A S vector (fun b => \prod_(s : S) @belief _ _ p (b s)) O snd (fun o => @pays _ _ p o.1) seen_in (@start_law A S xpredT).
Hypotheses (states : (0 < #|S|)%nat) (arms : (0 < #|A|)%nat).

Lemma mean_seen b a s f : mean (seen_in b a s) f = mean (shows (b s) a tt) (fun o => f (o, s)).
Proof.
pose g (o : sight p) (r : S) := (if r == s then shows (b s) a tt o else 0) * f (o, r).
rewrite /mean /seen_in (eq_bigr (fun q => g q.1 q.2)); last by case.
rewrite -(pair_big xpredT xpredT g) /= /g.
apply: eq_bigr => o _; rewrite -(sum_single s (fun r => shows (b s) a tt o * f (o, r))).
by apply: eq_bigr => r _; case: ifP => _ //; rewrite Rmult_0_l.
Qed.

Lemma seen_in_ok b a s : probability (seen_in b a s).
Proof.
split=> [o|]; first by rewrite /seen_in; case: ifP => _; [exact: (proj1 (lik_ok _ a)) | lra].
by have := mean_seen b a s (fun _ => 1); rewrite !mean_const (proj2 (lik_ok _ a)) !Rmult_1_r.
Qed.

Lemma copies_ok : prior_ok copies.
Proof.
have [bel ok pays_ok _] := p_ok; split=> //=; first exact: (product_probability (fun _ : S => bel)).
- exact: seen_in_ok.
- by have [_ _ _ h] := @coin_game_ok A S 0 1 (fun s z => (z, s)) xpredT (ltac:(lra)) (ltac:(lra)) arms states.
Qed.

(* ---------------------------------------------------------------- Apart *)

(* W(s, t) weighs parameter t of state s; all states together. *)
Definition joint (W : S -> Theta -> R) (b : vector) : R := \prod_(s : S) W s (b s).
Definition mass_of (w : Theta -> R) : R := \sum_(t : Theta) w t.
Definition updated (W : S -> Theta -> R) (i : S) (a : A) (o : sight p) (s : S) : Theta -> R := if s == i then shown_too (W s) a o else W s.
(* The sum over states of what each costs by itself. *)
Definition split_cost (W : S -> Theta -> R) (T : S -> nat) : R := \sum_(i : S) (\prod_(j : S | j != i) mass_of (W j)) * least_regret (T i) (W i).

Lemma joint_updated W i a o b : joint W b * shows (b i) a tt o = joint (updated W i a o) b.
Proof.
rewrite /joint (bigD1 i) //= [RHS](bigD1 i) //= /updated eqxx /shown_too Rmult_assoc (Rmult_comm (\prod_(s | s != i) _)) -Rmult_assoc; congr (_ * _).
by apply: eq_bigr => s /negbTE ->.
Qed.

Lemma mean_in_one W i (f : Theta -> R) : \sum_(b : vector) joint W b * f (b i) = (\prod_(j : S | j != i) mass_of (W j)) * \sum_(t : Theta) W i t * f t.
Proof.
pose F s t := if s == i then W s t * f t else W s t.
rewrite (eq_bigr (fun b : vector => \prod_(s : S) F s (b s))) => [|b _].
  rewrite sum_of_products (bigD1 i) //= /F eqxx Rmult_comm; congr (_ * _).
  by apply: eq_bigr => s /negbTE e; apply: eq_bigr => t _; rewrite e.
rewrite /joint (bigD1 i) //= [RHS](bigD1 i) //= /F eqxx Rmult_assoc (Rmult_comm (\prod_(s | s != i) _)) -Rmult_assoc; congr (_ * _).
by apply: eq_bigr => s /negbTE ->.
Qed.

(* One pull in state i changes what the other states cost in no way. *)
Lemma one_pull W T T' i a m : (forall s, weights_ok (W s)) -> T i = m.+1 -> T' i = m -> (forall j, j != i -> T' j = T j) ->
  split_cost W T <= \sum_(b : vector) joint W b * arm_loss (b i) a + \sum_(o : sight p) split_cost (updated W i a o) T'.
Proof.
move=> W0 Ti T'i T'j; rewrite (mean_in_one W i (fun t => arm_loss t a)) exchange_big /=.
rewrite [X in X <= _]/split_cost (sum_isolate i) [X in _ <= _ + X](sum_isolate i) -Rplus_assoc; apply: Rplus_le_compat.
  rewrite Ti T'i (eq_bigr (fun o => (\prod_(j : S | j != i) mass_of (W j)) * least_regret m (shown_too (W i) a o))) => [|o _]; last first.
    by rewrite {2}/updated eqxx; congr (_ * _); apply: eq_bigr => j /negbTE e; rewrite /updated e.
  rewrite sum_scale -Rmult_plus_distr_l; apply: Rmult_le_compat_l; last exact: argmin_at_most.
  by apply: product_nonneg => j _; apply: sum_nonneg => t _; exact: W0.
apply: Req_le; apply: eq_bigr => k ki; rewrite (T'j _ ki).
rewrite (eq_bigr (fun o => (\prod_(j : S | (j != k) && (j != i)) mass_of (W j)) * least_regret (T k) (W k) * mass_of (shown_too (W i) a o))) => [|o _]; last first.
  rewrite (bigD1 i) 1?eq_sym //= {1}/updated eqxx {2}/updated (negbTE ki) (eq_bigr (fun j => mass_of (W j))); first ring.
  by move=> j /andP [_ /negbTE e]; rewrite /updated e.
rewrite sum_scale (bigD1 i) 1?eq_sym //= (_ : \sum_(o : sight p) mass_of (shown_too (W i) a o) = mass_of (W i)); first ring.
rewrite /mass_of exchange_big /=; apply: eq_bigr => t _; rewrite sum_scale (proj2 (lik_ok t a)); ring.
Qed.

(* What the steps of a memory cost, each by how much its arm is worse than the best one of its state. *)
Definition losses (W0 : Type) (b : vector) (h : memory A S O W0) : R := price_in (fun a s => arm_loss (b s) a) h.
Notation losses_in b e := (price_of (fun a s => arm_loss (b s) a) e).

Section Play.
Variable L : agent A S O unit.
Hypothesis L_ok : agent_ok L.
Notation run b := (run_through snd L (seen_in b)).
Notation walking b := (walk snd L (seen_in b)).

Lemma sum_of_means (X : finType) (q : X -> R) (J c : vector -> R) (F : vector -> X -> R) : probability q ->
  \sum_(b : vector) J b * (mean q (F b) - c b) = mean q (fun y => \sum_(b : vector) J b * (F b y - c b)).
Proof. by move=> hq; rewrite mean_sum; apply: eq_bigr => b _; rewrite mean_scale mean_sub (mean_of_const _ hq). Qed.

(* Given the schedule, whatever the learner does with it, each state costs what it costs by itself. *)
Lemma run_apart sc h W : all (fun r => starts_still xpredT r.1) sc -> (forall s, weights_ok (W s)) ->
  split_cost W (fun i => time_in i sc) <= \sum_(b : vector) joint W b * (run b sc h (losses b) - losses b h).
Proof.
elim: sc h W => [|[x n] sc IH] h W.
  by move=> _ _; rewrite /split_cost big1 => [|i _]; [rewrite big1 => [|b _]; [lra | rewrite /=; ring] | rewrite /=; ring].
move=> /= /andP [/existsP [i /andP [_ /eqP ->]] rest] W_ok; suff walks e W' : (forall s, weights_ok (W' s)) -> split_cost W' (fun j => time_in j ((still A i, n) :: sc)) <=
    \sum_(b : vector) joint W' b * (walking b h tt n e (still A i) (fun e' _ => run b sc ((tt, still A i, e') :: h) (losses b)) - (losses_in b e + losses b h)).
  apply: Rle_trans (walks [::] W W_ok) _; apply: Req_le; apply: eq_bigr => b _.
  by rewrite draw_one {1}/price_of sum_nil Rplus_0_l.
elim: n e W' {W W_ok} => [|n IHn] e W W_ok.
  apply: Rle_trans (_ : _ <= split_cost W (fun j => time_in j sc)) _.
    by apply: Req_le; apply: eq_bigr => j _; rewrite /time_in /= if_same.
  apply: Rle_trans (IH ((tt, still A i, e) :: h) W rest W_ok) _; apply: Req_le; apply: eq_bigr => b _.
  by rewrite {2}/losses /price_in sum_cons.
have act_p := L_ok h tt e (still A i); rewrite [X in _ <= X](sum_of_means _ _ _ act_p).
apply: (mean_least act_p) => a; pose T j := time_in j ((still A i, n) :: sc).
have Ti : time_in i ((still A i, n.+1) :: sc) = (T i).+1 by rewrite /T /time_in /= eqxx.
have Tj j : j != i -> T j = time_in j ((still A i, n.+1) :: sc) by move=> ji; rewrite /T /time_in /= (still_inj arms) eq_sym (negbTE ji).
apply: Rle_trans (one_pull a W_ok Ti (erefl (T i)) Tj) _.
pose Y b (o : sight p) := walking b h tt n ((still A i, a, (o, i)) :: e) (still A i) (fun e' _ => run b sc ((tt, still A i, e') :: h) (losses b)).
have next o : split_cost (updated W i a o) T <= \sum_(b : vector) joint W b * (shows (b i) a tt o * (Y b o - (arm_loss (b i) a + losses_in b e + losses b h))).
  apply: Rle_trans (IHn ((still A i, a, (o, i)) :: e) _ _) _ => [s|].
    by rewrite /updated; case: eqP => _ //; exact: shown_ok.
  apply: Req_le; apply: eq_bigr => b _; rewrite -joint_updated Rmult_assoc; congr (_ * (_ * (_ - (_ + _)))).
  by rewrite {1}/price_of sum_cons /= ffunE.
apply: Rle_trans (Rplus_le_compat_l _ _ _ (sum_le _ (fun o _ => next o))) _.
rewrite exchange_big /= -sum_add; apply: Req_le; apply: eq_bigr => b _.
rewrite sum_scale -Rmult_plus_distr_l; congr (_ * _).
rewrite ffunE mean_seen (mean_ext _ (g := Y b)) => [|o]; last by rewrite /= moved_still.
have lik := lik_ok (b i) a; set c := losses_in b e + losses b h.
rewrite (eq_bigr (fun o => shows (b i) a tt o * (Y b o - (arm_loss (b i) a + c)))) => [|o _]; last by rewrite /c -Rplus_assoc.
by rewrite -/(mean _ _) mean_sub (mean_of_const _ lik); ring.
Qed.

End Play.

Variables (W0 : Type) (L : agent A S O W0).
Hypothesis L_ok : agent_ok L.

(* What is learned in one state is of no use in another. For any schedule, known to the learner or not, what all steps cost in
   the mean over the prior is at least the sum over states i of the least that T_i pulls of the stochastic bandit cost.
   ledger: thm:lower_bound/separate-states *)
Theorem separate_states sc : all (fun r => starts_still xpredT r.1) sc ->
  \sum_(i : S) least_regret (time_in i sc) (@belief _ _ p) <= mean (@belief _ _ copies) (fun b => run_through snd L (seen_in b) sc [::] (losses b)).
Proof.
move=> good; have [bel_ok _ _ _] := p_ok; apply: Rle_trans (_ : _ <= split_cost (fun _ => @belief _ _ p) (fun i => time_in i sc)) _.
  by apply: Req_le; apply: eq_bigr => i _; rewrite big1 ?Rmult_1_l // => j _; exact: (proj2 bel_ok).
apply: Rle_trans (run_apart (arms_alone_ok L_ok) [::] good (fun _ => proj1 bel_ok)) _; apply: Req_le; apply: eq_bigr => b _.
by rewrite {2}/losses /price_in sum_nil Rminus_0_r; congr (_ * _); exact: esym (prices_alike snd (seen_in_ok b) _ _ L_ok).
Qed.

(* ---------------------------------------------------------------- The regret, step by step *)

Variables (beta : R) (best : vector -> policy A S).
Hypotheses (discount : is_discount beta) (best_ok : best_policies beta (p := copies) best).
Notation bandit b := (@candidate_bandit _ _ copies b).
Notation top := (1 / (1 - beta)).
Notation walking b h w := (walk snd L (seen_in b) h w).

Lemma reward_of_copy b a s : reward (bandit b) a s = pull_mean (b s) a.
Proof. exact: mean_seen. Qed.

(* Who knows the model earns what the best arm of the state pays. *)
Lemma value_of_copies b i : V beta (bandit b) (best b) (still A i) = pull_mean (b i) (best_arm (b i)) * top.
Proof.
have [hM unit] := candidate_bandit_ok copies_ok b; have [b0 b1] := discount; have t1 : top = 1 + beta * top by field; lra.
set r := pull_mean (b i) (best_arm (b i)); have rt : r * top = r + beta * (r * top) by rewrite {1}t1; ring.
have stay a (x : state A S) (w : state A S -> R) : mean (@chances _ _ copies b a (x a)) (fun o => w (moved x a (@leads _ _ copies o))) = w x.
  change (mean (seen_in b a (x a)) (fun o => w (moved x a o.2)) = w x); rewrite mean_seen -[RHS](mean_of_const _ (lik_ok (b (x a)) a)).
  by apply: mean_ext => o; rewrite /= moved_self.
apply: Rle_antisym.
  pose w (x : state A S) := if x == still A i then r * top else top.
  apply: Rle_trans (_ : _ <= w (still A i)) _; last by rewrite /w eqxx; lra.
  apply: (V_at_most discount hM) => a x; rewrite reward_of_copy bandit_shown stay /w; case: eqP => [->|_].
    by rewrite ffunE; have := best_arm_ok (b i) a; rewrite -/r; lra.
  by have [_ r1] := pull_mean_range (b (x a)) a; lra.
apply: Rle_trans (best_ok b (fun _ => best_arm (b i)) (still A i)).
pose w (x : state A S) := if x (best_arm (b i)) == i then r * top else 0.
apply: Rle_trans (_ : _ <= w (still A i)) _; first by rewrite /w ffunE eqxx; lra.
apply: (V_at_least_for discount hM) => x; rewrite reward_of_copy bandit_shown stay /w; case: eqP => [->|_]; first by rewrite -/r; lra.
by rewrite Rmult_0_r Rplus_0_r; case: (pull_mean_range (b (x (best_arm (b i)))) (best_arm (b i))).
Qed.

(* The regret of an episode is the mean, over its length, of what its steps cost: V*(i) less what is earned.
   ledger: thm:lower_bound/regret-by-steps *)
Theorem regret_by_steps b i h w : is_series (fun m => chance beta m * walk snd L (seen_in b) h w m.+1 [::] (still A i) (fun e _ => losses_in b e))
  (V beta (bandit b) (best b) (still A i) - plan_worth snd L beta (bandit b) (seen_in b) h w (still A i)).
Proof using All.
have [hM unit] := candidate_bandit_ok copies_ok b; set r := pull_mean (b i) (best_arm (b i)).
have sum n e : walking b h w n e (still A i) (fun e' _ => gain (bandit b) e' + losses_in b e') = gain (bandit b) e + losses_in b e + INR n * r.
  elim: n e => [|n IH] e; first by rewrite /=; ring.
  rewrite [LHS]/= -[RHS](mean_of_const _ (L_ok h w e (still A i))); apply: mean_ext => a.
  rewrite ffunE mean_seen -[RHS](mean_of_const _ (lik_ok (b i) a)); apply: mean_ext => o.
  have gc : losses_in b ((still A i, a, (o, i)) :: e) = arm_loss (b i) a + losses_in b e by rewrite {1}/price_of sum_cons /= ffunE.
  have rc : gain (bandit b) ((still A i, a, (o, i)) :: e) = pull_mean (b i) a + gain (bandit b) e.
    by rewrite {1}/gain sum_cons [reward _ _ _]reward_of_copy /= ffunE.
  by rewrite [LHS]/= moved_still IH S_INR gc rc (_ : arm_loss (b i) a = r - pull_mean (b i) a) //; ring.
have split m : walking b h w m.+1 [::] (still A i) (fun e _ => losses_in b e) =
    INR m.+1 * r - walking b h w m.+1 [::] (still A i) (fun e _ => gain (bandit b) e).
  have av := walk_averages snd L_ok (seen_in_ok b) h w m.+1 [::] (still A i).
  have := sum m.+1 [::]; rewrite [gain _ [::]]sum_nil {2}/price_of sum_nil.
  rewrite (average_add av (fun q => gain (bandit b) q.1) (fun q => losses_in b q.1)) /=; lra.
have s1 := is_series_scal r _ _ (mean_length discount).
have s2 : is_series (fun m => chance beta m * walking b h w m.+1 [::] (still A i) (fun e _ => gain (bandit b) e))
  (plan_worth snd L beta (bandit b) (seen_in b) h w (still A i)) by apply: plan_worth_is_mean_gain => //; exact: seen_in_ok.
rewrite value_of_copies -/r; apply: is_series_ext (is_series_minus _ _ _ _ s1 s2) => m.
rewrite split; rewrite /plus /opp /scal /= /mult /=; ring.
Qed.
End Copies.
