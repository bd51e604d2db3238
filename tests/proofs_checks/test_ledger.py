"""The machinery of the ledger, on small ledgers of its own."""

from __future__ import annotations

import pytest

from proofs_checks.ledger import (
    Book,
    Evidence,
    Registry,
    UnknownClaimError,
    Verdict,
    claim,
    decide,
    fails,
    holds,
    holds_only,
    run_check,
    run_variants,
    undecided,
)
from proofs_checks.ledger.finding import Finding


def small_ledger():
    registry = Registry()

    def enter(claim_id, **changes):
        entry = {
            "section": "s",
            "statement": "two is even",
            "domain": "two",
            "evidence": Evidence.CERTIFIED,
            "mutants": {"three": {"number": 3}},
            "registry": registry,
        } | changes
        return claim(claim_id, **entry)

    @enter("base")
    def base(book, number=2):
        return decide(number % 2 == 0, Evidence.CERTIFIED, number=number)

    @enter("middle")
    def middle(book, number=2):
        return decide(book.stands("base") and number % 2 == 0, Evidence.CERTIFIED, number=number)

    @enter("top")
    def top(book, number=2):
        return decide(book.stands("middle", "literature") and number % 2 == 0, Evidence.CERTIFIED, number=number)

    @enter("literature", evidence=Evidence.CITED)
    def literature(book, number=2):
        return decide(number % 2 == 0, Evidence.CITED, number=number)

    @enter("false", verdict=Verdict.FAILS, controls={"two": {"number": 2}})
    def false(book, number=3):
        return decide(number % 2 == 0, Evidence.CERTIFIED, number=number)

    @enter("on the false", repairs=("false",))
    def on_the_false(book, number=2):
        book.finding("false")
        return decide(number % 2 == 0, Evidence.CERTIFIED, number=number)

    return registry, enter


def test_dependencies_are_what_the_checks_asked_for():
    registry, _ = small_ledger()
    book = Book(registry)
    assert book.depends_on("base") == ()
    assert book.depends_on("top") == ("middle", "literature")
    assert book.foundations("top") == ("middle", "literature", "base")


def test_dependencies_do_not_depend_on_what_was_found_before():
    registry, _ = small_ledger()
    book = Book(registry)
    for claim_id in ("base", "middle", "literature"):
        book.finding(claim_id)
    assert book.foundations("top") == ("middle", "literature", "base")


def test_an_outcome_names_the_cited_results_below():
    registry, _ = small_ledger()
    outcome = run_check("top", Book(registry))
    assert outcome.cited == ("literature",)
    assert outcome.stands_throughout


def test_a_true_claim_on_a_false_one_does_not_stand_throughout():
    registry, _ = small_ledger()
    outcome = run_check("on the false", Book(registry))
    assert outcome.finding.verdict is Verdict.HOLDS
    assert not outcome.stands_throughout
    assert registry.repairs_of("false") == ["on the false"]


def test_mutants_are_refuted_and_controls_confirmed():
    registry, _ = small_ledger()
    variants = list(run_variants([entry.id for entry in registry], registry))
    assert len(variants) == 7
    assert all(variant.as_it_should for variant in variants)


def test_a_check_without_a_body_is_an_error_not_a_pass():
    registry, enter = small_ledger()

    @enter("empty")
    def empty(book, number=2):
        pass

    outcome = run_check("empty", Book(registry))
    assert outcome.finding is None
    assert "returned None, not a Finding" in outcome.error
    assert not outcome.as_recorded(registry["empty"])


def test_an_error_in_one_check_leaves_the_others():
    registry, enter = small_ledger()

    @enter("broken")
    def broken(book, number=2):
        return 1 / 0

    book = Book(registry)
    assert run_check("broken", book).error == "ZeroDivisionError: division by zero"
    assert run_check("top", book).stands_throughout


def test_a_circle_is_reported():
    registry, enter = small_ledger()

    @enter("hen")
    def hen(book, number=2):
        return book.finding("egg")

    @enter("egg")
    def egg(book, number=2):
        return book.finding("hen")

    assert "in a circle: hen -> egg -> hen" in run_check("hen", Book(registry)).error


def test_entries_that_could_not_fail_are_refused():
    _, enter = small_ledger()
    check = lambda book: holds(Evidence.PROOF)  # noqa: E731
    with pytest.raises(ValueError, match="give a mutant"):
        enter("no mutant", mutants={})(check)
    with pytest.raises(ValueError, match="give a true variant as a control"):
        enter("no control", verdict=Verdict.FAILS)(check)
    with pytest.raises(ValueError, match="entered twice"):
        enter("base")(check)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: fails({}), "needs a witness"),
        (lambda: holds_only("", Evidence.PROOF, {"x": 1}), "needs that domain"),
        (lambda: holds_only("x > 0", Evidence.PROOF, {}), "a witness outside it"),
        (lambda: undecided(""), "needs a reason"),
        (lambda: holds(Evidence.TESTED), "says how many instances"),
        (lambda: Finding(Verdict.HOLDS, Evidence.EXHAUSTIVE), "says how many instances"),
    ],
)
def test_findings_that_say_too_little_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_an_unknown_claim_is_refused_with_the_nearest():
    registry, _ = small_ledger()
    with pytest.raises(UnknownClaimError, match="no claim is called 'midle'; the nearest are middle"):
        registry["midle"]


def test_generators_are_the_same_for_the_same_purpose_only():
    draws = [Book().generator(purpose).integers(10**9) for purpose in ("a", "a", "b")]
    assert draws[0] == draws[1] != draws[2]
