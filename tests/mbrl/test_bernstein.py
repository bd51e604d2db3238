"""MB-UCBVI with a bonus from local variances: its formula by exact retirement functions; optimism on a true model."""

from math import log, sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mbrl.agents import make_agent
from mbrl.confidence import bernstein_bonus
from mbrl.environments import from_bandit, with_rewards
from mbrl.experiments.simulation import play
from mbrl.kernels import bandit_indices
from mbrl.kernels.retirement import local_variances
from mbrl.policies import IndexPolicy
from tests.examples import examples
from theory import Arm, Bandit, nearest_float, rational
from theory.rationals import value_of_float
from theory.values import extreme_functions, optimal_value

BETA, B, STATES, ARMS = 3 / 4, 4, 2, 2
MODELS = [
    Arm(rewards=["1/5", "9/10"], transitions=[["1/2", "1/2"], ["1/4", "3/4"]]),
    Arm(rewards=["3/5", 0], transitions=[["9/10", "1/10"], ["1/3", "2/3"]]),
]
TRUTH = Bandit(MODELS, "3/4", [0, 0])


def fractions_of(weights):
    return [rational(f"{weight}/{sum(weights)}") for weight in weights]


@st.composite
def small_arms(draw):
    size = draw(st.integers(1, 4))
    weights = st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any)
    rewards = [rational(f"{draw(st.integers(0, 8))}/8") for _ in range(size)]
    return Arm(rewards=rewards, transitions=[fractions_of(draw(weights)) for _ in range(size)])


def floats_of(arm):
    rows = np.array([[nearest_float(p) for p in row] for row in arm.transitions])
    return rows, np.array([nearest_float(reward) for reward in arm.rewards])


@examples(35)
@given(arm=small_arms(), beta=st.sampled_from(["0", "1/2", "9/10"]))
def test_local_variances_equal_the_maximum_over_exact_retirements(arm, beta):
    rows, rewards = floats_of(arm)
    _, functions = extreme_functions(arm, beta)
    found = np.empty(arm.size)
    local_variances(rows, rewards, nearest_float(rational(beta)), found)
    exact = []
    for row in arm.transitions:
        means = [sum(p * f for p, f in zip(row, phi, strict=True)) for phi in functions]
        squares = [sum(p * f * f for p, f in zip(row, phi, strict=True)) for phi in functions]
        exact.append(nearest_float(max(s - m * m for s, m in zip(squares, means, strict=True))))
    np.testing.assert_allclose(found, exact, rtol=1e-9, atol=1e-12)


def test_bernstein_bonus_matches_hand_computation():
    # 2 S n K t = 2 * 4 * 3 * 3000 * 101 = 7 272 000, B = 100
    logarithm = log(7_272_000)
    visits = np.array([0.0, 1.0, 2.0, 10_001.0, 10_001.0, 10_001.0])
    variances = np.array([0.0, 0.0, 0.0, 0.0, 4.0, 2500.0])
    few = 7 * 100 * logarithm / 30_000
    printed = [100 * sqrt(logarithm / 2), 100 * sqrt(logarithm / 2), 100 * sqrt(logarithm / 4)]
    expected = [*printed, few, sqrt(8 * logarithm / 10_001) + few, 100 * sqrt(logarithm / 20_002)]
    np.testing.assert_allclose(bernstein_bonus(visits, variances, 12, 3000, 101, 0.99), expected, rtol=1e-12)


