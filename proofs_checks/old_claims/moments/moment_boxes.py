"""Where Lemma `moment` holds: the inequality E[max H_k^alpha] <= 5 + 5 (log K/(1-beta))^alpha, box by box.

Both sides are monotone: the left grows with beta (episodes get longer) and with alpha (they are at least 1); the right
grows with beta, and its power is monotone in alpha. So one comparison at two corners settles a box, and

    beta^alpha E[M^alpha] <= (1-beta)^alpha E[max H_k^alpha] <= E[M^alpha],      M the largest of K of law Exp(1),

settles the last one, up to beta = 1: the left inequality is max H >= M/log(1/beta), the right one an entry of its own
(`lem:moment/repair-exponential`). What neither settles is halved, and is undecided below a stated width.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb, fmpq

from theory import Exact, rational
from theory.certified import Truth, exponential_power, horizon_power

SECTION = "Lemma moment"
DOMAIN = "K >= 1, 1 <= alpha <= 5/2, 0 <= beta < 1"
LARGEST_ALPHA = fmpq(5, 2)
ONE = fmpq(1)
FIVE = fmpq(5)


@dataclass(frozen=True)
class Segment:
    """Discounts low <= beta < high over which the lemma holds, fails or is undecided."""

    low: fmpq
    high: fmpq
    holds: Truth


def lemma_on_box(
    K: int, alphas: tuple[fmpq, fmpq], discounts: tuple[fmpq, fmpq], added: fmpq = FIVE, factor: fmpq = FIVE
) -> Truth:
    """Return whether E[max H^alpha] <= added + factor (log K/(1-beta))^alpha on a whole box; `NO`: nowhere in it.

    Parameters
    ----------
    K
        Number of episodes.
    alphas
        Smallest and largest power, 1 <= smallest <= largest.
    discounts
        low <= beta < high, or beta = low where the two are equal; high may be 1.
    """
    (low, high), (smallest, largest) = discounts, alphas
    logarithm = arb(K).log()
    if high == 1:
        power = arb(smallest).union(arb(largest))
        moment, logs = exponential_power(power, K), factor * logarithm**power if K > 1 else arb(0)
        if moment <= logs:
            return Truth.YES
        # (1-beta)^alpha times the inequality, at the least and the greatest of each side over low <= beta < 1
        if arb(low) ** arb(largest) * moment > added * (1 - arb(low)) ** arb(smallest) + logs:
            return Truth.NO
        return Truth.UNDECIDED
    left, right = logarithm / (1 - arb(low)), logarithm / (1 - arb(high))
    if horizon_power(largest, high, K) <= added + factor * _corner(left, alphas).lower():
        return Truth.YES
    if horizon_power(smallest, low, K) > added + factor * _corner(right, alphas).upper():
        return Truth.NO
    return Truth.UNDECIDED


def _corner(base: arb, alphas: tuple[fmpq, fmpq]) -> arb:
    """Return a ball around base^alpha for all alpha in the range; base >= 0."""
    ends = [base ** arb(alpha) if base > 0 else arb(0) for alpha in alphas]
    return ends[0].union(ends[1])


def segments(
    K: int,
    alphas: tuple[fmpq, fmpq],
    width: Exact = fmpq(1, 1000),
    added: fmpq = FIVE,
    factor: fmpq = FIVE,
) -> list[Segment]:
    """Return [0, 1) cut into segments on which the lemma holds, fails, or is undecided, neighbours joined.

    An interval is halved until it is settled or its length is at most `width` times 1 - its low end.

    Examples
    --------
    >>> [(str(s.low), str(s.high), s.holds.value) for s in segments(1, (fmpq(1), fmpq(1)), fmpq(1, 4))]
    [('0', '3/4', 'yes'), ('3/4', '13/16', 'undecided'), ('13/16', '1', 'no')]
    """
    joined: list[Segment] = []
    for part in _settled(K, alphas, rational(width), added, factor):
        if joined and joined[-1].holds is part.holds:
            joined[-1] = Segment(joined[-1].low, part.high, part.holds)
        else:
            joined.append(part)
    return joined


def _settled(K: int, alphas: tuple[fmpq, fmpq], width: fmpq, added: fmpq, factor: fmpq) -> Iterator[Segment]:
    waiting = [(fmpq(0), ONE)]
    while waiting:
        low, high = waiting.pop()
        truth = lemma_on_box(K, alphas, (low, high), added, factor)
        small = 1 - low <= fmpq(1, 10**6) if high == 1 else high - low <= width * (1 - low)
        if truth is not Truth.UNDECIDED or small:
            yield Segment(low, high, truth)
        else:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]


def holds_for_all_discounts(K: int, low: fmpq, high: fmpq, factor: fmpq = FIVE) -> bool:
    """Return whether E[M^alpha] <= factor (log K)^alpha is certified for all alpha in [low, high]; K >= 2.

    E[(M/log K)^alpha] is convex in alpha, as an average of such powers; so the two ends are enough.
    """
    return all(lemma_on_box(K, (alpha, alpha), (fmpq(0), ONE), fmpq(0), factor) is Truth.YES for alpha in (low, high))


def holds_from(first: int, largest: fmpq, factor: fmpq = FIVE, pieces: int = 64) -> bool:
    """Return whether factor^(1/alpha) log K >= log K + Gamma(1+alpha)^(1/alpha) for K >= first, 1 <= alpha <= largest.

    That is enough by `lem:moment/largest-exponential`. Once true it stays true as K grows, since factor > 1.
    """
    step = (largest - 1) / pieces
    for i in range(pieces):
        alpha = arb(1 + i * step).union(arb(1 + (i + 1) * step))
        norm = (1 + alpha).gamma() ** (1 / alpha)
        if not arb(first).log() * (arb(factor) ** (1 / alpha) - 1) >= norm:
            return False
    return True


def settled_as(
    truth: Truth, K: int, alphas: tuple[fmpq, fmpq], discounts: tuple[fmpq, fmpq], factor: fmpq = FIVE
) -> Truth:
    """Return whether boxes certify that answer on all of low <= beta < high, contradict it, or become very narrow."""
    waiting, narrow = [discounts], False
    while waiting:
        low, high = waiting.pop()
        found = lemma_on_box(K, alphas, (low, high), factor=factor)
        if found is truth:
            continue
        if found is not Truth.UNDECIDED:
            return Truth.NO
        if (high - low) * 10**5 <= 1 - low:
            narrow = True
            continue
        middle = (low + high) / 2
        waiting += [(middle, high), (low, middle)]
    return Truth.UNDECIDED if narrow else Truth.YES
