"""MB-UCBVI: play the Gittins policy of the estimated bandit with a bonus on its rewards."""

from __future__ import annotations

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.statistics import ArmStatistics
from mbrl.confidence import value_bonus
from mbrl.kernels.gittins import bandit_indices
from mbrl.policies import IndexPolicy


class MBUCBVI:
    """Optimism by a bonus on the mean reward of each arm state."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._seen = ArmStatistics(problem)
        self.observe = self._seen.observe

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Return the Gittins policy of the estimates with the bonus."""
        problem, seen = self._problem, self._seen
        visits, rewards, rows = seen.estimates()
        bonus = value_bonus(visits, problem.arm_states, problem.episodes, seen.step, problem.discount)
        indices = bandit_indices(rows, rewards + bonus, problem.sizes, problem.discount)
        return IndexPolicy.from_indices(indices, problem.sizes)
