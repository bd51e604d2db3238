"""Finite priors and the histories of posterior sampling, against hand calculation, fractions and brute force."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise, product

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refusal
from theory import Arm, Bandit, bayes, fraction

HALF = fmpq(1, 2)


def coins(*means, weights=None, discount=0):
    models = [Bandit([Arm(rewards=[mean], transitions=[[1]])], discount) for mean in means]
    return bayes.FinitePrior(models, weights or [fmpq(1, len(means))] * len(means))


def rewards_only(*rewards):
    return tuple((bayes.Step((0,), 0, reward, 0),) for reward in rewards)


TWO_ARMS = bayes.FinitePrior(
    [
        Bandit([Arm(rewards=["1/2", "1/3"], transitions=[["1/4", "3/4"], [1, 0]]), Arm(rewards=["2/5"], transitions=[[1]])], HALF),
        Bandit([Arm(rewards=["1/5", 1], transitions=[["1/2", "1/2"], ["1/3", "2/3"]]), Arm(rewards=["4/5"], transitions=[[1]])], HALF),
    ],
    ["1/3", "2/3"],
)  # fmt: skip
START = {(0, 0): fmpq(1, 4), (1, 0): fmpq(3, 4)}


def test_likelihood_is_the_product_of_rewards_and_moves():
    history = ((bayes.Step((0, 0), 0, 1, 1), bayes.Step((1, 0), 0, 0, 0)), (bayes.Step((0, 0), 1, 0, 0),))
    assert bayes.likelihood(TWO_ARMS.models[0], history) == fmpq(1, 2) * fmpq(3, 4) * fmpq(2, 3) * 1 * fmpq(3, 5)
    assert bayes.likelihood(TWO_ARMS.models[1], history) == 0  # state 2 of arm 1 gives 1 for sure there
    assert bayes.likelihood(TWO_ARMS.models[1], ()) == 1


@pytest.mark.parametrize("rewards", list(product((0, 1), repeat=3)))
def test_posterior_of_coins_equals_bayes_formula(rewards):
    means, weights = (Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)), (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2))
    heads = sum(rewards)
    joint = [w * r**heads * (1 - r) ** (3 - heads) for r, w in zip(means, weights, strict=True)]
    found = coins(*means, weights=weights).posterior(rewards_only(*rewards))
    assert [fraction(p) for p in found] == [mass / sum(joint) for mass in joint]


def test_prior_policies_are_optimal_for_its_models():
    one, half, zero = (Arm(rewards=[mean], transitions=[[1]]) for mean in (1, HALF, 0))
    models = [Bandit(arms, HALF) for arms in ([one, zero], [zero, one], [half, half])]
    assert [policy[0, 0] for policy in bayes.FinitePrior(models, ["1/3"] * 3).policies] == [0, 1, 0]


@pytest.mark.parametrize("horizons", [(), (1,), (2,), (1, 1), (2, 1)])
def test_scenario_probabilities_equal_products_of_their_factors(horizons):
    outcomes = bayes.scenarios(TWO_ARMS, horizons, START)
    assert sum(each.probability for each in outcomes) == 1
    assert len({(each.model, each.samples, each.history) for each in outcomes}) == len(outcomes)
    by_history = defaultdict(lambda: [fmpq(0), fmpq(0)])
    for each in outcomes:
        assert tuple(map(len, each.history)) == horizons
        assert len(each.samples) == len(horizons) + 1
        by_history[each.history][each.model] += each.probability
        # every factor again: the prior, each posterior, each start, each step; the sampled model's policy is played
        expected = TWO_ARMS.weights[each.model] * bayes.likelihood(TWO_ARMS.models[each.model], each.history)
        for before, sample in enumerate(each.samples):
            expected *= TWO_ARMS.posterior(each.history[:before])[sample]
        for sample, episode in zip(each.samples, each.history, strict=False):
            expected *= START[episode[0].state]
            assert all(step.arm == TWO_ARMS.policies[sample][step.state] and step.reward in (0, 1) for step in episode)
            for step, following in pairwise(episode):
                state = list(step.state)
                state[step.arm] = step.to
                assert following.state == tuple(state)
        assert each.probability == expected
    for history, masses in by_history.items():  # the choice of policies carries no information on the model
        assert tuple(mass / sum(masses) for mass in masses) == TWO_ARMS.posterior(history)


def test_scenarios_refuse_to_exceed_their_limit(monkeypatch):
    prior = coins("1/3", "2/3")  # two models, two samples, reward 0 or 1, two samples again
    monkeypatch.setattr("theory.bayes.posterior_sampling.LARGEST_NUMBER_OF_SCENARIOS", 16)
    assert len(bayes.scenarios(prior, [1], {(0,): fmpq(1)})) == 16
    monkeypatch.setattr("theory.bayes.posterior_sampling.LARGEST_NUMBER_OF_SCENARIOS", 15)
    assert "more than 15 scenarios" in refusal(bayes.scenarios, prior, [1], {(0,): fmpq(1)})


def test_activations_and_empirical_means_match_hand_computation():
    history = (
        (bayes.Step((0, 0), 0, 1, 1), bayes.Step((1, 0), 1, 0, 0)),
        (bayes.Step((0, 0), 0, 0, 0), bayes.Step((0, 0), 0, 1, 1)),
    )
    assert [bayes.activations(history, episodes, (0, 0)) for episodes in (0, 1, 2)] == [0, 1, 3]
    assert bayes.activations(history, 2, (0, 1)) == 0
    assert bayes.empirical_reward(history, 2, (0, 0)) == fmpq(2, 3)
    assert bayes.empirical_reward(history, 1, (0, 0)) == 1
    assert bayes.empirical_reward(history, 1, (1, 0)) == 0
    assert bayes.empirical_reward(history, 2, (0, 1)) == 0


@given(
    means=st.lists(st.integers(1, 4), min_size=2, max_size=3, unique=True),
    observations=st.integers(1, 3),
    excluded=st.sets(st.tuples(st.integers(1, 3), st.integers(0, 2), st.integers(0, 2)), max_size=5),
)
def test_expectation_along_counts_matches_enumeration(means, observations, excluded):
    values = [fmpq(mean, 5) for mean in means]
    weights = [fmpq(1 + i, sum(range(1, len(means) + 1))) for i in range(len(means))]
    outcomes = bayes.scenarios(coins(*values, weights=weights), [1] * observations, {(0,): fmpq(1)})

    def allowed(after, sample, model):
        return (after, sample, model) not in excluded

    def payoff(model, sample):
        return values[model] - 2 * values[sample]

    def of_scenario(each):
        inside = all(allowed(j, each.samples[j], each.model) for j in range(1, observations + 1))
        return payoff(each.model, each.samples[-1]) if inside else fmpq(0)

    found = bayes.expectation_along_counts(values, weights, observations, allowed, payoff)
    assert found == bayes.expectation_over(outcomes, of_scenario)
