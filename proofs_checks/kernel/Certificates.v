(* Checking answers by computation: a certificate lists a bandit, the optimal value of every global state and a policy
   (or the Gittins indices of its arms), as integers over common denominators; a function on integers decides whether it
   is right, and if it says yes, no plan does better (or the indices are those of eq:eq_Gindex). *)

From kernel Require Import Prelude.
From Coq Require Import ZArith.
From Coquelicot Require Import Rcomplements.
From kernel Require Import Sums Values Bandits Retirement Gittins.

(* ---------------------------------------------------------------- Bandits written with integers *)

(* n arms of S states; the reward of state s of arm a is the entry over reward_den, and so are the rows. *)
Record bandit_data := BanditData {
  n_arms : nat;
  n_states : nat;
  beta_num : Z; beta_den : Z;
  reward_den : Z; row_den : Z;
  rewards : seq (seq Z);
  rows : seq (seq (seq Z))
}.

Definition entry (l : seq (seq Z)) (i j : nat) : Z := nth 0%Z (nth [::] l i) j.
Definition row_of (D : bandit_data) (a s : nat) : seq Z := nth [::] (nth [::] (rows D) a) s.
Definition Zsum (l : seq Z) : Z := foldr Z.add 0%Z l.

Definition arm_type (D : bandit_data) := ordinal_finType (n_arms D).
Definition state_type (D : bandit_data) := ordinal_finType (n_states D).

Definition beta_of (D : bandit_data) : R := IZR (beta_num D) / IZR (beta_den D).
Definition model_of (D : bandit_data) : model (arm_type D) (state_type D) :=
  Model (fun (a : 'I_(n_arms D)) (s : 'I_(n_states D)) => IZR (entry (rewards D) a s) / IZR (reward_den D))
        (fun (a : 'I_(n_arms D)) (s y : 'I_(n_states D)) => IZR (nth 0%Z (row_of D a s) y) / IZR (row_den D)).

(* Denominators are positive, 0 <= beta < 1, entries of rows are >= 0, and rows sum to 1. *)
Definition check_bandit (D : bandit_data) : bool :=
  [&& (0 <=? beta_num D)%Z, (beta_num D <? beta_den D)%Z, (0 <? reward_den D)%Z, (0 <? row_den D)%Z &
    all (fun a => all (fun s =>
      let row := row_of D a s in
      [&& size row == n_states D, all (fun q => (0 <=? q)%Z) row & (Zsum row =? row_den D)%Z])
      (iota 0 (n_states D))) (iota 0 (n_arms D))].

Lemma IZR_pos z : (0 < z)%Z -> 0 < IZR z. Proof. exact: IZR_lt. Qed.

