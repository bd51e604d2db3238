"""QuantEcon's policy iteration and SciPy's linear programming (HiGHS), in floating point, against exact values and indices.

QuantEcon solves the product of the arms, and the restart problem of each state. HiGHS solves the dual of the product's
decision process, over discounted frequencies of states and actions; and it finds the index of a state as the ratio of
discounted reward to discounted time, maximised over frequencies of play that stops.
"""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given

from proofs_checks.trials.strategies import arms, bandits, discounts
from tests.examples import examples
from tests.peers.models import as_arrays, as_floats, product_chain, product_process, random_arm
from theory import gittins_indices, gittins_value, nearest_float

pytestmark = pytest.mark.peers

LEAST = 1e-10  # tolerance of constraints, the smallest that HiGHS takes


class QuantEcon:
    tolerance, largest_discount = 1e-13, 1

    def __init__(self):
        pytest.importorskip("quantecon", reason="QuantEcon needs the extra 'peers'")

    def optimal_values(self, rewards, transitions, beta):
        from quantecon.markov import DiscreteDP  # which compiles functions when it is imported

        return DiscreteDP(rewards, transitions, beta).solve(method="policy_iteration").v

    def value(self, rewards, transitions, start, beta):
        return self.optimal_values(rewards, transitions, beta)[start]

    def index(self, Q, r, home, beta):
        """Return (1 - beta) times the optimal value in `home` when each step may restart from it."""
        rewards = np.stack([r, np.full(len(r), r[home])], axis=1)
        transitions = np.stack([Q, np.tile(Q[home], (len(r), 1))], axis=1)
        return (1 - beta) * self.optimal_values(rewards, transitions, beta)[home]


class HiGHS:
    tolerance, largest_discount = 100 * LEAST, fmpq(99, 100)  # beyond, it is too large for a comparison

    def minimum(self, cost, **constraints):
        from scipy.optimize import linprog

        options = {"primal_feasibility_tolerance": LEAST, "dual_feasibility_tolerance": LEAST}
        solution = linprog(cost, **constraints, method="highs", options=options)
        assert solution.success, solution.message
        return solution.fun

    def value(self, rewards, transitions, start, beta):
        """Return the largest reward of any discounted frequencies of states and actions with flow 1 out of the start."""
        states, actions = rewards.shape
        rows = (np.eye(states)[:, None, :] - beta * transitions).reshape(states * actions, states)
        return -self.minimum(-rewards.ravel(), A_eq=rows.T, b_eq=np.eye(states)[start], bounds=(0, None))

    def index(self, Q, r, home, beta):
        """Return the largest sum of r z over discounted frequencies z >= 0 of play, sum z = 1, started k >= 0 times.

        z(y) <= k [y = home] + beta * sum over x of z(x) Q(x, y), for play may stop but not come out of nothing.
        """
        states = np.eye(len(r))
        flow = np.hstack([states - beta * Q.T, -states[:, [home]]])
        whole = {"A_eq": [[1.0] * len(r) + [0.0]], "b_eq": [1.0]}
        return -self.minimum(-np.append(r, 0.0), A_ub=flow, b_ub=np.zeros(len(r)), bounds=(0, None), **whole)


def assert_same_value(solver, bandit):
    beta = nearest_float(bandit.discount)
    matrices, rewards = product_process([as_arrays(arm) for arm in bandit.arms])
    transitions = np.stack([matrix.toarray() for matrix in matrices], axis=1)
    theirs = solver.value(rewards, transitions, np.ravel_multi_index(bandit.initial, bandit.sizes), beta)
    ours = nearest_float(gittins_value(bandit).value)
    assert theirs == pytest.approx(ours, rel=0, abs=solver.tolerance / (1 - beta) ** 2)


def assert_same_indices(solver, arm, discount):
    beta = nearest_float(discount)
    theirs = [solver.index(*as_arrays(arm), home, beta) for home in range(arm.size)]
    expected = as_floats(gittins_indices(arm, discount))
    np.testing.assert_allclose(theirs, expected, rtol=0, atol=solver.tolerance / (1 - beta))


@pytest.fixture(params=[QuantEcon, HiGHS], scope="module")
def solver(request):
    return request.param()


@pytest.mark.parametrize("arms", [2, 3])
def test_value_matches_ours_on_product_chains(solver, arms):
    assert_same_value(solver, product_chain(arms))


@examples(35)
@given(bandit=bandits())
def test_value_matches_ours_on_drawn_bandits(solver, bandit):
    if bandit.discount <= solver.largest_discount:
        assert_same_value(solver, bandit)


@examples(35)
@given(arm=arms(max_size=6), discount=discounts())
def test_indices_match_ours_on_drawn_arms(solver, arm, discount):
    if discount <= solver.largest_discount:
        assert_same_indices(solver, arm, discount)


def test_indices_match_ours_on_50_states(solver):
    assert_same_indices(solver, random_arm(50), fmpq(99, 100))
