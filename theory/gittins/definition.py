"""Gittins indices by their definition (`eq:eq_Gindex`): the best stopping set, found by trying all of them.

The supremum over stopping times is attained by leaving a set of states, so trying the 2^S sets is enough. The code is
slow and simple on purpose.
"""

from __future__ import annotations

from itertools import compress, product

from flint import fmpq

from theory.errors import TooLargeError
from theory.model import Arm
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
