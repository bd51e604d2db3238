(* The repair of event E^V (Lemma concentration): as a function of one arm's state, the optimal value is a mixture of
   S functions of that arm alone, however many arms there are. So a deviation bound for those S functions bounds the
   deviation for every global state. *)

From kernel Require Import Limits Sums Values Bandits Retirement Gittins.

Section Arm.
Variables (S : finType) (beta : R) (r : S -> R) (Q : S -> S -> R).
Hypotheses (discount : is_discount beta) (rows : forall s, probability (Q s)).
Variable gamma : S -> R.
Hypothesis indices : forall s, gittins_index beta r Q s (gamma s).
Implicit Types (s y : S) (m : R).

Notation retirement_value := (retirement_value beta r Q).

(* It is the larger of retiring now and of playing on.
   ledger: conc:V/hull *)
Theorem retirement_equation m s :
  retirement_value m s = Rmax m (r s + beta * mean (Q s) (retirement_value m)).
Proof.
rewrite /retirement_value mean_add (mean_of_const _ (rows s)).
have -> : r s + beta * (m + mean (Q s) (best beta r Q ((1 - beta) * m))) = m + go_on beta r Q ((1 - beta) * m) s.
  by rewrite /go_on; ring.
have b0 := best_nonneg r discount rows ((1 - beta) * m) s; have b1 := best_go r discount rows ((1 - beta) * m) s.
by case: (best_cases r discount rows ((1 - beta) * m) s) => e; [rewrite Rmax_left; lra | rewrite Rmax_right; lra].
Qed.

(* The arm's breakpoint of state s: where retiring and playing on tie. *)
Definition breakpoint s : R := gamma s / (1 - beta).

Let pos : 0 < 1 - beta. Proof. by case: discount; lra. Qed.

Lemma level s : (1 - beta) * breakpoint s = gamma s.
Proof. by rewrite /breakpoint; field; lra. Qed.

(* Below all breakpoints it does not depend on m. *)
Lemma constant_below m m' : (forall s, (1 - beta) * m <= gamma s) -> (forall s, (1 - beta) * m' <= gamma s) ->
  forall s, retirement_value m s = retirement_value m' s.
