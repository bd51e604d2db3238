"""The command line as a person meets it: exit code, stdout and stderr."""

from __future__ import annotations

import json
from fractions import Fraction
from io import StringIO

import pytest
from rich.console import Console

from tests import command_line
from theory import PAPER_MODELS, Arm, Bandit, gittins_value, model_text, paper_model, parse_model
from theory.console import table


def run(*arguments, stdin=""):
    return command_line.run("theory", *arguments, stdin=stdin)


def output(*arguments, stdin=""):
    done = run(*arguments, "--json", stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def refused(*arguments, stdin=""):
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("error: ").strip()


@pytest.mark.parametrize("name", PAPER_MODELS)
def test_an_example_is_a_model_file_that_reads_back(name):
    assert parse_model(run("example", name).stdout) == paper_model(name)


def test_indices_of_the_table():
    found = output("indices", "random-walk")
    assert found["method"] == "elimination"
    assert found["arms"][0] == {
        "states": ["a1s1", "a1s2", "a1s3", "a1s4"],
        "indices": ["43675147/158394605", "39204/135433", "198/505", "1"],
        "decimals": ["0.2757363295", "0.2894715468", "0.3920792079", "1"],
    }
    assert output("indices", "random-walk", "--method", "restart")["arms"] == found["arms"]


def test_the_value_of_a_priority_policy():
    found = output("value", "counterexample-m2", "--priority", "A2,A1,B1,B3,A3,B2", "--initial", "A1,B1")
    assert (found["value"], found["priority"][:2]) == ("41117/6900", ["A2", "A1"])
    assert sum(map(Fraction, found["visits"].values())) == 2
    by_system = output("value", "counterexample-m2", "--priority", "A2,A1,B1,B3,A3,B2", "--method", "linear-system")
    assert by_system["value"] == found["value"]


def test_the_table_of_a_value_has_the_indices_and_that_of_optimism_the_rewards():
    indices = dict(
        zip(("a1s1", "a1s2", "a1s3", "a1s4"), output("indices", "random-walk")["arms"][0]["indices"], strict=True)
    )
    assert indices.items() <= output("value", "random-walk")["indices"].items()
    row = next(line.split() for line in run("value", "random-walk").stdout.splitlines() if "a1s3" in line.split())
    assert row[1:4] == ["a1s3", "0", "0.3920792079"]
    rewards = output("optimism", "counterexample")["rewards"]
    assert (rewards["A2"], rewards["B1"]) == ("4", "321/100")
    assert ["B1", "3.21"] in [line.split()[:2] for line in run("optimism", "counterexample").stdout.splitlines()]


def test_rows_that_cannot_be_shared_are_shown_by_global_state():
    # in A1, arm a should go to A3 while arm b is about to pay (B2), and stay where it is otherwise
    third = ["1/3"] * 3
    rows = [[0, 0, 1], third, [0, 1, 0]]
    arm_a = Arm(rewards=[1, 0, 2], transitions=rows, states=["A1", "A2", "A3"], transition_radius=[2, 0, 0])
    arm_b = Arm(rewards=[0, 1], transitions=[[0, 1], [1, 0]], states=["B1", "B2"])
    done = run("optimism", "-", stdin=model_text(Bandit([arm_a, arm_b], "4/5", ["A1", "B2"])))
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "not attained in the confidence set: A1 needs more than one row" in lines
    assert {"global state plays reward row", "A1, B2 A1 1 0, 0, 1", "A1, B1 A1 1 1, 0, 0"} <= {*lines}


def test_a_radius_of_the_reward_is_in_the_reward():
    model = changed(["arms", 0, "reward_radius"], ["1/4", 0])
    assert output("optimism", "-", stdin=model)["rewards"] == {"x": "5/4", "y": "0"}


def test_indices_that_differ_late_are_told_apart():
    arm = {"rewards": ["0.5", "0.500000000000000001", "1/2"], "transitions": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    model = json.dumps({"discount": 0, "arms": [arm]})
    assert output("indices", "-", stdin=model)["arms"][0]["decimals"] == ["0.5", "0.500000000000000001", "0.5"]
    assert "0.500000000000000001 " in run("indices", "-", stdin=model).stdout


def test_names_are_printed_as_they_are():
    model = changed(["arms", 0, "states"], ["[bold]x", "ŷ"]).replace('"initial": ["x"]', '"initial": [0]')
    for command in (["indices"], ["value"], ["optimism"], ["parametric"]):
        assert "[bold]x" in run(*command, "-", stdin=model).stdout


def test_the_optimal_value_of_task_scheduling():
    found = output("value", "task-scheduling")
    assert found["value"] == str(gittins_value(paper_model("task-scheduling")).value)
    assert found["decimal"].startswith("8.40343")


def test_initial_states_by_name_and_by_index_are_the_same():
    by_name = output("value", "counterexample-m1", "--initial", "A1,B3")
    assert by_name == output("value", "counterexample-m1", "--initial", "0,2")


def test_optimism_with_and_without_a_policy():
    found = output("optimism", "counterexample")
    assert (found["value"], found["attained_in_set"]) == ("49167/7600", True)
    assert found["transitions"]["A2"] == ["0", "1/10", "9/10"]
    of_policy = output("optimism", "counterexample", "--priority", "A2,B1,B3,A1,A3,B2")
    assert (of_policy["value"], of_policy["attained_in_set"]) == ("321/50", True)


def test_export_writes_a_prism_model():
    text = run("export", "counterexample-m1", "--format", "prism").stdout
    assert text.count("[play1]") == 6  # three transitions and three rewards
    assert output("export", "counterexample-m1")["model"] == text


def test_a_model_from_standard_input():
    text = model_text(paper_model("counterexample-m1"))
    assert output("value", "-", stdin=text)["value"] == "5163/800"


@pytest.mark.parametrize("command", [["indices"], ["value"], ["optimism"]])
def test_without_json_there_is_a_readable_table(command):
    done = run(*command, "counterexample-m1")
    assert done.returncode == 0
    assert "A1" in done.stdout
    assert "\x1b" not in done.stdout  # no colours in a pipe


MODEL = {"discount": "1/2", "arms": [{"states": ["x", "y"], "rewards": ["1", "0"],
         "transitions": [["1/2", "1/2"], ["0", "1"]]}], "initial": ["x"]}  # fmt: skip


def changed(path, value):
    model = json.loads(json.dumps(MODEL))
    target = model
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return json.dumps(model)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed(["arms", 0, "transitions", 0, 1], "3/5"), "arm 1, state x: row sums to 11/10, not 1"),
        (changed(["arms", 0, "transitions", 0], ["3/2", "-1/2"]), "arm 1, state x: row has the negative probability -1/2"),
        (changed(["discount"], 1), "discount: 1 is outside 0 <= discount < 1"),
        (changed(["arms", 0, "rewards", 1], "a lot"), "arm 1, state y: reward 'a lot' is not a number: write an integer, a fraction such as 321/100, or a decimal"),
        (changed(["gamma"], 1), "the model: unknown key 'gamma'; the keys are discount, arms, initial"),
        ("{", "not JSON: Expecting property name enclosed in double quotes at line 1, column 2"),
    ],
)  # fmt: skip
def test_a_bad_model_is_refused_in_one_located_line(text, message):
    assert refused("value", "-", stdin=text) == message


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["value", "counterexample", "--priority", "A1,A2,Z9,B1,B2,B3"], "no state is called 'Z9'"),
        (["value", "counterexample", "--priority", "A1,A2"], "priority: incomplete, 4 of 6 states missing: A3, B1"),
        (["value", "counterexample", "--initial", "A1"], "initial: 1 states given for 2 arms"),
        (["value", "counterexample", "--policy", "greedy"], "no policy is called 'greedy'"),
        (["value", "counterexample", "--policy", "gittins", "--priority", "A1"], "not both"),
        (["value", "counterexample", "--method", "guess"], "no value method is called 'guess'"),
        (["value", "no-such-file.json"], "no-such-file.json: there is no such file"),
        (["value", "task-scheduling", "--method", "linear-system"], "for a priority policy use the conservation laws"),
        (["optimism", "task-scheduling"], "extended value iteration needs the product"),
        (["example", "fig7"], "no model is called 'fig7'"),
        (["indices", "counterexample", "--method", "guess"], "no index method is called 'guess'"),
        (["export", "counterexample", "--format", "xml"], "no format is called 'xml'"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["value"], "Missing argument 'MODEL'"),
        (["value", "counterexample", "--jason"], "No such option"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, part):
    assert part in refused(*arguments)


