r"""A confidence set that MB-UCRL2 meets: radii of eq. (5), from counts that it produces with positive probability.

In the bandit, arm a moves from A1 to A2, which pays 3/5 for ever; A3 and A4 take turns and pay 1 and 0. All states of
arm b are absorbing; B1 pays 3/5, the others nothing. The bandit is deterministic, so the estimates of visited states
are exact. In the run, long episodes make every state but A1 known; then episodes of one step visit A1.

Radii are roots of logarithms, so the set is enclosed between two sets with rational radii, rounded down and up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from theory import (
    ONE,
    ZERO,
    Arm,
    Bandit,
    DecisionProcess,
    Exact,
    GlobalState,
    gittins_value,
    optimistic_value,
    rational,
)
from theory.certified import Truth
from theory.optimism import extended_process, shared_supremum
from theory.paper import reward_radius, transition_radius
from theory.values import moved

STATES, DISCOUNT = 4, fmpq(9, 10)
DIGITS = 10**9
"""Radii are rounded to multiples of 1/DIGITS."""
NARROW = fmpq(1, 50)
MOST_CELLS = 100
Counts = tuple[tuple[int, ...], tuple[int, ...]]
NEXT = ((1, 1, 3, 2), (0, 1, 2, 3))
"""The next state of each state, for both arms."""
LAST = fmpq(3, 5)
"""The reward of B1."""
STARTS: tuple[GlobalState, ...] = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 1), (3, 1))
LAW: Mapping[GlobalState, fmpq] = {start: fmpq(1 if start[0] else 47, 100) for start in STARTS}
"""The initial law of episodes, mostly on states in which A1 is to be played."""
ORDER = ("A3", "A2", "A1", "B1", "A4", "B2", "B3", "B4")
"""The policy of extended value iteration, which plays arm a in (A1, B1)."""


@dataclass(frozen=True)
class Held:
    """The two sets with rational radii around a confidence set; rewards are the largest plausible ones, at most 1."""

    within: Bandit
    around: Bandit


def confidence_set(counts: Counts, K: int, last: Exact) -> Held:
    """Return the set of eq. (5) for these counts, where B1 pays `last`, and unvisited states are estimated to pay 0."""
    rewards = ((ZERO, fmpq(3, 5), ONE, ZERO), (rational(last), ZERO, ZERO, ZERO))
    sizes = STATES, len(counts), K, 1 + sum(map(sum, counts))
    held = []
    for up in (False, True):
        arms = []
        for letter, pays, moves, visits in zip("AB", rewards, NEXT, counts, strict=True):
            to = [y if N else x for x, (y, N) in enumerate(zip(moves, visits, strict=True))]
            estimated = Arm(
                rewards=[r if N else ZERO for r, N in zip(pays, visits, strict=True)],
                transitions=[[int(y == target) for y in range(STATES)] for target in to],
                states=[f"{letter}{x + 1}" for x in range(STATES)],
            )
            arms.append(counted(estimated, visits, sizes, up))
        held.append(Bandit(arms, DISCOUNT))
    return Held(*held)


def counted(estimated: Arm, visits: Sequence[int], sizes: tuple[int, int, int, int], up: bool) -> Arm:
    """Return an arm with the rounded radii of eq. (5), its rewards raised by them to at most 1; sizes: S, n, K, t."""
    raised = [r + rounded(reward_radius(*sizes, N), up) for r, N in zip(estimated.rewards, visits, strict=True)]
    of_rows = tuple(rounded(transition_radius(*sizes, N), up) for N in visits)
    return replace(estimated, rewards=tuple(min(ONE, r) for r in raised), transition_radius=of_rows)


def rounded(radius: arb, up: bool) -> fmpq:
    """Return a radius rounded down or up to the last of nine decimals.

    >>> [rounded(1 / arb(3), up) * 10**9 for up in (False, True)]
    [333333333, 333333334]
    """
    scaled = radius * DIGITS
    return fmpq(int(str((scaled.ceil() if up else scaled.floor()).unique_fmpz())), DIGITS)


def known_but_for_a1(visits: int, others: int) -> Counts:
    """Return the counts of the run: `visits` to A1, and `others` to each of the other states."""
    return (visits, others, others, others), (others,) * STATES


def maximum_over_bandits(visits: int, others: int, K: int, last: Exact) -> Answer:
    """Return whether the value of extended value iteration is the supremum over the set's bandits."""
    held = confidence_set(known_but_for_a1(visits, others), K, last)
    extended = _mean(optimistic_value(held.within, None, (0, 0)).values)
    enclosure = shared_supremum(held.around, None, LAW, NARROW, MOST_CELLS)
    told: dict[str, object] = {
        "extended value iteration, at least": arb(extended),
        "every bandit of the set has at most": arb(enclosure.upper),
    }
    if enclosure.upper < extended:
        return answer(False, **told)
    known = shared_supremum(held.within, None, LAW, NARROW, MOST_CELLS)
    return answer(Truth.YES if known.lower == extended else Truth.UNDECIDED, **told)


def one_pair_is_best(visits: int, others: int, K: int, last: Exact) -> Answer:
    """Return whether one policy and bandit of the set have the largest value from each state in which episodes start.

    If so, the pair's mean value is the mean of the largest values, which extended value iteration gives if attained.
    """
    within = confidence_set(known_but_for_a1(visits, others), K, last).within
    if not all(optimistic_value(within, None, start).attained for start in STARTS):
        return answer(Truth.UNDECIDED)
    return maximum_over_bandits(visits, others, K, last)


