r"""The value of any priority policy in :math:`O(n S^3)` or less, by the strong conservation laws, without subtraction.

Let :math:`S_l` be the first l of all arm states in priority, :math:`\theta_l(i) = E[\beta^T]` with T the time at which
the arm of arm state i, played alone, leaves :math:`S_l`, and :math:`\Pi_l = \prod_a \theta_l(x_a)` for the initial
state x. The laws of Bertsimas and Nino-Mora (Math. Oper. Res. 21, 1996), summed by parts, give

.. math:: V(x) = \frac{1}{1-\beta} \sum_l g_l (\Pi_{l-1} - \Pi_l),

where :math:`g_l` is the quotient of reward and time of the l-th arm state when the elimination of its arm comes to it
(its index, if the order is that of the indices). The difference is the time spent on excursions from that state. Only
one arm's theta changes in it, by the mass that the arm's initial state has there and that ends there. So the
differences need no subtraction either, and with rewards of one sign every term has one sign.

An arm is eliminated when the order comes to its initial state, and terms are added until the rest is below rounding. So
with a million arms, the cost is that of the arms that play reaches.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from mbrl.arrays import Floats, Integers
from mbrl.kernels.arguments import check_discount, check_order, check_rewards, check_rows, check_start
from mbrl.kernels.compiling import inlined, kernel, part
from mbrl.kernels.elimination import UNIT, elimination_error, leaving
from mbrl.kernels.next_arm import arms_in_order, settle_first

_NEGLIGIBLE = 1e-20
_SMALL = 1e-100  # equivalent: powers of two are exact


def priority_value(
    transitions: ArrayLike,
    rewards: ArrayLike,
    sizes: ArrayLike,
    start: ArrayLike,
    order: ArrayLike,
    discount: float,
) -> float:
    """Return the expected total discounted reward of a priority policy from `start`.

    `priority_value_and_error` also returns a bound on the error: with rewards of one sign, a small part of the value,
    whatever the discount.

    Parameters
    ----------
    transitions : (n, S, S)
        Arm a uses its first ``sizes[a]`` states; the rest of its rows is zero.
    rewards : (n, S)
        Mean rewards, of any sign.
    sizes : (n,)
    start : (n,)
        Initial state of each arm.
    order : (N,)
        All arm states, as ``arm * S + state``, in strict order, the most urgent first.
    discount
        ``0 <= discount < 1``.

    Raises
    ------
    ModelError
        For no bandit, or no order of its states; the error names arm, state and value.

    Examples
    --------
    >>> rows, rewards = [[[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]], [[0.0, 1.0], [0.25, 0.0]]
    >>> round(priority_value(rows, rewards, [2, 2], [0, 0], [1, 0, 2, 3], 0.5), 12)
    0.666666666667
    """
    return priority_value_and_error(transitions, rewards, sizes, start, order, discount)[0]


def priority_value_and_error(
    transitions: ArrayLike,
    rewards: ArrayLike,
    sizes: ArrayLike,
    start: ArrayLike,
    order: ArrayLike,
    discount: float,
) -> tuple[float, float]:
    """Return the value of a priority policy as `priority_value` does, and a bound on its error.

    Examples
    --------
    >>> value, error = priority_value_and_error([[[0.5, 0.5], [0.0, 1.0]]], [[0.0, 1.0]], [2], [0], [1, 0], 0.999999)
    >>> error < 1e-13 * value
    True
    """
    rows, counts = check_rows(transitions, sizes)
    width = rows.shape[1]
    means = check_rewards(rewards, counts, width)
    first, places, beta = check_start(start, counts), check_order(order, counts, width), check_discount(discount)
    indices = np.full(means.shape, -np.inf)
    indices.ravel()[places] = -np.arange(float(places.size))
    return value_by_indices(rows, means, counts, first, indices, False, beta)


@inlined
def local_order(indices: Floats, last_first: bool, order: Integers) -> None:
    """Write one arm's states by decreasing index (insertion sort); if equal, the first state first, or the last."""
    for place in range(order.size):
        state = order.size - 1 - place if last_first else place
        at = place
        while at > 0 and indices[order[at - 1]] < indices[state]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = state


@inlined
def arm_terms(
    transitions: Floats,
    rewards: Floats,
    order: Integers,
    start: int,
    discount: float,
    work: Floats,
    ratios: Floats,
    absolute: Floats,
    thetas: Floats,
    drops: Floats,
) -> None:
    """Write one arm's ratios of reward to time, thetas and their drops, by position in its (s,) `order` of states.

    The numbers in `absolute` are the ratios for the absolute values of the rewards, and ``drops[l]`` is ``thetas[l] -
    thetas[l + 1]``, where the theta after the last one is 0. The (S + 5, S) `work` is overwritten.
    """
    size = order.size
    started, gains, times, ends, amounts = work[size], work[size + 1], work[size + 2], work[size + 3], work[size + 4]
    for p in range(size):
        for q in range(size):
            work[p, q] = discount * transitions[order[p], order[q]]
        started[p] = 1.0 if order[p] == start else 0.0
        gains[p] = rewards[order[p]]
        amounts[p] = abs(gains[p])
        times[p] = 1.0
        ends[p] = 1.0 - discount
    for level in range(size):
        thetas[level] = leaving(0.0, started, level, size)
        ratios[level] = gains[level] / times[level]
        absolute[level] = amounts[level] / times[level]
        end = ends[level]
        rate = leaving(end, work[level], level + 1, size)
        drops[level] = started[level] * (end / rate)
        for p in range(level + 1, size):
            factor = work[p, level] / rate
            if factor != 0.0:
                for q in range(level + 1, size):
                    work[p, q] += factor * work[level, q]
                gains[p] += factor * gains[level]
                amounts[p] += factor * amounts[level]
                times[p] += factor * times[level]
                ends[p] += factor * end
        factor = started[level] / rate
        if factor != 0.0:
            for q in range(level + 1, size):
                started[q] += factor * work[level, q]


@part
def evaluate_indices(
    transitions: Floats,
    rewards: Floats,
    sizes: Integers,
    start: Integers,
    indices: Floats,
    last_first: bool,
    discount: float,
) -> tuple[float, float]:
    """Return the value of playing an arm whose state has the largest of the (n, S) `indices`, and a bound on its error.

    Other parameters are those of `priority_value`; they are not checked. Equal indices are ordered from the first arm
    and state on, or from the last.
    """
    arms, width = rewards.shape
    largest, place, reached = 0.0, np.empty(arms, np.int64), 0
    for a in range(arms):
        place[a] = -1
        for x in range(sizes[a]):
            largest = max(largest, abs(rewards[a, x]))
    keys, arms_left = arms_in_order(indices, start, last_first)
    # data of an arm is written when play comes to it: memory that is never written is never allocated
    level, order = np.empty(arms, np.int64), np.empty(arms * width, np.int64)
    terms, work = np.empty((4 * arms, width)), np.empty((width + 5, width))  # ratios, absolute ones, thetas, drops

    # the product of the thetas is mantissa * 2**exponent, as it may be far below the smallest float
    mantissa, exponent, total, lost, uncertain = 1.0, 0, 0.0, 0.0, 0.0
    of_arm = elimination_error(width + 1)
    relative = 2.0 * of_arm + 8.0 * UNIT
    while True:
        a = arms_left[0]
        size = sizes[a]
        if place[a] < 0:
            i, place[a], reached = reached, reached, reached + 1
            states = order[i * width : i * width + size]
            local_order(indices[a], last_first, states)
            rooms = terms[4 * i], terms[4 * i + 1], terms[4 * i + 2], terms[4 * i + 3]
            arm_terms(transitions[a], rewards[a], states, start[a], discount, work, *rooms)
            level[i] = 0
            while states[level[i]] != start[a]:
                level[i] += 1
            relative += of_arm
        i = place[a]
        at = level[i]
        before, drop, ratio = terms[4 * i + 2, at], terms[4 * i + 3, at], terms[4 * i, at]
        if drop > 0.0:
            share = (mantissa if exponent == 0 else math.ldexp(mantissa, exponent)) * (drop / before)
            term = ratio * share
            following = total + term
            lost += (total - following) + term if abs(total) >= abs(term) else (term - following) + total
            total = following
            uncertain += share * terms[4 * i + 1, at] * relative
        if at + 1 == size:
            break
        if drop > 0.0:
            mantissa *= terms[4 * i + 2, at + 1] / before
            if mantissa < _SMALL:
                mantissa, shift = math.frexp(mantissa)
                exponent += shift
            relative += 2.0 * UNIT
            rest = (
                mantissa if exponent == 0 else math.ldexp(mantissa, exponent)
            ) * largest  # 0 once no arm is left to play, which ends the loop
            if rest <= _NEGLIGIBLE * abs(total):
                uncertain += rest
                break
        level[i] = at + 1
        keys[a] = indices[a, order[i * width + at + 1]]
        settle_first(arms_left, keys, last_first)
    value = (total + lost) / (1.0 - discount)
    return value, 1.01 * uncertain / (1.0 - discount) + 4.0 * UNIT * abs(value)


value_by_indices = kernel(evaluate_indices)
