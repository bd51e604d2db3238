"""Run the checks of entries in parallel and keep the results; an error in one check affects no other."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import groupby

from proofs_checks.claimcheck.kept import keep, kept
from proofs_checks.claimcheck.ledger.book import Book
from proofs_checks.claimcheck.ledger.content import STANDING, Content, failed_content, own_content, resolved
from proofs_checks.claimcheck.ledger.registry import Registry
from proofs_checks.claimcheck.ledger.variants import mutated, nearest_refuted
from proofs_checks.claimcheck.plain import plain
from proofs_checks.claimcheck.statements import Report
from proofs_checks.claimcheck.verdicts import Verdict
from theory import rational
from theory.terminal.workers import in_parallel

Progress = Callable[[str], None]


def run(
    claim_ids: Sequence[str],
    registry: Registry,
    source: str,
    *,
    jobs: int = 1,
    fresh: bool = False,
    own: Collection[str] = (),
    progress: Progress = lambda _: None,
) -> list[Content]:
    """Return the contents of entries, each judged together with all entries that it rests on.

    Parameters
    ----------
    claim_ids
    registry
    source
        ``module:function`` that makes the registry, for the worker processes.
    jobs
        Number of processes.
    fresh
        Whether to compute everything again, even results that an earlier run kept.
    own
        Ids of a user's claims, whose results are not kept; nothing of a run with them is.
    progress
        Called with the id of each entry when its check is done.
    """
    found: dict[str, Content] = {}
    new: set[str] = set()
    waiting = list(dict.fromkeys(claim_ids))
    while waiting:
        unknown = []
        for claim_id in waiting:
            content = None if fresh or claim_id in own else kept(claim_id)
            if content is None:
                unknown.append(claim_id)
            else:
                found[claim_id] = content
                progress(claim_id)
        for content in _computed(unknown, registry, source, jobs):
            found[content["id"]] = content
            progress(content["id"])
        new.update(unknown)
        waiting = sorted({other for content in found.values() for other in content["depends_on"]} - set(found))
    done = {content["id"]: content for content in resolved(found, registry)}
    if not own:
        keep(*(done[claim_id] for claim_id in new if _stands_on_results(done, claim_id)))
    return [done[claim_id] for claim_id in dict.fromkeys(claim_ids)]


def _stands_on_results(done: Mapping[str, Content], claim_id: str) -> bool:
    """Return whether to cache an entry: its check raised no error (these may pass), and all it rests on stands."""
    below = all(done[other]["verdict"] in STANDING for other in done[claim_id]["foundations"])
    return below and done[claim_id]["verdict"] != "error"


def judged(claim_id: str, book: Book) -> Content:
    """Return an entry's own content; if its check raises an error, the content reports it."""
    entry = book.registry[claim_id]
    begin = time.perf_counter()
    try:
        finding = book.judge(entry)
        refuted_itself = finding.verdict is Verdict.FAILS is not entry.verdict
        nearest = nearest_refuted(entry) if entry.nearest and not refuted_itself else {}
        false = {} if isinstance(entry.statement, Report) else nearest
        found = {name: book.witness(mutated(entry, {name: rational(value)}), entry) for name, value in false.items()}
        at = {name: plain(witness.values) for name, witness in found.items() if witness is not None}
        return own_content(entry, finding, time.perf_counter() - begin, nearest) | {"nearest_at": at}
    except Exception as error:
        from mbrl.importing import described  # noqa: PLC0415  (what is kept is shown without NumPy)

        return failed_content(entry, described(error))


def _computed(claim_ids: Sequence[str], registry: Registry, source: str, jobs: int) -> Iterator[Content]:
    if jobs <= 1 or len(claim_ids) <= 1:
        book = Book(registry)
        yield from (judged(claim_id, book) for claim_id in claim_ids)
        return
    # entries under one entry mostly compute the same numbers
    together = [list(ids) for _, ids in groupby(claim_ids, registry.top)]
    for _, contents in in_parallel(_judged_in_worker, together, jobs, partial(_open_book, source), forked=True):
        yield from contents


_BOOK: Book | None = None  # one per worker process


def _open_book(source: str) -> None:
    global _BOOK  # noqa: PLW0603  (set once, when the process starts)
    module, _, function = source.partition(":")
    _BOOK = Book(getattr(import_module(module), function)())


def _judged_in_worker(claim_ids: Sequence[str]) -> list[Content]:
    assert _BOOK is not None
    return [judged(claim_id, _BOOK) for claim_id in claim_ids]
