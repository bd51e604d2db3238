r"""Section B: Theorem 2."""

from __future__ import annotations

from proofs_checks.paper.section_2.entries import REST
from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.best_learners import Forced as Smallest
from proofs_checks.paper.appendix_b.checks import AtMostHalf, Forced, ForcedSto, ReachesHalf
from theory.enclosures import Enclosure
from theory.paper import (
    BestArmPrior, adaptive_regret, episodic_regret, known_horizon_regrets, mean_visits, one_step_episodes_regret,
    squared_bound, visit_law, visits_below,
)

chapter = Chapter()

# == The stochastic bandits that Theorem 2 stands on: eq:regret_sto, its range, and many arms.

at = chapter.heading("eq:regret_sto")
tau = sympy.Symbol("tau", integer=True)
FORCED_STO = ForcedSto(n, tau)
PULLS = ForAll(n >= 1, tau >= 1)
TWO_ARMS = ForAll(n >= 2, tau >= 1)
FORCED_STO_IS = r"""$\mathcal{R}^{\mathrm{sto}}(n, \tau)$ is the supremum of the Bayesian regrets of $\tau$ pulls that
priors on finitely many bandits of $n$ arms, with finitely many rewards in $[0, 1]$, force on every learner"""

# -- few arms

at.ours(1122).relation("eq:regret_sto/sharper",
    rf"$[[formula]]$; {FORCED_STO_IS}.",
    TWO_ARMS, c * FORCED_STO >= tau * Min(1, sqrt(n / tau)), reading=IN_UNIT, c=13, kernel="stochastic_bandit_sharper",
    nearest="c")

# -- many arms

at.ours(1114).relation("eq:regret_sto/needle",
    rf"$[[formula]]$; {FORCED_STO_IS}.",
    PULLS, tau - a * tau * (tau + 1) / n <= FORCED_STO, reading=IN_UNIT, a="1/2", kernel="stochastic_needle",
    nearest="a")

# -- eq:regret_sto itself, for which the paper cites Bubeck and Cesa-Bianchi (2012), Theorem 3.1 and Lemma 3.2; it is
# proved here for every learner

at.printed(1114).relation("eq:regret_sto",
    rf"""For any $n$ and $\tau$, $\mathrm{{Reg}}^{{\mathrm{{stoc.pb}}}}(\tau, \mathcal{{L}}^{{\mathrm{{stoc.pb}}}},
    M^{{\mathrm{{stoc.pb}}}}) \ge \frac{{1}}{{[[c]]}}\sqrt{{n\tau}}$ in some problem of $n$ arms. [[ours]] In the mean
    over a prior, $[[formula]]$; {FORCED_STO_IS}.""",
    PULLS, c * FORCED_STO >= sqrt(n * tau), reading=IN_UNIT, c=20, a=397,
    kernel="stochastic_bandit_in_range",
    survives=Survives(n >= 2, n <= a * tau, says=r"$2 \le n \le 397\,\tau$"), fails="lower-bound-range",
    candidates=[{n: fmpq(401), tau: ONE}, {n: fmpq(398), tau: ONE}, {n: fmpq(397), tau: ONE}], false={"a": 398},
    nearest="c", under="thm:lower_bound")

at.ours(1114).relation("eq:regret_sto/repair",
    rf"""Some prior forces a regret of $\frac1{{[[c]]}}\min\{{\sqrt{{n\tau}}, \sqrt{{[[a]]}}\,\tau\}}$: $[[formula]]$;
    {FORCED_STO_IS}.""",
    TWO_ARMS, c * FORCED_STO >= Min(sqrt(n * tau), sqrt(a) * tau), reading=IN_UNIT, c=20, a=397,
    kernel="stochastic_bandit",
    candidates=[{n: fmpq(397), tau: ONE}, {n: fmpq(398), tau: ONE}], nearest="c a", repairs="eq:regret_sto")

# == Lemma `concentration_T_i`: the number of steps spent in one state by K episodes, its law, mean and lower tail.
# An episode starts in state i with probability 1/S and, as no arm moves, stays there for all its steps.

