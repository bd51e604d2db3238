r"""Gittins indices by the largest-remaining-index algorithm, as published (Varaiya, Walrand and Buyukkoc 1985).

The state of largest reward has the largest index. Let C be the k-1 states of largest index. The k-th index is the
largest reward per time, over the states outside C, of one step followed by play until the arm leaves C. Every step
solves its linear system anew, so the algorithm shares no step with the elimination.
"""

from __future__ import annotations

from flint import fmpq

from theory.model import Arm
from theory.rationals import ONE
from theory.stopping import one_step, stopped_chain


def indices_by_largest_remaining(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly."""
    found: dict[int, fmpq] = {}
    while len(found) < arm.size:
        chain = stopped_chain(arm, discount, found)
        rates = {
            x: one_step(row, chain.reward, discount, arm.rewards[x]) / one_step(row, chain.time, discount, ONE)
            for x, row in enumerate(arm.transitions)
            if x not in found
        }
        best = max(rates, key=rates.__getitem__)
        found[best] = rates[best]
    return tuple(found[x] for x in range(arm.size))
