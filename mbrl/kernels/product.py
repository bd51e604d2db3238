r"""Policies on the product of the arms' state spaces: one linear system, over the states that play can reach.

Global states are numbered in mixed radix, the last arm's state varying fastest. Under a policy the value solves
:math:`(I - \beta P^\pi) V = r^\pi` (`eq:exact_value`); the matrix is diagonally dominant by rows, so elimination needs
no pivoting. The order of operations is fixed, so that every process computes the same bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def solve_dominant(matrix: Floats, right: Floats) -> None:
    """Solve ``matrix @ x = right`` in place, for an (m, m) matrix that is strictly diagonally dominant by rows.

    The (m,) `right` becomes x; `matrix` is destroyed. Zero multipliers are skipped, so sparse systems are cheap.
    """
    size = right.size
    for k in range(size):
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, size):
            factor = matrix[i, k]
            if factor != 0.0:
                factor *= inverse
                row, pivot = matrix[i], matrix[k]
                for j in range(k + 1, size):
                    row[j] -= factor * pivot[j]
                right[i] -= factor * right[k]
    for k in range(size - 1, -1, -1):
        total = right[k]
        for j in range(k + 1, size):
            total -= matrix[k, j] * right[j]
        right[k] = total / matrix[k, k]


@kernel
def strides_of(sizes: Integers) -> Integers:
    """Return the (n,) strides of the global numbering."""
    strides = np.ones(sizes.size, np.int64)
    for a in range(sizes.size - 2, -1, -1):
        strides[a] = strides[a + 1] * sizes[a + 1]
    return strides


@kernel
def table_value(
    transitions: Floats, rewards: Floats, sizes: Integers, start: Integers, table: Integers, discount: float
) -> float:
    """Return the expected total discounted reward, from `start`, of playing arm ``table[g]`` in global state g.

    Parameters
    ----------
    transitions : (n, S, S), rewards : (n, S), sizes : (n,)
        The padded bandit.
    start : (n,) int64
    table : (G,) int64
    discount
    """
    strides = strides_of(sizes)
    first = 0
    for a in range(sizes.size):
        first += start[a] * strides[a]
    number = np.full(table.size, -1, np.int64)
    reached = np.empty(table.size, np.int64)
    number[first] = 0
    reached[0] = first
    count = 1
    at = 0
    while at < count:
        g = reached[at]
        a = table[g]
        x = (g // strides[a]) % sizes[a]
        for y in range(sizes[a]):
            if transitions[a, x, y] > 0.0:
                h = g + (y - x) * strides[a]
                if number[h] < 0:
                    number[h] = count
                    reached[count] = h
                    count += 1
        at += 1
    # numbered backwards, so that the start is the last unknown: eliminated first are the states reached last
    matrix = np.zeros((count, count))
    right = np.empty(count)
    for i in range(count):
        g = reached[count - 1 - i]
        a = table[g]
        x = (g // strides[a]) % sizes[a]
        right[i] = rewards[a, x]
        matrix[i, i] += 1.0
        for y in range(sizes[a]):
            p = transitions[a, x, y]
            if p > 0.0:
                matrix[i, count - 1 - number[g + (y - x) * strides[a]]] -= discount * p
    solve_dominant(matrix, right)
    value: float = right[count - 1]
    return value


@kernel
def priority_table(sizes: Integers, ranks: Integers) -> Integers:
    """Return the (G,) table that plays the arm whose state has the smallest of the (n, S) `ranks`."""
    strides = strides_of(sizes)
    count = strides[0] * sizes[0]
    table = np.empty(count, np.int64)
    for g in range(count):
        best = np.int64(0)
        for a in range(1, sizes.size):
            x = (g // strides[a]) % sizes[a]
            if ranks[a, x] < ranks[best, (g // strides[best]) % sizes[best]]:
                best = np.int64(a)
        table[g] = best
    return table
