"""Radii, bonuses and bounds against mpmath; comparisons and enclosures that raise their precision."""

from __future__ import annotations

import flint
import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.trials.strategies import discounts
from theory.certified import Truth, at_most, enclosure, less
from theory.paper import (
    horizon_bound,
    last_log_factor,
    leading_function,
    log_factor,
    log_term,
    reward_radius,
    tau,
    theorem_side,
    transition_radius,
    trivial_bound,
    ucbvi_bonus,
)

counts, sizes = st.integers(1, 2000), st.integers(1, 300)


def contains(ball, value):
    """Whether the ball, which is narrow, contains the independent value, which mpmath gives to 60 digits."""
    return ball.overlaps(arb(mpmath.nstr(value, 50), 1e-45)) and ball.rel_accuracy_bits() > 35


@given(S=counts, n=counts, K=counts, t=counts, N=st.integers(0, 2000), beta=discounts())
def test_radii_and_bonus_of_the_main_text_match_mpmath(S, n, K, t, N, beta):
    with mpmath.workdps(60):
        b = mpmath.mpf(int(beta.p)) / int(beta.q)
        reward = mpmath.sqrt(mpmath.log(2 * S * n * K * t) / (2 * max(1, N)))
        row = mpmath.sqrt(2 * (mpmath.log(S * n * K * t) + S * mpmath.log(2)) / max(1, N))
        assert contains(reward_radius(S, n, K, t, N), reward)
        assert contains(transition_radius(S, n, K, t, N), row)
        assert contains(ucbvi_bonus(S, n, K, t, N, beta), reward / (1 - b))


@given(S=counts, n=counts, K=st.integers(2, 2000), k=st.integers(2, 2000), beta=discounts())
def test_factors_of_the_appendix_match_mpmath(S, n, K, k, beta):
    with mpmath.workdps(60):
        b = mpmath.mpf(int(beta.p)) / int(beta.q)
        bound = mpmath.log(K * (k - 1)) / (1 - b)
        assert contains(horizon_bound(K, k, beta), bound)
        assert contains(tau(K, k, beta), (k - 1) * bound)
        assert contains(log_factor(S, n, K, k, beta), mpmath.sqrt(2 * mpmath.log(2 * S * n * K * (k - 1) * bound)))
        last = mpmath.sqrt(2 * mpmath.log(4 * S * n * K**2 * mpmath.log(K) / (1 - b)))
        assert contains(last_log_factor(S, n, K, beta), last)


@given(S=sizes, n=sizes, K=st.integers(2, 10**6), beta=discounts())
def test_right_hand_sides_of_theorem_1_match_mpmath(S, n, K, beta):
    with mpmath.workdps(60):
        kept = 1 - mpmath.mpf(int(beta.p)) / int(beta.q)
        z = mpmath.log(K) / kept
        f, y = S * n * z**2 + mpmath.sqrt(S * n * K) * z**1.5, mpmath.log(S * n * K * z)
        assert contains(leading_function(S, n, K, beta), f)
        assert contains(log_term(S, n, K, beta), y)
        assert contains(theorem_side(S, n, K, beta), (mpmath.sqrt(S) + y) * f)
        assert contains(theorem_side(S, n, K, beta, order=2), mpmath.sqrt(S) / kept * y * f)
    assert trivial_bound(K, beta) * (1 - beta) == K
    assert leading_function(S, n, 1, beta) == 0  # log 1


def test_comparison_doubles_precision_until_decided():
    tried, before = [], flint.ctx.prec

    def root_squared(difference=0):
        tried.append(flint.ctx.prec)
        return arb(2).sqrt() ** 2 + arb(difference)

    for compare in (less, at_most):
        tried.clear()
        assert compare(root_squared, lambda: arb(2)) is Truth.UNDECIDED
        assert tried == [64, 128, 256, 512, 1024, 2048, 4096]
        tried.clear()
        assert compare(root_squared, lambda: arb(2), largest_precision=255) is Truth.UNDECIDED
        assert tried == [64, 128]
        tried.clear()
        assert compare(lambda: root_squared(fmpq(1, 10**60)), lambda: arb(2)) is Truth.NO
        assert tried == [64, 128, 256]  # 10^-60 is about 2^-199
        assert flint.ctx.prec == before


def test_comparison_decides_equal_exact_numbers():
    assert less(lambda: arb(2), lambda: arb(2)) is Truth.NO
    assert at_most(lambda: arb(2), lambda: arb(2)) is Truth.YES


def test_truth_has_three_answers_and_no_bool():
    with pytest.raises(TypeError, match="three answers"):
        bool(less(lambda: arb(1), lambda: arb(2)))
    assert Truth.YES.both(Truth.YES) is Truth.YES
    assert Truth.YES.both(Truth.UNDECIDED) is Truth.UNDECIDED
    assert Truth.UNDECIDED.both(Truth.NO) is Truth.NO


def test_enclosure_reaches_its_digits_or_raises():
    assert enclosure(lambda: arb(2).sqrt(), digits=100).rel_accuracy_bits() > 330
    assert 15 * 3.32 <= enclosure(lambda: arb(2).sqrt()).rel_accuracy_bits() < 128
    with pytest.raises(ArithmeticError, match="not known to 15 digits at 128 bits"):
        enclosure(lambda: arb(2).sqrt() ** 2 - 2, largest_precision=128)
