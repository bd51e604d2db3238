"""Runs of a learner as activation counts, and exact sums of inverse square roots, for the double sum.

A *cell* is an arm with one of its states; there are Sn. All that matters of a run is how often each episode activates
each cell, so a small case is a list of count vectors, one per episode. Both sides of a claim are sums of rational
multiples of square roots of square-free integers, which are independent over the rationals: so equality, too, is
decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import isqrt
from typing import TypeAlias

from flint import arb, fmpq

from theory import ZERO
from theory.certified import Truth, less

Run = tuple[tuple[int, ...], ...]
"""Per episode, how often each cell is activated."""

RunData: TypeAlias = "tuple[tuple[tuple[int, int], ...], int, int, int, Run]"
"""The terms (m, c) of a double sum, c / sqrt(m) each; the number of cells, K, max H, and a run that has it."""

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
    if not difference:
        return False
    answer = less(lambda: arb(0), lambda: ball_of(difference))
    if answer is Truth.UNDECIDED:
        raise ArithmeticError(f"the sign of {difference} is not decided")
    return answer is Truth.YES


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


def final_counts(run: Run) -> list[int]:
    """Return how often each cell is activated in all."""
    return [sum(counts) for counts in zip(*run, strict=True)]


def double_sum(run: Run) -> tuple[tuple[int, int], ...]:
    """Return the left side of the lemma: (m, c) for each term c / sqrt(m)."""
    terms: dict[int, int] = {}
    seen = [0] * len(run[0])
    for episode in run:
        for cell, count in enumerate(episode):
            if count:
                m = max(1, seen[cell])
                terms[m] = terms.get(m, 0) + count
        seen = [before + now for before, now in zip(seen, episode, strict=True)]
    return tuple(sorted(terms.items()))


@cache
def double_sums(cells: int, total: int) -> tuple[tuple[tuple[tuple[int, int], ...], int, int, Run], ...]:
    """Return the double sums that occur with K and max H, and one run for each."""
    found: dict[tuple[tuple[tuple[int, int], ...], int, int], Run] = {}
    for run in runs(cells, total):
        found.setdefault((double_sum(run), len(run), max(map(sum, run))), run)
    return tuple((*key, run) for key, run in found.items())


def run_sum(run: Run, longest: int) -> Surd:
    """Return the sum over steps of 1/sqrt(max{1, Ntilde_t - longest}), Ntilde_t counted step by step.

    The order of the steps within an episode does not matter.
    """
    now = [0] * len(run[0])
    seen = []
    for episode in run:
        for cell, times in enumerate(episode):
            for _ in range(times):
                seen.append(now[cell])
                now[cell] += 1
    return inverse_roots(max(1, count - longest) for count in seen)


def shifted(final: Sequence[int], longest: int, first: int) -> Surd:
    """Return the sum over cells of 1/sqrt(max{1, m - longest}), m from `first` on, as many as the cell's count."""
    return inverse_roots(max(1, m - longest) for n in final for m in range(first, first + n))


@cache
def hardest_runs() -> tuple[RunData, ...]:
    """Return all small double sums with the number of cells, K and max H, and one run for each.

    One cell and at most 10 steps, two cells and 7, three cells and 5; and K = 1000 episodes of one step, one of 1000.

    >>> steps = [(cells, sum(map(sum, run))) for _, cells, _, _, run in hardest_runs()[2:]]
    >>> [max(each for each in steps if each[0] == cells) for cells in (1, 2, 3)]
    [(1, 10), (2, 7), (3, 5)]
    """
    small = [
        (terms, cells, K, longest, run)
        for cells, total in ((1, 10), (2, 7), (3, 5))
        for terms, K, longest, run in double_sums(cells, total)
    ]
    many: Run = ((1,),) * 1000
    long: Run = ((1000,),)
    return ((double_sum(many), 1, 1000, 1, many), (double_sum(long), 1, 1, 1000, long), *small)
