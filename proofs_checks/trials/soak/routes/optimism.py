"""Routes to the value of extended value iteration, over all policies or for a priority order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from mbrl.kernels import optimistic_values
from mbrl.kernels.chains import class_error
from mbrl.kernels.elimination import UNIT
from proofs_checks.trials.arrays import in_floats, padded, padded_by_state
from proofs_checks.trials.soak.comparison import Question, Route
from proofs_checks.trials.soak.routes.shared import Order, enclosed_routes, only, optimal, some_order
from theory import Action, Bandit, DecisionProcess, GlobalState, optimistic_value, value_of_float
from theory.enclosures import EnclosedBandit, Enclosure, enclosed_optimistic_value
from theory.optimism import upper_reward, vertices
from theory.values import global_states, moved, priority_policy


def has_radii(bandit: Bandit) -> bool:
    """Return whether some arm has radii."""
    return any(arm.has_radii for arm in bandit.arms)


def optimistic_range(bandit: Bandit) -> Enclosure:
    """Return an enclosure of the optimistic value of the initial state, from the kernel of extended value iteration.

    The kernel's value is too low by at most its gap. It is too high by at most the error of evaluating the policy and
    the rows that it found: the error of all communicating classes together, and the rounding of each row.

    Examples
    --------
    >>> from theory import Arm
    >>> free = Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], ["1/4", "3/4"]], transition_radius=["1/2", 0])
    >>> said = []
    >>> for reward in (0, -1000):  # below 0 rewards may cancel
    ...     bandit = Bandit([free, Arm(rewards=[reward], transitions=[[1]])], "1/2", [0, 0])
    ...     said.append(optimistic_range(bandit))
    >>> said[0].contains(fmpq(3, 4)), said[0].width < fmpq(1, 10**9), said[1].width > 100 * said[0].width
    (True, True, True)
    """
    data, radii = padded(bandit), padded_by_state(bandit, "transition_radius")
    upper = data.rewards + padded_by_state(bandit, "reward_radius")  # floats, as `in_floats` says
    found = optimistic_values(data.transitions, radii, upper, data.sizes, data.discount)
    value = value_of_float(float(found.values[np.ravel_multi_index(bandit.start(), bandit.sizes)]))
    count, width = found.values.size, max(bandit.sizes)
    classes = class_error(count, width) + count * (class_error(1, width) + 4 * width * UNIT)
    scale = abs(value) if upper.min() >= 0 else value_of_float(float(np.abs(upper).max())) / (1 - bandit.discount)
    return Enclosure(value - 2 * value_of_float(classes) * scale, value + value_of_float(found.gap))


def _by_vertices(bandit: Bandit, order: Order) -> fmpq:
    """Return the optimum of the process in which every vertex of every ball is an action of its own."""
    rows = {
        (a, x): vertices(bandit.arms[a].transitions[x], bandit.arms[a].transition_radius[x])
        for a, x in bandit.arm_states
    }
    asked = order(bandit)
    play = None if asked is None else priority_policy(bandit, asked)

    def actions(state: GlobalState) -> list[Action[GlobalState, tuple[int, int]]]:
        return [
            Action(
                (a, number),
                upper_reward(bandit, a, state[a]),
                [moved(state, a, y) for y in range(bandit.arms[a].size)],
                row,
            )
            for a in (range(len(bandit.arms)) if play is None else (play(state),))
            for number, row in enumerate(rows[a, state[a]])
        ]

    states = global_states(bandit, "leave the vertices out")
    return DecisionProcess(states, bandit.discount, actions).solve().values[bandit.start()]


def _question(name: str, order: Order, *others: Route) -> Question:
    def enclosed(model: EnclosedBandit, bandit: Bandit) -> Sequence[Enclosure]:
        return [enclosed_optimistic_value(model, order(bandit)).value]

    exact = only(lambda bandit: optimistic_value(bandit, order(bandit)).value)
    by_vertices = only(lambda bandit: _by_vertices(bandit, order))
    routes = (
        Route("theory", exact, product=16, takes=has_radii),
        Route("vertices as actions", by_vertices, 5, product=16, takes=has_radii),
        Route("enclosed numbers", lambda bandit: enclosed(EnclosedBandit.of(bandit), bandit), 40, 12, has_radii),
        *enclosed_routes(enclosed, ((40, 12),) * 3, has_radii),
        *others,
    )
    return Question(name, routes, labels=lambda _: ["optimistic value from the initial state"])


def _kernel_takes(bandit: Bandit) -> bool:
    return has_radii(bandit) and in_floats(bandit)


_KERNEL = Route("kernel optimistic_values", only(optimistic_range), product=16, takes=_kernel_takes)
OPTIMISTIC_VALUE = _question("optimistic value", optimal, _KERNEL)
OPTIMISTIC_VALUE_OF_AN_ORDER = _question("optimistic value of an order", some_order)
