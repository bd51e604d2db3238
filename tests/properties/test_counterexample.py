"""Theorem 3's counterexample, with its numbers and with others."""

from __future__ import annotations

from pathlib import Path

import pytest
from flint import fmpq

from proofs_checks.trials.properties import attempt, replaced, suite
from proofs_checks.trials.properties.printing import print_counterexamples, trials_content
from theory import ModelError, model_text

POLICY_2, POLICY_1 = suite("counterexample")


def test_larger_reward_makes_policy_2_optimal():
    """At 3.3 playing B3 for ever gives 6.6, more than any way through arm a."""
    found = attempt(POLICY_2, replaced(reward_b="3.3")).counterexample
    assert "6.6" in found.text
    assert found.bandit.arm_state("B3") == (1, 2)
    assert attempt(POLICY_1, replaced(reward_b="3.3")).holds


@pytest.mark.parametrize(("policy", "reward"), [(POLICY_2, "3.3"), (POLICY_1, 3)])
def test_model_of_a_counterexample_starts_where_the_inequality_fails(policy, reward):
    found = attempt(policy, replaced(reward_b=reward)).counterexample
    start = ", ".join(arm.states[x] for arm, x in zip(found.bandit.arms, found.bandit.initial, strict=True))
    assert policy.says.startswith(f"From ({start}) ")
    assert found.text.startswith(f"From ({start}) ")


def test_counterexample_holds_with_a_smaller_radius():
    assert all(attempt(each, replaced(radius="1/10")).holds for each in suite("counterexample"))


def test_zero_radius_makes_policy_2_optimal_and_policy_1_not(capsys):
    """From (A1, B3) B3 for ever is optimal, 6.42; from (A1, B1) policy 1 gains nothing by playing A1."""
    found = attempt(POLICY_2, replaced(radius=0)).counterexample
    assert found.text == "From (A1, B3) the policy's largest value is 6.42, the largest of any policy 6.42."
    assert found.numbers == {"reward_b": fmpq(321, 100), "radius": 0, "discount": fmpq(1, 2)}
    trials = [attempt(POLICY_1, replaced(radius=0)), attempt(POLICY_2, replaced(radius=0))]
    for some, stopped, holds in ((trials[:1], False, True), (trials[:1], True, False), (trials, False, False)):
        assert trials_content(some, {}, interrupted=stopped)["holds"] is holds
    print_counterexamples(trials, {})
    output = capsys.readouterr().out
    assert output.startswith("\npolicy-2-is-below: the smallest counterexample found to\n")
    assert f"{found.text}\nreward_b = 321/100; radius = 0; discount = 1/2\n{model_text(found.bandit)}" in output
    print_counterexamples(trials, {"policy-2-is-below": Path("found.json")})
    assert capsys.readouterr().out.endswith("discount = 1/2\nmodel file: found.json\n")


@pytest.mark.parametrize(
    ("number", "message"),
    [({"discount": 2}, "discount: 2 is outside 0 <= discount < 1"), ({"radius": -1}, "radius: -1 is negative")],
)
def test_replaced_refuses_numbers_outside_the_model(number, message):
    with pytest.raises(ModelError, match=message):
        replaced(**number)
