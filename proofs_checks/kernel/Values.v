(* Discounted values of finite Markov reward processes and decision processes: definition, Bellman's
   equations, and the comparison principle from which everything else about values follows. *)

From kernel Require Import Limits Sums.

(* Rows that may sum to less than 1: play ends with the missing probability. *)
Definition substochastic (X : finType) (P : X -> X -> R) :=
  (forall x y, 0 <= P x y) /\ forall x, \sum_(y : X) P x y <= 1.

Definition is_discount (beta : R) := 0 <= beta < 1.
Lemma no_discount : is_discount 0. Proof. by rewrite /is_discount; lra. Qed.

(* Proves that an expression is not negative, by its parts. *)
Ltac nonneg := repeat first [lra | exact: sqrt_pos | exact: pos_INR | exact: pow2_ge_0 | apply: Rplus_le_le_0_compat | apply: Rmult_le_pos
  | apply: pow_le | by apply: Rlt_le; first [exact: exp_pos | apply: Rinv_0_lt_compat; lra]].

(* Proves that a product is at most another, factor by factor, and a sum, term by term. *)
Ltac factorwise := lazymatch goal with
  | |- 0 <= _ => solve [nonneg]
  | |- _ * _ <= _ * _ => first [solve [apply: Rmult_le_compat; factorwise] | lra]
  | |- _ + _ <= _ + _ => first [solve [apply: Rplus_le_compat; factorwise] | lra]
  | |- _ => lra
  end.

Lemma abs_add u v C D : Rabs u <= C -> Rabs v <= D -> Rabs (u + v) <= C + D.
Proof. by move=> uC vD; apply: Rle_trans (Rabs_triang _ _) _; lra. Qed.
Lemma abs_mult u v C D : Rabs u <= C -> Rabs v <= D -> Rabs (u * v) <= C * D.
Proof. by move=> uC vD; rewrite Rabs_mult; apply: Rmult_le_compat => //; exact: Rabs_pos. Qed.

Lemma sum_to_abs n (f : nat -> R) c : (forall k, Rabs (f k) <= c) -> Rabs (\sum_(k < n) f k) <= INR n * c.
Proof. by move=> fc; elim: n => [|n IH]; [rewrite /= Rabs_R0; lra | rewrite S_INR Rmult_plus_distr_r Rmult_1_l; exact: abs_add]. Qed.

Lemma sum_seq_const (I : Type) (s : seq I) c : \sum_(i <- s) c = INR (size s) * c.
Proof. by elim: s => [|i s IH]; [rewrite sum_nil /=; ring | rewrite sum_cons IH -[size (i :: s)]/((size s).+1) S_INR; ring]. Qed.

(* What is at most y + k e for every e > 0. *)
Lemma le_by_margins x y k : 0 <= k -> (forall e, 0 < e -> x <= y + k * e) -> x <= y.
Proof.
move=> k0 h; apply: Rnot_lt_le => lt; have i : 0 < / (k + 1) by apply: Rinv_0_lt_compat; lra.
pose t := (x - y) * / (k + 1); have t0 : 0 < t by apply: Rmult_lt_0_compat; lra.
by have e : t * (k + 1) = x - y by [rewrite /t; field; lra]; have := h t t0; lra.
Qed.

Lemma sum_n_sum_to (a : nat -> R) N : sum_n a N = \sum_(i < N.+1) a i.
Proof. by rewrite sum_n_Reals; elim: N => [|N IH] /=; [lra | rewrite IH]. Qed.

Lemma real_lub (E : R -> Prop) x : E x -> bound E -> is_lub E (real (Lub_Rbar E)).
Proof.
move=> Ex above; have [l [up least]] := completeness E above (ex_intro _ x Ex).
rewrite (is_lub_Rbar_unique E (Finite l)) //; split=> [v Ev|[b| |] hb] //; [exact: up | | exact: (hb x Ex)].
by apply: least => v Ev; exact: (hb v Ev).
Qed.

(* A series converges to l when its first n terms sum to what tends to l. *)
Lemma is_series_sum_to (a : nat -> R) (l : R) : is_lim_seq (fun n => \sum_(i < n) a i) l -> is_series a l.
Proof.
by move=> lim; apply: (is_lim_seq_ext _ (sum_n a) (Finite l) _ (proj1 (is_lim_seq_incr_1 _ _) lim)) => N; rewrite sum_n_sum_to.
Qed.

