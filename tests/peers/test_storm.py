"""Storm's exact engine solves the whole product; the optimal value must be the same fraction."""

from __future__ import annotations

import pytest

from proofs_checks.trials.soak.routes.storm import exact_value
from tests.peers.models import product_chain
from theory import gittins_value, priority_value, prism_model

pytest.importorskip("stormpy", reason="Storm's exact engine needs the extra 'peers'")
pytestmark = pytest.mark.peers


@pytest.fixture
def storm(tmp_path):
    """The value Storm finds for the text of a model."""

    def value(text):
        path = tmp_path / "model.prism"
        path.write_text(text, encoding="utf-8")
        return exact_value(path)

    return value


@pytest.mark.parametrize(("arms", "states"), [(2, 64), (3, 512)])
def test_storm_optimal_value_equals_ours_on_product_chains(storm, arms, states):
    bandit = product_chain(arms)
    assert bandit.number_of_global_states == states
    found = gittins_value(bandit)
    assert all(any(visits) for visits in found.visits), "every arm is played"
    assert storm(prism_model(bandit)) == found.value


def test_storm_value_of_a_priority_policy_equals_ours(storm):
    bandit = product_chain(3)
    worst_first = sorted(bandit.arm_states, key=lambda state: bandit.arms[state[0]].rewards[state[1]])
    assert storm(prism_model(bandit, worst_first)) == priority_value(bandit, worst_first).value
