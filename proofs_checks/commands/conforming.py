"""The command that compares a user's implementation with exact answers."""

from __future__ import annotations

from pathlib import Path

import click

from proofs_checks.commands.options import json_option, leave_unless, progress
from proofs_checks.trials.conformance import KINDS, Tolerance, cases, load_callable
from proofs_checks.trials.conformance import conform as run_conformance
from proofs_checks.trials.conformance.printing import print_report, report_content
from theory import exact_discount
from theory.terminal.console import OutputFile, WholeIn, interruptible, print_json


@click.command()
@click.argument("implementation", metavar="MODULE:FUNCTION")
@click.option("--kind", required=True, metavar="KIND", help=f"What it computes: {', '.join(KINDS)}.")
@click.option("--tolerance", default=Tolerance.error, show_default=True, metavar="X", help="Largest relative error.")
@click.option("--examples", type=WholeIn(min=0), default=200, show_default=True, metavar="N", help="Generated models.")
@click.option(
    "--discounts-up-to", "up_to", metavar="X", help="Leave out models of larger discounts. [default: all below 1]"
)
@click.option(
    "--states-up-to",
    "states",
    type=WholeIn(min=1),
    metavar="N",
    help="Leave out fixed cases of more global states; they have up to 20736 (value), 200 (gittins).",
)
@click.option(
    "--failure",
    metavar="FILE",
    type=OutputFile(),
    help="Where to write the smallest failing model. [default: printed]",
)
@json_option
def conform(
    implementation: str,
    kind: str,
    tolerance: float,
    examples: int,
    up_to: str | None,
    states: int | None,
    failure: Path | None,
    as_json: bool,
) -> None:
    """Run an implementation of your own against exact answers.

    MODULE:FUNCTION is a plain callable on NumPy arrays. It returns the indices of an arm (gittins), the value of a
    priority policy (value), the value of extended value iteration (evi; rewards up to
    reward + radius, not cut off at 1), or a learner (agent). Keyword arguments follow it: MODULE:FUNCTION/rate=0.1.
    `python -m pydoc proofs_checks.trials.conformance` gives the signatures. The command prints the cases that fail,
    and the smallest failing model of each kind of failure. Ctrl-C ends it early and prints what was found so far.
    The exit code is 0 exactly when no error exceeds the tolerance.
    """
    largest = None if up_to is None else exact_discount(up_to)
    asked = cases(kind, largest, states)
    allowed = Tolerance(error=tolerance, optimism=tolerance)
    called = load_callable(implementation)
    with interruptible(), progress(len(asked)) as advance:
        report = run_conformance(
            called,
            kind,
            tolerance=allowed,
            examples=examples,
            up_to=largest,
            states=states,
            name=implementation,
            progress=advance,
        )
    if report.printed:
        click.echo(f"it printed: {report.printed}", err=True)
    if as_json:
        print_json(report_content(report))
    else:
        print_report(report, with_model=failure is None)
    if failure is not None and report.failures:
        report.failures[0].write(failure)
        if not as_json:
            click.echo(f"written to {failure}")
    if report.interrupted:
        at = [case.name for case in asked if case.name not in report.judgements][:1] or ["a generated model"]
        raise KeyboardInterrupt(
            f"interrupted at {at[0]}; --discounts-up-to X and --states-up-to N leave out cases"
        )  # the function may run forever on this model
    leave_unless(report.passed)
