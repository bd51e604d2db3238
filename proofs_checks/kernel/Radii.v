(* Confidence radii at the time t_k on the law of the run of LawOfRun.v: Hoeffding's and Weissman's bounds for draws of a law,
   lengths before steps, the event that the bandit is outside of the radii (outside_rarely), what a step costs inside of them
   (step_price), the gap between two bandits inside (value_gap), and the widths of a run. *)

From kernel Require Simulation.
From kernel Require Import Limits Sums Values Bandits Horizon Concentration Events DoubleSum Episodes Weights Levels Laws.
From kernel Require Import LawOfRun Draws Truncation Frozen.

Section Radius.
Variables (C : finType) (O : Type) (mu : C -> law_on O) (K : nat) (tau : R).
Hypothesis big : 1 <= INR #|C| * INR K * tau.

Lemma one_radius_in c l w (f : O -> R) : (1 <= l)%nat -> 0 < w -> (forall o, 0 <= f o <= w) ->
  draws (mu c) l [::] (fun s => indicator (above (radius C K tau w l) (Rabs (total_of f s / INR l - mu c f)))) <= 1 / (INR #|C| * INR K * tau).
Proof. by move=> hl w0 range; have [L0 <-] := exp_Lambda big; exact: far_rarely. Qed.

Lemma one_radius c l (f : O -> R) : (1 <= l)%nat -> (forall o, 0 <= f o <= 1) ->
  draws (mu c) l [::] (fun s => indicator (above (radius C K tau 1 l) (Rabs (total_of f s / INR l - mu c f)))) <= 1 / (INR #|C| * INR K * tau).
Proof. by move=> hl; exact: one_radius_in Rlt_0_1. Qed.

Lemma one_row_radius c l (S : finType) (next : O -> S) : (1 <= l)%nat ->
  draws (mu c) l [::] (fun s => indicator (above (row_radius C K tau S l)
    (\sum_(y : S) Rabs (INR (count (fun o => next o == y) s) / INR l - mu c (fun o => indicator (next o == y))))))
  <= 1 / (INR #|C| * INR K * tau).
Proof.
move=> hl; have l1 : 0 < INR l by have := INR_ge1 hl; lra.
have two1 : 1 <= 2 ^ #|S| by apply: pow_R1_Rle; lra.
rewrite /row_radius; move: (INR #|C| * INR K * tau) big => X b; have z1 : 1 <= X * 2 ^ #|S| by nra.
have ln0 : 0 <= ln (X * 2 ^ #|S|) by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
have q0 : 0 <= 2 * ln (X * 2 ^ #|S|) / INR l by apply: Rdiv_le_0_compat; lra.
apply: Rle_trans (weissman (q := mu c) (next := next) (sqrt_pos (2 * ln (X * 2 ^ #|S|) / INR l)) hl _) _.
  by move=> s sz /aboveP h; exact: Rlt_le.
rewrite sqrt_sqrt // (_ : INR l * _ / 2 = ln (X * 2 ^ #|S|)); last by field; lra.
apply: Req_le; rewrite exp_Ropp exp_ln; last lra.
by move: (2 ^ #|S|) two1 => t two1; field; split; lra.
Qed.
End Radius.

(* ---------------------------------------------------------------- Lengths first *)
Section LengthsFirst.
Variables (A S : finType) (O : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation history := (history A S O).
Notation step := (step A S O).
Notation cell := (cell A S).
Notation global := (global A S).
Variables (learner : history -> plays A S -> R) (rho : global -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> law_on O.
Notation cut N := (at_most_long beta N).
Notation mu := (mu shows).

Fixpoint of_lengths (ns : seq nat) (h : history) (F : history -> R) : R :=
  if ns is n :: ns' then episode next learner rho shows (fun f => f n) h (fun h' => of_lengths ns' h' F) else F h.

Lemma of_lengths_abs ns h F C : 0 <= C -> (forall h, Rabs (F h) <= C) -> Rabs (of_lengths ns h F) <= C.
Proof.
move=> C0 FC; elim: ns h => [|n ns IH] h //=; apply: mean_abs1 => // pi; apply: mean_abs1 => // x.
by apply: steps_abs => e _; exact: IH.
Qed.

Lemma lengths_abs N K f C : 0 <= C -> (forall ns, Rabs (f ns) <= C) -> Rabs (over_lengths beta N K f) <= C.
Proof.
by move=> C0; elim: K f => [|K IH] f fC /=; [exact: fC | apply: cut_abs => // n _; apply: IH => ns; exact: fC].
Qed.

Lemma E_cut (X : Type) (q : law_on X) N (f : X -> nat -> R) : (forall n, bounded (f^~ n)) ->
  bounded (fun o => cut N (f o)) /\ q (fun o => cut N (f o)) = cut N (fun n => q (f^~ n)).
Proof.
move=> bf; rewrite /at_most_long; elim: N => [|N [bN IH]]; first by split; [exact: by_const | exact: E_const].
by have b := bounded_scale (chance beta N) (bf N.+1); split; [exact: bounded_add | rewrite /= E_add // IH E_scale].
Qed.

Lemma E_lengths (X : Type) (q : law_on X) N K (f : X -> seq nat -> R) C : 0 <= C -> (forall o ns, Rabs (f o ns) <= C) ->
  q (fun o => over_lengths beta N K (f o)) = over_lengths beta N K (fun ns => q (f^~ ns)).
Proof.
move=> C0; elim: K f => [|K IH] f fC //=.
rewrite (proj2 (E_cut q N _)); first by apply: cut_ext => n; rewrite IH.
by move=> n; exists C => o; apply: lengths_abs.
Qed.

Lemma steps_lengths pi n x e N K (f : seq step -> seq nat -> R) C : 0 <= C -> (forall e ns, Rabs (f e ns) <= C) ->
  steps next shows pi n x e (fun e' => over_lengths beta N K (f e')) = over_lengths beta N K (fun ns => steps next shows pi n x e (fun e' => f e' ns)).
Proof.
move=> C0 fC; elim: n x e => [|n IH] x e //=; rewrite (E_ext _ (fun o => IH _ _)) (@E_lengths _ _ _ _ _ C) // => o ns.
by apply: steps_abs.
Qed.

(* The lengths may be drawn before all else.
   step of: conc:pre-drawn/union *)
Theorem lengths_first N K h F C : 0 <= C -> (forall h, Rabs (F h) <= C) ->
  law next learner rho shows (cut N) K h F = over_lengths beta N K (fun ns => of_lengths ns h F).
Proof.
move=> C0 FC; elim: K h => [|K IH] h //=; rewrite /episode -[RHS]/(over_lengths beta N K.+1 (fun ns => of_lengths ns h F)) /=.
transitivity (mean (learner h) (fun pi => cut N (fun n => over_lengths beta N K (fun ns =>
    mean rho (fun x => steps next shows pi n x [::] (fun e => of_lengths ns ((pi, x, e) :: h) F)))))).
  apply: mean_ext => pi; rewrite (mean_ext _ (g := fun x => cut N (fun n => over_lengths beta N K (fun ns =>
      steps next shows pi n x [::] (fun e => of_lengths ns ((pi, x, e) :: h) F))))).
    by rewrite mean_cut; apply: cut_ext => n; rewrite mean_lengths.
  move=> x; apply: cut_ext => n; rewrite -(@steps_lengths _ _ _ _ _ _ _ C) //; last by move=> e ns; exact: of_lengths_abs.
  by apply: steps_ext => e; exact: IH.
by rewrite mean_cut; apply: cut_ext => n; rewrite mean_lengths.
Qed.

Lemma of_lengths_near ns h F C : 0 <= C -> (forall h', (mass h' <= mass h + (size ns + sumn ns))%nat -> Rabs (F h') <= C) ->
  Rabs (of_lengths ns h F) <= C.
Proof.
move=> C0; elim: ns h => [|n ns IH] h FC /=; first by apply: FC; rewrite addn0.
apply: mean_abs1 => // pi; apply: mean_abs1 => // x; apply: steps_abs => e sz; apply: IH => h' le.
apply: FC; apply: leq_trans le _; rewrite /mass duration_cons sz addn0 /= !addSn !addnS ltnS -!addnA.
by rewrite (addnCA n) (addnCA n (size ns)).
Qed.

Lemma of_lengths_tame ns F : tame F -> tame (fun h => of_lengths ns h F).
Proof.
move=> tF m; have [C FC] := tF (m + (size ns + sumn ns))%nat; exists (Rmax 0 C) => h hm; apply: of_lengths_near; first exact: Rmax_l.
by move=> h' le; apply: Rle_trans (Rmax_r 0 C); apply: FC; apply: leq_trans le _; rewrite leq_add2r.
Qed.

Lemma of_lengths_le ns h F G : tame F -> tame G ->
  (forall h', duration h' = (sumn ns + duration h)%nat -> F h' <= G h') -> of_lengths ns h F <= of_lengths ns h G.
Proof.
move=> tF tG; elim: ns h => [|n ns IH] h FG /=; first exact: FG.
apply: mean2_le => // pi x; apply: steps_le => [||e sz]; try exact: (tame_fin _ _ _ (of_lengths_tame ns _)).
by apply: IH => h' ed; apply: FG; rewrite ed duration_cons sz addn0 addnA (addnC _ n).
Qed.

Lemma of_lengths_falls (Phi : seq (cell * O) -> R) ns h : tame (fun h : history => Phi (flat h)) ->
  (forall c s, mu c (fun o => Phi ((c, o) :: s)) <= Phi s) -> of_lengths ns h (fun h' => Phi (flat h')) <= Phi (flat h).
Proof.
move=> tPhi falls; have fp pi x h1 : fin (fun e => Phi ([seq seen p | p <- e] ++ flat h1)) := tame_fin pi x h1 tPhi.
have down pi n (x0 : global) x e h1 : steps next shows pi n x e (fun e' => Phi ([seq seen p | p <- e'] ++ flat h1)) <=
    Phi ([seq seen p | p <- e] ++ flat h1).
  elim: n x e => [|n IH] x e /=; first lra.
  apply: Rle_trans (falls (pi x, x (pi x)) _); apply: E_le => [||o]; [| |exact: IH].
    by have := @steps_bounded A S O next shows pi n (fun o => moved x (pi x) (next o)) x (pi x) e _ (fp pi x0 h1); exact.
  by have [C PC] := fp pi x0 h1 (size e).+1; exists C => o; exact: (PC ((x, pi x, o) :: e)).
elim: ns h => [|n ns IH] h /=; first lra.
rewrite -[X in _ <= X](mean2_const _ (learner_ok h) rho_ok); apply: mean2_le => // pi x.
apply: Rle_trans (down pi n x x [::] h).
by apply: steps_le => [||e _]; [exact: (tame_fin pi x h (of_lengths_tame ns tPhi)) | exact: (fp pi x h) | exact: IH].
Qed.

Lemma of_lengths_add ns h F G : tame F -> tame G ->
  of_lengths ns h (fun h' => F h' + G h') = of_lengths ns h F + of_lengths ns h G.
Proof.
move=> tF tG; elim: ns h => [|n ns IH] h //=.
rewrite /episode -mean_add; apply: mean_ext => pi; rewrite -mean_add; apply: mean_ext => x.
rewrite -(steps_add next shows pi n x [::] (tame_fin pi x h (of_lengths_tame ns tF)) (tame_fin pi x h (of_lengths_tame ns tG))).
by apply: steps_ext => e; exact: IH.
Qed.

Lemma of_lengths_scale ns h k F : tame F -> of_lengths ns h (fun h' => k * F h') = k * of_lengths ns h F.
Proof.
move=> tF; elim: ns h => [|n ns IH] h //=.
rewrite /episode -mean_scale; apply: mean_ext => pi; rewrite -mean_scale; apply: mean_ext => x.
by rewrite -(steps_scale next shows pi n x [::] k (tame_fin pi x h (of_lengths_tame ns tF))); apply: steps_ext => e; exact: IH.
Qed.

Lemma of_lengths_sum (I : Type) (s : seq I) ns h (F : I -> history -> R) : (forall i, tame (F i)) ->
  of_lengths ns h (fun h' => \sum_(i <- s) F i h') = \sum_(i <- s) of_lengths ns h (F i).
Proof.
move=> tF; elim: s => [|i s IH].
  rewrite sum_nil (_ : (fun _ => _) = fun h' => 0 * 0); last by apply: funext => h'; rewrite sum_nil Rmult_0_l.
  by rewrite of_lengths_scale ?Rmult_0_l //; exact: tame_const.
rewrite sum_cons -IH -of_lengths_add //; last exact: tame_sum.
by congr (of_lengths _ _ _); apply: funext => h'; rewrite sum_cons.
Qed.

Definition some_bad (L : nat) (bad : cell -> nat -> seq O -> bool) (h : history) : bool :=
  [exists c, [exists l : 'I_L, first_are c l.+1 (bad c l.+1) (flat h)]].
Definition bad_now (bad : nat -> cell -> nat -> seq O -> bool) (h : history) : bool := some_bad (duration h) (bad (duration h)) h.

Lemma some_bad_count (bad : cell -> nat -> seq O -> bool) c (h h' : history) s : flat h = s ++ flat h' -> (0 < count_of c h')%nat ->
  bad c (count_of c h') (observed c (flat h')) -> some_bad (duration h) bad h.
Proof.
move=> e N1 b; have ob : observed c (flat h) = observed c s ++ observed c (flat h') by rewrite e /observed filter_cat map_cat.
have sz : size (observed c (flat h')) = count_of c h' by [].
have le : (count_of c h' <= size (observed c (flat h)))%nat by rewrite ob size_cat sz leq_addl.
have lT : ((count_of c h').-1 < duration h)%nat by rewrite prednK //; exact: leq_trans le (visits_size c (flat h)).
apply/existsP; exists c; apply/existsP; exists (Ordinal lT).
by rewrite /= prednK // /first_are le ob size_cat sz addnK drop_size_cat.
Qed.

Lemma bad_of_count (bad : nat -> cell -> nat -> seq O -> bool) c (h : history) : (0 < count_of c h)%nat ->
  bad (duration h) c (count_of c h) (observed c (flat h)) -> bad_now bad h.
Proof. exact: (some_bad_count (s := [::]) (erefl _)). Qed.

Lemma outlook_above c l bad s : indicator (first_are c l bad s) <= outlook shows c l bad s.
Proof. by rewrite /outlook /first_are; case: leqP => _ /=; [lra | case: (draws01 shows c (l - size (observed c s)) (observed c s) bad)]. Qed.

Lemma some_bad_at_most_outlook L bad h : indicator (some_bad L bad h) <= \sum_(c : cell) \sum_(l : 'I_L) outlook shows c l.+1 (bad c l.+1) (flat h).
Proof.
have o0 c l : 0 <= outlook shows c l (bad c l) (flat h) by case: (outlook01 shows c l (bad c l) (flat h)).
have P0 c : 0 <= \sum_(l : 'I_L) outlook shows c l.+1 (bad c l.+1) (flat h) by apply: sum_nonneg.
rewrite {1}/indicator; case: ifP => [/existsP [c /existsP [l hl]]|_]; last exact: sum_nonneg.
apply: Rle_trans (term_le_sum c P0).
apply: Rle_trans (term_le_sum l (f := fun l : 'I_L => outlook shows c l.+1 (bad c l.+1) (flat h)) _) => //.
by have := outlook_above c l.+1 (bad c l.+1) (flat h); rewrite hl.
Qed.

Lemma union_of_lengths ns bad : of_lengths ns [::] (fun h => indicator (bad_now bad h)) <=
  \sum_(c : cell) \sum_(l : 'I_(sumn ns)) draws (mu c) l.+1 [::] (fun r => indicator (bad (sumn ns) c l.+1 r)).
Proof.
set T := sumn ns; pose Phi s := \sum_(c : cell) \sum_(l : 'I_T) outlook shows c l.+1 (bad T c l.+1) s.
have o1 c l s : Rabs (outlook shows c l (bad T c l) s) <= 1 by have := outlook01 shows c l (bad T c l) s; split_Rabs; lra.
have bo c l d s : bounded (fun o => outlook shows c l (bad T c l) ((d, o) :: s)) by exists 1 => o.
have tame_Phi : tame (fun h : history => Phi (flat h)).
  by apply: tame_sum => c; apply: tame_sum => l; apply: (@bounded_tame _ _ _ _ 1) => h; exact: o1.
have falls d s : mu d (fun o => Phi ((d, o) :: s)) <= Phi s.
  rewrite /Phi E_sum => [|c]; last exact: bounded_sum.
  by apply: sum_le => c _; rewrite E_sum //; apply: sum_le => l _; exact: outlook_falls.
apply: Rle_trans (of_lengths_falls ns [::] tame_Phi falls); apply: of_lengths_le => // [|h]; first exact: tame_indicator.
by rewrite addn0 => e; rewrite /bad_now e; exact: (some_bad_at_most_outlook T (bad T) h).
Qed.

(* What is rare given the lengths is rare. *)
Lemma rare_by_lengths N K (X : history -> bool) p : 0 <= p -> (forall ns, of_lengths ns [::] (fun h => indicator (X h)) <= p) ->
  truncated next beta learner rho shows N K (fun h => indicator (X h)) <= p.
Proof.
move=> p0 le; rewrite /truncated (lengths_first N K [::] Rle_0_1) => [|h]; last exact: indicator_abs.
exact: over_lengths_at_most.
Qed.

Lemma union_at_time_cut N K bad p : 0 <= p ->
  (forall T, \sum_(c : cell) \sum_(l : 'I_T) draws (mu c) l.+1 [::] (fun r => indicator (bad T c l.+1 r)) <= p) ->
  truncated next beta learner rho shows N K (fun h => indicator (bad_now bad h)) <= p.
Proof. by move=> p0 small; apply: rare_by_lengths => // ns; exact: Rle_trans (union_of_lengths ns bad) (small (sumn ns)). Qed.

Lemma union_at_time K bad p : 0 <= p ->
  (forall T, \sum_(c : cell) \sum_(l : 'I_T) draws (mu c) l.+1 [::] (fun r => indicator (bad T c l.+1 r)) <= p) ->
  expected next beta learner rho shows K (fun h => indicator (bad_now bad h)) <= p.
Proof. by move=> p0 small; apply: (rarely_at_most discount learner_ok rho_ok) => N; exact: union_at_time_cut. Qed.
End LengthsFirst.

(* ---------------------------------------------------------------- The radii *)
Section Confidence.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R).
Hypothesis pays_unit : forall o, 0 <= pays o <= 1.
Notation history := (history A S O).
Notation cell := (cell A S).
Notation global := (global A S).

(* The bandit of which an activation shows an observation of law shows(a, s). *)
Definition bandit_of (shows : A -> S -> law_on O) : model A S :=
  Model (fun a s => shows a s pays) (fun a s y => shows a s (fun o => indicator (next o == y))).

Lemma pays_bounded : bounded pays. Proof. by exists 1 => o; have := pays_unit o; split_Rabs; lra. Qed.

Section Bandit.
Variable shows : A -> S -> law_on O.
Lemma bandit_shown a s F : mean (row (bandit_of shows) a s) F = shows a s (fun o => F (next o)). Proof. by rewrite E_next. Qed.
Lemma bandit_markovian : markovian (bandit_of shows). Proof. move=> a s; exact: next_probability. Qed.
Lemma bandit_unit : unit_rewards (bandit_of shows).
Proof. by move=> a s; exact: (E_range (shows a s) pays_unit). Qed.
End Bandit.

Variable K : nat.
Definition mean_paid (h : history) (c : cell) : R := total_of pays (observed c (flat h)) / INR (count_of c h).
Definition Qhat (h : history) (c : cell) (y : S) : R := INR (count (fun o => next o == y) (observed c (flat h))) / INR (count_of c h).
Definition time_of (h : history) : R := INR (duration h) + 1.
Definition reward_radius (h : history) (c : cell) : R :=
  sqrt (ln (2 * (INR #|cell| * INR K * time_of h)) / (2 * INR (maxn 1 (count_of c h)))).
Definition row_radius_of (h : history) (c : cell) : R :=
  sqrt (2 * ln (INR #|cell| * INR K * time_of h * 2 ^ #|S|) / INR (maxn 1 (count_of c h))).
Definition within (h : history) (M : model A S) := forall a s, (0 < count_of (a, s) h)%nat ->
  Rabs (reward M a s - mean_paid h (a, s)) <= reward_radius h (a, s) /\
  distance (row M a s) (Qhat h (a, s)) <= row_radius_of h (a, s).

Section Event.
Variable shows : A -> S -> law_on O.
Definition strays (T : nat) (c : cell) (l : nat) (s : seq O) : bool :=
  above (radius cell K (INR T + 1) 1 l) (Rabs (total_of pays s / INR l - mu shows c pays)) ||
  above (row_radius cell K (INR T + 1) S l)
    (\sum_(y : S) Rabs (INR (count (fun o => next o == y) s) / INR l - mu shows c (fun o => indicator (next o == y)))).
Definition outside (h : history) : bool := bad_now strays h.

Lemma within_unless_outside h : ~~ outside h -> within h (bandit_of shows).
Proof.
move=> ok a s N1; set c := (a, s) in N1 *.
have /norP [r q] : ~~ strays (duration h) c (count_of c h) (observed c (flat h)) by apply: contra ok; exact: bad_of_count.
rewrite /mean_paid /reward_radius /row_radius_of (maxn_idPr N1).
move: r q; rewrite /above; case: (Rlt_dec _ _) => // /Rnot_lt_le r _; case: (Rlt_dec _ _) => // /Rnot_lt_le q _.
split; first by rewrite Rabs_minus_sym; move: r; rewrite /radius /Lambda Rmult_1_l.
by rewrite distance_sym; exact: q.
Qed.

Variables (beta : R) (learner : history -> plays A S -> R) (rho : global -> R).
Hypotheses (discount : is_discount beta) (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Hypotheses (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).

(* After any number of episodes the bandit is outside its radii with probability at most 2/K.
   ledger: def:bonuses/repair *)
Theorem outside_rarely J : expected next beta learner rho shows J (fun h => indicator (outside h)) <= 2 / INR K.
Proof.
have k := INR_ge1 K1; apply: (@union_at_time A S O next beta discount learner rho learner_ok rho_ok shows J strays (2 / INR K)) => [|T].
  by apply: Rcomplements.Rdiv_le_0_compat; lra.
have Lt : INR T <= INR T + 1 by lra.
have b := big_at_time T C1 K1; rewrite (_ : 2 / INR K = 1 / INR K + 1 / INR K); last by field; lra.
have sh := share b K1 Lt Rle_0_1; set p := 1 / (INR #|cell| * INR K * (INR T + 1)) in sh.
apply: Rle_trans (_ : _ <= \sum_(c : cell) \sum_(l : 'I_T) (p + p)) _; last first.
  by rewrite sum_const sum_const card_ord; lra.
apply: sum_le => c _; apply: sum_le => l _; have hl : (1 <= l.+1)%nat by [].
have h1 := one_radius (mu shows) b c hl pays_unit; have h2 := one_row_radius (mu shows) b c next hl.
rewrite -/p in h1 h2; apply: Rle_trans (Rplus_le_compat _ _ _ _ h1 h2).
by apply: E_either => s.
Qed.
End Event.

(* ---------------------------------------------------------------- What a step costs *)
Section Price.
Variables (beta : R) (rho : global -> R).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat) (S1 : (1 <= #|S|)%nat).
Let B := 1 / (1 - beta).
Notation level := (level A S K).
Definition wide_log (h : history) : R := log_time level h.

Lemma logs h : ln (2 * (INR #|cell| * INR K * time_of h)) <= wide_log h /\
  ln (INR #|cell| * INR K * time_of h * 2 ^ #|S|) = wide_log h /\ 1 / 2 <= wide_log h.
Proof.
have k := INR_ge1 K1; have c := INR_ge1 C1; have l2 := level_2 K1 C1 S1.
have t : 1 <= time_of h by rewrite /time_of; have := pos_INR (duration h); lra.
have two : 2 <= 2 ^ #|S| by rewrite -{1}[2]pow_1; apply: Rle_pow; [lra | apply/leP].
have p : 1 <= INR #|cell| * INR K * time_of h by have : 1 <= INR #|cell| * INR K by [nra]; nra.
have e : level * (INR (duration h) + 1) = INR #|cell| * INR K * time_of h * 2 ^ #|S| by rewrite /level /time_of; ring.
rewrite /wide_log /log_time e; split; last split=> //; last first.
  by have := ln_lt_2; have := @Rcomplements.ln_le 2 (INR #|cell| * INR K * time_of h * 2 ^ #|S|) (ltac:(lra)) (ltac:(nra)); lra.
by apply: Rcomplements.ln_le; nra.
Qed.

Lemma step_price h M M' a s : markovian M -> markovian M' -> unit_rewards M -> unit_rewards M' -> within h M -> within h M' ->
  Rabs (reward M' a s - reward M a s) + beta * (B / 2) * distance (row M' a s) (row M a s) <=
  B * sqrt 2 * sqrt (wide_log h) * weight (count_of (a, s) h).
Proof.
move=> hM hM' u u' near near'; case: (discount) => b0 b1; have [l1 [l2 l3]] := logs h; set l := wide_log h in l1 l2 l3 *.
have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have bB : 1 + beta * B = B by rewrite /B; field; lra.
have bB0 : 0 <= beta * B by apply: Rmult_le_pos; lra.
set c := (a, s); pose x := sqrt (2 * l) * weight (count_of c h).
rewrite (_ : _ * weight _ = B * x); last by rewrite /x sqrt_mult; [ring | lra | lra].
suff [hr hq] : Rabs (reward M' a s - reward M a s) <= x /\ distance (row M' a s) (row M a s) <= 2 * x.
  by have := Rmult_le_compat_l _ _ _ bB0 hq; have : B * x = x + beta * B * x by [rewrite -{1}bB; ring]; lra.
case: (posnP (count_of c h)) => [z|N1].
  have x1 : 1 <= x by rewrite /x z weight_0 Rmult_1_r -sqrt_1; apply: sqrt_le_1_alt; lra.
  split; first by have := u a s; have := u' a s; split_Rabs; lra.
  by have := distance_2 (hM' a s) (hM a s); lra.
have [r q] := near a s N1; have [r' q'] := near' a s N1.
have e : row_radius_of h c = x by rewrite /row_radius_of l2 radius_by_weight //; lra.
have e' : reward_radius h c <= x / 2.
  apply: Rle_trans (_ : _ <= sqrt (l / 2 / INR (maxn 1 (count_of c h)))) _.
    apply: sqrt_le_1_alt; have m := max1 (count_of c h); rewrite (_ : _ / (2 * _) = ln (2 * (INR #|cell| * INR K * time_of h)) / 2 / INR (maxn 1 (count_of c h))); last by field; lra.
    by apply: Rmult_le_compat_r; [left; apply: Rinv_0_lt_compat; lra | lra].
  rewrite radius_by_weight; last lra.
  have -> : sqrt (l / 2) = sqrt (2 * l) / 2.
    rewrite (_ : l / 2 = (2 * l) / (2 * 2)); last field.
    by rewrite sqrt_div_alt ?sqrt_square; lra.
  rewrite /x; lra.
rewrite -/c in r q r' q'; split; first by split_Rabs; lra.
by have := distance_triangle (row M' a s) (Qhat h c) (row M a s); rewrite (distance_sym (Qhat _ _)); lra.
Qed.

Definition widths (M : model A S) (pi : policy A S) (T0 : nat) (h : history) (x : global) : R :=
  \sum_(t < T0) (beta ^ t * reward_at (fun y => P M (pi y) y) (fun y => weight (count_of (pi y, y (pi y)) h)) t x).
Definition price (h : history) : R := B * sqrt 2 * sqrt (wide_log h).

Lemma price_nonneg h : 0 <= price h.
Proof. by apply: Rmult_le_pos (sqrt_pos _); apply: Rmult_le_pos (sqrt_pos _); exact: top_nonneg. Qed.
Lemma price_tame : tame price.
Proof. by apply: tame_scale; exact: (@tame_steps A S O (fun n => sqrt (ln (level * (INR n + 1))))). Qed.

Lemma widths_nonneg M pi T0 h x : markovian M -> 0 <= widths M pi T0 h x.
Proof.
move=> hM; apply: sum_to_nonneg => t _; apply: Rmult_le_pos; first by case: discount => b0 _; exact: pow_le.
elim: t x => [|t IH] x /=; first exact: weight_nonneg.
by apply: mean_nonneg => // y; apply: P_nonneg => z; exact: (proj1 (hM _ _)).
Qed.

Lemma value_gap h M M' pi T0 (fails : bool) : markovian M -> markovian M' -> unit_rewards M -> unit_rewards M' ->
  (~~ fails -> within h M /\ within h M') ->
  mean rho (V beta M' pi) - mean rho (V beta M pi) <=
    price h * mean rho (widths M pi T0 h) + B * indicator fails + beta ^ T0 * B.
Proof.
move=> hM hM' u u' near; case: (discount) => b0 b1; have B0 : 0 <= B := top_nonneg discount.
have p0 := pow_le beta T0 b0; have c0 : 0 <= beta ^ T0 * B by exact: Rmult_le_pos.
have w0 : 0 <= price h * mean rho (widths M pi T0 h).
  apply: Rmult_le_pos; first exact: price_nonneg.
  by apply: mean_nonneg => [x|x]; [exact: (proj1 rho_ok) | exact: widths_nonneg].
rewrite -mean_sub /indicator; case: fails near => near.
  have : mean rho (fun x => V beta M' pi x - V beta M pi x) <= B; last lra.
  rewrite -[X in _ <= X](mean_of_const B rho_ok); apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
  by have := V_range discount hM pi u x; have := V_range discount hM' pi u' x; rewrite -/B; lra.
have [n n'] := near isT; rewrite -mean_scale Rmult_0_r Rplus_0_r -(mean_of_const (beta ^ T0 * B) rho_ok) -mean_add.
apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
apply: Rle_trans (Simulation.simulation (g := fun c => price h * weight (count_of c h)) pi T0 x discount hM hM' u u' (fun a s => step_price a s hM hM' u u' n n')) _.
rewrite /widths -sum_to_scale; apply: Rplus_le_compat_r; apply: Req_le; apply: sum_to_ext => t _.
by rewrite -Rmult_assoc (Rmult_comm (price h)) Rmult_assoc; congr (_ * _); exact: reward_at_scale.
Qed.

Variables (learner : history -> plays A S -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)).

Lemma widths_of_run N : truncated next beta learner rho shows N K (frozen price weight) <= width_bound A S K beta.
Proof.
have C2 : 1 <= level by have := level_2 K1 C1 S1; lra.
have B0 : 0 <= B * sqrt 2 by apply: Rmult_le_pos; [exact: top_nonneg | exact: sqrt_pos].
have h := @bonus_sum A S O next beta discount learner rho learner_ok rho_ok shows level K C2 K1 C1 N.
have tw : tame (fun h : history => sqrt (log_time level h)) by exact: (@tame_steps A S O (fun n => sqrt (ln (level * (INR n + 1))))).
have := Rmult_le_compat_l _ _ _ B0 h; rewrite -(law_scale next discount learner_ok rho_ok shows N K [::] (B * sqrt 2) (tame_frozen weight tw)).
rewrite (_ : law _ _ _ _ _ _ _ _ = truncated next beta learner rho shows N K (frozen price weight)); last first.
  apply: law_ext => h'; rewrite /frozen; elim: h' => [|r h' IH]; first by rewrite /=; ring.
  by rewrite !over_cons -IH /price /wide_log Rmult_plus_distr_l -!Rmult_assoc.
rewrite /width_bound /wide_horizon /log_horizon -/B (Rmult_assoc (INR #|cell|) (INR K)); move: (sqrt (ln _)) => l; lra.
Qed.
End Price.
End Confidence.
