"""The domain of Lemma `moment`: the inequality E[max H_k^alpha] <= 5 + 5 (log K/(1-beta))^alpha, box by box.

Both sides are monotone. The left grows with beta (episodes get longer) and with alpha (lengths are at least 1); the
right grows with beta, and its power is monotone in alpha. So one comparison at two corners settles a box, and

    beta^alpha E[M^alpha] <= (1-beta)^alpha E[max H_k^alpha] <= E[M^alpha],      M the largest of K of law Exp(1),

settles the last box, up to beta = 1. The left inequality here is max H >= M/log(1/beta); the right one is an entry
(`lem:moment/repair-exponential`). A box that neither settles is halved, and is undecided below a stated width.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb, fmpq

from theory import ZERO, Exact, decimal_text, rational
from theory.certified import Truth, exponential_power, horizon_power

LARGEST_ALPHA = fmpq(5, 2)
ONE = fmpq(1)
FIVE = fmpq(5)


@dataclass(frozen=True)
class Segment:
    """Discounts low <= beta < high on which the lemma holds, fails or is undecided."""

    low: fmpq
    high: fmpq
    holds: Truth


def lemma_on_box(K: int, alphas: tuple[fmpq, fmpq], discounts: tuple[fmpq, fmpq], front: fmpq) -> Truth:
    """Return whether E[max H^alpha] <= front (1 + (log K/(1-beta))^alpha) on a whole box (YES) or nowhere in it (NO).

    Parameters
    ----------
    K
        Number of episodes.
    alphas
        Smallest and largest power, 1 <= smallest <= largest.
    discounts
        low and high, for low <= beta < high, or beta = low if both are equal; high may be 1.
    """
    (low, high), (smallest, largest) = discounts, alphas
    logarithm = arb(K).log()
    if high == 1:
        power = arb(smallest).union(arb(largest))
        moment, logs = exponential_power(power, K), front * logarithm**power if K > 1 else arb(0)
        if moment <= logs:
            return Truth.YES
        # the inequality times (1-beta)^alpha, with the least and greatest values of each side on low <= beta < 1
        if arb(low) ** arb(largest) * moment > front * (1 - arb(low)) ** arb(smallest) + logs:
            return Truth.NO
        return Truth.UNDECIDED
    left, right = logarithm / (1 - arb(low)), logarithm / (1 - arb(high))
    if horizon_power(largest, high, K) <= front + front * _corner(left, alphas).lower():
        return Truth.YES
    if horizon_power(smallest, low, K) > front + front * _corner(right, alphas).upper():
        return Truth.NO
    return Truth.UNDECIDED


def _corner(base: arb, alphas: tuple[fmpq, fmpq]) -> arb:
    """Return a ball around base^alpha for all alpha in the range; base >= 0."""
    ends = [base ** arb(alpha) if base > 0 else arb(0) for alpha in alphas]
    return ends[0].union(ends[1])


def segments(K: int, alphas: tuple[fmpq, fmpq], width: Exact) -> list[Segment]:
    """Return [0, 1) cut into segments on which the lemma holds, fails, or is undecided, neighbours joined.

    An interval is halved until it is settled or its length is at most `width` times 1 - its low end.

    Examples
    --------
    >>> [(str(s.low), str(s.high), s.holds.value) for s in segments(1, (fmpq(1), fmpq(1)), fmpq(1, 4))]
    [('0', '3/4', 'yes'), ('3/4', '13/16', 'undecided'), ('13/16', '1', 'no')]
    """
    joined: list[Segment] = []
    for part in _settled(K, alphas, rational(width)):
        if joined and joined[-1].holds is part.holds:
            joined[-1] = Segment(joined[-1].low, part.high, part.holds)
        else:
            joined.append(part)
    return joined


def _settled(K: int, alphas: tuple[fmpq, fmpq], width: fmpq) -> Iterator[Segment]:
    waiting = [(fmpq(0), ONE)]
    while waiting:
        low, high = waiting.pop()
        truth = lemma_on_box(K, alphas, (low, high), FIVE)
        small = 1 - low <= fmpq(1, 10**6) if high == 1 else high - low <= width * (1 - low)
        if truth is not Truth.UNDECIDED or small:
            yield Segment(low, high, truth)
        else:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]


def settled_as(truth: Truth, K: int, alphas: tuple[fmpq, fmpq], discounts: tuple[fmpq, fmpq], front: Exact) -> Truth:
    """Return YES if boxes certify `truth` on all of low <= beta < high, NO if one contradicts it, else UNDECIDED.

    Boxes are cut across the discounts; boxes from close to 1 up to 1, across the exponents.
    """
    waiting, narrow = [(alphas, discounts)], False
    while waiting:
        (smallest, largest), (low, high) = waiting.pop()
        found = lemma_on_box(K, (smallest, largest), (low, high), rational(front))
        if found is truth:
            continue
        if found is not Truth.UNDECIDED:
            return Truth.NO
        if high == 1 and 1 - low <= CLOSE and largest - smallest > NARROW:
            middle = (smallest + largest) / 2
            waiting += [((middle, largest), (low, high)), ((smallest, middle), (low, high))]
        elif high - low > NARROW * (1 - low):
            middle = (low + high) / 2
            waiting += [((smallest, largest), part) for part in ((middle, high), (low, middle))]
        else:
            narrow = True
    return Truth.UNDECIDED if narrow else Truth.YES


@dataclass(frozen=True)
class Bracket:
    """A row: for K episodes and exponents in a range, the lemma holds up to one discount and fails from another."""

    K: int
    smallest: fmpq
    largest: fmpq
    up_to: fmpq
    fails_from: fmpq

    def __str__(self) -> str:
        """Return the row's K and range of exponents."""
        return f"K = {self.K}, alpha in [{decimal_text(self.smallest)}, {decimal_text(self.largest)}]"

    @property
    def alphas(self) -> tuple[fmpq, fmpq]:
        """The ends of the range of exponents."""
        return self.smallest, self.largest

    def at(self, alpha: fmpq, beta: fmpq, front: Exact) -> Truth:
        """Return whether the lemma, with both constants `front`, holds at a point."""
        return lemma_on_box(self.K, (alpha, alpha), (beta, beta), rational(front))

    def certified(self, more: fmpq, less: fmpq, front: Exact) -> Truth:
        """Return whether the lemma holds up to `up_to` + `more`, and fails from `fails_from` - `less` on."""
        below = settled_as(Truth.YES, self.K, self.alphas, (ZERO, self.up_to + more), front)
        return below.both(settled_as(Truth.NO, self.K, self.alphas, (self.fails_from - less, ONE), front))


