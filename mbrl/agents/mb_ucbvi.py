"""MB-UCBVI: play the Gittins policy of the estimated bandit with a bonus on its rewards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.agents.statistics import UNSEEN_ROWS, ArmStatistics, NextState, UnseenRows, estimate_row
from mbrl.confidence import Radii, appendix_step, value_bonus
from mbrl.kernels.clock import now
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import Outcome, Schedule, play_indices_and_value
from mbrl.kernels.gittins import eliminate_by_ratio
from mbrl.kernels.play import World, new_track
from mbrl.policies import IndexPolicy, Ties

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Bonus(NamedTuple):
    r"""What the bonus is computed from, and what is assumed of what was never played.

    Attributes
    ----------
    arm_states, episodes : int
        S n and K.
    appendix : bool
        Whether :math:`\tau_k` of the appendix stands in place of :math:`t_k`.
    unseen_reward : float
    unseen_rows : int
        Place in `mbrl.agents.statistics.UNSEEN_ROWS`.
    """

    arm_states: int
    episodes: int
    appendix: bool
    unseen_reward: float
    unseen_rows: int


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
        self._bonus = Bonus(
            problem.arm_states,
            problem.episodes,
            radii == "appendix",
            float(unseen_reward),
            UNSEEN_ROWS.index(unseen_rows),
        )
        self._ties = ties

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Return the Gittins policy of the estimates with the bonus."""
        problem, seen = self._problem, self._seen
        indices = np.full(seen.sums.shape, -np.inf)
        optimistic_indices(seen.counts, problem.sizes, problem.discount, self._bonus, seen.step, seen.episode, indices)
        return IndexPolicy(indices, problem.sizes, self._ties)

    def observe(self, trajectory: Trajectory) -> None:
        """Count an episode."""
        self._seen.observe(trajectory)

    def play_episodes(
        self,
        world: World,
        schedule: Schedule,
        planning: np.random.Generator,
        playing: np.random.Generator,
        outcome: Outcome,
    ) -> None:
        """Plan, play and learn, episode after episode; see `mbrl.agents.interface`."""
        seen, last_first = self._seen, self._ties == "last"
        bonus_episodes(
            world,
            schedule,
            playing,
            seen.counts,
            self._bonus,
            last_first,
            seen.step,
            seen.episode,
            seen.restarted,
            np.full(world.rewards.shape, -np.inf),
            outcome,
        )
        seen.played_all(schedule)


@kernel
def optimistic_indices(
    counts: Counts, sizes: Integers, discount: float, bonus: Bonus, step: int, episode: int, indices: Floats
) -> None:
    """Write the indices of the estimated arms with the bonus on their rewards.

    Parameters
    ----------
    counts
        What was seen.
    sizes : (n,) int64
    discount
    bonus
    step, episode
        :math:`t_k` and k.
    indices : (n, S)
        Entries beyond an arm's size are left as they are.
    """
    width = indices.shape[1]
    work, rewards, states = np.empty((width + 4, width)), np.empty(width), np.empty(width, np.int64)
    time = appendix_step(bonus.episodes, episode, discount) if bonus.appendix else float(step)
    for a in range(sizes.size):
        size = sizes[a]
        for x in range(size):
            visits = estimate_row(counts.moves[a, x], size, x, bonus.unseen_rows, work[x])
            mean = counts.sums[a, x] / visits if visits > 0.0 else bonus.unseen_reward
            rewards[x] = mean + value_bonus(visits, bonus.arm_states, bonus.episodes, time, discount)
        eliminate_by_ratio(work, rewards[:size], discount, states, indices[a, :size])


@kernel
def bonus_episodes(
    world: World,
    schedule: Schedule,
    playing: np.random.Generator,
    counts: Counts,
    bonus: Bonus,
    last_first: bool,
    step: int,
    episode: int,
    restarted: bool,
    indices: Floats,
    outcome: Outcome,
) -> None:
    """Plan, play and learn for all episodes of `schedule`; `indices` is room for those of one, -inf beyond arms."""
    track = new_track(schedule.lengths.max())
    for k in range(schedule.lengths.size):
        began = now()
        optimistic_indices(counts, world.sizes, world.discount, bonus, step, episode + k, indices)
        planned = now()
        play_indices_and_value(world, schedule, k, playing, indices, last_first, track, outcome)
        played = now()
        count_arm_states(track, schedule.lengths[k], schedule.starts[schedule.first[k]], restarted, counts)
        step += schedule.lengths[k]
        outcome.seconds[k] = (planned - began) + (now() - played)
