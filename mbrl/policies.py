"""The two forms of a policy: indices of arm states, which define a strict order, or a table over global states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from mbrl.arrays import Floats, Integers, ReadOnly, floats_of, integers, kept, product_size, stacked
from theory import ModelError

Ties: TypeAlias = Literal["first", "last"]


@dataclass(frozen=True, eq=False)
class IndexPolicy(ReadOnly):
    """Play the arm whose state has the largest index. Its arrays are read-only copies.

    The indices define the strict order over arm states, so that play and values follow the same policy.

    Attributes
    ----------
    indices : (n, S) float64
        Arm a uses its first ``sizes[a]`` entries.
    sizes : (n,) int64
    ties
        Whether equal indices are ordered from the first arm and state on, or from the last.

    Raises
    ------
    ModelError
        For arrays of other types (`from_indices` converts lists), a shape that does not fit, or an index that is NaN.
    """

    indices: Floats
    sizes: Integers
    ties: Ties = "first"

    def __post_init__(self) -> None:
        _check_array("indices", self.indices, np.float64, "IndexPolicy.from_indices")
        _check_array("sizes of arms", self.sizes, np.int64, "IndexPolicy.from_indices")
        if self.ties not in get_args(Ties):
            raise ModelError(f"ties: {self.ties!r} is neither 'first' nor 'last'")
        shape, counts = self.indices.shape, self.sizes
        if len(shape) != 2 or counts.shape != shape[:1] or counts.min() < 1 or shape[1] < counts.max():
            raise ModelError(f"indices of shape {shape} do not fit {counts.size} arms of {_range(counts)} states")
        if np.isnan(self.indices).any():  # equivalent: it spares time, which is measured, in every episode
            for a, x in np.argwhere(np.isnan(self.indices) & (np.arange(shape[1]) < counts[:, None])):
                raise ModelError(f"arm {a + 1}, state {x + 1}: the index is not a number")
        object.__setattr__(self, "indices", kept(self.indices))
        object.__setattr__(self, "sizes", kept(self.sizes))

    @classmethod
    def from_indices(
        cls, indices: ArrayLike | Sequence[ArrayLike], sizes: Sequence[int] | Integers, *, ties: Ties = "first"
    ) -> IndexPolicy:
        """Return the policy that plays an arm of largest index.

        Parameters
        ----------
        indices : (n, S), or n of (S_a,)
            Arm a uses its first ``sizes[a]`` entries. Copied.
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
        >>> uneven = IndexPolicy.from_indices([[0.3], [0.5, 0.9]], [1, 2])
        >>> uneven.order.tolist(), uneven.indices.tolist()
        ([3, 2, 0], [[0.3, -inf], [0.5, 0.9]])
        >>> IndexPolicy.from_indices([[0.3, np.nan], [0.5, 0.9]], [1, 2]).order
        array([3, 2, 0])
        >>> IndexPolicy.from_indices([[0.3, 0.1], [0.5, np.nan]], [1, 2])
        Traceback (most recent call last):
        theory.errors.ModelError: arm 2, state 2: the index is not a number
        """
        counts = integers(sizes, "sizes of arms")
        try:
            table = floats_of(indices)
        except (TypeError, ValueError):  # rows of different lengths, or no numbers
            table = stacked(indices, counts, 1, "indices", -np.inf)
        return cls(table, counts, ties)

    @classmethod
    def from_priority(cls, priority: Sequence[tuple[int, int]], sizes: Sequence[int] | Integers) -> IndexPolicy:
        """Return the policy of a strict order over all (arm, state) pairs, each by index from 0.

        Raises
        ------
        ModelError
            If the order does not hold every arm state once.

        Examples
        --------
        >>> IndexPolicy.from_priority([(1, 0), (0, 1), (0, 0)], [2, 1]).ranks
        array([[2, 1],
               [0, 3]])
        >>> IndexPolicy.from_priority([(1, 0), (0, 1), (0, 0)], [2, 1]).indices
        array([[ -2.,  -1.],
               [  0., -inf]])
        """
        counts = integers(sizes, "sizes of arms").tolist()
        states = [(a, x) for a, size in enumerate(counts) for x in range(size)]
        if Counter(priority) != Counter(states):
            missing = ", ".join(map(str, [*(Counter(states) - Counter(priority))][:3]))
            raise ModelError(
                f"priority: every (arm, state) pair must come exactly once{f'; missing: {missing}' * (missing != '')}"
            )
        indices = np.full((len(counts), max(counts)), -np.inf)
        for place, (a, x) in enumerate(priority):
            indices[a, x] = -place
        return cls(indices, np.array(counts, dtype=np.int64))

    @cached_property
    def order(self) -> Integers:
        """(N,) int64, all arm states as ``arm * S + state``, the most urgent first."""
        width = self.indices.shape[1]
        flat = -self.indices.ravel()
        if self.ties == "last":
            order = flat.size - 1 - np.argsort(flat[::-1], kind="stable")
        else:
            order = np.argsort(flat, kind="stable")
        if self.sizes.min() < width:  # equivalent: it spares time, which is measured, in every episode
            order = order[order % width < self.sizes[order // width]]
        return order

    @cached_property
    def ranks(self) -> Integers:
        """(n, S) int64, the position of each arm state in the order; N in the padding of smaller arms."""
        ranks = np.full(self.indices.size, self.order.size, dtype=np.int64)
        ranks[self.order] = np.arange(self.order.size)
        return ranks.reshape(self.indices.shape)

    @property
    def key(self) -> bytes:
        """Bytes that identify the policy."""
        return self.order.tobytes()


@dataclass(frozen=True, eq=False)
class TablePolicy(ReadOnly):
    """Play arm ``table[g]`` in global state g. Its array is a read-only copy.

    Attributes
    ----------
    table : (G,) int64
        Global states in mixed radix, the last arm's state varying fastest (numpy's order of ``ravel_multi_index``).

    Raises
    ------
    ModelError
        For any other array or list; `from_table` converts lists.
    """

    table: Integers

    def __post_init__(self) -> None:
        _check_array("policy table", self.table, np.int64, "TablePolicy.from_table")
        object.__setattr__(self, "table", kept(self.table))

    @classmethod
    def from_table(cls, table: ArrayLike, sizes: Sequence[int] | Integers) -> TablePolicy:
        """Return a checked copy of `table`.

        Raises
        ------
        ModelError
            For a wrong number of global states, or an entry that is no whole number or no arm.

        Examples
        --------
        >>> TablePolicy.from_table([0, 1, 1, 0], [2, 2]).key == np.array([0, 1, 1, 0]).tobytes()
        True
        >>> TablePolicy.from_table([0, 1, 2, -1], [2, 2])
        Traceback (most recent call last):
        theory.errors.ModelError: policy table, global state 2: 2 is no arm; arms are 0..1
        >>> TablePolicy.from_table([0, 1, 1, -1], [2, 2])
        Traceback (most recent call last):
        theory.errors.ModelError: policy table, global state 3: -1 is no arm; arms are 0..1
        >>> TablePolicy.from_table([0], [2] * 62)  # more global states than memory has numbers for: 2^62
        Traceback (most recent call last):
        theory.errors.ModelError: policy table of shape (1,) does not fit 62 arms of 2 states
        """
        entries, counts = integers(table, "policy table"), integers(sizes, "sizes of arms")
        if counts.size == 0 or counts.min() < 1:
            raise ModelError(f"policy table: arms of {_range(counts)} states; an arm has at least one")
        if entries.shape != (product_size(counts, entries.size),):
            raise ModelError(
                f"policy table of shape {entries.shape} does not fit {counts.size} arms of {_range(counts)} states"
            )
        for g in np.flatnonzero((entries < 0) | (entries >= counts.size)):
            raise ModelError(f"policy table, global state {g}: {entries[g]} is no arm; arms are 0..{counts.size - 1}")
        return cls(entries)

    @property
    def key(self) -> bytes:
        """Bytes that identify the policy."""
        return self.table.tobytes()


Policy: TypeAlias = IndexPolicy | TablePolicy


def fits(policy: Policy, sizes: Integers, width: int) -> bool:
    """Return whether `policy` belongs to a bandit with arms of (n,) `sizes`, whose arrays have `width` states.

    Examples
    --------
    >>> [fits(TablePolicy(np.array([arm])), np.ones(2, dtype=np.int64), 1) for arm in (-1, 0, 1, 2)]
    [False, True, True, False]
    """
    if isinstance(policy, IndexPolicy):
        return policy.indices.shape == (sizes.size, width) and np.array_equal(policy.sizes, sizes)
    table = policy.table
    if table.shape != (product_size(sizes, table.size),):
        return False
    return bool(table.min() >= 0 and table.max() < sizes.size)


def _check_array(what: str, given: Any, dtype: type, maker: str) -> None:
    if type(given) is not np.ndarray or given.dtype != dtype:  # a subclass may have a mask, or lie about its shape
        raise ModelError(f"{what}: an array of {dtype.__name__} is wanted; {maker} makes it of any numbers")


def _range(sizes: Integers) -> str:
    if sizes.size == 0:
        return "no"
    low, high = int(sizes.min()), int(sizes.max())
    return str(low) if low == high else f"{low} to {high}"
