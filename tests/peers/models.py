"""Models for comparisons with peers, and their conversion to floats."""

from __future__ import annotations

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


def product_process(arms):
    """The product of arms of transitions and rewards: a sparse matrix (N, N) for each arm, and the rewards (N, n)."""
    from scipy.sparse import csr_matrix, identity, kron

    matrices, rewards = [], []
    for played, (rows, paid) in enumerate(arms):
        matrix, of_arm = csr_matrix([[1.0]]), np.zeros(1)
        for number, (_, others) in enumerate(arms):
            size = len(others)
            matrix = kron(matrix, rows if number == played else identity(size), format="csr")
            of_arm = np.add.outer(of_arm, paid if number == played else np.zeros(size)).ravel()
        matrices.append(matrix)
        rewards.append(of_arm)
    return matrices, np.stack(rewards, axis=1)


def random_arm(size):
    """A dense arm, the same for the same size."""
    return dense_arm(np.random.default_rng(np.random.SeedSequence(7, spawn_key=(size,))), size)
