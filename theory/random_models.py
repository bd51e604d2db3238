"""Random exact instances: rows, arms, bandits, members of confidence sets, counts, policies.

Everything is built from random integers, so it is exact, and the same on every machine. Checks that sample take the
integers from a NumPy generator, property searches from Hypothesis (`proofs_checks.trials.strategies`); any object with
a method `integers(low, high)` will do. Edges are common by construction: tied rewards, unit rows, rows with zeros, one
state, one arm, radius 0, discount 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, SupportsIndex, TypeAlias, TypeVar

from flint import fmpq

from theory.model import Arm, Bandit, GlobalState
from theory.optimism import distance
from theory.rationals import ONE, ZERO
from theory.values import global_states

Row: TypeAlias = tuple[fmpq, ...]
Choice = TypeVar("Choice")

DISCOUNTS = (fmpq(0), fmpq(1, 2), fmpq(1, 3), fmpq(4, 5), fmpq(9, 10), fmpq(99, 100))
RADII = (fmpq(0), fmpq(1, 10), fmpq(1, 5), fmpq(1, 2), fmpq(1), fmpq(2))


class Integers(Protocol):
    """A source of random integers, such as a NumPy generator or anything with a method of this name.

    Examples
    --------
    >>> from random import Random
    >>> from types import SimpleNamespace
    >>> beyond_numpy = SimpleNamespace(integers=Random(1).randrange)
    >>> sum(random_full_row(beyond_numpy, 3, largest=10**30))
    1
    """

    def integers(self, low: int, high: int, /) -> SupportsIndex:
        """Return an integer from `low` to `high` - 1."""
        ...


RandomArm: TypeAlias = "Callable[[Integers, int], Arm]"
"""Maps a source of random integers and a number of states to an arm."""


def drawn(source: Integers, low: int, high: int) -> int:
    """Return an integer from `low` to `high` - 1."""
    return int(source.integers(low, high).__index__())


def picked(source: Integers, choices: Sequence[Choice]) -> Choice:
    """Return one of `choices`."""
    return choices[drawn(source, 0, len(choices))]


def random_row(source: Integers, size: int, largest: int = 3) -> Row:
    """Return a probability row: weights from 0 to `largest` over their sum; unit rows and zeros are common.

    Examples
    --------
    >>> import numpy as np
    >>> sum(random_row(np.random.default_rng(1), 4), fmpq(0))
    1
    """
    weights = [drawn(source, 0, largest + 1) for _ in range(size)]
    if not any(weights):
        weights[drawn(source, 0, size)] = 1
    return _over_sum(weights)


def random_full_row(source: Integers, size: int, largest: int = 4) -> Row:
    """Return a probability row without zeros: weights from 1 to `largest` over their sum."""
    return _over_sum([drawn(source, 1, largest + 1) for _ in range(size)])


def random_sub_row(source: Integers, size: int) -> Row:
    """Return a non-negative row with a sum of at most 1, perhaps a row of zeros."""
    kept = fmpq(drawn(source, 0, 4), 3)
    return tuple(kept * entry for entry in random_row(source, size))


def random_shared_row(source: Integers, size: int, shares: int) -> Row:
    """Return a probability row of `shares` equal shares, each at a random entry; exact in binary if 2^k shares."""
    counts = [0] * size
    for _ in range(shares):
        counts[drawn(source, 0, size)] += 1
    return _over_sum(counts)


def random_rewards(source: Integers, size: int, denominator: int = 4, low: int = 0, high: int = 1) -> Row:
    """Return rewards in [`low`, `high`] with a common `denominator`, so that ties are common."""
    return tuple(fmpq(drawn(source, low * denominator, high * denominator + 1), denominator) for _ in range(size))


def _over_sum(weights: list[int]) -> Row:
    total = sum(weights)
    return tuple(fmpq(weight, total) for weight in weights)


def random_arm(source: Integers, size: int, low: int = 0) -> Arm:
    """Return an arm of `size` states without radii, with rewards from `low` to 1."""
    rewards = random_rewards(source, size, low=low)
    return Arm(rewards=rewards, transitions=[random_row(source, size) for _ in range(size)])


def random_discount(source: Integers) -> fmpq:
    """Return one of `DISCOUNTS`, 0 and 99/100 among them."""
    return picked(source, DISCOUNTS)


def random_bandit(
    source: Integers,
    max_arms: int = 3,
    max_size: int = 3,
    max_global_states: int = 18,
    radii: bool = False,
    arm: RandomArm = random_arm,
    discount: Callable[[Integers], fmpq] = random_discount,
) -> Bandit:
    """Return a bandit with an initial state, of arms that may differ in size.

    There are at most `max_arms`, of `max_size` states each, and `max_global_states` in all. With `radii` the bandit is
    the centre of a confidence set. `arm` draws an arm with a given number of states, and `discount` the discount.

    Examples
    --------
    >>> import numpy as np
    >>> random_bandit(np.random.default_rng(1), max_arms=1).number_of_global_states <= 3
    True
    """
    arms: list[Arm] = []
    room = max_global_states
    for _ in range(drawn(source, 1, max_arms + 1)):
        made = arm(source, drawn(source, 1, min(max_size, room) + 1))
        arms.append(with_random_radii(source, made) if radii else made)
        room //= made.size
    start = [drawn(source, 0, each.size) for each in arms]
    return Bandit(arms, discount(source), start)


def with_random_radii(source: Integers, arm: Arm) -> Arm:
    """Return `arm` with radii of rewards and rows drawn from `RADII`, 0 among them."""
    of_rewards, of_rows = (tuple(picked(source, RADII) for _ in range(arm.size)) for _ in range(2))
    return replace(arm, reward_radius=of_rewards, transition_radius=of_rows)


def random_member(source: Integers, estimates: Bandit) -> Bandit:
    """Return a bandit of the confidence set of `estimates`, its boundary included.

    Each row moves towards a random row by a random share of its radius; rewards likewise.
    """
    arms = []
    for arm in estimates.arms:
        rewards = [
            reward + radius * fmpq(drawn(source, -2, 3), 2)
            for reward, radius in zip(arm.rewards, arm.reward_radius, strict=True)
        ]
        rows = [
            _towards(row, random_row(source, arm.size), radius * fmpq(drawn(source, 0, 3), 2))
            for row, radius in zip(arm.transitions, arm.transition_radius, strict=True)
        ]
        arms.append(Arm(rewards=rewards, transitions=rows, states=arm.states))
    return Bandit(arms, estimates.discount, estimates.initial)


def _towards(row: Row, target: Row, length: fmpq) -> Row:
    whole = distance(row, target)
    share = ONE if whole <= length else length / whole
    return tuple(p + share * (q - p) for p, q in zip(row, target, strict=True))


def random_policy(source: Integers, bandit: Bandit) -> dict[GlobalState, int]:
    """Return a deterministic policy, drawn uniformly: in general neither a priority policy nor an optimal one."""
    states = global_states(bandit, "draw a priority policy")
    return {state: drawn(source, 0, len(bandit.arms)) for state in states}


@dataclass(frozen=True)
class Counts:
    """The counts of one arm, as a learner collects them; states never visited have `activations` 0.

    By state, `activations` counts how often the arm was played: the row sums of `moves`, (S, S), between states;
    `successes` counts how often the reward was 1 (rewards are 0 or 1).
    """

    activations: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    successes: tuple[int, ...]

    def empirical(self, unvisited_row: Sequence[fmpq]) -> tuple[Row, tuple[Row, ...]]:
        """Return the empirical rewards and rows, with 0 and the given row for states never visited.

        Examples
        --------
        >>> counts = Counts(activations=(4, 0), moves=((1, 3), (0, 0)), successes=(3, 0))
        >>> counts.empirical(unvisited_row=(fmpq(0), fmpq(1)))
        ((3/4, 0), ((1/4, 3/4), (0, 1)))
        """
        rewards = tuple(
            fmpq(wins, plays) if plays else ZERO for wins, plays in zip(self.successes, self.activations, strict=True)
        )
        rows = tuple(
            tuple(fmpq(count, plays) for count in counts) if plays else tuple(unvisited_row)
            for counts, plays in zip(self.moves, self.activations, strict=True)
        )
        return rewards, rows


def random_counts(source: Integers, size: int, largest: int = 3) -> Counts:
    """Return counts of an arm of `size` states; states never visited are common."""
    moves = tuple(
        tuple(drawn(source, 0, largest + 1) for _ in range(size)) if drawn(source, 0, 3) else (0,) * size
        for _ in range(size)
    )
    activations = tuple(map(sum, moves))
    successes = tuple(drawn(source, 0, plays + 1) for plays in activations)
    return Counts(activations, moves, successes)
