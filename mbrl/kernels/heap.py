"""The next arm to play, by a scan over few arms, or by a binary heap over blocks of many arms.

Playing an arm affects only its block, whose best arm a scan finds: a step takes O(log n), and even for a million arms
the heap fits in the cache.

The type of the argument, a heap or None, makes the choice, so that code for many arms is not compiled for few.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import part

_BLOCK = 16
"""Number of arms per block."""

HEAP_FROM = 48
"""Number of arms from which the heap is used."""


class Heap(NamedTuple):
    """Blocks of arms, ordered by the best index of a current state in each.

    Attributes
    ----------
    best : (m,) int64
        The best arm of each block.
    heads : (m,)
        Index of the best arm's current state, which is the block's key.
    blocks : (m,) int64
        Blocks in heap order: the block at position i comes before those at 2i + 1 and 2i + 2.
    """

    best: Integers
    heads: Floats
    blocks: Integers


def heap_for(arms: int) -> Heap | None:
    """Return a heap with room for `arms` arms, or None if they are few."""
    if arms < HEAP_FROM:
        return None
    count = (arms + _BLOCK - 1) // _BLOCK
    return Heap(np.empty(count, np.int64), np.empty(count), np.empty(count, np.int64))


@part
def comes_first(a: int, b: int, keys: Floats, last_first: bool) -> bool:
    """Return whether `a` comes before `b`: by larger key, then the first before the last, or the reverse."""
    if keys[a] != keys[b]:
        return bool(keys[a] > keys[b])
    return (a > b) if last_first else (a < b)


@part
def keys_of(indices: Floats, states: Integers, last_first: bool, heap: Heap | None) -> Floats:
    """Return the (n,) keys of all arms, the indices of their current states, and fill the heap if there is one.

    Parameters
    ----------
    indices : (n, S)
    states : (n,) int64
        The current state of each arm.
    last_first
        Whether the last arm is played if indices are equal, instead of the first.
    heap
        From `heap_for`; overwritten.
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
    """Change the key of the first `arm`, and restore the heap."""
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
    """Restore the heap below position `at`, whose block may come later than before."""
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
