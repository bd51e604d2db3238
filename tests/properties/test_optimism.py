"""The properties hold for the paper's bonuses and radii, and changed formulas break the expected ones."""

from __future__ import annotations

import pytest
from flint import arb, fmpq

from proofs_checks.trials.history import History
from proofs_checks.trials.properties import affected, attempt, example, replaced, suite
from proofs_checks.trials.properties.optimism import Experience, Place
from tests.examples import number_of
from theory import Arm, Bandit, gittins_value
from theory.paper import reward_radius, transition_radius, ucbvi_bonus


def times(factor, formula):
    return lambda **arguments: arb(fmpq(factor)) * formula(**arguments)


def without_maximum(S, n, K, t, N, beta):
    return (arb(2 * S * n * K * t).log() / (2 * N)).sqrt() / (1 - arb(beta))


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"bonus": times(fmpq(1, 2), ucbvi_bonus)}, {"bonus-is-optimistic"}),
        ({"bonus": times(fmpq(99, 100), ucbvi_bonus)}, {"bonus-is-optimistic"}),
        ({"bonus": times(fmpq(101, 100), ucbvi_bonus)}, {"bonus-within-the-regret-bound"}),
        ({"bonus": times(-1, ucbvi_bonus)}, {"bonus-is-optimistic", "defined-from-the-start"}),
        (dict.fromkeys(("bonus", "deviation"), times(fmpq(4, 5), ucbvi_bonus)), {"deviation-is-rare"}),
        ({"deviation": times(2, ucbvi_bonus)}, {"bonus-is-optimistic"}),
        ({"reward_radius": times(fmpq(1, 2), reward_radius)}, {"radii-are-optimistic"}),
        ({"reward_radius": times(2, reward_radius)}, {"reward-radius-within-the-regret-bound"}),
        ({"reward_deviation": times(fmpq(1, 2), reward_radius)}, {"reward-deviation-is-rare"}),
        ({"row_radius": times(fmpq(1, 2), transition_radius)}, {"radii-are-optimistic"}),
        ({"row_radius": times(2, transition_radius)}, {"row-radius-within-the-regret-bound"}),
        ({"row_deviation": times(fmpq(1, 2), transition_radius)}, {"row-deviation-is-rare"}),
        ({"failure": lambda **_: fmpq(1, 10**6)}, {"reward-deviation-is-rare", "row-deviation-is-rare", "deviation-is-rare"}),
        ({"bonus": without_maximum}, {"bonus-is-optimistic", "defined-from-the-start", "bonus-within-the-regret-bound"}),
    ],
    ids=lambda value: "+".join(sorted(value)) if isinstance(value, dict) else "",
)  # fmt: skip
def test_changed_formula_breaks_exactly_the_expected_properties(changes, broken):
    trials = [
        attempt(each, replaced(**changes), number_of(100 if each.name in broken else 12))
        for each in affected(changes, suite("optimism"))
    ]
    assert {trial.which.name for trial in trials if not trial.holds} == broken


def test_counterexample_to_half_the_bonus_matches_hand_computation():
    """One arm, one state, no visit, K = 2: the bonus is sqrt(log 4 / 2) = 0.832554..., and half of it is too little."""
    (which,) = [each for each in suite("optimism") if each.name == "bonus-is-optimistic"]
    found = attempt(which, replaced(bonus=example.half_the_bonus)).counterexample
    assert found.bandit.sizes == (1,)
    assert found.bandit.arms[0].rewards == (fmpq(832, 1000),)
    assert gittins_value(found.bandit).value == fmpq(832, 1000)
    negative = attempt(which, replaced(bonus=lambda **_: -1)).counterexample
    assert negative.text == "bonus is -1.00000, which is negative, at t = 1, N = 0."
    (start,) = [each for each in suite("optimism") if each.name == "defined-from-the-start"]
    negative = attempt(start, replaced(bonus=lambda **_: -1)).counterexample
    assert (negative.text, negative.numbers) == ("bonus is -1.00000 at t = 1, N = 0.", {"K": 2})
    assert found.numbers["N"] == "0"
    assert found.numbers["bonus"] == "0.416277"


def test_counterexample_names_the_state_with_the_largest_shortfall():
    """Without a bonus states of means 1/2 and 0 are worth up to 1 and 3/4: from the second more is missing."""
    (which,) = [each for each in suite("optimism") if each.name == "bonus-is-optimistic"]
    history, places = History((((2, 0), (0, 1)),), ((1, 0),), (3,)), (Place(1, (1, 0), None), Place(1, (0, 1), None))
    formulas = replaced(bonus=lambda **_: 0, deviation=lambda N, **_: fmpq(3, 4) if N == 1 else fmpq(1, 2))
    found = which.refute(formulas, Experience(history, (places,), 2, fmpq(0)))
    assert found.text.startswith("From (a1s2) the true optimum is 0.75, the model's at most ")


HALF, THIRDS = fmpq(1, 2), (fmpq(1, 3),) * 3


@pytest.mark.parametrize(
    ("name", "law", "beta", "off", "rewards", "rows"),
    [
        ("reward_deviation", (HALF, HALF), HALF, HALF, (HALF,), [[1]]),
        ("deviation", (HALF, HALF), fmpq(0), HALF, (HALF,), [[1]]),
        ("deviation", (HALF, HALF), HALF, 1, (HALF, 0, 1), [[0, HALF, HALF], [0, 1, 0], [0, 0, 1]]),  # 1/2 over 1 - beta
        ("row_deviation", THIRDS, fmpq(0), fmpq(4, 3), (0, 0, 0), [THIRDS] * 3),
    ],
)  # fmt: skip
def test_deviation_probability_matches_hand_computation(name, law, beta, off, rewards, rows):
    """After one visit the deviation equals `off` with probability 1: for rewards 0 or 1 the mean is off by 1/2."""
    (which,) = [each for each in suite("optimism") if each.formulas == (name, "failure")]
    seen = {"row": law, "n": 2, "K": 3, "N": 1, "t": 4, "beta": beta}
    assert which.refute(replaced(**{name: lambda **_: off}), seen) is None
    found = which.refute(replaced(**{name: lambda **_: off - fmpq(1, 100)}), seen)
    assert found.bandit == Bandit([Arm(rewards=rewards, transitions=rows)], beta, [0])
    at = {"S": len(rewards), "n": 2, "K": 3, "t": 4, "N": 1, "probability": 1}
    assert found.numbers == at


@pytest.mark.parametrize(
    "test", [getattr(example, name) for name in dir(example) if name.startswith("test")], ids=lambda test: test.__name__
)
def test_every_test_of_the_example_file_passes(test):
    test()
