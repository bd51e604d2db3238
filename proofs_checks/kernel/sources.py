"""The Rocq sources as text: their order, their theorems with the entries that these establish, and a digest."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
"""Folder of the sources."""

_THEOREM = re.compile(r"(?:\(\*(?P<comment>(?:(?!\*\)).)*)\*\)\s*)?^Theorem\s+(?P<name>\w+)", re.DOTALL | re.MULTILINE)
_LIST = r"(?P<entries>(?:\s+(?!ledger:|step of:)\S+)*)\s*"
_ENTRIES = re.compile(r"ledger:" + _LIST)
_STEPS = re.compile(r"step of:" + _LIST)
_IMPORT = re.compile(r"^From kernel Require (?:Import |Export )?(?P<files>[\w\s]+)\.", re.MULTILINE)


@dataclass(frozen=True)
class Theorem:
    """A theorem as written in a source.

    Attributes
    ----------
    name, file, line
        Name, file, and line of the word ``Theorem``.
    comment : str
        Text of the comment before it, without the entries, in one line.
    entries : tuple of str
        The entries of the ledger that it establishes, alone or together with other theorems that name them.
    step_of : tuple of str
        The entries whose argument has it as a step.
    """

    name: str
    file: str
    line: int
    comment: str
    entries: tuple[str, ...]
    step_of: tuple[str, ...] = ()


def source_files(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the names of the sources, each after the sources that it imports.

    Examples
    --------
    >>> source_files()[:2]
    ('Prelude.v', 'Limits.v')
    """
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line.endswith(".v"))


def imported_files(text: str) -> tuple[str, ...]:
    r"""Return the sources that a source imports.

    Examples
    --------
    >>> imported_files("From kernel Require Import Sums Values.\nFrom kernel Require Laws.")
    ('Sums.v', 'Values.v', 'Laws.v')
    """
    return tuple(f"{name}.v" for found in _IMPORT.finditer(text) for name in found["files"].split())


def needed_files(file: str, folder: Path = FOLDER) -> tuple[str, ...]:
    """Return a source and all sources that it imports, directly or not, in the order of compilation.

    Examples
    --------
    >>> needed_files("Bandits.v")
    ('Prelude.v', 'Limits.v', 'Sums.v', 'Values.v', 'Bandits.v')
    """
    needed = {file}
    for candidate in reversed(source_files(folder)):
        if candidate in needed:
            needed.update(imported_files((folder / candidate).read_text(encoding="utf-8")))
    return tuple(source for source in source_files(folder) if source in needed)


def theorems_in(text: str, file: str) -> tuple[Theorem, ...]:
    """Return the theorems of one source, in its order.

    Examples
    --------
    >>> theorems_in('''(* Zero is small.
    ...    ledger: lem:sum conc:L
    ...    step of: lem:moment *)
    ... Theorem zero : 0 < 1.''', "Small.v")[0].entries
    ('lem:sum', 'conc:L')
    """
    found = []
    for match in _THEOREM.finditer(text):
        comment = match["comment"] or ""
        said = " ".join(_STEPS.sub("", _ENTRIES.sub("", comment)).split())
        line = text.count("\n", 0, match.start("name")) + 1
        found.append(Theorem(match["name"], file, line, said, _named(_ENTRIES, comment), _named(_STEPS, comment)))
    return tuple(found)


def _named(label: re.Pattern[str], comment: str) -> tuple[str, ...]:
    return tuple(entry for found in label.finditer(comment) for entry in found["entries"].split())


def written_theorems(folder: Path = FOLDER) -> tuple[Theorem, ...]:
    """Return the theorems of all sources."""
    return tuple(
        theorem
        for file in source_files(folder)
        for theorem in theorems_in((folder / file).read_text(encoding="utf-8"), file)
    )


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
        whole.update(f"{Path(file).name} {len(code)}\n".encode() + code)
    return whole.hexdigest()
