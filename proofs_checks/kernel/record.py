"""The record of a compilation, from which the ledger takes the kernel's answers where Rocq is not installed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from proofs_checks.kernel.sources import FOLDER, digest, qualified, written_theorems

RECORD = FOLDER / "recorded.json"
"""The package's own record."""

NAMED_AS = "the kernel of Rocq: "
"""Beginning of the name of evidence by theorems of the kernel; the theorems' names follow."""


def with_comments(content: dict[str, Any]) -> dict[str, Any]:
    """Return a record whose theorems have the comments that stand before them in the sources, and the entries named."""
    written = {qualified(theorem): theorem for theorem in written_theorems()}
    nothing: dict[str, Any] = {"entries": [], "step_of": [], "comment": ""}
    theorems = [theorem | written.get(qualified(theorem), nothing) for theorem in content["theorems"]]
    return {**content, "theorems": theorems}


def write_record(content: dict[str, Any]) -> None:
    """Write the record of a compilation, without times, so that the same sources give the same record."""
    RECORD.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    record.cache_clear()
    is_current.cache_clear()


@cache
def record() -> dict[str, Any]:
    """Return the record: ``rocq``, ``digest``, and ``theorems`` with name, file, entries, statement, assumptions."""
    return with_comments(json.loads(RECORD.read_text(encoding="utf-8")))


@cache
def is_current() -> bool:
    """Return whether the record was made from the sources in this folder, as this process first found them."""
    return bool(record()["digest"] == digest())


def theorems_by_entry(label: str = "entries") -> dict[str, list[dict[str, Any]]]:
    """Return the recorded theorems by entry that they establish, or are a ``step_of``; none if out of date."""
    found: dict[str, list[dict[str, Any]]] = {}
    for theorem in record()["theorems"] if is_current() else ():
        for entry in theorem[label]:
            found.setdefault(entry, []).append(theorem)
    return found


def note_compiled() -> None:
    """Note in the user's cache, if it can be written, that ``coqc`` compiled the sources in this folder as recorded."""
    try:
        _compiled().parent.mkdir(parents=True, exist_ok=True)
        with _compiled().open("a", encoding="utf-8") as folders:
            folders.write(f"{FOLDER}\n")
    except OSError:
        return


def kernel_word() -> str:
    """Return a phrase that says whether the kernel's answers were compiled here, or are only recorded."""
    try:
        here = str(FOLDER) in _compiled().read_text(encoding="utf-8").splitlines()
    except OSError:
        here = False
    return "kernel (compiled here)" if here else "kernel (recorded, not compiled here)"


def _compiled() -> Path:
    return user_cache_path("markovian-bandits-companion") / "kernel" / digest()
