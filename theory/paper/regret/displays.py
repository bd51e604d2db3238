r"""The displays of the proof of Theorem 1 that bound the regret, as printed and with what they give away taken back.

With M = max H_k over the K episodes, all begin with :math:`c_0/(1-\beta)` for the episodes in which an event fails;
what follows is the expectation of

- *apart* (the line before `eq:sum_not_E_k`):
  :math:`(L_K + (2L_K + 3\sqrt S) M)(Sn M + 2\sqrt{SnKM})`, halved for MB-UCRL2 as its display is printed; and for
  MB-UCBVI :math:`\frac{(2-\beta)L_K + M L_K(L_K + 1.5\sqrt S)}{2(1-\beta)}(Sn M + 2\sqrt{SnKM})`;
- *merged* (`eq:proof_bound`): :math:`3(L_K + \sqrt S)(Sn M^2 + 2\sqrt{SnK} M^{3/2})`, with 3/2 for MB-UCRL2; for
  MB-UCBVI :math:`\frac{2L_K(L_K+\sqrt S)}{1-\beta}` in front, or, in its last display,
  :math:`\frac{2(1+\sqrt S)}{1-\beta} L_K^2`.

`losses` takes back, one after the other, what these displays give away.
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
WEISSMAN = fmpq(3, 2)
"""The multiple of sqrt S by which the radius of a row exceeds L, as printed."""

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


def apart(algorithm: str, front: Exact = 1, additive: Exact | None = None, moments: Moments = EXACT) -> RegretBound:
    """Return the display before terms are merged, times `front`: the terms in L_K and in L_K M kept apart."""
    factor = arb(rational(front))

    def coefficients(scale: Scale) -> Coefficients:
        first, second = _firsts(scale, factor), _squares(scale, factor)
        if algorithm == UCBVI:
            of_rewards = _times((1 + scale.w) / 2, first)
            return {(0, 1): of_rewards, (0, 2): _times(arb(HALF), second), (1, 1): _times(arb(HALF * WEISSMAN), second)}
        return {(0, 1): _plus(first, _times(2, second)), (1, 0): _times(arb(2 * WEISSMAN), second)}

    return _bound(algorithm, f"apart, front factor {front}", additive, moments, coefficients)


def losses(algorithm: str) -> dict[str, RegretBound]:
    r"""Return what the proof gives when one loss after the other is taken back, each together with those before it.

    With G = M - 1, and R the largest reward of M_k (1; for MB-UCBVI :math:`1 + L_K/(2(1-\beta))`):

    - *merged terms*: the terms in L_K and in L_K M are kept apart;
    - *half the L1 distance*: probability rows differ by half their L1 distance on functions from 0 to R M (for MB-UCBVI
      this also repairs its B_k, which leaves out that the rewards of M_k reach R);
    - *steps that remain*: after the first step at most G remain;
    - *sum of all horizons*: E sum H_k = K/(1-beta) under the root, in place of K M, where that is less;
    - *last episode*: L_{K-1} in place of L_K;
    - *root of the states*: sqrt(2 log 2) sqrt S in place of 1.5 sqrt S in the radius of a row;
    - *events*: none is needed for the first episode, and none of long horizons at all: `REPAIRED_ADDITIVES`.
    """
    start = {PSRL: merged(PSRL), UCRL2: merged(UCRL2), UCBVI: merged(UCBVI, 2)}[algorithm]
    found = {"as displayed": start, "merged terms": apart(algorithm)}
    found["half the L1 distance"] = _sharper(algorithm, "half the L1 distance")
    found["steps that remain"] = _sharper(algorithm, "steps that remain", remaining=True)
    found["sum of all horizons"] = _sharper(algorithm, "sum of all horizons", remaining=True, sums=True)
    found["last episode"] = replace(found["sum of all horizons"], display="last episode", last=True)
    sharp = _sharper(algorithm, "root of the states", remaining=True, sums=True, states=_root_of_log_4)
    found["root of the states"] = replace(sharp, last=True)
    found["events"] = replace(sharp, display="events", last=True, additive=REPAIRED_ADDITIVES[algorithm])
    return found


def sharpest(algorithm: str, additive: Additive | None = None, moments: Moments = EXACT) -> RegretBound:
    """Return the last of `losses`, or the same with another additive term or other moments."""
    found = losses(algorithm)["events"]
    return replace(found, additive=additive or found.additive, moments=moments)


def _sharper(
    algorithm: str,
    display: str,
    remaining: bool = False,
    sums: bool = False,
    states: Callable[[], arb] = lambda: arb(WEISSMAN),
) -> RegretBound:
    """Return L E[first] + R (L + `states` sqrt S) E[rows] with R = 1, or 1 + L x/2 and half of it for MB-UCBVI."""

    def coefficients(scale: Scale) -> Coefficients:
        first, rows = _firsts(scale, arb(1), sums), _of_rows(scale, remaining, sums)
        if algorithm != UCBVI:
            return {(0, 1): _plus(first, rows), (1, 0): _times(states(), rows)}
        linear, square = _times(scale.w / 2, rows), _times(arb(fmpq(1, 4)), rows)
        return {
            (0, 1): _plus(_times((1 + scale.w) / 2, first), linear),
            (0, 2): square,
            (1, 0): _times(states(), linear),
            (1, 1): _times(states(), square),
        }

    return _bound(algorithm, display, None, EXACT, coefficients)


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


def _firsts(scale: Scale, factor: arb, sums: bool = False) -> Pair:
    """Return the coefficients of E[D M + 2 (DKM)^(1/2)]; with `sums`, K/(1-beta) stands for KM where that is less."""
    root = 2 * scale.moment(HALF)
    if sums:
        root = root.min(2 * root_of(scale.span.inverse_log))
    return factor * scale.unit * scale.moment(ONE), factor * scale.unit * root


def _of_rows(scale: Scale, remaining: bool, sums: bool) -> Pair:
    """Return the coefficients of E[G (D M + 2 (DKM)^(1/2))], G = M - 1 where only `remaining` steps count, else M."""
    less = scale.unit if remaining else arb(0)
    linear = scale.moment(TWO) - less * scale.moment(ONE)
    root = scale.moment(THREE_HALVES) - less * scale.moment(HALF)
    if sums:
        square = scale.moment(TWO) - 2 * less * scale.moment(ONE) + less**2
        root = root.min(root_of(_from_zero(square) * scale.span.inverse_log))
    return _from_zero(linear), 2 * _from_zero(root)


def _from_zero(ball: Number) -> Number:
    """Return the part of a ball from 0 on: of a number that is not negative."""
    return ball.max(arb(0))


def _times(factor: Number, pair: Pair) -> Pair:
    return factor * pair[0], factor * pair[1]


def _plus(first: Pair, second: Pair) -> Pair:
    return first[0] + second[0], first[1] + second[1]
