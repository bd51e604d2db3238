(* The minimax bound for the learner that there is: before each episode it computes its curves arm by arm, from the estimates of
   that moment, and plays an arm of largest index (EventUses.v). On the events of LearnerEvents.v, which fail before at most
   one of the K episodes in the mean, they are what MinimaxTheorem.v asks for. *)

From kernel Require Import Limits Sums Values Bandits Concentration Events Retirement Gittins Hull Variance Episodes Weights.
From kernel Require Import Curves ArmByArm Minorant Bonus FixedCurve LearnerCurves GapStep Laws LawOfRun Truncation Frozen Radii.
From kernel Require Import DoubleSum Known Sharper LearnerEvents EventUses MinimaxRun MinimaxTheorem.

(* There is one index only. *)
Lemma index_unique (A S : finType) (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R) p' q' a s :
  is_index G m phi p' -> is_index G m phi q' -> p' a s = q' a s.
Proof.
move=> p_ok q_ok; apply/eqP; rewrite eqn_leq; apply/andP.
suff le (p q : A -> S -> nat) : is_index G m phi p -> is_index G m phi q -> (p a s <= q a s)%nat by split; exact: le.
move=> [_ below] [above _]; rewrite leqNgt; apply/negP => lt; have [qG eq] := above a s.
by have := below a s _ lt; rewrite eq //; lra.
Qed.

