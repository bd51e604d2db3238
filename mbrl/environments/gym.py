"""The same bandits for other libraries' agents: Gymnasium environments.

An observation is the state of every arm, an action the arm to play. Discounting is a geometric horizon: after every
step the episode ends with probability 1 - discount, so the undiscounted return of an episode has the discounted value
as its expectation (`eq:V-vs_R`). Rewards are in the model's own unit.

Importing this module makes them known to Gymnasium, ``module:identifier`` does both at once. A policy that another
library has learned is judged by `mbrl.experiments.judging`.

Examples
--------
>>> env = gymnasium.make("mbrl.environments.gym:mbrl/random-walk-v0")
>>> observation, info = env.reset(seed=1)
>>> observation
array([0, 0, 0])
>>> env = BanditEnv(random_walk())  # any Environment; gymnasium.make("mbrl/model-v0", path="my-bandit.json") for a file
>>> env.action_space
Discrete(3)
"""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mbrl.environments.environment import Environment
from mbrl.environments.models import counterexample, model_file, random_walk, task_scheduling
from mbrl.kernels.play import next_state, pay

Observation = NDArray[np.int64]


class BanditEnv(gymnasium.Env[Observation, np.int64]):
    """A Markovian bandit as a Gymnasium environment.

    Parameters
    ----------
    environment
        The true model.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  (Gymnasium's form)

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.observation_space = gymnasium.spaces.MultiDiscrete(environment.sizes)
        self.action_space = gymnasium.spaces.Discrete(environment.sizes.size)
        self._state: Observation = environment.starts[0].copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Draw an initial state; see `gymnasium.Env.reset`."""
        super().reset(seed=seed)
        law = self.environment.start_law
        self._state = self.environment.starts[self.np_random.choice(law.size, p=law)].copy()
        return self._state.copy(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an arm.

        Returns
        -------
        observation, reward, terminated, truncated, info
            Terminated with probability 1 - discount; never truncated.
        """
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is not an arm 0..{self.environment.sizes.size - 1}")
        environment, arm = self.environment, int(action)
        x = self._state[arm]
        for_move, for_reward, for_end = self.np_random.random(3)
        y = next_state(environment.transitions, arm, x, for_move)
        if environment.laws is None:
            reward = pay(environment.transition_rewards, arm, x, y, for_reward)
        else:
            reward = float(environment.laws.draw(self.np_random, np.array([arm]), np.array([x]))[0])
        self._state[arm] = y
        worth = environment.offset + environment.unit * reward
        return self._state.copy(), worth, bool(for_end >= environment.discount), False, {}


_NAMED: Final = {"random-walk": random_walk, "task-scheduling": task_scheduling, "counterexample": counterexample}


def make(name: str) -> BanditEnv:
    """Return the environment called ``random-walk``, ``task-scheduling`` or ``counterexample``, or of a model file."""
    return BanditEnv(_NAMED[name]() if name in _NAMED else model_file(name))


def from_file(path: str) -> BanditEnv:
    """Return the environment of a model file, which must say where play starts."""
    return BanditEnv(model_file(path))


def _register() -> None:
    for name in _NAMED:
        gymnasium.register(f"mbrl/{name}-v0", entry_point="mbrl.environments.gym:make", kwargs={"name": name})
    gymnasium.register("mbrl/model-v0", entry_point="mbrl.environments.gym:from_file")


_register()
