"""The constants of Theorem 1: enclosures, an independent grid and mpmath agree, and no two entries contradict each other."""

from __future__ import annotations

import ast
import json
from itertools import pairwise
from pathlib import Path

import mpmath
import pytest
from flint import arb, fmpq

from proofs_checks.claims import registry
from proofs_checks.computations import regret_grid as grid
from proofs_checks.computations.regret_table import (
    MISSED,
    MODELS,
    ROWS,
    enclosed_loss,
    losses_table,
    table,
)
from theory import rational
from theory.paper.regret import ALGORITHMS, UCBVI, losses, quotient, theorem_side

CLAIMED = {claim_id: rational(registry()[claim_id].statement.parameters["C"]) for claim_id in ROWS}
EXTREMAL = {claim_id: row.found().at for claim_id, row in ROWS.items()}
ELSEWHERE = {"psrl:last-display/repair": "thm:regret_upper_bound/constant-psrl/repaired-moments"}
"""Entries of other chapters with a constant C for a bound that has a row."""


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.claim_id)
def test_enclosure_claim_and_grid_agree(row):
    found, (value, _) = row.found(), row.grid_value()
    lower, upper = float(found.lower), float(found.upper)
    assert upper - lower <= 2e-6 * lower
    assert lower * (1 - MISSED) <= value <= upper * (1 + 1e-9)
    assert found.upper <= arb(CLAIMED[row.claim_id]) <= arb(rational("1.0006")) * found.lower


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.claim_id)
def test_the_floating_formula_is_the_certified_one_where_the_supremum_is(row):
    """At the extremal model, or near it where it stands for a limit that floats cannot reach."""
    at = row.found().at
    S, n, K, beta = (10**12, 1, 2, 0.999) if row.found().approached else (at.S, at.n, at.K, float(at.beta))
    exact = fmpq(999, 1000) if row.found().approached else at.beta
    bound = row.bound(**row.parameters)
    assert row.second(S, n, K, beta) == pytest.approx(float(bound.at(S, n, K, exact).mid()), rel=1e-9)
    side = theorem_side(S, n, K, exact, 2 if row.algorithm == UCBVI else 1)
    assert grid.right_side(row.algorithm, S, n, K, beta) == pytest.approx(float(side.mid()), rel=1e-12)


def mp_moment(alpha, K, beta):
    """E max H^alpha by adding up tails in mpmath."""
    total, term, m = mpmath.mpf(0), mpmath.mpf(1), 0
    while m < 4 or term > mpmath.mpf(10) ** -35 * total:
        m += 1
        term = (mpmath.mpf(m) ** alpha - mpmath.mpf(m - 1) ** alpha) * (1 - (1 - beta ** (m - 1)) ** K)
        total += term
    return total


@pytest.mark.parametrize(
    ("claim_id", "front", "additive"),
    [("constant-psrl", 3, 9), ("constant-ucrl2", 3, 5), ("constant-ucrl2/half", mpmath.mpf(3) / 2, 5)],
)
def test_the_last_displays_in_mpmath_at_their_extremal_models(claim_id, front, additive):
    row = ROWS[f"thm:regret_upper_bound/{claim_id}"]
    at = row.found().at
    with mpmath.workdps(40):
        beta = mpmath.mpf(int(at.beta.p)) / int(at.beta.q)
        x, log_k = 1 / (1 - beta), mpmath.log(2)
        L, z = mpmath.sqrt(2 * mpmath.log(16 * log_k * x)), log_k * x
        moments = mp_moment(2, 2, beta) + 2 * mpmath.sqrt(2) * mp_moment(mpmath.mpf(3) / 2, 2, beta)
        value = (additive * x + front * (L + 1) * moments) / (
            (1 + mpmath.log(2 * z)) * (z**2 + mpmath.sqrt(2) * z**1.5)
        )
        assert abs(row.found().lower / arb(mpmath.nstr(value, 35)) - 1) < arb(fmpq(1, 10**15))


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.claim_id)
def test_a_constant_that_will_do_does_for_the_extremal_model_of_every_entry(row):
    """So no entry says that less will do than another of the same bound needs."""
    bound = row.bound(**row.parameters)
    for model in {*EXTREMAL.values(), *MODELS}:
        assert quotient(bound, model).lower() <= arb(CLAIMED[row.claim_id])


def test_of_two_bounds_the_smaller_has_no_larger_constant():
    """Wherever one bound of an algorithm is below another at its own extremal model, their constants are in this order."""
    compared = 0
    for one in ROWS.values():
        for other in ROWS.values():
            if one.algorithm == other.algorithm and one is not other:
                at = EXTREMAL[one.claim_id]
                if quotient(one.bound(**one.parameters), at) < quotient(other.bound(**other.parameters), at):
                    compared += 1
                    assert one.found().lower < other.found().upper
    assert compared > 30


@pytest.mark.parametrize("claim_id", ELSEWHERE)
def test_constants_of_other_chapters_do_not_contradict(claim_id):
    if claim_id not in registry():
        pytest.skip("not entered")
    parameters = registry()[claim_id].statement.parameters
    constant = next(parameters[name] for name in ("C", "c") if name in parameters)
    assert arb(rational(constant)) >= ROWS[ELSEWHERE[claim_id]].found().lower


def test_the_parts_of_the_theorem_take_the_constants_of_their_entries():
    for part, entry in (
        ("psrl", "constant-psrl"),
        ("ucrl2", "constant-ucrl2"),
        ("ucbvi", "constant-ucbvi/repaired-event"),
        ("psrl/sharper", "constant-psrl/sharper"),
        ("ucrl2/appendix-clock", "constant-ucrl2/sharper"),
        ("ucbvi/appendix-clock", "constant-ucbvi/sharper"),
    ):
        own = registry()[f"thm:regret_upper_bound/{part}"].statement.parameters["C"]
        assert rational(own) == CLAIMED[f"thm:regret_upper_bound/{entry}"]
    whole = registry()["thm:regret_upper_bound"].statement.parameters
    for part in ("psrl", "ucrl2", "ucbvi"):
        assert whole[part] == registry()[f"thm:regret_upper_bound/{part}"].statement.parameters["C"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_losses_are_losses(algorithm):
    """Taking one more back never makes a bound larger, at any model, nor its constant."""
    found = [enclosed_loss(algorithm, loss) for loss in losses(algorithm)]
    assert all(later.lower <= earlier.upper for earlier, later in pairwise(found))
    bounds = list(losses(algorithm).values())
    for model in MODELS:
        values = [quotient(bound, model) for bound in bounds[1:]]
        if algorithm == UCBVI:  # half the L1 distance comes with the repaired range, which is larger
            values = values[1:]
        assert all(later.lower() <= earlier.upper() for earlier, later in pairwise(values))


def test_the_grid_shares_no_code_with_what_it_checks():
    tree = ast.parse(Path(grid.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not any(module.startswith(("theory", "proofs_checks", "mbrl")) for module in modules)


def test_the_tables_are_plain_data():
    rows = table()
    assert [row["id"] for row in rows] == list(ROWS)
    assert json.loads(json.dumps(rows)) == rows
    first = next(row for row in rows if row["id"].endswith("constant-psrl/printed"))
    assert first["constant"][0].startswith("170.695")
    assert first["extremal model"] == {"S": "1", "n": "1", "K": "2", "beta": "0"}
    assert len(losses_table(UCBVI)) == 8
