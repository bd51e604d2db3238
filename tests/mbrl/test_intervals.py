"""Intervals over units of replication, against what is known by hand or from the normal law."""

import numpy as np
import pytest

from mbrl.experiments.intervals import bootstrap_interval, mean_interval, per_unit


def test_the_units_are_the_models_that_simulations_share():
    np.testing.assert_allclose(per_unit([1, 3, 10, 20, 30], [7, 7, 4, 4, 4]), [20, 2])


def test_the_interval_of_a_mean_by_hand():
    found = mean_interval(np.array([1.0, 2.0, 3.0, 4.0]))
    half = 1.959964 * np.sqrt(5 / 3) / 2  # the sample variance is 5/3, its root over sqrt(4) the standard error
    assert (found.estimate, found.units) == (2.5, 4)
    np.testing.assert_allclose([found.low, found.high], [2.5 - half, 2.5 + half])


def test_a_bootstrapped_mean_has_about_the_normal_interval():
    units = np.random.default_rng(1).normal(3, 2, 400)
    found, normal = bootstrap_interval(units, np.mean, np.random.default_rng(2)), mean_interval(units)
    assert found.estimate == pytest.approx(units.mean())
    np.testing.assert_allclose(
        [found.low, found.high], [normal.low, normal.high], atol=0.15 * (normal.high - normal.low)
    )


def test_rows_are_resampled_whole():
    """The quotient of two columns that are in proportion is the same in every resample."""
    first = np.random.default_rng(3).random(50) + 1
    found = bootstrap_interval(
        np.stack([2 * first, first], axis=1),
        lambda rows: float(rows[:, 0].mean() / rows[:, 1].mean()),
        np.random.default_rng(4),
    )
    np.testing.assert_allclose([found.low, found.estimate, found.high], 2)


def test_the_same_generator_gives_the_same_interval():
    units = np.random.default_rng(5).random(30)
    intervals = {str(bootstrap_interval(units, np.median, np.random.default_rng(6))) for _ in range(2)}
    assert len(intervals) == 1
