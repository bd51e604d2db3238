(* Learners that draw what they like: before an episode a w of any type, by any law that depends on all that was seen and
   drawn; at every step an arm, by chances that depend on w too. Each has the regret of one that draws arms alone: given what
   was seen, it plays a with the chance that the first does (the mean, over its draws, of the product of its chances of the arms
   played, with a, by that without a). So what a prior forces on learners that draw arms alone it forces on all. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes Laws Learners.

Section Randomised.
Variables (A S O : finType) (next : O -> S) (W : Type).
Notation global := (global A S).
Notation step := (step A S O).

Notation past := (memory A S O W).
Variables (L : agent A S O W) (shows : A -> S -> O -> R) (beta : R) (rho : global -> R) (M : model A S) (best : policy A S).
Hypotheses (L_ok : agent_ok L) (shows_ok : forall a s, probability (shows a s)).
Notation over_steps := (walk next L shows).
Notation over_episodes := (run_through next L shows).
Notation earning := (earned next L beta M shows).
Notation worth := (plan_worth next L beta M shows).

(* ---------------------------------------------------------------- The learner that plays with the same chances *)

(* What was drawn in the episodes of a given past, were it not looked at which arms were played; and the chance of these. *)
Notation seen := (memory A S O unit).
Fixpoint blind (s : seen) : law_on past :=
  if s is (_, x, e) :: s' then bind_law (blind s') (fun h => bind_law (draw L h) (fun w => point_law ((w, x, e) :: h)))
    else point_law [::].
Notation blind_next s := (bind_law (blind s) (fun h => bind_law (draw L h) (fun w => point_law (h, w)))).
Fixpoint likely (h : past) (w : W) (e : seq step) : R := if e is (x, a, _) :: e' then act L h w e' x a * likely h w e' else 1.
Fixpoint weight (h : past) : R := if h is (w, _, e) :: h' then likely h' w e * weight h' else 1.
Definition weighed (e : seq step) (p : past * W) : R := likely p.1 p.2 e * weight p.1.
Definition mass_of (s : seen) (e : seq step) : R := blind_next s (weighed e).

Lemma arm_unit h w e x a : 0 <= act L h w e x a <= 1.
Proof. exact: probability_01. Qed.
Lemma likely_unit h w e : 0 <= likely h w e <= 1.
Proof. by elim: e => [|[[x a] o] e IH] /=; [lra | have := arm_unit h w e x a; nra]. Qed.
Lemma weight_unit h : 0 <= weight h <= 1.
Proof. by elim: h => [|[[w x] e] h IH] /=; [lra | have := likely_unit h w e; nra]. Qed.
Lemma weighed_unit e p : 0 <= weighed e p <= 1.
Proof. by have := likely_unit p.1 p.2 e; have := weight_unit p.1; rewrite /weighed; nra. Qed.
Definition arm_weighed (e : seq step) (x : global) (a : A) (p : past * W) : R := act L p.1 p.2 e x a * weighed e p.
Lemma arm_weighed_unit e x a p : 0 <= arm_weighed e x a p <= weighed e p.
Proof. by have := arm_unit p.1 p.2 e x a; have := weighed_unit e p; rewrite /arm_weighed; nra. Qed.
Lemma arm_weighed_bounded e x a : bounded (arm_weighed e x a).
Proof. by apply: (@by_range _ 0 1) => p; have := arm_weighed_unit e x a p; have := weighed_unit e p; lra. Qed.
Lemma weighed_bounded e : bounded (weighed e). Proof. exact: by_range (weighed_unit e). Qed.
Lemma mass_of_arm s e x a : 0 <= blind_next s (arm_weighed e x a) <= mass_of s e.
Proof.
split; first by case: (E_range (blind_next s) (fun p => conj (proj1 (arm_weighed_unit e x a p))
  (Rle_trans _ _ _ (proj2 (arm_weighed_unit e x a p)) (proj2 (weighed_unit e p))))).
by apply: E_le => [||p]; [exact: arm_weighed_bounded | exact: weighed_bounded | case: (arm_weighed_unit e x a p)].
Qed.
Lemma arms_weighed s e x : \sum_(a : A) blind_next s (arm_weighed e x a) = mass_of s e.
Proof.
rewrite -E_sum; last by move=> a; exact: arm_weighed_bounded.
by apply: E_ext => p; rewrite /arm_weighed sum_scale_r (proj2 (L_ok _ _ _ _)) Rmult_1_l.
Qed.

