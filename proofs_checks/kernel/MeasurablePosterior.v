(* The hypotheses of Measurable.v are met: the posterior by densities is measurable, and so are the event of the radii and the values. *)

From kernel Require Import Measures.
From Coquelicot Require Lim_seq Rbar Series.
From kernel Require Import Sums Values Bandits Concentration Events PrintedForm Episodes Laws LawOfRun Integrals Truncation.
From kernel Require Import Frozen Radii MbPsrl Conditional Densities Fubini Measurable.

Import numFieldTopology.Exports numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope R_scope.
Notation is_lim_seq := Lim_seq.is_lim_seq.

Lemma cvg_of (R : realType) (u : nat -> R) (l : R) : (forall e : R, (0 < e)%R -> exists N : nat, forall n, (N <= n)%N -> (`|l - u n| < e)%R) -> (u n @[n --> \oo] --> l).
Proof. by move=> h; apply/cvgrPdist_lt => e /h [N hN]; exists N. Qed.

Section Facts.
Context d (T : measurableType d).
Lemma mfun_lim (u : nat -> T -> RR) (f : T -> RR) : (forall n, mfun (u n)) -> (forall x, is_lim_seq (fun n => u n x) (Rbar.Finite (f x))) -> mfun f.
Proof.
move=> mu lim; apply: (measurable_fun_cvg mu) => x _; apply: cvg_of => e /RltP e0.
have /Lim_seq.is_lim_seq_spec := lim x => /(_ (mkposreal e e0)) [N hN].
exists N => n Nn; apply/RltP; rewrite -[Num.norm _]/(Rabs _) -[GRing.add _ _]/(f x - u n x) Rabs_minus_sym.
by apply: hN; apply/ssrnat.leP.
Qed.
Lemma mfun_sub (f g : T -> RR) : mfun f -> mfun g -> mfun (fun x => f x - g x : RR).
Proof. by move=> mf mg; exact: (measurable_funB mf mg). Qed.
Lemma mfun_abs (f : T -> RR) : mfun f -> mfun (fun x => Rabs (f x) : RR).
Proof. by move=> mf; exact: (measurable_fun_comp (@measurable_fun_normr RR setT) mf). Qed.
Lemma mfun_sum (I : Type) (s : seq I) (f : I -> T -> RR) : (forall i, mfun (f i)) -> mfun (fun x => \big[Rplus/0]_(i <- s) f i x : RR).
Proof.
move=> mf; elim: s => [|i s IH]; first by apply: (mfun_ext _ (mfun_const 0)) => x; rewrite big_nil.
by apply: (mfun_ext _ (mfun_add (mf i) IH)) => x; rewrite big_cons.
Qed.
Lemma mfun_sum_to n (f : nat -> T -> RR) : (forall i, mfun (f i)) -> mfun (fun x => sum_to n (fun i => f i x) : RR).
Proof. by move=> mf; elim: n => [|n IH]; [exact: mfun_const | exact: (mfun_add IH (mf n))]. Qed.
Lemma mfun_if (b : T -> bool) (f g : T -> RR) : mfun (fun x => indicator (b x) : RR) -> mfun f -> mfun g -> mfun (fun x => if b x then f x else g x).
Proof.
move=> mb mf mg; apply: (mfun_ext (f := fun x => indicator (b x) * f x + (1 - indicator (b x)) * g x : RR)) => [x|].
  by rewrite /indicator; case: (b x); ring.
by apply: mfun_add; apply: mfun_mult => //; apply: mfun_sub => //; exact: mfun_const.
Qed.
Lemma mfun_below (f g : T -> RR) : mfun f -> mfun g -> mfun (fun x => indicator (above (f x) (g x)) : RR).
Proof.
move=> mf mg; pose h x : RR := g x - f x; have m : mfun h by exact: mfun_sub.
have s := emeasurable_fun_o_infty measurableT (proj2 (EFin_measurable_fun setT _) m) 0%E.
apply: (@measurable_fun_ifT _ _ T RR (fun _ => 1) (fun _ => 0) (fun x => above (f x) (g x))); try exact: mfun_const.
apply: (@measurable_fun_bool _ T setT _ true); rewrite setTI in s.
rewrite (_ : _ @^-1` _ = [set x | (0 < (EFin \o h) x)%E]) //; apply/seteqP; split=> x /=; rewrite lte_fin.
  by move=> /aboveP p; apply/RltP; change (Rlt 0 (Rminus (g x) (f x))); lra.
by move=> /RltP p; apply/aboveP; have p' : Rlt 0 (Rminus (g x) (f x)) := p; lra.
Qed.
Lemma mfun_or (b c : T -> bool) : mfun (fun x => indicator (b x) : RR) -> mfun (fun x => indicator (c x) : RR) -> mfun (fun x => indicator (b x || c x) : RR).
Proof.
move=> mb mc; apply: (mfun_ext _ (mfun_if mb (mfun_const 1) mc)) => x; by rewrite /indicator; case: (b x).
Qed.
Lemma mfun_exists (I : finType) (b : I -> T -> bool) : (forall i, mfun (fun x => indicator (b i x) : RR)) -> mfun (fun x => indicator [exists i, b i x] : RR).
Proof.
move=> mb; have ms s : mfun (fun x => indicator (has (b^~ x) s) : RR).
  by elim: s => [|i s IH]; [exact: mfun_const | exact: (mfun_or (mb i) IH)].
apply: (mfun_ext _ (ms (enum I))) => x; congr indicator; apply/hasP/existsP => [[i _ h]|[i h]]; first by exists i.
by exists i => //; rewrite mem_enum.
Qed.
(* A quotient of bounded functions where the divisor is positive. *)
Lemma mfun_quotient (a b : T -> RR) M : 0 < M -> (forall x, 0 <= b x <= M) -> mfun a -> mfun b -> mfun (fun x => (if Rlt_dec 0 (b x) then a x / b x else 0) : RR).
Proof.
move=> M0 bM ma mb; have mp : mfun (fun x => indicator (above 0 (b x)) : RR) by apply: mfun_below => //; exact: mfun_const.
have mr : mfun (fun x => 1 - / M * b x : RR).
  by apply: mfun_sub; [exact: mfun_const | apply: mfun_mult => //; exact: mfun_const].
have mpow n : mfun (fun x => (1 - / M * b x) ^ n : RR) by elim: n => [|n IH]; [exact: mfun_const | exact: (mfun_mult mr IH)].
apply: (mfun_lim (u := fun n x => indicator (above 0 (b x)) * (a x * (/ M * sum_to n (fun i => (1 - / M * b x) ^ i))))).
  move=> n; apply: mfun_mult => //; apply: mfun_mult => //; apply: mfun_mult; first exact: mfun_const.
  exact: (mfun_sum_to n mpow).
move=> x; rewrite /indicator; case: aboveP => [p|np]; last first.
  case: (Rlt_dec 0 (b x)) => [q|nq] /=; first by case: np.
  apply: (Lim_seq.is_lim_seq_ext (fun _ => 0)); last exact: Lim_seq.is_lim_seq_const.
  by move=> n; ring.
case: (Rlt_dec 0 (b x)) => [q|nq] /=; last by case: nq.
have [b0 b1] := bM x; have i0 : 0 < / M by exact: Rinv_0_lt_compat.
set r := 1 - / M * b x; have r0 : 0 <= r < 1.
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ i0) b1; have := Rmult_lt_0_compat _ _ i0 p.
  by rewrite Rinv_l /r; [split; lra | lra].
have geo n : sum_to n (fun i => r ^ i) = (1 - r ^ n) / (1 - r).
  by elim: n => [|n IH]; [rewrite /=; field; lra | rewrite [LHS]/= IH /=; field; lra].
apply: (Lim_seq.is_lim_seq_ext (fun n => a x / b x - a x / b x * r ^ n)).
  by move=> n; rewrite geo (_ : 1 - r = / M * b x); [field; split; lra | rewrite /r; ring].
have l : is_lim_seq (fun n => r ^ n) (Rbar.Finite 0) by apply: Lim_seq.is_lim_seq_geom; rewrite Rabs_pos_eq; lra.
have := Lim_seq.is_lim_seq_minus' _ _ _ _ (Lim_seq.is_lim_seq_const (a x / b x)) (Lim_seq.is_lim_seq_mult' _ _ _ _ (Lim_seq.is_lim_seq_const (a x / b x)) l).
by rewrite Rmult_0_r Rminus_0_r.
Qed.
End Facts.

