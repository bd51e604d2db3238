from __future__ import annotations

import json
import os
from dataclasses import replace
from errno import EISDIR, ENAMETOOLONG
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given

from proofs_checks.trials.strategies import bandits
from tests.refusals import refusal
from theory import Arm, Bandit, ModelError, RewardLaw, model_text, paper_model, parse_model, read_model
from theory.errors import shortened, shown


def two_states(**changes):
    fields = {"rewards": [1, "1/2"], "transitions": [["1/2", "1/2"], [0, 1]]} | changes
    return Arm(**fields)


def bandit_of(**changes):
    return Bandit(**({"arms": [two_states(), two_states()], "discount": "1/2"} | changes))


def from_floats(**changes):
    fields = {"rewards": [0.5, 1.0], "transitions": [[0.5, 0.5], [0.0, 1.0]], "states": ["x", "y"]} | changes
    return Arm.from_floats(**fields)


def named(row):
    return Arm(**NAMED, transitions=[row, [1, 0, 0], [1, 0, 0]])


NAMED = {"rewards": [1, "1/2", 0], "states": ["x", "y", "z"]}
LAWS = [RewardLaw.constant(1), RewardLaw.constant("1/2")]
ONE = Bandit([two_states()], 0)
LIKE = Bandit([two_states(states=["up", "down"])] * 2, 0)


