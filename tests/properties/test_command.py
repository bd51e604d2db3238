"""Output and refusals of ``python -m proofs_checks properties``."""

from __future__ import annotations

import json
from math import log, sqrt

import pytest
from flint import fmpq

from proofs_checks.trials.properties import FORMULAS, SUITES, replaced
from tests import command_line
from tests.examples import number_of
from theory import ModelError, read_model

MINE = """
from flint import arb
from proofs_checks.trials.properties import log, sqrt
from theory.paper import ucbvi_bonus

def half(S, n, K, t, N, beta):
    print("computing")
    return sqrt(log(2 * S * n * K * t) / (2 * max(1, N))) / (1 - beta) / 2

def broken(S, n, K, t, N, beta): return 1 // 0
def rounded(S, n, K, t, N, beta): return 0.5
def silent(S, n, K, t, N, beta): 0
def words(S, n, K, t, N, beta): return "a lot"
def leaving(S, n, K, t, N, beta): raise SystemExit(3)
def endless(S, n, K, t, N, beta): raise KeyboardInterrupt
def pair(S, n, K, t, N, beta): return 1, 2
def at_first(S, n, K, t, N, beta): return arb(t - 1).log() ** 2 + 1000

def by_math(S, n, K, t, N, beta):
    import math
    return math.sqrt(ucbvi_bonus(S, n, K, t, N, beta))
"""


def run(folder, *arguments):
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    return command_line.run("proofs_checks", "properties", *arguments, folder=folder)


def test_properties_command_refutes_half_the_bonus_with_a_model_file(tmp_path):
    (tmp_path / "found").mkdir()
    done = run(tmp_path, "--replace", "bonus=mine:half", "--out", "found", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert {each["name"]: each["holds"] for each in found["properties"]} == {"bonus-is-optimistic": False,
        "defined-from-the-start": True, "bonus-within-the-regret-bound": True}  # fmt: skip
    report, written = sorted((tmp_path / "found").iterdir(), key=lambda path: path.name == "bonus-is-optimistic.json")
    assert json.loads(report.read_text(encoding="utf-8")) == found
    assert written.name == "bonus-is-optimistic.json"
    assert read_model(written).sizes == (1,)
    assert done.stderr == "a formula printed: computing\n"
    whole = run(tmp_path, "counterexample", "--out", "found")  # in place of what was written before
    assert whole.returncode == 0
    assert [path.name for path in (tmp_path / "found").iterdir()] == ["properties.json"]
    again = run(tmp_path, "--replace", "bonus=mine:half", "--out", ".")
    assert (again.returncode, again.stderr) == (2, "error: .: exists already; give a new or empty folder\n")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("broken", "raised ZeroDivisionError: integer division or modulo by zero ({}, line 10, in broken)"),
        ("rounded", "returned the float 0.5: write fractions as flint.fmpq(1, 2), and take sqrt, log and exp from proofs_checks.trials.properties, not from math ({}, line 11, rounded)"),
        ("silent", "returned nothing: is a return missing? ({}, line 12, silent)"),
        ("by_math", "returned the float"),
        ("leaving", "raised SystemExit: 3"),
        ("endless", "interrupted within bonus(S=1, n=1, K=2, t=1, N=0, beta=0) ({}, line 15, in endless)"),
        ("pair", "returned (1, 2): one number is wanted ({}, line 16, pair)"),
        ("words", "returned 'a lot': 'a lot' is not a number"),
    ],
)  # fmt: skip
def test_error_in_a_users_formula_is_reported_and_refutes_nothing(tmp_path, formula, expected):
    done = run(tmp_path, "optimism", "--replace", f"bonus=mine:{formula}", "--examples", "20")
    assert done.returncode == (130 if formula == "endless" else 2)
    assert "BROKEN" not in done.stdout
    assert "bonus(S=1, n=1, K=2, t=1, N=0, beta=" in done.stderr.removeprefix("error: ")
    assert expected.format(tmp_path / "mine.py") in done.stderr
    assert done.stderr.count("\n") == 1


def test_formula_without_a_finite_value_is_refuted(tmp_path):
    done = run(tmp_path, "--replace", "bonus=mine:at_first", "--json")
    found = {each["name"]: each["counterexample"] for each in json.loads(done.stdout)["properties"]}
    assert done.returncode == 1
    assert found["defined-from-the-start"]["text"] == "bonus(S=1, n=1, K=2, t=1, N=0, beta=0) is not a finite number."


def test_list_option_names_every_formula_and_property(tmp_path):
    listed = run(tmp_path, "--list").stdout
    for formula in FORMULAS.values():
        assert formula.signature in listed
    for properties in SUITES.values():
        for each in properties:
            assert each.name in listed
            assert each.formulas
            assert set(each.formulas) <= set(FORMULAS)
    assert "S, n, K, t, N: int; beta, alpha: flint.fmpq" in listed
    content = json.loads(run(tmp_path, "--list", "--json").stdout)
    assert set(content["suites"]) == set(SUITES)
    assert {each for formula in FORMULAS.values() for each in formula.arguments} == set(content["arguments"])


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
def test_wrong_arguments_are_refused_in_one_line(tmp_path, arguments, line):
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {line}")
    assert done.stderr.count("\n") == 1


def test_formulas_match_the_papers_formulas_in_floats():
    at = {"S": 2, "n": 3, "K": 5, "t": 7, "N": 4, "beta": fmpq(1, 2), "alpha": fmpq(2)}
    reward, row = sqrt(log(2 * 2 * 3 * 5 * 7) / 8), sqrt(2 * log(2 * 3 * 5 * 2**2 * 7) / 4)
    typed = {"bonus": 2 * reward, "deviation": 2 * reward, "reward_radius": reward, "reward_deviation": reward,
        "row_radius": row, "row_deviation": row}  # fmt: skip
    typed |= {"failure": 1 / 210, "moment": (2 * (log(5) + sqrt(2))) ** 2, "lower_bound": sqrt(60) / 60}
    typed |= {"sum_horizon": 1, "sum_root": 2, "frozen": 1, "reward_b": 3.21, "radius": 0.2, "discount": 0.5}
    assert set(FORMULAS) - set(typed) == {"upper_bound", "sharper_lower"}  # ours
    for name, value in typed.items():
        found = replaced().ball(name, **{each: at[each] for each in FORMULAS[name].arguments})
        assert float(found.mid()) == pytest.approx(value, rel=1e-12)
        assert found.rel_accuracy_bits() > 100


@pytest.mark.parametrize("which", [pytest.param(each, id=f"{name}-{each}") for name in SUITES for each in SUITES[name]])
def test_printed_formulas_satisfy_every_property(which):
    which.check(examples=number_of(25))


def test_replaced_refuses_a_number_for_a_function_and_vice_versa():
    with pytest.raises(ModelError, match=r"bonus: a function bonus\(S, n, K, t, N, beta\) is wanted"):
        replaced(bonus="1/2")
    with pytest.raises(ModelError, match="radius: a number is wanted"):
        replaced(radius=lambda: 1)
