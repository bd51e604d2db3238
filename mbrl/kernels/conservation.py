r"""The value of any priority policy in :math:`O(n S^3 + N \log N)`, by the strong conservation laws.

With :math:`S_k` the first k of all N arm states in priority, :math:`\theta_k(i) = E[\beta^T]`, T the time at which arm
state i's arm, played alone, has left :math:`S_k`, and :math:`A_k(i) = (1 - \beta \sum_j Q(i,j)\theta_k(j))/(1-\beta)`,
the expected discounted activations X from the initial state x satisfy, for k = 0..N-1,

.. math:: \sum_{i \notin S_k} A_k(i) X(i) = \frac{1}{1-\beta} \prod_a \theta_k(x_a),

a triangular system (Bertsimas and Nino-Mora, Math. Oper. Res. 21, 1996). One elimination per arm, in its own order,
yields all of its terms: :math:`A_k(i)` is the discounted time column, and :math:`\theta_k(x_a)` the mass that a row
started in :math:`x_a` has outside the set. Neither needs a subtraction; a theta that is zero comes out as exactly zero.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def arm_laws(
    transitions: Floats, order: Integers, start: int, discount: float, work: Floats, laws: Floats, theta: Floats
) -> None:
    """Write one arm's terms of the conservation laws.

    States are numbered by their place in `order`, so that the states outside the set are always a range.

    Parameters
    ----------
    transitions : (S, S)
    order : (s,) int64
        The arm's s <= S states by decreasing priority.
    start
        The arm's initial state.
    discount
    work : (S + 1, S)
        Overwritten.
    laws : (S, S)
        ``laws[l, p]``, for p from l on, becomes A of the state in place p once the arm's first l states are in the set.
    theta : (S,)
        ``theta[l]`` becomes that of the initial state.
    """
    size = order.size
    started = work[size]
    for p in range(size):
        source, target = transitions[order[p]], work[p]
        for q in range(size):
            target[q] = discount * source[order[q]]
        laws[0, p] = 1.0
        started[p] = 1.0 if order[p] == start else 0.0
    for level in range(size):
        outside = 0.0
        for q in range(level, size):
            outside += started[q]
        theta[level] = outside
        pivot, times = work[level], laws[level]
        leaving = (1.0 - discount) * times[level]
        for q in range(level + 1, size):
            leaving += pivot[q]
        factor = started[level] / leaving
        if factor != 0.0:
            for q in range(level + 1, size):
                started[q] += factor * pivot[q]
        for p in range(level + 1, size):
            target = work[p]
            factor = target[level] / leaving
            laws[level + 1, p] = times[p] + factor * times[level]
            if factor != 0.0:
                for q in range(level + 1, size):
                    target[q] += factor * pivot[q]


@kernel
def priority_visits(transitions: Floats, sizes: Integers, start: Integers, order: Integers, discount: float) -> Floats:
    """Return the expected discounted number of activations of every arm state under a priority policy.

    Parameters
    ----------
    transitions : (n, S, S)
        Arm a uses its first ``sizes[a]`` states.
    sizes : (n,) int64
    start : (n,) int64
        Initial state of each arm.
    order : (N,) int64
        All arm states, as ``arm * S + state``, in strict order, the most urgent first.
    discount

    Returns
    -------
    (n, S) float64
        Sums to 1/(1-discount), up to rounding.
    """
    arms, width = transitions.shape[0], transitions.shape[1]
    local = np.empty((arms, width), np.int64)
    filled = np.zeros(arms, np.int64)
    for at in range(order.size):
        a = order[at] // width
        local[a, filled[a]] = order[at] - a * width
        filled[a] += 1
    laws = np.empty((arms, width, width))
    theta = np.zeros((arms, width + 1))  # the last stays zero: with all of an arm in the set, play never leaves it
    work = np.empty((width + 1, width))
    for a in range(arms):
        size = sizes[a]
        arm_laws(transitions[a], local[a, :size], start[a], discount, work, laws[a], theta[a])
        theta[a, size] = 0.0

    # The product of the thetas, as mantissa * 2**exponent (it may be far below the smallest float) times 0**zeros.
    # It starts with all states in the set.
    mantissa, exponent, zeros = 1.0, 0, arms
    scale = 1.0 / (1.0 - discount)
    found = np.zeros((arms, width))
    partial = np.zeros(arms)
    partial_total = 0.0
    for at in range(order.size - 1, -1, -1):
        a = order[at] // width
        filled[a] -= 1
        level = filled[a]
        before, after = theta[a, level + 1], theta[a, level]
        if before != after:
            if before == 0.0:
                zeros -= 1
            else:
                mantissa /= before
            if after == 0.0:
                zeros += 1
            else:
                mantissa *= after
            mantissa, shift = math.frexp(mantissa)
            exponent += shift
        right = 0.0 if zeros > 0 else math.ldexp(mantissa, exponent) * scale
        law, counts = laws[a, level], found[a]
        known = 0.0
        for p in range(level + 1, sizes[a]):
            known += law[p] * counts[p]
        others = partial_total - partial[a]
        counts[level] = (right - others - known) / law[level]
        partial[a] = known + law[level] * counts[level]
        partial_total = others + partial[a]
    visits = np.zeros((arms, width))
    for a in range(arms):
        for p in range(sizes[a]):
            visits[a, local[a, p]] = found[a, p]
    return visits


@kernel
def arm_ratios(
    transitions: Floats,
    rewards: Floats,
    order: Integers,
    start: int,
    discount: float,
    work: Floats,
    ratios: Floats,
    theta: Floats,
) -> None:
    """Write one arm's ratios of reward to time at their elimination, and its thetas, by places in `order`.

    Parameters
    ----------
    transitions : (S, S), rewards : (S,)
    order : (s,) int64
        The arm's s <= S states by decreasing priority.
    start
        The arm's initial state.
    discount
    work : (S + 3, S)
        Overwritten.
    ratios, theta : (S,)
        The first s entries are written.
    """
    size = order.size
    started, gains, times = work[size], work[size + 1], work[size + 2]
    for p in range(size):
        source, target = transitions[order[p]], work[p]
        for q in range(size):
            target[q] = discount * source[order[q]]
        started[p] = 1.0 if order[p] == start else 0.0
        gains[p] = rewards[order[p]]
        times[p] = 1.0
    for level in range(size):
        outside = 0.0
        for q in range(level, size):
            outside += started[q]
        theta[level] = outside
        ratios[level] = gains[level] / times[level]
        pivot = work[level]
        leaving = (1.0 - discount) * times[level]
        for q in range(level + 1, size):
            leaving += pivot[q]
        for p in range(level + 1, size):
            target = work[p]
            factor = target[level] / leaving
            if factor != 0.0:
                for q in range(level + 1, size):
                    target[q] += factor * pivot[q]
                gains[p] += factor * gains[level]
                times[p] += factor * times[level]
        factor = started[level] / leaving
        if factor != 0.0:
            for q in range(level + 1, size):
                started[q] += factor * pivot[q]


@kernel
def priority_value(
    transitions: Floats, rewards: Floats, sizes: Integers, start: Integers, order: Integers, discount: float
) -> float:
    r"""Return the expected total discounted reward of a priority policy from `start`.

    Parameters are those of `priority_visits`, and the (n, S) mean `rewards`.

    Notes
    -----
    No matrix of the laws is kept. Let g_k be the ratio of reward to time of the k-th arm state when its arm's
    elimination comes to it. An elimination changes rewards and times in this proportion, so that for i in place l

    .. math:: r(i) = \sum_{k \le l} (g_k - g_{k-1}) A_k(i), \qquad g_{-1} = 0,

    and the laws, weighted with :math:`g_k - g_{k-1}`, add up to
    :math:`V = \frac{1}{1-\beta} \sum_k (g_k - g_{k-1}) \prod_a \theta_k(x_a)`. It holds for every order; for that of
    the indices, the ratios are the indices.
    """
    arms, width = transitions.shape[0], transitions.shape[1]
    local = np.empty((arms, width), np.int64)
    filled = np.zeros(arms, np.int64)
    for at in range(order.size):
        a = order[at] // width
        local[a, filled[a]] = order[at] - a * width
        filled[a] += 1
    ratios, theta = np.empty((arms, width)), np.empty((arms, width))
    work = np.empty((width + 3, width))
    for a in range(arms):
        arm_ratios(transitions[a], rewards[a], local[a, : sizes[a]], start[a], discount, work, ratios[a], theta[a])
        filled[a] = 0

    # From the empty set on, until a factor is zero: it and the product then stay zero. The product is kept as
    # mantissa * 2**exponent, as it may be far below the smallest float.
    mantissa, exponent = 1.0, 0
    previous, total = 0.0, 0.0
    for at in range(order.size):
        a = order[at] // width
        level = filled[a]
        ratio = ratios[a, level]
        total += (ratio - previous) * math.ldexp(mantissa, exponent)
        previous = ratio
        filled[a] = level + 1
        if level + 1 == sizes[a] or theta[a, level + 1] == 0.0:
            break
        before, after = theta[a, level], theta[a, level + 1]
        if before != after:
            mantissa, shift = math.frexp(mantissa / before * after)
            exponent += shift
    return total / (1.0 - discount)
