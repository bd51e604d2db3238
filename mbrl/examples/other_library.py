"""A policy that another library learns through Gymnasium, judged by its exact regret.

``python -m mbrl.examples.other_library`` trains a deep Q-network of Stable-Baselines3 (extra ``rl``) on the bandit of
``bandit.json`` for 8000 steps, and prints the regret of its greedy policy before and after. The regret needs no played
episode: a linear system gives the value of a policy.
"""

from __future__ import annotations

from pathlib import Path

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mbrl.environments.gym import BanditEnv
from mbrl.experiments.judging import Judgement, judge

MODEL = Path(__file__).with_name("bandit.json")


def train_and_judge() -> tuple[Judgement, Judgement]:
    """Return the judgements of the policy before and after training."""
    import torch  # noqa: PLC0415  (the extra "rl", with its dependency)
    from stable_baselines3 import DQN  # noqa: PLC0415

    torch.set_num_threads(1)  # faster for networks this small
    env = gymnasium.make("mbrl/model-v0", path=str(MODEL))
    assert isinstance(env.unwrapped, BanditEnv)
    truth = env.unwrapped.environment
    # an episode ends with probability 1 - discount after every step, so rewards must not be discounted again
    how = {"learning_starts": 200, "exploration_fraction": 0.5, "seed": 1}  # equivalent: as good as others
    learner = DQN("MlpPolicy", env, gamma=1.0, device="cpu", **how)

    def play(state: NDArray[np.int64]) -> int:
        return int(learner.predict(state, deterministic=True)[0])

    before = judge(truth, play)
    learner.learn(8000)
    return before, judge(truth, play)


if __name__ == "__main__":
    for when, judged in zip(("before", "after"), train_and_judge(), strict=True):
        print(f"{when}: value {judged.value:.4f} of {judged.optimal:.4f}, regret {judged.regret:.2g} an episode")
