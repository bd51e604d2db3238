"""Learners break ties of exact arithmetic (equal indices or gains) in favour of the first arm, or of the last."""

from itertools import permutations, product

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
from tests.mbrl.counting import estimates
from theory import Action, Arm, Bandit, DecisionProcess, gittins_indices, value_of_float
from theory.optimism import extended_process


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


def plans(environment, name, episodes, simulation=0):
    """Yield the plans of the first episodes of a learner (with K = 1000), each with the learner's memory."""
    agent, length = make_agent(name, environment, 1000), horizons(environment, "ties", simulation, episodes, 1)
    planning, playing = (generator(1, "ties", simulation, name, purpose) for purpose in ("plan", "play"))
    for k in range(episodes):
        policy = agent.plan(planning)
        yield policy, agent._memory
        agent.observe(play(environment, policy, environment.starts[0], int(length[k]), playing))


def estimated(memory, sizes, unseen=0.0, unseen_rows="uniform"):
    """Return visits, mean rewards, and rows as the quotients of counts that they are, by arm and state."""
    counts = memory.counts
    visits, means, _ = estimates(counts, sizes, unseen)
    exact = [
        [
            [fmpq(int(m), int(counts.moves[a, x].sum())) for m in counts.moves[a, x, :size]]
            if visits[a, x]
            else [fmpq(1, int(size)) if unseen_rows == "uniform" else fmpq(int(y == x)) for y in range(size)]
            for x in range(size)
        ]
        for a, size in enumerate(sizes)
    ]
    return visits, means, exact


def first(worth, last_first):
    best = max(worth)
    places = [place for place, one in enumerate(worth) if one == best]
    return places[-1 if last_first else 0]


def arms_of(policy, sizes):
    """Return the arm that is played, by global state."""
    states = list(product(*map(range, sizes)))
    if not isinstance(policy, IndexPolicy):
        return dict(zip(states, policy.table.tolist(), strict=True))
    return {
        state: first([policy.indices[a, x] for a, x in enumerate(state)], policy.ties == "last") for state in states
    }


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        ("mb-ucbvi", random_walk()), ("mb-ucbvi/ties=last", random_walk()), ("mb-ucbvi", equal_arms(3, 5)),
        ("mb-ucbvi/ties=last", equal_arms(3, 4)), ("mb-ucbvi/unseen_reward=0.5", equal_arms(4, 3)),
        ("mb-ucbvi/radii=appendix", equal_arms(2, 6)), ("mb-ucbvi/unseen_rows=stay", equal_arms(3, 4)),
    ],
)  # fmt: skip
def test_mb_ucbvi_breaks_ties_of_exact_indices_by_arm(name, environment):
    sizes, episodes, ties = environment.sizes.tolist(), 1000, 0
    unseen = 0.5 if "reward" in name else 0.0
    for policy, memory in plans(environment, name, 30):
        rows_of = "stay" if "stay" in name else "uniform"
        visits, means, rows = estimated(memory, environment.sizes, unseen, rows_of)
        step, episode = memory.counts.coming
        time = appendix_step(episodes, episode, environment.discount) if memory.appendix else float(step)
        optimistic = [
            [
                m + value_bonus(v, memory.arm_states, episodes, time, environment.discount)
                for v, m in zip(*of, strict=True)
            ]
            for of in zip(visits, means, strict=True)
        ]
        arms = [Arm(rewards=map(value_of_float, r), transitions=row) for r, row in zip(optimistic, rows, strict=True)]
        exact = [gittins_indices(arm, value_of_float(environment.discount)) for arm in arms]
        for state, played in arms_of(policy, sizes).items():
            worth = [exact[a][x] for a, x in enumerate(state)]
            assert played == first(worth, "last" in name)
            ties += worth.count(max(worth)) > 1
    assert ties > 30 * len(sizes)  # there are many


@pytest.mark.parametrize("simulation", range(4))
@pytest.mark.parametrize("environment", [equal_arms(2, 3, 0.5), equal_arms(3, 2)])
def test_mb_ucrl2_plays_the_first_arm_of_maximal_exact_gain(environment, simulation):
    sizes, episodes, ties = environment.sizes.tolist(), 1000, 0
    for policy, memory in plans(environment, "mb-ucrl2", 24, simulation):
        visits, means, rows = estimated(memory, environment.sizes)
        width, pairs, step = environment.rewards.shape[1], memory.arm_states, float(memory.counts.coming[0])
        arms = [
            Arm(
                rewards=[
                    value_of_float(m + reward_radius(v, pairs, episodes, step))
                    for m, v in zip(means[a], visits[a], strict=True)
                ],
                transitions=rows[a],
                transition_radius=[
                    value_of_float(transition_radius(v, pairs, width, episodes, step)) for v in visits[a]
                ],
            )
            for a in range(len(sizes))
        ]
        best = extended_process(Bandit(arms, value_of_float(environment.discount), [0] * len(sizes))).solve().optimal
        for state, played in arms_of(policy, sizes).items():
            assert played == min(best[state])
            ties += len(best[state]) > 1
    assert ties >= 16


@pytest.mark.parametrize("simulation", range(4))
@pytest.mark.parametrize("environment", [equal_arms(2, 3, 0.5), equal_arms(3, 2)])
def test_ucbvi_plays_the_first_exactly_optimal_action(environment, simulation):
    sizes, episodes, ties = environment.sizes.tolist(), 1000, 0
    count = int(np.prod(sizes))
    for policy, memory in plans(environment, "ucbvi", 24, simulation):
        visits, means, rows = estimated(memory, np.full(len(sizes), count))
        step = memory.counts.coming[0]
        bonus = [[value_bonus(v, visits.size, episodes, step, environment.discount) for v in of] for of in visits]

        def actions(g, means=means, bonus=bonus, rows=rows):
            return [
                Action(a, value_of_float(means[a, g] + bonus[a][g]), range(count), rows[a][g])
                for a in range(len(sizes))
            ]

        solved = DecisionProcess(range(count), value_of_float(environment.discount), actions).solve().optimal
        for g, played in enumerate(policy.table.tolist()):
            assert played == min(solved[g])
            ties += len(solved[g]) > 1
    assert ties > 20


@pytest.mark.parametrize("options", ["", "/scale=0.01"])
@pytest.mark.parametrize("environment", [equal_arms(3, 4), random_walk()])
def test_mb_minimax_gives_equal_indices_to_equal_counts(environment, options):
    # indices lie on a grid; every pair of arms and every renaming of states is compared
    equal, arms, states = 0, len(environment.sizes), range(4)
    for policy, memory in plans(environment, f"mb-minimax{options}", 12):
        moves, sums = memory.counts.moves, memory.counts.sums
        for a, b, names in product(range(arms), range(arms), map(list, permutations(states))):
            if (moves[a] == moves[b][np.ix_(names, names)]).all() and (sums[a] == sums[b, names]).all():
                assert (policy.indices[a] == policy.indices[b, names]).all()
                equal += a != b
    assert equal > 24


@pytest.mark.parametrize("name", ["mb-psrl", "psrl"])
def test_posterior_draws_have_no_ties(name):
    environment = equal_arms(3, 2)
    for policy, memory in plans(environment, name, 20):
        drawn = policy.indices if isinstance(policy, IndexPolicy) else memory.rewards
        assert np.unique(drawn).size == drawn.size


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
