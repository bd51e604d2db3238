"""Enclosures of forced regrets against explicit priors, and probabilities of visits against the law of steps."""

from __future__ import annotations

import pytest
from flint import arb, fmpq

from proofs_checks.claimcheck.statements.evaluation import UnclearError
from proofs_checks.paper.appendix_b.checks import AtMostHalf, Forced, ForcedSto, ReachesHalf
from proofs_checks.paper.appendix_b.entries import law_of_steps
from theory.paper import BestArmPrior, known_horizon_regrets, visit_law

EIGHTHS = [fmpq(i, 8) for i in range(9)]


def within(number, value):
    """Whether a number is at most an exact value, or the upper end of a ball."""
    return number <= value if isinstance(value, fmpq) else arb(number) <= value.upper()


@pytest.mark.parametrize(("n", "pulls"), [(1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3), (5, 3)])
def test_forced_regret_of_best_arm_priors_is_at_most_the_upper_end(n, pulls):
    forced = [
        known_horizon_regrets(BestArmPrior(1, n, 0, base, best), pulls)[-1]
        for i, base in enumerate(EIGHTHS)
        for best in EIGHTHS[i:]
    ]
    assert within(max(forced), ForcedSto.compute(fmpq(n), fmpq(pulls)))


def test_forced_regret_of_two_arms_and_pulls_encloses_one_half():
    # One arm pays 1, the other 0: the first pull is wrong with probability 1/2, the second never.
    for found in (ForcedSto.compute(fmpq(2), fmpq(2)), Forced.compute(fmpq(1), fmpq(2), fmpq(2), fmpq(0))):
        assert found.lower() <= arb(fmpq(1, 2)) <= found.upper()


@pytest.mark.parametrize(("S", "K", "beta"), [(2, 3, fmpq(1, 2)), (3, 2, fmpq(1, 2)), (1, 4, fmpq(0)), (2, 4, fmpq(0))])
def test_visit_probabilities_match_the_law_of_steps(S, K, beta):
    half = K / (2 * S * (1 - beta))
    law = law_of_steps(S, K, beta)
    assert law == visit_law(S, K, beta, len(law) - 1)
    sizes = fmpq(S), fmpq(K), beta
    assert 1 - ReachesHalf.compute(*sizes) == sum((p for t, p in enumerate(law) if t < half), fmpq(0))
    assert AtMostHalf.compute(*sizes) == sum((p for t, p in enumerate(law) if t <= half), fmpq(0))


def test_forced_regret_refuses_interval_arguments():
    with pytest.raises(UnclearError):
        ForcedSto.compute(arb(2), fmpq(3))
