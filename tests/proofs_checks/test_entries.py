"""Every entry of the ledger: its recorded verdict and pinned content, its mutants, the decisions of its proof."""

from __future__ import annotations

from functools import cache
from itertools import chain

import pytest
from sympy import StrictGreaterThan, StrictLessThan

from proofs_checks.claimcheck.evidence import Grade
from proofs_checks.claimcheck.ledger import Book, Origin, Verdict, false_variants, mutated, run, variants
from proofs_checks.claimcheck.ledger.chapter import is_number
from proofs_checks.claimcheck.ledger.content import variants_read
from proofs_checks.claimcheck.plain import plain
from proofs_checks.claimcheck.statements import Relation, Report
from proofs_checks.paper import CHAPTERS, SOURCE, registry
from tests.pinned import blocks, indented
from tests.proofs_checks import pins
from tests.proofs_checks.blind_leaves import blind_leaves
from theory import rational

ENTRIES = list(registry())
IDS = [entry.id for entry in ENTRIES]
STANDING = (Verdict.HOLDS, Verdict.SMALLER_DOMAIN)
STANDS = [entry for entry in ENTRIES if entry.verdict in STANDING]
CALLED_PROVED = {grade.value for grade in Grade} - {Grade.TESTED.value, Grade.CITED.value}

# the tests of one entry run one after another, so that they share its computation
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=IDS, scope="module")


@cache
def content(claim_id):
    (found,) = run([claim_id], registry(), SOURCE)
    return found


def nearest(claim_id):
    """Return the nearest false values, rounded as displayed: these are the ones to refute."""
    shown = content(claim_id)["nearest_refuted"]
    return {name: rational(shown[name]) if name in shown else None for name in registry()[claim_id].nearest}


def false_ones(claim_id):
    return false_variants(registry()[claim_id], nearest(claim_id))


def test_registry_of_the_paper_has_no_problems():
    assert registry().problems() == []


def test_integer_domains_use_nonstrict_bounds():
    """A domain says S >= 2, not S > 1; so no entry silently leaves out the least size that the paper allows."""
    for entry in ENTRIES:
        for condition in getattr(getattr(entry.statement, "domain", None), "conditions", ()):
            if isinstance(condition, StrictGreaterThan | StrictLessThan):
                assert len(condition.free_symbols) > 1 or not condition.free_symbols.pop().is_integer, entry.id


def test_variants_that_are_called_by_letters_read_something():
    """`show` prints what `s = 1/2` makes of the claim; where nothing that is printed says s, the variant has a name."""
    unsaid = [(entry.id, name) for entry in ENTRIES for name, told in variants_read(entry) if not told]
    assert unsaid == []


@each_entry
def test_entry_has_its_recorded_verdict_and_pinned_content(entry):
    """If words, grade, witness, values or cases change, the diff of the pinned text is to be reviewed."""
    found = content(entry.id)
    assert found["verdict"] == found["recorded"]["verdict"], found["reason"]
    assert found["different_readings"] == []
    standing, cited = entry.verdict in STANDING, found["evidence"] == Grade.CITED.value
    assert standing or not entry.repairs, "an entry that repairs another must hold"
    assert not cited or entry.id.startswith("cited:"), "only literature is cited"
    assert not standing or cited or false_ones(entry.id), "a check that cannot fail is a defect"
    if entry.verdict in (Verdict.FAILS, Verdict.SMALLER_DOMAIN) and entry.origin is not Origin.OURS:
        assert registry().repairs_of(entry.id) or entry.controls or entry.survives, (
            "a false claim needs a repair, a control or a part that survives"
        )
    numbers = {name for name, value in entry.statement.parameters.items() if is_number(value)}
    in_part = entry.survives.parameters if entry.survives else {}
    varied = {*entry.nearest, *in_part, *chain(*entry.mutants.values(), *entry.controls.values())}
    assert not standing or numbers <= varied, f"no variant changes {numbers - varied}"
    if isinstance(entry.statement, Report):
        assert numbers, "a comparison compares a number"
        assert set(found["nearest_refuted"]) == numbers, "every number of a comparison needs a nearest refuted value"
        claimed = entry.statement.parameters
        assert not any(rational(claimed[name]) == rational(told) for name, told in found["nearest_refuted"].items())
    if isinstance(entry.statement, Relation):
        claims = [entry.statement, *(mutated(entry, each) for each in false_ones(entry.id).values())]
        for point in entry.candidates:
            assert any(claim.full_domain.contains(point) for claim in claims), (
                "a candidate lies outside the domain of every variant"
            )
    pins.hold_entry(entry.id, pins.described(found))


@each_entry
def test_every_mutant_is_refuted_and_every_control_passes(entry):
    """A counterexample refutes each mutant, and the entry's evidence, with nothing sampled, does not go through for it."""
    found = list(variants(entry, Book(registry()), nearest(entry.id)))
    assert not [f"{each.name}: {each.why or each.verdict.value}" for each in found if not each.as_it_should]
    lines = [f"{each.name}: {pins.shown(pins.rounded(plain(each.values)))}" for each in found if each.values]
    over = None if entry.withdrawn else getattr(entry.statement, "over", None)
    cases = list(pins.first_members(over, 12, 12)) if over else []  # beyond the first counterexample
    for name, parameters in ({"as it is": {}} | false_ones(entry.id) if over else {}).items():
        answers = map(mutated(entry, parameters).at, cases)
        lines.append(f"{name}, at the first cases: {' '.join(each.truth.value for each in answers)}")
    pins.hold_entry(entry.id + pins.VARIED, lines)


@pytest.mark.parametrize("entry", STANDS, ids=[entry.id for entry in STANDS], scope="module")
def test_every_deciding_step_of_a_proof_refuses_some_variant(entry):
    """Each deciding leaf refuses something, or a leaf that accepts everything in its place is noticed."""
    if content(entry.id)["evidence"] not in CALLED_PROVED:
        return  # the entry is not called proved
    mutants = [mutated(entry, parameters) for parameters in false_ones(entry.id).values()]
    blind = blind_leaves(entry.evidence, entry.part, mutants, registry())
    assert not [f"{leaf.by} about {goal.id}: {goal.text}" for leaf, goal in blind]


def test_every_pin_names_an_entry_of_the_ledger():
    for path in pins.FOLDER.iterdir():
        assert path.stem in CHAPTERS
        assert {name.removesuffix(pins.VARIED) for name in blocks(path)} <= set(IDS)


def test_blocks_returns_the_pins_that_indented_wrote(tmp_path):
    lines = ["holds: $x$" + " and so on" * 30, "  1. a step [by]", "case: 1"]
    written = "\n".join(indented(lines))
    (tmp_path / "a.txt").write_text(f"one\n{written}\n\none, varied\n  x\n", encoding="utf-8")
    assert blocks(tmp_path / "a.txt") == {"one": written, "one, varied": "  x"}
    assert max(map(len, written.splitlines())) <= 120
