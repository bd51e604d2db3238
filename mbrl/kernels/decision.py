r"""Policy iteration for a Markov decision process without structure: what the learners on the global process solve.

States and actions are numbered; rows of all pairs are dense. With L1 radii the next-state law is also maximised over,
as in extended value iteration (Auer, Jaksch and Ortner, JMLR 11, 2010); one ordering of the states by value serves all
pairs. With radii zero this is ordinary policy iteration.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import kernel
from mbrl.kernels.extended import greedy_row, order_by_value
from mbrl.kernels.product import solve_dominant

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_RELATIVE_LOSS = 1e-10
_ROUNDING = 2e-15
_TIE = 1e-13
_MOST_ITERATIONS = 1000


@kernel
def improve_pairs(
    laws: Floats, radii: Floats, rewards: Floats, discount: float, values: Floats, policy: Integers, rows: Floats
) -> float:
    """Make `policy` and `rows` greedy for `values`, in place, and return the largest ``T V - V``."""
    count, actions = rewards.shape
    largest = 0.0
    for g in range(count):
        largest = max(largest, abs(values[g]))
    order = np.empty(count, np.int64)
    order_by_value(values, order)
    row = np.empty(count)
    best_row = np.empty(count)
    kept_row = np.empty(count)
    gain = -np.inf
    for g in range(count):
        best, best_action, kept = -np.inf, 0, -np.inf
        for action in range(actions):
            if radii[g, action] > 0.0:
                expectation = greedy_row(laws[g, action], radii[g, action], values, order, row)
            else:
                expectation = 0.0
                for h in range(count):
                    row[h] = laws[g, action, h]
                    expectation += row[h] * values[h]
            candidate = rewards[g, action] + discount * expectation
            if candidate > best:
                best, best_action = candidate, action
                for h in range(count):
                    best_row[h] = row[h]
            if policy[g] == action:
                kept = candidate
                for h in range(count):
                    kept_row[h] = row[h]
        gain = max(gain, best - values[g])
        if kept >= best - _TIE * largest:
            for h in range(count):
                rows[g, h] = kept_row[h]
        else:
            policy[g] = best_action
            for h in range(count):
                rows[g, h] = best_row[h]
    return gain


@kernel
def solve_decision_process(
    laws: Floats, radii: Floats, rewards: Floats, discount: float, values: Floats, policy: Integers
) -> tuple[float, int]:
    """Solve a (possibly extended) decision process, from a warm start.

    Parameters
    ----------
    laws : (G, A, G)
        Next-state law of every pair of state and action.
    radii : (G, A)
        L1 radius around each law; zero for an ordinary decision process.
    rewards : (G, A)
    discount
    values : (G,), policy : (G,) int64
        A warm start; at the end the optimal values and a policy that attains them.

    Returns
    -------
    gap, iterations
        As in `mbrl.kernels.extended.optimistic_values`.
    """
    count = values.size
    rows = np.empty((count, count))
    matrix = np.empty((count, count))
    improve_pairs(laws, radii, rewards, discount, values, policy, rows)
    for iteration in range(1, _MOST_ITERATIONS + 1):
        for g in range(count):
            for h in range(count):
                matrix[g, h] = -discount * rows[g, h]
            matrix[g, g] += 1.0
            values[g] = rewards[g, policy[g]]
        solve_dominant(matrix, values)
        gain = improve_pairs(laws, radii, rewards, discount, values, policy, rows)
        largest = 0.0
        for g in range(count):
            largest = max(largest, abs(values[g]))
        if gain <= max(_RELATIVE_LOSS * (1.0 - discount), _ROUNDING) * largest:
            return max(gain, 0.0) / (1.0 - discount), iteration
    return -1.0, _MOST_ITERATIONS
