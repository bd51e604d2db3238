r"""Section A.2: moments of the longest of K geometric lengths."""

from __future__ import annotations

from mpmath import mp  # type: ignore[import-untyped]
from sympy import Ge, Le, Symbol  # type: ignore[import-untyped]

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.appendix_a2_moments.block_bounds import bounded_by_blocks
from proofs_checks.paper.shared.episode_moments import (
    ExponentialMoment, LongestMoment, PowerSeries, UnionSum,
)

chapter = Chapter()

LARGEST = Rational(5, 2)
"""The largest exponent of the lemma."""
PAPER = ForAll(K >= 1, alpha >= 1, alpha <= LARGEST, beta >= 0, beta < 1)
EVERY_POWER = ForAll(K >= 1, alpha >= 1, beta >= 0, beta < 1)
MAXIMUM = LongestMoment(alpha, beta, K)
EXPONENTIAL = ExponentialMoment(alpha, K)
NORM = gamma(1 + alpha) ** (1 / alpha)
"""The alpha-norm of one variable of law Exp(1)."""
SCALED = log(K) / (1 - beta)

POWER_GROWS = Step("Powers grow with their base:", LeastAt(v, u), u**alpha <= v**alpha,
    over=ForAll(u > 0, v >= u, alpha >= 1))
BASE_GROWS = Step("A power grows with its base:", LeastAt(v, u), u**w <= v**w, over=ForAll(u > 0, v >= u, w >= 1))
POWERS_FALL = Step("Powers of a discount fall:", LeastAt(v, u), beta**v <= beta**u,
    over=ForAll(v >= u, beta > 0, beta < 1))
POWER_OF_QUOTIENT = Step(Algebra(), Eq((u / v) ** alpha, u**alpha * v ** (-alpha)),
    over=ForAll(u > 0, v > 0, alpha >= 1))
POWER_OF_ROOT = Step(Algebra(), Eq((u ** (1 / alpha) * v) ** alpha, u * v**alpha),
    over=ForAll(u > 0, v > 0, alpha >= 1))

# == Lemma `moment` itself: where it holds as printed, where it fails, and the order of the moment.

at = chapter.heading("lem:moment")
UP_TO = {2: Rational(17197, 10000), 3: Rational(22383, 10000)}
"""By K, the exponent (to four digits) up to which the lemma holds for every discount."""
SMALL = Rational(1, 3)
HOLDS = Max(K - 4, Min(K - 3, UP_TO[3] - alpha), Min(K - 2, UP_TO[2] - alpha), SMALL - beta) >= 0
NEAR_ONE = 1 - fmpq(1, 10**6)
BY_EXPONENTIAL = Step(Uses("lem:moment/repair-exponential"))
QUOTIENT = POWER_OF_QUOTIENT.put({u: log(K), v: 1 - beta})

def few_episodes(least: int, last: int, largest: Rational = LARGEST) -> Evidence:
    """Return the evidence for a few numbers of episodes: an enclosure for all exponents, enough for all discounts."""
    few = ForAll(least <= K, last >= K, alpha >= 1, alpha <= largest)
    return Argument(BY_EXPONENTIAL,
        Step(Enclosures(), c * log(K) ** alpha >= EXPONENTIAL, over=few),
        log_at_least(Rational(1, 2), least, K),
        QUOTIENT)

def many_episodes(first: int, logarithm: Rational) -> Evidence:
    return Argument(BY_EXPONENTIAL,
        log_at_least(logarithm, first, K),
        "lem:moment/gamma", "lem:moment/largest-exponential",
        Step(Enclosures(), c ** (1 / alpha) >= 1, (c ** (1 / alpha) - 1) * logarithm >= NORM,
            over=ForAll(alpha >= 1, alpha <= LARGEST)),
        POWER_GROWS.put({u: log(K) + NORM, v: c ** (1 / alpha) * log(K)}),
        POWER_OF_ROOT.put({u: c, v: log(K)}),
        QUOTIENT)

