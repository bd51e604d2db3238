r"""A bound on the change of a policy's value over the rows of a box, computed without the product of the arms.

The value of a priority policy, summed by parts over the states in order of priority, is (`theory.values.conservation`)

.. math:: V(x) = \frac{1}{1-\beta} \Big[ \rho_1 - \sum_{l=1}^{N-1} (\rho_l - \rho_{l+1}) \prod_a \theta^a_l(x_a) \Big],

where :math:`\rho_l` is the reward per time of the l-th state when its arm is played from it through states of higher
priority, and :math:`\theta^a_l(y) = E[\beta^T]` with T the time at which arm a, played alone from y, leaves its states
among the first l. If a row q takes the place of :math:`q_0` of arm a, and the other arms are fixed, then

.. math:: |(q - q_0) V| \le \frac{1}{1-\beta} \sum_l |\rho_l - \rho_{l+1}| \, |(q - q_0) \theta^a_l| =: \varepsilon(q),

and the value (the optimal value if the order is that of the indices) changes by at most
:math:`\beta \max_q \varepsilon(q) / (1-\beta)`: the largest Bellman residual, over :math:`1-\beta`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from flint import fmpq

from theory.enclosures.box import BanditBox
from theory.enclosures.enclosure import rounded_up
from theory.model import Bandit, Priority
from theory.rationals import ONE, ZERO
from theory.stopping import mean, one_step, stopped_chain

_BITS: Final = 64  # precision of a bound, which need not be sharp


def largest_change(box: BanditBox, member: Bandit, order: Priority) -> fmpq:
    """Return a bound on the change of the value of `order` when rows of `member` become others of the box.

    If `order` is that of the Gittins indices of `member`, the bound holds for the optimal value as well.
    """
    discount = member.discount
    deviations: dict[tuple[int, int], list[fmpq]] = {}
    quotients: dict[tuple[int, int], fmpq] = {}
    for a, arm in enumerate(member.arms):
        local = [x for b, x in order if b == a]
        for x in local:
            deviations[a, x] = []
        for level, x in enumerate(local):
            chain = stopped_chain(arm, discount, local[:level])
            reward = one_step(arm.transitions[x], chain.reward, discount, arm.rewards[x])
            quotients[a, x] = reward / one_step(arm.transitions[x], chain.time, discount, ONE)
            theta = [1 - (1 - discount) * time for time in chain.time]
            for y in local:
                row, rows = arm.transitions[y], box.arms[a].rows[y]
                at = mean(row, theta)
                most = max(mean(rows.best(theta), theta) - at, at - mean(rows.worst(theta), theta))
                deviations[a, y].append(rounded_up(most, _BITS))
    totals = dict.fromkeys(deviations, ZERO)
    met = [0] * len(member.arms)
    for (a, x), (b, y) in pairwise(order):
        met[a] += 1
        step = rounded_up(abs(quotients[a, x] - quotients[b, y]), _BITS)
        for (c, z), levels in deviations.items():
            if met[c] < len(levels):  # an arm that is never left has theta = 0
                totals[c, z] += step * levels[met[c]]
    return rounded_up(discount * max(totals.values()) / (1 - discount) ** 2, _BITS)
