"""A bandit to play in: floating-point transitions, rewards of 0 or 1 on transitions, and a law of initial states.

Rewards are Bernoulli, as in the paper's experiments. Where a model's mean rewards exceed 1 they are measured in units
of the largest, so that a reward is 0 or 1 unit; values and regrets are given in the model's own unit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from mbrl.policies import IndexPolicy, Policy
from theory import Bandit, ModelError, nearest_float

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Environment:
    """What the true model is; learners see only its `Problem`.

    Attributes
    ----------
    name : str
    transitions : (n, S, S)
        Arm a uses its first ``sizes[a]`` states; zero elsewhere.
    transition_rewards : (n, S, S)
        Probability of the reward 1 on each transition.
    sizes : (n,) int64
    discount : float
    starts : (m, n) int64
        Possible initial global states, at least one.
    start_law : (m,)
        Their probabilities.
    unit : float
        What a reward of 1 is worth in the model's own unit.
    """

    name: str
    transitions: Floats
    transition_rewards: Floats
    sizes: Integers
    discount: float
    starts: Integers
    start_law: Floats = field(default_factory=lambda: np.ones(1))
    unit: float = 1.0

    def __post_init__(self) -> None:
        if self.transition_rewards.min() < 0 or self.transition_rewards.max() > 1:
            raise ModelError(f"{self.name}: the probability of a reward is outside 0..1")
        if len(self.starts) != len(self.start_law):
            raise ModelError(f"{self.name}: {len(self.starts)} initial states but {len(self.start_law)} probabilities")

    @cached_property
    def rewards(self) -> Floats:
        """(n, S) mean rewards of playing each arm state, in units."""
        means: Floats = (self.transitions * self.transition_rewards).sum(axis=2)
        return means

    @cached_property
    def cumulative(self) -> Floats:
        """(n, S, S) cumulative transition rows, exactly 1 from the last possible next state on."""
        sums = np.cumsum(self.transitions, axis=2)
        width = sums.shape[2]
        for a, size in enumerate(self.sizes):
            for x in range(size):
                last = int(np.flatnonzero(self.transitions[a, x])[-1])
                sums[a, x, last:width] = 1.0
        return sums

    @property
    def number_of_global_states(self) -> int:
        """Size of the product of the arms' state spaces."""
        return prod(int(size) for size in self.sizes)

    @cached_property
    def optimal_policy(self) -> IndexPolicy:
        """The Gittins index policy of the true model."""
        from mbrl.kernels.gittins import bandit_indices  # noqa: PLC0415  (numba is loaded when first needed)

        indices = bandit_indices(self.transitions, self.rewards, self.sizes, self.discount)
        return IndexPolicy.from_indices(indices, self.sizes)

    def value(self, policy: Policy, start: Integers) -> float:
        """Return the expected total discounted reward of `policy` from `start`, in units.

        Priority policies by the conservation laws, tables by a linear system on the reachable global states.
        """
        from mbrl.kernels.conservation import priority_value  # noqa: PLC0415
        from mbrl.kernels.product import table_value  # noqa: PLC0415

        if isinstance(policy, IndexPolicy):
            return priority_value(self.transitions, self.rewards, self.sizes, start, policy.order, self.discount)
        return table_value(self.transitions, self.rewards, self.sizes, start, policy.table, self.discount)


def from_bandit(bandit: Bandit, name: str) -> Environment:
    """Return the environment of an exact bandit, with Bernoulli rewards of the given means.

    Raises
    ------
    ModelError
        If the bandit has no initial state, or a negative mean reward.
    """
    sizes = np.array(bandit.sizes, dtype=np.int64)
    arms, width = sizes.size, int(sizes.max())
    transitions = np.zeros((arms, width, width))
    rewards = np.zeros((arms, width))
    for a, arm in enumerate(bandit.arms):
        for x in range(arm.size):
            if arm.rewards[x] < 0:
                raise ModelError(
                    f"arm {a + 1}, state {arm.states[x]}: reward {arm.rewards[x]} is negative; "
                    "learners need rewards of at least 0"
                )
            rewards[a, x] = nearest_float(arm.rewards[x])
            transitions[a, x, : arm.size] = [nearest_float(p) for p in arm.transitions[x]]
    unit = max(1.0, float(rewards.max()))
    return Environment(
        name=name,
        transitions=transitions,
        transition_rewards=np.repeat((rewards / unit)[:, :, None], width, axis=2),
        sizes=sizes,
        discount=nearest_float(bandit.discount),
        starts=np.array([bandit.start()], dtype=np.int64),
        unit=unit,
    )
