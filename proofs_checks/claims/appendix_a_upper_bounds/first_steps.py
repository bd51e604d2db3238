r"""What Lemma `concentration` takes from event E^H, t_k <= tau_k, and the factor L_{k-1} made of tau_k (Section A.2).

On E^H the first step t_k of episode k is 1 + H_1 + ... + H_{k-1}, and each length is at most
log(K(k-1))/(1-beta), so that tau_k = (k-1) log(K(k-1))/(1-beta) bounds t_k - 1, not t_k.
"""

from __future__ import annotations

from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import fmpq
from sympy import Eq, Max, Rational, log, sqrt

from proofs_checks.evidence import Algebra, AnyOf, Argument, InKernel, LeastAt, Solver, Step
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict, survives
from proofs_checks.statements import ForAll, Relation
from proofs_checks.statements.symbols import H, K, S, a, beta, c, k, n, u, v, x, y

chapter = Chapter(under="lem:concentration")
FROM_2 = {"first episodes": "from 2"}
LOG = log(K * (k - 1))
BOUND = LOG / (1 - beta)
TAU = (k - 1) * BOUND
ON_THE_EVENT = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, H >= 1, H <= BOUND)
AN_EPISODE = {K: fmpq(3), k: fmpq(2), beta: fmpq(1, 2), H: fmpq(2)}
NEARLY_WHOLE = {K: fmpq(2), k: fmpq(2), beta: fmpq(9_993_071, 10**7), H: fmpq(1000)}

chapter.printed(
    Relation(
        "conc:tau",
        ON_THE_EVENT,
        1 + (k - 1) * H <= TAU + a,
        says=r"""On $\mathcal{E}^H_{k-1}$, $t_k \le \tau_k$. [[ours]] With $H$ the longest of the first $k-1$ lengths,
        $t_k \le 1 + (k-1)H$, and equal to it if they are all alike: $[[formula]]$.""",
        reading=FROM_2,
        a=0,
    ),
    Solver(),
    line=671,
    verdict=Verdict.FAILS,
    refutation=InKernel("time_fails", a=0),
    severity=Severity.GAP,
    cause="t_k-above-tau_k",
    witnesses=[AN_EPISODE],
    mutants=[{"a": "1/2"}],
    controls=[{"a": 1}],
)

chapter.ours(
    Relation(
        "conc:tau/repair",
        ON_THE_EVENT,
        1 + (k - 1) * H <= TAU + a,
        says=r"""On $\mathcal{E}^H_{k-1}$, $t_k \le \tau_k + 1$, so that at most $\tau_k$ steps precede the episode.
        With $H$ the longest of the first $k-1$ lengths, $t_k \le 1 + (k-1)H$: $[[formula]]$.""",
        reading=FROM_2,
        a=1,
    ),
    AnyOf(InKernel("time_repaired", a=1), Solver()),
    line=671,
    repairs="conc:tau",
    witnesses=[NEARLY_WHOLE],
    nearest={"a": "down"},
)

chapter.printed(
    Relation(
        "conc:tau/counts",
        ForAll(k >= 2, H >= 1, x >= 1, x >= H),
        (k - 1) * H < (k - 1) * x + a,
        says=r"""On $\mathcal{E}^H_{k-1}$, $N_{k-1}(x_a) < \tau_k$. [[ours]] With $x = \log(K(k-1))/(1-\beta)$ and $H
        \le x$ the longest of the first $k-1$ lengths, $N_{k-1}(x_a) \le (k-1)H$, and equal to it if there is but one
        state and the lengths are alike: $[[formula]]$.""",
        reading=FROM_2,
        a=0,
    ),
    Solver(),
    line=677,
    survives=survives(x > H, says=r"$\log(K(k-1))/(1-\beta)$ is not an integer"),
    severity=Severity.EDGE,
    cause="t_k-above-tau_k",
    witnesses=[{k: fmpq(2), H: fmpq(1), x: fmpq(1)}, {k: fmpq(2), H: fmpq(1), x: 1 + fmpq(1, 10**9)}],
    mutants=[{"a": "-1/100"}],
    nearest={"a": "down"},
)

