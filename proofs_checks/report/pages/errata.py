"""The errata for the authors, as Markdown: changes of statements, the serious mistakes, a table of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from proofs_checks.claimcheck.ledger.causes import Cause
from proofs_checks.claimcheck.ledger.registry import Registry
from proofs_checks.claimcheck.verdicts import Severity
from proofs_checks.paper.shared.source import OUTLINE

IN_ORDER = (
    "lower-bound-range",
    "moment-lemma",
    "shared-rows",
    "optimism-every-state",
    "union-over-global-states",
    "exponential-not-proved",
    "equal-indices",
    "psrl-event",
    "horizon-floor",
    "two-clocks",
    "set-not-met",
    "log-of-zero",
)
"""Causes that change a statement or an argument, the most consequential first: part one of the errata."""

STATEMENTS = (
    r"Theorem 1 (lines 368, 370): for $K \ge 2$; for MB-PSRL any priors of the arms, $\phi$ being their product.",
    r"Theorem 1: $C' = 2.1$ and $C'' = 3$ will do, and $C = 2.5$ for a joint sample or, with "
    "rewards of finitely many values, arms sampled one by one.",
    r"Line 391: sub-linear in the number of arms for $K \ge \frac{Sn}{1-\beta}$.",
    r"Theorem 2 (lines 439, 442): $n \ge 2$; the root's minimum with $\sqrt{3598}\,\frac{K}{1-\beta}$.",
    "Line 447: for every algorithm some model, not any model.",
    r"Theorem 3: as it is. In its proof $\mu = 3.22$, and a circle of comparisons (lines 1243, 1245, 1301).",
    r"Equations (6), (11): extended value iteration is an upper bound; optimism is of the mean over $\rho$.",
    r"Lemma `moment`: $\big(\frac{\log K + \Gamma(1+\alpha)^{1/\alpha}}{1-\beta}\big)^\alpha$, all $K \ge 1$.",
    r"Lemma `concentration`: $\max\{2, \log(K(k-1))\}$ in $\mathcal{E}^H$; $S/K$ for $\mathcal{E}^V$, $K \ge 3$.",
    "Lemma `concentration_psrl`: $k' = k-1$ alone. No efficient way to be optimistic is known (106, 118, 529).",
)
"""Changes of the statements of theorems, in ten lines; the errata then tell each in full."""


def all_causes(registry: Registry) -> list[dict[str, Any]]:
    """Return the causes of `IN_ORDER`, then all others, sorted by severity and then by place in the paper."""
    first, order = {cause: number for number, cause in enumerate(IN_ORDER)}, list(Severity)
    known = registry.causes.values()
    ordered = sorted(known, key=lambda each: (first.get(each.id, len(first)), order.index(each.severity), each.line))
    return [_content(cause, registry) for cause in ordered]


def _content(cause: Cause, registry: Registry) -> dict[str, Any]:
    """Return a cause as plain data, with the entries that it touches."""
    place = OUTLINE.at(cause.line)
    touched = [entry for entry in registry if entry.cause == cause.id]
    lines = sorted({entry.place.line for entry in touched if entry.place is not None} - {cause.line})
    repairs = list(dict.fromkeys(repair for entry in touched for repair in registry.repairs_of(entry.id)))
    return {
        "id": cause.id,
        "severity": cause.severity.value,
        "place": place.section,
        "location": place.content,
        "also_at": lines,
        "title": cause.title,
        "printed": cause.printed or registry[cause.witness].statement.paper_text,
        "why": cause.why,
        "instead": cause.instead,
        "follows": cause.follows,
        "witness": cause.witness,
        "verdict": registry[cause.witness].verdict.value,
        "wording": cause.wording,
        "see": cause.see,
        "entries": [entry.id for entry in touched],
        "checked": list(cause.checked) or repairs,
        "repaired_by": repairs,
    }


def errata(causes: Sequence[Mapping[str, Any]]) -> str:
    """Return the errata as Markdown: changes of statements, the serious mistakes in order, a table of the rest."""
    known = {cause["id"]: cause for cause in causes}
    rest = [cause for cause in causes if cause["id"] not in IN_ORDER]
    lines = [
        "# Errata",
        "",
        "First statements, in ten lines; then what changes statements or arguments, worst first; then the rest,",
        "gaps first. Lines are the source's; paragraphs are counted within their section or proof.",
        "Entries in parentheses check what to print instead; `python -m proofs_checks show ID` prints one.",
        "Experiments that differ: README, 6; `check --section 7` and `E`. Written by `python -m proofs_checks errata`.",
        "",
        "## What to change in the statements",
        "",
        *(f"{number}. {each}" for number, each in enumerate(STATEMENTS, 1)),
        "",
        "## What changes a statement or an argument",
    ]
    numbers = {each: number for number, each in enumerate((each for each in IN_ORDER if each in known), 1)}
    for each, number in numbers.items():
        cause = known[each]
        lines += ["", f"### {number}. {cause['title']}", ""]
        verdict = cause["verdict"].capitalize()
        lines += [f"*{verdict}. Severity: {cause['severity']}. {_place(cause)}{_also(cause)}.* `{cause['witness']}`"]
        lines += ["", f"**Printed.** {cause['printed']}", "", f"**Print instead.** {cause['instead']}{_checked(cause)}"]
        lines += ["", f"**Why.** {cause['why']}", "", f"**What follows.** {cause['follows']}"]
    lines += ["", "## The rest", "", "| severity | place | printed | print instead | entry |", "|---|---|---|---|---|"]
    for cause in rest:
        instead = f"see item {numbers[cause['see']]}" if cause["see"] in numbers else cause["instead"] + _checked(cause)
        place = ", ".join((_place(cause), *map(str, cause["also_at"])))
        cells = (cause["severity"], place, cause["printed"], instead, f"`{cause['witness']}`")
        lines.append(f"| {' | '.join(_cell(each) for each in cells)} |")
    return "\n".join(lines) + "\n"


def _checked(cause: Mapping[str, Any]) -> str:
    """Return up to two entries that check a replacement, in parentheses; "" if none does."""
    told = ", ".join(f"`{each}`" for each in cause["checked"][:2] if each != cause["witness"])
    return f" ({told})" if told else ""


def _cell(text: str) -> str:
    """Return text for the cell of a table, with bars, which would end the cell, replaced."""
    return text.replace("|", r"\vert ")


def _place(cause: Mapping[str, Any]) -> str:
    """Return the place of a mistake: section, theorem or paragraph in the PDF, and line of the source."""
    place = OUTLINE.at(cause["location"]["line"])
    paragraph = f", paragraph {place.paragraph}" if place.paragraph and place.equation is None else ""
    return f"{place}{paragraph} (line {place.line})"


def _also(cause: Mapping[str, Any]) -> str:
    """Return the other lines of the source that a mistake touches, in words."""
    others = ", ".join(map(str, cause["also_at"]))
    return f"; it touches line{'s' if len(cause['also_at']) > 1 else ''} {others} too" if others else ""
