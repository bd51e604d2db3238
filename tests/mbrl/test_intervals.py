"""Intervals over units of replication against hand computation, the normal law and SciPy."""

from math import comb

import numpy as np
import pytest

from mbrl.experiments import intervals
from tests.benchmarks import laws


def ratio(means):
    return means[..., 0] / means[..., 1]


def test_mean_interval_equals_the_studentised_bootstrap():
    # t of each resample by its own spread, from the definition, with the same draws
    units = np.random.default_rng(3).lognormal(0, 1.2, 100)
    resamples = units[np.random.default_rng(4).integers(100, size=(intervals.RESAMPLES, 100))]
    t = (resamples.mean(axis=1) - units.mean()) / (resamples.std(axis=1) / 10)
    low, high = units.mean() - np.quantile(t, [0.9875, 0.0125]) * units.std() / 10
    found = intervals.interval(units, np.random.default_rng(4))
    assert found.estimate == pytest.approx(units.mean())
    np.testing.assert_allclose([found.low, found.high], [low, high], rtol=1e-6)
    assert found.high - found.estimate > 1.5 * (found.estimate - found.low)  # skew, like the law


def test_interval_of_a_quotient_matches_the_delta_method():
    rng = np.random.default_rng(5)
    units = rng.exponential(size=(2000, 2)) + 1
    found = intervals.interval(units, rng, ratio)
    quotient = units[:, 0].mean() / units[:, 1].mean()
    error = (units[:, 0] - quotient * units[:, 1]).std() / units[:, 1].mean() / np.sqrt(2000)
    assert (found.estimate, found.units, found.least) == (pytest.approx(quotient), 2000, intervals.LEAST_FOR_MEANS)
    np.testing.assert_allclose(
        [found.low, found.high], quotient + 2.2414 * error * np.array([-1, 1]), atol=0.15 * error
    )


def test_identical_or_proportional_units_have_no_interval():
    first = np.random.default_rng(6).random(90) + 1
    for found in (
        intervals.interval(np.stack([2 * first, first], axis=1), np.random.default_rng(4), ratio),
        intervals.interval(np.full(90, 2.0), np.random.default_rng(4)),
        intervals.median_interval(np.full(90, 2.0)),
        intervals.resampled_interval(np.full(90, 2.0), np.median, np.random.default_rng(4)),
    ):
        assert found.written(".3f") == "2.000 (no interval: 90 too much alike)"


@pytest.mark.parametrize(("others", "shown"), [(1, False), (2, False), (4, False), (6, True)])
def test_mean_has_no_interval_if_but_a_few_units_are_alike(others, shown):
    rng = np.random.default_rng(1)
    units = np.append(rng.normal(21747.424, 1e-5, 80 - others), np.linspace(21811.8, 21827.7, others))
    found = intervals.interval(units, rng)
    assert found.alike is not shown
    assert found.written(".0f").endswith("]" if shown else "(no interval: 80 too much alike)")
    assert not shown or units.min() < found.low < found.estimate < found.high < units.max()


@pytest.mark.parametrize("count", [6, 7, 10, 20, 81, 300])
def test_median_interval_is_the_shortest_that_covers_95_percent(count):
    found = intervals.median_interval(np.random.default_rng(count).permutation(count) + 1.0)

    def coverage(k):  # of the interval between the k-th smallest and the k-th largest
        return 1 - 2 * sum(comb(count, j) for j in range(k)) / 2**count

    k = int(found.low)
    assert (found.low, found.high, found.estimate) == (k, count + 1 - k, (count + 1) / 2)
    assert coverage(k) >= 0.95 > coverage(k + 1)


def test_too_few_units_give_no_interval_and_name_the_minimum():
    few = np.arange(float(intervals.LEAST_FOR_MEANS - 1))
    rng = np.random.default_rng(1)
    for found, least in (
        (intervals.interval(few, rng), intervals.LEAST_FOR_MEANS),
        (intervals.median_interval(few[:5]), 6),
        (intervals.resampled_interval(few[:19], np.median, rng), 20),
    ):
        assert np.isnan([found.low, found.high]).all()
        assert f"(no interval below n = {least}), 95%, n = {found.units}" in str(found)
    assert np.isfinite(intervals.interval(np.arange(float(intervals.LEAST_FOR_MEANS)), rng).low)
    assert np.isfinite(intervals.resampled_interval(few[:20], np.median, rng).low)


def test_resampled_interval_of_medians_matches_scipy():
    pairs = np.random.default_rng(9).exponential(size=(50, 2))

    def quotient(rows):
        return float(np.median(rows[:, 0]) / np.median(rows[:, 1]))

    found = intervals.resampled_interval(pairs, quotient, np.random.default_rng(6))
    how = {"vectorized": False, "method": "percentile", "rng": np.random.default_rng(7)}
    from scipy.stats import bootstrap

    theirs = bootstrap((np.arange(50),), lambda chosen: quotient(pairs[chosen]), **how).confidence_interval
    np.testing.assert_allclose([found.low, found.high], theirs, rtol=0.1)


@pytest.mark.system
@pytest.mark.parametrize("name", laws.LAWS)
def test_mean_intervals_cover_93_percent_for_each_law(name):
    missed = sum(laws.coverage(*laws.LAWS[name], intervals.LEAST_FOR_MEANS))
    error = 1.96 * (missed * (1 - missed) / laws.DRAWS) ** 0.5
    assert 1 - missed - error >= 0.93
