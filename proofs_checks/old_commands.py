"""``python -m proofs_checks``: check the claims, print the ledger, show one claim with its witness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import proofs_checks.claims  # noqa: F401  (enters the claims)
from proofs_checks.conformance import KINDS, Tolerance, cases, check_writable, load_callable, write_smallest_failure
from proofs_checks.conformance import conform as run_conformance
from proofs_checks.conformance.printing import print_report, report_content
from proofs_checks.ledger import CLAIMS, run, run_variants
from proofs_checks.pictures import draw_picture
from proofs_checks.printing import print_entry, print_ledger, print_summary
from proofs_checks.properties.command import properties_command
from proofs_checks.recorded.runs import RECORD, record_runs
from proofs_checks.recorded.scaling import TIMES, record_times
from proofs_checks.report import prepare_folder, write_report
from proofs_checks.report.errata import errata_table
from theory.console import console, jobs_option, number_of_jobs, print_json

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@json_option
@jobs_option
@click.pass_context
def ledger(context: click.Context, as_json: bool, jobs: int | None) -> None:
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
def check(claims: Sequence[str], mutants: bool, as_json: bool, jobs: int | None) -> None:
    """Check one or some claims."""
    _check([CLAIMS[claim_id].id for claim_id in claims], as_json=as_json, jobs=jobs, mutants=mutants)


@ledger.command()
@click.argument("claim", metavar="CLAIM")
@json_option
def show(claim: str, as_json: bool) -> None:
    """Show one claim: statement, domain, evidence, exact values, witness, what it rests on."""
    (entry,) = run([CLAIMS[claim].id])
    if as_json:
        print_json(entry)
    else:
        print_entry(entry)
    _leave_unless(entry["as_recorded"])


@ledger.command()
@click.argument("folder", metavar="DIR")
@jobs_option
def report(folder: str, jobs: int | None) -> None:
    """Check every claim and write the ledger as a self-contained web page, DIR/index.html."""
    prepare_folder(Path(folder))  # a folder that cannot be written is found before the work is done
    entries = _run([claim.id for claim in CLAIMS], jobs)
    click.echo(f"wrote {write_report(Path(folder), entries)}")
    _leave_unless(all(entry["as_recorded"] for entry in entries))


@ledger.command()
@click.argument("name", metavar="NAME")
@click.argument("path", metavar="FILE")
def picture(name: str, path: str) -> None:
    """Draw a certified region: where Lemma moment holds (moment), where the counterexample works (counterexample)."""
    draw_picture(name, Path(path))


@ledger.command()
@click.argument("folders", nargs=-1, required=True, metavar="RUN_DIR...")
@click.option("--out", metavar="FILE", help="Where to write the record. [default: the package's own record]")
def record(folders: Sequence[str], out: str | None) -> None:
    """Record finished runs of `python -m mbrl run`, for the ledger's empirical entries."""
    target = Path(out) if out else RECORD
    names = record_runs([Path(folder) for folder in folders], target)
    click.echo(f"recorded {', '.join(names)} in {target}")


@ledger.command("record-times")
def record_times_command() -> None:
    """Measure how the time of a plan grows with the number of arms, for the ledger's empirical entries."""
    record_times()
    click.echo(f"recorded in {TIMES}")


@ledger.command()
@jobs_option
def errata(jobs: int | None) -> None:
    """Check every claim and print those that do not hold as printed, as a Markdown table."""
    entries = _run([claim.id for claim in CLAIMS], jobs)
    click.echo(errata_table(entries), nl=False)
    _leave_unless(all(entry["as_recorded"] for entry in entries))


