"""Headings of entries without a place in the paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

LITERATURE: Final = "Taken from the literature"
BEYOND: Final = "Beyond the paper"
BESIDE: Final = "Beside the paper"


def heading_without_place(entry: Mapping[str, Any]) -> str:
    """Return the heading of an entry without a place in the paper.

    Examples
    --------
    >>> heading_without_place({"id": "cited:hoeffding"}), heading_without_place({"id": "my:lemma"})
    ('Taken from the literature', 'Beside the paper')
    """
    kind, _, _ = entry["id"].partition(":")
    return {"cited": LITERATURE, "beyond": BEYOND}.get(kind, BESIDE)