def learner_snapshots(episodes, each, seed=3):
    """Yield, before every `each`-th episode, the learner, its policy, its observations by arm state, and t_k."""
    environment, rng = with_rewards(from_bandit(TRUTH, "two arms"), "bernoulli"), np.random.default_rng(seed)
    agent = make_agent("mb-ucbvi-bernstein", environment, episodes)
    seen, step = {(a, x): [] for a in range(ARMS) for x in range(STATES)}, 1
    for k in range(episodes):
        policy = agent.plan(rng)
        if k % each == 0:
            yield agent, policy, seen, step
        if rng.random() < 0.3:  # so that other states are visited too
            policy = IndexPolicy.from_indices(rng.random((ARMS, STATES)), environment.sizes)
        episode = play(environment, policy, environment.starts[0], int(rng.geometric(1 - BETA)), rng)
        agent.observe(episode)
        step += episode.length
        for a, x, y, reward in zip(episode.arms, episode.states, episode.next_states, episode.rewards, strict=True):
            seen[int(a), int(x)].append((int(y), int(reward)))


def estimated(seen, a):
    """Return the estimated arm, exactly."""
    rewards, rows = [], []
    for x in range(STATES):
        moves = seen[a, x]
        after = [sum(y == z for y, _ in moves) for z in range(STATES)] if moves else [1] * STATES
        rows.append(fractions_of(after))
        rewards.append(rational(f"{sum(reward for _, reward in moves)}/{max(1, len(moves))}"))
    return Arm(rewards=rewards, transitions=rows)


def bonuses(seen, a, arm, episodes, step):
    """Return the bonus of every state by the formula, and the printed one; assert a bound on the joint spread."""
    _, functions = extreme_functions(arm, TRUTH.discount)
    logarithm, found, printed = log(2 * STATES * ARMS * episodes * step), [], []
    for x in range(STATES):
        after, paid = (np.array([move[i] for move in seen[a, x]], dtype=int) for i in range(2))
        visits = max(1, len(paid))
        printed.append(B * sqrt(logarithm / (2 * visits)))
        found.append(printed[-1])
        if len(paid) > 1:
            phis = [np.array([nearest_float(value) for value in phi])[after] for phi in functions]
            spread = np.std(paid, ddof=1) + BETA * max(np.std(phi, ddof=1) for phi in phis)
            assert all(np.std(paid + BETA * phi, ddof=1) <= spread + 1e-12 for phi in phis)
            of_variance = sqrt(2 * spread**2 * logarithm / visits) + 7 * B * logarithm / (3 * (visits - 1))
            found[-1] = min(found[-1], of_variance)
    return np.array(found), np.array(printed)


def is_optimistic(arms, bonus, share):
    """Return whether estimates plus bonus are worth at least the true bandit in every global state, exactly."""
    believed = [
        Arm(
            rewards=[r + share * value_of_float(b) for r, b in zip(arm.rewards, of, strict=True)],
            transitions=arm.transitions,
        )
        for arm, of in zip(arms, bonus, strict=True)
    ]
    values = optimal_value(Bandit(believed, TRUTH.discount, [0, 0])).values
    return all(values[state] >= value for state, value in optimal_value(TRUTH).values.items())


def test_learner_plays_by_the_bonus_formula_and_is_optimistic_throughout_a_short_run():
    """Optimism is observed, not proved. With a hundredth of the bonus it is lost, so the check can fail."""
    episodes, smaller, small = 900, 0, []
    for agent, policy, seen, step in learner_snapshots(episodes, 60):
        arms = [estimated(seen, a) for a in range(ARMS)]
        bonus, printed = np.transpose([bonuses(seen, a, arm, episodes, step) for a, arm in enumerate(arms)], (1, 0, 2))
        rows, means = map(np.array, zip(*map(floats_of, arms), strict=True))
        expected = bandit_indices(rows, means + bonus, [STATES] * ARMS, BETA)
        np.testing.assert_allclose(agent._memory.indices, expected, rtol=1e-9)
        played = expected.ravel()[policy.order]  # floats may order ties either way
        assert (np.diff(played) <= 1e-9 * np.abs(played[1:])).all()
        smaller += (bonus < printed).sum()
        assert is_optimistic(arms, bonus, rational(1))
        small.append(is_optimistic(arms, bonus, rational("1/100")))
    assert smaller > 8
    assert not all(small)
