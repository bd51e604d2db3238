r"""The geometric length H of an episode, and the longest of K independent episodes: tails, moments, bounds.

:math:`P(H \ge m) = \beta^{m-1}` for m = 1, 2, ... Integer moments are rational functions of :math:`\beta` and come out
exact, by inclusion and exclusion over which episodes are longest: the shortest of j independent lengths is geometric
with :math:`\beta^j`. Powers that are not integers come out as balls, by polylogarithms.

Moments have bounds by those of M, the largest of K independent variables of law Exp(1). In the increasing convex order
:math:`(1-\beta) H` is below Exp(1): :math:`E[(H-m)^+] = \beta^m/(1-\beta)` at integers m, the function is linear with
slope :math:`-\beta^m` between integers, and :math:`\beta^m (1-s) \le e^{-m(1-\beta)} e^{-s}`. As
:math:`x \mapsto \max(x, c)^\alpha` is increasing and convex, exponential variables may replace episodes one by one:

.. math:: E[\max_{k \le K} H_k^\alpha] \le E[M^\alpha] / (1-\beta)^\alpha \qquad (\alpha \ge 1),

which is sharp as :math:`\beta \to 1`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb

import flint
from flint import arb, fmpq, fmpq_poly

from theory.domain import check_counts, exact_discount, positive_power
from theory.rationals import ONE, ZERO, Exact


def horizon_tail(m: int, beta: Exact, K: int = 1) -> fmpq:
    r"""Return :math:`P(\max_{k \le K} H_k \ge m) = 1 - (1 - \beta^{m-1})^K`.

    Examples
    --------
    >>> horizon_tail(2, "1/3"), horizon_tail(2, "1/3", K=2)
    (1/3, 5/9)
    """
    discount = exact_discount(beta)
    check_counts(m=m, K=K)
    return ONE - (ONE - discount ** (m - 1)) ** K


def horizon_moment(power: int, beta: Exact, K: int = 1) -> fmpq:
    r"""Return :math:`E[\max_{k \le K} H_k^r]` exactly, r = `power` a non-negative integer.

    For one episode it is :math:`A_r(\beta)/(1-\beta)^r`, with the Eulerian polynomial :math:`A_r`.

    Examples
    --------
    >>> horizon_moment(1, "1/2"), horizon_moment(2, "1/2"), horizon_moment(1, "1/2", K=2)
    (2, 6, 8/3)
    """
    discount = exact_discount(beta)
    check_counts(K=K)
    check_counts(0, power=power)
    eulerian = _eulerian(power)
    total = ZERO
    for j in range(1, K + 1):
        minimum = discount**j
        term = comb(K, j) * eulerian(minimum) / (ONE - minimum) ** power
        total += term if j % 2 else -term
    return total


def horizon_power(alpha: Exact, beta: Exact, K: int = 1) -> arb:
    r"""Return an enclosure of :math:`E[\max_{k \le K} H_k^\alpha]` for a rational power :math:`\alpha > 0`.

    The sum is by inclusion and exclusion, from :math:`E[H^\alpha] = (1-\beta) \mathrm{Li}_{-\alpha}(\beta) / \beta`.
    Its terms cancel, so it is repeated with more and more bits until only the final rounding is left.

    Examples
    --------
    >>> horizon_power(2, "1/2").contains(6), horizon_power("3/2", "1/2", K=2).str(8, radius=False)
    (True, '4.9202560')
    """
    discount = exact_discount(beta)
    check_counts(K=K)
    exponent = positive_power(alpha)
    return arb(1) if discount == 0 else _horizon_power(exponent, discount, K, flint.ctx.prec)


@lru_cache(maxsize=100_000)  # a claim is checked at many parameters for each moment in it
def _horizon_power(exponent: fmpq, discount: fmpq, K: int, precision: int) -> arb:
    spare = K + 32
    while True:
        with flint.ctx.workprec(precision + spare):
            total = arb(0)
            for j in range(1, K + 1):
                minimum = arb(discount**j)
                term = comb(K, j) * (1 - minimum) / minimum * minimum.polylog(-arb(exponent))
                total = total + term if j % 2 else total - term
        if total.rel_accuracy_bits() >= precision:
            return total + 0  # rounds to the precision in force
        spare *= 2  # polylogarithms of small numbers lose bits too; the sum is 1 or more, so enough bits exist


def exponential_power(alpha: Exact | arb, K: int = 1) -> arb:
    r"""Return an enclosure of :math:`E[M^\alpha]`, M the largest of K independent variables of law Exp(1).

    It equals :math:`\Gamma(1+\alpha) \sum_j (-1)^{j+1} \binom{K}{j} j^{-\alpha}`. For :math:`\alpha \ge 1` it is the
    supremum over the discount of :math:`(1-\beta)^\alpha E[\max_{k \le K} H_k^\alpha]`. The power may be a ball.

    Examples
    --------
    >>> exponential_power(2, K=2).contains(fmpq(7, 2))
    True
    """
    check_counts(K=K)
    with flint.ctx.workprec(flint.ctx.prec + K + 32):
        exponent = alpha if isinstance(alpha, arb) else arb(positive_power(alpha))
        total = arb(0)
        for j in range(1, K + 1):
            term = comb(K, j) * arb(j) ** -exponent
            total = total + term if j % 2 else total - term
        total *= (1 + exponent).gamma()
    return total + 0


@cache
def _eulerian(power: int) -> fmpq_poly:
    """Return the polynomial A with sum over m >= 1 of m^power x^(m-1) = A(x) / (1-x)^(power+1)."""
    numerator = fmpq_poly([1])
    x, one = fmpq_poly([0, 1]), fmpq_poly([1])
    for r in range(1, power + 1):  # multiply the series by x, differentiate, read off the numerator
        raised = x * numerator
        numerator = raised.derivative() * (one - x) + r * raised
    return numerator
