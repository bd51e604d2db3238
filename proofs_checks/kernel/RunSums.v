(* Sums along the play of what depends on the past, on the state of all arms and on the arm that is played. Given each past the
   sum over an episode that is cut at N lies between discounted sums over the play of the model, up to T0 and up to N; summed
   over K episodes this carries recursions and discounted bounds to the law of histories. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes Weights Laws LawOfRun Truncation Frozen.

(* ---------------------------------------------------------------- On histories *)

Section Along.
Variables (A S : finType) (O : Type).
Notation history := (history A S O).
Notation paid := (global A S -> A -> R).
Implicit Types (g : history -> paid) (h : history).

(* The sum over the steps of g, which may depend on the state and on the arm; and over all episodes, on their pasts too. *)
Definition over_steps (g : paid) (e : seq (step A S O)) : R := \sum_(p <- e) g p.1.1 p.1.2.
Definition along_run g : history -> R := over_episodes (fun h h' => over_steps (g h) (newest h')).

Lemma over_steps_linear u v (f g : paid) e :
  over_steps (fun x a => u * f x a + v * g x a) e = u * over_steps f e + v * over_steps g e.
Proof. by rewrite /over_steps; elim: e => [|p e IH]; [rewrite !sum_nil; ring | rewrite !sum_cons IH; ring]. Qed.

Lemma over_steps_le (f g : paid) e : (forall x a, f x a <= g x a) -> over_steps f e <= over_steps g e.
Proof. by move=> fg; apply: sum_le => p _; exact: fg. Qed.

Lemma along_linear u v f g h :
  along_run (fun h x a => u * f h x a + v * g h x a) h = u * along_run f h + v * along_run g h.
Proof. by rewrite /along_run; elim: h => [|r h IH] /=; [ring | rewrite IH over_steps_linear; ring]. Qed.

