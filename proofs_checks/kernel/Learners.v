(* Learners that see everything and choose an arm at every step: the law of a run, the regret, and episodic learners, which
   are a case. Lower bounds are proved for learners that draw arms alone (W has one element); Randomised.v takes them to all.

   At the start of an episode the learner draws w from any set W by any law, which depends on all that it has seen and
   drawn (a policy, a plan, coins); at every step it draws an arm by a law that depends on that and on the episode so far.
   Episodes have geometric lengths, which it does not know beforehand. Initial states and lengths do not depend on the play:
   a schedule, drawn first, lists them. *)

From kernel Require Import Limits Sums Values Bandits Horizon Horizons Concentration Episodes Laws LawOfRun Truncation.

(* ---------------------------------------------------------------- Means of finite trees *)

(* What is used of the mean over a finite tree of coins. *)
Record averages (X : Type) (E : (X -> R) -> R) : Prop := Averages {
  average_const : forall c, E (fun _ => c) = c;
  average_add : forall F G, E (fun x => F x + G x) = E F + E G;
  average_scale : forall c F, E (fun x => c * F x) = c * E F;
  average_le : forall F G, (forall x, F x <= G x) -> E F <= E G
}.

Lemma average_ext (X : Type) (E : (X -> R) -> R) F G : averages E -> (forall x, F x = G x) -> E F = E G.
Proof. by move=> av FG; apply: Rle_antisym; apply: (average_le av) => x; rewrite FG; lra. Qed.

Lemma average_sub (X : Type) (E : (X -> R) -> R) F G : averages E -> E (fun x => F x - G x) = E F - E G.
Proof.
move=> av; rewrite (average_ext av (G := fun x => F x + -1 * G x)) => [|x]; last ring.
by rewrite (average_add av) (average_scale av); ring.
Qed.

Lemma average_range (X : Type) (E : (X -> R) -> R) F c d : averages E -> (forall x, c <= F x <= d) -> c <= E F <= d.
Proof.
move=> av cd; split; [rewrite -(average_const av c) | rewrite -[X in _ <= X](average_const av d)];
  by apply: (average_le av) => x; case: (cd x).
Qed.

Lemma average_nonneg (X : Type) (E : (X -> R) -> R) F : averages E -> (forall x, 0 <= F x) -> 0 <= E F.
Proof. by move=> av F0; rewrite -(average_const av 0); exact: (average_le av). Qed.

Lemma average_sum (X : Type) (E : (X -> R) -> R) (I : finType) (q : pred I) (F : I -> X -> R) : averages E ->
  E (fun x => \sum_(i : I | q i) F i x) = \sum_(i : I | q i) E (F i).
Proof.
move=> av; elim: (index_enum I) => [|i s IH].
  rewrite big_nil -[RHS](average_const av); apply: average_ext => // x; exact: big_nil.
rewrite big_cons -IH; case: ifP => qi; last by apply: average_ext => // x; rewrite big_cons qi.
by rewrite -(average_add av); apply: average_ext => // x; rewrite big_cons qi.
Qed.

Lemma average_swap (X : Type) (E : (X -> R) -> R) (I : finType) (q : I -> R) (f : X -> I -> R) : averages E ->
  E (fun x => mean q (f x)) = mean q (fun i => E (f^~ i)).
Proof. by move=> av; rewrite /mean (average_sum xpredT _ av); apply: eq_bigr => i _; exact: (average_scale av). Qed.

Lemma average_sum_to (X : Type) (E : (X -> R) -> R) n (F : nat -> X -> R) : averages E ->
  E (fun x => \sum_(j < n) F j x) = \sum_(j < n) E (F j).
Proof. by move=> av; elim: n => [|n IH] /=; [exact: (average_const av) | rewrite (average_add av) IH]. Qed.

Lemma average_point (X : Type) (x : X) : averages (fun F => F x).
Proof. by split. Qed.

