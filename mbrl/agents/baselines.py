"""Two ends of the scale: one who knows the model, and one who does not look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.environments.environment import Environment
from mbrl.kernels.clock import now
from mbrl.kernels.compiling import kernel
from mbrl.kernels.episodes import Outcome, Schedule, play_indices_and_value
from mbrl.kernels.play import World, new_track
from mbrl.policies import IndexPolicy

Floats = NDArray[np.float64]


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

    def play_episodes(
        self,
        world: World,
        schedule: Schedule,
        planning: np.random.Generator,
        playing: np.random.Generator,
        outcome: Outcome,
    ) -> None:
        """Play episode after episode; see `mbrl.agents.interface`."""
        unlearning_episodes(world, schedule, planning, playing, self._policy.indices.copy(), False, outcome)


class Uniform:
    """Plays, in each episode, a priority order drawn uniformly from all."""

    anytime = True

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Draw a priority order."""
        shape = (self._problem.arms, self._problem.width)
        return IndexPolicy(rng.random(shape), self._problem.sizes)

    def observe(self, trajectory: Trajectory) -> None:
        """Ignore what happened."""

    def play_episodes(
        self,
        world: World,
        schedule: Schedule,
        planning: np.random.Generator,
        playing: np.random.Generator,
        outcome: Outcome,
    ) -> None:
        """Play episode after episode; see `mbrl.agents.interface`."""
        unlearning_episodes(world, schedule, planning, playing, np.empty(world.rewards.shape), True, outcome)


@kernel
def unlearning_episodes(
    world: World,
    schedule: Schedule,
    planning: np.random.Generator,
    playing: np.random.Generator,
    indices: Floats,
    drawn: bool,
    outcome: Outcome,
) -> None:
    """Play all episodes of `schedule` by `indices`, or by ones that are drawn anew for each."""
    track = new_track(schedule.lengths.max())
    for k in range(schedule.lengths.size):
        began = now()
        if drawn:
            for a in range(indices.shape[0]):
                for x in range(indices.shape[1]):
                    indices[a, x] = planning.random()
        outcome.seconds[k] = now() - began
        play_indices_and_value(world, schedule, k, playing, indices, False, track, outcome)
