(* The third display of the analysis of MB-UCBVI summed over K episodes: on the events, the gaps of concentration of
   all episodes, in the mean over the whole run of an adaptive learner, for any fixed horizons and initial states. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Rcomplements.
From kernel Require Import Sums Values Bandits Horizon UcbviOptimism DoubleSum UcbviEpisode.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Run.
(* O is what one activation shows, the next state of the arm among it. *)
Variables (A S O : finType) (M : model A S) (shows : A -> S -> O -> R) (next : O -> S).
Hypothesis hM : markovian M.
Hypothesis shows_ok : forall a s, probability (shows a s).
Hypothesis rows_shown : forall a s y, row M a s y = \sum_(o : O) if next o == y then shows a s o else 0.

Definition cell := prod_finType A S.
(* O_{k-1}: cells and what they showed, the latest first. *)
Definition observations := seq (cell * O).
Implicit Types (past : observations) (e : seq cell) (x : state A S) (pi : policy A S).

Definition count past (a : A) (s : S) : nat := count_mem ((a, s) : cell) [seq p.1 | p <- past].

(* The mean of F over the next h steps under pi from x; e lists the cells of the episode. *)
Fixpoint episode pi h x e past (F : seq cell -> observations -> R) : R :=
  if h is h'.+1 then
    mean (shows (pi x) (x (pi x))) (fun o =>
      episode pi h' (moved x (pi x) (next o)) (rcons e (pi x, x (pi x))) (((pi x, x (pi x)), o) :: past) F)
  else F e past.

(* What is learnt: a policy for each past. Horizons and initial states of the episodes are given. *)
Variable learner : observations -> policy A S.

(* The mean, over the run of all episodes, of the sum of what each costs given its past. *)
Fixpoint run_cost (cost : observations -> nat -> state A S -> R) (episodes : seq (nat * state A S)) past : R :=
  if episodes is (h, x) :: later then
    cost past h x + episode (learner past) h x [::] past (fun _ past' => run_cost cost later past')
  else 0.

(* The mean of F over the cells of all episodes. *)
Fixpoint run (episodes : seq (nat * state A S)) past (done : seq (seq cell)) (F : seq (seq cell) -> R) : R :=
  if episodes is (h, x) :: later then
    episode (learner past) h x [::] past (fun e past' => run later past' (rcons done e) F)
  else F done.

Lemma mean_shown a s f : mean (row M a s) f = mean (shows a s) (fun o => f (next o)).
Proof.
rewrite /mean; under eq_bigr do rewrite rows_shown -sum_scale_r.
rewrite exchange_big /=; apply: eq_bigr => o _; rewrite -(sum_single (next o) (fun y => shows a s o * f y)).
by apply: eq_bigr => y _; rewrite eq_sym; case: eqP => _; lra.
Qed.

Lemma episode_le pi h x e past base F G : [seq p.1 | p <- past] = rev e ++ base ->
  (forall e' past', [seq p.1 | p <- past'] = rev e' ++ base -> size e' = (size e + h)%nat -> F e' past' <= G e' past') ->
  episode pi h x e past F <= episode pi h x e past G.
Proof.
elim: h x e past => [|h IH] x e past hp FG /=; first by apply: FG => //; rewrite addn0.
apply: mean_le => o; first exact: (proj1 (shows_ok _ _)).
apply: IH => [|e' past' he se]; first by rewrite /= hp rev_rcons.
by apply: FG => //; rewrite se size_rcons addSnnS.
Qed.

Lemma episode_const pi h x e past c : episode pi h x e past (fun _ _ => c) = c.
Proof.
elim: h x e past => [|h IH] x e past //=.
by rewrite (mean_ext _ (g := fun _ => c)) => [|o]; [exact: mean_of_const | exact: IH].
Qed.

(* A sum over the cells of an episode has the mean of Lemma regret_decomposition. *)
Lemma episode_sum pi g h x e past (G : observations -> R) :
  episode pi h x e past (fun e' past' => \sum_(c <- e') g c.1 c.2 + G past') =
  \sum_(c <- e) g c.1 c.2 + along M pi g h x + episode pi h x e past (fun _ past' => G past').
Proof.
elim: h x e past => [|h IH] x e past; first by rewrite /along /=; lra.
rewrite along_step mean_P mean_shown /=.
rewrite (mean_ext _ (fun o => IH (moved x (pi x) (next o)) (rcons e (pi x, x (pi x))) (((pi x, x (pi x)), o) :: past))).
rewrite !mean_add mean_of_const; last exact: shows_ok.
by rewrite -cats1 big_cat /= big_seq1 -!Rplus_assoc.
Qed.

Lemma double_sum_rcons (old : seq cell) done e : double_sum old (rcons done e) =
  double_sum old done + \sum_(c <- e) weight (count_mem c (old ++ flatten done)).
Proof.
elim: done old => [|d done IH] old /=; first by rewrite cats0 Rplus_comm.
by rewrite IH catA Rplus_assoc.
Qed.

(* Lemma sum's double sum, in the mean. *)
Lemma run_double_sum episodes past done :
  (forall c, count_mem c [seq p.1 | p <- past] = count_mem c (flatten done)) ->
  double_sum [::] done + run_cost (fun past' => along M (learner past') (fun a s => weight (count past' a s))) episodes past
  <= run episodes past done (double_sum [::]).
Proof.
elim: episodes past done => [|[h x] later IH] past done same /=; first lra.
pose rest past' := run_cost (fun past' => along M (learner past') (fun a s => weight (count past' a s))) later past'.
have step := @episode_le (learner past) h x [::] past [seq p.1 | p <- past]
  (fun e past' => \sum_(c <- e) weight (count past c.1 c.2) + (double_sum [::] done + rest past'))
  (fun e past' => run later past' (rcons done e) (double_sum [::])) (erefl _).
apply: Rle_trans (step _) => [|e past' he _].
  rewrite (episode_sum (learner past) (fun a s => weight (count past a s)) h x [::] past (fun past' => double_sum [::] done + rest past')).
  rewrite big_nil.
  have split_const h' x' e' p' : episode (learner past) h' x' e' p' (fun _ past' => double_sum [::] done + rest past') =
      double_sum [::] done + episode (learner past) h' x' e' p' (fun _ past' => rest past').
    elim: h' x' e' p' => [|h' IHh] x' e' p' //=.
    by rewrite (mean_ext _ (fun o => IHh _ _ _)) mean_add mean_of_const.
  rewrite split_const /rest Rplus_0_l -!Rplus_assoc (Rplus_comm (along _ _ _ _ _)); exact: Rle_refl.
apply: Rle_trans (IH past' (rcons done e) _) => [|c]; last first.
  by rewrite he flatten_rcons !count_cat count_rev same addnC.
rewrite double_sum_rcons cat0s /rest; apply: Req_le.
rewrite (eq_bigr (fun c => weight (count_mem c (flatten done)))) => [|[a s] _]; last by rewrite /count same.
by rewrite -Rplus_assoc (Rplus_comm (double_sum _ _)).
Qed.

Lemma run_at_most episodes past done F B :
  (forall d, [seq size e | e <- d] = [seq size e | e <- done] ++ [seq p.1 | p <- episodes] -> F d <= B) ->
  run episodes past done F <= B.
Proof.
elim: episodes past done => [|[h x] later IH] past done hF /=; first by apply: hF; rewrite cats0.
rewrite -(episode_const (learner past) h x [::] past B).
apply: (@episode_le _ h x [::] past [seq p.1 | p <- past]) => // e past' _ se.
by apply: IH => d hd; apply: hF; rewrite hd map_rcons -cats1 -catA se.
Qed.

Definition longest_horizon (episodes : seq (nat * state A S)) : nat := foldr maxn 0%nat [seq p.1 | p <- episodes].

Lemma longest_sizes (d : seq (seq cell)) : longest d = foldr maxn 0%nat [seq size e | e <- d].
Proof. by elim: d => [|e d IH] //=; rewrite IH. Qed.

(* Lemma sum for an adaptive learner, in the mean.
   step of: lem:sum ucbvi/sum *)
Theorem expected_double_sum episodes : let K := size episodes in let H := longest_horizon episodes in
  run_cost (fun past => along M (learner past) (fun a s => weight (count past a s))) episodes [::] <=
  INR (#|cell| * H) + 2 * sqrt (INR (#|cell| * K * H)).
Proof.
move=> K H; have := run_double_sum episodes (past := [::]) (done := [::]) (fun _ => erefl _).
rewrite [double_sum _ _]/= Rplus_0_l => le; apply: Rle_trans le _; apply: run_at_most => d /= hd.
have eH : longest d = H by rewrite longest_sizes hd.
have eK : size d = K by rewrite -(size_map size d) hd size_map.
by have := lemma_sum d; rewrite /= eH eK.
Qed.

Lemma episode_scale pi h x e past c (G : observations -> R) :
  episode pi h x e past (fun _ past' => c * G past') = c * episode pi h x e past (fun _ past' => G past').
Proof. by elim: h x e past => [|h IH] x e past //=; rewrite (mean_ext _ (fun o => IH _ _ _)) mean_scale. Qed.

Lemma run_cost_le cost cost' c episodes past : (forall past' h x, (h, x) \in episodes -> cost past' h x <= c * cost' past' h x) ->
  run_cost cost episodes past <= c * run_cost cost' episodes past.
Proof.
elim: episodes past => [|[h x] later IH] past le /=; first lra.
have l1 := le past h x (mem_head _ _).
have l2 := @episode_le (learner past) h x [::] past [seq p.1 | p <- past]
  (fun _ past' => run_cost cost later past') (fun _ past' => c * run_cost cost' later past') (erefl _)
  (fun _ past' _ _ => IH past' (fun p' h' x' hin => le p' h' x' (mem_behead (s := (h, x) :: later) hin))).
rewrite episode_scale in l2; apply: Rle_trans (Rplus_le_compat _ _ _ _ l1 l2) _.
by rewrite Rmult_plus_distr_l; exact: Rle_refl.
Qed.

Lemma longest_ge episodes h x : (h, x) \in episodes -> (h <= longest_horizon episodes)%nat.
Proof.
elim: episodes => [|p later IH] //; rewrite inE /longest_horizon /= => /orP [/eqP <-|hin]; first exact: leq_maxl.
by apply: leq_trans (IH hin) _; exact: leq_maxr.
Qed.

(* ---------------------------------------------------------------- MB-UCBVI *)

(* Its estimates and its L_{k-1} are functions of the past, and so is whether it is on the event. *)
Variables (beta : R) (rhat : observations -> A -> S -> R) (Qhat : observations -> A -> S -> S -> R).
Variables (L : observations -> R) (pistar : policy A S) (good : observations -> bool) (LK : R).
Hypotheses (discount : is_discount beta) (means : forall past a s, 0 <= rhat past a s <= 1).
Hypothesis rows : forall past a s, probability (Qhat past a s).
Hypothesis large_LK : 4/3 <= LK.
Hypothesis on_events : forall past, good past ->
  4/3 <= L past <= LK /\ on_event beta M (rhat past) (Qhat past) (count past) (L past) pistar.

(* M_k. *)
Definition optimistic past : model A S := bonus_model (rhat past) (Qhat past) (bonus beta (count past) (L past)).

(* W_{M_k,1:H} - W_{M,1:H} under pi_k on the event, and 0 off it. *)
Definition gap past h x : R :=
  if good past then W (optimistic past) (learner past) h x - W M (learner past) h x else 0.

(* For any horizons and initial states: the sum over K episodes of Delta^conc_k on the events, in the mean over the run,
   is at most 2 L_K (L_K + sqrt S)/(1-beta) max H (S n max H + 2 sqrt(S n K max H)). The policies may be any; horizons
   are fixed (those of the paper are drawn independently of the run). Added: L_{k-1} >= 4/3, from k = 2 on, and a state
   that was not visited has an estimated row that is some probability.
   ledger: ucbvi/sum/fixed-horizons
   step of: thm:regret_upper_bound/ucbvi ucbvi/sum *)
Theorem gaps_of_ucbvi episodes : (0 < #|S|)%nat ->
  let Sn := (#|A| * #|S|)%nat in let K := size episodes in let H := longest_horizon episodes in
  run_cost gap episodes [::] <=
  2 * LK * (LK + sqrt (INR #|S|)) / (1 - beta) * (INR H * (INR (Sn * H) + 2 * sqrt (INR (Sn * K * H)))).
Proof.
move=> S1 Sn K H; have pos : 0 < 1 - beta by case: discount; lra.
pose c := 2 * LK * (LK + sqrt (INR #|S|)) / (1 - beta) * INR H.
have root := sqrt_pos (INR #|S|).
have c0 : 0 <= c.
  by apply: Rmult_le_pos; [apply: Rdiv_le_0_compat => //; nra | exact: pos_INR].
have along0 past h x : 0 <= along M (learner past) (fun a s => weight (count past a s)) h x.
  apply: total_nonneg => [|y]; first exact: sub_policy (P_sub hM) (learner past).
  by have := weight_range (count past (learner past y) (y (learner past y))); lra.
have each past h x : (h, x) \in episodes ->
    gap past h x <= c * along M (learner past) (fun a s => weight (count past a s)) h x.
  move=> hin; rewrite /gap; case: ifP => [/on_events [[large small] event]|_]; last exact: Rmult_le_pos.
  have hH : INR h <= INR H by apply: le_INR; apply/leP; exact: longest_ge hin.
  have nonneg a s : 0 <= reward (optimistic past) a s.
    by have := @Mk_rewards _ _ _ (rhat past) (Qhat past) (count past) (L past) discount (means past) large a s; case.
  case: h hin hH => [|h] hin hH; first by rewrite /W /along /=; lra.
  have d := regret_decomposition hM (Mk := optimistic past) (rows past) nonneg (H := h.+1) x
    (@total_in_Mk _ _ _ (rhat past) (Qhat past) (count past) (L past) (learner past) discount (means past) (rows past) large h.+1).
  apply: Rle_trans d _; rewrite -along_scale; apply: total_le => [|y].
    exact: sub_policy (P_sub hM) (learner past).
  have w := weight_range (count past (learner past y) (y (learner past y))).
  apply: Rle_trans (cost_of_activation discount large event (learner past y) (y (learner past y)) (ltn0Sn h) S1) _.
  rewrite -Rmult_assoc; apply: Rmult_le_compat_r; first lra.
  have h0 := pos_INR h.+1.
  apply: Rmult_le_compat => //.
    by apply: Rdiv_le_0_compat => //; nra.
  by apply: Rmult_le_compat_r; [left; exact: Rinv_0_lt_compat | nra].
apply: Rle_trans (run_cost_le [::] (fun past' h x => @each past' h x)) _.
rewrite -Rmult_assoc -/c; apply: Rmult_le_compat_l => //.
by have := expected_double_sum episodes; rewrite /= card_prod.
Qed.
End Run.
