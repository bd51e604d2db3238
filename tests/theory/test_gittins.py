from __future__ import annotations

from itertools import pairwise
from unittest.mock import Mock

import pytest
from flint import fmpq
from hypothesis import assume, example, given
from hypothesis import strategies as st

import theory
from proofs_checks.trials.strategies import arms, discounts, rationals
from tests.theory.long_numbers import long_arm
from theory.elimination import LARGE
from theory.gittins import METHODS, gittins_index, refutation
from theory.gittins.balls import order_in_balls
from theory.gittins.elimination import indices_by_elimination
from theory.gittins.proposal import propose_order

PERIODIC = theory.Arm(rewards=[0, 1, 0], transitions=[[0, 1, 0], [0, 0, 1], [1, 0, 0]])
ABSORBING = theory.Arm(rewards=["1/2", 1, 0], transitions=[["1/2", 0, "1/2"], ["1/3", "1/3", "1/3"], [0, 0, 1]])
ALL_TIED = theory.Arm(rewards=["1/2"] * 3, transitions=[["1/3", "1/3", "1/3"], [0, 0, 1], [1, 0, 0]])
NEGATIVE = theory.Arm(rewards=[-1, "-1/2", -3], transitions=[["1/2", "1/4", "1/4"], [0, 0, 1], ["1/3", "1/3", "1/3"]])
NEARLY_ONE = fmpq(9999, 10000)


def indices_and_certainty(arm, discount, order):
    """Return the indices by elimination if `order` is proposed first, and whether no other order was needed."""
    with pytest.MonkeyPatch.context() as patch:
        again = Mock(side_effect=order_in_balls)
        patch.setattr("theory.gittins.elimination.propose_order", lambda *_: list(order))
        patch.setattr("theory.gittins.elimination.order_in_balls", again)
        return indices_by_elimination(arm, discount), not again.called


@pytest.mark.parametrize("method", METHODS)
@given(arm=arms(low=-2, high=2), discount=discounts())
@example(arm=PERIODIC, discount=NEARLY_ONE)
@example(arm=ABSORBING, discount=NEARLY_ONE)
@example(arm=NEGATIVE, discount=fmpq(1, 2))
@example(arm=ALL_TIED, discount=fmpq(0))
@example(arm=theory.Arm(rewards=[0], transitions=[[1]]), discount=NEARLY_ONE)
def test_indices_of_every_method_pass_the_certificate(method, arm, discount):
    assert refutation(arm, discount, theory.gittins_indices(arm, discount, method)) is None


@given(arm=arms(), discount=discounts(), data=st.data())
def test_certificate_refutes_changed_indices(arm, discount, data):
    indices = list(theory.gittins_indices(arm, discount))
    x = data.draw(st.integers(0, arm.size - 1))
    shift = data.draw(rationals(-1, 1))
    assume(shift != 0)
    indices[x] += shift
    assert not theory.is_gittins(arm, discount, indices)
    assert refutation(arm, discount, indices[1:]) == f"{arm.size - 1} indices for {arm.size} states"


@given(arm=arms(max_size=6), discount=discounts(), data=st.data())
def test_elimination_is_correct_for_any_proposed_order(arm, discount, data):
    order = data.draw(st.permutations(range(arm.size)))
    indices, certified = indices_and_certainty(arm, discount, order)
    assert indices == theory.gittins_indices(arm, discount, "largest-remaining")
    in_order = [indices[x] for x in order]
    assert certified == (in_order == sorted(in_order, reverse=True))


