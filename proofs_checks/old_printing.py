"""The ledger for a person: a table of all claims, a summary, and one claim in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape

from proofs_checks.ledger.plain import flat_text
from theory.console import console, table

_STYLE = {
    "holds": "green",
    "holds on a smaller domain": "yellow",
    "fails": "red",
    "undecided": "magenta",
    "error": "bold red",
}


def print_ledger(entries: Sequence[Mapping[str, Any]]) -> None:
    """Print one line per claim, in the order of the paper."""
    rows = table("claim", "verdict", "evidence", "statement")
    section = ""
    for entry in entries:
        if entry["section"] != section:
            section = entry["section"]
            rows.add_section()
            rows.add_row(f"[bold]{escape(section)}[/]", "", "", "")
        verdict = entry["verdict"]
        note = "" if entry["as_recorded"] else f" [bold red](recorded: {entry['recorded']['verdict']})[/]"
        evidence = entry["evidence"] or ""
        if entry["instances"]:
            evidence += f" ({entry['instances']})"
        rows.add_row(
            escape(entry["id"]), f"[{_STYLE[verdict]}]{verdict}[/]{note}", evidence, escape(entry["statement"])
        )
    console().print(rows)


def print_summary(entries: Sequence[Mapping[str, Any]]) -> None:
    """Print how many claims have which verdict, and which did not come out as recorded."""
    out = console()
    counts = Counter(entry["verdict"] for entry in entries)
    parts = [f"{counts[verdict]} {verdict}" for verdict in _STYLE if counts[verdict]]
    out.print(f"\n{len(entries)} claims: {', '.join(parts)}.")
    throughout = sum(1 for entry in entries if entry["stands_throughout"])
    out.print(f"{throughout} stand together with everything they rest on.")
    different = [entry for entry in entries if not entry["as_recorded"]]
    all_right = not different
    for entry in different:
        out.print(
            f"[bold red]not as recorded:[/] {escape(entry['id'])}: found {entry['verdict']} ({entry['evidence']}), "
            f"recorded {entry['recorded']['verdict']} ({entry['recorded']['evidence']}) {escape(entry['reason'])}"
        )
    for entry in entries:
        for name, variant in entry.get("variants", {}).items():
            all_right &= variant["as_it_should"]
            mark = "as it should" if variant["as_it_should"] else "[bold red]NOT as it should[/]"
            out.print(f"{escape(entry['id'])}, {variant['kind']} {escape(name)}: {variant['verdict']}, {mark}")
    if all_right:
        out.print("Every check found what is recorded.")


def print_entry(entry: Mapping[str, Any]) -> None:
    """Print one claim in full, with the data from which a failure can be redone by hand."""
    out = console()
    out.print(f"[bold]{escape(entry['id'])}[/]  ({escape(entry['section'])})")
    out.print(escape(entry["statement"]))
    out.print(f"Domain: {escape(entry['domain'])}\n")
    out.print(f"Verdict: [{_STYLE[entry['verdict']]}]{entry['verdict']}[/]")
    if entry["smaller_domain"]:
        out.print(f"It holds on: {escape(entry['smaller_domain'])}")
    instances = f", {entry['instances']} instances" if entry["instances"] else ""
    out.print(f"Evidence: {entry['evidence']}{instances}")
    if not entry["as_recorded"]:
        out.print(f"[bold red]Recorded: {entry['recorded']['verdict']} ({entry['recorded']['evidence']})[/]")
    if entry["reason"]:
        out.print(escape(entry["reason"]))
    for title, key in (("Values", "values"), ("Witness", "witness")):
        if entry[key] and not (key == "values" and entry[key] == entry["witness"]):
            out.print(f"\n[bold]{title}[/]")
            _print_tree(entry[key], "  ", entry["decimals"] if key == "values" else {})
    out.print()
    for title, key in (
        ("Rests on", "depends_on"),
        ("Taken from the literature", "cited"),
        ("Repairs", "repairs"),
        ("Repaired by", "repaired_by"),
        ("Mutants that the check refutes", "mutants"),
    ):
        if entry[key]:
            out.print(f"{title}: {escape(', '.join(entry[key]))}")
    stands = "yes" if entry["stands_throughout"] else "no"
    out.print(f"Stands together with everything it rests on: {stands}")


def _print_tree(content: Any, indent: str, decimals: Mapping[str, str]) -> None:
    out = console()
    for name, value in content.items():
        if isinstance(value, Mapping) and set(value) != {"enclosure"}:
            out.print(f"{indent}{escape(str(name))}:")
            _print_tree(value, indent + "  ", {})
        elif isinstance(value, list) and any(isinstance(each, (Mapping, list)) for each in value):
            out.print(f"{indent}{escape(str(name))}:")
            for each in value:
                if isinstance(each, Mapping):
                    _print_tree(each, indent + "  ", {})
                    out.print()
                else:
                    out.print(f"{indent}  {escape(_line(each))}")
        else:
            decimal = f"  ({decimals[name]})" if name in decimals else ""
            out.print(f"{indent}{escape(str(name))} = {escape(_line(value))}{decimal}")


def _line(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_line(each) for each in value) + "]"
    return flat_text(value)
