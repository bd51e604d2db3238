"""Print the results of property tests, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from proofs_checks.trials.properties.formulas import FORMULAS, HOW_TO_WRITE, KINDS, RETURNS
from proofs_checks.trials.properties.property import Trial
from proofs_checks.trials.properties.suites import SUITES
from theory.terminal.console import console, table


def list_content() -> dict[str, Any]:
    """Return all formulas and properties as a JSON object."""
    return {
        "formulas": {formula.signature: formula.says for formula in FORMULAS.values()},
        "arguments": dict(KINDS),
        "returns": RETURNS,
        "suites": {
            name: {each.name: {"says": each.says, "formulas": list(each.formulas)} for each in properties}
            for name, properties in SUITES.items()
        },
    }


def print_list() -> None:
    """Print all formulas that can be replaced, and all properties."""
    out = console()
    formulas = table("formula", "what it is")
    for formula in FORMULAS.values():
        formulas.add_row(formula.signature, formula.says)
    out.print(formulas)
    kinds = dict.fromkeys(KINDS.values())
    told = "; ".join(f"{', '.join(name for name in KINDS if KINDS[name] == kind)}: {kind}" for kind in kinds)
    out.print(f"\nArguments are passed by name. {told}.")
    out.print(f"A formula returns {RETURNS}.")
    out.print(f"To write one, {HOW_TO_WRITE}.")
    for name, properties in SUITES.items():
        rows = table("property", "what it says", title=f"suite {name}")
        for each in properties:
            rows.add_row(each.name, each.says)
        out.print()
        out.print(rows)


def trials_content(trials: Sequence[Trial], models: Mapping[str, Path], *, interrupted: bool) -> dict[str, Any]:
    """Return the results as a JSON object."""
    suite_of = {each.name: name for name, properties in SUITES.items() for each in properties}
    return {
        "holds": not interrupted and all(trial.holds for trial in trials),
        "interrupted": interrupted,
        "properties": [
            {
                "name": trial.which.name,
                "suite": suite_of[trial.which.name],
                "says": trial.which.says,
                "formulas": list(trial.which.formulas),
                "holds": trial.holds,
                "tried": trial.tried,
                "seconds": trial.seconds,
                "counterexample": trial.counterexample and trial.counterexample.content(models.get(trial.which.name)),
            }
            for trial in trials
        ],
    }


def print_trial(trial: Trial) -> None:
    """Print the outcome of one property, and what it says if it is not broken."""
    verdict = f"no counterexample among {trial.tried}" if trial.holds else "BROKEN"
    told = f"\n  {trial.which.says}" if trial.holds else ""
    console().print(f"{trial.which.name}: {verdict} ({trial.seconds:.1f} s){told}", soft_wrap=True)


def print_counterexamples(trials: Sequence[Trial], models: Mapping[str, Path]) -> None:
    """Print the smallest counterexamples, with their models unless these are written to files."""
    for trial in trials:
        if trial.counterexample is not None:
            title = f'{trial.which.name}: the smallest counterexample found to\n"{trial.which.says}"'
            written = models.get(trial.which.name)
            trial.counterexample.show(title, f"model file: {written}" if written else "")
