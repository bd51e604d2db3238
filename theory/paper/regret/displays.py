r"""The displays of the proof of Theorem 1 that bound the regret, as printed and with what they give away taken back.

With M = max H_k over the K episodes, all begin with :math:`c_0/(1-\beta)` for the episodes in which an event fails;
what follows is (`eq:proof_bound`) the expectation of :math:`3(L_K + \sqrt S)(Sn M^2 + 2\sqrt{SnK} M^{3/2})`, with 3/2
for MB-UCRL2; for MB-UCBVI :math:`\frac{2L_K(L_K+\sqrt S)}{1-\beta}` in front, or, in its last display,
:math:`\frac{2(1+\sqrt S)}{1-\beta} L_K^2`. `sharpest` takes back what they give away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from flint import arb, fmpq

from theory.paper.regret.bounds import Additive, Coefficients, Number, RegretBound, Scale
from theory.paper.regret.moments import EXACT, HALF, ONE, THREE_HALVES, TWO, Moments
from theory.paper.regret.span import root as root_of
from theory.rationals import Exact, rational

PSRL, UCRL2, UCBVI = ALGORITHMS = ("MB-PSRL", "MB-UCRL2", "MB-UCBVI")
PRINTED_ADDITIVES: Mapping[str, int] = {PSRL: 9, UCRL2: 5, UCBVI: 7}
"""As printed: the event of an episode fails with probability at most this over K."""
REPAIRED_ADDITIVES: Mapping[str, Additive] = {
    PSRL: Additive(tails=4),
    UCRL2: Additive(tails=2),
    UCBVI: Additive(tails=2, tails_per_state=1),
}
"""Rewards and rows (for MB-PSRL those of M and of M_k), and for MB-UCBVI the values, one function per state."""

Pair: TypeAlias = "tuple[Number, Number]"


def merged(algorithm: str, front: Exact = 3, additive: Exact | None = None, moments: Moments = EXACT) -> RegretBound:
    """Return the bound `front` (L_K + sqrt S)(Sn E M^2 + 2 (SnK)^(1/2) E M^(3/2)); for MB-UCBVI times L_K/(1-beta).

    Examples
    --------
    >>> from theory.paper.regret.moments import LEMMA
    >>> merged("MB-PSRL", moments=LEMMA).at(S=1, n=1, K=2, beta=0).str(6, radius=False)
    '293.609'
    """
    factor = arb(rational(front))

    def coefficients(scale: Scale) -> Coefficients:
        pair = _squares(scale, factor)
        return {(0, 2): pair, (1, 1): pair} if algorithm == UCBVI else {(0, 1): pair, (1, 0): pair}

    return _bound(algorithm, f"merged, front factor {front}", additive, moments, coefficients)


def last_of_ucbvi(front: Exact = 2, additive: Exact | None = None, moments: Moments = EXACT) -> RegretBound:
    """Return the last display of MB-UCBVI: `front` (1 + sqrt S) L_K^2/(1-beta) times the moments."""
    factor = arb(rational(front))

    def coefficients(scale: Scale) -> Coefficients:
        pair = _squares(scale, factor)
        return {(0, 2): pair, (1, 2): pair}

    return _bound(UCBVI, f"last display, front factor {front}", additive, moments, coefficients)


def sharpest(algorithm: str, additive: Additive | None = None, moments: Moments = EXACT) -> RegretBound:
    r"""Return what the proof gives when nothing is given away, perhaps with another additive term or other moments.

    With G = M - 1, and R the largest reward of M_k (1; for MB-UCBVI :math:`1 + L/(2(1-\beta))`):

    - the terms in L and in L M are kept apart;
    - probability rows differ by half their L1 distance on functions from 0 to R M (for MB-UCBVI this also repairs its
      B_k, which leaves out that the rewards of M_k reach R);
    - after the first step at most G remain;
    - E sum H_k = K/(1-beta) stands under the root, in place of K M, where that is less;
    - L_{K-1} stands for L_K;
    - sqrt(2 log 2) sqrt S stands for 1.5 sqrt S in the radius of a row;
    - no event is needed for the first episode, and none of long horizons at all: `REPAIRED_ADDITIVES`.
    """

    def coefficients(scale: Scale) -> Coefficients:
        first, rows, states = _firsts(scale), _of_rows(scale), _root_of_log_4()
        if algorithm != UCBVI:
            return {(0, 1): _plus(first, rows), (1, 0): _times(states, rows)}
        linear, square = _times(scale.w / 2, rows), _times(arb(fmpq(1, 4)), rows)
        return {
            (0, 1): _plus(_times((1 + scale.w) / 2, first), linear),
            (0, 2): square,
            (1, 0): _times(states, linear),
            (1, 1): _times(states, square),
        }

    bound = _bound(algorithm, "sharpest", None, moments, coefficients)
    return replace(bound, last=True, additive=additive or REPAIRED_ADDITIVES[algorithm])


def _bound(
    algorithm: str,
    display: str,
    additive: Exact | None,
    moments: Moments,
    coefficients: Callable[[Scale], Coefficients],
) -> RegretBound:
    constant = rational(PRINTED_ADDITIVES[algorithm] if additive is None else additive)
    order = 2 if algorithm == UCBVI else 1
    return RegretBound(algorithm, display, order, Additive(constant), moments, coefficients)


def _root_of_log_4() -> arb:
    """Return the least c with sqrt(2 (S-1) log 2) <= c sqrt S for all S, at the precision in force."""
    return arb(4).log().sqrt()


def _squares(scale: Scale, factor: arb) -> Pair:
    """Return the coefficients of E[M (D M + 2 (DKM)^(1/2))]."""
    return factor * scale.moment(TWO), 2 * factor * scale.moment(THREE_HALVES)


def _firsts(scale: Scale) -> Pair:
    """Return the coefficients of E[D M + 2 (DKM)^(1/2)], where K/(1-beta) stands for KM if that is less."""
    root = (2 * scale.moment(HALF)).min(2 * root_of(scale.span.inverse_log))
    return scale.unit * scale.moment(ONE), scale.unit * root


def _of_rows(scale: Scale) -> Pair:
    """Return the coefficients of E[(M - 1)(D M + 2 (DKM)^(1/2))], where K/(1-beta) stands for KM if that is less."""
    less = scale.unit
    linear = scale.moment(TWO) - less * scale.moment(ONE)
    square = scale.moment(TWO) - 2 * less * scale.moment(ONE) + less**2
    root = scale.moment(THREE_HALVES) - less * scale.moment(HALF)
    root = root.min(root_of(_from_zero(square) * scale.span.inverse_log))
    return _from_zero(linear), 2 * _from_zero(root)


def _from_zero(ball: Number) -> Number:
    """Return the part of a ball from 0 on: of a number that is not negative."""
    return ball.max(arb(0))


def _times(factor: Number, pair: Pair) -> Pair:
    return factor * pair[0], factor * pair[1]


def _plus(first: Pair, second: Pair) -> Pair:
    return first[0] + second[0], first[1] + second[1]
