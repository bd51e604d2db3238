"""Numbers as expressions: what a model's number is, kept so that it can be enclosed with any number of bits.

An expression is a tree. Its enclosure is computed from those of its parts: sums, products and quotients by exact
arithmetic on the ends, exponentials, logarithms and roots, which are monotone, by FLINT's balls at each end; and every
end is rounded outwards. Rational expressions stay exact. More bits never give a wider enclosure.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from operator import add, mul, sub, truediv
from typing import TYPE_CHECKING, Any, Final

import flint
from flint import arb, fmpq, fmpz

from theory.enclosures.enclosure import Enclosure, hull, power_of_ten
from theory.errors import NumberError
from theory.rationals import ONE, ZERO, fraction

if TYPE_CHECKING:
    from mpmath.ctx_mp import MPContext  # type: ignore[import-untyped]  # it ships no types

LARGEST_EXPONENT: Final = 10_000
"""Numbers are between 10 to the minus this and 10 to this in absolute value, or 0."""

_LONGEST_EXACT: Final = 2**17  # bits up to which a rational number is kept exactly
_GUARD_BITS: Final = 24
_LARGEST: Final = power_of_ten(LARGEST_EXPONENT)
_SMALLEST: Final = power_of_ten(-LARGEST_EXPONENT)
_BEYOND: Final = f"10^{LARGEST_EXPONENT} or its inverse"


class UndecidedError(NumberError):
    """An operation whose domain the enclosure of its operand leaves; with more bits it may not."""


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
        found = _RANGES[self.sign](self.left.enclosure(bits), self.right.enclosure(bits))
        return _rounded(found, bits, self.has_rational_ends)

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
            base = _quotient(Enclosure.point(ONE), base)
        found = Enclosure.point(ONE)
        for digit in bin(abs(self.exponent))[2:]:  # by squaring, so that no number grows beyond bound
            found = _rounded(_square(found), bits, self.has_rational_ends)
            if digit == "1":
                found = _rounded(_product(found, base), bits, self.has_rational_ends)
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
        argument = self.argument.enclosure(bits)
        _check_domain(self.name, argument)
        found = Enclosure(
            _at(self.name, argument.low, bits).low,
            _at(self.name, argument.high, bits).high,
        )
        return _rounded(found, bits)

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
        return _of_ball(arb.pi, bits)

    def approximation(self, context: MPContext) -> Any:
        """Return the context's pi."""
        return +context.pi

    @property
    def has_rational_ends(self) -> bool:
        """Never."""
        return False


FUNCTIONS: Final = ("exp", "log", "sqrt")


def _sum(left: Enclosure, right: Enclosure) -> Enclosure:
    return Enclosure(left.low + right.low, left.high + right.high)


def _difference(left: Enclosure, right: Enclosure) -> Enclosure:
    return Enclosure(left.low - right.high, left.high - right.low)


def _product(left: Enclosure, right: Enclosure) -> Enclosure:
    return hull(Enclosure.point(a * b) for a in (left.low, left.high) for b in (right.low, right.high))


def _square(base: Enclosure) -> Enclosure:
    least = ZERO if base.contains(ZERO) else min(abs(base.low), abs(base.high)) ** 2
    return Enclosure(least, base.magnitude**2)


def _quotient(left: Enclosure, right: Enclosure) -> Enclosure:
    if right.is_exact and right.low == 0:
        raise NumberError("division by 0")
    if right.contains(ZERO):
        raise UndecidedError("division by a number that may be 0")
    return _product(left, Enclosure(1 / right.high, 1 / right.low))


def _plus_minus(middle: Enclosure, error: Enclosure) -> Enclosure:
    if error.low < 0:
        raise NumberError("what follows +/- may be negative")
    return Enclosure(middle.low - error.high, middle.high + error.high)


_ARITHMETIC: Final = {"+": add, "-": sub, "*": mul, "/": truediv}

_RANGES: Final[dict[str, Callable[[Enclosure, Enclosure], Enclosure]]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "/": _quotient,
    "+/-": _plus_minus,
}


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

    return _of_ball(value, bits)


def _is_square(value: fmpz) -> bool:
    return bool(value.isqrt() ** 2 == value)


def _of_ball(compute: Callable[[], arb], bits: int) -> Enclosure:
    """Return an enclosure that more bits only make smaller.

    The ball is widened by a unit in the last of `bits` + 8 bits, which is more than any later ball's radius.
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


def _rounded(found: Enclosure, bits: int, has_rational_ends: bool = False) -> Enclosure:
    """Round outwards what is neither exact nor computed exactly, or too long; refuse what is too large or too small."""
    if found.magnitude > _LARGEST or (found.magnitude < _SMALLEST and not found.contains(ZERO)):
        raise NumberError(f"it is beyond {_BEYOND}")
    longest = max(part.bit_length() for end in (found.low, found.high) for part in (end.p, end.q))
    if (found.is_exact or has_rational_ends) and longest <= _LONGEST_EXACT:
        return found
    return found.rounded(bits)


def _shown(number: Enclosure) -> str:
    low, high = number.decimals(3)
    return low if low == high else f"{low}..."
