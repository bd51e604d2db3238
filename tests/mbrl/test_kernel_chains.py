"""Values of chains, class by class."""

import numpy as np
import pytest

from mbrl.kernels.chains import Chain, chain_values, solve_factored, strides_of
from mbrl.kernels.elimination import UNIT
from mbrl.policies import IndexPolicy


def random_chain(sizes, seed, discount, kept=1.0):
    rng = np.random.default_rng(seed)
    sizes, width = np.array(sizes), max(sizes)
    count = int(np.prod(sizes))
    rows = np.zeros((count, width))
    table = rng.integers(0, sizes.size, count)
    for g in range(count):
        size = sizes[table[g]]
        weights = rng.exponential(size=size) * (rng.random(size) < kept)
        weights[rng.integers(size)] += 0.01
        rows[g, :size] = weights / weights.sum()
    return Chain(table, sizes, strides_of(sizes), rng.random(count), rows, True, discount)


def by_linear_system(chain):
    count = chain.table.size
    matrix, right = np.eye(count), np.empty(count)
    for g, a in enumerate(chain.table):
        x = g // chain.strides[a] % chain.sizes[a]
        right[g] = chain.gains[g]
        for y in range(chain.sizes[a]):
            matrix[g, g + (y - x) * chain.strides[a]] -= chain.discount * chain.rows[g, y]
    return np.linalg.solve(matrix, right)


def solved(chain, roots=None, largest_dense=2048, twofold=False):
    count = chain.table.size
    values, lows, doubts = np.zeros(count), np.zeros(count), np.full(count, np.nan)
    wanted = np.arange(count) if roots is None else np.array(roots)
    chain_values(wanted, chain, twofold, values, lows, doubts, largest_dense)
    assert lows.any() == twofold
    assert (np.abs(lows) <= 1e-12 * np.abs(values)).all()
    return values, doubts


@pytest.mark.parametrize("kept", [1.0, 0.5, 0.2], ids=["one class", "some classes", "many classes"])
@pytest.mark.parametrize("sizes", [(7,), (4, 4, 4), (2, 5, 3), (2, 2, 2, 2, 2, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_values_solve_the_linear_system(sizes, kept, seed):
    chain = random_chain(sizes, seed, 0.99, kept)
    values, doubts = solved(chain)
    np.testing.assert_allclose(values, by_linear_system(chain), rtol=1e-11)
    assert (doubts > 0).all()
    assert doubts.max() < 1e-8


@pytest.mark.parametrize("kept", [1.0, 0.3])
def test_classes_too_large_are_solved_by_sweeps(kept):
    chain = random_chain((5, 5, 5), 1, 0.99, kept)
    values, _ = solved(chain)
    swept, doubts = solved(chain, largest_dense=1)
    np.testing.assert_allclose(swept, values, rtol=1e-12)
    assert (np.abs(swept - values) <= doubts * values).all()
    if kept == 1.0:  # a class or two: rounding of 5 + 8 operations a state, and of the last change, over 1 - discount
        assert doubts.max() <= 2 * (5 + 8 + 2) * UNIT * swept.max() / swept.min() / (1 - 0.99)
    assert (doubts < 1e-6).all()  # and says something


def test_only_what_is_reached_is_solved():
    sizes = np.array([3, 3])
    rows = np.zeros((6, 3))
    rows[[0, 1, 2], [1, 2, 2]] = 1  # arm 0 goes up and stays
    rows[3:] = np.eye(3)
    gains = np.repeat([0.0, 0.0, 1.0], 3)
    chain = Chain(np.zeros(9, dtype=np.int64), sizes, strides_of(sizes), gains, rows, False, 0.5)
    values, doubts = solved(chain, roots=[3])  # the state (1, 0)
    assert np.flatnonzero(~np.isnan(doubts)).tolist() == [3, 6]  # and (2, 0)
    assert values[[3, 6]].tolist() == [1.0, 2.0]


def test_classes_of_priority_policies_are_no_larger_than_an_arm():
    # while an arm is played the others rest, and can come back only at smaller indices
    rng = np.random.default_rng(1)
    sizes = np.full(5, 4)
    indices = rng.random((5, 4))
    policy = IndexPolicy.from_indices(indices, sizes)
    states = np.array(list(np.ndindex(*sizes)))
    table = np.argmin(policy.ranks[np.arange(5), states], axis=1)
    chain = Chain(table, sizes, strides_of(sizes), rng.random(1024), rng.dirichlet(np.ones(4), 20), False, 0.999)
    values, _ = solved(chain)
    same, _ = solved(chain, largest_dense=4)  # elimination still suffices
    assert (values == same).all()


@pytest.mark.parametrize("gain", [-1.0, 0.0, 2.0])
def test_a_factored_system_is_solved_for_any_gain(gain):
    # by hand: after its elimination state 1 passes half of its gain on to state 0, which passes nothing back
    values = np.array([0.0, gain])
    solve_factored(np.array([[1.0, 0.5], [0.0, 1.0]]), values)
    assert values.tolist() == [gain / 2, gain]
