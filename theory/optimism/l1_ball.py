"""The set of probability rows within an L1 distance of an estimate: its best row, and its vertices.

Half of the radius is the mass that can be moved: from the worst next states to the best one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from flint import fmpq

from theory.errors import TooLargeError
from theory.stopping import expectation

LARGEST_ROW_FOR_VERTICES = 7


def best_row(estimate: Sequence[fmpq], radius: fmpq, values: Sequence[fmpq]) -> tuple[fmpq, ...]:
    """Return a row q maximising ``sum of q(y) values(y)`` over the ball; mass is moved only where that helps.

    Parameters
    ----------
    estimate : (S,)
        A probability row.
    radius
        L1 radius, non-negative.
    values : (S,)
        What each next state is worth.

    Examples
    --------
    >>> half = fmpq(1, 2)
    >>> best_row([half, half], fmpq(1, 5), [fmpq(0), fmpq(1)])
    (2/5, 3/5)
    """
    return _greedy_row(estimate, radius, values)


def best_of(rows: Sequence[tuple[fmpq, ...]], values: Sequence[fmpq]) -> tuple[fmpq, ...]:
    """Return one of `rows` of largest expectation: the best row of their convex hull.

    Examples
    --------
    >>> best_of([(fmpq(0), fmpq(1)), (fmpq(1), fmpq(0))], [fmpq(2), fmpq(1)])
    (1, 0)
    """
    return max(rows, key=lambda row: expectation(row, values))


def always_possible(estimate: Sequence[fmpq], radius: fmpq, values: Sequence[fmpq]) -> list[int]:
    """Return the next states to which *every* maximising row of the ball gives positive probability.

    For each next state, among the maximising rows, the one that gives it least is found by breaking ties against it.

    Examples
    --------
    >>> half = fmpq(1, 2)
    >>> always_possible([half, half, fmpq(0)], fmpq(1), [fmpq(0), fmpq(1), fmpq(1)])
    [1]
    """
    return [
        y
        for y in range(len(estimate))
        if _greedy_row(estimate, radius, [(value, -int(z == y)) for z, value in enumerate(values)])[y] > 0
    ]


def _greedy_row(estimate: Sequence[fmpq], radius: fmpq, worth: Sequence[Any]) -> tuple[fmpq, ...]:
    """Move half of the radius from the states worth least to one worth most; `worth` needs an order only."""
    worst_first = sorted(range(len(estimate)), key=lambda y: worth[y])
    best = worst_first[-1]
    row = list(estimate)
    movable = min(radius / 2, 1 - row[best])
    for y in worst_first:
        if movable == 0 or worth[y] == worth[best]:
            break
        taken = min(row[y], movable)
        row[y] -= taken
        row[best] += taken
        movable -= taken
    return tuple(row)


def largest_expectation(estimate: Sequence[fmpq], radius: fmpq, values: tuple[fmpq, ...]) -> fmpq:
    """Return the maximum of ``sum of q(y) values(y)`` over the ball."""
    return expectation(best_row(estimate, radius, values), values)


def distance(row: Sequence[fmpq], other: Sequence[fmpq]) -> fmpq:
    """Return the L1 distance of two rows."""
    return sum((abs(p - q) for p, q in zip(row, other, strict=True)), fmpq(0))


def vertices(estimate: Sequence[fmpq], radius: fmpq) -> list[tuple[fmpq, ...]]:
    """Return all vertices of the ball intersected with the probability simplex.

    A vertex is the only maximiser of some linear function with distinct values, and only their order matters: so
    trying every order finds them all.

    Raises
    ------
    TooLargeError
        Beyond `LARGEST_ROW_FOR_VERTICES` states.

    Examples
    --------
    >>> vertices([fmpq(0), fmpq(1)], fmpq(1, 5))
    [(0, 1), (1/10, 9/10)]
    """
    size = len(estimate)
    if size > LARGEST_ROW_FOR_VERTICES:
        raise TooLargeError(
            f"enumerating the vertices of a ball of rows with {size} states is too much "
            f"(at most {LARGEST_ROW_FOR_VERTICES}); use extended value iteration"
        )
    return sorted({best_row(estimate, radius, [fmpq(rank) for rank in order]) for order in permutations(range(size))})
