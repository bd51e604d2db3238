(* Extended value iteration (eq:EVI) and optimism from every state (eq:optimism): what fails on two sets of two arms with
   three states each. *)

From kernel Require Import Prelude Sums Values Bandits Tables Theorem3 ExtendedIteration.

(* ---------------------------------------------------------------- The printed claims, in general *)

(* One policy and one bandit of the set have the largest value from every global state of X. *)
Definition one_pair_is_best (A S : finType) (beta : R) (B : A -> estimate S) (X : state A S -> Prop) :=
  exists pi M, plausible B M /\ forall x, X x -> is_lub (values_over_set_and_policies beta B x) (V beta M pi x).

(* eq:optimism as printed: from every global state. *)
Definition optimism_from_every_state := forall (A S : finType) (beta : R) (B : A -> estimate S),
  A -> S -> is_discount beta -> (forall a, proper (B a)) -> one_pair_is_best beta B (fun _ => True).

(* Its use in the proof: M_k, best for the initial law, and its optimal policy pi_k are worth at least the optimal
   value of the true model from every state, when the true model is plausible. *)
Definition domination_from_every_state := forall (A S : finType) (beta : R) (B : A -> estimate S) rho Mk pik,
  is_discount beta -> (forall a, proper (B a)) -> probability rho -> plausible B Mk ->
  (forall M pi, plausible B M -> mean rho (V beta M pi) <= mean rho (V beta Mk pik)) ->
  (forall pi x, V beta Mk pi x <= V beta Mk pik x) ->
  forall M pi x, plausible B M -> V beta M pi x <= V beta Mk pik x.

(* eq:EVI: extended value iteration computes the maximum of V(rho) over policies and the bandits of the set. *)
Definition extended_is_maximum := forall (A S : finType) (beta : R) (B : A -> estimate S) W rho,
  A -> S -> is_discount beta -> (forall a, proper (B a)) -> extended_values beta B W -> probability rho ->
  is_lub (fun v => exists M pi, plausible B M /\ v = mean rho (V beta M pi)) (mean rho W).

(* ---------------------------------------------------------------- The set of Theorem 3 *)

(* If arm a stays in A1 with probability at most 1/2, no policy reaches 1799/300 from (A1, B1); if at least 1/2,
   none reaches 49167/7600 from (A1, B3). *)
Definition stays_at_most_half : seq (seq R) :=
  [:: [:: 149/25; 11/2; 49167/7600]; [:: 1171/200; 9/2; 6889/950]; [:: 173/50; 1/2; 321/50]].
Definition stays_at_least_half : seq (seq R) :=
  [:: [:: 1799/300; 418/75; 321/50]; [:: 703/120; 338/75; 6889/950]; [:: 1039/300; 38/75; 321/50]].

Lemma one_of_two M pi : plausible estimates M ->
  V Theorem3.beta M pi (at_ s1 s1) <= 149/25 \/ V Theorem3.beta M pi (at_ s1 s3) <= 321/50.
Proof.
move=> hM; have [hr [q1 [q2 q3]]] := in_set hM; have hb := known_b (a := second) (erefl _) hM.
rewrite /near in q1 q2 q3; case: (Rle_dec (row M first s1 s1) (1/2)) => [h|/Rnot_le_lt h].
- left; apply: (two_at_most Theorem3.discount (proj1 hM) (f := matrix stays_at_most_half) _ pi s1 s1).
  by apply: arms2; nine; rewrite /ahead /Theorem3.beta /= mean3 ?hr ?(proj1 (hb _)) ?(proj2 (hb _)) /vector /matrix /=; lra.
- right; apply: (two_at_most Theorem3.discount (proj1 hM) (f := matrix stays_at_least_half) _ pi s1 s3).
  by apply: arms2; nine; rewrite /ahead /Theorem3.beta /= mean3 ?hr ?(proj1 (hb _)) ?(proj2 (hb _)) /vector /matrix /=; lra.
Qed.

Lemma proper_quarters a : proper (quarter (estimates a)).
Proof. by move: a; apply: arms2; [exact: proper_a | exact: proper_b]. Qed.

Lemma quarter_value M pi x : plausible (fun a => quarter (estimates a)) M ->
  V Theorem3.beta (times 4 M) pi x = 4 * V Theorem3.beta M pi x.
Proof. by move=> hM; apply: (V_times _ _ _ Theorem3.discount); exact: (proj1 hM). Qed.

