(* Lemma `concentration_T_i` and what the proof of Theorem 2 says of T_i, the number of steps in state i, on the law of the
   run: where no arm moves and episodes start in a state that all arms share, drawn uniformly, T_i has, whatever the learner,
   the law of G_1 H_1 + ... + G_K H_K; its mean, its variance, and how often it is at least half of its mean. *)

From kernel Require Import Limits Sums Values Bandits Horizons Concentration Episodes Laws Learners Randomised Information CoinGames LowerC.

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

Lemma products_le K t F G : (forall v, F v <= G v) -> converges K t F -> converges K t G -> of_products K t F <= of_products K t G.
Proof.
move=> FG; elim: K t => [|K IH] t //= hF hG; apply: mean_le => [|g]; first exact: (proj1 (toss_ok q01)).
apply: series_le => [||m]; [exact: (proj1 (hF g)) | exact: (proj1 (hG g)) | apply: Rmult_le_compat_l; first exact: chance_nonneg].
exact: (IH _ (proj2 (hF g) m.+1) (proj2 (hG g) m.+1)).
Qed.

Lemma converges_bounded K t F C : 0 <= C -> (forall v, Rabs (F v) <= C) -> converges K t F /\ Rabs (of_products K t F) <= C.
Proof.
move=> C0 FC; elim: K t => [|K IH] t //=.
have le g n : Rabs (of_products K (t + nat_of_bool g * n) F) <= C by exact: (proj2 (IH _)).
split=> [g|]; first by split=> [|n]; [exact: (any_length_exists discount (le g)) | exact: (proj1 (IH _))].
by apply: mean_abs1 => // [|g]; [exact: toss_ok | exact: (any_length_abs discount (le g))].
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

(* The moments of the sum, as far as the second. *)
Notation mu K := (INR K * (q * top)).
Lemma quadratic_moment K t F x y z : (forall v, F v = x + y * INR v + z * INR v ^ 2) -> converges K t F /\
  of_products K t F = x + y * (INR t + mu K) + z * ((INR t + mu K) ^ 2 + INR K * (q * ((1 + beta) * top ^ 2) - (q * top) ^ 2)).
Proof.
move=> FE; elim: K t => [|K IH] t /=; first by split=> //; rewrite FE; ring.
pose m := INR t + mu K; pose c := INR K * (q * ((1 + beta) * top ^ 2) - (q * top) ^ 2).
have key (g : bool) : is_series (fun n => chance beta n * of_products K (t + g * n.+1) F) (x + y * m + z * (m ^ 2 + c) +
    (y + 2 * z * m) * INR g * top + z * INR g ^ 2 * ((1 + beta) * top ^ 2)).
  have e n : chance beta n * (x + y * m + z * (m ^ 2 + c) + (y + 2 * z * m) * INR g * INR n.+1 + z * INR g ^ 2 * INR n.+1 ^ 2) =
      chance beta n * of_products K (t + g * n.+1) F by rewrite (proj2 (IH _)) plus_INR mult_INR /m /c; ring.
  by apply: (is_series_ext _ _ _ e); exact: of_length.
split=> [g|]; first by split=> [|n]; [eexists; exact: key | exact: (proj1 (IH _))].
rewrite mean_toss /any_length !(is_series_unique _ _ (key _)) -/(INR K.+1) S_INR /m /c [INR true]/= [INR false]/=; ring.
Qed.

Lemma products_nonneg K t F : (forall v, 0 <= F v) -> converges K t F -> 0 <= of_products K t F.
Proof.
have [c0 e0] := @quadratic_moment K t (fun _ => 0) 0 0 0 (fun v => ltac:(cbv beta; ring)).
by move=> F0 hF; apply: Rle_trans (products_le F0 c0 hF); rewrite e0; lra.
Qed.
End Products.

(* ---------------------------------------------------------------- Steps in a state *)

(* No arm moves: what an activation shows has next state s if the arm is in s. *)
Definition no_arm_moves (A S O : finType) (next : O -> S) (shows : A -> S -> O -> R) := forall a s o, next o != s -> shows a s o = 0.

