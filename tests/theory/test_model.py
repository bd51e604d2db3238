from __future__ import annotations

import pytest
from flint import fmpq
from hypothesis import given

from proofs_checks.strategies import bandits
from theory import Arm, Bandit, ModelError, NumberError, RewardLaw, model_text, parse_model


def two_states(**changes):
    fields = {"rewards": [1, "1/2"], "transitions": [["1/2", "1/2"], [0, 1]]} | changes
    return Arm(**fields)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"transitions": [["1/2", "3/5"], [0, 1]]}, "state 1: row sums to 11/10, not 1"),
        ({"transitions": [["3/2", "-1/2"], [0, 1]]}, "state 1: row has the negative probability -1/2"),
        ({"transitions": [["1/2", "1/2"], [1]]}, "state 2: 1 transition probabilities for 2 states"),
        ({"transitions": [[1, 0]]}, "2 rewards but 1 transition rows: give one row per state"),
        ({"rewards": []}, "an arm needs at least one state"),
        ({"states": ["x"]}, "2 rewards but 1 state names: give one name per state"),
        ({"states": ["x", "x"]}, "state x: the name comes twice in the arm"),
        ({"states": ["x", "y,z"]}, "state name 'y,z': a name is printable text without commas or blanks around it"),
        ({"transition_radius": [1]}, "1 values of transition radius for 2 states"),
        ({"reward_radius": [0, "-1/5"], "states": ["x", "y"]}, "state y: reward radius -1/5 is negative"),
    ],
)
def test_an_arm_that_is_no_markov_reward_process_is_refused_with_its_place(changes, message):
    with pytest.raises(ModelError) as caught:
        two_states(**changes)
    assert str(caught.value) == message


def test_a_float_is_refused_with_how_to_write_it():
    with pytest.raises(NumberError, match=r"state 1: reward 3\.21 is a float.*Fraction\(321, 100\)"):
        two_states(rewards=[3.21, 0])
    with pytest.raises(NumberError, match=r"discount: 0\.5 is a float"):
        Bandit([two_states()], discount=0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"discount": 1}, "discount: 1 is outside 0 <= discount < 1"),
        ({"discount": "-1/2"}, "discount: -1/2 is outside 0 <= discount < 1"),
        ({"arms": []}, "a bandit needs at least one arm"),
        ({"initial": [0]}, "initial: 1 states given for 2 arms; give one state per arm"),
        ({"initial": [0, 2]}, "initial, arm 2: index 2 is outside 0..1"),
        ({"initial": ["a2s1", 0]}, "initial, arm 1: a2s1 is a state of arm 2"),
        ({"initial": [0, "zz"]}, "no state is called 'zz'; the states are a1s1, a1s2, a2s1, a2s2"),
        ({"initial": [0, True]}, "initial, arm 2: True is neither a state's name nor an index from 0"),
        (
            {"arms": [two_states(states=["x", "y"]), two_states(states=["z", "x"])]},
            "arm 2, state x: arm 1 has a state of this name",
        ),
    ],
)
def test_a_bad_bandit_is_refused_with_its_place(arguments, message):
    with pytest.raises(ModelError) as caught:
        Bandit(**({"arms": [two_states(), two_states()], "discount": "1/2"} | arguments))
    assert str(caught.value) == message


@pytest.mark.parametrize(("size", "told"), [(12, ", a1s12"), (13, ", a1s12, ...")])
def test_of_many_states_twelve_are_named(size, told):
    arm = Arm(rewards=[0] * size, transitions=[[int(x == y) for y in range(size)] for x in range(size)])
    with pytest.raises(ModelError) as caught:
        Bandit([arm], "1/2").arm_state("zz")
    assert str(caught.value).endswith(told)


def test_priority_orders_are_strict_and_complete():
    bandit = Bandit([two_states(), two_states()], "1/2")
    assert bandit.priority(["a2s1", "a1s1", "a1s2", "a2s2"]) == ((1, 0), (0, 0), (0, 1), (1, 1))
    for order, message in [
        (["a2s1", "a1s1"], "priority: incomplete, 2 of 4 states missing: a1s2, a2s2"),
        (["a2s1", "a2s1", "a1s1", "a1s2", "a2s2"], "priority: a2s1 comes twice; every state comes once"),
        (["a2s1", "zz"], "no state is called 'zz'; the states are a1s1, a1s2, a2s1, a2s2"),
        ([(5, 0)], "priority: (5, 0) is not an (arm, state) pair of this bandit"),
    ]:
        with pytest.raises(ModelError) as caught:
            bandit.priority(order)
        assert str(caught.value) == message


def test_a_missing_initial_state_is_asked_for():
    with pytest.raises(ModelError, match="the model has no initial state"):
        Bandit([two_states()], "1/2").start()


