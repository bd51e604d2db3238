"""PSRL, UCRL2 and UCBVI on the global process: states are global states, and that only one arm moves is not known.

Their statistics are those of all S^n n pairs of a global state and an arm, each with S^n possible next states.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.agents.priors import Priors, Rewards
from mbrl.agents.statistics import GlobalStatistics, NextState
from mbrl.confidence import reward_radius, transition_radius, value_bonus
from mbrl.kernels.decision import solve_decision_process
from mbrl.policies import TablePolicy

Floats = NDArray[np.float64]


class _GlobalLearner:
    """Statistics of the global process, and policy iteration that starts where the last episode ended."""

    def __init__(self, problem: Problem, *, next_state: NextState = "observed") -> None:
        self._problem = problem
        self._seen = GlobalStatistics(problem, next_state)
        self._pairs = problem.global_states * problem.arms
        self._values = np.zeros(problem.global_states)
        self._table = np.zeros(problem.global_states, dtype=np.int64)
        self._no_radii = np.zeros((problem.global_states, problem.arms))

    def observe(self, trajectory: Trajectory) -> None:
        """Count an episode."""
        self._seen.observe(trajectory)

    def _optimal(self, rows: Floats, rewards: Floats, radii: Floats) -> TablePolicy:
        solve_decision_process(rows, radii, rewards, self._problem.discount, self._values, self._table)
        return TablePolicy(self._table.copy())


class PSRL(_GlobalLearner):
    """Posterior sampling (Osband, Russo and Van Roy, 2013) with independent priors of all pairs.

    Parameters
    ----------
    problem
        What is known beforehand.
    rewards, dirichlet, successes, failures, mean, weight, shape, rate
        The prior; see `mbrl.agents.priors.Priors`.
    next_state
        See `mbrl.agents.statistics`.
    """

    anytime = True

    def __init__(
        self,
        problem: Problem,
        *,
        rewards: Rewards = "beta",
        dirichlet: float = 1.0,
        successes: float = 1.0,
        failures: float = 1.0,
        mean: float = 0.0,
        weight: float = 1.0,
        shape: float = 0.5,
        rate: float = 0.5,
        next_state: NextState = "observed",
    ) -> None:
        super().__init__(problem, next_state=next_state)
        self._priors = Priors(rewards, dirichlet, successes, failures, mean, weight, shape, rate)
        self._priors.check(problem)

    def plan(self, rng: np.random.Generator) -> TablePolicy:
        """Draw a process from the posterior and return its optimal policy."""
        rows, rewards = self._priors.draw(rng, self._seen)
        return self._optimal(rows, rewards, self._no_radii)


class UCRL2(_GlobalLearner):
    """Optimism over rewards and transitions (Auer, Jaksch and Ortner, 2010), with radii for all pairs."""

    def plan(self, rng: np.random.Generator) -> TablePolicy:
        """Return an optimal policy of the extended process."""
        problem, step = self._problem, self._seen.step
        visits, rewards, rows = self._seen.estimates()
        upper = rewards + reward_radius(visits, self._pairs, problem.episodes, step)
        radii = transition_radius(visits, self._pairs, problem.global_states, problem.episodes, step)
        return self._optimal(rows, upper, radii)


class UCBVI(_GlobalLearner):
    """Optimism by a bonus on rewards (Azar, Osband and Munos, 2017), in the paper's form, for all pairs."""

    def plan(self, rng: np.random.Generator) -> TablePolicy:
        """Return an optimal policy of the estimates with the bonus."""
        problem = self._problem
        visits, rewards, rows = self._seen.estimates()
        bonus = value_bonus(visits, self._pairs, problem.episodes, self._seen.step, problem.discount)
        return self._optimal(rows, rewards + bonus, self._no_radii)