at = chapter.heading("lem:concentration_T_i")
ALL_SIZES = ForAll(S >= 1, K >= 1, beta >= 0, beta < 1)
LONGEST = 8
Visits = tuple[int, int, fmpq]
MANY = 10, 60, fmpq(9, 10)  # here K/S times the probability to stay below half of the mean is above 1
VISITS = Family(r"""$S \in \{1, 2, 3, 5\}$, $K \in \{1, 2, 3\}$, $\beta \in \{0, \frac{1}{2}, \frac{9}{10}\}$; and $S =
    10$, $K = 60$, $\beta = \frac{9}{10}$""",
    lambda: chain(product((1, 2, 3, 5), (1, 2, 3), (ZERO, fmpq(1, 2), fmpq(9, 10))), [MANY]))
EVERY_SIZE = r"$S, K \ge 1$, $0 \le \beta < 1$; the model of the proof, where no arm moves; any learner"

def law_of_steps(S: int, K: int, beta: fmpq, shift: int = 1) -> list[fmpq]:
    """Return P(T_i = t) up to `LONGEST`, by following the model's episodes step by step; lengths begin at `shift`."""
    waiting = {0: ONE}  # the probability of so many visits when an episode starts
    for _ in range(K):
        after = {t: chance * (1 - fmpq(1, S)) for t, chance in waiting.items()}
        playing = {t + shift: chance / S for t, chance in waiting.items()}  # at the first step in state i
        for _ in range(LONGEST + 1):
            for t, chance in playing.items():
                after[t] = after.get(t, ZERO) + chance * (1 - beta)
            playing = {t + 1: chance * beta for t, chance in playing.items()}
        waiting = {t: chance for t, chance in after.items() if t <= LONGEST}  # visits only grow
    return [waiting.get(t, ZERO) for t in range(LONGEST + 1)]

def _same_law(case: Visits, shift: int) -> Answer:
    steps, products = law_of_steps(*case, shift), visit_law(*case, LONGEST)
    told = dict(zip(("S", "K", "beta"), case, strict=True))
    return answer(steps == products, **told, law_of_the_steps=steps, law_of_the_sum=products)

def _lemma(case: Visits, d: object) -> Answer:
    S, K, beta = case
    below = visits_below(S, K, beta, mean_visits(S, K, beta) / 2)
    same = law_of_steps(S, K, beta) == visit_law(S, K, beta, LONGEST)
    return answer(same and below <= rational(d) * S / K, S=S, K=K, beta=beta, probability_below_half=below)

at.printed(1150).property("lem:concentration_T_i",
    r"""$T_i \sim \sum_{k=1}^K G_k H_k$ is the number of steps in state $\boldsymbol{i}$; $\mathbb{E}[T_i] =
    K/(S(1-\beta))$, and $\mathbb{P}(T_i \ge \mathbb{E}[T_i]/2) \ge 1 - [[d]] S/K$. [[ours]] $G_k$ and $H_k$ are those
    of `lem:concentration_T_i/i`.""",
    _lemma, over=VISITS, domain=EVERY_SIZE, d=8,
    kernel=("law_of_visits", "mean_visits_of_state", "visits_reach_half"), nearest="d", under="")

at.printed(1153).property("lem:concentration_T_i/i",
    r"""$T_i \sim \sum_{k=1}^K G_k H_k$, with $G_k$ Bernoulli of mean $1/S$ and $H_k$ geometric of parameter $1-\beta$,
    all independent. [[ours]] So $\mathbb{P}(H_k = h) = (1-\beta)\beta^{h-[[shift]]}$, $h \ge [[shift]]$. Whatever any
    learner plays, $T_i$ depends on initial states and lengths alone.""",
    _same_law, over=VISITS, domain=EVERY_SIZE, shift=1, kernel=("law_of_visits", "run_visits"), false={"shift": 0})

OF_LAW = "$T_i$ has the law of `lem:concentration_T_i/i`."
PARTIAL_MEAN = K / S * (Sum(m * (1 - beta) * beta ** (m - 1), (m, 1, N)) + beta**N * (N + 1 / (1 - beta)))

