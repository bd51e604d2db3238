"""Every entry of the ledger: it comes out as recorded, its proof refuses its mutants, none of its decisions is blind."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pytest
from sympy import StrictGreaterThan, StrictLessThan

from proofs_checks.claimcheck.evidence import Argument, Grade
from proofs_checks.claimcheck.evidence.decisions import blind_leaves
from proofs_checks.claimcheck.ledger import Book, Origin, Verdict, false_variants, mutated, run, variants
from proofs_checks.claimcheck.ledger.plain import plain
from proofs_checks.claimcheck.statements import Family, PrintedNumber, Relation, Report
from proofs_checks.paper import SOURCE, registry
from theory import rational

ENTRIES = list(registry())
IDS = [entry.id for entry in ENTRIES]
STANDING = (Verdict.HOLDS, Verdict.SMALLER_DOMAIN)
CALLED_PROVED = {grade.value for grade in Grade} - {Grade.TESTED.value, Grade.CITED.value}
GRADED = Path(__file__).with_name("graded.json")

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
    """What changed of its grade, witness, values or cases: pin it anew with PIN_GRADES=1, and say why; so of its variants."""
    found = content(entry.id)
    assert found["verdict"] == found["recorded"]["verdict"], found["reason"]
    assert found["different_readings"] == []
    standing, cited = entry.verdict in STANDING, found["evidence"] == Grade.CITED.value
    assert standing or not entry.repairs, "what repairs must stand"
    assert not cited or entry.id.startswith("cited:"), "only literature is cited"
    assert not standing or cited or false_ones(entry.id), "a check that cannot fail is a defect"
    if entry.verdict in (Verdict.FAILS, Verdict.SMALLER_DOMAIN) and entry.origin is not Origin.OURS:
        assert registry().repairs_of(entry.id) or entry.controls or entry.survives, "neither repaired nor surviving"
    if isinstance(entry.statement, Relation):
        claims = [entry.statement, *(mutated(entry, each) for each in false_ones(entry.id).values())]
        for point in entry.witnesses:
            assert any(claim.full_domain.contains(point) for claim in claims), "what is tried first lies in no domain"
    hold(entry.id, graded(found))


@each_entry
def test_mutants_fail_twice_and_controls_pass(entry):
    """A counterexample refutes each mutant, and the entry's evidence, with nothing sampled, does not go through for it."""
    found = list(variants(entry, Book(registry()), nearest(entry.id)))
    assert not [f"{each.name}: {each.why or each.verdict.value}" for each in found if not each.as_it_should]
    told = {each.name: rounded(plain(each.values)) for each in found if each.values}
    over = getattr(entry.statement, "over", None)
    for name, parameters in ({"as it is": {}} | false_ones(entry.id) if over else {}).items():
        answers = map(mutated(entry, parameters).at, first_members(over, 12, 12))  # not only where it is false first
        told[f"{name}, at first"] = [(each.truth.name, rounded(plain(each.values))) for each in answers]
    hold(f"variants of {entry.id}", shortened(json.dumps(told)) if told else "")


@each_entry
def test_no_decision_of_a_proof_is_blind(entry):
    """Each deciding leaf refuses something, or is missed when it says yes to everything."""
    if entry.verdict not in STANDING or content(entry.id)["evidence"] not in CALLED_PROVED:
        return  # nothing of it is called proved
    statement = entry.survives.of(entry.statement) if entry.survives else entry.statement
    mutants = [mutated(entry, parameters) for parameters in false_ones(entry.id).values()]
    blind = blind_leaves(entry.evidence, statement, mutants, Book(registry(), sampling=False))
    assert not [f"{leaf.by} about {goal.id}: {goal.text}" for leaf, goal in blind]


def graded(content):
    """The grades of an entry as far as it goes and with what it rests on; where it fails, and what is nearest and false."""
    hand = f", {content['by_hand']} by hand" if content["by_hand"] else ""
    grades = f"{content['evidence']}{hand}; {content['effective_evidence']}" if content["evidence"] else ""
    at, found = rounded(content["witness"]), rounded(content["values"])
    shown = {"fails at": at, "nearest refuted": content["nearest_refuted"], "instances": content["instances"]}
    # what a person read, to the end of what ends by hand: steps, variants and first cases
    entry = registry()[content["id"]]
    varied = [each for each in (entry.mutants, entry.controls, entry.witnesses) if each]
    over = getattr(entry.statement, "over", None) or Family("")
    cases = first_members(over, 200, 12)
    steps = content["steps"] and [json.dumps(content["steps"]), *stated(entry.evidence)]
    shown |= {"steps": steps and shortened(repr(steps))}
    shown |= {"varied": varied and shortened(repr((varied, entry.looked_at)))}
    shown |= {"finds": found and shortened(json.dumps(found))}
    shown |= {"tries": shortened(" ".join(re.sub(" at 0x[0-9a-f]+", "", repr(each)) for each in cases))}
    return "; ".join([grades, *(f"{what} {json.dumps(each)}" for what, each in shown.items() if each)])


def hold(name, text):
    """Hold what was found to what was pinned."""
    pinned = json.loads(GRADED.read_text(encoding="utf-8"))
    if os.environ.get("PIN_GRADES"):
        names = (each for claim_id in IDS for each in (claim_id, f"variants of {claim_id}"))
        pinned = {each: found for each in names if (found := text if each == name else pinned.get(each))}
        GRADED.write_text(json.dumps(pinned, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert text == pinned.get(name, ""), "if that is right: PIN_GRADES=1 pytest " + __file__


def first_members(over, known, drawn):
    draws = map(over.draw, [np.random.default_rng(2023)] * drawn) if over.draw else ()
    return chain(islice(over.members(), known), draws)


def rounded(content):
    """Return plain data with six digits of what is only enclosed, or computed in floats."""
    match content:
        case {"enclosure": [low, high]}:
            return f"{(float(low) + float(high)) / 2:.6g}"
        case dict():
            return {name: rounded(value) for name, value in content.items()}
        case list():
            return [rounded(value) for value in content]
    return content


def stated(evidence):
    """What the steps of a proof say in relations, also where they are shown in words, and where they say it."""
    steps = evidence.steps if isinstance(evidence, Argument) else ()
    said = [(step.relations, getattr(step.over, "conditions", ()), step.at) for step in steps]
    return said + [each for part in evidence.parts() for each in stated(part)]


def shortened(text):
    return text if len(text) <= 160 else f"what is read as {sha256(text.encode()).hexdigest()[:12]}"


def test_what_is_pinned_is_in_the_ledger():
    assert {name.removeprefix("variants of ") for name in json.loads(GRADED.read_text(encoding="utf-8"))} <= set(IDS)


@pytest.mark.parametrize("entry", [each for each in ENTRIES if isinstance(each.statement, PrintedNumber | Report)],
    ids=lambda entry: entry.id)  # fmt: skip
def test_each_printed_number_could_be_another_one(entry):
    """For each number that is compared there is one at which the verdict changes, and it is shown."""
    if isinstance(entry.statement, PrintedNumber):
        assert any(set(each) == {"printed"} for each in entry.mutants.values())  # and each is refuted, above
        return
    shown = content(entry.id)["nearest_refuted"]
    assert shown, "a comparison that no number can change"
    assert set(shown) == set(entry.nearest)
    for name, value in shown.items():
        assert entry.statement.with_(**{name: value}).compared().agreement.value != entry.verdict.value
