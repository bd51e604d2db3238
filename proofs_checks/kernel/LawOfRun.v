(* The law of the run of an episodic learner where an activation may show anything: the laws of observations are expectations
   of bounded functions (Laws.v), lengths are geometric. Supermartingales fall on it, and the first l observations of a cell are
   bad at most as often as l independent draws, whatever the learner. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Hoeffding Episodes Laws.

Section Run.
Variables (A S : finType) (O : Type) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Notation global := (global A S).
Notation plays := (plays A S).
Notation cell := (cell A S).
Notation step := (step A S O).
Definition history := seq (plays * global * seq step).
Variables (learner : history -> plays -> R) (rho : global -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).

(* Any function of what was seen may be the learner; the law of an observation is an expectation. *)
Section Law.
Variables (shows : A -> S -> law_on O) (over : (nat -> R) -> R).
Fixpoint steps (pi : plays) (n : nat) (x : global) (e : seq step) (F : seq step -> R) : R :=
  if n is n'.+1 then shows (pi x) (x (pi x)) (fun o => steps pi n' (moved x (pi x) (next o)) ((x, pi x, o) :: e) F) else F e.
Definition episode (h : history) (F : history -> R) : R :=
  mean (learner h) (fun pi => mean rho (fun x => over (fun n => steps pi n x [::] (fun e => F ((pi, x, e) :: h))))).
Fixpoint law (K : nat) (h : history) (F : history -> R) : R :=
  if K is K'.+1 then episode h (fun h' => law K' h' F) else F h.
End Law.

Variable shows : A -> S -> law_on O.
Notation steps1 := (steps shows).
Notation law1 := (law shows (any_length beta)).

