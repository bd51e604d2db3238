r"""Sharper bounds on regret than the paper's: an upper bound for MB-UCBVI, two lower bounds for every learner.

They are this project's own; the ledger's chapter "Beyond the paper" proves them. With
:math:`B = 1/(1-\beta)` and :math:`L = \log(2SnK(KB+1))`:

* (A) MB-UCBVI with the printed bonus, observing the next state of every activation, has expected regret at most
  :math:`4 B^{3/2} \sqrt{SnKL} + 16 S^2 n B^4 L^{7/2}`; `sharper_bound` is the bound before it is shortened.
* (B) For :math:`n, S \ge 2`, :math:`\beta \ge 1/2` and :math:`K \ge \frac94 n(S-1)` a prior forces a Bayesian regret of
  at least :math:`\frac1{36} B \sqrt{(S-1)nK}` on every learner; the prior is `theory.paper.AbsorbingPrior`.
* (C) For :math:`n \ge 2` and :math:`K \ge \max\{2S, nS/B\}` a prior forces at least :math:`\frac1{18} \sqrt{SnKB}`.

Common parameters: `S` states per arm, `n` arms, `K` episodes, at least 1; `beta` the exact discount in [0, 1). Lower
bounds are given as squares, which compare exactly; outside a bound's domain its function raises `ModelError`.
"""

from __future__ import annotations

from flint import arb, fmpq

from theory.domain import check_counts, exact_discount
from theory.errors import ModelError
from theory.paper.lower_bound import squared_bound
from theory.rationals import Exact, rational


