"""The two forms of a policy: a strict priority order over arm states, or a table over global states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory import ModelError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Ties: TypeAlias = Literal["first", "last"]


@dataclass(frozen=True, eq=False)
class IndexPolicy:
    """Play the arm whose state comes first in a strict order.

    Attributes
    ----------
    order : (N,) int64
        All arm states as ``arm * S + state``, S the largest arm's size; the most urgent first.
    ranks : (n, S) int64
        The place of each arm state in the order; N in the padding of smaller arms.
    """

    order: Integers
    ranks: Integers

    @classmethod
    def from_indices(cls, indices: ArrayLike, sizes: Sequence[int] | Integers, *, ties: Ties = "first") -> IndexPolicy:
        """Return the policy that plays an arm of largest index.

        Parameters
        ----------
        indices : (n, S)
            Arm a uses its first ``sizes[a]`` entries.
        sizes : (n,)
        ties
            Whether equal indices are ordered from the first arm and state on, or from the last.

        Raises
        ------
        ModelError
            For a shape that does not fit, or an index that is not a number.

        Examples
        --------
        >>> IndexPolicy.from_indices([[0.3, 0.9], [0.5, 0.9]], [2, 2]).order
        array([1, 3, 2, 0])
        >>> IndexPolicy.from_indices([[0.3, 0.9], [0.5, 0.9]], [2, 2], ties="last").order
        array([3, 1, 2, 0])
        """
        table = np.asarray(indices, dtype=np.float64)
        counts = np.asarray(sizes, dtype=np.int64)
        if table.ndim != 2 or table.shape[0] != counts.size or table.shape[1] < counts.max():
            raise ModelError(f"indices of shape {table.shape} do not fit {counts.size} arms of sizes {counts.tolist()}")
        width = table.shape[1]
        flat = table.ravel()
        if ties == "last":
            order = flat.size - 1 - np.argsort(-flat[::-1], kind="stable")
        else:
            order = np.argsort(-flat, kind="stable")
        if counts.min() < width:
            order = order[order % width < counts[order // width]]
        if flat[order[-1]] != flat[order[-1]]:  # what is not a number comes last
            raise ModelError("an index is not a number")
        return cls._of(order, counts.size, width)

    @classmethod
    def from_priority(cls, priority: Sequence[tuple[int, int]], sizes: Sequence[int] | Integers) -> IndexPolicy:
        """Return the policy of a strict order over all (arm, state) pairs, each by index from 0.

        Raises
        ------
        ModelError
            If the order does not hold every arm state once.
        """
        counts = [int(size) for size in sizes]
        if sorted(priority) != [(a, x) for a, size in enumerate(counts) for x in range(size)]:
            raise ModelError("priority: every (arm, state) pair must come exactly once")
        width = max(counts)
        return cls._of(np.array([a * width + x for a, x in priority], dtype=np.int64), len(counts), width)

    @classmethod
    def _of(cls, order: Integers, arms: int, width: int) -> IndexPolicy:
        ranks = np.full(arms * width, order.size, dtype=np.int64)
        ranks[order] = np.arange(order.size)
        return cls(order, ranks.reshape(arms, width))

    @property
    def key(self) -> bytes:
        """What tells this policy from others."""
        return self.order.tobytes()


@dataclass(frozen=True, eq=False)
class TablePolicy:
    """Play arm ``table[g]`` in global state g.

    Attributes
    ----------
    table : (G,) int64
        Global states in mixed radix, the last arm's state varying fastest (numpy's order of ``ravel_multi_index``).
    """

    table: Integers

    @classmethod
    def from_table(cls, table: ArrayLike, sizes: Sequence[int] | Integers) -> TablePolicy:
        """Return a checked copy of `table`.

        Raises
        ------
        ModelError
            For a wrong number of global states, or an entry that is no arm.
        """
        entries = np.array(table, dtype=np.int64)
        counts = [int(size) for size in sizes]
        if entries.shape != (int(np.prod(counts)),):
            raise ModelError(f"policy table of shape {entries.shape} does not fit arms of sizes {counts}")
        if entries.min() < 0 or entries.max() >= len(counts):
            raise ModelError(f"policy table: arms are 0..{len(counts) - 1}")
        return cls(entries)

    @property
    def key(self) -> bytes:
        """What tells this policy from others."""
        return self.table.tobytes()


Policy: TypeAlias = IndexPolicy | TablePolicy
