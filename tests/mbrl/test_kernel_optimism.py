"""Extended value iteration and policy iteration against the exact core."""

from itertools import permutations, product

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

import theory
from mbrl.environments import from_bandit
from mbrl.kernels.extended import (
    dense_process,
    improve,
    list_moves,
    new_extended,
    optimistic_values,
    solve_extended,
    write_rows,
)
from proofs_checks.trials.strategies import bandits
from tests.examples import examples
from tests.mbrl.exactly import exact_optimism
from theory import nearest_float, value_of_float
from theory.optimism import best_row


def radii_of(bandit, width):
    rewards, rows = np.zeros((len(bandit.arms), width)), np.zeros((len(bandit.arms), width))
    for a, arm in enumerate(bandit.arms):
        pairs = zip(arm.rewards, arm.reward_radius, strict=True)
        rewards[a, : arm.size] = [nearest_float(r) + nearest_float(b) for r, b in pairs]
        rows[a, : arm.size] = [nearest_float(b) for b in arm.transition_radius]
    return rewards, rows


@examples(35)
@given(bandit=bandits(radii=True), seed=st.integers(0, 1000))
def test_extended_value_iteration_matches_exact_values(bandit, seed):
    exact = theory.optimistic_value(bandit)
    environment = from_bandit(bandit, "any")
    rewards, radii = radii_of(bandit, int(environment.sizes.max()))
    rng = np.random.default_rng(seed)
    count = environment.number_of_global_states
    values = rng.normal(size=count) * 100  # any warm start leads to the same values
    table = rng.integers(0, environment.sizes.size, count)
    process = started(environment.sizes, values, np.zeros(count), table, environment.discount)
    gap, iterations = solve_extended(environment.transitions, radii, rewards, process)
    expected = np.array([nearest_float(exact.values[g]) for g in product(*(range(size) for size in bandit.sizes))])
    scale = max(1.0, expected.max())
    assert 0 <= gap <= 1e-9 * scale
    assert 1 <= iterations <= 30
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-9 * scale)
    assert (values + gap >= expected - 1e-10 * scale).all()


def greedy(estimate, radius, worth):
    """Return the largest gain at discount 1/2 of an arm that pays half of its value in every state, and its row."""
    size = estimate.size
    process, rows = started([size], worth, np.zeros(size), np.zeros(size, np.int64)), np.zeros((size, size))
    model = np.tile(estimate, (1, size, 1)), np.full((1, size), radius), 0.5 * worth[None]
    gain, _, _ = improve(*model, process, 0.0)
    list_moves(*model, process)
    write_rows(process, rows)
    assert (rows == rows[0]).all()
    return gain, rows[0]


