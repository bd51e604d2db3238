from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

import theory
from proofs_checks.trials.strategies import arms, bandits, discounts, priorities, rationals
from tests.examples import examples
from tests.refusals import refusal
from theory import values as values_of
from theory.gittins import continuation_set, values_with_retirement
from theory.values import global_states as all_global_states
from theory.values.conservation import _sum
from theory.values.product import policy_table


@given(st.data(), bandits())
def test_visits_equal_indicator_values_on_the_product(data, bandit):
    # an indicator reward turns a policy's value into the visits of one arm state
    order = data.draw(st.just(theory.gittins_priority(bandit)) | priorities(bandit))
    visits = theory.priority_value(bandit, order).visits
    policy = values_of.priority_policy(bandit, order)
    for a, x in bandit.arm_states:
        of_x = [[int((a, x) == (b, y)) for y in range(arm.size)] for b, arm in enumerate(bandit.arms)]
        arms = [replace(arm, rewards=rewards) for arm, rewards in zip(bandit.arms, of_x, strict=True)]
        assert theory.policy_value(replace(bandit, arms=arms), policy)[bandit.start()] == visits[a][x]


@examples(15)
@given(bandits(max_arms=2, max_size=2))
def test_optimal_value_equals_the_best_deterministic_policy(bandit):
    states = list(product(*(range(size) for size in bandit.sizes)))
    best = dict.fromkeys(states, fmpq(-(10**9)))
    for choice in product(range(len(bandit.arms)), repeat=len(states)):
        for state, value in theory.policy_value(bandit, dict(zip(states, choice, strict=True))).items():
            best[state] = max(best[state], value)
    assert values_of.optimal_value(bandit).values == best


@given(arm=arms(), discount=discounts(), data=st.data())
def test_retirement_function_equals_value_with_a_constant_arm(arm, discount, data):
    m = data.draw(rationals(0, 3)) / (1 - discount)
    x = data.draw(st.integers(0, arm.size - 1))
    with_constant = theory.Bandit([arm, theory.Arm(rewards=[(1 - discount) * m], transitions=[[1]])], discount)
    assert values_of.retirement_function(arm, discount, x)(m) == values_of.optimal_value(with_constant).values[x, 0]


@given(bandits(max_arms=2), st.integers(0, 3), st.data())
def test_finite_horizon_value_matches_the_sum_over_paths(bandit, steps, data):
    arm = st.integers(0, len(bandit.arms) - 1)
    choices = {state: data.draw(arm) for state in product(*(range(size) for size in bandit.sizes))}

    def along_paths(state, remaining):
        if remaining == 0:
            return fmpq(0)
        a = choices[state]
        arm, x = bandit.arms[a], state[a]
        total = arm.rewards[x]
        for y, p in enumerate(arm.transitions[x]):
            total += p * along_paths((*state[:a], y, *state[a + 1 :]), remaining - 1)
        return total

    assert values_of.finite_horizon_value(bandit, choices, steps)[bandit.start()] == along_paths(bandit.start(), steps)


@given(bandits(max_arms=2))
def test_geometric_mixture_bounds_the_discounted_value(bandit):
    longest = 12
    policy = values_of.priority_policy(bandit, theory.gittins_priority(bandit))
    mixture, mass = values_of.geometric_mixture(bandit, policy, longest)
    value = theory.policy_value(bandit, policy)
    largest = max((r for arm in bandit.arms for r in arm.rewards), default=fmpq(0))
    left_out = mass * (longest + 1 / (1 - bandit.discount)) * largest
    assert all(0 <= value[state] - mixture[state] <= left_out for state in value)


def test_gittins_value_of_task_scheduling_matches_retirement():
    bandit = theory.paper_model("task-scheduling")
    assert bandit.number_of_global_states == 11**9
    found = theory.gittins_value(bandit)
    assert theory.decimal_text(found.value, 6) == "8.40343"
    assert found.value == values_of.value_by_retirement(bandit)


def still(size):
    return theory.Arm(rewards=[0] * size, transitions=[[int(x == y) for y in range(size)] for x in range(size)])


