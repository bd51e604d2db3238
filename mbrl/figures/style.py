"""How all figures look: one colour per algorithm everywhere, told apart also by colour-blind readers, and file output.

Colours are those of Okabe and Ito (2008). A learner with the incorrect (Gaussian) prior has the colour of its algorithm
and a dash-dot line. Files are the same to the byte for the same rows: they carry no date.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from zlib import crc32

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

FORMATS: Final = ("pdf", "svg", "png")
PNG_DOTS_PER_INCH: Final = 130


@dataclass(frozen=True)
class LineStyle:
    """Label, colour, dashes and marker of one learner's curve."""

    label: str
    colour: str
    dashes: str = "-"
    marker: str = "o"


_STYLES: Final[MappingProxyType[str, LineStyle]] = MappingProxyType(
    {
        "mb-psrl": LineStyle("MB-PSRL", "#0072B2"),
        "mb-psrl-gaussian": LineStyle("MB-PSRL, Gaussian prior", "#0072B2", "-.", "X"),
        "mb-ucrl2": LineStyle("MB-UCRL2", "#D55E00", marker="s"),
        "mb-ucbvi": LineStyle("MB-UCBVI", "#009E73", marker="^"),
        "psrl": LineStyle("PSRL", "#CC79A7", marker="D"),
        "psrl-gaussian": LineStyle("PSRL, Gaussian prior", "#CC79A7", "-.", "P"),
        "ucrl2": LineStyle("UCRL2", "#E69F00", marker="v"),
        "ucbvi": LineStyle("UCBVI", "#56B4E9", marker="<"),
        "gittins-q": LineStyle("Gittins Q-learning", "#7A5C00", marker=">"),
        "oracle": LineStyle("Oracle", "#000000", marker="*"),
        "random": LineStyle("Uniform", "#7F7F7F", marker="x"),
    }
)
_OTHER_COLOURS: Final = ("#332288", "#882255", "#117733", "#AA4499", "#44AA99", "#999933")

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
        "lines.linewidth": 1.6,
        "svg.hashsalt": "mbrl",
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
    }
)


def style_of(agent: str) -> LineStyle:
    """Return the style of a learner; one that is not of this package gets a colour by its name."""
    known = _STYLES.get(agent)
    if known is not None:
        return known
    return LineStyle(agent.rpartition(":")[2], _OTHER_COLOURS[crc32(agent.encode()) % len(_OTHER_COLOURS)], "--")


@contextmanager
def project_style() -> Iterator[None]:
    """Draw in the project's style within the context."""
    with mpl.rc_context(dict(_SETTINGS)):
        yield


def plain_axes(axes: Axes, x: str, y: str) -> None:
    """Label the axes, and let both start at 0."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)


def note(figure: Figure, text: str) -> None:
    """Write what was measured, how and how often below the figure."""
    figure.supxlabel(text, fontsize=7, color="#555555")


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write the figure in every format and return the paths."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once, not again for each format
    undated = {"pdf": {"CreationDate": None, "ModDate": None}, "svg": {"Date": None}, "png": {}}
    paths = []
    for form in FORMATS:
        path = folder / f"{name}.{form}"
        figure.savefig(path, metadata=undated[form], dpi=PNG_DOTS_PER_INCH)
        paths.append(path)
    return paths
