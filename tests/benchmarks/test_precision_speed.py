"""Speed of indices for all discounts, and of enclosures. Run with ``pytest tests/benchmarks -q``."""

from __future__ import annotations

import pytest
from flint import fmpq

from tests.peers.models import random_arm
from theory import gittins_indices
from theory.enclosures import EnclosedArm, EnclosedBandit, agrees, enclosed_indices, mpmath_indices
from theory.parametric import parametric_indices, refutation

DISCOUNT = fmpq(99, 100)


@pytest.mark.parametrize("size", [12, 20])
def test_indices_for_all_discounts_against_one(compare, size):
    arm = random_arm(size)
    assert parametric_indices(arm).indices_at(DISCOUNT) == gittins_indices(arm, DISCOUNT)
    compare(
        f"exact indices, {size} states: for all discounts over for one",
        lambda: parametric_indices(arm),
        lambda: gittins_indices(arm, DISCOUNT),
        "seconds" if size == 12 else "minutes",
        rounds=3,
    )


def test_the_certificate_of_indices_for_all_discounts(note):
    found = parametric_indices(random_arm(20))
    assert refutation(found) is None
    note("exact indices, 20 states, all discounts: the certificate", lambda: refutation(found), "")


def irrational_arm(size):
    """Rows of a random arm, mixed with a step to the next state with probability 1 - exp(-1/10); logarithms as rewards."""
    rows = [[f"exp(-1/10)*{p}" for p in row] for row in random_arm(size).transitions]
    for x, row in enumerate(rows):
        row[(x + 1) % size] += " + (1 - exp(-1/10))"
    return EnclosedArm(rewards=[f"log({x + 2})" for x in range(size)], transitions=rows)


@pytest.mark.parametrize("digits", [50, 500])
def test_enclosed_indices_against_mpmath_without_a_guarantee(compare, digits):
    bandit = EnclosedBandit([irrational_arm(11)], "exp(-1/100)")
    found = enclosed_indices(bandit, digits).indices[0]
    assert all(agrees(*pair, digits) for pair in zip(mpmath_indices(bandit, digits)[0], found, strict=True))
    compare(
        f"indices of 11 states with irrational rows, {digits} digits: enclosures over mpmath",
        lambda: enclosed_indices(bandit, digits),
        lambda: mpmath_indices(bandit, digits),
        "",
        rounds=3,
    )


def test_enclosed_indices_of_40_states(note):
    bandit = EnclosedBandit([irrational_arm(40)], "exp(-1/100)")
    note("indices of 40 states with irrational rows, 20 digits", lambda: enclosed_indices(bandit, 20), "")
