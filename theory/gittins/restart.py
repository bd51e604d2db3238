r"""Gittins indices by the restart-in-state problem (Katehakis and Veinott 1987), solved by exact policy iteration.

For a state x, consider the decision process on the arm in which each step may go on, or first jump back to x. If V is
its optimal value, the index of x is :math:`(1-\beta) V(x)`.
"""

from __future__ import annotations

from flint import fmpq

from theory.decision_process import Action, DecisionProcess
from theory.domain import state_index
from theory.model import Arm, check_arm
from theory.rationals import Exact


def indices_by_restart(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly."""
    return tuple((1 - discount) * restart_process(arm, discount, x).solve().values[x] for x in range(arm.size))


def restart_process(arm: Arm, discount: Exact, home: int) -> DecisionProcess[int, str]:
    """Return the process on the states of `arm` in which each step may go on, or first jump back to `home`."""
    check_arm(arm)
    states, first = range(arm.size), state_index(home, arm.size, "home")

    def actions(x: int) -> list[Action[int, str]]:
        return [
            Action(name, arm.rewards[source], states, arm.transitions[source])
            for name, source in (("go on", x), ("restart", first))
        ]

    return DecisionProcess(states, discount, actions)
