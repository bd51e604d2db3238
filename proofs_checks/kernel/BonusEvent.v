(* MB-UCBVI's model and its event (1.2 of the notes on sharper bounds), for any law of observations: with probability at least
   1 - S/K, whatever the learner and the number of episodes before, the printed bonus, with t_k, covers at every global state and
   arm the deviation of rhat + beta Qhat V* from r + beta Q V*. *)

From kernel Require Import Prelude Sums Enclosures Values Bandits Concentration Events Gittins Hull UcbviOptimism Episodes Laws.
From kernel Require Import LawOfRun Draws Truncation Frozen Radii Known.

(* ---------------------------------------------------------------- Several functions at once *)
Section OfAll.
Variables (C : finType) (O : Type) (mu : C -> law_on O) (K : nat) (tau : R).
Hypothesis big : 1 <= INR #|C| * INR K * tau.

Lemma one_radius_of_all (I : finType) (F : C -> I -> O -> R) (w : R) c l : (1 <= l)%nat -> 0 < w ->
  (forall c i o, 0 <= F c i o <= w) ->
  draws (mu c) l [::] (fun s => indicator [exists i, above (radius C K tau w l) (Rabs (total_of (F c i) s / INR l - mu c (F c i)))])
  <= INR #|I| / (INR #|C| * INR K * tau).
Proof.
move=> hl w0 range; rewrite (_ : _ / _ = INR #|I| * (1 / (INR #|C| * INR K * tau))); last by rewrite /Rdiv; ring.
by apply: E_some => i; exact: (one_radius_in mu big).
Qed.
End OfAll.

(* ---------------------------------------------------------------- The model *)
Section Bonus.
(* An activation shows o: what it pays, in [0, 1], and the next state of the arm. *)
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R).
Hypotheses (discount : is_discount beta) (pays_unit : forall o, 0 <= pays o <= 1).
Notation cell := (cell A S).
Notation history := (history A S O).
Let B := 1 / (1 - beta).
Variables (guess_reward : history -> cell -> R) (guess_row : history -> cell -> S -> R).
Hypotheses (guess_reward_ok : forall h c, 0 <= guess_reward h c <= 1) (guess_row_ok : forall h c, probability (guess_row h c)).
Variable K : nat.
Notation means := (means pays guess_reward).
Notation moves := (moves next guess_row).

(* b_{k-1}(c) = 1/(1-beta) sqrt(log(2 S n K t_k) / (2 max{1, N_{k-1}(c)})). *)
Definition printed_bonus (h : history) (c : cell) : R := 1 / (1 - beta) * reward_radius K h c.

(* M_k: the estimates, with the bonus added to rewards. *)
Definition ucbvi_model (h : history) : model A S :=
  bonus_model (fun a s => means h (a, s)) (fun a s => moves h (a, s)) (fun a s => printed_bonus h (a, s)).

(* ---------------------------------------------------------------- The event *)

Variable shows : A -> S -> law_on O.
Notation M := (bandit_of next pays shows).
Variables (gamma : A -> S -> R) (pistar : policy A S).
Hypothesis indices : forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s).
Hypothesis largest : plays_largest_index gamma pistar.

(* The S functions phi_a(., m_s) of each arm, and what an activation adds up with them. *)
Definition own_function (a : A) (s y : S) : R :=
  retirement_value beta (reward M a) (row M a) (breakpoint beta (gamma a) s) y.
Definition worth (c : cell) (s : S) (o : O) : R := pays o + beta * own_function c.1 s (next o).

(* E_k fails: at some visited cell some of the S empirical means is further from its mean than the bonus. *)
Definition E_fails (h : history) : bool := bad_now (fun T c l w =>
  [exists s, above (radius cell K (INR T + 1) B l) (Rabs (total_of (worth c s) w / INR l - mu shows c (worth c s)))]) h.

Let B1 : B = 1 + beta * B. Proof. by rewrite /B; field; case: discount; lra. Qed.
Let B_pos : 0 < B. Proof. by apply: Rdiv_lt_0_compat; case: discount; lra. Qed.
Let hM : markovian M. Proof. exact: bandit_markovian. Qed.
Let unit : unit_rewards M. Proof. exact: bandit_unit. Qed.

Lemma own_range a s y : 0 <= own_function a s y <= B.
Proof.
have b := breakpoint_range discount (hM a) (indices a) s (unit a).
by have [low high] := retirement_range discount (hM a) y (unit a) b; split=> //; exact: Rle_trans (proj1 b) low.
Qed.

Lemma worth_range c s o : 0 <= worth c s o <= B.
Proof.
case: (discount) => b0 _; have g := pays_unit o; have [w0 w1] := own_range c.1 s (next o); rewrite /worth B1.
by have := Rmult_le_compat_l _ _ _ b0 w1; have := Rmult_le_pos _ _ b0 w0; lra.
Qed.

(* P(not E_k) <= S/K.
   ledger: beyond:upper/event *)
