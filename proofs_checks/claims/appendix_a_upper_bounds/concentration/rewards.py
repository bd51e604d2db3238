"""Event E^r of Lemma `concentration`: the mean rewards (Section A.2), by the paper's route through E^H and without it.

The number of steps t_k - 1 is independent of what the arm states show, and has mean (k-1)/(1-beta). So the union over
l = 1, ..., t_k - 1 gives 1/(K log(K(k-1))), and E^H is not needed; the paper's 2/K follows from that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq
from sympy import exp, floor, log, sqrt

from proofs_checks.claims.appendix_a_upper_bounds.concentration.pre_drawn import LEARNERS, MEAN_STEPS, log_at_least
from proofs_checks.computations.adaptive_play import LUCKY_COINS, MOVING, ONE_COIN, TWO_COINS
from proofs_checks.computations.deviation_cases import (
    Cell,
    DeviationCase,
    Level,
    counted_once,
    of_means,
    of_means_at_t,
    played,
)
from proofs_checks.evidence import Argument, ByHand, Solver, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation
from proofs_checks.statements.symbols import H, K, N, S, a, beta, c, ell, k, n, s, x, y
from theory import rational

chapter = Chapter(under="lem:concentration")
FROM_2 = {"first episodes": "from 2"}
FAIR = {**FROM_2, "no visit": "any estimate", "next state": "observed", "clock": "tau_k"}
MAIN_TEXT = {"next state": "observed", "clock": "t_k"}
HALF = fmpq(1, 2)
EPISODES = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
SIZES = ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
LOG = log(K * (k - 1))
BOUND = LOG / (1 - beta)
TAU = (k - 1) * BOUND
ANY_SIZES = rf"$S, n \ge 1$, $2 \le k \le K$, $1 \le k' \le k-1$, $0 \le \beta < 1$; {LEARNERS}"


def rare_draws(episodes: int) -> tuple[int, int, fmpq]:
    """Return K, k and a mean such that all k-1 draws are 1 with probability above 3/K, at beta = 0."""
    mean = fmpq(7, 25)
    return int((3 / mean**episodes).ceil()), episodes + 1, mean


def reward_cases(event: str = "rewards") -> Iterator[DeviationCase]:
    """Yield exact cases: counts of one state, and all histories of adaptive learners."""
    yield counted_once(1000, 1000, HALF)
    yield counted_once(20, 20, HALF)
    yield counted_once(*rare_draws(300))
    yield counted_once(2, 2, fmpq(7, 25))
    yield counted_once(3, 2, fmpq(1, 50))
    yield from (played(ONE_COIN, 3, 2, HALF, 4, event), played(LUCKY_COINS, 3, 3, fmpq(0), 1, event))
    yield from (played(play, 3, 3, HALF, 3, event) for play in (TWO_COINS, LUCKY_COINS, MOVING))


REWARDS = Family("exact cases, adaptive learners among them", reward_cases)


def of_k(case: DeviationCase, c: object) -> arb:
    """Return c/K."""
    return arb(rational(c)) / case.cell.K


def of_k_and_log(case: DeviationCase, c: object) -> arb:
    """Return c/(K log(K(k-1)))."""
    return of_k(case, c) / arb(case.cell.K * (case.cell.k - 1)).log()


def leaves(case: DeviationCase, level: Level, bound: Any, s: object, c: object) -> Answer:
    """Return whether the radius, `s` times that of `level`, is left with at most the probability of a bound."""
    return case.within(level, lambda: bound(case, c), s)


def deviation(draws: Any = ell) -> sympy.Rel:
    """Return that Hoeffding's bound at s sqrt(log(y)/(2l)) is at most 2/y; y is 2SnK tau_k, or 2SnK t_k."""
    return 2 * exp(-2 * draws * (s * sqrt(log(y) / (2 * draws))) ** 2) <= 2 / y


