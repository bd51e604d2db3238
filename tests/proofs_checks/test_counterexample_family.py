"""The open family of Theorem 3 against the exact models, at single values of its parameter."""

from itertools import permutations

import pytest
import sympy
from flint import fmpq

from proofs_checks.paper.appendix_c import counterexample_family as cf
from proofs_checks.paper.appendix_c import entries as appendix_c
from proofs_checks.paper.beyond import entries as beyond
from theory import Arm, Bandit, gittins_indices, optimistic_value, priority_value, sympy_rational
from theory.certified import Truth
from theory.optimism import vertices
from theory.paper import counterexample, counterexample_m2

PI_1 = ("A2", "A1", "B1", "B3", "A3", "B2")


def at(function, value):
    found = sympy.Rational(function.as_expr().subs(cf.T, sympy_rational(value)))
    return fmpq(int(found.p), int(found.q))


def family(**parameter):
    printed = {"reward": cf.constant("321/100"), "discount": cf.constant("1/2"), "radius": cf.constant("1/5")}
    return cf.CounterexampleFamily(**{**printed, **parameter})


@pytest.mark.parametrize("discount", [fmpq(1, 3), fmpq(1, 2), fmpq(9, 10)])
def test_family_value_of_pi1_equals_the_priority_value(discount):
    estimates = counterexample(discount=discount)
    bandit = Bandit([counterexample_m2().arms[0], estimates.arms[1]], discount)
    value = family(discount=cf.FIELD(cf.T)).with_b1(cf.M2, (0, 1))[0]
    assert at(value, discount) == priority_value(bandit, PI_1, ("A1", "B1")).value


@pytest.mark.parametrize("reward", [fmpq(1), fmpq(3), fmpq(321, 100), fmpq(39, 10)])
def test_best_value_of_five_stopping_sets_equals_best_priority_value(reward):
    open_reward = family(reward=cf.FIELD(cf.T))
    bandit = Bandit([counterexample_m2().arms[0], counterexample(reward_b=reward).arms[1]], fmpq(1, 2))
    orders = permutations(bandit.arm_states)
    best = max(priority_value(bandit, order, ("A1", "B1")).value for order in orders)
    assert max(at(open_reward.with_b1(cf.M2, inside)[0], reward) for inside in cf.STOPPING_SETS) == best


@pytest.mark.parametrize("radius", [fmpq(0), fmpq(1, 5), fmpq(3, 5), fmpq(1)])
def test_family_balls_equal_the_vertices_of_the_l1_ball(radius):
    arm = counterexample(radius=radius).arms[0]
    for ball, row in zip(family(radius=cf.FIELD(cf.T)).balls, arm.transitions, strict=True):
        assert {tuple(at(p, radius) for p in each) for each in ball} == set(vertices(row, radius))


@pytest.mark.parametrize("radius", [fmpq(1, 10), fmpq(3, 10)])
def test_value_on_widest_m2_equals_extended_value_iteration(radius):
    value = family(radius=cf.FIELD(cf.T)).with_b1(cf.widest_m2(cf.FIELD(cf.T)), (0, 1))[0]
    assert at(value, radius) == optimistic_value(counterexample(radius=radius), PI_1, ("A1", "B1")).value


@pytest.mark.parametrize("reward", [fmpq(3), fmpq(16, 5), fmpq(7, 2)])
def test_advantage_is_positive_iff_the_index_exceeds_the_reward(reward):
    arm = Arm(rewards=[3, 4, 0], transitions=counterexample_m2().arms[0].transitions)
    exceeds = any(at(each, reward) > 0 for each in family(reward=cf.FIELD(cf.T)).advantages(cf.M2))
    assert exceeds == (gittins_indices(arm, "1/2")[0] > reward)


def test_interval_predicates_return_true_false_or_undecided():
    open_reward = family(reward=cf.FIELD(cf.T))
    assert cf.index_exceeds(open_reward, cf.M2, 1, "19/6") is True
    assert cf.index_exceeds(open_reward, cf.M2, "19/6", 4) is False
    assert cf.index_exceeds(open_reward, cf.M2, 3, 4) is None
    assert cf.pi1_falls_short(open_reward, cf.M2, "19/6", "42/13") is True
    assert cf.pi1_falls_short(open_reward, cf.M2, 2, "19/6") is False
    assert cf.pi1_falls_short(open_reward, cf.M2, 3, 4) is None


def test_sign_between_returns_a_constant_sign_or_none_and_refuses_poles():
    function = (cf.FIELD(cf.T) - cf.constant(1)) * cf.FIELD(cf.T)
    assert [cf.sign_between(function, *ends) for ends in ((0, 1), (1, 2), ("1/2", 2))] == [-1, 1, None]
    assert cf.sign_between(cf.FIELD(0), 0, 1) == 0
    with pytest.raises(ArithmeticError):
        cf.sign_between(cf.constant(1) / cf.FIELD(cf.T), -1, 1)


def test_fact_that_fails_on_a_part_is_refuted_at_a_place_of_it():
    def below_2(left, right):
        return True if right <= 2 else False if left >= 2 else None

    assert cf.everywhere(below_2, fmpq(1), fmpq(2)).true
    for right in (fmpq(3), fmpq(33, 16)):
        found = cf.everywhere(below_2, fmpq(1), right)
        assert (found.truth, found.values["at"] > 2) == (Truth.NO, True)
    assert cf.everywhere(lambda *_: None, fmpq(1), fmpq(2)).truth is Truth.UNDECIDED


def test_unknown_signs_and_comparisons_leave_a_claim_undecided(monkeypatch):
    """What a check does not know makes its claim neither true nor false, so no mutant is refuted by that."""
    for module in (cf, appendix_c):
        monkeypatch.setattr(module, "sign_between", lambda *_: None)
    for name in ("less", "at_most"):
        monkeypatch.setattr(beyond, name, lambda *_: Truth.UNDECIDED)
    for check, parameters in (
        (appendix_c.rewards_as_drawn.__wrapped__, ("3.166", "42/13")),
        (appendix_c.discounts_as_drawn.__wrapped__, ("11/25", "105/158")),
        (appendix_c.radii_as_drawn.__wrapped__, ("1/5", "0.314533", "0.314534")),
        (beyond.says_something_from, (10**9,)),
        (beyond.minimax_says_something_from, (10**9, 12, 2, 2, fmpq(1, 2))),
    ):
        assert check(*parameters).truth is Truth.UNDECIDED, check
