r"""The best constant where the trivial bound K/(1-beta) stands for a bound of the proof wherever it is smaller.

In the notation of `theory.paper.regret.constants` the quotient of K/(1-beta) by the theorem's side is :math:`(K
g/\ell^2)/((\sqrt S + y)(1 + q))` (times w, and with :math:`\sqrt S y`, for MB-UCBVI). It decreases in S and grows
with g and w: its largest value for a number of episodes is that at S = 1, the least n and beta = 0. Below some number
of episodes it is used alone. From there on the bound of the proof is used, except where q is small: there, as
:math:`K g/\ell^2 = q^2/\ell` and :math:`y \ge \ell`, the trivial quotient is at most :math:`q^2/(\ell
(1+\ell)(1+q))`.
"""

from __future__ import annotations

from dataclasses import dataclass

import flint
from flint import arb, fmpq

from theory.paper.regret.bounds import RegretBound
from theory.paper.regret.constants import PRECISION, Model, over_box
from theory.paper.regret.span import Span
from theory.paper.regret.theorem import theorem_side, trivial_bound
from theory.rationals import ONE, ZERO

SMALL_ROOT = 40
"""Up to this value of q the trivial bound is used, whatever the number of episodes."""


@dataclass(frozen=True)
class BestBesideTrivial:
    """An enclosure of the smallest constant for the smaller of two bounds.

    Attributes
    ----------
    lower
        The quotient at the model `at`.
    upper
        Bounds the quotient for all models.
    at
    pieces
        The upper bounds of the pieces into which the domain was cut, by name.
    """

    lower: arb
    upper: arb
    at: Model
    pieces: dict[str, arb]


def best_beside_trivial(bound: RegretBound, switch: int, one_more: bool = False, arms: int = 1) -> BestBesideTrivial:
    """Return the smallest constant for the smaller of K/(1-beta) and `bound`, over all S, n, K and beta.

    Parameters
    ----------
    bound
    switch
        From this number of episodes on `bound` is used; at least 4. The upper bound is only as good as it is there.
    one_more
        Whether 1 + log K stands for log K in the theorem's side and, for MB-UCBVI, 1 + log(...) for its logarithm; then
        K = 1 belongs to the domain.
    arms
        The least n.

    Examples
    --------
    >>> from theory.paper.regret.displays import sharpest
    >>> best_beside_trivial(sharpest("MB-PSRL"), 10**5).upper.str(5, radius=False)
    '1.1627'
    """
    with flint.ctx.workprec(PRECISION):
        first = 1 if one_more else 2
        pieces: dict[str, arb] = {}
        K = first
        while switch > K:
            following = K + 1 if K < 4 else max(K + 1, K * 21 // 20)
            name = f"K = {K}" if K < 4 else f"4 <= K < {switch}"
            value = _trivial(bound, K, following - 1, one_more, arms)
            pieces[name] = value.max(pieces.get(name, value)).upper()
            K = following
        pieces[f"K >= {switch}"] = _from_here_on(bound, switch, arms)
        at = Model(1, arms, first, ZERO)
        if one_more:
            lower = _trivial(bound, first, first, one_more, arms)
        else:
            smaller = arb(trivial_bound(first, 0)).min(bound.at(1, arms, first, 0))
            lower = smaller / theorem_side(1, arms, first, 0, bound.order)
        upper = lower
        for piece in pieces.values():
            upper = upper.max(piece)
        return BestBesideTrivial(lower.lower(), upper.upper(), at, pieces)


def _trivial(bound: RegretBound, K: int, last: int, one_more: bool, arms: int = 1) -> arb:
    """Return an upper bound of the trivial quotient for episodes from K to `last`; for K = `last` its largest value."""
    log_k = arb(K).log() + (1 if one_more else 0)
    y = (arms * K * log_k).log()
    below = y if bound.order == 2 and not one_more else 1 + y
    return last / (below * (arms * log_k**2 + arb(arms * K).sqrt() * log_k * log_k.sqrt()))


def _from_here_on(bound: RegretBound, switch: int, arms: int = 1) -> arb:
    """Return an upper bound for all episodes from `switch` on; with 1 + log K the theorem's side is only larger."""
    span, q = Span(switch, alone=False), arb(SMALL_ROOT)
    near = q**2 / (span.log * (1 + span.log) * (1 + q)) if bound.order == 1 else arb(0)
    least = q if bound.order == 1 else arb(0)
    return over_box(bound, span, (ZERO, ONE), (ZERO, fmpq(1, arms)), least, arms).max(near).upper()
