"""Times and memory for a bandit of many arms of 11 states: ``python -m tests.benchmarks.many_arms ARMS`` prints JSON.

In a process of its own, so that the largest memory is that of this many arms. Times are of the processor, each the least
of as many repetitions as a second holds, three at least: other work on the machine adds to them. All episodes are of
100 steps, the mean for this discount.

Beside what is done with a bandit stand a bare pass over its transitions and a bare sort of its indices, by NumPy: how
the time of a sort and of the machine's memory grows is in all the others.
"""

from __future__ import annotations

import json
import math
import resource
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from mbrl.agents import make_agent
from mbrl.agents.interface import plays_episodes
from mbrl.environments import Environment
from mbrl.kernels import index_order
from mbrl.kernels.episodes import Schedule, new_outcome

STATES, DISCOUNT, STEPS = 11, 0.99, 100
_SHORTEST = 0.005


def many_arms(arms: int) -> Environment:
    """Return a random bandit; made in parts, so that no second copy is needed."""
    rng = np.random.default_rng(1)
    transitions = np.empty((arms, STATES, STATES))
    for first in range(0, arms, 4096):
        part = transitions[first : first + 4096]
        rng.standard_exponential(out=part)
        part /= part.sum(axis=2, keepdims=True)
    transitions.flags.writeable = False
    rewards = rng.random((arms, STATES, 1))
    sizes, starts = np.full(arms, STATES), np.zeros((1, arms), dtype=np.int64)
    return Environment(f"{arms} arms", transitions, rewards, sizes, DISCOUNT, starts)


def learning(environment: Environment, least: float) -> Iterator[tuple[str, float]]:
    """Yield seconds of what is done with a bandit, and of an episode of each learner."""
    start = environment.starts[0]

    def indices() -> None:
        vars(environment).pop("optimal_policy", None)
        assert environment.optimal_policy

    yield "indices", _least(indices, least)
    yield "value and error", _least(lambda: environment.value_and_error(environment.optimal_policy, start), least)
    for name in ("oracle", "mb-psrl", "mb-ucbvi"):
        yield name, _episode(environment, name, least)


def references(environment: Environment, least: float) -> Iterator[tuple[str, float]]:
    """Yield seconds of what NumPy does in one pass, and of a sort alone and within `index_order`."""
    flat = -environment.optimal_policy.indices.ravel()
    yield "sum of all transitions (NumPy)", _least(environment.transitions.sum, least)
    yield "argsort of all indices (NumPy)", _least(lambda: np.argsort(flat, kind="stable"), least)
    model = (environment.transitions, environment.rewards, environment.sizes, environment.discount)
    yield "indices, errors and order", _least(lambda: index_order(*model), least)


def _episode(environment: Environment, name: str, least: float) -> float:
    agent = make_agent(name, environment, 3000)
    assert plays_episodes(agent)
    planning, playing = np.random.default_rng(1), np.random.default_rng(2)
    episodes = max(2, 2000 // environment.sizes.size)
    schedule = Schedule(environment.starts, np.zeros(episodes, np.int64), np.full(episodes, STEPS))
    outcome = new_outcome(episodes, valued=True)
    return (
        _least(lambda: agent.play_episodes(environment.world, schedule, planning, playing, outcome), least) / episodes
    )


def _least(what: Callable[[], object], least: float) -> float:
    """Return the least seconds of a call, in repetitions of so many calls that the clock's steps do not matter."""
    shortest, spent, repetitions, calls = math.inf, 0.0, 0, 1
    while repetitions < 3 or spent < least:
        began = time.thread_time()
        for _ in range(calls):
            what()
        seconds = time.thread_time() - began
        if seconds < _SHORTEST <= least:
            calls *= 2
            continue
        shortest, spent, repetitions = min(shortest, seconds / calls), spent + seconds, repetitions + 1
    return shortest


if __name__ == "__main__":
    for warm in (learning, references):  # kernels are compiled, or loaded
        list(warm(many_arms(3), 0.0))
    bandit = many_arms(int(sys.argv[1]))
    value, error = bandit.value_and_error(bandit.optimal_policy, bandit.starts[0])
    content = {"times": dict(learning(bandit, 1.0)), "value": value, "error": error}
    content["gibibytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    content["references"] = dict(references(bandit, 1.0))
    print(json.dumps(content))
