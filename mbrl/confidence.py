r"""The confidence radii and the bonus of the optimistic learners, each in one place.

They follow the main text of the paper (`eq:conf_rq` and the definitions above and below it), where
:math:`t_k = 1 + H_1 + \dots + H_{k-1}` counts steps from 1, and a pair never seen counts as seen once. The learners on
the global process use the same functions with the :math:`S^n n` pairs of global states and arms in place of the
:math:`S n` arm states, and :math:`S^n` next states in place of :math:`S`.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def reward_radius(visits: Floats, pairs: int, episodes: int, step: int) -> Floats:
    r"""Return :math:`b^r = \sqrt{\log(2 p K t) / (2 \max(1, N))}`.

    Parameters
    ----------
    visits
        N, numbers of observations, of any shape.
    pairs
        p, the number of estimated means: S n for arm states.
    episodes
        K.
    step
        :math:`t_k`, from 1.

    Examples
    --------
    With p = K = t = 1: sqrt(log(2)/2) for N = 0 and N = 1, half of it for N = 4.

    >>> reward_radius(np.array([0.0, 1.0, 4.0]), 1, 1, 1).round(6)
    array([0.588705, 0.588705, 0.294353])
    """
    return np.sqrt(log(2 * pairs * episodes * step) / (2 * np.maximum(1.0, visits)))


def transition_radius(visits: Floats, pairs: int, next_states: int, episodes: int, step: int) -> Floats:
    r"""Return the L1 radius :math:`b^Q = \sqrt{2 \log(p K 2^{S} t) / \max(1, N)}`.

    Parameters
    ----------
    visits, pairs, episodes, step
        As for `reward_radius`.
    next_states
        S, the number of next states of a row.

    Examples
    --------
    With p = K = t = 1 and S = 2: sqrt(2 log 4) for N = 1, half of it for N = 4.

    >>> transition_radius(np.array([1.0, 4.0]), 1, 2, 1, 1).round(6)
    array([1.665109, 0.832555])
    """
    exponent = log(pairs * episodes * step) + next_states * log(2)  # 2**S itself may be beyond a float
    return np.sqrt(2 * exponent / np.maximum(1.0, visits))


def value_bonus(visits: Floats, pairs: int, episodes: int, step: int, discount: float) -> Floats:
    r"""Return the bonus of MB-UCBVI, :math:`b = \frac{1}{1-\beta} \sqrt{\log(2 p K t) / (2 \max(1, N))}`.

    Parameters
    ----------
    visits, pairs, episodes, step
        As for `reward_radius`.
    discount
        beta.

    Examples
    --------
    >>> value_bonus(np.array([4.0]), 1, 1, 1, 0.5).round(6)
    array([0.588705])
    """
    return reward_radius(visits, pairs, episodes, step) / (1 - discount)
