"""Draws from conjugate posteriors, with the generator passed by the caller (`apx:Bayes`).

A row of next states has a Dirichlet posterior with parameters 1 + counts; a mean reward has a Beta posterior for
Bernoulli rewards, a Gaussian-Gamma one for Gaussian rewards. The uniform prior is the one with counts 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def dirichlet_rows(rng: np.random.Generator, counts: Floats, allowed: Floats | None = None) -> Floats:
    """Draw every row from its Dirichlet posterior.

    Parameters
    ----------
    rng
        Advanced by the draw.
    counts : (..., S)
        Observed moves to each next state.
    allowed : (..., S) of 0 and 1, optional
        Next states outside the support (the padding of arms of unequal sizes) are 0.

    Returns
    -------
    (..., S)
        Rows that sum to 1.

    Notes
    -----
    A Gamma variable of shape 1 + c is the sum of an exponential one and an independent Gamma one of shape c: this
    spares the costly sampler where nothing was observed.
    """
    weights: Floats = rng.standard_exponential(counts.shape)
    observed = np.flatnonzero(counts)
    weights.ravel()[observed] += rng.standard_gamma(counts.ravel()[observed])
    if allowed is not None:
        weights *= allowed
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def beta_means(rng: np.random.Generator, visits: Floats, sums: Floats) -> Floats:
    """Draw mean rewards from their Beta posteriors with parameters 1 + successes, 1 + failures.

    Parameters
    ----------
    rng
        Advanced by the draw.
    visits, sums : same shape
        Number of rewards of each state, and their sum; every reward is 0 or 1.
    """
    drawn: Floats = rng.beta(1.0 + sums, 1.0 + (visits - sums))
    return drawn


def gaussian_gamma_means(rng: np.random.Generator, visits: Floats, sums: Floats, squares: Floats) -> Floats:
    """Draw mean rewards from their Gaussian-Gamma posteriors.

    The precision is Gamma with shape (N+1)/2 and rate 1/2 + N v/2 + N m^2 / (2(N+1)), m and v the empirical mean and
    variance; given the precision p, the mean reward is Gaussian around N m/(N+1) with variance 1/(p(N+1)).

    Parameters
    ----------
    rng
        Advanced by the draw.
    visits, sums, squares : same shape
        Number of rewards of each state, their sum, and the sum of their squares.
    """
    # N v + N m^2 / (N+1) = sum of squares - sum^2 / (N+1), which cannot be negative
    rate = 0.5 + 0.5 * (squares - sums * sums / (visits + 1.0))
    precision = rng.standard_gamma(0.5 * (visits + 1.0)) / rate
    drawn: Floats = sums / (visits + 1.0) + rng.standard_normal(visits.shape) / np.sqrt(precision * (visits + 1.0))
    return drawn
