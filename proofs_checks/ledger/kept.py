"""Results kept between runs, keyed by the code they came from: `show`, `report` and `errata` compute nothing twice.

Each entry's own content is a small file in the user's cache, in a folder named by a digest of all sources (of the three
packages and their data) and of the libraries that decide. A change of any of them makes another folder. What cannot be
read or written is computed again, or not kept; nothing depends on it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import rmtree
from typing import Any
from urllib.parse import quote

from platformdirs import user_cache_path

PACKAGES = ("theory", "mbrl", "proofs_checks")
LIBRARIES = ("python-flint", "sympy", "z3-solver", "numpy")
SHOWING = ("commands", "pages", "pictures")
"""What of this package only shows results."""
SOURCES = {".py", ".json", ".v", ".nc", ".csv"}
FOLDERS_KEPT = 8


@cache
def digest() -> str:
    """Return a digest of the code that results come from, as it was when this process first asked."""
    return digest_now()


def digest_now() -> str:
    """Return a digest of the code that results come from."""
    root = Path(__file__).parents[2]
    summed = sha256()
    for library in LIBRARIES:
        summed.update(f"{library} {_version(library)}\n".encode())
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            inside = path.relative_to(root).parts
            if inside[0] == "proofs_checks" and inside[1] in SHOWING:
                continue
            if path.suffix in SOURCES and "__pycache__" not in inside:
                summed.update(f"{path.relative_to(root)}\n".encode())
                summed.update(path.read_bytes())
    return summed.hexdigest()[:24]


def kept(claim_id: str, *, whole: bool = False) -> dict[str, Any] | None:
    """Return the content of an entry that an earlier run of the same code kept, or None.

    Its own content; or, `whole`, with what follows from the entries that it rests on.
    """
    try:
        content: dict[str, Any] = json.loads(_path(claim_id, whole).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) and content.get("id") == claim_id else None


def keep(content: dict[str, Any], *, whole: bool = False) -> None:
    """Keep the content of an entry; in silence nothing is kept where the cache cannot be written."""
    path = _path(content["id"], whole)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, written = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False)
        Path(written).replace(path)  # whole or not at all
    except OSError:
        return


def is_kept(claim_id: str, *, whole: bool = False) -> bool:
    """Return whether an earlier run of the same code kept the content of an entry."""
    return _path(claim_id, whole).exists()


def forget_old_code() -> None:
    """Remove the results of all but the last few versions of the code, and what came from code changed meanwhile."""
    if digest_now() != digest():  # the folder's name says what the code was when this process began
        rmtree(_root() / digest(), ignore_errors=True)
    for folder in list(_folders())[FOLDERS_KEPT:]:
        rmtree(folder, ignore_errors=True)


def _folders() -> Iterator[Path]:
    """Yield the folders of results, the one written last first."""
    root = _root()
    try:
        found = [(each.stat().st_mtime, each) for each in root.iterdir() if each.is_dir()]
    except OSError:
        return
    yield from (each for _, each in sorted(found, reverse=True))


def _root() -> Path:
    return user_cache_path("markovian-bandits-companion") / "ledger"


def _path(claim_id: str, whole: bool) -> Path:
    return _root() / digest() / f"{quote(claim_id, safe='')}{'.whole' if whole else ''}.json"


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
