"""`mbrl compare`: a user's indices against the exact ones, by largest error and changed orders."""

import json

import pytest

from tests.mbrl.command_line import mbrl, refused
from theory import bandit_from_table, model_text, paper_model

RIGHT = {"A1": "42/13", "A2": "4", "A3": "0", "B1": "3.21", "B2": "0", "B3": "3.21"}
"""Of M1 at discount 1/2: A1 pays 3, and goes to A2, which pays 4, with probability 3/5: (3 + .3 * 4) / (1 + .3)."""


def written(folder, given):
    (folder / "m1.json").write_text(model_text(paper_model("counterexample-m1")))
    lines = [f"{'AB'.index(name[0]) + 1},{name},{index}" for name, index in given.items()]
    (folder / "mine.csv").write_text("\n".join(["arm,state,index", *lines]))
    return "compare", folder / "m1.json", folder / "mine.csv"


@pytest.mark.parametrize(
    ("changes", "error", "state", "orders"),
    [
        ({}, "0", "A1", []),
        ({"A2": "4.5", "B2": "-1e-3"}, "1/2", "A2", []),
        ({"A1": "3.205"}, "67/2600", "A1", [{"before": "B3", "after": "A1"}]),
        ({"A1": "3.21"}, "27/1300", "A1", [{"before": "B3", "after": "A1"}]),  # no tie of exact indices
        ({"B1": "3.3", "B3": "3.3"}, "9/100", "B1", [{"before": "B3", "after": "A1"}]),
    ],
)
def test_compare_reports_largest_error_and_changed_orders(changes, error, state, orders, tmp_path):
    done = mbrl(*written(tmp_path, RIGHT | changes), "--json", check=False)
    assert done.returncode == (1 if orders else 0)
    report = json.loads(done.stdout)
    assert (report["largest_error"], report["state"], report["changed_orders"]) == (error, state, orders)
    assert (report["value_lost"] == "0") == (not orders or changes == {"A1": "3.21"})  # ties play the first arm


def test_compare_accepts_arm_names_of_the_log(tmp_path):
    log = {"arm": ["lathe-00", "lathe-01"], "from": ["good", "good"], "to": ["good", "good"], "reward": [3, 2]}
    (tmp_path / "lathes.json").write_text(model_text(bandit_from_table(log, "1/2").bandit))
    (tmp_path / "mine.csv").write_text("Arm,State,Index\nlathe-01,good,2\nlathe-00,good,3\n")
    done = mbrl("compare", tmp_path / "lathes.json", tmp_path / "mine.csv")
    assert done.stdout.splitlines() == ["No difference.", "No order changes."]
    for word in ("arm", "kind"):
        (tmp_path / "mine.csv").write_text(f"{word},state,index\nlathe,good,2\n")
        why = refused("compare", tmp_path / "lathes.json", tmp_path / "mine.csv")
        assert why.endswith("; give a row for each arm (not kind) and state, in columns arm and state\n")


def test_compare_prints_error_changed_order_and_lost_value(tmp_path):
    done = mbrl(*written(tmp_path, RIGHT | {"A1": "3.205"}), check=False)
    assert " ".join(done.stdout.split()) == (
        "Largest error 0.0257692: arm 1, state A1 before in yours your index exact after your index exact "
        "B3 3.21 3.21 A1 3.205 3.230769231 Value lost where play starts: 0.03375"
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (RIGHT | {"A1": "nan"}, "row 2: arm 1, state A1: index 'nan' is not a number"),
        ({"A1": "1"}, "no index of arm 1, state A2; arm 1, state A3; arm 2, state B1; ..."),
        (RIGHT | {"B9": "1"}, "row 8: no state 'B9' of arm '2' in the model; its states are A1, A2, A3, B1, ..."),
    ],
)
def test_compare_refuses_wrong_index_files(given, words, tmp_path):
    assert words in refused(*written(tmp_path, given))
