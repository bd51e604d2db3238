(* Section 1.7 of the notes, the lemma on frozen counts, by hint 3 of section 6 (no coins, lengths cut at N), on the law of
   histories of the study:
     E sum_k w_k n_k(c) f(N_{k-1}(c)) <= B f(0) E w_K + E[ w_K sum_{j < N_K(c)} f(j) ],      B = 1/(1-beta),
   for f >= 0 non-increasing and weights w_1 <= w_2 <= ... known before their episodes. For a cell first, then for all. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Concentration.
From kernel Require Import History Bayes Regret.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* ---------------------------------------------------------------- Counts, and sums over the episodes of a history *)

Section Counts.
Variables (A S O : finType).
Notation history := (history A S O).
Notation cell := (cell A S).

(* N(c): how often a cell was activated. *)
Definition visits (c : cell) (s : past cell O) : nat := size (observed c s).

(* N_k(c), after the k episodes of h. *)
Definition count_of (c : cell) (h : history) : nat := visits c (flat h).

(* The steps of the latest episode. *)
Definition newest (h : history) : seq (step A S O) := if h is r :: _ then r.2 else [::].

(* The sum over episodes k of g(O_{k-1}, O_k). *)
Fixpoint over_episodes (g : history -> history -> R) (h : history) : R :=
  if h is r :: h' then over_episodes g h' + g h' h else 0.

(* sum_{j < n} f(j). *)
Definition running (f : nat -> R) (n : nat) : R := \sum_(j < n) f j.

(* sum_k w_k n_k(c) f(N_{k-1}(c)), w_k being a function of O_{k-1}. *)
Definition frozen_at (w : history -> R) (f : nat -> R) (c : cell) : history -> R :=
  over_episodes (fun h h' => w h * (INR (visits c (shown (newest h'))) * f (count_of c h))).

(* The same for all cells: sum over k of w_k times the sum over the steps t of episode k of f(N_{k-1}(c_t)). *)
Definition frozen (w : history -> R) (f : nat -> R) : history -> R :=
  over_episodes (fun h h' => w h * \sum_(p <- shown (newest h')) f (count_of p.1 h)).

(* w_K, the weight of the latest episode; it is known before that episode. *)
Definition last_weight (w : history -> R) (h : history) : R := w (behead h).

Lemma visits_cons c d o s : visits c ((d, o) :: s) = ((d == c) + visits c s)%nat.
Proof. by rewrite /visits /observed /=; case: eqP. Qed.

Lemma visits_cat c s s' : visits c (s ++ s') = (visits c s + visits c s')%nat.
Proof. by rewrite /visits /observed filter_cat map_cat size_cat. Qed.

Lemma count_cons c r h : count_of c (r :: h) = (visits c (shown r.2) + count_of c h)%nat.
Proof. by rewrite /count_of /flat /= visits_cat. Qed.

Lemma over_episodes_ext g g' h : (forall r h, g h (r :: h) = g' h (r :: h)) -> over_episodes g h = over_episodes g' h.
Proof. by move=> e; elim: h => [|r h IH] //=; rewrite IH e. Qed.

Lemma over_episodes_sum (I : finType) (g : I -> history -> history -> R) h :
  over_episodes (fun h h' => \sum_(i : I) g i h h') h = \sum_(i : I) over_episodes (g i) h.
Proof. by elim: h => [|r h IH] /=; [rewrite big1 | rewrite IH -sum_add]. Qed.

(* Step by step and cell by cell are the same sum. *)
Lemma by_cells (s : past cell O) (g : cell -> R) : \sum_(p <- s) g p.1 = \sum_(c : cell) INR (visits c s) * g c.
Proof.
elim: s => [|[d o] s IH]; first by rewrite sum_nil big1 // => c _; rewrite /=; ring.
rewrite sum_cons IH /= -(sum_single d g) -sum_add; apply: eq_bigr => c _; rewrite visits_cons plus_INR (eq_sym d c).
by case: eqP => _ /=; ring.
Qed.

