r"""Section 5.1: Theorem 1, and the remarks on it."""

from __future__ import annotations

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.section_2.entries import ORDERS
from proofs_checks.paper.section_5_1_constants.entries import LOGARITHM, SIDES
from proofs_checks.paper.shared.horizons import mean_of_totals, values_later
from proofs_checks.paper.shared.small_regrets import SmallRegret, one_state_bandit, small_regrets
from theory.paper import ALGORITHMS, PSRL, UCBVI, UCRL2, paper_model, theorem_side
from theory.values import PolicyTable, Values, geometric_mixture, policy_table

chapter = Chapter()

# == Theorem 1: its domain, its three parts with constants that suffice, and a repair for one episode.
# The kernel has the constants; exact regrets of the learners in small cases refute smaller ones.

at = chapter.heading("thm:regret_upper_bound")
FINITELY_MANY = ("rewards of finitely many values, or bounded densities for laws that the priors may be exchanged "
    "with, each arm's posterior obeying Bayes' rule for all bounded functions; ties broken by what was sampled alone")
"""The observations in the kernel's proof for MB-PSRL with arms sampled one by one."""
JOINTLY = "a joint sample of the posterior, with Bayes' rule for what the proof uses, as jointly measurable functions"
"""The property of posteriors for laws of any kind; no posterior need have it for all bounded functions."""
FROM_TWO = Survives(says=r"$K \ge 2$", first=2)
FOR_PRODUCTS = Survives(first=2, says=rf"$K \ge 2$; {JOINTLY}, or arms that are independent under the prior, with "
    f"{FINITELY_MANY}")
"""Section 4.1 samples each arm from its own posterior: `def:sampling/arm-by-arm`."""
PARTS = {PSRL: "psrl", UCRL2: "ucrl2", UCBVI: "ucbvi"}
LETTERS = {PSRL: "C", UCRL2: "C'", UCBVI: "C''"}
WHOM = {PSRL: (r"\mathrm{BayReg}(K, \text{MB-PSRL}, \phi)", "every prior $\\phi$"),
    UCRL2: (r"\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCRL2}, M)]", "every model"),
    UCBVI: (r"\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCBVI}, M)]", "every model")}
TOO_SMALL = {PSRL: "2/25", UCRL2: "9/20", UCBVI: "9/10"}
"""Constants below those that exact regrets over two episodes need: 0.0877..., 0.468... and 0.927..."""
SMALL = "small cases: two arms of one state, of rewards $0$ or $1$"
OBSERVED = {"next state": "observed", "no visit": "any estimate"}
WITHIN = {"plausible rewards": "within [0, 1]"}

def within(case: SmallRegret, first: object, C: object) -> Answer:
    """Return whether an exact regret is at most C times the right-hand side, where log 0 times 0 is read as 0."""
    told = {"algorithm": case.algorithm, "model": case.says, "K": case.K, "beta": case.beta, "regret": case.regret}
    if rational(first) > case.K:
        return answer(True)
    order = 2 if case.algorithm == UCBVI else 1
    right = theorem_side(case.S, case.n, case.K, case.beta, order) * rational(C) if case.K > 1 else arb(0)
    return answer(at_most(lambda: arb(case.regret), lambda: right), **told, right_side=right)

def exact_regrets(*algorithms: str) -> Family:
    return Family(SMALL, lambda: chain(*map(small_regrets, algorithms)))

# -- the theorem

