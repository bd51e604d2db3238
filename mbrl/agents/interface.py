"""The interface of all learners, and the data that a learner receives.

A learner is any object with two methods:

``plan(rng)``
    Is called at the start of every episode, and returns the policy of the whole episode (`mbrl.policies`).
``observe(trajectory)``
    Is called at the end of the episode, with its trajectory. Arguments are read-only; copy them to change them.

A learner may have a third method, for speed:

``play_episodes(world, schedule, planning, playing, outcome)``
    Does all of this for many episodes at once, in compiled code, with the same draws of the two generators: it plans,
    plays, learns, and computes the values of the policies (`mbrl.kernels.episodes`). The learners of this package
    have it. It is not used if a derived class has its own `plan` or `observe`.

A learner is made by a function of one argument, the `Problem`. Such a function, or the class itself, is named
``my_module:MyLearner`` on the command line (``--agents``) and in Python. Its keyword arguments are options:
``my_module:MyLearner/rate=0.1`` (`mbrl.agents.options`). A class that makes no use of the number of episodes K sets its
own attribute ``anytime = True``: a run is then extended without playing its first episodes again.

Examples
--------
>>> from mbrl.environments import random_walk
>>> from mbrl.experiments.simulation import simulate
>>> from mbrl.policies import IndexPolicy
>>> class FirstArmFirst:
...     def __init__(self, problem):
...         self.policy = IndexPolicy.from_indices([[3.0] * 4, [2.0] * 4, [1.0] * 4], problem.sizes)
...     def plan(self, rng):
...         return self.policy
...     def observe(self, trajectory):
...         pass
>>> walk = random_walk()
>>> learner = FirstArmFirst(Problem(walk.sizes, walk.discount, episodes=5))
>>> regret, seconds = simulate(walk, learner, scenario="mine", name="first", simulation=0, episodes=5, seed=1)
>>> regret.round(2)
array([0.45, 0.45, 0.45, 0.45, 0.45])
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields
from math import prod
from typing import Any, Protocol

import numpy as np

from mbrl.arrays import Floats, Integers, ReadOnly, handed
from mbrl.policies import Policy


@dataclass(frozen=True, eq=False)
class Problem(ReadOnly):
    """What a learner knows beforehand: everything except mean rewards and transitions. Its array is a read-only copy.

    Attributes
    ----------
    sizes : (n,) int64
        Number of states of each arm.
    discount : float
    episodes : int
        K, the number of episodes to come.
    bounded : bool
        Whether every reward lies in 0..1; otherwise rewards have Gaussian noise of standard deviation at most 1/2.
    """

    sizes: Integers
    discount: float
    episodes: int
    bounded: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", handed(self.sizes))

    @property
    def arms(self) -> int:
        """Number of arms n."""
        return self.sizes.size

    @property
    def width(self) -> int:
        """Largest number S of states of an arm."""
        return int(self.sizes.max())

    @property
    def shape(self) -> tuple[int, int]:
        """Shape (n, S) of arrays by arm and state."""
        return self.arms, self.width

    @property
    def arm_states(self) -> int:
        """Number of all arm states, S n for arms of equal size."""
        return int(self.sizes.sum())

    @property
    def global_states(self) -> int:
        """Size of the product of the arms' state spaces."""
        return prod(int(size) for size in self.sizes)


@dataclass(frozen=True, eq=False)
class Trajectory(ReadOnly):
    """One played episode of H steps. Its arrays are read-only copies.

    Attributes
    ----------
    start : (n,) int64
        The global state at the start.
    arms, states, next_states : (H,) int64
        The arm played in each step, its state before the step, and its true state after (also after the last step).
    rewards : (H,) float64
        Rewards in the unit of `mbrl.environments.rewards`: 0 or 1 unless the model has other laws.
    """

    start: Integers
    arms: Integers
    states: Integers
    next_states: Integers
    rewards: Floats

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, handed(getattr(self, field.name)))

    @property
    def length(self) -> int:
        """Number of steps H."""
        return self.arms.size


class Agent(Protocol):
    """A learner."""

    def plan(self, rng: np.random.Generator) -> Policy:
        """Return the policy of the next episode; all randomness comes from `rng`."""
        ...

    def observe(self, trajectory: Trajectory) -> None:
        """Learn from an episode."""
        ...


def is_anytime(agent: Agent) -> bool:
    """Return whether `agent` declares that it never looks at the number of episodes to come.

    A class derived from a learner of this package does not inherit the declaration, as its own code may look at it.

    Examples
    --------
    >>> from mbrl.agents import make_agent
    >>> from mbrl.environments import random_walk
    >>> is_anytime(make_agent("mb-psrl", random_walk(), episodes=1)), is_anytime(object())
    (True, False)
    >>> from mbrl.agents.mb_psrl import MBPSRL
    >>> derived = type("Hurried", (MBPSRL,), {})(Problem(np.array([2, 2]), 0.9, episodes=1))
    >>> is_anytime(derived)
    False
    """
    with suppress(Exception):  # a user's property may raise anything
        return getattr(agent, "anytime", False) is True
    return False


def plays_episodes(agent: Agent) -> bool:
    """Return whether `agent` has a `play_episodes` that does what its `plan` and `observe` do.

    Examples
    --------
    >>> from mbrl.agents.mb_psrl import MBPSRL
    >>> class Curious(MBPSRL):
    ...     def observe(self, trajectory):
    ...         print(trajectory.length)
    >>> problem = Problem(np.array([2, 2]), 0.9, episodes=1)
    >>> plays_episodes(MBPSRL(problem)), plays_episodes(Curious(problem))
    (True, False)
    """
    for names in (getattr(agent, "__dict__", {}), *map(vars, type(agent).__mro__)):
        if names.keys() & {"plan", "observe", "play_episodes"}:
            return "play_episodes" in names
    return False


def of_this_package(agent: Any) -> bool:
    """Return whether `agent` uses a loop of this package, which never writes into data that others use."""
    return str(agent.play_episodes.__module__).startswith("mbrl.agents.")
