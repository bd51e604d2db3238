"""Routes to the value of extended value iteration, over all policies or for a priority order."""

from __future__ import annotations

from collections.abc import Callable

from proofs_checks.trials.soak.comparison import Answer, Question, Route, point
from proofs_checks.trials.soak.routes.floats import in_floats, optimistic_range
from proofs_checks.trials.soak.routes.values import Order, optimal, some_order
from proofs_checks.trials.soak.routes.wider import enclosed_routes
from theory import Action, Bandit, DecisionProcess, GlobalState, optimistic_value
from theory.enclosures import EnclosedBandit, enclosed_optimistic_value
from theory.optimism import upper_reward, vertices
from theory.values import global_states, moved, priority_policy


def has_radii(bandit: Bandit) -> bool:
    """Return whether some arm has radii."""
    return any(arm.has_radii for arm in bandit.arms)


def _by_vertices(order: Order) -> Callable[[Bandit], Answer]:
    """Return a route: the optimum of the process in which every vertex of every ball is an action of its own."""

    def answer(bandit: Bandit) -> Answer:
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
        return [point(DecisionProcess(states, bandit.discount, actions).solve().values[bandit.start()])]

    return answer


def _kernel(bandit: Bandit) -> Answer:
    return [optimistic_range(bandit, bandit.start())]


def _kernel_takes(bandit: Bandit) -> bool:
    return has_radii(bandit) and in_floats(bandit)


def _routes(order: Order) -> tuple[Route, ...]:
    def exact(bandit: Bandit) -> Answer:
        return [point(optimistic_value(bandit, order(bandit)).value)]

    def enclosed(model: EnclosedBandit, bandit: Bandit) -> Answer:
        return [enclosed_optimistic_value(model, order(bandit)).value]

    return (
        Route("theory", exact, product=16, takes=has_radii),
        Route("vertices as actions", _by_vertices(order), 5, product=16, takes=has_radii),
        Route("enclosed numbers", lambda bandit: enclosed(EnclosedBandit.of(bandit), bandit), 40, 12, has_radii),
        *enclosed_routes(enclosed, ((40, 12),) * 3, has_radii),
    )


OPTIMISTIC_VALUE = Question(
    "optimistic value",
    (*_routes(optimal), Route("kernel optimistic_values", _kernel, product=16, takes=_kernel_takes)),
    labels=lambda _: ["optimistic value from the initial state"],
)

OPTIMISTIC_VALUE_OF_AN_ORDER = Question(
    "optimistic value of an order",
    _routes(some_order),
    labels=lambda _: ["optimistic value from the initial state"],
)
