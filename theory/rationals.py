"""Exact rational numbers: the only module that converts values to `fmpq`, and back to text.

It accepts integers, `fractions.Fraction`, `decimal.Decimal`, `flint.fmpq`, `flint.fmpz`, SymPy rationals and text such
as ``"321/100"`` or ``"3.21"`` (as a decimal). It refuses floats, Python's and NumPy's: 3.21 as a float is not 321/100.
`theory.rounding` reads floats, by a rule that it states.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq, fmpz

from theory.errors import NumberError, shown

if TYPE_CHECKING:
    import sympy  # type: ignore[import-untyped]  # it ships no types

Exact: TypeAlias = "fmpq | fmpz | int | Fraction | Decimal | str | numbers.Rational"
"""The types that are accepted as exact numbers."""

_QUOTIENT = re.compile(r"([+-]?\d+)(?: ?/ ?(\d+))?", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?)0*(\d+))?", re.ASCII)
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:(?:,[0-9]{3})+\.[0-9]*|(?:,[0-9]{3}){2,})")
_LARGEST_EXPONENT = 10_000

ZERO = fmpq(0)
ONE = fmpq(1)


def rational(value: object) -> fmpq:
    """Return an exact number as a rational: an integer, `Fraction`, `Decimal`, `fmpq`, `fmpz`, SymPy rational, or text.

    Text is ``"p/q"``, ``"p"`` or a decimal.

    Raises
    ------
    NumberError
        For a float (the message says how to write it exactly), a boolean, a zero denominator, or anything else.

    Examples
    --------
    >>> rational("3.21"), rational("321/100") == rational("3.21")
    (321/100, True)
    >>> rational("1 / 3")
    1/3
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
    if isinstance(value, Decimal):
        return _from_text(str(value))
    if isinstance(value, numbers.Rational):
        if hasattr(value.numerator, "__index__"):  # of fractions and integers, but not of NumPy's spans of time
            return fmpq(int(value.numerator), int(value.denominator))
    elif isinstance(value, numbers.Real):  # floats, NumPy's of every size among them
        raise NumberError(_float_advice(value))
    raise NumberError(f"{shown(value)} is not an exact number: write an integer, or text such as '321/100' or '3.21'")


def rationals(values: Iterable[object]) -> tuple[fmpq, ...]:
    """Return each of `values` as an exact rational.

    Examples
    --------
    >>> rationals([1, "1/2"])
    (1, 1/2)
    """
    given = tuple(values)
    if {*map(type, given)} <= {fmpq}:
        return given  # type: ignore[return-value]  # as was looked at
    return tuple(map(rational, given))


def fraction(value: Exact) -> Fraction:
    """Return an exact number as a `fractions.Fraction`, for libraries without python-flint (such as mpmath).

    Examples
    --------
    >>> fraction(fmpq(321, 100))
    Fraction(321, 100)
    """
    exact = rational(value)
    return Fraction(int(exact.p), int(exact.q))


def nearest_float(value: Exact) -> float:
    """Return the float nearest to an exact number, for figures and for floating-point computations.

    Examples
    --------
    >>> nearest_float("1/3")
    0.3333333333333333
    """
    exact = rational(value)
    try:
        return int(exact.p) / int(exact.q)  # the quotient of two integers is correctly rounded
    except OverflowError:
        raise NumberError(f"{decimal_text(exact, 3)} is beyond the range of floating-point numbers") from None


def value_of_float(number: float) -> fmpq:
    """Return the exact value of a finite float, all of its bits, for comparisons of floats with exact answers.

    `theory.rounding` instead returns the number that a float was meant to be.

    Raise `OverflowError` or `ValueError` for infinities and NaN.

    Examples
    --------
    >>> value_of_float(0.375), value_of_float(0.1) == rational("0.1")
    (3/8, False)
    """
    p, q = number.as_integer_ratio()
    return fmpq(p, q)


def simplest_between(low: fmpq, high: fmpq, *, with_ends: bool = False) -> fmpq:
    """Return the rational of smallest denominator, then numerator, between ``0 <= low < high``, or `with_ends` from to.

    Examples
    --------
    >>> simplest_between(fmpq(3, 10), fmpq(1, 3)), simplest_between(fmpq(3, 10), fmpq(1, 3), with_ends=True)
    (4/13, 1/3)
    """
    whole = low.ceil() if with_ends else low.floor() + 1
    if whole < high or (with_ends and whole == high):
        return fmpq(whole)
    below = low.floor()  # the interval lies in [below, below + 1]: invert its fractional part
    left = 1 / (high - below)
    inner = fmpq(left.floor() + 1) if low == below else simplest_between(left, 1 / (low - below), with_ends=with_ends)
    return below + 1 / inner


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


