(* Event E^H of Lemma concentration, where it stands as printed, and the whole lemma on the law of the run; and what the lemmas on the
   three algorithms make of it. *)

From kernel Require Import Limits Sums Enclosures Values Bandits Horizon Horizons Moments Concentration Events Gittins Episodes.
From kernel Require Import Laws Draws LawOfRun Truncation Frozen Radii Known LemmaConcentration ValueEvent Conditional.

(* ---------------------------------------------------------------- The lengths *)

(* As printed, for k >= 3 or K >= 8.
   step of: lem:concentration *)
Theorem event_H_holds K k : (2 <= k <= K)%nat -> (3 <= k)%nat || (8 <= K)%nat -> event_H_for K k.
Proof.
move=> /andP [k2 kK] large beta n discount; set c := ln _ => fl; case: (discount) => b0 b1.
have Kpos : 0 < INR K by apply: lt_0_INR; apply/ltP; apply: leq_trans kK; exact: ltnW.
have kpos : 0 < INR (k - 1) by apply: lt_0_INR; apply/ltP; rewrite subn_gt0.
have ec : exp (- c) = / (INR K * INR (k - 1)) by rewrite /c exp_Ropp exp_ln mult_INR //; exact: Rmult_lt_0_compat.
have enough : 2 <= c -> some_exceeds beta (k - 1) n <= / INR K.
  move=> c2; apply: Rle_trans (union_bound discount _ _) _.
  apply: Rle_trans (Rmult_le_compat_l _ _ _ (Rlt_le _ _ kpos) (floor_power discount c2 fl)) _.
  by rewrite ec; apply: Req_le; field; lra.
case: (leqP 8 (K * (k - 1))) => [big|small].
  apply: enough; have l8 : 2 <= ln 8 by enclose.
  have := Rcomplements.ln_le 8 (INR (K * (k - 1))) ltac:(lra); rewrite -/c => h; apply: Rle_trans l8 (h _).
  by rewrite (_ : 8 = INR 8); [apply: le_INR; apply/leP | rewrite /=; ring].
have [e3 k3] : K = 3%nat /\ k = 3%nat.
  move: k2 kK large small; clear; case: k => [|[|j]] // _ /ltP jK large; rewrite !subSS subn0 -multE => /ltP small.
  by case/orP: large => /leP large; nia.
(* K = k = 3: it is enough that beta^n <= .1835. *)
have e6 : c = ln 6 by rewrite /c e3 k3; congr ln; rewrite /=; ring.
rewrite e6 in fl; clear enough; rewrite e3 k3 -[(3 - 1)%nat]/2%nat.
suff q : beta ^ n <= 1835/10000.
  rewrite /some_exceeds at_most_closed; have := power_range discount n; rewrite (_ : INR 3 = 3); last by rewrite /=; ring.
  by move: (beta ^ n) q => q; rewrite /=; nra.
have [l6 u6] : 1791/1000 <= ln 6 <= 1792/1000 by split; enclose.
case: (Rle_lt_dec (4/10) beta) => hb.
  apply: Rle_trans (floor_power_below (c := ln 6) (conj _ b1) fl) _; first lra.
  have u : (1 - beta) / (1 + beta) <= 4286/10000 by enclose.
  apply: Rle_trans (_ : exp (-1791/1000 + 209/1000 * (4286/10000)) <= _); last by enclose.
  by apply: exp_le; nra.
have [_ n1] := fl; have big : ln 6 <= ln 6 / (1 - beta).
  by apply: (Rmult_le_reg_r (1 - beta)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; nra].
case: n fl n1 => [|[|n]] fl n1; rewrite ?S_INR /= in n1; first lra.
  have : ln 6 < 2 * (1 - beta) by rewrite (_ : ln 6 = ln 6 / (1 - beta) * (1 - beta)); [apply: Rmult_lt_compat_r; lra | field; lra].
  by rewrite pow_1; lra.
have p := power_range discount n; rewrite /=; nra.
Qed.

(* As printed the bound 2/K holds for all k and K; for K >= 4 so does 1.5/K.
   ledger: conc:H/repair-factor *)
Theorem event_H_factor K k beta n : (2 <= k <= K)%nat -> is_discount beta ->
  is_floor (ln (INR (K * (k - 1))) / (1 - beta)) n ->
  some_exceeds beta (k - 1) n <= 2 / INR K /\ ((4 <= K)%nat -> some_exceeds beta (k - 1) n <= (3/2) / INR K).
