"""The errata beside the code are those that the causes make, and say all that an author needs."""

from __future__ import annotations

from pathlib import Path

import pytest

import proofs_checks
from proofs_checks.commands.mistakes import all_causes
from proofs_checks.paper import registry
from proofs_checks.report.pages.errata import IN_ORDER, LEFT_OUT, errata

WRITTEN = Path(proofs_checks.__file__).with_name("ERRATA.md")
CAUSES = all_causes()


def test_every_mistake_has_its_place():
    """What matters is told whole, a slip in one row of the table; what nobody would stumble over is named as such; nothing false is a slip."""
    text = WRITTEN.read_text(encoding="utf-8")
    first, slips = text.split("## Slips")
    assert "..." not in text.replace(r"\ldots", "")
    assert {*IN_ORDER, *LEFT_OUT} <= {cause["id"] for cause in CAUSES}
    for cause in CAUSES:
        whole = all(cause[part] in first for part in ("title", "printed", "why", "instead", "follows"))
        row = all(cause[part].replace("|", r"\vert ") in slips for part in ("printed", "instead"))
        assert (whole, row) == (cause["id"] in IN_ORDER, cause["id"] not in {*IN_ORDER, *LEFT_OUT}), cause["id"]
    assert {cause["id"] for cause in CAUSES if cause["severity"] == "false"} <= set(IN_ORDER)
    assert {cause["severity"] for cause in CAUSES if cause["id"] in LEFT_OUT} <= {"edge", "slip"}
    assert len(text.split()) < 4500, "it can be read at one sitting"
    assert text.split("## What")[1] == errata(CAUSES, ()).split("## What")[1], "lines and entries too"


@pytest.mark.parametrize("cause", CAUSES, ids=[cause["id"] for cause in CAUSES])
def test_a_cause_is_as_severe_as_the_entries_it_touches(cause):
    """Its witness does not hold as stated, and no entry that names it weighs more than it; it stands where one does."""
    entries, order = [registry()[claim_id] for claim_id in cause["entries"]], ["false", "gap", "edge", "slip"]
    severities = [entry.severity.value for entry in entries if entry.severity]
    assert all(order.index(each) >= order.index(cause["severity"]) for each in severities)
    far = min(abs(entry.place.line - cause["location"]["line"]) for entry in entries if entry.place)
    assert cause["id"] not in LEFT_OUT or far == (cause["id"] == "empty-cell"), "the errata show the others' lines"
