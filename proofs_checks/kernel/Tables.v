(* Bandits of two arms with three states each, given by tables of numbers as they are printed, and values given
   by a table of nine. *)

From kernel Require Import Prelude Sums Values Bandits.

Definition first : 'I_2 := @Ordinal 2 0 isT.
Definition second : 'I_2 := @Ordinal 2 1 isT.
Definition s1 : 'I_3 := @Ordinal 3 0 isT.
Definition s2 : 'I_3 := @Ordinal 3 1 isT.
Definition s3 : 'I_3 := @Ordinal 3 2 isT.

Definition vector (l : seq R) (i : 'I_3) : R := nth 0 l i.
Definition matrix (l : seq (seq R)) (i j : 'I_3) : R := nth 0 (nth [::] l i) j.

Notation model2 := (model (ordinal_finType 2) (ordinal_finType 3)).
Notation state2 := (state (ordinal_finType 2) (ordinal_finType 3)).
Notation policy2 := (policy (ordinal_finType 2) (ordinal_finType 3)).
Notation estimate3 := (estimate (ordinal_finType 3)).

(* Two arms, of data u and v. *)
Definition both (T : Type) (u v : T) (a : 'I_2) : T := if a == first then u else v.

(* Arm 1 in state i, arm 2 in state j. *)
Definition at_ (i j : 'I_3) : state2 := [ffun a => if a == first then i else j].

(* The priority policy of a list of arm states, from the highest priority to the lowest: it plays the arm of the
   first entry that some arm is in. *)
Definition priority (order : seq ('I_2 * 'I_3)) : policy2 :=
  fun x => (head (first, s1) [seq c <- order | x c.1 == c.2]).1.

Lemma arms2 (p : 'I_2 -> Prop) : p first -> p second -> forall a, p a.
Proof.
move=> p1 p2 [[|[|//]] h]; [rewrite (_ : Ordinal h = first) // | rewrite (_ : Ordinal h = second) //]; exact: val_inj.
Qed.

Lemma states3 (p : 'I_3 -> Prop) : p s1 -> p s2 -> p s3 -> forall i, p i.
Proof.
move=> p1 p2 p3 [[|[|[|//]]] h];
  [rewrite (_ : Ordinal h = s1) // | rewrite (_ : Ordinal h = s2) // | rewrite (_ : Ordinal h = s3) //]; exact: val_inj.
Qed.

Lemma sum3 (f : 'I_3 -> R) : \sum_(i : 'I_3) f i = f s1 + f s2 + f s3.
Proof.
by rewrite !big_ord_recl big_ord0 Rplus_0_r -Rplus_assoc; congr (f _ + f _ + f _); exact: val_inj.
Qed.

Lemma mean3 q (f : 'I_3 -> R) : mean q f = q s1 * f s1 + q s2 * f s2 + q s3 * f s3.
Proof. exact: sum3. Qed.

Lemma probability3 (q : 'I_3 -> R) : probability q <-> 0 <= q s1 /\ 0 <= q s2 /\ 0 <= q s3 /\ q s1 + q s2 + q s3 = 1.
Proof.
rewrite /probability sum3; split; first by case=> q0 q1; do 3 (split; first exact: q0).
by case=> q1 [q2 [q3 q4]]; split=> //; apply: states3.
Qed.

Lemma distance_zero (p q : 'I_3 -> R) : distance p q <= 0 -> forall y, p y = q y.
Proof.
move=> d y; have := term_le_sum y (f := fun y => Rabs (p y - q y)) (fun y => Rabs_pos _).
by have := Rabs_pos (p y - q y); rewrite /distance /= in d *; split_Rabs; lra.
Qed.

(* In three dimensions, with both rows of sum 1, the L1 ball of radius d is the box of half-width d/2. *)
Lemma distance3 (p q : 'I_3 -> R) d : probability p -> probability q -> distance p q <= d ->
  - (d / 2) <= p s1 - q s1 <= d / 2 /\ - (d / 2) <= p s2 - q s2 <= d / 2 /\ - (d / 2) <= p s3 - q s3 <= d / 2.
Proof.
move=> /probability3 [p1 [p2 [p3 p4]]] /probability3 [q1 [q2 [q3 q4]]]; rewrite /distance sum3.
by rewrite /Rabs; case: (Rcase_abs (p s1 - q s1)); case: (Rcase_abs (p s2 - q s2)); case: (Rcase_abs (p s3 - q s3)) => *; lra.
Qed.

Lemma at_first i j : at_ i j first = i. Proof. by rewrite ffunE. Qed.
Lemma at_second i j : at_ i j second = j. Proof. by rewrite ffunE. Qed.
Lemma at_eta (x : state2) : x = at_ (x first) (x second).
Proof. by apply/ffunP; apply: arms2; rewrite ffunE. Qed.
Lemma moved_first i j k : moved (at_ i j) first k = at_ k j.
Proof. by apply/ffunP; apply: arms2; rewrite !ffunE. Qed.
Lemma moved_second i j k : moved (at_ i j) second k = at_ i k.
Proof. by apply/ffunP; apply: arms2; rewrite !ffunE. Qed.

Section TwoArms.
Variables (beta : R) (M : model2).
Hypotheses (discount : is_discount beta) (hM : markovian M).
Implicit Types (f : 'I_3 -> 'I_3 -> R) (i j : 'I_3) (pi : policy2).

(* One step with arm a from (i, j), then f. *)
Definition ahead (a : 'I_2) f i j : R :=
  if a == first then reward M first i + beta * mean (row M first i) (fun y => f y j)
  else reward M second j + beta * mean (row M second j) (fun y => f i y).

Lemma ahead_step a f i j :
  reward M a (at_ i j a) + beta * mean (row M a (at_ i j a)) (fun y => f (moved (at_ i j) a y first) (moved (at_ i j) a y second))
  = ahead a f i j.
Proof.
rewrite /ahead; move: a; apply: arms2 => /=; rewrite ?at_first ?at_second; congr (_ + _ * _);
  by apply: mean_ext => y; rewrite ?moved_first ?moved_second at_first at_second.
Qed.

Lemma two_at_most_for pi f : (forall i j, ahead (pi (at_ i j)) f i j <= f i j) ->
  forall i j, V beta M pi (at_ i j) <= f i j.
Proof.
move=> h i j; rewrite -{2}(at_first i j) -{3}(at_second i j).
apply: (V_at_most_for discount hM (W := fun x => f (x first) (x second))) => x.
by rewrite (at_eta x) ahead_step at_first at_second; exact: h.
Qed.

Lemma two_at_most f : (forall a i j, ahead a f i j <= f i j) -> forall pi i j, V beta M pi (at_ i j) <= f i j.
Proof. by move=> h pi; apply: two_at_most_for => i j; exact: h. Qed.

Lemma two_unique pi f : (forall i j, f i j = ahead (pi (at_ i j)) f i j) ->
  forall i j, V beta M pi (at_ i j) = f i j.
Proof.
move=> h i j; rewrite -{2}(at_first i j) -{3}(at_second i j).
apply: (V_unique discount hM (W := fun x => f (x first) (x second))) => x.
by rewrite (at_eta x) ahead_step at_first at_second; exact: h.
Qed.
End TwoArms.
