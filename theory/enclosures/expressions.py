"""Numbers as expressions, which can be enclosed at any precision.

An expression is a tree, whose enclosure is computed from those of its parts: sums, products and quotients by exact
arithmetic on the ends; exponentials, logarithms and roots, which are monotone, by FLINT's balls at each end. Every end
is rounded outwards; rational expressions stay exact. More bits never give a wider enclosure.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from flint import arb, fmpq

from theory.enclosures.enclosure import Enclosure
from theory.enclosures.ranges import (
    BITS_TRIED,
    UndecidedError,
    function_range,
    of_ball,
    operation_range,
    product,
    quotient,
    rounded,
    square,
)
from theory.rationals import ONE


class Evaluated(NamedTuple):
    """An enclosure, and whether its ends are exact results of rational arithmetic.

    A result of rounded numbers is rounded itself: otherwise a number could grow longer with every operation.
    """

    range: Enclosure
    is_rational: bool


class Expression:
    """A real number that can be enclosed with any number of bits."""

    def enclosure(self, bits: int) -> Enclosure:
        """Return an enclosure; every operation rounds its ends outwards to at least `bits` significant bits."""
        return _evaluated(self, bits).range

    @property
    def is_fixed(self) -> bool:
        """Whether the enclosure stays wide, however many bits are asked for: a part is known up to an interval only."""
        return any(part.is_fixed for part in vars(self).values() if isinstance(part, Expression))


@dataclass(frozen=True)
class Rational(Expression):
    """An exact rational number."""

    value: fmpq


@dataclass(frozen=True)
class Enclosed(Expression):
    """A number known only up to an enclosure."""

    known: Enclosure

    @property
    def is_fixed(self) -> bool:
        """Whether the ends differ."""
        return not self.known.is_exact


@dataclass(frozen=True)
class Operation(Expression):
    """A sum, difference, product, quotient, or ``a +/- b``."""

    sign: str
    left: Expression
    right: Expression

    @property
    def is_fixed(self) -> bool:
        """Whether an operand is fixed, or the operation is ``+/-``."""
        return self.sign == "+/-" or super().is_fixed


@dataclass(frozen=True)
class Power(Expression):
    """An integer power."""

    base: Expression
    exponent: int


@dataclass(frozen=True)
class Function(Expression):
    """An exponential, a logarithm or a square root."""

    name: str
    argument: Expression


@dataclass(frozen=True)
class Pi(Expression):
    """The number pi."""


def _evaluated(number: Expression, bits: int) -> Evaluated:
    """Return the range of the last operation over the enclosures of its operands, rounded outwards."""
    match number:
        case Rational(value):
            return Evaluated(Enclosure.point(value), True)
        case Enclosed(known):
            return Evaluated(known, True)
        case Operation(sign, left, right):
            one, other = _evaluated(left, bits), _evaluated(right, bits)
            return _rounded(operation_range(sign, one.range, other.range), bits, one.is_rational and other.is_rational)
        case Power(base, exponent):
            return _power(*_evaluated(base, bits), exponent, bits)
        case Function(name, argument):
            return Evaluated(function_range(name, argument.enclosure(bits), bits), False)
    return Evaluated(of_ball(arb.pi, bits), False)


def _power(base: Enclosure, is_rational: bool, exponent: int, bits: int) -> Evaluated:
    if exponent < 0:
        base = quotient(Enclosure.point(ONE), base)
    found = Evaluated(Enclosure.point(ONE), is_rational)
    for digit in bin(abs(exponent))[2:]:  # repeated squaring, with rounding in between, keeps numbers short
        found = _rounded(square(found.range), bits, found.is_rational)
        if digit == "1":
            if is_rational and not found.is_rational:
                base, is_rational = base.rounded(bits), False
            found = _rounded(product(found.range, base), bits, found.is_rational)
    return found


def _rounded(found: Enclosure, bits: int, is_rational: bool) -> Evaluated:
    kept = rounded(found, bits, is_rational)
    return Evaluated(kept, is_rational and kept == found)


def enclose(number: Expression, bits: int) -> Enclosure:
    """Return the enclosure of `number` with `bits` bits, or with as many more as its operations need, and keep it.

    It raises `UndecidedError` if the operations need more bits than are tried.
    """
    known: dict[int, Enclosure] = number.__dict__.setdefault("_known", {})  # by the bits asked for
    if bits not in known:
        if "_least_bits" not in number.__dict__:
            enough = filter(partial(_suffice, number), BITS_TRIED[:-1])
            number.__dict__["_least_bits"] = next(enough, BITS_TRIED[-1])
        known[bits] = number.enclosure(max(bits, number.__dict__["_least_bits"]))
    return known[bits]


def _suffice(number: Expression, bits: int) -> bool:
    try:
        number.enclosure(bits)
    except UndecidedError:
        return False
    return True
