r"""The chain of inequalities of Section B: from the learners of the paper to one stochastic bandit per state.

R(S, n, K, beta) is the largest Bayesian regret that a prior forces on every learner; m = K/(S(1-beta)) is the mean
number of visits of a state, and tau = m/2.
"""

from __future__ import annotations

from functools import cache

import sympy  # type: ignore[import-untyped]
from flint import fmpq
from sympy import Eq, Rational, ceiling, sqrt

from proofs_checks.computations.forced_regrets import Forced, ForcedSto, ReachesHalf
from proofs_checks.evidence import Algebra, Argument, ByHand, Everywhere, Invariant, Solver, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict, survives
from proofs_checks.statements import Answer, Family, ForAll, Process, Property, Relation, answer
from proofs_checks.statements.symbols import K, N, S, T, a, b, beta, c, d, f, g, m, n, p, q, r, s, u, v, w, y, z
from theory import ONE, ZERO, policy_value, rational
from theory.paper import (
    BestArmPrior,
    Enclosure,
    adaptive_regret,
    clairvoyant_regret,
    episodic_regret,
    known_horizon_regrets,
    one_step_episodes_regret,
    squared_bound,
    visit_law,
)

chapter = Chapter(under="thm:lower_bound")
tau = sympy.Symbol("tau", integer=True)
HALF = fmpq(1, 2)
SIZES = ForAll(S >= 1, n >= 1, K >= 16 * S, beta >= 0, beta < 1)
MEAN = K / (S * (1 - beta))
TAU = MEAN / 2
LONG = K / (1 - beta)  # the mean number of steps of all episodes
FORCED, REACHED = Forced(S, n, K, beta), ReachesHalf(S, K, beta)
IN_UNIT = {"mean rewards": "in [0, 1]"}
FORCED_IS = r"""$\mathcal{R}(S, n, K, \beta)$ is the largest Bayesian regret that a prior on Markovian bandits with
these parameters forces on every learner"""
STO_IS = r"""$\mathcal{R}^{\mathrm{sto}}(n, \tau)$ that of $\tau$ pulls of a stochastic bandit of $n$ arms"""


SMALL = tuple({S: ONE, n: fmpq(arms), K: fmpq(16), beta: ZERO} for arms in (2, 9, 16, 1000))


def symmetric(S: int, n: int, beta: fmpq, gap: fmpq) -> BestArmPrior:
    """Return the prior with means (1-gap)/2 and (1+gap)/2."""
    return BestArmPrior(S, n, beta, (1 - gap) / 2, (1 + gap) / 2)


# -- tau is a number of steps

chapter.implied(
    Relation(
        "thm:lower_bound/tau-integer",
        ForAll(S >= 1, K >= 16 * S, beta >= 0, beta < 1),
        Eq(ceiling(TAU), (1 - r) * TAU + r * ceiling(TAU), evaluate=False),
        says=r"""$\tau = \frac{K}{2S(1-\beta)}$ is an integer, as the number of steps in eq:regret_sto is (with $r = 1$,
        $\lceil\tau\rceil$ in its place): with $r = [[r]]$, $[[formula]]$.""",
        r=0,
    ),
    line=1124,
    verdict=Verdict.FAILS,
    severity=Severity.EDGE,
    cause="tau-integer",
    witnesses=[{S: fmpq(1), K: fmpq(17), beta: ZERO}],
    mutants=[{"r": "999/1000"}],
    controls=[{"r": 1}],
)

chapter.ours(
    Relation(
        "thm:lower_bound/tau-integer/repair",
        ForAll(N >= 0, w > 0, w <= N, n >= 1),
        ceiling(w) + d <= N,
        sqrt(n * (ceiling(w) - d)) >= sqrt(n * w),
        says=r"""With $\lceil\tau\rceil$ in place of $\tau$ the chain of inequalities holds: an integer $N \ge w$ is at
        least $\lceil w \rceil$, and $[[formula]]$.""",
        d=0,
    ),
    Argument(
        Step("", Solver(integers=True), ceiling(w) + d <= N),
        Step("", Solver(), sqrt(n * v) >= sqrt(n * w), over=ForAll(n >= 1, w > 0, v >= w), at={v: ceiling(w) - d}),
    ),
    line=1124,
    repairs="thm:lower_bound/tau-integer",
    nearest={"d": "up"},
)

