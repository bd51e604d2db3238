"""Rational functions of the discount with integer or real coefficients, in lowest terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpz_poly

from theory.parametric.algebraic import AlgebraicNumber, value_at
from theory.parametric.real import Combination
from theory.rationals import Exact, rational


@dataclass(frozen=True)
class RationalFunction:
    """A quotient of polynomials in lowest terms, whose denominator is positive on (0, 1).

    Attributes
    ----------
    numerator : fmpz_poly or Combination
    denominator : fmpz_poly
        It shares no factor with the numerator, integers included, so equal functions have equal fields.
    """

    numerator: fmpz_poly | Combination
    denominator: fmpz_poly

    @classmethod
    def quotient(cls, numerator: fmpz_poly | Combination, denominator: fmpz_poly) -> RationalFunction:
        """Return ``numerator / denominator`` in lowest terms; the denominator has no roots in (0, 1).

        Examples
        --------
        >>> RationalFunction.quotient(fmpz_poly([0, 2]), fmpz_poly([0, 4, 2]))
        RationalFunction(numerator=1, denominator=x + 2)
        """
        common = numerator.gcd(denominator)
        if value_at(denominator // common, fmpq(1, 2)) < 0:
            common = -common
        return cls(numerator // common, denominator // common)

    def __call__(self, discount: Exact) -> Any:
        """Return the value at a discount in [0, 1], rational or a `RealNumber`; at 0 and 1 the limit, if finite."""
        point, top = rational(discount), self.numerator
        value = top.at(point) if isinstance(top, Combination) else value_at(top, point)
        return value / value_at(self.denominator, point)

    def cross(self, other: RationalFunction) -> Any:
        """Return a polynomial with the sign of ``self - other`` on (0, 1)."""
        mine: Any = self.numerator * other.denominator  # both numerators are real, or neither
        return mine - other.numerator * self.denominator

    def agrees_at(self, point: AlgebraicNumber, other: RationalFunction) -> bool:
        """Return whether the two functions have the same value at an algebraic number, exactly."""
        cross = self.cross(other)
        if isinstance(cross, Combination):
            return cross.vanishes_at(point)
        return bool((cross % point.polynomial).is_zero())
