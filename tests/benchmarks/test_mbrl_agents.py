"""Episodes of each learner: step by step over its compiled loop, in turns: ``pytest tests/benchmarks -k agents``."""

import numpy as np
import pytest

from mbrl.agents import AGENTS, make_agent
from mbrl.environments import random_model, random_walk, task_scheduling
from mbrl.experiments.simulation import simulate

WALK, TASK, MODEL = random_walk(), task_scheduling(), random_model(np.random.default_rng(3))
CASES = [(WALK, name) for name in AGENTS]
CASES += [(TASK, name) for name in ("mb-psrl", "mb-ucbvi", "gittins-q")]
CASES += [(MODEL, name) for name in ("mb-psrl", "psrl", "psrl-gaussian")]


class Slowly:
    """Another learner's `plan` and `observe`, and nothing else."""

    def __init__(self, agent):
        self.plan, self.observe = agent.plan, agent.observe


@pytest.mark.parametrize(("environment", "name"), CASES, ids=[f"{e.name}-{name}" for e, name in CASES])
def test_a_loop_against_its_learner_step_by_step(compare, environment, name):
    episodes = 200 if name in {"psrl", "psrl-gaussian", "ucrl2", "ucbvi"} else 1000
    key = {"scenario": "bench", "name": name, "simulation": 0, "episodes": episodes, "seed": 1}

    def at_once():
        simulate(environment, make_agent(name, environment, episodes), **key)

    def step_by_step():
        simulate(environment, Slowly(make_agent(name, environment, episodes)), **key)

    at_once()
    step_by_step()
    compare(f"{environment.name}, {episodes} episodes of {name}: step by step over the loop", step_by_step, at_once, "")
