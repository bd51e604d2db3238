"""Partition of (0, 1) into the largest open intervals on which a property of the discount is constant."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeVar

from flint import fmpq, fmpz_poly

from theory.enclosures.ranges import UndecidedError
from theory.parametric.algebraic import (
    ONE_POINT,
    ZERO_POINT,
    AlgebraicNumber,
    rational_between,
)
from theory.parametric.real import Combination, roots_of


class OpenInterval(Protocol):
    """A part of the partition: an open interval."""

    @property
    def low(self) -> AlgebraicNumber:
        """Lower end."""
        ...

    @property
    def high(self) -> AlgebraicNumber:
        """Upper end."""
        ...


Part = TypeVar("Part", bound=OpenInterval)

_POINTS_TRIED: Final = 3


def sweep(part_around: Callable[[fmpq], Part | None]) -> tuple[Part, ...]:
    """Return all parts of (0, 1), increasing.

    Parameters
    ----------
    part_around
        Returns the part that contains a rational point, or None if the point is an end. Neighbouring parts must have
        an end in common.
    """
    found: list[Part] = []
    gaps = [(ZERO_POINT, ONE_POINT)]
    while gaps:
        left, right = gaps.pop()
        part = _part_within(left, right, part_around)
        found.append(part)
        if left < part.low:
            gaps.append((left, part.low))
        if part.high < right:
            gaps.append((part.high, right))
    return tuple(sorted(found, key=lambda part: part.low))


def _part_within(left: AlgebraicNumber, right: AlgebraicNumber, part_around: Callable[[fmpq], Part | None]) -> Part:
    undecided = 0
    while True:
        point = rational_between(left, right)
        try:
            part = part_around(point)
        except UndecidedError:  # the point may be an end
            undecided += 1
            if undecided == _POINTS_TRIED:
                raise
            part = None
        if part is not None:
            return part
        right = AlgebraicNumber.from_rational(point)  # ends are finite in number, so this stops


def nearest_roots(
    polynomials: Iterable[fmpz_poly | Combination],
    point: fmpq,
    low: AlgebraicNumber = ZERO_POINT,
    high: AlgebraicNumber = ONE_POINT,
) -> tuple[AlgebraicNumber, AlgebraicNumber] | None:
    """Return the largest root below `point` and the smallest root above it, of all `polynomials` that are not zero.

    Without such a root, `low` or `high` takes its place. The result is None if the point itself is a root.

    Examples
    --------
    >>> nearest_roots([fmpz_poly([-1, 3]), fmpz_poly([0])], fmpq(1, 2))
    (AlgebraicNumber([-1, 3], 1/3, 1/3), AlgebraicNumber([-1, 1], 1, 1))
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
