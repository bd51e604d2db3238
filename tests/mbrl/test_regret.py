"""The regret of an episode."""

from dataclasses import replace

import numpy as np
import pytest

import theory
from mbrl.agents import make_agent
from mbrl.environments import Environment, lower_bound, random_walk, task_scheduling
from mbrl.experiments.regret import RegretMeter
from mbrl.experiments.simulation import horizons, simulate
from mbrl.kernels.gittins import checked_bandit_indices, indices_once, is_small
from mbrl.policies import IndexPolicy
from theory import nearest_float


def test_expected_regret_matches_exact_value_on_scenario_2():
    # a product of 11^9 states: only the conservation laws are feasible
    bandit, environment = theory.paper_model("task-scheduling"), task_scheduling()
    order = list(bandit.arm_states)
    exact = theory.gittins_value(bandit).value - theory.priority_value(bandit, order).value
    meter = RegretMeter(environment)
    found = meter.regret(IndexPolicy.from_priority(order, environment.sizes), 0)
    assert abs(found - nearest_float(exact)) <= 1e-9 * meter.optimal(0)


def test_monte_carlo_regret_averages_to_expected_regret():
    walk = replace(random_walk(), discount=0.9)
    episodes = 6000
    common = {"scenario": "test", "name": "random", "simulation": 0, "episodes": episodes, "seed": 3}
    exact, _ = simulate(walk, make_agent("random", walk, episodes), **common)
    sampled, _ = simulate(walk, make_agent("random", walk, episodes), **common, monte_carlo=True)
    difference = sampled - exact
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(episodes)
    assert difference.std() > 0


def test_regret_depends_on_the_initial_state():
    environment = lower_bound(np.random.default_rng(1), episodes=10)
    meter = RegretMeter(environment)
    policy = IndexPolicy.from_indices([[3.0] * 4, [2.0] * 4, [1.0] * 4], environment.sizes)
    gap = environment.rewards.max() - environment.rewards.min()
    best = environment.rewards.argmax(axis=0)
    for state in range(4):
        expected = 0 if best[state] == 0 else gap / (1 - environment.discount)
        assert abs(meter.regret(policy, state) - expected) < 1e-9


def walks(arms):
    """Return a bandit of copies of one arm, each in another state."""
    walk = random_walk()
    rows, means = (np.repeat(part[:1], arms, axis=0) for part in (walk.transitions, walk.transition_rewards))
    return Environment(f"{arms} arms", rows, means, np.full(arms, 4), 0.99, [np.arange(arms) % 4])


@pytest.mark.parametrize("arms", [1, 47, 312, 313])  # 313 * 4^3: above the limit
def test_interpreted_indices_equal_compiled_indices(arms, monkeypatch):
    environment = walks(arms)
    start, few = environment.starts[0], arms < 313
    model = (environment.transitions, environment.rewards, environment.sizes, environment.discount)
    indices, value = indices_once(*model), environment.optimal_value(start)
    assert (indices == checked_bandit_indices(*model)).all()
    assert value == environment.value(environment.optimal_policy, start)
    monkeypatch.setattr("mbrl.kernels.gittins.is_small", lambda rewards: not few)
    assert (indices_once(*model) == indices).all()
    assert environment.optimal_value(start) == value
    monkeypatch.undo()
    assert is_small(environment.rewards) == few


def test_horizons_have_the_geometric_mean_and_differ_by_simulation():
    walk = random_walk()
    lengths = horizons(walk, "random-walk", 0, 100_000, 1)
    assert lengths.min() == 1
    assert abs(lengths.mean() - 100) < 5 * 100 / np.sqrt(100_000)
    assert (lengths[:10] != horizons(walk, "random-walk", 1, 10, 1)).any()
