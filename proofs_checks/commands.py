"""``python -m proofs_checks``: check the claims, print the ledger, show one claim with its witness."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import proofs_checks.claims  # noqa: F401  (enters the claims)
from proofs_checks.ledger import CLAIMS, Outcome, run, run_variants
from proofs_checks.ledger.plain import entry_content
from proofs_checks.printing import print_entry, print_ledger, print_summary
from proofs_checks.report import prepare_folder, write_report
from theory.console import console, print_json, run_command_line

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
jobs_option = click.option(
    "--jobs",
    default=0,
    show_default="all cores",
    metavar="N",
    help="Number of processes; findings do not depend on it.",
)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@json_option
@jobs_option
@click.pass_context
def ledger(context: click.Context, as_json: bool, jobs: int) -> None:
    """Check every claim of the paper and print the ledger.

    The exit code is 0 exactly when every check found what is recorded.
    """
    if context.invoked_subcommand is None:
        _check([claim.id for claim in CLAIMS], as_json=as_json, jobs=jobs)


@ledger.command()
@click.argument("claims", nargs=-1, required=True, metavar="CLAIM...")
@click.option("--mutants", is_flag=True, help="Also run each claim's false variants, which its check must refute.")
@json_option
@jobs_option
def check(claims: Sequence[str], mutants: bool, as_json: bool, jobs: int) -> None:
    """Check one or some claims."""
    _check([CLAIMS[claim_id].id for claim_id in claims], as_json=as_json, jobs=jobs, mutants=mutants)


@ledger.command()
@click.argument("claim", metavar="CLAIM")
@json_option
def show(claim: str, as_json: bool) -> None:
    """Show one claim: statement, domain, evidence, exact values, witness, what it rests on."""
    entry = CLAIMS[claim]
    outcome = run([entry.id])[entry.id]
    content = entry_content(entry, outcome)
    if as_json:
        print_json(content)
    else:
        print_entry(content)
    _leave_unless(outcome.as_recorded(entry))


@ledger.command()
@click.argument("folder", metavar="DIR")
@jobs_option
def report(folder: str, jobs: int) -> None:
    """Check every claim and write the ledger as a self-contained web page, DIR/index.html."""
    prepare_folder(Path(folder))  # a folder that cannot be written is found before the work is done
    outcomes = _run([claim.id for claim in CLAIMS], jobs)
    page = write_report(Path(folder), [entry_content(CLAIMS[each], outcome) for each, outcome in outcomes.items()])
    click.echo(f"wrote {page}")
    _leave_unless(_as_recorded(outcomes))


def _check(claim_ids: Sequence[str], *, as_json: bool, jobs: int, mutants: bool = False) -> None:
    outcomes = _run(claim_ids, jobs)
    entries = [entry_content(CLAIMS[claim_id], outcome) for claim_id, outcome in outcomes.items()]
    if mutants:
        _add_variants(entries)
    if as_json:
        print_json({"claims": entries})
    else:
        print_ledger(entries)
        print_summary(entries)
    _leave_unless(_as_recorded(outcomes) and all(_variants_right(entry) for entry in entries))


def _run(claim_ids: Sequence[str], jobs: int) -> dict[str, Outcome]:
    if jobs < 0:
        raise click.UsageError(f"--jobs {jobs}: give a number of processes, or 0 for all cores")
    with _progress(len(claim_ids)) as advance:
        return run(claim_ids, jobs=jobs or os.cpu_count() or 1, progress=advance)


def _add_variants(entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        entry["variants"] = {
            variant.name: {
                "kind": "mutant" if variant.is_mutant else "control",
                "verdict": variant.finding.verdict.value,
                "as_it_should": variant.as_it_should,
            }
            for variant in run_variants([entry["id"]])
        }


def _variants_right(entry: dict[str, Any]) -> bool:
    return all(variant["as_it_should"] for variant in entry.get("variants", {}).values())


def _as_recorded(outcomes: dict[str, Outcome]) -> bool:
    return all(outcome.as_recorded(CLAIMS[claim_id]) for claim_id, outcome in outcomes.items())


def _leave_unless(right: bool) -> None:
    if not right:
        raise SystemExit(1)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """Show progress on stderr, in a terminal only."""
    columns = (
        TextColumn("checking"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[claim]}"),
    )
    with Progress(
        *columns, console=console(stderr=True), transient=True, disable=not console(stderr=True).is_terminal
    ) as bar:
        task = bar.add_task("checking", total=total, claim="")
        yield lambda claim_id: bar.update(task, advance=1, claim=claim_id)


def main() -> None:
    """Run the command line and leave with its exit code."""
    run_command_line(ledger, "python -m proofs_checks")
