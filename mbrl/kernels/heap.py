"""The next arm to play: found by looking at all of few, of many in a binary heap of blocks of arms.

An arm that has been played concerns its block only, whose best arm is found by looking at all of it: a step takes
O(log n), and of a million arms the heap itself is small enough for the cache.

Which of the two it is, is a type: a heap or None. So what few arms need is compiled without what many need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import part

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_BLOCK = 16
"""Number of arms in a block."""

HEAP_FROM = 48
"""Number of arms from which the next one is found in a heap."""


class Heap(NamedTuple):
    """Blocks of arms by the best index of a current state in each, the one to play first.

    Attributes
    ----------
    best : (m,) int64
        The best arm of each block.
    heads : (m,)
        The index of its current state, which is its key.
    blocks : (m,) int64
        That in place i comes before those in 2i + 1 and 2i + 2.
    """

    best: Integers
    heads: Floats
    blocks: Integers


def heap_for(arms: int) -> Heap | None:
    """Return room for a heap of so many arms, or None where they are few."""
    if arms < HEAP_FROM:
        return None
    count = (arms + _BLOCK - 1) // _BLOCK
    return Heap(np.empty(count, np.int64), np.empty(count), np.empty(count, np.int64))


@part
def comes_first(a: int, b: int, keys: Floats, last_first: bool) -> bool:
    """Return whether `a` comes before `b`: by larger key, then from the first on, or from the last."""
    if keys[a] != keys[b]:
        return bool(keys[a] > keys[b])
    return (a > b) if last_first else (a < b)


@part
def keys_of(indices: Floats, states: Integers, last_first: bool, heap: Heap | None) -> Floats:
    """Return the (n,) keys of all arms, the indices of their current states, and put them into the heap, if any.

    Parameters
    ----------
    indices : (n, S)
    states : (n,) int64
        The current state of each arm.
    last_first
        Whether of equal indices the last arm is played, instead of the first.
    heap
        Overwritten; of `heap_for`.
    """
    keys = np.empty(states.size)
    for a in range(states.size):
        keys[a] = indices[a, states[a]]
    if heap is not None:
        for block in range(heap.blocks.size):
            heap.blocks[block] = block
            _find_best(heap, keys, block, last_first)
        for at in range(heap.blocks.size // 2 - 1, -1, -1):
            _sift_down(heap, at, last_first)
    return keys


@part
def first_arm(keys: Floats, last_first: bool, heap: Heap | None) -> int:
    """Return the arm to play."""
    if heap is not None:
        arm: int = heap.best[heap.blocks[0]]
        return arm
    return _best_of(keys, 0, keys.size, last_first)


@part
def change_first(keys: Floats, arm: int, key: float, last_first: bool, heap: Heap | None) -> None:
    """Give the first `arm` another key, and the heap its order back."""
    keys[arm] = key
    if heap is not None:
        _find_best(heap, keys, heap.blocks[0], last_first)
        _sift_down(heap, 0, last_first)


@part
def _best_of(keys: Floats, first: int, beyond: int, last_first: bool) -> int:
    best = first
    for a in range(first + 1, beyond):
        if keys[a] > keys[best] or (last_first and keys[a] == keys[best]):
            best = a
    return best


@part
def _find_best(heap: Heap, keys: Floats, block: int, last_first: bool) -> None:
    best = _best_of(keys, block * _BLOCK, min((block + 1) * _BLOCK, keys.size), last_first)
    heap.best[block], heap.heads[block] = best, keys[best]


@part
def _sift_down(heap: Heap, at: int, last_first: bool) -> None:
    """Restore the heap's order below the place `at`, whose block may come later than it did."""
    blocks, heads = heap.blocks, heap.heads
    block = blocks[at]
    while True:
        child = 2 * at + 1
        if child >= blocks.size:
            break
        if child + 1 < blocks.size and comes_first(blocks[child + 1], blocks[child], heads, last_first):
            child += 1
        if not comes_first(blocks[child], block, heads, last_first):
            break
        blocks[at] = blocks[child]
        at = child
    blocks[at] = block
