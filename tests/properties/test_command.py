"""``python -m proofs_checks properties`` as a theorist uses it."""

from __future__ import annotations

import json

import pytest

from proofs_checks.properties import FORMULAS, SUITES, replaced
from tests import command_line
from theory import ModelError, read_model

MINE = """
from theory.paper import ucbvi_bonus

def half(S, n, K, t, N, beta):
    print("computing")
    return ucbvi_bonus(S, n, K, t, N, beta) / 2

def broken(S, n, K, t, N, beta):
    return 1 // 0

def rounded(S, n, K, t, N, beta):
    return 0.5
"""


def run(folder, *arguments):
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    return command_line.run("proofs_checks", "properties", *arguments, folder=folder)


def test_half_the_bonus_from_the_change_to_the_model_file(tmp_path):
    done = run(tmp_path, "--replace", "bonus=mine:half", "--out", "found", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert {each["name"]: each["holds"] for each in found["properties"]} == {
        "bonus-is-optimistic": False,
        "defined-from-the-start": True,
        "bonus-within-the-regret-bound": True,
    }
    said, written = sorted((tmp_path / "found").iterdir(), key=lambda path: path.name == "bonus-is-optimistic.json")
    assert json.loads(said.read_text(encoding="utf-8")) == found
    assert written.name == "bonus-is-optimistic.json"
    assert read_model(written).sizes == (1,)
    assert done.stderr == "a formula printed: computing\n"
    again = run(tmp_path, "--replace", "bonus=mine:half", "--out", "found")
    assert (again.returncode, again.stderr) == (
        2,
        "error: found: is there already; give a new or empty folder\n",
    )


def test_a_formula_that_fails_is_reported_with_its_place(tmp_path):
    done = run(tmp_path, "optimism", "--replace", "bonus=mine:broken", "--examples", "5")
    assert done.returncode == 1
    text = " ".join(done.stdout.split())
    assert f"ZeroDivisionError: integer division or modulo by zero ({tmp_path / 'mine.py'}, line 9, in broken)" in text
    text = " ".join(run(tmp_path, "--replace", "bonus=mine:rounded", "--examples", "5").stdout.split())
    assert "0.5 is a float, which is not exact" in text


def test_the_list_names_every_formula_and_property(tmp_path):
    listed = run(tmp_path, "--list").stdout
    for formula in FORMULAS.values():
        assert formula.signature in listed
    for properties in SUITES.values():
        for each in properties:
            assert each.name in listed
    assert set(json.loads(run(tmp_path, "--list", "--json").stdout)["suites"]) == set(SUITES)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["sharpness"], "no suite is called 'sharpness'; the suites are optimism, constants, lower_bound, counterexample"),
        (["--replace", "bonus"], "--replace bonus: write NAME=module:function, or NAME=number; see --list"),
        (["--replace", "bonus=mine:nothing"], "formula 'mine:nothing' cannot be imported: module 'mine' has no attribute 'nothing'"),
        (["--replace", "radius=0.2.1"], "radius: '0.2.1' is not a number"),
        (["--replace", "radius=mine:half"], "radius: 'mine:half' is not a number"),
        (["constants", "--replace", "bonus=mine:half"], "no property of constants is about bonus"),
        (["--replace", "reward=1/2"], "no formula is called 'reward'; the formulas are bonus, deviation"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(tmp_path, arguments, line):
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {line}")
    assert done.stderr.count("\n") == 1


def test_functions_and_numbers_are_told_apart():
    with pytest.raises(ModelError, match=r"bonus: a function bonus\(S, n, K, t, N, beta\) is wanted"):
        replaced(bonus="1/2")
    with pytest.raises(ModelError, match="radius: a number is wanted"):
        replaced(radius=lambda: 1)
