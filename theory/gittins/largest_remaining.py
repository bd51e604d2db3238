r"""Gittins indices by the largest-remaining-index algorithm (Varaiya, Walrand and Buyukkoc 1985), as in a textbook.

The state of largest reward has the largest index. Having found the k-1 states of largest index, the next one is the
state whose discounted reward per discounted time, played until the chain leaves those states and itself, is largest.
Each chosen state is removed from the chain by folding its row into the others.

The arithmetic is that of the numbers passed in: it runs in `flint.fmpq` or in `fractions.Fraction` alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from flint import fmpq

from theory.model import Arm

Number = TypeVar("Number", fmpq, Fraction)


def indices_by_largest_remaining(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly.

    Examples
    --------
    >>> indices_by_largest_remaining(Arm([1, 0], [["1/2", "1/2"], ["1/2", "1/2"]]), fmpq(1, 2))
    (1, 1/4)
    """
    return tuple(largest_remaining_index(arm.transitions, arm.rewards, discount))


def largest_remaining_index(
    transitions: Sequence[Sequence[Number]], rewards: Sequence[Number], discount: Number
) -> list[Number]:
    """Return the Gittins indices in the arithmetic of the numbers given.

    Parameters
    ----------
    transitions : (S, S)
        Rows sum to 1.
    rewards : (S,)
    discount
        ``0 <= discount < 1``.
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
