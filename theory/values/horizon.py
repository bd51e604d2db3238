r"""Finite horizons: the undiscounted value W over a given number of steps (`eq:discounted_reward`).

:math:`W_{h:H}(x) = r^\pi(x) + \sum_y P^\pi(x,y) W_{h+1:H}(y)`, :math:`W_{H:H} = r^\pi`. It depends on h and H only
through the number of steps H-h+1. If H is geometric with parameter :math:`1-\beta`, :math:`V = E[W_{1:H}]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from theory.domain import check_counts
from theory.model import Bandit
from theory.rationals import ONE, ZERO
from theory.stopping import one_step
from theory.values.product import Policy, Values, policy_table, values_after


def finite_horizon_value(bandit: Bandit, policy: Policy, steps: int) -> Values:
    """Return the expected total, undiscounted reward of `steps` steps of `policy`, from every global state.

    Raise `ModelError` for a negative number of steps, or a global state in which the policy names no arm. Raise
    `TooLargeError` if the product of the arms is too large.

    Examples
    --------
    >>> from theory import paper_model
    >>> bandit = paper_model("counterexample-m1")
    >>> finite_horizon_value(bandit, lambda state: 0, 2)[0, 0]
    33/5
    """
    check_counts(0, steps=steps)
    *_, values = _values_by_steps(bandit, policy, steps)
    return values


def geometric_mixture(bandit: Bandit, policy: Policy, longest: int) -> tuple[Values, fmpq]:
    r"""Return the geometric mixture of finite-horizon values up to H = `longest`, and the probability left out.

    The mixture is :math:`\sum_{h \le H} (1-\beta)\beta^{h-1} W_{1:h}`, where :math:`W_{1:h}` is the undiscounted value
    of h steps, and the probability left out is :math:`\beta^H`. The discounted value differs from the mixture by what
    longer horizons add: at most :math:`\beta^H (H + 1/(1-\beta))` times the largest absolute reward.

    Raise `ModelError` for a negative `longest`, or a global state in which the policy names no arm. Raise
    `TooLargeError` if the product of the arms is too large.

    Examples
    --------
    >>> from theory import Arm
    >>> one = Bandit([Arm(rewards=[1], transitions=[[1]])], "1/2")
    >>> geometric_mixture(one, lambda state: 0, 2)  # 1/2 for one step, 1/4 for two
    ({(0,): 1}, 1/4)
    """
    check_counts(0, longest=longest)
    mixture, *later = _values_by_steps(bandit, policy, longest)
    mass = ONE
    for values in later:
        for state in mixture:
            mixture[state] += (1 - bandit.discount) * mass * values[state]
        mass *= bandit.discount
    return mixture, mass


def _values_by_steps(bandit: Bandit, policy: Policy, longest: int) -> Iterator[Values]:
    """Yield the values of 0, 1, ..., `longest` steps."""
    instead = (
        "a finite horizon needs the product; the discounted value (priority_value) does not, and a priority order is "
        "itself the plan"
    )
    table = policy_table(bandit, policy, instead)
    values: Values = dict.fromkeys(table, ZERO)
    yield values
    for _ in range(longest):
        values = {
            state: one_step(
                bandit.arms[a].transitions[state[a]],
                values_after(bandit, values, state, a),
                ONE,
                bandit.arms[a].rewards[state[a]],
            )
            for state, a in table.items()
        }
        yield values
