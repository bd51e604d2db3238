"""Exact tails against brute enumeration, hand calculation and mpmath."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from flint import fmpq

from theory import certified

THIRD = fmpq(1, 3)


@pytest.mark.parametrize(("trials", "mean"), [(1, "1/2"), (4, "1/3"), (6, "9/10"), (5, "0"), (5, "1")])
def test_binomial_deviation_matches_enumeration(trials: int, mean: str) -> None:
    p = Fraction(mean)
    for deviation in (Fraction(0), Fraction(1, 4), Fraction(1, 3), Fraction(1)):
        expected = Fraction(0)
        for outcome in product((0, 1), repeat=trials):
            if abs(Fraction(sum(outcome), trials) - p) >= deviation:
                expected += p ** sum(outcome) * (1 - p) ** (trials - sum(outcome))
        found = certified.binomial_deviation(
            trials, fmpq(p.numerator, p.denominator), fmpq(*deviation.as_integer_ratio())
        )
        assert found == fmpq(expected.numerator, expected.denominator)


@pytest.mark.parametrize("trials", [1, 2, 4])
def test_multinomial_deviation_matches_enumeration(trials: int) -> None:
    law = [fmpq(1, 2), fmpq(1, 3), fmpq(1, 6)]
    for distance in (fmpq(0), fmpq(1, 2), fmpq(1), fmpq(5, 3)):
        expected = fmpq(0)
        for outcome in product(range(3), repeat=trials):
            off = sum(abs(fmpq(outcome.count(y), trials) - law[y]) for y in range(3))
            if off >= distance:
                weight = fmpq(1)
                for y in outcome:
                    weight *= law[y]
                expected += weight
        assert certified.multinomial_deviation(trials, law, distance) == expected


def test_multinomial_deviation_of_a_single_outcome_is_zero() -> None:
    assert certified.multinomial_deviation(5, [fmpq(1)], fmpq(1, 1000)) == 0


def test_laws_of_zero_trials_are_trivial() -> None:
    assert certified.binomial_law(0, THIRD) == (1,)
    assert list(certified.compositions(0, 3)) == [(0, 0, 0)]
    assert certified.geometric_probability([], THIRD) == 1
    assert certified.transition_count_law([[fmpq(1)]], [fmpq(1)], []) == {((0,),): 1}


def test_transition_count_law_matches_enumeration_of_paths() -> None:
    rows = [[fmpq(1, 3), fmpq(2, 3)], [fmpq(1, 2), fmpq(1, 2)]]
    initial = [fmpq(1, 4), fmpq(3, 4)]
    for restart_counts in (False, True):
        expected: dict[tuple[tuple[int, ...], ...], fmpq] = {}
        # two episodes of lengths 2 and 1: states x0 -> x1 -> x2 | z0 -> z1 | following episode's w
        for x0, x1, x2, z0, z1, w in product((0, 1), repeat=6):
            weight = initial[x0] * rows[x0][x1] * rows[x1][x2] * initial[z0] * rows[z0][z1] * initial[w]
            moves = [(x0, x1), (x1, z0 if restart_counts else x2), (z0, w if restart_counts else z1)]
            counts = tuple(tuple(moves.count((x, y)) for y in (0, 1)) for x in (0, 1))
            expected[counts] = expected.get(counts, fmpq(0)) + weight
        assert certified.transition_count_law(rows, initial, [2, 1], restart_counts) == expected
