"""Exact models as NumPy arrays, without rounding."""

from __future__ import annotations

from collections.abc import Iterable
from operator import add
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from mbrl.arrays import Floats, Integers, stacked
from theory import Bandit, nearest_float, value_of_float


def is_float(number: fmpq) -> bool:
    """Return whether a number equals a float that is far from the ends of the floats' range.

    Examples
    --------
    >>> [is_float(fmpq(p, q)) for p, q in ((0, 1), (2**53 - 1, 4), (2**53 + 1, 4), (1, 3))]
    [True, True, False, False]
    >>> [is_float(fmpq(p, q)) for p, q in ((-(2**899), 1), (2**900, 1), (1, 2**899), (1, 2**900))]
    [True, False, True, False]
    """
    return max(abs(number.p), number.q) < 2**900 and value_of_float(nearest_float(number)) == number


def exact_float(number: fmpq) -> float:
    """Return the float that equals `number`.

    Raises
    ------
    ValueError
        If there is none, so that floats would be another model than the exact answer is for.

    Examples
    --------
    >>> exact_float(fmpq(-3, 8))
    -0.375
    >>> exact_float(fmpq(1, 3))
    Traceback (most recent call last):
    ValueError: 1/3 is not a binary fraction
    """
    if not is_float(number):
        raise ValueError(f"{number} is not a binary fraction")
    return nearest_float(number)


def array(numbers: Iterable[Any]) -> Floats:
    """Return exact numbers, or rows of them, as a new array of floats."""
    return np.array([exact_float(each) if isinstance(each, fmpq) else array(each) for each in numbers])


def of_arms(bandit: Bandit, what: str) -> list[Floats]:
    """Return an attribute of each arm, such as its rewards, as arrays."""
    return [array(getattr(arm, what)) for arm in bandit.arms]


class Padded(NamedTuple):
    """A bandit as arrays that are 0 beyond each arm's states, as the floating-point kernels take it."""

    transitions: Floats
    rewards: Floats
    sizes: Integers
    discount: float


def padded(bandit: Bandit) -> Padded:
    """Return a bandit whose numbers are floats as padded arrays."""
    sizes = np.array(bandit.sizes)
    rows = stacked(of_arms(bandit, "transitions"), sizes, 2, "transitions")
    return Padded(rows, padded_by_state(bandit, "rewards"), sizes, exact_float(bandit.discount))


def padded_by_state(bandit: Bandit, what: str) -> Floats:
    """Return an attribute of all arms that has one number for each state, as one padded array."""
    return stacked(of_arms(bandit, what), np.array(bandit.sizes), 1, what)


def in_floats(bandit: Bandit) -> bool:
    """Return whether every number of a bandit is a float, rewards with their radius included."""
    numbers = {bandit.discount}
    for arm in bandit.arms:
        numbers.update(arm.rewards, arm.reward_radius, arm.transition_radius, *arm.transitions)
        numbers.update(map(add, arm.rewards, arm.reward_radius))
    return all(map(is_float, numbers))
