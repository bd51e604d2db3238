"""Learners break ties of exact arithmetic (equal indices or gains) in favour of the first arm, or of the last."""

from itertools import product

import numpy as np
import pytest
from flint import fmpq

from mbrl.agents import make_agent
from mbrl.confidence import appendix_step, reward_radius, transition_radius, value_bonus
from mbrl.environments import Environment, random_walk
from mbrl.experiments.seeds import generator
from mbrl.experiments.simulation import horizons, play
from mbrl.kernels.gittins import settle_ties
from mbrl.policies import IndexPolicy
from theory import Action, Arm, Bandit, DecisionProcess, gittins_indices, value_of_float
from theory.optimism import extended_process

EPISODES = 1000


def equal_arms(arms, states, discount=0.9):
    """Return copies of one arm, a ring with steps of 0, 1 and 2 states in which every second state pays."""
    rows = np.zeros((states, states))
    for x in range(states):
        for step, share in ((0, 0.25), (1, 0.5), (2, 0.25)):
            rows[x, (x + step) % states] += share
    paid = np.arange(states) % 2 / 2
    return Environment(
        "alike",
        np.repeat(rows[None], arms, axis=0),
        np.repeat(paid[None, :, None], arms, axis=0),
        np.full(arms, states),
        discount,
        [[0] * arms],
    )


def plans(environment, name, episodes):
    """Yield the plans of the first episodes of a learner, each with the learner's memory."""
    agent, length = make_agent(name, environment, EPISODES), horizons(environment, "ties", 0, episodes, 1)
    planning, playing = (generator(1, "ties", 0, name, purpose) for purpose in ("plan", "play"))
    for k in range(episodes):
        policy = agent.plan(planning)
        yield policy, agent._memory
        agent.observe(play(environment, policy, environment.starts[0], int(length[k]), playing))


def believed(memory, environment, name):
    """Return the optimist's arms: estimated rows, quotients of counts, and means with the bonus or radius in floats."""
    counts, discount = memory.counts, environment.discount
    visits, (step, episode) = counts.moves.sum(axis=2), counts.coming
    means = np.divide(counts.sums, visits, out=np.full(visits.shape, 0.5 * ("reward" in name)), where=visits > 0)
    pairs, width = visits.size, visits.shape[1]
    time = appendix_step(EPISODES, episode, discount) if "appendix" in name else float(step)
    if name == "mb-ucrl2":
        means += reward_radius(visits, pairs, EPISODES, time)
    else:
        means += [[value_bonus(seen, pairs, EPISODES, time, discount) for seen in of_arm] for of_arm in visits]
    radii = transition_radius(visits, pairs, width, EPISODES, time)
    unseen = np.eye(width, dtype=int) if "stay" in name else np.ones((width, width), dtype=int)
    return [
        Arm(
            rewards=map(value_of_float, means[a]),
            transitions=[
                [fmpq(int(m), int(row.sum())) for m in row]
                for row in (counts.moves[a, x] if visits[a, x] else unseen[x] for x in range(width))
            ],
            transition_radius=map(value_of_float, radii[a]),
        )
        for a in range(len(visits))
    ]


def best_arms(arms, environment, name):
    """Return the arms that are optimal in each global state, exactly."""
    states, discount = list(product(*map(range, environment.sizes.tolist()))), value_of_float(environment.discount)
    if name == "mb-ucrl2":
        return extended_process(Bandit(arms, discount, [0] * len(arms))).solve().optimal
    if name == "ucbvi":  # whose arms have a row for each global state

        def actions(state):
            g = states.index(state)
            return [Action(a, arm.rewards[g], states, arm.transitions[g]) for a, arm in enumerate(arms)]

        return DecisionProcess(states, discount, actions).solve().optimal
    exact = [gittins_indices(arm, discount) for arm in arms]
    worth = {state: [exact[a][x] for a, x in enumerate(state)] for state in states}
    return {state: [a for a, index in enumerate(of) if index == max(of)] for state, of in worth.items()}


def played_arms(policy, sizes):
    """Yield each global state with the arm that is played in it."""
    for g, state in enumerate(product(*map(range, sizes.tolist()))):
        if isinstance(policy, IndexPolicy):
            indices = np.array([policy.indices[a, x] for a, x in enumerate(state)])
            yield state, np.flatnonzero(indices == indices.max())[-1 if policy.ties == "last" else 0]
        else:
            yield state, policy.table[g]


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        ("mb-ucbvi", random_walk()), ("mb-ucbvi/ties=last", random_walk()), ("mb-ucbvi", equal_arms(3, 5)),
        ("mb-ucbvi/ties=last", equal_arms(3, 4)), ("mb-ucbvi/unseen_reward=0.5", equal_arms(4, 3)),
        ("mb-ucbvi/radii=appendix", equal_arms(2, 6)), ("mb-ucbvi/unseen_rows=stay", equal_arms(3, 4)),
        *product(["mb-ucrl2", "ucbvi"], [equal_arms(2, 3, 0.5), equal_arms(3, 2)]),
    ],
)  # fmt: skip
def test_optimists_play_the_first_or_last_arm_of_exactly_optimal_ones(name, environment):
    ties = 0
    for policy, memory in plans(environment, name, 30):
        best = best_arms(believed(memory, environment, name), environment, name)
        for state, played in played_arms(policy, environment.sizes):
            assert played == (max if "last" in name else min)(best[state])
            ties += len(best[state]) > 1
    assert ties > 20


def settled(indices, largest=0.0):
    found, order = np.array(indices), np.arange(np.size(indices))
    settle_ties(found, largest, order)
    flat = found.ravel()
    assert (flat[order][:-1] >= flat[order][1:]).all()
    return found.tolist()


def test_settle_ties_equates_indices_that_differ_by_rounding():
    up, far = 180.0 * (1 + 2.0**-52), 180.0 * (1 + 1e-12)
    assert settled([[180.0, 3.0], [2.0, up]]) == [[up, 3.0], [2.0, up]]
    assert settled([[180.0, 3.0], [2.0, far]]) == [[180.0, 3.0], [2.0, far]]
    assert settled([[up, 180.0], [3.0, -np.inf]]) == [[up, up], [3.0, -np.inf]]
    assert settled([[-np.inf, 0.0], [1e-16, -np.inf]]) == [[-np.inf, 0.0], [1e-16, -np.inf]]
    assert settled([[-np.inf, 0.0], [1e-16, -np.inf]], largest=1.0) == [[-np.inf, 1e-16], [1e-16, -np.inf]]
    assert settled([[-180.0, 3.0], [-up, 2.0]]) == [[-180.0, 3.0], [-180.0, 2.0]]


def test_settle_ties_does_not_depend_on_the_given_order():
    rng = np.random.default_rng(1)
    found = np.round(rng.random((5, 4)), 1) * (1 + 2.0**-50 * rng.random((5, 4)))
    results = set()
    for seed in range(5):
        again, order = found.copy(), np.random.default_rng(seed).permutation(20)
        settle_ties(again, 0.0, order)
        results.add(again.tobytes())
    assert len(results) == 1
    assert np.unique(again).size == np.unique(np.round(found, 1)).size
