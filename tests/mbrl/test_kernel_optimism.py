"""Extended value iteration and policy iteration against the exact core."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

import theory
from mbrl.environments import from_bandit
from mbrl.kernels.decision import improve_pairs, solve_decision_process
from mbrl.kernels.extended import (
    greedy_gain,
    greedy_row,
    improve,
    optimistic_values,
    order_by_value,
    solve_extended,
)
from proofs_checks.strategies import bandits, probability_rows
from tests.examples import examples
from theory import nearest_float, value_of_float
from theory.optimism import best_row
from theory.values import optimal_value


def radii_of(bandit, width):
    rewards, rows = np.zeros((len(bandit.arms), width)), np.zeros((len(bandit.arms), width))
    for a, arm in enumerate(bandit.arms):
        rewards[a, : arm.size] = [
            nearest_float(r) + nearest_float(b) for r, b in zip(arm.rewards, arm.reward_radius, strict=True)
        ]
        rows[a, : arm.size] = [nearest_float(b) for b in arm.transition_radius]
    return rewards, rows


@examples(150)
@given(bandit=bandits(radii=True), seed=st.integers(0, 1000))
def test_extended_value_iteration_equals_the_exact_one(bandit, seed):
    exact = theory.optimistic_value(bandit)
    environment = from_bandit(bandit, "any")
    rewards, radii = radii_of(bandit, int(environment.sizes.max()))
    rng = np.random.default_rng(seed)
    count = environment.number_of_global_states
    values = rng.normal(size=count) * 100  # any warm start leads to the same values
    table = rng.integers(0, environment.sizes.size, count)
    rows = np.zeros((count, int(environment.sizes.max())))
    gap, iterations = solve_extended(
        environment.transitions, radii, rewards, environment.sizes, environment.discount, values, table, rows
    )
    expected = np.array([nearest_float(exact.values[g]) for g in product(*(range(size) for size in bandit.sizes))])
    scale = max(1.0, expected.max())
    assert 0 <= gap <= 1e-9 * scale
    assert 1 <= iterations <= 30
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-9 * scale)
    assert (values + gap >= expected - 1e-10 * scale).all()


@examples(150)
@given(data=st.data(), size=st.integers(1, 6), radius=st.sampled_from(["0", "1/10", "1/2", "1", "2", "5"]))
def test_greedy_row_attains_the_exact_maximum(data, size, radius):
    estimate = data.draw(probability_rows(size))
    values = [fmpq(v) for v in data.draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))]
    exact = sum(
        (p * v for p, v in zip(best_row(estimate, fmpq(theory.rational(radius)), values), values, strict=True)), fmpq(0)
    )
    worth, order, row = np.array([float(int(v.p)) for v in values]), np.empty(size, np.int64), np.empty(size)
    order_by_value(worth, np.zeros(size), order)
    centre = np.array([nearest_float(p) for p in estimate])
    greedy_row(centre, nearest_float(theory.rational(radius)), order, row)
    assert abs(row @ worth - nearest_float(exact)) <= 1e-12
    gain = greedy_gain(centre, nearest_float(theory.rational(radius)), worth, np.zeros(size), order, 0)
    assert abs(gain - (nearest_float(exact) - worth[0])) <= 1e-12
    assert abs(row.sum() - 1) <= 1e-12
    assert row.min() >= 0
    assert np.abs(row - centre).sum() <= nearest_float(theory.rational(radius)) + 1e-12


def dense(environment):
    """The global process without its structure."""
    sizes = environment.sizes
    states = list(product(*(range(size) for size in sizes)))
    laws = np.zeros((len(states), sizes.size, len(states)))
    rewards = np.zeros((len(states), sizes.size))
    for g, state in enumerate(states):
        for a, x in enumerate(state):
            rewards[g, a] = environment.rewards[a, x] * environment.unit
            for y in range(sizes[a]):
                laws[g, a, states.index((*state[:a], y, *state[a + 1 :]))] += environment.transitions[a, x, y]
    return laws, rewards


@examples(60)
@given(bandit=bandits())
def test_policy_iteration_on_the_global_process_equals_the_exact_optimum(bandit):
    environment = from_bandit(bandit, "any")
    laws, rewards = dense(environment)
    values, policy = np.zeros(len(rewards)), np.zeros(len(rewards), dtype=np.int64)
    gap, iterations = solve_decision_process(
        laws, np.zeros(rewards.shape), rewards, environment.discount, values, policy
    )
    exact = optimal_value(bandit).values
    expected = np.array([nearest_float(exact[g]) for g in product(*(range(size) for size in bandit.sizes))])
    assert gap >= 0
    assert 1 <= iterations <= 30
    np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)


@examples(60)
@given(bandit=bandits(max_arms=1, max_size=5, radii=True))
def test_extended_policy_iteration_agrees_for_one_arm(bandit):
    # with one arm the global process is the arm, and the two extended processes are the same
    environment = from_bandit(bandit, "any")
    laws, _ = dense(environment)
    rewards, radii = radii_of(bandit, int(environment.sizes.max()))
    values, policy = np.zeros(len(laws)), np.zeros(len(laws), dtype=np.int64)
    solve_decision_process(laws, radii.T.copy(), rewards.T.copy(), environment.discount, values, policy)
    exact = theory.optimistic_value(bandit).values
    np.testing.assert_allclose(values, [nearest_float(exact[(x,)]) for x in range(len(laws))], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("distance", [5e-4, 5e-6, 5e-8])
def test_optimistic_values_close_to_discount_1_have_all_digits(distance):
    """What one float a value loses there grows with 1 / (1 - discount): up to 10^7 units in the last place."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        laws = rng.multinomial(1024, np.ones(3) / 3, (2, 3)) / 1024
        radii, rewards = 0.3 * rng.random((2, 3)), rng.random((2, 3))
        discount = 1.0 - distance
        of_arms = optimistic_values(laws, radii, rewards, [3, 3], discount)
        exact = optimistic_values(laws, radii, rewards, [3, 3], discount, exact=True)
        np.testing.assert_allclose(of_arms.values, exact.values, rtol=8 * 2.0**-53, atol=0)
        process, gains = dense(SimpleNamespace(sizes=np.array([3, 3]), transitions=laws, rewards=rewards, unit=1.0))
        values, policy = np.zeros(9), np.zeros(9, dtype=np.int64)
        solve_decision_process(process, np.zeros((9, 2)), gains, discount, values, policy)
        exact = optimistic_values(laws, np.zeros((2, 3)), rewards, [3, 3], discount, exact=True)
        np.testing.assert_allclose(values, exact.values, rtol=8 * 2.0**-53, atol=0)


