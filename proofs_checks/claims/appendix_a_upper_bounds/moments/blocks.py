r"""The proof of Lemma `moment`, last steps: blocks of size A, the series 3.92, and the case K <= 4 (Section A.2)."""

from __future__ import annotations

from flint import fmpq
from mpmath import mp  # type: ignore[import-untyped]
from sympy import Eq, Ge, Le, Max, Min, Rational, Symbol, ceiling, exp, expand, expand_log, log  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.moments.letters import (
    LARGEST,
    MAXIMUM,
    PAPER,
    POWER_GROWS,
    POWER_OF_QUOTIENT,
    SCALED,
    logarithm_at_least,
)
from proofs_checks.computations.block_bounds import bounded_by_blocks
from proofs_checks.computations.episode_moments import LongestMoment, PowerSeries
from proofs_checks.evidence import (
    Algebra,
    Argument,
    ByHand,
    Cases,
    Decides,
    Enclosures,
    Everywhere,
    Invariant,
    LeastAt,
    Solver,
    Step,
    Uses,
)
from proofs_checks.ledger import Chapter, Severity, survives
from proofs_checks.statements import ForAll, PrintedNumber, Process, Relation
from proofs_checks.statements.symbols import K, a, alpha, beta, c, d, e, i, j, m, s, u, v, w, x, y, z
from theory import rational

chapter = Chapter(under="lem:moment")
A = Symbol("A", integer=True)
INSIDE = ForAll(K >= 1, alpha >= 1, alpha <= LARGEST, beta > 0, beta < 1)
RATIO = log(K) / log(1 / beta)
SIZE = ceiling(RATIO**alpha)
HALF = Rational(1, 2)
NEAR_ONE = 1 - fmpq(1, 10**6)

LOG_OF_INVERSE = Step("", Algebra(), Eq(log(1 / beta), -log(beta), evaluate=False), over=ForAll(beta > 0))
ROOT_GROWS = Step(
    "Roots grow:", LeastAt(v, u), u ** (1 / alpha) <= v ** (1 / alpha), over=ForAll(u > 0, v >= u, alpha >= 1)
)
POWERS_FALL = Step(
    "Powers of a discount fall:", LeastAt(v, u), beta**v <= beta**u, over=ForAll(v >= u, beta > 0, beta < 1)
)
ROOT_OF_POWER = Step(
    "", Algebra(), Eq((w**alpha) ** (1 / alpha), w, evaluate=False), over=ForAll(w > 0, alpha >= 1), at={w: RATIO}
)
POWER_OF_ROOT = Step(
    "", Algebra(), Eq((w ** (1 / alpha)) ** alpha, w, evaluate=False), over=ForAll(w > 0, alpha >= 1), at={w: i}
)
AS_EXPONENTIAL = Step(
    "",
    Algebra(),
    Eq(beta**y, exp(y * log(beta)), evaluate=False),
    over=ForAll(beta > 0, y >= 0),
    at={y: SIZE ** (1 / alpha)},
)
LOG_OF_TERM = Step(
    "",
    Algebra(expand_log),
    Eq(log(x * beta**y), log(x) + y * log(beta), evaluate=False),
    over=ForAll(x > 0, beta > 0, y >= 0),
    at={x: K, y: i ** (1 / alpha)},
)
REACHES_ONE = (
    logarithm_at_least(HALF, 2),
    LOG_OF_INVERSE,
    Step("", Solver(integers=True), Ge(ceiling(z), 1, evaluate=False), over=ForAll(z > 0), at={z: RATIO**alpha}),
    ROOT_OF_POWER,
    ROOT_GROWS.put({u: RATIO**alpha, v: SIZE}),
    AS_EXPONENTIAL,
    Step("", LeastAt(v, u), exp(u) <= exp(v), over=ForAll(v >= u), at={u: SIZE ** (1 / alpha) * log(beta), v: -log(K)}),
)
IS_ONE = Step("It is such a number:", Uses("lem:moment/A/reaches"))
TERM = K * beta ** (i ** (1 / alpha))