Theorem event_E learner rho N J : (forall h, probability (learner h)) -> probability rho -> (1 <= K)%nat -> (1 <= #|cell|)%nat ->
  truncated next beta learner rho shows N J (fun h => indicator (E_fails h)) <= INR #|S| / INR K.
Proof.
move=> lok rok K1 C1; apply: (union_at_time_cut next discount lok rok) => [|T];
  first by apply: Rcomplements.Rdiv_le_0_compat; [exact: pos_INR | have := INR_ge1 K1; lra].
have LT : INR T <= INR T + 1 by lra.
have b := big_at_time T C1 K1; apply: Rle_trans (share b K1 LT (pos_INR #|S|)); rewrite -sum_const; apply: sum_le => c _.
rewrite (_ : INR T * _ = \sum_(l : 'I_T) (INR #|S| / (INR #|cell| * INR K * (INR T + 1)))); last by rewrite sum_const card_ord.
apply: sum_le => l _.
by apply: (one_radius_of_all (mu shows) b c (ltn0Sn l) B_pos) => d s o; exact: worth_range.
Qed.

(* What is estimated less what is true, of the value f of the next state. *)
Definition deviates (h : history) (c : cell) (f : S -> R) : R :=
  means h c - reward M c.1 c.2 + beta * (mean (moves h c) f - mean (row M c.1 c.2) f).

Lemma deviates_range h c f : (forall y, 0 <= f y <= B) -> Rabs (deviates h c f) <= B.
Proof.
move=> fB; case: (discount) => b0 b1.
have bound q u : probability q -> 0 <= u <= 1 -> 0 <= u + beta * mean q f <= B.
  move=> q_ok hu; have [m0 m1] := mean_range q_ok fB.
  by rewrite B1; have := Rmult_le_compat_l _ _ _ b0 m1; have := Rmult_le_pos _ _ b0 m0; lra.
have := bound _ _ (moves_ok next guess_row_ok h c) (means_range pays_unit guess_reward_ok h c).
by have := bound _ _ (hM c.1 c.2) (unit c.1 c.2); rewrite /deviates => *; apply: Rabs_le; lra.
Qed.

Lemma deviates_visited h c f : (0 < count_of c h)%nat -> deviates h c f =
  total_of (fun o => pays o + beta * f (next o)) (observed c (flat h)) / INR (count_of c h) -
    mu shows c (fun o => pays o + beta * f (next o)).
Proof.
move=> N1; have n1 := INR_ge1 N1; have N0 : count_of c h <> 0%nat by apply/eqP; rewrite -lt0n.
have bp : bounded pays by exact: pays_bounded.
have bn : bounded (fun o => f (next o)) by exact: bounded_next.
rewrite /deviates (mean_moves next guess_row f N0) bandit_shown (E_add (mu shows c) bp (bounded_scale beta bn)) (E_scale (mu shows c) beta bn).
rewrite (total_of_linear pays (fun o => f (next o))) /Known.means; case: eqP => // _.
by rewrite /mu /mean_paid [reward _ _ _]/=; field; lra.
Qed.

(* On E_k the bonus covers each of the S functions: by the event where the cell was visited, by its size where it was not. *)
Lemma covers_own h c s : (2 <= K)%nat -> (1 <= duration h)%nat -> (1 <= #|cell|)%nat -> ~~ E_fails h ->
  Rabs (deviates h c (own_function c.1 s)) <= printed_bonus h c.
Proof.
move=> K2 T1 C1 good; case: (count_of c h =P 0%nat) => [z|N0].
  apply: Rle_trans (deviates_range h c (fun y => own_range c.1 s y)) _.
  rewrite /printed_bonus /reward_radius /time_of -/B z -[X in X <= _]Rmult_1_r; apply: Rmult_le_compat_l; first by have := B_pos; lra.
  rewrite -[X in X <= _]sqrt_1; apply: sqrt_le_1_alt; rewrite Rmult_1_r.
  have k2 : 2 <= INR K by rewrite -[2]/(INR 2); apply: le_INR; exact/leP.
  have t1 := INR_ge1 T1; have c1 := INR_ge1 C1; have ck : 2 <= INR #|cell| * INR K by nra.
  have big : 8 <= 2 * (INR #|cell| * INR K * (INR (duration h) + 1)).
    by move: (INR #|cell| * INR K) ck => v ck; nra.
  have l8 : 2 <= ln 8 by enclose.
  have := Rcomplements.ln_le _ _ (ltac:(lra) : 0 < 8) big; lra.
have N1 : (1 <= count_of c h)%nat by rewrite lt0n; exact/eqP.
rewrite deviates_visited //; apply: Rnot_lt_le => far; case/negP: good; apply: (bad_of_count N1); apply/existsP; exists s; apply/aboveP.
move: far; congr (_ < _).
by rewrite /printed_bonus /reward_radius /time_of /radius /Lambda (maxn_idPr N1).
Qed.

(* So it covers the deviation at every global state and arm: 1.1 and 1.2. *)
Lemma covers h (x : state A S) a : (2 <= K)%nat -> (1 <= duration h)%nat -> (1 <= #|cell|)%nat -> ~~ E_fails h ->
  Rabs (deviates h (a, x a) (fun y => V beta M pistar (moved x a y))) <= printed_bonus h (a, x a).
Proof.
move=> K2 T1 C1 good.
exact: (deviation_of_hull discount hM indices largest (moves_ok next guess_row_ok h (a, x a))
  (fun s => covers_own (a, x a) s K2 T1 C1 good)).
Qed.
End Bonus.
