"""One simulation of one learner, which records regret and time of every episode and can be extended."""

from __future__ import annotations

import pickle
import sys
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

import numpy as np

from mbrl.agents import Agent, Trajectory
from mbrl.agents.baselines import Oracle
from mbrl.agents.interface import is_anytime, of_this_package, plays_episodes
from mbrl.agents.registry import check_methods
from mbrl.arrays import Floats, Integers, handed, handed_parts
from mbrl.environments import Environment
from mbrl.experiments.regret import CERTAIN, RegretMeter, collected
from mbrl.experiments.rows import Rows
from mbrl.experiments.seeds import generator
from mbrl.importing import blaming
from mbrl.kernels.compiling import kernel
from mbrl.kernels.episodes import Outcome, Schedule, new_outcome
from mbrl.kernels.play import new_track, play_indices, play_table
from mbrl.policies import IndexPolicy, Policy, TablePolicy, fits
from theory import BanditError

_play_indices, _play_table = kernel(play_indices), kernel(play_table)

_FIRST_AT_ONCE: Final = 16  # equivalent: how many are played at once changes no result
_SECONDS_AT_ONCE: Final = 0.5
"""Seconds that a compiled loop may take, as Ctrl-C has to wait; it begins with `_FIRST_AT_ONCE` episodes."""

LARGEST_SAVED: Final = 2**20
"""Largest size in bytes of a saved simulation."""


def play(
    environment: Environment, policy: Policy, start: Integers, length: int, rng: np.random.Generator
) -> Trajectory:
    """Play `policy` from `start` for `length` steps; `rng` gives two uniforms per step, and draws from laws."""
    track = new_track(length)
    if isinstance(policy, IndexPolicy):
        _play_indices(environment.world, rng, start, length, policy.indices, policy.ties == "last", track)
    else:
        _play_table(environment.world, rng, start, length, policy.table, track)
    return Trajectory(start, *track)


def horizons(environment: Environment, scenario: str, simulation: int, episodes: int, seed: int) -> Integers:
    """Return the lengths H_k of the first episodes of a simulation: geometric on 1, 2, ..., the same for all learners.

    With more episodes the first ones stay the same, also in `initial_states`.
    """
    rng = generator(seed, scenario, simulation, "horizons")
    return rng.geometric(1 - environment.discount, size=episodes)


def initial_states(environment: Environment, scenario: str, simulation: int, episodes: int, seed: int) -> Integers:
    """Return the numbers of the initial states of the first episodes, the same for all learners."""
    rng = generator(seed, scenario, simulation, "initial states")
    return rng.choice(environment.start_law.size, size=episodes, p=environment.start_law)


