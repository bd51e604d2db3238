"""Every learner through the one interface; optimism; the registry."""

from dataclasses import replace

import numpy as np
import pytest

from mbrl.agents import Problem, make_agent
from mbrl.agents.gittins_q import GittinsQ
from mbrl.environments import from_bandit, random_model, random_walk, task_scheduling
from mbrl.experiments.simulation import play, simulate
from theory import Arm, Bandit, BanditError


def uneven(least=1, most=1, start=(0, 0)):
    """Two arms of different sizes, with rewards 0 or 1; reward laws would compile every loop again."""
    small = Arm(rewards=[least], transitions=[[1]])
    large = Arm(rewards=[0, "1/2", most], transitions=[["1/2", "1/2", 0], [0, "1/2", "1/2"], ["1/2", 0, "1/2"]])
    return replace(from_bandit(Bandit([small, large], "9/10", start), "uneven"), laws=None)


def run(environment, name, episodes=60, seed=1):
    agent = make_agent(name, environment, episodes)
    names = {"scenario": "test", "name": name}
    return simulate(environment, agent, **names, simulation=0, episodes=episodes, seed=seed)


def test_oracle_has_zero_regret():
    assert np.abs(run(random_walk(), "oracle")[0]).max() <= 1e-12
    assert np.abs(run(task_scheduling(), "oracle", 5)[0]).max() <= 1e-12


@pytest.mark.parametrize("name", ["mb-psrl", "mb-psrl-gaussian", "mb-ucrl2", "psrl", "gittins-q"])
def test_learners_cut_regret_to_a_quarter_of_random_play(name):
    arms = [Arm(rewards=[p], transitions=[[1]]) for p in ("1/5", "4/5", "1/2")]
    environment = replace(from_bandit(Bandit(arms, "9/10", [0, 0, 0]), "three coins"), laws=None)
    regret, _ = run(environment, name, 1500)
    assert regret[-200:].mean() < 0.25 * run(environment, "random", 200)[0].mean()


@pytest.mark.parametrize("close", [1e-6, 1e-8])
@pytest.mark.parametrize("name", ["mb-psrl", "mb-ucrl2", "mb-ucbvi", "mb-ucbvi-bernstein", "psrl", "ucrl2"])
def test_learners_never_exceed_the_optimum_next_to_discount_1(name, close):
    rng = np.random.default_rng(1)
    truth = replace(random_model(rng, arms=2), discount=1 - close)
    agent = make_agent(name, truth, 100)
    start = truth.starts[0]
    optimal = truth.value(truth.optimal_policy, start)
    for _ in range(25):
        policy = agent.plan(rng)
        assert truth.value(policy, start) <= optimal * (1 + 1e-12)
        if name == "mb-ucrl2":
            assert agent.values[0] + agent.gap >= optimal
            assert agent.gap <= 2e-14 / close * agent.values.max()
        agent.observe(play(truth, policy, start, 50, rng))


def test_gittins_q_plays_arms_with_softmax_frequencies():
    problem = Problem(np.array([1, 1, 1]), 0.5, 1)
    agent = GittinsQ(problem, first_temperature=0.5, last_temperature=0.5)
    agent._memory.values[:, 0, 0] = [0.0, 1.0, 2.0]  # indices 0, 1/2, 1
    rng = np.random.default_rng(1)
    first = np.bincount([agent.plan(rng).order[0] for _ in range(20_000)], minlength=3) / 20_000
    weights = np.exp(np.array([0.0, 0.5, 1.0]) / 0.5)
    np.testing.assert_allclose(first, weights / weights.sum(), atol=0.015)


def test_gittins_q_learns_the_indices_of_a_known_arm():
    arm = Arm(rewards=[0, 1], transitions=[["1/2", "1/2"]] * 2)
    environment = from_bandit(Bandit([arm], "1/2", [0]), "one arm")
    agent = GittinsQ(Problem(environment.sizes, 0.5, 1))
    rng = np.random.default_rng(1)
    agent.observe(play(environment, environment.optimal_policy, environment.starts[0], 200_000, rng))
    learned = 0.5 * np.diagonal(agent._memory.values[0])
    # from state 0, playing on while in state 1 earns 1/4 * 4/3 in a time of 1 + 1/4 * 4/3
    np.testing.assert_allclose(learned, [1 / 4, 1], atol=0.03)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no.such.module:Agent", "cannot be imported"),
        ("tests.mbrl.own_agent:Nobody", "cannot be imported"),
        ("tests.mbrl.own_agent:NOT_CALLABLE", "is not a class or function"),
        ("lacking:Agent", r"ModuleNotFoundError: No module named 'nowhere' \(.*lacking\.py, line 2"),
        ("tests.mbrl.misbehaving_agents:Abstract", "raised TypeError: Can't inst"),
        ("tests.mbrl.misbehaving_agents:Absent", "raised KeyError: 'observe'"),
    ],
)
def test_error_names_the_learner_that_cannot_be_made(tmp_path, monkeypatch, name, words):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "lacking.py").write_text("\nimport nowhere\n", encoding="utf-8")
    with pytest.raises(BanditError, match=rf"^agent '?{name}.*{words}"):
        make_agent(name, random_walk(), 1)


@pytest.mark.parametrize(("name", "most"), [("mb-ucrl2", 2**20), ("psrl", 512), ("ucrl2", 512), ("ucbvi", 512)])
def test_learners_on_the_product_refuse_scenario_2(name, most):
    with pytest.raises(BanditError, match=f"2357947691 global states are beyond {most}[,;]"):
        make_agent(name, task_scheduling(), 1)
