"""Rational functions of the discount with integer coefficients, in lowest terms."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq, fmpz_poly

from theory.parametric.algebraic import AlgebraicNumber, value_at
from theory.rationals import Exact, rational


@dataclass(frozen=True)
class RationalFunction:
    """A quotient of integer polynomials in lowest terms, the denominator without roots in (0, 1) and positive there.

    Attributes
    ----------
    numerator, denominator : fmpz_poly
        Without common factor, integers included; so equal functions have equal fields.
    """

    numerator: fmpz_poly
    denominator: fmpz_poly

    @classmethod
    def quotient(cls, numerator: fmpz_poly, denominator: fmpz_poly) -> RationalFunction:
        """Return ``numerator / denominator`` in lowest terms.

        Parameters
        ----------
        numerator, denominator
            The denominator without roots in (0, 1).

        Examples
        --------
        >>> RationalFunction.quotient(fmpz_poly([0, 2]), fmpz_poly([0, 4, 2]))
        RationalFunction(numerator=1, denominator=x + 2)
        """
        common = numerator.gcd(denominator)
        top, bottom = numerator // common, denominator // common
        if value_at(bottom, fmpq(1, 2)) < 0:
            top, bottom = -top, -bottom
        return cls(top, bottom)

    def __call__(self, discount: Exact) -> fmpq:
        """Return the value at a discount in [0, 1]; at the ends, the limit, where it is finite."""
        point = rational(discount)
        return value_at(self.numerator, point) / value_at(self.denominator, point)

    def cross(self, other: RationalFunction) -> fmpz_poly:
        """Return a polynomial with the sign of ``self - other`` on (0, 1)."""
        return self.numerator * other.denominator - other.numerator * self.denominator

    def agrees_at(self, point: AlgebraicNumber, other: RationalFunction) -> bool:
        """Return whether the two functions have the same value at an algebraic number, exactly."""
        return bool((self.cross(other) % point.polynomial).is_zero())
