r"""The proof of Lemma `moment`, first steps: the sum of tails, the union bound, the tail of a power of H (Section A.2).

The sum over i >= 1 of the tails is the mean of the integer part, and H^alpha >= i means H >= ceil(i^(1/alpha)), which
has probability beta^(ceil(i^(1/alpha)) - 1): both are printed without the rounding.
"""

from __future__ import annotations

from flint import fmpq
from sympy import Eq, Min, Sum, ceiling, floor  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.moments.letters import LARGEST, MAXIMUM, PAPER
from proofs_checks.computations.episode_moments import RoundedUnionSum, UnionSum
from proofs_checks.evidence import Argument, ByHand, Cases, LeastAt, Solver, Step, Uses
from proofs_checks.ledger import Chapter, Severity, Verdict, survives
from proofs_checks.statements import ForAll, Relation
from proofs_checks.statements.symbols import K, a, alpha, b, beta, d, e, h, i, j, k, u, v

chapter = Chapter(under="lem:moment")
HALF = fmpq(1, 2)
OUTCOMES = ForAll(h >= 1, alpha >= 1, alpha <= LARGEST)
TAILS = ForAll(i >= 1, alpha >= 1, alpha <= LARGEST, beta >= 0, beta < 1)
UP, DOWN = ceiling(i ** (1 / alpha)), floor(i ** (1 / alpha))
TAIL = 1 - Sum((1 - beta) * beta ** (j - 1), (j, 1, UP - 1))
"""P(H^alpha >= i), by the law of H: H is at least the ceiling of i^(1/alpha)."""

chapter.printed(
    Relation(
        "lem:moment/floor",
        OUTCOMES,
        Eq(floor(h**alpha) - d, h**alpha, evaluate=False),
        says=r"""$\mathbb{E}[\max_k H_k^\alpha] = \sum_{i=1}^\infty \mathbb{P}(\max_k H_k^\alpha \ge i)$. [[ours]] Where
        $\max_k H_k = h$, the number of $i \ge 1$ with $h^\alpha \ge i$ is $\lfloor h^\alpha \rfloor$, and both sides
        are the means of $[[formula]]$.""",
        d=0,
    ),
    Cases(
        (alpha <= 1, Solver(integers=True)),
        ([alpha >= 2, alpha <= 2], Solver(integers=True)),
        (h <= 1, Solver()),
    ),
    line=815,
    survives=survives(
        Eq((alpha - 1) * (alpha - 2) * (h - 1), 0, evaluate=False),
        says=r"$\alpha = 1$ or $\alpha = 2$; for other exponents only the outcome $h = 1$, so $\beta = 0$",
    ),
    severity=Severity.GAP,
    cause="tails-of-powers",
    witnesses=[{h: fmpq(2), alpha: fmpq(3, 2)}],
    nearest={"d": "up"},
)

chapter.ours(
    Relation(
        "lem:moment/floor/repair",
        OUTCOMES,
        h**alpha <= ceiling(h**alpha) - d,
        says=r"""$\mathbb{E}[\max_k H_k^\alpha] \le \sum_{i=0}^\infty \mathbb{P}(\max_k H_k^\alpha > i)$: where
        $\max_k H_k = h$, the number of $i \ge 0$ with $h^\alpha > i$ is $\lceil h^\alpha \rceil$, and
        $[[formula]]$.""",
        d=0,
    ),
    Solver(),
    line=815,
    repairs="lem:moment/floor",
    nearest={"d": "up"},
)

chapter.printed(
    Relation(
        "lem:moment/union",
        TAILS.where(K >= 1),
        1 - (1 - beta ** (UP - 1)) ** K <= Min(1, (K - d) * beta ** (UP - 1)),
        says=r"""$\mathbb{P}(\max_k H_k^\alpha \ge i) \le \min(1, K\,\mathbb{P}(H^\alpha \ge i))$. [[ours]] With
        $\mathbb{P}(H^\alpha \ge i) = \beta^{\lceil i^{1/\alpha} \rceil - 1}$, $[[formula]]$.""",
        d=0,
    ),
    Argument(
        Step("", LeastAt(i, 1), i ** (1 / alpha) >= 1, over=TAILS),
        Step("The union bound:", Uses("conc:H/union", {k: K + 1, e: UP - 1})),
    ),
    line=816,
    nearest={"d": "up"},
)

