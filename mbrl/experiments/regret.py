"""The regret of an episode: its expectation, computed, or an unbiased sample of it."""

from __future__ import annotations

import numpy as np
from flint import fmpq

from mbrl.agents.interface import Trajectory
from mbrl.arrays import Floats, Integers
from mbrl.environments import Environment
from mbrl.policies import IndexPolicy, Policy
from theory import Bandit, gittins_value, nearest_float, policy_value, priority_value

TOLERANCE = 1e-9
CERTAIN = 1e-6
"""Error bound up to which regrets are computed in floats; with a larger bound they are computed exactly."""
LARGEST_FLOAT = 1e6
"""Largest reward for which regrets are computed in floats without an error bound."""
_LARGEST_ARM, _LARGEST_TABLE = 64, 256
_LARGEST_CACHE = 50_000  # equivalent: it bounds memory


class RegretMeter:
    r"""Computes regrets :math:`V^*(x_0) - V^{\pi}(x_0)`, in the model's own unit, and remembers those of past policies.

    Parameters
    ----------
    environment
        The true model.

    Attributes
    ----------
    error : float
        Bound on the error of all regrets that `regret` has returned.
    in_floats : bool
        Whether regrets are computed in floats without an error bound, because no reward is large.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._optimal: dict[int, float] = {}
        self._known: dict[tuple[int, bytes], float] = {}
        self.error = 0.0
        self.in_floats = environment.largest_reward <= LARGEST_FLOAT

    def optimal(self, start: int) -> float:
        """Return the optimal value from the initial state numbered `start`."""
        if start not in self._optimal:
            self._optimal[start] = self._environment.optimal_value(self._environment.starts[start])
        return self._optimal[start]

    def regret(self, policy: Policy, start: int) -> float:
        """Return the expected regret of playing `policy` from the initial state numbered `start`.

        Raises
        ------
        ArithmeticError
            As for `regrets`.
        """
        key = (start, policy.key)
        found = self._known.get(key)
        if found is None:
            value, error = self._environment.value_and_error(policy, self._environment.starts[start])
            if not self.in_floats:
                error += self._environment.value_and_error(
                    self._environment.optimal_policy, self._environment.starts[start]
                )[1]
            exact = None if self.in_floats or error <= CERTAIN else self.exact(policy, start)
            if exact is None:
                found = float(self.regrets(np.array([value]), np.array([start])).item())
                self.error = max(self.error, error)
            else:
                found = nearest_float(exact[1] - exact[0])
            if len(self._known) >= _LARGEST_CACHE:  # equivalent: how many are kept changes no regret
                self._known.clear()
            self._known[key] = found
        return found

    def exact(self, policy: Policy, start: int) -> tuple[fmpq, fmpq] | None:
        """Return the exact values of `policy` and of the optimal one; None if that would take too long."""
        environment, first = self._environment, tuple(map(int, self._environment.starts[start]))
        environment.check_fits(policy)
        if environment.sizes.max() > _LARGEST_ARM or environment.sizes.sum() > _LARGEST_ARM**2:
            return None
        if not isinstance(policy, IndexPolicy) and policy.table.size > _LARGEST_TABLE:
            return None
        bandit: Bandit = environment.bandit
        if isinstance(policy, IndexPolicy):
            width = policy.indices.shape[1]
            value = priority_value(bandit, [divmod(int(state), width) for state in policy.order], first).value
        else:
            table = policy.table.reshape(bandit.sizes)
            value = policy_value(bandit, lambda state: int(table[state]))[first]
        return value, gittins_value(bandit, first).value

    def regrets(self, values: Floats, starts: Integers) -> Floats:
        """Return the (K,) expected regrets of policies with these (K,) values from these initial states.

        Raises
        ------
        ArithmeticError
            If a regret is below -1e-9 times what the largest reward in every step is worth, or a value below minus
            that worth; a value is then wrong.

        Examples
        --------
        >>> meter = RegretMeter(Environment("1 for ever", [[[1.0]]], [[[1.0]]], [1], 0.5, [[0], [0]], [0.5, 0.5]))
        >>> meter.regrets(np.array([2.0, 1.5, 2.0 + 1e-9]), np.array([0, 1, 0])).round(6) + 0.0
        array([0. , 0.5, 0. ])
        >>> meter.regrets(np.array([1.0, 2.5]), np.array([0, 1]))  # 2.5 exceeds the optimum, 2
        Traceback (most recent call last):
        ArithmeticError: a policy is better than the optimal one by 0.5 of 2.0 (1 for ever, initial state 1)
        """
        optimal = np.array([self.optimal(start) for start in range(len(self._environment.starts))])[starts]
        found: Floats = optimal - values
        most = self._environment.largest_reward / (1 - self._environment.discount)
        if not (found >= -TOLERANCE * most).all():
            k = int(np.argmin(found))
            raise ArithmeticError(
                f"a policy is better than the optimal one by {-found[k]} of {optimal[k]} "
                f"({self._environment.name}, initial state {starts[k]})"
            )
        if not (values >= -(1 + TOLERANCE) * most).all():
            raise ArithmeticError(f"a policy is worth {values.min():g}, less than {-most:g} ({self._environment.name})")
        return found


def collected(environment: Environment, trajectory: Trajectory) -> float:
    """Return the sum of the mean rewards of the arm states that were played."""
    return float(environment.rewards[trajectory.arms, trajectory.states].sum())
