"""Compiled loops give the same policies, counts and values, to the bit, as `plan`, `play` and `observe` in turn."""

from dataclasses import replace
from itertools import count, product

import numpy as np
import pytest

from mbrl.agents import AGENTS, make_agent
from mbrl.agents.interface import plays_episodes
from mbrl.agents.mb_psrl import MBPSRL
from mbrl.environments import from_bandit, lower_bound, random_walk
from mbrl.experiments.simulation import simulate
from mbrl.kernels.episodes import plan_of
from tests.mbrl.arrays import arrays_of
from tests.mbrl.own_agent import WithoutLoop
from tests.mbrl.test_agents import uneven
from theory import Arm, Bandit, RewardLaw


def with_laws():
    laws = [[RewardLaw.gaussian("1/2", "1/4"), RewardLaw([0, 1], ["1/2", "1/2"], "1/5")], [RewardLaw.constant("3/5")]]
    rows = [[["1/2", "1/2"], ["1/4", "3/4"]], [[1]]]
    means = [[law.mean for law in of_arm] for of_arm in laws]
    arms = [Arm(rewards=means[a], transitions=rows[a], reward_laws=laws[a]) for a in range(2)]
    return from_bandit(Bandit(arms, "9/10", [0, 0]), "laws")


ENVIRONMENTS = [uneven(), lower_bound(np.random.default_rng(1), episodes=10, states=2)]
OPTIONS = ["mb-psrl/next_state=restarted/dirichlet=0.5", "mb-ucbvi/radii=appendix/ties=last/unseen_rows=zero"]
OPTIONS += ["mb-ucbvi/unseen_rows=stay/unseen_reward=0.5/next_state=restarted", "psrl/next_state=restarted"]
OPTIONS += ["mb-ucrl2/radii=appendix/largest_reward=1/unseen_reward=0.25", "ucrl2/next_state=restarted"]
OPTIONS += ["mb-minimax/scale=0.01/cells=50/ties=last"]
OPTIONS += ["mb-ucbvi-bernstein/unseen_rows=zero/unseen_reward=1/radii=appendix"]


EXPECTED = [*product(ENVIRONMENTS, [*AGENTS, *OPTIONS])]
# drawing rewards, or not valuing a policy, does not depend on the learner: one by indices and one by a table are enough
OF_LAWS = [*product([with_laws()], ["mb-psrl-gaussian", "psrl-gaussian"])]
SAMPLED = [*product(ENVIRONMENTS, ["mb-psrl", "psrl"]), *OF_LAWS]


@pytest.mark.parametrize(
    ("environment", "name", "monte_carlo"),
    [
        pytest.param(*each, sampled, id=f"{each[0].name}-{each[1]}{'-sampled' * sampled}")
        for sampled, several in ((False, [*EXPECTED, *OF_LAWS]), (True, SAMPLED))
        for each in several
    ],
)
def test_compiled_loop_equals_plan_and_observe(environment, name, monte_carlo):
    episodes = 40
    fast, slow = (make_agent(name, environment, episodes) for _ in range(2))
    assert plays_episodes(fast)
    key = {"scenario": "test", "name": "same", "simulation": 0, "episodes": episodes, "seed": 3}
    at_once, seconds = simulate(environment, fast, **key, monte_carlo=monte_carlo)
    one_by_one, _ = simulate(environment, WithoutLoop(slow), **key, monte_carlo=monte_carlo)
    if monte_carlo:  # sums of the same terms in another order
        np.testing.assert_allclose(at_once, one_by_one, atol=1e-11)
    else:
        assert (at_once == one_by_one).all()
        assert (at_once >= -1e-7).all()
    assert (seconds > 0).all()
    learnt, step_by_step = (dict(arrays_of({"memory": agent._memory})) for agent in (fast, slow))
    assert len(learnt) >= 1
    assert learnt.keys() == step_by_step.keys()
    for what, array in learnt.items():
        assert np.array_equal(array, step_by_step[what]), what


class Curious(MBPSRL):
    def observe(self, trajectory):
        super().observe(trajectory)
        self.lengths = [*getattr(self, "lengths", []), trajectory.length]


def test_overridden_observe_is_called_in_every_episode(monkeypatch):
    monkeypatch.setattr("mbrl.experiments.simulation.perf_counter", count().__next__)  # planning, learning: 1 each
    walk = random_walk()
    agents = Curious(problem_of(walk)), MBPSRL(problem_of(walk))
    key = {"scenario": "test", "name": "same", "simulation": 0, "episodes": 10, "seed": 3}
    (slow, seconds), (fast, _) = (simulate(walk, agent, **key) for agent in agents)
    assert (seconds == 2).all()
    assert len(agents[0].lengths) == 10
    assert (slow == fast).all()


def problem_of(environment):
    return make_agent("mb-psrl", environment, 10)._problem


def test_plan_holds_a_value_for_every_initial_state(monkeypatch):
    counts_of_starts = []

    def seen(memory, starts):
        counts_of_starts.append(starts)
        return plan_of(memory, starts)

    monkeypatch.setattr("mbrl.agents.learner.plan_of", seen)
    model = uneven()
    starts = np.array([[0, 0], [0, 1], [0, 2]])  # more than arms
    model = replace(model, starts=starts, start_law=np.full(3, 1 / 3))
    simulate(model, make_agent("oracle", model, 2), scenario="t", name="n", simulation=0, episodes=2, seed=1)
    assert counts_of_starts == [3]
