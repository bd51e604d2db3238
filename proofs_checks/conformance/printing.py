"""The report of a conformance run, for a person and as JSON."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from proofs_checks.conformance.judging import Judgement
from proofs_checks.conformance.running import Report
from theory import model_content, model_text
from theory.console import console, table


def report_content(report: Report) -> dict[str, Any]:
    """Return the report as a JSON object."""
    return {
        "implementation": report.implementation,
        "kind": report.kind,
        "cases_version": report.version,
        "passed": report.passed,
        "cases": len(report.judgements),
        "failed_cases": sum(not judged.passed for judged in report.judgements.values()),
        "worst_absolute_error": report.worst_absolute_error,
        "worst_relative_error": report.worst_relative_error,
        "ties_split": report.ties_split,
        "defects": dict(report.defects),
        "information": report.information,
        "failures": {name: _defects(judged) for name, judged in report.judgements.items() if not judged.passed},
        "generated": report.generated,
        "smallest_failure": None if report.smallest_failure is None else model_content(report.smallest_failure),
        "smallest_failure_defects": [] if report.smallest_judgement is None else _defects(report.smallest_judgement),
    }


def print_report(report: Report, written_to: str | None) -> None:
    """Print the report; the smallest failing model in full unless it was written to a file."""
    out = console()
    failed = [name for name, judged in report.judgements.items() if not judged.passed]
    verdict = "[green]conforms[/]" if report.passed else "[red]does not conform[/]"
    out.print(f"{escape(report.implementation)} ({report.kind}, cases of version {report.version}): {verdict}")
    out.print(f"fixed cases: {len(report.judgements) - len(failed)} of {len(report.judgements)} passed")
    out.print(f"worst error: {report.worst_absolute_error:.3g} absolute, {report.worst_relative_error:.3g} relative")
    out.print(f"pairs of exact ties that came out different, by however little: {report.ties_split}")
    for name, number in report.information.items():
        out.print(f"{escape(name)}, all fixed cases together: {number:.6g}")
    if failed:
        rows = table("case", "what is wrong")
        for name in failed[:20]:
            rows.add_row(escape(name), escape("; ".join(_defects(report.judgements[name]))))
        out.print()
        out.print(rows)
        if len(failed) > 20:
            out.print(f"... and {len(failed) - 20} more")
    if report.smallest_failure is not None and report.smallest_judgement is not None:
        out.print(f"\nsmallest failing model: {escape('; '.join(_defects(report.smallest_judgement)))}")
        if written_to is None:
            out.print(escape(model_text(report.smallest_failure)), end="")
        else:
            out.print(f"written to {escape(written_to)}")
    elif report.generated:
        out.print(f"no failure on {report.generated} generated models")


def _defects(judged: Judgement) -> list[str]:
    return [f"{defect.kind}: {defect.detail}" for defect in judged.defects]
