(* The Gittins index theorem: with the index of eq:eq_Gindex, a supremum over stopping times, playing an arm of
   largest index is optimal from every state, against all policies and all plans. *)

From kernel Require Import Limits Sums Values Bandits Retirement.

(* ---------------------------------------------------------------- One arm, played until it is stopped *)

Section Arm.
Variables (S : finType) (beta : R) (r : S -> R) (Q : S -> S -> R).
Implicit Types (s y : S) (g : S -> R) (nu : R).

(* Stopping ends play: its row is zero. A stopping time is a plan that continues or stops, given the past, and may
   toss coins. *)
Definition stop_rows (go : bool) s y : R := if go then Q s y else 0.
Definition stopping_time := plan S bool_finType.

(* E[sum of beta^t g(Z_t) over t < tau | Z_0 = s]. *)
Definition until g (tau : stopping_time) s : R := plan_value stop_rows beta (fun go s => if go then g s else 0) tau s.

(* eq:eq_Gindex: the supremum, over stopping times tau > 0, of discounted reward per discounted time. *)
Definition ratios s (v : R) := exists tau : stopping_time,
  is_plan tau /\ tau [::] s true = 1 /\ v = until r tau s / until (fun _ => 1) tau s.
Definition gittins_index s (gamma : R) := is_lub (ratios s) gamma.

Hypotheses (discount : is_discount beta) (rows : forall s, probability (Q s)).

Lemma sub_stop go : substochastic (stop_rows go).
Proof.
by split=> s *; case: go; rewrite /stop_rows; [exact: (proj1 (rows s)) | lra | rewrite (proj2 (rows s)); lra | rewrite sum_zero; lra].
Qed.

(* The best that stopping can do when each step costs nu: the largest value over the sets where one stops. *)
Definition stop_reward nu (go : bool) s : R := if go then r s - nu else 0.
Definition stop_value nu (D : {set S}) : S -> R := value stop_rows beta (stop_reward nu) (fun s => s \notin D).
Definition best nu s : R := \big[Rmax/0]_(D : {set S}) stop_value nu D s.
Definition go_on nu s : R := r s - nu + beta * mean (Q s) (best nu).

Lemma best_ge nu D s : stop_value nu D s <= best nu s.
Proof.
rewrite /best; have := mem_index_enum D; elim: (index_enum _) => [|E l IH] //.
rewrite inE big_cons => /orP[/eqP ->|h]; first exact: Rmax_l.
by apply: Rle_trans (IH h) _; exact: Rmax_r.
Qed.

Lemma mean_zero_row f s : mean (stop_rows false s) f = 0.
Proof. by rewrite /mean /stop_rows big1 // => y _; ring. Qed.

Lemma best_solution nu : exists p : S -> bool, (forall s, best nu s = value stop_rows beta (stop_reward nu) p s) /\
  optimality_equations stop_rows beta (stop_reward nu) (best nu).
Proof.
have [p [opt att]] := optimal_policy_exists (stop_reward nu) sub_stop discount false.
have dom D s : stop_value nu D s <= value stop_rows beta (stop_reward nu) p s.
  exact: (value_at_most sub_stop discount opt (fun s => s \notin D) s).
have e s : best nu s = value stop_rows beta (stop_reward nu) p s.
  have same : stop_value nu [set s | ~~ p s] s = value stop_rows beta (stop_reward nu) p s.
    congr (value _ _ _ _ s); apply: FunctionalExtensionality.functional_extensionality => y.
    by rewrite inE negbK.
  apply: Rle_antisym; last by rewrite -same; exact: best_ge.
  apply: (big_ind (fun u => u <= value stop_rows beta (stop_reward nu) p s)) => [|u w|D _]; [|exact: Rmax_lub|exact: dom].
  by have := opt false s; rewrite mean_zero_row /=; lra.
exists p; split=> //; have f : best nu = value stop_rows beta (stop_reward nu) p.
  exact: FunctionalExtensionality.functional_extensionality.
by rewrite f.
Qed.

Lemma best_nonneg nu s : 0 <= best nu s.
Proof. by have [_ [_ [h _]]] := best_solution nu; have := h false s; rewrite mean_zero_row /=; lra. Qed.

