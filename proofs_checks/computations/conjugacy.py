"""Moments of posteriors, by exact integration of prior times likelihood: no formula of a posterior enters."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from flint import fmpq

from theory import ONE


def monomial_integral(powers: Sequence[int]) -> fmpq:
    """Return the integral of prod q_y^(powers of y) over the probability vectors q, by one coordinate after another.

    The density is with respect to the free coordinates; with the first one fixed, the others are a probability vector
    scaled by what it leaves.

    Examples
    --------
    >>> monomial_integral([0, 0]), monomial_integral([1, 0]), monomial_integral([0, 0, 0])
    (1, 1/2, 1/2)
    """
    first, *rest = powers
    if not rest:
        return ONE
    left = sum(rest) + len(rest) - 1
    along = sum((fmpq((-1) ** j * comb(left, j), first + j + 1) for j in range(left + 1)), fmpq(0))
    return along * monomial_integral(rest)


def posterior_moment(visits: Sequence[int], powers: Sequence[int]) -> fmpq:
    """Return E[prod q_y^(powers of y)] given numbers of visits, for the uniform prior."""
    together = [n + power for n, power in zip(visits, powers, strict=True)]
    return monomial_integral(together) / monomial_integral(visits)


def dirichlet_moment(parameters: Sequence[fmpq], powers: Sequence[int]) -> fmpq:
    """Return that moment under the Dirichlet law: rising factorials.

    Raises
    ------
    ZeroDivisionError
        If all parameters are 0.

    Examples
    --------
    >>> dirichlet_moment([fmpq(1), fmpq(1)], [1, 0])
    1/2
    """
    moment, total, drawn = ONE, sum(parameters, fmpq(0)), 0
    for parameter, power in zip(parameters, powers, strict=True):
        for step in range(power):
            moment *= (parameter + step) / (total + drawn)
            drawn += 1
    return moment
