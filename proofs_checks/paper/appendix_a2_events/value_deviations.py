"""Small exact bandits whose optimal value depends on the arms that are not played (event E^V)."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq, fmpq_mat

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


def independent_functions() -> tuple[Bandit, list[tuple[fmpq, ...]], int]:
    """Return a bandit of two arms of three states, its functions V*(., x_2), and the number of them needed.

    Each state of arm 2 is absorbing and pays one index of arm 1. No function is a mixture of the others plus a constant
    if the differences from one of them are linearly independent modulo constants.

    Raises
    ------
    ArithmeticError
        If the functions are not the retirement functions of arm 1 at its own indices.
    """
    arm = Arm(rewards=[1, HALF, 0], transitions=[[THIRD] * 3, [HALF, HALF, 0], [0, HALF, HALF]])
    levels, functions = extreme_functions(arm, HALF)
    bandit = Bandit([arm, absorbing([HALF * level for level in levels])], HALF)
    optimum = optimal_value(bandit).values
    needed = [tuple(optimum[y, j] for y in range(arm.size)) for j in range(len(levels))]
    if tuple(needed) != functions:
        raise ArithmeticError("the optimal values are not the retirement functions")
    return bandit, needed, fmpq_mat([[fmpq(1), *(value - f[0] for value in f[1:])] for f in needed]).rank()