at.printed(809).relation("lem:moment",
    r"$\mathbb{E}[\max_{k \le K} (H_k)^\alpha] \le [[a]] + [[c]]\left(\frac{\log K}{1-\beta}\right)^\alpha$",
    PAPER, a + c * SCALED**alpha >= MAXIMUM, a=5, c=5,
    by=Cases(([beta <= SMALL, K <= 3], Enclosures()),
        ([K >= 2, K <= 2, alpha <= UP_TO[2]], few_episodes(2, 2, UP_TO[2])),
        ([K >= 3, K <= 3, alpha <= UP_TO[3]], few_episodes(3, 3, UP_TO[3])), ([K >= 4, K <= 7], few_episodes(4, 7)),
        (K >= 8, many_episodes(8, Rational(2079, 1000)))),
    survives=Survives(HOLDS,
        says=r"""$K \ge 4$; $K = 3$ with $\alpha \le 2.2383$; $K = 2$ with $\alpha \le 1.7197$; and every $K$ and
        $\alpha$ with $\beta \le \frac13$ (`picture moment` shows where else)"""),
    fails="moment-lemma", refuted=("moment_fails_for_1", "moment_fails_for_2", "moment_fails_for_3", "moment_fails"),
    candidates=[{K: fmpq(2), alpha: fmpq(2), beta: fmpq(3, 4)}, {K: fmpq(3), alpha: fmpq(5, 2), beta: fmpq(4, 5)},
        {K: fmpq(1), alpha: fmpq(2), beta: fmpq(1, 2)}, {K: fmpq(2), alpha: fmpq(17197, 10000), beta: NEAR_ONE},
        {K: fmpq(1), alpha: fmpq(5, 2), beta: fmpq(1, 3)}],
    nearest="c a", max_instances=60, under="")

USED = (Rational(1), Rational(3, 2), Rational(2))

at.ours(941).relation("lem:moment/used",
    r"For $K \ge 3$ the lemma holds for the exponents that are used, $\frac32$ and $2$, and for $1$: $[[formula]]$.",
    ForAll(K >= 3, beta >= 0, beta < 1), *(LongestMoment(power, beta, K) <= a + c * SCALED**power for power in USED),
    a=5, c=5, kernel=("moment_as_printed", "moment_converges"),
    candidates=[{K: fmpq(3), beta: NEAR_ONE}], nearest="c a", max_instances=20, repairs="lem:moment")

at.printed(613).relation("lem:moment/order",
    r"""$\mathbb{E}[\max_{1 \le k \le K} (H_k)^\alpha] = O((\frac{\log K}{1-\beta})^\alpha)$. [[ours]] With one constant
    for all $\alpha$, $\beta$ and $K \ge 2$ ($\log 1 = 0$): $[[formula]]$.""",
    PAPER.where(K >= 2), c * SCALED**alpha >= MAXIMUM, c=16,
    by=Cases(([K >= 2, K <= 7], few_episodes(2, 7)), (K >= 8, many_episodes(8, Rational(2079, 1000)))),
    candidates=[{K: fmpq(2), alpha: fmpq(5, 2), beta: NEAR_ONE}], nearest="c",
    max_instances=60)

CAUSES = [
    Cause("moment-lemma", Severity.MAJOR, line=809, title="The moment lemma is false for one, two and three episodes",
        printed=r"""$\mathbb{E}[\max_{k \le K} (H_k)^\alpha] \le 5 + 5\big(\frac{\log K}{1-\beta}\big)^\alpha$, and
        in its proof $\mathbb{E}[\max_{k \le K} (H_k)^\alpha] \le K\,\mathbb{E}[H_1^\alpha] \le
        \frac{K}{(1-\beta)^\alpha}$ for $K \le 4$.""",
        why=r"""Powers above $1$ are convex: $\mathbb{E}[H^\alpha] \ge \mathbb{E}[H]^\alpha = (1-\beta)^{-\alpha}$, and
        $\mathbb{E}[H^2] = (1+\beta)(1-\beta)^{-2}$. For $K = 2$, $\alpha = 2$, $\beta = \frac34$ the
        moment is $\frac{2344}{49} = 47.8\ldots$ and the bound $43.4\ldots$; for $K = 3$, $\alpha = \frac52$, $\beta =
        \frac45$ they are $393.3\ldots$ and $358.5\ldots$; for $K = 1$, where $\log K = 0$, the bound is $5$, and the
        moment grows without bound.""",
        instead=r"""Line 809: $\mathbb{E}[\max_{k \le K} (H_k)^\alpha] \le \Big(\frac{\log K +
        \Gamma(1+\alpha)^{1/\alpha}}{1-\beta}\Big)^\alpha$ for all $K \ge 1$, $\alpha \ge 1$ and $0 \le \beta < 1$. It
        follows from `lem:moment/repair-exponential` and `lem:moment/largest-exponential`, not from the printed proof.
        Line 839 is dropped. Line 941: $3(L_K + \sqrt S)\Big(Sn\big(\frac{\log K + \sqrt 2}{1-\beta}\big)^2 +
        2\sqrt{SnK}\big(\frac{\log K + \Gamma(\frac52)^{2/3}}{1-\beta}\big)^{3/2}\Big)$.""",
        checked=("lem:moment/repair", "eq:proof_bound/repair"),
        follows=r"""The lemma is right for $K \ge 4$, and for the exponents that are used, $\frac32$ and $2$, for $K \ge
        3$; the order of the regret bound stays, its constants change a little.""",
        witness="lem:moment"),
    Cause("tails-of-powers", Severity.GAP, line=815,
        title="Integer lengths are treated as if their powers were integers and their tails continuous",
        printed=r"""$\mathbb{E}[\max_k H_k^\alpha] = \sum_{i \ge 1} \mathbb{P}(\max_k H_k^\alpha \ge i) \le \sum_{i \ge
        1} \min(1, K\beta^{i^{1/\alpha}})$""",
        why=r"""Two roundings are left out, both to the wrong side: the sum of tails is the mean of $\lfloor \max_k
        H_k^\alpha \rfloor$, and $\mathbb{P}(H^\alpha \ge i) = \beta^{\lceil i^{1/\alpha} \rceil - 1}$. For $\alpha =
        1$, $K = 5$ and $\beta = \frac12$ the mean of the longest length is $3.79\ldots$, the last sum $3.25$.""",
        instead=r"""$\mathbb{E}[\max_k H_k^\alpha] \le \sum_{i=0}^\infty \mathbb{P}(\max_k H_k^\alpha > i)$, and
        $\mathbb{P}(H^\alpha \ge i) = \beta^{\lceil i^{1/\alpha} \rceil - 1}$ for $i \ge 1$""",
        follows="""The blocks that follow bound another sum; the bound of the lemma holds for five episodes or more all
        the same.""",
        witness="lem:moment/sum"),
    Cause("five-blocks", Severity.GAP, line=835, title="Five blocks do not bound the moment for all exponents",
        why=r"""For $K = 5$, $\alpha = \frac52$ and $\beta$ just below $\frac15$, $A = 1$ and the moment is
        $6.87\ldots$; the step rests on the sum without its roundings.""",
        instead=r"$\alpha \le 2.16$, which covers the exponents that are used",
        follows="Nothing: the bound of the lemma itself holds for five episodes or more.",
        witness="lem:moment/five-blocks"),
]