Lemma sum_to_of_series (a : nat -> R) (l : R) : is_series a l -> is_lim_seq (fun n => \sum_(i < n) a i) l.
Proof. by move=> lim; apply/is_lim_seq_incr_1; apply: (is_lim_seq_ext (sum_n a)) => [N|]; [exact: sum_n_sum_to | exact: lim]. Qed.

Lemma is_series_0 : is_series (fun _ : nat => 0) 0.
Proof. by apply: is_series_sum_to; apply: is_lim_seq_ext (is_lim_seq_const 0) => n; rewrite sum_to_const; ring. Qed.

(* A series of terms >= 0 whose partial sums are at most M converges, to at most M, from below. *)
Lemma nonneg_series (a : nat -> R) M : (forall n, 0 <= a n) -> (forall N, \sum_(i < N) a i <= M) ->
  ex_series a /\ Series a <= M /\ forall N, \sum_(i < N) a i <= Series a.
Proof.
move=> a0 aM; have up N : \sum_(i < N) a i <= \sum_(i < N.+1) a i by rewrite sum_recr; have := a0 N; lra.
have [l hl] := ex_finite_lim_seq_incr _ M up aM; have s := is_series_sum_to hl.
rewrite (is_series_unique _ _ s); split; first by exists l.
split; last by move=> N; exact: (is_lim_seq_incr_compare _ l hl up N).
exact: (is_lim_seq_le _ _ (Finite l) (Finite M) aM hl (is_lim_seq_const M)).
Qed.

(* Comparison of series. *)
Lemma series_le (a b : nat -> R) : ex_series a -> ex_series b -> (forall n, a n <= b n) -> Series a <= Series b.
Proof.
move=> /Series_correct sa /Series_correct sb ab.
by apply: (is_lim_seq_le (sum_n a) (sum_n b) (Finite _) (Finite _) _ sa sb) => N; exact: sum_n_m_le.
Qed.
Lemma dominated (a b : nat -> R) l : is_series b l -> (forall n, Rabs (a n) <= b n) -> ex_series a /\ Rabs (Series a) <= l.
Proof.
move=> sb ab; have exb : ex_series b by exists l.
have exa : ex_series (fun n => Rabs (a n)).
  by apply: (@ex_series_le _ R_CompleteNormedModule _ b) => // n; rewrite /norm /= /abs /= Rabs_Rabsolu.
split; first exact: ex_series_Rabs.
by apply: Rle_trans (Series_Rabs _ exa) _; rewrite -(is_series_unique _ _ sb); exact: series_le.
Qed.

(* ---------------------------------------------------------------- Reward processes *)

Section Process.
Variables (X : finType) (P : X -> X -> R) (beta : R) (r : X -> R).
Hypotheses (subP : substochastic P) (discount : is_discount beta).

(* The mean reward of step t (counted from 0) when the process starts in x, and V(x) = E[sum of beta^t R_t], written as
   the sum of the means: rewards are bounded, so that the two are one number. *)
Fixpoint reward_at (t : nat) (x : X) : R := if t is t'.+1 then mean (P x) (reward_at t') else r x.
Definition discounted (x : X) : R := Series (fun t => beta ^ t * reward_at t x).

(* The comparison principle: f is nowhere above g if, wherever it is, it exceeds g by at most beta times the mean excess at the
   next step. *)
Lemma nowhere_above (f g : X -> R) : (forall x, f x <= g x \/ f x - g x <= beta * mean (P x) (fun y => f y - g y)) ->
  forall x, f x <= g x.
Proof.
case: subP discount => [P0 P1] [b0 b1] le x0; have [x hx] := exists_max x0 (fun x => f x - g x).
suff: f x - g x <= 0 by have := hx x0; lra.
case: (Rle_dec (f x - g x) 0) => // /Rnot_le_lt above.
have m : mean (P x) (fun y => f y - g y) <= f x - g x by apply: mean_at_most => //; lra.
by have := Rmult_le_compat_l _ _ _ b0 m; case: (le x); nra.
Qed.

Lemma comparison (V W : X -> R) : (forall x, V x <= r x + beta * mean (P x) V) ->
  (forall x, r x + beta * mean (P x) W <= W x) -> forall x, V x <= W x.
