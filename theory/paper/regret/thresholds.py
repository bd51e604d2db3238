r"""From how many episodes on a bound on regret says more than K/(1-beta), to the exact integer.

A bound that does not decrease in K is settled on a whole range by one comparison: if it is below :math:`K_1/(1-\beta)`
at :math:`K_2 > K_1`, it is informative for all K from :math:`K_1` to :math:`K_2`; if it is at least
:math:`K_2/(1-\beta)` at :math:`K_1`, for none of them. Such ranges, chained, go down to K = 2 and up to a number of
episodes from which on the bound is at most a constant times the theorem's side, which divided by K decreases: its
elasticity, powers of K left out, is at most :math:`(1 + 1/\ell)/y + 2/\ell` with :math:`\ell = \log K` and
:math:`y = \log(SnK\ell/(1-\beta))`, which decreases in K.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import flint
from flint import arb, fmpq

from theory.certified import Truth, less
from theory.domain import exact_discount
from theory.paper.regret.bounds import RegretBound
from theory.paper.regret.constants import over_box
from theory.paper.regret.span import Span
from theory.paper.regret.theorem import log_term, theorem_side
from theory.rationals import ONE, ZERO, Exact, rational

BoundOfEpisodes: TypeAlias = "Callable[[int], arb]"

FAR_EPISODES = 10**60
"""From here on ranges are no longer chained."""
GUESSING = 256
"""Bits for guesses of how far a comparison reaches; what is guessed is checked."""


@dataclass(frozen=True)
class Threshold:
    """Where a bound becomes informative.

    Attributes
    ----------
    first
        The bound is below K/(1-beta) for this K and all larger ones, and for no smaller one from 2 on.
    ranges
        How many ranges were chained.
    """

    first: int
    ranges: int


def informative_from(bound: RegretBound, S: int, n: int, beta: Exact) -> Threshold:
    """Return from which number of episodes on a bound of the proof is below K/(1-beta).

    Raises
    ------
    ArithmeticError
        If a comparison stays undecided, if the bound is not informative at 10**60 episodes, or if it is informative
        before and not throughout.

    Examples
    --------
    >>> from theory.paper.regret.displays import merged
    >>> from theory.paper.regret.moments import harmonic_moments
    >>> informative_from(merged("MB-PSRL", moments=harmonic_moments(0)), S=4, n=3, beta="99/100").first
    136727575732
    """
    found = first_informative(lambda K: bound.at(S, n, K, beta), beta)
    constant = over_box(bound, Span(FAR_EPISODES, alone=False), (ZERO, ONE), (ZERO, ONE))
    _check_beyond(constant, S, n, beta, bound.order)
    return found


def theorem_informative_from(constant: Exact, S: int, n: int, beta: Exact, order: int = 1) -> Threshold:
    """Return the same for the theorem's right-hand side with a constant.

    Raises
    ------
    ArithmeticError
        As `informative_from`.
    """
    factor = rational(constant)
    found = first_informative(lambda K: theorem_side(S, n, K, beta, order) * factor, beta)
    _check_beyond(arb(factor), S, n, beta, order)
    return found


def elasticity_of_logarithms(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`(1 + 1/\ell)/y + 2/\ell`, the elasticity in K of :math:`y \ell^2`: what logarithms add to powers.

    Examples
    --------
    >>> elasticity_of_logarithms(1, 1, 1000, "1/2").str(5, radius=False)
    '0.40961'
    """
    log_k = arb(K).log()
    return (1 + 1 / log_k) / log_term(S, n, K, beta) + 2 / log_k


def _check_beyond(constant: arb, S: int, n: int, beta: Exact, order: int) -> None:
    """Check that a constant times the theorem's side is below K/(1-beta) from `FAR_EPISODES` on.

    Raises
    ------
    ArithmeticError
        If that is not seen.
    """
    K = FAR_EPISODES
    below = constant * theorem_side(S, n, K, beta, order) * (1 - arb(exact_discount(beta))) < K
    # the term with the root of K has the elasticity 1/2 besides
    if not (below and elasticity_of_logarithms(S, n, K, beta) < arb(fmpq(1, 2))):
        raise ArithmeticError(f"the bound is not seen to stay below K/(1-beta) from K = {K} on")


def first_informative(increasing: BoundOfEpisodes, beta: Exact) -> Threshold:
    """Return the least K >= 2 from which on a bound is below K/(1-beta), up to `FAR_EPISODES`.

    Parameters
    ----------
    increasing
        Of K >= 2; it must not decrease in K.
    beta
        The discount.

    Raises
    ------
    ArithmeticError
        If a comparison stays undecided, if the bound is not below K/(1-beta) at `FAR_EPISODES`, or if it is below
        before and not throughout.

    Examples
    --------
    >>> first_informative(lambda K: 3 * arb(K).sqrt(), beta=0).first
    10
    """
    x = 1 / (1 - exact_discount(beta))

    def below(at: int, episodes: int) -> bool:
        answer = less(lambda: increasing(at), lambda: arb(episodes * x))
        if answer is Truth.UNDECIDED:
            raise ArithmeticError(f"at K = {at} the bound could not be told from {episodes}/(1-beta)")
        return answer is Truth.YES

    if not below(FAR_EPISODES, FAR_EPISODES):
        raise ArithmeticError(f"the bound is not below K/(1-beta) at K = {FAR_EPISODES}")
    low, high = 1, 2
    while not below(high, high):
        low, high = high, high**2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if below(middle, middle) else (middle, high)
    return Threshold(high, _upwards(below, increasing, x, high) + _downwards(below, increasing, x, high - 1))


def _upwards(below: Callable[[int, int], bool], increasing: BoundOfEpisodes, x: fmpq, first: int) -> int:
    """Chain ranges on which the bound is informative up to `FAR_EPISODES`, and count them."""
    K, ranges = first, 0
    while K < FAR_EPISODES:
        reach = max(K + 1, _guess(increasing, x, K))
        while not below(reach - 1, K):  # the range K, ..., reach - 1
            reach = K + (reach - K) // 2
            if reach <= K:
                raise ArithmeticError(f"the bound is not below K/(1-beta) at K = {K}, and is at K = {first}")
        K, ranges = reach, ranges + 1
    return ranges


def _downwards(below: Callable[[int, int], bool], increasing: BoundOfEpisodes, x: fmpq, last: int) -> int:
    """Chain ranges on which the bound is not informative down to K = 2, and count them."""
    K, ranges = last, 0
    while K >= 2:
        reach = max(2, min(K, _guess(increasing, x, K)))
        while below(reach, K):  # the range reach, ..., K
            reach = K - (K - reach) // 2
            if reach >= K and below(K, K):
                raise ArithmeticError(f"the bound is below K/(1-beta) at K = {K}, and not at K = {last}")
        K, ranges = reach - 1, ranges + 1
    return ranges


def _guess(increasing: BoundOfEpisodes, x: fmpq, K: int) -> int:
    """Return about K times K/(1-beta) over the bound: how far a comparison at K may reach."""
    with flint.ctx.workprec(GUESSING):
        return int(str((arb(K * K * x) / increasing(K)).mid().floor().unique_fmpz()))
