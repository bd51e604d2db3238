"""Speed of the exact core. Run with ``pytest tests/benchmarks -q``."""

from __future__ import annotations

import pytest
from flint import fmpq, fmpz_mat

from tests.peers.models import random_arm
from theory import fraction, gittins_indices
from theory.elimination.levels import integer_rows
from theory.gittins import indices_by_folding
from theory.gittins.proposal import propose_order

DISCOUNT = fmpq(99, 100)


def test_time_of_indices_of_40_states_against_a_fraction_loop(compare):
    arm = random_arm(40)
    rows = [[fraction(value) for value in row] for row in arm.transitions]
    rewards, discount = [fraction(value) for value in arm.rewards], fraction(DISCOUNT)
    found = [fraction(value) for value in gittins_indices(arm, DISCOUNT)]
    assert found == indices_by_folding(rows, rewards, discount)
    compare(
        "exact indices, 40 states: elimination over the folding loop, in Fraction",
        lambda: indices_by_folding(rows, rewards, discount),
        lambda: gittins_indices(arm, DISCOUNT),
        "",
        rounds=3,
    )


@pytest.mark.parametrize("size", [20, 40, 80, 160])
def test_time_of_indices_against_bare_flint_elimination(compare, size):
    arm = random_arm(size)
    system = fmpz_mat(integer_rows(arm, DISCOUNT, propose_order(arm, DISCOUNT)).rows)
    compare(
        f"exact indices, {size} states: everything over the bare FLINT elimination",
        lambda: gittins_indices(arm, DISCOUNT),
        system.fflu,
        "at most 1.5",
        rounds=9 if size < 160 else 3,
    )
