(* Bayes' rule without the learner: the posterior is a conditional law of the bandit when policies, initial states and lengths
   are fixed beforehand (bayes_by_design). Then it is one in the run of every learner that sees the history and tosses coins,
   and MB-PSRL's Bayesian regret is bounded, for any prior and any law of observations. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes Levels Laws LawOfRun Truncation Frozen Radii.
From kernel Require Import MbPsrl PrintedForm.

Section Design.
Variables (A S : finType) (O Theta : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation history := (history A S O).
Notation global := (global A S).
Notation plays := (plays A S).
Notation design := (seq (plays * global * nat)).

Section One.
Variable w : A -> S -> law_on O.
(* Episodes of given policies, initial states and lengths, the first first. *)
Fixpoint by_design (ds : design) (h : history) (F : history -> R) : R :=
  if ds is (pi, x, n) :: ds' then steps next w pi n x [::] (fun e => by_design ds' ((pi, x, e) :: h) F) else F h.
Lemma design_abs ds h F C : (forall h, Rabs (F h) <= C) -> Rabs (by_design ds h F) <= C.
Proof. by move=> FC; elim: ds h => [|[[pi x] n] ds IH] h //=; apply: steps_abs => e _; exact: IH. Qed.

Lemma design_fin ds pi x h F C : (forall h, Rabs (F h) <= C) -> fin (fun e => by_design ds ((pi, x, e) :: h) F).
Proof. by move=> FC m; exists C => e _; exact: design_abs. Qed.

Lemma design_same ds h F G : (forall h', size h' = (size ds + size h)%nat -> F h' = G h') -> by_design ds h F = by_design ds h G.
Proof.
elim: ds h => [|[[pi x] n] ds IH] h FG /=; first exact: FG.
by apply: steps_ext => e; apply: IH => h' sz; apply: FG; rewrite sz /= addnS.
Qed.

Lemma design_rcons ds pi x n h F : by_design (rcons ds (pi, x, n)) h F =
  by_design ds h (fun h' => steps next w pi n x [::] (fun e => F ((pi, x, e) :: h'))).
