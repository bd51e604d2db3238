"""The printed route to the probabilities of E^r and E^Q: within E^H first, then what is outside of it (Section A.2)."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq
from sympy import Max, floor  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    ANY_SIZES,
    BOUND,
    EPISODES,
    FAIR,
    FROM_2,
    HOEFFDING,
    PRE_DRAWN,
    UNVISITED,
    WEISSMAN,
)
from proofs_checks.claims.appendix_a_upper_bounds.horizons import some_longer
from proofs_checks.computations.deviation_cases import DeviationCase, Level, of_means, of_rows
from proofs_checks.computations.deviation_families import leaves, of_k, reward_cases, row_cases
from proofs_checks.evidence import Argument, ByHand, Solver, Step, Uses
from proofs_checks.ledger import Chapter, Severity, survives
from proofs_checks.statements import Family, ForAll, Property, Relation
from proofs_checks.statements.symbols import K, beta, c, k, x

chapter = Chapter(under="lem:concentration")


def one_step_cases() -> Iterator[tuple[DeviationCase, Level]]:
    """Yield cases at discount 0 and K >= 3, where E^H is certain."""
    for cases, level in ((reward_cases(), of_means), (row_cases(), of_rows)):
        yield from ((case, level) for case in cases if case.cell.beta == 0 and case.cell.K >= 3)


chapter.printed(
    Property(
        "conc:r/within-H",
        lambda instance, s, c: leaves(instance[0], instance[1], of_k, s, c),
        over=Family("exact cases of episodes of one step, adaptive learners among them", one_step_cases),
        domain=ANY_SIZES,
        says=r"""$\mathbb{P}(\mathcal{E}^H_{k-1} \wedge \lnot\mathcal{E}^r_{k-1}) \le [[c]]/K$ and
        $\mathbb{P}(\mathcal{E}^H_{k-1} \wedge \lnot\mathcal{E}^Q_{k-1}) \le [[c]]/K$, with the radii
        $[[*s]]\frac{L_{k-1}}{2\sqrt{\max\{1, N\}}}$ and $[[*s]]\frac{L_{k-1} + 1.5\sqrt{S}}{\sqrt{\max\{1, N\}}}$.""",
        reading=FAIR,
        s=1,
        c=1,
    ),
    Argument(
        Step("", Uses("cited:hoeffding")),
        HOEFFDING,
        Step("", Uses("cited:weissman")),
        WEISSMAN,
        Step("", Uses("conc:Q/split")),
        Step("", Uses("conc:tau/repair")),
        PRE_DRAWN,
        Step(
            r"With $x = \tau_k$, the union over $nS$ arm states and $\ell \le \lfloor\tau_k\rfloor$ is as claimed.",
            Solver(),
            floor(x) / (K * x) <= c / K,
            over=ForAll(K >= 1, x > 0),
        ),
        UNVISITED,
        conclusion=ByHand(
            r"""On $\mathcal{E}^H_{k-1}$, $t_k - 1 \le \tau_k$: estimates with $N \ge 1$ leave their radius within
            that union, and the others do not."""
        ),
    ),
    line=685,
    nearest={"s": "down"},
)

ROUTE = r"""$\mathbb{P}(\lnot\mathcal{E}^r_{k-1}) \le \mathbb{P}(\mathcal{E}^H_{k-1} \wedge \lnot\mathcal{E}^r_{k-1}) +
\mathbb{P}(\lnot\mathcal{E}^H_{k-1})$, where the first summand is at most $1/K$, and so for $\mathcal{E}^Q_{k-1}$:"""

chapter.printed(
    Relation(
        "conc:r/printed-route",
        EPISODES,
        1 / K + some_longer(BOUND) <= c / K,
        says=rf"{ROUTE} at most $2/K$, as $[[formula]]$.",
        reading=FROM_2,
        c=2,
    ),
    Argument(Step("", Uses("conc:H"))),
    line=691,
    survives=survives(Max(K - 8, k - 3) >= 0, says=r"$k \ge 3$ or $K \ge 8$"),
    severity=Severity.GAP,
    cause="horizon-floor",
    witnesses=[{K: fmpq(7), k: fmpq(2), beta: fmpq(33, 37)}],
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "conc:r/printed-route/repair",
        EPISODES,
        1 / K + some_longer(BOUND) <= c / K,
        says=rf"{ROUTE} at most $3/K$ by this route, as $[[formula]]$.",
        reading=FROM_2,
        c=3,
    ),
    Argument(Step("", Uses("conc:H/repair-factor"))),
    line=691,
    repairs="conc:r/printed-route",
    nearest={"c": "down"},
)
