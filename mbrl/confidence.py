r"""The confidence radii and bonuses of the optimistic learners, one function per formula.

They follow the main text of the paper (`eq:conf_rq` and the definitions above and below it): steps
:math:`t_k = 1 + H_1 + \dots + H_{k-1}` are counted from 1, and a pair never seen counts as seen once. The learners on
the global process use the same functions, with the :math:`S^n n` pairs of a global state and an arm in place of the
:math:`S n` arm states, and :math:`S^n` next states in place of :math:`S`.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import part

Visits = TypeVar("Visits", float, NDArray[np.float64])
Radii: TypeAlias = Annotated[
    Literal["text", "appendix"], "radii or bonus of the main text, with t_k, or of Lemma concentration, with tau_k"
]


@part
def reward_radius(visits: Visits, pairs: int, episodes: int, step: float) -> Visits:
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
        :math:`t_k`, from 1, or :math:`\tau_k`.

    Examples
    --------
    With p = K = t = 1: sqrt(log(2)/2) for N = 0 and N = 1, half of it for N = 4.

    >>> reward_radius(np.array([0.0, 1.0, 4.0]), 1, 1, 1).round(6)
    array([0.588705, 0.588705, 0.294353])
    """
    radius: Visits = np.sqrt(reward_square(pairs, episodes, step) / np.maximum(1.0, visits))
    return radius


@part
def reward_square(pairs: int, episodes: int, step: float) -> float:
    """Return the square of the `reward_radius` of one visit, which all arm states share."""
    return 0.5 * log(2.0 * pairs * episodes * step)


@part
def transition_radius(visits: Visits, pairs: int, next_states: int, episodes: int, step: float) -> Visits:
    r"""Return the L1 radius :math:`b^Q = \sqrt{2 \log(p K 2^{S} t) / \max(1, N)}`.

    S is `next_states`, the number of next states of a row; the other arguments are those of `reward_radius`.

    Examples
    --------
    With p = K = t = 1 and S = 2: sqrt(2 log 4) for N = 1, half of it for N = 4.

    >>> transition_radius(np.array([1.0, 4.0]), 1, 2, 1, 1).round(6)
    array([1.665109, 0.832555])
    """
    radius: Visits = np.sqrt(transition_square(pairs, next_states, episodes, step) / np.maximum(1.0, visits))
    return radius


@part
def transition_square(pairs: int, next_states: int, episodes: int, step: float) -> float:
    """Return the square of the `transition_radius` of one visit."""
    return 2 * (log(1.0 * pairs * episodes * step) + next_states * log(2))  # 2**S may be too large for a float


@part
def appendix_step(episodes: int, episode: int, discount: float) -> float:
    r"""Return :math:`\tau_k = (k-1) \log(K(k-1)) / (1-\beta)`, the appendix's bound on :math:`t_k`, or 1 if it is less.

    For the first episode, where the formula is not defined, the result is 1. K is `episodes`, k is `episode`, from 1.

    Examples
    --------
    >>> appendix_step(10, 1, 0.5), round(appendix_step(10, 3, 0.5), 6)  # 2 log(20) / (1/2)
    (1.0, 11.982929)
    """
    earlier = episode - 1
    return max(1.0, earlier * log(1.0 * episodes * earlier) / (1 - discount)) if earlier else 1.0


@part
def appendix_transition_radius(visits: Visits, pairs: int, next_states: int, episodes: int, step: float) -> Visits:
    r"""Return the appendix's L1 radius :math:`(L + 1.5 \sqrt{S}) / \sqrt{\max(1, N)}`, :math:`L^2 = 2\log(2 p K \tau)`.

    The arguments are those of `transition_radius`, with :math:`\tau_k` of `appendix_step` as `step`.

    Examples
    --------
    With p = K = tau = 1 and S = 4: sqrt(2 log 2) + 3 for N = 1, half of it for N = 4.

    >>> appendix_transition_radius(np.array([1.0, 4.0]), 1, 4, 1, 1).round(6)
    array([4.17741 , 2.088705])
    """
    width = sqrt(2 * log(2.0 * pairs * episodes * step)) + 1.5 * sqrt(next_states)
    radius: Visits = width / np.sqrt(np.maximum(1.0, visits))
    return radius


@part
def value_bonus(visits: Visits, pairs: int, episodes: int, step: float, discount: float) -> Visits:
    r"""Return the bonus of MB-UCBVI, :math:`b = \frac{1}{1-\beta} \sqrt{\log(2 p K t) / (2 \max(1, N))}`.

    The other arguments are those of `reward_radius`.

    Examples
    --------
    >>> value_bonus(np.array([4.0]), 1, 1, 1, 0.5).round(6)
    array([0.588705])
    """
    return reward_radius(visits, pairs, episodes, step) / (1 - discount)


@part
def bernstein_bonus(
    visits: Visits, variance: Visits, pairs: int, episodes: int, step: float, discount: float
) -> Visits:
    r"""Return the smaller of `value_bonus` and the empirical-Bernstein bonus of MB-UCBVI-Bernstein.

    With :math:`l = \log(2 p K t)` and :math:`B = 1/(1-\beta)` the empirical-Bernstein bonus is

    .. math:: \sqrt{2 v l / N} + \frac{7 B l}{3 (N - 1)}

    (Maurer and Pontil, COLT 2009, theorem 4, for numbers from 0 to B). It fails with a probability of at most
    :math:`2 e^{-l}`, as `value_bonus` does. With fewer than two visits the result is `value_bonus`.

    Here v is `variance`, the sample variance with N - 1 in its denominator, or a bound on it, in the shape of `visits`;
    the other arguments are those of `value_bonus`.

    Examples
    --------
    With p = K = t = 1 and beta = 0: l = log(2), and log(2) 7/300 for N = 101 and equal numbers.

    >>> bernstein_bonus(np.array([101.0, 101.0]), np.array([0.0, 0.25]), 1, 1, 1, 0.0).round(6)
    array([0.016173, 0.058578])
    """
    logarithm = log(2.0 * pairs * episodes * step)
    few = 7 * logarithm / (3 * (1 - discount) * np.maximum(1.0, visits - 1.0))
    bonus: Visits = np.minimum(
        value_bonus(visits, pairs, episodes, step, discount),
        np.sqrt(2 * variance * logarithm / np.maximum(1.0, visits)) + few,
    )
    return bonus


@part
def formula_value(
    formula: Any,
    fault: NDArray[np.float64],
    shape: tuple[int, int],
    episodes: int,
    step: float,
    visits: float,
    beta: float,
) -> float:
    """Return a user's formula at (S, n, K, t, N, beta); if it is not finite, return 0 and write them into `fault`.

    See `mbrl.agents.formulas.Formula`; `shape` is (n, S).
    """
    value: float = formula(1.0 * shape[1], 1.0 * shape[0], 1.0 * episodes, step, visits, beta)
    if abs(value) < np.inf:
        return value
    fault[0], fault[1], fault[2] = shape[1], shape[0], episodes
    fault[3], fault[4], fault[5] = step, visits, beta
    return 0.0