Section Visits.
Variables (A S O : finType) (W : Type) (next : O -> S) (shows : A -> S -> O -> R) (L : agent A S O W) (i : S) (beta : R).
Hypotheses (discount : is_discount beta) (L_ok : agent_ok L) (shows_ok : forall a s, probability (shows a s)).
Hypotheses (still_arms : no_arm_moves next shows) (arms : (0 < #|A|)%nat).
Notation start := (@start_law A S xpredT).
Notation s := (INR #|S|).

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
rewrite [LHS]/= (mean_ext _ (g := fun _ => F (steps_in e + if j == i then n.+1 else 0)%nat)); first by rewrite (mean_of_const _ (L_ok h w e _)).
move=> a; rewrite ffunE (@mean_where_shown a j _ (fun _ => F (steps_in e + if j == i then n.+1 else 0)%nat)); first exact: (mean_of_const _ (shows_ok _ _)).
move=> o ->; rewrite moved_still IH /steps_in /= (still_inj arms); congr F.
by case: eqP => _; rewrite ?addn0 // add1n addSn addnS.
Qed.

(* So T_i depends on initial states and lengths alone.
   ledger: lem:concentration_T_i/i *)
Theorem run_visits sc h (F : nat -> R) : all (fun r => starts_still xpredT r.1) sc ->
  run_through next L shows sc h (fun h' => F (visits_of h')) = F (visits_of h + time_in sc)%nat.
Proof.
elim: sc h => [|[x n] sc IH] h /=; first by rewrite addn0.
move=> /andP [/existsP [j /andP [_ /eqP ->]] rest]; rewrite -[RHS](E_const (draw L h)); apply: E_ext => w.
apply: etrans (etrans (@walk_ext _ _ _ _ next L shows h w n [::] (still A j) _ _ _) (walk_steps h w n [::] j (fun m => F (m + visits_of h + time_in sc)%nat))) _.
  by move=> e y _; rewrite IH // /visits_of /= /steps_in count_cat.
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
have s0 : 0 < s by apply: INR_pos; apply/card_gt0P; exists i.
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

Let states : (0 < #|S|)%nat. Proof. by apply/card_gt0P; exists i. Qed.
Let s0 : 0 < s := INR_pos states.
Let q01 : 0 <= / s <= 1 := inverse_01 states.
Let muE : mu = INR K * (/ s * (1 / (1 - beta))). Proof. by case: discount => b0 b1; field; lra. Qed.

(* E[T_i] = K/(S(1-beta)), and the series converge.
   ledger: lem:concentration_T_i/ii lem:concentration_T_i *)
Theorem mean_visits_of_state : converges beta (/ s) K 0 INR /\ expect INR = mu.
Proof.
rewrite law_of_visits muE; have [c ->] := @quadratic_moment beta (/ s) discount K 0 INR 0 1 0 (fun v => ltac:(ring)).
by split=> //; rewrite /=; ring.
Qed.

(* Var[T_i] = K ((1+beta) S - 1)/(S(1-beta))^2.
   ledger: lem:concentration_T_i/chebyshev
   step of: lem:concentration_T_i/variance *)
Theorem variance_of_visits : let F v := (INR v - mu) ^ 2 in
  converges beta (/ s) K 0 F /\ expect F = INR K * (((1 + beta) * s - 1) / (s * (1 - beta)) ^ 2).
Proof.
move=> F; have [c e] := @quadratic_moment beta (/ s) discount K 0 F (mu ^ 2) (-2 * mu) 1 (fun v => ltac:(rewrite /F; ring)).
split=> //; rewrite law_of_visits e -muE [INR 0]/=.
by case: discount => b0 b1; field; lra.
Qed.

Definition is_at_most (x : R) (v : nat) : R := if Rle_dec (INR v) x then 1 else 0.
Definition is_at_least (x : R) (v : nat) : R := if Rle_dec x (INR v) then 1 else 0.
Lemma is_at_least_01 x v : 0 <= is_at_least x v <= 1. Proof. by rewrite /is_at_least; case: Rle_dec => h /=; lra. Qed.
Hypothesis K1 : (1 <= K)%nat.

Lemma events_converge f : (forall v, f v = 1 \/ f v = 0) -> converges beta (/ s) K 0 f.
Proof.
move=> f01; apply: (proj1 (@converges_bounded _ (/ s) discount q01 K 0 f 1 Rle_0_1 _)) => v.
by case: (f01 v) => ->; rewrite ?Rabs_R1 ?Rabs_R0; lra.
Qed.

Let K0 : 0 < INR K. Proof. exact: INR_pos. Qed.
Let mu0 : 0 < mu. Proof. by case: discount => b0 b1; apply: Rdiv_lt_0_compat => //; apply: Rmult_lt_0_compat; lra. Qed.
Let scale0 : 0 <= 4 / mu ^ 2. Proof. by apply: Rcomplements.Rdiv_le_0_compat; nra. Qed.

(* What the square of the distance from the mean makes of it. *)
Let tail_moment c0 c1 : let F v := c0 + c1 * (4 / mu ^ 2 * (INR v - mu) ^ 2) in
  converges beta (/ s) K 0 F /\ of_products beta (/ s) K 0 F = c0 + c1 * (4 * (((1 + beta) * s - 1) / INR K)).
Proof.
move=> F; have [b0 b1] := discount.
have [c ->] := @quadratic_moment beta (/ s) discount K 0 F (c0 + c1 * 4) (c1 * (-8 / mu)) (c1 * (4 / mu ^ 2)) (fun v =>
  ltac:(rewrite /F; field; lra)).
by split=> //; rewrite [INR 0]/=; field; repeat split; lra.
Qed.

Let at_most_tail v : is_at_most (mu / 2) v <= 4 / mu ^ 2 * (INR v - mu) ^ 2.
Proof.
have [b0 b1] := discount; rewrite /is_at_most; case: Rle_dec => h; last by apply: Rmult_le_pos => //; exact: pow2_ge_0.
rewrite (_ : 4 / mu ^ 2 * _ = ((mu - INR v) / (mu / 2)) ^ 2); last by field; repeat split; lra.
rewrite -[X in X <= _](pow1 2); apply: pow_incr; split; first lra.
by apply: (Rmult_le_reg_r (mu / 2)); [lra | rewrite (_ : _ / _ * _ = mu - INR v); [lra | field; repeat split; lra]].
Qed.

(* Chebyshev's inequality.
   ledger: lem:concentration_T_i/chebyshev *)
Theorem chebyshev_of_visits : expect (is_at_most (mu / 2)) <= 4 * (((1 + beta) * s - 1) / INR K) /\
  4 * (((1 + beta) * s - 1) / INR K) <= 8 * s / INR K.
Proof.
have [b0 b1] := discount; split; last first.
  rewrite (_ : 8 * s / INR K = 4 * (2 * s / INR K)); last by field; lra.
  apply: Rmult_le_compat_l; first lra; apply: Rmult_le_compat_r; first by left; exact: Rinv_0_lt_compat.
  nra.
have [c e] := tail_moment 0 1; apply: Rle_trans (_ : _ <= 0 + 1 * (4 * (((1 + beta) * s - 1) / INR K))) _; last lra.
rewrite law_of_visits -e.
apply: products_le c => // [v|]; [by have := at_most_tail v; lra | apply: events_converge => v; rewrite /is_at_most; case: Rle_dec; auto].
Qed.

(* P(T_i >= E[T_i]/2) >= 1 - 8S/K.
   ledger: lem:concentration_T_i/iii lem:concentration_T_i *)
Theorem visits_reach_half : 1 - 8 * s / INR K <= expect (is_at_least (mu / 2)).
Proof.
have [c e] := tail_moment 1 (-1); have [_ h] := chebyshev_of_visits.
apply: Rle_trans (_ : _ <= 1 + -1 * (4 * (((1 + beta) * s - 1) / INR K))) _; first lra.
rewrite law_of_visits -e; apply: (products_le discount q01 _ c) => [v|]; last first.
  by apply: events_converge => v; rewrite /is_at_least; case: Rle_dec; auto.
by have := at_most_tail v; rewrite /is_at_most /is_at_least; case: Rle_dec => h1; case: Rle_dec => h2 /=; try lra;
  have := Rmult_le_pos _ _ (ltac:(exact: Rlt_le) : 0 <= 4 / mu ^ 2) (pow2_ge_0 (INR v - mu)); lra.
Qed.

(* So, for K >= 16 S, with probability at least 1/2.
   ledger: thm:lower_bound/half *)
Theorem visits_reach_half_often : (16 * #|S| <= K)%nat -> 1/2 <= expect (is_at_least (mu / 2)).
Proof.
move=> long; apply: Rle_trans visits_reach_half.
have K16 : 16 * s <= INR K by move: long => /leP/le_INR; rewrite mult_INR (_ : INR 16 = 16) //=; lra.
suff : 8 * s / INR K <= 1/2 by lra.
by apply: (Rmult_le_reg_r (INR K)) => //; rewrite (_ : _ / _ * _ = 8 * s); [lra | field; lra].
Qed.
End Visits.
