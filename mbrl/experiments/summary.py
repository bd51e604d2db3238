"""Numbers of a finished run: the final cumulative regret with its standard error, and the time per episode."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

import xarray as xr


@dataclass(frozen=True)
class AgentSummary:
    """One learner's line of the table.

    Attributes
    ----------
    agent : str
    simulations : int
    final_regret : float
        Mean over simulations of the regret cumulated over all episodes.
    standard_error : float
        Of that mean. Simulations are the unit of replication; where several share a random model, the models are.
        Not a number where there is but one unit.
    median, largest : float
        Of the simulations' cumulative regrets: posterior sampling can go wrong for thousands of episodes with a small
        probability, and then a mean over simulations says little about most of them.
    units : int
        Number of units of replication.
    milliseconds : float
        Median over all episodes of the time to plan and to learn.
    """

    agent: str
    simulations: int
    final_regret: float
    standard_error: float
    median: float
    largest: float
    units: int
    milliseconds: float


def summarise(regret: xr.Dataset, timing: xr.Dataset) -> list[AgentSummary]:
    """Return one summary per learner, in the order of the file."""
    totals = regret["regret"].sum("episode")
    by_model = totals.groupby("model").mean() if int(regret.attrs["simulations_per_model"]) else totals
    unit = "model" if "model" in by_model.dims else "simulation"
    count = by_model.sizes[unit]
    lines = []
    for name in regret["agent"].values:
        of_units = by_model.sel(agent=name)
        lines.append(
            AgentSummary(
                agent=str(name),
                simulations=totals.sizes["simulation"],
                final_regret=float(totals.sel(agent=name).mean()),
                standard_error=float(of_units.std(ddof=1)) / sqrt(count) if count > 1 else nan,
                median=float(totals.sel(agent=name).median()),
                largest=float(totals.sel(agent=name).max()),
                units=count,
                milliseconds=1000 * float(timing["policy_seconds"].sel(agent=name).median()),
            )
        )
    return lines
