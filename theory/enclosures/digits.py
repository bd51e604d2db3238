"""Choose the precision at which a result has the digits asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from flint import fmpq

from theory.enclosures.enclosure import Enclosure
from theory.errors import NumberError
from theory.rationals import ZERO

LARGEST_DIGITS: Final = 10_000
_SPARE_BITS: Final = 64
_ATTEMPTS_AROUND_ZERO: Final = 3  # precisions tried for an enclosure around 0: the number may be 0, without digits
_ATTEMPTS: Final = 8

Result = TypeVar("Result")


def to_digits(compute: Callable[[int], tuple[Result, Iterable[Enclosure]]], digits: int, *, is_fixed: bool) -> Result:
    """Return the first result of `compute`, tried with more and more bits, whose enclosures have `digits` digits.

    Around 0, digits are those of the largest magnitude. More bits cannot help if a number `is_fixed`, an interval.
    """
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= LARGEST_DIGITS:
        raise NumberError(f"digits: {digits!r} is not an integer from 1 to {LARGEST_DIGITS}")
    bits = digits * 10 // 3 + _SPARE_BITS  # a digit is less than 10/3 bits
    for attempt in range(1, _ATTEMPTS + 1):
        result, enclosures = compute(bits)
        found = list(enclosures)
        largest = max((each.magnitude for each in found), default=ZERO)
        lacking = [each for each in found if not _has_digits(each, digits, largest)]
        if attempt >= _ATTEMPTS_AROUND_ZERO:
            lacking = [each for each in lacking if not each.contains(ZERO)]
        if is_fixed or not lacking:
            break
        bits *= 2
    return result


def _has_digits(number: Enclosure, digits: int, largest: fmpq) -> bool:
    scale = largest if number.contains(ZERO) else number.magnitude
    return bool(number.width <= scale * fmpq(10) ** (-digits - 2))
