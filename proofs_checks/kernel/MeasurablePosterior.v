(* Theorem 1 for MB-PSRL with probability measures: a prior on any measurable set of bandits, observations in any measurable set,
   laws with bounded densities, jointly measurable; the posterior by Bayes' rule with integrals is measurable, and so are the event
   of the radii and the values. *)

From kernel Require Import Measures.
From Coquelicot Require Series.
From kernel Require Import Sums Values Bandits Concentration Events PrintedForm Episodes Laws Draws LawOfRun Integrals Truncation.
From kernel Require Import Frozen Radii MbPsrl Conditional Densities Fubini Measurable Maximiser.

Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope R_scope.

Section Measures.
Variables (A S : finType).
Context dT (Theta : measurableType dT) dO (O : measurableType dO).
Notation history := (history A S O).
Notation step := (step A S O).
Variable next : O -> S.
Hypothesis next_m : forall v, mfun (fun o : O => indicator (next o == v) : RR).
Variables (P : {measure set Theta -> \bar RR}) (mu : A -> S -> {measure set O -> \bar RR}).
Variables (prior : law_on Theta) (base : A -> S -> law_on O).
Hypotheses (prior_P : extends P prior) (base_mu : forall a s, extends (mu a s) (base a s)).

(* Lists that depend on x, term by term in one way. *)
Section Lists.
Variables (X T : Type) (one : (X -> T) -> Prop).
Inductive list_of : (X -> seq T) -> Prop :=
| list_nil : list_of (fun _ => [::])
| list_cons t s : one t -> list_of s -> list_of (fun x => t x :: s x).
Lemma list_size s : list_of s -> exists k, forall x, size (s x) = k.
Proof. by elim=> [|t r _ _ [k rk]]; [exists 0%N | exists k.+1 => x /=; rewrite rk]. Qed.
Lemma list_cat s s' : list_of s -> list_of s' -> list_of (fun x => s x ++ s' x).
Proof. by move=> ls ls'; elim: ls => [|t r ot _ IH]; [exact: ls' | exact: (list_cons ot IH)]. Qed.
Lemma list_drop s : list_of s -> forall j, list_of (fun x => drop j (s x)).
Proof. by elim=> [|t r ot lr IH] [|j]; [exact: list_nil | exact: list_nil | exact: (list_cons ot lr) | exact: IH]. Qed.
Lemma list_const s : (forall t, one (fun _ => t)) -> list_of (fun _ => s).
Proof. by move=> ot; elim: s => [|t s IH]; [exact: list_nil | exact: (list_cons (ot t) IH)]. Qed.
End Lists.
Lemma list_comp (X Y T : Type) (one : (X -> T) -> Prop) (one' : (Y -> T) -> Prop) (p : Y -> X) s :
  (forall t, one t -> one' (fun y => t (p y))) -> list_of one s -> list_of one' (fun y => s (p y)).
Proof. by move=> ot; elim=> [|t r /ot ot' _ IH]; [exact: list_nil | exact: (list_cons ot' IH)]. Qed.

(* Steps, and histories, whose observations depend measurably on x. *)
Inductive step_of d (X : measurableType d) : (X -> step) -> Prop :=
  step_shown s a (o : X -> O) : measurable_fun setT o -> step_of (fun x => (s, a, o x)).
Notation steps_of := (list_of (@step_of _ _)).
Inductive episode_of d (X : measurableType d) : (X -> plays A S * global A S * seq step) -> Prop :=
  episode_shown pi s e : steps_of e -> episode_of (fun x => (pi, s, e x)).
Notation history_of := (list_of (@episode_of _ _)).

Lemma steps_comp d d' (X : measurableType d) (Y : measurableType d') (p : Y -> X) (e : X -> seq step) :
  measurable_fun setT p -> steps_of e -> steps_of (fun y => e (p y)).
Proof. by move=> mp; apply: list_comp => t [s a o mo]; apply: (@step_shown _ Y s a (fun y => o (p y))); exact: (measurable_fun_comp mo mp). Qed.
Lemma history_comp d d' (X : measurableType d) (Y : measurableType d') (p : Y -> X) (h : X -> history) :
  measurable_fun setT p -> history_of h -> history_of (fun y => h (p y)).
