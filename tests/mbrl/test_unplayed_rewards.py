"""Values, indices and regrets depend on the rewards that play collects, and on no others."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbrl.agents import make_agent
from mbrl.environments import from_bandit
from mbrl.experiments.judging import judge
from mbrl.experiments.regret import CERTAIN, RegretMeter
from mbrl.experiments.simulation import simulate
from mbrl.notebook import bandit as of_arrays
from mbrl.policies import IndexPolicy, TablePolicy
from proofs_checks.trials.strategies import bandits
from tests.examples import examples
from theory import Arm, Bandit, gittins_value, nearest_float, priority_value, rational

HUGE = st.one_of(st.sampled_from([-1e300, -1e16, -1e12, -1e9, 0.0, 1e9, 1e16, 1e300]), st.floats(-1e300, 1e300))
"""Rewards that are not played."""


def fraction_text(number):
    return "{}/{}".format(*number.as_integer_ratio())


def with_unreachable_state(bandit, reward):
    """Return the bandit whose first arm has one more state, which no state leads to but which leads to all."""
    first, *others = bandit.arms
    size = first.size
    rows = [*([*row, 0] for row in first.transitions), [*([f"1/{size + 1}"] * (size + 1))]]
    more = Arm(rewards=[*first.rewards, fraction_text(reward)], transitions=rows)
    return Bandit([more, *others], bandit.discount, bandit.initial)


def with_unplayed_arm(bandit, reward):
    """Return the bandit with one more arm of one state."""
    arms = [*bandit.arms, Arm(rewards=[fraction_text(reward)], transitions=[[1]])]
    return Bandit(arms, bandit.discount, [*bandit.initial, 0])


def scaled(bandit, factor, constant):
    arms = [
        Arm(rewards=[factor * r + constant for r in arm.rewards], transitions=arm.transitions) for arm in bandit.arms
    ]
    return Bandit(arms, bandit.discount, bandit.initial)


def random_order(bandit, seed):
    order = list(bandit.arm_states)
    np.random.default_rng(seed).shuffle(order)
    return [(int(a), int(x)) for a, x in order]


def regret_and_bound(bandit, order):
    """Return the regret of a priority policy in floats, and the bound of its error."""
    made = from_bandit(bandit, "made")
    policy = IndexPolicy.from_priority(order, made.sizes)
    (value, wrong), (best, of_best) = (
        made.value_and_error(one, made.starts[0]) for one in (policy, made.optimal_policy)
    )
    return best - value, wrong + of_best + 4e-16 * (abs(best) + abs(value))


def exact_regret(bandit, order):
    return nearest_float(gittins_value(bandit).value - priority_value(bandit, order).value)


@pytest.mark.parametrize("extended", [with_unreachable_state, with_unplayed_arm])
@examples(25)
@given(bandit=bandits(), reward=HUGE, seed=st.integers(0, 2**16))
def test_reward_that_is_not_played_changes_no_regret(extended, bandit, reward, seed):
    order = random_order(bandit, seed)
    place = seed % (len(order) + 1)
    added = [*order[:place], (0, bandit.arms[0].size), *order[place:]]
    if extended is with_unplayed_arm:
        added, reward = [*order, (len(bandit.arms), 0)], -abs(reward) - 1e3
    (found, bound), (before, small) = regret_and_bound(extended(bandit, reward), added), regret_and_bound(bandit, order)
    assert abs(found - before) <= bound + small
    largest = 1 + max(abs(nearest_float(r)) for arm in bandit.arms for r in arm.rewards)
    assert extended is with_unplayed_arm or bound <= 1e-10 * largest / (1 - nearest_float(bandit.discount))


@examples(35)
@given(
    bandit=bandits(),
    factor=st.sampled_from(["1/1048576", "1/3", "1", "7", "1000000000"]),
    constant=st.sampled_from(["-1000000000000", "-10", "0", "1/7", "1000000", "10000000000000000"]),
    seed=st.integers(0, 2**16),
)
def test_affine_change_of_rewards_scales_regret_by_the_factor(bandit, factor, constant, seed):
    order = random_order(bandit, seed)
    made = scaled(bandit, rational(factor), rational(constant))
    right = exact_regret(bandit, order) * nearest_float(rational(factor))
    meter = RegretMeter(from_bandit(made, "made"))
    found = meter.regret(IndexPolicy.from_priority(order, made.sizes), 0)
    assert abs(found - right) <= CERTAIN + 1e-9 * abs(right)
    judged = judge(from_bandit(made, "made"), IndexPolicy.from_priority(order, made.sizes))
    assert judged.error == 0
    assert judged.regret == pytest.approx(right, rel=1e-15, abs=0)


def two_arms(never):
    """Return arms of .1 and .3 for ever, with a state of reward `never` beside the first; discount 1/2."""
    return Bandit(
        [
            Arm(rewards=["1/10", fraction_text(never)], transitions=[[1, 0], [0, 1]]),
            Arm(rewards=["3/10"], transitions=[[1]]),
        ],
        "1/2",
        [0, 0],
    )


@pytest.mark.parametrize("never", [0.0, -1e9, -1e12, -1e15, -1e16, -1e300, 1e300])
def test_judge_ignores_huge_unreachable_rewards(never):
    made = from_bandit(two_arms(never), "two")
    for each in (made, replace(made, exact=None)):
        judged = judge(each, lambda state: 0)
        assert (judged.value, judged.optimal, judged.regret) == pytest.approx((0.2, 0.6, 0.4), rel=1e-15)
        assert made.value(TablePolicy.from_table([0, 0], made.sizes), [0, 0]) == 0.2
    regret, _ = simulate(
        made, make_agent("random", made, 50), scenario="t", name="random", simulation=0, episodes=50, seed=1
    )
    assert set(regret.round(12)) == {0.0, 0.4}
    read = of_arrays([np.eye(2), [[1.0]]], [[0.1, never], [0.3]], 0.5)
    assert read.rewards.tolist() == made.rewards.tolist()


def test_large_bandit_reports_the_error_of_its_regret(capsys):
    """An arm of 65 states; all rewards are 10^9 and a little, so floats know a regret to a tenth."""
    made = of_arrays([np.eye(65)] * 2, [np.full(65, 1e9), np.full(65, 1e9 + 1)], 0.5)
    meter = RegretMeter(made)
    first = IndexPolicy.from_priority([(a, x) for a in range(2) for x in range(65)], made.sizes)
    assert abs(meter.regret(first, 0) - 2.0) <= meter.error
    assert 1e-6 < meter.error < 1
    judged = judge(made, first)
    assert judged.error == pytest.approx(meter.error)
    simulate(made, make_agent("random", made, 2), scenario="t", name="random", simulation=0, episodes=2, seed=1)
    assert "agent random, simulation 1: regrets are known to 0." in capsys.readouterr().err


def test_environment_refuses_means_that_differ_from_its_rewards():
    made = from_bandit(two_arms(0.0), "two")
    with pytest.raises(ValueError, match=r"two: arm 1, state 1: mean reward 0\.1, but 0\.5 is paid"):
        replace(made, transition_rewards=np.full((2, 2, 1), 0.5), laws=None)