Proof.
move=> h h'; have subQ : substochastic Q by split=> y *; [exact: (proj1 (rows y)) | rewrite (proj2 (rows y)); lra].
apply: (bellman_unique (r := r) subQ discount) => s.
- by rewrite /retirement_value mean_add (mean_of_const _ (rows s)) (goes_below discount rows (indices s) (h s)) /go_on; ring.
- by rewrite /retirement_value mean_add (mean_of_const _ (rows s)) (goes_below discount rows (indices s) (h' s)) /go_on; ring.
Qed.

(* Above all of them it is m. *)
Lemma identity_above m s : (forall s, gamma s <= (1 - beta) * m) -> retirement_value m s = m.
Proof. by move=> h; rewrite /retirement_value (stops_above discount rows (indices s)) //; ring. Qed.

(* Between neighbours it is linear. *)
Lemma linear_between lo hi t : lo <= hi -> 0 <= t <= 1 -> (forall s, gamma s <= lo \/ hi <= gamma s) ->
  forall s, best beta r Q (t * lo + (1 - t) * hi) s = t * best beta r Q lo s + (1 - t) * best beta r Q hi s.
Proof.
move=> lohi t01 gap s; apply: Rle_antisym; first exact: best_convex.
apply: (best_at_least discount rows (W := fun s => t * best beta r Q lo s + (1 - t) * best beta r Q hi s)) => y.
case: (gap y) => h; [left | right].
  by rewrite !(stops_above discount rows (indices y)); lra.
rewrite mean_add !mean_scale (goes_below discount rows (indices y) (nu := lo)); last lra.
by rewrite (goes_below discount rows (indices y) h) /go_on; apply: Req_le; ring.
Qed.

Lemma single (f : S -> R) s0 : \sum_(s : S) (if s == s0 then 1 else 0) * f s = f s0.
Proof. exact: mean_point. Qed.

(* Every retirement function of the arm is a mixture of those at its own S breakpoints, up to a constant >= 0. *)
Lemma own_breakpoints m (s0 : S) : exists c w, 0 <= c /\ probability w /\
  forall y, retirement_value m y = c + \sum_(s : S) w s * retirement_value (breakpoint s) y.
Proof.
have [top htop] := exists_max s0 gamma; have point (z : S) := point_ok z.
have [bot hbot] := exists_max s0 (fun s => - gamma s).
case: (Rle_dec (gamma top) ((1 - beta) * m)) => [above|/Rnot_le_lt below_top].
  exists (m - breakpoint top), (fun s => if s == top then 1 else 0); split; last split=> // y.
    by apply: (Rmult_le_reg_l (1 - beta)) => //; have := level top; lra.
  rewrite (single (fun s => retirement_value (breakpoint s) y)) !identity_above => [|s|s]; first lra.
  - by rewrite level; exact: htop.
  - by have := htop s; lra.
case: (Rle_dec ((1 - beta) * m) (gamma bot)) => [below|/Rnot_le_lt above_bot].
  exists 0, (fun s => if s == bot then 1 else 0); split; first lra; split=> // y.
  rewrite (single (fun s => retirement_value (breakpoint s) y)) Rplus_0_l; apply: constant_below => s.
  - by have := hbot s; lra.
  - by rewrite level; have := hbot s; lra.
(* the neighbours of m among the breakpoints *)
set mu := (1 - beta) * m in below_top above_bot *.
pose under s := if Rle_dec (gamma s) mu then true else false.
have underP s : under s -> gamma s <= mu by rewrite /under; case: (Rle_dec (gamma s) mu).
have under_intro s : gamma s <= mu -> under s by rewrite /under; case: (Rle_dec (gamma s) mu).
have [lo [plo hlo]] : exists s, under s /\ forall y, under y -> gamma y <= gamma s.
  by apply: (exists_max_in gamma (x0 := bot)); apply: under_intro; lra.
have [hi [phi hhi]] : exists s, ~~ under s /\ forall y, ~~ under y -> - gamma y <= - gamma s.
  by apply: (exists_max_in (fun s => - gamma s) (x0 := top)); apply/negP => /underP; lra.
have lo_le := underP _ plo; have hi_ge : mu < gamma hi.
  by apply: Rnot_le_lt => /under_intro h; rewrite h in phi.
pose t := (gamma hi - mu) / (gamma hi - gamma lo).
have t01 : 0 <= t <= 1 by apply: ratio_01; lra.
have gap s : gamma s <= gamma lo \/ gamma hi <= gamma s.
  by case u : (under s); [left; exact: hlo | right; have := hhi s (negbT u); lra].
have mix : mu = t * gamma lo + (1 - t) * gamma hi by rewrite /t; field; lra.
exists 0, (fun s => t * (if s == lo then 1 else 0) + (1 - t) * (if s == hi then 1 else 0)); split; first lra.
split=> [|y].
  split=> [s|]; first by case: eqP => _; case: eqP => _; lra.
  by rewrite sum_add !sum_scale (sum_single lo (fun _ => 1)) (sum_single hi (fun _ => 1)); lra.
have -> : \sum_(s : S) (t * (if s == lo then 1 else 0) + (1 - t) * (if s == hi then 1 else 0)) * retirement_value (breakpoint s) y
    = t * retirement_value (breakpoint lo) y + (1 - t) * retirement_value (breakpoint hi) y.
  rewrite -(single (fun s => retirement_value (breakpoint s) y) lo) -(single (fun s => retirement_value (breakpoint s) y) hi).
  by rewrite -!sum_scale -sum_add; apply: eq_bigr => s _; ring.
have linear : best beta r Q mu y = t * best beta r Q (gamma lo) y + (1 - t) * best beta r Q (gamma hi) y.
  by rewrite [in LHS]mix; apply: linear_between => //; lra.
have em : m = t * breakpoint lo + (1 - t) * breakpoint hi.
  by apply: (Rmult_eq_reg_l (1 - beta)); [rewrite -/mu mix /breakpoint; field; lra | lra].
by rewrite /retirement_value !level -/mu linear [in LHS]em; ring.
Qed.

(* With rewards in [0, 1] the breakpoints are in [0, 1/(1-beta)], and the function of such an m is in [m, 1/(1-beta)]. *)
Lemma breakpoint_range s : (forall z, 0 <= r z <= 1) -> 0 <= breakpoint s <= 1 / (1 - beta).
Proof.
move=> unit; have [g0 g1] := index_range discount rows (indices s) (fun z => proj2 (unit z)); have [r0 _] := unit s.
by split; [apply: Rdiv_le_0_compat | apply: Rmult_le_compat_r; first by left; exact: Rinv_0_lt_compat]; lra.
Qed.

Lemma retirement_range m s : (forall z, 0 <= r z <= 1) -> 0 <= m <= 1 / (1 - beta) -> m <= retirement_value m s <= 1 / (1 - beta).
Proof.
set top := 1 / (1 - beta) => unit [m0 m1]; have [b0 b1] := discount; have t1 : top = 1 + beta * top by rewrite /top; field; lra.
have h1 := best_nonneg r discount rows ((1 - beta) * m) s.
have h2 : best beta r Q ((1 - beta) * m) s <= top - m.
  apply: (best_at_most discount rows (W := fun _ => top - m)) => y; first lra.
  by rewrite (mean_of_const _ (rows y)); have [_ r1] := unit y; lra.
by rewrite /retirement_value; lra.
Qed.
End Arm.

(* Mixtures of such mixtures. *)
Lemma mixture_of_mixtures (S : finType) (F : S -> S -> R) n (u : nat -> R) (f : nat -> S -> R) : (forall j, (j < n)%nat -> 0 <= u j) ->
  (forall j, exists c w, 0 <= c /\ probability w /\ forall y, f j y = c + \sum_(s : S) w s * F s y) ->
  exists c w, 0 <= c /\ (forall s, 0 <= w s) /\ \sum_(s : S) w s = \sum_(j < n) u j /\
    forall y, \sum_(j < n) (u j * f j y) = c + \sum_(s : S) w s * F s y.
Proof.
move=> u0 h; elim: n u0 => [|n IH] u0.
  by exists 0, (fun _ => 0); rewrite sum_zero /=; do 3 (split; first by move=> *; lra); move=> y; rewrite big1 => [|s _]; lra.
have [c [w [c0 [w0 [w1 e]]]]] := IH (fun j jn => u0 j (leqW jn)); have [c' [w' [c0' [[p0 p1] e']]]] := h n; have un := u0 n (ltnSn n).
exists (c + u n * c'), (fun s => w s + u n * w' s); split; first by have := Rmult_le_pos _ _ un c0'; lra.
split=> [s|]; first by have := Rmult_le_pos _ _ un (p0 s); have := w0 s; lra.
split=> [|y]; first by rewrite sum_add sum_scale w1 p1 sum_recr; lra.
rewrite sum_recr e e' [in RHS](eq_bigr (fun s => w s * F s y + u n * (w' s * F s y))) => [|s _]; last ring.
by rewrite sum_add sum_scale; ring.
Qed.

