"""Indices, values and extended value iteration of enclosed models: enclosures contain those of every member."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

import theory
from proofs_checks.trials.strategies import bandits, priorities, rationals
from tests.examples import examples
from tests.refusals import refusal
from tests.theory.mpmath_oracle import arm_by_mpmath, by_mpmath
from theory.enclosures import (
    EnclosedArm,
    EnclosedBandit,
    Enclosure,
    decide_order,
    enclosed_indices,
    enclosed_optimistic_value,
    enclosed_value,
    parse_enclosed_model,
)
from theory.enclosures import extremes as extremes_module
from theory.enclosures import indices as indices_module
from theory.enclosures import values as values_module
from theory.enclosures.box import RowBox
from theory.enclosures.digits import to_digits
from theory.enclosures.elimination import ranges_by_elimination
from theory.enclosures.extremes import BoxProcess, EnclosedAction
from theory.enclosures.perturbation import largest_change

WIDTHS = st.sampled_from([fmpq(0), fmpq(0), fmpq(1, 1000), fmpq(1, 20), fmpq(1, 3)])


def around(value, width, share, least=None):
    """An enclosure of this width that holds `value`, at `share` of its width from the lower end."""
    low, high = value - share * width, value + (1 - share) * width
    return Enclosure(low if least is None else max(low, least), high)


@st.composite
def boxes(draw, *, radii=False, low=-1):
    """A bandit, and an enclosed bandit that holds it."""
    member = draw(bandits(max_arms=2, max_size=3, radii=radii, **({} if radii else {"low": low})))
    shares = st.integers(0, 4).map(lambda k: fmpq(k, 4))

    def enclosed(value, least=None):
        return around(value, draw(WIDTHS), draw(shares), least)

    arms = [
        EnclosedArm(
            rewards=[enclosed(r) for r in arm.rewards],
            transitions=[[enclosed(p) for p in row] for row in arm.transitions],
            states=arm.states,
            reward_radius=[enclosed(r, fmpq(0)) for r in arm.reward_radius],
            transition_radius=[enclosed(r, fmpq(0)) for r in arm.transition_radius],
        )
        for arm in member.arms
    ]
    room = min(draw(WIDTHS), (1 - member.discount) / 2)
    discount = around(member.discount, room, draw(shares), fmpq(0))
    return member, EnclosedBandit(arms, discount, member.initial)


# --- what is found holds for every member


@given(boxes())
def test_enclosed_indices_contain_the_indices_of_every_member(pair):
    member, box = pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(indices_module, "_WORK", 300)
        found = enclosed_indices(box, digits=5)
    true = [theory.gittins_indices(arm, member.discount) for arm in member.arms]
    parts = box.at(64)
    in_balls = [ranges_by_elimination(arm, parts.discount, 64) for arm in parts.arms]
    for arm, wider, indices in zip(found.indices, in_balls, true, strict=True):
        assert all(enclosure.contains(index) for enclosure, index in zip(arm, indices, strict=True))
        assert all(enclosure.contains(index) for enclosure, index in zip(wider, indices, strict=True))
    if found.order.certain is not None:
        ranked = [true[a][x] for a, x in found.order.certain]
        assert ranked == sorted(ranked, reverse=True)
    undecided = {frozenset(pair) for pair in found.order.undecided}
    for one, other in product(member.arm_states, repeat=2):
        if one != other and frozenset((one, other)) not in undecided:
            above = found.indices[one[0]][one[1]].certainly_above(found.indices[other[0]][other[1]])
            if above or (one, other) in found.jointly:
                assert true[one[0]][one[1]] > true[other[0]][other[1]]


@pytest.mark.parametrize("largest_product", [64, 0])  # rows chosen on the product, and bounded without it
@given(pair=boxes(), data=st.data())
def test_enclosed_value_contains_the_value_of_every_member(largest_product, pair, data):
    member, box = pair
    order = data.draw(priorities(member))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(values_module, "LARGEST_PRODUCT", largest_product)
        assert enclosed_value(box, digits=5).contains(theory.gittins_value(member).value)
        assert enclosed_value(box, order, digits=5).contains(theory.priority_value(member, order).value)


@given(pair=boxes(radii=True), data=st.data())
def test_enclosed_optimistic_value_contains_the_value_of_every_member(pair, data):
    member, box = pair
    order = data.draw(st.one_of(st.none(), priorities(member)))
    found = enclosed_optimistic_value(box, order, digits=5)
    true = theory.optimistic_value(member, order)
    assert all(found.values[state].contains(value) for state, value in true.values.items())
    for state, arm in found.plays.items():
        if arm is not None and order is None:
            assert arm == true.policy[state]


@pytest.mark.parametrize(
    ("radius", "reward", "arm"),
    [("0", "1/5", 1), ("0.3 +/- 0.3", "1/5", None), ("1", "1/5", 0), ("0.6", "0.2 +/- 0.1", None), ("0.6", "0.2", 0)],
)
def test_optimistic_play_names_an_arm_or_is_undecided(radius, reward, arm):
    """The first arm moves on to a state that pays 1 with probability radius/2 at most; the second pays for ever.

    With radius 0.6 that is worth 6/13 (V = (0.3*2 + 0.7 V)/2), and twice the reward is what the second is worth.
    """
    waits = EnclosedArm(rewards=[0, 1], transitions=[[1, 0], [0, 1]], transition_radius=[radius, 0])
    known = EnclosedArm(rewards=[reward], transitions=[[1]], states=["known"])
    found = enclosed_optimistic_value(EnclosedBandit([waits, known], "1/2", [0, 0]))
    assert found.plays == {(0, 0): arm, (1, 0): 0}
    assert radius != "1" or found.value.contains(fmpq(2, 3))


# --- as narrow as can be


def vertices_of(box):
    """All vertices of a box of rows, by filling in every order."""
    return {box._filled(order) for order in permutations(range(len(box.low)))}


@st.composite
def row_boxes(draw, size):
    weights = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any))
    row = [fmpq(w, sum(weights)) for w in weights]
    widths = draw(st.lists(WIDTHS, min_size=size, max_size=size))
    return RowBox.of([Enclosure(p - w, p + w) for p, w in zip(row, widths, strict=True)])


@given(data=st.data(), size=st.integers(1, 4))
def test_best_and_worst_rows_match_the_extremes_of_vertices(data, size):
    box = data.draw(row_boxes(size))
    values = data.draw(st.lists(rationals(-2, 2), min_size=size, max_size=size))
    worth = [theory.expectation(row, values) for row in vertices_of(box)]
    for row in (box.best(values), box.worst(values), box.member()):
        assert sum(row, fmpq(0)) == 1
        assert all(low <= p <= high for low, p, high in zip(box.low, row, box.high, strict=True))
    assert theory.expectation(box.best(values), values) == max(worth)
    assert theory.expectation(box.worst(values), values) == min(worth)


@examples(12)
@given(data=st.data(), size=st.integers(1, 3), discount=st.sampled_from([fmpq(0), fmpq(1, 2), fmpq(9, 10)]))
def test_range_of_an_index_matches_brute_force_over_vertices(data, size, discount):
    """Brute force over all combinations of vertices; rewards and discount at their ends."""
    rows = [data.draw(row_boxes(size)) for _ in range(size)]
    rewards = data.draw(st.lists(rationals(-1, 1), min_size=size, max_size=size))
    width = data.draw(WIDTHS)
    box = EnclosedBandit(
        [
            EnclosedArm(
                rewards=[Enclosure(r, r + width) for r in rewards],
                transitions=[list(map(Enclosure, row.low, row.high)) for row in rows],
            )
        ],
        Enclosure(discount, (1 + discount) / 2),
    )
    found = enclosed_indices(box, digits=10).indices[0]

    def extremes(reward_shift, at, best):
        choices = product(*(vertices_of(row) for row in rows))
        arms = [theory.Arm(rewards=[r + reward_shift for r in rewards], transitions=choice) for choice in choices]
        return [best(column) for column in zip(*(theory.gittins_indices(arm, at) for arm in arms), strict=True)]

    smallest, largest = extremes(0, discount, min), extremes(width, (1 + discount) / 2, max)
    for enclosure, low, high in zip(found, smallest, largest, strict=True):
        assert enclosure.low <= low <= high <= enclosure.high
        assert low - enclosure.low < fmpq(1, 10**10)
        assert enclosure.high - high < fmpq(1, 10**10)


@st.composite
def box_processes(draw):
    size = draw(st.integers(1, 3))
    states = range(size)
    return BoxProcess(
        {
            x: [
                EnclosedAction(
                    i,
                    around(draw(rationals(0, 1)), draw(WIDTHS), fmpq(1, 2)),
                    states,
                    draw(row_boxes(size)),
                    around(draw(rationals(0, 1)), draw(WIDTHS), fmpq(1, 2), fmpq(0)),
                )
                for i in range(draw(st.integers(1, 2)))
            ]
            for x in states
        }
    )


@given(process=box_processes())
def test_certified_bounds_hold_for_a_bad_proposal(process):
    """Only one round is made, from 0 in every state: the bounds are wide, but valid."""
    discount = fmpq(9, 10)
    largest, smallest = process.largest(discount), process.smallest(discount)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extremes_module, "_ROUNDS", 1)
        above, below = process.bounds(discount, 80, upper=True), process.bounds(discount, 80, upper=False)
    assert process.is_bound_above(above, discount)
    assert all(below[x] <= smallest[x] <= largest[x] <= above[x] for x in process.actions)


@pytest.mark.parametrize(("excess", "is_at_rest"), [("1/16", True), ("1000001/16000000", False)])
def test_rounds_end_where_a_backup_moves_bounds_by_at_most_half_the_spare(excess, is_at_rest, monkeypatch):
    """Two states that pay 1 for ever, worth 2; with 20 bits 1/8 is to spare, and half of `excess` is what T W misses."""
    error = theory.rational(excess)
    process = BoxProcess({x: [EnclosedAction(0, Enclosure.point(fmpq(1)), [x], one_row(1))] for x in "xy"})
    monkeypatch.setattr(extremes_module, "_evaluated", lambda *_: {"x": 2 + error, "y": fmpq(2)})
    above, below = (process.bounds(fmpq(1, 2), 20, upper=upper) for upper in (True, False))
    assert above == {"x": fmpq(17, 8) + error * is_at_rest, "y": fmpq(17, 8)}
    assert below == {"x": fmpq(15, 8), "y": fmpq(15, 8) - error * is_at_rest}


def one_row(*row):
    row = tuple(map(theory.rational, row))
    return RowBox(row, row)


def assert_as_close_as_can_be(process, discount, bits):
    """Assert that bounds exceed the extremes by 2^(16 - bits) of the largest value, and by at most half of that more.

    So the bounds with one more bit are nested.
    """
    rewards = [abs(end) for x in process.actions for e in process.actions[x] for end in (e.reward.low, e.reward.high)]
    spare = max(rewards) / (1 - discount) * fmpq(2) ** (16 - bits)
    largest, smallest = process.largest(discount), process.smallest(discount)
    above, below = process.bounds(discount, bits, upper=True), process.bounds(discount, bits, upper=False)
    finer = [process.bounds(discount, bits + 1, upper=upper) for upper in (True, False)]
    assert process.is_bound_above(above, discount)
    rounding = 1 + fmpq(1, 2**7)  # spare bits are a number of 8 bits, rounded up
    for x in process.actions:
        assert spare <= above[x] - largest[x] <= fmpq(3, 2) * rounding * spare
        assert spare <= smallest[x] - below[x] <= fmpq(3, 2) * rounding * spare
        assert below[x] <= finer[1][x] <= finer[0][x] <= above[x]


@given(process=box_processes(), bits=st.integers(20, 150))
@examples(20)
def test_bounds_exceed_the_extremes_by_at_most_1_5_times_the_spare(process, bits):
    assert_as_close_as_can_be(process, fmpq(9, 10), bits)


def test_is_bound_above_requires_every_member_to_be_bounded():
    """One state that pays 0 to 1 for ever, which is worth 0 to 2; another whose row may be that of the first."""
    first = EnclosedAction(0, Enclosure(fmpq(0), fmpq(1)), [0, 1], one_row(1, 0))
    other = EnclosedAction(0, Enclosure.point(fmpq(0)), [0, 1], RowBox((fmpq(0), fmpq(0)), (fmpq(1), fmpq(1))))
    process = BoxProcess({0: [first], 1: [other]})
    tiny = fmpq(1, 10**50)
    for values in ((2, 1), (3, 2), (2 - tiny, 1), (2, 1 - tiny), (1, 1)):
        is_bound = values in ((2, 1), (3, 2))
        assert process.is_bound_above(dict(enumerate(map(fmpq, values))), fmpq(1, 2)) is is_bound
    assert (process.largest(fmpq(1, 2)), process.smallest(fmpq(1, 2))) == ({0: 2, 1: 1}, {0: 0, 1: 0})


@pytest.mark.parametrize("size", [2, 7])  # 4 global states, chosen on the product, and 49, too many for it here
@pytest.mark.parametrize(
    ("rewards", "least", "most"),
    [((-3, -2), -15, -4), ((-3, 2), -15, 10), ((2, 3), 4, 15)],
)
def test_enclosed_values_lie_between_the_least_and_the_largest_reward_for_ever(size, rewards, least, most, monkeypatch):
    """The discount is 1/2 to 4/5, so that a reward for ever is 2 to 5 times itself."""
    monkeypatch.setattr(values_module, "LARGEST_PRODUCT", 4)
    row = [Enclosure(fmpq(0), fmpq(1))] * size
    arm = EnclosedArm(rewards=[rewards[0]] + [rewards[1]] * (size - 1), transitions=[row] * size)
    bandit = EnclosedBandit([arm, arm], Enclosure(fmpq(1, 2), fmpq(4, 5)), [0, 0])
    found = enclosed_value(bandit)
    assert found.within(Enclosure(fmpq(least), fmpq(most)))
    assert enclosed_optimistic_value(bandit).value.within(Enclosure(fmpq(least), fmpq(most)))
    assert all(found.contains(fmpq(rewards[0] * factor)) for factor in (2, 5))  # members in which the arms stay


def test_to_digits_doubles_bits_until_every_number_has_its_digits():
    """The large number is narrow at once, the small one only with 500 bits."""
    seen = []

    def compute(bits):
        seen.append(bits)
        large, end = fmpq(10**90), 2 if bits < 500 else 1 + fmpq(1, 2**bits)
        return "found", [Enclosure(large, large + fmpq(1, 2**bits)), Enclosure(fmpq(1), end)]

    assert to_digits(compute, 50, is_fixed=False) == "found"
    assert seen == [230, 460, 920]
    seen.clear()
    to_digits(compute, 50, is_fixed=True)
    assert seen == [230]
    for low, attempts in ((-1, 3), (0, 3), (1, 8)):  # fewer if 0 is possible
        seen.clear()
        to_digits(lambda bits, low=low: (seen.append(bits), [Enclosure(fmpq(low), fmpq(2))]), 15, is_fixed=False)
        assert len(seen) == attempts


def test_value_far_below_the_rewards_gets_its_digits():
    arm = EnclosedArm(rewards=[0, 1], transitions=[["1-exp(-296)", "exp(-296)"], ["exp(-1)", "1-exp(-1)"]])
    found = enclosed_value(EnclosedBandit([arm], "exp(-1)", [0]), digits=15)
    assert found.low > 0
    assert found.width < found.magnitude / 10**15


# --- one model with irrational discount and radii, at 20, 50 and 500 digits

ARMS = [
    {
        "rewards": ["sqrt(2)", "0", "log(2)"],
        "transitions": [
            ["exp(-1)", "1 - exp(-1)", "0"],
            ["1/2", "1/4", "1/4"],
            ["exp(-2)", "exp(-3)", "1 - exp(-2) - exp(-3)"],
        ],
        "reward_radius": ["sqrt(log(20)/2)/4"] * 3,
        "transition_radius": ["sqrt(2*log(40)/100)", "exp(-2)", "0"],
        "states": ["A1", "A2", "A3"],
    },
    {
        "rewards": ["1/3", "pi/4"],
        "transitions": [["1/2", "1/2"], ["exp(-1/2)", "1 - exp(-1/2)"]],
        "reward_radius": ["0.1", "0"],
        "transition_radius": ["sqrt(2)/5", "0"],
        "states": ["B1", "B2"],
    },
]
INITIAL = ["A2", "B1"]
PRIORITY = ["A1", "B2", "A3", "B1", "A2"]


def irrational(discount="exp(-1/100)"):
    return EnclosedBandit([EnclosedArm(**arm) for arm in ARMS], discount, INITIAL)


def all_enclosures(bandit, digits):
    indices = enclosed_indices(bandit, digits)
    return [
        *(index for arm in indices.indices for index in arm),
        enclosed_value(bandit, digits=digits),
        enclosed_value(bandit, PRIORITY, digits=digits),
        enclosed_optimistic_value(bandit, digits=digits).value,
        enclosed_optimistic_value(bandit, PRIORITY, digits=digits).value,
    ]


def test_enclosures_are_nested_and_narrow_to_their_digits():
    found = {digits: all_enclosures(irrational(), digits) for digits in (20, 50, 500)}
    for coarse, fine in ((20, 50), (50, 500)):
        for wide, narrow in zip(found[coarse], found[fine], strict=True):
            assert narrow.within(wide)
            decimals = [[Fraction(text) for text in each.decimals(n)] for each, n in ((wide, coarse), (narrow, fine))]
            assert decimals[0][0] <= decimals[1][0] <= decimals[1][1] <= decimals[0][1]
    for digits, enclosures in found.items():
        assert all(each.width < each.magnitude / 10**digits for each in enclosures)


@pytest.mark.parametrize(
    ("discount", "digits"),
    [("exp(-1/100)", 20), ("exp(-1/100)", 500), ("1 - exp(-60)", 15), ("1 - exp(-150)", 15)],
)
def test_enclosures_contain_the_results_for_mpmaths_numbers(discount, digits):
    """mpmath's numbers have 300 digits more, of which a discount near 1 takes twice 65."""
    near = theory.Bandit([arm_by_mpmath(arm, digits + 300) for arm in ARMS], by_mpmath(discount, digits + 300), INITIAL)
    order = near.priority(PRIORITY)
    values = [
        *(index for arm in near.arms for index in theory.gittins_indices(arm, near.discount)),
        theory.gittins_value(near).value,
        theory.priority_value(near, order).value,
        theory.optimistic_value(near).value,
        theory.optimistic_value(near, order).value,
    ]
    for enclosure, value in zip(all_enclosures(irrational(discount), digits), values, strict=True):
        assert enclosure.contains(value)