Lemma steps_abs pi n x e F C : (forall e', size e' = (n + size e)%nat -> Rabs (F e') <= C) -> Rabs (steps1 pi n x e F) <= C.
Proof.
elim: n x e => [|n IH] x e FC /=; first exact: FC.
by apply: E_abs => o; apply: IH => e' sz; apply: FC; rewrite sz /= addnS.
Qed.

Lemma steps_le pi n x e F G C : (forall e', size e' = (n + size e)%nat -> [/\ Rabs (F e') <= C, Rabs (G e') <= C & F e' <= G e']) ->
  steps1 pi n x e F <= steps1 pi n x e G.
Proof.
elim: n x e => [|n IH] x e FG /=; first by case: (FG e).
have FG' p e' : size e' = (n + size (p :: e))%nat -> [/\ Rabs (F e') <= C, Rabs (G e') <= C & F e' <= G e'].
  by move=> sz; apply: FG; rewrite sz /= addnS.
apply: E_le => [||o]; [apply: (@by_abs _ C) => o | apply: (@by_abs _ C) => o | exact: (IH _ _ (FG' _))];
  by apply: steps_abs => e' /FG' [].
Qed.

Lemma any_length_le f g C : (forall n, Rabs (f n) <= C) -> (forall n, Rabs (g n) <= C) -> (forall n, f n <= g n) ->
  any_length beta f <= any_length beta g.
Proof.
move=> fC gC fg; have exf := any_length_exists discount fC; have exg := any_length_exists discount gC.
suff : 0 <= any_length beta g - any_length beta f by lra.
rewrite /any_length /any_length -Series_minus // -[X in X <= _](is_series_unique _ _ is_series_0); apply: Series_le.
  by move=> n; split; [lra | rewrite -Rmult_minus_distr_l; apply: Rmult_le_pos; [exact: chance_nonneg | have := fg n.+1; lra]].
exact: ex_series_minus.
Qed.

Lemma any_length_const c : any_length beta (fun _ => c) = c.
Proof.
rewrite /any_length /any_length; apply: is_series_unique; rewrite -[X in is_series _ X](Rmult_1_l c).
by apply: is_series_scal_r; exact: chance_series.
Qed.

Lemma episode_le h F G C : 0 <= C -> (forall h', [/\ Rabs (F h') <= C, Rabs (G h') <= C & F h' <= G h']) ->
  episode shows (any_length beta) h F <= episode shows (any_length beta) h G.
Proof.
move=> C0 FG; apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
by apply: (@any_length_le _ _ C) => n; [apply: steps_abs => e _ | apply: steps_abs => e _ | apply: (@steps_le _ _ _ _ _ _ C) => e _]; case: (FG ((pi, x, e) :: h)).
Qed.

Lemma law_abs K h F C : 0 <= C -> (forall h, Rabs (F h) <= C) -> Rabs (law1 K h F) <= C.
Proof.
move=> C0 FC; elim: K h => [|K IH] h //=; apply: mean_abs1 => // pi; apply: mean_abs1 => // x.
by apply: (any_length_abs discount) => n; apply: steps_abs => e _; exact: IH.
Qed.

Lemma law_le K h F G C : 0 <= C -> (forall h, [/\ Rabs (F h) <= C, Rabs (G h) <= C & F h <= G h]) -> law1 K h F <= law1 K h G.
Proof.
move=> C0 FG; elim: K h => [|K IH] h /=; first by case: (FG h).
by apply: (@episode_le _ _ _ C) => // h'; split; [apply: law_abs => // k; case: (FG k) | apply: law_abs => // k; case: (FG k) | exact: IH].
Qed.

(* ---------------------------------------------------------------- Supermartingales and the union bound *)
Definition seen (p : step) : cell * O := let: (x, a, o) := p in ((a, x a), o).
Definition flat (h : history) : seq (cell * O) := flatten [seq [seq seen p | p <- r.2] | r <- h].
Definition mu (c : cell) : law_on O := shows c.1 c.2.

Lemma law_falls (Phi : seq (cell * O) -> R) C K h : (forall s, 0 <= Phi s <= C) ->
  (forall c s, mu c (fun o => Phi ((c, o) :: s)) <= Phi s) -> law1 K h (fun h' => Phi (flat h')) <= Phi (flat h).
Proof.
move=> range falls; have bnd s : Rabs (Phi s) <= C by rewrite Rabs_pos_eq; case: (range s).
have C0 : 0 <= C by have := range [::]; lra.
have down pi n x e s : steps1 pi n x e (fun e' => Phi ([seq seen p | p <- e'] ++ s)) <= Phi ([seq seen p | p <- e] ++ s).
  elim: n x e => [|n IH] x e /=; first lra.
  apply: Rle_trans (falls (pi x, x (pi x)) _); apply: E_le => [||o]; [| |exact: IH].
    by apply: (@by_abs _ C) => o; apply: steps_abs => e' _.
  by apply: (@by_abs _ C) => o.
elim: K h => [|K IH] h; first by rewrite /=; lra.
rewrite [law1 _ _ _]/=; apply: Rle_trans (_ : _ <= episode shows (any_length beta) h (fun h' => Phi (flat h'))) _.
  by apply: (@episode_le _ _ _ C) => // h'; split; [apply: law_abs => // k; exact: bnd | exact: bnd | exact: IH].
rewrite -[X in _ <= X](mean_of_const _ (learner_ok h)); apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
rewrite -[X in _ <= X](mean_of_const _ rho_ok); apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
rewrite -[X in _ <= X]any_length_const; apply: (@any_length_le _ _ C) => // n; last exact: (down pi n x [::]).
by apply: steps_abs => e _; exact: bnd.
Qed.

Definition observed (c : cell) (s : seq (cell * O)) : seq O := [seq p.2 | p <- s & p.1 == c].
Definition first_are (c : cell) (l : nat) (bad : seq O -> bool) (s : seq (cell * O)) : bool :=
  (l <= size (observed c s))%nat && bad (drop (size (observed c s) - l) (observed c s)).
Definition outlook (c : cell) (l : nat) (bad : seq O -> bool) (s : seq (cell * O)) : R :=
  if (l <= size (observed c s))%nat then indicator (first_are c l bad s)
  else draws (mu c) (l - size (observed c s)) (observed c s) (fun r => indicator (bad r)).

Lemma indicator01 b : 0 <= indicator b <= 1. Proof. by rewrite /indicator; case: b; lra. Qed.
Lemma draws01 c l s bad : 0 <= draws (mu c) l s (fun r => indicator (bad r)) <= 1.
Proof.
have one r : Rabs (indicator (bad r)) <= 1 by rewrite Rabs_pos_eq; case: (indicator01 (bad r)).
split; last by have := @draws_abs _ (mu c) l s (fun r => indicator (bad r)) 1 (fun r _ => one r); split_Rabs; lra.
elim: l s => [|l IH] s /=; first by case: (indicator01 (bad s)).
rewrite -(E_const (mu c) 0); apply: E_le => [||o]; [exact: by_const | | exact: IH].
by apply: (@by_abs _ 1) => o; apply: draws_abs => r _.
Qed.
Lemma outlook01 c l bad s : 0 <= outlook c l bad s <= 1.
Proof. by rewrite /outlook; case: leqP => _; [exact: indicator01 | exact: draws01]. Qed.

Lemma outlook_falls c l bad d s : mu d (fun o => outlook c l bad ((d, o) :: s)) <= outlook c l bad s.
Proof.
case: (d =P c) => [->|/eqP dc]; last first.
  rewrite (E_ext _ (g := fun _ => outlook c l bad s)); first by rewrite E_const; lra.
  by move=> o; rewrite /outlook /first_are /observed /= (negbTE dc).
have obs o : observed c ((c, o) :: s) = o :: observed c s by rewrite /observed /= eqxx.
rewrite {2}/outlook; case: (leqP l (size (observed c s))) => ls.
  rewrite (E_ext _ (g := fun _ => indicator (first_are c l bad s))); first by rewrite E_const; lra.
  by move=> o; rewrite /outlook /first_are obs /= (leqW ls) ls subSn.
have e : (l - size (observed c s) = (l - (size (observed c s)).+1).+1)%nat by rewrite -subSn ?subSS.
rewrite e /=; apply: Req_le; apply: E_ext => o; rewrite /outlook obs /=; case: leqP => ls' //.
have el : l = (size (observed c s)).+1 by apply/eqP; rewrite eqn_leq ls' ls.
by rewrite /first_are obs /= el ltnSn subnn drop0.
Qed.

(* The chance that the first l observations of a cell are bad is at most that of l independent draws: whatever the learner,
   the number of episodes and their geometric lengths. With one_radius below it gives each event of Lemma concentration. *)
Theorem first_are_bad K c l bad :
  law1 K [::] (fun h => indicator (first_are c l bad (flat h))) <= draws (mu c) l [::] (fun r => indicator (bad r)).
Proof.
have le := @law_falls (outlook c l bad) 1 K [::] (outlook01 c l bad) (outlook_falls c l bad).
have start : outlook c l bad (flat [::]) = draws (mu c) l [::] (fun r => indicator (bad r)).
  by rewrite /outlook /first_are /observed /= subn0; case: (l).
rewrite start in le; apply: Rle_trans (_ : _ <= law1 K [::] (fun h => outlook c l bad (flat h))) _.
  apply: (@law_le _ _ _ _ 1) => [|h]; first lra.
  have i1 := indicator01 (first_are c l bad (flat h)); have o1 := outlook01 c l bad (flat h).
  split; [by rewrite Rabs_pos_eq; lra | by rewrite Rabs_pos_eq; lra |].
  by rewrite /outlook /first_are; case: leqP => _ /=; [lra | case: (draws01 c (l - size (observed c (flat h))) (observed c (flat h)) bad)].
exact: le.
Qed.
End Run.
