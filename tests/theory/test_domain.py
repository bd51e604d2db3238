"""Refusals of arguments outside a function's domain, and their messages."""

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import pytest
from flint import fmpq

import theory
import theory.certified
from theory.gittins import gittins_indices
from theory.model import Arm, Bandit
from theory.optimism import best_row, distance, largest_expectation, shared_supremum, vertices
from theory.paper import BestArmPrior, log_term, ucbvi_bonus
from theory.parametric import parametric_bandit, parametric_indices


@pytest.mark.parametrize("value", [0, "0", "0.99", Fraction(1, 3), fmpq(10**30 - 1, 10**30)])
def test_exact_discount_accepts_0_to_below_1(value):
    assert 0 <= theory.exact_discount(value) < 1


ARM = Arm(rewards=[1], transitions=[[1]])
TAKING_A_DISCOUNT = [
    theory.exact_discount, lambda beta: Bandit([ARM], beta), lambda beta: gittins_indices(ARM, beta),
    lambda beta: theory.gittins_index(ARM, beta, 0),
    lambda beta: theory.certified.horizon_moment(1, beta), lambda beta: ucbvi_bonus(1, 1, 1, 1, 0, beta),
    lambda beta: log_term(1, 1, 2, beta), lambda beta: BestArmPrior(1, 1, beta, 0, 1),
]  # fmt: skip


@pytest.mark.parametrize("taking", TAKING_A_DISCOUNT)
def test_every_function_refuses_a_float_discount_and_one_outside_0_to_1(taking):
    for value in (1, "-1/10", 2, "1.0000000000000000000001"):
        with pytest.raises(theory.ModelError, match=r"^discount: .* is outside 0 <= discount < 1$"):
            taking(value)
    with pytest.raises(theory.NumberError, match=r"^discount: 0\.9 is a float"):
        taking(0.9)


@pytest.mark.parametrize("count", [0, -1, True, 1.0, "1", None])
def test_check_counts_refuses_other_than_positive_integers(count):
    with pytest.raises(theory.ModelError, match=r"^K: .* is not an integer of at least 1$"):
        theory.check_counts(K=count)
    theory.check_counts(0, N=0)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: theory.check_probability([fmpq(-1, 2), fmpq(3, 2)]), "row has the negative probability -1/2"),
        (lambda: theory.check_probability([fmpq(1, 2)], "row of A1"), "row of A1 sums to 1/2, not 1"),
        (lambda: theory.check_probability([fmpq(3, 2)], may_be_less=True), "row sums to 3/2, not at most 1"),
        (lambda: theory.certified.binomial_law(-1, fmpq(1, 2)), "trials: -1 is not an integer of at least 0"),
        (lambda: theory.certified.binomial_law(1, fmpq(3, 2)), "has the negative probability -1/2"),
    ],
)
def test_check_probability_and_binomial_law_refuse_wrong_rows(refused, message):
    with pytest.raises(theory.ModelError, match=message):
        refused()


TWO = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]])
BOTH = Bandit([TWO, ARM], "1/2", [0, 0])
FOR_ALL = parametric_indices(Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], [0, 1]]))
KNOWN_ARMS = Arm(rewards=[0, 1], transitions=[[0, 1]] * 2), Arm(rewards=["1/2"], transitions=[[1]])
KNOWN = parametric_bandit(Bandit(KNOWN_ARMS, 0))


def nothing(state):
    return 0


