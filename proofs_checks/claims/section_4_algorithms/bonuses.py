"""Radii and bonuses (Section 4): with t_k in the main text, with tau_k in the appendix; and where nothing was seen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

from flint import arb, fmpq
from sympy import Abs, Eq, Rational, log, sqrt  # type: ignore[import-untyped]

from proofs_checks.computations.deviation_cases import DeviationCase, Level, of_means_at_t, of_rows_at_t
from proofs_checks.computations.deviation_families import leaves, of_k, reward_cases, row_cases
from proofs_checks.evidence import Argument, ByHand, LeastAt, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict, survives
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import K, N, S, a, beta, c, g, k, n, r, t, v, x, y, z
from theory import ONE, ZERO
from theory.certified import Truth, at_most, enclosure
from theory.paper import tau

chapter = Chapter()
FROM_2 = {"first episodes": "from 2"}
TAU = (k - 1) * (log(K * (k - 1)) / (1 - beta))
RADIUS, RADIUS_OF_ROWS = sqrt(log(2 * S * n * K * t) / 2), sqrt(2 * log(S * n * K * 2**S * t))  # where N = 0

chapter.implied(
    Relation(
        "def:bonuses/no-visit",
        ForAll(S >= 1, n >= 1, K >= 1, t >= 1, beta >= 0, beta < 1, r >= 0, r <= 1, v >= 0, v * (1 - beta) <= 1),
        Abs(r - g) + a <= RADIUS,
        1 + a <= RADIUS_OF_ROWS,
        Abs(r + beta * v - g) + a <= RADIUS / (1 - beta),
        says=r"""Where $N_{k-1}(x_a) = 0$ and the estimates are a mean $[[g]]$ and a row of zeros, $b^r_{k-1}$ and
        $b^Q_{k-1}$ cover every mean $r$ and every row, and $b_{k-1}$ covers $r + \beta v$, $v$ the mean of $V^*$ after
        it: $[[formula]]$.""",
        reading={"clock": "t_k", "no visit": "zero"},
        g=0,
        a=0,
    ),
    Argument(
        Step("", LeastAt(x, 8), log(x) >= 2, over=ForAll(x >= 8), at={x: 2 * S * n * K * t}),
        Step("", LeastAt(x, 2), log(x) >= Rational(1, 2), over=ForAll(x >= 2), at={x: S * n * K * 2**S * t}),
    ),
    line=332,
    survives=survives(S * n * K * t >= 4),
    severity=Severity.EDGE,
    cause="no-visit",
    witnesses=[
        {S: ONE, n: ONE, K: ONE, t: fmpq(3), beta: ZERO, r: ONE, v: ZERO},
        {S: ONE, n: ONE, K: ONE, t: fmpq(4), beta: ZERO, r: ONE, v: ZERO},
    ],
    nearest={"a": "up"},
)

chapter.printed(
    Relation(
        "def:bonuses/same",
        ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, N >= 1, t >= k, t <= 1 + TAU),
        Eq(
            sqrt(log(2 * S * n * K * z) / (2 * N)) / (1 - beta),
            sqrt(2 * log(2 * S * n * K * TAU)) / (2 * (1 - beta) * sqrt(N)),
            evaluate=False,
        ),
        says=r"""The bonus of Section 4, $b_{k-1} = \frac{1}{1-\beta}\sqrt{\frac{\log(2SnKz)}{2N}}$ with $z = [[z]]$,
        $t = t_k$, is $\frac{L_{k-1}}{2(1-\beta)\sqrt N}$, as the proof has it.""",
        reading=FROM_2,
        z=t,
    ),
    line=1057,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="two-clocks",
    witnesses=[
        {S: ONE, n: ONE, K: fmpq(3), k: fmpq(2), beta: ZERO, N: ONE, t: fmpq(2)},
    ],
    mutants=[{"z": t - 1}],
    controls=[{"z": TAU}],
    looked_at=60,
)


def one_is_larger(cells: tuple[tuple[int, int], ...], earlier: int) -> Answer:
    """Compare t_k - earlier with tau_k at discount 0, where t_k = k."""
    found = {cell: at_most(partial(_steps, cell, earlier), partial(tau, *cell, ZERO)) for cell in cells}
    told = {
        f"K = {K_}, k = {k_}, beta = 0": {"t_k": k_, "tau_k": enclosure(partial(tau, K_, k_, ZERO))} for K_, k_ in cells
    }
    if Truth.UNDECIDED in found.values():
        return answer(Truth.UNDECIDED, **told)
    return answer(len(set(found.values())) == 1, **told)


def _steps(cell: tuple[int, int], earlier: int) -> arb:
    return arb(cell[1] - earlier)


chapter.ours(
    Property(
        "def:bonuses/order",
        one_is_larger,
        domain=r"$\beta = 0$, where $t_k = k$",
        says=r"""On $\mathcal{E}^H_{k-1}$ the radii of one of the two versions are always the larger ones: $t_k -
        [[earlier]] \ge \tau_k$ throughout, or $\le$; $(K, k) \in [[cells]]$.""",
        reading=FROM_2,
        cells=((3, 2), (3, 3)),
        earlier=0,
    ),
    line=335,
    verdict=Verdict.FAILS,
    mutants=[{"cells": ((4, 2), (4, 4))}],
    controls=[{"cells": ((3, 3),)}, {"earlier": 1}],
)

chapter.implied(
    Relation(
        "def:bonuses/event",
        ForAll(
            *(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, N >= 1, t >= k, t <= 1 + TAU),
            Abs(y) <= sqrt(2 * log(2 * S * n * K * TAU)) / (2 * sqrt(N)),
        ),
        Abs(y) <= c * sqrt(log(2 * S * n * K * z) / (2 * N)),
        says=r"""On $\mathcal{E}^H_{k-1}$ and $\mathcal{E}^r_{k-1}$, $|\hat r_{k-1} - r| \le b^r_{k-1}$ with the
        radius of Section 4, so that the true means are within the plausible ones: with $y = \hat r_{k-1} - r$, $t =
        t_k$ and $z = [[z]]$, $[[formula]]$.""",
        reading=FROM_2,
        c=1,
        z=t,
    ),
    line=335,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="two-clocks",
    witnesses=[
        {S: ONE, n: ONE, K: fmpq(100), k: fmpq(100), beta: ZERO, N: fmpq(99), t: fmpq(100), y: fmpq(6, 25)},
        {S: ONE, n: ONE, K: fmpq(3), k: fmpq(3), beta: ZERO, N: fmpq(2), t: fmpq(3), y: fmpq(7, 8)},
    ],
    mutants=[{"c": "107/100"}],
    controls=[{"z": TAU}],
    looked_at=60,
)

Held: TypeAlias = "tuple[DeviationCase, Level]"


def of_section_4() -> Iterator[Held]:
    """Yield cases of rewards and of rows, with the levels of Section 4."""
    yield from ((case, of_means_at_t) for case in reward_cases())
    yield from ((case, of_rows_at_t) for case in row_cases())


chapter.ours(
    Property(
        "def:bonuses/repair",
        lambda held, s, c: leaves(held[0], held[1], of_k, s, c),
        over=Family("exact cases, adaptive learners among them", of_section_4),
        domain=r"$S, n \ge 1$, $1 \le k \le K$, $0 \le \beta < 1$; any learner",
        says=r"""With the radii of Section 4, which a learner can compute: with probability at least $1 - [[c]]/K$,
        $|\hat r_{k'} - r| \le [[*s]]\sqrt{\frac{\log(2SnKt_k)}{2N_{k'}}}$ for all $k' \le k-1$ and all arm states
        with $N_{k'} \ge 1$; and with the same probability $\lVert\hat Q_{k'} - Q\rVert_1 \le
        [[*s]]\sqrt{\frac{2\log(SnK2^St_k)}{N_{k'}}}$. No event on the lengths is needed, and $k = 1$ is no
        exception.""",
        reading={"clock": "t_k", "next state": "observed"},
        s=1,
        c=1,
    ),
    Argument(
        Step("", Uses("conc:r/main-text", same={"s": "s", "c": "c"})),
        Step("", Uses("conc:Q/main-text", same={"s": "s", "c": "c"})),
        conclusion=ByHand("These are the two bounds."),
    ),
    line=335,
    repairs=("def:bonuses/same", "def:bonuses/order", "def:bonuses/event"),
    nearest={"s": "down"},
)

CAUSES = [
    Cause(
        "two-clocks",
        Severity.GAP,
        line=1057,
        title="The learners' radii have the time in them, those of the proof a bound on it",
        printed=r"""$\log(2SnKt_k)$ in the radii and bonuses of Section 4, $L_{k-1} = \sqrt{2\log(2SnK\tau_k)}$ in
        the events.""",
        why=r"""$t_k$ is random and $\tau_k$ is not, and neither is always the larger. For $S = n = 1$, $\beta = 0$,
        $K = k = 100$ and $N = 99$ the learner's radius is $0.223\ldots$ and that of $\mathcal{E}^r_{99}$
        $0.247\ldots$, so that an estimate off by $0.24$ is in the event and outside the plausible set; for $K = 3$
        and $k = 2$ the learner's is the larger one, as $t_2 = 2 > \tau_2 = 1.09\ldots$""",
        instead=r"""Lines 641 to 649: $L_{k-1} = \sqrt{2\log(2SnKt_k)}$. Lines 652 to 655: $1/K$ each, but $S/K$ for
        $\mathcal{E}^V$ (or $1/K$ with $\log(2S^2nKt_k)$).""",
        follows=r"""Nothing: on $\mathcal{E}^H_{k-1}$ as printed the radii with $t_k$ are at most those with $L_K$,
        which is what the regret is bounded by (`thm:regret_upper_bound/main-text`).""",
        witness="def:bonuses/event",
    ),
]
