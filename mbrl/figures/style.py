"""The look of all figures: colours, dashes and markers that can also be told apart in grey, and the written files.

Colours are those of Okabe and Ito (2008) and of Tol, one per learner everywhere; learners have the names of the tables.
The same rows give the same bytes: files carry no date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import cycle
from pathlib import Path
from textwrap import TextWrapper
from typing import Any, Final, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.style import use as use_style
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from mbrl.agents.options import split_name
from mbrl.agents.registry import AGENTS
from mbrl.experiments.store import whole_file
from theory import BanditError

Dashes: TypeAlias = str | tuple[int, tuple[float, ...]]

FORMATS: Final = ("pdf", "svg", "png")
BAND: Final = (0.1, 0.9)
"""The quantiles at the ends of bands."""

_PANEL: Final = 3.7
"""Width and height, in inches, of one panel of several: half the width of a figure."""
_LEGEND: Final = 2
"""Width, in inches, for the names in a legend; their lines and space take one more inch."""
_LONG: Final = 5
"""Largest number of names in a legend beside the axes."""
_NARROW: Final = 2.1
"""Smallest width of axes, in inches; if they would be narrower, the legend goes elsewhere."""
_LINE: Final = 0.2
"""Height of a line of text, in inches."""
_LETTERS, _SMALL_LETTERS = 12, 17
"""Letters per inch in text of ten points and of seven: on average a letter is 0.6 times as wide as its size."""

_DASHES: Final[tuple[Dashes, ...]] = ("-", (0, (8, 2.5)), (0, (5, 1.5, 1, 1.5)), (0, (2.5, 1)), (0, (1, 1.8)))
_MARKERS: Final = "dH8os^Dv<>*XPph"
_SETTINGS: Final = Path(__file__).with_name("figures.mplstyle")


class NotebookFigure(Figure):
    """A figure that a notebook shows at the end of a cell, as it does a figure that pyplot made."""

    def _repr_png_(self) -> bytes:
        written = BytesIO()
        self.savefig(written, format="png")
        return written.getvalue()


@dataclass(frozen=True)
class LineStyle:
    """Colour, dashes and marker of one learner's curve."""

    colour: str
    dashes: Dashes
    marker: str

    def line(self) -> dict[str, Any]:
        """Return the arguments of `Axes.plot` for the line."""
        return {"color": self.colour, "linestyle": self.dashes}


_LOOKS: Final = {name: LineStyle(entry.colour, _DASHES[entry.dashes], entry.marker) for name, entry in AGENTS.items()}


def styles(names: Iterable[str] | Mapping[str, str]) -> dict[str, LineStyle]:
    """Return a style for each curve, all different.

    A learner of this package looks the same in every figure; others have the colours of ``axes.prop_cycle``. The same
    learner with options keeps the colour but has other dashes and markers, like any further curve of that learner.

    Parameters
    ----------
    names
        Names of learners; or a mapping from the names of curves to their learners.
    """
    learners = dict(names) if isinstance(names, Mapping) else {name: name for name in names}
    algorithms = {name: split_name(learner)[0] for name, learner in learners.items()}
    first = {learner: name for name, learner in reversed(learners.items()) if learner in _LOOKS}
    made = {name: _LOOKS[learner] for learner, name in first.items()}
    free = cycle([marker for marker in _MARKERS if marker not in {look.marker for look in made.values()}])
    colours = mpl.rcParams["axes.prop_cycle"].by_key().get("color", ["black"])
    others = [algorithm for algorithm in dict.fromkeys(algorithms.values()) if algorithm not in _LOOKS]
    for name, algorithm in algorithms.items():
        if name in made:
            continue
        if algorithm in _LOOKS:
            colour, place = _LOOKS[algorithm].colour, _DASHES.index(_LOOKS[algorithm].dashes)
        else:
            place = others.index(algorithm)
            colour = colours[place % len(colours)]
        further = sum(algorithms[other] == algorithm for other in made)
        made[name] = LineStyle(colour, _DASHES[(place + further) % len(_DASHES)], next(free))
    return {name: made[name] for name in learners}


