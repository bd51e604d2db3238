r"""Policy iteration for a Markov decision process without structure, for the learners on the global process.

Rows of all pairs (state, action) are dense. With positive L1 radii the maximum is also over rows, as in extended value
iteration (Auer, Jaksch and Ortner, JMLR 11, 2010); all pairs share one ordering of the states by value. With radii zero
this is ordinary policy iteration. Evaluation is without subtraction (`mbrl.kernels.chains`). As in
`mbrl.kernels.extended`, values are sums of two floats and gains are computed from differences.
"""

from __future__ import annotations

import numpy as np

from mbrl.arrays import Floats, Integers
from mbrl.kernels.chains import factor_class, solve_factored
from mbrl.kernels.compiling import part
from mbrl.kernels.elimination import TWOFOLD_BELOW, UNIT
from mbrl.kernels.extended import finished_values, greedy_gain, greedy_row, growth, settle_arms

_MOST_ITERATIONS = 1000


@part
def product_sum(left: Floats, right: Floats) -> float:
    """Return the sum of the products of two vectors, in four partial sums that a processor computes in parallel."""
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


@part
def improve_pairs(
    laws: Floats,
    radii: Floats,
    rewards: Floats,
    discount: float,
    values: Floats,
    lows: Floats,
    noise: float,
    policy: Integers,
    order: Integers,
    gains: Floats,
) -> tuple[float, float, float]:
    """Make `policy` greedy for the sums of `values` and `lows`, in place.

    Write the states by value into `order`, and the gain of each pair into (G, A) `gains`.

    Returns
    -------
    gain, rounding, tie
        As in `mbrl.kernels.extended.improve`.
    """
    count, actions = rewards.shape
    for g in range(count):  # insertion sort, which compiles ten times as fast as NumPy's sort
        at = g
        while at > 0 and values[order[at - 1]] > values[g]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = g
    low, high = values[order[0]], values[order[count - 1]]
    reward = 0.0
    for g in range(count):
        for action in range(actions):
            reward = max(reward, abs(rewards[g, action]))
    of_values = discount * (high - low) + (1.0 - discount) * max(abs(low), abs(high))
    rounding = (4.0 * count + 8.0) * UNIT * (reward + of_values)
    tie = max(rounding, noise * max(abs(low), abs(high)))
    most = -np.inf
    differences = np.empty(count)
    for g in range(count):
        for h in range(count):
            differences[h] = (values[h] - values[g]) + (lows[h] - lows[g])
        here = (1.0 - discount) * (values[g] + lows[g])
        best, best_action, kept = -np.inf, 0, -np.inf
        for action in range(actions):
            if radii[g, action] > 0.0:
                moved = greedy_gain(laws[g, action], radii[g, action], values, lows, order, g)
            else:
                moved = product_sum(laws[g, action], differences)
            gain = gains[g, action] = rewards[g, action] + discount * moved - here
            if gain > best:
                best, best_action = gain, action
            if policy[g] == action:
                kept = gain
        most = max(most, best)
        if kept < best - tie:
            policy[g] = best_action
    return most, rounding, tie


@part
def solve_decision_process(
    laws: Floats, radii: Floats, rewards: Floats, discount: float, values: Floats, policy: Integers
) -> tuple[float, int]:
    """Solve a decision process (extended if radii are positive) from a warm start; arguments are not checked.

    Parameters
    ----------
    laws : (G, A, G)
        Next-state law of every pair of state and action.
    radii : (G, A)
        L1 radius around each law; zero for an ordinary decision process.
    rewards : (G, A)
    discount
    values : (G,), policy : (G,) int64
        A warm start; at the end the optimal values and a policy that attains them, the first action if several tie.

    Returns
    -------
    gap, iterations
        As in `mbrl.kernels.extended.OptimisticValues`, with G next states in place of S.
    """
    count = values.size
    order, lows, row = np.empty(count, np.int64), np.empty(count), np.empty(count)
    rows, weights, ends = np.empty((count, count)), np.empty((count, count)), np.empty(count)
    before, lows_before = np.empty(count), np.empty(count)
    twofold = 1.0 - discount < TWOFOLD_BELOW
    noise = 0.0 if twofold else 16 * UNIT
    gains = np.empty(rewards.shape)
    for g in range(count):
        lows[g] = 0.0
    gain, rounding, tie = improve_pairs(laws, radii, rewards, discount, values, lows, noise, policy, order, gains)
    iteration = 0
    while iteration < _MOST_ITERATIONS:
        iteration += 1
        for g in range(count):
            action = policy[g]
            if radii[g, action] > 0.0:
                greedy_row(laws[g, action], radii[g, action], order, row)
                for h in range(count):
                    rows[g, h] = row[h]
            else:
                for h in range(count):
                    rows[g, h] = laws[g, action, h]
            for h in range(count):
                weights[g, h] = discount * rows[g, h]
            ends[g] = 1.0 - discount
        for g in range(count):
            before[g], lows_before[g] = values[g], lows[g]
            values[g] = rewards[g, policy[g]]
        factor_class(weights, ends, count)
        solve_factored(weights, values, count)
        if twofold:
            for g in range(count):
                moved = 0.0
                for h in range(count):
                    moved += rows[g, h] * (values[h] - values[g])
                lows[g] = rewards[g, policy[g]] + discount * moved - (1.0 - discount) * values[g]
            solve_factored(weights, lows, count)
        gain, rounding, tie = improve_pairs(laws, radii, rewards, discount, values, lows, noise, policy, order, gains)
        if gain <= tie or (iteration > 1 and growth(values, lows, before, lows_before) <= tie):
            break
    settle_arms(gains, gain, rounding, discount, tie, policy)
    return finished_values(values, lows, gain + rounding, discount), iteration
