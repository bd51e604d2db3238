r"""State elimination without subtraction, and bounds on its rounding errors.

A chain on S states moves from i to j with weight :math:`w_{ij} = \beta Q(i, j)` and ends with weight :math:`\kappa_i`,
at first :math:`1-\beta`. Eliminating the state k lets every other state i jump over it,

.. math:: f = \frac{w_{ik}}{D_k}, \quad w_{ij} \mathrel{+}= f w_{kj}, \quad \kappa_i \mathrel{+}= f \kappa_k, \quad
          r_i \mathrel{+}= f r_k, \quad c_i \mathrel{+}= f c_k, \qquad D_k = \kappa_k + \sum_{j \ne k} w_{kj},

with rewards r and times c, at first 1. :math:`D_k` is :math:`1 - w_{kk}` without the subtraction (Grassmann, Taksar and
Heyman, Oper. Res. 33, 1985). So nothing is ever subtracted, discounts close to 1 cost no accuracy, and diagonals are
never read: a row's diagonal is what is missing from 1. A row of zeros has no next state: play ends there.

Rounding
--------
Every result of an elimination (an index, a value, a theta) is a quotient of two polynomials with non-negative
coefficients in weights, ends, rewards and times. No monomial has two factors from one row, since the polynomials are
sums over forests. So if the entries of row i have a relative error of at most :math:`\delta_i`, the quotient has one of
at most :math:`2 \sum_i \delta_i`, to first order, if rewards are non-negative. Eliminating one of m + 1 states gives
the m others the error of :math:`D_k` and three roundings each. `elimination_error` adds these up; with rewards of both
signs it is relative to the same quantity for their absolute values. The bound is proved; errors in practice are some
units of the last place (O'Cinneide, Numer. Math. 65, 1993).
"""

from __future__ import annotations

from mbrl.arrays import Floats
from mbrl.kernels.compiling import inlined, part

UNIT = 2.0**-53
"""Largest relative error of one rounding, without overflow or underflow."""

TWOFOLD_BELOW = 1e-3
"""Value of 1 - discount below which policy iteration uses sums of two floats as values: the rounding of one float,
divided by 1 - discount, would be too large an error."""

_BLOCK = 32
_ROUNDINGS_OF_BLOCKS = 13


@inlined
def leaving(end: float, row: Floats, first: int, last: int) -> float:
    """Return `end` plus the sum of the non-negative ``row[first:last]``, the weight with which a state is left.

    From 32 terms on, the sum is of sums of 32 terms (four at a time, so with at most nine roundings each), which are
    added together with their rounding errors (Neumaier, 1974).
    """
    total = end
    if last - first < _BLOCK:
        for j in range(first, last):
            total += row[j]
        return total
    lost = 0.0
    for start in range(first, last, _BLOCK):
        stop = min(start + _BLOCK, last)
        whole = stop - (stop - start) % 4
        one, two, three, four = 0.0, 0.0, 0.0, 0.0
        for j in range(start, whole, 4):
            one += row[j]
            two += row[j + 1]
            three += row[j + 2]
            four += row[j + 3]
        for j in range(whole, stop):
            one += row[j]
        term = (one + two) + (three + four)
        following = total + term
        if total >= term:
            lost += (total - following) + term
        else:
            lost += (term - following) + total
        total = following
    return total + lost


@part
def elimination_error(size: int) -> float:
    """Return a bound on the relative error of each index, value or theta from eliminating `size` states.

    Examples
    --------
    >>> [f"{elimination_error(size):.1e}" for size in (1, 4, 11, 100, 200)]
    ['3.3e-16', '8.1e-15', '1.2e-13', '1.9e-11', '7.2e-11']
    """
    roundings = 2.0 * size + 1.0  # of the weights themselves, and of the last division
    for others in range(1, size):
        of_sum = others if others < _BLOCK else _ROUNDINGS_OF_BLOCKS
        roundings += 2.0 * others * (of_sum + 3)
    return 1.001 * UNIT * roundings
