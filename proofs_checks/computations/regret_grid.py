"""The constants of Theorem 1 once more, on a grid in floating point: formulas as the paper writes them, nothing shared.

It is the second opinion beside `theory.paper.regret`: other code, other numbers, no supremum certified. Moments of the
longest episode are sums of its tails.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from math import gamma, log, sqrt
from typing import TypeAlias

import numpy as np

Model: TypeAlias = "tuple[int, int, int, float]"
Moment: TypeAlias = "Callable[[float, int, float], float]"
"""Of alpha, K and beta."""

STATES = (1, 2, 3, 20, 10**6, 10**24)
ARMS = (1, 2, 10)
EPISODES = (2, 3, 4, 6, 15, 1000)
DISCOUNTS = (*(step / 32 for step in range(32)), 0.99, 0.999)
STEPS_OF_REFINEMENT = 40


@cache
def exact(alpha: float, K: int, beta: float) -> float:
    """Return E max H^alpha for K geometric horizons."""
    if beta == 0:
        return 1.0
    last = int((log(K) + 40) / -log(beta)) + 2
    m = np.arange(1, last, dtype=float)
    tails = -np.expm1(K * np.log1p(-(beta**m)))  # P(max H > m)
    return 1.0 + float(np.sum(((m + 1) ** alpha - m**alpha) * tails))


def lemma(alpha: float, K: int, beta: float) -> float:
    """Return what Lemma `moment` prints."""
    return float(5 + 5 * (log(K) / (1 - beta)) ** alpha)


def misplaced(alpha: float, K: int, beta: float) -> float:
    """Return what the second line of `eq:proof_bound` has in place of it: its factor 2 is lost for alpha = 3/2."""
    return float((5 + 5 * log(K) / (1 - beta)) ** alpha) / (2 if alpha == 1.5 else 1)


def repaired(alpha: float, K: int, beta: float) -> float:
    """Return what the repaired lemma bounds it by."""
    return float(((log(K) + gamma(1 + alpha) ** (1 / alpha)) / (1 - beta)) ** alpha)


def right_side(algorithm: str, S: int, n: int, K: int, beta: float) -> float:
    """Return the theorem's right-hand side with constant 1."""
    z = log(K) / (1 - beta)
    f = S * n * z**2 + sqrt(S * n * K) * z**1.5
    y = log(S * n * K * log(K) / (1 - beta))
    return float((sqrt(S) / (1 - beta) * y if algorithm == "MB-UCBVI" else sqrt(S) + y) * f)


def last_l(S: int, n: int, K: int, beta: float) -> float:
    """Return L_K."""
    return sqrt(2 * log(4 * S * n * K**2 * log(K) / (1 - beta)))


def l_before_last(S: int, n: int, K: int, beta: float) -> float:
    """Return L_{K-1}."""
    return sqrt(2 * log(2 * S * n * K * (K - 1) * log(K * (K - 1)) / (1 - beta)))


def displayed(front: float, additive: float, moment: Moment, S: int, n: int, K: int, beta: float) -> float:
    """Return the last display of MB-PSRL or MB-UCRL2."""
    moments = S * n * moment(2, K, beta) + 2 * sqrt(S * n * K) * moment(1.5, K, beta)
    return additive / (1 - beta) + front * (last_l(S, n, K, beta) + sqrt(S)) * moments


def displayed_ucbvi(last: bool, additive: float, moment: Moment, S: int, n: int, K: int, beta: float) -> float:
    """Return the last display of MB-UCBVI, or the one before."""
    moments = S * n * moment(2, K, beta) + 2 * sqrt(S * n * K) * moment(1.5, K, beta)
    L = last_l(S, n, K, beta)
    front = 2 * (1 + sqrt(S)) / (1 - beta) * L**2 if last else 2 * L * (L + sqrt(S)) / (1 - beta)
    return additive / (1 - beta) + front * moments


def sharpest(algorithm: str, S: int, n: int, K: int, beta: float) -> float:
    """Return what is left when all losses are taken back."""
    x, L, root = 1 / (1 - beta), l_before_last(S, n, K, beta), sqrt(S * n * K)
    half, one, three, two = (exact(alpha, K, beta) for alpha in (0.5, 1, 1.5, 2))
    first = S * n * one + 2 * min(root * half, root * sqrt(x))
    rows = S * n * (two - one) + 2 * min(root * (three - half), root * sqrt(x * max(0.0, two - 2 * one + 1)))
    radius = L + sqrt(2 * log(2)) * sqrt(S)
    per_event = (K - 1) / (K * log(K)) * x
    if algorithm == "MB-UCBVI":
        return (2 + S) * per_event + L * (1 + x) / 2 * first + (1 + L * x / 2) * radius / 2 * rows
    return (4 if algorithm == "MB-PSRL" else 2) * per_event + L * first + radius * rows


def largest_quotient(algorithm: str, bound: Callable[..., float], arms: int = 1) -> tuple[float, Model]:
    """Return the largest quotient of a bound by the right-hand side on the grid, and where; refined in the discount.

    Examples
    --------
    >>> from functools import partial
    >>> value, model = largest_quotient("MB-PSRL", partial(displayed, 3, 9, lemma))
    >>> round(value, 3), model
    (170.695, (1, 1, 2, 0.0))
    """

    def quotient(model: Model) -> float:
        return bound(*model) / right_side(algorithm, *model)

    best = max(product(STATES, [n for n in ARMS if n >= arms], EPISODES, DISCOUNTS), key=quotient)
    S, n, K, beta = best
    low, high = max(0.0, beta - 1 / 32), min(0.999, beta + 1 / 32)
    for _ in range(STEPS_OF_REFINEMENT):  # of a function with one maximum in between
        thirds = low + (high - low) / 3, high - (high - low) / 3
        low, high = (
            (thirds[0], high) if quotient((S, n, K, thirds[0])) < quotient((S, n, K, thirds[1])) else (low, thirds[1])
        )
    found = max([best, (S, n, K, (low + high) / 2)], key=quotient)
    return quotient(found), found