Lemma best_go nu s : go_on nu s <= best nu s.
Proof. by have [_ [_ [h _]]] := best_solution nu; exact: (h true s). Qed.

Lemma best_cases nu s : best nu s = 0 \/ best nu s = go_on nu s.
Proof.
have [_ [_ [_ h]]] := best_solution nu; have [[] e] := h s; [by right | left].
by rewrite e mean_zero_row /=; lra.
Qed.

(* Comparison, from above and from below. *)
Lemma best_at_most nu W : (forall s, 0 <= W s) -> (forall s, r s - nu + beta * mean (Q s) W <= W s) ->
  forall s, best nu s <= W s.
Proof.
move=> W0 hW s; have [p [-> _]] := best_solution nu; apply: (value_at_most sub_stop discount _ p s) => go y.
by case: go; [exact: hW | rewrite mean_zero_row /=; have := W0 y; lra].
Qed.

Lemma best_at_least nu W : (forall s, W s <= 0 \/ W s <= r s - nu + beta * mean (Q s) W) ->
  forall s, W s <= best nu s.
Proof.
move=> hW; have subQ : substochastic Q by split=> y *; [exact: (proj1 (rows y)) | rewrite (proj2 (rows y)); lra].
apply: (nowhere_above subQ discount) => y; have := best_go nu y; have := best_nonneg nu y; rewrite mean_sub /go_on.
by case: (hW y) => h; [left | right]; lra.
Qed.

(* In nu the best value does not increase, by at most 1/(1 - beta) for each unit, and it is convex. *)
Lemma best_decreases nu nu' s : nu <= nu' -> best nu' s <= best nu s.
Proof.
move=> le; apply: best_at_most => y; first exact: best_nonneg.
by have := best_go nu y; rewrite /go_on; lra.
Qed.

