"""Runs of a learner as activation counts, and sums of inverse square roots, for the double sum.

A *cell* is an arm with one of its states; there are Sn. The double sum depends only on how often each episode activates
each cell, so a small case is a list of count vectors, one per episode. Sums of the same roots are equal; other sums are
compared by enclosures.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from flint import arb

from theory.certified import Truth, at_most

Run = tuple[tuple[int, ...], ...]
"""Number of activations of each cell, for each episode."""

Roots = Counter[int]
"""A sum of terms 1/sqrt(m): the number of terms with each m."""


def total(roots: Roots) -> arb:
    """Return the value of a sum of roots."""
    return sum((count / arb(m).sqrt() for m, count in roots.items()), arb(0))


def is_at_most(left: Roots, right: Roots) -> Truth:
    """Return whether left <= right.

    >>> one, half, more = Counter({2: 2}), Counter({8: 2}), Counter({2: 2, 9: 1})
    >>> [is_at_most(one, each).value for each in (half, one, more)]
    ['no', 'yes', 'yes']
    """
    return Truth.YES if left == right else at_most(partial(total, left), partial(total, right))


def longest(run: Run) -> int:
    """Return max H, the number of steps of the longest episode."""
    return max(map(sum, run))


def double_sum(run: Run) -> Roots:
    """Return the left side of the lemma."""
    terms: Roots = Counter()
    seen = [0] * len(run[0])
    for episode in run:
        for cell, count in enumerate(episode):
            terms[max(1, seen[cell])] += count
            seen[cell] += count
    return +terms


def run_sum(run: Run) -> Roots:
    """Return the sum over steps of 1/sqrt(max{1, Ntilde_t - max H}), with Ntilde_t counted step by step.

    The order of the steps within an episode does not change the sum.
    """
    now = [0] * len(run[0])
    seen = []
    for episode in run:
        for cell, times in enumerate(episode):
            for _ in range(times):
                seen.append(now[cell])
                now[cell] += 1
    most = longest(run)
    return Counter(max(1, count - most) for count in seen)


def shifted(run: Run, first: int) -> Roots:
    """Return the sum of 1/sqrt(max{1, m - max H}) over cells and m = `first`, ..., `first` + the cell's count - 1."""
    most, counts = longest(run), map(sum, zip(*run, strict=True))
    return Counter(max(1, m - most) for n in counts for m in range(first, first + n))


SMALL_RUNS: tuple[Run, ...] = (((1,), (1,), (1,)), ((2,), (1,)), ((3,),), ((1, 0),), ((1, 2), (2, 0), (0, 3)))
LONG_RUNS: tuple[Run, ...] = (((1,),) * 1000, ((1000,),))
"""Runs of 1000 steps: 1000 episodes, and one."""
