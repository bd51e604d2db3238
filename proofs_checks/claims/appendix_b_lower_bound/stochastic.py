r"""The stochastic bandits that Theorem 2 stands on (Section B): eq:regret_sto, its range, and many arms.

R^sto(n, tau) is the largest Bayesian regret of tau pulls of n arms, rewards in [0, 1], that a prior forces on every
learner; B(n, tau, epsilon) the smallest one on the prior with one better arm.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy  # type: ignore[import-untyped]
from flint import fmpq
from sympy import Eq, Min, Rational, Sum, log, sqrt

from proofs_checks.computations.forced_regrets import ForcedSto, OneBetterArm, smallest_regret
from proofs_checks.evidence import (
    Algebra,
    Argument,
    ByHand,
    Cases,
    Cited,
    Enclosures,
    Everywhere,
    LeastAt,
    Solver,
    Step,
    Uses,
)
from proofs_checks.ledger import Chapter, Severity, survives
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import a, c, d, j, mu, n, s, t, u, v, w, x, y
from theory import ONE, ZERO, rational
from theory.paper import BestArmPrior, known_horizon_regrets, stay_with_winner_on

chapter = Chapter(under="eq:regret_sto")
tau = sympy.Symbol("tau", integer=True)
epsilon = sympy.Symbol("epsilon", real=True)
FORCED = ForcedSto(n, tau)
PULLS = ForAll(n >= 1, tau >= 1)
TWO_ARMS = ForAll(n >= 2, tau >= 1)
IN_UNIT = {"mean rewards": "in [0, 1]"}
BERNOULLI = r"""where one of $n$ arms, drawn uniformly, pays Bernoulli rewards of mean $\frac12+\epsilon$ and the
others of mean $\frac12$, the smallest Bayesian regret $\mathcal{B}$ of $\tau$ pulls"""
FORCED_IS = r"""$\mathcal{R}^{\mathrm{sto}}(n, \tau)$ is the largest Bayesian regret of $\tau$ pulls that a prior on
bandits of $n$ arms with rewards in $[0, 1]$ forces on every learner"""

# -- the literature

chapter.ours(
    Relation(
        "cited:auer-lower-bound",
        ForAll(n >= 2, tau >= 1, epsilon > 0, epsilon <= Rational(1, 4)),
        OneBetterArm(n, tau, epsilon) >= epsilon * tau * (1 - a / n - c * sqrt(tau * -log(1 - 4 * epsilon**2) / n)),
        says=f"Lower bound for the adversarial bandit, as its proof gives it: {BERNOULLI} satisfies $[[formula]]$.",
        reading=IN_UNIT,
        a=1,
        c="1/2",
    ),
    Cited(
        """P. Auer, N. Cesa-Bianchi, Y. Freund, R. Schapire, The nonstochastic multiarmed bandit problem, 2002,
        Theorem A.2"""
    ),
    line=1114,
    under="",
    looked_at=60,
    nearest={"a": "down", "c": "down"},
)

# -- few arms

SHARE = Min(1, sqrt(n / tau))  # four times the gap
SLOPE = Rational(1152, 1000)  # of a line above -log(1 - x) on [0, 1/4]
BETTER = OneBetterArm(n, tau, SHARE / 4)
BY_AUER = (
    Step("", Uses("cited:auer-lower-bound", at={epsilon: SHARE / 4})),
    Step(
        "",
        Cases((x <= Rational(1, 10), LeastAt(x, 0)), (x >= Rational(1, 10), Enclosures())),
        -log(1 - x) <= SLOPE * x,
        over=ForAll(x >= 0, x <= Rational(1, 4)),
        at={x: SHARE**2 / 4},
    ),
    Step(
        r"With $u = \min\{1, \sqrt{n/\tau}\}$ and $x = -\log(1 - u^2/4)$:",
        Argument(
            Step(
                "",
                Solver(),
                sqrt(tau * x / n) <= sqrt(SLOPE) / 2,
                over=ForAll(n >= 2, tau >= 1, u > 0, u**2 * tau <= n, x >= 0, x <= SLOPE * u**2 / 4),
            )
        ),
        u * tau <= c * (u / 4) * tau * (1 - 1 / n - sqrt(tau * x / n) / 2),
        over=ForAll(n >= 2, tau >= 1, u > 0, u <= 1, u**2 * tau <= n, x >= 0, x <= SLOPE * u**2 / 4),
        at={u: SHARE, x: -log(1 - SHARE**2 / 4)},
    ),
)

chapter.ours(
    Relation(
        "eq:regret_sto/constant",
        TWO_ARMS,
        c * BETTER >= tau * SHARE,
        says=rf"""With $\epsilon = \frac14\min\{{1, \sqrt{{n/\tau}}\}}$, {BERNOULLI} is at least
        $\frac{{1}}{{[[c]]}}\min\{{\tau, \sqrt{{n\tau}}\}}$: $[[formula]]$.""",
        reading=IN_UNIT,
        c=20,
    ),
    Argument(*BY_AUER),
    line=1122,
    looked_at=40,
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "eq:regret_sto/sharper",
        TWO_ARMS,
        c * FORCED >= tau * SHARE,
        says=rf"$[[formula]]$; {FORCED_IS}.",
        reading=IN_UNIT,
        c="17.27",
    ),
    Argument(
        *BY_AUER,
        Step("The prior with one better arm is a prior:", ByHand(), FORCED >= BETTER),
    ),
    line=1122,
    nearest={"c": "down"},
)


def _known_gaps(c: object, share: object) -> Answer:
    """Hold the smallest regrets where the root of n/tau is rational to the bound."""
    for arms, pulls, root in ((2, 2, 1), (3, 3, 1), (2, 8, 2), (4, 4, 1), (3, 12, 2), (2, 18, 3), (2, 32, 4)):
        gap = rational(share) / root
        regret = smallest_regret(arms, pulls, (1 - gap) / 2, (1 + gap) / 2)
        bound = fmpq(pulls, root)
        if rational(c) * regret < bound:
            return answer(False, n=arms, tau=pulls, gap=gap, regret=regret, bound=bound)
    return answer(True, instances=7)


chapter.ours(
    Property(
        "eq:regret_sto/prior",
        _known_gaps,
        says=r"""With the best arm drawn uniformly and means $\frac{1-e}{2}$ and $\frac{1+e}{2}$, $e = [[share]]
        \sqrt{n/\tau}$, the smallest Bayesian regret is at least $\sqrt{n\tau}/[[c]]$ for $(n, \tau) = (2,2)$, $(3,3)$,
        $(2,8)$, $(3,12)$, $(2,18)$, $(4,4)$, $(2,32)$, computed exactly.""",
        reading=IN_UNIT,
        c=20,
        share="1/4",
    ),
    Everywhere(),
    line=1122,
    mutants=[{"share": "1/10"}],
    nearest={"c": "down"},
)

# -- many arms

NEEDLE = tau - tau * (tau + 1) / (2 * n)  # the regret, where one arm pays 1 and the others 0
HITS = Sum(1 - j / n, (j, 1, tau))

chapter.ours(
    Relation(
        "eq:regret_sto/needle",
        PULLS,
        tau - a * tau * (tau + 1) / n <= FORCED,
        says=rf"$[[formula]]$; {FORCED_IS}.",
        reading=IN_UNIT,
        a="1/2",
    ),
    Argument(
        Step(
            r"""Let one arm, drawn uniformly, pay 1 and the others 0. At most $j$ different arms are tried by the
            $j$-th pull, so that it is one of the best arm with probability at most $j/n$:""",
            ByHand(),
            FORCED >= HITS,
        ),
        Step("", Algebra(), Eq(HITS, NEEDLE, evaluate=False)),
    ),
    line=1114,
    nearest={"a": "down"},
)

PAID = t * mu + t * (t - 1) / 2 * mu**2  # what t pulls earn, n times, when the best arm has mean mu


def _arms_and_pulls() -> Iterator[tuple[int, int]]:
    yield from ((arms, pulls) for pulls in range(1, 6) for arms in range(1, 7))


def _minimax_of_many(case: tuple[int, int], share: object, d: object) -> Answer:
    """Let no known prior force more than the value, nor the needle prior another one; nor a learner lose more."""
    arms, pulls = case
    if arms < max(pulls, 1 + pulls * (pulls - 1) // 2) - rational(d):
        return answer(True)
    value = pulls - rational(share) * pulls * (pulls + 1) / arms
    for base, best in ((ZERO, ONE), (fmpq(1, 8), fmpq(7, 8)), (fmpq(1, 4), fmpq(3, 4))):
        regret = known_horizon_regrets(BestArmPrior(1, arms, 0, base, best), pulls)[-1]
        if regret > value or (base == 0 and regret != value):
            return answer(False, n=arms, tau=pulls, means=[base, best], regret=regret, claimed=value)
    for best in (ONE, fmpq(3, 4)):
        for others in (ZERO, fmpq(1, 4), best):
            lost = stay_with_winner_on([best, *[others] * (arms - 1)], pulls)
            if lost > value:
                return answer(False, n=arms, tau=pulls, means=[best, others], regret=lost, claimed=value)
    return answer(True)


chapter.ours(
    Property(
        "eq:regret_sto/wide",
        _minimax_of_many,
        over=Family(r"$n \le 6$ arms and $\tau \le 5$ pulls", _arms_and_pulls),
        domain=r"$\tau \ge 1$, $n \ge \tau$, $n \ge 1 + \frac{\tau(\tau-1)}{2}$",
        says=r"""With at most [[d]] arms fewer than $\max\{\tau, 1 + \frac{\tau(\tau-1)}{2}\}$, the smallest worst-case
        regret of $\tau$ pulls, rewards in $[0, 1]$, is exactly $\tau - [[share]]\frac{\tau(\tau+1)}{n}$: the prior with
        one arm of mean 1, drawn uniformly, and the others of mean 0 forces it, and trying a new arm until one pays,
        then staying, attains it.""",
        reading=IN_UNIT,
        share="1/2",
        d=0,
    ),
    Argument(
        Step("", Uses("eq:regret_sto/needle", over=PULLS, same={"share": "a"})),
        Step(
            r"""Above, for Bernoulli rewards (others are first rounded at random). With $f_t = t\mu +
            \frac{t(t-1)}{2}\mu^2$, the learner earns at least $f_t/n$ in $t$ pulls of $n$ arms of which the best has
            mean $\mu$. Induction: with $f_{t-1} = x$ and $n - 1 \ge x$, an arm of mean $\nu = v$ that is not the best
            leaves no less than $x/(n-1)$,""",
            Solver(),
            v * (1 + (t - 1) * v) * y + (1 - v) * x >= x,
            over=ForAll(t >= 1, v >= 0, v <= 1, x >= 0, y >= x),
        ),
        Step(
            "and on average over the arms this is the step from $t - 1$ to $t$:",
            Algebra(),
            Eq(mu * (1 + (t - 1) * mu) + PAID.subs(t, t - 1), PAID, evaluate=False),
            over=ForAll(t >= 1, mu >= 0, mu <= 1),
        ),
        Step(
            r"After $s$ pulls in vain $n - s$ arms are left for $\tau - s$ pulls, and $n - s - 1 \ge f_{\tau-s-1}$:",
            Solver(),
            n - s - 1 >= PAID.subs(t, tau - s - 1),
            over=ForAll(
                mu >= 0,
                mu <= 1,
                s >= 0,
                tau >= s + 1,
                n >= tau - d,
                2 * n >= 2 + tau * (tau - 1) - 2 * d,
                s * (s - 1) >= 0,
            ),
        ),
        Step(
            r"The regret $\tau\mu - f_\tau/n$ is largest at $\mu = 1$:",
            Solver(),
            tau * mu - PAID.subs(t, tau) / n <= NEEDLE,
            over=ForAll(tau >= 1, n >= 1, n >= tau - d, mu >= 0, mu <= 1),
        ),
        conclusion=ByHand(
            """No learner's worst case is below what a prior forces, and that of this learner is not above it."""
        ),
    ),
    line=1114,
    nearest={"share": "down"},
    mutants=[{"d": 1}],
)

