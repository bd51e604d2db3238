"""The strategies give what they promise, edges included."""

from __future__ import annotations

import pytest
from flint import fmpq
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from proofs_checks import strategies


@given(st.data(), strategies.bandits())
def test_a_policy_names_an_arm_for_every_global_state(data, bandit):
    policy = data.draw(strategies.policies(bandit))
    assert len(policy) == bandit.number_of_global_states
    assert set(policy.values()) <= set(range(len(bandit.arms)))


@given(strategies.counts(3))
def test_counts_agree_with_each_other(counts):
    assert tuple(map(sum, counts.moves)) == counts.activations
    assert all(0 <= won <= played for won, played in zip(counts.successes, counts.activations, strict=True))


@pytest.mark.parametrize(
    ("strategy", "edge"),
    [
        (strategies.arms(), lambda arm: arm.size == 1),
        (strategies.arms(), lambda arm: arm.size == 3 and len(set(arm.rewards)) == 1),
        (strategies.arms(), lambda arm: arm.size == 3 and all(max(row) == 1 for row in arm.transitions)),
        (strategies.bandits(), lambda bandit: len(bandit.arms) == 1),
        (strategies.bandits(), lambda bandit: len(set(bandit.sizes)) == 2),
        (strategies.bandits(radii=True), lambda bandit: any(2 in arm.transition_radius for arm in bandit.arms)),
        (strategies.bandits(radii=True), lambda bandit: not any(arm.has_radii for arm in bandit.arms)),
        (strategies.discounts(), lambda discount: discount == 0),
        (strategies.discounts(), lambda discount: discount == fmpq(9999, 10000)),
        (strategies.counts(2), lambda counts: not counts.activations[0] and counts.activations[1]),
    ],
)
def test_the_edges_are_within_the_strategies(strategy, edge):
    assert edge(find(strategy, edge, settings=settings(max_examples=500, phases=[Phase.generate])))
