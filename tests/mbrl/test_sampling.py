"""Posterior draws: which draws of the generator they use; `tests.mbrl.test_vanilla` checks their moments."""

import numpy as np
import pytest

from mbrl.agents import make_agent
from mbrl.environments import random_walk
from mbrl.kernels import sampling
from mbrl.kernels.compiling import kernel
from mbrl.kernels.sampling import Prior

UNIFORM = Prior()
draw_row, draw_mean = map(kernel, (sampling.draw_row, sampling.draw_mean))


def draws_and_copy(seed):
    return np.random.default_rng(seed), np.random.default_rng(seed)


@pytest.mark.parametrize("dirichlet", [1.0, 0.5, 2.0])
@pytest.mark.parametrize("moves", [(0,), (0, 0, 0), (0, 3, 1), (1, 0, 2, 0, 5, 0)])
def test_row_is_made_of_gamma_draws_of_which_exponential_ones_are_apart(moves, dirichlet):
    # published numbers depend on the draws of a seed
    rng, copy = draws_and_copy(2)
    row = np.empty(len(moves))
    assert draw_row(rng, np.array(moves, dtype=float), Prior(dirichlet=dirichlet), row) == sum(moves)
    if dirichlet == 1.0:
        parts = [copy.standard_exponential() for _ in moves]
        parts = [part + copy.standard_gamma(seen) if seen else part for part, seen in zip(parts, moves, strict=True)]
    else:
        parts = [copy.standard_gamma(dirichlet + seen) for seen in moves]
    np.testing.assert_allclose(row, np.array(parts) / sum(parts), rtol=1e-14)
    assert rng.random() == copy.random()


def test_tiny_dirichlet_parameter_still_gives_a_probability_row():
    # Gamma variables of such a shape are 0 in floats; they are replaced by the smallest normal number
    row = np.empty(2)
    draw_row(np.random.default_rng(1), np.zeros(2), Prior(dirichlet=1e-12), row)
    assert row.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(("visits", "total"), [(0, 0), (10, 0), (10, 10), (1, 1), (10, 7), (2, 1), (10, 1), (10, 9)])
def test_mean_reward_draw_equals_a_beta_draw(visits, total):
    rng, copy = draws_and_copy(4)
    drawn = draw_mean(rng, float(visits), float(total), float(total), UNIFORM)
    successes, failures = 1.0 + total, 1.0 + visits - total
    if total == 0:  # the smallest of b uniforms
        expected = 1 - np.exp(-copy.standard_exponential() / failures)
    elif total == visits:  # the largest of a
        expected = np.exp(-copy.standard_exponential() / successes)
    else:
        expected = copy.beta(successes, failures)
    assert drawn == pytest.approx(expected, rel=1e-12)
    assert rng.random() == copy.random()


@pytest.mark.parametrize("by_scale", [False, True])
@pytest.mark.parametrize("rewards", [(), (2.0,), (1.0, 1.0, 0.0, 0.5), (4.0, 6.0, 5.0)])
@pytest.mark.parametrize(("mean", "weight", "shape", "rate"), [(0.0, 1.0, 0.5, 0.5), (2.0, 3.0, 2.0, 0.75)])
def test_gaussian_mean_draw_equals_murphys_formula(rewards, mean, weight, shape, rate, by_scale):
    # Murphy's, of the empirical mean m and variance v, which the code does not form
    rng, copy = draws_and_copy(5)
    prior = Prior(gaussian=True, mean=mean, weight=weight, shape=shape, rate=rate, by_scale=by_scale)
    count, m, v = len(rewards), np.mean(rewards or [0.0]), np.var(rewards or [0.0])
    drawn = draw_mean(rng, float(count), float(sum(rewards)), float(np.square(rewards).sum()), prior)
    second = rate + count * v / 2 + weight * count * (m - mean) ** 2 / (2 * (count + weight))
    gamma = copy.standard_gamma(shape + count / 2)
    precision = gamma * second if by_scale else gamma / second
    centre = (weight * mean + count * m) / (count + weight)
    assert drawn == pytest.approx(centre + copy.standard_normal() / np.sqrt(precision * (count + weight)), rel=1e-12)
    assert rng.random() == copy.random()


def test_equal_rewards_give_no_negative_variance():
    # sum of squares minus squared sum is pure rounding here, and may be negative; the precision must not be
    negative = 0
    for count in range(1, 100):
        total, squares = count * 0.1, count * (0.1 * 0.1)
        negative += squares + 0.1 * 0.1 - (total + 0.1) * (total + 0.1) / (count + 1) < 0
        prior = Prior(gaussian=True, mean=0.1, rate=1e-300)
        assert draw_mean(np.random.default_rng(1), float(count), total, squares, prior) == pytest.approx(0.1, rel=1e-6)
    assert negative > 5


def test_default_prior_has_the_papers_parameters():
    # uniform rows and Beta(1, 1); for Gaussian rewards the posterior of `apx:reward_post`, N + 1 observations of which one
    # is 0, and a precision of shape (N + 1)/2 and rate 1/2 + ...
    prior = make_agent("mb-psrl", random_walk(), 2)._memory.prior
    assert prior == Prior() == (False, 1.0, 1.0, 1.0, 0.0, 1.0, 0.5, 0.5, False)
