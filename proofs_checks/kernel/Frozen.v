(* Counts frozen within an episode, and the play of an episode unfolded, on the law of the run of LawOfRun.v: the widths'
   sum, sqrt(log) bonuses, and sums over the episodes, with lengths cut at N, of what is known before each: they are linear and
   monotone. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration DoubleSum Episodes Weights Laws LawOfRun Truncation.

Lemma mean_le_where (X : finType) (q f g : X -> R) : (forall y, 0 <= q y) -> (forall y, 0 < q y -> f y <= g y) -> mean q f <= mean q g.
Proof.
move=> q0 fg; apply: sum_le => y _; case: (Rle_lt_or_eq_dec _ _ (q0 y)) => [p|<-]; last lra.
by apply: Rmult_le_compat_l; [exact: q0 | exact: fg].
Qed.

Section Counts.
Variables (A S : finType) (O : Type).
Notation history := (history A S O).
Notation step := (step A S O).
Notation cell := (cell A S).
Notation past := (seq (cell * O)).

Definition visits (c : cell) (s : past) : nat := size (observed c s).
Definition count_of (c : cell) (h : history) : nat := visits c (flat h).
Definition newest (h : history) : seq step := if h is r :: _ then r.2 else [::].
Definition shown (e : seq step) : past := [seq seen p | p <- e].
Fixpoint over_episodes (g : history -> history -> R) (h : history) : R :=
  if h is r :: h' then over_episodes g h' + g h' h else 0.
Lemma over_cons g r h : over_episodes g (r :: h) = over_episodes g h + g h (r :: h). Proof. by []. Qed.
Definition frozen_at (w : history -> R) (f : nat -> R) (c : cell) : history -> R :=
  over_episodes (fun h h' => w h * (INR (visits c (shown (newest h'))) * f (count_of c h))).
Definition frozen (w : history -> R) (f : nat -> R) : history -> R :=
  over_episodes (fun h h' => w h * \sum_(p <- shown (newest h')) f (count_of p.1 h)).
Definition last_weight (w : history -> R) (h : history) : R := w (behead h).

Lemma visits_cons c d o (s : past) : visits c ((d, o) :: s) = ((d == c) + visits c s)%nat.
Proof. by rewrite /visits /observed /=; case: eqP. Qed.
Lemma visits_cat c (s s' : past) : visits c (s ++ s') = (visits c s + visits c s')%nat.
Proof. by rewrite /visits /observed filter_cat map_cat size_cat. Qed.
Lemma visits_size c (s : past) : (visits c s <= size s)%nat.
Proof. by rewrite /visits /observed size_map size_filter; exact: count_size. Qed.
Lemma count_cons c p e (h : history) : count_of c ((p, e) :: h) = (visits c (shown e) + count_of c h)%nat.
Proof. by rewrite /count_of /flat /= visits_cat. Qed.
Lemma count_duration c (h : history) : (count_of c h <= duration h)%nat. Proof. exact: visits_size. Qed.
Lemma newest_duration (h : history) : (size (newest h) <= duration h)%nat.
Proof. by case: h => [|[p e] h] //; rewrite duration_cons leq_addr. Qed.

Lemma over_episodes_ext g g' h : (forall r h, g h (r :: h) = g' h (r :: h)) -> over_episodes g h = over_episodes g' h.
Proof. by move=> e; elim: h => [|r h IH] //=; rewrite IH e. Qed.
Lemma over_episodes_sum (I : finType) (g : I -> history -> history -> R) h :
  over_episodes (fun h h' => \sum_(i : I) g i h h') h = \sum_(i : I) over_episodes (g i) h.
Proof. by elim: h => [|r h IH] /=; [rewrite big1 | rewrite IH -sum_add]. Qed.