@pytest.mark.parametrize(
    ("make", "changes", "message"),
    [
        (two_states, {"transitions": [["1/2", "1/2"], [1]]}, "state 2: 1 transition probabilities for 2 states"),
        (two_states, {"rewards": []}, "an arm needs at least one state"),
        (two_states, {"states": ["x"]}, "2 rewards but 1 state names: give one name per state"),
        (two_states, {"transition_radius": [1]}, "1 values of transition radius for 2 states"),
        (two_states, {"reward_radius": [0, "-1/5"], "states": ["x", "y"]}, "state y: reward radius -1/5 is negative"),
        (bandit_of, {"discount": "-1/2"}, "discount: -1/2 is outside 0 <= discount < 1"),
        (bandit_of, {"arms": [two_states(states=["x", "y"]), two_states(states=["z", "1:x"])]}, "arm 2, state 1:x: state x of arm 1 has this name, too; rename one of them"),
        (bandit_of, {"arms": [two_states(name="pump")] * 2}, "2 arms have the name pump; rename all but one"),
        (LIKE.arm_state, {"name": "up"}, "2 arms have a state called up; say which one is meant: 1:up, 2:up"),
        (LIKE.start, {"initial": ["up", "1:up"]}, "initial, arm 2: 1:up is a state of arm 1"),
        (two_states, {"transitions": 5}, "transitions: 5 is no list; give one row per state, such as [['1/2', '1/2'], [0, 1]]"),
        (two_states, {"reward_radius": 5}, "reward radius: 5 is no list; give one number per state"),
        (two_states, {"transition_radius": 5}, "transition radius: 5 is no list; give one number per state"),
        (two_states, {"reward_laws": 5}, "reward laws: 5 is no list; give one law per state"),
        (bandit_of, {"arms": 5}, "arms: 5 is no list; give a list of arms, such as [arm]"),
        (ONE.name, {"state": 5}, "name: 5 is no state: give names or (arm, state) pairs from 0"),
        (ONE.name, {"state": (-1, 0)}, "name: (-1, 0) is not an (arm, state) pair of this bandit"),
        (ONE.name, {"state": (1, 0)}, "name: (1, 0) is not an (arm, state) pair of this bandit"),
        (ONE.priority, {"states": [(0, -1)]}, "priority: (0, -1) is not an (arm, state) pair of this bandit"),
        (ONE.priority, {"states": [(0, 2)]}, "priority: (0, 2) is not an (arm, state) pair of this bandit"),
        (ONE.start, {"initial": [-1]}, "initial, arm 1: index -1 is outside 0..1"),
        (ONE.start, {"initial": [2]}, "initial, arm 1: index 2 is outside 0..1"),
        (ONE.start, {"initial": [1.0]}, "initial, arm 1: 1.0 is neither a state's name nor an index from 0"),
        (ONE.start, {"initial": [True]}, "initial, arm 1: True is neither a state's name nor an index from 0"),
        (two_states, {"reward_laws": LAWS[:1]}, "1 reward laws for 2 states"),
        (two_states, {"reward_laws": LAWS[::-1]}, "state 1: the law of the reward has mean 1/2, but the reward is 1"),
        (two_states, {"reward_laws": LAWS[:1] * 2}, "state 2: the law of the reward has mean 1, but the reward is 1/2"),
        (two_states, {"rewards": {1, 2}}, "rewards: {1, 2} is no list; give one number per state, such as [1, '1/2']"),
        (two_states, {"rewards": b"12"}, "rewards: b'12' is no list; give one number per state, such as [1, '1/2']"),
        (two_states, {"rewards": np.array(12)}, "rewards: array(12) is no list; give one number per state, such as [1, '1/2']"),
        (from_floats, {"rewards": [0.5, "a lot"]}, "state y: reward 'a lot' is not a number: write an integer, a fraction such as 321/100, or a decimal"),
        (from_floats, {"transitions": [[0.5, 0.5], [0.5, 0.6]]}, "state y: row sums to 1 + 0.1, beyond rounding: divide it by its sum, or write it as fractions"),
        (from_floats, {"transitions": [[0.5, 0.5], [float("inf"), 0]]}, "state y: transition probability inf is not a number of the model"),
        (from_floats, {"reward_radius": [0.5, -0.2]}, "state y: reward radius -1/5 is negative"),
        (from_floats, {"transition_radius": [0.5, -0.2]}, "state y: transition radius -1/5 is negative"),
        (from_floats, {"transition_radius": [0.5]}, "1 values of transition radius for 2 states"),
        (named, {"row": {"w": 1}}, "state x: row: no state of the arm is called 'w'"),
        (named, {"row": {3: 1}}, "state x: row: index 3 is outside 0..2"),
        (named, {"row": {-1: 1}}, "state x: row: index -1 is outside 0..2"),
        (named, {"row": {True: 1}}, "state x: row: True is neither a state's name nor an index from 0"),
        (named, {"row": {0: "1/2", "x": "1/2"}}, "state x: row: state x comes twice, by name and by index"),
        (named, {"row": {"x": "1/2", "y": "1/3"}}, "state x: row sums to 5/6, not 1"),
        (named, {"row": {"x": "3/2", "y": "-1/2"}}, "state x: row has the negative probability -1/2"),
        (named, {"row": {"x": "0.3", "y": "0.6999"}}, 'state x: row sums to 9999/10000, not 1; divide each entry by that: write 6999/10000 as "2333/3333"'),
        (named, {"row": {}}, "state x: row sums to 0, not 1"),
        (named, {"row": {"x": 0.5, "y": "1/2"}}, 'state x: transition probability 0.5 is a float, which is not exact: write Fraction(1, 2), "1/2" or "0.5"; Arm.from_floats reads floats'),
        (named, {"row": [True, 0, 0]}, "state x: transition probability True is a truth value, not a number"),
        (named, {"row": [1, True, 0]}, "state x: transition probability True is a truth value, not a number"),
        (two_states, {"transitions": [{"2": 1}, {0: 1}]}, "state 1: row: no state of the arm is called '2'"),
    ],
)  # fmt: skip
def test_arms_and_bandits_refuse_wrong_arguments_with_their_place(make, changes, message):
    assert refusal(make, **changes) == message


def test_equal_state_names_are_prefixed_by_their_arm():
    assert LIKE.state_names == ("1:up", "1:down", "2:up", "2:down")
    assert LIKE.start(["down", "2:up"]) == LIKE.start([1, 0]) == LIKE.start(np.array([1, 0])) == (1, 0)
    assert [LIKE.name(inside) for inside in ((0, 0), (1, 1))] == ["1:up", "2:down"]
    assert LIKE.priority(["2:up", (0, 0), "1:down", "2:down"]) == ((1, 0), (0, 0), (0, 1), (1, 1))
    assert parse_model(model_text(Bandit(LIKE.arms, "1/2", ["up", "down"]))).initial == (0, 1)