Lemma average_mean (X : finType) (q : X -> R) : probability q -> averages (mean q).
Proof.
by move=> hq; split=> [c|F G|c F|F G FG]; [exact: mean_of_const | exact: mean_add | exact: mean_scale | exact: mean_mono].
Qed.

Lemma average_bind (X Y : Type) (E : (X -> R) -> R) (D : X -> (Y -> R) -> R) : averages E -> (forall x, averages (D x)) ->
  averages (fun F => E (fun x => D x F)).
Proof.
move=> av avD; split=> [c|F G|c F|F G FG].
- by rewrite -[RHS](average_const av); apply: average_ext => // x; exact: (average_const (avD x)).
- by rewrite -(average_add av); apply: average_ext => // x; exact: (average_add (avD x)).
- by rewrite -(average_scale av); apply: average_ext => // x; exact: (average_scale (avD x)).
- by apply: (average_le av) => x; exact: (average_le (avD x)).
Qed.

(* ---------------------------------------------------------------- The run *)

Section Memories.
Variables (A S O : finType) (W : Type).
Definition memory := seq (W * global A S * seq (step A S O)).   (* the latest episode first *)

(* What a price of the plays comes to in an episode, and in all that was seen. *)
Definition price_of (price : A -> S -> R) (e : seq (step A S O)) : R := \sum_(p <- e) price p.1.2 (p.1.1 p.1.2).
Definition price_in (price : A -> S -> R) (h : memory) : R := \sum_(r <- h) price_of price r.2.
End Memories.

Section Learners.
Variables (A S O : finType) (W : Type) (next : O -> S).
Notation global := (global A S).
Notation step := (step A S O).
Notation memory := (memory A S O W).

Definition schedule := seq (global * nat).   (* for each episode its initial state and its length, the first first *)
Record agent := Agent { draw : memory -> law_on W; act : memory -> W -> seq step -> global -> A -> R }.
Definition agent_ok (L : agent) := forall h w e x, probability (act L h w e x).

Variable L : agent.
Hypothesis L_ok : agent_ok L.

Section Model.
Variable shows : A -> S -> O -> R.

(* The mean of F over n more steps of an episode; and over the episodes of a schedule. *)
Fixpoint walk (h : memory) (w : W) (n : nat) (e : seq step) (x : global) (F : seq step -> global -> R) : R :=
  if n is n'.+1 then mean (act L h w e x) (fun a => mean (shows a (x a)) (fun o =>
    walk h w n' ((x, a, o) :: e) (moved x a (next o)) F))
  else F e x.
Fixpoint run_through (sc : schedule) (h : memory) (F : memory -> R) : R :=
  if sc is (x, n) :: sc' then draw L h (fun w => walk h w n [::] x (fun e _ => run_through sc' ((w, x, e) :: h) F))
  else F h.

Lemma walk_ext h w n e x F G : (forall e' x', size e' = (n + size e)%nat -> F e' x' = G e' x') -> walk h w n e x F = walk h w n e x G.
Proof.
elim: n e x => [|n IH] e x FG; first exact: FG.
by apply: mean_ext => a; apply: mean_ext => o; apply: IH => e' y sz; apply: FG; rewrite sz /= addnS.
Qed.

Lemma run_cat sc sc' h F : run_through (sc ++ sc') h F = run_through sc h (fun h' => run_through sc' h' F).
Proof.
by elim: sc h => [|[x n] sc IH] h //=; apply: E_ext => w; apply: walk_ext => e _ _; exact: IH.
Qed.
End Model.

(* A relation of two means over a tree, of what was paid at its leaves and at its root: it holds of the run under two families of
   laws if it holds of each draw of w and of an arm, of each observation at its price, and of two trees one after the other. *)
Section Two.
Variables (shows0 shows1 : A -> S -> O -> R) (price : A -> S -> R).
Variable related : forall X : Type, ((X -> R) -> R) -> ((X -> R) -> R) -> (X -> R) -> R -> Prop.
Hypotheses (at_point : forall (X : Type) (x : X) c, related (fun F => F x) (fun F => F x) c (c x))
  (at_draw : forall (X : Type) (E : (X -> R) -> R) k, averages E -> related E E (fun _ => k) k)
  (at_shown : forall a s k, related (mean (shows0 a s)) (mean (shows1 a s)) (fun _ => price a s + k) k)
  (at_bind : forall (X Y : Type) E0 E1 (D0 D1 : X -> (Y -> R) -> R) c d k, related E0 E1 c k -> (forall x, related (D0 x) (D1 x) d (c x)) ->
    related (fun F => E0 (fun x => D0 x F)) (fun F => E1 (fun x => D1 x F)) d k).
Notation walk_of shows h w n e x := (fun F : seq step * global -> R => walk shows h w n e x (fun e' y => F (e', y))).

