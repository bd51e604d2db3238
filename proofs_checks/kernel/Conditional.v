(* Bayes' rule without the learner: the posterior is a conditional law of the bandit when policies, initial states and lengths
   are fixed beforehand (bayes_for). Then it is one in the run of every learner that sees the history and tosses coins,
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
(* Episodes of given policies, initial states and lengths, the first first: a law. *)
Fixpoint by_design (ds : design) (h : history) (F : history -> R) : R :=
  if ds is (pi, x, n) :: ds' then steps next w pi n x [::] (fun e => by_design ds' ((pi, x, e) :: h) F) else F h.
Fixpoint steps_law (pi : plays) (n : nat) (x : global) (e : seq (step A S O)) : law_on (seq (step A S O)) := if n is n'.+1 then
  bind_law (w (pi x) (x (pi x))) (fun o => steps_law pi n' (moved x (pi x) (next o)) ((x, pi x, o) :: e)) else point_law e.
Fixpoint design_law (ds : design) (h : history) : law_on history := if ds is (pi, x, n) :: ds' then
  bind_law (steps_law pi n x [::]) (fun e => design_law ds' ((pi, x, e) :: h)) else point_law h.
Lemma steps_lawE pi n x e F : steps next w pi n x e F = steps_law pi n x e F.
Proof. by elim: n x e => [|n IH] x e //=; apply: E_ext => o; exact: IH. Qed.
Lemma design_lawE ds h F : by_design ds h F = design_law ds h F.
Proof. by elim: ds h => [|[[pi x] n] ds IH] h //=; rewrite steps_lawE; apply: E_ext => e; exact: IH. Qed.
Lemma design_abs ds h F C : (forall h, Rabs (F h) <= C) -> Rabs (by_design ds h F) <= C.
Proof. by rewrite design_lawE; exact: E_abs. Qed.

Lemma design_same ds h F G : (forall h', size h' = (size ds + size h)%nat -> F h' = G h') -> by_design ds h F = by_design ds h G.
Proof.
elim: ds h => [|[[pi x] n] ds IH] h FG /=; first exact: FG.
by apply: steps_ext => e; apply: IH => h' sz; apply: FG; rewrite sz /= addnS.
Qed.

Lemma design_rcons ds pi x n h F : by_design (rcons ds (pi, x, n)) h F =
  by_design ds h (fun h' => steps next w pi n x [::] (fun e => F ((pi, x, e) :: h'))).
