from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from theory import paper

HALF = fmpq(1, 2)
eighths = st.integers(0, 8).map(lambda numerator: fmpq(numerator, 8))
gaps = st.integers(1, 8).map(lambda numerator: fmpq(numerator, 8))


def two_sided(S, n, beta, gap):
    return paper.BestArmPrior(S, n, beta, (1 - gap) / 2, (1 + gap) / 2)


def majority_errors(gap, most):
    """Posterior error of two arms after t = 0..most pulls: each is a vote, right with probability (1+gap)/2."""
    right, errors = (1 + gap) / 2, []
    for t in range(most + 1):
        chances = [comb(t, good) * right**good * (1 - right) ** (t - good) for good in range(t + 1)]
        errors.append(sum(chances[: (t + 1) // 2], fmpq(0)) + (HALF * chances[t // 2] if t % 2 == 0 else 0))
    return errors


def best_of_all_decision_trees(n, base, best, horizon):
    """The smallest Bayesian regret over every deterministic learner, each a table from reward histories to arms."""
    histories = [history for t in range(horizon) for history in product((0, 1), repeat=t)]
    smallest = None
    for arms in product(range(n), repeat=len(histories)):
        table = dict(zip(histories, arms, strict=True))
        regret = Fraction(0)
        for right in range(n):
            for rewards in product((0, 1), repeat=horizon):
                chance, wrong = Fraction(1, n), 0
                for t in range(horizon):
                    arm = table[rewards[:t]]
                    mean = best if arm == right else base
                    chance *= mean if rewards[t] else 1 - mean
                    wrong += arm != right
                regret += chance * wrong * (best - base)
        smallest = regret if smallest is None else min(smallest, regret)
    return smallest


def test_prior_lists_every_choice_of_best_arms_once():
    prior = paper.BestArmPrior(S=2, n=3, discount="1/2", base="1/4", best="3/4")
    models = dict(prior.models())
    assert set(models) == set(product(range(3), repeat=2))
    for best_arms, bandit in models.items():
        for state in range(2):
            paying = [arm.rewards[state] for arm in bandit.arms]
            assert [paying.index(fmpq(3, 4)), paying.count(fmpq(3, 4))] == [best_arms[state], 1]
        assert all(arm.transitions == ((1, 0), (0, 1)) for arm in bandit.arms)
        assert bandit.discount == HALF


@given(st.integers(1, 3), st.integers(1, 3), st.sampled_from([fmpq(0), fmpq(1, 3), fmpq(4, 5)]))
def test_visit_law_matches_enumeration(S, K, beta):
    longest = 6
    horizon = [0, *((1 - beta) * (beta ** (h - 1) if h > 1 else 1) for h in range(1, longest + 1))]
    law = [fmpq(0)] * (longest + 1)
    for lengths in product(range(longest + 1), repeat=K):  # 0: the episode starts elsewhere
        if sum(lengths) <= longest:
            chance = fmpq(1)
            for h in lengths:
                chance *= fmpq(1, S) * horizon[h] if h else 1 - fmpq(1, S)
            law[sum(lengths)] += chance
    assert paper.visit_law(S, K, beta, longest) == law


@pytest.mark.parametrize(("S", "K", "beta"), [(1, 5, "1/2"), (3, 4, "2/3"), (2, 7, "0"), (4, 16, "1/10")])
def test_mean_number_of_visits_matches_the_law(S, K, beta):
    mean = sum((t * p for t, p in enumerate(paper.visit_law(S, K, beta, 400))), fmpq(0))
    assert 0 <= paper.mean_visits(S, K, beta) - mean < fmpq(1, 10**25)


def test_visits_below_excludes_the_limit_only_if_strict():
    law = paper.visit_law(2, 4, HALF, 5)
    assert paper.visits_below(2, 4, HALF, 4) == sum(law[:4], fmpq(0))
    assert paper.visits_below(2, 4, HALF, 4, strictly=False) == sum(law[:5], fmpq(0))
    for strictly in (True, False):
        assert paper.visits_below(2, 4, HALF, "9/2", strictly=strictly) == sum(law[:5], fmpq(0))
    assert paper.visits_below(2, 4, HALF, 0) == 0


def test_squared_bound_matches_hand_computation():
    assert paper.squared_bound(1, 57600, 16, 0) == 256
    assert paper.squared_bound(3, 2, 48, HALF, factor=1) == 576


@given(st.integers(1, 5), st.integers(0, 6))
@examples(20)
def test_needle_regret_equals_bayes_optimal_regret(n, horizon):
    prior = paper.BestArmPrior(1, n, 0, 0, 1)
    assert paper.needle_regret(n, horizon) == paper.known_horizon_regrets(prior, horizon)[-1]


@pytest.mark.parametrize(("base", "best"), [("1/4", "3/4"), ("0", "1/2"), ("1/2", "1"), ("1/2", "5/8")])
@pytest.mark.parametrize(("n", "horizon"), [(1, 4), (2, 2), (2, 3), (3, 2)])
def test_known_horizon_regret_equals_minimum_over_decision_trees(n, horizon, base, best):
    found = paper.known_horizon_regrets(paper.BestArmPrior(1, n, 0, base, best), horizon)[-1]
    assert str(found) == str(best_of_all_decision_trees(n, Fraction(base), Fraction(best), horizon))


@given(st.integers(1, 2), st.integers(1, 3), st.sampled_from([fmpq(0), fmpq(1, 4), HALF]), gaps)
@examples(15)
def test_adaptive_regret_of_two_arms_matches_majority_vote(S, K, beta, gap):
    depth = 12
    law, errors = paper.visit_law(S, K, beta, depth), majority_errors(gap, depth)
    beyond, expected = fmpq(1), fmpq(0)
    for t in range(depth):
        beyond -= law[t]
        expected += S * gap * errors[t] * beyond  # the (t+1)-th pull takes place
    rest = S * gap * HALF * (paper.mean_visits(S, K, beta) - sum((t * p for t, p in enumerate(law)), fmpq(0)))
    found = paper.adaptive_regret(two_sided(S, 2, beta, gap), K, depth)
    assert found.low <= found.high
    assert found.low <= expected + rest
    assert found.high >= expected
    assert found.high - found.low <= 2 * rest


@pytest.mark.parametrize("beta", [fmpq(0), HALF, fmpq(2, 3)])
def test_episodic_regret_of_one_episode_equals_random_play(beta):
    found = paper.episodic_regret(two_sided(1, 3, beta, HALF), 1, 6)
    exact = HALF * fmpq(2, 3) / (1 - beta)
    assert found.low <= exact <= found.high
    assert found.high == exact  # one episode leaves nothing to learn


@pytest.mark.parametrize("S", [1, 2])
def test_episodic_regret_of_two_episodes_matches_hand_computation(S):
    gap, depth = HALF, 14
    errors = majority_errors(gap, depth)
    informed = sum((HALF**h * errors[h] for h in range(1, depth + 1)), fmpq(0))
    again = fmpq(1, S)
    low = 2 * gap * (HALF + again * informed + (1 - again) * HALF)
    found = paper.episodic_regret(two_sided(S, 2, HALF, gap), 2, depth)
    assert found.low <= low + again * gap * HALF**depth
    assert found.high >= low


@given(st.integers(2, 3), st.integers(1, 3), eighths, eighths)
@examples(15)
def test_adaptive_regret_equals_regret_over_joint_states(n, K, one, other):
    prior = paper.BestArmPrior(2, n, 0, min(one, other), max(one, other))
    belief = {best: fmpq(1, n**2) for best, _ in prior.models()}
    found = paper.adaptive_regret(prior, K, K)
    assert found.low == found.high == paper.one_step_episodes_regret(prior, belief, K)
