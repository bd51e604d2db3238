r"""Policy iteration for a Markov decision process without structure: what the learners on the global process solve.

States and actions are numbered; rows of all pairs are dense. With L1 radii the next-state law is also maximised over,
as in extended value iteration (Auer, Jaksch and Ortner, JMLR 11, 2010); one ordering of the states by value serves all
pairs. With radii zero this is ordinary policy iteration. Evaluation is without subtraction (`mbrl.kernels.chains`);
gains are computed of differences, and the iteration ends, as in `mbrl.kernels.extended`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.chains import solve_class
from mbrl.kernels.compiling import kernel
from mbrl.kernels.elimination import UNIT
from mbrl.kernels.extended import greedy_gain, greedy_row

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_TIE = 16 * UNIT
_MOST_ITERATIONS = 1000


@kernel
def product_sum(left: Floats, right: Floats) -> float:
    """Return the sum of the products of two vectors, in four partial sums, which a processor adds at once."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    whole = left.size - left.size % 4
    for j in range(0, whole, 4):
        first += left[j] * right[j]
        second += left[j + 1] * right[j + 1]
        third += left[j + 2] * right[j + 2]
        fourth += left[j + 3] * right[j + 3]
    for j in range(whole, left.size):
        first += left[j] * right[j]
    return (first + second) + (third + fourth)


@kernel
def improve_pairs(
    laws: Floats, radii: Floats, rewards: Floats, discount: float, values: Floats, policy: Integers, order: Integers
) -> tuple[float, float]:
    """Make `policy` greedy for `values`, in place; write into `order` the states by increasing value.

    Returns
    -------
    gain, rounding
        The largest ``T V - V``, and how far it can be from the exact one.
    """
    count, actions = rewards.shape
    order[:] = np.argsort(values, kind="mergesort")
    low, high = values[order[0]], values[order[count - 1]]
    largest = max(abs(low), abs(high))
    most, reward = -np.inf, 0.0
    differences = np.empty(count)
    for g in range(count):
        here = values[g]
        for h in range(count):
            differences[h] = values[h] - here
        best, best_action, kept = -np.inf, 0, -np.inf
        for action in range(actions):
            if radii[g, action] > 0.0:
                moved = greedy_gain(laws[g, action], radii[g, action], values, order, here)
            else:
                moved = product_sum(laws[g, action], differences)
            gain = rewards[g, action] + discount * moved - (1.0 - discount) * here
            reward = max(reward, abs(rewards[g, action]))
            if gain > best:
                best, best_action = gain, action
            if policy[g] == action:
                kept = gain
        most = max(most, best)
        if kept < best - _TIE * largest:
            policy[g] = best_action
    rounding = (4.0 * count + 8.0) * UNIT * (reward + discount * (high - low) + (1.0 - discount) * largest)
    return most, rounding


@kernel
def solve_decision_process(
    laws: Floats, radii: Floats, rewards: Floats, discount: float, values: Floats, policy: Integers
) -> tuple[float, int]:
    """Solve a (possibly extended) decision process, from a warm start; nothing is checked.

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
        As in `mbrl.kernels.extended.solve_extended`.
    """
    count = values.size
    order, row = np.empty(count, np.int64), np.empty(count)
    weights, ends, before = np.empty((count, count)), np.empty(count), np.empty(count)
    improve_pairs(laws, radii, rewards, discount, values, policy, order)
    gain, rounding = 0.0, 0.0
    for iteration in range(1, _MOST_ITERATIONS + 1):
        for g in range(count):
            action = policy[g]
            before[g] = values[g]
            if radii[g, action] > 0.0:
                greedy_row(laws[g, action], radii[g, action], order, row)
                for h in range(count):
                    weights[g, h] = discount * row[h]
            else:
                for h in range(count):
                    weights[g, h] = discount * laws[g, action, h]
            ends[g] = 1.0 - discount
        for g in range(count):
            values[g] = rewards[g, policy[g]]
        solve_class(weights, ends, values)
        gain, rounding = improve_pairs(laws, radii, rewards, discount, values, policy, order)
        largest, growth = 0.0, 0.0
        for g in range(count):
            largest = max(largest, abs(values[g]))
            growth = max(growth, values[g] - before[g])
        if gain <= _TIE * largest or (iteration > 1 and growth <= _TIE * largest):
            return max(gain + rounding, 0.0) / (1.0 - discount), iteration
    return max(gain + rounding, 0.0) / (1.0 - discount), _MOST_ITERATIONS
