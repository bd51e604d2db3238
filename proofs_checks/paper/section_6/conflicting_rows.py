"""Small confidence sets whose best row of one arm state differs between global states."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flint import fmpq

from theory import Arm, Bandit
from theory.random_models import random_arm

if TYPE_CHECKING:
    import numpy as np

HALF, THIRD = fmpq(1, 2), fmpq(1, 3)

CONFLICT = Bandit(
    [
        Arm(
            rewards=[HALF, 0, 1],
            transitions=[[0, 0, 1], [THIRD, THIRD, THIRD], [0, 1, 0]],
            states=["A1", "A2", "A3"],
            transition_radius=[2, 0, 0],
        ),
        Arm(rewards=[0, HALF], transitions=[[0, 1], [1, 0]], states=["B1", "B2"]),
    ],
    fmpq(4, 5),
    ["A1", "B2"],
)
"""A set with one free row, of arm a: best moves to the last state while arm b is about to pay, and otherwise stays."""

ANOTHER_CONFLICT = Bandit(
    [
        Arm(
            rewards=[4, 5, 0],
            transitions=[[THIRD, THIRD, THIRD], [0, HALF, HALF], [1, 0, 0]],
            states=["A1", "A2", "A3"],
            transition_radius=[HALF, 0, 0],
        ),
        Arm(rewards=[4, 0], transitions=[[HALF, HALF], [0, 1]], states=["B1", "B2"]),  # equivalent: some other arm
    ],
    fmpq(4, 5),
    ["A1", "B1"],
)


def random_estimates(random: np.random.Generator) -> Bandit:
    """Return an arm of three states and one of two, each with one free row.

    >>> import numpy as np
    >>> drawn = [random_estimates(np.random.default_rng(seed)) for seed in range(9)]
    >>> sorted({each.discount for each in drawn}), [sorted(arm.transition_radius) for arm in drawn[0].arms]
    ([1/2, 4/5], [[0, 0, 1], [0, 1]])
    """
    arms = []
    for arm in (random_arm(random, size) for size in (3, 2)):
        free = int(random.integers(arm.size))
        arms.append(replace(arm, transition_radius=tuple(fmpq(int(x == free)) for x in range(arm.size))))
    return Bandit(arms, HALF if int(random.integers(2)) else fmpq(4, 5), [0] * len(arms))
