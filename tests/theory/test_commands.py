"""The commands of theory: exit codes, stdout and stderr."""

from __future__ import annotations

import json
import re
import sys
from itertools import product
from math import log

import mpmath
import pytest

from tests import command_line
from theory import (
    PAPER_MODELS,
    ModelError,
    index_certificate,
    model_content,
    model_text,
    paper_model,
    parse_model,
    rational,
    value_certificate,
)
from theory.commands.app import theory
from theory.paper import sharper_bound, theorem_side


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
def test_example_command_prints_the_model_file(name):
    assert run("example", name).stdout == model_text(paper_model(name))
    assert output("example", name) == model_content(paper_model(name)) == json.loads(model_text(paper_model(name)))


def test_file_named_like_a_paper_model_is_read(tmp_path, monkeypatch):
    (tmp_path / "random-walk").write_text(two_arm_model())
    monkeypatch.chdir(tmp_path)
    assert output("value", "random-walk")["value"] == "4/3"


def test_closed_standard_input_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ModelError, match="standard input is closed; give the name of a model file"):
        theory.main(["indices", "-"], standalone_mode=False)


def test_initial_option_prefers_names_to_indices():
    model = two_arm_model(states=["1", "0"]).replace('"waits"', '"1"')
    assert output("value", "-", "--initial", "1,known", stdin=model)["initial"] == ["1", "known"]


def test_certificate_never_overwrites_the_model_file(tmp_path):
    model, certificate = tmp_path / "model.json", tmp_path / "certificate.json"
    model.write_text(two_arm_model())
    for command, certify in (("indices", index_certificate), ("value", value_certificate)):
        line = f"{model}: is the model file itself; give another file for the certificate"
        assert refused(command, model, "--certificate", model) == line
        assert model.read_text() == two_arm_model()
        certificate.write_text("of an earlier time")
        assert run(command, model, "--certificate", certificate).returncode == 0
        assert certificate.read_text() == json.dumps(certify(parse_model(two_arm_model())), indent=1) + "\n"


def test_value_certificate_of_too_many_states_is_refused_before_any_output(tmp_path):
    assert refused("value", "task-scheduling", "--certificate", tmp_path / "certificate.json").endswith(
        "a certificate of a value needs at most 2048 global states; indices --certificate has no such limit"
    )
    # the first model has 80 states; a certificate fills all arms up to the size of the largest
    for sizes, told in (
        ((20, 2, 2), "has 8000 global states (20 * 20 * 20)"),
        ((20, 2, 2, 20, 2), "has 3200 global states (20 * 2 * 2 * 20 * 2)"),
    ):
        arms = [{"rewards": [1] * size, "transitions": [[1] + [0] * (size - 1)] * size} for size in sizes]
        model = json.dumps({"discount": 0, "arms": arms})
        assert told in refused("value", "-", "--certificate", tmp_path / "new.json", stdin=model)
    assert list(tmp_path.iterdir()) == []
    assert "at most 2048 global states" in " ".join(run("value", "--help").stdout.split())


def test_priority_option_refuses_folders_and_standard_input(tmp_path):
    told = f"{tmp_path}: cannot be read (Is a directory)"
    assert refused("value", "counterexample-m2", "--priority", tmp_path) == told
    assert refused("value", "counterexample-m2", "--priority", "-").startswith(
        "--priority: give states or the name of a"
    )


def test_disagreeing_value_methods_raise_assertion_error(monkeypatch):
    monkeypatch.setattr("theory.commands.app.policy_value", lambda *_: {(0, 0): 1})
    with pytest.raises(AssertionError, match="the linear system gives 1, the conservation laws 4/3"):
        run("value", "-", "--method", "linear-system", stdin=two_arm_model())


