r"""Gittins indices in floating point, by state elimination in :math:`O(S^3)`.

The index of a state is the best ratio of discounted reward to discounted time (`eq:eq_Gindex`). The state of largest
ratio :math:`r/c` among the remaining ones has that ratio as its index; eliminating it (letting every other state jump
over it) leaves an arm with one state less and the same indices (Sonin, Statist. Probab. Lett. 78, 2008). With
:math:`B = \beta Q` and c = 1 at the start, eliminating k does, for all other i,

.. math:: f = \frac{B_{ik}}{1 - B_{kk}}, \quad B_{ij} \mathrel{+}= f B_{kj}, \quad r_i \mathrel{+}= f r_k, \quad
          c_i \mathrel{+}= f c_k .

:math:`1 - B_{kk}` is computed as :math:`(1-\beta) c_k + \sum_{j \ne k} B_{kj}`, without subtraction (Grassmann, Taksar
and Heyman, Oper. Res. 33, 1985), so discounts close to 1 cost no accuracy.

Remaining states are kept in front: the eliminated one is overwritten by the last, so that every loop runs over
consecutive numbers. Of equal ratios the one of the lowest state goes first. Larger arms use the blocked form of
`mbrl.kernels.blocked`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mbrl.kernels.blocked import blocked_indices
from mbrl.kernels.compiling import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BLOCKED_FROM = 128
"""Number of states from which the blocked elimination is the faster one."""

_FAULTS = {
    1: "transitions and rewards must be finite numbers",
    2: "every row of transitions must be non-negative and sum to 1",
}


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
    if not 0 <= discount < 1:
        raise ValueError(f"discount {discount} is outside 0 <= discount < 1")
    if vector.size < BLOCKED_FROM:
        fault, indices = checked_indices(matrix, vector, float(discount))
    else:
        fault = fault_of(matrix, vector)
        indices = blocked_indices(matrix, vector, float(discount)) if fault == 0 else vector
    if fault:
        raise ValueError(_FAULTS[fault])
    return indices


@kernel
def fault_of(transitions: Floats, rewards: Floats) -> int:
    """Return 0 for a valid arm, else what is wrong with it, as a key of `_FAULTS`."""
    size = rewards.size
    fault = 0
    for i in range(size):
        if not np.isfinite(rewards[i]):
            return 1
        total, lowest = 0.0, 0.0
        for probability in transitions[i]:
            total += probability
            lowest = min(lowest, probability)
        if not np.isfinite(total):  # of finite numbers, only a sum of huge ones, which are no probabilities either
            return 1
        if lowest < 0.0 or abs(total - 1.0) > 1e-9:
            fault = 2
    return fault


@kernel
def checked_indices(transitions: Floats, rewards: Floats, discount: float) -> tuple[int, Floats]:
    """Return `fault_of` an arm, and its indices where that is 0: one call, which is what small arms cost."""
    fault = fault_of(transitions, rewards)
    if fault != 0:
        return fault, rewards
    return 0, arm_indices(transitions, rewards, discount)


@kernel
def arm_indices(transitions: Floats, rewards: Floats, discount: float) -> Floats:
    """Return the (S,) indices of one arm; arguments are not checked."""
    size = rewards.size
    jumps = discount * transitions
    gains = rewards.copy()
    times = np.ones(size)
    states = np.arange(size)
    row = np.empty(size)
    indices = np.empty(size)
    for last in range(size - 1, -1, -1):
        best, at = gains[0] / times[0], 0
        for i in range(1, last + 1):
            ratio = gains[i] / times[i]
            if ratio > best or (ratio == best and states[i] < states[at]):
                best, at = ratio, i
        indices[states[at]] = best
        gain, time = gains[at], times[at]
        pivot, end = jumps[at], jumps[last]
        for j in range(last + 1):
            row[j] = pivot[j]
            pivot[j] = end[j]
        row[at] = row[last]
        gains[at], times[at], states[at] = gains[last], times[last], states[last]
        leaving = (1.0 - discount) * time
        for j in range(last):
            leaving += row[j]
        for i in range(last):
            target = jumps[i]
            factor = target[at] / leaving
            target[at] = target[last]
            if factor != 0.0:
                for j in range(last):
                    target[j] += factor * row[j]
                gains[i] += factor * gain
                times[i] += factor * time
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
