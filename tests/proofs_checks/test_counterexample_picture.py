"""The picture of Theorem 3's counterexample: its marks are decided exactly, and the file is a PNG."""

import pytest
from flint import fmpq

from proofs_checks.pictures.counterexample_region import index_of_a1, mark
from theory.paper import counterexample_m1, counterexample_m2


@pytest.mark.parametrize(
    ("reward", "pi1", "pi2"),
    [
        (fmpq(316, 100), False, True), (fmpq(317, 100), True, True), (fmpq(42, 13), True, False),
        (fmpq(324, 100), True, False),
    ],
)  # fmt: skip
def test_marks_around_the_ends_of_the_region(reward, pi1, pi2):
    found = mark(fmpq(1, 2), reward)
    assert (found.pi1_falls_short, found.pi2_falls_short) == (pi1, pi2)


def test_the_curves_cross_the_printed_reward_where_the_region_ends():
    assert index_of_a1(counterexample_m1(), fmpq(35, 79)) == fmpq(321, 100)
    assert index_of_a1(counterexample_m2(), fmpq(105, 158)) == fmpq(321, 100)
