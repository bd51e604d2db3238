(* Lemma ucbvi_optim: the optimism of MB-UCBVI, for any bonus, any estimate, and rows that may sum to less than 1;
   the matrix series in its printed proof, which is not the inverse; the first display of the regret. *)

From kernel Require Import Limits Sums Values Bandits Gittins Horizon.

(* ---------------------------------------------------------------- Optimism *)

Section Optimism.
Variables (A S : finType) (beta : R) (M : model A S).
Variables (rhat : A -> S -> R) (Qhat : A -> S -> S -> R) (b : A -> S -> R).
Variables (pistar pik : policy A S).
Hypotheses (discount : is_discount beta) (hM : markovian M).

(* The estimated rows; a state that was not visited may have a row of zeros. *)
Hypothesis sub_rows : forall a, substochastic (Qhat a).

(* M_k, whose rewards are the empirical means plus the bonus. *)
Definition bonus_model : model A S := Model (fun a s => rhat a s + b a s) Qhat.

(* pi_k is an optimal policy of M_k; its index policy is one (Theorem gittins_policy_is_optimal). *)
Hypothesis optimal : forall pi x, V beta bonus_model pi x <= V beta bonus_model pik x.

(* The empirical mean of r + beta P V_M^{pi_*} deviates from its mean, at the arm that pi_* plays, by: *)
Definition deviation (x : state A S) : R :=
  let a := pistar x in let Vstar := fun y => V beta M pistar (moved x a y) in
  rhat a (x a) - reward M a (x a) + beta * (mean (Qhat a (x a)) Vstar - mean (row M a (x a)) Vstar).

Lemma sub_bonus_model a : substochastic (P bonus_model a).
Proof.
split=> x *; first by apply: P_nonneg; exact: (proj1 (sub_rows a)).
by rewrite P_sum; exact: (proj2 (sub_rows a)).
Qed.

(* Where the bonus covers the deviation at the arms that pi_* plays, M_k with pi_k is optimistic, from every state.
   ledger: lem:ucbvi_optim/substochastic
   step of: lem:ucbvi_optim *)
Theorem bonus_is_optimistic : (forall x, - deviation x <= b (pistar x) (x (pistar x))) ->
  forall x, V beta M pistar x <= V beta bonus_model pik x.
Proof.
move=> covers x; apply: Rle_trans (optimal pistar x); move: x.
apply: (discounted_at_least (sub_policy sub_bonus_model pistar) discount) => x.
rewrite mean_P (V_bellman discount hM) /=; have := covers x; rewrite /deviation; lra.
Qed.

(* The event of MB-UCBVI bounds the absolute deviation at all arms, and so implies what is needed.
   step of: lem:ucbvi_optim *)
Theorem event_suffices : (forall x, Rabs (deviation x) <= b (pistar x) (x (pistar x))) ->
  forall x, V beta M pistar x <= V beta bonus_model pik x.
Proof. by move=> event; apply: bonus_is_optimistic => x; have := event x; split_Rabs; lra. Qed.
End Optimism.

(* As the lemma is stated: the index policy of M_k, which is optimal for it by Gittins' theorem.
   ledger: lem:ucbvi_optim *)
Theorem index_policy_is_optimistic (A S : finType) (beta : R) (M : model A S)
    (rhat : A -> S -> R) (Qhat : A -> S -> S -> R) (b gamma : A -> S -> R) (pistar pik : policy A S) :
  is_discount beta -> markovian M -> (forall a s, probability (Qhat a s)) ->
  (forall a s, gittins_index beta (fun z => rhat a z + b a z) (Qhat a) s (gamma a s)) ->
  (forall (x : state A S) a, gamma a (x a) <= gamma (pik x) (x (pik x))) ->
  (forall x, Rabs (deviation beta M rhat Qhat pistar x) <= b (pistar x) (x (pistar x))) ->
  forall x, V beta M pistar x <= V beta (bonus_model rhat Qhat b) pik x.
Proof.
move=> discount hM rows indices largest event x.
apply: event_suffices => //.
- move=> a; split=> s *; first exact: (proj1 (rows a s)).
  by rewrite (proj2 (rows a s)); lra.
- move=> pi y; exact: (proj1 (@gittins_policy_is_optimal A S beta (bonus_model rhat Qhat b) discount rows gamma indices
    pik largest y)).
Qed.

(* ---------------------------------------------------------------- The first display of the regret *)

(* With rewards of M_k from 0 to 1 + l, where l = L/(2 (1 - beta)) >= 1, or rows that do not differ: the gap of an
   episode of H steps is at most the mean of the sum of |r_k - r| + H l ||Q_k - Q||_1, although H l bounds no value.
   ledger: ucbvi/display-1 *)
Theorem first_display (A S : finType) (M Mk : model A S) (pi : policy A S) (l : R) (H : nat) (x : state A S) :
  markovian M -> markovian Mk -> (forall a s, 0 <= reward Mk a s <= 1 + l) ->
  (1 <= l \/ forall a s, distance (row Mk a s) (row M a s) = 0) ->
  W Mk pi H x - W M pi H x <=
    along M pi (fun a s => Rabs (reward Mk a s - reward M a s) + INR H * l * distance (row Mk a s) (row M a s)) H x.
