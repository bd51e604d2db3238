"""A binary heap of arms by the index of their current state: the next arm to play in O(log n)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def comes_first(a: int, b: int, keys: Floats, last_first: bool) -> bool:
    """Return whether arm `a` is played before arm `b`: by larger key, then from the first arm on, or from the last."""
    if keys[a] != keys[b]:
        return bool(keys[a] > keys[b])
    return (a > b) if last_first else (a < b)


@kernel
def sift_down(heap: Integers, keys: Floats, at: int, last_first: bool) -> None:
    """Restore the heap's order after the key of the arm in place `at` has become smaller."""
    arm = heap[at]
    while True:
        child = 2 * at + 1
        if child >= heap.size:
            break
        if child + 1 < heap.size and comes_first(heap[child + 1], heap[child], keys, last_first):
            child += 1
        if not comes_first(heap[child], arm, keys, last_first):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = arm


@kernel
def heap_of(keys: Floats, last_first: bool) -> Integers:
    """Return the (n,) heap of all arms: the first one is played."""
    heap = np.arange(keys.size)
    for at in range(keys.size // 2 - 1, -1, -1):
        sift_down(heap, keys, at, last_first)
    return heap
