"""An example for theorists: change a formula and see which properties break.

On the command line, with a file of your own in place of this module::

    python -m proofs_checks properties --replace bonus=proofs_checks.trials.properties.example:half_the_bonus
    python -m proofs_checks properties --replace moment=proofs_checks.trials.properties.example:moment_as_printed --json

The functions at the end are tests: ``pytest proofs_checks/trials/properties/example.py`` runs them, and a copy of this
file is a test suite of your own.
"""

from __future__ import annotations

from flint import arb, fmpq

from proofs_checks.trials.properties import affected, attempt, replaced, suite
from theory.paper import ucbvi_bonus


def half_the_bonus(S: int, n: int, K: int, t: int, N: int, beta: fmpq) -> arb:
    """Return half of MB-UCBVI's bonus."""
    return ucbvi_bonus(S, n, K, t, N, beta) / 2


def moment_as_printed(alpha: fmpq, K: int, beta: fmpq) -> arb:
    """Return the bound of Lemma moment as the paper prints it."""
    return 5 + 5 * (arb(K).log() / (1 - arb(beta))) ** arb(alpha)


def test_the_printed_formulas() -> None:
    """The paper's formulas have all the properties."""
    for each in suite("optimism"):
        each.check(examples=10)


def test_half_the_bonus_loses_optimism() -> None:
    """The bonus may not be smaller than the deviation of values that the event allows."""
    about = affected({"bonus"}, suite("optimism"))
    found = [attempt(each, replaced(bonus=half_the_bonus), examples=50) for each in about]
    assert [trial.which.name for trial in found if not trial.holds] == ["bonus-is-optimistic"]


def test_half_the_bonus_and_the_event_are_too_small_for_hoeffding() -> None:
    """If both are halved, the event still implies optimism, but is no longer likely enough."""
    about = affected({"bonus", "deviation"}, suite("optimism"))
    found = [attempt(each, replaced(bonus=half_the_bonus, deviation=half_the_bonus), examples=50) for each in about]
    assert [trial.which.name for trial in found if not trial.holds] == ["deviation-is-rare"]
