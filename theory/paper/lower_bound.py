r"""The prior of Theorem 2 as exact data, the exact law of the number of visits, and the regret of finding a needle.

Every arm has S states and never leaves its state; all arms start in their i-th state, i uniform. In each i one arm,
drawn uniformly and independently of the other i, pays Bernoulli rewards of mean :math:`\gamma'`, the others of mean
:math:`\gamma < \gamma'`. So each i is a stochastic bandit of n arms, played :math:`T_i = \sum_k G_k H_k` times in K
episodes, with G Bernoulli of mean 1/S and H geometric of parameter :math:`1-\beta`, all independent
(`lem:concentration_T_i`). Means 1/2 and :math:`1/2 + \epsilon` with :math:`\epsilon` of the order of
:math:`\sqrt{n/\tau}` are those of Auer, Cesa-Bianchi, Freund and Schapire (SIAM J. Comput. 32, 2002, Theorem 5.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import comb

from flint import fmpq

from theory.domain import check_counts, exact_discount
from theory.errors import ModelError
from theory.model import Arm, Bandit
from theory.rationals import ZERO, Exact, rational


@dataclass(frozen=True, init=False)
class BestArmPrior:
    r"""Bandits of n arms with S motionless states each, one better arm per state drawn uniformly.

    Parameters
    ----------
    S, n
        States per arm, arms; at least 1.
    discount
        :math:`0 \le \beta < 1`.
    base, best
        The means :math:`0 \le \gamma \le \gamma' \le 1`.

    Examples
    --------
    >>> prior = BestArmPrior(S=1, n=2, discount=0, base="1/2", best="3/4")
    >>> [(best, bandit.arms[0].rewards) for best, bandit in prior.models()]
    [((0,), (3/4,)), ((1,), (1/2,))]
    """

    S: int
    n: int
    discount: fmpq
    base: fmpq
    best: fmpq

    def __init__(self, S: int, n: int, discount: Exact, base: Exact, best: Exact) -> None:
        check_counts(S=S, n=n)
        low, high = rational(base), rational(best)
        if not 0 <= low <= high <= 1:
            raise ModelError(f"means: {low} and {high} are not in order between 0 and 1")
        values = {"S": S, "n": n, "discount": exact_discount(discount), "base": low, "best": high}
        for name, value in values.items():
            object.__setattr__(self, name, value)  # the dataclass is frozen; this is its construction

    @property
    def gap(self) -> fmpq:
        """Cost of one pull of a wrong arm."""
        return self.best - self.base

    def models(self) -> Iterator[tuple[tuple[int, ...], Bandit]]:
        """Yield the n^S bandits of equal probability as pairs (best arm of every state, bandit)."""
        rows = [[int(i == j) for j in range(self.S)] for i in range(self.S)]
        for best_arms in product(range(self.n), repeat=self.S):
            arms = [
                Arm(rewards=[self.best if a == b else self.base for b in best_arms], transitions=rows)
                for a in range(self.n)
            ]
            yield best_arms, Bandit(arms, self.discount)


def squared_bound(S: int, n: int, K: int, beta: Exact, factor: Exact = 60) -> fmpq:
    r"""Return the square of :math:`\frac{1}{60} \sqrt{SnK / (1-\beta)}` (`eq:thm2`), which is rational.

    Examples
    --------
    >>> squared_bound(S=1, n=57600, K=16, beta=0) == 16**2
    True
    """
    check_counts(S=S, n=n, K=K)
    return fmpq(S * n * K) / (1 - exact_discount(beta)) / rational(factor) ** 2


def theorem_2_squared(S: int, n: int, K: int, beta: Exact) -> fmpq:
    r"""Return `squared_bound` where the kernel proves it, 2 <= n <= 3598 K/(S(1-beta)) and K >= 16S; 0 elsewhere.

    Examples
    --------
    >>> theorem_2_squared(S=1, n=1, K=16, beta=0), theorem_2_squared(S=1, n=2, K=1800, beta=0)
    (0, 1)
    """
    square = squared_bound(S=S, n=n, K=K, beta=beta)
    holds = K >= 16 * S and 2 <= n <= 3598 * mean_visits(S=S, K=K, beta=beta)
    return square if holds else ZERO


def mean_visits(S: int, K: int, beta: Exact) -> fmpq:
    r"""Return :math:`E[T_i] = K / (S(1-\beta))` (`lem:concentration_T_i`, ii)."""
    check_counts(S=S, K=K)
    return fmpq(K, S) / (1 - exact_discount(beta))


def visit_law(S: int, K: int, beta: Exact, longest: int) -> list[fmpq]:
    r"""Return :math:`P(T_i = t)` for t = 0..`longest`, a binomial mixture of negative binomials.

    Given g episodes that start in i, :math:`T_i` is the number of trials up to the g-th success of probability
    :math:`1-\beta`.

    Examples
    --------
    >>> visit_law(S=2, K=1, beta="1/2", longest=2)
    [1/2, 1/4, 1/8]
    """
    check_counts(S=S, K=K)
    stop = 1 - exact_discount(beta)
    episodes = [comb(K, g) * fmpq(1, S) ** g * fmpq(S - 1, S) ** (K - g) for g in range(K + 1)]
    law = [episodes[0]]
    for t in range(1, longest + 1):
        terms = (episodes[g] * comb(t - 1, g - 1) * stop**g * (1 - stop) ** (t - g) for g in range(1, min(t, K) + 1))
        law.append(sum(terms, ZERO))
    return law[: longest + 1]


def visits_below(S: int, K: int, beta: Exact, level: Exact, *, strictly: bool = True) -> fmpq:
    r"""Return :math:`P(T_i < level)`, or :math:`P(T_i \le level)` if not `strictly`, exactly.

    Examples
    --------
    >>> visits_below(S=1, K=4, beta=0, level=4), visits_below(S=1, K=4, beta=0, level=4, strictly=False)
    (0, 1)
    >>> visits_below(S=2, K=1, beta=0, level=0), visits_below(S=2, K=1, beta=0, level=0, strictly=False)
    (0, 1/2)
    """
    limit = rational(level)
    longest = int(limit.ceil()) - 1 if strictly else int(limit.floor())
    return sum(visit_law(S, K, beta, longest), ZERO)


def needle_regret(n: int, pulls: int) -> fmpq:
    r"""Return the smallest Bayesian regret of `pulls` pulls if one of n arms, drawn uniformly, pays 1, the others 0.

    The first t pulls try at most t arms, so the t-th pull hits the best arm with probability at most t/n; trying a new
    arm until one pays attains this. The regret is :math:`\sum_t (1 - t/n)^+`.

    Examples
    --------
    >>> needle_regret(n=4, pulls=2), needle_regret(n=4, pulls=100)
    (5/4, 3/2)
    """
    check_counts(n=n)
    tried = min(pulls, n)
    return tried - fmpq(tried * (tried + 1), 2 * n)
