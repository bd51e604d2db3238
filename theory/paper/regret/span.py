r"""One number of episodes, or all from one on; intervals of 1 - beta; what depends on these alone, as balls.

A supremum over all models is certified by evaluating bounds over boxes. Such a box has a `Span` of episodes and an
interval of w = 1 - beta, with exact ends; sums over episodes are told in units of log K, so that they stay bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import flint
from flint import arb, fmpq

from theory.domain import check_counts

Interval: TypeAlias = "tuple[fmpq, fmpq]"
"""Both ends, exact; a single number where they are equal."""

EXACT_SUMS = 64
"""Up to here harmonic sums are added up."""


@dataclass(frozen=True)
class Span:
    """A number of episodes, at least 2, or all from it on.

    Attributes
    ----------
    first
    alone
        Whether it is `first` only.
    """

    first: int
    alone: bool = True

    def __str__(self) -> str:
        """Return ``K = 5`` or ``K >= 5``."""
        return f"K {'=' if self.alone else '>='} {self.first}"

    @property
    def log(self) -> arb:
        """The logarithm of the first."""
        return _log(self.first, flint.ctx.prec)

    @property
    def inverse_log(self) -> arb:
        """A ball of 1/log K."""
        return self._all(1 / self.log, arb(0))

    @property
    def first_sum(self) -> arb:
        """A ball of (1 + 1/2 + ... + 1/K)/log K, which is between 1 and 1 + 1/log K."""
        if self.alone:
            return harmonic(self.first, 1) / self.log
        return arb(1).union(1 + 1 / self.log)

    @property
    def second_sum(self) -> arb:
        """A ball of (1 + 1/4 + ... + 1/K^2)/(log K)^2, where the sum is at most 7/4."""
        if self.alone:
            return harmonic(self.first, 2) / self.log**2
        return arb(0).union(arb(fmpq(7, 4)) / self.log**2)

    def _all(self, at_first: arb, at_infinity: arb) -> arb:
        return at_first if self.alone else at_first.union(at_infinity)


def harmonic(K: int, power: int = 1) -> arb:
    """Return the sum of 1/j or 1/j^2, j = 1, ..., K, for K of any size.

    Examples
    --------
    >>> harmonic(3).contains(fmpq(11, 6)), harmonic(3, 2).contains(fmpq(49, 36))
    (True, True)
    """
    check_counts(K=K)
    return _harmonic(K, power, flint.ctx.prec)


@cache
def _harmonic(K: int, power: int, precision: int) -> arb:
    with flint.ctx.workprec(precision):
        if K <= EXACT_SUMS:
            return arb(sum((fmpq(1, j**power) for j in range(1, K + 1)), fmpq(0)))
        if power == 1:
            return arb(K + 1).digamma() + arb.const_euler()
        return arb(2).zeta() - arb(2).zeta(arb(K + 1))


def over(interval: Interval) -> arb:
    """Return the ball of an interval."""
    low, high = interval
    return arb(low) if low == high else arb(low).union(arb(high))


def root(base: Any) -> Any:
    """Return the root of a ball (see `increasing_power`) or of a function of w."""
    return increasing_power(base, fmpq(1, 2)) if isinstance(base, arb) else base.sqrt()


def increasing_power(base: arb, alpha: fmpq) -> arb:
    """Return the ball of base^alpha, alpha > 0, for a base >= 0 whose ball may reach below 0 by rounding."""
    low, high = base.lower().max(arb(0)), base.upper().max(arb(0))
    powers = [_power(end, alpha) for end in (low, high)]
    return powers[0].union(powers[1]) if low < high else powers[1]


def _power(end: arb, alpha: fmpq) -> arb:
    whole, rest = int(alpha.floor()), alpha - alpha.floor()
    if rest == 0:
        return end**whole
    if rest == fmpq(1, 2):
        return end**whole * end.sqrt()
    return arb(0) if end == 0 else end ** arb(alpha)


@cache
def _log(K: int, precision: int) -> arb:
    with flint.ctx.workprec(precision):
        return arb(K).log()
