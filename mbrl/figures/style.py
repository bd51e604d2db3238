"""How all figures look: told apart by colour, by dashes and by markers, so also in grey, and the files they become.

Colours are those of Okabe and Ito (2008) and of Tol, one per learner everywhere; learners are called as in the tables.
Files are the same to the byte for the same rows: they carry no date.
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
from mbrl.experiments.store import whole_file

Dashes: TypeAlias = str | tuple[int, tuple[float, ...]]

FORMATS: Final = ("pdf", "svg", "png")
PNG_DOTS_PER_INCH: Final = 200
VERY_DIFFERENT: Final = 10.0
"""Curves whose sizes differ by this factor or more are drawn on logarithmic axes."""

_DASHES: Final[tuple[Dashes, ...]] = ("-", (0, (8, 2.5)), (0, (5, 1.5, 1, 1.5)), (0, (2.5, 1)), (0, (1, 1.8)))
_MARKERS: Final = "dH8os^Dv<>*XPph"
_OTHER_COLOURS: Final = ("#117733", "#AA4499", "#44AA99", "#661100")

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
        "legend.handlelength": 5.2,
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


_LOOKS: Final[MappingProxyType[str, LineStyle]] = MappingProxyType(
    {
        name: LineStyle(colour, _DASHES[place], marker)
        for name, colour, place, marker in (
            ("mb-psrl", "#0072B2", 0, "o"),
            ("mb-psrl-gaussian", "#882255", 1, "s"),
            ("mb-ucrl2", "#D55E00", 1, "^"),
            ("mb-ucbvi", "#009E73", 2, "D"),
            ("mb-ucbvi-bernstein", "#332288", 1, "h"),
            ("psrl", "#CC79A7", 3, "v"),
            ("psrl-gaussian", "#999933", 4, "<"),
            ("ucrl2", "#E69F00", 4, ">"),
            ("ucbvi", "#56B4E9", 0, "*"),
            ("gittins-q", "#7A5C00", 3, "X"),
            ("oracle", "#000000", 2, "P"),
            ("random", "#7F7F7F", 4, "p"),
        )
    }
)
"""The learners of this package; those of a scenario differ in dashes, so grey tells them apart."""


def styles(names: Iterable[str] | Mapping[str, str]) -> dict[str, LineStyle]:
    """Return a style for each curve, no two alike.

    The learners of this package look the same in every figure, whatever stands beside them. With options they keep the
    colour, and differ in dashes and markers, as further curves of one learner do.

    Parameters
    ----------
    names
        Of learners; or of curves, each with its learner.

    Examples
    --------
    >>> made = styles(["mb-psrl/dirichlet=0.5", "mb-psrl", "mine:Learner"])
    >>> made["mb-psrl"].colour == made["mb-psrl/dirichlet=0.5"].colour, len({style.marker for style in made.values()})
    (True, 3)
    """
    learners = dict(names) if isinstance(names, Mapping) else {name: name for name in names}
    algorithms = {name: split_name(learner)[0] for name, learner in learners.items()}
    first = {learner: name for name, learner in reversed(learners.items()) if learner in _LOOKS}
    made = {name: _LOOKS[learner] for learner, name in first.items()}
    free = cycle([marker for marker in _MARKERS if marker not in {look.marker for look in made.values()}])
    others = [algorithm for algorithm in dict.fromkeys(algorithms.values()) if algorithm not in _LOOKS]
    for name, algorithm in algorithms.items():
        if name in made:
            continue
        if algorithm in _LOOKS:
            colour, place = _LOOKS[algorithm].colour, _DASHES.index(_LOOKS[algorithm].dashes)
        else:
            place = others.index(algorithm)
            colour = _OTHER_COLOURS[place % len(_OTHER_COLOURS)]
        further = sum(algorithms[other] == algorithm for other in made)
        made[name] = LineStyle(colour, _DASHES[(place + further) % len(_DASHES)], next(free))
    return {name: made[name] for name in learners}


@contextmanager
def project_style() -> Iterator[None]:
    """Draw in the project's style within the context."""
    with mpl.rc_context(dict(_SETTINGS)):
        yield


def label_axes(axes: Axes, what: str) -> None:
    """Label the axes, `what` over episodes, let both start at 0, and number episodes by integers."""
    axes.set_xlabel("episode")
    axes.set_ylabel(what)
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
