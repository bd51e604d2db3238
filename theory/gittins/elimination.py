r"""Gittins indices by one fraction-free elimination, in a proposed and then certified order. The default.

The rates of `theory.elimination` are the indices if the states are sorted by non-increasing index. Floating point
*proposes* the order, and the exact rates *certify* it: the order is right exactly when they do not increase, ties
allowed. (Eliminating one more state replaces a state's rate by a weighted average of its own and the pivot's. So a
state that comes too late stays above every later pivot, and shows as an increase.) If the order is wrong, another is
proposed with more digits (`theory.gittins.balls`), until the digits tell all different rates apart.
"""

from __future__ import annotations

from itertools import pairwise

from flint import fmpq

from theory.elimination import rates_along
from theory.gittins.balls import order_in_balls
from theory.gittins.proposal import propose_order
from theory.model import Arm

_SPARE_BITS = 192


def indices_by_elimination(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly."""
    order = propose_order(arm, discount)
    rates = rates_along(arm, discount, order)
    bits = 0
    while any(later > earlier for earlier, later in pairwise(rates)):
        # the lengths of the numbers bound how close together two indices may be
        bits = 4 * bits or _SPARE_BITS + 2 * _longest(arm, discount)
        order = order_in_balls(arm, discount, bits)
        rates = rates_along(arm, discount, order)
    index = dict(zip(order, rates, strict=True))
    return tuple(index[state] for state in range(arm.size))


def _longest(arm: Arm, discount: fmpq) -> int:
    values = [discount, *arm.rewards, *(p for row in arm.entries for _, p in row)]
    return max(max(value.p.bit_length(), value.q.bit_length()) for value in values)
