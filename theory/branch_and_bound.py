"""Best-first branch and bound: a supremum enclosed by bounding, splitting and discarding cells of its domain.

The caller defines cells (boxes, or choices of simplices), an upper bound over a whole cell, and the value at some point
of a cell. The search splits the cell of largest upper bound until that bound is close enough to the best value found.
Every point of the domain lies in a cell with an upper bound, or in a cell shown to hold no point of the domain; so the
enclosure is right whenever the search stops. Bounds may be any numbers with a total order: exact rationals, or ends of
balls, which are exact too.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, TypeVar

Cell = TypeVar("Cell")
Point = TypeVar("Point")


@dataclass(frozen=True)
class Enclosed(Generic[Point]):
    """An enclosure of a supremum.

    Attributes
    ----------
    lower
        The best value found, at `point`.
    upper
        A number that no value exceeds.
    point
    cells
        How many cells were bounded.
    converged
        Whether `lower` and `upper` are close enough; both are right in either case.
    """

    lower: Any
    upper: Any
    point: Point
    cells: int
    converged: bool


@dataclass(frozen=True)
class _Waiting(Generic[Cell]):
    """A cell that waits to be split; the cell of largest bound comes first, the older one if bounds are equal."""

    bound: Any
    serial: int
    cell: Cell

    def __lt__(self, other: _Waiting[Cell]) -> bool:
        if self.bound > other.bound:
            return True
        return bool(self.bound == other.bound) and self.serial < other.serial


def enclose_supremum(
    cells: Iterable[Cell],
    upper_bound: Callable[[Cell], Any | None],
    attained: Callable[[Cell], tuple[Any, Point] | None],
    split: Callable[[Cell], Iterable[Cell]],
    close_enough: Callable[[Any, Any], bool],
    largest_count: int,
    known: tuple[Any, Point] | None = None,
) -> Enclosed[Point]:
    """Return an enclosure of a supremum over `cells`.

    Parameters
    ----------
    cells
        Cells that cover the domain.
    upper_bound
        Returns a number that no value in a cell exceeds, or None if the cell holds no point of the domain.
    attained
        Returns the value (or less) at some point of a cell, and the point; None if it found no point.
    split
        Returns cells that cover the rest of a cell after `attained`; none if nothing is left.
    close_enough
        Returns whether to stop, given the best value and the upper bound.
    largest_count
        Number of cells at which to stop unconverged; until a first point is found, the search goes on to twice as many.
    known
        A value to start from, and its point.

    Raises
    ------
    ValueError
        If no point was found.

    Examples
    --------
    >>> def bound(cell):  # of x (2 - x) for x in the cell
    ...     return cell[1] * (2 - cell[0])
    >>> def middle(cell):
    ...     x = (cell[0] + cell[1]) / 2
    ...     return x * (2 - x), x
    >>> def halves(cell):
    ...     x = (cell[0] + cell[1]) / 2
    ...     return (cell[0], x), (x, cell[1])
    >>> from fractions import Fraction
    >>> found = enclose_supremum(
    ...     [(Fraction(0), Fraction(2))], bound, middle, halves, lambda low, high: high - low <= Fraction(1, 10), 1000
    ... )
    >>> found.lower, found.upper <= Fraction(11, 10), found.point
    (Fraction(1, 1), True, Fraction(1, 1))
    """
    best = known
    waiting: list[_Waiting[Cell]] = []
    serial = count()
    bounded = 0

    def enter(cell: Cell) -> None:
        nonlocal bounded
        bound = upper_bound(cell)
        if bound is not None:
            bounded += 1
            heapq.heappush(waiting, _Waiting(bound, next(serial), cell))

    for cell in cells:
        enter(cell)
    while waiting:
        top = heapq.heappop(waiting)
        found = attained(top.cell)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
        if best is not None:
            converged = bool(close_enough(best[0], top.bound))
            if converged or bounded >= largest_count:
                upper = top.bound if top.bound > best[0] else best[0]
                return Enclosed(best[0], upper, best[1], bounded, converged)
        if bounded >= 2 * largest_count:
            raise ValueError(f"no admissible point met in {bounded} cells")
        for part in split(top.cell):
            enter(part)
    if best is None:
        raise ValueError("no admissible point in the domain")
    return Enclosed(best[0], best[0], best[1], bounded, converged=True)  # nothing is left that could be better
