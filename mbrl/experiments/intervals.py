"""Confidence intervals over simulations: the simulation (or the random model they share) is the unit of replication.

Intervals are percentile bootstrap intervals, by SciPy, with a generator that is handed in, or normal ones for means.
These are statistics, never proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NORMAL_95 = 1.959964
RESAMPLES = 4000


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95% confidence interval over `units` units of replication; not a number for a single one."""

    estimate: float
    low: float
    high: float
    units: int

    def __str__(self) -> str:
        return f"{self.estimate:.4g} [{self.low:.4g}, {self.high:.4g}], 95%, n = {self.units}"


def per_unit(values: Sequence[float] | Floats, models: Sequence[int]) -> Floats:
    """Return the mean of `values`, (simulations, ...), over the simulations of each model."""
    array, labels = np.asarray(values, dtype=float), np.asarray(models)
    return np.array([array[labels == label].mean(axis=0) for label in np.unique(labels)])


def mean_interval(units: Floats) -> Interval:
    """Return the mean of independent units with its normal interval."""
    mean = float(units.mean())
    half = NORMAL_95 * float(units.std(ddof=1)) / float(np.sqrt(units.size))
    return Interval(mean, mean - half, mean + half, units.size)


def bootstrap_interval(units: Floats, statistic: Callable[[Floats], float], generator: np.random.Generator) -> Interval:
    """Return ``statistic(units)`` with its percentile interval; `units` is (n, ...), resampled along n.

    Where the units are random models, give the simulations of each as a row: they are then resampled together.
    """
    count = units.shape[0]
    estimate = float(statistic(units))
    if count == 1:
        return Interval(estimate, nan, nan, 1)
    from scipy.stats import bootstrap  # type: ignore[import-untyped]  # noqa: PLC0415  (slow to import)

    found = bootstrap(
        (np.arange(count),),
        lambda chosen: statistic(units[chosen]),
        n_resamples=RESAMPLES,
        vectorized=False,
        method="percentile",
        rng=generator,
    ).confidence_interval
    return Interval(estimate, float(found.low), float(found.high), count)
