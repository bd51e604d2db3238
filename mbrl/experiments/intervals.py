"""Confidence intervals over simulations; the unit of replication is the simulation, or the model that several share.

Regrets of posterior sampling are skew: a few simulations that go wrong dominate the mean. Intervals of smooth functions
of means are studentised bootstrap intervals (Efron and Tibshirani, 1993, section 12.5), with the standard error of the
delta method in each resample; of the intervals tried they had the best coverage. Intervals of a median lie between
order statistics, and are exact for any law.

Below 80 units means have no interval. From there on the tails are .0125, since tails of .025 covered .91 of skew
regrets. The coverage of these 95% intervals at 80 units (4,000 draws, known to .008) is .94 for final regrets of
MB-PSRL, .96 for a lognormal law (1.1), .95 for a Pareto law (2.5), and .97 for an exponential and a normal one. If a
few units alone differ, many resamples lack them, have next to no spread, and make one end absurd; then there is no
interval. Of any law of two values, at most .02 of the samples have an interval that misses the mean; of a law with one
simulation in a hundred far beyond all others, .47. The data cannot reveal it: .45 of its samples of 80 contain none of
the rare ones and look normal, so their interval is not withheld. These are statistics, never proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mbrl.arrays import Floats

RESAMPLES: Final = 4000
LEAST_FOR_MEANS: Final = 80
LEAST_FOR_MEDIANS: Final = 6
LEAST_RESAMPLED: Final = 20
"""Numbers of units from which there are intervals: of means, of a median, and of medians by resampling."""
TAILS: Final = (0.025, 0.975)
"""Quantiles at the ends of 95% intervals."""
STUDENTISED_TAILS: Final = (0.0125, 0.9875)
"""Tails of studentised means: wider, so that skew units are covered in .93 (`python -m tests.benchmarks.laws`)."""
FAINT: Final = 0.01
"""Share of the standard error below which a resample lacks the units that differ; at most a tail of them may."""
_STEP: Final = 1e-4
_ROUNDING: Final = 1e-6
"""Share of an estimate below which a standard error is rounding, also with slopes computed from differences."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95% confidence interval over `units` units of replication; the ends are NaN if it has none.

    Attributes
    ----------
    estimate, low, high : float
    units : int
    least : int
        Number of units from which there is an interval.
    alike : bool
        Whether all units but at most a few are equal or proportional; then there is no interval, as too little is known
        of the law's other values.

    Examples
    --------
    >>> print(Interval(3.0, 2.5, 4.0, 80), Interval(3.0, nan, nan, 1), sep="; ")
    3 [2.5, 4], 95%, n = 80; 3 (no interval below n = 2), 95%, n = 1
    """

    estimate: float
    low: float
    high: float
    units: int
    least: int = 2
    alike: bool = field(default=False, repr=False)

    @property
    def too_few(self) -> bool:
        """Whether there is an estimate, but too few units for an interval."""
        return isnan(self.low) and not self.alike and not isnan(self.estimate)

    def __str__(self) -> str:
        return f"{self.written('.4g')}, 95%, n = {self.units}"

    def written(self, form: str, *, reason: bool = True) -> str:
        """Return the number with its interval in brackets, or the reason why it has none.

        Parameters
        ----------
        form
            Format of the numbers, such as ``.1f``.
        reason
            Whether to say that there are too few units; a table says so once, below.

        Examples
        --------
        >>> Interval(3.0, 2.5, 4.0, 90, 80).written(".1f"), Interval(3.0, nan, nan, 9, 80).written(".1f")
        ('3.0 [2.5, 4.0]', '3.0 (no interval below n = 80)')
        >>> Interval(nan, nan, nan, 0).written(".1f"), Interval(0.0, nan, nan, 90, 80, alike=True).written(".1f")
        ('-', '0.0 (no interval: 90 too much alike)')
        """
        if isnan(self.estimate):
            return "-"
        if self.too_few and not reason:
            return f"{self.estimate:{form}}"
        if isnan(self.low):
            why = f": {self.units} too much alike" if self.alike else f" below n = {self.least}"
            return f"{self.estimate:{form}} (no interval{why})"
        return f"{self.estimate:{form}} [{self.low:{form}}, {self.high:{form}}]"


def shown_share(share: float) -> str:
    """Return as text a two-tailed p-value, which cannot be smaller than twice the share of one resample.

    Examples
    --------
    >>> shown_share(0.031), shown_share(4 / (1 + RESAMPLES)), shown_share(2 / (1 + RESAMPLES))
    ('0.031', '0.001', 'at most 0.0005')
    """
    return "at most " * (share <= 2 / (1 + RESAMPLES)) + f"{share:.2g}"


def per_unit(values: Sequence[float] | Floats, models: Sequence[int] | NDArray[np.int64]) -> Floats:
    """Return the mean of `values`, (simulations, ...), over the simulations of each model.

    >>> per_unit([1, 3, 10, 20, 30], [7, 7, 4, 4, 4]).tolist()
    [20.0, 2.0]
    """
    array, labels = np.asarray(values, dtype=float), np.asarray(models)
    return np.array([array[labels == label].mean(axis=0) for label in np.unique(labels)])


def occurrences(chosen: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the (R, count) array of how often each of `count` units occurs in each row of `chosen`, an (R, n) array.

    >>> occurrences(np.array([[0, 2, 2], [1, 1, 1]]), 3).tolist()
    [[1, 0, 2], [0, 3, 0]]
    """
    apart = chosen + count * np.arange(len(chosen))[:, None]
    return np.bincount(apart.ravel(), minlength=count * len(chosen)).reshape(-1, count)


