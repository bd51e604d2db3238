(* Sums along the play of what depends on the past, on the state of all arms and on the arm that is played. Given each past the
   sum over an episode that is cut at N lies between discounted sums over the play of the model, up to T0 and up to N; summed
   over K episodes this carries recursions and discounted bounds to the law of histories. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From kernel Require Import Sums Values Bandits Horizon Concentration.
From kernel Require Import History Regret FrozenCounts FrozenUses Simulation FiniteRuns.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* ---------------------------------------------------------------- On histories *)

Section Along.
Variables (A S O : finType).
Notation history := (history A S O).
Notation paid := (global A S -> A -> R).
Implicit Types (g : history -> paid) (h : history).

(* The sum over the steps of g, which may depend on the state and on the arm; and over all episodes, on their pasts too. *)
Definition over_steps (g : paid) (e : seq (step A S O)) : R := \sum_(p <- e) g p.1.1 p.1.2.
Definition along_run g : history -> R := over_episodes (fun h h' => over_steps (g h) (newest h')).

Lemma over_steps_linear u v (f g : paid) e :
  over_steps (fun x a => u * f x a + v * g x a) e = u * over_steps f e + v * over_steps g e.
Proof. by rewrite /over_steps; elim: e => [|p e IH]; [rewrite !sum_nil; ring | rewrite !sum_cons IH; ring]. Qed.

Lemma over_steps_le (f g : paid) e : (forall x a, f x a <= g x a) -> over_steps f e <= over_steps g e.
Proof. by move=> fg; apply: sum_le => p _; exact: fg. Qed.

Lemma along_linear u v f g h :
  along_run (fun h x a => u * f h x a + v * g h x a) h = u * along_run f h + v * along_run g h.
Proof. by rewrite /along_run; elim: h => [|r h IH] /=; [ring | rewrite IH over_steps_linear; ring]. Qed.

Lemma along_le f g h : (forall h x a, f h x a <= g h x a) -> along_run f h <= along_run g h.
Proof. by move=> fg; rewrite /along_run; elim: h => [|r h IH] /=; [lra | apply: Rplus_le_compat => //; exact: over_steps_le]. Qed.

Lemma along_ext f g h : (forall h x a, f h x a = g h x a) -> along_run f h = along_run g h.
Proof. by move=> fg; apply: Rle_antisym; apply: along_le => h' x a; rewrite fg; exact: Rle_refl. Qed.

(* Functions of the count of the cell that is played. *)
Lemma along_frozen (w : history -> R) (f : nat -> R) h :
  along_run (fun h x a => w h * f (count_of (a, x a) h)) h = frozen w f h.
Proof.
rewrite /along_run /frozen; elim: h => [|r h IH] //=; rewrite IH; congr (_ + _).
rewrite /over_steps sum_scale; congr (_ * _); elim: (r.2) => [|[[x a] o] e IHe]; first by rewrite !sum_nil.
by rewrite [shown _]/= !sum_cons IHe.
Qed.

Lemma along_one c h : along_run (fun _ _ _ => c) h = c * INR (duration h).
Proof.
rewrite /along_run /duration; elim: h => [|r h IH]; first by rewrite /= Rmult_0_r.
rewrite [over_episodes _ _]/= IH (_ : flat (r :: h) = shown r.2 ++ flat h) // size_cat plus_INR size_map.
have sum (e : seq (step A S O)) : over_steps (fun _ _ => c) e = c * INR (size e).
  rewrite /over_steps; elim: e => [|p e IHe]; first by rewrite sum_nil /=; ring.
  by rewrite sum_cons IHe -[size (p :: e)]/((size e).+1) S_INR; ring.
by rewrite sum; move: (INR _) (INR _) => u v; ring.
Qed.
End Along.

(* ---------------------------------------------------------------- On the law of histories *)

Section Play.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Variable M : model A S.
Hypotheses (hM : markovian M) (M_shown : forall a s F, mean (row M a s) F = mean (shows a s) (fun o => F (next o))).
Notation history := (history A S O).
Notation paid := (global A S -> A -> R).
Notation cut N := (at_most_long beta N).
Notation episodeN N := (episode next learner rho shows (cut N)).
Notation cut_mean N K F := (truncated next beta learner rho shows N K F).
Notation under pi := (fun y => P M ((pi : plays A S) y) y).
Notation owed g pi := (fun y => (g : paid) y ((pi : plays A S) y)).

Lemma steps_along_state (g : paid) pi n x e : steps next shows pi n x e (over_steps g) =
  over_steps g e + total (under pi) (owed g pi) n x.
Proof.
elim: n x e => [|n IH] x e; first by rewrite /=; ring.
rewrite [LHS]/= [total _ _ _ _]/= mean_P M_shown (mean_ext _ (g := fun o => (g x (pi x) + over_steps g e) +
    total (under pi) (owed g pi) n (moved x (pi x) (next o)))).
  rewrite (mean_add _ (fun _ => g x (pi x) + over_steps g e)) (mean_of_const _ (shows_ok _ _)) Rplus_assoc (Rplus_comm (g _ _)).
  by rewrite !Rplus_assoc; congr (_ + _); rewrite Rplus_comm.
by move=> o; rewrite IH /over_steps sum_cons.
Qed.

Lemma episode_along_state N h (g : paid) : episodeN N h (fun h' => over_steps g (newest h')) =
  mean (learner h) (fun pi => mean rho (fun x => cut N (fun n => total (under pi) (owed g pi) n x))).