@pytest.mark.parametrize("digits", [1, 10_000])
def test_to_digits_accepts_1_to_10000(digits):
    assert to_digits(lambda bits: (bits, []), digits, is_fixed=True) > digits
    for beyond in (0, 10_001, True, "5"):
        told = f"digits: {beyond!r} is not an integer from 1 to 10000"
        assert refusal(to_digits, lambda bits: (bits, []), beyond, is_fixed=True) == told


def test_enclosed_bandit_takes_the_bits_that_its_discount_needs():
    """1443 bits show that 1 - exp(-1000) is below 1; for 1 - exp(-5000) it takes more than are tried."""
    arm = EnclosedArm(rewards=[1], transitions=[[1]])
    for exponent in (30, 100, 1000):
        bandit = EnclosedBandit([arm], f"1 - exp(-{exponent})")
        assert all(bandit.at(bits).discount.high < 1 for bits in (10, 64, 2000))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rewards": 5}, "rewards: 5 is no list; give one number per state, such as [1, '1/2']"),
        ({"transitions": 5}, "transitions: 5 is no list; give one row per state, such as [['1/2', '1/2'], [0, 1]]"),
        ({"transitions": [5, 6]}, "state 1: row: 5 is no list; give 2 transition probabilities, one per state"),
        ({"reward_radius": 5}, "radius: 5 is no list; give one number per state"),
        ({"transition_radius": 7}, "radius: 7 is no list; give one number per state"),
        ({"reward_radius": [0]}, "1 values of reward radius for 2 states"),
        ({"transition_radius": [0]}, "1 values of transition radius for 2 states"),
        ({"states": ["a"]}, "2 rewards but 1 state names: give one name per state"),
        ({"transitions": [[1, 0]]}, "2 rewards but 1 transition rows: give one row per state"),
        ({"transitions": [[1], [0, 1]]}, "state 1: 1 transition probabilities for 2 states"),
        ({"reward_radius": [0, "-1/2"]}, "state 2: reward radius is negative"),
        ({"transition_radius": [0, "0.1 +/- 0.2"]}, "state 2: transition radius may be negative: it is between -0.1 and 0.3"),
        ({"transitions": [[1, 0], ["1/2", "1/3"]]}, "state 2: row sums to 5/6, not 1"),
        ({"transitions": [[1, 0], ["1/2", "0.49"]]}, 'state 2: row sums to 99/100, not 1; divide each entry by that: write 1/2 as "50/99"'),
        ({"states": ["a", "b"], "rewards": [0, "x"]}, "state b: reward 'x' is not a number: write an integer, a fraction such as 321/100, or a decimal"),
        ({"rewards": ["log(-1)", 0]}, "state 1: reward 'log(-1)' is not a number: the logarithm of -1"),
        ({"transitions": [["0.5 +/- 0.1", 0], [0, 1]]}, "state 1: row sums to a number between 0.4 and 0.6, not 1"),
        ({"transitions": [["sqrt(2)", 0], [0, 1]]}, "state 1: row sums to a number between 1.41"),
        ({"transitions": [["1/3" + 26 * "0", 0], [0, 1]]}, "state 1: row sums to 1/300000000000000000000000000, not 1"),
        ({"transitions": [["1/3" + 27 * "0", 0], [0, 1]]}, "state 1: row sums to 3.333333333e-28, not 1"),
        ({"transitions": [["-log(2)", 0], [0, 1]]}, "state 1: row has a negative probability, between -0.6931"),
        ({"discount": "0.99 +/- 0.02"}, "discount: 0.99 +/- 0.02 may be 1 or more: it is only known to lie between 0.97 and 1.01"),
        ({"discount": "sqrt(2)"}, "discount: sqrt(2) is outside 0 <= discount < 1"),
        ({"discount": "0 +/- 0.1"}, "discount: 0 +/- 0.1 may be negative"),
        ({"discount": 1}, "discount: 1 is outside"),
        ({"discount": "half"}, "discount: 'half' is not a number"),
        ({"discount": "1 - exp(-5000)"}, "discount: 1 - exp(-5000) may be 1 or more"),
        ({"rewards": []}, "an arm needs at least one state"),
    ],
)  # fmt: skip
def test_enclosed_arms_and_bandits_refuse_wrong_numbers_with_their_place(given, message):
    def make(discount="1/2", **changes):
        return EnclosedBandit([EnclosedArm(**{"rewards": [0, 1], "transitions": [[1, 0], [0, 1]]} | changes)], discount)

    assert refusal(make, **given).startswith(message)


