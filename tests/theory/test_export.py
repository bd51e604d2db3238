from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofs_checks.strategies import bandits, priorities
from theory import Arm, Bandit, ModelError, gittins_value, paper_model, priority_value
from theory.export import prism_model


def as_fraction(value):
    return Fraction(int(value.p), int(value.q))


@pytest.fixture(scope="module")
def storm():
    from tests.theory import storm as peer

    return peer


@pytest.mark.peers
@pytest.mark.parametrize("name", ["counterexample-m1", "counterexample-m2", "random-walk"])
def test_storm_finds_the_same_fraction_for_the_papers_models(storm, tmp_path, name):
    bandit = paper_model(name)
    assert storm.exact_value(prism_model(bandit), tmp_path) == as_fraction(gittins_value(bandit).value)


@pytest.mark.peers
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(bandit=bandits())
def test_storm_finds_the_same_optimal_value(storm, tmp_path, bandit):
    assert storm.exact_value(prism_model(bandit), tmp_path) == as_fraction(gittins_value(bandit).value)


@pytest.mark.peers
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data(), bandit=bandits())
def test_storm_finds_the_same_value_of_any_priority_policy(storm, tmp_path, data, bandit):
    order = data.draw(priorities(bandit))
    expected = as_fraction(priority_value(bandit, order).value)
    assert storm.exact_value(prism_model(bandit, order), tmp_path) == expected


def test_the_discount_is_a_jump_to_a_sink():
    text = prism_model(Bandit([Arm(["1/3"], [[1]])], "3/4", [0]))
    assert "[play1] !over & arm1=0 -> 3/4 : (arm1'=0) + 1/4 : (over'=true);" in text
    assert "[play1] !over & arm1=0 : 1/3;" in text


def test_a_negative_reward_is_refused_with_its_place():
    with pytest.raises(ModelError, match="arm 1, state a1s1: reward -1 is negative, which PRISM does not allow"):
        prism_model(Bandit([Arm([-1], [[1]])], "1/2", [0]))
