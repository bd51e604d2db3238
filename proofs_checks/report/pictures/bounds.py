"""Draw the bounds on regret beside each other and beside a run: ``python -m proofs_checks picture bounds OUT.png``.

The picture has three panels: over the episodes K, with the recorded run of MB-UCBVI in scenario 1; over 1/(1-beta); and
over S. In the last two, K is large enough for both upper bounds to be below the trivial one. A bound is drawn at the
middle of its enclosure, and only in its domain. Bounds for MB-UCBVI have its colour and dashes, and the run its marker;
our bounds are thick and the paper's thin, so that all can be told apart in grey.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from flint import arb, fmpq

from proofs_checks.paper.recorded.curve import recorded_curve
from theory.paper import (
    CONSTANTS,
    UCBVI,
    lower_bound_squared,
    sharper_bound,
    theorem_2_squared,
    theorem_side,
    trivial_bound,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from mbrl.figures.style import LineStyle

Size: TypeAlias = tuple[int, int, int, fmpq]
INCHES = (9.6, 4.3)
S, N_ARMS, BETA = 4, 3, fmpq(99, 100)
"""Scenario 1."""
EPISODES = tuple(round(10 ** (k / 4)) for k in range(1, 85))
LARGE = 10**18
LEARNER = "mb-ucbvi"
INK, SOFT = "#000000", "#595959"
THICK, THIN = 3.0, 1.0
HORIZONS = tuple(fmpq(2) ** k for k in range(9))
SIZES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)


@dataclass(frozen=True)
class Curve:
    """A bound and its line style; without colour and dashes of its own it has the learner's."""

    label: str
    value: Callable[[int, int, int, fmpq], float | None]
    width: float
    colour: str = ""
    dashes: str = ""

    def draw(self, axes: Axes, across: Sequence[float], models: Sequence[Size], look: LineStyle) -> None:
        """Draw the bound of each of `models` above its abscissa in `across`, leaving out where it is undefined."""
        found = [(x, self.value(*at)) for x, at in zip(across, models, strict=True)]
        drawn = [(x, y) for x, y in found if y is not None]
        line = {"color": self.colour, "linestyle": self.dashes} if self.dashes else look.line()
        axes.plot(*zip(*drawn, strict=True), **line, lw=self.width, label=self.label)


def theorem_1(name: str, constant: fmpq | int, order: int, whose: str = "") -> Curve:
    """Return the right-hand side of Theorem 1 for a learner, with this constant."""
    label = f"Theorem 1 for {name}, {whose}constant {float(constant):g}"
    return Curve(label, lambda S, n, K, beta: _middle(constant * theorem_side(S, n, K, beta, order)), THIN)


def printed_lower(S: int, n: int, K: int, beta: fmpq) -> float | None:
    """Return Theorem 2's bound, or None where it is not proved."""
    return _middle(arb(theorem_2_squared(S, n, K, beta)).sqrt()) or None


def sharper_lower(S: int, n: int, K: int, beta: fmpq) -> float | None:
    """Return the larger of the sharper lower bounds, or None outside their domains."""
    return _middle(arb(lower_bound_squared(S, n, K, beta)).sqrt()) or None


def _middle(ball: arb) -> float:
    return float(ball.mid())


CURVES = (
    Curve("no learning: $K/(1-\\beta)$", lambda _S, _n, K, beta: float(trivial_bound(K, beta)), 1.6, SOFT, ":"),
    theorem_1(UCBVI, CONSTANTS[UCBVI], 2),
    Curve("ours for MB-UCBVI", lambda *at: _middle(sharper_bound(*at)), THICK),
    Curve("ours, lower: some prior, any learner", sharper_lower, THICK, INK, "-"),
    Curve("Theorem 2, lower, where it holds", printed_lower, THIN, INK, "-"),
)


def draw(figure: Figure) -> None:
    """Draw the picture into a figure."""
    draw_panels(figure, figure.subplots(1, 3, width_ratios=(1.5, 1, 1)), ncols=3)


def draw_panels(figure: Figure, panels: Sequence[Axes], ncols: int) -> None:
    """Draw the three panels, and under them a legend of `ncols` columns."""
    from mbrl.figures.style import styles  # noqa: PLC0415  (needs matplotlib)

    by_episodes, by_horizon, by_states = panels
    look = styles([LEARNER])[LEARNER]
    _panel(by_episodes, EPISODES, [(S, N_ARMS, K, BETA) for K in EPISODES], look)
    run = recorded_curve()
    known = run["agents"][LEARNER]["mean"]
    by_episodes.plot(
        run["episodes"], known, **look.line(), marker=look.marker, ms=5, markevery=8, lw=2, label="MB-UCBVI, measured"
    )
    by_episodes.set_xlabel("episodes $K$")
    by_episodes.set_ylabel("regret of $K$ episodes")
    by_episodes.set_title(rf"$S={S}$, $n={N_ARMS}$, $\beta={float(BETA)}$")
    _panel(by_horizon, [float(B) for B in HORIZONS], [(S, N_ARMS, LARGE, 1 - 1 / B) for B in HORIZONS], look)
    by_horizon.set_xticks(lengths := [4**k for k in range(5)], [*map(str, lengths)])
    by_horizon.set_xlabel(r"mean length $1/(1-\beta)$")
    by_horizon.set_title(rf"$S={S}$, $n={N_ARMS}$, $K=10^{{18}}$")
    _panel(by_states, SIZES, [(size, N_ARMS, LARGE, fmpq(9, 10)) for size in SIZES], look)
    by_states.set_xticks(SIZES[::2], [*map(str, SIZES[::2])])
    by_states.set_xlabel("states of an arm $S$")
    by_states.set_title(rf"$n={N_ARMS}$, $\beta=0.9$, $K=10^{{18}}$")
    handles, labels = by_episodes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=ncols, fontsize=9, frameon=False, handlelength=4)


def _panel(axes: Axes, across: Sequence[float], models: Sequence[Size], look: LineStyle) -> None:
    from matplotlib.ticker import NullLocator  # noqa: PLC0415

    for curve in CURVES:
        curve.draw(axes, across, models, look)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(alpha=0.25)