Proof.
move=> kK discount fl; have k1 : 1 <= INR K by apply: INR_ge1; case/andP: kK => k2; apply: leq_trans; exact: ltnW.
have i0 : 0 < / INR K by apply: Rinv_0_lt_compat; lra.
case large : ((3 <= k)%nat || (8 <= K)%nat).
  by have := event_H_holds kK large discount fl; rewrite /Rdiv; split=> [|_]; lra.
move/negbT: large; rewrite negb_or -!leqNgt => /andP [k2 K7].
have ek : k = 2%nat by apply/eqP; rewrite eqn_leq k2; case/andP: kK.
move: fl; rewrite ek -[(2 - 1)%nat]/1%nat muln1 tail => fl; have p := power_range discount n; case: (discount) => b0 b1.
have k7 : INR K <= 7 by rewrite (_ : 7 = INR 7); [apply: le_INR; apply/leP | rewrite /=; ring].
have within m : 3 <= INR m -> INR m <= INR K -> forall f u0 b, 0 < f -> 0 < b < 1 -> b * INR K <= f -> (1 - b) / (1 + b) <= u0 ->
    (2 - ln (INR m)) * u0 <= ln f -> beta ^ n <= f / INR K.
  move=> m3 mK f u0 b f0 bb bK ub enough.
  have c0 : 1 <= ln (INR m) by have := Rcomplements.ln_le 3 _ ltac:(lra) m3; have : 1 <= ln 3 by [enclose]; lra.
  have c1 := Rcomplements.ln_le (INR m) (INR K) ltac:(lra) mK; have c2 := Rcomplements.ln_le (INR K) 7 ltac:(lra) k7.
  have l7 : ln 7 <= 195/100 by enclose.
  case: (Rle_lt_dec b beta) => hb.
    apply: Rle_trans (floor_power_below (c := ln (INR K)) (conj _ b1) fl) _; first lra.
    have u : (1 - beta) / (1 + beta) <= u0.
      apply: Rle_trans ub; apply: (Rmult_le_reg_r ((1 + beta) * (1 + b))); first by apply: Rmult_lt_0_compat; lra.
      rewrite (_ : (1 - beta) / _ * _ = (1 - beta) * (1 + b)); last by field; lra.
      by rewrite (_ : (1 - b) / _ * _ = (1 - b) * (1 + beta)); [lra | field; lra].
    rewrite (_ : f / INR K = exp (- ln (INR K) + ln f)); last by rewrite exp_plus exp_Ropp !exp_ln; [field; lra | lra | lra].
    apply: exp_le; apply: Rplus_le_compat_l; apply: Rle_trans enough.
    have u00 : 0 <= (1 - beta) / (1 + beta) by apply: Rcomplements.Rdiv_le_0_compat; lra.
    by apply: Rmult_le_compat; lra.
  apply: Rle_trans (_ : _ <= b) _; last by apply: (Rmult_le_reg_r (INR K)); [lra | rewrite /Rdiv (Rmult_assoc f) Rinv_l; lra].
  have [_ n1] := fl; have big : ln (INR K) <= ln (INR K) / (1 - beta).
    by apply: (Rmult_le_reg_r (1 - beta)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; nra].
  case: n {p} fl n1 => [|n] fl n1; first by move: n1; rewrite /=; lra.
  by have := power_range discount n; rewrite /=; nra.