at.printed(368).property("thm:regret_upper_bound",
    rf"""There are universal constants with ${WHOM[PSRL][0]} \le C\,{SIDES[PSRL]}$ for every prior $\phi$, and for every
    model ${WHOM[UCRL2][0]} \le C'\,{SIDES[UCRL2]}$ and ${WHOM[UCBVI][0]} \le C''\,{SIDES[UCBVI]}$, with $f(S,n,K,\beta)
    = Sn(\log K/(1-\beta))^2 + \sqrt{{SnK}}(\log K/(1-\beta))^{{3/2}}$. [[ours]] Where it holds, $C = [[psrl]]$, $C' =
    [[ucrl2]]$ and $C'' = [[ucbvi]]$ will do, and smaller ones may, down to the false variants below; it is read for
    $K \ge [[first]]$, with $0 \log 0 = 0$.""",
    lambda case, first, **of_parts: within(case, first, of_parts[PARTS[case.algorithm]]),
    over=exact_regrets(*ALGORITHMS), domain=r"$S, n, K \ge 1$, $0 \le \beta < 1$; any prior, any model",
    reading={"clock": "t_k", "prior": "any", **OBSERVED, **WITHIN}, first=1, psrl="5/2", ucrl2="21/10", ucbvi=3,
    by=InKernel("mb_psrl_regret", "mb_psrl_any_prior", "mb_psrl_regret_arm_by_arm",
        "mb_psrl_regret_arm_by_arm_densities", "mb_psrl_regular", "mb_psrl_measures", "mb_ucrl2_regret",
        "ucbvi_printed", first=2, psrl="5/2", ucrl2="21/10", ucbvi=3),
    survives=Survives(first=2, says=rf"$K \ge 2$; for MB-PSRL {JOINTLY}, "
        f"or arms that are independent under the prior, with {FINITELY_MANY}"),
    fails="log-of-zero", false=[{part: TOO_SMALL[algorithm]} for algorithm, part in PARTS.items()], under="")

SIZES = ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1)
ARGUMENT = S * n * K * log(K) / (1 - beta)
LOG_2 = log_at_least(Rational(69, 100), 2, K)

at.implied(372).relation("thm:regret_upper_bound/domain",
    rf"The logarithms in the right-hand sides are defined and positive: ${LOGARITHM} > [[a]]$ and $\log K > 0$.",
    SIZES, log(ARGUMENT) > a, log(K) > 0, a=0,
    by=[LOG_2, log_at_least(Rational(32, 100), Rational(69, 50), ARGUMENT)],
    survives=Survives(K >= 2), fails="log-of-zero", nearest="a")

# -- the three parts

def part(
    claim_id: str, algorithm: str, claimed: object, clock: str, reading: Reading, side: str = ""
) -> Property:
    regret, all_of = WHOM[algorithm]
    return Property(claim_id, within, over=exact_regrets(algorithm),
        domain=rf"$S, n, K \ge 1$, $0 \le \beta < 1$, {all_of}",
        says=rf"""There is a universal constant with ${regret} \le {LETTERS[algorithm]}\,{side or SIDES[algorithm]}$ for
        {all_of}. [[ours]] Where it holds, ${LETTERS[algorithm]} = [[C]]$ will do, and smaller ones may, down to the
        false variant below; it is read for $K \ge [[first]]$, with $0 \log 0 = 0$, and any $S$, $n$ and
        $\beta${clock}.""",
        reading=reading, first=1, C=claimed)

def printed_part(algorithm: str, line: int, claimed: object, reading: Reading, *theorems: str) -> None:
    clock = "" if algorithm == PSRL else ", with radii in $t_k$ as Section 4 defines them"
    at.printed(line).statement(
        part(f"thm:regret_upper_bound/{PARTS[algorithm]}", algorithm, claimed, clock, reading),
        by=InKernel(*theorems, first=2, C=claimed), survives=FOR_PRODUCTS if algorithm == PSRL else FROM_TWO,
        fails="log-of-zero", false={"C": TOO_SMALL[algorithm]})

printed_part(PSRL, 372, "5/2", {"prior": "any", "next state": "observed"}, "mb_psrl_regret", "mb_psrl_any_prior",
    "mb_psrl_regret_arm_by_arm", "mb_psrl_regret_arm_by_arm_densities", "mb_psrl_regular", "mb_psrl_measures")
printed_part(UCRL2, 376, "21/10", {"clock": "t_k", **OBSERVED, **WITHIN}, "mb_ucrl2_regret")
printed_part(UCBVI, 377, 3, {"clock": "t_k", **OBSERVED}, "ucbvi_printed")

# -- a repair for one episode

