r"""Enclosures of all indices of an arm by one elimination in balls (`theory.gittins.balls`).

Balls may leave the order of the pivots undecided; the bounds below hold for any order. Take any member of the box. Let
:math:`\gamma_k` be its rates in the order found, :math:`t_k` the times, and :math:`f_{kj} \ge 0` the factor of pivot j
for row k: :math:`r_k = \gamma_k t_k - \sum_j f_{kj} \gamma_j t_j` and :math:`1 = t_k - \sum_j f_{kj} t_j`.

* The index of state k is at least :math:`\gamma_k`, the rate of one stopping time.
* With :math:`\gamma'_k = \max_{j \ge k} \gamma_j` in place of :math:`\gamma_k`, these equations give other rewards
  :math:`r'`, whose indices are :math:`\gamma'`, as these do not increase. :math:`r'` is lower than r by at most
  :math:`\sum_j f_{kj} t_j (\gamma'_j - \gamma_j) \le (t_k - 1) \max_j (\gamma'_j - \gamma_j)`, and an index falls by
  no more than the rewards do. So the index of state k is at most :math:`\gamma'_k` plus the largest such drop.

A state's index is certainly its exact reward g if the state lies in a set of states of reward at most g that leads only
to itself and to states of index at most g.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import flint
from flint import arb, fmpz

from theory.enclosures.box import ArmBox
from theory.enclosures.enclosure import Enclosure, rounded_up
from theory.gittins.balls import fold
from theory.rationals import ZERO

_SPARE_BITS: Final = 16  # results are widened by so many bits, so that they contain results with more bits


def ranges_by_elimination(arm: ArmBox, discount: Enclosure, bits: int) -> tuple[Enclosure, ...]:
    """Return an enclosure of every state's index over an arm's box and these discounts, close if the box is small.

    Examples
    --------
    >>> from flint import fmpq
    >>> from theory.enclosures.box import RowBox
    >>> zero, half = Enclosure.point(fmpq(0)), Enclosure.point(fmpq(1, 2))
    >>> rows = (RowBox.of([half, half]),) * 2
    >>> around = tuple(Enclosure(each - fmpq(1, 10), each + fmpq(1, 10)) for each in (fmpq(0), fmpq(1)))
    >>> _, best = ranges_by_elimination(ArmBox(around, rows, (zero, zero), (zero, zero)), half, 64)
    >>> 0 <= best.high - fmpq(11, 10) < fmpq(1, 10**9)  # no index is above the largest reward
    True
    """
    least, most = min(reward.low for reward in arm.rewards), max(reward.high for reward in arm.rewards)
    with flint.ctx.workprec(bits + 2 * len(arm.rewards) + 32):
        beta = _ball(discount)
        order, balls, times = fold(
            [[beta * _ball(Enclosure(*ends)) for ends in zip(row.low, row.high, strict=True)] for row in arm.rows],
            [_ball(Enclosure(reward.low - least, reward.high - least)) for reward in arm.rewards],
            _ball(Enclosure(1 - discount.high, 1 - discount.low)),
        )
    if not all(ball.is_finite() for ball in (*balls, *times)):  # the box is so wide that a divisor may be 0
        return tuple(Enclosure(reward.low, most) for reward in arm.rewards)
    rates = [Enclosure.of_ball(ball) for ball in balls]
    longest = min(max(Enclosure.of_ball(time).high for time in times), 1 / (1 - discount.high))
    low = [rate.low + least for rate in rates]
    # the largest upper end from each pivot on
    from_here_on = list(accumulate((rate.high + least for rate in reversed(rates)), max))[::-1]
    excess = max((max(after - each, ZERO) for each, after in zip(low, from_here_on[1:], strict=False)), default=ZERO)
    largest = max(reward.magnitude for reward in arm.rewards)
    widening = rounded_up(largest / (fmpz(1) << (bits - _SPARE_BITS)), 8)
    found = [Enclosure.point(ZERO)] * len(order)
    for k, x in enumerate(order):
        reward = arm.rewards[x]
        high = max(from_here_on[k] + (longest - 1) * excess, reward.high)
        found[x] = Enclosure(max(low[k] - widening, reward.low), high + widening).rounded(bits)
    return tuple(arm.rewards[x] if _is_reward(arm, x, found) else found[x] for x in range(len(found)))


def _ball(number: Enclosure) -> arb:
    return arb(number.low) if number.is_exact else arb(number.low).union(arb(number.high))


def _is_reward(arm: ArmBox, x: int, found: Sequence[Enclosure]) -> bool:
    """Return whether the index of a state is certainly its reward, an exact number; see the module."""
    reward = arm.rewards[x]
    if not reward.is_exact or not found[x].contains(reward.low):
        return False
    no_larger = {y for y, index in enumerate(found) if index.high <= reward.low}
    closed = {y for y in range(len(found)) if arm.rewards[y].high <= reward.low} - no_larger
    while x in closed:
        leaving = {y for y in closed if any(p and z not in closed | no_larger for z, p in enumerate(arm.rows[y].high))}
        if not leaving:
            return True
        closed -= leaving
    return x in no_larger