Lemma walk_related h w n e x k :
  related (walk_of shows0 h w n e x) (walk_of shows1 h w n e x) (fun p => price_of price p.1 + k) (price_of price e + k).
Proof.
elim: n e x => [|n IH] e x; first exact: (at_point (e, x) (fun p => price_of price p.1 + k)).
apply: (at_bind (at_draw _ (average_mean (L_ok h w e x)))) => a; apply: (at_bind (at_shown a (x a) _)) => o.
rewrite -Rplus_assoc (_ : _ + price_of price e = price_of price ((x, a, o) :: e)); [exact: IH | by rewrite /price_of sum_cons].
Qed.

Hypothesis draws_ok : forall h, averages (draw L h).
Lemma run_related sc h : related (run_through shows0 sc h) (run_through shows1 sc h) (price_in price) (price_in price h).
Proof.
elim: sc h => [|[x n] sc IH] h; first exact: at_point.
apply: (at_bind (at_draw _ (draws_ok h))) => w; have := walk_related h w n [::] x (price_in price h).
rewrite {2}/price_of sum_nil Rplus_0_l => walks.
apply: (at_bind (D0 := fun p => run_through shows0 sc ((w, x, p.1) :: h)) (D1 := fun p => run_through shows1 sc ((w, x, p.1) :: h)) walks) => p.
by rewrite -(sum_cons (w, x, p.1) h (fun r => price_of price r.2)); exact: IH.
Qed.
End Two.

Section Averages.
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation tree := (fun X E (_ : (X -> R) -> R) (_ : X -> R) (_ : R) => averages E).

Lemma walk_averages h w n e x : averages (fun F : seq step * global -> R => walk shows h w n e x (fun e x => F (e, x))).
Proof.
by apply: (@walk_related shows shows (fun _ _ => 0) tree _ _ _ _ h w n e x 0) => *; [exact: average_point | by [] | exact: average_mean | exact: average_bind].
Qed.

Lemma walk_range h w n e x F c d : (forall e' y, c <= F e' y <= d) -> c <= walk shows h w n e x F <= d.
Proof. by move=> cd; exact: (average_range (F := fun p => F p.1 p.2) (walk_averages h w n e x) (fun p => cd p.1 p.2)). Qed.

End Averages.

(* ---------------------------------------------------------------- Schedules *)

Variable beta : R.
Hypothesis discount : is_discount beta.
Variable rho : global -> R.
Hypothesis rho_ok : probability rho.

(* The mean over a schedule of K episodes: initial states of law rho, geometric lengths. *)
Fixpoint schedules (K : nat) (f : schedule -> R) : R :=
  if K is K'.+1 then mean rho (fun x => any_length beta (fun n => schedules K' (fun sc => f ((x, n) :: sc)))) else f [::].

Definition total_length (sc : schedule) : R := \sum_(p <- sc) INR p.2.

Lemma schedules_ext K f g : (forall sc, f sc = g sc) -> schedules K f = schedules K g.
Proof. by move=> fg; congr (schedules _ _); exact: funext. Qed.

