"""Curves over episodes: average cumulative regret, the same with error bars, and the learners' time per episode."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from mbrl.figures.style import note, plain_axes, style_of

_SIZE = (5.2, 3.8)
_BARS = 10
_TIME_BLOCKS = 60


def method_of(regret: xr.Dataset) -> str:
    """Return in words how the regret was found, over how many simulations, and from which seed."""
    how = {
        "expected": "expected regret of every policy, computed and not sampled",
        "monte-carlo": "regret sampled by Monte Carlo",
    }[regret.attrs["regret_method"]]
    discount, seed = regret.attrs["discount"], regret.attrs["seed"]
    return f"{how}\n{regret.sizes['simulation']} simulations; discount {discount:g}; seed {seed}"


def average_regret(regret: xr.Dataset) -> Figure:
    """Draw the average cumulative regret of each learner."""
    figure = Figure(figsize=_SIZE)
    axes = figure.subplots()
    for agent, line in _averages(regret):
        style = style_of(agent)
        axes.plot(regret["episode"], line, color=style.colour, linestyle=style.dashes, label=style.label)
    plain_axes(axes, "episode", "average cumulative regret")
    axes.legend()
    axes.set_title(regret.attrs["title"], fontsize=10)
    note(figure, method_of(regret))
    return figure


def regret_with_error_bars(regret: xr.Dataset) -> Figure:
    """Draw the average cumulative regret with bars whose length is twice the standard deviation over simulations."""
    figure = Figure(figsize=(7.2, 4.0))
    axes = figure.subplots()
    episodes = regret.sizes["episode"]
    spread = regret["regret"].cumsum("episode").std("simulation", ddof=1)
    agents = list(_averages(regret))
    cut = False
    for number, (agent, line) in enumerate(agents):
        style = style_of(agent)
        axes.plot(
            regret["episode"],
            line,
            color=style.colour,
            linestyle=style.dashes,
            marker=style.marker,
            markevery=[],  # the marker is for the legend
            markersize=4,
            label=style.label,
        )
        # bars of different learners stand beside each other
        shift = (number - (len(agents) - 1) / 2) * 0.012
        at = np.unique(np.clip(np.round(episodes * (np.arange(1, _BARS + 1) / _BARS - 0.03 + shift)), 1, episodes))
        places = at.astype(int) - 1
        deviations = spread.sel(agent=agent).values[places]
        cut = cut or bool((line[places] < deviations).any())
        axes.errorbar(
            at,
            line[places],
            yerr=deviations,
            fmt=style.marker,
            color=style.colour,
            markersize=4,
            capsize=2.5,
            linewidth=1.1,
        )
    plain_axes(axes, "episode", "average cumulative regret")
    axes.legend(loc="upper left")
    axes.set_title(regret.attrs["title"], fontsize=10)
    bars = "bars: mean ± one standard deviation over simulations (length: twice it)" + ", cut at 0" * cut
    note(figure, f"{bars}\n{method_of(regret)}")
    return figure


def policy_time(timing: xr.Dataset) -> Figure:
    """Draw the learners' time per episode, on a logarithmic axis.

    The median over simulations: a mean would be that of the interruptions by other processes.
    """
    figure = Figure(figsize=_SIZE)
    axes = figure.subplots()
    episodes = timing.sizes["episode"]
    blocks = max(1, min(_TIME_BLOCKS, episodes))
    edges = np.linspace(0, episodes, blocks + 1).astype(int)
    for agent in timing["agent"].values:
        style = style_of(str(agent))
        times = timing["policy_seconds"].sel(agent=agent).median("simulation").values
        means = [times[low:high].mean() for low, high in pairwise(edges)]
        middles = (edges[:-1] + edges[1:] + 1) / 2
        axes.semilogy(middles, np.array(means) * 1000, color=style.colour, linestyle=style.dashes, label=style.label)
    low, high = axes.get_ylim()
    axes.set_ylim(10 ** np.floor(np.log10(low)), 10 ** np.ceil(np.log10(high)))  # whole decades: every tick is labelled
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xlim(left=0)
    axes.set_xlabel("episode")
    axes.set_ylabel("milliseconds per episode")
    axes.legend()
    axes.set_title("time to update and to compute the policy", fontsize=10)
    note(
        figure,
        f"{timing.attrs['title']}\nmedian over {timing.sizes['simulation']} simulations, averaged "
        f"over {-(-episodes // blocks)} consecutive episodes; seed {timing.attrs['seed']}",
    )
    return figure


def _averages(regret: xr.Dataset) -> list[tuple[str, np.ndarray]]:
    means = regret["regret"].cumsum("episode").mean("simulation")
    return [(str(agent), means.sel(agent=agent).values) for agent in regret["agent"].values]