def interval(
    units: Floats, generator: np.random.Generator, of_means: Callable[[Floats], Floats] = np.asarray
) -> Interval:
    """Return a smooth function of the means of the units, with its studentised bootstrap interval.

    Parameters
    ----------
    units : (n, ...)
        Independent units, each with as many numbers as `of_means` takes.
    generator
        Advanced by the resampling.
    of_means : function
        Maps means, (..., *units.shape[1:]), to (...,); by default, for units of one number each, the mean itself.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> found = interval(rng.normal(10, 2, 400), rng)
    >>> 9.6 < found.low < found.estimate < found.high < 10.4
    True
    """
    count, shape = len(units), units.shape[1:]
    rows = units.reshape(count, -1).astype(np.float64)
    centre, steps = rows.mean(axis=0), _STEP * np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)
    estimate = float(_at(of_means, centre[None], shape)[0])
    if count < LEAST_FOR_MEANS:
        return Interval(estimate, nan, nan, count, LEAST_FOR_MEANS)
    weights = occurrences(generator.integers(count, size=(RESAMPLES, count)), count) / count
    weights = np.concatenate([np.full((1, count), 1 / count), weights])  # the sample itself first
    apart = rows - centre
    shifts = weights @ apart
    spreads = np.tensordot(weights, apart[:, :, None] * apart[:, None, :], 1) - shifts[:, :, None] * shifts[:, None, :]
    means = centre + shifts
    with np.errstate(divide="ignore", invalid="ignore"):  # a resample may have no spread, or no regret at all
        slopes = np.stack(
            [
                (_at(of_means, means + step * unit, shape) - _at(of_means, means - step * unit, shape)) / (2 * step)
                for step, unit in zip(steps, np.eye(steps.size), strict=True)
            ],
            axis=-1,
        )
        errors = np.sqrt(np.einsum("ri,rij,rj->r", slopes, spreads, slopes) / count)
        studentised = (_at(of_means, means[1:], shape) - estimate) / errors[1:]
    sound = np.isfinite(studentised) & (errors[1:] > FAINT * errors[0])
    rounding = _ROUNDING * np.abs(slopes[0] * centre).sum()
    if not errors[0] > rounding or 1 - sound.mean() > STUDENTISED_TAILS[0]:  # all or most are alike, or in proportion
        return Interval(estimate, nan, nan, count, LEAST_FOR_MEANS, alike=True)
    low, high = np.quantile(studentised[sound], STUDENTISED_TAILS)
    return Interval(
        estimate, estimate - float(high * errors[0]), estimate - float(low * errors[0]), count, LEAST_FOR_MEANS
    )


def _at(of_means: Callable[[Floats], Floats], means: Floats, shape: tuple[int, ...]) -> Floats:
    return np.asarray(of_means(means.reshape(-1, *shape)))


def of_logarithm(found: Interval) -> Interval:
    """Return the interval of a positive number from that of its logarithm.

    >>> of_logarithm(Interval(0.0, 0.0, nan, 90))
    Interval(estimate=1.0, low=1.0, high=nan, units=90, least=2)
    """
    estimate, low, high = map(float, np.exp([found.estimate, found.low, found.high]))
    return replace(found, estimate=estimate, low=low, high=high)


def median_interval(units: Floats) -> Interval:
    """Return the median of (n,) independent units with its interval between order statistics, of coverage at least 95%.

    Examples
    --------
    >>> median_interval(np.arange(1.0, 11.0))
    Interval(estimate=5.5, low=2.0, high=9.0, units=10, least=6)
    """
    count, estimate = units.size, float(np.median(units))
    if count < LEAST_FOR_MEDIANS:
        return Interval(estimate, nan, nan, count, LEAST_FOR_MEDIANS)
    if units.min() == units.max():
        return Interval(estimate, nan, nan, count, LEAST_FOR_MEDIANS, alike=True)
    place, ordered = _median_rank(count), np.sort(units)
    return Interval(estimate, float(ordered[place - 1]), float(ordered[-place]), count, LEAST_FOR_MEDIANS)


def _median_rank(count: int) -> int:
    """Return the largest k such that fewer than k heads in `count` fair coin tosses have probability at most 1/40.

    Examples
    --------
    >>> [_median_rank(count) for count in (6, 10, 100)]
    [1, 2, 40]
    """
    place, ways, at_most = 0, 1, 1  # number of outcomes with `place` heads, and with at most `place` heads
    while 40 * at_most < 2**count:
        ways = ways * (count - place) // (place + 1)
        place, at_most = place + 1, at_most + ways
    return place


def resampled_interval(units: Floats, statistic: Callable[[Floats], float], generator: np.random.Generator) -> Interval:
    """Return ``statistic(units)`` with its percentile bootstrap interval; `units` is (n, ...), resampled along n.

    It serves medians, whose law is not skew, of units that are pairs or the simulations of one model.
    """
    count = len(units)
    estimate = float(statistic(units))
    if count < LEAST_RESAMPLED:
        return Interval(estimate, nan, nan, count, LEAST_RESAMPLED)
    chosen = generator.integers(count, size=(RESAMPLES, count))
    found = np.array([statistic(units[one]) for one in chosen])
    if np.ptp(found) <= _ROUNDING * abs(estimate):
        return Interval(estimate, nan, nan, count, LEAST_RESAMPLED, alike=True)
    low, high = np.quantile(found, TAILS)
    return Interval(estimate, float(low), float(high), count, LEAST_RESAMPLED)
