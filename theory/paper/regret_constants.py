r"""The best constant for which the theorem's side dominates the proof's, over all S, n, K >= 2 and beta: certified.

Notation of `theory.paper.regret_bounds`; moreover :math:`v = t^{-1/2}`, in (0, 1]. Dividing both sides by
:math:`x t` (by :math:`x^2 t` for MB-UCBVI), the ratio of the proof's side to the theorem's is

.. math:: \frac{c_0 v^2 + \sum_j L^j (p_j + r_j v \sqrt K)}{(s + y)(\ell^2 + v \sqrt K \ell^{3/2})},

with :math:`c_0 w` in place of c_0, and :math:`s y` in place of s + y, for MB-UCBVI. The supremum over all models is
reduced to finitely many balls by these facts, each elementary (and checked in the ledger):

1. In s, numerator and denominator are affine: the ratio is at most the larger of its values at s = 1 and s -> infinity.
   For MB-UCBVI it decreases in s.
2. For fixed K, :math:`L^j/(1+y)`, j = 0, 1, and :math:`L^j/y`, j = 0, 1, 2, decrease in y, hence grow with v: on a box
   they are largest at the upper end of v, where v = 0 does no harm.
3. :math:`(p + r v \sqrt K)/(\ell^2 + v \sqrt K \ell^{3/2})` is monotone in v, and between :math:`p/\ell^2` and
   :math:`r/\ell^{3/2}`.
4. With h1 <= 1 + log K and h2 <= pi^2/6, :math:`p_j/\ell^2` and :math:`r_j/\ell^{3/2}` decrease in K; so do
   :math:`L^j/(1+y)` at v = 1, and there :math:`L^2/y = 2 (1 + \log 4K / y) \le 2 (1 + \max(1, \log 4K_1 / y_1))` from
   K_1 on.

The constraint Sn >= 1, that is w >= v^2, is kept; that Sn and sqrt(S) come from integers is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import flint
from flint import arb, fmpq

from theory.certified.suprema import PRECISION, Box, Point, Supremum, maximise
from theory.paper.regret_bounds import Harmonic, Pairs, Reading, harmonic, proof_side, theorem_side
from theory.rationals import Exact

LAST_EPISODES = 24
"""From here on the episodes are treated all at once."""


@dataclass(frozen=True)
class BestConstant:
    """An enclosure of the smallest constant.

    Attributes
    ----------
    lower
        The ratio at the model `at`: no smaller constant will do.
    upper
        Bounds the ratio for all models.
    at
        S, n, K and beta of one model.
    checked
        The upper bounds of the pieces into which the domain was cut.
    boxes
        How many boxes were evaluated.
    """

    lower: arb
    upper: arb
    at: dict[str, int | fmpq]
    checked: dict[str, arb]
    boxes: int


def best_constant(
    reading: Reading,
    tolerance: Exact = fmpq(1, 1000),
    last: int = LAST_EPISODES,
    precision: int = PRECISION,
) -> BestConstant:
    """Return the smallest constant for which the theorem's side is at least the proof's, over the whole domain.

    Examples
    --------
    >>> from theory.paper.regret_bounds import printed_reading
    >>> found = best_constant(printed_reading(additive=9))
    >>> found.at, bool(found.lower > 115), bool(found.upper < 116)
    ({'S': 1, 'n': 1, 'K': 2, 'beta': 0}, True, True)
    """
    at: dict[str, int | fmpq] = {"S": 1, "n": 1, "K": 2, "beta": fmpq(0)}
    with flint.ctx.workprec(precision):
        lower = (proof_side(reading, 1, 1, 2, 0) / theorem_side(1, 1, 2, 0, reading.order)).lower()
        checked = {f"K >= {last}": from_episodes(reading, last)}
        if reading.order == 1:
            checked["S -> infinity"] = for_large_arms(reading)
        boxes = 0
        for K in range(2, last):
            bound = over_all_models(reading, K)
            if not bound < lower:
                found = over_models(reading, K, tolerance, precision)
                bound, boxes = found.upper, boxes + found.boxes
            checked[f"K = {K}"] = bound
        upper = lower
        for bound in checked.values():
            upper = upper.max(bound).upper()
    return BestConstant(lower, upper, at, checked, boxes)


def best_constant_beside_trivial(reading: Reading, switch: int, precision: int = PRECISION) -> BestConstant:
    r"""Return the smallest constant where the proof's side is replaced by K/(1-beta) wherever that is smaller.

    Below `switch` episodes the trivial bound alone is used. Its ratio, :math:`K v^2 / ((s+y)(\ell^2 + v \sqrt K
    \ell^{3/2}))`, or with :math:`w/(s y)`, decreases in s and grows with v and w, so that Sn = 1 and beta = 0 are the
    worst. From `switch` on, the larger of the two values of fact 1 is used; and where the one for s -> infinity is too
    large, :math:`u = v (K/\ell)^{1/2}` is small and the trivial ratio, at most :math:`u^2/((1+\ell)\ell(1+u))`, is.

    Parameters
    ----------
    reading
    switch
        Not below 4; the upper bound is only as good as the proof's side from there on.
    precision
        In bits.

    Examples
    --------
    >>> from theory.paper.regret_bounds import sharper_reading
    >>> best_constant_beside_trivial(sharper_reading(), 10**5).upper.str(5, radius=False)
    '1.1627'
    """
    at: dict[str, int | fmpq] = {"S": 1, "n": 1, "K": 2, "beta": fmpq(0)}
    with flint.ctx.workprec(precision):
        lower = arb(2).min(proof_side(reading, 1, 1, 2, 0)) / theorem_side(1, 1, 2, 0, reading.order)
        checked = {"K = 2, trivial": _trivial_ratio(reading, 2, 2), f"3 <= K <= {switch}, trivial": arb(0)}
        pieces, K = 0, 3
        while switch > K:
            following = max(K + 1, K * 21 // 20)
            bound = _trivial_ratio(reading, K, following)
            checked[f"3 <= K <= {switch}, trivial"] = bound.max(checked[f"3 <= K <= {switch}, trivial"])
            K, pieces = following, pieces + 1
        checked[f"K >= {switch}, S = 1"] = from_episodes(reading, switch)
        if reading.order == 1:
            checked[f"K >= {switch}, S -> infinity"] = _for_large_arms_beside_trivial(reading, switch)
        checked = {name: bound.upper() for name, bound in checked.items()}
        upper = _larger(list(checked.values())).upper()
    return BestConstant(lower.lower(), upper, at, checked, pieces)


def _trivial_ratio(reading: Reading, K: int, following: int) -> arb:
    """Return an upper bound of the trivial bound's ratio for episodes from K to `following`, S = n = 1 and beta = 0."""
    return following * _weights(reading, K, arb(1))[0] / _denominator(K, arb(1))


