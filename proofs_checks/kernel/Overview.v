(* The overview of Theorem 1's proof, on the law of the run: what an episode pays is in the mean the discounted value
   (eq:equivalence_V_W), and what it loses where its event fails (eq:gap_overview). *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Episodes Laws LawOfRun Truncation Frozen Radii.
From kernel Require Import LemmaConcentration.

Section Overview.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation history := (history A S O).
Notation plays := (plays A S).
Notation global := (global A S).
Variables (learner : history -> plays -> R) (rho : global -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Notation M := (bandit_of next pays shows).
Notation mean_of K F := (expected next beta learner rho shows K F).
Let hM : markovian M. Proof. exact: bandit_markovian. Qed.

(* The mean of what n steps of pi from x pay. *)
Definition paid (pi : plays) (n : nat) (x : global) : R :=
  steps next shows pi n x [::] (fun e => \sum_(p <- shown e) pays p.2).

Lemma paid_is_W pi n x : paid pi n x = W M (fun y => pi y) n x.
Proof.
rewrite /paid; suff all e : steps next shows pi n x e (fun e' => \sum_(p <- shown e') pays p.2) = W M (fun y => pi y) n x + \sum_(p <- shown e) pays p.2.
  by rewrite all sum_nil Rplus_0_r.
have bp := pays_bounded pays_unit; elim: n x e => [|n IH] x e /=; first by rewrite Rplus_0_l.
rewrite (E_ext _ (g := fun o => W M (fun y => pi y) n (moved x (pi x) (next o)) + (pays o + \sum_(p <- shown e) pays p.2))).
  rewrite E_add; [|exact: bounded_next (W M (fun y => pi y) n \o moved x (pi x)) | by apply: bounded_add; [|exact: by_const]].
  rewrite E_add ?E_const //; last exact: by_const.
  rewrite W_step mean_P (bandit_shown next pays shows) -Rplus_assoc; congr (_ + _); exact: Rplus_comm.
by move=> o; rewrite IH /shown /= sum_cons.
Qed.

(* eq:equivalence_V_W, given the past and the policy: over the initial state of law rho and the geometric length, the mean of
   V is that of W, which is what the steps of the episode pay in the mean.
   ledger: eq:equivalence_V_W *)
Theorem mean_V_is_mean_W pi : (forall n x, paid pi n x = W M (fun y => pi y) n x) /\
  is_series (fun m => chance beta m * mean rho (paid pi m.+1)) (mean rho (V beta M (fun y => pi y))).
Proof.
split=> [n x|]; first exact: paid_is_W.
have each x := V_is_mean_W (pi := fun y => pi y) (x := x) discount hM.
have [conv sum] := series_of_mean rho (fun x => ex_intro _ _ (each x)).
rewrite -(mean_ext _ (fun x => is_series_unique _ _ (each x))) -sum; apply: is_series_ext (Series_correct _ conv) => m.
by rewrite mean_scale; congr (_ * _); apply: mean_ext => x; rewrite paid_is_W.
Qed.

(* ---------------------------------------------------------------- Where the event fails *)

Variable pistar : policy A S.
(* Delta_k in the mean over the length, which is geometric and independent of all else. *)
Definition episode_gap (pi : plays) (x : global) : R := any_length beta (fun n => W M pistar n x - W M (fun y => pi y) n x).

(* The mean over the policy and the initial state of the next episode. *)
Definition drawn (h : history) (f : plays -> global -> R) : R := mean (learner h) (fun pi => mean rho (f pi)).

Lemma episode_gapE pi x : episode_gap pi x = Episodes.gap beta M pistar pi x.
Proof. exact: is_series_unique (mean_model_gap (pistar := pistar) (pik := fun y => pi y) (x := x) discount hM hM). Qed.

Lemma drawn_abs h f C : 0 <= C -> (forall pi x, Rabs (f pi x) <= C) -> Rabs (drawn h f) <= C.
Proof. by move=> C0 fC; apply: mean_abs1 => // pi; apply: mean_abs1. Qed.

(* eq:gap_overview, for an event that may depend on the past, on the policy and on the initial state, but not on the length:
   E[Delta_k] <= E[H_k] P(not E) + E[Delta_k 1_E], with E[H_k] = 1/(1-beta), for rewards in [0, 1] and any two policies.
   ledger: eq:gap_overview *)
Theorem gap_overview (good : history -> plays -> global -> bool) k :
  mean_of k (fun h => drawn h episode_gap) <=
  1 / (1 - beta) * mean_of k (fun h => drawn h (fun pi x => indicator (~~ good h pi x))) +
  mean_of k (fun h => drawn h (fun pi x => indicator (good h pi x) * episode_gap pi x)).
Proof.
set B := 1 / (1 - beta); have B0 : 0 <= B := top_nonneg discount.
have gapB pi x : Rabs (episode_gap pi x) <= B by rewrite episode_gapE; exact: (Episodes.gap_abs discount pistar hM (bandit_unit next pays_unit shows) pi x).
have onB h pi x : Rabs (indicator (good h pi x) * episode_gap pi x) <= B.
  by rewrite Rabs_mult /indicator; case: (good h pi x); rewrite ?Rabs_R1 ?Rabs_R0; have := gapB pi x; have := Rabs_pos (episode_gap pi x); lra.
pose fails h := drawn h (fun pi x => indicator (~~ good h pi x)); pose held h := drawn h (fun pi x => indicator (good h pi x) * episode_gap pi x).
have b0 h : Rabs (fails h) <= 1 by apply: drawn_abs => [|pi x]; [lra | exact: indicator_abs].
have b1 h : Rabs (B * fails h) <= B.
  by rewrite Rabs_mult (Rabs_pos_eq _ B0) -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l => //; exact: b0.
have b2 h : Rabs (held h) <= B by apply: drawn_abs => // pi x; exact: onB.
have b3 h : Rabs (drawn h episode_gap) <= 2 * B by have : Rabs (drawn h episode_gap) <= B by [exact: drawn_abs]; lra.
rewrite -(expected_scale next discount learner_ok rho_ok shows k B (bounded_sized b0)) -(expected_add next discount learner_ok rho_ok shows k (bounded_sized b1) (bounded_sized b2)).
have b4 h : Rabs (B * fails h + held h) <= 2 * B by apply: Rle_trans (Rabs_triang _ _) _; have := b1 h; have := b2 h; lra.
apply: (mean_le_of_played next discount learner_ok rho_ok shows (ltac:(lra) : 0 <= 2 * B) b3 b4) => h _ _.
rewrite /drawn -mean_scale -mean_add; apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
rewrite -mean_scale -mean_add; apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
have := Rle_trans _ _ _ (Rle_abs _) (gapB pi x); rewrite /indicator; case: (good h pi x) => /=; lra.
Qed.
End Overview.
