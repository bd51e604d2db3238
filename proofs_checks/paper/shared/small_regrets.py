"""Exact regrets of the three learners in small cases, which refute every smaller bound."""

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
    """The exact regret of a learner.

    Attributes
    ----------
    algorithm
    S, n, K, beta
    regret
        Bayesian regret of MB-PSRL; regret of the others with the worst tie-breaking, whichever clock the radii use.
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
    """Return MB-PSRL's Bayesian regret for two independent arms of reward 0 or 1.

    The prior is a product, so a sample of the posterior consists of a sample of each arm's. The first step of an
    episode reveals its arm, so the length of an episode does not change later ones.
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

    An arm not played has the estimate 0. In the first episode the arms are alike; in the second one both have the
    estimate 0 and the same radius, as max{1, N} is 1 for both. So the worse arm may be played twice.
    """
    return SmallRegret(algorithm, 1, 2, K, ZERO, fmpq(K), "two arms of one state with rewards 0 and 1")


def small_regrets(algorithm: str) -> Iterator[SmallRegret]:
    """Yield the exact regrets of a learner over one and two episodes."""
    for K in (1, 2):
        if algorithm == PSRL:
            yield from (regret_of_sampling(K, beta) for beta in (ZERO, HALF))
        else:
            yield regret_of_optimism(algorithm, K)
