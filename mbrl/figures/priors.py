"""The three panels of scenario 3 for each algorithm: correct prior, incorrect prior, and both averages."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from mbrl.figures.curves import method_of
from mbrl.figures.style import VERY_DIFFERENT, LineStyle, label_axes, make_logarithmic, note_below, styles, wrapped

Floats = NDArray[np.float64]

_INCORRECT = "-gaussian"
_BAND = (0.1, 0.9)


def algorithms_with_both_priors(regret: xr.Dataset) -> list[str]:
    """Return the learners that were run with the Beta and with the Gaussian prior."""
    agents = [str(agent) for agent in regret["agent"].values]
    return [agent for agent in agents if agent + _INCORRECT in agents]


def priors(regret: xr.Dataset) -> Figure:
    """Draw one row of three panels per algorithm; thin lines are averages over the simulations of one model."""
    algorithms = algorithms_with_both_priors(regret)
    figure = Figure(figsize=(9.8, 2.7 * len(algorithms) + 1.0))
    grid = figure.subplots(len(algorithms), 3, squeeze=False)
    cumulative = regret["regret"].cumsum("episode")
    by_model = cumulative.groupby("model").mean()
    average = cumulative.mean("simulation")
    episodes = regret["episode"]
    for row, algorithm in zip(grid, algorithms, strict=True):
        pair = (algorithm, algorithm + _INCORRECT)
        looks = styles(pair)
        ends = [by_model.sel(agent=agent).isel(episode=-1).values for agent in pair]
        for axes, agent, prior in zip(row, pair, ("correct", "incorrect"), strict=False):
            for model in by_model["model"].values:
                axes.plot(episodes, by_model.sel(agent=agent, model=model), color="#C4C4C4", linewidth=0.7)
            _draw(axes, regret, average, agent, looks)
            _label(axes, ends)
            axes.set_title(f"{algorithm}: {prior} prior", fontsize=9)
        for agent, prior in zip(pair, ("correct (Beta)", "incorrect (Gaussian)"), strict=True):
            _draw(row[2], regret, average, agent, looks, prior)
            low, high = by_model.sel(agent=agent).quantile(_BAND, "model").values
            row[2].fill_between(episodes, low, high, color=looks[agent].colour, alpha=0.16, linewidth=0)
            row[2].plot(episodes, low, **looks[agent].line(), linewidth=0.6)
            row[2].plot(episodes, high, **looks[agent].line(), linewidth=0.6)
        row[2].set_title(f"{algorithm}: both priors", fontsize=9)
        row[2].legend(loc="upper center", bbox_to_anchor=(0.5, -0.22))
        label_axes(row[2], "cumulative regret")
        for axes in row:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=4, steps=[1, 2, 5, 10]))
    models = by_model.sizes["model"]
    each = regret.sizes["simulation"] / models
    figure.suptitle(wrapped(regret.attrs["title"], 130), fontsize=10)
    note_below(
        figure,
        f"thick: average over all simulations; thin: averages over the {each:.3g} simulations of each of {models} "
        f"models; bands: from the 10% to the 90% quantile of the models; the third axis differs\n{method_of(regret)}",
        width=140,
    )
    return figure


def _label(axes: Axes, ends: list[Floats]) -> None:
    """Label the axes of a curve for each model: alike for both priors, logarithmic where one hides others."""
    label_axes(axes, "cumulative regret")
    lowest, highest = min(float(np.median(each)) for each in ends), max(float(each.max()) for each in ends)
    if highest >= VERY_DIFFERENT * lowest > 0:
        make_logarithmic(axes, x=False)
        axes.set_ylim(bottom=lowest / 30)
    axes.set_ylim(top=1.1 * highest)


def _draw(
    axes: Axes, regret: xr.Dataset, average: xr.DataArray, agent: str, looks: dict[str, LineStyle], label: str = ""
) -> None:
    count, look = regret.sizes["episode"], looks[agent]
    axes.plot(
        regret["episode"],
        average.sel(agent=agent),
        **look.line(),
        marker=look.marker,
        markevery=sorted({int(count * part) for part in (0.3, 0.6, 0.9)}),
        linewidth=2,
        zorder=3,
        label=label or None,
    )
