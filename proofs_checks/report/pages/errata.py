"""What the authors should know, as Markdown: what matters, in order of consequence, then a table of slips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from proofs_checks.claimcheck.ledger.causes import Cause
from proofs_checks.claimcheck.ledger.entry import Severity
from proofs_checks.claimcheck.ledger.registry import Registry
from proofs_checks.claimcheck.statements import at
from proofs_checks.report.pages.theorems import TheoremSummary

IN_ORDER = (
    "lower-bound-range",
    "dependent-arms",
    "moment-lemma",
    "union-over-global-states",
    "shared-rows",
    "optimism-every-state",
    "log-of-zero",
    "equal-indices",
    "set-not-met",
    "exponential-not-proved",
    "psrl-event",
    "plausible-rewards",
    "two-clocks",
    "horizon-floor",
)
"""What changes a statement or an argument, the most consequential first: part one of the errata."""
LEFT_OUT = (
    "empty-cell",
    "tau-integer",
    "conditional-expectation",
    "complement-of-event",
    "a3-b2-tie",
    "monte-carlo-difference",
)
"""What nobody would stumble over: in the ledger, not in the errata."""


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
    """Return the errata as Markdown: what matters, in order of consequence; then a table of slips, in paper order."""
    known = {cause["id"]: cause for cause in causes}
    slips = sorted(
        (cause for cause in causes if cause["id"] not in {*IN_ORDER, *LEFT_OUT}),
        key=lambda cause: cause["location"]["line"],
    )
    lines = [
        "# Errata",
        "",
        "First what changes a statement or an argument, in order of consequence: what is printed, what to print",
        "instead, why, and what follows. Then a table of slips. Lines are those of the paper's source; a paragraph is",
        "counted from the beginning of its section or proof. `python -m proofs_checks show ID` prints an entry whole,",
        "with the witness; `python -m proofs_checks causes` lists all mistakes. Written by",
        "`python -m proofs_checks errata`.",
        "",
        *(f"- {summary.in_short}" for summary in theorems),
        "",
        "## What changes a statement or an argument",
    ]
    for number, cause in enumerate((known[each] for each in IN_ORDER if each in known), 1):
        lines += ["", f"### {number}. {cause['title']}", "", f"*{_place(cause)}{_also(cause)}.* `{cause['witness']}`"]
        lines += ["", f"**Printed.** {cause['printed']}", "", f"**Print instead.** {cause['instead']}"]
        lines += ["", f"**Why.** {cause['why']}", "", f"**What follows.** {cause['follows']}"]
    lines += ["", "## Slips", "", "| place | printed | print instead | entry |", "|---|---|---|---|"]
    for cause in slips:
        cells = (_place(cause), cause["printed"], cause["instead"], f"`{cause['witness']}`")
        lines.append(f"| {' | '.join(_cell(each) for each in cells)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Return text for the cell of a table, in which a bar would end it."""
    return text.replace("|", r"\vert ")


def _place(cause: Mapping[str, Any]) -> str:
    """Return where a mistake stands in the paper, for the reader of the PDF and for that of the source."""
    place = at(cause["location"]["line"])
    paragraph = f", paragraph {place.paragraph}" if place.paragraph and place.equation is None else ""
    return f"{place}{paragraph} (line {place.line})"


def _also(cause: Mapping[str, Any]) -> str:
    """Return the other lines of the source that it touches."""
    others = ", ".join(map(str, cause["also_at"]))
    return f"; it touches line{'s' if len(cause['also_at']) > 1 else ''} {others} too" if others else ""
