r"""The best constant for which the theorem's side dominates a bound, over all S, n, K >= 2 and beta: certified.

It may be asked for n >= N only ("arms" below): with one arm there is no regret.

With :math:`z = \log K/(1-\beta)`, D = Sn, w = 1 - beta, :math:`\ell = \log K` and :math:`g = w/D`, in (0, 1], the
quotient of a `RegretBound` by the theorem's side is

.. math:: \frac{c_0 g/\ell^2 + \sum_{ij} S^{i/2} L^j (p_{ij} + r_{ij} q)}{(\sqrt S + y)(1 + q)},
          \qquad q = \sqrt{K g/\ell}, \quad y = \log(K\ell/g), \quad L^2 = 2(y + a_K),

with :math:`w c_0` in place of :math:`c_0`, and :math:`\sqrt S y` in place of :math:`\sqrt S + y`, for MB-UCBVI; for
:math:`L_K`, :math:`a_K = \log 4K`, and for :math:`L_{K-1}` it is :math:`\log(2(K-1)\log(K(K-1))/\log K)`. An upper
bound over a box (a number of episodes, or all from one on; intervals of 1/D and of w) rests on these facts, each
elementary and an entry of the ledger:

1. In :math:`\sqrt S`, numerator and denominator are affine: the quotient is the mean of its value at S = 1 and of its
   limit for large S, with the weights :math:`\lambda = (1+y)/(\sqrt S+y)` and :math:`1 - \lambda`, where S <= D/N.
   For MB-UCBVI it decreases in S.
2. :math:`L^j/(1+y)`, j = 0, 1, and :math:`L^j/y`, j = 0, 1, 2, decrease in y: they are largest at the largest g.
3. :math:`(P + R q)/(1 + q)` lies between its values at the ends of an interval of q; and :math:`g/(1+q)` and
   :math:`g^{1/2}/(1+q)` grow with g.
4. For K >= 3, :math:`\log 4K \le y + \log 4`; and S <= D where the additive term has a multiple of S.

Moments over a box are bounded by `theory.paper.regret.moments`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import flint
from flint import arb, fmpq

from theory.branch_and_bound import enclose_supremum
from theory.paper.regret.bounds import Coefficients, RegretBound, Scale
from theory.paper.regret.sloped import sloped
from theory.paper.regret.span import Interval, Span
from theory.paper.regret.theorem import theorem_side
from theory.rationals import ONE, ZERO, Exact, rational

TOLERANCE = fmpq(1, 10**6)
PRECISION = 64
LAST_EPISODES = 12
"""From here on the episodes are treated all at once."""
MOST_BOXES = 20_000
SHORT = fmpq(1, 4)
"""Intervals of 1 - beta below this length are bounded by the slope too."""


@dataclass(frozen=True)
class Model:
    """The sizes of a model: all that a bound depends on."""

    S: int
    n: int
    K: int
    beta: fmpq

    def __str__(self) -> str:
        """Return ``(S, n, K, beta) = (1, 1, 2, 0)``."""
        return f"(S, n, K, beta) = ({self.S}, {self.n}, {self.K}, {self.beta})"


FAR = 10**60, 1 - fmpq(1, 10**8)
"""S and beta close to the limit S -> infinity, beta -> 1 at K = 2, which some bounds approach and do not attain."""


@dataclass(frozen=True)
class BestConstant:
    """An enclosure of the smallest constant.

    Attributes
    ----------
    lower
        The quotient at the model `at`: no smaller constant will do.
    upper
        Bounds the quotient for all models.
    at
        The model of the lower bound.
    approached
        Whether that model only stands for a limit that no model attains.
    boxes
        How many boxes were bounded.
    """

    lower: arb
    upper: arb
    at: Model
    approached: bool
    boxes: int


@dataclass(frozen=True)
class _Box:
    """Models with these numbers of episodes, intervals of 1/(Sn) and of 1 - beta, and at least so many arms."""

    span: Span
    share: Interval
    w: Interval
    arms: int

    @property
    def one_state(self) -> bool:
        """Whether S = 1 and n is the least."""
        return bool(self.share[0] * self.arms == 1)

    def halves(self) -> Iterable[_Box]:
        if not self.span.alone:
            raise ArithmeticError(f"{self.span} cannot be split: treat more numbers of episodes one by one")
        wide = [self.w[1] - self.w[0], 2 * (self.share[1] - self.share[0])]
        if wide[0] >= wide[1]:
            middle = (self.w[0] + self.w[1]) / 2
            return [replace(self, w=side) for side in _halves(self.w, middle)]
        middle = (self.share[0] + self.share[1]) / 2
        return [replace(self, share=side) for side in _halves(self.share, middle)]


def quotient(bound: RegretBound, model: Model) -> arb:
    """Return the bound over the theorem's side with constant 1, for one model."""
    S, n, K, beta = model.S, model.n, model.K, model.beta
    return bound.at(S, n, K, beta) / theorem_side(S, n, K, beta, bound.order)


