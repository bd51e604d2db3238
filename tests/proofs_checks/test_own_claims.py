"""Claims in a user's file: judged and printed from the command line, with the formula as written."""

from __future__ import annotations

import json
import re

import pytest

from proofs_checks.claimcheck.evidence import Argument, ByHand, Step, Uses
from proofs_checks.claimcheck.ledger import Chapter, Registry
from proofs_checks.claimcheck.ledger.own import beside, judged_beside
from tests import command_line
from tests.proofs_checks.test_ledger import bounded, steps

MINE = """
from sympy import Rational, log
from proofs_checks.claimcheck.evidence import LeastAt
from proofs_checks.claimcheck.ledger import Chapter
from proofs_checks.claimcheck.statements import ForAll
from proofs_checks.claimcheck.statements.symbols import beta, c

chapter = Chapter()
for name, factor in (("true", 1), ("false", 2)):
    here = ForAll(beta >= 0, beta <= Rational(99, 100))
    chapter.ours().relation(f"my:{name}", "", here, log(1 / (1 - beta)) >= c * beta, c=factor, by=LeastAt(beta, 0))
"""


def run(folder, *words, text=MINE):
    (folder / "mine.py").write_text(text, encoding="utf-8")
    return command_line.run("proofs_checks", *words, folder=folder)


def test_show_prints_a_users_false_claim_as_written(tmp_path):
    done = run(tmp_path, "show", "my:false", "--from", "mine.py")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert "log(1/(1 - β)) ≥ 2 β" in lines
    assert "Verdict: fails" in lines
    sides = dict(line.strip().split(" = ") for line in lines if line.startswith(("  left = ", "  right = ")))
    left, right = sides["left"], sides["right"]
    assert float(left.rstrip(".")) < float(right.split("/")[0]) / float(right.split("/")[1])


def test_users_true_claim_holds(tmp_path):
    entry = json.loads(run(tmp_path, "show", "my:true", "--from", "mine.py", "--json").stdout)
    assert (entry["verdict"], entry["evidence"], entry["origin"]) == ("holds", "certified", "ours")


SUM = """
from sympy import Rational, Sum, sqrt
from proofs_checks.claimcheck.evidence import LeastAt
from proofs_checks.claimcheck.ledger import Chapter
from proofs_checks.claimcheck.statements import ForAll
from proofs_checks.claimcheck.statements.symbols import K, c, k

chapter = Chapter()
chapter.ours().relation(
    "my:sum", "", ForAll(K >= 1), Sum(1 / sqrt(k), (k, 1, K)) <= c * sqrt(K), c=2, by=LeastAt(K, 1),
    false={"c": Rational(39, 20)}, candidates=[{"K": 1000}])
"""


def test_candidate_with_too_long_a_sum_is_named_as_undecided(tmp_path):
    done = run(tmp_path, "check", "--mutants", "--from", "mine.py", text=SUM)
    assert done.returncode == 1
    assert "undecided at K = 1000 (sums of more than 400 terms are not added up)" in done.stdout
    shorter = SUM.replace("1000", "400").replace("39, 20", "48, 25")
    assert run(tmp_path, "check", "--mutants", "--from", "mine.py", text=shorter).returncode == 0


def test_check_from_a_file_checks_all_its_claims(tmp_path):
    done = run(tmp_path, "check", "--from", "mine.py", "--json")
    assert done.returncode == 1
    assert [entry["verdict"] for entry in json.loads(done.stdout)["claims"]] == ["holds", "fails"]
    assert run(tmp_path, "check", "my:true", "--from", "mine.py").returncode == 0
    for words in (["check", "mine.py"], ["check", "mine.py", "my:true"], ["show", "mine.py", "my:true"]):
        option = [words[0], *words[2:], "--from", "mine.py"]
        assert run(tmp_path, *words).stdout == run(tmp_path, *option).stdout != ""