@ledger.command("replay")
@click.argument("model", metavar="MODEL")
@click.option("--agent", "learner", default="mb-ucrl2", show_default=True, metavar="NAME", help="Or mb-ucbvi.")
@click.option(
    "--radii", type=click.Choice(["text", "appendix"]), default="text", show_default=True, help="Which of the paper's."
)
@click.option("--episodes", type=click.IntRange(min=1), default=30, show_default=True, metavar="K")
@click.option("--seed", type=int, default=1, show_default=True, metavar="S")
@click.option("--share", default="1", show_default=True, metavar="X", help="Multiply every radius by this.")
@json_option
def replay_command(model: str, learner: Any, radii: Any, episodes: int, seed: int, share: str, as_json: bool) -> None:
    """Replay a short run of MB-UCRL2 or MB-UCBVI with certified radii.

    Says, episode by episode, whether the event holds under which the paper proves the episode's model optimistic, and
    whether it is: its optimal value at least the true one in every global state. MODEL is a model file, or the name of
    a model of the paper, with arms of equal size and rewards in [0, 1]. The exit code is 0 exactly when every episode
    in which the event held was optimistic.
    """
    from proofs_checks.replays import Confidence, replay  # noqa: PLC0415  (it loads the learners)
    from proofs_checks.replays.history import share_of  # noqa: PLC0415
    from proofs_checks.replays.printing import model_to_replay, print_replay, replay_content  # noqa: PLC0415

    confidence = Confidence(radii, episodes, share_of(share))
    found = replay(learner, model_to_replay(model), confidence, seed)
    if as_json:
        print_json(replay_content(learner, confidence, found))
    else:
        print_replay(learner, confidence, found)
    _leave_unless(found.stands)


def _check(claim_ids: Sequence[str], *, as_json: bool, jobs: int | None, mutants: bool = False) -> None:
    entries = _run(claim_ids, jobs)
    if mutants:
        _add_variants(entries)
    if as_json:
        print_json({"claims": entries})
    else:
        print_ledger(entries)
        print_summary(entries)
    _leave_unless(all(entry["as_recorded"] and _variants_right(entry) for entry in entries))


@ledger.command()
@click.argument("implementation", metavar="MODULE:FUNCTION")
@click.option("--kind", required=True, metavar="KIND", help=f"What it computes: {', '.join(KINDS)}.")
@click.option(
    "--tolerance",
    default=Tolerance.error,
    show_default=True,
    metavar="X",
    help="Largest relative error.",
)
@click.option(
    "--examples", type=click.IntRange(min=0), default=200, show_default=True, metavar="N", help="Generated models."
)
@click.option("--failure", metavar="FILE", help="Where to write the smallest failing model. [default: printed]")
@json_option
def conform(
    implementation: str, kind: str, tolerance: float, examples: int, failure: str | None, as_json: bool
) -> None:
    """Run an implementation of your own against exact answers.

    It is a plain callable on NumPy arrays: indices of an arm (gittins), the value of a priority policy (value), the
    value of extended value iteration (evi); or it makes a learner (agent). `python -m pydoc proofs_checks.conformance`
    gives the signatures. Ctrl-C ends it early, with what was found so far. The exit code is 0 exactly when nothing was
    wrong beyond the tolerance.
    """
    number_of_cases = len(cases(kind))
    target = None if failure is None else Path(failure)
    if target is not None:
        check_writable(target)
    allowed = Tolerance(error=tolerance, optimism=tolerance)
    called = load_callable(implementation)
    with _progress(number_of_cases) as advance:
        report = run_conformance(
            called, kind, tolerance=allowed, examples=examples, name=implementation, progress=advance
        )
    if as_json:
        print_json(report_content(report))
    else:
        print_report(report, with_model=target is None)
    if target is not None and write_smallest_failure(report, target) and not as_json:
        click.echo(f"written to {target}")
    if report.interrupted:
        raise KeyboardInterrupt
    _leave_unless(report.passed)


ledger.add_command(properties_command)


def _run(claim_ids: Sequence[str], jobs: int | None) -> list[dict[str, Any]]:
    with _progress(len(claim_ids)) as advance:
        return run(claim_ids, jobs=number_of_jobs(jobs), progress=advance)


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
