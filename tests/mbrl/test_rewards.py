"""Laws of rewards: draws, the unit that scales them for learners, and regret in the model's own unit."""

import json
from contextlib import nullcontext
from dataclasses import replace

import gymnasium
import numpy as np
import pytest

import mbrl
from mbrl.agents import AGENTS, make_agent
from mbrl.environments import from_bandit, model_file, random_walk, task_scheduling, with_rewards
from mbrl.environments.gym import BanditEnv
from theory import Arm, Bandit, BanditError, RewardLaw, nearest_float

LAWS = [RewardLaw.bernoulli("1/4"), RewardLaw.constant("1/2"), RewardLaw.gaussian("3/4", "1/3"),
    RewardLaw([-1, 0, 2], ["1/2", "1/4", "1/4"]), RewardLaw([0, 1], ["1/2", "1/2"], "1/5")]  # fmt: skip


def test_reward_unit_equals_range_or_twice_the_sub_gaussian_deviation():
    rows = np.roll(np.eye(len(LAWS), dtype=int), 1, axis=1).tolist()
    every = Arm(rewards=[law.mean for law in LAWS], transitions=rows, reward_laws=LAWS)
    environment = from_bandit(Bandit([every], "9/10", [0]), "all laws")
    assert environment.offset == -1
    assert environment.unit == 3  # from -1 to 2
    assert not environment.laws.bounded
    means = environment.rewards[0]
    np.testing.assert_allclose(means, [nearest_float(law.mean) for law in LAWS], rtol=1e-14)
    arm = Arm(rewards=[1], transitions=[[1]], reward_laws=[RewardLaw([0, 2], ["1/2", "1/2"], "3/4")])
    noisy = from_bandit(Bandit([arm], "1/2", [0]), "noisy")
    assert noisy.unit == 2.5  # an interval of width 2 and two deviations of 3/4: proxy (4 + 9/4) / 4


def test_learners_for_bounded_rewards_refuse_gaussian_rewards():
    environment = with_rewards(random_walk(), "gaussian:0.1")
    any_noise = {"mb-psrl-gaussian", "psrl-gaussian", "mb-ucrl2", "mb-ucbvi", "ucrl2", "ucbvi"}
    any_noise |= {"gittins-q", "oracle", "random"}
    for name in AGENTS:  # a new learner refuses, unless its class says that it does not need bounded rewards
        refused = pytest.raises(BanditError, match="it needs rewards from 0 to 1")
        with nullcontext() if name in any_noise else refused:
            make_agent(name, environment, 1)
    make_agent("mb-psrl", with_rewards(random_walk(), "constant"), 1)


def test_gymnasium_environment_pays_unscaled_rewards():
    arm = Arm(rewards=[-3], transitions=[[1]], reward_laws=[RewardLaw([-6, 0], ["1/2", "1/2"])])
    env = BanditEnv(from_bandit(Bandit([Arm(rewards=[0], transitions=[[1]]), arm], "1/2", [0, 0]), "costs"))
    env.reset(seed=1)
    assert {env.step(np.int64(1))[1] for _ in range(50)} == {-6.0, 0.0}


def test_model_file_passes_its_reward_laws_to_the_environment(tmp_path):
    path = tmp_path / "model.json"
    arm = {"rewards": ["1/2"], "transitions": [[1]], "reward_laws": {"gaussian": "1/10"}}
    path.write_text(json.dumps({"discount": "1/2", "initial": [0], "arms": [arm]}))
    environment = model_file(path)
    assert environment.laws.deviations.tolist() == [[0.1]]
    arm["reward_laws"] = "bernoulli"
    other = {"rewards": [2], "transitions": [[1]]}
    path.write_text(json.dumps({"discount": "1/2", "initial": [0, 0], "arms": [arm, other]}))
    laws = model_file(path).laws
    assert laws.values.tolist() == [[[0.0, 0.5]], [[1.0, 0.0]]]
    assert laws.cumulative.tolist() == [[[0.5, 1.0]], [[1.0, 1.0]]]


def paid_by(env, plays=40):
    env.reset(seed=1)
    return {float(env.step(np.int64(0))[1]) for _ in range(plays)}


def test_rewards_are_constant_unless_a_law_is_given(tmp_path):
    path = tmp_path / "machine.json"
    for mean, noise in ((136.33, {136.33}), (0.25, {0.25})):
        arm = {"rewards": [str(mean)], "transitions": [[1]]}
        path.write_text(json.dumps({"discount": "1/2", "initial": [0], "arms": [arm]}))
        assert paid_by(gymnasium.make("mbrl:mbrl/model-v0", path=str(path)).unwrapped) == noise
        assert paid_by(BanditEnv(mbrl.bandit([[[1]]], [[mean]], 0.5))) == noise
    environments = [
        gymnasium.make("mbrl:mbrl/model-v0", path=str(path), rewards="bernoulli").unwrapped,
        BanditEnv(mbrl.bandit([[[1]]], [[0.25]], 0.5, reward_laws="bernoulli")),
    ]
    assert [paid_by(env) for env in environments] == [{0.0, 1.0}] * 2
    noisy = gymnasium.make("mbrl:mbrl/random-walk-v0", rewards="gaussian:0.1").unwrapped
    assert len(paid_by(noisy)) == 40
    with pytest.raises(BanditError, match=r"arm 1, state 1: a Bernoulli reward has a mean from 0 to 1, not 2"):
        mbrl.bandit([[[1]]], [[2]], 0.5, reward_laws="bernoulli")


def test_run_in_python_accepts_the_rewards_option():
    coin = mbrl.bandit([[[1]], [[1]]], [[0.25], [0.5]], 0.5)
    results = {law: mbrl.run(coin, "mb-ucbvi", simulations=2, episodes=30, rewards=law) for law in (None, "bernoulli")}
    assert [each.attrs["title"] for each in results.values()] == ["bandit", "bandit; bernoulli rewards"]
    constant, drawn = (each["regret"].values for each in results.values())
    assert (constant != drawn).any()


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ("gaussian", "'gaussian' is none of"),
        ("gaussian:wide", "'wide' is not a number"),
        ("gaussian:-1", "the standard deviation -1 of a reward is negative"),
    ],
)
def test_with_rewards_refuses_unknown_laws(law, words):
    with pytest.raises(BanditError, match=words):
        with_rewards(random_walk(), law)


def test_constant_law_replaces_transition_rewards_by_their_means():
    task = with_rewards(task_scheduling(), "constant")
    np.testing.assert_allclose(task.rewards, task_scheduling().rewards)
    assert task.laws.bounded
    moved = replace(task, discount=0.5)
    assert moved.laws is task.laws
