"""Commands that write pictures and pages."""

from __future__ import annotations

from pathlib import Path

import click

from proofs_checks.pictures import draw_picture


@click.command()
@click.argument("name", metavar="NAME")
@click.argument("path", metavar="FILE")
def picture(name: str, path: str) -> None:
    """Draw a certified region: where Lemma moment holds (moment), where the counterexample works (counterexample)."""
    draw_picture(name, Path(path))
