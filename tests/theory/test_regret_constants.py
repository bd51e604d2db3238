from __future__ import annotations

from itertools import pairwise, product
from math import comb

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import example, given
from hypothesis import strategies as st

from proofs_checks.strategies import discounts
from tests.examples import examples
from theory import ModelError
from theory.paper import (
    Reading,
    best_constant,
    best_constant_beside_trivial,
    first_informative,
    harmonic,
    leading_function,
    log_term,
    maximum_moments,
    printed_reading,
    printed_ucbvi_reading,
    proof_decreases_from,
    proof_side,
    sharper_reading,
    sharper_ucbvi_reading,
    theorem_decreases_from,
    theorem_side,
    trivial_bound,
    ucbvi_front,
)
from theory.paper.regret_constants import for_large_arms, from_episodes, over_all_models, over_models, ratio

READINGS = (printed_reading(), sharper_reading(), printed_ucbvi_reading(), sharper_ucbvi_reading())
states, arms, episodes = st.integers(1, 300), st.integers(1, 300), st.integers(2, 10**6)


def contains(ball, value):
    """Whether the ball contains the independent value, which mpmath gives to 60 digits."""
    magnitude = max(1.0, abs(float(value)))
    return ball.overlaps(arb(mpmath.nstr(value, 50), 1e-40 * magnitude))


def real(beta):
    return mpmath.mpf(int(beta.p)) / int(beta.q)


def by_hand(name, S, n, K, beta, additive):
    """The bounds written out before any scaling, with mpmath."""
    x, D, s, log_k = 1 / (1 - real(beta)), S * n, mpmath.sqrt(S), mpmath.log(K)
    h1, h2 = mpmath.harmonic(K), mpmath.zeta(2) - mpmath.psi(1, K + 1)
    L = mpmath.sqrt(2 * mpmath.log(4 * D * K**2 * log_k * x))
    if name.startswith("merged"):
        m1, m2 = 1 + x * h1, 1 + 2 * x * h1 + x**2 * (h1**2 + h2)
        double_sum = D * m2 + 2 * mpmath.sqrt(D * K) * mpmath.sqrt(m1 * m2)
        front = 2 * L * (L + s) * x if "UCBVI" in name else 3 * (L + s)
        return additive * x + front * double_sum
    c, q = x - mpmath.mpf(1) / 2, h1**2 + h2
    of_one = D * (1 + c * h1) + 2 * mpmath.sqrt(D * K * x)
    of_gap = D * (c * h1 + c**2 * q) + 2 * mpmath.sqrt(D * K * x * c**2 * q)
    if "UCBVI" in name:
        return additive * x + L * (1 + x) / 2 * of_one + (1 + L * x / 2) * (L + 1.5 * s) / 2 * of_gap
    return additive * x + L * of_one + (L + 1.5 * s) * of_gap


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
@given(S=states, n=arms, K=episodes, beta=discounts())
@example(S=1, n=1, K=2, beta=fmpq(0))
@example(S=4, n=3, K=3000, beta=fmpq(99, 100))
def test_the_proofs_side_agrees_with_its_unscaled_formula(reading, S, n, K, beta):
    with mpmath.workdps(60):
        value = by_hand(reading.name, S, n, K, beta, int(reading.additive))
        found = proof_side(reading, S, n, K, beta)
        assert abs(found / arb(mpmath.nstr(value, 40)) - 1) < arb(fmpq(1, 10**12))


@given(S=states, n=arms, K=episodes, beta=discounts())
def test_the_theorems_side_agrees_with_mpmath(S, n, K, beta):
    with mpmath.workdps(60):
        z = mpmath.log(K) / (1 - real(beta))
        f = S * n * z**2 + mpmath.sqrt(S * n * K) * z**1.5
        y = mpmath.log(S * n * K * z)
        assert contains(leading_function(S, n, K, beta), f)
        assert contains(log_term(S, n, K, beta), y)
        assert contains(theorem_side(S, n, K, beta), (mpmath.sqrt(S) + y) * f)
        assert contains(theorem_side(S, n, K, beta, order=2), mpmath.sqrt(S) / (1 - real(beta)) * y * f)


@pytest.mark.parametrize("K", [1, 2, 64, 65, 66, 1000])
def test_harmonic_sums_by_summation(K):
    h = harmonic(K)
    assert h.first.overlaps(arb(sum((fmpq(1, j) for j in range(1, K + 1)), fmpq(0))))
    assert h.second.overlaps(arb(sum((fmpq(1, j * j) for j in range(1, K + 1)), fmpq(0))))
    assert h.first.rel_accuracy_bits() > 40


