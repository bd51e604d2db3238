"""What a function accepts: one check each for a discount, a count, a power and a probability row, with its message."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from theory.errors import ModelError, NumberError, shown
from theory.rationals import ZERO, Exact, rational, rationals


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
    discount = named_rational(value, "discount")
    if not 0 <= discount < 1:
        raise ModelError(f"discount: {discount} is outside 0 <= discount < 1")
    return discount


def named_rational(value: Exact, name: str) -> fmpq:
    """Return an argument as an exact rational.

    Raises
    ------
    NumberError
        For a float, or something that is not a number, by the argument's name.
    """
    try:
        return rational(value)
    except NumberError as error:
        raise NumberError(f"{name}: {error}") from None


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


def check_position(position: int, length: int, name: str) -> None:
    """Refuse what is not an integer from 0 to below `length`.

    Raises
    ------
    ModelError
        Naming the position and its value.

    Examples
    --------
    >>> check_position(99, 2, "breakpoint")
    Traceback (most recent call last):
    theory.errors.ModelError: breakpoint: 99 is outside 0..1
    """
    if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position < length:
        within = f"outside 0..{length - 1}" if length else "one of none"
        raise ModelError(f"{name}: {shown(position)} is {within}")


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


def non_negative(value: Exact, name: str) -> fmpq:
    """Return a radius, a tolerance or the like as an exact rational, at least 0.

    Raises
    ------
    ModelError
        If it is negative.
    NumberError
        For a float, or something that is not a number.

    Examples
    --------
    >>> non_negative("-1/2", "radius")
    Traceback (most recent call last):
    theory.errors.ModelError: radius: -1/2 is negative
    """
    exact = named_rational(value, name)
    if exact < 0:
        raise ModelError(f"{name}: {exact} is negative")
    return exact


def check_probability(row: Sequence[Exact], name: str = "row", *, may_be_less: bool = False) -> tuple[fmpq, ...]:
    """Return a row as exact rationals; refuse one with a negative entry, or whose sum is not exactly 1.

    Parameters
    ----------
    row
        Exact numbers.
    name
        What the row is, for the message.
    may_be_less
        Whether a sum below 1 is allowed.

    Raises
    ------
    ModelError
        Saying which.
    NumberError
        For an entry that is not exact.

    Examples
    --------
    >>> check_probability([fmpq(1, 2), fmpq(2, 3)])
    Traceback (most recent call last):
    theory.errors.ModelError: row sums to 7/6, not 1
    """
    exact = rationals(row)
    for entry in exact:
        if entry < 0:
            raise ModelError(f"{name} has the negative probability {entry}")
    total = sum(exact, ZERO)
    if total > 1 or (total < 1 and not may_be_less):
        raise ModelError(f"{name} sums to {total}, not {'at most ' if may_be_less else ''}1")
    return exact
