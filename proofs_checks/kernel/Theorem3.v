(* Theorem 3 (thm:no_OFU): optimism over transitions cannot be had from indices computed arm by arm.

   First the numbers of the printed proof, exactly; then the order of states that the printed proof leaves open;
   then the theorem, with a proof that closes the gap by the paper's own arm c. The discount is 1/2 throughout.
   The plausible set is the L1 ball of eq:conf_rq, and values are those of arbitrary policies. *)

From kernel Require Import Prelude Sums Values Bandits Tables.

(* ---------------------------------------------------------------- The figures' arms *)

(* Arm a of the figure: its rewards are known, its rows up to an L1 radius. *)
Definition a_rewards : seq R := [:: 3; 4; 0].
Definition a_rows : seq (seq R) := [:: [:: 1/2; 1/2; 0]; [:: 0; 0; 1]; [:: 0; 0; 1]].
Definition a_radius : R := 1/5.
Definition arm_a_within (radius : R) : estimate3 :=
  Estimate (vector a_rewards) (matrix a_rows) (fun _ => 0) (fun _ => radius).
Definition arm_a := arm_a_within a_radius.

(* Arm b, known. *)
Definition b_rewards : seq R := [:: 321/100; 0; 321/100].
Definition b_rows : seq (seq R) := [:: [:: 0; 1; 0]; [:: 0; 1; 0]; [:: 0; 0; 1]].
Definition arm_b : estimate3 := Estimate (vector b_rewards) (matrix b_rows) (fun _ => 0) (fun _ => 0).

(* Arm c, known; its one state is written three times, so that all arms have S = 3 states. *)
Definition arm_c (mu : R) : estimate3 :=
  Estimate (fun _ => mu) (fun i j => if i == j then 1 else 0) (fun _ => 0) (fun _ => 0).

(* The two instances of the second figure, and the most optimistic bandit of the set from (A1, B3). *)
Definition instance (rows : seq (seq R)) : model2 :=
  Model (both (vector a_rewards) (vector b_rewards)) (both (matrix rows) (matrix b_rows)).
Definition M1_rows : seq (seq R) := [:: [:: 2/5; 3/5; 0]; [:: 0; 0; 1]; [:: 0; 0; 1]].
Definition M2_rows : seq (seq R) := [:: [:: 3/5; 2/5; 0]; [:: 1/10; 0; 9/10]; [:: 1/10; 0; 9/10]].
Definition M3_rows : seq (seq R) := [:: [:: 2/5; 3/5; 0]; [:: 0; 1/10; 9/10]; [:: 0; 0; 1]].
Definition M1 := instance M1_rows.
Definition M2 := instance M2_rows.
Definition M3 := instance M3_rows.

(* The priority policies of the printed proof, and the order that it leaves open. *)
Notation A1 := (first, s1). Notation A2 := (first, s2). Notation A3 := (first, s3).
Notation B1 := (second, s1). Notation B2 := (second, s2). Notation B3 := (second, s3).
Definition pi1 := priority [:: A2; A1; B1; B3; A3; B2].
Definition pi2 := priority [:: A2; B1; B3; A1; A3; B2].
Definition open_order := priority [:: A2; B1; A1; B3; A3; B2].

Definition beta : R := 1/2.
Lemma discount : is_discount beta. Proof. by rewrite /beta /is_discount; lra. Qed.

(* ---------------------------------------------------------------- What the suprema are taken over *)

(* eq:optimism fails for pi from x: its supremum over the set is below the optimal value of a bandit of it. *)
Definition below_optimum (B : 'I_2 -> estimate3) (pi : policy2) (M : model2) (x : state2) := exists s t,
  is_lub (values_over_set beta B pi x) s /\ is_lub (values_of_policies beta M x) t /\ s < t.
Definition not_optimistic B pi x := exists M, plausible B M /\ below_optimum B pi M x.

(* ---------------------------------------------------------------- Arithmetic in the set *)

Implicit Types (B : 'I_2 -> estimate3) (M : model2) (pi : policy2).

Lemma known_arm B M a s : plausible B M -> br (B a) s = 0 -> bQ (B a) s = 0 ->
  reward M a s = rhat (B a) s /\ forall y, row M a s y = Qhat (B a) s y.
Proof.
case=> hM /(_ a s) [hr hq] r0 q0; rewrite r0 in hr; rewrite q0 in hq.
by split; [split_Rabs; lra | exact: distance_zero].
Qed.

Lemma rows_a i : probability (matrix a_rows i).
Proof. by move: i; apply: states3; apply/probability3; rewrite /matrix /a_rows /=; lra. Qed.

Lemma rows_b i : probability (matrix b_rows i).
Proof. by move: i; apply: states3; apply/probability3; rewrite /matrix /b_rows /=; lra. Qed.

(* A row of arm a: a probability, at most half the radius away in each entry. *)
Definition near (u v w : R) (q : 'I_3 -> R) :=
  0 <= q s1 /\ 0 <= q s2 /\ 0 <= q s3 /\ q s1 + q s2 + q s3 = 1 /\
  u - 1/10 <= q s1 <= u + 1/10 /\ v - 1/10 <= q s2 <= v + 1/10 /\ w - 1/10 <= q s3 <= w + 1/10.

Lemma in_set other M : plausible (both arm_a other) M ->
  (forall s, reward M first s = vector a_rewards s) /\
  near (1/2) (1/2) 0 (row M first s1) /\ near 0 0 1 (row M first s2) /\ near 0 0 1 (row M first s3).
Proof.
move=> [hM h]; split.
  by move=> s; have [h1 _] := h first s; rewrite /= in h1; split_Rabs; lra.
have hq s : near (matrix a_rows s s1) (matrix a_rows s s2) (matrix a_rows s s3) (row M first s).
  have h1 : distance (row M first s) (matrix a_rows s) <= 1/5 by have [_] := h first s.
  have /probability3 := hM first s.
  by have := distance3 (hM first s) (rows_a s) h1; rewrite /near /a_radius; lra.
by split; [exact: (hq s1) | split; [exact: (hq s2) | exact: (hq s3)]].
Qed.

Lemma known_b B M a : B a = arm_b -> plausible B M ->
  forall s, reward M a s = vector b_rewards s /\ forall y, row M a s y = matrix b_rows s y.
Proof. by move=> e hB s; have := @known_arm B M a s hB; rewrite e; apply. Qed.

Lemma known_c mu B M a : B a = arm_c mu -> plausible B M ->
  forall s, reward M a s = mu /\ forall f, mean (row M a s) f = f s.
Proof.
move=> e hB s; have [hr hq] : reward M a s = mu /\ forall y, row M a s y = if s == y then 1 else 0.
  by have := @known_arm B M a s hB; rewrite e; apply.
split=> // f; rewrite -(sum_single s f); apply: eq_bigr => y _; rewrite hq eq_sym; case: eqP => _; lra.
Qed.

(* ---------------------------------------------------------------- The printed numbers *)

(* The figure's estimates: arm a within its radius, arm b known. *)
Definition estimates : 'I_2 -> estimate3 := both arm_a arm_b.

(* Tables of values by (state of arm a, state of arm b). *)
Definition optimistic_values : seq (seq R) :=
  [:: [:: 1799/300; 418/75; 49167/7600]; [:: 703/120; 338/75; 6889/950]; [:: 1039/300; 38/75; 321/50]].
Definition pi1_values : seq (seq R) :=
  [:: [:: 41117/6900; 418/75; 49167/7600]; [:: 80819/13800; 338/75; 6889/950]; [:: 1039/300; 38/75; 321/50]].
Definition pi2_values : seq (seq R) :=
  [:: [:: 1799/300; 418/75; 321/50]; [:: 703/120; 338/75; 6889/950]; [:: 1039/300; 38/75; 321/50]].
Definition M1_values : seq (seq R) :=
  [:: [:: 9363/1600; 21/4; 5163/800]; [:: 1121/200; 4; 721/100]; [:: 321/100; 0; 321/50]].
Definition M2_values : seq (seq R) :=
  [:: [:: 1799/300; 418/75; 321/50]; [:: 703/120; 338/75; 721/100]; [:: 1039/300; 38/75; 321/50]].
Definition M2_pi1_values : seq (seq R) :=
  [:: [:: 41117/6900; 418/75; 21889/3450]; [:: 80819/13800; 338/75; 49723/6900]; [:: 1039/300; 38/75; 321/50]].
Definition M2_open_values : seq (seq R) :=
  [:: [:: 1799/300; 418/75; 21889/3450]; [:: 703/120; 338/75; 49723/6900]; [:: 1039/300; 38/75; 321/50]].
Definition M3_open_values : seq (seq R) :=
  [:: [:: 22323/3800; 405/76; 49167/7600]; [:: 10889/1900; 80/19; 6889/950]; [:: 321/100; 0; 321/50]].

Ltac nine := apply: states3; apply: states3.
Ltac numbers := rewrite /ahead /matrix /=.

Lemma priority_plays order i j : priority order (at_ i j) =
  (head (first, s1) [seq c <- order | (if c.1 == first then i else j) == c.2]).1.
Proof. by congr (head _ _).1; apply: eq_filter => c; rewrite ffunE. Qed.

Lemma zero_radius (u : R) (q : 'I_3 -> R) : Rabs (u - u) <= 0 /\ distance q q <= 0.
Proof. by split; [|rewrite /distance sum3]; rewrite !Rminus_diag_eq // Rabs_R0; lra. Qed.

Section Instance.
Variable rows : seq (seq R).
Hypothesis hrows : forall i, probability (matrix rows i).

Lemma markovian_instance : markovian (instance rows).
Proof. by apply: arms2; [exact: hrows | exact: rows_b]. Qed.

Lemma plausible_instance : (forall i, distance (matrix rows i) (matrix a_rows i) <= a_radius) ->
  plausible estimates (instance rows).
Proof.
move=> d; split; first exact: markovian_instance.
apply: arms2 => s; last exact: zero_radius.
by split; [case: (zero_radius (vector a_rewards s) (fun _ => 0)) | exact: d].
Qed.
End Instance.

Ltac arithmetic hr hb := rewrite /ahead /beta /= mean3 ?hr ?(proj1 (hb _)) ?(proj2 (hb _)) /vector /matrix /=; lra.

(* Every policy in every bandit of the set is worth at most the table, from each of the nine states. *)
Lemma at_most_optimistic M pi : plausible estimates M ->
  forall i j, V beta M pi (at_ i j) <= matrix optimistic_values i j.
Proof.
move=> hM; have [hr [q1 [q2 q3]]] := in_set hM; have hb := known_b (a := second) (erefl _) hM.
apply: (two_at_most discount (proj1 hM)); rewrite /near in q1 q2 q3.
by apply: arms2; nine; arithmetic hr hb.
Qed.

(* A policy that plays arm a in (A1, B1) is worth at most 41117/6900 there, whatever it does elsewhere. *)
Lemma at_most_pi1 M pi : plausible estimates M -> pi (at_ s1 s1) = first ->
  forall i j, V beta M pi (at_ i j) <= matrix pi1_values i j.
Proof.
move=> hM plays; have [hr [q1 [q2 q3]]] := in_set hM; have hb := known_b (a := second) (erefl _) hM.
apply: (two_at_most_for discount (proj1 hM)); rewrite /near in q1 q2 q3.
by nine; rewrite ?plays; try (move: (pi _); apply: arms2); arithmetic hr hb.
Qed.

(* One that plays arm b in (A1, B3) gets 321/100 for ever. *)
Lemma at_most_pi2 M pi : plausible estimates M -> pi (at_ s1 s3) = second ->
  forall i j, V beta M pi (at_ i j) <= matrix pi2_values i j.
Proof.
move=> hM plays; have [hr [q1 [q2 q3]]] := in_set hM; have hb := known_b (a := second) (erefl _) hM.
apply: (two_at_most_for discount (proj1 hM)); rewrite /near in q1 q2 q3.
by nine; rewrite ?plays; try (move: (pi _); apply: arms2); arithmetic hr hb.
Qed.

Ltac known_rows := apply: states3; apply/probability3; rewrite /matrix /=; lra.
Lemma M1_rows_ok i : probability (matrix M1_rows i). Proof. by move: i; known_rows. Qed.
Lemma M2_rows_ok i : probability (matrix M2_rows i). Proof. by move: i; known_rows. Qed.
Lemma M3_rows_ok i : probability (matrix M3_rows i). Proof. by move: i; known_rows. Qed.

Ltac absolute := rewrite /Rabs;
  repeat match goal with |- context [Rcase_abs ?u] => case: (Rcase_abs u) => ? end; lra.
Ltac in_ball ok := apply: (plausible_instance ok);
  apply: states3; rewrite /distance sum3 /matrix /a_radius /=; absolute.

(* ledger: thm:no_OFU/members *)
Theorem M1_in_set : plausible estimates M1.
Proof. by in_ball M1_rows_ok. Qed.
(* ledger: thm:no_OFU/members *)
Theorem M2_in_set : plausible estimates M2.
Proof. by in_ball M2_rows_ok. Qed.
Lemma M3_in_set : plausible estimates M3.
Proof. by in_ball M3_rows_ok. Qed.

(* The vector [0.1, 0.1, 0.1] printed as epsilon^Q_a is not the L1 radius.
   ledger: thm:no_OFU/radius *)
Theorem radius_at_least radius : plausible (both (arm_a_within radius) arm_b) M1 -> 1/5 <= radius.
Proof.
case=> _ /(_ first s1) [_]; change (distance (matrix M1_rows s1) (matrix a_rows s1) <= radius -> 1/5 <= radius).
by rewrite /distance sum3 /matrix /=; absolute.
Qed.

Ltac by_table ok := apply: (two_unique discount (markovian_instance ok));
  nine; rewrite /pi1 /pi2 /open_order priority_plays /= /ahead /beta /= mean3 /both /vector /matrix /=; lra.

Lemma M1_under_pi1 : forall i j, V beta M1 pi1 (at_ i j) = matrix M1_values i j.
Proof. by by_table M1_rows_ok. Qed.
Lemma M2_under_pi1 : forall i j, V beta M2 pi1 (at_ i j) = matrix M2_pi1_values i j.
Proof. by by_table M2_rows_ok. Qed.
Lemma M2_under_pi2 : forall i j, V beta M2 pi2 (at_ i j) = matrix M2_values i j.
Proof. by by_table M2_rows_ok. Qed.
Lemma M2_under_open_order : forall i j, V beta M2 open_order (at_ i j) = matrix M2_open_values i j.
Proof. by by_table M2_rows_ok. Qed.
Lemma M3_under_open_order : forall i j, V beta M3 open_order (at_ i j) = matrix M3_open_values i j.
Proof. by by_table M3_rows_ok. Qed.

Ltac optimal ok := apply: (two_at_most discount (markovian_instance ok));
  apply: arms2; nine; rewrite /ahead /beta /= mean3 /both /vector /matrix /=; lra.

Lemma M1_optimum : forall pi i j, V beta M1 pi (at_ i j) <= matrix M1_values i j.
Proof. by move=> pi; move: pi; optimal M1_rows_ok. Qed.
Lemma M2_optimum : forall pi i j, V beta M2 pi (at_ i j) <= matrix M2_values i j.
Proof. by move=> pi; move: pi; optimal M2_rows_ok. Qed.

(* ledger: thm:no_OFU/value-pi2 *)
Theorem value_pi2 : is_lub (values_over_set beta estimates pi2 (at_ s1 s3)) (321/50).
Proof.
apply: is_lub_attained; first by exists M2; split; [exact: M2_in_set | rewrite M2_under_pi2 /matrix /=; lra].
by move=> v [M [hM ->]]; apply: at_most_pi2 => //; rewrite /pi2 priority_plays.
Qed.

(* ledger: thm:no_OFU/value-M1 thm:no_OFU/value-M1/repair *)
Theorem value_M1 : is_lub (values_of_policies beta M1 (at_ s1 s3)) (5163/800).
Proof.
apply: is_lub_attained; first by exists pi1; rewrite M1_under_pi1 /matrix /=; lra.
by move=> v [pi ->]; exact: M1_optimum.
Qed.

(* It is attained in M3, which differs from M1 in the row of A2.
   ledger: thm:no_OFU/value-M1/repair *)
Theorem value_most_optimistic : is_lub (values_over_set_and_policies beta estimates (at_ s1 s3)) (49167/7600) /\
  plausible estimates M3 /\ V beta M3 open_order (at_ s1 s3) = 49167/7600.
Proof.
have e : V beta M3 open_order (at_ s1 s3) = 49167/7600 by rewrite M3_under_open_order /matrix /=; lra.
split; last by split; [exact: M3_in_set |].
apply: is_lub_attained; first by exists M3, open_order; split; [exact: M3_in_set |].
by move=> v [M [pi [hM ->]]]; exact: at_most_optimistic.
Qed.

(* ledger: thm:no_OFU/value-pi1 *)
Theorem value_pi1 : is_lub (values_over_set beta estimates pi1 (at_ s1 s1)) (41117/6900) /\
  V beta M2 pi1 (at_ s1 s1) = 41117/6900.
Proof.
have e : V beta M2 pi1 (at_ s1 s1) = 41117/6900 by rewrite M2_under_pi1 /matrix /=; lra.
split=> //; apply: is_lub_attained; first by exists M2; split; [exact: M2_in_set | rewrite e].
by move=> v [M [hM ->]]; apply: at_most_pi1 => //; rewrite /pi1 priority_plays.
Qed.

(* ledger: thm:no_OFU/value-M2 *)
Theorem value_M2 : is_lub (values_of_policies beta M2 (at_ s1 s1)) (1799/300).
Proof.
apply: is_lub_attained; first by exists pi2; rewrite M2_under_pi2 /matrix /=; lra.
by move=> v [pi ->]; exact: M2_optimum.
Qed.

(* To two decimals: 6.42, 5.96 and 6.00 are the exact values rounded; 6.47 is that of the most optimistic bandit
   of the set, and not of the M1 that is drawn.
   ledger: thm:no_OFU/value-M1 thm:no_OFU/value-M1/repair thm:no_OFU/value-pi2 thm:no_OFU/value-pi1 thm:no_OFU/value-M2 *)
Theorem rounding :
  Rabs (321/50 - 642/100) <= 1/200 /\ Rabs (41117/6900 - 596/100) <= 1/200 /\ Rabs (1799/300 - 600/100) <= 1/200 /\
  Rabs (49167/7600 - 647/100) <= 1/200 /\ ~ Rabs (5163/800 - 647/100) <= 1/200.
Proof. by absolute. Qed.

(* pi1 is optimal in M1 and pi2 in M2, from every initial state.
   ledger: thm:no_OFU/optimal-policies *)
Theorem optimal_policies x pi : V beta M1 pi x <= V beta M1 pi1 x /\ V beta M2 pi x <= V beta M2 pi2 x.
Proof.
by rewrite (at_eta x) M1_under_pi1 M2_under_pi2; split; [exact: M1_optimum | exact: M2_optimum].
Qed.

(* The two strict inequalities of eq:counter-example1, the first against M1, the second against M2.
   ledger: thm:no_OFU/strict-pi2 thm:no_OFU/strict-pi1 *)
Theorem strict_inequalities :
  below_optimum estimates pi2 M1 (at_ s1 s3) /\ below_optimum estimates pi1 M2 (at_ s1 s1).
Proof.
split; first by exists (321/50), (5163/800); split; [exact: value_pi2 | split; [exact: value_M1 | lra]].
by exists (41117/6900), (1799/300); split; [case: value_pi1 | split; [exact: value_M2 | lra]].
Qed.

(* The printed proof is not complete: the order A2 > B1 > A1 > B3 > A3 > B2 of the two arms' states is optimistic
   from every initial state, against every policy in every bandit of the set.
   ledger: thm:no_OFU/two-cases *)
Theorem open_order_survives x : exists M0, plausible estimates M0 /\
  forall M pi, plausible estimates M -> V beta M pi x <= V beta M0 open_order x.
Proof.
rewrite (at_eta x); move: (x first) (x second) => i j.
exists (if j == s3 then M3 else M2); split; first by case: ifP => _; [exact: M3_in_set | exact: M2_in_set].
move=> M pi hM; apply: Rle_trans (at_most_optimistic pi hM i j) _.
move: i j; nine; rewrite /= ?M2_under_open_order ?M3_under_open_order /matrix /=; lra.
Qed.

(* ---------------------------------------------------------------- The theorem *)

(* A bound on the policy's value in every bandit of the set, below the value of a policy in one of them. *)
Definition gap (B : 'I_2 -> estimate3) (pi : policy2) (x : state2) := exists M p u,
  plausible B M /\ (forall M', plausible B M' -> V beta M' pi x <= u) /\ u < V beta M p x.

Lemma gap_not_optimistic B pi x : gap B pi x -> not_optimistic B pi x.
Proof.
case=> [M [p [u [hM [hu lt]]]]]; exists M; split=> //.
have [s hs] : exists s, is_lub (values_over_set beta B pi x) s.
  by apply: (@supremum_exists _ (V beta M pi x) u); [exists M | move=> v [M' [hM' ->]]; exact: hu].
have [C [C0 rC]] := exists_bound (fun c : 'I_2 * 'I_3 => reward M c.1 c.2).
have [t ht] : exists t, is_lub (values_of_policies beta M x) t.
  apply: (@supremum_exists _ (V beta M p x) (C / (1 - beta))); first by exists p.
  move=> v [p' ->]; apply: (discounted_at_most_const (sub_policy (P_sub (proj1 hM)) p') discount) => // y.
  by apply: Rle_trans (Rle_abs _) (rC (p' y, y (p' y))).
exists s, t; do 2 split=> //; apply: Rle_lt_trans (_ : _ <= u) _.
  by apply: (proj2 hs) => v [M' [hM' ->]]; exact: hu.
by apply: Rlt_le_trans lt _; apply: (proj1 ht); exists p.
Qed.

(* The four comparisons. All start with both arms in their first state; arm c pays c1 or c2. *)
Definition start : state2 := at_ s1 s1.
Definition c1 : R := 643/200.
Definition c2 : R := 161/50.

(* From tables: f bounds the policy's values in every bandit of the set, g are another policy's values in one of them. *)
Lemma gap_of B pi M p (f g : 'I_3 -> 'I_3 -> R) : plausible B M ->
  (forall M', plausible B M' -> forall i j, ahead beta M' (pi (at_ i j)) f i j <= f i j) ->
  (forall i j, g i j = ahead beta M (p (at_ i j)) g i j) -> f s1 s1 < g s1 s1 -> gap B pi start.
Proof.
move=> hM hf hg lt; exists M, p, (f s1 s1); split=> //; split=> [M' hM'|].
  exact: (two_at_most_for discount (proj1 hM') (hf M' hM') s1 s1).
by rewrite /start (two_unique discount (proj1 hM) hg).
Qed.

(* Arms a and b: a policy that plays a is not optimistic. *)
Lemma must_play_b pi : pi start = first -> gap (both arm_a arm_b) pi start.
Proof.
move=> plays; exists M2, pi2, (41117/6900); split; first exact: M2_in_set.
split; last by rewrite M2_under_pi2 /matrix /=; lra.
by move=> M hM; exact: (at_most_pi1 hM plays s1 s1).
Qed.

(* Arms a and c with c2 below the Gittins index 42/13 of A1 in M1: a policy that plays c is not. *)
Definition M1_with_c : model2 :=
  Model (both (vector a_rewards) (fun _ => c2)) (both (matrix M1_rows) (fun i j => if i == j then 1 else 0)).

Lemma plausible_c mu : forall s, probability (Qhat (arm_c mu) s).
Proof. by move=> s; split=> [y|] /=; [case: eqP; lra | rewrite -[RHS](sum_single s (fun _ => 1)); apply: eq_bigr => y _; rewrite eq_sym]. Qed.

Lemma must_play_a pi : pi start = second -> gap (both arm_a (arm_c c2)) pi start.
Proof.
move=> plays; apply: (@gap_of _ _ M1_with_c (priority [:: A1; A2; B1; B2; B3; A3])
  (fun i j => if (i == s1) && (j == s1) then 2 * c2 else 8) (fun i _ => vector [:: 2583/400; 4 + c2; 2 * c2] i)) => [|M hM||].
- split; first by apply: arms2; [exact: M1_rows_ok | exact: (plausible_c c2)].
  by apply: arms2 => s; [have [_ h] := M1_in_set; exact: h first s | exact: zero_radius].
- have [hr [q1 [q2 q3]]] := in_set hM; have hc := known_c (a := second) (erefl _) hM; rewrite /near in q1 q2 q3.
  by nine; rewrite ?plays; try (move: (pi _); apply: arms2);
    rewrite /ahead /beta /= ?(proj1 (hc _)) ?(proj2 (hc _)) ?hr ?mean3 /vector /c2 /=; lra.
- by nine; rewrite priority_plays /= /ahead /beta /= mean3 /both /vector /matrix /c2 /=; lra.
- by rewrite /vector /c2 /=; lra.
Qed.

(* Arm c twice, paying c1 and c2 > c1: a policy that plays the first is not. *)
Definition M_cc : model2 :=
  Model (both (fun _ => c1) (fun _ => c2)) (fun _ i j => if i == j then 1 else 0).

Lemma must_play_second pi : pi start = first -> gap (both (arm_c c1) (arm_c c2)) pi start.
Proof.
move=> plays; apply: (@gap_of _ _ M_cc (fun _ => second)
  (fun i j => if (i == s1) && (j == s1) then 2 * c1 else 2 * c2) (fun _ _ => 2 * c2)) => [|M hM||].
- by split; apply: arms2 => s; [exact: (plausible_c c1) | exact: (plausible_c c2) | exact: zero_radius | exact: zero_radius].
- have h1 := known_c (a := first) (erefl _) hM; have h2 := known_c (a := second) (erefl _) hM.
  by nine; rewrite ?plays; try (move: (pi _); apply: arms2);
    rewrite /ahead /beta /= ?(proj1 (h1 _)) ?(proj2 (h1 _)) ?(proj1 (h2 _)) ?(proj2 (h2 _)) /c1 /c2 /=; lra.
- by nine; rewrite /ahead /beta /= mean3 /both /c2 /=; lra.
- by rewrite /c1 /c2 /=; lra.
Qed.

(* Arms c and b with c1 above 321/100: a policy that plays b is not. *)
Definition M_cb : model2 :=
  Model (both (fun _ => c1) (vector b_rewards)) (both (fun i j => if i == j then 1 else 0) (matrix b_rows)).

Lemma must_play_c pi : pi start = second -> gap (both (arm_c c1) arm_b) pi start.
Proof.
move=> plays; apply: (@gap_of _ _ M_cb (fun _ => first)
  (fun i j => if i == s1 then if j == s1 then 321/100 + c1 else 2 * c1 else 2 * c2) (fun _ _ => 2 * c1)) => [|M hM||].
- by split; apply: arms2 => s; [exact: (plausible_c c1) | exact: rows_b | exact: zero_radius | exact: zero_radius].
- have h1 := known_c (a := first) (erefl _) hM; have hb := known_b (a := second) (erefl _) hM.
  by nine; rewrite ?plays; try (move: (pi _); apply: arms2);
    rewrite /ahead /beta /= ?(proj1 (h1 _)) ?(proj2 (h1 _)) ?mean3 ?(proj1 (hb _)) ?(proj2 (hb _)) /c1 /c2 /vector /matrix /=; lra.
- by nine; rewrite /ahead /beta /= mean3 /both /c1 /=; lra.
- by rewrite /c1 /=; lra.
Qed.

Lemma gap_quarter B pi x : gap B pi x -> gap (fun a => quarter (B a)) pi x.
Proof.
case=> [M [p [u [hM [hu lt]]]]]; exists (times (1/4) M), p, (u/4); split; first exact: plausible_quarter.
split; last by rewrite (V_times _ _ _ discount) ?(proj1 hM) //; [lra | exact: (proj1 hM)].
move=> M' /plausible_four hM'; have := hu _ hM'; rewrite (V_times _ _ _ discount) //; last exact: (proj1 hM').
by lra.
Qed.

(* Divided by 4, the rewards lie in [0, 1], and values are divided by 4. *)
Lemma proper_a : proper (quarter arm_a).
Proof.
split; first by apply: states3; rewrite /= /vector /=; lra.
by split; [exact: rows_a | move=> s; rewrite /= /a_radius; lra].
Qed.
Lemma proper_b : proper (quarter arm_b).
Proof.
split; first by apply: states3; rewrite /= /vector /=; lra.
by split; [exact: rows_b | move=> s; rewrite /=; lra].
Qed.
Lemma proper_c mu : 0 <= mu <= 4 -> proper (quarter (arm_c mu)).
Proof. by move=> h; split=> [s|]; [rewrite /=; lra | split; [exact: plausible_c | move=> s; rewrite /=; lra]]. Qed.

(* The index policy of two arms in the starting state, and what its decision says of the indices. *)
Section Decision.
Variables (I : local_indices (ordinal_finType 2) (ordinal_finType 3)) (tie : tie_break (ordinal_finType 2) (ordinal_finType 3)).
Hypothesis tie_ok : breaks_ties tie.
Definition follow (u v : estimate3) : policy2 := index_policy (fun a => I a (both u v a)) tie.

Lemma decision u v :
  (follow u v start = first /\ I second v s1 <= I first u s1) \/
  (follow u v start = second /\ I first u s1 <= I second v s1).
Proof.
have h := @index_policy_largest _ _ (fun a => I a (both u v a)) tie start first tie_ok.
have [e|e] : follow u v start = first \/ follow u v start = second.
  by move: (follow u v start); apply: arms2; [left | right].
- by left; split=> //; have := h second; rewrite -/(follow u v) e /start at_first at_second.
- by right; split=> //; have := h first; rewrite -/(follow u v) e /start at_first at_second.
Qed.

Lemma tied u v : I first u s1 = I second v s1 -> follow u v start = tie start setT.
Proof.
move=> e; rewrite /follow /index_policy; congr (tie _ _); apply/setP => a; rewrite [RHS]inE.
by apply/largestP; move: a; apply: arms2; apply: arms2; rewrite /start ?at_first ?at_second /both /= ?e; lra.
Qed.
End Decision.

(* Theorem 3. Whatever function computes the index of a state from its arm's own data, the arm's label included,
   and however ties are broken without looking at the data, there are estimates, a bandit M of their plausible
   set (both within the paper's definitions: n = 2, S = 3, rewards in [0, 1]) and an initial state, from which
   the supremum of the index policy's value over the set is below the optimal value of M.
   Added to the paper's words: ties are broken by a rule that does not look at the data.
   ledger: thm:no_OFU *)
Theorem no_OFU (I : local_indices (ordinal_finType 2) (ordinal_finType 3))
  (tie : tie_break (ordinal_finType 2) (ordinal_finType 3)) : breaks_ties tie ->
  exists (B : 'I_2 -> estimate3) (x : state2),
    (forall a, proper (B a)) /\ (forall M, plausible B M -> unit_rewards M) /\
    not_optimistic B (index_policy (fun a => I a (B a)) tie) x.
Proof.
move=> tie_ok.
have finish u v : proper (quarter u) -> proper (quarter v) -> (forall s, br u s = 0) -> (forall s, br v s = 0) ->
    gap (both u v) (follow I tie (quarter u) (quarter v)) start ->
    exists (B : 'I_2 -> estimate3) (x : state2), (forall a, proper (B a)) /\
      (forall M, plausible B M -> unit_rewards M) /\ not_optimistic B (index_policy (fun a => I a (B a)) tie) x.
  move=> pu pv ru rv g; exists (both (quarter u) (quarter v)), start.
  have hB : forall a, proper (both (quarter u) (quarter v) a) by apply: arms2.
  split=> //; split.
    by move=> M; apply: (unit_rewards_of_set hB); apply: arms2 => s; rewrite /= ?ru ?rv; lra.
  apply: gap_not_optimistic.
  have e : (fun a => quarter (both u v a)) = both (quarter u) (quarter v).
    by apply: FunctionalExtensionality.functional_extensionality; apply: arms2.
  by rewrite -e; apply: gap_quarter; rewrite /follow -e in g *.
have p1 : proper (quarter (arm_c c1)) by apply: proper_c; rewrite /c1; lra.
have p2 : proper (quarter (arm_c c2)) by apply: proper_c; rewrite /c2; lra.
have [pa pb] := (proper_a, proper_b).
have [[e _]|[eb ab]] := decision I tie_ok (quarter arm_a) (quarter arm_b).
  by apply: (finish arm_a arm_b) => //; exact: must_play_b.
have [[ea ca]|[e _]] := decision I tie_ok (quarter arm_a) (quarter (arm_c c2)); last first.
  by apply: (finish arm_a (arm_c c2)) => //; exact: must_play_a.
have [[e _]|[_ cc]] := decision I tie_ok (quarter (arm_c c1)) (quarter (arm_c c2)).
  by apply: (finish (arm_c c1) (arm_c c2)) => //; exact: must_play_second.
have [[_ bc]|[e _]] := decision I tie_ok (quarter (arm_c c1)) (quarter arm_b); last first.
  by apply: (finish (arm_c c1) arm_b) => //; exact: must_play_c.
(* Optimism would put the four indices in a circle, so they are equal; then one rule breaks the tie of a with b
   as it breaks that of a with c. *)
have : follow I tie (quarter arm_a) (quarter arm_b) start = follow I tie (quarter arm_a) (quarter (arm_c c2)) start.
  by rewrite !tied //; lra.
by rewrite eb ea.
Qed.

