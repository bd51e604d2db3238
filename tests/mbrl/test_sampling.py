"""Posterior draws: their moments, and where their randomness comes from."""

import numpy as np

from mbrl.kernels.sampling import BetaPrior, GaussianGammaPrior, beta_means, dirichlet_rows, gaussian_gamma_means

DRAWS = 40_000


def test_dirichlet_rows_have_the_moments_of_the_posterior():
    counts = np.tile([0.0, 3.0, 10.0, 0.0], (DRAWS, 1))
    rows = dirichlet_rows(np.random.default_rng(1), counts)
    alpha = counts[0] + 1
    mean = alpha / alpha.sum()
    variance = mean * (1 - mean) / (alpha.sum() + 1)
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(rows.mean(axis=0), mean, atol=5 * np.sqrt(variance.max() / DRAWS))
    np.testing.assert_allclose(rows.var(axis=0), variance, rtol=0.05)


def test_dirichlet_rows_agree_with_numpys_in_distribution():
    counts = np.tile([0.0, 3.0, 1.0], (DRAWS, 1))
    ours = dirichlet_rows(np.random.default_rng(1), counts)
    numpys = np.random.default_rng(2).dirichlet([1, 4, 2], DRAWS)
    levels = np.linspace(0.05, 0.95, 10)
    np.testing.assert_allclose(np.quantile(ours, levels, axis=0), np.quantile(numpys, levels, axis=0), atol=0.01)


def test_states_outside_the_support_are_never_drawn():
    allowed = np.array([[1.0, 1.0, 0.0]])
    rows = dirichlet_rows(np.random.default_rng(1), np.zeros((1, 3)), allowed)
    assert rows[0, 2] == 0
    assert rows.sum() == 1


def test_beta_means_have_the_moments_of_the_posterior():
    drawn = beta_means(np.random.default_rng(1), np.full(DRAWS, 10.0), np.full(DRAWS, 7.0))
    a, b = 8, 4
    assert abs(drawn.mean() - a / (a + b)) < 5 * np.sqrt(a * b / (a + b) ** 2 / (a + b + 1) / DRAWS)
    np.testing.assert_allclose(drawn.var(), a * b / (a + b) ** 2 / (a + b + 1), rtol=0.05)


def test_gaussian_gamma_means_have_the_law_of_the_posterior():
    # rewards 1, 1, 0, 1, 0, 0, 0, 0, 1, 1: N = 10, mean 1/2, variance 1/4
    drawn = gaussian_gamma_means(
        np.random.default_rng(1), np.full(DRAWS, 10.0), np.full(DRAWS, 5.0), np.full(DRAWS, 5.0)
    )
    shape, rate = 11 / 2, 1 / 2 + 10 * 0.25 / 2 + 10 * 0.25 / (2 * 11)
    # a Student law: its variance is E[1/precision] / (N+1) = rate / (shape - 1) / 11
    variance = rate / (shape - 1) / 11
    assert abs(drawn.mean() - 5 / 11) < 5 * np.sqrt(variance / DRAWS)
    np.testing.assert_allclose(drawn.var(), variance, rtol=0.06)


def test_draws_depend_on_the_generator_alone():
    counts = np.array([[0.0, 2.0]])
    first = dirichlet_rows(np.random.default_rng(3), counts)
    np.random.default_rng(4).random(7)
    assert (first == dirichlet_rows(np.random.default_rng(3), counts)).all()


def test_priors_with_other_parameters():
    rng = np.random.default_rng(1)
    rows = dirichlet_rows(rng, np.tile([0.0, 3.0], (DRAWS, 1)), concentration=0.5)
    np.testing.assert_allclose(rows.mean(axis=0), [0.5 / 4, 3.5 / 4], atol=0.005)
    np.testing.assert_allclose(rows[:, 0].var(), 0.125 * 0.875 / 5, rtol=0.05)
    means = beta_means(rng, np.full(DRAWS, 10.0), np.full(DRAWS, 7.0), BetaPrior(2.0, 0.5))
    np.testing.assert_allclose(means.mean(), 9 / 12.5, atol=0.005)


def test_a_gaussian_gamma_prior_with_other_parameters_has_the_law_of_its_posterior():
    # rewards 4, 6, 5: N = 3, mean 5, N v = 2; prior mean 2, weight 3, shape 2, rate 1
    drawn = gaussian_gamma_means(
        np.random.default_rng(1),
        np.full(DRAWS, 3.0),
        np.full(DRAWS, 15.0),
        np.full(DRAWS, 77.0),
        GaussianGammaPrior(mean=2.0, weight=3.0, shape=2.0, rate=1.0),
    )
    shape, rate = 2 + 3 / 2, 1 + 2 / 2 + 3 * 3 * (5 - 2) ** 2 / (2 * 6)
    assert abs(drawn.mean() - (3 * 2 + 15) / 6) < 0.02
    np.testing.assert_allclose(drawn.var(), rate / (shape - 1) / 6, rtol=0.06)