(* Lengths and schedules have laws. *)
Local Obligation Tactic := idtac.
Program Definition length_law : law_on nat := @LawOn nat (any_length beta) _ _ _ _.
Next Obligation. by move=> c; rewrite /any_length (is_series_unique _ _ (is_series_scal_r c _ _ (chance_series discount))) Rmult_1_l. Qed.
Next Obligation.
move=> f g [C fC] [D gD]; rewrite /any_length -Series_plus; [|exact: (any_length_exists discount fC) | exact: (any_length_exists discount gD)].
by apply: Series_ext => m; ring.
Qed.
Next Obligation. by move=> c f _; rewrite /any_length -Series_scal_l; apply: Series_ext => m; ring. Qed.
Next Obligation.
move=> f g [C fC] [D gD] fg; apply: series_le => [||m]; [exact: (any_length_exists discount fC) | exact: (any_length_exists discount gD) |].
exact: Rmult_le_compat_l (chance_nonneg discount m) (fg _).
Qed.
Fixpoint schedule_law (K : nat) : law_on schedule := if K is K'.+1 then bind_law (finite_law rho_ok) (fun x =>
  bind_law length_law (fun n => bind_law (schedule_law K') (fun sc => point_law ((x, n) :: sc)))) else point_law [::].
Lemma schedulesE K f : schedules K f = schedule_law K f.
Proof. by elim: K f => [|K IH] f //=; apply: mean_ext => x; apply: Series_ext => m; rewrite IH. Qed.

Lemma schedules_abs K f C : (forall sc, Rabs (f sc) <= C) -> Rabs (schedules K f) <= C.
Proof. by rewrite schedulesE; exact: E_abs. Qed.

Lemma mean_length : is_series (fun m => chance beta m * INR m.+1) (1 / (1 - beta)).
Proof.
have [_ [_ [h _]]] := geometric_moments discount; apply: is_series_ext h => m.
by rewrite /chance /Horizons.geometric /=; ring.
Qed.

(* What is bounded and falls at most linearly in the length of the schedule is in the mean no less than at K/(1-beta). *)
Lemma schedules_at_least (good : pred global) K f C c d : 0 <= d -> (forall sc, Rabs (f sc) <= C) ->
  (forall x, ~~ good x -> rho x = 0) ->
  (forall sc, size sc = K -> all (fun p => good p.1) sc -> c - d * total_length sc <= f sc) ->
  c - d * (INR K * (1 / (1 - beta))) <= schedules K f.
Proof.
move=> d0; elim: K f c => [|K IH] f c fC support low.
  by have := low [::] erefl isT; rewrite /total_length sum_nil /=; lra.
rewrite [schedules _ _]/= -[X in X <= _](mean_of_const _ rho_ok); apply: sum_le => x _.
case gx : (good x); last by rewrite support ?gx // !Rmult_0_l; lra.
apply: Rmult_le_compat_l; first exact: (proj1 rho_ok).
pose g n := schedules K (fun sc => f ((x, n) :: sc)).
have gC n : Rabs (g n) <= C by exact: schedules_abs.
have le n : c - d * (INR K * (1 / (1 - beta))) - d * INR n <= g n.
  rewrite (_ : _ - _ = (c - d * INR n) - d * (INR K * (1 / (1 - beta)))); last ring.
  apply: IH => // sc sz hg; have := low ((x, n) :: sc); rewrite /= sz gx hg => /(_ erefl isT).
  by rewrite /total_length sum_cons /=; lra.
have s := is_series_minus _ _ _ _ (is_series_scal_r (c - d * (INR K * (1 / (1 - beta)))) _ _ (chance_series discount))
  (is_series_scal_l d _ _ mean_length).
apply: Rle_trans (_ : _ <= 1 * (c - d * (INR K * (1 / (1 - beta)))) - d * (1 / (1 - beta))) _; first by rewrite S_INR; lra.
apply: Rle_trans (Req_le _ _ (esym (is_series_unique _ _ s))) _;
  apply: series_le; [by eexists; exact: s | exact: (any_length_exists discount gC) |] => m.
rewrite /plus /opp /scal /= /mult /= -/(g m.+1) -/(INR m.+1).
by have := Rmult_le_compat_l _ _ _ (chance_nonneg discount m) (le m.+1); lra.
Qed.

(* Schedules and finite means commute. *)
Lemma schedules_mean (X : finType) (q : X -> R) K (f : X -> schedule -> R) C : (forall y sc, Rabs (f y sc) <= C) ->
  mean q (fun y => schedules K (f y)) = schedules K (fun sc => mean q (fun y => f y sc)).
Proof.
by move=> fC; rewrite schedulesE exchange_mean => [|y]; [apply: mean_ext => y; exact: schedulesE | exact: by_abs (fC y)].
Qed.

(* ---------------------------------------------------------------- The regret *)

Section Regret.
Variable M : model A S.
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).

(* What is earned over the next J steps, discounted; and over all: the value of what the learner does in an episode. *)
Fixpoint earned (h : memory) (w : W) (J : nat) (e : seq step) (x : global) : R :=
  if J is J'.+1 then mean (act L h w e x) (fun a => reward M a (x a)
    + beta * mean (shows a (x a)) (fun o => earned h w J' ((x, a, o) :: e) (moved x a (next o))))
  else 0.
Definition plan_worth (h : memory) (w : W) (x : global) : R := real (Lim_seq (fun J => earned h w J [::] x)).

Hypothesis unit : unit_rewards M.
Notation top := (1 / (1 - beta)).

(* What step t pays in the mean. *)
Definition pay_at (h : memory) (w : W) (t : nat) (e : seq step) (x : global) : R :=
  walk shows h w t e x (fun e' y => mean (act L h w e' y) (fun a => reward M a (y a))).

Lemma pay_range h w t e x : 0 <= pay_at h w t e x <= 1.
Proof. by apply: (walk_range shows_ok) => e' y; apply: (mean_range (L_ok h w e' y)) => a; exact: unit. Qed.