(* ---------------------------------------------------------------- The optimal value of the bandit *)

Section Bandit.
Variables (A S : finType) (beta : R) (M : model A S).
Hypotheses (discount : is_discount beta) (hM : markovian M).
Variables (gamma : A -> S -> R) (pi : policy A S).
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).
Hypothesis largest : plays_largest_index gamma pi.

(* V*(y, x_{-a}) = c + sum over the states s of arm a of w(s) phi_a(y, m_s), m_s the breakpoint of s; the weights are a
   probability, and c >= 0.
   ledger: conc:V/hull *)
Theorem hull a (x : state A S) : exists c w, 0 <= c /\ probability w /\
  forall y, V beta M pi (moved x a y) =
    c + \sum_(s : S) w s * retirement_value beta (reward M a) (row M a) (breakpoint beta (gamma a) s) y.
Proof.
have [N [m [phi [position [_ [_ [e [u [u0 [u1 mixture]]]]]]]]]] := optimal_value_is_mixture discount hM indices x a largest.
pose F s := retirement_value beta (reward M a) (row M a) (breakpoint beta (gamma a) s).
have [j|c [w [c0 [w0 [w1 whole]]]]] := @mixture_of_mixtures S F N.+1 u (phi a) u0.
  have [c [w [c0 [pw h]]]] := own_breakpoints discount (hM a) (indices a) (m j) (x a).
  by exists c, w; do 2 split=> //; move=> y; rewrite e; exact: h.
by exists c, w; split=> //; split=> [|y]; [split=> //; rewrite w1 | rewrite mixture whole].
Qed.

(* So if the S deviations of arm a at its state x_a are within b, so is the deviation at every global state: what is
   estimated there (rhat + beta Qhat f) less what is true (r + beta Q f), f being V*(., x_{-a}) or one of the S
   functions. Rows of the estimate that sum to 1, as after at least one visit.
   ledger: conc:V/deviation-of-mixture beyond:upper/event
   step of: conc:V/repair-probability *)
Theorem deviation_of_hull a (x : state A S) (rhat : R) (qhat : S -> R) (b : R) : probability qhat ->
  (forall s, let f := retirement_value beta (reward M a) (row M a) (breakpoint beta (gamma a) s) in
     Rabs (rhat - reward M a (x a) + beta * (mean qhat f - mean (row M a (x a)) f)) <= b) ->
  let f := fun y => V beta M pi (moved x a y) in
  Rabs (rhat - reward M a (x a) + beta * (mean qhat f - mean (row M a (x a)) f)) <= b.
Proof.
move=> pq each; have [c [w [c0 [pw h]]]] := hull a x.
pose F s := retirement_value beta (reward M a) (row M a) (breakpoint beta (gamma a) s).
have split_mean q : probability q -> mean q (fun y => V beta M pi (moved x a y)) = c + mean w (fun s => mean q (F s)).
  move=> pr; rewrite (mean_ext _ h) mean_add (mean_of_const _ pr); congr (_ + _).
  by rewrite -/(mean w _) mean_swap.
rewrite /= (split_mean _ pq) (split_mean _ (hM a (x a))).
have -> : rhat - reward M a (x a) + beta * (c + mean w (fun s => mean qhat (F s)) - (c + mean w (fun s => mean (row M a (x a)) (F s))))
    = mean w (fun s => rhat - reward M a (x a) + beta * (mean qhat (F s) - mean (row M a (x a)) (F s))).
  by rewrite mean_add (mean_of_const _ pw) mean_scale mean_sub; ring.
have b0 : 0 <= b by exact: Rle_trans (Rabs_pos _) (each (x a)).
by apply: mean_abs => //; [exact: (proj1 pw) | rewrite (proj2 pw); lra].
Qed.
End Bandit.
