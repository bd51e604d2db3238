r"""The right-hand sides of Theorem 1 (`thm:regret_upper_bound`) with constant 1, and the bound that needs no learning.

Common parameters: `S` states per arm, `n` arms, `K` episodes, at least 2 (where log K is positive); `beta` the exact
discount in [0, 1). With :math:`z = \log K/(1-\beta)`, :math:`y = \log(SnKz)` and
:math:`f = Sn z^2 + \sqrt{SnK} z^{3/2}`, they are :math:`(\sqrt S + y) f` for MB-PSRL and MB-UCRL2 (order 1) and
:math:`\sqrt S\, y f/(1-\beta)` for MB-UCBVI (order 2). Outside its domain a function raises `ModelError`.
"""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb, fmpq

from theory.domain import check_counts, exact_discount
from theory.errors import ModelError
from theory.rationals import Exact

PSRL, UCRL2, UCBVI = "MB-PSRL", "MB-UCRL2", "MB-UCBVI"
ALGORITHMS = (PSRL, UCRL2, UCBVI)
CONSTANTS: Mapping[str, fmpq] = {PSRL: fmpq(5, 2), UCRL2: fmpq(21, 10), UCBVI: fmpq(3)}
"""The constants with which the kernel proves Theorem 1 (`thm:regret_upper_bound`), for K >= 2."""


def leading_function(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`f(S,n,K,\beta) = Sn (\log K/(1-\beta))^2 + \sqrt{SnK} (\log K/(1-\beta))^{3/2}`.

    It is 0 for K = 1, where the theorem's other factor has no value.

    Examples
    --------
    >>> leading_function(1, 1, 1, "1/2")
    0
    """
    check_counts(S=S, n=n, K=K)
    z = arb(K).log() / arb(1 - exact_discount(beta))
    return S * n * z**2 + arb(S * n * K).sqrt() * z * z.sqrt()


def log_term(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`\log(SnK \log K/(1-\beta))`, for K >= 2: for K = 1 the paper prints the logarithm of 0.

    Examples
    --------
    >>> log_term(1, 1, 2, 0).str(5, radius=False)
    '0.32663'
    """
    check_counts(S=S, n=n)
    check_counts(2, K=K)
    return (S * n * K * arb(K).log() / arb(1 - exact_discount(beta))).log()


def theorem_side(S: int, n: int, K: int, beta: Exact, order: int = 1) -> arb:
    r"""Return the theorem's right-hand side with constant 1, for MB-PSRL and MB-UCRL2 or (`order` 2) for MB-UCBVI."""
    if order not in (1, 2):
        raise ModelError(f"order: {order} is neither 1, of MB-PSRL and MB-UCRL2, nor 2, of MB-UCBVI")
    y, root = log_term(S, n, K, beta), arb(S).sqrt()
    factor = root + y if order == 1 else root * y / arb(1 - exact_discount(beta))
    return factor * leading_function(S, n, K, beta)


def trivial_bound(K: int, beta: Exact) -> fmpq:
    """Return K/(1-beta): rewards are in [0, 1], so no episode's regret exceeds its expected length.

    Examples
    --------
    >>> trivial_bound(3000, "99/100")
    300000
    """
    check_counts(K=K)
    return K / (1 - exact_discount(beta))