Lemma along_le f g h : (forall h x a, f h x a <= g h x a) -> along_run f h <= along_run g h.
Proof. by move=> fg; rewrite /along_run; elim: h => [|r h IH] /=; [lra | apply: Rplus_le_compat => //; exact: over_steps_le]. Qed.

Lemma along_ext f g h : (forall h x a, f h x a = g h x a) -> along_run f h = along_run g h.
Proof. by move=> fg; apply: Rle_antisym; apply: along_le => h' x a; rewrite fg; exact: Rle_refl. Qed.

(* Functions of the count of the cell that is played. *)
Lemma along_frozen (w : history -> R) (f : nat -> R) h :
  along_run (fun h x a => w h * f (count_of (a, x a) h)) h = frozen w f h.
Proof.
rewrite /along_run /frozen; elim: h => [|r h IH] //=; rewrite IH; congr (_ + _).
rewrite /over_steps sum_scale; congr (_ * _); elim: (r.2) => [|[[x a] o] e IHe]; first by rewrite !sum_nil.
by rewrite [shown _]/= !sum_cons IHe.
Qed.

Lemma along_one c h : along_run (fun _ _ _ => c) h = c * INR (duration h).
Proof.
rewrite /along_run; elim: h => [|[p e] h IH]; first by rewrite /= Rmult_0_r.
rewrite over_cons IH duration_cons plus_INR [newest _]/=.
by rewrite /over_steps sum_seq_const; move: (INR _) (INR _) => u v; ring.
Qed.

(* ---------------------------------------------------------------- Tame ones *)
Definition tame_paid g := forall x a, tame (fun h => g h x a).

Lemma tame_abs (F : history -> R) : tame F -> tame (fun h => Rabs (F h)).
Proof. by move=> tF m; have [C FC] := tF m; exists C => h hm; rewrite Rabs_Rabsolu; exact: FC. Qed.

Definition most g h : R := \sum_(x : global A S) \sum_(a : A) Rabs (g h x a).
Lemma most_tame g : tame_paid g -> tame (most g).
Proof. by move=> tg; apply: tame_sum => x; apply: tame_sum => a; apply: tame_abs; exact: tg. Qed.
Lemma at_most_most g h x a : Rabs (g h x a) <= most g h.
Proof.
have r0 x' a' : 0 <= Rabs (g h x' a') by exact: Rabs_pos.
apply: Rle_trans (term_le_sum x (f := fun x => \sum_(a : A) Rabs (g h x a)) _); last by move=> y; apply: sum_nonneg => b _; exact: r0.
exact: (term_le_sum a (f := fun a => Rabs (g h x a)) (r0 x)).
Qed.

Lemma over_steps_abs g h e : Rabs (over_steps (g h) e) <= INR (size e) * most g h.
Proof.
rewrite /over_steps; elim: e => [|p e IH]; first by rewrite sum_nil Rabs_R0 /=; lra.
rewrite sum_cons [size _]/= S_INR; apply: Rle_trans (Rabs_triang _ _) _.
by have := at_most_most g h p.1.1 p.1.2; lra.
Qed.

Lemma tame2_over g : tame_paid g -> tame2 (fun h h' => over_steps (g h) (newest h')).
Proof.
move=> tg m; have [C gC] := most_tame tg m; exists (INR m * C) => h h' hm hm'.
apply: Rle_trans (over_steps_abs g h _) _.
have s : (size (newest h') <= m)%nat by apply: leq_trans (newest_duration h') _; apply: leq_trans hm'; exact: leq_addl.
have m0 : 0 <= most g h by apply: sum_nonneg => x _; apply: sum_nonneg => a _; exact: Rabs_pos.
apply: Rmult_le_compat => //; [exact: pos_INR | by apply: le_INR; apply/leP |].
by apply: Rle_trans (Rle_abs _) _; exact: gC.
Qed.

Lemma tame_along g : tame_paid g -> tame (along_run g).
Proof. by move=> tg; apply: tame_over; exact: tame2_over. Qed.

Lemma tame_paid_add f g : tame_paid f -> tame_paid g -> tame_paid (fun h x a => f h x a + g h x a).
Proof. by move=> tf tg x a; exact: tame_add. Qed.
Lemma tame_paid_scale u f : tame_paid f -> tame_paid (fun h x a => u * f h x a).
Proof. by move=> tf x a; exact: tame_scale. Qed.
Lemma tame_paid_range f c : (forall h x a, 0 <= f h x a <= c) -> tame_paid f.
Proof. by move=> fc x a; apply: (@bounded_tame _ _ _ _ c) => h; rewrite Rabs_pos_eq; case: (fc h x a). Qed.
Lemma tame_paid_count (w : history -> R) (f : nat -> R) : tame w -> tame_paid (fun h x a => w h * f (count_of (a, x a) h)).
Proof. by move=> tw x a; apply: tame_mult => //; exact: tame_count. Qed.
Lemma tame_paid_cell (f : nat -> R) : tame_paid (fun h x a => f (count_of (a, x a) h)). Proof. by move=> x a; exact: tame_count. Qed.
Lemma tame_paid_const c : tame_paid (fun _ _ _ => c). Proof. by move=> x a; exact: tame_const. Qed.
End Along.

(* Proves that what is made of tame functions is tame. *)
Ltac paid := repeat first [match goal with known : _ |- _ => exact: known end | exact: tame_paid_const | exact: tame_paid_cell
  | apply: tame_paid_add | apply: tame_paid_scale].

(* ---------------------------------------------------------------- On the law of histories *)

Section Play.
Variables (A S : finType) (O : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation plays := (plays A S).
Notation global := (global A S).
Notation history := (history A S O).
Notation cell := (cell A S).
Notation paid := (global -> A -> R).
Variables (learner : history -> plays -> R) (rho : global -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variables (shows : A -> S -> law_on O) (M : model A S).
Hypotheses (hM : markovian M) (M_shown : forall a s F, mean (row M a s) F = shows a s (fun o => F (next o))).
Notation cut N := (at_most_long beta N).
Notation episodeN N := (episode next learner rho shows (cut N)).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Notation mean_of K F := (expected next beta learner rho shows K F).
Notation under pi := (fun y => P M ((pi : plays) y) y).
Notation owed g pi := (fun y => (g : paid) y ((pi : plays) y)).
Notation adds := (law_add next discount learner_ok rho_ok shows).
Notation scales := (law_scale next discount learner_ok rho_ok shows).

Lemma steps_along_state (g : paid) pi n x (e : seq (step A S O)) : steps next shows pi n x e (over_steps g) =
  over_steps g e + total (under pi) (owed g pi) n x.
Proof.
elim: n x e => [|n IH] x e; first by rewrite /=; ring.
rewrite [LHS]/= [total _ _ _ _]/= mean_P M_shown (E_ext _ (g := fun o => (g x (pi x) + over_steps g e) +
    total (under pi) (owed g pi) n (moved x (pi x) (next o)))) => [|o]; last by rewrite IH /over_steps sum_cons.
rewrite E_add ?E_const; [by rewrite (Rplus_comm (g _ _)) Rplus_assoc | exact: by_const |].
by have [D [_ hD]] := exists_bound (fun y : S => total (under pi) (owed g pi) n (moved x (pi x) y)); exists D => o.
Qed.

Lemma episode_along_state N h (g : paid) : episodeN N h (fun h' => over_steps g (newest h')) =
  mean (learner h) (fun pi => mean rho (fun x => cut N (fun n => total (under pi) (owed g pi) n x))).
Proof.
apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n.
by rewrite (steps_along_state g pi n x [::]) /over_steps sum_nil Rplus_0_l.
Qed.

(* sum_{t < T} beta^t E g(x_t, a_t), under the policy and the start that the learner and rho draw after the past h. *)
Definition ahead (T : nat) (g : paid) (h : history) : R := mean (learner h) (fun pi => mean rho (fun x =>
  \sum_(t < T) (beta ^ t * reward_at (under pi) (owed g pi) t x))).

Lemma ahead_scale T u (g : paid) h : ahead T (fun x a => u * g x a) h = u * ahead T g h.
Proof.
rewrite mean2_scale; apply: mean_ext => pi; apply: mean_ext => x; rewrite -sum_to_scale; apply: sum_to_ext => t _;
  rewrite reward_at_scale; ring.
Qed.

Lemma owed_nonneg (g : paid) pi t x : (forall x a, 0 <= g x a) -> 0 <= reward_at (under pi) (owed g pi) t x.
Proof.
move=> g0; elim: t x => [|t IH] x /=; first exact: g0.
by apply: mean_nonneg => // y; exact: (proj1 (P_stochastic (pi x) x hM)).
Qed.

Lemma ahead_nonneg T (g : paid) h : (forall x a, 0 <= g x a) -> 0 <= ahead T g h.
Proof.
move=> g0; rewrite -[X in X <= _](mean2_const _ (learner_ok h) rho_ok); apply: mean2_le => // pi x;
  apply: sum_to_nonneg => t _; apply: Rmult_le_pos; last exact: owed_nonneg.
by case: discount => b0 _; exact: pow_le.
Qed.

Lemma ahead_tame T (g : history -> paid) : tame_paid g -> (forall h x a, 0 <= g h x a) -> tame (fun h => ahead T (g h) h).
Proof.
move=> tg g0; have [b0 _] := discount; set c := \sum_(t < T) (beta ^ t * 1).
apply: (tame_le (G := fun h => c * most g h)) => [|h]; first by apply: tame_scale; exact: most_tame.
split; first by apply: ahead_nonneg.
rewrite /ahead -[X in _ <= X](mean2_const _ (learner_ok h) rho_ok); apply: mean2_le => // pi x.
rewrite /c Rmult_comm -sum_to_scale; apply: sum_to_le => t _; rewrite Rmult_1_r Rmult_comm; apply: Rmult_le_compat_r; first exact: pow_le.
elim: t x => [|t IH] x /=; first by apply: Rle_trans (Rle_abs _) _; exact: at_most_most.
have ps := P_stochastic (pi x) x hM; rewrite -(mean_of_const (most g h) ps).
by apply: mean_le => [y|y]; [exact: (proj1 ps) | exact: IH].
Qed.

(* What holds of every policy that the learner may choose holds in the mean. *)
Lemma chosen_mean (D : plays -> global -> R) k v T (g : paid) h :
  (forall pi x, 0 < learner h pi -> D pi x <= k + v * \sum_(t < T) (beta ^ t * reward_at (under pi) (owed g pi) t x)) ->
  mean (learner h) (fun pi => mean rho (D pi)) <= k + v * ahead T g h.
Proof.
move=> le; rewrite /ahead -mean_scale -{1}(mean_of_const k (learner_ok h)) -mean_add.
apply: mean_le_where => [pi|pi chosen]; first exact: (proj1 (learner_ok h)).
rewrite -mean_scale -{1}(mean_of_const k rho_ok) -mean_add.
by apply: mean_le => [x|x]; [exact: (proj1 rho_ok) | exact: le].
Qed.

Lemma ahead_of_episode N T h (g : paid) : (forall x a, 0 <= g x a) -> (T <= N)%nat ->
  (1 - beta ^ (N - T)) * ahead T g h <= episodeN N h (fun h' => over_steps g (newest h')).
Proof.
move=> g0 TN; rewrite episode_along_state mean2_scale; apply: mean2_le => // pi x.
by apply: (unfolded_at_most_cut discount _ TN) => t; exact: owed_nonneg.
Qed.

Lemma episode_at_most_ahead N h (g : paid) : (forall x a, 0 <= g x a) ->
  episodeN N h (fun h' => over_steps g (newest h')) <= (1 - beta ^ N) * ahead N g h.
