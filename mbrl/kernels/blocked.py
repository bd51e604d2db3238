r"""Gittins indices of large arms: the elimination of `mbrl.kernels.gittins`, with delayed updates.

After some pivots of a block, the jumps among the remaining states are the matrix at the start of the block plus a
product of low rank, :math:`B + \sum_l f_l u_l`, of the pivots' columns of factors and their rows. Only the ratios
(:math:`O(S)` per pivot) and the next pivot's row and column (:math:`O(Sb)`, b pivots in a block) are kept up to date;
the rest of the matrix receives the whole block in one product of matrices, where nearly all of the
:math:`\tfrac23 S^3` operations are spent. There is still no subtraction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BLOCK = 64
PANEL = 256


def blocked_indices(
    transitions: Floats, rewards: Floats, discount: float, *, block: int = BLOCK, panel: int = PANEL
) -> Floats:
    """Return the (S,) indices of one arm; arguments are not checked.

    Parameters
    ----------
    transitions : (S, S), rewards : (S,)
    discount
    block
        Number of pivots whose updates are delayed together.
    panel
        Number of rows that are updated at once, so that their product with a block stays in the cache.

    Notes
    -----
    The last bits depend on the BLAS library of NumPy, and on its number of threads.
    """
    size = rewards.size
    jumps = discount * transitions
    gains, times = rewards.copy(), np.ones(size)
    states, indices = np.arange(size), np.empty(size)
    factors, rows = np.empty((block, size)), np.empty((block, size))
    product = np.empty((min(panel, size), size))
    left = size
    while left:
        pivots = min(block, left)
        eliminate_block(jumps, gains, times, states, indices, factors, rows, left, pivots, discount)
        left -= pivots
        for top in range(0, left, panel):
            bottom = min(top + panel, left)
            update = product[: bottom - top, :left]
            np.matmul(factors[:pivots, top:bottom].T, rows[:pivots, :left], out=update)
            jumps[top:bottom, :left] += update
    return indices


@kernel
def add_combination(weights: Floats, vectors: Floats, count: int, length: int, target: Floats) -> None:
    """Add to `target` the first `count` of the (b, S) `vectors`, each times its weight, over `length` entries."""
    whole = count - count % 4
    for at in range(0, whole, 4):
        w0, w1, w2, w3 = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
        v0, v1, v2, v3 = vectors[at], vectors[at + 1], vectors[at + 2], vectors[at + 3]
        for j in range(length):
            target[j] += (w0 * v0[j] + w1 * v1[j]) + (w2 * v2[j] + w3 * v3[j])
    for at in range(whole, count):
        weight, vector = weights[at], vectors[at]
        for j in range(length):
            target[j] += weight * vector[j]


@kernel
def eliminate_block(
    jumps: Floats,
    gains: Floats,
    times: Floats,
    states: Integers,
    indices: Floats,
    factors: Floats,
    rows: Floats,
    left: int,
    pivots: int,
    discount: float,
) -> None:
    """Eliminate `pivots` of the `left` remaining states, which are kept in front; their jumps are not updated.

    Parameters
    ----------
    jumps : (S, S)
        As at the start of the block; rows and columns change places only.
    gains, times : (S,), states : (S,) int64
        Of the remaining states; kept up to date.
    indices : (S,)
        Receives those of the eliminated states.
    factors, rows : (b, S)
        Overwritten: ``jumps + factors.T @ rows`` are the jumps after the block.
    """
    from_rows, from_columns = np.empty(pivots), np.empty(pivots)
    for done in range(pivots):
        last = left - done - 1
        best, at = gains[0] / times[0], 0
        for i in range(1, last + 1):
            ratio = gains[i] / times[i]
            if ratio > best or (ratio == best and states[i] < states[at]):
                best, at = ratio, i
        indices[states[at]] = best
        gain, time = gains[at], times[at]
        gains[at], times[at], states[at] = gains[last], times[last], states[last]

        row, column = rows[done], factors[done]
        pivot, end = jumps[at], jumps[last]
        for j in range(last + 1):
            row[j] = pivot[j]
            pivot[j] = end[j]
        row[at] = row[last]
        for i in range(last):
            column[i] = jumps[i, at]
            jumps[i, at] = jumps[i, last]
        for earlier in range(done):
            from_rows[earlier], factors[earlier, at] = factors[earlier, at], factors[earlier, last]
            from_columns[earlier], rows[earlier, at] = rows[earlier, at], rows[earlier, last]
        add_combination(from_rows, rows, done, last, row)
        add_combination(from_columns, factors, done, last, column)

        leaving = (1.0 - discount) * time
        for j in range(last):
            leaving += row[j]
        for i in range(last):
            column[i] /= leaving
            gains[i] += column[i] * gain
            times[i] += column[i] * time