@given(bandits(radii=True))
def test_a_model_file_reads_back_to_the_same_bandit(bandit):
    assert parse_model(model_text(bandit)) == bandit


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "not JSON: Expecting value at line 1, column 2"),
        ("[]", "the model must be a JSON object with the keys discount, arms, initial"),
        ('{"discount": "1/2"}', "the model: the key 'arms' is missing"),
        ('{"discount": "1/2", "arms": [], "beta": 1}', "the model: unknown key 'beta'; the keys are discount, arms, initial"),
        ('{"discount": "1/2", "arms": NaN}', "arms: a JSON list is wanted, not NaN"),
        (
            '{"discount": NaN, "arms": [{"rewards": [1], "transitions": [[1]]}]}',
            "discount: NaN is not an exact number: write an integer, or text such as '321/100' or '3.21'",
        ),
        (
            '{"discount": 0, "arms": [{"rewards": [1, -Infinity], "transitions": [[1, 0], [0, 1]]}]}',
            "arm 1, state a1s2: reward -Infinity is not an exact number: write an integer, or text such as '321/100' or "
            "'3.21'",
        ),
        (
            '{"discount": 0, "arms": [{"rewards": [1], "transitions": [[1]], "reward_laws": {"gaussian": Infinity}}]}',
            "arm 1, state a1s1: law of the reward: inf is not a number of the model",
        ),
        ('{"discount": 1, "discount": 2, "arms": []}', "the key 'discount' comes twice in one object"),
        ('{"discount": "1/2", "arms": {}}', "arms: a JSON list is wanted, not an object"),
        (
            '{"discount": "1/2", "arms": [{"rewards": [1], "transitions": [[1]], "reward": 1}]}',
            "arm 1: unknown key 'reward'; the keys are rewards, transitions, states, reward_radius, transition_radius, "
            "reward_laws",
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": [1], "transitions": [[1]]}, '
            '{"states": ["B1", "B2"], "rewards": [1, 0], "transitions": [["1/2", 0.6], [0, 1]]}]}',
            "arm 2, state B1: row sums to 11/10, not 1",
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": ["much"], "transitions": [[1]]}]}',
            "arm 1, state a1s1: reward 'much' is not a number: write an integer, a fraction such as 321/100, or a decimal",
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": [null], "transitions": [[1]]}]}',
            "arm 1, state a1s1: reward null is not an exact number: write an integer, or text such as '321/100' or '3.21'",
        ),
        ('{"discount": "1/2", "arms": [{"rewards": [1], "transitions": [1]}]}', "arm 1, each row of transitions: a JSON list is wanted, not 1"),
        ('{"discount": "1/2", "arms": [{"rewards": [1], "transitions": [[1]], "states": [3]}]}', "arm 1, state name 3: a name is text"),
        (
            '{"discount": "1/2", "arms": [{"rewards": ["1/2"], "transitions": [[1]], "reward_laws": "poisson"}]}',
            'arm 1, state a1s1: the law of a reward is "bernoulli", "constant", {"gaussian": deviation} or '
            '{"values": [...], "probabilities": [...]}, not "poisson"',
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": [2], "transitions": [[1]], "reward_laws": "bernoulli"}]}',
            "arm 1, state a1s1: a Bernoulli reward has a mean from 0 to 1, not 2",
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": [2], "transitions": [[1]], "reward_laws": {"gaussian": "-1/2"}}]}',
            "arm 1, state a1s1: the standard deviation -1/2 of a reward is negative",
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": [2], "transitions": [[1]], "states": ["A"], '
            '"reward_laws": [{"values": [1, 4], "probabilities": ["1/3", "2/3"]}]}]}',
            "arm 1, state A: the law of the reward has mean 3, but the reward is 2",
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": [2], "transitions": [[1]], '
            '"reward_laws": [{"values": [1, 4], "probabilities": ["1/3", 0.6]}]}]}',
            "arm 1, state a1s1: the law of a reward sums to 14/15, not 1",
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": [2], "transitions": [[1]], "reward_laws": ["constant", "constant"]}]}',
            "arm 1, 2 reward laws for 1 states",
        ),
        (
            '{"discount": "1/2", "arms": [{"rewards": [2], "transitions": [[1]], "reward_laws": {"gaussian": "wide"}}]}',
            "arm 1, state a1s1: law of the reward: 'wide' is not a number: write an integer, a fraction such as 321/100, or a decimal",
        ),
        ('{"discount": "1/2", "arms": [{"rewards": [1], "transitions": [[1]]}], "initial": [-1]}', "initial: -1 is neither a state's name nor an index from 0"),
    ],
)  # fmt: skip
def test_a_bad_model_file_is_refused_in_one_located_line(text, message):
    with pytest.raises((ModelError, NumberError)) as caught:
        parse_model(text)
    assert str(caught.value) == message


def test_a_json_number_is_the_decimal_that_is_written():
    text = '{"discount": 0.1, "arms": [{"rewards": [3.21], "transitions": [[1]]}]}'
    assert (parse_model(text).discount, parse_model(text).arms[0].rewards[0]) == (fmpq(1, 10), fmpq(321, 100))


def test_laws_of_rewards_are_kept_and_written_back():
    laws = [
        RewardLaw.bernoulli("1/2"),
        RewardLaw.constant("1/2"),
        RewardLaw.gaussian("1/2", "1/4"),
        RewardLaw([-1, 2], ["1/2", "1/2"]),
        RewardLaw([0, 1], ["1/2", "1/2"], "1/8"),
    ]
    assert [law.mean for law in laws] == [fmpq(1, 2)] * 5
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


def test_one_law_serves_all_states_of_an_arm():
    text = '{"discount": "1/2", "arms": [{"rewards": [1, 2], "transitions": [[1, 0], [0, 1]], "reward_laws": {"gaussian": 3}}]}'
    assert [law.mean for law in parse_model(text).arms[0].reward_laws] == [1, 2]
