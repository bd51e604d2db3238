"""Posterior draws: their laws, and where their randomness comes from."""

from math import comb

import numba
import numpy as np
import pytest

from mbrl.kernels.sampling import Prior, draw_mean, draw_row

DRAWS = 40_000
UNIFORM = Prior()


@numba.njit
def drawn_rows(rng, moves, prior, rows):
    visits = 0.0
    for i in range(rows.shape[0]):
        visits = draw_row(rng, moves, prior, rows[i])
    return visits


@numba.njit
def drawn_means(rng, visits, total, squares, prior, means):
    for i in range(means.size):
        means[i] = draw_mean(rng, visits, total, squares, prior)


def rows_of(moves, prior=UNIFORM, seed=1):
    rows = np.empty((DRAWS, len(moves)))
    assert drawn_rows(np.random.default_rng(seed), np.array(moves, dtype=float), prior, rows) == sum(moves)
    return rows


def means_of(visits, total, squares=0.0, prior=UNIFORM):
    means = np.empty(DRAWS)
    drawn_means(np.random.default_rng(1), float(visits), float(total), float(squares), prior, means)
    return means


def beta_law(x, a, b):
    """The distribution function of a Beta law with whole parameters: a of a + b - 1 uniforms are below x."""
    n = a + b - 1
    return sum(comb(n, i) * x**i * (1 - x) ** (n - i) for i in range(a, n + 1))


def agrees(drawn, law):
    """Kolmogorov and Smirnov's distance, as large as this once in ten thousand samples."""
    ordered = np.sort(drawn)
    expected = law(ordered)
    above = np.arange(1, drawn.size + 1) / drawn.size
    return max(np.abs(expected - above).max(), np.abs(expected - above + 1 / drawn.size).max()) < 2.23 / drawn.size**0.5


@pytest.mark.parametrize("moves", [(0, 0, 0), (0, 3, 1), (10, 0, 1, 0, 200), (1,) * 40])
@pytest.mark.parametrize("dirichlet", [1.0, 2.0])
def test_every_entry_of_a_row_has_the_beta_law_of_the_posterior(moves, dirichlet):
    rows = rows_of(moves, Prior(dirichlet=dirichlet))
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-14)
    shapes = [count + int(dirichlet) for count in moves]
    for y in range(0, len(moves), 7 if len(moves) > 5 else 1):
        assert agrees(rows[:, y], lambda x, a=shapes[y]: beta_law(x, a, sum(shapes) - a))


def test_entries_of_a_row_have_the_correlation_of_the_posterior():
    rows = rows_of((0, 3, 1))
    a, b, total = 1, 4, 7
    covariance = -a * b / (total**2 * (total + 1))
    np.testing.assert_allclose(np.cov(rows[:, 0], rows[:, 1])[0, 1], covariance, rtol=0.05)


@pytest.mark.parametrize(("visits", "total"), [(0, 0), (10, 7), (10, 0), (10, 10), (500, 1)])
def test_mean_rewards_have_the_beta_law_of_the_posterior(visits, total):
    assert agrees(means_of(visits, total), lambda x: beta_law(x, 1 + total, 1 + visits - total))


def test_a_beta_prior_with_other_parameters():
    assert agrees(means_of(10, 7, prior=Prior(successes=2.0, failures=3.0)), lambda x: beta_law(x, 9, 6))
    np.testing.assert_allclose(means_of(10, 7, prior=Prior(successes=2.0, failures=0.5)).mean(), 9 / 12.5, atol=0.005)


def test_a_dirichlet_prior_below_1():
    rows = rows_of((0, 3), Prior(dirichlet=0.5))
    np.testing.assert_allclose(rows.mean(axis=0), [0.5 / 4, 3.5 / 4], atol=0.005)
    np.testing.assert_allclose(rows[:, 0].var(), 0.125 * 0.875 / 5, rtol=0.05)
    assert np.isfinite(rows_of((0, 0), Prior(dirichlet=1e-4))).all()


def test_gaussian_gamma_means_have_the_law_of_the_posterior():
    # rewards 1, 1, 0, 1, 0, 0, 0, 0, 1, 1: N = 10, mean 1/2, variance 1/4
    drawn = means_of(10, 5, 5, Prior(gaussian=True))
    shape, rate = 11 / 2, 1 / 2 + 10 * 0.25 / 2 + 10 * 0.25 / (2 * 11)
    # a Student law: its variance is E[1/precision] / (N+1) = rate / (shape - 1) / 11
    variance = rate / (shape - 1) / 11
    assert abs(drawn.mean() - 5 / 11) < 5 * np.sqrt(variance / DRAWS)
    np.testing.assert_allclose(drawn.var(), variance, rtol=0.06)


def test_a_gaussian_gamma_prior_with_other_parameters_has_the_law_of_its_posterior():
    # rewards 4, 6, 5: N = 3, mean 5, N v = 2; prior mean 2, weight 3, shape 2, rate 1
    drawn = means_of(3, 15, 77, Prior(gaussian=True, mean=2.0, weight=3.0, shape=2.0, rate=1.0))
    shape, rate = 2 + 3 / 2, 1 + 2 / 2 + 3 * 3 * (5 - 2) ** 2 / (2 * 6)
    assert abs(drawn.mean() - (3 * 2 + 15) / 6) < 0.02
    np.testing.assert_allclose(drawn.var(), rate / (shape - 1) / 6, rtol=0.06)


def test_draws_depend_on_the_generator_alone():
    first = rows_of((0, 2), seed=3)
    np.random.default_rng(4).random(7)
    assert (first == rows_of((0, 2), seed=3)).all()


def test_a_rate_taken_for_a_scale_gives_the_law_that_says():
    # the precision is Gamma of shape 11/2 and *scale* b: the mean's variance is E[1/precision] / 11 = 1/(b (11/2 - 1) 11)
    drawn = means_of(10, 5, 5, Prior(gaussian=True, by_scale=True))
    scale = 1 / 2 + 10 * 0.25 / 2 + 10 * 0.25 / (2 * 11)
    np.testing.assert_allclose(drawn.var(), 1 / (scale * 4.5 * 11), rtol=0.06)
