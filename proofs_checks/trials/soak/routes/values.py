"""Routes to the optimal value and the value of a priority order from the initial state, and to the order's visits."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from flint import fmpq

from mbrl.kernels import priority_table, priority_value_and_error
from mbrl.kernels.product import value_of_table
from proofs_checks.trials.soak.comparison import Answer, Question, Route, point, within
from proofs_checks.trials.soak.routes import storm
from proofs_checks.trials.soak.routes.floats import in_floats, optimistic_range, padded, places, ranks
from proofs_checks.trials.soak.routes.wider import enclosed_routes
from theory import (
    ONE,
    ZERO,
    Arm,
    Bandit,
    Priority,
    gittins_priority,
    gittins_value,
    optimistic_value,
    priority_value,
    value_of_float,
)
from theory.enclosures import enclosed_value
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

Order = Callable[[Bandit], Priority | None]
"""Returns the priority order of a bandit that routes evaluate, or None for the optimal policy."""


def optimal(bandit: Bandit) -> None:
    """Return None, which stands for the optimal policy."""


def some_order(bandit: Bandit) -> Priority:
    """Return an order of the states that depends only on the bandit's sizes, not on its numbers."""
    return tuple(sorted(bandit.arm_states, key=lambda state: sha256(repr(state).encode()).digest()))


def _of(value: Callable[[Bandit], fmpq]) -> Callable[[Bandit], Answer]:
    return lambda bandit: [point(value(bandit))]


# --- with or without an order


def _by_conservation(bandit: Bandit, order: Order) -> PriorityValue:
    asked = order(bandit)
    return gittins_value(bandit) if asked is None else priority_value(bandit, asked)


def _from_visits(bandit: Bandit, order: Order) -> fmpq:
    visits = _by_conservation(bandit, order).visits
    return sum((visits[a][x] * bandit.arms[a].rewards[x] for a, x in bandit.arm_states), ZERO)


def _kernel(bandit: Bandit, order: Order) -> Answer:
    """Return the kernel's value of the order or, without one, of the Gittins order that exact arithmetic found."""
    data = padded(bandit)
    asked = places(order(bandit) or gittins_priority(bandit), data.rewards.shape[1])
    value, error = priority_value_and_error(*data[:3], bandit.start(), asked, data.discount)
    return [within(value_of_float(value), value_of_float(error))]


def _routes(order: Order, others: tuple[Route, ...], kernel: Route) -> tuple[Route, ...]:
    """Return all routes to a value: those for any order or none, and `others` and `kernel`, for just one of the two."""
    return (
        Route("conservation laws", _of(lambda bandit: _by_conservation(bandit, order).value)),
        Route("from the visits", _of(lambda bandit: _from_visits(bandit, order)), 20),
        *others,
        *enclosed_routes(
            lambda enclosed, bandit: [enclosed_value(enclosed, order(bandit))], ((16, None), (12, None), (6, 12))
        ),
        Route("kernel priority_value", lambda bandit: _kernel(bandit, order), takes=in_floats),
        kernel,
        Route("Storm", _of(lambda bandit: storm.value(bandit, order(bandit))), product=40, takes=storm.takes),
    )


# --- the optimal policy alone


def _mixture(bandit: Bandit) -> fmpq:
    start = bandit.start()
    return retirement_mixture(bandit, 0, start).values[start[0]]


def without_radii(bandit: Bandit) -> Bandit:
    """Return the bandit with all radii left out: the centre of the confidence set."""
    arms = [Arm(rewards=arm.rewards, transitions=arm.transitions, states=arm.states) for arm in bandit.arms]
    return Bandit(arms, bandit.discount, bandit.initial)


def _kernel_with_radii_0(bandit: Bandit) -> Answer:
    return [optimistic_range(without_radii(bandit), bandit.start())]


OPTIMAL_VALUE = Question(
    "optimal value",
    _routes(
        optimal,
        (
            Route("retirement", _of(value_by_retirement), 16),
            Route("mixture of retirements", _of(_mixture), 10),
            Route("policy iteration", _of(lambda bandit: optimal_value(bandit).values[bandit.start()]), product=64),
            Route("extended, radii 0", _of(lambda bandit: optimistic_value(without_radii(bandit)).value), product=16),
        ),
        Route("kernel optimistic_values", _kernel_with_radii_0, product=100, takes=in_floats),
    ),
    labels=lambda _: ["value from the initial state"],
)


# --- an order alone


def _linear_system(bandit: Bandit) -> fmpq:
    return policy_value(bandit, priority_policy(bandit, some_order(bandit)))[bandit.start()]


def _kernel_of_table(bandit: Bandit) -> Answer:
    data = padded(bandit)
    start, table = ranks(bandit, some_order(bandit))
    value, error = value_of_table(*data[:3], start, priority_table(data.sizes, table), data.discount)
    return [within(value_of_float(value), value_of_float(error))]


VALUE_OF_AN_ORDER = Question(
    "value of an order",
    _routes(
        some_order,
        (Route("linear system", _of(_linear_system), product=64),),
        Route("kernel table_value", _kernel_of_table, product=100, takes=in_floats),
    ),
    labels=lambda _: ["value from the initial state"],
)


def _visits(bandit: Bandit) -> Answer:
    return [point(count) for arm in priority_value(bandit, some_order(bandit)).visits for count in arm]


def _visits_of_systems(bandit: Bandit) -> Answer:
    """Return, for each state, the value of a reward of 1 there and 0 elsewhere, by one linear system per state."""
    policy = priority_policy(bandit, some_order(bandit))
    start = bandit.start()

    def paid_in(place: tuple[int, int]) -> fmpq:
        def activation(a: int, x: int) -> Activation:
            return Activation(ONE if (a, x) == place else ZERO, bandit.arms[a].transitions[x])

        return product_process(bandit, activation).evaluate(policy_table(bandit, policy))[start]

    return [point(paid_in(place)) for place in bandit.arm_states]


VISITS = Question(
    "visits under an order",
    (
        Route("conservation laws", _visits, 24),
        Route("linear systems", _visits_of_systems, product=24),
    ),
    labels=lambda bandit: [f"discounted visits of {name}" for name in bandit.state_names],
)
