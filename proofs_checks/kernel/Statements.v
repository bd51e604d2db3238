(* The headlines, each with all its definitions in this one file: Theorem 1 for the three algorithms, Theorem 2 where it is
   true and where it fails, Theorem 3, Gittins' theorem, and the sharper bounds A, B and C. Nothing new is proved here: every
   statement is that of the file and theorem named above it, and what is defined here is what is defined there, as the proofs
   check. Those files show too that the hypotheses can be met: such posteriors (posterior_exists, for finitely many observations;
   mb_psrl_continuous, for Lebesgue measure; undominated, where an activation tells the bandit; mb_psrl_dirichlet with dirichlet_exists, for
   Beta and Dirichlet priors), learners (ucrl2_exists, sharper_is_of_something, index_policy_follows, always_ok), best policies
   (best_policies_exist) and a uniform law on [0, 1] (uniform_exists). No entry of the ledger rests on this file.

   For a reader who knows measure theory and no Rocq. A law on a set O is its expectation E, a functional on the bounded functions
   O -> R that is linear, monotone, and right on constants (is_expectation). It need not be countably additive and no function
   need be measurable, so a theorem for all such E is one for all probability measures: the integral of the bounded measurable
   functions extends to such an E (Hahn and Banach). A finite law, of chances q, is the E of `average q`. An activation of arm a
   in state s shows an observation o of law shows(a, s); its reward pays(o) in [0, 1] and the next state next(o) are read off it.
   A posterior is a kernel from histories to laws such that, when policies, initial states and lengths are fixed beforehand, the
   bandit and a fresh draw from the posterior have one joint law with the history, on a class of functions (is_posterior): there
   may be none for all bounded functions, where prior and rewards are continuous; for the jointly measurable ones any regular
   conditional law is one (not proved here).

   How to read it. `forall` and `->` are hypotheses, one after the other; `/\` is "and", `~` "not". A finType is a finite set,
   #|A| the number of its elements, INR makes a number a real number, m.+1 is m + 1; {ffun X -> Y} are the functions between
   finite sets; seq T are the finite lists, [::] the empty one, p :: l the list l with p before it, [seq f x | x <- l & p x] the
   f x for the x of l with p x; \sum_(x : X), \sum_(x <- l) and \sum_(k < K) are finite sums, Series is the sum of a series,
   real (Lim_seq u) the limit of a sequence, is_lub a supremum. A Fixpoint is defined by recursion on a number or a list. *)

From kernel Require Import Limits.
From mathcomp.classical Require classical_sets.
From mathcomp Require Import reals ereal measure lebesgue_measure lebesgue_integral Rstruct.
From kernel Require MeasurablePosterior Theorem1.
From kernel Require Import Sums Values Bandits Gittins Theorem3 Maximiser Episodes Levels MbUcbvi Sharper PrintedForm.
From kernel Require Import UcbviPrinted Learners Priors LowerC LowerB LowerBound ExactVariance MinimaxLearner.

Definition is_law (X : finType) (q : X -> R) := (forall x, 0 <= q x) /\ \sum_(x : X) q x = 1.
Definition average (X : finType) (q f : X -> R) : R := \sum_(x : X) q x * f x.
Definition variance_of (X : finType) (q f : X -> R) : R := average q (fun y => f y ^ 2) - average q f ^ 2.
Definition is_one (b : bool) : R := if b then 1 else 0.

(* A law on any set, as the expectation of its bounded functions. *)
Section Laws.
Variable O : Type.
Definition is_bounded (f : O -> R) := exists C, forall o, Rabs (f o) <= C.
Definition is_expectation (E : (O -> R) -> R) :=
  [/\ forall c, E (fun _ => c) = c,
      forall f g, is_bounded f -> is_bounded g -> E (fun o => f o + g o) = E f + E g,
      forall c f, is_bounded f -> E (fun o => c * f o) = c * E f
    & forall f g, is_bounded f -> is_bounded g -> (forall o, f o <= g o) -> E f <= E g].
Definition as_law E (ok : is_expectation E) : Laws.law_on O := Laws.LawOn (let: And4 e _ _ _ := ok in e)
  (let: And4 _ e _ _ := ok in e) (let: And4 _ _ e _ := ok in e) (let: And4 _ _ _ e := ok in e).
Lemma laws_are (q : Laws.law_on O) : is_expectation (Laws.E q).
Proof. by split; [exact: Laws.E_const | exact: Laws.E_add | exact: Laws.E_scale | exact: Laws.E_le]. Qed.
End Laws.
Definition of_chances (A S : Type) (O : finType) (w : A -> S -> O -> R) (a : A) (s : S) : (O -> R) -> R := average (w a s).

(* ---------------------------------------------------------------- Section 2: a Markovian bandit *)
Section Bandits.
Variables (A S : finType).   (* the n arms, and the S states of each *)
Definition global_state := [finType of {ffun A -> S}].   (* one state for each arm *)
Definition choice_rule := global_state -> A.   (* a stationary policy: in each global state, the arm that is played *)
(* A bandit: r(a, s) is the mean reward of arm a in state s, q(a, s) the law of its next state. Arm a moves, others rest. *)
Variables (beta : R) (r : A -> S -> R) (q : A -> S -> S -> R).
Definition moves_to (a : A) (x y : global_state) : R :=
  if [forall b, (b != a) ==> (x b == y b)] then q a (x a) (y a) else 0.
(* The mean reward of step t from x, t counted from 0; and the value V^pi(x), of discount beta. *)
Definition reward_of_step (pi : choice_rule) := fix mean_reward (t : nat) (x : global_state) : R :=
  if t is t'.+1 then average (moves_to (pi x) x) (mean_reward t') else r (pi x) (x (pi x)).
Definition policy_value (pi : choice_rule) (x : global_state) : R := Series (fun t => beta ^ t * reward_of_step pi t x).
Definition is_best (pi : choice_rule) := forall (pi' : choice_rule) x, policy_value pi' x <= policy_value pi x.
(* Given estimates and radii for each arm, a bandit is plausible if it is within all of them. *)
Definition is_plausible (r_hat : A -> S -> R) (q_hat : A -> S -> S -> R) (r_rad q_rad : A -> S -> R) :=
  (forall a s, is_law (q a s)) /\ forall a s,
  Rabs (r a s - r_hat a s) <= r_rad a s /\ \sum_(y : S) Rabs (q a s y - q_hat a s y) <= q_rad a s.
End Bandits.

(* ---------------------------------------------------------------- What is seen, and the regret *)
Section Runs.
Variables (A S : finType) (O : Type).   (* O: what one activation can show, of any kind *)
Variables (next : O -> S) (pays : O -> R) (beta : R).   (* the next state and the reward can be read off it *)
Notation G := (global_state A S).
Notation laws := (A -> S -> (O -> R) -> R).
(* shows(a, s), the law of what is shown when arm a is played in state s, is all there is to know of a bandit. *)
Definition mean_pay (shows : laws) (a : A) (s : S) : R := shows a s pays.
Definition move_law (shows : laws) (a : A) (s y : S) : R := shows a s (fun o => is_one (next o == y)).
Notation worth shows := (policy_value beta (mean_pay shows) (move_law shows)).
Definition best_for (shows : laws) (pi : choice_rule A S) := is_best beta (mean_pay shows) (move_law shows) pi.
(* O_k, the latest episode first: policy, initial state, and steps (state, arm, what was shown), the latest first. *)
Definition policies := [finType of {ffun G -> A}].
Definition seen_step := (G * A * O)%type.
Definition past_of_run := seq (policies * G * seq seen_step)%type.

Section Law.
Variables (learner : past_of_run -> policies -> R) (rho : G -> R) (shows : laws).
(* The mean of F over n steps of pi from x; over the geometric length of an episode; over K episodes. *)
Definition goes_to (x : G) (a : A) (y : S) : G := [ffun b => if b == a then y else x b].
Fixpoint over_steps (pi : policies) (n : nat) (x : G) (e : seq seen_step) (F : seq seen_step -> R) : R :=
  if n is n'.+1 then shows (pi x) (x (pi x)) (fun o => over_steps pi n' (goes_to x (pi x) (next o)) ((x, pi x, o) :: e) F)
  else F e.
Definition over_length (f : nat -> R) : R := Series (fun m => (1 - beta) * beta ^ m * f m.+1).   (* P(H = m+1) = (1-beta) beta^m *)
Definition over_episode (h : past_of_run) (F : past_of_run -> R) : R := average (learner h) (fun pi => average rho (fun x =>
  over_length (fun n => over_steps pi n x [::] (fun e => F ((pi, x, e) :: h))))).
Fixpoint over_run (K : nat) (h : past_of_run) (F : past_of_run -> R) : R :=
  if K is K'.+1 then over_episode h (fun h' => over_run K' h' F) else F h.
(* E[Reg(K)]: in each episode, from its initial state, what the policy is worth less than the best, pistar. *)
Definition mean_regret (pistar : choice_rule A S) (K : nat) : R :=
  over_run K [::] (fun h => \sum_(episode <- h) let: (pi, x, _) := episode in worth shows pistar x - worth shows (fun y => pi y) x).
(* Episodes of given policies, initial states and lengths, the first first. *)
Fixpoint over_design (ds : seq (policies * G * nat)) (h : past_of_run) (F : past_of_run -> R) : R :=
  if ds is (pi, x, n) :: ds' then over_steps pi n x [::] (fun e => over_design ds' ((pi, x, e) :: h) F) else F h.
End Law.

(* What was shown in each cell (a, s); estimates, any guess being allowed where a cell was never activated; t_k; radii. *)
Section Estimates.
Variables (guess_r : past_of_run -> A * S -> R) (guess_q : past_of_run -> A * S -> S -> R) (K : nat) (h : past_of_run).
Definition in_its_cell (p : seen_step) : A * S * O := let: (x, a, o) := p in ((a, x a), o).
Definition all_shown : seq (A * S * O) := flatten [seq [seq in_its_cell p | p <- episode.2] | episode <- h].
Definition shown_in (c : A * S) : seq O := [seq p.2 | p <- all_shown & p.1 == c].
Definition activated (c : A * S) : nat := size (shown_in c).
Definition r_hat (a : A) (s : S) : R :=
  if activated (a, s) == 0%nat then guess_r h (a, s) else (\sum_(o <- shown_in (a, s)) pays o) / INR (activated (a, s)).
Definition q_hat (a : A) (s y : S) : R := if activated (a, s) == 0%nat then guess_q h (a, s) y
  else INR (count (fun o => next o == y) (shown_in (a, s))) / INR (activated (a, s)).
Definition t_k : R := INR (size all_shown) + 1.
Notation Sn := (INR #|prod_finType A S|).
Definition r_radius (l : nat) : R := sqrt (ln (2 * (Sn * INR K * t_k)) / (2 * INR l)).   (* for l activations *)
Definition q_radius (l : nat) : R := sqrt (2 * ln (Sn * INR K * t_k * 2 ^ #|S|) / INR l).
Definition times (a : A) (s : S) : nat := maxn 1 (activated (a, s)).
(* M_k, the plausible bandits; and the policies that are best in it from rho, or within eps of that: MB-UCRL2 plays one. *)
Definition in_M_k (r : A -> S -> R) (q : A -> S -> S -> R) :=
  (forall a s, 0 <= r a s <= 1) /\ is_plausible r q r_hat q_hat (fun a s => r_radius (times a s)) (fun a s => q_radius (times a s)).
Definition best_in_M_k (rho : G -> R) (eps : R) (pi : policies) := exists s,
  is_lub (fun v => exists r q, in_M_k r q /\ v = average rho (policy_value beta r q (fun x => pi x))) s /\
  forall r q (pi' : choice_rule A S), in_M_k r q -> average rho (policy_value beta r q pi') <= s + eps.
(* MB-UCBVI plays a policy that is best for the estimates with the bonus added to rewards. *)
Definition with_bonus (a : A) (s : S) : R := r_hat a s + 1 / (1 - beta) * r_radius (times a s).
Definition best_with_bonus (pi : policies) := is_best beta with_bonus q_hat (fun x => pi x).
(* The minimax learner. Levels m_j = B j/G, j <= G; phi(a, j, s), what arm a is at most worth in state s if one may retire with m_j,
   is for each a, s the largest convex function of the level below the larger of m_j and of going on, with a bonus, capped at B. The
   policy plays an arm of largest index, the least level that phi equals. *)
Variable G : nat.
Notation level j := (1 / (1 - beta) / INR G * INR j).
Definition visits (a : A) (s : S) : R := INR (times a s).
Definition l_k : R := ln (5 * Sn * (INR G + 1) * INR K * t_k).
Definition bonus (a : A) (s : S) (v : S -> R) : R :=
  Rmax (9/5 * sqrt (variance_of (q_hat a s) v) * sqrt (l_k / visits a s)) (16 * (1 / (1 - beta)) * (l_k / visits a s)).
Definition worth_at_most (phi : A -> nat -> S -> R) (a : A) (s : S) (j : nat) : R := Rmax (level j) (Rmin (1 / (1 - beta))
  (r_hat a s + sqrt (l_k / (2 * visits a s)) + beta * (average (q_hat a s) (phi a j) + bonus a s (phi a j)))).
Definition convex_below (f g : nat -> R) :=
  (forall j, (j.+2 <= G)%nat -> 2 * f j.+1 <= f j + f j.+2) /\ forall j, (j <= G)%nat -> f j <= g j.
Definition plays_largest_level (pi : policies) := exists (phi : A -> nat -> S -> R) (index : A -> S -> nat),
  (forall a s, convex_below (fun j => phi a j s) (worth_at_most phi a s) /\
     forall f, convex_below f (worth_at_most phi a s) -> forall j, (j <= G)%nat -> f j <= phi a j s) /\
  (forall a s, (index a s <= G)%nat /\ phi a (index a s) s = level (index a s) /\
     forall j, (j < index a s)%nat -> phi a j s <> level j) /\
  forall (x : global_state A S) b, (index b (x b) <= index (pi x) (x (pi x)))%nat.
End Estimates.
(* MB-PSRL: the policy that is best for a bandit drawn from the posterior, the conditional law of the bandit whatever policies,
   initial states and lengths are given: for the bounded functions of both that are in a class. *)
Section Psrl.
Variables (Theta : Type) (shows : Theta -> laws) (prior : (Theta -> R) -> R) (in_class : (past_of_run -> Theta -> R) -> Prop).
Definition is_posterior (post : past_of_run -> (Theta -> R) -> R) := (forall h, is_expectation (post h)) /\
  forall ds (g : past_of_run -> Theta -> R), in_class g -> (exists C, forall h t, Rabs (g h t) <= C) ->
  prior (fun t => over_design (shows t) ds [::] (fun h => g h t)) = prior (fun t => over_design (shows t) ds [::] (fun h => post h (g h))).
Definition plays_drawn (best : Theta -> policies) (post : past_of_run -> (Theta -> R) -> R) (h : past_of_run) (pi : policies) : R :=
  post h (fun t => is_one (best t == pi)).
(* Whether, for some cell and l, the first l that it showed are farther from bandit t than its radii (Rlt_dec x y: x < y). *)
Definition has_strayed (K : nat) (h : past_of_run) (t : Theta) : bool :=
  [exists c : A * S, [exists l : 'I_(size (all_shown h)), (l < activated h c)%nat &&
    let first_l := drop (activated h c - l.+1) (shown_in h c) in
    Rlt_dec (r_radius K h l.+1) (Rabs ((\sum_(o <- first_l) pays o) / INR l.+1 - mean_pay (shows t) c.1 c.2)) ||
    Rlt_dec (q_radius K h l.+1) (\sum_(y : S) Rabs
      (INR (count (fun o => next o == y) first_l) / INR l.+1 - move_law (shows t) c.1 c.2 y))]].
(* The class must hold two functions and, with g, its products with the chances of what was played after k episodes: so do all
   functions, and where shows, best and post are measurable the jointly measurable ones (measurable_functions_suffice). *)
Definition has_what_is_used (best : Theta -> policies) (post : past_of_run -> (Theta -> R) -> R) (rho : G -> R) (K : nat) :=
  [/\ in_class (fun _ t => average rho (worth (shows t) (fun x => best t x))), in_class (fun h t => is_one (has_strayed K h t))
    & forall k pi g, in_class g -> in_class (fun h t => plays_drawn best post (drop (size h - k) h) pi * g h t)].
(* The chance of what was seen, where an activation shows one of finitely many o, or its density. *)
Variable chance : Theta -> A -> S -> O -> R.
Fixpoint chance_of_steps (t : Theta) (e : seq seen_step) : R :=
  if e is (x, a, o) :: e' then chance t a (x a) o * chance_of_steps t e' else 1.
Fixpoint chance_of_past (t : Theta) (h : past_of_run) : R :=
  if h is episode :: h' then chance_of_steps t episode.2 * chance_of_past t h' else 1.
End Psrl.
End Runs.

(* ---------------------------------------------------------------- Theorem 1 *)
(* f(S,n,K,beta), and log(SnK log K/(1-beta)). *)
Definition paper_f (s n k beta : R) : R := s * n * (ln k / (1 - beta)) ^ 2 + sqrt (s * n * k) * Rpower (ln k / (1 - beta)) (3/2).
Definition paper_log (s n k beta : R) : R := ln (s * n * k * ln k / (1 - beta)).

Section TheoremOne.
Variables (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R) (rho : global_state A S -> R) (K : nat).
Hypotheses (discount : 0 <= beta < 1) (rho_ok : is_law rho) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (K2 : (2 <= K)%nat) (n1 : (1 <= #|A|)%nat) (S1 : (1 <= #|S|)%nat).
Notation n := (INR #|A|). Notation s := (INR #|S|). Notation k := (INR K).
(* Conditional.v: mb_psrl_regret. For every prior on any set of bandits, every law of what is shown, and every such class. That
   `best` is best is not used: the bound is one on the regret against it, whatever it is. *)
Theorem theorem_1_psrl (Theta : Type) (shows : Theta -> A -> S -> (O -> R) -> R) (prior : (Theta -> R) -> R)
    (best : Theta -> policies A S) (post : past_of_run A S O -> (Theta -> R) -> R) (in_class : (past_of_run A S O -> Theta -> R) -> Prop) :
  (forall t a s, is_expectation (shows t a s)) -> is_expectation prior -> is_posterior next shows prior in_class post ->
  has_what_is_used next pays beta shows in_class best post rho K -> (forall t, best_for next pays beta (shows t) (best t)) ->
  prior (fun t => mean_regret next pays beta (plays_drawn best post) rho (shows t) (best t) K) <=
    5/2 * (sqrt s + paper_log s n k beta) * paper_f s n k beta.
Proof. move=> shows_ok prior_ok [post_ok bayes] [own strays closed] _.
  apply: (@Conditional.mb_psrl_regret A S O Theta next pays beta rho K (fun t a s => as_law (shows_ok t a s)) (as_law prior_ok) best
    (fun h => as_law (post_ok h)) discount rho_ok pays_unit n1 S1 in_class _ bayes K2); split=> //; have e (b : bool) : (if b then true else false) = b by case: b.
  rewrite (_ : MbPsrl.strays_from _ _ _ _ = fun h t => is_one (has_strayed next pays shows K h t)) //.
  do 2 apply: Laws.funext => ?; apply: (congr1 is_one); rewrite /Radii.outside /Radii.bad_now /Radii.some_bad /has_strayed.
  by do 2 apply: eq_existsb => ?; rewrite /LawOfRun.first_are /Radii.strays /Events.above /Events.radius Rmult_1_l !e. Qed.
(* Theorem1.v: mb_ucrl2_regret. For every law of what is shown; eps = 0 is the paper's. *)
Theorem theorem_1_ucrl2 (guess_r : past_of_run A S O -> A * S -> R) (guess_q : past_of_run A S O -> A * S -> S -> R) (eps : R)
    (learner : past_of_run A S O -> policies A S -> R) (shows : A -> S -> (O -> R) -> R) (pistar : choice_rule A S) :
  (forall h c, 0 <= guess_r h c <= 1) -> (forall h c, is_law (guess_q h c)) -> (forall h, is_law (learner h)) ->
  (forall a s, is_expectation (shows a s)) -> best_for next pays beta shows pistar -> 0 <= eps ->
  (forall h pi, learner h pi <> 0 -> best_in_M_k next pays beta guess_r guess_q K h rho eps pi) ->
  mean_regret next pays beta learner rho shows pistar K <= 21/10 * (sqrt s + paper_log s n k beta) * paper_f s n k beta + k * eps.
Proof. move=> ? ? ? shows_ok *; exact: (@Theorem1.mb_ucrl2_regret A S O next pays beta rho K discount rho_ok pays_unit K2 n1 S1
    guess_r guess_q eps learner (fun a s => as_law (shows_ok a s)) pistar). Qed.

Variables (guess_r : past_of_run A S O -> A * S -> R) (guess_q : past_of_run A S O -> A * S -> S -> R).
Hypotheses (guess_r_ok : forall h c, 0 <= guess_r h c <= 1) (guess_q_ok : forall h c, is_law (guess_q h c)).
Variables (learner : past_of_run A S O -> policies A S -> R) (shows : A -> S -> (O -> R) -> R) (pistar : choice_rule A S).
Hypotheses (learner_ok : forall h, is_law (learner h)) (shows_ok : forall a s, is_expectation (shows a s)).
Hypothesis pistar_best : best_for next pays beta shows pistar.
Notation regret_of := (mean_regret next pays beta learner rho shows pistar K).
Hypothesis is_ucbvi : forall h pi, 0 < learner h pi -> best_with_bonus next pays beta guess_r guess_q K h pi.
(* UcbviPrinted.v: ucbvi_printed. For every law of what is shown. *)
Theorem theorem_1_ucbvi : regret_of <= 3 * (sqrt s * (1 / (1 - beta))) * paper_log s n k beta * paper_f s n k beta.
Proof. exact: (ucbvi_printed discount pays_unit guess_r_ok guess_q_ok K2 learner_ok rho_ok (shows := fun a s => as_law (shows_ok a s))
  is_ucbvi pistar_best). Qed.
(* Sharper.v: sharper, for K >= 1 and every law of what is shown. With B = 1/(1-beta) and L = log(2SnK(KB+1)). *)
Theorem theorem_A : (1 <= K)%nat -> let B := 1 / (1 - beta) in let L := ln (2 * s * n * k * (k * B + 1)) in
  regret_of <= 4 * (B * sqrt B) * sqrt (s * n * k * L) + 16 * (s ^ 2 * n * B ^ 4) * (L ^ 3 * sqrt L).
Proof. move=> K1; exact: (sharper discount pays_unit guess_r_ok guess_q_ok K1 learner_ok rho_ok
  (shows := fun a s => as_law (shows_ok a s)) pistar_best is_ucbvi). Qed.
(* MinimaxLearner.v: minimax_regret. The minimax learner; such a policy always exists (index_policy_follows). *)
Theorem theorem_M (G : nat) : (1 <= K)%nat -> let B := 1 / (1 - beta) in 60 * B <= INR G -> B * sqrt (k / (s * n)) <= INR G ->
  (forall h pi, 0 < learner h pi -> plays_largest_level next pays beta guess_r guess_q K h G pi) ->
  let L := ln (5 * (s * n) * (INR G + 1) * k * (k * B + 1)) in let R := 3 + ln (1 + k / (s * n)) in
  regret_of <= 4 * (B * sqrt (s * n * k * L * R)) + 7/2 * (B * sqrt (s * n * k * L)) + 39 * (s * n * B ^ 2 * (L * ((s * ln 2 + L) * R))).
Proof. move=> K1 B; have -> : s * n = INR #|prod_finType A S| by rewrite card_prod mult_INR Rmult_comm. move=> G1 G2 is_index.
  exact: (minimax_regret discount pays_unit guess_r_ok guess_q_ok K1 G1 G2 (fun a s => as_law (shows_ok a s)) pistar learner_ok rho_ok
    is_index). Qed.
End TheoremOne.

(* ---------------------------------------------------------------- Theorem 1 for MB-PSRL in the words of measure theory *)
(* With mathcomp-analysis' sigma-algebras (measurableType), measures and Lebesgue integrals, over these real numbers. *)
Section Measures.
Variables (d : measure_display) (T : measurableType d) (m : measure real_realType T).
Definition is_measurable (f : T -> R) : Prop := measurable_fun classical_sets.setT (f : T -> real_realType).
Definition is_probability : Prop := m classical_sets.setT = EFin (1 : real_realType).
Definition integral_of (f : T -> R) : R := fine (integral m classical_sets.setT (fun x => EFin (f x : real_realType))).
End Measures.

(* MeasurablePosterior.v: mb_psrl_measures. A probability P on measurable bandits; what an activation shows has a density of at
   most D for a probability mu(a, s); all that is given is measurable. There are laws with these densities, and best policies that
   depend measurably on the bandit. Whatever measurable best(t) is, there is a learner that plays a policy with the chance that it
   is best(t) given what was seen, by Bayes' rule, such that the regret is a measurable function of the bandit, of size at most
   K/(1-beta) (expected_regret_abs), and its integral, the Bayesian regret, is bounded. *)
Theorem theorem_1_psrl_measures (A S : finType) d (Theta : measurableType d) d' (O : measurableType d')
    (next : O -> S) (pays : O -> R) (beta : R) (rho : global_state A S -> R) (K : nat) (P : measure real_realType Theta)
    (mu : A -> S -> measure real_realType O) (density : Theta -> A -> S -> O -> R) (D : R) :
  0 <= beta < 1 -> is_law rho -> (forall o, 0 <= pays o <= 1) -> (2 <= K)%nat -> (1 <= #|A|)%nat -> (1 <= #|S|)%nat ->
  is_probability P -> (forall a s, is_probability (mu a s)) ->
  1 <= D -> (forall t a s o, 0 <= density t a s o <= D) -> (forall t a s, integral_of (mu a s) (density t a s) = 1) ->
  (forall a s, is_measurable (fun z : (Theta * O)%type => density z.1 a s z.2)) -> is_measurable pays ->
  (forall s, is_measurable (fun o => is_one (next o == s))) -> let n := INR #|A| in let s := INR #|S| in let k := INR K in
  let is_choice := fun best : Theta -> policies A S => forall pi, is_measurable (fun t => is_one (best t == pi)) in
  exists shows, [/\ forall t a s, is_expectation (shows t a s) /\ (forall f, is_measurable f -> is_bounded f ->
      shows t a s f = integral_of (mu a s) (fun o => density t a s o * f o)),
    exists best, is_choice best /\ forall t, best_for next pays beta (shows t) (best t)
  & forall best, is_choice best -> exists chances, let regret t := mean_regret next pays beta chances rho (shows t) (best t) K in
    [/\ forall h, is_law (chances h), forall h pi, let seen := integral_of P (fun t => chance_of_past density t h) in 0 < seen ->
        chances h pi = integral_of P (fun t => chance_of_past density t h * is_one (best t == pi)) / seen, is_measurable regret
    & integral_of P regret <= 5/2 * (sqrt s + paper_log s n k beta) * paper_f s n k beta]].
Proof. move=> discount rho_ok unit K2 n1 S1 P1 mu1 D1 ok one density_m pays_m next_m n s k is_choice.
  have [shows [sh ? any]] := MeasurablePosterior.mb_psrl_measures P1 mu1 discount rho_ok unit K2 n1 S1 D1 ok next_m pays_m density_m one.
  exists (fun t a s => Laws.E (shows t a s)); split=> // [t a x|best /any [chances [? _ ? ? ?]]]; last by exists chances.
  by split; [exact: laws_are | exact: sh]. Qed.

(* ---------------------------------------------------------------- Learners that may change arms at every step *)
(* Theorem 2 is proved against all that see everything: before an episode the learner draws a w of any type W (a policy, a plan,
   coins), by any law, and at every step an arm; the laws depend on all that it has seen and drawn. An algorithm that follows one
   policy to the end of an episode is one of these (Learners.v: episodic_regret). *)
Section Learners.
Variables (A S O : finType) (W : Type) (next : O -> S) (pays : O -> R) (beta : R) (rho : global_state A S -> R).
Notation G := (global_state A S).
Notation steps_seen := (seq (seen_step A S O)).
Definition remembered := seq (W * G * steps_seen)%type.   (* the latest episode first *)
Variables (draws_plan : remembered -> (W -> R) -> R) (draws_arm : remembered -> W -> steps_seen -> G -> A -> R).
Definition learner_laws := (forall h, is_expectation (draws_plan h)) /\ forall h w e x, is_law (draws_arm h w e x).
Variable shows : A -> S -> O -> R.
(* The mean over n more steps of an episode; and over the episodes of a list of initial states and lengths. *)
Fixpoint over_play (h : remembered) (w : W) (n : nat) (e : steps_seen) (x : G) (F : steps_seen -> G -> R) : R :=
  if n is n'.+1 then average (draws_arm h w e x) (fun a => average (shows a (x a)) (fun o =>
    over_play h w n' ((x, a, o) :: e) (goes_to x a (next o)) F))
  else F e x.
Fixpoint over_list (episodes : seq (G * nat)) (h : remembered) (F : remembered -> R) : R :=
  if episodes is (x, m) :: later then
    draws_plan h (fun w => over_play h w m [::] x (fun e _ => over_list later ((w, x, e) :: h) F))
  else F h.
(* The mean over the initial states, of law rho, and the geometric lengths of K episodes. *)
Fixpoint over_schedules (K : nat) (F : seq (G * nat) -> R) : R := if K is K'.+1 then
  average rho (fun x => over_length beta (fun m => over_schedules K' (fun later => F ((x, m) :: later)))) else F [::].
(* What is earned over the next J steps of an episode, discounted; over all; and the regret of K episodes. *)
Fixpoint earns_over (h : remembered) (w : W) (J : nat) (e : steps_seen) (x : G) : R :=
  if J is J'.+1 then average (draws_arm h w e x) (fun a => mean_pay pays (of_chances shows) a (x a)
    + beta * average (shows a (x a)) (fun o => earns_over h w J' ((x, a, o) :: e) (goes_to x a (next o))))
  else 0.
Definition earns_in_all (h : remembered) (w : W) (x : G) : R := real (Lim_seq (fun J => earns_over h w J [::] x)).
Definition play_regret (best : choice_rule A S) (K : nat) : R := \sum_(k < K) over_schedules k (fun episodes =>
  over_list episodes [::] (fun h => average rho (fun x => draws_plan h (fun w =>
    policy_value beta (mean_pay pays (of_chances shows)) (move_law next (of_chances shows)) best x - earns_in_all h w x)))).
End Learners.

(* Some prior (finitely many bandits, of law phi, and initial states of law rho) makes every learner lose c in K episodes, in
   the mean over the prior. *)
Definition some_prior_forces (A S : finType) (beta : R) (K : nat) (c : R) :=
  exists (Theta O : finType) (phi : Theta -> R) (next : O -> S) (pays : O -> R) (shows : Theta -> A -> S -> O -> R) rho,
    [/\ is_law phi, forall t a s, is_law (shows t a s), forall o, 0 <= pays o <= 1 & is_law rho] /\
    forall best, (forall t, best_for next pays beta (of_chances (shows t)) (best t)) ->
    forall (W : Type) draws_plan draws_arm, @learner_laws A S O W draws_plan draws_arm ->
    c <= average phi (fun t => play_regret next pays beta rho draws_plan draws_arm (shows t) (best t) K).
Lemma forced_by A S beta K c : (exists p : prior A S, prior_ok p /\ forces beta p K c) -> some_prior_forces A S beta K c.
Proof. move=> [[Theta phi O next pays shows rho] [ok f]]; exists Theta, O, phi, next, pays, shows, rho; split=> // best opt W d a [d_ok L_ok].
  exact: (f best opt W (Agent (fun h => as_law (d_ok h)) a) L_ok). Qed.

(* What the refutation excludes is less: a prior that is any law on any set of bandits, observations of any kind, and none but
   learners that follow one policy in each episode. *)
Definition some_law_forces (A S : finType) (beta : R) (K : nat) (c : R) :=
  exists (Theta O : Type) (prior : (Theta -> R) -> R) (next : O -> S) (pays : O -> R) (shows : Theta -> A -> S -> (O -> R) -> R) rho,
    [/\ is_expectation prior, forall t a s, is_expectation (shows t a s), forall o, 0 <= pays o <= 1 & is_law rho] /\
    forall best : Theta -> policies A S, (forall t, best_for next pays beta (shows t) (best t)) ->
    forall learner, (forall h, is_law (learner h)) -> c <= prior (fun t => mean_regret next pays beta learner rho (shows t) (best t) K).

(* ---------------------------------------------------------------- Theorem 2, and the sharper bounds B and C *)
Section TheoremTwo.
Variables (A S : finType) (beta : R) (K : nat).
Hypothesis discount : 0 <= beta < 1.
Notation n := (INR #|A|). Notation s := (INR #|S|). Notation k := (INR K).
Notation forced := (some_prior_forces A S beta K).
(* LowerC.v: theorem_2_as_printed. Two arms or more are asked for, and n at most 3598 K/(S(1-beta)). *)
Theorem theorem_2_holds : (2 <= #|A|)%nat -> (1 <= #|S|)%nat -> (16 * #|S| <= K)%nat -> n * s * (1 - beta) <= 3598 * k ->
  forced (1/60 * sqrt (s * n * k / (1 - beta))).
Proof. by move=> n2 S1 long few; apply: forced_by; exact: theorem_2_as_printed. Qed.
(* LowerBound.v: no_law_forces. With one arm, and for n above 3600 K/(S(1-beta)), it is false, whatever the prior. *)
Theorem theorem_2_fails : (1 <= #|A|)%nat -> (1 <= #|S|)%nat -> (1 <= K)%nat ->
  #|A| = 1%nat \/ 3600 * k / (1 - beta) < s * n -> ~ some_law_forces A S beta K (1/60 * sqrt (s * n * k / (1 - beta))).
Proof. move=> n1 S1 K1 out [Theta [O [prior [next [pays [shows [rho [[p_ok shows_ok unit rho_ok] forced]]]]]]]].
  by apply: (no_law_forces discount n1 S1 K1 out); exists Theta, O, (as_law p_ok), next, pays, (fun t a s => as_law (shows_ok t a s)), rho. Qed.
(* LowerB.v: theorem_B. *)
Theorem theorem_B_lower : (2 <= #|A|)%nat -> (2 <= #|S|)%nat -> 1/2 <= beta -> 9/4 * (n * (s - 1)) <= k ->
  forced (1/36 * (sqrt ((s - 1) * n * k) / (1 - beta))).
Proof. move=> n2 S2 half long; apply: forced_by; have /card_gt0P [goal _] := ltnW S2.
  by exists (prior_B A goal beta K); exact: theorem_B. Qed.
(* LowerB.v: sharper_lower_bound. Its corollary for every discount. *)
Theorem theorem_B_every_discount : (2 <= #|A|)%nat -> (2 <= #|S|)%nat -> 9/4 * (s * n) <= k ->
  forced (1/51 * (sqrt (s * n * k) / (1 - beta))).
Proof. by move=> n2 S2 long; apply: forced_by; exact: sharper_lower_bound. Qed.
(* LowerC.v: theorem_C. *)
Theorem theorem_C_lower : (2 <= #|A|)%nat -> (1 <= #|S|)%nat -> (2 * #|S| <= K)%nat -> n * s * (1 - beta) <= k ->
  forced (1/18 * sqrt (s * n * k / (1 - beta))).
Proof. by move=> n2 S1 long few; apply: forced_by; exists (prior_C A S beta K); exact: theorem_C. Qed.
End TheoremTwo.

(* ---------------------------------------------------------------- The law of total variance *)
Section TotalVariance.
Variables (A S : finType) (beta : R) (q : A -> S -> S -> R) (G : nat) (m : nat -> R) (phi : A -> nat -> S -> R).
(* phi(a, j, s): what arm a is worth in state s if one may retire with m_j at any time. Its slope from m_j on is the chance that
   Z_a(s) is at most m_j; W is the largest of the Z_b(x_b) of the arms b other than a, independent. over_W: means over W. *)
Definition chance_Z (a : A) (j : nat) (s : S) : R := (phi a j.+1 s - phi a j s) / (m j.+1 - m j).
Definition chance_W (a : A) (x : global_state A S) (j : nat) : R := \big[Rmult/1]_(b | b != a) chance_Z b j (x b).
Definition over_W (a : A) (x : global_state A S) (f : nat -> R) : R :=
  \sum_(j < G.+1) ((if j is i.+1 then chance_W a x i.+1 - chance_W a x i else chance_W a x 0) * f j).
Definition variances (pi : choice_rule A S) := fix total (T : nat) (x : global_state A S) : R := if T is T'.+1 then
  over_W (pi x) x (fun j => variance_of (q (pi x) (x (pi x))) (phi (pi x) j)) + beta * average (moves_to q (pi x) x) (total T')
  else 0.
End TotalVariance.

(* ExactVariance.v: total_variance_on_grid. The variances of T steps of an optimal policy, discounted. *)
Theorem total_variance_optimal (A S : finType) (beta : R) (r : A -> S -> R) (q : A -> S -> S -> R) (G : nat) (m : nat -> R)
  (phi : A -> nat -> S -> R) (index : A -> S -> nat) (pi : choice_rule A S) (T : nat) (x : global_state A S) :
  0 <= beta < 1 -> (forall a s, is_law (q a s)) -> (forall a s, 0 <= r a s <= 1) ->
  (forall j, (j <= G)%nat -> m j < m j.+1) -> 0 <= m 0%nat -> m G <= 1 / (1 - beta) ->
  (forall a s j, phi a j s = Rmax (m j) (r a s + beta * average (q a s) (phi a j))) ->
  (forall a s, (index a s <= G)%nat /\ r a s + beta * average (q a s) (phi a (index a s)) = m (index a s)) ->
  (forall (y : global_state A S) b, (index b (y b) <= index (pi y) (y (pi y)))%nat) ->
  beta * variances beta q G m phi pi T x <= (1 / (1 - beta)) ^ 2.
Proof. by move=> *; exact: (@total_variance_on_grid A S beta (Model r q) G m phi index). Qed.

(* ---------------------------------------------------------------- Gittins' theorem *)
(* Plans in a decision process of states X, actions D and laws of moves P(d, x): they see all past states and actions, and may
   toss coins. What they earn, discounted: over n steps, then over all. *)
Section Plans.
Variables (X D : finType) (P : D -> X -> X -> R) (beta : R) (gain : D -> X -> R).
Definition tossing_plan := seq (X * D) -> X -> D -> R.
Definition plan_laws (p : tossing_plan) := forall h x, is_law (p h x).
Fixpoint plan_earns (p : tossing_plan) (m : nat) (h : seq (X * D)) (x : X) : R :=
  if m is m'.+1 then average (p h x) (fun d => gain d x + beta * average (P d x) (plan_earns p m' ((x, d) :: h))) else 0.
Definition worth_of_plan (p : tossing_plan) (x : X) : R := real (Lim_seq (fun m => plan_earns p m [::] x)).
End Plans.

(* One arm, of rewards r and moves q. A stopping time is a plan that goes on (true) or stops (false). The index of s is the
   supremum, over stopping times that play at least once, of discounted reward over discounted time. *)
Definition until_stopped (S : finType) beta (q : S -> S -> R) (gain : S -> R) (tau : tossing_plan S bool_finType) (s : S) : R :=
  worth_of_plan (fun go s y => if go then q s y else 0) beta (fun go s => if go then gain s else 0) tau s.
Definition index_is (S : finType) beta (r : S -> R) (q : S -> S -> R) (s : S) (gamma : R) := is_lub (fun v =>
  exists tau : tossing_plan S bool_finType, plan_laws tau /\ tau [::] s true = 1 /\
    v = until_stopped beta q r tau s / until_stopped beta q (fun _ => 1) tau s) gamma.
(* Gittins.v: gittins_policy_is_optimal. A policy that plays an arm of largest index is best, against all policies and plans. *)
Theorem gittins_theorem (A S : finType) (beta : R) (r : A -> S -> R) (q : A -> S -> S -> R) (gamma : A -> S -> R)
    (pi : choice_rule A S) : 0 <= beta < 1 -> (forall a s, is_law (q a s)) ->
  (forall a s, index_is beta (r a) (q a) s (gamma a s)) -> (forall (x : global_state A S) b, gamma b (x b) <= gamma (pi x) (x (pi x))) ->
  is_best beta r q pi /\ forall (p : tossing_plan (global_state A S) A) x, plan_laws p ->
    worth_of_plan (moves_to q) beta (fun a (x : global_state A S) => r a (x a)) p x <= policy_value beta r q pi x.
Proof. move=> discount rows index largest.
  have best := @gittins_policy_is_optimal A S beta (Model r q) discount rows gamma index pi largest.
  by split=> [pi' x|p x p_ok]; [exact: (proj1 (best x)) | exact: (proj2 (best x) p p_ok)]. Qed.

(* ---------------------------------------------------------------- Theorem 3 *)
Section TheoremThree.
Variables (A S : finType) (r_hat : A -> S -> R) (q_hat : A -> S -> S -> R) (r_rad q_rad : A -> S -> R).
Notation plausible_here r q := (is_plausible r q r_hat q_hat r_rad q_rad).
(* From x, the largest value of pi over the plausible bandits is less than the optimal value in one of them: no optimism. *)
Definition fails_to_be_optimistic (beta : R) (pi : choice_rule A S) (x : global_state A S) :=
  exists r q, plausible_here r q /\ exists largest optimum,
    is_lub (fun v => exists r' q', plausible_here r' q' /\ v = policy_value beta r' q' pi x) largest /\
    is_lub (fun v => exists pi', v = policy_value beta r q pi' x) optimum /\ largest < optimum.
(* The policy of indices: an arm of largest index, ties broken by a rule that sees the state and the tied arms alone. *)
Definition of_largest_value (index : A -> S -> R) (x : global_state A S) : {set A} :=
  [set a | [forall b, if Rle_dec (index b (x b)) (index a (x a)) then true else false]].
Definition by_index (index : A -> S -> R) (tie : global_state A S -> {set A} -> A) : choice_rule A S :=
  fun x => tie x (of_largest_value index x).
End TheoremThree.

(* Theorem3.v: no_OFU. Two arms of three states, beta = 1/2. Whatever function I computes the index of a state from its arm's
   label and what is known of that arm alone, its policy is not optimistic for some estimates and from some state. *)
Theorem theorem_3 (I : 'I_2 -> ('I_3 -> R) -> ('I_3 -> 'I_3 -> R) -> ('I_3 -> R) -> ('I_3 -> R) -> 'I_3 -> R)
    (tie : global_state (ordinal_finType 2) (ordinal_finType 3) -> {set 'I_2} -> 'I_2) :
  (forall x D, D != set0 -> tie x D \in D) ->
  exists r_hat q_hat r_rad q_rad x,
    (forall a s, 0 <= r_hat a s <= 1 /\ is_law (q_hat a s) /\ 0 <= r_rad a s /\ 0 <= q_rad a s) /\
    (forall r q, is_plausible r q r_hat q_hat r_rad q_rad -> forall a s, 0 <= r a s <= 1) /\
    fails_to_be_optimistic r_hat q_hat r_rad q_rad (1/2)
      (by_index (fun a => I a (r_hat a) (q_hat a) (r_rad a) (q_rad a)) tie) x.
Proof. move=> tie_ok; pose I' a (e : estimate (ordinal_finType 3)) := I a (rhat e) (Bandits.Qhat e) (br e) (bQ e).
  have [B [x [proper_B [unit [[r q] [hM [v [w [[up least] [best less]]]]]]]]]] := @no_OFU I' tie tie_ok.
  exists (fun a => rhat (B a)), (fun a => Bandits.Qhat (B a)), (fun a => br (B a)), (fun a => bQ (B a)), x; split; [|split].
  - by move=> a s; have [r01 [rows radii]] := proper_B a; split; [exact: r01 | split; [exact: rows | exact: radii]].
  - by move=> r' q' h; exact: (unit (Model r' q') h).
  exists r, q; split=> //; exists v, w; split; [split|split=> //]; first by move=> u [r' [q' [h ->]]]; apply: up; exists (Model r' q').
  by move=> b hb; apply: least => u [[r' q'] [h ->]]; apply: hb; exists r', q'. Qed.
