"""QuantEcon's policy iteration, in floating point: on the product of the arms, and on the restart problem of one."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given

from proofs_checks.trials.strategies import arms, bandits, discounts
from tests.examples import examples
from tests.peers.models import as_arrays, as_floats, product_chain, product_process, random_arm
from theory import gittins_indices, gittins_value, nearest_float

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(find_spec("quantecon") is None, reason="QuantEcon needs the extra 'peers'"),
]


def optimal_values(rewards, transitions, beta):
    from quantecon.markov import DiscreteDP  # which compiles functions when it is imported

    return DiscreteDP(rewards, transitions, beta).solve(method="policy_iteration").v


def assert_same_optimal_value(bandit):
    beta = nearest_float(bandit.discount)
    rewards, transitions, number = product_process(bandit)
    theirs = optimal_values(rewards, transitions, beta)[number[bandit.initial]]
    ours = nearest_float(gittins_value(bandit).value)
    assert theirs == pytest.approx(ours, rel=0, abs=1e-13 / (1 - beta) ** 2)


def assert_same_indices(arm, discount):
    """The index of x is (1 - beta) times the optimal value in x when each step may restart from x."""
    beta = nearest_float(discount)
    Q, r = as_arrays(arm)
    theirs = []
    for home in range(arm.size):
        rewards = np.stack([r, np.full(arm.size, r[home])], axis=1)
        transitions = np.stack([Q, np.tile(Q[home], (arm.size, 1))], axis=1)
        theirs.append((1 - beta) * optimal_values(rewards, transitions, beta)[home])
    np.testing.assert_allclose(theirs, as_floats(gittins_indices(arm, discount)), rtol=0, atol=1e-13 / (1 - beta))


@pytest.mark.parametrize("arms", [2, 3])
def test_quantecon_value_matches_ours_on_product_chains(arms):
    assert_same_optimal_value(product_chain(arms))


@examples(35)
@given(bandit=bandits())
def test_quantecon_value_matches_ours_on_drawn_bandits(bandit):
    assert_same_optimal_value(bandit)


@examples(35)
@given(arm=arms(max_size=6), discount=discounts())
def test_restart_indices_match_ours_on_drawn_arms(arm, discount):
    assert_same_indices(arm, discount)


def test_restart_indices_match_ours_on_50_states():
    assert_same_indices(random_arm(50), fmpq(99, 100))