Lemma earned_by_steps h w J e x : earned h w J e x = \sum_(t < J) (beta ^ t * pay_at h w t e x).
Proof.
elim: J e x => [|J IH] e x //; rewrite sum_recl [LHS]/= mean_add mean_scale Rmult_1_l; congr (_ + _).
rewrite (mean_ext _ (g := fun a => \sum_(t < J) (beta ^ t * mean (shows a (x a)) (fun o =>
    pay_at h w t ((x, a, o) :: e) (moved x a (next o)))))) => [|a].
  by rewrite mean_sum_to -sum_to_scale; apply: sum_to_ext => t _; rewrite mean_scale [beta ^ t.+1]/= Rmult_assoc.
by rewrite (mean_ext _ (fun o => IH _ _)) mean_sum_to; apply: sum_to_ext => t _; exact: mean_scale.
Qed.

(* Steps beyond the first J carry little. *)
Lemma earned_more h w J m e x : 0 <= earned h w (J + m) e x - earned h w J e x <= beta ^ J * top.
Proof.
have [b0 b1] := discount; have t0 := top_nonneg discount; have t1 : (1 - beta) * top = 1 by field; lra.
suff [low up] : 0 <= earned h w (J + m) e x - earned h w J e x <= (beta ^ J - beta ^ (J + m)) * top.
  by split=> //; apply: Rle_trans up _; have := Rmult_le_pos _ _ (pow_le beta (J + m) b0) t0; lra.
elim: m => [|m]; first by rewrite addn0; lra.
have p := pow_le beta (J + m) b0; have [q0 q1] := pay_range h w (J + m) e x.
rewrite addnS !earned_by_steps sum_recr [beta ^ _.+1]/=; move: (beta ^ (J + m)) p => v p.
by nra.
Qed.

Lemma earned_range h w J e x : 0 <= earned h w J e x <= top.
Proof. by have := earned_more h w 0 J e x; rewrite add0n [earned h w 0 e x]/= [beta ^ 0]/=; lra. Qed.