def policy_is_best(visits: int, others: int, K: int, last: Exact) -> Answer:
    """Return whether the policy of extended value iteration has, over the set's bandits, the supremum of all policies.

    The policy is the only one of extended value iteration if forbidding its arm in a state lowers the value there.
    """
    held = confidence_set(known_but_for_a1(visits, others), K, last)
    outcome = optimistic_value(held.within, None, (0, 0))  # equivalent: values and policy are of all states
    best = shared_supremum(held.within, None, LAW, NARROW, MOST_CELLS)
    if best.lower == _mean(outcome.values):
        return answer(True)
    if optimistic_value(held.within, ORDER, (0, 0)).values != outcome.values or any(
        not without(held.around, state, arm)[state] < outcome.values[state] for state, arm in outcome.policy.items()
    ):
        return answer(Truth.UNDECIDED)
    own = shared_supremum(held.around, ORDER, LAW, NARROW, MOST_CELLS)
    told = {
        "its policy has, in a bandit of the set, at most": arb(own.upper),
        "another one has, at least": arb(best.lower),
    }
    return answer(Truth.NO if own.upper < best.lower else Truth.UNDECIDED, **told)


def without(estimates: Bandit, state: GlobalState, arm: int) -> Mapping[GlobalState, fmpq]:
    """Return the values of extended value iteration if an arm may not be played in one global state."""
    actions = dict(extended_process(estimates).actions)
    actions[state] = tuple(action for action in actions[state] if action.name != arm)
    return DecisionProcess(actions, DISCOUNT, actions.__getitem__).solve().values


@dataclass(frozen=True)
class Episode:
    """An episode of the run: the counts before it, its initial state, and the arm that it plays in each state."""

    counts: Counts
    start: GlobalState
    plays: Mapping[GlobalState, int]

    def after(self, steps: int) -> Counts:
        """Return the counts after so many steps, in which the state stays or two states take turns."""
        cycle, state = list[GlobalState](), self.start
        while len(cycle) < steps and state not in cycle:
            cycle.append(state)
            arm = self.plays[state]
            state = moved(state, arm, NEXT[arm][state[arm]])
        if len(cycle) < steps and state != self.start:
            raise ArithmeticError("the states of the episode do not recur")
        a, b = map(list, self.counts)
        for place, x in enumerate(cycle):
            arm = self.plays[x]
            (a, b)[arm][x[arm]] += (steps + len(cycle) - 1 - place) // len(cycle)
        return (a[0], a[1], a[2], a[3]), (b[0], b[1], b[2], b[3])


def run(visits: int, others: int) -> Iterator[Episode]:
    """Yield the episodes after the first, in which any policy will do, and last the counts that they lead to.

    >>> for episode in run(2, 9):
    ...     print(*episode.counts, episode.start, *episode.plays.values())
    (0, 0, 0, 0) (0, 9, 0, 0) (1, 1) 0
    (0, 9, 0, 0) (0, 0, 0, 0) (1, 1) 1
    (0, 9, 0, 0) (0, 9, 0, 0) (1, 0) 1
    (0, 9, 0, 0) (9, 9, 0, 0) (1, 2) 1
    (0, 9, 0, 0) (9, 9, 9, 0) (1, 3) 1
    (0, 9, 0, 0) (9, 9, 9, 9) (2, 1) 0 0
    (0, 9, 9, 9) (9, 9, 9, 9) (0, 1) 0
    (1, 9, 9, 9) (9, 9, 9, 9) (0, 1) 0
    (2, 9, 9, 9) (9, 9, 9, 9) (0, 1)
    """
    for arm in (0, 1):  # if the first episode plays B2, the second one plays A2; if it plays A2, the second plays B2
        first = Episode(((0,) * STATES,) * 2, (1, 1), {(1, 1): 1 - arm})
        second = Episode(first.after(others), (1, 1), {(1, 1): arm})
        yield second
    counts = second.after(others)
    planned: list[Any] = [
        *(((1, x), {(1, x): 1}, others) for x in (0, 2, 3)),
        ((2, 1), {(2, 1): 0, (3, 1): 0}, 2 * others),
        *[((0, 1), {(0, 1): 0}, 1)] * visits,
    ]
    for start, plays, steps in planned:
        episode = Episode(counts, start, plays)
        yield episode
        counts = episode.after(steps)
    yield Episode(counts, (0, 1), {})


def run_is_forced(visits: int, others: int, K: int) -> Answer:
    """Return whether every policy that is best for the initial law plays as the run does, whatever breaks ties.

    In each state of each episode, extended value iteration without the arm that the run plays is compared with the
    optimum of a bandit of the set, whose rows are the estimates and whose unvisited states stay and pay 1. The bandit
    is deterministic, and lengths and initial states have positive probability.
    """
    *episodes, last = run(visits, others)
    if len(episodes) >= K:  # with the first episode, and the second one once
        return answer(False, episodes=len(episodes))
    if last.counts != known_but_for_a1(visits, others) or not all(LAW.get(each.start) for each in episodes):
        return answer(False, leads_to=last.counts)
    for episode in episodes:
        held = confidence_set(episode.counts, K, LAST)
        member = Bandit([replace(arm, transition_radius=(ZERO,) * STATES) for arm in held.within.arms], DISCOUNT)
        reached = _mean({state: gittins_value(member, state).value for state in LAW})
        for state, arm in episode.plays.items():
            if not _mean(without(held.around, state, arm)) < reached:
                return answer(False, visits_before=episode.counts, in_state=str(state))
    return answer(True)


def _mean(values: Mapping[GlobalState, fmpq]) -> fmpq:
    return sum((weight * values[start] for start, weight in LAW.items()), ZERO)
