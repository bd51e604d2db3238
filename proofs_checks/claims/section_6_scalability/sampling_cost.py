"""What an episode of MB-PSRL costs before the indices: sampling from conjugate posteriors (Section 6.1)."""

from __future__ import annotations

from proofs_checks.evidence import Argument, ByHand, Solver, Step
from proofs_checks.ledger import Chapter
from proofs_checks.statements import ForAll, Relation
from proofs_checks.statements.symbols import S, a, c, n

chapter = Chapter(under="sec:OFU/time-in-arms")

chapter.printed(
    Relation(
        "sec:OFU/sampling-cost",
        ForAll(S >= 1, n >= 1),
        n * S * ((2 * S + S - 1) + a) <= c * n * S**2,
        says=r"""Sampling all rows and mean rewards from posteriors in closed form takes $O(nS^2)$. [[ours]] From
        Dirichlet and Beta posteriors, at most $[[c]] n S^2$ draws of Gamma variates and arithmetic operations:
        $[[formula]]$.""",
        a=4,
        c=6,
    ),
    Argument(
        Step(
            r"""For each of the $nS$ arm states a row takes $S$ Gamma variates, $S - 1$ additions and $S$ divisions by
            their sum; a mean reward takes two variates, one addition and one division.""",
            ByHand(),
        ),
        Step("", Solver(), n * S * ((2 * S + S - 1) + a) <= c * n * S**2),
    ),
    line=460,
    nearest={"c": "down", "a": "up"},
)
