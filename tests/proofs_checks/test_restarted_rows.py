"""What an episode of MB-UCBVI loses where the estimates of the literal formula are what they tend to, by hand."""

from __future__ import annotations

from flint import fmpq

from proofs_checks.computations.restarted_rows import BANDIT, loss_in_the_limit


def test_what_an_episode_loses():
    assert BANDIT.arms[1].rewards == (fmpq(2, 5),)
    assert (loss_in_the_limit("literal"), loss_in_the_limit("observed")) == (1 - fmpq(4, 5), 0)
