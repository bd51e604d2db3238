"""``python -m proofs_checks kernel``: compile the Rocq sources; statements, assumptions, entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from proofs_checks.kernel.compilation import CompiledFile, KernelReport, compile_sources
from proofs_checks.kernel.record import RECORD, record, record_content, write_record
from proofs_checks.kernel.sources import digest
from theory.console import jobs_option, number_of_jobs, print_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@jobs_option
@click.option("--record", "write", is_flag=True, help="Write the record that the ledger shows where Rocq is missing.")
@click.pass_context
def kernel(context: click.Context, as_json: bool, jobs: int | None, write: bool) -> None:
    """Compile the Rocq sources, and print each theorem's statement, its assumptions and the entries it carries.

    The exit code is 0 exactly when all compile, no theorem assumes more than the standard real numbers, and the record
    that the ledger shows is that of these sources.
    """
    report = compile_sources(jobs=number_of_jobs(jobs), progress=(lambda _: None) if as_json else _print_file)
    if write:
        write_record(report)
    content = record_content(report, digest())
    as_recorded = content == record()
    if as_json:
        files = [{"file": file.name, "lines": file.lines, "seconds": round(file.seconds, 2)} for file in report.files]
        print_json(content | {"files": files, "forbidden": report.forbidden, "as_recorded": as_recorded})
    else:
        for theorem in content["theorems"]:
            _print_theorem(theorem)
        _print_summary(report, as_recorded)
    if report.forbidden or not as_recorded:
        context.exit(1)


def _print_file(file: CompiledFile) -> None:
    click.echo(f"{file.name:24} {file.lines:5} lines {file.seconds:7.1f} s")


def _print_theorem(theorem: Mapping[str, Any]) -> None:
    click.echo(f"\n{theorem['file'].removesuffix('.v')}.{theorem['name']}")
    if theorem["comment"]:
        click.echo(click.wrap_text(theorem["comment"], width=112, initial_indent="  ", subsequent_indent="  "))
    for line in theorem["statement"].splitlines():
        click.echo(f"    {line}")
    click.echo(f"  assumes: {', '.join(_short(axiom) for axiom in theorem['assumptions']) or 'nothing'}")
    click.echo(f"  carries: {' '.join(theorem['entries']) or 'no entry'}")
    if theorem["step_of"]:
        click.echo(f"  step of: {' '.join(theorem['step_of'])}")


def _short(axiom: str) -> str:
    return axiom.rpartition(".")[2]


def _print_summary(report: KernelReport, as_recorded: bool) -> None:
    entries = {entry for theorem in report.theorems for entry in theorem.written.entries}
    seconds = sum(file.seconds for file in report.files)
    lines = sum(file.lines for file in report.files)
    click.echo(
        f"\nRocq {report.version} accepts {len(report.theorems)} theorems in {len(report.files)} files "
        f"({lines} lines, {seconds:.0f} s); they carry {len(entries)} entries of the ledger."
    )
    for name, axioms in report.forbidden.items():
        click.echo(f"{name} assumes more than the standard real numbers: {', '.join(axioms)}")
    if not as_recorded:
        click.echo(f"{RECORD.name} is not the record of these sources; write it with --record")
