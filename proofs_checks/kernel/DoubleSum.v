(* Lemma sum: the double sum of 1/sqrt(max{1, N_{k-1}}) over episodes and steps, for any episodes of any lengths. *)

From kernel Require Import Limits Sums Values.

(* 1 / sqrt(max{1, N}). *)
Definition weight (N : nat) : R := / sqrt (INR (maxn 1 N)).

Section Runs.
Variable C : finType.   (* the cells: an arm and one of its states; there are S n of them *)

(* Episodes are lists of the cells that were activated, in their order; `past` is what came before. N_{k-1}(c)
   counts the activations of c in the episodes before the k-th. *)
Fixpoint double_sum (past : seq C) (episodes : seq (seq C)) : R :=
  if episodes is e :: later
  then \sum_(c <- e) weight (count_mem c past) + double_sum (past ++ e) later
  else 0.

(* max_k H_k. *)
Fixpoint longest (episodes : seq (seq C)) : nat :=
  if episodes is e :: later then maxn (size e) (longest later) else 0%nat.
End Runs.

Lemma max1 N : 1 <= INR (maxn 1 N).
Proof. by rewrite -[X in X <= _]/(INR 1); apply: le_INR; apply/leP; exact: leq_maxl. Qed.

Lemma weight_at_most_1 N : weight N <= 1.
Proof.
rewrite /weight -Rinv_1; apply: Rinv_le_contravar; first lra.
by rewrite -sqrt_1; apply: sqrt_le_1_alt; exact: max1.
Qed.

(* 1/sqrt(m+1) <= 2 (sqrt(m+1) - sqrt m). *)
Lemma root_step (x : R) : 0 <= x -> / sqrt (x + 1) <= 2 * (sqrt (x + 1) - sqrt x).
Proof.
move=> x0; have a0 : 0 < sqrt (x + 1) by apply: sqrt_lt_R0; lra.
have b0 := sqrt_pos x; have aa : sqrt (x + 1) * sqrt (x + 1) = x + 1 by apply: sqrt_sqrt; lra.
have bb : sqrt x * sqrt x = x by exact: sqrt_sqrt.
apply: (Rmult_le_reg_l (sqrt (x + 1))) => //; rewrite Rinv_r; last lra.
by nra.
Qed.

(* The potential of a cell that was activated N times, when no episode is longer than H. *)
Definition potential (H N : nat) : R := if (N <= H)%nat then INR N else INR H + 2 * sqrt (INR (N - H)).

Lemma potential_step H N m : (m < N + H)%nat -> weight N <= potential H m.+1 - potential H m.
Proof.
move=> mNH; rewrite /potential; case: (leqP m H) => mH; case: (leqP m.+1 H) => mH'.
- by rewrite S_INR; have := weight_at_most_1 N; lra.
- have -> : m = H by apply/eqP; rewrite eqn_leq mH.
  rewrite subSnn sqrt_1; have := weight_at_most_1 N; rewrite /=; lra.
