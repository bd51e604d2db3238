r"""Event E^H of Lemma `concentration`: no earlier episode was longer than log(K(k-1))/(1-beta) (Section A.2).

A length is geometric, so it exceeds x with probability beta^floor(x): the floor loses a factor of up to 1/beta. The
step from log(1/beta) to 1-beta gains it back wherever log(K(k-1)) is at least 2; elsewhere it need not.
"""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from flint import fmpq
from sympy import Eq, Max, Rational, Sum, ceiling, exp, floor, log

from proofs_checks.evidence import (
    Algebra,
    AnyOf,
    Argument,
    Cases,
    Enclosures,
    InKernel,
    LeastAt,
    Solver,
    Step,
    Uses,
)
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict, survives
from proofs_checks.statements import ForAll, Relation
from proofs_checks.statements.symbols import K, a, b, beta, c, e, j, k, m, p, u, v, x

chapter = Chapter(under="lem:concentration")
FROM_2 = {"first episodes": "from 2"}
EPISODES = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
INSIDE = ForAll(K >= 2, k >= 2, k <= K, beta > 0, beta < 1)
LOG = log(K * (k - 1))
EPSILON = LOG / log(1 / beta)  # the paper's epsilon: beta^epsilon = 1/(K(k-1))


def some_longer(threshold: sympy.Expr) -> sympy.Expr:
    """Return the probability that one of k-1 independent lengths exceeds a threshold."""
    return 1 - (1 - beta ** floor(threshold)) ** (k - 1)


chapter.printed(
    Relation(
        "conc:H/tail",
        ForAll(e >= 0, beta >= 0, beta < 1),
        Eq(1 - Sum((1 - beta) * beta ** (j - 1), (j, 1, floor(e))), beta ** (floor(e) + a), evaluate=False),
        says=r"""$\mathbb{P}(H > \epsilon) = \beta^{\lfloor\epsilon\rfloor}$ for a length of law
        $\mathbb{P}(H = j) = (1-\beta)\beta^{j-1}$. [[ours]] $[[formula]]$.""",
        a=0,
    ),
    AnyOf(
        InKernel("tail", a=0),
        Argument(
            Step(
                r"By induction on $m$, $1 - \sum_{j=1}^{m}(1-\beta)\beta^{j-1} = \beta^m$.",
                LeastAt(m, 0, steps=True),
                Eq(1 - Sum((1 - beta) * beta ** (j - 1), (j, 1, m)), beta**m, evaluate=False),
                over=ForAll(m >= 0, beta >= 0, beta < 1),
                at={m: floor(e)},
            )
        ),
    ),
    line=662,
    nearest={"a": "up"},
)

chapter.printed(
    Relation(
        "conc:H/union",
        ForAll(k >= 2, e >= 0, beta >= 0, beta < 1),
        some_longer(e) <= (k - 1 - a) * beta ** floor(e),
        says=r"""The probability that one of $k-1$ independent lengths exceeds $\epsilon$ is at most the sum of theirs.
        [[ours]] $[[formula]]$.""",
        a=0,
    ),
    AnyOf(
        InKernel("union_bound", a=0),
        Argument(
            Step(
                r"Bernoulli's inequality, by induction:",
                LeastAt(m, 0, steps=True),
                1 - (1 - p) ** m <= m * p,
                over=ForAll(m >= 0, p >= 0, p <= 1),
                at={m: k - 1, p: beta ** floor(e)},
            )
        ),
    ),
    line=662,
    nearest={"a": "up"},
)

INCREASES = Step(
    "The exponential increases:",
    LeastAt(v, u),
    exp(u) <= exp(v),
    over=ForAll(v >= u),
)
AS_EXPONENTIAL = Step(
    "", Algebra(), Eq(beta**x, exp(x * log(beta)), evaluate=False), over=ForAll(x >= 0, beta > 0, beta < 1)
)
LOG_OF_INVERSE = Step("", Algebra(), Eq(log(1 / beta), -log(beta), evaluate=False), over=ForAll(beta > 0))


def power_at_most(exponent: sympy.Expr, logarithm: sympy.Expr) -> tuple[Step, ...]:
    """Return the steps to beta^exponent <= exp(logarithm), for an exponent of which that is known in logarithms."""
    return AS_EXPONENTIAL.put({x: exponent}), INCREASES.put({u: exponent * log(beta), v: logarithm})