Lemma frozen_by_cells w f h : frozen w f h = \sum_(c : cell) frozen_at w f c h.
Proof.
rewrite /frozen /frozen_at -over_episodes_sum; apply: over_episodes_ext => r h'.
by rewrite (by_cells _ (fun c => f (count_of c h'))) -sum_scale.
Qed.
End Counts.

Section FrozenCounts.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation cut N := (at_most_long beta N).
Notation lawN N := (law next learner rho shows (cut N)).
Notation episodeN N := (episode next learner rho shows (cut N)).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Let B := 1 / (1 - beta).

(* ---------------------------------------------------------------- Tools *)

Lemma episode_add N h F G : episodeN N h (fun h' => F h' + G h') = episodeN N h F + episodeN N h G.
Proof. exact: (@law_add A S O next beta learner rho shows N 1 h F G). Qed.

Lemma episode_scale N h k F : episodeN N h (fun h' => k * F h') = k * episodeN N h F.
Proof. exact: (@law_scale A S O next beta learner rho shows N 1 h k F). Qed.

(* What does not rise by one more step does not rise in the mean. *)
Lemma steps_shift pi n x e (F G : seq (step A S O) -> R) : (forall p e', G (p :: e') <= F e') ->
  steps next shows pi n.+1 x e G <= steps next shows pi n x e F.
Proof.
move=> GF; elim: n x e => [|n IH] x e.
  rewrite /= -[X in _ <= X](mean_of_const (F e) (shows_ok (pi x) (x (pi x)))).
  by apply: mean_le => [o|o]; [exact: (proj1 (shows_ok _ _)) | exact: GF].
rewrite [X in X <= _]/= [X in _ <= X]/=; apply: mean_le => [o|o]; first exact: (proj1 (shows_ok _ _)).
exact: IH.
Qed.

(* Summation by parts against the cut geometric law: if x_0 = 0 and x grows by at most y, then E x_H <= B E y_H. *)
Lemma cut_by_parts N (x y : nat -> R) : x 0%nat = 0 -> (forall m, 0 <= x m) -> (forall m, x m.+1 <= x m + y m.+1) ->
  cut N x <= B * cut N y.
Proof.
case: (discount) => b0 b1 x0 xpos grows; suff : cut N x + beta ^ N * x N <= B * cut N y.
  by have : 0 <= beta ^ N * x N by [apply: Rmult_le_pos => //; exact: pow_le]; lra.
elim: N => [|N IH]; first by rewrite /at_most_long /= x0; lra.
have p0 := pow_le beta N b0; have g := Rmult_le_compat_l _ _ _ p0 (grows N).
rewrite /at_most_long !sum_recr -/(cut N x) -/(cut N y) /chance.
have -> : B * (cut N y + (1 - beta) * beta ^ N * y N.+1) = B * cut N y + beta ^ N * y N.+1 by rewrite /B; field; lra.
have -> : cut N x + (1 - beta) * beta ^ N * x N.+1 + beta ^ N.+1 * x N.+1 = cut N x + beta ^ N * x N.+1 by rewrite /=; ring.
lra.
Qed.

(* ---------------------------------------------------------------- One episode *)

Section OneCell.
Variables (f : nat -> R) (c : cell A S).
Hypotheses (f_nonneg : forall n, 0 <= f n) (f_falls : forall n, f n.+1 <= f n).

Lemma f_le m n : (m <= n)%nat -> f n <= f m.
Proof. by move=> /subnK <-; elim: (n - m)%nat => [|k IH]; [rewrite add0n; lra | rewrite addSn; have := f_falls (k + m); lra]. Qed.

(* With n = v - u activations in the episode: n f(u) - (f(u) + ... + f(v-1)), what freezing the count costs. *)
Definition excess (u v : nat) : R := (INR v - INR u) * f u - (running f v - running f u).

Lemma excess_same u : excess u u = 0.
Proof. by rewrite /excess; ring. Qed.

Lemma excess_next u v : excess u v.+1 = excess u v + (f u - f v).
Proof. by rewrite /excess /running sum_recr S_INR; ring. Qed.

Lemma excess_nonneg u v : (u <= v)%nat -> 0 <= excess u v.
Proof.
move=> /subnK <-; elim: (v - u)%nat => [|k IH]; first by rewrite add0n excess_same; lra.
by rewrite addSn excess_next; have := f_le (leq_addl k u); lra.
Qed.

(* E sum_{j <= n_k} (f(N) - f(N+j-1)) <= B E[f(N_{k-1}) - f(N_k)], given the past h. *)
Lemma one_episode N h : episodeN N h (fun h' => excess (count_of c h) (count_of c h')) <=
  B * episodeN N h (fun h' => f (count_of c h) - f (count_of c h')).
Proof.
rewrite /episode -mean_scale; apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
rewrite -mean_scale; apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
set u := count_of c h; pose v (e : seq (step A S O)) := visits c (shown e ++ flat h).
have uv e : (u <= v e)%nat by rewrite /v visits_cat leq_addl.
have vS p e : v (p :: e) = (((seen p).1 == c) + v e)%nat by rewrite /v /shown /=; case: (seen p) => d o; rewrite visits_cons.
apply: cut_by_parts => [|m|m].
- by rewrite /= -/(v [::]) /v /= excess_same.
- by rewrite -(@steps_const A S O next shows shows_ok pi m x [::] 0); apply: steps_le => // e; exact: (excess_nonneg (uv e)).
- suff : steps next shows pi m.+1 x [::] (fun e => excess u (v e) - (f u - f (v e))) <= steps next shows pi m x [::] (fun e => excess u (v e)).
    by rewrite steps_sub; move: (steps _ _ _ m.+1 _ _ _) => ?; rewrite /v /count_of /flat /=; lra.
  apply: steps_shift => p e; rewrite vS; case: eqP => _ /=.
    by rewrite add1n excess_next; have := f_falls (v e); lra.
  by rewrite add0n; have := f_le (uv e); lra.
Qed.
End OneCell.

(* ---------------------------------------------------------------- K episodes *)

(* If given every past an episode adds at most as much to one sum as to another, so do K episodes in the mean. *)
Lemma law_over_episodes N K (g g' : history A S O -> history A S O -> R) :
  (forall h, episodeN N h (g h) <= episodeN N h (g' h)) -> cut_mean N K (over_episodes g) <= cut_mean N K (over_episodes g').
Proof.
move=> le; pose Z h := over_episodes g h - over_episodes g' h.
have one h : episodeN N h Z <= (1 - beta ^ N) * Z h.
  have e : episodeN N h Z = episodeN N h (fun h' => Z h + (g h h' - g' h h')).
    apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext => e.
    by rewrite /Z /=; ring.
  rewrite e (episode_add N h (fun _ => Z h) (fun h' => g h h' - g' h h')) episode_sub.
  by rewrite (episode_const next beta learner_ok rho_ok shows_ok); have := le h; lra.
have all : cut_mean N K Z <= 0.
  rewrite /truncated; elim: K => [|K IH]; first by rewrite /Z /=; lra.
  rewrite law_last; apply: Rle_trans (_ : _ <= lawN N K [::] (fun h => (1 - beta ^ N) * Z h)) _.
    by apply: law_le => // h _; exact: one.
  by rewrite law_scale; have [m0 _] := mass discount N; nra.
suff : cut_mean N K (over_episodes g) = cut_mean N K Z + cut_mean N K (over_episodes g') by lra.
by rewrite /truncated -law_add; apply: law_ext => h; rewrite /Z; ring.
Qed.

Section Weighted.
(* Weights: functions of the past, >= 0, that never fall. *)
Variable w : history A S O -> R.
Hypotheses (w_nonneg : forall h, 0 <= w h) (w_grows : forall r h, w h <= w (r :: h)).
Variable f : nat -> R.
Hypotheses (f_nonneg : forall n, 0 <= f n) (f_falls : forall n, f n.+1 <= f n).

Lemma last_weight_le h : last_weight w h <= w h.
Proof. by case: h => [|r h]; [rewrite /last_weight /=; lra | exact: w_grows]. Qed.

Lemma running_nonneg n : 0 <= running f n.
Proof. by apply: sum_to_nonneg. Qed.

(* sum_k w_k sum_{j < n_k} f(N_{k-1} + j) <= w_K sum_{j < N_K} f(j). *)
Lemma running_summed c h : over_episodes (fun h h' => w h * (running f (count_of c h') - running f (count_of c h))) h <=
  last_weight w h * running f (count_of c h).
Proof.
elim: h => [|r h IH]; first by rewrite [count_of c [::]](erefl 0%nat) /running /=; lra.
rewrite [over_episodes _ _]/= [last_weight w (r :: h)]/last_weight [behead _]/=.
by have := Rmult_le_compat_r _ _ _ (running_nonneg (count_of c h)) (last_weight_le h); lra.
Qed.

(* sum_k w_k (f(N_{k-1}) - f(N_k)) <= w_K f(0). *)
Lemma drops_summed c h : over_episodes (fun h h' => w h * (f (count_of c h) - f (count_of c h'))) h <= last_weight w h * f 0%nat.
Proof.
suff : over_episodes (fun h h' => w h * (f (count_of c h) - f (count_of c h'))) h + last_weight w h * f (count_of c h)
    <= last_weight w h * f 0%nat.
  have : 0 <= last_weight w h * f (count_of c h) by apply: Rmult_le_pos; [exact: w_nonneg | exact: f_nonneg].
  lra.