# == The proof of Lemma `moment`, first steps: the sum of tails, the union bound, the tail of a power of H.

OUTCOMES = ForAll(h >= 1, alpha >= 1, alpha <= LARGEST)
TAILS = ForAll(i >= 1, alpha >= 1, alpha <= LARGEST, beta >= 0, beta < 1)
UP = ceiling(i ** (1 / alpha))
TAIL = 1 - Sum((1 - beta) * beta ** (j - 1), (j, 1, UP - 1))
"""P(H^alpha >= i), by the law of H: H is at least the ceiling of i^(1/alpha)."""

at.printed(815).relation("lem:moment/floor",
    r"""$\mathbb{E}[\max_{k \le K} (H_k)^\alpha] = \sum_{i=1}^\infty \mathbb{P}(\max_{k \le K} (H_k)^\alpha \ge i)$.
    [[ours]] Where $\max_k H_k = h$, the number of $i \ge 1$ with $h^\alpha \ge i$ is $\lfloor h^\alpha \rfloor \le
    h^\alpha$; so the means of both are equal only if $[[formula]]$ for each $h$ of positive probability.""",
    OUTCOMES, Eq(floor(h**alpha) - d, h**alpha), d=0,
    by=Cases((alpha <= 1, Solver(integers=True)), ([alpha >= 2, alpha <= 2], Solver(integers=True)),
        (h <= 1, Solver())),
    survives=Survives(Eq((alpha - 1) * (alpha - 2) * (h - 1), 0),
        says=r"$\alpha = 1$, $\alpha = 2$, or $h = 1$ (all lengths if $\beta = 0$)"),
    fails="tails-of-powers", candidates=[{h: fmpq(2), alpha: fmpq(3, 2)}], nearest="d+")

at.repairs("lem:moment/floor").relation("/repair",
    r"""Formula towards $\mathbb{E}[\max_k H_k^\alpha] \le \sum_{i=0}^\infty \mathbb{P}(\max_k H_k^\alpha > i)$: where
    $\max_k H_k = h$, $\lceil h^\alpha \rceil$ being the number of integers $i \ge 0$ with $h^\alpha > i$,
    $[[formula]]$. (Words alone lead to it, which nothing checks.)""",
    OUTCOMES, h**alpha <= ceiling(h**alpha) - d, d=0, by=Solver(), nearest="d",
    repairs=("lem:moment/floor", "lem:moment/sum"))