Proof.
move=> g0; rewrite episode_along_state mean2_scale; apply: mean2_le => // pi x.
by apply: cut_at_most_discounted => // t; exact: owed_nonneg.
Qed.

(* K episodes. *)
Lemma ahead_of_run N T K (g : history -> paid) : tame_paid g -> (forall h x a, 0 <= g h x a) -> (T <= N)%nat ->
  (1 - beta ^ (N - T)) * cut_mean N K (summed (fun h => ahead T (g h) h)) <= cut_mean N K (along_run g).
Proof.
move=> tg g0 TN; set k := 1 - _; have [k0 _] := cut_mass discount (N - T); have [m0 m1] := cut_mass discount N.
have ta := ahead_tame T tg g0; rewrite /truncated -(scales N K [::] k); last exact: tame_summed.
rewrite (@law_ext A S O next beta learner rho shows N K [::] _ (summed (fun h => k * ahead T (g h) h))) => [|h]; last by rewrite summed_scale.
apply: law_over_episodes => // [||h]; [by apply: tame2_left; exact: tame_scale | exact: tame2_over |].
rewrite (episode_const next beta learner_ok rho_ok shows).
apply: Rle_trans (ahead_of_episode h (g0 h) TN).
have p : 0 <= k * ahead T (g h) h by apply: Rmult_le_pos => //; exact: ahead_nonneg.
by rewrite -/k; nra.
Qed.