Proof. by move=> hV hW; apply: nowhere_above => x; right; rewrite mean_sub; have := hV x; have := hW x; lra. Qed.

Lemma bellman_unique (V W : X -> R) : (forall x, V x = r x + beta * mean (P x) V) ->
  (forall x, W x = r x + beta * mean (P x) W) -> forall x, V x = W x.
Proof.
by move=> hV hW x; apply: Rle_antisym; apply: comparison => {}x; rewrite -?hV -?hW; exact: Rle_refl.
Qed.

Lemma reward_at_bound C : (forall x, Rabs (r x) <= C) -> forall t x, Rabs (reward_at t x) <= C.
Proof.
move=> rC; elim=> [|t IH] x //=; case: subP => [P0 P1].
by apply: mean_abs => //; exact: Rle_trans (Rabs_pos _) (rC x).
Qed.

Lemma discounted_converges x : ex_series (fun t => beta ^ t * reward_at t x).
Proof.
have [C [C0 rC]] := exists_bound r; case: discount => b0 b1.
have g : is_series (fun t => beta ^ t) (/ (1 - beta)) by apply: is_series_geom; rewrite Rabs_pos_eq.
apply: (proj1 (dominated (is_series_scal_r C _ _ g) _)) => t; apply: abs_mult; last exact: reward_at_bound.
by rewrite Rabs_pos_eq; [lra | exact: pow_le].
Qed.

Lemma limit_of_mean (q : X -> R) (f : nat -> X -> R) (l : X -> R) :
  (forall y, is_lim_seq (f^~ y) (l y)) -> is_lim_seq (fun n => mean q (f n)) (mean q l).
Proof.
move=> lim; rewrite /mean; elim: (index_enum X) => [|y s IH].
  by rewrite big_nil; apply: is_lim_seq_ext (is_lim_seq_const 0) => n; rewrite big_nil.
rewrite big_cons; apply: (is_lim_seq_ext (fun n => q y * f n y + \sum_(z <- s) q z * f n z)) => [n|]; first by rewrite big_cons.
by apply: is_lim_seq_plus' => //; exact: (is_lim_seq_scal_l _ (q y) (l y)).
Qed.

Lemma series_of_mean (q : X -> R) (a : X -> nat -> R) (l : X -> R) : (forall y, is_series (a y) (l y)) ->
  is_series (fun t => mean q (fun y => a y t)) (mean q l).
Proof.
move=> al; apply: is_series_sum_to; apply: (is_lim_seq_ext _ _ _ (fun n => mean_sum_to q n (fun t y => a y t))).
by apply: limit_of_mean => y; exact: sum_to_of_series.
Qed.

Theorem bellman x : discounted x = r x + beta * mean (P x) discounted.
Proof.
rewrite {1}/discounted Series_incr_1; last exact: discounted_converges.
have mean_of := series_of_mean (q := P x) (fun y => Series_correct _ (discounted_converges y)).
rewrite [beta ^ 0]/= Rmult_1_l -(is_series_unique _ _ mean_of) -Series_scal_l; congr (_ + _); apply: Series_ext => t.
by rewrite mean_scale /=; lra.
Qed.

Lemma discounted_unique V :
  (forall x, V x = r x + beta * mean (P x) V) -> forall x, discounted x = V x.
Proof. by move=> hV; apply: bellman_unique => // x; exact: bellman. Qed.

Lemma discounted_at_most W :
  (forall x, r x + beta * mean (P x) W <= W x) -> forall x, discounted x <= W x.
Proof. by move=> hW; apply: comparison => // x; rewrite -bellman; lra. Qed.

Lemma discounted_at_least W :
  (forall x, W x <= r x + beta * mean (P x) W) -> forall x, W x <= discounted x.
Proof. by move=> hW; apply: comparison => // x; rewrite -bellman; lra. Qed.

Lemma discounted_nonneg : (forall x, 0 <= r x) -> forall x, 0 <= discounted x.
Proof.
move=> r0; apply: discounted_at_least => x; rewrite mean_const; have := r0 x; lra.
Qed.

