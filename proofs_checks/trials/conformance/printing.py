"""The report of a conformance run, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_checks.trials.conformance.cases import VERSION
from proofs_checks.trials.conformance.judging import Judgement
from proofs_checks.trials.conformance.running import Failure, Report
from theory import model_text
from theory.terminal.console import console, table

_MOST_SHOWN = 20
"""Largest number of groups of cases, each with the same defects, that are printed."""


def report_content(report: Report) -> dict[str, Any]:
    """Return the report as a JSON object."""
    whole = report.whole
    return {
        "implementation": report.implementation,
        "kind": report.kind,
        "cases_version": VERSION,
        "passed": report.passed,
        "interrupted": report.interrupted,
        "cases": len(report.judgements),
        "failed_cases": len(report.failed),
        "worst_absolute_error": whole.absolute_error,
        "worst_relative_error": whole.relative_error,
        "ties_split": whole.ties_split,
        "defects": dict(report.defects),
        "information": dict(whole.information),
        "failures": {name: [*map(str, judged.defects)] for name, judged in report.failed.items()},
        "generated": report.generated,
        "smallest_failures": [each.content() for each in report.failures],
    }


def print_report(report: Report, *, with_model: bool) -> None:
    """Print the report, in it the smallest failing model if `with_model`."""
    out, whole = console(), report.whole
    verdict = "interrupted" if report.interrupted else "conforms" if report.passed else "does not conform"
    told = f"{report.implementation} ({report.kind}, cases of version {VERSION}): {verdict}"
    out.print(told, style="bold")
    out.print(f"fixed cases: {len(report.judgements) - len(report.failed)} of {report.asked} passed")
    if report.unanswered:
        out.print(f"without an answer that can be compared: {report.unanswered}")
    else:
        out.print(f"worst error: {whole.absolute_error:.3g} absolute, {whole.relative_error:.3g} relative")
    out.print(f"pairs of exact ties that came out different, by however little: {whole.ties_split}")
    for name, number in whole.information.items():
        out.print(f"{name}, all fixed cases together: {number:.6g}")
    if report.failed:
        _print_defects(report.failed)
    for number, each in enumerate(report.failures):
        what = "failing otherwise" if number else "\nsmallest failing model"
        out.print(f"{what} ({_which(each)}): {each.text}")
        if with_model and not number:
            out.print(model_text(each.bandit), end="", soft_wrap=True)
    if report.generated and not report.failures:
        out.print(f"no failure on {report.generated} generated models")


def _print_defects(failed: Mapping[str, Judgement]) -> None:
    """Print each defect once, with the first case that shows it and the number of other cases."""
    said: dict[str, list[str]] = {}
    for name, judged in failed.items():
        said.setdefault(judged.text, []).append(name)
    rows = table("case", "what is wrong")
    for text, names in list(said.items())[:_MOST_SHOWN]:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        rows.add_row(names[0] + more, text)
    out = console()
    out.print()
    out.print(rows)
    if others := sum(map(len, list(said.values())[_MOST_SHOWN:])):
        out.print(f"... and {others} more cases")


def _which(failure: Failure) -> str:
    """Return the name of a failing case, or the size of a failing model."""
    sizes = failure.bandit.sizes
    states = f"{sum(sizes)} state{'s' if sum(sizes) > 1 else ''}"
    arms = f" in {len(sizes)} arms" if len(sizes) > 1 else ""
    return failure.case or f"{states}{arms}, discount {failure.bandit.discount}"
