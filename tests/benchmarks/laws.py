"""How often studentised 95% intervals of means cover, law by law: ``python -m tests.benchmarks.laws [DIR [N ...]]``.

DIR holds a finished run of one learner, whose simulations serve as one more law. Intervals are computed as in
`mbrl.experiments.intervals.interval` for means; to save time, twenty draws share their resamples.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mbrl.experiments.dataset import read_results
from mbrl.experiments.intervals import FAINT, LEAST_FOR_MEANS, STUDENTISED_TAILS

DRAWS, SHARED, RESAMPLES = 4000, 20, 1000
LAWS = {
    "lognormal, 1.1": (lambda rng, n: rng.lognormal(0, 1.1, n), np.exp(0.605)),
    "Pareto, 2.5": (lambda rng, n: 1 + rng.pareto(2.5, n), 5 / 3),
    "exponential": (lambda rng, n: rng.exponential(size=n), 1.0),
    "normal": (lambda rng, n: rng.normal(3, 1, n), 3.0),
    "one in ten": (lambda rng, n: rng.binomial(1, 0.1, n), 0.1),
}


def coverage(draw, truth: float, count: int) -> tuple[float, float]:
    """Return the shares of draws that have an interval that lies above the truth, and below it."""
    rng, above, below = np.random.default_rng([count, 11]), 0, 0
    for _ in range(DRAWS // SHARED):
        weights = rng.multinomial(count, np.full(count, 1 / count), RESAMPLES) / count
        units = np.stack([draw(rng, count) for _ in range(SHARED)], axis=1)
        centre, spread = units.mean(axis=0), units.std(axis=0)
        shifts = weights @ (units - centre)
        spreads = np.sqrt(np.maximum(weights @ (units - centre) ** 2 - shifts**2, 0))
        sound = spreads > FAINT * spread
        studentised = np.divide(shifts, spreads, out=np.zeros_like(shifts), where=sound)
        low, high = np.quantile(studentised, STUDENTISED_TAILS, axis=0)
        shown = 1 - sound.mean(axis=0) <= STUDENTISED_TAILS[0]
        above += int((shown & (truth < centre - high * spread)).sum())
        below += int((shown & (truth > centre - low * spread)).sum())
    return above / DRAWS, below / DRAWS


def main() -> None:
    """Print a line for each law and number of units."""
    laws = dict(LAWS)
    if sys.argv[1:]:
        totals = read_results(Path(sys.argv[1])).rows.sum(axis=2).ravel()
        laws["the run"] = (lambda rng, n: rng.choice(totals, n), totals.mean())
    for count in map(int, sys.argv[2:] or [LEAST_FOR_MEANS]):
        for name, (draw, truth) in laws.items():
            above, below = coverage(draw, truth, count)
            print(f"n = {count}, {name}: {1 - above - below:.3f} (above {above:.3f}, below {below:.3f})", flush=True)


if __name__ == "__main__":
    main()
