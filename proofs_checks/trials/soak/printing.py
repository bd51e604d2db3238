"""Print the comparisons and disagreements of a soak, as text and as JSON."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from proofs_checks.trials.models import Kind
from proofs_checks.trials.soak.comparison import Pair, Question, Tally
from proofs_checks.trials.soak.routes import QUESTIONS
from theory.terminal.console import console, table


def tally_content(tally: Tally) -> dict[str, Any]:
    """Return the counts as a JSON object that depends neither on the clock nor on the number of processes."""
    wrong = tally.disagreements
    return {
        "models": tally.models,
        "kinds": {what: dict(sorted(_of_kind(tally, what))) for what in Kind._fields},
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


def _of_kind(tally: Tally, what: str) -> list[tuple[str, int]]:
    """Return the names of one feature of the models, each with its number of models, the most frequent first."""
    return [(name, times) for (of, name), times in tally.kinds.most_common() if of == what]


def print_tally(tally: Tally) -> None:
    """Print the number of models of each kind and, for each question, of comparisons of each pair of routes."""
    out = console()
    if tally.kinds:
        kinds = table("models", "of which kind")
        for what in Kind._fields:
            kinds.add_row(what, ", ".join(f"{name} {times:,}" for name, times in _of_kind(tally, what)))
        out.print(kinds)
    wrong = tally.disagreements
    for question in QUESTIONS:
        if any(asked == question.name for asked, *_ in tally.comparisons.keys() | wrong.keys()):
            out.print()
            _print_pairs(tally, question)
    total = f"{tally.models:,} models, {tally.comparisons.total():,} comparisons, {wrong.total():,} disagreements"
    out.print(f"\n{total}", style="bold")


def _print_pairs(tally: Tally, question: Question) -> None:
    """Print the triangle of pairs of routes; the diagonal has the errors that a route raised."""
    names = [route.name for route in question.routes]
    rows = table(question.name, *(str(place) for place in range(1, len(names) + 1)))
    for column in rows.columns[1:]:
        column.justify = "right"

    def cell(pair: Pair) -> Text:
        if wrong := tally.disagreements[pair]:
            return Text(f"{wrong:,} wrong", style="bold red")
        return Text(f"{compared:,}" if (compared := tally.comparisons[pair]) else "")

    for k, name in enumerate(names, 1):
        rows.add_row(f"{k} {name}", *(cell((question.name, other, name)) for other in names))
    console().print(rows)