at.printed(816).relation("lem:moment/union",
    r"""$\sum_{i=1}^\infty \mathbb{P}(\max_{k \le K} (H_k)^\alpha \ge i) \le \sum_{i=1}^\infty \min(1,
    K\,\mathbb{P}((H_k)^\alpha \ge i))$. [[ours]] Term by term, with $\mathbb{P}(H^\alpha \ge i) = \beta^{\lceil
    i^{1/\alpha} \rceil - 1}$, $[[formula]]$.""",
    TAILS.where(K >= 1), 1 - (1 - beta ** (UP - 1)) ** K <= Min(1, (K - d) * beta ** (UP - 1)), d=0,
    by=[Step(LeastAt(i, 1), i ** (1 / alpha) >= 1, over=TAILS),
        Uses("conc:H/tail", {e: UP - 1}), Step("The union bound:", Uses("conc:H/union", {k: K + 1, e: UP - 1}))],
    nearest="d")

PRINTED_POWER = b * UP + (1 - b) * i ** (1 / alpha) - a

at.printed(817).relation("lem:moment/tail",
    r"""$\sum_{i=1}^\infty \min(1, K\,\mathbb{P}((H_k)^\alpha \ge i)) = \sum_{i=1}^\infty \min(1,
    K\beta^{i^{1/\alpha}})$. [[ours]] For $K = 1$ no term on the left is below the one on the right
    (`lem:moment/tail/repair`), so that the sums are equal only if the terms are, $\mathbb{P}(H^\alpha \ge i) =
    \beta^{i^{1/\alpha}}$. With the law $\mathbb{P}(H = j) = (1-\beta)\beta^{j-1}$, $[[formula]]$.""",
    TAILS.where(beta > 0), Eq(TAIL, beta**PRINTED_POWER), a=0, b=0,
    by=[Step(LeastAt(i, 1), i ** (1 / alpha) >= 1, over=TAILS), Uses("conc:H/tail", {e: UP - 1})],
    fails="tails-of-powers",
    candidates=[{i: fmpq(1), alpha: fmpq(2), beta: HALF}, {i: fmpq(2), alpha: fmpq(3, 2), beta: HALF}],
    false={"rounded up": {"b": 1}, "one less": {"a": 1}}, true={"rounded up, and one less": {"a": 1, "b": 1}})

at.repairs("lem:moment/tail").relation("/repair",
    r"""$\mathbb{P}(H^\alpha \ge i) = \beta^{\lceil i^{1/\alpha} \rceil - 1}$, which is between the powers with
    exponents $i^{1/\alpha}$ and $i^{1/\alpha} - 1$: $[[formula]]$.""",
    TAILS.where(beta > 0), Eq(TAIL, beta ** (UP - 1)),
    beta ** (i ** (1 / alpha) - d) <= beta ** (UP - 1), beta ** (UP - 1) <= beta ** (i ** (1 / alpha) - a), a=1, d=0,
    by=[Step(LeastAt(i, 1), i ** (1 / alpha) >= 1, over=TAILS),
        Uses("conc:H/tail", {e: UP - 1}),
        *map(POWERS_FALL.put, ({u: UP - 1, v: i ** (1 / alpha) - d}, {u: i ** (1 / alpha) - a, v: UP - 1}))],
    candidates=[{i: fmpq(10001), alpha: fmpq(2), beta: HALF}], nearest="a d",
    repairs=("lem:moment/tail", "lem:moment/sum"))

at.printed(817).relation("lem:moment/sum",
    r"""$\mathbb{E}[\max_{k \le K} (H_k)^\alpha] \le \sum_{i=1}^\infty \min(1, K\beta^{i^{1/\alpha}})$. [[ours]]
    $[[formula]]$.""",
    PAPER, e + UnionSum(alpha, beta, K, a) >= MAXIMUM, a=0, e=0, fails="tails-of-powers",
    candidates=[{K: fmpq(5), alpha: fmpq(1), beta: HALF}, {K: fmpq(1), alpha: fmpq(3, 2), beta: HALF},
        {K: fmpq(1), alpha: fmpq(1), beta: HALF}],
    false={"a": "1/2"}, true={"the true exponent at least, and the term of i = 0": {"a": 1, "e": 1}}, max_instances=12)

# == The proof of Lemma `moment`, last steps: blocks of size A, the series 3.92, and the case K <= 4.

A = Symbol("A", integer=True)
INSIDE = ForAll(K >= 1, alpha >= 1, alpha <= LARGEST, beta > 0, beta < 1)
RATIO = log(K) / log(1 / beta)
SIZE = ceiling(RATIO**alpha)
ONE_HALF = Rational(1, 2)

ROOT_GROWS = Step("Roots grow:", LeastAt(v, u), u ** (1 / alpha) <= v ** (1 / alpha),
    over=ForAll(u > 0, v >= u, alpha >= 1))
ROOT_OF_POWER = Step(Algebra(), Eq((w**alpha) ** (1 / alpha), w), over=ForAll(w > 0, alpha >= 1),
    at={w: RATIO})
