"""Results kept between runs, each with what it came from: `show`, `report` and `errata` compute nothing twice.

Each entry's content is a small file in the user's cache. It counts as long as everything that it came from is as it was
(`origins`): an edit elsewhere discards nothing. What cannot be read or written is computed again, or not kept.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from platformdirs import user_cache_path

from proofs_checks.claimcheck.ledger import origins as telling
from proofs_checks.claimcheck.ledger.origins import Origins, changed_since, unchanged

BEGUN = time.time()
"""When this process read its code: results are not kept where a file has been written since."""

_TOLD_BY = sha256(Path(telling.__file__).read_bytes()).hexdigest()[:16]
"""The program that says what a result comes from: what an earlier one overlooked may have changed since."""


def kept(claim_id: str, *, whole: bool = False) -> dict[str, Any] | None:
    """Return the content of an entry that an earlier run kept, if everything that it came from is as it was; or None.

    Its own content; or, `whole`, with what follows from the entries that it rests on.
    """
    found = _read(claim_id, whole)
    return found["content"] if found and unchanged(found["came_from"]) else None


def came_from(claim_id: str) -> Origins | None:
    """Return what the kept content of an entry came from; None where nothing is kept."""
    found = _read(claim_id, False)
    return found["came_from"] if found else None


def keep(content: dict[str, Any], origins: Origins, *, whole: bool = False) -> None:
    """Keep the content of an entry; in silence nothing is kept where the cache cannot be written."""
    if changed_since(origins, BEGUN):
        return
    path = _path(content["id"], whole)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, written = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"content": content, "came_from": dict(origins), "told_by": _TOLD_BY}, file, ensure_ascii=False)
        Path(written).replace(path)  # whole or not at all
    except OSError:
        return


def _read(claim_id: str, whole: bool) -> dict[str, Any] | None:
    try:
        found = json.loads(_path(claim_id, whole).read_text(encoding="utf-8"))
        right = (
            found["content"]["id"] == claim_id and isinstance(found["came_from"], dict) and found["told_by"] == _TOLD_BY
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return found if right else None


def _path(claim_id: str, whole: bool) -> Path:
    folder = user_cache_path("markovian-bandits-companion") / "results"
    return folder / f"{quote(claim_id, safe='')}{'.whole' if whole else ''}.json"
