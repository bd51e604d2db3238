"""A learner in any Gymnasium environment that shows the states of its arms, and whose action is an arm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mbrl.agents import Problem, Trajectory
from mbrl.agents.registry import agent_of, canonical_name
from mbrl.arrays import Integers
from mbrl.environments.gym import BanditEnv
from mbrl.experiments.seeds import generator
from mbrl.experiments.settings import DEFAULT_SEED, whole
from mbrl.experiments.simulation import checked_copy
from mbrl.importing import blaming, name_of
from mbrl.policies import IndexPolicy, Policy
from theory import BanditError
from theory.errors import shown

_DISCOUNT: Final = 0.99


@dataclass(frozen=True)
class Played:
    """The rewards that a learner collected in an environment.

    Attributes
    ----------
    rewards : (K,) float64
        The sum of the rewards of each episode.
    lengths : (K,) int64
        Number of steps of each episode.
    policy
        The policy of the last episode.
    """

    rewards: NDArray[np.float64]
    lengths: Integers
    policy: Policy


def play(
    env: gymnasium.Env[Any, Any],
    agent: str | Callable[..., Any] = "mb-psrl",
    *,
    episodes: int = 500,
    discount: float | None = None,
    lowest: float = 0.0,
    highest: float = 1.0,
    seed: int = DEFAULT_SEED,
) -> Played:
    """Let a learner play a Gymnasium environment that shows the states of all arms and takes an arm as the action.

    An episode has a geometric number of steps of mean 1/(1 - `discount`), or fewer if the environment ends it earlier;
    so the expected sum of its rewards is the discounted value. Environments of this package (`mbrl.environments.gym`)
    end episodes themselves, and define discount and rewards.

    Parameters
    ----------
    env
        An environment. Observations are of `MultiDiscrete`, or a `Tuple` of `Discrete`, one per arm, or one `Discrete`
        of size 1 if arms have no states; actions are `Discrete`, as many as arms.
    agent
        The name of a learner, or ``module:attribute``, with options; or a class or function that makes one.
    episodes, seed
    discount
        ``0 <= discount < 1``; 0.99 by default.
    lowest, highest
        Range of the rewards; learners see them scaled to 0..1.

    Raises
    ------
    BanditError
        If the spaces are not those of arms, an arm moves without being played, a reward is out of range, the learner
        needs the true model, or `episodes` or `seed` is refused as by `mbrl.run`.

    Examples
    --------
    >>> env = gymnasium.make("mbrl:mbrl/random-walk-v0")
    >>> played = play(env, "mb-psrl", episodes=20)
    >>> played.rewards.shape, played.policy.indices.shape
    ((20,), (3, 4))
    """
    episodes, seed = whole("episodes", episodes), whole("seed", seed)
    sizes, agent = _sizes(env), canonical_name(agent if isinstance(agent, str) else name_of(agent))
    ours = env.unwrapped.environment if isinstance(env.unwrapped, BanditEnv) else None
    if ours is not None:
        discount, lowest, unit, bounded = ours.discount, ours.offset, ours.unit, ours.has_bounded_rewards
    else:
        discount, unit, bounded = _DISCOUNT if discount is None else discount, highest - lowest, True
        if not 0 <= discount < 1:
            raise BanditError(f"play: discount {discount} is not in [0, 1)")
        if not 0 < unit < np.inf:
            raise BanditError(f"play: rewards {lowest}..{highest} are no range: give highest above lowest")
    planning, playing = (generator(seed, "gymnasium", 0, agent, purpose) for purpose in ("plan", "play"))
    learner = agent_of(agent, Problem(sizes, discount, episodes, bounded))
    rewards, lengths = np.zeros(episodes), np.zeros(episodes, dtype=np.int64)
    for k in range(episodes):
        with blaming(f"agent {agent}, episode {k + 1}"):
            policy = checked_copy(sizes, int(sizes.max()), learner.plan(planning))
        most = np.inf if ours is not None else playing.geometric(1 - discount)
        state = _observed(env.reset(seed=int(playing.integers(2**31)) if k == 0 else None)[0], sizes)
        start, over = state, False
        steps: list[tuple[int, int, int, float]] = []
        while not over and len(steps) < most:
            arm = _arm_in(state, policy, sizes)
            shown, reward, ended, cut, _ = env.step(arm)
            after, over = _observed(shown, sizes), ended or cut
            where = f"episode {k + 1}, step {len(steps) + 1}"
            for a in np.flatnonzero(np.delete(after != state, arm)):
                raise BanditError(f"{where}: arm {a + 1 + (a >= arm)} moves while arm {arm + 1} is played: no bandit")
            seen = (float(reward) - lowest) / unit
            if bounded and not 0 <= seen <= 1:
                raise BanditError(
                    f"{where}: reward {reward} is outside {lowest:g}..{lowest + unit:g}; "
                    "give the least and the largest reward as lowest and highest"
                )
            steps.append((arm, int(state[arm]), int(after[arm]), seen))
            rewards[k] += float(reward)
            state = after
        lengths[k] = len(steps)
        *moves, paid = zip(*steps, strict=True)
        arms, states, following = np.array(moves, dtype=np.int64)
        with blaming(f"agent {agent}, episode {k + 1}"):
            learner.observe(Trajectory(start, arms, states, following, np.array(paid)))
    return Played(rewards, lengths, policy)


def _sizes(env: gymnasium.Env[Any, Any]) -> Integers:
    """Return the number of states of each arm, according to the spaces of `env`."""
    if not isinstance(env, gymnasium.Env):
        raise BanditError(
            f"a Gymnasium environment is wanted, not {shown(env)}; mbrl.run plays a bandit of this package"
        )
    states, played = env.observation_space, env.action_space
    arms = int(played.n) if isinstance(played, spaces.Discrete) and played.start == 0 else 0
    sizes: Any = []
    if isinstance(states, spaces.MultiDiscrete) and not states.start.any():
        sizes = states.nvec.ravel()
    elif isinstance(states, spaces.Tuple) and all(
        isinstance(arm, spaces.Discrete) and arm.start == 0 for arm in states
    ):
        sizes = [arm.n for arm in states]
    elif isinstance(states, spaces.Discrete) and states.n == 1:
        sizes = [1] * arms
    if not arms or len(sizes) != arms:
        raise BanditError(
            "play: an observation is to be the state of each arm, as MultiDiscrete, and an action the number of one, "
            f"as Discrete; here they are {states} and {played}"
        )
    return np.array(sizes, dtype=np.int64)


def _observed(shown: Any, sizes: Integers) -> Integers:
    """Return the global state of an observation."""
    if sizes.max() == 1:
        return np.zeros(sizes.size, dtype=np.int64)
    state = np.array(shown, dtype=np.int64).ravel()
    if state.size != sizes.size or not ((state >= 0) & (state < sizes)).all():
        raise BanditError(f"play: {shown} is no global state of arms of {sizes.tolist()} states")
    return state


def _arm_in(state: Integers, policy: Policy, sizes: Integers) -> int:
    """Return the arm that `policy` plays."""
    if isinstance(policy, IndexPolicy):
        return int(policy.ranks[np.arange(sizes.size), state].argmin())
    return int(policy.table[np.ravel_multi_index(tuple(state), tuple(sizes))])
