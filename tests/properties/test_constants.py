"""The constants of the lemmas, of Theorem 2 and of our bounds, and others that are refuted."""

from __future__ import annotations

from math import log

import pytest
from flint import arb, fmpq

from proofs_checks.claimcheck.ledger import nearest_refuted
from proofs_checks.paper import registry
from proofs_checks.paper.beyond.sharper_steps import FALLING, HALF, Episode, few_moves
from proofs_checks.paper.shared.bonus_models import Estimated
from proofs_checks.trials.properties import attempt, example, replaced, suite
from theory import Arm, Bandit, rational
from theory.certified import Truth
from theory.paper import lower_bound_squared

SUM, MOMENT = suite("constants")
RANDOM_PLAY, SUPPORTED = suite("lower_bound")
UPPER, LOWER, FROZEN = suite("sharper")


@pytest.mark.parametrize("changes", [{"sum_root": "1"}, {"sum_root": "3/2"}, {"sum_horizon": "1/4"}], ids=str)
def test_smaller_constant_of_lemma_sum_is_refuted(changes):
    assert not attempt(SUM, replaced(**changes), 1000).holds


def test_nearest_false_constants_of_lemma_sum_are_refuted():
    nearest = nearest_refuted(registry()["lem:sum"])
    changes = [{"sum_root": "19/10"}, {"sum_root": nearest["c"]}, {"sum_horizon": nearest["a"]}]
    found = [attempt(SUM, replaced(**each), 1).counterexample.numbers["run"] for each in changes]
    many, long = "1000 episodes of 1 step in state 1", "1 episode of 1000 steps in state 1"
    assert found == [many, many, long]


def test_smallest_counterexample_to_lemma_sum_matches_hand_computation():
    """With 3/2 for 2: eleven episodes of one step in one state, 1 + sum of 1/sqrt(m) for m = 1..10, above 1 + 1.5 sqrt(11)."""
    found = attempt(SUM, replaced(sum_root="3/2"), 1000).counterexample
    assert found.numbers == {"S n": 1, "K": 11, "max H": 1, "run": "11 episodes of 1 step in state 1"}
    assert 1 + sum(m**-0.5 for m in range(1, 11)) > 1 + 1.5 * 11**0.5
    assert 1 + sum(m**-0.5 for m in range(1, 10)) < 1 + 1.5 * 10**0.5


def test_printed_moment_bound_is_refuted_at_one_episode():
    """E H = 10 at beta = 9/10, and the printed bound is 5 for K = 1."""
    found = attempt(MOMENT, replaced(moment=example.moment_as_printed)).counterexample
    assert found.numbers == {"alpha": 1, "K": 1, "beta": fmpq(9, 10)}
    assert float(example.moment_as_printed(2, 4, fmpq(3, 4)).mid()) == pytest.approx(5 + 5 * (8 * log(2)) ** 2)


def test_moment_bounds_that_are_too_small_are_refuted():
    without = {"moment": lambda alpha, K, beta: ((arb(K).log() + fmpq(9, 10)) / (1 - arb(beta))) ** arb(alpha)}
    assert not attempt(MOMENT, replaced(**without)).holds
    # above alpha E H, which is no power
    assert not attempt(MOMENT, replaced(moment=lambda alpha, K, beta: 3 * (arb(K).log() + 1) / (1 - arb(beta)))).holds


def one_in(factor):
    return {"lower_bound": lambda S, n, K, beta: (arb(S * n * K) / (1 - arb(beta))).sqrt() / factor}


def test_lower_bound_constant_1_exceeds_random_play():
    """At S = 1, beta = 0 and the least K = 16: sqrt(16 n) is above 16 (1 - 1/n) from n = 14 on."""
    found = attempt(RANDOM_PLAY, replaced(**one_in(1)), 2000).counterexample
    assert found.numbers == {"S": 1, "n": 14, "K": 16, "beta": 0}
    assert (16 * 13) ** 0.5 < 16 * (1 - 1 / 13)
    assert (16 * 14) ** 0.5 > 16 * (1 - 1 / 14)


def test_nearest_false_constant_of_theorem_2_exceeds_random_play_with_many_arms():
    nearest = nearest_refuted(registry()["thm:lower_bound"])["c"]
    for factor in (50, rational(nearest)):
        found = attempt(RANDOM_PLAY, replaced(**one_in(factor))).counterexample
        assert found.numbers == {"S": 1, "n": 57568, "K": 16, "beta": 0}
    assert 57568**0.5 * 4 / 59.9842969 > 16 * (1 - 1 / 57568)


def test_lower_bound_constant_1_4_exceeds_the_forced_regret():
    found = attempt(SUPPORTED, replaced(**one_in(4))).counterexample
    assert found.numbers == {"S": 1, "n": 2, "K": 16, "beta": 0}
    assert [arm.rewards for arm in found.bandit.arms] == [(fmpq(5, 8),), (fmpq(3, 8),)]
    assert attempt(SUPPORTED, replaced(**one_in(6))).holds


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
