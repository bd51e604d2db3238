"""Small confidence sets whose best row of one arm state differs between global states."""

from __future__ import annotations

from flint import fmpq

from theory import Arm, Bandit

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
