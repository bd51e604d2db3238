"""The annotated paper: one HTML file that works from disk, with every claim and its verdict at the claim's place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theory import BanditError
from theory.terminal.outputs import writing

if TYPE_CHECKING:
    from proofs_checks.report.pages.theorems import TheoremSummary


REFERENCE = "reference/index.html"
"""Path, relative to the page, of the reference of the packages (`proofs_checks.report.reference`)."""


class PageError(BanditError):
    """The page cannot, or must not, be written to a folder."""


def prepare_folder(folder: Path) -> Path:
    """Make `folder` if it is missing and return the page's path in it; call this before computing anything.

    Raises
    ------
    PageError
        If the folder cannot be made, or holds an ``index.html`` that is not a page of the ledger.
    """
    from proofs_checks.report.pages.annotated.rendering import MARK  # noqa: PLC0415  (the templates' libraries load slowly)

    page = folder / "index.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if page.exists() and MARK not in page.read_text(encoding="utf-8", errors="replace"):
            raise PageError(f"{page}: exists and is not a page of the ledger; choose another folder")
    except OSError as error:
        raise PageError(f"{folder}: cannot be written ({error.strerror})") from None
    return page


def write_page(
    folder: Path,
    entries: Sequence[Mapping[str, Any]],
    causes: Sequence[Mapping[str, Any]],
    theorems: Sequence[TheoremSummary],
) -> Path:
    """Write ``index.html`` into `folder`, made if missing, and return its path; link to a reference in the folder.

    Raises
    ------
    PageError
        If the folder cannot be made, or holds an ``index.html`` that is not a page of the ledger.
    OutputError
        If the page then cannot be written.
    """
    from proofs_checks.report.pages.annotated.rendering import render  # noqa: PLC0415

    page = prepare_folder(folder)
    content = render(entries, causes, theorems, REFERENCE if (folder / REFERENCE).exists() else None)
    with writing(f"page {page}"):
        page.write_text(content, encoding="utf-8")
    return page
