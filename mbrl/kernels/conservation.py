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
def arm_laws(transitions: Floats, order: Integers, start: int, discount: float) -> tuple[Floats, Floats]:
    """Return one arm's terms of the conservation laws.

    Parameters
    ----------
    transitions : (S, S)
    order : (S,) int64
        The arm's states by decreasing priority.
    start
        The arm's initial state.
    discount

    Returns
    -------
    coefficients : (S, S)
        ``coefficients[l, x]`` is A(x) once the arm's first l states are in the set; valid for x outside the set.
    theta : (S,)
        ``theta[l]`` is that of the initial state.
    """
    size = order.size
    jumps = discount * transitions
    times = np.ones(size)
    coefficients = np.empty((size, size))
    theta = np.empty(size)
    started = np.zeros(size)
    started[start] = 1.0
    for level in range(size):
        outside = 0.0
        for position in range(level, size):
            x = order[position]
            coefficients[level, x] = times[x]
            outside += started[x]
        theta[level] = outside
        k = order[level]
        leaving = (1.0 - discount) * times[k]
        for position in range(level + 1, size):
            leaving += jumps[k, order[position]]
        factor = started[k] / leaving
        for position in range(level + 1, size):
            started[order[position]] += factor * jumps[k, order[position]]
        for position in range(level + 1, size):
            i = order[position]
            factor = jumps[i, k] / leaving
            if factor != 0.0:
                for other in range(level + 1, size):
                    j = order[other]
                    jumps[i, j] += factor * jumps[k, j]
                times[i] += factor * times[k]
    return coefficients, theta


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
    coefficients = np.empty((arms, width, width))
    theta = np.empty((arms, width))
    for a in range(arms):
        size = sizes[a]
        rows = np.ascontiguousarray(transitions[a, :size, :size])
        terms, masses = arm_laws(rows, local[a, :size], start[a], discount)
        coefficients[a, :size, :size] = terms
        theta[a, :size] = masses

    # The product of the thetas, as mantissa * 2**exponent (it may be far below the smallest float) times 0**zeros.
    # It starts with all states in the set, where an arm played alone never leaves it.
    mantissa, exponent, zeros = 1.0, 0, arms
    current = np.zeros(arms)
    visits = np.zeros((arms, width))
    partial = np.zeros(arms)
    partial_total = 0.0
    for at in range(order.size - 1, -1, -1):
        a = order[at] // width
        x = order[at] - a * width
        filled[a] -= 1
        level = filled[a]
        if current[a] == 0.0:
            zeros -= 1
        else:
            mantissa /= current[a]
        current[a] = theta[a, level]
        if current[a] == 0.0:
            zeros += 1
        else:
            mantissa *= current[a]
        mantissa, shift = math.frexp(mantissa)
        exponent += shift
        right = 0.0 if zeros > 0 else math.ldexp(mantissa, exponent) / (1.0 - discount)
        known = 0.0
        for position in range(level + 1, sizes[a]):
            y = local[a, position]
            known += coefficients[a, level, y] * visits[a, y]
        others = partial_total - partial[a]
        visits[a, x] = (right - others - known) / coefficients[a, level, x]
        partial[a] = known + coefficients[a, level, x] * visits[a, x]
        partial_total = others + partial[a]
    return visits


@kernel
def priority_value(
    transitions: Floats, rewards: Floats, sizes: Integers, start: Integers, order: Integers, discount: float
) -> float:
    """Return the expected total discounted reward of a priority policy from `start`.

    Parameters are those of `priority_visits`, and the (n, S) mean `rewards`.
    """
    visits = priority_visits(transitions, sizes, start, order, discount)
    total = 0.0
    for a in range(sizes.size):
        for x in range(sizes[a]):
            total += rewards[a, x] * visits[a, x]
    return total
