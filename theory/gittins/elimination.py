r"""Gittins indices by one fraction-free elimination, in a proposed and then certified order. The default.

The rates of `theory.elimination` are the indices if the states are sorted by non-increasing index. Floating point
*proposes* the order, and the exact rates *certify* it: the order is right exactly when they do not increase, ties
allowed. (Eliminating one more state replaces a state's rate by a weighted average of its own and the pivot's. So a
state that comes too late stays above every later pivot, and shows as an increase.) If the order is wrong, another is
proposed with more digits (`theory.gittins.balls`), until the digits tell all different rates apart.
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
    """Return the indices, and whether `order` was certified: it has each state once, with rates that do not increase.

    If not, the indices come from a better order; they are right in either case.
    """
    rates = rates_along(arm, discount, order) if sorted(order) == list(range(arm.size)) else None
    certified = rates is not None and _do_not_increase(rates)
    bits = 0
    while rates is None or not _do_not_increase(rates):
        # the lengths of the numbers bound how close together two indices may be
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
