(* Lemma `concentration_T_i` and what the proof of Theorem 2 says of T_i, the number of steps in state i, on the law of the
   run: where no arm moves and episodes start in a state that all arms share, drawn uniformly, T_i has, whatever the learner,
   the law of G_1 H_1 + ... + G_K H_K; its mean, its variance, and how often it is at least half of its mean. *)

From kernel Require Import Limits Sums Values Bandits Horizons Concentration Episodes Learners Information CoinGames LowerC.

(* ---------------------------------------------------------------- Sums of products *)

Section Products.
Variables (beta q : R).
Hypotheses (discount : is_discount beta) (q01 : 0 <= q <= 1).
Notation top := (1 / (1 - beta)).

(* E F(t + G_1 H_1 + ... + G_K H_K): G_k is 1 with probability q and 0 otherwise, P(H_k = h) = (1-beta) beta^(h-1) for h >= 1,
   all independent; and that every series in it converges. *)
Fixpoint of_products (K t : nat) (F : nat -> R) : R :=
  if K is K'.+1 then mean (toss q) (fun g => any_length beta (fun n => of_products K' (t + g * n) F)) else F t.
Fixpoint converges (K t : nat) (F : nat -> R) : Prop := if K is K'.+1 then
  forall g : bool, ex_series (fun m => chance beta m * of_products K' (t + g * m.+1) F) /\ forall n, converges K' (t + g * n) F else True.

Lemma products_linear K t a c F G : converges K t F -> converges K t G ->
  converges K t (fun v => a * F v + c * G v) /\ of_products K t (fun v => a * F v + c * G v) = a * of_products K t F + c * of_products K t G.
Proof.
elim: K t => [|K IH] t //= hF hG; pose term g H m := chance beta m * of_products K (t + nat_of_bool g * m.+1) H.
have key g : is_series (term g (fun v => a * F v + c * G v)) (a * Series (term g F) + c * Series (term g G)).
  have e m : a * term g F m + c * term g G m = term g (fun v => a * F v + c * G v) m.
    by rewrite /term (proj2 (IH _ (proj2 (hF g) m.+1) (proj2 (hG g) m.+1))); ring.
  apply: (is_series_ext _ _ _ e).
  exact (is_series_plus _ _ _ _ (is_series_scal a _ _ (Series_correct _ (proj1 (hF g)))) (is_series_scal c _ _ (Series_correct _ (proj1 (hG g))))).
split=> [g|]; first by split=> [|n]; [eexists; exact: (key g) | exact: (proj1 (IH _ (proj2 (hF g) n) (proj2 (hG g) n)))].
by rewrite -!mean_scale -mean_add; apply: mean_ext => g; exact: (is_series_unique _ _ (key g)).
Qed.

Lemma products_nonneg K t F : (forall v, 0 <= F v) -> converges K t F -> 0 <= of_products K t F.
Proof.
move=> F0; elim: K t => [|K IH] t //= hF; apply: mean_nonneg => [|g]; first exact: (proj1 (toss_ok q01)).
rewrite -[0](is_series_unique _ _ is_series_0); apply: Series_le; last exact: (proj1 (hF g)).
by move=> m; split; [lra | apply: Rmult_le_pos; [exact: chance_nonneg | exact: (IH _ (proj2 (hF g) m.+1))]].
Qed.

Lemma products_le K t F G : (forall v, F v <= G v) -> converges K t F -> converges K t G -> of_products K t F <= of_products K t G.
Proof.
move=> FG hF hG; have [h e] := products_linear (-1) 1 hF hG.
have FG' v : 0 <= -1 * F v + 1 * G v by have := FG v; lra.
by have := products_nonneg FG' h; lra.
Qed.

Lemma converges_bounded K t F C : 0 <= C -> (forall v, Rabs (F v) <= C) -> converges K t F /\ Rabs (of_products K t F) <= C.
Proof.
move=> C0 FC; elim: K t => [|K IH] t //=.
have le g n : Rabs (of_products K (t + nat_of_bool g * n) F) <= C by exact: (proj2 (IH _)).
split=> [g|]; first by split=> [|n]; [exact: (any_length_exists discount (le g)) | exact: (proj1 (IH _))].
by apply: mean_abs1 => // [|g]; [exact: toss_ok | exact: (any_length_abs discount (le g))].
Qed.

Lemma products_const K t c : of_products K t (fun _ => c) = c.
Proof.
elim: K t => [|K IH] t //=; rewrite -[RHS](mean_of_const c (toss_ok q01)); apply: mean_ext => g.
rewrite /any_length (Series_ext _ (fun m => chance beta m * c)) => [|m]; last by rewrite IH.
by rewrite Series_scal_r (is_series_unique _ _ (chance_series discount)) Rmult_1_l.
Qed.

(* E[x + y H + z H^2]. *)
Lemma of_length x y z : is_series (fun m => chance beta m * (x + y * INR m.+1 + z * INR m.+1 ^ 2)) (x + y * top + z * ((1 + beta) * top ^ 2)).
Proof.
have [_ [_ [h1 h2]]] := geometric_moments discount.
have e m : x * chance beta m + y * (INR m.+1 * geometric beta m.+1) + z * (INR m.+1 ^ 2 * geometric beta m.+1) =
    chance beta m * (x + y * INR m.+1 + z * INR m.+1 ^ 2) by rewrite /chance /geometric [m.+1.-1]/=; ring.
apply: (is_series_ext _ _ _ e).
rewrite (_ : x + y * top + _ = x * 1 + y * top + z * ((1 + beta) / (1 - beta) ^ 2)); last by case: discount => b0 b1; field; lra.
exact (is_series_plus _ _ _ _ (is_series_plus _ _ _ _ (is_series_scal x _ _ (chance_series discount)) (is_series_scal y _ _ h1)) (is_series_scal z _ _ h2)).
Qed.

Let of_coin (x0 y0 z0 : R) (f : bool -> R) : f false = x0 -> f true = x0 + y0 * top + z0 * ((1 + beta) * top ^ 2) ->
  mean (toss q) f = x0 + q * (y0 * top + z0 * ((1 + beta) * top ^ 2)).
Proof. by move=> e0 e1; rewrite mean_toss e0 e1; ring. Qed.

Notation mu K := (INR K * (q * top)).

Lemma first_moment K t : converges K t INR /\ of_products K t INR = INR t + mu K.
Proof.
elim: K t => [|K IH] t; first by split=> //=; ring.
have key (g : bool) : is_series (fun m => chance beta m * of_products K (t + g * m.+1) INR) (INR t + mu K + INR g * top + 0 * ((1 + beta) * top ^ 2)).
  have e m : chance beta m * (INR t + mu K + INR g * INR m.+1 + 0 * INR m.+1 ^ 2) = chance beta m * of_products K (t + g * m.+1) INR.
    by rewrite (proj2 (IH _)) plus_INR mult_INR; ring.
  apply: (is_series_ext _ _ _ e); exact: of_length.
split=> [g|]; first by split=> [|n]; [eexists; exact: key | exact: (proj1 (IH _))].
rewrite [LHS](_ : _ = INR t + mu K + q * (1 * top + 0 * ((1 + beta) * top ^ 2))); first by rewrite S_INR; ring.
by apply: of_coin; rewrite /any_length (is_series_unique _ _ (key _)) /=; ring.
Qed.

Lemma second_moment K t : converges K t (fun v => INR v ^ 2) /\
  of_products K t (fun v => INR v ^ 2) = (INR t + mu K) ^ 2 + INR K * (q * ((1 + beta) * top ^ 2) - (q * top) ^ 2).
Proof.
elim: K t => [|K IH] t; first by split=> //=; ring.
pose c := INR K * (q * ((1 + beta) * top ^ 2) - (q * top) ^ 2).
have key (g : bool) : is_series (fun m => chance beta m * of_products K (t + g * m.+1) (fun v => INR v ^ 2))
    ((INR t + mu K) ^ 2 + c + 2 * (INR t + mu K) * INR g * top + INR g ^ 2 * ((1 + beta) * top ^ 2)).
  have e m : chance beta m * ((INR t + mu K) ^ 2 + c + 2 * (INR t + mu K) * INR g * INR m.+1 + INR g ^ 2 * INR m.+1 ^ 2) =
      chance beta m * of_products K (t + g * m.+1) (fun v => INR v ^ 2) by rewrite (proj2 (IH _)) plus_INR mult_INR /c; ring.
  apply: (is_series_ext _ _ _ e); exact: of_length.
split=> [g|]; first by split=> [|n]; [eexists; exact: key | exact: (proj1 (IH _))].
rewrite [LHS](_ : _ = (INR t + mu K) ^ 2 + c + q * (2 * (INR t + mu K) * top + 1 * ((1 + beta) * top ^ 2))); first by rewrite /c S_INR; ring.
by apply: of_coin; rewrite /any_length (is_series_unique _ _ (key _)) /=; ring.
Qed.

(* E[(T - E T)^2]. *)
Lemma spread K : let F v := (INR v - mu K) ^ 2 in
  converges K 0 F /\ of_products K 0 F = INR K * (q * ((1 + beta) * top ^ 2) - (q * top) ^ 2).
Proof.
move=> F; have [c1 e1] := first_moment K 0; have [c2 e2] := second_moment K 0.
have [c0 _] := @converges_bounded K 0 (fun _ => 1) 1 Rle_0_1 (fun _ => ltac:(rewrite Rabs_R1; lra)).
have [c3 e3] := products_linear (mu K ^ 2) (-2 * mu K) c0 c1; have [c4 e4] := products_linear 1 1 c2 c3.
have same v : 1 * INR v ^ 2 + 1 * (mu K ^ 2 * 1 + -2 * mu K * INR v) = F v by rewrite /F; ring.
have ext t G H : (forall v, G v = H v) -> converges K t G -> converges K t H /\ of_products K t H = of_products K t G.
  move=> GH cG; have [h e] := products_linear 1 0 cG cG; suff -> : H = G by [].
  by apply: FunctionalExtensionality.functional_extensionality => v; rewrite GH.
have [c5 e5] := ext _ _ _ same c4; split=> //; rewrite e5 e4 e3 e2 e1 products_const [INR 0]/=; ring.
Qed.
End Products.

(* ---------------------------------------------------------------- Steps in a state *)

(* No arm moves: what an activation shows has next state s if the arm is in s. *)
Definition no_arm_moves (A S O : finType) (next : O -> S) (shows : A -> S -> O -> R) := forall a s o, next o != s -> shows a s o = 0.

Section Visits.
Variables (A S O W : finType) (next : O -> S) (shows : A -> S -> O -> R) (L : agent A S O W) (i : S) (beta : R).
Hypotheses (discount : is_discount beta) (L_ok : agent_ok L) (shows_ok : forall a s, probability (shows a s)).
Hypotheses (still_arms : no_arm_moves next shows) (arms : (0 < #|A|)%nat).
Notation start := (@start_law A S xpredT).
Notation s := (INR #|S|).
Notation top := (1 / (1 - beta)).

(* T_i: how many steps were made in the global state (i, ..., i). *)
Definition steps_in (e : seq (step A S O)) : nat := count (fun p => p.1.1 == still A i) e.
Definition visits_of (h : memory A S O W) : nat := steps_in (flatten [seq r.2 | r <- h]).
(* What a schedule says of it. *)
Definition time_in (sc : schedule A S) : nat := sumn [seq (if r.1 == still A i then r.2 else 0%nat) | r <- sc].

Lemma mean_where_shown a j f g : (forall o, next o = j -> f o = g o) -> mean (shows a j) f = mean (shows a j) g.
Proof.
move=> fg; apply: eq_bigr => o _; case e : (next o == j); first by rewrite fg //; exact/eqP.
by rewrite still_arms ?e // !Rmult_0_l.
Qed.

(* Whatever is played, an episode is at each of its steps where it began. *)
Lemma walk_steps h w n e j (F : nat -> R) :
  walk next L shows h w n e (still A j) (fun e' _ => F (steps_in e')) = F (steps_in e + if j == i then n else 0)%nat.
Proof.
elim: n e => [|n IH] e; first by rewrite /= if_same addn0.
rewrite [LHS]/= (mean_ext _ (g := fun _ => F (steps_in e + if j == i then n.+1 else 0)%nat)); first by rewrite (mean_of_const _ (proj2 L_ok h w e _)).
move=> a; rewrite ffunE (@mean_where_shown a j _ (fun _ => F (steps_in e + if j == i then n.+1 else 0)%nat)); first exact: (mean_of_const _ (shows_ok _ _)).
move=> o ->; rewrite moved_still IH /steps_in /= (still_inj arms); congr F.
by case: eqP => _; rewrite ?addn0 // add1n addSn addnS.
Qed.

(* So T_i depends on initial states and lengths alone.
   ledger: thm:lower_bound/independent-of-play *)
Theorem run_visits sc h (F : nat -> R) : all (fun r => starts_still xpredT r.1) sc ->
  run_through next L shows sc h (fun h' => F (visits_of h')) = F (visits_of h + time_in sc)%nat.
Proof.
elim: sc h => [|[x n] sc IH] h /=; first by rewrite addn0.
move=> /andP [/existsP [j /andP [_ /eqP ->]] rest]; rewrite -[RHS](mean_of_const _ (proj1 L_ok h)); apply: mean_ext => w.
apply: etrans (etrans (walk_ext next L shows h w n [::] (still A j) _) (walk_steps h w n [::] j (fun m => F (m + visits_of h + time_in sc)%nat))) _.
  by move=> e y; rewrite IH // /visits_of /= /steps_in count_cat.
by rewrite /time_in /= (still_inj arms) add0n; congr F; rewrite addnA (addnC (if _ then _ else _)).
Qed.

Lemma starts_elsewhere x : ~~ starts_still xpredT x -> start x = 0.
Proof.
move/existsPn => none; rewrite /start_law big1 // => j _.
by move: (none j) => /=; rewrite /indicator => /negbTE ->; ring.
Qed.

(* Only schedules that can be drawn count. *)
Lemma schedules_drawn k f g : (forall sc, all (fun r => starts_still xpredT r.1) sc -> f sc = g sc) ->
  schedules beta start k f = schedules beta start k g.
Proof.
elim: k f g => [|k IH] f g fg; first exact: fg.
apply: eq_bigr => x _; case gx : (starts_still xpredT x); last by rewrite starts_elsewhere ?gx // !Rmult_0_l.
congr (_ * _); apply: Series_ext => m; congr (_ * _); apply: IH => sc hsc; apply: fg.
by rewrite /= gx.
Qed.

(* The law of what a schedule says. *)
Lemma law_of_schedules K t (F : nat -> R) : schedules beta start K (fun sc => F (t + time_in sc)%nat) = of_products beta (/ s) K t F.
Proof.
have s0 : 0 < s by apply: card_pos; apply/card_gt0P; exists i.
elim: K t => [|K IH] t; first by rewrite /= addn0.
have point x n : schedules beta start K (fun sc => F (t + time_in ((x, n) :: sc))%nat) =
    of_products beta (/ s) K (t + if x == still A i then n else 0)%nat F.
  by rewrite -IH; apply: schedules_ext => sc; rewrite /time_in /= addnA.
rewrite [LHS](_ : _ = mean start (fun x => any_length beta (fun n => of_products beta (/ s) K (t + if x == still A i then n else 0)%nat F))); last first.
  by apply: mean_ext => x; apply: Series_ext => m; rewrite -point.
rewrite mean_start (_ : #|_| = #|S|) // [RHS]/= mean_toss.
pose u (j : S) := any_length beta (fun n => of_products beta (/ s) K (t + (j == i) * n) F).
rewrite (eq_bigr u) => [|j _]; last first.
  by apply: Series_ext => m; rewrite (still_inj arms); case: eqP; rewrite ?mul1n ?mul0n.
rewrite (sum_isolate i) /u eqxx (eq_bigr (fun _ => any_length beta (fun n => of_products beta (/ s) K (t + false * n) F))); last first.
  by move=> j /negbTE ->.
rewrite sum_const_in cardC1 (_ : INR #|S|.-1 = s - 1); first by set X := any_length _ _; set Y := any_length _ _; set Z := INR #|S| in s0 *; move: X Y => X Y; field; lra.
by rewrite -subn1 minus_INR //; apply/leP; apply/card_gt0P; exists i.
Qed.

(* The law of T_i, on the law of the run, for every learner: that of G_1 H_1 + ... + G_K H_K, G_k being 1 with probability 1/S.
   ledger: lem:concentration_T_i/i lem:concentration_T_i *)
Theorem law_of_visits K (F : nat -> R) : schedules beta start K (fun sc => run_through next L shows sc [::] (fun h => F (visits_of h))) =
  of_products beta (/ s) K 0 F.
Proof. by rewrite -law_of_schedules; apply: schedules_drawn => sc hsc; rewrite run_visits. Qed.

Variable K : nat.
Notation expect F := (schedules beta start K (fun sc => run_through next L shows sc [::] (fun h => F (visits_of h)))).
Notation mu := (INR K / (s * (1 - beta))).

Let q01 : 0 <= / s <= 1.
Proof.
have s1 : 1 <= s by have : (0 < #|S|)%nat by [apply/card_gt0P; exists i]; move=> /leP/le_INR.
by split; [left; apply: Rinv_0_lt_compat; lra | rewrite -Rinv_1; apply: Rinv_le_contravar; lra].
Qed.

Let muE : mu = INR K * (/ s * top).
Proof.
have s1 : s <> 0 by apply: Rgt_not_eq; apply: card_pos; apply/card_gt0P; exists i.
by case: discount => b0 b1; field; split=> //; lra.
Qed.

(* E[T_i] = K/(S(1-beta)), and the series converge.
   ledger: lem:concentration_T_i/ii lem:concentration_T_i *)
Theorem mean_visits_of_state : converges beta (/ s) K 0 INR /\ expect INR = mu.
Proof. by rewrite law_of_visits muE; have [c ->] := first_moment (/ s) discount K 0; split=> //; rewrite /=; ring. Qed.

(* Var[T_i] = K ((1+beta) S - 1)/(S(1-beta))^2.
   ledger: lem:concentration_T_i/chebyshev *)
Theorem variance_of_visits : let F v := (INR v - mu) ^ 2 in
  converges beta (/ s) K 0 F /\ expect F = INR K * (((1 + beta) * s - 1) / (s * (1 - beta)) ^ 2).
Proof.
move=> F; have [c e] := spread discount q01 K; rewrite -muE in c e; split=> //; rewrite law_of_visits e.
have s1 : s <> 0 by apply: Rgt_not_eq; apply: card_pos; apply/card_gt0P; exists i.
by case: discount => b0 b1; field; split=> //; lra.
Qed.

Definition is_at_most (x : R) (v : nat) : R := if Rle_dec (INR v) x then 1 else 0.
Definition is_at_least (x : R) (v : nat) : R := if Rle_dec x (INR v) then 1 else 0.
Hypothesis K1 : (1 <= K)%nat.

Lemma events_converge f : (forall v, f v = 1 \/ f v = 0) -> converges beta (/ s) K 0 f.
Proof.
move=> f01; apply: (proj1 (@converges_bounded _ (/ s) discount q01 K 0 f 1 Rle_0_1 _)) => v.
by case: (f01 v) => ->; rewrite ?Rabs_R1 ?Rabs_R0; lra.
Qed.

(* Chebyshev's inequality.
   ledger: lem:concentration_T_i/chebyshev *)
Theorem chebyshev_of_visits : expect (is_at_most (mu / 2)) <= 4 * (((1 + beta) * s - 1) / INR K) /\
  4 * (((1 + beta) * s - 1) / INR K) <= 8 * s / INR K.
Proof.
have [b0 b1] := discount; have s0 : 0 < s by apply: card_pos; apply/card_gt0P; exists i.
have K0 : 0 < INR K by exact: card_pos.
have m0 : 0 < mu by apply: Rdiv_lt_0_compat => //; apply: Rmult_lt_0_compat; lra.
split; last first.
  rewrite (_ : 8 * s / INR K = 4 * (2 * s / INR K)); last by field; lra.
  apply: Rmult_le_compat_l; first lra; apply: Rmult_le_compat_r; first by left; exact: Rinv_0_lt_compat.
  nra.
have [c] := variance_of_visits; rewrite (law_of_visits K (fun v => (INR v - mu) ^ 2)) => e.
have c1 : converges beta (/ s) K 0 (is_at_most (mu / 2)) by apply: events_converge => v; rewrite /is_at_most; case: Rle_dec; auto.
have [c2 e2] := products_linear (4 / mu ^ 2) 0 c c.
rewrite law_of_visits; apply: Rle_trans (products_le discount q01 _ c1 c2) _ => [v|]; last first.
  by rewrite e2 e Rmult_0_l Rplus_0_r; apply: Req_le; field; repeat split; lra.
have p0 : 0 <= 4 / mu ^ 2 by apply: Rdiv_le_0_compat; nra.
rewrite /is_at_most Rmult_0_l Rplus_0_r; case: Rle_dec => h; last by apply: Rmult_le_pos => //; exact: pow2_ge_0.
rewrite (_ : 4 / mu ^ 2 * _ = ((mu - INR v) / (mu / 2)) ^ 2); last by field; repeat split; lra.
rewrite -[X in X <= _](pow1 2); apply: pow_incr; split; first lra.
by apply: (Rmult_le_reg_r (mu / 2)); [lra | rewrite (_ : _ / _ * _ = mu - INR v); [lra | field; repeat split; lra]].
Qed.

(* P(T_i >= E[T_i]/2) >= 1 - 8S/K.
   ledger: lem:concentration_T_i/iii lem:concentration_T_i *)
Theorem visits_reach_half : 1 - 8 * s / INR K <= expect (is_at_least (mu / 2)).
Proof.
have c1 : converges beta (/ s) K 0 (is_at_most (mu / 2)) by apply: events_converge => v; rewrite /is_at_most; case: Rle_dec; auto.
have c2 : converges beta (/ s) K 0 (is_at_least (mu / 2)) by apply: events_converge => v; rewrite /is_at_least; case: Rle_dec; auto.
have c3 : converges beta (/ s) K 0 (fun _ => 1) by apply: events_converge => v; auto.
have [c4 e4] := products_linear 1 (-1) c3 c1; have [h1 h2] := chebyshev_of_visits; rewrite law_of_visits in h1.
rewrite law_of_visits; apply: Rle_trans (products_le discount q01 _ c4 c2) => [|v]; last first.
  by cbv beta; rewrite /is_at_most /is_at_least; case: Rle_dec => h; case: Rle_dec => h' /=; try lra; have := Rnot_le_lt _ _ h; have := Rnot_le_lt _ _ h'; lra.
by rewrite e4 (products_const discount q01); lra.
Qed.

(* So, for K >= 16 S, with probability at least 1/2.
   ledger: thm:lower_bound/half *)
Theorem visits_reach_half_often : (16 * #|S| <= K)%nat -> 1/2 <= expect (is_at_least (mu / 2)).
Proof.
move=> long; apply: Rle_trans visits_reach_half; have K0 : 0 < INR K by exact: card_pos.
have : 16 * s <= INR K by move: long => /leP/le_INR; rewrite mult_INR (_ : INR 16 = 16) //=; lra.
suff -> : 8 * s / INR K = / 2 * (16 * s / INR K) by move=> h; have : 16 * s / INR K <= 1 by [apply: (Rmult_le_reg_r (INR K)) => //; rewrite (_ : _ / _ * _ = 16 * s); [lra | field; lra]]; lra.
by field; lra.
Qed.
End Visits.