Lemma worth_limit h w x : is_lim_seq (fun J => earned h w J [::] x) (plan_worth h w x).
Proof.
apply: Lim_seq_correct'; apply: (ex_finite_lim_seq_incr _ top) => J; last by case: (earned_range h w J [::] x).
by have := earned_more h w J 1 [::] x; rewrite addn1; lra.
Qed.

Lemma worth_more h w J x : 0 <= plan_worth h w x - earned h w J [::] x <= beta ^ J * top.
Proof.
have lim := is_lim_seq_minus' _ _ _ _ (proj1 (is_lim_seq_incr_n _ J _) (@worth_limit h w x)) (is_lim_seq_const (earned h w J [::] x)).
have range m : 0 <= earned h w (m + J) [::] x - earned h w J [::] x <= beta ^ J * top by rewrite addnC; exact: earned_more.
by split; [apply: (is_lim_seq_le _ _ (Finite 0) (Finite _) _ (is_lim_seq_const 0) lim) => m; case: (range m)
  | apply: (is_lim_seq_le _ _ (Finite _) (Finite _) _ lim (is_lim_seq_const _)) => m; case: (range m)].
Qed.

Lemma plan_worth_range h w x : 0 <= plan_worth h w x <= top.
Proof. by have := worth_more h w 0 x; rewrite [earned _ _ _ _ _]/= [beta ^ 0]/=; lra. Qed.

(* Who plays as a policy does earns its value. *)
Lemma worth_of_policy (p : policy A S) h w x : markovian M ->
  (forall a s f, mean (row M a s) f = mean (shows a s) (fun o => f (next o))) ->
  (forall e y f, mean (act L h w e y) f = f (p y)) -> plan_worth h w x = V beta M p x.
Proof.
move=> hM truth as_p; have [b0 b1] := discount.
have close J e y : Rabs (earned h w J e y - V beta M p y) <= beta ^ J * top.
  elim: J e y => [|J IH] e y.
    by rewrite /= Rmult_1_l Rminus_0_l Rabs_Ropp; have [v0 v1] := V_range discount hM p unit y; rewrite Rabs_pos_eq.
  rewrite [earned _ _ _ _ _]/= as_p V_bellman // truth (_ : forall a b c : R, a + b - (a + c) = b - c) => [|*]; last ring.
  rewrite -Rmult_minus_distr_l -mean_sub Rabs_mult (Rabs_pos_eq beta) //= Rmult_assoc.
  apply: Rmult_le_compat_l => //; apply: mean_abs1; [exact: shows_ok | | by move=> o; exact: IH].
  by apply: Rmult_le_pos; [exact: pow_le | exact: top_nonneg].
by rewrite /plan_worth (is_lim_seq_unique _ _ (geometric_squeeze discount (fun J => close J [::] x))).
Qed.

(* That is the mean of what is really earned, undiscounted, in an episode of geometric length. *)
Definition gain (e : seq step) : R := \sum_(p <- e) reward M p.1.2 (p.1.1 p.1.2).

Lemma gain_by_steps h w n e x : walk shows h w n e x (fun e' _ => gain e') = gain e + \sum_(t < n) pay_at h w t e x.
Proof.
elim: n e x => [|n IH] e x; first by rewrite /=; ring.
have act_p := L_ok h w e x; rewrite sum_recl [LHS]/=.
rewrite (mean_ext _ (g := fun a => (reward M a (x a) + gain e) + \sum_(t < n) mean (shows a (x a)) (fun o => pay_at h w t ((x, a, o) :: e) (moved x a (next o))))).
  by rewrite !mean_add (mean_of_const _ act_p) mean_sum_to (Rplus_comm _ (gain e)) Rplus_assoc.
move=> a; rewrite (mean_ext _ (fun o => IH _ _)) mean_add mean_sum_to; congr (_ + _).
rewrite (mean_ext _ (g := fun _ => reward M a (x a) + gain e)); first exact: (mean_of_const _ (shows_ok _ _)).
move=> o; exact: sum_cons.
Qed.

