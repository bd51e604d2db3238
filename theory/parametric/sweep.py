"""Partition of (0, 1) into the largest open intervals on which a property of the discount is constant."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from flint import fmpq, fmpz_poly

from theory.enclosures.ranges import UndecidedError
from theory.parametric.algebraic import ONE_POINT, ZERO_POINT, AlgebraicNumber, rational_between
from theory.parametric.real import Combination, roots_of

State = TypeVar("State")

_POINTS_TRIED: Final = 3


@dataclass(frozen=True)
class Piece(Generic[State]):
    """An open interval of discounts on which the states, of an arm or of all arms, keep their order.

    Attributes
    ----------
    low, high : AlgebraicNumber
        Ends of the interval: breakpoints, or 0 and 1.
    order : tuple of states
        States by non-increasing index; states that tie do so on the whole interval, and are ordered by number.
    indices : RationalFunction by state
        The index of each state.
    """

    low: AlgebraicNumber
    high: AlgebraicNumber
    order: tuple[State, ...]
    indices: Any


def sweep(piece_around: Callable[[fmpq], Piece[State] | None]) -> tuple[Piece[State], ...]:
    """Return all pieces of (0, 1), increasing; `piece_around` returns that of a rational point, or None at an end."""
    found: list[Piece[State]] = []
    gaps = [(ZERO_POINT, ONE_POINT)]
    while gaps:
        left, right = gaps.pop()
        piece, until, undecided = None, right, 0
        while piece is None:
            point = rational_between(left, until)
            try:
                piece = piece_around(point)
            except UndecidedError:  # the point may be an end
                undecided += 1
                if undecided == _POINTS_TRIED:
                    raise
            until = AlgebraicNumber.from_rational(point)  # ends are finite in number, so this stops
        found.append(piece)
        if left < piece.low:
            gaps.append((left, piece.low))
        if piece.high < right:
            gaps.append((piece.high, right))
    return tuple(sorted(found, key=lambda piece: piece.low))


def nearest_roots(
    polynomials: Iterable[fmpz_poly | Combination],
    point: fmpq,
    low: AlgebraicNumber = ZERO_POINT,
    high: AlgebraicNumber = ONE_POINT,
) -> tuple[AlgebraicNumber, AlgebraicNumber] | None:
    """Return the largest root below `point` and the smallest root above it, of all `polynomials` that are not zero.

    Without such a root, `low` or `high` takes its place. The result is None if the point itself is a root.
    """
    here = AlgebraicNumber.from_rational(point)
    for polynomial in polynomials:
        for root in roots_of(polynomial) if not polynomial.is_zero() else ():
            if root == here:
                return None
            if root < here:
                low = max(low, root)
            else:
                high = min(high, root)
    return low, high
