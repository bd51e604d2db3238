r"""Draws from conjugate posteriors, with a generator that the caller passes (`apx:Bayes`).

A row of next states has a Dirichlet posterior; a mean reward has a Beta posterior for Bernoulli rewards, a
Gaussian-Gamma one for Gaussian rewards. The priors are the paper's unless their parameters are given.
"""

from __future__ import annotations

from math import exp, expm1, sqrt
from typing import NamedTuple

import numpy as np

from mbrl.arrays import Floats
from mbrl.kernels.compiling import inlined
from mbrl.kernels.elimination import leaving
from mbrl.kernels.native import beta, standard_exponential, standard_gamma, standard_normal

_TINY = 2.2250738585072014e-308


class Prior(NamedTuple):
    """Independent priors of all rows and of all mean rewards.

    Attributes
    ----------
    gaussian : bool
        Whether mean rewards have the Gaussian-Gamma prior, instead of the Beta one.
    dirichlet : float
        Parameter of every next state; 1 gives the uniform prior of rows.
    successes, failures : float
        Parameters of the Beta prior; 1 and 1 give the uniform one (`apx:reward_post`).
    mean, weight, shape, rate : float
        Parameters of the Gaussian-Gamma prior: the precision (inverse variance) of the rewards is Gamma with `shape`
        and `rate`; given the precision p, the mean reward is Gaussian around `mean` with variance 1/(p `weight`). The
        defaults are those of the paper's posterior (`apx:reward_post`).
    by_scale : bool
        Whether the posterior's rate is used as a scale, like the second parameter of NumPy's Gamma law; the paper
        leaves this open. The result is then not the posterior of this prior.
    """

    gaussian: bool = False
    dirichlet: float = 1.0
    successes: float = 1.0
    failures: float = 1.0
    mean: float = 0.0
    weight: float = 1.0
    shape: float = 0.5
    rate: float = 0.5
    by_scale: bool = False


@inlined
def draw_row(rng: np.random.Generator, moves: Floats, prior: Prior, row: Floats) -> float:
    """Draw a row of next states from its posterior, and return the number of its observed moves.

    The (S,) `moves` are the observed moves to each next state; the (S,) `row` sums to 1 up to rounding.

    A Gamma variable of shape 1 + c is the sum of an exponential variable and an independent Gamma variable of shape c;
    so the costly sampler is not needed for a next state without observations.
    """
    size = row.size
    visits = 0.0
    if prior.dirichlet == 1.0:
        for y in range(size):
            row[y] = standard_exponential(rng)
        for y in range(size):
            if moves[y] > 0.0:
                visits += moves[y]
                row[y] += standard_gamma(rng, moves[y])
    else:
        for y in range(size):
            visits += moves[y]
            row[y] = max(standard_gamma(rng, prior.dirichlet + moves[y]), _TINY)  # a row of zeros would be no law
    scale = 1.0 / leaving(0.0, row, 0, size)
    for y in range(size):
        row[y] *= scale
    return visits


@inlined
def draw_mean(rng: np.random.Generator, visits: float, total: float, squares: float, prior: Prior) -> float:
    r"""Draw a mean reward from its posterior, given the number N of rewards, their sum, and the sum of their squares.

    With m and v the empirical mean and variance, w the prior's weight and m0 its mean, the precision is Gamma with
    shape ``shape + N/2`` and rate ``rate + N v/2 + w N (m - m0)^2 / (2(N+w))``; given the precision p, the mean reward
    is Gaussian around ``(w m0 + N m)/(N+w)`` with variance 1/(p(N+w)) (Murphy, 2007, section 3).

    A Beta variable with parameters 1 and b, for a state that never paid, is :math:`1 - e^{-E/b}` with E exponential.
    """
    if prior.gaussian:
        weight, centre = visits + prior.weight, total + prior.weight * prior.mean
        # N v + w N (m - m0)^2 / (N+w) = sum of squares, with w of m0^2, - centre^2 / (N+w), which cannot be negative
        spread = squares + prior.weight * prior.mean * prior.mean - centre * centre / weight
        precision, rate = standard_gamma(rng, 0.5 * visits + prior.shape), prior.rate + 0.5 * max(spread, 0.0)
        precision = precision * rate if prior.by_scale else precision / rate
        return centre / weight + standard_normal(rng) / sqrt(precision * weight)
    successes, failures = prior.successes + total, prior.failures + (visits - total)
    if successes == 1.0:
        return -expm1(-standard_exponential(rng) / failures)
    if failures == 1.0:
        return exp(-standard_exponential(rng) / successes)
    return beta(rng, successes, failures)
