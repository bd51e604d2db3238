"""Play and counting."""

import numpy as np
import pytest

from mbrl.agents import Problem, Trajectory
from mbrl.agents.statistics import ArmStatistics, GlobalStatistics
from mbrl.environments import random_model, random_walk, task_scheduling
from mbrl.experiments.simulation import play
from mbrl.kernels import priority_table
from mbrl.policies import IndexPolicy, TablePolicy


def trajectory_of(environment, seed=1, length=5000, table=False):
    rng = np.random.default_rng(seed)
    policy = IndexPolicy.from_indices(rng.random(environment.rewards.shape), environment.sizes)
    played = TablePolicy(priority_table(environment.sizes, policy.ranks)) if table else policy
    return policy, play(environment, played, environment.starts[0], length, rng)


@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("arms", [1, 2, 3, 5, 60])
def test_only_the_most_urgent_arm_moves_and_rows_are_respected(arms, ties):
    rng = np.random.default_rng(arms)
    model = random_model(rng, arms)
    for _ in range(20):
        indices = rng.integers(0, 6, model.rewards.shape)  # many are equal
        policy = IndexPolicy.from_indices(indices, model.sizes, ties=ties)
        seen = play(model, policy, model.starts[0], 200, rng)
        state = model.starts[0].copy()
        for arm, x, y in zip(seen.arms, seen.states, seen.next_states, strict=True):
            best = np.flatnonzero(indices[np.arange(arms), state] == indices[np.arange(arms), state].max())
            assert arm == best[0 if ties == "first" else -1]
            assert x == state[arm]
            assert model.transitions[arm, x, y] > 0
            state[arm] = y


def test_tables_and_priorities_play_alike():
    walk = random_walk()
    _, by_priority = trajectory_of(walk)
    _, by_table = trajectory_of(walk, table=True)
    for name in ("arms", "states", "next_states", "rewards"):
        assert (getattr(by_priority, name) == getattr(by_table, name)).all()


def test_frequencies_are_those_of_the_model():
    walk = random_walk()
    statistics = ArmStatistics(Problem(walk.sizes, walk.discount, 1))
    for seed in range(20):
        statistics.observe(trajectory_of(walk, seed)[1])
    visits, rewards, rows = statistics.estimates()
    seen = visits > 500
    assert seen.sum() >= 4
    tolerance = 5 / np.sqrt(np.maximum(visits, 1))
    assert (np.abs(rewards - walk.rewards) <= tolerance)[seen].all()
    assert (np.abs(rows - walk.transitions).max(axis=2) <= tolerance)[seen].all()
    assert statistics.step == 1 + 20 * 5000


def test_reward_is_paid_on_the_move_to_finished():
    _, seen = trajectory_of(task_scheduling(), length=400)
    finishing = (seen.next_states == 10) & (seen.states != 10)
    assert finishing.any()
    assert (seen.rewards == finishing).all()


def test_the_last_steps_true_next_state_is_counted():
    walk = random_walk()
    _, seen = trajectory_of(walk, length=1)
    arms, world = (kind(Problem(walk.sizes, walk.discount, 1)) for kind in (ArmStatistics, GlobalStatistics))
    arms.observe(seen)
    world.observe(seen)
    a, x, y = seen.arms[0], seen.states[0], seen.next_states[0]
    assert arms.moves[a, x, y] == 1
    assert arms.moves.sum() == 1
    after = walk.starts[0].copy()
    after[a] = y
    assert (
        world.moves[np.ravel_multi_index(walk.starts[0], walk.sizes), a, np.ravel_multi_index(after, walk.sizes)] == 1
    )


def test_rows_never_played_are_uniform_over_the_arms_own_states():
    statistics = ArmStatistics(Problem(np.array([2, 3]), 0.5, 1))
    _, rewards, rows = statistics.estimates()
    assert (rewards == 0).all()
    np.testing.assert_allclose(rows[0, 0], [0.5, 0.5, 0])
    np.testing.assert_allclose(rows[1, 0], [1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize("kind", [ArmStatistics, GlobalStatistics])
def test_rewards_and_their_squares_are_summed(kind):
    statistics = kind(Problem(np.array([1]), 0.5, 1))
    for rewards in ([3.0, -1.0], [0.5]):
        here = np.zeros(len(rewards), dtype=np.int64)
        statistics.observe(Trajectory(np.zeros(1, dtype=np.int64), here, here, here, np.array(rewards)))
    assert statistics.sums == 2.5
    assert statistics.squares == 10.25
