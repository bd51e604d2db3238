"""The exact answers to the questions of `mbrl.kernels`, in which each float is the rational number that it is."""

import numpy as np

import theory
from mbrl.kernels import exact_bandit
from theory import value_of_float


def bandit_of(transitions, rewards, sizes, discount):
    return exact_bandit(np.asarray(transitions, dtype=float), np.asarray(rewards, dtype=float), sizes, discount)


def exact_priority_value(transitions, rewards, sizes, start, order, discount):
    priority = [divmod(int(place), np.shape(rewards)[1]) for place in order]
    bandit = bandit_of(transitions, rewards, sizes, discount)
    return theory.priority_value(bandit, priority, [int(x) for x in start]).value


def exact_table_value(transitions, rewards, sizes, start, table, discount):
    plays = dict(zip(np.ndindex(*map(int, sizes)), map(int, table), strict=True))
    values = theory.policy_value(bandit_of(transitions, rewards, sizes, discount), plays)
    return values[tuple(map(int, start))]


def exact_optimism(transitions, radii, rewards, sizes, discount):
    """Return the result of extended value iteration: `theory.optimistic_value` by global state."""
    centre = bandit_of(transitions, rewards, sizes, discount)
    arms = [
        theory.Arm(
            transitions=arm.transitions,
            rewards=arm.rewards,
            transition_radius=[value_of_float(radius) for radius in radii[a][: arm.size]],
        )
        for a, arm in enumerate(centre.arms)
    ]
    return theory.optimistic_value(theory.Bandit(arms, centre.discount, [0] * len(arms)))
