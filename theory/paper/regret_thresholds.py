r"""From how many episodes on a bound on regret says more than K/(1-beta), to the exact integer.

The bound divided by K decreases from a computable number of episodes on, so two certified comparisons settle all larger
ones. In the notation of `theory.paper.regret_bounds`, with K made real (h1 and h2 through the digamma function and
its derivative, :math:`h_1' \le 1/K`, :math:`h_2' \le 1/K^2`), the elasticity :math:`K g'/g` is

- of :math:`L_K^j`: :math:`j (2 + 1/\ell)/L_K^2`;
- of :math:`p_j`, a polynomial in h1 and q with non-negative coefficients, of degree 2 where q counts for 2: at most
  :math:`2/h_1`, as :math:`h_1/K \le 2 h_2`; of :math:`r_j`, in the same way, at most :math:`3/(2 h_1)`;
- of :math:`\log(SnK\ell x) = y`: :math:`(1 + 1/\ell)/y`; of :math:`\ell^2` and :math:`\ell^{3/2}`:
  :math:`2/\ell` and :math:`3/(2\ell)`.

All decrease in K. The terms of the bound over K are products of these with 1/K or :math:`K^{-1/2}`: the sum decreases
from K on where the elasticities of the factors sum to less than 1 and 1/2 there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from flint import arb, fmpq

from theory.certified.balls import Truth, less
from theory.paper.bonuses import last_log_factor
from theory.paper.regret_bounds import Reading, harmonic, log_term, trivial_bound
from theory.rationals import Exact

BoundOfEpisodes: TypeAlias = "Callable[[int], arb]"

LARGEST_EPISODES = 10**60


@dataclass(frozen=True)
class Threshold:
    """Where a bound becomes informative.

    Attributes
    ----------
    first
        The bound is below K/(1-beta) for this K and all larger ones, and not for `first` - 1.
    decreasing_from
        The bound divided by K decreases from here on.
    never_before
        Whether it is at or above K/(1-beta) for every K from 2 to `first` - 1.
    """

    first: int
    decreasing_from: int
    never_before: bool


def proof_decreases_from(reading: Reading, S: int, n: int, beta: Exact) -> int:
    """Return a number of episodes from which on the proof's side divided by K decreases (a power of 2).

    Examples
    --------
    >>> from theory.paper.regret_bounds import printed_reading
    >>> proof_decreases_from(printed_reading(), S=4, n=3, beta="99/100")
    32
    """

    def elasticities(K: int) -> tuple[arb, arb]:
        of_log = reading.order * (2 + 1 / arb(K).log()) / last_log_factor(S, n, K, beta) ** 2
        first = harmonic(K).first
        return of_log + 2 / first, of_log + 3 / (2 * first)

    return _first_power(elasticities)


def theorem_decreases_from(S: int, n: int, beta: Exact) -> int:
    """Return the same for the theorem's side, whatever its constant, of either order."""

    def elasticities(K: int) -> tuple[arb, arb]:
        log_k = arb(K).log()
        of_log = (1 + 1 / log_k) / log_term(S, n, K, beta)
        return of_log + 2 / log_k, of_log + 3 / (2 * log_k)

    return _first_power(elasticities)


def first_informative(bound: BoundOfEpisodes, beta: Exact, decreasing_from: int) -> Threshold:
    """Return from which number of episodes on `bound` is below K/(1-beta).

    Parameters
    ----------
    bound
        Of K >= 2; divided by K it must decrease from `decreasing_from` on.
    beta
        The discount.
    decreasing_from

    Raises
    ------
    ArithmeticError
        If a comparison stays undecided, or the bound is not informative at 10**60 episodes.

    Examples
    --------
    >>> first_informative(lambda K: 3 * arb(K).sqrt(), beta=0, decreasing_from=2).first
    10
    """

    def informative(K: int) -> bool:
        answer = less(lambda: bound(K), lambda: arb(trivial_bound(K, beta)))
        if answer is Truth.UNDECIDED:
            raise ArithmeticError(f"at K = {K} the bound could not be told from K/(1-beta)")
        return answer is Truth.YES

    known = [informative(K) for K in range(2, decreasing_from + 1)]
    if known[-1]:
        uninformative = [K for K, yes in enumerate(known, start=2) if not yes]
        first = max(uninformative, default=1) + 1
        return Threshold(first, decreasing_from, not any(known[: first - 2]))
    low, high = decreasing_from, 2 * decreasing_from
    while not informative(high):
        if high > LARGEST_EPISODES:
            raise ArithmeticError(f"the bound is not below K/(1-beta) at K = {high}")
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if informative(middle) else (middle, high)
    return Threshold(high, decreasing_from, not any(known))


def _first_power(elasticities: Callable[[int], tuple[arb, arb]]) -> int:
    K = 2
    while True:
        linear, root = elasticities(K)
        if linear < 1 and root < arb(fmpq(1, 2)):
            return K
        K *= 2