elim: h => [|r h IH]; first by rewrite [count_of c [::]](erefl 0%nat) /=; lra.
rewrite [over_episodes _ _]/= [last_weight w (r :: h)]/last_weight [behead _]/=.
have a : 0 <= f 0%nat - f (count_of c h) by have := f_le f_falls (leq0n (count_of c h)); lra.
by have := Rmult_le_compat_r _ _ _ a (last_weight_le h); lra.
Qed.

(* 1.7 for one cell, on the law with lengths cut at N. *)
Lemma frozen_counts N K c : cut_mean N K (frozen_at w f c) <=
  B * f 0%nat * cut_mean N K (last_weight w) + cut_mean N K (fun h => last_weight w h * running f (count_of c h)).
Proof.
pose drop (h h' : history A S O) := w h * (f (count_of c h) - f (count_of c h')).
pose grow (h h' : history A S O) := w h * (running f (count_of c h') - running f (count_of c h)).
have le : cut_mean N K (frozen_at w f c) <= cut_mean N K (over_episodes (fun h h' => B * drop h h' + grow h h')).
  apply: law_over_episodes => h.
  have -> : episodeN N h (fun h' => B * drop h h' + grow h h') =
      w h * (B * episodeN N h (fun h' => f (count_of c h) - f (count_of c h'))) +
      episodeN N h (grow h).
    rewrite (episode_add N h (fun h' => B * drop h h') (grow h)) (episode_scale N h B (drop h)) /drop.
    by rewrite (episode_scale N h (w h) (fun h' => f (count_of c h) - f (count_of c h'))); ring.
  have -> : episodeN N h (fun h' => w h * (INR (visits c (shown (newest h'))) * f (count_of c h))) =
      w h * episodeN N h (fun h' => excess f (count_of c h) (count_of c h')) + episodeN N h (grow h).
    rewrite -(episode_scale N h (w h)) -(episode_add N h (fun h' => w h * excess f (count_of c h) (count_of c h')) (grow h)).
    apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext => e.
    by rewrite /grow /excess !count_cons plus_INR /=; ring.
  by have := Rmult_le_compat_l _ _ _ (w_nonneg h) (one_episode c f_falls N h); lra.
