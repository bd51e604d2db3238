"""Times of the compiled kernels: ``pytest tests/benchmarks/test_mbrl_kernels.py``."""

import numpy as np
import pytest

from mbrl.environments import random_walk, task_scheduling
from mbrl.kernels import bandit_indices, gittins_indices, priority_visits
from mbrl.policies import IndexPolicy


@pytest.mark.parametrize("size", [11, 100, 400])
def test_gittins_indices(benchmark, size):
    rng = np.random.default_rng(1)
    rows, rewards = rng.dirichlet(np.ones(size), size), rng.random(size)
    gittins_indices(rows, rewards, 0.99)
    benchmark(gittins_indices, rows, rewards, 0.99)


@pytest.mark.parametrize("environment", [random_walk(), task_scheduling()], ids=lambda e: e.name)
def test_indices_of_a_scenario(benchmark, environment):
    benchmark(bandit_indices, environment.transitions, environment.rewards, environment.sizes, environment.discount)


@pytest.mark.parametrize("arms", [9, 1000, 100_000])
def test_value_of_a_priority_policy(benchmark, arms):
    task = task_scheduling()
    transitions = np.tile(task.transitions, (-(-arms // 9), 1, 1))[:arms]
    sizes, start = np.full(arms, 11), np.zeros(arms, dtype=np.int64)
    order = IndexPolicy.from_indices(np.random.default_rng(1).random((arms, 11)), sizes).order
    visits = benchmark(priority_visits, transitions, sizes, start, order, 0.99)
    assert visits.sum() == pytest.approx(100)