@dataclass(frozen=True)
class Sheet:
    """A user's wishes for the look of figures.

    Attributes
    ----------
    width : float, optional
        Width in inches; narrow figures have the legend above.
    font : str, optional
        Family, such as ``serif`` or ``DejaVu Sans``.
    titles : bool
        Whether to draw titles, and notes below; in a paper, the caption has both.
    style : optional
        Name or path of a matplotlib style, which overrides the project's; its ``axes.prop_cycle`` has the colours of
        learners that are not of this package, which keep theirs.
    """

    width: float | None = None
    font: str | None = None
    titles: bool = True
    style: str | Path | None = None


_PLAIN: Final = Sheet()
_sheet: ContextVar[Sheet] = ContextVar("sheet", default=_PLAIN)


@contextmanager
def project_style(sheet: Sheet = _PLAIN) -> Iterator[None]:
    """Draw in the project's style within the context, with the changes of `sheet`.

    Raises
    ------
    BanditError
        For a style or a font that is not found.
    """
    with mpl.rc_context(fname=_SETTINGS):
        size, width = tuple(mpl.rcParams["figure.figsize"]), sheet.width
        if sheet.style is not None:
            try:
                use_style(sheet.style)
            except OSError:
                raise BanditError(f"style {sheet.style}: neither a file nor a style that matplotlib has") from None
            if width is None and tuple(mpl.rcParams["figure.figsize"]) != size:
                width = mpl.rcParams["figure.figsize"][0]
        if sheet.font is not None:
            mpl.rcParams["font.family"] = sheet.font
            try:
                findfont(FontProperties(), fallback_to_default=False)
            except ValueError:
                raise BanditError(f"font {sheet.font!r}: matplotlib finds none of that name") from None
        token = _sheet.set(replace(sheet, width=width))
        try:
            yield
        finally:
            _sheet.reset(token)


def label_axes(axes: Axes, what: str) -> None:
    """Label the axes (`what` over episodes), start both at 0, and number episodes by integers."""
    axes.set_xlabel("episode")
    axes.set_ylabel(what)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))


def make_logarithmic(axes: Axes, x: bool = True) -> None:
    """Make the axes logarithmic, with ticks written as plain numbers."""
    for wanted, axis, set_scale in ((x, axes.xaxis, axes.set_xscale), (True, axes.yaxis, axes.set_yscale)):
        if wanted:
            set_scale("log")
            axis.set_major_formatter(FuncFormatter(lambda value, place: plain_number(value)))
            axis.set_minor_formatter(NullFormatter())
    if x:
        axes.set_xlim(left=0.9)


def plain_number(value: float) -> str:
    """Return a power of ten as a plain number.

    Examples
    --------
    >>> plain_number(10000.0), plain_number(1.0), plain_number(0.00001)
    ('10 000', '1', '0.00001')
    """
    return f"{value:,.0f}".replace(",", " ") if value >= 1 else f"{value:.12f}".rstrip("0")


def one_panel() -> tuple[Figure, Axes]:
    """Return a figure with one pair of axes, whose height follows its width."""
    figure, width = NotebookFigure(), _sheet.get().width
    if width is not None:
        ratio = figure.get_figheight() / figure.get_figwidth()
        figure.set_size_inches(width, max(ratio * width, 0.75 * min(width, _PANEL)))
    return figure, figure.subplots()


