"""The annotated paper: one HTML file that works from disk, with every claim and its verdict at the claim's place."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from theory import BanditError

MARK: Final = "<!-- annotated paper of the markovian-bandits-companion -->"
REFERENCE: Final = "reference/index.html"
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
    page = folder / "index.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if page.exists() and MARK not in page.read_text(encoding="utf-8", errors="replace"):
            raise PageError(f"{page}: exists and is not a page of the ledger; choose another folder")
    except OSError as error:
        raise PageError(f"{folder}: cannot be written ({error.strerror})") from None
    return page
