"""Run many checks, in several processes; what comes back is plain data, ready to print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from proofs_checks.ledger.book import Book
from proofs_checks.ledger.outcome import run_check
from proofs_checks.ledger.plain import entry_content
from proofs_checks.ledger.registry import CLAIMS


def run(
    claim_ids: Sequence[str], *, jobs: int = 1, progress: Callable[[str], None] = lambda _: None
) -> list[dict[str, Any]]:
    """Check the claims with these ids and return what is found of each, as `--json` prints it, in their order.

    Parameters
    ----------
    claim_ids
        Of the claims entered in the ledger.
    jobs
        Number of processes; nothing but the seconds depends on it.
    progress
        Called with the id of each claim as it is done.
    """
    entries: dict[str, dict[str, Any]] = {}
    for entry in _entries(claim_ids, jobs):
        entries[entry["id"]] = entry
        progress(entry["id"])
    return [entries[claim_id] for claim_id in claim_ids]


def _entries(claim_ids: Sequence[str], jobs: int) -> Iterator[dict[str, Any]]:
    if jobs == 1 or len(claim_ids) < 2:
        book = Book()
        for claim_id in claim_ids:
            yield entry_content(CLAIMS[claim_id], run_check(claim_id, book))
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_open_book) as pool:
        for done in as_completed([pool.submit(_run_in_worker, claim_id) for claim_id in claim_ids]):
            yield done.result()


_BOOK: Book | None = None  # one per worker process, so that findings are shared within it


def _open_book() -> None:
    global _BOOK  # noqa: PLW0603  (set once, when the process starts)
    import proofs_checks.claims  # noqa: F401, PLC0415  (enters the claims in this process)

    _BOOK = Book()


def _run_in_worker(claim_id: str) -> dict[str, Any]:
    assert _BOOK is not None
    # balls cannot be sent between processes; plain data can
    return entry_content(CLAIMS[claim_id], run_check(claim_id, _BOOK))
