"""Random exact numbers and rows, built from random integers alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, SupportsIndex, TypeAlias, TypeVar

from flint import fmpq

Row: TypeAlias = tuple[fmpq, ...]
Choice = TypeVar("Choice")


class Integers(Protocol):
    """A source of random integers, such as a NumPy generator or anything with a method of this name.

    Examples
    --------
    >>> from random import Random
    >>> from types import SimpleNamespace
    >>> beyond_numpy = SimpleNamespace(integers=Random(1).randrange)
    >>> sum(random_full_row(beyond_numpy, 3, largest=10**30))
    1
    """

    def integers(self, low: int, high: int, /) -> SupportsIndex:
        """Return an integer from `low` to `high` - 1."""
        ...


def drawn(source: Integers, low: int, high: int) -> int:
    """Return an integer from `low` to `high` - 1."""
    return int(source.integers(low, high).__index__())


def picked(source: Integers, choices: Sequence[Choice]) -> Choice:
    """Return one of `choices`."""
    return choices[drawn(source, 0, len(choices))]


def random_row(source: Integers, size: int, largest: int = 3) -> Row:
    """Return a probability row of `size` rationals that sum to exactly 1; unit rows and zeros are common.

    Parameters
    ----------
    source
        Source of random integers.
    size
        Number of entries.
    largest
        Entries are weights from 0 to `largest` over their sum.

    Examples
    --------
    >>> import numpy as np
    >>> sum(random_row(np.random.default_rng(1), 4), fmpq(0))
    1
    """
    weights = [drawn(source, 0, largest + 1) for _ in range(size)]
    if not any(weights):
        weights[drawn(source, 0, size)] = 1
    return _over_sum(weights)


def random_full_row(source: Integers, size: int, largest: int = 4) -> Row:
    """Return a probability row without zeros: weights from 1 to `largest` over their sum."""
    return _over_sum([drawn(source, 1, largest + 1) for _ in range(size)])


def random_sub_row(source: Integers, size: int) -> Row:
    """Return a non-negative row with a sum of at most 1, perhaps a row of zeros."""
    kept = fmpq(drawn(source, 0, 4), 3)
    return tuple(kept * entry for entry in random_row(source, size))


def random_shared_row(source: Integers, size: int, shares: int) -> Row:
    """Return a probability row of `shares` equal shares, each at a random entry; exact in binary if 2^k shares."""
    counts = [0] * size
    for _ in range(shares):
        counts[drawn(source, 0, size)] += 1
    return _over_sum(counts)


def random_rewards(source: Integers, size: int, denominator: int = 4, low: int = 0, high: int = 1) -> Row:
    """Return rewards in [`low`, `high`] with a common `denominator`, so that ties are common."""
    return tuple(fmpq(drawn(source, low * denominator, high * denominator + 1), denominator) for _ in range(size))


def _over_sum(weights: list[int]) -> Row:
    total = sum(weights)
    return tuple(fmpq(weight, total) for weight in weights)