ROOT_TO_POWER = Step(Algebra(), Eq((w ** (1 / alpha)) ** alpha, w), over=ForAll(w > 0, alpha >= 1),
    at={w: i})
BETA_AS_EXPONENTIAL = Step(Algebra(), Eq(beta**y, exp(y * log(beta))), over=ForAll(beta > 0, y >= 0),
    at={y: SIZE ** (1 / alpha)})
LOG_OF_TERM = Step(Algebra(), Eq(log(x * beta**y), log(x) + y * log(beta)),
    over=ForAll(x > 0, beta > 0, y >= 0), at={x: K, y: i ** (1 / alpha)})
REACHES_ONE = (log_at_least(ONE_HALF, 2, K), LOG_OF_INVERSE,
    Step(Solver(integers=True), Ge(ceiling(z), 1), over=ForAll(z > 0), at={z: RATIO**alpha}),
    ROOT_OF_POWER, ROOT_GROWS.put({u: RATIO**alpha, v: SIZE}), BETA_AS_EXPONENTIAL,
    EXP_INCREASES.put({u: SIZE ** (1 / alpha) * log(beta), v: -log(K)}))
IS_ONE = Step("It is such a number:", Uses("lem:moment/A/reaches"))
TERM = K * beta ** (i ** (1 / alpha))

at.ours(821).relation("lem:moment/A/reaches", "",
    INSIDE.where(K >= 2), SIZE - d >= 1, K * beta ** ((SIZE - d) ** (1 / alpha)) <= 1, d=0, by=[*REACHES_ONE],
    false={"d": 1}, max_instances=20)

at.printed(837).relation("lem:moment/A",
    r"""For $K \ge 5$, $A = \min\{i: K\beta^{i^{1/\alpha}} \le 1\} = \lceil (-\log K/\log\beta)^\alpha \rceil$. [[ours]]
    It is such a number, and for every $i \ge 1$ either $i \ge A$ or $K\beta^{i^{1/\alpha}} > 1$: $[[formula]]$.""",
    PAPER.where(K >= 5, i >= 1), SIZE - d >= 1, K * beta ** ((SIZE - d) ** (1 / alpha)) <= 1,
    Max(i - (SIZE - d) + ONE_HALF, TERM - 1) > 0, d=0,
    by=Cases((TERM > 1, Argument(IS_ONE)),
        (TERM <= 1,
            Argument(IS_ONE,
                log_at_least(ONE_HALF, 2, K),
                LOG_OF_INVERSE,
                LOG_OF_TERM,
                ROOT_TO_POWER,
                POWER_GROWS.put({u: RATIO, v: i ** (1 / alpha)}),
                Step(Solver(integers=True), Le(ceiling(z), i), over=ForAll(i >= 1, z <= i),
                    at={z: RATIO**alpha})))),
    survives=Survives(beta > 0), fails="log-of-zero", false=[{"d": 1}, {"d": -1}], max_instances=20)

at.printed(837).relation("lem:moment/A-bound",
    r"""For $K \ge 5$, $\left\lceil\left(-\frac{\log K}{\log\beta}\right)^\alpha\right\rceil \le [[a]] +
    \left(\frac{\log K}{1-\beta}\right)^\alpha$. [[ours]] For $\beta = 0$ see `lem:moment/A`.""",
    INSIDE.where(K >= 5), a + SCALED**alpha >= SIZE, a=1,
    by=[log_at_least(ONE_HALF, 2, K), LOG_OF_INVERSE, POWER_GROWS.put({u: RATIO, v: log(K) / (1 - beta)})],
    candidates=[{K: fmpq(5), alpha: fmpq(1), beta: fmpq(85134, 10**5)}], nearest="a", max_instances=60)

START = (A * (j + e)) ** (1 / alpha)
NEXT = (A * (j + 1)) ** (1 / alpha)

LATER_FALL = POWERS_FALL.put({u: (A * j) ** (1 / alpha), v: i ** (1 / alpha)})

def next_block(*steps: Step) -> Argument:
    """Return the argument about the first term of the next block, which begins with other steps."""
    return Argument(*steps,
        ROOT_GROWS.put({u: A, v: A * (j + 1)}),
        POWERS_FALL.put({u: A ** (1 / alpha), v: NEXT}),
        Step(Algebra(),
            Eq(beta ** ((u * v) ** (1 / alpha)), (beta ** (u ** (1 / alpha))) ** (v ** (1 / alpha))),
            over=ForAll(u > 0, v > 0, alpha >= 1, beta > 0), at={u: A, v: j + 1}))