Lemma discounted_at_most_const M : 0 <= M -> (forall x, r x <= M) -> forall x, discounted x <= M / (1 - beta).
Proof.
case: discount subP => b0 b1 [P0 P1] M0 rM; apply: discounted_at_most => x.
have k0 : 0 <= M / (1 - beta) by apply: Rdiv_le_0_compat; lra.
have e : M / (1 - beta) = M + beta * (M / (1 - beta)) by field; lra.
have m := mean_at_most (P0 x) (P1 x) k0 (fun _ => Rle_refl _).
by have := rM x; have := Rmult_le_compat_l _ _ _ b0 m; lra.
Qed.
End Process.

(* ---------------------------------------------------------------- Decision processes *)

Section Decision.
Variables (X Act : finType) (P : Act -> X -> X -> R) (beta : R) (r : Act -> X -> R).
Hypotheses (subP : forall a, substochastic (P a)) (discount : is_discount beta).

(* A stationary policy names an action in each state. *)
Definition value (p : X -> Act) : X -> R :=
  discounted (fun x => P (p x) x) beta (fun x => r (p x) x).

Lemma sub_policy p : substochastic (fun x => P (p x) x).
Proof. by split=> x *; case: (subP (p x)). Qed.

Lemma value_bellman p x : value p x = r (p x) x + beta * mean (P (p x) x) (value p).
Proof. exact: (bellman _ (sub_policy p)). Qed.

(* What dominates its own one-step lookahead dominates every stationary policy. *)
Lemma value_at_most W : (forall a x, r a x + beta * mean (P a x) W <= W x) ->
  forall p x, value p x <= W x.
Proof. by move=> hW p; apply: (discounted_at_most (sub_policy p) discount) => x; exact: hW. Qed.

(* A plan may look at all past states and actions, and may toss coins. *)
Definition plan := seq (X * Act) -> X -> Act -> R.
Definition is_plan (p : plan) := forall h x, probability (p h x).

