"""Indices by elimination in balls, against brute force over stopping sets in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from theory import fraction, rational
from theory.enclosures import EnclosedArm, EnclosedBandit, Enclosure, elimination, enclosed_indices
from theory.enclosures.box import ArmBox
from theory.enclosures.elimination import ranges_by_elimination
from theory.enclosures.row_box import RowBox
from theory.gittins import balls


def indices_in_fractions(rows, rewards, discount):
    """Return the indices as largest quotients of reward and time over all continuation sets, in Python's fractions."""
    states = range(len(rewards))
    best = list(rewards)
    for inside in chain.from_iterable(combinations(states, size) for size in range(1, len(rewards) + 1)):
        table = [[(x == y) - discount * rows[x][y] for y in inside] + [rewards[x], Fraction(1)] for x in inside]
        for k in range(len(inside)):
            table[k] = [entry / table[k][k] for entry in table[k]]
            for i in range(len(inside)):
                if i != k:
                    table[i] = [entry - table[i][k] * above for entry, above in zip(table[i], table[k], strict=True)]
        for x in states:
            after = [(rows[x][y], row) for row, y in zip(table, inside, strict=True)]
            reward = rewards[x] + discount * sum(p * row[-2] for p, row in after)
            best[x] = max(best[x], reward / (1 + discount * sum(p * row[-1] for p, row in after)))
    return best


@st.composite
def arms_in_fractions(draw, largest=4):
    size = draw(st.integers(1, largest))
    weights = st.lists(st.sampled_from([0, 0, 1, 5, 50]), min_size=size, max_size=size).filter(any)
    rows = [[Fraction(each, sum(row)) for each in row] for row in (draw(weights) for _ in range(size))]
    rewards = [Fraction(draw(st.integers(-6, 6)), draw(st.sampled_from([1, 3]))) for _ in range(size)]
    return rows, rewards, draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)]))


def between(low, high):
    return Enclosure(rational(low), rational(high))


def box_around(rows, rewards, width, reward_width):
    return ArmBox(
        tuple(between(reward - reward_width, reward + reward_width) for reward in rewards),
        tuple(RowBox.of([between(max(p - width, 0), min(p + width, 1)) for p in row]) for row in rows),
        (),
        (),
    )


def assert_enclosed(found, rows, rewards, discount):
    for enclosure, index in zip(found, indices_in_fractions(rows, rewards, discount), strict=True):
        assert enclosure.contains(rational(index))


@examples(35)
@given(arms_in_fractions(), st.integers(30, 200))
def test_indices_of_an_exact_arm_are_enclosed_closely(arm, bits):
    rows, rewards, discount = arm
    found = ranges_by_elimination(box_around(*arm[:2], 0, 0), between(discount, discount), bits)
    assert_enclosed(found, rows, rewards, discount)
    assert max(each.width for each in found) <= rational(max(map(abs, rewards))) * fmpq(1, 2 ** (bits - 20))


@examples(35)
@given(arms_in_fractions(), st.data())
def test_enclosures_are_valid_for_any_pivot_order(arm, data):
    """Any pivot order gives valid bounds; a bad one only makes them wide."""
    rows, rewards, discount = arm
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(balls, "next_of", lambda rates: data.draw(st.integers(0, len(rates) - 1)))
        found = ranges_by_elimination(box_around(rows, rewards, 0, 0), between(discount, discount), 64)
    assert_enclosed(found, rows, rewards, discount)


@examples(35)
@given(
    arms_in_fractions(),
    st.sampled_from([Fraction(1, 10**6), Fraction(1, 50), Fraction(1, 5)]),
    st.booleans(),
    st.data(),
)
def test_indices_of_every_member_of_a_box_are_enclosed(arm, width, exact_rewards, data):
    rows, rewards, discount = arm
    spread = min(width, discount, (1 - discount) / 2)
    reward_width = 0 if exact_rewards else width
    box, discounts = box_around(rows, rewards, width, reward_width), between(discount - spread, discount + spread)
    found = ranges_by_elimination(box, discounts, 64)
    moved = [list(row) for row in rows]
    for row, centre in zip(moved, rows, strict=True):
        i, j = (data.draw(st.integers(0, len(row) - 1)) for _ in range(2))
        if i != j:  # move as much mass as possible from one entry to another
            step = min(row[i] - max(centre[i] - width, 0), min(centre[j] + width, 1) - row[j])
            row[i], row[j] = row[i] - step, row[j] + step
    signs = [data.draw(st.sampled_from([-1, 0, 1])) for _ in range(len(rewards) + 1)]
    member = [reward + sign * reward_width for reward, sign in zip(rewards, signs, strict=False)]
    assert_enclosed(found, moved, member, discount + signs[-1] * spread)


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


@pytest.mark.parametrize("digits", [5, 15, 40])
@pytest.mark.parametrize("discount", ["exp(-1/9)", "1 - exp(-30)"])
def test_enclosures_with_more_digits_are_nested(digits, discount):
    rows = [{(x + 1) % 12: "1 - exp(-1)", 0: "exp(-1)"} if x < 11 else {0: 1} for x in range(12)]
    rewards = [f"log({2 + 7 * x % 5}) - 1" for x in range(12)]
    bandit = EnclosedBandit([EnclosedArm(rewards=rewards, transitions=rows)], discount)
    coarse, fine = (enclosed_indices(bandit, each).indices[0] for each in (digits, 2 * digits))
    assert all(one.within(other) for one, other in zip(fine, coarse, strict=True))
    largest = max(each.magnitude for each in coarse)
    assert all(fraction(each.width) <= fraction(largest) / 10**digits for each in coarse)