@pytest.mark.parametrize(
    ("taking", "answer"),
    [
        (lambda h: theory.gittins.continuation_set(TWO, h, 1), frozenset({0})),
        (lambda h: theory.gittins.continuation_set(TWO, "1/2", h), frozenset({0})),
        (lambda h: theory.gittins.stopping_process(TWO, h, h).solve().values[0], fmpq(3, 2)),
        (lambda h: theory.gittins.restart_process(TWO, h, 0).solve().values[0], 2),
        (lambda h: theory.gittins.refutation(TWO, h, [1, 0]), None),
        (lambda h: theory.gittins.values_with_retirement(theory.stopped_chain(TWO, h, [0]), h, h), (fmpq(3, 2), fmpq(1, 2))),
        (lambda h: theory.stopped_chain(TWO, h, [0]).time, (fmpq(4, 3), 0)),
        (lambda h: theory.expectation([h, h], [h, 1]), fmpq(3, 4)),
        (lambda h: best_row([h, h], h, [0, h]), (fmpq(1, 4), fmpq(3, 4))),
        (lambda h: largest_expectation([h, h], h, [0, h]), fmpq(3, 8)),
        (lambda h: distance([h, h], [1, 0]), 1),
        (lambda h: vertices([h, h], h), [(fmpq(1, 4), fmpq(3, 4)), (fmpq(3, 4), fmpq(1, 4))]),
        (lambda h: shared_supremum(BOTH, tolerance=h).lower, 2),
        (lambda h: theory.values.retirement_function(TWO, h, 0)(h), fmpq(3, 2)),
        (lambda h: theory.values.retirement_function(TWO, h, 0).slope(h), fmpq(1, 3)),
        (lambda h: theory.values.extreme_functions(TWO, h)[0], (0, 2)),
        (lambda h: FOR_ALL.piece_at(h).order, (1, 0)),
        (FOR_ALL.pieces[0].indices[0], fmpq(1, 3)),
        (lambda h: theory.certified.binomial_law(1, h), (fmpq(1, 2), fmpq(1, 2))),
        (lambda h: theory.certified.binomial_deviation(1, h, h), 1),
        (lambda h: theory.certified.multinomial_deviation(1, [h, h], h), 1),
        (lambda h: theory.certified.transition_count_law([[h, h], [0, 1]], [1, 0], [1])[(0, 1), (0, 0)], fmpq(1, 2)),
        (lambda h: theory.certified.geometric_probability([2], h), fmpq(1, 4)),
        (lambda h: theory.check_probability([h, h]), (fmpq(1, 2), fmpq(1, 2))),
    ],
)  # fmt: skip
def test_functions_accept_every_exact_number_type_and_refuse_floats(taking, answer):
    for half in (Fraction(1, 2), fmpq(1, 2), Decimal("0.5"), "0.5"):
        assert taking(half) == answer, type(half)
    with pytest.raises(theory.NumberError, match=r"0\.5 is a float"):
        taking(0.5)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: vertices(["1/2", "1/2"], -1), "radius: -1 is negative"),
        (lambda: vertices(["1/2", "1/3"], 1), "estimate sums to 5/6, not 1"),
        (lambda: best_row([1, 0], "-1/9", [0, 1]), "radius: -1/9 is negative"),
        (lambda: best_row([1, 0], 1, [0, 1, 2]), "3 values for 2 next states"),
        (lambda: largest_expectation([1, 0], 1, [0]), "1 values for 2 next states"),
        (lambda: distance([1, 0], [1]), "rows of 2 and of 1 entries have no distance"),
        (lambda: theory.expectation([1, 0], [1]), "2 probabilities for 1 values"),
        (lambda: theory.stopped_chain(TWO, 1, [0]), "discount: 1 is outside"),
        (lambda: theory.stopped_chain(TWO, 0, [2]), r"continue_in: index 2 is outside 0\.\.1"),
        (lambda: theory.gittins.continuation_set(TWO, -1, 0), "discount: -1 is outside"),
        (lambda: theory.gittins.stopping_process(BOTH, 0, 0), "an Arm is wanted and this is a Bandit"),
        (lambda: theory.gittins.restart_process(TWO, 0, -1), r"home: index -1 is outside 0\.\.1"),
        (lambda: theory.gittins.refutation(TWO, 2, [1, 0]), "discount: 2 is outside"),
        (lambda: theory.gittins_index(TWO, 0, 2), r"state: index 2 is outside 0\.\.1"),
        (lambda: theory.values.retirement_function(TWO, "1/2", -1), r"state: index -1 is outside 0\.\.1"),
        (lambda: theory.values.retirement_function(TWO, "3/2", 0), "discount: 3/2 is outside"),
        (lambda: theory.values.extreme_functions(BOTH, "1/2"), "an Arm is wanted and this is a Bandit"),
        (lambda: theory.values.retirement_mixture(TWO, 0, [0]), "a Bandit is wanted and this is an Arm"),
        (lambda: theory.gittins_value(SimpleNamespace(bandit=BOTH)), "a Bandit is wanted, .*: give its .bandit"),
        (lambda: theory.values.value_by_retirement(TWO), "a Bandit is wanted and this is an Arm"),
        (lambda: theory.values.geometric_mixture(BOTH, nothing, -1), "longest: -1 is not an integer of at least 0"),
        (lambda: theory.values.geometric_mixture(TWO, nothing, 1), "a Bandit is wanted and this is an Arm"),
        (lambda: theory.values.finite_horizon_value(BOTH, nothing, -1), "steps: -1 is not an integer of at least 0"),
        (lambda: theory.optimism.optimistic_value(TWO), "a Bandit is wanted and this is an Arm"),
        (lambda: theory.optimism.shared_supremum(TWO), "a Bandit is wanted and this is an Arm"),
        (lambda: shared_supremum(BOTH, tolerance=-1), "tolerance: -1 is negative"),
        (lambda: shared_supremum(BOTH, largest=0), "largest: 0 is not an integer of at least 1"),
        (lambda: FOR_ALL.piece_at(2), "discount: 2 is outside 0 <= discount <= 1"),
        (lambda: FOR_ALL.piece_at("-1/9"), "discount: -1/9 is outside 0 <= discount <= 1"),
        (lambda: FOR_ALL.ties_at(99), "breakpoint: index 99 is one of none"),
        (lambda: KNOWN.ties_at(99), r"breakpoint: index 99 is outside 0\.\.0"),
        (lambda: KNOWN.arms[0].ties_at(-1), "breakpoint: index -1 is one of none"),
        (lambda: KNOWN.played((0, 1)), r"initial, arm 2: index 1 is outside 0\.\.0"),
        (lambda: theory.certified.binomial_deviation(0, "1/2", 0), "trials: 0 is not an integer of at least 1"),
    ],
)
def test_functions_refuse_arguments_outside_their_domain(refused, message):
    with pytest.raises(theory.ModelError, match=message):
        refused()


def test_check_probability_accepts_smaller_sums_on_request():
    theory.check_probability([fmpq(0)], may_be_less=True)
    theory.check_probability([fmpq(1, 3), fmpq(2, 3)])
