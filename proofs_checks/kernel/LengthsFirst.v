(* Lengths first: the law of K episodes is the mean, over K lengths that are drawn before all else, of the law with those
   lengths. So the union bound over counts holds for radii that depend on the time t_k. *)

From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Concentration.
From kernel Require Import History FrozenUses.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section LengthsFirst.
Variables (A S O : finType) (next : O -> S) (beta : R).
Hypothesis discount : is_discount beta.
Variables (learner : history A S O -> plays A S -> R) (rho : global A S -> R).
Hypotheses (learner_ok : forall h, probability (learner h)) (rho_ok : probability rho).
Variable shows : A -> S -> O -> R.
Hypothesis shows_ok : forall a s, probability (shows a s).
Notation cut N := (at_most_long beta N).
Notation mu := (mu shows).

(* Episodes of given lengths; and the mean over K lengths, none longer than N. *)
Fixpoint of_lengths (ns : seq nat) (h : history A S O) (F : history A S O -> R) : R :=
  if ns is n :: ns' then episode next learner rho shows (fun f => f n) h (fun h' => of_lengths ns' h' F) else F h.
Fixpoint over_lengths (N K : nat) (f : seq nat -> R) : R :=
  if K is K'.+1 then cut N (fun n => over_lengths N K' (fun ns => f (n :: ns))) else f [::].

Lemma mean_cut (X : finType) (q : X -> R) N f : mean q (fun y => cut N (f y)) = cut N (fun n => mean q (fun y => f y n)).
Proof. by rewrite /at_most_long mean_sum_to; apply: sum_to_ext => m _; rewrite mean_scale. Qed.

Lemma mean_lengths (X : finType) (q : X -> R) N K f :
  mean q (fun y => over_lengths N K (f y)) = over_lengths N K (fun ns => mean q (fun y => f y ns)).
Proof. by elim: K f => [|K IH] f //=; rewrite mean_cut; apply: cut_ext => n; rewrite IH. Qed.

Lemma steps_lengths pi n x e N K (f : seq (step A S O) -> seq nat -> R) :
  steps next shows pi n x e (fun e' => over_lengths N K (f e')) = over_lengths N K (fun ns => steps next shows pi n x e (fun e' => f e' ns)).
Proof. by elim: n x e => [|n IH] x e //=; rewrite (mean_ext _ (fun o => IH _ _)) mean_lengths. Qed.

(* step of: conc:pre-drawn/union *)
Theorem lengths_first N K h F :
  law next learner rho shows (cut N) K h F = over_lengths N K (fun ns => of_lengths ns h F).
Proof.
elim: K h => [|K IH] h //=; rewrite /episode -[RHS]/(over_lengths N K.+1 (fun ns => of_lengths ns h F)) /=.
transitivity (mean (learner h) (fun pi => cut N (fun n => over_lengths N K (fun ns =>
    mean rho (fun x => steps next shows pi n x [::] (fun e => of_lengths ns ((pi, x, e) :: h) F)))))).
  apply: mean_ext => pi; rewrite (mean_ext _ (g := fun x => cut N (fun n => over_lengths N K (fun ns =>
      steps next shows pi n x [::] (fun e => of_lengths ns ((pi, x, e) :: h) F))))).
    by rewrite mean_cut; apply: cut_ext => n; rewrite mean_lengths.
  by move=> x; apply: cut_ext => n; rewrite -steps_lengths; apply: steps_ext => e; exact: IH.
by rewrite mean_cut; apply: cut_ext => n; rewrite mean_lengths.
Qed.

Lemma over_lengths_at_most N K f p : 0 <= p -> (forall ns, f ns <= p) -> over_lengths N K f <= p.
Proof.
move=> p0; elim: K f => [|K IH] f fp /=; first exact: fp.
have [_ m1] := mass discount N; apply: Rle_trans (_ : _ <= cut N (fun _ => p)) _.
  by apply: at_most_long_le => // n; apply: IH => ns; exact: fp.
by rewrite at_most_long_const -[X in _ <= X]Rmult_1_l; apply: Rmult_le_compat_r.
Qed.

Lemma over_lengths_le N K f g : (forall ns, f ns <= g ns) -> over_lengths N K f <= over_lengths N K g.
Proof. by elim: K f g => [|K IH] f g fg /=; [exact: fg | apply: at_most_long_le => // n; apply: IH => ns; exact: fg]. Qed.

Lemma over_lengths_scale N K c f : over_lengths N K (fun ns => c * f ns) = c * over_lengths N K f.
Proof. by elim: K f => [|K IH] f //=; symmetry; apply: cut_scale => n; rewrite IH. Qed.

(* With given lengths the number of activations is known. *)
Lemma of_lengths_le ns h F G : (forall h', duration h' = (sumn ns + duration h)%nat -> F h' <= G h') ->
  of_lengths ns h F <= of_lengths ns h G.
Proof.
elim: ns h => [|n ns IH] h FG /=; first exact: FG.
apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
apply: steps_le_size => // e sz; apply: IH => h' ed; apply: FG; rewrite ed.
by rewrite /duration /flat /= size_cat size_map sz addn0 addnA (addnC n).
Qed.

Lemma of_lengths_falls (Phi : past (cell A S) O -> R) ns h :
  (forall c s, mean (mu c) (fun o => Phi ((c, o) :: s)) <= Phi s) -> of_lengths ns h (fun h' => Phi (flat h')) <= Phi (flat h).
Proof.
move=> falls; elim: ns h => [|n ns IH] h /=; first lra.
rewrite -[X in _ <= X](mean_of_const _ (learner_ok h)); apply: mean_le => [pi|pi]; first exact: (proj1 (learner_ok h)).
rewrite -[X in _ <= X](mean_of_const _ rho_ok); apply: mean_le => [x|x]; first exact: (proj1 rho_ok).
apply: Rle_trans (steps_fall next shows_ok falls pi n x [::] (flat h)).
by apply: steps_le => // e; exact: IH.
Qed.

(* Bad counts when T activations are over, for rules that may depend on T. *)
Definition bad_now (bad : nat -> cell A S -> nat -> seq O -> bool) (h : history A S O) : bool :=
  some_bad (duration h) (bad (duration h)) h.

End LengthsFirst.
