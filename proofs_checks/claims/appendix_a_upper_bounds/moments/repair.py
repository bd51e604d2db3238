r"""A moment lemma that is valid for every K >= 1: lengths are below exponential variables in the convex order (ours).

M_K is the largest of K independent variables of law Exp(1). Its alpha-th moment over (1-beta)^alpha bounds that of the
longest episode, and no smaller constant does for all discounts; with logarithms this gives bounds like the paper's.
"""

from __future__ import annotations

from flint import fmpq
from sympy import Eq, Rational, Sum, exp, gamma, log, sqrt  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.moments.letters import (
    EVERY_POWER,
    EXPONENTIAL,
    MAXIMUM,
    NORM,
    POWER_GROWS,
    POWER_OF_QUOTIENT,
    POWER_OF_ROOT,
)
from proofs_checks.computations.episode_moments import LongestMoment
from proofs_checks.evidence import Algebra, AnyOf, Argument, ByHand, Cases, InKernel, LeastAt, Solver, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import ForAll, Relation
from proofs_checks.statements.symbols import K, a, alpha, beta, c, d, j, m, s, u, v, x

chapter = Chapter(under="lem:moment")
BETWEEN = ForAll(m >= 0, s >= 0, s <= 1, beta >= 0, beta < 1)
THRESHOLD = (1 - beta) * (m + s)
TWO_EPISODES = {K: fmpq(2), alpha: fmpq(2), beta: fmpq(999, 1000)}
ONE_EPISODE = {K: fmpq(1), alpha: fmpq(2), beta: 1 - fmpq(1, 10**6)}

EXPONENTIAL_GROWS = Step("", LeastAt(v, u), exp(u) <= exp(v), over=ForAll(v >= u))
AS_EXPONENTIAL = Step(
    "", Algebra(), Eq(x**m, exp(m * log(x)), evaluate=False), over=ForAll(x > 0, m >= 0), at={x: beta}
)

chapter.ours(
    Relation(
        "lem:moment/convex-order",
        BETWEEN,
        beta**m * (1 - (1 - beta) * s) <= exp(-a * THRESHOLD) / a,
        says=r"""$\mathbb{E}[f((1-\beta)\max_k H_k)] \le \mathbb{E}[f(M_K)]$ for every increasing convex $f$ on
        $[0,\infty)$, $M_K$ the largest of $K$ independent exponential variables of rate $[[a]]$. For one length and
        $f(x) = (x - t)^+$ at $t = (1-\beta)(m + s)$, $0 \le s \le 1$, this is $[[formula]]$.""",
        a=1,
    ),
    Argument(
        Step(
            r"""Increasing convex functions are mixtures of constants and of $(x - t)^+$ with $t \ge 0$; and in
            $\max\{x_1, \ldots, x_K\}$ one length after the other may be replaced by an exponential variable, since $x
            \mapsto f(\max\{x, c\})$ is increasing and convex for each $c$.""",
            ByHand(),
        ),
        conclusion=Cases(
            (beta <= 0, Solver()),
            (
                beta > 0,
                Argument(
                    AS_EXPONENTIAL,
                    EXPONENTIAL_GROWS.put({u: m * log(beta) + log(1 - (1 - beta) * s), v: -a * THRESHOLD}),
                ),
            ),
        ),
    ),
    line=809,
    nearest={"a": "up"},
)

chapter.ours(
    Relation(
        "lem:moment/repair-exponential",
        EVERY_POWER,
        c * EXPONENTIAL / (1 - beta) ** alpha >= MAXIMUM,
        says=r"""With $M_K$ the largest of $K$ independent exponential variables of mean $1$, $[[formula]]$.""",
        c=1,
    ),
    InKernel("moment_exponential", c=1),
    line=809,
    repairs=("lem:moment", "lem:moment/small-K/moment"),
    witnesses=[TWO_EPISODES, ONE_EPISODE],
    looked_at=40,
    nearest={"c": "down"},
)

FIRST, SECOND = Sum(1 / j, (j, 1, K)), Sum(1 / j**2, (j, 1, K))

