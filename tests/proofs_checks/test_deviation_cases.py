"""Exact laws of adaptive learners, against other computations and by hand."""

from __future__ import annotations

from collections import Counter
from itertools import product
from types import SimpleNamespace

import pytest
from flint import arb, fmpq

from proofs_checks.paper.appendix_a2_events.entries import same_law
from proofs_checks.paper.appendix_a2_events.observed import counts_are_determined, estimate_is_determined
from proofs_checks.paper.appendix_a2_events.value_deviations import deviations_of_one_move
from proofs_checks.paper.shared import adaptive_play
from proofs_checks.paper.shared.deviation_cases import counted_once, of_means, of_means_at_t, of_rows, played, restarted
from theory import rational
from theory.certified import Truth, less, multinomial_deviation
from theory.paper import log_factor, reward_radius, transition_radius, ucbvi_bonus

HALF = fmpq(1, 2)


def paid(history):
    return [[(step.arm, int(step.outcome.reward)) for step in episode] for episode in history]


def test_adaptive_histories_have_hand_computed_probabilities():
    law = {str(paid(history)): p for history, p in adaptive_play.histories(adaptive_play.TWO_COINS, (1, 1)).items()}
    assert law == {  # arm 1 pays with probability 1/3, arm 2 with 1/2; arm 1 is kept after a reward
        "[[(0, 1)], [(0, 1)]]": fmpq(1, 9),
        "[[(0, 1)], [(0, 0)]]": fmpq(2, 9),
        "[[(0, 0)], [(1, 1)]]": fmpq(1, 3),
        "[[(0, 0)], [(1, 0)]]": fmpq(1, 3),
    }


@pytest.mark.parametrize(
    ("play", "lengths"),
    [(adaptive_play.TWO_COINS, (2, 1)), (adaptive_play.MOVING, (1, 1)), (adaptive_play.LUCKY_COINS, (1, 2))],
)
def test_history_law_from_tapes_equals_drawn_law_unless_tapes_rewind(play, lengths):
    drawn, rewound = adaptive_play.histories(play, lengths), adaptive_play.from_tapes(play, lengths, rewinds=True)
    assert adaptive_play.from_tapes(play, lengths) == drawn != rewound
    witness = same_law((play, lengths), "anew with every episode").values["history"]
    assert drawn.get(witness, 0) != rewound.get(witness, 0)
    assert sum(rewound.values()) == 1


def ends_with_one(steps):
    return steps[-1].reward == 1


def test_probability_at_episode_ends_ignores_earlier_steps():
    coin = adaptive_play.ONE_COIN
    assert adaptive_play.probability_at_episode_ends(coin, (2,), ends_with_one) == fmpq(
        1, 50
    )  # the first step's does not count
    assert adaptive_play.probability_at_episode_ends(coin, (1, 1), ends_with_one) == 1 - fmpq(49, 50) ** 2
    assert adaptive_play.chance_of(coin, (0, 0), 3, ends_with_one) == fmpq(1, 50)


@pytest.mark.parametrize(("K", "k", "scale"), list(product((3, 4), (2, 3), (fmpq(1), HALF, fmpq(1, 4)))))
def test_failure_probability_matches_a_walk_over_counts(K, k, scale):
    """The same probability by a walk over (episodes ended, successes), without histories."""
    case = played(adaptive_play.ONE_COIN, K, k, HALF, 5, "rewards")

    def leaves(trials, successes):
        off = arb(4 * trials * ((fmpq(successes, trials) - fmpq(1, 50)) / scale) ** 2)
        return less(lambda: log_factor(1, 1, K, k, HALF) ** 2, lambda: off) is Truth.YES

    walked, alive = fmpq(0), {(0, 0): fmpq(1)}
    for trials in range(1, 13):
        following = Counter()
        for (ended, successes), probability in alive.items():
            for now, p in ((successes, fmpq(49, 50)), (successes + 1, fmpq(1, 50))):
                following[ended, now] += probability * p / 2
                if leaves(trials, now):
                    walked += probability * p / 2
                elif ended + 1 < k - 1:
                    following[ended + 1, now] += probability * p / 2
        alive = following
    found = case.failure(of_means, scale)
    assert found <= walked + sum(alive.values())
    assert walked <= found + case.left_out


