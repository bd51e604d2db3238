"""The findings of the README: every number stands in an entry that the finding names."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from proofs_checks.claimcheck.evidence import Grade
from proofs_checks.claimcheck.ledger import Verdict, run
from proofs_checks.paper import SOURCE, registry

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
FINDINGS = re.findall(r"^\d\. (\*\*.+?)(?=\n\d\. |\n\n)", README, re.M | re.S)
NAMES_OF_PLACES = re.compile(r"(Theorem|Lemma|Section|[Ss]cenarios?) (`\w+`|[\d.]+( and \d+)?)|`[^`]+`")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+|/\d+|\^\d+)?")
IN_AN_ENTRY = re.compile(r"\d+(?:\.\d+|/\d+)?")


def value(text):
    base, power, exponent = text.replace(",", "").partition("^")
    return Fraction(base) ** int(exponent) if power else Fraction(base)


def matches_one_of(number, values):
    """Return whether one of the values equals the number, or rounds to it, upwards or to nearest, at its last digit."""
    digits = len(number.partition(".")[2])
    unit, exact = Fraction(1, 10**digits), value(number)
    return any(each == exact or ("." in number and -unit / 2 <= exact - each < unit) for each in values)


@pytest.fixture(scope="module")
def content():
    named = {claim_id for finding in FINDINGS for claim_id in ids(finding)}
    return {found["id"]: found for found in run(sorted(named), registry(), SOURCE)}


def ids(finding):
    return [name for name in re.findall(r"`([^`\s]+)`", finding) if ":" in name]


def test_readme_has_at_least_five_findings_with_entries():
    assert len(FINDINGS) >= 5
    assert all(ids(finding) for finding in FINDINGS)


@pytest.mark.parametrize("finding", FINDINGS, ids=range(1, len(FINDINGS) + 1))
def test_every_number_of_a_finding_stands_in_its_entries(finding, content):
    carried = [content[claim_id] for claim_id in ids(finding)]
    fields = ("statement", "domain", "smaller_domain", "parameters", "values", "witness")
    text = json.dumps([{part: found[part] for part in fields} for found in carried]).replace(r"\\,", "")
    values = {Fraction(each) for each in IN_AN_ENTRY.findall(text) if not each.endswith("/0")}
    numbers = NUMBER.findall(NAMES_OF_PLACES.sub("", finding))
    assert [number for number in numbers if not matches_one_of(number, values)] == []
    assert all(found["verdict"] == found["recorded"]["verdict"] for found in carried)
    if "kernel" in finding:
        assert Grade.KERNEL.value in {found["effective_evidence"] for found in carried}


def test_findings_mention_every_entry_that_differs():
    differs = {entry.id for entry in registry() if entry.verdict is Verdict.DIFFERS}
    assert {claim_id for finding in FINDINGS for claim_id in ids(finding)} >= differs
