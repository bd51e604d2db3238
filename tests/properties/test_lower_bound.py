"""Theorem 2's constant, and larger ones."""

from __future__ import annotations

from flint import arb, fmpq

from proofs_checks.claimcheck.ledger import nearest_refuted
from proofs_checks.paper import registry
from proofs_checks.trials.properties import attempt, replaced, suite
from theory import rational

RANDOM_PLAY, SUPPORTED = suite("lower_bound")


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
