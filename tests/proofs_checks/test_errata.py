"""The errata beside the code are those that the causes make, and say all that an author needs."""

from __future__ import annotations

from pathlib import Path

import pytest

import proofs_checks
from proofs_checks.claims import registry
from proofs_checks.commands.mistakes import all_causes

WRITTEN = Path(proofs_checks.__file__).with_name("ERRATA.md")
CAUSES = all_causes()


def test_nothing_is_cut():
    text = WRITTEN.read_text(encoding="utf-8")
    assert "..." not in text.replace(r"\ldots", "")
    for cause in CAUSES:
        assert all(cause[part] in text for part in ("title", "printed", "why", "instead", "follows"))


def test_the_most_severe_come_first_then_the_order_of_the_paper():
    order = ["false", "gap", "edge", "slip"]
    keys = [(order.index(cause["severity"]), cause["location"]["line"]) for cause in CAUSES]
    assert keys == sorted(keys)


@pytest.mark.parametrize("cause", CAUSES, ids=[cause["id"] for cause in CAUSES])
def test_a_cause_is_as_severe_as_the_entries_it_touches(cause):
    """Its witness does not hold as stated, and no entry that names it weighs more than it."""
    order = ["false", "gap", "edge", "slip"]
    entries = [registry()[claim_id] for claim_id in cause["entries"]]
    severities = [entry.severity.value for entry in entries if entry.severity]
    assert all(order.index(each) >= order.index(cause["severity"]) for each in severities)
    assert cause["witness"] in registry()
