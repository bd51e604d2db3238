"""Figures of several runs: one panel per run, and all learners of all runs in one pair of axes."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.figure import Figure

from mbrl.experiments.dataset import Saved
from mbrl.figures.curves import cumulative, draw_bands, method_of
from mbrl.figures.style import legend_beside, note_below, one_panel, panel_grid, styles, texts_of_one, title_above


def panels(runs: Mapping[str, Saved]) -> Figure:
    """Draw one panel per run, titled with its name; a learner looks the same in all of them."""
    figure, grid = panel_grid(len(runs))
    looks = styles(agent for regret in runs.values() for agent in cumulative(regret))
    notes = []
    for axes, (name, regret) in zip(grid, runs.items(), strict=True):
        notes += draw_bands(axes, cumulative(regret), looks)
        title_above(axes, name)
    legend_beside(figure, grid)
    note_below(figure, "\n".join([*dict.fromkeys(notes), "the axes differ", *_methods(runs)]))
    return figure


def together(runs: Mapping[str, Saved]) -> Figure:
    """Draw all learners of all runs in one pair of axes, each named with its run."""
    curves, learners = {}, {}
    for name, regret in runs.items():
        for agent, rows in cumulative(regret).items():
            curves[f"{agent}, {name}"], learners[f"{agent}, {name}"] = rows, agent
    figure, axes = one_panel()
    notes = draw_bands(axes, curves, styles(learners))
    legend_beside(figure, [axes])
    (legend,) = figure.legends
    lines = sum(len(text.get_text().splitlines()) for text in legend.get_texts())
    figure.set_figheight(max(figure.get_figwidth(), 2 + 0.2 * lines))  # a square, or taller if the legend needs it
    texts_of_one(axes, ", ".join(runs), "\n".join([*notes, *_methods(runs)]))
    return figure


def _methods(runs: Mapping[str, Saved]) -> list[str]:
    return [f"{name}: {regret.attributes['title']}; {method_of(regret)}" for name, regret in runs.items()]
