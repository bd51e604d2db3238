from __future__ import annotations

from dataclasses import replace

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

import theory
from proofs_checks.trials.strategies import bandits, priorities, probability_rows, rationals
from tests.refusals import refusal
from theory.optimism import best_row, distance, membership_refutation, vertex_bandits, vertices
from theory.optimism.l1_ball import always_possible


@given(st.data(), st.integers(1, 4))
def test_best_row_attains_the_maximum_over_vertices(data, size):
    estimate = data.draw(probability_rows(size))
    radius = data.draw(rationals(0, 2))
    values = tuple(data.draw(st.lists(rationals(-1, 1), min_size=size, max_size=size)))
    row = best_row(estimate, radius, values)
    assert sum(row) == 1
    assert min(row) >= 0
    assert distance(row, estimate) <= radius
    assert theory.expectation(row, values) == max(
        theory.expectation(each, values) for each in vertices(estimate, radius)
    )


@given(st.data(), st.integers(1, 3))
def test_always_possible_lists_states_of_all_maximising_vertices(data, size):
    estimate = data.draw(probability_rows(size))
    radius = data.draw(rationals(0, 2))
    values = tuple(data.draw(st.lists(st.sampled_from([fmpq(0), fmpq(1)]), min_size=size, max_size=size)))
    best = max(theory.expectation(row, values) for row in vertices(estimate, radius))
    maximising = [row for row in vertices(estimate, radius) if theory.expectation(row, values) == best]
    expected = [y for y in range(size) if all(row[y] > 0 for row in maximising)]
    assert always_possible(estimate, radius, values) == expected


@given(st.data(), bandits(max_arms=2, max_size=2, radii=True))
def test_extended_value_iteration_bounds_the_set_and_reports_attainment(data, bandit):
    order = data.draw(st.one_of(st.none(), priorities(bandit)))
    extended = theory.optimistic_value(bandit, order)
    supremum = theory.best_vertex(bandit, order)
    assert extended.value >= supremum.value
    if extended.attained is True:
        member = extended.sharing.bandit
        of_member = theory.gittins_value(member) if order is None else theory.priority_value(member, order)
        assert membership_refutation(member, bandit) is None
        assert of_member.value == extended.value == supremum.value
    if extended.attained is False:
        assert extended.value > supremum.value


def test_vertices_of_a_small_ball_match_hand_computation():
    # moving 1/10 of mass: out of the first or second state into any other
    tenth = fmpq(1, 10)
    found = vertices((fmpq(1, 2), fmpq(1, 2), fmpq(0)), fmpq(1, 5))
    moves = {(-1, 1, 0), (-1, 0, 1), (1, -1, 0), (0, -1, 1)}
    assert set(found) == {tuple(fmpq(1 - (i == 2), 2) + tenth * move[i] for i in range(3)) for move in moves}


def test_membership_refutation_names_a_reward_or_row_outside():
    def of(rewards, rows=((1, 0), (0, 1)), **radii):
        first = theory.Arm(rewards=[0], transitions=[[1]], states=["A"])
        second = theory.Arm(rewards=rewards, transitions=rows, states=["B", "C"], **radii)
        return theory.Bandit([first, second], "1/2", [0, 0])

    estimates = of(["1/2", "1/3"], reward_radius=["1/4", "1/3"], transition_radius=[1, 0])
    for inside in (of(["1/4", 0]), of(["3/4", "2/3"]), of(["1/2", "1/3"], [["1/2", "1/2"], [0, 1]])):
        assert membership_refutation(inside, estimates) is None
    beyond = of(["1/2", "-1/6"])
    assert membership_refutation(beyond, estimates) == "arm 2, state C: reward is 1/2 away, beyond 1/3"
    beyond = of(["1/2", "1/3"], [["1/3", "2/3"], [0, 1]])
    assert membership_refutation(beyond, estimates) == "arm 2, state B: row is 4/3 away in L1, beyond 1"
    for other in (theory.Bandit(estimates.arms, "1/3"), theory.Bandit(estimates.arms[1:], "1/2")):
        assert membership_refutation(other, estimates) == "the arms' sizes or the discounts differ"


