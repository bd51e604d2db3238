(* The law of the run where observations are finitely many (History.v) is that of LawOfRun.v for finite laws: the two are one by
   computation. Histories of few episodes and steps are finitely many, so that every function is tame, and the sums of Frozen.v
   hold without that hypothesis. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Horizon Concentration DoubleSum.
From kernel Require Import History Regret FrozenCounts FrozenUses LengthsFirst.
From kernel Require Laws LawOfRun Truncation Frozen Radii SecondSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Finite.
Variables (A S O : finType).
Notation history := (history A S O).

Lemma few_lists (X : finType) m : exists s : seq (seq X), forall e, (size e <= m)%nat -> e \in s.
Proof.
elim: m => [|m [s sm]]; first by exists [:: [::]] => e; rewrite leqn0 => /nilP ->; rewrite inE.
exists ([::] :: [seq x :: e | x <- enum X, e <- s]) => [[|x e]] // em; rewrite inE /=.
by apply/allpairsP; exists (x, e); split=> //; [exact: mem_enum | exact: sm].
Qed.

Lemma few_runs m : exists s : seq history, forall h, (Truncation.mass h <= m)%nat -> h \in s.
Proof.
elim: m => [|m [s sm]]; first by exists [:: [::]] => [[|r h]].
have [l lm] := few_lists [finType of (global A S * A * O)%type] m.
exists ([::] :: [seq r :: h | r <- [seq (p, e) | p <- enum [finType of (plays A S * global A S)%type], e <- l], h <- s]).
case=> [|[p e] h] // hm; rewrite inE /=; move: hm; rewrite /Truncation.mass Truncation.duration_cons /= addSn ltnS => hm.
apply/allpairsP; exists ((p, e), h); split=> //=.
  apply/allpairsP; exists (p, e); split=> //=; first exact: mem_enum.
  by apply: lm; apply: leq_trans hm; rewrite addnCA leq_addr.
by apply: sm; apply: leq_trans hm; rewrite /Truncation.mass leq_add2l leq_addl.
Qed.

Lemma one_of_many (T : eqType) (s : seq T) (f : T -> R) x : x \in s -> Rabs (f x) <= \sum_(y <- s) Rabs (f y).
Proof.
elim: s => [|y s IH] //; rewrite inE sum_cons => /orP [/eqP ->|/IH le]; last by have := Rabs_pos (f y); lra.
by have : 0 <= \sum_(z <- s) Rabs (f z); [elim: s {IH} => [|z s IH]; rewrite ?sum_nil ?sum_cons; [lra | have := Rabs_pos (f z); lra] | lra].
Qed.

Lemma finite_tame (F : history -> R) : Truncation.tame F.
Proof. by move=> m; have [s sm] := few_runs m; exists (\sum_(h <- s) Rabs (F h)) => h /sm; exact: one_of_many. Qed.

Lemma finite_tame2 (g : history -> history -> R) : Frozen.tame2 g.
Proof.
move=> m; have [s sm] := few_runs m; exists (\sum_(h <- s) Rabs (\sum_(h' <- s) Rabs (g h h'))) => h h' /sm hs /sm hs'.
apply: Rle_trans (one_of_many (fun h => \sum_(h' <- s) Rabs (g h h')) hs).
exact: Rle_trans (one_of_many (g h) hs') (Rle_abs _).
Qed.
End Finite.

Section Runs.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation laws := (fun a s => Laws.finite_law (shows_ok a s)).
Notation cell := (cell A S).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Notation episodeN N := (episode next learner rho shows (at_most_long beta N)).
Let B := 1 / (1 - beta).

Lemma law_over_episodes N K (g g' : history A S O -> history A S O -> R) :
  (forall h, episodeN N h (g h) <= episodeN N h (g' h)) -> cut_mean N K (over_episodes g) <= cut_mean N K (over_episodes g').
Proof.
exact: (@Frozen.law_over_episodes A S O next beta discount learner rho learner_ok rho_ok laws N K g g' (finite_tame2 _) (finite_tame2 _)).
Qed.

Lemma frozen_counts_of_run (w : history A S O -> R) : (forall h, 0 <= w h) -> (forall r h, w h <= w (r :: h)) ->
  forall f : nat -> R, (forall n, 0 <= f n) -> (forall n, f n.+1 <= f n) -> forall N K,
  cut_mean N K (frozen w f) <= INR #|cell| * (B * f 0%nat * cut_mean N K (last_weight w)) +
    cut_mean N K (fun h => last_weight w h * \sum_(c : cell) running f (count_of c h)).
Proof.
move=> w0 wS f f0 fS N K.
exact: (@Frozen.frozen_counts_of_run A S O next beta discount learner rho learner_ok rho_ok laws w (finite_tame w) w0 wS f f0 fS N K).
Qed.

Lemma visits_total (s : past cell O) : \sum_(c : cell) INR (visits c s) = INR (size s).
Proof. exact: Frozen.visits_total. Qed.

(* E sum_k w_k sum_{t in k} 1/max(1,N_{k-1}(c_t)) <= S n E[w_K (B + 2 + log max(1,T))]. *)
Lemma frozen_inverses (w : history A S O -> R) N K : (forall h, 0 <= w h) -> (forall r h, w h <= w (r :: h)) ->
  cut_mean N K (frozen w inverse) <= INR #|cell| * (B * cut_mean N K (last_weight w)) +
    cut_mean N K (fun h => last_weight w h * (INR #|cell| * (2 + ln (INR (maxn 1 (duration h)))))).
Proof.
exact: (@SecondSum.frozen_inverses A S O next beta discount learner rho learner_ok rho_ok laws K w N (finite_tame w)).
Qed.

Lemma mean_of_constant N K c : 0 <= c -> cut_mean N K (fun _ => c) <= c.
Proof. exact: (@Truncation.law_const_le A S O next beta discount learner rho learner_ok rho_ok laws N K [::] c). Qed.

Lemma mean_duration N K : cut_mean N K (fun h => INR (duration h)) <= INR K * B.
Proof. exact: (@Frozen.mean_duration A S O next beta discount learner rho learner_ok rho_ok laws N K). Qed.

Section Bonus.
Variables (C : R) (K : nat).
Hypotheses (C_large : 1 <= C) (K1 : (1 <= K)%nat) (C1 : (1 <= #|cell|)%nat).

Lemma mean_log_time N : cut_mean N K (log_time C) <= log_horizon beta C K.
Proof. exact: (@Frozen.mean_log_time A S O next beta discount learner rho learner_ok rho_ok laws C K C_large K1 N). Qed.

Lemma bonus_sum N : cut_mean N K (frozen (fun h => sqrt (log_time C h)) weight) <=
  INR #|cell| * (B * sqrt (log_horizon beta C K)) + 2 * (sqrt (log_horizon beta C K) * sqrt (INR #|cell| * (INR K * B))).
Proof. exact: (@Frozen.bonus_sum A S O next beta discount learner rho learner_ok rho_ok laws C K C_large K1 C1 N). Qed.
End Bonus.

Lemma draws_are c l s F : draws (mu shows c) l s F = Laws.draws (LawOfRun.mu laws c) l s F.
Proof. by elim: l s => [|l IH] s //=; apply: mean_ext => o; exact: IH. Qed.

(* The expected regret is the sum over the episodes of what each costs in the mean. *)
Lemma regret_by_episodes (M : model A S) (pistar : policy A S) K : markovian M -> unit_rewards M ->
  expected_regret next beta learner rho shows M pistar K = \sum_(k < K) expected next beta learner rho shows k (loss beta learner rho M pistar).
Proof.
move=> hM unit.
exact: (@Truncation.regret_by_episodes A S O next beta discount learner rho learner_ok rho_ok laws M pistar hM unit K).
Qed.

End Runs.
