from __future__ import annotations

import pytest

from proofs_checks.trials.soak.routes.storm import exact_value
from tests.peers.models import product_chain
from theory import Arm, Bandit, gittins_value, paper_model, priority_value, prism_model


@pytest.fixture(scope="module")
def storm(tmp_path_factory):
    """Storm's exact engine: the maximal expected total reward of an exported model, as a fraction."""
    pytest.importorskip("stormpy", reason="Storm's exact engine needs the extra 'peers'")
    path = tmp_path_factory.mktemp("storm") / "model.prism"

    def of_text(prism_text):
        path.write_text(prism_text, encoding="utf-8")
        return exact_value(path)

    return of_text


@pytest.mark.peers
@pytest.mark.parametrize("bandit", [paper_model("random-walk"), product_chain(2), product_chain(3)], ids=str)
def test_storm_values_equal_ours_on_larger_bandits(storm, bandit):
    assert storm(prism_model(bandit)) == gittins_value(bandit).value
    worst_first = sorted(bandit.arm_states, key=lambda state: bandit.arms[state[0]].rewards[state[1]])
    assert storm(prism_model(bandit, worst_first)) == priority_value(bandit, worst_first).value


def long_numbers():
    """Rewards and probabilities beyond 64 bits, on both sides of the stroke."""
    rows = [[f"1/{2**70}", f"{2**70 - 1}/{2**70}"], ["1/2", "1/2"]]
    return Bandit([Arm(rewards=[3**60, f"{3**60}/{2**80}"], transitions=rows)], "1/2", [0])


def test_prism_model_writes_integers_beyond_64_bits_as_decimals():
    text = prism_model(long_numbers())
    assert f"[play1] !over & arm1=0 : {3**60}.0;" in text
    assert f"[play1] !over & arm1=1 : {3**60}.0/{2**80}.0;" in text
    assert f"-> 1/{2**71}.0 : (arm1'=0)" in text
    largest = Bandit([Arm(rewards=[2**63 - 1], transitions=[[1]])], "1/2", [0])
    assert "arm1=0 : 9223372036854775807;" in prism_model(largest)
    beyond = Bandit([Arm(rewards=[2**63], transitions=[[1]])], "1/2", [0])
    assert "arm1=0 : 9223372036854775808.0;" in prism_model(beyond)


def test_prism_model_at_discount_0_ends_after_one_step():
    text = prism_model(Bandit([Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], [0, 1]])], 0, [1]))
    assert "  arm1 : [0..1] init 1;" in text
    assert "[play1] !over & arm1=0 -> 1 : (over'=true);" in text


@pytest.mark.peers
def test_storm_reads_numbers_beyond_64_bits(storm):
    assert storm(prism_model(long_numbers())) == gittins_value(long_numbers()).value