chapter.ours(
    Relation(
        "lem:moment/A/reaches",
        INSIDE.where(K >= 2),
        SIZE - d >= 1,
        K * beta ** ((SIZE - d) ** (1 / alpha)) <= 1,
        d=0,
    ),
    Argument(*REACHES_ONE),
    line=821,
    looked_at=20,
    mutants=[{"d": 1}],
)

chapter.printed(
    Relation(
        "lem:moment/A",
        PAPER.where(i >= 1),
        SIZE - d >= 1,
        K * beta ** ((SIZE - d) ** (1 / alpha)) <= 1,
        Max(i - (SIZE - d) + HALF, TERM - 1) > 0,
        says=r"""The least $i \ge 1$ with $K\beta^{i^{1/\alpha}} \le 1$ is $A = \lceil (\log K/\log(1/\beta))^\alpha
        \rceil$. [[ours]] It is such a number, and for every $i \ge 1$ either $i \ge A$ or $K\beta^{i^{1/\alpha}} > 1$:
        $[[formula]]$.""",
        d=0,
    ),
    Cases(
        (TERM > 1, Argument(IS_ONE)),
        (
            TERM <= 1,
            Argument(
                IS_ONE,
                logarithm_at_least(HALF, 2),
                LOG_OF_INVERSE,
                LOG_OF_TERM,
                POWER_OF_ROOT,
                POWER_GROWS.put({u: RATIO, v: i ** (1 / alpha)}),
                Step(
                    "",
                    Solver(integers=True),
                    Le(ceiling(z), i, evaluate=False),
                    over=ForAll(i >= 1, z <= i),
                    at={z: RATIO**alpha},
                ),
            ),
        ),
    ),
    line=821,
    survives=survives(K >= 2, beta > 0),
    severity=Severity.EDGE,
    cause="log-of-zero",
    witnesses=[{K: fmpq(1), alpha: fmpq(1), beta: fmpq(1, 2), i: fmpq(1)}],
    looked_at=20,
    mutants=[{"d": 1}],
)

chapter.printed(
    Relation("lem:moment/A-bound", INSIDE, a + SCALED**alpha >= SIZE, a=1),
    Cases(
        (K <= 1, Solver()),
        (
            K >= 2,
            Argument(logarithm_at_least(HALF, 2), LOG_OF_INVERSE, POWER_GROWS.put({u: RATIO, v: log(K) / (1 - beta)})),
        ),
    ),
    line=837,
    looked_at=60,
    nearest={"a": "down"},
)

START = (A * (j + e)) ** (1 / alpha)
NEXT = (A * (j + 1)) ** (1 / alpha)

LATER_FALL = POWERS_FALL.put({u: (A * j) ** (1 / alpha), v: i ** (1 / alpha)})


def next_block(*steps: Step) -> Argument:
    """Return the evidence about the first term of the next block, after other steps."""
    return Argument(
        *steps,
        ROOT_GROWS.put({u: A, v: A * (j + 1)}),
        POWERS_FALL.put({u: A ** (1 / alpha), v: NEXT}),
        Step(
            "",
            Algebra(expand),
            Eq(beta ** ((u * v) ** (1 / alpha)), (beta ** (u ** (1 / alpha))) ** (v ** (1 / alpha)), evaluate=False),
            over=ForAll(u > 0, v > 0, alpha >= 1, beta > 0),
            at={u: A, v: j + 1},
        ),
    )


chapter.printed(
    Relation(
        "lem:moment/blocks",
        INSIDE.where(A >= 1, j >= 0, i >= A * j + 1, i <= A * (j + 1), K * beta ** (A ** (1 / alpha)) <= 1),
        Min(1, TERM) <= Min(1, K * beta**START),
        Eq(Min(1, K * beta**NEXT), K * (beta ** (A ** (1 / alpha))) ** ((j + 1) ** (1 / alpha)), evaluate=False),
        says=r"""With $K\beta^{A^{1/\alpha}} \le 1$, the sum over $i$ is at most $A + A\sum_{j=1}^\infty
        K(\beta^{A^{1/\alpha}})^{j^{1/\alpha}}$. [[ours]] In the block of the $A$ numbers $Aj < i \le A(j+1)$ each term
        is at most that at $A(j + [[e]])$, which is at most $1$, and of the next block it is $[[formula]]$.""",
        e=0,
    ),
    Cases((j <= 0, next_block()), (j >= 1, next_block(ROOT_GROWS.put({u: A * j, v: i}), LATER_FALL))),
    line=823,
    looked_at=100,
    mutants={"each block by its last term": {"e": 1}},
)

