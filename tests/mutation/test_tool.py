"""The tool, on a package of a few lines whose mutants and their fates are known by hand."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from tests.mutation.equivalents import explained, reason, stale
from tests.mutation.mutants import constants, mutants
from tests.mutation.project import Project
from tests.mutation.report import score, show
from tests.mutation.running import Run, allotted

SETTINGS = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
SOURCE = '''"""Sums."""

LIMIT = 3


def total(values: list[int], first: int | None = None) -> int:
    """Return 1 + 1."""
    if not values:
        raise ValueError(f"{1 + 1} or more values")
    return sum(values[first:]) + LIMIT


def spin(n):
    while n:
        n -= 1
'''
LATE = """WIDTH = 7


def wide(n=1):
    return n * WIDTH
"""
TESTS = """
from small.sums import spin, total


def test_total():
    assert total([2]) == 5


def test_spin():
    spin(1)


def test_that_loads_the_file():
    from small.late import wide
    assert wide(0) == 0


def test_that_finds_it_loaded():
    from small.late import wide
    assert wide() == 7
"""
EQUIVALENT = """
[[equivalent]]
file = "small/sums.py"
function = "spin"
before = "while n:"
after = "while not (n):"
why = "it returns nothing"

[[equivalent]]
file = "small/sums.py"
function = "spin"
before = "n -= 1"
after = "n -= 3"
why = "no such mutant"
"""


def changes(text):
    return {
        (mutant.before, mutant.after) for mutant in mutants(text.encode(), "f.py") if mutant.compiles(text.encode())
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a + b", {"(a - b)", "(a * b)"}),
        ("a * b * c", {"(a * b / c)", "(a * b + c)", "(a / b) * c", "(a + b) * c"}),
        ("a - (b)", {"(a + (b))"}),
        ("a < b <= c", {"a <= b <= c", "a >= b <= c", "a < b < c", "a < b > c"}),
        ("a is not b", {"a is b"}),
        ("a not in b", {"a in b"}),
        ("a and b or c", {"(a and b and c)", "(a or b) or c"}),
        ("x = not (a)", {"x = (a)"}),
        ("-a", {"+a"}),
        ("max(a, b)", {"min(a, b)"}),
        ("a.min()", {"a.max()"}),
        ("all(a)", {"any(a)"}),
        ("f(a, b, *c)", {"f(b, a, *c)"}),
        ("a[b:]", {"a[:]", "a[(b) + 1:]"}),
        ("x = 7", {"x = 8", "x = 6"}),
        ("x = True", {"x = False"}),
        ("x += y", {"x -= y", "x *= y"}),
        ("a if b else c", {"a if not (b) else c"}),
        ("x: int | None = y", set()),
        ("f'{1 + 1}'", set()),
        ("'ä' + b", {"('ä' - b)", "('ä' * b)"}),
    ],
)
def test_the_mutants_of_a_line(before, after):
    assert changes(before) == {(before, each) for each in after}


def test_an_operator_on_several_lines_is_found():
    source = b"(a  # + not this\n+ (b))"
    found = [ast.dump(ast.parse(mutant.applied(source))) for mutant in mutants(source, "f.py")]
    assert found == [ast.dump(ast.parse(text)) for text in ("a - b", "a * b")]


@pytest.mark.parametrize(
    ("value", "others"),
    [(2, ["3", "1"]), (False, ["True"]), ("6.09", ["'6.10'", "'6.08'"]), ("1/2", ["'2/2'", "'0/2'"]), ("text", [])],
)
def test_constants_go_one_up_and_down(value, others):
    assert list(constants(value)) == others


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    for name, text in {
        "pyproject.toml": SETTINGS,
        "small/__init__.py": "",
        "small/sums.py": SOURCE,
        "small/late.py": LATE,
        "tests/test_sums.py": TESTS,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return Project(root, ("small",), libraries=("hypothesis",), patience=0.2)


def fates(outcomes):
    return {(each.mutant.function, each.mutant.after): each.outcome for each in outcomes}


def test_mutants_meet_their_fates(project, tmp_path, capsys):
    pytest.importorskip("coverage")
    listed = tmp_path / "equivalent.toml"
    listed.write_text(EQUIVALENT, encoding="utf-8")
    run = Run(project, tmp_path / "cache", listed, seconds=30)
    sample = run.sample(100, 1)
    assert run.sample(3, 1) == sample[:3]
    outcomes = run.tried(sample)
    assert {(each.mutant.function, each.mutant.after): each.outcome for each in outcomes} == {
        ("module", "LIMIT = 4"): "caught",
        ("module", "LIMIT = 2"): "caught",
        ("total", "if values:"): "caught",
        ("total", "return (sum(values[first:]) - LIMIT)"): "caught",
        ("total", "return (sum(values[first:]) * LIMIT)"): "caught",
        ("total", "return None"): "caught",
        ("total", "return sum(values[:]) + LIMIT"): "survived",  # no test gives `first`
        ("total", "return sum(values[(first) + 1:]) + LIMIT"): "caught",
        ("spin", "while not (n):"): "equivalent",
        ("spin", "n += 1"): "caught",  # by the time it takes
        ("spin", "n -= 2"): "caught",
        ("spin", "n -= 0"): "caught",
        ("module", "WIDTH = 8"): "caught",  # by a test that does not execute the line, as another loaded the file
        ("module", "WIDTH = 6"): "caught",
        ("wide", "def wide(n=2):"): "caught",
        ("wide", "def wide(n=0):"): "caught",
        ("wide", "return (n / WIDTH)"): "caught",
        ("wide", "return (n + WIDTH)"): "caught",
        ("wide", "return None"): "caught",
    }
    assert run.stale() == [("small/sums.py", "spin", "n -= 1", "n -= 3", None)]
    assert show(outcomes, run.folder_of, run.stale()) == 1
    assert f"{17 / 18:.1%}" in capsys.readouterr().out
    again = run.sample(100, 1, again=True)
    assert {mutant.after for mutant in again} == {"return sum(values[:]) + LIMIT", "while not (n):"}


def test_a_reason_is_for_all_changes_of_that_text_or_for_one(tmp_path, capsys):
    twice = b"x = 7\nx = 7\nx = 5\n"
    listed, entry = tmp_path / "equivalent.toml", '[[equivalent]]\nfile = "f.py"\nfunction = "module"\n'
    first, second = (entry + f'before = "x = {n}"\nafter = "x = {n + 1}"\nwhy = "it is {n}"\n' for n in (7, 5))
    listed.write_text(f"{first}occurrence = 2\n{second}{first}occurrence = 3\n", encoding="utf-8")
    found, reasons = mutants(twice, "f.py"), explained(listed)
    assert [(mutant.line, reason(reasons, mutant)) for mutant in found if mutant.after in ("x = 8", "x = 6")] == [
        (1, ""),
        (1, ""),
        (2, "it is 7"),
        (2, ""),
        (3, "it is 5"),
    ]
    assert stale(reasons, found) == [("f.py", "module", "x = 7", "x = 8", 3)]
    assert show([], {}, stale(reasons, found)) == 1
    assert "no longer applies: f.py module, occurrence 3\n" in capsys.readouterr().out
    listed.write_text(second + second, encoding="utf-8")
    with pytest.raises(ValueError, match="explained twice"):
        explained(listed)


@pytest.mark.parametrize(
    ("of_rounds", "result"),
    [
        (("undecided", "caught"), "caught"),
        (("undecided", "survived"), "undecided"),
        (("survived", "survived"), "survived"),
        (("survived", "undecided"), "undecided"),
    ],
)
def test_tests_too_long_for_the_time_do_not_keep_shorter_ones_from_their_turn(tmp_path, monkeypatch, of_rounds, result):
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "sums.py").write_text(SOURCE, encoding="utf-8")
    project = Project(tmp_path, ("small",))
    run = Run(project, tmp_path / "cache", tmp_path / "none.toml")
    run.cache.mkdir(parents=True)
    run.records = {project.mode("small/sums.py"): SimpleNamespace(rounds=lambda _: [{"one": 1.0}, {"other": 1.0}])}
    found = iter(of_rounds)
    monkeypatch.setattr(run, "given", lambda *_: {"outcome": next(found), "by": "other", "seconds": 1.0})
    monkeypatch.setattr(run, "stands", lambda *_: True)
    assert run.outcome(None, run.sample(1, 1)[0]).outcome == result


def test_a_sample_is_shared_among_folders():
    assert allotted({"large": 900, "small": 90, "tiny": 10}, 200) == {"large": 150, "small": 40, "tiny": 10}


def test_what_is_undecided_or_equivalent_does_not_count():
    assert score({"caught": 3, "survived": 1, "undecided": 5, "equivalent": 7, "not equivalent": 0}) == "75.0%"