at.ours(372).relation("thm:regret_upper_bound/repair",
    r"""With $1 + \log K$ in place of $\log K$ (and, for MB-UCBVI, $1$ added to its factor $\log\frac{SnK(1 + \log
    K)}{1-\beta}$) $[[c]]$ times the right-hand sides at $K = 1$ is at least $x = \frac{1}{1-\beta}$, the mean of an
    episode's length: first that of MB-PSRL and MB-UCRL2, then that of MB-UCBVI, $[[formula]]$.""",
    ForAll(S >= 1, n >= 1, x >= 1), x <= c * (sqrt(S) + log(S * n * x)) * (S * n * x**2 + sqrt(S * n) * x * sqrt(x)),
    x <= c * sqrt(S) * x * (1 + log(S * n * x)) * (S * n * x**2 + sqrt(S * n) * x * sqrt(x)), c="1/2",
    by=[Step(LeastAt(v, 1), log(v) >= 0, over=ForAll(v >= 1), at={v: S * n * x}),
        Step(x <= c * (sqrt(S) + y) * (S * n * x**2 + sqrt(S * n) * x * sqrt(x)),
            over=ForAll(S >= 1, n >= 1, x >= 1, y >= 0), at={y: log(S * n * x)}),
        Step((s + y) * f <= s * x * (1 + y) * f, over=ForAll(s >= 1, x >= 1, y >= 0, f >= 0),
            at={s: sqrt(S), y: log(S * n * x), f: S * n * x**2 + sqrt(S * n) * x * sqrt(x)})],
    nearest="c-", repairs=("thm:regret_upper_bound", "thm:regret_upper_bound/domain"))

# == The value W over a finite horizon, and the passage between W and V (the sketch of the proof in Section 5).

Stretch: TypeAlias = tuple[Bandit, PolicyTable, int, int]
"""A model, a policy, h and H."""

at = chapter.heading("")
ANY = r"$n \ge 1$ arms of $S$ states each, any deterministic stationary policy, $1 \le h \le H$"

def by_recursion(bandit: Bandit, policy: PolicyTable, h: int, H: int) -> Values:
    """Return W_{h:H} by the recursion as printed, from W_{H:H} down."""
    reward = {state: bandit.arms[a].rewards[state[a]] for state, a in policy.items()}
    values = dict(reward)
    for _ in range(H - 1, h - 1, -1):
        ahead = values_later(bandit, policy, values)
        values = {state: reward[state] + ahead[state] for state in policy}
    return values

def _drawn(source: Generator) -> Stretch:
    bandit = random_bandit(source, max_arms=2, max_global_states=9)
    H = int(source.integers(1, 5))
    return bandit, random_policy(source, bandit), int(source.integers(1, H + 1)), H

def _known() -> Iterator[Stretch]:
    bandit = paper_model("counterexample-m1")
    yield from ((bandit, policy_table(bandit, lambda state: state[0] % 2), h, 3) for h in (1, 2, 3))

STRETCHES = Family("random exact bandits, policies and horizons", _known, draw=_drawn)

def is_mean_total(stretch: Stretch, d: object) -> Answer:
    bandit, policy, h, H = stretch
    found = by_recursion(bandit, policy, h, H)
    expected = finite_horizon_value(bandit, policy, H - h + int(rational(d).p))
    return answer(found == expected, model=bandit, h=h, H=H, recursion=found, of_steps=expected)

at.printed(401).property("eq:discounted_reward",
    r"""$W^\pi_{M,h:H}(\boldsymbol{x}) = r^\pi(\boldsymbol{x}) + \sum_{\boldsymbol{y} \in \mathcal{E}}
    P^\pi(\boldsymbol{x}, \boldsymbol{y}) W^\pi_{M,h+1:H}(\boldsymbol{y})$, with $W^\pi_{M,H:H}(\boldsymbol{x}) =
    r^\pi(\boldsymbol{x})$, is the value of $\pi$ over the finite horizon $H-h+1$ from $\boldsymbol{x}$. [[ours]] It is
    the expected total reward, without discount, of $H - h + [[d]]$ steps, so that it depends on $h$ and $H$ through
    their number alone.""",
    is_mean_total, over=STRETCHES, d=1,
    domain=f"{ANY}; rewards in $[0, 1]$; the expectation is that under the law of the run",
    kernel=("recursion_is_total", "total_of_runs"), false=[{"d": 0}, {"d": 2}], max_instances=60)

LONGEST = 6

