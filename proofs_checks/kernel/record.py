"""The record of a compilation, from which the ledger takes the kernel's answers where Rocq is not installed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

from proofs_checks.kernel.sources import FOLDER, digest, written_theorems

if TYPE_CHECKING:
    from proofs_checks.kernel.compilation import KernelReport

RECORD = FOLDER / "recorded.json"
"""The package's own record."""

NAMED_AS = "the kernel of Rocq: "
"""Beginning of the name of evidence by theorems of the kernel; the theorems' names follow."""


def record_content(report: KernelReport, sources_digest: str) -> dict[str, Any]:
    """Return the record of a compilation, without times, so that the same sources give the same record."""
    return {
        "rocq": report.version,
        "digest": sources_digest,
        "theorems": [
            {
                "name": theorem.written.name,
                "file": theorem.written.file,
                "statement": theorem.statement,
                "assumptions": list(theorem.assumptions),
            }
            for theorem in report.theorems
        ],
    }


def with_comments(content: dict[str, Any]) -> dict[str, Any]:
    """Return a record whose theorems have the comments that stand before them in the sources."""
    written = {(theorem.file, theorem.name): theorem for theorem in written_theorems()}
    theorems = [
        {
            **theorem,
            "entries": list(said.entries) if said else [],
            "step_of": list(said.step_of) if said else [],
            "comment": said.comment if said else "",
        }
        for theorem in content["theorems"]
        for said in [written.get((theorem["file"], theorem["name"]))]
    ]
    return {**content, "theorems": theorems}


def write_record(report: KernelReport, path: Path = RECORD) -> None:
    """Write the record of a compilation of the package's own sources."""
    content = record_content(report, digest())
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
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


def theorems_by_entry() -> dict[str, list[dict[str, Any]]]:
    """Return the recorded theorems by entry of the ledger that they establish; none if the record is not current.

    Examples
    --------
    >>> [theorem["name"] for theorem in theorems_by_entry()["thm:no_OFU"]]
    ['no_OFU']
    """
    found: dict[str, list[dict[str, Any]]] = {}
    if is_current():
        for theorem in record()["theorems"]:
            for entry in theorem["entries"]:
                found.setdefault(entry, []).append(theorem)
    return found


def theorems_named(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the recorded theorems that establish an entry, as ``--json`` prints it, or one of its steps."""
    wanted = set(_names(content))
    return [theorem for theorem in record()["theorems"] if theorem["name"] in wanted]


def _names(content: Mapping[str, Any]) -> Iterator[str]:
    for told in (content.get("by", ""), content.get("refuted_by", "")):
        for part in told.split("; and "):
            if part.startswith(NAMED_AS):
                yield from part.removeprefix(NAMED_AS).split(", ")
    for step in content.get("steps", ()):
        yield from _names(step)


# -- whether the sources were compiled here


def note_compiled() -> None:
    """Note in the user's cache, if it can be written, that ``coqc`` compiled the sources in this folder as recorded."""
    try:
        _compiled().parent.mkdir(parents=True, exist_ok=True)
        with _compiled().open("a", encoding="utf-8") as folders:
            folders.write(f"{FOLDER}\n")
    except OSError:
        return


def compiled_here() -> bool:
    """Return whether ``coqc`` has compiled the sources in this folder with the recorded result."""
    try:
        return str(FOLDER) in _compiled().read_text(encoding="utf-8").splitlines()
    except OSError:
        return False


def kernel_word() -> str:
    """Return a phrase that says whether the kernel's answers were compiled here, or are only recorded.

    Examples
    --------
    >>> kernel_word() in ("kernel (compiled here)", "kernel (recorded, not compiled here)")
    True
    """
    return "kernel (compiled here)" if compiled_here() else "kernel (recorded, not compiled here)"


def _compiled() -> Path:
    return user_cache_path("markovian-bandits-companion") / "kernel" / digest()
