r"""One rule that reads floats as the exact numbers they were meant to be.

A float stands for every number that rounds to it. It is read as

1. the fraction of smallest denominator that rounds to it, if that denominator is at most 10^6 (for a float of 32 bits,
   100): the float 0.2 is 1/5, the float 1/3 is 1/3, and 17/49 is 17/49;
2. otherwise the shortest decimal that rounds to it, which is the one Python prints: 0.12345678 is 12345678/10^8.

The entries of a row must then sum to 1 up to rounding. If the sum misses 1 by at most one unit in the last place of 1
per float (:math:`2^{-52}`, or :math:`2^{-23}`), the largest entry, the first among equals, absorbs the difference. A
row that misses 1 by more is refused; no row is rescaled. Exact entries stay as they are.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any, TypeGuard

from flint import fmpq

from theory.errors import ModelError, NumberError
from theory.rationals import ONE, ZERO, decimal_text, rational, simplest_between, value_of_float

_TWO = fmpq(2)
_FORMATS = {4: (24, 100), 8: (53, 10**6)}
"""Significant bits and largest denominator of binary floats, by their size in bytes."""


def from_float(value: object) -> fmpq:
    """Return the number that a float stands for by the module's rule; an exact number stands for itself.

    Examples
    --------
    >>> from_float(0.2), from_float(2 / 3), from_float(0.1 + 0.2) - from_float(0.3), from_float("1/7")
    (1/5, 2/3, 1/25000000000000000, 1/7)
    """
    if not _is_float(value):
        return rational(value)
    text = _shortest(value)
    if text.lstrip("+-") in ("nan", "inf"):
        raise NumberError(f"{text} is not a number of the model")
    bits, largest_denominator = _format(value)
    exact = value_of_float(value)
    if exact == 0:
        return ZERO
    low, high = _numbers_that_round_to(abs(exact), bits)
    if high - low <= 1:
        simplest = simplest_between(low, high, with_ends=True)
        if simplest.q <= largest_denominator:
            return simplest if exact > 0 else -simplest
    return rational(text)


def row_from_floats(row: Sequence[object]) -> tuple[fmpq, ...]:
    """Return the probabilities that a row of floats stands for; they sum to exactly 1.

    Examples
    --------
    >>> row_from_floats([0.1, 0.2, 0.7]), row_from_floats([1 / 3, 1 / 3, 1 / 3])
    ((1/10, 1/5, 7/10), (1/3, 1/3, 1/3))
    >>> row_from_floats([0.12345678, 1 - 0.12345678])
    (6172839/50000000, 43827161/50000000)
    >>> row_from_floats([0.333333, 0.333333, 0.333333])
    Traceback (most recent call last):
    theory.errors.ModelError: row sums to 1 - 1e-6, beyond rounding: divide it by its sum, or write it as fractions
    """
    read = [from_float(value) for value in row]
    missing = ONE - sum(read, ZERO)
    if abs(missing) > sum((_TWO ** (1 - _format(value)[0]) for value in row if _is_float(value)), ZERO):
        difference = f"{'-' if missing > 0 else '+'} {decimal_text(abs(missing), 6)}"
        raise ModelError(f"row sums to 1 {difference}, beyond rounding: divide it by its sum, or write it as fractions")
    largest = max(range(len(read)), key=lambda y: read[y])
    read[largest] += missing
    return tuple(read)


def _shortest(value: Any) -> str:
    """Return the shortest decimal that rounds to a float, since `str` of NumPy floats depends on print options."""
    if isinstance(value, float):
        return float.__repr__(value)
    if not hasattr(value, "itemsize"):
        return str(value)  # a float of another library
    import numpy as np  # noqa: PLC0415  (`import theory` stays light, and this is a number of NumPy's)

    return np.format_float_scientific(value, trim="-")


def _is_float(value: object) -> TypeGuard[Any]:
    return isinstance(value, numbers.Real) and not isinstance(value, numbers.Rational)


def _format(value: Any) -> tuple[int, int]:
    size = getattr(value, "itemsize", 8)  # a Python float has no `itemsize`, and 64 bits
    if size not in _FORMATS:
        raise NumberError(f"{value} is a float of {8 * size} bits: convert it to 64 bits, or write it as text")
    return _FORMATS[size]


def _numbers_that_round_to(exact: fmpq, bits: int) -> tuple[fmpq, fmpq]:
    """Return the ends of the interval of numbers whose nearest float of `bits` significant bits is `exact` > 0."""
    leading = exact.p.bit_length() - exact.q.bit_length()  # exponent of the leading bit; the denominator is 2^k
    unit = _TWO ** (leading - bits + 1)
    below = unit / 4 if exact == _TWO**leading else unit / 2  # floats lie closer below a power of two
    return exact - below, exact + unit / 2
