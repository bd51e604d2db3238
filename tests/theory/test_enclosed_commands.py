"""Enclosed models on the command line: printed enclosures contain the true values; refusals are one line."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.theory.test_commands import machines, output, printed, refused, run, two_arm_model
from theory import Bandit, gittins_indices, gittins_value, paper_model, parse_model, rational
from theory.commands import enclosed
from theory.enclosures import Enclosure, parse_number

MODEL = {
    "discount": "exp(-1/100)",
    "arms": [
        {
            "states": ["A1", "A2"],
            "rewards": ["sqrt(2)", 0],
            "transitions": [["exp(-1)", "1 - exp(-1)"], ["1/2", "1/2"]],
            "reward_radius": ["sqrt(log(20)/2)/4", 0],
            "transition_radius": ["sqrt(2*log(40)/100)", 0],
        },
        {"states": ["B1"], "rewards": ["0.8 +/- 0.001"], "transitions": [[1]]},
    ],
    "initial": ["A2", "B1"],
}


def ends(content):
    low, high = content["enclosure"]
    assert set(content) == {"enclosure"}
    return Fraction(low), Fraction(high)


def test_undecided_order_lists_its_pairs():
    text = json.dumps(MODEL).replace("0.8 +/- 0.001", "sqrt(2)")
    found = output("indices", "-", stdin=text)
    assert (found["order"], found["pairs"]) == ("undecided", [["A1", "B1"]])
    assert found["arms"][0]["order"] == ["A1", "A2"]
    value = output("value", "-", stdin=text)
    assert (value["order"], value["pairs"]) == ("undecided", [["A1", "B1"]])
    assert "priority" not in value
    told = "enclosures overlap, those of states of one arm also in parts of its bounds"
    assert f"undecided between A1 and B1 ({told})" in " ".join(run("indices", "-", stdin=text).stdout.split())
    assert found["why"] == told


def test_undecided_states_of_an_arm_come_with_a_model_for_each_order():
    uneven = [["1/2 +/- 1/4", "1/2 +/- 1/4"], [0, 1]]
    for rewards, rows in ((["1 +/- 0.2", "1.1"], [["1/2", "1/2"], [0, 1]]), (["1.1", "1 +/- 0.2"], uneven)):
        arm = {"states": ["x", "y"], "rewards": rewards, "transitions": rows}
        text = json.dumps({"discount": "1/2 +/- 0.1", "arms": [arm], "initial": ["x"]})
        (models,) = output("indices", "-", stdin=text)["arms"][0]["either_first"]
        first = {name: parse_model(json.dumps(model)) for name, model in models.items()}
        for name, bandit in first.items():
            of = dict(zip("xy", gittins_indices(bandit.arms[0], bandit.discount), strict=True))
            assert max(of, key=of.get) == name
            assert of["x"] != of["y"]
            assert fmpq(2, 5) <= bandit.discount <= fmpq(3, 5)
            assert all(abs(reward - fmpq(21, 20)) <= fmpq(1, 4) for reward in bandit.arms[0].rewards)
            assert all(fmpq(1, 4) <= p <= fmpq(3, 4) for p in bandit.arms[0].transitions[0])
        assert (
            "either may come first: x or y; indices --json has a model for each order"
            in run("indices", "-", stdin=text).stdout
        )
    certain = json.loads(text)["arms"][0] | {"rewards": ["1.1", "0.1"]}
    told = output("indices", "-", stdin=json.dumps({"discount": "1/2", "arms": [certain]}))
    assert "either_first" not in told["arms"][0]


def test_table_of_enclosed_indices_is_refused_as_an_order(tmp_path):
    path, model = tmp_path / "order.csv", machines(A="2 +/- 0.5", B="3 +/- 0.25")
    path.write_text(run("indices", "-", "--csv", stdin=model).stdout)
    told = refused("value", "-", "--priority", path, stdin=model)
    assert told.endswith("enclosures of indices are no order; delete index_low and index_high if the rows are one")


def test_now_compares_states_of_arms_of_one_kind_jointly():
    rows = [["0.816 +/- 0.028", "0.184 +/- 0.028", 0], [0, "0.737 +/- 0.039", "0.263 +/- 0.039"]]
    kind = {"rewards": [10, 6, 0], "transitions": [*rows, ["0.639 +/- 0.067", 0, "0.361 +/- 0.067"]]}
    arms = [kind | {"states": [f"{name} {state}" for state in ("new", "worn", "broken")]} for name in ("A", "B")]
    model = json.dumps({"discount": "0.95", "arms": arms, "initial": ["A worn", "B broken"]})
    assert printed("indices", "--now", stdin=model)[-1] == "certainly the largest: B broken"


def test_optimism_without_radii_says_so():
    note = "all radii are 0 (an arm's reward_radius and transition_radius), so this is the value of the model itself"
    exact = two_arm_model()
    assert printed("optimism", stdin=exact)[2] == note
    around = printed("optimism", stdin=exact.replace("4/7", "0.5 +/- 0.1"))
    assert (around[1], around[2].partition(":")[0]) == (note, "+/- is no radius")
    assert note not in printed("optimism", stdin=json.dumps(MODEL))
    told = " ".join(run("optimism", "--help").stdout.split())
    assert all(each in told for each in ('"reward_radius"', '"transition_radius"', "L1 distance", "seen or not"))


def test_enclosed_value_accepts_priority_and_initial_state():
    found = output("value", "-", "--priority", "B1,A1,A2", "--initial", "A1,B1", stdin=json.dumps(MODEL))
    low, high = ends(found["value"])
    discount = Fraction("0.990049833749168053573")  # exp(-1/100), cut off; B1 is played for ever
    assert low <= Fraction("0.8") / (1 - discount) <= high
    assert found["priority"] == ["B1", "A1", "A2"]
    assert "order" not in found
    by_optimism = output("optimism", "-", "--priority", "B1,A1,A2", stdin=json.dumps(MODEL))
    assert ends(by_optimism["value"])[0] <= low
    assert [row["plays"] for row in by_optimism["rows"]] == ["B1", "B1"]
    assert by_optimism["attained_in_set"] is None


def test_discount_option_accepts_exact_and_enclosed_discounts():
    exact = output("value", "random-walk", "--discount", "9/10")
    bandit = paper_model("random-walk")
    assert exact["value"] == str(gittins_value(Bandit(bandit.arms, "9/10", bandit.initial)).value)
    low, high = ends(output("value", "random-walk", "--discount", "0.9 +/- 1e-9")["value"])
    assert low < Fraction(exact["value"]) < high
    found = output("value", "random-walk", "--discount", "exp(-1/10)", "--digits", "30")
    assert ends(found["value"])[0] > Fraction(exact["value"])
    assert "exact" not in found
    assert output("value", "random-walk", "--discount", "1 - sqrt(1/100)")["value"] == exact["value"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["indices", "random-walk", "--discount", "log(-1)"], "discount: 'log(-1)' is not a number"),
        (["indices", "random-walk", "--discount", "1"], "discount: 1 is outside 0 <= discount < 1"),
        (["optimism", "counterexample", "--discount", "0.9 +/- 0.2"], "discount: 0.9 +/- 0.2 may be 1"),
        (["indices", "-", "--digits", "0"], "0 is not in the range 1<=x<=10000"),
        (["value", "-", "--digits", "100000"], "is not in the range"),
        (["value", "-", "--digits", "many"], "'many' is not a valid integer"),
        (["indices", "-", "--method", "restart"], "the method restart needs exact numbers"),
        (["value", "-", "--method", "linear-system"], "the method linear-system needs exact numbers"),
        (["value", "-", "--certificate", "new"], "a certificate is of exact numbers"),
        (["indices", "-", "--certificate", "new"], "a certificate is of exact numbers"),
        (["value", "-", "--csv"], "value --csv prints exact numbers, not enclosures: give --json, or indices --csv"),
        (["parametric", "-"], "arm 1: indices for all discounts need rational rows"),
        (["export", "-"], "needs exact ones"),
        (["value", "-", "--priority", "A1,B1"], "priority: incomplete"),
        (["value", "-", "--initial", "A1"], "initial: 1 states given for 2 arms"),
    ],
)
def test_wrong_arguments_for_enclosed_models_are_refused(arguments, part):
    assert part in refused(*arguments, stdin=json.dumps(MODEL))


# a first arm that pays the square root of 2 for ever after one step, and a second that pays 1/3 for ever
TWO_ARMS = two_arm_model(rewards=[0, "sqrt(2)"]).replace("4/7", "1/2")


def test_value_says_that_a_wide_enclosure_is_valid_and_what_widens_it():
    told = "The enclosure is valid, and may be wide: transitions with +/- widen it, and indices much less."
    assert printed("value", stdin=json.dumps(MODEL))[1].startswith(told)
    assert not any(line.startswith("The enclosure") for line in printed("value", stdin=TWO_ARMS))


@pytest.mark.parametrize("command", ["indices", "value", "optimism"])
@pytest.mark.parametrize("discount", ["1/2", "1 - 3*log(1+1e-40)"])
@pytest.mark.parametrize(
    ("reward", "low", "high"),
    [
        ("log(1+1e-30)", "1e-30 - 1e-60", "1e-30"),
        ("log(1+1e-200)", "1e-200 - 1e-400", "1e-200"),  # equals 0 to 37 and to 74 digits: two precisions agree on a wrong value
        ("log(exp(1/3))-1/3", "0", "0"),
        ("sqrt(10^40+1)-10^20", "5e-21 - 1e-60", "5e-21"),
        ("1e-60/(exp(1e-60)-1)", "1 - 1e-60", "1"),  # a division by 0 with few digits
        ("sqrt(exp(1e-80)-1)", "1e-40", "1e-40 + 1e-80"),
        ("sqrt(log(1+1e-50) + exp(-1e-50) - 1)*1e76", "sqrt(50/3) - 1e-20", "sqrt(50/3)"),  # a root of a negative number with few digits
    ],
)  # fmt: skip
def test_cancelling_expressions_are_enclosed_closely(command, discount, reward, low, high):
    """One state that pays for ever: its index is the reward, its value that over 1 - beta."""
    one = json.dumps({"discount": discount, "initial": [0], "arms": [{"rewards": [reward], "transitions": [[1]]}]})
    found = output(command, "-", stdin=one)
    result = found["value"] if command != "indices" else found["arms"][0]["indices"][0]
    least, most = (rational(end) for end in result["enclosure"])
    times = parse_number("1" if command == "indices" else "2" if discount == "1/2" else "1/(3e-40 - 15e-81)")
    ends = [(parse_number(end).enclosure(2000).low * times.enclosure(2000).low) for end in (low, high)]
    assert least <= ends[1]
    assert most >= ends[0]
    assert most - least <= fmpq(1, 10**13) * max(ends[1], fmpq(1, 10**40))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ("1.23457", "1.23458", "1.2345[7, 8]"),
        ("1.2345", "1.2346", "[1.2345, 1.2346]"),  # five shared characters are not factored out
        ("1.2", "1.200001", "1.20000[0, 1]"), ("-1.200001", "-1.2", "-1.20000[1, 0]"),
        ("1234567", "1234568", "123456[7, 8]"), ("1234567", "1234568.5", "[1234567, 1234568.5]"),
        ("999999", "1000000", "[999999, 1000000]"),
        ("123456789e-400", "123456790e-400", "[1.23456789E-392, 1.2345679E-392]"), ("1.25", "1.25", "1.25"),
    ],
)  # fmt: skip
def test_enclosure_text_factors_out_shared_digits(low, high, expected):
    number = Enclosure(rational(low), rational(high))
    assert enclosed._text(number, 15) == expected


@given(st.fractions(-10, 10, max_denominator=10**9), st.integers(0, 10**6), st.integers(1, 12))
def test_enclosure_text_reads_back_to_its_decimals(low, width, digits):
    number = Enclosure(rational(low), rational(low) + rational(f"{width}e-9"))
    head, _, tail = enclosed._text(number, digits).partition("[")
    ends = [head + end for end in tail.removesuffix("]").split(", ")]
    assert [rational(end) for end in (ends[0], ends[-1])] == [rational(end) for end in number.decimals(digits)]


@pytest.mark.parametrize(("states", "more"), [(12, ""), (13, "; and 1 more pair"), (14, "; and 2 more pairs")])
def test_at_most_twelve_undecided_pairs_are_printed(states, more):
    # both arms have the rewards sqrt(2), sqrt(5), sqrt(10), ..., written differently: equality is not decided
    rows = [[int(x == y) for y in range(states)] for x in range(states)]
    arms = []
    for arm, end in (("A", ""), ("B", " + 0")):
        rewards = [f"sqrt({n * n + 1}){end}" for n in range(1, states + 1)]
        arms.append({"states": [f"{arm}{x}" for x in range(states)], "rewards": rewards, "transitions": rows})
    text = " ".join(printed("indices", stdin=json.dumps({"discount": "1/2", "arms": arms})))
    pairs = "; ".join(f"A{x} and B{x}" for x in range(12))
    assert f"order: undecided between {pairs}{more} (enclosures overlap" in text


def test_largest_reward_option_caps_optimistic_rewards():
    """The cap applies to sqrt(2) + sqrt(log(20)/2)/4 and to 0.8 +/- 0.001."""
    text = json.dumps(MODEL)
    assert "a reward is certainly above" in refused("optimism", "-", "--largest-reward", "1", stdin=text)
    mean = parse_number("1 - exp(-1/100)").enclosure(64)  # of values: rewards over 1 - beta
    for most, low, high in (("9", "1", "9"), ("1", "1/2", "1"), ("0.799", "1/2", "0.799")):
        radius = text.replace("sqrt(log(20)/2)/4", "sqrt(2)")
        found = output("optimism", "-", "--largest-reward", most, stdin=radius)
        value = [rational(end) for end in found["value"]["enclosure"]]
        assert rational(low) <= value[0] * mean.low <= value[1] * mean.high <= rational(high) * (1 + fmpq(1, 10**12))
    arm = {"rewards": ["1/2"], "transitions": [[1]], "reward_radius": [2]}
    exact = json.dumps({"discount": "1/2", "initial": [0], "arms": [arm]})
    assert output("optimism", "-", "--largest-reward", "0.75", stdin=exact)["value"] == "3/2"
    assert output("optimism", "-", stdin=exact)["value"] == "5"
    assert "largest reward: 'x' is not a number" in refused("optimism", "-", "--largest-reward", "x", stdin=exact)