def test_enclosed_value_of_nine_large_arms_matches_an_exact_bandit():
    """Nine arms of eleven states with irrational hazards: the paper's scenario 2 with exp(-1/5) for 4/5."""

    def task(a, size=11):
        stay = [f"(1 - {a}/10)*exp(-{i}/5)" for i in range(size - 1)]
        rows = [["0"] * size for _ in range(size)]
        for i, probability in enumerate(stay):
            rows[i][min(i + 1, size - 2)] = probability
            rows[i][size - 1] = f"1 - {probability}"
        rows[size - 1][size - 1] = "1"
        return {"rewards": [*(f"1 - {p}" for p in stay), "0"], "transitions": rows}

    tasks = [task(a) for a in range(1, 10)]
    bandit = EnclosedBandit([EnclosedArm(**each) for each in tasks], "99/100", [0] * 9)
    coarse, fine = enclosed_value(bandit, digits=8), enclosed_value(bandit, digits=20)
    assert fine.within(coarse)
    assert fine.width < fmpq(1, 10**20)
    near = theory.Bandit([arm_by_mpmath(each, 50) for each in tasks], "99/100", [0] * 9)
    assert fine.contains(theory.gittins_value(near).value)


# --- order


@pytest.mark.parametrize("step", [1, -1])  # of the states, first or last ones first
@pytest.mark.parametrize(
    ("bounds", "is_certain"),
    [
        (((816, 28), (737, 39), (639, 67)), True),
        (((786, 39), (721, 51), (610, 82)), True),
        (((816, 28), (737, 39), (450, 200)), False),
    ],
)
def test_order_of_one_arms_states_is_certain_if_all_members_have_it(bounds, is_certain, step):
    """Members have each row at an end or in the middle; broken and worn have overlapping enclosures in each case."""
    members = [
        theory.gittins_indices(
            theory.Arm(rewards=[10, 6, 0], transitions=[[p, 1 - p, 0], [0, q, 1 - q], [r, 0, 1 - r]]), "19/20"
        )
        for p, q, r in product(*([fmpq(k, 1000) for k in (m - w, m, m + w)] for m, w in bounds))
    ]
    assert all(index[2] > index[1] for index in members) == is_certain
    p, q, r = ([f"{k / 1000} +/- {w / 1000}" for k in (m, 1000 - m)] for m, w in bounds)
    rows = [*p, 0], [0, *q], [r[0], 0, r[1]]
    arm = EnclosedArm(rewards=[10, 6, 0][::step], transitions=[row[::step] for row in rows][::step])
    found = enclosed_indices(EnclosedBandit([arm, theory.Arm(rewards=[6], transitions=[[1]])], "0.95"))
    new, _, broken = range(3)[::step]
    assert not found.indices[0][broken].certainly_above(found.indices[0][1])
    assert found.arm_orders[0].certain == ((new, broken, 1) if is_certain else None)
    assert found.jointly == ({((0, broken), (0, 1))} if is_certain else set())
    assert any({(0, 1), (0, broken)} == set(pair) for pair in found.order.undecided) != is_certain


