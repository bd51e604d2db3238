"""Kernels against exact answers: errors stay within their bounds on models that are hard for floats."""

import numpy as np
import pytest

from mbrl.arrays import product_size
from mbrl.kernels import index_order, priority_value_and_error
from mbrl.kernels.arguments import read_only
from mbrl.kernels.chains import class_error
from mbrl.kernels.elimination import elimination_error
from mbrl.kernels.extended import improve, new_extended
from mbrl.kernels.ordering import _overlap
from mbrl.kernels.product import value_of_table
from tests.mbrl.hard_models import (
    errors_of_indices,
    errors_of_optimism,
    errors_of_tables,
    errors_of_values,
    hard_bandits,
)

GRID = [
    *((errors_of_indices, sizes) for sizes in ((1,), (2,), (5,), (13,), (4, 3))),
    *((errors_of_values, sizes) for sizes in ((1,), (6,), (4, 4), (3, 5, 2))),
    *((errors_of_tables, sizes) for sizes in ((2, 2), (3, 3, 2))),
    *((errors_of_optimism, sizes) for sizes in ((3,), (2, 3))),
]


@pytest.mark.parametrize(("errors", "sizes"), GRID, ids=[f"{m.__name__}-{s}" for m, s in GRID])
def test_kernel_errors_stay_within_their_bounds(errors, sizes):
    count = 0
    for hard in hard_bandits(sizes):
        for error, bound in errors(hard):
            assert error <= bound, hard.name
            count += 1
    assert count >= 300