Lemma run_at_most_ahead N K (g : history -> paid) : tame_paid g -> (forall h x a, 0 <= g h x a) ->
  cut_mean N K (along_run g) <= cut_mean N K (summed (fun h => ahead N (g h) h)).
Proof.
move=> tg g0; apply: law_over_episodes => // [||h]; [exact: tame2_over | by apply: tame2_left; exact: ahead_tame |].
rewrite (episode_const next beta learner_ok rho_ok shows); exact: episode_at_most_ahead.
Qed.

(* Means of linear combinations. *)
Lemma cut_le_linear N K s F u G v H c : tame F -> tame G -> tame H -> 0 <= c ->
  (forall h : history, size h = K -> s * F h <= u * G h + (v * H h + c)) ->
  s * cut_mean N K F <= u * cut_mean N K G + (v * cut_mean N K H + c).
Proof.
move=> tF tG tH c0 le; have tc := @tame_const A S O c; have tGs := tame_scale u tG; have tHs := tame_scale v tH.
apply: Rle_trans (_ : _ <= cut_mean N K (fun h => u * G h + (v * H h + c))) _.
  rewrite /truncated -scales //; apply: law_le => // [||h sz]; [exact: tame_scale | by do 2! apply: tame_add => // |].
  by apply: le; rewrite sz addn0.
rewrite /truncated !adds //; last exact: tame_add.
by rewrite !scales // -!/(cut_mean N K _); have := law_const_le next discount learner_ok rho_ok shows N K [::] c0; rewrite -/(cut_mean N K _); lra.
Qed.

Lemma cut_along_le N K f g : tame_paid f -> tame_paid g -> (forall h x a, f h x a <= g h x a) ->
  cut_mean N K (along_run f) <= cut_mean N K (along_run g).
Proof. by move=> tf tg fg; apply: law_le => // [||h _]; [exact: tame_along | exact: tame_along | exact: along_le]. Qed.

Lemma cut_along_scale N K u f : tame_paid f -> cut_mean N K (along_run (fun h x a => u * f h x a)) = u * cut_mean N K (along_run f).
Proof.
move=> tf; rewrite /truncated -scales; last exact: tame_along.
apply: law_ext => h; rewrite -(Rplus_0_r (u * _)) -(Rmult_0_l (along_run f h)) -along_linear.
by apply: along_ext => *; ring.
Qed.