def test_vertex_enumeration_refuses_to_exceed_its_limits(monkeypatch):
    arm = theory.Arm(rewards=[0, 1], transitions=[["1/2", "1/2"]] * 2, transition_radius=[1, 1])
    estimates = theory.Bandit([arm], "1/2", [0])
    monkeypatch.setattr("theory.optimism.confidence_set.LARGEST_ENUMERATION", 4)
    assert len(list(vertex_bandits(estimates))) == 4
    monkeypatch.setattr("theory.optimism.confidence_set.LARGEST_ENUMERATION", 3)
    assert "has 4 combinations of vertices, beyond 3" in refusal(lambda: list(vertex_bandits(estimates)))
    monkeypatch.setattr("theory.optimism.l1_ball.LARGEST_ROW_FOR_VERTICES", 2)
    assert len(vertices([fmpq(1), fmpq(0)], fmpq(2))) == 2
    assert "with 3 states is too much (at most 2)" in refusal(vertices, [fmpq(1), fmpq(0), fmpq(0)], fmpq(2))


def test_best_row_matches_hand_computation():
    half, third = fmpq(1, 2), fmpq(1, 3)
    even = (third, third, third)
    assert best_row(even, half, [fmpq(1)] * 3) == even
    assert best_row(even, half, [fmpq(0), fmpq(1), fmpq(1)]) == (third - half / 2, third, third + half / 2)
    assert best_row(even, fmpq(1), [fmpq(1), fmpq(3), fmpq(2)]) == (0, third + half, third - (half - third))
    assert best_row((half, half), fmpq(2), [fmpq(0), fmpq(1)]) == (0, 1)
    assert best_row((half, half), fmpq(0), [fmpq(0), fmpq(1)]) == (half, half)


@given(bandit=bandits(max_arms=2, max_size=2, radii=True), most=st.sampled_from([fmpq(1), fmpq(3, 2), fmpq(3, 4)]))
def test_largest_reward_equals_capping_the_rewards(bandit, most):
    """The same value as for capped rewards without reward radii; the attaining bandit lies in the original set."""
    if any(r - b > most for arm in bandit.arms for r, b in zip(arm.rewards, arm.reward_radius, strict=True)):
        assert "or more, and so all above" in refusal(theory.optimistic_value, bandit, largest_reward=most)
        return
    found = theory.optimistic_value(bandit, largest_reward=str(most))
    cut = [[min(r + b, most) for r, b in zip(arm.rewards, arm.reward_radius, strict=True)] for arm in bandit.arms]
    arms = [replace(arm, rewards=r, reward_radius=[0] * len(r)) for arm, r in zip(bandit.arms, cut, strict=True)]
    by_hand = replace(bandit, arms=arms)
    assert found.value == theory.optimistic_value(by_hand).value <= theory.optimistic_value(bandit).value
    assert found.value <= most / (1 - bandit.discount)
    assert found.value >= theory.best_vertex(by_hand).value
    if found.attained:
        assert membership_refutation(found.sharing.bandit, bandit) is None


def test_largest_reward_matches_hand_computation():
    pays = theory.Arm(rewards=["1/2", "9/10"], transitions=[[1, 0], [0, 1]], reward_radius=["1/4", "1/4"])
    bandit = theory.Bandit([pays], "1/2", [0])
    assert [theory.optimistic_value(bandit, None, [x], most).value for x in (0, 1) for most in (None, 1, "7/10")] == [
        fmpq(3, 2), fmpq(3, 2), fmpq(7, 5), fmpq(23, 10), 2, fmpq(7, 5),
    ]  # fmt: skip
    error = "arm 1, state a1s2: plausible rewards are 13/20 or more, and so all above 1/2"
    assert refusal(theory.optimistic_value, bandit, largest_reward="1/2") == error
    assert "0.5 is a float" in refusal(theory.optimistic_value, bandit, largest_reward=0.5)