def mean_is_discounted(stretch: Stretch, first: object) -> Answer:
    """Compare V with the mean of W_{1:H}, in which horizons beyond 6 add beta^6 (W_{1:6} + P^6 V), exactly."""
    bandit, policy, *_ = stretch
    value = policy_value(bandit, policy)
    scale = bandit.discount ** (1 - int(rational(first).p))
    means = {state: scale * mean for state, mean in mean_of_totals(bandit, policy, LONGEST).items()}
    return answer(means == value, model=bandit, value=value, mean_over_horizons=means)

at.printed(407).property("eq:discounted_reward/mean",
    r"""$V^\pi_M(\boldsymbol{x}) = \mathbb{E}[W^\pi_{M,1:H}(\boldsymbol{x})]$ for a geometrically distributed $H$.
    [[ours]] Its law is $\mathbb{P}(H = h) = (1-\beta)\beta^{h-[[first]]}$ on $h \ge [[first]]$.""",
    mean_is_discounted, over=STRETCHES,
    domain=r"$n \ge 1$ arms of $S$ states each, any deterministic stationary policy, $0 \le \beta < 1$", first=1,
    kernel="V_is_mean_W", false={"first": 0}, max_instances=60, under="eq:discounted_reward")

def _slow_or_quick() -> Bandit:
    slow = Arm(rewards=[0, 1], transitions=[[0, 1], [0, 1]], states=["slow", "paid"])
    quick = Arm(rewards=[1, 0], transitions=[[0, 1], [0, 1]], states=["quick", "spent"])
    return Bandit([slow, quick], fmpq(1, 2), ["slow", "quick"])

def always(bandit: Bandit, arm: int) -> PolicyTable:
    return policy_table(bandit, lambda _: arm)

def same_mean(bandit: Bandit, chosen: str) -> Answer:
    """Compare E[V] with E[W_{1:H}] given each policy, where arm 2 is played if H = 1, or whatever H is."""
    start = bandit.start()
    slow, quick = (always(bandit, arm) for arm in (0, 1))
    chance = 1 - bandit.discount
    values = [policy_value(bandit, policy)[start] for policy in (slow, quick)]
    totals = [mean_of_totals(bandit, policy, 1)[start] for policy in (slow, quick)]
    if chosen == "by looking at $H_k$":
        of_one = [geometric_mixture(bandit, policy, 1)[0][start] for policy in (slow, quick)]
        totals = [(totals[0] - of_one[0]) / (1 - chance), of_one[1] / chance]
    return answer(values == totals, model=bandit, means_of_V_given_each=values, means_of_W_given_each=totals)

at.printed(411).property("eq:equivalence_V_W",
    r"""$\mathbb{E}[V^{\pi_k}_M(\boldsymbol{X}_{t_k}) \mid \mathcal{O}_{k-1}, \pi_k] = \mathbb{E}[W^{\pi_k}_{M,1:H_k}
    (\boldsymbol{X}_{t_k}) \mid \mathcal{O}_{k-1}, \pi_k]$, where $\pi_k$ is independent of $H_k$. [[ours]] Here $\pi_k$
    is chosen [[chosen]].""",
    same_mean,
    over=Family("two arms, one that pays from the second step on, one that pays in the first step; scenario 1",
        lambda: iter([_slow_or_quick(), paper_model("random-walk")])),
    domain=r"""any learner; rewards in $[0, 1]$; $\pi_k$ drawn from a law that depends on $\mathcal{O}_{k-1}$,
    $\boldsymbol{X}_{t_k}$ of law $\rho$; the kernel's theorem is for one policy and one model, which is what they are
    given $M$, $\mathcal{O}_{k-1}$ and $\pi_k$""",
    chosen="from the past alone", kernel="mean_V_is_mean_W", false={"chosen": "by looking at $H_k$"})

def best_over_episode(bandit: Bandit, what: str) -> Answer:
    found = mean_of_totals(bandit, policy_table(bandit, priority_policy(bandit, ORDERS[what](bandit))), 1)
    return all_of(
        answer(total <= found[state], model=bandit, state=state, always_arm=arm + 1, total=total, of_order=found[state])
        for arm in range(len(bandit.arms))
        for state, total in mean_of_totals(bandit, always(bandit, arm), 1).items()
    )

