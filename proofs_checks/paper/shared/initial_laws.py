"""Extended value iteration for an initial law, against the largest mean over the bandits of the set."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from theory import ZERO, Bandit, optimistic_value
from theory.certified import Truth
from theory.optimism import shared_supremum

NARROW = fmpq(1, 200)


def best_from_law(estimates: Bandit, others: Sequence[str], states: Sequence[str]) -> Answer:
    """Compare extended value iteration's mean with the largest mean over the bandits of the set.

    The last arm begins in one of `states`, each as likely as the others (one may be named oftener), the others in
    `others`. The answer is no where a certified upper bound of the latter is smaller, and yes where a bandit attains
    the former.
    """
    initial = [estimates.start((*others, state)) for state in states]
    values = optimistic_value(estimates, None, initial[0]).values
    extended = sum((values[state] for state in initial), ZERO) / len(initial)
    law = {state: fmpq(initial.count(state), len(initial)) for state in initial}
    enclosure = shared_supremum(estimates, None, law, tolerance=NARROW)
    told: dict[str, object] = {"initial law uniform on": [f"({', '.join((*others, state))})" for state in states]}
    told["extended value iteration"] = extended
    if enclosure.lower == extended:
        return answer(True, **told, attained_by=enclosure.bandit)
    return answer(
        Truth.NO if enclosure.upper < extended else Truth.UNDECIDED,
        **told,
        every_bandit_of_the_set_has_at_most=enclosure.upper,
    )


def named(states: str) -> tuple[str, ...]:
    """Return names of states as bandits have them, from a list as it is printed.

    Examples
    --------
    >>> named("A_1, B_3")
    ('A1', 'B3')
    """
    return tuple(each.strip().replace("_", "") for each in states.split(","))
