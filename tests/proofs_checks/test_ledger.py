"""The ledger on small entries whose verdicts, grades and nearest false values are worked by hand."""

from __future__ import annotations

import os
import re
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy
from flint import arb, fmpq, fmpz

from proofs_checks import paper as claims
from proofs_checks.claimcheck import kept as kept_module
from proofs_checks.claimcheck.evidence import (
    AnyOf,
    Argument,
    ByHand,
    Enclosures,
    Everywhere,
    Grade,
    Invariant,
    LeastAt,
    Outcome,
    Solver,
    Step,
    Uses,
)
from proofs_checks.claimcheck.kept import keep, kept
from proofs_checks.claimcheck.ledger import (
    Book,
    Cause,
    Registry,
    Severity,
    Survives,
    UnknownClaimError,
    Verdict,
    hands,
)
from proofs_checks.claimcheck.ledger.content import foundations, resolved
from proofs_checks.claimcheck.ledger.entry import Entry
from proofs_checks.claimcheck.ledger.runner import judged, run
from proofs_checks.claimcheck.ledger.variants import (
    VariantFinding,
    evidence_alone,
    false_variants,
    nearest_refuted,
    nearest_value,
    variants,
)
from proofs_checks.claimcheck.plain import decimals, enclosure_text, flat_text, plain
from proofs_checks.claimcheck.statements import Compared, ForAll, Property, Relation, Report
from proofs_checks.claimcheck.statements.symbols import K, c, x
from proofs_checks.claimcheck.verdicts import Origin
from proofs_checks.kernel.evidence import InKernel
from proofs_checks.paper.shared.source import OUTLINE, Chapter
from theory import BanditError, decimal_text, model_content, paper_model

SMALL = ForAll(K >= 1, K <= 10)


def entered(statement, evidence=None, **details):
    """The only entry of a chapter, and the book of that chapter."""
    chapter = Chapter()
    chapter.ours().statement(statement, by=evidence, **details)
    return chapter.entries[0], Book(Registry(chapter))


def bounded(claim_id="bounded", **changed):
    """K^2 <= c K + d for K from 1 to 10: true exactly for c >= 10 if d = 0."""
    parameters = {"c": 10, "d": 0} | changed
    c_, d_ = sympy.symbols("c d")
    return Relation(claim_id, SMALL, c_ * K + d_ >= K**2, **parameters)


# -- findings as data


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None), (True, True), (3, 3), ("3.10", "3.10"), (fmpq(1, 3), "1/3"), (Fraction(1, 3), "1/3"),
        (fmpz(7), "7"), (Decimal("0.50"), "0.50"), ((1, fmpq(1, 2)), [1, "1/2"]), ({2: {"a": ()}}, {"2": {"a": []}}),
        (frozenset({4}), [4]), (1.5, "1.5"),
    ],
)  # fmt: skip
def test_plain_converts_exact_numbers_and_containers(value, expected):
    found = plain(value)
    assert found == expected
    assert type(found) is type(expected)


def test_plain_converts_a_bandit_to_its_model_content():
    assert plain({"at": paper_model("random-walk")}) == {"at": model_content(paper_model("random-walk"))}


def test_plain_encloses_a_ball_by_two_decimal_ends():
    low, high = plain(arb("0.5", "0.25"))["enclosure"]
    assert float(low) <= 0.25
    assert float(high) >= 0.75
    assert abs(float(low) - 0.25) < 1e-7 > abs(float(high) - 0.75)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ("0.97103225920282349", "0.97103225920282360", "0.971032259202823" + "..."),
        ("1.230", "1.239", "1.23" + "..."), ("1.20", "1.29", "1.2" + "..."), ("1.9", "2.1", "between 1.9 and 2.1"),
        ("-0.4567", "-0.4561", "-0.456" + "..."), ("0.00123", "0.00129", "between 0.00123 and 0.00129"),
        ("-1", "1", "between -1 and 1"), ("2.500", "2.500", "2.5"), ("3.000", "3.000", "3"), ("100", "100", "100"),
        ("1.61697136e-35", "1.61697139e-35", "1.6169713" + "...e-35"),
        ("1.61697136e-35", "1.61697136e-34", "between 1.61697136e-35 and 1.61697136e-34"),
        ("1.50e-10", "1.50e-10", "1.5e-10"),
    ],
)  # fmt: skip
def test_enclosure_text_factors_out_shared_digits(low, high, text):
    assert enclosure_text(low, high) == text


def test_flat_text_prints_nested_data_on_one_line():
    assert flat_text({"K": 2, "row": ["1/2", "1/2"], "of": {"a": 1, "b": [{"c": 2}]}}) == (
        "K = 2, row = (1/2, 1/2), of: {a = 1, b = ({c = 2})}"
    )
    assert flat_text({"sum": {"enclosure": ["1.2345", "1.2349"]}}) == "sum = 1.234" + "..."
    assert flat_text([{"enclosure": ["1.2345", "1.2349"]}]) == "(1.234" + "...)"


def test_decimals_are_added_to_exact_fractions_only():
    found = decimals({"a": fmpq(1, 4), "b": Fraction(3, 2), "c": fmpq(2), "d": 5, "e": "1/2"})
    assert found == {"a": "0.25", "b": "1.5"}


# -- entries


