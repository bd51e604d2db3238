"""Exact models of float arms, as the kernels treat them, so that `theory` can compute instead.

Each float is taken as the rational number that it is. The diagonal of a row is 1 minus the other entries, as in
`mbrl.kernels.elimination`, so that rows that sum to 1 up to rounding then sum to 1. If the other entries exceed 1,
which only rounding can cause, the largest of them is reduced.
"""

from __future__ import annotations

import numpy as np
from flint import fmpq

from mbrl.arrays import Floats, Integers
from theory import Arm, Bandit, value_of_float


def exact_arm(transitions: Floats, rewards: Floats) -> Arm:
    """Return one arm's (S, S) `transitions` and (S,) `rewards` as an exact arm.

    Examples
    --------
    >>> exact_arm(np.array([[0.9, 0.1], [0.0, 1.0]]), np.array([0.0, 1.0])).transitions[0][0] + value_of_float(0.1)
    1
    """
    return Arm(transitions=[_row(row, x) for x, row in enumerate(transitions)], rewards=map(value_of_float, rewards))


def exact_bandit(transitions: Floats, rewards: Floats, sizes: Integers, discount: float) -> Bandit:
    """Return a padded bandit in floats as an exact bandit."""
    arms = [
        exact_arm(transitions[a, :size, :size], rewards[a, :size]) for a, size in enumerate(int(size) for size in sizes)
    ]
    return Bandit(arms, value_of_float(discount))


def _row(row: Floats, state: int) -> list[fmpq]:
    exact = [value_of_float(p) for p in row]
    exact[state] = fmpq(0)
    rest = 1 - sum(exact, fmpq(0))
    exact[state if rest >= 0 else int(np.argmax(np.where(np.arange(row.size) == state, -1.0, row)))] += rest
    return exact