def _for_large_arms_beside_trivial(reading: Reading, switch: int, u: int = 40) -> arb:
    log_k = arb(switch).log()
    p, r = reading.coefficients(_above_harmonic(switch), _unit())[1][0]
    p, r = p / log_k**2, r / (log_k * log_k.sqrt())
    far = ((p + r * u) / (1 + u)).max(r)  # monotone in u, with limit r
    near = arb(u * u) / ((1 + log_k) * log_k * (1 + u))
    return far.max(near)


def ratio(reading: Reading, K: int, h: Harmonic, v: arb, w: arb) -> arb:
    """Return the ratio at s = 1, or over a box a ball whose upper end bounds it there (facts 2 and 3).

    Parameters
    ----------
    reading
    K, h
        Episodes, and their harmonic sums.
    v, w
        Balls; the upper end of v must be positive.
    """
    weights = _weights(reading, K, v.upper())
    free, rooted = reading.coefficients(h, w)
    total = weights[0] * reading.additive * (w if reading.order == 2 else 1) * v**2 / _denominator(K, v)
    ends = (v,) if v.is_exact() else (v.lower().max(arb(0)), v.upper())
    for pairs in (free, rooted):
        for weight, pair in zip(weights, pairs, strict=True):
            if not (pair[0].is_zero() and pair[1].is_zero()):
                total += weight * _larger([_slope(K, end, pair) for end in ends])
    return total


