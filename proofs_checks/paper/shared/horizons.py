"""The values of a policy after some steps, and over a geometric number of steps, exactly."""

from __future__ import annotations

from collections.abc import Mapping

from flint import fmpq

from theory import Bandit, GlobalState, expectation, policy_value
from theory.values import Values, finite_horizon_value, geometric_mixture, values_after


def values_later(
    bandit: Bandit, policy: Mapping[GlobalState, int], values: Mapping[GlobalState, fmpq], steps: int = 1
) -> Values:
    """Return, for each initial state, the mean of `values` at the state after `steps` steps."""
    later = dict(values)
    for _ in range(steps):
        later = {
            state: expectation(bandit.arms[a].transitions[state[a]], values_after(bandit, later, state, a))
            for state, a in policy.items()
        }
    return later


def mean_of_totals(bandit: Bandit, policy: Mapping[GlobalState, int], steps: int, more: int = 0) -> Values:
    """Return E[W_{1:H}] for a geometric H: horizons up to `steps` one by one, longer ones as W and then V.

    The rest of a geometric horizon is geometric again. If `more` is not 0, V is taken so many steps too late.
    """
    mixture, mass = geometric_mixture(bandit, policy, steps)
    total = finite_horizon_value(bandit, policy, steps)
    later = values_later(bandit, policy, policy_value(bandit, policy), steps + more)
    return {state: mixture[state] + mass * (total[state] + later[state]) for state in policy}
