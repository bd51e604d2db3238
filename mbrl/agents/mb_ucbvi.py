"""MB-UCBVI: play the Gittins policy of the estimated bandit with a bonus on its rewards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner, check_option
from mbrl.agents.statistics import UNSEEN_ROWS, NextState, UnseenRows, counts_of_arms, estimate_row
from mbrl.confidence import Radii, appendix_step, value_bonus
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.gittins import eliminate_by_ratio
from mbrl.kernels.play import Track
from mbrl.policies import Ties

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Bonus(NamedTuple):
    r"""Counts of arm states, what the bonus is computed from, and the last indices.

    Attributes
    ----------
    counts : Counts
    arm_states, episodes : int
        S n and K.
    appendix : bool
        Whether :math:`\tau_k` of the appendix stands in place of :math:`t_k`.
    unseen_reward : float
        Of what was never played.
    unseen_rows : int
        Place in `mbrl.agents.statistics.UNSEEN_ROWS`.
    indices : (n, S)
        -inf beyond arms.
    last_first : bool
        Whether of equal indices the last arm is played.
    """

    counts: Counts
    arm_states: int
    episodes: int
    appendix: bool
    unseen_reward: float
    unseen_rows: int
    indices: Floats
    last_first: bool


class MBUCBVI(Learner):
    r"""Optimism by a bonus on the mean reward of each arm state.

    Parameters
    ----------
    problem
        What is known beforehand.
    radii
        ``text``: the bonus of the main text, with :math:`t_k`; ``appendix``: of its Lemma `concentration`, with
        :math:`\tau_k`.
    unseen_reward, unseen_rows, next_state
        See `mbrl.agents.statistics`; the reward is from 0 to 1.
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
        memory = Bonus(
            counts_of_arms(problem, next_state),
            problem.arm_states,
            problem.episodes,
            radii == "appendix",
            check_option("unseen_reward", unseen_reward, most=1.0, open_below=False),
            UNSEEN_ROWS.index(unseen_rows),
            np.full((problem.arms, problem.width), -np.inf),
            ties == "last",
        )
        super().__init__(problem, memory)


@planned_by(Bonus)
@kernel
def optimistic_indices(bonus: Bonus, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Write the indices of the estimated arms with the bonus on their rewards."""
    counts, indices = bonus.counts, bonus.indices
    width = indices.shape[1]
    work, rewards, states = np.empty((width + 4, width)), np.empty(width), np.empty(width, np.int64)
    step, episode = counts.coming
    time = appendix_step(bonus.episodes, episode, discount) if bonus.appendix else float(step)
    for a in range(sizes.size):
        size = sizes[a]
        for x in range(size):
            visits = estimate_row(counts.moves[a, x], size, x, bonus.unseen_rows, work[x])
            mean = counts.sums[a, x] / visits if visits > 0.0 else bonus.unseen_reward
            rewards[x] = mean + value_bonus(visits, bonus.arm_states, bonus.episodes, time, discount)
        eliminate_by_ratio(work, rewards[:size], discount, states, indices[a, :size])


@learnt_by(Bonus)
@kernel
def count_episode(bonus: Bonus, sizes: Integers, discount: float, start: Integers, length: int, track: Track) -> None:
    """Count an episode."""
    count_arm_states(bonus.counts, sizes, start, length, track)