Definition chance_of (s : seen) (e : seq step) (x : global) (a : A) : R :=
  if Rlt_dec 0 (mass_of s e) then blind_next s (arm_weighed e x a) / mass_of s e else blind_next s (fun p => act L p.1 p.2 e x a).
Definition arms_alone : agent A S O unit := Agent (fun _ => point_law tt) (fun s _ e x a => chance_of s e x a).

Lemma arms_alone_ok : agent_ok arms_alone.
Proof.
move=> s u e x; have b1 a : bounded (fun p : past * W => act L p.1 p.2 e x a) by exact: by_range (fun p => arm_unit p.1 p.2 e x a).
split=> [a|]; rewrite /= /chance_of; case: Rlt_dec => m0.
- by apply: Rdiv_le_0_compat => //; case: (mass_of_arm s e x a).
- by case: (E_range (blind_next s) (fun p => arm_unit p.1 p.2 e x a)).
- by rewrite /Rdiv sum_scale_r arms_weighed; field; lra.
- rewrite -E_sum // -[RHS](E_const (blind_next s)); apply: E_ext => p; exact: (proj2 (L_ok _ _ _ _)).
Qed.

(* Among what was drawn, weighed by the chance of what was played, the arm that comes next is drawn with that chance. *)
Lemma next_arm s e x g : mass_of s e * mean (chance_of s e x) g = \sum_(a : A) blind_next s (arm_weighed e x a) * g a.
Proof.
rewrite /mean -sum_scale; apply: eq_bigr => a _; rewrite /chance_of; case: Rlt_dec => m0; rewrite /is_left; first by field; lra.
have [ge le] := mass_of_arm s e x a; have -> : blind_next s (arm_weighed e x a) = 0 by lra.
by have -> : mass_of s e = 0; [lra | ring].
Qed.

