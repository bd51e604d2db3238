"""The next arm to play, of many: a binary heap of blocks of arms, by the best index of a current state in each.

An arm that has been played concerns its block only, whose best arm is found by looking at all of it: a step takes
O(log n), and of a million arms the heap itself is small enough for the cache.
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


class Queue(NamedTuple):
    """Arms by the index of their current state, the one to play first.

    Attributes
    ----------
    keys : (n,)
        The index of each arm's current state.
    best : (m,) int64
        The best arm of each block.
    heads : (m,)
        Its key.
    heap : (m,) int64
        Blocks: that in place i comes before those in 2i + 1 and 2i + 2.
    """

    keys: Floats
    best: Integers
    heads: Floats
    heap: Integers


@part
def comes_first(a: int, b: int, keys: Floats, last_first: bool) -> bool:
    """Return whether `a` comes before `b`: by larger key, then from the first on, or from the last."""
    if keys[a] != keys[b]:
        return bool(keys[a] > keys[b])
    return (a > b) if last_first else (a < b)


@part
def queue_of(indices: Floats, states: Integers, last_first: bool) -> Queue:
    """Return the queue of all arms.

    Parameters
    ----------
    indices : (n, S)
    states : (n,) int64
        The current state of each arm.
    last_first
        Whether of equal indices the last arm is played, instead of the first.
    """
    blocks = (states.size + _BLOCK - 1) // _BLOCK
    queue = Queue(np.empty(states.size), np.empty(blocks, np.int64), np.empty(blocks), np.empty(blocks, np.int64))
    for a in range(states.size):
        queue.keys[a] = indices[a, states[a]]
    for block in range(blocks):
        queue.heap[block] = block
        _find_best(queue, block, last_first)
    for at in range(blocks // 2 - 1, -1, -1):
        _sift_down(queue, at, last_first)
    return queue


@part
def first_arm(queue: Queue) -> int:
    """Return the arm to play."""
    arm: int = queue.best[queue.heap[0]]
    return arm


@part
def move_first(queue: Queue, key: float, last_first: bool) -> None:
    """Give the first arm another key, and the queue its order back."""
    block = queue.heap[0]
    queue.keys[queue.best[block]] = key
    _find_best(queue, block, last_first)
    _sift_down(queue, 0, last_first)


@part
def _find_best(queue: Queue, block: int, last_first: bool) -> None:
    keys, first = queue.keys, block * _BLOCK
    best = first
    for a in range(first + 1, min(first + _BLOCK, keys.size)):
        if keys[a] > keys[best] or (last_first and keys[a] == keys[best]):
            best = a
    queue.best[block], queue.heads[block] = best, keys[best]


@part
def _sift_down(queue: Queue, at: int, last_first: bool) -> None:
    """Restore the heap's order below the place `at`, whose block may come later than it did."""
    heap, heads = queue.heap, queue.heads
    block = heap[at]
    while True:
        child = 2 * at + 1
        if child >= heap.size:
            break
        if child + 1 < heap.size and comes_first(heap[child + 1], heap[child], heads, last_first):
            child += 1
        if not comes_first(heap[child], block, heads, last_first):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = block