NO_FORMULA = """
from proofs_checks.claimcheck.evidence import Everywhere, LeastAt, Samples
from proofs_checks.claimcheck.ledger import Chapter
from proofs_checks.claimcheck.statements import Family, ForAll
from proofs_checks.claimcheck.statements.symbols import K, S, beta, c

chapter = Chapter()
three = Family("rolls", draw=lambda rng: 3)
chapter.ours().property("my:fact", "$[[n]]$ is even.", lambda n: n % 2 == 0, n=3, by=Everywhere())
chapter.ours().property("my:rolls", "All are even.", lambda n: n % 2 == 0, over=three, by=Samples(9))
chapter.ours().property("my:typo", "It is even.", lambda: 2 % 2, by=Everywhere())
chapter.ours().property("my:two", "$[[n]]$ is even.", lambda n: n % 2 == 0, n=2, by=Everywhere(), false={"n": 3})
chapter.ours().relation("my:empty", "", ForAll(beta > 1, beta < 0), c * beta >= 1, c=1, by=LeastAt(beta, 0))
chapter.ours().relation("my:far", "", ForAll(S >= 1000, K**2 >= S), K >= c, c=0, by=LeastAt(K, 0))
"""


def test_a_predicate_that_returns_false_fails_with_its_witness(tmp_path):
    claims = json.loads(run(tmp_path, "check", "--from", "mine.py", "--mutants", "--json", text=NO_FORMULA).stdout)
    found = {entry["id"]: entry for entry in claims["claims"]}
    assert {name: entry["verdict"] for name, entry in found.items()} == {
        "my:fact": "fails", "my:rolls": "fails", "my:typo": "error", "my:two": "holds", "my:empty": "undecided", "my:far": "undecided"
    }  # fmt: skip
    assert (found["my:fact"]["witness"], found["my:rolls"]["witness"]) == ({"n": 3}, {"object": 3})
    assert all(each["as_it_should"] for each in found["my:two"]["variants"].values())
    assert found["my:empty"]["reason"] == "its domain is empty"
    told = r'none of the \d+ points tried lies in its domain: give one, candidates=\[{"S": ..., "K": ...}\]'
    assert re.fullmatch(told, found["my:far"]["reason"])


def test_text_as_evidence_is_the_id_of_an_entry(tmp_path):
    done = run(tmp_path, "show", "my:true", "--from", "mine.py", text=MINE.replace("LeastAt(beta, 0)", "'obviously'"))
    told = " ".join(done.stdout.split())
    assert "no claim is called 'obviously'; " in told
    assert "; evidence that is a text is an id, words are ByHand(...)" in told


def test_mutants_of_a_users_claims_are_tried(tmp_path):
    near = MINE.replace("c=factor,", 'c=factor, nearest="c",').replace(', ("false", 2)', ",")
    done = run(tmp_path, "check", "--from", "mine.py", "--mutants", text=near)
    assert (done.returncode, "variants: 1 false ones refuted, 0 true ones established" in done.stdout) == (0, True)
    (claim,) = json.loads(run(tmp_path, "check", "--from", "mine.py", "--mutants", "--json", text=near).stdout)[
        "claims"
    ]
    assert list(claim["variants"]) == ["c = 1.0005078125"]  # log(1/(1 - x)) = x + x^2/2 + ...: 1 is the largest
    down = near.replace('nearest="c"', 'nearest="c-"')  # smaller ones are true
    done = run(tmp_path, "check", "--from", "mine.py", "--mutants", text=down)
    assert (done.returncode, "no value in this direction is refuted" in done.stdout) == (1, True)


def test_cache_is_read_for_foundations_but_not_for_users_claims(monkeypatch):
    read, mine = [], Chapter()
    monkeypatch.setattr("proofs_checks.claimcheck.ledger.runner.kept", read.append)
    mine.ours().statement(bounded("mine"), by=Argument(Step("", Uses("low")), conclusion=ByHand("clear")))
    (found,) = judged_beside(mine, beside(mine, Registry(steps())), [])
    assert (found["id"], found["depends_on"], read) == ("mine", ["low"], ["low"])


