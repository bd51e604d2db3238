"""The float kernels against other programs and against their own parts: ``pytest tests/benchmarks -q``.

States up to 5000 with the environment variable ``BENCHMARK_LARGE=1`` (about two minutes).
"""

import os
from itertools import permutations, product

import numpy as np
import pytest

from mbrl.agents import make_agent
from mbrl.environments import random_walk
from mbrl.experiments.simulation import horizons, play
from mbrl.kernels import bandit_indices, gittins_indices, optimistic_values, priority_value
from mbrl.kernels.extended import greedy_row
from mbrl.policies import IndexPolicy

LARGE = pytest.mark.skipif(not os.environ.get("BENCHMARK_LARGE"), reason="set BENCHMARK_LARGE=1")


@pytest.mark.parametrize(
    ("size", "repeats", "target"),
    [
        (4, 200, "at least 100"),
        (10, 200, "at least 100"),
        (100, 20, "at least 10"),
        (1000, 1, "at least 2.5"),
        pytest.param(5000, 1, "at least 1.5", marks=LARGE),
    ],
)
def test_gittins_indices_against_markovianbandit(compare, size, repeats, target):
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
    )


def test_value_of_the_gittins_policy_of_many_arms(compare):
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


def test_an_episode_of_mb_psrl_against_its_bare_draws_and_steps(compare):
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


def extended_process(estimates, radii, rewards, sizes):
    """Rewards (G, actions) and transitions (G, actions, G): an action is an arm and an order of its next states."""
    states = list(product(*(range(size) for size in sizes)))
    number = {state: g for g, state in enumerate(states)}
    actions = [(a, order) for a, size in enumerate(sizes) for order in permutations(range(size))]
    gains, moves = np.empty((len(states), len(actions))), np.zeros((len(states), len(actions), len(states)))
    for (a, order), action in zip(actions, range(len(actions)), strict=True):
        row = np.empty(sizes[a])
        for state, g in number.items():
            x = state[a]
            greedy_row(estimates[a, x], radii[a, x], np.array(order), row)
            gains[g, action] = rewards[a, x]
            for y, probability in enumerate(row):
                moves[g, action, number[(*state[:a], y, *state[a + 1 :])]] += probability
    return gains, moves


@pytest.mark.filterwarnings("ignore")
def test_extended_value_iteration_against_quantecon(compare):
    peer = pytest.importorskip("quantecon")
    walk = random_walk()
    rng = np.random.default_rng(1)
    estimates, radii = rng.dirichlet(np.ones(4), (3, 4)), rng.random((3, 4))
    rewards = rng.random((3, 4))
    gains, moves = extended_process(estimates, radii, rewards, [4, 4, 4])

    def ours():
        return optimistic_values(estimates, radii, rewards, walk.sizes, walk.discount).values

    process = peer.markov.DiscreteDP(gains, moves, walk.discount)

    def theirs():
        return process.solve(method="policy_iteration").v

    np.testing.assert_allclose(ours(), theirs(), rtol=1e-9)
    compare(
        "extended MDP of 64 global states, cold start: QuantEcon's policy iteration (made beforehand) over ours",
        theirs,
        ours,
        "at least 1",
    )
