"""Learners in Gymnasium environments of other packages."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

import mbrl
from theory import BanditError


class Machines(gymnasium.Env):
    """Two machines that pay 0.9 once and 0.1 afterwards, and one that always pays 0.5."""

    observation_space = spaces.MultiDiscrete([2, 2, 1])
    action_space = spaces.Discrete(3)

    def __init__(self, *, drifts=False, pays=1.0, length=10**9):
        self.drifts, self.pays, self.length = drifts, pays, length

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state, self.steps = np.zeros(3, dtype=np.int64), 0
        return self.state.copy(), {}

    def step(self, action):
        reward = self.pays * (0.5 if action == 2 else (0.9, 0.1)[self.state[action]])
        if action < 2:
            self.state[action] = 1
            if self.drifts:
                self.state[1 - action] = 1
        self.steps += 1
        return self.state.copy(), reward, False, self.steps == self.length, {}


class Coins(gymnasium.Env):
    """A classical bandit: arms without states."""

    observation_space = spaces.Discrete(1)
    action_space = spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}

    def step(self, action):
        return 0, float(self.np_random.random() < (0.1, 0.8, 0.2)[action]), False, False, {}


ROWS = [[[0, 1], [0, 1]], [[0, 1], [0, 1]], [[1]]]


@pytest.mark.parametrize("agent", ["mb-psrl", "mb-ucbvi/scale=0.01"])
def test_learners_find_the_optimal_policy_of_a_foreign_environment(agent):
    env = Machines()
    check_env(env, skip_render_check=True)
    played = mbrl.play(env, agent, episodes=100, discount=0.9, seed=3)
    true = mbrl.bandit(ROWS, [[0.9, 0.1], [0.9, 0.1], [0.5]], 0.9)
    assert mbrl.judge(true, played.policy).regret == 0
    assert played.lengths.mean() == pytest.approx(10, rel=0.3)
    again = mbrl.play(Machines(), agent, episodes=100, discount=0.9, seed=3)
    assert (again.rewards == played.rewards).all()
    best = 0.9 * 2 + 0.5 * (played.lengths - 2)  # both machines once, then the one that does not wear
    assert (played.rewards <= best + 1e-9)[played.lengths > 2].all()
    assert played.rewards[-1] == pytest.approx(best[-1])


def test_play_accepts_stateless_arms_and_checks_reward_bounds():
    coins = mbrl.play(Coins(), episodes=60, discount=0.9)
    assert coins.policy.order[0] == 1
    dear = mbrl.play(Machines(pays=-100, length=3), episodes=20, lowest=-90, highest=0)
    assert dear.lengths.max() == 3
    with pytest.raises(
        BanditError,
        match=r"episode 1, step 1: reward -.* is outside -1\.\.0; give the least and the largest reward as lowest and highest",
    ):
        mbrl.play(Machines(pays=-100), episodes=1, lowest=-1, highest=0)


def test_play_takes_the_discount_of_a_registered_environment():
    env = gymnasium.make("mbrl:mbrl/counterexample-v0")
    assert mbrl.play(env, episodes=200, discount=0.99).lengths.mean() == pytest.approx(2, rel=0.2)  # it has 1/2


@pytest.mark.parametrize(
    ("env", "agent", "words"),
    [
        (gymnasium.make("CartPole-v1"), "random", "an observation is to be the state of each arm, as MultiDiscrete"),
        (Machines(drifts=True), "mb-psrl", r"episode \d, step \d+: arm [12] moves while arm [12] is played"),
        (Machines(), "oracle", "agent oracle: it needs the true model"),
    ],
)
def test_play_refuses_other_environments_and_the_oracle(env, agent, words):
    with pytest.raises(BanditError, match=words):
        mbrl.play(env, agent, episodes=3)
