"""Print the comparisons and disagreements of a soak, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from proofs_checks.trials.soak.comparison import Question
from proofs_checks.trials.soak.found import Found
from proofs_checks.trials.soak.models import Kind
from proofs_checks.trials.soak.routes import QUESTIONS
from proofs_checks.trials.soak.running import Tally
from theory.terminal.console import console, table


def tally_content(tally: Tally) -> dict[str, Any]:
    """Return the counts as a JSON object that depends neither on the clock nor on the number of processes."""
    return {
        "models": tally.models,
        "kinds": {
            what: {name: tally.kinds[what, name] for what_, name in sorted(tally.kinds) if what_ == what}
            for what in Kind._fields
        },
        "comparisons": tally.comparisons.total(),
        "disagreements": tally.disagreements.total(),
        "pairs": [
            {
                "question": question,
                "routes": [first, second],
                "models": tally.comparisons[question, first, second],
                "disagreements": tally.disagreements[question, first, second],
            }
            for question, first, second in sorted(tally.comparisons.keys() | tally.disagreements.keys())
        ],
    }


def found_content(found: Found, path: Path | None) -> dict[str, Any]:
    """Return a disagreement as a JSON object."""
    told = found.counterexample.content(path)
    return {**told, **found.disagreement.content, "found_on_model": found.number}


def print_tally(tally: Tally, questions: Sequence[Question] = QUESTIONS) -> None:
    """Print the number of models of each kind and, for each question, of comparisons of each pair of routes."""
    out = console()
    if tally.kinds:
        kinds = table("models", "of which kind")
        for what in Kind._fields:
            counts = {name: times for (kind, name), times in tally.kinds.most_common() if kind == what}
            kinds.add_row(what, ", ".join(f"{name} {times:,}" for name, times in counts.items()))
        out.print(kinds)
    for question in questions:
        if any(asked == question.name for asked, *_ in tally.comparisons.keys() | tally.disagreements.keys()):
            out.print()
            _print_pairs(tally, question)
    wrong = tally.disagreements.total()
    total = f"{tally.models:,} models, {tally.comparisons.total():,} comparisons, {wrong:,} disagreements"
    out.print(f"\n{total}", style="bold")


def _print_pairs(tally: Tally, question: Question) -> None:
    """Print the triangle of pairs of routes; the diagonal has the errors that a route raised."""
    names = [route.name for route in question.routes]
    rows = table(question.name, *(str(place) for place in range(1, len(names) + 1)))
    for column in rows.columns[1:]:
        column.justify = "right"
    for k, name in enumerate(names, 1):
        rows.add_row(f"{k} {name}", *(_cell(tally, (question.name, other, name)) for other in names))
    console().print(rows)


def _cell(tally: Tally, pair: tuple[str, str, str]) -> Text:
    compared, wrong = tally.comparisons[pair], tally.disagreements[pair]
    if wrong:
        return Text(f"{wrong:,} wrong", style="bold red")
    return Text(f"{compared:,}" if compared else "")


def print_found(found: Found, path: Path | None, number: int) -> None:
    """Print a disagreement, with the command that replays its model file or, if none was written, with the model."""
    title = f"disagreement {number}: {found.disagreement.title} (found on model {found.number})"
    found.counterexample.show(title, f"python -m proofs_checks soak {path}" if path else "")


def print_replay(tally: Tally) -> None:
    """Print the disagreements of all routes on one model file, and the number of comparisons."""
    print_tally(tally)
    out = console()
    for _, each in tally.found:
        out.print(f"{each.title}: {each.text}")
