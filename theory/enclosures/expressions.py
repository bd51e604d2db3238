"""Numbers as expressions, which can be enclosed at any precision.

An expression is a tree, whose enclosure is computed from those of its parts: sums, products and quotients by exact
arithmetic on the ends; exponentials, logarithms and roots, which are monotone, by FLINT's balls at each end. Every end
is rounded outwards; rational expressions stay exact. More bits never give a wider enclosure.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

from flint import arb, fmpq

from theory.enclosures.enclosure import Enclosure
from theory.enclosures.ranges import RANGES, function_range, of_ball, product, quotient, rounded, square
from theory.rationals import ONE


class Evaluated(NamedTuple):
    """An enclosure, and whether its ends are exact results of rational arithmetic.

    A result of rounded numbers is rounded itself: otherwise a number could grow longer with every operation.
    """

    range: Enclosure
    is_rational: bool


class Expression(ABC):
    """A real number that can be enclosed with any number of bits."""

    def enclosure(self, bits: int) -> Enclosure:
        """Return an enclosure; every operation rounds its ends outwards to at least `bits` significant bits."""
        return self.evaluated(bits).range

    @abstractmethod
    def evaluated(self, bits: int) -> Evaluated:
        """Return the enclosure, and whether its ends were rounded."""

    @property
    def is_fixed(self) -> bool:
        """Whether the enclosure stays wide, however many bits are asked for: a part is known up to an interval only."""
        return any(part.is_fixed for part in vars(self).values() if isinstance(part, Expression))


@dataclass(frozen=True)
class Rational(Expression):
    """An exact rational number."""

    value: fmpq

    def evaluated(self, bits: int) -> Evaluated:
        """Return the number itself."""
        return Evaluated(Enclosure.point(self.value), True)


@dataclass(frozen=True)
class Enclosed(Expression):
    """A number known only up to an enclosure."""

    known: Enclosure

    def evaluated(self, bits: int) -> Evaluated:
        """Return the known enclosure, whatever `bits` is."""
        return Evaluated(self.known, True)

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

    def evaluated(self, bits: int) -> Evaluated:
        """Return the range of the operation over the enclosures of its operands, rounded outwards."""
        left, right = self.left.evaluated(bits), self.right.evaluated(bits)
        found = RANGES[self.sign](left.range, right.range)
        return _rounded(found, bits, left.is_rational and right.is_rational)

    @property
    def is_fixed(self) -> bool:
        """Whether an operand is fixed, or the operation is ``+/-``."""
        return self.sign == "+/-" or super().is_fixed


@dataclass(frozen=True)
class Power(Expression):
    """An integer power."""

    base: Expression
    exponent: int

    def evaluated(self, bits: int) -> Evaluated:
        """Return the range of the power over the enclosure of the base, rounded outwards."""
        base, is_rational = self.base.evaluated(bits)
        if self.exponent < 0:
            base = quotient(Enclosure.point(ONE), base)
        found = Evaluated(Enclosure.point(ONE), is_rational)
        for digit in bin(abs(self.exponent))[2:]:  # repeated squaring, with rounding in between, keeps numbers short
            found = _rounded(square(found.range), bits, found.is_rational)
            if digit == "1":
                if is_rational and not found.is_rational:
                    base, is_rational = base.rounded(bits), False
                found = _rounded(product(found.range, base), bits, found.is_rational)
        return found


@dataclass(frozen=True)
class Function(Expression):
    """An exponential, a logarithm or a square root."""

    name: str
    argument: Expression

    def evaluated(self, bits: int) -> Evaluated:
        """Return the range of the function over the enclosure of its argument, rounded outwards."""
        return Evaluated(function_range(self.name, self.argument.enclosure(bits), bits), False)


@dataclass(frozen=True)
class Pi(Expression):
    """The number pi."""

    def evaluated(self, bits: int) -> Evaluated:
        """Return an enclosure of `bits` bits."""
        return Evaluated(of_ball(arb.pi, bits), False)


def _rounded(found: Enclosure, bits: int, is_rational: bool) -> Evaluated:
    kept = rounded(found, bits, is_rational)
    return Evaluated(kept, is_rational and kept == found)
