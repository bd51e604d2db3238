"""The paper's printed curves over those of a run: a panel for each learner."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbrl.experiments.store import writing
from mbrl.figures.curves import cumulative, method_of
from mbrl.figures.style import LineStyle, label_axes, note_below, project_style, save, styles, wrapped
from mbrl.paper.comparison import Comparison, compare
from mbrl.paper.printed import printed_curves

_COLUMNS = 2
_PRINTED = (("x", "#000000"), ("+", "#6E6E6E"))
"""Marks that no learner has, for the first printed figure and another one."""


def draw_printed(regret: xr.Dataset, target: Path) -> list[Path]:
    """Draw the printed curves over a run into the folder `target`; nothing where the paper has none of its scenario.

    Raises
    ------
    BanditError
        If the files cannot be written.
    """
    compared = [compare(curve, regret) for curve in printed_curves() if curve.scenario == regret.attrs["scenario"]]
    judged = [comparison for comparison in compared if comparison.verdict != "not comparable"]
    if not judged:
        return []
    with writing(target), project_style():
        target.mkdir(parents=True, exist_ok=True)
        return save(printed_over_ours(regret, judged), target, "printed")


def printed_over_ours(regret: xr.Dataset, compared: list[Comparison]) -> Figure:
    """Draw a panel for each learner: our mean, between which 95% of such means lie, and what is printed."""
    agents = list(dict.fromkeys(comparison.agent for comparison in compared))
    columns = min(_COLUMNS, len(agents))
    rows = -(-len(agents) // columns)
    figure = Figure(figsize=(4.6 * columns, 3.3 * rows + 0.7))
    grid = list(figure.subplots(rows, columns, squeeze=False).ravel())
    looks, curves = styles(agents), cumulative(regret)
    for axes, agent in zip(grid, agents, strict=False):
        axes.plot(regret["episode"], curves[agent].mean(axis=0), **looks[agent].line(), label="ours: mean")
        of_agent = [comparison for comparison in compared if comparison.agent == agent]
        _draw_expected(axes, of_agent[0], looks[agent])
        for place, (comparison, look) in enumerate(zip(of_agent, _PRINTED, strict=False)):
            _draw_points(axes, comparison, *look, "printed, elsewhere" if place else "printed")
        label_axes(axes, "episode", "average cumulative regret")
        axes.set_title(agent, fontsize=9)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize=7)
    for axes in grid[len(agents) :]:
        axes.set_axis_off()
    figure.suptitle(wrapped(f"{regret.attrs['title']}: the paper's printed curves over ours", 100), fontsize=10)
    note_below(
        figure,
        "band: 95% of means over as many of our simulations (or models) as the paper's; bars: error of reading the "
        f"printed picture\n{method_of(regret)}",
        width=60 * columns,
    )
    return figure


def _draw_expected(axes: Axes, comparison: Comparison, look: LineStyle) -> None:
    at = [point.episode for point in comparison.points]
    least, most = ([getattr(point, name) for point in comparison.points] for name in ("least", "most"))
    axes.fill_between(at, least, most, color=look.colour, alpha=0.18, linewidth=0, label="ours: 95% of such means")


def _draw_points(axes: Axes, comparison: Comparison, marker: str, colour: str, what: str) -> None:
    at, values, errors = np.array([(point.episode, point.printed, point.error) for point in comparison.points]).T
    axes.errorbar(
        at,
        values,
        errors,
        fmt=marker,
        color=colour,
        markersize=5,
        capsize=2,
        linewidth=0.9,
        label=f"{what}: {comparison.verdict}; a difference of {comparison.sees:.0%} would be seen",
    )
