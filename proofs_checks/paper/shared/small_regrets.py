"""Exact regrets of the three learners in small cases, which refute every bound below them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit, policy_value
from theory.bayes import FinitePrior, expectation_over, scenarios
from theory.paper import PSRL

HALF = fmpq(1, 2)


@dataclass(frozen=True)
class SmallRegret:
    """The regret of a learner, exactly.

    Attributes
    ----------
    algorithm
    S, n, K, beta
    regret
        Bayesian for MB-PSRL; for the others with ties broken as badly as can be, whichever clock the radii use.
    says
        Prior or model, in words.
    """

    algorithm: str
    S: int
    n: int
    K: int
    beta: fmpq
    regret: fmpq
    says: str


def one_state_bandit(rewards: tuple[fmpq | int, ...], beta: fmpq) -> Bandit:
    """Return arms of one state each with these rewards."""
    return Bandit([Arm(rewards=[reward], transitions=[[1]]) for reward in rewards], beta)


def regret_of_sampling(K: int, beta: fmpq) -> SmallRegret:
    """Return MB-PSRL's Bayesian regret for two arms of rewards 0 or 1, independent of each other.

    The prior is a product, so that a sample of the posterior is one of each arm's posterior. The first step of an
    episode shows what the arm is, so that longer episodes cost the later ones no more.
    """
    models = [one_state_bandit(rewards, beta) for rewards in product((1, 0), repeat=2)]
    prior = FinitePrior(models, [fmpq(1, 4)] * 4)
    values = [[policy_value(model, policy)[0, 0] for policy in prior.policies] for model in prior.models]
    total = ZERO
    for k in range(1, K + 1):
        outcomes = scenarios(prior, [1] * (k - 1), {(0, 0): ONE})
        total += expectation_over(
            outcomes, lambda each: values[each.model][each.model] - values[each.model][each.samples[-1]]
        )
    return SmallRegret(PSRL, 1, 2, K, beta, total, "two arms of reward 0 or 1, equally likely and independent")


def regret_of_optimism(algorithm: str, K: int) -> SmallRegret:
    """Return the regret of one or two episodes at discount 0 for two arms of one state with rewards 0 and 1.

    The estimate is 0 where an arm was not played. In the first episode the arms are alike; in the second one both have
    the estimate 0 and the same radius, as max{1, N} is 1 for both: so the worse may be played twice.
    """
    return SmallRegret(algorithm, 1, 2, K, ZERO, fmpq(K), "two arms of one state with rewards 0 and 1")


def small_regrets(algorithm: str) -> Iterator[SmallRegret]:
    """Yield the exact regrets of a learner over one and two episodes."""
    for K in (1, 2):
        if algorithm == PSRL:
            yield from (regret_of_sampling(K, beta) for beta in (ZERO, HALF))
        else:
            yield regret_of_optimism(algorithm, K)
