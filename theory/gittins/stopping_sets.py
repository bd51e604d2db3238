r"""Gittins indices from stopping sets, by two routes without the elimination; slow and simple on purpose.

*By their definition* (`eq:eq_Gindex`): the supremum over stopping times is attained by leaving a set of states, so
trying the 2^S sets is enough.

*By the largest remaining index*, as published (Varaiya, Walrand and Buyukkoc 1985): the state of largest reward has the
largest index. Let C be the k-1 states of largest index. The k-th index is the largest reward per time, over the states
outside C, of one step followed by play until the arm leaves C. Every step solves its linear system anew.
"""

from __future__ import annotations

from itertools import compress, product

from flint import fmpq

from theory.errors import TooLargeError
from theory.model import Arm
from theory.rationals import ONE
from theory.stopping import one_step, stopped_chain

LARGEST_SIZE = 14


def indices_by_definition(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly."""
    if arm.size > LARGEST_SIZE:
        raise TooLargeError(
            f"trying all stopping sets of {arm.size} states is too much (at most {LARGEST_SIZE}); "
            "use the method elimination"
        )
    states = range(arm.size)
    best = list(arm.rewards)
    for stays in product((False, True), repeat=arm.size):
        stopped = stopped_chain(arm, discount, tuple(compress(states, stays)))
        for x in states:
            # the first step is always played (tau > 0), whether x is inside or not
            reward = one_step(arm.transitions[x], stopped.reward, discount, arm.rewards[x])
            time = one_step(arm.transitions[x], stopped.time, discount, fmpq(1))
            best[x] = max(best[x], reward / time)
    return tuple(best)


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