@pytest.mark.parametrize(
    ("details", "problem"),
    [
        ({"verdict": Verdict.FAILS, "false": [{"c": 9}]}, "give a value with which it holds, true={'c': ...}, or"),
        ({"verdict": Verdict.FAILS, "true": {"c": "10"}}, "bounded: c = 10: this variant is the claim itself"),
        ({"evidence": Everywhere(), "false": {"less": {"d": 0}}}, "less: this variant is the claim itself"),
        ({"verdict": Verdict.SMALLER_DOMAIN, "true": [{"c": 11}]}, "say which part survives"),
        ({}, r"a claim that holds needs evidence: by=..., or verdict=Verdict.UNDECIDED, from proofs_checks"),
        ({"evidence": Everywhere(), "severity": Severity.SLIP}, "only a claim of the paper has a severity"),
        ({"evidence": Everywhere(), "nearest": "C+"}, "bounded: nearest: no parameter is called 'C'; there are c"),
        ({"evidence": Everywhere(), "false": [{"e": 9}]}, "bounded: e = 9: no parameter is called 'e'; there are c"),
        ({"evidence": Everywhere(), "true": {"less": {"e": 9}}}, "less: no parameter is called 'e'"),
        ({"evidence": Everywhere(), "survives": Survives(says="half", e=9)}, "survives: no parameter is called 'e'"),
        ({"evidence": Everywhere}, "Everywhere'> is none; write an object such as Everywhere(), not its class"),
        ({"evidence": Everywhere(), "verdict": "holds"}, "verdict: 'holds' is none; write Verdict.HOLDS, "),
        ({"evidence": Everywhere(), "severity": "slip"}, "severity: 'slip' is none; write Severity.MAJOR, "),
        ({"evidence": Everywhere(), "survives": K >= 1}, "survives: K >= 1 is none; write Survives(K >= 1)"),
        ({"evidence": Everywhere(), "candidates": [{"J": 1}]}, "bounded: candidates: {'J': 1} gives no value to K"),
        ({"evidence": Everywhere(), "candidates": {K: 0.5}}, "bounded: candidates: 0.5 is a float, which is not exact"),
        ({"evidence": Everywhere(), "flase": [{"c": 9}]}, "bounded: an entry has no 'flase'; the nearest is"),
    ],
)  # fmt: skip
def test_incomplete_or_wrong_entry_is_refused(details, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        entered(bounded(), **details)


def test_relation_with_an_unknown_symbol_is_refused():
    with pytest.raises(ValueError, match="square: c is neither a variable of the domain nor a parameter"):
        entered(Relation("square", ForAll(K >= 1), c * K <= K**2), evidence=Everywhere())


@pytest.mark.parametrize("enter", ["printed", "implied"])
def test_false_claim_of_the_paper_needs_a_cause(enter):
    chapter = Chapter()
    spot = getattr(chapter.heading("above"), enter)(643)
    failing = bounded(c=3)
    with pytest.raises(ValueError, match="needs a cause"):
        spot.statement(failing, verdict=Verdict.FAILS, true={"c": 11})
    spot.statement(failing, fails="edge", true={"c": 11})
    part = Survives(K <= 3)
    spot.statement(bounded("slip", c=3), fails="edge", severity=Severity.SLIP, survives=part, by=Everywhere())
    spot.statement(bounded("open", c=3), verdict=Verdict.UNDECIDED, fails="edge")
    cause = Cause("edge", Severity.EDGE, 200, "", "", "", "", "bounded")
    entries = list(Registry(chapter, [cause]))
    assert [(each.place.line, each.place.equation, each.origin.value, each.under) for each in entries] == [
        (643, 18, enter, "above")
    ] * 3
    assert [(each.verdict, each.severity) for each in entries] == [(Verdict.FAILS, Severity.EDGE),
        (Verdict.SMALLER_DOMAIN, Severity.SLIP), (Verdict.UNDECIDED, Severity.EDGE)]  # fmt: skip
    results = run(["bounded", "slip"], Registry(chapter, [cause]), "", fresh=True)
    assert [each["severity"] for each in results] == ["edge", "slip"]


def test_entry_builders_set_the_fields_of_their_entries():
    chapter = Chapter()
    at_ = chapter.heading("above")
    here = ForAll(K >= 1, K <= 10)
    at_.printed(643).relation(
        "squares", "$[[formula]]$.", here, c * K >= K**2, reading={"clock": "t_k"}, by=Everywhere(), c=10, nearest="c"
    )
    at_.repairs("squares").relation(
        "/repair",
        "",
        here,
        c * K >= K**2,
        by=["squares", ByHand("clear"), K >= 1],
        so="so",
        c=11,
        candidates=[{K: fmpq(3)}],
    )
    even = {"n": 2, "by": Everywhere(), "false": {"n": 3}}
    at_.repairs("squares", 650).property("other", "$[[n]]$ is even.", lambda n: n % 2 == 0, **even)
    at_.ours().number("third", "A third is $[[printed]]$.", "0.33", lambda: fmpq(1, 3), kernel="t", by=Everywhere())
    added = {"start": {x: 0}, "move": {x: x + 1}, "inputs": ForAll()}
    at_.ours(643).process("sum", "", x >= 0, **added, by=Invariant(), under="squares")
    at_.implied(643).report("run", "Runs.", lambda: Compared(Verdict.AGREES), domain="once", verdict=Verdict.AGREES)
    at_.withdrawn("gone", "it was none", line=643)
    squares, repair, other, third, total, report, gone = chapter
    assert (squares.nearest, squares.mutants, squares.place.line) == ({"c": ""}, {}, 643)
    assert (repair.id, repair.repairs, repair.place.line) == ("squares/repair", ("squares",), 643)
    assert (repair.under, repair.statement.reading) == ("above", {"clock": "t_k"})
    assert [type(step.by) for step in repair.evidence.steps] == [Uses, ByHand, Solver]
    assert (repair.evidence.conclusion.why, repair.candidates) == ("so", ({K: fmpq(3)},))
    assert (other.id, other.place.line, other.mutants) == ("other", 650, {"n = 3": {"n": 3}})
    assert [type(way) for way in third.evidence.ways] == [InKernel, Everywhere]
    assert (third.evidence.ways[0].values, third.place) == ({"printed": "0.33"}, None)
    assert (total.under, report.verdict, gone.withdrawn) == ("squares", Verdict.AGREES, "it was none")
    with pytest.raises(ValueError, match="never cannot be repaired: no entry before this one has the id"):
        at_.repairs("never")
    with pytest.raises(ValueError, match="bounded: an entry has no 'falls'; the nearest is"):
        at_.ours().statement(bounded(), falls="edge")
    with pytest.raises(ValueError, match=r"even: no sentence shows n; write \[\[n\]\] in one"):
        at_.ours().property("even", "A number is even.", lambda n: n % 2 == 0, **even)
    for name, hint in (("nearst", "is nearest meant?"), ("depends_on", "the arguments are by, so, kernel, ")):
        with pytest.raises(
            ValueError, match=re.escape(f"{name!r} is no argument and no constant of its formulas; {hint}")
        ):
            at_.ours().relation("squares", "", here, c * K >= K**2, by=Everywhere(), c=10, **{name: "c"})
        with pytest.raises(ValueError, match=f"sum: {name!r} is no argument"):
            at_.ours().process("sum", "", x >= 0, **added, by=Invariant(), **{name: "c"})


def test_candidates_are_read_from_every_exact_type():
    for value in (8, sympy.Integer(8), Fraction(8), fmpq(8), "8"):
        for name in (x, "x"):
            entry, _ = entered(Relation("r", ForAll(x >= 1), x <= 3), evidence=Solver(), candidates=[{name: value}])
            assert entry.candidates == ({x: 8},)
            assert type(entry.candidates[0][x]) is fmpq


def test_part_that_fails_shows_a_witness_in_the_part():
    part = Survives(x >= sympy.Rational(1, 2))
    root = Relation("root", ForAll(x >= 0, x <= 10), sympy.sqrt(x) <= x)
    entry, book = entered(root, evidence=Solver(), survives=part)
    found = book.judge(entry)
    assert (found.verdict, found.reason) == (Verdict.FAILS, "what survives: it fails too, at the witness")
    assert found.witness["x"] == fmpq(1, 2)


def test_enclosures_refute_and_find_the_nearest_false_constant():
    """Log x <= c sqrt(x) for all x iff c >= 2/e, where x = e^2."""
    for value, nearest in (("74/100", {"c": "0.7357"}), ("73/100", {})):
        bound = Relation("log", ForAll(x >= 1, x <= 100), sympy.log(x) <= c * sympy.sqrt(x), c=value)
        _, book = entered(bound, evidence=Enclosures(), nearest="c")
        found = judged("log", book)
        assert {name: told[:6] for name, told in found["nearest_refuted"].items()} == nearest
        assert (found["verdict"], found["witness"].get("x")) == (("holds", None) if nearest else ("fails", "8"))


def test_surviving_part_requires_a_domain_or_words():
    for too_little in ({}, {"c": 2}):
        with pytest.raises(ValueError, match="survives: give conditions"):
            Survives(**too_little)
    with pytest.raises(
        ValueError, match=re.escape("bounded: 2.5 is a float; write it exactly, as sympy.Rational(5, 2)")
    ):
        Survives(K >= 2.5).of(bounded())
    part = Survives(K <= 3)
    assert part.of(bounded()).full_domain.contains({K: fmpq(3)})
    assert not part.of(bounded()).full_domain.contains({K: fmpq(4)})
    assert part.words(bounded()) == f"${part.of(bounded()).domain_latex.strip('$')}$"
    assert Survives(says="for 2", c=2).words(bounded()) == "for 2"
    assert Survives(says="for 2", c=2).of(bounded()).parameters == {"c": 2, "d": 0}


def test_surviving_part_sets_the_default_verdict():
    for given, verdict in (({}, Verdict.SMALLER_DOMAIN), ({"verdict": Verdict.FAILS}, Verdict.FAILS)):
        assert entered(bounded(c=3), Everywhere(), survives=Survives(K <= 3), **given)[0].verdict is verdict


# -- the registry


def paper():
    """Four entries of three places of the paper, one of none, and a cause."""
    chapter = Chapter()
    failing = {"verdict": Verdict.FAILS, "true": [{"c": 11}], "severity": Severity.EDGE, "fails": "edge"}
    chapter.printed(940).statement(bounded("late"), by=Everywhere())
    chapter.printed(200).statement(bounded("early", c=3), **failing)
    chapter.ours().statement(bounded("nowhere"), by=Everywhere(), under="late")
    chapter.ours(200).statement(bounded("mended"), by=Everywhere(), under="nowhere", repairs="early")
    cause = Cause("edge", Severity.EDGE, 200, "a\n title", "why", "instead", "follows", "early", printed="printed")
    return chapter, cause


def test_registry_orders_entries_by_the_paper():
    chapter, cause = paper()
    registry = Registry(chapter, [cause])
    assert [entry.id for entry in registry] == ["nowhere", "early", "mended", "late"]
    assert (len(registry), "late" in registry, "never" in registry) == (4, True, False)
    assert registry.problems() == []
    assert registry.below("late") == ["nowhere", "mended", "late"]
    assert registry.below("early") == ["early"]
    assert registry.repairs_of("early") == ["mended"]
    assert registry.causes["edge"].title == "a title"
    with pytest.raises(UnknownClaimError, match="no claim is called 'erly'; the nearest are early"):
        registry["erly"]
    with pytest.raises(UnknownClaimError, match=r"no claim is called 'zzzzz'; python -m proofs_checks lists all"):
        registry["zzzzz"]
    with pytest.raises(ValueError, match="late is entered twice"):
        Registry([*chapter, chapter.entries[0]])


@pytest.mark.parametrize(("line", "why"), [(100, "is before the first heading"), (1548, "source ends with line 1547")])
def test_line_outside_the_paper_is_refused(line, why):
    with pytest.raises(ValueError, match=why):
        Chapter().printed(line).statement(bounded(), by=Everywhere())


def test_last_line_of_the_paper_belongs_to_the_last_section():
    assert OUTLINE.at(1547).section == OUTLINE.headings[-1]["number"]


def test_entry_on_the_line_of_a_heading_follows_earlier_lines():
    line = OUTLINE.headings[3]["line"]
    chapter = Chapter()
    chapter.printed(line).statement(bounded("on"), by=Everywhere())
    chapter.printed(line - 1).statement(bounded("before"), by=Everywhere())
    assert [entry.id for entry in Registry(chapter)] == ["before", "on"]


def test_registry_problems_name_unknown_entries_and_causes():
    chapter, cause = paper()
    assert Registry(chapter).problems() == ["early names the cause 'edge', which does not exist"]
    other = Cause("other", Severity.EDGE, 1, "", "", "", "", "never")
    found = Registry(chapter, [cause, other]).problems()
    assert found == ["cause other: its witness never is no entry", "cause other: no entry names it"]
    chapter.printed(940).statement(bounded("mends"), by=Everywhere(), under="lost", repairs="early")
    found = Registry(chapter, [cause]).problems()
    assert found == ["mends names lost, which is no entry", "mends repairs early; a repair has to be ours"]


# -- judging


def test_judge_returns_verdict_grade_and_witness():
    entry, book = entered(bounded(), Everywhere())
    found = book.judge(entry)
    assert (found.verdict, found.grade, found.outcome.instances) == (Verdict.HOLDS, Grade.EXHAUSTIVE, 10)
    entry, book = entered(bounded(c=3), Everywhere(), verdict=Verdict.FAILS, true=[{"c": 11}])
    found = book.judge(entry)
    assert (found.verdict, found.grade, found.witness["K"]) == (Verdict.FAILS, Grade.CERTIFIED, 4)
    entry, book = entered(bounded(c=3), verdict=Verdict.FAILS, true=[{"c": 11}])
    assert book.judge(entry).witness["K"] == 4  # without evidence the search finds it
    entry, book = entered(bounded(c=3), Everywhere(), survives=Survives(K <= 3))
    found = book.judge(entry)
    assert (found.verdict, found.grade) == (Verdict.SMALLER_DOMAIN, Grade.EXHAUSTIVE)
    assert (found.outcome.instances, found.witness["K"]) == (3, 4)
    entry, book = entered(bounded(c=3), Everywhere(), survives=Survives(K <= 4))
    found = book.judge(entry)
    assert (found.verdict, found.reason.startswith("what survives")) == (Verdict.FAILS, True)
    entry, book = entered(bounded(), verdict=Verdict.UNDECIDED)
    assert book.judge(entry).reason == "nothing here establishes or refutes it"
    entry, book = entered(Relation("e", ForAll(x >= 0), sympy.exp(x) >= 1 + x), Solver(), verdict=Verdict.UNDECIDED)
    assert book.judge(entry).verdict is Verdict.HOLDS
    entry, book = entered(Relation("l", ForAll(K >= 1), sympy.log(K) <= K), Everywhere(), verdict=Verdict.UNDECIDED)
    found = book.judge(entry)
    assert (found.verdict, found.grade, "not finite" in found.reason) == (Verdict.UNDECIDED, None, True)


def test_judge_tries_candidates_before_other_instances():
    tried = []

    def smaller(number, limit):
        tried.append(number)
        return number < limit

    statement = Property("p", smaller, over=range(3), says="A number is below $[[limit]]$.", limit=100)
    entry, book = entered(statement, verdict=Verdict.FAILS, true=[{"limit": 1000}], candidates=[200])
    assert book.judge(entry).verdict is Verdict.FAILS
    assert tried == [200]


@pytest.mark.parametrize("verdict", [Verdict.AGREES, Verdict.DIFFERS, Verdict.NOT_COMPARABLE])
def test_report_has_the_verdict_of_its_comparison(verdict):
    report = Report("run", lambda: Compared(verdict, {"mean": 3}, "a run"), says="")
    answer = report.at(None)
    assert (answer.true, answer.false) == (verdict is Verdict.AGREES, verdict is Verdict.DIFFERS)
    entry, book = entered(report, verdict=verdict)
    found = book.judge(entry)
    assert (found.verdict, found.grade, found.values, found.reason) == (verdict, Grade.TESTED, {"mean": 3}, "a run")
    for wrong in (Verdict.HOLDS, Verdict.FAILS):
        with pytest.raises(ValueError, match="a report about a run agrees, differs, or is not comparable"):
            entered(report, Everywhere(), verdict=wrong, true=[{}])


def test_withdrawn_entry_states_verdict_and_reason():
    chapter = Chapter()
    chapter.withdrawn("gone", "no reading")
    found = Book(Registry(chapter)).judge(chapter.entries[0])
    assert (found.verdict, found.grade, found.reason) == (Verdict.WITHDRAWN, None, "no reading")


# -- variants


def test_variants_report_mutants_and_controls_that_misbehave():
    entry, book = entered(bounded(), Everywhere(), false={"false": {"c": 9}, "true after all": {"c": 11}},
        true={"true": {"c": 12}, "false after all": {"c": 5}})  # fmt: skip
    found = {each.name: each for each in variants(entry, book)}
    assert {
        name: (each.is_mutant, each.verdict, each.established, each.as_it_should) for name, each in found.items()
    } == {"false": (True, Verdict.FAILS, False, True), "true after all": (True, Verdict.HOLDS, True, False),
        "true": (False, Verdict.HOLDS, True, True), "false after all": (False, Verdict.FAILS, False, False)}  # fmt: skip
    assert (found["false"].why, found["true after all"].why) == ("", "the evidence establishes it")
    assert found["false after all"].why == "a counterexample refutes it"
    assert not VariantFinding("", True, Verdict.FAILS, True, "").as_it_should
    assert not VariantFinding("", True, Verdict.UNDECIDED, False, "").as_it_should
    assert VariantFinding("", False, Verdict.UNDECIDED, True, "").as_it_should


def test_mutant_that_nothing_refutes_is_reported():
    entry, book = entered(
        Relation("all", ForAll(K >= 1), c <= K, c=1), LeastAt(K, 1), false={"one": {"c": 2}, "none": {"c": "1/2"}}
    )
    assert [each.as_it_should for each in variants(entry, book)] == [True, False]
    entry, book = entered(Relation("all", ForAll(K >= 1), c <= K, c=1), ByHand("it is clear"),
        verdict=Verdict.HOLDS, false={"none": {"c": "1/2"}})  # fmt: skip
    (found,) = variants(entry, book)
    assert found.why.startswith(("no counterexample", "the evidence establishes it"))


def test_mutants_are_tried_on_the_surviving_part():
    part = {"survives": Survives(K <= 3), "false": {"smaller": {"c": 2}, "enough": {"c": 4}}}
    entry, book = entered(bounded(c=3), Everywhere(), **part)
    assert {each.name: each.as_it_should for each in variants(entry, book)} == {"smaller": True, "enough": False}


@pytest.mark.parametrize(
    ("c", "d", "name", "found"),
    [
        (10, 0, "c", 10 - fmpq(1, 10**5)),  # false from 10 on, and the first share of 10 is a millionth
        (20, 0, "c", fmpq(155, 16)),  # 10 is not, 0 is; then 5, 15/2, 35/4, 75/8 and 155/16 are
        (12, 0, "c", fmpq(399, 40)),  # 54/5 is not, 48/5 is; 51/5 not, 99/10 is, 201/20 not, 399/40 is
        ("21/2", 0, "d", fmpq(-41, 8)),  # -4 is not, -10 is; -7 and -11/2 are, -19/4 not, -41/8 is, -79/16 not
        (10, -1, "d", -1 - fmpq(1, 10**6)),
    ],
)
def test_nearest_value_is_found_by_bisection(c, d, name, found):
    """Accurate to a twentieth of its distance from the claim, which is false for c < 10, or for d < 100 - 10 c."""
    entry, _ = entered(bounded(c=c, d=d), nearest=f"{name}-", verdict=Verdict.UNDECIDED)
    assert nearest_value(entry, name, "down") == found
    text = decimal_text(found, 9)
    assert nearest_refuted(entry) == {name: text}
    assert false_variants(entry) == {f"{name} = {text}": {name: found}}


@pytest.mark.parametrize("name", ["c", "d"])
def test_nearest_refuted_is_empty_if_nothing_is_refuted(name):
    entry, _ = entered(bounded(), nearest=f"{name}+", verdict=Verdict.UNDECIDED)
    assert (nearest_refuted(entry), false_variants(entry)) == ({}, {})


def test_direction_without_a_refuted_value_is_reported():
    """The claim is true for every larger d; also reported beside a mutant with the name of a nearest value."""
    entry, book = entered(bounded(), nearest="c- d+", verdict=Verdict.UNDECIDED, false={"c = 9.99999": {"c": 9}})
    found = {each.name: (each.is_mutant, each.as_it_should, each.why) for each in variants(entry, book)}
    why = "no value in this direction is refuted, within ten times the claimed one (10 if it is 0)"
    assert found == {"c = 9.99999": (True, True, ""), "d, up": (True, False, why)}


def test_nearest_value_of_a_domain_bound_may_leave_the_domain():
    """The points at which it is refuted lie outside the claim's own domain."""
    some = Relation("some", ForAll(c <= K, K <= 10), K**2 >= 36, c=6)  # not for 5
    entry, book = entered(some, nearest="c-", verdict=Verdict.UNDECIDED, candidates=[{K: fmpq(5)}])
    assert nearest_value(entry, "c", "down") == fmpq(399, 80)  # 27/5 is not; 24/5 is, 51/10 not, 99/20 is, 201/40 not
    assert [each.as_it_should for each in variants(entry, book)] == [True]


def test_value_at_which_a_formula_makes_no_sense_is_no_nearest_one():
    some = Relation("some", ForAll(K >= 1), K / c**2 >= 0, c=1)
    entry, _ = entered(some, nearest="c", verdict=Verdict.UNDECIDED)
    assert nearest_value(entry, "c", "") is None


def test_nearest_value_tries_a_fixed_sequence_of_distances():
    """From a millionth of the claimed value (of 1 if that is 0) to ten times it."""
    tried = []
    claim = Property("p", lambda c: tried.append(c) or True, says="", c=0)
    entry, _ = entered(claim, verdict=Verdict.UNDECIDED)
    assert nearest_value(entry, "c", "up") is None
    parts = [10**6, 10**5, 10**4, 10**3, 200, 100, 50, 20, 10, 5, 3, 2, 1]
    distances = [*(fmpq(1, part) for part in parts), 2, 4, 10]
    first = [fmpq(1, 5), fmpq(1, 2), 10]
    assert tried == [*first, *(each for each in distances if each not in first)]  # where none of the first is refuted


def test_nearest_value_finds_an_isolated_false_interval():
    claim = Property("p", lambda c: not fmpq(1, 10) <= c <= fmpq(2, 5), says="", c=0)
    entry, _ = entered(claim, verdict=Verdict.UNDECIDED)
    assert nearest_value(entry, "c", "up") == fmpq(1, 10)


# -- dependencies


def steps():
    """Return a chapter with an entry by hand, one that uses it, and an independent one."""
    chapter = Chapter()
    low = Relation("low", ForAll(x >= 1), sympy.log(x) <= x - 1)
    chapter.ours().statement(low, by=Argument(Step("a tangent", ByHand()), conclusion=ByHand("clear")))
    chapter.ours().statement(
        Relation("middle", ForAll(x >= 2), sympy.log(x) <= x), by=Argument(Step("", Uses("low"), sympy.log(x) <= x - 1))
    )
    chapter.ours().statement(bounded("other"), by=Everywhere())
    return chapter


def content_of(claim_id, verdict="holds", evidence="certified", depends_on=(), reading=(), steps=()):
    result = {"id": claim_id, "verdict": verdict, "evidence": evidence, "reason": ""}
    return result | {"depends_on": list(depends_on), "reading": dict(reading), "steps": list(steps)}


HAND, CHECKED = {"by": "hand"}, {"by": "solver"}


def resolved_diamond(**changed):
    """Resolve four entries: top rests on left and right, which rest on base."""
    contents = {"top": content_of("top", depends_on=["left", "right"], steps=[CHECKED, HAND]),
        "left": content_of(
        "left", "holds in part", "argued", ["base"], steps=[{"by": "x", "steps": [HAND, HAND]}]),
        "right": content_of("right", "holds", "cited", ["base"]), "base": content_of("base", "holds", "tested")}  # fmt: skip
    for name, change in changed.items():
        contents[name] |= change
    chapter = Chapter()
    for name in contents:
        chapter.ours().statement(bounded(name), by=Everywhere())
    return {each["id"]: each for each in resolved(contents, Registry(chapter))}


def test_entry_inherits_the_weakest_evidence_of_its_foundations():
    found = resolved_diamond()
    assert found["top"]["foundations"] == ["left", "base", "right"]
    assert found["base"]["foundations"] == []
    assert [each["effective_evidence"] for each in found.values()] == ["cited", "tested"] * 2
    assert found["top"]["cited"] == ["right"]
    assert (found["top"]["by_hand"], found["top"]["by_hand_below"]) == (1, 3)
    assert all(each["stands_throughout"] for each in found.values())
    assert (found["top"]["as_recorded"], found["left"]["as_recorded"]) == (True, False)


def test_entry_resting_on_a_false_one_is_undecided():
    found = resolved_diamond(base={"verdict": "fails"})
    assert [found[name]["verdict"] for name in ("top", "left", "right", "base")] == ["undecided"] * 3 + ["fails"]
    assert found["top"]["reason"] == "an entry that it rests on does not stand: base"
    assert [each["stands_throughout"] for each in found.values()] == [False] * 4
    assert [each["effective_evidence"] for each in found.values()] == [None] * 3 + ["tested"]
    found = resolved_diamond(right={"verdict": "undecided", "evidence": None})
    assert (found["right"]["verdict"], found["right"]["effective_evidence"]) == ("undecided", None)
    assert (found["left"]["verdict"], found["left"]["stands_throughout"]) == ("holds in part", True)
    assert resolved_diamond(base={"verdict": "agrees"})["top"]["stands_throughout"]


def test_circular_dependencies_are_refused():
    contents = {"a": content_of("a", depends_on=["b"]), "b": content_of("b", depends_on=["a"])}
    with pytest.raises(ValueError, match="in a circle: a -> b -> a"):
        foundations("a", contents)


def test_by_hand_steps_are_counted_at_every_depth():
    assert hands({"steps": [HAND, CHECKED, {"by": "hand", "steps": [HAND, CHECKED]}]}) == 3
    assert hands({}) == 0


def test_different_readings_of_foundations_are_listed():
    chapter = Chapter()
    reading = {"here": {"a": "x", "b": "y"}, "free": {"estimates": "x"}, "there": {"a": "z", "b": "y"}}
    for name in reading:
        chapter.ours().statement(bounded(name), by=Everywhere())
    contents = {name: content_of(name, reading=reading[name]) for name in reading}
    contents["here"]["depends_on"] = contents["free"]["depends_on"] = ["there"]
    registry = Registry(chapter)
    for name, choices in reading.items():
        registry[name].statement.reading = choices
    found = {each["id"]: each["different_readings"] for each in resolved(contents, registry)}
    left_open = ["there: a is z, here open", "there: b is y, here open"]
    assert found == {"here": ["there: a is z, here x"], "free": left_open, "there": []}


# -- running and caching


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_module, "user_cache_path", lambda name: tmp_path)
    return tmp_path