at.printed(823).relation("lem:moment/blocks",
    r"""$\sum_{i=1}^\infty \min(1, K\beta^{i^{1/\alpha}}) \le A + A\sum_{j=1}^\infty
    K(\beta^{A^{1/\alpha}})^{j^{1/\alpha}}$. [[ours]] With $K\beta^{A^{1/\alpha}} \le [[c]]$: in the block of the $A$
    numbers $Aj < i \le A(j+1)$ each term is at most that at $A(j[[e=0? + #]])$, which is at most $1$ and for the next
    block, $j + 1$ in place of $j$, a term of the last series: $[[formula]]$.""",
    INSIDE.where(A >= 1, j >= 0, i >= A * j + 1, i <= A * (j + 1), K * beta ** (A ** (1 / alpha)) <= c),
    Min(1, TERM) <= Min(1, K * beta**START),
    Eq(Min(1, K * beta**NEXT), K * (beta ** (A ** (1 / alpha))) ** ((j + 1) ** (1 / alpha))), c=1, e=0,
    by=Cases((j <= 0, next_block()), (j >= 1, next_block(ROOT_GROWS.put({u: A * j, v: i}), LATER_FALL))),
    candidates=[{K: fmpq(2), alpha: ONE, beta: HALF + fmpq(1, 10**7), A: ONE, j: ZERO, i: ONE}],
    false={"each block by its last term": {"e": 1}}, nearest="c+", max_instances=100)

SERIES = PowerSeries(K, alpha)
GREATER_POWER = Step("A power rises with its exponent:", LeastAt(w, z), x**z <= x**w, over=ForAll(x >= 1, w >= z))
LARGEST_SERIES = PowerSeries(5, LARGEST)

at.printed(831).relation("lem:moment/blocks/terms",
    r"""By definition of $A$, $\beta^{A^{1/\alpha}} \le 1/K$. So the second term of (26) is at most $\sum_{j=1}^\infty
    K^{1-j^{1/\alpha}}$. [[ours]] Read of [[d=0?$A$ times ]]the series in it: where $K\beta^{A^{1/\alpha}}
    \le [[c]]$, term by term $[[formula]]$. (Of the term itself, $A$ times the series, it is false.)""",
    INSIDE.where(K >= 2, A >= 1, j >= 1, K * beta ** (A ** (1 / alpha)) <= c),
    A**d * K * (beta ** (A ** (1 / alpha))) ** (j ** (1 / alpha)) <= K ** (1 - j ** (1 / alpha)), c=1, d=0,
    by=[Step(LeastAt(j, 1), j ** (1 / alpha) >= 1, over=ForAll(j >= 1, alpha >= 1)),
        BASE_GROWS.put({u: beta ** (A ** (1 / alpha)), v: 1 / K, w: j ** (1 / alpha)}),
        Step(Algebra(), Eq(x * (1 / x) ** y, x ** (1 - y)), over=ForAll(x >= 1, y >= 1),
            at={x: K, y: j ** (1 / alpha)})],
    candidates=[{K: fmpq(2), alpha: ONE, beta: HALF + fmpq(1, 10**7), A: ONE, j: ONE}],
    false={"with the factor A": {"d": 1}}, nearest="c+", max_instances=60)

at.printed(831).relation("lem:moment/series",
    r"""For $K \ge 5$ and $\alpha \le 2.5$, $\sum_{j=1}^\infty K^{1-j^{1/\alpha}}$ is bounded by $\sum_{j=1}^\infty
    5^{1-j^{1/2.5}} < [[c]]$. [[ours]] $[[formula]]$.""",
    ForAll(K >= 5, alpha >= 1, alpha <= LARGEST), c > SERIES, c=4,
    by=[Step("Term by term:", SERIES <= LARGEST_SERIES, TermByTerm(j, Argument(
            GREATER_POWER.put({x: j, w: 1 / LARGEST, z: 0}), GREATER_POWER.put({x: j, w: 1 / alpha, z: 1 / LARGEST}),
            Step("A term falls as its base rises:", LeastAt(x, 5), x ** (1 - y) <= 5 ** (1 - y),
                over=ForAll(x >= 5, y >= 1), at={x: K, y: j ** (1 / alpha)}),
            Step("and as its exponent falls:", LeastAt(v, u), 5 ** (1 - v) <= 5 ** (1 - u),
                over=ForAll(u >= 1, v >= u), at={u: j ** (1 / LARGEST), v: j ** (1 / alpha)})))),
        Step(Everywhere(), c > LARGEST_SERIES, over=ForAll())],
    candidates=[{K: fmpq(5), alpha: fmpq(5, 2)}], nearest="c", max_instances=6)

