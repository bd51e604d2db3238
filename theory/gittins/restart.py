r"""Gittins indices by the restart-in-state problem (Katehakis and Veinott 1987), solved by exact policy iteration.

For a state x, consider the decision process on the arm in which each step may either go on or first jump back to x. If
V is its optimal value, the index of x is :math:`(1-\beta) V(x)`.
"""

from __future__ import annotations

from flint import fmpq, fmpq_mat

from theory.model import Arm
from theory.rationals import ONE
from theory.stopping import one_step


def indices_by_restart(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly.

    Examples
    --------
    >>> indices_by_restart(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/2", "1/2"]]), fmpq(1, 2))
    (1, 1/4)
    """
    return tuple((1 - discount) * _optimal_value(arm, discount, home) for home in range(arm.size))


def _optimal_value(arm: Arm, discount: fmpq, home: int) -> fmpq:
    restarting = [False] * arm.size
    while True:
        values = _policy_value(arm, discount, home, restarting)
        restarted = values[home]
        improved = list(restarting)
        for x in range(arm.size):
            going_on = one_step(arm.transitions[x], values, discount, arm.rewards[x])
            # a state keeps its action on a tie, so the iteration ends
            if restarting[x] and going_on > restarted:
                improved[x] = False
            elif not restarting[x] and restarted > going_on:
                improved[x] = True
        if improved == restarting:
            return values[home]
        restarting = improved


def _policy_value(arm: Arm, discount: fmpq, home: int, restarting: list[bool]) -> tuple[fmpq, ...]:
    rows = []
    rewards = []
    for x in range(arm.size):
        source = home if restarting[x] else x
        rows.append([(ONE if x == y else 0) - discount * p for y, p in enumerate(arm.transitions[source])])
        rewards.append([arm.rewards[source]])
    solution = fmpq_mat(rows).solve(fmpq_mat(rewards))
    return tuple(solution[x, 0] for x in range(arm.size))
