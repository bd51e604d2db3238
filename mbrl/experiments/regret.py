"""The regret of an episode: its expectation by exact methods, or an unbiased sample of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Trajectory
from mbrl.environments import Environment
from mbrl.policies import Policy

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TOLERANCE = 1e-9
_LARGEST_CACHE = 50_000  # equivalent: it bounds memory


class RegretMeter:
    r"""Computes :math:`V^*(x_0) - V^{\pi}(x_0)` and remembers the policies it has seen.

    Parameters
    ----------
    environment
        The true model.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._optimal: dict[int, float] = {}
        self._known: dict[tuple[int, bytes], float] = {}

    def optimal(self, start: int) -> float:
        """Return the optimal value, in units, from the initial state numbered `start`."""
        if start not in self._optimal:
            self._optimal[start] = self._environment.optimal_value(self._environment.starts[start])
        return self._optimal[start]

    def regret(self, policy: Policy, start: int) -> float:
        """Return the expected regret, in units, of playing `policy` from the initial state numbered `start`.

        Raises
        ------
        ArithmeticError
            If it is below -1e-9 of the optimal value: then one of the two values is wrong.
        """
        key = (start, policy.key)
        found = self._known.get(key)
        if found is None:
            value = self._environment.value(policy, self._environment.starts[start])
            found = float(self.regrets(np.array([value]), np.array([start])).item())
            if len(self._known) >= _LARGEST_CACHE:  # equivalent: how many are kept changes no regret
                self._known.clear()
            self._known[key] = found
        return found

    def regrets(self, values: Floats, starts: Integers) -> Floats:
        """Return the (K,) expected regrets, in units, of policies with these values from these initial states.

        Raises
        ------
        ArithmeticError
            As `regret`.

        Examples
        --------
        >>> meter = RegretMeter(Environment("1 for ever", [[[1.0]]], [[[1.0]]], [1], 0.5, [[0], [0]], [0.5, 0.5]))
        >>> meter.regrets(np.array([2.0, 1.5, 2.0 + 1e-9]), np.array([0, 1, 0])).round(6) + 0.0
        array([0. , 0.5, 0. ])
        >>> meter.regrets(np.array([1.0, 2.5]), np.array([0, 1]))  # one among others
        Traceback (most recent call last):
        ArithmeticError: a policy is better than the optimal one by 0.5 of 2.0 (1 for ever, initial state 1)
        """
        optimal = np.array([self.optimal(start) for start in range(len(self._environment.starts))])[starts]
        found: Floats = optimal - values
        if not (found >= -TOLERANCE * optimal).all():
            k = int(np.argmin(found + TOLERANCE * optimal))
            raise ArithmeticError(
                f"a policy is better than the optimal one by {-found[k]} of {optimal[k]} "
                f"({self._environment.name}, initial state {starts[k]})"
            )
        return found


def collected(environment: Environment, trajectory: Trajectory) -> float:
    """Return the sum of the mean rewards, in units, of the arm states that were played."""
    return float(environment.rewards[trajectory.arms, trajectory.states].sum())
