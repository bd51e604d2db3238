r"""The bound on the regret of the minimax learner, `minimax_bound`: B sqrt(SnK) up to logarithms.

With :math:`B = 1/(1-\beta)`, :math:`G = \lceil B\max\{60, \sqrt{K/(Sn)}\} \rceil` cells of levels,
:math:`L = \log(5Sn(G+1)K(KB+1))`, :math:`L' = S\log 2 + L` and :math:`R = 3 + \log(1 + K/(Sn))`:

.. math:: 4B\sqrt{SnKLR} + \frac72 B\sqrt{SnKL} + 39\,SnB^2LL'R.

The kernel proves these constants (`beyond:minimax` of the ledger). The constants 20 and 4 in place of 39 and 3 have a
proof on paper only (`beyond:minimax/nearer`, undecided there). L' is of order S.
"""

from __future__ import annotations

from flint import arb, fmpq

from theory.domain import check_counts, exact_discount
from theory.rationals import Exact, rational


def level_cells(S: int, n: int, K: int, beta: Exact) -> int:
    r"""Return G, the number of cells of levels, or G + 1 if B sqrt(K/(Sn)) is within rounding of an integer.

    Examples
    --------
    >>> level_cells(2, 2, 1000, "1/2"), level_cells(1, 1, 10**6, 0)
    (120, 1000)
    """
    check_counts(S=S, n=n, K=K)
    B = 1 / (1 - exact_discount(beta))
    square = fmpq(K, S * n)
    if square <= 3600:
        return int((60 * B).ceil())
    return int((arb(B) * arb(square).sqrt()).upper().ceil().fmpq().p)


def minimax_logarithm(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`L = \log(5Sn(G+1)K(KB+1))`.

    Examples
    --------
    >>> minimax_logarithm(1, 1, 2, 0).overlaps(arb(5 * 61 * 2 * 3).log())
    True
    """
    B = 1 / (1 - exact_discount(beta))
    return arb(5 * S * n * (level_cells(S, n, K, beta) + 1) * K * (K * B + 1)).log()


def minimax_bound(
    S: int, n: int, K: int, beta: Exact, c: Exact = 4, d: Exact = "7/2", f: Exact = 39, g: Exact = 3
) -> arb:
    r"""Return :math:`cB\sqrt{SnKLR} + dB\sqrt{SnKL} + f\,SnB^2LL'R`, :math:`R = g + \log(1 + K/(Sn))`.

    Examples
    --------
    >>> from theory.paper import trivial_bound
    >>> [minimax_bound(2, 2, K, "1/2") < trivial_bound(K, "1/2") for K in (12_407_240, 12_407_241)]
    [False, True]
    """
    check_counts(S=S, n=n, K=K)
    B, L = 1 / arb(1 - exact_discount(beta)), minimax_logarithm(S, n, K, beta)
    sets, R = S * arb(2).log() + L, rational(g) + (1 + arb(fmpq(K, S * n))).log()
    root = B * (S * n * K * L).sqrt()
    c, d, f = rational(c), rational(d), rational(f)
    return c * root * R.sqrt() + d * root + f * (S * n) * B**2 * L * sets * R
