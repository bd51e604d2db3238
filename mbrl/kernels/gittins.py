r"""Gittins indices in floating point, by state elimination in :math:`O(S^3)`.

The index of a state is the best ratio of discounted reward to discounted time (`eq:eq_Gindex`). The state of largest
ratio :math:`r/c` among the remaining ones has that ratio as its index; eliminating it (letting every other state jump
over it) leaves an arm with one state less and the same indices (Sonin, Statist. Probab. Lett. 78, 2008). With
:math:`B = \beta Q` and c = 1 at the start, eliminating k does, for all other i,

.. math:: f = \frac{B_{ik}}{1 - B_{kk}}, \quad B_{ij} \mathrel{+}= f B_{kj}, \quad r_i \mathrel{+}= f r_k, \quad
          c_i \mathrel{+}= f c_k .

:math:`1 - B_{kk}` is computed as :math:`(1-\beta) c_k + \sum_{j \ne k} B_{kj}`, without subtraction (Grassmann, Taksar
and Heyman, Oper. Res. 33, 1985), so discounts close to 1 cost no accuracy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mbrl.kernels.compiling import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def gittins_indices(transitions: ArrayLike, rewards: ArrayLike, discount: float) -> Floats:
    """Return the Gittins index of every state of one arm.

    Parameters
    ----------
    transitions : (S, S)
        Probability rows.
    rewards : (S,)
        Mean reward of playing the arm in each state, of any sign.
    discount
        ``0 <= discount < 1``.

    Returns
    -------
    (S,) float64
        In the unit of the rewards, and in the order of the states.

    Raises
    ------
    ValueError
        For shapes that do not fit, rows that do not sum to 1 (to 1e-9), negative or non-finite numbers, or a discount
        outside its range.

    Examples
    --------
    >>> gittins_indices([[0.5, 0.5], [0.0, 1.0]], [0.0, 1.0], 0.5).round(12)
    array([0.33333333, 1.        ])
    """
    matrix = np.ascontiguousarray(transitions, dtype=np.float64)
    vector = np.ascontiguousarray(rewards, dtype=np.float64)
    if vector.ndim != 1 or vector.size == 0 or matrix.shape != (vector.size, vector.size):
        raise ValueError(f"transitions {matrix.shape} and rewards {vector.shape} must be (S, S) and (S,), S at least 1")
    if not (np.isfinite(matrix).all() and np.isfinite(vector).all()):
        raise ValueError("transitions and rewards must be finite numbers")
    if (matrix < 0).any() or (np.abs(matrix.sum(axis=1) - 1) > 1e-9).any():
        raise ValueError("every row of transitions must be non-negative and sum to 1")
    if not 0 <= discount < 1:
        raise ValueError(f"discount {discount} is outside 0 <= discount < 1")
    return arm_indices(matrix, vector, float(discount))


@kernel
def arm_indices(transitions: Floats, rewards: Floats, discount: float) -> Floats:
    """Return the (S,) indices of one arm; arguments are not checked."""
    size = rewards.size
    jumps = discount * transitions
    gains = rewards.copy()
    times = np.ones(size)
    remaining = np.arange(size)
    indices = np.empty(size)
    for left in range(size, 0, -1):
        best, position = -np.inf, 0
        for at in range(left):
            i = remaining[at]
            ratio = gains[i] / times[i]
            if ratio > best:
                best, position = ratio, at
        k = remaining[position]
        indices[k] = best
        for at in range(position, left - 1):
            remaining[at] = remaining[at + 1]
        leaving = (1.0 - discount) * times[k]
        for at in range(left - 1):
            leaving += jumps[k, remaining[at]]
        for at in range(left - 1):
            i = remaining[at]
            factor = jumps[i, k] / leaving
            if factor != 0.0:
                for at_j in range(left - 1):
                    j = remaining[at_j]
                    jumps[i, j] += factor * jumps[k, j]
                gains[i] += factor * gains[k]
                times[i] += factor * times[k]
    return indices


@kernel
def bandit_indices(transitions: Floats, rewards: Floats, sizes: Integers, discount: float) -> Floats:
    """Return the indices of all arms of a padded bandit.

    Parameters
    ----------
    transitions : (n, S, S), rewards : (n, S)
        Arm a uses its first ``sizes[a]`` states.
    sizes : (n,) int64
    discount

    Returns
    -------
    (n, S) float64
        Minus infinity in the padding.
    """
    indices = np.full(rewards.shape, -np.inf)
    for a in range(sizes.size):
        size = sizes[a]
        rows = np.ascontiguousarray(transitions[a, :size, :size])
        indices[a, :size] = arm_indices(rows, np.ascontiguousarray(rewards[a, :size]), discount)
    return indices
