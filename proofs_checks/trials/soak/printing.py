"""Print the comparisons and disagreements of a soak, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from proofs_checks.trials.soak.comparison import Disagreement, Pair, Question, Tally
from proofs_checks.trials.soak.models import Kind
from proofs_checks.trials.soak.routes import QUESTIONS
from theory.terminal.console import console, table


def tally_content(tally: Tally) -> dict[str, Any]:
    """Return the counts as a JSON object that depends neither on the clock nor on the number of processes."""
    wrong = tally.disagreements
    return {
        "models": tally.models,
        "kinds": {
            what: {name: tally.kinds[what, name] for what_, name in sorted(tally.kinds) if what_ == what}
            for what in Kind._fields
        },
        "comparisons": tally.comparisons.total(),
        "disagreements": wrong.total(),
        "pairs": [
            {
                "question": question,
                "routes": [first, second],
                "models": tally.comparisons[question, first, second],
                "disagreements": wrong[question, first, second],
            }
            for question, first, second in sorted(tally.comparisons.keys() | wrong.keys())
        ],
    }


def found_content(found: Disagreement, path: Path | None) -> dict[str, Any]:
    """Return a disagreement as a JSON object."""
    return {**found.content(path), **found.answers, "found_on_model": found.number}


def print_tally(tally: Tally, questions: Sequence[Question] = QUESTIONS) -> None:
    """Print the number of models of each kind and, for each question, of comparisons of each pair of routes."""
    out = console()
    if tally.kinds:
        kinds = table("models", "of which kind")
        for what in Kind._fields:
            counts = {name: times for (kind, name), times in tally.kinds.most_common() if kind == what}
            kinds.add_row(what, ", ".join(f"{name} {times:,}" for name, times in counts.items()))
        out.print(kinds)
    wrong = tally.disagreements
    for question in questions:
        if any(asked == question.name for asked, *_ in tally.comparisons.keys() | wrong.keys()):
            out.print()
            _print_pairs(tally.comparisons, wrong, question)
    total = f"{tally.models:,} models, {tally.comparisons.total():,} comparisons, {wrong.total():,} disagreements"
    out.print(f"\n{total}", style="bold")


def _print_pairs(compared: Counter[Pair], wrong: Counter[Pair], question: Question) -> None:
    """Print the triangle of pairs of routes; the diagonal has the errors that a route raised."""
    names = [route.name for route in question.routes]
    rows = table(question.name, *(str(place) for place in range(1, len(names) + 1)))
    for column in rows.columns[1:]:
        column.justify = "right"

    def cell(pair: Pair) -> Text:
        if wrong[pair]:
            return Text(f"{wrong[pair]:,} wrong", style="bold red")
        return Text(f"{compared[pair]:,}" if compared[pair] else "")

    for k, name in enumerate(names, 1):
        rows.add_row(f"{k} {name}", *(cell((question.name, other, name)) for other in names))
    console().print(rows)


def print_found(found: Disagreement, path: Path | None, number: int) -> None:
    """Print a disagreement, with the command that replays its model file or, if none was written, with the model."""
    title = f"disagreement {number}: {found.title} (found on model {found.number})"
    found.show(title, f"python -m proofs_checks soak {path}" if path else "")


def print_replay(tally: Tally) -> None:
    """Print the disagreements of all routes on one model file, and the number of comparisons."""
    print_tally(tally)
    for each in tally.found:
        console().print(f"{each.title}: {each.text}")
