"""The claims of the paper that do not hold as printed, as a Markdown table: one line each, with witness and repair.

Everything in it comes from the ledger's entries, so it says nothing that a check has not found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from proofs_checks.ledger.plain import flat_text
from theory.console import shortened_end

_NOT_HOLDING = ("fails", "holds on a smaller domain")
_LONGEST = {"printed": 130, "witness": 110, "instead": 160}


def errata_table(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of all `entries` that do not hold as printed, in the order of the paper.

    `entries` are the whole ledger as `--json` prints it: repairs are looked up among them.
    """
    known = {entry["id"]: entry for entry in entries}
    lines = ["| claim | as printed | witness against it | what holds |", "|---|---|---|---|"]
    for entry in entries:
        if entry["printed"] and entry["verdict"] in _NOT_HOLDING:
            cells = (
                f"`{entry['id']}`",
                shortened_end(entry["statement"], _LONGEST["printed"]),
                shortened_end(flat_text(_without_models(entry["witness"])), _LONGEST["witness"]),
                shortened_end(_what_holds(entry, known), _LONGEST["instead"]),
            )
            lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"


def _without_models(content: Any) -> Any:
    """Return a witness with its bandits named by their sizes only: `show` prints them in full."""
    if isinstance(content, Mapping):
        if "arms" in content and "discount" in content:
            sizes = ", ".join(str(len(arm["rewards"])) for arm in content["arms"])
            return f"a bandit with {sizes} states at beta = {content['discount']}"
        return {name: _without_models(value) for name, value in content.items()}
    if isinstance(content, list):
        return [_without_models(value) for value in content]
    return content


def _what_holds(entry: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]) -> str:
    parts = []
    if entry["smaller_domain"]:
        parts.append(f"true for {entry['smaller_domain']}")
    for repair in entry["repaired_by"][:1]:
        parts.append(f"`{repair.removeprefix(entry['id'])}`: {known[repair]['statement']}")
    if not parts:
        parts.append(f"true variant: {', '.join(entry['controls'])}")
    return "; ".join(parts)
