r"""Values of a Markov chain with rewards, without subtraction, one communicating class after another.

A policy on the product of the arms moves one arm at a time, so its chain has few next states per state. Its classes are
small: under a priority policy the resting arms have ever smaller indices, so only the arm being played can return to a
former state. One depth-first search finds the classes in an order in which each comes after those that it can reach,
so that they can be solved one by one (Tarjan, SIAM J. Comput. 1, 1972). Within a class

.. math:: V_i = \frac{g_i + \sum_{j < i} w_{ij} V_j}{D_i}

after `mbrl.kernels.elimination` of the states above i, where the gains g include what is reached outside the class.
With rewards of one sign every value has a small relative error, whatever the discount.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import inlined, part
from mbrl.kernels.elimination import UNIT, elimination_error, leaving

LARGEST_DENSE = 2048
"""Number of states up to which a class is solved by elimination; larger classes are solved by sweeps."""

_MOST_SWEEPS = 20_000  # equivalent: one more or less; where it ends, the error says so
_DONE = 2**62


class Chain(NamedTuple):
    """A Markov chain with rewards."""

    gains: Floats  # (G,), the reward of each state
    places: Integers  # (G,), index of each state's list of moves; states may share a list
    counts: Integers  # (L,), number of moves to other states in each list
    jumps: Integers  # (L, S), for each move, the number of the next state minus that of the state
    laws: Floats  # (L, S), probabilities of the moves, positive
    discount: float


class Classes(NamedTuple):
    """The communicating classes of a chain, each after those that it can reach."""

    found: Integers  # (2,), number of classes, and of states in the largest; 0 if the classes are not known
    ends: Integers  # (G,), position in `members` at which each class ends, and the next one begins
    members: Integers  # (G,), the reached states, class by class
    positions: Integers  # (G,), position of each state in `members`


@part
def no_classes(count: int) -> Classes:
    """Return empty classes, with room for `count` states."""
    found = np.empty(2, np.int64)
    found[0] = found[1] = 0
    return Classes(found, np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64))


@part
def strides_of(sizes: Integers) -> Integers:
    """Return the (n,) strides of global state numbers: mixed radix, the last arm varying fastest."""
    strides, stride = np.empty(sizes.size, np.int64), 1
    for a in range(sizes.size - 1, -1, -1):
        strides[a] = stride
        stride *= sizes[a]
    return strides


@inlined
def factor_class(weights: Floats, ends: Floats, size: int) -> None:
    r"""Eliminate the states of one class, the last one first, so that `solve_factored` can solve :math:`(D - W) V = g`.

    D is the diagonal matrix of `ends` plus the sums of W's rows; the diagonal of W, the `weights`, is ignored. Both are
    overwritten, the diagonal by the rates at which the states are left.
    """
    for k in range(size - 1, -1, -1):
        end = ends[k]
        rate = leaving(end, weights[k], 0, k)
        weights[k, k] = rate
        for i in range(k):
            factor = weights[i, k] / rate
            if factor != 0.0:
                for j in range(k):  # over entries: slices count references, which takes as long as this loop
                    weights[i, j] += factor * weights[k, j]
                ends[i] += factor * end


@inlined
def solve_factored(weights: Floats, values: Floats, size: int) -> None:
    """Replace the gains g in `values` by the values V, with the `weights` of `factor_class`."""
    for k in range(size - 1, 0, -1):
        gain = values[k] / weights[k, k]
        if gain != 0.0:
            for i in range(k):
                values[i] += weights[i, k] * gain
    for k in range(size):
        total = values[k]
        for j in range(k):
            total += weights[k, j] * values[j]
        values[k] = total / weights[k, k]


@part
def class_error(size: int, width: int) -> float:
    """Return a bound on the relative error that a class of `size` states with up to `width` next states each adds.

    It is the elimination's error plus that of the sums over states outside (gains and ends) and of the last step.
    """
    return elimination_error(size) + 1.001 * UNIT * (0.5 * size * size + 3.0 * size + 2.0 * size * (width + 2.0) + 2.0)


@part
def find_classes(roots: Integers, chain: Chain, classes: Classes) -> None:
    """Find the classes of all states that the (m,) `roots` can reach."""
    count = chain.places.size
    number, low, waiting = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    calls, tried = np.empty(count, np.int64), np.empty(count, np.int64)
    for g in range(count):
        number[g] = -1
    numbered, left, done, found, largest = 0, 0, 0, 0, 0
    for root in roots:
        depth = 0
        if number[root] < 0:
            number[root] = low[root] = numbered
            numbered += 1
            waiting[left], calls[0], tried[0] = root, root, 0
            left, depth = left + 1, 1
        while depth > 0:
            g = calls[depth - 1]
            at, deeper = chain.places[g], False
            for k in range(tried[depth - 1], chain.counts[at]):
                h = g + chain.jumps[at, k]
                if number[h] < 0:
                    number[h] = low[h] = numbered
                    numbered += 1
                    tried[depth - 1] = k + 1
                    waiting[left], calls[depth], tried[depth] = h, h, 0
                    left, depth, deeper = left + 1, depth + 1, True
                    break
                low[g] = min(low[g], number[h])
            if deeper:
                continue
            depth -= 1
            if depth > 0:
                parent = calls[depth - 1]
                low[parent] = min(low[parent], low[g])
            if low[g] < number[g]:
                continue
            first = left - 1
            while waiting[first] != g:
                first -= 1
            for place in range(first, left):
                h = waiting[place]
                classes.members[done], classes.positions[h], number[h] = h, done, _DONE
                done += 1
            classes.ends[found] = done
            found, largest, left = found + 1, max(largest, left - first), first
    classes.found[0], classes.found[1] = found, largest


@part
def chain_values(
    chain: Chain,
    classes: Classes,
    twofold: bool,
    values: Floats,
    lows: Floats,
    doubts: Floats,
    largest_dense: int,
) -> None:
    r"""Write the values of a chain in every state of its classes.

    If `twofold`, each value is a sum of two floats: a first solution, and the correction that solves for its residual
    :math:`g + \beta \sum_y q(y) (V(y) - V(x)) - (1-\beta) V(x)`, computed from differences. Differences of close values
    are then known far better than the values are rounded.

    The (G,) `values` receive the values of the states in `classes`, and `lows` the corrections, 0 unless `twofold`;
    `doubts` receive bounds on the relative errors (relative to the values of the rewards' absolute values). A class of
    more than `largest_dense` states is solved by sweeps that start from `values`, and has no corrections.
    """
    number, largest = classes.found
    room, single = min(largest, largest_dense), class_error(1, chain.laws.shape[1])
    weights, gains, ends = np.empty((room, room)), np.empty(largest), np.empty(largest)
    first = 0
    for which in range(number):
        beyond = classes.ends[which]
        size, doubt = beyond - first, 0.0
        for i in range(size):
            g = classes.members[first + i]
            at, gain, end = chain.places[g], chain.gains[g], 1.0 - chain.discount
            if size <= largest_dense:
                for j in range(size):
                    weights[i, j] = 0.0
            for k in range(chain.counts[at]):
                h = g + chain.jumps[at, k]
                weight, j = chain.discount * chain.laws[at, k], classes.positions[h] - first
                if j < 0:
                    gain += weight * values[h]
                    end += weight
                    doubt = max(doubt, doubts[h])
                elif size <= largest_dense:
                    weights[i, j] = weight
            gains[i], ends[i], lows[g] = gain, end, 0.0
        if size == 1:  # the code below, without its calls
            g = classes.members[first]
            values[g], doubts[g] = gains[0] / ends[0], doubt + single
            if twofold:
                lows[g] = residual(chain, g, values, lows) / ends[0]
            first = beyond
            continue
        if size <= largest_dense:
            factor_class(weights, ends, size)
            solve_factored(weights, gains, size)
            for i in range(size):
                values[classes.members[first + i]] = gains[i]
            if twofold:
                for i in range(size):
                    gains[i] = residual(chain, classes.members[first + i], values, lows)
                solve_factored(weights, gains, size)
                for i in range(size):
                    lows[classes.members[first + i]] = gains[i]
            doubt += class_error(size, chain.laws.shape[1])
        else:
            doubt += sweep_class(chain, classes, first, beyond, gains, ends, values)
        for place in range(first, beyond):
            doubts[classes.members[place]] = doubt
        first = beyond


@part
def residual(chain: Chain, g: int, values: Floats, lows: Floats) -> float:
    """Return the residual of the Bellman equation in state g; `lows[g]` has to be 0 still."""
    at, moved = chain.places[g], 0.0
    for k in range(chain.counts[at]):
        h = g + chain.jumps[at, k]
        moved += chain.laws[at, k] * ((values[h] - values[g]) + lows[h])
    lacking: float = chain.gains[g] + chain.discount * moved - (1.0 - chain.discount) * values[g]
    return lacking


@part
def sweep_class(
    chain: Chain, classes: Classes, first: int, beyond: int, gains: Floats, ends: Floats, values: Floats
) -> float:
    r"""Solve one class by Gauss-Seidel sweeps, and return a bound on the remaining relative error.

    The last sweep's largest change bounds the residual, and :math:`\max |TV - V| / (1-\beta)` bounds the error.
    """
    for _ in range(_MOST_SWEEPS):
        largest, smallest, change = 0.0, np.inf, 0.0
        for place in range(first, beyond):
            g = classes.members[place]
            at, gain, rate = chain.places[g], gains[place - first], ends[place - first]
            for k in range(chain.counts[at]):
                h = g + chain.jumps[at, k]
                if classes.positions[h] >= first:
                    gain += chain.discount * chain.laws[at, k] * values[h]
                    rate += chain.discount * chain.laws[at, k]
            value = gain / rate
            change = max(change, abs(value - values[g]))
            largest, smallest = max(largest, abs(value)), min(smallest, abs(value))
            values[g] = value
        if change <= 2.0 * UNIT * largest:
            break
    error = (change + (chain.laws.shape[1] + 8.0) * UNIT * largest) / (1.0 - chain.discount)
    return error / smallest if smallest > 0.0 else np.inf
