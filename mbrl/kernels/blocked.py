r"""Gittins indices of large arms: the elimination of `mbrl.kernels.gittins`, with delayed updates.

After some pivots of a block, the jumps among the remaining states are :math:`B + \sum_l f_l u_l`: the matrix at the
start of the block plus a product of low rank, of the pivots' columns of factors and their rows. Only the ratios
(:math:`O(S)` per pivot) and the next pivot's row and column (:math:`O(Sb)`, b pivots in a block) are kept up to date.
One product of matrices applies the whole block to the rest of the matrix, and takes nearly all of the
:math:`\tfrac23 S^3` operations. There is still no subtraction.

Each entry is a sum of at most a block's length of terms, in an order that the BLAS library chooses. So where
`mbrl.kernels.elimination` counts three roundings per entry, `blocked_error` counts a block's length plus ten.
"""

from __future__ import annotations

import numpy as np

from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import kernel, part
from mbrl.kernels.elimination import UNIT, leaving

BLOCKED_FROM = 128
"""Number of states from which blocked elimination is faster."""

BLOCK = 64
PANEL = 256


def is_large(size: int) -> bool:
    """Whether an arm of `size` states uses blocked elimination."""
    return size >= BLOCKED_FROM


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
        Number of rows that are updated together, so that their product with a block stays in the cache.

    Notes
    -----
    The last bits depend on NumPy's BLAS library and its number of threads.
    """
    size = rewards.size
    jumps = discount * transitions
    gains, times = rewards.copy(), np.ones(size)
    ends = np.where(transitions.any(axis=1), 1.0 - discount, 1.0)
    states, indices = np.arange(size), np.empty(size)
    factors, rows = np.empty((block, size)), np.empty((block, size))
    product = np.empty((min(panel, size), size))
    left = size
    while left:
        pivots = min(block, left)
        eliminate_block(jumps, gains, times, ends, states, indices, factors, rows, left, pivots)
        left -= pivots
        for top in range(0, left, panel):
            bottom = min(top + panel, left)
            update = product[: bottom - top, :left]
            np.matmul(factors[:pivots, top:bottom].T, rows[:pivots, :left], out=update)
            jumps[top:bottom, :left] += update
    return indices


def blocked_error(size: int, block: int = BLOCK) -> float:
    """Return a bound on the relative error of an index of `blocked_indices`.

    Examples
    --------
    >>> f"{blocked_error(200):.1e}"
    '3.3e-10'
    """
    return 1.001 * UNIT * (block + 10) * size * (size + 2)


@part
def add_combination(weights: Floats, vectors: Floats, count: int, length: int, target: Floats) -> None:
    """Add the first `count` of the (b, S) `vectors`, times their `weights`, to `target`, over `length` entries."""
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
    ends: Floats,
    states: Integers,
    indices: Floats,
    factors: Floats,
    rows: Floats,
    left: int,
    pivots: int,
) -> None:
    """Eliminate `pivots` of the `left` remaining states, which come first; their (S, S) `jumps` are not updated.

    The (S,) gains, times, ends and states of the remaining ones are kept up to date; `indices` receives those of the
    eliminated ones. ``jumps + factors.T @ rows`` are the jumps after the block.
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
        gain, time, end = gains[at], times[at], ends[at]
        gains[at], times[at], ends[at], states[at] = gains[last], times[last], ends[last], states[last]

        row, column = rows[done], factors[done]
        pivot, moved = jumps[at], jumps[last]
        for j in range(last + 1):
            row[j] = pivot[j]
            pivot[j] = moved[j]
        row[at] = row[last]
        for i in range(last):
            column[i] = jumps[i, at]
            jumps[i, at] = jumps[i, last]
        for earlier in range(done):
            from_rows[earlier], factors[earlier, at] = factors[earlier, at], factors[earlier, last]
            from_columns[earlier], rows[earlier, at] = rows[earlier, at], rows[earlier, last]
        add_combination(from_rows, rows, done, last, row)
        add_combination(from_columns, factors, done, last, column)

        rate = leaving(end, row, 0, last)
        for i in range(last):
            column[i] /= rate
            gains[i] += column[i] * gain
            times[i] += column[i] * time
            ends[i] += column[i] * end