def test_run_judges_and_caches_foundations(cache):
    chapter = steps()
    registry = Registry(chapter)
    done = []
    found = run(["middle", "middle"], registry, "", progress=done.append)
    assert [content["id"] for content in found] == ["middle"]
    assert sorted(done) == ["low", "middle"]
    assert (found[0]["verdict"], found[0]["effective_evidence"], found[0]["by_hand_below"]) == ("holds", "argued", 2)
    assert kept("middle") == found[0]
    assert kept("other") is None
    again = []
    assert run(["middle"], registry, "", progress=again.append) == found  # same seconds: nothing computed
    assert sorted(again) == ["low", "middle"]
    assert run(["middle"], registry, "", fresh=True)[0]["verdict"] == "holds"
    assert [content["id"] for content in run(["other", "low"], registry, "")] == ["other", "low"]


def small_registry():
    return Registry(steps())


def test_results_are_the_same_with_one_or_two_workers(cache):
    ids, done = ["other", "low", "middle"], []
    source = f"{__name__}:small_registry"
    found = run(ids, small_registry(), source, jobs=2, fresh=True, progress=done.append)
    alone = run(ids, small_registry(), source, fresh=True)
    assert [each | {"seconds": 0} for each in found] == [each | {"seconds": 0} for each in alone]
    assert sorted(done) == sorted(ids)