Lemma by_cells (s : past) (g : cell -> R) : \sum_(p <- s) g p.1 = \sum_(c : cell) INR (visits c s) * g c.
Proof.
rewrite -(big_map fst xpredT g) sum_by_cell; apply: eq_bigr => c _.
by rewrite count_map /visits /observed size_map size_filter.
Qed.
Lemma frozen_by_cells w f h : frozen w f h = \sum_(c : cell) frozen_at w f c h.
Proof.
rewrite /frozen /frozen_at -over_episodes_sum; apply: over_episodes_ext => r h'.
by rewrite (by_cells _ (fun c => f (count_of c h'))) -sum_scale.
Qed.

(* Tame functions of a history and the next. *)
Definition tame2 (g : history -> history -> R) := forall m, exists C, forall h h', (mass h <= m)%nat -> (mass h' <= m)%nat -> Rabs (g h h') <= C.
Lemma tame2_left F : tame F -> tame2 (fun h _ => F h). Proof. by move=> tF m; have [C FC] := tF m; exists C => h h' hm _; exact: FC. Qed.
Lemma tame2_right F : tame F -> tame2 (fun _ h' => F h'). Proof. by move=> tF m; have [C FC] := tF m; exists C => h h' _ hm; exact: FC. Qed.
Lemma tame2_add g g' : tame2 g -> tame2 g' -> tame2 (fun h h' => g h h' + g' h h').
Proof. by move=> tF tG m; have [C FC] := tF m; have [D GD] := tG m; exists (C + D) => h h' hm hm'; apply: abs_add; auto. Qed.
Lemma tame2_mult g g' : tame2 g -> tame2 g' -> tame2 (fun h h' => g h h' * g' h h').
Proof. by move=> tF tG m; have [C FC] := tF m; have [D GD] := tG m; exists (C * D) => h h' hm hm'; apply: abs_mult; auto. Qed.
Lemma tame2_scale c g : tame2 g -> tame2 (fun h h' => c * g h h').
Proof. by move=> t; apply: (tame2_mult (g := fun _ _ => c)) => //; apply: tame2_left; exact: tame_const. Qed.
Lemma tame2_sub g g' : tame2 g -> tame2 g' -> tame2 (fun h h' => g h h' - g' h h').
Proof. by move=> t t' m; have [C gC] := tame2_add t (tame2_scale (-1) t') m; exists C => h h' hm hm';
  rewrite (_ : _ - _ = g h h' + -1 * g' h h'); [exact: gC | ring]. Qed.
Lemma tame2_fixed g h : tame2 g -> tame (g h).
Proof. by move=> t m; have [C gC] := t (maxn (mass h) m); exists C => h' hm; apply: gC; rewrite leq_max ?leqnn // hm orbT. Qed.
Lemma mass_cons r (h : history) : (mass h <= mass (r :: h))%nat.
Proof. by case: r => p e; rewrite /mass duration_cons /= addSn; apply: leqW; rewrite leq_add2l leq_addl. Qed.
Lemma tame_over g : tame2 g -> tame (over_episodes g).
Proof.
move=> t m; have [C gC] := t m; have C0 : 0 <= Rmax 0 C by exact: Rmax_l.
exists (INR m * Rmax 0 C) => h hm.
suff : Rabs (over_episodes g h) <= INR (size h) * Rmax 0 C.
  move=> b; apply: Rle_trans b _; apply: Rmult_le_compat_r => //; apply: le_INR; apply/leP; apply: leq_trans hm; exact: leq_addr.
elim: h hm => [|r h IH] hm; first by rewrite /= Rabs_R0; lra.
have hm' : (mass h <= m)%nat by apply: leq_trans hm; exact: mass_cons.
rewrite over_cons [size _]/= S_INR Rmult_plus_distr_r Rmult_1_l.
by apply: abs_add; [exact: IH | apply: Rle_trans (Rmax_r 0 C); exact: gC].
Qed.
Lemma tame_nat (v : history -> nat) (f : nat -> R) : (forall h, (v h <= duration h)%nat) -> tame (fun h => f (v h)).
Proof.
move=> vm m; have [C fC] := @tame_steps A S O (fun n => \sum_(k < n.+1) Rabs (f k)) m; exists C => h hm.
have le n k : (k < n)%nat -> Rabs (f k) <= \sum_(i < n) Rabs (f i).
  elim: n => [|n IH] //; rewrite ltnS leq_eqVlt sum_recr => /orP [/eqP ->|lt].
    by have : 0 <= \sum_(i < n) Rabs (f i) by [apply: sum_to_nonneg => i _; exact: Rabs_pos]; lra.
  by have := IH lt; have := Rabs_pos (f n); lra.
apply: Rle_trans (le (duration h).+1 (v h) _) _; first by rewrite ltnS.
by apply: Rle_trans (Rle_abs _) _; exact: fC.
Qed.
Lemma tame_count f c : tame (fun h => f (count_of c h)). Proof. by apply: tame_nat => h; exact: count_duration. Qed.
Lemma tame_visits c : tame (fun h => INR (visits c (shown (newest h)))).
Proof.
apply: (tame_nat (v := fun h => visits c (shown (newest h))) INR) => h; apply: leq_trans (newest_duration h).
by apply: leq_trans (visits_size _ _) _; rewrite size_map.
Qed.
Lemma tame2_frozen_at w f c : tame w -> tame2 (fun h h' => w h * (INR (visits c (shown (newest h'))) * f (count_of c h))).
Proof.
move=> tw; apply: tame2_mult; first exact: tame2_left.
by apply: tame2_mult; [apply: tame2_right; exact: tame_visits | apply: tame2_left; exact: tame_count].
Qed.
Lemma tame_frozen_at w f c : tame w -> tame (frozen_at w f c). Proof. by move=> tw; apply: tame_over; exact: tame2_frozen_at. Qed.
Lemma tame_frozen w f : tame w -> tame (frozen w f).
Proof.
move=> tw; apply: (tame_ext (F := fun h => \sum_(c : cell) frozen_at w f c h)) => [h|]; first by rewrite frozen_by_cells.
by apply: tame_sum => c; exact: tame_frozen_at.
Qed.
Lemma tame_last w : tame w -> tame (last_weight w). Proof. exact: tame_behead. Qed.
End Counts.

