(* The law of the run with episodes cut at N is linear and monotone on tame functions, those that are bounded where the number
   of steps is; with geometric lengths it is the limit in N. The expected regret is the sum of the episodes' losses. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes Laws LawOfRun.

Lemma cut_abs beta N f c : is_discount beta -> 0 <= c -> (forall n, (n <= N)%nat -> Rabs (f n) <= c) -> Rabs (at_most_long beta N f) <= c.
Proof.
move=> d c0 fc; have ch := chance_nonneg d; have [m0 m1] := cut_mass d N.
have bound n : (n <= N)%nat -> Rabs (\sum_(m < n) (chance beta m * f m.+1)) <= \sum_(m < n) (chance beta m * c).
  elim: n => [|n IH] nN; first by rewrite /= Rabs_R0; lra.
  rewrite !sum_recr; apply: Rle_trans (Rabs_triang _ _) _; apply: Rplus_le_compat; first exact: (IH (ltnW nN)).
  by rewrite Rabs_mult (Rabs_pos_eq _ (ch n)); apply: Rmult_le_compat_l => //; exact: fc.
have e := at_most_long_const beta N c; rewrite /at_most_long in e.
by have := bound N (leqnn N); rewrite e /at_most_long; nra.
Qed.

(* ---------------------------------------------------------------- Tame functions *)
Section Tame.
Variables (A S : finType) (O : Type).
Notation history := (history A S O).
Definition duration (h : history) : nat := size (flat h).
Definition mass (h : history) : nat := (size h + duration h)%nat.
Lemma duration_cons p e (h : history) : duration ((p, e) :: h) = (size e + duration h)%nat.
Proof. by rewrite /duration /flat /= size_cat size_map. Qed.

(* Bounded where episodes and steps are few; and where episodes are few. *)
Definition tame (F : history -> R) := forall m, exists C, forall h, (mass h <= m)%nat -> Rabs (F h) <= C.
Definition sized (F : history -> R) := forall m, exists C, forall h, (size h <= m)%nat -> Rabs (F h) <= C.

Lemma sized_tame F : sized F -> tame F.
Proof. by move=> sF m; have [C FC] := sF m; exists C => h hm; apply: FC; apply: leq_trans hm; exact: leq_addr. Qed.
Lemma bounded_sized F C : (forall h, Rabs (F h) <= C) -> sized F. Proof. by move=> FC m; exists C. Qed.
Lemma bounded_tame F C : (forall h, Rabs (F h) <= C) -> tame F. Proof. by move=> FC m; exists C. Qed.
Lemma sized_indicator (X : history -> bool) : sized (fun h => indicator (X h)).
Proof. by apply: (@bounded_sized _ 1) => h; exact: indicator_abs. Qed.
Lemma tame_indicator (X : history -> bool) : tame (fun h => indicator (X h)). Proof. exact/sized_tame/sized_indicator. Qed.
Lemma tame_const c : tame (fun _ => c). Proof. by apply: (@bounded_tame _ (Rabs c)) => h; lra. Qed.
Lemma tame_add F G : tame F -> tame G -> tame (fun h => F h + G h).
Proof. by move=> tF tG m; have [C FC] := tF m; have [D GD] := tG m; exists (C + D) => h hm; apply: abs_add; auto. Qed.
Lemma tame_mult F G : tame F -> tame G -> tame (fun h => F h * G h).
Proof. by move=> tF tG m; have [C FC] := tF m; have [D GD] := tG m; exists (C * D) => h hm; apply: abs_mult; auto. Qed.
Lemma tame_scale c F : tame F -> tame (fun h => c * F h). Proof. by move=> tF; apply: tame_mult => //; exact: tame_const. Qed.
Lemma tame_ext F G : (forall h, F h = G h) -> tame F -> tame G.
Proof. by move=> FG tF m; have [C FC] := tF m; exists C => h hm; rewrite -FG; exact: FC. Qed.
Lemma tame_sub F G : tame F -> tame G -> tame (fun h => F h - G h).
Proof. by move=> tF tG; apply: (tame_ext _ (tame_add tF (tame_scale (-1) tG))) => h; ring. Qed.
Lemma tame_sum (I : Type) (s : seq I) (F : I -> history -> R) : (forall i, tame (F i)) -> tame (fun h => \sum_(i <- s) F i h).
Proof.
move=> tF; elim: s => [|i s IH]; first by apply: (tame_ext _ (tame_const 0)) => h; rewrite sum_nil.
by apply: (tame_ext _ (tame_add (tF i) IH)) => h; rewrite sum_cons.
Qed.
(* Between 0 and a tame function. *)
Lemma tame_le F G : tame G -> (forall h, 0 <= F h <= G h) -> tame F.
Proof.
move=> tG FG m; have [C GC] := tG m; exists C => h hm; have := FG h; have := GC h hm.
by move=> g [f0 fg]; rewrite Rabs_pos_eq //; have := Rle_abs (G h); lra.
Qed.
(* A function of the number of steps, and what is at most one that rises. *)
Lemma tame_steps (f : nat -> R) : tame (fun h => f (duration h)).
Proof.
move=> m; have [C [_ fC]] := exists_bound (fun n : 'I_m.+1 => f n); exists C => h hm.
have lt : (duration h < m.+1)%nat by rewrite ltnS; apply: leq_trans hm; exact: leq_addl.
exact: (fC (Ordinal lt)).
Qed.
(* The weight of the history before the last episode. *)
Lemma tame_behead F : tame F -> tame (fun h => F (behead h)).
Proof.
move=> tF m; have [C FC] := tF m; exists C => h hm; apply: FC; apply: leq_trans hm.
by case: h => [|[p e] h] //; rewrite [behead _]/= /mass duration_cons /= addSn; apply: leqW; rewrite leq_add2l leq_addl.
Qed.

Definition fin (F : seq (step A S O) -> R) := forall m, exists C, forall e, (size e <= m)%nat -> Rabs (F e) <= C.
Lemma tame_fin F pi x h : tame F -> fin (fun e => F ((pi, x, e) :: h)).
Proof.
move=> tF m; have [C FC] := tF (mass h + m.+1)%nat; exists C => e em; apply: FC.
by rewrite /mass duration_cons /= addSn (addnS _ m) ltnS addnCA addnC leq_add2l.
Qed.
End Tame.

Section Law.
Variables (A S : finType) (O : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation history := (history A S O).
Notation step := (step A S O).
Notation global := (global A S).
Variables (learner : history -> plays A S -> R) (rho : global -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> law_on O.
Notation cut N := (at_most_long beta N).
Notation lawN N := (law next learner rho shows (cut N)).
Notation episodeN N := (episode next learner rho shows (cut N)).
Notation steps1 := (steps next shows).

(* ---------------------------------------------------------------- Steps *)
Lemma steps_ext pi n x e F G : (forall e', F e' = G e') -> steps1 pi n x e F = steps1 pi n x e G.
Proof. by move=> FG; elim: n x e => [|n IH] x e //=; apply: E_ext => o; exact: IH. Qed.

Lemma steps_bounded pi n y x a (e : seq step) F : fin F -> bounded (fun o => steps1 pi n (y o) ((x, a, o) :: e) F).
Proof.
move=> fF; have [C FC] := fF (n + (size e).+1)%nat; apply: (@by_abs _ C) => o.
by apply: steps_abs => e' sz; apply: FC; rewrite sz.
Qed.

Lemma steps_le pi n x e F G : fin F -> fin G -> (forall e', size e' = (n + size e)%nat -> F e' <= G e') ->
  steps1 pi n x e F <= steps1 pi n x e G.
Proof.
move=> fF fG; elim: n x e => [|n IH] x e FG /=; first exact: FG.
by apply: E_le => [||o]; try exact: steps_bounded; apply: IH => e' sz; apply: FG; rewrite sz /= addnS.
Qed.

Lemma steps_add pi n x e F G : fin F -> fin G -> steps1 pi n x e (fun e' => F e' + G e') = steps1 pi n x e F + steps1 pi n x e G.
Proof.
move=> fF fG; elim: n x e => [|n IH] x e //=; rewrite -E_add; try exact: steps_bounded.
by apply: E_ext => o; exact: IH.
Qed.

Lemma steps_scale pi n x e c F : fin F -> steps1 pi n x e (fun e' => c * F e') = c * steps1 pi n x e F.
Proof. by move=> fF; elim: n x e => [|n IH] x e //=; rewrite -E_scale; [apply: E_ext => o; exact: IH | exact: steps_bounded]. Qed.

Lemma steps_const pi n x e c : steps1 pi n x e (fun _ => c) = c.
Proof. by elim: n x e => [|n IH] x e //=; rewrite (E_ext _ (fun o => IH _ _)) E_const. Qed.

Lemma steps_size pi n x e (f : nat -> R) : steps1 pi n x e (fun e' => f (size e')) = f (n + size e)%nat.
Proof. by elim: n x e => [|n IH] x e //=; rewrite -[RHS](E_const (shows (pi x) (x (pi x)))); apply: E_ext => o; rewrite IH addnS. Qed.

(* ---------------------------------------------------------------- The cut law *)
Lemma law_ext N K h F G : (forall h', F h' = G h') -> lawN N K h F = lawN N K h G.
Proof. by move=> FG; congr (law _ _ _ _ _ _ _ _); exact: funext. Qed.

Lemma law_abs N K h F C : 0 <= C -> (forall h', (mass h' <= mass h + K * N.+1)%nat -> Rabs (F h') <= C) -> Rabs (lawN N K h F) <= C.
Proof.
move=> C0; elim: K h => [|K IH] h FC /=; first by apply: FC; rewrite mul0n addn0.
apply: mean_abs1 => // pi; apply: mean_abs1 => // x; apply: cut_abs => // n nN.
apply: steps_abs => e sz; apply: IH => h' m; apply: FC; apply: leq_trans m _; rewrite mulSn addnA leq_add2r.
by rewrite /mass duration_cons sz addn0 /= addSn (addnS _ N) ltnS addnCA addnC leq_add2l.
Qed.

Lemma law_tame N K F : tame F -> tame (fun h => lawN N K h F).
Proof.
move=> tF m; have [C FC] := tF (m + K * N.+1)%nat; exists (Rmax 0 C) => h hm; apply: law_abs; first exact: Rmax_l.
by move=> h' m'; apply: Rle_trans (Rmax_r 0 C); apply: FC; apply: leq_trans m' _; rewrite leq_add2r.
Qed.

Lemma law_le N K h F G : tame F -> tame G -> (forall h', size h' = (K + size h)%nat -> F h' <= G h') -> lawN N K h F <= lawN N K h G.
Proof.
move=> tF tG; elim: K h => [|K IH] h FG /=; first exact: FG.
apply: mean2_le => // pi x; apply: at_most_long_le => // n; apply: steps_le => [||e _]; try exact: (tame_fin _ _ _ (law_tame N K _)).
by apply: IH => h' sz; apply: FG; rewrite sz /= addnS.
Qed.

Lemma law_add N K h F G : tame F -> tame G -> lawN N K h (fun h' => F h' + G h') = lawN N K h F + lawN N K h G.
Proof.
move=> tF tG; elim: K h => [|K IH] h //=; rewrite /episode -mean_add; apply: mean_ext => pi; rewrite -mean_add; apply: mean_ext => x.
rewrite -cut_add; apply: cut_ext => n; rewrite -steps_add; try exact: (tame_fin _ _ _ (law_tame N K _)).
by apply: steps_ext => e; exact: IH.
Qed.

Lemma law_scale N K h c F : tame F -> lawN N K h (fun h' => c * F h') = c * lawN N K h F.
Proof.
move=> tF; elim: K h => [|K IH] h //=; rewrite /episode -mean_scale; apply: mean_ext => pi.
rewrite -mean_scale; apply: mean_ext => x; symmetry; apply: cut_scale => n.
by rewrite -steps_scale; [apply: steps_ext => e; rewrite IH | exact: (tame_fin _ _ _ (law_tame N K _))].
Qed.

Lemma law_sub N K h F G : tame F -> tame G -> lawN N K h (fun h' => F h' - G h') = lawN N K h F - lawN N K h G.
Proof.
move=> tF tG; rewrite (@law_ext _ _ _ _ (fun h' => F h' + -1 * G h')) => [|h']; last ring.
by rewrite law_add ?law_scale //; [ring | exact: tame_scale].
Qed.

Lemma law_zero N K h : lawN N K h (fun _ => 0) = 0.
Proof. by have := @law_abs N K h (fun _ => 0) 0 (Rle_refl 0) (fun _ _ => Req_le _ _ Rabs_R0); split_Rabs; lra. Qed.

Lemma law_sum (I : Type) (s : seq I) N K h (F : I -> history -> R) : (forall i, tame (F i)) ->
  lawN N K h (fun h' => \sum_(i <- s) F i h') = \sum_(i <- s) lawN N K h (F i).
Proof.
move=> tF; elim: s => [|i s IH]; first by rewrite sum_nil -[RHS](law_zero N K h); apply: law_ext => h'; rewrite sum_nil.
rewrite sum_cons -IH -law_add //; first by apply: law_ext => h'; rewrite sum_cons.
exact: tame_sum.
Qed.

(* The last episode last. *)
Lemma law_last N K h F : lawN N K.+1 h F = lawN N K h (fun h' => episodeN N h' F).
Proof.
elim: K h => [|K IH] h //; rewrite [LHS]/= [RHS]/= /episode; apply: mean_ext => pi; apply: mean_ext => x.
by apply: cut_ext => n; apply: steps_ext => e; exact: IH.
Qed.

Lemma episode_const N h c : episodeN N h (fun _ => c) = (1 - beta ^ N) * c.
Proof.
rewrite -[RHS](mean2_const _ (learner_ok h) rho_ok) -at_most_long_const; apply: mean_ext => pi; apply: mean_ext => x.
by apply: cut_ext => n; exact: steps_const.
Qed.

Lemma episode_tame N F : tame F -> tame (fun h => episodeN N h F). Proof. exact: (@law_tame N 1 F). Qed.
Lemma episode_add N h F G : tame F -> tame G -> episodeN N h (fun h' => F h' + G h') = episodeN N h F + episodeN N h G.
Proof. exact: (@law_add N 1 h F G). Qed.
Lemma episode_sub N h F G : tame F -> tame G -> episodeN N h (fun h' => F h' - G h') = episodeN N h F - episodeN N h G.
Proof. exact: (@law_sub N 1 h F G). Qed.
Lemma episode_scale N h k F : tame F -> episodeN N h (fun h' => k * F h') = k * episodeN N h F.
Proof. exact: (@law_scale N 1 h k F). Qed.

Lemma law_const_le N K h c : 0 <= c -> lawN N K h (fun _ => c) <= c.
Proof. by move=> c0; apply: Rle_trans (Rle_abs _) _; apply: law_abs => // h' _; rewrite Rabs_pos_eq //; lra. Qed.

(* ---------------------------------------------------------------- The limit *)
Notation lawoo := (law next learner rho shows (any_length beta)).
Definition expected K F : R := lawoo K [::] F.
Definition truncated N K F : R := lawN N K [::] F.

Lemma lawoo_sized K h F C : 0 <= C -> (forall h', size h' = (K + size h)%nat -> Rabs (F h') <= C) -> Rabs (lawoo K h F) <= C.
Proof.
move=> C0; elim: K h => [|K IH] h FC /=; first exact: FC.
apply: mean_abs1 => // pi; apply: mean_abs1 => // x; apply: (any_length_abs discount) => n.
by apply: steps_abs => e _; apply: IH => h' sz; apply: FC; rewrite sz /= addnS.
Qed.

Lemma lawoo_is_sized K F : sized F -> sized (fun h => lawoo K h F).
Proof.
move=> sF m; have [C FC] := sF (K + m)%nat; exists (Rmax 0 C) => h hm; apply: lawoo_sized; first exact: Rmax_l.
by move=> h' sz; apply: Rle_trans (Rmax_r 0 C); apply: FC; rewrite sz leq_add2l.
Qed.

Lemma law_truncated N K h F C : 0 <= C -> sized F -> (forall h', size h' = (K + size h)%nat -> Rabs (F h') <= C) ->
  Rabs (lawoo K h F - lawN N K h F) <= C * INR K * beta ^ N.
Proof.
move=> C0 sF; have b0 : 0 <= beta ^ N by case: discount => b0 _; exact: pow_le.
elim: K h => [|K IH] h FC; first by rewrite /= Rminus_eq_0 Rabs_R0 Rmult_0_r Rmult_0_l; lra.
rewrite S_INR [law _ _ _ _ _ K.+1 h F]/= [X in Rabs (_ - X) <= _]/=.
pose G h' := lawoo K h' F; pose GN h' := lawN N K h' F.
have tG : tame G by exact: (sized_tame (lawoo_is_sized K sF)).
have tGN : tame GN by exact: (law_tame N K (sized_tame sF)).
have after h' : size h' = (1 + size h)%nat -> forall h'', size h'' = (K + size h')%nat -> Rabs (F h'') <= C.
  by move=> sz h'' sz'; apply: FC; rewrite sz' sz addnA addn1.
have d1 : Rabs (episode next learner rho shows (any_length beta) h G - episodeN N h G) <= C * beta ^ N.
  have c0 : 0 <= C * beta ^ N by exact: Rmult_le_pos.
  rewrite /episode -mean_sub; apply: mean_abs1 => // pi; rewrite -mean_sub; apply: mean_abs1 => // x.
  by apply: (any_length_tail discount N) => n; apply: steps_abs => e _; apply: lawoo_sized => //; exact: after.
have d2 : Rabs (episodeN N h (fun h' => G h' - GN h')) <= C * INR K * beta ^ N.
  have k0 : 0 <= C * INR K * beta ^ N by apply: Rmult_le_pos => //; apply: Rmult_le_pos => //; exact: pos_INR.
  apply: mean_abs1 => // pi; apply: mean_abs1 => // x; apply: cut_abs => // n _.
  by apply: steps_abs => e _; apply: IH; exact: after.
rewrite episode_sub // in d2; rewrite -/G -/GN.
by split_Rabs; lra.
Qed.

Lemma expected_is_limit K F : sized F -> is_lim_seq (fun N => truncated N K F) (expected K F).
Proof.
move=> sF; have [C' FC'] := sF K; pose C := Rmax 0 C'; have C0 : 0 <= C by exact: Rmax_l.
have FC h : size h = (K + size (@nil (plays A S * global * seq step)))%nat -> Rabs (F h) <= C.
  by rewrite addn0 => sz; apply: Rle_trans (Rmax_r 0 C'); apply: FC'; rewrite sz.
by apply: (geometric_squeeze discount (C := C * INR K)) => N; rewrite Rabs_minus_sym Rmult_comm; exact: law_truncated.
Qed.

Lemma limit_is K F l : sized F -> is_lim_seq (fun N => truncated N K F) (Finite l) -> expected K F = l.
Proof. by move=> sF l'; have := is_lim_seq_unique _ _ (@expected_is_limit K F sF); rewrite (is_lim_seq_unique _ _ l') => e; case: e. Qed.

Lemma expected_at_most K F B : sized F -> (forall N, truncated N K F <= B) -> expected K F <= B.
Proof. by move=> sF le; exact (is_lim_seq_le _ _ _ _ le (@expected_is_limit K F sF) (is_lim_seq_const B)). Qed.

Lemma rarely_at_most K (X : history -> bool) p : (forall N, truncated N K (fun h => indicator (X h)) <= p) ->
  expected K (fun h => indicator (X h)) <= p.
Proof. exact/expected_at_most/sized_indicator. Qed.

Lemma sized_add (F G : history -> R) : sized F -> sized G -> sized (fun h => F h + G h).
Proof. by move=> sF sG m; have [C FC] := sF m; have [D GD] := sG m; exists (C + D) => h hm; apply: abs_add; auto. Qed.
Lemma sized_scale c (F : history -> R) : sized F -> sized (fun h => c * F h).
Proof. by move=> sF m; have [C FC] := sF m; exists (Rabs c * C) => h hm; apply: abs_mult; [lra | exact: FC]. Qed.

Lemma expected_add K F G : sized F -> sized G -> expected K (fun h => F h + G h) = expected K F + expected K G.
Proof.
move=> sF sG; apply: limit_is; first exact: sized_add.
apply: is_lim_seq_ext (is_lim_seq_plus' _ _ _ _ (@expected_is_limit K F sF) (@expected_is_limit K G sG)) => N.
by rewrite /truncated law_add //; exact: sized_tame.
Qed.

Lemma expected_scale K c F : sized F -> expected K (fun h => c * F h) = c * expected K F.
Proof.
move=> sF; apply: limit_is; first exact: sized_scale.
apply: (is_lim_seq_ext (fun N => c * truncated N K F)) => [N|]; first by rewrite /truncated law_scale //; exact: sized_tame.
exact: (is_lim_seq_scal_l _ c _ (@expected_is_limit K F sF)).
Qed.

Lemma expected_ext K F G : (forall h, F h = G h) -> expected K F = expected K G.
Proof. by move=> FG; congr (expected _); exact: funext. Qed.

Lemma expected_abs K F C : 0 <= C -> (forall h, Rabs (F h) <= C) -> Rabs (expected K F) <= C.
Proof. by move=> C0 FC; apply: lawoo_sized. Qed.

(* ---------------------------------------------------------------- The regret by episodes *)
Lemma sum_by_episodes (F X : history -> R) C K : (forall h, Rabs (X h) <= C) -> sized F -> F [::] = 0 ->
  (forall N h, episodeN N h F = (1 - beta ^ N) * (X h + F h)) -> expected K F = \sum_(k < K) expected k X.
Proof.
move=> XC sF F0 grows; elim: K => [|K IH]; first by rewrite /expected /= F0.
have sX := bounded_sized XC; rewrite sum_recr -IH Rplus_comm -(expected_add K sX sF); apply: limit_is => //.
have l := is_lim_seq_mult' _ _ _ _ (geometric_rest discount) (@expected_is_limit K _ (sized_add sX sF)); rewrite Rmult_1_l in l.
apply: is_lim_seq_ext l => N; rewrite /truncated law_last -law_scale; last exact: (sized_tame (sized_add sX sF)).
by apply: law_ext => h; rewrite grows.
Qed.

Variables (M : model A S) (pistar : policy A S).
Hypotheses (hM : markovian M) (unit : unit_rewards M).
Notation gap := (Episodes.gap beta M pistar).
Let top := 1 / (1 - beta).
Let top0 : 0 <= top. Proof. exact: top_nonneg. Qed.

Definition round_gap (r : plays A S * global * seq step) : R := let: (pi, x, _) := r in gap pi x.
Definition regret (h : history) : R := \sum_(r <- h) round_gap r.
Definition expected_regret (K : nat) : R := expected K regret.
Definition loss (h : history) : R := mean (learner h) (fun pi => mean rho (fun x => gap pi x)).

Lemma loss_abs h : Rabs (loss h) <= top.
Proof. by apply: mean_abs1 => // pi; apply: mean_abs1 => // x; exact: Episodes.gap_abs. Qed.

Lemma regret_abs h : Rabs (regret h) <= INR (size h) * top.
Proof.
elim: h => [|[[pi x] e] h IH]; first by rewrite /regret sum_nil Rabs_R0 /=; lra.
rewrite /regret sum_cons -/(regret h) [size _]/= S_INR Rmult_plus_distr_r Rmult_1_l (Rplus_comm (_ * top)).
by apply: abs_add IH; exact: Episodes.gap_abs.
Qed.

Lemma regret_sized : sized regret.
Proof.
move=> m; exists (INR m * top) => h hm; apply: Rle_trans (regret_abs h) _.
by apply: Rmult_le_compat_r => //; apply: le_INR; apply/leP.
Qed.

Lemma episode_regret N h : episodeN N h regret = (1 - beta ^ N) * (loss h + regret h).
Proof.
rewrite -(mean2_const (regret h) (learner_ok h) rho_ok) -mean_add; under [X in _ * X]mean_ext do rewrite -mean_add.
rewrite mean2_scale; apply: mean_ext => pi; apply: mean_ext => x; rewrite -at_most_long_const; apply: cut_ext => n.
by rewrite -[RHS](steps_const pi n x [::]); apply: steps_ext => e; rewrite /regret sum_cons.
Qed.

Lemma regret_by_episodes K : expected_regret K = \sum_(k < K) expected k loss.
Proof. apply: (sum_by_episodes K loss_abs regret_sized); [by rewrite /regret sum_nil | exact: episode_regret]. Qed.

(* With one arm there is nothing to choose. *)
Lemma regret_with_one_arm K : #|A| = 1%nat -> expected_regret K <= 0.
Proof.
move=> /fintype1 [a0 only]; have none h : Rabs (regret h) <= 0.
  rewrite (_ : regret h = 0) ?Rabs_R0; first lra.
  apply: big1 => [[[pi x] e] _]; rewrite /round_gap /Episodes.gap (_ : (fun y => pi y) = pistar); first ring.
  by apply: funext => y; rewrite (only (pi y)) (only (pistar y)).
apply: Rle_trans (Rle_abs _) _; exact: (expected_abs K (Rle_refl 0) none).
Qed.

(* No episode costs more than B. *)
Lemma expected_regret_abs K : Rabs (expected_regret K) <= INR K * top.
Proof.
apply: lawoo_sized => [|h sz]; first by apply: Rmult_le_pos => //; exact: pos_INR.
by have := regret_abs h; rewrite sz addn0.
Qed.
End Law.
