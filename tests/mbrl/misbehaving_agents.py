"""Misbehaving learners, for the tests: they must not affect other learners."""

import os
import random
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import replace

import numpy as np

from mbrl.agents.baselines import Uniform
from mbrl.kernels.play import Track
from mbrl.policies import IndexPolicy
from tests.mbrl.own_agent import Stubborn

os.chdir(os.sep)  # as scripts do


class WritesIntoStart(Stubborn):
    """Replays an episode in the array of its initial state: an innocent mistake."""

    def observe(self, trajectory):
        state, _kind = trajectory.start, Track  # a class of named tuples has no arrays
        for arm, after in zip(trajectory.arms, trajectory.next_states, strict=True):
            state[arm] = after


class WritesIntoSizes(Stubborn):
    def plan(self, rng):
        sizes = self.problem.sizes
        sizes -= 1
        return super().plan(rng)


class WritesIntoTheWorld(Stubborn):
    def play_episodes(self, world, schedule, planning, playing, outcome):
        world.transitions[0] = np.eye(world.transitions.shape[1])


class RemembersAndWrites(Stubborn):
    def __init__(self, problem):
        super().__init__(problem)
        self.seen = []

    def observe(self, trajectory):
        self.seen.append(trajectory.start)
        if len(self.seen) == 3:
            self.seen[0][0] = 1


class VandalWithALoop(Stubborn):
    """Makes the arrays that `play_episodes` receives writeable and overwrites them."""

    def __init__(self, problem, *, values: float = 0.0):
        self.values = values

    def play_episodes(self, world, schedule, planning, playing, outcome):
        for array in (*world, *schedule):
            if isinstance(array, np.ndarray) and array.size:
                array.flags.writeable = True
                array[...] = 1
        outcome.values[:], outcome.seconds[:] = self.values, 0.0


class Reshapes(Stubborn):
    def play_episodes(self, world, schedule, planning, playing, outcome):
        outcome.values.shape = (-1, 1)
        outcome.values[:], outcome.seconds[:] = 0.0, 0.0


class BackwardClock(Stubborn):
    def play_episodes(self, world, schedule, planning, playing, outcome):
        outcome.values[:], outcome.seconds[:] = 0.0, -1.0


class Narrow(Uniform):
    """Thinks that arms have two states, and plays in the compiled loop."""

    def __init__(self, problem):
        super().__init__(replace(problem, sizes=np.full(3, 2)))


class Abstract(Stubborn, ABC):
    @abstractmethod
    def act(self): ...


class Absent(Stubborn):
    @property
    def observe(self):
        raise KeyError("observe")


class Vandal(Stubborn):
    """Overwrites every array it receives, makes read-only ones writeable, and keeps them to change them later."""

    def __init__(self, problem):
        super().__init__(problem)
        self.handed, self.sizes = [problem.sizes], problem.sizes.copy()
        self.mine = np.zeros((problem.arms, problem.width))
        np.seterr(all="raise")

    def plan(self, rng):
        self.vandalise()
        self.mine += rng.random(self.mine.shape)
        return IndexPolicy(self.mine[:], self.sizes)

    def observe(self, trajectory):
        self.handed += [trajectory.start, trajectory.arms, trajectory.states, trajectory.next_states]
        self.vandalise()
        self.mine[:] = np.nan  # must not change the policy already played
        self.mine[:] = 0.0

    def vandalise(self):
        os.chdir(os.sep)
        write, opened = np.ndarray.fill, lambda array, _: array.setflags(write=True)
        for array in self.handed:
            np.add.at(array, 0, 1)  # NumPy ignores read-only flags here
            for change in (write, opened, write):
                with suppress(ValueError):
                    change(array, 1)


class Exits(Stubborn):
    def observe(self, trajectory):
        raise SystemExit(3)


class NoNumber(Stubborn):
    def plan(self, rng):
        return IndexPolicy.from_indices(np.full((3, 4), np.nan), self.problem.sizes)


class ForcesItsPolicy(Stubborn):
    """Always returns the same policy object, and overwrites its read-only indices before each episode."""

    def plan(self, rng):
        if self.steps == 0:
            self.policy, self.turned = IndexPolicy(np.arange(12.0).reshape(3, 4), self.problem.sizes.copy()), 0
        else:
            self.turned += 1
            self.policy.indices.flags.writeable = True
            self.policy.indices[:] = np.roll(np.arange(12.0).reshape(3, 4), self.turned)
        return self.policy


class Faithful(Stubborn):
    """Draws from the generator that it is given."""

    def plan(self, rng):
        return IndexPolicy.from_indices(rng.random((3, 4)), self.problem.sizes)


class CountsInItsClass(Stubborn):
    seen = 0

    def plan(self, rng):
        type(self).seen += 1
        return IndexPolicy.from_indices(np.roll(np.arange(12.0), self.seen // 7).reshape(3, 4), self.problem.sizes)


class DrawsElsewhere(Stubborn):
    def plan(self, rng):
        return IndexPolicy.from_indices(np.random.random((3, 4)), self.problem.sizes)


class DrawsInVain(Stubborn):
    """Draws from both global generators, and plays the same policy whatever they give."""

    def plan(self, rng):
        np.random.random(), random.random()
        return super().plan(rng)


class SeedsTheProcess(DrawsElsewhere):
    """Draws from a global generator, but from the same seed in each simulation."""

    def __init__(self, problem):
        super().__init__(problem)
        np.random.seed(7)


class Prints(Stubborn):
    def plan(self, rng):
        print("planning")
        return super().plan(rng)


class Leaves(Stubborn):
    def observe(self, trajectory):
        if self.problem.episodes > 1 and self.steps > 1000:
            os._exit(7)
        super().observe(trajectory)
