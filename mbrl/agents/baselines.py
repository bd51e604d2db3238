"""Two ends of the scale: one who knows the model, and one who does not look."""

from __future__ import annotations

import numpy as np

from mbrl.agents.interface import Problem, Trajectory
from mbrl.environments.environment import Environment
from mbrl.policies import IndexPolicy


class Oracle:
    """Plays the Gittins policy of the true model: its regret is 0."""

    anytime = True

    def __init__(self, environment: Environment) -> None:
        self._policy = environment.optimal_policy

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Return the optimal policy."""
        return self._policy

    def observe(self, trajectory: Trajectory) -> None:
        """Ignore what happened."""


class Uniform:
    """Plays, in each episode, a priority order drawn uniformly from all."""

    anytime = True

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Draw a priority order."""
        shape = (self._problem.arms, self._problem.width)
        return IndexPolicy.from_indices(rng.random(shape), self._problem.sizes)

    def observe(self, trajectory: Trajectory) -> None:
        """Ignore what happened."""