def best_constant(
    bound: RegretBound,
    tolerance: Exact = TOLERANCE,
    last: int = LAST_EPISODES,
    precision: int = PRECISION,
    arms: int = 1,
) -> BestConstant:
    """Return the smallest constant for which the theorem's side is at least the bound, over the whole domain.

    Parameters
    ----------
    bound
    tolerance
        The enclosure's width, relative to the constant.
    last
        Numbers of episodes below it are treated one by one.
    precision
        In bits.
    arms
        The least n.

    Raises
    ------
    ArithmeticError
        If the tolerance is not reached.

    Examples
    --------
    >>> from theory.paper.regret.displays import merged
    >>> from theory.paper.regret.moments import LEMMA
    >>> found = best_constant(merged("MB-PSRL", moments=LEMMA))
    >>> str(found.at), found.lower.str(6, radius=False)
    ('(S, n, K, beta) = (1, 1, 2, 0)', '170.695')
    """
    narrow = arb(rational(tolerance))
    with flint.ctx.workprec(precision):
        far = Model(FAR[0], arms, 2, FAR[1])
        known = [(quotient(bound, model).lower(), model) for model in (Model(1, arms, 2, ZERO), far)]
        found = enclose_supremum(
            _all_models(last, arms),
            lambda box: _upper_bound(bound, box),
            lambda box: _attained(bound, box),
            _Box.halves,
            lambda lower, upper: upper <= lower * (1 + narrow),
            MOST_BOXES,
            known=max(known, key=lambda each: each[0]),
        )
        if not found.converged:
            raise ArithmeticError(f"the constant is only known between {found.lower} and {found.upper}")
    return BestConstant(found.lower, found.upper, found.point, found.point == far, found.cells)


def _all_models(last: int, arms: int) -> list[_Box]:
    most, fewer = fmpq(1, arms), fmpq(1, arms + 1)
    boxes = [_Box(Span(last, alone=False), (ZERO, most), (ZERO, ONE), arms)]
    for K in range(2, last):
        boxes += [_Box(Span(K), share, (ZERO, ONE), arms) for share in ((most, most), (ZERO, fewer))]
    return boxes


def _attained(bound: RegretBound, box: _Box) -> tuple[arb, Model] | None:
    if not box.one_state:
        return None
    model = Model(1, box.arms, box.span.first, 1 - (box.w[0] + box.w[1]) / 2)
    return quotient(bound, model).lower(), model


def _upper_bound(bound: RegretBound, box: _Box) -> arb:
    """Return an upper bound of the quotient over a box: facts 1 to 4."""
    upper = over_box(bound, box.span, box.w, box.share, arms=box.arms)
    if box.one_state and bound.moments.sloped is not None and box.w[0] > 0 and box.w[1] - box.w[0] < SHORT:
        closer = over_line(bound, box.span.first, box.w, box.arms)
        if closer < upper:  # false where it is not finite
            return closer
    return upper


def over_box(
    bound: RegretBound, span: Span, w: Interval, share: Interval, least_root: arb | None = None, arms: int = 1
) -> arb:
    """Return an upper bound of the quotient for a span of episodes and intervals of w = 1 - beta and 1/(Sn).

    Parameters
    ----------
    bound, span, w, share
        The upper ends must be positive.
    least_root
        Only models with q at least this are meant.
    arms
        The least n.
    """
    coefficients = bound.coefficients(Scale(span, w, bound.moments))
    g = share[0] * w[0], share[1] * w[1]
    y, weights = _weights(bound, span, g[1])
    q = _roots(span, g) if least_root is None else (least_root, None)
    one_state = _between(_weighed(coefficients, weights, (0, 1)), q) + _additive(bound, span, w, g[1], weights[0])
    if bound.order == 2 or share[0] * arms == 1:
        return one_state.upper()
    limit = _between(_weighed(coefficients, (arb(1),), (1,)), q)
    most_states = arb(0) if share[0] == 0 else (1 + y) / ((1 / arb(share[0] * arms)).sqrt() + y)
    return one_state.max(most_states * one_state + (1 - most_states) * limit).upper()