PRINTED_POWER = b * UP + (1 - b) * i ** (1 / alpha) - a

chapter.printed(
    Relation(
        "lem:moment/tail",
        TAILS,
        Eq(TAIL, beta**PRINTED_POWER, evaluate=False),
        says=r"""$\mathbb{P}(H^\alpha \ge i) = \beta^{i^{1/\alpha}}$ for a length of law $\mathbb{P}(H = j) =
        (1-\beta)\beta^{j-1}$, $j \ge 1$. [[ours]] $[[formula]]$.""",
        a=0,
        b=0,
    ),
    Argument(
        Step("", LeastAt(i, 1), i ** (1 / alpha) >= 1, over=TAILS),
        Step("", Uses("conc:H/tail", {e: UP - 1})),
    ),
    line=817,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="tails-of-powers",
    witnesses=[{i: fmpq(1), alpha: fmpq(2), beta: HALF}, {i: fmpq(2), alpha: fmpq(3, 2), beta: HALF}],
    mutants={"rounded up": {"b": 1}, "one less": {"a": 1}},
    controls={"rounded up, and one less": {"a": 1, "b": 1}},
)

chapter.ours(
    Relation(
        "lem:moment/tail/repair",
        ForAll(i >= 1, alpha >= 1, alpha <= LARGEST, beta > 0, beta < 1),
        Eq(TAIL, beta ** (UP - 1), evaluate=False),
        beta ** (i ** (1 / alpha) - d) <= beta ** (UP - 1),
        beta ** (UP - 1) <= beta ** (i ** (1 / alpha) - a),
        says=r"""$\mathbb{P}(H^\alpha \ge i)$ is the power with the exponent rounded up, less one: $[[formula]]$.""",
        a=1,
        d=0,
    ),
    Argument(
        Step("", LeastAt(i, 1), i ** (1 / alpha) >= 1, over=TAILS),
        Step("", Uses("conc:H/tail", {e: UP - 1})),
        *(
            Step(
                "Powers of a discount fall:",
                LeastAt(v, u),
                beta**v <= beta**u,
                over=ForAll(v >= u, beta > 0, beta < 1),
                at=at,
            )
            for at in ({u: UP - 1, v: i ** (1 / alpha) - d}, {u: i ** (1 / alpha) - a, v: UP - 1})
        ),
    ),
    line=817,
    repairs="lem:moment/tail",
    nearest={"a": "down", "d": "up"},
)

chapter.printed(
    Relation(
        "lem:moment/sum",
        PAPER,
        e + UnionSum(alpha, beta, K, a) >= MAXIMUM,
        says=r"""The moment is at most the sum with the printed tails. [[ours]] $[[formula]]$.""",
        a=0,
        e=0,
    ),
    line=817,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="tails-of-powers",
    witnesses=[
        {K: fmpq(5), alpha: fmpq(1), beta: HALF},
        {K: fmpq(1), alpha: fmpq(3, 2), beta: HALF},
        {K: fmpq(1), alpha: fmpq(1), beta: HALF},
    ],
    mutants=[{"a": "1/2"}],
    controls={"the true exponent at least, and the term of i = 0": {"a": 1, "e": 1}},
    looked_at=12,
)

chapter.ours(
    Relation(
        "lem:moment/sum/repair",
        PAPER,
        RoundedUnionSum(alpha, beta, K) - d >= MAXIMUM,
        d=0,
    ),
    Argument(
        Step("The moment is at most the sum of the tails from $0$ on.", Uses("lem:moment/floor/repair", {h: 1})),
        Step(
            r"Each of them, $\mathbb{P}(\max_k H_k > \lfloor i^{1/\alpha} \rfloor)$, is at most",
            Uses("conc:H/union", {k: K + 1, e: 1}),
        ),
        Step("and at most $1$; add over $i$.", ByHand(), RoundedUnionSum(alpha, beta, K) >= MAXIMUM),
    ),
    line=817,
    repairs="lem:moment/sum",
    looked_at=12,
    nearest={"d": "up"},
)
