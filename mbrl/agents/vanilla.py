"""PSRL, UCRL2 and UCBVI on the global process: states are global states, and that only one arm moves is not known.

Their statistics are those of all S^n n pairs of a global state and an arm, each with S^n possible next states.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.agents.priors import Rewards, Second, checked_prior
from mbrl.agents.statistics import GlobalStatistics, NextState, estimate
from mbrl.confidence import reward_radius, transition_radius, value_bonus
from mbrl.kernels.clock import now
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_global_states
from mbrl.kernels.decision import solve_decision_process
from mbrl.kernels.episodes import Outcome, Schedule, no_table_yet, play_table_and_value
from mbrl.kernels.play import World, new_track
from mbrl.kernels.sampling import Prior, draw_mean, draw_row
from mbrl.policies import TablePolicy

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_SAMPLING, _RADII, _BONUS = 0, 1, 2


class Process(NamedTuple):
    """The process that is solved, and its last solution, from which the next one starts.

    Attributes
    ----------
    laws : (G, n, G), radii, rewards : (G, n)
        Next-state laws, their radii, and mean rewards of all pairs.
    values : (G,)
    table : (G,) int64
    """

    laws: Floats
    radii: Floats
    rewards: Floats
    values: Floats
    table: Integers


class _GlobalLearner:
    """Statistics of the global process, and policy iteration that starts where the last episode ended."""

    kind = _SAMPLING

    def __init__(self, problem: Problem, prior: Prior, next_state: NextState) -> None:
        self._problem = problem
        self._prior = prior
        self._seen = GlobalStatistics(problem, next_state)
        laws, pairs = self._seen.moves.shape, self._seen.sums.shape
        self._process = Process(
            np.empty(laws), np.zeros(pairs), np.empty(pairs), np.zeros(laws[0]), np.zeros(laws[0], dtype=np.int64)
        )

    def plan(self, rng: np.random.Generator) -> TablePolicy:
        """Return an optimal policy of the process that is drawn, or of the most optimistic one."""
        problem, seen = self._problem, self._seen
        plan_process(
            rng, seen.counts, problem.discount, self.kind, self._prior, problem.episodes, seen.step, self._process
        )
        return TablePolicy(self._process.table.copy())

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
        seen = self._seen
        global_episodes(
            world,
            schedule,
            planning,
            playing,
            seen.counts,
            self.kind,
            self._prior,
            self._problem.episodes,
            seen.step,
            seen.restarted,
            self._process,
            outcome,
        )
        seen.played_all(schedule)


class PSRL(_GlobalLearner):
    """Posterior sampling (Osband, Russo and Van Roy, 2013) with independent priors of all pairs.

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
        prior = checked_prior(problem, rewards, dirichlet, successes, failures, mean, weight, shape, rate, gamma)
        super().__init__(problem, prior, next_state)


class UCRL2(_GlobalLearner):
    """Optimism over rewards and transitions (Auer, Jaksch and Ortner, 2010), with radii for all pairs.

    Parameters
    ----------
    problem
        What is known beforehand.
    next_state
        See `mbrl.agents.statistics`.
    """

    kind = _RADII

    def __init__(self, problem: Problem, *, next_state: NextState = "observed") -> None:
        super().__init__(problem, Prior(), next_state)


class UCBVI(_GlobalLearner):
    """Optimism by a bonus on rewards (Azar, Osband and Munos, 2017), in the paper's form, for all pairs.

    Parameters
    ----------
    problem
        What is known beforehand.
    next_state
        See `mbrl.agents.statistics`.
    """

    kind = _BONUS

    def __init__(self, problem: Problem, *, next_state: NextState = "observed") -> None:
        super().__init__(problem, Prior(), next_state)


@kernel
def plan_process(
    rng: np.random.Generator,
    counts: Counts,
    discount: float,
    kind: int,
    prior: Prior,
    episodes: int,
    step: int,
    process: Process,
) -> None:
    """Make the process that the learner believes in, and solve it.

    Parameters
    ----------
    rng
        Advanced where the process is drawn: of every pair the row first, then the mean reward.
    counts
        What was seen.
    discount
    kind
        Whether the process is drawn from the posterior, or estimated, with radii or with a bonus.
    prior
        For posterior sampling.
    episodes, step
        K and :math:`t_k`.
    process
        The last one, and then the new one.
    """
    count, actions = counts.sums.shape
    pairs = count * actions
    if kind == _SAMPLING:
        for g in range(count):
            for a in range(actions):
                visits = draw_row(rng, counts.moves[g, a], prior, process.laws[g, a])
                process.rewards[g, a] = draw_mean(rng, visits, counts.sums[g, a], counts.squares[g, a], prior)
    else:
        seen = np.empty((count, actions))
        estimate(counts, np.full(count, count), 0.0, 0, seen, process.rewards, process.laws)
        for g in range(count):
            for a in range(actions):
                if kind == _RADII:
                    process.rewards[g, a] += reward_radius(seen[g, a], pairs, episodes, step)
                    process.radii[g, a] = transition_radius(seen[g, a], pairs, count, episodes, step)
                else:
                    process.rewards[g, a] += value_bonus(seen[g, a], pairs, episodes, step, discount)
    solve_decision_process(process.laws, process.radii, process.rewards, discount, process.values, process.table)


@kernel
def global_episodes(
    world: World,
    schedule: Schedule,
    planning: np.random.Generator,
    playing: np.random.Generator,
    counts: Counts,
    kind: int,
    prior: Prior,
    episodes: int,
    step: int,
    restarted: bool,
    process: Process,
    outcome: Outcome,
) -> None:
    """Plan, play and learn for all episodes of `schedule`."""
    last = no_table_yet(process.table.size, schedule.starts.shape[0])
    track = new_track(schedule.lengths.max())
    for k in range(schedule.lengths.size):
        began = now()
        plan_process(planning, counts, world.discount, kind, prior, episodes, step, process)
        planned = now()
        play_table_and_value(world, schedule, k, playing, process.table, last, track, outcome)
        played = now()
        start, length = schedule.starts[schedule.first[k]], schedule.lengths[k]
        count_global_states(track, length, start, world.sizes, restarted, counts)
        step += length
        outcome.seconds[k] = (planned - began) + (now() - played)