Proof. by move=> mp; apply: list_comp => t [pi s e se]; exact: (episode_shown pi s (steps_comp mp se)). Qed.
Lemma steps_const d (X : measurableType d) (e : seq step) : list_of (@step_of _ X) (fun _ => e).
Proof. by apply: list_const => [[[s a] o]]; apply: (@step_shown _ X s a (fun _ => o)); exact: measurable_fun_cst. Qed.
Lemma history_const d (X : measurableType d) (h : history) : list_of (@episode_of _ X) (fun _ => h).
Proof. by apply: list_const => [[[pi s] e]]; exact: (episode_shown pi s (steps_const X e)). Qed.
Lemma history_length d (X : measurableType d) (h : X -> history) : history_of h -> exists k, forall x, duration (h x) = k.
Proof.
elim=> [|_ h' [pi s e se] _ [k hk]]; first by exists 0%N.
by have [j ej] := list_size se; exists (j + k)%N => x; rewrite duration_cons ej hk.
Qed.

(* Functions of the history and the bandit that are jointly measurable. *)
Definition jointly (g : history -> Theta -> R) := forall d (X : measurableType d) (h : X -> history), history_of h ->
  mfun (fun z : two X Theta => g (h z.1) z.2 : RR).

(* The same for what is left of an episode. *)
Section Leaf.
Context d (X : measurableType d).
Definition leaf_jointly (L : X -> seq step -> Theta -> R) := forall d' (Y : measurableType d') (p : Y -> X) (e : Y -> seq step),
  measurable_fun setT p -> steps_of e -> mfun (fun z : two Y Theta => L (p z.1) (e z.1) z.2 : RR).
Definition leaf_growing (L : X -> seq step -> Theta -> R) := forall m, exists C, forall x e t, (size e <= m)%N -> Rabs (L x e t) <= C.
Definition after pi n s (L : X -> seq step -> Theta -> R) x e t : R := steps next base pi n s e (fun e' => L x e' t).

Lemma fst_m d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) : measurable_fun setT (fst : two T1 T2 -> T1).
Proof. by have := proj1 (prod_measurable_funP (id : two T1 T2 -> two T1 T2)) (@measurable_fun_id _ _ setT); case. Qed.
Lemma snd_m d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) : measurable_fun setT (snd : two T1 T2 -> T2).
Proof. by have := proj1 (prod_measurable_funP (id : two T1 T2 -> two T1 T2)) (@measurable_fun_id _ _ setT); case. Qed.
Lemma pair_m d0 d1 d2 (T : measurableType d0) (T1 : measurableType d1) (T2 : measurableType d2) (f : T -> T1) (g : T -> T2) :
  measurable_fun setT f -> measurable_fun setT g -> measurable_fun setT (fun x => (f x, g x) : two T1 T2).
Proof. by move=> mf mg; apply/prod_measurable_funP. Qed.

Lemma after_jointly pi n s L : leaf_jointly L -> leaf_growing L -> leaf_jointly (after pi n s L) /\
  forall x e, prior (fun t => after pi n s L x e t) = steps next base pi n s e (fun e' => prior (fun t => L x e' t)).
Proof.
move=> jL gL; elim: n s => [|n IH] s; first by split.
pose a := pi s; pose N v := after pi n (moved s a v) L.
have inner d' (Y : measurableType d') (p : Y -> X) (e : Y -> seq step) (mp : measurable_fun setT p) (se : steps_of e) :
    mfun (fun z : two (two Y O) Theta => N (next z.1.2) (p z.1.1) ((s, a, z.1.2) :: e z.1.1) z.2 : RR).
  apply: (@mfun_cases _ (two (two Y O) Theta) S (fun z => next z.1.2) (fun v z => N v (p z.1.1) ((s, a, z.1.2) :: e z.1.1) z.2)) => v.
    exact: (measurable_fun_comp (next_m v) (measurable_fun_comp (@snd_m _ _ Y O) (@fst_m _ _ (two Y O) Theta))).
  apply: ((proj1 (IH (moved s a v))) _ (two Y O) (fun w => p w.1) (fun w => (s, a, w.2) :: e w.1)).
    exact: (measurable_fun_comp mp (@fst_m _ _ Y O)).
  by apply: list_cons (steps_comp (@fst_m _ _ Y O) se); apply: step_shown; exact: (@snd_m _ _ Y O).
have bound k : exists C, forall v x e t, (size e <= k)%N -> Rabs (N v x e t) <= C.
  have [C LC] := gL (n + k)%N; exists C => v x e t em; apply: steps_abs => e' sz; apply: LC.
  by rewrite sz leq_add2l.
split.
  move=> d' Y p e mp se; have [k ek] := list_size se; have [C NC] := bound k.+1.
  pose f (w : two (two Y Theta) O) : RR := N (next w.2) (p w.1.1) ((s, a, w.2) :: e w.1.1) w.1.2.
  have mf : mfun f.
    have m1 := @fst_m _ _ Y Theta; have mi := inner _ (two Y Theta) _ _ (measurable_fun_comp mp m1) (steps_comp m1 se).
    exact: (measurable_fun_comp mi (pair_m (@measurable_fun_id _ _ setT) (measurable_fun_comp (@snd_m _ _ Y Theta) (@fst_m _ _ (two Y Theta) O)))).
  have nf : @nice _ (two (two Y Theta) O) RR f.
    by apply: (@nice_of _ (two (two Y Theta) O) f C mf) => w; apply: NC; rewrite /= ek.
  exact: (proj1 (nice_first (base_mu a (s a)) nf)).
move=> x e; have [C NC] := bound (size e).+1.
pose f (w : two Theta O) : RR := N (next w.2) x ((s, a, w.2) :: e) w.1.
have mf : mfun f.
  have := inner _ Theta (fun _ => x) (fun _ => e) (@measurable_fun_cst _ _ _ _ setT x) (steps_const Theta e) => mi.
  exact: (measurable_fun_comp mi (pair_m (@measurable_fun_id _ _ setT) (@fst_m _ _ Theta O))).
