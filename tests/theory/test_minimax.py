"""The minimax learner's tables against their definition, enumeration and float iteration."""

from dataclasses import replace
from itertools import chain, product
from math import sqrt

import numpy as np
import pytest
from flint import fmpq

from theory import nearest_float, paper_model
from theory.minimax import (
    MinimaxSettings,
    RetirementTable,
    SeenArm,
    convex_minorant,
    equal_levels,
    exact_tables,
    index_rule,
    mean_of_largest,
    optimistic_sweep,
    optimistic_table,
    others_law,
)
from theory.values import optimal_value, policy_value

SEEN = SeenArm(["1/4", "3/4", 0], [["1/2", "1/2", 0], [0, "1/3", "2/3"], [1, 0, 0]], [40, 300, 0])
LEVELS = equal_levels("3/4", 12)
SETTINGS = MinimaxSettings(2)


def chances(table, x):
    """Return the law of Z as pairs of level and chance."""
    slopes = (fmpq(0), *table.slopes[x])
    return [(m, right - left) for m, left, right in zip(table.levels, slopes, slopes[1:], strict=False)]


def test_mean_of_largest_matches_enumeration():
    table = RetirementTable((0, 1, 4), ((1, "7/4", 4), ("3/2", 2, 4)))
    for state in product(range(2), repeat=3):
        joint = [(max(m for m, _ in each), each) for each in product(*(chances(table, x) for x in state))]
        expected = sum(m * each[0][1] * each[1][1] * each[2][1] for m, each in joint)
        assert mean_of_largest([table] * 3, state) == expected
        law = others_law([table] * 3, state, 1)
        for m, chance in zip(table.levels, law, strict=True):
            pairs = product(chances(table, state[0]), chances(table, state[2]))
            assert chance == sum(p * q for (v, p), (w, q) in pairs if max(v, w) == m)


@pytest.mark.parametrize("name", ["counterexample-m1", "counterexample-m2"])
def test_exact_tables_give_optimal_values_and_an_optimal_policy(name):
    bandit = paper_model(name)
    scaled = replace(bandit, arms=[replace(arm, rewards=[r / 10 for r in arm.rewards]) for arm in bandit.arms])
    tables, values = exact_tables(scaled), optimal_value(scaled).values
    assert {state: mean_of_largest(tables, state) for state in values} == values
    assert policy_value(scaled, index_rule(tables)) == values


def test_convex_minorant_matches_its_definition():
    generator = np.random.default_rng(3)
    for _ in range(50):
        levels = [fmpq(0)]
        for step in generator.integers(1, 4, size=6):
            levels.append(levels[-1] + int(step))
        values = [fmpq(int(v)) for v in generator.integers(0, 9, size=7)]
        found = convex_minorant(levels, values)
        for j, m in enumerate(levels):  # by its definition: the least of all chords over m
            chords = [values[j]] + [
                values[i] + (values[k] - values[i]) * (m - levels[i]) / (levels[k] - levels[i])
                for i in range(j)
                for k in range(j + 1, 7)
            ]
            assert found[j] == min(chords)


def float_operator(values, discount, levels, c1, c2, logarithm):
    """The operator in floats, by independent code."""
    B = levels[-1]
    image = np.empty_like(values)
    for x, (reward, exact, N) in enumerate(zip(SEEN.rewards, SEEN.rows, SEEN.visits, strict=True)):
        row = np.array([nearest_float(q) for q in exact])
        rate = logarithm / max(1, N)
        for j, m in enumerate(levels):
            v = values[:, j]
            sd = sqrt(max(0.0, row @ v**2 - (row @ v) ** 2))
            bonus = max(c1 * sd * sqrt(rate), c2 * B * rate)
            image[x, j] = max(m, min(B, nearest_float(reward) + sqrt(rate / 2) + discount * (row @ v + bonus)))
        exactly = [[fmpq(*v.as_integer_ratio()) for v in floats] for floats in (levels, image[x])]
        image[x] = [nearest_float(v) for v in convex_minorant(*exactly)]
    return image


def test_optimistic_table_matches_float_iteration_from_below():
    table = optimistic_table(SEEN, "3/4", LEVELS, SETTINGS)
    levels = [nearest_float(m) for m in LEVELS]
    below = np.array([levels] * 3)
    for _ in range(200):
        below = float_operator(below, 0.75, levels, 1.8, 16.0, 2.0)
    found = np.array([[nearest_float(v) for v in row] for row in table.values])
    assert (found >= below - 1e-12).all()
    np.testing.assert_allclose(found, below, atol=4 * 2.0**-23)  # B times the rounding


def test_optimistic_sweep_is_monotone():
    generator = np.random.default_rng(4)

    def image(values):
        return optimistic_sweep(SEEN, fmpq(3, 4), LEVELS, values, SETTINGS)

    for _ in range(60):
        low = [[fmpq(int(v), 4) for v in generator.integers(0, 15, size=13)] for _ in range(3)]
        high = [
            [min(fmpq(4), v + fmpq(int(more), 8)) for v, more in zip(row, generator.integers(0, 3, 13), strict=True)]
            for row in low
        ]
        assert all(a <= b for a, b in zip(chain(*image(low)), chain(*image(high)), strict=True))
