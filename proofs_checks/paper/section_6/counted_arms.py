"""Theorem 3 with the radii of eq. (5): arm a of Appendix C and two arms built like b, each with counts of its visits.

All pairs of arms have the same number of steps, so that an arm's data are the same in each. Rewards lie in [0, 1];
those of A1 and A2 are estimated one radius below 3/4 and 1, their largest plausible values. A set is enclosed between
two with rational radii; the inner one has its radii rounded down, and 0 for known states.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer
from proofs_checks.paper.section_6.attainable_sets import counted, rounded
from proofs_checks.paper.section_6.priority_orders import no_common_order, try_all_orders
from theory import ONE, ZERO, Bandit, Exact, rational
from theory.paper import counterexample, reward_radius

STATES, ARMS, EPISODES = 3, 2, 10**4
TOPS = (fmpq(3, 4), ONE)


def pair_of_arms(names: str, rewards: tuple[fmpq, ...], visits: int, others: int, around: bool) -> Bandit:
    """Return two of the arms ``a``, ``b`` and ``c`` (those but a with `rewards`), with the outer or the inner radii.

    >>> around, within = (pair_of_arms("ac", (ONE / 2,), 10**4, 10**6, up) for up in (True, False))
    >>> [fmpq(3, 4) - around.arms[0].rewards[0] < fmpq(1, 10**4), ONE - around.arms[0].rewards[1] < fmpq(1, 10**4)]
    [True, True]
    >>> [radius == 0 for arm in within.arms for radius in arm.transition_radius]
    [False, False, True, True, True, True]
    """
    sizes = (STATES, ARMS, EPISODES, 1 + 2 * STATES * others)
    made = []
    for letter in names:
        paper = counterexample().arms[0 if letter == "a" else 1]
        counts = (visits, visits, STATES * others - 2 * visits) if letter == "a" else (others,) * STATES
        if letter == "a":
            radius = rounded(reward_radius(*sizes, visits), False)
            means = (*(_multiple(top - radius, visits) for top in TOPS), ZERO)
        else:
            means = tuple(rewards[names.strip("a").index(letter)] if pays else ZERO for pays in paper.rewards)
        states = tuple(name + {"a": "", "b": "'", "c": "''"}[letter] for name in paper.states)
        arm = counted(replace(paper, rewards=means, states=states), counts, sizes, around)
        known = (not around and visits < N for N in counts)
        radii = tuple(ZERO if exact else b for b, exact in zip(arm.transition_radius, known, strict=True))
        made.append(replace(arm, transition_radius=radii))
    return Bandit(made, fmpq(1, 2))


def _multiple(value: fmpq, visits: int) -> fmpq:
    """Return the largest mean of `visits` zeros and ones that is at most `value`.

    >>> _multiple(fmpq(3, 4), 3)
    2/3
    """
    return fmpq((value * visits).floor()) / visits


@cache  # for the search for a counterexample and for the evidence
def no_order_with_counts(rewards: tuple[Exact, Exact], visits: int, others: int) -> Answer:
    """Return whether no strict order of the nine states is optimistic in all three pairs of arms."""
    low, high = map(rational, rewards)
    trials = [
        try_all_orders(*(pair_of_arms(pair, its, visits, others, around) for around in (False, True)))
        for pair, its in {"ab": (low,), "ac": (high,), "bc": (low, high)}.items()
    ]
    return no_common_order((each.survivors.values() for each in trials), instances=sum(each.tried for each in trials))
