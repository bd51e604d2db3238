"""Functions of one variable over an interval, enclosed together with their derivative.

With it a bound over a short interval is off by the square of its length: the value at the middle, and the largest slope
times half the length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb


@dataclass(frozen=True)
class Sloped:
    """A function over an interval.

    Attributes
    ----------
    value
        A ball of its values.
    slope
        A ball of its derivative.

    Examples
    --------
    >>> x = Sloped(arb(2).union(3), arb(1))
    >>> found = (x * x - 1) / x  # x - 1/x, of slope 1 + 1/x^2
    >>> bool(found.value.contains(arb(3) / 2)), bool(found.slope.contains(arb(10) / 9))
    (True, True)
    """

    value: arb
    slope: arb

    def __add__(self, other: Any) -> Sloped:
        other = sloped(other)
        return Sloped(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __neg__(self) -> Sloped:
        return Sloped(-self.value, -self.slope)

    def __sub__(self, other: Any) -> Sloped:
        other = sloped(other)
        return Sloped(self.value - other.value, self.slope - other.slope)

    def __rsub__(self, other: Any) -> Sloped:
        return sloped(other) - self

    def __mul__(self, other: Any) -> Sloped:
        other = sloped(other)
        return Sloped(self.value * other.value, self.slope * other.value + self.value * other.slope)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Sloped:
        other = sloped(other)
        return Sloped(
            self.value / other.value,
            (self.slope * other.value - self.value * other.slope) / other.value**2,
        )

    def __rtruediv__(self, other: Any) -> Sloped:
        return sloped(other) / self

    def __pow__(self, exponent: int) -> Sloped:
        """Return a whole power, from 1 on."""
        return Sloped(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope)

    def sqrt(self) -> Sloped:
        """Return the root."""
        root = self.value.sqrt()
        return Sloped(root, self.slope / (2 * root))

    def log(self) -> Sloped:
        """Return the logarithm."""
        return Sloped(self.value.log(), self.slope / self.value)

    def min(self, other: Any) -> Sloped:
        """Return the smaller function; where they may cross, with the slopes of both."""
        second = sloped(other)
        if self.value < second.value:
            return self
        if second.value < self.value:
            return second
        return Sloped(self.value.min(second.value), self.slope.union(second.slope))

    def max(self, other: Any) -> Sloped:
        """Return the larger function; where they may cross, with the slopes of both."""
        return -((-self).min(-sloped(other)))

    def above(self, middle: arb, half_length: arb) -> arb:
        """Return an upper bound over the interval, from the value at its middle."""
        upper: arb = (middle + abs(self.slope) * half_length).upper()
        return upper


def sloped(value: Any) -> Sloped:
    """Return a constant as a function, and a function as it is."""
    return value if isinstance(value, Sloped) else Sloped(arb(value), arb(0))
