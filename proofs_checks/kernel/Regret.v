(* The expected regret as a mean over the law of histories; what it is episode by episode; the Bayesian regret of MB-PSRL
   without its model gap; and the law of the longest of K episodes, which is the one of the project's Moments.v. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Horizons Moments Concentration.
From kernel Require Import History Bayes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Means.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation lawN N := (law next learner rho shows (at_most_long beta N)).
Notation mean_of K F := (expected next beta learner rho shows K F).

Lemma steps_add pi n x e F G :
  steps next shows pi n x e (fun e' => F e' + G e') = steps next shows pi n x e F + steps next shows pi n x e G.
Proof. by elim: n x e => [|n IH] x e //=; rewrite -mean_add; apply: mean_ext => o; exact: IH. Qed.

Lemma cut_add N f g : at_most_long beta N (fun n => f n + g n) = at_most_long beta N f + at_most_long beta N g.
Proof. by rewrite /at_most_long -sum_to_add; apply: sum_to_ext => m _; ring. Qed.

Lemma law_add N K h F G : lawN N K h (fun h' => F h' + G h') = lawN N K h F + lawN N K h G.
Proof.
elim: K h => [|K IH] h //=; rewrite /episode -mean_add; apply: mean_ext => pi; rewrite -mean_add; apply: mean_ext => x.
by rewrite -cut_add; apply: cut_ext => n; rewrite -steps_add; apply: steps_ext => e; exact: IH.
Qed.

(* The last episode last. *)
Lemma law_last N K h F : lawN N K.+1 h F = lawN N K h (fun h' => episode next learner rho shows (at_most_long beta N) h' F).
Proof.
elim: K h => [|K IH] h //; rewrite [LHS]/= [RHS]/= /episode; apply: mean_ext => pi; apply: mean_ext => x.
by apply: cut_ext => n; apply: steps_ext => e; exact: IH.
Qed.

Lemma expected_add K F G C D : 0 <= C -> 0 <= D -> bounded_after K [::] F C -> bounded_after K [::] G D ->
  mean_of K (fun h => F h + G h) = mean_of K F + mean_of K G.
Proof.
move=> C0 D0 FC GD.
have FGCD : bounded_after K [::] (fun h => F h + G h) (C + D).
  by move=> h sz; apply: Rle_trans (Rabs_triang _ _) _; have := FC h sz; have := GD h sz; lra.
have lF := expected_is_limit (next := next) discount learner_ok rho_ok shows_ok C0 FC.
have lG := expected_is_limit (next := next) discount learner_ok rho_ok shows_ok D0 GD.
have lFG := expected_is_limit (next := next) discount learner_ok rho_ok shows_ok (Rplus_le_le_0_compat _ _ C0 D0) FGCD.
have l := is_lim_seq_plus' _ _ _ _ lF lG.
have l' : is_lim_seq (fun N => truncated next beta learner rho shows N K (fun h => F h + G h)) (mean_of K F + mean_of K G).
  by apply: is_lim_seq_ext l => N; rewrite /truncated law_add.
by have := is_lim_seq_unique _ _ lFG; rewrite (is_lim_seq_unique _ _ l') => e; case: e.
Qed.

Lemma expected_scale K F c C : 0 <= C -> bounded_after K [::] F C -> mean_of K (fun h => c * F h) = c * mean_of K F.
Proof.
move=> C0 FC; have FC' : bounded_after K [::] (fun h => c * F h) (Rabs c * C).
  by move=> h sz; rewrite Rabs_mult; apply: Rmult_le_compat_l; [exact: Rabs_pos | exact: FC].
have l := expected_is_limit (next := next) discount learner_ok rho_ok shows_ok (Rmult_le_pos _ _ (Rabs_pos c) C0) FC'.
have l' : is_lim_seq (fun N => truncated next beta learner rho shows N K (fun h => c * F h)) (c * mean_of K F).
  apply: (is_lim_seq_ext (fun N => c * truncated next beta learner rho shows N K F)) => [N|]; first by rewrite /truncated law_scale.
  exact: (is_lim_seq_scal_l _ c _ (expected_is_limit (next := next) discount learner_ok rho_ok shows_ok C0 FC)).
by have := is_lim_seq_unique _ _ l; rewrite (is_lim_seq_unique _ _ l') => e; case: e.
Qed.

(* ---------------------------------------------------------------- The regret *)

Variables (M : model A S) (pistar : policy A S).
Hypotheses (hM : markovian M) (unit : unit_rewards M).
Let top := 1 / (1 - beta).

Lemma top_nonneg : 0 <= top. Proof. by case: discount => b0 b1; apply: Rdiv_le_0_compat; lra. Qed.

(* eq:regretTraj: what the policies of a history lose, each from the state in which its episode began. *)
Definition gap (pi : plays A S) (x : global A S) : R := V beta M pistar x - V beta M (fun y => pi y) x.
Definition round_gap (r : round A S O) : R := let: (pi, x, _) := r in gap pi x.
Definition regret (h : history A S O) : R := \sum_(r <- h) round_gap r.

(* E[Reg(K, L, M)], over the learner's coins, initial states, geometric lengths, rewards and transitions. *)
Definition expected_regret (K : nat) : R := mean_of K regret.

(* What the next episode costs given the past. *)
Definition loss (h : history A S O) : R := mean (learner h) (fun pi => mean rho (fun x => gap pi x)).

Lemma gap_abs pi x : Rabs (gap pi x) <= top.
Proof.
have := V_range discount hM pistar unit x; have := V_range discount hM (fun y => pi y) unit x.
by rewrite -/top /gap => h1 h2; apply: Rabs_le; lra.
Qed.

Lemma loss_abs h : Rabs (loss h) <= top.
Proof. by apply: mean_abs1 => // [|pi]; [exact: top_nonneg | apply: mean_abs1 => // [|x]; [exact: top_nonneg | exact: gap_abs]]. Qed.

Lemma regret_abs h : Rabs (regret h) <= INR (size h) * top.
Proof.
elim: h => [|[[pi x] e] h IH]; first by rewrite /regret sum_nil Rabs_R0 /=; lra.
rewrite /regret sum_cons -/(regret h) [size _]/= S_INR; apply: Rle_trans (Rabs_triang _ _) _.
by have := gap_abs pi x; rewrite /=; lra.
Qed.

Lemma episode_regret N h : episode next learner rho shows (at_most_long beta N) h regret =
  (1 - beta ^ N) * (loss h + regret h).
Proof.
have shift (c : R) : at_most_long beta N (fun _ => c) = (1 - beta ^ N) * c by exact: (at_most_long_const beta N c).
rewrite /episode (mean_ext _ (g := fun pi => (1 - beta ^ N) * (mean rho (fun x => gap pi x) + regret h))).
  by rewrite mean_scale (mean_add _ (fun pi => mean rho (fun x => gap pi x)) (fun _ => regret h)) (mean_of_const _ (learner_ok h)).
move=> pi; rewrite (mean_ext _ (g := fun x => (1 - beta ^ N) * (gap pi x + regret h))).
  by rewrite mean_scale (mean_add _ (fun x => gap pi x) (fun _ => regret h)) (mean_of_const _ rho_ok).
move=> x; rewrite -shift; apply: cut_ext => n.
rewrite -[RHS](@steps_const A S O next shows shows_ok pi n x [::]).
by apply: steps_ext => e; rewrite /regret sum_cons.
Qed.

(* ---------------------------------------------------------------- The longest episode *)

Definition longest_of (h : history A S O) : nat := foldr maxn 0%nat [seq size r.2 | r <- h].

Lemma steps_size pi n x e (f : nat -> R) : steps next shows pi n x e (fun e' => f (size e')) = f (n + size e)%nat.
Proof.
elim: n x e => [|n IH] x e //=.
rewrite (mean_ext _ (g := fun _ => f (n.+1 + size e)%nat)); first by rewrite mean_of_const.
by move=> o; rewrite IH /= addSnnS.
Qed.

Lemma law_longest N K h m : (m <= N)%nat ->
  lawN N K h (fun h' => indicator (longest_of h' <= m)%nat) = indicator (longest_of h <= m)%nat * at_most beta m ^ K.
Proof.
move=> mN; elim: K h => [|K IH] h /=; first by ring.
rewrite /episode (mean_ext _ (g := fun _ => indicator (longest_of h <= m)%nat * (at_most beta m * at_most beta m ^ K))).
  by rewrite mean_of_const.
move=> pi; rewrite (mean_ext _ (g := fun _ => indicator (longest_of h <= m)%nat * (at_most beta m * at_most beta m ^ K))).
  by rewrite mean_of_const.
move=> x; pose f n := indicator (longest_of h <= m)%nat * at_most beta m ^ K * indicator (n <= m)%nat.
rewrite (@cut_ext beta N _ f); last first.
  move=> n; rewrite -[n in f n]addn0 -[0%nat]/(size (@nil (step A S O))) -(steps_size pi n x [::] f).
  apply: steps_ext => e; rewrite IH /f [longest_of _]/= geq_max andbC; case: (longest_of h <= m)%nat; rewrite /indicator /=; ring.
have part k : \sum_(j < k) (chance beta j * indicator (j.+1 <= m)%nat) = at_most beta (minn m k).
  elim: k => [|k IHk]; first by rewrite minn0.
  rewrite sum_recr IHk; case: (ltnP k m) => km; rewrite /indicator.
    by rewrite (minn_idPr km) /at_most sum_recr /geometric /chance /=; ring.
  by rewrite (minn_idPl (leqW km)); ring.
rewrite /at_most_long (sum_to_ext (g := fun j => indicator (longest_of h <= m)%nat * at_most beta m ^ K *
  (chance beta j * indicator (j.+1 <= m)%nat))); last by move=> j _; rewrite /f; ring.
by rewrite sum_to_scale part (minn_idPl mN); ring.
Qed.

(* P(max_k H_k <= m) on the law of histories is what Moments.v calls max_at_most, whatever the learner.
   step of: lem:moment *)
Theorem longest_law K m : mean_of K (fun h => indicator (longest_of h <= m)%nat) = max_at_most beta K m.
Proof.
have b1 : bounded_after K [::] (fun h => indicator (longest_of h <= m)%nat) 1 by move=> h _; exact: indicator_abs.
have l := expected_is_limit (next := next) discount learner_ok rho_ok shows_ok Rle_0_1 b1.
have l' : is_lim_seq (fun N => truncated next beta learner rho shows N K (fun h => indicator (longest_of h <= m)%nat))
    (max_at_most beta K m).
  apply: (is_lim_seq_ext_loc (fun _ => max_at_most beta K m)); last exact: is_lim_seq_const.
  exists m => N /leP mN; rewrite /truncated law_longest // /longest_of /= /indicator /max_at_most; ring.
by have := is_lim_seq_unique _ _ l; rewrite (is_lim_seq_unique _ _ l') => e; case: e.
Qed.
End Means.
