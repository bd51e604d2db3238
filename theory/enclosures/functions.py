"""Square root, logarithm and exponential of exact numbers and of balls, for formulas that a user writes."""

from __future__ import annotations

from flint import arb

from theory.rationals import Exact, rational


def sqrt(x: arb | Exact) -> arb:
    """Return the square root of an exact number or a ball; below 0 the result is not finite.

    Examples
    --------
    >>> sqrt(9), sqrt("1/4") * log(1)
    (3.00000000000000, 0)
    """
    return _ball(x).sqrt()


def log(x: arb | Exact) -> arb:
    """Return the natural logarithm of an exact number or a ball; at 0 and below the result is not finite.

    Examples
    --------
    >>> [ball.str(9, radius=False) for ball in (log(exp("1/2")), exp(1))]
    ['0.500000000', '2.71828183']
    """
    return _ball(x).log()


def exp(x: arb | Exact) -> arb:
    """Return e to the power of an exact number or a ball."""
    return _ball(x).exp()


def _ball(x: arb | Exact) -> arb:
    return x if isinstance(x, arb) else arb(rational(x))
