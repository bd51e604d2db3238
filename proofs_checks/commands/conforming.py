"""The command that holds anyone's implementation to exact answers."""

from __future__ import annotations

from pathlib import Path

import click

from proofs_checks.commands.options import json_option, leave_unless, progress
from proofs_checks.conformance import KINDS, Tolerance, cases, load_callable, write_smallest_failure
from proofs_checks.conformance import conform as run_conformance
from proofs_checks.conformance.printing import print_report, report_content
from theory.console import print_json


@click.command()
@click.argument("implementation", metavar="MODULE:FUNCTION")
@click.option("--kind", required=True, metavar="KIND", help=f"What it computes: {', '.join(KINDS)}.")
@click.option("--tolerance", default=Tolerance.error, show_default=True, metavar="X", help="Largest relative error.")
@click.option("--examples", default=200, show_default=True, metavar="N", help="Generated models.")
@click.option("--failure", metavar="FILE", help="Where to write the smallest failing model. [default: not written]")
@json_option
def conform(
    implementation: str, kind: str, tolerance: float, examples: int, failure: str | None, as_json: bool
) -> None:
    """Run an implementation of your own against exact answers.

    It is a plain callable on NumPy arrays: indices of an arm (gittins), the value of a priority policy (value), the
    value of extended value iteration (evi); or it makes a learner (agent). `python -m pydoc proofs_checks.conformance`
    gives the signatures. The exit code is 0 exactly when nothing was wrong beyond the tolerance.
    """
    if not tolerance > 0 or examples < 0:
        raise click.UsageError("--tolerance must be positive and --examples at least 0")
    called = load_callable(implementation)
    allowed = Tolerance(error=tolerance, optimism=tolerance)
    with progress(len(cases(kind))) as advance:
        report = run_conformance(
            called, kind, tolerance=allowed, examples=examples, name=implementation, progress=advance
        )
    if failure is not None:
        write_smallest_failure(report, Path(failure))
    if as_json:
        print_json(report_content(report))
    else:
        print_report(report, failure)
    leave_unless(report.passed)
