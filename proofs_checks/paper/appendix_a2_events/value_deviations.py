"""Small exact bandits whose optimal value depends on the arms that are not played (event E^V)."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from theory import Arm, Bandit, GlobalState, expectation
from theory.values import extreme_functions, moved, optimal_value

HALF, THIRD = fmpq(1, 2), fmpq(1, 3)


def absorbing(rewards: Sequence[fmpq | int]) -> Arm:
    """Return an arm whose states are all absorbing."""
    size = len(rewards)
    return Arm(rewards=rewards, transitions=[[int(x == y) for y in range(size)] for x in range(size)])


def deviations_of_one_move(of_arm_2: Sequence[fmpq]) -> tuple[Bandit, dict[GlobalState, fmpq]]:
    """Return beta (P-hat - P) V* after one move of arm 1 from its first state to itself, at each global state.

    Arm 1 has rewards 1 and 0 and moves to either state with probability 1/2; arm 2, if there is one, has absorbing
    states with the rewards given; the discount is 1/2.
    """
    arm = Arm(rewards=[1, 0], transitions=[[HALF, HALF], [HALF, HALF]])
    bandit = Bandit([arm, absorbing(of_arm_2)] if of_arm_2 else [arm], HALF)
    optimum = optimal_value(bandit).values
    found = {}
    for state in optimum:
        if state[0] == 0:
            values = [optimum[moved(state, 0, y)] for y in range(2)]
            found[state] = HALF * (values[0] - expectation(arm.transitions[0], values))
    return bandit, found


def beside_its_indices() -> Bandit:
    """Return an arm of three states beside one whose states are absorbing and pay the first arm's indices."""
    arm = Arm(rewards=[1, HALF, 0], transitions=[[THIRD] * 3, [HALF, HALF, 0], [0, HALF, HALF]])
    levels, _ = extreme_functions(arm, HALF)
    return Bandit([arm, absorbing([HALF * level for level in levels])], HALF)
