"""A certified maximiser: the supremum of a real expression over a box, enclosed by branch and bound with balls.

The expression comes as a function that takes one ball per variable and returns a ball whose upper end bounds the
expression over all points of the balls (interval evaluation, or anything sharper). The box is split until the largest
upper end is within the tolerance of a value attained at an exact point. Nothing is sampled: every point of the box lies
in a box whose upper end was computed, or in one that was shown to hold no admissible point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import flint
from flint import arb, fmpq

from theory.branch_and_bound import enclose_supremum
from theory.domain import check_counts, non_negative
from theory.errors import ModelError
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
    ModelError
        If a side is empty, the tolerance negative, or a count below 1.
    ValueError
        If no admissible point with a real value was met.

    Examples
    --------
    >>> found = maximise(lambda p: p[0] * (1 - p[0]), [(0, 1)], tolerance="1/100")
    >>> found.converged, found.point, bool(found.upper >= fmpq(1, 4)), bool(found.upper < fmpq(26, 100))
    (True, (1/2,), True, True)
    """
    start: Box = tuple((rational(low), rational(high)) for low, high in box)
    if any(low > high for low, high in start):
        raise ModelError("a side of the box is empty")
    narrow = non_negative(tolerance, "tolerance")
    check_counts(largest_count=largest_count, precision=precision)
    with flint.ctx.workprec(precision):

        def upper_bound(candidate: Box) -> arb | None:
            if excluded(candidate):
                return None
            upper = expression([_hull(low, high) for low, high in candidate]).upper()
            return arb.pos_inf() if upper.is_nan() else upper

        def at_middle(candidate: Box) -> tuple[arb, Point] | None:
            middle = tuple((low + high) / 2 for low, high in candidate)
            if not admissible(middle):
                return None
            value = expression([arb(end) for end in middle]).lower()
            return None if value.is_nan() else (value, middle)

        def close_enough(lower: arb, upper: arb) -> bool:
            return bool(upper <= lower + abs(lower) * arb(narrow))

        found = enclose_supremum(
            [start],
            upper_bound,
            at_middle,
            lambda candidate: _halves(candidate, start),
            close_enough,
            largest_count,
            known=_best_corner(expression, start, admissible),
        )
    return Supremum(found.lower, found.upper, found.point, found.cells, found.converged)


def _best_corner(expression: BoxFunction, box: Box, admissible: Callable[[Point], bool]) -> tuple[arb, Point] | None:
    """Return the largest value at an admissible corner: suprema of monotone expressions sit there."""
    best: tuple[arb, Point] | None = None
    for corner in product(*(dict.fromkeys(side) for side in box)):
        if admissible(corner):
            value = expression([arb(end) for end in corner])
            if value.is_finite() and (best is None or value.lower() > best[0]):
                best = value.lower(), corner
    return best


def _hull(low: fmpq, high: fmpq) -> arb:
    return arb(low).union(arb(high))


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