at.printed(1154).relation("lem:concentration_T_i/ii",
    rf"""$\mathbb{{E}}[T_i] = K\,\mathbb{{E}}[H_1G_1] = \frac{{K}}{{S(1-\beta)}}$. [[ours]] {OF_LAW} For every $N$:
    $[[formula]]$, and what stands beside the sum tends to $0$.""",
    ALL_SIZES.where(N >= 0), Eq(PARTIAL_MEAN, c * K / (S * (1 - beta))), c=1,
    kernel=("mean_visits_of_state", "geometric_moments"),
    nearest="c")

FIRST, SECOND = 1 / (S * (1 - beta)), (Sum(m**2 * (1 - beta) * beta ** (m - 1), (m, 1, N)) + beta**N * REST[1]) / S

at.printed(1174).relation("lem:concentration_T_i/variance",
    r"""$\mathbb{E}[(H_1G_1)^2] = [[*b]]\frac{1+\beta}{S(1-\beta)^2} \le [[c]]S(\mathbb{E}[H_1G_1])^2$ and
    $\mathrm{var}[H_1G_1] \le ([[c]]S - [[d]])(\mathbb{E}[H_1G_1])^2$. [[ours]] With $\mathbb{E}[H_1G_1] =
    \frac{1}{S(1-\beta)}$ and $\mathbb{E}[(H_1G_1)^2] = \frac1S\mathbb{E}[H_1^2]$, as $G_1^2 = G_1$ has mean
    $\frac1S$ and is independent of $H_1$: for every $N$, $[[formula]]$.""",
    ForAll(S >= 1, beta >= 0, beta < 1, N >= 0), Eq(SECOND, b * (1 + beta) / (S * (1 - beta) ** 2)),
    c * S * FIRST**2 >= SECOND, (c * S - d) * FIRST**2 >= SECOND - FIRST**2, b=1, c=2, d=1,
    by=[Step("The variance of $T_i$ for $K = 1$:", InKernel("variance_of_visits", "geometric_moments", b=1),
            Eq(SECOND - FIRST**2, (b * (1 + beta) * S - 1) * FIRST**2))],
    candidates=[{S: ONE, beta: place, N: ONE} for place in (ZERO, 1 - fmpq(1, 10**6))], nearest="b c d+")

VARIANCE_OVER_SQUARE = ((1 + beta) * S - 1) / K  # Var[T] / E[T]^2, T being a sum of K independent terms

at.printed(1171).relation("lem:concentration_T_i/chebyshev",
    rf"""$\mathbb{{P}}\big(T_i \le \frac{{\mathbb{{E}}[T_i]}}{{2}}\big) \le
    \frac{{[[c]]}}{{K}}\,\frac{{\mathrm{{var}}[H_1G_1]}}{{(\mathbb{{E}}[H_1G_1])^2}}$. [[ours]] {OF_LAW} The last factor
    is $(1+\beta)S - 1$: $[[formula]]$.""",
    ALL_SIZES, AtMostHalf(S, K, beta) <= c * VARIANCE_OVER_SQUARE, c * VARIANCE_OVER_SQUARE <= d * S / K, c=4, d=8,
    kernel=("variance_of_visits", "chebyshev_of_visits"),
    candidates=[{S: fmpq(2), K: fmpq(4), beta: ZERO}, {S: fmpq(1000), K: ONE, beta: fmpq(999, 1000)}],
    false={"c": "31/25"}, nearest="d")

at.printed(1155).relation("lem:concentration_T_i/iii",
    rf"$\mathbb{{P}}(T_i \ge \mathbb{{E}}[T_i]/2) \ge 1 - [[d]] S/K$. [[ours]] {OF_LAW}",
    ALL_SIZES, ReachesHalf(S, K, beta) >= 1 - d * S / K, d=8, kernel="visits_reach_half",
    candidates=[{S: fmpq(10), K: fmpq(60), beta: fmpq(9, 10)}], nearest="d")