(* The two global states from which different bandits of the set are best. *)
Definition two_starts (x : state2) := x = at_ s1 s1 \/ x = at_ s1 s3.

Lemma two_starts_differ pi M : plausible estimates M ->
  ~ (1799/300 <= V Theorem3.beta M pi (at_ s1 s1) /\ 49167/7600 <= V Theorem3.beta M pi (at_ s1 s3)).
Proof. by move=> hM; have := one_of_two pi hM; lra. Qed.

Lemma largest_from_two_starts :
  (exists M pi, plausible estimates M /\ 1799/300 = V Theorem3.beta M pi (at_ s1 s1)) /\
  (exists M pi, plausible estimates M /\ 49167/7600 = V Theorem3.beta M pi (at_ s1 s3)).
Proof.
split; [exists M2, open_order | exists M3, open_order]; split; try by [exact: M2_in_set | exact: M3_in_set].
- by rewrite M2_under_open_order /matrix /=; lra. - by rewrite M3_under_open_order /matrix /=; lra.
Qed.

(* On the set of Theorem 3 no pair is best from both (A1, B1) and (A1, B3). So the printed claim is false for sets of any
   radii, with rewards in [0, 1] once divided by 4. MB-UCRL2 never meets this set: some of its radii are 0.
   ledger: eq:optimism *)
Theorem optimism_fails : ~ one_pair_is_best Theorem3.beta estimates two_starts /\ ~ optimism_from_every_state.
Proof.
have [[N1 [p1 [h1 e1]]] [N3 [p3 [h3 e3]]]] := largest_from_two_starts; split=> [[pi [M [hM best]]]|claim].
  apply: (two_starts_differ (pi := pi) hM); rewrite e1 e3; split.
    by apply: (proj1 (best _ (or_introl (erefl _)))); exists N1, p1.
  by apply: (proj1 (best _ (or_intror (erefl _)))); exists N3, p3.
have [pi [M [hM best]]] := claim _ _ Theorem3.beta (fun a => quarter (estimates a)) first s1
  Theorem3.discount proper_quarters.
have at_least M0 p x : plausible estimates M0 -> V Theorem3.beta M0 p x <= 4 * V Theorem3.beta M pi x.
  move=> h0; have := proj1 (best x I) (V Theorem3.beta (times (1/4) M0) p x).
  rewrite (V_times _ _ _ Theorem3.discount) ?(proj1 h0); last exact: (proj1 h0).
  move=> h; suff : 1/4 * V Theorem3.beta M0 p x <= V Theorem3.beta M pi x by lra.
  apply: h; exists (times (1/4) M0), p; split; first exact: plausible_quarter.
  by rewrite (V_times _ _ _ Theorem3.discount) //; exact: (proj1 h0).
apply: (two_starts_differ (pi := pi) (plausible_four hM)); rewrite !quarter_value // e1 e3.
by split; exact: at_least.
Qed.

(* rho: (A1, B1) or (A1, B3), equally likely. *)
Definition surely (x0 x : state2) : R := if x == x0 then 1 else 0.
Definition two_equally_likely (x : state2) : R := 1/2 * surely (at_ s1 s1) x + 1/2 * surely (at_ s1 s3) x.

Lemma mean_of_two f : mean two_equally_likely f = 1/2 * f (at_ s1 s1) + 1/2 * f (at_ s1 s3).
Proof.
have -> : mean two_equally_likely f = 1/2 * mean (surely (at_ s1 s1)) f + 1/2 * mean (surely (at_ s1 s3)) f.
  by rewrite /mean -!sum_scale -sum_add; apply: eq_bigr => x _; rewrite /two_equally_likely; ring.
have point x : mean (surely x) f = f x by exact: mean_point.
by rewrite !point.
Qed.

(* On the set of Theorem 3, with that initial law, extended value iteration converges, but not to the maximum.
   ledger: eq:EVI/shared-rows *)
Theorem extended_is_above_on_average : exists W, limit_of_sweeps Theorem3.beta estimates W /\
  ~ is_lub (fun v => exists M pi, plausible estimates M /\ v = mean two_equally_likely (V Theorem3.beta M pi))
      (mean two_equally_likely W).
