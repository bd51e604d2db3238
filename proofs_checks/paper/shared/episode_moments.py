r"""Moments of the longest of K episodes as functions for formulas, so that a claim about them is one relation.

H has the law :math:`P(H = m) = (1-\beta)\beta^{m-1}`; M is the largest of K independent variables of law Exp(1). The
moment of the longest H grows with the power (lengths are at least 1) and with the discount, so its values at two
corners enclose it over a box.
"""

from __future__ import annotations

from typing import Any

import flint
import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Evaluated
from proofs_checks.claimcheck.statements.evaluation import NotDefinedError, UnclearError, Value
from theory.certified import exponential_power, horizon_moment, horizon_power

MOST_EPISODES = 60
"""Largest number of episodes; more are left undecided, as the terms of inclusion and exclusion cancel."""
MOST_EXACT = 12
MOST_BITS = 256
TERMS = 6000


def ends(value: Value) -> tuple[fmpq, fmpq]:
    """Return the exact ends of an interval.

    Examples
    --------
    >>> ends(fmpq(1, 3)), ends(arb(1).union(arb(2)))[0] <= 1
    ((1/3, 1/3), True)
    """
    return (value, value) if isinstance(value, fmpq) else (value.lower().fmpq(), value.upper().fmpq())


def episodes(K: Value) -> int:
    """Return a number of episodes as an int, if it is not too large for inclusion and exclusion.

    >>> episodes(fmpq(60))
    60

    Raises
    ------
    UnclearError
        If it is too large, or no integer.
    """
    if not isinstance(K, fmpq) or K.q != 1 or K > MOST_EPISODES:
        raise UnclearError(f"moments of the longest of {K} episodes are not computed")
    return int(K.p)


class LongestMoment(Evaluated):
    """The mean of (max H_k)^alpha over K episodes: ``LongestMoment(alpha, beta, K)``."""

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return the moment, exactly for integer powers, otherwise as a ball.

        >>> LongestMoment.compute(fmpq(2), fmpq(1, 2), fmpq(1))  # (1 + beta)/(1 - beta)^2
        6
        >>> over = LongestMoment.compute(fmpq(1), arb(0).union(arb("0.5")), fmpq(1))  # from 1 to 2
        >>> [round(float(end), 6) for end in (over.lower(), over.upper())]
        [1.0, 2.0]
        """
        alpha, beta, K = values
        count, (low, high), (smallest, largest) = episodes(K), ends(beta), ends(alpha)
        if high >= 1:
            raise NotDefinedError("a discount lies in [0, 1)")
        low = max(low, fmpq(0))  # a ball around [0, b] reaches a little below
        lower = _moment(smallest, low, count)
        return lower if (smallest, low) == (largest, high) else arb(lower).union(arb(_moment(largest, high, count)))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        alpha, _, K = (printer._print(each) for each in self.args)
        mean = rf"\mathbb{{E}}[H^{{{alpha}}}]" if K == "1" else rf"\mathbb{{E}}[\max_{{k \le {K}}} H_k^{{{alpha}}}]"
        return mean if exp is None else rf"{mean}^{{{exp}}}"


def _moment(alpha: fmpq, beta: fmpq, K: int) -> Value:
    if alpha.q == 1 and K <= MOST_EXACT:
        return horizon_moment(int(alpha.p), beta, K)
    if flint.ctx.prec > MOST_BITS:
        raise UnclearError(f"the moments agree to {MOST_BITS} bits")
    return horizon_power(alpha, beta, K)


class ExponentialMoment(Evaluated):
    """The mean of M^alpha: ``ExponentialMoment(alpha, K)``."""

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return an enclosure of the moment."""
        alpha, K = values
        return exponential_power(arb(alpha), episodes(K))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        alpha, K = (printer._print(each) for each in self.args)
        mean = rf"\mathbb{{E}}[M_{{{K}}}^{{{alpha}}}]"
        return mean if exp is None else rf"{mean}^{{{exp}}}"


