(* Sums over the episodes of a run, with lengths cut at N, of what is known before each: they are linear and monotone, and the regret is
   the sum of the losses. *)

From kernel Require Import Limits Sums Values Bandits Concentration Episodes Laws LawOfRun Truncation Frozen.

Lemma mean_le_where (X : finType) (q f g : X -> R) : (forall y, 0 <= q y) -> (forall y, 0 < q y -> f y <= g y) -> mean q f <= mean q g.
Proof.
move=> q0 fg; apply: sum_le => y _; case: (Rle_lt_or_eq_dec _ _ (q0 y)) => [p|<-]; last lra.
by apply: Rmult_le_compat_l; [exact: q0 | exact: fg].
Qed.

Section Sums.
Variables (A S : finType) (O : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation history := (history A S O).
Variables (learner : history -> plays A S -> R) (rho : global A S -> R) (shows : A -> S -> law_on O).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Notation cut_mean N J F := (truncated next beta learner rho shows N J F).

Lemma summed_le (X Y : history -> R) h : (forall h, X h <= Y h) -> summed X h <= summed Y h.
Proof. by move=> le; rewrite /summed; elim: h => [|r h IH] /=; [lra | have := le h; lra]. Qed.

Lemma summed_add (X Y : history -> R) h : summed (fun h => X h + Y h) h = summed X h + summed Y h.
Proof. by rewrite /summed; elim: h => [|r h IH] /=; [ring | rewrite IH; ring]. Qed.

Lemma tame_summed (X : history -> R) : tame X -> tame (summed X).
Proof. by move=> tX; apply: tame_over; exact: tame2_left. Qed.

Lemma summed_scale k (X : history -> R) h : summed (fun h => k * X h) h = k * summed X h.
Proof. by rewrite /summed; elim: h => [|r h IH] /=; [ring | rewrite IH; ring]. Qed.

(* What is at most c in the mean before every episode is at most K c over K episodes. *)
Lemma summed_cut N J X c : tame X -> 0 <= c -> (forall j, cut_mean N j X <= c) -> cut_mean N J (summed X) <= INR J * c.
Proof.
move=> tX c0 le; have tS := tame_summed tX; elim: J => [|J IH]; first by rewrite /truncated /summed /=; lra.
have [m0 m1] := cut_mass discount N; rewrite /truncated law_last.
rewrite (@law_ext A S O next beta learner rho shows N J [::] _ (fun h => (1 - beta ^ N) * (summed X h + X h))); last first.
  move=> h; rewrite -(episode_const next beta learner_ok rho_ok shows N h).
  by apply: mean_ext => pi; apply: mean_ext => x; apply: cut_ext => n; apply: steps_ext.
rewrite (law_scale next discount learner_ok rho_ok shows N J [::] _ (tame_add tS tX)) (law_add next discount learner_ok rho_ok shows N J [::] tS tX).
rewrite -!/(cut_mean N J _) S_INR; have := le J.
have Jc : 0 <= INR J * c by apply: Rmult_le_pos => //; exact: pos_INR.
nra.
Qed.

Variable M : model A S.
Hypotheses (hM : markovian M) (unit : unit_rewards M).

Lemma regret_of_losses pistar N J : cut_mean N J (regret beta M pistar) <= cut_mean N J (summed (fun h => loss beta learner rho M pistar h)).
Proof.
have tr : tame (regret beta M pistar : history -> R) := sized_tame (@regret_sized A S O beta discount M pistar hM unit).
have tL : tame (fun h => loss beta learner rho M pistar h) := bounded_tame (loss_abs discount learner_ok rho_ok pistar hM unit).
pose g (h h' : history) := regret beta M pistar h' - regret beta M pistar h.
have tg : tame2 g by apply: tame2_sub; [exact: tame2_right | exact: tame2_left].
rewrite /truncated (@law_ext A S O next beta learner rho shows N J [::] (regret beta M pistar) (over_episodes g)); last first.
  by elim=> [|r h IH]; [rewrite /regret sum_nil | rewrite over_cons -IH /g; ring].
apply: law_over_episodes => // [|h]; first exact: tame2_left.
rewrite /g (episode_sub next discount learner_ok rho_ok shows N h tr (@tame_const A S O (regret beta M pistar h))).
by rewrite (episode_regret next beta learner_ok rho_ok shows) !(episode_const next beta learner_ok rho_ok shows); lra.
Qed.

End Sums.
