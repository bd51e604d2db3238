"""The sharper bounds: values and Bayes-optimal regret of the prior, and the order of the bounds."""

import math
from functools import cache

import pytest
from flint import arb, fmpq

from theory import gittins_value, paper

PRIOR = paper.AbsorbingPrior(S=2, n=2, discount="1/2", delta="3/8")


def best_reward(prior, depth):
    """Return bounds of the largest mean reward of one episode from the first state, over beliefs on bandits.

    Independent of `absorbing_regret`: the belief is on whole bandits, rewards are counted and not gaps, and a
    learner may also play arms that have jumped. After `depth` steps the rest is worth between 0 and B.
    """
    bandits = dict(prior.models())

    @cache
    def ends(belief, states, left):
        if left == 0:
            return fmpq(0), 1 / (1 - prior.discount)
        options = []
        for a in range(prior.n):
            low = high = sum(p * bandits[m].arms[a].rewards[states[a]] for m, p in belief)
            for to in range(prior.S):
                joint = tuple((m, p * bandits[m].arms[a].transitions[states[a]][to]) for m, p in belief)
                chance = sum(p for _, p in joint)
                if chance:
                    known = tuple((m, p / chance) for m, p in joint)
                    found = ends(known, (*states[:a], to, *states[a + 1 :]), left - 1)
                    low += prior.discount * chance * found[0]
                    high += prior.discount * chance * found[1]
            options.append((low, high))
        return max(low for low, _ in options), max(high for _, high in options)

    uniform = tuple((m, fmpq(1, len(bandits))) for m in bandits)
    return ends(uniform, (0,) * prior.n, depth)


@pytest.mark.parametrize(("n", "discount"), [(2, "1/2"), (2, "2/3"), (3, "1/2")])
def test_absorbing_regret_of_one_episode_matches_best_reward(n, discount):
    prior = paper.AbsorbingPrior(S=2, n=n, discount=discount, delta="1/2")
    low, high = best_reward(prior, 9)
    best = gittins_value(prior.bandit((0,))).value
    found = paper.absorbing_regret(prior, K=1, depth=9)
    assert best == prior.value(prior.best)
    assert found.low <= best - low
    assert best - high <= found.high
    assert (best - low) - (best - high) < fmpq(1, 2)


def test_prior_values_equal_gittins_values_of_its_bandits():
    prior = paper.AbsorbingPrior(S=3, n=2, discount="3/4", delta="1/3")
    values = {better: gittins_value(bandit).value for better, bandit in prior.models()}
    assert set(values.values()) == {prior.value(prior.best)}
    assert len(values) == 4
    v, B, beta, q = prior.value(prior.best), fmpq(4), prior.discount, prior.base
    assert v - beta * (q * B + (1 - q) * v) == prior.wrong_play  # V* - Q* of a worse arm


@pytest.mark.parametrize(("S", "n", "K"), [(2, 2, 8), (3, 2, 16), (2, 3, 12)])
def test_absorbing_bound_is_below_the_bayes_optimal_regret(S, n, K):
    prior = paper.AbsorbingPrior(S=S, n=n, discount="1/2", delta="3/8")
    found = paper.absorbing_regret(prior, K, depth=10)
    assert paper.absorbing_bound_squared(S, n, K, "1/2") < found.low**2
    times_four = paper.absorbing_bound_squared(S, n, K, "1/2", factor=9)  # four times the bound is too large
    assert not times_four < found.high**2


def test_greater_depth_narrows_the_regret_enclosure():
    ends = [paper.absorbing_regret(PRIOR, 3, depth) for depth in (2, 5, 8)]
    assert ends[0].low < ends[1].low < ends[2].low < ends[2].high < ends[1].high < ends[0].high
    # of two arms the first is played once, wrongly or it stays; then the likelier other one, wrongly if the first was right
    late = PRIOR.discount * (1 - PRIOR.best) * (PRIOR.value(PRIOR.best) - PRIOR.value(PRIOR.base))
    found = paper.absorbing_regret(PRIOR, 1, 1)
    assert (found.low, found.high) == (PRIOR.wrong_play / 2, (PRIOR.wrong_play + late) / 2)


def test_sharper_bounds_are_ordered_and_match_the_formula():
    for S, n, B in ((1, 2, 2), (2, 2, 1), (2, 5, 10), (10, 10, 100)):
        for K in (10**3, 10**6, 10**12):
            e, beta, L = math.exp(1 / 3), 1 - fmpq(1, B), math.log(2 * S * n * K * (K * B + 1))
            gamma, sets = B * (1 + B * math.sqrt(L / 2)), S * math.log(2) + math.log(S * n * K)
            steps = math.ceil(B * math.log(K * gamma / B)) * (S > 1)
            rows = 3 * e * (1 - 1 / B) * sets * steps * S * n * gamma * (B + 2 + L)
            roots = math.sqrt(2) * e * B * (2 * math.sqrt(B * S * n * K * L) + S * n * B * math.sqrt(L))
            lower, found = arb(paper.lower_bound_squared(S, n, K, beta)).sqrt(), paper.sharper_bound(S, n, K, beta)
            assert float(found) == pytest.approx(roots + rows + (S + 2 + e) * B, rel=1e-12)
            assert lower < found < paper.sharper_bound_short(S, n, K, beta)
            assert lower < arb(paper.trivial_bound(K, beta))


def test_two_lower_bounds_cross_at_discount_7_8():
    # squares: (B S n K)/18^2 against (S-1) n K B^2/36^2, equal at B = 4 S/(S-1)
    assert paper.motionless_bound_squared(2, 2, 10**4, "6/7") > paper.absorbing_bound_squared(2, 2, 10**4, "6/7")
    assert paper.motionless_bound_squared(2, 2, 10**4, "7/8") == paper.absorbing_bound_squared(2, 2, 10**4, "7/8")
    assert paper.motionless_bound_squared(2, 2, 10**4, "8/9") < paper.absorbing_bound_squared(2, 2, 10**4, "8/9")
