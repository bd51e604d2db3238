(* Theorem 1 for MB-PSRL from probability measures alone: the laws, the prior and the posterior exist, and each is the integral
   on bounded measurable functions. *)

From kernel Require Import Measures Sums Values Bandits Concentration Events PrintedForm Episodes Laws LawOfRun Integrals.
From kernel Require Import Truncation Frozen Radii MbPsrl Conditional Densities Fubini Measurable MeasurablePosterior.

Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope R_scope.

Section Whole.
Variables (A S : finType).
Context dT (Theta : measurableType dT) dO (O : measurableType dO).
Notation history := (history A S O).
Variables (next : O -> S) (pays : O -> RR) (beta : R) (rho : global A S -> R) (K : nat).
Variables (P : {measure set Theta -> \bar RR}) (mu : A -> S -> {measure set O -> \bar RR}).
Variables (density : Theta -> A -> S -> O -> R) (D : R) (best : Theta -> plays A S).
Hypotheses (P1 : P setT = 1%E) (mu1 : forall a s, mu a s setT = 1%E).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (K2 : (2 <= K)%N) (A1 : (1 <= #|A|)%N) (S1 : (1 <= #|S|)%N).
Hypotheses (D1 : 1 <= D) (density_ok : forall t a s o, 0 <= density t a s o <= D).
Hypotheses (next_m : forall v, mfun (fun o : O => indicator (next o == v) : RR)) (pays_m : mfun pays).
Hypothesis density_m : forall a s, mfun (fun z : two Theta O => density z.1 a s z.2 : RR).
Hypothesis best_m : forall pi, mfun (fun t => indicator (best t == pi) : RR).
Notation int m f := (@integral _ _ m f).
(* A density has mass 1. *)
Hypothesis density_one : forall t a s, int (mu a s) (fun o => density t a s o : RR) = 1.

Lemma density_nice t a s (f : O -> RR) : nice f -> @nice _ O RR (fun o => density t a s o * f o).
Proof.
move=> [mf [C fC]]; have md : mfun (fun o => density t a s o : RR) by exact: (measurable_fun_prod1 t (density_m a s)).
apply: (@nice_of _ O _ (D * C) (mfun_mult md mf)) => o; have d := density_ok t a s o; have /RleP c := fC o.
by apply: abs_mult c; rewrite Rabs_pos_eq; case: d.
Qed.

Theorem mb_psrl_measures : exists (prior : law_on Theta) (shows : Theta -> A -> S -> law_on O) (post : history -> law_on Theta),
  [/\ forall f : Theta -> RR, mfun f -> Laws.bounded f -> prior f = int P f,
      forall t a s (f : O -> RR), mfun f -> Laws.bounded f -> shows t a s f = int (mu a s) (fun o => density t a s o * f o : RR),
      forall h (f : Theta -> RR), mfun f -> Laws.bounded f ->
        int P (fun t => likelihood density t h * f t : RR) = int P (fun t => likelihood density t h : RR) * post h f
    & prior (fun t => expected_regret next beta (psrl best post) rho (shows t) (bandit_of next pays (shows t)) (best t) K) <=
        5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta].
Proof.
have [prior hp] := genuine P1; have prior_P : extends P prior by [].
have [base0 hb0] := fin_all_exists (fun a => fin_all_exists (fun s => genuine (mu1 a s))).
have base_mu a s : extends (mu a s) (base0 a s) by split; [exact: mu1 | exact: hb0].
have bd t a s : Laws.bounded (density t a s) by exists D => o; rewrite Rabs_pos_eq; case: (density_ok t a s o).
have nd t a s : @nice _ O RR (density t a s).
  by apply: (@nice_of _ O _ D (measurable_fun_prod1 t (density_m a s))) => o; rewrite Rabs_pos_eq; case: (density_ok t a s o).
have one t a s : base0 a s (density t a s) = 1 by rewrite (proj2 (base_mu a s) _ (nd t a s)) density_one.
have pos t a s : 0 < base0 a s (density t a s) by rewrite one; lra.
pose shows t a s := tilted (bd t a s) (fun o => proj1 (density_ok t a s o)) (pos t a s).
have has t a s f : Laws.bounded f -> shows t a s f = base0 a s (fun o => density t a s o * f o).
  by move=> _; rewrite /shows /= one; field.
exists prior, shows, (posterior prior density_ok); split=> //.
- by move=> f mf [C fC]; exact: hp (nice_of mf fC).
- move=> t a s f mf bf; have [C fC] := bf.
  by rewrite has //; exact: (proj2 (base_mu a s) _ (density_nice t a s (nice_of mf fC))).
- move=> h f mf bf; have [C fC] := bf.
  have jl : mfun (fun t => likelihood density t h : RR) by exact: (jointly_section h (likelihood_jointly density_m)).
  have lC t : Rabs (likelihood density t h) <= D ^ duration h by rewrite Rabs_pos_eq; case: (likelihood_range density_ok t h).
  have nl : @nice _ Theta RR (fun t => likelihood density t h) by exact: (@nice_of _ Theta _ _ jl lC).
  have nlf : @nice _ Theta RR (fun t => likelihood density t h * f t).
    by apply: (@nice_of _ Theta _ (D ^ duration h * C) (mfun_mult jl mf)) => t; exact: abs_mult.
  rewrite -(hp _ nl) -(hp _ nlf).
  exact: (bayes_law_ok prior (likelihood_bounded density_ok h) (fun t => proj1 (likelihood_range density_ok t h)) bf).
- exact: (@mb_psrl_posterior A S dT Theta dO O next next_m P mu prior base0 prior_P base_mu density D D1 density_ok density_m shows has
    pays K pays_m pays_unit beta rho best discount rho_ok best_m K2 A1 S1).
Qed.
End Whole.