ONE_FIFTH = 5 ** (1 - y)
SERIES = PowerSeries(K, alpha)
LARGEST_SERIES = PowerSeries(5, LARGEST)

chapter.printed(
    Relation(
        "lem:moment/series",
        ForAll(K >= 5, alpha >= 1, alpha <= LARGEST),
        c >= SERIES,
        says=r"""For $K \ge 5$ and $\alpha \le \frac52$, $[[formula]]$.""",
        c=4,
    ),
    Argument(
        Step(
            "A term falls with $K$:",
            LeastAt(x, 5),
            x ** (1 - y) <= 5 ** (1 - y),
            over=ForAll(x >= 5, y >= 1),
            at={x: K, y: 1},
        ),
        Step(
            r"and rises with $\alpha$:",
            LeastAt(w, z),
            x**z <= x**w,
            over=ForAll(x >= 1, w >= z),
            at={x: 1, w: 1, z: 1},
        ),
        Step("Add the terms:", ByHand(), SERIES <= LARGEST_SERIES),
        Step("", Everywhere(), c >= LARGEST_SERIES, over=ForAll()),
    ),
    line=831,
    witnesses=[{K: fmpq(5), alpha: fmpq(5, 2)}],
    looked_at=6,
    nearest={"c": "down"},
)


def by_euler_and_maclaurin() -> fmpq:
    """Return the sum of 5^(1 - j^(2/5)): some terms, the integral of the others, half of the last term."""
    terms = 5000
    with mp.workdps(45):
        exponent, rate = mp.mpf(2) / 5, mp.log(5)
        last = 5 * mp.exp(-rate * terms**exponent)
        head = mp.fsum(5 * mp.exp(-rate * j**exponent) for j in range(1, terms + 1))
        rest = 5 * mp.mpf("2.5") * rate ** mp.mpf("-2.5") * mp.gammainc(mp.mpf("2.5"), rate * terms**exponent)
        slope = last * rate * exponent * terms ** (exponent - 1)
        return rational(mp.nstr(head + rest - last / 2 + slope / 12, 35))


chapter.printed(
    PrintedNumber(
        "lem:moment/series/value",
        "3.92",
        lambda: PowerSeries.compute(fmpq(5), fmpq(5, 2)),
        also=by_euler_and_maclaurin,
        says=r"$\sum_{j=1}^\infty 5^{1 - j^{1/2.5}} \approx [[printed]]$.",
    ),
    Everywhere(),
    line=831,
)

chapter.printed(
    Relation(
        "lem:moment/five-blocks",
        ForAll(K >= 5, alpha >= 1, alpha <= e, beta > 0, beta < 1),
        c * SIZE >= MAXIMUM,
        says=r"""For $K \ge 5$ and $\alpha \le [[e]]$, the moment is at most $[[c]] A$. [[ours]] $[[formula]]$.""",
        c=5,
        e="5/2",
    ),
    Argument(
        Step(
            r"The moment grows with $\beta$, and a block size $A$ means $\beta \le K^{-A^{-1/\alpha}}$.",
            Uses("thm:regret_upper_bound/reduction/tails"),
        ),
        Step(
            r"At $\beta = z = \frac1K$ the tails fall with $K$, as $K\log(1 - K^{-m})$ rises:",
            LeastAt(z, y),
            log(1 - z**m) / z <= log(1 - y**m) / y,
            over=ForAll(y > 0, z >= y, z <= Rational(1, 5), m >= 1),
            at={y: Rational(1, 5), z: Rational(1, 5), m: 1},
        ),
        Step("The union bound and", Uses("lem:moment/largest-exponential")),
        conclusion=Decides(
            bounded_by_blocks,
            covers="""block size 1 at its worst point K = 5, beta = 1/5; boxes of exponents with the union bound at K
            = 5 for the next block sizes; and the norm of exponential variables for all others""",
        ),
    ),
    line=835,
    survives=survives(says=r"$\alpha \le 2.16$, so for $\alpha = \frac32$ and $2$", e="2.16"),
    severity=Severity.GAP,
    cause="five-blocks",
    witnesses=[{K: fmpq(5), alpha: rational(at), beta: fmpq(1, 5) - fmpq(1, 10**9)} for at in ("5/2", "2.17", "2.16")],
    looked_at=20,
    mutants=[{"e": "2.17"}],
    nearest={"c": "down"},
)

