r"""Variance in one move of the value of an arm with a retirement reward, at the worst retirement reward.

An arm that may retire for a reward m has the values :math:`\varphi(y, m)`, the larger of m and of playing on once.
Between two neighbours of the numbers :math:`m_s = \gamma_s / (1-\beta)`, with :math:`\gamma_s` the indices of its
states, every value is affine in m. A standard deviation is convex, so it is largest at one of the :math:`m_s`.

At :math:`m_s` the states of larger index play on. They are eliminated (`mbrl.kernels.elimination`), in the order of
their ratios, from *all* rows. Then :math:`\varphi(y, m) = r_y + m (1 - \kappa_y)` for an eliminated y, and m otherwise;
the next :math:`m_s` is the largest :math:`r_y / \kappa_y` of the rest. The whole computation takes :math:`O(S^3)`.
"""

from __future__ import annotations

import numpy as np

from mbrl.arrays import Floats
from mbrl.kernels.compiling import part


@part
def local_variances(rows: Floats, rewards: Floats, discount: float, variances: Floats) -> None:
    r"""Write, for every state x, the largest variance over m of :math:`\varphi(y, m)`, with y the next state of x.

    The (s, s) `rows` are laws or zeros.
    """
    size = rewards.size
    weights, gains, ends, values = np.empty((size, size)), rewards.copy(), np.empty(size), np.empty(size)
    gone = np.zeros(size, np.bool_)
    for x in range(size):
        ends[x] = 1.0 - discount if rows[x].sum() > 0.0 else 1.0
        variances[x] = 0.0
        for y in range(size):
            weights[x, y] = discount * rows[x, y]  # an expression of arrays would take seconds to compile
    for _ in range(size):
        best = -1
        for y in range(size):
            if not gone[y] and (best < 0 or gains[y] / ends[y] > gains[best] / ends[best]):
                best = y
        retirement = gains[best] / ends[best]
        for y in range(size):
            values[y] = gains[y] + retirement * (1.0 - ends[y]) if gone[y] else retirement
        for x in range(size):
            mean, variance = 0.0, 0.0
            for y in range(size):
                mean += rows[x, y] * values[y]
            for y in range(size):
                variance += rows[x, y] * (values[y] - mean) ** 2
            variances[x] = max(variances[x], variance)
        gone[best] = True
        leaving = ends[best]
        for y in range(size):
            if not gone[y]:
                leaving += weights[best, y]
        weights[best, best] = 0.0
        gains[best] /= leaving
        ends[best] /= leaving
        for z in range(size):
            weights[best, z] /= leaving
        for y in range(size):
            jump = weights[y, best]
            gains[y] += jump * gains[best]
            ends[y] += jump * ends[best]
            for z in range(size):
                weights[y, z] += jump * weights[best, z]
