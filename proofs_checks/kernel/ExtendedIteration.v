(* Extended value iteration (eq:EVI) on any plausible set: it converges, to values that one policy and one model with a row of
   its own in every global state attain; what these values are bounds of. *)

From kernel Require Import Limits Sums Values Bandits Horizon Compactness.

Section Extended.
Variables (A S : finType) (beta : R) (B : A -> estimate S).
Hypothesis discount : is_discount beta.
Implicit Types (W : state A S -> R) (M : model A S) (pi : policy A S) (x : state A S).

(* In the global state x: an arm, a reward within its radius, and a row within the L1 ball of the arm's state. *)
Definition allowed x (a : A) (u : R) (q : S -> R) :=
  Rabs (u - rhat (B a) (x a)) <= br (B a) (x a) /\ row_in_ball (Qhat (B a) (x a)) (bQ (B a) (x a)) q.

(* One step of extended value iteration from x; the row may be another one in every global state. *)
Definition extended_lookahead W x (v : R) := exists a u q, allowed x a u q /\ v = u + beta * mean q (fun y => W (moved x a y)).

(* One sweep takes the largest lookahead in every global state; a fixed point of it; and one that the sweeps converge to,
   wherever they start, so that there is no other. *)
Definition sweep W W' := forall x, is_lub (extended_lookahead W x) (W' x).
Definition extended_values W := sweep W W.
Definition limit_of_sweeps W := extended_values W /\
  forall w : nat -> state A S -> R, (forall n, sweep (w n) (w n.+1)) -> forall x, is_lim_seq (fun n => w n x) (W x).

(* A policy, and a model with a reward and a row of its own in every global state, each within the radii of the arm
   that is played there; and its values. *)
Definition within_radii pi (u : state A S -> R) (q : state A S -> S -> R) := forall x, allowed x (pi x) (u x) (q x).
Definition values_with_rows pi u (q : state A S -> S -> R) :=
  discounted (fun x => P (Model (fun _ _ => 0) (fun _ _ => q x)) (pi x) x) beta u.

