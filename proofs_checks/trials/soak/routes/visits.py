"""Routes to how often a priority order plays each state."""

from __future__ import annotations

from flint import fmpq

from mbrl.kernels import priority_visits
from mbrl.kernels.elimination import elimination_error
from proofs_checks.trials.soak.comparison import Answer, Question, Route, point, within
from proofs_checks.trials.soak.routes.floats import exact_numbers, in_floats, padded, places
from proofs_checks.trials.soak.routes.orders import some_order
from theory import ONE, ZERO, Bandit, priority_value, value_of_float
from theory.values import Activation, policy_table, priority_policy, product_process


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
