"""A certificate of indices for all discounts: they cover (0, 1), are continuous, and agree with point evaluations.

At every breakpoint the functions of both sides must have the same values, exactly, in the field of the algebraic
number. At a rational discount between a breakpoint and each of its neighbours, `theory.gittins.gittins_indices`
computes the indices again; their values and their order must be those claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from flint import fmpq

from theory.enclosures.enclosure import Enclosure
from theory.enclosures.indices import enclosed_indices
from theory.enclosures.model import EnclosedArm, EnclosedBandit
from theory.gittins import gittins_indices
from theory.model import Arm
from theory.parametric.algebraic import ONE_POINT, ZERO_POINT
from theory.parametric.arm import ArmPiece, ParametricIndices
from theory.parametric.bandit import ParametricBandit
from theory.parametric.sweep import OpenInterval
from theory.rationals import simplest_between

_NEAR = fmpq(1, 1024)
_DIGITS = 30
_BITS = 128


def refutation(found: ParametricIndices) -> str | None:
    """Return why `found` are not the indices of the arm for all discounts, in one sentence, or None if they pass.

    Examples
    --------
    >>> from theory.parametric import parametric_indices
    >>> refutation(parametric_indices(Arm(rewards=[0, 1], transitions=[[0, 1], [1, 0]]))) is None
    True
    """
    gap = _gap(found.pieces)
    if gap is not None:
        return gap
    for below, above in pairwise(found.pieces):
        point = above.low
        for x, (one, other) in enumerate(zip(below.indices, above.indices, strict=True)):
            if not one.agrees_at(point, other):
                return f"the index of state {x + 1} jumps at discount {point.decimal()}"
    for piece in found.pieces:
        for discount in checked_discounts(piece):
            wrong = _wrong_at(found.arm, piece, discount)
            if wrong is not None:
                return wrong
    return None


def refutation_of_order(found: ParametricBandit) -> str | None:
    """Return why the priority orders are not optimal for all discounts, in one sentence, or None if they pass.

    The order is compared with the indices at a rational discount on either side of each breakpoint.
    """
    gap = _gap(found.pieces)
    if gap is not None:
        return gap
    for piece in found.pieces:
        for discount in checked_discounts(piece):
            index = {
                (a, x): value
                for a, of_arm in enumerate(found.arms)
                for x, value in enumerate(_computed(of_arm.arm, discount))
            }
            for state, below in pairwise(piece.priority):
                tied = found.index(state, piece) == found.index(below, piece)
                if not _in_order(index[state], index[below], tied):
                    names = f"{found.bandit.name(state)} and {found.bandit.name(below)}"
                    both = f"{_text(index[state])} and {_text(index[below])}"
                    return f"at discount {discount} the indices of {names} are {both}"
    return None


def certify(found: ParametricBandit) -> int:
    """Check indices and orders against the certificate; return the number of rational discounts that were recomputed.

    Raises
    ------
    AssertionError
        If the check fails, which is a defect of this package; the error says what is wrong.
    """
    for number, arm in enumerate(found.arms, start=1):
        wrong = refutation(arm)
        if wrong is not None:
            raise AssertionError(f"arm {number}: {wrong}")
    wrong = refutation_of_order(found)
    if wrong is not None:
        raise AssertionError(wrong)
    pieces: list[OpenInterval] = [*found.pieces, *(piece for arm in found.arms for piece in arm.pieces)]
    return len({discount for piece in pieces for discount in checked_discounts(piece)})


def checked_discounts(piece: OpenInterval) -> Iterator[fmpq]:
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


def _gap(pieces: tuple[OpenInterval, ...]) -> str | None:
    if pieces[0].low != ZERO_POINT or pieces[-1].high != ONE_POINT:
        return "the pieces do not reach from 0 to 1"
    for below, above in pairwise(pieces):
        if below.high != above.low:
            return f"nothing is said between the discounts {below.high.decimal()} and {above.low.decimal()}"
    return None


def _wrong_at(arm: Arm | EnclosedArm, piece: ArmPiece, discount: fmpq) -> str | None:
    computed = _computed(arm, discount)
    for x, index in enumerate(piece.indices):
        value = index(discount)
        known = Enclosure.point(value) if isinstance(value, fmpq) else value.enclosure(_BITS)
        if known.certainly_above(computed[x]) or computed[x].certainly_above(known):
            return f"at discount {discount} the index of state {x + 1} is {_text(computed[x])}, not {_text(known)}"
    for x, y in pairwise(piece.order):
        if not _in_order(computed[x], computed[y], piece.indices[x] == piece.indices[y]):
            both = f"{_text(computed[x])}, {_text(computed[y])}"
            return f"at discount {discount} the indices of states {x + 1} and {y + 1} are {both}"
    return None


def _computed(arm: Arm | EnclosedArm, discount: fmpq) -> tuple[Enclosure, ...]:
    """Return enclosures of the indices at a discount; exact indices are points."""
    if isinstance(arm, Arm):
        return tuple(map(Enclosure.point, gittins_indices(arm, discount)))
    return enclosed_indices(EnclosedBandit([arm], discount), _DIGITS).indices[0]


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
