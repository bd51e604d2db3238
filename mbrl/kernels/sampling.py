"""Draws from conjugate posteriors, with the generator passed by the caller (`apx:Bayes`).

A row of next states has a Dirichlet posterior; a mean reward has a Beta posterior for Bernoulli rewards, a
Gaussian-Gamma one for Gaussian rewards. The priors are the paper's unless their parameters are given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BetaPrior:
    """Beta law of a mean reward; the uniform one by default (`apx:reward_post`)."""

    successes: float = 1.0
    failures: float = 1.0


@dataclass(frozen=True)
class GaussianGammaPrior:
    """Gaussian-Gamma law of a mean reward and of the precision (inverse variance) of the rewards.

    The precision is Gamma with the given `shape` and `rate`; given the precision p, the mean is Gaussian around `mean`
    with variance 1/(p `weight`). The defaults are those of the paper's posterior (`apx:reward_post`).
    """

    mean: float = 0.0
    weight: float = 1.0
    shape: float = 0.5
    rate: float = 0.5


_UNIFORM: Final = BetaPrior()
_STANDARD: Final = GaussianGammaPrior()


def dirichlet_rows(
    rng: np.random.Generator, counts: Floats, allowed: Floats | None = None, concentration: float = 1.0
) -> Floats:
    """Draw every row from its Dirichlet posterior.

    Parameters
    ----------
    rng
        Advanced by the draw.
    counts : (..., S)
        Observed moves to each next state.
    allowed : (..., S) of 0 and 1, optional
        Next states outside the support (the padding of arms of unequal sizes) are 0.
    concentration
        The prior's parameter for every next state, positive; 1 is the uniform prior.

    Returns
    -------
    (..., S)
        Rows that sum to 1.

    Notes
    -----
    A Gamma variable of shape 1 + c is the sum of an exponential one and an independent Gamma one of shape c: this
    spares the costly sampler where nothing was observed.
    """
    weights: Floats
    if concentration == 1.0:
        weights = rng.standard_exponential(counts.shape)
        observed = np.flatnonzero(counts)
        weights.ravel()[observed] += rng.standard_gamma(counts.ravel()[observed])
    else:
        weights = np.maximum(rng.standard_gamma(counts + concentration), np.finfo(float).tiny)  # 0/0 is no law
    if allowed is not None:
        weights *= allowed
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def beta_means(rng: np.random.Generator, visits: Floats, sums: Floats, prior: BetaPrior = _UNIFORM) -> Floats:
    """Draw mean rewards from their Beta posteriors: the prior's parameters plus successes and failures.

    Parameters
    ----------
    rng
        Advanced by the draw.
    visits, sums : same shape
        Number of rewards of each state, and their sum; every reward is 0 or 1.
    prior
        Of each mean.
    """
    drawn: Floats = rng.beta(prior.successes + sums, prior.failures + (visits - sums))
    return drawn


def gaussian_gamma_means(
    rng: np.random.Generator, visits: Floats, sums: Floats, squares: Floats, prior: GaussianGammaPrior = _STANDARD
) -> Floats:
    """Draw mean rewards from their Gaussian-Gamma posteriors.

    With m and v the empirical mean and variance, w the prior's weight and m0 its mean, the precision is Gamma with
    shape ``shape + N/2`` and rate ``rate + N v/2 + w N (m - m0)^2 / (2(N+w))``; given the precision p, the mean reward
    is Gaussian around ``(w m0 + N m)/(N+w)`` with variance 1/(p(N+w)) (Murphy, 2007, section 3).

    Parameters
    ----------
    rng
        Advanced by the draw.
    visits, sums, squares : same shape
        Number of rewards of each state, their sum, and the sum of their squares.
    prior
        Of each mean and precision.
    """
    weight = visits + prior.weight
    total = sums + prior.weight * prior.mean
    # N v + w N (m - m0)^2 / (N+w) = sum of squares, with w of m0^2, - total^2 / (N+w), which cannot be negative
    spread = squares + prior.weight * prior.mean * prior.mean - total * total / weight
    precision = rng.standard_gamma(0.5 * visits + prior.shape) / (prior.rate + 0.5 * np.maximum(spread, 0.0))
    drawn: Floats = total / weight + rng.standard_normal(visits.shape) / np.sqrt(precision * weight)
    return drawn
