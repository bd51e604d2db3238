"""Commands about claims that do not hold: the causes on one screen, and the errata for the authors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from proofs_checks.commands.options import json_option
from theory.terminal.console import print_json


def all_causes() -> list[dict[str, Any]]:
    """Return the causes in the order of the errata, each with the entries that it touches."""
    from proofs_checks.paper import registry  # noqa: PLC0415
    from proofs_checks.report.pages.errata import cause_content, sorted_causes  # noqa: PLC0415

    return [cause_content(cause, registry()) for cause in sorted_causes(registry())]


@click.command()
@json_option
def causes(as_json: bool) -> None:
    """List the mistakes of the paper, each counted once, with severity and place, in the order of the errata."""
    from proofs_checks.report.pages.terminal import print_causes  # noqa: PLC0415

    _print(as_json, print_causes)


@click.command()
@json_option
def errata(as_json: bool) -> None:
    """Print what to change in the paper, whole, as Markdown."""
    from proofs_checks.report.pages.errata import errata as markdown  # noqa: PLC0415

    _print(as_json, lambda found: click.echo(markdown(found), nl=False))


def _print(as_json: bool, show: Callable[[list[dict[str, Any]]], None]) -> None:
    found = all_causes()
    if as_json:
        print_json({"causes": found})
    else:
        show(found)