Theorem plan_worth_is_mean_gain h w x :
  is_series (fun m => chance beta m * walk shows h w m.+1 [::] x (fun e _ => gain e)) (plan_worth h w x).
Proof.
have [b0 b1] := discount; pose T N := \sum_(t < N) pay_at h w t [::] x.
have g0 N : walk shows h w N [::] x (fun e _ => gain e) = T N by rewrite gain_by_steps /gain sum_nil Rplus_0_l.
have partial N : \sum_(m < N) (chance beta m * T m.+1) = earned h w N [::] x - beta ^ N * T N.
  elim: N => [|N IH]; first by rewrite /T /=; ring.
  rewrite sum_recr IH /chance !earned_by_steps [in RHS]sum_recr (_ : T N.+1 = T N + pay_at h w N [::] x) // [beta ^ N.+1]/=; ring.
apply: is_series_sum_to; apply: (is_lim_seq_ext (fun N => earned h w N [::] x - beta ^ N * T N)).
  by move=> N; rewrite -partial; apply: sum_to_ext => m _; rewrite g0.
rewrite -[X in is_lim_seq _ (Finite X)]Rminus_0_r; apply: is_lim_seq_minus'; first exact: worth_limit.
apply: (is_lim_seq_le_le (fun _ => 0) _ (fun N => INR N * beta ^ N) _ _ (is_lim_seq_const 0) (linear_geometric discount)) => N.
have p0 : 0 <= beta ^ N by exact: pow_le.
have s0 : 0 <= T N by apply: sum_to_nonneg => t _; case: (pay_range h w t [::] x).
have s1 : T N <= INR N by rewrite -[INR N]Rmult_1_r -sum_to_const; apply: sum_to_le => t _; case: (pay_range h w t [::] x).
by nra.
Qed.

(* What the next episode costs given its initial state and the past; the regret of K episodes. *)
Variable best : policy A S.
Definition shortfall (x : global) (h : memory) : R := draw L h (fun w => V beta M best x - plan_worth h w x).
Definition regret_in_run (K : nat) : R :=
  \sum_(k < K) schedules k (fun sc => run_through shows sc [::] (fun h => mean rho (fun x => shortfall x h))).

Hypothesis hM : markovian M.

Lemma shortfall_abs x h : Rabs (shortfall x h) <= top.
Proof.
apply: E_abs => w.
have := V_range discount hM best unit x; have := plan_worth_range h w x; move=> h1 h2; apply: Rabs_le; lra.
Qed.

Lemma run_abs sc h F C : (forall h', Rabs (F h') <= C) -> Rabs (run_through shows sc h F) <= C.
Proof.
move=> FC; elim: sc h => [|[x n] sc IH] h //=; apply: E_abs => w.
by apply: Rabs_le; apply: (walk_range shows_ok) => e y; exact/Rabs_le_between.
Qed.
End Regret.
End Learners.

(* ---------------------------------------------------------------- Learners that draw arms alone *)

Section Alone.
Variables (A S O : finType) (next : O -> S) (L : agent A S O unit).
Lemma draw_one h f : draw L h f = f tt.
Proof. by rewrite -[RHS](E_const (draw L h)); apply: E_ext => -[]. Qed.
Lemma draw_averages h : averages (draw L h).
Proof. by split=> *; rewrite !draw_one. Qed.

Lemma run_averages shows sc h : agent_ok L -> (forall a s, probability (shows a s)) -> averages (run_through next L shows sc h).
Proof.
move=> L_ok ok; apply: (@run_related _ _ _ _ next L L_ok shows shows (fun _ _ => 0) (fun X E _ _ _ => averages E) _ _ _ _ draw_averages) => *;
  [exact: average_point | by [] | exact: average_mean | exact: average_bind].
Qed.
End Alone.

(* ---------------------------------------------------------------- Episodic learners *)

Section Episodic.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation laws := (fun a s => finite_law (shows_ok a s)).

