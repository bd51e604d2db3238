r"""Values of policies on the product of the arms' state spaces, given as tables of arms over the global states.

Global states are numbered in mixed radix, the last arm's state varying fastest. The value of a policy solves
:math:`(I - \beta P^\pi) V = r^\pi` (`eq:exact_value`) on the states that play can reach, class by class
(`mbrl.kernels.chains`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mbrl.arrays import Floats, Integers, integers, product_size, product_text
from mbrl.kernels.arguments import check_discount, check_rewards, check_rows, check_sizes, check_start, read_only
from mbrl.kernels.chains import LARGEST_DENSE, Chain, chain_values, find_classes, no_classes, strides_of
from mbrl.kernels.compiling import kernel, part
from mbrl.kernels.elimination import UNIT
from mbrl.policies import TablePolicy
from theory import ModelError


def table_value(
    transitions: ArrayLike,
    rewards: ArrayLike,
    sizes: ArrayLike,
    start: ArrayLike,
    table: ArrayLike,
    discount: float,
) -> float:
    """Return the expected total discounted reward, from `start`, of playing arm ``table[g]`` in global state g.

    Each communicating class of global states that play can reach adds at most its `mbrl.kernels.chains.class_error` to
    the relative error of the value (relative to the value of the rewards' absolute values, if they have both signs).

    Parameters
    ----------
    transitions : (n, S, S), rewards : (n, S), sizes : (n,)
        The padded bandit.
    start : (n,)
    table : (G,)
        An arm for each of the G global states, G the product of the sizes.
    discount
        ``0 <= discount < 1``.

    Raises
    ------
    ModelError
        For no bandit, or no table for it; the error names arm, state and value.

    Examples
    --------
    >>> table_value([[[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]], [[0.0, 1.0], [0.25, 0.0]], [2, 2], [0, 0],
    ...             [1, 0, 0, 0], 0.5)
    0.5
    """
    rows, counts = check_rows(transitions, sizes)
    means, first = check_rewards(rewards, counts, rows.shape[1]), check_start(start, counts)
    arms = read_only(TablePolicy.from_table(table, counts).table)
    return value_of_table(rows, means, counts, first, arms, check_discount(discount))[0]


@part
def evaluate_table(
    transitions: Floats, rewards: Floats, sizes: Integers, start: Integers, table: Integers, discount: float
) -> tuple[float, float]:
    """Return the result of `table_value`, and a bound on its error; arguments are not checked."""
    arms, width = rewards.shape
    strides = strides_of(sizes)
    first, largest, one_sign, roots = 0, 0.0, True, np.empty(1, np.int64)
    for a in range(arms):
        first += start[a] * strides[a]
    roots[0] = first
    counts, jumps = np.empty(arms * width, np.int64), np.empty((arms * width, width), np.int64)
    laws, count = np.empty((arms * width, width)), table.size
    for a in range(arms):
        for x in range(sizes[a]):
            at, listed = a * width + x, 0
            for y in range(sizes[a]):
                if y != x and transitions[a, x, y] > 0.0:
                    jumps[at, listed], laws[at, listed] = (y - x) * strides[a], transitions[a, x, y]
                    listed += 1
            counts[at] = listed
    gains, places, values = np.empty(count), np.empty(count, np.int64), np.empty(count)
    for g in range(count):
        a = table[g]
        x = (g // strides[a]) % sizes[a]
        gains[g], places[g], values[g] = rewards[a, x], a * width + x, 0.0
    chain, classes = Chain(gains, places, counts, jumps, laws, discount), no_classes(count)
    lows, doubts = np.empty(count), np.empty(count)
    find_classes(roots, chain, classes)
    chain_values(chain, classes, False, values, lows, doubts, LARGEST_DENSE)
    for place in range(classes.ends[classes.found[0] - 1]):  # states out of reach add no error
        gain = gains[classes.members[place]]
        largest = max(largest, abs(gain))
        one_sign &= gain >= 0.0
    value = values[first]
    scale = abs(value) if one_sign else largest / (1.0 - discount)
    return value, doubts[first] * scale + UNIT * scale


value_of_table = kernel(evaluate_table)


def priority_table(sizes: ArrayLike, ranks: ArrayLike) -> Integers:
    """Return the (G,) table that plays the arm whose state has the smallest of the (n, S) `ranks`, the first if equal.

    Raises
    ------
    ModelError
        For ranks that do not fit, or a product beyond 10 million global states.

    Examples
    --------
    >>> priority_table([2, 2], [[0, 3], [1, 2]])
    array([0, 0, 1, 1])
    """
    counts, places = check_sizes(sizes), integers(ranks, "ranks")
    if places.ndim != 2 or places.shape[0] != counts.size or places.shape[1] < counts.max():
        raise ModelError(f"ranks of shape {places.shape} do not fit {counts.size} arms")
    if product_size(counts, _LARGEST_TABLE) is None:
        raise ModelError(f"a table of {product_text(counts)} global states is beyond {_LARGEST_TABLE}")
    strides = strides_of(counts)
    count = int(strides[0] * counts[0])
    table, best = np.zeros(count, dtype=np.int64), np.full(count, np.iinfo(np.int64).max)
    for a, size in enumerate(counts):
        of_arm = np.tile(np.repeat(places[a, :size], strides[a]), count // (strides[a] * size))
        table[of_arm < best] = a
        best = np.minimum(best, of_arm)
    return table


_LARGEST_TABLE = 10_000_000