chapter.printed(
    Relation(
        "conc:H/epsilon",
        INSIDE,
        (k - 1) * beta ** floor(EPSILON) <= 1 / (K * beta**p),
        says=r"""With $\epsilon = \log(1/(K(k-1)))/\log\beta$,
        $(k-1)\beta^{\lfloor\epsilon\rfloor} \le \frac{1}{K[[p=0?\beta^{#}]]}$.""",
        reading=FROM_2,
        p=0,
    ),
    Argument(LOG_OF_INVERSE, *power_at_most(floor(EPSILON), -LOG - p * log(beta))),
    line=664,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="horizon-floor",
    witnesses=[{K: fmpq(2), k: fmpq(2), beta: fmpq(1, 3)}],
    mutants=[{"p": "1/2"}],
    controls=[{"p": 1}],
)

chapter.ours(
    Relation(
        "conc:H/epsilon/repair",
        INSIDE,
        some_longer(ceiling(EPSILON) - b) <= c / K,
        says=r"""With the paper's $\epsilon$, the probability that one of the first $k-1$ lengths exceeds
        $\lceil\epsilon\rceil[[b=0? - #]]$ is at most $[[c]]/K$.""",
        reading=FROM_2,
        b=0,
        c=1,
    ),
    Argument(
        LOG_OF_INVERSE,
        Step("", Uses("conc:H/union", {e: ceiling(EPSILON) - b})),
        *power_at_most(floor(ceiling(EPSILON) - b), -LOG),
    ),
    line=664,
    repairs="conc:H/epsilon",
    mutants=[{"b": 1}],
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "conc:H/logarithm",
        ForAll(beta > 0, beta <= 1),
        (1 + beta) * log(1 / beta) >= c * (1 - beta),
        c=2,
    ),
    Argument(
        LOG_OF_INVERSE,
        Step("", LeastAt(beta, 1), -(1 + beta) * log(beta) >= 2 * (1 - beta), over=ForAll(beta > 0, beta <= 1)),
    ),
    line=667,
    nearest={"c": "up"},
)

chapter.printed(
    Relation(
        "conc:H/strict",
        ForAll(K >= 1, k >= 1, k <= K, beta >= 0, beta < 1),
        LOG / (c * (1 - beta)) > EPSILON,
        says=r"$\epsilon < \frac{\log(K(k-1))}{1-\beta}$. [[ours]] $[[formula]]$.",
        c=1,
    ),
    Argument(
        Step("", Uses("conc:H/logarithm")),
        Step("", Solver(), (1 + beta) * c * (1 - beta) < 2 * (1 - beta), over=ForAll(beta > 0, beta < 1)),
    ),
    line=667,
    survives=survives(k >= 2, beta > 0),
    severity=Severity.EDGE,
    cause="log-of-zero",
    mutants=[{"c": "21/20"}],
    nearest={"c": "up"},
)

BOUND = LOG / (1 - beta)  # of the lengths in E^H
THREE_OF_THREE = (K >= 3, K <= 3, k >= 3, k <= 3)


def log_at_least(value: sympy.Expr, least: int) -> Step:
    """Return the step that log(K(k-1)) is at least a value, where K(k-1) is at least an integer."""
    return Step("", LeastAt(x, least), log(x) >= value, over=ForAll(x >= least), at={x: K * (k - 1)})


def outside(threshold: sympy.Expr) -> tuple[Step, ...]:
    """Return the steps to P(some length exceeds the threshold) <= 1/K, where the threshold is large enough."""
    return (
        Step("", Uses("conc:H/union", {e: threshold})),
        LOG_OF_INVERSE,
        Step("", Uses("conc:H/logarithm")),
        *power_at_most(floor(threshold), -LOG),
    )


def within_one(threshold: sympy.Expr) -> tuple[Step, ...]:
    """Return the steps to beta^floor(threshold) <= 1/(beta K(k-1)): the floor loses at most one factor beta."""
    return power_at_most(floor(threshold), -LOG - log(beta))


chapter.printed(
    Relation(
        "conc:H",
        EPISODES,
        some_longer(b * BOUND) <= c / K,
        says=r"""$\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le [[c]]/K$: with
        $m = \lfloor [[*b]]\log(K(k-1))/(1-\beta)\rfloor$, one of the first $k-1$ lengths exceeds $m$ with
        probability $1-(1-\beta^m)^{k-1}$.""",
        reading=FROM_2,
        c=1,
        b=1,
    ),
    Cases(
        ([K * (k - 1) >= 8, beta > 0], Argument(log_at_least(2, 8), *outside(b * BOUND))),
        ([K * (k - 1) >= 8, beta <= 0], Argument(log_at_least(2, 8))),
        ([*THREE_OF_THREE, beta <= Rational(10, 11)], Enclosures()),
        ([*THREE_OF_THREE, beta >= Rational(10, 11)], Argument(*within_one(b * BOUND))),
    ),
    line=652,
    refutation=InKernel("event_H_fails_for", "event_H_fails", c=1, b=1),
    survives=survives(Max(K - 8, k - 3) >= 0, says=r"$k \ge 3$ or $K \ge 8$"),
    severity=Severity.EDGE,
    cause="horizon-floor",
    witnesses=[{K: fmpq(q), k: fmpq(2), beta: at} for q, at in ((7, fmpq(33, 37)), (3, fmpq(2, 5)))],
    nearest={"c": "down", "b": "down"},
)