Proof.
apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n.
by rewrite (steps_along_state g pi n x [::]) /over_steps sum_nil Rplus_0_l.
Qed.

(* sum_{t < T} beta^t E g(x_t, a_t), under the policy and the start that the learner and rho draw after the past h. *)
Definition ahead (T : nat) (g : paid) (h : history) : R := mean (learner h) (fun pi => mean rho (fun x =>
  \sum_(t < T) (beta ^ t * reward_at (under pi) (owed g pi) t x))).

Lemma owed_nonneg (g : paid) pi t x : (forall x a, 0 <= g x a) -> 0 <= reward_at (under pi) (owed g pi) t x.
Proof.
move=> g0; elim: t x => [|t IH] x /=; first exact: g0.
by apply: mean_nonneg => // y; exact: (proj1 (P_stochastic (pi x) x hM)).
Qed.

Lemma ahead_nonneg T (g : paid) h : (forall x a, 0 <= g x a) -> 0 <= ahead T g h.
Proof.
move=> g0; apply: mean_nonneg => [pi|pi]; first exact: (proj1 (learner_ok h)).
apply: mean_nonneg => [x|x]; first exact: (proj1 rho_ok).
apply: sum_to_nonneg => t _; apply: Rmult_le_pos; last exact: owed_nonneg.
by case: discount => b0 _; exact: pow_le.
Qed.

Lemma ahead_of_episode N T h (g : paid) : (forall x a, 0 <= g x a) -> (T <= N)%nat ->
  (1 - beta ^ (N - T)) * ahead T g h <= episodeN N h (fun h' => over_steps g (newest h')).
Proof.
move=> g0 TN; rewrite episode_along_state /ahead -mean_scale.
apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
rewrite -mean_scale; apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
by apply: (unfolded_at_most_cut discount _ TN) => t; exact: owed_nonneg.
Qed.

(* The sum over n steps, in the mean over lengths cut at N, is discounting, less than what is cut. *)
Lemma cut_at_most_ahead (X : finType) (Q : X -> X -> R) (g : X -> R) (x : X) N : (forall t, 0 <= reward_at Q g t x) ->
  cut N (fun n => total Q g n x) <= (1 - beta ^ N) * (\sum_(t < N) (beta ^ t * reward_at Q g t x)).
Proof.
move=> g0; case: (discount) => b0 b1; pose r t := reward_at Q g t x.
have parts n : cut n (fun n => total Q g n x) = \sum_(t < n) ((beta ^ t - beta ^ n) * r t).
  have e1 m : cut m (fun n => total Q g n x) = \sum_(t < m) (beta ^ t * r t) - beta ^ m * total Q g m x.
    elim: m => [|m IH]; first by rewrite /at_most_long /=; ring.
    rewrite (_ : cut m.+1 _ = cut m (fun n => total Q g n x) + chance beta m * total Q g m.+1 x) // IH sum_recr total_step.
    by rewrite /chance (_ : beta ^ m.+1 = beta * beta ^ m) // -/(r m); move: (total _ _ _ _) (r m) (beta ^ m) (\sum_(_ < _) _) => *; ring.
  rewrite e1 total_is_sum -/(r _) -sum_to_scale (_ : forall u v : R, u - v = u + -1 * v) => [|u v]; last ring.
  by rewrite -sum_to_scale -sum_to_add; apply: sum_to_ext => t _; rewrite /r; ring.
