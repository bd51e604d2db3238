(* Lemma concentration on the law of the run, whatever the learner: that estimates of rewards or of rows leave the printed radii at the
   end of some earlier episode is unlikely. *)

From kernel Require Import Limits Sums Enclosures Values Bandits Horizon Horizons Moments Concentration Events Episodes Laws Draws.
From kernel Require Import LawOfRun Truncation Frozen Radii Known.

Section Concentration.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> law_on O.
Notation M := (bandit_of next pays shows).
Notation mean_of := (expected next beta learner rho shows).
Notation given := (of_lengths next learner rho shows).

(* X holds of some cell at the end of some episode k' = 0, 1, ... of the history: drop j h is its past. *)
Definition at_some_end (X : history -> cell -> bool) (h : history) : bool :=
  [exists j : 'I_(size h).+1, [exists c, X (drop j h) c]].

(* B_l(x) for l = N_{k'}(x) >= 1, of what x showed. *)
Definition shown_so (B : cell -> nat -> seq O -> bool) (h : history) (c : cell) : bool :=
  (0 < count_of c h)%nat && B c (count_of c h) (observed c (flat h)).

Lemma flat_drop j (h : history) : exists s, flat h = s ++ flat (drop j h).
Proof.
elim: j h => [|j IH] [|r h] //=; try by exists [::].
by have [s e] := IH h; exists (shown r.2 ++ s); rewrite /flat /= -/(flat h) e catA.
Qed.

Lemma ends_are_counts B h : at_some_end (shown_so B) h -> some_bad (duration h) B h.
Proof.
case/existsP => j /existsP [c /andP [N1 bad]]; have [s e] := flat_drop j h; exact: some_bad_count e N1 bad.
Qed.

(* The lengths may be drawn before all else (lengths_first). Given them, let B_l(x) be of probability at most p for each l >= 1 and
   each x: it holds at l = N_{k'}(x) >= 1, for some x and k', with probability at most S n p (t_k - 1).
   ledger: conc:pre-drawn/union *)
Theorem union_given_lengths ns (B : cell -> nat -> seq O -> bool) p :
  (forall c l, (1 <= l)%nat -> draws (mu shows c) l [::] (fun s => indicator (B c l s)) <= p) ->
  given ns [::] (fun h => indicator (at_some_end (shown_so B) h)) <= INR #|cell| * (p * INR (sumn ns)).
Proof.
move=> small; apply: Rle_trans (_ : _ <= \sum_(c : cell) \sum_(l : 'I_(sumn ns)) p) _; last first.
  by rewrite sum_const sum_const card_ord; lra.
apply: Rle_trans (_ : _ <= given ns [::] (fun h => indicator (bad_now (fun _ => B) h))) _.
  apply: of_lengths_le => // [||h _]; try exact: tame_indicator.
  rewrite /bad_now; have := @ends_are_counts B h.
  by rewrite /indicator; case: (at_some_end _ _) => [->|_] //; [lra | case: ifP; lra].
apply: Rle_trans (@union_of_lengths A S O next learner rho learner_ok rho_ok shows ns (fun _ => B)) _.
by apply: sum_le => c _; apply: sum_le => l _; exact: small.
Qed.

(* Until a cell is activated nothing is known of its draws. So the chance that it is activated and B_l(x) holds for some l is at most
   p (t_k - 1) times the chance that it is activated; and in the union the mean number of activated cells stands for S n.
   ledger: conc:pre-drawn/visited *)
Theorem union_over_visited ns (B : cell -> nat -> seq O -> bool) p :
  (forall c l, (1 <= l)%nat -> draws (mu shows c) l [::] (fun s => indicator (B c l s)) <= p) ->
  given ns [::] (fun h => indicator (at_some_end (shown_so B) h)) <=
    given ns [::] (fun h => \sum_(c : cell) indicator (0 < count_of c h)%nat) * (p * INR (sumn ns)).
Proof.
move=> small; set T := sumn ns; pose V (c : cell) (s : seq (cell * O)) := indicator (0 < size (observed c s))%nat.
pose look (c : cell) (l : 'I_T) s := outlook shows c l.+1 (B c l.+1) s.
pose Phi s := \sum_(c : cell) \sum_(l : 'I_T) V c s * (look c l s - p).
have V01 c s : 0 <= V c s <= 1 by exact: indicator01.
have L01 c l s : 0 <= look c l s <= 1 by exact: outlook01.
have VL c l s : Rabs (V c s * (look c l s - p)) <= 1 + Rabs p.
  rewrite Rabs_mult (Rabs_pos_eq (V c s)); last by case: (V01 c s).
  have := V01 c s; have := L01 c l s; have := Rabs_pos p => p0 lo vo.
  have : Rabs (look c l s - p) <= 1 + Rabs p by split_Rabs; lra.
  by have := Rabs_pos (look c l s - p); nra.
have tame_Phi : tame (fun h : history => Phi (flat h)).
  by apply: tame_sum => c; apply: tame_sum => l; apply: (@bounded_tame _ _ _ _ (1 + Rabs p)) => h; exact: VL.
have falls d s : mu shows d (fun o => Phi ((d, o) :: s)) <= Phi s.
  have b c l : bounded (fun o => V c ((d, o) :: s) * (look c l ((d, o) :: s) - p)) by exists (1 + Rabs p) => o; exact: VL.
  rewrite /Phi E_sum => [|c]; last exact: bounded_sum.
  apply: sum_le => c _; rewrite E_sum //; apply: sum_le => l _.
  case: (d =P c) => [dc|/eqP dc]; last first.
    rewrite (E_ext _ (g := fun _ => V c s * (look c l s - p))); first by rewrite E_const; lra.
    by move=> o; rewrite /V /look /outlook /first_are /observed /= (negbTE dc).
  have one o : V c ((d, o) :: s) = 1 by rewrite /V /observed /= dc eqxx.
  rewrite (E_ext _ (g := fun o => look c l ((d, o) :: s) - p)) => [|o]; last by rewrite one Rmult_1_l.
  have bl : bounded (fun o => look c l ((d, o) :: s)) by exists 1 => o; have := L01 c l ((d, o) :: s); split_Rabs; lra.
  rewrite E_sub //; last exact: by_const.
  rewrite E_const; have f := outlook_falls shows c l.+1 (B c l.+1) d s; rewrite /V /indicator; case: ltnP => [_|empty].
    by rewrite Rmult_1_l; apply: Rplus_le_compat_r; exact: f.
  have e : observed c s = [::] by apply: size0nil; apply/eqP; rewrite -leqn0.
  have start : look c l s = draws (mu shows c) l.+1 [::] (fun r => indicator (B c l.+1 r)) by rewrite /look /outlook e subn0.
  have sm := small c l.+1 (ltn0Sn l); rewrite -start in sm; rewrite Rmult_0_l; apply: Rle_minus.
  exact: Rle_trans f sm.
have tV : tame (fun h : history => \sum_(c : cell) V c (flat h)).
  by apply: tame_sum => c; exact: tame_indicator.
have ind_le (h : history) : duration h = (T + duration ([::] : history))%nat ->
    indicator (at_some_end (shown_so B) h) <= Phi (flat h) + p * INR T * \sum_(c : cell) V c (flat h).
  rewrite addn0 => dur; rewrite (_ : _ + _ = \sum_(c : cell) \sum_(l : 'I_T) V c (flat h) * look c l (flat h)); last first.
    rewrite -sum_scale -sum_add; apply: eq_bigr => c _.
    rewrite (_ : p * INR T * V c (flat h) = \sum_(l : 'I_T) V c (flat h) * p); last by rewrite sum_const card_ord; ring.
    by rewrite -sum_add; apply: eq_bigr => l _; ring.
  have t0 c l : 0 <= V c (flat h) * look c l (flat h) by apply: Rmult_le_pos; [case: (V01 c (flat h)) | case: (L01 c l (flat h))].
  have s0 c : 0 <= \sum_(l : 'I_T) V c (flat h) * look c l (flat h) by apply: sum_nonneg => l.
  rewrite {1}/indicator; case: ifP => [bad|_]; last by apply: sum_nonneg => c.
  have /existsP [c /existsP [l hl]] := ends_are_counts bad; rewrite dur in l hl *.
  apply: Rle_trans (term_le_sum c s0); apply: Rle_trans (term_le_sum l (t0 c)).
  have -> : V c (flat h) = 1.
    by rewrite /V; move: hl; rewrite /first_are => /andP [le _]; rewrite (leq_ltn_trans (leq0n l) le).
  by rewrite Rmult_1_l; have := outlook_above shows c l.+1 (B c l.+1) (flat h); rewrite hl.
apply: Rle_trans (of_lengths_le next learner_ok rho_ok shows _ _ ind_le) _.
- exact: tame_indicator.
- by apply: tame_add => //; exact: tame_scale.
rewrite of_lengths_add //; last exact: tame_scale.
rewrite of_lengths_scale //; have := of_lengths_falls next learner_ok rho_ok ns [::] tame_Phi falls.
have -> : Phi (flat [::]) = 0.
  by apply: big1 => c _; apply: big1 => l _; rewrite /V /observed /= /indicator /=; ring.
move=> f; apply: Rle_trans (Rplus_le_compat_r _ _ _ f) _; rewrite Rplus_0_l; apply: Req_le.
by rewrite [RHS]Rmult_comm.
Qed.

Lemma sub_at_some_end (X Y : history -> cell -> bool) h : (forall j c, X (drop j h) c -> Y (drop j h) c) ->
  at_some_end X h -> at_some_end Y h.
Proof. by move=> XY /existsP [j /existsP [c x]]; apply/existsP; exists j; apply/existsP; exists c; exact: XY. Qed.

(* ---------------------------------------------------------------- The mean over the lengths *)

Let top := 1 / (1 - beta).
Let top0 : 0 <= top := top_nonneg discount.

(* The mean of the sum of K lengths. *)
Lemma sum_of_lengths N J c : 0 <= c -> over_lengths beta N J (fun ns => INR (sumn ns) + c) <= INR J * top + c.
Proof.
have [_ m1] := cut_mass discount N; case: (discount) => b0 b1; have p0 := pow_le beta N b0.
elim: J c => [|J IH] c c0; rewrite /=; first by lra.
pose rest := INR J * top + c; have r0 : 0 <= rest by rewrite /rest; have := Rmult_le_pos _ _ (pos_INR J) top0; lra.
apply: Rle_trans (_ : _ <= at_most_long beta N (fun n => INR n + rest)) _.
  apply: at_most_long_le => // n; rewrite (_ : INR n + rest = INR J * top + (INR n + c)); last by rewrite /rest; ring.
  apply: Rle_trans (IH _ (Rplus_le_le_0_compat _ _ (pos_INR n) c0)); apply: Req_le; congr (over_lengths _ _ _ _).
  by apply: funext => ns; rewrite plus_INR; ring.
rewrite cut_add at_most_long_const; have := cut_nat discount N; rewrite -/top.
rewrite -[match J with 0%nat => _ | _ => _ end]/(INR J.+1) S_INR => le; rewrite /rest in r0 *; nra.
Qed.

Lemma mean_at_most_steps J (X : history -> bool) q : 0 <= q ->
  (forall ns, given ns [::] (fun h => indicator (X h)) <= q * INR (sumn ns)) ->
  mean_of J (fun h => indicator (X h)) <= q * (INR J * top).
Proof.
move=> q0 le; have i1 h : Rabs (indicator (X h)) <= 1 by exact: indicator_abs.
apply: (rarely_at_most discount learner_ok rho_ok) => N.
rewrite /truncated (lengths_first next discount learner_ok rho_ok shows N J [::] Rle_0_1 i1).
apply: Rle_trans (over_lengths_le discount N J (g := fun ns => q * INR (sumn ns)) le) _.
rewrite over_lengths_scale; apply: Rmult_le_compat_l => //.
have := @sum_of_lengths N J 0 (Rle_refl 0); rewrite Rplus_0_r (_ : (fun ns => INR (sumn ns) + 0) = fun ns => INR (sumn ns)) //.
by apply: funext => ns; lra.
Qed.

(* What holds of histories without empty episodes holds of the run. *)
Definition no_empty_episode (h : history) : bool := all (fun r : plays A S * global A S * seq (step A S O) => 0 < size r.2)%nat h.
Lemma no_empty_drop i h : no_empty_episode h -> no_empty_episode (drop i h).
Proof. by elim: i h => [|i IH] [|r h] // /andP [_ /IH]. Qed.

Lemma cut_le_of_played N J (X Y : history -> R) : tame X -> tame Y -> (forall h, no_empty_episode h -> size h = J -> X h <= Y h) ->
  truncated next beta learner rho shows N J X <= truncated next beta learner rho shows N J Y.
Proof.
move=> tX tY XY; suff le K h : no_empty_episode h -> (K + size h)%nat = J ->
    law next learner rho shows (at_most_long beta N) K h X <= law next learner rho shows (at_most_long beta N) K h Y.
  by apply: le => //; rewrite addn0.
have tm K Z (tZ : tame Z) := law_tame next discount learner_ok rho_ok shows N K tZ.
elim: K h => [|K IH] h ph sz /=; first exact: XY.
apply: (mean_mono (learner_ok h)) => pi; apply: (mean_mono rho_ok) => x.
apply: sum_to_le => m _; apply: Rmult_le_compat_l; first exact: chance_nonneg.
apply: steps_le => [||e se]; [exact: (tame_fin _ _ _ (tm K X tX)) | exact: (tame_fin _ _ _ (tm K Y tY)) |].
by apply: IH; [rewrite /no_empty_episode /= se | rewrite /= addnS].
Qed.

Lemma mean_le_of_played J (X Y : history -> R) C : 0 <= C -> (forall h, Rabs (X h) <= C) -> (forall h, Rabs (Y h) <= C) ->
  (forall h, no_empty_episode h -> size h = J -> X h <= Y h) -> mean_of J X <= mean_of J Y.
Proof.
move=> C0 XC YC XY; have lim Z (ZC : forall h, Rabs (Z h) <= C) := @expected_is_limit A S O next beta discount learner rho learner_ok rho_ok shows J Z (bounded_sized ZC).
by apply: (is_lim_seq_le _ _ _ _ _ (lim X XC) (lim Y YC)) => N; apply: cut_le_of_played XY; [exact: bounded_tame XC | exact: bounded_tame YC].
Qed.

Lemma mean_le_played J (X Y : history -> bool) : (forall h, no_empty_episode h -> size h = J -> X h -> Y h) ->
  mean_of J (fun h => indicator (X h)) <= mean_of J (fun h => indicator (Y h)).
Proof.
by move=> XY; apply: (mean_le_of_played Rle_0_1) => h *; [exact: indicator_abs | exact: indicator_abs | apply: indicator_le; exact: XY].
Qed.

(* E[t_k - 1] = (k-1)/(1-beta). *)
Lemma mean_of_steps J : mean_of J (fun h => INR (duration h)) = INR J / (1 - beta).
Proof.
case: (discount) => b0 b1; have len d : any_length beta (fun n => INR n + d) = top + d.
  have [_ [_ [first _]]] := geometric_moments discount.
  have s2 : is_series (fun m => chance beta m * d) (1 * d) by apply: is_series_scal_r; exact: chance_series.
  rewrite Rmult_1_l in s2; apply: is_series_unique; apply: is_series_ext (is_series_plus _ _ _ _ first s2) => m.
  by change (INR m.+1 * ((1 - beta) * beta ^ m) + (1 - beta) * beta ^ m * d = (1 - beta) * beta ^ m * (INR m.+1 + d)); ring.
suff all h : law next learner rho shows (any_length beta) J h (fun h => INR (duration h)) = INR (duration h) + INR J * top.
  by rewrite /expected all /top /duration /=; field; lra.
elim: J h => [|J IH] h; first by rewrite /=; ring.
rewrite [law _ _ _ _ _ _ _ _]/= /episode -[RHS](mean_of_const _ (learner_ok h)); apply: mean_ext => pi.
rewrite -[RHS](mean_of_const _ rho_ok); apply: mean_ext => x.
have e : (fun n => steps next shows pi n x [::] (fun e => law next learner rho shows (any_length beta) J ((pi, x, e) :: h) (fun h => INR (duration h))))
    =1 (fun n => INR n + (INR (duration h) + INR J * top)).
  move=> n; rewrite -[n in RHS]addn0 -[0%nat]/(size (@nil (step A S O))).
  rewrite -(steps_size next shows pi n x [::] (fun n => INR n + (INR (duration h) + INR J * top))); apply: steps_ext => e.
  by rewrite IH /duration /flat /= size_cat size_map plus_INR; ring.
rewrite /any_length /any_length (Series_ext _ (fun m => chance beta m * (INR m.+1 + (INR (duration h) + INR J * top)))) => [|m]; last by rewrite e.
by rewrite -/(any_length beta (fun n => INR n + (INR (duration h) + INR J * top))) len S_INR; ring.
Qed.

(* Given the lengths, N (Qhat(x, y) - Q(x, y)) has mean 0, Qhat counting the state that the arm moved to.
   ledger: def:estimators/next-state/repair *)
Theorem rows_unbiased ns (guess_row : history -> cell -> S -> R) c y :
  given ns [::] (fun h => INR (count_of c h) * (moves next guess_row h c y - mu shows c (fun o => indicator (next o == y)))) = 0.
Proof.
set q := mu shows c _; pose Phi (s : seq (cell * O)) := INR (count (fun o => next o == y) (observed c s)) - INR (visits c s) * q.
have e h : INR (count_of c h) * (moves next guess_row h c y - q) = Phi (flat h).
  rewrite /Phi /moves /Qhat -/(count_of c h); case: eqP => [z|/eqP]; last by rewrite -lt0n => /ltP /lt_0_INR n0; field; lra.
  by rewrite z; move: z; rewrite /count_of /visits; case: (observed c (flat h)) => //= _; ring.
have even d s : mu shows d (fun o => Phi ((d, o) :: s)) = Phi s.
  rewrite -[RHS](E_const (mu shows d)) /Phi; case: (d =P c) => [->|/eqP dc]; last first.
    by apply: E_ext => o; rewrite visits_cons (negbTE dc) /observed /= (negbTE dc).
  rewrite (E_ext _ (g := fun o => indicator (next o == y) + (INR (count (fun o => next o == y) (observed c s)) - (1 + INR (visits c s)) * q))).
    by rewrite E_add ?E_const -/q; [ring | exact: bounded_indicator | exact: by_const].
  move=> o; rewrite visits_cons eqxx add1n S_INR /observed /= eqxx /= plus_INR /indicator.
  by case: (next o == y); rewrite /=; ring.
have all e' x pi n s : steps next shows pi n x e' (fun e' => Phi (shown e' ++ s)) = Phi (shown e' ++ s).
  elim: n x e' => [|n IH] x e' //=; rewrite -[RHS](even (pi x, x (pi x))); apply: E_ext => o; exact: IH.
rewrite (_ : 0 = Phi (flat [::])); last by rewrite /Phi /=; ring.
elim: ns [::] => [|n ns IH] h; first exact: e.
rewrite /= -[RHS](mean_of_const _ (learner_ok h)); apply: mean_ext => pi; rewrite -[RHS](mean_of_const _ rho_ok); apply: mean_ext => x.
by rewrite -[RHS](all [::] x pi n); apply: steps_ext => e'; exact: IH.
Qed.
(* ---------------------------------------------------------------- The radii *)

Let Sn := INR #|cell|.

(* The estimates; where an arm state was never visited, any reward in [0, 1] and any row. *)
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Definition reward_off (h : history) (c : cell) : R := Rabs (means pays guess_reward h c - reward M c.1 c.2).
Definition row_off (h : history) (c : cell) : R := distance (moves next guess_row h c) (row M c.1 c.2).

Variable K : nat.
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).

(* An estimate after N >= 1 visits is further off than a radius at N. *)
Definition leaves_radius (off : history -> cell -> R) (radius_at : nat -> R) : history -> bool :=
  at_some_end (fun h' c => (0 < count_of c h')%nat && above (radius_at (count_of c h')) (off h' c)).

(* ---------------------------------------------------------------- The lemma's own radii, with tau_k *)

Variable k : nat.
Hypothesis k_range : (2 <= k <= K)%nat.
Let lg := ln (INR (K * (k - 1))).
Let y := 2 * (Sn * INR K * tau beta K k).

(* L_{k-1} = sqrt(2 log(2 S n K tau_k)). *)
Definition L_of : R := sqrt (2 * ln y).

Let k0 : 1 <= INR (k - 1).
Proof. by apply: INR_ge1; rewrite subn_gt0; case/andP: k_range. Qed.

Let K2 : 2 <= INR K.
Proof. by case/andP: k_range => k2 kK; rewrite -[2]/(INR 2); apply: le_INR; apply/leP; exact: leq_trans k2 kK. Qed.

Lemma log_at_least m : (1 <= m <= K)%nat -> ln (INR m) <= lg.
Proof.
case/andP => m1 mK; apply: ln_INR_le; rewrite m1 /=; apply: leq_trans mK _.
by rewrite leq_pmulr // subn_gt0; case/andP: k_range.
Qed.

Lemma log_least : 69/100 <= lg.
Proof. by apply: Rle_trans (log_at_least (m := 2) _);
  [rewrite /=; enclose | case/andP: k_range => *; exact: leq_trans (_ : 2 <= k)%nat _]. Qed.

Lemma over_log c d : c <= d * lg -> c / (INR K * lg) <= d / INR K.
Proof.
move=> cd; have l0 := log_least; have i0 : 0 < / INR K by apply: Rinv_0_lt_compat; lra.
rewrite (_ : c / (INR K * lg) = c / lg * / INR K); last by field; lra.
by apply: Rmult_le_compat_r; [lra | apply: (Rmult_le_reg_r lg); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra]].
Qed.

Lemma log_least_3 : (3 <= K)%nat -> 109/100 <= lg.
Proof. by move=> K3; apply: Rle_trans (log_at_least (m := 3) K3); rewrite /=; enclose. Qed.

Lemma tau_least : lg <= tau beta K k.
Proof.
case: (discount) => b0 b1; have l0 := log_least; rewrite /tau -/lg.
have : lg <= lg / (1 - beta).
  apply: (Rmult_le_reg_r (1 - beta)); first lra.
  by rewrite /Rdiv Rmult_assoc Rinv_l; [nra | lra].
by move: (lg / (1 - beta)) => v; nra.
Qed.

Let c1 : 1 <= Sn. Proof. exact: INR_ge1. Qed.

Lemma tau_big : 1 <= Sn * INR K * tau beta K k.
Proof. by have := tau_least; have := log_least; have : 2 <= Sn * INR K by [nra]; move: (Sn * INR K) => u; nra. Qed.

Lemma log_argument_beta : 1 + beta <= ln y.
Proof.
case: (discount) => b0 b1; have l0 := log_least; have i0 : 0 < / (1 - beta) by apply: Rinv_0_lt_compat; lra.
have ge : 276/100 * / (1 - beta) <= y.
  rewrite /y /tau -/lg (_ : 2 * _ = 2 * (Sn * INR K * INR (k - 1) * lg) * / (1 - beta)); last by rewrite /Rdiv; ring.
  apply: Rmult_le_compat_r; first lra.
  have u2 : 2 <= Sn * INR K by nra.
  have v2 : 2 <= Sn * INR K * INR (k - 1) by move: (Sn * INR K) u2 => u; nra.
  by move: (Sn * INR K * INR (k - 1)) v2 => v; nra.
have e1 : 1 <= ln (276/100) by enclose.
have := Rcomplements.ln_le _ y (ltac:(lra) : 0 < 276/100 * / (1 - beta)) ge; rewrite ln_mult ?ln_Rinv; try lra.
by have := ln_at_most (ltac:(lra) : 0 < 1 - beta); lra.
Qed.

Lemma log_argument : 1 <= ln y.
Proof. by case: (discount) => b0 _; have := log_argument_beta; lra. Qed.

Lemma mean_of_counts (B : cell -> nat -> seq O -> bool) F : 0 <= F ->
  (forall c l, (1 <= l)%nat -> draws (mu shows c) l [::] (fun s => indicator (B c l s)) <= F / (Sn * INR K * tau beta K k)) ->
  mean_of (k - 1) (fun h => indicator (at_some_end (shown_so B) h)) <= F / (INR K * lg).
Proof.
move=> F0 small; have [n1 [n2 n3]] := nonzero tau_big; have l0 := log_least; have t0 := tau_least.
(* T/(K tau_k) in the mean over the lengths *)
have -> : F / (INR K * lg) = F / (INR K * tau beta K k) * (INR (k - 1) * (1 / (1 - beta))).
  by case: (discount) => b0 b1; rewrite /tau -/lg; field; do ?split; lra.
apply: mean_at_most_steps => // [|ns].
  by apply: Rcomplements.Rdiv_le_0_compat => //; apply: Rmult_lt_0_compat; lra.
apply: Rle_trans (@union_given_lengths ns B (F / (Sn * INR K * tau beta K k)) small) _.
by rewrite -/Sn; apply: Req_le; field; do ?split.
Qed.

(* E[t_k - 1] = (k-1)/(1-beta) = tau_k/log(K(k-1)); so if B_l(x) has probability at most 1/(S n K tau_k) for each l >= 1 and each x, it
   holds at some N_{k'}(x) >= 1 with probability at most 1/(K log(K(k-1))), which is at most 1/K for K >= 3, and 2/K for K = 2.
   ledger: conc:mean-steps *)
Theorem mean_steps (B : cell -> nat -> seq O -> bool) :
  (forall c l, (1 <= l)%nat -> draws (mu shows c) l [::] (fun s => indicator (B c l s)) <= 1 / (Sn * INR K * tau beta K k)) ->
  mean_of (k - 1) (fun h => INR (duration h)) = INR (k - 1) / (1 - beta) /\ INR (k - 1) / (1 - beta) = tau beta K k / lg /\
  mean_of (k - 1) (fun h => indicator (at_some_end (shown_so B) h)) <= 1 / (INR K * lg) /\
  1 / (INR K * lg) <= Rmax 1 (4 - INR K) / INR K.
Proof.
move=> small; case: (discount) => b0 b1; have l0 := log_least; split; last split; last split.
- exact: mean_of_steps.
- by rewrite /tau -/lg; field; split; lra.
- exact: mean_of_counts Rle_0_1 small.
apply: over_log; case: (leqP 3 K) => [K3|K3]; first by have := Rmax_l 1 (4 - INR K); have := log_least_3 K3; nra.
have k2 : INR K <= 2 by rewrite -[2]/(INR 2); apply: le_INR; apply/leP.
by have := Rmax_r 1 (4 - INR K); nra.
Qed.

Lemma L_at_least v : 0 <= v -> v * v <= 2 * ln y -> v <= L_of.
Proof. by move=> v0 le; rewrite /L_of -[X in X <= _](sqrt_square v v0); exact: sqrt_le_1_alt. Qed.

Lemma L_beta : 1 + beta <= L_of.
Proof. by case: (discount) => b0 b1; have ly := log_argument_beta; apply: L_at_least; nra. Qed.

Lemma L_least : 7/5 <= L_of.
Proof. by have ly := log_argument; apply: L_at_least; lra. Qed.

(* The radii of the lemma at N visits: L_{k-1}/(2 sqrt N) and (L_{k-1} + 1.5 sqrt S)/sqrt N. *)
Definition radius_E_r (N : nat) : R := L_of / (2 * sqrt (INR N)).
Definition radius_E_Q (N : nat) : R := (L_of + 3/2 * sqrt (INR #|S|)) / sqrt (INR N).

Lemma r_radiusE l : (1 <= l)%nat -> radius cell K (tau beta K k) 1 l = radius_E_r l.
Proof.
move=> /INR_ge1 l1; have := log_argument; rewrite /radius /radius_E_r /L_of Rmult_1_l -/y => ly.
rewrite (_ : Lambda _ _ _ = ln y) // (_ : ln y / (2 * INR l) = 2 * ln y / (2 * 2 * INR l)); last by field; lra.
rewrite sqrt_div_alt; last lra.
by rewrite (sqrt_mult (2 * 2)) ?sqrt_square; lra.
Qed.

Lemma q_radiusE l : (1 <= l)%nat -> row_radius cell K (tau beta K k) S l <= radius_E_Q l.
Proof.
move=> /INR_ge1 l1; have ly := log_argument; have b := tau_big; rewrite /row_radius /radius_E_Q /L_of.
rewrite sqrt_div_alt; last lra.
apply: Rmult_le_compat_r; first by left; apply: Rinv_0_lt_compat; apply: sqrt_lt_R0; lra.
have S0 := pos_INR #|S|; have p2 : 0 < 2 ^ #|S| by apply: pow_lt; lra.
have e : ln (Sn * INR K * tau beta K k * 2 ^ #|S|) = ln y + (INR #|S| - 1) * ln 2.
  rewrite /y; move: (Sn * INR K * tau beta K k) b => X b.
  by rewrite (ln_mult X) ?(ln_mult 2 X) ?ln_pow; lra.
rewrite e; have l2 : 0 <= ln 2 <= 1.
  by split; [have := ln_lt_2; lra | have : ln 2 <= 1 by [enclose]].
have [u0 v0] := (sqrt_pos (2 * ln y), sqrt_pos (INR #|S|)).
have uu : sqrt (2 * ln y) * sqrt (2 * ln y) = 2 * ln y by apply: sqrt_sqrt; lra.
have vv := sqrt_sqrt _ S0; move: (sqrt (2 * ln y)) (sqrt (INR #|S|)) u0 v0 uu vv => u v u0 v0 uu vv.
rewrite -[X in _ <= X]sqrt_square; last lra.
by apply: sqrt_le_1_alt; have := Rmult_le_pos _ _ u0 v0; nra.
Qed.

(* What arm states show, where estimates are further off than their radii; and how likely that is for l draws. *)
Definition bad_rewards (c : cell) (l : nat) (s : seq O) : bool :=
  above (radius_E_r l) (Rabs (total_of pays s / INR l - mu shows c pays)).
Definition bad_rows (c : cell) (l : nat) (s : seq O) : bool := above (radius_E_Q l)
  (\sum_(y : S) Rabs (INR (count (fun o => next o == y) s) / INR l - mu shows c (fun o => indicator (next o == y)))).

Lemma bad_rewards_rarely c l : (1 <= l)%nat ->
  draws (mu shows c) l [::] (fun s => indicator (bad_rewards c l s)) <= 1 / (Sn * INR K * tau beta K k).
Proof.
by move=> l1; have := one_radius (mu shows) tau_big c l1 pays_unit; rewrite r_radiusE.
Qed.

Lemma bad_rows_rarely c l : (1 <= l)%nat ->
  draws (mu shows c) l [::] (fun s => indicator (bad_rows c l s)) <= 1 / (Sn * INR K * tau beta K k).
Proof.
move=> l1; apply: Rle_trans (one_row_radius (mu shows) tau_big c next l1).
by apply: draws_sub => s _ /aboveP x; apply/aboveP; apply: Rle_lt_trans (q_radiusE l1) x.
Qed.

Lemma leaves_rewards h : leaves_radius reward_off radius_E_r h -> at_some_end (shown_so bad_rewards) h.
Proof.
apply: sub_at_some_end => j c /andP [N1 x]; rewrite /shown_so N1; move: x.
by rewrite /reward_off /means (gtn_eqF N1).
Qed.

Lemma leaves_rows h : leaves_radius row_off radius_E_Q h -> at_some_end (shown_so bad_rows) h.
Proof.
apply: sub_at_some_end => j c /andP [N1 /aboveP x]; rewrite /shown_so N1; apply/aboveP; apply: Rlt_le_trans x _; apply: Req_le.
by apply: eq_bigr => z _; rewrite /moves (gtn_eqF N1).
Qed.

(* The complement of an event of the lemma, for the ends of episodes k' = j, ..., k-1; with k' = 0 where nothing is known. *)
Definition fails (j : nat) (off : history -> cell -> R) (radius_at : nat -> R) : history -> bool :=
  at_some_end (fun h' c => (j <= size h')%nat && above (radius_at (maxn 1 (count_of c h'))) (off h' c)).

(* Where what is far at the radius of max(1, N) is not where N = 0. *)
Lemma ends_visited_or j (far : history -> cell -> R -> bool) (radius_at : nat -> R) h :
  (forall h' c, no_empty_episode h' -> (j <= size h')%nat -> count_of c h' = 0%nat ->
    ~~ far h' c (radius_at 1%nat)) -> no_empty_episode h ->
  at_some_end (fun h' c => (j <= size h')%nat && far h' c (radius_at (maxn 1 (count_of c h')))) h ->
  at_some_end (fun h' c => (0 < count_of c h')%nat && far h' c (radius_at (count_of c h'))) h.
Proof.
move=> near ph; apply: sub_at_some_end => i c /andP [jh]; case: (posnP (count_of c (drop i h))) => [z|N1].
  by rewrite z maxn0 => x; case/negP: (near _ c (no_empty_drop i ph) jh z).
by rewrite (maxn_idPr N1).
Qed.

Lemma visited_or j off radius_at h :
  (forall h' c, no_empty_episode h' -> (j <= size h')%nat -> count_of c h' = 0%nat -> off h' c <= radius_at 1%nat) ->
  no_empty_episode h -> fails j off radius_at h -> leaves_radius off radius_at h.
Proof.
move=> near; apply: (@ends_visited_or j (fun h c rad => above rad (off h c))) => h' c ph jh z.
by apply/negP => /aboveP x; have := near h' c ph jh z; lra.
Qed.

(* Repaired: estimates with N >= 1 leave L_{k-1}/(2 sqrt N) with probability at most 1/(K log(K(k-1))), without the event E^H; and so
   does E^r fail, for k' = 0 too, if the estimate is 1/2 where N = 0.
   ledger: conc:r/repair *)
Theorem event_r_repaired : mean_of (k - 1) (fun h => indicator (leaves_radius reward_off radius_E_r h)) <= 1 / (INR K * lg) /\
  ((forall h c, guess_reward h c = 1/2) ->
    mean_of (k - 1) (fun h => indicator (fails 0 reward_off radius_E_r h)) <= 1 / (INR K * lg)).
Proof.
have main : mean_of (k - 1) (fun h => indicator (leaves_radius reward_off radius_E_r h)) <= 1 / (INR K * lg).
  by apply: Rle_trans (mean_of_counts Rle_0_1 bad_rewards_rarely); apply: mean_le_played => // h _ _; exact: leaves_rewards.
split=> // half; apply: Rle_trans main; apply: mean_le_played => // h ph _; apply: visited_or ph => h' c _ _ z.
have unit := bandit_unit next pays_unit shows c.1 c.2; rewrite /reward_off /means z eqxx half.
apply: Rle_trans (_ : _ <= 1/2) _; first by move: unit; move: (reward M c.1 c.2) => u; split_Rabs; lra.
by have := L_least; rewrite /radius_E_r [INR _]/= sqrt_1; lra.
Qed.

(* ledger: conc:Q/repair *)
Theorem event_Q_repaired : mean_of (k - 1) (fun h => indicator (leaves_radius row_off radius_E_Q h)) <= 1 / (INR K * lg).
Proof. by apply: Rle_trans (mean_of_counts Rle_0_1 bad_rows_rarely); apply: mean_le_played => // h _ _; exact: leaves_rows. Qed.

Lemma half_enough : 1 / (INR K * lg) <= 2 / INR K.
Proof. by apply: over_log; have := log_least; lra. Qed.

(* A bound c/K with K <= c says nothing. *)
Lemma nothing_said (X : history -> bool) c : INR K <= c -> mean_of (k - 1) (fun h => indicator (X h)) <= c / INR K.
Proof.
move=> Kc; apply: Rle_trans (_ : _ <= 1) _; last by apply: (Rmult_le_reg_r (INR K)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
by apply: Rle_trans (Rle_abs _) _; apply: (expected_abs next discount learner_ok rho_ok shows _ Rle_0_1) => h; exact: indicator_abs.
Qed.

Lemma nothing_claimed (X : history -> bool) : (K < 3)%nat -> mean_of (k - 1) (fun h => indicator (X h)) <= 2 / INR K.
Proof. by move=> K3; apply: nothing_said; rewrite -[2]/(INR 2); apply: le_INR; apply/leP. Qed.

(* The radii are as wide as can be wanted, where an arm state was left out although an episode was played, if E^H is possible. *)
Lemma L_unvisited (h' : history) (c : cell) : 1 <= lg / (1 - beta) -> no_empty_episode h' -> (1 <= size h')%nat -> count_of c h' = 0%nat -> 2 <= L_of.
Proof.
move=> possible ph h1 z; have [d dc] : exists d : cell, d != c.
  case: h' ph h1 z => [|[[pi x] [|[[x' a] o] e]] h'] //= _ _; rewrite count_cons [shown _]/= visits_cons.
  by case: eqP => // /eqP dc _; exists (a, x' a).
have C2 : 2 <= Sn by rewrite -[2]/(INR 2); apply: le_INR; apply/leP; apply/card_gt1P; exists c, d; split=> //; rewrite eq_sym.
have y8 : 8 <= y.
  have t : 1 <= tau beta K k by rewrite /tau -/lg; nra.
  have : 4 <= Sn * INR K by nra.
  by rewrite /y; move: (Sn * INR K) => u; nra.
have ly : 2 <= ln y by have : 2 <= ln 8 by [enclose]; have := Rcomplements.ln_le 8 y ltac:(lra) y8; lra.
by apply: L_at_least; lra.
Qed.

Lemma possible_3 : (3 <= K)%nat -> 1 <= lg / (1 - beta).
Proof.
move=> K3; have l3 := log_least_3 K3; case: (discount) => b0 b1.
by apply: (Rmult_le_reg_r (1 - beta)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
Qed.

Lemma unvisited_reward h c : count_of c h = 0%nat -> reward_off h c <= 1.
Proof.
move=> z; have unit := bandit_unit next pays_unit shows c.1 c.2; have mr := guess_reward_ok h c.
by rewrite /reward_off /means z eqxx; split_Rabs; lra.
Qed.

Lemma event_r_large : (3 <= K)%nat -> mean_of (k - 1) (fun h => indicator (fails 1 reward_off radius_E_r h)) <= 1 / (INR K * lg).
Proof.
move=> K3; apply: Rle_trans (proj1 event_r_repaired); apply: mean_le_played => // h ph' _; apply: visited_or ph' => h' c ph h1 z.
apply: Rle_trans (unvisited_reward z) _.
have := L_unvisited (possible_3 K3) ph h1 z.
by rewrite /radius_E_r [INR 1]/= sqrt_1; lra.
Qed.

(* As printed: E^r, for k' = 1, ..., k-1 and any estimate in [0, 1] where N = 0, fails with probability at most 2/K.
   ledger: conc:r *)
Theorem event_r : mean_of (k - 1) (fun h => indicator (fails 1 reward_off radius_E_r h)) <= 2 / INR K.
Proof.
case: (leqP 3 K) => [K3|K3]; last exact: nothing_claimed.
exact: Rle_trans (event_r_large K3) half_enough.
Qed.

Lemma unvisited_row h' c : count_of c h' = 0%nat -> row_off h' c <= radius_E_Q 1.
Proof.
move=> z; apply: Rle_trans (proj2 (distance_2 (q := row M c.1 c.2) _ _)) _; [| exact: bandit_markovian |].
  by have := guess_row_ok h' c; rewrite /probability /moves z.
have S1 : (1 <= #|S|)%nat by apply/card_gt0P; exists c.2.
have := L_least; have : 1 <= sqrt (INR #|S|) by rewrite -{1}sqrt_1; apply: sqrt_le_1_alt; exact: INR_ge1.
by rewrite /radius_E_Q [INR 1]/= sqrt_1; lra.
Qed.

Lemma event_Q_all : mean_of (k - 1) (fun h => indicator (fails 0 row_off radius_E_Q h)) <= 1 / (INR K * lg).
Proof.
apply: Rle_trans event_Q_repaired; apply: mean_le_played => // h ph _; apply: visited_or ph => h' c _ _ z.
exact: unvisited_row.
Qed.

(* As printed: E^Q, for k' = 0, ..., k-1 and any row where N = 0, fails with probability at most 2/K.
   ledger: conc:Q *)
Theorem event_Q : mean_of (k - 1) (fun h => indicator (fails 0 row_off radius_E_Q h)) <= 2 / INR K.
Proof. exact: Rle_trans event_Q_all half_enough. Qed.
End Concentration.
