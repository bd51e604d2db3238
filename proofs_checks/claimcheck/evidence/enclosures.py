"""Branch and bound with ball arithmetic: split a bounded domain until enclosures of both sides decide every box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claimcheck.evidence.evidence import Context, Leaf
from proofs_checks.claimcheck.statements import ForAll, Relation, Statement, evaluate
from proofs_checks.claimcheck.statements.evaluation import NotDefinedError, UnclearError
from proofs_checks.claimcheck.statements.relation import margin

Box = dict[sympy.Symbol, tuple[fmpq, fmpq]]


class Enclosures(Leaf):
    """Enclose the margin of each relation on boxes that cover the domain, and require its sign on all of them.

    Every variable needs constant bounds; the ends of open intervals are covered too, so the formulas must have values
    there. Integer variables take their values one by one. Boxes that lie outside the other conditions of the domain are
    left out.

    Parameters
    ----------
    boxes
        The most boxes that are evaluated.
    """

    by = "enclosures (interval arithmetic)"
    explains: ClassVar = {
        by: "The domain is cut into boxes, and on each the relation is decided in interval arithmetic with outward "
        "rounding."
    }

    def __init__(self, boxes: int = 2_000) -> None:
        self.boxes = boxes

    def decide(self, goal: Statement, context: Context) -> str:
        """Cover the domain by boxes on which the relations are certain."""
        if not isinstance(goal, Relation):
            return "enclosures decide relations"
        domain = goal.full_domain
        unbounded = [symbol for symbol, bounds in domain.bounds.items() if bounds.low is None or bounds.high is None]
        if unbounded:
            return f"the domain is not bounded in {', '.join(map(str, unbounded))}"
        left = self.boxes
        waiting = list(_first_boxes(domain))
        while waiting:
            box = waiting.pop()
            if _outside(domain, box):
                continue
            if left == 0:
                return f"undecided after {self.boxes} boxes, at {_told(box)}"
            left -= 1
            if not _certain(goal, box):
                halves = _halves(box)
                if not halves:
                    return f"not certain at {_told(box)}"
                waiting.extend(halves)
        return ""


def _first_boxes(domain: ForAll) -> Iterator[Box]:
    boxes: list[Box] = [{}]
    for symbol, bounds in domain.bounds.items():
        assert bounds.low is not None  # the domain is bounded
        assert bounds.high is not None
        if symbol.is_integer:
            values = range(int(bounds.low.ceil()), int(bounds.high.floor()) + 1)
            sides = [(fmpq(value), fmpq(value)) for value in values]
        else:
            sides = [(bounds.low, bounds.high)]
        boxes = [{**box, symbol: side} for box in boxes for side in sides]
    yield from boxes


def _ball(side: tuple[fmpq, fmpq]) -> fmpq | arb:
    low, high = side
    return low if low == high else arb(low).union(arb(high))


def _signs(formulas: list[tuple[type, sympy.Expr]], box: Box) -> list[bool | None]:
    point = {symbol: _ball(side) for symbol, side in box.items()}
    found: list[bool | None] = []
    for kind, formula in formulas:
        try:
            value = evaluate(formula, point)
        except (NotDefinedError, UnclearError):
            found.append(None)
            continue
        if kind in (sympy.Lt, sympy.Gt):
            found.append(True if value > 0 else False if value <= 0 else None)
        elif kind is sympy.Eq:
            found.append(True if value == 0 else None)
        else:
            found.append(True if value >= 0 else False if value < 0 else None)
    return found


def _certain(goal: Relation, box: Box) -> bool:
    return all(sign is True for sign in _signs([(type(each), margin(each)) for each in goal.relations], box))


def _outside(domain: ForAll, box: Box) -> bool:
    joint = [each for each in domain.conditions if len(each.free_symbols) > 1]
    return any(sign is False for sign in _signs([(type(each), margin(each)) for each in joint], box))


def _halves(box: Box) -> list[Box]:
    widest = max(box, key=lambda symbol: box[symbol][1] - box[symbol][0], default=None)
    if widest is None or box[widest][0] == box[widest][1]:
        return []
    low, high = box[widest]
    middle = (low + high) / 2
    return [{**box, widest: (low, middle)}, {**box, widest: (middle, high)}]


def _told(box: Box) -> str:
    return ", ".join(f"{symbol} in [{low}, {high}]" for symbol, (low, high) in box.items())