def test_entry_that_raises_gets_verdict_error_and_is_not_cached(cache):
    def broken():
        raise ZeroDivisionError("by\n nothing")

    chapter = steps()
    chapter.ours().statement(Property("broken", broken, says=""), by=Everywhere())
    chapter.ours().statement(bounded("above"), by=Argument(Step("", Uses("broken")), conclusion=ByHand("clear")))
    found = run(["broken", "other", "above"], Registry(chapter), "")
    assert [content["verdict"] for content in found] == ["error", "holds", "undecided"]
    assert found[0]["reason"].startswith(f"ZeroDivisionError: by nothing ({__file__}, line ")
    assert (found[0]["evidence"], found[0]["seconds"], found[0]["effective_evidence"]) == (None, 0.0, None)
    assert kept("broken") is None
    assert kept("other") == found[1]
    assert kept("above") is None  # the error may be gone the next time


def test_cached_result_is_dropped_if_damaged_or_of_other_sources(cache, monkeypatch):
    keep({"id": "a/b", "n": 1})
    assert kept("a/b") == {"id": "a/b", "n": 1}
    (path,) = cache.rglob("*.json")
    for wrong in ("{", "[]", '{"content": {}}', '{"id": "other"}'):
        path.write_text(wrong, encoding="utf-8")
        assert kept("a/b") is None
    keep({"id": "a/b", "n": 2})
    monkeypatch.setattr(kept_module, "digest", lambda: "other")
    assert kept("a/b") is None


