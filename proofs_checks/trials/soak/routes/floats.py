"""Bandits as the arrays that the floating-point kernels take, without rounding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from mbrl.kernels import optimistic_values
from mbrl.kernels.chains import class_error
from mbrl.kernels.elimination import UNIT
from proofs_checks.trials.conformance.arrays import exact_float
from theory import Bandit, GlobalState, Priority, nearest_float, value_of_float
from theory.enclosures import Enclosure
from theory.optimism import upper_reward

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Padded(NamedTuple):
    """A bandit as padded arrays."""

    transitions: Floats
    rewards: Floats
    sizes: Integers
    discount: float


def in_floats(bandit: Bandit) -> bool:
    """Return whether every number of a bandit is a float."""
    numbers = [bandit.discount]
    for arm in bandit.arms:
        numbers += [*arm.rewards, *arm.reward_radius, *arm.transition_radius]
        numbers += [p for row in arm.transitions for p in row]
        numbers += [r + b for r, b in zip(arm.rewards, arm.reward_radius, strict=True)]
    return all(_is_float(number) for number in set(numbers))


def padded(bandit: Bandit) -> Padded:
    """Return a bandit whose numbers are floats as arrays that are 0 beyond each arm's states."""
    count, width = len(bandit.arms), max(bandit.sizes)
    transitions, rewards = np.zeros((count, width, width)), np.zeros((count, width))
    for a, arm in enumerate(bandit.arms):
        for x in range(arm.size):
            rewards[a, x] = exact_float(arm.rewards[x])
            transitions[a, x, : arm.size] = [exact_float(p) for p in arm.transitions[x]]
    return Padded(transitions, rewards, np.array(bandit.sizes), exact_float(bandit.discount))


def places(order: Priority, width: int) -> Integers:
    """Return a priority order as the kernels take it: the places ``a * width + x`` of its arm states."""
    return np.array([a * width + x for a, x in order])


def ranks(bandit: Bandit, order: Priority) -> tuple[Integers, Integers]:
    """Return the initial state, and the (n, S) places of the states in a priority order."""
    table = np.full((len(bandit.arms), max(bandit.sizes)), len(order))
    for place, state in enumerate(order):
        table[state] = place
    return np.array(bandit.start()), table


def optimistic_range(bandit: Bandit, state: GlobalState) -> Enclosure:
    """Return an enclosure of the optimistic value of a global state, from the kernel of extended value iteration.

    The kernel's value is too low by at most its gap. It is too high by at most the error of evaluating the policy and
    the rows that it found: the error of all communicating classes together, and the rounding of each row.

    Examples
    --------
    >>> from theory import Arm
    >>> free = Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], ["1/4", "3/4"]], transition_radius=["1/2", 0])
    >>> said = []
    >>> for reward in (0, -1000):  # below 0 rewards may cancel
    ...     bandit = Bandit([free, Arm(rewards=[reward], transitions=[[1]])], "1/2", [0, 0])
    ...     said.append(optimistic_range(bandit, bandit.start()))
    >>> said[0].contains(fmpq(3, 4)), said[0].width < fmpq(1, 10**9), said[1].width > 100 * said[0].width
    (True, True, True)
    """
    data = padded(bandit)
    count, width = data.rewards.shape
    radii, upper = np.zeros((count, width)), data.rewards.copy()
    for a, x in bandit.arm_states:
        radii[a, x] = exact_float(bandit.arms[a].transition_radius[x])
        upper[a, x] = exact_float(upper_reward(bandit, a, x))
    found = optimistic_values(data.transitions, radii, upper, data.sizes, data.discount)
    value = value_of_float(float(found.values[np.ravel_multi_index(state, bandit.sizes)]))
    classes = class_error(found.values.size, width) + found.values.size * (class_error(1, width) + 4 * width * UNIT)
    scale = abs(value) if upper.min() >= 0 else value_of_float(float(np.abs(upper).max())) / (1 - bandit.discount)
    return Enclosure(value - 2 * value_of_float(classes) * scale, value + value_of_float(found.gap))


def exact_numbers(numbers: Floats) -> list[fmpq]:
    """Return the rational numbers that floats equal."""
    return [value_of_float(number) for number in numbers.tolist()]


def _is_float(number: fmpq) -> bool:
    """Return whether a number equals a float that is far from the ends of the floats' range.

    Examples
    --------
    >>> [_is_float(fmpq(p, q)) for p, q in ((0, 1), (2**53 - 1, 4), (2**53 + 1, 4), (1, 3))]
    [True, True, False, False]
    >>> [_is_float(fmpq(p, q)) for p, q in ((-(2**899), 1), (2**900, 1), (1, 2**899), (1, 2**900))]
    [True, False, True, False]
    """
    return max(abs(number.p), number.q) < 2**900 and value_of_float(nearest_float(number)) == number
