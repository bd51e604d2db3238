r"""Gittins indices in floating point, by state elimination in :math:`O(S^3)`.

The index of a state is the largest ratio of discounted reward to discounted time (`eq:eq_Gindex`). The remaining state
of largest ratio :math:`r/c` has that ratio as its index. Eliminating this state, without subtraction
(`mbrl.kernels.elimination`), leaves an arm with one state fewer and the same indices (Sonin, Statist. Probab. Lett. 78,
2008). The remaining states come first: the last one overwrites the eliminated one, so that every loop runs over
consecutive numbers. If ratios are equal, the lowest state goes first. Larger arms use the blocked form of
`mbrl.kernels.blocked`.

`mbrl.kernels.ordering` bounds the errors of indices, and says whether their order can be trusted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mbrl.arrays import Floats, Integers, floats
from mbrl.kernels.arguments import check_discount, check_rewards, check_rows, row_complaint, row_fault
from mbrl.kernels.blocked import blocked_indices, is_large
from mbrl.kernels.compiling import inlined, kernel, part
from mbrl.kernels.elimination import UNIT, elimination_error, leaving
from theory import ModelError

_REWARD_NOT_FINITE = -1


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
        Indices in the unit of the rewards, by state. With rewards of one sign their relative error is at most
        `mbrl.kernels.elimination.elimination_error` of S, or `mbrl.kernels.blocked.blocked_error` from 128 states on
        (1.2e-13 for 11 states, 3.3e-10 for 200; some 1e-15 in practice), unless two indices are closer than that:
        `mbrl.kernels.index_order` detects this, and returns the errors.

    Raises
    ------
    ModelError
        For shapes that do not fit, rows that do not sum to 1 (to 1e-9), negative or non-finite numbers, or a discount
        outside its range.

    Examples
    --------
    >>> gittins_indices([[0.5, 0.5], [0.0, 1.0]], [0.0, 1.0], 0.5).round(12)
    array([0.33333333, 1.        ])
    """
    matrix, vector = floats(transitions, "transitions"), floats(rewards, "rewards")
    if vector.ndim != 1 or vector.size == 0 or matrix.shape != (vector.size, vector.size):
        raise ModelError(f"transitions {matrix.shape} and rewards {vector.shape} must be (S, S) and (S,), S at least 1")
    beta = check_discount(discount)
    blocked = is_large(vector.size)
    fault, state, indices = checked_indices(matrix, vector, beta, not blocked)
    if fault == _REWARD_NOT_FINITE:
        raise ModelError(f"state {state + 1}: reward {vector[state]} is not a finite number")
    if fault:
        raise ModelError(f"state {state + 1}: {row_complaint(fault, matrix[state], vector.size)}")
    return blocked_indices(matrix, vector, beta) if blocked else indices


def bandit_indices(transitions: ArrayLike, rewards: ArrayLike, sizes: ArrayLike, discount: float) -> Floats:
    """Return the Gittins indices of all arms of a padded bandit.

    Parameters
    ----------
    transitions : (n, S, S), rewards : (n, S)
        Arm a uses its first ``sizes[a]`` states; the rest of its rows is zero.
    sizes : (n,)
    discount
        ``0 <= discount < 1``.

    Returns
    -------
    (n, S) float64
        Minus infinity in the padding. Errors as for `gittins_indices`.

    Raises
    ------
    ModelError
        As for `gittins_indices`; the error names arm, state and value.

    Examples
    --------
    >>> bandit_indices([[[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]], [[0.0, 1.0], [0.5, 0.0]], [2, 1], 0.5)
    array([[0.33333333, 1.        ],
           [0.5       ,       -inf]])
    """
    rows, counts = check_rows(transitions, sizes)
    means = check_rewards(rewards, counts, rows.shape[1])
    return checked_bandit_indices(rows, means, counts, check_discount(discount))


def checked_bandit_indices(transitions: Floats, rewards: Floats, sizes: Integers, discount: float) -> Floats:
    """Return the result of `bandit_indices` for checked arguments, in the blocked form for large arms."""
    indices = np.full(rewards.shape, -np.inf)
    if not is_large(sizes.max()):
        _indices_of_arms(transitions, rewards, sizes, discount, indices)
        return indices
    for a, size in enumerate(sizes):
        of_arm = blocked_indices if is_large(size) else arm_indices
        matrix = np.ascontiguousarray(transitions[a, :size, :size])
        indices[a, :size] = of_arm(matrix, rewards[a, :size].copy(), discount)
    return indices


def is_small(rewards: Floats) -> bool:
    """Whether uncompiled Python takes only milliseconds for arms with these (n, S) rewards."""
    return bool(rewards.size * rewards.shape[1] ** 2 <= 20_000)


def indices_once(transitions: Floats, rewards: Floats, sizes: Integers, discount: float) -> Floats:
    """Return the result of `checked_bandit_indices` for a bandit whose indices are needed once.

    For few states the same function runs uncompiled, as compiling would take far longer.
    """
    if not is_small(rewards):
        return checked_bandit_indices(transitions, rewards, sizes, discount)
    indices = np.full(rewards.shape, -np.inf)
    indices_of_arms(transitions, rewards, sizes, discount, indices)
    return indices


