"""A certified maximiser: the supremum of a real expression over a box, enclosed by branch and bound with balls.

The expression comes as a function that takes one ball per variable and returns a ball whose upper end bounds the
expression over all points of the balls (interval evaluation, or anything sharper). The box is split until the largest
upper end is within the tolerance of a value attained at an exact point. Nothing is sampled: every point of the box lies
in a box whose upper end was computed, or in one that was shown to hold no admissible point.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import flint
from flint import arb, fmpq

from theory.rationals import Exact, rational

BoxFunction: TypeAlias = "Callable[[Sequence[arb]], arb]"
Point: TypeAlias = "tuple[fmpq, ...]"
Box: TypeAlias = "tuple[tuple[fmpq, fmpq], ...]"

PRECISION = 64


@dataclass(frozen=True)
class Supremum:
    """An enclosure of a supremum.

    Attributes
    ----------
    lower
        A certified lower bound of the value at `point`.
    upper
        A certified upper bound of the expression over the admissible part of the box.
    point
        An admissible point of the box, exact.
    boxes
        How many boxes were evaluated.
    converged
        Whether `upper` is within the tolerance of `lower`; both bounds are certified in either case.
    """

    lower: arb
    upper: arb
    point: Point
    boxes: int
    converged: bool


@dataclass(frozen=True)
class _Candidate:
    """A box that waits to be split; the largest upper end comes first (upper ends are balls of radius 0)."""

    upper: arb
    box: Box

    def __lt__(self, other: _Candidate) -> bool:
        return bool(self.upper > other.upper)


def maximise(
    expression: BoxFunction,
    box: Sequence[tuple[Exact, Exact]],
    *,
    tolerance: Exact = fmpq(1, 1000),
    admissible: Callable[[Point], bool] = lambda _: True,
    excluded: Callable[[Box], bool] = lambda _: False,
    largest_count: int = 20_000,
    precision: int = PRECISION,
) -> Supremum:
    """Return an enclosure of the supremum of `expression` over the admissible part of `box`.

    Parameters
    ----------
    expression
        Takes a ball per variable; the upper end of its result bounds the expression over these balls, and at an exact
        point (balls of radius 0) its lower end bounds the value there from below.
    box
        The two ends of each side, exact.
    tolerance
        Relative to the lower bound; stop when the enclosure is that narrow.
    admissible, excluded
        A constraint: whether an exact point satisfies it; whether a box certainly holds no point that does.
    largest_count
        Stop, not converged, after that many boxes.
    precision
        In bits.

    Raises
    ------
    ValueError
        If a side is empty, or no admissible point was met.

    Examples
    --------
    >>> found = maximise(lambda p: p[0] * (1 - p[0]), [(0, 1)], tolerance="1/100")
    >>> found.converged, found.point, bool(found.upper >= fmpq(1, 4)), bool(found.upper < fmpq(26, 100))
    (True, (1/2,), True, True)
    """
    start: Box = tuple((rational(low), rational(high)) for low, high in box)
    if any(low > high for low, high in start):
        raise ValueError("a side of the box is empty")
    narrow = rational(tolerance)
    with flint.ctx.workprec(precision):
        best, best_point = _best_corner(expression, start, admissible)
        waiting: list[_Candidate] = []
        count = 0

        def enter(candidate: Box) -> None:
            nonlocal count
            if not excluded(candidate):
                upper = expression([_hull(low, high) for low, high in candidate]).upper()
                upper = arb.pos_inf() if upper.is_nan() else upper
                count += 1
                heapq.heappush(waiting, _Candidate(upper, candidate))

        enter(start)
        while True:
            if not waiting:
                raise ValueError("no admissible point in the box")
            top = heapq.heappop(waiting)
            middle = tuple((low + high) / 2 for low, high in top.box)
            if admissible(middle):
                at_middle = expression([arb(value) for value in middle]).lower()
                if best is None or at_middle > best:
                    best, best_point = at_middle, middle
            if best is not None and (top.upper <= best + abs(best) * arb(narrow) or count >= largest_count):
                largest = _largest([top, *waiting])
                converged = bool(largest <= best + abs(best) * arb(narrow))
                return Supremum(best, largest.max(best), best_point, count, converged)
            if count >= 2 * largest_count:
                raise ValueError(f"no admissible point met in {count} boxes")
            for half in _halves(top.box, start):
                enter(half)


def _best_corner(expression: BoxFunction, box: Box, admissible: Callable[[Point], bool]) -> tuple[arb | None, Point]:
    """Return the largest value at an admissible corner: suprema of monotone expressions sit there."""
    corners: list[Point] = [()]
    for low, high in box:
        corners = [(*corner, end) for corner in corners for end in dict.fromkeys((low, high))]
    best: arb | None = None
    best_point: Point = ()
    for corner in corners:
        if not admissible(corner):
            continue
        value = expression([arb(end) for end in corner])
        if value.is_finite() and (best is None or value.lower() > best):
            best, best_point = value.lower(), corner
    return best, best_point


def _hull(low: fmpq, high: fmpq) -> arb:
    return arb(low).union(arb(high))


def _largest(candidates: Sequence[_Candidate]) -> arb:
    largest = candidates[0].upper
    for candidate in candidates[1:]:
        largest = largest.max(candidate.upper)
    return largest.upper()


def _halves(box: Box, start: Box) -> tuple[Box, Box]:
    """Split the side that is longest in proportion to the side of the whole box."""
    shares = [
        (high - low) / (whole[1] - whole[0]) if whole[1] > whole[0] else fmpq(0)
        for (low, high), whole in zip(box, start, strict=True)
    ]
    side = shares.index(max(shares))
    low, high = box[side]
    middle = (low + high) / 2
    return (
        (*box[:side], (low, middle), *box[side + 1 :]),
        (*box[:side], (middle, high), *box[side + 1 :]),
    )
