"""The constants of Theorem 1: enclosures, an independent grid and mpmath agree, and no two entries contradict each other."""

from __future__ import annotations

import ast
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
)
from theory import rational
from theory.paper.regret import UCBVI, quotient, theorem_side

CLAIMED = {
    (claim_id, arms): rational(registry()[claim_id].statement.parameters[name])
    for claim_id in ROWS
    for arms, name in ((1, "C"), (2, "D"))
}
EXTREMAL = {(claim_id, arms): row.found(arms).at for claim_id, row in ROWS.items() for arms in (1, 2)}
each_row = pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.claim_id)
ELSEWHERE = {"psrl:last-display/repair": "thm:regret_upper_bound/constant-psrl/repaired-moments"}
"""Entries of other chapters with a constant C for a bound that has a row."""


@pytest.mark.parametrize("arms", [1, 2])
@each_row
def test_enclosure_claim_and_grid_agree(row, arms):
    found, (value, _) = row.found(arms), row.grid_value(arms)
    lower, upper = float(found.lower), float(found.upper)
    assert upper - lower <= 2e-6 * lower
    assert lower * (1 - MISSED) <= value <= upper * (1 + 1e-9)
    assert found.upper <= arb(CLAIMED[row.claim_id, arms]) <= arb(rational("1.0006")) * found.lower
    assert found.at.n >= arms


@pytest.mark.parametrize("arms", [1, 2])
@each_row
def test_the_floating_formula_is_the_certified_one_where_the_supremum_is(row, arms):
    """At the extremal model, or near it where it stands for a limit that floats cannot reach."""
    at, far = row.found(arms).at, row.found(arms).approached
    S, n, K, beta = (10**12, arms, 2, 0.999) if far else (at.S, at.n, at.K, float(at.beta))
    exact = fmpq(999, 1000) if far else at.beta
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


@each_row
def test_a_constant_that_will_do_does_for_the_extremal_model_of_every_entry(row):
    """So no entry says that less will do than another of the same bound needs."""
    bound = row.bound(**row.parameters)
    for model in {*EXTREMAL.values(), *MODELS}:
        assert quotient(bound, model).lower() <= arb(CLAIMED[row.claim_id, min(model.n, 2)])


def test_of_two_bounds_the_smaller_has_no_larger_constant():
    """Wherever one bound of an algorithm is below another at its own extremal model, their constants are in this order."""
    compared = 0
    for arms in (1, 2):
        for one in ROWS.values():
            for other in ROWS.values():
                if one.algorithm == other.algorithm and one is not other:
                    at = EXTREMAL[one.claim_id, arms]
                    if quotient(one.bound(**one.parameters), at) < quotient(other.bound(**other.parameters), at):
                        compared += 1
                        assert one.found(arms).lower < other.found(arms).upper
    assert compared > 20


@pytest.mark.parametrize("claim_id", ELSEWHERE)
def test_constants_of_other_chapters_do_not_contradict(claim_id):
    if claim_id not in registry():
        pytest.skip("not entered")
    parameters = registry()[claim_id].statement.parameters
    constant = next(parameters[name] for name in ("C", "c") if name in parameters)
    assert arb(rational(constant)) >= ROWS[ELSEWHERE[claim_id]].found().lower


def test_the_parts_of_the_theorem_take_the_constants_of_their_entries():
    whole = registry()["thm:regret_upper_bound"].statement.parameters
    for part in ("psrl", "ucrl2", "ucbvi"):
        assert whole[part] == registry()[f"thm:regret_upper_bound/{part}"].statement.parameters["C"]


def test_the_grid_shares_no_code_with_what_it_checks():
    tree = ast.parse(Path(grid.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not any(module.startswith(("theory", "proofs_checks", "mbrl")) for module in modules)