- by move: (leq_trans mH' (ltnW mH)); rewrite ltnn.
have e : INR (m.+1 - H) = INR (m - H) + 1 by rewrite subSn ?S_INR // ltnW.
have N1 : (m.+1 - H <= N)%nat by rewrite leq_subLR addnC.
have N0 : (1 <= N)%nat by apply: leq_trans N1; rewrite subn_gt0.
have le : weight N <= / sqrt (INR (m - H) + 1).
  rewrite -e /weight (maxn_idPr N0); apply: Rinv_le_contravar.
    by apply: sqrt_lt_R0; apply: lt_0_INR; apply/ltP; rewrite subn_gt0.
  by apply: sqrt_le_1_alt; apply: le_INR; apply/leP.
by rewrite e; have := root_step (pos_INR (m - H)); lra.
Qed.

Lemma potential_run H N v : (v <= H)%nat -> INR v * weight N <= potential H (N + v) - potential H N.
Proof.
elim: v => [|v IH] vH; first by rewrite addn0 /=; lra.
rewrite S_INR addnS; have := IH (ltnW vH).
have lt : (N + v < N + H)%nat by rewrite ltn_add2l.
by have := potential_step lt; lra.
Qed.

Lemma potential_at_most H N : potential H N <= INR H + 2 * sqrt (INR N).
Proof.
rewrite /potential; case: leqP => h; first by have := le_INR _ _ (leP h); have := sqrt_pos (INR N); lra.
have : sqrt (INR (N - H)) <= sqrt (INR N) by apply: sqrt_le_1_alt; apply: le_INR; apply/leP; exact: leq_subr.
lra.
Qed.

(* What is at most u z + w/z for every z > 0 is at most 2 sqrt(u w). *)
Lemma best_scale X u w E : 0 <= u -> 0 <= w -> (forall z, 0 < z -> E <= X + (u * z + w / z)) -> E <= X + 2 * sqrt (u * w).
Proof.
move=> u0 w0 le; have a0 := sqrt_pos u; have b0 := sqrt_pos w; have k0 : 0 <= sqrt u + sqrt w by lra.
apply: (le_by_margins k0) => d d0; rewrite sqrt_mult //; have uu := sqrt_sqrt u u0; have ww := sqrt_sqrt w w0.
have z0 : 0 < (sqrt w + d) / (sqrt u + d) by apply: Rdiv_lt_0_compat; lra.
apply: Rle_trans (le _ z0) _; rewrite -{1}uu -{2}ww; move: (sqrt u) (sqrt w) a0 b0 => a b a0 b0.
have part x y : 0 <= x -> 0 <= y -> x * x * ((y + d) / (x + d)) <= x * (y + d).
  move=> x0 y0; rewrite (_ : x * x * _ = x * (y + d) - x * (y + d) * (d / (x + d))); last by field; lra.
  have : 0 <= x * (y + d) * (d / (x + d)); last lra.
  by repeat apply: Rmult_le_pos; try lra; left; apply: Rinv_0_lt_compat; lra.
rewrite (_ : b * b / _ = b * b * ((a + d) / (b + d))); last by field; lra.
have := part a b a0 b0; have := part b a b0 a0; lra.
Qed.

(* Cauchy and Schwarz, for square roots.
   ledger: lem:sum/cauchy-schwarz *)
Theorem sum_of_roots (C : finType) (u : C -> R) : (forall c, 0 <= u c) ->
  \sum_(c : C) sqrt (u c) <= sqrt (INR #|C| * \sum_(c : C) u c).
Proof.
move=> u0; set T := \sum_(c : C) u c; set c := INR #|C|.
have T0 : 0 <= T by exact: sum_nonneg. have c0 : 0 <= c by exact: pos_INR.
rewrite (_ : sqrt (c * T) = 0 + 2 * sqrt (c * (T / 4))); last first.
  by rewrite (_ : c * (T / 4) = c * T / (2 * 2)) ?sqrt_div_alt ?sqrt_square; [field | lra | lra | field].
apply: best_scale => // [|z z0]; first lra.
rewrite Rplus_0_l (_ : c * z + T / 4 / z = \sum_(x : C) (/ (4 * z) * u x + z)); last first.
  by rewrite sum_add sum_scale sum_const -/c -/T; field; lra.
apply: sum_le => x _; have := sqrt_sqrt _ (u0 x); move: (sqrt (u x)) => q <-.
have : 0 <= / (4 * z) * ((q - 2 * z) * (q - 2 * z)).
  by apply: Rmult_le_pos; [left; apply: Rinv_0_lt_compat; lra | exact: (Rle_0_sqr (q - 2 * z))].
by rewrite (_ : / (4 * z) * _ = / (4 * z) * (q * q) + z - q); [lra | field; lra].
Qed.

Section Lemma_sum.
Variable C : finType.
Implicit Types (episodes : seq (seq C)) (past e : seq C).

Lemma sum_by_cell (f : C -> R) (s : seq C) : \sum_(c <- s) f c = \sum_(c : C) INR (count_mem c s) * f c.
Proof.
elim: s => [|d s IH]; first by rewrite sum_nil big1 // => c _; rewrite /=; lra.
rewrite sum_cons IH -(sum_single d f) -sum_add; apply: eq_bigr => c _.
by rewrite /= plus_INR eq_sym; case: eqP => _ /=; lra.
Qed.

Definition cells_potential H (s : seq C) : R := \sum_(c : C) potential H (count_mem c s).

Lemma episode_potential H past e : (size e <= H)%nat ->
  \sum_(c <- e) weight (count_mem c past) <= cells_potential H (past ++ e) - cells_potential H past.
Proof.
move=> eH; rewrite sum_by_cell /cells_potential -sum_sub; apply: sum_le => c _; rewrite count_cat.
by apply: potential_run; exact: leq_trans (count_size _ _) eH.
Qed.

Lemma double_sum_potential H past episodes : all (fun e => size e <= H)%nat episodes ->
  double_sum past episodes <= cells_potential H (past ++ flatten episodes) - cells_potential H past.
Proof.
elim: episodes past => [|e later IH] past /=; first by rewrite cats0; lra.
case/andP => eH laterH.
apply: Rle_trans (Rplus_le_compat _ _ _ _ (episode_potential past eH) (IH (past ++ e) laterH)) _.
by rewrite -catA; lra.
Qed.

(* Lemma sum: for any episodes of any lengths, the double sum is at most S n max H + 2 sqrt(S n K max H), where
   S n is the number of cells and K that of episodes.
   ledger: lem:sum *)
Theorem lemma_sum episodes : let Sn := #|C| in let K := size episodes in let H := longest episodes in
  double_sum [::] episodes <= INR (Sn * H) + 2 * sqrt (INR (Sn * K * H)).
Proof.
move=> Sn K H; have bounded : all (fun e => size e <= H)%nat episodes.
  rewrite /H; elim: (episodes) => [|e later IH] //=; rewrite leq_maxl /=.
  by apply: sub_all IH => f hf; exact: leq_trans hf (leq_maxr _ _).
have h := double_sum_potential [::] bounded; rewrite cat0s in h.
have zero : cells_potential H [::] = 0 by rewrite /cells_potential big1.
pose roots := \sum_(c : C) sqrt (INR (count_mem c (flatten episodes))).
have le : cells_potential H (flatten episodes) <= INR (Sn * H) + 2 * roots.
  rewrite mult_INR -sum_const /roots -sum_scale -sum_add.
  by apply: sum_le => c _; exact: potential_at_most.
have total : \sum_(c : C) INR (count_mem c (flatten episodes)) = INR (size (flatten episodes)).
  by rewrite -[RHS]Rmult_1_r -sum_seq_const [RHS]sum_by_cell; apply: eq_bigr => c _; ring.
have steps : (size (flatten episodes) <= K * H)%nat.
  rewrite /K; elim: (episodes) bounded => [|e s IH] //= /andP [eH sH].
  by rewrite size_cat mulSn; apply: leq_add => //; exact: IH.
suff : roots <= sqrt (INR (Sn * K * H)) by lra.
apply: Rle_trans (sum_of_roots (fun c => pos_INR _)) _; rewrite total -mulnA mult_INR.
by apply: sqrt_le_1_alt; apply: Rmult_le_compat_l (pos_INR _) _; exact: le_INR (leP steps).
Qed.
End Lemma_sum.

(* ---------------------------------------------------------------- Steps of the printed proof *)

(* The sum of the first T inverse roots is at most 2 sqrt(T) - 1.
   ledger: lem:sum/integral/repair *)
Theorem inverse_roots T : (1 <= T)%nat -> \sum_(m < T) / sqrt (INR m.+1) <= 2 * sqrt (INR T) - 1.
Proof.
case: T => // T _; elim: T => [|T IH]; first by rewrite /= sqrt_1; lra.
rewrite [X in X <= _](_ : _ = \sum_(m < T.+1) / sqrt (INR m.+1) + / sqrt (INR T.+2)) //.
by have := root_step (pos_INR T.+1); rewrite -S_INR; lra.
Qed.

(* The printed step that bounds max H + sum_{m <= max{1, N - H}} by H + sum_{m <= N}, summed over the cells: false in
   the shortest run, one episode of one step, where one of two cells is never activated: 4 > 3. (There H is at most the sum of
   the N, as in every run.)
   ledger: lem:sum/floor *)
Theorem floor_step_fails : ~ forall C : finType, forall (N : C -> nat) H,
  (1 <= \big[addn/0%nat]_(c : C) N c)%nat -> (1 <= H)%nat ->
  \sum_(c : C) (INR H + \sum_(m < maxn 1 (N c - H)) / sqrt (INR m.+1))
  <= INR (#|C| * H) + \sum_(c : C) \sum_(m < N c) / sqrt (INR m.+1).
Proof.
move=> claim; have := claim bool_finType (fun c => if c then 1%nat else 0%nat) 1%nat.
by rewrite !big_bool card_bool => /(_ isT isT) /=; rewrite sqrt_1 Rinv_1; lra.
Qed.
