"""Union bounds with exponential terms, summed symbolically: for all parameters, and for radii that are scaled.

A radius multiplied by `scale` < 1 leaves a power of S, n, K and the time in the ratio of a sum to its claimed bound;
`at_most_one` then does not establish that bound.
"""

from __future__ import annotations

from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from theory import sympy_rational

S, n, K, tau, t, log, drawn, width = sympy.symbols("S n K tau t log l w", positive=True)
"""Sizes; tau_k; t_k; log(K(k-1)); the number l of draws; the width of one draw's range."""

MEAN_STEPS = tau / log
"""E[t_k - 1]: the entry `conc:mean-steps`."""


def mean_bound(time: Any = tau, scale: fmpq | int = 1, factor: Any = 1) -> Any:
    """Return Hoeffding's bound 2 exp(-2 l e^2/w^2) at e = scale w sqrt(log(2SnK time factor)/(2l)).

    Examples
    --------
    >>> mean_bound()
    1/(K*S*n*tau)
    """
    square = (sympy_rational(scale) * width) ** 2 * sympy.log(2 * S * n * K * time * factor) / (2 * drawn)
    return sympy.simplify(2 * sympy.exp(-2 * drawn * square / width**2))


def constant_bound(argument: Any, one_minus_beta: Any, scale: fmpq | int = 1) -> Any:
    """Return Hoeffding's bound for draws in [0, 1] at e = scale sqrt(log(argument)/(2l))/(1-beta)."""
    square = sympy_rational(scale) ** 2 * sympy.log(argument) / (2 * drawn * one_minus_beta**2)
    return sympy.simplify(2 * sympy.exp(-2 * drawn * square))


def row_bound(time: Any = tau, scale: fmpq | int = 1) -> Any:
    """Return Weissman's bound 2^S exp(-l e^2/2) at e = scale sqrt(2 log(SnK 2^S time)/l).

    Examples
    --------
    >>> row_bound()
    1/(K*S*n*tau)
    """
    square = sympy_rational(scale) ** 2 * 2 * sympy.log(S * n * K * 2**S * time) / drawn
    return sympy.simplify(2**S * sympy.exp(-drawn * square / 2))


def union_ratio(steps: Any, bound: Any, claimed: Any, states: Any = n * S) -> Any:
    """Return the sum of `bound` over `states` arm states and `steps` values of l, divided by what is claimed.

    Examples
    --------
    >>> union_ratio(MEAN_STEPS, mean_bound(), 1 / (K * log))
    1
    """
    return sympy.simplify(states * steps * bound / claimed)


def at_most_one(ratio: Any) -> bool:
    """Return whether a ratio is shown to be at most 1 for all positive values of its symbols.

    Examples
    --------
    >>> at_most_one((t - 1) / t), at_most_one(t)
    (True, False)
    """
    return sympy.simplify(1 - ratio).is_nonnegative is True


def log_argument_increases() -> bool:
    """Return whether 2SnK tau_k increases in S, n, K, k, beta where K(k-1) >= 1: by the signs of derivatives.

    So it is least, with all that increases with it, at S = n = 1, K = k = 2, beta = 0, where it is 4 log 2.

    Examples
    --------
    >>> log_argument_increases()
    True
    """
    earlier, stretch = sympy.symbols("j x", positive=True)  # k - 1; 1/(1-beta)
    logarithm = sympy.Symbol("log(Kj)", nonnegative=True)
    argument = 2 * S * n * K * earlier * stretch * sympy.log(K * earlier)
    slopes = [
        sympy.diff(argument, each).subs(sympy.log(K * earlier), logarithm) for each in (S, n, K, earlier, stretch)
    ]
    return all(slope.is_nonnegative is True for slope in slopes)