Proof. by elim: ds h => [|[[pi' x'] n'] ds IH] h //=; apply: steps_ext => e; exact: IH. Qed.

End One.

(* ---------------------------------------------------------------- From designs to learners *)
Variables (learner : history -> plays -> R) (rho : global -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Notation of_lengths w := (of_lengths next learner rho w).

(* The first k episodes of a history. *)
Definition first_episodes (k : nat) (h : history) : history := drop (size h - k) h.

Lemma lengths_reach w ns h c F G C : 0 <= C -> (forall h, Rabs (F h) <= C) -> (forall l, G (l ++ h) = c * F (l ++ h)) ->
  of_lengths w ns h G = c * of_lengths w ns h F.
Proof.
move=> C0 FC; elim: ns h => [|n ns IH] h FG /=; first exact: (FG [::]).
rewrite /episode -mean_scale; apply: mean_ext => pi; rewrite -mean_scale; apply: mean_ext => x.
rewrite !steps_lawE -E_scale; last by exists C => e; exact: of_lengths_abs.
by apply: E_ext => e; apply: IH => l; have := FG (rcons l (pi, x, e)); rewrite cat_rcons.
Qed.

(* First a design, then episodes of the learner, of given lengths. *)
Definition then_lengths w ns ds F := by_design w ds [::] (fun h => of_lengths w ns h F).
Definition reweighted (k : nat) (pi : plays) (F : history -> R) (h : history) : R := learner (first_episodes k h) pi * F h.

Lemma reweighted_abs k pi F C : (forall h, Rabs (F h) <= C) -> forall h, Rabs (reweighted k pi F h) <= C.
Proof.
move=> FC h; rewrite /reweighted Rabs_mult; have l := probability_01 (learner_ok (first_episodes k h)) pi; rewrite Rabs_pos_eq; last by case: l.
by have := FC h; have := Rabs_pos (F h); nra.
Qed.

Lemma unroll w n ns ds F C : 0 <= C -> (forall h, Rabs (F h) <= C) -> then_lengths w (n :: ns) ds F =
  \sum_(pi : plays) \sum_(x : global) rho x * then_lengths w ns (rcons ds (pi, x, n)) (reweighted (size ds) pi F).
Proof.
move=> C0 FC; pose go pi x h := learner h pi * steps next w pi n x [::] (fun e => of_lengths w ns ((pi, x, e) :: h) F).
have bg pi x : bounded (go pi x).
  apply: bounded_mult; first by exists 1 => h; have := probability_01 (learner_ok h) pi; split_Rabs; lra.
  by exists C => h; apply: steps_abs => e _; exact: of_lengths_abs.
rewrite /then_lengths design_lawE (E_ext _ (g := fun h => \sum_(pi : plays) \sum_(x : global) rho x * go pi x h)) => [|h]; last first.
  rewrite /= /episode /mean; apply: eq_bigr => pi _; rewrite -sum_scale; apply: eq_bigr => x _; rewrite /go; ring.
rewrite E_sum => [|pi]; last by apply: bounded_sum => x; exact: bounded_scale.
apply: eq_bigr => pi _; rewrite E_sum => [|x]; last exact: bounded_scale.
apply: eq_bigr => x _; rewrite E_scale //; congr (_ * _); rewrite -design_lawE design_rcons; apply: design_same => h; rewrite addn0 => sz.
rewrite /go !steps_lawE -E_scale; last by exists C => e; exact: of_lengths_abs.
apply: E_ext => e; apply: esym; apply: (lengths_reach _ _ C0 FC) => l; rewrite /reweighted /first_episodes size_cat /= -sz.
by congr (learner _ _ * _); rewrite -addSnnS addnK -cat_rcons drop_size_cat // size_rcons.
Qed.

(* ---------------------------------------------------------------- The posterior *)
Variables (shows : Theta -> A -> S -> law_on O) (prior : law_on Theta) (post : history -> law_on Theta).
(* The functions of the history and the bandit that are spoken of; all of them, or those that are measurable. *)
Variable nice : (history -> Theta -> R) -> Prop.
Hypothesis nice_reweighted : forall k pi g, nice g -> nice (fun h t => reweighted k pi (g^~ t) h).
Hypothesis by_design_ok : forall ds g, nice g -> (exists C, forall h t, Rabs (g h t) <= C) ->
  prior (fun t => by_design (shows t) ds [::] (fun h => g h t)) = prior (fun t => by_design (shows t) ds [::] (fun h => post h (g h))).

Lemma conditional_lengths ns ds g C : nice g -> 0 <= C -> (forall h t, Rabs (g h t) <= C) ->
  prior (fun t => then_lengths (shows t) ns ds (g^~ t)) = prior (fun t => then_lengths (shows t) ns ds (fun h => post h (g h))).
Proof.
move=> ng C0; elim: ns ds g ng => [|n ns IH] ds g ng gC; first by apply: by_design_ok => //; exists C.
have pC h : Rabs (post h (g h)) <= C by exact: E_abs.
have swap f : (forall pi h t, Rabs (f pi h t) <= C) ->
  prior (fun t => \sum_(pi : plays) \sum_(x : global) rho x * then_lengths (shows t) ns (rcons ds (pi, x, n)) (f pi ^~ t)) =
  \sum_(pi : plays) \sum_(x : global) rho x * prior (fun t => then_lengths (shows t) ns (rcons ds (pi, x, n)) (f pi ^~ t)).
  move=> fC; have b pi x : bounded (fun t => then_lengths (shows t) ns (rcons ds (pi, x, n)) (f pi ^~ t)).
    by exists C => t; apply: design_abs => h; apply: of_lengths_abs => // h'; exact: fC.
  rewrite E_sum => [|pi]; last by apply: bounded_sum => x; exact: bounded_scale.
  apply: eq_bigr => pi _; rewrite E_sum => [|x]; last exact: bounded_scale.
  by apply: eq_bigr => x _; rewrite E_scale.
rewrite (E_ext _ (fun t => unroll (shows t) n ns ds C0 (gC^~ t))) [RHS](E_ext _ (fun t => unroll (shows t) n ns ds C0 pC)).
rewrite !swap => [|pi h t|pi h t]; [|exact: (reweighted_abs _ _ (fun h => pC h)) | exact: (reweighted_abs _ _ (gC^~ t))].
apply: eq_bigr => pi _; apply: eq_bigr => x _; congr (_ * _); rewrite (IH _ _ (nice_reweighted _ _ ng)); last first.
  by move=> h t; exact: (reweighted_abs _ _ (gC^~ t)).
apply: E_ext => t; congr (then_lengths _ _ _ _); apply: funext => h.
by rewrite /reweighted E_scale //; exists C => s.
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
have same N : part N g = part N gm.
  have first f : (forall h t, Rabs (f h t) <= C) -> part N f =
      over_lengths beta N K (fun ns => prior (fun t => then_lengths (shows t) ns [::] (f^~ t))).
    move=> fC; rewrite /part (E_ext _ (fun t => lengths_first next discount learner_ok rho_ok (shows t) N K [::] C0 (fC^~ t))).
    by apply: (E_lengths discount prior N K C0) => t ns; apply: of_lengths_abs => // h; exact: fC.
  by rewrite !first //; congr (over_lengths _ _ _ _); apply: funext => ns; exact: (conditional_lengths ns [::] ng C0 gC).
have near f N : (forall h t, Rabs (f h t) <= C) -> Rabs (total f - part N f) <= C * INR K * beta ^ N.
  move=> fC; have tr t := @law_truncated A S O next beta discount learner rho learner_ok rho_ok (shows t) N K [::] (fun h => f h t) C C0 (bounded_sized (fun h => fC h t)) (fun h _ => fC h t).
  have b1 : bounded (fun t => expected next beta learner rho (shows t) K (fun h => f h t)).
    by exists C => t; apply: (expected_abs next discount learner_ok rho_ok (shows t) K C0).
  have b2 : bounded (fun t => truncated next beta learner rho (shows t) N K (fun h => f h t)).
    by exists C => t; apply: (law_abs next discount learner_ok rho_ok (shows t) C0) => h _; exact: fC.
  by rewrite /total /part -(E_sub prior b1 b2); apply: E_abs => t; exact: tr.
change (total g = total gm); apply: Rminus_diag_uniq.
have close N : Rabs (total g - total gm) <= 0 + beta ^ N * (2 * (C * INR K)).
  by have := near g N gC; have := near gm N gmC; rewrite (same N); split_Rabs; lra.
by have := geometric_le discount (is_lim_seq_const _) close; split_Rabs; lra.
Qed.
End Design.

Section Psrl.
Variables (A S : finType) (O Theta : Type) (next : O -> S) (pays : O -> R) (beta : R) (rho : global A S -> R) (K : nat).
Variables (shows : Theta -> A -> S -> law_on O) (prior : law_on Theta) (best : Theta -> plays A S).
Variable post : history A S O -> law_on Theta.
Notation regret_of t := (expected_regret next beta (psrl best post) rho (shows t) (bandit_of next pays (shows t)) (best t) K).
Notation printed := (5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta).

(* The posterior is a conditional law of the bandit, whatever policies, initial states and lengths are fixed beforehand: for the
   bounded functions of a class, all or those that are jointly measurable. *)
Definition bayes_for (nice : (history A S O -> Theta -> R) -> Prop) := forall ds g, nice g -> (exists C, forall h t, Rabs (g h t) <= C) ->
  prior (fun t => by_design next (shows t) ds [::] (fun h => g h t)) = prior (fun t => by_design next (shows t) ds [::] (fun h => post h (g h))).
Definition bayes_by_design := bayes_for (fun _ => True).

Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (A1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat).

(* The class must hold the two functions of MbPsrl.v and, with a function, its products with the chances of what MB-PSRL played
   after the first k episodes: so do all functions, and those that are jointly measurable (MeasurablePosterior.v). *)
Variable nice : (history A S O -> Theta -> R) -> Prop.
Definition holds_what_is_used := [/\ nice (own_value next pays beta rho shows best), nice (strays_from next pays shows K)
  & forall k pi g, nice g -> nice (fun h t => psrl best post (first_episodes k h) pi * g h t)].
Hypotheses (used : holds_what_is_used) (bayes : bayes_for nice).

(* For every prior and every law of observations the Bayesian regret of MB-PSRL is at most width_bound + 4 B:
   B sqrt(2 L) (SnB + 2 sqrt(SnKB)) + 4 B, where L = log(2^S SnK (KB+1)).
   ledger: beyond:psrl *)
Theorem psrl_bound : (1 <= K)%nat -> prior (fun t => regret_of t) <= width_bound A S K beta + 4 * (1 / (1 - beta)).
Proof.
move=> K1; have [n1 n2 closed] := used; have cond g C k : nice g -> 0 <= C -> (forall h t, Rabs (g h t) <= C) ->
    joint next beta rho shows prior best post k g = joint next beta rho shows prior best post k (fun h _ => post h (g h)).
  by move=> ng C0 gC; exact: (@conditional_on_run A S O Theta next beta discount _ rho (psrl_ok best post) rho_ok shows prior post nice closed bayes k g C ng C0 gC).
apply: psrl_bound_alike => // k _.
- apply: (cond _ (1 / (1 - beta))) => // [|h t]; first exact: top_nonneg.
  have r := value_range next discount rho_ok pays_unit shows t (best t).
  by rewrite /own_value Rabs_pos_eq; case: r.
- by apply: (cond _ 1) => // [|h t]; [lra | exact: indicator_abs].
Qed.

(* BayReg(K, MB-PSRL, prior) <= (5/2) (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta), for every prior and every law.
   ledger: thm:regret_upper_bound thm:regret_upper_bound/psrl psrl:last-display *)
Theorem mb_psrl_regret : (2 <= K)%nat -> prior (fun t => regret_of t) <= printed.
Proof.
move=> K2; have K1 : (1 <= K)%nat by exact: ltnW.
apply: (widths_printed discount K2 A1 S1 _ _ _ _ (psrl_bound K1)).
- by lra. - by lra. - by lra.
have each t := expected_regret_abs next discount (psrl_ok best post) rho_ok (shows t) (fun x => best t x)
  (bandit_markovian next pays (shows t)) (bandit_unit next pays_unit (shows t)) K.
rewrite -(E_const prior (INR K * (1 / (1 - beta)))); apply: E_le; [| exact: by_const |] => [|t].
  by exists (INR K * (1 / (1 - beta))).
by apply: Rle_trans (Rle_abs _) _; exact: each.
Qed.
End Psrl.
