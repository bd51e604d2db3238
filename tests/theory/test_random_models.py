"""Random exact instances: valid, exact, reproducible, and edges occur."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from theory.optimism import membership_refutation
from theory.random_models import (
    random_bandit,
    random_counts,
    random_full_row,
    random_member,
    random_policy,
    random_rewards,
    random_row,
    random_start,
    random_sub_row,
)
from theory.values import policy_value


def generator(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_rows_are_exact_and_sum_to_one(size):
    draws = generator(size)
    for _ in range(100):
        row = random_row(draws, size)
        assert sum(row) == 1
        assert all(isinstance(entry, fmpq) and entry >= 0 for entry in row)
        full = random_full_row(draws, size)
        assert sum(full) == 1
        assert all(entry > 0 for entry in full)


def test_unit_rows_and_zero_entries_occur():
    draws = generator()
    rows = [random_row(draws, 3) for _ in range(200)]
    assert any(1 in row for row in rows)
    assert any(0 in row and 1 not in row for row in rows)


def test_sub_rows_lie_between_the_zero_row_and_a_probability():
    draws = generator()
    sums = {sum(random_sub_row(draws, 3)) for _ in range(200)}
    assert {fmpq(0), fmpq(1)} <= sums
    assert all(0 <= total <= 1 for total in sums)


def test_rewards_lie_in_the_unit_interval_and_tie():
    draws = generator()
    rewards = [random_rewards(draws, 3) for _ in range(100)]
    assert all(0 <= reward <= 1 for drawn in rewards for reward in drawn)
    assert any(len(set(drawn)) == 1 for drawn in rewards)


def test_bandits_stay_within_the_bounds_and_edges_occur():
    draws = generator()
    bandits = [random_bandit(draws, max_arms=3, max_size=3, max_global_states=12) for _ in range(200)]
    assert all(bandit.number_of_global_states <= 12 and bandit.initial is not None for bandit in bandits)
    assert {len(bandit.arms) for bandit in bandits} == {1, 2, 3}
    assert {1, 2, 3} <= {size for bandit in bandits for size in bandit.sizes}
    assert any(bandit.discount == 0 for bandit in bandits)
    assert not any(arm.has_radii for bandit in bandits for arm in bandit.arms)


def test_members_are_in_the_confidence_set_and_reach_its_boundary():
    draws = generator(1)
    on_boundary = 0
    for _ in range(100):
        estimates = random_bandit(draws, radii=True)
        member = random_member(draws, estimates)
        assert membership_refutation(member, estimates) is None
        on_boundary += any(
            radius > 0 and abs(reward - centre) == radius
            for arm, around in zip(member.arms, estimates.arms, strict=True)
            for reward, centre, radius in zip(arm.rewards, around.rewards, around.reward_radius, strict=True)
        )
    assert on_boundary > 10


def test_counts_agree_with_each_other_and_with_the_empirical_means():
    draws = generator(2)
    unvisited = 0
    for _ in range(100):
        counts = random_counts(draws, 3)
        assert tuple(map(sum, counts.moves)) == counts.activations
        assert all(0 <= won <= played for won, played in zip(counts.successes, counts.activations, strict=True))
        rewards, rows = counts.empirical((fmpq(0),) * 3, fmpq(1, 2))
        for plays, reward, row in zip(counts.activations, rewards, rows, strict=True):
            assert sum(row) == (1 if plays else 0)
            assert plays or reward == fmpq(1, 2)
            unvisited += not plays
    assert unvisited > 10


def test_empirical_means_by_hand():
    draws = generator(2)
    assert {m for _ in range(60) for row in random_counts(draws, 2, largest=4).moves for m in row} == {0, 1, 2, 3, 4}
    counts = next(c for c in (random_counts(draws, 2) for _ in range(100)) if c.activations[0] == 4)
    rewards, rows = counts.empirical((fmpq(1), fmpq(0)))
    assert rewards[0] * 4 == counts.successes[0]
    assert [entry * 4 for entry in rows[0]] == list(counts.moves[0])


def test_policies_and_starts_cover_the_product():
    draws = generator(3)
    bandit = random_bandit(draws)
    policy, start = random_policy(draws, bandit), random_start(draws, bandit)
    assert set(policy_value(bandit, policy)) == set(start) == set(policy)
    assert sum(start.values()) == 1


def test_the_same_seed_gives_the_same_instances():
    assert random_bandit(generator(7), radii=True) == random_bandit(generator(7), radii=True)
    assert random_counts(generator(7), 4) == random_counts(generator(7), 4)