HOEFFDING = Step(
    r"""At $\epsilon = [[s]]\sqrt{\log(y)/(2\ell)}$ Hoeffding's bound $2e^{-2\ell\epsilon^2}$ is at most $2/y$.""",
    Solver(),
    deviation(),
    over=ForAll(ell >= 1, y > 1),
)

chapter.printed(
    Relation(
        "conc:r/hoeffding",
        ForAll(ell >= 1, y > 1),
        deviation(),
        says=r"""With $\epsilon = [[s]] \cdot \sqrt{\frac{\log y}{2\ell}}$ and $y = 2SnK\tau_k$, Hoeffding's bound
        for the mean of $\ell$ rewards is $2e^{-2\ell\epsilon^2} \le \frac{2}{y} = \frac{1}{SnK\tau_k}$.""",
        s=1,
    ),
    Argument(Step("", Uses("cited:hoeffding"))),
    line=677,
    nearest={"s": "down"},
)

COUNTS = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, H >= 1, H <= BOUND, N >= 1, (k - 1) * H >= N)
ONE_STEP = {K: fmpq(3), k: fmpq(2), beta: fmpq(0), H: fmpq(1), N: fmpq(1)}

chapter.printed(
    Relation(
        "conc:r/count",
        COUNTS,
        floor(TAU) - a >= N,
        says=r"""On $\mathcal{E}^H_{k-1}$ the counts $N_{k'}(x_a) \ge 1$ are among $1, \ldots,
        \lfloor\tau_k\rfloor$: with $H$ the longest of the first $k-1$ lengths, $N \le (k-1)H$, and $[[formula]]$.""",
        reading=FROM_2,
        a=0,
    ),
    Solver(integers=True),
    line=681,
    witnesses=[ONE_STEP],
    nearest={"a": "up"},
    looked_at=60,
)

chapter.printed(
    Relation(
        "conc:r/union-range",
        COUNTS,
        TAU - a >= N,
        says=r"""On $\mathcal{E}^H_{k-1}$ the counts $N_{k'}(x_a) \ge 1$ are among $1, \ldots, \tau_k - [[a]]$: with
        $H$ the longest of the first $k-1$ lengths, $N \le (k-1)H$, and $[[formula]]$.""",
        reading=FROM_2,
        a=1,
    ),
    Solver(),
    line=680,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="t_k-above-tau_k",
    witnesses=[ONE_STEP],
    mutants=[{"a": "1/2"}],
    controls=[{"a": 0}],
    looked_at=60,
)

SUMMED = floor(x) / (K * x) <= c / K  # nS floor(x) terms 1/(SnKx)

chapter.printed(
    Relation(
        "conc:r/union",
        ForAll(K >= 1, x > 0),
        SUMMED,
        says=r"""The sum over the $nS$ arm states and $\ell = 1, \ldots, \lfloor\tau_k\rfloor$ of
        $\frac{1}{SnK\tau_k}$ is at most $1/K$: with $x = \tau_k$, $[[formula]]$.""",
        c=1,
    ),
    Solver(),
    line=682,
    nearest={"c": "down"},
)

UNVISITED = Step(
    r"""An arm state that is not visited in the first $k' \ge 1$ episodes is one of $Sn \ge 2$; then $L_{k-1} \ge
    2$, and any estimate in $[0, 1]$ is within $L_{k-1}/2$.""",
    Uses("conc:domain/unvisited"),
)
PRE_DRAWN = Step("", Uses("conc:pre-drawn/union"))


def in_the_mean(each: sympy.Expr, claimed: sympy.Expr) -> Step:
    """Return the step that a union over arm states and steps of events of probability `each` is as claimed."""
    return Step(
        r"In the mean over the lengths, the union over $nS$ arm states and $\ell = 1, \ldots, t_k - 1$ is as claimed.",
        Solver(),
        n * S * (k - 1) / (1 - beta) * each <= claimed,
        over=SIZES,
    )