@kernel
def checked_indices(transitions: Floats, rewards: Floats, discount: float, wanted: bool) -> tuple[int, int, Floats]:
    """Return the fault, if any, and its state, and the indices if there is no fault and they are `wanted`.

    A single call keeps the cost for small arms low.
    """
    for x in range(rewards.size):
        if not np.isfinite(rewards[x]):
            return _REWARD_NOT_FINITE, x, rewards
        fault = row_fault(transitions[x])
        if fault != 0:
            return fault, x, rewards
    if not wanted:
        return 0, 0, rewards
    return 0, 0, arm_indices(transitions, rewards, discount)


@part
def arm_indices(transitions: Floats, rewards: Floats, discount: float) -> Floats:
    """Return the (S,) indices of one arm; arguments are not checked."""
    size = rewards.size
    work, indices = np.empty((size + 4, size)), np.empty(size)
    for x in range(size):
        for y in range(size):
            work[x, y] = transitions[x, y]
    eliminate_by_ratio(work, rewards, discount, np.empty(size, np.int64), indices)
    return indices


@part
def indices_of_arms(transitions: Floats, rewards: Floats, sizes: Integers, discount: float, indices: Floats) -> None:
    """Write the result of `bandit_indices`, without the padding; arguments are not checked.

    NumPy allocates the arrays for many arms, since it asks for large pages of memory: the first touch of small pages
    takes a tenth of the time of the indices.
    """
    width = rewards.shape[1]
    work, means, states = np.empty((width + 4, width)), np.empty(width), np.empty(width, np.int64)
    for a in range(sizes.size):
        size = sizes[a]
        for x in range(size):
            means[x] = rewards[a, x]  # a slice of a read-only array would have a type of its own
            for y in range(size):
                work[x, y] = transitions[a, x, y]
        eliminate_by_ratio(work, means[:size], discount, states, indices[a, :size])


_indices_of_arms = kernel(indices_of_arms)


@part
def settle_ties(indices: Floats, largest: float, order: Integers) -> None:
    """Set those of the (n, S) `indices` equal, to the bit, whose difference is within their proved errors.

    So indices that are equal in exact arithmetic become equal here, in spite of rounding. Each entry of a row is one
    rounding from its quotient of counts. An index may then be off by `mbrl.kernels.elimination.elimination_error` and
    2S units, and by 2S + 1 times that if others are so close that the order of elimination is uncertain
    (`mbrl.kernels.ordering`). Two equal indices are within twice that, and within three times that after one of them is
    first set to the largest of its arm, which avoids sorting equal numbers.

    The `indices` are those of `eliminate_by_ratio`, minus infinity in the padding; `largest` is the largest absolute
    value of a reward if there are rewards of both signs, otherwise 0. The (n * S,) `order` of positions in `indices`,
    nearly sorted by the last call, is sorted here.
    """
    width, flat = indices.shape[1], indices.ravel()
    error = (2.0 * width + 1.0) * (elimination_error(width) + 2.0 * UNIT * width)
    for a in range(indices.shape[0]):
        best = indices[a, 0]
        for x in range(1, width):
            best = max(best, indices[a, x])
        for x in range(width):
            if indices[a, x] >= best - error * max(abs(best), largest):
                indices[a, x] = best
    for place in range(1, order.size):
        one, at = order[place], place
        index = flat[one]
        while at > 0 and flat[order[at - 1]] < index:
            order[at] = order[at - 1]
            at -= 1
        order[at] = one
    above = before = flat[order[0]]
    for place in range(1, order.size):
        index = flat[order[place]]
        if index > -np.inf and index >= before - 4.0 * error * max(abs(before), largest):
            flat[order[place]] = above
        else:
            above = index
        before = index


@inlined
def eliminate_by_ratio(work: Floats, rewards: Floats, discount: float, states: Integers, indices: Floats) -> None:
    """Write the indices of one arm of s states.

    The first s rows of `work`, (s + 4 or more, s or more), hold the transition rows; it is overwritten, as is `states`.
    """
    size = rewards.size
    gains, times, ends, row = work[size], work[size + 1], work[size + 2], work[size + 3]
    for x in range(size):
        mass = 0.0
        for y in range(size):
            mass += work[x, y]
            work[x, y] *= discount
        gains[x], times[x], states[x] = rewards[x], 1.0, x
        ends[x] = 1.0 - discount if mass > 0.0 else 1.0
    for last in range(size - 1, -1, -1):
        best, at = gains[0] / times[0], 0
        for i in range(1, last + 1):
            ratio = gains[i] / times[i]
            if ratio > best or (ratio == best and states[i] < states[at]):
                best, at = ratio, i
        indices[states[at]] = best
        gain, time, end = gains[at], times[at], ends[at]
        gains[at], times[at], ends[at], states[at] = gains[last], times[last], ends[last], states[last]
        for j in range(last + 1):
            row[j] = work[at, j]
            work[at, j] = work[last, j]
        row[at] = row[last]
        rate = leaving(end, row, 0, last)
        for i in range(last):
            factor = work[i, at] / rate
            work[i, at] = work[i, last]
            if factor != 0.0:
                for j in range(last):
                    work[i, j] += factor * row[j]
                gains[i] += factor * gain
                times[i] += factor * time
                ends[i] += factor * end
