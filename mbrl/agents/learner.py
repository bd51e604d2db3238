"""What the learners of this package share: their memory, and the compiled loop that works on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from mbrl.agents.formulas import Formula
from mbrl.agents.interface import Problem, Trajectory
from mbrl.kernels.episodes import Outcome, Schedule, learn, plan, plan_of, play_all
from mbrl.kernels.play import Track, World, new_track
from mbrl.policies import IndexPolicy, Policy, TablePolicy
from theory import BanditError


class Learner:
    """Base class of this package's learners: plans, observes, and plays many episodes in one compiled loop.

    Parameters
    ----------
    problem
        What is known beforehand.
    memory : named tuple
        All that changes while learning. It has the plan in `indices`, (n, S) with -inf beyond an arm's states, and
        `last_first`, whether of equal indices the last arm is played; or in a `table`, the arm by global state. A
        compiled function under ``planned_by(type of the memory)`` writes the plan, one under ``learnt_by`` learns from
        a trajectory (`mbrl.kernels.episodes`); `mbrl.kernels.counting.count_arm_states` serves a memory with `counts`.
    formulas
        A user's compiled formulas in the memory, checked after each plan.
    """

    anytime = False  # the registry sets it
    needs_bounded_rewards = True  # False for a learner that admits Gaussian noise, too

    def __init__(self, problem: Problem, memory: Any, *formulas: Formula) -> None:
        if self.needs_bounded_rewards and not problem.bounded:
            raise BanditError(
                "it needs rewards from 0 to 1, and those of this bandit have Gaussian noise; "
                "mb-ucbvi and mb-psrl/rewards=gaussian admit it"
            )
        self._problem = problem
        self._memory = memory
        self._formulas = formulas

    def plan(self, rng: np.random.Generator) -> Policy:
        """Return the policy of the next episode."""
        memory, problem = self._memory, self._problem
        plan(memory, problem.sizes, problem.discount, rng)
        self._check_formulas()
        if hasattr(memory, "table"):
            return TablePolicy(memory.table)
        return IndexPolicy(memory.indices, problem.sizes, "last" if memory.last_first else "first")

    def observe(self, trajectory: Trajectory) -> None:
        """Learn from an episode."""
        track = Track(trajectory.arms, trajectory.states, trajectory.next_states, trajectory.rewards)
        problem = self._problem
        learn(self._memory, problem.sizes, problem.discount, trajectory.start, trajectory.length, track)

    def play_episodes(
        self,
        world: World,
        schedule: Schedule,
        planning: np.random.Generator,
        playing: np.random.Generator,
        outcome: Outcome,
    ) -> None:
        """Plan, play and learn, episode after episode; see `mbrl.agents.interface`."""
        if not np.array_equal(self._problem.sizes, world.sizes):  # of a derived class
            raise BanditError("its problem has arms of other sizes than the bandit")
        memory, track = self._memory, new_track(int(schedule.lengths.max()))
        plans = plan_of(memory, len(schedule.starts))
        play_all(memory, *plans, world, schedule, planning, playing, track, outcome)
        self._check_formulas()

    def _check_formulas(self) -> None:
        for formula in self._formulas:
            formula.check()


def check_option(name: str, value: float, least: float = 0.0, most: float = 1e300, *, open_below: bool = True) -> float:
    """Return an option's value as a float.

    Raises
    ------
    BanditError
        If it is no number from `least` (itself excluded, if `open_below`) to `most`.

    Examples
    --------
    >>> check_option("cooling", 2, most=1)
    Traceback (most recent call last):
    theory.errors.BanditError: cooling is 2; give a number above 0, up to 1
    """
    if least < value <= most or (value == least and not open_below):
        return float(value)
    above = f"above {least:g}" if open_below else f"from {least:g}"
    raise BanditError(f"{name} is {value:g}; give a number {above}, up to {most:g}")
