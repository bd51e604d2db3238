r"""The paper's logarithms, confidence radii and bonuses as certified enclosures, one function per formula.

The paper prints two versions of these quantities. Those of the main text (`def:bonuses`) are computable before episode
k: they use the number :math:`t_k` of the step, counted from 1, at which episode k starts. Those of the appendix use,
through :math:`L_{k-1}`, the deterministic bound :math:`\tau_k = (k-1) \log(K(k-1)) / (1-\beta)` on :math:`t_k`.

Common parameters: `S` states per arm, `n` arms, `K` episodes, all at least 1; `N` activations so far, at least 0;
`beta` the exact discount in [0, 1). Each function raises `ModelError` outside its domain; for k = 1 and for K = 1, some
formulas have no value, since the paper prints the logarithm of 0.
"""

from __future__ import annotations

from flint import arb, fmpz

from theory.domain import check_counts, exact_discount
from theory.errors import ModelError
from theory.rationals import Exact


def reward_radius(S: int, n: int, K: int, t: int, N: int) -> arb:
    r"""Return :math:`b^r = \sqrt{\log(2SnKt) / (2 \max\{1,N\})}` of MB-UCRL2 (`def:bonuses`).

    Examples
    --------
    >>> reward_radius(S=1, n=1, K=1, t=1, N=0).str(8, radius=False)
    '0.58870501'
    """
    check_counts(S=S, n=n, K=K, t=t)
    check_counts(0, N=N)
    return (arb(2 * S * n * K * t).log() / (2 * max(1, N))).sqrt()


def transition_radius(S: int, n: int, K: int, t: int, N: int) -> arb:
    r"""Return :math:`b^Q = \sqrt{2 \log(SnK 2^S t) / \max\{1,N\}}` of MB-UCRL2 (`def:bonuses`)."""
    check_counts(S=S, n=n, K=K, t=t)
    check_counts(0, N=N)
    return (2 * arb(S * n * K * fmpz(2) ** S * t).log() / max(1, N)).sqrt()


def ucbvi_bonus(S: int, n: int, K: int, t: int, N: int, beta: Exact) -> arb:
    r"""Return :math:`b = \frac{1}{1-\beta} \sqrt{\log(2SnKt) / (2 \max\{1,N\})}` of MB-UCBVI (`def:bonuses`)."""
    return reward_radius(S, n, K, t, N) / (1 - arb(exact_discount(beta)))


def horizon_bound(K: int, k: int, beta: Exact) -> arb:
    r"""Return :math:`\log(K(k-1)) / (1-\beta)`, for k >= 2: the bound on the first k-1 horizons in event `conc:H`."""
    check_counts(K=K)
    if k < 2:
        raise ModelError(f"k: log(K(k-1)) needs k >= 2, and {k} was given")
    return arb(K * (k - 1)).log() / (1 - arb(exact_discount(beta)))


def tau(K: int, k: int, beta: Exact) -> arb:
    r"""Return :math:`\tau_k = (k-1) \log(K(k-1)) / (1-\beta)`, for k >= 2: the bound on :math:`t_k` (`conc:tau`)."""
    return (k - 1) * horizon_bound(K, k, beta)


def log_factor(S: int, n: int, K: int, k: int, beta: Exact) -> arb:
    r"""Return :math:`L_{k-1} = \sqrt{2 \log(2SnK\tau_k)}` of Lemma `concentration`, for k >= 2.

    Where :math:`2SnK\tau_k < 1` the root is not real, and the ball returned is not finite.
    """
    check_counts(S=S, n=n)
    return (2 * (2 * S * n * K * tau(K, k, beta)).log()).sqrt()


def last_log_factor(S: int, n: int, K: int, beta: Exact) -> arb:
    r"""Return :math:`L_K = \sqrt{2 \log\frac{4SnK^2\log K}{1-\beta}}` (`eq:concentration`), for K >= 2."""
    check_counts(S=S, n=n, K=K)
    if K < 2:
        raise ModelError(f"K: log K must be positive, and K = {K} was given")
    return (2 * (4 * S * n * K**2 * arb(K).log() / (1 - arb(exact_discount(beta)))).log()).sqrt()
