"""How often intervals called 95% cover: ``python -m tests.benchmarks.coverage DIR`` prints Markdown for a finished run.

The run's simulations serve as the population: its mean and median are the truth, and samples of n are drawn from it
repeatedly, with replacement. A run of 2,000 simulations is large enough.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mbrl.experiments import intervals
from mbrl.experiments.dataset import read_results

SAMPLES, UNITS = 500, (2, 10, 20, 40, 80, 300)


def percentile(units: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    """Return the percentile bootstrap interval of the mean, for comparison."""
    count = len(units)
    means = rng.multinomial(count, np.full(count, 1 / count), intervals.RESAMPLES) @ units / count
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def coverage(totals: np.ndarray, count: int) -> tuple[float, float, float]:
    """Return the coverage of three intervals: percentile and studentised of the mean, and that of the median.

    That of the studentised one is a share of the samples that have one.
    """
    rng, mean, median = np.random.default_rng(count), totals.mean(), np.median(totals)
    held, shown = np.zeros(3), 0
    for _ in range(SAMPLES):
        units = rng.choice(totals, count)
        low, high = percentile(units, rng)
        ours, middle = intervals.interval(units, rng), intervals.median_interval(units)
        shown += np.isfinite(ours.low)
        held += [low <= mean <= high, ours.low <= mean <= ours.high, middle.low <= median <= middle.high]
    by_percentiles, studentised, exact = held / SAMPLES
    return by_percentiles, studentised * SAMPLES / max(shown, 1), exact


def main() -> None:
    """Print the coverage table of the run in a folder."""
    regret = read_results(Path(sys.argv[1]))
    for name in ("LEAST_FOR_MEANS", "LEAST_FOR_MEDIANS"):
        setattr(intervals, name, 3)  # without the usual minimum
    for agent in regret.agents:
        totals = regret.select([agent]).rows[0].sum(axis=1)
        skew = ((totals - totals.mean()) ** 3).mean() / totals.std() ** 3
        for count in UNITS:
            cells = (f"{share:.2f}" if share > 0 else "-" for share in coverage(totals, count))
            print("|", " | ".join((agent, f"{skew:.1f}", str(count), *cells)), "|", flush=True)


if __name__ == "__main__":
    main()
