"""The float kernels against other programs and against their own parts: ``pytest tests/benchmarks -q``.

States up to 5000 with the environment variable ``BENCHMARK_LARGE=1`` (about two minutes).
"""

import os
from time import process_time

import numba
import numpy as np
import pytest

from mbrl.agents import make_agent
from mbrl.environments import random_walk
from mbrl.experiments.simulation import horizons, simulate
from mbrl.kernels import bandit_indices, gittins_indices, priority_value
from mbrl.policies import IndexPolicy
from proofs_checks.paper.recorded.sweep import drawn_bandit, seconds

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


@numba.njit(nogil=True, error_model="numpy")
def bare_psrl(rows, paid, start, lengths, discount, rng):
    """Learn by MB-PSRL, as written by hand: without regrets, times and errors, for rewards of 0 or 1."""
    arms, size = paid.shape
    moves, sums = np.ones((arms, size, size)), np.zeros((arms, size))
    q, r, c, order = np.empty((size, size)), np.empty(size), np.empty(size), np.empty(size, np.int64)
    indices, state = np.empty((arms, size)), np.empty(arms, np.int64)
    total = 0.0
    for k in range(lengths.size):
        for a in range(arms):
            for x in range(size):
                seen, mass = -1.0 * size, 0.0
                for y in range(size):
                    seen += moves[a, x, y]
                    q[x, y] = rng.standard_gamma(moves[a, x, y])
                    mass += q[x, y]
                for y in range(size):
                    q[x, y] *= discount / mass
                r[x], c[x], order[x] = rng.beta(1.0 + sums[a, x], 1.0 + seen - sums[a, x]), 1.0, x
            for left in range(size, 0, -1):
                best = 0
                for i in range(1, left):
                    if r[order[i]] * c[order[best]] > r[order[best]] * c[order[i]]:
                        best = i
                x = order[best]
                order[best] = order[left - 1]
                indices[a, x] = r[x] / c[x]
                for i in range(left - 1):
                    y = order[i]
                    factor = q[y, x] / (1.0 - q[x, x])
                    r[y] += factor * r[x]
                    c[y] += factor * c[x]
                    for j in range(left - 1):
                        q[y, order[j]] += factor * q[x, order[j]]
            state[a] = start[a]
        for _ in range(lengths[k]):
            a = 0
            for other in range(1, arms):
                if indices[other, state[other]] > indices[a, state[a]]:
                    a = other
            x, y, u = state[a], 0, rng.random()
            while y < size - 1 and u >= rows[a, x, y]:
                u -= rows[a, x, y]
                y += 1
            if rng.random() < paid[a, x]:
                sums[a, x] += 1.0
                total += 1.0
            moves[a, x, y] += 1.0
            state[a] = y
    return total


@pytest.mark.parametrize("bandit", [random_walk(), drawn_bandit(4, 3, 10, 0)], ids=["random-walk", "drawn"])
def test_time_of_mb_psrl_against_a_bare_loop(compare, bandit):
    episodes = 10_000
    lengths = horizons(bandit, "bench", 0, episodes, 1)
    key = {"scenario": "bench", "name": "mb-psrl", "simulation": 0, "seed": 1}

    def learner():
        simulate(bandit, make_agent("mb-psrl", bandit, episodes), episodes=episodes, **key)

    def bare():
        rng = np.random.default_rng(1)
        bare_psrl(bandit.transitions, bandit.rewards, bandit.starts[0], lengths, bandit.discount, rng)

    learner()
    bare()
    title = f"an episode of mb-psrl with its exact regret over one of a bare loop without, {bandit.name}"
    compare(title, learner, bare, "at most 1.6", rounds=11, clock=process_time)


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