Lemma cut_along_add N K f g : tame_paid f -> tame_paid g -> cut_mean N K (along_run (fun h x a => f h x a + g h x a)) =
  cut_mean N K (along_run f) + cut_mean N K (along_run g).
Proof.
move=> tf tg; rewrite /truncated -adds; [|exact: tame_along|exact: tame_along]; apply: law_ext => h.
by rewrite -[X in X + _]Rmult_1_l -[X in _ + X]Rmult_1_l -along_linear; apply: along_ext => *; ring.
Qed.

Lemma cut_along_frozen N K w f : cut_mean N K (along_run (fun h x a => w h * f (count_of (a, x a) h))) = cut_mean N K (frozen w f).
Proof. by apply: law_ext => h; exact: along_frozen. Qed.

Lemma cut_along_one N K c : 0 <= c -> cut_mean N K (along_run (fun _ _ _ => c)) <= c * (INR K * (1 / (1 - beta))).
Proof.
move=> c0; rewrite /truncated (@law_ext A S O next beta learner rho shows N K [::] _ (fun h => c * INR (duration h))) => [|h]; last exact: along_one.
rewrite scales; last exact: (@tame_steps A S O INR).
by apply: Rmult_le_compat_l => //; exact: (mean_duration next discount learner_ok rho_ok shows).
Qed.

(* ---------------------------------------------------------------- Functions of the cell that is played *)

Lemma over_cells (g : cell -> R) (e : seq (step A S O)) : \sum_(p <- shown e) g p.1 = over_steps (fun x a => g (a, x a)) e.
Proof. by rewrite /over_steps; elim: e => [|[[x a] o] e IH]; [rewrite !sum_nil | rewrite [shown _]/= !sum_cons IH]. Qed.

Lemma steps_along pi n x (e : seq (step A S O)) (g : cell -> R) : steps next shows pi n x e (fun e' => \sum_(p <- shown e') g p.1) =
  \sum_(p <- shown e) g p.1 + along M (fun y => pi y) (fun a s => g (a, s)) n x.
Proof. by rewrite over_cells -steps_along_state; apply: steps_ext => e'; exact: over_cells. Qed.

Definition unfolded (T : nat) (g : cell -> R) : history -> R := ahead T (fun x a => g (a, x a)).

(* One episode, given the past: its length is geometric and independent of what is shown, so that discounting is cutting.
   ledger: beyond:upper/recursion *)
Theorem unfolded_of_episode N T0 g h : (forall c, 0 <= g c) -> (T0 <= N)%nat ->
  (1 - beta ^ (N - T0)) * unfolded T0 g h <= episodeN N h (fun h' => \sum_(p <- shown (newest h')) g p.1).
Proof.
move=> g0 TN; apply: Rle_trans (ahead_of_episode (g := fun x a => g (a, x a)) h _ TN) _ => //.
by apply: Req_le; apply: (@law_ext A S O next beta learner rho shows N 1) => h'; rewrite over_cells.
Qed.

(* If X, given each past, is at most a sum along the play, as far as T0, and what is bad, then so it is for K episodes. *)
Lemma sum_by_ahead (X bad : history -> R) (g : history -> paid) (u v : nat -> R) (C F b : R) T0 K : 0 <= C -> (forall h, Rabs (X h) <= C) ->
  tame bad -> tame_paid g -> (forall h x a, 0 <= g h x a) -> (forall h, X h <= ahead T0 (g h) h + bad h) ->
  (forall N, 0 <= u N) -> is_lim_seq u 1 -> (forall N, u N * cut_mean N K (along_run g) <= F) ->
  (forall N, cut_mean N K (summed bad) <= v N) -> is_lim_seq v b -> \sum_(k < K) mean_of k X <= F + b.
