"""Float Gittins indices against the exact core."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

import theory
from mbrl.environments import random_walk
from mbrl.kernels import bandit_indices, gittins_indices
from proofs_checks.strategies import arms, discounts


def as_floats(arm):
    rows = [[int(p.p) / int(p.q) for p in row] for row in arm.transitions]
    return np.array(rows), np.array([int(r.p) / int(r.q) for r in arm.rewards])


def as_float(number):
    return int(number.p) / int(number.q)


@settings(max_examples=300, deadline=None)
@given(arm=arms(max_size=6), discount=discounts())
@example(arm=theory.Arm([0], [[1]]), discount=fmpq(0))
@example(arm=theory.Arm([1, 0], [[0, 1], [1, 0]]), discount=fmpq(9999, 10000))
def test_indices_equal_the_exact_ones(arm, discount):
    exact = [as_float(index) for index in theory.gittins_indices(arm, discount)]
    np.testing.assert_allclose(gittins_indices(*as_floats(arm), as_float(discount)), exact, rtol=1e-12, atol=1e-13)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), discount=st.sampled_from(["99/100", "999999/1000000"]))
def test_indices_of_larger_arms_equal_the_exact_ones(seed, discount):
    rng = np.random.default_rng(seed)
    size = 20
    weights = rng.integers(0, 50, (size, size)) + np.eye(size, dtype=int)
    rewards = rng.integers(-100, 100, size)
    arm = theory.Arm(
        [fmpq(int(r), 100) for r in rewards], [[fmpq(int(w), int(row.sum())) for w in row] for row in weights]
    )
    exact = [as_float(index) for index in theory.gittins_indices(arm, discount)]
    np.testing.assert_allclose(
        gittins_indices(*as_floats(arm), as_float(theory.rational(discount))), exact, rtol=1e-12, atol=1e-13
    )


def test_printed_indices_of_the_random_walks():
    walk = random_walk()
    found = bandit_indices(walk.transitions, walk.rewards, walk.sizes, walk.discount)
    printed = [[0.276, 0.2894, 0.392, 1.0], [0.35, 0.256, 0.2892, 0.7], [0.4, 0.250, 0.286, 0.65]]
    np.testing.assert_allclose(found, printed, atol=6e-4)


@pytest.mark.parametrize(
    ("transitions", "rewards", "discount"),
    [
        ([[1.0]], [0.0, 1.0], 0.5),
        ([], [], 0.5),
        ([[0.5]], [0.0], 0.5),
        ([[-1.0, 2.0], [0.0, 1.0]], [0.0, 0.0], 0.5),
        ([[1.0]], [np.nan], 0.5),
        ([[1.0]], [0.0], 1.0),
    ],
)
def test_bad_arguments_are_refused(transitions, rewards, discount):
    with pytest.raises(ValueError, match=r"must|outside"):
        gittins_indices(transitions, rewards, discount)
