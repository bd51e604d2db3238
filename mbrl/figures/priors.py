"""The three panels of scenario 3 for each algorithm: correct prior, incorrect prior, and both averages."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from mbrl.experiments.dataset import Saved
from mbrl.experiments.intervals import per_unit
from mbrl.figures.curves import cumulative, method_of
from mbrl.figures.style import (
    BAND,
    draw_band,
    draw_mean,
    far_apart,
    label_axes,
    legend_beside,
    make_logarithmic,
    panel_grid,
    styles,
    texts_around,
    title_above,
)

Floats = NDArray[np.float64]

_INCORRECT = "-gaussian"


def algorithms_with_both_priors(regret: Saved) -> list[str]:
    """Return the learners that were run with both the Beta and the Gaussian prior."""
    return [agent for agent in regret.agents if agent + _INCORRECT in regret.agents]


def priors(regret: Saved) -> Figure:
    """Draw one row of three panels per algorithm; a thin line is the mean over the simulations of one model."""
    algorithms = algorithms_with_both_priors(regret)
    figure, grid = panel_grid(3 * len(algorithms))
    curves, models = cumulative(regret), np.unique(regret.models).size
    by_model = {agent: per_unit(rows, regret.models) for agent, rows in curves.items()}
    episodes = np.arange(1, regret.episodes + 1)
    panel = iter(grid)
    for algorithm, *row, both in zip(algorithms, panel, panel, panel, strict=True):
        pair = (algorithm, algorithm + _INCORRECT)
        looks = styles(pair)
        ends = [by_model[agent][:, -1] for agent in pair]
        for axes, agent, prior in zip(row, pair, ("correct (Beta)", "incorrect (Gaussian)"), strict=True):
            for curve in by_model[agent]:
                axes.plot(episodes, curve, color="#C4C4C4", linewidth=0.8)
            low, high = np.quantile(by_model[agent], BAND, axis=0)
            draw_band(both, episodes, low, high, looks[agent])
            both.plot(
                episodes, np.stack([low, high], axis=1), **looks[agent].line(), linewidth=0.8
            )  # the two averages can be told apart in grey
            for each in (axes, both):
                draw_mean(each, episodes, curves[agent].mean(axis=0), looks[agent], agent)
            _label(axes, ends)
            title_above(axes, f"{algorithm}: {prior}")
        title_above(both, f"{algorithm}: both priors")
        label_axes(both, "cumulative regret")
    legend_beside(figure, grid)
    shared = regret.simulations / models
    texts_around(
        figure,
        regret.attributes["title"],
        f"thick: average over all simulations; thin: averages over the {shared:.3g} simulations of each of {models} "
        f"models; bands: from the 10% to the 90% quantile of the models; the third axis differs\n{method_of(regret)}",
    )
    return figure


def _label(axes: Axes, ends: list[Floats]) -> None:
    """Label axes with one curve per model: alike for both priors, logarithmic if one curve would hide others."""
    label_axes(axes, "cumulative regret")
    lowest, highest = min(float(np.median(each)) for each in ends), max(float(each.max()) for each in ends)
    if far_apart(lowest, highest):
        make_logarithmic(axes, x=False)
        axes.set_ylim(bottom=lowest / 30)
    axes.set_ylim(top=1.1 * highest)