def over_line(bound: RegretBound, K: int, w: Interval, n: int = 1) -> arb:
    """Return an upper bound of the quotient for S = 1, n arms and an interval of w = 1 - beta, by its slope."""
    scale = Scale(Span(K), w, bound.moments, slopes=True)
    log_k, g = Span(K).log, scale.w / n
    y, q = (K * log_k / g).log(), (K / log_k * g).sqrt()
    L = (2 * (y + _shift(K, bound.last))).sqrt()
    powers = (sloped(1), L, L * L)
    total = sloped(bound.additive.free(scale.span) + bound.additive.of_states(scale.span)) / log_k**2
    total = total * g if bound.order == 1 else total * g * scale.w
    for (_, j), (p, r) in bound.coefficients(scale).items():
        total += powers[j] * (p + r * q)
    found = total / ((1 + y if bound.order == 1 else y) * (1 + q))
    middle = quotient(bound, Model(1, n, K, 1 - (w[0] + w[1]) / 2))
    upper: arb = found.above(middle, arb((w[1] - w[0]) / 2))
    return upper


def _weights(bound: RegretBound, span: Span, g: fmpq) -> tuple[arb, tuple[arb, arb, arb]]:
    """Return the least y for g at most this, and the largest L^j/(1+y), or L^j/y for MB-UCBVI, j = 0, 1, 2: fact 2."""
    y = (span.first * span.log / arb(g)).log()
    below = 1 + y if bound.order == 1 else y
    square = 2 * (y + _shift(span.first, bound.last)) if span.alone else 4 * y + 2 * arb(4).log()
    return y, (1 / below, square.sqrt() / below, square / below)


def _shift(K: int, last: bool) -> arb:
    """Return a_K with L^2 = 2 (y + a_K)."""
    return (2 * (K - 1) * arb(K * (K - 1)).log() / arb(K).log()).log() if last else arb(4 * K).log()


def _roots(span: Span, g: Interval) -> tuple[arb, arb | None]:
    """Return the ends of q; None for infinity."""
    if not span.alone:
        return arb(0), None
    ends = [(arb(span.first * end) / span.log).sqrt() for end in g]
    return ends[0].lower().max(arb(0)), ends[1].upper()


def _weighed(coefficients: Coefficients, weights: Sequence[arb], powers: Sequence[int]) -> tuple[arb, arb]:
    """Return the sums of the coefficients with these powers of sqrt S = 1, each times its weight, from above.

    Raises
    ------
    IndexError
        If there is a power of L without a weight.
    """
    P, R = arb(0), arb(0)
    for (i, j), (p, r) in coefficients.items():
        if i in powers:
            P, R = P + weights[j] * p, R + weights[j] * r
    return P.upper(), R.upper()


def _between(pair: tuple[arb, arb], q: tuple[arb, arb | None]) -> arb:
    """Return the largest value of (P + R q)/(1 + q), which is at one of the ends: fact 3."""
    (P, R), (low, high) = pair, q
    at_high = R if high is None else (P + R * high) / (1 + high)
    return ((P + R * low) / (1 + low)).max(at_high)


def _additive(bound: RegretBound, span: Span, w: Interval, g: fmpq, weight: arb) -> arb:
    """Return an upper bound of what the additive term contributes: facts 3 and 4."""
    scale = span.inverse_log**2 * weight
    if span.alone:
        scale /= 1 + (span.first * arb(g) / span.log).sqrt()
    free = bound.additive.free(span) * arb(g)
    if bound.order == 1:
        return free * scale
    high = arb(w[1])
    return (free * high + bound.additive.of_states(span) * high * (high * arb(g)).sqrt()) * scale


def _halves(side: Interval, middle: fmpq) -> list[Interval]:
    return [(side[0], middle), (middle, side[1])]
