"""The paper's printed curves over those of a run, one panel per learner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbrl.experiments.dataset import Saved
from mbrl.figures.curves import cumulative, method_of
from mbrl.figures.style import Sheet, draw_band, label_axes, panel_grid, project_style, save, styles, texts_around
from mbrl.paper.comparison import Comparison
from theory.terminal.outputs import writing

_MARKS = (("x", "×", 4), ("o", "○", 8))
"""For the first printed figure and another upon it: the marker, its character in notes, and its size."""
_DESCRIPTIONS = {
    "_errorbar": "with error bars",
    "_prior_choices": "both priors",
    "_corr_prior": "correct prior",
    "_incorr_prior": "incorrect prior",
}
"""Descriptions of printed figures, by the end of their label in the paper."""


def draw_printed(regret: Saved, compared: Sequence[Comparison], target: Path, sheet: Sheet) -> list[Path]:
    """Draw the printed curves over the comparable curves of learners without options into the folder `target`.

    Raises
    ------
    BanditError
        If the files cannot be written.
    """
    judged = [each for each in compared if each.verdict != "not comparable" and "/" not in each.agent]
    if not judged:
        return []
    with writing(target), project_style(sheet):
        target.mkdir(exist_ok=True)
        return save(printed_over_ours(regret, judged), target, "printed")


def printed_over_ours(regret: Saved, compared: list[Comparison]) -> Figure:
    """Draw one panel per learner: our mean, the band of 99% of such means, and the printed curve."""
    agents = list(dict.fromkeys(comparison.agent for comparison in compared))
    figure, grid = panel_grid(len(agents), 2)
    looks, curves = styles(agents), cumulative(regret)
    for axes, agent in zip(grid, agents, strict=True):
        axes.plot(np.arange(1, regret.episodes + 1), curves[agent].mean(axis=0), **looks[agent].line())
        of_agent = [comparison for comparison in compared if comparison.agent == agent]
        at = [point.episode for point in of_agent[0].points]
        least, most = ([getattr(point, name) for point in of_agent[0].points] for name in ("least", "most"))
        draw_band(axes, at, least, most, looks[agent])
        said = [_draw_points(axes, comparison, *marks) for comparison, marks in zip(of_agent, _MARKS, strict=False)]
        axes.set_title("\n".join([agent, *said]), fontsize="small")
        label_axes(axes, "average cumulative regret")
    texts_around(
        figure,
        f"{regret.attributes['title']}: the paper's printed curves over ours",
        "line: our mean; band: 99% of means over as many of our simulations (or models) as the paper's\n"
        'marks: printed, and errors of reading; "detects": the smallest differences, along a curve, that are refused\n'
        + method_of(regret),
    )
    return figure


def _draw_points(axes: Axes, comparison: Comparison, marker: str, written: str, size: float) -> str:
    """Draw a printed curve, and return the note on it."""
    at, values, errors = np.array([(point.episode, point.printed, point.error) for point in comparison.points]).T
    axes.errorbar(at, values, errors, fmt=marker, color="#000000", mfc="none", markersize=size, capsize=0)
    label = comparison.figure.partition(",")[0]
    words = next((f", {words}" for end, words in _DESCRIPTIONS.items() if label.endswith(end)), "")
    below, above = comparison.detectable
    return f"{written} printed{words}: {comparison.verdict}; detects -{below:.0%}, +{above:.0%}"
