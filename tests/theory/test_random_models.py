"""Random exact models: their supports and laws by enumeration, and reproducibility."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
from flint import fmpq

from theory import Arm, Bandit
from theory import random_models as rm


def generator(seed=0):
    return np.random.default_rng(seed)


class Scripted:
    """A source of integers that follows a script, and then draws the least possible values."""

    def __init__(self, script):
        self.script = script
        self.ranges = []

    def integers(self, low, high):
        assert low < high
        self.ranges.append((low, high))
        position = len(self.ranges) - 1
        return self.script[position] if position < len(self.script) else low


def law(make, first=0, last=10**6):
    """Return the law of the outcome of `make`, over all integers that a source may draw from draw `first` to `last`."""
    found = {}
    waiting = [()]
    while waiting:
        script = waiting.pop()
        source = Scripted(script)
        outcome = make(source)
        drawn = len(source.ranges)
        # the draws after the script were the least ones: each larger one is an outcome of its own
        for position in range(max(len(script), first), min(drawn, last)):
            lows = tuple(low for low, _ in source.ranges[len(script) : position])
            low, high = source.ranges[position]
            waiting += [(*script, *lows, value) for value in range(low + 1, high)]
        weight = fmpq(1)
        for low, high in source.ranges[first:last]:
            weight /= high - low
        found[outcome] = found.get(outcome, fmpq(0)) + weight
    assert sum(found.values()) == 1
    return found


def test_random_rows_have_the_enumerated_support():
    half, third = fmpq(1, 2), fmpq(1, 3)
    mixed = {(half, half), (third, 2 * third), (2 * third, third)}
    rows = law(lambda source: rm.random_row(source, 2, largest=2))
    assert set(rows) == {(1, 0), (0, 1)} | mixed
    assert rows[1, 0] == fmpq(2, 9) + fmpq(1, 18)  # (1, 0), (2, 0), and half of (0, 0), of nine
    assert set(law(lambda source: rm.random_full_row(source, 2, largest=2))) == mixed
    assert set(law(lambda source: rm.random_sub_row(source, 1))) == {(0,), (third,), (2 * third,), (1,)}
    shares = law(lambda source: rm.random_shared_row(source, 2, shares=2))
    assert shares == {(1, 0): fmpq(1, 4), (half, half): half, (0, 1): fmpq(1, 4)}
    quotients = {fmpq(a, a + b) for a in range(4) for b in range(4) if a + b}
    assert {row[0] for row in law(lambda source: rm.random_row(source, 2))} == quotients
    quotients = {fmpq(a, a + b) for a in range(1, 5) for b in range(1, 5)}
    assert {row[0] for row in law(lambda source: rm.random_full_row(source, 2))} == quotients


def test_random_rewards_are_uniform_over_their_grid():
    rewards = law(lambda source: rm.random_rewards(source, 1, denominator=2, low=-1))
    assert rewards == {(fmpq(i, 2),): fmpq(1, 5) for i in range(-2, 3)}
    assert set(law(lambda source: rm.random_rewards(source, 1, high=2))) == {(fmpq(i, 4),) for i in range(9)}
    assert set(law(lambda source: rm.random_arm(source, 1, low=-1).rewards)) == {(fmpq(i, 4),) for i in range(-4, 5)}
    assert min(law(lambda source: rm.random_arm(source, 1).rewards)) == (0,)


def test_random_discounts_and_radii_cover_their_lists():
    assert {fmpq(0), fmpq(99, 100)} <= set(rm.DISCOUNTS)
    assert {fmpq(0), fmpq(2)} <= set(rm.RADII)  # a known row, and an arbitrary one
    assert set(law(rm.random_discount).values()) == {fmpq(1, len(rm.DISCOUNTS))}
    assert set(law(rm.random_discount)) == set(rm.DISCOUNTS)
    arm = Arm(rewards=["1/2"], transitions=[[1]], states=["only"])
    drawn = law(lambda source: rm.with_random_radii(source, arm))
    radii = {((r,), (s,)) for r in rm.RADII for s in rm.RADII}
    assert {(each.reward_radius, each.transition_radius) for each in drawn} == radii
    assert {(m.rewards, m.transitions, m.states) for m in drawn} == {(arm.rewards, arm.transitions, arm.states)}


def plain_arm(_, size):
    return Arm(rewards=[0] * size, transitions=[[fmpq(1, size)] * size] * size)


def sizes_and_starts(**bounds):
    bandits = law(lambda source: rm.random_bandit(source, arm=plain_arm, discount=lambda _: fmpq(0), **bounds))
    return {(bandit.sizes, bandit.initial) for bandit in bandits}


def all_within(max_arms, max_size, max_global_states):
    sizes = (each for n in range(1, max_arms + 1) for each in product(range(1, max_size + 1), repeat=n))
    return {(each, start) for each in sizes if prod(each) <= max_global_states for start in product(*map(range, each))}


def test_random_bandits_cover_all_sizes_and_initial_states():
    assert sizes_and_starts(max_arms=2, max_size=3, max_global_states=4) == all_within(2, 3, 4)
    assert sizes_and_starts(max_arms=1, max_size=4) == all_within(1, 4, 4)
    assert sizes_and_starts() == all_within(3, 3, 18)


def test_random_members_have_the_enumerated_support():
    """Rewards move by 0, 1/2 or 1 of the radius; rows by half or all of it towards another row, or up to that row."""
    half = fmpq(1, 2)
    rows = [[half, half], [1, 0]]
    arm = Arm(rewards=[1, 0], transitions=rows, reward_radius=["1/3", 0], transition_radius=[half, half])
    estimates = Bandit([arm], 0, [0])
    rewards = law(lambda source: rm.random_member(source, estimates).arms[0].rewards, last=2)
    assert set(rewards) == {(1 + fmpq(i, 6), 0) for i in range(-2, 3)}
    rows = law(lambda source: rm.random_member(source, estimates).arms[0].transitions[0], first=2, last=6)
    nearer = {fmpq(1, 3), fmpq(2, 5)}  # of all rows with weights from 0 to 3; (1/4, 3/4) is as far as the radius
    below = {half, fmpq(3, 8), fmpq(1, 4)} | nearer
    assert {row[0] for row in rows} == below | {1 - p for p in below}


def test_random_counts_have_the_enumerated_support():
    found = law(lambda source: rm.random_counts(source, 1, largest=2))
    assert set(found) == {rm.Counts((n,), ((n,),), (k,)) for n in range(3) for k in range(n + 1)}
    unvisited = sum(weight for counts, weight in found.items() if counts.activations == (0,))
    assert unvisited == fmpq(5, 9)  # probability 1/3 of no visit, and otherwise 1/3 for 0 of 0, 1, 2
    largest = {counts.activations for counts in law(lambda source: rm.random_counts(source, 1))}
    assert largest == {(n,) for n in range(4)}


def test_random_policies_are_uniform():
    bandit = Bandit([plain_arm(None, 1), plain_arm(None, 2)], 0, [0, 0])
    policies = law(lambda source: tuple(rm.random_policy(source, bandit).items()))
    assert policies == {(((0, 0), a), ((0, 1), b)): fmpq(1, 4) for a in (0, 1) for b in (0, 1)}


def test_empirical_means_match_the_counts():
    draws = generator(2)
    assert {m for _ in range(60) for row in rm.random_counts(draws, 2, largest=4).moves for m in row} == {0, 1, 2, 3, 4}
    counts = next(c for c in (rm.random_counts(draws, 2) for _ in range(100)) if c.activations[0] == 4)
    rewards, rows = counts.empirical((fmpq(1), fmpq(0)))
    assert rewards[0] * 4 == counts.successes[0]
    assert [entry * 4 for entry in rows[0]] == list(counts.moves[0])