(* Proves that what is made of tame functions is tame. *)
Ltac tame := repeat first [match goal with known : _ |- _ => exact: known end | exact: tame_const | exact: tame_steps | exact: tame_indicator
  | exact: tame_count | apply: tame_add | apply: tame_sub | apply: tame_scale | apply: tame_mult | apply: tame_over | apply: tame_last].

Section Frozen.
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
Notation lawN N := (law next learner rho shows (cut N)).
Notation episodeN N := (episode next learner rho shows (cut N)).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Notation mean_of K F := (expected next beta learner rho shows K F).
Let B := 1 / (1 - beta).
Let B0 : 0 <= B. Proof. exact: top_nonneg. Qed.

Lemma steps_shift pi n x e (F G : seq step -> R) : fin F -> fin G -> (forall p e', G (p :: e') <= F e') ->
  steps next shows pi n.+1 x e G <= steps next shows pi n x e F.
Proof.
move=> fF fG GF; elim: n x e => [|n IH] x e.
  rewrite /= -[X in _ <= X](E_const (shows (pi x) (x (pi x))) (F e)).
  apply: E_le => [||o]; [| exact: by_const | exact: GF].
  by have [C GC] := fG (size e).+1; exists C => o; apply: GC.
rewrite [X in X <= _]/= [X in _ <= X]/=; apply: E_le => [||o]; [| exact: steps_bounded | exact: IH].
exact: (@steps_bounded A S O next shows pi n.+1 _ x (pi x) e G fG).
Qed.

Section OneCell.
Variables (f : nat -> R) (c : cell).
Hypotheses (f_falls : forall n, f n.+1 <= f n).

Lemma one_episode N h : episodeN N h (fun h' => excess f (count_of c h) (count_of c h')) <=
  B * episodeN N h (fun h' => f (count_of c h) - f (count_of c h')).
Proof.
rewrite mean2_scale; apply: mean2_le => // pi x; set u := count_of c h; pose v (e : seq step) := visits c (shown e ++ flat h).
have uv e : (u <= v e)%nat by rewrite /v visits_cat leq_addl.
have vS p e : v (p :: e) = (((seen p).1 == c) + v e)%nat by rewrite /v /shown /=; case: (seen p) => d o; rewrite visits_cons.
have fv k : fin (fun e => k (v e)).
  have := tame_fin pi x h (@tame_count A S O k c); exact.
apply: cut_by_parts => // [|m|m].
- by rewrite /= -/(v [::]) /v /= excess_same.
- by rewrite -(steps_const next shows pi m x [::] 0); apply: steps_le => [||e _];
    [exact: (fv (fun _ => 0)) | exact: (fv (excess f u)) | exact: (excess_nonneg f_falls (uv e))].
- pose d k := f u - f k.
  suff : steps next shows pi m.+1 x [::] (fun e => excess f u (v e) + -1 * d (v e)) <= steps next shows pi m x [::] (fun e => excess f u (v e)).
    rewrite steps_add ?steps_scale; [|exact: (fv d)|exact: (fv (excess f u))|exact: (fv (fun k => -1 * d k))].
    move=> le; apply: (Rplus_le_reg_r (-1 * steps next shows pi m.+1 x [::] (fun e => d (v e)))); apply: Rle_trans le _; apply: Req_le.
    change (steps next shows pi m x [::] (fun e => excess f u (v e)) = steps next shows pi m x [::] (fun e => excess f u (v e)) +
      steps next shows pi m.+1 x [::] (fun e => d (v e)) + -1 * steps next shows pi m.+1 x [::] (fun e => d (v e))).
    ring.
  apply: steps_shift => [||p e]; [exact: (fv (excess f u)) | exact: (fv (fun k => excess f u k + -1 * d k)) | rewrite vS; case: eqP => _ /=].
    by rewrite add1n excess_next /d; have := f_falls (v e); lra.
  by rewrite add0n /d; have := f_le f_falls (uv e); lra.
Qed.
End OneCell.

