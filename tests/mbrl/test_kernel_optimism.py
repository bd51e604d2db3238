"""Extended value iteration and policy iteration against the exact core."""

from itertools import permutations, product
from types import SimpleNamespace

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
from proofs_checks.trials.strategies import bandits, probability_rows
from tests.examples import examples
from tests.mbrl.exactly import exact_optimism, exact_optimistic_values
from theory import nearest_float, value_of_float
from theory.optimism import best_row
from theory.values import optimal_value


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


@examples(35)
@given(data=st.data(), size=st.integers(1, 6), radius=st.sampled_from(["0", "1/10", "1/2", "1", "2", "5"]))
def test_greedy_row_attains_the_exact_maximum(data, size, radius):
    estimate = data.draw(probability_rows(size))
    values = [fmpq(v) for v in data.draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))]
    best = best_row(estimate, fmpq(theory.rational(radius)), values)
    exact = sum((p * v for p, v in zip(best, values, strict=True)), fmpq(0))
    worth = np.array([float(int(v.p)) for v in values])
    centre = np.array([nearest_float(p) for p in estimate])
    gain, row = greedy(centre, nearest_float(theory.rational(radius)), worth)
    assert abs(row @ worth - nearest_float(exact)) <= 1e-12
    assert abs(gain - (nearest_float(exact) - worth.min()) / 2) <= 1e-12
    assert abs(row.sum() - 1) <= 1e-12
    assert row.min() >= 0
    assert np.abs(row - centre).sum() <= nearest_float(theory.rational(radius)) + 1e-12


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


def dense(environment):
    """Return the product of the arms as one decision process: laws (n, G, G) and rewards (n, G)."""
    sizes = environment.sizes
    states = list(product(*(range(size) for size in sizes)))
    laws = np.zeros((sizes.size, len(states), len(states)))
    rewards = np.zeros((sizes.size, len(states)))
    for g, state in enumerate(states):
        for a, x in enumerate(state):
            rewards[a, g] = environment.rewards[a, x]
            for y in range(sizes[a]):
                laws[a, g, states.index((*state[:a], y, *state[a + 1 :]))] += environment.transitions[a, x, y]
    return laws, rewards


@examples(35)
@given(bandit=bandits())
def test_policy_iteration_on_the_product_matches_exact_optimum(bandit):
    environment = from_bandit(bandit, "any")
    laws, rewards = dense(environment)
    values, _, (gap, iterations) = solved_pairs(laws, rewards, environment.discount)
    exact = optimal_value(bandit).values
    expected = np.array([nearest_float(exact[g]) for g in product(*(range(size) for size in bandit.sizes))])
    assert gap >= 0
    assert 1 <= iterations <= 30
    np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("distance", [5e-4, 5e-6, 5e-8])
