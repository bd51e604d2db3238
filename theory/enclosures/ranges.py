"""The range of an operation over enclosures of its operands, rounded outwards: never too small, exact where it can be.

Sums, products and quotients are exact arithmetic on the ends. Exponentials, logarithms and roots, which are monotone,
are FLINT's balls at each end, widened so that more bits only make the result smaller.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import flint
from flint import arb, fmpq, fmpz

from theory.enclosures.enclosure import Enclosure
from theory.errors import NumberError
from theory.rationals import ONE, ZERO

LARGEST_EXPONENT: Final = 10_000
"""Exponent e of the numbers allowed: 0, and absolute values from 10^-e to 10^e."""

FUNCTIONS: Final = ("exp", "log", "sqrt")

BITS_TRIED: Final = (64, 256, 1024, 4096)
"""Numbers of bits to try, one after another, until an enclosure decides the question."""

_LONGEST_EXACT: Final = 2**17  # bits up to which a rational number is kept exactly
_SHORT: Final = 3 * LARGEST_EXPONENT  # bits with which no number is too large or too small: 2^3 < 10
_GUARD_BITS: Final = 24
_LARGEST: Final = fmpq(10) ** LARGEST_EXPONENT
_SMALLEST: Final = fmpq(10) ** -LARGEST_EXPONENT
_BEYOND: Final = f"10^{LARGEST_EXPONENT} or its inverse"


class UndecidedError(NumberError):
    """An operand's enclosure leaves the domain of the operation; with more bits it may not."""


def operation_range(sign: str, left: Enclosure, right: Enclosure) -> Enclosure:
    """Return the range of a sum, difference, product or quotient, or of ``left +/- right``."""
    match sign:
        case "+":
            return Enclosure(left.low + right.low, left.high + right.high)
        case "-":
            return Enclosure(left.low - right.high, left.high - right.low)
        case "*":
            return product(left, right)
        case "/":
            return quotient(left, right)
    if right.low < 0:
        raise NumberError("what follows +/- may be negative")
    return Enclosure(left.low - right.high, left.high + right.high)


def product(left: Enclosure, right: Enclosure) -> Enclosure:
    """Return the range of the product."""
    if left.is_exact and right.is_exact:
        return Enclosure.point(left.low * right.low)
    ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return Enclosure(min(ends), max(ends))


def square(base: Enclosure) -> Enclosure:
    """Return the range of the square, which is narrower than that of a product of two independent numbers."""
    if base.is_exact:
        return Enclosure.point(base.low * base.low)
    least = ZERO if base.contains(ZERO) else min(abs(base.low), abs(base.high)) ** 2
    return Enclosure(least, base.magnitude**2)


def quotient(left: Enclosure, right: Enclosure) -> Enclosure:
    """Return the range of the quotient."""
    if right.is_exact and right.low == 0:
        raise NumberError("division by 0")
    if right.contains(ZERO):
        raise UndecidedError("division by a number that may be 0")
    return product(left, Enclosure(1 / right.high, 1 / right.low))


@lru_cache(maxsize=2**12)
def function_range(name: str, argument: Enclosure, bits: int) -> Enclosure:
    """Return the range of a function over an enclosure, rounded outwards."""
    _check_domain(name, argument)
    return rounded(Enclosure(_at(name, argument.low, bits).low, _at(name, argument.high, bits).high), bits)


def _check_domain(name: str, argument: Enclosure) -> None:
    match name:
        case "log" if argument.high <= 0:
            raise NumberError(f"the logarithm of {_shown(argument)}, which is not positive")
        case "log" if argument.low <= 0:
            raise UndecidedError("the logarithm of a number that may be 0 or less")
        case "sqrt" if argument.high < 0:
            raise NumberError(f"the square root of {_shown(argument)}, which is negative")
        case "sqrt" if argument.low < 0:
            raise UndecidedError("the square root of a number that may be negative")
        case "exp" if argument.high > 3 * LARGEST_EXPONENT or argument.low < -3 * LARGEST_EXPONENT:
            # exp(3) > 10: said before it is computed, for it may be beyond any memory
            raise NumberError(f"exp({_shown(argument)}) is beyond {_BEYOND}")


def _at(name: str, point: fmpq, bits: int) -> Enclosure:
    """Return an enclosure of a function at an exact point; exact where the value is rational."""
    match name:
        case "exp" if point == 0:
            return Enclosure.point(ONE)
        case "log" if point == 1:
            return Enclosure.point(ZERO)
        case "sqrt" if _is_square(point.p) and _is_square(point.q):
            return Enclosure.point(fmpq(point.p.isqrt(), point.q.isqrt()))

    def value() -> arb:
        found: arb = getattr(arb(point), name)()  # the point too is rounded at the precision in force
        return found

    return of_ball(value, bits)


def _is_square(value: fmpz) -> bool:
    return bool(value.isqrt() ** 2 == value)


def of_ball(compute: Callable[[], arb], bits: int) -> Enclosure:
    """Return an enclosure that more bits only make smaller.

    The ball is widened by a unit in the last of `bits` + 8 bits, which exceeds the radius of any ball with more bits.
    """
    precision = bits + _GUARD_BITS
    while True:
        with flint.ctx.workprec(precision):
            found = Enclosure.of_ball(compute())
        # near a zero of the logarithm the argument may need more bits than the value
        if found.magnitude == 0 or found.width * (fmpz(1) << (bits + 16)) < found.magnitude:
            break
        precision *= 2
    unit = found.magnitude / fmpq(fmpz(1) << (bits + 8))
    return Enclosure(found.low - unit, found.high + unit)


def rounded(found: Enclosure, bits: int, is_rational: bool = False) -> Enclosure:
    """Round inexact or overlong ends outwards; refuse ends that are too large or too small."""
    longest = max(part.bit_length() for end in (found.low, found.high) for part in (end.p, end.q))
    if longest > _SHORT:
        if found.magnitude > _LARGEST or (found.magnitude < _SMALLEST and not found.contains(ZERO)):
            raise NumberError(f"it is beyond {_BEYOND}")
        found = Enclosure(_not_too_small(found.low), -_not_too_small(-found.high))
        longest = max(part.bit_length() for end in (found.low, found.high) for part in (end.p, end.q))
    if (found.is_exact or is_rational) and longest <= _LONGEST_EXACT:
        return found
    return found.rounded(bits)


def _not_too_small(low: fmpq) -> fmpq:
    """Return a lower end, rounded down if it is nearer to 0 than numbers may be, so that its length is bounded."""
    if low == 0 or abs(low) >= _SMALLEST:
        return low
    return ZERO if low > 0 else -_SMALLEST


def _shown(number: Enclosure) -> str:
    low, high = number.decimals(3)
    return low if low == high else f"{low}..."
