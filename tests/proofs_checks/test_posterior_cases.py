"""The cases of posterior sampling that are computed from counts, against all their histories."""

from __future__ import annotations

from math import sqrt
from types import SimpleNamespace

import pytest
from flint import fmpq

from proofs_checks.paper.appendix_a2_events import entries as appendix_a2_events
from proofs_checks.paper.appendix_a2_events.entries import is_mixture
from proofs_checks.paper.appendix_a3.checks import ALL, LAST, OneState, OneStateManyEpisodes, small_cases
from theory import Arm, Bandit
from theory.paper import log_factor

MEANS = (fmpq(1, 10), fmpq(1, 2), fmpq(9, 10))
EPISODES = 4


@pytest.fixture(scope="module")
def both():
    """The same play twice: with all scenarios, and by its counts."""
    many = OneStateManyEpisodes(MEANS, EPISODES + 1, EPISODES + 1)
    return OneState(MEANS, fmpq(0), EPISODES + 1, (1,) * EPISODES), many


@pytest.mark.parametrize("which", [ALL, LAST])
@pytest.mark.parametrize("share", [fmpq(1, 10), fmpq(1, 4), fmpq(1, 2)])
def test_failure_probability_by_counts_equals_that_by_histories(both, which, share):
    by_histories, by_counts = both
    found = sum(
        (each.probability for each in by_histories.outcomes if by_histories.fails(each, "the models", which, share)),
        fmpq(0),
    )
    assert found == by_counts.failure(which, share)
    assert 0 < found < 1


def test_close_holds_iff_means_differ_by_at_most_the_radius(both):
    """Models are apart exactly where their means differ by more than L / sqrt(N), in floating point."""
    _, by_counts = both
    share = fmpq(1, 3)
    close = by_counts.close(ALL, share)
    factor = float(log_factor(1, 1, EPISODES + 1, EPISODES + 1, 0))
    for after in range(1, EPISODES + 1):
        for i, one in enumerate(MEANS):
            for m, other in enumerate(MEANS):
                apart = abs(float((one - other).p) / float((one - other).q))
                assert close(after, i, m) == (apart <= factor / 3 / sqrt(after))


def test_probabilities_of_small_cases_sum_to_one():
    for case in small_cases():
        assert sum((each.probability for each in case.outcomes), fmpq(0)) == 1
        assert min(each.probability for each in case.outcomes) > 0


def test_is_mixture_refuses_nonconvex_weights(monkeypatch):
    bandit = Bandit([Arm(rewards=[reward], transitions=[[1]]) for reward in (1, 2)], "1/2")
    assert is_mixture(bandit, True, 0, 1).true
    nonconvex = SimpleNamespace(weights=(fmpq(2), fmpq(-1)), constant=0, values=(4,))  # right, and no average
    monkeypatch.setattr(appendix_a2_events, "retirement_mixture", lambda *_: nonconvex)
    assert is_mixture(bandit, True, 0, 1).false
