"""Conversion of arguments to real numbers, exact or enclosed."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from flint import arb, fmpq

from theory.enclosures.enclosure import Enclosure
from theory.enclosures.expressions import Enclosed, Expression, Rational
from theory.enclosures.parsing import parse_number
from theory.enclosures.ranges import LARGEST_EXPONENT
from theory.errors import NumberError
from theory.rationals import rational

Real: TypeAlias = Any
"""An exact number, text (an expression), a `flint.arb`, an mpmath number with an error, or an `Enclosure`."""

_LONGEST = 8 * LARGEST_EXPONENT  # bits
_EXPRESSION = re.compile(r"[()*^±]|\+/-|\d\s*[-+/]\s*[\d.]|\bpi\b")
"""Matches text that is an expression, neither a plain number nor a word."""


def real_number(value: Real) -> Expression:
    """Return `value` as an expression that can be enclosed with any number of bits.

    Parameters
    ----------
    value
        What `theory.rational` accepts; text as in `theory.enclosures.parse_number`; a finite `flint.arb`; an mpmath
        number with its largest error, as a pair; an interval of mpmath's ``iv``; an `Enclosure`.

    Raises
    ------
    NumberError
        For a float, an mpmath number without an error, a ball that is not finite, or anything else.

    Examples
    --------
    >>> real_number(arb(2).sqrt()).enclosure(64).decimals(10)
    ('1.41421356237', '1.41421356238')
    >>> import mpmath
    >>> real_number((mpmath.mpf("0.5"), "1/100")).enclosure(64)
    Enclosure(low=49/100, high=51/100)
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, Enclosure):
        return _known(value)
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, arb):
        return _known(_of_ball(value))
    if hasattr(value, "_mpi_"):
        low, high = value._mpi_
        return _known(Enclosure(_of_mpf(low), _of_mpf(high)))
    if isinstance(value, tuple) and len(value) == 2:
        middle, error = (_of_mpf(part._mpf_) if hasattr(part, "_mpf_") else rational(part) for part in value)
        if error < 0:
            raise NumberError(f"the error {error} is negative")
        return _known(Enclosure(middle - error, middle + error))
    if hasattr(value, "_mpf_"):
        raise NumberError(f"{value} is rounded by mpmath: give it with its largest error, as a pair (value, error)")
    return Rational(rational(value))


def _from_text(text: str) -> Expression:
    """Return a plain number by `rational`, whose errors suit plain numbers, and any other text as an expression."""
    try:
        return Rational(rational(text))
    except NumberError:
        if not _EXPRESSION.search(text):
            raise
    return parse_number(text)


def _known(enclosure: Enclosure) -> Expression:
    if enclosure.low > enclosure.high:
        raise NumberError(f"the lower end {enclosure.low} is above the upper end {enclosure.high}")
    return Rational(enclosure.low) if enclosure.is_exact else Enclosed(enclosure)


def _of_ball(ball: arb) -> Enclosure:
    if not ball.is_finite():
        raise NumberError(f"{ball} is not finite")
    for part in (ball.mid(), ball.rad()):
        if abs(part.man_exp()[1]) > _LONGEST:
            raise NumberError(f"{ball} is beyond 10^{LARGEST_EXPONENT} or its inverse")
    return Enclosure.of_ball(ball)


def _of_mpf(parts: tuple[int, int, int, int]) -> fmpq:
    """Return the exact value of mpmath's (sign, mantissa, exponent, bits)."""
    sign, mantissa, exponent, _ = parts
    if mantissa == 0 and exponent != 0:
        raise NumberError("an mpmath number that is infinite or not a number")
    if abs(exponent) > _LONGEST:
        raise NumberError(f"an mpmath number is beyond 10^{LARGEST_EXPONENT} or its inverse")
    value: fmpq = fmpq(int(mantissa)) * fmpq(2) ** exponent
    return -value if sign else value
