"""The bounds that are sharper than the paper's hold, and sharper ones still are refuted."""

from __future__ import annotations

import pytest
from flint import arb, fmpq

from proofs_checks.paper.beyond.sharper_steps import FALLING, HALF, Episode, few_moves
from proofs_checks.paper.shared.bonus_models import Estimated
from proofs_checks.trials.properties import attempt, replaced, suite
from theory import Arm, Bandit
from theory.certified import Truth
from theory.paper import lower_bound_squared

UPPER, LOWER, FROZEN = suite("sharper")


def test_upper_bound_without_the_root_of_K_is_refuted():
    found = attempt(UPPER, replaced(upper_bound=lambda S, n, K, beta: S**2 * n / (1 - beta) ** 4), 2000).counterexample
    S, n, K, beta = (found.numbers[name] for name in ("S", "n", "K", "beta"))
    assert lower_bound_squared(S, n, K, beta) > (S**2 * n / (1 - beta) ** 4) ** 2


def test_three_times_the_lower_bound_exceeds_the_best_learner():
    def times(factor):
        return {"sharper_lower": lambda S, n, K, beta: factor * arb(lower_bound_squared(S, n, K, beta)).sqrt()}

    found = attempt(LOWER, replaced(**times(3)), 200).counterexample
    assert found.numbers == {"S": 2, "n": 2, "K": 8, "beta": HALF}
    assert [arm.rewards for arm in found.bandit.arms] == [(fmpq(5, 8),) * 2, (HALF,) * 2]
    assert attempt(LOWER, replaced(**times(1)), 200).holds


def test_frozen_count_bound_fails_for_constant_9_10_and_holds_for_1():
    """At f = 1 for the first count only, 1/(1-beta) against c/(1-beta) + 1: c < beta fails."""
    found = attempt(FROZEN, replaced(frozen="9/10"), 200).counterexample
    assert fmpq(9, 10) < found.numbers["beta"]
    assert attempt(FROZEN, replaced(frozen=1), 200).holds
    assert [[f(N) for N in range(4)] for _, f in FALLING] == [[1, 0, 0, 0], [1, 1, HALF, fmpq(1, 3)], [1, 1, 1, 0]]


@pytest.mark.parametrize(("visits", "expected"), [(16, Truth.YES), (17, Truth.NO)])
def test_few_moves_holds_for_16_visits_and_fails_for_17(visits, expected):
    """Both moves have probability 1/2, and only one was observed: N/2 (1 - 3/4) against 2 log 2 + log 2 = 2.08."""
    arm = Bandit([Arm(rewards=[0, 0], transitions=[[HALF, HALF], [HALF, HALF]])], HALF)
    estimates = {(0, 0): (fmpq(0), (fmpq(1), fmpq(0))), (0, 1): (fmpq(0), (HALF, HALF))}
    case = Episode(Estimated(arm, estimates), {}, HALF)
    assert few_moves(case, {(0, 0): visits, (0, 1): 0}, 1) is expected
