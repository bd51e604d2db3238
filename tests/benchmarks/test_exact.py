"""Speed of the exact core: against loops in Python, FLINT and Storm. Run with ``pytest tests/benchmarks -q``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from flint import fmpq, fmpz_mat

from tests.peers.models import product_chain, random_arm
from theory import fraction, gittins_indices, gittins_value, prism_model, rational
from theory.elimination.levels import integer_rows
from theory.elimination.modular import bordered_minors
from theory.gittins import indices_by_folding
from theory.gittins.proposal import propose_order

ROOT = Path(__file__).parent.parent.parent
DISCOUNT = fmpq(99, 100)
LIMIT = 600  # seconds for Storm; beyond them the benchmark is skipped


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


def storm_in_a_process(path):
    """Storm's value, or None beyond the time limit."""
    command = [sys.executable, "-m", "tests.peers.storm", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    return rational(done.stdout.split()[-1])


@pytest.mark.parametrize(("arms", "target"), [(2, ""), (3, "at least 10"), (4, "more than at 512")])
def test_time_of_exact_optimal_value_against_storm(compare, tmp_path, arms, target):
    pytest.importorskip("stormpy", reason="Storm's exact engine needs the extra 'peers'")
    from proofs_checks.trials.soak.routes.storm import built, checked, exact_value

    bandit = product_chain(arms)
    states = bandit.number_of_global_states
    path = tmp_path / "model.prism"
    path.write_text(prism_model(bandit), encoding="utf-8")

    found = storm_in_a_process(path)
    if found is None:
        pytest.skip(f"no answer within {LIMIT} s, so no ratio")
    assert found == gittins_value(bandit).value

    name = f"exact optimal value, {states} states: conservation laws over Storm's exact engine"
    compare(name, lambda: exact_value(path), lambda: gittins_value(product_chain(arms)), target)
    model = built(path)
    compare(f"{name}, its model already built", lambda: checked(*model), lambda: gittins_value(bandit), target)


@pytest.mark.parametrize("size", [40, 80, 120, 160])
def test_time_of_modular_elimination_against_flint(compare, size):
    arm = random_arm(size)
    system = integer_rows(arm, DISCOUNT, propose_order(arm, DISCOUNT))
    matrix = fmpz_mat(system.rows)
    compare(
        f"elimination, {size} states: modulo primes over FLINT's on integers",
        matrix.fflu,
        lambda: bordered_minors(system.rows, system.bounds),
        "more than 1 from 80 states",
        rounds=9 if size < 160 else 3,
    )