at.printed(264).property("eq:discounted_reward/episode",
    r"""With a random horizon $H$ of geometric law the index policy is optimal for who knows transitions and rewards.
    [[ours]] Playing an arm of largest [[what]] maximises, among deterministic stationary policies, the expected total
    reward, without discount, over an episode whose length is geometric of parameter $1 - \beta$.""",
    best_over_episode,
    over=Family("random exact bandits and policies that always play one arm",
        lambda: iter([_slow_or_quick(), paper_model("counterexample-m1")]),
        draw=lambda source: random_bandit(source, discount=lambda each: fmpq(int(each.integers(0, 5)), 8))),
    domain=r"$n \ge 1$ arms of $S$ states each, $0 \le \beta < 1$", what="Gittins index",
    kernel=("gittins_policy_is_optimal", "V_is_mean_W"), false={"what": "mean reward"}, max_instances=20,
    under="eq:discounted_reward")

# == The remarks on Theorem 1 (Section 5.1 and 5.2, abstract): the simplified bound, arms, and the gap to Theorem 2.
# In formulas x = 1/(1-beta), and the logarithms are written out: log K, and log(SnK log K x) of the theorem.

at = chapter.heading("eq:regret_tilde")
EVERY_SIZE = ForAll(S >= 1, n >= 1, K >= 1, x >= 1)
LARGEST_FIRST, SECOND = S * n * x**2, sqrt(S * n * K) * x * sqrt(x)  # the terms of f without logarithms
LOG_K, LOG_ALL = log(K), log(S * n * K * log(K) * x)

def with_logs(arms: sympy.Expr) -> sympy.Expr:
    z = LOG_K * x
    return S * arms * z**2 + sqrt(S * arms * K) * z * sqrt(z)

LOG_OF_ALL = log_at_least(0, 1, S * n * K * LOG_K * x)

TERMS = {p: S * n * (LOG_K * x) ** 2, q: sqrt(S * n * K) * LOG_K * x * sqrt(LOG_K * x), y: sqrt(S) + LOG_ALL}

at.implied(384).relation("eq:regret_tilde/regime",
    r"""Without logarithms the first term of $f$ is at most the second for $K \ge Sn/(1-\beta)$ and for no other $K$:
    with $x = \frac{1}{1-\beta}$, their squares differ so, $[[formula]]$.""",
    EVERY_SIZE, Eq(SECOND**2 - LARGEST_FIRST**2, S * n * x**3 * (K - c * S * n * x)), c=1, by=Algebra(),
    candidates=[{S: ONE, n: ONE, K: fmpq(401), x: fmpq(400)}, {S: ONE, n: ONE, K: fmpq(399), x: fmpq(400)}],
    false={"c": "100/99"}, nearest="c")

at.printed(386).relation("eq:regret_tilde",
    r"""For $K \ge Sn/(1-\beta)$ MB-PSRL and MB-UCRL2 have a regret below
    $\tilde{O}\left(\frac{S\sqrt{nK}}{(1-\beta)^{3/2}}\right)$, without logarithmic terms. [[ours]] The right-hand
    side of Theorem 1 without its constant is at most this times logarithms: with $x = \frac{1}{1-\beta}$,
    $[[formula]]$. (For $K = 1$ there is but one arm, and no regret.)""",
    EVERY_SIZE.where(K >= 2, d * S * n * x <= K),
    (sqrt(S) + LOG_ALL) * with_logs(n) <= c * (1 + LOG_ALL) * (1 + sqrt(LOG_K)) * LOG_K * sqrt(LOG_K) * S**e * sqrt(n *
    K) * x * sqrt(x),
    c=1, d=1, e=1,
    by=[LOG_2,
        LOG_OF_ALL,
        Step(r"With $L = \log K$, the terms of $f$:",
            S * n * (L * x) ** 2 <= sqrt(L) * sqrt(S * n * K) * L * x * sqrt(L * x),
            over=ForAll(S >= 1, n >= 1, K >= 1, x >= 1, L > 0, d * S * n * x <= K, d >= 1), at={L: LOG_K}),
        Step("A linear term $p$ and a root term $q$, with the factor in front of them:",
            (sqrt(S) + v) * (p + q) <= (1 + v) * sqrt(S) * (1 + sqrt(L)) * q,
            over=ForAll(S >= 1, v >= 0, L > 0, p >= 0, q >= 0, p <= sqrt(L) * q),
            at={L: LOG_K, v: LOG_ALL, p: TERMS[p], q: TERMS[q]}),
        Step(Algebra(),
            Eq((1 + v) * (1 + sqrt(L)) * L * sqrt(L) * S * sqrt(n * K) * x * sqrt(x),
                (1 + v) * sqrt(S) * (1 + sqrt(L)) * sqrt(S * n * K) * L * x * sqrt(L * x)),
            over=ForAll(S >= 1, n >= 1, K >= 1, x >= 1, L > 0, v >= 0), at={L: LOG_K, v: LOG_ALL})],
    false=[{"e": "1/2"}, {"d": "1/2"}], nearest="c", under="thm:regret_upper_bound")