Lemma law_over_episodes N K (g g' : history -> history -> R) : tame2 g -> tame2 g' ->
  (forall h, episodeN N h (g h) <= episodeN N h (g' h)) -> cut_mean N K (over_episodes g) <= cut_mean N K (over_episodes g').
Proof.
move=> t t' le; pose Z h := over_episodes g h - over_episodes g' h.
have tZ : tame Z by apply: tame_sub; exact: tame_over.
have one h : episodeN N h Z <= (1 - beta ^ N) * Z h.
  have e : episodeN N h Z = episodeN N h (fun h' => Z h + (g h h' - g' h h')).
    apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext => e.
    by rewrite /Z /=; ring.
  have tz := @tame_const A S O (Z h); have ts := tame_sub (tame2_fixed h t) (tame2_fixed h t').
  rewrite e (episode_add next discount learner_ok rho_ok shows N h tz ts) episode_const //.
  rewrite (episode_sub next discount learner_ok rho_ok shows N h (tame2_fixed h t) (tame2_fixed h t')).
  by have := le h; lra.
have all : cut_mean N K Z <= 0.
  rewrite /truncated; elim: K => [|K IH]; first by rewrite /Z /=; lra.
  rewrite law_last; apply: Rle_trans (_ : _ <= lawN N K [::] (fun h => (1 - beta ^ N) * Z h)) _.
    by apply: law_le => //; [exact: episode_tame | exact: tame_scale].
  by rewrite (law_scale next discount learner_ok rho_ok shows) //; have [m0 _] := cut_mass discount N; nra.
suff : cut_mean N K (over_episodes g) = cut_mean N K Z + cut_mean N K (over_episodes g') by lra.
by rewrite /truncated -(law_add next discount learner_ok rho_ok shows) //; [apply: law_ext => h; rewrite /Z; ring | exact: tame_over].
Qed.

Section Weighted.
Variable w : history -> R.
Hypotheses (w_tame : tame w) (w_nonneg : forall h, 0 <= w h) (w_grows : forall r h, w h <= w (r :: h)).
Variable f : nat -> R.
Hypotheses (f_nonneg : forall n, 0 <= f n) (f_falls : forall n, f n.+1 <= f n).

Lemma last_weight_le h : last_weight w h <= w h.
Proof. by case: h => [|r h]; [rewrite /last_weight /=; lra | exact: w_grows]. Qed.

Lemma running_summed c h : over_episodes (fun h h' => w h * (running f (count_of c h') - running f (count_of c h))) h <=
  last_weight w h * running f (count_of c h).
Proof.
elim: h => [|r h IH]; first by rewrite [count_of c [::]](erefl 0%nat) /running /=; lra.
rewrite over_cons (_ : last_weight w (r :: h) = w h) //.
by have := Rmult_le_compat_r _ _ _ (running_nonneg f_nonneg (count_of c h)) (last_weight_le h); lra.
Qed.

Lemma drops_summed c h : over_episodes (fun h h' => w h * (f (count_of c h) - f (count_of c h'))) h <= last_weight w h * f 0%nat.
Proof.
suff : over_episodes (fun h h' => w h * (f (count_of c h) - f (count_of c h'))) h + last_weight w h * f (count_of c h)
    <= last_weight w h * f 0%nat.
  have : 0 <= last_weight w h * f (count_of c h) by apply: Rmult_le_pos; [exact: w_nonneg | exact: f_nonneg].
  lra.
elim: h => [|r h IH]; first by rewrite [count_of c [::]](erefl 0%nat) /=; lra.
rewrite over_cons (_ : last_weight w (r :: h) = w h) //.
have a : 0 <= f 0%nat - f (count_of c h) by have := f_le f_falls (leq0n (count_of c h)); lra.
by have := Rmult_le_compat_r _ _ _ a (last_weight_le h); lra.
Qed.

Let t_last : tame (last_weight w). Proof. exact: tame_last. Qed.
Let t_run c : tame (fun h => last_weight w h * running f (count_of c h)).
Proof. by apply: tame_mult => //; exact: (@tame_count A S O (running f) c). Qed.

(* 1.7 for one cell, on the law with lengths cut at N.
   ledger: beyond:upper/frozen-counts *)
Theorem frozen_counts N K c : cut_mean N K (frozen_at w f c) <=
  B * f 0%nat * cut_mean N K (last_weight w) + cut_mean N K (fun h => last_weight w h * running f (count_of c h)).
Proof.
pose drop (h h' : history) := w h * (f (count_of c h) - f (count_of c h')).
pose grow (h h' : history) := w h * (running f (count_of c h') - running f (count_of c h)).
have tcl k : tame2 (fun h _ : history => k (count_of c h) : R) by apply: tame2_left; exact: tame_count.
have tcr k : tame2 (fun _ h : history => k (count_of c h) : R) by apply: tame2_right; exact: tame_count.
have by_w g g' : tame2 g -> tame2 g' -> tame2 (fun h h' => w h * (g h h' - g' h h')).
  by move=> tg tg'; apply: tame2_mult; [exact: tame2_left | exact: tame2_sub].
