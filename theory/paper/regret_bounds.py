r"""Both sides of the upper bounds on regret (`thm:regret_upper_bound`), with every constant, as certified enclosures.

Common parameters: `S` states per arm, `n` arms, `K` episodes, at least 2 (where log K is positive); `beta` the exact
discount in [0, 1); :math:`x = 1/(1-\beta)`, :math:`D = Sn`, :math:`s = \sqrt S`, :math:`\ell = \log K`.

The theorem's side is :math:`(s + y) f` for MB-PSRL and MB-UCRL2 and :math:`s x y f` for MB-UCBVI, with
:math:`y = \log(D K \ell x)` and :math:`f = D (\ell x)^2 + \sqrt{DK} (\ell x)^{3/2}`.

The proof's side is a polynomial in :math:`L_K = \sqrt{2 \log(4DK^2 \ell x)}` (a `Reading`). Divided by x (by x^2 for
MB-UCBVI) it depends on beta, S, n only through :math:`t = D x`, :math:`w = 1/x` and s:

.. math:: c_0 + \sum_j L_K^j (p_j t + r_j \sqrt{tK}), \qquad f/x = \ell^2 t + \sqrt{tK} \ell^{3/2},

and :math:`y = \log(K \ell t)`, :math:`L_K^2 = 2(y + \log 4K)`. The coefficients p_j, r_j are affine in s. This makes
suprema over all models computable (`theory.paper.regret_constants`).

The largest horizon. H is geometric on 1, 2, ...: with E exponential of mean 1, H has the law of
:math:`\lceil E / \log(1/\beta) \rceil`, so :math:`H - 1 \le E / \log(1/\beta) \le c E`, where c = x, or the sharper
:math:`c = x - 1/2` (:math:`\log(1/\beta) \ge 2(1-\beta)/(1+\beta)`). The largest M of K independent copies of E is a
sum of independent exponentials of means 1/j, j = 1..K (Renyi), so that E M = h1 = 1 + ... + 1/K, Var M = h2 =
1 + ... + 1/K^2, E M^2 = q = h1^2 + h2. Hence :math:`E \max H \le 1 + c h_1` and :math:`E \max H^2 \le 1 + 2 c h_1 +
c^2 q`, and by Cauchy and Schwarz :math:`E \max H^{3/2} \le (E \max H \, E \max H^2)^{1/2}`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from flint import arb, fmpq

from theory.domain import check_counts, exact_discount
from theory.errors import ModelError
from theory.paper.bonuses import last_log_factor
from theory.rationals import Exact, rational

Pairs: TypeAlias = "tuple[tuple[arb, arb], ...]"
"""For j = 0, 1, 2: what multiplies L^j t, and what multiplies L^j (tK)^(1/2)."""


class Harmonic(NamedTuple):
    """The sums h1 = 1 + 1/2 + ... + 1/K and h2 = 1 + 1/4 + ... + 1/K^2, or upper bounds of them."""

    first: arb
    second: arb

    @property
    def q(self) -> arb:
        """The second moment of the largest of K exponential variables."""
        return self.first**2 + self.second


class MaximumMoments(NamedTuple):
    """Bounds on E max H, E max H^(3/2) and E max H^2 over K geometric horizons."""

    first: arb
    three_halves: arb
    second: arb


@dataclass(frozen=True)
class Reading:
    r"""One way to read the proof, to the last constant.

    Attributes
    ----------
    name
    additive
        The constant c_0 of :math:`c_0/(1-\beta)`: the episodes' failure probabilities are at most c_0/K each.
    order
        The power of 1/(1-beta) by which the proof's side is divided: 1, or 2 for MB-UCBVI.
    coefficients
        Of (h, w): the parts of the pairs (p_j, r_j) that are free of s, and those that are multiplied by s.
    """

    name: str
    additive: fmpq
    order: int
    coefficients: Callable[[Harmonic, arb], tuple[Pairs, Pairs]]

    def __post_init__(self) -> None:
        """Refuse an order that no bound of the theorem has."""
        if self.order not in (1, 2):
            raise ModelError(f"order: 1 for MB-PSRL and MB-UCRL2 or 2 for MB-UCBVI, not {self.order}")


def printed_reading(additive: Exact = 9, front: Exact = 3) -> Reading:
    r"""Return `front` (L_K + s)(D E max H^2 + 2 (DK)^(1/2) E max H^(3/2)) + c_0 x, as for MB-PSRL.

    With `front` 3 and c_0 = 5 it is MB-UCRL2's: the factor 3/2 printed there would need M_k within one radius of M, but
    both are only within one radius of the estimates.
    """
    factor = rational(front)

    def coefficients(h: Harmonic, w: arb) -> tuple[Pairs, Pairs]:
        pair = _scaled_moments(h, w, factor)
        return (_nothing(), pair, _nothing()), (pair, _nothing(), _nothing())

    return Reading(f"merged, front factor {factor}", rational(additive), 1, coefficients)


def printed_ucbvi_reading(additive: Exact = 7, front: Exact = 2) -> Reading:
    r"""Return `front` L_K (L_K + s) x (D E max H^2 + 2 (DK)^(1/2) E max H^(3/2)) + c_0 x, as for MB-UCBVI.

    The front factor 2 also covers the corrected :math:`B_k = H_k (1 + L x / 2)`; see `ucbvi_front`.
    """
    factor = rational(front)

    def coefficients(h: Harmonic, w: arb) -> tuple[Pairs, Pairs]:
        pair = _scaled_moments(h, w, factor)
        return (_nothing(), _nothing(), pair), (_nothing(), pair, _nothing())

    return Reading(f"merged for MB-UCBVI, front factor {factor}", rational(additive), 2, coefficients)


def sharper_reading(additive: Exact = 9) -> Reading:
    r"""Return the same proof for MB-PSRL and MB-UCRL2 with nothing given away between its steps.

    Four changes. A difference of probability rows acts on a function of range at most H - 1 (rewards in [0, 1], the
    steps that remain), so it costs (H-1)/2 times the L1 distance. The terms in L_K and H L_K are not merged. The sum of
    all horizons has expectation K x, which replaces K max H under the root. And c = x - 1/2 in place of x. With
    G = max H - 1 the bound is, before moments are taken,

    .. math:: c_0 x + E[(L_K + (L_K + 3s/2) G)(D (1+G) + 2 \sqrt{D \textstyle\sum_k H_k})].
    """

    def coefficients(h: Harmonic, w: arb) -> tuple[Pairs, Pairs]:
        one, gap = _gap_moments(h, w)
        linear = one[0] + gap[0], one[1] + gap[1]
        return (_nothing(), linear, _nothing()), (_times(arb(fmpq(3, 2)), gap), _nothing(), _nothing())

    return Reading("unmerged", rational(additive), 1, coefficients)


def sharper_ucbvi_reading(additive: Exact = 7) -> Reading:
    r"""Return the same for MB-UCBVI, with rewards of M_k in [0, 1 + L x / 2]: the corrected range.

    .. math:: c_0 x + E[(L_K (1+x)/2 + (1 + L_K x/2)(L_K + 3s/2) G/2)(D (1+G) + 2 \sqrt{D \textstyle\sum_k H_k})].
    """

    def coefficients(h: Harmonic, w: arb) -> tuple[Pairs, Pairs]:
        one, gap = _gap_moments(h, w)
        of_rewards, of_rows = _times((1 + w) / 2, one), _times(w / 2, gap)
        linear = of_rewards[0] + of_rows[0], of_rewards[1] + of_rows[1]
        free = (_nothing(), linear, _times(arb(fmpq(1, 4)), gap))
        return free, (_times(w * 3 / 4, gap), _times(arb(fmpq(3, 8)), gap), _nothing())

    return Reading("unmerged for MB-UCBVI", rational(additive), 2, coefficients)


def harmonic(K: int) -> Harmonic:
    """Return the harmonic sums of K terms, for K of any size.

    Examples
    --------
    >>> h = harmonic(3)
    >>> h.first.contains(fmpq(11, 6)), h.second.contains(fmpq(49, 36))
    (True, True)
    """
    check_counts(K=K)
    if K <= 64:
        return Harmonic(arb(fmpq.harmonic(K)), arb(sum((fmpq(1, j * j) for j in range(1, K + 1)), fmpq(0))))
    return Harmonic(arb(K + 1).digamma() + arb.const_euler(), arb(2).zeta() - arb(2).zeta(arb(K + 1)))


def maximum_moments(K: int, beta: Exact, sharper: bool = False) -> MaximumMoments:
    r"""Return bounds on :math:`E \max_{k \le K} H_k^\alpha` for alpha = 1, 3/2, 2; the proof is in the module's text.

    Raises
    ------
    ModelError
        Outside the domain; K = 1 belongs to it.

    Examples
    --------
    >>> maximum_moments(2, 0).second  # here H = 1
    7.50000000000000
    >>> maximum_moments(2, 0, sharper=True).second
    3.37500000000000
    """
    h, x = harmonic(K), _inverse(beta)
    c = x - arb(fmpq(1, 2)) if sharper else x
    first, second = 1 + c * h.first, 1 + 2 * c * h.first + c**2 * h.q
    return MaximumMoments(first, (first * second).sqrt(), second)


def leading_function(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`f(S,n,K,\beta) = Sn (\log K/(1-\beta))^2 + \sqrt{SnK} (\log K/(1-\beta))^{3/2}`.

    It is 0 for K = 1, where the theorem's other factor has no value.

    Examples
    --------
    >>> leading_function(1, 1, 1, "1/2")
    0
    """
    check_counts(S=S, n=n, K=K)
    z = arb(K).log() * _inverse(beta)
    return S * n * z**2 + arb(S * n * K).sqrt() * z * z.sqrt()


