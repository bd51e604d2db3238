"""Indices by elimination in balls, against exact indices; which indices are exact; nested enclosures."""

from __future__ import annotations

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.trials.strategies import arms, discounts
from tests.examples import examples
from theory import Bandit, gittins_indices, rational
from theory.enclosures import EnclosedArm, EnclosedBandit, Enclosure, elimination, enclosed_indices
from theory.enclosures.box import ArmBox, RowBox
from theory.enclosures.elimination import ranges_by_elimination
from theory.gittins import balls


def between(low, high):
    return Enclosure(rational(low), rational(high))


def ranges_of_a_point(arm, discount, bits):
    box = EnclosedBandit.of(Bandit([arm], discount)).at(bits)
    return ranges_by_elimination(box.arms[0], box.discount, bits)


@examples(35)
@given(arms(max_size=4, low=-2, high=2), discounts(), st.integers(40, 200))
def test_indices_of_an_exact_arm_are_enclosed_closely(arm, discount, bits):
    found = ranges_of_a_point(arm, discount, bits)
    assert all(each.contains(index) for each, index in zip(found, gittins_indices(arm, discount), strict=True))
    assert max(each.width for each in found) <= max(map(abs, arm.rewards)) * fmpq(1, 2 ** (bits - 20))


@examples(35)
@given(arms(max_size=4, low=-2, high=2), discounts(), st.data())
def test_enclosures_are_valid_for_any_pivot_order(arm, discount, data):
    """Any pivot order gives valid bounds; a bad one only makes them wide."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(balls, "next_of", lambda rates: data.draw(st.integers(0, len(rates) - 1)))
        found = ranges_of_a_point(arm, discount, 64)
    assert all(each.contains(index) for each, index in zip(found, gittins_indices(arm, discount), strict=True))


@pytest.mark.parametrize(
    ("rows", "rewards", "exact"),
    [
        ([[0, 1], ["sqrt(1/2)", "1 - sqrt(1/2)"]], ["1/3", "1/3"], {0, 1}),  # a constant
        ([["exp(-1)", "1 - exp(-1)"], [0, 1]], [1, "1/3"], {0, 1}),  # nothing better is ever reached
        ([["exp(-1)", "1 - exp(-1)"], [0, 1]], ["1/3", 1], {1}),
        ([["exp(-1)", "1 - exp(-1)", 0], ["exp(-2)", 0, "1 - exp(-2)"], [0, 0, 1]], ["1/3", "1/3", "1/3 + 1e-60"], {2}),
        ([["exp(-1)", "1 - exp(-1)", 0], ["exp(-2)", 0, "1 - exp(-2)"], [0, 0, 1]], ["1/3", "1/3", "1/3 - 1e-60"], {0, 1, 2}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("discount", ["1/2", "exp(-1/100)"])
def test_index_equal_to_its_reward_is_exact(rows, rewards, exact, discount):
    bandit = EnclosedBandit([EnclosedArm(rewards=rewards, transitions=rows)], discount)
    found = enclosed_indices(bandit).indices[0]
    assert {x for x, index in enumerate(found) if index.is_exact} == exact
    assert all(found[x].low == bandit.at(64).arms[0].rewards[x].low for x in exact)


def test_wide_balls_still_bound_the_indices():
    whole = RowBox((fmpq(0), fmpq(0)), (fmpq(1), fmpq(1)))
    rewards = (between(-1, 0), between(2, 3))
    found = ranges_by_elimination(ArmBox(rewards, (whole, whole), (), ()), between(0, "999/1000"), 64)
    assert found[0].low <= -1
    assert found[1].low <= 2
    assert all(each.high >= 3 for each in found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elimination, "_ball", lambda number: arb("nan"))
        arm = ArmBox(rewards, (whole, whole), (), ())
        assert ranges_by_elimination(arm, between(0, 0), 64) == (between(-1, 3), between(2, 3))
