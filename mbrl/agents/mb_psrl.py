"""MB-PSRL: play the Gittins policy of a bandit drawn from the posterior, arm by arm (`sssec:impl_gittinsPS`)."""

from __future__ import annotations

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.statistics import ArmStatistics
from mbrl.kernels.gittins import bandit_indices
from mbrl.kernels.sampling import beta_means, dirichlet_rows, gaussian_gamma_means
from mbrl.policies import IndexPolicy


class MBPSRL:
    """Posterior sampling with independent priors of arm states.

    Parameters
    ----------
    problem
        What is known beforehand.
    gaussian_rewards
        Whether rewards are believed to be Gaussian (Gaussian-Gamma prior) instead of Bernoulli (Beta prior).
    """

    def __init__(self, problem: Problem, *, gaussian_rewards: bool = False) -> None:
        self._problem = problem
        self._gaussian = gaussian_rewards
        self._seen = ArmStatistics(problem)
        self._support = None if problem.sizes.min() == problem.width else self._seen.support
        self.observe = self._seen.observe

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Draw a bandit from the posterior and return its Gittins policy."""
        seen = self._seen
        rows = dirichlet_rows(rng, seen.moves, self._support)
        if self._gaussian:
            rewards = gaussian_gamma_means(rng, seen.visits, seen.sums, seen.squares)
        else:
            rewards = beta_means(rng, seen.visits, seen.sums)
        indices = bandit_indices(rows, rewards, self._problem.sizes, self._problem.discount)
        return IndexPolicy.from_indices(indices, self._problem.sizes)