def test_initial_states_may_leave_out_the_arms_name():
    arms = [Arm(rewards=[1, 0], transitions=[[0, 1], [0, 1]], states=[f"{m} new", f"{m} worn"], name=m) for m in "AB"]
    bandit = Bandit(arms, "1/2")
    assert bandit.start(["worn", "B new"]) == bandit.start(["worn", "new"]) == (1, 0)
    assert refusal(bandit.start, ["new", "old"]).startswith("no state is called 'old'")


@pytest.mark.parametrize(("size", "ending"), [(12, ", a1s12"), (13, ", a1s12, ...")])
def test_error_names_at_most_twelve_states(size, ending):
    arm = Arm(rewards=[0] * size, transitions=[[int(x == y) for y in range(size)] for x in range(size)])
    assert refusal(Bandit([arm], "1/2").arm_state, "zz").endswith(ending)


def test_from_floats_reads_every_field():
    floats = {"rewards": [0.5, 1 / 3], "transitions": [[0.1, 0.9], [0.0, 1.0]]}
    exact = {"rewards": ["1/2", "1/3"], "transitions": [["1/10", "9/10"], [0, 1]]}
    found = Arm.from_floats(**floats, states=["x", "y"], reward_radius=[0.2, 0.0], transition_radius=[0.0, 0.7])
    assert found == Arm(**exact, states=["x", "y"], reward_radius=["1/5", 0], transition_radius=[0, "7/10"])


@pytest.mark.parametrize(
    ("radii", "has"),
    [({}, False), ({"reward_radius": [0, 0]}, False), ({"reward_radius": [0, 1]}, True), ({"transition_radius": [1, 0]}, True)],
)  # fmt: skip
def test_has_radii_is_true_for_any_positive_radius(radii, has):
    assert two_states(**radii).has_radii is has


@pytest.mark.parametrize("made", [list, tuple, iter, np.array, lambda _: range(1, 3)], ids=lambda made: made.__name__)
def test_arm_accepts_any_ordered_sequence(made):
    assert two_states(rewards=made([1, 2])).rewards == (1, 2)


@pytest.mark.parametrize("name", [3, None, "", " x", "x ", "x\ny", "x,y", b"x"], ids=repr)
def test_arm_refuses_unprintable_state_names(name):
    error = f"state name {name!r}: a name is printable text without commas or blanks around it"
    assert refusal(two_states, states=["fine", name]) == error


def test_bandit_is_hashable_printable_and_replaceable():
    bandit = Bandit([two_states()], "1/2", [1])
    assert len({bandit, Bandit([two_states()], "1/2", [1]), Bandit([two_states()], "1/2", [0])}) == 2
    assert "_positions" not in repr(bandit)
    assert repr(bandit).endswith("discount=1/2, initial=(1,))")
    assert repr(paper_model("task-scheduling")).startswith(
        "<bandit of 9 arms, with 11 states, discount 99/100, started in (a1s1, a"
    )
    assert replace(bandit, discount="1/3") == Bandit([two_states()], "1/3", [1])