# -- the learners

CASES = ((1, 2, 2, ZERO, 2, HALF), (1, 2, 3, HALF, 14, HALF), (1, 2, 3, HALF, 14, ONE), (1, 3, 2, HALF, 9, HALF))
"""S, n, K, the discount, the depth of the tree of posteriors, the gap; without discount nothing is cut."""
Case = tuple[int, int, int, fmpq, int, fmpq]


@cache
def three_learners(case: Case) -> tuple[Enclosure, Enclosure, Enclosure]:
    """Return the smallest Bayesian regrets: told all lengths, choosing at each step, with one policy an episode."""
    S, n, K, beta, depth, gap = case
    prior = symmetric(S, n, beta, gap)
    told, adaptive, episodic = (
        learner(prior, K, depth) for learner in (clairvoyant_regret, adaptive_regret, episodic_regret)
    )
    return told, adaptive, episodic


def _ordered(case: Case, d: object) -> Answer:
    told, adaptive, episodic = three_learners(case)
    more = rational(d)
    contradicted = told.low + more > adaptive.high or adaptive.low + more > episodic.high
    return answer(
        not contradicted,
        S_n_K_beta=case[:4],
        told_at_least=told.low,
        adaptive_at_most=adaptive.high,
        adaptive_at_least=adaptive.low,
        episodic_at_most=episodic.high,
    )


chapter.implied(
    Property(
        "thm:lower_bound/any-learner",
        _ordered,
        over=Family("small priors with one better arm", lambda: iter(CASES)),
        domain="every prior",
        says=r"""The learners of the proof are at least as able as those of the paper. The smallest Bayesian regret
        grows, by at least $[[d]]$, from a learner that is told all lengths and initial states to one that chooses at
        each step, and from this to one whose policy is fixed during an episode.""",
        reading=IN_UNIT,
        d=0,
    ),
    Argument(
        Step(
            r"""A learner that is told $x$ (probability $p$) or $y$ (probability $q$) before a choice has the mean of
            two minima $f$ and $g$; one that is not told a minimum of means, with terms larger by $u, v \ge 0$:""",
            Solver(),
            p * (f + u) + q * (g + v) >= p * f + q * g + d,
            over=ForAll(p >= 0, q >= 0, u >= 0, v >= 0, f >= 0, g >= 0),
        ),
        conclusion=ByHand(
            """At each choice the adaptive learner knows what the episodic one knew at the start of the episode, and
            more; the one that is told all lengths knows more again. Backwards from the last choice."""
        ),
    ),
    line=1139,
    nearest={"d": "up"},
)


def _by_steps(case: tuple[int, int, fmpq], c: object) -> Answer:
    """Hold the regret of an episode to gap times 1{wrong arm} times mean length, in every model of the prior."""
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


chapter.implied(
    Property(
        "thm:lower_bound/regret-by-steps",
        _by_steps,
        over=Family(
            "priors with two or three arms",
            lambda: iter([(1, 2, ZERO), (1, 3, HALF), (2, 2, HALF), (2, 2, fmpq(9, 10))]),
        ),
        domain="every model of the prior",
        says=r"""The regret $V^*(i) - V^{\pi_k}(i)$ of an episode is $[[*c]](\gamma' - \gamma)$ times the expected
        number of its steps that play a wrong arm: the first line of the display, for the best learner, is an
        equality.""",
        reading=IN_UNIT,
        c=1,
    ),
    Argument(
        Step("An episode stays in its state.", Uses("thm:lower_bound/independent-of-play")),
        Step(
            r"The mean length is $\frac{1}{1-\beta}$.",
            Uses("eq:V-vs_R/moments", over=ForAll(N >= 0, beta >= 0, beta < 1)),
        ),
        Step(
            r"The value of a policy that plays an arm of mean $u$ there solves $v = u + \beta v$, so that",
            Solver(),
            c * (z - v) * (1 - beta) >= b - u,
            c * (z - v) * (1 - beta) <= b - u,
            over=ForAll(Eq(v, u + beta * v, evaluate=False), Eq(z, b + beta * z, evaluate=False), beta >= 0, beta < 1),
        ),
        conclusion=ByHand(r"Both policies play one arm throughout the episode, $b$ being the mean of the best one."),
    ),
    line=1140,
    nearest={"c": "down"},
)


