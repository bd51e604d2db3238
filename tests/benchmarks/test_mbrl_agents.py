"""Time of a hundred episodes of each learner, regret included."""

import pytest

from mbrl.agents import AGENTS, make_agent
from mbrl.environments import random_walk, task_scheduling
from mbrl.experiments.simulation import simulate

CASES = [(random_walk(), name) for name in AGENTS] + [(task_scheduling(), name) for name in ("mb-psrl", "mb-ucbvi")]


@pytest.mark.parametrize(("environment", "name"), CASES, ids=[f"{e.name}-{name}" for e, name in CASES])
def test_hundred_episodes(benchmark, environment, name):
    def run():
        agent = make_agent(name, environment, 100)
        return simulate(environment, agent, scenario="bench", name=name, simulation=0, episodes=100, seed=1)

    run()
    regret, _ = benchmark(run)
    assert regret.min() >= -1e-9 * 100
