(* The law of the run of an episodic learner where an activation may show anything: the laws of observations are expectations
   of bounded functions (Laws.v), lengths are geometric. *)

From kernel Require Import Limits Sums Values Bandits Horizon Concentration Hoeffding Episodes Laws.

Section Run.
Variables (A S : finType) (O : Type) (next : O -> S).
Notation global := (global A S).
Notation plays := (plays A S).
Notation cell := (cell A S).
Notation step := (step A S O).
Definition history := seq (plays * global * seq step).
Variables (learner : history -> plays -> R) (rho : global -> R).

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

Lemma steps_abs pi n x e F C : (forall e', size e' = (n + size e)%nat -> Rabs (F e') <= C) -> Rabs (steps shows pi n x e F) <= C.
Proof.
elim: n x e => [|n IH] x e FC /=; first exact: FC.
by apply: E_abs => o; apply: IH => e' sz; apply: FC; rewrite sz /= addnS.
Qed.

(* ---------------------------------------------------------------- Supermartingales and the union bound *)
Definition seen (p : step) : cell * O := let: (x, a, o) := p in ((a, x a), o).
Definition flat (h : history) : seq (cell * O) := flatten [seq [seq seen p | p <- r.2] | r <- h].
Definition mu (c : cell) : law_on O := shows c.1 c.2.

Definition observed (c : cell) (s : seq (cell * O)) : seq O := [seq p.2 | p <- s & p.1 == c].
Definition first_are (c : cell) (l : nat) (bad : seq O -> bool) (s : seq (cell * O)) : bool :=
  (l <= size (observed c s))%nat && bad (drop (size (observed c s) - l) (observed c s)).
Definition outlook (c : cell) (l : nat) (bad : seq O -> bool) (s : seq (cell * O)) : R :=
  if (l <= size (observed c s))%nat then indicator (first_are c l bad s)
  else draws (mu c) (l - size (observed c s)) (observed c s) (fun r => indicator (bad r)).

Lemma draws01 c l s bad : 0 <= draws (mu c) l s (fun r => indicator (bad r)) <= 1.
Proof. by elim: l s => [|l IH] s; [exact: indicator01 | apply: (E_range (mu c)) => o; exact: IH]. Qed.
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
End Run.