chapter.ours(
    Relation(
        "conc:H/repair",
        EPISODES,
        some_longer(Max(a, LOG) / (1 - beta)) <= c / K,
        says=r"""With $\max\{[[a]], \log(K(k-1))\}$ in place of $\log(K(k-1))$ in $\mathcal{E}^H_{k-1}$, its complement
        has probability at most $[[c]]/K$.""",
        reading=FROM_2,
        a=2,
        c=1,
    ),
    AnyOf(
        InKernel("event_H_repaired", a=2, c=1),
        Cases((beta > 0, Argument(*outside(Max(a, LOG) / (1 - beta)))), (beta <= 0, Solver())),
    ),
    line=643,
    repairs="conc:H",
    witnesses=[{K: fmpq(7), k: fmpq(2), beta: fmpq(92513, 100_000)}],
    nearest={"a": "down", "c": "down"},
)

chapter.ours(
    Relation(
        "conc:H/repair-additive",
        EPISODES,
        some_longer(a + BOUND) <= c / K,
        says=r"""With $[[a]] + \log(K(k-1))/(1-\beta)$ as the bound on the lengths in $\mathcal{E}^H_{k-1}$, its
        complement has probability at most $[[c]]/K$.""",
        reading=FROM_2,
        a="2/3",
        c=1,
    ),
    Cases(
        (beta > 0, Argument(log_at_least(Rational(2, 3), 2), *outside(a + BOUND))),
        (beta <= 0, Argument(log_at_least(Rational(2, 3), 2))),
    ),
    line=643,
    repairs="conc:H",
    witnesses=[{K: fmpq(2), k: fmpq(2), beta: fmpq(965_938, 10**6)}],
    nearest={"a": "down", "c": "down"},
)

chapter.ours(
    Relation(
        "conc:H/repair-factor",
        EPISODES,
        some_longer(BOUND) <= c / K,
        says=r"""$\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le [[c]]/K$, the event as printed. For $K = k = 2$ and
        $\beta < 1 - \log 2$ the bound on the lengths is below $1$, and the probability is $1$.""",
        reading=FROM_2,
        c=2,
    ),
    Cases(
        (Max(K - 8, k - 3) >= 0, Argument(Step("", Uses("conc:H")))),
        ([K <= 2, k <= 2], Solver()),
        ([K >= 3, K <= 7, k <= 2, beta <= Rational(1, 2)], Enclosures()),
        (
            [K <= 7, k <= 2, beta >= Rational(1, 2)],
            Argument(Step("", Uses("conc:H/union", {e: BOUND})), *within_one(BOUND)),
        ),
    ),
    line=652,
    repairs="conc:H",
    nearest={"c": "down"},
)

CAUSES = [
    Cause(
        "horizon-floor",
        Severity.GAP,
        line=664,
        title="A floor in the exponent is taken for the exponent",
        printed=r"""with $\epsilon = \frac{\log(1/(K(k-1)))}{\log\beta}$, $\mathbb{P}(\exists k' \le k-1: H_{k'} >
        \epsilon) \le 1/K$, and so $\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le 1/K$""",
        why=r"""$\beta^{\lfloor\epsilon\rfloor} \ge \beta^{\epsilon}$. For $K = 7$, $k = 2$, $\beta = 33/37$ the event
        fails with probability $(33/37)^{17} = 0.1429\ldots > 1/7$; for $K = 3$, $k = 2$, $\beta = 2/5$ with probability
        $2/5 > 1/3$; for $K = 2$, $\beta = 0$ always.""",
        instead=r"""Line 643: $H_{k'} \le \frac{\max\{2, \log(K(k-1))\}}{1-\beta}$; then line 652 holds for all $2
        \le k \le K$. Or line 652: $\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le 2/K$.""",
        follows=r"""As printed the bound is right for $k \ge 3$ and for $K \ge 8$, since the step from $\log(1/\beta)$
        to $1-\beta$ gains what the floor loses, and $2/K$ is right always. With this event $\tau_k$ takes the same
        maximum, $\tau_k = (k-1)\max\{2, \log(K(k-1))\}/(1-\beta)$, wherever it bounds $t_k - 1$. With radii in
        $t_k$ no event about the lengths is needed (`lem:concentration/main-text`).""",
        witness="conc:H",
    ),
]
