"""Options that several commands share, and the progress that they show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from proofs_checks.claimcheck.verdicts import Origin, Severity
from theory.errors import ModelError
from theory.terminal.console import console

if TYPE_CHECKING:  # entries are collected when they are asked for
    from proofs_checks.claimcheck.ledger.entry import Entry

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
fresh_option = click.option(
    "--fresh", is_flag=True, help="Compute everything anew, even results that an earlier run of the same code kept."
)


def filters(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose entries."""
    for option in reversed(
        (
            click.option("--fails", is_flag=True, help="Only claims that do not hold as stated."),
            click.option(
                "--section",
                metavar="A.2",
                callback=lambda _, __, given: given and re.sub(r"(?i)^(appendix|section)\s+", "", given),
                help="Only this section of the paper and those within it.",
            ),
            click.option("--under", metavar="CLAIM", help="Only this entry and those that stand under it."),
            click.option("--cause", metavar="CAUSE", help="Only claims that this cause (see `causes`) touches."),
            click.option(
                "--severity",
                type=click.Choice([each.value for each in Severity]),
                metavar="S",
                help="Only this severity: major, gap, edge, slip or limit.",
            ),
            click.option(
                "--origin",
                type=click.Choice([each.value for each in Origin]),
                metavar="O",
                help="Only this origin: printed, implied or ours.",
            ),
        )
    ):
        command = option(command)
    return command


def check_filters(entries: Iterable[Entry], section: str | None, cause: str | None) -> None:
    """Refuse a section or a cause that no entry has, before anything is computed, and name those there are."""
    if section is not None:
        sections = sorted({each.place.section for each in entries if each.place and each.place.section})
        if not any(_within(each, section) for each in sections):
            raise ModelError(f"no entry is in section {section!r} of the paper; the sections are {', '.join(sections)}")
    if cause is not None:
        causes = sorted({each.cause for each in entries if each.cause})
        if cause not in causes:
            nearest = get_close_matches(cause, causes, cutoff=0)
            raise ModelError(
                f"no cause is called {cause!r}; the nearest are {', '.join(nearest)} (`causes` lists them)"
            )


def _within(section: str, of: str) -> bool:
    return section == of or section.startswith(f"{of}.")


def chosen(
    entries: Sequence[Mapping[str, Any]], *, fails: bool = False, section: str | None = None, **equal: str | None
) -> list[Mapping[str, Any]]:
    """Return the entries (as ``--json`` prints them) that meet all options given.

    Examples
    --------
    >>> one = {"verdict": "fails", "section": "A.1", "cause": "typo", "severity": "slip", "origin": "printed"}
    >>> other = {"verdict": "holds", "section": "A.12", "cause": None, "severity": None, "origin": "ours"}
    >>> asked = [{"fails": True}, {"section": "A.1"}, {"cause": "typo"}, {"severity": "slip"}, {"origin": "printed"}]
    >>> all(chosen([one, other], **each) == [one] for each in asked), chosen([one, other], section="A") == [one, other]
    (True, True)
    """
    return [
        entry
        for entry in entries
        if (not fails or entry["verdict"] in ("fails", "holds in part", "undecided", "differs", "error"))
        and (section is None or _within(entry["section"], section))
        and all(value in (None, entry[name]) for name, value in equal.items())
    ]


@contextmanager
def progress(total: int, what: str = "checking") -> Iterator[Callable[[str], None]]:
    """Show a progress bar on stderr, if that is a terminal; the callable given moves it on by one, with a name."""
    err = console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[done]}"))
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=total, done="")
        yield lambda done: bar.update(task, advance=1, done=done)


def leave_unless(right: bool) -> None:
    """Exit with code 1 if a result is not as recorded."""
    if not right:
        raise SystemExit(1)