at.printed(1147).relation("thm:lower_bound/half",
    rf"""For $K \ge [[a]]S$, $\mathbb{{P}}(T_i \ge \tau) \ge 1/2$. [[ours]] {OF_LAW} With $\tau = \mathbb{{E}}[T_i]/2$,
    $[[formula]]$.""",
    ALL_SIZES.where(a * S <= K), ReachesHalf(S, K, beta) >= b, a=16, b="1/2", kernel="visits_reach_half_often",
    candidates=[{S: fmpq(2), K: fmpq(32), beta: fmpq(9, 10)}, {S: fmpq(6), K: fmpq(6), beta: fmpq(49, 50)}],
    false={"a": 1}, nearest="b", max_instances=40, under="thm:lower_bound")

# == The chain of inequalities of Section B: from the learners of the paper to one stochastic bandit per state.

at = chapter.heading("thm:lower_bound")
SIZES = ForAll(S >= 1, n >= 1, K >= 16 * S, beta >= 0, beta < 1)
MEAN = K / (S * (1 - beta))
TAU = MEAN / 2
LONG = K / (1 - beta)  # the mean number of steps of all episodes
FORCED, REACHED = Forced(S, n, K, beta), ReachesHalf(S, K, beta)
FORCED_IS = r"""$\mathcal{R}(S, n, K, \beta)$ is the supremum of the Bayesian regrets that priors on finitely many
Markovian bandits with these parameters, with finitely many rewards, force on every learner"""
STO_IS = r"""$\mathcal{R}^{\mathrm{sto}}(n, \tau)$ that of $\tau$ pulls of a stochastic bandit of $n$ arms"""

SMALL = tuple({S: ONE, n: fmpq(arms), K: fmpq(16), beta: ZERO} for arms in (2, 9, 16, 1000))

def symmetric(S: int, n: int, beta: fmpq, gap: fmpq) -> BestArmPrior:
    return BestArmPrior(S, n, beta, (1 - gap) / 2, (1 + gap) / 2)

# -- tau is a number of steps

at.implied(1124).relation("thm:lower_bound/tau-integer",
    r"""$\tau = \frac{K}{2S(1-\beta)}$ is an integer, as the number of steps in eq:regret_sto is (with $r = 1$,
    $\lceil\tau\rceil$ in its place): with $r = [[r]]$, $[[formula]]$.""",
    ForAll(S >= 1, K >= 16 * S, beta >= 0, beta < 1),
    Eq(ceiling(TAU), (1 - r) * TAU + r * ceiling(TAU)), r=0, fails="tau-integer",
    candidates=[{S: fmpq(1), K: fmpq(17), beta: ZERO}], false={"r": "999/1000"}, true={"r": 1})

at.repairs("thm:lower_bound/tau-integer").relation("/repair",
    r"""With $w = \tau$: an integer $N \ge w$, such as a number of steps, is at least $\lceil w \rceil$, and
    $[[formula]]$. (Whether the last line of the display then holds: `eq:lower2`.)""",
    ForAll(N >= 0, w > 0, w <= N, n >= 1), ceiling(w) + d <= N, sqrt(n * (ceiling(w) - d)) >= sqrt(n * w), d=0,
    by=[Step(Solver(integers=True), ceiling(w) + d <= N),
        Step(sqrt(n * v) >= sqrt(n * w), over=ForAll(n >= 1, w > 0, v >= w), at={v: ceiling(w) - d})],
    nearest="d")

# -- the learners

CASES = ((1, 2, 2, ZERO, 2, HALF), (1, 2, 3, HALF, 14, HALF), (1, 2, 3, HALF, 14, ONE), (1, 3, 2, HALF, 9, HALF))
"""S, n, K, the discount, the depth of the tree of posteriors, the gap; at discount 0 the tree is complete."""
Case = tuple[int, int, int, fmpq, int, fmpq]

def _ordered(case: Case, d: object) -> Answer:
    S, n, K, beta, depth, gap = case
    prior = symmetric(S, n, beta, gap)
    adaptive, episodic = adaptive_regret(prior, K, depth), episodic_regret(prior, K, depth)
    return answer(adaptive.low + rational(d) <= episodic.high, S_n_K_beta=case[:4], adaptive_at_least=adaptive.low,
        episodic_at_most=episodic.high)

