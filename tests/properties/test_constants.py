"""Lemma sum and the moments of the longest horizon, as printed or repaired, and with other constants."""

from __future__ import annotations

from math import log

import pytest
from flint import arb, fmpq

from proofs_checks.claimcheck.ledger import nearest_refuted
from proofs_checks.paper import registry
from proofs_checks.trials.properties import attempt, example, replaced, suite

SUM, MOMENT = suite("constants")


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
