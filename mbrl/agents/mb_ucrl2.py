"""MB-UCRL2: play a policy that is optimal for the most optimistic bandit of the confidence set (`eq:EVI`).

The optimum is over a next-state law per *global* state: extended value iteration on the product of the arms, an upper
bound on the supremum over the set's bandits. Optimistic rewards are cut off at 1 only if asked for, as is the set.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.agents.statistics import ArmStatistics, NextState, estimate
from mbrl.confidence import Radii, appendix_step, appendix_transition_radius, reward_radius, transition_radius
from mbrl.kernels.arguments import product_size, product_text
from mbrl.kernels.clock import now
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import Outcome, Schedule, no_table_yet, play_table_and_value
from mbrl.kernels.extended import solve_extended
from mbrl.kernels.play import World, new_track
from mbrl.policies import TablePolicy
from theory import TooLargeError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST_PRODUCT = 2**20
"""Global states up to which a plan takes some seconds at most."""


class ArmRadii(NamedTuple):
    r"""What the confidence set is computed from, and what is assumed of what was never played.

    Attributes
    ----------
    arm_states, episodes : int
        S n and K.
    appendix : bool
        Whether the radii are those of the appendix, with :math:`\tau_k` in place of :math:`t_k`.
    largest_reward, unseen_reward : float
    """

    arm_states: int
    episodes: int
    appendix: bool
    largest_reward: float
    unseen_reward: float


class Plan(NamedTuple):
    """The last solution of the extended process, from which the next one starts.

    Attributes
    ----------
    values : (G,)
    table : (G,) int64
    rows : (G, S)
    """

    values: Floats
    table: Integers
    rows: Floats


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
        count = product_size(problem.sizes, LARGEST_PRODUCT)
        if count is None:
            raise TooLargeError(
                f"mb-ucrl2 solves the product of the arms: {product_text(problem.sizes)} global states are beyond "
                f"{LARGEST_PRODUCT}; use mb-psrl or mb-ucbvi"
            )
        self._problem = problem
        self._seen = ArmStatistics(problem, next_state)
        self._radii = ArmRadii(
            problem.arm_states, problem.episodes, radii == "appendix", float(largest_reward), float(unseen_reward)
        )
        self._plan = Plan(np.zeros(count), np.zeros(count, dtype=np.int64), np.zeros((count, problem.width)))
        self.values = self._plan.values
        self.gap = 0.0

    def plan(self, rng: np.random.Generator) -> TablePolicy:
        """Return a policy that attains the optimistic values."""
        problem, seen = self._problem, self._seen
        self.gap = optimistic_plan(
            seen.counts, problem.sizes, problem.discount, self._radii, seen.step, seen.episode, self._plan
        )
        return TablePolicy(self._plan.table.copy())

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
        self.gap = extended_episodes(
            world,
            schedule,
            playing,
            seen.counts,
            self._radii,
            seen.step,
            seen.episode,
            seen.restarted,
            self._plan,
            outcome,
        )
        seen.played_all(schedule)


@kernel
def optimistic_plan(
    counts: Counts, sizes: Integers, discount: float, radii: ArmRadii, step: int, episode: int, plan: Plan
) -> float:
    """Solve the extended process of the confidence set into `plan`, and return the gap of its values.

    Parameters
    ----------
    counts
        What was seen.
    sizes : (n,) int64
    discount
    radii
    step, episode
        :math:`t_k` and k.
    plan
        The last one, and then the new one.
    """
    shape, width = counts.sums.shape, counts.sums.shape[1]
    visits, upper, rows, of_rows = np.empty(shape), np.empty(shape), np.zeros(counts.moves.shape), np.empty(shape)
    estimate(counts, sizes, radii.unseen_reward, 0, visits, upper, rows)
    time = appendix_step(radii.episodes, episode, discount) if radii.appendix else float(step)
    for a in range(shape[0]):
        for x in range(shape[1]):
            seen = visits[a, x]
            upper[a, x] += reward_radius(seen, radii.arm_states, radii.episodes, time)
            upper[a, x] = min(upper[a, x], radii.largest_reward)
            if radii.appendix:
                of_rows[a, x] = appendix_transition_radius(seen, radii.arm_states, width, radii.episodes, time)
            else:
                of_rows[a, x] = transition_radius(seen, radii.arm_states, width, radii.episodes, time)
    gap, _ = solve_extended(rows, of_rows, upper, sizes, discount, plan.values, plan.table, plan.rows)
    return gap


@kernel
def extended_episodes(
    world: World,
    schedule: Schedule,
    playing: np.random.Generator,
    counts: Counts,
    radii: ArmRadii,
    step: int,
    episode: int,
    restarted: bool,
    plan: Plan,
    outcome: Outcome,
) -> float:
    """Plan, play and learn for all episodes of `schedule`, and return the gap of the last plan."""
    last = no_table_yet(plan.table.size, schedule.starts.shape[0])
    track = new_track(schedule.lengths.max())
    gap = 0.0
    for k in range(schedule.lengths.size):
        began = now()
        gap = optimistic_plan(counts, world.sizes, world.discount, radii, step, episode + k, plan)
        planned = now()
        play_table_and_value(world, schedule, k, playing, plan.table, last, track, outcome)
        played = now()
        count_arm_states(track, schedule.lengths[k], schedule.starts[schedule.first[k]], restarted, counts)
        step += schedule.lengths[k]
        outcome.seconds[k] = (planned - began) + (now() - played)
    return gap