def test_a_model_without_a_start_is_told_how_to_give_one():
    arms = [{"rewards": [1], "transitions": [[1]], "states": [name]} for name in "wxyz"]
    model = {"arms": arms, "discount": "1/2"}
    assert refused("value", "-", stdin=json.dumps(model)).endswith("one state per arm, as in --initial w,x,y,...")
    model["arms"] = arms[:3]
    assert refused("value", "-", stdin=json.dumps(model)).endswith("one state per arm, as in --initial w,x,y")


def test_a_folder_and_a_file_that_is_no_text_are_refused(tmp_path):
    assert "cannot be read" in refused("value", tmp_path)
    binary = tmp_path / "model.json"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8 text" in refused("value", binary)


def test_too_little_memory_is_one_line(monkeypatch):
    def exhausted(*_, **__):
        raise MemoryError

    monkeypatch.setattr("theory.commands.app.gittins_indices", exhausted)
    done = run("indices", "random-walk")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: out of memory\n")


@pytest.mark.parametrize("width", [24, 38, 39, 40, 43, 60, 80, 120])
def test_no_terminal_breaks_a_number(width):
    rows = table("state", "discounted visits", "exactly", title="visits")
    rows.add_row("a1s1", "0.2757363295", "43675147/158394605")
    rows.add_row("a1s2", "0.2894715468", "39204/135433")
    with StringIO() as stream:
        Console(file=stream, width=width).print(rows)
        printed = stream.getvalue()
    assert {"visits", "a1s1", "0.2757363295", "43675147/158394605", "a1s2", "39204/135433"} <= set(printed.split())
    assert max(map(len, printed.splitlines())) <= width
    assert ("exactly: " in printed) == (width < 39)
