r"""The largest Bayesian regrets that priors force, enclosed; and how often a state is visited, exactly.

Of a set of bandits, the *forced regret* is the largest of the smallest Bayesian regrets over learners, over all priors.
It exists: rewards that are rounded at random to 0 or 1 only make it harder to learn, Bernoulli bandits of one size are
a compact set, and the smallest Bayesian regret is upper semicontinuous in the prior. What encloses it here are learners
(from above) and the prior with one paying arm (from below), each with its exact regret.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from flint import arb, fmpq
from sympy.core.expr import Expr  # type: ignore[import-untyped]

from proofs_checks.claimcheck.statements import Evaluated
from proofs_checks.claimcheck.statements.evaluation import UnclearError, Value
from theory import ZERO
from theory.paper import mean_visits, needle_regret, visits_below

MOST_EPISODES, MOST_VISITS = 64, 400
"""Larger laws of the number of visits are not computed."""


def between(low: Value, high: Value) -> Value:
    """Return a number between two bounds: exact where these are equal, a ball otherwise."""
    return low if isinstance(low, fmpq) and low == high else arb(low).union(arb(high))


def exact(values: tuple[Value, ...]) -> list[fmpq]:
    """Return sizes and a discount as the exact numbers that they are.

    Raises
    ------
    UnclearError
        If one is not exact: nothing is computed over boxes.
    """
    found = [each for each in values if isinstance(each, fmpq)]
    if len(found) < len(values):
        raise UnclearError("only exact sizes are looked at")
    return found


class ForcedSto(Evaluated):
    """Of stochastic bandits with n arms and rewards in [0, 1], over tau pulls."""

    latex_name = r"\mathcal{R}^{\mathrm{sto}}"

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return an enclosure: an arm drawn uniformly and kept costs at most tau (1 - 1/n)."""
        n, pulls = (int(each.p) for each in exact(values))
        return between(needle_regret(n, pulls), pulls * (1 - fmpq(1, n)))


class Forced(Evaluated):
    """Of Markovian bandits with parameters (S, n, K, beta): the largest one that a prior forces on every learner."""

    latex_name = r"\mathcal{R}"

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return an enclosure.

        No policy is worth more than the sum of the arms' values each played alone, so an arm drawn uniformly and kept
        costs at most K/(1-beta) (1 - 1/n). With one state and no discount, K episodes are K pulls.

        One of three arms pays 1: 2/3 of the first pulls are wrong, and half of the second ones after these.

        >>> for sizes in ((1, 3, 2, 0), (2, 3, 2, 0), (1, 3, 2, fmpq(1, 4))):
        ...     found = Forced.compute(*map(fmpq, sizes))
        ...     print([round(float(end), 3) + 0 for end in (found.lower(), found.upper())])
        [1.0, 1.333]
        [0.0, 1.333]
        [0.0, 1.778]
        >>> Forced.compute(fmpq(3), fmpq(1), fmpq(48), fmpq(1, 2))  # one arm
        0
        """
        S, n, K, beta = exact(values)
        low = needle_regret(int(n.p), int(K.p)) if S == 1 and beta == 0 else ZERO
        return between(low, K / (1 - beta) * (1 - 1 / n))


@cache
def _below(S: int, K: int, beta: fmpq, strictly: bool) -> fmpq:
    half = mean_visits(S, K, beta) / 2
    if K > MOST_EPISODES or half > MOST_VISITS:
        raise UnclearError("a long law is not computed")
    return visits_below(S, K, beta, half, strictly=strictly)


class _Visits(Evaluated):
    """A probability of the number of visits of one state, in S, K and beta."""

    strictly = True

    @classmethod
    def below(cls, values: tuple[Value, ...]) -> fmpq:
        """Return the probability to be below half of the mean, from the exact law."""
        S, K, beta = exact(values)
        return _below(int(S.p), int(K.p), beta, cls.strictly)

    def _latex(self, printer: Any, exp: Expr | None = None) -> str:
        return self.latex_name


class ReachesHalf(_Visits):
    """The probability that a state is visited at least half as often as it is on average."""

    latex_name = r"\mathbb{P}\left(T_i \ge \tfrac{1}{2}\mathbb{E}[T_i]\right)"

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return it exactly."""
        return 1 - cls.below(values)


class AtMostHalf(_Visits):
    """The probability that a state is visited at most half as often as it is on average."""

    latex_name = r"\mathbb{P}\left(T_i \le \tfrac{1}{2}\mathbb{E}[T_i]\right)"
    strictly = False

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return it exactly."""
        return cls.below(values)