Lemma best_lipschitz nu nu' s : nu <= nu' -> best nu s <= best nu' s + (nu' - nu) / (1 - beta).
Proof.
move=> le; case: (discount) => b0 b1; set d := (nu' - nu) / (1 - beta).
have d0 : 0 <= d by apply: Rmult_le_pos; [lra | left; apply: Rinv_0_lt_compat; lra].
have e : d = nu' - nu + beta * d by rewrite /d; field; lra.
apply: (best_at_most (W := fun s => best nu' s + d)) => y; first by have := best_nonneg nu' y; lra.
by rewrite mean_add (mean_of_const _ (rows y)); have := best_go nu' y; rewrite /go_on; lra.
Qed.

Lemma best_convex nu0 nu2 t s : 0 <= t <= 1 ->
  best (t * nu0 + (1 - t) * nu2) s <= t * best nu0 s + (1 - t) * best nu2 s.
Proof.
move=> t01; apply: (best_at_most (W := fun s => t * best nu0 s + (1 - t) * best nu2 s)) => y.
  by have := best_nonneg nu0 y; have := best_nonneg nu2 y; nra.
rewrite mean_add !mean_scale; have := best_go nu0 y; have := best_go nu2 y; rewrite /go_on.
case: (discount) => b0 b1; nra.
Qed.

Lemma go_on_decreases nu nu' s : nu <= nu' -> go_on nu' s <= go_on nu s - (nu' - nu).
Proof.
move=> le; rewrite /go_on; case: (discount) => b0 b1.
have m := mean_le (proj1 (rows s)) (fun y => best_decreases y le).
by have := Rmult_le_compat_l _ _ _ b0 m; lra.
Qed.

Lemma go_on_lipschitz nu nu' s : nu <= nu' -> go_on nu s <= go_on nu' s + (nu' - nu) / (1 - beta).
Proof.
move=> le; rewrite /go_on; case: (discount) => b0 b1.
have m := mean_le (proj1 (rows s)) (fun y => best_lipschitz y le).
rewrite mean_add (mean_of_const _ (rows s)) in m.
have e : (nu' - nu) / (1 - beta) = nu' - nu + beta * ((nu' - nu) / (1 - beta)) by field; lra.
by have := Rmult_le_compat_l _ _ _ b0 m; lra.
Qed.

(* ---------------------------------------------------------------- Ratios and the best value *)

Lemma plan_steps_linear g c tau n h s :
  plan_steps stop_rows beta (fun go s => if go then g s - c else 0) tau n h s =
  plan_steps stop_rows beta (fun go s => if go then g s else 0) tau n h s
  - c * plan_steps stop_rows beta (fun go _ => if go then 1 else 0) tau n h s.
Proof.
elim: n h s => [|n IH] h s /=; first ring.
rewrite -mean_scale -mean_sub; apply: mean_ext => go; rewrite (mean_ext _ (IH _)) mean_sub mean_scale.
by case: go => /=; ring.
Qed.

Lemma until_linear g c tau s : is_plan tau -> until (fun s => g s - c) tau s = until g tau s - c * until (fun _ => 1) tau s.
Proof.
move=> ok; have lim f := plan_converges (r := fun go s => if go then f s else 0) (x := s) sub_stop discount ok.
rewrite {1}/until /plan_value (Lim_seq_ext _ _ (fun n => plan_steps_linear g c tau n [::] s)).
by rewrite (is_lim_seq_unique _ _ (is_lim_seq_minus' _ _ _ _ (lim g) (is_lim_seq_scal_l _ c _ (lim (fun _ => 1))))).
Qed.

Lemma two (f : bool -> R) : \sum_(go : bool) f go = f true + f false.
Proof. by rewrite (sum_isolate true) (_ : \sum_(i : bool | i != true) f i = f false) // (big_pred1 false) // => - []. Qed.

Lemma must_go (tau : stopping_time) h s f : is_plan tau -> tau h s true = 1 -> mean (tau h s) f = f true.
Proof.
move=> ok t1; have [p0 p1] := ok h s; rewrite two t1 in p1.
by rewrite /mean two t1 (_ : tau h s false = 0); [ring | lra].
Qed.

Lemma until_step g tau s : is_plan tau -> tau [::] s true = 1 -> until g tau s = g s +
  beta * mean (Q s) (until g (after tau (s, true))).
Proof. by move=> ok t1; rewrite /until (plan_value_step _ sub_stop discount) ?must_go. Qed.

Lemma time_positive tau s : is_plan tau -> tau [::] s true = 1 -> 1 <= until (fun _ => 1) tau s.
Proof.
move=> ok t1; rewrite until_step //; case: (discount) => b0 b1.
suff m : 0 <= mean (Q s) (until (fun _ => 1) (after tau (s, true))) by have := Rmult_le_pos _ _ b0 m; lra.
apply: (mean_least (rows s)) => y; have ok' : is_plan (after tau (s, true)) by move=> h z; exact: ok.
suff : until (fun s => 1 - 2) (after tau (s, true)) y <= 0 by rewrite until_linear //; lra.
apply: (plan_value_at_most sub_stop discount ok' (W := fun _ => 0)) => go z; rewrite mean_const; case: go; lra.
Qed.

(* A stopping time tau > 0 does at most as well as going on once and then doing the best. *)
Lemma until_at_most nu tau s : is_plan tau -> tau [::] s true = 1 -> until (fun s => r s - nu) tau s <= go_on nu s.
Proof.
move=> ok t1; rewrite until_step // /go_on; have [_ [_ [dom _]]] := best_solution nu.
apply: Rplus_le_compat_l; apply: Rmult_le_compat_l; first by case: discount.
apply: (mean_mono (rows s)) => y.
by apply: (plan_value_at_most sub_stop discount _ dom) => h z; exact: ok.
Qed.

(* It is attained: go on once, then follow the best policy. *)
Lemma until_attained nu s : exists tau, is_plan tau /\ (forall h y, tau h y true = 0 \/ tau h y true = 1) /\
  tau [::] s true = 1 /\ until (fun s => r s - nu) tau s = go_on nu s.
Proof.
have [p [eq _]] := best_solution nu.
pose tau : stopping_time := fun h y => if h is [::] then (fun go => if go then 1 else 0) else stationary p h y.
have ok : is_plan tau.
  move=> [|c h] y; last exact: is_plan_stationary.
  by split=> [[]|]; rewrite ?two /tau; lra.
exists tau; split=> //; split.
  by move=> [|c h] y; rewrite /tau /stationary; [right | case: ifP => _; [right | left]].
split=> //; rewrite until_step // /go_on; congr (_ + _ * _); apply: mean_ext => y.
rewrite /until eq -(stationary_value (stop_reward nu) sub_stop discount p y); congr (plan_value _ _ _ _ _).
by apply: FunctionalExtensionality.functional_extensionality => -[|c h].
Qed.

(* nu is an upper bound of the ratios exactly when going on is not worth its cost. *)
Lemma upper_bound_iff nu s : (forall v, ratios s v -> v <= nu) <-> go_on nu s <= 0.
Proof.
split=> [h|h v [tau [ok [t1 ->]]]].
  have [tau [ok [_ [t1 e]]]] := until_attained nu s; have pos := time_positive ok t1.
  have : until r tau s / until (fun _ => 1) tau s <= nu by apply: h; exists tau.
  move/(Rmult_le_compat_r (until (fun _ => 1) tau s) _ _ (ltac:(lra))).
  by rewrite -e until_linear // /Rdiv Rmult_assoc Rinv_l; lra.
have pos := time_positive ok t1; have := until_at_most nu ok t1; rewrite until_linear // => le.
apply: (Rmult_le_reg_r (until (fun _ => 1) tau s)); first lra.
by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

(* No ratio exceeds the largest reward. *)
Lemma ratios_at_most s top : (forall y, r y <= top) -> forall v, ratios s v -> v <= top.
Proof.
move=> largest; apply/upper_bound_iff; case: (discount) => b0 b1; have none y : best top y <= 0.
  by apply: (best_at_most (W := fun _ => 0)) => z; rewrite ?(mean_of_const 0 (rows z)); have := largest z; lra.
by have := mean_most (rows s) none; have := largest s; rewrite /go_on; nra.
Qed.

Lemma index_exists s : exists gamma, gittins_index s gamma.
Proof.
have [C [C0 rC]] := exists_bound r; have [tau [ok [_ [t1 _]]]] := until_attained 0 s.
apply: (@supremum_exists _ (until r tau s / until (fun _ => 1) tau s) C); first by exists tau.
by apply: ratios_at_most => y; exact: Rle_trans (Rle_abs _) (rC y).
Qed.

(* At the index, going on and stopping tie. *)
Lemma go_on_at_index s gamma : gittins_index s gamma -> go_on gamma s = 0.
Proof.
move=> [ub least]; have up : go_on gamma s <= 0 by apply/upper_bound_iff.
case: (Rle_lt_or_eq_dec _ _ up) => // neg; exfalso; case: (discount) => b0 b1.
pose d := - go_on gamma s * (1 - beta); have d0 : 0 < d by apply: Rmult_lt_0_compat; lra.
have : go_on (gamma - d) s <= 0.
  have := go_on_lipschitz s (ltac:(lra) : gamma - d <= gamma); rewrite (_ : (gamma - (gamma - d)) / (1 - beta) = - go_on gamma s); first lra.
  by rewrite /d; field; lra.
by move/upper_bound_iff => ub'; have := least _ ub'; lra.
Qed.

Lemma index_range s gamma top : gittins_index s gamma -> (forall y, r y <= top) -> r s <= gamma <= top.
Proof.
move=> index largest; split; last by case: (index) => _; apply; exact: ratios_at_most.
have := go_on_at_index index; have := mean_least (rows s) (fun y => best_nonneg gamma y).
by rewrite /go_on => m; have := Rmult_le_pos _ _ (proj1 discount) m; lra.
Qed.

(* The supremum is attained, by a stopping time that tosses no coins: so it is the same over those alone, which the
   paper means.
   ledger: eq:eq_Gindex
   step of: gittins-optimal *)
Theorem index_is_attained s gamma : gittins_index s gamma -> exists tau : stopping_time,
  is_plan tau /\ (forall h y, tau h y true = 0 \/ tau h y true = 1) /\ tau [::] s true = 1 /\
  gamma = until r tau s / until (fun _ => 1) tau s.
Proof.
move=> index; have [tau [ok [det [t1 e]]]] := until_attained gamma s; exists tau; split=> //; split=> //; split=> //.
have pos := time_positive ok t1; rewrite (go_on_at_index index) in e.
rewrite until_linear // in e.
by rewrite (_ : until r tau s = gamma * until (fun _ => 1) tau s); [field; lra | lra].
Qed.

Lemma stops_above s gamma nu : gittins_index s gamma -> gamma <= nu -> best nu s = 0.
Proof.
move=> h le; have := go_on_decreases s le; rewrite (go_on_at_index h) => neg.
by case: (best_cases nu s) => // e; have := best_nonneg nu s; lra.
Qed.

Lemma goes_below s gamma nu : gittins_index s gamma -> nu <= gamma -> best nu s = go_on nu s.
Proof.
move=> h le; have := go_on_decreases s le; rewrite (go_on_at_index h) => pos.
by case: (best_cases nu s) => // e; have := best_go nu s; lra.
Qed.
End Arm.

(* ---------------------------------------------------------------- A grid of all indices *)

(* From the largest down. *)
Lemma grid_below (T : finType) (f : T -> R) n (p : pred T) v : (#|p| <= n)%nat -> (forall t, p t -> f t < v) ->
  exists (N : nat) (u : nat -> R) (position : T -> nat), u N = v /\ (forall j, (j < N)%nat -> u j < u j.+1) /\
    forall t, p t -> (position t < N)%nat /\ u (position t) = f t.
Proof.
elim: n p v => [|n IH] p v size below; case: (pickP p) => [t0 pt0|none];
  try by exists 0%nat, (fun _ => v), (fun _ => 0%nat); do 2 split=> //; move=> t; rewrite none.
  by move: size; rewrite leqn0 => /eqP/card0_eq/(_ t0); rewrite unfold_in /= pt0.
have [top [ptop htop]] := exists_max_in f pt0.
pose q := [pred t | p t && (if Rlt_dec (f t) (f top) then true else false)].
have [|t|N [u [pos [uN [inc hpos]]]]] := IH q (f top).
- rewrite -ltnS; apply: leq_trans size; apply: proper_card; apply/properP; split; first by apply/subsetP => t /andP [].
  by exists top => //; rewrite inE ptop /=; case: Rlt_dec => // lt; lra.
- by case/andP => _; case: Rlt_dec.
exists N.+1, (fun j => if j == N.+1 then v else u j), (fun t => if q t then pos t else N); rewrite eqxx; split=> //; split=> [j|t pt].
  rewrite ltnS eqSS => jN; rewrite (ltn_eqF (jN : j < N.+1)%nat); case: eqP => [->|ne]; first by rewrite uN; exact: below.
  by apply: inc; rewrite ltn_neqAle jN andbT; apply/eqP.
case qt : (q t); last first.
  split=> //; rewrite (ltn_eqF (ltnSn N)) uN; move: qt (htop t pt); rewrite inE pt /=; case: Rlt_dec => // ge _ le; lra.
by have [pN e] := hpos t qt; rewrite (ltn_eqF (leqW pN)); split=> //; exact: leqW.
Qed.

Lemma grid_exists (T : finType) (f : T -> R) : T -> exists (N : nat) (u : nat -> R) (position : T -> nat),
  [/\ forall j, (j <= N)%nat -> u j < u j.+1, forall t, (position t <= N)%nat /\ u (position t) = f t
    & forall t t', f t' <= f t -> (position t' <= position t)%nat].
Proof.
move=> t0; have [top htop] := exists_max t0 f.
have [t _|[|N] [u [pos [_ [inc hpos]]]]] := @grid_below T f #|T| xpredT (f top + 1) (leqnn _); first by have := htop t; lra.
  by have [] := hpos t0 isT.
exists N, u, pos; split=> // [t|t t' le]; first exact: hpos.
rewrite leqNgt; apply/negP => lt; have [pN pe] := hpos t isT; have [qN qe] := hpos t' isT.
have := @steps_up u N.+1 (fun l h => Rlt_le _ _ (inc l h)) _ _ lt (ltnW qN).
by have := inc _ pN; rewrite pe qe; lra.
Qed.

(* ---------------------------------------------------------------- The retirement functions of the arms *)

(* phi(s, m): what an arm is worth when one may retire with m at any time. *)
Definition retirement_value (S : finType) (beta : R) (r : S -> R) (Q : S -> S -> R) (m : R) (s : S) : R :=
  m + best beta r Q ((1 - beta) * m) s.

Section TrueCurves.
Variables (A S : finType) (beta : R) (M : model A S) (G : nat) (m : nat -> R).
Hypotheses (discount : is_discount beta) (hM : markovian M).

(* On a grid. *)
Definition true_curve (a : A) (j : nat) (s : S) : R := retirement_value beta (reward M a) (row M a) (m j) s.

Lemma continuing_true a j s : continuing beta M true_curve a j s = m j + go_on beta (reward M a) (row M a) ((1 - beta) * m j) s.
Proof. by rewrite /continuing mean_add (mean_of_const _ (hM a s)) /go_on; ring. Qed.

Lemma true_lookahead a j s : continuing beta M true_curve a j s <= true_curve a j s.
Proof. by rewrite continuing_true; apply: Rplus_le_compat_l; exact: best_go. Qed.

Hypothesis grid_up : forall j, (j <= G)%nat -> m j < m j.+1.

Lemma true_up a s : 0 <= slope m true_curve a 0 s.
Proof.
have g := grid_up (leq0n G); have [b0 b1] := discount; apply: Rdiv_le_0_compat; last lra.
have := best_lipschitz (reward M a) discount (hM a) s (ltac:(nra) : (1 - beta) * m 0%nat <= (1 - beta) * m 1%nat).
by rewrite (_ : _ / (1 - beta) = m 1%nat - m 0%nat); [rewrite /true_curve /retirement_value; lra | field; lra].
Qed.

Lemma true_convex a j s : (j < G)%nat -> slope m true_curve a j s <= slope m true_curve a j.+1 s.
Proof.
move=> jG; have d1 := grid_up (ltnW jG); have d2 := grid_up jG.
pose t := (m j.+2 - m j.+1) / (m j.+2 - m j).
have t01 : 0 <= t <= 1 by apply: ratio_01; lra.
have := best_convex (reward M a) discount (hM a) ((1 - beta) * m j) ((1 - beta) * m j.+2) s t01.
rewrite (_ : t * _ + (1 - t) * _ = (1 - beta) * m j.+1); last by rewrite /t; field; lra.
rewrite /slope /true_curve /retirement_value /t; clear t t01.
move: (best _ _ _ (_ * m j.+1) s) (best _ _ _ (_ * m j) s) (best _ _ _ (_ * m j.+2) s) => f1 f0 f2.
move: (m j) (m j.+1) (m j.+2) d1 d2 => m0 m1 m2 d1 d2 conv.
apply: (Rmult_le_reg_r ((m1 - m0) * (m2 - m1))); first by apply: Rmult_lt_0_compat; lra.
rewrite (_ : _ / (m1 - m0) * _ = (m1 + f1 - (m0 + f0)) * (m2 - m1)); last by field; lra.
rewrite (_ : _ / (m2 - m1) * _ = (m2 + f2 - (m1 + f1)) * (m1 - m0)); last by field; lra.
have := Rmult_le_compat_r (m2 - m0) _ _ (ltac:(lra)) conv.
rewrite (_ : (_ * f0 + _ * f2) * (m2 - m0) = (m2 - m1) * f0 + (m1 - m0) * f2); last by field; lra.
by lra.
Qed.

(* Where the grid holds the breakpoints gamma/(1-beta). *)
Lemma true_tables (gamma : A -> S -> R) (position : A -> S -> nat) :
  (forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s)) ->
  (forall a s, (position a s <= G)%nat /\ (1 - beta) * m (position a s) = gamma a s) ->
  retirement_tables beta M G m true_curve position.
Proof.
move=> indices pos; have [b0 b1] := discount.
have mono i j : (i <= j)%nat -> (j <= G.+1)%nat -> (1 - beta) * m i <= (1 - beta) * m j.
  by move=> ij jG; apply: Rmult_le_compat_l; [lra | exact: (@steps_up m G.+1 (fun l h => Rlt_le _ _ (grid_up h)))].
split=> // [a j s _|a j s jG jp|a j s jG pj|a s|a s|a j s jG].
- exact: true_lookahead.
- have [pG e] := pos a s; rewrite continuing_true /true_curve /retirement_value.
  by rewrite (goes_below discount (hM a) (indices a s)) // -e; apply: mono => //; exact: leqW.
- have [pG e] := pos a s; rewrite /true_curve /retirement_value.
  by rewrite (stops_above discount (hM a) (indices a s)) -?e; [ring | exact: mono].
- by case: (pos a s).
- exact: true_up.
- exact: true_convex.
Qed.
End TrueCurves.

(* ---------------------------------------------------------------- The theorem *)

Section IndexTheorem.
Variables (A S : finType) (beta : R) (M : model A S).
Hypotheses (discount : is_discount beta) (hM : markovian M).
Implicit Types (x : state A S) (pi : policy A S).

(* gamma(a, s) is the Gittins index of state s of arm a. *)
Variable gamma : A -> S -> R.
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).

Definition plays_largest_index pi := forall x b, gamma b (x b) <= gamma (pi x) (x (pi x)).

(* The optimal value is Whittle's formula, for a grid of retirement rewards m_0 < ... < m_{N+1} and the values
   phi_a(., m) = m + (the best that stopping can do at cost (1-beta) m a step) of each arm with retirement. *)
Lemma tables_exist x0 (a0 : A) : exists N m phi position,
  retirement_tables beta M N m phi position /\
  (forall a b s z, gamma b z <= gamma a s -> (position b z <= position a s)%nat) /\
  forall a j s, phi a j s = m j + best beta (reward M a) (row M a) ((1 - beta) * m j) s.
Proof.
case: (discount) => b0 b1; have x1 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have [N [u [pos [inc hpos order]]]] := grid_exists (fun c : A * S => gamma c.1 c.2) (a0, (x0 : state A S) a0).
pose m j := u j / (1 - beta); have um j : (1 - beta) * m j = u j by rewrite /m; field; lra.
have up j : (j <= N)%nat -> m j < m j.+1 by move=> jN; apply: Rmult_lt_compat_r => //; exact: inc.
exists N, m, (true_curve beta M m), (fun a s => pos (a, s)); split; [|split=> //].
  by apply: (true_tables discount hM up indices) => a s; rewrite um; exact: (hpos (a, s)).
by move=> a b s z; exact: (order (a, s) (b, z)).
Qed.

(* Gittins' theorem: a policy that plays an arm of largest index is optimal from every global state, against every
   policy and against every plan that looks at the past and tosses coins.
   Stopping times may toss coins here; it makes no difference (index_is_attained).
   ledger: gittins-optimal cited:whittle eq:discounted_reward/episode thm:no_OFU/remark beyond:prevailing *)
Theorem gittins_policy_is_optimal pi : plays_largest_index pi -> forall x,
  (forall pi', V beta M pi' x <= V beta M pi x) /\
  forall q : plan [finType of state A S] A, is_plan q ->
    plan_value (P M) beta (fun a (x : state A S) => reward M a (x a)) q x <= V beta M pi x.
Proof.
move=> largest x; have [N [m [phi [position [tables [order _]]]]]] := tables_exist x (pi x).
have pos_largest y : of_largest_index position y (pi y) by move=> b; apply: order; exact: largest.
by have [-> h] := whittle_is_optimal discount hM tables pos_largest x.
Qed.

(* Whittle's formula, and the mixture that it is: as a function of the state of one arm, the others frozen, the
   optimal value is a mixture of the arm's retirement functions.
   ledger: cited:whittle
   step of: conc:V/hull *)
Theorem optimal_value_is_mixture pi x a : plays_largest_index pi -> exists N m phi position,
  retirement_tables beta M N m phi position /\
  (forall y, V beta M pi y = whittle N m phi y) /\
  (forall b j s, phi b j s = m j + best beta (reward M b) (row M b) ((1 - beta) * m j) s) /\
  exists w : nat -> R, (forall j, (j <= N)%nat -> 0 <= w j) /\ \sum_(j < N.+1) w j = 1 /\
    forall y, V beta M pi (moved x a y) = \sum_(j < N.+1) (w j * phi a j y).
Proof.
move=> largest; have [N [m [phi [position [tables [order e]]]]]] := tables_exist x (pi x).
have pos_largest y : of_largest_index position y (pi y) by move=> b; apply: order; exact: largest.
have value y : V beta M pi y = whittle N m phi y by case: (whittle_is_optimal discount hM tables pos_largest y).
exists N, m, phi, position; do 3 split=> //; exists (weight m phi a x).
have [_ [w0 w1]] := whittle_is_mixture tables a x (x a); do 2 split=> //.
by move=> y; rewrite value; case: (whittle_is_mixture tables a x y).
Qed.
End IndexTheorem.
