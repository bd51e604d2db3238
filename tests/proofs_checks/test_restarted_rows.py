"""The run of MB-UCBVI with the literal formula: its indices against the exact ones, its counts against a hand count."""

from __future__ import annotations

import pytest
from flint import fmpq

from proofs_checks.computations.restarted_rows import BANDIT, HALF, count_moves, indices_of_arm_1, loss_in_the_limit
from theory import Arm, gittins_indices


@pytest.mark.parametrize("visits", [(4, 16), (16, 1), (1, 16), (4, 4)])
@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("to_1", [(0, 0), (1, 1), (1, 0)])
def test_the_closed_form_of_the_indices_is_exact(visits, to_1, scale):
    roots = {1: 1, 4: 2, 16: 4}
    rewards = [x + fmpq(scale, roots[n]) for x, n in enumerate(visits)]
    rows = [[1 - fmpq(moves, n), fmpq(moves, n)] for moves, n in zip(to_1, visits, strict=True)]
    exact = gittins_indices(Arm(rewards=rewards, transitions=rows), HALF)
    found = indices_of_arm_1(list(visits), list(to_1), float(scale))
    assert found == pytest.approx([float(each.p) / float(each.q) for each in exact], rel=1e-12)


def test_the_last_move_of_an_episode_is_counted_as_read():
    """Three steps in states 0, 1, 1: two moves to state 1 and one more, which read literally is to state 0."""
    for next_state, moves in (("literal", [1, 1]), ("observed", [1, 2])):
        visits, to_1 = [0, 0], [0, 0]
        count_moves([0, 1, 1], 3, next_state, visits, to_1)
        assert (visits, to_1) == ([1, 2], moves)


def test_what_an_episode_loses():
    assert BANDIT.arms[1].rewards == (fmpq(2, 5),)
    assert (loss_in_the_limit("literal"), loss_in_the_limit("observed")) == (1 - fmpq(4, 5), 0)
