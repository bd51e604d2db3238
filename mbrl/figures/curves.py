"""Curves over episodes: cumulative regret with its spread over simulations, and the learners' time per episode."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from mbrl.experiments.dataset import Saved
from mbrl.figures.style import (
    BAND,
    LineStyle,
    draw_band,
    draw_mean,
    far_apart,
    label_axes,
    legend_beside,
    make_logarithmic,
    one_panel,
    styles,
    texts_of_one,
)

Floats = NDArray[np.float64]

_BARS = 10
_TIME_BLOCKS = 60
_POINTS = 400
_FEW = 3
_BAND_NOTE = "line: mean; thin line: median; band: from the 10% to the 90% quantile of the simulations"
_HIDDEN_NOTE = "{} has no regret, which a logarithmic axis does not show"
_DEVIATION_NOTE = "bars: mean ± one standard deviation over simulations (length: twice it), cut where axes end"
_BAR_NOTE = "point: mean; bar: from the 10% to the 90% quantile of the simulations"


def method_of(regret: Saved) -> str:
    """Return as text how the regret was found, over how many simulations, and from which seed."""
    how = {
        "expected": "expected regret of every policy, computed and not sampled",
        "monte-carlo": "regret sampled by Monte Carlo",
    }[regret.attributes["regret_method"]]
    count, discount, seed = regret.simulations, regret.attributes["discount"], regret.attributes["seed"]
    return f"{how}; {count} simulation{'s' * (count > 1)}; discount {discount:.12g}; seed {seed}"


def cumulative(regret: Saved) -> dict[str, Floats]:
    """Return the cumulative regret of each learner, (simulations, episodes), by its name."""
    return {agent: np.cumsum(rows, axis=1) for agent, rows in zip(regret.agents, regret.rows, strict=True)}


def regret_with_bands(regret: Saved) -> Figure:
    """Draw mean, median and quantiles of the cumulative regret, on logarithmic axes if sizes differ widely."""
    figure, axes = one_panel()
    curves = cumulative(regret)
    notes = draw_bands(axes, curves, styles(list(curves)))
    legend_beside(figure, [axes])
    texts_of_one(axes, regret.attributes["title"], "\n".join([*notes, method_of(regret)]))
    return figure


def draw_bands(axes: Axes, curves: dict[str, Floats], looks: dict[str, LineStyle]) -> list[str]:
    """Draw cumulative regrets, (simulations, episodes) each, into `axes`, and return notes for the reader."""
    if max(rows.shape[1] for rows in curves.values()) == 1:
        return _draw_points(axes, curves, looks)
    logarithmic, hidden = _scale(curves)
    notes = [_BAND_NOTE] if any(len(rows) > 1 for rows in curves.values()) else []
    for place, (label, rows) in enumerate(curves.items()):
        if label not in hidden:
            at = _places(rows.shape[1], logarithmic)
            _draw_one(axes, at + 1, rows[:, at], label, looks[label], (place + 1) / len(curves))
            if len(curves) <= _FEW and len(rows) > 1:  # borders separate a few bands in grey, and would clutter many
                axes.plot(at + 1, np.quantile(rows[:, at], BAND, axis=0).T, **looks[label].line(), linewidth=0.4)
    label_axes(axes, "cumulative regret")
    if logarithmic:
        axes.autoscale()
        make_logarithmic(axes)
    return notes + [_HIDDEN_NOTE.format(label) for label in hidden]


def _scale(curves: dict[str, Floats]) -> tuple[bool, list[str]]:
    """Return whether regrets differ so much that axes must be logarithmic, and the learners that such axes hide."""
    ends = {label: float(rows[:, -1].mean()) for label, rows in curves.items()}
    positive = [end for end in ends.values() if end > 0]
    logarithmic = bool(positive) and far_apart(min(positive), max(positive))
    return logarithmic, [label for label, end in ends.items() if logarithmic and end <= 0]


def _draw_points(axes: Axes, curves: dict[str, Floats], looks: dict[str, LineStyle]) -> list[str]:
    """Draw the regrets of a single episode, as points side by side with bars."""
    for place, (label, rows) in enumerate(curves.items()):
        look, x = looks[label], 1 + (place - (len(curves) - 1) / 2) * 0.04
        axes.plot(x, rows.mean(), color=look.colour, linestyle="", marker=look.marker, label=label)
        low, high = np.quantile(rows, BAND)
        axes.vlines(x, low, high, color=look.colour)
    label_axes(axes, "regret")
    axes.set_xlim(0.5, 1.5)
    axes.set_xticks([1])
    return [_BAR_NOTE]


def _draw_one(axes: Axes, x: NDArray[np.int64], rows: Floats, label: str, look: LineStyle, part: float) -> None:
    draw_mean(axes, x, rows.mean(axis=0), look, label, part)
    if len(rows) > 1:
        low, high = np.quantile(rows, BAND, axis=0)
        draw_band(axes, x, low, high, look)
        axes.plot(x, np.median(rows, axis=0), **look.line(), linewidth=0.8)


def _places(count: int, logarithmic: bool) -> NDArray[np.int64]:
    """Return the episodes to draw, as many as the eye can see."""
    spaced = np.geomspace(1, count, _POINTS) if logarithmic else np.linspace(1, count, _POINTS)
    return np.unique(spaced.round().astype(np.int64)) - 1


def regret_with_error_bars(regret: Saved) -> Figure:
    """Draw the average cumulative regret with bars whose length is twice the standard deviation over simulations."""
    figure, axes = one_panel()
    episodes, curves = regret.episodes, cumulative(regret)
    logarithmic, hidden = _scale(curves)
    shown = {agent: look for agent, look in styles(list(curves)).items() if agent not in hidden}
    lowest = np.inf
    for number, (agent, look) in enumerate(shown.items()):
        line, spread = curves[agent].mean(axis=0), curves[agent].std(axis=0, ddof=1)
        # bars of different learners are side by side; the marker of the line is for the legend only
        axes.plot(np.arange(1, episodes + 1), line, **look.line(), marker=look.marker, markevery=[], label=agent)
        at = np.unique(np.maximum(1, np.round(episodes * (np.arange(1, _BARS + 1) / _BARS - 0.012 * number))))
        places = at.astype(int) - 1
        lowest = min(lowest, line[places].min(where=line[places] > 0, initial=np.inf))
        axes.errorbar(at, line[places], spread[places], fmt=look.marker, color=look.colour)
    label_axes(axes, "average cumulative regret")
    if logarithmic:
        make_logarithmic(axes, x=False)
        axes.set_ylim(bottom=lowest / 2)
    legend_beside(figure, [axes])
    notes = [_DEVIATION_NOTE, *(_HIDDEN_NOTE.format(agent) for agent in hidden)]
    texts_of_one(axes, regret.attributes["title"], "\n".join([*notes, method_of(regret)]))
    return figure


def policy_time(timing: Saved) -> Figure:
    """Draw the learners' time per episode, median and quantiles over simulations, on a logarithmic axis.

    The mean would reflect interruptions by other processes.
    """
    figure, axes = one_panel()
    _, simulations, episodes = timing.rows.shape
    blocks = min(_TIME_BLOCKS, episodes)
    edges = np.linspace(0, episodes, blocks + 1).astype(int)
    middles = (edges[:-1] + edges[1:] + 1) / 2
    ends = []
    for (agent, look), rows in zip(styles(timing.agents).items(), timing.rows, strict=True):
        times = 1000 * np.quantile(rows, [0.1, 0.5, 0.9], axis=0)
        low, middle, high = np.stack([times[:, a:b].mean(axis=1) for a, b in pairwise(edges)], axis=1)
        draw_mean(axes, middles, middle, look, agent)
        draw_band(axes, middles, low, high, look)
        ends += [low.min(), high.max()]
    label_axes(axes, "milliseconds per episode")
    make_logarithmic(axes, x=False)
    # whole decades, so that both ends have a label
    axes.set_ylim(10 ** np.floor(np.log10(min(ends))), 10 ** np.ceil(np.log10(1.05 * max(ends))))
    legend_beside(figure, [axes])
    averaged = -(-episodes // blocks)
    over = f", averaged over {averaged} consecutive episodes" if averaged > 1 else ""
    texts_of_one(
        axes,
        timing.attributes["title"],
        "time to plan and to learn; line: median; band: from the 10% to the 90% quantile of the simulations"
        f"{over}\n{simulations} simulations; seed {timing.attributes['seed']}",
    )
    return figure