rewrite parts -sum_to_scale; apply: sum_to_le => t tN; rewrite -/(r t) -Rmult_assoc; apply: Rmult_le_compat_r; first exact: g0.
have p : beta ^ N * beta ^ t <= beta ^ N * 1.
  by apply: Rmult_le_compat_l; [exact: pow_le | rewrite -(pow1 t); apply: pow_incr; lra].
lra.
Qed.

Lemma episode_at_most_ahead N h (g : paid) : (forall x a, 0 <= g x a) ->
  episodeN N h (fun h' => over_steps g (newest h')) <= (1 - beta ^ N) * ahead N g h.
Proof.
move=> g0; rewrite episode_along_state /ahead -mean_scale.
apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
rewrite -mean_scale; apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
by apply: cut_at_most_ahead => t; exact: owed_nonneg.
Qed.

(* K episodes. *)
Lemma ahead_of_run N T K (g : history -> paid) : (forall h x a, 0 <= g h x a) -> (T <= N)%nat ->
  (1 - beta ^ (N - T)) * cut_mean N K (summed (fun h => ahead T (g h) h)) <= cut_mean N K (along_run g).
Proof.
move=> g0 TN; set k := 1 - _; have [k0 _] := mass discount (N - T); have [m0 m1] := mass discount N.
rewrite /truncated -law_scale -!/(cut_mean N K _).
rewrite /truncated (@law_ext A S O next beta learner rho shows N K [::] _ (summed (fun h => k * ahead T (g h) h))); last first.
  by move=> h; rewrite /summed; elim: h => [|r h IH] /=; [ring | rewrite -IH; ring].
apply: law_over_episodes => // h; rewrite (episode_const next beta learner_ok rho_ok shows_ok).
apply: Rle_trans (ahead_of_episode h (g0 h) TN).
have p : 0 <= k * ahead T (g h) h by apply: Rmult_le_pos => //; exact: ahead_nonneg.
by rewrite -/k; nra.
Qed.

Lemma run_at_most_ahead N K (g : history -> paid) : (forall h x a, 0 <= g h x a) ->
  cut_mean N K (along_run g) <= cut_mean N K (summed (fun h => ahead N (g h) h)).
Proof.
move=> g0; apply: law_over_episodes => // h; rewrite (episode_const next beta learner_ok rho_ok shows_ok).
exact: episode_at_most_ahead.
Qed.

(* Means of linear combinations. *)
Lemma cut_along_linear N K u v f g :
  cut_mean N K (along_run (fun h x a => u * f h x a + v * g h x a)) = u * cut_mean N K (along_run f) + v * cut_mean N K (along_run g).
Proof.
rewrite /truncated -!law_scale -law_add; apply: law_ext => h; exact: along_linear.
Qed.

Lemma cut_along_le N K f g : (forall h x a, f h x a <= g h x a) -> cut_mean N K (along_run f) <= cut_mean N K (along_run g).
Proof. by move=> fg; apply: law_le => // h _; exact: along_le. Qed.

Lemma cut_along_scale N K u f : cut_mean N K (along_run (fun h x a => u * f h x a)) = u * cut_mean N K (along_run f).
Proof.
rewrite /truncated -law_scale; apply: law_ext => h; rewrite -(Rplus_0_r (u * _)) -(Rmult_0_l (along_run f h)) -along_linear.
by apply: along_ext => *; ring.
Qed.

Lemma cut_along_add N K f g : cut_mean N K (along_run (fun h x a => f h x a + g h x a)) =
  cut_mean N K (along_run f) + cut_mean N K (along_run g).
Proof.
rewrite -[X in X + _]Rmult_1_l -[X in _ + X]Rmult_1_l -cut_along_linear; apply: law_ext => h.
by apply: along_ext => *; ring.
Qed.

Lemma cut_along_frozen N K w f : cut_mean N K (along_run (fun h x a => w h * f (count_of (a, x a) h))) = cut_mean N K (frozen w f).
Proof. by apply: law_ext => h; exact: along_frozen. Qed.

Lemma cut_along_one N K c : 0 <= c -> cut_mean N K (along_run (fun _ _ _ => c)) <= c * (INR K * (1 / (1 - beta))).
Proof.
move=> c0; rewrite /truncated (@law_ext A S O next beta learner rho shows N K [::] _ (fun h => c * INR (duration h))).
  by rewrite law_scale; apply: Rmult_le_compat_l => //; exact: (mean_duration next discount learner_ok rho_ok shows_ok).
by move=> h; exact: along_one.
Qed.
End Play.