Proof.
move=> C0 XC tb tg g0 le u0 u1 gF badv vb; rewrite -(mean_summed next discount learner_ok rho_ok shows _ C0 XC).
have sX := summed_sized C0 XC; have tX := sized_tame sX; have ta := tame_summed (ahead_tame T0 tg g0); have tB := tame_summed tb.
have incr w l : is_lim_seq w (Finite l) -> is_lim_seq (fun m => w (m + T0)%nat) (Finite l) := proj1 (is_lim_seq_incr_n w T0 l).
have shift w l : is_lim_seq w (Finite l) -> is_lim_seq (fun m => u (m + T0)%nat * ((1 - beta ^ m) * w (m + T0)%nat)) (Finite l).
  move=> wl; have := is_lim_seq_mult' _ _ _ _ (incr _ _ u1) (is_lim_seq_mult' _ _ _ _ (geometric_rest discount) (incr _ _ wl)).
  by rewrite !Rmult_1_l.
have lX := shift _ _ (expected_is_limit (next := next) discount learner_ok rho_ok (shows := shows) (K := K) sX).
have lb := is_lim_seq_plus' _ _ _ _ (is_lim_seq_const F) (shift _ _ vb).
apply: (is_lim_seq_le _ _ _ (Finite (F + b)) _ lX lb) => m; have [m0 _] := cut_mass discount m; set N := (m + T0)%nat.
have most := Rmult_le_compat_l _ _ _ (u0 N) (ahead_of_run K tg g0 (leq_addl m T0)); rewrite addnK -/N in most.
have hX : cut_mean N K (summed X) <= cut_mean N K (summed (fun h => ahead T0 (g h) h)) + v N.
  apply: Rle_trans (Rplus_le_compat_l _ _ _ (badv N)); rewrite /truncated -adds //.
  by apply: law_le => // [|h _]; [exact: tame_add | rewrite -summed_add; exact: summed_le].
by have := Rmult_le_compat_l _ _ _ (u0 N) (Rmult_le_compat_l _ _ _ m0 hX); have := gF N; lra.
Qed.

(* If X, given each past, is off an event at most a sum unfolded along the play, frozen at that past, then the sum of X over K
   episodes is in the mean at most the frozen sum of the run, and what the event costs.
   step of: thm:regret_upper_bound *)
Theorem sum_of_frozen (X bad w : history -> R) (f : nat -> R) C F K : 0 <= C -> tame w ->
  (forall h, Rabs (X h) <= C) -> (forall h, Rabs (bad h) <= C) -> (forall h, 0 <= w h) -> (forall n, 0 <= f n) -> (forall n, f n <= f 0%nat) ->
  (forall h T0, X h <= w h * unfolded T0 (fun c => f (count_of c h)) h + bad h + beta ^ T0 * C) ->
  (forall N, cut_mean N K (frozen w f) <= F) ->
  \sum_(k < K) mean_of k X <= F + \sum_(k < K) mean_of k bad.
Proof.
move=> C0 tw XC badC w0 f0 fm le frozenF; have [b0 _] := discount.
apply: (geometric_le discount (is_lim_seq_const _) (C := INR K * C)) => T0.
have c0 : 0 <= beta ^ T0 * C by apply: Rmult_le_pos => //; exact: pow_le.
have tb : tame bad := bounded_tame badC; have tc := @tame_const A S O (beta ^ T0 * C).
have lbad := expected_is_limit (next := next) discount learner_ok rho_ok (shows := shows) (K := K) (summed_sized C0 badC).
rewrite (mean_summed next discount learner_ok rho_ok shows _ C0 badC) in lbad; rewrite Rplus_assoc.
apply: (sum_by_ahead (bad := fun h => bad h + beta ^ T0 * C) (g := fun h x a => w h * f (count_of (a, x a) h)) (T0 := T0) C0 XC _ _ _ _ (fun _ => Rle_0_1)
  (is_lim_seq_const 1) _ _ (is_lim_seq_plus' _ _ _ _ lbad (is_lim_seq_const (beta ^ T0 * (INR K * C))))) => [||h x a|h|N|N].
- exact: tame_add.
- exact: tame_paid_count.
- exact: Rmult_le_pos.
- by rewrite ahead_scale -Rplus_assoc; exact: le.
- by rewrite cut_along_frozen Rmult_1_l.
have const := summed_cut discount learner_ok rho_ok K tc c0 (fun j => law_const_le next discount learner_ok rho_ok shows N j [::] c0).
rewrite /truncated (@law_ext A S O next beta learner rho shows N K [::] _ _ (summed_add bad _)) adds; [|exact: tame_summed|exact: tame_summed].
by rewrite -!/(cut_mean N K _); lra.
Qed.
End Play.
