"""Commands that write pictures and pages."""

from __future__ import annotations

from pathlib import Path

import click

from proofs_checks.commands.entries import run_entries
from proofs_checks.commands.options import fresh_option
from proofs_checks.paper import registry
from proofs_checks.report.pages.annotated import prepare_folder
from proofs_checks.report.pages.errata import all_causes
from proofs_checks.report.pages.theorems import theorem_summaries
from proofs_checks.report.pictures import draw_picture
from theory.terminal.console import OutputFolder, PictureFile, jobs_option


@click.command()
@click.argument("folder", metavar="DIR", type=OutputFolder())
@fresh_option
@jobs_option
def report(folder: Path, fresh: bool, jobs: int | None) -> None:
    """Write the annotated paper into DIR: one page, index.html, that works from disk without a network."""
    from proofs_checks.report.pages.annotated.rendering import write_page  # noqa: PLC0415  (its libraries load slowly)

    prepare_folder(folder)  # refuses a folder that cannot be written, before anything is computed
    entries, causes = run_entries(None, jobs, fresh), all_causes(registry())
    click.echo(str(write_page(folder, entries, causes, theorem_summaries(entries, causes, registry()))))


@click.command()
@click.argument("folder", metavar="DIR", type=OutputFolder())
def reference(folder: Path) -> None:
    """Write the API reference of theory, mbrl and proofs_checks into DIR, from their docstrings.

    If DIR is PAGE/reference, the page that `report PAGE` writes afterwards links to it.
    """
    from proofs_checks.report.reference import write_reference  # noqa: PLC0415  (it imports all there is)

    click.echo(str(write_reference(folder)))


@click.command()
@click.argument("folder", metavar="DIR", type=OutputFolder())
@jobs_option
def note(folder: Path, jobs: int | None) -> None:
    """Write the note on the sharper bounds into DIR: LaTeX, and a PDF where pdflatex is installed."""
    from proofs_checks.report.note import ENTRIES, constants, write_note  # noqa: PLC0415  (it draws)

    prepare_folder(folder)
    click.echo(str(write_note(folder, run_entries(list(ENTRIES), jobs), constants(registry()))))


@click.command()
@click.argument("name", metavar="NAME")
@click.argument("path", metavar="FILE", type=PictureFile())
def picture(name: str, path: Path) -> None:
    """Draw where Lemma moment holds (moment), where the counterexample works (counterexample), the bounds (bounds)."""
    draw_picture(name, path)
