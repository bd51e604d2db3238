(* An instance of Theorem 1 for MB-PSRL with Lebesgue measure: two arms of two states; what they show is in [0, 1]. What arm
   `false` shows is uniform. What arm `true` shows is at most 1/2 with chance p, and uniform on either half; p is uniform, or
   Beta(1, 1). The arm played moves to the state that says whether it is at most 1/2. Rewards are any measurable function of what
   is shown: the number itself (uniform for `false`), or 1 up to 1/2 and 0 beyond (Bernoulli of mean p for `true`). *)

From kernel Require Import Measures.
From kernel Require Import Sums Values Bandits Concentration Events PrintedForm Episodes Laws LawOfRun Integrals.
From kernel Require Import Truncation Frozen Radii MbPsrl Conditional Densities Fubini Measurable MeasurablePosterior.

Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Notation real_line := [the measurableType (RR.-ocitv.-measurable).-sigma of salgebraType (RR.-ocitv.-measurable)].

(* Lebesgue measure on [0, 1], and its distribution function. *)
Definition upto (c : RR) : set real_line := `[0, c].
Lemma upto_m c : measurable (upto c). Proof. exact: measurable_itv. Qed.
Definition uniform01 : {measure set real_line -> \bar RR} := [the measure _ _ of mrestr (@lebesgue_measure RR) (upto_m 1)].
Lemma uniform_upto c : 0 <= c <= 1 -> uniform01 (upto c) = c%:E.
Proof.
move=> /andP [c0 c1]; rewrite /uniform01 /= /mrestr (_ : _ `&` _ = upto c).
  rewrite /upto lebesgue_measure_itv hlength_itv /= lte_fin oppr0 adde0.
  by case: ltrP => // c0'; congr EFin; apply/le_anti; rewrite c0 c0'.
apply/seteqP; split=> x; first by case.
by move=> l; split=> //; move: l; rewrite /upto /= !in_itv /= => /andP [-> l]; exact: le_trans l c1.
Qed.
Lemma uniform_one : uniform01 setT = 1%E.
Proof. by rewrite -[RHS](uniform_upto (c := 1)) ?lexx ?ler01 // /uniform01 /= /mrestr setTI setIid. Qed.

Definition low (c x : RR) : bool := (0 <= x) && (x <= c).
Lemma low_indic c : (fun x => indicator (low c x) : RR) = \1_(upto c).
Proof. by apply/boolp.funext => x; rewrite indicE /upto mem_setE /= in_itv /= /indicator /low; case: (_ && _). Qed.
Lemma low_m c : mfun (fun x : real_line => indicator (low c x) : RR).
Proof. by rewrite low_indic; exact: (measurable_fun_indic (upto_m c)). Qed.
Lemma uniform_low (c : RR) : 0 <= c <= 1 -> integral uniform01 (fun x => indicator (low c x) : RR) = c.
Proof.
move=> c01; rewrite /integral (_ : (fun x => _) = EFin \o \1_(upto c)); last by rewrite -low_indic.
by rewrite integral_indic ?setIT ?uniform_upto //; exact: upto_m.
Qed.

Local Open Scope R_scope.
Local Notation A := bool_finType.
Local Notation S := bool_finType.
(* The bandit of the number t, which is in [0, 1] but for a null set. *)
Definition low_chance (t : RR) : R := indicator (low 1 t) * t.
Definition density (t : RR) (a : A) (_ : S) (o : RR) : R :=
  if a then 2 * (if low (/ 2) o then low_chance t else 1 - low_chance t) else 1.

Lemma low_chance_range t : 0 <= low_chance t <= 1.
Proof.
rewrite /low_chance /indicator /low; case: andP => [[/RleP t0 /RleP t1]|_]; last lra.
have := t0 : 0 <= t; have := t1 : t <= 1; lra.
Qed.
Lemma low_chance_m : mfun (fun t : real_line => low_chance t : RR).
Proof. exact: (mfun_mult (low_m 1) (@measurable_fun_id _ real_line setT)). Qed.
Lemma density_ok t a s o : 0 <= density t a s o <= 2.
Proof. by have := low_chance_range t; rewrite /density; case: a; [case: (low _ o) |]; lra. Qed.

Lemma density_m a s : mfun (fun z : two real_line real_line => density z.1 a s z.2 : RR).
Proof.
have cm : mfun (fun z : two real_line real_line => low_chance z.1 : RR) by exact: (measurable_fun_comp low_chance_m (@fst_m _ _ _ _)).
rewrite /density; case: a; [apply: mfun_mult; [exact: mfun_const | apply: mfun_if] | exact: mfun_const] => //.
  exact: (measurable_fun_comp (low_m (/ 2)) (@snd_m _ _ real_line real_line)).
by apply: mfun_sub => //; exact: mfun_const.
Qed.

Lemma density_one t a s : integral uniform01 (density t a s : real_line -> RR) = 1.
Proof.
have [q hq] := genuine uniform_one; rewrite -hq; last first.
  apply: (@nice_of _ real_line _ 2) => [|o]; last by rewrite Rabs_pos_eq; case: (density_ok t a s o).
  exact: (measurable_fun_prod1 (t : real_line) (density_m a s)).
suff : q (density t a s) = 1 :> R by []; case: a; last exact: E_const.
have half : q (fun o => indicator (low (/ 2) o)) = / 2 :> R.
  rewrite hq; last by apply: (@nice_of _ real_line _ 1 (low_m _)) => o; exact: indicator_abs.
  by apply: uniform_low; apply/andP; split; apply/RleP; rewrite /GRing.zero /GRing.one /=; lra.
rewrite (E_ext q (g := fun o => 2 * (1 - low_chance t) + (4 * low_chance t - 2) * indicator (low (/ 2) o))) => [|o].
  by have b := bounded_indicator (low (/ 2)); rewrite (E_add q (by_const _ _) (bounded_scale _ b)) E_const (E_scale q _ b) half; field.
by rewrite /density /indicator; case: (low _ _); ring.
Qed.

(* The next state. *)
Definition next (o : real_line) : S := low (/ 2) o.
Lemma next_m v : mfun (fun o => indicator (next o == v) : RR).
Proof.
case: v; [apply: (mfun_ext _ (low_m (/ 2))) | apply: (mfun_ext _ (mfun_sub (mfun_const 1) (low_m (/ 2))))] => o;
  by rewrite /next /indicator; case: (low _ o) => /=; rewrite ?Rminus_0_r ?Rminus_eq_0.
Qed.

Section Instance.
Variables (pays : real_line -> RR) (beta : R) (rho : global A S -> R) (K : nat).
Hypotheses (pays_m : mfun pays) (pays_unit : forall o, 0 <= pays o <= 1).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho) (K2 : (2 <= K)%N).
Notation int := (@integral _ _ uniform01).

Theorem mb_psrl_continuous : exists shows (best : real_line -> plays A S) chances, let M t := bandit_of next pays (shows t) in
  let regret t := expected_regret next beta chances rho (shows t) (M t) (best t) K in
  [/\ forall t a s (f : real_line -> RR), mfun f -> Laws.bounded f -> shows t a s f = int (fun o => density t a s o * f o : RR),
      forall t pi x, V beta (M t) pi x <= V beta (M t) (fun y => best t y) x, forall h, probability (chances h),
      forall h pi, let seen := int (fun t : real_line => likelihood density t h : RR) in 0 < seen ->
        chances h pi = int (fun t : real_line => likelihood density t h * indicator (best t == pi) : RR) / seen
    & mfun (regret : real_line -> RR) /\ int (regret : real_line -> RR) <= 5/2 * (sqrt 2 + printed_log 2 2 K beta) * printed_f 2 2 K beta].
Proof.
have [|||shows [has [best [best_m is_best]] any]] := @mb_psrl_measures A S _ real_line _ real_line next pays beta rho K uniform01
  (fun _ _ => uniform01) density 2 uniform_one (fun _ _ => uniform_one) discount rho_ok pays_unit K2 _ _ _ density_ok next_m pays_m
  density_m density_one; rewrite ?card_bool //; first lra.
have [chances [ok _ bayes regret_m bound]] := any best best_m.
by exists shows, best, chances; split=> //; split=> //; move: bound; rewrite card_bool.
Qed.
End Instance.
