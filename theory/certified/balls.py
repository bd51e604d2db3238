"""Certified numbers: three-valued comparison of real expressions, with rising precision.

An expression is a function without arguments that returns an `arb` (a ball that contains the true value) at the
precision in force. Where two balls overlap, both expressions are computed again with twice the precision, up to a
limit; beyond the limit the answer is *undecided*. No comparison concludes ``a >= b`` from ``not a < b``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from operator import ge, gt, le, lt
from typing import TypeAlias

import flint
from flint import arb

Expression: TypeAlias = "Callable[[], arb]"

FIRST_PRECISION = 64
LARGEST_PRECISION = 4096


class Truth(Enum):
    """The answer to a comparison of real numbers."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"

    def __bool__(self) -> bool:
        """Raise a `TypeError`: an answer is compared with `Truth.YES`, `Truth.NO` or `Truth.UNDECIDED`."""
        raise TypeError("a comparison has three answers: compare with Truth.YES, Truth.NO or Truth.UNDECIDED")

    def both(self, other: Truth) -> Truth:
        """Return whether both comparisons are true."""
        answers = (self, other)
        if Truth.NO in answers:
            return Truth.NO
        return Truth.UNDECIDED if Truth.UNDECIDED in answers else Truth.YES


def less(left: Expression, right: Expression, largest_precision: int = LARGEST_PRECISION) -> Truth:
    """Return whether `left` < `right`.

    Examples
    --------
    >>> less(lambda: arb(2).sqrt(), lambda: arb(17) / 12)
    <Truth.YES: 'yes'>
    >>> less(lambda: arb(2).sqrt() ** 2, lambda: arb(2), largest_precision=256)
    <Truth.UNDECIDED: 'undecided'>
    """
    return _compared(left, right, largest_precision, lt, ge)


def at_most(left: Expression, right: Expression, largest_precision: int = LARGEST_PRECISION) -> Truth:
    """Return whether `left` <= `right`; equality is decided only where both balls are exact.

    Examples
    --------
    >>> at_most(lambda: arb(2), lambda: arb(2))
    <Truth.YES: 'yes'>
    """
    return _compared(left, right, largest_precision, le, gt)


def enclosure(expression: Expression, digits: int = 15, largest_precision: int = LARGEST_PRECISION) -> arb:
    """Return a ball around the value of `expression`, accurate to about `digits` significant digits.

    Raise `ArithmeticError` if that accuracy is not reached at the largest precision.

    Examples
    --------
    >>> enclosure(lambda: arb(2).sqrt()).overlaps(arb("1.41421356237309504880 +/- 1e-15"))
    True
    """
    try:
        value: arb = flint.good(expression, dps=digits, maxprec=largest_precision)
    except ValueError as error:
        if "no convergence" not in str(error):  # the expression's own error
            raise
        raise ArithmeticError(f"the expression is not known to {digits} digits at {largest_precision} bits") from None
    return value


def precisions(largest: int = LARGEST_PRECISION) -> Iterator[int]:
    """Yield the precisions to try, in bits: each twice the one before, up to `largest`."""
    precision = FIRST_PRECISION
    while precision <= largest:
        yield precision
        precision *= 2


def _compared(
    left: Expression, right: Expression, largest: int, yes: Callable[[arb, arb], bool], no: Callable[[arb, arb], bool]
) -> Truth:
    """Return which of two opposite comparisons is certain, at the first precision at which one is."""
    for precision in precisions(largest):
        with flint.ctx.workprec(precision):
            a, b = left(), right()
        if yes(a, b):
            return Truth.YES
        if no(a, b):
            return Truth.NO
    return Truth.UNDECIDED