def test_optimistic_values_keep_all_digits_near_discount_1(distance):
    """With one float per value the error grows with 1 / (1 - discount), up to 10^7 units in the last place."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        laws = rng.multinomial(1024, np.ones(3) / 3, (2, 3)) / 1024
        radii, rewards = 0.3 * rng.random((2, 3)), rng.random((2, 3))
        discount = 1.0 - distance
        of_arms = optimistic_values(laws, radii, rewards, [3, 3], discount)
        exact = exact_optimistic_values(laws, radii, rewards, [3, 3], discount)
        np.testing.assert_allclose(of_arms.values, exact, rtol=8 * 2.0**-53, atol=0)
        process, gains = dense(SimpleNamespace(sizes=np.array([3, 3]), transitions=laws, rewards=rewards, unit=1.0))
        values, _, _ = solved_pairs(process, gains, discount)
        exact = exact_optimistic_values(laws, np.zeros((2, 3)), rewards, [3, 3], discount)
        np.testing.assert_allclose(values, exact, rtol=8 * 2.0**-53, atol=0)


def exact_gain(laws, radii, rewards, discount, values, lows):
    """Return the largest one-step gain over the states of an arm, in exact arithmetic on the given floats."""
    worth = [value_of_float(v) + value_of_float(low) for v, low in zip(values, lows, strict=True)]
    gains = []
    for x, row in enumerate(laws):
        best = best_row([value_of_float(p) for p in row], value_of_float(radii[x]), worth)
        moved = sum((p * (v - worth[x]) for p, v in zip(best, worth, strict=True)), fmpq(0))
        beta = value_of_float(discount)
        gains.append(value_of_float(rewards[x]) + beta * moved - (1 - beta) * worth[x])
    return max(gains)


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize(("reward", "level", "spread"), list(product([1e-15, 1.0], repeat=3)))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_float_gain_is_within_its_bound_of_the_exact_gain(size, reward, level, spread, sign):
    # the rounding of rewards, of values or of their differences dominates in turn, the others being tiny; for negative
    # values the largest gain is that of the value of largest size
    rng = np.random.default_rng(1)
    for discount in (0.001, 0.1, 0.7, 0.99):
        for radius in (0.0, 0.375):
            laws = rng.multinomial(1024, np.ones(size) / size, size) / 1024  # sums are 1 in floats too
            radii, rewards = np.full(size, radius), reward * rng.random(size)
            away = rng.random(size)
            away[1:2] = 0.0  # values differ much, relative to their common level
            values = sign * (level * rng.random() + spread * away)
            lows = 1e-10 * spread * rng.random(size)  # low parts keep the order of values, and matter
            lows[np.argsort(values)] = np.sort(lows)
            exact = exact_gain(laws, radii, rewards, discount, values, lows)
            process = started([size], values, lows, np.zeros(size, np.int64), discount)
            gain, rounding, tie = improve(laws[None], radii[None], rewards[None], process, 0.0)
            assert abs(value_of_float(gain) - exact) <= value_of_float(rounding)
            assert tie == rounding  # without noise
            assert rounding <= 1e-14 * (4 * size + 8) * (reward + level + spread)


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
    for sign in (1.0, -1.0):
        for discount in (0.0, 0.25, 0.75):
            laws, rewards = np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([0.5, -2.0])
            values, zeros = sign * np.array([1.0, 3.0]), np.zeros(2)
            expected = (4 * width + 8) * unit * (2 + discount * 2 + (1 - discount) * 3)
            process = started([2], values, zeros, np.zeros(2, np.int64), discount)
            _, rounding, tie = improve(laws[None], np.zeros((1, 2)), rewards[None], process, 2.0**-20)
            assert rounding == pytest.approx(expected, rel=1e-12, abs=0)
            assert tie == 3 * 2.0**-20  # noise is of the largest value
            assert process.orders.tolist() == ([[0, 1]] if sign > 0 else [[1, 0]])
            # a second arm, of one state, makes no difference
            laws = np.array([laws, [[1.0, 0.0], [0.0, 0.0]]])
            rewards = np.array([rewards, [1.0, 0.0]])
            process = started([2, 1], values, zeros, np.zeros(2, np.int64), discount)
            _, rounding, tie = improve(laws, np.zeros((2, 2)), rewards, process, 2.0**-20)
            assert rounding == pytest.approx(expected, rel=1e-12, abs=0)
            assert tie == 3 * 2.0**-20  # noise is of the largest value


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
    # the first arm leads from its state 1 to its state 2 and stays; the second pays 3/4 whenever it is played. In state 1
    # it is better to play the first arm twice, which pays nothing first, and then 4 for ever
    model = (np.array([[[0.0, 1.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]]), np.zeros((2, 2)))
    rewards, sizes = np.array([[0.0, 4.0], [0.75, 0.0]]), np.array([2, 1])
    process = started(sizes, np.full(2, shift), np.zeros(2), np.zeros(2, np.int64))
    _, iterations = solve_extended(*model, rewards, process)
    assert (iterations, process.table.tolist(), process.values.tolist()) == (2, [0, 0], [4.0, 8.0])
    assert optimistic_values(*model, rewards, sizes, 0.5).rows.tolist() == [[0.0, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize("seed", [12, 42, 55, 70, 96])
def test_policy_iteration_stops_when_only_rounding_grows(seed):
    # so close to discount 1 rounding can look like a gain for ever: in one of twenty such models
    rng = np.random.default_rng(seed)
    laws = rng.multinomial(1024, np.ones(3) / 3, (2, 3)) / 1024
    radii, rewards = 0.5 * rng.random((2, 3)), rng.random((2, 3))
    discount = 1 - 2.0**-42
    found = optimistic_values(laws, radii, rewards, [3, 3], discount)
    assert found.iterations <= 10
    exact = exact_optimistic_values(laws, radii, rewards, [3, 3], discount)
    assert (np.abs(found.values - exact) <= found.gap).all()


def test_optimistic_values_of_arms_of_unequal_size_match_exact_values():
    rng = np.random.default_rng(2)
    sizes, laws = [1, 3, 2], np.zeros((3, 3, 3))
    for a, size in enumerate(sizes):
        laws[a, :size, :size] = rng.multinomial(1024, np.ones(size) / size, size) / 1024
    radii, rewards = 0.25 * rng.random((3, 3)), -rng.random((3, 3))
    radii[0, 1:] = radii[2, 2:] = -1.0  # padding beyond an arm's states is ignored
    found = optimistic_values(laws, radii, rewards, sizes, 0.75)
    np.testing.assert_allclose(found.values, exact_optimistic_values(laws, radii, rewards, sizes, 0.75), rtol=1e-14)
    exact = exact_optimism(laws, radii, rewards, sizes, 0.75)
    for row, arm, state in zip(found.rows, found.table, np.ndindex(*sizes), strict=True):
        assert arm == exact.policy[state]
        np.testing.assert_allclose(row[: sizes[arm]], [nearest_float(p) for p in exact.rows[state]], atol=1e-14)
        assert not row[sizes[arm] :].any()


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