def over_models(reading: Reading, K: int, tolerance: Exact, precision: int = PRECISION) -> Supremum:
    """Return an enclosure of the supremum over Sn, beta for s = 1 and these K, by branch and bound in (v, w)."""
    h = harmonic(K)

    def expression(point: Sequence[arb]) -> arb:
        v, w = point
        return arb(0) if v.is_zero() else ratio(reading, K, h, v, w)

    def enough_states(point: Point) -> bool:
        return point[1] >= point[0] ** 2 and point[0] > 0 and point[1] > 0

    def too_few_states(box: Box) -> bool:
        return box[1][1] < box[0][0] ** 2

    return maximise(
        expression,
        [(0, 1), (0, 1)],
        tolerance=tolerance,
        admissible=enough_states,
        excluded=too_few_states,
        precision=precision,
    )


def over_all_models(reading: Reading, K: int) -> arb:
    """Return an upper bound of the ratio for these K and s = 1, in one evaluation: facts 2 and 3 with v = 1."""
    return _at_once(reading, K, harmonic(K), _weights(reading, K, arb(1)))


def from_episodes(reading: Reading, K: int) -> arb:
    """Return an upper bound of the ratio for all episodes from K on and s = 1: facts 2, 3 and 4."""
    weights = _weights(reading, K, arb(1))
    if reading.order == 2:
        _, y, _ = _logarithms(K, arb(1))
        square = 2 * (1 + (arb(4 * K).log() / y).max(arb(1)))
        weights = (1 / y, (square / y).sqrt(), square)
    return _at_once(reading, K, _above_harmonic(K), weights)


def for_large_arms(reading: Reading) -> arb:
    """Return an upper bound of the ratio as s -> infinity, for all K >= 2: the part with s, which has no L (order 1).

    Raises
    ------
    ValueError
        If the part with s contains L: then the limit is another one.
    """
    _, rooted = reading.coefficients(harmonic(2), _unit())
    if any(not each.is_zero() for pair in rooted[1:] for each in pair):
        raise ValueError("the part of the bound with s contains L")
    bounds = [_mediant(K, reading.coefficients(harmonic(K), _unit())[1][0]) for K in range(2, LAST_EPISODES)]
    bounds.append(_mediant(LAST_EPISODES, reading.coefficients(_above_harmonic(LAST_EPISODES), _unit())[1][0]))
    return _larger(bounds).upper()


def _at_once(reading: Reading, K: int, h: Harmonic, weights: Sequence[arb]) -> arb:
    free, rooted = reading.coefficients(h, _unit())
    total = weights[0] * reading.additive / _denominator(K, arb(1))
    for weight, first, second in zip(weights, free, rooted, strict=True):
        total += weight * (_mediant(K, first) + _mediant(K, second))
    return total.upper()


def _weights(reading: Reading, K: int, v: arb) -> tuple[arb, arb, arb]:
    """Return L^j / (1 + y), or L^j / y for MB-UCBVI, at v."""
    _, y, L = _logarithms(K, v)
    below = 1 + y if reading.order == 1 else y
    return 1 / below, L / below, L**2 / below


def _logarithms(K: int, v: arb) -> tuple[arb, arb, arb]:
    log_k = arb(K).log()
    y = (K * log_k / v**2).log()
    return log_k, y, (2 * (y + arb(4 * K).log())).sqrt()


def _denominator(K: int, v: arb) -> arb:
    log_k = arb(K).log()
    return log_k**2 + v * arb(K).sqrt() * log_k * log_k.sqrt()


def _slope(K: int, v: arb, pair: tuple[arb, arb]) -> arb:
    return (pair[0] + pair[1] * v * arb(K).sqrt()) / _denominator(K, v)


def _mediant(K: int, pair: tuple[arb, arb]) -> arb:
    log_k = arb(K).log()
    return _larger([pair[0] / log_k**2, pair[1] / (log_k * log_k.sqrt())])


def _above_harmonic(K: int) -> Harmonic:
    return Harmonic(1 + arb(K).log(), arb(2).zeta())


def _unit() -> arb:
    return arb(0).union(arb(1))


def _larger(balls: Sequence[arb]) -> arb:
    largest = balls[0]
    for each in balls[1:]:
        largest = largest.max(each)
    return largest


__all__ = [
    "BestConstant",
    "Pairs",
    "best_constant",
    "best_constant_beside_trivial",
    "for_large_arms",
    "from_episodes",
    "over_all_models",
    "over_models",
    "ratio",
]