at.implied(1139).property("thm:lower_bound/any-learner",
    r"""The learners of the proof are at least as able as those of the paper: the smallest Bayesian regret grows, by at
    least $[[d]]$, from a learner that chooses at each step to one whose policy is fixed during an episode.""",
    _ordered, over=Family("small priors with one better arm", lambda: iter(CASES)),
    domain="every prior on finitely many bandits, with finitely many observations",
    reading=IN_UNIT, d=0, kernel="forced_on_episodic",
    nearest="d")

def _by_steps(case: tuple[int, int, fmpq], c: object) -> Answer:
    S, n, beta = case
    prior = symmetric(S, n, beta, HALF)
    for best, bandit in prior.models():
        optimum = policy_value(bandit, lambda state, best=best: best[state[0]])  # type: ignore[misc]
        for arm in range(n):
            value = policy_value(bandit, lambda _state, arm=arm: arm)  # type: ignore[misc]
            for i in range(S):
                start = (i,) * n
                regret, claimed = optimum[start] - value[start], prior.gap * int(best[i] != arm) / (1 - beta)
                if regret != rational(c) * claimed:
                    return answer(False, model=bandit, state=start, arm=arm, regret=regret, by_steps=claimed)
    return answer(True)

at.implied(1140).property("thm:lower_bound/regret-by-steps",
    r"""The regret $V^*(i) - V^{\pi_k}(i)$ of an episode is $[[*c]](\gamma' - \gamma)$ times the expected number of its
    steps that play a wrong arm.""",
    _by_steps,
    over=Family("priors with two or three arms",
        lambda: iter([(1, 2, ZERO), (1, 3, HALF), (2, 2, HALF), (2, 2, fmpq(9, 10))])),
    domain="every model of the prior; any learner", reading=IN_UNIT, c=1, kernel="regret_by_steps", nearest="c")

def _state_by_state(case: tuple[int, int], best_arms: str, c: object) -> Answer:
    """Compare the least joint regret on two states, over all histories of one-step episodes, with the sum of both."""
    n, K = case
    prior = BestArmPrior(S=2, n=n, discount=0, base="1/4", best="3/4")
    likely = [best for best, _ in prior.models()] if best_arms == "independent" else [(arm, arm) for arm in range(n)]
    belief = dict.fromkeys(likely, ONE / len(likely))
    joint, alone = one_step_episodes_regret(prior, belief, K), known_horizon_regrets(prior, K)
    apart = 2 * sum((chance * regret for chance, regret in zip(visit_law(2, K, 0, K), alone, strict=True)), ZERO)
    return answer(joint >= rational(c) * apart, S=2, n=n, K=K, joint=joint, told_all_visits=apart)

at.printed(1135).property("thm:lower_bound/separate-states",
    r"""As the $a^*_i$ are chosen independently, a learning algorithm cannot use the information for
    $M^{\mathrm{stoc.pb}}_i$ to perform better on $M^{\mathrm{stoc.pb}}_j$, $j \ne i$. [[ours]] With [[best_arms]] best
    arms of the states and any fixed initial states and lengths, known to the learner or not, what its steps lose in the
    mean over the prior is at least [[c=1?$#$ times ]]the sum over $i$ of the smallest regret of $T_i$ pulls. (What an
    episode loses is what its steps lose: `thm:lower_bound/regret-by-steps`. In the mean over initial states and
    lengths: `thm:lower_bound/first-lines`.)""",
    _state_by_state,
    over=Family("two states, two or three arms, up to four episodes", lambda: iter([(2, 2), (2, 3), (2, 4), (3, 3)])),
    domain="the prior of the proof; any learner", reading=IN_UNIT, best_arms="independent", c=1,
    kernel="separate_states", false={"best_arms": "equal"}, nearest="c")