def test_indices_print_enough_digits_to_differ():
    arm = {"rewards": ["0.5", "0.500000000000000001", "1/2"], "transitions": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    model = json.dumps({"discount": 0, "arms": [arm]})
    assert output("indices", "-", stdin=model)["arms"][0]["decimals"] == ["0.5", "0.500000000000000001", "0.5"]
    assert "0.500000000000000001 " in run("indices", "-", stdin=model).stdout
    few = output("indices", "-", "--digits", "3", stdin=two_arm_model())
    assert few["arms"][0]["decimals"] == ["0.571", "1"]


@pytest.mark.parametrize(
    ("command", "discount"), [*product(("indices", "value", "optimism"), ("4/7", "exp(-1/2)")), ("parametric", "4/7")]
)
def test_state_names_are_printed_without_markup(command, discount):
    text, names = two_arm_model().replace("4/7", discount), ("[bold]ŷ", "(bold)ŷ")
    marked, plain = (printed(command, stdin=text.replace("waits", n).replace("known", f"{n}y")) for n in names)
    assert sum("[bold]" in line for line in marked) >= 2
    assert [line.replace("[bold]", "(bold)") for line in marked] == plain


def two_arm_model(**changes):
    """A first arm that pays 1 for ever after one step, and a second that pays 1/3 for ever; the discount is 4/7."""
    pays_later = {"states": ["waits", "pays"], "rewards": [0, 1], "transitions": [[0, 1], [0, 1]]} | changes
    known = {"states": ["known"], "rewards": ["1/3"], "transitions": [[1]]}
    return json.dumps({"discount": "4/7", "arms": [pays_later, known], "initial": ["waits", "known"]})


def machines(**rewards):
    """Arms of one state each, with these rewards; the discount is 1/2."""
    arms = [{"name": a, "states": [f"{a} up"], "rewards": [r], "transitions": [[1]]} for a, r in rewards.items()]
    return json.dumps({"discount": "1/2", "arms": arms, "initial": [0] * len(arms)})


def printed(*arguments, stdin):
    done = run(*arguments, "-", stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return [line.rstrip() for line in done.stdout.splitlines()]


def test_now_needs_initial_states_and_csv_and_now_exclude_json():
    told = "--now needs 'initial' in the model, one state per arm, and no --json; else leave it out"
    placeless = two_arm_model().replace(', "initial": ["waits", "known"]', "")
    assert refused("indices", "-", "--now", stdin=placeless) == told
    for option, error in (("--now", told), ("--csv", "give --csv or --json, not both")):
        assert json.loads(run("indices", "-", option, "--json", stdin=two_arm_model()).stdout) == {"error": error}


def test_value_takes_the_gittins_policy_by_name_and_blanks_in_an_order():
    assert printed("value", "--policy", "gittins", stdin=two_arm_model()) == printed("value", stdin=two_arm_model())
    by_order = [
        printed("value", "--priority", f"known,{blank}waits,pays", stdin=two_arm_model()) for blank in ("", " ")
    ]
    assert by_order[0] == by_order[1]


def test_bounds_are_those_of_the_formulas_and_name_their_learners():
    S, n, K, B, beta = 4, 3, 3000, 100, "99/100"
    levels, sizes = log(5 * S * n * (60 * B + 1) * K * (K * B + 1)), 3 + log(1 + K / (S * n))
    root = B * (S * n * K * levels) ** 0.5
    minimax = 4 * root * sizes**0.5 + 3.5 * root + 39 * S * n * B**2 * levels * (S * log(2) + levels) * sizes
    expected = {
        ("any learner", "at most"): [K * B],
        ("MB-PSRL", "at most"): [theorem_side(S, n, K, beta) * 5 / 2],
        ("MB-UCRL2", "at most"): [theorem_side(S, n, K, beta) * 21 / 10],
        ("MB-UCBVI", "at most"): [theorem_side(S, n, K, beta, order=2) * 3, sharper_bound(S, n, K, beta)],
        ("mb-minimax", "at most"): [minimax],
        ("any learner", "at least"): [(S * n * K * B) ** 0.5 / 60, B * ((S - 1) * n * K) ** 0.5 / 36],
    }
    found = {}
    for each in output("bounds", "random-walk", "--episodes", "3000")["bounds"]:
        found.setdefault((each["learner"], each["regret"]), []).append(float(each["bound"]))
    assert {key: pytest.approx(list(map(float, values)), rel=1e-9) for key, values in expected.items()} == found
    assert "MB-UCBVI" in run("bounds", "random-walk", "--episodes", "3000").stdout


def test_bounds_show_where_they_fall_below_what_no_learner_exceeds():
    sizes = ["bounds", "--sizes", "4,3", "--discount", "0.99", "--episodes", "3000"]
    psrl, ucrl2, ucbvi, sharper, minimax = (each["falls_below_at"] for each in output(*sizes)["bounds"][1:6])
    assert sharper == 484255154969  # beyond:upper/informative of the ledger
    assert minimax == 5200238648  # beyond:minimax/informative-100
    with mpmath.workdps(50):
        for constant, order, K in [(5, 1, psrl), (mpmath.mpf(42) / 10, 1, ucrl2), (6, 2, ucbvi)]:
            for episodes in (K - 1, K):
                z = 100 * mpmath.log(episodes)
                y = mpmath.log(12 * episodes * z)
                factor = 2 + y if order == 1 else 2 * y * 100
                side = constant / 2 * factor * (12 * z**2 + mpmath.sqrt(12 * episodes) * z**1.5)
                assert (side < 100 * episodes) == (episodes == K)


@pytest.mark.parametrize("K", [12407240, 12407241])
def test_printed_minimax_bound_is_below_2K_exactly_where_falls_below_at_says(K):
    any_learner, *_, minimax, _, _ = output(
        "bounds", "--sizes", "2,2", "--discount", "1/2", "--episodes", str(K), "--digits", "12"
    )["bounds"]
    assert any_learner["bound"] == str(2 * K)
    assert minimax["falls_below_at"] == 12407241
    assert (rational(minimax["bound"]) < 2 * K) == (K == 12407241)
    assert len(minimax["bound"]) == 13


def test_bounds_of_huge_sizes_fall_below_nowhere_near():
    content = output("bounds", "--sizes", "1e5000,2", "--discount", "1/2", "--episodes", "9")
    assert content["states_per_arm"] == 10**5000
    assert {each.get("falls_below_at") for each in content["bounds"]} == {None}


def test_bounds_for_one_arm_have_no_lower_bound():
    one_arm = ["bounds", "--sizes", "3,1", "--discount", "1/2", "--episodes", "100"]
    assert [each["bound"] for each in output(*one_arm)["bounds"][-2:]] == [None, None]
    assert re.findall("at least +none +(.*?), some prior; needs", run(*one_arm).stdout) == ["Theorem 2", "ours"]


@pytest.mark.parametrize(("words", "message"), [
    ("--sizes 10 --discount 1/2 --episodes 9", "--sizes: '10' is not of the form 10,50, states per arm and arms"),
    ("--sizes 10,a --discount 1/2 --episodes 9", "--sizes: '10,a' is not of the form"),
    ("--sizes 10,1/2 --discount 1/2 --episodes 9", "--sizes: '10,1/2' is not of the form"),
    ("--sizes 10,0 --discount 1/2 --episodes 9", "n: 0 is not an integer of at least 1"),
    ("random-walk --sizes 4,3 --discount 1/2 --episodes 9", "give MODEL, or"),
    ("counterexample --episodes 9", "A1: its reward 3 is not from 0 to 1, as the bounds need"),
    ("random-walk --episodes 1", "--episodes"),
])  # fmt: skip
def test_bounds_refuse_wrong_sizes_and_what_the_theorems_do_not_cover(words, message):
    assert message in refused("bounds", *words.split())


@pytest.mark.parametrize(("length", "expected"), [(48, "5" * 48), (49, f"{'5' * 22}...{'5' * 22}")])
def test_exact_numbers_beyond_48_characters_are_abbreviated(length, expected):
    arm = {"rewards": ["5" * length], "transitions": [[1]]}
    text = json.dumps({"discount": 0, "arms": [arm], "initial": [0]})
    assert printed("indices", stdin=text)[-1].split()[-1] == expected


@pytest.mark.parametrize(("states", "example"), [("wxyz", "w,x,y,..."), ("wxy", "w,x,y")])
def test_missing_initial_state_error_suggests_the_option(states, example):
    arms = [{"rewards": [1], "transitions": [[1]], "states": [name]} for name in states]
    told = refused("value", "-", stdin=json.dumps({"arms": arms, "discount": "1/2"}))
    assert told.endswith(f"one state per arm, as in --initial {example}")