Section Posterior.
Variables (A S : finType).
Context dT (Theta : measurableType dT) dO (O : measurableType dO).
Notation history := (history A S O).
Variable next : O -> S.
Hypothesis next_m : forall v, mfun (fun o : O => indicator (next o == v) : RR).
Variables (P : {measure set Theta -> \bar RR}) (mu : A -> S -> {measure set O -> \bar RR}).
Variables (prior : law_on Theta) (base : A -> S -> law_on O).
Hypotheses (prior_P : extends P prior) (base_mu : forall a s, extends (mu a s) (base a s)).
Variables (density : Theta -> A -> S -> O -> R) (D : R).
Hypotheses (D1 : 1 <= D) (density_ok : forall t a s o, 0 <= density t a s o <= D).
Hypothesis density_m : forall a s, mfun (fun z : two Theta O => density z.1 a s z.2 : RR).
Notation jointly := (@jointly A S dT Theta dO O).
Notation post := (posterior prior density_ok).

(* The mean over the prior of a jointly measurable function, given a history that depends on x. *)
Lemma mean_m d (X : measurableType d) (h : X -> history) g C : history_of h -> jointly g -> (forall x t, Rabs (g (h x) t) <= C) ->
  mfun (fun x => prior (g (h x)) : RR).
Proof.
move=> hh jg gC; have n : @nice _ (two X Theta) RR (fun z => g (h z.1) z.2).
  by apply: (@nice_of _ (two X Theta) _ C (jg _ X h hh)) => z; exact: gC.
