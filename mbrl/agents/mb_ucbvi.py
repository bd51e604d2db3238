"""MB-UCBVI: play the Gittins policy of the estimated bandit with a bonus on its rewards."""

from __future__ import annotations

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.statistics import ArmStatistics, NextState, UnseenRows
from mbrl.confidence import Radii, appendix_step, value_bonus
from mbrl.kernels.gittins import indices_of_arms
from mbrl.policies import IndexPolicy, Ties


class MBUCBVI:
    r"""Optimism by a bonus on the mean reward of each arm state.

    Parameters
    ----------
    problem
        What is known beforehand.
    radii
        ``text``: the bonus of the main text, with :math:`t_k`; ``appendix``: of its Lemma `concentration`, with
        :math:`\tau_k`.
    unseen_reward, unseen_rows, next_state
        See `mbrl.agents.statistics`.
    ties
        Which arm is played where indices are equal.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        radii: Radii = "text",
        unseen_reward: float = 0.0,
        unseen_rows: UnseenRows = "uniform",
        next_state: NextState = "observed",
        ties: Ties = "first",
    ) -> None:
        self._problem = problem
        self._seen = ArmStatistics(problem, next_state)
        self._radii = radii
        self._unseen = (unseen_reward, unseen_rows)
        self._ties = ties
        self.observe = self._seen.observe

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Return the Gittins policy of the estimates with the bonus."""
        problem, seen = self._problem, self._seen
        visits, rewards, rows = seen.estimates(*self._unseen)
        step = float(seen.step)
        if self._radii == "appendix":
            step = appendix_step(problem.episodes, seen.episode, problem.discount)
        bonus = value_bonus(visits, problem.arm_states, problem.episodes, step, problem.discount)
        indices = indices_of_arms(rows, rewards + bonus, problem.sizes, problem.discount)
        return IndexPolicy.from_indices(indices, problem.sizes, ties=self._ties)