apply: Rle_trans le _; rewrite /truncated -law_scale -law_add.
have B0 : 0 <= B by exact: top_nonneg.
apply: law_le => // h _.
have -> : over_episodes (fun h h' => B * drop h h' + grow h h') h = B * over_episodes drop h + over_episodes grow h.
  by elim: h => [|r h IH] /=; [ring | rewrite IH; ring].
have := Rmult_le_compat_l _ _ _ B0 (drops_summed c h); have := running_summed c h; rewrite -/drop -/grow; lra.
Qed.

(* 1.7 summed over cells, as the regret of MB-UCBVI needs it: the sum over the steps of all episodes. *)
Lemma frozen_counts_of_run N K : cut_mean N K (frozen w f) <=
  INR #|cell A S| * (B * f 0%nat * cut_mean N K (last_weight w)) +
  cut_mean N K (fun h => last_weight w h * \sum_(c : cell A S) running f (count_of c h)).
Proof.
have -> : cut_mean N K (frozen w f) = \sum_(c : cell A S) cut_mean N K (frozen_at w f c).
  by rewrite /truncated -law_sum; apply: law_ext => h; exact: frozen_by_cells.
have -> : cut_mean N K (fun h => last_weight w h * \sum_(c : cell A S) running f (count_of c h)) =
    \sum_(c : cell A S) cut_mean N K (fun h => last_weight w h * running f (count_of c h)).
  by rewrite /truncated -law_sum; apply: law_ext => h; rewrite sum_scale.
by rewrite -sum_const -sum_add; apply: sum_le => c _; exact: frozen_counts.
Qed.
End Weighted.
End FrozenCounts.
