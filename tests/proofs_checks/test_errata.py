"""ERRATA.md equals what the causes generate; every correction is checked."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import proofs_checks
from proofs_checks.claimcheck.evidence import find_witness
from proofs_checks.claimcheck.ledger import Book, Severity, Verdict, mutated
from proofs_checks.claimcheck.statements import Relation
from proofs_checks.commands.entries import show
from proofs_checks.paper import registry
from proofs_checks.report.pages.errata import IN_ORDER, STATEMENTS, all_causes, errata
from theory import rational

WRITTEN = Path(proofs_checks.__file__).with_name("ERRATA.md")
CAUSES = all_causes(registry())
SEVERITIES = [each.value for each in Severity]
STANDING = (Verdict.HOLDS, Verdict.SMALLER_DOMAIN)
BOOK = Book(registry())


def test_errata_state_every_cause_and_equal_the_written_file():
    """Causes in `IN_ORDER` are stated in full, all others in one row of the table with their severity."""
    text = WRITTEN.read_text(encoding="utf-8")
    first, rest = text.split("## The rest")
    assert "..." not in text.replace(r"\ldots", "")
    assert set(IN_ORDER) <= {cause["id"] for cause in CAUSES}
    for cause in CAUSES:
        whole = all(cause[part] in first for part in ("title", "printed", "why", "instead", "follows"))
        row = all(cause[part].replace("|", r"\vert ") in rest for part in ("severity", "printed", "instead"))
        assert (whole, row) == (cause["id"] in IN_ORDER, cause["id"] not in IN_ORDER), cause["id"]
    assert {cause["id"] for cause in CAUSES if cause["severity"] == "major"} <= set(IN_ORDER)
    order = [SEVERITIES.index(cause["severity"]) for cause in CAUSES if cause["id"] in IN_ORDER]
    assert order == sorted(order), "the most severe stand first"
    assert len(STATEMENTS) == 10
    assert len(text.split()) < 4500, "the errata are too long to be read at one sitting"
    assert text == errata(CAUSES)


LINES = re.compile(r"[Ll]ines? ((?:\d+(?: \(\w+\))?(?:, | and | to )?)+)")


def replaced(cause):
    """Return the lines of the paper's source that a cause replaces, with the part if it is one: "118 (regret)"."""
    found = set()
    for text in LINES.findall(cause["instead"]):
        for each in re.split(", | and ", text.strip(" ,")):
            first, _, last = each.partition(" to ")
            found |= {str(line) for line in range(int(first), int(last) + 1)} if last else {each}
    return found or {str(cause["location"]["line"])}


def test_replaced_parses_the_lines_of_a_correction():
    cause = {"instead": "Lines 3 to 5 and 9: this. Line 7 (regret): that; lines 1, 2 too", "location": {"line": 8}}
    assert replaced(cause) == {"3", "4", "5", "9", "7 (regret)", "1", "2"}
    assert replaced(cause | {"instead": "this"}) == {"8"}


def test_no_two_causes_replace_the_same_line():
    by_line = defaultdict(set)
    for cause in CAUSES:
        if not cause["see"]:
            for line in replaced(cause):
                by_line[line].add(cause["id"])
    assert {line: found for line, found in by_line.items() if len(found) > 1} == {}
    partly = {line.partition(" ")[0] for line in by_line if " " in line}
    assert not partly & set(by_line), "a line is replaced both as a whole and in part"


RELATION = re.compile(r"\\[lg]e(?![a-z])|[=<>]|\\approx|\\frac|\\sqrt|^[\d./{}]+$")
SPACING = re.compile(r"\\(?:[Bb]igg?[lr]?|left|right)(?![a-zA-Z])|\\[,;!]|\s")


def bare(text):
    """Return LaTeX without spaces and sizes of brackets, and with braces around the digits of a fraction or a root."""
    braced = re.sub(r"\\(frac|sqrt) ?(\d)(\d?)", r"\\\1{\2}{\3}", SPACING.sub("", text))
    return braced.replace("{}", "")


def formulas(text):
    """Return the formulas of a text that can be right or wrong."""
    return [each for each in re.findall(r"\$([^$]+)\$", text) if RELATION.search(each)]


def checked_words(entries):
    """Return what entries say where they hold: as they stand, in part, or as a true variant."""
    said, parts = [], []
    for entry in entries:
        said += [entry.statement] if entry.verdict in STANDING and not entry.survives else []
        said += [entry.statement.with_(**each) for each in entry.controls.values()]
        said += [entry.survives.of(entry.statement)] if entry.survives else []
        parts += [entry.survives.says] if entry.survives else []
    return bare("\n".join([*parts, *(f"{each.text} {each.domain_latex}" for each in said)]))


