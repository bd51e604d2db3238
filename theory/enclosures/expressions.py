"""Numbers as expressions: what a model's number is, kept so that it can be enclosed with any number of bits.

An expression is a tree. Its enclosure is computed from those of its parts: sums, products and quotients by exact
arithmetic on the ends, exponentials, logarithms and roots, which are monotone, by FLINT's balls at each end; and every
end is rounded outwards. Rational expressions stay exact. More bits never give a wider enclosure.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from operator import add, mul, sub, truediv
from typing import TYPE_CHECKING, Any, Final

from flint import arb, fmpq

from theory.enclosures.enclosure import Enclosure
from theory.enclosures.ranges import RANGES, function_range, of_ball, product, quotient, rounded, square
from theory.rationals import ONE, fraction

if TYPE_CHECKING:
    from mpmath.ctx_mp import MPContext  # type: ignore[import-untyped]  # it ships no types

_ARITHMETIC: Final = {"+": add, "-": sub, "*": mul, "/": truediv}


class Expression(ABC):
    """A real number that can be enclosed with any number of bits."""

    @abstractmethod
    def enclosure(self, bits: int) -> Enclosure:
        """Return an enclosure, its ends rounded outwards to at least `bits` significant bits in every operation.

        Raises
        ------
        NumberError
            For an operation without a real value, or a value beyond ``10**10000``.
        UndecidedError
            Where the bits do not suffice to tell.
        """

    @abstractmethod
    def approximation(self, context: MPContext) -> Any:
        """Return the number as mpmath computes it, in the precision of `context` and without a guarantee."""

    @property
    def is_fixed(self) -> bool:
        """Whether the enclosure stays wide, however many bits are asked for."""
        return False

    @property
    def has_rational_ends(self) -> bool:
        """Whether the ends of the enclosure are computed by rational arithmetic alone, and so need no rounding."""
        return True


@dataclass(frozen=True)
class Rational(Expression):
    """An exact rational number."""

    value: fmpq

    def enclosure(self, bits: int) -> Enclosure:
        """Return the number itself."""
        return Enclosure.point(self.value)

    def approximation(self, context: MPContext) -> Any:
        """Return the nearest number of the context."""
        exact = fraction(self.value)
        return context.mpf(exact.numerator) / exact.denominator


@dataclass(frozen=True)
class Enclosed(Expression):
    """A number of which no more is known than an enclosure."""

    known: Enclosure

    def enclosure(self, bits: int) -> Enclosure:
        """Return what is known, whatever `bits` is."""
        return self.known

    def approximation(self, context: MPContext) -> Any:
        """Return the middle of the enclosure."""
        return Rational((self.known.low + self.known.high) / 2).approximation(context)

    @property
    def is_fixed(self) -> bool:
        """Always, unless the enclosure is a point."""
        return not self.known.is_exact


@dataclass(frozen=True)
class Operation(Expression):
    """A sum, difference, product, quotient, or ``a +/- b``."""

    sign: str
    left: Expression
    right: Expression

    def enclosure(self, bits: int) -> Enclosure:
        """Return the range of the operation over the enclosures of its operands, rounded outwards."""
        found = RANGES[self.sign](self.left.enclosure(bits), self.right.enclosure(bits))
        return rounded(found, bits, self.has_rational_ends)

    def approximation(self, context: MPContext) -> Any:
        """Return the operation in the arithmetic of the context; ``a +/- b`` is a."""
        left = self.left.approximation(context)
        if self.sign == "+/-":
            return left
        right = self.right.approximation(context)
        return _ARITHMETIC[self.sign](left, right)

    @property
    def is_fixed(self) -> bool:
        """Whether either operand is, or the operation is ``+/-``."""
        return self.sign == "+/-" or self.left.is_fixed or self.right.is_fixed

    @property
    def has_rational_ends(self) -> bool:
        """Whether both operands have."""
        return self.left.has_rational_ends and self.right.has_rational_ends


@dataclass(frozen=True)
class Power(Expression):
    """An integer power."""

    base: Expression
    exponent: int

    def enclosure(self, bits: int) -> Enclosure:
        """Return the range of the power over the enclosure of the base, rounded outwards."""
        base = self.base.enclosure(bits)
        if self.exponent < 0:
            base = quotient(Enclosure.point(ONE), base)
        found = Enclosure.point(ONE)
        exactly = self.has_rational_ends
        for digit in bin(abs(self.exponent))[2:]:  # by squaring, so that no number grows beyond bound
            for times_base in (False, True)[: 1 + int(digit)]:
                power = product(found, base) if times_base else square(found)
                found = rounded(power, bits, exactly)
                if found != power:  # once it is too long to be exact, so is all that follows
                    exactly, base = False, base.rounded(bits)
        return found

    def approximation(self, context: MPContext) -> Any:
        """Return the power in the arithmetic of the context."""
        return self.base.approximation(context) ** self.exponent

    @property
    def is_fixed(self) -> bool:
        """Whether the base is."""
        return self.base.is_fixed

    @property
    def has_rational_ends(self) -> bool:
        """Whether the base has."""
        return self.base.has_rational_ends


@dataclass(frozen=True)
class Function(Expression):
    """An exponential, a logarithm or a square root."""

    name: str
    argument: Expression

    def enclosure(self, bits: int) -> Enclosure:
        """Return the range of the function over the enclosure of its argument, rounded outwards."""
        return function_range(self.name, self.argument.enclosure(bits), bits)

    def approximation(self, context: MPContext) -> Any:
        """Return the function's value as the context computes it."""
        return getattr(context, self.name)(self.argument.approximation(context))

    @property
    def is_fixed(self) -> bool:
        """Whether the argument is."""
        return self.argument.is_fixed

    @property
    def has_rational_ends(self) -> bool:
        """Never."""
        return False


@dataclass(frozen=True)
class Pi(Expression):
    """The number pi."""

    def enclosure(self, bits: int) -> Enclosure:
        """Return an enclosure of `bits` bits."""
        return of_ball(arb.pi, bits)

    def approximation(self, context: MPContext) -> Any:
        """Return the context's pi."""
        return +context.pi

    @property
    def has_rational_ends(self) -> bool:
        """Never."""
        return False
