"""Gittins indices by the package markovianbandit-pkg (Gast, Gaujal and Khun 2023), in floating point."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given

from proofs_checks.strategies import arms, discounts
from tests.examples import examples
from tests.peers.models import as_arrays, as_floats, random_arm
from theory import gittins_indices, nearest_float, paper_model

markovianbandit = pytest.importorskip("markovianbandit", reason="markovianbandit-pkg needs the extra 'peers'")
pytestmark = pytest.mark.peers


def assert_same_indices(arm, discount):
    beta = nearest_float(discount)
    with np.errstate(over="ignore", invalid="ignore"):  # as in `tests.peers.test_conformance_of_peers`
        theirs = markovianbandit.rested_bandit_from_P1_R1(*as_arrays(arm)).gittins_indices(discount=beta)
    # its error grows as the square of the horizon: at discount 9999/10000 only 7 or 8 digits are left
    np.testing.assert_allclose(theirs, as_floats(gittins_indices(arm, discount)), rtol=0, atol=2e-14 / (1 - beta) ** 2)


@pytest.mark.parametrize("name", ["counterexample-m1", "counterexample-m2", "random-walk", "task-scheduling"])
def test_the_arms_of_the_papers_models(name):
    bandit = paper_model(name)
    for arm in bandit.arms:
        assert_same_indices(arm, bandit.discount)


@examples(100)
@given(arm=arms(min_size=2, max_size=6), discount=discounts())
def test_any_arm(arm, discount):
    assert_same_indices(arm, discount)


@pytest.mark.parametrize("size", [50, 100])
def test_many_states(size):
    assert_same_indices(random_arm(size), fmpq(99, 100))
