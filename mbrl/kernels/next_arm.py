"""The next arm to play: all arms in order of the indices of their current states.

Only the arm that is played moves. It mostly stays first, or passes few others.
"""

from __future__ import annotations

import numpy as np

from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import inlined


@inlined
def arms_in_order(indices: Floats, states: Integers, last_first: bool) -> tuple[Floats, Integers]:
    """Return the (n,) keys of all arms, the (n, S) `indices` of their current `states`, and the arms by decreasing key.

    Of equal keys the first arm comes first, or the last if `last_first`.
    """
    keys, order = np.empty(states.size), np.empty(states.size, np.int64)
    for a in range(states.size):
        keys[a], order[a] = indices[a, states[a]], a
    step = states.size
    while step > 1:  # Shell's sort, which compiles ten times as fast as NumPy's
        step = max(1, 5 * step // 11)
        for place in range(step, order.size):
            arm, at = order[place], place
            while at >= step and _comes_first(arm, order[at - step], keys, last_first):
                order[at] = order[at - step]
                at -= step
            order[at] = arm
    return keys, order


@inlined
def settle_first(order: Integers, keys: Floats, last_first: bool) -> None:
    """Restore the order after the key of the first arm has changed."""
    arm, at = order[0], 0
    while at + 1 < order.size and _comes_first(order[at + 1], arm, keys, last_first):
        order[at] = order[at + 1]
        at += 1
    order[at] = arm


@inlined
def _comes_first(a: int, b: int, keys: Floats, last_first: bool) -> bool:
    if keys[a] != keys[b]:
        return bool(keys[a] > keys[b])
    return (a > b) if last_first else (a < b)
