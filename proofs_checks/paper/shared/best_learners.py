r"""The Bayes-optimal regret on the priors of the lower bounds, enclosed, beside the bounds.

Dynamic programming over posteriors encloses the Bayes-optimal regret. The learner may change arms at every step, and go
on exploring after a jump. The gaps are those of the proofs, to the nearest multiple of 1/64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from theory import rational
from theory.certified import Truth
from theory.paper import (
    AbsorbingPrior,
    BestArmPrior,
    absorbing_bound_squared,
    absorbing_regret,
    adaptive_regret,
    motionless_bound_squared,
)

HALF, NONE = fmpq(1, 2), fmpq(0)


@dataclass(frozen=True)
class Forced:
    """The smallest Bayesian regret on one prior, between `low` and `high`.

    Attributes
    ----------
    S, n, K : int
    beta, gap : fmpq
        The discount; the gap, which is Delta of the absorbing prior, e of the motionless one.
    low, high : fmpq
    unit_squared : fmpq
        The square of the bound without its constant.
    """

    S: int
    n: int
    K: int
    beta: fmpq
    gap: fmpq
    low: fmpq
    high: fmpq
    unit_squared: fmpq

    def at_least(self, c: fmpq) -> Truth:
        """Return whether the smallest regret is at least 1/c of the unit.

        Examples
        --------
        >>> third_to_half = Forced(1, 2, 2, NONE, HALF, low=fmpq(1, 3), high=HALF, unit_squared=fmpq(1))
        >>> [third_to_half.at_least(fmpq(c)).value for c in (3, 2, 1)]
        ['yes', 'undecided', 'no']
        """
        low, high = (c * end for end in (self.low, self.high))
        unit = self.unit_squared
        return Truth.YES if unit <= low**2 else Truth.NO if unit > high**2 else Truth.UNDECIDED

    def quotient(self, c: fmpq) -> str:
        """Return the quotient of the smallest regret and the bound, rounded down to two digits."""
        return _rounded_down((c * self.low) ** 2 / self.unit_squared, 2)

    @property
    def least(self) -> str:
        """The smallest regret, rounded down to three digits."""
        return _rounded_down(self.low**2, 3)

    @property
    def name(self) -> str:
        """The size and the gap, in words."""
        return f"S = {self.S}, n = {self.n}, K = {self.K}, beta = {self.beta}, gap {self.gap}"


@cache
def on_absorbing_priors() -> tuple[Forced, ...]:
    """Return sizes on the prior of B; Delta = (3/4)(n(S-1)/K)^(1/2), at beta = 9/10 to the nearest multiple of 1/64.

    Examples
    --------
    >>> [each.at_least(fmpq(36)).value for each in on_absorbing_priors()]
    ['yes', 'yes', 'yes', 'yes']
    """
    found = []
    sizes = [(S, n, K, HALF, fmpq(3, 8), 11) for S, n, K in ((2, 2, 8), (3, 2, 16), (2, 3, 12))]
    for S, n, K, beta, gap, depth in (*sizes, (2, 2, 5, fmpq(9, 10), fmpq(15, 32), 40)):
        regret = absorbing_regret(AbsorbingPrior(S=S, n=n, discount=beta, delta=gap), K, depth)
        unit = absorbing_bound_squared(S, n, K, beta, factor=1)
        found.append(Forced(S, n, K, beta, gap, regret.low, regret.high, unit))
    return tuple(found)


@cache
def on_motionless_priors() -> tuple[Forced, ...]:
    """Return sizes on the prior of C; e = (1/4)(nS/(KB))^(1/2), to the nearest multiple of 1/64.

    Examples
    --------
    >>> one = on_motionless_priors()[0]
    >>> one.name, one.low == one.high == fmpq(7, 32), one.quotient(fmpq(18))
    ('S = 1, n = 2, K = 2, beta = 0, gap 1/4', True, '1.96')
    """
    found = []
    sizes = [(1, 2, K, NONE, K) for K in range(2, 9)]
    sizes += [(1, 3, 3, NONE, 3), (2, 2, 4, NONE, 4), (1, 2, 4, HALF, 12), (2, 2, 8, HALF, 16)]
    for S, n, K, beta, depth in sizes:
        squared = n * S * (1 - beta) / (16 * K)
        gap = fmpq((isqrt(int((128**2 * squared).floor())) + 1) // 2, 64)
        regret = adaptive_regret(BestArmPrior(S, n, beta, HALF, HALF + gap), K, depth)
        unit = motionless_bound_squared(S, n, K, beta, factor=1)
        found.append(Forced(S, n, K, beta, gap, regret.low, regret.high, unit))
    return tuple(found)


def _rounded_down(squared: fmpq, digits: int) -> str:
    unit = 10**digits
    whole, rest = divmod(isqrt(int((unit**2 * squared).floor())), unit)
    return f"{whole}.{rest:0{digits}d}"


def all_lose(sizes: Sequence[Forced], c: object) -> Answer:
    """Return whether every smallest regret is at least 1/c of its unit, with its quotient by the bound."""
    factor, truth = rational(c), Truth.YES
    for each in sizes:
        truth = truth.both(each.at_least(factor))
    return answer(truth, **{each.name: f"at least {each.quotient(factor)} times as much" for each in sizes})
