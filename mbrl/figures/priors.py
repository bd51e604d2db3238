"""The three panels of scenario 3 for each algorithm: correct prior, incorrect prior, and both averages."""

from __future__ import annotations

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbrl.figures.curves import method_of
from mbrl.figures.style import note, plain_axes, style_of

_INCORRECT = "-gaussian"


def algorithms_with_both_priors(regret: xr.Dataset) -> list[str]:
    """Return the learners that were run with the Beta and with the Gaussian prior."""
    agents = [str(agent) for agent in regret["agent"].values]
    return [agent for agent in agents if agent + _INCORRECT in agents]


def priors(regret: xr.Dataset) -> Figure:
    """Draw one row of three panels per algorithm; dotted lines are averages over the simulations of one model."""
    algorithms = algorithms_with_both_priors(regret)
    figure = Figure(figsize=(9.6, 2.9 * len(algorithms) + 0.4))
    grid = figure.subplots(len(algorithms), 3, squeeze=False)
    cumulative = regret["regret"].cumsum("episode")
    by_model = cumulative.groupby("model").mean()
    average = cumulative.mean("simulation")
    for row, algorithm in zip(grid, algorithms, strict=True):
        label = style_of(algorithm).label
        for axes, agent, prior in zip(row, (algorithm, algorithm + _INCORRECT), ("correct", "incorrect"), strict=False):
            for model in by_model["model"].values:
                axes.plot(
                    regret["episode"],
                    by_model.sel(agent=agent, model=model),
                    color="#8C8C8C",
                    linestyle=":",
                    linewidth=0.9,
                )
            _average(axes, regret, average, agent)
            axes.set_title(f"{label}, {prior} prior", fontsize=9)
        for agent in (algorithm, algorithm + _INCORRECT):
            _average(row[2], regret, average, agent)
        row[2].set_title(f"{label}, both priors", fontsize=9)
        lines = row[2].get_lines()
        for axes in row:
            plain_axes(axes, "episode", "cumulative regret")
        row[2].legend(lines, ["correct (Beta)", "incorrect (Gaussian)"], loc="best", handlelength=3)
    models = by_model.sizes["model"]
    each = regret.sizes["simulation"] / models
    note(
        figure,
        f"thick: average over all simulations; dotted: averages over the {each:.3g} simulations of each of {models} "
        f"models; the vertical axes differ\n{method_of(regret)}",
    )
    return figure


def _average(axes: Axes, regret: xr.Dataset, average: xr.DataArray, agent: str) -> None:
    style = style_of(agent)
    axes.plot(
        regret["episode"], average.sel(agent=agent), color=style.colour, linestyle=style.dashes, linewidth=2, zorder=3
    )