TWICE_THE_ARMS = Step(Algebra(), Eq(log(2 * v), log(2) + log(v)), over=ForAll(v > 0),
    at={v: S * n * K * LOG_K * x})
LOG_OF_2 = Step(Everywhere(), sympy.Le(log(2), Rational(7, 10), evaluate=False),
    sympy.Ge(log(2), Rational(69, 100), evaluate=False), over=ForAll())
FROM_N_TO_2N = (sqrt(S) + log(2 * S * n * K * LOG_K * x)) * with_logs(2 * n), (sqrt(S) + LOG_ALL) * with_logs(n)

at.printed(391).relation("eq:regret_tilde/sub-linear",
    r"""In the number of arms the bound is sub-linear. [[ours]] Where $K \ge \frac{Sn}{1-\beta}$ for $n$ and for $2n$,
    that of MB-PSRL and MB-UCRL2 in Theorem 1 grows at most $[[c]]$ times from $n$ to $2n$: with $x =
    \frac{1}{1-\beta}$, $[[formula]]$.""",
    EVERY_SIZE.where(K >= 2, 2 * S * n * x <= K), FROM_N_TO_2N[0] <= c * FROM_N_TO_2N[1], c=2,
    by=[LOG_2,
        LOG_OF_ALL,
        TWICE_THE_ARMS,
        LOG_OF_2,
        Step("A linear term $p$ and a root term $q$, with the factor $y$ in front of them:",
            (y + Rational(7, 10)) * (2 * p + sqrt(2) * q) <= 2 * y * (p + q),  # equivalent: as any from log 2 to 0.82
            over=ForAll(L > 0, y >= 2 * (1 + sqrt(L)), p >= 0, q >= 0, sqrt(2) * p <= sqrt(L) * q),
            at={L: LOG_K, **TERMS})],
    survives=Survives(sqrt(S) + LOG_ALL >= 2 + 2 * sqrt(LOG_K),
        says=r"$\sqrt S + \log\frac{SnK\log K}{1-\beta} \ge 2 + 2\sqrt{\log K}$"),
    fails="sublinear-in-arms", nearest="c")

at.ours(391).relation("eq:regret_tilde/super-linear",
    r"""The bound of MB-PSRL and MB-UCRL2 in Theorem 1 grows at least $[[c]]$ times from $n$ to $2n$: with $x =
    \frac{1}{1-\beta}$, $[[formula]]$.""",
    EVERY_SIZE.where(K >= 2, (sqrt(S) + LOG_ALL) * sqrt(K) <= 2 * sqrt(S * n * LOG_K * x)),
    FROM_N_TO_2N[0] >= c * FROM_N_TO_2N[1], c=2,
    by=[LOG_2,
        LOG_OF_ALL,
        TWICE_THE_ARMS,
        LOG_OF_2,
        Step(r"With $L = \log K$, the terms of $f$:",
            y * sqrt(S * n * K) * L * x * sqrt(L * x) <= 2 * S * n * (L * x) ** 2,
            over=ForAll(S >= 1, n >= 1, K >= 1, x >= 1, L > 0, y >= 0, y * sqrt(K) <= 2 * sqrt(S * n * L * x)),
            at={L: LOG_K, y: TERMS[y]}),
        Step("A linear term $p$ and a root term $q$, with the factor $y$ in front of them:",
            (y + Rational(69, 100)) * (2 * p + sqrt(2) * q) >= 2 * y * (p + q),
            over=ForAll(y >= 1, p >= 0, q >= 0, y * q <= 2 * p), at=TERMS)],
    candidates=[{S: ONE, n: fmpq(1000), K: fmpq(2), x: ONE}], nearest="c")

