r"""Extended value iteration on the product of the arms, by policy iteration with a warm start.

The extended Markov decision process chooses, in each global state, an arm and a transition row of that arm within an
L1 ball around its estimate (`eq:EVI`; Auer, Jaksch and Ortner, JMLR 11, 2010, for the inner maximum):

.. math:: (TV)(x) = \max_a \Big[ \bar r(x_a) + \beta \max_{\|q - \hat Q(x_a,\cdot)\|_1 \le \rho(x_a)}
          \sum_y q(y) V(y, x_{-a}) \Big].

Policy iteration: solve the linear system of the current arms and rows, make both greedy, stop when
:math:`\max (TV - V)` is rounding. The maximum is taken over all candidates before any tie is considered; a tie-break
only decides which of the maximisers (to 1e-13 of the largest value) is played. As
:math:`V \le V^* \le V + \max(TV - V)/(1-\beta)`, the last quotient certifies how much optimism can have been lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import kernel
from mbrl.kernels.product import solve_dominant, strides_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_RELATIVE_LOSS = 1e-10
_ROUNDING = 2e-15
_TIE = 1e-13
_MOST_ITERATIONS = 1000


@kernel
def order_by_value(values: Floats, order: Integers) -> None:
    """Write into `order` the states by increasing value (insertion sort: the rows are short)."""
    for i in range(values.size):
        j = i
        while j > 0 and values[order[j - 1]] > values[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


@kernel
def greedy_row(estimate: Floats, radius: float, values: Floats, order: Integers, row: Floats) -> float:
    """Write a maximising row of the L1 ball into `row`, and return its expectation of `values`.

    Half of the radius is moved to the best next state, from the worst ones.

    Parameters
    ----------
    estimate : (S,)
        A probability row.
    radius
        L1 radius, non-negative.
    values : (S,)
        What each next state is worth.
    order : (S,) int64
        The next states by increasing value.
    row : (S,)
        Overwritten.
    """
    size = values.size
    best = order[size - 1]
    for y in range(size):
        row[y] = estimate[y]
    movable = min(0.5 * radius, 1.0 - row[best])
    row[best] += movable
    for at in range(size - 1):
        if movable <= 0.0:
            break
        y = order[at]
        taken = min(row[y], movable)
        row[y] -= taken
        movable -= taken
    expectation = 0.0
    for y in range(size):
        expectation += row[y] * values[y]
    return expectation


@kernel
def improve(
    estimates: Floats,
    radii: Floats,
    rewards: Floats,
    sizes: Integers,
    discount: float,
    values: Floats,
    table: Integers,
    rows: Floats,
) -> float:
    """Make `table` and `rows` greedy for `values`, in place, and return the largest ``T V - V``.

    An arm is kept where it is a maximiser; its row is made greedy in any case.
    """
    arms, width = rewards.shape
    strides = strides_of(sizes)
    count = values.size
    largest = 0.0
    for g in range(count):
        largest = max(largest, abs(values[g]))
    best = np.full(count, -np.inf)
    best_arm = np.zeros(count, np.int64)
    kept = np.full(count, -np.inf)
    best_rows = np.empty((count, width))
    kept_rows = np.empty((count, width))
    row = np.empty(width)
    after = np.empty(width)
    order = np.empty(width, np.int64)
    for a in range(arms):
        size, stride = sizes[a], strides[a]
        for base in range(count):
            if (base // stride) % size != 0:
                continue
            for y in range(size):
                after[y] = values[base + y * stride]
            order_by_value(after[:size], order)
            for x in range(size):
                g = base + x * stride
                expectation = greedy_row(estimates[a, x, :size], radii[a, x], after[:size], order[:size], row)
                candidate = rewards[a, x] + discount * expectation
                if candidate > best[g]:
                    best[g], best_arm[g] = candidate, a
                    for y in range(size):
                        best_rows[g, y] = row[y]
                if table[g] == a:
                    kept[g] = candidate
                    for y in range(size):
                        kept_rows[g, y] = row[y]
    gain = -np.inf
    for g in range(count):
        gain = max(gain, best[g] - values[g])
        if kept[g] >= best[g] - _TIE * largest:
            for y in range(sizes[table[g]]):
                rows[g, y] = kept_rows[g, y]
        else:
            table[g] = best_arm[g]
            for y in range(sizes[table[g]]):
                rows[g, y] = best_rows[g, y]
    return gain


@kernel
def evaluate(rewards: Floats, sizes: Integers, discount: float, table: Integers, rows: Floats, values: Floats) -> None:
    """Write into `values` those of playing ``table[g]`` with next-state law ``rows[g]`` in every global state g."""
    strides = strides_of(sizes)
    count = values.size
    matrix = np.zeros((count, count))
    for g in range(count):
        a = table[g]
        x = (g // strides[a]) % sizes[a]
        values[g] = rewards[a, x]
        matrix[g, g] += 1.0
        for y in range(sizes[a]):
            matrix[g, g + (y - x) * strides[a]] -= discount * rows[g, y]
    solve_dominant(matrix, values)


@kernel
def optimistic_values(
    estimates: Floats,
    radii: Floats,
    rewards: Floats,
    sizes: Integers,
    discount: float,
    values: Floats,
    table: Integers,
    rows: Floats,
) -> tuple[float, int]:
    """Solve the extended decision process, from a warm start.

    Parameters
    ----------
    estimates : (n, S, S)
        Probability rows of arm states; arm a uses its first ``sizes[a]`` states.
    radii : (n, S)
        L1 radii.
    rewards : (n, S)
        Optimistic mean rewards (estimate plus radius).
    sizes : (n,) int64
    discount
    values : (G,), table : (G,) int64, rows : (G, S)
        Any finite values and any arms at the start (those of the previous episode, for speed); at the end the
        optimistic values, an arm that attains them in every global state, and its maximising row.

    Returns
    -------
    gap
        No optimistic value exceeds the returned one by more than this; below 1e-9 of the largest value.
        Negative if policy iteration did not end.
    iterations
        Number of linear systems solved.
    """
    improve(estimates, radii, rewards, sizes, discount, values, table, rows)
    for iteration in range(1, _MOST_ITERATIONS + 1):
        evaluate(rewards, sizes, discount, table, rows, values)
        gain = improve(estimates, radii, rewards, sizes, discount, values, table, rows)
        largest = 0.0
        for g in range(values.size):
            largest = max(largest, abs(values[g]))
        if gain <= max(_RELATIVE_LOSS * (1.0 - discount), _ROUNDING) * largest:
            return max(gain, 0.0) / (1.0 - discount), iteration
    return -1.0, _MOST_ITERATIONS
