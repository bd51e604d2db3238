"""Routes to the optimal value from the initial state."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq

from mbrl.kernels import priority_value_and_error
from proofs_checks.soak.comparison import Answer, Question, Route, point, within
from proofs_checks.soak.routes import storm
from proofs_checks.soak.routes.floats import in_floats, optimistic_range, padded, places
from proofs_checks.soak.routes.opinions import DIGITS, opinion, value_scale
from proofs_checks.soak.routes.wider import over_root, times_root, wider_numbers, wider_rows
from theory import ZERO, Arm, Bandit, gittins_priority, gittins_value, optimistic_value, value_of_float
from theory.enclosures import EnclosedBandit, enclosed_value, mpmath_value
from theory.values import optimal_value, retirement_mixture, value_by_retirement


def _of(value: Callable[[Bandit], fmpq]) -> Callable[[Bandit], Answer]:
    return lambda bandit: [point(value(bandit))]


def _from_visits(bandit: Bandit) -> fmpq:
    visits = gittins_value(bandit).visits
    return sum((visits[a][x] * bandit.arms[a].rewards[x] for a, x in bandit.arm_states), ZERO)


def _mixture(bandit: Bandit) -> fmpq:
    start = bandit.start()
    return retirement_mixture(bandit, 0, start).values[start[0]]


def without_radii(bandit: Bandit) -> Bandit:
    """Return the bandit in the middle of the confidence set."""
    arms = [Arm(rewards=arm.rewards, transitions=arm.transitions, states=arm.states) for arm in bandit.arms]
    return Bandit(arms, bandit.discount, bandit.initial)


def _enclosed(made: Callable[[Bandit], EnclosedBandit]) -> Callable[[Bandit], Answer]:
    return lambda bandit: [enclosed_value(made(bandit))]


def _times_root(bandit: Bandit) -> Answer:
    return [over_root(enclosed_value(times_root(bandit)))]


def _mpmath(bandit: Bandit) -> Answer:
    return [opinion(mpmath_value(EnclosedBandit.of(bandit), None, None, DIGITS), value_scale(bandit))]


def _kernel(bandit: Bandit) -> Answer:
    """Return the value that floats give to the order that exact arithmetic has found."""
    data = padded(bandit)
    order = places(gittins_priority(bandit), data.rewards.shape[1])
    value, error = priority_value_and_error(*data[:3], bandit.start(), order, data.discount)
    return [within(value_of_float(value), value_of_float(error))]


def _kernel_with_radii_0(bandit: Bandit) -> Answer:
    return [optimistic_range(without_radii(bandit), bandit.start())]


OPTIMAL_VALUE = Question(
    "optimal value",
    (
        Route("conservation laws", _of(lambda bandit: gittins_value(bandit).value)),
        Route("from the visits", _of(_from_visits), 20),
        Route("retirement", _of(value_by_retirement), 16),
        Route("mixture of retirements", _of(_mixture), 10),
        Route("policy iteration", _of(lambda bandit: optimal_value(bandit).values[bandit.start()]), product=64),
        Route("extended, radii 0", _of(lambda bandit: optimistic_value(without_radii(bandit)).value), product=16),
        Route("enclosed rewards and discount", _enclosed(wider_numbers), 16),
        Route("rewards times sqrt(2)", _times_root, 12),
        Route("enclosed rows", _enclosed(wider_rows), 6, product=12),
        Route("mpmath", _mpmath, product=16),
        Route("kernel priority_value", _kernel, takes=in_floats),
        Route("kernel optimistic_values", _kernel_with_radii_0, product=100, takes=in_floats),
        Route("Storm", _of(storm.value), product=40, takes=storm.takes),
    ),
    labels=lambda _: ["value from the initial state"],
)
