"""Theorem 3, its numbers: the four printed values, the two strict inequalities, and the set they are taken over.

Suprema over the confidence set come out twice: by extended value iteration, whose rows are shared, and by brute force
over the vertices of the set.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from proofs_checks.evidence import Everywhere
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, PrintedNumber, Property, answer
from theory import Bandit, Exact, best_vertex, gittins_value, optimistic_value, rational
from theory.paper import counterexample, counterexample_m1, counterexample_m2

chapter = Chapter(under="thm:no_OFU")
REAL_REWARDS = {"mean rewards": "real"}

PI_1 = ("A2", "A1", "B1", "B3", "A3", "B2")
PI_2 = ("A2", "B1", "B3", "A1", "A3", "B2")
FROM_A1_B3 = ("A1", "B3")
FROM_A1_B1 = ("A1", "B1")


def extended(priority: Sequence[str] | None, initial: Sequence[str], reward: Exact = "3.21") -> fmpq:
    """Return the supremum over the confidence set by extended value iteration, whose rows must be shared.

    Raises
    ------
    ArithmeticError
        If they are not: then it may be larger than the supremum.
    """
    found = optimistic_value(counterexample(reward_b=reward), priority, initial)
    if not found.attained:
        raise ArithmeticError("extended value iteration is not attained in the set")
    return found.value


def by_vertices(priority: Sequence[str] | None, initial: Sequence[str], reward: Exact = "3.21") -> fmpq:
    """Return the supremum over the vertices of the confidence set, by trying them all."""
    return best_vertex(counterexample(reward_b=reward), priority, initial).value


chapter.printed(
    PrintedNumber(
        "thm:no_OFU/value-pi2",
        "6.42",
        lambda initial: extended(PI_2, initial),
        also=lambda initial: by_vertices(PI_2, initial),
        says=r"$\sup_{M \in \mathbb{M}} V_M^{\pi^2}([[initial]]) = [[printed]]$, rounded.",
        reading=REAL_REWARDS,
        initial=FROM_A1_B3,
    ),
    Everywhere(),
    line=1308,
    mutants=[{"initial": FROM_A1_B1}],
)

chapter.printed(
    PrintedNumber(
        "thm:no_OFU/value-M1",
        "6.47",
        lambda: gittins_value(counterexample_m1(), FROM_A1_B3).value,
        also=lambda: gittins_value(counterexample_m1(), FROM_A1_B3).value,
        says=r"$\sup_\pi V_{M^1}^{\pi}(A_1, B_3) = [[printed]]$, rounded, for $M^1$ as drawn.",
        reading=REAL_REWARDS,
    ),
    Everywhere(),
    line=1309,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="value-of-another-model",
    controls=[{"printed": "6.45"}, {"printed": "6.45375"}],
)


def strictly_below(order: Sequence[str], initial: Sequence[str], model: str, reward: object) -> Answer:
    """Return whether a policy's supremum over the set is below the optimal value of M1 or M2, as drawn."""
    estimates = counterexample(reward_b=rational(reward))
    drawn = {"M1": counterexample_m1, "M2": counterexample_m2}[model]()
    optimal = gittins_value(Bandit([drawn.arms[0], estimates.arms[1]], estimates.discount), initial).value
    supremum = by_vertices(order, initial, rational(reward))
    return answer(supremum < optimal, supremum=supremum, optimal=optimal, gap=optimal - supremum)


chapter.printed(
    Property(
        "thm:no_OFU/strict-pi2",
        lambda reward: strictly_below(PI_2, FROM_A1_B3, "M1", reward),
        says=r"""$\sup_{M \in \mathbb{M}} V_M^{\pi^2}(A_1, B_3) < \sup_\pi V_{M^1}^\pi(A_1, B_3)$ with the
        reward $[[reward]]$ in $B_1$ and $B_3$.""",
        reading=REAL_REWARDS,
        reward="3.21",
    ),
    Everywhere(),
    line=1309,
    nearest={"reward": "up"},
)

CAUSES = [
    Cause(
        "value-of-another-model",
        Severity.SLIP,
        line=1309,
        title="6.47 is the value of the most optimistic member of the set, not of the M1 that is drawn",
        printed=r"$\sup_\pi V^\pi_{M^1}(A_1,B_3)\approx6.47$",
        why=r"It is $5163/800=6.45375$; $49167/7600=6.4693\ldots$ is attained with the row $A_2\to(0,1/10,9/10)$.",
        instead=r"$\sup_\pi V^\pi_{M^1}(A_1,B_3)\approx6.45$",
        follows="Nothing: the strict inequality holds either way.",
        witness="thm:no_OFU/value-M1",
    ),
]
