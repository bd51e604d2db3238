"""MB-PSRL: play the Gittins policy of a bandit drawn from the posterior, arm by arm (`sssec:impl_gittinsPS`)."""

from __future__ import annotations

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.priors import Priors, Rewards
from mbrl.agents.statistics import ArmStatistics, NextState
from mbrl.kernels.gittins import indices_of_arms
from mbrl.policies import IndexPolicy


class MBPSRL:
    """Posterior sampling with independent priors of arm states.

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
        self._problem = problem
        self._priors = Priors(rewards, dirichlet, successes, failures, mean, weight, shape, rate)
        self._priors.check(problem)
        self._seen = ArmStatistics(problem, next_state)
        self._support = None if problem.sizes.min() == problem.width else self._seen.support
        self.observe = self._seen.observe

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Draw a bandit from the posterior and return its Gittins policy."""
        rows, rewards = self._priors.draw(rng, self._seen, self._support)
        indices = indices_of_arms(rows, rewards, self._problem.sizes, self._problem.discount)
        return IndexPolicy.from_indices(indices, self._problem.sizes)
