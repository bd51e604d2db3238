(* The double sum of Lemma sum with episodes of random geometric lengths: the step of Theorem 1 at which the kernel's part
   of the project ends. E[sum_k H_k sum_t 1/sqrt(max{1, N_{k-1}})] <= S n E[max H^2] + 2 sqrt(S n K) E[max H^(3/2)], on the
   law of histories, with the moments in closed form. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Horizons Moments Concentration DoubleSum UcbviSum.
From kernel Require Import History Bayes Regret.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Lengths.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation lawN N := (law next learner rho shows (at_most_long beta N)).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).

(* No episode is longer than N there. *)
Lemma steps_le_size pi n x e F G : (forall e', size e' = (n + size e)%nat -> F e' <= G e') ->
  steps next shows pi n x e F <= steps next shows pi n x e G.
Proof.
elim: n x e => [|n IH] x e FG /=; first exact: FG.
apply: mean_le => [o|o]; first exact: (proj1 (shows_ok _ _)).
by apply: IH => e' sz; apply: FG; rewrite sz /= addnS.
Qed.

Lemma cut_le N f g : (forall n, (n <= N)%nat -> f n <= g n) -> at_most_long beta N f <= at_most_long beta N g.
Proof.
move=> fg; apply: sum_to_le => m mN; apply: Rmult_le_compat_l; [exact: chance_nonneg | exact: fg].
Qed.