def exact_gain(laws, radii, rewards, discount, values, lows):
    """The largest of what each state of an arm gains in one step, of floats taken as the numbers that they are."""
    worth = [value_of_float(v) + value_of_float(low) for v, low in zip(values, lows, strict=True)]
    gains = []
    for x, row in enumerate(laws):
        best = best_row([value_of_float(p) for p in row], value_of_float(radii[x]), worth)
        moved = sum((p * (v - worth[x]) for p, v in zip(best, worth, strict=True)), fmpq(0))
        gains.append(
            value_of_float(rewards[x]) + value_of_float(discount) * moved - (1 - value_of_float(discount)) * worth[x]
        )
    return max(gains)


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize(("reward", "level", "spread"), list(product([1e-15, 1.0], repeat=3)))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_gain_is_within_its_rounding_of_the_exact_one(size, reward, level, spread, sign):
    # each of rewards, values and their differences can be what is rounded, all others being next to nothing; where
    # values are negative, the largest gain is that of the value of largest size
    rng = np.random.default_rng(1)
    for discount in (0.001, 0.1, 0.7, 0.99):
        for radius in (0.0, 0.375):
            laws = rng.multinomial(1024, np.ones(size) / size, size) / 1024  # sums are 1 in floats too
            radii, rewards = np.full(size, radius), reward * rng.random(size)
            away = rng.random(size)
            away[1:2] = 0.0  # the smallest and the largest value are far apart, next to what they have in common
            values = sign * (level * rng.random() + spread * away)
            lows = 1e-10 * spread * rng.random(size)  # the order by value is that of the sums, and they are felt
            lows[np.argsort(values)] = np.sort(lows)
            exact = exact_gain(laws, radii, rewards, discount, values, lows)
            order, policy = np.empty(size, np.int64), np.zeros(size, np.int64)
            of_pairs = improve_pairs(
                laws[:, None], radii[:, None], rewards[:, None], discount, values, lows, 0.0, policy, order
            )
            of_arms = improve(
                laws[None], radii[None], rewards[None], np.array([size]), discount, values, lows, 0.0, policy, laws * 1
            )
            for gain, rounding, tie in (of_pairs, of_arms):
                assert abs(value_of_float(gain) - exact) <= value_of_float(rounding)
                assert tie == rounding  # without noise
                assert rounding <= 1e-14 * (4 * size + 8) * (reward + level + spread)
