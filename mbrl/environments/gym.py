"""Gymnasium environments of the same bandits, for agents of other libraries.

An observation is the state of every arm, an action the arm to play. Discounting is a geometric horizon: after every
step the episode ends with probability 1 - discount, so the undiscounted return of an episode has the discounted value
as its expectation (`eq:V-vs_R`). Rewards are in the model's own unit.

``import mbrl`` registers the identifiers. The prefix ``mbrl:`` lets Gymnasium import it, since version 1.0 does not
look for entry points. ``info["regret"]`` is the exact regret of an action. `mbrl.experiments.judging` evaluates a
policy that another library has learned.

Examples
--------
>>> env = gymnasium.make("mbrl:mbrl/random-walk-v0")
>>> observation, info = env.reset(seed=1)
>>> observation
array([0, 0, 0])
>>> env = BanditEnv(models.random_walk())  # any Environment; a file: gymnasium.make("mbrl/model-v0", path="my.json")
>>> env.action_space
Discrete(3)

Rewards follow the model's laws, or are its mean rewards if it has none; `rewards` gives another law:

>>> env = gymnasium.make("mbrl:mbrl/random-walk-v0", rewards="gaussian:0.1")
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mbrl.environments import models
from mbrl.environments.environment import Environment, with_rewards
from mbrl.kernels.play import Track, draw_laws, next_state, pay
from mbrl.registration import register

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
        first, *_ = environment.starts
        self._state: Observation = first.copy()
        self._value = lru_cache(100_000)(lambda *state: environment.value(environment.optimal_policy, state))

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
            Terminated with probability 1 - discount; never truncated. ``info["regret"]`` is the expected discounted
            loss of playing this arm now and optimally thereafter, in the model's own unit.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> env = make("random-walk")  # its discount is 99/100
        >>> for drawn in (0.989, 0.99):
        ...     env.np_random = SimpleNamespace(random=lambda count: (0.25, 0.5, drawn))
        ...     print(*env.step(np.int64(1))[1:4])
        0.0 False False
        0.0 True False
        >>> env = make("task-scheduling")
        >>> env.np_random = SimpleNamespace(random=lambda count: (0.999, 0.5, 0.0))
        >>> state, worth, *_ = env.step(np.int64(1))  # to the state "finished", which is paid
        >>> state[1], worth
        (np.int64(10), 1.0)
        """
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is not an arm 0..{self.environment.sizes.size - 1}")
        environment, arm = self.environment, int(action)
        x = self._state[arm]
        for_move, for_reward, for_end = self.np_random.random(3)
        y = next_state(environment.transitions, arm, x, for_move)
        reward = pay(environment.transition_rewards, arm, x, y, for_reward)
        track = Track(np.array([arm]), np.array([x]), np.array([y]), np.array([reward]))
        draw_laws(environment.world.laws, self.np_random, 1, track)
        info = {"regret": self._regret(arm)}
        self._state[arm] = y
        worth = environment.offset + environment.unit * float(track.rewards[0])
        return self._state.copy(), worth, bool(for_end >= environment.discount), False, info

    def _regret(self, arm: int) -> float:
        """Return the loss of playing `arm` in the present state, from the optimal values before and after."""
        environment, x = self.environment, self._state[arm]
        after, expected = self._state.copy(), environment.rewards[arm, x]
        for y in np.flatnonzero(environment.transitions[arm, x]):
            after[arm] = y
            expected += environment.discount * environment.transitions[arm, x, y] * self._value(*after)
        return max(0.0, float(self._value(*self._state) - expected))


def make(name: str, path: str = "", rewards: str | None = None) -> BanditEnv:
    """Return an environment.

    Parameters
    ----------
    name
        ``random-walk``, ``task-scheduling``, ``counterexample`` or ``model``.
    path
        The file of the ``model``, which must have an initial state.
    rewards
        Law of rewards that replaces the model's: ``bernoulli``, ``constant`` or ``gaussian:DEVIATION``.
    """
    played = models.model_file(path) if name == "model" else getattr(models, name.replace("-", "_"))()
    return BanditEnv(played if rewards is None else with_rewards(played, rewards))


register()
