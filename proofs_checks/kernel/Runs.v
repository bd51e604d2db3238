(* The law of a run: n steps of a policy show n observations, whose chance is the product of the chances of each. Totals and
   discounted values, which are defined by recursion, are means under it. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon History Confidence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Runs.
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (shows : A -> S -> O -> R) (pi : policy A S).
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation M := (bandit_of next pays shows).
Implicit Type x : state A S.

Definition seen_at x : O -> R := shows (pi x) (x (pi x)).
Definition goes_on x (o : O) : state A S := moved x (pi x) (next o).

(* The chance that the steps from x show os; and what they pay, step t times b^t. *)
Fixpoint run_chance x (os : seq O) : R := if os is o :: later then seen_at x o * run_chance (goes_on x o) later else 1.
Fixpoint run_pays (b : R) (os : seq O) : R := if os is o :: later then pays o + b * run_pays b later else 0.

(* The mean over the runs of n steps from x. *)
Definition over_runs (n : nat) x (F : seq O -> R) : R := mean (fun os : n.-tuple O => run_chance x os) (fun os => F os).

Lemma over_runs_0 x F : over_runs 0 x F = F [::].
Proof.
rewrite /over_runs /mean (eq_bigr (fun _ => F [::])) => [|os _]; last by rewrite (tuple0 os) /=; ring.
by rewrite sum_const card_tuple expn0 /=; ring.
Qed.

Lemma over_runs_step n x F : over_runs n.+1 x F = mean (seen_at x) (fun o => over_runs n (goes_on x o) (fun later => F (o :: later))).
Proof.
rewrite /over_runs /mean (reindex (fun p : O * n.-tuple O => [tuple of p.1 :: p.2])) /=; last first.
  by exists (fun os => (thead os, [tuple of behead os])) => [[o later]|os] _; [congr pair; apply: val_inj | rewrite /= -tuple_eta].
rewrite -(pair_big predT predT (fun o (later : n.-tuple O) => seen_at x o * run_chance (goes_on x o) later * F (o :: later))) /=.
by apply: eq_bigr => o _; rewrite -sum_scale; apply: eq_bigr => later _; ring.
Qed.

(* The chances of the runs of n steps sum to 1, and those of n + 1 steps extend them. *)
Lemma runs_are_a_law n x : probability (fun os : n.-tuple O => run_chance x os).
Proof.
have nonneg os : forall x, 0 <= run_chance x os.
  elim: os => [|o later IH] y /=; first lra.
  by apply: Rmult_le_pos; [exact: (proj1 (shows_ok _ _)) | exact: IH].
split=> [os|]; first exact: nonneg.
suff one : over_runs n x (fun _ => 1) = 1 by rewrite -[RHS]one /over_runs mean_const; ring.
elim: n x => [|n IH] x; first exact: over_runs_0.
by rewrite over_runs_step (mean_ext _ (fun o => IH (goes_on x o))); exact: (mean_of_const 1 (shows_ok _ _)).
Qed.

Lemma over_runs_total n x : over_runs n x (run_pays 1) = W M pi n x.
Proof.
elim: n x => [|n IH] x; first exact: over_runs_0.
rewrite over_runs_step (mean_ext _ (g := fun o => pays o + W M pi n (goes_on x o))) => [|o].
  by rewrite mean_add [RHS]/W [RHS]/= mean_P bandit_shown.
by rewrite -IH /over_runs /= mean_add mean_scale (mean_of_const _ (runs_are_a_law n (goes_on x o))) Rmult_1_l.
Qed.

(* The runs of n steps from x have a law, and in the mean under it they pay the total by recursion.
   ledger: eq:discounted_reward eq:simulation_value/expectation/repair *)
Theorem total_of_runs n x : probability (fun os : n.-tuple O => run_chance x os) /\ over_runs n x (run_pays 1) = W M pi n x.
Proof. by split; [exact: runs_are_a_law | exact: over_runs_total]. Qed.

(* The discounted value of pi is the limit of what n steps pay, discounted, in the mean over their runs; and it is the mean of
   what H steps pay, H geometric and independent of the run.
   ledger: eq:V-vs_R *)
Theorem value_of_runs beta x : is_discount beta ->
  is_lim_seq (fun n => over_runs n x (run_pays beta)) (V beta M pi x) /\
  is_series (fun m => (1 - beta) * beta ^ m * over_runs m.+1 x (run_pays 1)) (V beta M pi x).
Proof.
move=> discount; have hM := bandit_markovian next pays shows_ok; split; last first.
  by apply: is_series_ext (V_is_mean_W (pi := pi) (x := x) discount hM) => m; rewrite over_runs_total.
have sub := sub_policy (P_sub hM) pi.
apply: is_lim_seq_ext (sum_to_of_series (Series_correct _ (discounted_converges (fun y => reward M (pi y) (y (pi y))) sub discount x))) => n.
elim: n x => [|n IH] x; first by rewrite over_runs_0.
rewrite sum_recl over_runs_step (mean_ext _ (g := fun o => pays o + beta * over_runs n (goes_on x o) (run_pays beta))) => [|o].
  rewrite mean_add mean_scale Rmult_1_l; congr (_ + _).
  set r := reward_at _ _; rewrite (@sum_to_ext n _ (fun t => beta * mean (P M (pi x) x) (fun y => beta ^ t * r t y))) => [|t _].
    by rewrite sum_to_scale -mean_sum_to mean_P bandit_shown; congr (_ * _); apply: mean_ext => o; exact: IH.
  by rewrite mean_scale /=; ring.
by rewrite /over_runs /= mean_add mean_scale (mean_of_const _ (runs_are_a_law n (goes_on x o))).
Qed.
End Runs.

(* The steps of an episode in the law of histories are those of such a run. *)
Section Episode.
Variables (A S O : finType) (next : O -> S) (pays : O -> R) (shows : A -> S -> O -> R) (pi : plays A S).
Fixpoint steps_made (x : global A S) (os : seq O) (e : seq (step A S O)) : seq (step A S O) :=
  if os is o :: later then steps_made (moved x (pi x) (next o)) later ((x, pi x, o) :: e) else e.

Lemma steps_of_runs n x e F : steps next shows pi n x e F = over_runs next shows (fun y => pi y) n x (fun os => F (steps_made x os e)).
Proof. by elim: n x e => [|n IH] x e; rewrite ?over_runs_0 ?over_runs_step //; apply: mean_ext => o; exact: IH. Qed.

Lemma paid_in_run x os e : \sum_(p <- shown (steps_made x os e)) pays p.2 = run_pays pays 1 os + \sum_(p <- shown e) pays p.2.
Proof.
elim: os x e => [|o os IH] x e; first by rewrite Rplus_0_l.
by rewrite [steps_made _ _ _]/= IH (_ : shown (_ :: e) = ((pi x, x (pi x)), o) :: shown e) // sum_cons [snd _]/= [run_pays _ _ (o :: os)]/= Rmult_1_l -Rplus_assoc (Rplus_comm (run_pays _ _ _)).
Qed.
End Episode.
