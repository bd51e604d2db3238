"""Branch and bound with ball arithmetic: split a bounded domain until enclosures of both sides decide every box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import ClassVar

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claimcheck.evidence.evidence import Context, Leaf, Outcome
from proofs_checks.claimcheck.statements import ForAll, Relation, Statement, evaluate
from proofs_checks.claimcheck.statements.evaluation import NotDefinedError, UnclearError, compare_values
from proofs_checks.claimcheck.statements.relation import margin
from theory import decimal_text
from theory.certified import Truth

_LONGEST = 12
"""Largest number of characters of a number that is printed as a fraction."""
Box = dict[sympy.Symbol, tuple[fmpq, fmpq]]


class Enclosures(Leaf):
    """Enclose the margin of each relation on boxes that cover the domain, and require its sign on all of them.

    Every variable needs constant bounds. The boxes contain the ends of open intervals too, so the formulas must have
    values there. Integer variables take their values one by one. Boxes that violate another condition of the domain
    are left out. If boxes stay undecided, points in them are evaluated exactly: one may refute the statement.

    Parameters
    ----------
    boxes
        Largest number of boxes evaluated.
    """

    by = "enclosures (interval arithmetic)"
    explains: ClassVar = {
        by: "The domain is cut into boxes, and on each the relation is decided in interval arithmetic with outward "
        "rounding."
    }

    def __init__(self, boxes: int = 2_000) -> None:
        self.boxes = boxes

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Return "" if boxes on which all relations are certain cover the domain, or a refutation, or the obstacle."""
        if not isinstance(goal, Relation):
            return "enclosures decide relations"
        why, opened = self._cover(goal)
        if why:
            for point in _points(goal.full_domain, opened):
                found = goal.at(point)
                if found.false:
                    told = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
                    return Outcome(False, self.grade, self.by, why=f"it is false at {told}", refuted=found.values)
        return why

    def critical(self, goal: Statement) -> Iterator[dict[sympy.Symbol, fmpq]]:
        """Yield points in the boxes that one enclosure did not decide, where the margin is small or negative."""
        return _points(goal.full_domain, self._cover(goal)[1]) if isinstance(goal, Relation) else iter(())

    def _cover(self, goal: Relation) -> tuple[str, list[Box]]:
        """Return "" or why the boxes do not decide the goal, and the boxes that one enclosure did not decide."""
        domain, opened = goal.full_domain, list[Box]()
        unbounded = [symbol for symbol, bounds in domain.bounds.items() if bounds.low is None or bounds.high is None]
        if unbounded:
            of = ", ".join(map(str, unbounded))
            return f"the domain is not bounded in {of}; LeastAt and Solver need no bounds", opened
        claimed = _margins(goal.relations)
        joint = _margins(each for each in domain.conditions if len(each.free_symbols) > 1)
        left = self.boxes
        waiting = list(_first_boxes(domain))
        while waiting:
            box = waiting.pop()
            if Truth.NO in _signs(joint, box):  # the box lies outside the domain
                continue
            if left == 0:
                more = "; Enclosures(boxes=...) tries more, and needs values at the ends of open intervals too"
                return f"undecided after {self.boxes} boxes, at {_told(box)}{more}", opened
            left -= 1
            if {*_signs(claimed, box)} != {Truth.YES}:
                opened.append(box)
                halves = _halves(box)
                if not halves:
                    return f"not certain at {_told(box)}", opened
                waiting.extend(halves)
        return "", opened


def _points(domain: ForAll, boxes: Iterable[Box]) -> Iterator[dict[sympy.Symbol, fmpq]]:
    """Yield the simplest point of each box, then the midpoint of each, if they lie in the domain."""
    for of in (_simplest, _middle):
        for box in boxes:
            point = {symbol: of(low, high) for symbol, (low, high) in box.items()}
            with suppress(UnclearError):
                if domain.contains(point):
                    yield point


def _middle(low: fmpq, high: fmpq) -> fmpq:
    return (low + high) / 2


def _simplest(low: fmpq, high: fmpq) -> fmpq:
    """Return the number with the least denominator in an interval; of several, the nearest to 0."""
    if low <= 0 <= high:
        return fmpq(0)
    if high < 0:
        return -_simplest(-high, -low)
    whole = fmpq(low.ceil())
    return whole if whole <= high else whole - 1 + 1 / _simplest(1 / (high - whole + 1), 1 / (low - whole + 1))


def _first_boxes(domain: ForAll) -> Iterator[Box]:
    boxes: list[Box] = [{}]
    for symbol, bounds in domain.bounds.items():
        assert bounds.low is not None  # the domain is bounded
        assert bounds.high is not None
        ends = [(value, value) for value in bounds.integers()] if symbol.is_integer else [(bounds.low, bounds.high)]
        boxes = [{**box, symbol: side} for box in boxes for side in ends]
    yield from boxes


def _ball(side: tuple[fmpq, fmpq]) -> fmpq | arb:
    low, high = side
    return low if low == high else arb(low).union(arb(high))


def _margins(relations: Iterable[sympy.Rel]) -> list[tuple[type, sympy.Expr]]:
    return [(_AS_MARGIN.get(type(each), type(each)), margin(each)) for each in relations]


_AS_MARGIN = {sympy.Le: sympy.Ge, sympy.Lt: sympy.Gt}


def _signs(formulas: list[tuple[type, sympy.Expr]], box: Box) -> list[Truth]:
    """Return for each margin whether it has its sign on the whole box, or nowhere on it."""
    point = {symbol: _ball(side) for symbol, side in box.items()}
    found = []
    for kind, formula in formulas:
        try:
            found.append(compare_values(kind, evaluate(formula, point), fmpq(0)))
        except (NotDefinedError, UnclearError):
            found.append(Truth.UNDECIDED)
    return found


def _halves(box: Box) -> list[Box]:
    widest = max(box, key=lambda symbol: box[symbol][1] - box[symbol][0], default=None)
    if widest is None or box[widest][0] == box[widest][1]:
        return []
    low, high = box[widest]
    middle = _middle(low, high)
    return [{**box, widest: (low, middle)}, {**box, widest: (middle, high)}]


def _told(box: Box) -> str:
    return ", ".join(f"{symbol} in [{', '.join(map(_short, side))}]" for symbol, side in box.items())


def _short(value: fmpq) -> str:
    """Return a number as a fraction, or as a decimal if the fraction is long."""
    return str(value) if len(str(value)) <= _LONGEST else decimal_text(value)
