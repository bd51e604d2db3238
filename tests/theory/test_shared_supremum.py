"""The enclosure of the supremum over a confidence set, against brute force and hand computation."""

from importlib import import_module

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.trials.strategies import bandits
from theory import Arm, Bandit, gittins_value, optimistic_value, paper_model
from theory.optimism import best_vertex, membership_refutation, shared_supremum
from theory.optimism.shared_supremum import _Bounder, simplices
from theory.values import optimal_value

HALF, THIRD = fmpq(1, 2), fmpq(1, 3)
CONFLICT = Bandit([Arm(rewards=[1, 0, 2], transitions=[[0, 0, 1], [THIRD, THIRD, THIRD], [0, 1, 0]],
    transition_radius=[2, 0, 0]), Arm(rewards=[0, 1], transitions=[[0, 1], [1, 0]])], fmpq(4, 5), [0, 1])  # fmt: skip
TWO_STATES = Bandit(
    [
        Arm(rewards=[1, 0], transitions=[[HALF, HALF], [1, 0]], states=["A1", "A2"], transition_radius=[1, 0]),
        Arm(rewards=[2, 3], transitions=[[HALF, HALF], [0, 1]], states=["B1", "B2"]),
    ],
    fmpq(4, 5),
    ["A1", "B1"],
)
ORDER = ("A1", "B1", "A2", "B2")


def by_hand(q):
    """Three equations of the order A1 > B1 > A2 > B2, solved from the last."""
    beta = fmpq(4, 5)
    a1_b2 = 1 / (1 - beta * q - beta**2 * (1 - q))
    a2_b1 = (2 + beta / 2 * beta * a1_b2) / (1 - beta / 2)
    return (1 + beta * (1 - q) * a2_b1) / (1 - beta * q)


def test_supremum_without_radii_equals_the_optimal_value():
    bandit = paper_model("counterexample-m2")
    found = shared_supremum(bandit)
    assert found.lower == found.upper == optimal_value(bandit).values[bandit.start()]


def test_supremum_encloses_the_maximum_of_a_one_row_function():
    found = shared_supremum(TWO_STATES, ORDER, tolerance=fmpq(1, 500))
    largest_on_grid = max(by_hand(fmpq(k, 1000)) for k in range(1001))
    assert found.upper - found.lower <= fmpq(1, 500)
    assert found.lower <= largest_on_grid + fmpq(1, 500)
    assert largest_on_grid <= found.upper
    assert by_hand(found.bandit.arms[0].transitions[0][0]) == found.lower


def test_supremum_lies_strictly_between_best_vertex_and_free_rows():
    found = shared_supremum(CONFLICT, tolerance=fmpq(1, 100))
    free = optimistic_value(CONFLICT)
    assert best_vertex(CONFLICT).value < found.lower <= found.upper < free.value
    assert free.attained is False


@pytest.mark.parametrize("largest", [1, 2, 7, 30])
def test_supremum_keeps_the_best_member_at_any_limit_of_cells(monkeypatch, largest):
    values, original = [], _Bounder.best_member
    monkeypatch.setattr(_Bounder, "best_member", lambda *given: values.append(original(*given)) or values[-1])
    found = shared_supremum(CONFLICT, tolerance=0, largest=largest)
    assert found.cells in (largest, largest + 1)  # a split makes two cells
    assert (found.lower, found.bandit) == max(values, key=lambda pair: pair[0])
    assert found.lower <= shared_supremum(CONFLICT, tolerance=0, largest=2 * largest).upper <= found.upper


def test_supremum_bandit_is_in_the_set_and_attains_the_lower_bound():
    found = shared_supremum(CONFLICT)
    assert membership_refutation(found.bandit, CONFLICT) is None
    assert gittins_value(found.bandit).value == found.lower


def test_supremum_adds_reward_radii():
    arm = Arm(rewards=[HALF], transitions=[[1]], reward_radius=[fmpq(1, 4)])
    assert shared_supremum(Bandit([arm], HALF, [0])).upper == fmpq(3, 2)


@pytest.mark.parametrize(("tried", "lower"), [(4, 1), (3, fmpq(4, 5))])
def test_lower_bound_tries_all_corners_or_moves_one_row_at_a_time(monkeypatch, tried, lower):
    """To the second state for ever: 0 + 1/2 + 1/4 + ...; or v = w/2, where w = 1 + (v + w)/4 keeps (1/2, 1/2)."""
    monkeypatch.setattr(import_module("theory.optimism.shared_supremum"), "_CORNERS_TRIED", tried)
    arm = Arm(rewards=[0, 1], transitions=[[HALF, HALF]] * 2, transition_radius=[1, 1])
    assert shared_supremum(Bandit([arm], HALF, [0]), largest=1).lower == lower


@given(bandit=bandits(max_arms=2, max_size=2, radii=True))
def test_supremum_bounds_are_ordered(bandit):
    found = shared_supremum(bandit, tolerance=fmpq(1, 10), largest=40)
    assert best_vertex(bandit).value <= found.upper <= optimistic_value(bandit).value
    assert found.lower <= found.upper


@given(weights=st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any))
def test_simplices_cover_the_hull_of_a_square(weights):
    zero, one = fmpq(0), fmpq(1)
    corners = [(zero, zero), (one, zero), (one, one), (zero, one)]
    point = [sum(w * c[k] for w, c in zip(weights, corners, strict=True)) / sum(weights) for k in range(2)]

    def side(p, q):
        return (q[0] - p[0]) * (point[1] - p[1]) - (q[1] - p[1]) * (point[0] - p[0])

    def contains(triangle):
        a, b, c = triangle
        turns = [side(a, b), side(b, c), side(c, a)]
        return min(turns) >= 0 or max(turns) <= 0

    assert any(contains(triangle) for triangle in simplices(corners))


def test_supremum_for_an_initial_law_averages_over_states():
    estimates = paper_model("counterexample")
    law = {(0, 0): fmpq(1, 4), (0, 1): fmpq(3, 4)}
    found = shared_supremum(estimates, None, law, tolerance=fmpq(1, 20))
    each = [shared_supremum(estimates, None, state).upper for state in law]
    assert found.lower <= each[0] / 4 + each[1] * 3 / 4
    assert found.lower == sum(weight * gittins_value(found.bandit, state).value for state, weight in law.items())
    alone = shared_supremum(estimates, None, {(0, 2): 1})
    assert (alone.lower, alone.upper) == (fmpq(49167, 7600), fmpq(49167, 7600))