def test_digest_changes_with_sources_and_library_versions(tmp_path, monkeypatch):
    def digest():
        for each in (kept_module.digest, kept_module._sources):  # as a new process would
            each.cache_clear()
        return kept_module.digest()

    monkeypatch.setattr(kept_module, "ROOT", tmp_path)
    (tmp_path / "theory" / "__pycache__").mkdir(parents=True)
    found = [digest()]
    for name, text in (("a.py", "1"), ("a.py", "2"), ("b.json", "2"), ("_CoqProject", "x"), ("__pycache__/c.nbi", "y")):
        (tmp_path / "theory" / name).write_text(text, encoding="utf-8")
        found.append(digest())
    assert found[-1] == found[-2]  # compiled files do not count
    monkeypatch.setattr(kept_module, "version", lambda name: "0")
    found.append(digest())
    assert len(set(found)) == 6
    kept_module.digest.cache_clear()


def test_results_of_sources_edited_during_the_run_are_not_cached(cache, monkeypatch):
    monkeypatch.setattr(kept_module, "BEGUN", 1000.0)
    keep({"id": "a/b"})
    assert kept("a/b") is None


def test_cache_deletes_results_of_old_sources(cache, monkeypatch):
    for number in range(kept_module.VERSIONS_KEPT + 3):
        monkeypatch.setattr(kept_module, "digest", lambda number=number: f"digest-{number}")
        keep({"id": "a"})
        os.utime(cache / "results" / f"digest-{number}", (number, number))
    assert len(list((cache / "results").iterdir())) == kept_module.VERSIONS_KEPT