CIRCLE = """
for one, other in (("my:a", "my:b"), ("my:b", "my:a")):
    chapter.ours().relation(one, "", here, beta >= 0, by=[other])
"""


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        (["show", "--from", "mine.py"], MINE, "name one of the claims of mine.py: my:true, my:false"),
        (["show", "--from", "other.py"], MINE, "other.py: there is no such file"),
        (["check", "other.py"], MINE, "other.py: there is no such file"),
        (["check", "mine.py"], "x = 1\n", "mine.py: enters no claim; make a Chapter() and enter one with chapter.ours().relation(...), as claim.py of the README does"),
        (["show", "--from", "mine.py"], MINE.replace("my:{name}", "my {name}"), "'my true' is no id: write letters, digits and"),
        (["show", "--from", "mine.py"], MINE.replace("beta >= 0,", "0 <= beta <= 1,"), "Python cannot chain relations"),
        (["show", "--from", "mine.py"], "x = 1\n", "mine.py: enters no claim"),
        (["show", "--from", "mine.py"], "\n1 / 0\n", "ZeroDivisionError: division by zero ("),
        (["show", "--from", "mine.py"], MINE.replace(" c=factor,", ""), "c is neither a variable of the domain nor a parameter ({}, line 11, in <module>)"),
        (["show", "--from", "mine.py"], MINE.replace("Rational(99, 100)", "0.99"), "my:true: 0.99 is a float; write it exactly, as sympy.Rational(99, 100)"),
        (["show", "my:other", "--from", "mine.py"], MINE, "no claim is called 'my:other'; the nearest are my:true"),
        (["show", "thm:no_OFO", "--from", "mine.py"], MINE, "no claim is called 'thm:no_OFO'; the nearest are thm:no_OFU"),
        (["show", "--from", "mine.py"], MINE.replace(">= c * beta", "== c * beta"), "my:true: a relation is missing or was decided at once: use evaluate=False, and sympy.Eq("),
        (["show", "--from", "mine.py"], MINE.replace("here,", "beta >= 0,"), "my:true: the domain is beta >= 0: write ForAll(beta >= 0) ("),
        (["show", "--from", "mine.py"], f"{MINE}\nForAll(0.5)\nForAll(True)\n", "write a SymPy relation, such as beta >= 0 ({0}, line 13, in <module>); ValueError: a condition"),
        (["show", "--from", "mine.py"], MINE.replace("c=factor", "c=1.5"), 'my:true: c: 1.5 is a float, which is not exact: write Fraction(3, 2), "3/2" or "1.5" ({}, line 11, in <module>)'),
        (["show", "--from", "mine.py"], MINE.replace("beta, 0))", "beta, 0.0))"), "LeastAt: 0.0 is a float; write it exactly, as sympy.Rational(0, 1) ({}, line 11, in <module>)"),
        (["show", "--from", "mine.py"], MINE + "chapter.ours().number('my:n', '', 1.5, float)", "my:n: 1.5 is no text"),
        (["show", "--from", "mine.py"], MINE.replace("my:{name}", "eq:tau"), "eq:tau is the id of an entry of the ledger"),
        (["show", "--from", "mine.py"], MINE.replace("{name}", "same"), "my:same is entered twice"),
        (["check", "--from", "mine.py"], MINE + CIRCLE, "entries rest on each other in a circle: my:a -> my:b -> my:a"),
        (["show", "--from", "mine.py"], MINE + "from proofs_checks.claimcheck.evidence import Cases\nCases({'x <= 2': 1})", ": 1}}: write pairs, Cases((x <= 2, Solver()), (x > 2, Solver()))"),
        (["show"], MINE, "Missing argument 'CLAIM'"),
        (["check", "--from", "mine.py", "--section", "A.1"], MINE, "--from checks the file's claims, all or those named: leave the other choices out"),
    ],
)  # fmt: skip
def test_wrong_claim_files_are_refused_in_one_line(tmp_path, words, text, expected):
    done = run(tmp_path, *words, text=text)
    assert (done.returncode, done.stdout) == (2, "")
    assert expected.format(tmp_path / "mine.py") in done.stderr
    assert done.stderr.count("\n") == 1