def sharper_logarithm(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`L = \log(2SnK(KB+1))`.

    Examples
    --------
    >>> sharper_logarithm(1, 1, 1, 0).str(6, radius=False)
    '1.38629'
    """
    check_counts(S=S, n=n, K=K)
    return arb(2 * S * n * K * (K / (1 - exact_discount(beta)) + 1)).log()


def largest_value(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`\Gamma = B(1 + B\sqrt{L/2})`, a bound on the mean of the values of MB-UCBVI's model.

    Examples
    --------
    >>> largest_value(2, 3, 4, "1/2").overlaps(2 + 4 * (arb(432).log() / 2).sqrt())  # L = log(48 * 9)
    True
    """
    B = 1 / arb(1 - exact_discount(beta))
    return B * (1 + B * (sharper_logarithm(S=S, n=n, K=K, beta=beta) / 2).sqrt())


def unfolded_steps(S: int, n: int, K: int, beta: Exact) -> int:
    r"""Return :math:`T_0 = \lceil B\log(K\Gamma/B) \rceil`, the number of steps of an episode that the proof unfolds.

    Near an integer, within rounding, it may be one more, which is as good for the bound.

    Examples
    --------
    >>> unfolded_steps(2, 2, 1000, "1/2")
    18
    """
    B = 1 / arb(1 - exact_discount(beta))
    steps = (B * (K * largest_value(S=S, n=n, K=K, beta=beta) / B).log()).upper().ceil()
    return int(steps.fmpq().p)


def sharper_bound(S: int, n: int, K: int, beta: Exact, theta: Exact = "1/3") -> arb:
    r"""Return the bound (A) on the regret of MB-UCBVI before it is shortened.

    .. math:: 2\sqrt2 e^\theta B^{3/2}\sqrt{SnKL} + \sqrt2 e^\theta SnB^2\sqrt L
       + \frac{e^\theta}\theta \beta (S\log 2 + \log(SnK)) T_0 Sn\Gamma (B+2+L) + (S+2+e^\theta) B

    with :math:`T_0 = \lceil B\log(K\Gamma/B) \rceil`; the third term is absent for S = 1, where rows are known.

    Parameters
    ----------
    S, n, K, beta
        As in the module.
    theta
        :math:`0 < \theta \le 1`; the bound holds for each such value.

    Examples
    --------
    >>> sharper_bound(2, 2, 10**9, "1/2") < sharper_bound_short(2, 2, 10**9, "1/2")
    True
    """
    share = rational(theta)
    if not 0 < share <= 1:
        raise ModelError(f"theta: {share} is not in 0 < theta <= 1")
    L, gamma = sharper_logarithm(S=S, n=n, K=K, beta=beta), largest_value(S=S, n=n, K=K, beta=beta)
    steps, beta = unfolded_steps(S=S, n=n, K=K, beta=beta), exact_discount(beta)
    B, front, root_2 = 1 / arb(1 - beta), arb(share).exp(), arb(2).sqrt()
    leading = 2 * root_2 * front * B * B.sqrt() * (S * n * K * L).sqrt() + root_2 * front * S * n * B**2 * L.sqrt()
    sets = S * arb(2).log() + arb(S * n * K).log()
    rows = front / share * beta * sets * steps * S * n * gamma * (B + 2 + L) if S > 1 else arb(0)
    return leading + rows + (S + 2 + front) * B


def sharper_bound_short(S: int, n: int, K: int, beta: Exact, c: Exact = 4, d: Exact = 16) -> arb:
    r"""Return :math:`c B^{3/2} \sqrt{SnKL} + d S^2 n B^4 L^{7/2}`, the bound (A) with c = 4 and d = 16.

    Examples
    --------
    >>> from theory.paper import theorem_side
    >>> sharper_bound_short(10, 10, 10**15, "9/10") < theorem_side(10, 10, 10**15, "9/10", 2)  # with C'' = 1
    True
    >>> root = sharper_logarithm(2, 2, 4, "3/4").sqrt()
    >>> sharper_bound_short(2, 2, 4, "3/4").overlaps(4 * 8 * 4 * root + 16 * 8 * 256 * root**7)
    True
    """
    L = sharper_logarithm(S=S, n=n, K=K, beta=beta)
    B = 1 / arb(1 - exact_discount(beta))
    leading = arb(rational(c)) * B * B.sqrt() * (S * n * K * L).sqrt()
    return leading + arb(rational(d)) * S**2 * n * B**4 * L**3 * L.sqrt()


def absorbing_bound_squared(S: int, n: int, K: int, beta: Exact, factor: Exact = 36) -> fmpq:
    r"""Return the square of (B), :math:`\frac1{36} B\sqrt{(S-1)nK}`; its domain is in the module.

    Examples
    --------
    >>> absorbing_bound_squared(S=2, n=2, K=8, beta="1/2") == fmpq(2, 9) ** 2
    True
    """
    check_counts(2, S=S, n=n)
    check_counts(K=K)
    discount = exact_discount(beta)
    if discount < fmpq(1, 2) or 9 * n * (S - 1) > 4 * K:
        raise ModelError(f"the bound needs beta >= 1/2 and K >= 9n(S-1)/4, not beta = {discount} and K = {K}")
    return fmpq((S - 1) * n * K) / (1 - discount) ** 2 / rational(factor) ** 2


def motionless_bound_squared(S: int, n: int, K: int, beta: Exact, factor: Exact = 18) -> fmpq:
    r"""Return the square of (C), :math:`\frac1{18}\sqrt{SnKB}`; its domain is in the module.

    Examples
    --------
    >>> motionless_bound_squared(S=1, n=2, K=2, beta=0)
    1/81
    """
    check_counts(S=S, K=K)
    check_counts(2, n=n)
    if K < 2 * S or n * S * (1 - exact_discount(beta)) > K:
        raise ModelError(f"the bound needs K >= 2S and K >= nS(1-beta), not K = {K}")
    return squared_bound(S=S, n=n, K=K, beta=beta, factor=factor)


def lower_bound_squared(S: int, n: int, K: int, beta: Exact) -> fmpq:
    r"""Return the square of the larger of (B) and (C), each within its domain; 0 outside both domains.

    Examples
    --------
    >>> lower_bound_squared(S=1, n=1, K=10, beta=0)
    0
    >>> lower_bound_squared(S=5, n=2, K=100, beta="99/100") == absorbing_bound_squared(S=5, n=2, K=100, beta="99/100")
    True
    """
    found = fmpq(0)
    for bound in (absorbing_bound_squared, motionless_bound_squared):
        try:
            found = max(found, bound(S, n, K, beta))
        except ModelError:
            check_counts(S=S, n=n, K=K)
    return found