@given(bandits(radii=True))
def test_model_text_parses_to_the_same_bandit(bandit):
    assert parse_model(model_text(bandit)) == bandit


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('"reward_laws": {"gaussian": Infinity}', "state a1s1: law of the reward: inf is not a number of the model"),
        ('"name": 7', "arm name 7: a name is text"),
        ('"name": "M1,M2"', "arm name 'M1,M2': a name is printable text without commas or blanks around it"),
        ('"reward_laws": "poisson"', 'state a1s1: the law of a reward is "bernoulli", "constant", {"gaussian": deviation} or {"values": [...], "probabilities": [...]}, not "poisson"'),
        ('"reward_laws": "bernoulli"', "state a1s1: a Bernoulli reward has a mean from 0 to 1, not 2"),
        ('"reward_laws": {"gaussian": "-1/2"}', "state a1s1: the standard deviation -1/2 of a reward is negative"),
        ('"states": ["A"], "reward_laws": [{"values": [1, 4], "probabilities": ["1/3", "2/3"]}]', "state A: the law of the reward has mean 3, but the reward is 2"),
        ('"reward_laws": [{"values": [1, 4], "probabilities": ["1/3", 0.6]}]', "state a1s1: the law of a reward sums to 14/15, not 1"),
        ('"reward_laws": ["constant", "constant"]', "2 reward laws for 1 states"),
        ('"reward_laws": {"gaussian": "wide"}', "state a1s1: law of the reward: 'wide' is not a number: write an integer, a fraction such as 321/100, or a decimal"),
        ('"states": ["B1", "B2"], "rewards": [1, 0], "transitions": [["1/2", 0.6], [0, 1]]', "state B1: row sums to 11/10, not 1"),
        ('"reward_laws": "pöisson"', 'state a1s1: the law of a reward is "bernoulli", "constant", {"gaussian": deviation} or {"values": [...], "probabilities": [...]}, not "pöisson"'),
        ('"reward_laws": {"values": [1], "probabilities": [1], "mean": 1}', 'state a1s1: the law of a reward is "bernoulli", "constant", {"gaussian": deviation} or {"values": [...], "probabilities": [...]}, not an object'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", [0, 1])
def test_parse_model_refuses_wrong_laws_with_their_place(more, message, before):
    arm = more if '"rewards"' in more else f'"rewards": [2], "transitions": [[1]], {more}'
    arms = ['{"rewards": [1], "transitions": [[1]]}'] * before + [f"{{{arm}}}"]
    text = f'{{"discount": "1/2", "arms": [{", ".join(arms)}]}}'
    assert refusal(parse_model, text) == f"arm {before + 1}, {message.replace('a1', f'a{before + 1}')}"


def test_model_text_keeps_reward_laws():
    laws = [
        RewardLaw.bernoulli("1/2"),
        RewardLaw.constant("1/2"),
        RewardLaw.gaussian("1/2", "1/4"),
        RewardLaw([-1, 2], ["1/2", "1/2"]),
        RewardLaw([0, 1], ["1/2", "1/2"], "1/8"),
    ]
    assert [law.mean for law in laws] == [fmpq(1, 2)] * 5
    assert two_states(reward_laws=LAWS).reward_laws == tuple(LAWS)
    arm = Arm(rewards=["1/2"] * 5, transitions=[[1, 0, 0, 0, 0]] * 5, reward_laws=laws)
    bandit = Bandit([arm], "1/2")
    assert parse_model(model_text(bandit)) == bandit
    text = (
        '{"discount": "1/2", "arms": [{"rewards": ["1/2", "1/2", "1/2", "1/2", "1/2"], "transitions": '
        '[[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0]], "reward_laws": '
        '["bernoulli", "constant", {"gaussian": 0.25}, {"values": [-1, 2], "probabilities": [0.5, "1/2"]}, '
        '{"values": [0, 1], "probabilities": [0.5, 0.5], "deviation": "1/8"}]}]}'
    )
    assert parse_model(text) == bandit
    assert parse_model(text.replace('["bernoulli"', '["constant"')) != bandit


def test_single_reward_law_applies_to_all_states():
    text = '{"discount": "1/2", "arms": [{"rewards": [1, 2], "transitions": [[1, 0], [0, 1]], "reward_laws": {"gaussian": 3}}]}'
    assert [law.mean for law in parse_model(text).arms[0].reward_laws] == [1, 2]


@pytest.mark.parametrize("key", ["rewards", "transitions"])
def test_parse_model_names_a_missing_key_of_an_arm(key):
    arm = {"rewards": [1], "transitions": [[1]]}
    without = {name: value for name, value in arm.items() if name != key}
    text = json.dumps({"discount": "1/2", "arms": [arm, without]})
    assert refusal(parse_model, text) == f"arm 2: the key '{key}' is missing"


def test_omitted_optional_keys_have_their_defaults():
    arm = {"rewards": [1, 2], "transitions": [[1, 0], [0, 1]]}
    named = {"states": ["a1s1", "a1s2"], "reward_radius": [0, 0], "transition_radius": [0, 0], "reward_laws": None}
    assert parse_model(json.dumps({"discount": 0, "arms": [arm]})) == parse_model(
        json.dumps({"discount": 0, "arms": [arm | named], "initial": None})
    )


@pytest.mark.parametrize(
    ("initial", "why"),
    [
        (-1, "initial: -1 is neither a state's name nor an index from 0"),
        (123456789, "initial, arm 1: index 123456789 is outside 0..0"),
        (1234567890, "initial: 1234567890 is neither a state's name nor an index from 0"),
        (0.0, "initial: 0.0 is neither a state's name nor an index from 0"),
        (None, "initial: null is neither a state's name nor an index from 0"),
        ([0], "initial: a list is neither a state's name nor an index from 0"),
    ],
)
def test_parse_model_refuses_other_initial_states(initial, why):
    model = {"discount": "1/2", "arms": [{"rewards": [1], "transitions": [[1]]}], "initial": [initial]}
    assert refusal(parse_model, json.dumps(model)) == why


@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_parse_model_ignores_a_byte_order_mark(mark):
    text = mark + '{"discount": 0, "arms": [{"rewards": [1], "transitions": [[1]]}]}'
    assert parse_model(text) == parse_model(text.encode()) == Bandit([Arm(rewards=[1], transitions=[[1]])], 0)


def test_read_model_error_names_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.json").write_text("[")
    (tmp_path / "wrong.json").write_text('{"discount": 1, "arms": []}')
    (tmp_path / "folder").mkdir()
    for path, why in (
        (3, "the path of a model file is wanted, not 3; parse_model reads text"),
        ("x" * 80, f"{'x' * 80}: there is no such file"),
        ("x" * 81, f"{'x' * 38}...{'x' * 38}: there is no such file"),
        ("x" * 1000, f"{'x' * 38}...{'x' * 38}: cannot be read ({os.strerror(ENAMETOOLONG)})"),
        (Path("folder"), f"folder: cannot be read ({os.strerror(EISDIR)})"),
        ("a\0b", "'a\\x00b' cannot be the name of a file"),
        ("model.json", "model.json: not JSON: Expecting value at line 1, column 2"),
        ("wrong.json", "wrong.json: a bandit needs at least one arm"),
    ):
        assert refusal(read_model, path) == why


def test_errors_abbreviate_long_text():
    assert str(ModelError(f"{'x' * 200} is long")) == f"{'x' * 200} is long"
    assert str(ModelError(f"{'x' * 201} is long")) == f"{'x' * 98}...{'x' * 98} is long"
    assert str(ModelError()) == ""
    assert (shown("x" * 58), shown("x" * 59)) == (f"'{'x' * 58}'", f"'{'x' * 56}...")
    assert (shortened("x" * 48), shortened("x" * 49)) == ("x" * 48, f"{'x' * 22}...{'x' * 22}")
    assert shown("two\nlines") == "'two\\nlines'"
    assert shown([1, 2], longest=6) == "[1, 2]"
    assert shown([1, 2], longest=5) == "[1..."


def test_row_may_be_a_dict_by_name_or_index():
    whole = Arm(**NAMED, transitions=[["1/2", 0, "1/2"], [0, 0, 1], ["1/3", "1/3", "1/3"]])
    third = dict.fromkeys("zxy", "1/3")
    named = Arm(**NAMED, transitions=[{"z": "1/2", "x": "0.5"}, {"z": 1, "y": 0}, third])
    numbered = Arm(**NAMED, transitions=[{2: "1/2", 0: "0.5"}, {np.int64(2): 1}, ["1/3"] * 3])
    assert named == whole == numbered
    assert whole.entries == named.entries == numbered.entries
    assert whole.entries[:2] == (((0, fmpq(1, 2)), (2, fmpq(1, 2))), ((2, fmpq(1)),))
    floats = Arm.from_floats(**NAMED, transitions=[{"z": 0.5, "x": 0.5}, {2: 1.0}, [1 / 3] * 3])
    assert floats == whole
    assert Arm(rewards=[0, 1], transitions=[{1: 1}, {0: 1}]).transitions == ((0, 1), (1, 0))


@pytest.mark.parametrize(("size", "width", "names"), [(31, 1, False), (32, 1, True), (64, 2, True), (64, 3, False)])
def test_model_text_writes_large_sparse_rows_by_name(size, width, names):
    rows = [{(x + d) % size: f"1/{width}" for d in range(width)} for x in range(size)]
    bandit = Bandit([Arm(rewards=range(size), transitions=rows)], "1/2", [0])
    text = model_text(bandit)
    assert isinstance(json.loads(text)["arms"][0]["transitions"][0], dict) is names
    assert parse_model(text) == bandit
