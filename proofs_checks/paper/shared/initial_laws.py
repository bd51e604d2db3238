"""Extended value iteration for an initial law, compared with the largest mean value over the bandits of the set."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from theory import ZERO, Bandit, optimistic_value
from theory.certified import Truth
from theory.optimism import shared_supremum

NARROW = fmpq(1, 200)


def best_from_law(estimates: Bandit, others: Sequence[str], states: Sequence[str]) -> Answer:
    """Return whether extended value iteration's mean is the largest mean value over the bandits of the set.

    The last arm begins in one of `states`, each equally likely (a state may be named more than once), the others in
    `others`. The answer is yes if a bandit attains extended value iteration's mean, no if a certified upper bound on
    the largest mean is smaller.
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
    """Return the names of states that a printed list has, in the spelling of bandits.

    Examples
    --------
    >>> named("A_1, B_3")
    ('A1', 'B3')
    """
    return tuple(each.strip().replace("_", "") for each in states.split(","))
