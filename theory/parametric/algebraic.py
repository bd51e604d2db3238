r"""Real algebraic numbers in [0, 1]: a minimal polynomial, and an interval that holds no other of its roots.

FLINT isolates roots with certified balls, and bisection with exact signs narrows an interval. Comparisons are exact:
numbers are equal if they are the same root of the same polynomial; otherwise their intervals separate as they are
narrowed.
"""

from __future__ import annotations

from functools import lru_cache, total_ordering
from itertools import pairwise
from typing import Any

from flint import fmpq, fmpz, fmpz_poly

from theory.rationals import ONE, ZERO, decimal_text, simplest_between


@total_ordering
class AlgebraicNumber:
    """A root of an irreducible polynomial.

    Parameters
    ----------
    polynomial
        Irreducible over the integers, primitive, with positive leading coefficient.
    low, high
        Ends of an interval whose only root of the polynomial is the number; equal exactly if the number is rational.
        Both may be narrowed later.
    alone_between
        A larger open interval that holds no other root either.
    """

    def __init__(self, polynomial: Any, low: fmpq, high: fmpq, alone_between: tuple[fmpq, fmpq] = (ZERO, ONE)) -> None:
        self.polynomial, self.low, self.high = polynomial, low, high
        self._alone_between = alone_between

    @classmethod
    def from_rational(cls, value: fmpq) -> AlgebraicNumber:
        """Return a rational number as an algebraic one.

        Examples
        --------
        >>> AlgebraicNumber.from_rational(fmpq(1, 2))
        AlgebraicNumber([-1, 2], 1/2, 1/2)
        """
        return cls(fmpz_poly([-value.p, value.q]), value, value)

    is_decided = True
    """Whether the ends enclose exactly one root for certain."""

    @property
    def is_rational(self) -> bool:
        """Whether the number is rational, so that its ends are equal."""
        return bool(self.low == self.high)

    def narrow(self) -> None:
        """Halve the isolating interval."""
        if self.is_rational:
            return
        middle = (self.low + self.high) / 2
        # an irreducible polynomial of degree 2 or more has no rational root, and only this one between the ends
        if (value_at(self.polynomial, middle) > 0) == (value_at(self.polynomial, self.high) > 0):
            self.high = middle
        else:
            self.low = middle

    def decimal_interval(self, digits: int) -> tuple[fmpq, fmpq]:
        """Return an isolating interval with neighbouring decimals as ends, or the number itself where it is rational.

        It has `digits` decimals, or more if these do not isolate the root.

        Examples
        --------
        >>> (root,) = roots_between_0_and_1(fmpz_poly([-1, 0, 2]))
        >>> root.decimal_interval(4)
        (7071/10000, 442/625)
        """
        if self.is_rational:
            return self.low, self.high
        left, right = self._alone_between
        while True:
            scale = fmpz(10) ** digits
            while (self.low * scale).floor() != (self.high * scale).floor():
                self.narrow()
            below = (self.low * scale).floor()
            low, high = fmpq(below, scale), fmpq(below + 1, scale)
            if left < low and high < right:
                return low, high
            digits += 1

    def decimal(self, digits: int = 10) -> str:
        """Return the number correctly rounded to `digits` significant digits.

        Examples
        --------
        >>> (root,) = roots_between_0_and_1(fmpz_poly([-1, 0, 2]))
        >>> root.decimal()
        '0.7071067812'
        """
        while decimal_text(self.low, digits) != decimal_text(self.high, digits):
            self.narrow()
        return decimal_text(self.low, digits)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AlgebraicNumber):
            return NotImplemented
        # intervals of one polynomial come from one isolation: they are disjoint, or around the same root
        return bool(self.polynomial == other.polynomial and self.low <= other.high and other.low <= self.high)

    def __lt__(self, other: AlgebraicNumber) -> bool:
        if self == other:
            return False
        while self.low <= other.high and other.low <= self.high:
            self.narrow()
            other.narrow()
        return bool(self.high < other.low)

    def __hash__(self) -> int:
        return hash(tuple(int(each) for each in self.polynomial.coeffs()))

    def __repr__(self) -> str:
        return f"AlgebraicNumber({self.polynomial.coeffs()}, {self.low}, {self.high})"


def value_at(polynomial: fmpz_poly, point: fmpq) -> fmpq:
    """Return the exact value of an integer polynomial at a rational point.

    Examples
    --------
    >>> value_at(fmpz_poly([1, 0, -2]), fmpq(1, 2))
    1/2
    """
    # multiply by a power of the denominator, so that all of the arithmetic is on integers
    p, q = point.p, point.q
    total, power = fmpz(0), fmpz(1)
    for coefficient in reversed(polynomial.coeffs()):
        total = total * p + coefficient * power
        power *= q
    return fmpq(total, q ** max(polynomial.degree(), 0))


def roots_between_0_and_1(polynomial: fmpz_poly) -> tuple[AlgebraicNumber, ...]:
    """Return the roots of a non-zero integer polynomial in the open interval (0, 1), increasing, each once."""
    return _roots(tuple(int(each) for each in polynomial.coeffs()))


@lru_cache(maxsize=4096)
def _roots(coefficients: tuple[int, ...]) -> tuple[AlgebraicNumber, ...]:
    found: list[AlgebraicNumber] = []
    if _may_have_a_root(fmpz_poly(list(coefficients))):
        for factor, _ in fmpz_poly(list(coefficients)).factor()[1]:  # primitive, of positive leading coefficients
            found += _roots_of_irreducible(factor)
    return tuple(sorted(found))


def _may_have_a_root(polynomial: fmpz_poly) -> bool:
    """Return False only where Descartes' rule, applied to p(1/(1+x)), excludes a root in (0, 1)."""
    mapped = fmpz_poly(polynomial.coeffs()[::-1])(fmpz_poly([1, 1]))
    signs = [each > 0 for each in mapped.coeffs() if each != 0]
    return any(one != other for one, other in pairwise(signs))


def _roots_of_irreducible(polynomial: fmpz_poly) -> list[AlgebraicNumber]:
    if polynomial.degree() == 1:
        root = fmpq(-polynomial[0], polynomial[1])
        return [AlgebraicNumber.from_rational(root)] if 0 < root < 1 else []
    # certified: the balls are disjoint, and the imaginary part of a real root is exactly 0
    found = polynomial.complex_roots()
    real = [root.real for root, _ in found if root.imag == 0]  # type: ignore[misc, has-type]  # pairs, by its docstring
    # middle and radius are exact; `lower` and `upper` would be rounded, and intervals might come to overlap
    ends = sorted((ball.mid().fmpq() - ball.rad().fmpq(), ball.mid().fmpq() + ball.rad().fmpq()) for ball in real)
    left_of = [ZERO, *(max(high, ZERO) for _, high in ends)]
    right_of = [*(min(low, ONE) for low, _ in ends), ONE]
    roots = [
        AlgebraicNumber(polynomial, *ends[i], alone_between=(left_of[i], right_of[i + 1])) for i in range(len(ends))
    ]
    return [root for root in roots if ZERO_POINT < root < ONE_POINT]


ZERO_POINT = AlgebraicNumber.from_rational(ZERO)
ONE_POINT = AlgebraicNumber.from_rational(ONE)


def rational_between(left: AlgebraicNumber, right: AlgebraicNumber) -> fmpq:
    """Return the rational number of smallest denominator strictly between the intervals of `left` < `right`."""
    if not left < right:  # the comparison has separated the intervals
        raise ValueError(f"{left} is not below {right}")
    return simplest_between(left.high, right.low)