@dataclass(kw_only=True)
class Simulation:
    """One learner in one simulation, which can go on from any number of episodes.

    Attributes
    ----------
    environment
        The true model.
    agent
        A new learner, which has observed nothing.
    scenario, name, simulation, seed
        The key of all random draws; `name` is the learner's name.
    monte_carlo
        Whether to sample the regret instead of computing its expectation.
    """

    environment: Environment = field(kw_only=False)
    agent: Agent = field(kw_only=False)
    scenario: str
    name: str
    simulation: int
    seed: int
    monte_carlo: bool = False

    def __post_init__(self) -> None:
        self._meter, self._played = RegretMeter(self.environment), 0
        self._planning, self._playing, self._oracle = (
            generator(self.seed, self.scenario, self.simulation, self.name, purpose)
            for purpose in ("plan", "play", "oracle")
        )

    def play(self, episodes: int) -> Rows:
        """Play until `episodes` episodes have been played in all, and return the rows of the new ones.

        Raises
        ------
        BanditError
            If the learner returns an invalid policy, or its code raises an error.
        """
        environment, agent = self.environment, self.agent
        lengths = horizons(environment, self.scenario, self.simulation, episodes, self.seed)[self._played :]
        first = initial_states(environment, self.scenario, self.simulation, episodes, self.seed)[self._played :]
        regret, seconds = np.empty(first.size), np.empty(first.size)
        with blaming(f"agent {self.name}"):
            if plays_episodes(agent) and (self._meter.in_floats or self.monte_carlo):
                self._play_at_once(agent, first, lengths, regret, seconds)
            else:
                for k in range(first.size):
                    regret[k], seconds[k] = self._play_one(self._played + k + 1, int(first[k]), int(lengths[k]))
        self._played = episodes
        if self._meter.error > CERTAIN:
            who, known = f"agent {self.name}, simulation {self.simulation + 1}", f"{self._meter.error:.1g}"
            of = f"rewards of {environment.largest_reward:.3g} in a model too large for exact numbers"
            print(f"{who}: regrets are known to {known}: {of}", file=sys.stderr)
        return Rows(regret, seconds, self.saved())

    def _play_at_once(self, agent: Any, first: Integers, lengths: Integers, regret: Floats, seconds: Floats) -> None:
        """Play episodes in compiled code; write their regrets and the learner's seconds into the given arrays."""
        environment, world = self.environment, self.environment.world
        starts, ours = environment.starts, of_this_package(agent)
        if not ours:
            world, starts = handed_parts(world), handed(starts)
        done, at_once = 0, _FIRST_AT_ONCE
        while done < first.size:
            began, part = perf_counter(), slice(done, done + at_once)
            schedule = Schedule(starts, handed(first[part]), handed(lengths[part]))
            outcome = new_outcome(schedule.first.size, not self.monte_carlo)
            when = f"episodes from {self._played + done + 1}"
            with self._blaming(when):
                agent.play_episodes(world, schedule, self._planning, self._playing, outcome)
            if not ours:
                self._check_filled(outcome, schedule.first.size, when)
            if self.monte_carlo:
                again = Schedule(environment.starts, handed(first[part]), handed(lengths[part]))
                ideal = new_outcome(again.first.size, valued=False)  # equivalent: nobody reads its values
                Oracle(environment).play_episodes(environment.world, again, self._planning, self._oracle, ideal)
                regret[part] = ideal.collected - outcome.collected
            else:
                try:
                    regret[part] = self._meter.regrets(outcome.values, first[part])
                except ArithmeticError as error:
                    if ours:
                        raise
                    raise BanditError(f"agent {self.name}: play_episodes left wrong outcome.values: {error}") from None
            seconds[part] = outcome.seconds
            done += at_once
            if perf_counter() - began < _SECONDS_AT_ONCE / 2:  # equivalent: it changes no result
                at_once *= 2

    def _check_filled(self, outcome: Outcome, count: int, when: str) -> None:
        """Raise `BanditError` if a user's own loop has not filled `outcome`."""
        for name in ("collected" if self.monte_carlo else "values", "seconds"):
            filled, who = getattr(outcome, name), f"agent {self.name}, simulation {self.simulation}, {when}"
            if filled.shape != (count,):
                raise BanditError(f"{who}: play_episodes changed the shape of outcome.{name}")
            for k in np.flatnonzero(~np.isfinite(filled) | ((name == "seconds") & (filled < 0))):
                raise BanditError(f"{who}: play_episodes left {filled[k]} in outcome.{name}[{k}]")

    def _play_one(self, episode: int, first: int, length: int) -> tuple[float, float]:
        """Play one episode; return its regret and the learner's seconds."""
        environment, agent = self.environment, self.agent
        began = perf_counter()
        with self._blaming(f"episode {episode}"):
            policy = agent.plan(self._planning)
            planned = perf_counter() - began
            policy = checked_copy(environment.sizes, environment.rewards.shape[1], policy)
        start = environment.starts[first]
        trajectory = play(environment, policy, start, length, self._playing)
        if self.monte_carlo:
            ideal = play(environment, environment.optimal_policy, start, length, self._oracle)
            regret = collected(environment, ideal) - collected(environment, trajectory)
        else:
            regret = self._meter.regret(policy, first)
        began = perf_counter()
        with self._blaming(f"episode {episode}"):
            agent.observe(trajectory)
        return regret, planned + perf_counter() - began

    def _blaming(self, when: str) -> AbstractContextManager[None]:
        """Name the learner and the time in an error of the learner's code."""
        ours = type(self.agent).__module__.startswith("mbrl.agents.")
        return blaming(f"agent {self.name}, simulation {self.simulation}, {when}", theirs=not ours)

    def saved(self) -> bytes:
        """Return the state for `resume`; empty if the learner depends on K, is too large, or cannot be pickled.

        The state is a pickle, which can run code when it is loaded: extend only runs that you trust.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from mbrl.environments import random_walk
        >>> key = {"scenario": "walk", "name": "idle", "simulation": 0, "seed": 1}
        >>> learners = [SimpleNamespace(anytime=True, counts=bytes(size)) for size in (2**20 - 2**12, 2**20)]
        >>> [len(Simulation(random_walk(), each, **key).saved()) > 2**19 for each in learners]
        [True, False]
        """
        state = (self._played, self.agent, self._planning, self._playing, self._oracle)
        content = b""
        if is_anytime(self.agent):
            with suppress(Exception, SystemExit):  # a class of the user's raises any error
                content = pickle.dumps(state)
        return content if len(content) <= LARGEST_SAVED else b""

    def resume(self, saved: bytes) -> None:
        """Restore the state that `saved` returned."""
        with self._blaming("saved learner"):
            self._played, self.agent, self._planning, self._playing, self._oracle = pickle.loads(saved)
            check_methods(self.agent, f"agent {self.name}, simulation {self.simulation}, saved learner")


def simulate(environment: Environment, agent: Agent, *, episodes: int, **key: Any) -> tuple[Floats, Floats]:
    """Let `agent` play one simulation of K `episodes`; `key` has the other arguments of `Simulation`.

    Returns
    -------
    regret : (K,)
        Regret of each episode, in the model's unit.
    seconds : (K,)
        Time that the learner takes to plan and to learn, in each episode.
    """
    rows = Simulation(environment, agent, **key).play(episodes)
    return rows.regret, rows.seconds


def checked_copy(sizes: Integers, width: int, policy: object) -> Policy:
    """Return a checked copy of a policy, so that the learner can change its own without effect on play or values.

    Raise `BanditError` for a policy with which compiled code would index beyond its arrays.
    """
    if isinstance(policy, IndexPolicy):
        copy: Policy = IndexPolicy(handed(policy.indices), handed(policy.sizes), policy.ties)
    elif isinstance(policy, TablePolicy):
        copy = TablePolicy(handed(policy.table))
    else:
        raise BanditError(f"plan returned {type(policy).__name__}, not an IndexPolicy or a TablePolicy")
    if not fits(copy, sizes, width):
        raise BanditError("plan returned a policy of a bandit with other arms")
    return copy
