"""The mutation tool on a package of a few lines whose mutants and results are known by hand."""

from __future__ import annotations

import pytest

from tests.mutation.__main__ import Copy, chosen_tests, fate, node, recorded, sample
from tests.mutation.mutants import Mutant, constants, mutants

SOURCE = '''"""Sums."""

LIMIT = 3
SEED = 7  # equivalent: any is as good


def total(values: list[int], first: int | None = None) -> int:
    """Return 1 + 1."""
    if not values:
        raise ValueError(f"{1 + 1} or more values")
    return sum(values[first:]) + LIMIT


def spin(n):
    while n:
        break


def unused():
    return 2
'''
TESTS = """
import pytest
from small.sums import spin, total

@pytest.mark.parametrize("value", [2, 3])
def test_total(value):
    assert total([value]) == value + 3

class TestSpin:
    def test_spin(self):
        spin(1)
"""


def changed(text):
    return {(mutant.before, mutant.after) for mutant in mutants(text, "f.py")}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a + b", {"(a - b)", "(a * b)"}),
        ("a * b * c", {"(a * b / c)", "(a * b + c)", "(a / b) * c", "(a + b) * c"}), ("a - (b)", {"(a + b)"}),
        ("a < b <= c", {"(a <= b <= c)", "(a >= b <= c)", "(a < b < c)", "(a < b > c)"}),
        ("a is not b", {"(a is b)"}), ("a and b or c", {"((a and b) and c)", "(a or b) or c"}),
        ("x = not (a)", {"x = a"}), ("-a", {"a"}), ("max(a, b)", {"min(a, b)"}), ("a.min()", {"a.max()"}),
        ("f(a, b, *c)", {"f(b, a, *c)"}), ("a[b:]", {"a[:]", "a[b + 1:]"}), ("x = 7", {"x = 8", "x = 6"}),
        ("x = True", {"x = False"}), ("x += y", {"x -= y", "x *= y"}), ("a if b else c", {"a if (not b) else c"}),
        ("[a for a in b if a]", {"[a for a in b if (not a)]"}), ("x: int | None = y", set()), ("f'{1 + 1}'", set()),
        ("assert 1 + 1", set()), ("'ä' + b", {"('ä' - b)", "('ä' * b)"}),
        ("(a  # + not this\n+ (b))", {"((a - b))", "((a * b))"}), ("x = 7  # equivalent: as good", set()),
    ],
)  # fmt: skip
def test_mutants_of_a_line_equal_the_expected_set(before, after):
    assert {each for _, each in changed(before)} == after


@pytest.mark.parametrize(
    ("value", "others"), [(2, [3, 1]), (False, [True]), ("6.09", ["6.10", "6.08"]), ("1/2", ["2/2", "0/2"]), ("a", [])]
)
def test_constants_mutate_by_plus_and_minus_one(value, others):
    assert list(constants(value)) == others


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    settings = '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\n'
    for name, text in {"pyproject.toml": settings, "small/sums.py": SOURCE, "tests/test_sums.py": TESTS}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.mark.system  # takes half a minute
def test_mutants_are_caught_or_survive_as_expected(project, tmp_path, monkeypatch):
    pytest.importorskip("coverage")
    monkeypatch.setattr("tests.mutation.__main__.PATIENCE", 20)
    chosen = sample(project, ("small",), 100, 1)
    assert sample(project, ("small",), 3, 1) == chosen[:3]
    copy = Copy.of(project, tmp_path / "copy", False)
    record = recorded(copy, tmp_path / "cache")
    expected = {
        "LIMIT = 4": "caught",
        "return sum(values[:]) + LIMIT": "survived",  # no test gives `first`
        "while (not n):": "survived",
        "continue": "caught",  # it runs into the time limit
        "return 3": "survived",
    }
    assert {each.after: fate(each, copy, record, 30) for each in chosen if each.after in expected} == expected
    assert (copy.folder / "small" / "sums.py").read_text(encoding="utf-8") == SOURCE
    assert recorded(copy, tmp_path / "cache") == record


def test_chosen_tests_are_the_fastest_within_the_time_limit():
    record = {"a.py": {"2": {"slow": 9.0, "fast": 1.0}, "3": {"middle": 4.0}, "0": {"any": 2.0}}}
    mutant = Mutant("a.py", 2, 3, "", "", "")
    assert list(chosen_tests(mutant, record, 20)) == ["fast", "middle", "slow"]
    assert list(chosen_tests(mutant, record, 5)) == ["fast", "middle"]
    assert list(chosen_tests(Mutant("a.py", 7, 7, "", "", ""), record, 20)) == ["any"]
    assert chosen_tests(Mutant("b.py", 2, 2, "", "", ""), record, 20) == {}


def test_node_returns_the_pytest_id_of_a_test(project):
    assert node("tests.test_sums.test_total", project) == "tests/test_sums.py::test_total"
    assert node("tests.test_sums.TestSpin.test_spin", project) == "tests/test_sums.py::TestSpin::test_spin"