(* What it draws is a policy, and it follows that to the end of the episode. *)
Definition episodic : agent A S O (plays A S) := Agent (fun h => finite_law (learner_ok h)) (fun _ pi _ x a => if a == pi x then 1 else 0).

Lemma episodic_ok : agent_ok episodic.
Proof. by move=> h pi e x; exact: point_ok. Qed.

Lemma walk_episodic h pi n e x F : walk next episodic shows h pi n e x (fun e' _ => F e') = steps next laws pi n x e F.
Proof. by elim: n e x => [|n IH] e x //=; rewrite mean_point; apply: mean_ext => o; exact: IH. Qed.

Lemma steps_schedules pi n x e K (F : schedule A S -> seq (step A S O) -> R) C : (forall sc e', Rabs (F sc e') <= C) ->
  steps next laws pi n x e (fun e' => schedules beta rho K (fun sc => F sc e')) =
  schedules beta rho K (fun sc => steps next laws pi n x e (F sc)).
Proof.
move=> FC; elim: n x e => [|n IH] x e //=; rewrite (mean_ext _ (fun o => IH _ _)).
by apply: (schedules_mean discount rho_ok) => o sc; apply: steps_abs => e' _.
Qed.

(* The law of histories is the one with the schedule drawn first. *)
Lemma law_schedules K h F C : (forall h', Rabs (F h') <= C) ->
  law next learner rho laws (any_length beta) K h F = schedules beta rho K (fun sc => run_through next episodic shows sc h F).
Proof.
move=> FC; elim: K h => [|K IH] h //=; rewrite /episode mean_swap; apply: mean_ext => x.
have rC sc h' : Rabs (run_through next episodic shows sc h' F) <= C by apply: (run_abs next episodic_ok).
pose g pi n sc := walk next episodic shows h pi n [::] x (fun e _ => run_through next episodic shows sc ((pi, x, e) :: h) F).
have gC pi n sc : Rabs (g pi n sc) <= C by rewrite /g walk_episodic; apply: steps_abs => e _; exact: rC.
transitivity (mean (learner h) (fun pi => any_length beta (fun n => schedules beta rho K (g pi n)))).
  apply: mean_ext => pi; apply: Series_ext => m; congr (_ * _); rewrite (steps_ext _ _ _ _ _ _ (fun e => IH ((pi, x, e) :: h))).
  by rewrite (@steps_schedules pi m.+1 x [::] K _ C (fun sc e => rC sc _)); apply: schedules_ext => sc; rewrite /g walk_episodic.
apply: etrans (esym (exchange_mean (length_law discount) _ (f := fun n pi => schedules beta rho K (g pi n)) _)) _ => [pi|].
  by exists C => n; exact: (schedules_abs discount rho_ok).
by apply: Series_ext => m; congr (_ * _); exact: (schedules_mean discount rho_ok).
Qed.

Variables (M : model A S) (best : policy A S).
Hypotheses (hM : markovian M) (unit : unit_rewards M).
Hypothesis truth : forall a s f, mean (row M a s) f = mean (shows a s) (fun o => f (next o)).

Lemma worth_episodic h pi x : plan_worth next episodic beta M shows h pi x = V beta M (fun y => (pi : plays A S) y) x.
Proof.
by apply: worth_of_policy => // e y f; exact: mean_point.
Qed.

(* The paper's learners and the paper's regret are a case. *)
Theorem episodic_regret K :
  expected_regret next beta learner rho laws M best K = regret_in_run next episodic beta rho M shows best K.
Proof.
rewrite (regret_by_episodes next discount learner_ok rho_ok laws best hM unit); apply: sum_to_ext => k _.
rewrite /expected (@law_schedules k [::] _ (1 / (1 - beta))) => [|h]; last exact: (loss_abs discount learner_ok rho_ok best hM unit).
apply: schedules_ext => sc; congr (run_through _ _ _ _ _); apply: funext => h.
rewrite /loss mean_swap; apply: mean_ext => x; apply: mean_ext => pi.
by rewrite worth_episodic.
Qed.
End Episodic.