have td : tame2 drop := by_w _ _ (tcl f) (tcr f). have tg : tame2 grow := by_w _ _ (tcr (running f)) (tcl (running f)).
have le : cut_mean N K (frozen_at w f c) <= cut_mean N K (over_episodes (fun h h' => B * drop h h' + grow h h')).
  apply: law_over_episodes => [||h]; [exact: tame2_frozen_at | by apply: tame2_add => //; exact: tame2_scale |].
  have tcd : tame (fun h' : history => f (count_of c h) - f (count_of c h')).
    exact: (tame_sub (@tame_const A S O (f (count_of c h))) (@tame_count A S O f c)).
  have te : tame (fun h' : history => excess f (count_of c h) (count_of c h')) by exact: (@tame_count A S O (excess f (count_of c h)) c).
  have tD := tame2_fixed h td; have tG := tame2_fixed h tg.
  have add := episode_add next discount learner_ok rho_ok shows; have scale := episode_scale next discount learner_ok rho_ok shows.
  have -> : episodeN N h (fun h' => B * drop h h' + grow h h') =
      w h * (B * episodeN N h (fun h' => f (count_of c h) - f (count_of c h'))) + episodeN N h (grow h).
    rewrite (add N h _ _ (tame_scale B tD) tG) (scale N h B _ tD) -[episodeN N h (drop h)]/(episodeN N h (fun h' => w h * (f (count_of c h) - f (count_of c h')))).
    by rewrite (scale N h (w h) _ tcd); ring.
  have -> : episodeN N h (fun h' => w h * (INR (visits c (shown (newest h'))) * f (count_of c h))) =
      w h * episodeN N h (fun h' => excess f (count_of c h) (count_of c h')) + episodeN N h (grow h).
    rewrite -(scale N h (w h) _ te) -(add N h _ _ (tame_scale (w h) te) tG).
    apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext => e.
    by rewrite /grow /excess !count_cons plus_INR /=; ring.
  by have := Rmult_le_compat_l _ _ _ (w_nonneg h) (one_episode c f_falls N h); lra.
