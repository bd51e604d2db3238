"""``python -m proofs_checks kernel``: compile the Rocq sources; statements, assumptions, entries."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from proofs_checks.kernel.certificates import (
    CheckedCertificate,
    certificates_of_model,
    check_certificates,
    read_certificate,
    refuse_other_models,
)
from proofs_checks.kernel.compilation import CompiledFile, KernelReport, compile_sources
from proofs_checks.kernel.coqc import KernelError
from proofs_checks.kernel.headlines import headlines
from proofs_checks.kernel.questions import EXCLUDED_MIDDLE, OF_MEASURE_THEORY
from proofs_checks.kernel.record import (
    RECORD,
    is_current,
    note_compiled,
    record,
    record_content,
    with_comments,
    write_record,
)
from proofs_checks.kernel.sources import digest
from theory.terminal.console import OutputFolder, console, jobs_option, number_of_jobs, print_json
from theory.terminal.outputs import check_file


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@jobs_option
@click.option("--keep", metavar="DIR", type=OutputFolder(), help="Keep the compiled files in this folder.")
@click.option("--record", "write", is_flag=True, help="Write the record that the ledger shows where Rocq is missing.")
@click.option(
    "--certificate",
    "certificates",
    multiple=True,
    metavar="FILE",
    help="Check this certificate of python -m theory value or indices instead; may be repeated.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="Certify this model's Gittins indices, and its optimal values while it is small; may be repeated.",
)
@click.option("--of", metavar="MODEL", help="Refuse certificates of any other bandit than this model.")
@click.option(
    "--terms", metavar="DIR", type=OutputFolder(), help="Also keep the Rocq terms of the certificates in this folder."
)
@click.option("--statements", is_flag=True, help="Print the headlines beside the paper's words; nothing is compiled.")
@click.pass_context
def kernel(
    context: click.Context,
    as_json: bool,
    jobs: int | None,
    keep: Path | None,
    write: bool,
    certificates: Sequence[str],
    models: Sequence[str],
    of: str | None,
    terms: Path | None,
    statements: bool,
) -> None:
    """Compile the Rocq sources, and print each theorem's statement, its assumptions and the entries it carries.

    The exit code is 0 exactly when all sources compile, no theorem assumes more than it may, and the record that the
    ledger shows was made from these sources.

    With --certificate or --model, the command compiles only the files that certificates need, and the kernel decides
    by computation whether each certificate is right; the exit code is 0 exactly when it accepts all.

    With --statements, the command prints the headline theorems and the axioms that they assume, from the record; the
    exit code is 0 exactly when these sources were recorded, or compiled here last.
    """
    if statements:
        if certificates or models or of is not None or terms is not None or write or keep is not None:
            raise click.UsageError("--statements compiles nothing, and goes with --json alone")
        _show_statements(as_json=as_json)
        return
    if certificates or models:
        named = [read_certificate(Path(name)) for name in certificates]
        named += [certificate for name in models for certificate in certificates_of_model(name)]
        if of is not None:
            refuse_other_models(named, of)
        with tempfile.TemporaryDirectory() as workspace:
            checked = check_certificates(named, Path(workspace), number_of_jobs(jobs), terms)
        _show_checked(checked, as_json=as_json)
        if not all(one.accepted for one in checked):
            context.exit(1)
        return
    if of is not None or terms is not None:
        raise click.UsageError("--of and --terms are about certificates: name one with --certificate or --model")
    if write:
        check_file(RECORD)
    progress = (lambda _: None) if as_json else _print_file
    expected = {} if write else {(each["file"], each["name"]): each["assumptions"] for each in record()["theorems"]}
    report = compile_sources(jobs=number_of_jobs(jobs), workspace=keep, expected=expected, progress=progress)
    if write:
        write_record(report)
    content = with_comments(record_content(report, digest()))
    as_recorded = content == record()
    if as_recorded and not report.forbidden:
        note_compiled()
    if as_json:
        files = [{"file": file.name, "lines": file.lines, "seconds": file.seconds} for file in report.files]
        print_json(content | {"files": files, "forbidden": report.forbidden, "as_recorded": as_recorded})
    else:
        for theorem in content["theorems"]:
            _print_theorem(theorem)
        _print_summary(report, as_recorded)
    if report.forbidden or not as_recorded:
        context.exit(1)


def _show_statements(*, as_json: bool) -> None:
    from proofs_checks.paper import registry  # noqa: PLC0415  (what is compiled does not wait for the ledger)
    from proofs_checks.report.pages.headlines import headline_contents, headline_lines  # noqa: PLC0415

    if not is_current():
        raise KernelError(f"{RECORD.name} is not the record of these sources; write it with --record")
    if as_json:
        print_json({"statements": headline_contents(registry())})
    else:
        click.echo("\n".join(headline_lines(registry(), console().width)))


def show_theorem(name: str, *, as_json: bool) -> bool:
    """Print the recorded theorems with a name such as theorem_M or Statements.theorem_M; return whether there are."""
    restating = {each.name: each for each in headlines()}
    found = [each for each in record()["theorems"] if name in (each["name"], _qualified(each))]
    for each in found:
        headline = restating.get(each["name"])
        told = each | {"entries": list(headline.entries)} if headline else each
        if as_json:
            print_json(told)
            break
        _print_theorem(told)
        if headline:
            click.echo(f"  restates: {headline.file.removesuffix('.v')}.{headline.theorem}")
    return bool(found)


def _qualified(theorem: Mapping[str, Any]) -> str:
    return f"{theorem['file'].removesuffix('.v')}.{theorem['name']}"


def _show_checked(checked: Sequence[CheckedCertificate], *, as_json: bool) -> None:
    if as_json:
        print_json({"certificates": [vars(one) | {"seconds": round(one.seconds, 2)} for one in checked]})
        return
    for one in checked:
        size = f"{one.arms} arm{'s' if one.arms != 1 else ''} of {one.states} states"
        verdict = "accepted" if one.accepted else "refused"
        click.echo(f"{one.name}: {size}, {verdict} in {one.seconds:.1f} s: {one.said}")


def _print_file(file: CompiledFile) -> None:
    click.echo(f"{file.name:24} {file.lines:5} lines {file.seconds:7.1f} s")


def _print_theorem(theorem: Mapping[str, Any]) -> None:
    click.echo(f"\n{_qualified(theorem)}")
    if theorem["comment"]:
        click.echo(click.wrap_text(theorem["comment"], width=112, initial_indent="  ", subsequent_indent="  "))
    for line in theorem["statement"].splitlines():
        click.echo(f"    {line}")
    click.echo(f"  assumes: {', '.join(axiom.rpartition('.')[2] for axiom in theorem['assumptions']) or 'nothing'}")
    click.echo(f"  carries: {' '.join(theorem['entries']) or 'no entry'}")
    if theorem["step_of"]:
        click.echo(f"  step of: {' '.join(theorem['step_of'])}")


def _print_summary(report: KernelReport, as_recorded: bool) -> None:
    entries = {entry for theorem in report.theorems for entry in theorem.written.entries}
    seconds = sum(file.seconds for file in report.files)
    lines = sum(file.lines for file in report.files)
    click.echo(
        f"\nRocq {report.version} accepts {len(report.theorems)} theorems in {len(report.files)} files "
        f"({lines} lines, {seconds:.0f} s); they carry {len(entries)} entries of the ledger."
    )
    classical = sum(EXCLUDED_MIDDLE in theorem.assumptions for theorem in report.theorems)
    click.echo(
        "All assume the standard real numbers and functional extensionality.\n"
        f"{classical} assume excluded middle, too: the library does, for logarithms and maxima.\n"
        f"{len(OF_MEASURE_THEORY)} are about measures and assume the axioms of mathcomp's classical library."
    )
    for name, axioms in report.forbidden.items():
        click.echo(f"{name} assumes more than it may: {', '.join(axioms)}")
    if not as_recorded:
        click.echo(f"{RECORD.name} is not the record of these sources; write it with --record")