def _state_by_state(case: tuple[int, int], best_arms: str) -> Answer:
    """Search all histories of two states, of episodes of one step, for the smallest joint regret."""
    n, K = case
    prior = BestArmPrior(S=2, n=n, discount=0, base="1/4", best="3/4")
    if best_arms == "independent":
        belief = {best: fmpq(1, n**2) for best, _ in prior.models()}
    else:
        belief = {(arm, arm): fmpq(1, n) for arm in range(n)}
    joint, alone = one_step_episodes_regret(prior, belief, K), known_horizon_regrets(prior, K)
    apart = 2 * sum((chance * regret for chance, regret in zip(visit_law(2, K, 0, K), alone, strict=True)), ZERO)
    by_state = adaptive_regret(prior, K, K)
    true = joint >= apart and joint == by_state.low
    return answer(true, S=2, n=n, K=K, joint=joint, state_by_state=by_state.low, told_all_visits=apart)


chapter.printed(
    Property(
        "thm:lower_bound/separate-states",
        _state_by_state,
        over=Family(
            "two states, two or three arms, up to four episodes", lambda: iter([(2, 2), (2, 3), (2, 4), (3, 3)])
        ),
        domain="the prior of the proof",
        says=r"""With [[best_arms]] best arms of the states, what is learned in one state is of no use in another: the
        smallest Bayesian regret is $S$ times that of one state's bandit of $n$ arms, and for a learner that is told all
        $T_i$ it is the sum over $i$ of the smallest regret of $T_i$ pulls.""",
        reading=IN_UNIT,
        best_arms="independent",
    ),
    Argument(
        Step("", Uses("thm:lower_bound/any-learner")),
        Step("", Uses("thm:lower_bound/regret-by-steps")),
        Step(
            r"""A product law stays a product: with $p, q$ the laws of the best arm in a state and in the others,
            and $u, v$ the likelihoods of a reward in that state, all minors vanish, such as""",
            Algebra(),
            Eq((p * u * a) * (q * v * b), (p * u * b) * (q * v * a), evaluate=False),
            over=ForAll(p >= 0, q >= 0, u >= 0, v >= 0, a >= 0, b >= 0),
        ),
        conclusion=ByHand(
            r"""Given initial states and lengths, observations in different states are independent given their best
            arms, so the posterior is a product; the regret is a sum of which each term involves one factor."""
        ),
    ),
    line=1136,
    mutants=[{"best_arms": "equal"}],
)

chapter.printed(
    Process(
        "eq:non-decreasing",
        s >= z + a * N,
        start={s: z, N: 0},
        move={s: s + p * (b - v), N: N + 1},
        inputs=ForAll(p >= 0, p <= 1, v >= 0, v <= b),
        fixed=ForAll(z >= 0, b >= 0, b <= 1),
        says=r"""The expected regret of $T_i$ steps is at least that of the first $\tau$ of them where $T_i \ge \tau$,
        whatever the learner knows of $T_i$: each later step adds, for each arm, the probability $p$ to play it times
        what its mean $v$ lacks to the best one $b$, which is at least $[[a]]$.""",
        reading=IN_UNIT,
        a=0,
    ),
    Invariant(),
    line=1141,
    nearest={"a": "up"},
)