@cache
def by_euler_and_maclaurin() -> fmpq:
    """Return the sum over j of 5^(1 - j^(2/5)): some terms, the integral from the last on, and two corrections."""
    terms = 5000
    with mp.workdps(45):  # equivalent: more digits than the enclosure has
        exponent, rate = mp.mpf(2) / 5, mp.log(5)
        last = 5 * mp.exp(-rate * terms**exponent)
        head = mp.fsum(5 * mp.exp(-rate * j**exponent) for j in range(1, terms + 1))
        rest = 5 * mp.mpf("2.5") * rate ** mp.mpf("-2.5") * mp.gammainc(mp.mpf("2.5"), rate * terms**exponent)
        slope = last * rate * exponent * terms ** (exponent - 1)
        return rational(str(head + rest - last / 2 + slope / 12))

at.printed(831).number("lem:moment/series/value",
    r"$\sum_{j=1}^\infty 5^{1 - j^{1/2.5}} \approx [[printed]]$.",
    "3.92", lambda: PowerSeries.compute(fmpq(5), fmpq(5, 2)), also=by_euler_and_maclaurin, by=Everywhere())

at.printed(835).relation("lem:moment/five-blocks",
    r"""For $K \ge 5$ and $\alpha \in [1, [[e]]]$, $\mathbb{E}[\max_{k \le K} (H_k)^\alpha] \le [[c]]A$. [[ours]]
    $[[formula]]$.""",
    ForAll(K >= 5, alpha >= 1, alpha <= e, beta > 0, beta < 1), c * SIZE >= MAXIMUM, c=5, e="5/2",
    by=["lem:moment/A/reaches",
        Step("A power grows with its base:", LeastAt(v, u), u**m <= v**m, over=ForAll(u > 0, v >= u, m >= 1),
            at={u: 1, v: 1, m: 1}),
        Step("This quotient falls:", LeastAt(z, y), log(1 - z**m) / z <= log(1 - y**m) / y,
            over=ForAll(y > 0, z >= y, z <= Rational(1, 5), m >= 1), at={y: Rational(1, 5), z: Rational(1, 5), m: 1}),
        "lem:moment/largest-exponential"],
    so=Decides(bounded_by_blocks,
        covers="""a block size A bounds beta, with which tails grow; A = 1 at K = 5, beta = 1/5 (tails at beta = 1/K
        fall with K) and the largest alpha (lengths are at least 1); the next A in boxes of exponents, by the union
        bound at K = 5; all larger A by max H <= 1 + M/log(1/beta), M the largest of K exponential variables"""),
    survives=Survives(says=r"$\alpha \le 2.16$, so for $\alpha = \frac32$ and $2$", e="2.16"), fails="five-blocks",
    candidates=[{K: fmpq(5), alpha: rational(at), beta: fmpq(1, 5) - fmpq(1, 10**9)} for at in ("5/2", "2.17", "2.16")],
    false={"e": "2.17"}, nearest="c", max_instances=20)

at.printed(839).relation("lem:moment/small-K/sum",
    r"""For $K \le 4$, $\mathbb{E}[\max_{k \le K} (H_k)^\alpha] \le K\,\mathbb{E}[H_1^\alpha]$. [[ours]] That is,
    $[[formula]]$.""",
    PAPER.where(K <= 4), (K - d) * LongestMoment(alpha, beta, 1) >= MAXIMUM, d=0,
    kernel=("longest_at_most_sum", "moment_converges"), nearest="d", max_instances=40)

at.printed(839).relation("lem:moment/small-K/moment",
    r"""$K\,\mathbb{E}[H_1^\alpha] \le \frac{K}{(1-\beta)^\alpha}$. [[ours]] That is, $\mathbb{E}[H^\alpha] \le
    \frac{[[c]]}{(1-\beta)^\alpha}$.""",
    ForAll(alpha >= 1, alpha <= LARGEST, beta >= 0, beta < 1), LongestMoment(alpha, beta, 1) <= c / (1 - beta) ** alpha,
    c=1, by=Cases((alpha <= 1, Argument(Uses("lem:moment/repair", {K: 1}))), (beta <= 0, Enclosures())),
    survives=Survives(Eq((alpha - 1) * beta, 0), says=r"$\alpha = 1$ or $\beta = 0$"),
    fails="moment-lemma",
    candidates=[{alpha: fmpq(2), beta: NEAR_ONE}, {alpha: fmpq(2), beta: fmpq(1, 2)},
                {alpha: fmpq(3, 2), beta: fmpq(1, 2)}],
    nearest="c", max_instances=60)

INVERSE = (1 - beta) ** (-alpha)