def given_lengths(each: sympy.Expr, claimed: sympy.Expr) -> Step:
    """Return the step that the union is as claimed given the lengths, with x = t_k."""
    return Step(
        r"Given the lengths, the union over $nS$ arm states and $\ell = 1, \ldots, t_k - 1$ is as claimed.",
        Solver(),
        n * S * (x - 1) * each <= claimed,
        over=ForAll(S >= 1, n >= 1, K >= 1, x >= 1),
    )


chapter.ours(
    Property(
        "conc:r/repair",
        lambda case, s, c: leaves(case, of_means, of_k_and_log, s, c),
        over=REWARDS,
        domain=ANY_SIZES,
        says=r"""$|\hat r_{k'}(x_a) - r(x_a)| > [[s]] \cdot \frac{L_{k-1}}{2\sqrt{N_{k'}(x_a)}}$ for some $x_a$ and
        $k' \le k-1$ with $N_{k'}(x_a) \ge 1$ has probability at most $\frac{[[c]]}{K\log(K(k-1))}$; so has
        $\lnot\mathcal{E}^r_{k-1}$, for $k' = 0$ too, if the estimate is $1/2$ where $N = 0$. Event
        $\mathcal{E}^H_{k-1}$ is not used.""",
        reading={**FROM_2, "next state": "observed", "clock": "tau_k"},
        s=1,
        c=1,
    ),
    Argument(
        HOEFFDING,
        PRE_DRAWN,
        MEAN_STEPS,
        in_the_mean(2 / (2 * S * n * K * TAU), c / (K * LOG)),
        Step("", Uses("conc:domain/least")),
        conclusion=ByHand(
            r"""$\lnot\mathcal{E}^r_{k-1}$ is the union of the events $|\tilde r_\ell(x_a) - r(x_a)| > \epsilon$ at
            $\ell = N_{k'}(x_a)$, each of probability at most $2/y$ with $y = 2SnK\tau_k$; where $N = 0$, $1/2 \le
            L_{k-1}/2$."""
        ),
    ),
    line=653,
    repairs="conc:r/no-visit",
    nearest={"s": "down", "c": "down"},
)


def before_any_visit(cell: Cell, guess: fmpq = fmpq(0)) -> DeviationCase:
    """Return a state of mean 1 that is not visited (its arm is not played, or k' = 0), at discount 0."""
    shown = {"a state of mean 1": f"was not visited; its estimate is {guess}"}
    return DeviationCase(cell, shown, ((cell.k, 2 * (1 - guess) ** 2, fmpq(1)),))


chapter.printed(
    Property(
        "conc:r",
        lambda case, s, c: leaves(case, of_means, of_k, s, c),
        over=Family(REWARDS.says, lambda: chain(reward_cases(), [before_any_visit(Cell(1, 2, 2, 2, fmpq(0)))])),
        domain=ANY_SIZES,
        says=r"""$\mathbb{P}(\lnot\mathcal{E}^r_{k-1}) \le [[c]]/K$, where $\mathcal{E}^r_{k-1}$ is that
        $|\hat r_{k'}(x_a) - r(x_a)| \le [[s]] \cdot \frac{L_{k-1}}{2\sqrt{\max\{1, N_{k'}(x_a)\}}}$ for all $x_a$ and
        $k' \le k-1$.""",
        reading=FAIR,
        s=1,
        c=2,
    ),
    Argument(
        Step("", Uses("conc:r/repair")),
        Step(
            "",
            Argument(log_at_least(sympy.Rational(1, 2), 2)),
            c / K >= 1 / (K * LOG),
            over=ForAll(K >= 2, k >= 2, k <= K),
        ),
        Step("For $K = 2$ nothing is claimed:", Solver(), c / K >= 1, over=ForAll(K >= 2, K <= 2)),
        UNVISITED,
        conclusion=ByHand(
            r"""For $K \ge 3$ the estimates with $N = 0$ are within the radius, and the others leave it with
            probability at most $\frac{1}{K\log(K(k-1))} \le 2/K$."""
        ),
    ),
    line=653,
    mutants=[{"s": "1/2"}],
    nearest={"s": "down", "c": "down"},
)