Proof.
move=> hM hMk rewards large; case: H => [|H]; first by rewrite /W /along /=; lra.
have bound y : W Mk pi H y <= INR H * (1 + l).
  apply: Rle_trans (Rle_abs _) _; apply: (total_abs (sub_policy (P_sub hMk) pi)) => z.
  by rewrite Rabs_pos_eq; have := rewards (pi z) (z (pi z)); lra.
apply: Rle_trans (regret_decomposition_half hM hMk (fun a s => proj1 (rewards a s)) x bound) _.
apply: (total_le (sub_policy (P_sub hM) pi)) => y; set d := distance _ _.
have d0 : 0 <= d by apply: sum_nonneg => z _; exact: Rabs_pos.
have H0 := pos_INR H; rewrite S_INR; case: large => [l1|same]; last by rewrite /d same; lra.
have : INR H * (1 + l) / 2 <= (INR H + 1) * l by nra.
by move=> h; have := Rmult_le_compat_r d _ _ d0 h; lra.
Qed.

(* ---------------------------------------------------------------- The matrix series *)

Section Matrices.
Variable X : finType.
Definition identity (x y : X) : R := if x == y then 1 else 0.
Definition product (P Q : X -> X -> R) (x z : X) : R := \sum_(y : X) P x y * Q y z.
Fixpoint power (P : X -> X -> R) (k : nat) : X -> X -> R := if k is k'.+1 then product P (power P k') else identity.
Definition is_inverse (N P : X -> X -> R) := forall x y, product P N x y = identity x y.
End Matrices.

(* As printed: (I - beta P)^(-1) = I + (I - beta P) + (I - beta P)^2 + ..., entry by entry. *)
Definition printed_series := forall (X : finType) (P : X -> X -> R) (beta : R) (N : X -> X -> R),
  (forall x, probability (P x)) -> is_discount beta -> is_inverse N (fun x y => identity x y - beta * P x y) ->
  forall x y, is_series (fun k => power (fun x y => identity x y - beta * P x y) k x y) (N x y).

(* One state, beta = 1/3: the series is 3, the inverse 3/2.
   ledger: lem:ucbvi_optim/series *)
Theorem printed_series_fails : ~ printed_series.
Proof.
move=> claim; pose P (x y : unit) := 1; pose N (x y : unit) := 3/2.
have one f : \sum_(y : unit) f y = f tt.
  by rewrite (sum_isolate tt) big_pred0 => [|[]] //; lra.
have hP x : probability (P x) by split=> [y|]; [rewrite /P; lra | rewrite one].
have inv : is_inverse N (fun x y => identity x y - 1/3 * P x y).
  by move=> [] []; rewrite /product one /identity eqxx /N /P; lra.
have d : is_discount (1/3) by rewrite /is_discount; lra.
have h := claim _ P (1/3) N hP d inv tt tt.
have pow k : power (fun x y => identity x y - 1/3 * P x y) k tt tt = (2/3) ^ k.
  elim: k => [|k IH]; first by rewrite /= /identity eqxx.
  by rewrite [LHS]/= /product one IH /identity eqxx /P /=; lra.
have g : is_series (fun k => (2/3) ^ k) (/ (1 - 2/3)) by apply: is_series_geom; rewrite Rabs_pos_eq; lra.
have h' : is_series (fun k => (2/3) ^ k) (3/2) by apply: is_series_ext h => k; rewrite pow.
by have := is_series_unique _ _ g; rewrite (is_series_unique _ _ h'); lra.
Qed.

(* What is meant: I + beta P + (beta P)^2 + ... converges to the inverse of I - beta P, without negative entries; so
   (I - beta P) D >= g >= 0 implies D >= 0.
   ledger: lem:ucbvi_optim/series/repair *)
Theorem repaired_series (X : finType) (P : X -> X -> R) (beta : R) : substochastic P -> is_discount beta ->
  exists N, is_inverse N (fun x y => identity x y - beta * P x y) /\
    (forall x y, 0 <= N x y /\ is_series (fun k => beta ^ k * power P k x y) (N x y)) /\
    forall D g : X -> R, (forall x, 0 <= g x) ->
      (forall x, g x <= \sum_(y : X) (identity x y - beta * P x y) * D y) -> forall x, 0 <= D x.
Proof.
move=> sub discount; pose N x y := discounted P beta (fun z => identity z y) x; exists N.
have split_sum x (D : X -> R) : \sum_(y : X) (identity x y - beta * P x y) * D y = D x - beta * mean (P x) D.
  rewrite -(sum_single x D) /mean -sum_scale -sum_sub; apply: eq_bigr => y _.
  by rewrite /identity eq_sym; case: eqP => _; lra.
split; last split.
- move=> x y; rewrite /product (split_sum x (fun z => N z y)).
  have e : N x y = identity x y + beta * mean (P x) (fun z => N z y) := bellman _ sub discount x.
  by rewrite {1}e; lra.
- move=> x y; split; first by apply: discounted_nonneg => // z; rewrite /identity; case: eqP; lra.
  have e k : forall z, reward_at P (fun z => identity z y) k z = power P k z y.
    by elim: k => [|k IH] z //=; apply: eq_bigr => w _; rewrite IH.
  apply: (is_series_ext (fun k => beta ^ k * reward_at P (fun z => identity z y) k x)); first by move=> k; rewrite e.
  exact: Series_correct (discounted_converges _ sub discount x).
- move=> D g g0 hD; apply: (nowhere_above sub discount (f := fun _ => 0)) => z; right.
  by rewrite mean_sub mean_const; have := hD z; have := g0 z; rewrite split_sum; lra.
Qed.
