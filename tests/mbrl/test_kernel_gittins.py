"""Float Gittins indices against the exact core."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import example, given
from hypothesis import strategies as st

import theory
from mbrl.kernels import bandit_indices, gittins_indices
from mbrl.kernels.blocked import blocked_indices
from mbrl.kernels.compiling import kernel
from mbrl.kernels.gittins import arm_indices
from proofs_checks.trials.strategies import arms, discounts
from tests.examples import examples
from theory import nearest_float

COMPILED = kernel(arm_indices)  # uncompiled it takes seconds for some hundred states


def as_floats(arm):
    rows = [[nearest_float(p) for p in row] for row in arm.transitions]
    return np.array(rows), np.array([nearest_float(r) for r in arm.rewards])


@examples(50)
@given(arm=arms(max_size=6), discount=discounts())
@example(arm=theory.Arm(rewards=[0], transitions=[[1]]), discount=fmpq(0))
@example(arm=theory.Arm(rewards=[1, 0], transitions=[[0, 1], [1, 0]]), discount=fmpq(9999, 10000))
def test_float_indices_match_exact_indices(arm, discount):
    exact = [nearest_float(index) for index in theory.gittins_indices(arm, discount)]
    np.testing.assert_allclose(gittins_indices(*as_floats(arm), nearest_float(discount)), exact, rtol=1e-12, atol=1e-13)


@examples(50)
@given(arm=arms(max_size=7), discount=discounts(), block=st.integers(1, 8), panel=st.integers(1, 8))
@example(arm=theory.Arm(rewards=[1, 0], transitions=[[0, 1], [1, 0]]), discount=fmpq(9999, 10000), block=1, panel=1)
def test_blocked_indices_match_exact_indices(arm, discount, block, panel):
    exact = [nearest_float(index) for index in theory.gittins_indices(arm, discount)]
    found = blocked_indices(*as_floats(arm), nearest_float(discount), block=block, panel=panel)
    np.testing.assert_allclose(found, exact, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("size", [64, 65, 129, 300])
@pytest.mark.parametrize("discount", [0.0, 0.9, 0.9999, 1 - 1e-9])
@pytest.mark.parametrize("kept", [1.0, 0.05], ids=["dense", "sparse"])
def test_blocked_indices_match_unblocked_indices(size, discount, kept):
    rng = np.random.default_rng([size, 3])
    weights = rng.exponential(size=(size, size)) * (rng.random((size, size)) < kept) + 1e-3 * np.eye(size)
    rows, rewards = weights / weights.sum(axis=1, keepdims=True), rng.random(size)
    np.testing.assert_allclose(blocked_indices(rows, rewards, discount), COMPILED(rows, rewards, discount), rtol=1e-10)


def test_blocked_indices_allow_rows_that_sum_to_zero():
    rng = np.random.default_rng(3)
    rows, rewards = rng.dirichlet(np.ones(9), 9), rng.random(9)
    rows[4] = 0.0
    found = blocked_indices(rows, rewards, 0.9, block=3, panel=2)
    np.testing.assert_allclose(found, arm_indices(rows, rewards, 0.9), rtol=1e-12)
    # played once, state 4 pays its reward in a discounted time of 1
    assert found[4] >= rewards[4]
    ended = np.where(np.arange(9) == 4, 1.0, 0.0)
    np.testing.assert_allclose(blocked_indices(rows, ended, 0.9, block=3, panel=2)[4], 1.0, rtol=1e-15)
    # the first state pays nothing and moves to the second, which pays 1 and ends: 1/2 within a time of 1 + 1/2
    for indices in (blocked_indices, arm_indices):
        np.testing.assert_allclose(indices(np.eye(2, k=1), np.array([0.0, 1.0]), 0.5), [1 / 3, 1], rtol=1e-15)


@pytest.mark.parametrize("sizes", [[128, 2], [2, 128], [2, 3]])
def test_indices_of_an_arm_do_not_depend_on_other_arms(sizes):
    """Each arm is eliminated by the method for its own size."""
    rng = np.random.default_rng(sizes)
    arms = [(rng.dirichlet(np.ones(size), size), rng.random(size)) for size in sizes]
    rows, rewards = np.zeros((2, max(sizes), max(sizes))), np.zeros((2, max(sizes)))
    for a, (own_rows, own_rewards) in enumerate(arms):
        rows[a, : sizes[a], : sizes[a]], rewards[a, : sizes[a]] = own_rows, own_rewards
    together = bandit_indices(rows, rewards, sizes, 0.99)
    for a, (own_rows, own_rewards) in enumerate(arms):
        alone = gittins_indices(own_rows, own_rewards, 0.99)
        assert together[a, : sizes[a]].tolist() == alone.tolist()
        assert (together[a, sizes[a] :] == -np.inf).all()


@pytest.mark.parametrize("size", [1, 5, 200])
def test_gittins_indices_leaves_its_arguments_unchanged(size):
    rng = np.random.default_rng(size)
    rows, rewards = rng.dirichlet(np.ones(size), size), rng.random(size)
    before = rows.copy(), rewards.copy()
    gittins_indices(rows, rewards, 0.9)
    np.testing.assert_array_equal(rows, before[0])
    np.testing.assert_array_equal(rewards, before[1])
