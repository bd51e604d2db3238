r"""The largest Bayesian regrets that priors force, enclosed; and how often a state is visited, exactly.

The *forced regret* of a set of bandits is the supremum, over priors on finitely many of them with finitely many
rewards, of the smallest Bayesian regret of any learner. The exact regrets of learners bound it from above, that of the
prior with one paying arm from below.
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
"""Largest numbers of episodes and of visits for which the law of the number of visits is computed."""


def between(low: Value, high: Value) -> Value:
    """Return a number between two bounds: exact if the bounds are equal, a ball otherwise."""
    return low if isinstance(low, fmpq) and low == high else arb(low).union(arb(high))


def exact(values: tuple[Value, ...]) -> list[fmpq]:
    """Return sizes and a discount as exact numbers.

    Raises
    ------
    UnclearError
        If a value is a ball, as over a box.
    """
    found = [each for each in values if isinstance(each, fmpq)]
    if len(found) < len(values):
        raise UnclearError("sizes have to be exact")
    return found


class ForcedSto(Evaluated):
    """The forced regret of stochastic bandits with n arms and rewards in [0, 1], over tau pulls."""

    latex_name = r"\mathcal{R}^{\mathrm{sto}}"

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return an enclosure; from above, an arm drawn uniformly and kept costs at most tau (1 - 1/n)."""
        n, pulls = (int(each.p) for each in exact(values))
        return between(needle_regret(n, pulls), pulls * (1 - fmpq(1, n)))


class Forced(Evaluated):
    """The forced regret of Markovian bandits with parameters (S, n, K, beta)."""

    latex_name = r"\mathcal{R}"

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return an enclosure of the forced regret.

        No policy is worth more than the sum of the values of the arms played alone, so an arm drawn uniformly and kept
        costs at most K/(1-beta) (1 - 1/n). With one state and discount 0, K episodes are K pulls.

        If one of three arms pays 1, a first pull is wrong with chance 2/3, and a second one after it with chance 1/2.

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
def _below(states: fmpq, episodes: fmpq, beta: fmpq, strictly: bool) -> fmpq:
    S, K = int(states.p), int(episodes.p)
    half = mean_visits(S, K, beta) / 2
    if K > MOST_EPISODES or half > MOST_VISITS:
        raise UnclearError("too many episodes or visits for the exact law")
    return visits_below(S, K, beta, half, strictly=strictly)


class ReachesHalf(Evaluated):
    """The probability that the number of visits of a state is at least half its mean, given S, K and beta."""

    latex_name = r"\mathbb{P}\left(T_i \ge \tfrac{1}{2}\mathbb{E}[T_i]\right)"

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return the exact probability."""
        return 1 - _below(*exact(values), strictly=True)

    def _latex(self, printer: Any, exp: Expr | None = None) -> str:
        return self.latex_name


class AtMostHalf(ReachesHalf):
    """The probability that the number of visits of a state is at most half its mean, given S, K and beta."""

    latex_name = r"\mathbb{P}\left(T_i \le \tfrac{1}{2}\mathbb{E}[T_i]\right)"

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return the exact probability."""
        return _below(*exact(values), strictly=False)
