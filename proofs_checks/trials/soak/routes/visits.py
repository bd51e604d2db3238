"""Routes to how often a priority order plays each state."""

from __future__ import annotations

from flint import fmpq

from proofs_checks.trials.soak.comparison import Answer, Question, Route, point
from proofs_checks.trials.soak.routes.orders import some_order
from theory import ONE, ZERO, Bandit, priority_value
from theory.values import Activation, policy_table, priority_policy, product_process


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
