"""The exact answers to the questions of `mbrl.kernels`, in which each float is the rational number that it is."""

import numpy as np

import theory
from mbrl.kernels import exact_bandit
from theory import nearest_float, value_of_float


def bandit_of(transitions, rewards, sizes, discount):
    return exact_bandit(np.asarray(transitions, dtype=float), np.asarray(rewards, dtype=float), sizes, discount)


def exact_priority_value(transitions, rewards, sizes, start, order, discount):
    priority = [divmod(int(place), np.shape(rewards)[1]) for place in order]
    bandit = bandit_of(transitions, rewards, sizes, discount)
    return nearest_float(theory.priority_value(bandit, priority, [int(x) for x in start]).value)


def exact_table_value(transitions, rewards, sizes, start, table, discount):
    plays = dict(zip(np.ndindex(*map(int, sizes)), map(int, table), strict=True))
    values = theory.policy_value(bandit_of(transitions, rewards, sizes, discount), plays)
    return nearest_float(values[tuple(map(int, start))])


def exact_indices(transitions, rewards, sizes, discount):
    """Return the indices as floats, and the arm states in their exact order, of equal ones the first one first."""
    bandit, width = bandit_of(transitions, rewards, sizes, discount), np.shape(rewards)[1]
    found = [theory.gittins_indices(arm, bandit.discount) for arm in bandit.arms]
    order = sorted(bandit.arm_states, key=lambda state: found[state[0]][state[1]], reverse=True)
    return [list(map(nearest_float, of_arm)) for of_arm in found], [a * width + x for a, x in order]


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


def exact_optimistic_values(*model):
    """Return the values of `exact_optimism` as an array of floats."""
    best = exact_optimism(*model)
    return np.array([nearest_float(best.values[state]) for state in np.ndindex(*map(int, model[3]))])