def test_failure_of_one_row_equals_the_multinomial_deviation():
    """At discount 0 and k = 6, five draws: the tail of the L1 distance, strictly beyond the radius."""
    case = counted_once(6, 6, fmpq(1, 10), of_rows=True)
    radius = (log_factor(2, 1, 6, 6, 0) + arb(2).sqrt() * fmpq(3, 2)) * fmpq(1, 2) / arb(5).sqrt()
    beyond = next(fmpq(2 * j, 5) - fmpq(1, 5) for j in range(6) if arb(fmpq(2 * j, 5) - fmpq(1, 5)) > radius)
    assert case.failure(of_rows, HALF) == multinomial_deviation(5, [fmpq(1, 10), fmpq(9, 10)], beyond)


def test_levels_of_deviation_statistics_match_the_papers_radii():
    """A statistic exceeds its level exactly where the deviation exceeds the radius: here for N = 3 and t = 5."""
    case = played(adaptive_play.MOVING, 4, 3, HALF, 1, "values")
    assert (of_means_at_t(case.cell, 5) / 6).sqrt().overlaps(reward_radius(2, 2, 4, 5, 3))
    assert (2 * (of_means_at_t(case.cell, 5) / 6).sqrt()).overlaps(ucbvi_bonus(2, 2, 4, 5, 3, HALF))
    assert ((arb(2) * arb(2 * 2 * 4 * 2**2 * 5).log() / 3).sqrt()).overlaps(transition_radius(2, 2, 4, 5, 3))


def test_literal_reading_counts_the_restart_as_a_transition():
    assert restarted(10, fmpq(0), "literal").failure(of_rows) == 1
    moved = restarted(3, fmpq(1, 3), "literal"), restarted(3, fmpq(1, 3), "literal", values=True)  # 0, 1 or 2 times
    assert [z for _, z, _ in moved[0].law] == [0, 2, 8]
    assert [z for _, z, _ in moved[1].law] == [0, fmpq(4, 81), fmpq(16, 81)]
    assert [p for _, _, p in moved[0].law] == [fmpq(1, 9), fmpq(4, 9), fmpq(4, 9)]
    assert restarted(10, fmpq(0), "observed").failure(of_rows) == 0
    assert restarted(600, fmpq(1, 3), "literal", values=True).failure(of_means) > fmpq(99, 100)


def test_value_deviation_of_a_move_changes_with_the_other_arms_state():
    assert list(deviations_of_one_move([0, 1])[1].values()) == [fmpq(1, 4), 0]  # V* = 3/2, 1/2 and 2, 2


def test_lengths_determine_counts_only_with_next_states():
    assert estimate_is_determined("next states", 3).true
    assert estimate_is_determined("nothing else", 1).false
    assert counts_are_determined("lengths and next states").true
    assert counts_are_determined("lengths").false


def test_keeps_what_pays_changes_the_arm_after_reward_0():
    lost = ((adaptive_play.Step(0, 0, adaptive_play.Outcome(fmpq(0), 0)),),)
    assert adaptive_play.keeps_what_pays(())((0, 0)) == 0
    assert adaptive_play.keeps_what_pays(lost)((0, 0)) == 1
    assert adaptive_play.keeps_what_pays(lost)((0,)) == 0  # there is no other arm


def test_chases_luck_plays_the_arm_with_mean_farthest_from_half():
    for seen, arm in (([(0, 1), (0, 0), (1, "3/4")], 1), ([(0, 1), (0, 1), (1, "1/5")], 0), ([(0, "1/2")], 1), ([], 0)):
        steps = [SimpleNamespace(arm=a, outcome=SimpleNamespace(reward=rational(reward))) for a, reward in seen]
        assert adaptive_play.chases_luck([steps])((0, 0)) == arm