CLOSE = fmpq(1, 1000)
NARROW = fmpq(1, 10**5)
BRACKETS = tuple(
    Bracket(K, *map(rational, decimals.split()))
    for K, decimals in (
        (1, "1 1 0.7999 0.8001"),
        (1, "1.5 1.5 0.6134 0.6135"),
        (1, "2 2 0.4596 0.4598"),
        (1, "2.5 2.5 0.3418 0.342"),
        (2, "2 2 0.6936 0.6939"),
        (2, "2.5 2.5 0.4187 0.4189"),
        (3, "2.5 2.5 0.725 0.7253"),
        (1, "1 1.25 0.6992 0.8008"),
        (1, "1.25 1.5 0.6054 0.7051"),
        (1, "1.5 1.75 0.5234 0.6153"),
        (1, "1.75 2 0.4492 0.5352"),
        (1, "2 2.25 0.3906 0.461"),
        (1, "2.25 2.5 0.3359 0.3985"),
        (2, "1.7198 1.722 0.97 0.99997"),
        (2, "1.722 1.73 0.94 0.9991"),
        (2, "1.73 1.75 0.89 0.997"),
        (2, "1.75 1.8 0.81 0.985"),
        (2, "1.8 1.875 0.74 0.969"),
        (2, "1.875 2 0.6523 0.9375"),
        (2, "2 2.125 0.5781 0.7872"),
        (2, "2.125 2.25 0.5156 0.6465"),
        (2, "2.25 2.375 0.4609 0.5586"),
        (2, "2.375 2.5 0.4101 0.4883"),
        (3, "2.2384 2.242 0.96 0.9999999"),
        (3, "2.242 2.255 0.91 0.9996"),
        (3, "2.255 2.3 0.81 0.997"),
        (3, "2.3 2.375 0.72 0.985"),
        (3, "2.375 2.5 0.6289 0.9688"),
    )
)
"""K = 1: all exponents; K = 2: from 1.7198 on; K = 3: from 2.2384 on. Below these, the lemma always holds."""
