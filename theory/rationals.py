"""Exact rational numbers: the one place where something becomes an `fmpq`, or text again.

Accepted are integers, `fractions.Fraction`, `flint.fmpq`, `flint.fmpz`, SymPy rationals and text such as
``"321/100"`` or ``"3.21"`` (its decimal meaning). A Python float is refused: 3.21 as a float is not 321/100.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from flint import fmpq, fmpz

from theory.errors import NumberError

Exact: TypeAlias = "fmpq | fmpz | int | Fraction | str | numbers.Rational"
"""What a caller may pass where an exact number is wanted."""

_QUOTIENT = re.compile(r"([+-]?\d+)(?:/(\d+))?", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?", re.ASCII)
_LARGEST_EXPONENT = 10_000

ZERO = fmpq(0)
ONE = fmpq(1)


def rational(value: object) -> fmpq:
    """Return `value` as an exact rational.

    Parameters
    ----------
    value
        An integer, a `Fraction`, an `fmpq` or `fmpz`, a SymPy rational, or text: ``"p/q"``, ``"p"`` or a decimal.

    Raises
    ------
    NumberError
        For a float (the message says how to write it exactly), a boolean, a zero denominator, or anything else.

    Examples
    --------
    >>> rational("3.21"), rational("321/100") == rational("3.21")
    (321/100, True)
    >>> rational(0.5)
    Traceback (most recent call last):
    theory.errors.NumberError: 0.5 is a float, which is not exact: write Fraction(1, 2), "1/2" or "0.5"
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, bool):
        raise NumberError(f"{value} is a truth value, not a number")
    if isinstance(value, (int, fmpz)):
        return fmpq(value)
    if isinstance(value, numbers.Rational):  # Fraction, SymPy rationals, NumPy integers
        return fmpq(int(value.numerator), int(value.denominator))
    if isinstance(value, float):
        raise NumberError(_float_advice(value))
    raise NumberError(
        f"{value!r} is not an exact number: give an integer, a Fraction, an fmpq or text such as '321/100'"
    )


def rationals(values: Iterable[object]) -> tuple[fmpq, ...]:
    """Return each of `values` as an exact rational.

    Examples
    --------
    >>> rationals([1, "1/2"])
    (1, 1/2)
    """
    return tuple(rational(value) for value in values)


def decimal_text(value: fmpq, digits: int = 10) -> str:
    """Return `value` correctly rounded to `digits` significant digits (half to even), for a person to read.

    Trailing zeros are left out, so an exact decimal shows as it is.

    Examples
    --------
    >>> decimal_text(rational("321/50")), decimal_text(rational("-41117/6900")), decimal_text(rational("1/10000000"))
    ('6.42', '-5.958985507', '1e-7')
    """
    if value == 0:
        return "0"
    magnitude = abs(value)
    # the exponent of the leading digit: estimated from bit lengths, then corrected exactly
    exponent = int((magnitude.p.bit_length() - magnitude.q.bit_length()) * 30103 // 100000)
    while _power_of_ten(exponent) > magnitude:
        exponent -= 1
    while _power_of_ten(exponent + 1) <= magnitude:
        exponent += 1
    mantissa = int(_round_half_even(magnitude / _power_of_ten(exponent - digits + 1)))
    if mantissa == 10**digits:
        mantissa, exponent = mantissa // 10, exponent + 1
    text = str(mantissa).rstrip("0")
    if -5 <= exponent < 0:
        body = "0." + "0" * (-exponent - 1) + text
    elif 0 <= exponent < digits + 5:
        whole = text[: exponent + 1].ljust(exponent + 1, "0")
        body = f"{whole}.{text[exponent + 1 :]}".rstrip(".")
    else:
        body = f"{text[0]}.{text[1:]}".rstrip(".") + f"e{exponent}"
    return f"-{body}" if value < 0 else body


def _power_of_ten(exponent: int) -> fmpq:
    return fmpq(fmpz(10) ** exponent) if exponent >= 0 else 1 / fmpq(fmpz(10) ** -exponent)


def _round_half_even(value: fmpq) -> fmpz:
    floor = value.floor()
    twice = 2 * (value - floor)
    if twice > 1 or (twice == 1 and int(floor) % 2 == 1):
        return floor + 1
    return floor


def _from_text(text: str) -> fmpq:
    stripped = text.strip()
    if match := _QUOTIENT.fullmatch(stripped):
        numerator, denominator = match.groups()
        q = fmpz(denominator) if denominator else fmpz(1)
        if q == 0:
            raise NumberError(f"{text!r} has denominator 0")
        return fmpq(fmpz(numerator), q)
    match = _DECIMAL.fullmatch(stripped)
    if match is None or not (match[2] or match[3]):
        raise NumberError(f"{text!r} is not a number: write an integer, a fraction such as 321/100, or a decimal")
    sign, whole, fraction, exponent = match[1], match[2], match[3] or "", int(match[4] or 0)
    if abs(exponent) > _LARGEST_EXPONENT:
        raise NumberError(f"{text!r} has an exponent beyond {_LARGEST_EXPONENT}")
    value = fmpq(fmpz(f"{whole}{fraction}")) * _power_of_ten(exponent - len(fraction))
    return -value if sign == "-" else value


def _float_advice(value: float) -> str:
    if not math.isfinite(value):
        return f"{value} is not a number of the model"
    shown = Fraction(repr(value))
    return (
        f"{value!r} is a float, which is not exact: "
        f'write Fraction({shown.numerator}, {shown.denominator}), "{shown}" or "{value!r}"'
    )