at.printed(1141).process("eq:non-decreasing",
    r"""$\sum_{i=1}^S \mathbb{E}\left[\mathrm{Reg}^{\mathrm{stoc.pb}}(T_i, \mathcal{L}^{\mathrm{stoc.pb}}_i,
    M^{\mathrm{stoc.pb}}_i)\right] \ge \sum_{i=1}^S \mathbb{E}\left[\mathrm{Reg}^{\mathrm{stoc.pb}}(\tau,
    \mathcal{L}^{\mathrm{stoc.pb}}_i, M^{\mathrm{stoc.pb}}_i) \mathbb{I}_{\{T_i \ge \tau\}}\right]$, as the expected
    regret is non-decreasing in the number of episodes. [[ours]] In that of steps, with $\tau$ rounded up: each later
    step adds, for each arm, the probability $p$ to play it times what its mean $v$ lacks to the best one $b$, which
    is at least $[[a]]$.""",
    s >= z + a * N, start={s: z, N: 0}, move={s: s + p * (b - v), N: N + 1},
    inputs=ForAll(p >= 0, p <= 1, v >= 0, v <= b), fixed=ForAll(z >= 0, b >= 0, b <= 1), reading=IN_UNIT, a=0,
    by=Invariant(), nearest="a")

at.printed(1139).relation("thm:lower_bound/first-lines",
    rf"""By the first two lines of the display, $\mathrm{{BayReg}}(K, \mathcal{{L}}, \phi) \ge \sum_{{i=1}}^S
    \mathbb{{E}}\left[\mathrm{{Reg}}^{{\mathrm{{stoc.pb}}}}(\tau, \mathcal{{L}}^{{\mathrm{{stoc.pb}}}}_i,
    M^{{\mathrm{{stoc.pb}}}}_i) \mathbb{{I}}_{{\{{T_i \ge \tau\}}}}\right]$. [[ours]] With $\tau =
    \frac{{K}}{{2S(1-\beta)}}$ rounded up, $[[formula]]$, where {FORCED_IS}, and {STO_IS}.""",
    ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1), c * S * REACHED * ForcedSto(n, ceiling(TAU)) <= FORCED,
    reading=IN_UNIT, c=1, kernel="first_lines",
    nearest="c")

# -- the last lines

AT_TAU = {tau: ceiling(TAU)}
ROUNDED = Step(sqrt(n * T) >= sqrt(n * w), over=ForAll(n >= 1, w > 0, w <= T), at={T: ceiling(TAU), w: TAU})

at.printed(1142).relation("eq:lower2",
    r"""With $\tau = K/(2S(1-\beta))$, $\sum_{i=1}^S \mathbb{E}\left[\mathrm{Reg}^{\mathrm{stoc.pb}}(\tau,
    \mathcal{L}^{\mathrm{stoc.pb}}_i, M^{\mathrm{stoc.pb}}_i) \mathbb{I}_{\{T_i \ge \tau\}}\right] \ge \frac{S}{[[c]]}
    \sqrt{n\tau}\,\mathbb{P}(T_i \ge \tau)$. [[ours]] With $\tau$ rounded up where it is a number of steps, and
    $\mathcal{R}^{\mathrm{sto}}$ of `eq:regret_sto`, $[[formula]]$.""",
    SIZES, c * S * ForcedSto(n, ceiling(TAU)) * REACHED >= S * sqrt(n * TAU) * REACHED, reading=IN_UNIT, c=20, a=397,
    by=[Uses("eq:regret_sto", at=AT_TAU),
        ROUNDED,
        Step("A probability that is at least $\\frac12$:", Uses("thm:lower_bound/half")),
        Step(c * S * z * p >= S * v * p, over=ForAll(S >= 1, p >= 0, c * z >= v),
            at={z: ForcedSto(n, ceiling(TAU)), v: sqrt(n * TAU), p: REACHED})],
    survives=Survives(n >= 2, 2 * n * S * (1 - beta) <= a * K, says=r"$2 \le n \le 397\,\tau$"),
    fails="lower-bound-range",
    candidates=[{S: ONE, n: fmpq(arms), K: fmpq(16), beta: ZERO} for arms in (3200, 3199, 397 * 8)],
    false={"a": "3199/8"}, nearest="c")

