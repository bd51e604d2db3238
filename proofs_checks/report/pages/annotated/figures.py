"""The page's figures: regret beside its bounds, with curves distinguished by dashes and markers as well as colour.

Figures take the page's colours, so that they can be read on a dark page, and fit the width of a phone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from markupsafe import Markup

from proofs_checks.paper.recorded.curve import recorded_curve
from proofs_checks.report.pages.theorems import TheoremSummary
from proofs_checks.report.pictures import bounds
from theory import rational
from theory.paper import CONSTANTS, UCBVI

if TYPE_CHECKING:
    from flint import fmpq
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEARNERS = {"mb-psrl": "MB-PSRL", "mb-ucrl2": "MB-UCRL2", "mb-ucbvi": "MB-UCBVI"}
_COLOURS = {"#ffffff": "var(--paper)", "#000000": "var(--ink)", "#e5e5e5": "var(--line)", "#595959": "var(--soft)"}
"""Matplotlib's colours, each with the page's colour that replaces it."""


@dataclass(frozen=True)
class PageFigure:
    """A drawing with its title and caption, which have formulas between dollar signs."""

    name: str
    title: str
    told: str
    svg: Markup


def page_figures(theorems: Sequence[TheoremSummary]) -> list[PageFigure]:
    """Return the figures, drawn with the constants of the theorems' summaries."""
    found = []
    if constants := next((summary for summary in theorems if summary.constants), None):
        parameters = constants.theorem["parameters"]
        of_learner = {name: rational(str(parameters[name[3:]])) for name in LEARNERS}
        settings = recorded_curve()["settings"]
        told = rf"""Scenario 1 ($S = {bounds.S}$, $n = {bounds.N_ARMS}$, $\beta = {settings["discount"]}$): exact
            expected regret of each learner, cumulated, mean over {settings["simulations"]} simulations with the least
            and the most; the right-hand sides of Theorem 1 with the constants of this ledger; Theorem 2's bound, which
            is for the worst prior and not for this model; and $K/(1-\beta)$, above which no regret can be. Where a
            bound lies above that line it says nothing."""
        drawn = _drawn("sharpness", lambda figure: _sharpness(figure.add_subplot(), of_learner), 5.8)
        found.append(PageFigure("sharpness", "How sharp the bounds are", " ".join(told.split()), drawn))
    told = rf"""Ours, which the kernel has for the law of the run: an upper bound for MB-UCBVI, and lower
        bounds for every learner on some prior; beside them the paper's bounds and a run of MB-UCBVI.
        Over the episodes in scenario 1; then, for $K = 10^{{18}}$, over the mean length of an episode and over the
        number of states. Theorem 1 is drawn with $C'' = {CONSTANTS[UCBVI]}$, which will do. Above
        $K/(1-\beta)$ a bound says nothing."""
    drawn = _drawn("bounds", lambda figure: bounds.draw_panels(figure, figure.subplots(3, 1), ncols=1), 10.5)
    return [*found, PageFigure("bounds", "Bounds beyond the paper", " ".join(told.split()), drawn)]


def _drawn(name: str, draw: Callable[[Figure], None], height: float) -> Markup:
    """Return a drawing 5 inches wide as SVG, with text as text, the same bytes each time."""
    import matplotlib as mpl  # noqa: PLC0415  (only where figures are drawn)
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "figures", "font.size": 10.5}):
        figure = Figure(figsize=(5, height), layout="constrained")
        draw(figure)
        written = StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", written.getvalue(), flags=re.DOTALL)
    for colour, of_the_page in _COLOURS.items():
        svg = svg.replace(colour, of_the_page)
    named = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg[svg.index("<svg") :])  # ids are unique on the page
    return Markup(named)


def _sharpness(axes: Axes, constants: dict[str, fmpq]) -> None:
    from mbrl.figures.style import styles  # noqa: PLC0415  (needs matplotlib)

    curve = recorded_curve()
    looks, models = styles(list(LEARNERS)), [(bounds.S, bounds.N_ARMS, K, bounds.BETA) for K in bounds.EPISODES]
    for name, look in looks.items():
        known, label = curve["agents"][name], LEARNERS[name]
        axes.fill_between(curve["episodes"], known["least"], known["most"], color=look.colour, alpha=0.2, lw=0)
        mean = known["mean"]
        axes.plot(curve["episodes"], mean, **look.line(), marker=look.marker, ms=4, markevery=6, lw=1.8, label=label)
        side = bounds.theorem_1(label, constants[name], 2 if name == bounds.LEARNER else 1, "our ")
        side.draw(axes, bounds.EPISODES, models, look)
    for bound in (bounds.CURVES[0], bounds.CURVES[-1]):
        bound.draw(axes, bounds.EPISODES, models, looks[bounds.LEARNER])
    axes.set(xscale="log", yscale="log", xlabel="episodes K", ylabel="cumulated regret")
    axes.grid(visible=True, color="#e5e5e5")
    axes.figure.legend(loc="outside lower center", ncols=1, frameon=False, fontsize=9.5, handlelength=5)
