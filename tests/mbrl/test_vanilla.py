"""Learners on the global process against their formulas, computed by independent code."""

from math import log

import numpy as np
import pytest

from mbrl.agents import make_agent
from mbrl.environments import from_bandit
from mbrl.experiments.simulation import play
from tests.mbrl.own_agent import Stubborn
from theory import Arm, Bandit

EPISODES = 37


def small():
    arms = [
        Arm(rewards=["1/5", "9/10"], transitions=[["1/2", "1/2"], ["1/4", "3/4"]]),
        Arm(rewards=["1/2", "2/5"], transitions=[["1/3", "2/3"], ["1/5", "4/5"]]),
    ]
    return from_bandit(Bandit(arms, "4/5", [0, 1]), "small")


def trained(name, episodes=12):
    """Return a learner after some episodes, and what it saw: by pair, next states and rewards; and t_k."""
    environment, rng = small(), np.random.default_rng(5)
    agent = make_agent(name, environment, EPISODES)
    seen, steps = {(g, a): [] for g in range(4) for a in range(2)}, 0
    for _ in range(episodes):
        policy = Stubborn(agent._problem).plan(rng) if rng.random() < 0.5 else environment.optimal_policy
        episode = play(environment, policy, environment.starts[0], int(rng.geometric(0.2)), rng)
        agent.observe(episode)
        state = [int(x) for x in episode.start]
        for a, y, reward in zip(episode.arms, episode.next_states, episode.rewards, strict=True):
            g = 2 * state[0] + state[1]
            state[a] = int(y)
            seen[g, int(a)].append((2 * state[0] + state[1], reward))
            steps += 1
    assert any(not moves for moves in seen.values())
    return agent, seen, 1 + steps, rng


def estimated(seen):
    laws, rewards, visits = np.full((4, 2, 4), 1 / 4), np.zeros((4, 2)), np.zeros((4, 2))
    for (g, a), moves in seen.items():
        if moves:
            laws[g, a] = np.bincount([h for h, _ in moves], minlength=4) / len(moves)
            rewards[g, a], visits[g, a] = np.mean([reward for _, reward in moves]), len(moves)
    return laws, rewards, visits


def best_mean(law, radius, values):
    """Return the largest mean of `values` over laws at an L1 distance of at most `radius` (Strehl and Littman, 2008)."""
    law, order = law.copy(), np.argsort(-values)
    law[order[0]] = min(1.0, law[order[0]] + radius / 2)
    for worst in order[::-1]:
        law[worst] = max(0.0, law[worst] - max(0.0, law.sum() - 1.0))
    return law @ values


def action_values(laws, radii, rewards, discount=0.8):
    values = np.zeros(4)
    for _ in range(200):
        coming = np.array([[best_mean(laws[g, a], radii[g, a], values) for a in range(2)] for g in range(4)])
        of_pairs = rewards + discount * coming
        values = of_pairs.max(axis=1)
    return of_pairs


def test_ucrl2_plan_matches_extended_value_iteration():
    agent, seen, step, rng = trained("ucrl2")
    laws, rewards, visits = estimated(seen)
    pairs, at_least_one = 8, np.maximum(visits, 1)
    rewards += np.sqrt(log(2 * pairs * EPISODES * step) / (2 * at_least_one))
    radii = np.sqrt(2 * log(pairs * EPISODES * 2**4 * step) / at_least_one)
    expected = action_values(laws, radii, rewards)
    best, table = expected.max(axis=1), agent.plan(rng).table
    assert (expected[np.arange(4), table] >= best - 1e-9).all()
    np.testing.assert_allclose(agent._memory.values, best, rtol=1e-9)
    np.testing.assert_allclose(agent._memory.radii, radii.T)  # so large here that values do not show them


@pytest.mark.parametrize("name", ["psrl", "psrl/dirichlet=2/successes=3/failures=4"])
def test_psrl_plans_optimally_for_draws_of_its_posterior(name):
    agent, seen, _, rng = trained(name)
    dirichlet, successes, failures = (2, 3, 4) if "/" in name else (1, 1, 1)
    draws, laws, rewards = 4000, [], []
    for k in range(draws):
        table = agent.plan(rng).table
        laws.append(agent._memory.laws.copy())
        rewards.append(agent._memory.rewards.copy())
        if k < 20:
            expected = action_values(laws[-1].swapaxes(0, 1), np.zeros((4, 2)), rewards[-1].T)
            assert (expected[np.arange(4), table] >= expected.max(axis=1) - 1e-9).all()
    for (g, a), moves in seen.items():
        counts = dirichlet + np.bincount([h for h, _ in moves], minlength=4)
        paid = sum(reward for _, reward in moves)
        wins, losses = successes + paid, failures + len(moves) - paid
        for drawn, one, all_of_them in (
            (np.array(laws)[:, a, g], counts, counts.sum()),
            (np.array(rewards)[:, a, g], wins, wins + losses),
        ):
            mean = one / all_of_them
            variance = mean * (1 - mean) / (all_of_them + 1)
            np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=5 * np.sqrt(np.max(variance) / draws))
            np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.25)
