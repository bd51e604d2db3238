"""Runs of a learner as activation counts, and exact sums of inverse square roots, for the double sum.

A *cell* is an arm with one of its states; there are Sn. All that matters of a run is how often each episode activates
each cell, so a small case is a list of count vectors, one per episode. Both sides of a claim are sums of rational
multiples of square roots of square-free integers, which are independent over the rationals: so equality, too, is
decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import isqrt

from flint import arb, fmpq

from proofs_checks.paper.shared.comparisons import is_less
from theory import ZERO

Run = tuple[tuple[int, ...], ...]
"""Per episode, how often each cell is activated."""

Surd = dict[int, fmpq]
"""Sum of coefficients times square roots of square-free integers; no coefficient is 0."""


def surd(terms: Iterable[tuple[int, fmpq | int]]) -> Surd:
    """Return the sum of c * sqrt(m) over the (m, c) in `terms`, m >= 1."""
    found: Surd = {}
    for m, c in terms:
        square, free = _square_part(m)
        found[free] = found.get(free, ZERO) + c * square
    return {free: c for free, c in found.items() if c}


@cache
def _square_part(m: int) -> tuple[int, int]:
    square = max(s for s in range(1, isqrt(m) + 1) if m % (s * s) == 0)
    return square, m // square**2


def inverse_roots(integers: Iterable[int]) -> Surd:
    """Return the sum of 1/sqrt(m)."""
    return surd((m, fmpq(1, m)) for m in integers)


def minus(left: Surd, right: Surd) -> Surd:
    """Return left - right."""
    return surd([*left.items(), *((m, -c) for m, c in right.items())])


def ball_of(number: Surd) -> arb:
    """Return a ball around it."""
    return sum((arb(c) * arb(m).sqrt() for m, c in number.items()), arb(0))


def exceeds(left: Surd, right: Surd) -> bool:
    """Return whether left > right, exactly.

    >>> one, three = surd([(2, 1)]), surd([(2, 1), (8, 1)])  # square roots of 2 and of 18
    >>> three, exceeds(three, one), exceeds(one, one), exceeds(one, three)
    ({2: 3}, True, False, False)

    Raises
    ------
    ArithmeticError
        If the precision does not suffice for a difference that is not 0.
    """
    difference = minus(left, right)
    return bool(difference) and is_less(lambda: arb(0), lambda: ball_of(difference))


def runs(cells: int, total: int) -> Iterator[Run]:
    """Yield every run of at most `total` steps, as counts.

    >>> list(runs(1, 2)), list(runs(2, 1))
    ([((1,),), ((1,), (1,)), ((2,),)], [((0, 1),), ((1, 0),)])
    """
    vectors = [v for v in product(range(total + 1), repeat=cells) if 1 <= sum(v) <= total]

    def longer(run: Run, left: int) -> Iterator[Run]:
        for vector in vectors:
            if sum(vector) <= left:
                yield (*run, vector)
                yield from longer((*run, vector), left - sum(vector))

    return longer((), total)


def longest(run: Run) -> int:
    """Return max H."""
    return max(map(sum, run))


@cache
def double_sum(run: Run) -> tuple[tuple[int, int], ...]:
    """Return the left side of the lemma: (m, c) for each term c / sqrt(m)."""
    terms: Counter[int] = Counter()
    seen = [0] * len(run[0])
    for episode in run:
        for cell, count in enumerate(episode):
            terms[max(1, seen[cell])] += count
            seen[cell] += count
    return tuple(sorted((+terms).items()))


def run_sum(run: Run) -> Surd:
    """Return the sum over steps of 1/sqrt(max{1, Ntilde_t - max H}), Ntilde_t counted step by step.

    The order of the steps within an episode does not matter.
    """
    now = [0] * len(run[0])
    seen = []
    for episode in run:
        for cell, times in enumerate(episode):
            for _ in range(times):
                seen.append(now[cell])
                now[cell] += 1
    most = longest(run)
    return inverse_roots(max(1, count - most) for count in seen)


def shifted(run: Run, first: int) -> Surd:
    """Return the sum over cells of 1/sqrt(max{1, m - max H}), m from `first` on, as many as the cell's count."""
    most, counts = longest(run), map(sum, zip(*run, strict=True))
    return inverse_roots(max(1, m - most) for n in counts for m in range(first, first + n))


@cache
def hardest_runs() -> tuple[Run, ...]:
    """Return one run for each small double sum, number of cells, K and max H.

    One cell and at most 10 steps, two cells and 7, three cells and 5; and K = 1000 episodes of one step, one of 1000.

    >>> steps = [(len(run[0]), sum(map(sum, run))) for run in hardest_runs()[2:]]
    >>> [max(each for each in steps if each[0] == cells) for cells in (1, 2, 3)]
    [(1, 10), (2, 7), (3, 5)]
    """
    small: dict[object, Run] = {}
    for cells, total in ((1, 10), (2, 7), (3, 5)):
        for run in runs(cells, total):
            small.setdefault((double_sum(run), cells, len(run), longest(run)), run)
    return ((1,),) * 1000, ((1000,),), *small.values()
