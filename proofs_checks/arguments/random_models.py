"""Exact random bandits, estimates, counts and policies, for checks that sample.

Everything is built from the integers of a NumPy generator, so it is exact and the same on every machine. Edges are
common by construction: tied rewards, unit rows, rows with zeros, one state, one arm, radius 0, discount 0, states that
were never visited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit, GlobalState
from theory.optimism import distance
from theory.values import global_states

if TYPE_CHECKING:
    from numpy.random import Generator

DISCOUNTS = (fmpq(0), fmpq(1, 2), fmpq(1, 3), fmpq(4, 5), fmpq(9, 10), fmpq(99, 100))
RADII = (fmpq(0), fmpq(1, 10), fmpq(1, 5), fmpq(1, 2), fmpq(1), fmpq(2))

Row = tuple[fmpq, ...]


def random_row(generator: Generator, size: int) -> Row:
    """Return a probability row of `size` rationals that sum to exactly 1; unit rows and zeros are common.

    Examples
    --------
    >>> import numpy as np
    >>> sum(random_row(np.random.default_rng(1), 4), fmpq(0))
    1
    """
    weights = [int(weight) for weight in generator.integers(0, 4, size)]
    if not any(weights):
        weights[int(generator.integers(size))] = 1
    total = sum(weights)
    return tuple(fmpq(weight, total) for weight in weights)


def random_full_row(generator: Generator, size: int) -> Row:
    """Return a probability row without zeros."""
    weights = [int(weight) for weight in generator.integers(1, 5, size)]
    return tuple(fmpq(weight, sum(weights)) for weight in weights)


def random_sub_row(generator: Generator, size: int) -> Row:
    """Return a non-negative row whose sum is at most 1; a row of zeros among them."""
    kept = fmpq(int(generator.integers(0, 4)), 3)
    return tuple(kept * entry for entry in random_row(generator, size))


def random_rewards(generator: Generator, size: int, denominator: int = 4) -> Row:
    """Return rewards in [0, 1] with a common `denominator`, so that ties are common."""
    return tuple(fmpq(int(numerator), denominator) for numerator in generator.integers(0, denominator + 1, size))


def random_arm(generator: Generator, size: int) -> Arm:
    """Return an arm of `size` states without radii."""
    return Arm(rewards=random_rewards(generator, size), transitions=[random_row(generator, size) for _ in range(size)])


def random_discount(generator: Generator) -> fmpq:
    """Return one of `DISCOUNTS`, 0 and 99/100 among them."""
    return DISCOUNTS[int(generator.integers(len(DISCOUNTS)))]


def random_bandit(
    generator: Generator, max_arms: int = 3, max_size: int = 3, max_global_states: int = 18, radii: bool = False
) -> Bandit:
    """Return a bandit with an initial state, of arms that may differ in size.

    Parameters
    ----------
    generator
        Of the random integers.
    max_arms, max_size, max_global_states
        Bounds on the number of arms, on their states, and on the product of the latter.
    radii
        Whether the arms carry radii, and so are the centre of a confidence set.
    """
    arms: list[Arm] = []
    room = max_global_states
    for _ in range(int(generator.integers(1, max_arms + 1))):
        arm = random_arm(generator, int(generator.integers(1, min(max_size, room) + 1)))
        arms.append(with_random_radii(generator, arm) if radii else arm)
        room //= arm.size
    start = [int(generator.integers(arm.size)) for arm in arms]
    return Bandit(arms, random_discount(generator), start)


def with_random_radii(generator: Generator, arm: Arm) -> Arm:
    """Return `arm` with radii of rewards and rows drawn from `RADII`, 0 among them."""
    of_rewards, of_rows = ([RADII[i] for i in generator.integers(0, len(RADII), arm.size)] for _ in range(2))
    return Arm(
        rewards=arm.rewards,
        transitions=arm.transitions,
        states=arm.states,
        reward_radius=of_rewards,
        transition_radius=of_rows,
    )


def random_member(generator: Generator, estimates: Bandit) -> Bandit:
    """Return a bandit of the confidence set of `estimates`, its boundary included.

    Each row is moved towards a random one, by a random share of what its radius allows; rewards likewise.
    """
    arms = []
    for arm in estimates.arms:
        rewards = [
            reward + radius * fmpq(int(generator.integers(-2, 3)), 2)
            for reward, radius in zip(arm.rewards, arm.reward_radius, strict=True)
        ]
        rows = [
            _towards(row, random_row(generator, arm.size), radius * fmpq(int(generator.integers(0, 3)), 2))
            for row, radius in zip(arm.transitions, arm.transition_radius, strict=True)
        ]
        arms.append(Arm(rewards=rewards, transitions=rows, states=arm.states))
    return Bandit(arms, estimates.discount, estimates.initial)


def _towards(row: Row, target: Row, length: fmpq) -> Row:
    whole = distance(row, target)
    share = ONE if whole <= length else length / whole
    return tuple(p + share * (q - p) for p, q in zip(row, target, strict=True))


@dataclass(frozen=True)
class Counts:
    """What a learner has counted of one arm.

    Attributes
    ----------
    activations : (S,)
        How often the arm was played in each state; 0 for states never visited.
    moves : (S, S)
        How often it went from one state to another; row sums are the activations.
    successes : (S,)
        How often the reward was 1 (rewards are 0 or 1).
    """

    activations: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    successes: tuple[int, ...]

    def empirical(self, unvisited_row: Sequence[fmpq], unvisited_reward: fmpq = ZERO) -> tuple[Row, tuple[Row, ...]]:
        """Return the empirical rewards and rows, with the values given for states never visited."""
        rewards = tuple(
            fmpq(wins, plays) if plays else unvisited_reward
            for wins, plays in zip(self.successes, self.activations, strict=True)
        )
        rows = tuple(
            tuple(fmpq(count, plays) for count in counts) if plays else tuple(unvisited_row)
            for counts, plays in zip(self.moves, self.activations, strict=True)
        )
        return rewards, rows


def random_counts(generator: Generator, size: int, largest: int = 3) -> Counts:
    """Return counts of an arm of `size` states; states never visited are common."""
    moves = tuple(
        tuple(int(count) for count in generator.integers(0, largest + 1, size))
        if int(generator.integers(3))
        else (0,) * size
        for _ in range(size)
    )
    activations = tuple(map(sum, moves))
    successes = tuple(int(generator.integers(0, plays + 1)) for plays in activations)
    return Counts(activations, moves, successes)


def random_policy(generator: Generator, bandit: Bandit) -> dict[GlobalState, int]:
    """Return a deterministic policy, drawn uniformly: in general neither a priority policy nor an optimal one."""
    states = global_states(bandit, "draw a priority policy")
    return {state: int(generator.integers(len(bandit.arms))) for state in states}


def random_start(generator: Generator, bandit: Bandit) -> dict[GlobalState, fmpq]:
    """Return a law of the initial global state; its support need not be everything."""
    states = global_states(bandit, "give one initial state")
    return dict(zip(states, random_row(generator, len(states)), strict=True))