def test_unwritable_cache_is_ignored(cache, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    keep({"id": "a/b", "n": 1})
    assert kept("a/b") is None


def test_judged_entry_has_the_documented_fields():
    chapter = Chapter()
    chapter.heading("above").printed(643).statement(bounded(c=3), by=Everywhere(), survives=Survives(K <= 3),
        severity=Severity.EDGE, fails="edge", false=[{"c": 2}], true=[{"c": 11}], nearest="c-")  # fmt: skip
    content = judged("bounded", Book(Registry(chapter)))
    assert (content.items() >= {"id": "bounded", "under": "above", "origin": "printed",
        "section": chapter.entries[0].place.section, "verdict": "holds in part",
        "recorded": {"verdict": "holds in part", "grade": None}, "evidence": "exhaustive", "cause": "edge",
        "instances": 3, "depends_on": [], "mutants": ["c = 2"], "controls": ["c = 11"], "withdrawn": "",
        "repairs": [], "parameters": {"c": 3, "d": 0}}.items())  # fmt: skip
    assert content["witness"]["K"] in (4, "4")
    assert content["smaller_domain"] == Survives(K <= 3).words(bounded(c=3))
    assert content["location"]["equation"] == 18
    (name,) = content["nearest_refuted"]
    assert (name, 2.8 < float(content["nearest_refuted"]["c"]) < 3) == ("c", True)
    assert 0 <= content["seconds"] == round(content["seconds"], 3)
    plainly = judged("other", Book(Registry(steps())))
    assert (plainly["location"], plainly["section"], plainly["cause"]) == (None, "", None)
    assert (plainly["smaller_domain"], plainly["nearest_refuted"]) == ("", {})
    for factor, verdict in ((3, Verdict.FAILS), (10, Verdict.HOLDS)):  # the part K <= 4 is false, or the whole is true
        entry, book = entered(bounded(c=factor), Everywhere(), survives=Survives(K <= 4), verdict=verdict)
        result = judged(entry.id, book)
        assert (result["verdict"], result["smaller_domain"]) == (verdict.value, "")


def test_failed_step_states_why_it_is_not_established():
    chapter = Chapter()
    chapter.ours().statement(Relation("wrong", ForAll(x >= 1), x >= 1),
        by=Argument(Step("too much", Solver(), x >= 2)), verdict=Verdict.UNDECIDED)  # fmt: skip
    (step, *_) = judged("wrong", Book(Registry(chapter)))["steps"]
    assert step["not_established"]
    right = judged("middle", Book(Registry(steps())))
    assert "not_established" not in right["steps"][0]
    assert right["depends_on"] == ["low"]


def test_evidence_alone_ignores_citations():
    entry, book = entered(bounded(), Everywhere())
    assert evidence_alone(entry, entry.statement, book).established
    bare, book = entered(bounded(), verdict=Verdict.UNDECIDED)
    assert evidence_alone(bare, bare.statement, book) is None

    class Quoted(Everywhere):
        def establish(self, statement, book):
            return Outcome(statement.parameters["c"] > 5, Grade.CITED, "a book")

    quoted, book = entered(bounded(), Quoted())
    assert evidence_alone(quoted, quoted.statement, book) is None
    assert not evidence_alone(quoted, quoted.statement.with_(c=1), book).established


def test_failing_claim_module_is_named_with_its_line():
    error = r"paper/__init__\.py, line \d+: ModuleNotFoundError: No module named '.*nowhere'"
    with pytest.raises(BanditError, match=error):
        claims._module("nowhere")


def test_refutation_rests_on_the_entry_that_its_witness_uses():
    """A witness refutes the claim, given an entry with the same constant; where that does not stand, nothing does."""
    for evidence, same, verdict in (
        (Everywhere(), {"a": "c"}, "fails"),
        (None, {"a": "c"}, "undecided"),  # it does not stand
        (Everywhere(), {"a": "d"}, "undecided"),
    ):
        chapter = Chapter()
        chapter.ours().statement(bounded("given"), by=evidence, verdict=Verdict.HOLDS if evidence else Verdict.FAILS,
            true=() if evidence else {"c": 11})  # fmt: skip
        chapter.ours().property("false", "At most $5$, since at most $[[a]]$.", lambda a: int(a) <= 5, a=10,
            refuted=Uses("given", same=same), verdict=Verdict.FAILS, true={"a": 5})  # fmt: skip
        registry = Registry(chapter)
        *_, found = resolved({each.id: judged(each.id, Book(registry)) for each in registry}, registry)
        assert (found["verdict"], found["as_recorded"]) == (verdict, verdict == "fails")
        assert found["depends_on"] == (["given"] if same == {"a": "c"} else [])
        assert ("given" in found["refuted_by"]) == (same == {"a": "c"})


def test_unrecorded_refutation_leaves_the_grade_certified():
    """The witness gives the grade certified; an unrecorded theorem adds nothing."""
    false = Relation("false", ForAll(K >= 1), K <= 5)
    for refutation in (None, InKernel("a_theorem_that_is_not_recorded")):
        entry = Entry(false, Origin.OURS, None, verdict=Verdict.FAILS, refutation=refutation)
        found = Book(Registry([entry])).judge(entry)
        assert (found.verdict, found.grade, found.refuted_by) == (Verdict.FAILS, Grade.CERTIFIED, "")


def test_entry_that_names_an_unrecorded_theorem_is_not_as_recorded():
    """An entry that names theorems which do not carry it is not as recorded, even if other evidence establishes it."""
    chapter = Chapter()
    chapter.ours().statement(bounded("named"), by=AnyOf(InKernel("a_theorem_that_is_not_recorded"), Everywhere()),
        false=[{"c": 2}])  # fmt: skip
    refuted = InKernel("a_theorem_that_is_not_recorded")
    entries = [*chapter, Entry(Relation("false", ForAll(K >= 1), K <= 5), Origin.OURS, None, verdict=Verdict.FAILS,
        refutation=refuted)]  # fmt: skip
    registry = Registry(entries)
    found = resolved({each.id: judged(each.id, Book(registry)) for each in registry}, registry)
    assert [(each["recorded"]["grade"], each["evidence"], each["as_recorded"]) for each in found] == [
        ("kernel", "exhaustive", False), ("kernel", "certified", False)]  # fmt: skip
