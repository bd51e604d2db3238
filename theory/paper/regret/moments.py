r"""The moments of the longest of K episodes that enter the bounds: exact, or as a lemma bounds them.

Each is told in units of :math:`z = \log K/(1-\beta)`, as a ball of :math:`E \max_k H_k^\alpha / z^\alpha` (or of what
bounds it) over a span of episodes and an interval of w = 1 - beta:

- `LEMMA`: :math:`5 + 5 z^\alpha`, as Lemma `moment` prints (false for K <= 3 near beta = 1);
- `MISPLACED`: :math:`(5 + 5z)^2` and :math:`(5+5z)^{3/2}/2`, as the second line of `eq:proof_bound` is typed;
- `EXACT`: those of K geometric horizons, :math:`P(\max H > m) = 1 - (1 - \beta^m)^K`;
- `REPAIRED`: :math:`((\log K + \Gamma(1+\alpha)^{1/\alpha})/(1-\beta))^\alpha`, which is at least the exact one;
- `harmonic_moments`: upper bounds by the sums h1 = 1 + ... + 1/K and h2 = 1 + ... + 1/K^2, see there.

Exact moments over an interval [a, b] of w: each tail :math:`P(\max H \ge m)` grows with beta, so the moment is between
those at the ends; and where a = 0, :math:`(1-\beta)^\alpha E \max H^\alpha` is at most the moment of the largest of K
exponential variables of mean 1 (alpha >= 1; below 1 by Jensen's inequality from alpha = 1), whose first two moments are
h1 and h1^2 + h2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import comb

import flint
from flint import arb, fmpq

from theory.certified import exponential_power, horizon_moment, horizon_power, horizon_power_by_sum
from theory.paper.regret.sloped import Sloped
from theory.paper.regret.span import Interval, Span, increasing_power, over
from theory.rationals import Exact, rational

HALF, ONE, THREE_HALVES, TWO = fmpq(1, 2), fmpq(1), fmpq(3, 2), fmpq(2)
BY_INCLUSION = 40
"""Up to this number of episodes exact moments come from inclusion and exclusion, beyond it from summing the tails."""


@dataclass(frozen=True)
class Moments:
    """Moments of the longest episode, exact or bounded.

    Attributes
    ----------
    name
        For the ledger and the tables.
    says
        What stands for E max H^alpha, in LaTeX.
    over
        ``over(span, w, alpha)``: the ball of the moment over z^alpha.
    sloped
        ``sloped(K, w, alpha)``: the same for K episodes as a function of w, with its derivative; None if not known.
    """

    name: str
    says: str
    over: Callable[[Span, Interval, fmpq], arb]
    sloped: Callable[[int, Interval, fmpq], Sloped] | None = None


def _unit(span: Span, w: Interval) -> arb:
    """Return the ball of 1/z = w/log K."""
    return over(w) * span.inverse_log


def _lemma(span: Span, w: Interval, alpha: fmpq) -> arb:
    return 5 * increasing_power(_unit(span, w), alpha) + 5


def _misplaced(span: Span, w: Interval, alpha: fmpq) -> arb:
    whole = increasing_power(5 * _unit(span, w) + 5, alpha)
    return whole / 2 if alpha == THREE_HALVES else whole


def _repaired(span: Span, w: Interval, alpha: fmpq) -> arb:
    constant = (1 + arb(alpha)).gamma() ** (1 / arb(alpha))
    return increasing_power(1 + constant * span.inverse_log, alpha)


def _exact(span: Span, w: Interval, alpha: fmpq) -> arb:
    low, high = w
    if span.alone and low == high:
        return _low_power(low, alpha) * exact_moment(span.first, low, alpha) / _log_power(span, alpha)
    above = _exponential(span, alpha)
    if not span.alone:
        return arb(0).union(above.upper())
    scale = _log_power(span, alpha)
    if low > 0:
        above = above.min(_low_power(high, alpha) * exact_moment(span.first, low, alpha) / scale)
    below = _low_power(low, alpha) * exact_moment(span.first, high, alpha) / scale if low > 0 else arb(0)
    return below.union(above)


def _exact_sloped(K: int, w: Interval, alpha: fmpq) -> Sloped:
    """Return E max H^alpha (w/log K)^alpha; by inclusion and exclusion its derivative is a sum over j of signed terms.

    E H^alpha is a power series h in the discount with coefficients (m+1)^alpha - m^alpha > 0; so h' grows with it.
    """
    low, high = 1 - w[1], 1 - w[0]
    falling = arb(0)
    for j in range(1, K + 1):
        slope = _series_slope(low**j, alpha, flint.ctx.prec).union(_series_slope(high**j, alpha, flint.ctx.prec))
        term = comb(K, j) * j * over((low, high)) ** (j - 1) * slope
        falling = falling + term if j % 2 else falling - term
    moment = exact_moment(K, w[0], alpha).union(exact_moment(K, w[1], alpha))
    unit, scale = over(w), _log_power(Span(K), alpha)
    power = increasing_power(unit, alpha)
    return Sloped(power * moment / scale, (arb(alpha) * power / unit * moment - power * falling) / scale)


@cache
def _series_slope(x: fmpq, alpha: fmpq, precision: int) -> arb:
    """Return the derivative of h(x) = E H^alpha at the discount x, h(x) = (1-x) Li_{-alpha}(x)/x."""
    with flint.ctx.workprec(precision):
        if alpha.q == 1:
            return arb((1 if alpha == 1 else 3 + x) / (1 - x) ** (int(alpha.p) + 1))
        if x == 0:
            return arb(2) ** arb(alpha) - 1
        ball, order = arb(x), arb(alpha)
        return ((1 - ball) * ball.polylog(-order - 1) - ball.polylog(-order)) / ball**2


def _exponential(span: Span, alpha: fmpq) -> arb:
    """Return the moment of the largest of K exponential variables over (log K)^alpha, or an upper bound of it."""
    if alpha < 1:
        return increasing_power(_exponential(span, ONE), alpha)
    if alpha == ONE:
        return span.first_sum
    if alpha == TWO:
        return span.first_sum**2 + span.second_sum
    if span.alone and span.first <= BY_INCLUSION:
        return _exponential_moment(span.first, alpha, flint.ctx.prec) / _log_power(span, alpha)
    return (_exponential(span, ONE) * _exponential(span, TWO)).upper().sqrt()  # alpha = 3/2, by Cauchy and Schwarz


LEMMA = Moments("lemma", r"5 + 5\left(\frac{\log K}{1-\beta}\right)^\alpha", _lemma)
MISPLACED = Moments(
    "misplaced",
    r"\left(5 + 5\frac{\log K}{1-\beta}\right)^\alpha \text{, halved for } \alpha = \tfrac32",
    _misplaced,
)
EXACT = Moments("exact", r"\mathbb{E}\max_{k\le K} H_k^\alpha", _exact, _exact_sloped)
REPAIRED = Moments(
    "repaired lemma",
    r"\left(\frac{\log K + \Gamma(1+\alpha)^{1/\alpha}}{1-\beta}\right)^\alpha",
    _repaired,
)


def harmonic_moments(shift: Exact = HALF) -> Moments:
    r"""Return the upper bounds that come from the exponential law, with :math:`c = 1/(1-\beta) - shift`.

    H has the law of :math:`\lceil E/\log(1/\beta) \rceil`, E exponential of mean 1, and :math:`1/\log(1/\beta) \le c`
    for shift <= 1/2. So :math:`\max H \le 1 + c M`, M the largest of K such variables, whose first two moments are h1
    and h1^2 + h2: :math:`E \max H \le 1 + c h_1`, :math:`E \max H^2 \le 1 + 2 c h_1 + c^2 (h_1^2 + h_2)`, and
    in between by Cauchy and Schwarz.
    """
    less = rational(shift)

    def bounded(span: Span, w: Interval, alpha: fmpq) -> arb:
        unit, c = _unit(span, w), 1 - arb(less) * over(w)
        first = unit + c * span.first_sum
        if alpha == ONE:
            return first
        if alpha == HALF:
            return increasing_power(first, HALF)
        second = unit**2 + 2 * unit * c * span.first_sum + c**2 * (span.first_sum**2 + span.second_sum)
        return second if alpha == TWO else increasing_power(first * second, HALF)

    return Moments("harmonic sums", rf"1 + \ldots, c = \frac1{{1-\beta}} - {less}", bounded)


def exact_moment(K: int, w: fmpq, alpha: fmpq) -> arb:
    """Return a ball of E max H^alpha over K geometric horizons of parameter w.

    Examples
    --------
    >>> exact_moment(2, fmpq(1, 2), fmpq(1)).contains(fmpq(8, 3)), exact_moment(3, fmpq(1), fmpq(3, 2))
    (True, 1.00000000000000)
    """
    return _exact_moment(K, w, alpha, flint.ctx.prec)


@cache
def _exact_moment(K: int, w: fmpq, alpha: fmpq, precision: int) -> arb:
    with flint.ctx.workprec(precision):
        if w == 1:
            return arb(1)
        if K > BY_INCLUSION:
            return horizon_power_by_sum(alpha, 1 - w, K)
        return arb(horizon_moment(int(alpha.p), 1 - w, K)) if alpha.q == 1 else horizon_power(alpha, 1 - w, K)


@cache
def _exponential_moment(K: int, alpha: fmpq, precision: int) -> arb:
    with flint.ctx.workprec(precision):
        return exponential_power(alpha, K)


def _low_power(w: fmpq, alpha: fmpq) -> arb:
    """Return w^alpha for w >= 0."""
    return increasing_power(arb(w), alpha)


def _log_power(span: Span, alpha: fmpq) -> arb:
    return increasing_power(span.log, alpha)