Lemma sum_iota n (f : nat -> R) : \sum_(y : 'I_n) f y = \sum_(i <- iota 0 n) f i.
Proof. by rewrite -(big_mkord xpredT f) /index_iota subn0. Qed.

Lemma IZR_Zsum (l : seq Z) : IZR (Zsum l) = \sum_(z <- l) IZR z.
Proof. by elim: l => [|z l IH]; [rewrite big_nil | rewrite big_cons -IH plus_IZR]. Qed.

Lemma IZR_sum_nth n (l : seq Z) : size l = n -> \sum_(y : 'I_n) IZR (nth 0%Z l y) = IZR (Zsum l).
Proof.
move=> <-; rewrite IZR_Zsum (sum_iota _ (fun y => IZR (nth 0%Z l y))) (big_nth 0%Z) /index_iota subn0.
by apply: eq_bigr.
Qed.

Section Data.
Variable D : bandit_data.
Hypothesis ok : check_bandit D.

Lemma data_ok : (0 <= beta_num D)%Z /\ (beta_num D < beta_den D)%Z /\ (0 < reward_den D)%Z /\ (0 < row_den D)%Z /\
  forall a s, (a < n_arms D)%nat -> (s < n_states D)%nat ->
    size (row_of D a s) = n_states D /\ all (fun q => (0 <=? q)%Z) (row_of D a s) /\ Zsum (row_of D a s) = row_den D.
Proof.
have /and5P [/Z.leb_le h1 /Z.ltb_lt h2 /Z.ltb_lt h3 /Z.ltb_lt h4 /allP h5] := ok.
do 4 split=> //; move=> a s ha hs.
have /allP h6 : all (fun s => [&& size (row_of D a s) == n_states D, all (fun q => (0 <=? q)%Z) (row_of D a s) &
    (Zsum (row_of D a s) =? row_den D)%Z]) (iota 0 (n_states D)) by apply: h5; rewrite mem_iota.
by have /and3P [/eqP e1 e2 /Z.eqb_eq e3] := h6 s (ltac:(by rewrite mem_iota)).
Qed.

Lemma denominators : 0 < IZR (beta_den D) /\ 0 < IZR (reward_den D) /\ 0 < IZR (row_den D).
Proof. by have [h1 [h2 [h3 [h4 _]]]] := data_ok; do 2 (split; first by apply: IZR_pos; lia); exact: IZR_pos. Qed.

Lemma discount_of : is_discount (beta_of D).
Proof.
have [h1 [/IZR_lt h2 _]] := data_ok; have [d0 _] := denominators; split; first by apply: Rdiv_le_0_compat => //; exact: (IZR_le 0).
by apply: (Rmult_lt_reg_r (IZR (beta_den D))) => //; rewrite /beta_of /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

Lemma mean_of_row (a : 'I_(n_arms D)) (s : 'I_(n_states D)) (g : nat -> Z) d : 0 < d ->
  mean (row (model_of D) a s) (fun y => IZR (g y) / d) =
  IZR (Zsum [seq (nth 0 (row_of D a s) y * g y)%Z | y <- iota 0 (n_states D)]) / (IZR (row_den D) * d).
Proof.
have [_ [_ d0]] := denominators; move=> dpos.
rewrite IZR_Zsum big_map -(sum_iota (n_states D) (fun y => IZR (nth 0 (row_of D a s) y * g y)%Z)).
by rewrite /Rdiv -sum_scale_r; apply: eq_bigr => y _; rewrite mult_IZR /=; field; lra.
Qed.

Lemma markovian_of : markovian (model_of D).
Proof.
have [_ [_ [_ [h4 h]]]] := data_ok; move=> a s; have [sz [pos total]] := h a s (ltn_ord a) (ltn_ord s).
have d0 := IZR_pos h4; split=> [y|] /=.
  apply: Rdiv_le_0_compat => //; apply: (IZR_le 0); apply/Z.leb_le.
  by move/(all_nthP 0%Z): pos; apply; rewrite sz.
by rewrite /Rdiv sum_scale_r (IZR_sum_nth sz) total; field; lra.
Qed.
End Data.

(* ---------------------------------------------------------------- Values *)

(* A number for every global state: a tree with a branch for each state of the first arm, and so on. *)
Inductive tree := Leaf of Z | Node of seq tree.
Fixpoint at_state (t : tree) (x : seq nat) : Z :=
  match t, x with
  | Leaf z, _ => z
  | Node branches, i :: x' => at_state (nth (Leaf 0) branches i) x'
  | Node _, [::] => 0%Z
  end.

(* All global states, as lists. *)
Fixpoint all_states (n S : nat) : seq (seq nat) :=
  if n is n'.+1 then [seq i :: x | i <- iota 0 S, x <- all_states n' S] else [:: [::]].

Record value_certificate := ValueCertificate {
  data : bandit_data;
  value_den : Z;
  values : tree;
  plays : tree   (* the arm that the policy plays *)
}.

(* One step with arm a from x, all denominators multiplied out: its left side is at most its right side exactly when
   r(x_a) + beta sum of Q(x_a, y) v(x with y for x_a) <= v(x). *)
Definition left_side (c : value_certificate) (x : seq nat) (a : nat) : Z :=
  let D := data c in let s := nth 0%nat x a in
  (entry (rewards D) a s * (value_den c * (beta_den D * row_den D)) +
   beta_num D * (reward_den D *
     Zsum [seq (nth 0 (row_of D a s) y * at_state (values c) (set_nth 0%nat x a y))%Z | y <- iota 0 (n_states D)]))%Z.
Definition right_side (c : value_certificate) (x : seq nat) : Z :=
  let D := data c in (at_state (values c) x * (reward_den D * (beta_den D * row_den D)))%Z.

Definition check_values (c : value_certificate) : bool :=
  let D := data c in
  [&& check_bandit D, (0 <? value_den c)%Z &
    all (fun x =>
      let right := right_side c x in let played := Z.to_nat (at_state (plays c) x) in
      [&& (played < n_arms D)%nat, (left_side c x played =? right)%Z &
        all (fun a => (left_side c x a <=? right)%Z) (iota 0 (n_arms D))])
      (all_states (n_arms D) (n_states D))].

Section Values.
Variable c : value_certificate.
Hypothesis ok : check_values c.
Let D := data c.
Let M := model_of D.
Let beta := beta_of D.
Implicit Types (x : state (arm_type D) (state_type D)) (a : arm_type D).

(* The list of a global state; the certificate's value; the certificate's policy. *)
Definition listed x : seq nat := [seq nat_of_ord (x a) | a <- enum (arm_type D)].
Definition certified x : R := IZR (at_state (values c) (listed x)) / IZR (value_den c).
Definition follows (pi : policy (arm_type D) (state_type D)) :=
  forall x, nat_of_ord (pi x) = Z.to_nat (at_state (plays c) (listed x)).

Lemma nth_listed x a : nth 0%nat (listed x) a = x a.
Proof. by rewrite (nth_map a) ?nth_ord_enum // size_enum_ord. Qed.

Lemma listed_moved x a y : listed (moved x a y) = set_nth 0%nat (listed x) a y.
Proof.
have sz z : size (listed z) = n_arms D by rewrite size_map size_enum_ord.
apply: (@eq_from_nth _ 0%nat) => [|i].
  by rewrite size_set_nth !sz; apply/esym/maxn_idPr.
rewrite sz => hi; rewrite nth_set_nth /= (nth_listed (moved x a y) (Ordinal hi)) ffunE -val_eqE /=.
by case: eqP => // _; rewrite -(nth_listed x (Ordinal hi)).
Qed.

Lemma all_states_complete n S l : size l = n -> all (fun i => (i < S)%nat) l -> l \in all_states n S.
Proof.
elim: n l => [|n IH] [|i l] //= [sz] /andP [iS lS].
by apply/allpairsP; exists (i, l); split=> //; [rewrite mem_iota | exact: IH].
Qed.

Lemma listed_in x : listed x \in all_states (n_arms D) (n_states D).
Proof.
apply: all_states_complete; first by rewrite size_map size_enum_ord.
by apply/allP => i /mapP [a _ ->]; exact: ltn_ord.
Qed.

Lemma certificate_ok : check_bandit D /\ (0 < value_den c)%Z /\ forall x,
  let played := Z.to_nat (at_state (plays c) (listed x)) in
  (played < n_arms D)%nat /\ left_side c (listed x) played = right_side c (listed x) /\
  forall a, (left_side c (listed x) a <= right_side c (listed x))%Z.
Proof.
have /and3P [h1 /Z.ltb_lt h2 /allP h3] := ok; do 2 split=> //.
move=> x; have /and3P [p /Z.eqb_eq e /allP h4] := h3 _ (listed_in x); do 2 split=> //.
by move=> a; apply/Z.leb_le; apply: h4; rewrite mem_iota /= ltn_ord.
Qed.

Let bandit_ok := proj1 certificate_ok.

(* Both sides in reals, over one denominator. *)
Lemma step_of : exists k, 0 < k /\ forall x a,
  k * (reward M a (x a) + beta * mean (row M a (x a)) (fun y => certified (moved x a y)) - certified x)
  = IZR (left_side c (listed x) a - right_side c (listed x)).
Proof.
have [d1 [d2 d3]] := denominators bandit_ok; have [_ [/IZR_pos d4 _]] := certificate_ok.
exists (IZR (value_den c) * (IZR (reward_den D) * (IZR (beta_den D) * IZR (row_den D)))); split=> [|x a].
  by do 3 (apply: Rmult_lt_0_compat => //).
rewrite (mean_ext _ (g := fun y : 'I_(n_states D) => IZR (at_state (values c) (set_nth 0%nat (listed x) a y)) / IZR (value_den c))).
  rewrite (mean_of_row bandit_ok a (x a) (fun y => at_state (values c) (set_nth 0%nat (listed x) a y)) d4).
  by rewrite minus_IZR /left_side /right_side nth_listed !plus_IZR !mult_IZR /beta /beta_of /certified /= -/D; field; lra.
by move=> y; rewrite /certified listed_moved.
Qed.

(* No plan does better than the certificate's value, from any state, whatever it remembers and however it tosses coins;
   and the certificate's policy attains it. *)
Theorem values_are_optimal pi : follows pi -> forall x, V beta M pi x = certified x /\
  forall q : plan [finType of state (arm_type D) (state_type D)] (arm_type D), is_plan q ->
    plan_value (P M) beta (fun a (x : state (arm_type D) (state_type D)) => reward M a (x a)) q x <= certified x.
Proof.
move=> hpi; have discount := discount_of bandit_ok; have hM := markovian_of bandit_ok.
have [_ [_ h]] := certificate_ok; have [k [k0 e]] := step_of; move=> x; split=> [|q hq].
  apply: (V_unique discount hM) => y; have [_ [played _]] := h y; rewrite -(hpi y) in played.
  by apply: (Rmult_eq_reg_l k); [have := e y (pi y); rewrite played Z.sub_diag -/M -/beta | ]; lra.
apply: (plan_value_at_most (P_sub hM) discount hq) => a y; rewrite mean_P; have [_ [_ le]] := h y.
have := e y a; have : IZR (left_side c (listed y) a - right_side c (listed y)) <= 0 by apply: (IZR_le _ 0); have := le a; lia.
by rewrite -/M -/beta => l0 eq; apply: (Rmult_le_reg_l k) => //; lra.
Qed.

(* There is such a policy. *)
Theorem certified_policy_exists : exists pi, follows pi.
Proof.
have [_ [_ h]] := certificate_ok.
by exists (fun x => Ordinal (proj1 (h x))).
Qed.
End Values.

(* What the plans are worth from x, whatever they remember and however they toss coins. *)
Definition values_of_plans (D : bandit_data) (x : state (arm_type D) (state_type D)) (v : R) :=
  exists q : plan [finType of state (arm_type D) (state_type D)] (arm_type D), is_plan q /\
    v = plan_value (P (model_of D)) (beta_of D)
      (fun a (y : state (arm_type D) (state_type D)) => reward (model_of D) a (y a)) q x.

(* The checker, from a computation on integers to the supremum over all plans: if it says yes, the data are a Markovian
   bandit, there is the policy that the certificate names, and from every global state the certificate's value is this
   policy's and the supremum over all plans. *)
Theorem accepted_values (c : value_certificate) : check_values c = true ->
  is_discount (beta_of (data c)) /\ markovian (model_of (data c)) /\
  exists pi : policy (arm_type (data c)) (state_type (data c)), @follows c pi /\ forall x,
    V (beta_of (data c)) (model_of (data c)) pi x = @certified c x /\ is_lub (values_of_plans x) (@certified c x).
Proof.
move=> ok; have [bok _] := certificate_ok ok; have discount := discount_of bok; have hM := markovian_of bok.
do 2 split=> //; have [pi hpi] := certified_policy_exists ok; exists pi; split=> // x.
have [e best] := values_are_optimal ok hpi x; split=> //.
apply: is_lub_attained => [|v [q [hq ->]]]; last exact: best.
exists (stationary pi); split; first exact: is_plan_stationary.
by rewrite -e (stationary_value _ (P_sub hM) discount).
Qed.

(* ---------------------------------------------------------------- Gittins indices *)

(* For one state: its index, and the best values of stopping when each step costs that index, which are 0 on the
   stopping set. *)
Record level := Level { index_num : Z; index_den : Z; best_den : Z; bests : seq Z }.

Record index_certificate := IndexCertificate {
  index_data : bandit_data;
  levels : seq (seq level);
  order : seq (seq nat)   (* the states of each arm by non-increasing index *)
}.

Definition no_level := Level 0 1 1 [::].
Definition level_of (c : index_certificate) (a s : nat) : level := nth no_level (nth [::] (levels c) a) s.

(* For every state y of the arm, denominators multiplied out: going on is worth at most the best value there, which is
   at least 0, and is 0 or equal to going on; in s itself going on is worth 0. *)
Definition check_level (D : bandit_data) (a s : nat) (L : level) : bool :=
  let scale := (beta_den D * (row_den D * best_den L))%Z in
  let k1 := (index_den L * scale)%Z in
  let k2 := (index_num L * (reward_den D * scale))%Z in
  let k3 := (beta_num D * (reward_den D * index_den L))%Z in
  let k4 := (index_den L * (reward_den D * (beta_den D * row_den D)))%Z in
  let go_on y := (entry (rewards D) a y * k1 - k2 +
    k3 * Zsum [seq (nth 0 (row_of D a y) z * nth 0 (bests L) z)%Z | z <- iota 0 (n_states D)])%Z in
  [&& (0 <? index_den L)%Z, (0 <? best_den L)%Z, (go_on s =? 0)%Z &
    all (fun y => let u := nth 0%Z (bests L) y in let g := go_on y in let w := (u * k4)%Z in
      [&& (0 <=? u)%Z, (g <=? w)%Z & (u =? 0)%Z || (g =? w)%Z]) (iota 0 (n_states D))].

(* The index of s is at most that of t. *)
Definition index_le (c : index_certificate) (a s t : nat) : bool :=
  (index_num (level_of c a s) * index_den (level_of c a t) <=? index_num (level_of c a t) * index_den (level_of c a s))%Z.

Definition check_order (c : index_certificate) (a : nat) (o : seq nat) : bool :=
  [&& perm_eq o (iota 0 (n_states (index_data c))) &
    all (fun i => index_le c a (nth 0%nat o i.+1) (nth 0%nat o i)) (iota 0 (n_states (index_data c)).-1)].

Definition check_indices (c : index_certificate) : bool :=
  let D := index_data c in
  check_bandit D && all (fun a => check_order c a (nth [::] (order c) a) &&
    all (fun s => check_level D a s (level_of c a s)) (iota 0 (n_states D))) (iota 0 (n_arms D)).

Section Indices.
Variable c : index_certificate.
Hypothesis ok : check_indices c.
Let D := index_data c.
Let M := model_of D.
Let beta := beta_of D.

Definition certified_index (a s : nat) : R := IZR (index_num (level_of c a s)) / IZR (index_den (level_of c a s)).

Lemma index_certificate_ok : check_bandit D /\ forall a s, (a < n_arms D)%nat -> (s < n_states D)%nat ->
  check_order c a (nth [::] (order c) a) /\ check_level D a s (level_of c a s).
Proof.
have /andP [h1 /allP h2] := ok; split=> // a s ha hs.
have /andP [h3 /allP h4] := h2 a (ltac:(by rewrite mem_iota)); split=> //.
by apply: h4; rewrite mem_iota.
Qed.

Lemma level_ok (a : 'I_(n_arms D)) (s : 'I_(n_states D)) :
  go_on beta (reward M a) (row M a) (certified_index a s) s = 0.
Proof.
have [bok h] := index_certificate_ok; have [_] := h a s (ltn_ord a) (ltn_ord s).
have [d1 [d2 d3]] := denominators bok.
rewrite /certified_index; move: (level_of c a s) => L /and4P [/Z.ltb_lt/IZR_pos d4 /Z.ltb_lt/IZR_pos d5 /Z.eqb_eq zero /allP each].
set nu := IZR (index_num L) / IZR (index_den L).
pose W (y : 'I_(n_states D)) := IZR (nth 0%Z (bests L) y) / IZR (best_den L).
pose total y := IZR (Zsum [seq (nth 0 (row_of D a y) z * nth 0 (bests L) z)%Z | z <- iota 0 (n_states D)]).
have meanW (y : 'I_(n_states D)) : mean (row M a y) W = total y / (IZR (row_den D) * IZR (best_den L)).
  exact: (mean_of_row bok a y (nth 0%Z (bests L)) d5).
pose scale := IZR (index_den L) * (IZR (reward_den D) * (IZR (beta_den D) * (IZR (row_den D) * IZR (best_den L)))).
have scale0 : 0 < scale by do 4 (apply: Rmult_lt_0_compat => //).
have go (y : 'I_(n_states D)) : scale * (reward M a y - nu + beta * mean (row M a y) W) =
    IZR (entry (rewards D) a y) * (IZR (index_den L) * (IZR (beta_den D) * (IZR (row_den D) * IZR (best_den L))))
    - IZR (index_num L) * (IZR (reward_den D) * (IZR (beta_den D) * (IZR (row_den D) * IZR (best_den L))))
    + IZR (beta_num D) * (IZR (reward_den D) * IZR (index_den L)) * total y.
  by rewrite meanW /scale /nu /beta /beta_of /M /=; field; lra.
have conv (y : 'I_(n_states D)) : scale * W y = IZR (nth 0%Z (bests L) y) *
    (IZR (index_den L) * (IZR (reward_den D) * (IZR (beta_den D) * IZR (row_den D)))).
  by rewrite /scale /W; field; lra.
have facts (y : 'I_(n_states D)) : 0 <= W y /\ reward M a y - nu + beta * mean (row M a y) W <= W y /\
    (W y <= 0 \/ W y <= reward M a y - nu + beta * mean (row M a y) W).
  have /and3P [/Z.leb_le p /Z.leb_le le alt] := each y (ltac:(by rewrite mem_iota ltn_ord)).
  have le' : scale * (reward M a y - nu + beta * mean (row M a y) W) <= scale * W y.
    by rewrite go conv; have := IZR_le _ _ le; rewrite plus_IZR minus_IZR !mult_IZR.
  split; first by apply: Rdiv_le_0_compat => //; exact: (IZR_le 0).
  split; first exact: (Rmult_le_reg_l _ _ _ scale0 le').
  case/orP: alt => [/Z.eqb_eq z|/Z.eqb_eq e]; [left | right].
    by rewrite /W z /Rdiv Rmult_0_l; lra.
  apply: (Rmult_le_reg_l scale) => //; rewrite go conv; apply: Req_le.
  by have := f_equal IZR e; rewrite plus_IZR minus_IZR !mult_IZR => <-.
have eq y : best beta (reward M a) (row M a) nu y = W y.
  apply: Rle_antisym.
    apply: (best_at_most (discount_of bok) (markovian_of bok a)) => z; first by case: (facts z).
    by case: (facts z) => _ [].
  by apply: (best_at_least (discount_of bok) (markovian_of bok a)) => z; case: (facts z) => _ [].
rewrite /Gittins.go_on (mean_ext _ eq); apply: (Rmult_eq_reg_l scale); last lra.
by rewrite go Rmult_0_r; have := f_equal IZR zero; rewrite plus_IZR minus_IZR !mult_IZR.
Qed.

(* The certificate's numbers are the Gittins indices of eq:eq_Gindex, suprema over stopping times.
   ledger: eq:eq_Gindex *)
Theorem indices_are_gittins (a : 'I_(n_arms D)) (s : 'I_(n_states D)) :
  gittins_index beta (reward M a) (row M a) s (certified_index a s).
Proof.
have [bok _] := index_certificate_ok.
have d := discount_of bok; have hrows := markovian_of bok a; have z := level_ok a s.
split=> [|v ub].
  by apply/(upper_bound_iff (reward M a) d hrows); rewrite z; lra.
have neg := proj1 (upper_bound_iff (reward M a) d hrows v s) ub.
apply: Rnot_lt_le => lt; have := go_on_decreases (reward M a) d hrows s (Rlt_le _ _ lt); rewrite z; lra.
Qed.

(* Its order of the states of an arm is one of non-increasing indices. *)
Theorem order_is_right (a : 'I_(n_arms D)) i : (i.+1 < n_states D)%nat ->
  let o := nth [::] (order c) a in
  perm_eq o (iota 0 (n_states D)) /\ certified_index a (nth 0%nat o i.+1) <= certified_index a (nth 0%nat o i).
Proof.
move=> hi; have [bok h] := index_certificate_ok.
have hS : (0 < n_states D)%nat by exact: leq_ltn_trans (leq0n _) hi.
have [/andP [perm /allP sorted] _] := h a 0%nat (ltn_ord a) hS; split=> //.
set o := nth [::] (order c) a in perm sorted *.
have inside j : (j < n_states D)%nat -> (nth 0%nat o j < n_states D)%nat.
  move=> hj; have : nth 0%nat o j \in o by apply: mem_nth; rewrite (perm_size perm) size_iota.
  by rewrite (perm_mem perm) mem_iota.
have den j : (j < n_states D)%nat -> 0 < IZR (index_den (level_of c a (nth 0%nat o j))).
  move=> hj; have [_ /and4P [/Z.ltb_lt gd _ _ _]] := h a _ (ltn_ord a) (inside j hj).
  exact: IZR_pos.
have /Z.leb_le le := sorted i (ltac:(by rewrite mem_iota /= add0n -ltnS prednK)).
have d1 := den _ hi; have d2 := den i (ltnW hi); have le' := IZR_le _ _ le; rewrite !mult_IZR in le'.
rewrite /certified_index; apply: (Rmult_le_reg_r _ _ _ (Rmult_lt_0_compat _ _ d1 d2)).
rewrite (_ : _ / _ * _ = IZR (index_num (level_of c a (nth 0%nat o i.+1))) * IZR (index_den (level_of c a (nth 0%nat o i)))); last by field; lra.
by rewrite (_ : _ / _ * _ = IZR (index_num (level_of c a (nth 0%nat o i))) * IZR (index_den (level_of c a (nth 0%nat o i.+1)))); [|field; lra].
Qed.

(* So a policy that plays an arm of largest certified index is optimal, for any number of arms: no plan does better. *)
Theorem certified_indices_are_optimal (pi : policy (arm_type D) (state_type D)) :
  (forall (x : state (arm_type D) (state_type D)) (b : arm_type D), certified_index b (x b) <= certified_index (pi x) (x (pi x))) ->
  forall x (q : plan [finType of state (arm_type D) (state_type D)] (arm_type D)), is_plan q ->
    plan_value (P M) beta (fun a (x : state (arm_type D) (state_type D)) => reward M a (x a)) q x <= V beta M pi x.
Proof.
move=> largest x q hq; have [bok _] := index_certificate_ok.
have := gittins_policy_is_optimal (discount_of bok) (markovian_of bok) (gamma := fun (a : arm_type D) (s : state_type D) => certified_index a s)
  (fun a s => indices_are_gittins a s) (pi := pi) largest x.
by case=> _; apply.
Qed.
End Indices.

(* The same for indices: if the checker says yes, the data are a Markovian bandit, the numbers are its Gittins indices,
   the orders are right, and a policy that plays an arm of largest number is worth the supremum over all plans. *)
Theorem accepted_indices (c : index_certificate) : check_indices c = true ->
  is_discount (beta_of (index_data c)) /\ markovian (model_of (index_data c)) /\
  (forall (a : 'I_(n_arms (index_data c))) (s : 'I_(n_states (index_data c))),
    gittins_index (beta_of (index_data c)) (reward (model_of (index_data c)) a) (row (model_of (index_data c)) a) s
      (certified_index c a s)) /\
  (forall (a : 'I_(n_arms (index_data c))) i, (i.+1 < n_states (index_data c))%nat ->
    perm_eq (nth [::] (order c) a) (iota 0 (n_states (index_data c))) /\
    certified_index c a (nth 0%nat (nth [::] (order c) a) i.+1) <=
      certified_index c a (nth 0%nat (nth [::] (order c) a) i)) /\
  forall pi : policy (arm_type (index_data c)) (state_type (index_data c)),
    (forall (x : state (arm_type (index_data c)) (state_type (index_data c))) (b : arm_type (index_data c)),
      certified_index c b (x b) <= certified_index c (pi x) (x (pi x))) ->
    forall x, is_lub (values_of_plans x) (V (beta_of (index_data c)) (model_of (index_data c)) pi x).
Proof.
move=> ok; have [bok _] := index_certificate_ok ok; have discount := discount_of bok; have hM := markovian_of bok.
do 2 split=> //; split; first exact: indices_are_gittins.
split; first exact: order_is_right.
move=> pi largest x; apply: is_lub_attained => [|v [q [hq ->]]]; last exact: certified_indices_are_optimal.
exists (stationary pi); split; first exact: is_plan_stationary.
by rewrite (stationary_value _ (P_sub hM) discount).
Qed.
