"""Event E^r of Lemma `concentration`: the mean rewards (Section A.2), by the paper's route through E^H and without it.

The number of steps t_k - 1 is independent of what the arm states show, and has mean (k-1)/(1-beta). So the union over
l = 1, ..., t_k - 1 gives 1/(K log(K(k-1))), and E^H is not needed; the paper's 2/K follows from that.
"""

from __future__ import annotations

from flint import fmpq
from sympy import floor  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    ANY_SIZES,
    AT_MOST_HALF,
    BOUND,
    FAIR,
    FIRST_TOO,
    FROM_2,
    HOEFFDING,
    LOG,
    MAIN_TEXT,
    MEAN_STEPS,
    NOTHING_CLAIMED,
    PRE_DRAWN,
    REWARDS,
    TAU,
    UNVISITED_FROM_3,
    Y,
    deviation,
    given_lengths,
    in_the_mean,
    leaving,
)
from proofs_checks.computations.deviation_cases import Cell, of_means, of_means_at_t
from proofs_checks.computations.deviation_families import before_any_visit, leaves, of_k, of_k_and_log, of_unplayed_arm
from proofs_checks.evidence import Argument, ByHand, Solver, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Family, ForAll, Property, Relation
from proofs_checks.statements.symbols import H, K, N, S, a, beta, c, ell, k, n, x, y
from theory import rational

chapter = Chapter(under="lem:concentration")
chapter.printed(
    Relation(
        "conc:r/hoeffding",
        ForAll(ell >= 1, y > 1),
        deviation(),
        says=r"""With $\epsilon = [[*s]]\sqrt{\frac{\log y}{2\ell}}$ and $y = 2SnK\tau_k$, Hoeffding's bound
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
        says=r"""On $\mathcal{E}^H_{k-1}$ the counts $N_{k'}(x_a) \ge 1$ are among $1, \ldots, \lfloor\tau_k\rfloor$.
        [[ours]] With $H$ the longest of the first $k-1$ lengths, $N \le (k-1)H$, and $[[formula]]$.""",
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
        says=r"""On $\mathcal{E}^H_{k-1}$ the counts $N_{k'}(x_a) \ge 1$ are among $1, \ldots, \tau_k - [[a]]$. [[ours]]
        With $H$ the longest of the first $k-1$ lengths, $N \le (k-1)H$, and $[[formula]]$.""",
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

chapter.printed(
    Relation(
        "conc:r/union",
        ForAll(K >= 1, x > 0),
        floor(x) / (K * x) <= c / K,  # nS floor(x) terms 1/(SnKx)
        says=r"""The sum over the $nS$ arm states and $\ell = 1, \ldots, \lfloor\tau_k\rfloor$ of
        $\frac{1}{SnK\tau_k}$ is at most $1/K$. [[ours]] With $x = \tau_k$, $[[formula]]$.""",
        c=1,
    ),
    Solver(),
    line=682,
    nearest={"c": "down"},
)

chapter.ours(
    leaving(
        "conc:r/repair",
        REWARDS,
        of_means,
        of_k_and_log,
        r"""$|\hat r_{k'}(x_a) - r(x_a)| > [[*s]]\frac{L_{k-1}}{2\sqrt{N_{k'}(x_a)}}$ for some $x_a$ and
        $k' \le k-1$ with $N_{k'}(x_a) \ge 1$ has probability at most $\frac{[[c]]}{K\log(K(k-1))}$; so has
        $\lnot\mathcal{E}^r_{k-1}$, for $k' = 0$ too, if the estimate is $1/2$ where $N = 0$. Event
        $\mathcal{E}^H_{k-1}$ is not used.""",
    ),
    Argument(
        Step("", Uses("cited:hoeffding")),
        HOEFFDING,
        PRE_DRAWN,
        MEAN_STEPS,
        in_the_mean(2 / Y, c / (K * LOG)),
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


chapter.printed(
    leaving(
        "conc:r",
        REWARDS,
        of_means,
        of_k,
        r"""$\mathbb{P}(\lnot\mathcal{E}^r_{k-1}) \le [[c]]/K$, where $\mathcal{E}^r_{k-1}$ is that
        $|\hat r_{k'}(x_a) - r(x_a)| \le [[*s]]\frac{L_{k-1}}{2\sqrt{\max\{1, N_{k'}(x_a)\}}}$ for all $x_a$ and
        $k' \le k-1$.""",
        of_unplayed_arm(),
        reading=FAIR,
        c=2,
    ),
    Argument(
        Step("", Uses("conc:r/repair")),
        AT_MOST_HALF,
        NOTHING_CLAIMED,
        UNVISITED_FROM_3,
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
    leaving(
        "conc:r/main-text",
        REWARDS,
        of_means_at_t,
        of_k,
        r"""With the main text's radius, $|\hat r_{k'}(x_a) - r(x_a)| > [[*s]]
        \sqrt{\frac{\log(2SnKt_k)}{2N_{k'}(x_a)}}$ for some $x_a$ and $k' \le k-1$ with $N_{k'}(x_a) \ge 1$ has
        probability at most $[[c]]/K$.""",
        domain=FIRST_TOO,
        reading=MAIN_TEXT,
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