chapter.printed(
    Relation(
        "thm:lower_bound/first-lines",
        ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1),
        c * S * REACHED * ForcedSto(n, ceiling(TAU)) <= FORCED,
        says=rf"""With $\tau = \frac{{K}}{{2S(1-\beta)}}$, rounded up, the first two lines of the display give
        $[[formula]]$, where {FORCED_IS}, and {STO_IS}.""",
        reading=IN_UNIT,
        c=1,
    ),
    Argument(
        Step("", Uses("thm:lower_bound/any-learner")),
        Step("", Uses("thm:lower_bound/regret-by-steps")),
        Step("", Uses("thm:lower_bound/separate-states")),
        Step("", Uses("thm:lower_bound/independent-of-play")),
        Step("", Uses("eq:non-decreasing")),
        Step("", Uses("thm:lower_bound/tau-integer/repair", at={N: ceiling(TAU), w: TAU})),
        conclusion=ByHand(
            r"""Take in every state, independently, the prior that forces the most in $\lceil\tau\rceil$ pulls. In state
            $i$ the learner that is told $T_i$ plays one bandit for $T_i$ steps, and $T_i$ is independent of the bandit;
            where $T_i \ge \tau$, it loses at least what $\lceil\tau\rceil$ pulls cost."""
        ),
    ),
    line=1139,
    nearest={"c": "up"},
)

# -- the last lines

AT_TAU = {tau: ceiling(TAU)}
ROUNDED = Step(
    "",
    Solver(),
    sqrt(n * T) >= sqrt(n * w),
    over=ForAll(n >= 1, w > 0, w <= T),
    at={T: ceiling(TAU), w: TAU},
)

chapter.printed(
    Relation(
        "eq:lower2",
        SIZES,
        c * S * ForcedSto(n, ceiling(TAU)) * REACHED >= S * sqrt(n * TAU) * REACHED,
        says=r"""With $\tau = \frac{K}{2S(1-\beta)}$, rounded up where it is a number of steps,
        $S\,\mathcal{R}^{\mathrm{sto}}(n, \lceil\tau\rceil)\,\mathbb{P}(T_i \ge \tau) \ge \frac{S}{[[c]]}
        \sqrt{n\tau}\,\mathbb{P}(T_i \ge \tau)$. [[ours]] $[[formula]]$.""",
        reading=IN_UNIT,
        c=20,
        a=397,
    ),
    Argument(
        Step("", Uses("eq:regret_sto", at=AT_TAU)),
        ROUNDED,
        Step("A probability that is at least $\\frac12$:", Uses("thm:lower_bound/half")),
        Step(
            "",
            Solver(),
            c * S * z * p >= S * v * p,
            over=ForAll(S >= 1, p >= 0, c * z >= v),
            at={z: ForcedSto(n, ceiling(TAU)), v: sqrt(n * TAU), p: REACHED},
        ),
    ),
    line=1142,
    survives=survives(n >= 2, 2 * n * S * (1 - beta) <= a * K, says=r"$2 \le n \le 397\,\tau$"),
    severity=Severity.FALSE,
    cause="lower-bound-range",
    witnesses=[
        {S: ONE, n: fmpq(3200), K: fmpq(16), beta: ZERO},
        {S: ONE, n: fmpq(397 * 8), K: fmpq(16), beta: ZERO},
    ],
    mutants=[{"a": 400}],
    nearest={"c": "down"},
)

chapter.printed(
    Relation(
        "eq:tau",
        ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1),
        Eq(a * sqrt(b) * S * sqrt(n * TAU), 20 * sqrt(S * n * LONG), evaluate=False),
        says=r"""With $\tau = \frac{K}{2S(1-\beta)}$, $\frac{S}{20}\sqrt{n\tau} = \frac{1}{[[a]]\sqrt{[[b]]}}
        \sqrt{\frac{SnK}{1-\beta}}$.""",
        a=20,
        b=2,
    ),
    Argument(
        Step(
            "",
            Algebra(),
            Eq(a * sqrt(b) * S * sqrt(n * y / (2 * S)), 20 * sqrt(S * n * y), evaluate=False),
            over=ForAll(S >= 1, n >= 1, y > 0),
            at={y: LONG},
        )
    ),
    line=1143,
    nearest={"a": "down", "b": "down"},
)

