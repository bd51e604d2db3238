(* The law of total variance of an index policy, averaged over the prevailing variable: along the play. *)

From kernel Require Import Limits Sums Values Bandits Retirement Variance Horizon Curves OtherArms VarianceStep Episodes.

Section Along.
Variables (A S : finType) (beta : R) (M : model A S).
Variables (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R) (position : A -> S -> nat).
Hypotheses (discount : is_discount beta) (hM : markovian M) (unit : unit_rewards M).
Hypotheses (phi_ok : curves G m phi) (grid_0 : 0 <= m 0%nat) (grid_B : m G <= 1 / (1 - beta)).
Hypothesis retires : retires_from G m phi position.
Implicit Types (x : state A S).
Notation B := (1 / (1 - beta)).

(* A policy that plays an arm of largest index in every state. *)
Variable pi : policy A S.
Hypothesis largest : forall x, of_largest_index position x (pi x).
Notation play := (fun x : state A S => P M (pi x) x).
Notation along f := (discounted play beta f).

Definition variance_played x : R := mean_variance M G m phi (pi x) x.
Definition error_played x : R := variance_error beta M G m phi (pi x) (position (pi x) (x (pi x))) x.

(* What the mean variances add up to, discounted, is at most B times the value of the policy, less the potential, and what the
   errors add up to. *)
Lemma total_variance_value x :
  beta * along variance_played x <= B * V beta M pi x - potential G m phi x + along error_played x.
Proof.
have sub := sub_policy (P_sub hM) pi.
have scaled y : along (fun x => beta * variance_played x) y = beta * along variance_played y.
  apply: (discounted_unique sub discount (V := fun y => beta * along variance_played y)) => z.
  by rewrite {1}(bellman variance_played sub discount) mean_scale Rmult_plus_distr_l.
rewrite -scaled; pose Err := along error_played.
apply: (discounted_at_most sub discount (W := fun x => B * V beta M pi x - potential G m phi x + Err x)) => {}x.
have eE : Err x = error_played x + beta * mean (P M (pi x) x) Err by exact: (bellman error_played sub discount).
rewrite mean_add mean_sub mean_scale eE (V_bellman discount hM pi) -(mean_P M (pi x) x (V beta M pi)) -/(mean (P M (pi x) x) Err).
have step := variance_step_index discount hM unit phi_ok grid_0 grid_B retires (largest x).
rewrite -(mean_P M (pi x) x (potential G m phi)) -/(variance_played x) -/(error_played x) in step.
by move: step; set E1 := mean _ Err; set E2 := mean _ (potential _ _ _); set E3 := mean _ (V beta M pi); lra.
Qed.

(* ledger: beyond:total-variance/step *)
Theorem total_variance x : beta * along variance_played x <= B ^ 2 + along error_played x.
Proof.
have [b0 b1] := discount; have B0 : 0 < B by apply: Rdiv_lt_0_compat; lra.
have p0 : 0 <= potential G m phi x by apply: sum_nonneg => b _; apply: (prevailing_nonneg phi_ok) => j _; exact: pow2_ge_0.
have := total_variance_value x; have [_ v1] := V_range discount hM pi unit x.
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ B0) v1; lra.
Qed.

End Along.
