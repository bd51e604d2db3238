"""The domain of Lemma `moment`: the inequality E[max H_k^alpha] <= 5 + 5 (log K/(1-beta))^alpha by ranges of discounts.

Both sides grow with beta (episodes get longer). So one comparison at two ends settles a range, and

    beta^alpha E[M^alpha] <= (1-beta)^alpha E[max H_k^alpha] <= E[M^alpha],      M the largest of K of law Exp(1),

settles the last one, up to beta = 1. The left inequality here is max H >= M/log(1/beta); the right one is an entry
(`lem:moment/repair-exponential`). A range that neither settles is halved, and is undecided below a stated width.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb, fmpq

from theory import ONE, ZERO, Exact, rational
from theory.certified import Truth, exponential_power, horizon_power

LARGEST_ALPHA = fmpq(5, 2)


@dataclass(frozen=True)
class Segment:
    """Discounts low <= beta < high on which the lemma holds, fails or is undecided."""

    low: fmpq
    high: fmpq
    holds: Truth


def lemma_between(K: int, alpha: fmpq, low: fmpq, high: fmpq) -> Truth:
    """Return whether E[max H^alpha] <= 5 + 5 (log K/(1-beta))^alpha for all low <= beta < high (YES) or none (NO)."""
    power = arb(alpha)
    logs = 5 * arb(K).log() ** power if K > 1 else arb(0)
    if high == 1:
        moment = exponential_power(power, K)
        if moment <= logs:
            return Truth.YES
        # the inequality times (1-beta)^alpha, with the least and greatest values of each side on low <= beta < 1
        if arb(low) ** power * moment > 5 * (1 - arb(low)) ** power + logs:
            return Truth.NO
        return Truth.UNDECIDED
    if horizon_power(alpha, high, K) <= 5 + logs / (1 - arb(low)) ** power:
        return Truth.YES
    if horizon_power(alpha, low, K) > 5 + logs / (1 - arb(high)) ** power:
        return Truth.NO
    return Truth.UNDECIDED


def segments(K: int, alpha: fmpq, width: Exact) -> list[Segment]:
    """Return [0, 1) cut into segments on which the lemma holds, fails, or is undecided, neighbours joined.

    A range is halved until it is settled or its length is at most `width` times 1 - its low end.

    Examples
    --------
    >>> [(str(s.low), str(s.high), s.holds.value) for s in segments(1, fmpq(1), fmpq(1, 4))]
    [('0', '3/4', 'yes'), ('3/4', '13/16', 'undecided'), ('13/16', '1', 'no')]
    """
    joined: list[Segment] = []
    for part in _settled(K, alpha, rational(width)):
        if joined and joined[-1].holds is part.holds:
            joined[-1] = Segment(joined[-1].low, part.high, part.holds)
        else:
            joined.append(part)
    return joined


def _settled(K: int, alpha: fmpq, width: fmpq) -> Iterator[Segment]:
    waiting = [(ZERO, ONE)]
    while waiting:
        low, high = waiting.pop()
        truth = lemma_between(K, alpha, low, high)
        small = 1 - low <= fmpq(1, 10**6) if high == 1 else high - low <= width * (1 - low)
        if truth is not Truth.UNDECIDED or small:
            yield Segment(low, high, truth)
        else:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]
