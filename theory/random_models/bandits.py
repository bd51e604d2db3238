"""Random exact arms, bandits, members of confidence sets, and policies.

Edges are common by construction: tied rewards, unit rows, rows with zeros, one state, one arm, radius 0, discount 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from flint import fmpq

from theory.model import Arm, Bandit, GlobalState
from theory.optimism import distance
from theory.random_models.rows import Integers, Row, drawn, picked, random_rewards, random_row
from theory.rationals import ONE
from theory.values import global_states

DISCOUNTS = (fmpq(0), fmpq(1, 2), fmpq(1, 3), fmpq(4, 5), fmpq(9, 10), fmpq(99, 100))
RADII = (fmpq(0), fmpq(1, 10), fmpq(1, 5), fmpq(1, 2), fmpq(1), fmpq(2))

RandomArm: TypeAlias = "Callable[[Integers, int], Arm]"
"""Maps a source of random integers and a number of states to an arm."""


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

    Parameters
    ----------
    source
        Source of random integers: a NumPy generator, or anything with a method `integers(low, high)`.
    max_arms, max_size, max_global_states
        Limits on the number of arms, the states per arm, and the number of global states.
    radii
        Whether the arms carry radii, so that the bandit is the centre of a confidence set.
    arm, discount
        Draw an arm with a given number of states, and the discount.

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
    of_rewards, of_rows = ([picked(source, RADII) for _ in range(arm.size)] for _ in range(2))
    return Arm(
        rewards=arm.rewards,
        transitions=arm.transitions,
        states=arm.states,
        reward_radius=of_rewards,
        transition_radius=of_rows,
    )


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
