"""Lengths of episodes: against enumeration, mpmath, and values worked out by hand."""

from fractions import Fraction
from itertools import pairwise, product

import flint
import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from theory.certified import exponential_power, horizon_moment, horizon_power, horizon_tail

DISCOUNTS = st.fractions(0, Fraction(99, 100), max_denominator=100)
POWERS = st.fractions(1, Fraction(5, 2), max_denominator=12)


def test_horizon_tail_matches_enumeration_of_two_episodes():
    beta = Fraction(2, 5)
    for m in range(1, 6):
        short = sum((1 - beta) ** 2 * beta ** (first + second - 2) for first, second in product(range(1, m), repeat=2))
        assert horizon_tail(m, beta, K=2) == fmpq((1 - short).numerator, (1 - short).denominator)


@pytest.mark.parametrize(
    ("power", "K", "beta", "expected"),
    [
        (0, 3, "1/2", "1"), (1, 1, "4/5", "5"), (2, 1, "1/2", "6"),
        (2, 1, "4/5", "45"),  # (1+beta)/(1-beta)^2
        (3, 1, "1/2", "26"),  # (1+4 beta+beta^2)/(1-beta)^3
        (1, 2, "1/2", "8/3"),  # (1+2 beta)/(1-beta^2)
        (2, 7, 0, "1"),
    ],
)  # fmt: skip
def test_horizon_moment_matches_hand_computation(power, K, beta, expected):
    assert str(horizon_moment(power, beta, K)) == expected


def sum_over_lengths(power, beta, K, longest):
    """The sum over lengths m up to `longest` of (m^power - (m-1)^power) P(the longest of K episodes is m or more)."""
    b = mpmath.mpf(beta.numerator) / beta.denominator
    powers = [mpmath.mpf(m) ** power for m in range(longest + 1)]
    tails = (1 - (1 - b ** (m - 1)) ** K for m in range(1, longest + 1))
    return mpmath.fsum((above - below) * tail for (below, above), tail in zip(pairwise(powers), tails, strict=True))


@given(st.integers(1, 4), st.integers(1, 6), DISCOUNTS)
def test_horizon_moment_matches_the_sum_over_lengths(power, K, beta):
    n = 400
    with mpmath.workdps(40):
        b = mpmath.mpf(beta.numerator) / beta.denominator
        value = horizon_moment(power, beta, K)
        exact = mpmath.mpf(int(value.p)) / int(value.q)
        rest = K * power * mpmath.mpf(n + 1) ** power * b**n / (1 - b) ** (power + 1)
        left_out = exact - sum_over_lengths(power, beta, K, n)
        assert -(mpmath.mpf(10) ** -30) * exact <= left_out <= rest * 24 + mpmath.mpf(10) ** -30 * exact


@given(POWERS, st.fractions(0, Fraction(9, 10), max_denominator=100), st.integers(1, 8))
def test_horizon_power_matches_the_sum_over_lengths(alpha, beta, K):
    ball = horizon_power(alpha, beta, K)
    assert ball.rel_accuracy_bits() > 30
    with mpmath.workdps(30):  # what comes after 800 is below 1e-25
        summed = sum_over_lengths(mpmath.mpf(alpha.numerator) / alpha.denominator, beta, K, 800)
        assert ball.overlaps(arb(mpmath.nstr(summed, 25), 1e-17))


@pytest.mark.parametrize("K", [1, 3, 30])
def test_horizon_power_contains_the_exact_moment(K):
    for power in (1, 2, 3):
        assert horizon_power(power, "9/10", K).contains(horizon_moment(power, "9/10", K))


@pytest.mark.parametrize("beta", ["9/10", "1/2", "1/100"])
@pytest.mark.parametrize("K", [1, 60, 300])
def test_cancelling_sums_reach_the_working_precision(K, beta):
    for precision in (20, 53, 200):
        with flint.ctx.workprec(precision):
            assert horizon_power("3/2", beta, K).rel_accuracy_bits() >= precision - 3
            assert exponential_power("3/2", K).rel_accuracy_bits() >= precision - 3
            assert horizon_power("3/2", beta, K).bits() <= precision
            assert exponential_power("3/2", K).bits() <= precision


@pytest.mark.parametrize(("alpha", "K"), [(1.0, 1), (1.5, 2), (2.5, 5)])
def test_exponential_power_matches_quadrature(alpha, K):
    with mpmath.workdps(25):
        a = mpmath.mpf(alpha)
        expected = mpmath.quad(lambda t: a * t ** (a - 1) * (1 - (1 - mpmath.exp(-t)) ** K), [0, 1, 3, 9, 30, 100, 200])
        ball = exponential_power(Fraction(alpha), K)
        assert abs(mpmath.mpf(ball.mid().str(25, radius=False)) - expected) < mpmath.mpf(10) ** -12


@given(POWERS, DISCOUNTS, st.integers(1, 12))
def test_horizon_power_is_at_most_exponential_power(alpha, beta, K):
    scale = (1 - arb(fmpq(beta.numerator, beta.denominator))) ** arb(fmpq(alpha.numerator, alpha.denominator))
    assert not horizon_power(alpha, beta, K) * scale > exponential_power(alpha, K)  # equal where alpha = 1 and K = 1