chapter.printed(
    Relation(
        "thm:lower_bound/constant",
        ForAll(),
        sympy.Le(40 * sqrt(2), c, evaluate=False),
        c=60,
    ),
    Everywhere(),
    line=1147,
    nearest={"c": "down"},
)

# -- many arms

SQUARE = MEAN**2 * (1 + ((1 + beta) * S - 1) / K)  # E[T^2]

chapter.ours(
    Relation(
        "thm:lower_bound/many-arms",
        SIZES,
        LONG * (1 - a * MEAN / n) <= FORCED,
        says=rf"$[[formula]]$; {FORCED_IS}.",
        reading=IN_UNIT,
        a="19/32",
    ),
    Argument(
        Step("", Uses("thm:lower_bound/any-learner")),
        Step("", Uses("thm:lower_bound/regret-by-steps")),
        Step("", Uses("thm:lower_bound/separate-states")),
        Step("", Uses("lem:concentration_T_i/variance")),
        Step(
            r"""Let in every state one arm, drawn uniformly, pay 1 and the others 0: $T$ pulls cost at least
            $T - \frac{T(T+1)}{2n}$, whose mean follows from those of $T_i$ and $T_i^2$.""",
            ByHand(),
            S * (MEAN - (SQUARE + MEAN) / (2 * n)) <= FORCED,
        ),
        Step(
            "",
            Solver(),
            S * (m - (m**2 * (1 + q) + m) / (2 * n)) >= S * m * (1 - a * m / n),
            over=ForAll(S >= 1, n >= 1, m >= 16, q >= 0, q <= Rational(1, 8)),
            at={m: MEAN, q: ((1 + beta) * S - 1) / K},
        ),
    ),
    line=1142,
    witnesses=[{S: ONE, n: fmpq(1000), K: fmpq(16), beta: ZERO}],
    nearest={"a": "down"},
)

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
    unit, front = squared_bound(S, n, K, beta, 1), rational(c) ** 2
    if front * found.high**2 >= unit > front * found.low**2:
        raise ArithmeticError("the enclosure holds the bound: a deeper tree is needed")
    told = {"S_n_K_beta": case[:4], "gap": gap * rational(share), "regret_at_least": found.low}
    return answer(front * found.low**2 >= unit, **told, SnK_over_1_minus_beta=unit)


chapter.ours(
    Property(
        "thm:lower_bound/bayes-optimal",
        _bayes_optimal,
        over=Family(
            r"$(S, n, K, \beta) = (1,2,16,0)$, $(2,2,32,0)$, $(1,3,16,0)$, $(1,2,16,\frac12)$",
            lambda: iter(BAYES),
            complete=True,
        ),
        says=r"""On the prior of the proof with means $\frac{1 \mp e}{2}$, $e = [[*share]]\frac{5}{16}, \frac38,
        \frac38, \frac15$, the Bayes-optimal learner, which may adapt within an episode, has regret at least
        $\frac{1}{[[c]]}\sqrt{\frac{SnK}{1-\beta}}$.""",
        reading=IN_UNIT,
        c=60,
        share=1,
    ),
    Everywhere(),
    line=1138,
    mutants=[{"share": "1/50"}],
    nearest={"c": "down"},
)

CAUSES = [
    Cause(
        "tau-integer",
        Severity.EDGE,
        line=1124,
        title="A number of steps that is no integer",
        printed=r"Set $\tau = K/(2S(1-\beta))$.",
        why=r"""The existing bound is for an integer number of steps; at $S = 1$, $K = 17$, $\beta = 0$, $\tau =
        17/2$.""",
        instead=r"$\lceil\tau\rceil$ for the number of steps, where $T_i \ge \tau$ means $T_i \ge \lceil\tau\rceil$",
        follows="Nothing: the bounds grow with the number of steps.",
        witness="thm:lower_bound/tau-integer",
    ),
]
