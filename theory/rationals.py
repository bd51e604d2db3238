"""Exact rational numbers: the one place where something becomes an `fmpq`, or text again.

Accepted are integers, `fractions.Fraction`, `flint.fmpq`, `flint.fmpz`, SymPy rationals and text such as
``"321/100"`` or ``"3.21"`` (its decimal meaning). A Python float is refused: 3.21 as a float is not 321/100.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq, fmpz

from theory.errors import NumberError

if TYPE_CHECKING:
    import sympy  # type: ignore[import-untyped]  # it ships no types

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


def fraction(value: Exact) -> Fraction:
    """Return an exact number as a `fractions.Fraction`, for what does not know python-flint (mpmath among others).

    Examples
    --------
    >>> fraction(fmpq(321, 100))
    Fraction(321, 100)
    """
    exact = rational(value)
    return Fraction(int(exact.p), int(exact.q))


def nearest_float(value: Exact) -> float:
    """Return the float nearest to an exact number: for figures, and for what computes in floating point.

    Raises
    ------
    OverflowError
        Beyond the range of floats.

    Examples
    --------
    >>> nearest_float("1/3")
    0.3333333333333333
    """
    exact = rational(value)
    return int(exact.p) / int(exact.q)  # the quotient of two integers is correctly rounded


def sympy_rational(value: Exact) -> sympy.Rational:
    """Return an exact number as a SymPy rational.

    Examples
    --------
    >>> sympy_rational("3.21")
    321/100
    """
    import sympy  # noqa: PLC0415  (`import theory` stays light)

    exact = rational(value)
    return sympy.Rational(int(exact.p), int(exact.q))


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
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX)
    # two digits more than are shown, and one that says whether anything was cut off: rounding then sees the exact value
    shift = digits + 2 - (value.p.bit_length() - value.q.bit_length()) * 30103 // 100000
    scaled = divmod(value.p * fmpz(10) ** max(shift, 0), value.q * fmpz(10) ** max(-shift, 0))
    rounded = context.create_decimal(int(10 * scaled[0] + (scaled[1] != 0)))
    rounded = rounded.normalize(context).scaleb(-shift - 1, context)
    shown = f"{rounded:f}" if -5 <= rounded.adjusted() < digits + 5 else f"{rounded:e}"
    return shown.replace("e+", "e")


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
    sign, whole, digits, exponent = match[1], match[2], match[3] or "", int(match[4] or 0)
    if abs(exponent) > _LARGEST_EXPONENT:
        raise NumberError(f"{text!r} has an exponent beyond {_LARGEST_EXPONENT}")
    value = fmpq(fmpz(f"{whole}{digits}")) * fmpq(10) ** (exponent - len(digits))
    return -value if sign == "-" else value


def _float_advice(value: float) -> str:
    if not math.isfinite(value):
        return f"{value} is not a number of the model"
    shown = Fraction(repr(value))
    return (
        f"{value!r} is a float, which is not exact: "
        f'write Fraction({shown.numerator}, {shown.denominator}), "{shown}" or "{value!r}"'
    )
