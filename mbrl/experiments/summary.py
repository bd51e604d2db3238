"""Summary of a finished run: final cumulative regrets with their intervals, and the time per episode.

Posterior sampling can, with a small probability, go wrong for thousands of episodes; the mean over simulations then
says little about most of them. So the table has medians and quantiles as well as means.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from mbrl.arrays import Floats
from mbrl.experiments.dataset import Saved
from mbrl.experiments.intervals import Interval, interval, median_interval, of_logarithm, resampled_interval
from mbrl.experiments.seeds import generator


@dataclass(frozen=True)
class AgentSummary:
    """One learner's row of the table.

    Attributes
    ----------
    agent : str
    simulations, units : int
        Units of replication are the simulations, or the models if several simulations share one.
    mean, median : Interval
        Mean and median of the regrets cumulated over all episodes.
    lower_decile, upper_decile, largest : float
        Quantiles of the cumulative regrets.
    ratio : Interval
        Ratio of the mean to another learner's in the same simulations; NaN without another learner.
    median_ratio : Interval
        The same for the median, which one simulation that goes wrong does not move.
    milliseconds : float
        Median over all episodes of the time to plan and to learn.
    steady : bool
        Whether all episodes of all simulations have the same regret, not 0: the learner seems to learn nothing.
    """

    agent: str
    simulations: int
    units: int
    mean: Interval
    median: Interval
    lower_decile: float
    upper_decile: float
    largest: float
    ratio: Interval
    median_ratio: Interval
    milliseconds: float
    steady: bool = False


def summarise(regret: Saved, timing: Saved, versus: str | None = None) -> list[AgentSummary]:
    """Return one summary per learner, in the order of the file.

    Parameters
    ----------
    regret, timing
        Results of the same learners.
    versus
        The learner whose mean the others are compared with, simulation by simulation.

    Raises
    ------
    BanditError
        If the run has no such learner.
    """
    if versus is not None:
        regret.place(versus, "versus")
    totals = {agent: by_unit(regret, rows.sum(axis=1)) for agent, rows in zip(regret.agents, regret.rows, strict=True)}
    seed = int(regret.attributes["seed"])

    none = Interval(nan, nan, nan, 0)
    lines = []
    for (agent, of_units), rows, seconds in zip(totals.items(), regret.rows, timing.rows, strict=True):

        def resampling(what: str, agent: str = agent) -> np.random.Generator:
            return generator(seed, "bootstrap", agent, what)

        known = np.isfinite(of_units)
        sums = np.where(known, of_units, 0.0).sum(axis=1)
        ratio = median_ratio = none
        if versus is not None:
            other = totals[versus]
            if np.nanmean(other) > 0:
                pairs = np.stack([sums, np.where(known, other, 0.0).sum(axis=1)], axis=1)
                ratio = _ratio(pairs, resampling(f"versus {versus}"))
            if np.nanmedian(other) > 0:
                both = np.stack([of_units, other], axis=-1)
                median_ratio = resampled_interval(both, _quotient_of_medians, resampling(f"median versus {versus}"))
        alone = of_units.shape[1] == 1
        lines.append(
            AgentSummary(
                agent=agent,
                simulations=regret.simulations,
                units=of_units.shape[0],
                mean=interval(np.stack([sums, known.sum(axis=1)], axis=1), resampling("mean"), _quotient),
                median=median_interval(of_units.ravel())
                if alone
                else resampled_interval(of_units, _median, resampling("median")),
                lower_decile=float(np.nanquantile(of_units, 0.1)),
                upper_decile=float(np.nanquantile(of_units, 0.9)),
                largest=float(np.nanmax(of_units)),
                ratio=ratio,
                median_ratio=median_ratio,
                milliseconds=1000 * float(np.median(seconds)),
                steady=bool(rows.min() == rows.max() > 0),
            )
        )
    return lines


def by_unit(regret: Saved, values: Floats) -> Floats:
    """Return `values`, (simulations,), as (units, simulations per unit), padded with NaN.

    Units are the models if several simulations share one, and otherwise the simulations.
    """
    labels = regret.models if regret.attributes["simulations_per_model"] else np.arange(values.size)
    _, unit, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    padded = np.full((sizes.size, sizes.max()), np.nan)
    padded[np.sort(unit), np.concatenate([np.arange(size) for size in sizes])] = values[np.argsort(unit, kind="stable")]
    return padded


def _ratio(pairs: Floats, rng: np.random.Generator) -> Interval:
    """Return the quotient of the two columns' means; where it is positive its interval is that of its logarithm."""
    if pairs[:, 0].mean() > 0:
        with np.errstate(divide="ignore"):  # a resample may have no regret at all
            return of_logarithm(interval(pairs, rng, lambda means: np.log(_quotient(means))))
    return interval(pairs, rng, _quotient)


def _quotient(means: Floats) -> Floats:
    quotient: Floats = means[..., 0] / means[..., 1]
    return quotient


def _quotient_of_medians(pairs: Floats) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):  # a resample may have no regret at all
        return float(_median(pairs[..., 0]) / _median(pairs[..., 1]))


def _median(values: Floats) -> np.float64:
    """Return what `np.nanmedian` does; each of thousands of resamples takes a few medians, and this is quicker."""
    known = np.sort(values[~np.isnan(values)])
    middle = known.size // 2
    return np.float64((known[middle] + known[-1 - middle]) / 2 if known.size else nan)
