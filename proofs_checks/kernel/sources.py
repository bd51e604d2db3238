"""The Rocq sources as text: their order, their theorems with the entries that these establish, and a digest."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
"""Folder of the sources."""

_THEOREM = re.compile(r"(?:\(\*(?P<comment>(?:(?!\*\)).)*)\*\)\s*)?^Theorem\s+(?P<name>\w+)", re.DOTALL | re.MULTILINE)
_ENTRIES = re.compile(r"(?P<label>ledger|step of):(?P<entries>(?:\s+(?!ledger:|step of:)\S+)*)\s*")
_IMPORT = re.compile(r"^From kernel Require (?:Import |Export )?(?P<files>[\w\s]+)\.", re.MULTILINE)


def source(file: str) -> str:
    """Return the text of a source."""
    return (FOLDER / file).read_text(encoding="utf-8")


def source_files(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the names of the sources, each after the sources that it imports."""
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line.endswith(".v"))


def imported_files(text: str) -> tuple[str, ...]:
    """Return the sources that a source imports, by name or by ``Import``."""
    return tuple(f"{name}.v" for found in _IMPORT.finditer(text) for name in found["files"].split())


def needed_files(file: str) -> tuple[str, ...]:
    """Return a source and all sources that it imports, directly or not, in the order of compilation.

    Examples
    --------
    >>> needed_files("Bandits.v")
    ('Prelude.v', 'Limits.v', 'Sums.v', 'Values.v', 'Bandits.v')
    """
    needed = {file}
    for candidate in reversed(source_files()):
        if candidate in needed:
            needed.update(imported_files(source(candidate)))
    return tuple(each for each in source_files() if each in needed)


def theorems_in(text: str, file: str) -> list[dict[str, Any]]:
    """Return the theorems of one source, in its order, with the comment before each and the entries that this names.

    Examples
    --------
    >>> (theorem,) = theorems_in('''(* Zero is small.
    ...    ledger: lem:sum conc:L
    ...    step of: lem:moment *)
    ... Theorem zero : 0 < 1.''', "Small.v")
    >>> theorem["name"], theorem["entries"], theorem["step_of"], theorem["comment"]
    ('zero', ['lem:sum', 'conc:L'], ['lem:moment'], 'Zero is small.')
    """
    found = []
    for match in _THEOREM.finditer(text):
        comment = match["comment"] or ""
        named: dict[str, list[str]] = {"ledger": [], "step of": []}
        for label in _ENTRIES.finditer(comment):
            named[label["label"]] += label["entries"].split()
        said = " ".join(_ENTRIES.sub("", comment).split())
        own = {"entries": named["ledger"], "step_of": named["step of"], "comment": said}
        found.append({"name": match["name"], "file": file} | own)
    return found


def written_theorems() -> list[dict[str, Any]]:
    """Return the theorems of all sources."""
    return [theorem for file in source_files() for theorem in theorems_in(source(file), file)]


def qualified(theorem: Mapping[str, Any]) -> str:
    """Return the name of a theorem after its file's, such as ``Theorem3.no_OFU``."""
    return f"{theorem['file'].removesuffix('.v')}.{theorem['name']}"


def without_comments(text: str) -> str:
    r"""Return the code of a source: its text without comments, and with single spaces.

    Examples
    --------
    >>> without_comments("(* Zero (* 0 *) is small. *)\nTheorem zero :   0 < 1.")
    'Theorem zero : 0 < 1.'
    """
    code, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        if part == "(*":
            depth += 1
        elif part == "*)" and depth > 0:
            depth -= 1
        elif depth == 0:
            code.append(part)
    return " ".join(" ".join(code).split())


def digest(folder: Path = FOLDER) -> str:
    """Return the SHA-256 digest of the names and the code of all sources, in their order.

    Comments do not count, so the entries that they name may change without a new compilation.
    """
    whole = hashlib.sha256()
    for file in source_files(folder):
        code = without_comments((folder / file).read_text(encoding="utf-8")).encode()
        whole.update(f"{file} {len(code)}\n".encode() + code)
    return whole.hexdigest()
