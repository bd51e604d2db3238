"""Models for comparisons with peers, and their conversion to floats."""

from __future__ import annotations

from itertools import product

import numpy as np
from flint import fmpq

from tests.theory.long_numbers import dense_arm
from theory import Arm, Bandit, nearest_float


def as_floats(values):
    """Return each number as the nearest float."""
    return np.array([nearest_float(value) for value in values])


def as_arrays(arm):
    """Transitions (S, S) and rewards (S,) in floating point."""
    return np.array([as_floats(row) for row in arm.transitions]), as_floats(arm.rewards)


def product_chain(arms, size=8):
    """A bandit of `arms` birth-and-death chains of `size` states each: size**arms global states.

    No two rewards are equal: on ties between arms, policy iteration in floating point can cycle.
    """

    def chain(a):
        rows = [[fmpq(0)] * size for _ in range(size)]
        for x, row in enumerate(rows):
            up, down = fmpq(1 + (x + a) % 3, 7 + x + a), fmpq(1 + (2 * x + a) % 4, 9 + x + 2 * a)
            row[min(x + 1, size - 1)] += up
            row[max(x - 1, 0)] += down
            row[x] += 1 - up - down
        rewards = [fmpq(10 * ((7 * x + 3 * a) % 10) + a, 100) for x in range(size)]
        return Arm(rewards=rewards, transitions=rows)

    return Bandit([chain(a) for a in range(arms)], "99/100", [size // 2] * arms)


def product_process(bandit):
    """The bandit as one decision process: rewards (N, n), transitions (N, n, N), and the number of each global state."""
    states = list(product(*(range(size) for size in bandit.sizes)))
    number = {state: k for k, state in enumerate(states)}
    rewards = np.zeros((len(states), len(bandit.arms)))
    transitions = np.zeros((len(states), len(bandit.arms), len(states)))
    for a, arm in enumerate(bandit.arms):
        Q, r = as_arrays(arm)
        for state, k in number.items():
            rewards[k, a] = r[state[a]]
            for y, probability in enumerate(Q[state[a]]):
                transitions[k, a, number[(*state[:a], y, *state[a + 1 :])]] += probability
    return rewards, transitions, number


def random_arm(size):
    """A dense arm, the same for the same size."""
    return dense_arm(np.random.default_rng(np.random.SeedSequence(7, spawn_key=(size,))), size)