exact: (proj1 (nice_first prior_P n)).
Qed.

Lemma posterior_m g : jointly g -> (exists C, forall h t, Rabs (g h t) <= C) -> jointly (fun h _ => post h (g h)).
Proof.
move=> jg [C gC] d X h hh; have [k hk] := history_length hh.
suff m : mfun (fun x : X => post (h x) (g (h x)) : RR) by exact: (measurable_fun_comp m (@fst_m _ _ X Theta)).
have lD x t : 0 <= likelihood density t (h x) <= D ^ k by have := likelihood_range density_ok t (h x); rewrite hk.
have jl : jointly (fun h t => likelihood density t h) by exact: likelihood_jointly.
have mb : mfun (fun x => prior (fun t => likelihood density t (h x)) : RR).
  by apply: (mean_m (C := D ^ k) hh jl) => x t; rewrite Rabs_pos_eq; case: (lD x t).
have ma : mfun (fun x => prior (fun t => likelihood density t (h x) * g (h x) t) : RR).
  apply: (mean_m (g := fun h t => likelihood density t h * g h t) (C := D ^ k * C) hh (jointly_mult jl jg)) => x t.
  by rewrite Rabs_mult (Rabs_pos_eq (likelihood _ _ _)); [apply: Rmult_le_compat; [case: (lD x t) | exact: Rabs_pos | case: (lD x t) | exact: gC] | case: (lD x t)].
have mg : mfun (fun x => prior (g (h x)) : RR) by exact: (mean_m (C := C) hh jg).
have bD x : 0 <= prior (fun t => likelihood density t (h x)) <= D ^ k.
  rewrite -{1}(E_const prior 0) -(E_const prior (D ^ k)); split; apply: E_le => [||t]; try exact: by_const; try exact: (likelihood_bounded density_ok (h x)).
    by case: (lD x t).
  by case: (lD x t).
have Dk : 0 < D ^ k by apply: pow_lt; lra.
have pos : mfun (fun x => indicator (above 0 (prior (fun t => likelihood density t (h x)))) : RR) by apply: mfun_below => //; exact: mfun_const.
apply: (mfun_ext _ (mfun_if pos (mfun_quotient Dk bD ma mb) mg)) => x.
by rewrite /posterior /bayes_law /above; case: (Rlt_dec 0 (prior (fun t => likelihood density t (h x)))).
Qed.

