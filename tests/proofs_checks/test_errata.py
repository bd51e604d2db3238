"""The errata beside the code are those that the causes make, and say all that an author needs."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

import proofs_checks
from proofs_checks.claimcheck.ledger import Verdict
from proofs_checks.commands.mistakes import all_causes
from proofs_checks.paper import registry
from proofs_checks.report.pages.errata import IN_ORDER, STATEMENTS, errata

WRITTEN = Path(proofs_checks.__file__).with_name("ERRATA.md")
CAUSES = all_causes()


def test_every_mistake_has_its_place():
    """What matters is told whole, all else in one row of the table, with its severity; nothing is left out."""
    text = WRITTEN.read_text(encoding="utf-8")
    first, rest = text.split("## The rest")
    assert "..." not in text.replace(r"\ldots", "")
    assert set(IN_ORDER) <= {cause["id"] for cause in CAUSES}
    for cause in CAUSES:
        whole = all(cause[part] in first for part in ("title", "printed", "why", "instead", "follows"))
        row = all(cause[part].replace("|", r"\vert ") in rest for part in ("severity", "printed", "instead"))
        assert (whole, row) == (cause["id"] in IN_ORDER, cause["id"] not in IN_ORDER), cause["id"]
    assert {cause["id"] for cause in CAUSES if cause["severity"] == "false"} <= set(IN_ORDER)
    assert len(STATEMENTS) == 10
    assert len(text.split()) < 4500, "it can be read at one sitting"
    assert text == errata(CAUSES)


LINES = re.compile(r"[Ll]ines? ((?:\d+(?: \(\w+\))?(?:, | and | to )?)+)")


def replaced(cause):
    """Which lines of the paper's source a cause replaces, each perhaps with the part of it: "118 (regret)"."""
    found = set()
    for text in LINES.findall(cause["instead"]):
        for each in re.split(", | and ", text.strip(" ,")):
            first, _, last = each.partition(" to ")
            found |= {str(line) for line in range(int(first), int(last) + 1)} if last else {each}
    return found or {str(cause["location"]["line"])}


def test_replaced_lines_are_read():
    cause = {"instead": "Lines 3 to 5 and 9: this. Line 7 (regret): that; lines 1, 2 too", "location": {"line": 8}}
    assert replaced(cause) == {"3", "4", "5", "9", "7 (regret)", "1", "2"}
    assert replaced(cause | {"instead": "this"}) == {"8"}


def test_no_line_is_replaced_in_two_ways():
    by_line = defaultdict(set)
    for cause in CAUSES:
        if not cause["see"]:
            for line in replaced(cause):
                by_line[line].add(cause["id"])
    assert {line: found for line, found in by_line.items() if len(found) > 1} == {}
    partly = {line.partition(" ")[0] for line in by_line if " " in line}
    assert not partly & set(by_line), "a line that is replaced as a whole, and in part"


@pytest.mark.parametrize("cause", CAUSES, ids=[cause["id"] for cause in CAUSES])
def test_what_is_to_be_printed_instead_is_checked(cause):
    """By entries that stand and have mutants; by the true variant or the part that survives; or it is but wording."""
    if cause["see"]:
        assert replaced(cause) <= replaced(next(each for each in CAUSES if each["id"] == cause["see"]))
        return
    checking = [registry()[each] for each in cause["checked"]]
    standing = (Verdict.HOLDS, Verdict.SMALLER_DOMAIN)
    assert all(entry.verdict in standing or entry.controls for entry in checking)
    assert all(entry.mutants or entry.nearest for entry in checking if entry.verdict in standing)
    touched = [registry()[each] for each in cause["entries"]]
    kept = [entry for entry in touched if entry.controls or entry.survives]  # variants and parts that hold are judged
    assert checking or kept or cause["wording"], "what is printed instead is checked by nothing"


@pytest.mark.parametrize("cause", CAUSES, ids=[cause["id"] for cause in CAUSES])
def test_a_cause_is_as_severe_as_the_entries_it_touches(cause):
    """Its witness does not hold as stated, and no entry that names it weighs more than it; it stands where one does."""
    entries, order = [registry()[claim_id] for claim_id in cause["entries"]], ["false", "gap", "edge", "slip"]
    severities = [entry.severity.value for entry in entries if entry.severity]
    assert all(order.index(each) >= order.index(cause["severity"]) for each in severities)