Proof.
have [W [lim above]] := extended_is_optimistic Theorem3.discount first M2_in_set.
exists W; split=> // [[_ least]]; have [[N1 [p1 [h1 e1]]] [N3 [p3 [h3 e3]]]] := largest_from_two_starts.
have w1 := above _ p1 (at_ s1 s1) h1; have w3 := above _ p3 (at_ s1 s3) h3.
have top : is_upper_bound (fun v => exists M pi, plausible estimates M /\ v = mean two_equally_likely (V Theorem3.beta M pi))
    (1/2 * (149/25) + 1/2 * (49167/7600)).
  move=> v [M [pi [hM ->]]]; rewrite mean_of_two.
  have u1 := at_most_optimistic pi hM s1 s1; have u3 := at_most_optimistic pi hM s1 s3; rewrite /matrix /= in u1 u3.
  by have := one_of_two pi hM; lra.
by have := least _ top; rewrite mean_of_two; lra.
Qed.

Definition M3_values : seq (seq R) :=
  [:: [:: 89667/15200; 405/76; 49167/7600]; [:: 10889/1900; 80/19; 6889/950]; [:: 321/100; 0; 321/50]].
Lemma M3_under_pi1 : forall i j, V Theorem3.beta M3 pi1 (at_ i j) = matrix M3_values i j.
Proof. by by_table M3_rows_ok. Qed.
Lemma M3_optimum : forall pi i j, V Theorem3.beta M3 pi (at_ i j) <= matrix M3_values i j.
Proof. by move=> pi; move: pi; optimal M3_rows_ok. Qed.

(* With rho the point mass at (A1, B3), M_k = M3 and pi_k = pi1, on the set of Theorem 3 with rewards divided by 4, M2 is
   worth more from (A1, B1).
   ledger: eq:optimism/dominates *)
Theorem domination_fails : ~ domination_from_every_state.
Proof.
move=> claim; pose rho (x : state2) := if x == at_ s1 s3 then 1 else 0.
have quartered M0 p x : markovian M0 -> V Theorem3.beta (times (1/4) M0) p x = 1/4 * V Theorem3.beta M0 p x.
  exact: (V_times _ _ _ Theorem3.discount).
have h2 := proj1 M2_in_set; have h3 := proj1 M3_in_set.
have no : 1/4 * (1799/300) <= 1/4 * (89667/15200) -> False by lra.
have := claim _ _ Theorem3.beta (fun a => quarter (estimates a)) rho (times (1/4) M3) pi1 Theorem3.discount
  proper_quarters _ (plausible_quarter M3_in_set) _ _ (times (1/4) M2) pi2 (at_ s1 s1) (plausible_quarter M2_in_set).
rewrite !quartered // M2_under_pi2 M3_under_pi1 /matrix /= => h; apply: no; apply: h.
- exact: point_ok.
- move=> M pi hM; rewrite !mean_point quartered // M3_under_pi1 /matrix /=.
  have := at_most_optimistic pi (plausible_four hM) s1 s3; rewrite quarter_value // /matrix /=; lra.
- move=> pi x; rewrite !quartered // (at_eta x) M3_under_pi1; have := M3_optimum pi (x first) (x second); lra.
Qed.

(* ---------------------------------------------------------------- Extended value iteration above every bandit *)

(* Rewards 1/2, 0, 1 and 0, 1/2 (and 0, a third state of arm 2 that is not reached), discount 4/5. The row of A1 is
   free, all else is known. *)
Definition free_rewards : seq R := [:: 1/2; 0; 1].
Definition free_rows : seq (seq R) := [:: [:: 0; 0; 1]; [:: 1/3; 1/3; 1/3]; [:: 0; 1; 0]].
Definition swap_rewards : seq R := [:: 0; 1/2; 0].
Definition swap_rows : seq (seq R) := [:: [:: 0; 1; 0]; [:: 1; 0; 0]; [:: 0; 0; 1]].
Definition free_arm : estimate3 :=
  Estimate (vector free_rewards) (matrix free_rows) (fun _ => 0) (fun i => if i == s1 then 2 else 0).
Definition swap_arm : estimate3 := Estimate (vector swap_rewards) (matrix swap_rows) (fun _ => 0) (fun _ => 0).
Definition free_set : 'I_2 -> estimate3 := both free_arm swap_arm.
Definition free_discount : R := 4/5.

Definition extended_table : seq (seq R) :=
  [:: [:: 5/2; 4951/1950; 5/2]; [:: 70/39; 151/78; 70/39]; [:: 95/39; 497/195; 95/39]].
