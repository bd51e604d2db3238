(* The law of total variance along an episode (section 3.2 of the notes): of v between 0 and B with v >= beta P v, such as an
   optimal value, the variances at the steps add up, discounted, to at most B^2/beta^2, whatever the number of states. *)

From kernel Require Import Prelude Sums Values Bandits.

Definition variance (X : finType) (q v : X -> R) : R := mean q (fun y => v y ^ 2) - mean q v ^ 2.

(* What f adds up to along the process, discounted, is at most c: there is a W to show it. *)
Definition adds_up_to (X : finType) (P : X -> X -> R) (beta : R) (f : X -> R) (c : R) :=
  exists W : X -> R, (forall x, f x + beta * mean (P x) W <= W x) /\ forall x, W x <= c.

Lemma adds_up (X : finType) (P : X -> X -> R) (beta : R) (f : X -> R) c x : substochastic P -> is_discount beta ->
  adds_up_to P beta f c -> discounted P beta f x <= c.
Proof. by move=> subP discount [W [step top]]; apply: Rle_trans (discounted_at_most subP discount step x) (top x). Qed.

Lemma variances_add_up (X : finType) (P : X -> X -> R) (beta B : R) (v : X -> R) : substochastic P -> is_discount beta ->
  0 < beta -> (forall y, 0 <= v y <= B) -> (forall y, beta * mean (P y) v <= v y) ->
  adds_up_to P beta (fun y => variance (P y) v) (B ^ 2 / beta ^ 2).
Proof.
move=> subP [b0 b1] beta0 range falls; have bb : 0 < beta ^ 2 by nra.
exists (fun y => (2 * B * v y - v y ^ 2) / beta ^ 2); split=> y; last first.
  by apply: Rmult_le_compat_r; [left; exact: Rinv_0_lt_compat | have := pow2_ge_0 (B - v y); lra].
rewrite /variance; set m := mean (P y) v; set s := mean (P y) (fun z => v z ^ 2).
rewrite (mean_ext _ (g := fun z => 2 * B / beta ^ 2 * v z - / beta ^ 2 * v z ^ 2)) => [|z]; last by cbv beta; field; lra.
rewrite mean_sub !mean_scale -/m -/s; have s0 : 0 <= s by apply: mean_nonneg => [|z]; [exact: (proj1 subP) | exact: pow2_ge_0].
apply: (Rle_trans _ ((beta ^ 2 * (s - m ^ 2) + beta * (2 * B * m - s)) / beta ^ 2)); first by apply: Req_le; field; lra.
apply: Rmult_le_compat_r; first by left; exact: Rinv_0_lt_compat.
have [v0 vB] := range y; have := falls y; rewrite -/m => le.
have bs : beta * (1 - beta) * s >= 0 by apply: Rle_ge; apply: Rmult_le_pos => //; apply: Rmult_le_pos; lra.
by nra.
Qed.

(* The optimal value, under any policy.
   ledger: beyond:variance *)
Theorem variance_of_values (A S : finType) (beta : R) (M : model A S) (pi pistar : policy A S) x :
  is_discount beta -> 0 < beta -> markovian M -> unit_rewards M ->
  (forall pi' y, V beta M pi' y <= V beta M pistar y) ->
  discounted (fun y => P M (pi y) y) beta (fun y => variance (P M (pi y) y) (V beta M pistar)) x <= (1 / (1 - beta)) ^ 2 / beta ^ 2.
Proof.
move=> discount beta0 hM unit best; have subP := sub_policy (P_sub hM) pi.
apply: (adds_up _ subP) => //; apply: variances_add_up => // y.
- exact: V_range.
have [p [lookahead _]] := optimal_policy_exists (fun a (x : state A S) => reward M a (x a)) (P_sub hM) discount (pi x).
have same z : V beta M p z = V beta M pistar z.
  by apply: Rle_antisym; [exact: best | apply: (value_at_most (P_sub hM) discount lookahead)].
have := lookahead (pi y) y; rewrite -/(V beta M p y) same (mean_ext _ same); have [r0 _] := unit (pi y) (y (pi y)); lra.
Qed.
