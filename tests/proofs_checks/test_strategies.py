"""The strategies give what they promise, edges included."""

from __future__ import annotations

import re

import pytest
from flint import fmpq
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from proofs_checks import strategies
from proofs_checks.properties import SUITES, optimism


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


@st.composite
def listed(draw, strategy, drawn):
    """What a strategy draws from, in its order, where all that is drawn is the simplest."""
    inner = getattr(strategy, "wrapped_strategy", strategy)
    drawn.clear()

    def noted(other):
        drawn.append(re.sub(r"\w+=|(?<=builds\()lambda .*?, (?=\w+\()", "", repr(other)))
        return draw(other)

    return inner.definition(noted, *inner.args, **inner.kwargs) if hasattr(inner, "definition") else noted(strategy)


SEARCHED = {
    "integers(1, 2); sampled_from([_any_arms, _arms_at_the_border]); lists(_any_arms(1), 1, 2); integers(2, 22); sampled_from([0, 1/2, 3/4])": "bonus-is-optimistic radii-are-optimistic",
    "one_of(integers(2, 6), integers(2, 10000)); sampled_from([0, 1/2, 9/10, 99/100]); one_of(just(2), integers(1, 2)); integers(1, 6); integers(1, 6); integers(0, 1)": "defined-from-the-start bonus-within-the-regret-bound reward-radius-within-the-regret-bound row-radius-within-the-regret-bound",
    "integers(1, 30); just(2); probability_rows(2); integers(1, 3); integers(1, 10); integers(1, 10); sampled_from([0, 1/2, 9/10])": "deviation-is-rare reward-deviation-is-rare",
    "integers(1, 10); sampled_from((2, 3)); probability_rows(2); integers(1, 3); integers(1, 10); integers(1, 10); sampled_from([0, 1/2, 9/10])": "row-deviation-is-rare",
    "integers(1, 4); lists(tuples(one_of(lists(integers(0, 0), 1, 8).map(tuple), builds(integers(0, 0), integers(1, 60))), one_of(just(1), integers(1, 250))), 1, 4)": "sum-of-roots",
    "sampled_from([1, 3/2, 2, 5/2]); one_of(integers(1, 5), integers(1, 5000)); sampled_from([0, 1/2, 3/4, 9/10, 99/100])": "moment-of-the-longest-horizon",
    "integers(1, 4); integers(2, 50); sampled_from([0, 1/2, 9/10, 99/100]); integers(0, 200)": "below-random-play",
    "sampled_from([(2, 16), (2, 18), (2, 20)])": "supported-by-one-better-arm",
    "none()": "policy-2-is-below policy-1-is-below",
    "integers(2, 20); integers(2, 50); sampled_from([0, 1/2, 9/10, 999/1000]); integers(0, 40)": "above-what-is-forced",
    "sampled_from(((2, 2, 8), (3, 2, 16)))": "below-the-best-learner",
    "builds(Geometric, integers(1, 4), sampled_from((0, 1/2, 9/10, 99/100, 999/1000)))": "frozen-counts",
    "counts(2); one_of(just((1/2, 1/2)), probability_rows(2)); one_of(just((1/2, 1/2)), probability_rows(2)); sampled_from([1, 1/2, 0]); sampled_from([1, 1/2, 0]); one_of(none(), integers(0, 1)); one_of(none(), integers(0, 1))": "any",
    "integers(0, 60); integers(0, 60); integers(0, 60); integers(0, 60); integers(0, 0); integers(0, 0); integers(0, 1)": "border",
    "builds(sampled_from((1, 2, 3, 4, 5, 6, 7, 10, 12)), integers(0, 60).map(lambda i: i / 60))": "rationals",
    "one_of(sampled_from([0, 1/2, 9/10, 99/100, 9999/10000]), builds(integers(0, 20), integers(1, 20)))": "discounts",
    "integers(1, 5); lists(builds(sampled_from((1, 2, 3, 4, 5, 6, 7, 10, 12)), integers(0, 60).map(lambda i: i / 60)), 1, 1); lists(just(0), 1, 1); one_of(lists(probability_rows(1), 1, 1), lists(integers(0, 0), 1, 1).map(_unit_rows))": "arms",
    "integers(1, 3); integers(1, 3); arms(1); integers(0, 0); one_of(sampled_from([0, 1/2, 9/10, 99/100, 9999/10000]), builds(integers(0, 20), integers(1, 20)))": "bandits",
    "lists(integers(1, 2), 1, 2); one_of(sampled_from([0, 1/2, 9/10, 99/100, 9999/10000]), builds(integers(0, 20), integers(1, 20))); integers(1, 3); arms(1); lists(integers(1, 4), 1, 1)": "priors",
    "integers(0, 4); integers(0, 4); integers(0, 1)": "probability_rows",
    "integers(0, 2); integers(0, 2); integers(0, 0); integers(0, 0)": "counts",
    "one_of(lists(probability_rows(2), 2, 2), lists(integers(0, 1), 2, 2).map(_unit_rows))": "transition_matrices",
}  # fmt: skip
"""By what is drawn, in its order: which properties and strategies draw it; after S = 1, say, there is one state left."""


def test_all_is_searched_that_was_meant_to_be():
    asked = {each.name: each.instances for properties in SUITES.values() for each in properties}
    asked |= {"any": optimism._any_arms(2), "border": optimism._arms_at_the_border(2)}
    asked |= {name: getattr(strategies, name)() for name in ("rationals", "discounts", "arms", "bandits", "priors")}
    asked |= {name: getattr(strategies, name)(2) for name in ("probability_rows", "counts", "transition_matrices")}
    found = {}
    for name, strategy in asked.items():
        first = settings(max_examples=1, phases=[Phase.generate], database=None)
        find(listed(strategy, drawn := []), lambda _: True, settings=first)
        found.setdefault("; ".join(drawn), []).append(name)
    assert {drawn: " ".join(names) for drawn, names in found.items()} == SEARCHED