# -- eq:regret_sto itself

u_ = sqrt(n / tau)
ROOT = Step("", Algebra(), Eq(sqrt(n * tau), tau * sqrt(n / tau), evaluate=False), over=TWO_ARMS)
BY_NEEDLE = Step("One arm pays 1, the others 0:", Uses("eq:regret_sto/needle"))

chapter.printed(
    Relation(
        "eq:regret_sto",
        PULLS,
        c * FORCED >= sqrt(n * tau),
        says=rf"""For any number $n$ of arms and $\tau$ of steps there is a prior on which every learner has regret at
        least $\sqrt{{n\tau}}/[[c]]$. [[ours]] $[[formula]]$; {FORCED_IS}.""",
        reading=IN_UNIT,
        c=20,
        a=397,
    ),
    Cases(
        (n <= tau, Argument(Step("", Uses("eq:regret_sto/sharper")), ROOT)),
        (
            n >= tau + 1,
            Argument(
                BY_NEEDLE,
                ROOT,
                Step(
                    "",
                    Solver(),
                    tau * u <= c * (tau - tau * (1 + w) / (2 * u**2)),
                    over=ForAll(tau >= 1, u > 0, u**2 >= 1 + w, u**2 <= a, w > 0, w <= 1),
                    at={u: sqrt(n / tau), w: 1 / tau},
                ),
            ),
        ),
    ),
    line=1114,
    under="thm:lower_bound",
    survives=survives(n >= 2, n <= a * tau, says=r"$2 \le n \le 397\,\tau$"),
    severity=Severity.FALSE,
    cause="lower-bound-range",
    witnesses=[{n: fmpq(401), tau: ONE}, {n: fmpq(398), tau: ONE}, {n: fmpq(397), tau: ONE}],
    mutants=[{"a": 398}],
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "eq:regret_sto/repair",
        TWO_ARMS,
        c * FORCED >= Min(sqrt(n * tau), sqrt(a) * tau),
        says=rf"$[[formula]]$; {FORCED_IS}.",
        reading=IN_UNIT,
        c=20,
        a=397,
    ),
    Cases(
        (n <= a * tau, Argument(Step("", Uses("eq:regret_sto")))),
        (
            n >= a * tau,
            Argument(
                BY_NEEDLE,
                Step(
                    "",
                    Solver(),
                    sqrt(a) * tau <= c * (tau - tau * (tau + 1) / (2 * n)),
                    over=ForAll(tau >= 1, n >= a * tau),
                ),
            ),
        ),
    ),
    line=1114,
    repairs="eq:regret_sto",
    witnesses=[{n: fmpq(397), tau: ONE}, {n: fmpq(398), tau: ONE}],
    nearest={"c": "down", "a": "up"},
)
