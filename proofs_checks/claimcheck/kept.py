"""A cache of results between runs, so that `show`, `report` and `errata` compute nothing twice.

The user's cache has one file per entry, in a folder named by a digest of this project's sources and of the versions of
its libraries, so that an edit discards all results. A file that cannot be read is computed again; a result that cannot
be written is not kept.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from platformdirs import user_cache_path

BEGUN = time.time()
"""When this process read its code, in seconds; if a source has been written since, results are not kept."""
ROOT = Path(__file__).parents[2]
PACKAGES = ("theory", "mbrl", "proofs_checks")
LIBRARIES = ("python-flint", "sympy", "z3-solver", "numpy", "mpmath")
_VALUES = ("values", "decimals", "witness", "compared")
VERSIONS_KEPT = 4
"""Number of digests whose results are kept, the newest."""


def kept(claim_id: str) -> dict[str, Any] | None:
    """Return an entry's content as cached by an earlier run of the same sources, or None."""
    try:
        found: dict[str, Any] = json.loads(_path(claim_id).read_text(encoding="utf-8"))
        return found if found["id"] == claim_id else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def with_value(number: str, claim_ids: Iterable[str]) -> list[str]:
    """Return the entries, of these, whose cached result has a number such as 842.4 or 5163/800 among its values."""
    if not re.fullmatch(r"\d+[./]\d+", number.strip()):
        return []
    wanted = re.compile(rf"(?<![\d./]){re.escape(number.strip())}(?![\d/]|\.\d)")
    return [each for each in claim_ids if wanted.search(str([(kept(each) or {}).get(key) for key in _VALUES]))]


def keep(*contents: dict[str, Any]) -> None:
    """Cache the contents of entries, judged with all that they rest on; do nothing if the cache cannot be written."""
    try:
        if any(os.stat(source).st_mtime > BEGUN for source in _sources(ROOT)):  # quicker than source.stat()
            return
        for content in contents:
            _write(_path(content["id"]), content)
    except OSError:
        return


def _write(path: Path, content: dict[str, Any]) -> None:
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
        older = sorted(path.parent.parent.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in older[VERSIONS_KEPT:]:
            shutil.rmtree(folder, ignore_errors=True)
    handle, written = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False)
    Path(written).replace(path)  # whole or not at all


@cache
def _sources(root: Path) -> tuple[Path, ...]:
    files = (path for package in PACKAGES for path in sorted((root / package).rglob("*")) if path.is_file())
    return tuple(path for path in files if "__pycache__" not in path.parts)  # where numba writes files, too


@cache
def digest() -> str:
    """Return a digest of the sources and of the versions of the libraries."""
    whole = sha256(" ".join(version(name) for name in LIBRARIES).encode())
    for path in _sources(ROOT):
        content = path.read_bytes()
        whole.update(f"\n{path.relative_to(ROOT)} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:24]


def _path(claim_id: str) -> Path:
    return user_cache_path("markovian-bandits-companion") / "results" / digest() / f"{quote(claim_id, safe='')}.json"
