"""How all figures look: told apart by colour, by dashes and by markers, so also in grey, and the files they become.

Colours are those of Okabe and Ito (2008), one per algorithm everywhere; learners are called as in the tables. Files are
the same to the byte for the same rows: they carry no date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from mbrl.agents.options import split_name
from mbrl.agents.registry import AGENTS
from mbrl.experiments.store import whole_file

Dashes: TypeAlias = str | tuple[int, tuple[float, ...]]

FORMATS: Final = ("pdf", "svg", "png")
PNG_DOTS_PER_INCH: Final = 200
VERY_DIFFERENT: Final = 10.0
"""Curves whose sizes differ by this factor or more are drawn on logarithmic axes."""

_COLOURS: Final[MappingProxyType[str, str]] = MappingProxyType(
    {
        "mb-psrl": "#0072B2",
        "mb-ucrl2": "#D55E00",
        "mb-ucbvi": "#009E73",
        "psrl": "#CC79A7",
        "ucrl2": "#E69F00",
        "ucbvi": "#56B4E9",
        "gittins-q": "#7A5C00",
        "oracle": "#000000",
        "mb-ucbvi-bernstein": "#332288",
        "random": "#7F7F7F",
    }
)
_OTHER_COLOURS: Final = ("#882255", "#117733", "#AA4499", "#44AA99", "#999933")
_MARKERS: Final = "os^Dv<>*XPphd"
_DASHES: Final[tuple[Dashes, ...]] = ("-", (0, (7, 2.5)), (0, (5, 1.5, 1, 1.5)), (0, (2, 1.2)), (0, (9, 1, 1, 1, 1, 1)))

_SETTINGS: Final[MappingProxyType[Any, Any]] = MappingProxyType(
    {
        "figure.constrained_layout.use": True,
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#E5E5E5",
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
        "legend.handlelength": 3.6,
        "lines.linewidth": 1.6,
        "lines.markersize": 4.5,
        "text.parse_math": False,  # names of models and learners are drawn as they are
        "svg.hashsalt": "mbrl",
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
    }
)


@dataclass(frozen=True)
class LineStyle:
    """Colour, dashes and marker of one learner's curve."""

    colour: str
    dashes: Dashes
    marker: str

    def line(self) -> dict[str, Any]:
        """Return what `Axes.plot` is told of the line."""
        return {"color": self.colour, "linestyle": self.dashes}


def styles(names: Iterable[str] | Mapping[str, str]) -> dict[str, LineStyle]:
    """Return a style for each curve, no two alike.

    Learners of one algorithm share its colour and differ in dashes; all differ in markers, of which there are 13. The
    learners of this package look the same in every figure, whatever stands beside them.

    Parameters
    ----------
    names
        Of learners; or of curves, each with its learner.

    Examples
    --------
    >>> made = styles(["mb-psrl", "mb-psrl-gaussian", "mine:Learner"])
    >>> made["mb-psrl"].colour == made["mb-psrl-gaussian"].colour, len({style.marker for style in made.values()})
    (True, 3)
    """
    learners = dict(names) if isinstance(names, Mapping) else {name: name for name in names}
    algorithms = {name: split_name(learner)[0].removesuffix("-gaussian") for name, learner in learners.items()}
    others = [algorithm for algorithm in dict.fromkeys(algorithms.values()) if algorithm not in _COLOURS]
    # each algorithm is dashed by its place among all: grey tells them apart, too
    place_of = {algorithm: place for place, algorithm in enumerate((*_COLOURS, *others))}
    fixed = {name: _MARKERS[list(AGENTS).index(name)] for name in learners if name in AGENTS}
    free = [marker for marker in _MARKERS if marker not in fixed.values()]
    markers = fixed | dict(zip((name for name in learners if name not in fixed), cycle(free), strict=False))
    made: dict[str, LineStyle] = {}
    for name, algorithm in algorithms.items():
        colour = _COLOURS.get(algorithm)
        if colour is None:
            colour = _OTHER_COLOURS[others.index(algorithm) % len(_OTHER_COLOURS)]
        earlier = sum(algorithms[other] == algorithm for other in made)
        further = int(name.endswith("-gaussian")) if name in fixed else earlier
        dashes = _DASHES[(place_of[algorithm] + further) % len(_DASHES)]
        made[name] = LineStyle(colour, dashes, markers[name])
    return made


@contextmanager
def project_style() -> Iterator[None]:
    """Draw in the project's style within the context."""
    with mpl.rc_context(dict(_SETTINGS)):
        yield


def label_axes(axes: Axes, x: str, y: str) -> None:
    """Label the axes, let both start at 0, and number episodes by integers."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7, min_n_ticks=1))


def make_logarithmic(axes: Axes, x: bool = True) -> None:
    """Make the axes logarithmic, with ticks written as plain numbers."""
    for wanted, axis, set_scale in ((x, axes.xaxis, axes.set_xscale), (True, axes.yaxis, axes.set_yscale)):
        if wanted:
            set_scale("log")
            axis.set_major_locator(LogLocator(subs=(1.0,), numticks=9))
            axis.set_major_formatter(FuncFormatter(lambda value, place: plain_number(value)))
            axis.set_minor_formatter(NullFormatter())
    if x:
        axes.set_xlim(left=0.9)


def plain_number(value: float) -> str:
    """Return a power of ten as it is written, not as a power.

    Examples
    --------
    >>> plain_number(10000.0), plain_number(0.00001)
    ('10 000', '0.00001')
    """
    return f"{value:,.0f}".replace(",", " ") if value >= 1 else f"{value:.12f}".rstrip("0")


def legend_beside(figure: Figure, sources: Iterable[Axes]) -> None:
    """Put the legend of all axes to the right of everything, off the curves; what they share comes once."""
    known: dict[str, Any] = {}
    for axes in sources:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            known.setdefault(label, handle)
    figure.legend(list(known.values()), [wrapped(label, 30) for label in known], loc="outside right upper")


def title_above(axes: Axes, text: str, width: int = 66) -> None:
    """Write the whole title above the axes, in as many lines as it needs."""
    axes.set_title(wrapped(text, width), fontsize=10)


def note_below(figure: Figure, text: str, width: int = 110) -> None:
    """Write what was measured, how and how often below the figure."""
    lines = "\n".join(wrapped(line, width) for line in text.splitlines())
    figure.supxlabel(lines, fontsize=7, color="#555555")


def wrapped(text: str, width: int) -> str:
    r"""Return `text` in lines of at most `width` characters, broken at blanks, or after a slash where there are none.

    Examples
    --------
    >>> wrapped("mb-psrl/rewards=gaussian/weight=4", 26)
    'mb-psrl/rewards=gaussian/\nweight=4'
    """
    lines, line = [], ""
    for piece in _pieces(text):
        if line and len((line + piece).rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return "\n".join([*lines, line.rstrip()])


def _pieces(text: str) -> Iterator[str]:
    piece = ""
    for character in text:
        piece += character
        if character in " /":
            yield piece
            piece = ""
    if piece:
        yield piece


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write the figure in every format, each file whole or not at all, and return the paths."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once, not again for each format
    undated = {"pdf": {"CreationDate": None, "ModDate": None}, "svg": {"Date": None}, "png": {}}
    paths = []
    for form in FORMATS:
        path = folder / f"{name}.{form}"
        with whole_file(path) as temporary:
            figure.savefig(temporary, format=form, metadata=undated[form], dpi=PNG_DOTS_PER_INCH)
        paths.append(path)
    return paths
