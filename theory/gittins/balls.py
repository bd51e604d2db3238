"""Folding in balls: the rates of all states with their errors, the largest first, at any precision.

This is the elimination of `theory.gittins.folding` at the precision in force. It subtracts nothing, so balls stay
narrow: a state's row and 1 - beta times its time sum to 1, so that the mass leaving the state is a sum, too
(Grassmann, Taksar and Heyman 1985).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import flint
from flint import arb, fmpq

from theory.model import Arm


class Folded(NamedTuple):
    """The states in the order in which they were folded in, with the rate and the time of each at that moment."""

    order: list[int]
    rates: list[arb]
    times: list[arb]


def fold(kernel: Sequence[Sequence[arb]], rewards: Sequence[arb], rest: arb) -> Folded:
    """Fold the state of largest rate into the others until none is left; `kernel` is the discount times the rows."""
    remaining = list(range(len(rewards)))
    table = [[*row, reward, arb(1)] for row, reward in zip(kernel, rewards, strict=True)]
    found = Folded([], [], [])
    while remaining:
        rates = [row[-2] / row[-1] for row in table]
        k = next_of(rates)
        chosen = table.pop(k)
        found.order.append(remaining.pop(k))
        found.rates.append(rates[k])
        found.times.append(chosen[-1])
        del chosen[k]
        leaving = sum(chosen[:-2], rest * chosen[-1])
        for i, row in enumerate(table):
            factor = row.pop(k)
            if not factor.is_zero():
                factor /= leaving
                table[i] = [entry + factor * other for entry, other in zip(row, chosen, strict=True)]
    return found


def next_of(rates: Sequence[arb]) -> int:
    """Return the position of the ball with the largest midpoint among the rates."""
    return max(range(len(rates)), key=[rate.mid() for rate in rates].__getitem__)


def order_in_balls(arm: Arm, discount: fmpq, bits: int) -> list[int]:
    """Return the states by non-increasing index, computed with `bits` bits: an uncertified proposal."""
    least = min(arm.rewards)  # equivalent: the order is that of rewards above any other number
    with flint.ctx.workprec(bits):
        kernel = [[arb(discount * p) if p else arb(0) for p in row] for row in arm.transitions]
        rewards = [arb(reward - least) for reward in arm.rewards]  # equivalent: as above
        return fold(kernel, rewards, arb(1 - discount)).order