def log_term(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`\log(SnK \log K/(1-\beta))`.

    Raises
    ------
    ModelError
        For K = 1, where the logarithm of 0 is printed, and outside the domain.

    Examples
    --------
    >>> log_term(1, 1, 2, 0).str(5, radius=False)
    '0.32663'
    """
    check_counts(2, K=K)
    check_counts(S=S, n=n)
    return (S * n * K * arb(K).log() * _inverse(beta)).log()


def theorem_side(S: int, n: int, K: int, beta: Exact, order: int = 1) -> arb:
    r"""Return the theorem's right-hand side with constant 1: of MB-PSRL and MB-UCRL2, or (`order` 2) of MB-UCBVI.

    Raises
    ------
    ModelError
        For K = 1, and outside the domain.
    """
    y, root = log_term(S, n, K, beta), arb(S).sqrt()
    factor = root + y if order == 1 else root * _inverse(beta) * y
    return factor * leading_function(S, n, K, beta)


def proof_side(reading: Reading, S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return the bound on the regret of K episodes that this reading of the proof gives.

    Raises
    ------
    ModelError
        For K = 1, where L_K has no value, and outside the domain.

    Examples
    --------
    >>> proof_side(printed_reading(), S=4, n=3, K=3000, beta="99/100").str(4, radius=False)
    '5.219e+8'
    """
    check_counts(2, K=K)
    check_counts(S=S, n=n)
    x = _inverse(beta)
    L, t = last_log_factor(S, n, K, beta), S * n * x
    scaled = arb(reading.additive) if reading.order == 1 else arb(reading.additive) / x
    free, rooted = reading.coefficients(harmonic(K), 1 / x)
    for pairs, factor in ((free, arb(1)), (rooted, arb(S).sqrt())):
        for power, (p, r) in enumerate(pairs):
            scaled += factor * L**power * (p * t + r * (t * K).sqrt())
    return scaled * x**reading.order


def ucbvi_front(L: arb, s: arb, x: arb, largest: arb, bonus_in_range: bool = True) -> arb:
    r"""Return what multiplies :math:`1/\sqrt{\max\{1,N\}}` in an episode of MB-UCBVI, before terms are merged.

    It is :math:`L(1+x)/2 + B (L + 3s/2)` with B = `largest` (1 + L x / 2), the range of the rewards of M_k, which reach
    1 + L x / 2; or, with `bonus_in_range` false, the printed B = `largest` L x / 2.
    """
    rewards = L * x / 2 + (1 if bonus_in_range else 0)
    return L * (1 + x) / 2 + largest * rewards * (L + arb(fmpq(3, 2)) * s)


def trivial_bound(K: int, beta: Exact) -> fmpq:
    """Return K/(1-beta): no episode has a regret above its expected length, as rewards are in [0, 1].

    Examples
    --------
    >>> trivial_bound(3000, "99/100")
    300000
    """
    check_counts(K=K)
    return K / (1 - exact_discount(beta))


def _scaled_moments(h: Harmonic, w: arb, factor: fmpq) -> tuple[arb, arb]:
    """Return `factor` times the bounds on E max H^2 / x^2 and 2 E max H^(3/2) / x^(3/2), with c = x."""
    second = w**2 + 2 * w * h.first + h.q
    return arb(factor) * second, 2 * arb(factor) * (second * (w + h.first)).sqrt()


def _gap_moments(h: Harmonic, w: arb) -> tuple[tuple[arb, arb], tuple[arb, arb]]:
    """Return the scaled coefficients of E[D max H + 2 (D sum H)^(1/2)] and of the same times G = max H - 1."""
    c = 1 - w / 2
    one = w * (w + c * h.first), 2 * w
    gap = c**2 * h.q + c * w * h.first, 2 * c * h.q.sqrt()
    return one, gap


def _times(factor: arb, pair: tuple[arb, arb]) -> tuple[arb, arb]:
    return factor * pair[0], factor * pair[1]


def _nothing() -> tuple[arb, arb]:
    return arb(0), arb(0)


def _inverse(beta: Exact) -> arb:
    return arb(1 / (1 - exact_discount(beta)))
