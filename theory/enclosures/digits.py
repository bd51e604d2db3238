"""Choose the precision at which a result has the digits asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from theory.enclosures.enclosure import Enclosure, power_of_ten
from theory.errors import NumberError
from theory.rationals import ZERO

LARGEST_DIGITS: Final = 10_000
_SPARE_BITS: Final = 64
_ATTEMPTS_AROUND_ZERO: Final = 3  # precisions tried for an enclosure around 0: the number may be 0, without digits
_ATTEMPTS: Final = 8

Result = TypeVar("Result")


def to_digits(compute: Callable[[int], tuple[Result, Iterable[Enclosure]]], digits: int, *, is_fixed: bool) -> Result:
    """Return the result of `compute` at the lowest precision tried whose enclosures have `digits` digits.

    Parameters
    ----------
    compute
        Maps a number of bits to a result and its enclosures.
    digits
        Significant digits of each enclosure; for an enclosure around 0, relative to the largest magnitude.
    is_fixed
        Whether more bits cannot help, because some number is only known up to an interval.
    """
    check_digits(digits)
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


def check_digits(digits: int) -> None:
    """Refuse a number of digits that is not an integer from 1 to `LARGEST_DIGITS`."""
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= LARGEST_DIGITS:
        raise NumberError(f"digits: {digits!r} is not an integer from 1 to {LARGEST_DIGITS}")


def _has_digits(number: Enclosure, digits: int, largest: object) -> bool:
    scale = largest if number.contains(ZERO) else number.magnitude
    return bool(number.width <= scale * power_of_ten(-digits - 2))  # type: ignore[operator]
