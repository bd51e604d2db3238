r"""Gittins indices by folding states into each other, in the arithmetic of the numbers given (Sonin 2008).

The state of largest reward per time comes first. Folding removes it from the chain: the rewards and times of the other
states then include what is earned and spent in it. The next state follows likewise. This is the elimination of
`theory.gittins.elimination` without its matrices, in O(S^3) operations of any exact numbers: `flint.fmpq`,
`fractions.Fraction`, or numbers that count their operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from flint import fmpq

Number = TypeVar("Number", fmpq, Fraction)


def indices_by_folding(
    transitions: Sequence[Sequence[Number]], rewards: Sequence[Number], discount: Number
) -> list[Number]:
    """Return the Gittins indices, in the arithmetic of the given numbers; the (S, S) `transitions` have row sums 1.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> indices_by_folding([[half, half], [half, half]], [Fraction(1), Fraction(0)], half)
    [Fraction(1, 1), Fraction(1, 4)]
    """
    size = len(rewards)
    kernel = [[discount * p for p in row] for row in transitions]
    reward = list(rewards)
    time = [discount * 0 + 1 for _ in range(size)]
    index = list(rewards)
    remaining = set(range(size))
    while remaining:
        chosen = max(sorted(remaining), key=lambda x: reward[x] / time[x])
        index[chosen] = reward[chosen] / time[chosen]
        remaining.remove(chosen)
        for x in remaining:
            if kernel[x][chosen] == 0:
                continue
            weight = kernel[x][chosen] / (1 - kernel[chosen][chosen])
            reward[x] += weight * reward[chosen]
            time[x] += weight * time[chosen]
            for y in remaining:
                kernel[x][y] += weight * kernel[chosen][y]
    return index