@given(st.data())
def test_halves_of_a_box_of_rows_hold_its_rows(data):
    weights = data.draw(st.lists(st.integers(0, 5), min_size=2, max_size=4).filter(any))
    row = [fmpq(weight, sum(weights)) for weight in weights]
    box = RowBox.of([around(p, data.draw(WIDTHS), data.draw(st.sampled_from([fmpq(0), fmpq(1, 4)]))) for p in row])
    below, above = box.halves()
    assert any(all(p <= q <= r for p, q, r in zip(half.low, row, half.high, strict=True)) for half in (below, above))
    assert any(p == q for p, q in zip(below.high, above.low, strict=True))


def test_more_digits_decide_the_order_of_close_indices():
    arm = EnclosedArm(rewards=["sqrt(2)", "sqrt(2) + 1e-30"], transitions=[[1, 0], [0, 1]])
    bandit = EnclosedBandit([arm], "1/2")
    assert enclosed_indices(bandit, 5).arm_orders[0].certain is None
    assert enclosed_indices(bandit, 40).arm_orders[0].certain == (1, 0)


@given(st.dictionaries(st.integers(0, 9), st.tuples(st.integers(0, 9), st.integers(0, 3)), max_size=6))
def test_decide_order_matches_comparison_of_all_pairs(ends):
    numbers = {key: Enclosure(fmpq(low), fmpq(low + width)) for key, (low, width) in ends.items()}
    found = decide_order(numbers)
    overlapping = {
        frozenset((one, other))
        for one, other in product(numbers, repeat=2)
        if one != other
        and not numbers[one].certainly_above(numbers[other])
        and not numbers[other].certainly_above(numbers[one])
        and not (numbers[one].is_exact and numbers[one] == numbers[other])
    }
    assert {frozenset(pair) for pair in found.undecided} == overlapping
    if not overlapping:
        assert [numbers[key].low for key in found.certain] == sorted((e.low for e in numbers.values()), reverse=True)