Section Logs.
Variables (A S : finType) (O : Type) (K G : nat).
Notation history := (history A S O).
Hypotheses (K1 : (1 <= K)%nat) (cells1 : (1 <= #|cell A S|)%nat).

Lemma log_of_inside (h : history) : log_of K G h = log_time (inside A S K G) h.
Proof. by rewrite log_ofE /log_time /inside /time_of. Qed.

Let inside_pos : 0 < inside A S K G.
Proof.
have s1 := INR_ge1 cells1; have k1 := INR_ge1 K1; have g0 := pos_INR G; rewrite /inside.
by repeat apply: Rmult_lt_0_compat; lra.
Qed.

Lemma set_log_of_inside (h : history) : set_log_of K G h = log_time (inside' A S K G) h.
Proof.
have d0 := pos_INR (duration h); have p : 0 < 2 ^ #|S| by apply: pow_lt; lra.
rewrite /set_log_of /set_log_at -/(log_of K G h) log_of_inside /log_time /inside' -ln_pow; last lra.
by rewrite -ln_mult //; [congr ln; ring | apply: Rmult_lt_0_compat; lra].
Qed.

End Logs.

(* ---------------------------------------------------------------- The learner in words of its own *)

Section Read.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Notation history := (history A S O).
Notation cell := (cell A S).
Notation B := (1 / (1 - beta)).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R) (K G : nat) (h : history).
Notation visits a s := (INR (maxn 1 (count_of (a, s) h))).
Notation row := (estimated_row next guess_row h).
Notation lk := (log_time (inside A S K G) h).

(* What retiring with the j-th retirement reward, or going on, is worth at most, phi being worth it at the next step. *)
Definition worth_bonus (a : A) (s : S) (v : S -> R) : R :=
  Rmax (9 / 5 * sqrt (variance (row a s) v) * sqrt (lk / visits a s)) (16 * B * (lk / visits a s)).
Definition worth_at_most (phi : A -> nat -> S -> R) (a : A) (s : S) (j : nat) : R := Rmax (even_grid B G j) (Rmin B
  (means pays guess_reward h (a, s) + sqrt (lk / (2 * visits a s)) + beta * (mean (row a s) (phi a j) + worth_bonus a s (phi a j)))).

(* f is convex on the grid, and at most g; phi is, for each state, the largest such function; and the policy is one of largest index. *)
Definition convex_below (f g : nat -> R) := (forall j, (j.+2 <= G)%nat -> 2 * f j.+1 <= f j + f j.+2) /\ forall j, (j <= G)%nat -> f j <= g j.
Definition solves (phi : A -> nat -> S -> R) := forall a s, convex_below (fun j => phi a j s) (worth_at_most phi a s) /\
  forall f, convex_below f (worth_at_most phi a s) -> forall j, (j <= G)%nat -> f j <= phi a j s.
Definition follows_index (pi : plays A S) := exists (phi : A -> nat -> S -> R) (index : A -> S -> nat), solves phi /\
  (forall a s, (index a s <= G)%nat /\ phi a (index a s) s = even_grid B G (index a s) /\
     forall j, (j < index a s)%nat -> phi a j s <> even_grid B G j) /\
  forall (x : global A S) b, (index b (x b) <= index (pi x) (x (pi x)))%nat.

Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Hypotheses (K1 : (1 <= K)%nat) (G0 : (0 < G)%nat) (C1 : (1 <= #|cell|)%nat).
Notation grid := (even_grid B G).
Notation curve := (curve_after next pays beta guess_reward guess_row K G grid h).

Let B_pos : 0 < B. Proof. by apply: Rdiv_lt_0_compat; case: discount; lra. Qed.
Let up : forall j, grid j < grid j.+1. Proof. by case: (even_grid_ok B_pos G0). Qed.
Let zero : grid 0 = 0. Proof. by case: (even_grid_ok B_pos G0). Qed.
Let top : grid G = B. Proof. by case: (even_grid_ok B_pos G0). Qed.

Lemma convex_belowE f g : convex_below f g <-> convex_on G grid f /\ below G f g.
Proof.
have [_ _ _ same] := even_grid_ok B_pos G0; have dp : 0 < B / INR G by apply: Rdiv_lt_0_compat => //; apply: lt_0_INR; apply/ltP.
have e j : grid j.+2 - grid j = 2 * (B / INR G) by have := same j; have := same j.+1; lra.
split=> [[conv le]|[conv le]]; split=> // j jG.
- by rewrite /convex_at e !same; have := Rmult_le_compat_r (B / INR G) _ _ (ltac:(lra)) (conv j jG); lra.
- by have := conv j jG; rewrite /convex_at e !same => h'; apply: (Rmult_le_reg_r (B / INR G)) => //; lra.
Qed.

Lemma worth_at_mostE phi a s i : worth_at_most phi a s i = Rmax (grid i) (Rmin (grid G) (base_reward pays guess_reward K G h a s
  + beta * lift G grid row (bonus_radius K G h) (9 / 5) 16 a s (phi a i))).
Proof.
rewrite /worth_at_most /lift /bonus /worth_bonus bonus_radius_square // /bonus_radius /base_reward /deviation.
by rewrite top !log_of_inside.
Qed.

Lemma solution_is_curve phi a j s : solves phi -> (j <= G)%nat -> phi a j s = curve a j s.
Proof.
move=> sol jG; have grid' i : (i < G)%nat -> grid i < grid i.+1 by move=> _; exact: up.
have low : 0 <= grid 0 by rewrite zero; lra.
rewrite /curve_after (learner_solved discount (fun i _ => up i) zero _ (estimated_rows next guess_row_ok h) (bonus_radius_nonneg K G h)
  c1_nonneg c1_below_c2 _ _ jG).
set lft := lift G grid row (bonus_radius K G h) (9 / 5) 16.
have choiceE s' i : worth_at_most phi a s' i = choice_of G grid beta (base_reward pays guess_reward K G h a) (lft a) (phi a) s' i.
  exact: worth_at_mostE.
have solved s' i : (i <= G)%nat -> improve G grid beta (base_reward pays guess_reward K G h a) (lft a) (phi a) i s' = phi a i s'.
  move=> iG; have [/convex_belowE [conv le] most] := sol a s'; rewrite /improve; apply: Rle_antisym.
    apply: most => //; apply/convex_belowE; split; first by apply: minorant_convex => ? _; exact: up.
    by move=> l lG; rewrite choiceE; exact: minorant_below.
  by apply: (minorant_greatest (f := fun l => phi a l s')) => // l lG; rewrite -choiceE; exact: le.
have mono := fun s' => @lift_monotone A S G grid (fun i _ => up i) zero row (bonus_radius K G h) (9/5) 16 (estimated_rows next guess_row_ok h)
  (bonus_radius_nonneg K G h) c1_nonneg c1_below_c2 a s'.
have shift s' f c : lft a s' (fun y => f y + c) = lft a s' f + c by apply: lift_shift; exact: estimated_rows.
apply: (fixed_unique discount grid' low mono shift) => // [i z iG|i z iG]; last exact: solved.
by rewrite -(solved z i iG); exact: improve_box.
Qed.

Lemma curve_solves : solves curve.
Proof.
have fixed a s j : (j <= G)%nat -> curve a j s = minorant G grid (worth_at_most curve a s) j.
  move=> jG; rewrite {1}/curve_after (learner_fixed discount (fun i _ => up i) zero _ (estimated_rows next guess_row_ok h)
    (bonus_radius_nonneg K G h) c1_nonneg c1_below_c2 _ _ jG); congr (minorant _ _ _ _).
  apply: funext => i.
  exact/esym/worth_at_mostE.
move=> a s; split=> [|f /convex_belowE [conv le] j jG]; last by rewrite fixed //; exact: minorant_greatest.
apply/convex_belowE; split=> [j jG|j jG]; last by rewrite fixed //; exact: minorant_below.
have j1 := ltnW jG; have j0 := ltnW j1; rewrite /convex_at !fixed //; exact: minorant_convex.
Qed.

Lemma follows_largest pi : follows_index pi -> exists position, is_index G grid curve position /\ forall x, of_largest_index position x (pi x).
Proof.
move=> [phi [index [sol [idx most]]]]; exists index; split; last exact: most.
have ok := curves_after next pays discount guess_reward guess_row_ok K G0 (fun j _ => up j) zero h.
split=> [a s|a s j jp]; have [iG [e least]] := idx a s.
  by split=> // j jG pj; apply: (retired_on ok (i := index a s)); rewrite ?pj ?jG // -(solution_is_curve _ _ sol).
have jG : (j <= G)%nat by exact: leq_trans (ltnW jp) iG.
have [e0 _] := excess_range ok a s jG; case: (Rle_lt_or_eq_dec _ _ e0) => [|z]; first lra.
by case: (least j jp); rewrite (solution_is_curve _ _ sol) //; lra.
Qed.

(* Such a policy exists, whatever was seen.
   step of: beyond:minimax *)
Theorem index_policy_follows a0 : follows_index (index_policy next pays beta guess_reward guess_row K G grid a0 h).
Proof.
have ok := curves_after next pays discount guess_reward guess_row_ok K G0 (fun j _ => up j) zero h.
have [retires least] := first_position_is_index ok; exists curve, (first_position G grid curve); split; first exact: curve_solves.
split=> [a s|x b]; last exact: index_policy_largest.
have [pG above] := retires a s; split=> //; split=> [|j jp]; first exact: above.
by have := least a s j jp; lra.
Qed.
End Read.

Section Learner.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation history := (history A S O).
Notation cell := (cell A S).
Notation B := (1 / (1 - beta)).
Notation sn := (INR #|cell|).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variables (K G : nat).
Hypotheses (K1 : (1 <= K)%nat) (G_large : 60 * B <= INR G) (G_root : B * sqrt (INR K / sn) <= INR G).
Notation grid := (even_grid B G).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> law_on O) (pistar : policy A S).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Hypothesis follows : forall h pi, 0 < learner h pi -> follows_index next pays beta guess_reward guess_row K G h pi.

Let B1 : 1 <= B := top_ge1 discount.
Let G0 : (0 < G)%nat. Proof. by apply/ltP; apply: INR_lt; rewrite /=; lra. Qed.
Let cells1 : (1 <= #|cell|)%nat.
Proof. by have [A1 S1] := sizes rho_ok learner_ok; rewrite card_prod muln_gt0 A1 S1. Qed.

(* B log K, rounded up. *)
Lemma rounds_exist : exists T0, (1 <= T0)%nat /\ B * ln (INR K) <= INR T0 <= B * ln (INR K) + 1.
Proof.
have x0 : 0 <= B * ln (INR K).
  by apply: Rmult_le_pos; [lra | rewrite -ln_1; apply: Rcomplements.ln_le; [lra | exact: INR_ge1]].
have [T [low high]] := nfloor_ex _ x0; exists T.+1; split=> //; rewrite S_INR; lra.
Qed.

(* ledger: beyond:minimax *)
Theorem minimax_regret : let L := ln (5 * sn * (INR G + 1) * INR K * (INR K * B + 1)) in let L' := INR #|S| * ln 2 + L in
  let Rk := 3 + ln (1 + INR K / sn) in expected_regret next beta learner rho shows (bandit_of next pays shows) pistar K <=
  4 * (B * sqrt (sn * INR K * L * Rk)) + 7/2 * (B * sqrt (sn * INR K * L)) + 39 * (sn * B ^ 2 * (L * (L' * Rk))).
Proof.
move=> L L' Rk; have [T0 [T1 T0_range]] := rounds_exist; have t1 := INR_ge1 T1; have [up z top _] := @even_grid_ok B G (ltac:(lra)) G0; have k1 := INR_ge1 K1.
have -> : L' = log_horizon beta (inside' A S K G) K.
  have p : 0 < 2 ^ #|S| by apply: pow_lt; lra.
  rewrite /L' /L -ln_pow; last lra.
  rewrite -ln_mult //; first by congr ln; rewrite /inside' /inside; ring.
  have s1 := INR_ge1 cells1; have g0 := pos_INR G; have kB : 0 <= INR K * B by apply: Rmult_le_pos; lra.
  apply: Rmult_lt_0_compat; last lra.
  by apply: Rmult_lt_0_compat; [apply: Rmult_lt_0_compat|]; lra.
have eps01 : 0 < eps_of T0 <= 1.
  rewrite /eps_of; split; first by apply: Rdiv_lt_0_compat; lra.
  by apply: (Rmult_le_reg_r (30 * INR T0)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
pose off h := events_off next pays beta guess_row K G grid (three (eps_of T0)) shows h.
pose position h := first_position G grid (curve_after next pays beta guess_reward guess_row K G grid h).
have curves_ok h := curves_after next pays discount guess_reward guess_row_ok K G0 (fun j _ => up j) z h.
have radius (h : history) : bonus_radius K G h = radius_of (inside A S K G) h.
  by rewrite /bonus_radius log_of_inside.
have curveE h : curve_after next pays beta guess_reward guess_row K G grid h = learner_curve beta G grid (base_reward pays guess_reward K G h)
    (estimated_row next guess_row h) (radius_of (inside A S K G) h) (9 / 5) 16 by rewrite /curve_after radius.
have index h : is_index G grid (learner_curve beta G grid (base_reward pays guess_reward K G h) (estimated_row next guess_row h)
    (radius_of (inside A S K G) h) (9 / 5) 16) (position h) by rewrite -curveE; exact: first_position_is_index.
have arms h pi : 0 < learner h pi -> forall x, of_largest_index (position h) x (pi x).
  move=> chosen x b; have [p [p_ok most]] := follows_largest discount guess_row_ok K1 G0 cells1 (follows chosen).
  by rewrite /position !(index_unique _ _ (first_position_is_index (curves_ok h)) p_ok); exact: most.
refine (@minimax_short A S O next pays beta discount pays_unit K G K1 cells1 G_large G_root T0 T1 T0_range
  (base_reward pays guess_reward K G) (estimated_row next guess_row)
  (base_reward_nonneg pays_unit guess_reward_ok K G) (estimated_rows next guess_row_ok) position index learner rho shows
  learner_ok rho_ok arms (fun h => ~~ off h) _ _ pistar) => [h fine|N].
- have e0 : three (eps_of T0) (@Ordinal 3 0 isT) = eps_of T0 by [].
  have e1 : three (eps_of T0) (@Ordinal 3 2 isT) = 1 by [].
  have e2 : three (eps_of T0) (@Ordinal 3 1 isT) = 1 / 10 by [].
  have side i a s := rows_one_sided K1 cells1 fine i a s.
  have excess (e : R) (a : A) (s : S) : row_excess K G h e a s = excess_of (inside' A S K G) e h a s by rewrite /row_excess (set_log_of_inside G K1 cells1).
  split.
  + move=> a s; have := rewards_are_near discount pays_unit guess_reward_ok K1 G0 cells1 fine a s.
    by rewrite -twice_half // /reward_radius log_of_inside.
  + move=> a s j jG; have := means_are_near discount pays_unit guess_row_ok K1 G0 cells1 (fun j _ => up j) z top fine a s jG.
    by rewrite radius.
  + move=> a s f f01; apply: Rle_trans (rows_are_near discount guess_row_ok K1 G0 cells1 fine a s f01) _.
    rewrite /set_error /tau_of (set_log_of_inside G K1 cells1); apply: sqrt_le_1_alt.
    have l0 : 0 <= log_time (inside' A S K G) h by rewrite -(set_log_of_inside G K1 cells1); have := log_at_nonneg G K1 cells1 (duration h); have := set_log_large A S K G (duration h); rewrite /set_log_of; lra.
    have n1 := max1 (count_of (a, s) h); rewrite /Rdiv; apply: Rmult_le_compat_l => //; apply: Rinv_le_contravar; lra.
  + by move=> a s; rewrite -excess -e0; exact: side.
  + by move=> a s; rewrite -excess -e1; exact: side.
  + by move=> a s; rewrite -excess -e2; exact: side.
have k0 : 0 <= 1 / INR K by apply: Rcomplements.Rdiv_le_0_compat; lra.
have rarely j : truncated next beta learner rho shows N j (fun h => indicator (~~ ~~ off h)) <= 1 / INR K.
  rewrite (_ : truncated _ _ _ _ _ _ _ _ = truncated next beta learner rho shows N j (fun h => indicator (off h))); last first.
    by apply: law_ext => h; rewrite negbK.
  exact: (events_off_cut next discount pays_unit guess_row_ok K1 G0 cells1 (fun j _ => up j) z top (three_range eps01) (three_few G) shows N j learner_ok rho_ok).
have tb := tame_indicator (fun h => ~~ ~~ off h).
have := summed_cut discount learner_ok rho_ok K tb k0 rarely.
rewrite (_ : INR K * (1 / INR K) = 1); [lra | field; lra].
Qed.
End Learner.
