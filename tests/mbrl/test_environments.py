"""Environments: laws, files, Gymnasium."""

import json

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mbrl.environments import from_bandit, lower_bound, model_file, random_model, random_walk
from mbrl.environments.gym import BanditEnv, make
from theory import BanditError, nearest_float, paper_model, parse_model


@pytest.mark.parametrize("name", ["random-walk", "task-scheduling", "counterexample"])
def test_environments_pass_gymnasium_check_env(name):
    check_env(make(name), skip_render_check=True)


def test_gymnasium_step_refuses_an_unknown_arm():
    env = BanditEnv(random_walk())
    env.reset(seed=0)
    with pytest.raises(ValueError, match="not an arm"):
        env.step(np.int64(3))


def test_random_models_follow_the_prior():
    drawn = [random_model(np.random.default_rng(seed)) for seed in range(1500)]
    transitions = np.array([model.transitions for model in drawn])
    rewards = np.array([model.rewards for model in drawn])
    np.testing.assert_allclose(transitions.sum(axis=3), 1, atol=1e-12)
    assert transitions.min() >= 0
    assert (rewards[:, :, 1:3] == 0).all()
    np.testing.assert_allclose(rewards[:, :, [0, 3]].mean(axis=(0, 1)), 1 / 2, atol=0.02)
    np.testing.assert_allclose(transitions[:, :, 1].mean(axis=(0, 1)), [1 / 3, 1 / 3, 1 / 3, 0], atol=0.02)
    # p_R is Beta(1, 2), p_RL is Beta(1, 1)
    np.testing.assert_allclose(transitions[:, :, 0, 1].var(), 1 / 18, rtol=0.1)
    np.testing.assert_allclose(transitions[:, :, 3, 2].var(), 1 / 12, rtol=0.1)
    assert (transitions[:, :, 0, 1] == transitions[:, :, 2, 3]).all()


def test_lower_bound_couples_the_initial_states():
    drawn = lower_bound(np.random.default_rng(1), episodes=3000)
    assert (drawn.transitions == np.eye(4)).all()
    assert (drawn.starts == np.arange(4)[:, None]).all()
    assert ((drawn.rewards == drawn.rewards.max()).sum(axis=0) == 1).all()
    # tau = K / (2 S (1 - beta)) = 3000 / 0.08 = 37 500, and the gap is sqrt(n / tau) / 4
    np.testing.assert_allclose(drawn.rewards.max() - drawn.rewards.min(), np.sqrt(3 / 37_500) / 4, rtol=1e-6)


def test_model_file_needs_an_initial_state_to_be_played(tmp_path):
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"discount": "1/2", "initial": [0], "arms": [{"rewards": [0.5], "transitions": [[1]]}]}))
    assert model_file(path).rewards.tolist() == [[0.5]]
    path.write_text(json.dumps({"discount": "1/2", "arms": [{"rewards": [0.5], "transitions": [[1]]}]}))
    with pytest.raises(BanditError, match="where play starts"):
        model_file(path)


def test_transition_rewards_keep_the_exact_means():
    task = make("task-scheduling").environment
    exact = paper_model("task-scheduling")
    for a, arm in enumerate(exact.arms):
        np.testing.assert_allclose(task.rewards[a], [nearest_float(r) for r in arm.rewards], rtol=1e-15)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"rewards": ["1e400", 0]}, "arm 1, state x: reward 1e400 is beyond the range of floating-point numbers"),
        ({"reward_laws": ["constant", {"gaussian": "1e400"}]}, "arm 1, state 2: law of the reward: 1e400 is beyond the range of floating-point numbers"),
        ({"discount": "0.99999999999999999999"}, "discount: so near 1 that it is 1 in floating point; the exact commands take it"),
    ],
    ids=["reward", "law", "discount"],
)  # fmt: skip
def test_from_bandit_refuses_numbers_beyond_floats(changes, line):
    arm = {"states": ["x", "y"], "rewards": [1, 0], "transitions": [[1, 0], [0, 1]]}
    of_arm = {key: value for key, value in changes.items() if key != "discount"}
    content = {"discount": changes.get("discount", "1/2"), "arms": [arm | of_arm], "initial": [0]}
    with pytest.raises(BanditError) as raised:
        from_bandit(parse_model(json.dumps(content)), "huge")
    assert str(raised.value) == line