@pytest.mark.parametrize(("steps", "small"), [(1, 0), (3, 0), (128, 0), (128, 12)])
@pytest.mark.parametrize("discount", [fmpq(0), fmpq(1, 2), fmpq(99, 100)])
@pytest.mark.parametrize("scale", [1, -1, fmpq(10) ** 400])
def test_proposed_order_is_the_index_order(monkeypatch, steps, small, discount, scale):
    """For any number of steps between two compactions of the table, and any scale of rewards."""
    monkeypatch.setattr("theory.gittins.proposal._STEPS_BETWEEN", steps)
    monkeypatch.setattr("theory.gittins.proposal._SMALL", small)  # below it no arrays are used
    for seed in range(3):
        arm = long_arm(8, seed, denominator=10**6)
        scaled = theory.Arm(rewards=[scale * r - 5 for r in arm.rewards], transitions=arm.transitions)
        indices = theory.gittins_indices(scaled, discount, "largest-remaining")
        assert len(set(indices)) == 8
        by_index = sorted(range(8), key=lambda x: indices[x], reverse=True)
        assert propose_order(scaled, discount) == by_index
        assert order_in_balls(scaled, discount, 2000) == by_index


def test_order_in_balls_decides_indices_that_floats_cannot():
    for digits in (30, 100):
        tiny = fmpq(1, 10) ** digits
        arm = theory.Arm(
            rewards=[fmpq(1, 2) - tiny, "1/2", fmpq(1, 2) + tiny, 0],
            transitions=[["1/4", "1/4", "1/4", "1/4"], [0, 0, 0, 1], ["1/2", 0, "1/2", 0], [1, 0, 0, 0]],
        )
        for discount in (fmpq(1, 2), 1 - tiny):
            assert not indices_and_certainty(arm, discount, propose_order(arm, discount))[1]
            assert indices_and_certainty(arm, discount, order_in_balls(arm, discount, 1000))[1]


def test_proposed_order_handles_probabilities_beyond_floats():
    whole = 10**400
    rows = [[fmpq(1, whole), fmpq(whole - 1, whole), 0], [0, 1, 0], [fmpq(1, 3), 0, fmpq(2, 3)]]
    arm = theory.Arm(rewards=[0, 1, 2], transitions=rows)
    order = propose_order(arm, fmpq(1, 2))
    assert order == [2, 1, 0]
    assert indices_and_certainty(arm, fmpq(1, 2), order)[1]


HARDLY_LEFT = theory.Arm(
    rewards=[0, 1, 1, 2, 1],
    transitions=[
        [fmpq(each, 2000002001) for each in (10**9, 1, 10**9, 1000, 1000)],
        [fmpq(1000, 1002), 0, fmpq(1, 1002), fmpq(1, 1002), 0],
        [0, 0, 0, 1, 0],
        [fmpq(1, 10**9 + 1), 0, 0, 0, fmpq(10**9, 10**9 + 1)],
        [0, 0, 0, 1, 0],
    ],
)
"""States 4 and 5 alternate, except with probability about 10^-9."""


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("exponent", [15, 17, 30, 400])
def test_proposed_order_lists_rarely_left_states_once(exponent):
    discount = 1 - 1 / fmpq(10) ** exponent
    assert sorted(propose_order(HARDLY_LEFT, discount)) == [0, 1, 2, 3, 4]
    assert refutation(HARDLY_LEFT, discount, theory.gittins_indices(HARDLY_LEFT, discount)) is None
    for x, index in enumerate(theory.gittins_indices(HARDLY_LEFT, discount)):
        assert gittins_index(HARDLY_LEFT, discount, x) == index