Proof. by elim: ds h => [|[[pi' x'] n'] ds IH] h //=; apply: steps_ext => e; exact: IH. Qed.

Lemma design_add ds h F G C : (forall h, Rabs (F h) <= C) -> (forall h, Rabs (G h) <= C) ->
  by_design ds h (fun h' => F h' + G h') = by_design ds h F + by_design ds h G.
Proof.
move=> FC GC; elim: ds h => [|[[pi x] n] ds IH] h //=; rewrite -steps_add; try exact: design_fin.
by apply: steps_ext => e; exact: IH.
Qed.

Lemma design_scale ds h c F C : (forall h, Rabs (F h) <= C) -> by_design ds h (fun h' => c * F h') = c * by_design ds h F.
Proof.
move=> FC; elim: ds h => [|[[pi x] n] ds IH] h //=; rewrite -steps_scale; last exact: design_fin.
by apply: steps_ext => e; exact: IH.
Qed.

Lemma design_zero ds h : by_design ds h (fun _ => 0) = 0.
Proof. by have := @design_abs ds h (fun _ => 0) 0 (fun _ => Req_le _ _ Rabs_R0); split_Rabs; lra. Qed.

Lemma design_sum (I : Type) (s : seq I) ds h (F : I -> history -> R) (C : I -> R) : (forall i h, Rabs (F i h) <= C i) ->
  by_design ds h (fun h' => \sum_(i <- s) F i h') = \sum_(i <- s) by_design ds h (F i).
Proof.
move=> FC; have part r h' : Rabs (\sum_(i <- r) F i h') <= \sum_(i <- r) C i.
  elim: r => [|i r IH]; first by rewrite !sum_nil Rabs_R0; lra.
  by rewrite !sum_cons; apply: Rle_trans (Rabs_triang _ _) _; exact: Rplus_le_compat (FC i h') IH.
elim: s => [|i s IH]; first by rewrite sum_nil -[RHS](design_zero ds h); apply: design_same => h' _; rewrite sum_nil.
rewrite sum_cons -IH -(@design_add _ _ _ _ (Rmax (C i) (\sum_(j <- s) C j))) => [|h'|h'].
- by apply: design_same => h' _; rewrite sum_cons.
- by apply: Rle_trans (FC i h') (Rmax_l _ _).
- by apply: Rle_trans (part s h') (Rmax_r _ _).
Qed.

Lemma design_cut N ds h (F : nat -> history -> R) C : 0 <= C -> (forall n h, Rabs (F n h) <= C) ->
  by_design ds h (fun h' => at_most_long beta N (F^~ h')) = at_most_long beta N (fun n => by_design ds h (F n)).
Proof.
move=> C0 FC; rewrite /at_most_long; elim: N => [|N IH]; first exact: design_zero.
rewrite /= -IH -(@design_scale _ _ _ _ C) // -(@design_add _ _ _ _ (C + Rabs (chance beta N) * C)) // => h'.
  apply: Rle_trans (cut_abs discount C0 (f := F^~ h') (N := N) (fun n _ => FC n h')) _.
  by have := Rmult_le_pos _ _ (Rabs_pos (chance beta N)) C0; lra.
by rewrite Rabs_mult; have := Rmult_le_compat_l _ _ _ (Rabs_pos (chance beta N)) (FC N.+1 h'); lra.
Qed.
End One.

(* ---------------------------------------------------------------- From designs to learners *)
Variables (learner : history -> plays -> R) (rho : global -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Notation lawN w N := (law next learner rho w (at_most_long beta N)).

(* The first k episodes of a history. *)
Definition first_episodes (k : nat) (h : history) : history := drop (size h - k) h.

Lemma law_reach w N J h F G : (forall l, F (l ++ h) = G (l ++ h)) -> lawN w N J h F = lawN w N J h G.
Proof.
elim: J h => [|J IH] h FG /=; first exact: (FG [::]).
apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext => e.
by apply: IH => l; have := FG (rcons l (pi, x, e)); rewrite cat_rcons.
Qed.

Lemma learner01 h pi : 0 <= learner h pi <= 1.
Proof. by have [p0 p1] := learner_ok h; split=> //; rewrite -p1; exact: (term_le_sum pi p0). Qed.

(* First a design, then J episodes of the learner. *)
Definition then_law w N ds J F := by_design w ds [::] (fun h => lawN w N J h F).
Definition reweighted (k : nat) (pi : plays) (F : history -> R) (h : history) : R := learner (first_episodes k h) pi * F h.

Lemma reweighted_abs k pi F C : (forall h, Rabs (F h) <= C) -> forall h, Rabs (reweighted k pi F h) <= C.
Proof.
move=> FC h; rewrite /reweighted Rabs_mult; have l := learner01 (first_episodes k h) pi; rewrite Rabs_pos_eq; last by case: l.
by have := FC h; have := Rabs_pos (F h); nra.
Qed.

Lemma law_bounded w N J h F C : 0 <= C -> (forall h, Rabs (F h) <= C) -> Rabs (lawN w N J h F) <= C.
Proof. by move=> C0 FC; exact: (law_abs next discount learner_ok rho_ok w C0 (fun h' _ => FC h')). Qed.

Lemma unroll w N ds J F C : 0 <= C -> (forall h, Rabs (F h) <= C) ->
  then_law w N ds J.+1 F = \sum_(pi : plays) \sum_(x : global) rho x *
    at_most_long beta N (fun n => then_law w N (rcons ds (pi, x, n)) J (reweighted (size ds) pi F)).
Proof.
move=> C0 FC; have st pi x n h : Rabs (steps next w pi n x [::] (fun e => lawN w N J ((pi, x, e) :: h) F)) <= C.
  by apply: steps_abs => e _; exact: law_bounded.
have st' pi x n h : Rabs (learner h pi * steps next w pi n x [::] (fun e => lawN w N J ((pi, x, e) :: h) F)) <= C.
  by rewrite Rabs_mult; have l := learner01 h pi; rewrite Rabs_pos_eq; [have := st pi x n h; have := Rabs_pos (steps next w pi n x [::] (fun e => lawN w N J ((pi, x, e) :: h) F)); nra | case: l].
have [r0 r1] := rho_ok.
transitivity (by_design w ds [::] (fun h => \sum_(pi : plays) \sum_(x : global) rho x *
    at_most_long beta N (fun n => learner h pi * steps next w pi n x [::] (fun e => lawN w N J ((pi, x, e) :: h) F)))).
  apply: design_same => h _; rewrite /= /episode /mean; apply: eq_bigr => pi _; rewrite -sum_scale; apply: eq_bigr => x _.
  rewrite -Rmult_assoc (Rmult_comm (learner h pi)) Rmult_assoc; congr (_ * _).
  by apply: cut_scale => n.
have cutC pi x h : Rabs (at_most_long beta N (fun n => learner h pi * steps next w pi n x [::] (fun e => lawN w N J ((pi, x, e) :: h) F))) <= C.
  by apply: cut_abs => // n _; exact: st'.
have rC pi x h : Rabs (rho x * at_most_long beta N (fun n => learner h pi * steps next w pi n x [::] (fun e => lawN w N J ((pi, x, e) :: h) F))) <= rho x * C.
  by rewrite Rabs_mult (Rabs_pos_eq _ (r0 x)); apply: Rmult_le_compat_l.
rewrite (@design_sum w _ _ ds [::] _ (fun _ => \sum_(x : global) rho x * C)) => [|pi h]; last first.
  elim: (index_enum global) => [|x s IH]; first by rewrite !sum_nil Rabs_R0; lra.
  by rewrite !sum_cons; apply: Rle_trans (Rabs_triang _ _) _; exact: Rplus_le_compat (rC pi x h) IH.
apply: eq_bigr => pi _; rewrite (@design_sum w _ _ ds [::] _ (fun x => rho x * C)) => [|x h] //.
apply: eq_bigr => x _; rewrite (@design_scale w ds [::] (rho x) _ C) //; congr (_ * _).
rewrite (@design_cut w N ds [::] (fun n h => learner h pi * steps next w pi n x [::] (fun e => lawN w N J ((pi, x, e) :: h) F)) C C0) => [|n h] //.
apply: cut_ext => n; rewrite /then_law design_rcons; apply: design_same => h; rewrite addn0 => sz.
rewrite -steps_scale; last by move=> m; exists C => e _; exact: law_bounded.
apply: steps_ext => e; rewrite -(law_scale next discount learner_ok rho_ok w N J ((pi, x, e) :: h) (learner h pi) (bounded_tame FC)).
apply: law_reach => l; rewrite /reweighted /first_episodes size_cat /= -sz; congr (learner _ _ * _).
by rewrite -addSnnS addnK -cat_rcons drop_size_cat // size_rcons.
Qed.

(* ---------------------------------------------------------------- The posterior *)
Variables (shows : Theta -> A -> S -> law_on O) (prior : law_on Theta) (post : history -> law_on Theta).
(* The functions of the history and the bandit that are spoken of; all of them, or those that are measurable. *)
Variable nice : (history -> Theta -> R) -> Prop.
Hypothesis nice_reweighted : forall k pi g, nice g -> nice (fun h t => reweighted k pi (g^~ t) h).
Hypothesis by_design_ok : forall ds g, nice g -> (exists C, forall h t, Rabs (g h t) <= C) ->
  prior (fun t => by_design (shows t) ds [::] (fun h => g h t)) = prior (fun t => by_design (shows t) ds [::] (fun h => post h (g h))).

Lemma conditional_cut N J ds g C : nice g -> 0 <= C -> (forall h t, Rabs (g h t) <= C) ->
  prior (fun t => then_law (shows t) N ds J (fun h => g h t)) = prior (fun t => then_law (shows t) N ds J (fun h => post h (g h))).
Proof.
move=> ng C0; elim: J ds g ng => [|J IH] ds g ng gC; first by apply: by_design_ok => //; exists C.
have pC h : Rabs (post h (g h)) <= C by exact: E_abs.
pose r pi h t := reweighted (size ds) pi (g^~ t) h.
have rC pi h t : Rabs (r pi h t) <= C by apply: reweighted_abs => h'; exact: gC.
have thC w ds' F : (forall h, Rabs (F h) <= C) -> Rabs (then_law w N ds' J F) <= C.
  by move=> FC; apply: design_abs => h; exact: law_bounded.
have [r0 r1] := rho_ok.
have swap (T : Theta -> plays -> global -> nat -> R) : (forall t pi x n, Rabs (T t pi x n) <= C) ->
  prior (fun t => \sum_(pi : plays) \sum_(x : global) rho x * at_most_long beta N (T t pi x)) =
  \sum_(pi : plays) \sum_(x : global) rho x * at_most_long beta N (fun n => prior (fun t => T t pi x n)).
  move=> TC; have bn pi x n : bounded (fun t => T t pi x n) by exists C.
  have bc pi x : bounded (fun t => at_most_long beta N (T t pi x)) by exists C => t; apply: cut_abs.
  have bx pi x : bounded (fun t => rho x * at_most_long beta N (T t pi x)) by exact: bounded_scale.
  rewrite E_sum => [|pi].
    apply: eq_bigr => pi _; rewrite E_sum => [|x] //; apply: eq_bigr => x _; rewrite E_scale //; congr (_ * _).
    exact: (proj2 (@E_cut beta _ prior N (fun t n => T t pi x n) (bn pi x))).
  exists (\sum_(x : global) rho x * C) => t; elim: (index_enum global) => [|x s IHs]; first by rewrite !sum_nil Rabs_R0; lra.
  rewrite !sum_cons; apply: Rle_trans (Rabs_triang _ _) _; apply: Rplus_le_compat IHs.
  by rewrite Rabs_mult (Rabs_pos_eq _ (r0 x)); apply: Rmult_le_compat_l => //; apply: cut_abs.
rewrite (E_ext _ (g := fun t => \sum_(pi : plays) \sum_(x : global) rho x *
    at_most_long beta N (fun n => then_law (shows t) N (rcons ds (pi, x, n)) J (fun h => r pi h t)))); last first.
  by move=> t; rewrite (@unroll (shows t) N ds J (fun h => g h t) C C0) // => h; exact: gC.
rewrite [RHS](E_ext _ (g := fun t => \sum_(pi : plays) \sum_(x : global) rho x *
    at_most_long beta N (fun n => then_law (shows t) N (rcons ds (pi, x, n)) J (fun h => post h (r pi h))))); last first.
  move=> t; rewrite (@unroll (shows t) N ds J (fun h => post h (g h)) C C0) //; apply: eq_bigr => pi _; apply: eq_bigr => x _.
  congr (_ * _); apply: cut_ext => n; congr (then_law _ _ _ _ _); apply: funext => h.
  by rewrite /r /reweighted E_scale //; exists C => s.
rewrite !swap; first last.
- by move=> t pi x n; apply: thC => h.
- by move=> t pi x n; apply: thC => h; apply: E_abs.
apply: eq_bigr => pi _; apply: eq_bigr => x _; congr (_ * _); apply: cut_ext => n.
by apply: IH => //; exact: nice_reweighted.
Qed.

(* Lemma bayesian for any prior, any laws of observations and any learner: the posterior, a conditional law of the bandit where
   policies, initial states and lengths are fixed beforehand, is one in the run of every learner, for the bounded functions of
   a class (all, or the measurable ones) that is closed under products with the chances of what the learner played.
   ledger: lem:bayesian *)
Theorem conditional_on_run K g C : nice g -> 0 <= C -> (forall h t, Rabs (g h t) <= C) ->
  prior (fun t => expected next beta learner rho (shows t) K (fun h => g h t)) =
  prior (fun t => expected next beta learner rho (shows t) K (fun h => post h (g h))).
Proof.
move=> ng C0 gC; pose gm h (_ : Theta) := post h (g h).
have gmC h t : Rabs (gm h t) <= C by apply: E_abs.
pose total f := prior (fun t => expected next beta learner rho (shows t) K (fun h => f h t)).
pose part N f := prior (fun t => truncated next beta learner rho (shows t) N K (fun h => f h t)).
have same N : part N g = part N gm by exact: (@conditional_cut N K [::] g C ng C0 gC).
have near f N : (forall h t, Rabs (f h t) <= C) -> Rabs (total f - part N f) <= C * INR K * beta ^ N.
  move=> fC; have tr t := @law_truncated A S O next beta discount learner rho learner_ok rho_ok (shows t) N K [::] (fun h => f h t) C C0 (bounded_sized (fun h => fC h t)) (fun h _ => fC h t).
  have b1 : bounded (fun t => expected next beta learner rho (shows t) K (fun h => f h t)).
    by exists C => t; apply: (expected_abs next discount learner_ok rho_ok (shows t) K C0).
  have b2 : bounded (fun t => truncated next beta learner rho (shows t) N K (fun h => f h t)).
    by exists C => t; apply: law_bounded.
  by rewrite /total /part -(E_sub prior b1 b2); apply: E_abs => t; exact: tr.
change (total g = total gm); apply: Rminus_diag_uniq.
have close N : Rabs (total g - total gm) <= beta ^ N * (2 * (C * INR K)).
  by have := near g N gC; have := near gm N gmC; rewrite (same N); split_Rabs; lra.
have lim : is_lim_seq (fun N => beta ^ N * (2 * (C * INR K))) 0 by exact: geometric_limit.
have := is_lim_seq_le _ _ _ _ close (is_lim_seq_const _) lim; set z := _ - _; move=> /= l.
by have := Rabs_pos z; split_Rabs; lra.
Qed.
End Design.

Section Psrl.
Variables (A S : finType) (O Theta : Type) (next : O -> S) (pays : O -> R) (beta : R) (rho : global A S -> R) (K : nat).
Variables (shows : Theta -> A -> S -> law_on O) (prior : law_on Theta) (best : Theta -> plays A S).
Variable post : history A S O -> law_on Theta.
Notation regret_of t := (expected_regret next beta (psrl best post) rho (shows t) (bandit_of next pays (shows t)) (best t) K).
Notation printed := (5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta).

(* The posterior is a conditional law of the bandit, whatever policies, initial states and lengths are fixed beforehand; for a
   class of functions alone, such as those that are measurable, and for all. *)
Definition bayes_for (nice : (history A S O -> Theta -> R) -> Prop) := forall ds g, nice g -> (exists C, forall h t, Rabs (g h t) <= C) ->
  prior (fun t => by_design next (shows t) ds [::] (fun h => g h t)) = prior (fun t => by_design next (shows t) ds [::] (fun h => post h (g h))).
Definition bayes_by_design := bayes_for (fun _ => True).

Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (A1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat).

(* The class must hold the two functions of MbPsrl.v and, with a function, its products with the chances of what MB-PSRL played. *)
Lemma psrl_bound_for (nice : (history A S O -> Theta -> R) -> Prop) : (1 <= K)%nat -> nice (own_value next pays beta rho shows best) -> nice (strays_from next pays shows K) ->
  (forall k pi g, nice g -> nice (fun h t => psrl best post (first_episodes k h) pi * g h t)) -> bayes_for nice ->
  prior (fun t => regret_of t) <= width_bound A S K beta + 4 * (1 / (1 - beta)).
Proof.
move=> K1 n1 n2 closed bayes; have cond g C k : nice g -> 0 <= C -> (forall h t, Rabs (g h t) <= C) ->
    joint next beta rho shows prior best post k g = joint next beta rho shows prior best post k (fun h _ => post h (g h)).
  by move=> ng C0 gC; exact: (@conditional_on_run A S O Theta next beta discount _ rho (psrl_ok best post) rho_ok shows prior post nice closed bayes k g C ng C0 gC).
apply: psrl_bound_alike => // k _.
- apply: (cond _ (1 / (1 - beta))) => // [|h t]; first exact: top_nonneg.
  have r := value_range next discount rho_ok pays_unit shows t (best t).
  by rewrite /own_value Rabs_pos_eq; case: r.
- by apply: (cond _ 1) => // [|h t]; [lra | exact: indicator_abs].
Qed.

Lemma mb_psrl_for (nice : (history A S O -> Theta -> R) -> Prop) : (2 <= K)%nat -> nice (own_value next pays beta rho shows best) -> nice (strays_from next pays shows K) ->
  (forall k pi g, nice g -> nice (fun h t => psrl best post (first_episodes k h) pi * g h t)) -> bayes_for nice ->
  prior (fun t => regret_of t) <= printed.
Proof.
move=> K2 n1 n2 closed bayes; have K1 : (1 <= K)%nat by exact: ltnW.
apply: (widths_printed discount K2 A1 S1 _ _ _ _ (psrl_bound_for K1 n1 n2 closed bayes)).
- by lra. - by lra. - by lra.
have each t := expected_regret_abs next discount (psrl_ok best post) rho_ok (shows t) (fun x => best t x)
  (bandit_markovian next pays (shows t)) (bandit_unit next pays_unit (shows t)) K.
rewrite -(E_const prior (INR K * (1 / (1 - beta)))); apply: E_le; [| exact: by_const |] => [|t].
  by exists (INR K * (1 / (1 - beta))).
by apply: Rle_trans (Rle_abs _) _; exact: each.
Qed.

(* For every prior and every law of observations the Bayesian regret of MB-PSRL is at most width_bound + 4 B:
   B sqrt(2 L) (SnB + 2 sqrt(SnKB)) + 4 B, where L = log(2^S SnK (KB+1)).
   ledger: beyond:psrl *)
Theorem psrl_bound : (1 <= K)%nat -> bayes_by_design ->
  prior (fun t => regret_of t) <= width_bound A S K beta + 4 * (1 / (1 - beta)).
Proof. by move=> K1; exact: psrl_bound_for. Qed.

(* BayReg(K, MB-PSRL, prior) <= (5/2) (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta), for every prior and every law.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_regret : (2 <= K)%nat -> bayes_by_design -> prior (fun t => regret_of t) <= printed.
Proof. by move=> K2; exact: mb_psrl_for. Qed.
End Psrl.
