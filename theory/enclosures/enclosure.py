"""A real number known up to an enclosure: two exact ends between which it lies, rounded outwards and never inwards.

Ends are rational. `rounded_down` and `rounded_up` round them to a number of bits on nested grids, so that no enclosure
grows with more bits, nor does the exact range of an operation on enclosures.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from flint import arb, fmpq, fmpz

from theory.rationals import ZERO


@dataclass(frozen=True)
class Enclosure:
    """Two exact ends, ``low <= high``, between which a number lies; equal where it is known exactly."""

    low: fmpq
    high: fmpq

    @classmethod
    def point(cls, value: fmpq) -> Enclosure:
        """Return the enclosure of an exact number."""
        return cls(value, value)

    @classmethod
    def of_ball(cls, ball: arb) -> Enclosure:
        """Return the ends of a finite ball, exactly: its middle and radius are not rounded.

        Examples
        --------
        >>> Enclosure.of_ball(arb("0.5"))
        Enclosure(low=1/2, high=1/2)
        """
        middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
        return cls(middle - radius, middle + radius)

    @property
    def width(self) -> fmpq:
        """Distance between the ends."""
        return self.high - self.low

    @property
    def magnitude(self) -> fmpq:
        """The largest absolute value between the ends."""
        return max(abs(self.low), abs(self.high))

    @property
    def is_exact(self) -> bool:
        """Whether the number is known exactly."""
        return bool(self.low == self.high)

    def contains(self, value: fmpq) -> bool:
        """Return whether `value` lies between the ends, or on one."""
        return bool(self.low <= value <= self.high)

    def within(self, other: Enclosure) -> bool:
        """Return whether the whole of this enclosure lies in `other`."""
        return bool(other.low <= self.low and self.high <= other.high)

    def common(self, other: Enclosure) -> Enclosure:
        """Return what lies in both of two enclosures of one number."""
        return Enclosure(max(self.low, other.low), min(self.high, other.high))

    def certainly_above(self, other: Enclosure) -> bool:
        """Return whether every number of this enclosure exceeds every one of `other`."""
        return bool(self.low > other.high)

    def halves(self) -> tuple[Enclosure, Enclosure]:
        """Return what is below the middle, and what is above it."""
        middle = (self.low + self.high) / 2
        return Enclosure(self.low, middle), Enclosure(middle, self.high)

    def rounded(self, bits: int) -> Enclosure:
        """Return the enclosure with both ends rounded outwards to `bits` significant bits."""
        return Enclosure(rounded_down(self.low, bits), rounded_up(self.high, bits))

    def decimals(self, digits: int) -> tuple[str, str]:
        """Return the ends as decimal text, rounded outwards, so that the text encloses the number.

        Both ends are rounded at one place: two after the `digits` significant digits of the end that is larger in
        absolute value, or the third significant digit of the width if that comes earlier. So the text of more digits
        lies within that of fewer.

        Examples
        --------
        >>> Enclosure(fmpq(1, 3), fmpq(1, 3)).decimals(3), Enclosure(fmpq(1, 3), fmpq(2, 5)).decimals(20)
        (('0.33333', '0.33334'), ('0.3333', '0.4'))
        """
        if self.magnitude == 0:
            return "0", "0"
        places = digits + 1 - _decimal_exponent(self.magnitude)
        if not self.is_exact:
            places = min(places, 2 - _decimal_exponent(self.width))
        scale = fmpq(10) ** places
        return _scaled_text((self.low * scale).floor(), places), _scaled_text((self.high * scale).ceil(), places)


def rounded_down(value: fmpq, bits: int) -> fmpq:
    """Return the largest number of `bits` significant bits that is at most `value`."""
    if value == 0:
        return ZERO
    # 2^e <= |value| < 2^(e+1); the grid depends on e alone, so that rounding is monotone
    numerator, denominator = abs(value.p), value.q
    e = numerator.bit_length() - denominator.bit_length()
    if numerator << max(-e, 0) < denominator << max(e, 0):
        e -= 1
    shift = bits - 1 - e
    if shift >= 0:
        return fmpq((value.p << shift) // value.q, fmpz(1) << shift)
    return fmpq((value.p // (value.q << -shift)) << -shift)


def rounded_up(value: fmpq, bits: int) -> fmpq:
    """Return the smallest number of `bits` significant bits that is at least `value`."""
    return -rounded_down(-value, bits)


def _decimal_exponent(value: fmpq) -> int:
    """Return the exponent of the leading digit of a positive number: 0 for 1 to 9.99, -1 for 0.1."""
    exponent = int((value.p.bit_length() - value.q.bit_length()) * 30103 // 100000)
    while fmpq(10) ** exponent > value:
        exponent -= 1
    while fmpq(10) ** (exponent + 1) <= value:
        exponent += 1
    return exponent


def _scaled_text(numerator: fmpz, places: int) -> str:
    """Return ``numerator / 10**places`` as text, exactly, without trailing zeros."""
    if numerator == 0:
        return "0"
    while numerator % 10 == 0:
        numerator, places = numerator // 10, places - 1
    digits = str(abs(numerator))  # an `fmpz` is not subject to Python's limit on the length of such text
    if -6 <= places <= 0:
        return ("-" if numerator < 0 else "") + digits + "0" * -places
    return str(Decimal((int(numerator < 0), tuple(map(int, digits)), -places)))
