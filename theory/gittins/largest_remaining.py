r"""Gittins indices by the largest-remaining-index algorithm, as published (Varaiya, Walrand and Buyukkoc 1985).

The state of largest reward has the largest index. Let C be the k-1 states of largest index, and :math:`Q^C` be Q with
the columns outside C set to 0. Solve :math:`(I - \beta Q^C) d = r` and :math:`(I - \beta Q^C) b = 1`: the k-th index is
the largest :math:`d(x)/b(x)` over the states x outside C. Every step solves its linear systems anew, so the algorithm
shares no step with the elimination.

The arithmetic is that of the given numbers: `flint.fmpq` or `fractions.Fraction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar

from flint import fmpq

from theory.model import Arm

Number = TypeVar("Number", fmpq, Fraction)


def indices_by_largest_remaining(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly.

    Examples
    --------
    >>> indices_by_largest_remaining(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/2", "1/2"]]), fmpq(1, 2))
    (1, 1/4)
    """
    return tuple(largest_remaining_index(arm.transitions, arm.rewards, discount))


def largest_remaining_index(
    transitions: Sequence[Sequence[Number]], rewards: Sequence[Number], discount: Number
) -> list[Number]:
    """Return the Gittins indices, in the arithmetic of the given numbers.

    Parameters
    ----------
    transitions : (S, S)
        Rows sum to 1.
    rewards : (S,)
    discount
        ``0 <= discount < 1``.
    """
    one = discount * 0 + 1
    index = list(rewards)
    remaining = list(range(len(rewards)))
    chosen: list[int] = []
    while remaining:
        reward, time = _until_leaving(transitions, rewards, discount, chosen, remaining, one)
        best = max(remaining, key=lambda x: reward[x] / time[x])
        index[best] = reward[best] / time[best]
        remaining.remove(best)
        chosen.append(best)
    return index


def _until_leaving(
    transitions: Sequence[Sequence[Any]],
    rewards: Sequence[Any],
    discount: Any,
    inside: Sequence[int],
    outside: Sequence[int],
    one: Any,
) -> tuple[dict[int, Any], dict[int, Any]]:
    """Return d and b of the states `outside`: one step, then play until the chain leaves the states `inside`."""
    # Gauss-Jordan on the block of the states inside, with both right-hand sides; its pivots are never 0
    rows = [
        [*((one if x == y else 0 * one) - discount * transitions[x][y] for y in inside), rewards[x], one]
        for x in inside
    ]
    size = len(inside)
    for k in range(size):
        pivot = rows[k][k]
        rows[k] = [entry / pivot for entry in rows[k]]
        for i in range(size):
            factor = rows[i][k]
            if i != k and factor != 0:
                rows[i] = [entry - factor * below for entry, below in zip(rows[i], rows[k], strict=True)]
    reward = {x: rewards[x] for x in outside}
    time = dict.fromkeys(outside, one)
    for x in outside:
        for row, y in zip(rows, inside, strict=True):
            reward[x] += discount * transitions[x][y] * row[size]
            time[x] += discount * transitions[x][y] * row[size + 1]
    return reward, time