chapter.withdrawn(
    "cited:lindemann",
    r"""Nothing rests on the irrationality of logarithms any more: `conc:tau/counts` names the discounts at which
    $\log(K(k-1))/(1-\beta)$ is an integer as they are.""",
    under="",
)

ALL_SIZES = ForAll(S >= 1, n >= 1, K >= 1, k >= 1, k <= K, beta >= 0, beta < 1)
ARGUMENT = 2 * S * n * K * TAU  # L_{k-1}^2 = 2 log of it

LOG_INCREASES = Step("The logarithm increases:", LeastAt(v, u), log(u) <= log(v), over=ForAll(u > 0, v >= u))
LOG_2 = Step("", LeastAt(x, 2), log(x) >= Rational(17, 25), over=ForAll(x >= 2), at={x: K * (k - 1)})

chapter.printed(
    Relation(
        "conc:domain",
        ALL_SIZES,
        log(ARGUMENT / c) >= 0,
        says=r"$L_{k-1} = \sqrt{2\log(2SnK\tau_k)}$ is a real number. [[ours]] $[[formula]]$.",
        c=1,
    ),
    Argument(LOG_2),
    line=641,
    survives=survives(k >= 2),
    severity=Severity.EDGE,
    cause="log-of-zero",
    nearest={"c": "up"},
)

chapter.ours(
    Relation(
        "conc:domain/least",
        ALL_SIZES.where(k >= 2),
        log(ARGUMENT) > 1 + beta + a,
        says=r"$L_{k-1}^2 > 2(1+\beta)$, so that $L_{k-1} > 1 + \beta$: $[[formula]]$.",
        reading=FROM_2,
        a=0,
    ),
    Argument(
        LOG_2,
        Step(
            "",
            LeastAt(v, Rational(68, 25)),
            log(v) > 1,
            over=ForAll(v >= Rational(68, 25)),
            at={v: ARGUMENT * (1 - beta)},
        ),
        Step(
            "",
            Algebra(),
            Eq(log(u / y), log(u) - log(y), evaluate=False),
            over=ForAll(u > 0, y > 0),
            at={u: ARGUMENT * (1 - beta), y: 1 - beta},
        ),
    ),
    line=641,
    nearest={"a": "up"},
)

chapter.ours(
    Relation(
        "conc:domain/unvisited",
        ALL_SIZES.where(S * n >= 2, k >= 2, BOUND >= 1),
        log(ARGUMENT) >= c,
        says=r"""$L_{k-1} \ge 2$ wherever an arm state can be left unvisited although an episode has been played, and
        $\mathcal{E}^H_{k-1}$ is possible (for $K \ge 3$ it is): $[[formula]]$. An estimate in $[0, 1]$ is then within
        $L_{k-1}/2$ of any mean in $[0, 1]$.""",
        reading=FROM_2,
        c=2,
    ),
    Argument(Step("", LeastAt(v, 8), log(v) >= 2, over=ForAll(v >= 8), at={v: ARGUMENT})),
    line=644,
    nearest={"c": "up"},
)


def smaller_factor(claim_id: str, bound: sympy.Expr, domain: ForAll, **details: Any) -> Relation:
    """Return that L_{k-1}, with another bound on the lengths in the event, is at most L_K."""
    last = c * S * n * K**2 * log(K) / (1 - beta)
    return Relation(
        claim_id, domain, sqrt(2 * log(2 * S * n * K * (k - 1) * bound)) <= sqrt(2 * log(last)), c=4, **details
    )


def by_products(bound: sympy.Expr) -> Argument:
    """Return the argument that the logarithms compare as their arguments do."""
    left, right = 2 * S * n * K * (k - 1) * bound, 4 * S * n * K**2 * log(K) / (1 - beta)
    of_product = Step(
        "",
        Algebra(sympy.expand_log),
        Eq(log(x * y), log(x) + log(y), evaluate=False),
        over=ForAll(x > 0, y > 0),
        at={x: K, y: k - 1},
    )
    return Argument(LOG_INCREASES.put({u: k - 1, v: K}), of_product, LOG_2, LOG_INCREASES.put({u: left, v: right}))


