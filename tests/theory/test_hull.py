"""The optimal value as a mixture of retirement functions, against policy iteration on the product."""

from __future__ import annotations

import pytest
from flint import fmpq
from hypothesis import given

from proofs_checks.trials.strategies import arms, bandits, discounts
from tests.examples import examples
from theory import Arm, Bandit, Exact, rational, stopped_chain
from theory.gittins import continuation_set, values_with_retirement
from theory.values import extreme_functions, moved, optimal_value, retirement_mixture


@examples(35)
@given(bandit=bandits(low=-1, high=1))
def test_retirement_mixture_equals_the_optimal_value(bandit: Bandit) -> None:
    optimum = optimal_value(bandit).values
    for state in optimum:
        for a, arm in enumerate(bandit.arms):
            mixture = retirement_mixture(bandit, a, state)
            assert mixture.values == tuple(optimum[moved(state, a, y)] for y in range(arm.size))
            assert all(weight >= 0 for weight in mixture.weights)
            assert sum(mixture.weights) == 1
            assert mixture.constant >= 0
            assert len(mixture.levels) <= arm.size


@examples(35)
@given(arm=arms(), discount=discounts())
def test_extreme_functions_solve_the_stopping_problem(arm: Arm, discount: fmpq) -> None:
    levels, functions = extreme_functions(arm, discount)
    for m, function in zip(levels, functions, strict=True):
        inside = continuation_set(arm, discount, m)
        assert function == values_with_retirement(stopped_chain(arm, discount, inside), discount, m)
    assert functions[0] == stopped_chain(arm, discount, range(arm.size)).reward
    assert set(functions[-1]) == {levels[-1]}


@pytest.mark.parametrize(
    ("reward", "weights", "constant"),
    [(0, (1, 0), 0), ("1/4", ("3/4", "1/4"), 0), ("1/2", ("1/2", "1/2"), 0), (3, (0, 1), 4)],
)
def test_constant_arm_interpolates_mixture_weights(reward: Exact, weights: tuple[Exact, ...], constant: int) -> None:
    # breakpoints 0 and 2; the constant arm is worth 2 * reward, and the weights interpolate; what is above 2 is added
    arm = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]])
    bandit = Bandit([arm, Arm(rewards=[reward], transitions=[[1]])], "1/2")
    mixture = retirement_mixture(bandit, 0, [0, 0])
    assert (mixture.levels, mixture.constant) == ((0, 2), constant)
    assert mixture.weights == tuple(map(rational, weights))
    if constant:
        assert mixture.values == (6, 6)
