"""Numbers of a finished run: final cumulative regrets with their intervals, and the time per episode.

Posterior sampling can go wrong for thousands of episodes with a small probability: a mean over simulations then says
little about most of them. So medians and quantiles stand beside means.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import nan

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from mbrl.experiments.intervals import Interval, bootstrap_interval
from mbrl.experiments.seeds import generator
from theory import BanditError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AgentSummary:
    """One learner's line of the table.

    Attributes
    ----------
    agent : str
    simulations, units : int
        Units of replication are the simulations, or the models where several simulations share one.
    final_regret, mean_low, mean_high : float
        Mean over simulations of the regret cumulated over all episodes, and its 95% bootstrap interval.
    median, median_low, median_high : float
        Of the simulations' cumulative regrets, likewise.
    lower_decile, upper_decile, largest : float
        Of the simulations' cumulative regrets.
    ratio, ratio_low, ratio_high : float
        Of the mean to that of another learner in the same simulations, likewise; not a number where none is asked for.
    median_ratio, median_ratio_low, median_ratio_high : float
        Of the median to that learner's, which one simulation that goes wrong does not move.
    milliseconds : float
        Median over all episodes of the time to plan and to learn.
    """

    agent: str
    simulations: int
    units: int
    final_regret: float
    mean_low: float
    mean_high: float
    median: float
    median_low: float
    median_high: float
    lower_decile: float
    upper_decile: float
    largest: float
    ratio: float
    ratio_low: float
    ratio_high: float
    median_ratio: float
    median_ratio_low: float
    median_ratio_high: float
    milliseconds: float


def summarise(regret: xr.Dataset, timing: xr.Dataset, versus: str | None = None) -> list[AgentSummary]:
    """Return one summary per learner, in the order of the file.

    Parameters
    ----------
    regret, timing
        As saved.
    versus
        The learner whose mean the others are compared with, simulation by simulation.

    Raises
    ------
    BanditError
        If the run has no such learner.
    """
    agents = [str(agent) for agent in regret["agent"].values]
    if versus is not None and versus not in agents:
        raise BanditError(f"versus: the run has no learner called {versus!r}; it has {', '.join(agents)}")
    totals = {agent: by_unit(regret, regret["regret"].sel(agent=agent).sum("episode").values) for agent in agents}
    seed = int(regret.attrs["seed"])

    def interval(agent: str, what: str, data: Floats, statistic: Callable[[Floats], float]) -> Interval:
        return bootstrap_interval(data, statistic, generator(seed, "bootstrap", agent, what))

    lines = []
    for agent, of_units in totals.items():
        mean = interval(agent, "mean", of_units, lambda rows: float(np.nanmean(rows)))
        median = interval(agent, "median", of_units, lambda rows: float(np.nanmedian(rows)))
        ratio = median_ratio = Interval(nan, nan, nan, 0)
        if versus is not None:
            pairs = np.stack([of_units, totals[versus]], axis=-1)
            if np.nanmean(totals[versus]) > 0:
                ratio = interval(agent, f"versus {versus}", pairs, _quotient_of_means)
            if np.nanmedian(totals[versus]) > 0:
                median_ratio = interval(agent, f"median versus {versus}", pairs, _quotient_of_medians)
        lines.append(
            AgentSummary(
                agent=agent,
                simulations=regret.sizes["simulation"],
                units=of_units.shape[0],
                final_regret=mean.estimate,
                mean_low=mean.low,
                mean_high=mean.high,
                median=median.estimate,
                median_low=median.low,
                median_high=median.high,
                lower_decile=float(np.nanquantile(of_units, 0.1)),
                upper_decile=float(np.nanquantile(of_units, 0.9)),
                largest=float(np.nanmax(of_units)),
                ratio=ratio.estimate,
                ratio_low=ratio.low,
                ratio_high=ratio.high,
                median_ratio=median_ratio.estimate,
                median_ratio_low=median_ratio.low,
                median_ratio_high=median_ratio.high,
                milliseconds=1000 * float(timing["policy_seconds"].sel(agent=agent).median()),
            )
        )
    return lines


def by_unit(regret: xr.Dataset, values: Floats) -> Floats:
    """Return `values`, (simulations,), as (units, simulations of each), padded with what is no number.

    Units are the models where several simulations share one, else the simulations.
    """
    each = int(regret.attrs["simulations_per_model"]) or 1
    units = -(-values.size // each)
    padded = np.full(units * each, np.nan)
    padded[: values.size] = values
    return padded.reshape(units, each)


def _quotient_of_means(pairs: Floats) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):  # a resample may have no regret at all
        return float(np.nanmean(pairs[..., 0]) / np.nanmean(pairs[..., 1]))


def _quotient_of_medians(pairs: Floats) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nanmedian(pairs[..., 0]) / np.nanmedian(pairs[..., 1]))