def test_split_states_keep_equal_indices():
    half = long_arm(LARGE // 2 + 5, "ties", denominator=3)
    # every state split in two
    rows = [[p / 2 for p in row for _ in range(2)] for row in half.transitions for _ in range(2)]
    arm = theory.Arm(rewards=[r for r in half.rewards for _ in range(2)], transitions=rows)
    indices = theory.gittins_indices(arm, NEARLY_ONE)
    assert indices == tuple(g for g in theory.gittins_indices(half, NEARLY_ONE) for _ in range(2))


def test_wrong_order_of_many_states_is_detected_and_replaced():
    arm = long_arm(LARGE + 5, "wrong order")
    order = propose_order(arm, NEARLY_ONE)
    expected, certified = indices_and_certainty(arm, NEARLY_ONE, order)
    assert certified
    swapped = [*order[:30], order[31], order[30], *order[32:]]
    for wrong in (order[::-1], swapped, order[1:] + order[:1]):
        assert indices_and_certainty(arm, NEARLY_ONE, wrong) == (expected, False)


@given(arm=arms(max_size=6), discount=discounts(), data=st.data())
def test_wrong_proposals_are_retried_with_more_bits(arm, discount, data):
    expected = theory.gittins_indices(arm, discount, "largest-remaining")
    wrong = data.draw(st.permutations(range(arm.size)))
    bits = []

    def bad_at_first(*given):
        bits.append(given[-1])
        return wrong if len(bits) < 3 else order_in_balls(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theory.gittins.elimination.propose_order", lambda *_: wrong)
        patch.setattr("theory.gittins.elimination.order_in_balls", bad_at_first)
        assert theory.gittins_indices(arm, discount) == expected
    assert all(later > earlier for earlier, later in pairwise(bits))


def test_indices_closer_than_10_to_the_minus_2000_are_decided():
    """The indices differ by about beta^10 = 10^-2000, although no number of the model is that long."""
    rows = [{x + 1: 1} if x not in (10, 21) else {x: 1} for x in range(22)]
    rewards = ["1/2"] * 10 + [1] + ["1/2"] * 10 + [fmpq(1) + fmpq(1, 10**9)]
    arm, discount = theory.Arm(rewards=rewards, transitions=rows), fmpq(1, 10**200)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theory.gittins.elimination._SPARE_BITS", 0)
        indices, certified = indices_and_certainty(arm, discount, range(22))
    assert not certified
    assert 0 < indices[11] - indices[0] < fmpq(1, 10**2000)
    assert theory.is_gittins(arm, discount, indices)


def walk(size):
    return [{max(x - 1, 0): "3/10", x: "1/5", min(x + 1, size - 1): "1/2"} if 0 < x < size - 1 else {x: 1} for x in range(size)]  # fmt: skip


def star(size):
    return [{0: "1/2", x: "1/2"} if x else {1: 1} for x in range(size)]


def ring(size):
    return [{(x + 1) % size: 1} for x in range(size)]


@pytest.mark.parametrize("rows", [walk(45), star(45), ring(45)], ids=["walk", "star", "ring"])
def test_sparse_proposal_equals_the_dense_one(monkeypatch, rows):
    rewards = [fmpq(7 * x % 45, 45) for x in range(45)]
    arm = theory.Arm(rewards=rewards, transitions=rows)
    in_a_table = propose_order(theory.Arm(rewards=rewards, transitions=rows), NEARLY_ONE)
    monkeypatch.setattr("theory.gittins.proposal._PRODUCTS", 1)
    order = propose_order(arm, NEARLY_ONE)
    assert "integer_rows" not in vars(arm)
    indices, certified = indices_and_certainty(arm, NEARLY_ONE, order)
    assert certified
    assert theory.is_gittins(arm, NEARLY_ONE, indices)
    assert [indices[x] for x in order] == [indices[x] for x in in_a_table]


def test_value_of_a_sparse_arm_builds_no_dense_rows():
    arm = theory.Arm(rewards=[fmpq(7 * x % 90, 45) for x in range(90)], transitions=walk(90))
    bandit = theory.Bandit([arm], NEARLY_ONE, [0])
    assert theory.gittins_value(bandit).value == gittins_index(bandit.arms[0], NEARLY_ONE, 0) / (1 - NEARLY_ONE)
    assert "integer_rows" not in vars(bandit.arms[0])


@given(arm=arms(max_size=5, low=-1), discount=discounts(), data=st.data())
def test_gittins_index_is_correct_for_any_proposed_order(arm, discount, data):
    order = data.draw(st.permutations(range(arm.size)))
    state = data.draw(st.integers(0, arm.size - 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theory.gittins.single.propose_order", lambda *_: list(order))
        assert gittins_index(arm, discount, state) == theory.gittins_indices(arm, discount, "definition")[state]


def test_gittins_index_of_120_states_matches_all_indices():
    arm = long_arm(120, "single")
    expected = theory.gittins_indices(arm, "99/100")
    assert [gittins_index(arm, "99/100", x) for x in (0, 60, 119)] == [expected[x] for x in (0, 60, 119)]
