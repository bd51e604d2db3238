"""A certificate of indices for all discounts: they cover (0, 1), are continuous, and agree with point evaluations.

At every breakpoint the functions of both sides must have the same values, exactly, in the field of the algebraic
number. At a rational discount between a breakpoint and each of its neighbours, `theory.gittins.gittins_indices`
computes the indices again; their values and their order must be those claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from flint import fmpq

from theory.enclosures.enclosure import Enclosure
from theory.enclosures.indices import enclosed_indices
from theory.enclosures.model import EnclosedBandit
from theory.gittins import gittins_indices
from theory.model import Arm
from theory.parametric.algebraic import ONE_POINT, ZERO_POINT
from theory.parametric.arm import ParametricIndices
from theory.parametric.bandit import ParametricBandit
from theory.parametric.sweep import Piece
from theory.rationals import simplest_between

_NEAR = fmpq(1, 1024)
_DIGITS = 30
_BITS = 128


def refutation(found: ParametricIndices | ParametricBandit) -> str | None:
    """Return why `found` are not the indices and the orders for all discounts, in one sentence, or None if they pass.

    Examples
    --------
    >>> from theory.parametric import parametric_indices
    >>> refutation(parametric_indices(Arm(rewards=[0, 1], transitions=[[0, 1], [1, 0]]))) is None
    True
    """
    pieces: tuple[Piece[Any], ...] = found.pieces
    if pieces[0].low != ZERO_POINT or pieces[-1].high != ONE_POINT:
        return "the pieces do not reach from 0 to 1"
    for below, above in pairwise(pieces):
        if below.high != above.low:
            return f"nothing is said between the discounts {below.high.decimal()} and {above.low.decimal()}"
    for below, above in pairwise(pieces):
        for state in sorted(below.order):
            if not below.indices[state].agrees_at(above.low, above.indices[state]):
                return f"the index of {found.name(state)} jumps at discount {above.low.decimal()}"
    for piece in pieces:
        for discount in checked_discounts(piece):
            wrong = _wrong_at(found, piece, discount)
            if wrong is not None:
                return wrong
    return None


def certify(found: ParametricBandit) -> int:
    """Check indices and orders against the certificate; return the number of rational discounts that were recomputed.

    Raises
    ------
    AssertionError
        If the check fails, which is a defect of this package; the error says what is wrong.
    """
    refuted = [(f"arm {number}: ", refutation(arm)) for number, arm in enumerate(found.arms, start=1)]
    for where, wrong in [*refuted, ("", refutation(found))]:
        if wrong is not None:
            raise AssertionError(f"{where}{wrong}")
    pieces: list[Piece[Any]] = [*found.pieces, *(piece for arm in found.arms for piece in arm.pieces)]
    return len({discount for piece in pieces for discount in checked_discounts(piece)})


def checked_discounts(piece: Piece[Any]) -> Iterator[fmpq]:
    """Yield the rational discounts at which a piece is checked: one close to each end that is a breakpoint.

    For the piece from 0 to 1 the discount is 1/2.

    Examples
    --------
    Between 1/2 - 1/2048 and 1/2, the simplest number is the first of 1/3, 2/5, ..., k/(2 k + 1), ... in that interval.

    >>> from types import SimpleNamespace
    >>> half = ONE_POINT.from_rational(fmpq(1, 2))
    >>> list(checked_discounts(SimpleNamespace(low=ZERO_POINT, high=half)))
    [512/1025]
    >>> list(checked_discounts(SimpleNamespace(low=half, high=ONE_POINT)))
    [513/1025]
    """
    low, high = piece.low, piece.high
    if not low < high:  # the comparison also separates the intervals
        return
    distance = (high.low - low.high) * _NEAR
    if low != ZERO_POINT:
        yield simplest_between(low.high, low.high + distance)
    if high != ONE_POINT:
        yield simplest_between(high.low - distance, high.low)
    if low == ZERO_POINT and high == ONE_POINT:
        yield fmpq(1, 2)


def _wrong_at(found: ParametricIndices | ParametricBandit, piece: Piece[Any], discount: fmpq) -> str | None:
    computed = _computed(found, discount)
    for state in piece.order:
        value = piece.indices[state](discount)
        known = Enclosure.point(value) if isinstance(value, fmpq) else value.enclosure(_BITS)
        if known.certainly_above(computed[state]) or computed[state].certainly_above(known):
            told = f"{_text(computed[state])}, not {_text(known)}"
            return f"at discount {discount} the index of {found.name(state)} is {told}"
    for one, other in pairwise(piece.order):
        if not _in_order(computed[one], computed[other], piece.indices[one] == piece.indices[other]):
            names = f"{found.name(one)} and {found.name(other)}"
            both = f"{_text(computed[one])} and {_text(computed[other])}"
            return f"at discount {discount} the indices of {names} are {both}"
    return None


def _computed(found: ParametricIndices | ParametricBandit, discount: fmpq) -> dict[Any, Enclosure]:
    """Return enclosures of the indices at a discount, by state; exact indices are points."""
    if isinstance(found, ParametricBandit):
        of_arms = enumerate(_computed(arm, discount) for arm in found.arms)
        return {(a, x): value for a, of_arm in of_arms for x, value in of_arm.items()}
    if isinstance(found.arm, Arm):
        return dict(enumerate(map(Enclosure.point, gittins_indices(found.arm, discount))))
    return dict(enumerate(enclosed_indices(EnclosedBandit([found.arm], discount), _DIGITS).indices[0]))


def _in_order(first: Enclosure, second: Enclosure, tied: bool) -> bool:
    """Return whether the first index may come before the second: equal if they are `tied`, otherwise larger.

    Examples
    --------
    >>> one, about = Enclosure(fmpq(1), fmpq(1)), Enclosure(fmpq(0), fmpq(2))
    >>> _in_order(one, one, tied=True), _in_order(one, one, tied=False)
    (True, False)
    >>> _in_order(about, about, tied=False), _in_order(one, about, tied=False), _in_order(about, one, tied=False)
    (True, True, True)
    """
    if tied:
        return not first.certainly_above(second) and not second.certainly_above(first)
    return first.certainly_above(second) or not (second.certainly_above(first) or (first.is_exact and first == second))


def _text(number: Enclosure) -> str:
    return str(number.low) if number.is_exact else " to ".join(number.decimals(_DIGITS))