have nf : @nice _ (two Theta O) RR f by apply: (@nice_of _ (two Theta O) f C mf) => w; exact: NC.
rewrite /after /= (order prior_P (base_mu a (s a)) nf) /f /=; apply: E_ext => o.
exact: ((proj2 (IH (moved s a (next o)))) x ((s, a, o) :: e)).
Qed.
End Leaf.

(* Designs. *)
Lemma design_jointly ds g : jointly g -> growing g ->
  jointly (fun h t => by_design next base ds h (fun h' => g h' t)) /\
  forall h, prior (fun t => by_design next base ds h (fun h' => g h' t)) = by_design next base ds h (fun h' => prior (g h')).
Proof.
move=> jg gg; elim: ds => [|[[pi s] n] ds [jI xI]] //; have gI := design_growing next base ds gg.
pose I h t := by_design next base ds h (fun h' => g h' t).
have leaf d (X : measurableType d) (h : X -> history) (hh : history_of h) :
    leaf_jointly (fun x e t => I ((pi, s, e) :: h x) t) /\ leaf_growing (fun x e t => I ((pi, s, e) :: h x) t).
  split; first by move=> d' Y p e mp se; exact: (jI _ Y (fun y => (pi, s, e y) :: h (p y)) (list_cons (episode_shown pi s se) (history_comp mp hh))).
  have [k hk] := history_length hh => m; have [C IC] := gI (m + k)%N; exists C => x e t em; apply: IC.
  by rewrite duration_cons hk leq_add2r.
split.
- move=> d X h hh; have [jl gl] := leaf _ X h hh.
  exact: (proj1 (after_jointly pi n s jl gl) _ X id (fun _ => [::]) (@measurable_fun_id _ _ setT) (list_nil _)).
- move=> h; have [jl gl] := leaf _ Theta (fun _ => h) (history_const Theta h).
  rewrite [LHS]/= [RHS]/=; rewrite (proj2 (after_jointly pi n s jl gl) point [::]).
  by apply: steps_ext => e; exact: xI.
Qed.

(* ---------------------------------------------------------------- Densities *)
Lemma jointly_mult g g' : jointly g -> jointly g' -> jointly (fun h t => g h t * g' h t).
Proof. by move=> j j' d X h hh; exact: (mfun_mult (j _ X h hh) (j' _ X h hh)). Qed.
Lemma jointly_bandit (f : Theta -> RR) : mfun f -> jointly (fun _ t => f t).
Proof. by move=> mf d X h _; exact: (measurable_fun_comp mf (@snd_m _ _ X Theta)). Qed.
Lemma jointly_section g h : jointly g -> mfun (g h : Theta -> RR).
Proof. by move=> j; exact: (measurable_fun_prod1 (point : Theta) (j _ Theta (fun _ => h) (history_const Theta h))). Qed.
Lemma jointly_first k g : jointly g -> jointly (fun h t => g (first_episodes k h) t).
Proof.
move=> j d X h hh; have [m hm] := list_size hh.
apply: (mfun_ext (f := fun z : two X Theta => g (drop (m - k) (h z.1)) z.2 : RR)) => [z|]; first by rewrite /first_episodes hm.
exact: (j _ X (fun x => drop (m - k) (h x)) (list_drop hh _)).
Qed.

Variables (density : Theta -> A -> S -> O -> R) (D : R).
Hypotheses (D1 : 1 <= D) (density_ok : forall t a s o, 0 <= density t a s o <= D).
Hypothesis density_m : forall a s, mfun (fun z : two Theta O => density z.1 a s z.2 : RR).

