"""Float values of policies against the exact core."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import theory
from mbrl.environments import from_bandit
from mbrl.kernels import index_order, optimistic_values, priority_value, table_value
from mbrl.kernels.arguments import read_only
from mbrl.kernels.compiling import INTERPRETED
from mbrl.kernels.conservation import priority_value_and_error, value_by_indices
from mbrl.policies import IndexPolicy, TablePolicy
from proofs_checks.trials.strategies import bandits, global_states, priorities
from tests.examples import examples
from tests.mbrl.exactly import exact_priority_value
from theory import nearest_float


@examples(45)
@given(data=st.data(), bandit=bandits())
def test_priority_value_matches_the_exact_value(data, bandit):
    order, start = data.draw(priorities(bandit)), data.draw(global_states(bandit))
    exact = theory.priority_value(bandit, order, start)
    environment = from_bandit(bandit, "any")
    policy = IndexPolicy.from_priority(order, environment.sizes)
    states = np.array(start)
    value = environment.value(policy, states)
    np.testing.assert_allclose(value, nearest_float(exact.value), rtol=1e-11, atol=1e-11)


@examples(35)
@given(data=st.data(), bandit=bandits())
def test_table_value_matches_the_exact_value(data, bandit):
    states = list(product(*(range(size) for size in bandit.sizes)))
    arm_numbers = st.integers(0, len(bandit.arms) - 1)
    table = data.draw(st.lists(arm_numbers, min_size=len(states), max_size=len(states)))
    start = data.draw(global_states(bandit))
    exact = theory.policy_value(bandit, dict(zip(states, table, strict=True)))[start]
    environment = from_bandit(bandit, "any")
    value = environment.value(TablePolicy.from_table(table, environment.sizes), np.array(start))
    np.testing.assert_allclose(value, nearest_float(exact), rtol=1e-11, atol=1e-11)


def test_priority_value_of_20000_arms_does_not_underflow():
    # the product of 20 000 factors of about 1/100 is far below the smallest float
    arms, discount = 20_000, 0.99
    transitions = np.tile(np.array([[0.0, 1.0], [0.0, 1.0]]), (arms, 1, 1))
    transitions[:, 0] = [0.999, 0.001]
    sizes, start = np.full(arms, 2), np.zeros(arms, dtype=np.int64)
    order = IndexPolicy.from_indices(np.tile([1.0, 0.5], (arms, 1)), sizes).order
    assert priority_value(transitions, np.ones((arms, 2)), sizes, start, order, discount) == pytest.approx(
        100, rel=1e-9
    )
    # the first arm is left after a step with probability 1/1000
    first = np.zeros((arms, 2))
    first[0, 0] = 1.0
    found = priority_value(transitions, first, sizes, start, order, discount)
    assert found == pytest.approx(1 / (1 - discount * 0.999), rel=1e-9)


@pytest.mark.parametrize("arms", [15, 16, 17, 150])
def test_value_by_indices_of_many_arms_matches_the_exact_value(arms):
    # at this discount play reaches all 150, in an order that jumps between blocks; most indices are tied
    rng, sizes, discount = np.random.default_rng(arms), np.full(arms, 3), 0.999
    transitions = rng.dirichlet(np.ones(3), (arms, 3))
    model = (transitions, rng.random((arms, 3)), sizes, rng.integers(0, 3, arms))
    tied = rng.integers(0, 9, (arms, 3)).astype(float)
    for ties in ("first", "last"):
        order = IndexPolicy.from_indices(tied, sizes, ties=ties).order
        exact = nearest_float(exact_priority_value(*model, order, discount))
        for indices, last_first in ((tied, ties == "last"), (as_indices(order), False)):
            value, error = value_by_indices(*model, indices, last_first, discount)
            assert abs(value - exact) <= error
            assert error <= 1e-10 * exact


def as_indices(order):
    indices = np.empty(order.size)
    indices[order] = -np.arange(order.size)
    return indices.reshape(-1, 3)


def test_priority_value_allows_certain_moves_to_earlier_states():
    # the second state has priority and is absorbing; the first is eliminated with a factor of exactly 1
    rows, order = [[[0.0, 1.0], [0.0, 1.0]]], [1, 0]
    assert priority_value(rows, [[0.0, 1.0]], [2], [0], order, 0.5) == 1
    assert priority_value(rows, [[1.0, 0.0]], [2], [0], order, 0.5) == 1


def upward(rewards):
    """Return the value at discount 1/2 of an upward chain whose states pay these rewards times 1, 2, 4, ...: their sum.

    The last state pays for ever, and so counts twice.
    """
    size = len(rewards)
    rows = np.eye(size, k=1)
    rows[-1, -1] = 1.0
    powers = 2.0 ** np.arange(size)
    return priority_value([rows], [powers * rewards], [size], [0], np.arange(size), 0.5)


def test_priority_value_sums_small_terms_with_compensation():
    # all numbers are powers of two: only the sum is rounded, and it is compensated
    tiny = 2.0**-54
    assert upward([1.0] + [tiny] * 40 + [0.0]) == 1 + 40 * tiny
    assert upward([tiny] * 42 + [1.0] + [tiny] * 2 + [0.0]) == 1 + 44 * tiny
    assert upward([-1.0] + [-tiny] * 40 + [0.0]) == -1 - 40 * tiny
    # what is rounded off is found by subtracting the larger one first
    last = upward([3 * tiny] + [1.0] + [3 * tiny] * 3 + [0.0])
    assert upward([1.0] + [3 * tiny] * 4 + [0.0]) == last == 1 + 12 * tiny


def test_value_by_indices_skips_negligible_arms():
    # each arm is played once, for half of what is left: after 70 arms, of the 100, less than 1e-20 is
    rows = np.tile([[0.0, 1.0], [0.0, 1.0]], (100, 1, 1))
    rewards, start = np.tile([1.0, 0.0], (100, 1)), np.zeros(100, dtype=np.int64)
    sizes = np.full(100, 2)
    rows[70:] = np.nan  # skipped arms may hold anything
    value, error = value_by_indices(rows, rewards, sizes, start, rewards, False, 0.5)
    assert abs(value - 2) <= error
    assert 12 * 2.0**-53 * 2 <= error <= 1e-10  # 12 roundings of the value at least
    rows[1:] = np.nan  # if all rewards are 0, only the first arm is read
    assert value_by_indices(rows, 0 * rewards, sizes, start, rewards, False, 0.5) == (0, 0)


ANSWERS = {
    "values": lambda problem, order, table: priority_value(*problem, order, 0.99),
    "tables": lambda problem, order, table: table_value(*problem, table, 0.99),
    "optimism": lambda problem, order, table: optimistic_values(problem[0], problem[1], *problem[1:3], 0.9999).values,
    "indices": lambda problem, order, table: index_order(*problem[:3], 0.99).indices,
}


@pytest.mark.skipif(not INTERPRETED, reason="patching kernels needs NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_kernels_read_no_uninitialised_memory(answer, monkeypatch):
    rng, sizes = np.random.default_rng(1), np.array([3, 2, 4])
    rows, rewards = np.zeros((3, 4, 4)), np.zeros((3, 4))
    for a, size in enumerate(sizes):
        rows[a, :size, :size] = rng.multinomial(4, np.full(size, 1 / size), size) / 4
        rewards[a, :size] = rng.random(size)
    problem = rows, rewards, sizes, np.array([1, 0, 3])
    order = rng.permutation([a * 4 + x for a, size in enumerate(sizes) for x in range(size)])
    table = rng.integers(0, 3, 24)
    expected, empty = answer(problem, order, table), np.empty

    def filled(shape, dtype=float):
        array = empty(shape, dtype)
        array.fill(np.nan if array.dtype.kind == "f" else 2**40)  # no valid index
        return array

    monkeypatch.setattr(np, "empty", filled)
    np.testing.assert_array_equal(answer(problem, order, table), expected)


@pytest.mark.parametrize("last_first", [False, True])
@pytest.mark.parametrize("padding", [-np.inf, 0.0, 9.0])
@pytest.mark.parametrize("first", [1.0, -np.inf])
def test_value_by_indices_ignores_padding(first, padding, last_first):
    # an arm of one state and one of two: the padding of the first is neither played nor compared
    rows = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]])
    sizes, start = np.array([1, 2]), np.array([0, 0])
    indices = np.array([[first, padding], [-np.inf, -np.inf]])
    of_first_arm = first > -np.inf or not last_first
    # with discount 1/2: one state for ever, 2 times, or two states, once now and then once in all
    rewards = np.array([[3.0, 0.0], [1.0, 2.0]])
    given = map(read_only, (rows, rewards, sizes, start))
    value, error = value_by_indices(*given, indices, last_first, 0.5)
    assert abs(value - (6 if of_first_arm else 3)) <= error < 1e-13


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-308])
def test_subnormal_probabilities_leave_values_finite(tiny):
    """Regression: a quotient by such a probability overflowed, and the value was NaN."""
    rows, rewards = [[[1.0, tiny, 0.0], [0.0, 0.4, 0.6], [0.0, 0.0, 1.0]]], [[0.0, 0.0, 1.0]]
    order = [0, 1, 2]
    value, error = priority_value_and_error(rows, rewards, [3], [0], order, 0.9)
    exact = nearest_float(exact_priority_value(rows, rewards, [3], [0], order, 0.9))
    assert abs(value - exact) <= error + 32 * 5e-324  # subnormal floats have fewer digits
    assert priority_value(rows, [[1.0, 0.0, 0.0]], [3], [0], order, 0.9) == pytest.approx(10, rel=1e-15)
