"""The paper's printed curves over those of a run: a panel for each learner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from mbrl.experiments.store import writing
from mbrl.figures.curves import cumulative, method_of
from mbrl.figures.style import LineStyle, label_axes, note_below, project_style, save, styles, wrapped
from mbrl.paper.comparison import Comparison, compare
from mbrl.paper.printed import printed_curves

_PRINTED: tuple[dict[str, Any], ...] = (
    {"fmt": "x", "markersize": 4.5, "color": "#000000"},
    {"fmt": "o", "markersize": 8.5, "color": "#000000", "mfc": "none", "mew": 0.8},
)
"""Marks that no learner has, for the first printed figure and another one: seen also where one is upon the other."""
_WORDS = {
    "_errorbar": "with error bars",
    "_prior_choices": "both priors",
    "_corr_prior": "correct prior",
    "_incorr_prior": "incorrect prior",
}
"""By the end of a figure's label in the paper, what it is called here."""


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
    columns = 2 if len(agents) == 4 else len(agents)  # as many as a scenario of the paper has
    rows = len(agents) // columns
    figure = Figure(figsize=(7.8 if columns > 1 else 4.2, 2.9 * rows + 0.6))
    grid = list(figure.subplots(rows, columns, squeeze=False).ravel())
    looks, curves = styles(agents), cumulative(regret)
    for axes, agent in zip(grid, agents, strict=True):
        axes.plot(regret["episode"], curves[agent].mean(axis=0), **looks[agent].line())
        of_agent = [comparison for comparison in compared if comparison.agent == agent]
        _draw_expected(axes, of_agent[0], looks[agent])
        for comparison, look in zip(of_agent, _PRINTED, strict=False):
            _draw_points(axes, comparison, look)
        label_axes(axes, "average cumulative regret")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=4, steps=[1, 2, 5, 10]))
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), fontsize=7, handlelength=1.5, title=agent)
    figure.suptitle(wrapped(f"{regret.attrs['title']}: the paper's printed curves over ours", 100), fontsize=10)
    note_below(
        figure,
        "line: our mean; band: 95% of means over as many of our simulations (or models) as the paper's\n"
        'marks: printed, and errors of reading; "sees": the smallest difference, all along a curve, that is refused\n'
        + method_of(regret),
        width=120 if columns > 1 else 62,
    )
    return figure


def _draw_expected(axes: Axes, comparison: Comparison, look: LineStyle) -> None:
    at = [point.episode for point in comparison.points]
    least, most = ([getattr(point, name) for point in comparison.points] for name in ("least", "most"))
    axes.fill_between(at, least, most, color=look.colour, alpha=0.18, linewidth=0)


def _draw_points(axes: Axes, comparison: Comparison, look: dict[str, Any]) -> None:
    at, values, errors = np.array([(point.episode, point.printed, point.error) for point in comparison.points]).T
    label = comparison.figure.partition(",")[0]
    words = next((f", {words}" for end, words in _WORDS.items() if label.endswith(end)), "")
    said = f"printed{words}: {comparison.verdict}; sees {comparison.sees:.0%}"
    axes.errorbar(at, values, errors, **look, linewidth=0.9, label=said)
