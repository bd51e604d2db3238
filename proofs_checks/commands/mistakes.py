"""Commands about claims that do not hold: the causes on one screen, and the errata for the authors."""

from __future__ import annotations

import click

from proofs_checks.commands.options import json_option
from proofs_checks.paper import registry
from proofs_checks.report.pages.errata import all_causes
from proofs_checks.report.pages.errata import errata as markdown
from proofs_checks.report.pages.terminal import print_causes
from theory.terminal.console import print_json


@click.command()
@json_option
def causes(as_json: bool) -> None:
    """List the mistakes of the paper, each counted once, with severity and place, in the order of the errata."""
    found = all_causes(registry())
    if as_json:
        print_json({"causes": found})
    else:
        print_causes(found)


@click.command()
@json_option
def errata(as_json: bool) -> None:
    """Print what to change in the paper, whole, as Markdown."""
    found = all_causes(registry())
    if as_json:
        print_json({"causes": found})
    else:
        click.echo(markdown(found), nl=False)
