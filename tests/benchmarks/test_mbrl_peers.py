"""The float kernels against other programs and against their own parts: ``pytest tests/benchmarks -q``.

States up to 5000 with the environment variable ``BENCHMARK_LARGE=1`` (about two minutes).
"""

import os
from time import process_time

import numpy as np
import pytest

from mbrl.agents import make_agent
from mbrl.environments import random_walk
from mbrl.experiments.simulation import horizons, play
from mbrl.kernels import bandit_indices, gittins_indices, priority_value
from mbrl.policies import IndexPolicy
from proofs_checks.paper.recorded.sweep import seconds

LARGE = pytest.mark.skipif(not os.environ.get("BENCHMARK_LARGE"), reason="set BENCHMARK_LARGE=1")


@pytest.mark.parametrize(
    ("size", "repeats", "target"),
    [
        (4, 200, "at least 100"), (100, 20, "at least 10"), (300, 5, "at least 10"), (1000, 1, "at least 2.5"),
        pytest.param(5000, 1, "at least 1.5", marks=LARGE),
    ],
)  # fmt: skip
def test_time_of_gittins_indices_against_markovianbandit(compare, size, repeats, target):
    peer = pytest.importorskip("markovianbandit")
    rng = np.random.default_rng(size)
    rows, rewards = rng.dirichlet(np.ones(size), size), rng.random(size)

    def theirs():
        return peer.rested_bandit_from_P1_R1(rows, rewards).gittins_indices(discount=0.99)

    np.testing.assert_allclose(gittins_indices(rows, rewards, 0.99), theirs(), atol=1e-9)
    compare(
        f"Gittins indices, {size} states: markovianbandit-pkg over ours",
        lambda: [theirs() for _ in range(repeats)],
        lambda: [gittins_indices(rows, rewards, 0.99) for _ in range(repeats)],
        target,
        rounds=5 if size < 5000 else 1,
        clock=process_time,  # needs OMP_NUM_THREADS=1: waiting threads use CPU time too
    )


def test_time_of_gittins_policy_value_against_its_indices(compare):
    arms = 100_000
    rng = np.random.default_rng(1)
    rows = rng.exponential(size=(arms, 11, 11))
    rows /= rows.sum(axis=2, keepdims=True)
    rewards, sizes, start = rng.random((arms, 11)), np.full(arms, 11), np.zeros(arms, dtype=np.int64)
    indices = bandit_indices(rows, rewards, sizes, 0.99)

    def value():
        order = IndexPolicy.from_indices(indices, sizes).order
        return priority_value(rows, rewards, sizes, start, order, 0.99)

    value()
    compare(
        "100 000 arms of 11 states: sort and value of the Gittins policy over the indices",
        value,
        lambda: bandit_indices(rows, rewards, sizes, 0.99),
        "at most 3",
    )


def test_time_of_mb_psrl_against_its_bare_draws_and_steps(compare):
    episodes = 1000
    walk = random_walk()
    lengths = [int(length) for length in horizons(walk, "bench", 0, episodes, 1)]
    start, policy = walk.starts[0], walk.optimal_policy
    rng = np.random.default_rng(1)

    def learner():
        agent = make_agent("mb-psrl", walk, episodes)
        for length in lengths:
            agent.observe(play(walk, agent.plan(rng), start, length, rng))

    shape = walk.transitions.shape
    visited, shapes = np.full(shape[0] * shape[1], 50.0), np.full(shape[:2], 50.0)

    def bare():
        for length in lengths:
            rng.standard_exponential(shape)
            rng.standard_gamma(visited)
            rng.beta(shapes, shapes)
            play(walk, policy, start, length, rng)

    learner()
    bare()
    compare("a thousand episodes of mb-psrl over their bare draws and steps", learner, bare, "at most 3")


@pytest.mark.parametrize("B", [10, 100])
@pytest.mark.parametrize("learner", ["mb-minimax", "mb-minimax/scale=0.01", "mb-minimax/scale=0.001"])
def test_time_of_mb_minimax_episode_against_mb_ucbvi(compare, learner, B):
    compare(
        f"an episode of {learner} over one of mb-ucbvi, S = 4, n = 3, B = {B}, 2000 of them",
        lambda: seconds(4, 3, B, learner, 2000),
        lambda: seconds(4, 3, B, "mb-ucbvi", 2000),
        "at most 20",
        clock=process_time,
    )


def test_time_of_mb_minimax_with_ten_times_the_arms(compare):
    for few, many in ((30, 300), (100, 1000)):
        compare(
            f"an episode of mb-minimax with {many} arms over one with {few}, S = 4, B = 10",
            lambda n=many: seconds(4, n, 10, "mb-minimax", 500),
            lambda n=few: seconds(4, n, 10, "mb-minimax", 500),
            "at most 12",
            rounds=3,
            clock=process_time,
        )
