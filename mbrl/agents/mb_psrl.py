"""MB-PSRL: play the Gittins policy of a bandit drawn from the posterior, arm by arm (`sssec:impl_gittinsPS`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.agents.priors import Rewards, Second, checked_prior
from mbrl.agents.statistics import ArmStatistics, NextState
from mbrl.kernels.clock import now
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import Outcome, Schedule, play_indices_and_value
from mbrl.kernels.gittins import eliminate_by_ratio
from mbrl.kernels.play import World, new_track
from mbrl.kernels.sampling import Prior, draw_mean, draw_row
from mbrl.policies import IndexPolicy

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class MBPSRL:
    """Posterior sampling with independent priors of arm states.

    Parameters
    ----------
    problem
        What is known beforehand.
    rewards, dirichlet, successes, failures, mean, weight, shape, rate, gamma
        The prior; see `mbrl.agents.priors.checked_prior`.
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
        gamma: Second = "rate",
        next_state: NextState = "observed",
    ) -> None:
        self._problem = problem
        self._prior = checked_prior(problem, rewards, dirichlet, successes, failures, mean, weight, shape, rate, gamma)
        self._seen = ArmStatistics(problem, next_state)

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Draw a bandit from the posterior and return its Gittins policy."""
        sizes = self._problem.sizes
        indices = np.full(self._seen.sums.shape, -np.inf)
        sampled_indices(rng, self._seen.counts, sizes, self._problem.discount, self._prior, indices)
        return IndexPolicy(indices, sizes)

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
        seen, indices = self._seen, np.full(world.rewards.shape, -np.inf)
        posterior_episodes(
            world, schedule, planning, playing, seen.counts, self._prior, seen.restarted, indices, outcome
        )
        seen.played_all(schedule)


@kernel
def sampled_indices(
    rng: np.random.Generator, counts: Counts, sizes: Integers, discount: float, prior: Prior, indices: Floats
) -> None:
    """Draw a bandit from the posterior, one arm after another, and write its indices.

    Of every arm state the row is drawn first, then the mean reward.

    Parameters
    ----------
    rng
        Advanced by the draw.
    counts
        What was seen.
    sizes : (n,) int64
    discount
    prior
    indices : (n, S)
        Entries beyond an arm's size are left as they are.
    """
    width = indices.shape[1]
    work, means, states = np.empty((width + 4, width)), np.empty(width), np.empty(width, np.int64)
    for a in range(sizes.size):
        size = sizes[a]
        for x in range(size):
            visits = draw_row(rng, counts.moves[a, x, :size], prior, work[x, :size])
            means[x] = draw_mean(rng, visits, counts.sums[a, x], counts.squares[a, x], prior)
        eliminate_by_ratio(work, means[:size], discount, states, indices[a, :size])


@kernel
def posterior_episodes(
    world: World,
    schedule: Schedule,
    planning: np.random.Generator,
    playing: np.random.Generator,
    counts: Counts,
    prior: Prior,
    restarted: bool,
    indices: Floats,
    outcome: Outcome,
) -> None:
    """Plan, play and learn for all episodes of `schedule`; `indices` is room for those of one, -inf beyond arms."""
    track = new_track(schedule.lengths.max())
    for k in range(schedule.lengths.size):
        began = now()
        sampled_indices(planning, counts, world.sizes, world.discount, prior, indices)
        planned = now()
        play_indices_and_value(world, schedule, k, playing, indices, False, track, outcome)
        played = now()
        count_arm_states(track, schedule.lengths[k], schedule.starts[schedule.first[k]], restarted, counts)
        outcome.seconds[k] = (planned - began) + (now() - played)