Lemma likelihood_jointly : jointly (fun h t => likelihood density t h).
Proof.
have w d (X : measurableType d) e : steps_of e -> mfun (fun z : two X Theta => weight_of density z.2 (e z.1) : RR).
  elim=> [|_ e' [s a o mo] se IH]; first exact: mfun_const.
  apply: mfun_mult IH; apply: (measurable_fun_comp (density_m a (s a)) (_ : measurable_fun setT (fun z : two X Theta => (z.2, o z.1) : two Theta O))).
  by apply: pair_m; [exact: (@snd_m _ _ X Theta) | exact: (measurable_fun_comp mo (@fst_m _ _ X Theta))].
move=> d X h; elim=> [|_ h' [pi s e se] hh IH]; first exact: mfun_const.
exact: (mfun_mult (w _ X e se) IH).
Qed.
Notation post := (posterior prior density_ok).

(* The mean over the prior of a jointly measurable function, given a history that depends on x. *)
Lemma mean_m d (X : measurableType d) (h : X -> history) g C : history_of h -> jointly g -> (forall x t, Rabs (g (h x) t) <= C) ->
  mfun (fun x => prior (g (h x)) : RR).
Proof.
move=> hh jg gC; have n : @nice _ (two X Theta) RR (fun z => g (h z.1) z.2).
  by apply: (@nice_of _ (two X Theta) _ C (jg _ X h hh)) => z; exact: gC.
exact: (proj1 (nice_first prior_P n)).
Qed.

Lemma posterior_m g : jointly g -> (exists C, forall h t, Rabs (g h t) <= C) -> jointly (fun h _ => post h (g h)).
Proof.
move=> jg [C gC] d X h hh; have [k hk] := history_length hh.
suff m : mfun (fun x : X => post (h x) (g (h x)) : RR) by exact: (measurable_fun_comp m (@fst_m _ _ X Theta)).
have lD x t : 0 <= likelihood density t (h x) <= D ^ k by have := likelihood_range density_ok t (h x); rewrite hk.
have jl : jointly (fun h t => likelihood density t h) by exact: likelihood_jointly.
have mb : mfun (fun x => prior (fun t => likelihood density t (h x)) : RR).
  by apply: (mean_m (C := D ^ k) hh jl) => x t; rewrite Rabs_pos_eq; case: (lD x t).
have ma : mfun (fun x => prior (fun t => likelihood density t (h x) * g (h x) t) : RR).
  apply: (mean_m (g := fun h t => likelihood density t h * g h t) (C := D ^ k * C) hh (jointly_mult jl jg)) => x t.
  by apply: abs_mult (gC _ _); rewrite Rabs_pos_eq; case: (lD x t).
have mg : mfun (fun x => prior (g (h x)) : RR) by exact: (mean_m (C := C) hh jg).
have bD x : 0 <= prior (fun t => likelihood density t (h x)) <= D ^ k.
  by apply: E_range => t; exact: lD.
have Dk : 0 < D ^ k by apply: pow_lt; lra.
have pos : mfun (fun x => indicator (above 0 (prior (fun t => likelihood density t (h x)))) : RR) by apply: mfun_below => //; exact: mfun_const.
apply: (mfun_ext _ (mfun_if pos (mfun_quotient Dk bD ma mb) mg)) => x.
by rewrite /posterior /bayes_law /above; case: (Rlt_dec 0 (prior (fun t => likelihood density t (h x)))).
Qed.

(* What was observed depends measurably on x too. *)
Notation obs_of := (list_of (measurable_fun setT)).
Lemma obs_total d (X : measurableType d) (s : X -> seq O) (f : O -> RR) : mfun f -> obs_of s -> mfun (fun x => total_of f (s x) : RR).
Proof.
move=> mf; elim=> [|o r mo _ IH]; first by apply: (mfun_ext _ (mfun_const 0)) => x; rewrite /total_of sum_nil.
by apply: (mfun_ext _ (mfun_add (measurable_fun_comp mf mo) IH)) => x; rewrite /total_of sum_cons.
Qed.
Lemma obs_observed d (X : measurableType d) (h : X -> history) c : history_of h -> obs_of (fun x => observed c (flat (h x))).
Proof.
have se (e : X -> seq step) : steps_of e -> obs_of (fun x => observed c (shown (e x))).
  elim=> [|_ e' [s a o mo] _ IH]; first exact: list_nil.
  case ec: ((a, s a) == c); last first.
    by rewrite (_ : (fun x => _) = (fun x => observed c (shown (e' x)))) //; apply/boolp.funext => x; rewrite /observed /= ec.
  by rewrite (_ : (fun x => _) = (fun x => o x :: observed c (shown (e' x)))); [exact: list_cons | apply/boolp.funext => x; rewrite /observed /= ec].
elim=> [|_ h' [pi s e hs] _ IH]; first exact: list_nil.
rewrite (_ : (fun x => _) = (fun x => observed c (shown (e x)) ++ observed c (flat (h' x)))); first exact: (list_cat (se e hs) IH).
by apply/boolp.funext => x; rewrite /observed /flat /= filter_cat map_cat.
Qed.

(* Mean rewards and laws of moves depend measurably on the bandit, and what is shown tells them measurably. *)
Section Regular.
Variables (shows : Theta -> A -> S -> law_on O) (pays : O -> RR) (K : nat).
Hypotheses (pays_m : mfun pays) (pays_unit : forall o, 0 <= pays o <= 1).
Hypothesis reward_m : forall a s, mfun (fun t => shows t a s pays : RR).
Hypothesis move_m : forall a s y, mfun (fun t => shows t a s (fun o => indicator (next o == y)) : RR).

Lemma event_m : jointly (strays_from next pays shows K).
Proof.
move=> d X h hh; have [k hk] := history_length hh.
rewrite (_ : (fun z => _) = (fun z : two X Theta => indicator (some_bad k (strays next pays K (shows z.2) k) (h z.1)) : RR)); last first.
  by apply/boolp.funext => z; rewrite /strays_from /outside /bad_now hk.
apply: mfun_exists => c; apply: mfun_exists => l; rewrite /first_are.
have oo := obs_observed c hh; have [n sn] := list_size oo.
case ln: (l.+1 <= n)%N; last first.
  by apply: (mfun_ext _ (mfun_const 0)) => z; rewrite sn ln.
pose s z := drop (n - l.+1) (observed c (flat (h z))); have os : obs_of s by exact: list_drop.
have lift (f : X -> RR) : mfun f -> mfun (fun z : two X Theta => f z.1 : RR) by move=> mf; exact: (measurable_fun_comp mf (@fst_m _ _ X Theta)).
have lift2 (f : Theta -> RR) : mfun f -> mfun (fun z : two X Theta => f z.2 : RR) by move=> mf; exact: (measurable_fun_comp mf (@snd_m _ _ X Theta)).
have quot (f : O -> RR) : mfun f -> mfun (fun z : two X Theta => total_of f (s z.1) / INR l.+1 : RR).
  by move=> mf; apply: mfun_mult; [exact: (lift _ (obs_total mf os)) | exact: mfun_const].
apply: (mfun_ext (f := fun z : two X Theta => indicator (strays next pays K (shows z.2) k c l.+1 (s z.1)) : RR)) => [z|]; first by rewrite sn ln.
apply: mfun_or; apply: mfun_below; try exact: mfun_const.
  apply: mfun_abs; apply: mfun_sub; first exact: quot.
  exact: (lift2 _ (reward_m c.1 c.2)).
apply: mfun_sum => y; apply: mfun_abs; apply: mfun_sub; last exact: (lift2 _ (move_m c.1 c.2 y)).
apply: (mfun_ext _ (quot _ (next_m y))) => z; congr (_ / _); rewrite /total_of.
elim: (s z.1) => [|o r IH]; first by rewrite sum_nil.
by rewrite sum_cons IH /= plus_INR /indicator; case: (next o == y).
Qed.

Variables (beta : R) (rho : global A S -> R) (best : Theta -> plays A S).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho).
Hypothesis best_m : forall pi, mfun (fun t => indicator (best t == pi) : RR).

Lemma value_m (pi : plays A S) x : mfun (fun t => V beta (bandit_of next pays (shows t)) (fun y => pi y) x : RR).
Proof.
pose M t := bandit_of next pays (shows t).
have step_m a s y : mfun (fun t => row (M t) a s y : RR) by exact: move_m.
have rm i y : mfun (fun t => reward_at (fun z => Bandits.P (M t) (pi z) z) (fun z => reward (M t) (pi z) (z (pi z))) i y : RR).
  elim: i y => [|i IH] y; first exact: reward_m.
  apply: mfun_sum => z; apply: mfun_mult; last exact: IH.
  by rewrite /Bandits.P; case: [forall b, (b != pi y) ==> (y b == z b)]; [exact: step_m | exact: mfun_const].
apply: (mfun_lim (u := fun n t => sum_to n (fun i => beta ^ i * reward_at (fun z => Bandits.P (M t) (pi z) z) (fun z => reward (M t) (pi z) (z (pi z))) i x))).
  by move=> n; apply: mfun_sum_to => i; apply: mfun_mult; [exact: mfun_const | exact: rm].
move=> t; apply: sum_to_of_series; apply: Series.Series_correct.
have pays_ok o : 0 <= pays o <= 1 := pays_unit o.
have hM := bandit_markovian next pays (shows t).
exact: (discounted_converges _ (sub_policy (P_sub hM) (fun y => pi y)) discount x).
Qed.

(* A best policy that depends measurably on the bandit. *)
Lemma best_exists_m : (1 <= #|A|)%N -> exists b : Theta -> plays A S, (forall pi, mfun (fun t => indicator (b t == pi) : RR)) /\
  forall t pi x, V beta (bandit_of next pays (shows t)) pi x <= V beta (bandit_of next pays (shows t)) (fun y => b t y) x.
Proof.
move=> /card_gt0P [a0 _]; exists (fun t => best_play beta (bandit_of next pays (shows t)) [ffun=> a0]); split=> [pi|t].
  by apply: (argmax_m _ pi (f := fun q t => _)) => q; apply: mfun_sum => x; exact: value_m.
exact: (best_play_optimal _ discount (bandit_markovian next pays (shows t))).
Qed.

Lemma own_m : mfun (fun t => own_value next pays beta rho shows best ([::] : history) t : RR).
Proof.
apply: (@mfun_cases _ Theta _ best (fun pi t => mean rho (V beta (bandit_of next pays (shows t)) (fun y => pi y)))) => // pi.
by apply: mfun_sum => x; apply: mfun_mult; [exact: mfun_const | exact: value_m].
Qed.

(* The jointly measurable functions are a class for which Bayes' rule is enough, if each policy is drawn with a chance that depends
   measurably on the history.
   step of: beyond:psrl *)
Theorem measurable_functions_suffice (conditional : history -> law_on Theta) :
  (forall pi, jointly (fun h _ => psrl best conditional h pi)) -> holds_what_is_used next pays beta rho K shows best conditional jointly.
Proof.
move=> chances; split; [exact: jointly_bandit own_m | exact: event_m | move=> k pi g jg].
by apply: jointly_mult jg; exact: (jointly_first (g := fun h _ => psrl best conditional h pi) k (chances pi)).
Qed.

(* BayReg(K, MB-PSRL, prior) <= (5/2) (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta), for laws of any kind. Where prior and laws
   are integrals, what is asked of a posterior is what defines a regular conditional law of the bandit, on the bounded functions
   (said here, not proved).
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_regular (conditional : history -> law_on Theta) : (2 <= K)%N -> (1 <= #|A|)%N -> (1 <= #|S|)%N ->
  (forall pi, jointly (fun h _ => psrl best conditional h pi)) -> bayes_for next shows prior conditional jointly ->
  prior (fun t => expected_regret next beta (psrl best conditional) rho (shows t) (bandit_of next pays (shows t)) (best t) K) <=
    5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> K2 A1 S1 chances bayes; exact: (mb_psrl_regret discount rho_ok pays_unit A1 S1 (measurable_functions_suffice chances) bayes K2).
Qed.
End Regular.

Variables (shows : Theta -> A -> S -> law_on O).
Hypothesis has_density : forall t a s f, bounded f -> shows t a s f = base a s (fun o => density t a s o * f o).

(* Means under a bandit depend measurably on it. *)
Lemma shown_m a s (f : O -> RR) C : mfun f -> (forall o, Rabs (f o) <= C) -> mfun (fun t => shows t a s f : RR).
Proof.
move=> mf fC; have mg : mfun (fun z : two Theta O => density z.1 a s z.2 * f z.2 : RR).
  by apply: mfun_mult; [exact: density_m | exact: (measurable_fun_comp mf (@snd_m _ _ Theta O))].
have n : @nice _ (two Theta O) RR (fun z => density z.1 a s z.2 * f z.2).
  apply: (@nice_of _ (two Theta O) _ (D * C) mg) => z; have d := density_ok z.1 a s z.2.
  by apply: abs_mult (fC _); rewrite Rabs_pos_eq; case: d.
by apply: (mfun_ext _ (proj1 (nice_first (base_mu a s) n))) => t; rewrite has_density //; exists C.
Qed.

(* Means over a run of K episodes, of jointly measurable functions, and the regret depend measurably on the bandit. *)
Section Regret.
Variables (pays : O -> RR) (beta : R) (rho : global A S -> R) (best : Theta -> plays A S).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_m : mfun pays) (pays_unit : forall o, 0 <= pays o <= 1).
Hypothesis best_m : forall pi, mfun (fun t => indicator (best t == pi) : RR).
Notation learner := (psrl best post).
Let learner_ok := psrl_ok best post.

Let reward_m a s : mfun (fun t => shows t a s pays : RR).
Proof. by apply: (shown_m a s pays_m (C := 1)) => o; rewrite Rabs_pos_eq; case: (pays_unit o). Qed.
Let move_m a s y : mfun (fun t => shows t a s (fun o => indicator (next o == y)) : RR).
Proof. by apply: (shown_m a s (next_m y)) => o; exact: indicator_abs. Qed.
Lemma psrl_m pi : jointly (fun h _ => learner h pi).
Proof. by apply: posterior_m; [exact: jointly_bandit (best_m pi) | exists 1 => h t; exact: indicator_abs]. Qed.

Lemma steps_m pi n x g C : jointly g -> (forall h t, Rabs (g h t) <= C) ->
  jointly (fun h t => steps next (shows t) pi n x [::] (fun e => g ((pi, x, e) :: h) t)).
Proof.
move=> jg gC d X h hh; pose F (y : X) e t := weight_of density t e * g ((pi, x, e) :: h y) t.
have jF : leaf_jointly F.
  move=> d' Y p e mp se; apply: mfun_mult; last exact: (jg _ Y _ (list_cons (episode_shown pi x se) (history_comp mp hh))).
  have w := likelihood_jointly (list_cons (episode_shown pi x se) (list_nil (@episode_of _ Y))).
  by apply: (mfun_ext _ w) => z; rewrite /=; ring.
have gF : leaf_growing F.
  move=> m; exists (D ^ m * C) => y e t em; apply: abs_mult => //; have w := weight_range density_ok t e.
  by rewrite Rabs_pos_eq; [have := power_le D1 em; lra | case: w].
apply: mfun_ext ((proj1 (after_jointly pi n x jF gF)) _ X id (fun _ => [::]) (@measurable_fun_id _ _ setT) (list_nil _)) => z.
by rewrite /after /F /= -(@steps_weight A S O Theta next base density shows D density_ok has_density z.2 pi n x [::] _ C) //= Rmult_1_l.
Qed.

Lemma run_m N k g C : 0 <= C -> jointly g -> (forall h t, Rabs (g h t) <= C) ->
  jointly (fun h t => law next learner rho (shows t) (at_most_long beta N) k h (fun h' => g h' t)).
Proof.
move=> C0 jg gC; elim: k => [//|k IH]; pose later h t := law next learner rho (shows t) (at_most_long beta N) k h (fun h' => g h' t).
have laterC h t : Rabs (later h t) <= C by apply: (law_abs next discount learner_ok rho_ok (shows t) C0) => h' _; exact: gC.
move=> d X h hh; apply: mfun_sum => pi; apply: mfun_mult; first exact: (psrl_m pi hh).
apply: mfun_sum => x; apply: mfun_mult; first exact: mfun_const.
apply: mfun_sum_to => m; apply: mfun_mult; [exact: mfun_const | exact: (steps_m pi _ x IH laterC hh)].
Qed.

Lemma regret_m K : mfun (fun t => expected_regret next beta learner rho (shows t) (bandit_of next pays (shows t)) (best t) K : RR).
Proof.
pose M t := bandit_of next pays (shows t); pose lost h t := loss beta learner rho (M t) (fun x => best t x) h.
have hM t : markovian (M t) := bandit_markovian next pays (shows t).
have hu t : unit_rewards (M t) := bandit_unit next pays_unit (shows t).
have value (pi : plays A S) x : mfun (fun t => V beta (M t) (fun y => pi y) x : RR) by exact: value_m.
have jl : jointly lost.
  move=> d X h hh; apply: mfun_sum => pi; apply: mfun_mult; first exact: (psrl_m pi hh).
  apply: mfun_sum => x; apply: mfun_mult; first exact: mfun_const.
  apply: mfun_sub; last exact: (jointly_bandit (value pi x) hh).
  apply: (jointly_bandit (f := fun t => V beta (M t) (fun y => best t y) x) _ hh).
  exact: (@mfun_cases _ Theta _ best (fun (pi : plays A S) t => V beta (M t) (fun y => pi y) x)).
have lC h t : Rabs (lost h t) <= 1 / (1 - beta) := loss_abs discount learner_ok rho_ok (fun x => best t x) (hM t) (hu t) h.
apply: (mfun_ext (fun t => esym (regret_by_episodes next discount learner_ok rho_ok (shows t) (fun x => best t x) (hM t) (hu t) K))).
apply: mfun_sum_to => k.
apply: (mfun_lim (u := fun N t => truncated next beta learner rho (shows t) N k (fun h => lost h t))) => [N|t].
  exact: (jointly_section [::] (run_m N k (top_nonneg discount) jl lC)).
exact: (expected_is_limit discount learner_ok rho_ok (bounded_sized (fun h => lC h t))).
Qed.

(* Theorem 1, where P is a probability measure on the bandits, and the posterior is by Bayes' rule. *)
Lemma mb_psrl_posterior K : (2 <= K)%N -> (1 <= #|A|)%N -> (1 <= #|S|)%N ->
  prior (fun t => expected_regret next beta (psrl best post) rho (shows t) (bandit_of next pays (shows t)) (best t) K) <=
    5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> K2 A1 S1; apply: mb_psrl_regular => // [|ds g jg [C gC]]; first exact: psrl_m.
pose nice g := jointly g /\ exists C, forall h t, Rabs (g h t) <= C.
have nice_post g' : nice g' -> nice (fun h _ => post h (g' h)).
  by move=> [jg' [C' gC']]; split; [apply: posterior_m => //; exists C' | exists C' => h _; apply: E_abs].
apply: (by_densities_on D1 density_ok has_density (nice := nice) _ nice_post) => [ds' g' [jg' _] [C' gC']|h g' [jg' [C' gC']]||].
- by apply: (proj2 (design_jointly ds' (jointly_mult likelihood_jointly jg') _) [::]); apply: (likelihood_growing D1 density_ok); exists C'.
- apply: (bayes_law_ok prior (likelihood_bounded density_ok h) (fun t => proj1 (likelihood_range density_ok t h))).
  by exists C' => t.
- by split=> //; exists C.
- by exists C.
Qed.
End Regret.
End Measures.

(* From probability measures alone: no law on all bounded functions is mentioned but that of observations. *)
Section Whole.
Variables (A S : finType).
Context dT (Theta : measurableType dT) dO (O : measurableType dO).
Variables (next : O -> S) (pays : O -> RR) (beta : R) (rho : global A S -> R) (K : nat).
Variables (P : {measure set Theta -> \bar RR}) (mu : A -> S -> {measure set O -> \bar RR}).
Variables (density : Theta -> A -> S -> O -> R) (D : R).
Hypotheses (P1 : P setT = 1%E) (mu1 : forall a s, mu a s setT = 1%E).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (K2 : (2 <= K)%N) (A1 : (1 <= #|A|)%N) (S1 : (1 <= #|S|)%N).
Hypotheses (D1 : 1 <= D) (density_ok : forall t a s o, 0 <= density t a s o <= D).
Hypotheses (next_m : forall v, mfun (fun o : O => indicator (next o == v) : RR)) (pays_m : mfun pays).
Hypothesis density_m : forall a s, mfun (fun z : two Theta O => density z.1 a s z.2 : RR).
Notation int m f := (@integral _ _ m f).
(* A density has mass 1. *)
Hypothesis density_one : forall t a s, int (mu a s) (fun o => density t a s o : RR) = 1.

(* Best policies that depend measurably on the bandit exist; and whatever policies are called best, measurably, the Bayesian regret
   of MB-PSRL, as an integral: policies are drawn with their posterior chances of being `best`, by Bayes' rule with integrals, where
   what was seen is possible at all.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_measures : exists shows : Theta -> A -> S -> law_on O, let M t := bandit_of next pays (shows t) in
  [/\ forall t a s (f : O -> RR), mfun f -> Laws.bounded f -> shows t a s f = int (mu a s) (fun o => density t a s o * f o : RR),
      exists best : Theta -> plays A S, (forall pi, mfun (fun t => indicator (best t == pi) : RR)) /\
        forall t pi x, V beta (M t) pi x <= V beta (M t) (fun y => best t y) x
    & forall best : Theta -> plays A S, (forall pi, mfun (fun t => indicator (best t == pi) : RR)) ->
  exists chances : history A S O -> plays A S -> R, let regret t := expected_regret next beta chances rho (shows t) (M t) (best t) K in
  [/\ forall h, probability (chances h), forall pi, jointly (fun h (_ : Theta) => chances h pi),
      forall h pi, let seen := int P (fun t => likelihood density t h : RR) in 0 < seen ->
        chances h pi = int P (fun t => likelihood density t h * indicator (best t == pi) : RR) / seen,
      mfun (regret : Theta -> RR)
    & int P regret <= 5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta]].
Proof.
have [base0 hb0] := fin_all_exists (fun a => fin_all_exists (fun s => genuine (mu1 a s))).
have base_mu a s : extends (mu a s) (base0 a s) by split; [exact: mu1 | exact: hb0].
have bd t a s : Laws.bounded (density t a s) by exists D => o; rewrite Rabs_pos_eq; case: (density_ok t a s o).
have nd t a s : @nice _ O RR (density t a s).
  by apply: (@nice_of _ O _ D (measurable_fun_prod1 t (density_m a s))) => o; rewrite Rabs_pos_eq; case: (density_ok t a s o).
have one t a s : base0 a s (density t a s) = 1 by rewrite (proj2 (base_mu a s) _ (nd t a s)) density_one.
have pos t a s : 0 < base0 a s (density t a s) by rewrite one; lra.
pose shows t a s := tilted (bd t a s) (fun o => proj1 (density_ok t a s o)) (pos t a s).
have has t a s f : Laws.bounded f -> shows t a s f = base0 a s (fun o => density t a s o * f o).
  by move=> _; rewrite /shows /= one; field.
have [prior hp] := genuine P1; have prior_P : extends P prior by [].
pose post := posterior prior density_ok; exists shows => M; split=> [t a s f mf [C fC]||best best_m].
- rewrite has; last by exists C.
  apply: (proj2 (base_mu a s)); apply: (@nice_of _ O _ (D * C) (mfun_mult (proj1 (nd t a s)) mf)) => o.
  by apply: abs_mult (fC o); rewrite Rabs_pos_eq; case: (density_ok t a s o).
- apply: best_exists_m => // [a s|a s y]; [apply: (shown_m base_mu density_ok density_m has a s pays_m (C := 1)) => o
    | by apply: (shown_m base_mu density_ok density_m has a s (next_m y)) => o; exact: indicator_abs].
  by rewrite Rabs_pos_eq; case: (pays_unit o).
have chances_ok := psrl_ok best post.
have chances_m := psrl_m prior_P D1 density_ok density_m best_m.
have regret_is := regret_m next_m prior_P base_mu D1 density_ok density_m has discount rho_ok pays_m pays_unit best_m K.
exists (psrl best post); split=> // [h pi|].
  have jl : mfun (fun t => likelihood density t h : RR) by exact: (jointly_section h (likelihood_jointly density_m)).
  have lC t : Rabs (likelihood density t h) <= D ^ duration h by rewrite Rabs_pos_eq; case: (likelihood_range density_ok t h).
  have nlf : @nice _ Theta RR (fun t => likelihood density t h * indicator (best t == pi)).
    by apply: (@nice_of _ Theta _ (D ^ duration h * 1) (mfun_mult jl (best_m pi))) => t; apply: abs_mult => //; exact: indicator_abs.
  rewrite /= -(hp _ (nice_of jl lC)) -(hp _ nlf) => z.
  rewrite (bayes_law_ok prior (likelihood_bounded density_ok h) (fun t => proj1 (likelihood_range density_ok t h))) -/(posterior _ _ _).
    by rewrite /psrl /post; field; lra.
  by exists 1 => t; exact: indicator_abs.
rewrite -(hp _ (@nice_of _ Theta _ (INR K * (1 / (1 - beta))) regret_is _)); last first.
  by move=> t; exact: (expected_regret_abs next discount chances_ok rho_ok (shows t) _ (bandit_markovian _ _ _) (bandit_unit _ pays_unit _)).
exact: (mb_psrl_posterior next_m prior_P base_mu D1 density_ok density_m has discount rho_ok pays_m pays_unit best_m K2 A1 S1).
Qed.
End Whole.
