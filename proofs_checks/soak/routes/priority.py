"""Routes to the value of a priority order, and to how often it plays each state."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from flint import fmpq

from mbrl.kernels import priority_table, priority_value_and_error, priority_visits
from mbrl.kernels.elimination import elimination_error
from mbrl.kernels.product import value_of_table
from proofs_checks.soak.comparison import Answer, Question, Route, point, within
from proofs_checks.soak.routes import storm
from proofs_checks.soak.routes.floats import exact_numbers, in_floats, padded, places, ranks
from proofs_checks.soak.routes.opinions import DIGITS, opinion, value_scale
from proofs_checks.soak.routes.wider import over_root, times_root, wider_numbers, wider_rows
from theory import ONE, ZERO, Bandit, Priority, priority_value, value_of_float
from theory.enclosures import EnclosedBandit, enclosed_value, mpmath_value
from theory.values import Activation, policy_table, policy_value, priority_policy, product_process


def some_order(bandit: Bandit) -> Priority:
    """Return an order of the states that has nothing to do with their numbers, the same for the same shape."""
    return tuple(sorted(bandit.arm_states, key=lambda state: sha256(repr(state).encode()).digest()))


def _of(value: Callable[[Bandit], fmpq]) -> Callable[[Bandit], Answer]:
    return lambda bandit: [point(value(bandit))]


def _from_visits(bandit: Bandit) -> fmpq:
    visits = priority_value(bandit, some_order(bandit)).visits
    return sum((visits[a][x] * bandit.arms[a].rewards[x] for a, x in bandit.arm_states), ZERO)


def _linear_system(bandit: Bandit) -> fmpq:
    return policy_value(bandit, priority_policy(bandit, some_order(bandit)))[bandit.start()]


def _enclosed(made: Callable[[Bandit], EnclosedBandit]) -> Callable[[Bandit], Answer]:
    return lambda bandit: [enclosed_value(made(bandit), some_order(bandit))]


def _times_root(bandit: Bandit) -> Answer:
    return [over_root(enclosed_value(times_root(bandit), some_order(bandit)))]


def _mpmath(bandit: Bandit) -> Answer:
    found = mpmath_value(EnclosedBandit.of(bandit), some_order(bandit), None, DIGITS)
    return [opinion(found, value_scale(bandit))]


def _kernel(bandit: Bandit) -> Answer:
    data = padded(bandit)
    order = places(some_order(bandit), data.rewards.shape[1])
    value, error = priority_value_and_error(*data[:3], bandit.start(), order, data.discount)
    return [within(value_of_float(value), value_of_float(error))]


def _kernel_of_table(bandit: Bandit) -> Answer:
    data = padded(bandit)
    start, table = ranks(bandit, some_order(bandit))
    value, error = value_of_table(*data[:3], start, priority_table(data.sizes, table), data.discount)
    return [within(value_of_float(value), value_of_float(error))]


VALUE_OF_AN_ORDER = Question(
    "value of an order",
    (
        Route("conservation laws", _of(lambda bandit: priority_value(bandit, some_order(bandit)).value)),
        Route("from the visits", _of(_from_visits), 20),
        Route("linear system", _of(_linear_system), product=64),
        Route("enclosed rewards and discount", _enclosed(wider_numbers), 16),
        Route("rewards times sqrt(2)", _times_root, 12),
        Route("enclosed rows", _enclosed(wider_rows), 6, product=12),
        Route("mpmath", _mpmath, product=16),
        Route("kernel priority_value", _kernel, takes=in_floats),
        Route("kernel table_value", _kernel_of_table, product=100, takes=in_floats),
        Route("Storm", _of(lambda bandit: storm.value(bandit, some_order(bandit))), product=40, takes=storm.takes),
    ),
    labels=lambda _: ["value from the initial state"],
)


def _visits(bandit: Bandit) -> Answer:
    return [point(count) for arm in priority_value(bandit, some_order(bandit)).visits for count in arm]


def _visits_of_systems(bandit: Bandit) -> Answer:
    """Return, for each state, the value of being paid 1 there and nothing elsewhere: one linear system each."""
    policy = priority_policy(bandit, some_order(bandit))
    start = bandit.start()

    def paid_in(place: tuple[int, int]) -> fmpq:
        def activation(a: int, x: int) -> Activation:
            return Activation(ONE if (a, x) == place else ZERO, bandit.arms[a].transitions[x])

        return product_process(bandit, activation).evaluate(policy_table(bandit, policy))[start]

    return [point(paid_in(place)) for place in bandit.arm_states]


def _kernel_visits(bandit: Bandit) -> Answer:
    data = padded(bandit)
    width = data.rewards.shape[1]
    order = places(some_order(bandit), width)
    found = priority_visits(data.transitions, data.sizes, bandit.start(), order, data.discount)
    counts = exact_numbers(found[tuple(zip(*bandit.arm_states, strict=True))])
    relative = value_of_float((len(bandit.arms) + 4) * elimination_error(width + 1))
    return [within(count, relative / (1 - relative) * count) for count in counts]


VISITS = Question(
    "visits under an order",
    (
        Route("conservation laws", _visits, 24),
        Route("linear systems", _visits_of_systems, product=24),
        Route("kernel priority_visits", _kernel_visits, 24, takes=in_floats),
    ),
    labels=lambda bandit: [f"discounted visits of {name}" for name in bandit.state_names],
)