(* Its value over the next n steps, after the history h; and over all steps. *)
Fixpoint plan_steps (p : plan) (n : nat) (h : seq (X * Act)) (x : X) : R :=
  if n is n'.+1
  then mean (p h x) (fun a => r a x + beta * mean (P a x) (plan_steps p n' ((x, a) :: h)))
  else 0.
Definition plan_value (p : plan) (x : X) : R := real (Lim_seq (fun n => plan_steps p n [::] x)).

Section Plan.
Variables (p : plan).
Hypothesis pP : is_plan p.

Lemma plan_steps_at_most W C : 0 <= C -> (forall x, Rabs (W x) <= C) ->
  (forall a x, r a x + beta * mean (P a x) W <= W x) ->
  forall n h x, plan_steps p n h x <= W x + beta ^ n * C.
Proof.
move=> C0 WC hW; case: discount => b0 b1; elim=> [|n IH] h x /=.
  by rewrite Rmult_1_l; have := WC x; have := Rle_abs (- W x); rewrite Rabs_Ropp; lra.
have [p0 p1] := pP h x; have b : 0 <= beta ^ n * C by apply: Rmult_le_pos => //; exact: pow_le.
rewrite -[X in _ <= X](mean_of_const _ (pP h x)); apply: mean_le => // a.
have [P0 P1] := subP a.
have m : mean (P a x) (plan_steps p n ((x, a) :: h)) <= mean (P a x) W + beta ^ n * C.
  apply: Rle_trans (mean_le (P0 x) (IH _)) _; rewrite mean_add; apply: Rplus_le_compat_l.
  by apply: mean_at_most => // y; exact: Rle_refl.
by have := hW a x; have := Rmult_le_compat_l _ _ _ b0 m; lra.
Qed.

(* One more step matters little, so the limit exists. *)
Lemma plan_steps_close C : 0 <= C -> (forall a x, Rabs (r a x) <= C) ->
  forall n h x, Rabs (plan_steps p n.+1 h x - plan_steps p n h x) <= beta ^ n * C.
Proof.
move=> C0 rC; case: discount => b0 b1; elim=> [|n IH] h x.
  have [p0 p1] := pP h x; rewrite /= Rminus_0_r Rmult_1_l; apply: mean_abs => // [|a]; first lra.
  by rewrite mean_const Rmult_0_r Rmult_0_r Rplus_0_r.
have e m : plan_steps p m.+1 h x = mean (p h x) (fun a => r a x + beta * mean (P a x) (plan_steps p m ((x, a) :: h))) by [].
rewrite (e n.+1) (e n) -mean_sub; have [p0 p1] := pP h x.
have b : 0 <= beta ^ n * C by apply: Rmult_le_pos => //; exact: pow_le.
apply: mean_abs => // [||a]; [lra | by rewrite /= Rmult_assoc; apply: Rmult_le_pos |].
rewrite (_ : forall u v w : R, u + v - (u + w) = v - w); last by move=> *; lra.
rewrite -Rmult_minus_distr_l -mean_sub Rabs_mult (Rabs_pos_eq beta) // -[beta ^ _]/(beta * beta ^ n) Rmult_assoc.
by have [P0 P1] := subP a; apply: Rmult_le_compat_l => //; apply: mean_abs.
Qed.

Lemma geometric_limit C : is_lim_seq (fun n => beta ^ n * C) 0.
Proof.
case: discount => b0 b1; rewrite -(Rmult_0_l C).
apply: (is_lim_seq_scal_r _ C 0); apply: is_lim_seq_geom; by rewrite Rabs_pos_eq.
Qed.

Lemma geometric_bound C eps : 0 < eps -> exists N, forall n, (N <= n)%nat -> beta ^ n * C < eps.
Proof.
move=> e0; have [N hN] := proj1 (is_lim_seq_Reals _ _) (geometric_limit C) eps e0.
by exists N => n /leP /hN; rewrite /R_dist => /Rabs_def2; lra.
Qed.

(* What tends to l as fast as beta^n C. *)
Lemma geometric_squeeze (u : nat -> R) l C : (forall n, Rabs (u n - l) <= beta ^ n * C) -> is_lim_seq u l.
Proof.
move=> close; apply: (is_lim_seq_ext (fun n => (u n - l) + l)) => [n|]; first ring.
rewrite -[X in is_lim_seq _ (Finite X)]Rplus_0_l; apply: is_lim_seq_plus' (is_lim_seq_const _); apply/is_lim_seq_abs_0.
apply: (is_lim_seq_le_le _ _ _ _ (fun n => conj (Rabs_pos _) (close n)) (is_lim_seq_const 0)); exact: geometric_limit.
Qed.

Lemma geometric_rest : is_lim_seq (fun n => 1 - beta ^ n) 1.
Proof.
apply: (@geometric_squeeze _ _ 1) => n; rewrite (_ : _ - _ = - beta ^ n) ?Rabs_Ropp ?Rabs_pos_eq; try lra.
by apply: pow_le; case: discount.
Qed.

Lemma geometric_le u a b C : is_lim_seq u (Finite a) -> (forall n, u n <= b + beta ^ n * C) -> a <= b.
Proof.
move=> ua le; have l := is_lim_seq_plus' _ _ _ _ (is_lim_seq_const b) (geometric_limit C); rewrite Rplus_0_r in l.
exact: (is_lim_seq_le _ _ (Finite a) (Finite b) le ua l).
Qed.

Lemma plan_converges x : is_lim_seq (fun n => plan_steps p n [::] x) (plan_value p x).
Proof.
have [C [C0 rC]] := exists_bound (fun ax : Act * X => r ax.1 ax.2).
pose d n := plan_steps p n.+1 [::] x - plan_steps p n [::] x; have [b0 b1] := discount.
have g : is_series (fun t => beta ^ t) (/ (1 - beta)) by apply: is_series_geom; rewrite Rabs_pos_eq.
have [[l hl] _] : ex_series d /\ _ := dominated (is_series_scal_r C _ _ g) (fun n => plan_steps_close C0 (fun a y => rC (a, y)) n [::] x).
apply: Lim_seq_correct'; exists l; apply: is_lim_seq_ext (sum_to_of_series hl) => n.
by elim: n => [|n IH] //; rewrite sum_recr IH /d; ring.
Qed.

(* What dominates its own one-step lookahead dominates every plan, too. *)
Theorem plan_value_at_most W : (forall a x, r a x + beta * mean (P a x) W <= W x) ->
  forall x, plan_value p x <= W x.
Proof.
move=> hW x; have [C [C0 WC]] := exists_bound W.
exact: geometric_le (plan_converges (x := x)) (fun n => plan_steps_at_most C0 WC hW n [::] x).
Qed.

Definition after (c : X * Act) : plan := fun h => p (rcons h c).   (* histories begin with what came last *)

Lemma after_steps n h c x : plan_steps (after c) n h x = plan_steps p n (rcons h c) x.
Proof. by elim: n h x => [|n IH] h x //=; apply: mean_ext => a; rewrite (mean_ext _ (IH ((x, a) :: h))). Qed.
End Plan.

Lemma plan_value_step p x : is_plan p ->
  plan_value p x = mean (p [::] x) (fun a => r a x + beta * mean (P a x) (plan_value (after p (x, a)))).
Proof.
move=> ok; suff lim : is_lim_seq (fun n => plan_steps p n.+1 [::] x)
    (mean (p [::] x) (fun a => r a x + beta * mean (P a x) (plan_value (after p (x, a))))).
  by rewrite /plan_value (is_lim_seq_unique _ _ (proj2 (is_lim_seq_incr_1 _ _) lim)).
apply: limit_of_mean => a; apply: is_lim_seq_plus'; first exact: is_lim_seq_const.
apply: (is_lim_seq_scal_l _ beta (mean (P a x) (plan_value (after p (x, a))))); apply: limit_of_mean => y.
by apply: is_lim_seq_ext (plan_converges (x := y) (p := after p (x, a)) _) => [n|h z]; [rewrite after_steps | exact: ok].
Qed.

(* A stationary policy is a plan, of the same value. *)
Definition stationary (p : X -> Act) : plan := fun _ x a => if a == p x then 1 else 0.

Lemma point_ok (A : finType) (a : A) : probability (fun b => if b == a then 1 else 0).
Proof. by split=> [b|]; [case: eqP; lra | exact: sum_single]. Qed.

Lemma mean_point (A : finType) (a : A) f : mean (fun b => if b == a then 1 else 0) f = f a.
Proof. by rewrite -(sum_single a); apply: eq_bigr => b _; case: eqP => _; lra. Qed.

Lemma is_plan_stationary p : is_plan (stationary p).
Proof. by move=> h x; exact: point_ok. Qed.

Theorem stationary_value p x : plan_value (stationary p) x = value p x.
Proof.
apply: esym; apply: (discounted_unique (sub_policy p) discount) => y.
by rewrite (plan_value_step y (is_plan_stationary p)) mean_point.
Qed.

(* ---------------------------------------------------------------- Optimal policies *)

(* The optimality equations: W is the largest of its one-step lookaheads. *)
Definition optimality_equations (W : X -> R) :=
  (forall a x, r a x + beta * mean (P a x) W <= W x) /\
  forall x, exists a, W x = r a x + beta * mean (P a x) W.

(* Their solution is the value of a stationary policy, and that policy is as good as any plan from any state. *)
Theorem optimality_sufficient W : optimality_equations W ->
  exists p : X -> Act, (forall x, value p x = W x) /\
    forall (q : plan) x, is_plan q -> plan_value q x <= value p x.
Proof.
case=> hW /fin_all_exists [p hp]; have e x : value p x = W x by exact: (discounted_unique (sub_policy p) discount).
by exists p; split=> // q x hq; rewrite e; apply: plan_value_at_most.
Qed.

(* Some stationary policy is optimal from every state at once: one whose values have the largest sum. *)
Theorem optimal_policy_exists (a0 : Act) : exists p : X -> Act, optimality_equations (value p).
Proof.
have [p hp] := exists_max [ffun _ : X => a0] (fun p : {ffun X -> Act} => \sum_(x : X) value p x).
exists p; split; last by move=> x; exists (p x); exact: value_bellman.
move=> a x; case: (Rle_dec (r a x + beta * mean (P a x) (value p)) (value p x)) => // /Rnot_le_lt better.
pose q := [ffun y => if y == x then a else p y].
have ge : forall y, value p y <= value q y.
  apply: (discounted_at_least (sub_policy q) discount) => y; rewrite ffunE; case: eqP => [->|_]; first lra.
  by rewrite -value_bellman; lra.
have gt : value p x < value q x.
  rewrite (value_bellman q) ffunE eqxx; apply: Rlt_le_trans better _.
  have [P0 _] := subP a; case: discount => b0 _.
  by apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //; apply: mean_le.
have := hp q; rewrite [X in X <= _](bigD1 x) // [X in _ <= X](bigD1 x) //=.
by have := @sum_le _ (index_enum X) (fun y => y != x) (value p) (value q) (fun y _ => ge y); lra.
Qed.
End Decision.
