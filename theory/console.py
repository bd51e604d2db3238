"""What every command line of the project shares: errors as one line on stderr with exit code 2, and tables."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, NoReturn

import click
from rich.console import Console
from rich.table import Table

from theory.errors import BanditError

WIDTH_OF_A_PIPE = 120


def run_command_line(group: click.Group, program: str) -> NoReturn:
    """Run `group` and leave with its exit code: 2, and one line on stderr, for anything wrong with the input."""
    try:
        code = group.main(prog_name=program, standalone_mode=False)
        sys.stdout.flush()
    except BanditError as error:
        _leave(str(error))
    except click.ClickException as error:
        _leave(error.format_message())
    except click.Abort:
        _leave("interrupted", code=130)
    except BrokenPipeError:
        # the reader of a pipe has gone; nothing is left to say, also not at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _leave(message: str, code: int = 2) -> NoReturn:
    line = " ".join(message.split())
    click.echo(f"error: {line}", err=True)
    sys.exit(code)


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object on stdout."""
    click.echo(json.dumps(content, indent=2, ensure_ascii=False))


def console(*, stderr: bool = False) -> Console:
    """Return a console that is as wide as the terminal, or of a fixed width in a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, width=None if stream.isatty() else WIDTH_OF_A_PIPE)


def table(*columns: str, title: str = "") -> Table:
    """Return an empty table in the project's plain style."""
    made = Table(
        title=title or None, box=None, title_justify="left", header_style="bold", pad_edge=False, padding=(0, 2, 0, 0)
    )
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def shortened_end(text: str, longest: int) -> str:
    """Return `text`, cut at a word where it is longer than `longest`.

    Examples
    --------
    >>> shortened_end("one two three", longest=10)
    'one...'
    """
    if len(text) <= longest:
        return text
    return text[: longest - 3].rsplit(" ", 1)[0].rstrip(",;:") + "..."