def test_every_formula_of_a_correction_is_one_that_its_entries_check():
    """Relations, fractions, roots and numbers, to the letter; symbols alone are not looked for."""
    unchecked = []
    for cause in CAUSES:
        known = checked_words(registry()[each] for each in {*cause["checked"], *cause["entries"]})
        unchecked += [(cause["id"], each) for each in formulas(cause["instead"]) if bare(each) not in known]
    assert unchecked == []


def test_every_formula_of_the_ten_lines_is_one_that_some_entry_checks():
    known = checked_words(registry())
    assert [each for line in STATEMENTS for each in formulas(line) if bare(each) not in known] == []


def test_bare_ignores_how_brackets_and_fractions_are_typed_and_nothing_else():
    assert (
        bare(r"\frac12\Big(\sqrt 2 \,x\Big)")
        == bare(r"\frac{1}{2}\left(\sqrt{2} x\right)")
        != bare(r"\frac13(\sqrt{2}x)")
    )


SMALL = {True: [1, 2, 3, 4, 5, 7, 16, 60], False: ["0", "1/3", "1/2", "9/10", "99/100", "1", "8/5", "2", "5", "40"]}
"""Values that the search for a counterexample tries: of sizes and numbers of episodes, and of all else."""
ENOUGH, MOST, DRAWS = 5, 25, 2000


def small_points(statement):
    """Yield points of a relation's domain with small coordinates, chosen independently of the claim."""
    generator, domain, found = np.random.default_rng(20261126), statement.full_domain, []
    values = [[rational(value) for value in SMALL[bool(each.is_integer)]] for each in domain.variables]
    for drawn in generator.random((DRAWS, len(values))):
        point = {
            symbol: among[int(share * len(among))]
            for symbol, among, share in zip(domain.variables, values, drawn, strict=True)
        }
        if len(found) < MOST and point not in found and domain.contains(point):
            found.append(point)
            yield point


@pytest.mark.parametrize("cause", CAUSES, ids=[cause["id"] for cause in CAUSES])
def test_correction_of_every_cause_has_no_small_counterexample(cause):
    """No small instance refutes the correction, unless it is only wording.

    A correction is an entry that holds (`test_entries` tries its evidence and mutants), or the true variant or part of
    a refuted entry.
    """
    if cause["see"]:
        assert replaced(cause) <= replaced(next(each for each in CAUSES if each["id"] == cause["see"]))
        return
    checking = [registry()[each] for each in cause["checked"]]
    kept = [registry()[each] for each in cause["entries"]] if not checking else []
    kept = [entry for entry in kept if entry.controls or entry.survives]
    assert checking or kept or cause["wording"], "no entry checks the correction"
    for entry in checking:
        if entry.verdict not in STANDING:
            kept.append(entry)
        elif isinstance(entry.statement, Relation):
            found = [mutated(entry, {}).at(point) for point in small_points(mutated(entry, {}))]
            assert not [each.values for each in found if each.false], entry.id
            assert len(found) >= ENOUGH, f"{entry.id}: {len(found)} small instances"
    for entry in kept:
        assert entry.verdict in (Verdict.FAILS, Verdict.SMALLER_DOMAIN), entry.id
        if entry.survives:
            assert not find_witness(entry.survives.of(entry.statement), BOOK, first=entry.candidates), entry.id


def test_no_entry_is_more_severe_than_its_cause():
    severe = [(cause, entry) for cause in CAUSES for each in cause["entries"] if (entry := registry()[each]).severity]
    for cause, entry in severe:
        assert SEVERITIES.index(entry.severity.value) >= SEVERITIES.index(cause["severity"]), entry.id


def test_readme_errata_and_terminal_state_the_verdict_of_theorem_2():
    """The terminal also names the left and right side of the witness."""
    entry = registry()["thm:lower_bound"]
    verdict = entry.verdict.value
    assert verdict == "holds in part"
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert f"**Theorem 2 {verdict}**" in readme
    cause = next(cause for cause in CAUSES if cause["witness"] == "thm:lower_bound")
    assert f"*{verdict.capitalize()}. Severity: {cause['severity']}. " in errata([cause])
    printed = CliRunner().invoke(show, ["Theorem 2"]).stdout
    assert f"Verdict: {verdict}\n" in printed
    for expected in ("left is 60 ℛ(S, n, K, β)", "right is √((K S n)/(1 - β))", "claimed is 60 ℛ(S, n, K, β) ≥ "):
        assert expected in printed