class UnionSum(Evaluated):
    r"""The series of :math:`\min(1, K \beta^{i^{1/\alpha} - a})` over i >= 1: ``UnionSum(alpha, beta, K, a)``."""

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return an enclosure of the series or, if alpha = 1, its exact value; the first example is 1 + 1 + 1/2 + ...

        >>> UnionSum.compute(fmpq(1), fmpq(1, 2), fmpq(2), fmpq(1))
        3
        >>> union, series = (UnionSum.compute(fmpq(5, 2), fmpq(1, 2), *map(fmpq, more)) for more in ((2, 0), (1, 1)))
        >>> powers = PowerSeries.compute(fmpq(2), fmpq(5, 2))
        >>> series.overlaps(union), bool(0 < union.upper() - powers < 1e-7), bool(0 < powers - union.lower() < 1e-4)
        (True, True, True)
        """
        alpha, beta, K, shift = map(_exactly, values)
        if beta == 0:
            return fmpq(floored_power(shift, alpha))
        if alpha == 1 and shift.q == 1:
            whole, i = fmpq(0), 1
            while K * beta ** int(i - shift) > 1:
                whole, i = whole + 1, i + 1
            return whole + K * beta ** int(i - shift) / (1 - beta)
        rate, inverse = -arb(beta).log(), 1 / arb(alpha)
        front = arb(K) * arb(beta) ** -arb(shift)
        total = arb(0)
        for i in range(1, TERMS + 1):
            total += (front * (-rate * arb(i) ** inverse).exp()).min(arb(1))
        end = rate * arb(TERMS) ** inverse
        rest = front * end.gamma_upper(arb(alpha)) * arb(alpha) * rate ** -arb(alpha)
        return total + arb(0).union(rest.upper())

    def _latex(self, printer: Any, exp: Any = None) -> str:
        alpha, beta, K, shift = (printer._print(each) for each in self.args)
        less = "" if shift == "0" else f" - {shift}"
        return rf"\sum_{{i=1}}^\infty \min(1, {K} {beta}^{{i^{{1/{alpha}}}{less}}})"


def floored_power(base: fmpq, power: fmpq) -> int:
    """Return the largest integer i with i^(1/power) <= base; base >= 0.

    Examples
    --------
    >>> floored_power(fmpq(4), fmpq(3, 2)), floored_power(fmpq(5, 2), fmpq(5, 2))
    (8, 9)
    """
    return int((base ** int(power.p)).floor().root(int(power.q)))


def _exactly(value: Value) -> fmpq:
    if not isinstance(value, fmpq):
        raise UnclearError("the series is computed at exact points only")
    return value


class PowerSeries(Evaluated):
    r"""The series of :math:`K^{1 - j^{1/\alpha}}` over j >= 1, K >= 2: ``PowerSeries(K, alpha)``.

    Terms fall with j, so the sum of those after J lies between the integrals from J + 1 and from J. The latter is
    :math:`K \alpha c^{-\alpha} \Gamma(\alpha, c J^{1/\alpha})` with :math:`c = \log K`.
    """

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return an enclosure of the series."""
        K, alpha = map(arb, values)
        exponent, c = 1 / alpha, K.log()
        head = sum((K * (-c * arb(j) ** exponent).exp() for j in range(1, TERMS + 1)), arb(0))

        def rest(start: int) -> arb:
            return K * (c * arb(start) ** exponent).gamma_upper(alpha) * alpha * c**-alpha

        return head + rest(TERMS + 1).union(rest(TERMS))

    def term(self, j: sympy.Symbol) -> sympy.Expr:
        """Return the j-th term."""
        K, alpha = self.args
        return K ** (1 - j ** (1 / alpha))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        K, alpha = (printer._print(each) for each in self.args)
        return rf"\sum_{{j=1}}^\infty {K}^{{1 - j^{{1/({alpha})}}}}"
