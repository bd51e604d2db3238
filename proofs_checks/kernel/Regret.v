(* The expected regret as a mean over the law of histories, and what it is episode by episode. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Concentration.
From kernel Require Import History.

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
End Means.