chapter.ours(
    Relation(
        "lem:moment/repair-exponential/used",
        ForAll(K >= 1, beta >= 0, beta < 1),
        LongestMoment(1, beta, K) <= c * FIRST / (1 - beta),
        LongestMoment(2, beta, K) <= c * (FIRST**2 + SECOND) / (1 - beta) ** 2,
        LongestMoment(Rational(3, 2), beta, K) <= c * sqrt(FIRST * (FIRST**2 + SECOND)) / (1 - beta) ** Rational(3, 2),
        says=r"""The moments that Theorem 1 needs: $\mathbb{E}[M_K]$ and $\mathbb{E}[M_K^2]$ are made of harmonic
        sums, and that for $\frac32$ lies between them: $[[formula]]$.""",
        c=1,
    ),
    InKernel("moment_harmonic", c=1),
    line=940,
    repairs="lem:moment",
    looked_at=20,
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "lem:moment/gamma",
        ForAll(alpha >= 1),
        gamma(1 + alpha) >= c,
        says=r"$[[formula]]$, where $\Gamma(1+\alpha)$ is the mean of $X^\alpha$, $X$ exponential of mean $1$.",
        c=1,
    ),
    InKernel("single_moment_at_least", c=1),
    line=809,
    looked_at=40,
    nearest={"c": "up"},
)

LOG_NOT_NEGATIVE = Step("", LeastAt(x, 1), log(x) >= 0, over=ForAll(x >= 1), at={x: K})
WHOLE = log(K) + NORM

chapter.ours(
    Relation(
        "lem:moment/largest-exponential",
        ForAll(K >= 1, alpha >= 1),
        (log(K) + NORM - d) ** alpha >= EXPONENTIAL,
        says=r"""For the largest $M_K$ of $K$ independent exponential variables of mean $1$, $[[formula]]$.""",
        d=0,
    ),
    InKernel("largest_exponential", d=0),
    line=809,
    looked_at=60,
    nearest={"d": "up"},
)

BY_EXPONENTIAL = Step("", Uses("lem:moment/repair-exponential"))

chapter.ours(
    Relation(
        "lem:moment/repair",
        EVERY_POWER,
        c * ((log(K) + NORM - d) / (1 - beta)) ** alpha >= MAXIMUM,
        c=1,
        d=0,
    ),
    AnyOf(
        InKernel("moment_repaired", c=1, d=0),
        Argument(
            LOG_NOT_NEGATIVE,
            Step("", Uses("lem:moment/gamma")),
            BY_EXPONENTIAL,
            Step("", Uses("lem:moment/largest-exponential")),
            POWER_OF_QUOTIENT.put({u: WHOLE, v: 1 - beta}),
        ),
    ),
    line=809,
    repairs="lem:moment",
    witnesses=[ONE_EPISODE],
    looked_at=40,
    nearest={"c": "down", "d": "up"},
)

chapter.ours(
    Relation(
        "lem:moment/repair-one-plus-log",
        EVERY_POWER,
        c * gamma(1 + alpha) * ((1 + log(K)) / (1 - beta)) ** alpha >= MAXIMUM,
        says=r"""$[[formula]]$, where $\Gamma(1+\alpha)$ is $\frac{3\sqrt\pi}{4} = 1.329\ldots$ at $\alpha = \frac32$
        and $2$ at $\alpha = 2$.""",
        c=1,
    ),
    AnyOf(
        InKernel("moment_one_plus_log", c=1),
        Argument(
            LOG_NOT_NEGATIVE,
            Step("", Uses("lem:moment/gamma")),
            Step("", Uses("lem:moment/repair")),
            POWER_OF_QUOTIENT.put({u: WHOLE, v: 1 - beta}),
            POWER_OF_QUOTIENT.put({u: 1 + log(K), v: 1 - beta}),
            POWER_OF_ROOT.put({u: gamma(1 + alpha), v: 1 + log(K)}),
            POWER_GROWS.put({u: WHOLE, v: NORM * (1 + log(K))}),
        ),
    ),
    line=809,
    repairs="lem:moment",
    witnesses=[ONE_EPISODE],
    looked_at=40,
    nearest={"c": "down"},
)
