"""SciPy's linear programming (HiGHS), in floating point, on two programs.

The dual of the product's decision process, over discounted frequencies of states and actions. The index of a state: the
ratio of discounted reward to discounted time, maximised over frequencies of play that stops.
"""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.trials.strategies import arms, bandits, discounts
from tests.examples import examples
from tests.peers.models import as_arrays, as_floats, product_chain, product_process, random_arm
from theory import gittins_indices, gittins_value, nearest_float

pytestmark = pytest.mark.peers

TOLERANCE = 1e-10  # of constraints, the smallest that HiGHS takes
# for larger discounts the tolerance times the squared horizon is too large for a comparison
MODERATE = discounts().filter(lambda beta: 100 * beta <= 99)


def minimum(cost, **constraints):
    from scipy.optimize import linprog

    options = {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}
    solution = linprog(cost, **constraints, method="highs", options=options)
    assert solution.success, solution.message
    return solution.fun


def value_by_frequencies(bandit):
    """The largest reward of any discounted frequencies of states and actions with flow 1 out of the start."""
    beta = nearest_float(bandit.discount)
    rewards, transitions, number = product_process(bandit)
    states, actions = rewards.shape
    rows = (np.eye(states)[:, None, :] - beta * transitions).reshape(states * actions, states)
    start = np.zeros(states)
    start[number[bandit.initial]] = 1
    return -minimum(-rewards.ravel(), A_eq=rows.T, b_eq=start, bounds=(0, None))


def index_by_stopping(arm, discount, home):
    """The largest sum of r z over discounted frequencies z >= 0 of play, sum z = 1, started in `home` k >= 0 times:

    z(y) <= k [y = home] + beta * sum over x of z(x) Q(x, y), for play may stop but not come out of nothing.
    """
    beta = nearest_float(discount)
    Q, r = as_arrays(arm)
    started = np.zeros((arm.size, 1))
    started[home] = 1
    return -minimum(-np.append(r, 0.0), A_ub=np.hstack([np.eye(arm.size) - beta * Q.T, -started]),
        b_ub=np.zeros(arm.size), A_eq=[[1.0] * arm.size + [0.0]], b_eq=[1.0], bounds=(0, None))  # fmt: skip


def assert_same_value(bandit):
    horizon = 1 / (1 - nearest_float(bandit.discount))
    expected = nearest_float(gittins_value(bandit).value)
    assert value_by_frequencies(bandit) == pytest.approx(expected, rel=0, abs=100 * TOLERANCE * horizon**2)


def assert_same_indices(arm, discount):
    horizon = 1 / (1 - nearest_float(discount))
    theirs = [index_by_stopping(arm, discount, home) for home in range(arm.size)]
    expected = as_floats(gittins_indices(arm, discount))
    np.testing.assert_allclose(theirs, expected, rtol=0, atol=100 * TOLERANCE * horizon)


@pytest.mark.parametrize("arms", [2, 3])
def test_linear_program_value_matches_ours_on_product_chains(arms):
    assert_same_value(product_chain(arms))


@given(data=st.data())
def test_linear_program_value_matches_ours_on_drawn_bandits(data):
    assert_same_value(data.draw(bandits().filter(lambda bandit: 100 * bandit.discount <= 99)))


@examples(35)
@given(arm=arms(max_size=6), discount=MODERATE)
def test_stopping_indices_match_ours_on_drawn_arms(arm, discount):
    assert_same_indices(arm, discount)


def test_stopping_indices_match_ours_on_40_states():
    assert_same_indices(random_arm(40), fmpq(99, 100))
