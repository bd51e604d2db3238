r"""The value of a Markov chain with rewards, without subtraction, one class of communicating states after another.

A policy on the product of the arms moves one arm at a time, so its chain has few next states per state, and its
classes are small: under a priority policy the arms that rest have ever smaller indices, so that only the arm being
played can return to where it was. The classes come out of one depth-first search in the order in which they can be
solved, each after those that it can reach (Tarjan, SIAM J. Comput. 1, 1972). Within a class

.. math:: V_i = \frac{g_i + \sum_{j < i} w_{ij} V_j}{D_i}

after the elimination of `mbrl.kernels.elimination` of the states above i, whose gains g hold what is reached outside.
With rewards of one sign every value has a small relative error, whatever the discount.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import part
from mbrl.kernels.elimination import UNIT, elimination_error, leaving

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST_DENSE = 2048
"""Number of states up to which a class is solved by elimination; larger ones are by sweeps."""

_MOST_SWEEPS = 20_000  # equivalent: one more or less; where it ends, the error says so
_DONE = 2**62


class Chain(NamedTuple):
    """A bandit, and what is played in each of its global states.

    Attributes
    ----------
    table : (G,) int64
        The arm that is played.
    sizes, strides : (n,) int64
    gains : (G,)
        The reward.
    rows : (G, S) or (n * S, S)
        Next-state law of the arm that is played, by global state or by arm state.
    by_global_state : bool
        Which of the two.
    discount : float
    """

    table: Integers
    sizes: Integers
    strides: Integers
    gains: Floats
    rows: Floats
    by_global_state: bool
    discount: float


@part
def strides_of(sizes: Integers) -> Integers:
    """Return the (n,) strides of the numbering of global states: mixed radix, the last arm varying fastest."""
    strides, stride = np.empty(sizes.size, np.int64), 1
    for a in range(sizes.size - 1, -1, -1):
        strides[a] = stride
        stride *= sizes[a]
    return strides


@part
def factor_class(weights: Floats, ends: Floats) -> None:
    r"""Eliminate the states of one class, the last first, so that `solve_factored` can solve :math:`(D - W) V = g`.

    Parameters
    ----------
    weights : (m, m)
        W, non-negative; its diagonal is not read. Overwritten: the diagonal by the rate with which a state is left.
    ends : (m,)
        Non-negative; D is the diagonal matrix of `ends` plus the sums of W's rows. Destroyed.
    """
    for k in range(ends.size - 1, -1, -1):
        end = ends[k]
        rate = leaving(end, weights[k], 0, k)
        weights[k, k] = rate
        for i in range(k):
            factor = weights[i, k] / rate
            if factor != 0.0:
                for j in range(k):  # entries, not rows as slices: counting references would take as long as this loop
                    weights[i, j] += factor * weights[k, j]
                ends[i] += factor * end


@part
def solve_factored(weights: Floats, values: Floats) -> None:
    """Make the values V of the gains g that (m,) `values` hold, with the `weights` of `factor_class`."""
    size = values.size
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
    """Return how large the relative error that one class adds can be: of `size` states with up to `width` next ones.

    To the elimination's come the sums over what is reached outside, in gains and ends, and those of the last step.
    """
    return elimination_error(size) + 1.001 * UNIT * (0.5 * size * size + 3.0 * size + 2.0 * size * (width + 2.0) + 2.0)


@part
def chain_values(
    roots: Integers,
    chain: Chain,
    twofold: bool,
    values: Floats,
    lows: Floats,
    doubts: Floats,
    largest_dense: int,
) -> None:
    r"""Write the values of a chain in every global state that can be reached from `roots`.

    Each value is a sum of two floats, where asked for: what is solved first, and what its residual
    :math:`g + \beta \sum_y q(y) (V(y) - V(x)) - (1-\beta) V(x)`, computed of differences, gives for its error. The
    differences of values that lie close together are then known far better than the values' own rounding.

    Parameters
    ----------
    roots : (m,) int64
    chain
        What is played.
    twofold
        Whether to compute `lows`, which are 0 otherwise.
    values, lows : (G,)
        Receive the values and what is to be added to them; other entries are left as they are. A class that is too
        large to be eliminated is solved by sweeps that start from what `values` hold, and has no `lows`.
    doubts : (G,)
        Receives bounds of the relative errors (relative to the values of the rewards' absolute values).
    largest_dense
        Number of states up to which a class is eliminated.
    """
    count = chain.table.size
    number, low = np.empty(count, np.int64), np.empty(count, np.int64)
    members, calls, tried = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    place, states = np.empty(count, np.int64), np.empty(count, np.int64)
    for g in range(count):
        number[g] = -1
    single = class_error(1, chain.rows.shape[1])
    found, waiting = 0, 0
    for root in roots:
        depth = 0
        if number[root] < 0:
            number[root] = low[root] = found
            found += 1
            members[waiting], calls[0], tried[0], states[root] = root, root, 0, state_of(chain, root)
            waiting, depth = waiting + 1, 1
        while depth > 0:
            g = calls[depth - 1]
            at, x, stride, size = played(chain, states, g)
            deeper = False
            for y in range(tried[depth - 1], size):
                if y == x or chain.rows[at, y] == 0.0:
                    continue
                h = g + (y - x) * stride
                if number[h] < 0:
                    number[h] = low[h] = found
                    found += 1
                    tried[depth - 1] = y + 1
                    members[waiting], calls[depth], tried[depth], states[h] = h, h, 0, state_of(chain, h)
                    waiting, depth, deeper = waiting + 1, depth + 1, True
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
            first = waiting - 1
            if members[first] == g:
                gain, end, doubt = outside(chain, states, g, number, values, doubts)
                values[g], lows[g], doubts[g], number[g] = gain / end, 0.0, doubt + single, _DONE
                if twofold:
                    lows[g] = residual(chain, states, g, values, lows) / end
            else:
                while members[first] != g:
                    first -= 1
                of_class = members[first:waiting]
                solve_members(of_class, place, chain, states, twofold, number, values, lows, doubts, largest_dense)
            waiting = first


@part
def state_of(chain: Chain, g: int) -> np.int64:
    """Return the state, in global state g, of the arm that is played."""
    a = chain.table[g]  # of 32 bits, which divide in half the time
    return np.int64((np.uint32(g) // np.uint32(chain.strides[a])) % np.uint32(chain.sizes[a]))


@part
def played(chain: Chain, states: Integers, g: int) -> tuple[int, int, int, int]:
    """Return where the row is that is played in global state g, and its arm's state, stride and number of states."""
    a = chain.table[g]
    stride, size = chain.strides[a], chain.sizes[a]
    x = states[g]
    return (g if chain.by_global_state else a * chain.rows.shape[1] + x), x, stride, size


@part
def outside(
    chain: Chain, states: Integers, g: int, number: Integers, values: Floats, doubts: Floats
) -> tuple[float, float, float]:
    """Return the gain in g with what solved states add, the weight of leaving to them or ending, and their doubt."""
    at, x, stride, size = played(chain, states, g)
    gain, end, doubt = chain.gains[g], 1.0 - chain.discount, 0.0
    for y in range(size):
        h = g + (y - x) * stride
        if y != x and chain.rows[at, y] > 0.0 and number[h] == _DONE:
            weight = chain.discount * chain.rows[at, y]
            gain += weight * values[h]
            end += weight
            doubt = max(doubt, doubts[h])
    return gain, end, doubt


@part
def residual(chain: Chain, states: Integers, g: int, values: Floats, lows: Floats) -> float:
    """Return what the Bellman equation of g lacks, whose own entry of `lows` is still 0."""
    at, x, stride, size = played(chain, states, g)
    moved = 0.0
    for y in range(size):
        if y != x and chain.rows[at, y] > 0.0:
            h = g + (y - x) * stride
            moved += chain.rows[at, y] * ((values[h] - values[g]) + lows[h])
    lacking: float = chain.gains[g] + chain.discount * moved - (1.0 - chain.discount) * values[g]
    return lacking


@part
def solve_members(
    members: Integers,
    place: Integers,
    chain: Chain,
    states: Integers,
    twofold: bool,
    number: Integers,
    values: Floats,
    lows: Floats,
    doubts: Floats,
    largest_dense: int,
) -> None:
    """Solve one class of several states, all that it reaches outside being solved; arguments as in `chain_values`."""
    size = members.size
    ends, gains, doubt = np.empty(size), np.empty(size), 0.0
    for i in range(size):
        place[members[i]] = i
        lows[members[i]] = 0.0
        gains[i], ends[i], reached = outside(chain, states, members[i], number, values, doubts)
        doubt = max(doubt, reached)
    if size <= largest_dense:
        weights = np.empty((size, size))  # the compiler takes longer for np.zeros, which compiles np.empty again
        for i in range(size):
            for j in range(size):
                weights[i, j] = 0.0
            g = members[i]
            at, x, stride, last = played(chain, states, g)
            for y in range(last):
                h = g + (y - x) * stride
                if y != x and chain.rows[at, y] > 0.0 and number[h] != _DONE:
                    weights[i, place[h]] = chain.discount * chain.rows[at, y]
        factor_class(weights, ends)
        solve_factored(weights, gains)
        for i in range(size):
            values[members[i]] = gains[i]
        if twofold:
            for i in range(size):
                gains[i] = residual(chain, states, members[i], values, lows)
            solve_factored(weights, gains)
            for i in range(size):
                lows[members[i]] = gains[i]
        doubt += class_error(size, chain.rows.shape[1])
    else:
        doubt += sweep_members(members, chain, states, number, gains, ends, values)
    for i in range(size):
        doubts[members[i]] = doubt
        number[members[i]] = _DONE


@part
def sweep_members(
    members: Integers,
    chain: Chain,
    states: Integers,
    number: Integers,
    gains: Floats,
    ends: Floats,
    values: Floats,
) -> float:
    r"""Solve one class by Gauss-Seidel sweeps, and return a bound of the relative error that is left.

    The residual is at most the last sweep's largest change, and :math:`\max |TV - V| / (1-\beta)` bounds the error.
    """
    for _ in range(_MOST_SWEEPS):
        largest, smallest, change = 0.0, np.inf, 0.0
        for i in range(members.size):
            g = members[i]
            at, x, stride, size = played(chain, states, g)
            gain, rate = gains[i], ends[i]
            for y in range(size):
                h = g + (y - x) * stride
                if y != x and chain.rows[at, y] > 0.0 and number[h] != _DONE:
                    gain += chain.discount * chain.rows[at, y] * values[h]
                    rate += chain.discount * chain.rows[at, y]
            value = gain / rate
            change = max(change, abs(value - values[g]))
            largest, smallest = max(largest, abs(value)), min(smallest, abs(value))
            values[g] = value
        if change <= 2.0 * UNIT * largest:
            break
    error = (change + (chain.rows.shape[1] + 8.0) * UNIT * largest) / (1.0 - chain.discount)
    return error / smallest if smallest > 0.0 else np.inf
