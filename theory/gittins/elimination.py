r"""Gittins indices by one fraction-free elimination, in a proposed and then certified order. The default.

Sorted by non-increasing index, the indices are the rates of the states in `theory.elimination`. The order is *proposed*
in floating point and *certified* by the exact rates: it is right exactly when they do not increase, ties allowed. A
state that should have come earlier stays above every later pivot, because eliminating one more state replaces its rate
by a weighted average of itself and the pivot's; so it shows as an increase. Then an order is proposed with more digits
(`theory.gittins.balls`), and with more still: in the end they tell all rates apart that are not the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from flint import fmpq

from theory.elimination import rates_along
from theory.gittins.balls import order_in_balls
from theory.gittins.proposal import propose_order
from theory.model import Arm

_SPARE_BITS = 192


def indices_by_elimination(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly.

    Parameters
    ----------
    arm
        S states.
    discount
        ``0 <= discount < 1``.

    Examples
    --------
    >>> indices_by_elimination(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/2", "1/2"]]), fmpq(1, 2))
    (1, 1/4)
    """
    indices, _ = indices_and_certainty(arm, discount, propose_order(arm, discount))
    return indices


def indices_and_certainty(arm: Arm, discount: fmpq, order: Sequence[int]) -> tuple[tuple[fmpq, ...], bool]:
    """Return the indices, and whether the proposed `order` was certified: all states, each once, and in order.

    Where it was not, they come from a better order; they are right either way.
    """
    rates = rates_along(arm, discount, order) if sorted(order) == list(range(arm.size)) else None
    certified = rates is not None and _do_not_increase(rates)
    bits = 0
    while rates is None or not _do_not_increase(rates):
        # the numbers' lengths say how close together indices are meant
        bits = 4 * bits or _SPARE_BITS + 2 * _longest(arm, discount)
        order = order_in_balls(arm, discount, bits)
        rates = rates_along(arm, discount, order)
    index = dict(zip(order, rates, strict=True))
    return tuple(index[state] for state in range(arm.size)), certified


def _longest(arm: Arm, discount: fmpq) -> int:
    values = [discount, *arm.rewards, *(p for row in arm.entries for _, p in row)]
    return max(max(value.p.bit_length(), value.q.bit_length()) for value in values)


def _do_not_increase(rates: Sequence[fmpq]) -> bool:
    return all(later <= earlier for earlier, later in pairwise(rates))
