"""Indices as functions of the discount, drawn, with their crossings marked. What is drawn was decided exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from flint import fmpq

from theory.outputs import check_picture, writing
from theory.parametric.algebraic import AlgebraicNumber
from theory.parametric.arm import ParametricIndices
from theory.parametric.bandit import ParametricBandit
from theory.parametric.rational_function import RationalFunction
from theory.rationals import nearest_float

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS: Final = 240
_COLUMNS: Final = 3
_LARGEST_LEGEND: Final = 12
_LARGEST_LIST: Final = 4
# Okabe and Ito's colours; dashes too, for pictures in grey
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_DASHES: Final = ("-", "--", ":", "-.")


def draw(found: ParametricBandit, path: Path) -> None:
    """Draw the indices of every arm, and where there are several those of all arms together, into a file.

    Parameters
    ----------
    found
        What to draw.
    path
        The ending says the format: png, pdf or svg.

    Raises
    ------
    ModelError
        If the file could not be written, or its format is unknown; before anything is drawn.
    OutputError
        If it then cannot be written.
    """
    check_picture(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  (only where a picture is drawn)
    from matplotlib.figure import Figure  # noqa: PLC0415

    panels = len(found.arms) + (len(found.arms) > 1)
    columns = min(panels, _COLUMNS if panels > 4 else 2)
    rows = -(-panels // columns)
    figure = Figure(figsize=(16 * columns / 3, 4 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True)
    for place in axes.flat[panels:]:
        place.set_axis_off()
    for number, (place, arm) in enumerate(zip(axes.flat, found.arms, strict=False), start=1):
        _draw_arm(place, arm, found.bandit.arms[number - 1].states, f"arm {number}")
    if len(found.arms) > 1:
        _draw_all(axes.flat[len(found.arms)], found)
    for place in axes.flat[max(0, panels - columns) : panels]:
        place.set_xlabel(r"discount $\beta$")
        place.tick_params(labelbottom=True)
    for place in axes[:, 0]:
        place.set_ylabel("Gittins index")
    with writing(f"picture {path}"):
        figure.savefig(path, dpi=150)


def _draw_arm(axes: Axes, found: ParametricIndices, names: tuple[str, ...], title: str) -> None:
    for x, name in enumerate(names):
        _draw_index(axes, found, x, _COLOURS[x % len(_COLOURS)], _DASHES[x % len(_DASHES)], name)
    for number, point in enumerate(found.breakpoints):
        below = found.pieces[number].indices
        _mark(axes, point, [below[group[0]] for group in found.ties_at(number)])
    _finish(axes, title, found.breakpoints)
    if len(names) <= _LARGEST_LEGEND:
        axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 1 / 2), frameon=False)


def _draw_all(axes: Axes, found: ParametricBandit) -> None:
    for a, arm in enumerate(found.arms):
        for x in range(arm.arm.size):
            label = f"arm {a + 1}" if x == 0 else None
            _draw_index(axes, arm, x, _COLOURS[a % len(_COLOURS)], _DASHES[a % len(_DASHES)], label)
    for number, point in enumerate(found.breakpoints):
        below = found.pieces[number]
        _mark(axes, point, [found.index(group[0], below) for group in found.ties_at(number)])
    _finish(axes, "all arms", found.breakpoints)
    if len(found.arms) <= _LARGEST_LEGEND:
        axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 1 / 2), frameon=False)


def _draw_index(axes: Axes, found: ParametricIndices, x: int, colour: str, dashes: str, label: str | None) -> None:
    grid = [fmpq(k, _POINTS) for k in range(_POINTS + 1)]
    values = [nearest_float(found.piece_at(discount).indices[x](discount)) for discount in grid]
    axes.plot([nearest_float(each) for each in grid], values, dashes, color=colour, lw=3 / 2, label=label)


def _mark(axes: Axes, point: AlgebraicNumber, tied: list[RationalFunction]) -> None:
    low, high = point.decimal_interval(12)
    discount = (low + high) / 2
    axes.axvline(nearest_float(discount), color="0.8", lw=1, zorder=0)
    for index in tied:
        place = nearest_float(discount), nearest_float(index(discount))
        axes.plot(*place, "o", ms=5, mfc="white", mec="black", zorder=3)


def _finish(axes: Axes, title: str, breakpoints: tuple[AlgebraicNumber, ...]) -> None:
    count = len(breakpoints)
    text = f"{title}: {count or 'no'} breakpoint{'' if count == 1 else 's'}"
    if 0 < count <= _LARGEST_LIST:
        text += " at " + ", ".join(point.decimal(4) for point in breakpoints)
    axes.set_title(text, fontsize=10)
