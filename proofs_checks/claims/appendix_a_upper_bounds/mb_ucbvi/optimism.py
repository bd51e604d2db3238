"""Lemma `ucbvi_optim`: MB-UCBVI is optimistic on its event, from every state; the series in its proof (A.5)."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq, fmpq_mat

from proofs_checks.computations.bonus_models import (
    best_policy_is_optimistic,
    from_counts,
    index_policy_is_optimistic,
    indices_with_row_of_zeros,
    one_state,
    with_short_rows,
)
from proofs_checks.evidence import InKernel
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, Property, answer
from theory import ONE, rational
from theory.random_models import random_sub_row

chapter = Chapter(under="lem:ucbvi_optim")
CONDITION = r"""|\hat r - r + \beta(\hat P - P)V_M^{\pi_*}| \le b"""

chapter.printed(
    Property(
        "lem:ucbvi_optim",
        index_policy_is_optimistic,
        over=Family(
            "exact bandits, estimates from counts, and the least bonus that will do", one_state, draw=from_counts
        ),
        domain=r"""finite bandits with any rewards, $0 \le \beta < 1$; any estimates whose rows are probabilities, any
        bonus""",
        says=r"""On the event of MB-UCBVI, $V_{M_k}^{\pi_k}(x) \ge V_M^{\pi_*}(x)$ for every $x$, $\pi_k$ being the
        index policy of $M_k$. Of the event is used that $"""
        + CONDITION
        + r"""$ at each $x$ for the arm that $\pi_*$ plays, $b$ being the bonus $b_{k-1}$; $M_k$ has $[[*share]] b$.""",
        reading={"no visit": "any estimate"},
        share=1,
    ),
    InKernel("index_policy_is_optimistic", share=1),
    line=1050,
    under="",
    nearest={"share": "down"},
)

chapter.printed(
    Property(
        "lem:ucbvi_optim/zero-rows",
        indices_with_row_of_zeros,
        domain=r"""one instance of the event: $\beta = 1/2$, $L_{k-1} = 3$; arm 1 goes from $u$ ($100$ visits, $15$
        rewards of $1$) to $v$, where it truly stays and pays $0$; arm 2 always pays $1$""",
        says=r"""The index policy $\pi_k$ is optimal for $M_k$, and optimistic on the event, where the state $v$
        without a visit has the estimated mean $0$ and the row $[[row_of_v]]$. [[ours]] Here arm 2 was played
        $[[root_n]]^2$ times.""",
        reading={"no visit": "zero"},
        root_n=11,
        row_of_v=(0, 0),
    ),
    line=1058,
    verdict=Verdict.FAILS,
    severity=Severity.EDGE,
    cause="no-visit",
    mutants=[{"root_n": 100}],
    controls={"a probability as the row of $v$": {"row_of_v": (0, 1)}},
)

chapter.ours(
    Property(
        "lem:ucbvi_optim/substochastic",
        best_policy_is_optimistic,
        over=Family(
            "exact bandits, estimated rows of sum $0$, $1/3$, $2/3$ or $1$, and the least bonus that will do",
            one_state,
            draw=with_short_rows,
        ),
        domain=r"""finite bandits with any rewards, $0 \le \beta < 1$; any estimates with rows $\ge 0$ of sum at most
        $1$, any bonus""",
        says=r"""$V_{M_k}^{\pi_k}(x) \ge V_M^{\pi_*}(x)$ for every $x$, with estimated rows of sum at most $1$ too,
        rows of zeros among them, if $\pi_k$ is an optimal policy of $M_k$ (where play ends with the missing
        probability) and $\hat r + b - r + \beta(\hat P - P)V_M^{\pi_*} \ge 0$ for the arm that $\pi_*$ plays, $b$
        being the bonus; $M_k$ has $[[*share]] b$.""",
        share=1,
    ),
    InKernel("bonus_is_optimistic", share=1),
    line=1058,
    repairs="lem:ucbvi_optim/zero-rows",
    nearest={"share": "down"},
)

# -- the series

PRINTED_TERM = r"I - \beta P"


def series_is_inverse(discount: object, term: object) -> Answer:
    """Compare the geometric series of a number, the only entry of the matrix, with 1/(1 - beta); P = 1."""
    ratio = 1 - rational(discount) if term == PRINTED_TERM else rational(discount)
    inverse, total = 1 / (1 - rational(discount)), 1 / (1 - ratio)
    return answer(total == inverse, P=1, beta=rational(discount), sum_of_the_series=total, inverse=inverse)


chapter.printed(
    Property(
        "lem:ucbvi_optim/series",
        series_is_inverse,
        domain="one state, so that $P = 1$",
        says=r"""$(I - \beta P)^{-1} = I + A + A^2 + \cdots$ with $A = [[term]]$; with one state, $P = 1$ and
        $\beta = [[discount]]$.""",
        discount="1/3",
        term=PRINTED_TERM,
    ),
    line=1078,
    verdict=Verdict.FAILS,
    refutation=InKernel("printed_series_fails", discount="1/3", term=PRINTED_TERM),
    severity=Severity.SLIP,
    cause="neumann-series",
    mutants=[{"discount": "3/4"}, {"discount": "499/1000"}],
    controls={r"$A = \beta P$": {"term": r"\beta P"}, r"$\beta = 1/2$, by coincidence": {"discount": "1/2"}},
)


def inverse_is_positive(instance: tuple[tuple[tuple[fmpq, ...], ...], fmpq], s: object) -> Answer:
    """Return whether I - s beta P has an inverse without negative entries."""
    rows, discount = instance
    size = len(rows)
    of_series = fmpq_mat(
        [[int(i == j) - rational(s) * discount * rows[i][j] for j in range(size)] for i in range(size)]
    )
    if of_series.det() == 0:
        return answer(False, P=rows, beta=discount, determinant=0)
    inverse = of_series.inv()
    return answer(min(inverse.entries()) >= 0, P=rows, beta=discount, inverse=inverse.tolist())


def _matrices() -> Iterator[tuple[tuple[tuple[fmpq, ...], ...], fmpq]]:
    yield ((ONE,),), 1 - fmpq(1, 10**6)
    half = fmpq(1, 2)
    yield ((half, half), (fmpq(0), fmpq(0))), fmpq(9, 10)


def _drawn(generator: object) -> tuple[tuple[tuple[fmpq, ...], ...], fmpq]:
    size = int(generator.integers(1, 5))  # type: ignore[attr-defined]
    return tuple(random_sub_row(generator, size) for _ in range(size)), fmpq(9, 10)  # type: ignore[arg-type]


chapter.ours(
    Property(
        "lem:ucbvi_optim/series/repair",
        inverse_is_positive,
        over=Family("matrices with rows of sum at most $1$, rows of zeros among them", _matrices, draw=_drawn),
        domain=r"$P \ge 0$ with rows of sum at most $1$, $0 \le \beta < 1$",
        says=r"""For $A = [[*s]]\beta P$, $(I - A)^{-1} = I + A + A^2 + \cdots$, without negative entries; so
        $(I - A)D \ge g$ with $g \ge 0$ gives $D \ge 0$.""",
        s=1,
    ),
    InKernel("repaired_series", s=1),
    line=1078,
    repairs="lem:ucbvi_optim/series",
    nearest={"s": "up"},
)

CAUSES = [
    Cause(
        "neumann-series",
        Severity.SLIP,
        line=1078,
        title="The series for the inverse has the wrong matrix in it",
        printed=r"""$(I - \beta\hat P)^{-1} = I + (I - \beta\hat P) + (I - \beta\hat P)^2 + \cdots$ has no negative
        coefficient.""",
        why=r"""Where it converges, that sum is $(\beta\hat P)^{-1}$. For two states that change places and $\beta =
        1/2$ its terms have negative entries, and it diverges: $I - \beta P$ has the eigenvalue $3/2$.""",
        instead=r"$(I - \beta\hat P)^{-1} = I + \beta\hat P + (\beta\hat P)^2 + \cdots$",
        follows="Nothing: this series has no negative coefficient.",
        witness="lem:ucbvi_optim/series",
    ),
]
