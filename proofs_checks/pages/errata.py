"""What the authors should know, as Markdown: what to change, worst first, and one screen for each theorem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proofs_checks.ledger.causes import Cause
from proofs_checks.ledger.entry import Severity
from proofs_checks.ledger.registry import Registry
from proofs_checks.pages.theorems import TheoremSummary
from proofs_checks.statements import at

TITLES = {
    Severity.FALSE: "False",
    Severity.GAP: "Gaps: the conclusion survives, the printed argument does not",
    Severity.EDGE: "Edges: degenerate cases",
    Severity.SLIP: "Slips: typing, rounding, wording",
}


def sorted_causes(registry: Registry) -> list[Cause]:
    """Return the causes, the most severe first, then in the order of the paper."""
    order = list(Severity)
    return sorted(registry.causes.values(), key=lambda cause: (order.index(cause.severity), cause.line))


def cause_content(cause: Cause, registry: Registry) -> dict[str, Any]:
    """Return a cause as plain data, with the entries that it touches."""
    place = at(cause.line)
    touched = [entry for entry in registry if entry.cause == cause.id]
    lines = sorted({entry.place.line for entry in touched if entry.place is not None} - {cause.line})
    return {
        "id": cause.id,
        "severity": cause.severity.value,
        "place": place.section,
        "location": place.content,
        "also_at": lines,
        "title": cause.title,
        "printed": cause.printed,
        "why": cause.why,
        "instead": cause.instead,
        "follows": cause.follows,
        "witness": cause.witness,
        "entries": [entry.id for entry in touched],
        "repaired_by": list(dict.fromkeys(repair for entry in touched for repair in registry.repairs_of(entry.id))),
    }


def errata(causes: Sequence[Mapping[str, Any]], theorems: Sequence[TheoremSummary]) -> str:
    """Return the errata as Markdown: by severity, then in the order of the paper; then the theorems; nothing is cut."""
    lines = [
        "# Errata",
        "",
        "Mistakes of the paper, each counted once however many lines it touches: what is printed, why it does not",
        "hold, what to print instead, and whether anything that follows changes. `python -m proofs_checks show ID`",
        "prints the exact witness of an entry. After them, for each theorem: what is established, with which",
        "constants, under which reading. Written by `python -m proofs_checks errata`.",
    ]
    number = 0
    for severity in Severity:
        mine = [cause for cause in causes if cause["severity"] == severity.value]
        if not mine:
            continue
        lines += ["", f"## {TITLES[severity]}"]
        for cause in mine:
            number += 1
            lines += ["", f"### {number}. {cause['title']}", "", f"*{_where(cause)}.*"]
            lines += ["", f"**Printed.** {cause['printed']}", "", f"**Why not.** {cause['why']}"]
            lines += ["", f"**Instead.** {cause['instead']}", "", f"**What follows.** {cause['follows']}"]
            told = ", ".join(f"`{each}`" for each in cause["entries"])
            repairs = ", ".join(f"`{each}`" for each in cause["repaired_by"])
            lines += ["", f"Entries: {told}." + (f" Repairs: {repairs}." if repairs else "")]
    for theorem in theorems:
        lines += ["", *_theorem(theorem)]
    return "\n".join(lines) + "\n"


def _theorem(summary: TheoremSummary) -> Iterator[str]:
    yield f"## {summary.name}: what is established"
    yield ""
    yield f"**In short.** {summary.in_short}"
    yield ""
    if summary.in_parts:
        yield f"- As a whole: {_found(summary.theorem)}"
    else:
        yield from _told(summary.theorem)
    if summary.claims:
        yield from ("", "**Part by part.**", "")
        for entry in summary.claims:
            yield from _told(entry)
    if summary.established:
        yield from ("", "**In its place, and beyond it.**", "")
        for entry in summary.established:
            yield from _told(entry)
    if summary.repaired_steps:
        steps = ", ".join(f"`{entry['id']}`" for entry in summary.repaired_steps)
        yield from ("", f"**Steps of its proof that are repaired.** {steps}.")
    if summary.constants:
        yield from (
            "",
            "**Constants.** The smallest with which each bound of the proof is below the theorem's, over all",
        )
        yield from ("models with $K \\ge 2$.", "")
        yield from (
            "| algorithm | bound of the proof | moments | event | constant | known too small |",
            "|---|---|---|---|---|---|",
        )
        for row in summary.constants:
            told = (row[name] for name in ("algorithm", "bound", "moments", "event", "constant", "nearest"))
            yield f"| {' | '.join(map(str, told))} |"
    if summary.readings:
        yield from ("", "**Readings.**", "")
        for name, choice, meaning in summary.readings:
            yield f"- {name}: {choice} ({meaning})"
    if summary.causes:
        titles = "; ".join(f"{cause['title']} ({cause['severity']})" for cause in summary.causes)
        yield from ("", f"**Mistakes in its statement or its proof.** {titles}.")


def _told(entry: Mapping[str, Any]) -> Iterator[str]:
    ours = f" *Ours:* {entry['ours']}" if entry["paper"] and entry["ours"] else ""
    yield f"- {entry['paper'] or entry['statement']}{ours} {_found(entry)}"


def _found(entry: Mapping[str, Any]) -> str:
    domain = entry["smaller_domain"] or entry["domain"]
    part = f", for {domain}" if domain else ""
    grade = entry["effective_evidence"]
    count = entry["by_hand_below"]
    hand = f", {count} {'step' if count == 1 else 'steps'} by hand" if count else ""
    with_all = f" (with all it rests on: {grade}{hand})" if grade else ""
    return f"**{entry['verdict'].capitalize()}**{part}{with_all}. `{entry['id']}`"


def _where(cause: Mapping[str, Any]) -> str:
    """Return where a mistake stands in the paper, and the other lines of the source that it touches."""
    line, others = cause["location"]["line"], ", ".join(map(str, cause["also_at"]))
    also = f"; it touches line{'s' if len(cause['also_at']) > 1 else ''} {others} too" if others else ""
    return f"{at(line)}, line {line} of the source{also}"