at.printed(389).relation("eq:regret_tilde/ucbvi",
    r"""The regret of MB-UCBVI has a factor $1/(1-\beta)$ more, without logarithmic terms. [[ours]] Said of the
    bounds: with $s = \sqrt S$, $x = \frac{1}{1-\beta}$ and $y > 0$ the theorem's logarithm, the factor of $f$ in that
    of MB-UCBVI, $s y x$, divided by $x^{[[p]]}$ times that in the others, $s + y$, is between $\frac{y}{1+y}$ and $y$:
    $[[formula]]$.""",
    ForAll(s >= 1, x >= 1, y > 0), y / (1 + y) * (s + y) * x**p <= s * y * x, s * y * x <= c * y * (s + y) * x**p, p=1,
    c=1, by=Solver(), false=[{"p": 0}, {"p": 2}], nearest="c")

# -- beside the lower bound, and beside the general algorithms

LOWER = sqrt(S * n * K * x)  # Theorem 2's, without its constant
UPPER = S * sqrt(n * K) * x ** Rational(3, 2)

at.printed(449).relation("thm:lower_bound/gap",
    r"""Logarithms left out, there is a factor $\sqrt S/(1-\beta)$ between the bounds of Theorems 1 and 2. [[ours]]
    Constants left out too, for $K \ge \frac{Sn}{1-\beta}$, by $S^{[[a]]}/(1-\beta)^{[[b]]}$. With $x =
    \frac{1}{1-\beta}$, $p = 0$ for MB-PSRL and MB-UCRL2 and $p = 1$ for MB-UCBVI: $[[formula]]$.""",
    EVERY_SIZE.where(p >= 0, S * n * x <= K), Eq(UPPER * x**p, S**a * x**b * LOWER), a="1/2", b=1,
    by=[Step(Algebra(), Eq(UPPER, S**a * x**b * LOWER), over=EVERY_SIZE)],
    survives=Survives(p <= 0, says="MB-PSRL and MB-UCRL2"), fails="ucbvi-gap",
    candidates=[{S: ONE, n: ONE, K: fmpq(2), x: fmpq(2), p: ONE}, {S: fmpq(2), n: ONE, K: fmpq(4), x: fmpq(2), p:
    ZERO}], nearest="a b")

at.repairs("thm:lower_bound/gap").relation("/ucbvi",
    r"""For MB-UCBVI the gap is $S^{[[a]]}/(1-\beta)^{[[b]]}$, logarithms and constants left out, for $K \ge
    \frac{Sn}{1-\beta}$: with $x = \frac{1}{1-\beta}$, $[[formula]]$.""",
    EVERY_SIZE.where(S * n * x <= K), Eq(UPPER * x, S**a * x**b * LOWER), a="1/2", b=2, by=Algebra(),
    candidates=[{S: fmpq(2), n: ONE, K: fmpq(4), x: fmpq(2)}], nearest="a b")

at.printed(104).relation("abstract/gap",
    r"""The regrets $\tilde O(S\sqrt{nK})$ match the lower bound $\Omega(\sqrt{SnK})$ up to the factor $\sqrt S$.
    [[ours]] As $S^{[[a]]}$, for a fixed $\beta$ and with logarithms left out: $[[formula]]$.""",
    ForAll(S >= 1, n >= 1, K >= 1), Eq(S * sqrt(n * K), S**a * sqrt(S * n * K)), a="1/2", by=Algebra(),
    candidates=[{S: fmpq(2), n: ONE, K: ONE}], nearest="a")

at = chapter.heading("thm:regret_upper_bound")
REGRET = r"\mathrm{Reg}(K, \mathcal{L}, M)"
OF_THE_MEAN = rf"\mathbb{{E}}[{REGRET}]"

