"""Times and memory for a bandit of many arms of 11 states: ``python -m tests.benchmarks.many_arms ARMS`` prints JSON.

In a process of its own, so that the largest memory is that of this many arms. Times are of the processor, each the least
of some repetitions: other work on the machine adds to them.
"""

from __future__ import annotations

import json
import resource
import sys
import time

import numpy as np

from mbrl.agents import make_agent
from mbrl.environments import Environment
from mbrl.experiments.simulation import Simulation

STATES, DISCOUNT = 11, 0.99


def many_arms(arms: int) -> Environment:
    """Return a random bandit; made in parts, so that no second copy is needed."""
    rng = np.random.default_rng(1)
    transitions = np.empty((arms, STATES, STATES))
    for first in range(0, arms, 4096):
        part = transitions[first : first + 4096]
        rng.standard_exponential(out=part)
        part /= part.sum(axis=2, keepdims=True)
    rewards = rng.random((arms, STATES, 1))
    sizes, starts = np.full(arms, STATES), np.zeros((1, arms), dtype=np.int64)
    return Environment(f"{arms} arms", transitions, rewards, sizes, DISCOUNT, starts)


def measured(environment: Environment) -> dict[str, float]:
    """Return seconds of each of the things that are done with a bandit, and of an episode of each learner."""
    start = environment.starts[0]
    repetitions = max(3, min(200, 3000 // environment.sizes.size))

    def indices() -> None:
        vars(environment).pop("optimal_policy", None)
        assert environment.optimal_policy

    times = {"indices": _least(indices, repetitions)}
    times["value"] = _least(lambda: environment.value_and_error(environment.optimal_policy, start), repetitions)
    for name in ("oracle", "mb-psrl", "mb-ucbvi"):
        agent = make_agent(name, environment, 3000)
        one = Simulation(environment, agent, scenario="many", name=name, simulation=0, seed=1)
        times[name] = min(
            _least(lambda played=played, one=one: one.play(played + 1), 1) for played in range(repetitions)
        )
    return times


def _least(what, repetitions: int) -> float:
    found = []
    for _ in range(repetitions):
        began = time.thread_time()
        what()
        found.append(time.thread_time() - began)
    return min(found)


if __name__ == "__main__":
    measured(many_arms(3))  # kernels are compiled, or loaded
    bandit = many_arms(int(sys.argv[1]))
    value, error = bandit.value_and_error(bandit.optimal_policy, bandit.starts[0])
    content = {"times": measured(bandit), "value": value, "error": error}
    content["gibibytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(json.dumps(content))