(* What was observed depends measurably on x too. *)
Inductive obs_of d (X : measurableType d) : (X -> seq O) -> Prop :=
| obs_nil : obs_of (fun _ => [::])
| obs_cons (o : X -> O) s : measurable_fun setT o -> obs_of s -> obs_of (fun x => o x :: s x).
Lemma obs_cat d (X : measurableType d) (s s' : X -> seq O) : obs_of s -> obs_of s' -> obs_of (fun x => s x ++ s' x).
Proof. by move=> os os'; elim: os => [|o r mo _ IH]; [exact: os' | exact: (obs_cons mo IH)]. Qed.
Lemma obs_drop d (X : measurableType d) (s : X -> seq O) j : obs_of s -> obs_of (fun x => drop j (s x)).
Proof. by move=> os; elim: os j => [|o r mo h IH] [|j]; [exact: obs_nil | exact: obs_nil | exact: (obs_cons mo h) | exact: IH]. Qed.
Lemma obs_size d (X : measurableType d) (s : X -> seq O) : obs_of s -> exists k, forall x, size (s x) = k.
Proof. by elim=> [|o r _ _ [k rk]]; [exists 0%N | exists k.+1 => x /=; rewrite rk]. Qed.
Lemma obs_total d (X : measurableType d) (s : X -> seq O) (f : O -> RR) : mfun f -> obs_of s -> mfun (fun x => total_of f (s x) : RR).
Proof.
move=> mf; elim=> [|o r mo _ IH]; first by apply: (mfun_ext _ (mfun_const 0)) => x; rewrite /total_of sum_nil.
by apply: (mfun_ext _ (mfun_add (measurable_fun_comp mf mo) IH)) => x; rewrite /total_of sum_cons.
Qed.
Lemma obs_observed d (X : measurableType d) (h : X -> history) c : history_of h -> obs_of (fun x => observed c (flat (h x))).
Proof.
have se (e : X -> seq (step A S O)) : steps_of e -> obs_of (fun x => observed c (shown (e x))).
  elim=> [|s a o e' mo _ IH]; first exact: obs_nil.
  case ec: ((a, s a) == c); last first.
    by rewrite (_ : (fun x => _) = (fun x => observed c (shown (e' x)))) //; apply/boolp.funext => x; rewrite /observed /= ec.
  by rewrite (_ : (fun x => _) = (fun x => o x :: observed c (shown (e' x)))); [exact: obs_cons | apply/boolp.funext => x; rewrite /observed /= ec].
elim=> [|pi s e h' hs _ IH]; first exact: obs_nil.
rewrite (_ : (fun x => _) = (fun x => observed c (shown (e x)) ++ observed c (flat (h' x)))); first exact: (obs_cat (se e hs) IH).
by apply/boolp.funext => x; rewrite /observed /flat /= filter_cat map_cat.
Qed.

Variables (shows : Theta -> A -> S -> law_on O).
Hypothesis has_density : forall t a s f, bounded f -> shows t a s f = base a s (fun o => density t a s o * f o).

(* Means under a bandit depend measurably on it. *)
Lemma shown_m a s (f : O -> RR) C : mfun f -> (forall o, Rabs (f o) <= C) -> mfun (fun t => shows t a s f : RR).
Proof.
move=> mf fC; have mg : mfun (fun z : two Theta O => density z.1 a s z.2 * f z.2 : RR).
  by apply: mfun_mult; [exact: density_m | exact: (measurable_fun_comp mf (@snd_m _ _ Theta O))].
have n : @nice _ (two Theta O) RR (fun z => density z.1 a s z.2 * f z.2).
  apply: (@nice_of _ (two Theta O) _ (D * C) mg) => z; have d := density_ok z.1 a s z.2.
  by rewrite Rabs_mult (Rabs_pos_eq (density _ _ _ _)); [apply: Rmult_le_compat; [case: d | exact: Rabs_pos | case: d | exact: fC] | case: d].
by apply: (mfun_ext _ (proj1 (nice_first (base_mu a s) n))) => t; rewrite has_density //; exists C.
Qed.

Variables (pays : O -> RR) (K : nat).
Hypotheses (pays_m : mfun pays) (pays_unit : forall o, 0 <= pays o <= 1).
Let pays_abs o : Rabs (pays o) <= 1. Proof. by rewrite Rabs_pos_eq; case: (pays_unit o). Qed.

Lemma event_m : jointly (strays_from next pays shows K).
Proof.
move=> d X h hh; have [k hk] := history_length hh.
rewrite (_ : (fun z => _) = (fun z : two X Theta => indicator (some_bad k (strays next pays K (shows z.2) k) (h z.1)) : RR)); last first.
  by apply/boolp.funext => z; rewrite /strays_from /outside /bad_now hk.
apply: mfun_exists => c; apply: mfun_exists => l; rewrite /first_are.
have oo := obs_observed c hh; have [n sn] := obs_size oo.
case ln: (l.+1 <= n)%N; last first.
  by apply: (mfun_ext _ (mfun_const 0)) => z; rewrite sn ln.
pose s z := drop (n - l.+1) (observed c (flat (h z))); have os : obs_of s by exact: obs_drop.
have lift (f : X -> RR) : mfun f -> mfun (fun z : two X Theta => f z.1 : RR) by move=> mf; exact: (measurable_fun_comp mf (@fst_m _ _ X Theta)).
have lift2 (f : Theta -> RR) : mfun f -> mfun (fun z : two X Theta => f z.2 : RR) by move=> mf; exact: (measurable_fun_comp mf (@snd_m _ _ X Theta)).
have quot (f : O -> RR) : mfun f -> mfun (fun z : two X Theta => total_of f (s z.1) / INR l.+1 : RR).
  by move=> mf; apply: mfun_mult; [exact: (lift _ (obs_total mf os)) | exact: mfun_const].
apply: (mfun_ext (f := fun z : two X Theta => indicator (strays next pays K (shows z.2) k c l.+1 (s z.1)) : RR)) => [z|]; first by rewrite sn ln.
apply: mfun_or; apply: mfun_below; try exact: mfun_const.
  apply: mfun_abs; apply: mfun_sub; first exact: quot.
  exact: (lift2 _ (shown_m c.1 c.2 pays_m pays_abs)).
apply: mfun_sum => y; apply: mfun_abs; apply: mfun_sub; last exact: (lift2 _ (shown_m c.1 c.2 (next_m y) (fun o => indicator_abs _))).
apply: (mfun_ext _ (quot _ (next_m y))) => z; congr (_ / _); rewrite /total_of.
elim: (s z.1) => [|o r IH]; first by rewrite sum_nil.
by rewrite sum_cons IH /= plus_INR /indicator; case: (next o == y).
Qed.

Variables (beta : R) (rho : global A S -> R) (best : Theta -> plays A S).
Hypotheses (discount : is_discount beta) (rho_ok : probability rho).
Hypothesis best_m : forall pi, mfun (fun t => indicator (best t == pi) : RR).

Lemma value_m (pi : plays A S) x : mfun (fun t => V beta (bandit_of next pays (shows t)) (fun y => pi y) x : RR).
Proof.
pose M t := bandit_of next pays (shows t).
have step_m a s y : mfun (fun t => row (M t) a s y : RR) by exact: (shown_m a s (next_m y) (fun o => indicator_abs _)).
have rm i y : mfun (fun t => reward_at (fun z => Bandits.P (M t) (pi z) z) (fun z => reward (M t) (pi z) (z (pi z))) i y : RR).
  elim: i y => [|i IH] y; first exact: (shown_m (pi y) (y (pi y)) pays_m pays_abs).
  apply: mfun_sum => z; apply: mfun_mult; last exact: IH.
  by rewrite /Bandits.P; case: [forall b, (b != pi y) ==> (y b == z b)]; [exact: step_m | exact: mfun_const].
apply: (mfun_lim (u := fun n t => sum_to n (fun i => beta ^ i * reward_at (fun z => Bandits.P (M t) (pi z) z) (fun z => reward (M t) (pi z) (z (pi z))) i x))).
  by move=> n; apply: mfun_sum_to => i; apply: mfun_mult; [exact: mfun_const | exact: rm].
move=> t; apply: sum_to_of_series; apply: Series.Series_correct.
have pays_ok o : 0 <= pays o <= 1 := pays_unit o.
have hM := bandit_markovian next pays (shows t).
exact: (discounted_converges _ (sub_policy (P_sub hM) (fun y => pi y)) discount x).
Qed.

Lemma own_m : mfun (fun t => own_value next pays beta rho shows best ([::] : history) t : RR).
Proof.
apply: (@mfun_cases _ Theta _ best (fun pi t => mean rho (V beta (bandit_of next pays (shows t)) (fun y => pi y)))) => // pi.
by apply: mfun_sum => x; apply: mfun_mult; [exact: mfun_const | exact: value_m].
Qed.

(* BayReg(K, MB-PSRL, P) <= (5/2) (sqrt S + log(SnK log K/(1-beta))) f(S,n,K,beta), P a probability measure on the bandits, the
   posterior by Bayes' rule: it exists, for laws with bounded and jointly measurable densities. *)
Lemma mb_psrl_posterior : (2 <= K)%N -> (1 <= #|A|)%N -> (1 <= #|S|)%N ->
  prior (fun t => expected_regret next beta (psrl best post) rho (shows t) (bandit_of next pays (shows t)) (best t) K) <=
    5/2 * (sqrt (INR #|S|) + printed_log #|S| #|A| K beta) * printed_f #|S| #|A| K beta.
Proof.
move=> K2 A1 S1; apply: (@mb_psrl_measures A S dT Theta dO O next next_m P mu prior base prior_P base_mu density D D1 density_ok density_m
  pays beta rho K shows best post discount rho_ok pays_unit K2 A1 S1 has_density best_m own_m event_m posterior_m) => h f mf bf.
exact: (bayes_law_ok prior (likelihood_bounded density_ok h) (fun t => proj1 (likelihood_range density_ok t h)) bf).
Qed.
End Posterior.