chapter.printed(
    Relation(
        "lem:moment/small-K/sum",
        PAPER,
        (K - d) * LongestMoment(alpha, beta, 1) >= MAXIMUM,
        d=0,
    ),
    Argument(
        Step(
            "In each outcome,",
            Invariant(u >= 0),
            claim=Process(
                "lem:moment/small-K/sum#outcome",
                u <= s,
                start={u: 0, s: 0},
                move={u: Max(u, x), s: s + x},
                inputs=ForAll(x >= 0),
                says="$[[formula]]$ for the largest $u$ and the sum $s$ of any number of terms.",
            ),
        ),
        Step(
            "All lengths have one law, and means keep the order:",
            ByHand(),
            K * LongestMoment(alpha, beta, 1) >= MAXIMUM,
        ),
    ),
    line=839,
    looked_at=40,
    nearest={"d": "up"},
)

chapter.printed(
    Relation(
        "lem:moment/small-K/moment",
        ForAll(alpha >= 1, alpha <= LARGEST, beta >= 0, beta < 1),
        LongestMoment(alpha, beta, 1) <= c / (1 - beta) ** alpha,
        says=r"$\mathbb{E}[H^\alpha] \le \frac{[[c]]}{(1-\beta)^\alpha}$, which is $\mathbb{E}[H]^\alpha$.",
        c=1,
    ),
    Cases(
        (alpha <= 1, Argument(Step("", Uses("lem:moment/repair", {K: 1})))),
        (beta <= 0, Enclosures(boxes=100)),
    ),
    line=839,
    survives=survives(Eq((alpha - 1) * beta, 0, evaluate=False), says=r"$\alpha = 1$ or $\beta = 0$, with equality"),
    severity=Severity.FALSE,
    cause="moment-lemma",
    witnesses=[
        {alpha: fmpq(2), beta: NEAR_ONE},
        {alpha: fmpq(2), beta: fmpq(1, 2)},
        {alpha: fmpq(3, 2), beta: fmpq(1, 2)},
    ],
    looked_at=60,
    nearest={"c": "down"},
)

INVERSE = (1 - beta) ** (-alpha)

chapter.printed(
    Relation(
        "lem:moment/small-K/compare",
        PAPER.where(K <= 4),
        K / (1 - beta) ** alpha <= a + c * SCALED**alpha,
        says="For $K \\le 4$, $[[formula]]$.",
        a=5,
        c=5,
    ),
    Cases(
        (K <= 1, Solver()),
        (
            K >= 2,
            Argument(
                Step(
                    "",
                    Enclosures(boxes=200),
                    c * log(K) ** alpha >= K,
                    over=ForAll(K >= 2, K <= 4, alpha >= 1, alpha <= LARGEST),
                ),
                logarithm_at_least(HALF, 2),
                POWER_OF_QUOTIENT.put({u: log(K), v: 1 - beta}),
            ),
        ),
    ),
    line=839,
    survives=survives(
        Max(K - 2, 5 - INVERSE) >= 0, says=r"$K = 2, 3, 4$, and $K = 1$ where $\frac{1}{(1-\beta)^\alpha} \le 5$"
    ),
    severity=Severity.FALSE,
    cause="moment-lemma",
    witnesses=[
        {K: fmpq(1), alpha: fmpq(2), beta: fmpq(3, 4)},
        {K: fmpq(2), alpha: fmpq(5, 2), beta: NEAR_ONE},
        {K: fmpq(1), alpha: fmpq(1), beta: fmpq(4, 5)},
    ],
    nearest={"c": "down", "a": "down"},
)