apply: Rle_trans le _; rewrite /truncated -(law_scale next discount learner_ok rho_ok shows) // -(law_add next discount learner_ok rho_ok shows) //; last exact: tame_scale.
apply: law_le => // [||h _]; [by apply: tame_over; apply: tame2_add => //; exact: tame2_scale | by apply: tame_add => //; exact: tame_scale |].
have -> : over_episodes (fun h h' => B * drop h h' + grow h h') h = B * over_episodes drop h + over_episodes grow h.
  by elim: h => [|r h IH] /=; [ring | rewrite IH; ring].
have := Rmult_le_compat_l _ _ _ B0 (drops_summed c h); have := running_summed c h; rewrite -/drop -/grow; lra.
Qed.

Lemma frozen_counts_of_run N K : cut_mean N K (frozen w f) <=
  INR #|cell| * (B * f 0%nat * cut_mean N K (last_weight w)) +
  cut_mean N K (fun h => last_weight w h * \sum_(c : cell) running f (count_of c h)).
Proof.
have -> : cut_mean N K (frozen w f) = \sum_(c : cell) cut_mean N K (frozen_at w f c).
  by rewrite /truncated -(law_sum next discount learner_ok rho_ok shows) => [|c]; [apply: law_ext => h; exact: frozen_by_cells | exact: tame_frozen_at].
have -> : cut_mean N K (fun h => last_weight w h * \sum_(c : cell) running f (count_of c h)) =
    \sum_(c : cell) cut_mean N K (fun h => last_weight w h * running f (count_of c h)).
  by rewrite /truncated -(law_sum next discount learner_ok rho_ok shows) => [|c] //; apply: law_ext => h; rewrite sum_scale.
by rewrite -sum_const -sum_add; apply: sum_le => c _; exact: frozen_counts.
Qed.
End Weighted.

(* ---------------------------------------------------------------- The widths' sum *)
Lemma visits_total (s : seq (cell * O)) : \sum_(c : cell) INR (visits c s) = INR (size s).
Proof.
have e := by_cells s (fun _ => 1); rewrite (eq_bigr (fun c => INR (visits c s) * 1)) => [|c _]; last by rewrite Rmult_1_r.
by rewrite -e sum_seq_const Rmult_1_r.
Qed.

Lemma running_roots_of_run (h : history) : \sum_(c : cell) running weight (count_of c h) <= 2 * sqrt (INR #|cell| * INR (duration h)).
Proof.
apply: Rle_trans (sum_le _ (fun c _ => running_roots (count_of c h))) _; rewrite sum_scale -visits_total.
by apply: Rmult_le_compat_l; [lra | apply: sum_of_roots => c; exact: pos_INR].
Qed.

Let t_dur (k : nat -> R) : tame (fun h : history => k (duration h)). Proof. exact: tame_steps. Qed.

(* The frozen sum, from what the functions of the counts add up to over the cells. *)
Lemma frozen_running (w : history -> R) (f top : nat -> R) N K : tame w -> (forall h, 0 <= w h) -> (forall r h, w h <= w (r :: h)) ->
  (forall n, 0 <= f n) -> (forall n, f n.+1 <= f n) -> (forall h : history, \sum_(c : cell) running f (count_of c h) <= top (duration h)) ->
  cut_mean N K (frozen w f) <= INR #|cell| * (B * f 0%nat * cut_mean N K w) + cut_mean N K (fun h => w h * top (duration h)).
Proof.
move=> tw w0 wS f0 fS le; have tl := tame_last tw; apply: Rle_trans (frozen_counts_of_run tw w0 wS f0 fS N K) _; apply: Rplus_le_compat.
  apply: Rmult_le_compat_l; first exact: pos_INR.
  by apply: Rmult_le_compat_l; [exact: Rmult_le_pos | apply: law_le => // h _; exact: last_weight_le].
apply: law_le => // [||h _]; [| by apply: tame_mult => //; exact: t_dur |].
  by apply: tame_mult => //; apply: tame_sum => c; exact: (@tame_count A S O (running f)).
apply: Rmult_le_compat; [exact: w0 | | exact: last_weight_le | exact: le].
by apply: sum_nonneg => c _; exact: running_nonneg.
Qed.

Lemma cut_nat N : cut N INR <= (1 - beta ^ N) * B.
Proof.
case: (discount) => b0 b1; have e : cut N INR = (1 - beta ^ N) * B - beta ^ N * INR N.
  elim: N => [|N IH]; first by rewrite /at_most_long [sum_to _ _]/= [INR 0]/=; ring.
  rewrite (_ : cut N.+1 INR = cut N INR + chance beta N * INR N.+1) // IH S_INR /chance.
  by rewrite (_ : beta ^ N.+1 = beta * beta ^ N) // /B; field; lra.
by have := Rmult_le_pos _ _ (pow_le beta N b0) (pos_INR N); lra.
Qed.

Definition summed (X : history -> R) : history -> R := over_episodes (fun h _ => X h).
Lemma summed_cons X r h : summed X (r :: h) = summed X h + X h. Proof. by []. Qed.
Lemma summed_abs X C h : (forall h, Rabs (X h) <= C) -> Rabs (summed X h) <= INR (size h) * C.
Proof.
move=> XC; elim: h => [|r h IH]; first by rewrite /summed /= Rabs_R0; lra.
rewrite /summed over_cons -/(summed X h) [size _]/= S_INR Rmult_plus_distr_r Rmult_1_l; exact: abs_add IH (XC h).
Qed.
Lemma summed_sized X C : 0 <= C -> (forall h, Rabs (X h) <= C) -> sized (summed X).
Proof.
move=> C0 XC m; exists (INR m * C) => h hm; apply: Rle_trans (summed_abs h XC) _.
by apply: Rmult_le_compat_r => //; apply: le_INR; apply/leP.
Qed.
Lemma summed_le (X Y : history -> R) h : (forall h, X h <= Y h) -> summed X h <= summed Y h.
Proof. by move=> le; rewrite /summed; elim: h => [|r h IH] /=; [lra | have := le h; lra]. Qed.

Lemma summed_add (X Y : history -> R) h : summed (fun h => X h + Y h) h = summed X h + summed Y h.
Proof. by rewrite /summed; elim: h => [|r h IH] /=; [ring | rewrite IH; ring]. Qed.

Lemma tame_summed (X : history -> R) : tame X -> tame (summed X).
Proof. by move=> tX; apply: tame_over; exact: tame2_left. Qed.

Lemma summed_scale k (X : history -> R) h : summed (fun h => k * X h) h = k * summed X h.
Proof. by rewrite /summed; elim: h => [|r h IH] /=; [ring | rewrite IH; ring]. Qed.

Lemma episode_summed N X h : episodeN N h (summed X) = (1 - beta ^ N) * (X h + summed X h).
Proof.
rewrite -(episode_const next beta learner_ok rho_ok shows N h).
by apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext => e; exact: Rplus_comm.
Qed.

Lemma mean_summed X C K : 0 <= C -> (forall h, Rabs (X h) <= C) -> mean_of K (summed X) = \sum_(k < K) mean_of k X.
Proof.
move=> C0 XC; have z := @sum_by_episodes A S O next beta discount learner rho learner_ok rho_ok shows (summed X) X C K XC (summed_sized C0 XC).
by apply: z => // N h; exact: episode_summed.
Qed.

(* What is at most c in the mean before every episode is at most K c over K episodes. *)
Lemma summed_cut N J X c : tame X -> 0 <= c -> (forall j, cut_mean N j X <= c) -> cut_mean N J (summed X) <= INR J * c.
Proof.
move=> tX c0 le; have tS := tame_summed tX; elim: J => [|J IH]; first by rewrite /truncated /summed /=; lra.
have [m0 m1] := cut_mass discount N; rewrite /truncated law_last (@law_ext A S O next beta learner rho shows N J [::] _ _ (episode_summed N X)).
rewrite (law_scale next discount learner_ok rho_ok shows N J [::] _ (tame_add tX tS)) (law_add next discount learner_ok rho_ok shows N J [::] tX tS).
rewrite -!/(cut_mean N J _) S_INR; have := le J.
have Jc : 0 <= INR J * c by apply: Rmult_le_pos => //; exact: pos_INR.
nra.
Qed.

Lemma mean_duration N K : cut_mean N K (fun h => INR (duration h)) <= INR K * B.
Proof.
have tn : tame2 (fun _ h' : history => INR (size (newest h'))).
  by apply: tame2_right; apply: (tame_nat (v := fun h' => size (newest h')) INR) => h; exact: newest_duration.
have tB : tame (fun _ : history => B) := @tame_const A S O B.
apply: Rle_trans _ (summed_cut K tB B0 (fun j => law_const_le next discount learner_ok rho_ok shows N j [::] B0)).
rewrite /truncated (@law_ext A S O next beta learner rho shows N K [::] _ (over_episodes (fun _ h' => INR (size (newest h'))))); last first.
  by elim=> [|[p e] h IH] //; rewrite over_cons -IH duration_cons plus_INR Rplus_comm.