chapter.printed(
    smaller_factor(
        "conc:L",
        BOUND,
        ForAll(S >= 1, n >= 1, K >= 1, k >= 1, k <= K + 1, beta >= 0, beta < 1),
        says=r"""$L_{k-1} \le L_K$, for $k = K + 1$ too. [[ours]] $[[formula]]$.""",
    ),
    by_products(BOUND),
    line=930,
    survives=survives(K >= 2, k >= 2),
    severity=Severity.EDGE,
    cause="log-of-zero",
    nearest={"c": "down"},
)

chapter.ours(
    smaller_factor(
        "conc:L/repair",
        Max(2, LOG) / (1 - beta),
        ALL_SIZES.where(k >= 2),
        says=r"""With $\max\{2, \log(K(k-1))\}$ in place of $\log(K(k-1))$ in $\mathcal{E}^H_{k-1}$, in $\tau_k$ and
        so in $L_{k-1}$, still $L_{k-1} \le L_K$: $[[formula]]$.""",
        reading=FROM_2,
    ),
    by_products(Max(2, LOG) / (1 - beta)),
    line=930,
    repairs="conc:L",
    nearest={"c": "down"},
)

CAUSES = [
    Cause(
        "t_k-above-tau_k",
        Severity.GAP,
        line=671,
        title="The bound on the number of steps is taken for one on the first step of the episode",
        printed=r"""On $\mathcal{E}^H_{k-1}$, $t_k \le \tau_k$, and so $N_{k-1}(x_a) < \tau_k$, and the union runs over
        $\ell \le \tau_k - 1$.""",
        why=r"""$t_k = 1 + \sum_{i<k} H_i$, and only the sum is at most $\tau_k$. For $K = 3$, $k = 2$, $\beta =
        1/2$ the event allows $H_1 = 2$: then $t_2 = 3 > \tau_2 = 2.197\ldots$ For $\beta = 0$ and the same $K$ and
        $k$ the union over $\ell \le \tau_2 - 1 = 0.098\ldots$ is empty, while $N_1 = 1$.""",
        instead=r"$t_k \le \tau_k + 1$, $N_{k-1}(x_a) \le \tau_k$ and the union over $\ell \le \lfloor\tau_k\rfloor$",
        follows=r"""Nothing: the sum that is computed has $\lfloor\tau_k\rfloor$ terms, and is at most $1/K$. (Where
        $\mathcal{E}^H$ has $\max\{2, \log(K(k-1))\}$ in place of $\log(K(k-1))$, so has $\tau_k$.)""",
        witness="conc:tau",
    ),
    Cause(
        "log-of-zero",
        Severity.EDGE,
        line=641,
        title=r"For K = 1 the bound is 0, and in the first episode the radii have the logarithm of 0",
        printed=r"""$L_{k-1} = \sqrt{2\log\frac{2SnK(k-1)\log(K(k-1))}{1-\beta}}$ for any $k \le K$, and
        $L_K = \sqrt{2\log\frac{4SnK^2\log K}{1-\beta}}$.""",
        why=r"""At $k = 1$ it is $\log(K(k-1)) = \log 0$; at $K = 1$, $L_K$ has the logarithm of $\log 1 = 0$. (At
        $\beta = 0$ the proof divides by $\log(1/\beta)$.)""",
        instead=r"""Line 368: for $K \ge 2$. Line 641: for $2 \le k \le K$. In Section A.1: the first episode costs
        at most $\mathbb{E}[H_1] = \frac{1}{1-\beta}$, whatever is known; the sums over the events begin with $k =
        2$.""",
        follows=r"Nothing but the additive constants: the sums over $k$ start at $2$, and $K \ge 2$.",
        witness="conc:domain",
    ),
]