Definition first_half_table : seq (seq R) :=
  [:: [:: 83/34; 429/170; 83/34]; [:: 30/17; 65/34; 30/17]; [:: 41/17; 43/17; 41/17]].
Definition second_half_table : seq (seq R) :=
  [:: [:: 5/2; 2963/1170; 5/2]; [:: 70/39; 151/78; 70/39]; [:: 95/39; 497/195; 95/39]].

Lemma discount_free : is_discount free_discount. Proof. by rewrite /free_discount /is_discount; lra. Qed.

Lemma in_free_set M : plausible free_set M ->
  (forall s, reward M first s = vector free_rewards s) /\ (forall s, reward M second s = vector swap_rewards s) /\
  (forall y, row M first s2 y = matrix free_rows s2 y) /\ (forall y, row M first s3 y = matrix free_rows s3 y) /\
  forall s y, row M second s y = matrix swap_rows s y.
Proof.
move=> hM; have e : free_set first = free_arm by []. have e' : free_set second = swap_arm by [].
have ka s := @known_arm free_set M first s hM; have kb s := @known_arm free_set M second s hM.
have hr s : reward M first s = vector free_rewards s.
  by have [h1 _] := proj2 hM first s; rewrite e /= in h1; split_Rabs; lra.
split=> //; split=> [s|]; first by have [] := kb s erefl erefl.
split=> [y|]; first by have [_] := ka s2 erefl erefl; apply.
split=> [y|]; first by have [_] := ka s3 erefl erefl; apply.
by move=> s y; have [_] := kb s erefl erefl; apply.
Qed.

(* Every policy in every bandit of the set is worth at most 2963/1170 = 2.5324... from (A1, B2), below 4951/1950 =
   2.5389...: the row of A1 stays in A1 with probability at most 1/2, or at least. *)
Lemma at_most_free M pi : plausible free_set M -> V free_discount M pi (at_ s1 s2) <= 2963/1170.
Proof.
move=> hM; have [ra [rb [q2 [q3 qb]]]] := in_free_set hM.
have /probability3 [p1 [p2 [p3 p4]]] := proj1 hM first s1.
case: (Rle_dec (row M first s1 s1) (1/2)) => [h|/Rnot_le_lt h].
- apply: Rle_trans (_ : _ <= matrix first_half_table s1 s2) _; last by rewrite /matrix /=; lra.
  apply: (two_at_most discount_free (proj1 hM)); apply: arms2; nine;
    rewrite /ahead /free_discount /= mean3 ?ra ?rb ?q2 ?q3 ?qb /vector /matrix /=; lra.
- apply: Rle_trans (_ : _ <= matrix second_half_table s1 s2) _; last by rewrite /matrix /=; lra.
  apply: (two_at_most discount_free (proj1 hM)); apply: arms2; nine;
    rewrite /ahead /free_discount /= mean3 ?ra ?rb ?q2 ?q3 ?qb /vector /matrix /=; lra.
Qed.