apply: law_over_episodes => // [|h]; first exact: tame2_left.
rewrite episode_const //; apply: Rle_trans (cut_nat N); apply: Req_le.
rewrite -(mean_of_const (cut N INR) (learner_ok h)); apply: mean_ext => pi; rewrite -(mean_of_const (cut N INR) rho_ok).
by apply: mean_ext => x; apply: cut_ext => n; rewrite (steps_size next shows pi n x [::] INR) addn0.
Qed.

(* What lies below a line in the number of activations. *)
Lemma mean_below_line N K (f : history -> R) a k : tame f -> 0 <= a -> 0 <= k -> (forall h, f h <= a + k * INR (duration h)) ->
  cut_mean N K f <= a + k * (INR K * B).
Proof.
move=> tf a0 k0 le; have td := t_dur INR; apply: Rle_trans (_ : _ <= cut_mean N K (fun h => k * INR (duration h) + a)) _.
  by apply: law_le => // [|h _]; [exact: (t_dur (fun n => k * INR n + a)) | have := le h; lra].
rewrite /truncated (law_add next discount learner_ok rho_ok shows) ?(law_scale next discount learner_ok rho_ok shows); try by tame.
have c := law_const_le next discount learner_ok rho_ok shows N K [::] a0.
by have := Rmult_le_compat_l _ _ _ k0 (mean_duration N K); rewrite /truncated in c *; lra.
Qed.

(* Cauchy and Schwarz. *)
Lemma mean_of_root N K (F G H : history -> R) a b : tame F -> tame G -> tame H -> 0 <= a -> 0 <= b ->
  (forall h, [/\ 0 <= F h, 0 <= G h & H h * H h <= F h * G h]) -> cut_mean N K F <= a -> cut_mean N K G <= b ->
  cut_mean N K H <= sqrt (a * b).
Proof.
move=> tF tG tH a0 b0 HFG Fa Gb; rewrite (_ : sqrt (a * b) = 0 + 2 * sqrt (a / 2 * (b / 2))); last first.
  by rewrite (_ : a / 2 * (b / 2) = a * b / (2 * 2)) ?sqrt_div_alt ?sqrt_square; [field | lra | lra | field].
apply: best_scale => [||z z0]; [lra | lra |]; have i0 : 0 < / (2 * z) by apply: Rinv_0_lt_compat; lra.
apply: Rle_trans (_ : _ <= cut_mean N K (fun h => z / 2 * F h + / (2 * z) * G h)) _.
  apply: law_le => // [|h _]; [by tame | have [F0 G0 le] := HFG h]; have u0 : 0 <= z / 2 * F h by apply: Rmult_le_pos; lra.
  have v0 : 0 <= / (2 * z) * G h by apply: Rmult_le_pos; lra.
  apply: Rsqr_incr_0_var; last lra; rewrite /Rsqr; have := Rle_0_sqr (z / 2 * F h - / (2 * z) * G h); rewrite /Rsqr.
  have : z / 2 * F h * (/ (2 * z) * G h) = F h * G h / 4 by field; lra.
  lra.
rewrite /truncated (law_add next discount learner_ok rho_ok shows) ?(law_scale next discount learner_ok rho_ok shows); try by tame.
have := Rmult_le_compat_l (z / 2) _ _ (ltac:(lra)) Fa; have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ i0) Gb.
by rewrite (_ : / (2 * z) * b = b / 2 / z) /truncated; [lra | field; lra].
Qed.

Section Bonus.
Variables (C : R) (K : nat).
Hypotheses (C_large : 1 <= C) (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).
Definition log_time (h : history) : R := ln (C * (INR (duration h) + 1)).
Notation log_horizon := (log_horizon beta C K).

Lemma log_time_nonneg h : 0 <= log_time h.
Proof. by have := pos_INR (duration h) => d0; rewrite -ln_1; apply: Rcomplements.ln_le; [lra | nra]. Qed.

Lemma log_time_grows r h : log_time h <= log_time (r :: h).
Proof.
have d0 := pos_INR (duration h); apply: Rcomplements.ln_le; first nra.
apply: Rmult_le_compat_l; first lra.
by apply: Rplus_le_compat_r; apply: le_INR; apply/leP; case: r => p e; rewrite duration_cons leq_addl.
Qed.