Lemma one_step s e x (c : A -> R) b (f : A -> O -> past * W -> R) f' C : (forall a o p, Rabs (f a o p) <= C) ->
  (forall a o, blind_next s (fun p => weighed ((x, a, o) :: e) p * f a o p) = mass_of s ((x, a, o) :: e) * f' a o) ->
  blind_next s (fun p => weighed e p * mean (act L p.1 p.2 e x) (fun a => c a + b * mean (shows a (x a)) (fun o => f a o p))) =
  mass_of s e * mean (chance_of s e x) (fun a => c a + b * mean (shows a (x a)) (f' a)).
Proof.
move=> fC eq; have ex a o p : weighed ((x, a, o) :: e) p = arm_weighed e x a p by rewrite /weighed /arm_weighed /weighed /=; ring.
have em a o : mass_of s ((x, a, o) :: e) = blind_next s (arm_weighed e x a) by apply: E_ext => p; exact: ex.
have bf a o : bounded (fun p => arm_weighed e x a p * f a o p) by apply: bounded_mult; [exact: arm_weighed_bounded | exact: (by_abs (fC a o))].
have bo a o : bounded (fun p => shows a (x a) o * (arm_weighed e x a p * f a o p)) by exact: bounded_scale.
have bs a : bounded (fun p => \sum_(o : O) shows a (x a) o * (arm_weighed e x a p * f a o p)).
  by apply: bounded_sum => o; exact: bo.
rewrite next_arm.
transitivity (blind_next s (fun p => \sum_(a : A) (c a * arm_weighed e x a p + b * \sum_(o : O) shows a (x a) o * (arm_weighed e x a p * f a o p)))).
  apply: E_ext => p; rewrite /mean -sum_scale; apply: eq_bigr => a _; rewrite /arm_weighed.
  rewrite [in RHS](eq_bigr (fun o => (act L p.1 p.2 e x a * weighed e p) * (shows a (x a) o * f a o p))) => [|o _]; last by ring.
  by rewrite sum_scale; ring.
rewrite E_sum => [|a]; last by apply: bounded_add; apply: bounded_scale => //; exact: arm_weighed_bounded.
apply: eq_bigr => a _; rewrite E_add; try (apply: bounded_scale => //; exact: arm_weighed_bounded).
rewrite !E_scale //; last exact: arm_weighed_bounded.
rewrite E_sum // (eq_bigr (fun o => blind_next s (arm_weighed e x a) * (shows a (x a) o * f' a o))) => [|o _].
  by rewrite sum_scale /mean; ring.
rewrite E_scale // (_ : blind_next s _ = mass_of s ((x, a, o) :: e) * f' a o); first by rewrite em; ring.
by rewrite -eq; apply: E_ext => p; rewrite ex.
Qed.

Lemma steps_alike s n e x F F' C : (forall p e' y, Rabs (F p e' y) <= C) ->
  (forall e' y, blind_next s (fun p => weighed e' p * F p e' y) = mass_of s e' * F' e' y) ->
  blind_next s (fun p => weighed e p * over_steps p.1 p.2 n e x (F p)) = mass_of s e * walk next arms_alone shows s tt n e x F'.
Proof.
move=> FC eq; elim: n e x => [|n IH] e x; first exact: eq.
have := @one_step s e x (fun _ => 0) 1 (fun a o p => over_steps p.1 p.2 n ((x, a, o) :: e) (moved x a (next o)) (F p))
  (fun a o => walk next arms_alone shows s tt n ((x, a, o) :: e) (moved x a (next o)) F') C _ (fun a o => IH _ _).
have clean q (g : A -> R) : mean q (fun a => 0 + 1 * g a) = mean q g by apply: mean_ext => a; ring.
rewrite clean; move=> h; rewrite [walk _ _ _ _ _ _ _ _ _]/= -h => [|a o p].
  by apply: E_ext => p; rewrite clean.
by apply: Rabs_le; apply: (walk_range next L_ok shows_ok) => e' y; exact/Rabs_le_between.
Qed.

Lemma mass_at_start s : mass_of s [::] = blind s weight.
Proof.
change (blind s (fun h => draw L h (fun w => weighed [::] (h, w))) = blind s weight); apply: E_ext => h.
by rewrite -[RHS](E_const (draw L h)); apply: E_ext => w; rewrite /weighed /=; ring.
Qed.

Lemma first_draw s (f : past -> W -> R) C : (forall h w, Rabs (f h w) <= C) ->
  blind s (fun h => weight h * draw L h (f h)) = blind_next s (fun p => weighed [::] p * f p.1 p.2).
Proof.
move=> fC; change (blind s (fun h => weight h * draw L h (f h)) = blind s (fun h => draw L h (fun w => weighed [::] (h, w) * f h w))).
apply: E_ext => h; rewrite -E_scale; last exact: (by_abs (fC h)).
by apply: E_ext => w; rewrite /weighed /=; ring.
Qed.

Lemma runs_alike sc s F F' C : (forall h, Rabs (F h) <= C) ->
  (forall s', blind s' (fun h => weight h * F h) = blind s' weight * F' s') ->
  blind s (fun h => weight h * over_episodes sc h F) = blind s weight * run_through next arms_alone shows sc s F'.
Proof.
move=> FC eq; elim: sc s => [|[x n] sc IH] s; first exact: eq.
rewrite [run_through next arms_alone _ _ _ _]/= -mass_at_start.
rewrite -(@steps_alike s n [::] x (fun p e _ => over_episodes sc ((p.2, x, e) :: p.1) F) _ C).
- apply: (@first_draw s (fun h w => over_steps h w n [::] x (fun e _ => over_episodes sc ((w, x, e) :: h) F)) C) => h w.
  by apply: Rabs_le; apply: (walk_range next L_ok shows_ok) => e y; apply/Rabs_le_between; exact: run_abs.
- by move=> p e y; exact: run_abs.
- by move=> e y; exact: (IH ((tt, x, e) :: s)).
Qed.

(* What is bounded and depends on the plays and observations alone has one mean for both learners; so have prices of plays. *)
Lemma blind_apart s g (F : seq (seq step) -> R) : bounded g ->
  blind s (fun h => g h * F [seq r.2 | r <- h]) = blind s g * F [seq r.2 | r <- s].
Proof.
elim: s g F => [|[[u x] e] s IH] g F bg //; pose g' h := draw L h (fun w => g ((w, x, e) :: h)).
have bg' : bounded g' by case: bg => C gC; exists C => h; exact: E_abs.
apply: etrans (IH g' (fun l => F (e :: l)) bg'); apply: (E_ext (blind s)) => h; rewrite /g' Rmult_comm -E_scale.
  by apply: (E_ext (draw L h)) => w; exact: Rmult_comm.
by case: bg => C gC; exists C.
Qed.

Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (hM : markovian M) (unit : unit_rewards M).
Notation top := (1 / (1 - beta)).
Notation short := (shortfall next L beta M shows best).

Lemma earning_alike s J e x : blind_next s (fun p => weighed e p * earning p.1 p.2 J e x) =
  mass_of s e * earned next arms_alone beta M shows s tt J e x.
Proof.
elim: J e x => [|J IH] e x; first by rewrite [earned _ _ _ _ _ _ _ _ _ _]/= Rmult_0_r -[RHS](E_const (blind_next s)); apply: E_ext => p; exact: Rmult_0_r.
apply: (@one_step s e x (fun a => reward M a (x a)) beta (fun a o p => earning p.1 p.2 J ((x, a, o) :: e) (moved x a (next o)))
  _ top) => // a o p; have := earned_range next L_ok discount shows_ok unit p.1 p.2 J ((x, a, o) :: e) (moved x a (next o)).
by move=> [r0 r1]; rewrite Rabs_pos_eq.
Qed.

Lemma worth_abs h w x : Rabs (worth h w x) <= top.
Proof. by have [v0 v1] := plan_worth_range next L_ok discount shows_ok unit h w x; rewrite Rabs_pos_eq. Qed.

Lemma worth_alike s x : blind_next s (fun p => weighed [::] p * worth p.1 p.2 x) =
  mass_of s [::] * plan_worth next arms_alone beta M shows s tt x.
Proof.
suff close J : Rabs (blind_next s (fun p => weighed [::] p * worth p.1 p.2 x) -
    mass_of s [::] * plan_worth next arms_alone beta M shows s tt x) <= 0 + beta ^ J * (2 * top).
  by have := geometric_le discount (is_lim_seq_const _) close; split_Rabs; lra.
have m01 := E_range (blind_next s) (weighed_unit [::]); rewrite -/(mass_of s [::]) in m01.
have be : bounded (fun p : past * W => weighed [::] p * earning p.1 p.2 J [::] x).
  apply: bounded_mult; first exact: weighed_bounded.
  exists top => p; have [r0 r1] := earned_range next L_ok discount shows_ok unit p.1 p.2 J [::] x.
  by rewrite Rabs_pos_eq.
have bw : bounded (fun p : past * W => weighed [::] p * worth p.1 p.2 x).
  by apply: bounded_mult; [exact: weighed_bounded | exists top => p; exact: worth_abs].
have h1 : Rabs (blind_next s (fun p => weighed [::] p * worth p.1 p.2 x) - blind_next s (fun p => weighed [::] p * earning p.1 p.2 J [::] x)) <= beta ^ J * top.
  rewrite -E_sub //; apply: E_abs => p; rewrite -Rmult_minus_distr_l -[X in _ <= X]Rmult_1_l.
  apply: abs_mult; first by have := weighed_unit [::] p; split_Rabs; lra.
  by have := worth_more next L_ok discount shows_ok unit p.1 p.2 J x; split_Rabs; lra.
have h2 := worth_more next arms_alone_ok discount shows_ok unit s tt J x; rewrite earning_alike in h1.
set u := blind_next s _ in h1 *; set v := plan_worth _ _ _ _ _ _ _ _ in h2 *; set w := earned _ _ _ _ _ _ _ _ _ _ in h1 h2.
rewrite (_ : u - _ = (u - mass_of s [::] * w) + - mass_of s [::] * (v - w)); last ring.
rewrite Rplus_0_l (_ : _ * (2 * top) = beta ^ J * top + 1 * (beta ^ J * top)); last ring.
by apply: abs_add h1 _; apply: abs_mult; split_Rabs; lra.
Qed.

(* The regret of both is the same. *)
Theorem regret_of_arms_alone K : regret_in_run next L beta rho M shows best K = regret_in_run next arms_alone beta rho M shows best K.
Proof.
have t0 := top_nonneg discount; apply: sum_to_ext => k _; apply: schedules_ext => sc.
have short_abs h w x : Rabs (V beta M best x - worth h w x) <= top.
  by have := V_range discount hM best unit x; have := plan_worth_range next L_ok discount shows_ok unit h w x; split_Rabs; lra.
have bs x : bounded (fun h => weight h * short x h).
  apply: bounded_mult; first exact: by_range weight_unit.
  by exists top => h; apply: E_abs => w; exact: short_abs.
suff eq s : blind s (fun h => weight h * mean rho (fun x => short x h)) =
    blind s weight * mean rho (fun x => shortfall next arms_alone beta M shows best x s).
  have := @runs_alike sc [::] (fun h => mean rho (fun x => short x h)) _ top _ eq.
  rewrite /= !Rmult_1_l; apply=> h; apply: mean_abs1 => // x; apply: E_abs => w; exact: short_abs.
transitivity (mean rho (fun x => blind s (fun h => weight h * short x h))).
  by rewrite -exchange_mean //; apply: E_ext => h; rewrite mean_scale.
rewrite -mean_scale; apply: mean_ext => x; rewrite /shortfall draw_one (@first_draw s (fun h w => V beta M best x - worth h w x) top) //.
rewrite (E_ext _ (g := fun p => V beta M best x * weighed [::] p - weighed [::] p * worth p.1 p.2 x)) => [|p]; last ring.
rewrite E_sub; first by rewrite E_scale; [rewrite worth_alike -mass_at_start /mass_of; ring | exact: weighed_bounded].
- exact/bounded_scale/weighed_bounded.
- by apply: bounded_mult; [exact: weighed_bounded | exists top => p; exact: worth_abs].
Qed.
End Randomised.

(* Prices of plays have the same mean for a learner that draws what it likes and for the one that draws arms alone. *)
Section Prices.
Variables (A S O : finType) (next : O -> S) (shows : A -> S -> O -> R).
Hypothesis shows_ok : forall a s, probability (shows a s).

Definition steps_seen (W : Type) (h : memory A S O W) : nat := sumn [seq size r.2 | r <- h].
Lemma episodes_ext (W : Type) (L : agent A S O W) sc h F G :
  (forall h', steps_seen h' = (steps_seen h + sumn [seq p.2 | p <- sc])%nat -> F h' = G h') ->
  run_through next L shows sc h F = run_through next L shows sc h G.
Proof.
elim: sc h => [|[x n] sc IH] h FG; first by apply: FG; rewrite addn0.
apply: E_ext => w; apply: walk_ext => e y; rewrite addn0 => sz; apply: IH => h' sz'; apply: FG.
by rewrite sz' /steps_seen /= sz (addnC n) addnA.
Qed.

Lemma prices_alike price (W : Type) (L : agent A S O W) sc : agent_ok L ->
  run_through next L shows sc [::] (price_in price) = run_through next (arms_alone L) shows sc [::] (price_in price).
Proof.
move=> L_ok; have [C [C0 pC]] := exists_bound (fun p : A * S => price p.1 p.2).
have in_episode (e : seq (step A S O)) : Rabs (price_of price e) <= INR (size e) * C.
  elim: e => [|p e IH]; first by rewrite /price_of sum_nil Rabs_R0 /=; lra.
  by rewrite /price_of sum_cons [size _]/= S_INR Rmult_plus_distr_r Rmult_1_l Rplus_comm; exact: abs_add IH (pC (_, _)).
have in_all (V : Type) (h : memory A S O V) : Rabs (price_in price h) <= INR (steps_seen h) * C.
  elim: h => [|r h IH]; first by rewrite /price_in sum_nil Rabs_R0 /=; lra.
  by rewrite /price_in sum_cons /steps_seen /= plus_INR Rmult_plus_distr_r; exact: abs_add (in_episode r.2) IH.
pose top := INR (sumn [seq p.2 | p <- sc]) * C; pose clip v := Rmax (- top) (Rmin top v).
have top0 : 0 <= top by apply: Rmult_le_pos => //; exact: pos_INR.
have same (V : Type) (L' : agent A S O V) : run_through next L' shows sc [::] (price_in price) =
    run_through next L' shows sc [::] (fun h => clip (price_in price h)).
  apply: episodes_ext => h sz; have := in_all V h; rewrite sz -/top /clip /Rmax /Rmin.
  by move/Rabs_le_between; do 2 case: Rle_dec; lra.
rewrite same; apply: etrans (esym (same _ (arms_alone L))).
have := @runs_alike _ _ _ next _ L shows L_ok shows_ok sc [::] (fun h => clip (price_in price h)) (fun h => clip (price_in price h)) top.
rewrite /= !Rmult_1_l; apply=> [h|s].
  by apply: Rabs_le; rewrite /clip /Rmax /Rmin; do 2 case: Rle_dec; lra.
have := @blind_apart _ _ _ _ L s (weight L) (fun l => clip (\sum_(e <- l) price_of price e)) (by_range (weight_unit L_ok)).
by rewrite /price_in !big_map; under E_ext do rewrite big_map.
Qed.
End Prices.
