"""What a function accepts: one check each for a discount, a count, a power and a probability row, with its message."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from theory.errors import ModelError, NumberError
from theory.rationals import ZERO, Exact, rational


def exact_discount(value: Exact) -> fmpq:
    """Return a discount, ``0 <= discount < 1``, as an exact rational.

    Raises
    ------
    ModelError
        Outside this range.
    NumberError
        For a float, or something that is not a number.

    Examples
    --------
    >>> exact_discount("0.99")
    99/100
    >>> exact_discount(1)
    Traceback (most recent call last):
    theory.errors.ModelError: discount: 1 is outside 0 <= discount < 1
    """
    try:
        discount = rational(value)
    except NumberError as error:
        raise NumberError(f"discount: {error}") from None
    if not 0 <= discount < 1:
        raise ModelError(f"discount: {discount} is outside 0 <= discount < 1")
    return discount


def check_counts(least: int = 1, /, **counts: int) -> None:
    """Refuse a count that is not an integer of at least `least`, by its name.

    Raises
    ------
    ModelError
        Naming the count and its value.

    Examples
    --------
    >>> check_counts(S=4, n=1)
    >>> check_counts(2, K=1)
    Traceback (most recent call last):
    theory.errors.ModelError: K: 1 is not an integer of at least 2
    """
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < least:
            raise ModelError(f"{name}: {count!r} is not an integer of at least {least}")


def positive_power(value: Exact) -> fmpq:
    """Return an exponent alpha > 0 as an exact rational.

    Raises
    ------
    ModelError
        If it is not positive.
    NumberError
        For a float, or something that is not a number.
    """
    power = rational(value)
    if power <= 0:
        raise ModelError(f"alpha: {power} is not positive")
    return power


def check_probability(row: Sequence[fmpq], name: str = "row", *, may_be_less: bool = False) -> None:
    """Refuse a row with a negative entry, or whose sum is not exactly 1.

    Parameters
    ----------
    row
        Exact rationals.
    name
        What the row is, for the message.
    may_be_less
        Whether a sum below 1 is allowed.

    Raises
    ------
    ModelError
        Saying which.

    Examples
    --------
    >>> check_probability([fmpq(1, 2), fmpq(2, 3)])
    Traceback (most recent call last):
    theory.errors.ModelError: row sums to 7/6, not 1
    """
    for entry in row:
        if entry < 0:
            raise ModelError(f"{name} has the negative probability {entry}")
    total = sum(row, ZERO)
    if total > 1 or (total < 1 and not may_be_less):
        raise ModelError(f"{name} sums to {total}, not {'at most ' if may_be_less else ''}1")
