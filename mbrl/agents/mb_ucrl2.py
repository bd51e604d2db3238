"""MB-UCRL2: play a policy that is optimal for the most optimistic bandit of the confidence set (`eq:EVI`).

The optimum is over a next-state law per *global* state: extended value iteration on the product of the arms, an upper
bound on the supremum over the set's bandits. Optimistic rewards are cut off at 1 only if asked for, as is the set.
"""

from __future__ import annotations

from math import inf

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.statistics import ArmStatistics, NextState
from mbrl.confidence import Radii, appendix_step, appendix_transition_radius, reward_radius, transition_radius
from mbrl.kernels.arguments import product_size, product_text
from mbrl.kernels.extended import solve_extended
from mbrl.policies import TablePolicy
from theory import TooLargeError

LARGEST_PRODUCT = 2048
"""Global states up to which a plan takes seconds at most; its linear systems are dense."""


class MBUCRL2:
    r"""Optimism over rewards and transitions of arm states.

    Parameters
    ----------
    problem
        What is known beforehand.
    radii
        ``text``: the radii of the main text, with :math:`t_k`; ``appendix``: of its Lemma `concentration`, with
        :math:`\tau_k`.
    largest_reward
        Optimistic mean rewards are cut off there; by default nowhere.
    unseen_reward, next_state
        See `mbrl.agents.statistics`.

    Attributes
    ----------
    values : (G,) float64
        Optimistic value of every global state in the last plan; none is too small by more than `gap`.
    gap : float

    Raises
    ------
    TooLargeError
        If the product of the arms is too large.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        radii: Radii = "text",
        largest_reward: float = inf,
        unseen_reward: float = 0.0,
        next_state: NextState = "observed",
    ) -> None:
        if product_size(problem.sizes, LARGEST_PRODUCT) is None:
            raise TooLargeError(
                f"mb-ucrl2 solves the product of the arms: {product_text(problem.sizes)} global states are beyond "
                f"{LARGEST_PRODUCT}; use mb-psrl or mb-ucbvi"
            )
        self._problem = problem
        self._seen = ArmStatistics(problem, next_state)
        self._radii = radii
        self._largest = largest_reward
        self._unseen_reward = unseen_reward
        self._table = np.zeros(problem.global_states, dtype=np.int64)
        self._rows = np.zeros((problem.global_states, problem.width))
        self.values = np.zeros(problem.global_states)
        self.gap = 0.0
        self.observe = self._seen.observe

    def plan(self, rng: np.random.Generator) -> TablePolicy:
        """Return a policy that attains the optimistic values."""
        problem, seen = self._problem, self._seen
        visits, rewards, rows = seen.estimates(self._unseen_reward)
        pairs, episodes = problem.arm_states, problem.episodes
        if self._radii == "appendix":
            step = appendix_step(episodes, seen.episode, problem.discount)
            radii = appendix_transition_radius(visits, pairs, problem.width, episodes, step)
        else:
            step = seen.step
            radii = transition_radius(visits, pairs, problem.width, episodes, step)
        upper = np.minimum(rewards + reward_radius(visits, pairs, episodes, step), self._largest)
        self.gap, _ = solve_extended(
            rows, radii, upper, problem.sizes, problem.discount, self.values, self._table, self._rows
        )
        return TablePolicy(self._table.copy())
