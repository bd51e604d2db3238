"""The set of probability rows within an L1 distance of an estimate: its best row, and its vertices.

A row of the ball can move half of the radius as mass; the best row moves it from the worst next states to the best one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from flint import fmpq

from theory.domain import check_probability, non_negative
from theory.errors import ModelError, TooLargeError
from theory.rationals import ZERO, Exact, rationals
from theory.stopping import expectation

LARGEST_ROW_FOR_VERTICES = 7


def best_row(estimate: Sequence[Exact], radius: Exact, values: Sequence[Exact]) -> tuple[fmpq, ...]:
    """Return a row q, of L1 distance at most `radius` from `estimate`, (S,), of largest mean ``sum of q(y) values(y)``.

    Mass moves only where that helps.

    Examples
    --------
    >>> best_row(["1/2", "1/2"], "1/5", [0, 1])
    (2/5, 3/5)
    """
    row, worth = check_probability(estimate, "estimate"), rationals(values)
    if len(worth) != len(row):
        raise ModelError(f"{len(worth)} values for {len(row)} next states")
    return greedy_row(row, non_negative(radius, "radius"), worth)


def always_possible(estimate: Sequence[fmpq], radius: fmpq, values: Sequence[fmpq]) -> list[int]:
    """Return the next states to which *every* maximising row of the ball gives positive probability."""
    return [
        y
        for y in range(len(estimate))
        if greedy_row(estimate, radius, [(value, -int(z == y)) for z, value in enumerate(values)])[y] > 0
    ]


def greedy_row(estimate: Sequence[fmpq], radius: fmpq, worth: Sequence[Any]) -> tuple[fmpq, ...]:
    """Move half of the radius from the states of least worth to one of largest worth; only the order of `worth` counts.

    This is `best_row` without the checks of its arguments.
    """
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


def largest_expectation(estimate: Sequence[Exact], radius: Exact, values: Sequence[Exact]) -> fmpq:
    """Return the maximum of ``sum of q(y) values(y)`` over the ball.

    Examples
    --------
    >>> largest_expectation(["1/2", "1/2"], "1/5", [0, 10])
    6
    """
    return expectation(best_row(estimate, radius, values), values)


def distance(row: Sequence[Exact], other: Sequence[Exact]) -> fmpq:
    """Return the L1 distance of two rows.

    Examples
    --------
    >>> distance(["1/2", "1/2"], [0, 1])
    1
    """
    if len(row) != len(other):
        raise ModelError(f"rows of {len(row)} and of {len(other)} entries have no distance")
    return sum((abs(p - q) for p, q in zip(rationals(row), rationals(other), strict=True)), ZERO)


def vertices(estimate: Sequence[Exact], radius: Exact) -> list[tuple[fmpq, ...]]:
    """Return all vertices of the ball intersected with the probability simplex.

    A vertex is the only maximiser of some linear function with distinct values. Only the order of the values matters,
    so trying every order finds all vertices.

    Raise `ModelError` for a row that is no probability, or a negative radius. Raise `NumberError` for a number that is
    not exact. Raise `TooLargeError` beyond `LARGEST_ROW_FOR_VERTICES` states.

    Examples
    --------
    >>> vertices([0, 1], "1/5")
    [(0, 1), (1/10, 9/10)]
    """
    row, width = check_probability(estimate, "estimate"), non_negative(radius, "radius")
    if len(row) > LARGEST_ROW_FOR_VERTICES:
        raise TooLargeError(
            f"enumerating the vertices of a ball of rows with {len(row)} states is too much "
            f"(at most {LARGEST_ROW_FOR_VERTICES}); use extended value iteration"
        )
    return sorted({greedy_row(row, width, order) for order in permutations(range(len(row)))})