def minimax_is_a_number(quantity: str) -> Answer:
    bandit = one_state_bandit((ONE, ZERO), ZERO)
    values = [policy_value(bandit, lambda _, arm=arm: arm)[0, 0] for arm in (0, 1)]  # type: ignore[misc]
    regrets = {f"arm {arm} is drawn": max(values) - value for arm, value in enumerate(values, 1)}
    if quantity == OF_THE_MEAN:
        regrets = {"arm 1 or 2 is drawn": sum(regrets.values(), ZERO) / len(regrets)}
    return answer(len(set(regrets.values())) == 1, **{name: str(value) for name, value in regrets.items()})

at.printed(435).property("thm:lower_bound/minimax",
    r"""What a minimax lower bound bounds is $\inf_{\mathcal{L}}\sup_M [[quantity]]$. [[ours]] Infimum and supremum are
    of a number; here for a learner that draws one of two one-state arms, of rewards $1$ and $0$, by a fair coin, for $K
    = 1$, $\beta = 0$.""",
    minimax_is_a_number, quantity=REGRET, fails="mean-left-out", true={"quantity": OF_THE_MEAN},
    under="thm:lower_bound")

CAUSES = [
    Cause("mean-left-out", Severity.SLIP, line=1015, title="A mean is left out",
        printed=r"$\mathrm{Reg}(K, \text{MB-UCRL2}, M) \le C'(\cdots)$, and $\inf\sup_M \mathrm{Reg}(K, \cdot, M)$",
        why=r"""The regret is a random variable. With an arm of Bernoulli rewards of mean $\frac12$ and one that pays
        $\frac14$, $S = 1$, $\beta = 0$, $K = 10^{13}$, all rewards of the first arm are $0$ with positive probability;
        then it is played less than $1000$ times, and the regret is above $2.4 \cdot 10^{12}$, the bound with $C' =
        21/10$ below $6 \cdot 10^{10}$.""",
        instead=r"""$\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCRL2}, M)]$, and $\inf_{\mathcal{L}}\sup_M
        \mathbb{E}[\mathrm{Reg}(K, \mathcal{L}, M)]$""",
        checked=("thm:regret_upper_bound/ucrl2", "thm:lower_bound/minimax"),
        follows="Nothing: Theorem 1 is stated for the mean.", witness="ucrl2/last-display/run"),
    Cause("sublinear-in-arms", Severity.EDGE, line=391,
        title="The bound is not sub-linear in the number of arms where there are many of them for the episodes",
        why=r"""The first term of $f$ is linear in $n$, and the logarithm grows with it: where $(\sqrt S +
        \log\frac{SnK\log K}{1-\beta})\sqrt K \le 2\sqrt{Sn\log K/(1-\beta)}$, the bound at least doubles from $n$ to
        $2n$. For $K \ge \frac{Sn}{1-\beta}$ it is at most $\tilde O(\sqrt n)$, though from $n$ to $2n$ it may more than
        double, as for $S = n = 1$, $\beta = 0$, $K = 2$.""",
        instead=r"""For $K \ge \frac{Sn}{1-\beta}$ this regret bound,
        $\tilde{O}\left(\frac{S\sqrt{nK}}{(1-\beta)^{3/2}}\right)$, is sub-linear in the number of arms. (So too in
        the introduction and the conclusion.)""",
        checked=("eq:regret_tilde", "eq:regret_tilde/sub-linear"),
        follows="Nothing.", witness="eq:regret_tilde/sub-linear"),
    Cause("ucbvi-gap", Severity.SLIP, line=449, title="The gap to the lower bound is larger for MB-UCBVI",
        why=r"""So do the bounds of MB-PSRL and MB-UCRL2; that of MB-UCBVI has an extra factor $\frac{1}{1-\beta}$, and
        differs by $\sqrt S/(1-\beta)^2$.""",
        instead=r"""Line 449 (gap): differs from the bounds of Theorem 1 by a factor $\sqrt S/(1-\beta)$ for MB-PSRL
        and MB-UCRL2, and $S^{0.5}/(1-\beta)^{2}$ for MB-UCBVI.""",
        checked=("thm:lower_bound/gap", "thm:lower_bound/gap/ucbvi"),
        follows="Nothing.", witness="thm:lower_bound/gap"),
]
