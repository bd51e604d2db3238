"""``python -m proofs_checks kernel``: compile the Rocq sources; statements, assumptions, entries."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from proofs_checks.commands.options import json_option, leave_unless
from proofs_checks.kernel.certificates import (
    certificates_of_model,
    check_certificates,
    read_certificate,
    refuse_other_models,
)
from proofs_checks.kernel.compilation import CompiledFile, compile_sources
from proofs_checks.kernel.coqc import KernelError
from proofs_checks.kernel.headlines import headlines
from proofs_checks.kernel.questions import EXCLUDED_MIDDLE, OF_MEASURE_THEORY, allowed_axioms
from proofs_checks.kernel.record import RECORD, is_current, note_compiled, record, with_comments, write_record
from proofs_checks.kernel.sources import qualified
from theory.terminal.console import OutputFolder, console, jobs_option, number_of_jobs, print_json
from theory.terminal.outputs import check_file


@click.command()
@json_option
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
def kernel(
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
        if any((certificates, models, of, terms, write, keep)):
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
        leave_unless(all(each["accepted"] for each in checked))
        return
    if of is not None or terms is not None:
        raise click.UsageError("--of and --terms are about certificates: name one with --certificate or --model")
    if write:
        check_file(RECORD)
    expected = {} if write else {qualified(theorem): theorem["assumptions"] for theorem in record()["theorems"]}
    progress = (lambda _: None) if as_json else _print_file
    compiled, files = compile_sources(keep, number_of_jobs(jobs), expected, progress)
    if write:
        write_record(compiled)
    content = with_comments(compiled)
    forbidden = {
        theorem["name"]: beyond
        for theorem in content["theorems"]
        if (beyond := sorted(set(theorem["assumptions"]) - allowed_axioms(theorem["name"])))
    }
    as_recorded = content == record()
    if as_recorded and not forbidden:
        note_compiled()
    if as_json:
        told = {"files": [each._asdict() for each in files], "forbidden": forbidden, "as_recorded": as_recorded}
        print_json(content | told)
    else:
        for theorem in content["theorems"]:
            _print_theorem(theorem)
        _print_summary(content, files, forbidden, as_recorded)
    leave_unless(as_recorded and not forbidden)


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
    found = [each for each in record()["theorems"] if name in (each["name"], qualified(each))]
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


def _show_checked(checked: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json({"certificates": checked})
        return
    for each in checked:
        size = f"{each['arms']} arm{'s' if each['arms'] != 1 else ''} of {each['states']} states"
        verdict = "accepted" if each["accepted"] else "refused"
        click.echo(f"{each['name']}: {size}, {verdict} in {each['seconds']:.1f} s: {each['said']}")


def _print_file(file: CompiledFile) -> None:
    click.echo(f"{file.file:24} {file.lines:5} lines {file.seconds:7.1f} s")


def _print_theorem(theorem: Mapping[str, Any]) -> None:
    click.echo(f"\n{qualified(theorem)}")
    if theorem["comment"]:
        click.echo(click.wrap_text(theorem["comment"], width=112, initial_indent="  ", subsequent_indent="  "))
    for line in theorem["statement"].splitlines():
        click.echo(f"    {line}")
    click.echo(f"  assumes: {', '.join(axiom.rpartition('.')[2] for axiom in theorem['assumptions']) or 'nothing'}")
    click.echo(f"  carries: {' '.join(theorem['entries']) or 'no entry'}")
    if theorem["step_of"]:
        click.echo(f"  step of: {' '.join(theorem['step_of'])}")


def _print_summary(
    content: Mapping[str, Any],
    files: Sequence[CompiledFile],
    forbidden: Mapping[str, Sequence[str]],
    as_recorded: bool,
) -> None:
    theorems = content["theorems"]
    entries = {entry for theorem in theorems for entry in theorem["entries"]}
    seconds, lines = sum(file.seconds for file in files), sum(file.lines for file in files)
    classical = sum(EXCLUDED_MIDDLE in theorem["assumptions"] for theorem in theorems)
    click.echo(
        f"\nRocq {content['rocq']} accepts {len(theorems)} theorems in {len(files)} files "
        f"({lines} lines, {seconds:.0f} s); they carry {len(entries)} entries of the ledger.\n"
        "All assume the standard real numbers and functional extensionality.\n"
        f"{classical} assume excluded middle, too: the library does, for logarithms and maxima.\n"
        f"{len(OF_MEASURE_THEORY)} are about measures and assume the axioms of mathcomp's classical library."
    )
    for name, axioms in forbidden.items():
        click.echo(f"{name} assumes more than it may: {', '.join(axioms)}")
    if not as_recorded:
        click.echo(f"{RECORD.name} is not the record of these sources; write it with --record")