def test_harmonic_sums_of_huge_numbers_of_episodes():
    h = harmonic(10**40)
    with mpmath.workdps(60):
        assert contains(h.first, mpmath.log(mpmath.mpf(10) ** 40) + mpmath.euler)
    assert abs(h.second - arb.pi() ** 2 / 6) < arb(fmpq(1, 10**14))


def exact_moments(K, beta):
    """E max H and E (max H)^2 by inclusion and exclusion: the least of j geometric horizons is geometric."""
    first, second = fmpq(0), fmpq(0)
    for j in range(1, K + 1):
        mean = 1 / (1 - beta**j)
        sign = (-1) ** (j + 1) * comb(K, j)
        first += sign * mean
        second += sign * (2 * mean**2 - mean)
    return first, second


@given(K=st.integers(1, 12), beta=discounts())
@example(K=1, beta=fmpq(0))
def test_the_moments_bound_the_exact_ones(K, beta):
    first, second = exact_moments(K, beta)
    for sharper in (False, True):
        bounds = maximum_moments(K, beta, sharper)
        assert arb(first) <= bounds.first.upper()
        assert arb(second) <= bounds.second.upper()
        # E max H^(3/2) by log-convexity of moments is at most (E max H E max H^2)^(1/2)
        assert (arb(first) * arb(second)).sqrt().lower() <= bounds.three_halves.upper()
    assert maximum_moments(K, beta, True).second.lower() <= maximum_moments(K, beta).second.upper()


def test_the_bounds_are_sharp_as_the_mean_length_grows():
    beta = 1 - fmpq(1, 10**6)
    first, second = exact_moments(3, beta)
    bounds = maximum_moments(3, beta, sharper=True)
    assert bounds.first < arb(first) * (1 + arb(fmpq(1, 10**5)))
    assert bounds.second < arb(second) * (1 + arb(fmpq(1, 10**5)))


@given(K=st.integers(1, 10**9), beta=discounts())
def test_the_trivial_bound_is_exact(K, beta):
    assert trivial_bound(K, beta) * (1 - beta) == K


def test_one_episode_is_outside_where_a_logarithm_of_zero_is_printed():
    assert leading_function(3, 2, 1, "1/2") == 0
    for compute in (
        lambda: log_term(1, 1, 1, 0),
        lambda: theorem_side(1, 1, 1, 0),
        lambda: proof_side(printed_reading(), 1, 1, 1, 0),
    ):
        with pytest.raises(ModelError, match="K"):
            compute()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: leading_function(0, 1, 2, 0), "S"),
        (lambda: leading_function(1, True, 2, 0), "n"),
        (lambda: log_term(1, 1, 2, 1), "discount"),
        (lambda: trivial_bound(0, 0), "K"),
        (lambda: harmonic(0), "K"),
        (lambda: Reading("none", fmpq(0), 3, lambda h, w: ((), ())), "order"),
    ],
)
def test_errors_name_the_argument(call, named):
    with pytest.raises(ModelError, match=named):
        call()


def test_the_front_of_ucbvi_by_hand():
    # L = 2, s = 1, x = 3, H = 5: 2*4/2 + 5*(1 + 3)*(2 + 3/2), and without the 1: 2*4/2 + 5*3*(2 + 3/2)
    assert ucbvi_front(arb(2), arb(1), arb(3), arb(5)) == 74
    assert ucbvi_front(arb(2), arb(1), arb(3), arb(5), bonus_in_range=False) == fmpq(113, 2)


