"""Commands that record measurements for the empirical entries: finished runs, and planning times by number of arms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from proofs_checks.paper.recorded.curve import CURVE
from proofs_checks.paper.recorded.curve import record_curve as summarise
from proofs_checks.paper.recorded.runs import RECORD, record_runs
from proofs_checks.paper.recorded.scaling import TIMES
from proofs_checks.paper.recorded.scaling import record_times as measure_times
from theory.terminal.console import OutputFile


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="RUN_DIR...")
@click.option(
    "--out",
    metavar="FILE",
    type=OutputFile(),
    help="Where to write the record. [default: the package's own record]",
)
def record(folders: Sequence[str], out: Path | None) -> None:
    """Record finished runs of `python -m mbrl run`, for the ledger's empirical entries."""
    target = out or RECORD
    names = record_runs([Path(folder) for folder in folders], target)
    click.echo(f"recorded {', '.join(names)} in {target}")


@click.command("record-times")
def record_times() -> None:
    """Measure how the time of a plan grows with the number of arms, for the ledger's empirical entries."""
    measure_times()
    click.echo(f"recorded in {TIMES}")


@click.command("record-curve")
@click.argument("folder", metavar="RUN_DIR")
def record_curve(folder: str) -> None:
    """Record a finished run of scenario 1 for the page's figure of exact regret beside the bounds."""
    summarise(Path(folder))
    click.echo(f"recorded in {CURVE}")