Lemma law_le N K h F G : (longest_of h <= N)%nat ->
  (forall h', size h' = (K + size h)%nat -> (longest_of h' <= N)%nat -> F h' <= G h') -> lawN N K h F <= lawN N K h G.
Proof.
elim: K h => [|K IH] h hN FG /=; first exact: FG.
apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
apply: cut_le => n nN; apply: steps_le_size => e sz; apply: IH.
  by rewrite /longest_of /= geq_max -/(longest_of h) hN andbT sz addn0.
by move=> h' sz' hN'; apply: FG => //; rewrite sz' /= addnS.
Qed.

(* A function of the longest episode: its mean by parts. *)
Definition by_parts (f : nat -> R) (n L : nat) : R :=
  \sum_(m < n) (f m.+1 * (indicator (L <= m.+1)%nat - indicator (L <= m)%nat)).

Lemma by_partsE f n L : f 0%nat = 0 -> (L <= n)%nat -> f L = by_parts f n L.
Proof.
move=> f0; rewrite /by_parts; elim: n => [|n IH]; first by rewrite leqn0 => /eqP ->.
rewrite sum_recr => hL; case: (L =P n.+1) => [e|/eqP ne].
  rewrite e.
  rewrite leqnn ltnn /indicator (sum_to_ext (g := fun _ => 0)); first by rewrite sum_to_const; ring.
  by move=> m mn; rewrite ltnS (leqNgt n m) mn (leqNgt n.+1 m) ltnS (ltnW mn) /=; ring.
have Ln : (L <= n)%nat by rewrite -ltnS ltn_neqAle ne.
by rewrite -IH // hL Ln /indicator; ring.
Qed.

Lemma mean_by_parts N K f n : (n <= N)%nat -> cut_mean N K (fun h => by_parts f n (longest_of h)) =
  \sum_(m < n) (f m.+1 * max_is beta K m.+1).
Proof.
elim: n => [|n IH] nN.
  rewrite /truncated (@law_ext A S O next beta learner rho shows N K [::] _ (fun h => 0 * indicator (longest_of h <= 0)%nat)).
    by rewrite law_scale /=; ring.
  by move=> h; rewrite /by_parts /=; ring.
rewrite sum_recr -IH; last exact: ltnW.
have last : cut_mean N K (fun h => f n.+1 * (indicator (longest_of h <= n.+1)%nat + -1 * indicator (longest_of h <= n)%nat)) =
    f n.+1 * max_is beta K n.+1.
  rewrite /truncated law_scale law_add law_scale !law_longest //; last exact: ltnW.
  by rewrite /max_is /max_at_most /longest_of /indicator /=; ring.
rewrite -last /truncated -law_add; apply: law_ext => h; rewrite /by_parts sum_recr; ring.
Qed.

Lemma mean_of_longest N K f : f 0%nat = 0 -> cut_mean N K (fun h => f (longest_of h)) = \sum_(m < N) (f m.+1 * max_is beta K m.+1).
Proof.
move=> f0; rewrite -(mean_by_parts K f (leqnn N)); apply: Rle_antisym;
  by apply: law_le => // h _ hN; rewrite -(by_partsE f0 hN); lra.
Qed.

(* ---------------------------------------------------------------- The double sum *)

Definition cells_of (e : seq (step A S O)) : seq (prod_finType A S) := [seq p.1 | p <- shown e].
Definition episodes_of (h : history A S O) : seq (seq (prod_finType A S)) := rev [seq cells_of r.2 | r <- h].

Lemma episodes_cons r h : episodes_of (r :: h) = rcons (episodes_of h) (cells_of r.2).
Proof. by rewrite /episodes_of /= rev_cons. Qed.

Lemma longest_rcons (d : seq (seq (prod_finType A S))) e : longest (rcons d e) = maxn (size e) (longest d).
Proof. by elim: d => [|e' d IH] //=; rewrite IH maxnCA. Qed.

Lemma longest_episodes h : longest (episodes_of h) = longest_of h.
Proof. by elim: h => [|r h IH] //; rewrite episodes_cons longest_rcons IH /cells_of /shown !size_map. Qed.

(* Sum over episodes of H_k times the sum of 1/sqrt(max{1, N_{k-1}}) over its steps. *)
Fixpoint weighted_sum (h : history A S O) : R :=
  if h is r :: h' then weighted_sum h' + INR (size r.2) * (\sum_(c <- cells_of r.2) weight (count_mem c (flatten (episodes_of h'))))
  else 0.

Lemma weight_nonneg n : 0 <= weight n.
Proof. by left; apply: Rinv_0_lt_compat; apply: sqrt_lt_R0; have := INR_max1 n; lra. Qed.

Lemma double_sum_last (d : seq (seq (prod_finType A S))) e : double_sum [::] (rcons d e) =
  double_sum [::] d + \sum_(c <- e) weight (count_mem c (flatten d)).
Proof. exact: (@double_sum_rcons A S [::] d e). Qed.

Lemma weighted_sum_at_most h : 0 <= double_sum [::] (episodes_of h) /\
  weighted_sum h <= INR (longest_of h) * double_sum [::] (episodes_of h).
Proof.
elim: h => [|r h [d0 IH]]; first by rewrite /=; lra.
rewrite episodes_cons double_sum_last [weighted_sum _]/=; set s := \sum_(c <- _) _.
have s0 : 0 <= s by apply: sum_nonneg => c _; exact: weight_nonneg.
have e : longest_of (r :: h) = maxn (size r.2) (longest_of h) by [].
have l1 : INR (size r.2) <= INR (longest_of (r :: h)) by apply: le_INR; apply/leP; rewrite e leq_maxl.
have l2 : INR (longest_of h) <= INR (longest_of (r :: h)) by apply: le_INR; apply/leP; rewrite e leq_maxr.
split; first lra.
have q1 := Rmult_le_compat_r _ _ _ s0 l1; have q2 := Rmult_le_compat_r _ _ _ d0 l2.
rewrite Rmult_plus_distr_l; apply: Rle_trans (Rplus_le_compat _ _ _ _ (Rle_trans _ _ _ IH q2) q1) _; exact: Rle_refl.
Qed.

Definition of_longest (K L : nat) : R :=
  INR (#|A| * #|S|) * INR L ^ 2 + 2 * sqrt (INR (#|A| * #|S| * K)) * rpower (INR L) (3/2).

Lemma weighted_sum_pointwise K h : size h = K -> weighted_sum h <= of_longest K (longest_of h).
Proof.
move=> sz; have [d0 le] := weighted_sum_at_most h; apply: Rle_trans le _.
have bound := lemma_sum (episodes_of h); rewrite /= longest_episodes size_rev size_map sz card_prod in bound.
have L0 := pos_INR (longest_of h); apply: Rle_trans (Rmult_le_compat_l _ _ _ L0 bound) _.
move: (longest_of h) L0 => L L0; rewrite /of_longest.
rewrite !mult_INR; have a0 := pos_INR #|A|; have s0 := pos_INR #|S|; have k0 := pos_INR K.
have x0 : 0 <= INR #|A| * INR #|S| * INR K by apply: Rmult_le_pos => //; apply: Rmult_le_pos.
rewrite sqrt_mult //; case: (Rle_lt_or_eq_dec _ _ L0) => [Lpos|<-].
  by rewrite rpower_half3 //; apply: Req_le; ring.
have z : rpower 0 (3/2) = 0 by rewrite /rpower; case: (Rle_dec 0 0) => z //; lra.
by rewrite z; apply: Req_le; ring.
Qed.

(* Theorem 1's last step, on the law of histories, for every learner and every truncation: hence in the limit. *)
Theorem weighted_sum_mean N K : (1 <= K)%nat ->
  let a := harmonic K / (1 - beta) in
  let b := (harmonic K * harmonic K + harmonic2 K) / ((1 - beta) * (1 - beta)) in
  cut_mean N K weighted_sum <= INR (#|A| * #|S|) * b + 2 * sqrt (INR (#|A| * #|S| * K)) * sqrt (a * b).
Proof.
move=> hK a b; case: (discount) => b0 b1.
apply: Rle_trans (_ : _ <= cut_mean N K (fun h => of_longest K (longest_of h))) _.
  by apply: law_le => // h sz _; apply: weighted_sum_pointwise; rewrite sz addn0.
rewrite mean_of_longest; last first.
  have z : rpower 0 (3/2) = 0 by rewrite /rpower; case: (Rle_dec 0 0) => z //; lra.
  by rewrite /of_longest [INR 0]/= z; ring.
have h1 := harmonic_pos hK; have h2 := harmonic2_nonneg K.
have ap : 0 < a by apply: Rdiv_lt_0_compat; lra.
have bp : 0 < b by apply: Rdiv_lt_0_compat; nra.
have p1 : partial beta 1 K N <= a.
  by have := partial_factorial discount 1 K N; rewrite /= Rmult_1_l Rmult_1_r.
have p2 : partial beta 2 K N <= b by exact: partial_second.
have p3 := partial_half3 discount ap bp p1 p2.
rewrite (sum_to_ext (g := fun m => INR (#|A| * #|S|) * (INR m.+1 ^ 2 * max_is beta K m.+1)
  + 2 * sqrt (INR (#|A| * #|S| * K)) * (rpower (INR m.+1) (3/2) * max_is beta K m.+1))); last first.
  by move=> m _; rewrite /of_longest; ring.
rewrite sum_to_add !sum_to_scale; apply: Rplus_le_compat; apply: Rmult_le_compat_l => //.
- exact: pos_INR.
- by apply: Rmult_le_pos; [lra | exact: sqrt_pos].
Qed.
End Lengths.
Print Assumptions weighted_sum_mean.
