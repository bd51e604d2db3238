"""Routes to the optimal value and the value of a priority order from the initial state, and to the order's visits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from flint import fmpq

from mbrl.kernels import priority_table, priority_value_and_error
from mbrl.kernels.product import value_of_table
from proofs_checks.trials.arrays import in_floats, padded
from proofs_checks.trials.soak.comparison import Answer, Question, Route, within
from proofs_checks.trials.soak.routes import storm
from proofs_checks.trials.soak.routes.optimism import optimistic_range
from proofs_checks.trials.soak.routes.shared import Order, enclosed_routes, only, optimal, some_order
from theory import ONE, ZERO, Bandit, gittins_priority, gittins_value, optimistic_value, priority_value
from theory.enclosures import Enclosure, enclosed_value
from theory.values import (
    Activation,
    PriorityValue,
    optimal_value,
    policy_table,
    policy_value,
    priority_policy,
    product_process,
    retirement_mixture,
    value_by_retirement,
)

# --- with or without an order


def _by_conservation(bandit: Bandit, order: Order) -> PriorityValue:
    asked = order(bandit)
    return gittins_value(bandit) if asked is None else priority_value(bandit, asked)


def _from_visits(bandit: Bandit, order: Order) -> fmpq:
    visits = _by_conservation(bandit, order).visits
    return sum((visits[a][x] * bandit.arms[a].rewards[x] for a, x in bandit.arm_states), ZERO)


def _kernel(bandit: Bandit, order: Order) -> Enclosure:
    """Return the kernel's value of the order or, without one, of the Gittins order that exact arithmetic found."""
    data, width = padded(bandit), max(bandit.sizes)
    places = [a * width + x for a, x in order(bandit) or gittins_priority(bandit)]
    return within(*priority_value_and_error(*data[:3], bandit.start(), places, data.discount))


def _question(name: str, order: Order, others: tuple[Route, ...], kernel: Route) -> Question:
    """Return a value with its routes: those for any order or none, and `others` and `kernel`, for one of the two."""
    routes = (
        Route("conservation laws", only(lambda bandit: _by_conservation(bandit, order).value)),
        Route("from the visits", only(lambda bandit: _from_visits(bandit, order)), 20),
        *others,
        *enclosed_routes(
            lambda enclosed, bandit: [enclosed_value(enclosed, order(bandit))], ((16, None), (12, None), (6, 12))
        ),
        Route("kernel priority_value", only(lambda bandit: _kernel(bandit, order)), takes=in_floats),
        kernel,
        Route("Storm", only(lambda bandit: storm.value(bandit, order(bandit))), product=40, takes=storm.takes),
    )
    return Question(name, routes, labels=lambda _: ["value from the initial state"])


# --- the optimal policy alone


def _mixture(bandit: Bandit) -> fmpq:
    start = bandit.start()
    return retirement_mixture(bandit, 0, start).values[start[0]]


def without_radii(bandit: Bandit) -> Bandit:
    """Return the bandit with all radii left out: the centre of the confidence set."""
    arms = [replace(arm, reward_radius=(), transition_radius=()) for arm in bandit.arms]
    return Bandit(arms, bandit.discount, bandit.initial)


OPTIMAL_VALUE = _question(
    "optimal value",
    optimal,
    (
        Route("retirement", only(value_by_retirement), 16),
        Route("mixture of retirements", only(_mixture), 10),
        Route("policy iteration", only(lambda bandit: optimal_value(bandit).values[bandit.start()]), product=64),
        Route("extended, radii 0", only(lambda bandit: optimistic_value(without_radii(bandit)).value), product=16),
    ),
    Route(
        "kernel optimistic_values",
        only(lambda bandit: optimistic_range(without_radii(bandit))),
        product=100,
        takes=in_floats,
    ),
)


# --- an order alone


def _linear_system(bandit: Bandit) -> fmpq:
    return policy_value(bandit, priority_policy(bandit, some_order(bandit)))[bandit.start()]


def _kernel_of_table(bandit: Bandit) -> Enclosure:
    data, order = padded(bandit), some_order(bandit)
    ranks = np.full(data.rewards.shape, len(order))
    ranks[tuple(zip(*order, strict=True))] = range(len(order))
    start, table = np.array(bandit.start()), priority_table(data.sizes, ranks)
    return within(*value_of_table(*data[:3], start, table, data.discount))


VALUE_OF_AN_ORDER = _question(
    "value of an order",
    some_order,
    (Route("linear system", only(_linear_system), product=64),),
    Route("kernel table_value", only(_kernel_of_table), product=100, takes=in_floats),
)


def _visits(bandit: Bandit) -> Answer:
    return [count for arm in priority_value(bandit, some_order(bandit)).visits for count in arm]


def _visits_of_systems(bandit: Bandit) -> Answer:
    """Return, for each state, the value of a reward of 1 there and 0 elsewhere, by one linear system per state."""
    policy = policy_table(bandit, priority_policy(bandit, some_order(bandit)))

    def paid_in(place: tuple[int, int]) -> fmpq:
        def activation(a: int, x: int) -> Activation:
            return Activation(ONE if (a, x) == place else ZERO, bandit.arms[a].transitions[x])

        return product_process(bandit, activation).evaluate(policy)[bandit.start()]

    return [paid_in(place) for place in bandit.arm_states]


VISITS = Question(
    "visits under an order",
    (
        Route("conservation laws", _visits, 24),
        Route("linear systems", _visits_of_systems, product=24),
    ),
    labels=lambda bandit: [f"discounted visits of {name}" for name in bandit.state_names],
)