@pytest.mark.parametrize("tiny", [1e-9, 1e-12, 1e-15])
def test_unreachable_large_reward_leaves_relative_error_small(tiny):
    # the last state, of reward 1, is not reached from the first, whose value is then tiny / (1 - beta)
    rows = np.array([[[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]] * 2)
    rewards = np.array([[tiny, tiny, 1.0]] * 2)
    problem = (rows, rewards, np.array([3, 3]), np.array([0, 1]))
    value, error = priority_value_and_error(*problem, [2, 5, 1, 3, 0, 4], 0.999999)
    assert abs(value * (1 - 0.999999) / tiny - 1) <= 1e-14
    assert error <= 1e-12 * value  # the bound does not count the large reward either
    value, error = value_of_table(*map(read_only, (*problem, np.zeros(9, dtype=np.int64))), 0.999999)
    assert abs(value * (1 - 0.999999) / tiny - 1) <= 1e-14
    assert error <= 1e-12 * value


def test_elimination_bounds_equal_roundings_counted_by_hand():
    unit = 2.0**-53
    # with m other states: sums of m roundings (13 from 32 on) and 3 more for each of them, twice; the sum of
    # 2 m (m + 3) over m < 32 is 2 (10416 + 3 * 496) = 23808; then the weights of all states, twice, and the division;
    # 0.1% covers terms of second order
    for size, roundings in ((1, 3), (2, 5 + 8), (3, 7 + 8 + 20), (32, 65 + 23808), (33, 67 + 23808 + 64 * 16)):
        assert elimination_error(size) == pytest.approx(1.001 * roundings * unit, rel=1e-9, abs=0)
    # a class of 2 states with 5 next ones: 2^2 / 2 + 3 * 2 of weights, 2 * 2 * 7 of sums, 2 of the last step
    assert class_error(2, 5) - elimination_error(2) == pytest.approx((2 + 6 + 28 + 2) * unit, rel=2e-3, abs=0)


def test_priority_value_bounds_equal_roundings_counted_by_hand():
    unit, of_arm = 2.0**-53, elimination_error(3)  # of the two states, and of where play starts
    half = [[0.0, 1.0], [0.0, 1.0]]  # from the first state to the second, for ever
    # at discount 1/2 play spends half of the discounted time in each state; an arm that is reached counts its terms
    # three times, and every further place adds 2 roundings to 8; 1% covers terms of second order; the 4 roundings of the
    # value are those of its sum, of the compensation, of 1 - discount and of the quotient
    value, error = priority_value_and_error([half], [[0.0, 1.0]], [2], [0], [0, 1], 0.5)
    assert value == 1
    assert error == pytest.approx(1.01 * (3 * of_arm + 10 * unit) + 4 * unit, rel=1e-9, abs=0)
    value, error = priority_value_and_error([half], [[0.0, -0.25]], [2], [0], [0, 1], 0.5)
    assert value == -0.25  # relative to the same value of 0 and 1/4
    assert error == pytest.approx(0.25 * (1.01 * (3 * of_arm + 10 * unit) + 4 * unit), rel=1e-9, abs=0)
    # the first arm goes up, then the second, then the first is played: 1/4 of the time; 2 * 2 more roundings, 2 arms
    value, error = priority_value_and_error([half] * 2, [[0.0, 1.0], [0.0, 0.0]], [2, 2], [0, 0], [0, 2, 1, 3], 0.5)
    assert value == 0.5
    assert error == pytest.approx(0.5 * (1.01 * (4 * of_arm + 12 * unit) + 4 * unit), rel=1e-9, abs=0)


def test_table_value_bounds_equal_roundings_counted_by_hand():
    def of(rewards, start, *, states=2):
        rows, sizes = np.eye(states)[None], np.array([states])
        arrays = (rows, np.array([rewards]), sizes, np.array([start]), np.zeros(states, np.int64))
        return value_of_table(*map(read_only, arrays), 0.5)

    unit = 2.0**-53
    assert of([3.0], 0, states=1) == (6, pytest.approx(6 * (class_error(1, 1) + unit), rel=1e-9, abs=0))
    assert of([0.25, 0.0], 1) == (0, 0)  # rewards of one sign: relative to the value
    # of both signs: relative to the largest reachable reward for ever
    assert of([1e300, -0.125], 1) == (-0.25, pytest.approx(0.25 * (class_error(1, 2) + unit), rel=1e-9, abs=0))


def test_rounding_bound_of_a_gain_is_nonnegative():
    # values 3 and 2 + 2, the latter the sum of two floats: the larger sum has the smaller first float. With discount 7/8
    # the first state gains 7/8 * 1/2 - 1/8 * 3, with no rounding on the way; the second less
    laws, zeros = np.array([[[0.5, 0.5], [0.25, 0.75]]]), np.zeros((1, 2))
    values, lows, table = np.array([3.0, 2.0]), np.array([0.0, 2.0]), np.zeros(2, np.int64)
    process = new_extended(np.array([2]), 0.875)._replace(values=values, lows=lows, table=table)
    gain, rounding, tie = improve(laws, zeros, zeros, process, 0.0)
    assert gain == 1 / 16
    assert 0 <= rounding == tie


def test_product_size_is_none_beyond_64_bit_integers():
    assert product_size(np.full(62, 2), 2**63) == 2**62
    assert product_size(np.full(63, 2), 2**63) is None
    assert product_size(np.full(10, 2), 1023) is None


def test_index_order_leaves_ties_undecided():
    rows, rewards = np.array([np.eye(2)] * 2), [[0.5, 0.25], [0.5, 0.25]]
    floats = index_order(rows, rewards, [2, 2], 0.9)
    assert floats.undecided.tolist() == [0, 2]
    # in each arm the states are far apart; an order within an arm that is not certain costs a factor 2 S + 1
    np.testing.assert_allclose(floats.errors, elimination_error(2) * np.array(rewards), rtol=1e-9)
    tied = index_order(rows[:1], [[0.5, 0.5]], [2], 0.9)
    np.testing.assert_allclose(tied.errors, 5 * elimination_error(2) * 0.5, rtol=1e-9)
    overlap = _overlap(np.array([4.0, 3.0, 2.0, 0.0]), np.array([1.0, 0.0, 0.5, 1.5]))  # the first and last touch
    assert overlap.tolist() == [True, False, True]
