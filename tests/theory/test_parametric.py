"""Indices as functions of the discount: against other index methods, hand computation and SymPy."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
import sympy
from flint import fmpq, fmpz_poly
from hypothesis import example, given
from hypothesis import strategies as st

import theory
from proofs_checks.trials.strategies import arms
from tests.theory.test_commands import printed, refused, run
from theory import parametric
from theory.commands.parametric import _polynomial_text
from theory.parametric.algebraic import rational_between, roots_between_0_and_1
from theory.parametric.elimination import eliminate

HALF = fmpq(1, 2)
from_rational = parametric.AlgebraicNumber.from_rational


def arm_of(moves, rewards, names=()):
    """An arm from ``{state: {next state: probability}}``; states that are not named stay where they are."""
    size = len(rewards)
    rows = [[moves.get(x, {x: 1}).get(y, 0) for y in range(size)] for x in range(size)]
    return theory.Arm(rewards=rewards, transitions=rows, states=names)


def constant_arm(*rewards):
    """An arm whose states never move: every index is the reward, at any discount."""
    return arm_of({}, rewards)


# index of x: beta, as 1 comes for ever one step later; of z: 1/2
LATER = arm_of({0: {1: 1}}, [0, 1, "1/2"], ["x", "y", "z"])
# index of x: beta^2
TWO_STEPS = arm_of({0: {1: 1}, 1: {2: 1}}, [0, 0, 1, "1/2"], ["x", "w", "y", "z"])
# index of u: (-1/8 (1-b) + b/2) / (1 - b + b/2) = b^2 - (b - 1/2)^2 (1 - b) / (2 - b): it touches that of x at 1/2
TOUCHING = arm_of({0: {1: 1}, 1: {2: 1}, 3: {2: HALF, 4: HALF}}, [0, 0, 1, "-1/8", -1], ["x", "w", "y", "u", "end"])
# b^2 reaches 1/2 and 0.5000000000014 at their roots, which differ in the twelfth decimal
CLOSE = arm_of({0: {1: 1}, 1: {2: 1}}, [0, 0, 1, HALF, "0.5000000000014"], ["x", "w", "y", "z", "u"])
# i and j tie while m (index b) is worth less than their 1/2; then j, which leads to m, is worth more
ONE_SIDED = arm_of({0: {4: 1}, 1: {2: 1}, 2: {3: 1}}, [HALF, HALF, 0, 1, -1], ["i", "j", "m", "pays", "end"])


def breakpoints_of(found):
    return [(point.polynomial.coeffs(), point.decimal(6)) for point in found.breakpoints]


def names_in_order(found):
    return ["".join(found.arm.states[x] for x in piece.order) for piece in found.pieces]


def test_breakpoints_match_hand_computed_crossings():
    found = parametric.parametric_indices(LATER)
    assert breakpoints_of(found) == [([-1, 2], "0.5")]
    assert names_in_order(found) == ["yzx", "yxz"]
    assert found.ties_at(0) == [[2, 0]]
    assert found.indices_at("3/10") == (fmpq(3, 10), 1, HALF)
    assert [found.pieces.index(found.piece_at(fmpq(k, 4))) for k in range(5)] == [0, 0, 0, 1, 1]
    found = parametric.parametric_indices(TWO_STEPS)
    # w crosses z at b = 1/2, x at b^2 = 1/2
    assert breakpoints_of(found) == [([-1, 2], "0.5"), ([-1, 0, 2], "0.707107")]
    assert names_in_order(found) == ["yzwx", "ywzx", "ywxz"]


def test_touching_indices_give_a_breakpoint_without_a_new_order():
    found = parametric.parametric_indices(TOUCHING)
    assert ([-1, 2], "0.5") in breakpoints_of(found)
    at = breakpoints_of(found).index(([-1, 2], "0.5"))
    assert found.pieces[at].order == found.pieces[at + 1].order
    assert found.ties_at(at) == [[0, 3]]
    assert found.indices_at(HALF)[0] == found.indices_at(HALF)[3] == fmpq(1, 4)


def test_ties_on_one_side_are_listed_at_the_breakpoint():
    found = parametric.parametric_indices(ONE_SIDED)
    assert breakpoints_of(found) == [([-1, 2], "0.5")]
    below, above = found.pieces
    assert below.indices[0] == below.indices[1]
    assert above.indices[0] != above.indices[1]
    assert found.ties_at(0) == [[0, 1, 2]]


def test_limits_at_discounts_0_and_1_match_hand_computation():
    found = parametric.parametric_indices(TWO_STEPS)
    assert found.limits_at_0 == TWO_STEPS.rewards
    assert found.limits_at_1 == (1, 1, 1, HALF)
    # a periodic chain: from the state that pays, stop at once; from the other, both for ever, 1/2 a step
    assert parametric.parametric_indices(theory.Arm(rewards=[0, 1], transitions=[[0, 1], [1, 0]])).limits_at_1 == (
        HALF,
        1,
    )


@given(arm=arms(low=-1), discount=st.builds(lambda p, q: fmpq(p, p + q), st.integers(0, 40), st.integers(1, 40)))
@example(arm=ONE_SIDED, discount=HALF)
@example(arm=TOUCHING, discount=HALF)
@example(arm=LATER, discount=fmpq(9999, 10000))
@example(arm=theory.Arm(rewards=["1/2"] * 3, transitions=[["1/3"] * 3, [0, 0, 1], [1, 0, 0]]), discount=HALF)  # tied
def test_index_functions_match_indices_increase_and_pass_the_certificate(arm, discount):
    found = parametric.parametric_indices(arm)
    indices = found.indices_at(discount)
    assert indices == theory.gittins_indices(arm, discount, "definition")
    assert all(below <= index for below, index in zip(found.indices_at(discount / 2), indices, strict=True))
    assert parametric.refutation(found) is None


def test_certificate_refutes_wrong_pieces():
    found = parametric.parametric_indices(TWO_STEPS)
    first, second, third = found.pieces
    assert "nothing is said between" in parametric.refutation(replace(found, pieces=(first, third)))
    assert "do not reach" in parametric.refutation(replace(found, pieces=(first, second)))
    swapped = replace(first, order=(first.order[1], first.order[0], *first.order[2:]))
    assert "indices of state" in parametric.refutation(replace(found, pieces=(swapped, second, third)))
    other = replace(second, indices=(second.indices[1], *second.indices[1:]))
    assert "jumps at discount 0.5" in parametric.refutation(replace(found, pieces=(first, other, third)))
    everywhere = replace(first, high=third.high)
    assert parametric.refutation(replace(found, pieces=(everywhere,))) is not None
    index = tuple(eliminate(LATER, [0, 1, 2]).quotients[:1])
    shifted = tuple(replace(piece, indices=index * 4) for piece in found.pieces)
    assert "the index of state" in parametric.refutation(replace(found, pieces=shifted))


def test_certificate_refutes_a_wrong_order_of_all_arms():
    # the index b of the first arm passes the 1/2 of the second
    found = parametric.parametric_bandit(theory.Bandit([arm_of({0: {1: 1}}, [0, 1]), constant_arm(HALF)], HALF))
    below, above = found.pieces
    for pieces, why in (
        ((replace(below, order=above.order), above), r"at discount .* of a1s1 and a2s1 are \S+ and 1/2"),
        # in order at 1/2 too, but tied there
        ((replace(below, high=above.high),), "at discount 1/2 the indices of a2s1 and a1s1 are 1/2 and 1/2"),
    ):
        with pytest.raises(AssertionError, match=f"^{why}$"):
            parametric.certify(replace(found, pieces=pieces))
    found = parametric.parametric_bandit(theory.Bandit([constant_arm(HALF), TWO_STEPS], HALF))
    # 1/2 for the arm without breakpoints; on both sides of 1/2 and of the root of 1/2
    assert parametric.certify(found) == 5
    wrong = replace(found.arms[1], pieces=found.arms[1].pieces[:-1])
    with pytest.raises(AssertionError, match=r"^arm 2: the pieces do not reach from 0 to 1$"):
        parametric.certify(replace(found, arms=(found.arms[0], wrong)))


@pytest.mark.parametrize("arm", [LATER, TWO_STEPS, CLOSE, TOUCHING, ONE_SIDED])
def test_checked_discounts_lie_inside_the_piece(arm):
    for piece in parametric.parametric_indices(arm).pieces:
        discounts = list(map(from_rational, parametric.checked_discounts(piece)))
        assert all(piece.low < discount < piece.high for discount in discounts)
        assert len(discounts) == (piece.low != parametric.ZERO_POINT) + (piece.high != parametric.ONE_POINT)
    (whole,) = parametric.parametric_indices(constant_arm(0)).pieces
    assert list(parametric.checked_discounts(whole)) == [HALF]
    for high in (parametric.ZERO_POINT, whole.low):  # an empty piece has no discounts to check
        assert list(parametric.checked_discounts(replace(whole, low=parametric.ONE_POINT, high=high))) == []
        assert list(parametric.checked_discounts(replace(whole, high=high))) == []


@pytest.mark.parametrize(
    ("given", "lowest_terms"),
    [
        (([2], [4]), ([1], [2])),
        (([1], [-1, 1]), ([-1], [1, -1])),  # with a root at 1, and negative left of it
        (([0, 3, 3], [0, -6]), ([-1, -1], [2])),
        (([1], [0, -1]), ([-1], [0, 1])),  # with a root at 0
        (([0], [7]), ([], [1])),
        (([1], [3, -2]), ([1], [3, -2])),  # negative from 3/2 on
    ],
)
def test_quotient_is_reduced_with_positive_denominator(given, lowest_terms):
    found = parametric.RationalFunction.quotient(*map(fmpz_poly, given))
    assert (found.numerator.coeffs(), found.denominator.coeffs()) == lowest_terms


def test_played_merges_adjacent_pieces_with_the_same_arm():
    ends = pairwise(from_rational(fmpq(k, 8)) for k in range(9))
    orders = (((0, 0), (1, 0)), ((1, 0), (0, 0)))
    pieces = tuple(
        parametric.Piece(*ends, orders[arm], {}) for ends, arm in zip(ends, (0, 0, 1, 1, 1, 0, 0, 1), strict=True)
    )
    bandit = theory.Bandit([constant_arm(0)] * 2, HALF)
    runs = parametric.ParametricBandit(pieces, bandit, ()).played((0, 0))
    assert [(a.high * 8, b.high * 8, arm) for a, b, arm in runs] == [(0, 2, 0), (2, 5, 1), (5, 7, 0), (7, 8, 1)]


# --- algebraic numbers


def test_roots_of_a_polynomial_are_isolated_once_each():
    x = fmpz_poly([0, 1])
    polynomial = (2 * x * x - 1) ** 2 * (3 * x - 1) * (x - 2) * (x * x + 1) * x * (x - 1)
    roots = roots_between_0_and_1(polynomial)
    assert [root.decimal(5) for root in roots] == ["0.33333", "0.70711"]
    assert [root.polynomial.coeffs() for root in roots] == [[-1, 3], [-1, 0, 2]]
    assert [root.is_rational for root in roots] == [True, False]
    assert roots_between_0_and_1(x + 1) == ()


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=8).filter(any))
def test_roots_agree_with_sympy(coefficients):
    polynomial = fmpz_poly(coefficients)
    b = sympy.Symbol("b")
    by_sympy = sympy.Poly(list(reversed(coefficients)), b)
    expected = {root for root in by_sympy.real_roots() if 0 < root < 1} if by_sympy.degree() > 0 else set()
    found = roots_between_0_and_1(polynomial)
    assert len(found) == len(expected)
    assert all(one < other for one, other in pairwise(found))
    for root, reference in zip(found, sorted(expected), strict=True):
        low, high = root.decimal_interval(8)
        assert theory.sympy_rational(low) <= reference <= theory.sympy_rational(high)


def test_close_roots_are_separated():
    one, other = fmpq(1, 3), fmpq(1, 3) + fmpq(1, 10**40)
    roots = roots_between_0_and_1(fmpz_poly([-(one.p**2), 0, one.q**2]) * fmpz_poly([-(other.p**2), 0, other.q**2]))
    assert [root.low for root in roots] == [one, other]
    # sqrt(1/2) beside a rational number that is close to it
    near = from_rational(fmpq(7071067811865475244, 10**19))
    (root,) = roots_between_0_and_1(fmpz_poly([-1, 0, 2]))
    assert [near < root, root > near, root != near] == [True] * 3
    assert near < from_rational(rational_between(near, root)) < root


def test_algebraic_numbers_with_overlapping_intervals_are_compared():
    for is_below in (lambda one, other: one < other, lambda one, other: not other < one):
        # made again, because comparing narrows the intervals
        root_half = parametric.AlgebraicNumber(fmpz_poly([-1, 0, 2]), fmpq(7, 10), fmpq(3, 4))
        root_third = parametric.AlgebraicNumber(fmpz_poly([-1, 0, 3]), fmpq(1, 2), fmpq(29, 40))
        assert is_below(root_third, root_half)
    wide = parametric.AlgebraicNumber(fmpz_poly([-1, 0, 2]), fmpq(1, 2), fmpq(3, 4))
    assert wide < from_rational(fmpq(71, 100))
    assert wide == parametric.AlgebraicNumber(fmpz_poly([-1, 0, 2]), fmpq(7, 10), fmpq(71, 100))


def test_decimal_interval_of_a_root_excludes_0_and_1():
    # sqrt(2)/10^5 = 0.0000141..., and what is left of 1: (1 - b)^2 = 2/10^10
    (near_0,) = roots_between_0_and_1(fmpz_poly([-2, 0, 10**10]))
    assert near_0.decimal_interval(3) == (fmpq(1, 10**5), fmpq(2, 10**5))
    (near_1,) = roots_between_0_and_1(fmpz_poly([10**10 - 2, -2 * 10**10, 10**10]))
    assert near_1.decimal_interval(4) == (1 - fmpq(2, 10**5), 1 - fmpq(1, 10**5))
    (middle,) = roots_between_0_and_1(fmpz_poly([-1, 0, 2]))
    assert middle.decimal_interval(1) == (fmpq(7, 10), fmpq(8, 10))


def test_algebraic_number_equals_only_algebraic_numbers():
    (root,) = roots_between_0_and_1(fmpz_poly([-1, 0, 2]))
    (again,) = roots_between_0_and_1(fmpz_poly([2, 0, -4]))
    assert [root == again, root != again, root < again, root <= again] == [True, False, False, True]
    half = from_rational(HALF)
    assert [half == from_rational(HALF), half == HALF, half == 1] == [True, False, False]
    assert len({half, from_rational(HALF), root}) == 2
    for below in (parametric.ZERO_POINT, half):
        with pytest.raises(ValueError, match="is not below"):
            rational_between(half, below)


# --- the command


def test_parametric_command_refuses_a_large_model():
    large = theory.model_text(theory.Bandit([theory.Arm(rewards=[0] * 21, transitions=[{0: 1}] * 21)], HALF))
    assert "arm 1 has 21 states" in refused("parametric", "-", stdin=large)
    assert run("parametric", "-", "--largest", "21", stdin=large).returncode == 0


def test_command_prints_close_breakpoints_with_enough_digits():
    """beta^2 crosses the line beta - 1/4 + 10^-40 at 1/2 - 10^-20 and 1/2 + 10^-20, by hand."""
    tiny = fmpq(1, 10**40)
    line = theory.Arm(rewards=[tiny - fmpq(1, 4), tiny + fmpq(3, 4)], transitions=[[0, 1], [0, 1]], states=["a", "b"])
    square = theory.Arm(rewards=[0, 0, 1], transitions=[[0, 1, 0], [0, 0, 1], [0, 0, 1]], states=["x", "y", "z"])
    text = theory.model_text(theory.Bandit([line, square], 0))
    assert "0.49999999999999999999  0.50000000000000000001  z b y a x" in "\n".join(printed("parametric", stdin=text))
    later = theory.Arm(rewards=[0, 1], transitions=[[0, 1]] * 2)  # its index b passes that of the other arm near 1
    text = theory.model_text(theory.Bandit([later, constant_arm(1 - tiny)], 0))
    assert f" 0.{'9' * 40} " in "\n".join(printed("parametric", stdin=text))


def test_command_prints_coefficients_beyond_pythons_digit_limit():
    arm = theory.Arm(rewards=["1e-5000", 1, "1e-4999"], transitions=[["1/2", "1/2", 0], [0, 1, 0], [0, 0, 1]])
    text = theory.model_text(theory.Bandit([arm], HALF))
    assert max(map(len, run("parametric", "-", "--json", stdin=text).stdout.split())) > 5000
    assert "e-5000" in run("parametric", "-", stdin=text).stdout


@pytest.mark.parametrize(("denominator", "cut"), [(7 * 10**26, False), (7 * 10**27, True)])
def test_polynomials_beyond_60_characters_are_abbreviated(denominator, cut):
    numerator = 3 * 10**26 + 3
    text = f"-{numerator} + {denominator} b"  # has the root at which b comes to be worth the quotient
    assert len(text) == (61 if cut else 60)
    arm = arm_of({0: {1: 1}}, [0, 1, fmpq(numerator, denominator)], ["x", "y", "z"])
    lines = printed("parametric", stdin=theory.model_text(theory.Bandit([arm], HALF)))
    (line,) = (line for line in lines if "=" in line)
    assert (f"  {text[:28]}...{text[-28:]}  " if cut else f"  {text}  ") in line


@pytest.mark.parametrize(
    ("coefficients", "text"),
    [
        ([], "0"), ([1], "1"), ([-1], "-1"), ([0, 1], "b"), ([0, -1], "-b"), ([1, -1, 1, 2], "1 - b + b^2 + 2 b^3"),
        ([0, -2, -1], "-2 b - b^2"), ([-1, 1], "-1 + b"),
    ],
)  # fmt: skip
def test_polynomial_text_matches_the_expected_form(coefficients, text):
    assert _polynomial_text(fmpz_poly(coefficients)) == text