(* Values that differ by at most c differ by at most beta c after a sweep. *)
Lemma sweep_near W W' V V' c x : (forall y, W y <= W' y + c) -> sweep W V -> sweep W' V' -> V x <= V' x + beta * c.
Proof.
move=> le hV hV'; apply: (proj2 (hV x)) => v [a [u [q [[hu [hq hd]] ->]]]].
have m := mean_le (proj1 hq) (fun y => le (moved x a y)); rewrite mean_add (mean_of_const _ hq) in m.
have : u + beta * mean q (fun y => W' (moved x a y)) <= V' x by apply: (proj1 (hV' x)); exists a, u, q.
by have := Rmult_le_compat_l _ _ _ (proj1 discount) m; lra.
Qed.

Lemma sweep_monotone W W' V V' : (forall y, W y <= W' y) -> sweep W V -> sweep W' V' -> forall x, V x <= V' x.
Proof.
by move=> le hV hV' x; have := @sweep_near _ _ _ _ 0 x _ hV hV'; rewrite Rmult_0_r !Rplus_0_r; apply=> y; rewrite Rplus_0_r.
Qed.

(* Sweeps contract, so they converge to a fixed point. *)
Lemma sweeps_converge W : extended_values W -> limit_of_sweeps W.
Proof.
move=> hW; split=> // w hw; have [C [C0 wC]] := exists_bound (fun x => w 0%nat x - W x).
have near n : forall x, Rabs (w n x - W x) <= beta ^ n * C.
  elim: n => [|n IH] x; first by rewrite Rmult_1_l; exact: wC.
  have le y : w n y <= W y + beta ^ n * C by have := IH y; split_Rabs; lra.
  have ge y : W y <= w n y + beta ^ n * C by have := IH y; split_Rabs; lra.
  by apply: Rabs_le; have := sweep_near x le (hw n) hW; have := sweep_near x ge hW (hw n); rewrite /=; lra.
by move=> x; apply: (geometric_squeeze discount) => n; exact: near.
Qed.

Section Existence.
Variables (a0 : A) (M0 : model A S).
Hypothesis plausible_M0 : plausible B M0.

Lemma reward_range : exists U, forall a s u, Rabs (u - rhat (B a) s) <= br (B a) s -> - U <= u <= U.
Proof.
have [U [U0 hU]] := exists_bound (fun c : A * S => Rabs (rhat (B c.1) c.2) + br (B c.1) c.2).
by exists U => a s u hu; have := hU (a, s); rewrite /=; split_Rabs; lra.
Qed.

(* A lookahead that is always there. *)
Lemma lookahead_M0 W x : extended_lookahead W x (reward M0 a0 (x a0) + beta * mean (row M0 a0 (x a0)) (fun y => W (moved x a0 y))).
Proof.
have [hM near] := plausible_M0; have [r d] := near a0 (x a0).
by exists a0, (reward M0 a0 (x a0)), (row M0 a0 (x a0)).
Qed.

Lemma sweep_exists W : exists W', sweep W W'.
Proof.
suff /fin_all_exists [W' hW'] : forall x, exists v, is_lub (extended_lookahead W x) v by exists W'.
have [U hU] := reward_range; have [C [C0 hC]] := exists_bound W.
move=> x; apply: (@supremum_exists _ _ (U + beta * C)) => [|v [a [u [q [[hu [hq hd]] ->]]]]]; first exact: lookahead_M0.
have := mean_le (proj1 hq) (fun y => Rle_trans _ _ _ (Rle_abs _) (hC (moved x a y))); rewrite mean_of_const //.
by move/(Rmult_le_compat_l _ _ _ (proj1 discount)); have := hU _ _ _ hu; lra.
Qed.

(* The largest of the values that a sweep does not lower are a fixed point. *)
Lemma fixed_point_exists : exists W, extended_values W.
Proof.
have [U hU] := reward_range; case: (discount) => b0 b1.
pose kept W := forall W' x, sweep W W' -> W x <= W' x.
pose c := U / (1 - beta); have cU : (1 - beta) * c = U by rewrite /c; field; lra.
have kept_const : kept (fun _ => - c).
  move=> W' x hW'; have [hM near] := plausible_M0; have [r _] := near a0 (x a0).
  have := proj1 (hW' x) _ (lookahead_M0 _ x); rewrite mean_of_const //; have := hU _ _ _ r; lra.
have kept_bound W x : kept W -> W x <= c.
  move=> hW; have [W' hW'] := sweep_exists W; have [z hz] := exists_max x W; apply: Rle_trans (hz x) _.
  suff : W' z <= U + beta * W z by have := hW W' z hW'; move=> *; apply: (Rmult_le_reg_l (1 - beta)); lra.
  apply: (proj2 (hW' z)) => v [a [u [q [[hu [hq hd]] ->]]]].
  have := mean_le (proj1 hq) (fun y => hz (moved z a y)); rewrite mean_of_const //.
  by move/(Rmult_le_compat_l _ _ _ b0); have := hU _ _ _ hu; lra.
have sup x : exists s, is_lub (fun v => exists W, kept W /\ v = W x) s.
  apply: (@supremum_exists _ (- c) c) => [|_ [W [hW ->]]]; last exact: kept_bound.
  by exists (fun _ => - c).
have [W hW] := fin_all_exists sup; have [W' hW'] := sweep_exists W.
have up x : W x <= W' x.
  apply: (proj2 (hW x)) => _ [W1 [k1 ->]]; have [W1' h1] := sweep_exists W1; apply: Rle_trans (k1 W1' x h1) _.
  by apply: (sweep_monotone _ h1 hW') => y; apply: (proj1 (hW y)); exists W1.
have down x : W' x <= W x by apply: (proj1 (hW x)); exists W'; split=> // W2 y h2; exact: (sweep_monotone up hW' h2).
by exists W => x; have := hW' x; rewrite (Rle_antisym _ _ (up x) (down x)).
Qed.

Lemma limit_exists : exists W, limit_of_sweeps W.
Proof. by have [W hW] := fixed_point_exists; exists W; exact: sweeps_converge. Qed.
End Existence.

Lemma extended_at_least W M pi x : extended_values W -> plausible B M -> V beta M pi x <= W x.
Proof.
move=> hW [hM near]; apply: (V_at_most discount hM) => a y.
have [hr hq] := near a (y a); apply: (proj1 (hW y)).
by exists a, (reward M a (y a)), (row M a (y a)).
Qed.

(* If the set has a bandit, extended value iteration converges, and it is optimistic: from every global state at least the
   value of every policy in every bandit of the set.
   ledger: eq:EVI/shared-rows/repair *)
Theorem extended_is_optimistic (a0 : A) M0 : plausible B M0 -> exists W, limit_of_sweeps W /\
  forall M pi x, plausible B M -> V beta M pi x <= W x.
Proof.
move=> h0; have [W hW] := limit_exists a0 h0.
by exists W; split=> // M pi x; apply: extended_at_least; exact: (proj1 hW).
Qed.

(* With all radii 0 it converges to the optimal value of the estimated bandit.
   ledger: eq:EVI/shared-rows/repair *)
Theorem extended_without_radii (a0 : A) M : (forall a s, br (B a) s = 0 /\ bQ (B a) s = 0) -> plausible B M ->
  exists W, limit_of_sweeps W /\ forall x, is_lub (values_of_policies beta M x) (W x).
Proof.
move=> zero hM.
have [pi [opt attains]] := optimal_policy_exists (fun a (x : state A S) => reward M a (x a)) (P_sub (proj1 hM)) discount a0.
have hV : extended_values (V beta M pi).
  move=> x; apply: is_lub_attained.
    have [a e] := attains x; have [hr hq] := proj2 hM a (x a).
    exists a, (reward M a (x a)), (row M a (x a)); split; last by rewrite -mean_P.
    by split=> //; split=> //; exact: (proj1 hM).
  move=> v [a [u [q [[hu [hq hd]] ->]]]]; have [r0 q0] := zero a (x a); rewrite r0 in hu; rewrite q0 in hd.
  have [near1 near2] := proj2 hM a (x a); rewrite r0 in near1; rewrite q0 in near2.
  have -> : u = reward M a (x a) by split_Rabs; lra.
  have eq y : q y = row M a (x a) y.
    have d := distance_triangle q (Qhat (B a) (x a)) (row M a (x a)); rewrite (distance_sym (Qhat _ _)) in d.
    have := term_le_sum y (f := fun y => Rabs (q y - row M a (x a) y)) (fun y => Rabs_pos _).
    by rewrite -/(distance q (row M a (x a))); split_Rabs; lra.
  have -> : mean q (fun y => V beta M pi (moved x a y)) = mean (row M a (x a)) (fun y => V beta M pi (moved x a y)).
    by apply: eq_bigr => y _; rewrite eq.
  by rewrite -mean_P; exact: opt.
exists (V beta M pi); split=> [|x]; first exact: sweeps_converge.
by apply: is_lub_attained => [|v [p ->]]; [exists pi | exact: extended_at_least].
Qed.

Lemma substochastic_rows pi q : (forall x : state A S, probability (q x)) ->
  substochastic (fun x => P (Model (fun _ _ => 0) (fun _ _ => q x)) (pi x) x).
Proof.
move=> hq; have sub x := P_sub (M := Model (fun (_ : A) (_ : S) => 0) (fun _ _ => q x)) (fun _ _ => hq x) (pi x).
by split=> x; [exact: (proj1 (sub x) x) | exact: (proj2 (sub x) x)].
Qed.

(* If the set has a bandit, extended value iteration converges, and what it converges to are, from every global state at once,
   the values of one policy and one such model, and the largest of any.
   ledger: eq:optimism/extended *)
Theorem one_pair_from_every_state (a0 : A) M0 : plausible B M0 -> exists W pi u q, limit_of_sweeps W /\ within_radii pi u q /\
  (forall x, values_with_rows pi u q x = W x) /\
  forall pi' u' q', within_radii pi' u' q' -> forall x, values_with_rows pi' u' q' x <= values_with_rows pi u q x.
Proof.
move=> h0; have [W lim] := limit_exists a0 h0; have [hW _] := lim.
have attained x : exists t : A * R * (S -> R), allowed x t.1.1 t.1.2 t.2 /\
    W x = t.1.2 + beta * mean t.2 (fun y => W (moved x t.1.1 y)).
  pose ball a := row_in_ball (Qhat (B a) (x a)) (bQ (B a) (x a)); pose top a := rhat (B a) (x a) + br (B a) (x a).
  have row_of a : exists q, ball a q /\ forall q', ball a q' ->
      mean q' (fun y => W (moved x a y)) <= mean q (fun y => W (moved x a y)).
    by apply: (@largest_mean _ _ _ _ (row M0 a (x a))); have [hM near] := h0; split; [exact: hM | exact: (proj2 (near a _))].
  have [q hq] := fin_all_exists row_of.
  have [a best] := exists_max a0 (fun a => top a + beta * mean (q a) (fun y => W (moved x a y))).
  have in_radius : Rabs (top a - rhat (B a) (x a)) <= br (B a) (x a).
    by have [r _] := proj2 h0 a (x a); rewrite /top; split_Rabs; lra.
  exists (a, top a, q a); split; first by split; [exact: in_radius | exact: (proj1 (hq a))].
  apply: Rle_antisym; last by apply: (proj1 (hW x)); exists a, (top a), (q a); split=> //; split; [exact: in_radius | exact: (proj1 (hq a))].
  apply: (proj2 (hW x)) => _ [b [u [q' [[hu hq'] ->]]]]; apply: Rle_trans (best b).
  by have := Rmult_le_compat_l _ _ _ (proj1 discount) (proj2 (hq b) q' hq'); rewrite /top; split_Rabs; lra.
have [t ht] := fin_all_exists attained; pose pi x := (t x).1.1; pose u x := (t x).1.2; pose q x := (t x).2.
have near : within_radii pi u q by move=> x; exact: (proj1 (ht x)).
have eq x : values_with_rows pi u q x = W x.
  apply: discounted_unique => //; first by apply: substochastic_rows => y; have [_ []] := near y.
  by move=> {}x; rewrite mean_P; exact: (proj2 (ht x)).
exists W, pi, u, q; split=> //; split=> //; split=> // pi' u' q' near' x; rewrite eq; apply: discounted_at_most => //.
  by apply: substochastic_rows => y; have [_ []] := near' y.
by move=> {}x; rewrite mean_P; apply: (proj1 (hW x)); exists (pi' x), (u' x), (q' x).
Qed.
End Extended.
