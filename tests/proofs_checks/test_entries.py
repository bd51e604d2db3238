"""Every entry of the ledger: it comes out as recorded, its proof refuses its mutants, none of its decisions is blind."""

from __future__ import annotations

from functools import cache
from itertools import chain

import pytest
from sympy import StrictGreaterThan, StrictLessThan

from proofs_checks.claimcheck.evidence import Grade
from proofs_checks.claimcheck.evidence.decisions import blind_leaves
from proofs_checks.claimcheck.ledger import Book, Origin, Verdict, false_variants, mutated, run, variants
from proofs_checks.claimcheck.ledger.chapter import is_number
from proofs_checks.claimcheck.plain import plain
from proofs_checks.claimcheck.statements import Relation, Report
from proofs_checks.paper import CHAPTERS, SOURCE, registry
from tests.pinned import blocks, indented
from tests.proofs_checks import pins
from theory import rational

ENTRIES = list(registry())
IDS = [entry.id for entry in ENTRIES]
STANDING = (Verdict.HOLDS, Verdict.SMALLER_DOMAIN)
CALLED_PROVED = {grade.value for grade in Grade} - {Grade.TESTED.value, Grade.CITED.value}

# the tests of one entry follow one another, so that what one of them computed serves the next
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=IDS, scope="module")


@cache
def content(claim_id):
    (found,) = run([claim_id], registry(), SOURCE)
    return found


def nearest(claim_id):
    """The nearest false values as they are shown: they are what has to be refuted."""
    shown = content(claim_id)["nearest_refuted"]
    return {name: rational(shown[name]) if name in shown else None for name in registry()[claim_id].nearest}


def false_ones(claim_id):
    return false_variants(registry()[claim_id], nearest(claim_id))


def test_entries_and_causes_name_what_exists():
    assert registry().problems() == []


def test_bounds_of_whole_numbers_are_attained():
    """A domain says S >= 2 and not S > 1; nor does it leave out, unsaid, the least size that the paper allows."""
    for entry in ENTRIES:
        for condition in getattr(getattr(entry.statement, "domain", None), "conditions", ()):
            if isinstance(condition, StrictGreaterThan | StrictLessThan):
                assert len(condition.free_symbols) > 1 or not condition.free_symbols.pop().is_integer, entry.id


@each_entry
def test_the_entry_comes_out_as_recorded(entry):
    """Where its words, grade, witness, values or cases change, the pinned text is the diff to review."""
    found = content(entry.id)
    assert found["verdict"] == found["recorded"]["verdict"], found["reason"]
    assert found["different_readings"] == []
    standing, cited = entry.verdict in STANDING, found["evidence"] == Grade.CITED.value
    assert standing or not entry.repairs, "what repairs must stand"
    assert not cited or entry.id.startswith("cited:"), "only literature is cited"
    assert not standing or cited or false_ones(entry.id), "a check that cannot fail is a defect"
    if entry.verdict in (Verdict.FAILS, Verdict.SMALLER_DOMAIN) and entry.origin is not Origin.OURS:
        assert registry().repairs_of(entry.id) or entry.controls or entry.survives, "neither repaired nor surviving"
    numbers = {name for name, value in entry.statement.parameters.items() if is_number(value)}
    in_part = entry.survives.parameters if entry.survives else {}
    varied = {*entry.nearest, *in_part, *chain(*entry.mutants.values(), *entry.controls.values())}
    assert not standing or numbers <= varied, f"nothing tells what becomes of it with other {numbers - varied}"
    if isinstance(entry.statement, Report):
        assert numbers, "a comparison compares a number"
        assert set(found["nearest_refuted"]) == numbers, "no other number changes what the comparison says"
    if isinstance(entry.statement, Relation):
        claims = [entry.statement, *(mutated(entry, each) for each in false_ones(entry.id).values())]
        for point in entry.candidates:
            assert any(claim.full_domain.contains(point) for claim in claims), "what is tried first lies in no domain"
    pins.hold_entry(entry.id, pins.described(found))


@each_entry
def test_mutants_fail_twice_and_controls_pass(entry):
    """A counterexample refutes each mutant, and the entry's evidence, with nothing sampled, does not go through for it."""
    found = list(variants(entry, Book(registry()), nearest(entry.id)))
    assert not [f"{each.name}: {each.why or each.verdict.value}" for each in found if not each.as_it_should]
    told = [f"{each.name}: {pins.shown(pins.rounded(plain(each.values)))}" for each in found if each.values]
    over = getattr(entry.statement, "over", None)
    cases = list(pins.first_members(over, 12, 12)) if over else []  # not only where it is false first
    for name, parameters in ({"as it is": {}} | false_ones(entry.id) if over else {}).items():
        answers = map(mutated(entry, parameters).at, cases)
        told.append(f"{name}, at the first cases: {' '.join(each.truth.value for each in answers)}")
    pins.hold_entry(entry.id + pins.VARIED, told)


@each_entry
def test_no_decision_of_a_proof_is_blind(entry):
    """Each deciding leaf refuses something, or is missed when it says yes to everything."""
    if entry.verdict not in STANDING or content(entry.id)["evidence"] not in CALLED_PROVED:
        return  # nothing of it is called proved
    statement = entry.survives.of(entry.statement) if entry.survives else entry.statement
    mutants = [mutated(entry, parameters) for parameters in false_ones(entry.id).values()]
    blind = blind_leaves(entry.evidence, statement, mutants, Book(registry(), sampling=False))
    assert not [f"{leaf.by} about {goal.id}: {goal.text}" for leaf, goal in blind]


def test_what_is_pinned_is_in_the_ledger():
    for path in pins.FOLDER.iterdir():
        assert path.stem in CHAPTERS
        assert {name.removesuffix(pins.VARIED) for name in blocks(path)} <= set(IDS)


def test_pins_are_read_as_they_are_written(tmp_path):
    lines = ["holds: $x$" + " and so on" * 30, "  1. a step [by]", "case: 1"]
    written = "\n".join(indented(lines))
    (tmp_path / "a.txt").write_text(f"one\n{written}\n\none, varied\n  x\n", encoding="utf-8")
    assert blocks(tmp_path / "a.txt") == {"one": written, "one, varied": "  x"}
    assert max(map(len, written.splitlines())) <= 120
