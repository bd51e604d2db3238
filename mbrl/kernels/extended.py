r"""Extended value iteration by policy iteration with a warm start, on the product of the arms or without structure.

The extended Markov decision process chooses, in each global state, an arm and a transition row of that arm within an
L1 ball around its estimate (`eq:EVI`; Auer, Jaksch and Ortner, JMLR 11, 2010, for the inner maximum):

.. math:: (TV)(x) = \max_a \Big[ \bar r(x_a) + \beta \max_{\|q - \hat Q(x_a,\cdot)\|_1 \le \rho(x_a)}
          \sum_y q(y) V(y, x_{-a}) \Big].

A decision process without structure is the case in which every arm moves the same global state: `dense_process`.

Policy iteration evaluates the current arms and rows (`mbrl.kernels.chains`: class by class, without subtraction, so
that the work grows with the number of global states and not with its cube), makes both greedy, and stops when no gain
exceeds rounding, or no value has grown. The maximum is taken over all candidates before any tie is considered. A
tie-break only decides which maximiser is played: at the end, the first.

A gain is computed as :math:`r + \beta \sum_y q(y) (V(y) - V(x)) - (1-\beta) V(x)`, from differences of values, which
close to discount 1 are known to more digits than a float has. So its rounding error is small compared with the rewards,
not only with the values. As :math:`V^* \le V + \max(TV - V)/(1-\beta)`, the gain and its rounding error bound the
lost optimism, whatever the stopping rule.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mbrl.arrays import Floats, Integers, product_size, product_text
from mbrl.kernels.arguments import check_discount, check_rewards, check_rows
from mbrl.kernels.chains import LARGEST_DENSE, Chain, Classes, chain_values, find_classes, no_classes, strides_of
from mbrl.kernels.compiling import kernel, part
from mbrl.kernels.elimination import TWOFOLD_BELOW, UNIT
from theory import ModelError, TooLargeError

LARGEST_PRODUCT = 10_000_000
"""Largest number of global states for which values, arms and rows fit in memory."""

_MOST_ITERATIONS = 1000
_LARGEST_MASK = 40
"""Number of states up to which the possible moves of an arm are the bits of one integer."""


class OptimisticValues(NamedTuple):
    """The outcome of extended value iteration.

    Attributes
    ----------
    values : (G,) float64
        Optimistic value of every global state.
    table : (G,) int64
        An arm that attains the value: the first of those that are equal up to rounding.
    rows : (G, S) float64
        The maximising row of that arm.
    gap : float
        No optimistic value exceeds its entry of `values` by more than this. Up to discount 1 - 1e-3 it is some
        (S + 20) * 1e-15 of the largest value, over 1 - discount; from there to 1 - 1e-7, of the largest reward and the
        largest change of a value in one move, plus the rounding of values. Closer to 1, remaining gains can drown in
        the rounding of values of other classes; the iteration then ends early, with a gap that is orders larger.
    iterations : int
        Number of policies evaluated.
    """

    values: Floats
    table: Integers
    rows: Floats
    gap: float
    iterations: int


class Extended(NamedTuple):
    """An extended decision process and its last solution, which is the next warm start."""

    sizes: Integers  # (n,), number of states of each arm
    strides: Integers  # (n,), difference of two global states whose states of the arm are neighbours
    values: Floats  # (G,), optimistic value of every global state
    table: Integers  # (G,), an arm that attains the value
    orders: Integers  # (n, G), the arm's states by value, at their places in each set that differs in this arm alone
    digits: NDArray[np.int32]  # (n, G), the state of each arm in each global state
    masks: Integers  # (G,), the arm that is played, and a bit for each next state
    lows: Floats  # (G,); from here on work space
    before: Floats  # (G,)
    lows_before: Floats  # (G,)
    doubts: Floats  # (G,)
    gains: Floats  # (G, n)
    row: Floats  # (S,)
    roots: Integers  # (G,), all global states
    chain: Chain  # of the played policy, one list of moves for each global state
    classes: Classes  # of `chain`


def new_extended(sizes: Integers, discount: float) -> Extended:
    """Return the process of arms of `sizes`, which starts from values of 0 and the first arm."""
    return _new_process(sizes, strides_of(sizes), np.indices(tuple(sizes)).reshape(sizes.size, -1), discount)


def dense_process(count: int, actions: int, discount: float) -> Extended:
    """Return the process of `count` states without structure, all of which every arm (here an action) can reach."""
    sizes, digits = np.full(actions, count), np.tile(np.arange(count), (actions, 1))
    return _new_process(sizes, np.ones(actions, np.int64), digits, discount)


def _new_process(sizes: Integers, strides: Integers, digits: Integers, discount: float) -> Extended:
    count, width = digits.shape[1], int(sizes.max())
    lows, before, lows_before, doubts, of_chain = np.zeros((5, count))
    roots, moves = np.arange(count), (count, width)
    lists = roots.copy(), np.zeros(count, np.int64), np.zeros(moves, np.int64), np.zeros(moves)
    known = np.zeros(count), np.zeros(count, np.int64), digits, digits.astype(np.int32), np.full(count, -1)
    room = lows, before, lows_before, doubts, np.empty((count, sizes.size)), np.zeros(width)
    chain = Chain(of_chain, *lists, discount)
    return Extended(sizes, strides, *known, *room, roots, chain, no_classes(count))


def optimistic_values(
    transitions: ArrayLike,
    radii: ArrayLike,
    rewards: ArrayLike,
    sizes: ArrayLike,
    discount: float,
) -> OptimisticValues:
    """Return the result of extended value iteration in all global states.

    Parameters
    ----------
    transitions : (n, S, S)
        Estimated rows; arm a uses its first ``sizes[a]`` states.
    radii : (n, S)
        L1 radii of the rows, non-negative.
    rewards : (n, S)
        Optimistic mean rewards (estimate plus radius).
    sizes : (n,)
    discount
        ``0 <= discount < 1``.

    Raises
    ------
    ModelError
        For no bandit, or a bad radius; the error names arm, state and value.
    TooLargeError
        For more than 10 million global states.

    Examples
    --------
    >>> found = optimistic_values([[[0.5, 0.5], [0.0, 1.0]]], [[0.5, 0.0]], [[0.0, 1.0]], [2], 0.5)
    >>> found.values.round(12), found.rows[0]
    (array([0.85714286, 2.        ]), array([0.25, 0.75]))
    """
    estimates, counts = check_rows(transitions, sizes)
    width = estimates.shape[1]
    means = check_rewards(rewards, counts, width)
    balls = check_rewards(radii, counts, width, "transition radius", "transition radii")
    used = np.arange(width) < counts[:, None]
    if (balls[used] < 0).any():
        a, x = np.argwhere(used & (balls < 0))[0]
        raise ModelError(f"arm {a + 1}, state {x + 1}: transition radius {balls[a, x]:.12g} is negative")
    beta, count = check_discount(discount), product_size(counts, LARGEST_PRODUCT)
    if count is None:
        raise TooLargeError(
            f"extended value iteration solves the product of the arms: {product_text(counts)} global states are beyond "
            f"{LARGEST_PRODUCT}"
        )
    process, rows = new_extended(counts, beta), np.zeros((count, width))
    gap, iterations = _solve(estimates, balls, means, process, rows)
    return OptimisticValues(process.values, process.table, rows, gap, iterations)


@part
def improve(
    estimates: Floats, radii: Floats, rewards: Floats, process: Extended, noise: float
) -> tuple[float, float, float]:
    """Make the table of `process` greedy for the sums of its `values` and `lows`.

    An arm stays if its gain is largest up to rounding, of which `noise` of the largest value is a bound. The gain of
    each arm is written into (G, n) `gains`; sorting starts from the last `orders`.

    Returns
    -------
    gain, rounding, tie
        The largest ``T V - V``, a bound on its error, and the gain up to which an arm stays.
    """
    arms, width = rewards.shape
    values, lows, table, orders, gains = process.values, process.lows, process.table, process.orders, process.gains
    count, discount = values.size, process.chain.discount
    largest, widest, reward = 0.0, 0.0, 0.0
    after, below, laws = np.empty(width), np.empty(width), np.empty((width, width))
    order, last = np.empty(width, np.int64), np.empty(width, np.int64)
    for a in range(arms):
        size, stride = process.sizes[a], process.strides[a]
        last[0] = -1
        for x in range(size):
            reward = max(reward, abs(rewards[a, x]))
        for block in range(0, count, stride * size):
            for base in range(block, block + stride):
                same = True
                for place in range(size):  # insertion sort, which keeps equal states in order
                    y, at = orders[a, base + place * stride], place
                    value, low = values[base + y * stride], lows[base + y * stride]
                    while at > 0:
                        ahead = (after[at - 1] - value) + (below[at - 1] - low)
                        if ahead < 0.0 or (ahead == 0.0 and order[at - 1] < y):
                            break
                        order[at], after[at], below[at] = order[at - 1], after[at - 1], below[at - 1]
                        at -= 1
                    order[at], after[at], below[at] = y, value, low
                for place in range(size):
                    same &= order[place] == last[place]
                    orders[a, base + place * stride] = last[place] = order[place]
                top = size - 1
                widest = max(widest, after[top] - after[0])
                largest = max(largest, abs(after[0]), abs(after[top]))
                if not same:  # half of the radius moves from the worst next states to the best; by places in the order
                    for x in range(size):
                        movable = min(0.5 * radii[a, x], 1.0 - estimates[a, x, order[top]])
                        laws[x, top] = estimates[a, x, order[top]] + movable
                        for place in range(top):
                            taken = min(estimates[a, x, order[place]], movable)
                            movable -= taken
                            laws[x, place] = estimates[a, x, order[place]] - taken
                for here in range(size):
                    x, value, low = order[here], after[here], below[here]
                    moved = laws[x, top] * ((after[top] - value) + (below[top] - low))
                    for place in range(top):
                        moved += laws[x, place] * ((after[place] - value) + (below[place] - low))
                    gains[base + x * stride, a] = rewards[a, x] + discount * moved - (1.0 - discount) * (value + low)
    rounding = (4.0 * width + 8.0) * UNIT * (reward + discount * widest + (1.0 - discount) * largest)
    tie = max(rounding, noise * largest)
    gained = -np.inf
    for g in range(count):
        best = np.int64(0)
        for a in range(1, arms):
            if gains[g, a] > gains[g, best]:
                best = np.int64(a)
        gained = max(gained, gains[g, best])
        if gains[g, table[g]] < gains[g, best] - tie:
            table[g] = best
    return gained, rounding, tie


@part
def list_moves(estimates: Floats, radii: Floats, rewards: Floats, process: Extended) -> None:
    """Write the chain of the played policy, with greedy rows; if possible moves change, its classes become unknown.

    In `laws`, the probability of staying comes after those of the moves.
    """
    table, digits, row, orders, masks = process.table, process.digits, process.row, process.orders, process.masks
    gains, counts, jumps, laws = process.chain.gains, process.chain.counts, process.chain.jumps, process.chain.laws
    changed = row.size > _LARGEST_MASK
    for g in range(table.size):
        a = table[g]
        stride, size, x = process.strides[a], process.sizes[a], np.int64(digits[a, g])
        base = g - x * stride  # from here on the row of `improve`
        top = orders[a, base + (size - 1) * stride]
        movable = min(0.5 * radii[a, x], 1.0 - estimates[a, x, top])
        row[top] = estimates[a, x, top] + movable
        movable = max(movable, 0.0)
        for place in range(size - 1):
            y = orders[a, base + place * stride]
            taken = min(estimates[a, x, y], movable)
            row[y] = estimates[a, x, y] - taken
            movable -= taken
        mask = listed = np.int64(0)
        for y in range(size):  # branches would be mispredicted: write always, and overwrite what does not count
            jumps[g, listed], laws[g, listed] = (y - x) * stride, row[y]
            possible = np.int64(y != x) & np.int64(row[y] > 0.0)
            listed += possible
            mask = 2 * mask + possible
        mask += a << _LARGEST_MASK
        changed |= mask != masks[g]
        gains[g], counts[g], masks[g], laws[g, listed] = rewards[a, x], listed, mask, row[x]
    if changed:
        process.classes.found[0] = 0


@part
def settle_arms(gains: Floats, gain: float, rounding: float, discount: float, tie: float, table: Integers) -> None:
    r"""Play the first arm whose entry of the (G, n) `gains` is largest, or not distinguishable from the largest.

    If :math:`|TV - V|` is at most e, rounding included, V is within :math:`e/(1-\beta)` of the fixed point; gains that
    are equal there differ here by at most twice that plus twice the rounding. Close to discount 1, where this is large,
    the tolerance is the `tie` of `improve`.
    """
    error, best = gain, np.empty(table.size)
    for g in range(table.size):
        best[g] = -np.inf
        for a in range(gains.shape[1]):
            best[g] = max(best[g], gains[g, a])
        error = max(error, -best[g])
    error = (error + rounding) / (1.0 - discount) + rounding
    tolerance = tie if 1.0 - discount < TWOFOLD_BELOW else max(tie, 2.0 * error)
    for g in range(table.size):
        first = np.int64(0)
        while gains[g, first] < best[g] - tolerance:
            first += 1
        table[g] = first


@part
def solve_extended(estimates: Floats, radii: Floats, rewards: Floats, process: Extended) -> tuple[float, int]:
    """Solve the extended decision process from a warm start, and return `gap` and `iterations` of `OptimisticValues`.

    The other arguments are those of `optimistic_values`, and are not checked. The `process` holds at the start any
    finite values and any arms (best those of the previous episode); at the end the optimistic values, and an arm that
    attains them in every global state.
    """
    values, lows, before, lows_before = process.values, process.lows, process.before, process.lows_before
    chain, classes, count, discount = process.chain, process.classes, process.values.size, process.chain.discount
    for g in range(count):
        lows[g] = 0.0
    twofold = 1.0 - discount < TWOFOLD_BELOW
    noise = 0.0 if twofold else 16 * UNIT
    iteration = 0
    while iteration < _MOST_ITERATIONS:
        iteration += 1
        for g in range(count):
            before[g], lows_before[g] = values[g], lows[g]
        list_moves(estimates, radii, rewards, process)
        if classes.found[0] == 0:
            find_classes(process.roots, chain, classes)
        chain_values(chain, classes, twofold, values, lows, process.doubts, LARGEST_DENSE)
        gain, rounding, tie = improve(estimates, radii, rewards, process, noise)
        growth = -np.inf
        for g in range(count):
            growth = max(growth, (values[g] - before[g]) + (lows[g] - lows_before[g]))
        if gain <= tie or (iteration > 1 and growth <= tie):
            break
    settle_arms(process.gains, gain, rounding, discount, tie, process.table)
    largest = 0.0
    for g in range(count):
        values[g] += lows[g]
        largest = max(largest, abs(values[g]))
    return max(gain + rounding, 0.0) / (1.0 - discount) + UNIT * largest, iteration


@kernel
def _solve(estimates: Floats, radii: Floats, rewards: Floats, process: Extended, rows: Floats) -> tuple[float, int]:
    """Do as `solve_extended`, and write the maximising rows into (G, S) `rows` of zeros."""
    improve(estimates, radii, rewards, process, 0.0)  # else the first arm alone would be evaluated first
    solved = solve_extended(estimates, radii, rewards, process)
    list_moves(estimates, radii, rewards, process)
    write_rows(process, rows)
    return solved


@part
def write_rows(process: Extended, rows: Floats) -> None:
    """Write the rows of the listed moves into (G, S) `rows` of zeros."""
    chain = process.chain
    for g in range(rows.shape[0]):
        a, last = process.table[g], chain.counts[g]
        x = process.digits[a, g]
        rows[g, x] = chain.laws[g, last]
        for k in range(last):
            rows[g, x + chain.jumps[g, k] // process.strides[a]] = chain.laws[g, k]