chapter.printed(
    Property(
        "conc:r/no-visit",
        lambda cell, guess, c: leaves(before_any_visit(Cell(*cell), rational(guess)), of_means, of_k, 1, c),
        over=Family("one arm of one state, of mean 1, at $k' = 0$", lambda: iter([(1, 1, 3, 2, fmpq(0))])),
        domain=rf"$k' = 0$ too; {ANY_SIZES}",
        says=r"""$\mathbb{P}(\lnot\mathcal{E}^r_{k-1}) \le [[c]]/K$ with all $k' \le k-1$ in the event, $k' = 0$
        among them, and the estimate $[[guess]]$ where $N_{k'}(x_a) = 0$.""",
        reading={**FROM_2, "no visit": "zero", "clock": "tau_k"},
        guess=0,
        c=2,
    ),
    line=644,
    verdict=Verdict.FAILS,
    severity=Severity.EDGE,
    cause="no-visit",
    mutants=[{"c": "5/2"}],
    controls=[{"guess": "1/2"}],
)

chapter.ours(
    Property(
        "conc:r/main-text",
        lambda case, s, c: leaves(case, of_means_at_t, of_k, s, c),
        over=REWARDS,
        domain=rf"$1 \le k \le K$; {ANY_SIZES}",
        says=r"""With the main text's radius, $|\hat r_{k'}(x_a) - r(x_a)| > [[s]] \cdot
        \sqrt{\frac{\log(2SnKt_k)}{2N_{k'}(x_a)}}$ for some $x_a$ and $k' \le k-1$ with $N_{k'}(x_a) \ge 1$ has
        probability at most $[[c]]/K$.""",
        reading=MAIN_TEXT,
        s=1,
        c=1,
    ),
    Argument(
        Step("", Uses("cited:hoeffding")),
        HOEFFDING,
        PRE_DRAWN,
        given_lengths(2 / (2 * S * n * K * x), c / K),
        conclusion=ByHand(
            r"""Given the lengths, $t_k$ is a number, and what is claimed is the union of the events
            $|\tilde r_\ell(x_a) - r(x_a)| > \epsilon$ at $\ell = N_{k'}(x_a)$, each of probability at most $2/y$ with
            $y = 2SnKt_k$; then the mean over the lengths."""
        ),
    ),
    line=335,
    nearest={"s": "down"},
)

CAUSES = [
    Cause(
        "no-visit",
        Severity.EDGE,
        line=644,
        title="The estimate of a state that was never visited is 0/0, and no radius need cover it",
        printed=r"""$\hat r_{k'}(x_a)$ and $\hat Q_{k'}(x_a, \cdot)$ divide by $N_{k'}(x_a)$, and the events bound
        their deviation for all $x_a$ and all $k' \le k-1$ by radii with $\max\{1, N_{k'}(x_a)\}$.""",
        why=r"""For $S = n = 1$, $K = 3$, $k = 2$, $\beta = 0$ and $r = 1$, with $\hat r_0 = 0$, the radius $L_1/2 =
        0.9710\ldots$ is below $1$, and $\mathcal{E}^r_1$ never happens: $1 > 2/3$. The same is true of
        $\mathcal{E}^V_1$.""",
        instead=r"""$\hat r = 1/2$ and any probability row where $N = 0$ (then all radii cover them), or $k' \ge 1$
        in the events.""",
        follows=r"""Nothing for $k' \ge 1$: an unvisited state is then one of $Sn \ge 2$, and $L_{k-1} \ge 2$ for $K
        \ge 3$. MB-UCBVI's model for a state without a visit has to be said.""",
        witness="conc:r/no-visit",
    ),
]