Let t_log : tame log_time. Proof. exact: (t_dur (fun n => ln (C * (INR n + 1)))). Qed.

Lemma mean_log_time N : cut_mean N K log_time <= log_horizon.
Proof.
have m0 := horizon_pos discount K1; rewrite -/B in m0; set m := INR K * B + 1; have mpos : 1 < m by rewrite /m; lra.
have i0 : 0 < / m by apply: Rinv_0_lt_compat; lra.
have im : / m * m = 1 by apply: Rinv_l; lra.
have lnm : 1 - / m <= ln m by have := exp_tangent (- ln m); rewrite exp_Ropp exp_ln; lra.
have Lm : log_horizon = ln C + ln m by rewrite /log_horizon -/B -/m ln_mult //; lra.
have lnC : 0 <= ln C by rewrite -ln_1; apply: Rcomplements.ln_le; lra.
have e : / m * (INR K * B) = 1 - / m by rewrite -[X in _ = X - _]im {3}/m; ring.
apply: Rle_trans (@mean_below_line N K log_time (log_horizon - 1 + / m) (/ m) t_log (ltac:(lra)) (Rlt_le _ _ i0) _) _; last lra.
move=> h; have d0 := pos_INR (duration h); rewrite /log_time ln_mult; [|lra|lra].
have p : 0 < (INR (duration h) + 1) * / m by apply: Rmult_lt_0_compat; lra.
have := exp_tangent (ln ((INR (duration h) + 1) * / m)); rewrite exp_ln // ln_mult; [|lra|lra].
rewrite ln_Rinv; [|lra]; rewrite Lm; lra.
Qed.

(* E sum_k sqrt(l_k) sum_{t in k} max(1,N_{k-1}(c_t))^(-1/2) <= S n B sqrt L + 2 sqrt(S n K B L): with b_k, the leading terms
   of Theorem A.
   ledger: beyond:upper/sums *)
Theorem bonus_sum N : cut_mean N K (frozen (fun h => sqrt (log_time h)) weight) <=
  INR #|cell| * (B * sqrt log_horizon) + 2 * (sqrt log_horizon * sqrt (INR #|cell| * (INR K * B))).
Proof.
have tw : tame (fun h => sqrt (log_time h)) := t_dur (fun n => sqrt (ln (C * (INR n + 1)))).
have wS r h : sqrt (log_time h) <= sqrt (log_time (r :: h)) by apply: sqrt_le_1_alt; exact: log_time_grows.
have L0 := log_horizon_pos discount C_large K1; have EL := mean_log_time N.
have c0 := Rlt_le _ _ (lt_0_INR _ (ltP C1)); have k0 : 0 <= INR K * B by apply: Rmult_le_pos => //; exact: pos_INR.
apply: Rle_trans (frozen_running (top := fun n => 2 * sqrt (INR #|cell| * INR n)) N K tw (fun h => sqrt_pos _) wS weight_nonneg
  weight_falls running_roots_of_run) _.
rewrite weight_0 Rmult_1_r; apply: Rplus_le_compat.
  apply: Rmult_le_compat_l => //; apply: Rmult_le_compat_l => //; rewrite -(Rmult_1_r log_horizon).
  apply: (mean_of_root (G := fun _ => 1) t_log _ tw) EL _ => [||||];
    [exact: tame_const | lra | lra | | exact: law_const_le _ _ _ _ _ _ _ _ Rle_0_1] => h.
  by have l0 := log_time_nonneg h; rewrite sqrt_sqrt //; split; lra.
have tn := t_dur (fun n => INR #|cell| * INR n); have ts := t_dur (fun n => sqrt (INR #|cell| * INR n)).
rewrite (_ : cut_mean _ _ _ = 2 * cut_mean N K (fun h => sqrt (log_time h) * sqrt (INR #|cell| * INR (duration h)))); last first.
  by rewrite /truncated -(law_scale next discount learner_ok rho_ok shows); [apply: law_ext => h; cbv beta; ring | tame].
apply: Rmult_le_compat_l; first lra; rewrite -sqrt_mult; [|lra|exact: Rmult_le_pos].
apply: (mean_of_root t_log tn) EL _ => [||| h|]; [by tame | lra | exact: Rmult_le_pos | |].
  have l0 := log_time_nonneg h; have d0 : 0 <= INR #|cell| * INR (duration h) by apply: Rmult_le_pos => //; exact: pos_INR.
  split=> //; rewrite -[X in _ <= X * _](sqrt_sqrt _ l0) -[X in _ <= _ * X](sqrt_sqrt _ d0); lra.
rewrite /truncated (law_scale next discount learner_ok rho_ok shows); last exact: (t_dur INR).
by apply: Rmult_le_compat_l => //; exact: mean_duration.
Qed.
End Bonus.
End Frozen.
