"""Figures described as text; ``tests/pictures.txt`` holds the reviewed description of each.

``PIN=1 pytest`` writes the current descriptions; look at the picture first.
"""

from pathlib import Path

import numpy as np
from matplotlib.transforms import BboxBase

from tests.pinned import hold

PICTURES = Path(__file__).with_name("pictures.txt")
LOOKS = (
    "title xlabel ylabel xscale yscale xlim ylim xticks yticks label color mfc linestyle marker lw ms markevery xydata "
    "segments sizes facecolor offsets bbox hatch"
)


def hold_picture(name, figure):
    """Assert that a figure equals its pinned description."""
    hold(PICTURES, name, described(figure))


def described(figure):
    """Yield a line for the figure, one for each of its axes and one for each artist in them."""
    yield f"{value_text(figure.get_size_inches())} inches, {figure.get_suptitle()!r}, {figure.get_supxlabel()!r}"
    for legend in figure.legends:
        texts = [text.get_text() for text in legend.get_texts()]
        yield f"legend of {legend._ncols} columns, size {value_text(legend.get_texts()[0].get_fontsize())}: {value_text(texts)}"
    for axes in figure.axes:
        for each in (axes, *axes.lines, *axes.collections, *axes.patches):
            looks = {look: getattr(each, f"get_{look}")() for look in LOOKS.split() if hasattr(each, f"get_{look}")}
            if hasattr(each, "get_paths"):
                looks["paths"] = [path.vertices for path in each.get_paths()]
            values = ((look, value_text(value)) for look, value in looks.items())
            depth = "" if each is axes else "  "
            yield f"{depth}{type(each).__name__}: " + "; ".join(f"{look} {value}" for look, value in values if value)


def value_text(look):
    """Format texts, and numbers to four digits; of many the first, the last and the sum, which no library version changes."""
    if isinstance(look, str | None):
        return look or ""
    if isinstance(look, list | tuple) and any(isinstance(each, str) for each in look):
        return ", ".join(map(value_text, look))
    parts = [np.ravel(each) for each in ([look] if np.isscalar(look) or isinstance(look, BboxBase) else look)]
    numbers = np.concatenate([np.zeros(0), *(part for part in parts if part.dtype != object)]).astype(float)
    short = [f"{round(each, 9) + 0:.4g}" for each in (*numbers[:1], *numbers[-1:], numbers.sum())]
    if numbers.size <= 8:
        return ", ".join(f"{round(each, 9) + 0:.4g}" for each in numbers)
    return f"{numbers.size} numbers, {short[0]} to {short[1]}, sum {short[2]}"
