"""Every entry of the ledger: it comes out as recorded, and its check refutes each of its mutants."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import proofs_checks.claims  # noqa: F401  (enters the claims)
from proofs_checks.ledger import CLAIMS, Book, Evidence, Verdict, run_check, run_variants

IDS = [entry.id for entry in CLAIMS]


@pytest.fixture(scope="module")
def book():
    return Book()


@pytest.mark.parametrize("claim_id", IDS)
def test_the_check_finds_what_is_recorded(claim_id, book):
    outcome = run_check(claim_id, book)
    assert outcome.error == ""
    recorded = CLAIMS[claim_id]
    assert (outcome.finding.verdict, outcome.finding.evidence) == (recorded.verdict, recorded.evidence)


@pytest.mark.parametrize("claim_id", IDS)
def test_the_check_refutes_every_mutant_and_confirms_every_control(claim_id):
    variants = list(run_variants([claim_id]))
    wrong = [f"{each.name}: {each.finding.verdict.value}" for each in variants if not each.as_it_should]
    assert not wrong
    assert any(variant.is_mutant for variant in variants)


@pytest.mark.parametrize("claim_id", IDS)
def test_a_claim_that_does_not_hold_is_repaired(claim_id):
    if CLAIMS[claim_id].verdict in (Verdict.FAILS, Verdict.SMALLER_DOMAIN):
        repairs = CLAIMS.repairs_of(claim_id)
        assert repairs or CLAIMS[claim_id].controls, "neither a repair nor a true variant"


@pytest.mark.parametrize("claim_id", IDS)
def test_repairs_stand_and_name_claims_of_the_ledger(claim_id):
    entry = CLAIMS[claim_id]
    assert all(repaired in CLAIMS for repaired in entry.repairs)
    if entry.repairs:
        assert entry.verdict is Verdict.HOLDS


def test_what_rests_on_cited_results_is_pinned(book):
    """A change here means that a claim came to rest, or no longer rests, on the literature: then change the file."""
    pinned = json.loads(Path(__file__).with_name("cited_foundations.json").read_text(encoding="utf-8"))
    expected = {claim_id: set(names.split(" + ")) for names, ids in pinned.items() for claim_id in ids}
    found = {}
    for claim_id in IDS:
        cited = run_check(claim_id, book).cited
        if cited:
            found[claim_id] = {each.removeprefix("cited:") for each in cited}
    assert found == expected


def test_the_readme_lists_what_does_not_hold_and_nothing_else():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([^`]+)` \|", readme.partition("<!-- errata -->")[2], re.MULTILINE)
    false = (Verdict.FAILS, Verdict.SMALLER_DOMAIN)
    assert listed == [entry.id for entry in CLAIMS if entry.printed and entry.verdict in false]


def test_only_literature_is_cited():
    cited = {entry.id for entry in CLAIMS if entry.evidence is Evidence.CITED}
    assert all(claim_id.startswith("cited:") for claim_id in cited)
    assert cited == {claim_id for claim_id in IDS if claim_id.startswith("cited:")}