# --- what is passed


def test_enclosed_arm_accepts_balls_and_mpmath_numbers():
    half = (mpmath.mpf("0.5"), mpmath.mpf(2) ** -40)
    arm = EnclosedArm(rewards=[arb(2).sqrt(), 0], transitions=[[half, half], [0, 1]])
    found = enclosed_indices(EnclosedBandit([arm], arb("0.9 +/- 1e-12")), digits=8).indices[0]
    assert found[0].contains(theory.rational("1.41421356237309504880168872"))


def test_enclosed_functions_accept_an_exact_bandit():
    bandit = theory.paper_model("counterexample")
    assert enclosed_indices(bandit).indices[0][0] == Enclosure.point(theory.gittins_indices(bandit.arms[0], "1/2")[0])
    assert enclosed_value(bandit, initial=["A1", "B1"]).contains(theory.gittins_value(bandit, ["A1", "B1"]).value)
    assert enclosed_optimistic_value(bandit).value.contains(fmpq(49167, 7600))
    assert EnclosedBandit.of(EnclosedBandit.of(bandit)).exact() == bandit


def test_enclosed_functions_refuse_wrong_types_and_large_products():
    bandit = theory.paper_model("counterexample")
    assert "a Bandit is wanted and this is an Arm" in refusal(enclosed_indices, bandit.arms[0])
    assert "is no list; give a list of arms" in refusal(EnclosedBandit, bandit, "1/2")
    large = EnclosedArm(rewards=[0] * 50, transitions=[{0: 1}] * 50)
    large = EnclosedBandit([large] * 2, "1/2", [0, 0])
    assert "extended value iteration needs the product" in refusal(enclosed_optimistic_value, large)
    # a row that turns out not to sum to 1 only at more digits
    nearly = EnclosedArm(rewards=["sqrt(2)"], transitions=[["exp(1e-40)"]])
    assert enclosed_indices(EnclosedBandit([nearly], "1/2"), 5)
    known = EnclosedArm(rewards=[1], transitions=[[1]])
    second = EnclosedBandit([known, nearly], "1/2")
    assert refusal(enclosed_indices, second, 60).startswith("arm 2, state 1: row sums to")


