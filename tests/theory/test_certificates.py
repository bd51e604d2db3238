"""Certificates: their conditions checked in fractions against the bandit, and the files that commands write."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product

from hypothesis import given

from proofs_checks.trials.strategies import bandits
from theory import Arm, Bandit, fraction, gittins_indices, index_certificate, value_certificate


def at(tree, state):
    return int(reduce(lambda branch, x: branch[x], state, tree))


@given(bandits())
def test_value_certificate_satisfies_bellmans_equation(bandit):
    certificate = value_certificate(bandit)
    common = int(certificate["value_denominator"])

    def value(state):
        return Fraction(at(certificate["values"], state), common)

    def one_step(state, a):
        arm, x = bandit.arms[a], state[a]
        ahead = (fraction(q) * value((*state[:a], y, *state[a + 1 :])) for y, q in enumerate(arm.transitions[x]) if q)
        return fraction(arm.rewards[x]) + fraction(bandit.discount) * sum(ahead)

    for state in product(*map(range, bandit.sizes)):
        best = [one_step(state, a) for a in range(len(bandit.arms))]
        assert value(state) == max(best) == best[at(certificate["policy"], state)]


@given(bandits())
def test_index_certificate_lists_indices_and_stopping_values(bandit):
    certificate = index_certificate(bandit)
    beta = fraction(bandit.discount)
    for arm, entry in zip(bandit.arms, certificate["arms"], strict=True):
        indices = gittins_indices(arm, bandit.discount)
        assert sorted(entry["order"]) == list(range(certificate["states"]))
        listed = [fraction(indices[x]) for x in entry["order"] if x < arm.size]
        assert listed == sorted(listed, reverse=True)
        for x, level in enumerate(entry["levels"][: arm.size]):
            index = Fraction(*map(int, level["index"]))
            assert index == fraction(indices[x])
            best = [Fraction(int(number), int(level["denominator"])) for number in level["best"][: arm.size]]
            going_on = [
                fraction(reward) - index + beta * sum(fraction(q) * best[y] for y, q in enumerate(row))
                for reward, row in zip(arm.rewards, arm.transitions, strict=True)
            ]
            assert best == [max(0, worth) for worth in going_on]
            assert going_on[x] == 0


def test_certificate_numbers_share_least_common_denominators():
    arm = Arm(rewards=["1/6", "1/4"], transitions=[["1/2", "1/2"], ["1/3", "2/3"]])
    other = Arm(rewards=["-3", "0"], transitions=[[1, 0], ["1/2", "1/2"]])
    bandit = Bandit(arms=[arm, other], discount="2/7")
    for kind, certify in (("value", value_certificate), ("indices", index_certificate)):
        found = certify(bandit)
        assert (found["certificate"], found["discount"], found["states"]) == (kind, ["2", "7"], 2)
        assert (found["reward_denominator"], found["row_denominator"]) == ("12", "6")
        arms = [{key: entry[key] for key in ("rewards", "transitions")} for entry in found["arms"]]
        assert arms == [
            {"rewards": ["2", "3"], "transitions": [["3", "3"], ["2", "4"]]},
            {"rewards": ["-36", "0"], "transitions": [["6", "0"], ["3", "3"]]},
        ]


def test_certificates_match_hand_computation():
    """One state that pays 1/2 beside two that pay 1 and 0 for ever; beta = 1/3, so 1 for ever is 3/2."""
    bandit = Bandit(
        arms=[Arm(rewards=["1/2"], transitions=[[1]]), Arm(rewards=[1, 0], transitions=[[1, 0], [0, 1]])],
        discount="1/3",
    )
    found = value_certificate(bandit)
    # the first arm is filled up with a copy of its state: 3/2 where the second arm pays 1, and 3/4 where it pays 0
    assert (found["value_denominator"], found["values"]) == ("4", [["6", "3"], ["6", "3"]])
    assert found["arms"][0] == {"rewards": ["1", "1"], "transitions": [["1", "0"], ["1", "0"]]}
    assert found["policy"] == [["1", "0"], ["1", "0"]]
    levels = index_certificate(bandit)["arms"]
    # stopping is best where each step costs the index of the state or more; at cost 0 the other state is worth 3/2
    assert [level["best"] for level in levels[0]["levels"]] == [["0", "0"], ["0", "0"]]
    assert levels[1]["order"] == [0, 1]
    assert levels[1]["levels"] == [
        {"index": ["1", "1"], "denominator": "1", "best": ["0", "0"]},
        {"index": ["0", "1"], "denominator": "2", "best": ["3", "0"]},
    ]