at.printed(839).relation("lem:moment/small-K/compare",
    r"For $K \le 4$, $\frac{K}{(1-\beta)^\alpha} \le [[a]] + [[c]]\Big(\frac{\log K}{1-\beta}\Big)^\alpha$.",
    PAPER.where(K <= 4), K / (1 - beta) ** alpha <= a + c * SCALED**alpha, a=5, c=5,
    by=Cases((K <= 1, Solver()),
        (K >= 2,
            Argument(
                Step(Enclosures(), c * log(K) ** alpha >= K,
                    over=ForAll(K >= 2, K <= 4, alpha >= 1, alpha <= LARGEST)),
                log_at_least(ONE_HALF, 2, K),
                POWER_OF_QUOTIENT.put({u: log(K), v: 1 - beta})))),
    survives=Survives(Max(K - 2, 5 - INVERSE) >= 0,
        says=r"$K = 2, 3, 4$, and $K = 1$ where $\frac{1}{(1-\beta)^\alpha} \le 5$"),
    fails="moment-lemma",
    candidates=[{K: fmpq(1), alpha: fmpq(2), beta: fmpq(3, 4)}, {K: fmpq(2), alpha: fmpq(5, 2), beta: NEAR_ONE},
        {K: fmpq(1), alpha: fmpq(1), beta: fmpq(4, 5)}],
    nearest="c a")

# == A moment lemma that is valid for every K >= 1: lengths are below exponential variables in the convex order (ours).

TWO_EPISODES = {K: fmpq(2), alpha: fmpq(2), beta: fmpq(999, 1000)}
OF_ONE_EPISODE = {K: fmpq(1), alpha: fmpq(2), beta: 1 - fmpq(1, 10**6)}

at.ours(809).relation("lem:moment/repair-exponential",
    r"With $M_K$ the largest of $K$ independent exponential variables of mean $1$, $[[formula]]$.",
    EVERY_POWER, c * EXPONENTIAL / (1 - beta) ** alpha >= MAXIMUM, c=1,
    kernel=("moment_exponential", "moment_converges"),
    candidates=[TWO_EPISODES, OF_ONE_EPISODE], nearest="c", max_instances=40,
    repairs=("lem:moment", "lem:moment/small-K/moment"))

FIRST, SECOND = Sum(1 / j, (j, 1, K)), Sum(1 / j**2, (j, 1, K))

at.ours(940).relation("lem:moment/repair-exponential/used",
    r"Three moments are bounded by harmonic sums: $[[formula]]$.",
    ForAll(K >= 1, beta >= 0, beta < 1), LongestMoment(1, beta, K) <= c * FIRST / (1 - beta),
    LongestMoment(2, beta, K) <= d * (FIRST**2 + SECOND) / (1 - beta) ** 2,
    LongestMoment(Rational(3, 2), beta, K) <= e * sqrt(FIRST * (FIRST**2 + SECOND)) / (1 - beta) ** Rational(3, 2), c=1,
    d=1, e=1, kernel=("moment_harmonic", "moment_converges"),
    candidates=[OF_ONE_EPISODE, {K: fmpq(50), beta: fmpq(99, 100)}], nearest="c d e", max_instances=20,
    repairs="lem:moment")

at.ours(809).relation("lem:moment/gamma",
    r"""$[[formula]]$, where $\Gamma(1+\alpha) = \int_0^\infty\alpha t^{\alpha-1}e^{-t}\,dt$ is the mean of $X^\alpha$,
    $X$ exponential of mean $1$.""",
    ForAll(alpha >= 1), gamma(1 + alpha) >= c, c=1, kernel="single_moment_at_least", nearest="c", max_instances=40)

at.ours(809).relation("lem:moment/largest-exponential",
    r"For the largest $M_K$ of $K$ independent exponential variables of mean $1$, $[[formula]]$.",
    ForAll(K >= 1, alpha >= 1), (log(K) + NORM - d) ** alpha >= EXPONENTIAL, d=0, kernel="largest_exponential",
    nearest="d", max_instances=60)

at.ours(809).relation("lem:moment/repair",
    r"""$\mathbb{E}[\max_{k \le K} (H_k)^\alpha] \le [[*c]]\Big(\frac{\log K + \Gamma(1+\alpha)^{1/\alpha}[[d=0? - #]]}
    {1-\beta}\Big)^\alpha$""",
    EVERY_POWER, c * ((log(K) + NORM - d) / (1 - beta)) ** alpha >= MAXIMUM, c=1, d=0,
    kernel=("moment_repaired", "moment_converges"),
    candidates=[OF_ONE_EPISODE], nearest="c d", max_instances=40, repairs="lem:moment")

at.ours(809).relation("lem:moment/repair-one-plus-log",
    "",
    EVERY_POWER, c * gamma(1 + alpha) * ((1 + log(K)) / (1 - beta)) ** alpha >= MAXIMUM, c=1,
    kernel=("moment_one_plus_log", "moment_converges"),
    candidates=[OF_ONE_EPISODE], nearest="c", max_instances=40, repairs="lem:moment")