def test_enclosed_model_accepts_rows_by_state_name():
    text = """{"discount": "1/2", "arms": [{"states": ["x", "y"], "rewards": [%s, 1], "transitions":
        [%s, {"y": 1}]}]}"""
    named = parse_enclosed_model(text % ('"sqrt(2)"', '{"y": "exp(-1)", "x": "1 - exp(-1)"}'))
    whole = parse_enclosed_model(text % ('"sqrt(2)"', '["1 - exp(-1)", "exp(-1)"]'))
    assert named.at(64) == whole.at(64)
    assert enclosed_indices(named) == enclosed_indices(whole)
    exact = parse_enclosed_model(text % ("2", '{"y": "1/2 + 1/4", "x": "sqrt(1/16)"}'))
    assert exact.arms[0].transitions == ((fmpq(1, 4), fmpq(3, 4)), (0, 1))
    wrong = text % ('"sqrt(2)"', '{"z": 1}')
    assert refusal(parse_enclosed_model, wrong) == "arm 1, state x: row: no state of the arm is called 'z'"


def test_enclosed_functions_default_to_15_digits():
    bandit = EnclosedBandit([EnclosedArm(rewards=["sqrt(2)"], transitions=[[1]])], "exp(-1/100)", [0])
    for compute in (enclosed_indices, enclosed_value, enclosed_optimistic_value):
        assert compute(bandit) == compute(bandit, digits=15)
        assert compute(bandit) not in (compute(bandit, digits=14), compute(bandit, digits=16))


def test_largest_change_matches_hand_computation():
    # state 0 pays 1 for ever, state 1 pays 0 and leads there with probability 1/2 +/- 1/10; beta = 1/2. The indices are
    # 1 and 1/3, and from state 1 the paying state is left never: (2/3) (1/10) beta/(1 - beta)^2 = 2/15
    arms = '[{"rewards": [1, 0], "transitions": [[1, 0], ["1/2 +/- 1/10", "1/2 +/- 1/10"]]}]'
    box = parse_enclosed_model('{"discount": "1/2", "arms": ' + arms + "}").at(64)
    member = theory.Bandit([theory.Arm(rewards=[1, 0], transitions=[[1, 0], ["1/2", "1/2"]])], "1/2")
    found = largest_change(box, member, ((0, 0), (0, 1)))
    assert fmpq(2, 15) <= found <= fmpq(2, 15) * (1 + fmpq(1, 2**60))