def panel_grid(count: int, columns: int = 3) -> tuple[Figure, list[Axes]]:
    """Return a figure of `count` panels, row by row, without empty ones."""
    columns, width = min(columns, count), _sheet.get().width
    if width is not None:
        columns = min(columns, max(1, int(width / _NARROW)))
    side = _PANEL if width is None else width / columns
    rows = -(-count // columns)
    figure = Figure(figsize=(side * columns, side * rows))
    every: list[Axes] = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for axes in every[count:]:
        axes.remove()
    return figure, every[:count]


def draw_mean(axes: Axes, x: Any, mean: Any, look: LineStyle, label: str, part: float = 1) -> None:
    """Draw a learner's curve with seven markers, shifted by `part` of the distance between two."""
    marked = list(np.unique(((np.arange(7) + part) / 7 * (len(x) - 1)).astype(int)))
    axes.plot(x, mean, **look.line(), marker=look.marker, markevery=marked, label=label)


def draw_band(axes: Axes, x: Any, low: Any, high: Any, look: LineStyle) -> None:
    """Draw the band between `low` and `high` of a learner's curve."""
    axes.fill_between(x, low, high, color=look.colour, alpha=0.16)


def legend_beside(figure: Figure, sources: Iterable[Axes]) -> None:
    """Put a common legend to the right of all axes, or above, in columns, if it is long or they are narrow."""
    known: dict[str, Any] = {}
    for axes in sources:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            known.setdefault(label, handle)
    labels, columns = [_fitted(label, _LEGEND) for label in known], 1
    above = len(labels) > _LONG or _room(axes) < _NARROW
    if above:
        columns = max(1, int(figure.get_figwidth() / (_LEGEND + 1)))
        lines = [sum(label.count("\n") + 1 for label in column) for column in np.array_split(labels, columns)]
        figure.set_figheight(figure.get_figheight() + _LINE * max(lines))
    at: Any = "outside upper center" if above else "outside right upper"
    figure.legend(list(known.values()), labels, loc=at, ncols=columns)


def _room(axes: Axes) -> float:
    """Return the width in inches of each of the axes in a row beside a legend."""
    grid = axes.get_gridspec()
    assert isinstance(axes.figure, Figure)
    assert grid is not None  # `subplots` makes all axes here
    return (axes.figure.get_figwidth() - _LEGEND - 1) / grid.ncols


def title_above(axes: Axes, text: str) -> None:
    """Write the title above the axes, in lines of their width."""
    room = _room(axes)
    axes.set_title(_fitted(text, room if room >= _NARROW else room + _LEGEND + 1))


def texts_around(figure: Figure, title: str, note: str) -> None:
    """Write the title above all axes or the only ones, and below a note on what was measured, how and how often."""
    if _sheet.get().titles:
        if len(figure.axes) == 1 and not figure.axes[0].get_title():
            title_above(figure.axes[0], title)
        else:
            figure.suptitle(_fitted(title, figure.get_figwidth()))
        note_below(figure, note)


def note_below(figure: Figure, text: str) -> None:
    """Write a note on what was measured, how and how often, below the figure."""
    if not _sheet.get().titles:
        return
    lines = "\n".join(wrapped(line, int(_SMALL_LETTERS * figure.get_figwidth())) for line in text.splitlines())
    figure.supxlabel(lines, color="#555555")
    if _sheet.get().width is not None:
        figure.set_figheight(figure.get_figheight() + _LINE * (lines.count("\n") + 1))


def _fitted(text: str, inches: float) -> str:
    return wrapped(text, int(_LETTERS * inches))


class _Lines(TextWrapper):
    wordsep_simple_re = re.compile(r"(\s+|(?<=/))")


def wrapped(text: str, width: int) -> str:
    r"""Return `text` in lines of at most `width` characters, broken at blanks, or after slashes in long words.

    Examples
    --------
    >>> wrapped("mb-psrl/rewards=gaussian/weight=4", 26)
    'mb-psrl/rewards=gaussian/\nweight=4'
    """
    return _Lines(width, break_long_words=False, break_on_hyphens=False).fill(text)


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write the figure in every format, each file whole or not at all, and return the paths."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # the layout is done once, not for each format
    undated = {"pdf": {"CreationDate": None, "ModDate": None}, "svg": {"Date": None}, "png": {}}
    paths = []
    for form in FORMATS:
        path = folder / f"{name}.{form}"
        with whole_file(path) as temporary:
            figure.savefig(temporary, format=form, metadata=undated[form])
        paths.append(path)
    return paths