@pytest.mark.parametrize(
    ("size", "number", "expected"),
    [
        (2, 12, "has 4096 global states (2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2), beyond 2048"),
        (2, 13, "has 8192 global states (13 arms), beyond 2048"),
        (10, 14, "has 100000000000000 global states (14 arms)"),
        (10, 15, "has about 1e15 global states"),
        (3, 40, "has about 1.22e19 global states (40 arms)"),  # 3^40 = 12157665459056928801
    ],
)
def test_error_rounds_the_product_size_if_it_is_long(size, number, expected):
    error = refusal(all_global_states, theory.Bandit([still(size)] * number, 0), "do something else")
    assert expected in error
    assert error.endswith("; do something else")


def test_global_states_accepts_products_up_to_the_limit():
    bandit = theory.Bandit([still(2)] * 11, 0)
    assert len(all_global_states(bandit, "")) == 2048
    bandit = theory.Bandit([still(2), still(3)], 0)
    assert all_global_states(bandit, "", largest=6) == list(product(range(2), range(3)))
    assert "has 6 global states (2 * 3), beyond 5" in refusal(all_global_states, bandit, "", largest=5)


def test_policy_table_accepts_functions_and_dicts_of_integers():
    bandit = theory.Bandit([still(1), still(2)], 0, [0, 0])
    for policy in (lambda state: np.int64(state[1]), {(0, 0): 0, (0, 1): np.int8(1)}):
        table = policy_table(bandit, policy)
        assert table == {(0, 0): 0, (0, 1): 1}
        assert all(type(arm) is int for arm in table.values())


@given(st.lists(rationals(-1, 1), min_size=1, max_size=9))
def test_pairwise_sum_equals_the_sequential_sum(terms):
    assert _sum(list(terms)) == sum(terms, fmpq(0))


@pytest.mark.parametrize(
    "policy", [lambda _: 7, lambda _: 0.0, {(0, 0): 0}, lambda _: 2, lambda _: -1, lambda _: True, lambda _: None]
)
def test_policy_value_names_the_state_of_an_unknown_arm(policy):
    with pytest.raises(theory.ModelError, match=r"policy, global state \(.*\): .* is not an arm; arms are 0\.\.1"):
        theory.policy_value(theory.paper_model("counterexample-m1"), policy)


@examples(35)
@given(bandit=bandits(low=-1, high=1))
def test_retirement_mixture_equals_the_optimal_value(bandit):
    optimum = values_of.optimal_value(bandit).values
    for state in optimum:
        for a, arm in enumerate(bandit.arms):
            mixture = values_of.retirement_mixture(bandit, a, state)
            assert mixture.values == tuple(optimum[values_of.moved(state, a, y)] for y in range(arm.size))
            assert all(weight >= 0 for weight in mixture.weights)
            assert sum(mixture.weights) == 1
            assert mixture.constant >= 0
            assert len(mixture.levels) <= arm.size


@examples(35)
@given(arm=arms(), discount=discounts())
def test_extreme_functions_solve_the_stopping_problem(arm, discount):
    levels, functions = values_of.extreme_functions(arm, discount)
    for m, function in zip(levels, functions, strict=True):
        inside = continuation_set(arm, discount, m)
        assert function == values_with_retirement(theory.stopped_chain(arm, discount, inside), discount, m)
    assert functions[0] == theory.stopped_chain(arm, discount, range(arm.size)).reward
    assert set(functions[-1]) == {levels[-1]}


@pytest.mark.parametrize(
    ("reward", "weights", "constant"),
    [(0, (1, 0), 0), ("1/4", ("3/4", "1/4"), 0), ("1/2", ("1/2", "1/2"), 0), (3, (0, 1), 4)],
)
def test_constant_arm_interpolates_mixture_weights(reward, weights, constant):
    # breakpoints 0 and 2; the constant arm is worth 2 * reward, and the weights interpolate; what is above 2 is added
    arm = theory.Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]])
    bandit = theory.Bandit([arm, theory.Arm(rewards=[reward], transitions=[[1]])], "1/2")
    mixture = values_of.retirement_mixture(bandit, 0, [0, 0])
    assert (mixture.levels, mixture.constant) == ((0, 2), constant)
    assert mixture.weights == tuple(map(theory.rational, weights))
    if constant:
        assert mixture.values == (6, 6)
