"""Indices of real rewards for all discounts: closed forms, mpmath on a grid, the exact route, and what is undecided."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from flint import fmpq, fmpz_poly
from hypothesis import given
from mpmath import mpf, sqrt, workdps

from proofs_checks.trials.strategies import arms
from tests.refusals import refusal
from tests.theory.mpmath_oracle import arm_by_mpmath
from tests.theory.test_commands import refused, two_arm_model
from theory import gittins_indices, parametric_indices
from theory.enclosures import EnclosedArm, EnclosedBandit
from theory.enclosures.ranges import UndecidedError
from theory.parametric import RealRoot, certify, parametric_bandit, refutation
from theory.parametric.real import UNIT, Combination, RealNumber, real_arms, roots_of

HALF = fmpq(1, 2)


def arm_of(moves, rewards):
    """An arm from ``{state: {next state: probability}}``; states that are not named stay where they are."""
    return EnclosedArm(rewards=rewards, transitions=[moves.get(x, {x: 1}) for x in range(len(rewards))])


# indices r b^2, r b and r with r = sqrt(2), beside sqrt(3)/2 and 1/2
WAITS = arm_of({0: {1: 1}, 1: {2: 1}}, [0, 0, "sqrt(2)", "sqrt(3)/2", "1/2"])
MIXED_DATA = {
    "rewards": ["sqrt(7) - 2*log(3)", "exp(-1)", "-pi/9", "log(2)/2 + 1/5", "1/3"],
    "transitions": [
        ["1/3", "1/3", 0, "1/3", 0],
        [0, "1/5", "4/5", 0, 0],
        [0, 0, "1/7", 0, "6/7"],
        ["1/2", 0, "1/2", 0, 0],
        [0, "2/3", 0, "1/3", 0],
    ],
}
MIXED, NEAR_MIXED = EnclosedArm(**MIXED_DATA), arm_by_mpmath(MIXED_DATA, 100)
# no number of bits shows that u pays -1/8, so that its index touches b^2 at 1/2
TOUCHING = arm_of({0: {1: 1}, 1: {2: 1}, 3: {2: HALF, 4: HALF}}, [0, 0, 1, "-sqrt(2)*sqrt(2)/16", -1])


def test_breakpoints_of_real_rewards_enclose_closed_forms():
    found = parametric_indices(WAITS)
    with workdps(80):
        half, third = 1 / (2 * sqrt(2)), sqrt(3) / (2 * sqrt(2))
        for point, value in zip(found.breakpoints, [half, sqrt(half), third, sqrt(third)], strict=True):
            low, high = (mpf(int(end.p)) / int(end.q) for end in point.decimal_interval(60))
            assert low < value < high
            assert high - low < mpf(10) ** -59
    assert ["".join(map(str, piece.order)) for piece in found.pieces] == ["23410", "23140", "23104", "21304", "21034"]
    assert [found.ties_at(k) for k in range(4)] == [[[4, 1]], [[4, 0]], [[3, 1]], [[3, 0]]]
    assert refutation(found) is None


def test_real_index_functions_match_exact_indices_of_mpmaths_rewards():
    found = parametric_indices(MIXED)
    for discount in [fmpq(k, 23) for k in range(1, 23)]:
        values = gittins_indices(NEAR_MIXED, discount)
        piece = found.piece_at(discount)
        for index, value in zip(piece.indices, values, strict=True):
            known = index(discount).enclosure(256)
            assert abs(known.low - value) < fmpq(1, 10**60)
            assert known.width < fmpq(1, 10**70)
        assert all(values[x] >= values[y] for x, y in pairwise(piece.order))


@given(arm=arms(low=-1))
def test_real_route_equals_exact_route_on_rational_models(arm):
    exact, real = parametric_indices(arm), parametric_indices(EnclosedArm.of(arm))
    assert real.breakpoints == exact.breakpoints
    for one, other in zip(exact.pieces, real.pieces, strict=True):
        assert one.order == other.order
        for index, function in zip(one.indices, other.indices, strict=True):
            assert isinstance(function.numerator, Combination)
            assert (index.numerator, index.denominator) == (function.numerator.parts[0], function.denominator)


def test_certificate_refutes_a_wrong_order_of_real_indices():
    found = parametric_indices(WAITS)
    swapped = replace(found.pieces[0], order=(3, 2, 4, 1, 0))
    assert "the indices of state 4 and state 3" in refutation(replace(found, pieces=(swapped, *found.pieces[1:])))
    other = replace(found.pieces[0], indices=(found.pieces[0].indices[1], *found.pieces[0].indices[1:]))
    assert "the index of state 1" in refutation(replace(found, pieces=(other, *found.pieces[1:])))


def test_rational_crossing_of_real_indices_is_enclosed():
    found = parametric_indices(arm_of({0: {1: 1}}, [0, "sqrt(8)", "sqrt(2)"]))
    (point,) = found.breakpoints
    assert isinstance(point, RealRoot)
    assert point.is_decided
    assert point.low < HALF < point.high
    assert [piece.order for piece in found.pieces] == [(1, 2, 0), (1, 0, 2)]


def test_touching_real_indices_are_undecided():
    found = parametric_indices(TOUCHING)
    point = found.breakpoints[0]
    assert not point.is_decided
    assert point.low < HALF < point.high
    assert point.high - point.low < fmpq(1, 10**30)
    assert found.ties_at(0) == [[0, 3]]
    with pytest.raises(UndecidedError, match=r"indices cross at the discount 0\.5000"):
        point.narrow()


def test_root_at_a_bisection_point_is_enclosed_or_undecided():
    # b - 4/7, and (b - 1/5)(b - 4/7); that sqrt(2)*sqrt(2) is 2 is not known
    (point,) = parametric_indices(arm_of({0: {1: 1}}, [0, 1, "sqrt(2)*sqrt(2)*2/7"])).breakpoints
    assert point.is_decided
    assert point.decimal(8) == "0.57142857"
    numbers = real_arms([arm_of({}, ["sqrt(2)*sqrt(2)"])])[0].numbers
    first, second = roots_of(Combination(numbers, [fmpz_poly([0, -27, 35]), fmpz_poly([2])]))
    assert (first.is_decided, second.is_decided) == (True, False)
    assert second.low < fmpq(4, 7) < second.high
    assert second.high - second.low < fmpq(1, 10**30)


def test_possibly_equal_real_numbers_raise_undecided_error():
    touching = RealNumber((UNIT, UNIT), [fmpq(1), fmpq(-1)])  # ends that are 0 decide nothing
    for compare in (touching.sign, lambda: parametric_indices(arm_of({}, ["log(4)", "2*log(2)"]))):
        with pytest.raises(UndecidedError, match="write them in the same way"):
            compare()
    # written in the same way they tie for all discounts
    assert len(parametric_indices(arm_of({}, ["log(2)", "2*log(2) - log(2)", "log(2)*(1/2 + 1/2)"])).pieces) == 1


def test_parametric_bandit_orders_real_arms_that_cross():
    bandit = EnclosedBandit([WAITS, arm_of({}, ["sqrt(3)/2"])], "1/2", [0, 0])
    found = parametric_bandit(bandit)
    assert certify(found) > 4
    assert [(low.decimal(6), arm) for low, _, arm in found.played((0, 0))] == [("0", 1), ("0.782542", 0)]


def test_real_roots_are_isolated_one_by_one():
    numbers = real_arms([arm_of({}, ["sqrt(2)"])])[0].numbers
    # (b - r/2)(b - r/2 - 1/10^9)(b - 1/3) in powers of r = sqrt(2), with r^2 = 2: the rational root is exact
    near = fmpq(1, 10**9)
    one = [HALF, near, fmpq(1)]  # b^2 - (r + near) b + 1/2 + r near / 2
    scale = 2 * 10**9
    rational = fmpz_poly([int((scale * one[0]).p), int((-scale * near).p), scale])
    real = fmpz_poly([int((scale * near / 2).p), -scale])
    roots = roots_of(Combination(numbers, [rational, real]) * fmpz_poly([-1, 3]))
    assert [root.decimal(12) for root in roots] == ["0.333333333333", "0.707106781187", "0.707106782187"]


def test_roots_on_both_sides_of_a_bisection_point_differ():
    # (b - r/4)(b - 5r/8): below and above 4/7
    numbers = real_arms([arm_of({}, ["sqrt(2)"])])[0].numbers
    low, high = roots_of(Combination(numbers, [fmpz_poly([5, 0, 16]), fmpz_poly([0, -14])]))
    assert low != high
    assert (low.decimal(6), high.decimal(6)) == ("0.353553", "0.883883")


@pytest.mark.parametrize(
    ("rewards", "row", "words"),
    [
        (["sqrt(2)", 0], ["exp(-1)", "1 - exp(-1)"], "indices for all discounts need rational rows"),
        (["0.3 +/- 0.1", 0], [HALF, HALF], "a reward is only known up to an interval"),
    ],
)
def test_parametric_indices_refuse_real_rows_and_wide_rewards(rewards, row, words):
    assert refusal(parametric_indices, EnclosedArm(rewards=rewards, transitions=[row, [0, 1]])).startswith(words)


def test_parametric_command_refuses_undecided_rewards():
    text = two_arm_model(transitions=[[1, 0], [0, 1]], rewards=["log(4)", "2*log(2)"])
    assert "undecided" in refused("parametric", "-", stdin=text)
