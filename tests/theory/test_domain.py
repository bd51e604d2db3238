"""What is refused, and in which words."""

from fractions import Fraction

import pytest
from flint import fmpq

from theory import ModelError, NumberError, check_counts, check_probability, exact_discount
from theory.certified import binomial_law, episodic_exit, horizon_moment, max_moment_bound
from theory.gittins import gittins_indices
from theory.model import Arm, Bandit
from theory.paper import BestArmPrior, ucbvi_bonus
from theory.paper.regret import log_term


@pytest.mark.parametrize("value", [0, "0", "0.99", Fraction(1, 3), fmpq(10**30 - 1, 10**30)])
def test_discounts_in_their_range(value):
    assert 0 <= exact_discount(value) < 1


ARM = Arm(rewards=[1], transitions=[[1]])
TAKING_A_DISCOUNT = [
    exact_discount,
    lambda beta: Bandit([ARM], beta),
    lambda beta: gittins_indices(ARM, beta),
    lambda beta: horizon_moment(1, beta),
    lambda beta: ucbvi_bonus(1, 1, 1, 1, 0, beta),
    lambda beta: log_term(1, 1, 2, beta),
    lambda beta: BestArmPrior(1, 1, beta, 0, 1),
]


@pytest.mark.parametrize("taking", TAKING_A_DISCOUNT)
@pytest.mark.parametrize("value", [1, "-1/10", 2, "1.0000000000000000000001"])
def test_a_discount_outside_its_range_is_refused_alike_everywhere(taking, value):
    with pytest.raises(ModelError, match=r"^discount: .* is outside 0 <= discount < 1$"):
        taking(value)


@pytest.mark.parametrize("taking", TAKING_A_DISCOUNT)
def test_a_discount_that_is_not_exact_is_refused_alike_everywhere(taking):
    with pytest.raises(NumberError, match=r"^discount: 0\.9 is a float"):
        taking(0.9)


@pytest.mark.parametrize("count", [0, -1, True, 1.0, "1", None])
def test_counts_are_integers(count):
    with pytest.raises(ModelError, match=r"^K: .* is not an integer of at least 1$"):
        check_counts(K=count)
    check_counts(0, N=0)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: check_probability([fmpq(-1, 2), fmpq(3, 2)]), "row has the negative probability -1/2"),
        (lambda: check_probability([fmpq(1, 2)], "row of A1"), "row of A1 sums to 1/2, not 1"),
        (lambda: check_probability([fmpq(3, 2)], may_be_less=True), "row sums to 3/2, not at most 1"),
        (lambda: binomial_law(-1, fmpq(1, 2)), "trials: -1 is not an integer of at least 0"),
        (lambda: binomial_law(1, fmpq(3, 2)), "has the negative probability -1/2"),
        (lambda: episodic_exit(fmpq(1), fmpq(1), 1, lambda n, k: True, 1), "discount: 1 is outside"),
        (lambda: max_moment_bound(1, "1/2", 0), "alpha: 1/2 is below 1"),
    ],
)
def test_refusals(refused, message):
    with pytest.raises(ModelError, match=message):
        refused()


def test_rows_of_sum_below_one_only_where_asked_for():
    check_probability([fmpq(0)], may_be_less=True)
    check_probability([fmpq(1, 3), fmpq(2, 3)])
