"""Write the ledger's page: one HTML file that needs nothing else, and the same content as JSON beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from proofs_checks.ledger.plain import flat_text
from theory import BanditError

MARK = "<!-- ledger of the markovian-bandits-companion -->"


class ReportError(BanditError):
    """A folder that the report cannot or must not be written to."""


def prepare_folder(folder: Path) -> Path:
    """Make `folder` if it is missing and return the page's path in it; called before anything is computed.

    Raises
    ------
    ReportError
        If the folder cannot be made, or holds an ``index.html`` that is not a report.
    """
    page = folder / "index.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if page.exists() and MARK not in page.read_text(encoding="utf-8", errors="replace"):
            raise ReportError(f"{page}: is there already and is not a report of the ledger; choose another folder")
    except OSError as error:
        raise ReportError(f"{folder}: cannot be written ({error.strerror})") from None
    return page


def write_report(folder: Path, entries: Sequence[Mapping[str, Any]]) -> Path:
    """Write ``index.html`` and ``ledger.json`` into `folder`, made if missing, and return the page's path.

    Raises
    ------
    ReportError
        If the folder cannot be written, or holds an ``index.html`` that is not a report.
    """
    page = prepare_folder(folder)
    try:
        page.write_text(render(entries), encoding="utf-8")
        (folder / "ledger.json").write_text(json.dumps({"claims": list(entries)}, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise ReportError(f"{folder}: cannot be written ({error.strerror})") from None
    return page


def render(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the page of these entries."""
    environment = Environment(
        loader=PackageLoader("proofs_checks.report"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    sections = [(name, list(group)) for name, group in groupby(entries, key=lambda entry: entry["section"])]
    return environment.get_template("ledger.html.j2").render(
        mark=MARK,
        sections=sections,
        counts=Counter(entry["verdict"] for entry in entries),
        total=len(entries),
        throughout=sum(1 for entry in entries if entry["stands_throughout"]),
        as_recorded=all(entry["as_recorded"] for entry in entries),
        known={entry["id"] for entry in entries},
        anchor=lambda claim_id: claim_id.replace(":", "-").replace("/", "-").replace(" ", "-"),
        flat_text=flat_text,
        version=_version(),
    )


def _version() -> str:
    try:
        return version("markovian-bandits-companion")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "checkout"