have l2 : 69/100 <= ln 2 by enclose.
split=> [|K4].
  case: (leqP K 2) => K2.
    have k2' : INR K <= 2 by rewrite -[2]/(INR 2); apply: le_INR; apply/leP.
    by apply: Rle_trans (proj2 p) _; apply: (Rmult_le_reg_r (INR K)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
  have e3 : INR 3 = 3 by rewrite /=; ring.
  have K3 : INR 3 <= INR K by apply: le_INR; apply/leP.
  have l3 : 1098/1000 <= ln 3 by enclose.
  by apply: (within 3%nat _ K3 2 (2/3) (1/5)); rewrite ?e3; lra.
have e4 : INR 4 = 4 by rewrite /=; ring.
have K4' : INR 4 <= INR K by apply: le_INR; apply/leP.
have l4 : 1386/1000 <= ln 4 by enclose.
have l15 : 405/1000 <= ln (3/2) by enclose.
by apply: (within 4%nat _ K4' (3/2) (659/1000) (21/100)); rewrite ?e4; lra.
Qed.

(* ---------------------------------------------------------------- The whole lemma *)

Section Whole.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variables (K k : nat).
Hypotheses (C1 : (1 <= #|cell|)%nat) (k_range : (2 <= k <= K)%nat).
Let lg := ln (INR (K * (k - 1))).
Let K1 : (1 <= K)%nat. Proof. by case/andP: k_range => k2 kK; apply: leq_trans kK; exact: ltnW. Qed.

(* The complement of E^H: some episode was longer than log(K(k-1))/(1-beta). *)
Definition longer_than (x : R) (h : history) : bool := has (fun r : plays A S * global A S * seq (step A S O) => above x (INR (size r.2))) h.
Definition too_long : history -> bool := longer_than (lg / (1 - beta)).

Section OfModel.
Variable shows : A -> S -> law_on O.
Notation M := (bandit_of next pays shows).
Notation mean_of := (expected next beta learner rho shows).

Notation rewards_fail := (fails 1 (reward_off next pays shows guess_reward) (radius_E_r A S beta K k)).
Notation rows_fail := (fails 0 (row_off next pays shows guess_row) (radius_E_Q A S beta K k)).

(* The longest episode. *)
Definition longest_of (h : history) : nat := foldr maxn 0%nat [seq size r.2 | r <- h].

Lemma law_longest N J h m : (m <= N)%nat -> law next learner rho shows (at_most_long beta N) J h (fun h' => indicator (longest_of h' <= m)%nat) =
  indicator (longest_of h <= m)%nat * at_most beta m ^ J.
Proof.
move=> mN; elim: J h => [|J IH] h /=; first by ring.
rewrite /episode (mean_ext _ (g := fun _ => indicator (longest_of h <= m)%nat * (at_most beta m * at_most beta m ^ J))).
  by rewrite mean_of_const.
move=> pi; rewrite (mean_ext _ (g := fun _ => indicator (longest_of h <= m)%nat * (at_most beta m * at_most beta m ^ J))).
  by rewrite mean_of_const.
move=> x; pose f n := indicator (longest_of h <= m)%nat * at_most beta m ^ J * indicator (n <= m)%nat.
rewrite (@cut_ext beta N _ f); last first.
  move=> n; rewrite -[n in f n]addn0 -[0%nat]/(size (@nil (step A S O))) -(steps_size next shows pi n x [::] f).
  apply: steps_ext => e; rewrite IH /f [longest_of _]/= geq_max andbC; case: (longest_of h <= m)%nat; rewrite /indicator /=; ring.
have part i : \sum_(j < i) (chance beta j * indicator (j.+1 <= m)%nat) = at_most beta (minn m i).
  elim: i => [|i IHi]; first by rewrite minn0.
  rewrite sum_recr IHi; case: (ltnP i m) => im; rewrite /indicator.
    by rewrite (minn_idPr im) /at_most sum_recr /geometric /chance /=; ring.
  by rewrite (minn_idPl (leqW im)); ring.
rewrite /at_most_long (sum_to_ext (g := fun j => indicator (longest_of h <= m)%nat * at_most beta m ^ J *
  (chance beta j * indicator (j.+1 <= m)%nat))); last by move=> j _; rewrite /f; ring.
by rewrite sum_to_scale part (minn_idPl mN); ring.
Qed.

(* P(max_k H_k <= m) on the law of histories is what Moments.v calls max_at_most, whatever the learner.
   step of: lem:moment *)
Theorem longest_law J m : mean_of J (fun h => indicator (longest_of h <= m)%nat) = max_at_most beta J m.
Proof.
apply: (limit_is discount learner_ok rho_ok (sized_indicator _)).
apply: (is_lim_seq_ext_loc (fun _ => max_at_most beta J m)); last exact: is_lim_seq_const.
exists m => N /leP mN; rewrite /truncated law_longest // /longest_of /= /indicator /max_at_most; ring.
Qed.

Lemma lengths_of_run x n J : is_floor x n -> mean_of J (fun h => indicator (longer_than x h)) <= some_exceeds beta J n.
Proof.
move=> [n0 n1]; have same h : ~~ longer_than x h = (longest_of h <= n)%nat.
  elim: h => [|r h IH] //=; rewrite negb_or IH [longest_of _]/= geq_max; congr (_ && _).
  rewrite /above; case: (Rlt_dec _ _) => /= d; symmetry; [apply/negbTE; rewrite -ltnNge | ].
    by apply/ltP; apply: INR_lt; lra.
  by rewrite -ltnS; apply/ltP; apply: INR_lt; rewrite S_INR; lra.
rewrite /some_exceeds -/(max_at_most beta J n) -longest_law.
suff : mean_of J (fun h => indicator (longer_than x h) + indicator (longest_of h <= n)%nat) <= 1.
  by rewrite (expected_add next discount learner_ok rho_ok shows J (sized_indicator _) (sized_indicator _)); lra.
apply: Rle_trans (Rle_abs _) _; apply: (expected_abs next discount learner_ok rho_ok shows J Rle_0_1) => h.
by rewrite -same /indicator; case: (longer_than x h); rewrite /= ?Rplus_0_r ?Rplus_0_l Rabs_R1; lra.
Qed.

Lemma lengths_at_most p : (forall n, is_floor (lg / (1 - beta)) n -> some_exceeds beta (k - 1) n <= p) ->
  mean_of (k - 1) (fun h => indicator (too_long h)) <= p.
Proof.
move=> le; have l0 := log_least k_range; case: (discount) => b0 b1.
have [n fl] := Rcomplements.nfloor_ex (lg / (1 - beta)) ltac:(apply: Rcomplements.Rdiv_le_0_compat; rewrite /lg; lra).
exact: Rle_trans (lengths_of_run _ fl) (le n fl).
Qed.

(* Lemma concentration: E^H for k >= 3 or K >= 8, E^r and E^Q for all 2 <= k <= K, and E^V for one arm, for S <= 2, for K = 2
   and for K(k-1) >= e^(S/2), whatever the learner; the estimates in [0, 1] and rows where an arm state was never visited are any.
   ledger: lem:concentration *)
Theorem lemma_concentration (gamma : A -> S -> R) (pistar : policy A S) :
  (forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s)) -> plays_largest_index gamma pistar ->
  ((3 <= k)%nat || (8 <= K)%nat -> mean_of (k - 1) (fun h => indicator (too_long h)) <= 1 / INR K) /\
  mean_of (k - 1) (fun h => indicator (rewards_fail h)) <= 2 / INR K /\
  mean_of (k - 1) (fun h => indicator (rows_fail h)) <= 2 / INR K /\
  (#|A| = 1%nat \/ (#|S| <= 2)%nat \/ K = 2%nat \/ exp (INR #|S| / 2) <= INR (K * (k - 1)) ->
    mean_of (k - 1) (fun h => indicator (values_fail next pays beta shows guess_reward guess_row pistar 1
      (fun N => 1 / (1 - beta) * radius_E_r A S beta K k N) h)) <= 2 / INR K).
Proof.
move=> indices largest; split; last split; last split.
- move=> large; apply: lengths_at_most => n fl.
  by have := event_H_holds k_range large discount fl; rewrite /Rdiv Rmult_1_l.
- exact: event_r.
- exact: event_Q.
exact: (event_V discount pays_unit learner_ok rho_ok guess_reward_ok guess_row_ok indices largest K1 C1 k_range).
Qed.

(* On E^H at most tau_k steps precede the episode. *)
Lemma steps_on_H h : size h = (k - 1)%nat -> ~~ too_long h -> INR (duration h) <= tau beta K k.
Proof.
move=> sz; rewrite /tau -/lg -sz /duration; set x := lg / (1 - beta).
elim: h {sz} => [|r h IH]; first by move=> _ /=; lra.
rewrite /too_long /longer_than [has _ _]/= negb_or => /andP [/aboveP/Rnot_lt_le r1 /IH rest]; rewrite -/x in r1.
by rewrite (_ : flat (r :: h) = shown r.2 ++ flat h) // size_cat plus_INR /shown size_map -[size (r :: h)]/((size h).+1) S_INR Rmult_plus_distr_r Rmult_1_l Rplus_comm; apply: Rplus_le_compat.
Qed.

(* So the union over counts up to tau_k is at most 1/K there. *)
Lemma on_H_rarely (X : history -> bool) (B : cell -> nat -> seq O -> bool) :
  (forall h, no_empty_episode h -> size h = (k - 1)%nat -> ~~ too_long h -> X h -> at_some_end (shown_so B) h) ->
  (forall c l, (1 <= l)%nat -> draws (mu shows c) l [::] (fun s => indicator (B c l s)) <= 1 / (INR #|cell| * INR K * tau beta K k)) ->
  mean_of (k - 1) (fun h => indicator (~~ too_long h && X h)) <= 1 / INR K.
Proof.
move=> XB small; have k1 := INR_ge1 K1; have l0 := log_least k_range; have t0 := tau_least discount k_range; rewrite -/lg in l0 t0.
pose bad T c l s := ~~ above (tau beta K k) (INR T) && B c l s.
apply: Rle_trans (_ : _ <= mean_of (k - 1) (fun h => indicator (bad_now bad h))) _.
  apply: (mean_le_played next discount learner_ok rho_ok shows) => h ph sz /andP [notlong x].
  have := ends_are_counts (XB h ph sz notlong x); case/existsP => c /existsP [l hl]; apply/existsP; exists c; apply/existsP; exists l.
  move: hl; rewrite /first_are => /andP [-> b]; rewrite /bad b andbT /=; apply/negP => /aboveP long.
  by have := steps_on_H sz notlong; lra.
apply: (@union_at_time A S O next beta discount learner rho learner_ok rho_ok shows (k - 1) bad) => [|T]; first by apply: Rcomplements.Rdiv_le_0_compat; lra.
have zero c l : draws (mu shows c) l [::] (fun _ => indicator false) = 0.
  by elim: l [::] => [|l IH] s //=; rewrite (E_ext _ (g := fun _ => 0)) ?E_const.
rewrite /bad; case: aboveP => [long|/Rnot_lt_le short] /=.
  rewrite big1 => [|c _]; first by apply: Rcomplements.Rdiv_le_0_compat; lra.
  by rewrite big1 // => l _; exact: (zero c (nat_of_ord l).+1).
apply: Rle_trans (_ : _ <= \sum_(c : cell) \sum_(l : 'I_T) 1 / (INR #|cell| * INR K * tau beta K k)) _.
  by apply: sum_le => c _; apply: sum_le => l _; exact: (small c (nat_of_ord l).+1).
by rewrite sum_const sum_const card_ord; apply: (share (tau_big discount C1 k_range) K1 short Rle_0_1).
Qed.

(* ledger: conc:r/within-H *)
Theorem within_H :
  mean_of (k - 1) (fun h => indicator (~~ too_long h && rewards_fail h)) <= 1 / INR K /\
  mean_of (k - 1) (fun h => indicator (~~ too_long h && rows_fail h)) <= 1 / INR K.
Proof.
split.
  apply: (on_H_rarely _ (bad_rewards_rarely discount pays_unit shows C1 k_range)) => h ph sz notlong fl.
  have possible : 1 <= lg / (1 - beta).
    move: ph sz notlong; case: (h) => [|r h'] /= => [_ e|/andP [r1 _] _]; first by move: k_range; rewrite -subn_gt0 -e.
    by rewrite negb_or => /andP [/aboveP/Rnot_lt_le long _]; have := INR_ge1 r1; lra.
  apply: leaves_rewards; move: fl; apply: visited_or ph => h' c ph' h1 z.
  apply: Rle_trans (unvisited_reward next pays_unit shows guess_reward_ok z) _.
  by have := L_unvisited k_range possible ph' h1 z; rewrite /radius_E_r [INR 1]/= sqrt_1; lra.
apply: (on_H_rarely _ (bad_rows_rarely next discount shows C1 k_range)) => h ph sz notlong fl.
apply: leaves_rows; move: fl; apply: visited_or ph => h' c _ _ z.
exact: unvisited_row.
Qed.

Lemma union_le (X Y : history -> bool) :
  mean_of (k - 1) (fun h => indicator (X h || Y h)) <=
    mean_of (k - 1) (fun h => indicator (X h)) + mean_of (k - 1) (fun h => indicator (Y h)).
Proof.
rewrite -(expected_add next discount learner_ok rho_ok shows _ (sized_indicator X) (sized_indicator Y)).
apply: (mean_le_of_played next discount learner_ok rho_ok shows (C := 2)) => [|h|h|h _ _]; first lra.
- by apply: Rle_trans (indicator_abs _) _; lra.
- by apply: Rle_trans (Rabs_triang _ _) _; have := indicator_abs (X h); have := indicator_abs (Y h); lra.
by rewrite /indicator; case: (X h); case: (Y h) => /=; lra.
Qed.

(* Estimates with N >= 1 of rewards or of rows are off somewhere, at the end of some earlier episode. *)
Definition off (h : history) : bool :=
  leaves_radius (reward_off next pays shows guess_reward) (radius_E_r A S beta K k) h ||
  leaves_radius (row_off next pays shows guess_row) (radius_E_Q A S beta K k) h.

Lemma off_rarely : mean_of (k - 1) (fun h => indicator (off h)) <= 2 / (INR K * lg).
Proof.
have [r _] := event_r_repaired next discount pays_unit learner_ok rho_ok shows guess_reward C1 k_range.
have q := event_Q_repaired next pays discount learner_ok rho_ok shows guess_row C1 k_range.
apply: Rle_trans (union_le _ _) _; apply: Rle_trans (Rplus_le_compat _ _ _ _ r q) _.
by apply: Req_le; rewrite -/lg /Rdiv; ring.
Qed.

(* The event of MB-UCRL2 fails: E^H, E^r or E^Q does. *)
Definition ucrl2_fails (h : history) : bool := too_long h || (rewards_fail h || rows_fail h).

Lemma estimates_fail : (3 <= K)%nat -> mean_of (k - 1) (fun h => indicator (rewards_fail h || rows_fail h)) <= 2 / (INR K * lg).
Proof.
move=> K3; apply: Rle_trans (union_le _ _) _; rewrite (_ : 2 / _ = 1 / (INR K * lg) + 1 / (INR K * lg)); last by rewrite /Rdiv; ring.
apply: Rplus_le_compat; first exact: (event_r_large next discount pays_unit learner_ok rho_ok shows guess_reward_ok C1 k_range K3).
exact: (event_Q_all next pays discount learner_ok rho_ok shows guess_row_ok C1 k_range).
Qed.

(* Lemma concentration_ucrl: it fails with probability at most 3/K, and so at most the paper's 5/K.
   ledger: lem:concentration_ucrl lem:concentration_ucrl/sharper *)
Theorem ucrl2_event : mean_of (k - 1) (fun h => indicator (ucrl2_fails h)) <= 3 / INR K.
Proof.
have k1 := INR_ge1 K1; case: (leqP 4 K) => [K4|K4]; last first.
  by apply: nothing_said => //; rewrite (_ : 3 = INR 3); [apply: le_INR; apply/leP | rewrite /=; ring].
apply: Rle_trans (union_le _ _) _; have K3 : (3 <= K)%nat by exact: ltnW.
apply: Rle_trans (Rplus_le_compat_l _ _ _ (estimates_fail K3)) _.
have l4 : 138/100 <= lg by apply: Rle_trans (log_at_least k_range (m := 4) K4); rewrite /=; enclose.
have H := lengths_at_most (fun n fl => proj2 (event_H_factor k_range discount fl) K4).
rewrite (_ : 3 / INR K = (3/2) / INR K + (3/2) / INR K); last by field; lra.
by apply: Rplus_le_compat H _; apply: (over_log k_range); rewrite -/lg; lra.
Qed.

End OfModel.

(* ---------------------------------------------------------------- MB-PSRL *)

(* Two models are further apart than the event of Lemma concentration_psrl allows, at N_{k-1}. *)
Definition apart (M M' : model A S) (h : history) : bool := [exists c : cell,
  above (L_of A S beta K k / sqrt (INR (maxn 1 (count_of c h)))) (Rabs (reward M' c.1 c.2 - reward M c.1 c.2)) ||
  above ((2 * L_of A S beta K k + 3 * sqrt (INR #|S|)) / sqrt (INR (maxn 1 (count_of c h)))) (distance (row M' c.1 c.2) (row M c.1 c.2))].

Lemma apart_off shows shows' h :
  apart (bandit_of next pays shows) (bandit_of next pays shows') h -> off shows h || off shows' h.
Proof.
move=> /existsP [c ap]; set M := bandit_of next pays shows in ap; set M' := bandit_of next pays shows' in ap.
apply: contraT => /norP [/norP [r q] /norP [r' q']]; move: ap.
have L1 := L_least discount C1 k_range; have s0 := sqrt_pos (INR #|S|).
case: (posnP (count_of c h)) => [z|N1].
  rewrite z maxn0 [INR 1]/= sqrt_1 !Rdiv_1; case/orP => /aboveP; last first.
    by have := distance_2 (bandit_markovian next pays shows' c.1 c.2) (bandit_markovian next pays shows c.1 c.2); rewrite -/M -/M'; lra.
  have := bandit_unit next pays_unit shows c.1 c.2; have := bandit_unit next pays_unit shows' c.1 c.2; rewrite -/M -/M'; split_Rabs; lra.
have at_h off_ rad : ~~ leaves_radius off_ rad h -> off_ h c <= rad (count_of c h).
  move=> no; case: (Rle_lt_dec (off_ h c) (rad (count_of c h))) => // lt; case/negP: no.
  apply/existsP; exists ord0; apply/existsP; exists c; rewrite drop0 N1; exact/aboveP.
rewrite (maxn_idPr N1); have n0 : 0 < sqrt (INR (count_of c h)) by apply: sqrt_lt_R0; have := INR_ge1 N1; lra.
move/at_h: r; move/at_h: r'; move/at_h: q; move/at_h: q'; rewrite /reward_off /row_off /radius_E_r /radius_E_Q -/M -/M'.
set m := means _ _ _ _; set w := moves _ _ _ _; move: (sqrt (INR (count_of c h))) n0 => v v0 q' q r' r.
have tri := distance_triangle (row M' c.1 c.2) w (row M c.1 c.2); rewrite (distance_sym (row M' c.1 c.2) w) in tri.
have e1 : L_of A S beta K k / v = L_of A S beta K k / (2 * v) + L_of A S beta K k / (2 * v) by field; lra.
have e2 : (2 * L_of A S beta K k + 3 * sqrt (INR #|S|)) / v = (L_of A S beta K k + 3/2 * sqrt (INR #|S|)) / v +
    (L_of A S beta K k + 3/2 * sqrt (INR #|S|)) / v by field; lra.
by rewrite e1 e2 => /orP [/aboveP|/aboveP]; [split_Rabs; lra | lra].
Qed.

Section Sampled.
Variables (Theta : Type) (shows : Theta -> A -> S -> law_on O) (prior : law_on Theta) (post : history -> law_on Theta).
(* The posterior is a conditional law of the bandit for a class of functions: all, or the measurable ones. *)
Variable nice : (history -> Theta -> R) -> Prop.
Hypothesis nice_reweighted : forall k pi g, nice g -> nice (fun h t => reweighted learner k pi (g^~ t) h).
Hypotheses (post_ok : bayes_for next shows prior post nice) (off_nice : nice (fun h t => indicator (off (shows t) h))).
Notation bandit t := (bandit_of next pays (shows t)).
(* The mean over the prior and over all runs. *)
Notation both J g := (prior (fun t => expected next beta learner rho (shows t) J (fun h => g h t))).

Lemma both_bounded J (g : history -> Theta -> R) C : 0 <= C -> (forall h t, Rabs (g h t) <= C) ->
  bounded (fun t => expected next beta learner rho (shows t) J (fun h => g h t)).
Proof. by move=> C0 gC; exists C => t; apply: (expected_abs next discount learner_ok rho_ok (shows t) J C0). Qed.

Lemma both_at_most J (g : history -> Theta -> R) C p : 0 <= C -> (forall h t, Rabs (g h t) <= C) ->
  (forall t, expected next beta learner rho (shows t) J (fun h => g h t) <= p) -> both J g <= p.
Proof. by move=> C0 gC le; rewrite -(E_const prior p); apply: E_le => //; [exact: (both_bounded J C0 gC) | exact: by_const]. Qed.

Lemma both_within J (g f f' : history -> Theta -> R) C : 0 <= C -> (forall h t, Rabs (g h t) <= 2 * C) -> (forall h t, Rabs (f h t) <= C) ->
  (forall h t, Rabs (f' h t) <= C) -> (forall h t, g h t <= f h t + f' h t) -> both J g <= both J f + both J f'.
Proof.
move=> C0 gC fC fC' le; have C2 : 0 <= 2 * C by lra.
have ffC h t : Rabs (f h t + f' h t) <= 2 * C by apply: Rle_trans (Rabs_triang _ _) _; have := fC h t; have := fC' h t; lra.
rewrite -(E_add prior (both_bounded J C0 fC) (both_bounded J C0 fC')).
rewrite [X in _ <= X](E_ext _ (g := fun t => expected next beta learner rho (shows t) J (fun h => f h t + f' h t))); last first.
  move=> t; apply: esym.
  exact: (expected_add next discount learner_ok rho_ok (shows t) J (bounded_sized (fun h => fC h t)) (bounded_sized (fun h => fC' h t))).
apply: E_le => [||t]; [exact: (both_bounded J C2 gC) | exact: (both_bounded J C2 ffC) |].
exact: (mean_le_of_played next discount learner_ok rho_ok (shows t) C2).
Qed.

(* M_k, drawn from the posterior, is as near to M as the event of MB-PSRL asks, at k' = k-1, but with probability at most
   4/(K log(K(k-1))). *)
Lemma sampled_near : both (k - 1) (fun h t => post h (fun s => indicator (apart (bandit t) (bandit s) h))) <= 4 / (INR K * lg).
Proof.
pose f h t := indicator (off (shows t) h); have f1 h t : Rabs (f h t) <= 1 by exact: indicator_abs.
have m1 h (X : Theta -> bool) : Rabs (post h (fun s => indicator (X s))) <= 1 by apply: E_abs => s; exact: indicator_abs.
have rare : both (k - 1) f <= 2 / (INR K * lg) by apply: (both_at_most Rle_0_1 f1) => t; exact: off_rarely.
have same := @conditional_on_run A S O Theta next beta discount learner rho learner_ok rho_ok shows prior post nice nice_reweighted post_ok (k - 1) f 1
  off_nice Rle_0_1 f1.
rewrite (_ : 4 / _ = 2 / (INR K * lg) + 2 / (INR K * lg)); last by rewrite /Rdiv; ring.
have rare' := rare; rewrite same in rare'; apply: Rle_trans (Rplus_le_compat _ _ _ _ rare rare').
apply: (@both_within (k - 1) (fun h t => post h (fun s => indicator (apart (bandit t) (bandit s) h))) f (fun h _ => post h (f h)) 1 Rle_0_1) => // [h t|h t|h t].
- by apply: Rle_trans (m1 h _) _; lra.
- exact: m1.
rewrite -(E_const (post h) (f h t)) -E_add; [|exact: by_const | exact: bounded_indicator].
apply: E_le => [||s]; [exact: bounded_indicator | by apply: bounded_add; [exact: by_const | exact: bounded_indicator] |].
have := @apart_off (shows t) (shows s) h; rewrite /f /indicator.
by case: (apart _ _ h) => [/(_ isT)|_]; case: (off _ h) => /=; case: (off _ h) => //=; lra.
Qed.

(* The event of MB-PSRL with k' = k-1, so near and no episode too long, fails with probability at most 5/K, and so at most the paper's
   9/K; it is a function of O_{k-1} and of the two models, in which it is symmetric.
   ledger: lem:concentration_psrl/repair *)
Theorem psrl_event :
  both (k - 1) (fun h t => post h (fun s => indicator (too_long h || apart (bandit t) (bandit s) h))) <= 5 / INR K /\
  (forall h t s, apart (bandit t) (bandit s) h = apart (bandit s) (bandit t) h).
Proof.
split=> [|h t s]; last by apply: eq_existsb => c; rewrite distance_sym Rabs_minus_sym.
have l0 := log_least k_range; have k1 := INR_ge1 K1.
have m1 h (X : Theta -> bool) : Rabs (post h (fun s => indicator (X s))) <= 1 by apply: E_abs => s; exact: indicator_abs.
case: (leqP K 5) => [K5|K6].
  have k5 : INR K <= 5 by rewrite (_ : 5 = INR 5); [apply: le_INR; apply/leP | rewrite /=; ring].
  apply: Rle_trans (_ : _ <= 1) _; last by apply: (Rmult_le_reg_r (INR K)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
  apply: (both_at_most Rle_0_1) => [h t|t]; first exact: m1.
  by apply: Rle_trans (Rle_abs _) _; apply: (expected_abs next discount learner_ok rho_ok (shows t) _ Rle_0_1) => h; exact: m1.
have l6 : 179/100 <= lg by apply: Rle_trans (log_at_least k_range (m := 6) K6); rewrite /=; enclose.
apply: Rle_trans (_ : _ <= 2 / INR K + 4 / (INR K * lg)) _; last first.
  rewrite (_ : 5 / INR K = 2 / INR K + 3 / INR K); last by field; lra.
  by apply: Rplus_le_compat_l; apply: (over_log k_range); rewrite -/lg; lra.
apply: Rle_trans (Rplus_le_compat _ _ _ _ (_ : both (k - 1) (fun h _ => indicator (too_long h)) <= 2 / INR K) sampled_near); last first.
  by apply: (both_at_most Rle_0_1) => [h t|t];
    [exact: indicator_abs | exact: lengths_at_most _ (fun n fl => proj1 (event_H_factor k_range discount fl))].
apply: (@both_within (k - 1) (fun h t => post h (fun s => indicator (too_long h || apart (bandit t) (bandit s) h))) (fun h _ => indicator (too_long h))
  (fun h t => post h (fun s => indicator (apart (bandit t) (bandit s) h))) 1 Rle_0_1) => [h t|h t|h t|h t].
- by apply: Rle_trans (m1 h _) _; lra.
- exact: indicator_abs.
- exact: m1.
rewrite -(E_const (post h) (indicator (too_long h))) -E_add; [|exact: by_const | exact: bounded_indicator].
apply: E_le => [||s]; [exact: bounded_indicator | by apply: bounded_add; [exact: by_const | exact: bounded_indicator] |].
by rewrite /indicator; case: (too_long h); case: (apart _ _ h) => /=; lra.
Qed.
End Sampled.
End Whole.