@pytest.mark.parametrize("distance", [5e-4, 5e-6, 5e-8])
def test_optimistic_values_keep_all_digits_near_discount_1(distance):
    """With one float per value the error grows with 1 / (1 - discount), up to 10^7 units in the last place."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        laws = rng.multinomial(1024, np.ones(3) / 3, (2, 3)) / 1024
        laws[1] = [[0.25, 0.75, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 0.0]]
        radii, rewards = 0.3 * rng.random((2, 3)), rng.random((2, 3))
        radii[1, 2] = -1.0  # padding beyond an arm's states is ignored
        model = laws, radii, rewards, [3, 2], 1.0 - distance
        found, exact = optimistic_values(*model), exact_optimism(*model)
        values = [nearest_float(exact.values[state]) for state in np.ndindex(3, 2)]
        np.testing.assert_allclose(found.values, values, rtol=8 * 2.0**-53, atol=0)
        for arm, row, state in zip(found.table, found.rows, np.ndindex(3, 2), strict=True):
            assert arm == exact.policy[state]
            assert row[: 3 - arm] == pytest.approx([nearest_float(p) for p in exact.rows[state]], abs=1e-14)
            assert not row[3 - arm :].any()


def started(sizes, values, lows, table, discount=0.5):
    """Return an extended process of these values and arms, of which nothing else is known."""
    return new_extended(np.array(sizes), discount)._replace(values=values, lows=lows, table=table)


def solved_pairs(laws, rewards, discount, start=0.0):
    """Return values, policy, and gap with iterations, of a decision process of (A, G, G) laws and (A, G) rewards."""
    process = dense_process(rewards.shape[1], rewards.shape[0], discount)
    process.values[:] = start
    solved = solve_extended(laws, np.zeros(rewards.shape), rewards, process)
    return process.values, process.table, solved


@pytest.mark.parametrize("before", list(permutations(range(4))))
def test_orders_compare_double_double_sums_whatever_the_start(before):
    # 1 + 3e-20 is below 1 + 5e-20, and both are one float; the low parts alone would give another order
    values, lows = np.array([2.0, 1.0, 0.0, 1.0]), np.array([0.0, 5e-20, 1e-19, 3e-20])
    process = started([4], values, lows, np.zeros(4, np.int64))
    process.orders[0] = before
    model = np.eye(4)[None], np.zeros((1, 4)), np.zeros((1, 4))
    improve(*model, process, 0.0)
    assert process.orders.tolist() == [[2, 3, 1, 0]]
    improve(*model, process._replace(values=np.zeros(4), lows=np.zeros(4)), 0.0)
    assert process.orders.tolist() == [[0, 1, 2, 3]]  # the first of equal states


def test_greedy_row_gives_a_missing_sum_to_the_best_state():
    # 2^-31 less than 1 is within the tolerance of rows; what is counted as a gain is what is written
    gain, row = greedy(np.array([0.5, 0.5 - 2.0**-31]), 2.0, np.array([0.0, 4.0]))
    assert row.tolist() == [0.0, 1.0]
    assert gain == 2.0


def test_greedy_row_caps_a_row_that_sums_above_one():
    # 5e-10 more than 1 is within the tolerance of rows: no mass is left to move
    assert greedy(np.array([1 + 5e-10, 0.0]), 0.0, np.array([1.0, 0.0]))[1].tolist() == [1.0, 0.0]


def improved(rewards, chosen, noise):
    """Improve the choice among arms of one state of value 4, at discount 1/2; also as actions without structure."""
    arms, found = len(rewards), []
    model = np.ones((arms, 1, 1)), np.zeros((arms, 1)), np.array(rewards)[:, None]
    for process in (new_extended(np.ones(arms, np.int64), 0.5), dense_process(1, arms, 0.5)):
        process.values[:], process.table[:] = 4.0, chosen
        found.append((improve(*model, process, noise), int(process.table[0])))
    assert found[0] == found[1]
    return found[0]


def test_improvement_keeps_the_chosen_arm_within_the_tie():
    # each gains its reward less (1 - 1/2) * 4; a noise of 1/4 of the value 4 is a tie of 1
    (gain, rounding, tie), chosen = improved([4.0, 3.0, 4.0], 1, 0.25)
    assert (gain, tie, chosen) == (2.0, 1.0, 1)
    assert rounding < 1e-14
    assert improved([4.0, 2.75, 4.0], 1, 0.25)[1] == 0
    assert improved([4.0, 3.75, 4.0], 1, 0.0)[1] == 0
    assert improved([4.0, 3.75, 4.0], 2, 0.0)[1] == 2
    (_, rounding, tie), _ = improved([4.0], 0, 2.0**-60)
    assert tie == rounding  # the noise is smaller


def test_rounding_bound_of_a_gain_equals_hand_count():
    # four roundings per next state: remaining mass, probability, product, sum; and eight others. They are relative to the
    # largest reward, 2, the difference of values, 3 - 1, and the largest value, 3
    unit, width = 2.0**-53, 2
    laws = np.array([[[0.5, 0.5], [0.25, 0.75]], [[1.0, 0.0], [0.0, 0.0]]])
    rewards, zeros = np.array([[0.5, -2.0], [1.0, 0.0]]), np.zeros(2)
    for sign, discount, arms in product((1.0, -1.0), (0.0, 0.25, 0.75), (1, 2)):  # an arm of one state adds nothing
        values = sign * np.array([1.0, 3.0])
        expected = (4 * width + 8) * unit * (2 + discount * 2 + (1 - discount) * 3)
        process = started([2, 1][:arms], values, zeros, np.zeros(2, np.int64), discount)
        _, rounding, tie = improve(laws[:arms], np.zeros((arms, 2)), rewards[:arms], process, 2.0**-20)
        assert rounding == pytest.approx(expected, rel=1e-12, abs=0)
        assert tie == 3 * 2.0**-20  # noise is of the largest value
        assert process.orders[0].tolist() == ([0, 1] if sign > 0 else [1, 0])


@pytest.mark.parametrize("reward", [3.0, -3.0, 3.0 * 2.0**-30])
@pytest.mark.parametrize("distance", [0.5, 2.0**-20])
def test_optimality_gap_equals_hand_count(reward, distance):
    # one state of reward r and value r / (1 - discount), so that (1 - discount) * value is r; the 12 roundings of a gain
    # of 0 are of r and of r, and are divided by 1 - discount; one more is that of the value
    unit, discount = 2.0**-53, 1 - distance
    one, rewards = np.ones((1, 1, 1)), np.full((1, 1), reward)
    found = optimistic_values(one, [[0.0]], rewards, [1], discount)
    values, _, (gap, iterations) = solved_pairs(one, rewards, discount)
    assert found.values == values == reward / distance
    assert found.iterations == iterations == 1
    assert found.gap == gap == pytest.approx((12 * 2 + 1) * abs(reward) * unit / distance, rel=1e-12, abs=0)


@pytest.mark.parametrize("shift", [0.0, 100.0, -100.0])
def test_iteration_count_does_not_depend_on_start_values(shift):
    # two arms of one state: the better one is found before the first evaluation
    found = optimistic_values(np.ones((2, 1, 1)), np.zeros((2, 1)), [[1.0], [2.0]], [1, 1], 0.5)
    assert (found.iterations, found.table.tolist(), found.values.tolist()) == (1, [1], [4.0])
    assert optimistic_values(np.ones((2, 1, 1)), np.zeros((2, 1)), np.zeros((2, 1)), [1, 1], 0.5).iterations == 1
    # one action of state 1 pays 1 and leads to nothing, the other pays nothing and leads to 4 for ever: that is found
    # after the first evaluation
    laws = np.array([[[0, 1, 0], [0, 1, 0], [0, 0, 1]], [[0, 0, 1], [0, 1, 0], [0, 0, 1]]], dtype=float)
    rewards = np.array([[1.0, 0.0, 4.0], [0.0, 0.0, 4.0]])
    # a common shift of the values decides nothing
    values, policy, (_, iterations) = solved_pairs(laws, rewards, 0.5, shift)
    assert (iterations, policy.tolist(), values.tolist()) == (2, [1, 0, 0], [4.0, 0.0, 8.0])


@pytest.mark.parametrize("seed", [12, 42, 55, 70, 96])
def test_policy_iteration_stops_when_only_rounding_grows(seed):
    # so close to discount 1 rounding can look like a gain for ever: in one of twenty such models
    rng = np.random.default_rng(seed)
    laws = rng.multinomial(1024, np.ones(3) / 3, (2, 3)) / 1024
    radii, rewards = 0.5 * rng.random((2, 3)), rng.random((2, 3))
    discount = 1 - 2.0**-42
    found = optimistic_values(laws, radii, rewards, [3, 3], discount)
    assert found.iterations <= 10
    exact = exact_optimism(laws, radii, rewards, [3, 3], discount).values
    assert max(abs(found.values[3 * x + y] - nearest_float(best)) for (x, y), best in exact.items()) <= found.gap


@pytest.mark.parametrize("sizes", [(4,), (2, 3), (3, 1, 2)])
def test_gains_and_rows_match_exact_sums_in_every_global_state(sizes):
    # values are tied, so that only the low parts of the sums decide gains and rows
    rng, width, arms, count = np.random.default_rng(4), max(sizes), len(sizes), int(np.prod(sizes))
    for _ in range(5):
        laws = np.zeros((arms, width, width))
        for a, size in enumerate(sizes):
            laws[a, :size, :size] = rng.multinomial(64, np.ones(size) / size, size) / 64
        radii, rewards = rng.integers(0, 24, (arms, width)) / 16, rng.random((arms, width))
        values, lows = rng.integers(0, 2, count).astype(float), 1e-18 * rng.permutation(count)
        worth = [value_of_float(v) + value_of_float(low) for v, low in zip(values, lows, strict=True)]
        table, rows = rng.integers(0, arms, count), np.zeros((count, width))
        kept = table.copy()
        process = started(sizes, values, lows, table, 0.75)
        gain, rounding, _ = improve(laws, radii, rewards, process, 0.0)
        list_moves(laws, radii, rewards, process)
        write_rows(process, rows)
        most = []
        for g, state in enumerate(product(*map(range, sizes))):
            gains, best = [], []
            for a, x in enumerate(state):
                after = [worth[np.ravel_multi_index((*state[:a], y, *state[a + 1 :]), sizes)] for y in range(sizes[a])]
                estimate = [value_of_float(p) for p in laws[a, x, : sizes[a]]]
                best.append(best_row(estimate, value_of_float(radii[a, x]), after))
                moved = sum((p * (v - worth[g]) for p, v in zip(best[a], after, strict=True)), fmpq(0))
                gains.append(value_of_float(rewards[a, x]) + fmpq(3, 4) * moved - fmpq(1, 4) * worth[g])
            most.append(max(gains))
            assert table[g] == (kept[g] if gains[kept[g]] == most[g] else gains.index(most[g]))
            assert rows[g, : len(best[table[g]])].tolist() == [nearest_float(p) for p in best[table[g]]]
        assert abs(value_of_float(gain) - max(most)) <= value_of_float(rounding)