(* Extended value iteration's values: in (A1, B2) it moves A1 to A3, in (A1, B1) and (A1, B3) it leaves A1 alone. *)
Definition extended_W (x : state2) : R := matrix extended_table (x first) (x second).

Lemma lookahead_at_most i j v : extended_lookahead free_discount free_set extended_W (at_ i j) v ->
  v <= matrix extended_table i j.
Proof.
case=> a [u [q [[hu [hq hd]] ->]]]; move: hu hd; rewrite /extended_W.
have /probability3 [p1 [p2 [p3 p4]]] := hq.
move: a; apply: arms2; rewrite mean3 !(moved_first, moved_second, at_first, at_second).
- move=> hu hd; have e : u = vector free_rewards i by move: hu; rewrite /=; split_Rabs; lra.
  rewrite e; move: i hd {hu e}; apply: states3 => hd.
  + by move: j; apply: states3; rewrite /free_discount /vector /matrix /=; lra.
  + have z : forall y, q y = matrix free_rows s2 y := distance_zero hd.
    by rewrite !z; move: j; apply: states3; rewrite /free_discount /vector /matrix /=; lra.
  + have z : forall y, q y = matrix free_rows s3 y := distance_zero hd.
    by rewrite !z; move: j; apply: states3; rewrite /free_discount /vector /matrix /=; lra.
- move=> hu hd; have e : u = vector swap_rewards j by move: hu; rewrite /=; split_Rabs; lra.
  have z : forall y, q y = matrix swap_rows j y := distance_zero hd.
  by rewrite e !z; move: i j {hu hd e z}; nine; rewrite /free_discount /vector /matrix /=; lra.
Qed.

Definition unit_row (k : 'I_3) (y : 'I_3) : R := if y == k then 1 else 0.
Lemma unit_row_ok k : probability (unit_row k).
Proof. exact: point_ok. Qed.

Lemma free_rows_ok i : probability (matrix free_rows i).
Proof. by move: i; known_rows. Qed.
Lemma swap_rows_ok i : probability (matrix swap_rows i).
Proof. by move: i; known_rows. Qed.

(* The arm and the row that attain each of the nine values. *)
Lemma attains a q i j : probability q -> distance q (Qhat (free_set a) (at_ i j a)) <= bQ (free_set a) (at_ i j a) ->
  matrix extended_table i j = rhat (free_set a) (at_ i j a) + free_discount * mean q (fun y => extended_W (moved (at_ i j) a y)) ->
  extended_lookahead free_discount free_set extended_W (at_ i j) (matrix extended_table i j).
Proof.
move=> hq hd e; exists a, (rhat (free_set a) (at_ i j a)), q; split=> //; split=> //.
by rewrite Rminus_diag_eq // Rabs_R0; move: a {hd e}; apply: arms2 => /=; lra.
Qed.

Ltac by_arithmetic := rewrite mean3 /extended_W !(moved_first, moved_second, at_first, at_second)
  /unit_row /free_discount /= /matrix /vector /=; lra.
Ltac by_zero := exact: (proj2 (zero_radius 0 _)).

Lemma extended_values_of_free_set : extended_values free_discount free_set extended_W.
Proof.
move=> x; rewrite (at_eta x); move: (x first) (x second) => {x} i j.
have e : extended_W (at_ i j) = matrix extended_table i j by rewrite /extended_W at_first at_second.
rewrite e; apply: is_lub_attained; last by move=> v; exact: lookahead_at_most.
have free_ok q : probability q -> distance q (matrix free_rows s1) <= 2.
  move=> /probability3 [p1 [p2 [p3 p4]]]; rewrite /distance sum3 /matrix /=; absolute.
move: i j {e}; nine.
all: try by apply: (@attains first (unit_row s1)); rewrite ?at_first; [exact: unit_row_ok | exact: free_ok (unit_row_ok _) | by_arithmetic].
all: try by apply: (@attains first (unit_row s3)); rewrite ?at_first; [exact: unit_row_ok | exact: free_ok (unit_row_ok _) | by_arithmetic].
all: try by apply: (@attains first (matrix free_rows s2)); rewrite ?at_first; [exact: free_rows_ok | by_zero | by_arithmetic].
all: try by apply: (@attains first (matrix free_rows s3)); rewrite ?at_first; [exact: free_rows_ok | by_zero | by_arithmetic].
by apply: (@attains second (matrix swap_rows s2)); rewrite ?at_second; [exact: swap_rows_ok | by_zero | by_arithmetic].
Qed.

(* On this set extended value iteration's value from (A1, B2) is above every policy's in every bandit; so the printed
   claim is false.
   ledger: eq:EVI/shared-rows *)
Theorem extended_is_above : (limit_of_sweeps free_discount free_set extended_W /\
  forall M pi, plausible free_set M -> V free_discount M pi (at_ s1 s2) < extended_W (at_ s1 s2)) /\ ~ extended_is_maximum.
Proof.
split.
  split=> [|M pi hM]; first exact: (sweeps_converge discount_free extended_values_of_free_set).
  by have := at_most_free pi hM; rewrite /extended_W at_first at_second /matrix /=; lra.
move=> claim; pose rho (x : state2) := if x == at_ s1 s2 then 1 else 0.
have proper_free a : proper (free_set a).
  move: a; apply: arms2; (split; [by apply: states3; rewrite /= /vector /=; lra | split]).
  - exact: free_rows_ok. - by move=> s /=; case: eqP; lra.
  - exact: swap_rows_ok. - by move=> s /=; lra.
have [_ least] := claim _ _ free_discount free_set extended_W rho first s1 discount_free proper_free
  extended_values_of_free_set (point_ok _).
have : mean rho extended_W <= 2963/1170.
  by apply: least => v [M [pi [hM ->]]]; rewrite mean_point; exact: at_most_free.
by rewrite mean_point /extended_W at_first at_second /matrix /=; lra.
Qed.