at.printed(1143).relation("eq:tau",
    r"""With $\tau = K/(2S(1-\beta))$, $\frac{S}{20}\sqrt{n\tau}\,\mathbb{P}(T_i \ge \tau) =
    \frac{1}{[[a]]\sqrt{[[b]]}}\,\mathbb{P}(T_i \ge \tau) \sqrt{\frac{SnK}{1-\beta}}$.""",
    ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1),
    Eq(a * sqrt(b) * S * sqrt(n * TAU), 20 * sqrt(S * n * LONG)), a=20, b=2,
    by=[Step(Algebra(), Eq(a * sqrt(b) * S * sqrt(n * y / (2 * S)), 20 * sqrt(S * n * y)),
            over=ForAll(S >= 1, n >= 1, y > 0), at={y: LONG})],
    nearest="a b")

at.printed(1147).relation("thm:lower_bound/constant", "",
    ForAll(), sympy.Le(40 * sqrt(2), c), c=60, by=Everywhere(), nearest="c")

# -- many arms

at.ours(1142).relation("thm:lower_bound/many-arms",
    rf"$[[formula]]$; {FORCED_IS}.",
    ForAll(S >= 1, n >= 1, d * S <= K, beta >= 0, beta < 1), LONG * (1 - a * MEAN / n) <= FORCED, reading=IN_UNIT,
    a="9/16", d=16, kernel="theorem_needle",
    candidates=[{S: ONE, n: fmpq(1000), K: each, beta: ZERO} for each in (fmpq(16), ONE)], false={"d": 1}, nearest="a")

# -- the prior as data

BAYES: tuple[Case, ...] = (
    (1, 2, 16, ZERO, 16, fmpq(5, 16)),
    (2, 2, 32, ZERO, 32, fmpq(3, 8)),
    (1, 3, 16, ZERO, 16, fmpq(3, 8)),
    (1, 2, 16, HALF, 44, fmpq(1, 5)),
)

@cache
def _adaptive(case: Case) -> Enclosure:
    S, n, K, beta, depth, gap = case
    return adaptive_regret(symmetric(S, n, beta, gap), K, depth)

def _bayes_optimal(case: Case, c: object, share: object) -> Answer:
    S, n, K, beta, depth, gap = case
    found = _adaptive((S, n, K, beta, depth, gap * rational(share)))
    smallest = Smallest(S, n, K, beta, gap * rational(share), found.low, found.high, squared_bound(S, n, K, beta, 1))
    return answer(smallest.at_least(rational(c)), S_n_K_beta=(S, n, K, beta), gap=smallest.gap,
        regret_at_least=found.low, SnK_over_1_minus_beta=smallest.unit_squared)

at.ours(1138).property("thm:lower_bound/bayes-optimal",
    r"""On the prior of the proof with means $\frac{1 \mp e}{2}$, $e = [[*share]]\frac{5}{16}, \frac38, \frac38,
    \frac15$, the Bayes-optimal learner, which may adapt within an episode, has regret at least
    $\frac{1}{[[c]]}\sqrt{\frac{SnK}{1-\beta}}$. (Theorem 2 has $\frac{1}{60}$.)""",
    _bayes_optimal,
    over=Family(r"$(S, n, K, \beta) = (1,2,16,0)$, $(2,2,32,0)$, $(1,3,16,0)$, $(1,2,16,\frac12)$", lambda: iter(BAYES),
        complete=True),
    reading=IN_UNIT, c=6, share=1, by=Everywhere(), false=[{"share": "3/5"}, {"share": "3/2"}],
    nearest="c")

CAUSES = [
    Cause("tau-integer", Severity.EDGE, line=1124, title="A number of steps that is no integer",
        printed=r"Set $\tau = K/(2S(1-\beta))$.",
        why=r"The existing bound is for an integer number of steps; at $S = 1$, $K = 17$, $\beta = 0$, $\tau = 17/2$.",
        instead=r"$\lceil\tau\rceil$ for the least number of steps",
        follows="Nothing: the bounds grow with the number of steps.", witness="thm:lower_bound/tau-integer"),
]
