"""What is printed at the end: scores by folder, the survivors, what was not decided, explanations that do not hold."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.table import Table

COLUMNS = ("caught", "survived", "undecided", "equivalent", "not equivalent")
SHOWN = {
    "survived": "Survivors",
    "undecided": "Undecided for time",
    "not equivalent": "Explained as equivalent, but caught",
}


def show(outcomes, folder_of, stale_entries):
    """Print the report; return the exit code."""
    console = Console(width=120, soft_wrap=True, highlight=False)
    counts = {}
    for each in outcomes:
        counts.setdefault(folder_of[each.mutant.file], Counter())[each.outcome] += 1
    counts["all"] = sum(counts.values(), Counter())
    table = Table("folder", "mutants", *COLUMNS, "score", title="Mutants")
    for folder, count in counts.items():
        table.add_row(folder, str(count.total()), *(str(count[name]) for name in COLUMNS), score(count))
    console.print(table)
    hung = sum(each.killed == "SIGPROF" for each in outcomes)
    seconds = sorted(each.seconds for each in outcomes)
    if outcomes:
        console.print(
            f"caught by the time they took: {hung}; processor seconds for a mutant: median {seconds[len(seconds) // 2]:.1f}"
        )
    for outcome, title in SHOWN.items():
        listed = [each for each in outcomes if each.outcome == outcome]
        if listed:
            console.print(f"\n{title}:", markup=False)
        for each in listed:
            mutant = each.mutant
            console.print(f"{mutant.file}:{mutant.line} {mutant.function} ({mutant.kind}) {each.by}", markup=False)
            console.print(f"  - {mutant.before}\n  + {mutant.after}", markup=False)
    for file, function, before, after, occurrence in stale_entries:
        which = f", occurrence {occurrence}" if occurrence else ""
        console.print(f"\nno longer applies: {file} {function}{which}\n  - {before}\n  + {after}", markup=False)
    return 1 if stale_entries or any(each.outcome in ("survived", "not equivalent") for each in outcomes) else 0


def score(count):
    """Return caught over caught and survived; what is undecided or equivalent says nothing about the tests."""
    caught = count["caught"] + count["not equivalent"]
    judged = caught + count["survived"]
    return f"{caught / judged:.1%}" if judged else "-"
