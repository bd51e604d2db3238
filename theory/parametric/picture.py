"""Indices as functions of the discount, drawn, with their crossings marked. What is drawn was decided exactly."""

from __future__ import annotations

from itertools import cycle
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from flint import fmpq

from theory.outputs import check_picture, writing
from theory.parametric.algebraic import AlgebraicNumber
from theory.parametric.arm import ParametricIndices
from theory.parametric.bandit import ParametricBandit
from theory.parametric.rational_function import RationalFunction
from theory.parametric.real import RealNumber
from theory.rationals import nearest_float, rational

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curve: TypeAlias = list[float]
"""An index at the discounts of `_GRID`."""

_POINTS: Final = 240
_GRID: Final = [fmpq(k, _POINTS) for k in range(_POINTS + 1)]
_LARGEST_LEGEND: Final = 12
_LARGEST_LIST: Final = 4

# how it looks
_PANEL: Final = 16 / 3, 4  # inches
_DOTS: Final = 150  # per inch
# Okabe and Ito's colours; dashes too, for pictures in grey
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_DASHES: Final = ("-", "--", ":", "-.")
_LINES: Final = "lightgrey"
_MARKS: Final[dict[str, Any]] = {"mfc": "white", "mec": "black"}
_LEGEND: Final[dict[str, Any]] = {"fontsize": "small", "edgecolor": "none"}


def draw(found: ParametricBandit, path: Path) -> None:
    """Draw the indices of every arm, and where there are several those of all arms together, into a file.

    Parameters
    ----------
    found
        What to draw.
    path
        The ending says the format: png, pdf or svg.
    """
    check_picture(path)
    picture = figure(found)
    with writing(f"picture {path}"):
        picture.savefig(path, dpi=_DOTS)


def figure(found: ParametricBandit) -> Figure:
    """Return the picture: a panel per arm, of 800 x 600 pixels in a png, and one of all arms where there are several.

    In it every state has a curve; each arm's states have looks of their own, and where all arms are together each arm
    has one. Where states tie that do not tie beside it, there is a line, and a mark at each index that they share.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415  (only where a picture is drawn)

    arms = len(found.arms)
    panels = 1 if arms == 1 else arms + 1
    columns = min(panels, 2 if panels <= 4 else 3)
    rows = ceil(panels / columns)
    made = Figure(figsize=(columns * _PANEL[0], rows * _PANEL[1]), layout="constrained")
    places = made.subplots(rows, columns, squeeze=False, sharex=True)
    for place in places.flat[panels:]:
        place.set_axis_off()
    curves = [_curves(arm) for arm in found.arms]
    for number, place in enumerate(places.flat[:arms]):
        arm, names = found.arms[number], found.bandit.arms[number].states
        tied = [[below.indices[x] for x, *_ in arm.ties_at(k)] for k, below in enumerate(arm.pieces[:-1])]
        by_name = {name: [curve] for name, curve in zip(names, curves[number], strict=True)}
        _draw_panel(place, f"arm {number + 1}", by_name, arm.breakpoints, tied)
    if panels > arms:
        tied = [[found.index(s, below) for s, *_ in found.ties_at(k)] for k, below in enumerate(found.pieces[:-1])]
        by_arm = {f"arm {number}": each for number, each in enumerate(curves, start=1)}
        _draw_panel(places.flat[arms], "all arms", by_arm, found.breakpoints, tied)
    for place in places.flat[panels - columns :]:  # the lowest of each column; a place that is left blank shows none
        place.set_xlabel(r"discount $\beta$")
        place.tick_params(labelbottom=True)
    for place, *_ in places:
        place.set_ylabel("Gittins index")
    return made


def _curves(found: ParametricIndices) -> list[Curve]:
    """Return the curve of every state."""
    pieces = [(discount, found.piece_at(discount)) for discount in _GRID]
    return [[_near(piece.indices[x](discount)) for discount, piece in pieces] for x in range(found.arm.size)]


def _near(value: fmpq | RealNumber) -> float:
    return nearest_float(value.decimal(17) if isinstance(value, RealNumber) else value)


def _draw_panel(
    axes: Axes,
    title: str,
    curves: dict[str, list[Curve]],
    breakpoints: tuple[AlgebraicNumber, ...],
    tied: list[list[RationalFunction]],
) -> None:
    """Draw lines at the breakpoints, over them the curves by name, and over these the marks where indices tie."""
    places = [rational(point.decimal(17)) for point in breakpoints]
    for place in places:
        axes.axvline(nearest_float(place), color=_LINES)
    grid = [nearest_float(discount) for discount in _GRID]
    legend = {}
    for (name, group), colour, dashes in zip(curves.items(), cycle(_COLOURS), cycle(_DASHES), strict=False):
        for curve in group:
            (legend[name],) = axes.plot(grid, curve, dashes, color=colour)
    for place, indices in zip(places, tied, strict=True):
        for index in indices:
            axes.plot(nearest_float(place), _near(index(place)), "o", **_MARKS)
    count = len(breakpoints)
    text = f"{title}: {count or 'no'} breakpoint{'' if count == 1 else 's'}"
    if 0 < count <= _LARGEST_LIST:
        text += " at " + ", ".join(point.decimal(4) for point in breakpoints)
    axes.set_title(text, fontsize="medium")
    if len(legend) <= _LARGEST_LEGEND:
        beside = (1, 1 / 2)
        shown = axes.legend(legend.values(), legend.keys(), loc="center left", bbox_to_anchor=beside, **_LEGEND)
        for each in shown.get_texts():
            each.set_parse_math(False)  # names are drawn as they are