GRID = list(product((1, 2, 9, 400), (1, 3, 50), (2, 3, 5, 23, 24, 25, 400, 10**9), ("0", "1/3", "9/10", "9999/10000")))


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
def test_the_best_constant_is_not_exceeded_on_a_grid_and_is_attained(reading):
    found = best_constant(reading)
    for S, n, K, beta in GRID:
        value = proof_side(reading, S, n, K, beta) / theorem_side(S, n, K, beta, reading.order)
        assert value.lower() <= found.upper
    attained = proof_side(reading, 1, 1, 2, 0) / theorem_side(1, 1, 2, 0, reading.order)
    assert found.lower <= attained.upper()
    assert attained.lower() <= found.upper
    assert found.upper < found.lower * arb(fmpq(1002, 1000))


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
@examples(40)
@given(S=states, n=arms, K=st.integers(2, 60), beta=discounts())
def test_each_piece_bounds_its_part_of_the_domain(reading, S, n, K, beta):
    value = proof_side(reading, S, n, K, beta) / theorem_side(S, n, K, beta, reading.order)
    bound = over_all_models(reading, K) if K < 24 else from_episodes(reading, 24)
    if reading.order == 1:
        bound = bound.max(for_large_arms(reading))
    assert value <= bound


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
@given(n=arms, K=st.integers(2, 60), beta=discounts())
def test_the_scaled_ratio_is_the_ratio(reading, n, K, beta):
    w = arb(1 - beta)
    v = (w / n).sqrt()
    value = proof_side(reading, 1, n, K, beta) / theorem_side(1, n, K, beta, reading.order)
    assert ratio(reading, K, harmonic(K), v, w).upper() >= value.lower()
    assert abs(ratio(reading, K, harmonic(K), v, w) / value - 1) < arb(fmpq(1, 10**6))


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
def test_branch_and_bound_improves_on_one_evaluation(reading):
    found = over_models(reading, 3, "1/1000")
    assert found.converged
    assert found.upper <= over_all_models(reading, 3)
    v, w = found.point
    assert w >= v**2


def test_the_large_arms_are_refused_where_the_limit_has_a_logarithm():
    with pytest.raises(ValueError, match="contains L"):
        for_large_arms(printed_ucbvi_reading())


@pytest.mark.parametrize(("reading", "switch"), [(sharper_reading(50), 10**5), (sharper_ucbvi_reading(50), 10**3)])
def test_beside_the_trivial_bound_the_smaller_one_is_not_exceeded_on_a_grid(reading, switch):
    found = best_constant_beside_trivial(reading, switch)
    for S, n, K, beta in [*GRID, *product((1, 10**6), (1,), (10**4, 10**6, 10**12), ("0", "1/2"))]:
        smaller = proof_side(reading, S, n, K, beta).min(arb(trivial_bound(K, beta)))
        assert (smaller / theorem_side(S, n, K, beta, reading.order)).lower() <= found.upper
    assert found.lower > found.upper * arb(fmpq(999, 1000))


def test_a_threshold_by_brute_force():
    def bound(K):
        return 5 * arb(K).sqrt() * arb(K).log()

    brute = [K for K in range(2, 3000) if bound(K) < K]
    first = next(K for K in brute if all(later in brute for later in range(K, 3000)))
    # log K/sqrt K decreases from e^2 on
    found = first_informative(bound, 0, decreasing_from=8)
    assert found.first == first
    assert found.never_before


def test_a_bound_that_is_informative_from_the_start_and_one_with_a_gap():
    assert first_informative(lambda K: arb(K) / 2, 0, decreasing_from=4).first == 2
    gap = first_informative(lambda K: arb(2 * K if K == 3 else K) / 2 * arb(fmpq(3, 2)), 0, decreasing_from=5)
    assert (gap.first, gap.never_before) == (4, False)


def test_a_bound_that_is_never_informative_is_an_error():
    with pytest.raises(ArithmeticError, match="not below"):
        first_informative(lambda K: arb(2 * K), 0, decreasing_from=2)
    with pytest.raises(ArithmeticError, match="could not be told"):
        first_informative(lambda K: arb(K).sqrt() ** 2, 0, decreasing_from=2)


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
@pytest.mark.parametrize(("S", "n", "beta"), [(1, 1, "0"), (4, 3, "99/100"), (30, 2, "1/2")])
def test_the_bound_over_the_episodes_decreases_from_where_it_should(reading, S, n, beta):
    start = proof_decreases_from(reading, S, n, beta)
    steps = [*range(start, start + 60), 10 * start, 10**4, 10**8, 10**16]
    values = [proof_side(reading, S, n, K, beta) / K for K in steps if start <= K]
    assert all(later < earlier for earlier, later in pairwise(values))


@pytest.mark.parametrize("order", [1, 2])
def test_the_theorems_side_over_the_episodes_decreases_from_where_it_should(order):
    start = theorem_decreases_from(4, 3, "99/100")
    values = [theorem_side(4, 3, K, "99/100", order) / K for K in (*range(start, start + 60), 10**4, 10**8, 10**16)]
    assert all(later < earlier for earlier, later in pairwise(values))
