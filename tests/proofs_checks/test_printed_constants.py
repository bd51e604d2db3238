"""The constants of the printed proof of Theorem 1: its last displays in mpmath, and no model of a grid above them."""

from __future__ import annotations

from itertools import product

import mpmath
import pytest
from flint import arb, fmpq

from proofs_checks.paper import registry
from proofs_checks.paper.section_5_1_constants.checks import LAST_DISPLAYS
from theory import rational
from theory.paper import CONSTANTS

NAMES = {"MB-PSRL": "psrl", "MB-UCRL2": "ucrl2", "MB-UCBVI": "ucbvi"}
MODELS = [
    *product(
        (1, 2, 9, 400, 10**12), (1, 2, 3, 50), (2, 3, 4, 40, 10**6), (fmpq(0), fmpq(1, 3), fmpq(9, 10), fmpq(999, 1000))
    ),
    (10**60, 2, 2, 1 - fmpq(1, 10**8)),
]
each_display = pytest.mark.parametrize("display", LAST_DISPLAYS, ids=lambda display: display.learner)


def by_hand(learner, S, n, K, beta):
    """The last display over the right-hand side, as the paper writes both."""
    x, s, D = 1 / (1 - mpmath.mpf(int(beta.p)) / int(beta.q)), mpmath.sqrt(S), S * n
    z, L = mpmath.log(K) * x, mpmath.sqrt(2 * mpmath.log(4 * D * K**2 * mpmath.log(K) * x))
    moments = D * (5 + 5 * z**2) + 2 * mpmath.sqrt(D * K) * (5 + 5 * z**1.5)
    f, y = D * z**2 + mpmath.sqrt(D * K) * z**1.5, mpmath.log(D * K * z)
    if learner == "MB-UCBVI":
        return (7 * x + 2 * (1 + s) * x * L**2 * moments) / (s * x * y * f)
    additive, front = (9, 3) if learner == "MB-PSRL" else (5, mpmath.mpf(3) / 2)
    return (additive * x + front * (L + s) * moments) / ((s + y) * f)


@each_display
def test_regret_quotients_match_mpmath(display):
    with mpmath.workdps(40):
        for model in MODELS:
            found = display.quotient(*model)
            assert abs(found / arb(mpmath.nstr(by_hand(display.learner, *model), 30)) - 1) < arb("1e-9")


@pytest.mark.parametrize("arms", [1, 2])
@each_display
def test_largest_quotient_bounds_every_model_of_the_grid(display, arms):
    smallest, beyond = display.largest(arms)
    quotients = {model: display.quotient(*model).lower() for model in MODELS if model[1] >= arms}
    assert max(quotients.values()) <= smallest.upper()
    from_three = max(quotient for model, quotient in quotients.items() if model[2] > 2)
    assert from_three <= beyond.upper() < fmpq(8, 5) * from_three


@pytest.mark.parametrize(("arms", "name"), [(1, "C"), (2, "D")])
@each_display
def test_claimed_constants_are_minimal_to_three_decimals(display, arms, name):
    entry = registry()[f"thm:regret_upper_bound/constant-{NAMES[display.learner]}/printed"]
    claimed = arb(rational(entry.statement.parameters[name]))
    assert display.largest(arms)[0] <= claimed <= display.largest(arms)[0] + arb("0.001")


def test_constants_of_theorem_1_equal_those_of_its_parts():
    whole = registry()["thm:regret_upper_bound"].statement.parameters
    for learner, part in NAMES.items():
        assert rational(whole[part]) == CONSTANTS[learner]
        assert whole[part] == registry()[f"thm:regret_upper_bound/{part}"].statement.parameters["C"]
