"""Curves over episodes: cumulative regret with its spread over simulations, and the learners' time per episode."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from mbrl.arrays import Floats
from mbrl.experiments.dataset import Saved
from mbrl.figures.style import (
    BAND,
    LineStyle,
    draw_band,
    draw_mean,
    label_axes,
    legend_beside,
    make_logarithmic,
    note_below,
    one_panel,
    panel_grid,
    styles,
    texts_around,
    title_above,
)

_TIME_BLOCKS = 60
_POINTS = 400
_FEW = 3
_BAND_NOTE = "line: mean; thin line: median; band: from the 10% to the 90% quantile of the simulations"
_HIDDEN_NOTE = "{} has no regret, which a logarithmic axis does not show"


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
    texts_around(figure, regret.attributes["title"], "\n".join([*notes, method_of(regret)]))
    return figure


def draw_bands(axes: Axes, curves: dict[str, Floats], looks: dict[str, LineStyle]) -> list[str]:
    """Draw cumulative regrets, (simulations, episodes) each, into `axes`, and return notes for the reader."""
    logarithmic, hidden = _scale(curves)
    notes = [_BAND_NOTE if rows.shape[1] > 1 else "mark: mean" for rows in curves.values() if len(rows) > 1][:1]
    for place, (label, rows) in enumerate(curves.items()):
        if label not in hidden:
            at, look = _places(rows.shape[1], logarithmic), looks[label]
            draw_mean(axes, at + 1, rows[:, at].mean(axis=0), look, label, (place + 1) / len(curves))
            if len(rows) > 1:
                low, high = np.quantile(rows[:, at], BAND, axis=0)
                draw_band(axes, at + 1, low, high, look)
                axes.plot(at + 1, np.median(rows[:, at], axis=0), **look.line(), linewidth=0.8)
                if len(curves) <= _FEW:  # borders separate a few bands in grey, and would clutter many
                    axes.plot(at + 1, np.stack([low, high], axis=1), **look.line(), linewidth=0.4)
    label_axes(axes, "cumulative regret")
    if logarithmic:
        axes.autoscale()
        make_logarithmic(axes)
    return notes + [_HIDDEN_NOTE.format(label) for label in hidden]


def _scale(curves: dict[str, Floats]) -> tuple[bool, list[str]]:
    """Return whether regrets differ so much that axes must be logarithmic, and the learners that such axes hide."""
    ends = {label: float(rows[:, -1].mean()) for label, rows in curves.items()}
    positive = [end for end in ends.values() if end > 0]
    logarithmic = bool(positive) and max(positive) >= 10 * min(positive)
    return logarithmic, [label for label, end in ends.items() if logarithmic and end <= 0]


def _places(count: int, logarithmic: bool) -> NDArray[np.int64]:
    """Return the episodes to draw, as many as the eye can see."""
    spaced = np.geomspace(1, count, _POINTS) if logarithmic else np.linspace(1, count, _POINTS)
    return np.unique(spaced.round().astype(np.int64)) - 1


def panels(runs: Mapping[str, Saved]) -> Figure:
    """Draw one panel per run, titled with its name; a learner looks the same in all of them."""
    figure, grid = panel_grid(len(runs))
    looks = styles(agent for regret in runs.values() for agent in regret.agents)
    notes = []
    for axes, (name, regret) in zip(grid, runs.items(), strict=True):
        notes += draw_bands(axes, cumulative(regret), looks)
        title_above(axes, name)
    legend_beside(figure, grid)
    methods = [f"{name}: {regret.attributes['title']}; {method_of(regret)}" for name, regret in runs.items()]
    note_below(figure, "\n".join([*dict.fromkeys(notes), "the axes differ", *methods]))
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
    over = "; band: from the 10% to the 90% quantile of the simulations" * (min(simulations, episodes) > 1)
    over += f", averaged over {averaged} consecutive episodes" if averaged > 1 else ""
    texts_around(
        figure,
        timing.attributes["title"],
        f"time to plan and to learn; line: median{over}\n{simulations} simulation{'s' * (simulations > 1)}; "
        f"seed {timing.attributes['seed']}",
    )
    return figure