def decimal_text(value: Exact, digits: int = 10) -> str:
    """Return `value` as readable text, correctly rounded to `digits` significant digits (half to even).

    An exact decimal has no trailing zeros; a rounded number keeps them, which tells the two apart.

    Raise `NumberError` for a value that is not exact, or fewer than one digit.

    Examples
    --------
    >>> decimal_text("321/50"), decimal_text("-41117/6900"), decimal_text("1/10000000")
    ('6.42', '-5.958985507', '1e-7')
    >>> decimal_text("0.500000000000000001")
    '0.5000000000'
    >>> decimal_text(fmpq(2) ** 2976221), decimal_text(fmpq(2) ** -2976221)  # a Mersenne prime and 1
    ('6.233400762e895931', '1.604260721e-895932')
    """
    if digits < 1:
        raise NumberError(f"digits: {digits} is too few; give at least 1")
    exact = rational(value)
    if exact == 0:
        return "0"
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX)
    # two spare digits, and one that records whether anything was cut off, so that rounding sees the exact value
    shift = digits + 2 - (exact.p.bit_length() - exact.q.bit_length()) * 30103 // 100000
    scaled = divmod(exact.p * fmpz(10) ** max(shift, 0), exact.q * fmpz(10) ** max(-shift, 0))
    longer = int(10 * scaled[0] + (scaled[1] != 0))
    rounded = context.create_decimal(longer)
    if rounded == longer:
        rounded = rounded.normalize(context)
    rounded = rounded.scaleb(-shift - 1, context)
    text = f"{rounded:f}" if -5 <= rounded.adjusted() < digits + 5 else f"{rounded:e}"
    return text.replace("e+", "e")


def decimal_texts(values: Sequence[fmpq], digits: int = 10) -> list[str]:
    """Return each of `values` as `decimal_text`, with enough digits to tell different values apart."""
    texts = {value: decimal_text(value, digits) for value in set(values)}
    while shared := _ambiguous_values(texts):
        digits *= 2  # equivalent: any growth tells them apart in the end
        texts |= {value: decimal_text(value, digits) for value in shared}
    return [texts[value] for value in values]


def _ambiguous_values(texts: dict[fmpq, str]) -> list[fmpq]:
    """Return the values whose text, read as a number, is also the text of another value."""
    holders: dict[Decimal, list[fmpq]] = {}
    for value, text in texts.items():
        holders.setdefault(Decimal(text), []).append(value)
    return [value for members in holders.values() if len(members) > 1 for value in members]


def _from_text(text: str) -> fmpq:
    stripped = text.strip()
    if match := _QUOTIENT.fullmatch(stripped):
        numerator, denominator = match.groups()
        q = fmpz(denominator) if denominator else fmpz(1)
        if q == 0:
            raise NumberError(f"{shown(str(text))} has denominator 0")
        return fmpq(fmpz(numerator.removeprefix("+")), q)  # FLINT does not read a plus sign
    match = _DECIMAL.fullmatch(stripped)
    if match is None or not (match[2] or match[3]):
        hint = "; a decimal has a point, not a comma" if "," in stripped else ""
        if _GROUPED.fullmatch(stripped):
            hint = "; leave out the commas, which separate thousands"
        if stripped.startswith("[") or "+-" in stripped or "\N{PLUS-MINUS SIGN}" in stripped:
            hint = "; an interval in a model file is written 0.6 +/- 0.1"
        if "+/-" in stripped:
            hint = "; intervals are for python -m theory indices, value and optimism alone"
        raise NumberError(
            f"{shown(str(text))} is not a number: write an integer, a fraction such as 321/100, or a decimal{hint}"
        )
    sign, whole, digits, size = match[1], match[2], match[3] or "", match[5] or "0"
    if len(size) > len(str(_LARGEST_EXPONENT)) or int(size) > _LARGEST_EXPONENT:  # `int` refuses very long text
        raise NumberError(f"{shown(str(text))} has an exponent beyond {_LARGEST_EXPONENT}, above 0 or below")
    exponent = -int(size) if match[4] == "-" else int(size)
    value = fmpq(fmpz(f"{whole}{digits}")) * fmpq(10) ** (exponent - len(digits))
    return -value if sign == "-" else value


def _float_advice(value: numbers.Real) -> str:
    text = str(value)  # the shortest decimal that gives this float; NumPy's repr has the type's name around it
    if not math.isfinite(value):
        return f"{text} is not a number of the model"
    exact = Fraction(text)
    return (
        f"{text} is a float, which is not exact: "
        f'write Fraction({exact.numerator}, {exact.denominator}), "{exact}" or "{text}"'
    )
