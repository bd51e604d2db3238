"""`judge` against exact arithmetic, and on a policy of Stable-Baselines3."""

import json
import math
import sys
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbrl.environments import from_bandit, lower_bound, random_walk, task_scheduling
from mbrl.examples.other_library import MODEL, train_and_judge
from mbrl.experiments.judging import judge
from mbrl.policies import IndexPolicy, TablePolicy
from proofs_checks.trials.strategies import bandits
from tests.examples import examples
from tests.mbrl.command_line import mbrl, refused
from theory import Bandit, BanditError, gittins_value, nearest_float, paper_model, policy_value, read_model
from theory.values import priority_value


@examples(30)
@given(bandit=bandits(), seed=st.integers(0, 2**16))
def test_judge_matches_exact_value_and_regret(bandit, seed):
    environment = from_bandit(bandit, "any")
    rng = np.random.default_rng(seed)
    arms = {state: int(rng.integers(len(bandit.arms))) for state in product(*map(range, bandit.sizes))}
    judged = judge(environment, lambda state: arms[tuple(map(int, state))])
    start = bandit.start()
    value, optimal = policy_value(bandit, arms)[start], gittins_value(bandit, start).value
    largest = max(abs(nearest_float(r)) for arm in bandit.arms for r in arm.rewards)
    scale = max(1.0, largest) / (1 - environment.discount)
    assert abs(judged.value - nearest_float(value)) <= 1e-12 * scale
    assert abs(judged.optimal - nearest_float(optimal)) <= 1e-12 * scale
    assert abs(judged.regret - nearest_float(optimal - value)) <= 1e-12 * scale


def test_judge_accepts_policies_and_functions_alike():
    walk = random_walk()
    optimal = judge(walk, walk.optimal_policy)
    assert (optimal.regret, optimal.global_states) == (0, 0)
    assert optimal.value == pytest.approx(nearest_float(gittins_value(paper_model("random-walk")).value))
    first = judge(walk, TablePolicy.from_table(np.zeros(64, dtype=int), walk.sizes))
    of_function = judge(walk, lambda state: 0)
    assert (first.value, first.regret) == (of_function.value, of_function.regret)
    assert of_function.global_states == 4  # only arm 1 ever moves
    assert judge(walk, "tests.mbrl.test_judging:first_arm") == of_function
    assert judge(task_scheduling(), task_scheduling().optimal_policy).regret == 0


def test_judge_averages_over_initial_states():
    drawn = lower_bound(np.random.default_rng(1), episodes=10)
    judged = judge(drawn, lambda state: 0)
    best, first = drawn.rewards.max(axis=0), drawn.rewards[0]
    assert judged.regret == pytest.approx((best - first).mean() / (1 - drawn.discount))


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (lambda state: 3, r"plays 3 in global state \(0, 0, 0\); arms are integers 0..2"),
        (lambda state: -1, "plays -1 in"), (lambda state: 0.5, "plays 0.5 in"),
        (lambda state: [0, 1], r"plays \[0, 1\] in"), (lambda state: None, "plays None in"),
        (math.sin, "raised TypeError: only 0-dim"),  # no line of the user's code to name
        (lambda state: state[5], "raised IndexError: .*test_judging.py, line"),
    ],
)  # fmt: skip
def test_judge_refuses_functions_that_return_no_arm(play, words):
    with pytest.raises(BanditError, match=words):
        judge(random_walk(), play)


def test_judge_refuses_too_many_states_or_other_arms():
    with pytest.raises(BanditError, match="not 2357947691; an IndexPolicy is judged on any number"):
        judge(task_scheduling(), lambda state: 0)
    with pytest.raises(BanditError, match="other arms"):
        judge(random_walk(), IndexPolicy.from_indices([[1.0]], [1]))


def first_arm(state):
    return 0


NO_POLICY = 3


def test_judge_command_prints_exact_value_and_regret():
    words = ("judge", "random-walk", "tests.mbrl.test_judging:first_arm", "--discount", "1/2")
    printed = json.loads(mbrl(*words, "--json").stdout)
    walk = paper_model("random-walk")
    bandit = Bandit(walk.arms, "1/2", walk.initial)
    exact = policy_value(bandit, dict.fromkeys(product(range(4), repeat=3), 0))[bandit.start()]
    assert printed["value"] == pytest.approx(nearest_float(exact), rel=1e-14)
    assert printed["optimal"] == pytest.approx(nearest_float(gittins_value(bandit).value), rel=1e-14)
    *_, heads, row = mbrl(*words).stdout.splitlines()
    assert heads.split() == ["policy", "value", "optimal", "value", "regret", "per", "episode"]
    assert row.split() == [words[2], *(f"{printed[key]:.10g}" for key in ("value", "optimal", "regret"))]
    order = [f"a{a}s{x}" for a in (1, 2, 3) for x in (1, 2, 3, 4)]
    ranked = json.loads(mbrl("judge", "random-walk", ",".join(order), "--json").stdout)
    assert ranked["value"] == pytest.approx(nearest_float(priority_value(walk, walk.priority(order)).value), rel=1e-14)
    assert "10 of 12 states missing" in refused("judge", "random-walk", "a1s1,a1s2")
    assert "cannot be imported" in refused("judge", "random-walk", "tests.mbrl.test_judging:nothing")
    error = refused("judge", "random-walk", "tests.mbrl.test_judging:NO_POLICY")
    assert "is not a function of the global state, but int" in error


class StandIn:
    """A stand-in for Stable-Baselines3's DQN that plays arm 1 before training and arm 0 after it."""

    arm = 1

    def __init__(self, policy, env, *, gamma, **_):
        assert (policy, gamma, env.unwrapped.environment.discount) == ("MlpPolicy", 1.0, 0.9)

    def learn(self, steps):
        assert steps == 8000
        self.arm = 0

    def predict(self, state, deterministic):
        return np.array(self.arm if deterministic else 1), None


@pytest.mark.parametrize("stands_in", [True, False])
def test_judge_values_a_policy_of_stable_baselines(monkeypatch, stands_in):
    if stands_in:
        monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(set_num_threads={1: None}.__getitem__))
        monkeypatch.setitem(sys.modules, "stable_baselines3", SimpleNamespace(DQN=StandIn))
    pytest.importorskip("stable_baselines3", reason="needs the extra 'rl'")
    before, after = train_and_judge()
    optimal = nearest_float(gittins_value(read_model(MODEL)).value)
    for judged in (before, after):
        assert judged.optimal == pytest.approx(optimal, rel=1e-12)
        assert judged.value + judged.regret == pytest.approx(optimal, rel=1e-12)
        assert judged.regret >= 0
    assert after.regret < before.regret
